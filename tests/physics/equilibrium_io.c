/* A start in equilibrium (`start: {equilibrium: true}`, theory §4.7), in the plane and in space, against statics: springs, a frame on springs and wheels, a
 * boom on oil, a hanging chain, blocks, a slope; what then happens in a second, a restart, and mistakes. */
#include "lab.h"

static const double G = 9.81;

/* "[x, y]" or "[x, y, 0]" */
static const char *zero(int dimension) { return dimension == 2 ? "" : ", 0"; }

static double fastest(const talus_world *w)
{
    double most = 0;
    for (int i = 0; i < talus_body_count(w); i++) {
        double v[3] = {0, 0, 0}, spin[3] = {0, 0, 0};
        const double at[3] = {0, 0, 0};
        talus_body_velocity(w, talus_body_at(w, i), at, v, spin);
        most = fmax(most, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    }
    return most;
}

/* A second in which nothing may move faster than the least that a swing under the acceleration that is left comes to: v = a/ω ≤ a × 1 s for the slowest that a
 * second sees. */
static void check_still(const lab *l)
{
    talus_equilibrium_report found;
    CHECK(talus_world_equilibrium(l->world, &found));
    CHECK(found.passes > 0 && found.acceleration <= found.tolerance && found.unsolved <= found.tolerance);
    CHECK(fastest(l->world) == 0 && talus_world_time(l->world) == 0);
    double most = 0;
    while (talus_world_time(l->world) < 1) {
        (void)lab_step(l);
        most = fmax(most, fastest(l->world));
    }
    CHECK(most <= found.tolerance);
}

/* Two masses on two springs, one above the other: each spring carries what is above it; the energy is that of weight and springs, to the accuracy that is
 * asked for. */
TEST(springs)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        char text[2000];
        const double accuracy = 1e-6, low = -15 * G / 1000, up = 0.2 - 5 * G / 500;
        (void)snprintf(text, sizeof text,
                       "dimension: %d\ngravity: [0, -9.81%s]\ntime: {end: 10 s, step: 1 ms}\nstart: {equilibrium: true, tolerance: 1e-6 m/s^2, passes: 100}\n"
                       "mechanisms:\n  m:\n    bodies: {a: {mass: 10, inertia: 1}, b: {mass: 5, inertia: 1}}\n    joints:\n"
                       "      j: {type: prismatic, parent: ground, child: a, axis: [0, 1%s]}\n      k: {type: prismatic, parent: a, child: b, axis: [0, 1%s]}\n"
                       "    forces: {s: {joint: j, stiffness: 1 kN/m, damping: 10 N s/m}, t: {joint: k, stiffness: 500 N/m, free: 0.2}}\n"
                       "probes: {a: {joint: j}, b: {joint: k}, kinetic: {energy: kinetic}, total: {energy: total}}\n",
                       dimension, zero(dimension), zero(dimension), zero(dimension));
        lab l = open_lab(text, 1);
        CHECK_NEAR(lab_probe(&l, "a"), low, 15 * accuracy / 1000);
        CHECK_NEAR(lab_probe(&l, "b"), up, 5 * accuracy / 500);
        CHECK(lab_probe(&l, "kinetic") == 0);
        const double stretch = 5 * G / 500, expected = 10 * G * low + 5 * G * (low + up) + 500 * low * low + 250 * stretch * stretch;
        CHECK_NEAR(lab_probe(&l, "total"), expected, 1e-9);
        check_still(&l);
        close_lab(&l);
    }
}

/* With dry friction of 3 N in the upper joint, which is pushed together from its free length, what it does not carry the spring does: it stops short. */
TEST(friction)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        char text[2000];
        (void)snprintf(
            text, sizeof text,
            "dimension: %d\ngravity: [0, -9.81%s]\ntime: {end: 10 s, step: 1 ms}\nstart: {equilibrium: true, tolerance: 1e-6 m/s^2}\nmechanisms:\n  m:\n"
            "    bodies: {b: {mass: 5, inertia: 1}}\n    joints: {k: {type: prismatic, parent: ground, child: b, axis: [0, 1%s], position: 0.2}}\n"
            "    forces: {t: {joint: k, stiffness: 500 N/m, free: 0.2, friction: 3 N}}\nprobes: {b: {joint: k}}\n",
            dimension, zero(dimension), zero(dimension));
        lab l = open_lab(text, 1);
        CHECK(fabs(500 * (0.2 - lab_probe(&l, "b")) - 5 * G) <= 3 + 5e-6);
        check_still(&l);
        close_lab(&l);
    }
}

/* ---- a frame on springs ----------------------------------------------------------------------------------------------------------- */

enum { WHEELS = 4 };

/* Wheels at (±1.5, ±1), a mass that is 0.3 and 0.2 off the middle; in the plane two wheels. */
static void write_frame(char *text, size_t size, int dimension, const double k[WHEELS], const char *start)
{
    const bool flat = dimension == 2;
    size_t n = (size_t)snprintf(
        text, size,
        "dimension: %d\ngravity: %s\ntime: {end: 10 s, step: 1 ms}\n%smaterials: {m: {density: 2700}}\ninteractions: [{between: [m, m], friction: 0.5}]\n"
        "bodies:\n  floor: {kind: fixed, material: m, shapes: [%s]}\n  frame: {kind: free, mass: 1000, %s, position: [0.3, %s]}\n",
        dimension, flat ? "[0, -9.81]" : "[0, 0, -9.81]", start,
        flat ? "{half_plane: {point: [0, 0], normal: [0, 1]}}" : "{half_space: {point: [0, 0, 0], normal: [0, 0, 1]}}",
        flat ? "inertia: 300" : "inertia_tensor: [300, 300, 500, 0, 0, 0]", flat ? "0.8" : "0.2, 0.8");
    for (int i = 0; i < (flat ? 2 : 4); i++)
        n += (size_t)snprintf(text + n, size - n, "  w%d: {kind: free, mass: 20, %s, position: [%g, %s0.3], material: m, shapes: [{%s: {radius: 0.3}}]}\n", i,
                              flat ? "inertia: 1" : "inertia_tensor: [1, 1, 1, 0, 0, 0]", i % 2 ? 1.5 : -1.5,
                              flat    ? ""
                              : i / 2 ? "1, "
                                      : "-1, ",
                              flat ? "disk" : "sphere");
    n += (size_t)snprintf(text + n, size - n, "joints:\n");
    for (int i = 0; i < (flat ? 2 : 4); i++)
        n += (size_t)snprintf(text + n, size - n,
                              "  s%d: {type: %s, bodies: [frame, w%d], at: [%g, %s0.3], axis: %s, slide: {stiffness: %g, damping: 2 kN s/m}}\n", i,
                              flat ? "slot" : "prismatic", i, i % 2 ? 1.5 : -1.5,
                              flat    ? ""
                              : i / 2 ? "1, "
                                      : "-1, ",
                              flat ? "[0, 1]" : "[0, 0, 1]", k[i]);
    n += (size_t)snprintf(text + n, size - n, "probes:\n  x: {body: frame, quantity: x}\n  y: {body: frame, quantity: y}\n  kinetic: {energy: kinetic}\n");
    for (int i = 0; i < (flat ? 2 : 4); i++)
        n += (size_t)snprintf(text + n, size - n,
                              "  n%d: {contact_force: w%d, quantity: %s}\n  x%d: {body: w%d, quantity: x}\n  y%d: {body: w%d, quantity: y}\n", i, i,
                              flat ? "y" : "z", i, i, i, i);
}

