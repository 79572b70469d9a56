/* Pumps and motors on shafts (talus/hydraulics.h): a hydrostatic transmission, in one mechanism and on joints between bodies. */
#include "lab.h"

static const double BETA = 1.4e9;

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

int main(int argc, char **argv)
{
    RUN(transmission);
    RUN(wheel);
    return TEST_RESULT;
}
