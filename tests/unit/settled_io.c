/* Grains as another run left them: places, shapes and masses come back; what stands in a body is left out; mistakes are named. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "talus/record.h"
#include "talus/talus.h"
#include "test.h"

static char home[] = "/tmp/talus-test-settled-XXXXXX";

static const char HEAP[] = "dimension: 3\n"
                           "gravity: [0, 0, -9.81]\n"
                           "time: {end: 0.1, step: 1 ms}\n"
                           "materials: {rock: {density: 2700}}\n"
                           "bodies:\n"
                           "  floor: {kind: fixed, shapes: [{half_space: {point: [0, 0, 0], normal: [0, 0, 1], material: rock}}]}\n"
                           "  boulder: {position: [5, 0, 0.5], shapes: [{sphere: {radius: 0.5, material: rock}}]}\n"
                           "grains:\n"
                           "  stones: {generator: drop, region: [[0, 0, 0], [1, 1, 1]], count: 40, shape: stone, radius: 5 cm, material: rock}\n"
                           "  balls: {generator: lattice, rows: 2, columns: 2, spacing: 30 cm, origin: [2, 0, 1], radius: 5 cm, material: rock}\n";

static const char FLAT[] = "dimension: 2\n"
                           "gravity: [0, -9.81]\n"
                           "time: {end: 0.1, step: 1 ms}\n"
                           "materials: {rock: {density: 2700, thickness: 1 cm}}\n"
                           "grains:\n"
                           "  disks: {generator: lattice, rows: 2, columns: 3, spacing: 30 cm, radius: 5 cm, material: rock}\n"
                           "  bricks: {generator: lattice, rows: 2, columns: 2, spacing: 30 cm, origin: [2, 0], shape: polygon, radius: 5 cm, material: rock}\n"
                           "  pairs: {generator: lattice, rows: 2, columns: 2, spacing: 30 cm, origin: [4, 0], shape: cluster, radius: 5 cm, material: rock}\n";

static const char *write_scene(const char *name, const char *text)
{
    static char path[2][256];
    static int next;
    char *out = path[next++ % 2];
    snprintf(out, sizeof path[0], "%s/%s", home, name);
    FILE *file = fopen(out, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0) exit(1);
    return out;
}

static talus_world *build(const char *path, talus_scene **scene)
{
    talus_world *w = NULL;
    if (talus_scene_load(path, NULL, 0, scene) != TALUS_OK || talus_scene_build(*scene, 1, &w) != TALUS_OK) return NULL;
    return w;
}

/* A run of the scene into home/DIRECTORY; its world as it ended. */
static talus_world *run(const char *name, const char *text, const char *directory, talus_scene **scene)
{
    char path[256], message[512];
    talus_record_def def = talus_record_def_default();
    talus_record *record;
    talus_step_report report;
    talus_world *w = build(write_scene(name, text), scene);
    snprintf(path, sizeof path, "%s/%s", home, directory);
    def.directory = path;
    if (!w || talus_record_open(&def, *scene, w, &record, message, sizeof message) != TALUS_OK) exit(1);
    for (int i = 0; i < 100; i++)
        if (talus_world_step(w, &report) != TALUS_OK || talus_record_step(record, w, &report) != TALUS_OK) exit(1);
    if (talus_record_close(record, w, "done") != TALUS_OK) exit(1);
    talus_record_destroy(record);
    return w;
}

/* Body `a` of one world is body `b` of the other, moved by `shift`. */
static void check_same(const talus_world *left, int a, const talus_world *right, int b, const double shift[3])
{
    const talus_body_id x = talus_body_at(left, a), y = talus_body_at(right, b);
    double p[2][3], q[2][4];
    talus_body_pose(left, x, p[0], q[0]);
    talus_body_pose(right, y, p[1], q[1]);
    for (int k = 0; k < 3; k++) CHECK_NEAR(p[1][k], p[0][k] + shift[k], 1e-14);
    double turned = 0;
    for (int k = 0; k < 4; k++) turned += q[0][k] * q[1][k];
    CHECK_NEAR(fabs(turned), 1, 1e-14);
    CHECK_NEAR(talus_body_mass(right, y) / talus_body_mass(left, x), 1, 1e-12);
    CHECK(talus_body_shape_count(left, x) == talus_body_shape_count(right, y));
    for (int k = 0; k < talus_body_shape_count(left, x); k++) {
        talus_shape_def d[2];
        double corner[2][TALUS_HULL_POINTS][3];
        talus_body_shape(left, x, k, &d[0]);
        talus_body_shape(right, y, k, &d[1]);
        CHECK(d[0].kind == d[1].kind && d[0].count == d[1].count && d[0].radius == d[1].radius);
        const int n = talus_world_dimension(left) == 3 ? talus_body_corners(left, x, k, corner[0], TALUS_HULL_POINTS) : 0;
        if (n > 0) CHECK(talus_body_corners(right, y, k, corner[1], TALUS_HULL_POINTS) == n);
        for (int i = 0; i < n; i++)
            for (int c = 0; c < 3; c++) CHECK_NEAR(corner[1][i][c], corner[0][i][c], 1e-12);
    }
}

