/* talus_world_problem in the plane: disks and boxes that collide under a link on a slide; springs of contacts. */
#include "physics/planar.h"
#include "physics/joints.h"
#include "physics/step_problem.h"

static int collide(double friction)
{
    talus_world_def d = lab(1e-3);
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, "stone", 2000);
    law(w, friction, 0.4);
    (void)wall(w, m, 0, 0, 0, 1);
    (void)wall(w, m, -0.5, 0, 1, 0);
    for (int i = 0; i < 4; i++) {
        const talus_body_id body = moving(w, 0.205 * i - 0.3, 0.1 + 0.005 * i, 0.5 - 0.4 * i, -0.3, 2 - i);
        if (i % 2) add_box(w, body, m, 0.2, 0.16);
        else add_disk(w, body, m, 0, 0, 0.1);
    }
    add_box(w, ram(w, 20, 0.27, -0.5), m, 0.9, 0.1);
    const int contacts = check_steps(w, friction > 0);
    talus_world_destroy(w);
    return contacts;
}

TEST(plane)
{
    CHECK(collide(0) > 50);
    (void)collide(0.3);
}

static void stack(double friction)
{
    talus_world_def d = lab(1e-3);
    d.scheme = TALUS_SCHEME_SPOOK;
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, "stone", 2000);
    give_way(w, friction, 2e6);
    (void)wall(w, m, 0, 0, 0, 1);
    for (int k = 0; k < 4; k++) {
        const talus_body_id body = moving(w, 0.01 * k, 0.1 + 0.2 * k, 0, 0, 0);
        if (k % 2) add_box(w, body, m, 0.1, 0.1);
        else add_disk(w, body, m, 0, 0, 0.1);
    }
    check_springs(w, friction, 3 * 4);
}

TEST(springs)
{
    stack(0);
    stack(0.3);
}

int main(int argc, char **argv)
{
    RUN(plane);
    RUN(springs);
    return TEST_RESULT;
}
