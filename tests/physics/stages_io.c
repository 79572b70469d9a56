/* Stages of a scene against closed forms: what begins and ends when, that nothing jumps, and that a restart in any stage gives the same bits. */
#include "lab.h"

static const double g = 9.81;

/* A block on a shelf. The shelf is freed at 0.1 s: both fall, exactly as θ = ½ integrates a parabola. It begins to move at 0.3 s, as fast as it has
 * become, is imposed then, and freed again: a throw. */
static const char SHELF[] = "time: {end: 2 s, step: 1 ms}\n"
                            "gravity: [0, -9.81]\n"
                            "solver: {tolerance: 1e-12, max_iterations: 10000}\n"
                            "materials: {wood: {density: 500, thickness: 0.1}}\n"
                            "bodies:\n"
                            "  shelf: {kind: fixed, position: [0, 2 m], shapes: [{box: {size: [1 m, 0.1 m], centre: [0.2 m, 0.1 m], material: wood}}]}\n"
                            "probes:\n"
                            "  x: {body: shelf}\n"
                            "  y: {body: shelf, quantity: y}\n"
                            "  vx: {body: shelf, quantity: vx}\n"
                            "  vy: {body: shelf, quantity: vy}\n"
                            "  kinetic: {energy: kinetic}\n"
                            "stages:\n"
                            "  rest: {until: {after: 0.1 s}}\n"
                            "  fall: {until: {time: 0.3 s}, bodies: {shelf: {kind: free}}}\n"
                            "  carried: {until: {after: 0.2 s}, bodies: {shelf: {kind: imposed, motion: {x: 5 m + 3 m/s * T, y: 4 m/s * T}}}}\n"
                            "  thrown: {until: {after: 0.2 s}, bodies: {shelf: {kind: free}}}\n"
                            "  caught: {bodies: {shelf: {kind: fixed}}}\n";

TEST(body_changes_its_kind)
{
    lab l = open_lab(SHELF, 1);
    lab_run(&l, 0.1);
    CHECK(lab_probe(&l, "y") == 2 && lab_probe(&l, "stage") == 2);
    lab_run(&l, 0.299);
    CHECK_NEAR(lab_probe(&l, "kinetic"), 0.5 * 500 * 0.01 * (g * 0.199) * (g * 0.199), 1e-10); /* a mass of 5 kg, from its shape */
    lab_run(&l, 0.3);
    double y = 2 - 0.5 * g * 0.2 * 0.2;
    CHECK_NEAR(lab_probe(&l, "y"), y, 1e-13);
    lab_run(&l, 0.5);
    y += 4 * 0.2;
    CHECK_NEAR(lab_probe(&l, "x"), 0.6, 1e-13); /* not 5 m further: only the change of a motion counts */
    CHECK_NEAR(lab_probe(&l, "y"), y, 1e-13);
    lab_run(&l, 0.699);
    CHECK_NEAR(lab_probe(&l, "vx"), 3, 1e-13);
    lab_run(&l, 0.7);
    y += 4 * 0.2 - 0.5 * g * 0.2 * 0.2;
    CHECK_NEAR(lab_probe(&l, "x"), 1.2, 1e-13);
    CHECK_NEAR(lab_probe(&l, "y"), y, 1e-13);
    lab_run(&l, 0.9);
    CHECK_NEAR(lab_probe(&l, "y"), y, 1e-13);
    CHECK(lab_probe(&l, "vy") == 0 && lab_probe(&l, "stage") == 5);
    close_lab(&l);
}

/* Two gates side by side, one text: both open. */
TEST(copies_of_a_body_change_together)
{
    lab l = open_lab("time: {end: 1 s, step: 1 ms}\ngravity: [0, -9.81]\nmaterials: {wood: {density: 500}}\n"
                     "bodies: {gate: {kind: fixed, repeat: {count: 2, shift: [3 m, 0]}, shapes: [{box: {size: [1, 1], material: wood}}]}}\n"
                     "stages: {shut: {until: {time: 0.5 s}}, open: {bodies: {gate: {kind: free}}}}\n",
                     1);
    lab_run(&l, 0.7);
    for (int i = 0; i < 2; i++) {
        double x[3], q[4];
        talus_body_pose(l.world, talus_body_find(l.world, i ? "gate.2" : "gate.1"), x, q);
        CHECK_NEAR(x[0], 3 * i, 0);
        CHECK_NEAR(x[1], -0.5 * g * 0.04, 1e-13);
    }
    close_lab(&l);
}

