/* Hydraulic circuits (talus/hydraulics.h): cylinders as springs of oil, at steps that resolve their swing and at such that do not; conservation of oil and
 * energy. */
#include "lab.h"

#define PI 3.14159265358979323846

/* A mass on a horizontal cylinder: as the joint of a mechanism, as a joint between bodies, or between points of the ground and a free body on a guide. */
typedef enum seat { JOINT, GUIDE, POINTS } seat;

typedef struct ram {
    int dimension;
    seat seat;
    const char *scheme;                          /* keys at the top */
    double h, mass, x, v;                        /* position and velocity at the start */
    double gravity;                              /* against the cylinder */
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
        n += snprintf(
            text + n, sizeof text - (size_t)n,
            "mechanisms:\n  m:\n    bodies: {b: {mass: %.17g, inertia: 1}}\n    joints: {j: {type: prismatic, parent: ground, child: b, axis: [1, 0%s], "
            "position: %.17g, velocity: %.17g}}\n",
            r->mass, zero, r->x, r->v);
    else
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "bodies:\n  b: {kind: free, mass: %.17g, %s, position: [%.17g, 0%s], velocity: [%.17g, 0%s]}\n"
                      "joints:\n  guide: {type: prismatic, bodies: [ground, b], axis: [1, 0%s], at: [%.17g, 0%s]}\n",
                      r->mass, space ? "inertia_tensor: [1, 1, 1, 0, 0, 0]" : "inertia: 1", r->x, zero, r->v, zero, zero, r->x, zero);
    const char *on = r->seat == JOINT   ? "joint: j"
                     : r->seat == GUIDE ? "body_joint: guide.slide"
                     : space            ? "bodies: [ground, b], at: [[-1, 0, 0], [0, 0, 0]]"
                                        : "bodies: [ground, b], at: [[-1, 0], [0, 0]]";
    const double low = r->seat == JOINT ? 0 : r->seat == GUIDE ? -r->x : 1;
    n += snprintf(text + n, sizeof text - (size_t)n, "hydraulics:\n  c:\n    oil: {%s}\n    cylinders:\n      ram: {%s, stroke: [%.17g, %.17g], %s}\n%s",
                  r->oil, on, low, low + 0.5, r->cylinder, r->parts ? r->parts : "");
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
            close_lab(&l);
        }
        CHECK(off[1] < 2e-3 * v / omega);
        CHECK(off[0] > 3 * off[1]);
    }
}

/* SPOOK's velocities stand between positions, and a pressure that is the mean of a step's ends is then half a step late: of first order. */
TEST(swing_of_spook)
{
    const double m = 800, k = BETA * (A * A / (2e-4 + A * 0.25) + RING * RING / (2e-4 + RING * 0.25)), omega = sqrt(k / m), time = 0.6 * 2 * PI / omega,
                 v = 0.01;
    for (int kind = 0; kind < 2; kind++) {
        double off[2];
        for (int half = 0; half < 2; half++) {
            const int steps = half ? 800 : 400;
            lab l = open_ram(
                &(ram){kind ? 3 : 2, kind ? POINTS : JOINT, "integrator: {scheme: spook}\n", time / steps, m, 0.25, v, 0, "air: 0", CLOSED, NULL, NULL});
            const double x0 = lab_probe(&l, "x");
            for (int i = 0; i < steps; i++) lab_step(&l);
            off[half] = fabs(lab_probe(&l, "x") - x0 - v / omega * sin(omega * time));
            close_lab(&l);
        }
        CHECK(off[1] < 0.02 * v / omega);
        CHECK(off[0] > 1.8 * off[1]);
    }
}

/* Steps far longer than the swing: ω h = 3 to 300. A load that comes at once is carried at rest after a few steps: no ringing, the static deflection by the
 * exact law of the oil, p A − p' A' = F. */
