/* Mechanisms in maximal coordinates (`coordinates: maximal`): the same machine as in relative ones, written out as bodies and joints. Two formulations of one
 * motion, integrated by different equations: what probes read of them comes together with the step, by the order of the scheme. */
#include <math.h>

#include "lab.h"

enum { MOST = 16 };

/* A scene with room for the coordinates, the step and an integrator; and what is read of it. */
typedef struct machine {
    const char *text; /* %s: coordinates; then %s: what there is besides */
    const char *probe[MOST];
    double time;
} machine;

static lab open_machine(const machine *m, bool maximal, double h, const char *more)
{
    char text[8000], step[120];
    (void)snprintf(step, sizeof step, "time: {end: 100 s, step: %.17g s}\nsolver: {tolerance: 1e-10 m/s}\n", h);
    int n = snprintf(text, sizeof text, "%s%s", step, more);
    n += snprintf(text + n, sizeof text - (size_t)n, m->text, maximal ? "maximal" : "relative"); /* NOLINT: texts of this file */
    CHECK(n < (int)sizeof text);
    return open_lab(text, 1);
}

/* Values of all probes at the end. */
static int values(const machine *m, bool maximal, double h, const char *more, double *out)
{
    lab l = open_machine(m, maximal, h, more);
    int n = 0;
    CHECK(talus_joint_count(l.world) == 0 || !maximal);
    lab_run(&l, m->time);
    for (; n < MOST && m->probe[n]; n++) out[n] = lab_probe(&l, m->probe[n]);
    close_lab(&l);
    return n;
}

/* Reactions are means of a step of what holds, which the two formulations put at different places of it: they come together by the first order. */
static bool is_reaction(const char *probe) { return probe[0] == 'f'; }

/* The largest difference of what is read, each by the scale of its values; of motions, and of reactions. */
static double differ(const machine *m, double h, const char *more, const double *scale, bool reactions)
{
    double a[MOST], b[MOST], worst = 0;
    const int n = values(m, false, h, more, a);
    (void)values(m, true, h, more, b);
    for (int i = 0; i < n; i++) {
        if (is_reaction(m->probe[i]) == reactions) worst = fmax(worst, fabs(a[i] - b[i]) / scale[i]);
    }
    return worst;
}

static void compare(const machine *m, double h, const double *scale, double most)
{
    static const char SPOOK[] = "integrator: {scheme: spook}\n";
    for (int reactions = 0; reactions < 2; reactions++) {
        double d[3], e[2];
        for (int k = 0; k < 3; k++) d[k] = differ(m, ldexp(h, -k), "", scale, reactions);
        for (int k = 0; k < 2; k++) e[k] = differ(m, ldexp(h, -k - 1), SPOOK, scale, reactions);
        printf("%s: moreau %.3g, %.3g, %.3g, spook %.3g, %.3g\n", reactions ? "reactions" : "motion", d[0], d[1], d[2], e[0], e[1]);
        const double order = reactions ? 1.7 : 3.3; /* 2 and 4 in the limit of small steps */
        CHECK(d[2] < most && (d[2] < 1e-9 || (d[1] < d[0] / order && d[2] < d[1] / order)));
        CHECK(e[1] < 0.05 && (e[1] < 1e-9 || e[1] < e[0] / 1.7));
    }
}

/* ---- a chain of three pendulums ------------------------------------------------------------------------------------------------ */

static const char CHAIN[] =
    "gravity: [0, -9.81 m/s^2]\nmechanisms:\n  m:\n    coordinates: %s\n    bodies:\n"
    "      a: {mass: 1, inertia: 0.02, centre_of_mass: [0.25, 0.01]}\n      b: {mass: 2, inertia: 0.03, centre_of_mass: [0.2, 0]}\n"
    "      c: {mass: 0.5, inertia: 0.01, centre_of_mass: [0.3, 0]}\n    joints:\n"
    "      p: {type: revolute, parent: ground, at: [0.1, 0.2], child: a, angle: 20 deg, velocity: 1}\n"
    "      q: {type: revolute, parent: a, at: [0.5, 0], child: b, child_at: [0, 0.02], orientation: 90 deg, angle: -50 deg, velocity: -2}\n"
    "      r: {type: revolute, parent: b, at: [0.4, 0], child: c, angle: 30 deg}\n"
    "probes:\n  p: {joint: p}\n  q: {joint: q}\n  r: {joint: r}\n  vr: {joint: r, quantity: velocity}\n  x: {body: c, at: [0.6, 0], quantity: x}\n"
    "  y: {body: c, at: [0.6, 0], quantity: y}\n  energy: {energy: total}\n";

static const char CHAIN_SPACE[] =
    "dimension: 3\ngravity: [0, 0, -9.81 m/s^2]\nmechanisms:\n  m:\n    coordinates: %s\n    bodies:\n"
    "      a: {mass: 1, inertia: [0.01, 0.02, 0.03], centre_of_mass: [0.25, 0.01, 0]}\n"
    "      b: {mass: 2, inertia: [0.03, 0.02, 0.02, 0.001, 0, 0.002], centre_of_mass: [0.2, 0, 0]}\n"
    "      c: {mass: 0.5, inertia: 0.01, centre_of_mass: [0.3, 0, 0.1]}\n    joints:\n"
    "      p: {type: revolute, parent: ground, at: [0.1, 0.2, 1], child: a, axis: [0.1, 1, 0.2], angle: 20 deg, velocity: 1}\n"
    "      q: {type: revolute, parent: a, at: [0.5, 0, 0], child: b, child_at: [0, 0.02, 0], axis: [0, 1, 1], rotation: {axis_angle_deg: [1, 0, 0, 40]}, "
    "angle: "
    "-50 deg, velocity: -2}\n"
    "      r: {type: spherical, parent: b, at: [0.4, 0, 0], child: c, velocity: {wx: 1, wz: -1}}\n"
    "probes:\n  p: {joint: p}\n  q: {joint: q}\n  vq: {joint: q, quantity: velocity}\n  x: {body: c, at: [0.6, 0, 0], quantity: x}\n"
    "  y: {body: c, at: [0.6, 0, 0], quantity: y}\n  wz: {body: c, quantity: wz}\n  energy: {energy: total}\n";

