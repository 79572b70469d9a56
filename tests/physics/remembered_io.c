/* Laws that remember, where the list of near pairs is made anew within a step, beside ropes, and of solids on half-spaces. */
#include <math.h>

#include "solid_text.h"

/* ---- shapes of several parts ------------------------------------------------------------------------------------------------ */

#define STEP(a, b) "outline: {points: [[-" a ", -" b "], [" a ", -" b "], [" a ", 0], [0, 0], [0, " b "], [-" a ", " b "]]}"

static const struct {
    double x, y, vx, vy, angle, spin;
    const char *material, *shapes;
} FALLS[] = {
    {-1.2, 0.2440992933312509, 0.32555332893618427, 0.43962176011413145, 2.560910183482286, -3.1273067542555006, "a", "{" STEP("0.12", "0.09") "}"},
    {-1.1636958460046076, 0.6040992933312509, -0.6850443949230682, 0.32743105226076574, -1.8880742407802773, 0, "a", "{" STEP("0.08", "0.06") "}"},
    {-0.2, 0.21941818955944412, -0.6426284067713559, -0.04637339824598463, -2.6846099519987927, -0.4599471094903098, "b",
     "{disk: {radius: 0.04, centre: [-0.05, 0]}}, {box: {size: [0.06, 0.06], centre: [0.04, 0.02]}}"},
    {-0.1908164563162939, 0.5794181895594441, -0.3662193609540467, -0.8213747203028658, 2.976210047889145, -1.6411135658658713, "b",
     "{" STEP("0.12", "0.09") "}"},
    {0.8, 0.20155206315698618, -0.39055936382094414, 0.4775724049335215, -2.7172591011269676, 1.6026814416466086, "b",
     "{segment: {from: [-0.105, 0], to: [0.105, 0.015], radius: 0.036}}"},
};
enum { FALLING = sizeof FALLS / sizeof *FALLS };

/* Where they are in the end, in axes that turn and move with the scene. */
static void fall(double turn, double away, double out[FALLING][2])
{
    char text[ROOM] = "";
    const double c = cos(turn), s = sin(turn);
    put(text, "gravity: [%.17g, %.17g]\ntime: {end: 0.3 s, step: 4 ms}\nintegrator: {theta: 1}\nsolver: {tolerance: 1e-9, max_iterations: 20000}\n", 9.81 * s,
        -9.81 * c);
    put(text, "materials: {a: {density: 1000}, b: {density: 2500}}\ninteractions:\n"
              "  - {between: [a, a], friction: 0, law: cohesion, force: 150, distance: 0.001, breaking: once}\n"
              "  - {between: [a, b], friction: 0, restitution: 0.3, law: rolling, rolling: 0.005}\n"
              "bodies:\n");
    put(text, "  floor: {kind: fixed, material: a, position: [%.17g, %.17g], shapes: [{half_plane: {point: [0, 0], normal: [%.17g, %.17g]}}]}\n", away, -away,
        -s, c);
    for (int i = 0; i < FALLING; i++)
        put(text, "  b%d: {position: [%.17g, %.17g], velocity: [%.17g, %.17g], angle: %.17g, angular_velocity: %.17g, material: %s, shapes: [%s]}\n", i,
            away + c * FALLS[i].x - s * FALLS[i].y, -away + s * FALLS[i].x + c * FALLS[i].y, c * FALLS[i].vx - s * FALLS[i].vy,
            s * FALLS[i].vx + c * FALLS[i].vy, FALLS[i].angle + turn, FALLS[i].spin, FALLS[i].material, FALLS[i].shapes);
    put(text, "probes:\n");
    for (int i = 0; i < FALLING; i++) put(text, "  x%d: {body: b%d}\n  y%d: {body: b%d, quantity: y}\n", i, i, i, i);
    lab l = open_lab(text, 1);
    lab_run(&l, 0.3);
    for (int i = 0; i < FALLING; i++) {
        char name[2][8];
        snprintf(name[0], sizeof name[0], "x%d", i), snprintf(name[1], sizeof name[1], "y%d", i);
        const double x = lab_probe(&l, name[0]) - away, y = lab_probe(&l, name[1]) + away;
        out[i][0] = c * x + s * y, out[i][1] = -s * x + c * y;
    }
    close_lab(&l);
}

/* In one of these a step of the fall makes the list anew after it has found the states, and in others not: nothing of that is seen. */
TEST(turned_and_moved)
{
    double first[FALLING][2], other[FALLING][2];
    fall(0, 0, first);
    for (int k = 1; k < 5; k++) {
        fall(0.7 * k, 0.37 * k, other);
        for (int i = 0; i < FALLING; i++)
            for (int axis = 0; axis < 2; axis++) CHECK_NEAR(other[i][axis], first[i][axis], 1e-7);
    }
}

/* ---- beside ropes ----------------------------------------------------------------------------------------------------------- */