TEST(stiff)
{
    for (int kind = 0; kind < 12; kind++) {
        const double m = kind / 6 ? 800 : 0.1, g = 2e4 / m, h = 0.01;
        const ram r = {kind % 2 ? 3 : 2, (seat)(kind / 2 % 3), NULL, h, m, 0.25, 0, g, "air: 0", CLOSED, NULL, NULL};
        lab l = open_ram(&r);
        const double x0 = lab_probe(&l, "x"), V1 = 2e-4 + A * 0.25, V2 = 2e-4 + RING * 0.25;
        double x = 0;
        for (int i = 0; i < 40; i++) { /* Newton on A p1 − A' p2 = m g */
            const double p1 = 3e6 - BETA * log1p(A * x / V1), p2 = 4.6875e6 - BETA * log1p(-RING * x / V2);
            x += (A * p1 - RING * p2 - m * g) / (BETA * (A * A / V1 + RING * RING / V2));
        }
        int turns = 0;
        double last = 0;
        for (int i = 0; i < 40; i++) {
            lab_step(&l);
            const double v = lab_probe(&l, "v");
            turns += i < 20 && v * last < 0;
            last = v;
            if (m < 1) CHECK_NEAR(lab_probe(&l, "force"), m * g, 2e-3 * m * g); /* from the first step on */
        }
        CHECK(turns <= 1);
        CHECK_NEAR(lab_probe(&l, "x") - x0, x, 1e-4 * fabs(x));
        CHECK_NEAR(lab_probe(&l, "force"), m * g, 1e-4 * m * g);
        CHECK_NEAR(last, 0, 1e-6);
        close_lab(&l);
    }
}

/* ---- flows to and from cylinders ---------------------------------------------------------------------------------------------------- */

static double volume_of(double p, double air, double n) { return (1 - air) * exp(-p / BETA) + air * pow(101325 / (101325 + p), 1 / n); }

static double head(double p) { return BETA * (1 - exp(-p / BETA)); }

/* A four-way valve from a line of 16 MPa: at a steady speed c √(H_s − H_1) = A v/v(p1), c √H_2 = A' v/v(p2), A p1 − A' p2 = F; in the other direction the
 * chambers change places. */
TEST(four_way)
{
    for (int kind = 0; kind < 4; kind++) {
        const bool out = kind % 2 == 0;
        const double c = 0.5 * 100e-3 / 60 / sqrt(head(1e6)), F = 2e4, S = head(16e6);
        char parts[1000];
        (void)snprintf(parts, sizeof parts,
                       "    lines: {s: {volume: 100000 m^3, pressure: 16 MPa}}\n    valves:\n      spool: {type: four_way, pressure: s, a: ram.cap, b: "
                       "ram.rod, tank: tank, "
                       "flow: 100 l/min, drop: 1 MPa, opening: \"%s\", laminar: 0.1 kPa}\n",
                       out ? "0.5" : "-0.5");
        lab l = open_ram(&(ram){kind / 2 ? 3 : 2, kind / 2 ? POINTS : JOINT, NULL, 0.005, 500, out ? 0.1 : 0.4, 0, F / 500, "air: 0", CLOSED, parts,
                                "  flow: {valve: spool}\n  power: {valve: spool, quantity: power}\n"});
        lab_run(&l, 0.6);
        double low = 0, high = 2, p1 = 0, p2 = 0; /* speed */
        for (int i = 0; i < 200; i++) {
            const double v = 0.5 * (low + high);
            for (int k = 0; k < 20; k++) {
                const double q1 = A * v / exp(-p1 / BETA) / c, q2 = RING * v / exp(-p2 / BETA) / c;
                p1 = -BETA * log1p(-(out ? S - q1 * q1 : q1 * q1) / BETA), p2 = -BETA * log1p(-(out ? q2 * q2 : S - q2 * q2) / BETA);
            }
            *((out ? A * p1 - RING * p2 > F : A * p1 - RING * p2 < F) ? &low : &high) = v;
        }
        CHECK_NEAR(lab_probe(&l, "v"), out ? low : -low, 1e-5 * low);
        CHECK_NEAR(lab_probe(&l, "cap"), p1, 1e-4 * 16e6);
        CHECK_NEAR(lab_probe(&l, "rod"), p2, 1e-4 * 16e6);
        CHECK_NEAR(lab_probe(&l, "flow"), (out ? A : RING) * low, 0.02 * A * low);
        close_lab(&l);
    }
}