TEST(chain)
{
    static const machine PLANE = {CHAIN, {"p", "q", "r", "vr", "x", "y", "energy"}, 0.5},
                         SPACE = {CHAIN_SPACE, {"p", "q", "vq", "x", "y", "wz", "energy"}, 0.5};
    compare(&PLANE, 4e-3, (const double[]){1, 1, 1, 10, 1, 1, 10}, 1e-4);
    compare(&SPACE, 4e-3, (const double[]){1, 1, 10, 1, 1, 10, 10}, 1e-4);
}

/* What the first pin carries is what the bodies' weights and accelerations ask for. */
TEST(pin)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        const bool space = dimension == 3;
        char text[4000], probes[800];
        (void)snprintf(
            probes, sizeof probes,
            "  pin: {body_joint: p, quantity: %s}\n  aa: {body: a, at: [0.25, 0.01%s], quantity: a%s}\n  ab: {body: b, at: [0.2, 0%s], quantity: a%s}\n"
            "  ac: {body: c, at: [0.3, 0%s], quantity: a%s}\n",
            space ? "z" : "y", space ? ", 0" : "", space ? "z" : "y", space ? ", 0" : "", space ? "z" : "y", space ? ", 0.1" : "", space ? "z" : "y");
        (void)snprintf(text, sizeof text, "%s%s", space ? CHAIN_SPACE : CHAIN, probes);
        const machine m = {text, {NULL}, 0};
        lab l = open_machine(&m, true, 1e-3, "");
        lab_run(&l, 0.3);
        for (int n = 0; n < 100; n++) {
            (void)lab_step(&l);
            const double force = 1 * (lab_probe(&l, "aa") + 9.81) + 2 * (lab_probe(&l, "ab") + 9.81) + 0.5 * (lab_probe(&l, "ac") + 9.81);
            CHECK_NEAR(lab_probe(&l, "pin"), force, 1e-6 * 100);
        }
        close_lab(&l);
    }
}

/* ---- loops ---------------------------------------------------------------------------------------------------------------------- */

/* A slider-crank whose crank is driven: the slider closes the chain by a loop, and carries a mass. */
TEST(slider_crank)
{
    static const machine PLANE = {
        "gravity: [0, -9.81 m/s^2]\nmechanisms:\n  m:\n    coordinates: %s\n    bodies:\n      crank: {mass: 1, inertia: 0.01, centre_of_mass: [0.08, 0]}\n"
        "      rod: {mass: 1.5, inertia: 0.05, centre_of_mass: [0.25, 0]}\n      slider: {mass: 3, inertia: 0.02}\n    joints:\n"
        "      main: {type: revolute, parent: ground, child: crank, angle: 40 deg}\n"
        "      pin: {type: revolute, parent: crank, at: [0.15, 0], child: rod, angle: -50 deg}\n"
        "      guide: {type: prismatic, parent: ground, child: slider, position: 0.6}\n    loops:\n"
        "      wrist: {type: point, bodies: [rod, slider], at: [[0.5, 0], [0, 0]]}\n    drives:\n      d: {joint: main, speed: \"20 rad/s + 5 rad/s*sin(t/(50 "
        "ms))\"}\n"
        "probes:\n  x: {joint: guide}\n  v: {joint: guide, quantity: velocity}\n  turn: {joint: main}\n  fm: {joint: main, quantity: force}\n"
        "  fx: {loop: wrist, quantity: x}\n  fy: {loop: wrist, quantity: y}\n  f: {loop: wrist}\n  energy: {energy: total}\n",
        {"x", "v", "turn", "fm", "fx", "fy", "f", "energy"},
        0.2};
    static const machine SPACE = {
        "dimension: 3\ngravity: [0, 0, -9.81 m/s^2]\nmechanisms:\n  m:\n    coordinates: %s\n    bodies:\n"
        "      crank: {mass: 1, inertia: 0.01, centre_of_mass: [0.08, 0, 0]}\n"
        "      rod: {mass: 1.5, inertia: [0.001, 0.05, 0.05], centre_of_mass: [0.25, 0, 0]}\n      slider: {mass: 3, inertia: 0.02}\n    joints:\n"
        "      main: {type: revolute, parent: ground, child: crank, axis: [0, -1, 0], angle: 40 deg}\n"
        "      pin: {type: universal, parent: crank, at: [0.15, 0, 0], child: rod, axis: [0, -1, 0], axis2: [0, 0, 1], position: {angle1: -50 deg}}\n"
        "      guide: {type: prismatic, parent: ground, at: [0, 0.1, 0], child: slider, position: 0.6}\n    loops:\n"
        "      wrist: {type: point, bodies: [rod, slider], at: [[0.5, 0, 0], [0, 0, 0]]}\n    drives:\n      d: {joint: main, speed: \"20 rad/s + 5 "
        "rad/s*sin(t/(50 "
        "ms))\"}\n"
        "probes:\n  x: {joint: guide}\n  v: {joint: guide, quantity: velocity}\n  turn: {joint: main}\n  fm: {joint: main, quantity: force}\n"
        "  fx: {loop: wrist, quantity: x}\n  fy: {loop: wrist, quantity: y}\n  f: {loop: wrist}\n  energy: {energy: total}\n  side: {joint: pin.angle2}\n",
        {"x", "v", "turn", "fm", "fx", "fy", "f", "energy", "side"},
        0.2};
    compare(&PLANE, 1e-3, (const double[]){1, 3, 1, 30, 200, 200, 200, 10}, 2e-3);
    compare(&SPACE, 1e-3, (const double[]){1, 3, 1, 30, 200, 200, 200, 10, 1}, 2e-3);
}

/* A four-bar with a spring, a damper and a rod: plane, and in space, where its three hinges in a tree and the hinge of the loop say more than there is to say.
 */
