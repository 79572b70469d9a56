/* Hydraulic circuits (talus/hydraulics.h): cylinders as springs of oil, at steps that resolve their swing and at such that do not; conservation of oil and energy. */
#include "lab.h"

#define PI 3.14159265358979323846

/* A mass on a horizontal cylinder: as the joint of a mechanism, as a joint between bodies, or between points of the ground and a free body on a guide. */
typedef enum seat { JOINT, GUIDE, POINTS } seat;

typedef struct ram {
    int dimension;
    seat seat;
    const char *scheme; /* keys at the top */
    double h, mass, x, v; /* position and velocity at the start */
    double gravity;       /* against the cylinder */
    const char *oil, *cylinder, *parts, *probes; /* keys, parts of the circuit */
} ram;

static lab open_ram(const ram *r)
{
    char text[6000];
    const bool space = r->dimension == 3;
    const char *zero = space ? ", 0" : "";
    int n = snprintf(text, sizeof text, "dimension: %d\ngravity: [%.17g, 0%s]\ntime: {end: 100 s, step: %.17g s}\n%s", r->dimension, -r->gravity, zero, r->h,
                     r->scheme ? r->scheme : "");
    if (r->seat == JOINT)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "mechanisms:\n  m:\n    bodies: {b: {mass: %.17g, inertia: 1}}\n    joints: {j: {type: prismatic, parent: ground, child: b, axis: [1, 0%s], "
                      "position: %.17g, velocity: %.17g}}\n",
                      r->mass, zero, r->x, r->v);
    else
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "bodies:\n  b: {kind: free, mass: %.17g, inertia: %s, position: [%.17g, 0%s], velocity: [%.17g, 0%s]}\n"
                      "joints:\n  guide: {type: prismatic, bodies: [ground, b], axis: [1, 0%s], at: [%.17g, 0%s]}\n",
                      r->mass, space ? "[1, 1, 1]" : "1", r->x, zero, r->v, zero, zero, r->x, zero);
    const char *on = r->seat == JOINT ? "joint: j" : r->seat == GUIDE ? "body_joint: guide.slide" : space ? "bodies: [ground, b], at: [[-1, 0, 0], [0, 0, 0]]" : "bodies: [ground, b], at: [[-1, 0], [0, 0]]";
    const double low = r->seat == JOINT ? 0 : r->seat == GUIDE ? -r->x : 1;
    n += snprintf(text + n, sizeof text - (size_t)n, "hydraulics:\n  c:\n    oil: {%s}\n    cylinders:\n      ram: {%s, stroke: [%.17g, %.17g], %s}\n%s", r->oil, on, low,
                  low + 0.5, r->cylinder, r->parts ? r->parts : "");
    (void)snprintf(text + n, sizeof text - (size_t)n,
                   "probes:\n  cap: {pressure: ram.cap}\n  rod: {pressure: ram.rod}\n  force: {cylinder: ram}\n  x: {cylinder: ram, quantity: position}\n"
                   "  v: {cylinder: ram, quantity: velocity}\n  resistance: {cylinder: ram, quantity: resistance}\n  oil: {oil: ram.cap}\n"
                   "  stored: {energy: oil}\n  damped: {energy: damped}\n  total: {energy: total}\n%s",
                   r->probes ? r->probes : "");
    return open_lab(text, 1);
}

static const double A = PI / 4 * 0.1 * 0.1, RING = PI / 4 * (0.1 * 0.1 - 0.06 * 0.06), BETA = 1.4e9;
#define CLOSED "bore: 100 mm, rod: 60 mm, dead_volume: 0.2 l, pressure: [3 MPa, 4.6875 MPa]"

/* Closed chambers are springs: k = β (A²/V_cap + A_ring²/V_rod), here between equal forces. A small swing about the middle is x = v/ω sin ω t; the error falls
 * fourfold with half the step, energy stays, and every seat gives the same. */
TEST(swing)
{
    const double m = 800, V1 = 2e-4 + A * 0.25, V2 = 2e-4 + RING * 0.25, p1 = 3e6, p2 = 4.6875e6, v = 0.01;
    /* dp = −β dV/V at the pressure p: V itself is v(p) B, so that the stiffness is as exact as the small swing */
    const double k = BETA * (A * A / V1 + RING * RING / V2), omega = sqrt(k / m), time = 0.6 * 2 * PI / omega;
    CHECK_NEAR(A * p1, RING * p2, 1e-9 * A * p1);
    for (int kind = 0; kind < 6; kind++) {
        double off[2];
        for (int half = 0; half < 2; half++) {
            const int steps = half ? 160 : 80;
            const ram r = {kind % 2 ? 3 : 2, (seat)(kind / 2), NULL, time / steps, m, 0.25, v, 0, "air: 0", CLOSED, NULL, NULL};
            lab l = open_ram(&r);
            const double x0 = lab_probe(&l, "x"), before = lab_probe(&l, "total");
            for (int i = 0; i < steps; i++) lab_step(&l);
            off[half] = fabs(lab_probe(&l, "x") - x0 - v / omega * sin(omega * steps * r.h));
            CHECK_NEAR(lab_probe(&l, "total") + lab_probe(&l, "damped"), before, 1e-6 * 0.5 * m * v * v);
            printf("kind %d: off %g of %g damped %g of %g\n", kind, off[half], v / omega, lab_probe(&l, "damped"), 0.5 * m * v * v);
            close_lab(&l);
        }
        CHECK(off[1] < 2e-3 * v / omega);
        CHECK(off[0] > 3 * off[1]);
    }
}

int main(int argc, char **argv)
{
    RUN(swing);
    return TEST_RESULT;
}
