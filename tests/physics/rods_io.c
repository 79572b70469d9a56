/* Rods and struts between bodies; a centre of mass that is not the shapes'; the full inertia tensor of a link. Against closed forms, in the plane and in space.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "talus/scene.h"
#include "talus/talus.h"
#include "test.h"

static const double PI = 3.14159265358979323846, G = 9.81;
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
    if (talus_scene_build(*s, 1, &w) != TALUS_OK) TEST_FAIL("%s", talus_scene_mistake_count(*s) > 0 ? talus_scene_mistake(*s, 0) : "?");
    return w;
}

static void end(talus_world *w, talus_scene *s)
{
    talus_world_destroy(w);
    talus_scene_destroy(s);
}

static double probe(const talus_scene *s, const talus_world *w, const char *name)
{
    for (int i = 0; i < talus_scene_probe_count(s); i++)
        if (strcmp(talus_scene_probe_name(s, i), name) == 0) return talus_scene_probe_value(s, w, i);
    TEST_FAIL("there is no probe %s", name);
    return 0;
}

/* Too slow for a rope (v₀² = 4.5 g L < 5 g L), a ball on a rod goes over the top, where the rod pushes with m g − m v²/L. A step turns the rod by ω h and
 * leaves of the velocity what is across it then: so each costs the share (ω h)² of the kinetic energy, which is summed here; nothing else does. */
static void over_the_top(int dimension)
{
    const char *third = dimension == 3 ? ", 0" : "";
    const double v0 = sqrt(4.5 * G), h = 1e-4, m = 2;
    char text[2048];
    talus_scene *s;
    snprintf(text, sizeof text,
             "dimension: %d\ngravity: [0, -9.81%s]\ntime: {end: 1 s, step: %g}\nsolver: {tolerance: 1e-9 m/s}\nmaterials: {m: {density: 1}}\n"
             "bodies: {ball: {position: [0, -1%s], velocity: [%.17g, 0%s], mass: 2 kg, shapes: [{%s: {radius: 5 cm, material: m}}]}}\n"
             "ropes: {arm: {type: rod, bodies: [ground, ball]}}\n"
             "probes: {x: {body: ball, quantity: x}, y: {body: ball, quantity: y}, vx: {body: ball, quantity: vx}, pull: {rope: arm}, energy: {energy: total}, "
             "kinetic: {energy: kinetic}}\n",
             dimension, third, h, third, v0, third, dimension == 3 ? "sphere" : "disk");
    talus_world *w = build(text, &s);
    const double energy = probe(s, w, "energy");
    double before = 0, off = 0, loss = 0;
    int tops = 0;
    for (int k = 0; w && k < 40000 && tops < 3; k++) {
        CHECK_OK(talus_world_step(w, NULL), talus_world_error(w));
        const double x = probe(s, w, "x"), kinetic = probe(s, w, "kinetic"), square = 2 * kinetic / m;
        if (k == 1) CHECK_NEAR(probe(s, w, "pull"), m * (G + v0 * v0), 0.01);
        off = fmax(off, fabs(hypot(x, probe(s, w, "y")) - 1));
        loss += kinetic * square * h * h;
        if (before > 0 && x <= 0 && probe(s, w, "y") > 0) {
            CHECK_CLOSE(kinetic, m * G * 0.25 - loss, 1e-2);
            CHECK_NEAR(probe(s, w, "pull"), m * (square - G), 1e-2 * m * G);
            tops++;
        }
        before = x;
    }
    CHECK(tops == 3);
    CHECK_NEAR(off, 0, 1e-4);
    CHECK_CLOSE(energy - probe(s, w, "energy"), loss, 0.05);
    end(w, s);
}

TEST(over_the_top_in_the_plane) { over_the_top(2); }
TEST(over_the_top_in_space) { over_the_top(3); }