TEST(comes_back)
{
    talus_scene *before, *after;
    const double shift[3] = {1, 2, 3};
    talus_world *heap = run("heap.yaml", HEAP, "heap", &before);
    talus_world *again = build(write_scene("again.yaml", "dimension: 3\ntime: {end: 1}\nmaterials: {rock: {density: 2700}}\n"
                                                         "grains: {old: {generator: settled, from: heap, origin: [1, 2, 3], material: rock}}\n"),
                               &after);
    CHECK(again && talus_body_count(again) == 44);
    for (int i = 0; again && i < 44; i++) check_same(heap, i + 2, again, i, shift); /* without floor and boulder */
    talus_world_destroy(again);
    talus_scene_destroy(after);
    /* at the start of that run */
    talus_scene *fresh;
    talus_world *first = build(write_scene("fresh.yaml", HEAP), &fresh);
    again = build(write_scene("again.yaml", "dimension: 3\ntime: {end: 1}\nmaterials: {rock: {density: 2700}}\n"
                                            "grains: {old: {generator: settled, from: heap, time: 0 s, origin: [1, 2, 3], material: rock}}\n"),
                  &after);
    for (int i = 0; again && first && i < 44; i++) check_same(first, i + 2, again, i, shift);
    CHECK(again && first);
    talus_world_destroy(heap), talus_world_destroy(first), talus_world_destroy(again);
    talus_scene_destroy(before), talus_scene_destroy(fresh), talus_scene_destroy(after);
}

/* Turned about a point of its own, and shifted: four copies of what lay there, each a rigid motion of the first. */
TEST(repeated)
{
    talus_scene *before, *after;
    talus_world *heap = run("heap.yaml", HEAP, "heap", &before);
    talus_world *again = build(write_scene("again.yaml", "dimension: 3\ntime: {end: 1}\nmaterials: {rock: {density: 2700}}\n"
                                                         "grains: {old: {generator: settled, from: heap, origin: [1, 2, 3], material: rock,\n"
                                                         "  repeat: {count: 4, shift: [0, 0, 2], about: [3, 1, 0], turn: 90 deg}}}\n"),
                               &after);
    CHECK(again && talus_body_count(again) == 4 * 44);
    for (int copy = 0; again && copy < 4; copy++)
        for (int i = 0; i < 44; i++) {
            double p[2][3], q[2][4], x[3];
            talus_body_pose(heap, talus_body_at(heap, i + 2), p[0], q[0]);
            talus_body_pose(again, talus_body_at(again, 44 * copy + i), p[1], q[1]);
            x[0] = p[0][0] + 1 - 3, x[1] = p[0][1] + 2 - 1, x[2] = p[0][2] + 3 + 2 * copy;
            for (int k = 0; k < copy; k++) { /* a quarter of a turn takes (x, y) to (-y, x) */
                const double y = x[0];
                x[0] = -x[1], x[1] = y;
            }
            CHECK_NEAR(p[1][0], x[0] + 3, 1e-13);
            CHECK_NEAR(p[1][1], x[1] + 1, 1e-13);
            CHECK_NEAR(p[1][2], x[2], 1e-13);
            /* the turn of the copy: q₁ q₀*, which is (cos 45° copy, 0, 0, sin 45° copy) */
            const double w = q[1][0] * q[0][0] + q[1][1] * q[0][1] + q[1][2] * q[0][2] + q[1][3] * q[0][3];
            const double z = q[1][3] * q[0][0] - q[1][0] * q[0][3] + q[1][2] * q[0][1] - q[1][1] * q[0][2];
            CHECK_NEAR(fabs(w * cos(atan(1) * copy) + z * sin(atan(1) * copy)), 1, 1e-13);
            CHECK_NEAR(talus_body_mass(again, talus_body_at(again, 44 * copy + i)) / talus_body_mass(heap, talus_body_at(heap, i + 2)), 1, 1e-12);
        }
    talus_world_destroy(heap), talus_world_destroy(again);
    talus_scene_destroy(before), talus_scene_destroy(after);
}