static double probe_of(const lab *l, const char *what, int i)
{
    char name[20];
    (void)snprintf(name, sizeof name, "%s%d", what, i);
    return lab_probe(l, name);
}

/* Loads of wheels of a stiff frame on springs: N = weight of the wheel + k (a + b x + c y), in balance about the middle. By Cramer. */
static void loads_by_stiffness(const double k[WHEELS], double load[WHEELS])
{
    double A[3][4] = {{0}};
    for (int i = 0; i < WHEELS; i++) {
        const double row[3] = {1, i % 2 ? 1.5 : -1.5, i / 2 ? 1 : -1};
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) A[r][c] += k[i] * row[r] * row[c];
    }
    const double on[3] = {1000 * G, 1000 * G * 0.3, 1000 * G * 0.2};
    for (int r = 0; r < 3; r++) A[r][3] = on[r];
    for (int p = 0; p < 3; p++)
        for (int r = 0; r < 3; r++)
            for (int c = 3; r != p && c >= p; c--) A[r][c] -= A[r][p] / A[p][p] * A[p][c];
    for (int i = 0; i < WHEELS; i++)
        load[i] = 20 * G + k[i] * (A[0][3] / A[0][0] + A[1][3] / A[1][1] * (i % 2 ? 1.5 : -1.5) + A[2][3] / A[2][2] * (i / 2 ? 1 : -1));
}

/* Loads add up to the weight and balance it about each axis where everything stands then. Of four wheels, one on a softer spring, they are those of stiff
 * springs that hardly tilt: the sag of millimetres over metres, 3e-3, is what the linear solution leaves out. */
TEST(frame_on_springs)
{
    static const double SOFT[WHEELS] = {5e4, 5e4, 5e4, 5e4}, STIFF[WHEELS] = {1e6, 1e6, 1e6, 4e5};
    for (int dimension = 2; dimension <= 3; dimension++) {
        char text[5000];
        const int wheels = dimension == 2 ? 2 : 4;
        write_frame(text, sizeof text, dimension, dimension == 2 ? SOFT : STIFF, "start: {equilibrium: true}\n");
        lab l = open_lab(text, 1);
        double sum = 0, about_y = 0, about_x = 0, expected[WHEELS];
        for (int i = 0; i < wheels; i++) {
            const double N = probe_of(&l, "n", i);
            sum += N;
            about_y += N * probe_of(&l, "x", i) - 20 * G * probe_of(&l, "x", i);
            about_x += N * probe_of(&l, "y", i) - 20 * G * probe_of(&l, "y", i);
        }
        const double weight = (1000 + 20 * wheels) * G;
        CHECK_NEAR(sum, weight, 1e-4 * weight);
        CHECK_NEAR(about_y, 1000 * G * lab_probe(&l, "x"), 1e-4 * weight * 1.5);
        if (dimension == 3) CHECK_NEAR(about_x, 1000 * G * lab_probe(&l, "y"), 1e-4 * weight * 1.5);
        loads_by_stiffness(STIFF, expected);
        for (int i = 0; i < wheels && dimension == 3; i++) CHECK_NEAR(probe_of(&l, "n", i), expected[i], 5e-3 * weight);
        check_still(&l);
        close_lab(&l);
    }
}

static void refuse(const char *text, const char *says)
{
    talus_world *w = NULL;
    talus_scene *scene = load_lab(text);
    (void)!talus_scene_build(scene, 1, &w);
    CHECK(w == NULL && talus_scene_mistake_count(scene) > 0);
    if (!strstr(talus_scene_mistake(scene, 0), says)) TEST_FAIL("'%s' does not say '%s'", talus_scene_mistake(scene, 0), says);
    talus_world_destroy(w);
    talus_scene_destroy(scene);
}

/* ---- oil -------------------------------------------------------------------------------------------------------------------------- */

static const double BETA = 1.4e9, A = 3.14159265358979323846 / 4 * 0.1 * 0.1;

/* The arm of hydraulics_machines_io: 200 kg on a hinge, 1.5 m out, on a cylinder; `more` valves and lines. */
static lab open_boom(int dimension, bool link, const char *start, const char *more)
{
    const bool space = dimension == 3;
    const char *z = zero(dimension), *inertia = space ? "inertia_tensor: [50, 50, 50, 0, 0, 0]" : "inertia: 50";
    char text[3000], arm[1000];
    if (link)
        (void)snprintf(arm, sizeof arm,
                       "mechanisms:\n  m:\n    bodies: {arm: {mass: 200, inertia: 50}}\n    joints: {j: {type: revolute, parent: ground, child: arm, child_at: "
                       "[-1.5, 0%s]}}\n",
                       z);
    else
        (void)snprintf(arm, sizeof arm,
                       "bodies:\n  arm: {kind: free, mass: 200, %s, position: [1.5, 0%s]}\njoints:\n  j: {type: revolute, bodies: [ground, arm]}\n", inertia,
                       z);
    (void)snprintf(
        text, sizeof text,
        "dimension: %d\ngravity: [0, -9.81%s]\ntime: {end: 20 s, step: 0.2 ms}\n%s%shydraulics:\n  c:\n    oil: {air: 0}\n    cylinders:\n"
        "      lift: {bodies: [ground, arm], at: [[0.3, -1%s], [-0.7, 0%s]], stroke: [1, 1.6], bore: 0.1 m, single_acting: true, dead_volume: 0.2 l, "
        "pressure: [0.1 MPa, 0]}\n%sprobes:\n  x: {body: arm, quantity: x}\n  y: {body: arm, quantity: y}\n  p: {pressure: lift.cap}\n%s"
        "  damped: {energy: damped}\n",
        dimension, z, start, arm, z, z, more, *more ? "  line: {pressure: s}\n" : "");
    return open_lab(text, 1);
}

