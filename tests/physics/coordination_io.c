/* The probes compactness and coordination in worlds whose contacts are known: piles with a closed form, in space and in the plane. */
#include "talus/scene.h"
#include "talus/talus.h"
#include "test.h"

typedef struct lab {
    talus_scene *scene;
    talus_world *world;
} lab;

static lab open_lab(const char *text)
{
    char path[] = "coordination-XXXXXX";
    lab l = {NULL, NULL};
    const int file = mkstemp(path);
    if (file < 0 || write(file, text, strlen(text)) != (ssize_t)strlen(text)) abort();
    close(file);
    CHECK_OK(talus_scene_load(path, NULL, 0, &l.scene), talus_scene_mistake(l.scene, 0));
    CHECK_OK(talus_scene_build(l.scene, 1, &l.world), talus_scene_mistake(l.scene, 0));
    unlink(path);
    if (!l.world) exit(1);
    return l;
}

static void close_lab(lab *l)
{
    talus_world_destroy(l->world);
    talus_scene_destroy(l->scene);
}

static void steps(const lab *l, int count)
{
    for (int i = 0; i < count; i++) CHECK_OK(talus_world_step(l->world, NULL), talus_world_error(l->world));
}

static double probe(const lab *l, const char *name)
{
    for (int i = 0; i < talus_scene_probe_count(l->scene); i++)
        if (strcmp(talus_scene_probe_name(l->scene, i), name) == 0) return talus_scene_probe_value(l->scene, l->world, i);
    TEST_FAIL("no probe %s", name);
    return 0;
}

#define SPACE                                                                                                                                                  \
    "dimension: 3\n"                                                                                                                                           \
    "time: {end: 1 s, step: 1 ms}\n"                                                                                                                           \
    "solver: {tolerance: 1e-10 m/s, max_iterations: 100000}\n"                                                                                                 \
    "materials: {stone: {density: 1000 kg/m^3}}\n"
#define WALL(point, normal) "{half_space: {point: " point ", normal: " normal ", material: stone}}"

/* A cube of 3 × 3 × 3 balls in a corner of three walls, pulled along the cube's diagonal, without friction: all 54 contacts between balls and
 * the 27 with the walls press. The walls are one body: three contacts of the ball in the corner count as one, two of each of the six in an
 * edge as one. With walls of their own, (2·54 + 27)/27 = 5. */
static const char CORNER[] = SPACE "gravity: [-1 m/s^2, -1 m/s^2, -1 m/s^2]\n"
                                   "interactions: [{friction: 0}]\n"
                                   "bodies:\n"
                                   "  walls: {kind: fixed, shapes: [" WALL("[0, 0, 0]", "[1, 0, 0]") ", " WALL("[0, 0, 0]", "[0, 1, 0]") ", " WALL(
                                       "[0, 0, 0]", "[0, 0, 1]") "]}\n"
                                                                 "grains:\n"
                                                                 "  balls: {generator: lattice, rows: 3, columns: 3, layers: 3, spacing: 2 m, origin: [1, 1, "
                                                                 "1], shape: sphere, radius: 1 m, material: stone}\n"
                                                                 "probes:\n"
                                                                 "  all: {coordination: balls}\n"
                                                                 "  middle: {coordination: balls, region: [[2, 2, 2], [4, 4, 4]]}\n"
                                                                 "  far: {coordination: balls, region: [[4, 4, 4], [6, 6, 6]]}\n"
                                                                 "  none: {coordination: balls, region: [[7, 7, 7], [8, 8, 8]]}\n"
                                                                 "  full: {compactness: balls, region: [[0, 0, 0], [6, 6, 6]]}\n"
                                                                 "  cell: {compactness: balls, region: [[1, 1, 1], [3, 3, 3]]}\n";

