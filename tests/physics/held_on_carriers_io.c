/* What dry friction or a drive holds in a joint stays where it is on a carrier that turns freely. Rows within the step, without how they turn in it, would let
 * it slide out by ½ h ω² r, 50 mm/s here, whatever the friction. */
#include "lab.h"

static const double OMEGA = 10, STEP = 1e-3, SPAN = 0.5;

/* An arm of 10 kg turns with 10 rad/s about z; what it carries in a joint at 1 m has a moment of inertia small beside its own. */
#define PLANE                                                                                                                                                  \
    "time: {end: 2 s, step: %g s}\ngravity: [0, 0]\nintegrator: {scheme: %s}\nbodies:\n"                                                                       \
    "  arm: {mass: 10 kg, inertia: 20 kg m^2, centre_of_mass: [0, 0], angular_velocity: 10 rad/s}\n"                                                           \
    "  b: {mass: 1 kg, inertia: 0.01 kg m^2, centre_of_mass: [0, 0], position: [1, 0.1], velocity: [-1, 10], angular_velocity: 10 rad/s}\n"                    \
    "joints:\n  pin: {type: revolute, bodies: [ground, arm], at: [0, 0]}\n  j: {type: %s, bodies: [arm, b], at: [1, 0], axis: [1, 0.2]%s}\n"                   \
    "probes: {x: {body_joint: j.%s}, v: {body_joint: j.%s, quantity: velocity}, E: {energy: kinetic}}\n"

#define SPACE                                                                                                                                                  \
    "dimension: 3\ntime: {end: 2 s, step: %g s}\ngravity: [0, 0, 0]\nintegrator: {scheme: %s}\nbodies:\n"                                                      \
    "  arm: {mass: 10 kg, inertia_tensor: [20, 20, 20], centre_of_mass: [0, 0, 0], spin: [0, 0, 10]}\n"                                                        \
    "  b: {mass: 1 kg, inertia_tensor: [0.01, 0.01, 0.01], centre_of_mass: [0, 0, 0], position: [1, 0.1, 0.1], velocity: [-1, 10, 0], spin: [0, 0, 10]}\n"     \
    "joints:\n  pin: {type: revolute, bodies: [ground, arm], at: [0, 0, 0]}\n  j: {type: %s, bodies: [arm, b], at: [1, 0, 0], axis: [1, 0.2, 0]%s}\n"          \
    "probes: {x: {body_joint: j.%s}, v: {body_joint: j.%s, quantity: velocity}, E: {energy: kinetic}}\n"

typedef struct held {
    const char *type, *laws, *coordinate;
    bool space;
} held;

static const held HELD[] = {
    {"prismatic", ", slide: {friction: 1000 N}", "slide", false},
    {"prismatic", ", slide: {speed: 0 m/s}", "slide", false},
    {"prismatic", ", slide: {speed: 0 m/s, force: 1000 N}", "slide", false},
    {"prismatic", ", slide: {position: 0 m}", "slide", false},
    {"prismatic", ", slide: {position: 0 m, force: 1000 N}", "slide", false},
    {"slot", ", slide: {friction: 1000 N}", "slide", false},
    {"prismatic", ", slide: {friction: 1000 N}", "slide", true},
    {"prismatic", ", slide: {speed: 0 m/s}", "slide", true},
    {"prismatic", ", slide: {speed: 0 m/s, force: 1000 N}", "slide", true},
    {"prismatic", ", slide: {position: 0 m}", "slide", true},
    {"prismatic", ", slide: {position: 0 m, force: 1000 N}", "slide", true},
    {"cylindrical", ", slide: {friction: 1000 N}, angle: {friction: 1000 N m}", "slide", true},
    {"cylindrical", ", slide: {speed: 0 m/s}, angle: {speed: 0 rad/s}", "slide", true},
    {"slot", ", slide: {friction: 1000 N}", "slide", true},
    {"universal", ", axis2: [0, 0, 1], first: {friction: 1000 N m}, second: {friction: 1000 N m}", "first", true},
    {"universal", ", axis2: [0, 0, 1], first: {friction: 1000 N m}, second: {friction: 1000 N m}", "second", true},
    {"planar", ", axis2: [0, 0, 1], slide_1: {friction: 1000 N}, slide_2: {friction: 1000 N}, angle: {friction: 1000 N m}", "slide_2", true},
};

