/* STL and OBJ: the same cube in every dialect; what is damaged is named; few corners for many points; scenes with meshes. */
#include "scene/triangles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "random3.h"
#include "shape/shape3.h"
#include "talus/scene.h"
#include "talus/talus.h"
#include "test.h"

static char home[] = "/tmp/talus-test-surface-XXXXXX";

static const char *write_bytes(const char *name, const void *data, size_t size)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", home, name);
    FILE *out = fopen(path, "wb");
    if (!out || fwrite(data, 1, size, out) != size || fclose(out) != 0) exit(1);
    return path;
}

static const char *write_text(const char *name, const char *text) { return write_bytes(name, text, strlen(text)); }

/* The unit cube's corners by the bits of their numbers, its faces counter-clockwise from outside. */
static const int FACE[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
static double coordinate(int corner, int k) { return corner >> k & 1 ? 1 : 0; }

/* Volume by the divergence theorem: tells orientation too. */
static double volume(const tl_triangles *s)
{
    double sum = 0;
    for (int i = 0; i < s->triangles; i++) {
        const tl_vec3 a = tl_load3(s->point[s->triangle[i][0]]), b = tl_load3(s->point[s->triangle[i][1]]), c = tl_load3(s->point[s->triangle[i][2]]);
        sum += tl_dot(a, tl_cross(b, c)) / 6;
    }
    return sum;
}

static size_t cube_stl_text(char *out, const char *end_of_line)
{
    char *at = out;
    at += sprintf(at, "solid cube of %s%s", "mine", end_of_line);
    for (int f = 0; f < 6; f++)
        for (int half = 0; half < 2; half++) {
            at += sprintf(at, "  facet normal 0 0 0%s    outer loop%s", end_of_line, end_of_line);
            for (int k = 0; k < 3; k++) {
                const int c = FACE[f][k == 0 ? 0 : k + half];
                at += sprintf(at, "      vertex %g %.1e %g%s", coordinate(c, 0), coordinate(c, 1), coordinate(c, 2), end_of_line);
            }
            at += sprintf(at, "    endloop%s  endfacet%s", end_of_line, end_of_line);
        }
    at += sprintf(at, "endsolid cube%s", end_of_line);
    return (size_t)(at - out);
}

static size_t cube_stl_binary(unsigned char *out)
{
    memset(out, ' ', 80);
    memcpy(out, "solid, says this binary file", 28);
    const uint32_t count = 12;
    memcpy(out + 80, &count, 4); /* this machine is little-endian, as the format */
    unsigned char *at = out + 84;
    for (int f = 0; f < 6; f++)
        for (int half = 0; half < 2; half++, at += 50) {
            memset(at, 0, 50);
            for (int k = 0; k < 3; k++)
                for (int x = 0; x < 3; x++) {
                    const float value = (float)coordinate(FACE[f][k == 0 ? 0 : k + half], x);
                    memcpy(at + 12 + 12 * k + 4 * x, &value, 4);
                }
        }
    return (size_t)(at - out);
}

static const char CUBE_OBJ[] = "# a cube, with all that is not looked at\nmtllib cube.mtl\no cube\n"
                               "v 0 0 0\nv 1 0 0 1.0\nv 0 1 0\nv 1 1 0\r\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\nvn 0 0 1\nvt 0 0\ns off\n"
                               "f 1 3 4 2\nf 5/1 6/1 8/1 7/1\nf 1//1 2//1 6//1 5//1\nf -6 -2 -1 -5\nf 1/1/1 5/1/1 7/1/1 3/1/1 # left\nf 2 4 8 6";

static void check_cube(const char *path, double scale)
{
    tl_triangles s;
    tl_error error = {0};
    CHECK_OK(tl_triangles_read(&s, path, scale, &error), error.text);
    CHECK(s.triangles == 12);
    CHECK_NEAR(volume(&s), scale * scale * scale, 1e-15);
    tl_triangles_free(&s);
}

TEST(dialects)
{
    char text[8192];
    unsigned char binary[84 + 12 * 50];
    check_cube(write_bytes("cube.stl", text, cube_stl_text(text, "\n")), 1);
    check_cube(write_bytes("cube.STL", text, cube_stl_text(text, "\r\n")), 1e-3);
    check_cube(write_bytes("binary.stl", binary, cube_stl_binary(binary)), 2);
    check_cube(write_text("cube.obj", CUBE_OBJ), 0.5);
}

TEST(mistakes)
{
    static const struct {
        const char *name, *text, *says;
    } CASES[] = {
        {"a.ply", "", "neither .stl nor .obj"},
        {"a", "", "neither .stl nor .obj"},
        {"a.stl", "", "does not begin with 'solid'"},
        {"a.stl", "solid\n", "has no triangles"},
        {"a.stl", "solid\nfacet\nouter loop\nvertex 0 0\n", ":4: three finite"},
        {"a.stl", "solid\nvertex 0 0 nan\n", ":2: three finite"},
        {"a.stl", "solid\nvertex 0 0 1e999\n", ":2: three finite"},
        {"a.stl", "solid\nvertex 0 0 0\nvertex 0 0 1\nendloop\n", ":4: a facet has three"},
        {"a.stl", "solid\nvertex 0 0 0\nvertex 0 0 1\nvertex 0 1 1\n", "ends within a facet"},
        {"a.stl", "solid\nvertexes\n", ":2: 'vertexes' is not part"},
        {"a.obj", "", "has no triangles"},
        {"a.obj", "v 0 0 0\nv 0 0 1\nv 0 1 0\n", "has no triangles"},
        {"a.obj", "v 0 0 0\nv 0 0 1\nv 0 1 0\nf 1 2\n", ":4: a face has at least three"},
        {"a.obj", "v 0 0 0\nv 0 0 1\nv 0 1 0\nf 1 2 4\n", ":4: there is no point 4; 3 came"},
        {"a.obj", "v 0 0 0\nv 0 0 1\nv 0 1 0\nf 1 2 0\n", "there is no point 0"},
        {"a.obj", "v 0 0 0\nv 0 0 1\nv 0 1 0\nf 1 2 -4\n", "there is no point -4"},
        {"a.obj", "v 0 0 0\nv 0 0 1\nv 0 1 0\nf 1 2 99999999999999999999\n", "there is no point 9999"},
        {"a.obj", "v 0 0 0\nv 0 0 1\nv 0 1 0\nf 1 2 x\n", "numbers of points"},
        {"a.obj", "v 0 0\n", ":1: three finite"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        tl_triangles s;
        tl_error error = {0};
        const char *path = write_text(CASES[i].name, CASES[i].text);
        CHECK(tl_triangles_read(&s, path, 1, &error) == TALUS_INPUT && !s.point && !s.triangle);
        if (!strstr(error.text, CASES[i].says)) TEST_FAIL("case %zu: no '%s' in: %s", i, CASES[i].says, error.text);
    }
    tl_triangles s;
    tl_error error = {0};
    CHECK(tl_triangles_read(&s, "/nowhere/a.stl", 1, &error) == TALUS_IO && strstr(error.text, "/nowhere/a.stl"));
}

/* Files with bytes changed, cut off and doubled: read or refused, nothing else; what is read has finite points and existing corners. */
TEST(mutations)
{
    static const char *const NAME[3] = {"m.stl", "m.stl", "m.obj"};
    char text[8192];
    unsigned char binary[84 + 12 * 50];
    const size_t size[3] = {cube_stl_text(text, "\n"), cube_stl_binary(binary), sizeof CUBE_OBJ - 1};
    const void *whole[3] = {text, binary, CUBE_OBJ};
    tl_random random = tl_random_seed(7);
    int read = 0;
    for (int run = 0; run < 3000; run++) {
        unsigned char data[8192];
        const int kind = run % 3;
        memcpy(data, whole[kind], size[kind]);
        size_t length = size[kind];
        for (int k = tl_random_int(&random, 6); k > 0; k--) data[tl_random_int(&random, (int)length)] = (unsigned char)tl_random_int(&random, 256);
        if (tl_random_int(&random, 3) == 0) length = (size_t)tl_random_int(&random, (int)length + 1);
        tl_triangles s;
        tl_error error = {0};
        const talus_status status = tl_triangles_read(&s, write_bytes(NAME[kind], data, length), 1, &error);
        CHECK(status == TALUS_OK || (status == TALUS_INPUT && error.text[0]));
        if (status != TALUS_OK) continue;
        read++;
        for (int i = 0; i < s.points; i++) CHECK(isfinite(s.point[i][0]) && isfinite(s.point[i][1]) && isfinite(s.point[i][2]));
        for (int i = 0; i < s.triangles; i++)
            for (int k = 0; k < 3; k++) CHECK(s.triangle[i][k] >= 0 && s.triangle[i][k] < s.points);
        tl_triangles_free(&s);
    }
    CHECK(read > 300 && read < 2700);
}

/* ---- few corners -------------------------------------------------------------------------------------------------- */

static double hull_volume(const tl_vec3 *points, int count)
{
    tl_shape3 hull = {0};
    tl_error error = {0};
    CHECK_OK(tl_shape3_hull(&hull, tl_memory_default(), points, count, 0, &error), error.text);
    const double v = tl_shape3_volume(&hull).volume;
    tl_shape3_free(&hull, tl_memory_default());
    return v;
}

TEST(cube_of_many_points)
{
    tl_vec3 points[3000];
    tl_random random = tl_random_seed(3);
    tl_error error = {0};
    int count = 0;
    for (int i = 0; i < 2990; i++) { /* on the faces, edges and inside */
        double x[3];
        for (int k = 0; k < 3; k++) x[k] = tl_random_uniform(&random, 0, 1);
        x[i % 3] = i / 3 % 2;
        if (i % 7 == 0) x[(i + 1) % 3] = i / 2 % 2;
        points[count++] = tl_load3(x);
    }
    for (int c = 0; c < 8; c++) points[count++] = tl_v3(coordinate(c, 0), coordinate(c, 1), coordinate(c, 2));
    CHECK_OK(tl_thin3(tl_memory_default(), points, &count, 8, &error), error.text);
    CHECK(count == 8);
    CHECK_NEAR(hull_volume(points, count), 1, 1e-14);
}

/* 2n triangles, at best alike, each below the sphere by a² / 8 in the mean, where a² = 8π/(√3 n): 5.44/n of the volume. */
TEST(ball)
{
    tl_error error = {0};
    for (int most = 20; most <= 80; most *= 2) {
        tl_vec3 points[1000];
        tl_random random = tl_random_seed(5);
        int count = 0;
        while (count < 1000) {
            const tl_vec3 p = tl_v3(tl_random_uniform(&random, -1, 1), tl_random_uniform(&random, -1, 1), tl_random_uniform(&random, -1, 1));
            if (tl_dot(p, p) > 0.01 && tl_dot(p, p) < 1) points[count++] = tl_normalize(p);
        }
        CHECK_OK(tl_thin3(tl_memory_default(), points, &count, most, &error), error.text);
        CHECK(count == most);
        const double lost = 1 - hull_volume(points, count) / (4.0 / 3 * TL_PI), least = 6 * TL_PI / (2 * sqrt(3.0) * most);
        if (lost > 1.5 * least) TEST_FAIL("%d corners lose %g of the volume, the best %g", most, lost, least);
    }
}

/* ---- scenes ------------------------------------------------------------------------------------------------------- */

static talus_world *build(const char *shapes, talus_scene **scene)
{
    char text[2048];
    talus_world *w = NULL;
    snprintf(text, sizeof text,
             "dimension: 3\ngravity: [0, 0, -9.81]\ntime: {end: 1 s, step: 1 ms}\nmaterials: {rock: {density: 1000}}\n"
             "interactions: [{friction: 0.5}]\nbodies:\n%s",
             shapes);
    if (talus_scene_load(write_text("scene.yaml", text), NULL, 0, scene) != TALUS_OK || talus_scene_build(*scene, 1, &w) != TALUS_OK) return NULL;
    return w;
}

TEST(in_a_scene)
{
    talus_scene *scene;
    write_text("ground.obj", "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nv 0.1 0.2 0\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n");
    write_text("cube.obj", CUBE_OBJ);
    talus_world *w = build("  terrain: {kind: fixed, shapes: [{mesh: {file: ground.obj, scale: 10 m, material: rock}}]}\n"
                           "  stone: {position: [-0.5, 0, 0.001], shapes: [{polyhedron: {file: cube.obj, vertices: 8, material: rock}}]}\n",
                           &scene);
    if (!w) TEST_FAIL("%s", talus_scene_mistake(scene, 0));
    const talus_body_id stone = talus_body_find(w, "stone");
    CHECK_NEAR(talus_body_mass(w, stone), 1000, 1e-9);
    talus_step_report report = {0};
    for (int i = 0; i < 300; i++) CHECK_OK(talus_world_step(w, &report), talus_world_error(w));
    double position[3], q[4];
    talus_body_pose(w, stone, position, q);
    CHECK_NEAR(position[2], 0, 1e-4);
    CHECK_NEAR(fabs(q[0]), 1, 1e-6);
    talus_world_destroy(w);
    talus_scene_destroy(scene);
    static const char *const WRONG[][2] = {
        {"  a: {kind: fixed, shapes: [{mesh: {file: none.stl, material: rock}}]}\n", "none.stl"},
        {"  a: {shapes: [{mesh: {file: ground.obj, material: rock}}]}\n", "mesh"},
        {"  a: {shapes: [{polyhedron: {file: ground.obj, material: rock}}]}\n", "plane"},
        {"  a: {shapes: [{polyhedron: {material: rock}}]}\n", "either points"},
        {"  a: {shapes: [{polyhedron: {file: cube.obj, points: [[0, 0, 0]], material: rock}}]}\n", "either points"},
        {"  a: {shapes: [{polyhedron: {file: cube.obj, vertices: 3, material: rock}}]}\n", "vertices"},
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        w = build(WRONG[i][0], &scene);
        CHECK(!w);
        if (!strstr(talus_scene_mistake(scene, 0), WRONG[i][1])) TEST_FAIL("no '%s' in: %s", WRONG[i][1], talus_scene_mistake(scene, 0));
        talus_scene_destroy(scene);
    }
}

int main(int argc, char **argv)
{
    if (!mkdtemp(home)) return 1;
    RUN(dialects);
    RUN(mistakes);
    RUN(mutations);
    RUN(cube_of_many_points);
    RUN(ball);
    RUN(in_a_scene);
    char command[300];
    snprintf(command, sizeof command, "rm -r %s", home);
    if (system(command) != 0) return 1;
    return TEST_RESULT;
}
