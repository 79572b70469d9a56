/* Sources, sinks and flows in space: what comes by mass, what goes, what passes a plane, fields of cells; against what must balance and closed forms. */
#include "lab.h"

static const double PI = 3.14159265358979323846, G = 9.81;

/* ---- sources and sinks ------------------------------------------------------------------------------------------------ */

/* Balls of 2 cm are shot along x at 2 m/s for 1.5 s, by mass per time. One sink takes its own grains at 1 m, another one all at 3 m; a third rides on a
 * body that comes towards them, and takes what is in its box. */
static const char GUN[] =
    "dimension: 3\n"
    "time: {end: 3 s, step: 1 ms}\n"
    "materials: {stone: {density: 1000}}\n"
    "bodies: {cart: {kind: imposed, position: [2.4995 m, 5, 0], motion: {x: -1 m/s * t}}}\n"
    "grains:\n"
    "  shots: {generator: source, count: 300, region: [[0, 0, 0], [1 mm, 1 mm, 1 mm]], mass_rate: 1 kg/s, radius: 20 mm, velocity: [2 m/s, 0, 0],\n"
    "          begin: 0.1 s, end: 1.6 s, material: stone}\n"
    "  others: {generator: source, count: 300, region: {sphere: {centre: [0, 1, 0], radius: 1 mm}}, rate: 20 Hz, radius: 20 mm,\n"
    "           velocity: [2 m/s, 0, 0], material: stone}\n"
    "  caught: {generator: list, positions: [[0.5, 5, 0], [1, 5, 0], [0.5, 7, 0]], radius: 20 mm, material: stone}\n"
    "sinks:\n"
    "  own: {grains: shots, region: [[1, -9, -9], [9, 9, 9]]}\n"
    "  all: {region: [[3, -9, -9], [9, 9, 9]]}\n"
    "  box: {region: [[-0.1, -1, -1], [0.1, 1, 1]], frame: cart}\n"
    "probes:\n"
    "  come: {source: shots}\n"
    "  here: {mass: shots}\n"
    "  own: {sink: own}\n"
    "  own count: {sink: own, quantity: number}\n"
    "  all: {sink: all, quantity: number}\n"
    "  others: {source: others, quantity: number}\n"
    "  left: {number: others}\n"
    "  box: {sink: box, quantity: number}\n"
    "  passed: {flow: all, quantity: number, at: [2, 0, 0], normal: [1, 0, 0]}\n";

TEST(sources_and_sinks)
{
    lab l = open_lab(GUN, 1);
    const double ball = 1000 * 4.0 / 3 * PI * 8e-6;
    for (int step = 1; step <= 2800; step++) {
        lab_step(&l);
        const double t = 1e-3 * step, shot = fmin(fmax(t - 0.1, 0), 1.5), come = lab_probe(&l, "come");
        CHECK(come <= shot + 1e-9 && come > shot - ball);
        CHECK_NEAR(come, lab_probe(&l, "here") + lab_probe(&l, "own"), 1e-12);
        CHECK_NEAR(lab_probe(&l, "own"), lab_probe(&l, "own count") * ball, 1e-12);
        if (t < 0.6 - 2e-3) CHECK(lab_probe(&l, "own") == 0); /* 1 m at 2 m/s after 0.1 s */
        CHECK(lab_probe(&l, "others") == floor(20 * t + 1e-6));
        CHECK(lab_probe(&l, "all") + lab_probe(&l, "left") == lab_probe(&l, "others"));
        CHECK_NEAR(lab_probe(&l, "left"), 20 * fmin(t, 1.5), 1);              /* 3 m at 2 m/s: they are there for 1.5 s */
        CHECK_NEAR(lab_probe(&l, "passed"), 20 * fmax(t - 1, 0), 1.05);       /* the others; the shots end at 1 m */
        CHECK(lab_probe(&l, "box") == (t >= 1.4 - 1e-9) + (t >= 1.9 - 1e-9)); /* at 2.4995 − t ± 0.1 */
    }
    CHECK_CLOSE(lab_probe(&l, "own"), floor(1.5 / ball) * ball, 1e-9);
    CHECK(strcmp(talus_world_warnings(l.world), "") == 0);
    close_lab(&l);
}

