/* Nonsmooth generalized-α with stops, springs, friction, drives and ropes in joints between bodies and in mechanisms, from scenes: closed forms. */
#include "lab.h"

static lab open_alpha(const char *step, const char *scene)
{
    char text[4096];
    snprintf(text, sizeof text, "time: {end: 20 s, step: %s}\nintegrator: {scheme: generalized_alpha}\nsolver: {tolerance: 1e-11 m/s}\n%s", step, scene);
    return open_lab(text, 1);
}

/* 1 kg with a prismatic joint to the ground along x: a grain in a joint between bodies, or a link of a mechanism; what acts in its coordinate. */
static lab slide(bool link, const char *step, double gravity, double speed, const char *acts)
{
    char text[2048];
    if (link)
        snprintf(text, sizeof text,
                 "gravity: [%g, 0]\nmechanisms:\n  m:\n    bodies: {b: {mass: 1 kg}}\n    joints: {p: {type: prismatic, parent: ground, child: b, velocity: %g "
                 "m/s}}\n    forces: {f: {joint: p, %s}}\nprobes: {x: {joint: p}, v: {joint: p, quantity: velocity}, f: {joint: p, quantity: force}}\n",
                 gravity, speed, acts);
    else
        snprintf(text, sizeof text,
                 "gravity: [%g, 0]\nbodies: {b: {mass: 1 kg, inertia: 1, velocity: [%g, 0]}}\njoints: {p: {type: prismatic, bodies: [ground, b], axis: [1, 0], "
                 "slide: {%s}}}\nprobes: {x: {body_joint: p.slide}, v: {body: b, quantity: vx}}\n",
                 gravity, speed, acts);
    return open_alpha(step, text);
}

TEST(stops)
{
    for (int link = 0; link < 2; link++) {
        lab l = slide(link, "1 ms", 9.81, 0, "high: 0.5 m");
        double most = 0;
        while (talus_world_time(l.world) < 2) {
            lab_step(&l);
            most = fmax(most, lab_probe(&l, "x"));
        }
        CHECK(most < 0.5 + 1e-8);
        CHECK_NEAR(lab_probe(&l, "x"), 0.5, 1e-8);
        CHECK_NEAR(lab_probe(&l, "v"), 0, 1e-9);
        if (link) CHECK_NEAR(lab_probe(&l, "f"), -9.81, 1e-6);
        close_lab(&l);
        l = slide(link, "1 ms", 0, 1, "high: 0.5 m, restitution: 0.5");
        lab_run(&l, 0.8);
        CHECK_NEAR(lab_probe(&l, "v"), -0.5, 1e-9);
        CHECK_NEAR(lab_probe(&l, "x"), 0.5 - 0.5 * 0.3, 2e-3); /* less than a step late, and what is lost there */
        close_lab(&l);
    }
}

/* 0.9 N on 1 N of friction sticks, exactly; 1 N/kg stops 1 m/s after v²/2a, to the second order but for the last step. */
TEST(friction)
{
    for (int link = 0; link < 2; link++) {
        lab l = slide(link, "1 ms", 0.9, 0, "friction: 1 N");
        lab_run(&l, 10);
        CHECK_NEAR(lab_probe(&l, "x"), 0, 1e-11);
        close_lab(&l);
        l = slide(link, "1 ms", 0, 1, "friction: 1 N");
        lab_run(&l, 0.8);
        CHECK_NEAR(lab_probe(&l, "x"), 0.8 - 0.5 * 0.64, 1e-9);
        CHECK_NEAR(lab_probe(&l, "v"), 0.2, 1e-9);
        lab_run(&l, 2);
        CHECK_NEAR(lab_probe(&l, "x"), 0.5, 1e-5);
        close_lab(&l);
    }
}

