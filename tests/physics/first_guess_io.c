/* The impulses of the last step are the first guess of the next, and may be off by less than the tolerance. If they were the answer, too, what they are off by
 * would be the same in each step: it would add up, and the more the smaller the steps are. The default tolerance goes with the fastest bodies, and h g does
 * not. Forces that were foreseen are such a guess, too. */
#include "lab.h"

static const double G = 10, PI = 3.14159265358979323846;

/* ---- friction ---------------------------------------------------------------------------------------------------------------- */

/* Bodies that slide on a table at v₀: v = v₀ − μ g t, and none leaves it. In the text: dimension, gravity, the table. */
static void slides(int dimension, const char *bodies, const char *solver, double step)
{
    static const double SPEED = 10, FRICTION = 0.3, END = 0.05;
    char text[4096];
    const bool space = dimension == 3;
    snprintf(text, sizeof text,
             "dimension: %d\ngravity: %s\ntime: {end: 1 s, step: %g s}\nmaterials: {m: {density: 125}}\ninteractions: [{friction: 0.3}]\n%s"
             "bodies:\n  table: {kind: fixed, material: m, shapes: [{box: %s}]}\n%s"
             "probes: {z: {body: b, quantity: %s}, v: {body: b, quantity: vx}}\n",
             dimension, space ? "[0, 0, -10]" : "[0, -10]", step, solver,
             space ? "{size: [100, 4, 0.2], centre: [0, 0, -0.1]}" : "{size: [100, 0.2], centre: [0, -0.1]}", bodies, space ? "z" : "y");
    lab l = open_lab(text, 1);
    const double start = lab_probe(&l, "z");
    lab_run(&l, END);
    /* an error of the tolerance, 1e-3 m/s, in each of a hundred steps would be more than that */
    if (!(fabs(lab_probe(&l, "v") - (SPEED - FRICTION * G * END)) < 1e-4 && fabs(lab_probe(&l, "z") - start) < 1e-6))
        TEST_FAIL("dimension %d, %s h = %g s: v = %.9g m/s, height %.9g m", dimension, solver, step, lab_probe(&l, "v"), lab_probe(&l, "z"));
    close_lab(&l);
}

static const char *const BOX[] = {"  b: {position: [0, 0.1], velocity: [10, 0], material: m, shapes: [{box: {size: [0.2, 0.2]}}]}\n",
                                  "  b: {position: [0, 0, 0.1], velocity: [10, 0, 0], material: m, shapes: [{box: {size: [0.2, 0.2, 0.2]}}]}\n"};

TEST(a_box_by_each_method)
{
    static const char *const METHOD[] = {"nlgs", "ccp", "interior_point", "newton", "proximal", "pivot", "split", "pgs", "auto", "bodies"};
    for (size_t i = 0; i < sizeof METHOD / sizeof *METHOD; i++) {
        char solver[128];
        snprintf(solver, sizeof solver, "solver: {method: %s}\n", METHOD[i]);
        for (int d = 2; d <= 3; d++) slides(d, BOX[d - 2], solver, 1e-5);
    }
}

TEST(a_box_by_default)
{
    for (int d = 2; d <= 3; d++) {
        slides(d, BOX[d - 2], "", 1e-4), slides(d, BOX[d - 2], "", 1e-5), slides(d, BOX[d - 2], "", 3e-6);
        slides(d, BOX[d - 2], "integrator: {scheme: spook}\n", 1e-5);
    }
}

