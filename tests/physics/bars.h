/* A planar four-bar by trigonometry and by its own differential-algebraic equations, and the same one as a mechanism. */
#ifndef TALUS_TEST_BARS_H
#define TALUS_TEST_BARS_H

#include "physics/planar.h"

enum { RUNS = 4, BARS = 3 };

static const talus_body_id GROUND = {0};

typedef struct shape {
    double length[BARS], ground;
    double mass[BARS], inertia[BARS], centre[BARS][2]; /* centre of mass in the bar's axes */
} shape;

/* Grashof: the crank turns. */
static const shape CRANK_ROCKER = {
    .length = {0.3, 0.9, 0.6}, .ground = 1, .mass = {0.8, 1.5, 1.1}, .inertia = {0.01, 0.08, 0.03}, .centre = {{0.1, 0.02}, {0.5, -0.1}, {0.25, 0.05}}};
/* Shortest + longest > the rest: no bar turns, so each angle has dead points, where it cannot be the independent one. */
static const shape ALL_ROCK = {
    .length = {0.7, 0.75, 0.8}, .ground = 1.1, .mass = {1, 1, 1}, .inertia = {0.05, 0.05, 0.05}, .centre = {{0.35, 0}, {0.375, 0}, {0.4, 0}}};

/* ---- the reference ---- */

/* Angles of the coupler and the rocker from the crank's, with the joint between them left of the line from crank pin to (D, 0). */
static inline void close_bars(const shape *s, double angle[BARS])
{
    const double px = s->length[0] * cos(angle[0]), py = s->length[0] * sin(angle[0]), e = hypot(s->ground - px, py);
    const double along = atan2(-py, s->ground - px), b = s->length[1], c = s->length[2];
    const double inner = acos((b * b + e * e - c * c) / (2 * b * e));
    angle[1] = along + inner;
    angle[2] = atan2(py + b * sin(angle[1]), px + b * cos(angle[1]) - s->ground);
}

/* dβ/dα and dψ/dα: the velocity of the common point along the other bar's normal vanishes. */
static inline void ratios(const shape *s, const double q[BARS], double out[BARS])
{
    out[0] = 1;
    out[1] = -s->length[0] * sin(q[2] - q[0]) / (s->length[1] * sin(q[2] - q[1]));
    out[2] = s->length[0] * sin(q[1] - q[0]) / (s->length[2] * sin(q[1] - q[2]));
}

static inline double inertia_at(const shape *s, int bar)
{
    const double *c = s->centre[bar];
    return s->inertia[bar] + s->mass[bar] * (c[0] * c[0] + c[1] * c[1]);
}

/* Lever of the weight: d(height of the centre of mass)/d(angle) for a bar turned by q about its origin. */
static inline double lever(const shape *s, int bar, double q) { return s->centre[bar][0] * cos(q) - s->centre[bar][1] * sin(q); }

/* −∂V/∂angle. */
static inline void weights(const shape *s, double gravity, const double q[BARS], double f[BARS])
{
    for (int i = 0; i < BARS; i++) f[i] = -gravity * s->mass[i] * lever(s, i, q[i]);
    f[0] -= gravity * s->mass[1] * s->length[0] * cos(q[0]);
}

/* The coupling m2 L1 |c2| cos(α − β − δ) of crank and coupler, and its sine. */
static inline void coupling(const shape *s, const double q[BARS], double *c, double *sn)
{
    const double phi = q[0] - q[1], k = s->mass[1] * s->length[0];
    *c = k * (s->centre[1][0] * cos(phi) + s->centre[1][1] * sin(phi));
    *sn = k * (s->centre[1][0] * sin(phi) - s->centre[1][1] * cos(phi));
}

static inline double total_energy(const shape *s, double gravity, const double q[BARS], const double v[BARS])
{
    double c, sn, e = 0;
    coupling(s, q, &c, &sn);
    for (int i = 0; i < BARS; i++) {
        e += 0.5 * inertia_at(s, i) * v[i] * v[i];
        e += gravity * s->mass[i] * (s->centre[i][0] * sin(q[i]) + s->centre[i][1] * cos(q[i]));
    }
    return e + 0.5 * s->mass[1] * s->length[0] * s->length[0] * v[0] * v[0] + c * v[0] * v[1] + gravity * s->mass[1] * s->length[0] * sin(q[0]);
}

