/* A shape of several convex parts is one shape for laws of contact, and so is the surface of a solid that lies on another: the force of a pair, and its
 * threshold, count once, however finely the shape is cut, and the force pulls in the middle of the face. */
#include <math.h>

#include "lab.h"

/* On a floor of its own material; F = 15 N. The load grows by 10 N/s. */
static lab open_shape(int d, const char *shape, const char *law, double at, int sign)
{
    char text[1600];
    const char *zero = d == 2 ? "0" : "0, 0", *up = d == 2 ? "y" : "z";
    snprintf(text, sizeof text,
             "dimension: %d\ntime: {end: 3 s, step: 1 ms}\nsolver: {tolerance: 1e-9 m/s}\nmaterials: {s: {density: 1000}, p: {}}\ninteractions: [{between: [s, "
             "p], friction: 0.5, law: %s}]\nbodies:\n  floor: {kind: fixed, material: p, shapes: [{%s: {point: [%s, 0], normal: [%s, 1]}}]}\n  b: {position: "
             "[%s, 0], material: s, shapes: [{%s}]}\nloads: {l: {body: b, at: [%.9g, %s], %s: \"%d N/s*t\"}}\nprobes: {q: {body: b, quantity: %s}, f: "
             "{contact_force: b, quantity: %s}}\n",
             d, law, d == 2 ? "half_plane" : "half_space", zero, zero, zero, shape, at, zero, up, sign * 10, up, up);
    return open_lab(text, 1);
}

/* Their faces are flat, and the middle of each is at x: the L of the plane is cut where its step is, not in the middle of what it stands on. */
static const struct {
    int dimension;
    double x;
    const char *shape;
} SHAPE[] = {{2, 0.02, "outline: {points: [[-0.08, 0], [0.12, 0], [0.12, 0.05], [0, 0.05], [0, 0.1], [-0.08, 0.1]]}"},
             {2, -0.03, "outline: {points: [[-0.13, 0], [0.07, 0], [0.07, 0.1], [0.05, 0.1], [0.05, 0.04], [-0.1, 0.04], [-0.1, 0.1], [-0.13, 0.1]]}"},
             {3, 0, "tube: {from: [0, 0, 0], to: [0, 0, 0.1], radius: 0.04, thickness: 0.01, tolerance: 5 mm}"},
             {3, 0, "tube: {from: [0, 0, 0], to: [0, 0, 0.1], radius: 0.04, thickness: 0.01}"},
             {3, 0, "revolution: {profile: [[0, 0], [0.05, 0], [0.05, 0.1], [0.02, 0.05], [0, 0.1]], tolerance: 2 mm}"}};
enum { SHAPES = sizeof SHAPE / sizeof *SHAPE };

/* Pulled in the middle of its face it holds to the strength of one pair, and comes off all at once. */
TEST(pulled_off)
{
    static const char *const LAW[] = {"cohesion, force: 15 N, distance: 0.1 mm", "cohesion, force: 15 N, distance: 0.1 mm, breaking: once",
                                      "capillary, bridge_force: 15 N, bridge_length: 0.1 mm, rupture: 0.2 mm"};
    for (int i = 0; i < SHAPES * 3; i++) {
        lab l = open_shape(SHAPE[i / 3].dimension, SHAPE[i / 3].shape, LAW[i % 3], SHAPE[i / 3].x, 1);
        double pulls = 0;
        for (int k = 0; k < 1490; k++) { /* 14.9 N */
            lab_step(&l);
            pulls = fmin(pulls, lab_probe(&l, "f"));
        }
        if (i % 3 < 2) CHECK_NEAR(lab_probe(&l, "q"), 0, 1e-7);
        CHECK_NEAR(pulls, -14.9, 0.02);
        for (int k = 0; k < 600; k++) {
            lab_step(&l);
            pulls = fmin(pulls, lab_probe(&l, "f"));
        }
        CHECK_NEAR(pulls, -15, 1e-5);
        CHECK(lab_probe(&l, "q") > 1e-3 && lab_probe(&l, "f") == 0);
        close_lab(&l);
    }
}