/* A pump drives the piston against dry friction, at its flow over A, then onto its stop, where a relief valve takes the flow and the stop the force. */
TEST(end_stop)
{
    for (int kind = 0; kind < 6; kind++) {
        lab l = open_ram(&(ram){kind % 2 ? 3 : 2, (seat)(kind / 2), NULL, 0.01, 300, 0.2, 0, 0, "air: 0.002, exponent: 1",
                                "bore: 100 mm, dead_volume: 0.1 l, pressure: [0, 0], friction: 500 N, single_acting: true, restitution: 0.2",
                                "    pumps: {p: {to: ram.cap, flow: 30 l/min}}\n"
                                "    valves: {r: {type: relief, from: ram.cap, opens: 18 MPa, flow: 30 l/min, drop: 2 MPa}}\n",
                                NULL});
        const double start = lab_probe(&l, "x");
        lab_run(&l, 1);
        const double p = 500 / A, speed = 5e-4 * volume_of(p, 0.002, 1) / A;
        CHECK_NEAR(lab_probe(&l, "v"), speed, 1e-6 * speed);
        CHECK_NEAR(lab_probe(&l, "force"), 500, 1e-3);
        CHECK_NEAR(lab_probe(&l, "resistance"), -500, 1e-6);
        lab_run(&l, 8);
        const double all = kind / 2 == 1 ? 0.5 - 0.2 : kind / 2 == 2 ? 0.5 + 1 - 1.2 : 0.5 - 0.2; /* of the stroke */
        CHECK_NEAR(lab_probe(&l, "x") - start, all, 1e-3 * all);
        CHECK_NEAR(lab_probe(&l, "v"), 0, 1e-9);
        CHECK_NEAR(lab_probe(&l, "cap"), 20e6, 20e6 * (20e6 / BETA + 0.002));
        CHECK_NEAR(lab_probe(&l, "resistance"), -lab_probe(&l, "force"), 1e-6 * lab_probe(&l, "force"));
        close_lab(&l);
    }
}

/* Past the piston goes leakage × the difference of heads, until there is none; all oil stays, and energy goes nowhere else. */
TEST(leakage)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        lab l = open_ram(&(ram){dimension, JOINT, NULL, 1e-3, 800, 0.25, 0, 0, "bulk_modulus: 1 GPa, air: 0.01, exponent: 1.3",
                                "bore: 100 mm, rod: 60 mm, dead_volume: 0.2 l, pressure: [3 MPa, 3 MPa], leakage: 2 l/min/MPa", NULL,
                                "  flow: {valve: ram}\n  work: {valve: ram, quantity: work}\n  rest: {oil: ram.rod}\n"});
        const double before = lab_probe(&l, "total"), oil = lab_probe(&l, "oil") + lab_probe(&l, "rest");
        double damped = 0;
        for (int i = 0; i < 100; i++) {
            lab_step(&l);
            CHECK_NEAR(lab_probe(&l, "total") + lab_probe(&l, "damped") + lab_probe(&l, "work"), before, 1e-9 * before);
            CHECK_NEAR(lab_probe(&l, "oil") + lab_probe(&l, "rest"), oil, 1e-17);
            damped = fmax(damped, fabs(lab_probe(&l, "damped")));
        }
        CHECK(damped < 0.02 * before);
        CHECK_NEAR(lab_probe(&l, "flow"), 2e-3 / 60 / 1e6 * (lab_probe(&l, "cap") - lab_probe(&l, "rod")), 0.05 * 2e-3 / 60);
        close_lab(&l);
    }
}

/* Air in the oil: a pull of F takes the piston where v(p) B fills the chamber at p = −F/A; more than an atmosphere cannot hold takes it to its stop. */
TEST(air)
{
    for (int kind = 0; kind < 4; kind++) {
        const bool breaks = kind % 2;
        const double F = breaks ? 2000 : 400, V0 = 2e-4 + A * 0.2;
        lab l = open_ram(&(ram){kind / 2 ? 3 : 2, kind / 2 ? GUIDE : JOINT, NULL, 0.01, 0.1, 0.2, 0, -F / 0.1, "air: 0.01",
                                "bore: 100 mm, dead_volume: 0.2 l, single_acting: true, pressure: [0, 0]", NULL, NULL});
        const double x0 = lab_probe(&l, "x");
        lab_run(&l, 1);
        const double p = lab_probe(&l, "cap"), V = V0 + A * (lab_probe(&l, "x") - x0);
        CHECK(p > -101325);
        if (breaks) CHECK_NEAR(lab_probe(&l, "x") - x0, 0.3, 1e-3);
        else CHECK_NEAR(p, -F / A, 1e-4 * F / A);
        CHECK_NEAR(V / V0, volume_of(p, 0.01, 1.4), breaks ? 0.05 * V / V0 : 1e-6);
        close_lab(&l);
    }
}

/* All of it at once, in steps of 10 ms: a pump, a relief valve, an accumulator behind a check valve, and a spool that jumps between its ends while 2 t hang on
 * the rod. Every step is solved; oil stays, but for what the pump brings and the tank takes, and so does energy; no pressure leaves what relief and air allow.
 */
