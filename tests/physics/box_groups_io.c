/* Groups of a box by regions (box.groups): layers of two materials, what holds nodes inside, and mistakes. */
#include "lab.h"

/* A column of 1 m whose upper half is ten times as stiff, on a smooth floor between smooth walls, is pressed: it gives way by p/2 (1/M₁ + 1/M₂) with
 * M = E (1 − ν)/((1 + ν)(1 − 2ν)). Elements belong to the layer that has all of their nodes, so that it begins in their row. */
TEST(layers)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        const double p = 1e3, nu = 0.25, M = 1e6 * (1 - nu) / ((1 + nu) * (1 - 2 * nu)), want = -p / 2 * (1 / M + 1 / (10 * M));
        const char *up = dimension == 3 ? "z" : "y";
        char text[2048];
        snprintf(text, sizeof text,
                 "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nsolids:\n  s:\n    box: {size: [0.5%s, 1], elements: [2%s, 4], groups: {stiff: {region: [[-1%s, "
                 "-0.51], "
                 "[1%s, 0.1]]}}}\n    material: {density: 1000, young: 1e6, poisson: %g}\n    regions: {stiff: {density: 1000, young: 1e7, poisson: %g}}\n    "
                 "start: "
                 "settled\n    fixed: [{group: bottom, along: %s}, {group: [left, right], along: x}%s]\n    loads: [{on: top, pressure: %g}]\nprobes: {top: "
                 "{displacement: s, on: top, quantity: %s}}\n",
                 dimension, dimension == 3 ? ", 0.5" : "", dimension == 3 ? ", 2" : "", dimension == 3 ? ", -1" : "", dimension == 3 ? ", 1" : "", nu, nu, up,
                 dimension == 3 ? ", {group: [front, back], along: y}" : "", p, up);
        lab l = open_lab(text, 1);
        CHECK_NEAR(lab_probe(&l, "top"), want, 1e-9 * fabs(want));
        close_lab(&l);
    }
}

/* A stone in a block, glued to the nodes of a ball, or a disk: pushed by a force, the block's held floor pushes back as much. */
TEST(stone_inside)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        const double F = 50;
        const char *low = dimension == 3 ? "[0, 0, -0.5]" : "[0, -0.5]";
        char text[2048];
        snprintf(
            text, sizeof text,
            "dimension: %d\ntime: {end: 2 s, step: 5 ms}\nintegrator: {theta: 1}\nsolver: {tolerance: 1e-9}\nsolids:\n  s:\n    box: {size: [1, 1%s], "
            "elements: 6, "
            "groups: {hole: {region: {%s: {centre: %s, radius: 0.3}}}}}\n    material: {density: 100, young: 1e5, poisson: 0.3}\n    damping: {mass: 20, "
            "stiffness: 20 "
            "ms}\n    fixed: [bottom]\nbodies: {stone: {mass: 1, %s, position: %s, shapes: [{%s: {radius: 0.2, material: m}}]}}\nmaterials: {m: {}}\njoints: "
            "{bed: {type: fixed, "
            "bodies: [stone, s], group: hole}}\nloads: {push: {body: stone, x: %g}}\nprobes: {floor: {resultant: s, on: bottom, quantity: x}, x: {body: stone, "
            "quantity: x}}\n",
            dimension, dimension == 3 ? ", 1" : "", dimension == 3 ? "sphere" : "disk", low,
            dimension == 3 ? "inertia_tensor: [0.1, 0.1, 0.1]" : "inertia: 0.1", low, dimension == 3 ? "sphere" : "disk", F);
        lab l = open_lab(text, 1);
        lab_run(&l, 2);
        CHECK_NEAR(lab_probe(&l, "floor"), -F, 1e-3 * F);
        CHECK(lab_probe(&l, "x") > 0);
        close_lab(&l);
    }
}

TEST(mistakes)
{
    static const char *const WRONG[][2] = {
        {"groups: {left: {region: [[-1, -1], [1, 1]]}}", "has this group already"},
        {"groups: {far: {region: [[5, 5], [6, 6]]}}", "no node of the box lies in this region"},
        {"groups: {flat: {region: [[0, 0], [1, 0]]}}", "no area"},
        {"groups: {none: {}}", "region"},
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "time: {end: 1 s, step: 1 ms}\nsolids: {s: {box: {size: [1, 1], elements: 2, %s}, material: {density: 1000, young: 1e6, poisson: 0.25}}}\n",
                 WRONG[i][0]);
        talus_scene *scene = load_lab(text);
        talus_world *w = NULL;
        CHECK(talus_scene_build(scene, 1, &w) == TALUS_INPUT);
        if (!strstr(talus_scene_mistake(scene, 0), WRONG[i][1])) TEST_FAIL("%s", talus_scene_mistake(scene, 0));
        talus_world_destroy(w);
        talus_scene_destroy(scene);
    }
}

int main(int argc, char **argv)
{
    RUN(layers);
    RUN(stone_inside);
    RUN(mistakes);
    return TEST_RESULT;
}