/* Pressed by 30 N it sinks by what is beyond the threshold over the hardening. */
TEST(pressed_in)
{
    for (int i = 0; i < SHAPES; i++) {
        lab l = open_shape(SHAPE[i].dimension, SHAPE[i].shape, "plastic, threshold: 15 N, hardening: 10 kN/m, limit: 0.5", SHAPE[i].x, -1);
        lab_run(&l, 3);
        CHECK_NEAR(lab_probe(&l, "q"), -(30 - 15) / 10e3, 4e-5); /* it swings by 1 mm/s √(m/hardening), m up to 15 kg */
        close_lab(&l);
    }
}

/* A box in a trough: what presses it to one wall sinks it into that one alone, and not into the floor, which it rests on, nor into the other wall. */
TEST(walls_are_apart)
{
    for (int d = 2; d <= 3; d++) {
        char text[2000];
        const bool flat = d == 2;
        snprintf(
            text, sizeof text,
            "dimension: %d\ntime: {end: 4 s, step: 1 ms}\nsolver: {tolerance: 1e-9 m/s}\nmaterials: {s: {density: 1000}, p: {}}\ninteractions: [{between: [s, "
            "p], law: plastic, threshold: 15 N, hardening: 10 kN/m, limit: 0.5}]\nbodies:\n  trough: {kind: fixed, material: p, shapes: [{%s}]}\n  b: "
            "{position: [0, %s0.05], material: s, shapes: [{box: {size: [0.2, %s0.1]}}]}\nloads:\n  down: {body: b, %s: -1 N}\n  side: {body: b, x: \"-25 "
            "N*ramp(t, 0 s, 1 s) + 35 N*ramp(t, 2 s, 3 s)\"}\nprobes: {x: {body: b}, h: {body: b, quantity: %s}}\n",
            d,
            flat ? "outline: {points: [[-0.2, -0.1], [0.2, -0.1], [0.2, 0.1], [0.1, 0.1], [0.1, 0], [-0.1, 0], [-0.1, 0.1], [-0.2, 0.1]]}"
                 : "revolution: {profile: [[0, -0.1], [0.2, -0.1], [0.2, 0.1], [0.1, 0.1], [0.1, 0], [0, 0]], tolerance: 2 mm}",
            flat ? "" : "0, ", flat ? "" : "0.02, ", flat ? "y" : "z", flat ? "y" : "z");
        lab l = open_lab(text, 1);
        double farthest = 0;
        while (talus_world_time(l.world) < 1.9995) {
            lab_step(&l);
            farthest = fmin(farthest, lab_probe(&l, "x"));
        }
        CHECK_NEAR(farthest, -(25 - 15) / 10e3, flat ? 1.5e-4 : 2.5e-3); /* in space, into the facets of a ring, whose gap at first is within its tolerance */
        CHECK_NEAR(lab_probe(&l, "h"), 0.05, flat ? 1e-6 : 1e-4);
        lab_run(&l, 4);
        if (flat)
            CHECK(lab_probe(&l, "x") <
                  0.8e-3); /* it strikes the other wall with some mJ, which yields a little; by the first wall's depth it would be 1.1 mm */
        CHECK_NEAR(lab_probe(&l, "h"), 0.05, flat ? 1e-6 : 1e-4);
        close_lab(&l);
    }
}

/* A solid on another one, whose nodes or faces meet it. The load grows to 30 N in half a second, and stays. */
static double pull_solid(int d, const char *elements, const char *upper, const char *matter, const char *law, int sign, double *sunk)
{
    char text[2000];
    const bool flat = d == 2;
    snprintf(
        text, sizeof text,
        "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nsolver: {tolerance: 1e-7 m/s, max_iterations: 5000}\nmaterials: {s: {density: 1000}, p: {density: "
        "1000}}\ninteractions: [{between: [s, p], friction: 0.5, law: %s}]\nsolids:\n  a:\n    box: {size: [0.2, %s0.1], elements: [%s], at: [0, %s0.1]}\n%s   "
        " material: {young: 10 MPa, poisson: 0.3, density: 1000}\n    damping: {mass: 20, stiffness: 2 ms}\n    force: {%s: \"%d N/s*min(t, 0.5 s)/(%s)\"}\n   "
        " contact: "
        "{material: s, as: %s}\n  b:\n    box: {size: [0.3, %s0.1], elements: [%s]}\n    material: {young: 10 MPa, poisson: 0.3, density: 1000}\n    damping: "
        "{mass: 20, stiffness: 2 ms}\n    fixed: bottom\n    contact: {material: p, as: %s}\nprobes: {q: {displacement: a, quantity: %s, on: bottom}, f: "
        "{contact_force: a, quantity: %s}}\n",
        d, law, flat ? "" : "0.2, ", elements, flat ? "" : "0, ", matter, flat ? "y" : "z", sign * 60, flat ? "0.02 m^3" : "0.004 m^3", upper,
        flat ? "" : "0.3, ", flat ? "6, 2" : "6, 6, 2", strcmp(upper, "both") == 0 ? "both" : "antagonist", flat ? "y" : "z", flat ? "y" : "z");
    lab l = open_lab(text, 1);
    double most = 0;
    while (talus_world_time(l.world) < 0.9995) {
        lab_step(&l);
        most = fmax(most, -lab_probe(&l, "f"));
    }
    *sunk = lab_probe(&l, "q");
    close_lab(&l);
    return most;
}

