/* What acts in coordinates whose motion follows from drives: dry friction is the drives' load, a spring pulls, and a stop that is passed ends the run. What
 * starts beyond a stop is refused. By closed forms, in the plane and in space, in all schemes. */
#include "lab.h"

static const char *const SCHEMES[] = {"moreau", "spook", "generalized_alpha"};

static void check_error(talus_world *w, const char *part)
{
    talus_status status = TALUS_OK;
    for (int i = 0; i < 5000 && status == TALUS_OK; i++) status = talus_world_step(w, NULL);
    CHECK(status == TALUS_DIVERGED);
    if (!strstr(talus_world_error(w), part)) TEST_FAIL("%s", talus_world_error(w));
}

/* Some mistake of the scene, read or built, has these words. */
static void check_refused(const char *text, const char *part)
{
    talus_scene *scene = load_lab(text);
    talus_world *w = NULL;
    bool said = false;
    if (talus_scene_mistake_count(scene) == 0) CHECK(talus_scene_build(scene, 1, &w) != TALUS_OK);
    for (int i = 0; i < talus_scene_mistake_count(scene); i++) said = said || strstr(talus_scene_mistake(scene, i), part);
    if (!said) TEST_FAIL("not said: %s; but %s", part, talus_scene_mistake_count(scene) > 0 ? talus_scene_mistake(scene, 0) : "nothing");
    talus_world_destroy(w);
    talus_scene_destroy(scene);
}

/* ---- dry friction ----------------------------------------------------------------------------------------------------------- */

/* A crank of 0.1 m and a rod of 0.3 m move a slider, all nearly without mass; the crank turns once a second. */
#define SLIDER_CRANK                                                                                                                                           \
    "gravity: [0, 0]\ntime: {end: 1 s, step: 1 ms}\nintegrator: {scheme: %s}\nsolver: {method: %s}\nmechanisms:\n  m:\n    coordinates: %s\n"                  \
    "    bodies: {a: {mass: 1 g, inertia: 1e-6}, b: {mass: 1 g, inertia: 1e-6}, s: {mass: 1 g, inertia: 1e-6}}\n    joints:\n"                                 \
    "      crank: {type: revolute, parent: ground, child: a, angle: 90 deg}\n"                                                                                 \
    "      knee: {type: revolute, parent: a, child: b, at: [0.1, 0], angle: -109.4712206 deg}\n"                                                               \
    "      slider: {type: prismatic, parent: ground, child: s, position: 0.2828427125 m}\n"                                                                    \
    "    loops: {l: {type: point, bodies: [b, s], at: [[0.3, 0], [0, 0]]}}\n    drives: {d: {joint: crank, speed: 1 turn/s}}\n"                                \
    "    forces: {f: {joint: slider, %s}}\nprobes: {M: {joint: crank, quantity: force}}\n"

/* A turn goes there and back, twice the crank each: 4 r F. */
static void check_turn(const char *scheme, const char *method, const char *coordinates)
{
    char text[2000];
    double work = 0;
    snprintf(text, sizeof text, SLIDER_CRANK, scheme, method, coordinates, "friction: 100 N");
    lab l = open_lab(text, 1);
    while (talus_world_time(l.world) < 1 - 1e-9) {
        lab_step(&l);
        work += lab_probe(&l, "M") * 2 * M_PI * 1e-3;
    }
    CHECK_NEAR(work, 40, 0.02);
    close_lab(&l);
}

TEST(a_crank_turns_against_the_friction_of_its_slider)
{
    for (int k = 0; k < 3; k++) check_turn(SCHEMES[k], "auto", "relative");
    check_turn("moreau", "nlgs", "relative");
    check_turn("moreau", "bodies", "relative");
    check_turn("moreau", "auto", "maximal");
}

/* Two shafts, the first of which is driven, and turns twice as fast as the other. */
#define GEARED                                                                                                                                                 \
    "dimension: %d\ngravity: %s\ntime: {end: 2 s, step: 2 ms}\nintegrator: {scheme: %s}\nmechanisms:\n  m:\n    bodies: {a: {mass: 1, inertia: 0.5}, b: "      \
    "{mass: 1, inertia: 0.25}}\n    joints: {a: {type: revolute, parent: ground, child: a, velocity: 3}, b: {type: revolute, parent: ground, child: b, "       \
    "velocity: 1.5}}\n    loops: {g: {type: gear, joints: [a, b], ratio: 2}}\n    drives: {d: {joint: a, speed: 3 rad/s}}\n%s\n"                               \
    "probes: {M: {joint: a, quantity: force}, q: {joint: b}%s}\n"

