/* Unique impulses in a step, in the plane: a pushed block on two corners, whose friction is shared in halves. */
#include "physics/planar.h"

static void push(void *user, double t, double out[3])
{
    (void)t;
    out[0] = *(const double *)user;
    out[1] = out[2] = 0;
}

static const double LENGTH = 0.4, HEIGHT = 0.1, FORCE = 30;

TEST(pushed_block)
{
    for (int least_norm = 0; least_norm < 2; least_norm++) {
        talus_world_def d = lab(1e-3);
        d.solver.least_norm = least_norm, d.solver.tolerance = 1e-9, d.solver.max_iterations = 20000;
        talus_world *w = open_world(&d);
        const talus_material_id m = material(w, "stone", 2000);
        law(w, 0.5, 0);
        wall(w, m, 0, 0, 0, 1);
        const talus_body_id b = moving(w, 0, HEIGHT / 2, 0, 0, 0);
        add_box(w, b, m, LENGTH / 2, HEIGHT / 2);
        talus_load_def load = talus_load_def_default();
        load.force[0] = (talus_motion){push, (void *)(uintptr_t)&FORCE};
        CHECK_OK(talus_body_add_load(w, b, &load), talus_world_error(w));
        CHECK_OK(talus_world_assemble(w), talus_world_error(w));
        run(w, 20);
        const double weight = talus_body_mass(w, b) * G, tilt = FORCE * HEIGHT / (2 * LENGTH);
        double uneven = 0;
        CHECK(talus_contact_count(w) == 2);
        for (int i = 0; i < 2; i++) {
            talus_contact c;
            talus_contact_get(w, i, &c);
            CHECK_NEAR(c.impulse[0] / 1e-3, weight / 2 + (c.point[0] > 0 ? tilt : -tilt), 1e-3); /* there is but one way */
            uneven = fmax(uneven, fabs(fabs(c.impulse[1] / 1e-3) - FORCE / 2));
        }
        if (least_norm) CHECK_NEAR(uneven, 0, 1e-3);
        else CHECK(uneven > 0.1); /* that it is not so by itself */
        talus_world_destroy(w);
    }
}

int main(int argc, char **argv)
{
    RUN(pushed_block);
    return TEST_RESULT;
}