/* What turns the arm at an angle: the closed chamber's p A dL/da less the weight's moment; the pressure that bears it. */
static double turns(double a, double *p)
{
    const double px = 0.8 * cos(a) - 0.3, py = 0.8 * sin(a) + 1, L = sqrt(px * px + py * py), slope = (-px * 0.8 * sin(a) + py * 0.8 * cos(a)) / L;
    const double V0 = 2e-4 + A * (sqrt(1.25) - 1), V = 2e-4 + A * (L - 1), moment = 200 * G * 1.5 * cos(a);
    *p = moment / (A * slope);
    return A * (1e5 - BETA * log(V / V0)) * slope - moment;
}

/* How far the arm's end swings in the first half second. */
static double swing(const lab *l)
{
    double low = (double)INFINITY, high = -(double)INFINITY;
    while (talus_world_time(l->world) < 0.5) {
        low = fmin(low, lab_probe(l, "y")), high = fmax(high, lab_probe(l, "y"));
        (void)lab_step(l);
    }
    return high - low;
}

/* The oil has the pressure of the load, its volume that of the pressure, and nothing rings; without such a start it swings by twice the way that the oil gives.
 */
TEST(boom_on_oil)
{
    for (int kind = 0; kind < 4; kind++) {
        const int dimension = kind % 2 ? 3 : 2;
        lab l = open_boom(dimension, kind / 2, "start: {equilibrium: true}\n", ""), other = open_boom(dimension, kind / 2, "", "");
        double low = -0.2, high = 0.2, p = 0;
        for (int i = 0; i < 100; i++) *(turns(0.5 * (low + high), &p) > 0 ? &low : &high) = 0.5 * (low + high);
        CHECK_NEAR(atan2(lab_probe(&l, "y"), lab_probe(&l, "x")), low, 1e-8);
        CHECK_NEAR(lab_probe(&l, "p"), p, 1e-4 * p);
        CHECK(lab_probe(&l, "damped") == 0);
        CHECK(lab_probe(&other, "p") < 0.5 * p);
        const double quiet = swing(&l), rings = swing(&other), gives = fabs(1.5 * sin(low));
        CHECK(rings > gives && quiet < 1e-3 * gives);
        close_lab(&l);
        close_lab(&other);
    }
}

/* An open valve to a line lets the pressures be the same; what leads to the tank does not drain the load; a valve that is shut keeps them apart. */
TEST(valves)
{
    static const char *const OPENING[] = {"1", "0"};
    for (int i = 0; i < 4; i++) {
        char more[500];
        (void)snprintf(more, sizeof more,
                       "    lines: {s: {volume: 1 l, pressure: 1 MPa}}\n    valves:\n      v: {type: orifice, from: s, to: lift.cap, flow: 20 l/min, drop: 1 "
                       "MPa, opening: "
                       "%s}\n      gap: {type: laminar, from: s, to: tank, flow: 0.001 l/min, drop: 1 MPa}\n",
                       OPENING[i / 2]);
        lab l = open_boom(i % 2 ? 3 : 2, true, "start: {equilibrium: true}\n", more);
        const double p = lab_probe(&l, "p"), line = lab_probe(&l, "line"), a = atan2(lab_probe(&l, "y"), lab_probe(&l, "x"));
        double carried;
        (void)turns(a, &carried);
        CHECK_NEAR(p, carried, 1e-4 * carried);
        if (i / 2 == 0) CHECK_NEAR(line, p, 1e-4 * p);
        else CHECK_NEAR(line, 1e6, 1e-6 * 1e6);
        close_lab(&l);
    }
}

/* ---- a chain ---------------------------------------------------------------------------------------------------------------------- */

/* Links of 1/20 m between two pins that are 0.8 m apart, hung up as a V. With the horizontal pull H the k-th link has the slope (k − 9.5) m g/H, and H is such
 * that the span is 0.8 m. */
TEST(chain)
{
    enum { LINKS = 20 };
    const double d = 1.0 / LINKS, m = 0.1;
    for (int dimension = 2; dimension <= 3; dimension++) {
        char text[12000];
        size_t n =
            (size_t)snprintf(text, sizeof text, "dimension: %d\ngravity: [0, -9.81%s]\ntime: {end: 10 s, step: 1 ms}\nstart: {equilibrium: true}\nbodies:\n",
                             dimension, zero(dimension));
        for (int k = 0; k < LINKS; k++) {
            const int down = k < LINKS / 2 ? k : LINKS - 1 - k;
            n += (size_t)snprintf(text + n, sizeof text - n, "  b%d: {kind: free, mass: %g, %s, position: [%.17g, %.17g%s]}\n", k, m,
                                  dimension == 2 ? "inertia: 1e-4" : "inertia_tensor: [1e-4, 1e-4, 1e-4, 0, 0, 0]", 0.8 * d * (k + 0.5),
                                  -0.6 * d * (down + 0.5), zero(dimension));
        }
        n += (size_t)snprintf(text + n, sizeof text - n, "joints:\n");
        for (int k = 0; k <= LINKS; k++) {
            char a[10] = "ground", b[10] = "ground";
            if (k > 0) (void)snprintf(a, sizeof a, "b%d", k - 1);
            if (k < LINKS) (void)snprintf(b, sizeof b, "b%d", k);
            n += (size_t)snprintf(text + n, sizeof text - n, "  j%d: {type: %s, bodies: [%s, %s], at: [%.17g, %.17g%s]}\n", k,
                                  dimension == 2 ? "revolute" : "spherical", a, b, 0.8 * d * k, -0.6 * d * (k < LINKS / 2 ? k : LINKS - k), zero(dimension));
        }
        n += (size_t)snprintf(text + n, sizeof text - n, "probes:\n");
        for (int k = 0; k < LINKS; k++)
            n += (size_t)snprintf(text + n, sizeof text - n, "  x%d: {body: b%d, quantity: x}\n  y%d: {body: b%d, quantity: y}\n", k, k, k, k);
        lab l = open_lab(text, 1);
        double low = 1e-3, high = 1e3, x = 0, y = 0;
        for (int i = 0; i < 200; i++) {
            const double H = sqrt(low * high);
            double span = 0;
            for (int k = 0; k < LINKS; k++) span += d / hypot(1, (k - 0.5 * (LINKS - 1)) * m * G / H);
            *(span < 0.8 ? &low : &high) = H;
        }
        for (int k = 0; k < LINKS; k++) {
            const double slope = (k - 0.5 * (LINKS - 1)) * m * G / low, c = 1 / hypot(1, slope);
            CHECK_NEAR(probe_of(&l, "x", k), x + 0.5 * d * c, 1e-4 * d);
            CHECK_NEAR(probe_of(&l, "y", k), y + 0.5 * d * c * slope, 1e-4 * d);
            x += d * c, y += d * c * slope;
        }
        check_still(&l);
        close_lab(&l);
    }
}

