/* The same in the plane as machine_space.c: a heavy ram comes down on a light helmet, both on slides. */
#include "physics/joints.h"

enum { RAM = 2000, HELMET = 2 };

static talus_body_id on_slide(talus_world *w, const char *name, talus_material_id m, double mass, double height, double a, double c)
{
    const talus_body_id link = bar(w, mechanism_named(w, name), mass, 1, 0, 0);
    talus_joint_def j = talus_joint_def_default();
    j.kind = TALUS_JOINT_PRISMATIC;
    j.child = link;
    j.axis[0] = 0, j.axis[1] = 1, j.axis[2] = 0;
    j.position[0] = height;
    (void)join(w, &j);
    add_box(w, link, m, a, c);
    return link;
}

/* An impact without restitution stops both at once: the ground has the ram's momentum, and both weights. */
TEST(hammer)
{
    talus_world_def d = lab(1e-3);
    d.solver.tolerance = 1e-7;
    d.solver.max_iterations = 200;
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, "stone", 2000);
    law(w, 0.5, 0);
    const talus_body_id floor = wall(w, m, 0, 0, 0, 1), helmet = on_slide(w, "helmet", m, HELMET, 0.05, 0.15, 0.05),
                        ram = on_slide(w, "ram", m, RAM, 0.302, 0.15, 0.2);
    const double h = talus_world_step_size(w);
    double momentum = 0;
    for (int i = 0; i < 60; i++) {
        const talus_step_report r = step(w);
        double impulse[2];
        impulse_on(w, floor, helmet, impulse);
        const double now = RAM * speed(w, ram, 1);
        CHECK(r.converged && r.iterations <= 5);
        CHECK_NEAR(impulse[1], now - momentum + (RAM + HELMET) * G * h, 1e-7 * RAM * 4);
        momentum = now;
    }
    CHECK_NEAR(momentum, 0, 1e-7 * RAM);
    talus_world_destroy(w);
}

int main(int argc, char **argv)
{
    RUN(hammer);
    return TEST_RESULT;
}
