/* What slides over seams: a floor of flush shapes is as smooth as one shape, and a step in it is one. */
#include <math.h>

#include "lab.h"

/* Slides without friction at `speed` from 0.15 m before a seam at 0 to as far behind it, `deep` in the floor. Speed and height in the end. */
typedef struct slide {
    double speed, height;
} slide;

static slide slide_over(int d, const char *scheme, const char *floor, const char *shape, double speed, double deep)
{
    char text[2000];
    const char *zero = d == 2 ? "" : "0, ", *up = d == 2 ? "y" : "z";
    snprintf(text, sizeof text,
             "dimension: %d\ntime: {end: 100 s, step: 1 ms}\ngravity: [%s0, -10]\nintegrator: {scheme: %s}\nmaterials: {s: {density: 1000}}\ninteractions: "
             "[{friction: 0}]\ndrift: {slop: 0.1 mm}\nsolver: {tolerance: 1e-10 m/s}\nbodies:\n%s\n  b: {position: [-0.15, %s%.9g], velocity: [%.9g, %s0], "
             "material: s, shapes: "
             "[{%s}]}\nprobes: {v: {body: b, quantity: vx}, x: {body: b}, h: {body: b, quantity: %s}}\n",
             d, zero, scheme, floor, zero, 0.05 - deep, speed, zero, shape, up);
    lab l = open_lab(text, 1);
    while (lab_probe(&l, "x") < 0.15 && talus_world_time(l.world) < 0.4 / speed) lab_step(&l);
    const slide out = {lab_probe(&l, "v"), lab_probe(&l, "h")};
    close_lab(&l);
    return out;
}

static const char *const PLANE[] = {
    "  floor: {kind: fixed, material: s, shapes: [{box: {size: [2, 1], centre: [-1, -0.5]}}, {box: {size: [2, 1], centre: [1, -0.5]}}]}",
    "  one: {kind: fixed, material: s, shapes: [{box: {size: [2, 1], centre: [-1, -0.5]}}]}\n  two: {kind: fixed, material: s, shapes: [{box: {size: [2, 1], "
    "centre: [1, -0.5]}}]}",
    "  floor: {kind: fixed, material: s, shapes: [{repeat: {count: 10, shift: [0.1, 0], shapes: [{box: {size: [0.1, 0.2], centre: [-0.45, -0.1]}}]}}]}",
    "  floor: {kind: fixed, material: s, shapes: [{outline: {points: [[-2, 0], [2, 0], [2, -1], [0.2, -1], [0, -0.5], [-0.2, -1], [-2, -1]]}}]}",
    "  floor: {kind: imposed, motion: {x: 0 m, y: 0 m}, material: s, shapes: [{box: {size: [2, 1], centre: [-1, -0.5]}}, {box: {size: [2, 1], "
    "centre: [1, -0.5]}}]}"};
static const char *const SPACE[] = {
    "  floor: {kind: fixed, material: s, shapes: [{box: {size: [2, 2, 1], centre: [-1, 0, -0.5]}}, {box: {size: [2, 2, 1], centre: [1, 0, -0.5]}}]}",
    "  one: {kind: fixed, material: s, shapes: [{box: {size: [2, 2, 1], centre: [-1, 0, -0.5]}}]}\n  two: {kind: fixed, material: s, shapes: [{box: {size: [2, "
    "2, 1], centre: [1, 0, -0.5]}}]}",
    "  floor: {kind: fixed, material: s, shapes: [{repeat: {count: 10, shift: [0.1, 0, 0], shapes: [{box: {size: [0.1, 2, 0.2], centre: [-0.45, 0, "
    "-0.1]}}]}}]}"};
static const char *const FLAT[] = {"box: {size: [0.2, 0.1]}", "polygon: {points: [[-0.1, -0.05], [0.1, -0.05], [0.05, 0.05], [-0.05, 0.05]]}",
                                   "polygon: {points: [[0, 0.08], [-0.1, -0.05], [0.1, -0.05]]}"};
static const char *const SOLID[] = {"box: {size: [0.2, 0.1, 0.1]}", "cylinder: {from: [0, 0, -0.05], to: [0, 0, 0.05], radius: 0.1}",
                                    "polyhedron: {points: [[-0.1, -0.04, -0.05], [-0.1, 0.06, -0.05], [0.1, 0.02, -0.05], [-0.05, 0, 0.05]]}"};
static const char *const SCHEME[] = {"moreau", "spook", "generalized_alpha"};
enum { FLOORS2 = sizeof PLANE / sizeof *PLANE, FLOORS3 = sizeof SPACE / sizeof *SPACE, SHAPES = 3 };

/* As it lies, and as deep as the slop lets it. */
TEST(flush)
{
    static const double SPEED[] = {1.234, 0.1};
    for (int i = 0; i < (FLOORS2 + FLOORS3) * SHAPES * 4; i++) {
        const int floor = i / (SHAPES * 4), shape = i / 4 % SHAPES, d = floor < FLOORS2 ? 2 : 3;
        const double speed = SPEED[i % 2], deep = i / 2 % 2 ? 0.9e-4 : 0;
        const slide end = slide_over(d, SCHEME[i / 4 % 3 == 2 ? 0 : i / 4 % 3], d == 2 ? PLANE[floor] : SPACE[floor - FLOORS2],
                                     d == 2 ? FLAT[shape] : SOLID[shape], speed, deep);
        if (!(fabs(end.speed - speed) < 1e-5 * speed && fabs(end.height - 0.05) < 1e-4))
            TEST_FAIL("%dD, floor %d, shape %d, %g m/s, %g m deep: %.9g m/s at %.6g m", d, floor, shape, speed, deep, end.speed, end.height);
    }
}

/* A step of a millimetre is ten slops: it stops what strikes it, and so does a wall. */
TEST(steps)
{
    static const char *const STEP[] = {
        "  floor: {kind: fixed, material: s, shapes: [{box: {size: [2, 1], centre: [-1, -0.5]}}, {box: {size: [2, %.9g], centre: [1, %.9g]}}]}",
        "  floor: {kind: fixed, material: s, shapes: [{box: {size: [2, 2, 1], centre: [-1, 0, -0.5]}}, {box: {size: [2, 2, %.9g], centre: [1, 0, %.9g]}}]}"};
    for (int i = 0; i < 16; i++) {
        const int d = 2 + i % 2;
        const double up = i / 2 % 2 ? 0.5 : 1e-3, deep = i / 4 % 2 ? 0.9e-4 : 0;
        char floor[400];
        snprintf(floor, sizeof floor, STEP[i % 2], 1 + up, 0.5 * up - 0.5);
        const slide end = slide_over(d, SCHEME[i / 8], floor, d == 2 ? FLAT[0] : SOLID[0], 0.1, deep);
        if (!(fabs(end.speed) < 0.02)) /* it may tip a little */
            TEST_FAIL("%dD, %s, a step of %g m: %g m/s", d, SCHEME[i / 8], up, end.speed);
    }
}

int main(int argc, char **argv)
{
    RUN(flush);
    RUN(steps);
    return TEST_RESULT;
}