/* 10 rad/s, damped, in the joint of a grain; however stiff a spring, the step is stable. */
TEST(springs)
{
    static const char *const STEP[] = {"8 ms", "4 ms", "2 ms"};
    double error[3];
    for (int i = 0; i < 3; i++) {
        lab l = slide(false, STEP[i], 0, 1, "stiffness: 100 N/m, damping: 2 N s/m");
        lab_run(&l, 0.8);
        const double w = sqrt(99), t = 0.8;
        error[i] = fabs(lab_probe(&l, "x") - exp(-t) * sin(w * t) / w);
        close_lab(&l);
    }
    CHECK(error[2] < 1e-4);
    for (int i = 1; i < 3; i++) CHECK_NEAR(log2(error[i - 1] / error[i]), 2, 0.2);
    lab l = slide(false, "10 ms", 1, 0, "stiffness: 1e8 N/m, damping: 10 N s/m");
    lab_run(&l, 2);
    CHECK_NEAR(lab_probe(&l, "x"), 1e-8, 1e-10);
    close_lab(&l);
}

/* Paths are followed to rounding of a projection, speeds to the second order; what has a bound pushes with it, 2 m/s² to 3 m/s. */
TEST(drives)
{
    static const char *const MASS[] = {
        "mechanisms:\n  m:\n    bodies: {b: {mass: 1 kg}}\n    joints: {p: {type: prismatic, parent: ground, child: b}}\n    drives: {d: {joint: p, %s, force: "
        "%s}}\n",
        "bodies: {b: {mass: 1 kg, inertia: 1}}\njoints: {p: {type: prismatic, bodies: [ground, b], axis: [1, 0], slide: {%s, force: %s}}}\n"};
    for (int i = 0; i < 2; i++) {
        char scene[2048], text[2048];
        snprintf(scene, sizeof scene, MASS[i], "position: \"0.1 m * (1 - cos(5 rad/s * t))\"", "1e6 N");
        snprintf(text, sizeof text, "%sprobes: {x: {body: b, quantity: x}, v: {body: b, quantity: vx}}\n", scene);
        lab l = open_alpha("1 ms", text);
        lab_run(&l, 2);
        CHECK_NEAR(lab_probe(&l, "x"), 0.1 * (1 - cos(10)), 5e-6);
        CHECK_NEAR(lab_probe(&l, "v"), 0.5 * sin(10), 1e-3);
        close_lab(&l);
        snprintf(scene, sizeof scene, MASS[i], "speed: 3 m/s", "2 N");
        snprintf(text, sizeof text, "%sprobes: {x: {body: b, quantity: x}, v: {body: b, quantity: vx}}\n", scene);
        l = open_alpha("1 ms", text);
        lab_run(&l, 1);
        CHECK_NEAR(lab_probe(&l, "v"), 2, 1e-9);
        CHECK_NEAR(lab_probe(&l, "x"), 1, 1e-9);
        lab_run(&l, 3);
        CHECK_NEAR(lab_probe(&l, "v"), 3, 1e-9);
        CHECK_NEAR(lab_probe(&l, "x"), 0.5 * 2 * 1.5 * 1.5 + 3 * 1.5, 3e-3);
        close_lab(&l);
    }
    lab l = open_alpha(
        "1 ms", "bodies: {b: {mass: 1 kg, inertia: 1}}\njoints: {p: {type: prismatic, bodies: [ground, b], axis: [1, 0], slide: {position: \"0.1 m * (1 - "
                "cos(5 rad/s * t))\"}}}\nprobes: {x: {body: b, quantity: x}, v: {body: b, quantity: vx}}\n");
    lab_run(&l, 2);
    CHECK_NEAR(lab_probe(&l, "x"), 0.1 * (1 - cos(10)), 1e-8);
    CHECK_NEAR(lab_probe(&l, "v"), 0.5 * sin(10), 1e-9);
    close_lab(&l);
}

