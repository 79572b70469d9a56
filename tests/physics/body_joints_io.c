/* Joints between bodies from scenes: every type and key by its physics, in the plane and in space, and what a scene may get wrong. */
#include "lab.h"

static lab scene(int dimension, const char *rest)
{
    char text[4096];
    snprintf(text, sizeof text, "dimension: %d\ntime: {end: 10 s, step: 1 ms}\nsolver: {tolerance: 1e-10 m/s}\n%s", dimension, rest);
    return open_lab(text, 1);
}

#define BOX  "{mass: 2 kg, inertia: 0.5 kg m^2"
#define BODY "{mass: 2 kg, inertia_tensor: [0.5, 0.5, 0.5]"

/* A pendulum of moment of inertia 0.5 + 2 about its pin falls from the level: ½ J ω² = m g l at the bottom; there the pin carries m g + m ω² l. */
TEST(a_pendulum_on_a_pin)
{
    for (int space = 0; space < 2; space++) {
        lab l = scene(2 + space, space ? "gravity: [0, -10, 0]\nbodies: {b: " BODY ", position: [1, 0, 0]}}\njoints: {pin: {bodies: [ground, b]}}\n"
                                         "probes: {q: {body_joint: pin.angle}, v: {body_joint: pin.angle, quantity: velocity}, y: {body_joint: pin, quantity: "
                                         "y}, f: {body_joint: pin}}\n"
                                       : "gravity: [0, -10]\nbodies: {b: " BOX ", position: [1, 0]}}\njoints: {pin: {bodies: [ground, b]}}\n"
                                         "probes: {q: {body_joint: pin.angle}, v: {body_joint: pin.angle, quantity: velocity}, y: {body_joint: pin, quantity: "
                                         "y}, f: {body_joint: pin}}\n");
        double v = 0, force = 0, turned = 0;
        for (int i = 0; i < 2000; i++) {
            lab_step(&l);
            v = fmin(v, lab_probe(&l, "v")), force = fmax(force, lab_probe(&l, "y")), turned = fmin(turned, lab_probe(&l, "q"));
            CHECK(lab_probe(&l, "f") >= fabs(lab_probe(&l, "y")) - 1e-9);
        }
        CHECK_NEAR(v, -sqrt(2 * 2 * 10 / 2.5), 1e-4);
        CHECK_NEAR(force, 2 * 10 + 2 * 16, 1e-2);
        CHECK_NEAR(turned, -3.14159265358979, 1e-3);
        close_lab(&l);
    }
}

/* A bar on a rod: the length is kept, that at the start or the one that is given, and so is energy. */
TEST(a_rod)
{
    lab l =
        scene(2, "gravity: [0, -10]\nbodies: {b: " BOX ", position: [3, 4]}}\njoints: {rod: {type: distance, bodies: [ground, b], at: [0, 0], to: [3, 4]}}\n"
                 "probes: {x: {body: b}, y: {body: b, quantity: y}, e: {energy: total}}\n");
    const double start = lab_probe(&l, "e");
    lab_run(&l, 2);
    CHECK_NEAR(hypot(lab_probe(&l, "x"), lab_probe(&l, "y")), 5, 1e-5);
    CHECK_NEAR(lab_probe(&l, "e"), start, 1e-3); /* of the second order in h: 3e-4 J of 80 J here, 16 times less at h/4 */
    close_lab(&l);
    l = scene(3, "gravity: [0, 0, -10]\nbodies: {b: " BODY
                 ", position: [3, 0, 4]}}\njoints: {rod: {type: distance, bodies: [ground, b], to: [3, 0, 4], length: 5.001 m}}\n"
                 "probes: {x: {body: b}, z: {body: b, quantity: z}}\n");
    lab_run(&l, 1);
    CHECK_NEAR(hypot(lab_probe(&l, "x"), lab_probe(&l, "z")), 5.001, 1e-5);
    close_lab(&l);
}