TEST(jumps)
{
    static const char *const VALVES[] = {"pump", "relief", "spool", "gate", "ram", "suck"};
    for (int kind = 0; kind < 4; kind++) {
        lab l = open_ram(&(ram){
            kind % 2 ? 3 : 2, kind / 2 ? GUIDE : JOINT, NULL, 0.01, 2000, 0.25, 0, 10, "", CLOSED ", leakage: 0.01 l/min/MPa",
            "    lines: {s: {volume: 0.5 l}, acc: {volume: 0.2 l, pressure: 5 MPa}}\n    accumulators: {b: {line: acc, volume: 1 l, precharge: 6 MPa}}\n"
            "    pumps: {pump: {to: s, flow: 60 l/min}}\n    valves:\n"
            "      relief: {type: relief, from: s, opens: 20 MPa, flow: 60 l/min, drop: 1 MPa}\n"
            "      gate: {type: check, from: s, to: acc, opens: 0.2 MPa, flow: 60 l/min, drop: 0.2 MPa}\n"
            "      suck: {type: check, from: tank, to: ram.rod, flow: 60 l/min, drop: 0.02 MPa}\n"
            "      spool: {type: four_way, pressure: s, a: ram.cap, b: ram.rod, flow: 60 l/min, drop: 0.5 MPa, opening: \"sign(sin(2*pi*t/(0.5 s)))\"}\n",
            "  s: {pressure: s}\n  acc: {pressure: acc}\n"});
        const double before = lab_probe(&l, "total");
        double given = 0;
        int missed = 0;
        for (int i = 0; i < 250; i++) { /* before it has sunk to its stop */
            talus_step_report report;
            CHECK_OK(talus_world_step(l.world, &report), talus_world_error(l.world));
            missed += !report.converged;
            double work = 0;
            for (size_t k = 0; k < sizeof VALVES / sizeof *VALVES; k++) {
                talus_component_state c;
                CHECK(talus_component_read(l.world, VALVES[k], &c));
                work += c.work;
                if (k == 0) given = -c.work;
            }
            CHECK_NEAR(lab_probe(&l, "total") + lab_probe(&l, "damped") + work, before, 1e-6 * (given + before));
            CHECK(lab_probe(&l, "cap") > -101325 && lab_probe(&l, "rod") > -101325 && lab_probe(&l, "s") < 30e6);
        }
        CHECK(missed == 0);
        CHECK(lab_probe(&l, "damped") > -1e-3 * given);
        close_lab(&l);
    }
}

/* A spool that follows a path by a probe of the position: at the speed w its opening is w/K, K the speed at the opening 1 without load, and it lags by that
 * over the gain, less half a step by which the path is ahead of the probe. A pump that looks at a pressure gives what leaves there. */
TEST(servo)
{
    const double h = 2e-3, w = 0.05, c = 100e-3 / 60 / sqrt(head(1e6)), S = head(10e6);
    double low = 0, high = 3;
    for (int i = 0; i < 200; i++) {
        const double v = 0.5 * (low + high);
        double p1 = 0, p2 = 0;
        for (int k = 0; k < 20; k++) {
            const double q1 = A * v / exp(-p1 / BETA) / c, q2 = RING * v / exp(-p2 / BETA) / c;
            p1 = -BETA * log1p(-(S - q1 * q1) / BETA), p2 = -BETA * log1p(-q2 * q2 / BETA);
        }
        *(A * p1 > RING * p2 ? &low : &high) = v;
    }
    for (int kind = 0; kind < 4; kind++) {
        const double start = kind / 2 ? 0 : 0.1;
        char parts[1500];
        (void)snprintf(parts, sizeof parts,
                       "    lines: {s: {volume: 100000 m^3, pressure: 10 MPa}, t: {volume: 1 l, pressure: 5 MPa}}\n"
                       "    pumps: {k: {to: t, flow: \"1 l/min*(8 MPa - probe.t)/(1 MPa)\"}}\n"
                       "    valves:\n      spool: {type: four_way, pressure: s, a: ram.cap, b: ram.rod, flow: 100 l/min, drop: 1 MPa, laminar: 0.1 Pa, "
                       "opening: \"clamp(10*(0.05*t/(1 s) + %.17g - probe.x/(1 m)), -1, 1)\"}\n"
                       "      gap: {type: laminar, from: t, flow: 1 l/min, drop: 8 MPa}\n",
                       start);
        lab l = open_ram(&(ram){kind % 2 ? 3 : 2, kind / 2 ? GUIDE : JOINT, NULL, h, 50, 0.1, 0, 0, "air: 0", CLOSED, parts, "  t: {pressure: t}\n"});
        lab_run(&l, 3);
        CHECK_NEAR(lab_probe(&l, "v"), w, 1e-4 * w);
        CHECK_NEAR(lab_probe(&l, "x"), start + w * 3 - (w / low / 10 - 0.5 * h * w), 0.02 * w / low / 10);
        CHECK_NEAR(lab_probe(&l, "t") / 1e6 + head(lab_probe(&l, "t")) / head(8e6), 8, 1e-6);
        close_lab(&l);
    }
}

