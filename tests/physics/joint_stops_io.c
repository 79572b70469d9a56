/* Stops, dry friction and drives of limited force in the coordinates of mechanisms, from scenes: closed forms, in a tree and where a loop makes the
 * coordinate depend on others. */
#include "lab.h"

/* An arm of 1 kg, 0.01 kg m² about its centre half a metre out, falls from the level onto a stop at −0.5 rad. */
#define ARM                                                                                                                                                    \
    "time: {end: 3 s, step: 1 ms}\ngravity: [0, -9.81]\nmechanisms:\n  m:\n    bodies: {a: {mass: 1 kg, inertia: 0.01 kg m^2, centre_of_mass: [0.5, 0]}}\n"    \
    "    joints: {A: {type: revolute, parent: ground, child: a}}\n    forces: {stop: {joint: A, %s}}\n"                                                        \
    "probes: {q: {joint: A}, v: {joint: A, quantity: velocity}, f: {joint: A, quantity: force}}\n"

static lab arm(const char *stop)
{
    char text[1024];
    snprintf(text, sizeof text, ARM, stop);
    return open_lab(text, 1);
}

TEST(a_stop_is_not_overrun)
{
    lab l = arm("low: -0.5 rad");
    double least = 0;
    while (talus_world_time(l.world) < 2) {
        lab_step(&l);
        least = fmin(least, lab_probe(&l, "q"));
    }
    CHECK(least > -0.5 - 1e-6); /* the fault that a spring made: 0.06 rad */
    CHECK_NEAR(lab_probe(&l, "q"), -0.5, 1e-9);
    CHECK_NEAR(lab_probe(&l, "f"), 9.81 * 0.5 * cos(0.5), 1e-6);
    close_lab(&l);
}

/* Back to where ½ J v'² with v' = e v is gone: sin q = sin(−0.5) (1 − e²). A step's time at most is lost at the impact. */
TEST(a_stop_gives_back_what_it_is_told)
{
    lab l = arm("low: -0.5 rad, restitution: 0.6");
    double highest = -1;
    bool bounced = false;
    while (talus_world_time(l.world) < 1.2) {
        lab_step(&l);
        const double v = lab_probe(&l, "v");
        if (!bounced && v > 0) bounced = true;
        if (bounced) highest = fmax(highest, lab_probe(&l, "q"));
    }
    CHECK(bounced);
    CHECK_NEAR(sin(highest), sin(-0.5) * (1 - 0.36), 4e-3);
    close_lab(&l);
}

TEST(an_upper_stop_holds_too)
{
    lab l = open_lab("dimension: 3\ntime: {end: 2 s, step: 1 ms}\ngravity: [0, 0, 9.81]\nmechanisms:\n  m:\n    bodies: {b: {mass: 3 kg, inertia: 1 kg m^2}}\n"
                     "    joints: {p: {type: prismatic, parent: ground, child: b, axis: [0, 0, 1]}}\n    forces: {s: {joint: p, high: 0.2 m}}\n"
                     "probes: {x: {joint: p}, f: {joint: p, quantity: force}}\n",
                     1);
    lab_run(&l, 2);
    CHECK_NEAR(lab_probe(&l, "x"), 0.2, 1e-9);
    CHECK_NEAR(lab_probe(&l, "f"), -3 * 9.81, 1e-6);
    close_lab(&l);
}

/* The fault: 0.9 N on a friction of 1 N crept at 0.9 mm/s. */
TEST(what_sticks_does_not_creep)
{
    for (int space = 0; space < 2; space++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "dimension: %d\ntime: {end: 10 s, step: 1 ms}\nmechanisms:\n  m:\n    bodies: {b: {mass: 1 kg%s}}\n"
                 "    joints: {p: {type: prismatic, parent: ground, child: b}}\n    forces: {f: {joint: p, constant: 0.9 N, friction: 1 N}}\nprobes: {x: "
                 "{joint: p}}\n",
                 space ? 3 : 2, space ? ", inertia: 1 kg m^2" : "");
        lab l = open_lab(text, 1);
        lab_run(&l, 10);
        CHECK_NEAR(lab_probe(&l, "x"), 0, 1e-12);
        close_lab(&l);
    }
}

