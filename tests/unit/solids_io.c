/* Shapes of many convex parts in scenes, and arrays: volumes and moments of inertia against closed forms, what they hold, what is wrong said. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "talus/scene.h"
#include "talus/talus.h"
#include "test.h"

static const double PI = 3.14159265358979323846;
static char path[256];

static talus_scene *load(const char *text)
{
    FILE *f = fopen(path, "w");
    CHECK(f && fputs(text, f) >= 0);
    if (f) fclose(f);
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

/* A free body of density 1 (and thickness 1) with one shape. */
static talus_world *one_body(int dimension, const char *shape, talus_scene **s)
{
    char text[2048];
    snprintf(text, sizeof text,
             "dimension: %d\ntime: {end: 1 s}\nmaterials: {m: {density: 1}}\n"
             "bodies: {b: {material: m, %s, shapes: [%s]}}\n",
             dimension, dimension == 2 ? "angular_velocity: 1" : "spin: [0, 0, 1]", shape);
    return build(text, s);
}

/* About z, from the kinetic energy of the body, which turns at 1 rad/s. */
static double moment(const talus_world *w)
{
    double kinetic, potential;
    talus_world_energy(w, &kinetic, &potential);
    return 2 * kinetic;
}

/* inertia 0: not asked for. */
static void check_body(int dimension, const char *shape, double mass, double inertia, double share)
{
    talus_scene *s;
    talus_world *w = one_body(dimension, shape, &s);
    if (w) {
        const talus_body_id b = talus_body_find(w, "b");
        const double m = talus_body_mass(w, b), J = moment(w);
        if (!(fabs(m - mass) <= 1e-10 * mass)) TEST_FAIL("%s: mass %.15g, expected %.15g", shape, m, mass);
        if (inertia > 0 && !(fabs(J - inertia) <= share * inertia)) TEST_FAIL("%s: inertia %.15g, expected %.15g", shape, J, inertia);
    }
    talus_world_destroy(w);
    talus_scene_destroy(s);
}

/* A polygon of n sides with the circle's area has the polar moment A r²/2 (1 + θ⁴/360 …), θ = 2π/n: with 26 sides 1e-5 more. */
TEST(mass_in_space)
{
    const double tube = PI * (0.25 - 0.16) * 2, plate = PI * 0.25 * 0.1;
    check_body(3, "{tube: {from: [0, 0, 1], to: [0, 0, 3], radius: 0.4, thickness: 0.1}}", tube, tube * (0.25 + 0.16) / 2, 5e-5);
    check_body(3, "{tube: {from: [0, 0, 1], to: [0, 0, 3], radius: 0.4, thickness: 0.1, closed: both}}", tube + 2 * plate,
               tube * (0.25 + 0.16) / 2 + 2 * plate * 0.125, 5e-5);
    /* a cone of height 3, radius 1: V = π; J = 3/10 m r²; a frustum is a cone less its tip */
    check_body(3, "{cone: {from: [0, 0, 0], to: [0, 0, 3], radius: 1}}", PI, 0.3 * PI, 5e-5);
    check_body(3, "{cone: {from: [0, 0, 0], to: [0, 0, 1.5], radius: 1, radius_to: 0.5}}", PI * 7 / 8, 0.3 * PI * (1 - 1.0 / 32), 5e-5);
    check_body(3, "{cone: {from: [0, 0, 0], to: [0, 0, 3], radius: 0, radius_to: 1, tolerance: 0.1 mm}}", PI, 0.3 * PI, 1e-8);
    /* funnels: what is between two frusta, two pyramids: V = h/3 (A + √(A A') + A'), A side by side with 0.1 m more on each side */
    check_body(3, "{hopper: {outlet: [0.2, 0.4], inlet: [1, 1.2], height: 1, bin: 0.5, thickness: 0.1}}",
               (0.4 * 0.6 + 4 * 0.8 * 1.0 + 1.2 * 1.4) / 6 - (0.2 * 0.4 + 4 * 0.6 * 0.8 + 1 * 1.2) / 6 + 0.5 * (1.2 * 1.4 - 1.2), 0, 0);
    check_body(3, "{hopper: {outlet: 0.2, inlet: 1, height: 1, bin: 0.5, thickness: 0.1}}",
               PI / 3 * ((0.04 + 0.12 + 0.36) - (0.01 + 0.05 + 0.25)) + 0.5 * PI * (0.36 - 0.25), 0, 0);
    /* a helicoid of three turns, 0.1 m of pitch: its shadow three times that of the ring, times the thickness along the axis */
    const double flight = 3 * PI * (0.04 - 0.0025) * 0.005;
    check_body(3, "{spiral: {from: [0, 0, 0], to: [0, 0, 0.3], radius: 0.2, inner_radius: 0.05, pitch: 0.1, thickness: 5 mm}}", flight,
               flight * (0.04 + 0.0025) / 2, 1e-4);
    check_body(3, "{spiral: {from: [1, 0, 0], to: [1, 0, 0.25], radius: 0.2, inner_radius: 0.05, pitch: 0.1, thickness: 5 mm, hand: left}}", 2.5 / 3 * flight,
               0, 0);
    /* a ring of square section turned about z by Pappus; a half disk of 8 points is a ball nearly, exactly a stack of frusta */
    const double square = 2 * PI * 2 * 0.25;
    check_body(3, "{revolution: {profile: [[1.75, 0], [2.25, 0], [2.25, 0.5], [1.75, 0.5]]}}", square, square * (2.25 * 2.25 + 1.75 * 1.75) / 2, 5e-5);
    /* a cup: bottom and wall outside of a line, mitred: π (0.6² 0.6 − 0.5² 0.5) */
    check_body(3, "{revolution: {profile: [[0, 0], [0.5, 0], [0.5, 0.5]], thickness: 0.1}}", PI * (0.36 * 0.6 - 0.25 * 0.5), 0, 0);
    /* a V section (not convex): a cylinder less a cone cut into its top */
    check_body(3, "{revolution: {profile: [[0, 1], [0, 0.2], [1, 0.2], [1, 1.4]]}}", PI * (1.2 - 0.4 / 3), PI * (0.5 * 0.8 + 0.4 * 2 * 0.2), 5e-5);
}