typedef struct outcome {
    double slid, gained, rate; /* farthest it has been from where it began; change of the energy, as a share; rate at the end */
} outcome;

static outcome carry(const held *of, const char *scheme, double step)
{
    char text[2048];
    const char *const format = of->space ? SPACE : PLANE;
    snprintf(text, sizeof text, format, step, scheme, of->type, of->laws, of->coordinate, of->coordinate); // NOLINT: one of the two above
    lab l = open_lab(text, 1);
    const double before = lab_probe(&l, "E");
    outcome out = {0, 0, 0};
    while (talus_world_time(l.world) < SPAN) {
        lab_step(&l);
        out.slid = fmax(out.slid, fabs(lab_probe(&l, "x")));
    }
    out.gained = fabs(lab_probe(&l, "E") / before - 1), out.rate = fabs(lab_probe(&l, "v"));
    close_lab(&l);
    return out;
}

/* What is left is of second order in the angle by which the arm turns in a step. */
static void stays(const held *of, const char *scheme)
{
    const double angle = OMEGA * STEP, far = 4 * angle * angle * OMEGA * SPAN; /* of an arm of 1 m; the fault: ½ angle Ω SPAN */
    const outcome fine = carry(of, scheme, STEP), coarse = carry(of, scheme, 2 * STEP);
    if (!(fine.slid < far && (coarse.slid < 0.1 * far || coarse.slid > 3 * fine.slid)))
        TEST_FAIL("%s%s in %s, %s: %g m, %g m in steps twice as long", of->type, of->laws, of->space ? "space" : "the plane", scheme, fine.slid, coarse.slid);
}

TEST(what_is_held_stays)
{
    for (size_t i = 0; i < sizeof HELD / sizeof *HELD; i++) {
        stays(&HELD[i], "moreau");
        stays(&HELD[i], "spook");
        stays(&HELD[i], "generalized_alpha");
    }
}

/* Friction and a drive that stands do no work, and both ends of the joint go on alike. */
TEST(what_holds_does_no_work)
{
    const double off = 4 * OMEGA * OMEGA * STEP * STEP;
    for (size_t i = 0; i < sizeof HELD / sizeof *HELD; i++) {
        const outcome o = carry(&HELD[i], "moreau", STEP);
        if (!(o.gained < off && o.rate < off * OMEGA))
            TEST_FAIL("%s%s in %s: energy off by %g, rate %g", HELD[i].type, HELD[i].laws, HELD[i].space ? "space" : "the plane", o.gained, o.rate);
    }
}

/* ---- in relative coordinates -------------------------------------------------------------------------------------------------- */

/* Two bars and a third, closed by a rod to the ground: two degrees of freedom. Of the first two joints the user says which one follows from the loop; something
 * holds the second, so that its reference is the same with a drive that nothing stops. */
#define CHAIN                                                                                                                                                  \
    "gravity: %s\ntime: {end: 2 s, step: %g s}\n%sintegrator: {scheme: %s}\nmechanisms:\n  m:\n    bodies:\n"                                                  \
    "      a: {mass: 1 kg, inertia: %s, centre_of_mass: %s}\n      b: {mass: 2 kg, inertia: %s, centre_of_mass: %s}\n      c: {mass: 1 kg, inertia: %s}\n"     \
    "    joints:\n      p: {type: revolute, parent: ground, child: a, angle: 50 deg, velocity: 2 rad/s%s}\n"                                                   \
    "      q: {type: revolute, parent: a, child: b, at: %s, angle: -40 deg, velocity: 0 rad/s%s}\n"                                                            \
    "      c: {type: revolute, parent: b, child: c, at: %s, angle: -60 deg%s}\n    dependent: [%s]\n    %s\n"                                                  \
    "    loops: {r: {type: rod, bodies: [ground, c], at: [%s, %s], length: 2.6248825411579606}}\n"                                                             \
    "probes: {p: {joint: p}, q: {joint: q}, E: {energy: total}}\n"