/* Atwood's machine of 3 kg and 1 kg over an eye, with g = 10 m/s²: a = 5 m/s² from the first step on, to rounding, pull 15 N. */
TEST(rope_over_a_pulley)
{
    lab l =
        open_alpha("1 ms", "gravity: [0, -10]\nbodies:\n  a: {mass: 3 kg, inertia: 1, position: [-1, -2]}\n  b: {mass: 1 kg, inertia: 1, position: [1, -4]}\n"
                           "ropes:\n  r: {bodies: [a, ground, ground, b], at: [[0, 0], [-1, 0], [1, 0], [0, 0]]}\nprobes: {a: {body: a, quantity: y}, b: "
                           "{body: b, quantity: y}, pull: {rope: r}}\n");
    lab_run(&l, 0.5);
    CHECK_NEAR(lab_probe(&l, "a"), -2 - 0.5 * 5 * 0.25, 1e-8);
    CHECK_NEAR(lab_probe(&l, "b"), -4 + 0.5 * 5 * 0.25, 1e-8);
    CHECK_NEAR(lab_probe(&l, "pull"), 15, 1e-6);
    close_lab(&l);
}

/* A disk hangs on a ceiling that holds 10 N within 1 mm: with 9 N it stays; with 1.1 kg it parts from it with g less 10 N over its mass, and then falls freely.
 * It may be let go a step late, which is h 10 N / 1.1 kg of speed. */
TEST(cohesion)
{
    static const char SCENE[] =
        "gravity: [0, -10]\nmaterials: {s: {density: 1}}\ninteractions: [{between: [s, s], law: cohesion, force: 10 N, distance: 1 mm}]\nbodies:\n"
        "  ceiling: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, -1], material: s}}]}\n"
        "  a: {position: [0, -0.1], mass: %g kg, inertia: 1, shapes: [{disk: {radius: 0.1, material: s}}]}\nprobes: {y: {body: a, quantity: y}}\n";
    char text[1024];
    snprintf(text, sizeof text, SCENE, 0.9);
    lab l = open_alpha("1 ms", text);
    lab_run(&l, 2);
    CHECK_NEAR(lab_probe(&l, "y"), -0.1, 1e-9);
    close_lab(&l);
    snprintf(text, sizeof text, SCENE, 1.1);
    l = open_alpha("1 ms", text);
    lab_run(&l, 2);
    const double a = 10 - 10 / 1.1, parting = sqrt(2 * 1e-3 / a), rest = 2 - parting;
    CHECK_NEAR(lab_probe(&l, "y"), -0.1 - 1e-3 - a * parting * rest - 0.5 * 10 * rest * rest, 1e-3 * 10 / 1.1 * rest);
    close_lab(&l);
}

/* A parallelogram of cranks of 1 kg and a bar of 2 kg that never turns falls on a stop of its left crank, whichever angles depend on the others; it rests there
 * with the moment (¼ + ¼ + 2 ½) m g cos q, and its loop stays closed. */
TEST(a_stop_in_a_loop)
{
    static const char *const DEPENDENT[] = {"[left, bar]", "[bar, right]"};
    for (int i = 0; i < 2; i++) {
        char text[2048];
        snprintf(
            text, sizeof text,
            "gravity: [0, -9.81]\nmechanisms:\n  m:\n    bodies:\n      l: {mass: 1 kg, inertia: 0.02 kg m^2, centre_of_mass: [0.25, 0]}\n"
            "      b: {mass: 2 kg, inertia: 0.1 kg m^2, centre_of_mass: [0.5, 0]}\n      r: {mass: 1 kg, inertia: 0.02 kg m^2, centre_of_mass: [0.25, 0]}\n"
            "    joints:\n      left: {type: revolute, parent: ground, child: l, position: 1 rad}\n"
            "      bar: {type: revolute, parent: l, child: b, at: [0.5, 0], position: -1 rad}\n"
            "      right: {type: revolute, parent: ground, child: r, at: [1, 0], position: 1 rad}\n"
            "    loops: {close: {type: point, bodies: [b, r], at: [[1, 0], [0.5, 0]]}}\n    dependent: %s\n"
            "    forces: {stop: {joint: left, low: 0.4 rad}}\nprobes: {q: {joint: left}, f: {joint: left, quantity: force}}\n",
            DEPENDENT[i]);
        lab l = open_alpha("0.5 ms", text);
        double least = 1, open = 0;
        while (talus_world_time(l.world) < 2) {
            talus_step_report r = {0};
            CHECK_OK(talus_world_step(l.world, &r), talus_world_error(l.world));
            least = fmin(least, lab_probe(&l, "q"));
            open = fmax(open, r.loop_error);
        }
        CHECK(least > 0.4 - 1e-8 && open < 1e-10);
        CHECK_NEAR(lab_probe(&l, "q"), 0.4, 1e-8);
        CHECK_NEAR(lab_probe(&l, "f"), (0.25 + 0.25 + 2 * 0.5) * 9.81 * cos(0.4), 1e-4); /* forces are those of the free motion of a step */
        close_lab(&l);
    }
}