/* Six balls as one body, by joints; two boxes with a pin. */
TEST(what_is_joined)
{
    static const char *const SOLVER[] = {"", "solver: {method: bodies}\n"};
    for (int d = 2; d <= 3; d++) {
        char train[2048] = "", joints[1024] = "joints:\n";
        const bool space = d == 3;
        for (int i = 0; i < 6; i++) {
            const double x = 0.3 * (space ? i % 3 : i), y = space ? 0.3 * (i / 3) : 0.1, x1 = 0.3 * (space ? (i + 1) % 3 : i + 1),
                         y1 = space ? 0.3 * ((i + 1) / 3) : 0.1;
            char name[8], next[8];
            snprintf(name, sizeof name, i == 0 ? "b" : "b%d", i), snprintf(next, sizeof next, "b%d", i + 1);
            snprintf(train + strlen(train), sizeof train - strlen(train),
                     "  %s: {position: [%g, %g%s], velocity: [10, 0%s], material: m, shapes: [{%s: {radius: 0.1}}]}\n", name, x, y, space ? ", 0.1" : "",
                     space ? ", 0" : "", space ? "sphere" : "disk");
            if (i < 5)
                snprintf(joints + strlen(joints), sizeof joints - strlen(joints), "  j%d: {type: fixed, bodies: [%s, %s], at: [%g, %g%s]}\n", i, name, next,
                         0.5 * (x + x1), 0.5 * (y + y1), space ? ", 0.1" : "");
        }
        strcat(train, joints);
        for (int k = 0; k < 2; k++) slides(d, train, SOLVER[k], 1e-4), slides(d, train, SOLVER[k], 1e-5);
    }
    for (int k = 0; k < 2; k++) {
        static const char *const PAIR = "  b: {position: [0, 0, 0.1], velocity: [10, 0, 0], material: m, shapes: [{box: {size: [0.2, 0.2, 0.2]}}]}\n"
                                        "  d: {position: [0, 0.5, 0.1], velocity: [10, 0, 0], material: m, shapes: [{box: {size: [0.2, 0.2, 0.2]}}]}\n"
                                        "joints:\n  j: {type: revolute, bodies: [b, d], at: [0, 0.25, 0.1], axis: [0, 1, 0]}\n";
        slides(3, PAIR, SOLVER[k], 1e-4), slides(3, PAIR, SOLVER[k], 1e-5);
    }
}

/* ---- laws of contacts ------------------------------------------------------------------------------------------------------ */

/* A ball of 1 kg at a fixed one, and, where `speed` > 0, another far away that makes the tolerance large. */
typedef struct meeting {
    int dimension;
    const char *law, *fixed; /* interaction; shape of what does not move, in the plane and in space */
    double at, velocity;     /* of the ball, along the last axis */
    double gravity, speed, step;
} meeting;

static lab meet(const meeting *m)
{
    char text[4096];
    const bool space = m->dimension == 3;
    const char *zero = space ? "0, 0" : "0", *ball = space ? "sphere" : "disk", *inertia = space ? "inertia_tensor: [1e-2, 1e-2, 1e-2]" : "inertia: 1e-2";
    snprintf(text, sizeof text,
             "dimension: %d\ngravity: [%s, %g]\ntime: {end: 10 s, step: %g s}\nmaterials: {m: {density: 1000}}\ninteractions: [{%s}]\n"
             "bodies:\n  f: {kind: fixed, material: m, shapes: [%s]}\n"
             "  b: {position: [%s, %g], velocity: [%s, %g], mass: 1, centre_of_mass: [%s, 0], %s, material: m, shapes: [{%s: {radius: 0.1}}]}\n"
             "  far: {position: [10, %s], velocity: [%g, %s], mass: 1, material: m, shapes: [{%s: {radius: 0.1}}]}\n"
             "probes: {z: {body: b, quantity: %s}, v: {body: b, quantity: %s}}\n",
             m->dimension, zero, -m->gravity, m->step, m->law, m->fixed, zero, m->at, zero, m->velocity, zero, inertia, ball, space ? "0, 50" : "50", m->speed,
             zero, ball, space ? "z" : "y", space ? "vz" : "vy");
    return open_lab(text, 1);
}

/* 20 N hold what weighs 10 N, under its ceiling. */
TEST(a_ball_under_its_ceiling)
{
    static const char *const CEILING[] = {"{box: {size: [1, 0.2], centre: [0, 0.1]}}", "{box: {size: [1, 1, 0.2], centre: [0, 0, 0.1]}}"};
    for (int d = 2; d <= 3; d++)
        for (double speed = 0; speed < 200; speed += 100) {
            lab l = meet(&(meeting){d, "law: cohesion, force: 20, distance: 1e-3, friction: 0.3", CEILING[d - 2], -0.1, 0, G, speed, 1e-4});
            lab_run(&l, 0.1);
            CHECK_NEAR(lab_probe(&l, "z"), -0.1, 1e-6);
            close_lab(&l);
        }
}

