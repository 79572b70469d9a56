/* Machines with hydraulics (talus/hydraulics.h): a hydrostatic transmission, in one mechanism and on joints between bodies; a cylinder that lifts an arm. */
#include "lab.h"

static const double BETA = 1.4e9, A = 3.14159265358979323846 / 4 * 0.1 * 0.1;

static double head(double p) { return BETA * (1 - exp(-p / BETA)); }

/* A pump of 10 cm³/rad, driven at 100 rad/s, its share as given, and a motor of 20 cm³/rad that lifts 100 N m: the motor turns with what the gaps of both
 * leave, the drop is 100 N m/D, the power that comes in is that which goes out and is lost; no oil is lost. */
static void transmit(int dimension, const char *share, double part)
{
    char text[3000];
    (void)snprintf(
        text, sizeof text,
        "dimension: %d\ngravity: %s\ntime: {end: 20 s, step: 2 ms}\nmechanisms:\n  m:\n    bodies: {a: {mass: 1, inertia: 0.1}, b: {mass: 1, inertia: 0.5}}\n"
        "    joints:\n      p: {type: revolute, parent: ground, child: a}\n      q: {type: revolute, parent: ground, child: b}\n"
        "    drives: {d: {joint: p, speed: 100 rad/s}}\n    forces: {load: {joint: q, constant: -100 N m}}\n"
        "hydraulics:\n  c:\n    oil: {air: 0}\n    lines: {high: {volume: 1 l, pressure: 5 MPa}, low: {volume: 2 l, pressure: 5 MPa}}\n"
        "    motors:\n      pump: {joint: p, from: low, to: high, displacement: 10 cm^3/rad, share: \"%s\", leakage: 0.5 l/min/MPa}\n"
        "      motor: {joint: q, from: high, to: low, displacement: 20 cm^3/rad, leakage: 0.5 l/min/MPa}\n"
        "probes:\n  high: {pressure: high}\n  low: {pressure: low}\n  w: {motor: motor, quantity: velocity}\n  in: {motor: pump}\n  out: {motor: motor}\n"
        "  flow: {motor: pump, quantity: flow}\n  lost: {valve: motor, quantity: power}\n  a: {oil: high}\n  b: {oil: low}\n",
        dimension, dimension == 2 ? "[0, 0]" : "[0, 0, 0]", share);
    lab l = open_lab(text, 1);
    const double oil = lab_probe(&l, "a") + lab_probe(&l, "b"), G = 0.5e-3 / 60 / 1e6, drop = 100 / 20e-6;
    lab_run(&l, 8);
    const double w = (part * 1e-5 * 100 - 2 * G * drop) / 2e-5;
    CHECK_NEAR(head(lab_probe(&l, "high")) - head(lab_probe(&l, "low")), drop, 1e-6 * drop);
    CHECK_NEAR(lab_probe(&l, "w"), w, 1e-6 * w);
    CHECK_NEAR(lab_probe(&l, "out"), 100, 1e-4);
    CHECK_NEAR(lab_probe(&l, "flow"), part * 1e-3, 1e-12);
    CHECK_NEAR(-lab_probe(&l, "in") * 100, 100 * w + 2 * lab_probe(&l, "lost"), 1e-6 * 100 * w);
    CHECK_NEAR(lab_probe(&l, "a") + lab_probe(&l, "b"), oil, 1e-12 * oil);
    close_lab(&l);
}

TEST(transmission)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        transmit(dimension, "1", 1);
        transmit(dimension, "0.6 + 0.4*exp(-t/(0.1 s))", 0.6);
    }
}