static lab geared(int dimension, const char *scheme, const char *more, const char *probes)
{
    char text[2000];
    snprintf(text, sizeof text, GEARED, dimension, dimension == 2 ? "[0, 0]" : "[0, 0, 0]", scheme, more, probes);
    return open_lab(text, 1);
}

/* 4 N m in the second shaft and 5 N m in the first: half of the one, and the other. */
TEST(friction_of_shafts_that_follow_is_the_load_of_their_drive)
{
    for (int k = 0; k < 3; k++)
        for (int dimension = 2; dimension <= 3; dimension++) {
            lab l = geared(dimension, SCHEMES[k], "    forces: {f: {joint: b, friction: 4 N m}, e: {joint: a, friction: 5 N m}}", "");
            lab_run(&l, 0.1);
            CHECK_NEAR(lab_probe(&l, "M"), 7, 1e-9);
            close_lab(&l);
        }
}

/* x = q_a + q_b/2 grows by 3.75 rad/s from 0. A spring of it is in the middle of a step what its strain is then, and pulls the first shaft with 1 + 1/4 of it.
 */
TEST(a_coupling_of_what_follows_pulls)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        lab l = geared(dimension, "moreau", "    couplings: {c: {joints: [a, b], factors: [1, 0.5], stiffness: 8 N m/rad, damping: 2 N m s/rad}}",
                       ", c: {coupling: c, quantity: force}, e: {energy: potential}");
        lab_run(&l, 0.4);
        const double x = 3.75 * talus_world_time(l.world), moment = 8 * (x - 3.75 * 1e-3) + 2 * 3.75;
        CHECK_NEAR(lab_probe(&l, "c"), -moment, 1e-9 * moment);
        CHECK_NEAR(lab_probe(&l, "M"), 1.25 * moment, 1e-9 * moment);
        CHECK_NEAR(lab_probe(&l, "e"), 4 * x * x, 1e-9 * x * x);
        close_lab(&l);
    }
}

/* ---- stops ------------------------------------------------------------------------------------------------------------------ */

TEST(a_stop_that_drives_pass_ends_the_run)
{
    char text[2000];
    snprintf(text, sizeof text, SLIDER_CRANK, "moreau", "auto", "relative", "low: 0.25 m");
    lab l = open_lab(text, 1);
    check_error(l.world, "joint 'slider' is at 0.249");
    close_lab(&l);
    for (int dimension = 2; dimension <= 3; dimension++) {
        lab inside = geared(dimension, "moreau", "    forces: {f: {joint: b, low: -1, high: 3.1 rad}}", "");
        lab_run(&inside, 2);
        CHECK_NEAR(lab_probe(&inside, "q"), 3, 1e-9);
        CHECK_NEAR(lab_probe(&inside, "M"), 0, 1e-9);
        close_lab(&inside);
        lab beyond = geared(dimension, "moreau", "    couplings: {c: {joints: [a, b], factors: [1, 0.5], high: 3 rad}}", "");
        check_error(beyond.world, "coupling 'c' is at 3.00");
        CHECK_NEAR(talus_world_time(beyond.world), 0.8, 1e-9);
        close_lab(&beyond);
    }
    for (int k = 0; k < 3; k++) { /* of a joint between the ground and a link that is driven, in a mechanism of which another link is free */
        snprintf(
            text, sizeof text,
            "gravity: [0, 0]\ntime: {end: 1 s, step: 1 ms}\nintegrator: {scheme: %s}\nmechanisms:\n  m:\n    bodies: {a: {mass: 2 kg, inertia: 0.1}, c: "
            "{mass: 1 kg, inertia: 0.1}}\n    joints: {s: {type: prismatic, parent: ground, child: a, velocity: 1 m/s}, t: {type: revolute, parent: ground, "
            "child: c}}\n    drives: {d: {joint: s, speed: 1 m/s}}\n"
            "joints: {j: {type: prismatic, bodies: [ground, a], axis: [1, 0], slide: {high: 0.5 m, friction: 7 N, stiffness: 3 N/m}}}\n"
            "probes: {x: {body_joint: j.slide}, F: {joint: s, quantity: force}}\n",
            SCHEMES[k]);
        lab between = open_lab(text, 1);
        lab_run(&between, 0.4);
        CHECK_NEAR(lab_probe(&between, "F"), 7 + 3 * 0.4, 5e-3); /* the mean of a step */
        check_error(between.world, "joint 'j' is at 0.50");
        close_lab(&between);
    }
}