/* In the plane, a sink that turns with a body: a spoke that goes around once takes each of eight disks as it passes. */
TEST(sink_on_a_turning_body)
{
    char text[2048];
    int at = snprintf(text, sizeof text,
                      "time: {end: 9 s, step: 1 ms}\nmaterials: {m: {density: 1000}}\nbodies: {spoke: {kind: imposed, motion: {angle: 1 rad/s * t}}}\n"
                      "sinks: {out: {region: [[0.5, -0.05], [1.5, 0.05]], frame: spoke}}\nprobes: {n: {sink: out, quantity: number}}\ngrains: {g: {generator: "
                      "list, radius: 1 cm, material: m, positions: [");
    for (int k = 0; k < 8; k++)
        at += snprintf(text + at, sizeof text - (size_t)at, "%s[%.17g, %.17g]", k ? ", " : "", cos(0.5 + k * PI / 4), sin(0.5 + k * PI / 4));
    snprintf(text + at, sizeof text - (size_t)at, "]}}\n");
    lab l = open_lab(text, 1);
    for (int step = 1; step < 6000; step++) {
        lab_step(&l);
        const double t = 1e-3 * step;
        int taken = 0;
        for (int k = 0; k < 8; k++) taken += t >= 0.5 + k * PI / 4 - asin(0.05);
        CHECK(lab_probe(&l, "n") == taken);
    }
    close_lab(&l);
}

/* A sink of one group lets the other one pass, in the plane. */
TEST(sink_of_one_group)
{
    lab l = open_lab("time: {end: 9 s, step: 1 ms}\nmaterials: {m: {density: 1000}}\n"
                     "grains: {a: {generator: list, radius: 1 cm, velocity: [1, 0], material: m, positions: [[0, 0], [0, 1]]},\n"
                     "         b: {generator: list, radius: 1 cm, velocity: [1, 0], material: m, positions: [[0, 2], [0, 3], [0, 4]]}}\n"
                     "sinks: {out: {grains: a, region: [[0.5, -1], [0.6, 9]]}}\nprobes: {n: {sink: out, quantity: number}, a: {number: a}, b: {number: b}}\n",
                     1);
    lab_run(&l, 0.49);
    CHECK(lab_probe(&l, "n") == 0 && lab_probe(&l, "a") == 2);
    lab_run(&l, 1);
    CHECK(lab_probe(&l, "n") == 2 && lab_probe(&l, "a") == 0 && lab_probe(&l, "b") == 3);
    close_lab(&l);
}

/* ---- flow ---------------------------------------------------------------------------------------------------------------- */

/* A lattice falls through a plane at z = 1 m that leans with its body by nothing, and through the same one within a window. */
static const char RAIN[] =
    "dimension: 3\n"
    "time: {end: 1 s, step: 1 ms}\n"
    "gravity: [0, 0, -9.81]\n"
    "materials: {stone: {density: 1000}}\n"
    "grains: {rain: {generator: lattice, rows: 3, columns: 5, layers: 4, spacing: 0.3 m, origin: [0, 0, 1.1 m], radius: 0.1 m, material: stone}}\n"
    "probes:\n"
    "  number: {flow: rain, quantity: number, at: [7, 8, 1], normal: [0, 0, -2]}\n"
    "  mass: {flow: all, quantity: mass, at: [0, 0, 1], normal: [0, 0, -1]}\n"
    "  up: {flow: rain, quantity: number, at: [0, 0, 1], normal: [0, 0, 1]}\n"
    "  window: {flow: rain, quantity: number, at: [0, 0, 1], normal: [0, 0, -1], region: [[-0.1, -0.1, 0], [0.7, 0.4, 2]]}\n"
    "  rate: {flow: rain, at: [0, 0, 1], normal: [0, 0, -1], over: 0.2 s}\n"
    "  again: {flow: rain, quantity: rate, at: [0, 0, 1], normal: [0, 0, -1], over: 0.2 s}\n";

static int fallen(double t)
{
    int layers = 0;
    for (int i = 0; i < 4; i++) layers += 1.1 + 0.3 * i - 0.5 * G * t * t <= 1;
    return layers;
}

TEST(flow_of_a_falling_lattice)
{
    lab l = open_lab(RAIN, 1);
    const double grain = 1000 * 4.0 / 3 * PI * 1e-3;
    for (int step = 1; step <= 600; step++) {
        lab_step(&l);
        const double t = 1e-3 * step, whole = 0.2 * floor(t / 0.2 + 1e-9);
        const int layers = fallen(t);
        CHECK(lab_probe(&l, "number") == 15 * layers && lab_probe(&l, "up") == -15 * layers && lab_probe(&l, "window") == 6 * layers);
        CHECK_NEAR(lab_probe(&l, "mass"), grain * 15 * layers, 1e-9);
        CHECK_NEAR(lab_probe(&l, "rate"), whole > 0 ? grain * 15 * (fallen(whole) - fallen(whole - 0.2)) / 0.2 : 0, 1e-6);
        CHECK(lab_probe(&l, "rate") == lab_probe(&l, "again"));
    }
    CHECK(lab_probe(&l, "number") == 60);
    close_lab(&l);
}

