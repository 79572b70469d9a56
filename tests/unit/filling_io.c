/* The generators `fill`, `table` and `drop`: nothing overlaps at the start, what is asked for is there, sizes and shares are those of the scene. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "talus/scene.h"
#include "talus/talus.h"
#include "test.h"

static const double PI = 3.14159265358979323846;
static char path[256], other[256];

static void write_file(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    CHECK(f && fputs(text, f) >= 0);
    if (f) fclose(f);
}

static talus_scene *load(const char *text)
{
    write_file(path, text);
    talus_scene *s = NULL;
    (void)!talus_scene_load(path, NULL, 0, &s);
    return s;
}

static talus_world *build(const char *text, talus_scene **s)
{
    talus_world *w = NULL;
    *s = load(text);
    const talus_status status = talus_scene_build(*s, 1, &w);
    if (status != TALUS_OK) TEST_FAIL("%s", talus_scene_mistake_count(*s) > 0 ? talus_scene_mistake(*s, 0) : "?");
    return w;
}

static const char *const SPACE =
    "dimension: 3\ngravity: [0, 0, -9.81]\ntime: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 2500}, light: {density: 1000}}\n";
static const char *const PLANE = "gravity: [0, -9.81]\ntime: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 2500}, light: {density: 1000}}\n";

static bool is_grain(const talus_world *w, int i) { return talus_body_get_kind(w, talus_body_at(w, i)) == TALUS_BODY_FREE; }

/* Radius of a round grain from its mass. */
static double radius_of(const talus_world *w, int i, double density)
{
    const double volume = talus_body_mass(w, talus_body_at(w, i)) / density;
    return talus_world_dimension(w) == 2 ? sqrt(volume / PI) : cbrt(volume / (4.0 / 3 * PI));
}

/* Round grains of density 2500: no two overlap, none is in a wall. Returns their volume. */
static double check_clear(const talus_world *w)
{
    const int n = talus_body_count(w);
    double(*at)[4] = calloc((size_t)n, sizeof *at), volume = 0;
    for (int i = 0; i < n; i++) {
        double q[4], x[3];
        if (!is_grain(w, i)) continue;
        talus_body_pose(w, talus_body_at(w, i), x, q);
        memcpy(at[i], x, sizeof x);
        at[i][3] = radius_of(w, i, 2500);
        volume += talus_body_mass(w, talus_body_at(w, i)) / 2500;
        for (int k = 0; k < n; k++) {
            if (!is_grain(w, k) && talus_body_distance(w, talus_body_at(w, k), x, 1) < at[i][3] * (1 - 1e-9)) TEST_FAIL("grain %d is in body %d", i, k);
            if (!is_grain(w, k) || k >= i) continue;
            const double gap = sqrt(pow(x[0] - at[k][0], 2) + pow(x[1] - at[k][1], 2) + pow(x[2] - at[k][2], 2)) - at[i][3] - at[k][3];
            if (gap < -1e-9 * at[i][3]) TEST_FAIL("grains %d and %d overlap by %g", i, k, -gap);
        }
    }
    free(at);
    return volume;
}

static talus_world *fill(const char *head, const char *bodies, const char *grains, talus_scene **s)
{
    char text[4096];
    snprintf(text, sizeof text, "%s%s%sgrains: {g: {generator: fill, material: m, %s}}\n", head, *bodies ? "bodies:\n" : "", bodies, grains);
    return build(text, s);
}

/* A filling is denser than what random sequential addition comes to when not one more fits (Feder 1980: disks 0.547, spheres 0.38), and less dense than the
 * densest at random (0.84, 0.64). */
static const double DISKS = 0.547, SPHERES = 0.385, DENSEST_DISKS = 0.84, DENSEST_SPHERES = 0.64;

/* Grains lie in a shape wholly. `holds` is how far a point is from its outside. */
static void check_shape(const char *head, const char *shape, double volume, double least, double (*holds)(const double x[3]))
{
    char grains[512];
    talus_scene *s;
    snprintf(grains, sizeof grains, "inside: [%s], radius: {uniform: [18 mm, 25 mm]}", shape);
    talus_world *w = fill(head, "", grains, &s);
    if (w) {
        const double share = check_clear(w) / volume;
        if (!(share > least && share < (least > 0.5 ? DENSEST_DISKS : DENSEST_SPHERES))) TEST_FAIL("%s: filled to %g", shape, share);
        for (int i = 0; i < talus_body_count(w); i++) {
            double x[3], q[4];
            talus_body_pose(w, talus_body_at(w, i), x, q);
            if (holds(x) < radius_of(w, i, 2500) * (1 - 1e-9)) TEST_FAIL("%s: grain %d at %g, %g, %g stands out", shape, i, x[0], x[1], x[2]);
        }
    }
    talus_world_destroy(w);
    talus_scene_destroy(s);
}