TEST(four_bar)
{
    static const machine PLANE = {
        "gravity: [0, -9.81 m/s^2]\nmechanisms:\n  m:\n    coordinates: %s\n    bodies:\n      a: {mass: 1, inertia: 0.02, centre_of_mass: [0.15, 0]}\n"
        "      b: {mass: 2, inertia: 0.2, centre_of_mass: [0.4, 0]}\n      c: {mass: 1, inertia: 0.1, centre_of_mass: [0.3, 0]}\n      d: {mass: 1, inertia: "
        "0.1}\n"
        "    joints:\n      p: {type: revolute, parent: ground, child: a, angle: 60 deg, velocity: 3}\n"
        "      q: {type: revolute, parent: a, at: [0.3, 0], child: b, angle: -60 deg}\n"
        "      r: {type: revolute, parent: ground, at: [0.7, 0], child: c, angle: 80 deg}\n      s: {type: fixed, parent: b, at: [0.4, 0.1], child: d}\n"
        "    loops: {k: {type: point, bodies: [b, c], at: [[0.8, 0], [0.6, 0]]}}\n"
        "    forces:\n      spring: {joint: r, stiffness: 20, free: 70 deg, damping: 0.3, constant: 2}\n"
        "probes:\n  p: {joint: p}\n  q: {joint: q}\n  r: {joint: r}\n  fx: {loop: k, quantity: x}\n  fy: {loop: k, quantity: y}\n  y: {body: d, quantity: y}\n "
        " energy: "
        "{energy: kinetic}\n",
        {"p", "q", "r", "fx", "fy", "y", "energy"},
        0.4};
    static const machine SPACE = {
        "dimension: 3\ngravity: [1, 0, -9.81 m/s^2]\nmechanisms:\n  m:\n    coordinates: %s\n    bodies:\n"
        "      a: {mass: 1, inertia: 0.02, centre_of_mass: [0.15, 0, 0]}\n"
        "      b: {mass: 2, inertia: [0.01, 0.2, 0.2], centre_of_mass: [0.4, 0, 0]}\n      c: {mass: 1, inertia: 0.1, centre_of_mass: [0.3, 0, 0]}\n"
        "    joints:\n      p: {type: revolute, parent: ground, child: a, axis: [0, -1, 0], angle: 60 deg, velocity: 3}\n"
        "      q: {type: revolute, parent: a, at: [0.3, 0, 0], child: b, axis: [0, -1, 0], angle: -60 deg}\n"
        "      r: {type: revolute, parent: ground, at: [0.7, 0, 0], child: c, axis: [0, -1, 0], angle: 80 deg}\n"
        "    loops: {k: {type: hinge, bodies: [b, c], at: [[0.8, 0, 0], [0.6, 0, 0]], axes: [[0, 1, 0], [0, 1, 0]]}}\n"
        "    forces:\n      spring: {joint: r, stiffness: 20, free: 70 deg, damping: 0.3, constant: 2}\n"
        "probes:\n  p: {joint: p}\n  q: {joint: q}\n  r: {joint: r}\n  fx: {loop: k, quantity: x}\n  fz: {loop: k, quantity: z}\n  energy: {energy: kinetic}\n",
        {"p", "q", "r", "fx", "fz", "energy"},
        0.4};
    static const machine ROD = {
        "gravity: [0, -9.81 m/s^2]\nmechanisms:\n  m:\n    coordinates: %s\n    bodies:\n      a: {mass: 1, inertia: 0.02, centre_of_mass: [0.15, 0]}\n"
        "      c: {mass: 1, inertia: 0.1, centre_of_mass: [0.3, 0]}\n    joints:\n      p: {type: revolute, parent: ground, child: a, angle: 60 deg, velocity: "
        "3}\n"
        "      r: {type: revolute, parent: ground, at: [0.7, 0], child: c, angle: 80 deg}\n    loops: {k: {type: rod, bodies: [a, c], at: [[0.3, 0], [0.6, "
        "0]], "
        "length: 0.8}}\n"
        "probes:\n  p: {joint: p}\n  r: {joint: r}\n  f: {loop: k}\n  energy: {energy: kinetic}\n",
        {"p", "r", "f", "energy"},
        0.4};
    compare(&PLANE, 4e-3, (const double[]){1, 1, 1, 50, 50, 1, 10}, 1e-3);
    compare(&SPACE, 4e-3, (const double[]){1, 1, 1, 50, 50, 10}, 1e-3);
    compare(&ROD, 4e-3, (const double[]){1, 1, 50, 10}, 1e-3);
}

/* ---- every kind of joint, with coordinates and rates that are not zero ---------------------------------------------------------------- */

TEST(kinds)
{
    static const machine SPACE = {
        "dimension: 3\ngravity: [0, 0, -9.81 m/s^2]\nmechanisms:\n  m:\n    coordinates: %s\n    bodies:\n"
        "      base: {mass: 5, inertia: [1, 1.2, 1.5]}\n      plate: {mass: 3, inertia: 0.3, centre_of_mass: [0.05, 0, 0]}\n"
        "      cross: {mass: 2, inertia: [0.1, 0.2, 0.15], centre_of_mass: [0.1, 0, 0]}\n"
        "      nut: {mass: 1, inertia: 0.05}\n      sleeve: {mass: 1.5, inertia: [0.05, 0.04, 0.06], centre_of_mass: [0, 0.1, 0]}\n      slide: {mass: 1, "
        "inertia: 0.1}\n"
        "    joints:\n      base: {type: free, parent: ground, child: base, position: {x: 1, z: 2}, velocity: {x: 1, wy: 1, wz: 0.5}}\n"
        "      plate: {type: planar, parent: base, child: plate, at: [0.2, 0, 0], axis: [0, 0.6, 0.8], axis2: [1, 0, 0], position: {x: 0.1, y: -0.2, angle: 30 "
        "deg}, "
        "velocity: {x: 1, y: 0.5, angle: 2}}\n"
        "      cross: {type: universal, parent: base, child: cross, at: [0, 0.3, 0], rotation: {axis_angle_deg: [0, 0, 1, 90]}, axis: [0, 0, 1], axis2: [0, 1, "
        "0], "
        "position: {angle1: 30 deg, angle2: -20 deg}, velocity: {angle1: 2, angle2: 1}}\n"
        "      nut: {type: screw, parent: cross, child: nut, at: [0.3, 0, 0], axis: [1, 0, 0], pitch: 0.05, angle: 200 deg, velocity: 3}\n"
        "      sleeve: {type: cylindrical, parent: plate, child: sleeve, axis: [0, 1, 0], position: {angle: 40 deg, position: 0.3}, velocity: {angle: 1, "
        "position: "
        "-1}}\n"
        "      slide: {type: prismatic, parent: sleeve, child: slide, axis: [1, 1, 0], position: 0.2, velocity: 0.5}\n"
        "probes:\n  px: {joint: plate.x}\n  py: {joint: plate.y}\n  pa: {joint: plate.angle}\n  c1: {joint: cross.angle1}\n  c2: {joint: cross.angle2}\n"
        "  nut: {joint: nut}\n  sa: {joint: sleeve.angle}\n  sp: {joint: sleeve.position}\n  slide: {joint: slide}\n  v: {joint: slide, quantity: velocity}\n  "
        "z: {body: "
        "nut, quantity: z}\n  energy: {energy: total}\n",
        {"px", "py", "pa", "c1", "c2", "nut", "sa", "sp", "slide", "v", "z", "energy"},
        0.4};
    double start[2][MOST];
    machine begin = SPACE;
    begin.time = 0;
    const int n = values(&begin, false, 1e-3, "", start[0]);
    (void)values(&begin, true, 1e-3, "", start[1]);
    for (int i = 0; i < n; i++) CHECK_NEAR(start[1][i], start[0][i], 1e-12 * (1 + fabs(start[0][i])));
    compare(&SPACE, 4e-3, (const double[]){1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 10}, 1e-3);
}