TEST(mass_in_the_plane)
{
    const double ring = PI * (0.25 - 0.16);
    check_body(2, "{ring: {radius: 0.5, thickness: 0.1}}", ring, ring * (0.25 + 0.16) / 2, 5e-5);
    check_body(2, "{ring: {centre: [1, 2], radius: 0.5, thickness: 0.1, tolerance: 0.1 mm}}", ring, ring * (0.25 + 0.16) / 2, 1e-7);
    check_body(2, "{ring: {radius: 0.5, thickness: 0.1, from: 30 deg, to: 120 deg}}", ring / 4, 0, 0);
    check_body(2, "{hopper: {outlet: 0.2, inlet: 1, height: 1, bin: 0.5, thickness: 0.1}}", 0.3, 0, 0);
    /* an L of 3 + 2 squares; a saw of four teeth, given clockwise: 4 of area ½ on a back of 4 × 1 */
    const double L = 5, cx = (0.5 * 3 + 1.5 + 2.5) / 5, cy = (1.5 * 3 + 0.5 * 2) / 5, about_origin = 3 * (1 + 9) / 3.0 + (26.0 + 2) / 3 * 1;
    check_body(2, "{outline: {points: [[0, 0], [3, 0], [3, 1], [1, 1], [1, 3], [0, 3]]}}", L, about_origin - L * (cx * cx + cy * cy), 1e-10);
    check_body(2, "{outline: {points: [[0, 0], [0, 1], [0.5, 2], [1, 1], [1.5, 2], [2, 1], [2.5, 2], [3, 1], [3.5, 2], [4, 1], [4, 0]]}}", 6, 0, 0);
}

/* Copies of a shape around an axis are those of the body that has them one by one. */
TEST(arrays)
{
    talus_scene *s;
    talus_world *w = one_body(
        3, "{repeat: {count: 4, axis: [0, 0, 1], shapes: [{repeat: {count: 2, shift: [0, 0, 3], shapes: [{sphere: {centre: [2, 0, 0], radius: 0.5}}]}}]}}", &s);
    const talus_body_id b = talus_body_find(w, "b");
    CHECK(talus_body_shape_count(w, b) == 8);
    const double ball = 4.0 / 3 * PI * 0.125;
    CHECK_CLOSE(talus_body_mass(w, b), 8 * ball, 1e-12);
    CHECK_CLOSE(moment(w), 8 * ball * (0.4 * 0.25 + 4), 1e-12);
    double centre[3];
    CHECK(talus_body_corners(w, b, 3, (double(*)[3])centre, 1) == 1);
    CHECK_NEAR(centre[0], 0, 1e-12);
    CHECK_NEAR(centre[1], 2, 1e-12);
    CHECK_NEAR(centre[2], 3, 1e-12);
    talus_world_destroy(w);
    talus_scene_destroy(s);
    w = build("time: {end: 1 s}\nparameters: {n: 6}\nmaterials: {m: {density: 1}}\n"
              "bodies: {bolt: {position: [1, 0], material: m, shapes: [{box: {size: [0.2, 0.1]}}], repeat: {count: n, about: [0, 0]}}}\n"
              "probes: {y: {body: bolt.2, quantity: y}, a: {body: bolt.3, quantity: angle}}\n",
              &s);
    CHECK(talus_body_count(w) == 6);
    CHECK_NEAR(talus_scene_probe_value(s, w, 0), sin(PI / 3), 1e-12);
    CHECK_NEAR(talus_scene_probe_value(s, w, 1), 2 * PI / 3, 1e-12);
    talus_world_destroy(w);
    talus_scene_destroy(s);
}