/* A piston that a drive holds: nothing moves from the first, but oil flows through an open valve until both sides have one pressure. What is in the chamber and
 * in the line by then was there before: of oil without air, volume V at pressure p, V exp(p/β). A valve that all but shuts is said, with what flows through it.
 */
TEST(held_piston)
{
    static const char *const OPENING[] = {"1", "1e-5"};
    for (int i = 0; i < 4; i++) {
        const int dimension = i % 2 ? 3 : 2;
        const char *z = zero(dimension);
        char text[3000];
        (void)snprintf(
            text, sizeof text,
            "dimension: %d\ngravity: [0, -9.81%s]\ntime: {end: 20 s, step: 0.2 ms}\nstart: {equilibrium: true, passes: 30}\nbodies:\n"
            "  arm: {kind: free, mass: 200, %s, position: [1.5, 0%s]}\njoints:\n  j: {type: revolute, bodies: [ground, arm], angle: {speed: 0 rad/s}}\n"
            "hydraulics:\n  c:\n    oil: {air: 0}\n    cylinders:\n      lift: {bodies: [ground, arm], at: [[0.3, -1%s], [-0.7, 0%s]], stroke: [1, 1.6], "
            "bore: 0.1 m, single_acting: true, dead_volume: 0.2 l, pressure: [2 MPa, 0]}\n    lines: {s: {volume: 1 l, pressure: 5 MPa}}\n"
            "    valves: {v: {type: orifice, from: s, to: lift.cap, flow: 20 l/min, drop: 1 MPa, opening: %s}}\n"
            "probes: {p: {pressure: lift.cap}, line: {pressure: s}}\n",
            dimension, z, dimension == 3 ? "inertia_tensor: [50, 50, 50, 0, 0, 0]" : "inertia: 50", z, z, z, OPENING[i / 2]);
        if (i / 2 == 1) {
            refuse(text, "oil still flows through valve 'v'");
            continue;
        }
        lab l = open_lab(text, 1);
        const double V = 2e-4 + A * (sqrt(1.25) - 1), p = BETA * log((V * exp(2e6 / BETA) + 1e-3 * exp(5e6 / BETA)) / (V + 1e-3));
        CHECK_NEAR(lab_probe(&l, "p"), p, 1e-4 * p);
        CHECK_NEAR(lab_probe(&l, "line"), p, 1e-4 * p);
        check_still(&l);
        close_lab(&l);
    }
}

/* ---- contacts --------------------------------------------------------------------------------------------------------------------- */

static void write_contacts(char *text, size_t size, int dimension, const char *start, const char *floor, const char *bodies, const char *probes)
{
    (void)snprintf(
        text, size,
        "dimension: %d\ngravity: [0, -9.81%s]\ntime: {end: 10 s, step: 1 ms}\n%smaterials: {m: {density: 1000}}\ninteractions: [{between: [m, m], friction: "
        "0.5}]\nbodies:\n  floor: {kind: fixed, material: m, shapes: [{%s: {point: [0, 0%s], normal: [%s%s]}}]}\n%sprobes:\n%s",
        dimension, zero(dimension), start, dimension == 2 ? "half_plane" : "half_space", zero(dimension), floor, zero(dimension), bodies, probes);
}

/* Four blocks above each other, with gaps between them that are not small, each a little aside: they come to lie on one another, and each bears those above. */
TEST(stack)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        char text[4000], bodies[2000], probes[1000];
        size_t n = 0, p = 0;
        for (int i = 0; i < 4; i++) {
            n += (size_t)snprintf(bodies + n, sizeof bodies - n,
                                  "  b%d: {kind: free, material: m, mass: 10, position: [%g, %g%s], shapes: [{box: {size: [0.2, 0.1%s]}}]}\n", i, 0.01 * i,
                                  0.052 + 0.103 * i, zero(dimension), dimension == 2 ? "" : ", 0.2");
        }
        for (int i = 0; i < 4; i++) {
            char below[10] = "floor";
            if (i) (void)snprintf(below, sizeof below, "b%d", i - 1);
            p += (size_t)snprintf(probes + p, sizeof probes - p,
                                  "  x%d: {body: b%d, quantity: x}\n  y%d: {body: b%d, quantity: y}\n  n%d: {contact_force: b%d, from: %s, quantity: y}\n", i,
                                  i, i, i, i, i, below);
        }
        write_contacts(text, sizeof text, dimension, "start: {equilibrium: true}\n", "0, 1", bodies, probes);
        lab l = open_lab(text, 1);
        for (int i = 0; i < 4; i++) {
            CHECK_NEAR(probe_of(&l, "y", i), 0.05 + 0.1 * i, 5e-5 * (i + 1)); /* a thousandth of the half width each */
            CHECK_NEAR(probe_of(&l, "n", i), 10 * G * (4 - i), 1e-4 * 10 * G * 4);
        }
        check_still(&l);
        close_lab(&l);
    }
}

static const char *const BOX[] = {"  box: {kind: free, material: m, mass: 10, position: [%.17g, %.17g], angle: %.17g, shapes: [{box: {size: [0.2, 0.1]}}]}\n",
                                  "  box: {kind: free, material: m, mass: 10, position: [%.17g, %.17g, 0], orientation: {axis_angle_deg: [0, 0, 1, %.17g]}, "
                                  "shapes: [{box: {size: [0.2, 0.1, 0.2]}}]}\n"};