/* a x = b for n ≤ 5, with row pivoting. */
static inline void solve(int n, double a[5][6])
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k; i < n; i++)
            if (fabs(a[i][k]) > fabs(a[best][k])) best = i;
        for (int j = 0; j <= n; j++) {
            const double t = a[k][j];
            a[k][j] = a[best][j], a[best][j] = t;
        }
        for (int i = 0; i < n; i++) {
            if (i == k) continue;
            const double m = a[i][k] / a[k][k];
            for (int j = k; j <= n; j++) a[i][j] -= m * a[k][j];
        }
    }
    for (int i = 0; i < n; i++) a[i][n] /= a[i][i];
}

/* M a = f + Gᵀ λ, G a = −G' v: accelerations, and the force λ of the rocker on the coupler. y = angles, rates. */
static inline void bars_derivative(const shape *s, double gravity, const double y[6], double dy[6], double lambda[2])
{
    const double *q = y, *v = y + 3, sign[BARS] = {1, 1, -1};
    double a[5][6] = {{0}}, f[BARS], c, sn;
    weights(s, gravity, q, f);
    coupling(s, q, &c, &sn);
    for (int i = 0; i < BARS; i++) a[i][i] = inertia_at(s, i);
    a[0][0] += s->mass[1] * s->length[0] * s->length[0];
    a[0][1] = a[1][0] = c;
    a[0][5] = f[0] - sn * v[1] * v[1];
    a[1][5] = f[1] + sn * v[0] * v[0];
    a[2][5] = f[2];
    for (int i = 0; i < BARS; i++) {
        const double l = sign[i] * s->length[i], x = l * cos(q[i]), z = l * sin(q[i]);
        a[3][i] = -z, a[4][i] = x;
        a[i][3] = z, a[i][4] = -x;
        a[3][5] += x * v[i] * v[i];
        a[4][5] += z * v[i] * v[i];
    }
    solve(5, a);
    for (int i = 0; i < BARS; i++) dy[i] = v[i], dy[3 + i] = a[i][5];
    lambda[0] = a[3][5], lambda[1] = a[4][5];
}