/* A wheel on a hinge between bodies, from a line that is as good as endless: ω = D H t/J, and what it has taken from the line is D times its angle. */
TEST(wheel)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        const bool space = dimension == 3;
        char text[2000];
        (void)snprintf(text, sizeof text,
                       "dimension: %d\ngravity: %s\ntime: {end: 20 s, step: 5 ms}\nbodies:\n  wheel: {kind: free, mass: 3, %s}\n"
                       "joints:\n  hinge: {type: revolute, bodies: [ground, wheel]}\n"
                       "hydraulics:\n  c:\n    oil: {air: 0}\n    lines: {s: {volume: 1000000 m^3, pressure: 5 MPa}}\n"
                       "    motors: {m: {body_joint: hinge.angle, from: s, to: tank, displacement: 20 cm^3/rad}}\n"
                       "probes: {w: {motor: m, quantity: velocity}, oil: {oil: s}, angle: {body: wheel, quantity: %s}, kinetic: {energy: kinetic}, stored: "
                       "{energy: oil}, damped: {energy: damped}, turned: {body_joint: hinge.angle}}\n",
                       dimension, space ? "[0, 0, 0]" : "[0, 0]", space ? "inertia_tensor: [2, 2, 2, 0, 0, 0]" : "inertia: 2", space ? "wz" : "angle");
        lab l = open_lab(text, 1);
        const double oil = lab_probe(&l, "oil"), stored = lab_probe(&l, "stored");
        lab_run(&l, 2);
        CHECK_NEAR(lab_probe(&l, "w"), 2e-5 * head(5e6) * 2 / 2, 1e-5 * 100);
        CHECK_NEAR(oil - lab_probe(&l, "oil"), 2e-5 * lab_probe(&l, "turned"), 2e-5 * 0.5 * 5e-3 * 100);
        CHECK_NEAR(lab_probe(&l, "kinetic") + lab_probe(&l, "stored") + lab_probe(&l, "damped"), stored, 1e-12 * stored);
        CHECK(fabs(lab_probe(&l, "damped")) < 0.01 * lab_probe(&l, "kinetic"));
        close_lab(&l);
    }
}

/* ---- between points ------------------------------------------------------------------------------------------------------------------- */

/* An arm of 200 kg on a hinge, its middle 1.5 m out, on a cylinder from (0.3, −1) m to 0.8 m out on the arm: a link of a mechanism, or a free body. */
static lab open_crane(int dimension, bool link, double h, double pressure)
{
    const bool space = dimension == 3;
    const char *zero = space ? ", 0" : "", *inertia = space ? "inertia_tensor: [50, 50, 50, 0, 0, 0]" : "inertia: 50";
    char text[3000], arm[1000];
    if (link)
        (void)snprintf(arm, sizeof arm,
                       "mechanisms:\n  m:\n    bodies: {arm: {mass: 200, inertia: 50}}\n    joints: {j: {type: revolute, parent: ground, child: arm, child_at: "
                       "[-1.5, 0%s]}}\n",
                       zero);
    else
        (void)snprintf(arm, sizeof arm,
                       "bodies:\n  arm: {kind: free, mass: 200, %s, position: [1.5, 0%s]}\njoints:\n  j: {type: revolute, bodies: [ground, arm]}\n", inertia,
                       zero);
    (void)snprintf(
        text, sizeof text,
        "dimension: %d\ngravity: [0, -9.81%s]\ntime: {end: 20 s, step: %.17g s}\n%shydraulics:\n  c:\n    oil: {air: 0}\n    cylinders:\n"
        "      lift: {bodies: [ground, arm], at: [[0.3, -1%s], [-0.7, 0%s]], stroke: [1, 1.6], bore: 0.1 m, single_acting: true, dead_volume: 0.2 l, "
        "pressure: [%.17g, 0]}\nprobes:\n  x: {body: arm, quantity: x}\n  y: {body: arm, quantity: y}\n  p: {pressure: lift.cap}\n  total: {energy: total}\n"
        "  damped: {energy: damped}\n  length: {cylinder: lift, quantity: position}\n",
        dimension, zero, h, arm, zero, zero, pressure);
    return open_lab(text, 1);
}

