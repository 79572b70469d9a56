/* Stages and stops in space, and where a value falls below a bound: at the times that closed forms give. */
#include "lab.h"

static const double PI = 3.14159265358979323846, G = 9.81;

static bool ended_with(const lab *l, const char *word)
{
    char text[256] = "";
    return talus_scene_ending(l->scene, l->world, text, sizeof text) && strstr(text, word);
}

static double start_of(const lab *l, int stage)
{
    double start, end;
    (void)!talus_scene_stage(l->scene, l->world, stage, &start, &end);
    return start;
}

/* Thrown up with v, a body is higher than 1 m from the first root of v t − g t²/2 = 1 to the second. `above … for` waits from there; `after` counts from the
 * stage's start; then a driven slide moves from where it stands. */
static const char THROWN[] =
    "dimension: 3\n"
    "gravity: [0, 0, -9.81]\n"
    "time: {end: 9 s, step: 1 ms}\n"
    "bodies: {stone: {mass: 2 kg, inertia_tensor: [1, 1, 1, 0, 0, 0], velocity: [0, 0, 6 m/s]}}\n"
    "mechanisms:\n"
    "  rig:\n"
    "    bodies: {a: {mass: 1 kg, inertia: 1}}\n"
    "    joints: {A: {type: prismatic, axis: [0, 1, 0], parent: ground, child: a, position: 0.5 m}}\n"
    "    drives: {way: {joint: A, position: 0.5 m + 0.1 m/s * t}}\n"
    "probes: {z: {body: stone, quantity: z}, y: {body: a, quantity: y}, a: {joint: A, quantity: position}, down: {body: stone, quantity: az}}\n"
    "stages:\n"
    "  throw: {until: {probe: z, above: 1 m, for: 0.2 s}}\n"
    "  wait: {until: {after: 0.15 s}}\n"
    "  drive: {until: {after: 0.3 s}, drives: {way: {move: 2 m/s * T}}}\n"
    "  rest: {drives: {way: {move: 0 m}}}\n";

TEST(stages_of_a_thrown_stone)
{
    lab l = open_lab(THROWN, 1);
    const double h = 1e-3, first = (6 - sqrt(36 - 2 * G)) / G;
    CHECK(!lab_run(&l, 1.2));
    CHECK_NEAR(start_of(&l, 1), first + 0.2, 2 * h);
    CHECK_NEAR(start_of(&l, 2), start_of(&l, 1) + 0.15, 1e-12);
    CHECK_NEAR(start_of(&l, 3), start_of(&l, 2) + 0.3, 1e-12);
    CHECK_NEAR(lab_probe(&l, "y"), 0.5 + 0.1 * start_of(&l, 2) + 2 * 0.3, 1e-12);
    CHECK_NEAR(lab_probe(&l, "a"), lab_probe(&l, "y"), 1e-12);
    CHECK_NEAR(lab_probe(&l, "z"), 6 * 1.2 - 0.5 * G * 1.2 * 1.2, 1e-9);
    CHECK_NEAR(lab_probe(&l, "down"), -G, 1e-9);
    close_lab(&l);
}

/* Higher than 1 m it stays for 2 √(v² − 2 g)/g = 0.824 s: `for` less than that ends the run, more does not. And `below` ends it where it comes down. */
TEST(stops_of_a_thrown_stone)
{
    static const char *const THIRD[] = {"", ", 0"};
    const double h = 1e-3, root = sqrt(36 - 2 * G);
    for (int d = 2; d <= 3; d++)
        for (int k = 0; k < 3; k++) {
            static const char *const STOP[] = {"above: 1 m, for: 0.8 s", "above: 1 m, for: 0.85 s", "below: -2 m"};
            const double ends[] = {(6 - root) / G + 0.8, 3, (6 + sqrt(36 + 4 * G)) / G};
            char text[1024];
            snprintf(text, sizeof text,
                     "dimension: %d\ngravity: [0, -9.81%s]\ntime: {end: 3 s, step: 1 ms}\nbodies: {stone: {mass: 2 kg, %s, velocity: [0, 6 m/s%s]}}\n"
                     "probes: {y: {body: stone, quantity: y}}\nstop: {there: {probe: y, %s, message: where it should}}\n",
                     d, THIRD[d - 2], d == 2 ? "inertia: 1" : "inertia_tensor: [1, 1, 1, 0, 0, 0]", THIRD[d - 2], STOP[k]);
            lab l = open_lab(text, 1);
            CHECK(lab_run(&l, 3) == (k != 1));
            CHECK_NEAR(talus_world_time(l.world), ends[k], 2 * h);
            if (k != 1) CHECK(ended_with(&l, "where it should"));
            close_lab(&l);
        }
}