/* A pendulum on a link: a mechanism's cart of 1 kg on a slide, a free bob of 1 kg hung on it by a joint between bodies, all of it as two links of one mechanism
 * by the default scheme with a small step. */
static double hung(const char *scheme, const char *step, bool free, double *error)
{
    char text[2048];
    snprintf(text, sizeof text,
             "time: {end: 2 s, step: %s}\nintegrator: {scheme: %s}\ngravity: [0, -9.81]\nsolver: {tolerance: 1e-12 m/s}\nmechanisms:\n  m:\n    bodies: {cart: "
             "{mass: 1 "
             "kg}%s}\n    joints: {p: {type: prismatic, parent: ground, child: cart, axis: [1, 0]}%s}\n%sprobes: {x: {joint: p}}\n",
             step, scheme, free ? "" : ", bob: {mass: 1 kg, inertia: 0.1 kg m^2, centre_of_mass: [0.5, 0]}",
             free ? "" : ", q: {type: revolute, parent: cart, child: bob}",
             free ? "bodies: {bob: {mass: 1 kg, inertia: 0.1, position: [0.5, 0]}}\njoints: {q: {type: revolute, bodies: [cart, bob], at: [0, 0]}}\n" : "");
    lab l = open_lab(text, 1);
    lab_run(&l, 1);
    const double x = lab_probe(&l, "x");
    if (free) {
        talus_body_joint_state s;
        CHECK_OK(talus_body_joint_get(l.world, 0, &s), "");
        *error = s.error;
    }
    close_lab(&l);
    return x;
}

TEST(a_pendulum_hangs_on_a_link)
{
    static const char *const STEP[] = {"4 ms", "2 ms", "1 ms"};
    double off[3], joint = 0;
    const double want = hung("moreau", "0.02 ms", false, &joint);
    for (int i = 0; i < 3; i++) {
        off[i] = fabs(hung("generalized_alpha", STEP[i], true, &joint) - want);
        CHECK(joint < 1e-9);
    }
    CHECK(off[2] < 1e-4);
    for (int i = 1; i < 3; i++) CHECK_NEAR(log2(off[i - 1] / off[i]), 2, 0.3);
}

/* A frame of a ton on springs and dampers over two wheels comes to stand where statics has it, 0.8 − m g/(2 k) where its mass is, in the middle, however strong
 * its dampers are: they do not feel the wheels fall within the steps, into the floor that holds them. */