/* A strut carries a ball, and does not hold it back when it is thrown up. */
TEST(strut)
{
    talus_scene *s;
    talus_world *w = build("dimension: 3\ngravity: [0, 0, -9.81]\ntime: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 1}}\n"
                           "bodies:\n"
                           "  low: {position: [0, 0, 1], mass: 3 kg, shapes: [{sphere: {radius: 5 cm, material: m}}]}\n"
                           "  high: {position: [5, 0, 1], velocity: [0, 0, 2 m/s], mass: 3 kg, shapes: [{sphere: {radius: 5 cm, material: m}}]}\n"
                           "ropes: {under: {type: strut, bodies: [ground, low]}, loose: {type: strut, bodies: [ground, high], at: [[5, 0, 0]]}}\n"
                           "probes: {push: {rope: under}, z: {body: low, quantity: z}, loose: {rope: loose}, high: {body: high, quantity: z}}\n",
                           &s);
    for (int k = 0; w && k < 200; k++) CHECK_OK(talus_world_step(w, NULL), talus_world_error(w));
    CHECK_NEAR(probe(s, w, "push"), -3 * G, 1e-6);
    CHECK_NEAR(probe(s, w, "z"), 1, 1e-6);
    CHECK_NEAR(probe(s, w, "loose"), 0, 0);
    CHECK_NEAR(probe(s, w, "high"), 1 + 2 * 0.2 - 0.5 * G * 0.04, 1e-9);
    end(w, s);
}

/* Two balls of unequal mass on a rod turn about their common centre, which flies on: the pull is μ ω² L with the reduced mass. */
TEST(dumbbell)
{
    talus_scene *s;
    talus_world *w =
        build("dimension: 3\ntime: {end: 1 s, step: 0.2 ms}\nsolver: {tolerance: 1e-9 m/s}\nmaterials: {m: {density: 1}}\n"
              "bodies:\n"
              "  a: {position: [-0.75, 0, 0], velocity: [0, -1.5 m/s, 1 m/s], mass: 1 kg, shapes: [{sphere: {radius: 5 cm, material: m}}]}\n"
              "  b: {position: [0.25, 0, 0], velocity: [0, 0.5 m/s, 1 m/s], mass: 3 kg, shapes: [{sphere: {radius: 5 cm, material: m}}]}\n"
              "ropes: {rod: {type: rod, bodies: [a, b]}}\n"
              "probes: {pull: {rope: rod}, ax: {body: a, quantity: x}, ay: {body: a, quantity: y}, az: {body: a, quantity: z}, bx: {body: b, quantity: x}, "
              "by: {body: b, quantity: y}, energy: {energy: kinetic}}\n",
              &s);
    const double energy = probe(s, w, "energy");
    for (int k = 0; w && k < 5000; k++) CHECK_OK(talus_world_step(w, NULL), talus_world_error(w));
    const double angle = 2;             /* ω = 2 rad/s */
    const double loss = 1.5 * 4 * 2e-4; /* of the 1.5 J of the turn the share (ω h)² a step */
    CHECK_NEAR(probe(s, w, "pull"), 0.75 * 4 * (1 - loss / 1.5), 3e-4);
    CHECK_NEAR(probe(s, w, "energy"), energy - loss, 0.02 * loss);
    CHECK_NEAR(probe(s, w, "az"), 1, 1e-9);
    CHECK_NEAR(probe(s, w, "ax"), -0.75 * cos(angle), 1e-3);
    CHECK_NEAR(probe(s, w, "ay"), -0.75 * sin(angle), 1e-3);
    CHECK_NEAR(0.25 * probe(s, w, "ax") + 0.75 * probe(s, w, "bx"), 0, 1e-9);
    CHECK_NEAR(0.25 * probe(s, w, "ay") + 0.75 * probe(s, w, "by"), 0, 1e-9);
    end(w, s);
}