/* v²/2a: 1 m/s against 1 N/kg. */
TEST(what_slides_comes_to_rest)
{
    lab l = open_lab("time: {end: 2 s, step: 1 ms}\nmechanisms:\n  m:\n    bodies: {b: {mass: 1 kg}}\n"
                     "    joints: {p: {type: prismatic, parent: ground, child: b, velocity: 1 m/s}}\n    forces: {f: {joint: p, friction: 1 N}}\nprobes: {x: "
                     "{joint: p}, v: {joint: p, quantity: velocity}}\n",
                     1);
    lab_run(&l, 2);
    CHECK_NEAR(lab_probe(&l, "x"), 0.5, 1e-3);
    CHECK_NEAR(lab_probe(&l, "v"), 0, 1e-9);
    close_lab(&l);
}

/* A wheel of 2 kg m² and at most 4 N m: 2 rad/s² until 3 rad/s, 1.5 s long, then no moment. */
TEST(a_drive_gives_way)
{
    lab l = open_lab("time: {end: 3 s, step: 1 ms}\nmechanisms:\n  m:\n    bodies: {w: {mass: 1 kg, inertia: 2 kg m^2}}\n"
                     "    joints: {a: {type: revolute, parent: ground, child: w}}\n    drives: {d: {joint: a, speed: 3 rad/s, force: 4 N m}}\n"
                     "probes: {q: {joint: a}, v: {joint: a, quantity: velocity}, f: {joint: a, quantity: force}}\n",
                     1);
    lab_run(&l, 1);
    CHECK_NEAR(lab_probe(&l, "v"), 2, 1e-9);
    CHECK_NEAR(lab_probe(&l, "f"), 4, 1e-9);
    lab_run(&l, 3);
    CHECK_NEAR(lab_probe(&l, "v"), 3, 1e-9);
    CHECK_NEAR(lab_probe(&l, "f"), 0, 1e-9);
    CHECK_NEAR(lab_probe(&l, "q"), 0.5 * 2 * 1.5 * 1.5 + 3 * 1.5, 3e-3);
    close_lab(&l);
}

/* A parallelogram whose bar opposite the ground never turns: the left crank's stop is reached whichever of the three angles is the independent one, and the
 * bar of 2 kg with the cranks of 1 kg rests on it with moment (½ + 2 + ½) m g cos q. */
TEST(a_stop_in_a_loop)
{
    static const char *const DEPENDENT[] = {"[left, bar]", "[bar, right]", "[left, right]"};
    for (int i = 0; i < 2; i++) {
        char text[2048];
        snprintf(
            text, sizeof text,
            "time: {end: 2 s, step: 0.5 ms}\ngravity: [0, -9.81]\nmechanisms:\n  m:\n    bodies:\n"
            "      l: {mass: 1 kg, inertia: 0.02 kg m^2, centre_of_mass: [0.25, 0]}\n      b: {mass: 2 kg, inertia: 0.1 kg m^2, centre_of_mass: [0.5, 0]}\n"
            "      r: {mass: 1 kg, inertia: 0.02 kg m^2, centre_of_mass: [0.25, 0]}\n    joints:\n"
            "      left: {type: revolute, parent: ground, child: l, position: 1 rad}\n      bar: {type: revolute, parent: l, child: b, at: [0.5, 0], position: "
            "-1 rad}\n"
            "      right: {type: revolute, parent: ground, child: r, at: [1, 0], position: 1 rad}\n"
            "    loops: {close: {type: point, bodies: [b, r], at: [[1, 0], [0.5, 0]]}}\n    dependent: %s\n    forces: {stop: {joint: left, low: 0.4 rad}}\n"
            "probes: {q: {joint: left}, f: {joint: left, quantity: force}}\n",
            DEPENDENT[i]);
        lab l = open_lab(text, 1);
        lab_run(&l, 2);
        CHECK_NEAR(lab_probe(&l, "q"), 0.4, 1e-8);
        CHECK_NEAR(lab_probe(&l, "f"), (0.25 + 0.25 + 2 * 0.5) * 9.81 * cos(0.4), 1e-5);
        close_lab(&l);
    }
}