/* A weight of 2 kg, 1 m to the right or to the left of the clamp that bears it: the moment has a sign in the plane. */
TEST(moments_of_a_clamp)
{
    for (int i = 0; i < 4; i++) {
        const bool space = i % 2 == 1;
        char text[800];
        snprintf(text, sizeof text,
                 "gravity: [0, -10%s]\nbodies: {b: %s, position: [%d, 0%s]}}\njoints: {j: {type: fixed, bodies: [ground, b], at: [0, 0%s]}}\nprobes: {m: "
                 "{body_joint: j, quantity: moment}, y: {body_joint: j, quantity: y}}\n",
                 space ? ", 0" : "", space ? BODY : BOX, i < 2 ? 1 : -1, space ? ", 0" : "", space ? ", 0" : "");
        lab l = scene(2 + space, text);
        lab_run(&l, 0.01);
        CHECK_NEAR(lab_probe(&l, "y"), 20, 1e-9);
        CHECK_NEAR(lab_probe(&l, "m"), i < 2 || space ? 20 : -20, 1e-9);
        close_lab(&l);
    }
}

/* On a slide inclined by 30°, against a spring: at rest where k x = m g sin 30°, with a damper that lets it come to rest. Another slides to a stop. */
TEST(a_slide)
{
    lab l = scene(
        2,
        "gravity: [0, -10]\nbodies: {b: " BOX "}, c: " BOX ", position: [5, 0]}}\n"
        "joints:\n  s: {type: prismatic, bodies: [ground, b], axis: [0.8660254037844386, 0.5], slide: {stiffness: 100 N/m, damping: 30 N s/m, rest: 0.3 m}}\n"
        "  t: {type: prismatic, bodies: [ground, c], at: [5, 0], axis: [0, 1], slide: {low: -0.25 m}}\n"
        "probes: {x: {body_joint: s.slide}, m: {body_joint: s, quantity: moment}, low: {body_joint: t.slide}, angle: {body: b, quantity: angle}}\n");
    lab_run(&l, 5);
    CHECK_NEAR(lab_probe(&l, "x"), 0.3 - 2 * 10 * 0.5 / 100, 1e-6);
    CHECK_NEAR(lab_probe(&l, "m"), 0, 1e-6);
    CHECK_NEAR(lab_probe(&l, "low"), -0.25, 1e-7);
    CHECK_NEAR(lab_probe(&l, "angle"), 0, 1e-9);
    close_lab(&l);
}

/* Two boxes fixed to each other fall and turn as one of their sum: no force between them but what turns them, and the second keeps its distance. */
TEST(fixed_bodies_are_one)
{
    lab l = scene(2, "bodies: {a: " BOX ", velocity: [0, -2], angular_velocity: 2 rad/s}, b: " BOX
                     ", position: [2, 0], velocity: [0, 2], angular_velocity: 2 rad/s}}\n"
                     "joints: {weld: {type: fixed, bodies: [a, b], at: [1, 0]}}\n"
                     "probes: {f: {body_joint: weld, quantity: magnitude}, angle: {body: b, quantity: angle}, x: {body: a}, other: {body: b}}\n");
    lab_run(&l, 1);
    CHECK_NEAR(lab_probe(&l, "f"), 2 * 1 * 4, 1e-4); /* m ω² r */
    CHECK_NEAR(lab_probe(&l, "angle"), 2, 1e-6);
    CHECK_NEAR(lab_probe(&l, "x") + lab_probe(&l, "other"), 2, 1e-9);
    close_lab(&l);
}

/* Each coordinate in space is driven, slowly enough for closed forms, and read: cylindrical turns and slides at once; of planar all three; the universal joint
 * with its second bar held turns the first; the swing of a spherical one stops at its cone. */