/* A wheel with its centre of mass off its middle rocks on a floor like a pendulum: T = 2π √((J + m (R − d)²)/(m g d)), small swings of 0.02 rad. */
static void rocks(int dimension)
{
    const double m = 1, J = 4e-3, R = 0.1, d = 0.04, T = 2 * PI * sqrt((J + m * (R - d) * (R - d)) / (m * G * d)), angle = 0.02;
    char text[2048];
    talus_scene *s;
    const bool space = dimension == 3;
    snprintf(text, sizeof text,
             "dimension: %d\ngravity: [0, -9.81%s]\ntime: {end: 1 s, step: 0.5 ms}\nsolver: {tolerance: 1e-8 m/s}\nmaterials: {m: {density: 1}}\n"
             "interactions: [{friction: 1}]\n"
             "bodies:\n"
             "  floor: {kind: fixed, shapes: [{%s: {point: [0, 0%s], normal: [0, 1%s], material: m}}]}\n"
             "  wheel: {position: [0, 0.1%s], %s, mass: 1 kg, centre_of_mass: [0, -0.04%s], %s, shapes: [{%s: {radius: 0.1, material: m}}]}\n"
             "probes: {x: {body: wheel, quantity: x}, energy: {energy: total}}\n",
             dimension, space ? ", 0" : "", space ? "half_space" : "half_plane", space ? ", 0" : "", space ? ", 0" : "", space ? ", 0" : "",
             space ? "orientation: {axis_angle_deg: [0, 0, 1, 1.1459155902616465]}" : "angle: 0.02 rad", space ? ", 0" : "",
             space ? "inertia_tensor: [0.004, 0.004, 0.004]" : "inertia: 0.004", space ? "sphere" : "disk");
    talus_world *w = build(text, &s);
    /* the middle rolls by −R times the angle: from 0 to 2 R × angle and back */
    double first = 0, last = 0, before = probe(s, w, "x") - R * angle;
    int crossings = 0;
    CHECK_NEAR(probe(s, w, "energy"), m * G * (R - d * cos(angle)), 1e-12);
    for (int k = 0; w && k < 8000; k++) {
        CHECK_OK(talus_world_step(w, NULL), talus_world_error(w));
        const double x = probe(s, w, "x") - R * angle, t = talus_world_time(w);
        if ((x > 0) != (before > 0)) {
            last = t - 5e-4 * x / (x - before);
            if (crossings++ == 0) first = last;
        }
        before = x;
    }
    CHECK(crossings > 4);
    CHECK_CLOSE(2 * (last - first) / (crossings - 1), T, 1e-3);
    end(w, s);
}

TEST(rocks_in_the_plane) { rocks(2); }
TEST(rocks_in_space) { rocks(3); }

/* A link turns about the axis (1, 1, 0)/√2: J = aᵀ S a = (xx + yy)/2 + xy. */
TEST(products_of_inertia)
{
    talus_scene *s;
    talus_world *w = build("dimension: 3\ntime: {end: 1 s, step: 1 ms}\n"
                           "mechanisms:\n"
                           "  rotor:\n"
                           "    bodies: {link: {mass: 1, inertia: [2, 3, 4, -0.5, 0.1, 0.2]}}\n"
                           "    joints: {axle: {type: revolute, parent: ground, child: link, axis: [1, 1, 0]}}\n"
                           "    forces: {motor: {joint: axle, constant: 10 N m}}\n"
                           "probes: {w: {joint: axle, quantity: velocity}}\n",
                           &s);
    for (int k = 0; w && k < 100; k++) CHECK_OK(talus_world_step(w, NULL), talus_world_error(w));
    CHECK_CLOSE(probe(s, w, "w"), 10 * 0.1 / 2.0, 1e-9);
    end(w, s);
}

static void refuses(const char *rest, const char *expected)
{
    char text[2048];
    snprintf(text, sizeof text, "dimension: 3\ntime: {end: 1 s}\nmaterials: {m: {density: 1}}\n%s\n", rest);
    talus_scene *s = load(text);
    talus_world *w = NULL;
    CHECK(talus_scene_build(s, 1, &w) != TALUS_OK);
    const char *got = talus_scene_mistake_count(s) > 0 ? talus_scene_mistake(s, 0) : "";
    if (!strstr(got, expected)) TEST_FAIL("'%s', expected '%s'", got, expected);
    end(w, s);
}

TEST(mistakes)
{
    refuses("bodies: {b: {mass: 1, centre_of_mass: [0, 0, 0], shapes: [{sphere: {radius: 1, material: m}}]}}", "its mass and its inertia about that, too");
    static const char *const LINK = "mechanisms: {a: {bodies: {link: {mass: 1, inertia: %s}}, joints: {j: {type: free, parent: ground, child: link}}}}";
    char text[512];
    snprintf(text, sizeof text, LINK, "[1, 1, 1, 0]");
    refuses(text, "not 4 numbers");
    snprintf(text, sizeof text, LINK, "[1, 1, 1, 2, 0, 0]");
    refuses(text, "no body has the principal moments of inertia");
    snprintf(text, sizeof text, LINK, "[1, 1, 3]");
    refuses(text, "no body has the principal moments of inertia");
}

int main(int argc, char **argv)
{
    snprintf(path, sizeof path, "/tmp/talus_rods_%d.yaml", (int)getpid());
    RUN(over_the_top_in_the_plane);
    RUN(over_the_top_in_space);
    RUN(strut);
    RUN(dumbbell);
    RUN(rocks_in_the_plane);
    RUN(rocks_in_space);
    RUN(products_of_inertia);
    RUN(mistakes);
    unlink(path);
    return TEST_RESULT;
}