/* Friction that is less than a step's tolerance is felt: 300 N on 100 t change its velocity by 300 N × 2 ms/100 t = 6 μm/s, of 1 cm/s that would do. */
TEST(friction_below_the_tolerance_is_felt)
{
    static const char *const METHOD[] = {"auto", "nlgs", "bodies"};
    for (int kind = 0; kind < 12; kind++) {
        const bool flat = kind % 2 == 0, fine = kind / 2 % 2;
        char text[1000];
        snprintf(text, sizeof text,
                 "dimension: %d\ngravity: [0, 0%s]\ntime: {end: 1 s, step: 2 ms}\nsolver: {tolerance: %s, method: %s}\n"
                 "bodies: {b: {mass: 1e5, %s, velocity: [1, 0%s]}}\n"
                 "joints: {j: {type: prismatic, bodies: [ground, b], at: [0, 0%s], axis: [1, 0%s], slide: {friction: 300 N}}}\n"
                 "probes: {v: {body: b, quantity: vx}}\n",
                 flat ? 2 : 3, flat ? "" : ", 0", fine ? "1e-6 m/s" : "1 cm/s", METHOD[kind / 4], flat ? "inertia: 1e4" : "inertia_tensor: [1e4, 1e4, 1e4]",
                 flat ? "" : ", 0", flat ? "" : ", 0", flat ? "" : ", 0");
        lab l = open_lab(text, 1);
        lab_run(&l, 1);
        CHECK_NEAR(lab_probe(&l, "v"), 1 - 0.003, 1e-9);
        CHECK(talus_world_all_warnings(l.world)[0] == 0);
        close_lab(&l);
    }
}

/* A mass on a slide that turns freely about the ground, or at the end of a cylinder without oil to speak of, is pressed outwards on its stop: it goes round
 * with m r ω², whose work is none, and the energy stays to second order. Rows that were held at the middle of a step only would take (ω h/2)² of it in each:
 * with ω h = 0.05 a third in these 200 steps. */
static double rounds(int dimension, const char *step, bool cylinder)
{
    char text[2500];
    const bool flat = dimension == 2;
    const char *o = flat ? "0" : "0, 0", *J = flat ? "inertia: 0.02" : "inertia_tensor: [0.02, 0.02, 0.02]",
               *spin = flat ? "angular_velocity: 5" : "spin: [0, 0, 5]";
    int n = snprintf(text, sizeof text,
                     "dimension: %d\ngravity: [0, %s]\ntime: {end: 100 s, step: %s}\nsolver: {tolerance: 1e-10 m/s}\nbodies:\n"
                     "  b: {mass: 2, %s, position: [0.5, %s], velocity: [0, 2.5%s], %s}\n",
                     dimension, o, step, J, o, flat ? "" : ", 0", spin);
    if (cylinder)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "hydraulics:\n  c:\n    cylinders: {ram: {bodies: [ground, b], at: [[0, %s], [0, %s]], stroke: [0.2 m, 0.5 m], bore: 1 mm, rod: 0.5 mm, "
                      "dead_volume: 0.1 l}}\n",
                      o, o);
    else
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  a: {mass: 1, %s, position: [0, %s], %s}\njoints:\n  pin: {type: revolute, bodies: [ground, a], at: [0, %s]%s}\n"
                      "  slide: {type: prismatic, bodies: [a, b], axis: [1, %s], at: [0.5, %s], slide: {high: 0}}\n",
                      J, o, spin, o, flat ? "" : ", axis: [0, 0, 1]", o, o);
    (void)snprintf(text + n, sizeof text - (size_t)n, "probes: {e: {energy: kinetic}, x: {body: b, quantity: x}, y: {body: b, quantity: y}}\n");
    lab l = open_lab(text, 1);
    const double before = 0.5 * 2 * 2.5 * 2.5 + 0.5 * 25 * (cylinder ? 0.02 : 0.04);
    lab_run(&l, 2);
    CHECK_NEAR(hypot(lab_probe(&l, "x"), lab_probe(&l, "y")), 0.5, 2e-3);
    const double lost = 1 - lab_probe(&l, "e") / before;
    printf("%d, %s, by %s: %.3g of the energy lost\n", dimension, cylinder ? "cylinder" : "slide", step, lost);
    close_lab(&l);
    return lost;
}

