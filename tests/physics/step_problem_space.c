/* talus_world_problem in space: spheres and boxes that collide under a link on a slide; walls, restitution and anticipated gaps in the problem. */
#include "physics/spatial.h"
#include "physics/step_problem.h"

static int collide(double friction)
{
    talus_world_def d = lab(1e-3);
    d.tolerance = 1e-10;
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, 2000);
    char message[500];
    talus_problem *none = NULL;
    law(w, friction, 0.4);
    ground(w, m, 0, 0, 1);
    for (int i = 0; i < 4; i++) {
        talus_body_def b = talus_body_def_default();
        const double centre[1][3] = {{0, 0, 0}};
        b.position[0] = 0.205 * (i % 2), b.position[1] = 0.205 * (i > 1), b.position[2] = 0.1 + 0.002 * i;
        b.velocity[0] = i % 2 ? -0.4 : 0.5, b.velocity[1] = 0.2 - 0.1 * i, b.velocity[2] = -0.3;
        b.spin[0] = 2 - i, b.spin[2] = 1;
        if (i < 3) add_corners(w, add_body(w, &b), m, TALUS_SHAPE_SPHERE, centre, 1, 0.1);
        else add_box(w, add_body(w, &b), m, 0.2, 0.2, 0.2);
    }
    add_box(w, ram(w, 20, 0.27, -0.5), m, 1, 1, 0.1);
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

int main(int argc, char **argv)
{
    RUN(space);
    return TEST_RESULT;
}