static double in_cuboid(const double x[3]) { return fmin(fmin(0.3 - fabs(x[0]), 0.2 - fabs(x[1])), 0.25 - fabs(x[2])); }
static double in_ball(const double x[3]) { return 0.4 - sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }
static double in_cylinder(const double x[3]) { return fmin(0.304 - hypot(x[0], x[1]), fmin(x[2], 0.6 - x[2])); }
static double in_cone(const double x[3]) { return fmin(((0.5 + 0.004 - x[2]) - hypot(x[0], x[1])) / sqrt(2), x[2]); }
static double in_disk(const double x[3]) { return 0.5 - hypot(x[0], x[1]); }
static double in_rectangle(const double x[3]) { return fmin(0.3 - fabs(x[0]), 0.2 - fabs(x[1])); }

TEST(shapes_are_filled)
{
    check_shape(SPACE, "{box: {size: [0.6, 0.4, 0.5]}}", 0.12, SPHERES, in_cuboid);
    check_shape(SPACE, "{sphere: {radius: 0.4}}", 4.0 / 3 * PI * 0.064, SPHERES, in_ball);
    check_shape(SPACE, "{cylinder: {from: [0, 0, 0], to: [0, 0, 0.6], radius: 0.3, sides: 60}}", PI * 0.09 * 0.6, SPHERES, in_cylinder);
    check_shape(SPACE, "{cone: {from: [0, 0, 0], to: [0, 0, 0.5], radius: 0.5}}", PI * 0.125 / 3, SPHERES, in_cone);
    check_shape(PLANE, "{disk: {radius: 0.5}}", PI * 0.25, DISKS, in_disk);
    check_shape(PLANE, "{box: {size: [0.6, 0.4]}}", 0.24, DISKS, in_rectangle);
    /* the cuboid as a closed surface of triangles */
    write_file(other,
               "v -0.3 -0.2 -0.25\nv 0.3 -0.2 -0.25\nv -0.3 0.2 -0.25\nv 0.3 0.2 -0.25\nv -0.3 -0.2 0.25\nv 0.3 -0.2 0.25\nv -0.3 0.2 0.25\nv 0.3 0.2 0.25\n"
               "f 1 3 2\nf 2 3 4\nf 5 6 7\nf 6 8 7\nf 1 2 5\nf 2 6 5\nf 3 7 4\nf 4 7 8\nf 1 5 3\nf 3 5 7\nf 2 4 6\nf 4 8 6\n");
    char shape[512];
    snprintf(shape, sizeof shape, "{mesh: {file: %s}}", other);
    check_shape(SPACE, shape, 0.12, SPHERES, in_cuboid);
}

/* Enough is enough: by number, by mass within a grain, by height. */
TEST(until)
{
    talus_scene *s;
    const double ball = 2500 * 4.0 / 3 * PI * pow(0.02, 3);
    talus_world *w = fill(SPACE, "", "region: [[0, 0, 0], [1, 1, 1]], radius: 2 cm, count: 77", &s);
    CHECK(talus_body_count(w) == 77);
    talus_world_destroy(w);
    talus_scene_destroy(s);
    w = fill(SPACE, "", "region: [[0, 0, 0], [1, 1, 1]], radius: 2 cm, mass: 10 kg", &s);
    CHECK(fabs(talus_body_count(w) - 0.5 - 10 / ball) <= 0.5);
    talus_world_destroy(w);
    talus_scene_destroy(s);
    w = fill(SPACE, "", "region: [[0, 0, 0], [0.5, 0.5, 1]], radius: 2 cm, level: 0.3 m", &s);
    double highest = 0;
    for (int i = 0; i < talus_body_count(w); i++) {
        double x[3], q[4];
        talus_body_pose(w, talus_body_at(w, i), x, q);
        highest = fmax(highest, x[2] + 0.02);
    }
    CHECK(highest <= 0.3 + 1e-12 && highest > 0.28);
    CHECK(check_clear(w) / (0.25 * 0.3) > SPHERES);
    talus_world_destroy(w);
    talus_scene_destroy(s);
}