TEST(coordinates_in_space)
{
    lab l = scene(3, "bodies: {a: " BODY "}, b: " BODY ", position: [0, 5, 0]}, c: " BODY ", position: [0, 10, 0]}, d: " BODY
                     ", position: [0, 15, 0]}, e: " BODY ", position: [0, 20, 1], velocity: [1, 0, 0]}}\n"
                     "joints:\n"
                     "  cyl: {type: cylindrical, bodies: [ground, a], axis: [0, 0, 1], slide: {speed: 0.5 m/s}, angle: {speed: 2 rad/s}}\n"
                     "  pla: {type: planar, bodies: [ground, b], at: [0, 5, 0], axis: [1, 0, 0], axis2: [0, 1, 0], slide_1: {speed: 1 m/s}, slide_2: {speed: "
                     "-0.5 m/s}, angle: {position: \"0.3 rad * sin(2 rad/s * t)\"}}\n"
                     "  uni: {type: universal, bodies: [ground, c], at: [0, 10, 0], axis: [1, 0, 0], axis2: [0, 1, 0], first: {speed: 0.7 rad/s, force: 100 N "
                     "m}, second: {friction: 5 N m}}\n"
                     "  two: {type: universal, bodies: [ground, d], at: [0, 15, 0], axis: [1, 0, 0], axis2: [0, 1, 0], first: {friction: 5 N m}, second: "
                     "{speed: 0.4 rad/s}}\n"
                     "  ball: {type: spherical, bodies: [ground, e], at: [0, 20, 0], axis: [0, 0, 1], swing: {high: 0.5 rad, restitution: 0}}\n"
                     "probes:\n  slide: {body_joint: cyl.slide}\n  turn: {body_joint: cyl.angle}\n  y: {body_joint: pla.slide_1}\n  z: {body_joint: "
                     "pla.slide_2}\n  p: {body_joint: pla.angle}\n"
                     "  first: {body_joint: uni.first}\n  second: {body_joint: uni.second}\n  other: {body_joint: two.second}\n  swing: {body_joint: "
                     "ball.swing}\n  by: {body: b, quantity: y}\n  bz: {body: b, quantity: z}\n  torque: {body_joint: uni.first, quantity: force}\n");
    lab_run(&l, 4);
    CHECK_NEAR(lab_probe(&l, "slide"), 2, 1e-3);
    CHECK_NEAR(lab_probe(&l, "turn"), 8, 1e-2); /* more than a turn */
    CHECK_NEAR(lab_probe(&l, "y"), 4, 1e-3);
    CHECK_NEAR(lab_probe(&l, "by"), 9, 1e-3);
    CHECK_NEAR(lab_probe(&l, "bz"), -2, 1e-3);
    CHECK_NEAR(lab_probe(&l, "z"), -2, 1e-3);
    CHECK_NEAR(lab_probe(&l, "p"), 0.3 * sin(8), 1e-5);
    CHECK_NEAR(lab_probe(&l, "first"), 2.8, 5e-3);
    CHECK_NEAR(lab_probe(&l, "torque"), 0, 1e-6);
    CHECK_NEAR(lab_probe(&l, "second"), 0, 1e-6);
    CHECK_NEAR(lab_probe(&l, "other"), 1.6, 5e-3);
    CHECK_NEAR(lab_probe(&l, "swing"), 0.5, 1e-3);
    close_lab(&l);
}

/* A nut of 2 kg and 0.5 kg m² on a thread of 0.2 m a turn falls with g / (1 + J/(m p²)), p = 0.2 m / 2π, as it must by its energy. */
TEST(a_screw)
{
    lab l = scene(3, "gravity: [0, 0, -10]\nbodies: {b: " BODY "}}\njoints: {thread: {type: screw, bodies: [ground, b], axis: [0, 0, 1], length: 0.2 m}}\n"
                     "probes: {q: {body_joint: thread.angle}, z: {body: b, quantity: z}, m: {body_joint: thread, quantity: moment}}\n");
    const double p = 0.2 / (2 * 3.14159265358979324), a = 10 / (1 + 0.5 / (2 * p * p));
    lab_run(&l, 8);
    CHECK_NEAR(lab_probe(&l, "z"), -0.5 * a * 64, 1e-6);
    CHECK_NEAR(lab_probe(&l, "q"), lab_probe(&l, "z") / p, 1e-5); /* more than three turns */
    CHECK_NEAR(lab_probe(&l, "m"), 0.5 * a / p, 1e-5);
    close_lab(&l);
}

/* A left-handed thread: down is the other way round. */
TEST(a_left_handed_screw)
{
    lab l = scene(3, "gravity: [0, 0, -10]\nbodies: {b: " BODY "}}\njoints: {thread: {type: screw, bodies: [ground, b], axis: [0, 0, 1], length: -0.2 m}}\n"
                     "probes: {q: {body_joint: thread.angle}, z: {body: b, quantity: z}, m: {body_joint: thread, quantity: moment}}\n");
    const double p = -0.2 / (2 * 3.14159265358979324), a = 10 / (1 + 0.5 / (2 * p * p));
    lab_run(&l, 8);
    CHECK_NEAR(lab_probe(&l, "z"), -0.5 * a * 64, 1e-6);
    CHECK_NEAR(lab_probe(&l, "q"), lab_probe(&l, "z") / p, 1e-5);
    close_lab(&l);
}