/* ---- what acts in joints -------------------------------------------------------------------------------------------------------------- */

/* A slide that a drive of limited force pulls against a spring and friction into a stop, and a pendulum on a path: the work of the drive, what stops, what
 * sticks. */
TEST(acting)
{
    for (int space = 0; space < 2; space++) {
        char text[3000];
        (void)snprintf(
            text, sizeof text,
            "dimension: %d\ngravity: [%s-9.81 m/s^2]\nmechanisms:\n  m:\n    coordinates: %%s\n    bodies: {a: {mass: 2, inertia: 0.1}, b: {mass: 1, inertia: "
            "0.1, centre_of_mass: [0.3, 0%s]}, c: {mass: 1, inertia: 0.1}}\n"
            "    joints:\n      s: {type: prismatic, parent: ground, child: a, position: 0.1}\n      r: {type: revolute, parent: a, child: b, angle: 30 "
            "deg%s}\n"
            "      t: {type: prismatic, parent: ground, at: [0, 1%s], child: c, position: 0.5}\n"
            "    drives: {pull: {joint: s, speed: 1 m/s, force: 60 N}, swing: {joint: r, position: \"30 deg + 20 deg*sin(t/(0.1 s))\"}}\n"
            "    forces: {stop: {joint: s, high: 0.25, friction: 5 N, stiffness: 100 N/m, free: 0.1}, rub: {joint: t, friction: 2 N, stiffness: 50, free: "
            "0.3}}\nprobes: {s: {joint: s}, v: {joint: s, quantity: velocity}, r: {joint: r}, fs: {joint: r, quantity: force}, t: {joint: t}}\n",
            space ? 3 : 2, space ? "0, 0, " : "0, ", space ? ", 0" : "", space ? ", axis: [0, -1, 0]" : "", space ? ", 0" : "");
        const machine m = {text, {"s", "v", "r", "fs", "t"}, 0.1};
        machine late = m;
        late.time = 1.5;
        compare(&m, 1e-3, (const double[]){1, 1, 1, 10, 1}, 2e-3);
        double a[MOST], b[MOST];
        (void)values(&late, false, 1e-3, "", a);
        (void)values(&late, true, 1e-3, "", b);
        CHECK_NEAR(b[0], 0.25, 1e-8); /* the stop, to a hundredth of the tolerance times the time */
        CHECK_NEAR(b[1], 0, 1e-9);
        CHECK_NEAR(b[4], a[4], 1e-4);
        CHECK(fabs(b[4] - 0.3) < 2.0 / 50 + 1e-9); /* it sticks where friction holds the spring */
    }
}

/* Cylinders: one on a slide of a mechanism, one between points of links. The pressures are those of the loads, and the same in both. */
TEST(cylinders)
{
    for (int space = 0; space < 2; space++) {
        const char *z = space ? ", 0" : "", *y = space ? "0, " : "", *axis = space ? ", axis: [0, -1, 0]" : "";
        char text[4000];
        (void)snprintf(
            text, sizeof text,
            "dimension: %d\ngravity: [0, %s-9.81 m/s^2]\nmechanisms:\n  m:\n    coordinates: %%s\n    bodies: {arm: {mass: 200, inertia: 50, "
            "centre_of_mass: [1.5, 0%s]}, jib: {mass: 50, inertia: 10, centre_of_mass: [0.5, 0%s]}, ram: {mass: 30, inertia: 1}}\n"
            "    joints:\n      j: {type: revolute, parent: ground, child: arm%s, angle: 0.2}\n      k: {type: revolute, parent: arm, at: [2, 0%s], child: "
            "jib%s, angle: -0.4}\n      s: {type: prismatic, parent: jib, child: ram, position: 0.4}\n",
            space ? 3 : 2, y, z, z, axis, z, axis);
        const size_t n = strlen(text);
        (void)snprintf(
            text + n, sizeof text - n,
            "hydraulics:\n  c:\n    cylinders:\n"
            "      lift: {bodies: [ground, arm], at: [[0.3, %s-1], [0.8, 0%s]], stroke: [0.7, 1.6], bore: 80 mm, rod: 50 mm, dead_volume: 0.5 l, pressure: "
            "[6 MPa, 2 MPa]}\n"
            "      fold: {bodies: [arm, jib], at: [[1.2, %s0.3], [0.3, %s0.2]], stroke: [0.5, 1.6], bore: 60 mm, rod: 30 mm, dead_volume: 0.3 l, pressure: "
            "[1 MPa, 2 MPa]}\n"
            "      push: {joint: s, stroke: [0, 1], bore: 40 mm, rod: 20 mm, dead_volume: 0.3 l, pressure: [1 MPa, 2 MPa]}\n"
            "probes: {j: {joint: j}, k: {joint: k}, s: {joint: s}, p: {pressure: lift.cap}, q: {pressure: fold.rod}, x: {cylinder: lift, quantity: "
            "position}, y: {cylinder: push, quantity: position}, g: {cylinder: push}}\n",
            y, z, y, y);
        const machine m = {text, {"j", "k", "s", "p", "q", "x", "y", "g"}, 0.1};
        compare(&m, 2.5e-4, (const double[]){1, 1, 1, 6e6, 2e6, 1, 1, 2e3}, 1e-3);
    }
}