TEST(what_starts_beyond_a_stop_is_refused)
{
    static const char MECHANISM[] = "gravity: [0, -9.81]\ntime: {end: 1 s, step: 2 ms}\nmechanisms:\n  m:\n    coordinates: %s\n    bodies: {a: {mass: 10 kg, "
                                    "inertia: 1}}\n    joints: {j: {type: prismatic, parent: ground, child: a, axis: [0, 1], position: -1 m}}\n"
                                    "    forces: {f: {joint: j, %s}}\n";
    static const char BODIES[] = "dimension: 3\ngravity: [0, 0, 0]\ntime: {end: 1 s, step: 2 ms}\nbodies: {d: {mass: 1 kg, inertia_tensor: [1, 1, 1]}}\n"
                                 "joints: {j: {type: revolute, bodies: [ground, d], angle: {start: 0.4 rad, high: %s}}}\n";
    char text[1000];
    for (int k = 0; k < 2; k++) {
        snprintf(text, sizeof text, MECHANISM, k ? "maximal" : "relative", "low: 0 m");
        check_refused(text, "joint 'j' starts at -1, beyond its stop at 0");
        snprintf(text, sizeof text, MECHANISM, k ? "maximal" : "relative", "low: -1 m");
        lab l = open_lab(text, 1);
        lab_run(&l, 0.1);
        close_lab(&l);
    }
    snprintf(text, sizeof text, BODIES, "0.3 rad");
    check_refused(text, "joint 'j' starts at 0.4, beyond its stop at 0.3");
    snprintf(text, sizeof text, BODIES, "0.4 rad");
    lab l = open_lab(text, 1);
    lab_run(&l, 0.1);
    close_lab(&l);
}

/* ---- springs ---------------------------------------------------------------------------------------------------------------- */

/* What swings by springs of joints alone keeps kinetic and potential energy together. θ = ½ is exact for those that are constraints; springs of relative
 * coordinates are of second order. */
static void check_energy(const char *text, double total, double tolerance)
{
    lab l = open_lab(text, 1);
    double most = 0, least = (double)INFINITY;
    for (int i = 0; i < 1000; i++) {
        CHECK_NEAR(lab_probe(&l, "e"), total, tolerance * total);
        most = fmax(most, lab_probe(&l, "p")), least = fmin(least, lab_probe(&l, "p"));
        lab_step(&l);
    }
    CHECK(most > 0.99 * total && least < 0.2 * total);
    close_lab(&l);
}

TEST(springs_of_joints_are_in_the_energy)
{
    static const char SLIDER[] =
        "gravity: [0, 0]\ntime: {end: 1 s, step: 1 ms}\nmechanisms:\n  m:\n    coordinates: %s\n    bodies: {a: {mass: 2 kg, inertia: "
        "0.1}}\n    joints: {s: {type: prismatic, parent: ground, child: a}}\n    forces: {f: {joint: s, stiffness: 200 N/m, free: 0.1 "
        "m}}\nprobes: {e: {energy: total}, p: {energy: potential}}\n";
    static const char SHAFTS[] =
        "dimension: %d\ngravity: %s\ntime: {end: 2 s, step: 1 ms}\nmechanisms:\n  m:\n    shafts: {a: {inertia: 1 kg m^2, speed: -1.5 "
        "rad/s}, b: {inertia: 1 kg m^2, speed: 1.5 rad/s}}\n    couplings: {c: {joints: [a, b], stiffness: 20 N m/rad, free: 0.3 rad}}\n"
        "probes: {e: {energy: total}, p: {energy: potential}}\n";
    static const char BODY[] = "dimension: 3\ngravity: [0, 0, 0]\ntime: {end: 1 s, step: 1 ms}\nbodies: {d: {mass: 1 kg, inertia_tensor: [0.2, 0.2, 0.3]}}\n"
                               "joints: {j: {type: cylindrical, bodies: [ground, d], angle: {start: 2 turn, stiffness: 10 N m/rad, rest: 2.5 turn}, "
                               "slide: {stiffness: 50 N/m, rest: 0.2 m}}}\nprobes: {e: {energy: total}, p: {energy: potential}}\n";
    char text[1000];
    for (int k = 0; k < 2; k++) {
        snprintf(text, sizeof text, SLIDER, k ? "maximal" : "relative");
        check_energy(text, 1, k ? 1e-9 : 1e-4); /* (ω h)² */
        snprintf(text, sizeof text, SHAFTS, 2 + k, k ? "[0, 0, 0]" : "[0, 0]");
        check_energy(text, 2.25 + 0.9, 1e-9);
    }
    check_energy(BODY, 5 * M_PI * M_PI + 1, 1e-9);
}

int main(int argc, char **argv)
{
    RUN(a_crank_turns_against_the_friction_of_its_slider);
    RUN(friction_of_shafts_that_follow_is_the_load_of_their_drive);
    RUN(a_coupling_of_what_follows_pulls);
    RUN(a_stop_that_drives_pass_ends_the_run);
    RUN(what_starts_beyond_a_stop_is_refused);
    RUN(springs_of_joints_are_in_the_energy);
    return TEST_RESULT;
}