/* Angles count turns where a step is more than half of one, too: 200 rad/s at 20 ms are 4 rad, with an angular acceleration of 10 rad/s². */
TEST(turns_of_large_steps_are_counted)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        char text[600];
        const bool flat = dimension == 2;
        snprintf(text, sizeof text,
                 "dimension: %d\ntime: {end: 2 s, step: 20 ms}\ngravity: [0, 0%s]\nbodies: {d: {mass: 1 kg, %s, %s}}\njoints: {j: {type: revolute, bodies: "
                 "[ground, d], "
                 "angle: {start: 1 rad, damping: 0.3 N m s/rad}}}\nprobes: {q: {body_joint: j.angle}, w: {body_joint: j.angle, quantity: velocity}}\n",
                 dimension, flat ? "" : ", 0", flat ? "inertia: 0.3" : "inertia_tensor: [0.2, 0.2, 0.3]",
                 flat ? "angular_velocity: -200" : "spin: [0, 0, -200]");
        lab l = open_lab(text, 1);
        double q = 1;
        CHECK_NEAR(lab_probe(&l, "q"), q, 1e-12);
        for (int i = 0; i < 100; i++) {
            const double before = lab_probe(&l, "w");
            lab_step(&l);
            q += 0.01 * (before + lab_probe(&l, "w"));
            CHECK_NEAR(lab_probe(&l, "q"), q, 1e-9);
        }
        CHECK_NEAR(q, 1 - 200 * (1 - exp(-2)), 0.1); /* J ω̇ = −d ω */
        close_lab(&l);
    }
}

/* However far a step turns, from the first on, in all schemes; and a swing is folded, between 0 and half a turn. */
TEST(turns_of_steps_of_any_size)
{
    static const char *const INTEGRATOR[] = {"{theta: 0.5}", "{theta: 1}", "{scheme: spook}", "{scheme: generalized_alpha}"};
    static const double SPEED[] = {100, -200, 350, -700, 80, 90, 120};
    for (int kind = 0; kind < 4 * 2 * 7; kind++) {
        char text[600];
        const double w = SPEED[kind / 8];
        const bool flat = kind % 2 == 0, swings = kind / 8 >= 4 && !flat;
        snprintf(text, sizeof text,
                 "dimension: %d\ntime: {end: 1 s, step: 20 ms}\nintegrator: %s\ngravity: [0, 0%s]\nbodies: {d: {mass: 1 kg, %s%.17g%s}}\n"
                 "joints: {j: {type: %s, bodies: [ground, d]%s}}\nprobes: {q: {body_joint: j.%s}}\n",
                 flat ? 2 : 3, INTEGRATOR[kind / 2 % 4], flat ? "" : ", 0",
                 flat ? "inertia: 0.3, angular_velocity: " : "inertia_tensor: [0.3, 0.3, 0.3], spin: [0, 0, ", w, flat ? "" : "]",
                 swings ? "spherical" : "revolute", swings ? ", axis: [1, 0, 0]" : ", angle: {start: 1 rad}", swings ? "swing" : "angle");
        lab l = open_lab(text, 1);
        for (int i = 0; i <= 40; i++) {
            const double t = talus_world_time(l.world), q = swings ? fabs(remainder(w * t, 2 * 3.14159265358979324)) : 1 + w * t;
            if (!(fabs(lab_probe(&l, "q") - q) < 1e-6))
                TEST_FAIL("%s, %g rad/s, t = %g s: %.9g, not %.9g rad", INTEGRATOR[kind / 2 % 4], w, t, lab_probe(&l, "q"), q);
            lab_step(&l);
        }
        close_lab(&l);
    }
}