/* Two surfaces are one pair, however many nodes they touch with. */
TEST(two_solids)
{
    static const char *const MATTER[] = {"", "    meshfree: {}\n"}, *const PLANE[] = {"1, 1", "5, 2"}, *const SPACE[] = {"1, 1, 1", "4, 4, 2"};
    for (int i = 0; i < 8; i++) {
        const int d = 2 + i % 2;
        const bool both = i / 4 == 1;
        const char *const elements = both ? (d == 2 ? "4, 2" : "4, 4, 2") : (d == 2 ? PLANE : SPACE)[i / 2 % 2];
        double sunk;
        const double pulls = pull_solid(d, elements, both ? "both" : "nodes", MATTER[both && i / 2 % 2], "cohesion, force: 15 N, distance: 0.1 mm", 1, &sunk);
        if (!(pulls > (both ? 10 : 14.95) && pulls < 15.01)) TEST_FAIL("case %d: %g N", i, pulls); /* what bends peels off, where nodes have more to carry */
        CHECK(sunk > 5e-3);                                                                        /* it is off */
        if (both) continue;
        (void)pull_solid(d, elements, "nodes", "", "plastic, threshold: 15 N, hardening: 10 kN/m, limit: 0.5", -1, &sunk);
        CHECK_NEAR(sunk, -15 / 10e3, 1.5e-4);
    }
}

/* Parts follow each other, on one body and of one material. */
TEST(mistakes)
{
    talus_world_def wd = talus_world_def_default();
    talus_world *w = NULL;
    talus_body_id body[2];
    talus_material_id material[2];
    CHECK_OK(talus_world_create(&wd, &w, NULL, 0), "no world");
    for (int i = 0; i < 2; i++) {
        talus_material_def m = talus_material_def_default();
        talus_body_def b = talus_body_def_default();
        m.name = i ? "p" : "s", m.density = 1000;
        b.name = i ? "b" : "a", b.position[0] = i;
        CHECK_OK(talus_material_create(w, &m, &material[i]), talus_world_error(w));
        CHECK_OK(talus_body_create(w, &b, &body[i]), talus_world_error(w));
    }
    talus_shape_def d = talus_shape_def_default();
    d.kind = TALUS_SHAPE_DISK, d.radius = 0.1, d.count = 1, d.material = material[0], d.continues = true;
    CHECK(talus_body_add_shape(w, body[0], &d) == TALUS_INPUT); /* there is none before */
    CHECK(strstr(talus_world_error(w), "'a': a shape continues the one before") != NULL);
    d.continues = false;
    CHECK_OK(talus_body_add_shape(w, body[0], &d), talus_world_error(w));
    d.continues = true;
    CHECK(talus_body_add_shape(w, body[1], &d) == TALUS_INPUT);
    d.material = material[1];
    CHECK(talus_body_add_shape(w, body[0], &d) == TALUS_INPUT);
    d.material = material[0];
    CHECK_OK(talus_body_add_shape(w, body[0], &d), talus_world_error(w));
    talus_world_destroy(w);
}

int main(int argc, char **argv)
{
    RUN(pulled_off);
    RUN(pressed_in);
    RUN(walls_are_apart);
    RUN(two_solids);
    RUN(mistakes);
    return TEST_RESULT;
}