/* In space, about an axis: the turn goes on from where it stands, and what is freed keeps its spin. The box is a cube, so it turns freely. */
static const char CUBE[] = "dimension: 3\n"
                           "time: {end: 2 s, step: 1 ms}\n"
                           "materials: {wood: {density: 500}}\n"
                           "bodies:\n"
                           "  cube: {kind: imposed, motion: {turn: 0.5 rad/s * t, z: 0.1 m/s * t, axis: [0, 0, 1]},\n"
                           "         shapes: [{box: {size: [1, 1, 1], material: wood}}]}\n"
                           "probes:\n"
                           "  x: {body: cube, at: [1, 0, 0]}\n"
                           "  y: {body: cube, at: [1, 0, 0], quantity: y}\n"
                           "  z: {body: cube, quantity: z}\n"
                           "  w: {body: cube, quantity: wz}\n"
                           "stages:\n"
                           "  first: {until: {time: 0.4 s}}\n"
                           "  second: {until: {time: 1 s}, bodies: {cube: {motion: {turn: 2 rad/s * t}}}}\n"
                           "  free: {until: {time: 1.5 s}, bodies: {cube: {kind: free}}}\n"
                           "  back: {until: {time: 2 s}, bodies: {cube: {kind: imposed, motion: {turn: -1 rad/s * T}}}}\n";

TEST(body_changes_its_kind_in_space)
{
    lab l = open_lab(CUBE, 1);
    lab_run(&l, 1);
    CHECK_NEAR(lab_probe(&l, "x"), cos(0.2 + 1.2), 1e-12);
    CHECK_NEAR(lab_probe(&l, "z"), 0.1, 1e-12); /* the stage did not touch it */
    lab_run(&l, 1.499);
    CHECK_NEAR(lab_probe(&l, "w"), 2, 1e-12);
    lab_run(&l, 1.5);
    CHECK_NEAR(lab_probe(&l, "y"), sin(0.2 + 2.2), 1e-10);
    CHECK_NEAR(lab_probe(&l, "z"), 0.15, 1e-12);
    lab_run(&l, 2);
    CHECK_NEAR(lab_probe(&l, "y"), sin(0.2 + 2.2 - 0.5), 1e-10);
    CHECK_NEAR(lab_probe(&l, "z"), 0.2, 1e-12); /* its own motion in z moves it on */
    close_lab(&l);
}

/* A block on a floor; gravity turns to the slope's: friction 1 holds it, 0.25 lets it go with g (sin a − 0.25 cos a). */
static const char SLOPE[] = "time: {end: 1 s, step: 1 ms}\n"
                            "gravity: [0, -9.81]\n"
                            "solver: {tolerance: 1e-12, max_iterations: 10000}\n"
                            "materials: {wood: {density: 500, thickness: 0.1}, ice: {density: 900}}\n"
                            "interactions: [{between: [wood, ice], friction: 1}, {friction: 0.9}]\n"
                            "bodies:\n"
                            "  floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: ice}}]}\n"
                            "  block: {position: [0, 0.05 m], shapes: [{box: {size: [0.3, 0.1], material: wood}}]}\n"
                            "probes: {vx: {body: block, quantity: vx}, push: {contact_force: block, quantity: y}}\n"
                            "stages:\n"
                            "  flat: {until: {after: 0.1 s}}\n"
                            "  tilted: {until: {after: 0.1 s}, gravity: [4.905, -8.495709211]}\n"
                            "  oiled: {until: {after: 0.4 s}, interactions: [{between: [ice, wood], friction: 0.25}]}\n"
                            "  stuck: {interactions: [{between: [wood, ice], friction: 2}]}\n";

TEST(friction_and_gravity_change)
{
    lab l = open_lab(SLOPE, 1);
    const double cosine = 8.495709211, sine = 4.905;
    lab_run(&l, 0.2);
    CHECK_NEAR(lab_probe(&l, "vx"), 0, 1e-9);
    CHECK_NEAR(lab_probe(&l, "push"), 1.5 * cosine, 1e-6);
    lab_run(&l, 0.6);
    CHECK_NEAR(lab_probe(&l, "vx"), 0.4 * (sine - 0.25 * cosine), 1e-6);
    const double v = lab_probe(&l, "vx");
    lab_run(&l, 0.6 + 0.05);
    CHECK_NEAR(lab_probe(&l, "vx"), v - 0.05 * (2 * cosine - sine), 1e-6);
    close_lab(&l);
}