/* A piston whose path is imposed: pressures are those of its volumes, whatever they are. */
TEST(driven)
{
    for (int space = 0; space < 2; space++) {
        const char *zero = space ? ", 0" : "";
        char text[2000];
        (void)snprintf(text, sizeof text,
                       "dimension: %d\ngravity: [0, 0%s]\ntime: {end: 1 s, step: 1 ms}\nmechanisms:\n  m:\n    bodies: {b: {mass: 1, inertia: 1}}\n"
                       "    joints: {j: {type: prismatic, parent: ground, child: b, axis: [1, 0%s]}}\n"
                       "    drives: {d: {joint: j, position: \"0.25 m - 1 mm*(1 - cos(20*t/(1 s)))\"}}\n"
                       "hydraulics:\n  c:\n    oil: {air: 0.01}\n    cylinders: {ram: {joint: j, stroke: [0, 0.5], " CLOSED "}}\n"
                       "probes:\n  cap: {pressure: ram.cap}\n  rod: {pressure: ram.rod}\n",
                       space ? 3 : 2, zero, zero);
        lab l = open_lab(text, 1);
        for (int i = 0; i < 300; i++) {
            lab_step(&l);
            const double x = -1e-3 * (1 - cos(20 * talus_world_time(l.world))), V1 = 2e-4 + A * 0.25, V2 = 2e-4 + RING * 0.25;
            const double v1 = volume_of(lab_probe(&l, "cap"), 0.01, 1.4) / volume_of(3e6, 0.01, 1.4),
                         v2 = volume_of(lab_probe(&l, "rod"), 0.01, 1.4) / volume_of(4.6875e6, 0.01, 1.4);
            CHECK_NEAR(v1, 1 + A * x / V1, 1e-3 * 2e-3 * A / V1);
            CHECK_NEAR(v2, 1 - RING * x / V2, 1e-3 * 2e-3 * RING / V2);
        }
        close_lab(&l);
    }
}

/* ---- with contacts ------------------------------------------------------------------------------------------------------------------ */

/* A ball strikes the body on the rod: the pressure rises in that very step, and the momentum that both lose is h (A p − A' p') of its end, for the first step
 * is taken as one that does not resolve the swing. */
TEST(blow)
{
    for (int kind = 0; kind < 4; kind++) {
        const bool space = kind % 2, points = kind / 2;
        const char *zero = space ? ", 0" : "", *shape = space ? "sphere" : "disk", *inertia = space ? "inertia_tensor: [1, 1, 1, 0, 0, 0]" : "inertia: 1";
        const char *at = space ? "[[-1, 0, 0], [0, 0, 0]]" : "[[-1, 0], [0, 0]]";
        char text[3000], on[200];
        if (points) (void)snprintf(on, sizeof on, "bodies: [ground, b], at: %s, stroke: [1, 1.5]", at);
        else (void)snprintf(on, sizeof on, "body_joint: guide.slide, stroke: [-0.25, 0.25]");
        (void)snprintf(text, sizeof text,
                       "dimension: %d\ngravity: [0, 0%s]\ntime: {end: 1 s, step: 2 ms}\nmaterials: {steel: {density: 7800}}\n"
                       "bodies:\n  b: {kind: free, mass: 50, %s, position: [0.25, 0%s], shapes: [{%s: {radius: 0.05, material: steel}}]}\n"
                       "  ball: {kind: free, mass: 20, %s, position: [0.35, 0%s], velocity: [-5, 0%s], shapes: [{%s: {radius: 0.05, material: steel}}]}\n"
                       "joints:\n  guide: {type: prismatic, bodies: [ground, b], axis: [1, 0%s], at: [0.25, 0%s]}\n"
                       "hydraulics:\n  c:\n    cylinders: {ram: {%s, " CLOSED "}}\n"
                       "probes:\n  cap: {pressure: ram.cap}\n  rod: {pressure: ram.rod}\n  v: {body: b, quantity: vx}\n  u: {body: ball, quantity: vx}\n",
                       space ? 3 : 2, zero, inertia, zero, shape, inertia, zero, zero, shape, zero, zero, on);
        lab l = open_lab(text, 1);
        lab_step(&l);
        const double v = lab_probe(&l, "v"), u = lab_probe(&l, "u"), p1 = lab_probe(&l, "cap"), p2 = lab_probe(&l, "rod");
        CHECK_NEAR(u, v, 1e-3);
        CHECK(v < -0.05 && p1 > 2 * 3e6 && p2 < 4.6875e6);
        CHECK_NEAR(50 * v + 20 * (u + 5), 2e-3 * (A * p1 - RING * p2), 1e-9 * 100);
        close_lab(&l);
    }
}