/* Balls thrown about in a turning drum with lifters, and disks in a ring: for none there is a way through the wall, from either side. */
static void keeps(const char *text, double inner, double outer, int inside)
{
    talus_scene *s;
    talus_world *w = build(text, &s);
    for (int k = 0; w && k < 400; k++) CHECK_OK(talus_world_step(w, NULL), talus_world_error(w));
    int kept = 0, out = 0;
    for (int i = 0; w && i < talus_body_count(w); i++) {
        double x[3], q[4];
        if (talus_body_get_kind(w, talus_body_at(w, i)) != TALUS_BODY_FREE) continue;
        talus_body_pose(w, talus_body_at(w, i), x, q);
        const double r = hypot(x[0], x[1]);
        if (r < inner && fabs(x[2]) < 0.2) kept++;
        else if (r > outer || fabs(x[2]) > 0.2) out++;
    }
    CHECK(kept == inside);
    CHECK(kept + out == (w ? talus_body_count(w) - 1 : -1));
    talus_world_destroy(w);
    talus_scene_destroy(s);
}

TEST(walls_hold_from_both_sides)
{
    keeps("dimension: 3\ngravity: [0, -9.81, 0]\ntime: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 2000}}\ninteractions: [{friction: 0.5}]\n"
          "bodies:\n"
          "  drum:\n"
          "    kind: imposed\n"
          "    material: m\n"
          "    motion: {turn: 20 rad/s * t}\n"
          "    shapes:\n"
          "    - tube: {from: [0, 0, -0.2], to: [0, 0, 0.2], radius: 0.5, thickness: 10 mm, closed: both}\n"
          "    - repeat: {count: 6, axis: [0, 0, 1], shapes: [{box: {size: [50 mm, 10 mm, 0.4], centre: [0.47, 0, 0]}}]}\n"
          "grains:\n"
          "  in: {generator: lattice, rows: 4, columns: 8, layers: 3, spacing: 62 mm, origin: [-0.217, -0.2, -62 mm], radius: 30 mm, material: m}\n"
          "  out: {generator: list, radius: 30 mm, material: m, velocity: [0, -5 m/s, 0], positions: [[0, 0.6, 0], [0.1, 0.6, 0.05], [-0.1, 0.6, 0.05]]}\n",
          0.5, 0.5, 96);
    keeps("gravity: [0, -9.81]\ntime: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 2000}}\ninteractions: [{friction: 0.5}]\n"
          "bodies: {drum: {kind: imposed, material: m, motion: {angle: 20 rad/s * t}, shapes: [{ring: {radius: 0.51, thickness: 10 mm}}]}}\n"
          "grains:\n"
          "  in: {generator: lattice, rows: 6, columns: 8, spacing: 62 mm, origin: [-0.217, -0.2], radius: 30 mm, material: m}\n"
          "  out: {generator: list, radius: 30 mm, material: m, velocity: [0, -5 m/s], positions: [[0, 0.6], [0.1, 0.6], [-0.1, 0.6]]}\n",
          0.5, 0.5, 48);
}

/* A right-handed flight that turns counter-clockwise about its axis, seen against it, moves the end of a thread to its root: what lies on it goes down. A
 * ball that a guide along the axis keeps from turning with it comes down by a pitch for a turn. */
TEST(auger)
{
    for (int hand = 0; hand < 2; hand++) {
        char text[2048];
        talus_scene *s;
        snprintf(text, sizeof text,
                 "dimension: 3\ngravity: [0, 0, -9.81]\ntime: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 2000}}\n"
                 "bodies:\n"
                 "  auger:\n"
                 "    kind: imposed\n"
                 "    material: m\n"
                 "    motion: {turn: %s4 rad/s * t}\n"
                 "    shapes:\n"
                 "    - spiral: {from: [0, 0, 0], to: [0, 0, 1], radius: 0.2, inner_radius: 0.05, pitch: 0.2, thickness: 5 mm, hand: %s}\n"
                 "  guide:\n"
                 "    kind: fixed\n"
                 "    material: m\n"
                 "    shapes: [{repeat: {count: 2, shift: [0, 50 mm, 0], shapes: [{box: {size: [0.3, 10 mm, 2], centre: [0.15, -25 mm, 0.5]}}]}},\n"
                 "             {box: {size: [10 mm, 80 mm, 2], centre: [165 mm, 0, 0.5]}}, {box: {size: [10 mm, 80 mm, 2], centre: [75 mm, 0, 0.5]}}]\n"
                 "  ball: {position: [0.12, 0, 0.5], shapes: [{sphere: {radius: 19.9 mm, material: m}}]}\n",
                 hand ? "-" : "", hand ? "left" : "right");
        talus_world *w = build(text, &s);
        double x[3], q[4], before = 0;
        for (int k = 0; w && k < 1300; k++) {
            CHECK_OK(talus_world_step(w, NULL), talus_world_error(w));
            if (k == 299) talus_body_pose(w, talus_body_find(w, "ball"), x, q), before = x[2];
        }
        talus_body_pose(w, talus_body_find(w, "ball"), x, q);
        CHECK_NEAR(x[2] - before, -0.2 * 4 / (2 * PI), 0.004); /* in 1 s; within two tolerances of its facets, 2 mm each */
        talus_world_destroy(w);
        talus_scene_destroy(s);
    }
}

