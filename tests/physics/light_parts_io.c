/* A light part between heavy ones passes on what they exert, however light it is: what its joints say is not what others say already, and only rows of that
 * kind may be let go (solve/block.h). Moments in closed form, and loops of which some rows say the same and some bodies are light. */
#include "lab.h"

static const double G = 9.81, HEAVY = 1000;
static const double RATIO[] = {1, 1e-3, 1e-6, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12};
enum { RATIOS = sizeof RATIO / sizeof *RATIO };

static talus_body_joint_state joint(const lab *l, int i)
{
    talus_body_joint_state s = {.error = (double)NAN};
    CHECK_OK(talus_body_joint_get(l->world, i, &s), "no such joint");
    return s;
}

static void steps(const lab *l, int count)
{
    for (int n = 0; n < count; n++) {
        talus_step_report r = {0};
        CHECK_OK(talus_world_step(l->world, &r), talus_world_error(l->world));
        CHECK(r.converged);
    }
}

static int body(char *text, size_t size, int dimension, const char *name, double mass, double x, double y)
{
    const double J = 0.3 * mass;
    if (dimension == 2) return snprintf(text, size, "  %s: {mass: %.17g, inertia: %.17g, position: [%.17g, %.17g]}\n", name, mass, J, x, y);
    return snprintf(text, size, "  %s: {mass: %.17g, inertia_tensor: [%.17g, %.17g, %.17g], position: [%.17g, %.17g, 0]}\n", name, mass, J, J, J, x, y);
}

static int head(char *text, size_t size, int dimension)
{
    return snprintf(text, size, "dimension: %d\ngravity: [0, -9.81%s]\ntime: {end: 1000 s, step: 1 ms}\nbodies:\n", dimension, dimension == 2 ? "" : ", 0");
}

/* Two halves of a ton each, on a hinge and on a slide, are made one beam by a part between them: there the moment is R 2 m − M g 1 m with R = M g. */
static lab open_beam(int dimension, double ratio)
{
    const char *z = dimension == 2 ? "" : ", 0";
    char text[4000];
    size_t n = (size_t)head(text, sizeof text, dimension);
    n += (size_t)body(text + n, sizeof text - n, dimension, "a", HEAVY, 1, 0);
    n += (size_t)body(text + n, sizeof text - n, dimension, "c", ratio * HEAVY, 2, 0);
    n += (size_t)body(text + n, sizeof text - n, dimension, "b", HEAVY, 3, 0);
    (void)snprintf(text + n, sizeof text - n,
                   "joints:\n  hinge: {type: revolute, bodies: [ground, a], at: [0, 0%s]%s}\n  left: {type: fixed, bodies: [a, c], at: [1.9, 0%s]}\n"
                   "  right: {type: fixed, bodies: [c, b], at: [2.1, 0%s]}\n  slide: {type: slot, bodies: [ground, b], at: [4, 0%s], axis: [1, 0%s]}\n",
                   z, dimension == 2 ? "" : ", axis: [0, 0, 1]", z, z, z, z);
    return open_lab(text, 1);
}

/* The part's own weight adds m g 4 m / 4 to the middle. Reactions are those of a step, exact up to the tolerance of velocities over h, and to what a double
 * can tell of 1/m + 1/M. */
TEST(a_coupling_passes_on_the_moment)
{
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int i = 0; i < RATIOS; i++) {
            lab l = open_beam(dimension, RATIO[i]);
            steps(&l, 200);
            const double m = RATIO[i] * HEAVY, within = 1e-3 * HEAVY * G;
            const talus_body_joint_state left = joint(&l, 1), right = joint(&l, 2), slide = joint(&l, 3);
            printf("%dD, ratio %g: moment %.9g, %.9g, error %.3g\n", dimension, RATIO[i], left.moment[2], right.moment[2], right.error);
            CHECK_NEAR(fabs(left.moment[2]), HEAVY * G + 0.95 * m * G, within);
            CHECK_NEAR(fabs(right.moment[2]), HEAVY * G + 0.95 * m * G, within);
            CHECK_NEAR(fabs(slide.force[1]), HEAVY * G + 0.5 * m * G, within);
            for (int k = 0; k < 4; k++) CHECK(joint(&l, k).error < 1e-6);
            close_lab(&l);
        }
}

/* A door of a ton on a light frame that hangs in two hinges, which say five rows twice: it turns as it began, the hinges share its weight, and its moment about
 * them, M g 0.8 m, is a pair of forces over the metre between them with the centripetal M ω² 0.8 m, half at each. Of hinges that contradict each other by more
 * than light parts bear who has the weight is open, and nothing else. */
