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

/* A shelf between two walls, on ledges that are no wider than what passes: the walls do not carry it, so the ledges do, from the first step on. Columns of
 * flush bricks between flush boxes stand with steady forces. */
TEST(ledges_and_bricks)
{
    static const char *const SHELF[] = {
        "  walls: {kind: fixed, material: s, shapes: [{box: {size: [1, 2], centre: [-0.7, 0]}}, {box: {size: [1, 2], centre: [0.7, 0]}}]}\n  ledges: {kind: "
        "fixed, "
        "material: s, shapes: [{box: {size: [0.00038, 0.1], centre: [-0.2, -0.05]}}, {box: {size: [0.00038, 0.1], centre: [0.2, -0.05]}}]}\n  b: {position: "
        "[0, "
        "0.025], material: s, shapes: [{box: {size: [0.4, 0.05]}}]}",
        "  walls: {kind: fixed, material: s, shapes: [{box: {size: [1, 1, 2], centre: [-0.7, 0, 0]}}, {box: {size: [1, 1, 2], centre: [0.7, 0, 0]}}]}\n  "
        "ledges: "
        "{kind: fixed, material: s, shapes: [{box: {size: [0.00038, 1, 0.1], centre: [-0.2, 0, -0.05]}}, {box: {size: [0.00038, 1, 0.1], centre: [0.2, 0, "
        "-0.05]}}]}\n  b: {position: [0, 0, 0.025], material: s, shapes: [{box: {size: [0.4, 0.3, 0.05]}}]}"};
    for (int i = 0; i < 6; i++) {
        const bool flat = i % 2 == 0;
        char text[2600];
        snprintf(text, sizeof text,
                 "dimension: %d\ntime: {end: 1 s, step: 1 ms}\ngravity: [0, %s-10]\nintegrator: {scheme: %s}\nmaterials: {s: {density: 1000}}\ninteractions: "
                 "[{friction: 0.3}]\ndrift: {slop: 0.1 mm}\nbodies:\n%s\nprobes: {h: {body: b, quantity: %s}}\n",
                 flat ? 2 : 3, flat ? "" : "0, ", SCHEME[i / 2], SHELF[i % 2], flat ? "y" : "z");
        lab l = open_lab(text, 1);
        lab_run(&l, 0.2);
        CHECK_NEAR(lab_probe(&l, "h"), 0.025, 1e-5);
        close_lab(&l);
    }
    for (int i = 0; i < 4; i++) {
        const bool flat = i % 2 == 0;
        char text[4000];
        int n =
            snprintf(text, sizeof text,
                     "dimension: %d\ntime: {end: 1 s, step: 1 ms}\ngravity: [0, %s-10]\nintegrator: {scheme: %s}\nmaterials: {s: {density: 1000}}\n"
                     "interactions: [{friction: 0.3}]\nprobes: {f: {contact_force: box, quantity: %s}}\nbodies:\n  box: {kind: fixed, material: s, shapes: [",
                     flat ? 2 : 3, flat ? "" : "0, ", SCHEME[i / 2 ? 2 : 0], flat ? "y" : "z");
        for (int k = -2; k < 2; k++)
            n += snprintf(text + n, sizeof text - (size_t)n, "{box: {size: [0.2, %s0.2], centre: [%g, %s%g]}}, ", flat ? "" : "0.4, ", 0.1 + 0.2 * k,
                          flat ? "" : "0, ", k == -2 || k == 1 ? 0.1 : -0.1);
        n += snprintf(text + n, sizeof text - (size_t)n, "{box: {size: [0.2, %s0.2], centre: [-0.3, %s-0.1]}}]}\n", flat ? "" : "0.4, ", flat ? "" : "0, ");
        for (int k = 0; k < 8; k++)
            n += snprintf(text + n, sizeof text - (size_t)n, "  b%d: {position: [%g, %s%g], material: s, shapes: [{box: {size: [0.2, %s0.2]}}]}\n", k,
                          k % 2 ? 0.1 : -0.1, flat ? "" : "0, ", 0.1 + 0.2 * (k / 2), flat ? "" : "0.4, ");
        lab l = open_lab(text, 1);
        lab_run(&l, 0.1);
        const double weight = 8 * 40 * 10 * (flat ? 1 : 0.4);
        for (int k = 0; k < 200; k++) {
            lab_step(&l);
            CHECK_NEAR(fabs(lab_probe(&l, "f")), weight, 0.003 * weight);
        }
        close_lab(&l);
    }
}

/* A surface from 0 to 2 m, closed, or only its top. */
static void write_surface(const char *file, bool open, double top)
{
    FILE *out = fopen(file, "w");
    if (!out) TEST_FAIL("cannot write %s", file);
    for (int i = 0; i < 8; i++) fprintf(out, "v %d %d %.9g\n", i % 4 == 1 || i % 4 == 2 ? 2 : 0, i % 4 >= 2 ? 1 : -1, i < 4 ? top : top - 1);
    fputs("f 1 2 3 4\n", out);
    if (!open) fputs("f 8 7 6 5\nf 5 1 4 8\nf 2 6 7 3\nf 5 6 2 1\nf 4 3 7 8\n", out);
    fclose(out);
}

/* From a box onto a surface of triangles that is flush with it, or a ledge of a millimetre; and from one surface to the next. */
TEST(surfaces)
{
    char file[64], floor[400];
    snprintf(file, sizeof file, "/tmp/talus_seams_%d.obj", (int)getpid());
    for (int i = 0; i < 48; i++) {
        const bool open = i % 2, step = i / 2 % 4 == 3, two = i / 2 % 4 == 2;
        const double deep = i / 2 % 4 == 1 ? 0.9e-5 : 0, speed = step ? 0.1 : 1.234;
        const int shape = i / 8 % 3, scheme = i / 24;
        if (step && open) continue; /* it is seen from above alone */
        write_surface(file, open, step ? 1e-3 : 0);
        int n = snprintf(floor, sizeof floor, "  floor: {kind: fixed, material: s, shapes: [{mesh: {file: %s}}]}\n  before: {kind: fixed, material: s, ", file);
        if (two) snprintf(floor + n, sizeof floor - (size_t)n, "position: [-2, 0, 0], shapes: [{mesh: {file: %s}}]}", file);
        else snprintf(floor + n, sizeof floor - (size_t)n, "shapes: [{box: {size: [2, 2, 1], centre: [-1, 0, -0.5]}}]}");
        const slide end = slide_over(3, SCHEME[scheme], floor, SOLID[shape], speed, deep);
        if (step ? !(fabs(end.speed) < 0.02) : !(fabs(end.speed - speed) < 1e-5 * speed && fabs(end.height - 0.05) < 1e-4))
            TEST_FAIL("%s, %s, shape %d, %g m deep: %.9g m/s at %.6g m", open ? "open" : "closed",
                      step  ? "a step"
                      : two ? "two"
                            : "flush",
                      shape, deep, end.speed, end.height);
    }
    remove(file);
}

int main(int argc, char **argv)
{
    RUN(flush);
    RUN(steps);
    RUN(ledges_and_bricks);
    RUN(surfaces);
    return TEST_RESULT;
}