static talus_scene *slope(int dimension, double angle, lab *l)
{
    char text[3000], bodies[1000], normal[100];
    (void)snprintf(bodies, sizeof bodies, BOX[dimension - 2], -0.0501 * sin(angle), 0.0501 * cos(angle),
                   dimension == 2 ? angle : angle * 180 / 3.14159265358979323846);
    (void)snprintf(normal, sizeof normal, "%.17g, %.17g", -sin(angle), cos(angle));
    write_contacts(text, sizeof text, dimension, "start: {equilibrium: true}\n", normal, bodies,
                   "  x: {body: box, quantity: x}\n  n: {contact_force: box, quantity: x}\n");
    if (l) *l = open_lab(text, 1);
    return l ? NULL : load_lab(text);
}

/* Below the angle of friction a box holds where it is; above, it is told with which acceleration it would slide, g (sin a − μ cos a). */
TEST(slopes)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        lab l;
        (void)slope(dimension, 0.4, &l);
        CHECK_NEAR(lab_probe(&l, "x"), -0.05 * sin(0.4), 3e-4);
        CHECK_NEAR(lab_probe(&l, "n"), 0, 1e-4 * 10 * G); /* normal and friction together are the weight */
        check_still(&l);
        close_lab(&l);
        talus_world *w = NULL;
        talus_scene *scene = slope(dimension, 0.55, NULL);
        CHECK(talus_scene_build(scene, 1, &w) == TALUS_DIVERGED && w == NULL);
        const char *text = talus_scene_mistake(scene, 0), *force = strstr(text, "nothing balances, ");
        CHECK(strstr(text, "no equilibrium") && strstr(text, "body 'box'") && force);
        if (force) CHECK_NEAR(strtod(force + strlen("nothing balances, "), NULL), 10 * G * (sin(0.55) - 0.5 * cos(0.55)), 1e-2 * 10 * G);
        talus_scene_destroy(scene);
    }
}

/* ---- afterwards -------------------------------------------------------------------------------------------------------------------- */

/* What a checkpoint holds goes on to the same bits, with more threads too, in a world that has searched itself, as `talus run --resume` makes one, and in one
 * of the same scene that has not: nothing of a search is left outside of the state. */
TEST(restart)
{
    static const double K[WHEELS] = {5e4, 6e4, 5e4, 4e4};
    for (int dimension = 2; dimension <= 3; dimension++) {
        enum { MOST = 100 };
        char text[5000], without[5000];
        talus_field fields[MOST];
        void *data[MOST];
        write_frame(text, sizeof text, dimension, K, "start: {equilibrium: true}\n");
        write_frame(without, sizeof without, dimension, K, "");
        lab l = open_lab(text, 1), again = open_lab(text, 2), fresh = open_lab(without, 2);
        CHECK(talus_world_hash(l.world) == talus_world_hash(again.world));
        CHECK(talus_world_hash(l.world) != talus_world_hash(fresh.world) && !talus_world_equilibrium(fresh.world, NULL));
        lab_run(&l, 0.1);
        const int count = talus_state_count(l.world);
        CHECK(count <= MOST);
        for (int i = 0; i < count && i < MOST; i++) {
            talus_state_field(l.world, i, &fields[i]);
            const size_t bytes = fields[i].rows * fields[i].columns * (fields[i].type == TALUS_FIELD_INT32 ? 4 : 8);
            data[i] = malloc(bytes + 1);
            if (!data[i]) exit(1);
            if (bytes > 0) memcpy(data[i], fields[i].data, bytes);
            fields[i].data = data[i];
        }
        lab_run(&l, 0.2);
        lab *const other[] = {&again, &fresh};
        for (int k = 0; k < 2; k++) {
            CHECK_OK(talus_state_restore(other[k]->world, fields, count), talus_world_error(other[k]->world));
            lab_run(other[k], 0.2);
            CHECK(talus_world_hash(l.world) == talus_world_hash(other[k]->world));
        }
        for (int i = 0; i < count && i < MOST; i++) free(data[i]);
        close_lab(&l), close_lab(&again), close_lab(&fresh);
    }
}

/* ---- soil ------------------------------------------------------------------------------------------------------------------------- */

/* Numbers of a field of the state by the end of its name; NULL: there is none. */
static const talus_field *field_named(talus_field *fields, int count, const char *end)
{
    for (int i = 0; i < count; i++) {
        const size_t n = strlen(fields[i].name), m = strlen(end);
        if (n >= m && strcmp(fields[i].name + n - m, end) == 0 && strncmp(fields[i].name, "joints", 6) != 0) return &fields[i];
    }
    return NULL;
}

/* A block of soil under its weight and a plate on a part of it, which yields and hardens: what it remembers is what it comes to from the start by the strains
 * of the place that is found, whatever the search went through. So a world whose soil is put to that place as it was at first remembers the same after a step.
 */
TEST(soil)
{
    for (int kind = 0; kind < 4; kind++) {
        enum { MOST = 100 };
        const int dimension = kind % 2 ? 3 : 2;
        const bool flat = dimension == 2;
        char text[2][4000];
        for (int k = 0; k < 2; k++)
            (void)snprintf(text[k], sizeof text[k],
                           "dimension: %d\ngravity: %s\ntime: {end: 10 s, step: 1 ms}\n%sintegrator: {theta: 1}\nsolids:\n  s:\n    box: {size: [1, 1%s], "
                           "elements: %s}\n%s"
                           "    material: {kind: drucker-prager, density: 2000, young: 10 MPa, poisson: 0.3, cohesion: 10 kPa, friction: 30 deg, tension: 2 "
                           "kPa, cap: 40 kPa, "
                           "cap_ratio: 0.6, compaction: 0.1, hardening: 2e-6}\n    fixed: [bottom]\n    loads: [{on: top, pressure: %d kPa}]\n",
                           dimension, flat ? "[0.5, -9.81]" : "[0.5, 0, -9.81]", k ? "" : "start: {equilibrium: true, tolerance: 1e-4 m/s^2, passes: 60}\n",
                           flat ? "" : ", 1", flat ? "4" : "2", kind / 2 ? "    meshfree: {}\n" : "", flat ? 30 : 15);
        lab l = open_lab(text[0], 1), other = open_lab(text[1], 1);
        talus_field fields[MOST];
        const int count = talus_state_count(l.world);
        CHECK(count <= MOST);
        for (int i = 0; i < count && i < MOST; i++) talus_state_field(l.world, i, &fields[i]);
        talus_field *memory = (talus_field *)(uintptr_t)field_named(fields, count, "memory");
        if (!memory) TEST_FAIL("no memory");
        const size_t size = memory->rows * memory->columns;
        double *zeros = calloc(size + 1, sizeof *zeros), *found = calloc(size + 1, sizeof *found), most = 0;
        if (!zeros || !found) exit(1);
        memory->data = zeros;
        CHECK_OK(talus_state_restore(other.world, fields, count), talus_world_error(other.world));
        (void)lab_step(&l), (void)lab_step(&other);
        for (int i = 0; i < count && i < MOST; i++) talus_state_field(l.world, i, &fields[i]);
        memcpy(found, memory->data, size * sizeof *found);
        for (size_t i = 0; i < size; i++) most = fmax(most, fabs(found[i]));
        for (int i = 0; i < count && i < MOST; i++) talus_state_field(other.world, i, &fields[i]);
        double off = 0;
        for (size_t i = 0; i < size; i++) off = fmax(off, fabs(((const double *)memory->data)[i] - found[i]));
        printf("%s in %dD: remembers up to %.3g, off by %.3g\n", kind / 2 ? "particles" : "elements", dimension, most, off);
        CHECK(most > 0);
        CHECK(off <= 1e-5 * most);
        free(zeros), free(found);
        close_lab(&l), close_lab(&other);
    }
}