/* A foot of 50 kg that oil presses on soil of finite elements: at rest the soil carries its weight and A p, whatever holds the foot. */
TEST(soil)
{
    for (int kind = 0; kind < 4; kind++) {
        const bool space = kind % 2, link = kind / 2;
        const char *mid = space ? "0, " : "", *shape = space ? "box: {size: [0.25, 0.25, 0.25], material: m}" : "box: {size: [0.25, 0.25], material: m}";
        char text[3000], foot[1200];
        if (link)
            (void)snprintf(foot, sizeof foot,
                           "mechanisms:\n  m:\n    bodies: {foot: {mass: 50, inertia: 1, shapes: [{%s}]}}\n"
                           "    joints: {j: {type: prismatic, parent: ground, child: foot, axis: [0, %s-1], at: [0, %s0.2], position: 0.05}}\n",
                           shape, mid, mid);
        else
            (void)snprintf(foot, sizeof foot,
                           "bodies:\n  foot: {kind: free, mass: 50, %s, position: [0, %s0.15], shapes: [{%s}]}\n"
                           "joints:\n  guide: {type: prismatic, bodies: [ground, foot], axis: [0, %s-1], at: [0, %s0.15]}\n",
                           space ? "inertia_tensor: [1, 1, 1, 0, 0, 0]" : "inertia: 1", mid, shape, mid, mid);
        (void)snprintf(
            text, sizeof text,
            "dimension: %d\ngravity: [0, %s-9.81]\ntime: {end: 9 s, step: 5 ms}\nmaterials: {m: {density: 2700}}\n"
            "interactions: [{between: [m, m], friction: 0.5}]\nsolids:\n  soil:\n    box: {size: [1.2, %s0.4], elements: [6, %s2]}\n"
            "    material: {density: 2000, young: 20 MPa, poisson: 0.3}\n    damping: {ratio: 7 %%, frequencies: [20 Hz, 100 Hz]}\n    start: settled\n"
            "    fixed: [bottom]\n    contact: {surface: top, as: antagonist, material: m}\n%s"
            "hydraulics:\n  c:\n    lines: {s: {volume: 100 m^3, pressure: 5 MPa}}\n"
            "    cylinders: {ram: {%s, bore: 50 mm, dead_volume: 0.1 l, single_acting: true}}\n"
            "    valves: {o: {type: orifice, from: s, to: ram.cap, flow: 20 l/min, drop: 1 MPa}}\n"
            "probes:\n  p: {pressure: ram.cap}\n  f: {cylinder: ram}\n  n: {contact_force: foot, quantity: %s}\n",
            space ? 3 : 2, mid, space ? "0.6, " : "", space ? "3, " : "", foot,
            link ? "joint: j, stroke: [0, 0.5]" : "body_joint: guide.slide, stroke: [0, 0.5]", space ? "z" : "y");
        lab l = open_lab(text, 1);
        int missed = 0;
        while (talus_world_time(l.world) < 1.5) {
            talus_step_report report;
            CHECK_OK(talus_world_step(l.world, &report), talus_world_error(l.world));
            missed += !report.converged;
        }
        CHECK(missed == 0);
        CHECK_NEAR(lab_probe(&l, "n"), PI / 4 * 0.05 * 0.05 * lab_probe(&l, "p") + 50 * 9.81, 1e-4 * 10307);
        close_lab(&l);
    }
}

/* ---- schemes, restart, mistakes ------------------------------------------------------------------------------------------------------ */

static talus_scene *load_ram(const char *scheme, const char *cylinder, const char *parts)
{
    char text[3000];
    (void)snprintf(
        text, sizeof text,
        "gravity: [-9, 0]\ntime: {end: 1 s, step: 5 ms}\n%sbodies:\n  s: {kind: fixed}\nmechanisms:\n  m:\n    bodies: {b: {mass: 100, inertia: 1}, w: {mass: "
        "1, inertia: 1}}\n"
        "    joints:\n      j: {type: prismatic, parent: ground, child: b, axis: [1, 0], position: 0.2}\n      r: {type: revolute, parent: ground, child: w}\n"
        "hydraulics:\n  c:\n    lines: {a: {volume: 1 l}}\n    cylinders: {ram: {%s}}\n%s",
        scheme, cylinder, parts);
    return load_lab(text);
}

#define GOOD "joint: j, stroke: [0, 0.5], bore: 0.1 m, dead_volume: 0.1 l"