/* Two boxes hinged at an edge lie on a floor: they carry their weight and do not sink; told to collide, hinged ones that overlap are pushed apart. */
TEST(joints_and_contacts_are_one_problem)
{
    const char *text =
        "gravity: [0, 0, -10]\nmaterials: {m: {density: 1000 kg/m^3}}\ninteractions: [{friction: 0.5}]\n"
        "bodies:\n  floor: {kind: fixed, material: m, shapes: [{half_space: {point: [0, 0, 0], normal: [0, 0, 1]}}]}\n"
        "  a: {position: [0, 0, 0.3], material: m, shapes: [{box: {size: [0.2, 0.2, 0.2]}}]}\n  b: {position: [0.21, 0, 0.3], material: m, shapes: [{box: "
        "{size: [0.2, 0.2, 0.2]}}]}\n"
        "joints: {hinge: {bodies: [a, b], at: [0.105, 0, 0.2], axis: [0, 1, 0]%s}}\n"
        "probes: {za: {body: a, quantity: z}, zb: {body: b, quantity: z}, n: {contact_force: floor, quantity: z}, q: {body_joint: hinge.angle}}\n";
    char with[2048];
    snprintf(with, sizeof with, text, "");
    lab l = scene(3, with);
    lab_run(&l, 2);
    CHECK_NEAR(lab_probe(&l, "za"), 0.1, 1e-4);
    CHECK_NEAR(lab_probe(&l, "zb"), 0.1, 1e-4);
    CHECK_NEAR(lab_probe(&l, "n"), -160, 1e-5);
    CHECK_NEAR(lab_probe(&l, "q"), 0, 1e-3);
    close_lab(&l);
    snprintf(with, sizeof with, text, ", collides: true, angle: {speed: -1 rad/s, force: 1 N m}");
    l = scene(3, with);
    lab_run(&l, 2);
    CHECK(fabs(lab_probe(&l, "q")) < 0.15); /* the upper edges meet */
    close_lab(&l);
}

/* Between a link of a mechanism and a body: a double pendulum whose lower half hangs on a link keeps its energy. Held by velocities alone it drifts. */
TEST(on_a_link)
{
    double apart[2];
    for (int drifts = 0; drifts < 2; drifts++) {
        char text[2048];
        snprintf(text, sizeof text,
                 "gravity: [0, -10]\nbodies: {low: " BOX
                 ", position: [2, 0]}}\nmechanisms:\n  m:\n    bodies: {up: {mass: 1 kg, inertia: 0.1 kg m^2, centre_of_mass: [0.5, 0]}}\n"
                 "    joints: {pin: {type: revolute, parent: ground, child: up}}\njoints: {knee: {bodies: [up, low], at: [1, 0], drifts: %s}}\n"
                 "probes: {e: {energy: total}, x: {body: low, at: [-1, 0]}, y: {body: low, quantity: y, at: [-1, 0]}}\n",
                 drifts ? "true" : "false");
        lab l = scene(2, text);
        const double start = lab_probe(&l, "e");
        lab_run(&l, 2);
        if (!drifts) CHECK_NEAR(lab_probe(&l, "e"), start, 2e-3);
        apart[drifts] = fabs(hypot(lab_probe(&l, "x"), lab_probe(&l, "y")) - 1);
        close_lab(&l);
    }
    CHECK(apart[0] < 1e-5);
    CHECK(apart[1] > 10 * apart[0]);
}

/* An arm that rests on a stop, with a spring that pushes it off: the pin carries all of its weight, for stop and spring push by couples. */
TEST(a_pin_beside_a_stop)
{
    lab l = scene(2, "gravity: [0, -10]\nbodies: {b: " BOX ", position: [1, 0]}}\n"
                     "joints: {pin: {bodies: [ground, b], angle: {low: 0 rad, stiffness: 40 N m/rad, rest: 0.1 rad}}}\n"
                     "probes: {y: {body_joint: pin, quantity: y}, q: {body_joint: pin.angle}}\n");
    lab_run(&l, 0.5);
    CHECK_NEAR(lab_probe(&l, "y"), 20, 1e-8);
    CHECK_NEAR(lab_probe(&l, "q"), 0, 1e-9);
    close_lab(&l);
}