TEST(plane)
{
    talus_scene *before, *after;
    const double shift[3] = {0, 0, 0};
    talus_world *flat = run("flat.yaml", FLAT, "flat", &before);
    talus_world *again = build(write_scene("again.yaml", "dimension: 2\ntime: {end: 1}\nmaterials: {rock: {density: 2700, thickness: 1 cm}}\n"
                                                         "grains: {old: {generator: settled, from: flat, material: rock}}\n"),
                               &after);
    CHECK(again && talus_body_count(again) == 14);
    for (int i = 0; again && i < 14; i++) check_same(flat, i, again, i, shift);
    talus_world_destroy(again), talus_scene_destroy(after);
    again = build(write_scene("again.yaml", "dimension: 2\ntime: {end: 1}\nmaterials: {rock: {density: 2700, thickness: 1 cm}}\n"
                                            "grains: {old: {generator: settled, from: flat, material: rock, repeat: {count: 2, shift: [0, 5], about: [3, 0], "
                                            "turn: 90 deg}}}\n"),
                  &after);
    CHECK(again && talus_body_count(again) == 28);
    for (int i = 0; again && i < 14; i++) {
        double p[2][3], q[2][4];
        talus_body_pose(flat, talus_body_at(flat, i), p[0], q[0]);
        talus_body_pose(again, talus_body_at(again, 14 + i), p[1], q[1]);
        CHECK_NEAR(p[1][0], 3 - p[0][1], 1e-13); /* (x, y) − (3, 0) to (−y, x) */
        CHECK_NEAR(p[1][1], p[0][0] - 3 + 5, 1e-13);
        CHECK_NEAR(fabs(cos(atan(1)) * (q[1][0] * q[0][0] + q[1][3] * q[0][3]) + sin(atan(1)) * (q[1][3] * q[0][0] - q[1][0] * q[0][3])), 1, 1e-13);
    }
    talus_world_destroy(flat), talus_world_destroy(again);
    talus_scene_destroy(before), talus_scene_destroy(after);
}

/* Two of the four balls of radius 5 cm, 30 cm apart, stand in a box; one that is 2 mm deep in its side touches it, as far as anyone knows. */
TEST(in_the_way)
{
    talus_scene *scene;
    static const struct {
        const char *shape;
        int left;
    } CASES[] = {{"box: {size: [9 cm, 1 m, 9 cm]", 42},
                 {"box: {size: [50.4 cm, 1 m, 9 cm]", 42},
                 {"box: {size: [60 cm, 1 m, 9 cm]", 40},
                 {"cylinder: {from: [-5 cm, 0, 0], to: [5 cm, 0, 0], radius: 40 cm, rounding: 2 cm", 42}}; /* a wheel is not as thick as it is wide */
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "dimension: 3\ntime: {end: 1}\nmaterials: {rock: {density: 2700}}\n"
                 "bodies: {block: {kind: fixed, position: [2, 0, 0.95095], shapes: [{%s, material: rock}}]}}\n"
                 "grains: {old: {generator: settled, from: heap, material: rock}}\n",
                 CASES[i].shape);
        talus_world *w = build(write_scene("block.yaml", text), &scene);
        CHECK(w && talus_body_count(w) == 1 + CASES[i].left);
        char said[64];
        snprintf(said, sizeof said, "%d of the 44 grains of that run", 44 - CASES[i].left);
        CHECK(!w || (strstr(talus_world_all_warnings(w), said) != NULL) == (CASES[i].left < 44));
        talus_world_destroy(w);
        talus_scene_destroy(scene);
    }
}

TEST(mistakes)
{
    static const struct {
        const char *dimension, *keys, *says;
    } CASES[] = {{"3", "material: rock", "'from' is missing"},
                 {"3", "from: nowhere, material: rock", "run the scene that leaves it first"},
                 {"2", "from: heap, material: rock", "is one in space"},
                 {"3", "from: flat, material: rock", "is one in the plane"},
                 {"3", "from: heap, material: rock, repeat: {count: 2}", "at the same place"},
                 {"3", "generator: list, positions: [[0, 0, 0]], radius: 1, material: rock, repeat: {count: 2, shift: [3, 0, 0]}", "has no 'repeat'"}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char text[400];
        talus_scene *scene;
        snprintf(text, sizeof text, "dimension: %s\ntime: {end: 1}\nmaterials: {rock: {density: 2700}}\ngrains: {old: {%s%s}}\n", CASES[i].dimension,
                 strncmp(CASES[i].keys, "generator", 9) == 0 ? "" : "generator: settled, ", CASES[i].keys);
        talus_world *w = build(write_scene("wrong.yaml", text), &scene);
        CHECK(!w && talus_scene_mistake_count(scene) == 1);
        if (!strstr(talus_scene_mistake(scene, 0), CASES[i].says)) TEST_FAIL("'%s' in: %s", CASES[i].says, talus_scene_mistake(scene, 0));
        talus_scene_destroy(scene);
    }
    talus_settled *s;
    char message[256];
    CHECK(talus_settled_open("/nowhere", 0, &s, message, sizeof message) == TALUS_IO && !s && strstr(message, "/nowhere"));
}

int main(int argc, char **argv)
{
    if (!mkdtemp(home)) return 1;
    RUN(comes_back);
    RUN(repeated);
    RUN(plane);
    RUN(in_the_way);
    RUN(mistakes);
    char command[300];
    snprintf(command, sizeof command, "rm -r %s", home);
    if (system(command) != 0) return 1;
    return TEST_RESULT;
}