/* Balls part against a force F(s): ½ m v² falls by ∫ F ds. What a step takes too much is of first order in h. */
TEST(balls_part_against_a_pull)
{
    static const char *const FIXED[] = {"{disk: {radius: 0.1}}", "{sphere: {radius: 0.1}}"};
    static const double RUPTURE = 3e-3, LENGTH = 1e-3;
    double work = 0; /* of a bridge of 1 N, by Simpson's rule */
    enum { PARTS = 1000 };
    for (int i = 0; i <= PARTS; i++) {
        const double s = RUPTURE * i / PARTS / LENGTH, F = 1 / (1 + 1.05 * s + 2.5 * s * s);
        work += RUPTURE / PARTS / 3 * F * (i == 0 || i == PARTS ? 1 : i % 2 ? 4 : 2);
    }
    for (int d = 2; d <= 3; d++)
        for (double speed = 0; speed < 20; speed += 10)
            for (double step = 1e-4; step > 5e-6; step /= 10) {
                lab bridge = meet(&(meeting){d, "law: capillary, bridge_force: 1, bridge_length: 1e-3, rupture: 3e-3", FIXED[d - 2], 0.2, 0.1, 0, speed, step});
                lab glue = meet(&(meeting){d, "law: cohesion, force: 0.5, distance: 1e-3", FIXED[d - 2], 0.2, 0.1, 0, speed, step});
                lab_run(&bridge, 0.06), lab_run(&glue, 0.03);
                const double by_bridge = sqrt(0.01 - 2 * work), by_glue = sqrt(0.01 - 2 * 0.5e-3),
                             off = 100 * step; /* F h / m is 1e-4 m/s at most, of 0.1 m/s */
                if (!(fabs(lab_probe(&bridge, "v") - by_bridge) < off * by_bridge && fabs(lab_probe(&glue, "v") - by_glue) < off * by_glue))
                    TEST_FAIL("dimension %d, h = %g s, beside %g m/s: %.6g and %.6g m/s, not %.6g and %.6g", d, step, speed, lab_probe(&bridge, "v"),
                              lab_probe(&glue, "v"), by_bridge, by_glue);
                close_lab(&bridge), close_lab(&glue);
            }
}

/* Ground that yields: F₀ + k x, theory §2.4. */
TEST(a_ball_sinks_into_ground_that_yields)
{
    static const char *const FLOOR[] = {"{half_plane: {point: [0, 0], normal: [0, 1]}}", "{half_space: {point: [0, 0, 0], normal: [0, 0, 1]}}"};
    const double k = 1000, a = G - 5, v0 = 0.5, deep = a / k + sqrt(a * a + v0 * v0 * k) / k;
    for (int d = 2; d <= 3; d++)
        for (double speed = 0; speed < 200; speed += 100)
            for (double step = 1e-3; step > 5e-6; step /= 10) {
                lab l = meet(&(meeting){d, "law: plastic, threshold: 5, hardening: 1000, limit: 0.5", FLOOR[d - 2], 0.1, -v0, G, speed, step});
                lab_run(&l, 0.1);
                CHECK_NEAR(0.1 - lab_probe(&l, "z"), deep, 2 * v0 * step + 1e-5);
                close_lab(&l);
            }
}

/* ---- forces ------------------------------------------------------------------------------------------------------------------ */

/* Gyroscopic moments of bodies that joints hold are foreseen as those of their free flight. */

/* A fast top on its point, level: it goes round with m g L/(J ω), and neither sinks nor rises; m g L = J ω Ω. */
TEST(a_top_goes_round)
{
    static const double STEP[] = {2e-3, 1e-3, 5e-4};
    for (int k = 0; k < 3; k++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "dimension: 3\ngravity: [0, 0, -9.81]\ntime: {end: 10 s, step: %g s}\n"
                 "bodies: {top: {mass: 2, inertia_tensor: [0.02, 0.03, 0.03], position: [0.5, 0, 0], spin: [100, 0, 4.905], velocity: [0, 2.4525, 0]}}\n"
                 "joints: {pivot: {type: spherical, bodies: [ground, top], at: [0, 0, 0]}}\n"
                 "probes: {x: {body: top, quantity: x}, y: {body: top, quantity: y}, z: {body: top, quantity: z}, e: {energy: total}}\n",
                 STEP[k]);
        lab l = open_lab(text, 1);
        const double energy = lab_probe(&l, "e");
        lab_run(&l, 3);
        const double second = STEP[k] * STEP[k]; /* order of the error; the turning of a step is 100 rad/s × h */
        CHECK_NEAR(lab_probe(&l, "z"), 0, 1e3 * second);
        CHECK_NEAR(lab_probe(&l, "e"), energy, 5e4 * second);
        CHECK_NEAR(remainder(atan2(lab_probe(&l, "y"), lab_probe(&l, "x")) - 4.905 * 3, 2 * PI), 0, 1e5 * second);
        close_lab(&l);
    }
}

