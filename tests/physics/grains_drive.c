/* Boundaries with imposed motion: a vibrating plate, a conveyor, a turning table; what they carry follows by contact alone. */
#include "physics/planar.h"

typedef struct wave {
    double amplitude, omega;
} wave;

/* A (1 − cos ωt): starts at rest, upwards. */
static void shake(void *user, double t, double out[3])
{
    const wave *w = user;
    out[0] = w->amplitude * (1 - cos(w->omega * t));
    out[1] = w->amplitude * w->omega * sin(w->omega * t);
    out[2] = w->amplitude * w->omega * w->omega * cos(w->omega * t);
}

static void steady(void *user, double t, double out[3])
{
    const double rate = *(const double *)user;
    out[0] = rate * t;
    out[1] = rate;
    out[2] = 0;
}

/* A block on a plate that shakes with acceleration k g. The plate's velocity over a step falls by more than g h exactly when its
 * mean acceleration is below −g, so contact ends within a step of cos ωt = −1/k, if k > 1. The block's force is m (g + a) up to
 * O(h): the gap at mid-step lags by a h²/8, whose change over a step adds h da/dt/8, twice for θ = ½. Returns the first time
 * without contact. */
static double shaken(double k, bool disk)
{
    const double h = 1e-4, omega = 2 * PI * 5;
    wave motion = {k * G / (omega * omega), omega};
    talus_world_def d = lab(h);
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, "stone", 2000);
    law(w, 0.5, 0);
    talus_body_def def = talus_body_def_default();
    def.kind = TALUS_BODY_IMPOSED;
    def.motion[1] = (talus_motion){shake, &motion};
    talus_body_id plate = {0};
    CHECK_OK(talus_body_create(w, &def, &plate), talus_world_error(w));
    add_half_plane(w, plate, m, 0, 0, 0, 1);
    const talus_body_id block = body(w, TALUS_BODY_FREE, 0, 0.1, 0);
    if (disk) add_disk(w, block, m, 0, 0, 0.1);
    else add_box(w, block, m, 0.2, 0.1);
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    const double mass = talus_body_mass(w, block);
    double lost = 0;
    for (int i = 0; i < (int)(0.4 / h) && lost == 0; i++) {
        run(w, 1);
        double impulse[2];
        impulse_on(w, plate, block, impulse);
        const double t = talus_world_time(w) - 0.5 * h, a = k * G * cos(omega * t);
        if (impulse[1] <= 0) lost = t;
        else if (i > 20) {
            CHECK_NEAR(impulse[1] / h / mass, G + a, 0.5 * h * k * G * omega + 1e-4);
            CHECK_NEAR(at(w, block, 1) - at(w, plate, 1), 0.1, h * h * k * G);
            CHECK_NEAR(impulse[0], 0, 1e-8);
        }
        CHECK_NEAR(at(w, plate, 1), motion.amplitude * (1 - cos(omega * talus_world_time(w))), 1e-15);
    }
    talus_world_destroy(w);
    return lost;
}

TEST(vibrating_plate)
{
    const double omega = 2 * PI * 5, h = 1e-4;
    for (int disk = 0; disk < 2; disk++) {
        CHECK(shaken(0.98, disk) == 0); /* never leaves, in two periods */
        CHECK(shaken(0.5, disk) == 0);
        const double strong[] = {1.02, 1.5, 3};
        for (int i = 0; i < 3; i++) {
            /* the lag of the gap, h da/dt/8, shifts the instant by h/8 more */
            CHECK_NEAR(shaken(strong[i], disk), acos(-1 / strong[i]) / omega, 1.5 * h);
        }
    }
}

/* A block dropped on a belt of speed V: accelerates at μ g until it keeps pace at t = V/(μ g), ½ V²/(μ g) behind for good. */
TEST(conveyor)
{
    const double h = 1e-3, mu = 0.3;
    double belt_speed = 2;
    talus_world_def d = lab(h);
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, "stone", 2000);
    law(w, mu, 0);
    talus_body_def def = talus_body_def_default();
    def.kind = TALUS_BODY_IMPOSED;
    def.motion[0] = (talus_motion){steady, &belt_speed};
    talus_body_id belt = {0};
    CHECK_OK(talus_body_create(w, &def, &belt), talus_world_error(w));
    add_half_plane(w, belt, m, 0, 0, 0, 1);
    const talus_body_id block = body(w, TALUS_BODY_FREE, 0, 0.05, 0);
    add_box(w, block, m, 0.2, 0.05);
    const double end = belt_speed / (mu * G);
    for (int i = 0; i < 1500; i++) {
        run(w, 1);
        const double t = talus_world_time(w), v = speed(w, block, 0);
        if (t < end) CHECK_NEAR(v, mu * G * t, 1e-7); /* exact in every sliding step, to 100 times the tolerance after 1000 */
        if (t > end + h) CHECK_NEAR(v, belt_speed, 1e-8);
    }
    CHECK_NEAR(at(w, belt, 0), 3, 1e-12);
    CHECK_NEAR(at(w, block, 0), 3 - 0.5 * belt_speed * belt_speed / (mu * G), mu * G * h * h + 1e-7);
    CHECK_NEAR(at(w, block, 1), 0.05, 1e-7);
    CHECK_NEAR(at(w, block, 2), 0, 1e-7);
    talus_world_destroy(w);
}