/* In the plane: a conveyor of disks 0.1 m apart at 1 m/s hands over ten times their mass in a second; said and unsaid the same. */
TEST(rate_of_a_conveyor)
{
    lab l = open_lab(
        "time: {end: 9 s, step: 1 ms}\nmaterials: {m: {density: 1000}}\n"
        "grains: {g: {generator: lattice, rows: 1, columns: 40, spacing: 0.1 m, origin: [-3.95, 0], radius: 0.04, velocity: [1, 0], material: m}}\n"
        "probes: {rate: {flow: g, quantity: rate, at: [0, 0], normal: [1, 0], over: 0.5 s}, unsaid: {flow: g, at: [0, 0], normal: [1, 0], over: 0.5 s}}\n",
        1);
    for (int k = 1; k <= 6; k++) {
        lab_run(&l, 0.5 * k + 0.25);
        CHECK_CLOSE(lab_probe(&l, "rate"), 10 * 1000 * PI * 0.0016, 1e-12);
        CHECK(lab_probe(&l, "rate") == lab_probe(&l, "unsaid"));
    }
    close_lab(&l);
}

/* ---- fields --------------------------------------------------------------------------------------------------------------- */

/* Balls that turn together about z: in each cell the mean velocity is that of the mean place. Cells are counted along each axis. */
TEST(cells_of_a_rigid_rotation)
{
    enum { SIDE = 4 };
    const double omega = 3;
    char text[32768], name[32];
    int at = snprintf(text, sizeof text, "dimension: 3\ntime: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 1000}}\nbodies:\n");
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        const double x = i % SIDE - 1.5, y = i / SIDE % SIDE - 1.3, z = i / (SIDE * SIDE) - 1.5;
        at += snprintf(text + at, sizeof text - (size_t)at,
                       "  b%d: {position: [%g, %g, %g], velocity: [%.17g, %.17g, 0], mass: %d, shapes: [{sphere: {radius: 0.1, material: m}}]}\n", i, x, y, z,
                       -omega * y, omega * x, 1 + i % 3);
    }
    static const char *const WHAT[] = {"x", "y", "z", "vx", "vy", "vz"};
    at += snprintf(text + at, sizeof text - (size_t)at,
                   "probes:\n  n: {number: all, region: [[-2, -2, -2], [2, 2, 2]], cells: [4, 1, 2]}\n  m: {mass: all, region: [[-2, -2, -2], [2, 2, 2]], "
                   "cells: [1, 1, 1]}\n");
    for (int k = 0; k < 6; k++)
        at += snprintf(text + at, sizeof text - (size_t)at, "  %s: {grains: all, quantity: %s, region: [[-2, -2, -2], [2, 2, 2]], cells: [2, 2, 2]}\n", WHAT[k],
                       WHAT[k]);
    lab l = open_lab(text, 1);
    for (int cell = 0; cell < 8; cell++) {
        double v[6];
        for (int k = 0; k < 6; k++) {
            snprintf(name, sizeof name, "%s.%d.%d.%d", WHAT[k], cell % 2 + 1, cell / 2 % 2 + 1, cell / 4 + 1);
            v[k] = lab_probe(&l, name);
        }
        CHECK_NEAR(v[3], -omega * v[1], 1e-12);
        CHECK_NEAR(v[4], omega * v[0], 1e-12);
        CHECK_NEAR(v[5], 0, 1e-12);
        for (int k = 0; k < 3; k++) CHECK(v[k] * ((cell >> k) % 2 ? 1 : -1) > 0);
        snprintf(name, sizeof name, "n.%d.%d", cell % 4 + 1, cell / 4 + 1);
        CHECK(lab_probe(&l, name) == SIDE * SIDE * SIDE / 8);
    }
    double mass = 0;
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) mass += 1 + i % 3;
    CHECK_NEAR(lab_probe(&l, "m"), mass, 1e-12);
    close_lab(&l);
}

int main(int argc, char **argv)
{
    RUN(sources_and_sinks);
    RUN(sink_on_a_turning_body);
    RUN(sink_of_one_group);
    RUN(flow_of_a_falling_lattice);
    RUN(rate_of_a_conveyor);
    RUN(cells_of_a_rigid_rotation);
    return TEST_RESULT;
}