/* What turns the arm at an angle: the closed chamber's p A dL/da less the weight's moment; L. */
static double turns(double a, double pressure, double *length)
{
    const double px = 0.8 * cos(a) - 0.3, py = 0.8 * sin(a) + 1, L = sqrt(px * px + py * py), slope = (-px * 0.8 * sin(a) + py * 0.8 * cos(a)) / L;
    const double V0 = 2e-4 + A * (sqrt(1.25) - 1), V = 2e-4 + A * (L - 1);
    *length = L;
    return A * (pressure - BETA * log(V / V0)) * slope - 200 * 9.81 * 1.5 * cos(a);
}

/* Steps that do not resolve its swing: it sinks to where the moments of oil and weight are equal. */
TEST(crane)
{
    for (int kind = 0; kind < 4; kind++) {
        lab l = open_crane(kind % 2 ? 3 : 2, kind / 2, 0.02, 1e5);
        double low = -0.2, high = 0.2, L = 0;
        for (int i = 0; i < 100; i++) *(turns(0.5 * (low + high), 1e5, &L) > 0 ? &low : &high) = 0.5 * (low + high);
        lab_run(&l, 4);
        CHECK_NEAR(atan2(lab_probe(&l, "y"), lab_probe(&l, "x")), low, 1e-8);
        CHECK_NEAR(lab_probe(&l, "length"), L, 1e-8);
        close_lab(&l);
    }
}

/* Resolved, the swing is that of the differential equation, here by Runge and Kutta; link and free body come together as the square of the step, and so does
 * the energy. */
TEST(crane_swing)
{
    const double time = 0.02, start = 2e5;
    double a = 0, w = 0, most = 0, L;
    for (int i = 0; i < 2000; i++) {
        const double h = time / 2000, k1 = turns(a, start, &L) / 500, k2 = turns(a + 0.5 * h * w, start, &L) / 500;
        const double k3 = turns(a + 0.5 * h * (w + 0.5 * h * k1), start, &L) / 500, k4 = turns(a + h * (w + 0.5 * h * k2), start, &L) / 500;
        a += h * (w + h * (k1 + k2 + k3) / 6), w += h * (k1 + 2 * k2 + 2 * k3 + k4) / 6;
        most = fmax(most, fabs(a));
    }
    for (int kind = 0; kind < 4; kind++) {
        double off[2], lost[2];
        for (int half = 0; half < 2; half++) {
            lab l = open_crane(kind % 2 ? 3 : 2, kind / 2, half ? 1e-4 : 2e-4, start);
            const double before = lab_probe(&l, "total");
            lab_run(&l, time);
            off[half] = fabs(atan2(lab_probe(&l, "y"), lab_probe(&l, "x")) - a);
            lost[half] = fabs(lab_probe(&l, "total") + lab_probe(&l, "damped") - before);
            close_lab(&l);
        }
        CHECK(off[1] < 1e-3 * most);
        CHECK(off[0] > 3 * off[1]);
        CHECK(lost[1] < 1e-3 * 0.5 * 500 * w * w + 1e-9);
    }
}

/* A cylinder across a four-bar: crank from (0, 0) to (0, 0.5), rocker from (1, 0) to (0.8, 0.7), a rod without mass between their ends, and the cylinder from
 * the crank's pivot to the end of the rocker. The rod keeps its length, 0.8 × 0.5 ω_c = (0.8 × 0.7 + 0.2 × 0.2) ω_r, so that ω_c = 1.5 ω_r; the rocker has the
 * effective inertia J_r + 1.5² J_c and the cylinder the lever 0.7/L. Closed chambers between equal forces make it swing with ω² = k (0.7/L)²/J. As a mechanism
 * with a loop, and of bodies between which all is constraints. */