/* A rate that jumps is integrated by the trapezoidal rule (θ = ½), so its way lags by half a step's change.
 * A sled on a driven joint, another on a joint that only forces move. The stage `run` ends when a probe says so, at a time that the scene does not name. */
static const char SLEDS[] = "time: {end: 3 s, step: 1 ms}\n"
                            "bodies: {stone: {kind: free, mass: 2 kg, inertia: 1}}\n"
                            "loads: {push: {body: stone, x: 0}}\n"
                            "mechanisms:\n"
                            "  rig:\n"
                            "    bodies: {a: {mass: 1 kg}, b: {mass: 1 kg}, c: {mass: 3 kg}}\n"
                            "    joints:\n"
                            "      A: {type: prismatic, parent: ground, child: a}\n"
                            "      B: {type: prismatic, parent: ground, child: b, at: [0, 1], position: 0.5 m}\n"
                            "      C: {type: prismatic, parent: ground, child: c, at: [0, 2]}\n"
                            "    drives: {speed: {joint: A, speed: 0 m/s}, way: {joint: B, position: 0.5 m}}\n"
                            "    forces: {engine: {joint: C, constant: 0 N}}\n"
                            "probes: {a: {joint: A}, b: {joint: B}, c: {joint: C}, vc: {joint: C, quantity: velocity}, vs: {body: stone, quantity: vx}}\n"
                            "stages:\n"
                            "  rest: {until: {after: 0.2 s}}\n"
                            "  run:\n"
                            "    until: {probe: a, above: 99.5 mm, for: 30 ms, at_most: 1 s}\n"
                            "    drives: {speed: {speed: 0.5 m/s}, way: {move: 1 m + 0.2 m/s * T}}\n"
                            "    forces: {engine: {law: 6 N/s * T}}\n"
                            "    loads: {push: {x: 4 N}}\n"
                            "  back:\n"
                            "    until: {after: 0.3 s}\n"
                            "    drives: {speed: {speed: -0.1 m/s}, way: {move: {table: [[0 s, 0 m], [0.1 s, -0.3 m]]}}}\n"
                            "  end: {until: {after: 0.1 s}, loads: {push: {x: 0}}}\n";

TEST(drives_forces_and_loads_change)
{
    lab l = open_lab(SLEDS, 1);
    double start, end;
    CHECK(!lab_run(&l, 0.2 + 0.25)); /* a passes 99.5 mm at 0.2 s + 0.2 s, and 30 ms later the stage ends */
    CHECK(lab_probe(&l, "stage") == 3);
    CHECK(strcmp(talus_scene_stage(l.scene, l.world, 1, &start, &end), "run") == 0);
    CHECK_NEAR(start, 0.2, 1e-15);
    CHECK_NEAR(end, 0.2 + 0.2 + 0.03, 1e-12);
    const double T = end - start, further = 0.02, lag = 0.5e-3 * (0 - -0.1);
    CHECK_NEAR(lab_probe(&l, "a"), 0.5 * T - 0.1 * further + lag, 1e-12);
    CHECK_NEAR(lab_probe(&l, "b"), 0.5 + 0.2 * T - 0.3 * further / 0.1, 1e-12);
    CHECK_NEAR(lab_probe(&l, "vs"), (T + further) * 4 / 2, 1e-12);
    CHECK_NEAR(lab_probe(&l, "vc"), 0.5 * 2 * (T + further) * (T + further), 1e-12); /* its law goes on, with the T of its stage */
    CHECK(lab_run(&l, 3));                                                           /* the last stage is done */
    CHECK_NEAR(talus_world_time(l.world), end + 0.4, 1e-12);
    CHECK_NEAR(lab_probe(&l, "a"), 0.5 * T - 0.1 * 0.4 + lag, 1e-12);
    CHECK_NEAR(lab_probe(&l, "b"), 0.5 + 0.2 * T - 0.3, 1e-12);
    CHECK_NEAR(lab_probe(&l, "vs"), (T + 0.3) * 4 / 2, 1e-12);
    char text[256];
    CHECK(talus_scene_ending(l.scene, l.world, text, sizeof text) && strstr(text, "'end'"));
    CHECK(strcmp(talus_world_warnings(l.world), "") == 0);
    close_lab(&l);
}

