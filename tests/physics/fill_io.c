/* Bodies that fill closed surfaces (theory §7.9), from scenes: uniform pressure, modes of balls and disks, a beam askew to its lattice, balls between plates,
 * mistakes. */
#include "closed_shapes.h"
#include "lab.h"

static shape body;

/* The text of an outline, as points of a scene. */
static const char *points_of(const double (*x)[2], int n)
{
    static char text[8192];
    text[0] = '\0';
    for (int i = 0; i < n; i++) snprintf(text + strlen(text), sizeof text - strlen(text), "%s[%.9g, %.9g]", i ? ", " : "[", x[i][0], x[i][1]);
    strcat(text, "]");
    return text;
}

static const char *disk(int n)
{
    static double x[200][2];
    for (int i = 0; i < n; i++) x[i][0] = cos(2 * TL_PI * i / n), x[i][1] = sin(2 * TL_PI * i / n);
    return points_of((const double(*)[2])x, n);
}

/* `fill: {…` of a ball or a disk of radius 1, with the group `all`, which is all of it. */
static const char *round_body(int dimension, double spacing)
{
    static char text[10000];
    if (dimension == 3) {
        shape_ball(&body, 1000, 24);
        CHECK(shape_write(&body, "ball.stl", 0));
    }
    snprintf(text, sizeof text, "fill: {%s%s, spacing: %g, groups: {all: {region: [%s]}}}%s",
             dimension == 3 ? "surface: " : "outline: ", dimension == 3 ? "ball.stl" : disk(100), spacing,
             dimension == 3 ? "[-9, -9, -9], [9, 9, 9]" : "[-9, -9], [9, 9]", dimension == 3 ? "\n    scale: 1 mm" : "");
    return text;
}

/* A pressure on all of the surface makes one stress at every place, from the first step: of any body, moved cells and all. */
TEST(uniform_pressure)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        char text[16384];
        const double p = 0.1, nu = 0.25, E = 1e6;
        const double mean = dimension == 3 ? -p : -p * 2 * (1 + nu) / 3, strain = dimension == 3 ? -p * (1 - 2 * nu) / E : -p * (1 + nu) * (1 - 2 * nu) / E;
        snprintf(
            text, sizeof text,
            "dimension: %d\ntime: {end: 10 s, step: 5 ms}\nsolver: {tolerance: 1e-12 m/s}\nintegrator: {theta: 1}\nsolids:\n  s:\n    %s\n    meshfree: {}\n"
            "    material: {density: 1000, young: 1e6, poisson: 0.25}\n    damping: {mass: 50, stiffness: 0 s}\n    loads: [{on: all, pressure: 0.1}]\n"
            "probes:\n  in: {solid_stress: s, at: [0.1, 0.2%s], quantity: mean}\n  edge: {solid_stress: s, at: [0.6, 0.7%s], quantity: mean}\n"
            "  x: {displacement: s, at: [0.9, 0%s], quantity: x}\n  o: {displacement: s, at: [-0.9, 0%s], quantity: x}\n",
            dimension, round_body(dimension, 0.25), dimension == 3 ? ", 0" : "", dimension == 3 ? ", 0" : "", dimension == 3 ? ", 0" : "",
            dimension == 3 ? ", 0" : "");
        lab l = open_lab(text, 1);
        lab_run(&l, 1.0);
        CHECK_NEAR(lab_probe(&l, "in"), mean, 1e-5 * p);
        CHECK_NEAR(lab_probe(&l, "edge"), mean, 1e-5 * p);
        CHECK_NEAR(lab_probe(&l, "x") - lab_probe(&l, "o"), 1.8 * strain, 1e-5 * fabs(strain));
        close_lab(&l);
    }
}

/* ---- modes ---------------------------------------------------------------------------------------------------------- */

/* ω R/c_p of the mode in which all moves along the radius; ν = 1/4, (c_s/c_p)² = 1/3: of a ball x cot x = 1 − 3 x²/4 (Lamb 1882), of a disk without strain
 * across x J₀ = 2/3 J₁. */
static double breathing(int dimension)
{
    double low = 1.5, high = 3;
    for (int i = 0; i < 60; i++) {
        const double x = 0.5 * (low + high), f = dimension == 3 ? x * cos(x) - (1 - 0.75 * x * x) * sin(x) : x * j0(x) - 2.0 / 3 * j1(x);
        if (f > 0) low = x;
        else high = x;
    }
    return low;
}

