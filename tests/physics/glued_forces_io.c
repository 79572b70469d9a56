/* Forces that act in the joints of a mechanism whose link carries a deformable solid, glued to it: what drives, friction, stops, couplings and loops say is
 * what the motion of link and solid together follows from. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab.h"

/* A stiff rod of 1 m by 10 cm, its near end 20 cm from the axle of a link. */
static const double LINK = 0.1; /* [kg m²] */
static double inertia_of(int dimension)
{
    const double mass = dimension == 2 ? 100 : 10;
    return LINK + mass * ((1 + 0.01) / 12 + 0.49);
}

static lab open_rod(int dimension, const char *mechanism, const char *probes)
{
    char text[4096];
    const bool plane = dimension == 2;
    snprintf(text, sizeof text,
             "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nmechanisms:\n  m:\n    bodies: {c: {mass: 1 kg, inertia: %s}}\n"
             "    joints: {c: {type: revolute, parent: ground, child: c%s}}\n%s"
             "solids:\n  s:\n    box: {size: [1, 0.1%s], elements: [10, 2%s], at: [0.7, 0%s]}\n    rotations: large\n"
             "    material: {density: 1000, young: 1 GPa, poisson: 0}\n    damping: {stiffness: 2 ms}\n"
             "joints: {g: {type: fixed, bodies: [s, c], group: left}}\nprobes:\n  w: {joint: c, quantity: velocity}\n%s",
             dimension, plane ? "0.1" : "[0.1, 0.1, 0.1]", plane ? "" : ", axis: [0, 0, 1]", mechanism, plane ? "" : ", 0.1", plane ? "" : ", 1",
             plane ? "" : ", 0", probes);
    return open_lab(text, 1);
}

/* The mean moment in the joint is what it turns link and solid with. The drive has to follow a ramp, without a limit and with one that it does not reach, or
 * has a limit that it cannot hold; friction slides or sticks; a stop presses. Of the whole of a moment M, F of friction and the stop's, `net` is what turns. */
static void joint_force(int dimension)
{
    static const struct {
        const char *of;
        double net; /* [N m]; 0: it stays; NaN: what the ramp of 5 rad/s² asks for */
    } CASE[] = {
        {"drives: {d: {joint: c, speed: \"5 rad/s^2*t\"}}", (double)NAN},   {"drives: {d: {joint: c, speed: \"5 rad/s^2*t\", force: 1e6 N m}}", (double)NAN},
        {"drives: {d: {joint: c, speed: 100 rad/s, force: 10 N m}}", 10},   {"forces: {f: {joint: c, constant: 10 N m, friction: 4 N m}}", 6},
        {"forces: {f: {joint: c, constant: 10 N m, friction: 14 N m}}", 0}, {"forces: {f: {joint: c, constant: 10 N m, high: 0 rad}}", 0},
    };
    const double inertia = inertia_of(dimension);
    for (size_t i = 0; i < sizeof CASE / sizeof *CASE; i++) {
        char mechanism[512];
        snprintf(mechanism, sizeof mechanism, "    %s\n", CASE[i].of);
        lab l = open_rod(dimension, mechanism, "  f: {joint: c, quantity: force, over: 0.4 s}\n");
        (void)lab_run(&l, 0.4);
        const double net = isnan(CASE[i].net) ? 5 * inertia : CASE[i].net, turned = inertia * lab_probe(&l, "w") / 0.4, force = lab_probe(&l, "f");
        if (!(fabs(turned - net) < 0.02 * net + 0.05)) TEST_FAIL("%d, %s: turns by %g of %g N m", dimension, CASE[i].of, turned, net);
        if (!(fabs(force - net) < 0.02 * net + 0.05)) TEST_FAIL("%d, %s: says %g of %g N m", dimension, CASE[i].of, force, net);
        close_lab(&l);
    }
}
TEST(joints)
{
    for (int dimension = 2; dimension <= 3; dimension++) joint_force(dimension);
}

/* A shaft of 50 kg m² drives the link: by a clutch that slips with 10 N m; by gears, twice as fast as the link, from which λ = I α/2 of the link with α =
 * 2 M/(I + 4 I_k). */
static void driven(int dimension)
{
    const double inertia = inertia_of(dimension), shaft = 50, gears = inertia * 2 * 10 / (inertia + 4 * shaft) / 2;
    lab l = open_rod(dimension, "    shafts: {k: {inertia: 50, speed: 10 rad/s}}\n    couplings: {cl: {joints: [k, c], friction: 10 N m}}\n",
                     "  f: {coupling: cl, quantity: force, over: 0.4 s}\n");
    (void)lab_run(&l, 0.4);
    CHECK_CLOSE(inertia * lab_probe(&l, "w") / 0.4, 10.0, 0.02);
    CHECK_CLOSE(fabs(lab_probe(&l, "f")), 10.0, 1e-6);
    close_lab(&l);
    l = open_rod(dimension,
                 "    shafts: {k: {inertia: 50}}\n    loops: {gears: {type: gear, joints: [k, c], ratio: 2}}\n    forces: {f: {joint: k, constant: 10 N m}}\n",
                 "  f: {loop: gears, over: 0.4 s}\n  k: {joint: k, quantity: velocity}\n");
    (void)lab_run(&l, 0.4);
    CHECK_CLOSE(shaft * lab_probe(&l, "k") / 0.4, 10 - gears, 0.02);
    CHECK_CLOSE(fabs(lab_probe(&l, "f")), gears, 0.02);
    close_lab(&l);
}
TEST(couplings_and_loops)
{
    for (int dimension = 2; dimension <= 3; dimension++) driven(dimension);
}

int main(int argc, char **argv)
{
    RUN(joints);
    RUN(couplings_and_loops);
    return TEST_RESULT;
}