TEST(four_bar)
{
    const double J = 5 + 60 * (0.01 + 0.1225) + 1.5 * 1.5 * (2 + 40 * 0.0625), L = sqrt(0.8 * 0.8 + 0.7 * 0.7), lever = (0.8 * 0.7 + 0.7 * 0.2) / L;
    const double RING = A - 3.14159265358979323846 / 4 * 0.06 * 0.06, V1 = 2e-4 + A * 0.25, V2 = 2e-4 + RING * 0.25, w = 0.01;
    const double omega = sqrt(BETA * (A * A / V1 + RING * RING / V2) * lever * lever / J), time = 0.6 * 2 * 3.14159265358979323846 / omega;
    for (int kind = 0; kind < 4; kind++) {
        const bool space = kind % 2, loop = kind / 2;
        const char *zero = space ? ", 0" : "", *spin = space ? "spin: [0, 0, " : "angular_velocity: ", *end = space ? "]" : "";
        char bars[2000], text[4000];
        double off[2];
        if (loop)
            (void)snprintf(bars, sizeof bars,
                           "mechanisms:\n  m:\n    bodies: {crank: {mass: 40, inertia: 2}, rocker: {mass: 60, inertia: 5}}\n    joints:\n"
                           "      a: {type: revolute, parent: ground, child: crank, child_at: [0, -0.25%s], velocity: 0.015}\n"
                           "      d: {type: revolute, parent: ground, child: rocker, at: [1, 0%s], child_at: [0.1, -0.35%s], velocity: 0.01}\n"
                           "    loops: {rod: {type: rod, bodies: [crank, rocker], at: [[0, 0.25%s], [-0.1, 0.35%s]], length: %.17g}}\n",
                           zero, zero, zero, zero, zero, sqrt(0.68));
        else
            (void)snprintf(bars, sizeof bars,
                           "bodies:\n  crank: {kind: free, mass: 40, %s, position: [0, 0.25%s], velocity: [-0.00375, 0%s], %s0.015%s}\n"
                           "  rocker: {kind: free, mass: 60, %s, position: [0.9, 0.35%s], velocity: [-0.0035, -0.001%s], %s0.01%s}\n"
                           "joints:\n  a: {type: revolute, bodies: [ground, crank]}\n  d: {type: revolute, bodies: [ground, rocker], at: [1, 0%s]}\n"
                           "  rod: {type: distance, bodies: [crank, rocker], at: [0, 0.5%s], to: [0.8, 0.7%s]}\n",
                           space ? "inertia_tensor: [2, 2, 2, 0, 0, 0]" : "inertia: 2", zero, zero, spin, end,
                           space ? "inertia_tensor: [5, 5, 5, 0, 0, 0]" : "inertia: 5", zero, zero, spin, end, zero, zero, zero);
        for (int half = 0; half < 2; half++) {
            const int steps = half ? 160 : 80;
            (void)snprintf(text, sizeof text,
                           "dimension: %d\ngravity: [0, 0%s]\ntime: {end: 20 s, step: %.17g s}\n%shydraulics:\n  c:\n    oil: {air: 0}\n    cylinders:\n"
                           "      ram: {bodies: [ground, rocker], at: [[0, 0%s], [-0.1, 0.35%s]], stroke: [%.17g, %.17g], bore: 0.1 m, rod: 60 mm, "
                           "dead_volume: 0.2 l, pressure: [3 MPa, 4.6875 MPa]}\n"
                           "probes:\n  x: {cylinder: ram, quantity: position}\n  total: {energy: total}\n  damped: {energy: damped}\n",
                           space ? 3 : 2, zero, time / steps, bars, zero, zero, L - 0.25, L + 0.25);
            lab l = open_lab(text, 1);
            const double before = lab_probe(&l, "total");
            for (int i = 0; i < steps; i++) lab_step(&l);
            off[half] = fabs(lab_probe(&l, "x") - L + lever * w / omega * sin(omega * time));
            CHECK_NEAR(lab_probe(&l, "total") + lab_probe(&l, "damped"), before, 1e-6 * 0.5 * J * w * w);
            close_lab(&l);
        }
        CHECK(off[1] < 2e-3 * lever * w / omega);
        CHECK(off[0] > 3 * off[1]);
    }
}

int main(int argc, char **argv)
{
    RUN(transmission);
    RUN(wheel);
    RUN(crane);
    RUN(crane_swing);
    RUN(four_bar);
    return TEST_RESULT;
}