/* Mean angular frequency of a probe about 0 between its first and last rise through it. */
static double frequency_of(lab *l, const char *probe, double until)
{
    double before = 0, first = 0, last = 0;
    int rises = -1;
    while (talus_world_time(l->world) < until) {
        lab_step(l);
        const double now = lab_probe(l, probe), t = talus_world_time(l->world) - talus_world_step_size(l->world) * now / (now - before);
        if (before < 0 && now >= 0) {
            if (rises++ < 0) first = t;
            last = t;
        }
        before = now;
    }
    return 2 * TL_PI * rises / (last - first);
}

TEST(breathing_mode)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        double off[2];
        for (int k = 0; k < 2; k++) {
            char text[16384];
            snprintf(
                text, sizeof text,
                "dimension: %d\ntime: {end: 10 s, step: 1 ms}\nsolver: {tolerance: 1e-9 m/s}\nsolids:\n  s:\n    %s\n    meshfree: {}\n"
                "    material: {density: 1000, young: 1e6, poisson: 0.25}\n    loads: [{on: all, pressure: \"100*(1 - cos(100*t/(1 s)))*step(0.0628 - t)\"}]\n"
                "probes: {x: {displacement: s, at: [0.9, 0%s], quantity: x}}\n",
                dimension, round_body(dimension, (dimension == 3 ? 0.25 : 0.2) / (k == 0 ? 1 : 2)), dimension == 3 ? ", 0" : "");
            lab l = open_lab(text, 1);
            lab_run(&l, 0.063);
            off[k] = frequency_of(&l, "x", 0.4) / (sqrt(1.2e6 / 1000) * breathing(dimension)) - 1;
            close_lab(&l);
        }
        CHECK(fabs(off[1]) < 0.02 && fabs(off[1]) < 0.5 * fabs(off[0]));
    }
}

/* ---- askew to the lattice --------------------------------------------------------------------------------------------- */

/* A beam of 3 m by 1 m that is held at its left end and bends under its weight: filled as it lies, and turned by 30° against its lattice and back. */
static double tip_of_beam(int dimension, double askew, double spacing)
{
    const double c = cos(askew), s = sin(askew);
    const double corner[4][2] = {{0, -0.5}, {3, -0.5}, {3, 0.5}, {0, 0.5}};
    double x[4][2];
    char text[8192], from[512], turn[128];
    for (int i = 0; i < 4; i++) x[i][0] = c * corner[i][0] - s * corner[i][1], x[i][1] = s * corner[i][0] + c * corner[i][1];
    if (dimension == 3) {
        shape_prism(&body, (const double(*)[2])x, 4, -0.5, 0.5);
        CHECK(shape_write(&body, "beam.stl", 0));
    }
    snprintf(from, sizeof from, "%s%s", dimension == 3 ? "surface: beam" : "outline: ", dimension == 3 ? ".stl" : points_of((const double(*)[2])x, 4));
    snprintf(turn, sizeof turn, dimension == 3 ? "orientation: {axis_angle_deg: [0, 0, 1, %g]}" : "angle: %g deg", -askew * 180 / TL_PI);
    snprintf(text, sizeof text,
             "dimension: %d\ngravity: [0, -0.1%s]\ntime: {end: 10 s, step: 10 ms}\nintegrator: {theta: 1}\nsolids:\n  s:\n"
             "    fill: {%s, spacing: %g, groups: {end: {region: {box: {size: [0.02, 2%s], centre: [0, 0%s], %s%g%s}}}}}\n    %s\n    meshfree: {}\n"
             "    material: {density: 1000, young: 1e6, poisson: 0.25}\n    start: settled\n    fixed: [end]\n"
             "probes: {y: {displacement: s, at: [2.9, 0%s], quantity: y}}\n",
             dimension, dimension == 3 ? ", 0" : "", from, spacing, dimension == 3 ? ", 2" : "", dimension == 3 ? ", 0" : "",
             dimension == 3 ? "orientation: {axis_angle_deg: [0, 0, 1, " : "angle: ", askew * 180 / TL_PI, dimension == 3 ? "]}" : " deg", turn,
             dimension == 3 ? ", 0" : "");
    lab l = open_lab(text, 1);
    lab_step(&l);
    const double y = lab_probe(&l, "y");
    close_lab(&l);
    return y;
}

TEST(a_beam_askew)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        double off[2];
        for (int k = 0; k < 2; k++) {
            const double spacing = (dimension == 3 ? 0.25 : 0.125) / (1 << k), straight = tip_of_beam(dimension, 0, spacing),
                         askew = tip_of_beam(dimension, TL_PI / 6, spacing);
            off[k] = askew / straight - 1;
            CHECK(straight < 0);
        }
        CHECK(fabs(off[1]) < (dimension == 3 ? 0.12 : 0.01) && (dimension == 2 || fabs(off[1]) < 0.5 * fabs(off[0])));
    }
}

/* ---- mistakes --------------------------------------------------------------------------------------------------------- */