TEST(a_frame_on_dampers_stands)
{
    static const double DAMPING[] = {5e3, 2e4};
    for (int kind = 0; kind < 4; kind++) {
        const bool flat = kind % 2 == 0;
        const char *z = flat ? "" : ", 0", *inertia = flat ? "inertia: 300" : "inertia_tensor: [300, 300, 300]",
                   *wheel = flat ? "inertia: 1" : "inertia_tensor: [1, 1, 1]";
        char text[3000];
        size_t n = (size_t)snprintf(
            text, sizeof text,
            "dimension: %d\ngravity: [0, -9.81%s]\ntime: {end: 10 s, step: 1 ms}\nintegrator: {scheme: generalized_alpha}\nsolver: {tolerance: 1e-7}\n"
            "materials: {m: {density: 2700}}\ninteractions: [{between: [m, m], friction: 0.5}]\nbodies:\n  floor: {kind: fixed, material: m, shapes: [%s]}\n"
            "  frame: {kind: free, mass: 1000, %s, position: [0, 0.8%s]}\n",
            flat ? 2 : 3, z, flat ? "{half_plane: {point: [0, 0], normal: [0, 1]}}" : "{half_space: {point: [0, 0, 0], normal: [0, 1, 0]}}", inertia, z);
        for (int i = 0; i < 2; i++)
            n += (size_t)snprintf(text + n, sizeof text - n,
                                  "  w%d: {kind: free, mass: 20, %s, position: [%g, 0.3%s], material: m, shapes: [{%s: {radius: 0.3}}]}\n", i, wheel,
                                  i ? 1.5 : -1.5, z, flat ? "disk" : "sphere");
        n += (size_t)snprintf(text + n, sizeof text - n, "joints:\n");
        for (int i = 0; i < 2; i++)
            n += (size_t)snprintf(text + n, sizeof text - n,
                                  "  s%d: {type: %s, bodies: [frame, w%d], at: [%g, 0.3%s], axis: [0, 1%s], slide: {stiffness: 50 kN/m, damping: %g}}\n", i,
                                  flat ? "slot" : "prismatic", i, i ? 1.5 : -1.5, z, z, DAMPING[kind / 2]);
        (void)snprintf(text + n, sizeof text - n, "probes: {y: {body: frame, quantity: y}}\n");
        lab l = open_lab(text, 1);
        lab_run(&l, 8);
        printf("%dD, damping %g: y = %.9g\n", flat ? 2 : 3, DAMPING[kind / 2], lab_probe(&l, "y"));
        CHECK_NEAR(lab_probe(&l, "y"), 0.8 - 1000 * 9.81 / 1e5, 2e-3 * 0.0981);
        close_lab(&l);
    }
}

/* A hub of 100 kg on a spring and damper over a foot of 1 kg, however they are said in a mechanism: it stands m g/k lower, the spring carries it, the ground
 * carries both, and energy only falls. What the foot would fall by in a step without the ground is not felt by the damper. */
