/* Loops of revolute joints between bodies in space say three rows twice (solve/block.h). Axes that are not quite parallel make what is said twice contradict
 * itself as the loop moves: joints do not strain against each other for that, and reactions are those of the same loop in the plane. What is said twice without
 * contradiction is shared; axes that do differ hold the loop. */
#include "lab.h"

enum { PINS = 4 };

/* A four-bar: rods along (0, 0), (0, 0.4), (1.1, 0.9), (1, 0), under an oblique weight; the axis of the third pin is tilted. */
static lab open_bars(int dimension, double tilt)
{
    static const double P[PINS][2] = {{0, 0}, {0, 0.4}, {1.1, 0.9}, {1, 0}}, MASS[] = {1, 3, 2};
    static const char *const BODIES[] = {"ground", "b0", "b1", "b2", "ground"};
    const bool flat = dimension == 2;
    const char *o = flat ? "" : ", 0";
    char text[4000];
    int n = snprintf(text, sizeof text, "dimension: %d\ngravity: [3, -9.81%s]\ntime: {end: 1000 s, step: 1 ms}\nsolver: {tolerance: 1e-9 m/s}\nbodies:\n",
                     dimension, o);
    for (int i = 0; i < 3; i++) {
        const double dx = P[i + 1][0] - P[i][0], dy = P[i + 1][1] - P[i][1], J = MASS[i] * (dx * dx + dy * dy) / 12;
        char inertia[120];
        if (flat) snprintf(inertia, sizeof inertia, "inertia: %.17g", J);
        else snprintf(inertia, sizeof inertia, "inertia_tensor: [%.17g, %.17g, %.17g]", 0.8 * J, 0.6 * J, J);
        n += snprintf(text + n, sizeof text - (size_t)n, "  b%d: {mass: %.17g, position: [%.17g, %.17g%s], %s}\n", i, MASS[i], P[i][0] + 0.5 * dx,
                      P[i][1] + 0.5 * dy, o, inertia);
    }
    n += snprintf(text + n, sizeof text - (size_t)n, "joints:\n");
    for (int i = 0; i < PINS; i++) {
        char axis[80] = "";
        if (!flat) snprintf(axis, sizeof axis, ", axis: [%.17g, 0, 1]", i == 2 ? tilt : 0.0);
        n += snprintf(text + n, sizeof text - (size_t)n, "  p%d: {type: revolute, bodies: [%s, %s], at: [%.17g, %.17g%s]%s}\n", i, BODIES[i], BODIES[i + 1],
                      P[i][0], P[i][1], o, axis);
    }
    return open_lab(text, 1);
}

static talus_body_joint_state pin(const lab *l, int i)
{
    talus_body_joint_state s = {.error = (double)NAN};
    CHECK_OK(talus_body_joint_get(l->world, i, &s), "no such joint");
    return s;
}

static void step(const lab *l)
{
    talus_step_report r = {0};
    CHECK_OK(talus_world_step(l->world, &r), talus_world_error(l->world));
    CHECK(r.converged);
}

/* Of a tilt, forces in the plane are off by its square, and those across it are of its order times the weight, 60 N, and the accelerations' several of it. */
TEST(reactions_are_those_of_the_plane)
{
    static const double TILT[] = {0, 1e-12, 1e-9, 1e-7, 1e-6};
    const double W = 60;
    for (size_t k = 0; k < sizeof TILT / sizeof *TILT; k++) {
        lab plane = open_bars(2, 0), space = open_bars(3, TILT[k]);
        const double within = 1e-6 * W + 10 * TILT[k] * W;
        for (int n = 0; n < 500; n++) {
            step(&plane), step(&space);
            for (int i = 0; i < PINS; i++) {
                const talus_body_joint_state flat = pin(&plane, i), s = pin(&space, i);
                for (int d = 0; d < 2; d++) {
                    CHECK_NEAR(s.force[d], flat.force[d], within);
                    CHECK_NEAR(s.moment[d], 0, within);
                }
                CHECK_NEAR(s.force[2], 0, within);
                CHECK_NEAR(s.position[0], flat.position[0], 1e-9 + TILT[k]);
                CHECK(s.error < 1e-5 + 10 * TILT[k]);
            }
        }
        CHECK(fabs(pin(&plane, 0).position[0]) > 0.3); /* it has moved */
        close_lab(&plane), close_lab(&space);
    }
}

/* Four hinges whose axes do differ leave a loop in space no freedom: 3 × 6 − 4 × 5 = −2. */
TEST(what_differs_holds)
{
    lab l = open_bars(3, 0.02);
    for (int n = 0; n < 300; n++) step(&l);
    for (int i = 0; i < PINS; i++) CHECK_NEAR(pin(&l, i).position[0], 0, 1e-5);
    close_lab(&l);
}

/* A door in two hinges turns as in one, and its weight is shared: of all impulses that hold it the least are half and half. */
TEST(what_is_said_twice_is_shared)
{
    double angle[2];
    for (int hinges = 1; hinges <= 2; hinges++) {
        char text[1500];
        snprintf(text, sizeof text,
                 "dimension: 3\ngravity: [0, 0, -9.81]\ntime: {end: 1000 s, step: 1 ms}\nsolver: {tolerance: 1e-9 m/s}\nbodies: {door: {mass: 20 kg, "
                 "inertia_tensor: [2, 2, 1], position: [0.4, 0, 0], spin: [0, 0, 0.5], velocity: [0, 0.2, 0]}}\njoints:\n"
                 "  low: {type: revolute, bodies: [ground, door], at: [0, 0, %s], axis: [0, 0, 1]}\n%s",
                 hinges == 1 ? "0" : "-0.5", hinges == 1 ? "" : "  high: {type: revolute, bodies: [ground, door], at: [0, 0, 0.5], axis: [1e-8, 0, 1]}\n");
        lab l = open_lab(text, 1);
        for (int n = 0; n < 1000; n++) step(&l);
        angle[hinges - 1] = pin(&l, 0).position[0];
        for (int i = 0; i < hinges; i++) CHECK_NEAR(pin(&l, i).force[2], 20 * 9.81 / hinges, 1e-4 * 20 * 9.81);
        close_lab(&l);
    }
    CHECK_NEAR(angle[0], 0.5, 1e-6);
    CHECK_NEAR(angle[1], angle[0], 1e-7);
}

int main(int argc, char **argv)
{
    RUN(reactions_are_those_of_the_plane);
    RUN(what_differs_holds);
    RUN(what_is_said_twice_is_shared);
    return TEST_RESULT;
}
