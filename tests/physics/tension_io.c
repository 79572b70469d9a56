/* What joints pull with resists turning (theory §9.8): a taut string of two rods swings at √(3 T/(m L)) and its energy stays, by steps that resolve the swing
 * and by steps that do not: the frequency is that of the midpoint rule, tan(ω̃ h/2) = ω h/2, for any ω h. Without it such a string bursts beyond ω h = 2. */
#include "lab.h"

static const double H = 0.01, MASS = 1, LENGTH = 0.5;

typedef struct string {
    int dimension;
    const char *pin, *axis;
    double swing; /* ω h */
} string;

static double tension(const string *s) { return s->swing * s->swing / (H * H) * MASS * LENGTH / 3; }

/* Struck in the middle, across, in the step from 0.05 s on. In space it swings in a plane askew where pins let it. */
static lab open_string(const string *s)
{
    char text[3000], inertia[200], strike[200];
    const bool flat = s->dimension == 2, ball = strcmp(s->pin, "spherical") == 0;
    const double J = MASS * LENGTH * LENGTH / 12, blow = 1e-4 * MASS * LENGTH / (H * H) * s->swing;
    const char *o = flat ? "0" : "0, 0", *pulse = "step(t - 0.05 s)*step(0.06 s - t)";
    if (flat) snprintf(inertia, sizeof inertia, "inertia: %.17g", J);
    else snprintf(inertia, sizeof inertia, "centre_of_mass: [0, 0, 0], inertia_tensor: [%.17g, %.17g, %.17g]", 0.1 * J, J, J);
    if (flat) snprintf(strike, sizeof strike, "y: \"%.17g N*%s\"", blow, pulse);
    else snprintf(strike, sizeof strike, "y: \"%.17g N*%s\", z: \"%.17g N*%s\"", ball ? 0.6 * blow : 0, pulse, ball ? 0.8 * blow : blow, pulse);
    int n = snprintf(text, sizeof text,
                     "dimension: %d\ngravity: [0, %s]\ntime: {end: 1000 s, step: %.17g s}\nsolver: {tolerance: 1e-11 m/s}\nbodies:\n"
                     "  a: {mass: %.17g, %s, position: [%.17g, %s]}\n"
                     "  b: {mass: %.17g, %s, position: [%.17g, %s]}\n"
                     "  end: {mass: 0.1, %s, position: [%.17g, %s]}\njoints:\n",
                     s->dimension, o, H, MASS, inertia, 0.5 * LENGTH, o, MASS, inertia, 1.5 * LENGTH, o, inertia, 2 * LENGTH, o);
    const char *const between[] = {"ground, a", "a, b", "b, end"};
    for (int k = 0; k < 3; k++)
        n += snprintf(text + n, sizeof text - (size_t)n, "  p%d: {type: %s, bodies: [%s], at: [%.17g, %s]%s}\n", k, s->pin, between[k], k * LENGTH, o, s->axis);
    (void)snprintf(text + n, sizeof text - (size_t)n,
                   "  guide: {type: prismatic, bodies: [ground, end], at: [%.17g, %s], axis: [1, %s]}\nloads:\n"
                   "  pull: {body: end, x: %.17g}\n  strike: {body: a, at: [%.17g, %s], %s}\nprobes: {z: {body: a, quantity: %s}}\n",
                   2 * LENGTH, o, o, tension(s), LENGTH / 2, o, strike, flat ? "y" : "z");
    return open_lab(text, 1);
}

/* Of z_{n+1} + z_{n−1} = 2 c z_n, which a swing obeys, c by least squares, and z_n² − 2c z_n z_{n+1} + z_{n+1}², which it keeps. */
static void watch(lab *l, int steps, double *c, double *kept)
{
    double before = 0, now = 0, product = 0, square = 0;
    for (int i = 0; i < steps; i++) {
        (void)lab_step(l);
        const double next = lab_probe(l, "z");
        if (i >= 2) product += now * (before + next), square += 2 * now * now;
        before = now, now = next;
    }
    *c = product / square;
    *kept = before * before - 2 * *c * before * now + now * now;
}

static void check_string(const string *s)
{
    lab l = open_string(s);
    double c, first, last;
    lab_run(&l, 0.0605);
    watch(&l, 400, &c, &first);
    CHECK_NEAR(acos(c), 2 * atan(s->swing / 2), 2e-4 * s->swing);
    watch(&l, 1600, &c, &first);
    watch(&l, 1600, &c, &last);
    CHECK_NEAR(last / first, 1, 0.02);
    close_lab(&l);
}

static const double SWING[] = {0.3, 1.5, 3, 8};

TEST(plane)
{
    for (int k = 0; k < 4; k++) check_string(&(string){2, "revolute", "", SWING[k]});
}

TEST(space)
{
    for (int k = 0; k < 4; k++) check_string(&(string){3, "revolute", ", axis: [0, 1, 0]", SWING[k]});
    for (int k = 0; k < 4; k++) check_string(&(string){3, "spherical", "", SWING[k]});
}

int main(int argc, char **argv)
{
    RUN(plane);
    RUN(space);
    return TEST_RESULT;
}