/* A stage that waits for what never comes ends at its bound, with a warning; a stop that is looked at in the next one only ends the run there at once. */
TEST(bounds_and_stops_of_a_stage)
{
    lab l = open_lab("dimension: 3\ngravity: [0, 0, -9.81]\ntime: {end: 3 s, step: 1 ms}\nbodies: {stone: {mass: 2 kg, inertia_tensor: [1, 1, 1]}}\n"
                     "probes: {z: {body: stone, quantity: z}}\n"
                     "stages: {wait: {until: {probe: z, above: 1 m, at_most: 0.4 s}}, fall: {}}\n"
                     "stop: {low: {probe: z, below: -0.3 m, during: [fall], message: low enough}}\n",
                     1);
    CHECK(lab_run(&l, 3)); /* it is lower than that from 0.247 s on */
    CHECK_NEAR(start_of(&l, 1), 0.4, 1e-12);
    CHECK_NEAR(talus_world_time(l.world), 0.401, 1e-12);
    CHECK(ended_with(&l, "low enough") && strstr(talus_world_warnings(l.world), "at_most"));
    close_lab(&l);
}

/* A block on a floor; gravity turns to a slope's of 30°: friction 1 holds it, 0.25 lets it go with g (sin − 0.25 cos), 2 stops it. */
static const char SLOPE[] = "dimension: 3\n"
                            "time: {end: 1 s, step: 1 ms}\n"
                            "gravity: [0, 0, -9.81]\n"
                            "solver: {tolerance: 1e-10, max_iterations: 100000}\n"
                            "materials: {wood: {density: 500}, ice: {density: 900}}\n"
                            "interactions: [{between: [wood, ice], friction: 1}, {friction: 0.9}]\n"
                            "bodies:\n"
                            "  floor: {kind: fixed, shapes: [{half_space: {point: [0, 0, 0], normal: [0, 0, 1], material: ice}}]}\n"
                            "  block: {position: [0, 0, 0.05 m], shapes: [{box: {size: [0.3, 0.2, 0.1], material: wood}}]}\n"
                            "probes: {vy: {body: block, quantity: vy}, push: {contact_force: block, quantity: z}}\n"
                            "stages:\n"
                            "  flat: {until: {after: 0.1 s}}\n"
                            "  tilted: {until: {after: 0.1 s}, gravity: [0, 4.905, -8.495709211]}\n"
                            "  oiled: {until: {after: 0.4 s}, interactions: [{between: [ice, wood], friction: 0.25}]}\n"
                            "  stuck: {interactions: [{between: [wood, ice], friction: 2}]}\n";

TEST(friction_changes)
{
    lab l = open_lab(SLOPE, 1);
    const double cosine = 8.495709211, sine = 4.905;
    lab_run(&l, 0.2);
    CHECK_NEAR(lab_probe(&l, "vy"), 0, 1e-7);
    CHECK_NEAR(lab_probe(&l, "push"), 3 * cosine, 1e-4);
    lab_run(&l, 0.6);
    const double v = lab_probe(&l, "vy");
    CHECK_NEAR(v, 0.4 * (sine - 0.25 * cosine), 1e-4);
    lab_run(&l, 0.65);
    CHECK_NEAR(lab_probe(&l, "vy"), v - 0.05 * (2 * cosine - sine), 1e-4);
    close_lab(&l);
}

/* The plug under a ball is removed: the ball falls as if there had been nothing, and presses on what comes back above it no more. */
static const char PLUG[] = "dimension: 3\n"
                           "time: {end: 1 s, step: 1 ms}\n"
                           "gravity: [0, 0, -9.81]\n"
                           "materials: {wood: {density: 500}}\n"
                           "bodies:\n"
                           "  plug: {kind: fixed, shapes: [{box: {size: [1, 1, 0.2], centre: [0, 0, -0.1], material: wood}}]}\n"
                           "  ball: {position: [0, 0, 0.1], shapes: [{sphere: {radius: 0.1, material: wood}}]}\n"
                           "  late: {position: [0.3, 0, 0.1], shapes: [{sphere: {radius: 0.1, material: wood}}]}\n"
                           "probes: {z: {body: ball, quantity: z}, push: {contact_force: ball}, n: {number: all}}\n"
                           "stages: {shut: {until: {after: 0.2 s}}, open: {until: {after: 0.3 s}, bodies: {plug: {kind: removed}}},\n"
                           "         one: {until: {after: 0.1 s}, bodies: {late: {kind: removed}}}, shut again: {bodies: {plug: {kind: fixed}}}}\n";

TEST(removed_bodies_are_gone)
{
    lab l = open_lab(PLUG, 1);
    lab_run(&l, 0.2);
    CHECK_CLOSE(lab_probe(&l, "push"), 500 * 4 * PI / 3 * 1e-3 * G, 1e-3);
    CHECK(lab_probe(&l, "n") == 2);
    lab_run(&l, 0.49);
    CHECK_NEAR(lab_probe(&l, "z"), 0.1 - 0.5 * G * 0.29 * 0.29, 1e-4); /* but for the slop in which it lay */
    CHECK(lab_probe(&l, "push") == 0);
    lab_run(&l, 0.55);
    CHECK(lab_probe(&l, "n") == 1);
    lab_run(&l, 0.7);
    CHECK_NEAR(lab_probe(&l, "z"), 0.1 - 0.5 * G * 0.5 * 0.5, 1e-4);
    close_lab(&l);
}

int main(int argc, char **argv)
{
    RUN(stages_of_a_thrown_stone);
    RUN(stops_of_a_thrown_stone);
    RUN(bounds_and_stops_of_a_stage);
    RUN(friction_changes);
    RUN(removed_bodies_are_gone);
    return TEST_RESULT;
}
