/* What has no inside, or none that is met: solids on segments without a radius, and what passes through each other and is said to. */
#include "lab.h"

static const double G = 9.81;

/* A block of 0.4 m by 0.2 m, of E = 1 MPa and ν = 0, on two segments in a row that overhang it: all of its lower side is held, so that its middle has come down
 * by ρ g H²/2E − ρ g (H/2)²/2E, and its top by ρ g H²/2E. */
static void rests(const char *scheme, const char *as, double angle)
{
    char text[2000];
    const double c = cos(angle), s = sin(angle), x = -0.03, H = 0.2;
    snprintf(text, sizeof text,
             "gravity: [%.17g, %.17g]\ntime: {step: 2 ms, end: 9 s}\nintegrator: {scheme: %s}\nmaterials: {m: {density: 1000}}\ninteractions: [{friction: 0}]\n"
             "bodies: {floor: {kind: fixed, angle: %.17g, material: m, shapes: [{segment: {from: [-1, 0], to: [0.05, 0]}}, {segment: {from: [0.05, 0], to: [1, "
             "0]}}]}}\n"
             "solids:\n  s:\n    box: {size: [0.4, 0.2], elements: [8, 4]}\n    position: [%.17g, %.17g]\n    angle: %.17g\n"
             "    material: {density: 1000, young: 1 MPa, poisson: 0}\n    damping: {mass: 20, stiffness: 5 ms}\n    contact: {as: %s, material: m}\n"
             "probes: {fx: {contact_force: floor, quantity: x}, fy: {contact_force: floor, quantity: y},\n"
             "         x: {displacement: s, on: [top], quantity: x}, y: {displacement: s, on: [top], quantity: y}}\n",
             G * s, -G * c, scheme, angle, x * c - H * s, x * s + H * c, angle, as);
    lab l = open_lab(text, 1);
    CHECK(talus_world_all_warnings(l.world)[0] == '\0');
    lab_run(&l, 1.5);
    const double weight = 1000 * 0.4 * H * G, top = 1000 * G * H * H / 2 / 1e6;
    CHECK_NEAR(lab_probe(&l, "fy"), -weight * c, 1e-3 * weight);
    CHECK_NEAR(lab_probe(&l, "fx"), weight * s, 1e-3 * weight);
    CHECK_NEAR(-s * lab_probe(&l, "x") + c * lab_probe(&l, "y"), -top, 0.02 * top);
    close_lab(&l);
}

TEST(solids_on_segments)
{
    static const char *const SCHEME[] = {"moreau", "generalized_alpha", "spook"};
    for (int i = 0; i < 3; i++) rests(SCHEME[i], "both", 0), rests(SCHEME[i], "nodes", 0.3), rests(SCHEME[i], "both", 2.5);
}

/* A block slides off the end of a segment, and is not held there. */
TEST(off_the_end)
{
    static const char *const AS[] = {"both", "nodes"};
    for (int i = 0; i < 2; i++) {
        char text[1500];
        snprintf(text, sizeof text,
                 "gravity: [0, -9.81]\ntime: {step: 1 ms, end: 9 s}\nmaterials: {m: {density: 1000}}\ninteractions: [{friction: 0}]\n"
                 "bodies: {floor: {kind: fixed, material: m, shapes: [{segment: {from: [-1, 0], to: [0.1, 0]}}]}}\n"
                 "solids: {s: {box: {size: [0.4, 0.2], elements: [8, 4]}, position: [-0.153, 0.2], velocity: [0.1, 0], start: unstrained,\n"
                 "  material: {density: 1000, young: 1 MPa, poisson: 0}, damping: {stiffness: 5 ms}, contact: {as: %s, material: m}}}\n"
                 "probes: {fx: {contact_force: floor, quantity: x}}\n",
                 AS[i]);
        lab l = open_lab(text, 1);
        const double weight = 1000 * 0.4 * 0.2 * G;
        while (talus_world_time(l.world) < 1.2) {
            lab_step(&l);
            CHECK(fabs(lab_probe(&l, "fx")) < 0.05 * weight);
        }
        close_lab(&l);
    }
}