/* A clock: x = 1 m/s t. */
#define CLOCK                                                                                                                                                  \
    "time: {end: 1 s, step: 1 ms}\n"                                                                                                                           \
    "bodies: {hand: {kind: imposed, motion: {x: 1 m/s * t, y: \"1 m * sin(10 rad/s * t)\"}}}\n"                                                                \
    "probes: {x: {body: hand}, y: {body: hand, quantity: y}}\n"

TEST(bound_on_a_stage_warns)
{
    lab l = open_lab(CLOCK "stages:\n  first: {until: {probe: x, above: 0.9 m, at_most: 0.25 s}}\n  second: {until: {probe: x, above: 2000 mm}}\n", 1);
    CHECK(!lab_run(&l, 0.25));
    CHECK(lab_probe(&l, "stage") == 2);
    const char *text = talus_world_warnings(l.world);
    CHECK(strstr(text, "'first'") && strstr(text, "at_most") && strstr(text, "t = 0.25 s") && strstr(text, "probe 'x' is 0.25 m, not above 0.9 m"));
    CHECK(!lab_run(&l, 1));
    CHECK(strstr(talus_world_warnings(l.world), "stage 'second' was ended by time.end"));
    close_lab(&l);
}

/* y > 0.8 m for 60 ms: a sine of 10 rad/s is above for (π − 2 asin 0.8)/10 = 129 ms, first from 92.7 ms on; in the stage `later` from 721 ms on. */
TEST(stops_hold_for_a_while)
{
    lab l = open_lab(CLOCK "stop: {high: {probe: y, above: 80 cm, for: 60 ms, message: the hand is up}}\n", 1);
    CHECK(lab_run(&l, 1));
    CHECK_NEAR(talus_world_time(l.world), 0.093 + 0.06, 1e-12);
    char text[256];
    CHECK(talus_scene_ending(l.scene, l.world, text, sizeof text) && strstr(text, "'high'") && strstr(text, "the hand is up"));
    close_lab(&l);
    l = open_lab(CLOCK "stop: {long: {probe: y, above: 80 cm, for: 130 ms}}\n", 1);
    CHECK(!lab_run(&l, 1));
    close_lab(&l);
    l = open_lab(CLOCK "stages: {soon: {until: {after: 0.1 s}}, later: {}}\nstop: {high: {probe: y, above: 80 cm, for: 60 ms, during: [later]}}\n", 1);
    CHECK(lab_run(&l, 1));
    CHECK_NEAR(talus_world_time(l.world), 0.101 + 0.06, 1e-12); /* it began to count in `later`, whose first step ends at 0.101 s */
    close_lab(&l);
}

/* ---- restart ------------------------------------------------------------------------------------------------------ */

/* Grains on a shelf that is freed, shaken, held; friction and gravity change. */
static const char HEAP[] = "time: {end: 0.6 s, step: 1 ms}\n"
                           "gravity: [0, -9.81]\n"
                           "materials: {stone: {density: 2500, thickness: 10 mm}}\n"
                           "interactions: [{friction: 0.6}]\n"
                           "bodies:\n"
                           "  box: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: stone}},\n"
                           "        {half_plane: {point: [-0.1, 0], normal: [1, 0], material: stone}},\n"
                           "        {half_plane: {point: [0.1, 0], normal: [-1, 0], material: stone}}]}\n"
                           "  shelf: {kind: fixed, position: [0, 5 cm], shapes: [{box: {size: [12 cm, 1 cm], material: stone}}]}\n"
                           "grains:\n"
                           "  heap: {generator: lattice, rows: 6, columns: 7, spacing: 21 mm, jitter: 1 mm, origin: [-63 mm, 8 cm],\n"
                           "         radius: {uniform: [7 mm, 9 mm]}, shape: polygon, material: stone}\n"
                           "probes: {ke: {energy: kinetic}}\n"
                           "stages:\n"
                           "  settle: {until: {probe: ke, below: 1 mJ, for: 10 ms, at_most: 0.15 s}}\n"
                           "  shake: {until: {after: 0.1 s}, bodies: {shelf: {kind: imposed, motion: {y: \"3 mm * sin(60 rad/s * T)\"}}}, interactions: "
                           "[{friction: 0.3}]}\n"
                           "  drop: {until: {after: 0.12 s}, gravity: [0.5, -9], bodies: {shelf: {kind: free}}}\n"
                           "  hold: {bodies: {shelf: {kind: fixed}}}\n";