static void refuses(int dimension, const char *shape, const char *expected)
{
    char text[2048];
    snprintf(text, sizeof text, "dimension: %d\ntime: {end: 1 s}\nmaterials: {m: {density: 1}}\nbodies: {b: {kind: fixed, shapes: [%s]}}\n", dimension, shape);
    talus_scene *s = load(text);
    talus_world *w = NULL;
    CHECK(talus_scene_build(s, 1, &w) == TALUS_INPUT);
    CHECK(w == NULL);
    const char *got = talus_scene_mistake_count(s) > 0 ? talus_scene_mistake(s, 0) : "";
    if (!strstr(got, expected)) TEST_FAIL("%s: '%s', expected '%s'", shape, got, expected);
    talus_scene_destroy(s);
}

TEST(mistakes)
{
    refuses(3, "{tube: {from: [0, 0, 0], to: [0, 0, 0], radius: 1, thickness: 0.1, material: m}}", "the same point");
    refuses(3, "{tube: {from: [0, 0, 0], to: [0, 0, 1], radius: 1, thickness: 0.1}}", "'material' is missing here");
    refuses(3, "{tube: {from: [0, 0, 0], to: [0, 0, 1], radius: 1, thickness: 0.1, material: m, tolerance: 1 nm}}", "more than 2000 facets; allow");
    refuses(3, "{ring: {radius: 1, thickness: 0.1, material: m}}", "'ring' is for the plane");
    refuses(2, "{tube: {from: [0, 0], to: [0, 1], radius: 1, thickness: 0.1, material: m}}", "'tube' is for space");
    refuses(2, "{ring: {radius: 1, thickness: 1, material: m}}", "less than its radius");
    refuses(2, "{outline: {points: [[0, 0], [1, 1], [1, 0], [0, 2]], material: m}}", "cross");
    refuses(2, "{outline: {points: [[0, 0], [1, 1], [2, 2]], material: m}}", "no area");
    refuses(3, "{spiral: {from: [0, 0, 0], to: [0, 0, 1], radius: 0.1, inner_radius: 0.2, pitch: 0.2, thickness: 5 mm, material: m}}", "inner radius");
    refuses(3, "{hopper: {outlet: [0.1, 0.1], inlet: 1, height: 1, thickness: 0.1, material: m}}", "both round or both not");
    refuses(3, "{revolution: {profile: [[0, 0], [0.1, 0], [0.1, 1], [0.05, 0.9]], thickness: 0.2, material: m}}", "too thick for the bend");
    refuses(3, "{revolution: {profile: [[-1, 0], [0.1, 0], [0.1, 1]], material: m}}", "must not be negative");
    refuses(2, "{repeat: {count: 3, shapes: [{disk: {radius: 1, material: m}}]}}", "all be at the same place");
}

TEST(names_of_copies)
{
    static const char *const BODY[] = {"bolt", "bolt.0", "bolt.4", "bolt.x"};
    for (int i = 0; i < 4; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "time: {end: 1 s}\nmaterials: {m: {density: 1}}\n"
                 "bodies: {bolt: {material: m, shapes: [{disk: {radius: 0.1}}], repeat: {count: 3, shift: [1, 0]}}}\nloads: {l: {body: %s, x: 1 N}}\n",
                 BODY[i]);
        talus_scene *s = load(text);
        CHECK(talus_scene_mistake_count(s) == 1 && strstr(talus_scene_mistake(s, 0), "there are 3 of 'bolt', the first is bolt.1"));
        talus_scene_destroy(s);
    }
}

int main(int argc, char **argv)
{
    snprintf(path, sizeof path, "/tmp/talus_solids_%d.yaml", (int)getpid());
    RUN(mass_in_space);
    RUN(mass_in_the_plane);
    RUN(arrays);
    RUN(walls_hold_from_both_sides);
    RUN(auger);
    RUN(mistakes);
    RUN(names_of_copies);
    unlink(path);
    return TEST_RESULT;
}