TEST(a_hub_stands_on_its_foot)
{
    static const char *const SAID[] = {
        "forces: {s: {joint: f, stiffness: 200 kN/m, free: -0.5, damping: 2 kN s/m, implicit: true}}",
        "forces: {s: {joint: f, stiffness: 200 kN/m, free: -0.5, damping: 600 N s/m}}",
        "forces: {s: {joint: f, stiffness: 200 kN/m, target: \"-0.5 m\", damping: 2 kN s/m}}",
        "forces: {s: {joint: f, stiffness: 200 kN/m, free: -0.5}, d: {joint: f, law: \"-2 kN s/m*v\"}}",
        "springs: {s: {bodies: [hub, foot], at: [[0, 0%s], [0, 0%s]], stiffness: 200 kN/m, length: 0.5, damping: 2 kN s/m}}",
        "couplings: {s: {joints: [f], stiffness: 200 kN/m, free: -0.5, damping: 2 kN s/m}}",
    };
    for (size_t kind = 0; kind < 2 * sizeof SAID / sizeof *SAID; kind++) {
        const bool flat = kind % 2 == 0;
        const char *z = flat ? "" : ", 0";
        char text[2000], said[300];
        snprintf(said, sizeof said, SAID[kind / 2], z, z);
        snprintf(
            text, sizeof text,
            "dimension: %d\nintegrator: {scheme: generalized_alpha}\ntime: {end: 10 s, step: 2 ms}\ngravity: [0, -9.81%s]\nmaterials: {s: {density: 2000}}\n"
            "interactions: [{friction: 0.5}]\nbodies:\n  floor: {kind: fixed, shapes: [{%s: {point: [0, 0%s], normal: [0, 1%s], material: s}}]}\nmechanisms:\n "
            " m:\n"
            "    bodies: {hub: {mass: 100}, foot: {mass: 1, shapes: [{%s: {radius: 0.1, material: s}}]}}\n    joints: {t: {type: prismatic, parent: ground, "
            "child: hub, "
            "axis: [0, 1%s], position: 0.6}, f: {type: prismatic, parent: hub, child: foot, axis: [0, 1%s], position: -0.5}}\n    %s\nprobes: {y: {joint: t}, "
            "s: {joint: "
            "f, quantity: force}, f: {contact_force: floor, quantity: y}, e: {energy: total}}\n",
            flat ? 2 : 3, z, flat ? "half_plane" : "half_space", z, z, flat ? "disk" : "sphere", z, z, said);
        lab l = open_lab(text, 1);
        double e = lab_probe(&l, "e");
        while (talus_world_time(l.world) < 5) {
            lab_step(&l);
            const double now = lab_probe(&l, "e");
            /* a spring with a path has no potential */
            if (!(now < e + 1e-4) && !strstr(SAID[kind / 2], "target"))
                TEST_FAIL("%zu: energy rises by %.3g J of 589 at t = %.4g", kind, now - e, talus_world_time(l.world));
            e = now;
        }
        CHECK_NEAR(lab_probe(&l, "y"), 0.6 - 981 / 2e5, 1e-7);
        if (!strstr(SAID[kind / 2], "springs")) CHECK_NEAR(lab_probe(&l, "s"), -981, 0.1);
        CHECK_NEAR(lab_probe(&l, "f"), -990.81, 0.1);
        close_lab(&l);
    }
}

/* A link that rests is struck by as heavy a body of 2 m/s and keeps half of that, less what 10 N of friction take in the rest of 60 ms, 20 N on 2 kg being 0.3
 * m/s at most: the blow does not meet more than 10 N, as dry friction and as a law that is bent have it. */
TEST(a_blow_against_friction)
{
    static const char *const FORCE[] = {"friction: 10 N, friction_velocity: 10 mm/s", "law: \"-10 N*v/(abs(v) + 10 mm/s)\""};
    for (int i = 0; i < 4; i++) {
        const bool flat = i < 2;
        const char *z = flat ? "" : ", 0", *kind = flat ? "disk" : "sphere";
        char text[1400];
        snprintf(text, sizeof text,
                 "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nintegrator: {scheme: generalized_alpha}\nmaterials: {s: {density: 2000}}\ninteractions: "
                 "[{restitution: 0, friction: "
                 "0}]\nmechanisms:\n  m:\n    bodies: {b: {mass: 1, shapes: [{%s: {radius: 0.1, material: s}}]}}\n    joints: {p: {type: prismatic, parent: "
                 "ground, child: b, axis: "
                 "[1, 0%s]}}\n    forces: {f: {joint: p, %s}}\nbodies: {h: {mass: 1, %s, position: [-0.21, 0%s], velocity: [2, 0%s], shapes: [{%s: {radius: "
                 "0.1, material: "
                 "s}}]}}\nprobes: {v: {joint: p, quantity: velocity}, f: {joint: p, quantity: force}}\n",
                 flat ? 2 : 3, kind, z, FORCE[i % 2], flat ? "inertia: 1" : "inertia_tensor: [1, 1, 1]", z, z, kind);
        lab l = open_lab(text, 1);
        while (talus_world_time(l.world) < 0.0599) {
            lab_step(&l);
            CHECK(fabs(lab_probe(&l, "f")) < 10.001);
        }
        CHECK_NEAR(lab_probe(&l, "v"), 1 - 10 * 0.055 / 2, 0.01); /* it is struck at 5 ms */
        close_lab(&l);
    }
}