/* Where water stands: in a funnel that a shutter closes, in a ring up to the lower end of a gap, under and around what stands in it. Without the shutter
 * nowhere. */
TEST(vessels)
{
    static const char *const FUNNEL =
        "  hopper: {kind: fixed, material: m, shapes: [{hopper: {outlet: 0.1, inlet: 0.4, height: 0.3, bin: 0.2, thickness: 5 mm}}]}\n"
        "  shutter: {kind: fixed, material: m, shapes: [{box: {size: [0.2, 0.2, 10 mm], centre: [0, 0, -5 mm]}}]}\n"
        "  bar: {kind: fixed, material: m, shapes: [{box: {size: [0.5, 40 mm, 40 mm], centre: [0, 0, 0.3]}}]}\n";
    talus_scene *s;
    talus_world *w = fill(SPACE, FUNNEL, "vessel: [hopper, shutter], radius: {uniform: [10 mm, 14 mm]}", &s);
    const double volume = PI * 0.3 / 3 * (0.04 + 0.01 + 0.0025) + PI * 0.04 * 0.2 - 0.4 * 0.0016, share = w ? check_clear(w) / volume : 0;
    if (!(share > SPHERES && share < DENSEST_SPHERES)) TEST_FAIL("the hopper is filled to %g", share);
    for (int k = 0; w && k < 100; k++) CHECK_OK(talus_world_step(w, NULL), talus_world_error(w));
    for (int i = 0; w && i < talus_body_count(w); i++) { /* they settle, and stay in */
        double x[3], q[4];
        talus_body_pose(w, talus_body_at(w, i), x, q);
        if (is_grain(w, i)) CHECK(hypot(x[0], x[1]) < fmin(0.2, 0.05 + 0.5 * x[2]) + 1e-3 && x[2] > 0 && x[2] < 0.5);
    }
    talus_world_destroy(w);
    talus_scene_destroy(s);
    /* a ring with its gap from 30 to 60 degrees: up to y = r sin 30° */
    w = fill(PLANE, "  ring: {kind: fixed, material: m, shapes: [{ring: {radius: 0.51, thickness: 1 cm, from: 60 deg, to: 390 deg}}]}\n",
             "vessel: ring, radius: {uniform: [8 mm, 12 mm]}", &s);
    const double segment = PI * 0.25 - 0.25 * (PI / 3 - 0.5 * sin(2 * PI / 3)); /* the disk without what is above y = r/2 */
    const double disks = w ? check_clear(w) / segment : 0;
    if (!(disks > DISKS && disks < DENSEST_DISKS)) TEST_FAIL("the ring is filled to %g", disks);
    talus_world_destroy(w);
    talus_scene_destroy(s);
    char text[4096];
    snprintf(text, sizeof text, "%sbodies:\n%sgrains: {g: {generator: fill, material: m, vessel: [hopper], radius: 10 mm}}\n", SPACE, FUNNEL);
    s = load(text);
    w = NULL;
    CHECK(talus_scene_build(s, 1, &w) == TALUS_INPUT && !w);
    CHECK(talus_scene_mistake_count(s) == 1 && strstr(talus_scene_mistake(s, 0), "a way out at its bottom"));
    talus_scene_destroy(s);
}

/* Seven tenths of the mass stones, three tenths spheres of another density: within the largest grain. */
TEST(mixtures)
{
    talus_scene *s;
    talus_world *w = fill(SPACE, "",
                          "region: [[0, 0, 0], [1, 1, 1]], count: 800, mixture: [{share: 70, shape: stone, radius: {uniform: [10 mm, 25 mm]}}, "
                          "{share: 30, radius: 12 mm, material: light}]",
                          &s);
    const double ball = 1000 * 4.0 / 3 * PI * pow(0.012, 3);
    double mass[2] = {0}, largest = 0;
    for (int i = 0; w && i < talus_body_count(w); i++) {
        const double m = talus_body_mass(w, talus_body_at(w, i));
        mass[fabs(m - ball) < 1e-12] += m;
        largest = fmax(largest, m);
    }
    CHECK_NEAR(mass[1] / 0.3, mass[0] / 0.7, largest / 0.3);
    CHECK(w && talus_body_count(w) == 800);
    talus_world_destroy(w);
    talus_scene_destroy(s);
}