/* A drive and a cylinder in one coordinate: the drive moves the load at its speed and exerts what weight and oil ask for, mean pressures of the step. */
TEST(driven_cylinder)
{
    for (int space = 0; space < 2; space++) {
        const char *z = space ? ", 0" : "";
        char text[2000];
        (void)snprintf(
            text, sizeof text,
            "dimension: %d\ngravity: [-9.81, 0%s]\nmechanisms:\n  m:\n    coordinates: %%s\n    bodies: {a: {mass: 10, inertia: 1}}\n"
            "    joints: {s: {type: prismatic, parent: ground, child: a, position: 0.4}}\n    drives: {d: {joint: s, speed: 0.1 m/s}}\n"
            "hydraulics: {c: {cylinders: {push: {joint: s, stroke: [0, 1], bore: 40 mm, rod: 20 mm, dead_volume: 0.3 l, pressure: [3 MPa, 2 MPa]}}}}\n"
            "probes: {s: {joint: s}, p: {pressure: push.cap}, q: {pressure: push.rod}, g: {cylinder: push}, f: {joint: s, quantity: force}}\n",
            space ? 3 : 2, z);
        const machine m = {text, {"s", "p", "q", "g", "f"}, 0.1};
        double is[2][5];
        for (int maximal = 0; maximal < 2; maximal++) {
            lab l = open_machine(&m, maximal, 1e-3, "");
            lab_run(&l, m.time);
            const double before = lab_probe(&l, "g");
            (void)lab_step(&l);
            for (int i = 0; i < 5; i++) is[maximal][i] = lab_probe(&l, m.probe[i]);
            CHECK_NEAR(is[maximal][0], 0.4 + 0.1 * 0.101, 1e-9);
            CHECK(fabs(is[maximal][3] - before) > 10); /* a step compresses the oil */
            CHECK_NEAR(is[maximal][4], 10 * 9.81 - 0.5 * (before + is[maximal][3]), 1e-3 * fabs(is[maximal][3] - before) + 1e-6);
            close_lab(&l);
        }
        for (int i = 0; i < 5; i++) CHECK_NEAR(is[1][i], is[0][i], 1e-9 * fabs(is[0][i]));
    }
}

/* Implicit springs of mechanisms are springs between bodies: both take the mean of the coordinates at both ends of the step, at any stiffness. */
TEST(implicit)
{
    for (int k = 0; k < 4; k++) {
        const double stiffness = k % 2 ? 4e8 : 1e6; /* h ω = 20 and 1 */
        char text[800];
        (void)snprintf(text, sizeof text,
                       "dimension: %d\nmechanisms:\n  m:\n    coordinates: %%s\n    bodies: {a: {mass: 1, inertia: 1}}\n"
                       "    joints: {s: {type: prismatic, parent: ground, child: a, position: 0.01}}\n"
                       "    forces: {f: {joint: s, stiffness: %g, implicit: true}}\nprobes: {s: {joint: s}, v: {joint: s, quantity: velocity}}\n",
                       k < 2 ? 2 : 3, stiffness);
        const machine m = {text, {"s", "v"}, 0.1};
        double a[MOST], b[MOST];
        (void)values(&m, false, 1e-3, "", a);
        (void)values(&m, true, 1e-3, "", b);
        CHECK_NEAR(b[0], a[0], 1e-9 * 0.01);
        CHECK_NEAR(b[1], a[1], 1e-9 * 0.01 * sqrt(stiffness));
        CHECK_NEAR(0.5 * stiffness * b[0] * b[0] + 0.5 * b[1] * b[1], 0.5 * stiffness * 1e-4, 1e-9 * 0.5 * stiffness * 1e-4); /* energy stays */
    }
}

/* A hammer falls on the floor, and what hangs on it would meet it: links of one mechanism do not meet, and neither do they as bodies. */
TEST(contact)
{
    for (int space = 0; space < 2; space++) {
        char text[3000];
        (void)snprintf(
            text, sizeof text,
            "dimension: %d\ngravity: [%s-9.81 m/s^2]\nmaterials: {steel: {density: 1000}, wood: {density: 500}}\n"
            "interactions: [{between: [steel, steel]}, {between: [wood, steel], enabled: false}, {between: [wood, wood], friction: 0.2}]\n"
            "bodies:\n  floor: {kind: fixed, material: steel, shapes: [{box: {size: [1, 0.2%s], centre: [1, %s-0.7]}}]}\n"
            "mechanisms:\n  m:\n    coordinates: %%s\n    bodies:\n      a: {mass: 2, inertia: 0.2, centre_of_mass: [0.5, 0%s], material: steel, shapes: [{%s: "
            "{centre: [1, 0%s], radius: 0.1}}, {%s: {centre: [0.2, 0%s], radius: 0.05, material: wood}}]}\n"
            "      b: {mass: 1, inertia: 0.1, centre_of_mass: [0.1, 0%s], shapes: [{%s: {centre: [0.2, 0%s], radius: 0.05, material: wood}}]}\n"
            "    joints:\n      p: {type: revolute, parent: ground, child: a%s}\n      q: {type: revolute, parent: a, child: b%s, angle: 60 deg}\n"
            "probes: {p: {joint: p}, q: {joint: q}, f: {contact_force: floor}, ab: {contact_force: b, from: a}}\n",
            space ? 3 : 2, space ? "0, 0, " : "0, ", space ? ", 1" : "", space ? "0, " : "", space ? ", 0" : "", space ? "sphere" : "disk", space ? ", 0" : "",
            space ? "sphere" : "disk", space ? ", 0" : "", space ? ", 0" : "", space ? "sphere" : "disk", space ? ", 0" : "", space ? ", axis: [0, -1, 0]" : "",
            space ? ", axis: [0, -1, 0]" : "");
        const machine m = {text, {"p", "q", "f", "ab"}, 4};
        double last[2][4], mean[2] = {0, 0};
        for (int maximal = 0; maximal < 2; maximal++) {
            enum { MEAN = 500 };
            lab l = open_machine(&m, maximal, 1e-3, "");
            lab_run(&l, m.time);
            for (int n = 0; n < MEAN; n++) (void)lab_step(&l), mean[maximal] += lab_probe(&l, "f") / MEAN;
            for (int i = 0; i < 4; i++) last[maximal][i] = lab_probe(&l, m.probe[i]);
            close_lab(&l);
        }
        printf("hammer %g, %g, its load %g, %g, on the floor %g, %g\n", last[0][0], last[1][0], last[0][1], last[1][1], mean[0], mean[1]);
        for (int i = 0; i < 2; i++) CHECK_NEAR(last[1][i], last[0][i], 1e-3);
        CHECK(mean[0] > 5); /* it lies there */
        CHECK_NEAR(mean[1], mean[0], 2e-3 * mean[0]);
        CHECK(last[0][3] == 0 && last[1][3] == 0);
    }
}