/* What a rope over a pulley or a cylinder holds is foreseen no more than what joints do. */
TEST(a_top_on_a_rope_or_a_cylinder)
{
    static const char ROPE[] = "ropes: {p: {bodies: [ground, ground, top], at: [[1, 0, 1.5], [0, 0, 1], [-0.5, 0, 0]]}}\n";
    static const char CYLINDER[] =
        "hydraulics:\n  h:\n    oil: {}\n    cylinders: {z: {bodies: [ground, top], at: [[0, 0, 1], [-0.5, 0, 0]], bore: 50 mm, rod: 30 "
        "mm, stroke: [0.5 m, 1.5 m], dead_volume: 0.01 l}}\n    valves: {o: {type: laminar, from: z.rod, to: z.cap, flow: 1e-9 l/min, "
        "drop: 1 MPa}}\n";
    for (int k = 0; k < 4; k++) {
        const double step = k % 2 ? 5e-4 : 1e-3;
        char text[1500];
        snprintf(text, sizeof text,
                 "dimension: 3\ngravity: [0, 0, -9.81]\ntime: {end: 10 s, step: %g s}\n"
                 "bodies: {top: {mass: 2, inertia_tensor: [0.02, 0.03, 0.03], position: [0.5, 0, 0], spin: [100, 0, 4.905], velocity: [0, 2.4525, 0]}}\n%s"
                 "probes: {e: {energy: total}}\n",
                 step, k / 2 ? CYLINDER : ROPE);
        lab l = open_lab(text, 1);
        const double energy = lab_probe(&l, "e");
        lab_run(&l, 3);
        CHECK_NEAR(lab_probe(&l, "e"), energy, 5e4 * step * step);
        close_lab(&l);
    }
}

/* Boxes that slide beside a row of hinged ones under a load that changes fast: what takes steps in velocities of bodies is the row alone, the others sweeps. */
TEST(boxes_beside_an_island)
{
    enum { HINGED = 6, LOOSE = 12 };
    char text[6000];
    int n = snprintf(
        text, sizeof text,
        "dimension: 3\ngravity: [0, 0, -10]\ntime: {end: 1 s, step: 10 us}\nsolver: {tolerance: 1e-3}\nmaterials: {m: {density: 125}}\n"
        "interactions: [{friction: 0.3}]\nbodies:\n  table: {kind: fixed, material: m, shapes: [{half_space: {point: [0, 0, 0], normal: [0, 0, 1]}}]}\n");
    for (int i = 0; i < HINGED + LOOSE; i++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  b%d: {position: [%g, %g, 0.1], velocity: [%d, 0, 0], material: m, shapes: [{box: {size: [0.2, 0.2, 0.2]}}]}\n", i,
                      i < HINGED ? 0 : -0.5 * i, i < HINGED ? 3 + 0.3 * i : 0, i < HINGED ? 0 : 10);
    n += snprintf(text + n, sizeof text - (size_t)n, "loads:\n  f: {body: b0, z: \"-10000 N*(2 + sin(270000*t/(1 s)))\"}\njoints:\n");
    for (int i = 1; i < HINGED; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "  j%d: {type: revolute, bodies: [b%d, b%d], at: [0, %g, 0.1], axis: [1, 0, 0]}\n", i, i - 1, i,
                      2.85 + 0.3 * i);
    (void)snprintf(text + n, sizeof text - (size_t)n, "probes: {v: {body: b9, quantity: vx}, z: {body: b9, quantity: z}}\n");
    lab l = open_lab(text, 1);
    lab_run(&l, 0.02);
    CHECK_NEAR(lab_probe(&l, "v"), 10 - 0.3 * 10 * 0.02, 1e-6);
    CHECK_NEAR(lab_probe(&l, "z"), 0.1, 1e-7);
    close_lab(&l);
}

