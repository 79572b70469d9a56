/* Machines whose parts touch each other and the ground: a heavy ram comes down on a light helmet. Swept one by one, its contacts would need as many sweeps as
 * the masses differ; they are solved as a whole. */
#include "physics/spatial.h"

enum { RAM = 2000, HELMET = 2 };

typedef struct driver {
    talus_world *w;
    talus_body_id ground, helmet, ram;
    talus_material_id stone;
} driver;

/* The ram so high above the helmet, which stands on the ground, on so many feet of four corners. */
static driver open_driver(double gap, int feet)
{
    driver d = {.w = NULL};
    talus_world_def def = lab(1e-3);
    def.solver.tolerance = 1e-7;
    def.solver.max_iterations = 200;
    d.w = open_world(&def);
    d.stone = material(d.w, 2000);
    law(d.w, 0.5, 0);
    d.ground = ground(d.w, d.stone, 0, 0, 1);
    d.helmet = ram_named(d.w, "helmet", HELMET, 0.05, 0);
    d.ram = ram_named(d.w, "ram", RAM, 0.3 + gap, 0);
    for (int i = 0; i < feet; i++) {
        double corner[8][3];
        for (int k = 0; k < 8; k++) corner[k][0] = 0.1 * i + (k & 1 ? 0.08 : 0), corner[k][1] = k & 2 ? 0.1 : -0.1, corner[k][2] = k & 4 ? 0.05 : -0.05;
        add_corners(d.w, d.helmet, d.stone, TALUS_SHAPE_POLYHEDRON, (const double(*)[3])corner, 8, 0);
    }
    add_box(d.w, d.ram, d.stone, 0.3, 0.3, 0.4);
    return d;
}

/* An impact without restitution stops both at once: the ground has the ram's momentum, and both weights. Returns the largest number of sweeps. */
static int strike(int feet, int steps)
{
    const driver d = open_driver(2e-3, feet);
    int most = 0;
    double momentum = 0;
    for (int i = 0; i < steps; i++) {
        talus_step_report r;
        double f[3], v[3], omega[3];
        CHECK_OK(talus_world_step(d.w, &r), talus_world_error(d.w));
        contact_force(d.w, d.ground, f);
        motion(d.w, d.ram, v, omega);
        const double now = RAM * v[2], h = talus_world_step_size(d.w);
        CHECK(r.converged);
        CHECK_NEAR(-f[2] * h, now - momentum + (RAM + HELMET) * G * h, 1e-7 * RAM * 4);
        most = r.iterations > most ? r.iterations : most;
        momentum = now;
    }
    CHECK_NEAR(momentum, 0, 1e-7 * RAM);
    talus_world_destroy(d.w);
    return most;
}

TEST(hammer) { CHECK(strike(1, 60) <= 5); }

/* More feet than are solved as a whole: swept, and no worse. */
TEST(too_many)
{
    const driver d = open_driver(0, 9);
    double f[3];
    run(d.w, 60);
    contact_force(d.w, d.ground, f);
    CHECK(talus_contact_count(d.w) > 36);
    CHECK_NEAR(-f[2], (RAM + HELMET) * G, 1e-3 * RAM * G);
    talus_world_destroy(d.w);
}

/* Stones that ride on the ram, and roll off it: contacts of another kind beside those of the machine, which these do not hold up. */
TEST(with_grains)
{
    const driver d = open_driver(2e-3, 1);
    double weight = (RAM + HELMET) * G, f[3];
    for (int i = 0; i < 4; i++) {
        (void)sphere(d.w, d.stone, 0.12 * (i % 2) - 0.06, i < 2 ? -0.06 : 0.06, 0.555 + 0.002, 0.05);
        weight += 2000 * 4.0 / 3 * 3.14159265358979 * 0.05 * 0.05 * 0.05 * G;
    }
    for (int i = 0; i < 300; i++) {
        talus_step_report r;
        CHECK_OK(talus_world_step(d.w, &r), talus_world_error(d.w));
        CHECK(r.converged && r.iterations <= 60);
    }
    contact_force(d.w, d.ground, f);
    CHECK_NEAR(-f[2], weight, 1e-6 * weight);
    talus_world_destroy(d.w);
}

/* Free boxes, light and heavy in turn, fall on each other and tumble: every impulse is of the law, none pulls, none is where the contact opens. */
TEST(tumbling)
{
    enum { PARTS = 5, STEPS = 250 };
    talus_world_def def = lab(1e-3);
    def.solver.tolerance = 1e-6;
    def.solver.max_iterations = 2000;
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, 2000);
    law(w, 0.5, 0);
    ground(w, m, 0, 0, 1);
    for (int k = 0; k < PARTS; k++) {
        char name[8];
        talus_mechanism_id part = {0};
        talus_link_def link = talus_link_def_default();
        talus_joint_def j = talus_joint_def_default();
        talus_body_id id = {0};
        talus_joint_id joint = {0};
        snprintf(name, sizeof name, "part%d", k);
        link.mass = k % 2 ? 1000 : 2;
        for (int i = 0; i < 3; i++) link.inertia[i] = 0.05 * link.mass;
        CHECK_OK(talus_mechanism_create(w, name, &part), talus_world_error(w));
        CHECK_OK(talus_link_create(w, part, &link, &id), talus_world_error(w));
        j.kind = TALUS_JOINT_FREE;
        j.child = id;
        j.position[0] = 0.01 * k, j.position[2] = 0.06 + 0.11 * k, j.velocity[3] = 0.3 * k, j.velocity[5] = 0.5;
        CHECK_OK(talus_joint_create(w, &j, &joint), talus_world_error(w));
        add_box(w, id, m, 0.3, 0.3, 0.1);
    }
    int pressing = 0, open = 0, converged = 0;
    for (int i = 0; i < STEPS; i++) {
        talus_step_report r;
        CHECK_OK(talus_world_step(w, &r), talus_world_error(w));
        converged += r.converged;
        for (int k = 0; k < talus_contact_count(w); k++) {
            talus_contact c;
            talus_contact_get(w, k, &c);
            const double aside = hypot(c.impulse[1], c.impulse[2]);
            CHECK(c.impulse[0] >= 0 && aside <= 0.5 * c.impulse[0] * (1 + 1e-12));
            if (r.converged && c.velocity[0] > 1e-4 && c.gap <= 0) CHECK(c.impulse[0] == 0);
            pressing += c.impulse[0] > 0, open += c.impulse[0] == 0;
        }
    }
    CHECK(pressing > STEPS && open > STEPS && converged > STEPS * 9 / 10);
    talus_world_destroy(w);
}

int main(int argc, char **argv)
{
    RUN(hammer);
    RUN(too_many);
    RUN(with_grains);
    RUN(tumbling);
    return TEST_RESULT;
}
