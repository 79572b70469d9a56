/* What joints pull with resists turning (theory §9.8): a taut string of two rods swings at √(3 T/(m L)) and its energy stays, by steps that resolve the swing
 * and by steps that do not: the frequency is that of the midpoint rule, tan(ω̃ h/2) = ω h/2, for any ω h. Without it such a string bursts beyond ω h = 2.
 * A blow knows nothing of it: under SPOOK, whose impacts are of their own, a ball leaves a taut string as it leaves a slack one. */
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

/* Two rods in line, pinned to each other and pulled apart by T, are struck by a ball at a distance d from the middle of the first. With an impulse P of the
 * ball the pin's across is R = P (1/m + L d/2J)/(2/m + L²/2J), the inverse mass that the ball meets w = ((P − R)/m + d (P d − R L/2)/J)/P, and P = (1 + e)
 * u/(1/m_b + w). The sum of all momenta, also of those about the origin, is what it was. */
static void check_blow(int dimension, double T)
{
    const double J = MASS * LENGTH * LENGTH / 12, e = 0.4, u = 3, ball = 0.2, d = 0.11, radius = 0.05;
    char text[3000], inertia[200];
    const bool flat = dimension == 2;
    const char *o = flat ? "" : ", 0";
    if (flat) snprintf(inertia, sizeof inertia, "inertia: %.17g", J);
    else snprintf(inertia, sizeof inertia, "centre_of_mass: [0, 0, 0], inertia_tensor: [%.17g, %.17g, %.17g]", 0.1 * J, J, J);
    const char *shape = flat ? "box: {size: [0.45, 0.02], material: m}" : "box: {size: [0.45, 0.02, 0.02], material: m}";
    (void)snprintf(text, sizeof text,
                   "dimension: %d\ngravity: [0, 0%s]\ntime: {end: 1000 s, step: %.17g s}\nintegrator: {scheme: spook}\n"
                   "solver: {tolerance: 1e-11 m/s, max_iterations: 10000}\n"
                   "materials: {m: {density: 1000 kg/m^3%s}}\ninteractions: [{between: [m, m], friction: 0, restitution: %.17g}]\nbodies:\n"
                   "  a: {mass: %.17g, %s, shapes: [{%s}]}\n  b: {mass: %.17g, %s, position: [%.17g, 0%s]}\n"
                   "  ball: {mass: %.17g, %s, position: [%.17g, %.17g%s], velocity: [0, %.17g%s], shapes: [{%s: {radius: %.17g, material: m}}]}\n"
                   "joints: {pin: {type: revolute, bodies: [a, b], at: [%.17g, 0%s]}}\n"
                   "loads: {left: {body: a, at: [%.17g, 0%s], x: %.17g N}, right: {body: b, at: [%.17g, 0%s], x: %.17g N}}\n",
                   dimension, o, H, flat ? ", thickness: 1 m" : "", e, MASS, inertia, shape, MASS, inertia, LENGTH, o, ball,
                   flat ? "inertia: 1e-3" : "inertia_tensor: [1e-3, 1e-3, 1e-3]", d, -radius - 0.01 - 3.3 * u * H, o, u, o, flat ? "disk" : "sphere", radius,
                   LENGTH / 2, o, -LENGTH / 2, o, -T, LENGTH / 2, o, T);
    lab l = open_lab(text, 1);
    static const char *const NAMES[] = {"a", "b", "ball"};
    const double masses[] = {MASS, MASS, ball}, inertias[] = {J, J, 1e-3};
    double x[3][3], v[3][3], w[3][3], q[4], y = 0, spin = 0, before = 0;
    const double origin[3] = {0, 0, 0};
    const talus_body_id id = talus_body_find(l.world, "ball");
    int steps = 0;
    for (v[2][1] = u; v[2][1] > u - 1e-9 && steps < 10; steps++) {
        talus_body_pose(l.world, id, x[2], q);
        (void)lab_step(&l);
        talus_body_velocity(l.world, id, origin, v[2], w[2]);
        before = u * ball * x[2][0];
    }
    CHECK(steps > 3); /* the pin has pulled by then */
    const double R = (1 / MASS + LENGTH * d / (2 * J)) / (2 / MASS + LENGTH * LENGTH / (2 * J)), met = (1 - R) / MASS + d * (d - R * LENGTH / 2) / J;
    CHECK_NEAR(ball * (u - v[2][1]), (1 + e) * u / (1 / ball + met), 1e-9);
    for (int i = 0; i < 3; i++) {
        const talus_body_id body = talus_body_find(l.world, NAMES[i]);
        talus_body_pose(l.world, body, x[i], q);
        talus_body_velocity(l.world, body, origin, v[i], w[i]);
        y += masses[i] * v[i][1], spin += masses[i] * (x[i][0] * v[i][1] - x[i][1] * v[i][0]) + inertias[i] * w[i][2];
    }
    CHECK_NEAR(y, ball * u, 1e-9);
    CHECK_NEAR(spin, before, 1e-9);
    close_lab(&l);
}