/* Damped solids that lie on something have the stresses of statics, as under moreau, however strong the damping is: blocks of elements, with small and with
 * large rotations, and of particles. Energy does not rise. */
TEST(a_block_lies)
{
    static const char *const MATTER[] = {"damping: {stiffness: 2 ms, mass: 2}", "damping: {stiffness: 20 ms, mass: 2}",
                                         "rotations: large\n    damping: {stiffness: 20 ms, mass: 2}",
                                         "meshfree: {}\n    damping: {stiffness: 20 ms, mass: 2}"};
    for (int kind = 0; kind < 8; kind++) {
        const bool flat = kind % 2 == 0;
        double y[2], elastic[2];
        for (int scheme = 0; scheme < 2; scheme++) {
            char text[2000];
            snprintf(text, sizeof text,
                     "dimension: %d\nintegrator: {scheme: %s}\ntime: {end: 1 s, step: 1 ms}\ngravity: [0, %s-9.81]\nmaterials: {s: {density: "
                     "2000}}\ninteractions: [{friction: "
                     "0.5}]\nbodies: {floor: {kind: fixed, shapes: [{%s: {point: [0, %s0], normal: [0, %s1], material: s}}]}}\nsolids:\n  c:\n    box: {size: "
                     "[%s0.2], elements: "
                     "[%s], at: [0, %s0.202]}\n    material: {density: 2000, young: 1 MPa, poisson: 0.25}\n    contact: {surface: bottom, as: nodes, material: "
                     "s}\n    %s\nprobes: "
                     "{y: {displacement: c, on: top, quantity: %s}, f: {contact_force: floor, quantity: %s}, e: {energy: total}, el: {solid_energy: c, "
                     "quantity: elastic}}\n",
                     flat ? 2 : 3, scheme ? "generalized_alpha" : "moreau", flat ? "" : "0, ", flat ? "half_plane" : "half_space", flat ? "" : "0, ",
                     flat ? "" : "0, ", flat ? "0.4, " : "0.1, 0.1, ", flat ? "8, 4" : "2, 2, 4", flat ? "" : "0, ", MATTER[kind / 2], flat ? "y" : "z",
                     flat ? "y" : "z");
            lab l = open_lab(text, 1);
            double e = lab_probe(&l, "e");
            while (talus_world_time(l.world) < (flat ? 0.8 : 0.5)) {
                lab_step(&l);
                const double now = lab_probe(&l, "e");
                CHECK(now < e + 1e-5 * 160);
                e = now;
            }
            y[scheme] = lab_probe(&l, "y"), elastic[scheme] = lab_probe(&l, "el");
            CHECK_NEAR(lab_probe(&l, "f"), flat ? -1569.6 : -39.24, flat ? 0.5 : 0.1);
            close_lab(&l);
        }
        printf("%dD, %d: top %.6g and %.6g m, elastic energy %.5g and %.5g J\n", flat ? 2 : 3, kind / 2, y[0], y[1], elastic[0], elastic[1]);
        CHECK_NEAR(y[1], y[0], 0.01 * fabs(y[0] + 0.002));
        CHECK_CLOSE(elastic[1], elastic[0], 0.02);
    }
}