/* ---- mistakes ----------------------------------------------------------------------------------------------------------------------- */

/* A foot that overlaps the ground by 30 mm where the search begins stands on it when the run does: no step lifts what the search has put on it, and no energy
 * comes of that. As a link on joints, and as a body that a joint between bodies holds up. */
TEST(overlap)
{
    for (int i = 0; i < 4; i++) {
        const int d = 2 + i % 2;
        const bool links = i < 2;
        const char *up = d == 2 ? "0, 1" : "0, 0, 1", *zero = d == 2 ? "0" : "0, 0";
        char text[2400], foot[300];
        snprintf(foot, sizeof foot, "mass: 10 kg, shapes: [{%s: {radius: 0.1 m, material: s}}]", d == 2 ? "disk" : "sphere");
        int n = snprintf(
            text, sizeof text,
            "dimension: %d\nstart: {equilibrium: true}\ntime: {end: 1 s, step: 1 ms}\ngravity: [%s, -9.81]\nmaterials: {s: {density: 2000}}\ninteractions: "
            "[{friction: 0.5}]\nprobes: {f: {contact_force: floor, quantity: %s}, e: {energy: total}, v: {body: top, quantity: %s}}\nbodies:\n  floor: {kind: "
            "fixed, shapes: [{%s: {point: [%s, 0], normal: [%s], material: s}}]}\n",
            d, zero, d == 2 ? "y" : "z", d == 2 ? "vy" : "vz", d == 2 ? "half_plane" : "half_space", zero, up);
        if (links)
            snprintf(text + n, sizeof text - (size_t)n,
                     "mechanisms:\n  m:\n    bodies: {foot: {%s}, top: {mass: 1000 kg}}\n    joints: {f: {type: prismatic, parent: ground, child: foot, axis: "
                     "[%s], position: "
                     "0.07}, t: {type: prismatic, parent: foot, child: top, axis: [%s], position: 0.5}}\n    forces: {sp: {joint: t, stiffness: 500 kN/m, "
                     "free: 0.5}}\n",
                     foot, up, up);
        else
            snprintf(text + n, sizeof text - (size_t)n,
                     "  foot: {%s, position: [%s, 0.07]}\n  top: {mass: 1000 kg, %s, position: [%s, 0.57]}\njoints:\n  f: {type: prismatic, bodies: [ground, "
                     "foot], axis: [%s]}\n  "
                     "t: {type: prismatic, bodies: [foot, top], axis: [%s], slide: {stiffness: 500 kN/m}}\n",
                     foot, zero, d == 2 ? "inertia: 1" : "inertia_tensor: [1, 1, 1]", zero, up, up);
        lab l = open_lab(text, 1);
        talus_step_report report;
        const double e = lab_probe(&l, "e");
        CHECK_NEAR(lab_probe(&l, "f"), -1010 * 9.81, 1010 * 9.81e-4);
        for (int k = 1; k <= 50; k++) {
            CHECK_OK(talus_world_step(l.world, &report), talus_world_error(l.world));
            CHECK(report.penetration < 1.0001e-4); /* the slop, a thousandth of the radius */
            CHECK_NEAR(lab_probe(&l, "f"), -1010 * 9.81, 1010 * 9.81e-4);
            CHECK_NEAR(lab_probe(&l, "e"), e, 1e-6 * 1010 * 9.81 * 1e-3);
            CHECK(fabs(lab_probe(&l, "v")) < 9.81e-4 * 1e-3 * k);
        }
        close_lab(&l);
    }
}

/* A column that overlaps by a tenth of a radius in each contact stands as high as it is when the run begins: no step lifts it. */
TEST(column_that_overlaps)
{
    enum { MOST = 30 };
    for (int i = 0; i < 4; i++) {
        const int d = 2 + i % 2, count = i < 2 ? 10 : MOST;
        const char *zero = d == 2 ? "0" : "0, 0";
        char text[5000];
        int n = snprintf(
            text, sizeof text,
            "dimension: %d\nstart: {equilibrium: true}\ntime: {end: 1 s, step: 1 ms}\ngravity: [%s, -9.81]\nmaterials: {s: {density: 2000}}\ninteractions: "
            "[{friction: 0.5}]\nprobes: {y: {body: b%d, quantity: %s}, e: {energy: total}}\nbodies:\n  floor: {kind: fixed, shapes: [{%s: {point: [%s, 0], "
            "normal: "
            "[%s, 1], material: s}}]}\n",
            d, zero, count - 1, d == 2 ? "y" : "z", d == 2 ? "half_plane" : "half_space", zero, zero);
        for (int k = 0; k < count; k++)
            n += snprintf(text + n, sizeof text - (size_t)n, "  b%d: {position: [%s, %.9g], shapes: [{%s: {radius: 0.1, material: s}}]}\n", k, zero,
                          0.095 + 0.19 * k, d == 2 ? "disk" : "sphere");
        lab l = open_lab(text, 1);
        talus_step_report report;
        const double y = lab_probe(&l, "y"), e = lab_probe(&l, "e"), high = 0.1 + 0.2 * (count - 1);
        CHECK(y < high && y > high - 1.02e-4 * count); /* but for slops */
        for (int k = 0; k < 30; k++) {
            CHECK_OK(talus_world_step(l.world, &report), talus_world_error(l.world));
            CHECK(report.penetration < 1.02e-4);
        }
        CHECK_NEAR(lab_probe(&l, "y"), y, 1e-5 * count * 0.1);
        CHECK_CLOSE(lab_probe(&l, "e"), e, 1e-6);
        close_lab(&l);
    }
}