static void refuse(int dimension, const char *fill, const char *wanted)
{
    char text[4096];
    snprintf(text, sizeof text,
             "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nsolids:\n  s:\n    %s\n    material: {density: 1000, young: 1e6, poisson: 0.25}\n", dimension, fill);
    talus_scene *scene = load_lab(text);
    talus_world *w = NULL;
    CHECK(talus_scene_build(scene, 1, &w) != TALUS_OK);
    if (talus_scene_mistake_count(scene) == 0 || !strstr(talus_scene_mistake(scene, 0), wanted))
        TEST_FAIL("%s: %s", wanted, talus_scene_mistake_count(scene) ? talus_scene_mistake(scene, 0) : "nothing");
    talus_world_destroy(w);
    talus_scene_destroy(scene);
}

/* What is wrong with a surface is told by its file, line and place; what is too thin for the spacing by its place. */
TEST(mistakes)
{
    shape_box(&body, 1, 1, 1);
    CHECK(shape_write(&body, "open.stl", 1));
    CHECK(shape_write(&body, "cube.stl", 0));
    const int closed = body.triangles;
    for (int k = 0; k < closed; k++) { /* a second cube that shares an edge with the first */
        const int32_t *c = body.triangle[k];
        shape_add(&body, tl_add(tl_load3(body.point[c[0]]), tl_v3(1, 1, 0)), tl_add(tl_load3(body.point[c[1]]), tl_v3(1, 1, 0)),
                  tl_add(tl_load3(body.point[c[2]]), tl_v3(1, 1, 0)));
    }
    CHECK(shape_write(&body, "two.stl", 0));
    static const double PIN[8][2] = {{0, 0}, {1, 0}, {1, 0.45}, {3, 0.45}, {3, 0.5}, {1, 0.5}, {1, 1}, {0, 1}};
    static const double NECK[8][2] = {{0, 0}, {1, 0.48}, {2, 0}, {2, 1}, {1, 0.52}, {0, 1}, {0, 0.7}, {0, 0.3}};
    shape_prism(&body, PIN, 4, 0, 1e-3);
    CHECK(shape_write(&body, "foil.stl", 0));
    refuse(3, "fill: {surface: open.stl, spacing: 0.2}", "'open.stl' is open: 3 edges have one triangle only, the first that of line");
    refuse(3, "fill: {surface: two.stl, spacing: 0.2}", "'two.stl' has 1 edges where more than two triangles meet, the first with that of line");
    refuse(3, "fill: {surface: foil.stl, spacing: 0.2}", "thick along z");
    refuse(3, "fill: {surface: none.stl, spacing: 0.2}", "none.stl");
    refuse(3, "fill: {spacing: 0.2}", "'surface' is missing here");
    refuse(2, "fill: {spacing: 0.2}", "'outline' is missing here");
    refuse(2, "fill: {outline: [[0, 0], [1, 1], [1, 0], [0, 2]], spacing: 0.2}", "cross");
    refuse(2, "fill: {outline: [[0, 0], [1, 0], [0, 1e-3]], spacing: 0.2}", "the spacing is too coarse");
    char text[1024];
    static const double SLOT[8][2] = {{0, 0}, {1.02, 0}, {1.02, 2}, {0.52, 2}, {0.52, 0.5}, {0.5, 0.5}, {0.5, 2}, {0, 2}};
    snprintf(text, sizeof text, "fill: {outline: %s, spacing: 0.1}", points_of(SLOT, 8));
    refuse(2, text, "a gap of it is too narrow for a spacing of");
    snprintf(text, sizeof text, "fill: {outline: %s, spacing: 0.2}", points_of(PIN, 8));
    refuse(2, text, "it is too thin for a spacing of");
    snprintf(text, sizeof text, "fill: {outline: %s, spacing: 0.1}", points_of(NECK, 8));
    refuse(2, text, "the surface has 1");
    refuse(3, "fill: {surface: cube.stl, spacing: 0.2, groups: {g: {region: [[3, 3, 3], [4, 4, 4]]}}}", "no node of the fill lies in this region");
    refuse(3, "fill: {surface: cube.stl, spacing: 0.2}\n    meshfree: {influence: 1.9}", "'influence' is for boxes");
    refuse(2, "fill: {outline: [[0, 0], [1, 0], [0, 1]], spacing: 0.1}\n    scale: 1 mm", "'scale' is for");
    refuse(3, "fill: {surface: cube.stl, spacing: 0.2}\n    box: {size: [1, 1, 1], elements: 2}", "either 'box' or 'mesh' or 'fill'");
}

int main(int argc, char **argv)
{
    RUN(uniform_pressure);
    RUN(breathing_mode);
    RUN(a_beam_askew);
    RUN(mistakes);
    return TEST_RESULT;
}