/* A top as a link of a mechanism, where θ is 1: forces of inertia are of the middle of a step all the same, and the error is of order h, not a fall. */
TEST(a_top_goes_round_whatever_theta_is)
{
    static const char *const INTEGRATOR[] = {"{scheme: spook}", "{theta: 1}", "{theta: 0.5}"};
    for (int k = 0; k < 3; k++)
        for (double step = 1e-3; step > 2e-4; step /= 2) {
            char text[1024];
            snprintf(text, sizeof text,
                     "dimension: 3\ngravity: [0, 0, -9.81]\ntime: {end: 10 s, step: %g s}\nintegrator: %s\n"
                     "mechanisms:\n  m:\n    bodies: {top: {mass: 2 kg, inertia: [0.02, 0.03, 0.03], centre_of_mass: [0.5, 0, 0]}}\n"
                     "    joints: {pivot: {type: spherical, parent: ground, child: top, velocity: {wx: 100 rad/s, wy: 0, wz: 4.905 rad/s}}}\n"
                     "probes: {z: {body: top, quantity: z, at: [0.5, 0, 0]}}\n",
                     step, INTEGRATOR[k]);
            lab l = open_lab(text, 1);
            lab_run(&l, 3);
            CHECK_NEAR(lab_probe(&l, "z"), 0, 0.1 * 100 * step); /* a fall of half a metre, or a tenth of the turn of a step */
            close_lab(&l);
        }
}

/* A rotor that is out of balance in moments turns on for ever. */
TEST(a_skew_rotor_turns_on)
{
    for (double step = 2e-3; step > 3e-4; step /= 2) {
        char text[1024];
        snprintf(text, sizeof text,
                 "dimension: 3\ntime: {end: 100 s, step: %g s}\n"
                 "bodies: {a: {mass: 3, inertia_tensor: [0.1, 0.2, 0.3], spin: [7.0710678118654755, 7.0710678118654755, 0]}}\n"
                 "joints: {c: {type: revolute, bodies: [ground, a], at: [0, 0, 0], axis: [1, 1, 0]}}\n"
                 "probes: {w: {body_joint: c.angle, quantity: velocity}}\n",
                 step);
        lab l = open_lab(text, 1);
        lab_run(&l, 20);
        CHECK_NEAR(lab_probe(&l, "w"), 10, 1e-3);
        close_lab(&l);
    }
}

/* A rotor on a body that flies: in relative and in maximal coordinates, as the step gets smaller. */
TEST(a_rotor_on_a_free_body)
{
    static const char *const COORDINATES[] = {"relative", "maximal"};
    double off[3];
    for (int k = 0; k < 3; k++) {
        double wx[2], energy[2];
        for (int c = 0; c < 2; c++) {
            char text[1024];
            snprintf(text, sizeof text,
                     "dimension: 3\ntime: {end: 100 s, step: %g s}\nmechanisms:\n  m:\n    coordinates: %s\n"
                     "    bodies: {base: {mass: 10, inertia: [1, 2, 3]}, r: {mass: 2, inertia: [0.05, 0.1, 0.05]}}\n    joints:\n"
                     "      f: {type: free, parent: ground, child: base, velocity: {wx: 0.5 rad/s, wy: 0.1 rad/s, wz: 0.2 rad/s}}\n"
                     "      r: {type: revolute, parent: base, child: r, at: [0, 0, 0.3], axis: [0, 1, 0], velocity: 100 rad/s}\n"
                     "probes: {wx: {body: base, quantity: wx}, e: {energy: kinetic}}\n",
                     1e-3 / (1 << k), COORDINATES[c]);
            lab l = open_lab(text, 1);
            lab_run(&l, 5);
            wx[c] = lab_probe(&l, "wx"), energy[c] = lab_probe(&l, "e");
            close_lab(&l);
        }
        off[k] = fabs(wx[1] - wx[0]);
        CHECK_NEAR(energy[1], energy[0], 1e-3 * energy[0]);
    }
    CHECK(off[0] > 0 && off[1] < off[0] / 3 && off[2] < off[1] / 3); /* a quarter for each halving: of the second order */
}

int main(int argc, char **argv)
{
    RUN(a_box_by_each_method);
    RUN(a_box_by_default);
    RUN(what_is_joined);
    RUN(a_ball_under_its_ceiling);
    RUN(balls_part_against_a_pull);
    RUN(a_ball_sinks_into_ground_that_yields);
    RUN(a_top_goes_round);
    RUN(a_skew_rotor_turns_on);
    RUN(a_top_on_a_rope_or_a_cylinder);
    RUN(boxes_beside_an_island);
    RUN(a_top_goes_round_whatever_theta_is);
    RUN(a_rotor_on_a_free_body);
    return TEST_RESULT;
}