/* Between walls, where friction leaves many answers, the run begins with that of the start and moves with less than what the start allows: 1e-4 of gravity. In
 * space rows of balls lie along the walls. */
TEST(nothing_moves_off)
{
    static const double R = 0.1, LAP = 0.002, H = 1e-3, PI = 3.14159265358979323846;
    enum { STEPS = 10 };
    for (int i = 0; i < 6; i++) {
        const int d = i < 3 ? 2 : 3, side = (int[]){3, 4, 5, 3, 4, 5}[i];
        const double apart = 2 * R * (1 - LAP / 2), width = apart * side + 0.5 * R + R * LAP, mass = d == 2 ? PI * R * R * 2000 : 4 * PI / 3 * R * R * R * 2000;
        const char *across = d == 2 ? "" : ", 0";
        char text[5000];
        int n = snprintf(
            text, sizeof text,
            "dimension: %d\nstart: {equilibrium: true}\ntime: {end: 1 s, step: 1 ms}\ngravity: [0, -9.81%s]\nmaterials: {s: {density: "
            "2000}}\ninteractions: [{friction: 0.5}]\nprobes: {k: {energy: kinetic}}\nbodies:\n  box:\n    kind: fixed\n    material: s\n    shapes:\n",
            d, across);
        const char *kind = d == 2 ? "half_plane" : "half_space";
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "      - {%s: {point: [0, 0%s], normal: [0, 1%s]}}\n      - {%s: {point: [0, 0%s], normal: [1, 0%s]}}\n      - {%s: {point: [%.9g, 0%s], "
                      "normal: [-1, 0%s]}}\n",
                      kind, across, across, kind, across, across, kind, width, across, across);
        for (int k = 0; k < side * side; k++)
            n += snprintf(text + n, sizeof text - (size_t)n, "  g%d: {position: [%.9g, %.9g%s], material: s, shapes: [{%s: {radius: 0.1}}]}\n", k,
                          R + apart * (k % side) + 0.5 * R * (k / side % 2), R * (1 - LAP) + (k / side) * (1.96 * R - LAP * R), across,
                          d == 2 ? "disk" : "sphere");
        lab l = open_lab(text, 1);
        for (int k = 0; k < STEPS; k++) lab_step(&l);
        const double speed = 9.81e-4 * STEPS * H;
        if (!(lab_probe(&l, "k") < 0.5 * side * side * mass * speed * speed)) TEST_FAIL("%d grains in %dD: %.3g J", side * side, d, lab_probe(&l, "k"));
        close_lab(&l);
    }
}

TEST(mistakes)
{
    static const char *const HEAD[] = {"dimension: 2\ngravity: [0, -9.81]\ntime: {end: 1 s, step: 1 ms}\n",
                                       "dimension: 3\ngravity: [0, -9.81, 0]\ntime: {end: 1 s, step: 1 ms}\n"};
    static const char *const CASE[][2] = {
        {"start: {tolerance: 1e-3}\nbodies: {a: {kind: free, mass: 1, @}}\n", "'equilibrium: true' asks for one"},
        {"start: {equilibrium: false, passes: 10}\nbodies: {a: {kind: free, mass: 1, @}}\n", "'equilibrium: true' asks for one"},
        {"start: {equilibrium: true, tolerance: 0}\nbodies: {a: {kind: free, mass: 1, @}}\n", "tolerance"},
        {"start: {equilibrium: true, passes: 0}\nbodies: {a: {kind: free, mass: 1, @}}\n", "passes"},
        {"start: {equilibrium: maybe}\nbodies: {a: {kind: free, mass: 1, @}}\n", "equilibrium"},
        {"start: {equilibrium: true}\nintegrator: {scheme: spook}\nbodies: {a: {kind: free, mass: 1, @}}\n", "under 'spook' a machine comes to rest elsewhere"},
        {"start: {equilibrium: true, passes: 20}\nmechanisms: {m: {bodies: {a: {mass: 2, inertia: 1}}, joints: {j: {type: prismatic, parent: ground, child: a, "
         "axis: "
         "[0, 1#]}}}}\n",
         "body 'a' has the largest force that nothing balances, 19.62 N"},
        {"start: {equilibrium: true}\nmechanisms: {m: {bodies: {a: {mass: 2, inertia: 1}}, joints: {j: {type: revolute, parent: ground, child: a}}, drives: "
         "{d: {joint: j, "
         "speed: 2 rad/s}}}}\n",
         "body 'a' begins with 2 rad/s"},
        {"start: {equilibrium: true}\nbodies: {a: {kind: free, mass: 1, @}}\njoints: {j: {type: revolute, bodies: [ground, a], angle: {speed: 3 "
         "rad/s}}}\n",
         "drive of joint 'j' begins with 3"},
        {"start: {equilibrium: true}\nbodies: {a: {kind: free, mass: 1, @}}\nloads: {l: {body: a, y: \"1 N*sqrt(-1 - t/(1 s))\"}}\n",
         "body 'a' has a load or a motion that is not a number"},
    };
    for (size_t i = 0; i < sizeof CASE / sizeof *CASE; i++)
        for (int space = 0; space < 2; space++) { /* @: inertia, #: the third number of a vector */
            char text[2000];
            size_t n = (size_t)snprintf(text, sizeof text, "%s", HEAD[space]);
            for (const char *c = CASE[i][0]; *c; c++)
                if (*c == '@') n += (size_t)snprintf(text + n, sizeof text - n, "%s", space ? "inertia_tensor: [1, 1, 1, 0, 0, 0]" : "inertia: 1");
                else if (*c == '#') n += (size_t)snprintf(text + n, sizeof text - n, "%s", space ? ", 0" : "");
                else text[n++] = *c, text[n] = '\0';
            refuse(text, CASE[i][1]);
        }
    refuse("dimension: 2\ngravity: [0, -9.81]\ntime: {end: 1 s, step: 1 ms}\nstart: {equilibrium: true}\nbodies: {a: {kind: free, mass: 1, inertia: 1, "
           "velocity: [1, 0]}}\n",
           "body 'a' begins with 1 m/s");
    refuse("dimension: 3\ngravity: [0, 0, -9.81]\ntime: {end: 1 s, step: 1 ms}\nstart: {equilibrium: true}\nbodies: {a: {kind: free, mass: 1, inertia_tensor: "
           "[1, 1, 1, 0, 0, 0], "
           "velocity: [1, 0, 0]}}\n",
           "body 'a' begins with 1 m/s");
}