static inline void reference(const shape *s, double gravity, double y[6], double t, int n, double lambda[2])
{
    const double h = t / n;
    double k[4][6], u[6];
    for (int step_number = 0; step_number < n; step_number++) {
        bars_derivative(s, gravity, y, k[0], lambda);
        for (int stage = 1; stage < 4; stage++) {
            for (int i = 0; i < 6; i++) u[i] = y[i] + h * (stage == 3 ? 1 : 0.5) * k[stage - 1][i];
            bars_derivative(s, gravity, u, k[stage], lambda);
        }
        for (int i = 0; i < 6; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
    bars_derivative(s, gravity, y, k[0], lambda);
}

/* ---- words ---- */

typedef struct machine {
    talus_world *w;
    talus_mechanism_id m;
    talus_body_id bar[BARS];
    talus_joint_id joint[BARS];
    talus_loop_id loop;
} machine;

static inline talus_body_id bar(talus_world *w, talus_mechanism_id m, double mass, double inertia, double cx, double cy)
{
    talus_link_def d = talus_link_def_default();
    talus_body_id id = {0};
    d.mass = mass;
    d.inertia[2] = inertia;
    d.centre_of_mass[0] = cx, d.centre_of_mass[1] = cy;
    CHECK_OK(talus_link_create(w, m, &d, &id), talus_world_error(w));
    return id;
}

static inline talus_joint_id pin(talus_world *w, talus_body_id parent, double x, talus_body_id child, double angle, double rate)
{
    talus_joint_def d = talus_joint_def_default();
    talus_joint_id id = {0};
    d.parent = parent, d.child = child;
    d.parent_point[0] = x;
    d.position[0] = angle;
    d.velocity[0] = rate;
    CHECK_OK(talus_joint_create(w, &d, &id), talus_world_error(w));
    return id;
}

static inline talus_loop_id close_loop(talus_world *w, talus_mechanism_id m, const talus_loop_def *d)
{
    talus_loop_id id = {0};
    CHECK_OK(talus_loop_create(w, m, d, &id), talus_world_error(w));
    return id;
}

static inline talus_loop_def point_loop(const char *name, talus_body_id a, double xa, talus_body_id b, double xb)
{
    talus_loop_def d = talus_loop_def_default();
    d.name = name;
    d.body_a = a, d.body_b = b;
    d.point_a[0] = xa, d.point_b[0] = xb;
    return d;
}

/* The bars at consistent angles (the dependent ones off by `guess`) and rates for a crank at `angle` turning at `rate`; no loop yet. */
static inline machine place(const shape *s, double h, double gravity, double angle, double rate, double guess)
{
    machine b = {0};
    talus_world_def d = lab(h);
    d.gravity[1] = -gravity;
    b.w = open_world(&d);
    CHECK_OK(talus_mechanism_create(b.w, "four-bar", &b.m), talus_world_error(b.w));
    double q[BARS] = {angle}, r[BARS];
    close_bars(s, q);
    ratios(s, q, r);
    for (int i = 0; i < BARS; i++) b.bar[i] = bar(b.w, b.m, s->mass[i], s->inertia[i], s->centre[i][0], s->centre[i][1]);
    b.joint[0] = pin(b.w, GROUND, 0, b.bar[0], angle, rate);
    b.joint[1] = pin(b.w, b.bar[0], s->length[0], b.bar[1], q[1] - q[0] + guess, (r[1] - 1) * rate);
    b.joint[2] = pin(b.w, GROUND, s->ground, b.bar[2], q[2] - guess, r[2] * rate);
    return b;
}

static inline machine four_bar(const shape *s, double h, double gravity, double angle, double rate)
{
    machine b = place(s, h, gravity, angle, rate, 0);
    const talus_loop_def d = point_loop("closure", b.bar[1], s->length[1], b.bar[2], s->length[2]);
    b.loop = close_loop(b.w, b.m, &d);
    return b;
}

static inline void start_state(const shape *s, double angle, double rate, double y[6])
{
    double r[BARS];
    y[0] = angle;
    close_bars(s, y);
    ratios(s, y, r);
    for (int i = 0; i < BARS; i++) y[3 + i] = r[i] * rate;
}

/* Absolute angles and rates. */
static inline void read_state(const machine *b, double y[6])
{
    for (int i = 0; i < BARS; i++) {
        y[i] = talus_joint_position(b->w, b->joint[i], 0);
        y[3 + i] = talus_joint_velocity(b->w, b->joint[i], 0);
    }
    y[1] += y[0];
    y[4] += y[3];
}

static inline double distance(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

static inline double energy(const talus_world *w)
{
    double kinetic, potential;
    talus_world_energy(w, &kinetic, &potential);
    return kinetic + potential;
}

static inline void check_order(const char *what, const double error[RUNS], double order, double slack, double last)
{
    for (int i = 1; i < RUNS; i++) {
        const double found = log2(error[i - 1] / error[i]);
        if (!(fabs(found - order) <= slack))
            TEST_FAIL("%s: order %.3f, expected %g ± %g (errors %.3g, %.3g)", what, found, order, slack, error[i - 1], error[i]);
    }
    if (!(error[RUNS - 1] <= last)) TEST_FAIL("%s: error %.3g > %.3g at the smallest step", what, error[RUNS - 1], last);
}

static inline void steady(void *user, double t, double out[3])
{
    (void)t;
    out[0] = *(const double *)user;
    out[1] = out[2] = 0;
}

static inline void drive_speed(talus_world *w, talus_joint_id j, double *speed_)
{
    talus_drive_def d = talus_drive_def_default();
    d.speed = (talus_motion){steady, speed_};
    CHECK_OK(talus_joint_drive(w, j, &d), talus_world_error(w));
}

#endif