TEST(cubic)
{
    lab l = open_lab(CORNER);
    CHECK(probe(&l, "all") == 0); /* no step yet */
    steps(&l, 3);
    CHECK_NEAR(probe(&l, "all"), (2 * 54 + 27 - 2 - 6) / 27.0, 1e-15);
    CHECK(probe(&l, "middle") == 6);
    CHECK(probe(&l, "far") == 3);
    CHECK(probe(&l, "none") == 0);
    CHECK_NEAR(probe(&l, "full"), acos(-1.0) / 6, 1e-6); /* they move by the solver's tolerance and its slop only */
    CHECK_NEAR(probe(&l, "cell"), acos(-1.0) / 6, 1e-6);
    close_lab(&l);
}

/* Three balls on the floor, a little apart, and one on them: it touches three, each of them touches it and the floor. A fourth stands alone. */
static const char THREE[] = SPACE
    "gravity: [0, 0, -9.81 m/s^2]\n"
    "interactions: [{friction: 0.7}]\n"
    "parameters: {d: 2.02 m}\n"
    "bodies:\n"
    "  floor: {kind: fixed, shapes: [" WALL(
        "[0, 0, 0]", "[0, 0, 1]") "]}\n"
                                  "grains:\n"
                                  "  base: {generator: list, positions: [[0, 0, 1], [d, 0, 1], [d/2, d*sqrt(3)/2, 1], [20, 0, 1]], shape: sphere, radius: 1 m, "
                                  "material: stone}\n"
                                  "  top: {generator: list, positions: [[d/2, d/sqrt(12), 1 + sqrt(4 - d^2/3)]], shape: sphere, radius: 1 m, material: stone}\n"
                                  "probes:\n"
                                  "  top: {coordination: top}\n"
                                  "  base: {coordination: base}\n"
                                  "  pile: {coordination: base, region: [[-1, -1, 0], [10, 10, 10]]}\n"
                                  "  bearing: {coordination: base, quantity: without_rattlers}\n";

TEST(one_on_three)
{
    lab l = open_lab(THREE);
    steps(&l, 5);
    CHECK(probe(&l, "top") == 3);
    CHECK(probe(&l, "base") == 7 / 4.0);
    CHECK(probe(&l, "pile") == 2);
    CHECK(probe(&l, "bearing") == 2); /* without the one that stands alone */
    close_lab(&l);
}

/* A cube of stone rests on a floor by four corners: one body touches it. Boxes are no grains, but a ball that lies on two boxes is. */
static const char POINTS[] =
    SPACE "gravity: [0, 0, -9.81 m/s^2]\n"
          "interactions: [{friction: 0.7}]\n"
          "bodies:\n"
          "  floor: {kind: fixed, shapes: [" WALL(
              "[0, 0, 0]",
              "[0, 0, 1]") "]}\n"
                           "  frame: {kind: fixed, position: [1, 2, 3], orientation: {axis_angle_deg: [0, 0, 1, 90]}, shapes: []}\n"
                           "grains:\n"
                           "  stone: {generator: list, positions: [[0, 0, 0.3]], shape: stone, corners: 4, angularity: 1, radius: 0.2 m, material: stone}\n"
                           "  ball: {generator: list, positions: [[3, 2, 0.5]], shape: sphere, radius: 0.5 m, material: stone}\n"
                           "probes:\n"
                           "  stone: {coordination: stone}\n"
                           "  ball: {compactness: ball, frame: frame, region: [[0, -2, -3], [0.5, -1.5, -2.5]]}\n"
                           "  cut: {compactness: stone, region: [[-0.05, -0.02, 0.2], [0.3, 0.3, 0.45]]}\n"
                           "  turned: {compactness: stone, frame: frame, region: [[-2.02, 0.7, -2.8], [-1.7, 1.05, -2.55]]}\n"
                           "  whole: {compactness: stone, region: [[-2, -2, -2], [2, 2, 2]]}\n";