typedef struct course {
    double p, moved, off; /* at the end; how far what is held has come; farthest the energy was from what it was after the first steps [J] */
} course;

static const char FREE[] = "drives: {z: {joint: q, speed: 0 rad/s}}";
static const char *const HOLD[] = {"forces: {z: {joint: q, friction: 1e5 N m}}", "drives: {z: {joint: q, speed: 0 rad/s, force: 1e5 N m}}",
                                   "forces: {z: {joint: q, high: -40 deg, constant: 200 N m}}", "forces: {z: {joint: q, low: -40 deg, constant: -200 N m}}"};

static lab open_chain(bool space, const char *scheme, double step, const char *dependent, const char *hold)
{
    char text[2048];
    snprintf(text, sizeof text, CHAIN, space ? "[0, -9.81, 0]" : "[0, -9.81]", step, space ? "dimension: 3\n" : "", scheme, space ? "[0.1, 0.1, 0.1]" : "0.1",
             space ? "[0.25, 0, 0]" : "[0.25, 0]", space ? "[0.1, 0.1, 0.1]" : "0.1", space ? "[0.3, 0.1, 0]" : "[0.3, 0.1]",
             space ? "[0.05, 0.05, 0.05]" : "0.05", space ? ", axis: [0, 0, 1]" : "", space ? "[0.5, 0, 0]" : "[0.5, 0]", space ? ", axis: [0, 0, 1]" : "",
             space ? "[0.7, 0, 0]" : "[0.7, 0]", space ? ", axis: [0, 0, 1]" : "", dependent, hold, space ? "[1.2, -2.5, 0]" : "[1.2, -2.5]",
             space ? "[0.5, 0, 0]" : "[0.5, 0]");
    return open_lab(text, 1);
}

static course follow(bool space, const char *scheme, double step, const char *dependent, const char *hold)
{
    lab l = open_chain(space, scheme, step, dependent, hold);
    course out = {0, 0, 0};
    const double start = lab_probe(&l, "q");
    double energy = 0;
    for (int k = 0; talus_world_time(l.world) < 0.2 - 0.5 * step; k++) {
        lab_step(&l);
        if (k == 2) energy = lab_probe(&l, "E");
        out.moved = fmax(out.moved, fabs(lab_probe(&l, "q") - start));
        if (k > 2) out.off = fmax(out.off, fabs(lab_probe(&l, "E") - energy));
    }
    out.p = lab_probe(&l, "p");
    close_lab(&l);
    return out;
}

/* Held friction, drives and stops do no work: energy and angle come to their own to second order, whichever coordinate follows from the loop. */
static void stays_in_chain(bool space, const char *scheme, const char *dependent, const char *hold, double exact)
{
    const course coarse = follow(space, scheme, 5e-4, dependent, hold), fine = follow(space, scheme, 2.5e-4, dependent, hold);
    const double way = 2 * 0.2 * STEP * 0.25; /* what a coordinate of 2 rad/s creeps in this time, to first order */
    if (!(fine.moved < 0.1 * way)) TEST_FAIL("%s, %s, %s: moved by %g", scheme, dependent, hold, fine.moved);
    if (!(fine.off < 0.4 * coarse.off && fine.off < 5e-3)) TEST_FAIL("%s, %s, %s: energy off by %g and %g J", scheme, dependent, hold, coarse.off, fine.off);
    if (!(fabs(fine.p - exact) < 1e-4)) TEST_FAIL("%s, %s, %s: %.6f in place of %.6f", scheme, dependent, hold, fine.p, exact);
}

TEST(what_is_held_in_a_chain_stays)
{
    for (int space = 0; space < 2; space++) {
        const double exact = follow(space, "moreau", 2e-5, "p", FREE).p;
        for (size_t i = 0; i < sizeof HOLD / sizeof *HOLD; i++)
            for (int q = 0; q < 2; q++) {
                stays_in_chain(space, "moreau", q ? "q" : "p", HOLD[i], exact);
                stays_in_chain(space, "generalized_alpha", q ? "q" : "p", HOLD[i], exact);
            }
    }
}