TEST(a_stop_that_goes_round)
{
    for (int i = 0; i < 4; i++) {
        const double coarse = rounds(2 + i / 2, "10 ms", i % 2), fine = rounds(2 + i / 2, "5 ms", i % 2);
        CHECK(fabs(coarse) < 0.05);
        CHECK(fabs(fine) < 0.35 * fabs(coarse) + 1e-6);
    }
}

/* A drive turns a wheel steadily at 2 rad/s against dry friction of 3 N m, a damper of 1 N m s/rad and a constant of 5 N m that helps or hinders: it gives what
 * they take, whether it has a limit that it does not reach or none, in relative and in maximal coordinates; at a limit of 4 N m it gives that, and the wheel
 * slows down; where there is no drive it is 0. */
static void drive_alone(int dimension, const char *scheme, bool maximal)
{
    static const struct {
        const char *limit, *others;
        double gives;
    } CASE[] = {
        {"", "friction: 3 N m", 3},
        {", force: 100 N m", "friction: 3 N m", 3},
        {", force: 100 N m", "damping: 1 N m s/rad", 2},
        {", force: 100 N m", "stiffness: 1e-9 N m/rad, free: 5e9 rad", -5},
        {", force: 100 N m", "stiffness: 1e-9 N m/rad, free: -5e9 rad, damping: 1 N m s/rad", 7},
        {", force: 4 N m", "friction: 30 N m", 4},
    };
    for (size_t i = 0; i < sizeof CASE / sizeof *CASE; i++) {
        char text[2048];
        snprintf(text, sizeof text,
                 "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nintegrator: {scheme: %s}\nsolver: {tolerance: 1e-9}\nmechanisms:\n  m:\n    coordinates: %s\n"
                 "    bodies: {a: {mass: 1 kg, inertia: %s}, b: {mass: 1 kg, inertia: %s}}\n    joints:\n"
                 "      a: {type: revolute, parent: ground, child: a, velocity: 2%s}\n      b: {type: revolute, parent: ground, child: b%s}\n"
                 "    drives: {d: {joint: a, speed: 2 rad/s%s}}\n    forces: {f: {joint: a, %s}}\nprobes:\n  d: {joint: a, quantity: drive, over: 0.1 s}\n%s",
                 dimension, scheme, maximal ? "maximal" : "relative", dimension == 2 ? "0.1" : "[0.1, 0.1, 0.1]", dimension == 2 ? "0.1" : "[0.1, 0.1, 0.1]",
                 dimension == 3 ? ", axis: [0, 0, 1]" : "", dimension == 3 ? ", axis: [0, 0, 1]" : "", CASE[i].limit, CASE[i].others,
                 maximal ? "" : "  none: {joint: b, quantity: drive}\n");
        lab l = open_lab(text, 1);
        (void)lab_run(&l, 0.1);
        const double gives = lab_probe(&l, "d");
        if (!(fabs(gives - CASE[i].gives) < 1e-3))
            TEST_FAIL("%s, %d, maximal %d, %s, %s: %g N m", scheme, dimension, maximal, CASE[i].limit, CASE[i].others, gives);
        if (!maximal) CHECK(lab_probe(&l, "none") == 0);
        close_lab(&l);
    }
}
TEST(a_drive_is_told_alone)
{
    static const char *const SCHEMES[] = {"moreau", "spook", "generalized_alpha"};
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int s = 0; s < 3; s++) drive_alone(dimension, SCHEMES[s], false), drive_alone(dimension, SCHEMES[s], true);
}

int main(int argc, char **argv)
{
    RUN(a_stop_is_not_overrun);
    RUN(a_stop_gives_back_what_it_is_told);
    RUN(an_upper_stop_holds_too);
    RUN(what_sticks_does_not_creep);
    RUN(what_slides_comes_to_rest);
    RUN(a_drive_gives_way);
    RUN(a_stop_in_a_loop);
    RUN(a_stop_that_goes_round);
    RUN(friction_below_the_tolerance_is_felt);
    RUN(a_drive_is_told_alone);
    return TEST_RESULT;
}