/* A table that turns with ω about the body's origin, its corner, and carries a block on rough ground: both turn about that
 * corner. */
TEST(turning_boundary)
{
    const double h = 1e-3;
    double rate = 0.5;
    talus_world_def d = lab(h);
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, "stone", 2000);
    law(w, 3, 0);
    talus_body_def def = talus_body_def_default();
    def.kind = TALUS_BODY_IMPOSED;
    def.position[0] = 1, def.position[1] = 2, def.angle = -0.1;
    def.motion[2] = (talus_motion){steady, &rate};
    talus_body_id table = {0};
    CHECK_OK(talus_body_create(w, &def, &table), talus_world_error(w));
    double corners[4][2] = {{0, -0.1}, {2, -0.1}, {2, 0}, {0, 0}};
    add_polygon(w, table, m, 4, corners, 0);
    const double c = cos(-0.1), s = sin(-0.1);
    const talus_body_id block = body(w, TALUS_BODY_FREE, 1 + c * 1 - s * 0.05, 2 + s * 1 + c * 0.05, -0.1);
    add_box(w, block, m, 0.2, 0.05);
    run(w, 1000); /* from −0.1 to 0.4 rad: μ = 3 holds the block, so it turns with the table about (1, 2) */
    const double a = 0.4, x = 1 + cos(a) - sin(a) * 0.05, y = 2 + sin(a) + cos(a) * 0.05;
    CHECK_NEAR(at(w, table, 0), 1, 1e-14);
    CHECK_NEAR(at(w, table, 1), 2, 1e-14);
    CHECK_NEAR(at(w, table, 2), a, 1e-13);
    CHECK_NEAR(speed(w, table, 2), rate, 1e-14);
    /* at rest at first, the block is half a step behind, ω h/2 in angle; chords for arcs add (ω h)²/8 of the arm a step: ω t ω
     * h/8 */
    CHECK_NEAR(at(w, block, 0), x, rate * h);
    CHECK_NEAR(at(w, block, 1), y, rate * h);
    CHECK_NEAR(at(w, block, 2), a, rate * h);
    CHECK_NEAR(speed(w, block, 2), rate, rate * h);
    talus_world_destroy(w);
}

/* Fixed means fixed, whatever falls on it; an imposed body does not feel a load. */
TEST(boundaries_do_not_yield)
{
    double push = 1e6;
    talus_world_def d = lab(1e-3);
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, "stone", 2000);
    law(w, 0.5, 0.2);
    const talus_body_id anvil = body(w, TALUS_BODY_FIXED, 0.3, 0, 0.2), still = body(w, TALUS_BODY_IMPOSED, -0.3, 0, 0);
    add_box(w, anvil, m, 0.2, 0.2);
    add_box(w, still, m, 0.2, 0.2);
    talus_load_def load = talus_load_def_default();
    load.force[0] = (talus_motion){steady, &push};
    CHECK_OK(talus_body_add_load(w, still, &load), talus_world_error(w));
    for (int i = 0; i < 6; i++) free_disk(w, m, -0.4 + 0.15 * i, 0.5 + 0.1 * i, 0.06);
    run(w, 1000);
    CHECK(at(w, anvil, 0) == 0.3 && at(w, anvil, 1) == 0 && at(w, anvil, 2) == 0.2);
    CHECK(at(w, still, 0) == -0.3 && at(w, still, 1) == 0 && at(w, still, 2) == 0);
    CHECK(speed(w, anvil, 0) == 0 && speed(w, still, 0) == 0);
    CHECK(talus_body_mass(w, anvil) == 0);
    talus_world_destroy(w);
}

int main(int argc, char **argv)
{
    RUN(vibrating_plate);
    RUN(conveyor);
    RUN(turning_boundary);
    RUN(boundaries_do_not_yield);
    return TEST_RESULT;
}