/* Bodies of one machine do not meet, of two they do: three disks in a row, of which the second goes through the first and stops at the third. */
TEST(machines)
{
    for (int space = 0; space < 2; space++) {
        const char *z = space ? ", 0" : "", *shape = space ? "sphere" : "disk";
        char text[2000];
        (void)snprintf(
            text, sizeof text,
            "dimension: %d\ngravity: [0, 0%s]\ntime: {end: 10 s, step: 1 ms}\nmaterials: {m: {density: 1000}}\ninteractions: [{restitution: 0}]\nbodies:\n"
            "  a: {machine: one, position: [0.5, 0%s], shapes: [{%s: {radius: 0.1, material: m}}]}\n"
            "  b: {machine: one, velocity: [1, 0%s], shapes: [{%s: {radius: 0.1, material: m}}]}\n"
            "  c: {machine: two, position: [1, 0%s], shapes: [{%s: {radius: 0.1, material: m}}]}\n"
            "probes: {a: {body: a, quantity: x}, b: {body: b, quantity: vx}, c: {body: c, quantity: vx}}\n",
            space ? 3 : 2, z, z, shape, z, shape, z, shape);
        lab l = open_lab(text, 1);
        lab_run(&l, 2);
        CHECK_NEAR(lab_probe(&l, "a"), 0.5, 1e-12);
        CHECK_NEAR(lab_probe(&l, "b"), 0.5, 1e-3); /* equal masses stick: momentum */
        CHECK_NEAR(lab_probe(&l, "c"), 0.5, 1e-3);
        close_lab(&l);
    }
}

/* ---- `start` of joints between bodies --------------------------------------------------------------------------------------------------- */

/* A spring about `rest` from a coordinate that begins at 12 rad, and at 3 m: x = rest + (start − rest) cos ω t; stops and paths count from there too. */
TEST(start)
{
    for (int space = 0; space < 2; space++) {
        const char *inertia = space ? "inertia_tensor: [2, 2, 2]" : "inertia: 2";
        char text[3000];
        (void)snprintf(text, sizeof text,
                       "dimension: %d\ngravity: [%s]\ntime: {end: 10 s, step: 0.5 ms}\nbodies:\n  w: {mass: 1, %s}\n  s: {mass: 2, %s}\n  u: {mass: 1, %s}\n  "
                       "d: {mass: 1, %s}\n"
                       "joints:\n  w: {type: revolute, bodies: [ground, w], angle: {start: 12 rad, stiffness: 8 N m/rad, rest: 11 rad}}\n"
                       "  s: {type: prismatic, bodies: [ground, s], axis: [1, 0%s], slide: {start: 3 m, stiffness: 18 N/m, rest: 2.5 m}}\n"
                       "  u: {type: prismatic, bodies: [ground, u], axis: [1, 0%s], slide: {start: 3 m, stiffness: 18 N/m, rest: 2 m, low: 2.9 m}}\n"
                       "  d: {type: prismatic, bodies: [ground, d], axis: [1, 0%s], slide: {start: 3 m, position: \"3 m + 0.1 m*sin(t/(1 s))\"}}\n"
                       "probes: {w: {body_joint: w.angle}, s: {body_joint: s.slide}, u: {body_joint: u.slide}, d: {body_joint: d.slide}, x: {body: s, "
                       "quantity: x}, energy: "
                       "{energy: total}}\n",
                       space ? 3 : 2, space ? "0, 0, 0" : "0, 0", inertia, inertia, inertia, inertia, space ? ", 0" : "", space ? ", 0" : "",
                       space ? ", 0" : "");
        lab l = open_lab(text, 1);
        CHECK_NEAR(lab_probe(&l, "w"), 12, 1e-12);
        CHECK_NEAR(lab_probe(&l, "s"), 3, 1e-12);
        lab_run(&l, 1.3);
        CHECK_NEAR(lab_probe(&l, "w"), 11 + cos(2 * 1.3), 1e-5);
        CHECK_NEAR(lab_probe(&l, "s"), 2.5 + 0.5 * cos(3 * 1.3), 1e-5);
        CHECK_NEAR(lab_probe(&l, "x"), lab_probe(&l, "s") - 3, 1e-12);
        CHECK_NEAR(lab_probe(&l, "u"), 2.9, 1e-6);
        CHECK_NEAR(lab_probe(&l, "d"), 3 + 0.1 * sin(1.3), 1e-6);
        close_lab(&l);
    }
}

/* Names stay whole: of two that differ in their last letter each is read; and they may have any letters. */
TEST(names)
{
    enum { LETTERS = 127 };
    char name[LETTERS + 1], text[3000];
    memset(name, 'j', LETTERS);
    name[LETTERS] = '\0';
    (void)snprintf(
        text, sizeof text,
        "time: {end: 1 s, step: 1 ms}\nmechanisms:\n  m:\n    coordinates: maximal\n    bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1}}\n"
        "    joints:\n      %s1: {type: revolute, parent: ground, child: a, angle: 0.1}\n      %s2: {type: prismatic, parent: ground, child: b, "
        "position: 0.4}\nhydraulics: {c: {cylinders: {push: {joint: %s2, stroke: [0, 1], bore: 40 mm, dead_volume: 0.3 l}}}}\n"
        "probes: {one: {joint: %s1}, two: {joint: %s2}, push: {cylinder: push, quantity: position}}\n",
        name, name, name, name, name);
    lab l = open_lab(text, 1);
    CHECK_NEAR(lab_probe(&l, "one"), 0.1, 1e-12);
    CHECK_NEAR(lab_probe(&l, "two"), 0.4, 1e-12);
    CHECK_NEAR(lab_probe(&l, "push"), 0.4, 1e-12);
    close_lab(&l);
    l = open_lab(
        "time: {end: 1 s, step: 1 ms}\nmechanisms:\n  \"my \\\"m\\\": 1\":\n    coordinates: maximal\n    bodies: {\"a \\\"x\\\"\": {mass: 1, inertia: 1}, "
        "\"b\\\\\": {mass: 1, inertia: 1}}\n    joints: {\"s \\\"q\\\"\": {type: prismatic, parent: ground, child: \"a \\\"x\\\"\", position: 0.4}, "
        "t: {type: revolute, parent: \"a \\\"x\\\"\", child: \"b\\\\\"}}\n    loops: {\"k: {\": {type: rod, bodies: [\"b\\\\\", ground], at: [[0, 1], "
        "[1, 1.8]], length: 1}}\nprobes: {s: {joint: \"s \\\"q\\\"\"}, k: {loop: \"k: {\"}}\n",
        1);
    CHECK_NEAR(lab_probe(&l, "s"), 0.4, 1e-12);
    CHECK(talus_body_joint_count(l.world) == 3);
    close_lab(&l);
}

