/* Where on a map a scene lies is nothing to its motion: what is thousands of kilometres from the origin moves as it does there, to the rounding of positions.
 */
#include "lab.h"

static const double AWAY[] = {0, 5e6}; /* [m]; there positions are known to 1e-9 m */

static const char *const SCHEME[] = {"moreau", "spook", "generalized_alpha"};

/* Two links of a pendulum, which swing by radians. */
TEST(a_double_pendulum)
{
    for (int i = 0; i < 6; i++) {
        const bool space = i % 2 == 1;
        double q[2];
        for (int k = 0; k < 2; k++) {
            const char *z = space ? ", 0" : "", *J = space ? "[0.05, 0.05, 0.05]" : "0.05", *axis = space ? ", axis: [0, 0, 1]" : "";
            char text[1000];
            snprintf(text, sizeof text,
                     "dimension: %d\ntime: {end: 3 s, step: 1 ms}\ngravity: [0, -9.81%s]\nintegrator: {scheme: %s}\nmechanisms:\n  m:\n    bodies: {a: {mass: "
                     "1, inertia: %s, "
                     "centre_of_mass: [0.5, 0%s]}, b: {mass: 1, inertia: %s, centre_of_mass: [0.3, 0%s]}}\n    joints: {p: {type: revolute, parent: ground, "
                     "child: a, at: [%g, "
                     "%g%s]%s}, q: {type: revolute, parent: a, child: b, at: [1, 0%s]%s}}\nprobes: {q: {joint: q}}\n",
                     space ? 3 : 2, z, SCHEME[i / 2], J, z, J, z, AWAY[k], -0.3 * AWAY[k], z, axis, z, axis);
            lab l = open_lab(text, 1);
            lab_run(&l, 2);
            q[k] = lab_probe(&l, "q");
            close_lab(&l);
        }
        CHECK(fabs(q[0]) > 1);
        CHECK_NEAR(q[1], q[0], 1e-8);
    }
}

/* A four-bar falls through a quarter of a turn of its crank; the loop closes to the rounding of positions. */
TEST(a_four_bar)
{
    for (int i = 0; i < 3; i++) {
        double q[2];
        for (int k = 0; k < 2; k++) {
            char text[1200];
            snprintf(text, sizeof text,
                     "time: {end: 3 s, step: 1 ms}\ngravity: [0, -9.81]\nintegrator: {scheme: %s}\nmechanisms:\n  m:\n    bodies: {a: {mass: 1, inertia: 0.02, "
                     "centre_of_mass: "
                     "[0.15, 0]}, b: {mass: 1, inertia: 0.1, centre_of_mass: [0.5, 0]}, c: {mass: 1, inertia: 0.05, centre_of_mass: [0.3, 0]}}\n    joints: "
                     "{p: {type: revolute, "
                     "parent: ground, child: a, at: [%g, 0], angle: 1.2}, q: {type: revolute, parent: a, child: b, at: [0.3, 0]}, r: {type: revolute, parent: "
                     "ground, child: c, at: "
                     "[%.17g, 0], angle: 1.6}}\n    loops: {l: {type: point, bodies: [b, c], at: [[1, 0], [0.6, 0]]}}\nprobes: {q: {joint: p}}\n",
                     SCHEME[i], AWAY[k], AWAY[k] + 1);
            lab l = open_lab(text, 1);
            lab_run(&l, 0.5);
            q[k] = lab_probe(&l, "q");
            close_lab(&l);
        }
        CHECK(fabs(q[0] - 1.2) > 0.5);
        CHECK_NEAR(q[1], q[0], 1e-6);
    }
}

int main(int argc, char **argv)
{
    RUN(a_double_pendulum);
    RUN(a_four_bar);
    return TEST_RESULT;
}