/* SPOOK's steps are of first order; what is held stays to second order all the same. */
TEST(spook_holds_in_a_chain)
{
    for (size_t i = 0; i < sizeof HOLD / sizeof *HOLD; i++) {
        const double coarse = follow(false, "spook", 5e-4, "q", HOLD[i]).moved, fine = follow(false, "spook", 2.5e-4, "q", HOLD[i]).moved;
        if (!(fine < 0.3 * coarse || fine < 1e-9)) TEST_FAIL("%s: moved by %g and %g", HOLD[i], coarse, fine);
    }
}

/* ---- what lets go under generalized-alpha -------------------------------------------------------------------------------------- */

#define ON_A_SLIDE                                                                                                                                             \
    "time: {end: 2 s, step: 10 ms}\ngravity: [0, 0]\nintegrator: {scheme: generalized_alpha}\nbodies:\n  b: {mass: 1 kg, inertia: 1, centre_of_mass: [0, "     \
    "0]}\n"                                                                                                                                                    \
    "joints:\n  j: {type: prismatic, bodies: [ground, b], at: [0, 0], axis: [1, 0], slide: {%s}}\nloads: {l: {body: b, x: \"%s\"}}\n"                          \
    "probes: {x: {body: b, quantity: x}, v: {body: b, quantity: vx}}\n"

/* 9.9 N of friction under 20 N/s t: it slips at 0.495 s, and then is pushed by what is left. A stop under −30 N, which turns to 30 N at 0.5 s: it is left at
 * once. */
TEST(what_lets_go_pulls_no_more)
{
    char text[1024];
    snprintf(text, sizeof text, ON_A_SLIDE, "friction: 9.9 N", "20 N/s*t");
    lab l = open_lab(text, 1);
    lab_run(&l, 1.5);
    CHECK_NEAR(lab_probe(&l, "v"), 10 * (1.5 * 1.5 - 0.495 * 0.495) - 9.9 * 1.005, 1e-3);
    close_lab(&l);
    snprintf(text, sizeof text, ON_A_SLIDE, "low: 0 m", "min(-30 N + 1e9 N/s*max(t-0.5 s, 0 s), 30 N)");
    l = open_lab(text, 1);
    double least = 0;
    while (talus_world_time(l.world) < 1) {
        lab_step(&l);
        least = fmin(least, lab_probe(&l, "v"));
    }
    CHECK(least > -1e-9);
    CHECK_NEAR(lab_probe(&l, "v"), 15, 0.31); /* it is late by a step at most */
    close_lab(&l);
}

/* Friction of 100 N and a drive of 60 N hold together what takes 130 N. */
TEST(two_hold_together)
{
    static const char SCENE[] =
        "time: {end: 1 s, step: 5 ms}\ngravity: [0, 0]\nintegrator: {scheme: generalized_alpha}\nbodies:\n"
        "  arm: {mass: 10 kg, inertia: 20 kg m^2, centre_of_mass: [0, 0], angular_velocity: 10 rad/s}\n"
        "  b: {mass: 1 kg, inertia: 0.01 kg m^2, centre_of_mass: [0, 0], position: [1, 0], velocity: [0, 10], angular_velocity: 10 rad/s}\n"
        "joints:\n  pin: {type: revolute, bodies: [ground, arm], at: [0, 0]}\n"
        "  j: {type: prismatic, bodies: [arm, b], at: [1, 0], axis: [1, 0], slide: {friction: 100 N, position: 0 m, force: 60 N}}\n"
        "loads: {l: {body: b, x: 30 N, follows_body: true}}\nprobes: {x: {body_joint: j.slide}}\n";
    CHECK_NEAR(lab_after(SCENE, 0.5, "x"), 0, 2e-3);
}