static const double PULL[] = {0, 1e2, 1e4, 1e6};

TEST(blow_in_the_plane)
{
    for (int k = 0; k < 4; k++) check_blow(2, PULL[k]);
}

TEST(blow_in_space)
{
    for (int k = 0; k < 4; k++) check_blow(3, PULL[k]);
}

/* Two bodies of 8 kg between the ground and a slide that 4 kN pull, at rest but for their weight: where they stand is at most a sag y = m g L/T lower. With
 * θ = ½ the energy stays, but for a part of what such a sag is worth, 2 m g y; with 1 it grows by several times that, and this is said once, by the name of a
 * joint. Where bodies hang alone, two of them from the ground, there is nothing to say. */
static double gained(int dimension, const char *theta, bool row, bool said)
{
    char text[2400];
    const bool flat = dimension == 2;
    const char *o = flat ? "0" : "0, 0", *axis = flat ? "" : ", axis: [0, 1, 0]", *J = flat ? "inertia: 0.01" : "inertia_tensor: [0.01, 0.01, 0.01]";
    int n = snprintf(text, sizeof text,
                     "dimension: %d\ngravity: [%s, -9.81]\ntime: {end: 100 s, step: 5 ms}\nintegrator: {theta: %s}\nbodies:\n"
                     "  a: {mass: 8, %s, position: [0.05, %s]}\n  b: {mass: 8, %s, position: [0.15, %s]}\n  c: {mass: 200, %s, position: [0.25, %s]}\n"
                     "joints:\n  p: {type: revolute, bodies: [ground, a], at: [0, %s]%s}\n",
                     dimension, flat ? "0" : "0, 0", theta, J, o, J, o, J, o, o, axis);
    if (row)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  q: {type: revolute, bodies: [a, b], at: [0.1, %s]%s}\n  r: {type: revolute, bodies: [b, c], at: [0.2, %s]%s}\n", o, axis, o, axis);
    else n += snprintf(text + n, sizeof text - (size_t)n, "  q: {type: revolute, bodies: [ground, b], at: [0.1, %s]%s}\n", o, axis);
    (void)snprintf(text + n, sizeof text - (size_t)n,
                   "  g: {type: prismatic, bodies: [ground, c], axis: [1, %s], at: [0.2, %s]}\nloads: {pull: {body: c, x: 4000 N}}\n"
                   "probes: {e: {energy: total}, x: {body: c, quantity: x}}\n",
                   o, o);
    lab l = open_lab(text, 1);
    const double before = lab_probe(&l, "e") - 4000 * lab_probe(&l, "x");
    lab_run(&l, row ? 3.5 : 0.05); /* later a chain that gains flies apart, sooner or later */
    const double more = lab_probe(&l, "e") - 4000 * lab_probe(&l, "x") - before;
    const char *words = strstr(talus_world_all_warnings(l.world), "joints hold free bodies in a row");
    CHECK(said == (words != NULL) && !(words && strstr(words + 1, "joints hold free bodies in a row")));
    close_lab(&l);
    return more;
}

TEST(theta_and_chains)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        const double weight = 8 * 9.81, sag = weight * 0.1 / 4000, worth = 2 * weight * sag;
        const double half = gained(dimension, "0.5", true, false), one = gained(dimension, "1", true, true);
        printf("%d: theta 1/2 gains %.3g J, theta 1 %.3g J, the sag is worth %.3g J\n", dimension, half, one, worth);
        CHECK(fabs(half) < 0.2 * worth);
        CHECK(one > 3 * worth);
        (void)gained(dimension, "1", false, false);
    }
}

int main(int argc, char **argv)
{
    RUN(plane);
    RUN(space);
    RUN(blow_in_the_plane);
    RUN(blow_in_space);
    RUN(theta_and_chains);
    return TEST_RESULT;
}