/* A needle comes down on a block, between its nodes, and stands there; or it comes down flat, and lies on the block's corners, over which it reaches. It falls
 * by 10 mm, with 0.44 m/s, and its weight of 9.81 N is carried. */
static void needle(const char *scheme, const char *as, const char *kind, bool flat)
{
    char text[2000];
    snprintf(text, sizeof text,
             "gravity: [0, -9.81]\ntime: {step: 1 ms, end: 9 s}\nintegrator: {scheme: %s}\nmaterials: {m: {density: 1000}}\ninteractions: [{friction: 0.3}]\n"
             "solids:\n  s:\n    box: {size: [0.4, 0.2], elements: [4, 2]}\n    fixed: [bottom]\n    contact: {as: %s, material: m}\n"
             "    material: {density: 1000, young: 10 MPa, poisson: 0.3}\n    damping: {mass: 20, stiffness: 2 ms}\n%s"
             "bodies: {n: {mass: 1, inertia: 0.03, position: [%s], material: m, shapes: [{segment: {from: [%s], to: [%s]}}]}}\n"
             "probes: {y: {body: n, quantity: y}, a: {body: n, quantity: angle}, f: {contact_force: n, quantity: y}}\n",
             scheme, as, kind, flat ? "0, 0.01" : "0.05, 0.31", flat ? "-0.3, 0" : "0, -0.3", flat ? "0.3, 0" : "0, 0.3");
    lab l = open_lab(text, 1);
    lab_run(&l, 0.45);
    CHECK_NEAR(lab_probe(&l, "f"), G, 1e-2 * G);
    CHECK_NEAR(lab_probe(&l, "y"), flat ? 0 : 0.3, 2e-4);
    CHECK_NEAR(lab_probe(&l, "a"), 0, 1e-3);
    close_lab(&l);
}

TEST(needles)
{
    static const char *const SCHEME[] = {"moreau", "spook", "generalized_alpha"}, *const KIND[] = {"", "    meshfree: {}\n"};
    for (int i = 0; i < 3; i++)
        for (int kind = 0; kind < 2; kind++)
            for (int flat = 0; flat < 2; flat++) {
                needle(SCHEME[i], "both", KIND[kind], flat);
                needle(SCHEME[i], "antagonist", KIND[kind], flat);
            }
}

/* A thin slab over the line, and another below: each is pushed to the side that it is on, and none through the other side of itself. */
TEST(both_sides)
{
    lab l =
        open_lab("gravity: [0, 0]\ntime: {step: 1 ms, end: 1 s}\nmaterials: {m: {density: 1000}}\ninteractions: [{friction: 0}]\n"
                 "bodies: {line: {kind: fixed, material: m, shapes: [{segment: {from: [-1, 0], to: [1, 0]}}]}}\nsolids:\n"
                 "  over: {box: {size: [0.4, 0.01], elements: [8, 1]}, position: [0, 0.0102], velocity: [0, -0.1], material: {density: 1000, young: 1 MPa, "
                 "poisson: 0}, damping: {stiffness: 5 ms}, contact: {as: both, material: m}}\n"
                 "  under: {box: {size: [0.4, 0.01], elements: [8, 1]}, position: [0.1, -0.0002], velocity: [0, 0.1], material: {density: 1000, young: 1 MPa, "
                 "poisson: 0}, damping: {stiffness: 5 ms}, contact: {as: both, material: m}}\n"
                 "probes: {over: {displacement: over, on: [bottom], quantity: y}, under: {displacement: under, on: [top], quantity: y},\n"
                 "         up: {displacement: over, on: [top], quantity: y}, down: {displacement: under, on: [bottom], quantity: y}}\n",
                 1);
    for (int i = 0; i < 300; i++) {
        lab_step(&l);
        CHECK(lab_probe(&l, "over") > -2.1e-4 && lab_probe(&l, "under") < 2.1e-4);
        CHECK(lab_probe(&l, "up") > -1e-3 && lab_probe(&l, "down") < 1e-3);
    }
    close_lab(&l);
}