/* Two lumps of meshfree matter meet, of which more sweeps than there may be solve the positions: no such step is said to be solved. */
TEST(positions_that_are_not_solved)
{
    lab l =
        open_lab("time: {end: 1 s, step: 0.1 ms}\nintegrator: {scheme: generalized_alpha}\nsolver: {max_iterations: 200}\nmaterials: {s: {density: "
                 "1000}}\ninteractions: [{friction: 0.4}]\nsolids:\n  a: {box: {size: [0.2, 0.1], elements: [12, 6], at: [-0.11, 0.05]}, material: {young: 5 "
                 "MPa, poisson: 0.3, density: 1200}, velocity: [2, 0.3], meshfree: {}, contact: {material: s, as: both}}\n  b: {box: {size: [0.2, 0.14], "
                 "elements: [10, 7], at: [0.11, 0.02]}, material: {young: 3 MPa, poisson: 0.25, density: 900}, meshfree: {}, contact: {material: s, as: "
                 "both}}\n",
                 1);
    int many = 0;
    while (talus_world_time(l.world) < 0.0124) {
        talus_step_report report;
        CHECK_OK(talus_world_step(l.world, &report), talus_world_error(l.world));
        if (report.iterations < 250) continue; /* a quarter more, to try */
        many++;
        if (report.converged || !(report.residual > 0))
            TEST_FAIL("t = %.6g: %d iterations, %g m/s", talus_world_time(l.world), report.iterations, report.residual);
    }
    CHECK(many > 0);
    close_lab(&l);
}

/* Something lets go while all accelerates: outer forces act as before. A cart of 5 kg under 5 N carries a lever whose tip leans on a floor without friction, so
 * that its brake, or its drive, gives way in the smooth motion of every step and is helped by the contact: v = F t/m. */
TEST(what_lets_go_on_the_way)
{
    static const char *const HOLDS[] = {"forces: {br: {joint: r, friction: 4}}", "drives: {br: {joint: r, speed: 0, force: 4}}"};
    static const char *const COORDINATES[] = {"maximal", "relative"};
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int c = 0; c < 2; c++) {
            const bool flat = dimension == 2;
            char text[3000];
            for (size_t k = 0; k < sizeof HOLDS / sizeof *HOLDS; k++) {
                snprintf(text, sizeof text,
                         "dimension: %d\ngravity: %s\nmaterials: {w: {density: 1}}\nbodies: {floor: {kind: fixed, material: w, shapes: [{%s}]}}\n"
                         "mechanisms:\n  m:\n    coordinates: %s\n    bodies:\n      c: {mass: 4, inertia: %s}\n"
                         "      a: {mass: 1, inertia: %s, material: w, shapes: [{%s}]}\n"
                         "    joints: {p: {type: prismatic, parent: ground, child: c, axis: [1, 0%s]}, r: {type: revolute, parent: c, child: a%s}}\n    %s\n"
                         "loads: {t: {body: a, torque: -5}, f: {body: c, x: 5}}\nprobes: {v: {joint: p, quantity: velocity}}\n",
                         dimension, flat ? "[0, 0]" : "[0, 0, 0]",
                         flat ? "half_plane: {point: [0, -0.05], normal: [0, 1]}" : "half_space: {point: [0, -0.05, 0], normal: [0, 1, 0]}", COORDINATES[c],
                         flat ? "1" : "[1, 1, 1]", flat ? "0.1" : "[0.1, 0.1, 0.1]",
                         flat ? "disk: {radius: 0.05, centre: [1, 0]}" : "sphere: {radius: 0.05, centre: [1, 0, 0]}", flat ? "" : ", 0",
                         flat ? "" : ", axis: [0, 0, 1]", HOLDS[k]);
                lab l = open_alpha("2 ms", text);
                (void)lab_run(&l, 1);
                CHECK_NEAR(lab_probe(&l, "v"), 1, 1e-9);
                close_lab(&l);
            }
        }
}

int main(int argc, char **argv)
{
    RUN(what_lets_go_on_the_way);
    RUN(stops);
    RUN(friction);
    RUN(springs);
    RUN(drives);
    RUN(rope_over_a_pulley);
    RUN(cohesion);
    RUN(a_stop_in_a_loop);
    RUN(a_pendulum_hangs_on_a_link);
    RUN(a_frame_on_dampers_stands);
    RUN(a_hub_stands_on_its_foot);
    RUN(a_blow_against_friction);
    RUN(a_block_lies);
    RUN(positions_that_are_not_solved);
    return TEST_RESULT;
}