/* The frame's x is the world's y, its y the world's −x: the ball's centre is at (0, −2, −2.5) in it, and the region holds an eighth of the ball. */
TEST(points_and_frames)
{
    lab l = open_lab(POINTS);
    CHECK_NEAR(probe(&l, "ball") * 0.125, acos(-1.0) / 6 * 0.125, 1e-12);
    CHECK(probe(&l, "cut") > 0.01 && probe(&l, "cut") < 0.99);
    CHECK_NEAR(probe(&l, "turned"), probe(&l, "cut"), 1e-12);
    CHECK_NEAR(probe(&l, "whole") * 64 * 1000, talus_body_mass(l.world, talus_body_at(l.world, 2)), 1e-9);
    steps(&l, 2000); /* a tetrahedron falls on a face: three points */
    int touching = 0;
    for (int i = 0; i < talus_contact_count(l.world); i++) {
        talus_contact c;
        talus_contact_get(l.world, i, &c);
        touching += c.impulse[0] > 0 && (c.candidate.index1 == 3 || c.antagonist.index1 == 3);
    }
    CHECK(touching == 3);
    CHECK(probe(&l, "stone") == 1);
    close_lab(&l);
}

/* In the plane: a disk on two disks on a line. */
static const char PLANE[] =
    "time: {end: 1 s, step: 1 ms}\n"
    "gravity: [0, -9.81 m/s^2]\n"
    "solver: {tolerance: 1e-10 m/s, max_iterations: 100000}\n"
    "materials: {stone: {density: 1000 kg/m^3}}\n"
    "interactions: [{friction: 0.7}]\n"
    "bodies:\n"
    "  floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: stone}}]}\n"
    "grains:\n"
    "  disks: {generator: list, positions: [[0, 1], [2.02 m, 1], [1.01 m, 1 + sqrt(4 - 1.01^2)], [9, 1]], radius: 1 m, material: stone}\n"
    "probes:\n"
    "  all: {coordination: disks}\n"
    "  bearing: {coordination: disks, quantity: without_rattlers}\n"
    "  top: {coordination: disks, region: [[0, 2], [3, 4]]}\n";

TEST(plane)
{
    lab l = open_lab(PLANE);
    steps(&l, 5);
    CHECK(probe(&l, "all") == 7 / 4.0);
    CHECK(probe(&l, "bearing") == 2);
    CHECK(probe(&l, "top") == 2);
    close_lab(&l);
}

/* Balls of two sizes in free flight: their centre of mass is thrown like one body. */
static const char THROWN[] = SPACE "gravity: [0, 0, -10 m/s^2]\n"
                                   "grains:\n"
                                   "  small: {generator: list, positions: [[-1, 0, 0], [-1, 3, 0]], radius: 0.1 m, velocity: [0, 0, 9 m/s], material: stone}\n"
                                   "  both: {generator: list, positions: [[1, 0, 0], [5, 6, 4]], radius: {classes: [0.1 m, 0.2 m]}, seed: 3, material: stone}\n"
                                   "probes:\n"
                                   "  x: {grains: small}\n"
                                   "  y: {grains: small, quantity: y}\n"
                                   "  z: {grains: small, quantity: z}\n"
                                   "  vz: {grains: small, quantity: vz}\n"
                                   "  weighted: {grains: both, quantity: x}\n";

TEST(mean_motion)
{
    const lab l = open_lab(THROWN);
    const double m = talus_body_mass(l.world, talus_body_at(l.world, 2)), M = talus_body_mass(l.world, talus_body_at(l.world, 3));
    CHECK(m != M);
    steps(&l, 100);
    CHECK_NEAR(probe(&l, "x"), -1, 1e-12);
    CHECK_NEAR(probe(&l, "y"), 1.5, 1e-12);
    CHECK_NEAR(probe(&l, "z"), 9 * 0.1 - 0.5 * 10 * 0.1 * 0.1, 1e-12);
    CHECK_NEAR(probe(&l, "vz"), 9 - 10 * 0.1, 1e-12);
    CHECK_NEAR(probe(&l, "weighted"), (m + 5 * M) / (m + M), 1e-12);
    close_lab((lab *)&l);
}

int main(int argc, char **argv)
{
    RUN(cubic);
    RUN(one_on_three);
    RUN(points_and_frames);
    RUN(plane);
    RUN(mean_motion);
    return TEST_RESULT;
}