static void says(const char *text, const char *phrase, bool expected)
{
    lab l = open_lab(text, 1);
    const char *said = talus_world_all_warnings(l.world);
    if ((strstr(said, phrase) != NULL) != expected) TEST_FAIL("'%s' is %s: %s", phrase, expected ? "missing" : "not expected", said);
    close_lab(&l);
}

#define HEAD "time: {step: 1 ms, end: 1 s}\nmaterials: {m: {density: 1000}}\ninteractions: [{friction: 0.3}]\n"

TEST(what_passes_through)
{
    static const char *const LINES = "both have a segment without a 'radius'", *const NODES = "both touch by their nodes alone";
    static const struct {
        const char *floor, *bar;
        bool said;
    } CASE[] = {{"segment: {from: [-1, 0], to: [1, 0]}", "segment: {from: [-0.1, 0], to: [0.1, 0]}", true},
                {"segment: {from: [-1, 0], to: [1, 0], radius: 1 mm}", "segment: {from: [-0.1, 0], to: [0.1, 0]}", false},
                {"segment: {from: [-1, 0], to: [1, 0]}", "box: {size: [0.1, 0.1]}", false},
                {"half_plane: {point: [0, 0], normal: [0, 1]}", "segment: {from: [-0.1, 0], to: [0.1, 0]}", false}};
    for (size_t i = 0; i < sizeof CASE / sizeof *CASE; i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 HEAD
                 "bodies:\n  floor: {kind: fixed, material: m, shapes: [{%s}]}\n  bar: {mass: 1, inertia: 1, position: [0, 1], material: m, shapes: [{%s}]}\n",
                 CASE[i].floor, CASE[i].bar);
        says(text, LINES, CASE[i].said);
    }
    for (int space = 0; space < 2; space++)
        for (int both = 0; both < 2; both++) {
            char text[1500] = "";
            snprintf(text, sizeof text, "dimension: %d\n" HEAD "solids:\n", 2 + space);
            for (int k = 0; k < 2; k++)
                snprintf(
                    text + strlen(text), sizeof text - strlen(text),
                    "  %c: {box: {size: [1, %s1], elements: 2}, position: [0, %s%d], material: {density: 1000, young: 1 MPa, poisson: 0.3}, fixed: bottom, "
                    "contact: {as: %s, material: m}}\n",
                    "ab"[k], space ? "1, " : "", space ? "0, " : "", 2 * k, k && both ? "both" : "nodes");
            says(text, NODES, !both);
        }
}

TEST(interactions_said_twice)
{
    static const char *const TWICE = "is of the same materials as that of line 3";
    static const char *const HOLDS[] = {"{between: [n, m], friction: 0.2}", "{between: [m, m], friction: 0.2}", "{friction: 0.1}"};
    for (int i = 0; i < 3; i++) {
        char text[500];
        snprintf(text, sizeof text,
                 "time: {step: 1 ms, end: 1 s}\ninteractions:\n  - {between: [m, n], friction: 0.5}\n  - %s\nmaterials: {m: {density: 1}, n: {density: 1}}\n",
                 HOLDS[i]);
        says(text, TWICE, i == 0);
    }
}

