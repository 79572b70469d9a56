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

int main(int argc, char **argv)
{
    RUN(space);
    return TEST_RESULT;
}