/* A stone that a source will bring with a velocity is not there yet. */
TEST(absent)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        talus_world_def d = talus_world_def_default();
        talus_world *w = NULL;
        d.dimension = dimension, d.step = 1e-3;
        CHECK_OK(talus_world_create(&d, &w, NULL, 0), "no world");
        talus_body_def b = talus_body_def_default();
        talus_body_id id;
        b.mass = 1, b.inertia = 1, b.kind = TALUS_BODY_ABSENT, b.changes_kind = true, b.velocity[0] = 3;
        for (int i = 0; i < 3; i++) b.inertia_space[i] = 1;
        CHECK_OK(talus_body_create(w, &b, &id), talus_world_error(w));
        const talus_equilibrium_def find = talus_equilibrium_def_default();
        CHECK_OK(talus_world_find_equilibrium(w, &find, NULL), talus_world_error(w));
        talus_world_destroy(w);
    }
}

/* A heavy body that stands within the tolerance, on a spring that is off by 20 N, and a light one that falls: the light one is named, with its 0.981 N. */
TEST(worst)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        char text[2000];
        (void)snprintf(text, sizeof text,
                       "dimension: %d\ngravity: [0, -9.81%s]\ntime: {end: 10 s, step: 1 ms}\nstart: {equilibrium: true, tolerance: 1 m/s^2, passes: 3}\n"
                       "mechanisms:\n  m:\n    bodies: {heavy: {mass: 1000, inertia: 1}}\n    joints:\n      j: {type: prismatic, parent: ground, child: "
                       "heavy, axis: [0, 1%s]}\n"
                       "    forces: {s: {joint: j, law: \"9790 N\"}}\n  n:\n    bodies: {light: {mass: 0.1, inertia: 1}}\n"
                       "    joints: {k: {type: prismatic, parent: ground, child: light, axis: [0, 1%s]}}\n",
                       dimension, zero(dimension), zero(dimension), zero(dimension));
        refuse(text, "body 'light' has the largest force that nothing balances, 0.981 N");
    }
}

/* What a search has failed in is not stepped on. */
TEST(lost)
{
    lab l = open_lab("dimension: 2\ngravity: [0, -9.81]\ntime: {end: 1 s, step: 1 ms}\nbodies: {a: {kind: free, mass: 1, inertia: 1}}\n", 1);
    talus_equilibrium_def def = talus_equilibrium_def_default();
    def.max_passes = 5;
    CHECK(talus_world_find_equilibrium(l.world, &def, NULL) == TALUS_DIVERGED);
    CHECK(strstr(talus_world_error(l.world), "no equilibrium was found in 5 passes"));
    CHECK(talus_world_step(l.world, NULL) == TALUS_UNSUPPORTED);
    CHECK(strstr(talus_world_error(l.world), "build the world anew"));
    CHECK(talus_world_find_equilibrium(l.world, &def, NULL) == TALUS_UNSUPPORTED);
    close_lab(&l);
}

/* A box of 40 kg, above the floor or in it, comes to lie on it with its weight whatever its restitution is: at rest nothing bounces. */
TEST(restitution_is_nothing_at_rest)
{
    static const double HEIGHT[] = {0.09, 0.1, 0.101, 0.12}, RESTITUTION[] = {0, 0.3, 0.9};
    static const char *const SCENE[2] = {
        "gravity: [0, -9.81]\ntime: {end: 0.1 s, step: 1 ms}\nstart: {equilibrium: true}\nmaterials: {r: {density: 1000}}\n"
        "interactions: [{friction: 0.4, restitution: %g}]\nbodies:\n  floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: "
        "r}}]}\n  box: {position: [0, %g], shapes: [{box: {size: [0.2, 0.2], material: r}}]}\n"
        "probes: {z: {body: box, quantity: y}, f: {contact_force: box, quantity: y}}\n",
        "dimension: 3\ngravity: [0, 0, -9.81]\ntime: {end: 0.1 s, step: 1 ms}\nstart: {equilibrium: true}\nmaterials: {r: {density: 5000}}\n"
        "interactions: [{friction: 0.4, restitution: %g}]\nbodies:\n  floor: {kind: fixed, shapes: [{half_space: {point: [0, 0, 0], normal: [0, 0, 1], "
        "material: r}}]}\n  box: {position: [0, 0, %g], shapes: [{box: {size: [0.2, 0.2, 0.2], material: r}}]}\n"
        "probes: {z: {body: box, quantity: z}, f: {contact_force: box, quantity: z}}\n"};
    for (int space = 0; space < 2; space++)
        for (size_t h = 0; h < sizeof HEIGHT / sizeof *HEIGHT; h++)
            for (size_t e = 0; e < sizeof RESTITUTION / sizeof *RESTITUTION; e++) {
                char text[2048];
                snprintf(text, sizeof text, SCENE[space], RESTITUTION[e], HEIGHT[h]); // NOLINT: one of the two above
                lab l = open_lab(text, 1);
                lab_run(&l, 0.05);
                CHECK_NEAR(lab_probe(&l, "z"), 0.1, 2e-4);
                CHECK_CLOSE(lab_probe(&l, "f"), 40 * 9.81, 1e-4); /* the tolerance of the solver */
                close_lab(&l);
            }
}

int main(int argc, char **argv)
{
    RUN(springs);
    RUN(friction);
    RUN(frame_on_springs);
    RUN(boom_on_oil);
    RUN(valves);
    RUN(held_piston);
    RUN(chain);
    RUN(stack);
    RUN(slopes);
    RUN(restart);
    RUN(overlap);
    RUN(column_that_overlaps);
    RUN(nothing_moves_off);
    RUN(mistakes);
    RUN(absent);
    RUN(worst);
    RUN(soil);
    RUN(lost);
    RUN(restitution_is_nothing_at_rest);
    return TEST_RESULT;
}
