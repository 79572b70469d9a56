/* The granular temperature as a probe: a sum by hand, at any speed that all have in common; what turns as one; a part of them in a region. */
#include "lab.h"

/* Masses 1, 2, 3 at velocities with the mean 0 and squares that add up: 1·9 + 2·0 + 3·1 = 12, by 6 kg and D. All of them go by with 1000 m/s besides. */
TEST(sum)
{
    for (int d = 2; d < 4; d++)
        for (int fast = 0; fast < 2; fast++) {
            char text[2048];
            const char *z = d == 2 ? "" : ", 0", *inertia = d == 2 ? "inertia: 1" : "inertia_tensor: [1, 1, 1]";
            const double u = fast ? 1000 : 0;
            snprintf(text, sizeof text,
                     "dimension: %d\ntime: {end: 1 s, step: 1 ms}\n"
                     "bodies:\n  a: {mass: 1 kg, %s, velocity: [%g, 3%s]}\n  b: {mass: 2 kg, %s, position: [1, 0%s], velocity: [%g, 0%s]}\n"
                     "  c: {mass: 3 kg, %s, position: [2, 0%s], velocity: [%g, -1%s]}\n  d: {mass: 5 kg, %s, position: [0, 9%s], velocity: [7, 7%s]}\n"
                     "probes:\n  T: {temperature: all, region: [[-1, -1%s], [3e4, 1%s]]}\n  one: {temperature: all, region: [[-1, 8%s], [3e4, 10%s]]}\n"
                     "  none: {temperature: all, region: [[-1, 20%s], [3, 21%s]]}\n",
                     d, inertia, u, z, inertia, z, u, z, inertia, z, u, z, inertia, z, z, d == 2 ? "" : ", -1", d == 2 ? "" : ", 1", d == 2 ? "" : ", -1",
                     d == 2 ? "" : ", 1", d == 2 ? "" : ", -1", d == 2 ? "" : ", 1");
            lab l = open_lab(text, 1);
            lab_step(&l);
            CHECK_NEAR(lab_probe(&l, "T"), 12.0 / 6 / d, 1e-12);
            CHECK_NEAR(lab_probe(&l, "one"), 0, 1e-12);
            CHECK_NEAR(lab_probe(&l, "none"), 0, 0);
            close_lab(&l);
        }
}

/* Two bodies fixed to each other 2 m apart turn with 3 rad/s and go on with 5 m/s: ω² r² by D. */
TEST(what_turns_as_one)
{
    lab l = open_lab("time: {end: 1 s, step: 1 ms}\nbodies: {a: {mass: 2 kg, inertia: 1, velocity: [5, -3], angular_velocity: 3}, "
                     "b: {mass: 2 kg, inertia: 1, position: [2, 0], velocity: [5, 3], angular_velocity: 3}}\n"
                     "joints: {weld: {type: fixed, bodies: [a, b], at: [1, 0]}}\nprobes: {T: {temperature: all}}\n",
                     1);
    lab_run(&l, 0.5);
    CHECK_NEAR(lab_probe(&l, "T"), 9.0 / 2, 1e-4); /* of the second order in h */
    close_lab(&l);
}

int main(int argc, char **argv)
{
    RUN(sum);
    RUN(what_turns_as_one);
    return TEST_RESULT;
}