/* The state is carried field by field into a world of its own. */
static void carry(const lab *from, const lab *to)
{
    const int count = talus_state_count(from->world);
    talus_field *fields = calloc((size_t)count, sizeof *fields);
    for (int i = 0; i < count; i++) talus_state_field(from->world, i, &fields[i]);
    CHECK_OK(talus_state_restore(to->world, fields, count), talus_world_error(to->world));
    CHECK_OK(talus_scene_restored(to->scene, to->world), talus_world_error(to->world));
    free(fields);
}

TEST(restart_in_any_stage)
{
    static const double TIMES[] = {0.05, 0.15, 0.2, 0.25, 0.3, 0.37, 0.45};
    for (size_t i = 0; i < sizeof TIMES / sizeof *TIMES; i++) {
        lab whole = open_lab(HEAP, 1), part = open_lab(HEAP, 2);
        lab_run(&whole, TIMES[i]);
        carry(&whole, &part);
        CHECK(talus_world_hash(whole.world) == talus_world_hash(part.world));
        lab_run(&whole, 0.6);
        lab_run(&part, 0.6);
        CHECK(lab_probe(&whole, "stage") == 4);
        CHECK(talus_world_hash(whole.world) == talus_world_hash(part.world));
        close_lab(&whole), close_lab(&part);
    }
}

/* Back from the last stage to the first: what later stages set is undone. */
TEST(restore_goes_back)
{
    lab l = open_lab(HEAP, 1), other = open_lab(HEAP, 3);
    lab_run(&other, 0.55);
    lab_run(&l, 0.08);
    carry(&l, &other);
    lab_run(&l, 0.6);
    lab_run(&other, 0.6);
    CHECK(talus_world_hash(l.world) == talus_world_hash(other.world));
    close_lab(&l), close_lab(&other);
}

/* A stage that stops a falling body takes its velocity between two steps: the acceleration of the last one is that of the fall, and none of later ones is that
 * of the stop; likewise where it is let go again, and where it is taken away. */
TEST(a_fall_that_is_stopped)
{
    for (int flat = 0; flat < 2; flat++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "dimension: %d\ntime: {end: 1 s, step: 1 ms}\ngravity: [0, -9.81%s]\nbodies: {f: {position: [5, 10%s], velocity: [1, 0%s], mass: 1, %s}}\n"
                 "probes: {a: {body: f, quantity: ay}, ax: {body: f, quantity: ax}}\nstages:\n  one: {until: {after: 0.2 s}}\n  two: {until: {after: 0.2 s}, "
                 "bodies: {f: {kind: fixed}}}\n  three: {until: {after: 0.1 s}, bodies: {f: {kind: free}}}\n  four: {bodies: {f: {kind: removed}}}\n",
                 flat ? 2 : 3, flat ? "" : ", 0", flat ? "" : ", 0", flat ? "" : ", 0", flat ? "inertia: 1" : "inertia_tensor: [1, 1, 1]");
        lab l = open_lab(text, 1);
        for (int step = 1; step < 600; step++) {
            lab_step(&l);
            CHECK_NEAR(lab_probe(&l, "a"), step <= 200 || (step > 400 && step <= 500) ? -9.81 : 0, 1e-9);
            CHECK_NEAR(lab_probe(&l, "ax"), 0, 1e-9);
        }
        close_lab(&l);
    }
}

int main(int argc, char **argv)
{
    RUN(body_changes_its_kind);
    RUN(copies_of_a_body_change_together);
    RUN(body_changes_its_kind_in_space);
    RUN(friction_and_gravity_change);
    RUN(drives_forces_and_loads_change);
    RUN(bound_on_a_stage_warns);
    RUN(stops_hold_for_a_while);
    RUN(restart_in_any_stage);
    RUN(restore_goes_back);
    RUN(a_fall_that_is_stopped);
    return TEST_RESULT;
}