/* The share of the mass of grains smaller than a size is that of the curve, between its sieves too, where it is straight over the logarithm. With n grains the
 * share's deviation is about 1/√n of the coarsest, hence 4 % of a few thousand. */
static void check_grading(const char *head, const char *region)
{
    static const double SIZE[] = {0.011, 0.014, 0.018, 0.024}, LOW[] = {0.01, 0.01, 0.016, 0.016}, HIGH[] = {0.016, 0.016, 0.03, 0.03};
    static const double FROM[] = {0, 0, 0.4, 0.4}, TO[] = {0.4, 0.4, 1, 1};
    char grains[512];
    talus_scene *s;
    snprintf(grains, sizeof grains, "region: %s, count: 6000, grading: {sizes: [10 mm, 16 mm, 30 mm], passing: [0, 0.4, 1]}", region);
    talus_world *w = fill(head, "", grains, &s);
    for (int k = 0; w && k < 4; k++) {
        double below = 0, all = 0;
        for (int i = 0; i < talus_body_count(w); i++) {
            const double m = talus_body_mass(w, talus_body_at(w, i));
            all += m;
            if (2 * radius_of(w, i, 2500) < SIZE[k]) below += m;
        }
        CHECK_NEAR(below / all, FROM[k] + (TO[k] - FROM[k]) * log(SIZE[k] / LOW[k]) / log(HIGH[k] / LOW[k]), 0.04);
    }
    talus_world_destroy(w);
    talus_scene_destroy(s);
}

TEST(gradings)
{
    check_grading(SPACE, "[[0, 0, 0], [0.4, 0.4, 2]]");
    check_grading(PLANE, "[[0, 0], [2, 2]]");
}

/* A group keeps clear of those before it; the same seed gives the same packing, another another. */
TEST(groups_and_seeds)
{
    static const char *const TWO =
        "dimension: 3\ngravity: [0, 0, -9.81]\ntime: {end: 1 s}\nmaterials: {m: {density: 2500}}\n"
        "grains:\n"
        "  first: {generator: list, radius: 8 cm, material: m, positions: [[0.2, 0.2, 0.2], [0.35, 0.35, 0.2]]}\n"
        "  second: {generator: fill, region: [[0, 0, 0], [0.4, 0.4, 0.4]], radius: {uniform: [1 cm, 2 cm]}, seed: %d, material: m}\n";
    uint64_t hash[3];
    for (int k = 0; k < 3; k++) {
        char text[2048];
        talus_scene *s;
        snprintf(text, sizeof text, TWO, k == 2 ? 5 : 4);
        talus_world *w = build(text, &s);
        if (w && k == 0) CHECK(check_clear(w) / 0.064 > SPHERES);
        hash[k] = w ? talus_world_hash(w) : 0;
        talus_world_destroy(w);
        talus_scene_destroy(s);
    }
    CHECK(hash[0] == hash[1] && hash[0] != hash[2]);
}

/* Squares reach as far as their corners, whichever way they lie. */
TEST(groups_of_polygons)
{
    for (int seed = 1; seed < 6; seed++) {
        char text[2048];
        talus_scene *s;
        snprintf(text, sizeof text,
                 "%sgrains:\n"
                 "  first: {generator: list, shape: polygon, sides: 4, radius: 8 cm, seed: %d, material: m, positions: [[0.15, 0.15], [0.35, 0.35]]}\n"
                 "  second: {generator: fill, region: [[0, 0], [0.5, 0.5]], radius: 8 mm, material: m}\n",
                 PLANE, seed);
        talus_world *w = build(text, &s);
        for (int i = 2; w && i < talus_body_count(w); i++) {
            double x[3], q[4];
            talus_body_pose(w, talus_body_at(w, i), x, q);
            for (int k = 0; k < 2; k++) CHECK(talus_body_distance(w, talus_body_at(w, k), x, 1) >= 8e-3 * (1 - 1e-9));
        }
        CHECK(w && talus_body_count(w) > 500);
        talus_world_destroy(w);
        talus_scene_destroy(s);
    }
}