/* A stop against springs of a mechanism that are far stiffer than the step: nothing holds in the smooth motion, as it is not found with that. */
TEST(a_stop_against_stiff_springs)
{
    static const char SCENE[] =
        "time: {end: 0.5 s, step: 10 ms}\ngravity: [0, 0]\nintegrator: {scheme: generalized_alpha}\nmechanisms:\n  m:\n"
        "    bodies: {a: {mass: 0.1 kg, inertia: 0.1}, b: {mass: 0.1 kg, inertia: 0.1}}\n"
        "    joints:\n      p: {type: prismatic, parent: ground, child: a, velocity: 0.1 m/s}\n      q: {type: prismatic, parent: a, child: b}\n"
        "    forces:\n      s: {joint: p, stiffness: 1e6, free: -1 mm, damping: 10, low: 0 m}\n      t: {joint: q, stiffness: 1e6, damping: 10}\n"
        "probes: {p: {joint: p}, v: {joint: p, quantity: velocity}}\n";
    lab l = open_lab(SCENE, 1);
    lab_run(&l, 0.5);
    CHECK_NEAR(lab_probe(&l, "p"), 0, 1e-9);
    CHECK_NEAR(lab_probe(&l, "v"), 0, 1e-9);
    close_lab(&l);
}

/* A spring in a joint keeps its energy while something far away sticks and slips: it is not locked where accelerations of others begin anew. */
TEST(others_go_on)
{
    static const char SCENE[] = "time: {end: 3 s, step: 2 ms}\ngravity: [0, 0]\nintegrator: {scheme: generalized_alpha, spectral_radius: 1}\nbodies:\n"
                                "  a: {mass: 1 kg, inertia: 1, centre_of_mass: [0, 0], velocity: [2, 0]}\n"
                                "  b: {mass: 1 kg, inertia: 1, centre_of_mass: [0, 0], position: [9, 0]}\n"
                                "joints:\n  s: {type: prismatic, bodies: [ground, a], at: [0, 0], axis: [1, 0], slide: {stiffness: 400 N/m}}\n"
                                "  j: {type: prismatic, bodies: [ground, b], at: [9, 0], axis: [1, 0], slide: {friction: 5 N}}\n"
                                "loads: {l: {body: b, x: \"10 N*sin(20 rad/s*t)\"}}\nprobes: {x: {body: a, quantity: x}, v: {body: a, quantity: vx}}\n";
    lab l = open_lab(SCENE, 1);
    lab_run(&l, 2);
    const double x = lab_probe(&l, "x"), v = lab_probe(&l, "v");
    CHECK_CLOSE(0.5 * v * v + 200 * x * x, 2.0, 1e-3);
    close_lab(&l);
}

/* ---- a restart ---------------------------------------------------------------------------------------------------------------- */

/* With other independent coordinates than an assembly would choose, and with rows held. */
TEST(goes_on_with_the_same_bits)
{
    static const char SCENE[] =
        "gravity: [0, -9.81]\ntime: {end: 1 s, step: 1 ms}\nintegrator: {scheme: generalized_alpha}\nmechanisms:\n  m:\n    bodies: {a: {mass: 1 kg, inertia: "
        "0.1 kg m^2, centre_of_mass: [0.25 m, 0]}, b: {mass: 2 kg, inertia: 0.1 kg m^2, centre_of_mass: [0.3 m, 0.1 m]}, c: {mass: 1 kg, inertia: 0.05 kg "
        "m^2}}\n    joints:\n      p: {type: revolute, parent: ground, child: a, angle: 50 deg}\n      q: {type: revolute, parent: a, child: b, at: [0.5 m, "
        "0], angle: -40 deg}\n      c: {type: revolute, parent: b, child: c, at: [0.7 m, 0]}\n    forces: {z: {joint: c, friction: 0.5 N m}}\n"
        "    loops: {r: {type: rod, bodies: [ground, b], at: [[1 m, 0], [0.6 m, 0]], length: 0.52 m}}\n";
    lab l = open_lab(SCENE, 1), other = open_lab(SCENE, 1);
    lab_run(&l, 0.7);
    lab_restore(&l, &other);
    lab_run(&l, 0.9);
    lab_run(&other, 0.9);
    CHECK(talus_world_hash(l.world) == talus_world_hash(other.world));
    close_lab(&l);
    close_lab(&other);
}

int main(int argc, char **argv)
{
    RUN(what_is_held_stays);
    RUN(what_holds_does_no_work);
    RUN(what_is_held_in_a_chain_stays);
    RUN(spook_holds_in_a_chain);
    RUN(what_lets_go_pulls_no_more);
    RUN(two_hold_together);
    RUN(a_stop_against_stiff_springs);
    RUN(others_go_on);
    RUN(goes_on_with_the_same_bits);
    return TEST_RESULT;
}