/* Materials that have passed through each other are let touch by a stage: what lies in one another then is said, once. */
TEST(let_touch)
{
    for (int space = 0; space < 2; space++)
        for (int inside = 0; inside < 2; inside++) {
            char text[1500];
            snprintf(text, sizeof text,
                     "dimension: %d\ntime: {step: 1 ms, end: 1 s}\nmaterials: {m: {density: 1000}}\ninteractions: [{between: [m, m], enabled: false}]\n"
                     "bodies:\n  floor: {kind: fixed, material: m, shapes: [{%s: {point: [0, %s0], normal: [0, %s1]}}]}\n"
                     "  b: {mass: 1, %s, position: [0, %s%g], material: m, shapes: [{%s: {radius: 0.05}}]}\n"
                     "stages: {a: {until: {time: 0.01}}, b: {interactions: [{between: [m, m], enabled: true}]}}\nprobes: {y: {body: b, quantity: %s}}\n",
                     2 + space, space ? "half_space" : "half_plane", space ? "0, " : "", space ? "0, " : "",
                     space ? "inertia_tensor: [1, 1, 1, 0, 0, 0]" : "inertia: 0.01", space ? "0, " : "", inside ? 0.02 : 0.051, space ? "sphere" : "disk",
                     space ? "z" : "y");
            lab l = open_lab(text, 1);
            lab_run(&l, 0.2);
            const char *said = talus_world_all_warnings(l.world);
            CHECK((strstr(said, "since they may touch, body 'floor' and body 'b' overlap by 0.03 m") != NULL) == inside);
            if (inside) CHECK(strstr(strstr(said, "overlap by") + 1, "overlap by") == NULL);
            CHECK_NEAR(lab_probe(&l, "y"), inside ? 0.05 : 0.051, 1e-3);
            close_lab(&l);
        }
}

/* Ropes and struts, over pulleys too, that are not as long as their ends are apart. */
TEST(lengths_at_the_start)
{
    static const struct {
        const char *rope;
        bool said;
    } CASE[] = {{"length: 0.2", true},
                {"length: 0.3", false},
                {"length: 0.2999", false},
                {"length: 0.5", false},
                {"type: strut, length: 0.5", true},
                {"type: strut, length: 0.2", false},
                {"type: rod, length: 0.2", true},
                {"type: rod, length: 0.4", true},
                {"type: rod, length: 0.3", false},
                {"", false}};
    static const char *const SAID = "m apart at the start, and its length is";
    for (int space = 0; space < 2; space++) {
        char text[1500];
        const char *inertia = space ? "inertia_tensor: [1, 1, 1, 0, 0, 0]" : "inertia: 1";
        for (size_t i = 0; i < sizeof CASE / sizeof *CASE; i++) {
            snprintf(text, sizeof text,
                     "dimension: %d\ntime: {step: 1 ms, end: 1 s}\nbodies: {b: {mass: 1, %s, position: [0, %s-0.5]}}\nropes: {r: {bodies: [b, ground], at: "
                     "[[0, %s0.2]]%s%s}}\n",
                     2 + space, inertia, space ? "0, " : "", space ? "0, " : "", *CASE[i].rope ? ", " : "", CASE[i].rope);
            says(text, SAID, CASE[i].said);
        }
        for (int fits = 0; fits < 2; fits++) {
            snprintf(
                text, sizeof text,
                "dimension: %d\ntime: {step: 1 ms, end: 1 s}\nbodies: {b: {mass: 1, %s, position: [0.1, %s-1]}, c: {mass: 1, %s, position: [-0.1, %s-1]}}\n"
                "ropes: {r: {bodies: [b, ground, c], at: [[0, 0%s], [0.1, 0%s]], length: %g}}\n",
                2 + space, inertia, space ? "0, " : "", inertia, space ? "0, " : "", space ? ", 0" : "", space ? ", 0" : "", fits ? 1 + hypot(0.2, 1) : 2.0);
            says(text, SAID, !fits);
        }
    }
}

int main(int argc, char **argv)
{
    RUN(solids_on_segments);
    RUN(off_the_end);
    RUN(needles);
    RUN(both_sides);
    RUN(what_passes_through);
    RUN(interactions_said_twice);
    RUN(let_touch);
    RUN(lengths_at_the_start);
    return TEST_RESULT;
}