/* Grains dropped over a surface of triangles are in front of it; behind it there is no room. */
TEST(drop_knows_meshes)
{
    write_file(other, "v -1 -1 0\nv 1 -1 0\nv 1 1 0.8\nv -1 1 0.8\nf 1 2 3\nf 1 3 4\n");
    char text[4096];
    talus_scene *s;
    snprintf(text, sizeof text,
             "%sbodies: {chute: {kind: fixed, shapes: [{mesh: {file: %s, material: m}}]}}\n"
             "grains: {g: {generator: drop, region: [[-0.9, -0.9, -0.3], [0.9, 0.9, 1.5]], count: 300, radius: {uniform: [40 mm, 60 mm]}, material: m}}\n",
             SPACE, other);
    talus_world *w = build(text, &s);
    CHECK(w && talus_body_count(w) == 301);
    if (w) (void)check_clear(w);
    talus_world_destroy(w);
    talus_scene_destroy(s);
}

static void table_refuses(const char *table, const char *expected)
{
    char text[2048];
    write_file(other, table);
    snprintf(text, sizeof text, "%sgrains: {g: {generator: table, file: %s, material: m}}\n", SPACE, other);
    talus_scene *s = load(text);
    talus_world *w = NULL;
    CHECK(talus_scene_build(s, 1, &w) == TALUS_INPUT && !w);
    if (talus_scene_mistake_count(s) != 1 || !strstr(talus_scene_mistake(s, 0), expected))
        TEST_FAIL("'%s', expected '%s'", talus_scene_mistake_count(s) ? talus_scene_mistake(s, 0) : "", expected);
    talus_scene_destroy(s);
}

TEST(tables)
{
    char text[2048];
    talus_scene *s;
    double x[3], q[4];
    write_file(other, "# a packing\nname, radius, x, y, z\na, 0.1, 1, 2, 3\n\nb, 2e-1, -1, -2, -3\n");
    snprintf(text, sizeof text, "%sgrains: {g: {generator: table, file: %s, material: m}}\n", SPACE, other);
    talus_world *w = build(text, &s);
    CHECK(w && talus_body_count(w) == 2);
    if (w) {
        talus_body_pose(w, talus_body_at(w, 1), x, q);
        CHECK(x[0] == -1 && x[1] == -2 && x[2] == -3);
        CHECK_CLOSE(radius_of(w, 0, 2500), 0.1, 1e-12);
        CHECK_CLOSE(radius_of(w, 1, 2500), 0.2, 1e-12);
    }
    talus_world_destroy(w);
    talus_scene_destroy(s);
    write_file(other, "x y\n1 2\n3 4\n");
    snprintf(text, sizeof text, "%sgrains: {g: {generator: table, file: %s, radius: 0.3, material: m}}\n", PLANE, other);
    w = build(text, &s);
    CHECK(w && talus_body_count(w) == 2);
    if (w) CHECK_CLOSE(radius_of(w, 1, 2500), 0.3, 1e-12);
    talus_world_destroy(w);
    talus_scene_destroy(s);
    table_refuses("x,y,radius\n1,2,3\n", "line 1: there is no column 'z'");
    table_refuses("x,y,z\n1,2,3\n", "line 1: there is no column 'radius'");
    table_refuses("x,y,z,radius\n1,2,3,0.1\n1,2,q,0.1\n", "line 3: 'q' is no number");
    table_refuses("x,y,z,radius\n1,2,3\n", "line 2: 3 numbers, where the first line has 4 names");
    table_refuses("x,y,z,radius\n1,2,3,-1\n", "line 2: the radius is -1; it must be positive");
    table_refuses("x,y,z,radius\n", "it has no grains");
    table_refuses("", "it is empty");
}

int main(int argc, char **argv)
{
    snprintf(path, sizeof path, "/tmp/talus_filling_%d.yaml", (int)getpid());
    snprintf(other, sizeof other, "/tmp/talus_filling_%d.obj", (int)getpid());
    RUN(shapes_are_filled);
    RUN(until);
    RUN(vessels);
    RUN(mixtures);
    RUN(gradings);
    RUN(groups_and_seeds);
    RUN(groups_of_polygons);
    RUN(drop_knows_meshes);
    RUN(tables);
    unlink(path);
    unlink(other);
    return TEST_RESULT;
}
