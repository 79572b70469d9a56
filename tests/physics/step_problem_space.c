/* talus_world_problem in space: spheres and boxes that collide under a link on a slide; walls, restitution and anticipated gaps in the problem; springs of
 * contacts. */
#include "physics/spatial.h"
#include "physics/step_problem.h"

static int collide(double friction)
{
    talus_world_def d = lab(1e-3);
    d.solver.tolerance = 1e-10;
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, 2000);
    char message[500];
    talus_problem *none = NULL;
    law(w, friction, 0.4);
    ground(w, m, 0, 0, 1);
    collision(w, m);
    CHECK(talus_world_problem(w, &none, message, sizeof message) == TALUS_INPUT && strstr(message, "before the first step"));
    const int contacts = check_steps(w, friction > 0);
    talus_world_destroy(w);
    return contacts;
}

TEST(space)
{
    CHECK(collide(0) > 50);
    CHECK(collide(0.3) > 0);
}

static void stack(double friction)
{
    talus_world_def d = lab(1e-3);
    d.scheme = TALUS_SCHEME_SPOOK;
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, 2000);
    give_way(w, friction, 2e5);
    ground(w, m, 0, 0, 1);
    for (int k = 0; k < 4; k++) {
        if (k % 2) box(w, m, 0.01 * k, 0, 0.1 + 0.2 * k, 0.2, 0.2, 0.2);
        else sphere(w, m, 0.01 * k, 0.02, 0.1 + 0.2 * k, 0.1);
    }
    check_springs(w, friction, 6 * 4);
}

TEST(springs)
{
    stack(0);
    stack(0.3);
}

/* Stones on a plate, so many that it is solved in parts, under a mechanism with a rope between its links. */
TEST(crowded)
{
    enum { SIDE = 9 };
    talus_world_def d = lab(1e-3);
    d.solver.tolerance = 1e-10;
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, 2000);
    law(w, 0.3, 0);
    ground(w, m, 0, 0, 1);
    box(w, m, 0, 0, 0.0499, 1, 1, 0.1);
    for (int i = 0; i < SIDE * SIDE; i++) sphere(w, m, 0.1 * (i % SIDE) - 0.4, 0.1 * (i / SIDE) - 0.4, 0.1396 + 0.0001 * (i % 3), 0.04);
    talus_mechanism_id press = {0};
    talus_body_id link[2] = {{0}, {0}};
    CHECK_OK(talus_mechanism_create(w, "press", &press), talus_world_error(w));
    for (int i = 0; i < 2; i++) {
        talus_link_def def = talus_link_def_default();
        talus_joint_def slide = talus_joint_def_default();
        talus_joint_id joint = {0};
        def.mass = 20 - 13 * i;
        CHECK_OK(talus_link_create(w, press, &def, &link[i]), talus_world_error(w));
        slide.kind = TALUS_JOINT_PRISMATIC;
        slide.child = link[i];
        for (int axis = 0; axis < 3; axis++) slide.axis[axis] = axis == 2;
        slide.position[0] = i == 0 ? 0.2295 : 0.329, slide.velocity[0] = i - 0.1;
        CHECK_OK(talus_joint_create(w, &slide, &joint), talus_world_error(w));
        add_box(w, link[i], m, 1 - 0.6 * i, 1 - 0.6 * i, 0.1);
    }
    talus_rope_def rope = talus_rope_def_default();
    rope.body_a = link[0], rope.body_b = link[1], rope.length = 0.0995;
    CHECK_OK(talus_rope_create(w, &rope), talus_world_error(w));
    run(w, 1);
    char message[500];
    talus_problem *p = NULL;
    CHECK_OK(talus_world_problem(w, &p, message, sizeof message), message);
    CHECK(talus_problem_get(p).contacts > 64 + SIDE * SIDE);
    CHECK(check_global(w, p) == 6 * (1 + SIDE * SIDE) + 2);
    talus_problem_destroy(p);
    talus_world_destroy(w);
}

int main(int argc, char **argv)
{
    RUN(space);
    RUN(springs);
    RUN(crowded);
    return TEST_RESULT;
}
