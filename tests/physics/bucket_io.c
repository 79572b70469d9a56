/* A concave tool from a file, as the link of a mechanism: a bucket of thin walls, a closed surface of triangles. Stones and balls stay in it while it is
 * lifted, swung and stopped, those outside stay out, and the drive that holds it bears its weight and theirs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "talus/scene.h"
#include "talus/talus.h"
#include "test.h"

static char path[256], file[256];

/* Outer half width 0.2 m, height 0.3 m, walls and bottom of 5 mm. */
static void write_bucket(void)
{
    static const double HALF[4] = {0.2, 0.2, 0.195, 0.195}, Z[4] = {0, 0.3, 0.3, 0.005}; /* outer bottom, outer rim, inner rim, inner bottom */
    static const double SIGN[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    FILE *f = fopen(file, "w");
    CHECK(f != NULL);
    for (int ring = 0; ring < 4; ring++)
        for (int k = 0; k < 4; k++) fprintf(f, "v %g %g %g\n", HALF[ring] * SIGN[k][0], HALF[ring] * SIGN[k][1], Z[ring]);
    fprintf(f, "f 4 3 2 1\nf 13 14 15 16\n"); /* bottoms, seen from below and from within */
    for (int ring = 0; ring < 3; ring++)
        for (int k = 0; k < 4; k++) {
            const int a = 4 * ring + k + 1, b = 4 * ring + (k + 1) % 4 + 1;
            fprintf(f, "f %d %d %d %d\n", a, b, b + 4, a + 4);
        }
    fclose(f);
}

static double probe(const talus_scene *s, const talus_world *w, const char *name)
{
    for (int i = 0; i < talus_scene_probe_count(s); i++)
        if (strcmp(talus_scene_probe_name(s, i), name) == 0) return talus_scene_probe_value(s, w, i);
    TEST_FAIL("there is no probe %s", name);
    return 0;
}

/* Of a group, how many are within the bucket as it stands; the mass of those. */
static int count_inside(const talus_world *w, int first, int count, double *mass)
{
    double p[3], q[4];
    int inside = 0;
    talus_body_pose(w, talus_body_find(w, "bucket"), p, q);
    const double turn = 2 * atan2(q[2], q[0]); /* about y */
    for (int i = first; i < first + count; i++) {
        double x[3], unused[4];
        talus_body_pose(w, talus_body_at(w, i), x, unused);
        const double dx = x[0] - p[0], dz = x[2] - p[2], along = cos(turn) * dx - sin(turn) * dz, up = sin(turn) * dx + cos(turn) * dz;
        if (fabs(along) > 0.195 || fabs(x[1] - p[1]) > 0.195 || up < 0.005) continue;
        inside++;
        *mass += talus_body_mass(w, talus_body_at(w, i));
    }
    return inside;
}

static const char *const SCENE =
    "dimension: 3\n"
    "gravity: [0, 0, -9.81]\n"
    "time: {end: 2 s, step: 1 ms}\n"
    "materials: {m: {density: 2500}}\n"
    "interactions: [{friction: 0.5}]\n"
    "mechanisms:\n"
    "  crane:\n"
    "    bodies:\n"
    "      hook: {mass: 1}\n"
    "      bucket: {mass: 10, inertia: 1, centre_of_mass: [0, 0, 0.1], shapes: [{mesh: {file: %s, material: m}}]}\n"
    "    joints:\n"
    "      lift: {type: prismatic, parent: ground, child: hook, axis: [0, 0, 1]}\n"
    "      swing: {type: revolute, parent: hook, child: bucket, axis: [0, 1, 0]}\n"
    "    drives:\n"
    "      up:\n        joint: lift\n        position: 0.25 m * (1 - cos(pi * min(t, 1 s) / 1 s))\n"
    "      sway:\n        joint: swing\n        position: 0.3 rad * sin(pi * min(t, 1 s) / 1 s) * sin(pi * min(t, 1 s) / 1 s)\n"
    "grains:\n"
    "  balls: {generator: fill, region: [[-0.19, -0.19, 0.01], [0.19, 0.19, 0.1]], count: 40, radius: 20 mm, material: m}\n"
    "  stones: {generator: fill, region: [[-0.19, -0.19, 0.1], [0.19, 0.19, 0.24]], count: 12, radius: 25 mm, shape: stone, material: m}\n"
    "  beside: {generator: list, radius: 15 mm, material: m, velocity: [-2 m/s, 0, 0], positions: [[0.3, 0, 0.05], [0.35, 0.1, 0.1]]}\n"
    "probes: {hold: {joint: lift, quantity: force}}\n";

TEST(holds_what_is_in_it)
{
    char text[4096];
    talus_scene *s = NULL;
    talus_world *w = NULL;
    write_bucket();
    snprintf(text, sizeof text, SCENE, file);
    FILE *f = fopen(path, "w");
    CHECK(f && fputs(text, f) >= 0);
    if (f) fclose(f);
    CHECK(talus_scene_load(path, NULL, 0, &s) == TALUS_OK);
    if (talus_scene_build(s, 1, &w) != TALUS_OK) TEST_FAIL("%s", talus_scene_mistake_count(s) > 0 ? talus_scene_mistake(s, 0) : "?");
    double load = 0, force = 0, unused = 0;
    for (int k = 0; w && k < 2000; k++) {
        CHECK_OK(talus_world_step(w, NULL), talus_world_error(w));
        if (k >= 1500) force += probe(s, w, "hold") / 500;
    }
    const int grains = talus_body_count(w) - 54;
    CHECK(count_inside(w, grains, 52, &load) == 52);
    CHECK(count_inside(w, grains + 52, 2, &unused) == 0);
    CHECK_CLOSE(force, 9.81 * (11 + load), 1e-3);
    talus_world_destroy(w);
    talus_scene_destroy(s);
}

/* What a mesh passes through is said. */
TEST(warns_of_planes)
{
    for (int plane = 0; plane < 2; plane++) {
        char text[2048];
        talus_scene *s = NULL;
        talus_world *w = NULL;
        write_bucket();
        snprintf(text, sizeof text,
                 "dimension: 3\ntime: {end: 1 s}\nmaterials: {m: {density: 1}}\n"
                 "bodies: {floor: {kind: fixed, material: m, shapes: [{%s}]}}\n"
                 "mechanisms: {crane: {bodies: {bucket: {mass: 1, shapes: [{mesh: {file: %s, material: m}}]}}, "
                 "joints: {lift: {type: prismatic, parent: ground, child: bucket}}}}\n",
                 plane ? "half_space: {point: [0, 0, 0], normal: [0, 0, 1]}" : "box: {size: [1, 1, 1]}", file);
        FILE *f = fopen(path, "w");
        CHECK(f && fputs(text, f) >= 0);
        if (f) fclose(f);
        CHECK(talus_scene_load(path, NULL, 0, &s) == TALUS_OK);
        CHECK(talus_scene_build(s, 1, &w) == TALUS_OK);
        CHECK((strstr(talus_scene_warnings(s), "passes through body 'floor'") != NULL) == (plane == 1));
        talus_world_destroy(w);
        talus_scene_destroy(s);
    }
}

int main(int argc, char **argv)
{
    snprintf(path, sizeof path, "/tmp/talus_bucket_%d.yaml", (int)getpid());
    snprintf(file, sizeof file, "/tmp/talus_bucket_%d.obj", (int)getpid());
    RUN(holds_what_is_in_it);
    RUN(warns_of_planes);
    unlink(path);
    unlink(file);
    return TEST_RESULT;
}