TEST(mistakes_are_said)
{
    static const struct {
        const char *joint, *says;
    } CASE[] = {{"{type: spherical, bodies: [ground, b]}", "spherical"},
                {"{type: glue, bodies: [ground, b]}", "expected one of: revolute prismatic fixed distance"},
                {"{bodies: [ground, b], length: 1 m}", "a revolute joint has no length"},
                {"{bodies: [ground, b], swing: {low: 0 rad}}", "'swing' is for space"},
                {"{bodies: [b]}", "names two"},
                {"{bodies: [ground, c]}", "there is no body 'c'"},
                {"{type: prismatic, bodies: [ground, b], axis: [1, 0], angle: {low: 0 rad}}", "no such coordinate"},
                {"{bodies: [ground, b], angle: {low: 1 rad, high: 0 rad}}", "the first must be below the second"},
                {"{bodies: [ground, b], angle: {stiffness: 1 N/m}}", "a stiffness"},
                {"{type: distance, bodies: [ground, b]}", "'to' is the other end"},
                {"{bodies: [b, b]}", "to itself"},
                {"{type: distance, bodies: [ground, b], to: [1, 0], length: 1.1 m}", "its points are 1 m apart at the start, and its length is 1.1 m"},
                {"{type: distance, bodies: [ground, b], to: [1, 0], length: 0 m}", "the length of a joint is not 0"},
                {"{type: distance, bodies: [ground, b], to: [1, 0], length: -1 m}", "it must not be negative"}};
    for (size_t i = 0; i < sizeof CASE / sizeof *CASE; i++) {
        char text[1024], all[4096] = "";
        snprintf(text, sizeof text, "time: {end: 1 s, step: 1 ms}\nbodies: {b: " BOX "}}\njoints: {j: %s}\n", CASE[i].joint);
        talus_scene *s = load_lab(text);
        talus_world *w = NULL;
        if (talus_scene_mistake_count(s) == 0) CHECK(talus_scene_build(s, 1, &w) != TALUS_OK);
        for (int k = 0; k < talus_scene_mistake_count(s); k++) strncat(all, talus_scene_mistake(s, k), sizeof all - strlen(all) - 1);
        if (!strstr(all, CASE[i].says)) TEST_FAIL("%s: said '%s', not '%s'", CASE[i].joint, all, CASE[i].says);
        talus_world_destroy(w);
        talus_scene_destroy(s);
    }
}

/* Methods that form W know contacts alone: said before the run. */
TEST(methods_without_joints)
{
    static const char *const HELD[] = {
        "bodies: {b: " BOX "}}\njoints: {j: {bodies: [ground, b]}}\n",
        "mechanisms: {m: {bodies: {b: {mass: 1 kg}}, joints: {p: {type: prismatic, parent: ground, child: b}}, forces: {f: {joint: p, high: 1 m}}}}\n",
        "bodies: {b: " BOX "}, c: " BOX ", position: [2, 0]}}\nropes: {r: {bodies: [b, ground, c], at: [[0, 0], [1, 1], [0, 0]]}}\n"};
    static const char *const METHOD[] = {"method: nlgs", "method: newton", "method: ccp", "least_norm: true"};
    for (int i = 0; i < 12; i++) {
        char text[900];
        snprintf(text, sizeof text, "time: {end: 1 s, step: 1 ms}\nsolver: {%s}\n%s", METHOD[i % 4], HELD[i / 4]);
        talus_scene *s = load_lab(text);
        talus_world *w = NULL;
        if (talus_scene_mistake_count(s) > 0) TEST_FAIL("%s", talus_scene_mistake(s, 0));
        const talus_status status = talus_scene_build(s, 1, &w);
        if (i % 4 == 0) CHECK_OK(status, talus_scene_mistake(s, 0));
        else if (status == TALUS_OK || !strstr(talus_scene_mistake(s, 0), "solver.method nlgs, auto or bodies")) TEST_FAIL("%s is built", text);
        talus_world_destroy(w);
        talus_scene_destroy(s);
    }
}

int main(int argc, char **argv)
{
    RUN(a_pendulum_on_a_pin);
    RUN(a_rod);
    RUN(moments_of_a_clamp);
    RUN(a_slide);
    RUN(fixed_bodies_are_one);
    RUN(coordinates_in_space);
    RUN(a_screw);
    RUN(a_left_handed_screw);
    RUN(turns_of_large_steps_are_counted);
    RUN(turns_of_steps_of_any_size);
    RUN(joints_and_contacts_are_one_problem);
    RUN(on_a_link);
    RUN(a_pin_beside_a_stop);
    RUN(mistakes_are_said);
    RUN(methods_without_joints);
    return TEST_RESULT;
}
