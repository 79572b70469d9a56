/* Unique impulses in a step: a pushed box on four corners, closed form; and that the motion stays what it is. */
#include "physics/spatial.h"

static void push(void *user, double t, double out[3])
{
    (void)t;
    out[0] = *(const double *)user;
    out[1] = out[2] = 0;
}

static const double LENGTH = 0.4, WIDTH = 0.2, HEIGHT = 0.1, DENSITY = 2000, FORCE = 30;

/* What a corner carries along z and x [N], [0]: behind, [1]: ahead; the largest distance from either of the four. Returns the box' place. */
static double corners(bool least_norm, const char *solver, double mean[2][2], double *spread)
{
    talus_world_def d = lab(1e-3);
    d.solver.least_norm = least_norm, d.solver.method = solver, d.solver.tolerance = 1e-9, d.solver.max_iterations = 20000;
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, DENSITY);
    law(w, 0.5, 0);
    ground(w, m, 0, 0, 1);
    const talus_body_id b = box(w, m, 0, 0, HEIGHT / 2, LENGTH, WIDTH, HEIGHT);
    talus_load_def load = talus_load_def_default();
    load.force[0] = (talus_motion){push, (void *)(uintptr_t)&FORCE};
    CHECK_OK(talus_body_add_load(w, b, &load), talus_world_error(w));
    run(w, 20);
    double force[4][2], x[3];
    int side[4], count[2] = {0, 0};
    CHECK(talus_contact_count(w) == 4);
    memset(mean, 0, 4 * sizeof(double));
    for (int i = 0; i < 4; i++) {
        talus_contact c;
        talus_contact_get(w, i, &c);
        const double sign = c.candidate.index1 == b.index1 ? 1 : -1; /* n = ± z: s = x with both */
        side[i] = c.point[0] > 0;
        force[i][0] = c.impulse[0] / 1e-3, force[i][1] = sign * c.impulse[2] / 1e-3;
        count[side[i]]++;
        for (int k = 0; k < 2; k++) mean[side[i]][k] += 0.5 * force[i][k];
    }
    CHECK(count[0] == 2 && count[1] == 2);
    *spread = 0;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++) *spread = fmax(*spread, fabs(force[i][k] - mean[side[i]][k]));
    place(w, b, x);
    talus_world_destroy(w);
    return x[0];
}

/* Springs under a rigid box: the load is shared alike, and its moment F c/2 by pairs a apart; friction by all four. */
TEST(pushed_box)
{
    static const char *const SOLVERS[] = {"nlgs", "ccp", "auto"};
    const double weight = DENSITY * LENGTH * WIDTH * HEIGHT * G, tilt = FORCE * HEIGHT / (4 * LENGTH);
    for (int s = 0; s < 3; s++) {
        double mean[2][2], spread, free_mean[2][2], free_spread;
        const double x = corners(true, SOLVERS[s], mean, &spread), y = corners(false, SOLVERS[s], free_mean, &free_spread);
        for (int ahead = 0; ahead < 2; ahead++) {
            CHECK_NEAR(mean[ahead][0], weight / 4 + (ahead ? tilt : -tilt), 1e-3);
            CHECK_NEAR(mean[ahead][1], -FORCE / 4, 1e-3);
        }
        CHECK(spread < 1e-3);
        CHECK_NEAR(x, y, 1e-8);
    }
    double mean[2][2], spread;
    corners(false, "nlgs", mean, &spread);
    printf("sweeps alone: friction behind %.2f N, ahead %.2f N, spread %.2f N\n", mean[0][1], mean[1][1], spread);
    CHECK(spread > 0.1 || fabs(mean[0][1] - mean[1][1]) > 0.1); /* that it is not so by itself */
}

int main(int argc, char **argv)
{
    RUN(pushed_box);
    return TEST_RESULT;
}