/* A disk hangs on a rope beside a box that stands on soil, below the threshold of its law, and has sunk by nothing; the rope carries the disk. */
TEST(beside_ropes)
{
    static const char *const LAW[] = {"plastic, threshold: 5 kN, hardening: 100 kN/m, limit: 0.2", "cohesion, force: 10 N, distance: 0.1 mm, breaking: once"},
                             *const KIND[] = {"rope", "rod", "strut"};
    for (int i = 0; i < 6; i++) {
        char text[ROOM] = "";
        const bool above = strcmp(KIND[i % 3], "strut") != 0;
        put(text, "gravity: [0, -10]\ntime: {end: 1 s, step: 2 ms}\nmaterials: {m: {density: 1000}}\ninteractions: [{friction: 0.5, law: %s}]\n", LAW[i / 3]);
        put(text, "bodies:\n  f: {kind: fixed, material: m, shapes: [{half_plane: {point: [0, 0], normal: [0, 1]}}]}\n"
                  "  a: {position: [0, 0.2], material: m, shapes: [{box: {size: [0.4, 0.4]}}]}\n"
                  "  c: {position: [2, 2], mass: 3, inertia: 0.1, material: m, shapes: [{disk: {radius: 0.2}}]}\n");
        put(text, "ropes: {r: {type: %s, bodies: [ground, c], at: [[2, %g], [0, 0]], length: 1.5}}\n", KIND[i % 3], above ? 3.5 : 0.5);
        put(text, "probes: {y: {body: a, quantity: y}, c: {body: c, quantity: y}, t: {rope: r}}\n");
        lab l = open_lab(text, 1);
        lab_run(&l, 1);
        CHECK_NEAR(lab_probe(&l, "y"), 0.2, 1e-6);
        CHECK_NEAR(lab_probe(&l, "c"), 2, 1e-6);
        CHECK_NEAR(fabs(lab_probe(&l, "t")), 30, 1e-3);
        close_lab(&l);
    }
}

/* ---- solids on half-spaces --------------------------------------------------------------------------------------------------- */

/* A block of a solid that is laid onto soil sinks into it by what its weight is beyond the threshold, over the hardening. */
TEST(solids_on_half_spaces)
{
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int meshfree = 0; meshfree < 2; meshfree++) {
            char text[ROOM] = "";
            const bool flat = dimension == 2;
            const double weight = flat ? 1600 : 640;
            put(text, "dimension: %d\ntime: {end: 9 s, step: 2 ms}\nmaterials: {m: {density: 1000}}\n", dimension);
            put(text, "interactions: [{friction: 0.5, law: plastic, threshold: %g, hardening: %g, limit: 0.5}]\n", 0.5 * weight, 0.5 * weight / 2e-3);
            put(text, "bodies: {f: {kind: fixed, material: m, shapes: [{%s}]}}\n",
                flat ? "half_plane: {point: [0, 0], normal: [0, 1]}" : "half_space: {point: [0, 0, 0], normal: [0, 0, 1]}");
            put(text, "solids:\n  s:\n    box: {size: %s, elements: 2}\n    position: %s\n%s", flat ? "[0.4, 0.4]" : "[0.4, 0.4, 0.4]",
                flat ? "[0, 0.4]" : "[0, 0, 0.4]", meshfree ? "    meshfree: {}\n" : "");
            put(text,
                "    material: {density: 1000, young: 50 MPa, poisson: 0}\n    damping: {mass: 20, stiffness: 1 ms}\n    contact: {material: m}\n    force: "
                "{%s: \"-10 kN/m^3*min(t/(2 s), 1)\"}\n",
                flat ? "y" : "z");
            put(text, "probes: {q: {displacement: s, on: bottom, quantity: %s}}\n", flat ? "y" : "z");
            lab l = open_lab(text, 1);
            lab_run(&l, 2.1);
            CHECK_NEAR(lab_probe(&l, "q"), -2e-3, 5e-5); /* it swings in by 2 mm/s √(m/hardening) */
            close_lab(&l);
        }
}

/* ---- ropes that are torn ----------------------------------------------------------------------------------------------------- */

/* What is moved whatever pulls tears a rope; it is said, of ropes between two points and over pulleys. */
TEST(torn_ropes)
{
    static const char *const ROPE[] = {"{bodies: [ground, p], at: [[0, 0], [0, 0]], length: 1.2}",
                                       "{bodies: [ground, b, p], at: [[0, 0], [0, 0], [0, 0]], length: 1.2}",
                                       "{type: rod, bodies: [ground, p], at: [[0, 0], [0, 0]], length: 1}"};
    for (int i = 0; i < 6; i++) {
        char text[ROOM] = "";
        put(text,
            "gravity: [0, 0]\ntime: {end: 2 s, step: 5 ms}\nmaterials: {m: {density: 1000}}\nbodies:\n  p: {kind: imposed, position: [1, 0], material: m, "
            "shapes: [{disk: {radius: 0.1}}], motion: {x: \"%s*t/(1 s)\"}}\n",
            i < 3 ? "0.5 m" : "0.05 m");
        put(text, "  b: {mass: 1, inertia: 0.1, position: [0.5, 0]}\nropes: {r: %s}\nprobes: {x: {body: p}}\n", ROPE[i % 3]);
        lab l = open_lab(text, 1);
        lab_run(&l, 1);
        const bool said = strstr(talus_world_all_warnings(l.world), "is off its length by") != NULL;
        CHECK(said == (i < 3));
        close_lab(&l);
    }
}

int main(int argc, char **argv)
{
    RUN(turned_and_moved);
    RUN(beside_ropes);
    RUN(solids_on_half_spaces);
    RUN(torn_ropes);
    return TEST_RESULT;
}