static void refuse(const char *scheme, const char *cylinder, const char *parts, const char *what)
{
    talus_scene *scene = load_ram(scheme, cylinder, parts);
    talus_world *w = NULL;
    if (talus_scene_mistake_count(scene) == 0) (void)!talus_scene_build(scene, 1, &w);
    CHECK(!w && talus_scene_mistake_count(scene) > 0);
    if (talus_scene_mistake_count(scene) > 0 && !strstr(talus_scene_mistake(scene, 0), what))
        TEST_FAIL("%s %s: %s", cylinder, parts, talus_scene_mistake(scene, 0));
    talus_world_destroy(w);
    talus_scene_destroy(scene);
}

TEST(mistakes)
{
    refuse("integrator: {scheme: generalized_alpha}\n", GOOD, "", "knows no hydraulics");
    refuse("", "stroke: [0, 0.5], bore: 0.1 m, dead_volume: 0.1 l", "", "a joint, a body_joint or two bodies");
    refuse("", "joint: j, bodies: [s, b], stroke: [0, 0.5], bore: 0.1 m, dead_volume: 0.1 l", "", "one of these only");
    refuse("", "bodies: [s, b], stroke: [0, 0.5], bore: 0.1 m, dead_volume: 0.1 l", "", "is positive");
    refuse("", "joint: r, stroke: [0, 0.5], bore: 0.1 m, dead_volume: 0.1 l", "", "is a length");
    refuse("", "joint: j, stroke: [0.3, 0.5], bore: 0.1 m, dead_volume: 0.1 l", "", "beyond its stroke");
    refuse("", "joint: j, stroke: [0.5, 0.3], bore: 0.1 m, dead_volume: 0.1 l", "", "below the second");
    refuse("", "joint: j, stroke: [0.5], bore: 0.1 m, dead_volume: 0.1 l", "", "both ends");
    refuse("", "joint: j, stroke: [0, 0.5], bore: 0.1 m, rod: 0.1 m, dead_volume: 0.1 l", "", "thinner than the bore");
    refuse("", GOOD ", pressure: [-2 bar, 0]", "", "cannot be below");
    refuse("", GOOD, "    valves: {v: {type: orifice, from: ram.cup, flow: 1 l/min, drop: 1 MPa}}\n", "no line or chamber 'ram.cup'");
    refuse("", GOOD, "    valves: {v: {type: orifice, to: a, flow: 1 l/min, drop: 1 MPa}}\n", "takes oil from");
    refuse("", GOOD, "    valves: {v: {type: orifice, from: a, to: a, flow: 1 l/min, drop: 1 MPa}}\n", "at one place");
    refuse("", GOOD, "    valves: {v: {type: four_way, pressure: a, a: ram.cap, flow: 1 l/min, drop: 1 MPa}}\n", "pressure, a and b");
    refuse("", GOOD, "    valves: {v: {type: relief, from: a, a: ram.cap, flow: 1 l/min, drop: 1 MPa}}\n", "from and to");
    refuse("", GOOD, "    valves: {v: {type: orifice, from: a, opens: 1 MPa, flow: 1 l/min, drop: 1 MPa}}\n", "have an opening");
    refuse("", GOOD, "    valves: {v: {type: relief, from: a, laminar: 1 kPa, flow: 1 l/min, drop: 1 MPa}}\n", "only orifices");
    refuse("", GOOD, "    valves: {ram: {type: orifice, from: a, flow: 1 l/min, drop: 1 MPa}}\n", "two things");
    refuse("", GOOD, "    valves: {v: {type: orifice, from: a, flow: 1 l, drop: 1 MPa}}\n", "m^3/s");
    refuse("", GOOD, "    accumulators: {x: {line: b, volume: 1 l, precharge: 1 MPa}}\n", "at a line of its circuit");
    refuse("", GOOD, "    accumulators: {x: {line: a, volume: 1 l, precharge: 1 MPa}, y: {line: a, volume: 1 l, precharge: 1 MPa}}\n", "already");
    refuse("", GOOD, "    motors: {x: {joint: r, from: ram.cap, to: tank, displacement: 1 cm^3/rad}}\n", "between lines");
    refuse("", GOOD, "    motors: {x: {joint: r, from: a, to: a, displacement: 1 cm^3/rad}}\n", "from a line to itself");
    refuse("", GOOD, "    motors: {x: {from: a, to: tank, displacement: 1 cm^3/rad}}\n", "no shaft");
    refuse("", GOOD, "  d:\n    lines: {z: {volume: 1 l}}\n    pumps: {p: {from: a, to: z, flow: 1 l/min}}\n", "of another circuit");
    refuse("", GOOD, "    pumps: {p: {to: a, flow: \"1 l/min*probe.b\"}}\n", "no probe 'b'");
    refuse("", GOOD, "    pumps: {p: {to: a, flow: \"1 l*t\"}}\n", "m^3/s");
    refuse("", GOOD, "    oil: {air: 0.7}\n", "between 0 and 0.5");
    refuse("", GOOD, "probes: {p: {pressure: ram.cup}}\n", "no line or chamber");
    refuse("", GOOD, "probes: {p: {valve: v}}\n", "no valve");
}