/* ---- mistakes ----------------------------------------------------------------------------------------------------------------------------- */

/* The scene, whose keys are right, has a mistake that says this. */
static void check_said(const char *text, const char *expected)
{
    talus_scene *scene = load_lab(text);
    talus_world *world = NULL;
    bool said = false;
    CHECK(talus_scene_mistake_count(scene) == 0);
    CHECK(talus_scene_build(scene, 1, &world) != TALUS_OK);
    for (int i = 0; i < talus_scene_mistake_count(scene); i++) said = said || strstr(talus_scene_mistake(scene, i), expected);
    if (!said) TEST_FAIL("'%s' is not said: %s", expected, talus_scene_mistake_count(scene) ? talus_scene_mistake(scene, 0) : "nothing");
    talus_world_destroy(world);
    talus_scene_destroy(scene);
}

/* This put into a scene, too. */
static void check_wrong(const char *parts, const char *rest, const char *expected)
{
    char text[3000];
    (void)snprintf(text, sizeof text,
                   "dimension: 3\ngravity: [0, 0, -9.81]\ntime: {end: 1 s, step: 1 ms}\nmechanisms:\n  z: {bodies: {z: {mass: 1, inertia: 1}, y: {mass: 1, "
                   "inertia: 1}}, joints: {z: {type: revolute, parent: ground, child: z}, y: {type: revolute, parent: ground, child: y}}, loops: {zy: {type: "
                   "gear, joints: [z, y]}}}\n  m:\n    coordinates: maximal\n    bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1}, c: {mass: 1, "
                   "inertia: 1}}\n    joints:\n      p: {type: revolute, parent: ground, child: a}\n      q: {type: revolute, parent: a, child: b}\n      f: "
                   "{type: free, parent: ground, child: c, position: {x: 3}}\n%s%s",
                   parts, rest);
    check_said(text, expected);
}

/* A cross whose bars are not square is another one in either: relative coordinates keep its angle, joints between bodies hold it square. */
TEST(skew_crosses)
{
    static const char CROSS[] =
        "dimension: 3\ntime: {end: 1 s, step: 1 ms}\nmechanisms:\n  m:\n    coordinates: %s\n    bodies: {a: {mass: 1 kg, inertia: 1}}\n"
        "    joints: {j: {type: universal, parent: ground, child: a, %s}}\n";
    static const char BETWEEN[] = "dimension: 3\ntime: {end: 1 s, step: 1 ms}\nbodies: {a: {mass: 1 kg, inertia_tensor: [1, 1, 1]}}\n"
                                  "joints: {j: {type: universal, bodies: [ground, a], %s}}\n";
    for (int kind = 0; kind < 6; kind++) {
        static const char *const AXES[] = {"axis: [1, 0, 0], axis2: [0, 2, 0]", "axis: [1, 0, 0], axis2: [1, 1, 0]", "axis: [1, 1, 0]" /* the other is x */,
                                           "axis: [1, 0, 0], axis2: [0, 2, 0]", "axis: [1, 0, 0], axis2: [1, 1, 0]", "axis: [1, 0, 0], axis2: [2, 0, 0]"};
        static const char SKEW[] = "there are no universal joints whose axes are not square", ALONG[] = "its axis2 is along its axis";
        const char *says = kind == 1 || kind == 2 ? SKEW : kind == 5 ? ALONG : NULL;
        char text[600];
        if (kind < 3) snprintf(text, sizeof text, CROSS, "maximal", AXES[kind]);
        else snprintf(text, sizeof text, BETWEEN, AXES[kind]);
        talus_scene *scene = load_lab(text);
        talus_world *w = NULL;
        const bool built = talus_scene_mistake_count(scene) == 0 && talus_scene_build(scene, 1, &w) == TALUS_OK;
        CHECK(built == !says);
        if (says && !built && !strstr(talus_scene_mistake(scene, 0), says)) TEST_FAIL("%s", talus_scene_mistake(scene, 0));
        talus_world_destroy(w);
        talus_scene_destroy(scene);
    }
}