TEST(a_light_frame_in_two_hinges)
{
    static const double TILT[] = {0, 1e-8};
    for (int i = 0; i < RATIOS; i++)
        for (int k = 0; k < 2; k++) {
            const double m = RATIO[i] * HEAVY, spin = 0.5, weight = (HEAVY + m) * G, pair = HEAVY * G * 0.8;
            char text[3000];
            snprintf(text, sizeof text,
                     "dimension: 3\ngravity: [0, 0, -9.81]\ntime: {end: 1000 s, step: 1 ms}\nbodies:\n  frame: {mass: %.17g, inertia_tensor: [%.17g, %.17g, "
                     "%.17g], spin: [0, 0, 0.5]}\n  door: {mass: 1000, inertia_tensor: [200, 200, 100], position: [0.8, 0, 0], spin: [0, 0, 0.5], velocity: "
                     "[0, 0.4, 0]}\njoints:\n  low: {type: revolute, bodies: [ground, frame], at: [0, 0, -0.5], axis: [0, 0, 1]}\n"
                     "  high: {type: revolute, bodies: [ground, frame], at: [0, 0, 0.5], axis: [%g, 0, 1]}\n"
                     "  weld: {type: fixed, bodies: [frame, door], at: [0.3, 0, 0]}\n",
                     m, 0.1 * m, 0.1 * m, 0.1 * m, TILT[k]);
            lab l = open_lab(text, 1);
            steps(&l, 300);
            const talus_body_joint_state low = joint(&l, 0), high = joint(&l, 1);
            const double a = low.position[0], in = HEAVY * spin * spin * 0.8 / 2, within = 2e-3 * HEAVY * G;
            printf("ratio %g, tilt %g: angle %.12g, forces %.9g, %.9g\n", RATIO[i], TILT[k], a, low.force[2], high.force[2]);
            CHECK_NEAR(a, spin * 0.3, 1e-5);
            CHECK_NEAR(high.position[0], spin * 0.3, 1e-5);
            CHECK_NEAR(low.force[2] + high.force[2], weight, 1e-4 * weight);
            if (TILT[k] == 0) CHECK_NEAR(low.force[2], 0.5 * weight, 1e-3 * weight);
            CHECK_NEAR(low.moment[0] * cos(a) + low.moment[1] * sin(a), 0, within);
            CHECK_NEAR(low.force[0] + high.force[0], -2 * in * cos(a - 0.5 * spin * 1e-3), within);
            CHECK_NEAR(0.5 * (high.force[0] - low.force[0]) + high.moment[1] + low.moment[1], -pair * cos(a), 1e-3 * pair);
            for (int d = 0; d < 3; d++) CHECK(fabs(low.force[d]) < pair + weight && fabs(low.moment[d]) < pair); /* they do not strain against each other */
            for (int j = 0; j < 3; j++) CHECK(joint(&l, j).error < 1e-5);
            close_lab(&l);
        }
}

/* A four-bar whose coupler is two halves on a light part between them, in the plane and in space, where its hinges say three rows twice: the same motion, and
 * the same moment in the light part, as of two halves that are joined to each other. */
static lab open_loop(int dimension, double ratio)
{
    static const double P[5][2] = {{0, 0}, {0, 0.4}, {0.55, 0.65}, {1.1, 0.9}, {1, 0}};
    const bool flat = dimension == 2;
    const char *z = flat ? "" : ", 0", *axis = flat ? "" : ", axis: [0, 0, 1]";
    char text[4000];
    size_t n = (size_t)head(text, sizeof text, dimension);
    for (int i = 0; i < 4; i++) {
        char name[10];
        snprintf(name, sizeof name, "b%d", i);
        n += (size_t)body(text + n, sizeof text - n, dimension, name, 100 * (i + 1), 0.5 * (P[i][0] + P[i + 1][0]), 0.5 * (P[i][1] + P[i + 1][1]));
    }
    if (ratio > 0) n += (size_t)body(text + n, sizeof text - n, dimension, "c", 100 * ratio, P[2][0], P[2][1]);
    n += (size_t)snprintf(text + n, sizeof text - n,
                          "joints:\n  p0: {type: revolute, bodies: [ground, b0], at: [0, 0%s]%s}\n  p1: {type: revolute, bodies: [b0, b1], at: [0, 0.4%s]%s}\n"
                          "  p2: {type: revolute, bodies: [b2, b3], at: [1.1, 0.9%s]%s}\n  p3: {type: revolute, bodies: [b3, ground], at: [1, 0%s]%s}\n"
                          "  left: {type: fixed, bodies: [b1, %s], at: [0.55, 0.65%s]}\n",
                          z, axis, z, axis, z, axis, z, axis, ratio > 0 ? "c" : "b2", z);
    if (ratio > 0) (void)snprintf(text + n, sizeof text - n, "  right: {type: fixed, bodies: [c, b2], at: [0.55, 0.65%s]}\n", z);
    return open_lab(text, 1);
}

TEST(a_loop_with_a_light_part)
{
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int i = 3; i < RATIOS; i++) {
            lab whole = open_loop(2, 0), light = open_loop(dimension, RATIO[i]);
            steps(&whole, 400), steps(&light, 400);
            const talus_body_joint_state one = joint(&whole, 4), left = joint(&light, 4), right = joint(&light, 5);
            printf("%dD, ratio %g: moment %.9g, %.9g of %.9g, angle %.9g of %.9g\n", dimension, RATIO[i], left.moment[2], right.moment[2], one.moment[2],
                   joint(&light, 0).position[0], joint(&whole, 0).position[0]);
            CHECK_NEAR(left.moment[2], one.moment[2], 2e-3 * 1000 * G);
            CHECK_NEAR(right.moment[2], one.moment[2], 2e-3 * 1000 * G);
            for (int k = 0; k < 2; k++) CHECK_NEAR(left.force[k], one.force[k], 2e-3 * 1000 * G);
            CHECK_NEAR(joint(&light, 0).position[0], joint(&whole, 0).position[0], 1e-5);
            CHECK(fabs(joint(&whole, 0).position[0]) > 0.1 && fabs(one.moment[2]) > 100); /* it has moved, and there is a moment */
            for (int k = 0; k < 6; k++) CHECK(joint(&light, k).error < 1e-5);
            close_lab(&whole), close_lab(&light);
        }
}

int main(int argc, char **argv)
{
    RUN(a_light_frame_in_two_hinges);
    RUN(a_loop_with_a_light_part);
    RUN(a_coupling_passes_on_the_moment);
    return TEST_RESULT;
}