/* SPOOK carries the same load at rest, and the state of half a run goes on in another world to the same bits. */
TEST(schemes)
{
    for (int kind = 0; kind < 4; kind++) {
        const char *scheme = kind % 2 ? "integrator: {scheme: spook}\n" : "integrator: {scheme: moreau}\n";
        const ram r = {kind / 2 ? 3 : 2,
                       kind / 2 ? POINTS : JOINT,
                       scheme,
                       0.01,
                       800,
                       0.25,
                       0,
                       25,
                       "air: 0.004",
                       CLOSED ", friction: 10 N",
                       "    lines: {a: {volume: 1 l, pressure: 1 MPa}}\n    valves: {o: {type: orifice, from: ram.cap, to: a, flow: 0.1 l/min, drop: 1 MPa, "
                       "opening: \"step(t - 0.5 s)\"}}\n",
                       NULL};
        lab l = open_ram(&r), again = open_ram(&r);
        talus_field fields[64];
        void *data[64];
        lab_run(&l, 0.4);
        CHECK_NEAR(lab_probe(&l, "force") + lab_probe(&l, "resistance"), 800 * 25, 1e-3 * 800 * 25);
        const int count = talus_state_count(l.world);
        CHECK(count <= 64);
        for (int i = 0; i < count; i++) {
            talus_state_field(l.world, i, &fields[i]);
            const size_t bytes = fields[i].rows * fields[i].columns * (fields[i].type == TALUS_FIELD_INT32 ? 4 : 8);
            data[i] = malloc(bytes + 1);
            if (!data[i]) exit(1);
            if (bytes > 0) memcpy(data[i], fields[i].data, bytes);
            fields[i].data = data[i];
        }
        CHECK_OK(talus_state_restore(again.world, fields, count), talus_world_error(again.world));
        lab_run(&l, 0.8);
        lab_run(&again, 0.8);
        CHECK(talus_world_hash(l.world) == talus_world_hash(again.world));
        CHECK(lab_probe(&l, "cap") == lab_probe(&again, "cap") && lab_probe(&l, "damped") == lab_probe(&again, "damped"));
        for (int i = 0; i < count; i++) free(data[i]);
        close_lab(&l);
        close_lab(&again);
    }
}

/* What no machine stands is said: a pump whose way is shut, and a bore in m for mm. */
TEST(no_machine_stands_it)
{
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int relief = 0; relief < 2; relief++) {
            char text[1500];
            snprintf(text, sizeof text,
                     "dimension: %d\ntime: {end: 1 s, step: 1 ms}\n"
                     "mechanisms: {m: {bodies: {b: {mass: 1}}, joints: {j: {type: prismatic, parent: ground, child: b, axis: [0, 1%s]}}}}\n"
                     "hydraulics:\n  c:\n    lines: {p: {volume: 1 l}}\n    pumps: {pump: {from: tank, to: p, flow: 60 l/min}}\n%s"
                     "    cylinders: {ram: {joint: j, bore: %s, stroke: [-0.2, 0.2], dead_volume: 1 l}}\n",
                     dimension, dimension == 3 ? ", 0" : "",
                     relief ? "    valves: {r: {type: relief, from: p, opens: 20 MPa, flow: 60 l/min, drop: 1 MPa}}\n" : "", relief ? "50 mm" : "50");
            lab l = open_lab(text, 1);
            lab_run(&l, 0.2);
            const char *said = talus_world_all_warnings(l.world);
            CHECK((strstr(said, "the pressure in 'p' is 1") != NULL) == !relief &&
                  (strstr(said, "has a bore of 50 m; is that meant in mm?") != NULL) == !relief);
            close_lab(&l);
        }
}

int main(int argc, char **argv)
{
    RUN(no_machine_stands_it);
    RUN(swing);
    RUN(swing_of_spook);
    RUN(stiff);
    RUN(four_way);
    RUN(end_stop);
    RUN(leakage);
    RUN(air);
    RUN(jumps);
    RUN(servo);
    RUN(driven);
    RUN(blow);
    RUN(soil);
    RUN(mistakes);
    RUN(schemes);
    return TEST_RESULT;
}