TEST(mistakes)
{
    check_wrong("    loops: {g: {type: gear, joints: [p, q]}}\n", "", "there are no relations between coordinates");
    check_wrong("    couplings: {g: {joints: [p, q], stiffness: 3}}\n", "", "there are no couplings between coordinates");
    check_wrong("    shafts: {g: {inertia: 1}}\n", "", "there are no shafts");
    check_wrong("    states: {g: {unit: \"1\", rate: \"1/(1 s)\"}}\n", "", "there are no states of laws");
    check_wrong("    springs: {g: {bodies: [a, b], at: [[1, 0, 0], [2, 0, 0]], stiffness: 1}}\n", "", "there are no springs between points");
    check_wrong("    forces: {g: {joint: p, law: \"-1 N m/rad*q\"}}\n", "", "there are no forces in joints by 'law'");
    check_wrong("    forces: {g: {joint: p, stiffness: 1, target: \"1 rad*sin(t/(1 s))\"}}\n", "", "there are no forces in joints by 'target'");
    check_wrong("    forces: {g: {joint: p, stiffness: 1, limit: 1}}\n", "", "there are no forces in joints by 'limit'");
    check_wrong("    forces: {g: {joint: p, constant: 1}}\n", "", "there are no constant forces without a spring");
    check_wrong("    forces: {g: {joint: p, stiffness: 0, constant: 1}}\n", "", "there are no constant forces without a spring, and 'g' has no stiffness");
    check_wrong("    forces: {g: {joint: p, stiffness: 0 N m/rad, damping: 2, constant: -1 N m}}\n", "", "there are no constant forces without a spring");
    check_wrong("    forces: {g: {joint: p, stiffness: 1}, h: {joint: p, damping: 1}}\n", "", "there are no two forces or drives in one coordinate");
    check_wrong("    forces: {g: {joint: f.x, stiffness: 1}}\n", "", "there are no coordinates of joint 'f' of type free");
    check_wrong("    forces: {g: {joint: p, stiffness: 1}}\n", "probes: {f: {joint: p, quantity: force}}\n",
                "there are no forces of joints but that of a drive alone, and in 'p' others act");
    check_wrong("", "probes: {f: {joint: p, quantity: force}}\n", "there are no forces of joints but that of a drive alone, and in 'p' nothing acts");
    check_wrong("    drives: {g: {joint: p, speed: 1}}\n    forces: {g: {joint: p, damping: 1}}\n", "probes: {f: {joint: p, quantity: force}}\n",
                "there are no forces of joints but that of a drive alone, and in 'p' others act");
    check_wrong("    drives: {g: {joint: p, speed: 1}}\n", "stages: {one: {drives: {g: {speed: 2}}}}\n", "there are no drives and forces that stages change");
    check_wrong("", "probes: {f: {joint: f.x}}\n", "there are no coordinates of joint 'f' of type free");
    check_wrong("", "probes: {f: {body_joint: f}}\n", "'f' is of type free, and nothing is written of it");
    check_wrong("", "probes: {f: {body_joint: f.angle}}\n", "'f' is of type free, and nothing is written of it");
    check_wrong("", "hydraulics: {h: {cylinders: {u: {body_joint: f.slide, stroke: [0, 1], bore: 40 mm, dead_volume: 0.3 l}}}}\n",
                "'f' is of type free, and nothing is written of it");
    check_wrong("",
                "materials: {r: {density: 1000}}\ntyres: {t: {on: b, material: r, radius: 0.5 m, width: 0.3 m, mass: 20 kg, load: 10 kN, deflection: 30 mm, "
                "slip_stiffness: 100 kN}}\n",
                "there are no tyres");
    check_wrong("    loops: {k: {type: rod, bodies: [b, c], at: [[0, 0, 0], [0, 0, 0]], length: 3}}\n", "probes: {f: {loop: k, quantity: x}}\n",
                "there are no signed forces of a rod");
    check_wrong("", "joints: {p: {type: revolute, bodies: [a, c]}}\n", "there is one named 'p' in line");
    check_wrong("", "bodies: {w: {machine: m, mass: 1, inertia_tensor: [1, 1, 1]}}\n", "machine 'm' of this body has the name of a mechanism");
    check_wrong("", "bodies: {w: {machine: one, kind: fixed}}\n", "body 'w' belongs to a machine, and is not free");
    check_said("time: {end: 1 s, step: 1 ms}\nbodies: {w: {machine: one, kind: imposed}}\n", "body 'w' belongs to a machine, and is not free");
    static const char *const OTHERS[][2] = {
        {"couplings: {g: {joints: [d, q], stiffness: 3}}", "there are no couplings with other mechanisms"},
        {"engines: {g: {joint: q, torque: {speed: [0, 100], torque: [10, 10]}}}", "there are no engines of other mechanisms"},
        {"drives: {g: {joint: q, speed: 1}}", "there are no drives of other mechanisms"},
        {"forces: {g: {joint: q, stiffness: 1}}", "there are no forces of other mechanisms"},
        {"dependent: [f.x, f.y, f.z]", "there are no coordinates that another mechanism has depend on loops"}};
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++) {
        char other[600];
        (void)snprintf(other, sizeof other,
                       "    loops: {k: {type: point, bodies: [b, c], at: [[3, 0, 0], [0, 0, 0]]}}\n  n:\n    bodies: {d: {mass: 1, inertia: 1}}\n    joints: "
                       "{d: {type: revolute, parent: ground, child: d}}\n    %s\n",
                       OTHERS[i][0]);
        check_wrong(other, "", OTHERS[i][1]);
    }
    check_wrong("    dependent: [y]\n", "", "there are no coordinates that another mechanism has depend on loops");
    check_wrong("    drives: {g: {joint: z, speed: 1}}\n", "", "there are no drives and forces in joints of other mechanisms");
    check_wrong("    forces: {g: {joint: z, stiffness: 1}}\n", "", "there are no drives and forces in joints of other mechanisms");
    lab l = open_lab("time: {end: 1 s, step: 1 ms}\nbodies: {w: {machine: one, kind: fixed, mass: 1, inertia: 1}}\n"
                     "stages: {held: {until: {after: 0.1 s}}, let_go: {bodies: {w: {kind: free}}}}\n",
                     1); /* it will be free */
    close_lab(&l);
    l = open_lab(
        "time: {end: 1 s, step: 1 ms}\nmechanisms:\n  m:\n    coordinates: maximal\n    bodies: {a: {mass: 1, inertia: 1}}\n    joints: {p: {type: revolute, "
        "parent: ground, child: a}}\n",
        1);
    CHECK(talus_body_joint_count(l.world) == 1);
    close_lab(&l);
    check_said("time: {end: 1 s, step: 1 ms}\nmechanisms:\n  m:\n    coordinates: maximal\n    bodies: {a: {mass: 1, inertia: 1}}\n    joints: {p: {type: "
               "planar, parent: ground, child: a}}\nprobes: {p: {body_joint: p}}\n",
               "'p' is of type planar, and nothing is written of it");
    talus_scene *scene =
        load_lab("time: {end: 1 s, step: 1 ms}\nmechanisms:\n  m:\n    coordinates: maximal\n    bodies: {a: {mass: 1}}\n    joints: {p: {type: "
                 "prismatic, parent: ground, child: a}}\n");
    talus_world *world = NULL;
    CHECK(talus_scene_build(scene, 1, &world) == TALUS_UNSUPPORTED);
    CHECK(talus_scene_mistake_count(scene) == 1 && strstr(talus_scene_mistake(scene, 0), "there are no bodies without mass or inertia"));
    talus_scene_destroy(scene);
}

int main(int argc, char **argv)
{
    RUN(chain);
    RUN(pin);
    RUN(slider_crank);
    RUN(four_bar);
    RUN(kinds);
    RUN(acting);
    RUN(cylinders);
    RUN(driven_cylinder);
    RUN(implicit);
    RUN(contact);
    RUN(machines);
    RUN(start);
    RUN(names);
    RUN(skew_crosses);
    RUN(mistakes);
    return TEST_RESULT;
}
