/* Keys of the scene language against closed forms, in the plane and in space. A motion along x is the same text in both. */
#include "lab.h"

static const double G = 9.81, PI = 3.14159265358979323846;

/* A world of either dimension from one text, in which "@" ends vectors that are written for the plane. */
static lab open_either(int dimension, const char *text)
{
    char whole[8192];
    int n = snprintf(whole, sizeof whole, "dimension: %d\n", dimension);
    for (; *text; text++) {
        if (*text != '@') whole[n++] = *text;
        else if (dimension == 3) n += snprintf(whole + n, sizeof whole - (size_t)n, ", 0");
    }
    whole[n] = '\0';
    return open_lab(whole, 1);
}

/* The the probe `name` at the end of a run of `time`. */
static double probe_after(int dimension, const char *text, double time, const char *name)
{
    lab l = open_either(dimension, text);
    lab_run(&l, time);
    const double value = lab_probe(&l, name);
    close_lab(&l);
    return value;
}

/* m = 2 kg on a slide along x. */
#define SLIDE(velocity, forces)                                                                                                                                \
    "time: {end: 10 s, step: 0.5 ms}\nmechanisms: {m: {bodies: {b: {mass: 2 kg, inertia: 1}}, joints: {j: {type: prismatic, parent: ground, child: b, "        \
    "position: 0.1 m, velocity: " velocity "}}, forces: {f: {joint: j, " forces "}}}}\nprobes: {x: {joint: j}, v: {joint: j, quantity: velocity}, "            \
    "f: {joint: j, quantity: force}, E: {energy: potential}}\n"

/* Springs, dampers, a clipped force, dry friction, a path that a spring follows: motions of one mass. Errors are of second order in ω h ≤ 5e-3. */
TEST(forces_in_a_joint)
{
    for (int d = 2; d <= 3; d++) {
        const double w = 10, z = 0.1, wd = w * sqrt(1 - z * z), t = 1, a = 0.1 - 0.05; /* k = 200, c = 2 z w m = 4 */
        const double damped = 0.05 + exp(-z * w * t) * (a * cos(wd * t) + a * z * w / wd * sin(wd * t));
        CHECK_NEAR(probe_after(d, SLIDE("0 m/s", "stiffness: 200 N/m, free: 5 cm, damping: 4 N s/m"), t, "x"), damped, 2e-6);
        CHECK_NEAR(probe_after(d, SLIDE("0 m/s", "stiffness: 200 N/m, free: 5 cm"), 2 * PI / w, "E"), 0.5 * 200 * 0.05 * 0.05, 1e-5);
        CHECK_NEAR(probe_after(d, SLIDE("0 m/s", "constant: 50 N, limit: 4 N"), 1, "v"), 2, 1e-12);
        CHECK_NEAR(probe_after(d, SLIDE("0 m/s", "constant: 50 N, limit: 4 N"), 1, "f"), 4, 1e-12);
        /* 1 m/s against 4 N stops after 0.25 m; below friction_velocity the friction is viscous, which changes less than twice that share */
        CHECK_NEAR(probe_after(d, SLIDE("1 m/s", "friction: 4 N, friction_velocity: 1 mm/s"), 1, "x"), 0.35, 0.25 * 2e-3);
        CHECK_NEAR(probe_after(d, SLIDE("1 m/s", "friction: 4 N, friction_velocity: 1 mm/s"), 1, "v"), 0, 1e-9);
        /* x'' = ω² (L − x), L = 0.1 + 0.02 sin(6 t) from rest: x − 0.1 = 0.02 (sin 6t − 0.6 sin 10 t)/(1 − 0.36) */
        CHECK_NEAR(probe_after(d, SLIDE("0 m/s", "stiffness: 200 N/m, target: 100 mm + 20 mm * sin(6 rad/s * t)"), 1, "x"),
                   0.1 + 0.02 * (sin(6) - 0.6 * sin(10)) / 0.64, 2e-6);
    }
}

/* What a spring stores within a bound on its pull, with and without a constant force: energy stays but for that force's work, before and beyond the bound, out
 * and back, to second order in the step. */
TEST(a_spring_with_a_bound)
{
    static const char *const FORCES[] = {"stiffness: 200 N/m, free: 0.1 m, limit: 4 N", "stiffness: 200 N/m, free: 0.1 m, constant: 1 N, limit: 4 N",
                                         "stiffness: 200 N/m, free: 0.1 m, constant: -9 N, limit: 4 N"};
    static const double CONSTANT[] = {0, 1, -4};
    for (int d = 2; d <= 3; d++)
        for (int i = 0; i < 3; i++) {
            char text[1000];
            snprintf(text, sizeof text, SLIDE("1 m/s", "%s"), FORCES[i]);
            lab l = open_either(d, text);
            double farthest = 0;
            while (talus_world_time(l.world) < 1) {
                lab_step(&l);
                const double x = lab_probe(&l, "x") - 0.1, v = lab_probe(&l, "v");
                CHECK_NEAR(lab_probe(&l, "E") + v * v - CONSTANT[i] * x, 1, 2e-4);
                farthest = fmax(farthest, x);
            }
            if (i == 0) CHECK_NEAR(farthest, (1 + 16 / 400.0) / 4, 1e-5); /* 1 J = 4 N x - (4 N)^2/2k */
            close_lab(&l);
        }
}

/* Functions that are steep at 0 have no rate where what they are of stands still: √(t − t₀) rests until t₀, which no step meets, for there it is infinitely
 * fast. What is no number at the start is refused. */
TEST(motions_that_begin_steeply)
{
    static const char *const MOTION[] = {"0.1 m*sqrt(max(t - 0.503 s, 0 s)/(1 s))",
                                         "0.1 m*sqrt(a)*sin(t/(1 s))",
                                         "0.1 m*max(t/(1 s) - 0.503, 0)^0.5",
                                         "0.1 m*atan2(a, a)*t/(1 s)",
                                         "0.1 m*log(t/(1 s))",
                                         "0.1 m*sqrt(t/(1 s))"};
    for (int d = 2; d <= 3; d++)
        for (int k = 0; k < 6; k++) {
            char text[600];
            snprintf(text, sizeof text,
                     "dimension: %d\ngravity: [0, 0%s]\ntime: {end: 1 s, step: 10 ms}\nparameters: {a: 0}\n"
                     "bodies: {k: {kind: imposed, motion: {x: \"%s\"}}}\nprobes: {x: {body: k, quantity: x}, v: {body: k, quantity: vx}}\n",
                     d, d == 2 ? "" : ", 0", MOTION[k]);
            talus_scene *scene = load_lab(text);
            talus_world *w = NULL;
            const bool built = talus_scene_mistake_count(scene) == 0 && talus_scene_build(scene, 1, &w) == TALUS_OK;
            CHECK(built == (k < 4));
            if (!built && !strstr(talus_scene_mistake(scene, 0), "body 'k': its motion is not a number at t = 0"))
                TEST_FAIL("%s", talus_scene_mistake(scene, 0));
            talus_world_destroy(w), talus_scene_destroy(scene);
            if (k >= 4) continue;
            lab l = open_lab(text, 1);
            lab_run(&l, 0.4);
            CHECK_NEAR(lab_probe(&l, "x"), 0, 1e-15);
            lab_run(&l, 1);
            CHECK_NEAR(lab_probe(&l, "x"), k % 2 ? 0 : 0.1 * sqrt(0.497), 1e-12);
            CHECK_NEAR(lab_probe(&l, "v"), k % 2 ? 0 : 0.05 / sqrt(0.497), 1e-12);
            close_lab(&l);
        }
}

/* Two masses on slides, a spring and damper between points of theirs: the distance swings with the reduced mass, the centre stays. */
TEST(spring_between_points)
{
    static const char TEXT[] = "time: {end: 1 s, step: 0.5 ms}\nmechanisms: {m: {bodies: {a: {mass: 1 kg, inertia: 1}, b: {mass: 3 kg, inertia: 1}}, joints: "
                               "{a: {type: prismatic, parent: "
                               "ground, child: a}, b: {type: prismatic, parent: ground, child: b, position: 1 m}}, springs: {s: {bodies: [a, b], at: [[0.1, "
                               "0.2@], [-0.1, 0.2@]], length: 0.7 "
                               "m, stiffness: 75 N/m, damping: 1.5 N s/m}}}}\nprobes: {a: {joint: a}, b: {joint: b}}\n";
    const double w = 10, z = 0.1, wd = w * sqrt(1 - z * z), stretch = 0.1;
    for (int d = 2; d <= 3; d++) {
        const double a = probe_after(d, TEXT, 1, "a"), b = probe_after(d, TEXT, 1, "b");
        CHECK_NEAR(b - a - 0.2, 0.7 + stretch * exp(-z * w) * (cos(wd) + z * w / wd * sin(wd)), 5e-6);
        CHECK_NEAR(a + 3 * b, 3, 1e-9);
    }
}

/* Where a joint's point and axes are said does not matter: a pendulum said in two ways swings the same. A body fixed to another is one with it. */
TEST(joints_said_in_two_ways)
{
    static const char *const WAYS[] = {
        "bodies: {b: {mass: 2 kg, inertia: 0.3, centre_of_mass: [0.5, 0@]}}, joints: {j: {type: revolute, parent: ground, child: b, angle: 20 deg}}",
        "bodies: {b: {mass: 2 kg, inertia: 0.3}}, joints: {j: {type: revolute, parent: ground, child: b, child_at: [-0.5, 0@], angle: 20 deg}}",
        "bodies: {b: {mass: 2 kg, inertia: 0.3}}, joints: {j: {type: revolute, parent: ground, child: b, child_at: [-0.5, 0@], orientation: 50 deg, angle: -30 "
        "deg}}",
        /* half of the mass at each of 0.4 and 0.6 m, 0.3 = 2 (0.14 + 0.1²) */
        "bodies: {b: {mass: 1 kg, inertia: 0.14, centre_of_mass: [0.4, 0@]}, c: {mass: 1 kg, inertia: 0.14}}, joints: {j: {type: revolute, parent: ground, "
        "child: b, "
        "angle: 20 deg}, k: {type: fixed, parent: b, at: [0.6, 0@], child: c}}"};
    for (int d = 2; d <= 3; d++) {
        double end[4];
        for (int i = 0; i < 4; i++) {
            char text[2048];
            snprintf(text, sizeof text,
                     "time: {end: 1 s, step: 1 ms}\ngravity: %s\nmechanisms: {m: {%s}}\nprobes: {x: {body: b, quantity: vx, at: [0, 0@]}, a: {joint: j, "
                     "quantity: velocity}}\n",
                     d == 2 ? "[0, -9.81]" : "[0, -9.81, 0]", WAYS[i]);
            end[i] = probe_after(d, text, 1, "a");
            if (i > 0) CHECK_NEAR(end[i], end[0], 1e-10);
        }
        CHECK(fabs(end[0]) > 1);
    }
}

/* Loads: an accelerating force at the centre, one beside it that also turns, a torque; one that goes with the body draws a circle. */
TEST(loads_on_bodies)
{
    static const char PLANE[] = "bodies: {b: {mass: 2 kg, inertia: 0.5, angular_velocity: W rad/s, velocity: [1, 0]}}\n";
    static const char SPACE[] = "bodies: {b: {mass: 2 kg, inertia_tensor: [0.5, 0.5, 0.5, 0, 0, 0], spin: [0, 0, W rad/s], velocity: [1, 0, 0]}}\n";
    for (int d = 2; d <= 3; d++)
        for (int k = 0; k < 3; k++) {
            char text[2048], body[256];
            const char *const load[] = {"x: 3 N, y: 4 N", "at: [0.5, 0@], y: 4 N, follows_body: true, torque: -2 N m", "torque: 1 N m"};
            snprintf(body, sizeof body, "%s", d == 2 ? PLANE : SPACE);
            *strstr(body, "W rad") = k == 1 ? '2' : '0';
            snprintf(text, sizeof text,
                     "time: {end: 2 s, step: 0.5 ms}\n%sloads: {l: {body: b, %s}}\nprobes: {x: {body: b}, y: {body: b, quantity: y}, vx: {body: b, quantity: "
                     "vx}, vy: "
                     "{body: b, quantity: vy}, w: {body: b, quantity: %s}, ax: {body: b, quantity: ax}, ay: {body: b, quantity: ay}}\n",
                     body, load[k], d == 2 ? "angular_velocity" : "wz");
            lab l = open_either(d, text);
            lab_run(&l, 2);
            if (k == 0) {
                CHECK_NEAR(lab_probe(&l, "x"), 2 + 0.5 * 1.5 * 4, 1e-9);
                CHECK_NEAR(lab_probe(&l, "y"), 0.5 * 2 * 4, 1e-9);
                CHECK_NEAR(lab_probe(&l, "ax"), 1.5, 1e-9);
                CHECK_NEAR(lab_probe(&l, "ay"), 2, 1e-9);
            }
            if (k == 1) { /* 0.5 m × 4 N − 2 N m: it turns steadily, and 2 m/s² along its own y turn the velocity through a circle of 1 m/s about (0, 0) */
                CHECK_NEAR(lab_probe(&l, "w"), 2, 1e-9);
                CHECK_NEAR(lab_probe(&l, "vx"), cos(4), 2e-6);
                CHECK_NEAR(lab_probe(&l, "vy"), sin(4), 2e-6);
            }
            if (k == 2) CHECK_NEAR(lab_probe(&l, "w"), 4, 1e-9);
            close_lab(&l);
        }
}

/* A load of 10 kg on a slope of 20° with μ = 0.3 slides with g (sin − μ cos), whatever solves the contacts and however they are activated. A body that passes
 * through falls. */
TEST(sliding_by_every_solver)
{
    static const char *const SOLVER[] = {"method: nlgs",
                                         "method: auto, acceptable: 1e-6",
                                         "method: ccp",
                                         "method: interior_point, unconverged: fail",
                                         "method: newton",
                                         "method: proximal, unconverged: report",
                                         "method: nlgs, least_norm: true",
                                         "method: pivot",
                                         "method: split",
                                         "method: pgs",
                                         "method: bodies"};
    static const char *const ACTIVATION[] = {"auto", "gap", "anticipated"};
    for (int d = 2; d <= 3; d++)
        for (int i = 0; i < 12; i++) {
            char text[4096];
            const double slope = 20 * PI / 180, a = G * (sin(slope) - 0.3 * cos(slope));
            snprintf(
                text, sizeof text,
                "dimension: %d\ngravity: [%.17g, %.17g%s]\ntime: {end: 0.5 s, step: 1 ms}\nsolver: {tolerance: 1e-8, %s}\nintegrator: {scheme: moreau, theta: "
                "0.5, forces: %s}\nmaterials: {s: {density: 1000%s}}\ninteractions: [{between: [s, s], friction: 0.3, restitution: 0, activation: "
                "%s}]\nbodies:\n  "
                "floor: {kind: fixed, shapes: [{%s: {point: %s, normal: %s, material: s}}]}\n  b: {position: %s, shapes: [{box: {size: %s, material: s}}]}\n"
                "probes: {x: {body: b}, v: {body: b, quantity: vx}, F: {contact_force: b, quantity: magnitude}, y: {body: b, quantity: y}}\n",
                d, G * sin(slope), -G * cos(slope), d == 2 ? "" : ", 0", SOLVER[i % 11], i % 2 ? "midpoint" : "explicit", d == 2 ? ", thickness: 1" : "",
                ACTIVATION[i % 3], d == 2 ? "half_plane" : "half_space", d == 2 ? "[0, 0]" : "[0, 0, 0]", d == 2 ? "[0, 1]" : "[0, 1, 0]",
                d == 2 ? "[0, 0.05]" : "[0, 0.05, 0]", d == 2 ? "[0.4, 0.1]" : "[0.4, 0.1, 0.4]");
            lab l = open_lab(text, 1);
            lab_run(&l, 0.5);
            const double sunk = 2 * G * 1e-6; /* what two steps without a contact let it fall; over half its width, its tilt */
            const double weight = (d == 2 ? 40 : 16) * G * cos(slope);
            CHECK_NEAR(lab_probe(&l, "v"), a * 0.5, G * 0.5 * sunk / 0.2);
            CHECK_CLOSE(lab_probe(&l, "F"), weight * sqrt(1 + 0.09), 1e-4);
            CHECK_NEAR(lab_probe(&l, "y"), 0.05, sunk);
            close_lab(&l);
        }
    CHECK_NEAR(
        probe_after(
            2,
            "gravity: [0, -9.81]\ntime: {end: 1 s, step: 1 ms}\nmaterials: {s: {density: 1000, thickness: 1}}\ninteractions: [{between: [s, s], enabled: "
            "false}]\nbodies: {floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: s}}]}, b: {shapes: [{disk: {radius: "
            "0.1, material: s}}]}}\nprobes: {y: {body: b, quantity: y}}\n",
            1, "y"),
        -0.5 * G, 1e-9);
}

/* Joints of space: a nut on a screw, a body in a sleeve, one on a table, and a ball joint's conical pendulum. */
TEST(joints_of_space)
{
#define SPACE "time: {end: 1 s, step: 0.5 ms}\ngravity: [0, 0, -9.81]\nmechanisms: {m: {bodies: {b: {mass: 2 kg, inertia: 0.3}}, joints: {j: "
    const double pitch = 0.2;
    CHECK_NEAR(
        probe_after(3, SPACE "{type: screw, axis: [0, 0, 1], pitch: 0.2 m/rad, parent: ground, child: b}}}}\nprobes: {z: {body: b, quantity: z}}\n", 1, "z"),
        -0.5 * G * 2 * pitch * pitch / (2 * pitch * pitch + 0.3), 1e-9);
    static const char SLEEVE[] = SPACE "{type: cylindrical, axis: [0, 0, 1], parent: ground, child: b, velocity: {angle: 3 rad/s, position: 1 m/s}}}}}\n"
                                       "probes: {z: {body: b, quantity: z}, a: {joint: j.angle}}\n";
    CHECK_NEAR(probe_after(3, SLEEVE, 1, "z"), 1 - 0.5 * G, 1e-9);
    CHECK_NEAR(probe_after(3, SLEEVE, 1, "a"), 3, 1e-9);
    static const char TABLE[] = SPACE "{type: planar, axis: [0, 1, 0], axis2: [1, 0, 0], parent: ground, child: b, velocity: {x: 2 m/s, angle: 1 rad/s}}}}}\n"
                                      "probes: {x: {body: b, quantity: x}, y: {body: b, quantity: y}, z: {body: b, quantity: z}}\n";
    CHECK_NEAR(probe_after(3, TABLE, 1, "x"), 2, 1e-9);
    CHECK_NEAR(probe_after(3, TABLE, 1, "y"), 0, 1e-12);
    CHECK_NEAR(probe_after(3, TABLE, 1, "z"), -0.5 * G, 1e-9);
    const double l = 0.5, theta = PI / 6, w = sqrt(G / (l * cos(theta)));
    char text[1024];
    snprintf(
        text, sizeof text,
        "time: {end: 1 s, step: 0.5 ms}\ngravity: [0, 0, -9.81]\nmechanisms: {m: {bodies: {b: {mass: 2 kg, inertia: 0.3, centre_of_mass: [%.17g, 0, %.17g]}}, "
        "joints: "
        "{j: {type: spherical, parent: ground, child: b, velocity: {wz: %.17g}}}}}\nprobes: {x: {body: b, quantity: x, at: [%.17g, 0, %.17g]}, y: {body: b, "
        "quantity: y, at: [%.17g, 0, %.17g]}, z: {body: b, quantity: z, at: [%.17g, 0, %.17g]}}\n",
        l * sin(theta), -l * cos(theta), w, l * sin(theta), -l * cos(theta), l * sin(theta), -l * cos(theta), l * sin(theta), -l * cos(theta));
    CHECK_NEAR(probe_after(3, text, 1, "x"), l * sin(theta) * cos(w), 2e-5);
    CHECK_NEAR(probe_after(3, text, 1, "y"), l * sin(theta) * sin(w), 2e-5);
    CHECK_NEAR(probe_after(3, text, 1, "z"), -l * cos(theta), 2e-5);
}

/* Loops of coordinates: a wheel geared to another, with an offset; a screw that a wheel turns, in the plane. */
TEST(gears_and_screws)
{
    static const char GEAR[] =
        "time: {end: 1 s, step: 1 ms}\nmechanisms: {m: {bodies: {a: {mass: 1, inertia: 0.5}, b: {mass: 1, inertia: 2}}, joints: {a: {type: revolute, "
        "parent: ground, child: a}, b: {type: revolute, parent: ground, child: b}}, loops: {g: {type: gear, joints: [a, b], ratio: -3, offset: 0.6 "
        "rad}}, forces: {t: {joint: a, constant: 2 N m}}}}\nprobes: {a: {joint: a}, b: {joint: b}, M: {loop: g}}\n";
    const double alpha = 2 / (0.5 + 2.0 / 9);
    for (int d = 2; d <= 3; d++) {
        const double a = probe_after(d, GEAR, 1, "a"), b = probe_after(d, GEAR, 1, "b"), start = 0.6 / 10; /* nearest to 0: a = 0.06, b = −0.18 */
        CHECK_NEAR(a, start + 0.5 * alpha, 0.6);
        CHECK_NEAR(a + 3 * b, 0.6, 1e-9);
        CHECK_NEAR(fabs(probe_after(d, GEAR, 1, "M")), 2.0 / 3 / 3 * alpha, 1e-6); /* turns b: 2 kg m² × α/3, over the ratio */
    }
    static const char SCREW[] =
        "time: {end: 1 s, step: 1 ms}\ngravity: [0, -9.81]\nmechanisms: {m: {bodies: {w: {mass: 1, inertia: 0.5}, n: {mass: 4, inertia: 1}}, joints: {w: "
        "{type: revolute, parent: ground, child: w}, n: {type: prismatic, axis: [0, 1], parent: ground, child: n}}, loops: {s: {type: screw, joints: "
        "[n, w], ratio: 0.5 m/rad}}}}\nprobes: {n: {joint: n}, w: {joint: w}}\n";
    CHECK_NEAR(probe_after(2, SCREW, 1, "n"), -0.5 * G * 4 * 0.25 / (4 * 0.25 + 0.5), 1e-9);
    CHECK_NEAR(probe_after(2, SCREW, 1, "n"), 0.5 * probe_after(2, SCREW, 1, "w"), 1e-12);
}

/* Stages in space: what changes, when, and what ends the run. A body falls for 0.2 s, loses its weight, is pushed by a load, and the run is over where it
 * has come 1 m far. */
TEST(stages_in_space)
{
    static const char TEXT[] = "dimension: 3\ngravity: [0, 0, -9.81]\ntime: {end: 10 s, step: 1 ms}\nmaterials: {s: {density: 1000}}\nbodies: {b: {mass: 2 kg, "
                               "inertia_tensor: [1, 1, 1, 0, 0, 0], "
                               "shapes: [{sphere: {radius: 0.1, material: s}}]}}\nloads: {l: {body: b, x: 0 N}}\nmechanisms: {m: {bodies: {c: {mass: 1, "
                               "inertia: 1}, e: {mass: 1, inertia: 1}}, "
                               "joints: {c: {type: prismatic, parent: ground, child: c, axis: [1, 0, 0]}, e: {type: prismatic, parent: ground, child: e, axis: "
                               "[0, 1, 0]}}, drives: {d: {joint: "
                               "c, speed: 0 m/s}}, forces: {f: {joint: e, law: 0 N}}}}\nprobes: {x: {body: b}, z: {body: b, quantity: z}, vz: {body: b, "
                               "quantity: vz}, c: {joint: c}, e: {joint: e, "
                               "quantity: velocity}}\nstages:\n  fall: {until: {probe: vz, below: -1.962 m/s, at_most: 5 s}}\n  push: {gravity: [0, 0, 0], "
                               "loads: {l: {x: 8 N}}, drives: {d: {speed: 2 "
                               "m/s}}, forces: {f: {law: 3 N}}}\nstop: {far: {probe: x, above: 1 m, during: [push], message: far enough}}\n";
    lab l = open_lab(TEXT, 1);
    CHECK(lab_run(&l, 5));
    const double h = 1e-3, fall = 0.2, push = sqrt(2 * 1 / 4.0);
    CHECK_NEAR(talus_world_time(l.world), fall + push, 4 * h);
    CHECK_NEAR(lab_probe(&l, "x"), 1, 4 * h * 4 * push);
    CHECK_NEAR(lab_probe(&l, "z"), -0.5 * G * fall * fall - G * fall * push, 10 * h);
    CHECK_NEAR(lab_probe(&l, "c"), 2 * push, 10 * h);
    CHECK_NEAR(lab_probe(&l, "e"), 3 * push, 15 * h);
    close_lab(&l);
}

/* Shapes at rest: a body on the floor is borne at the height that its shape says, with its weight. */
TEST(shapes_at_rest)
{
    static const struct {
        int dimension;
        const char *shape;
        double height, mass;
    } SHAPES[] = {
        {2, "box: {size: [0.3, 0.1], radius: 5 mm, material: s}", 0.055, 0}, /* the rim is around it */
        {2, "polygon: {points: [[-0.2, -0.1], [0.2, -0.1], [0, 0.2]], radius: 10 mm, material: s}", 0.11, 0},
        {3, "box: {size: [0.3, 0.3, 0.1], material: s}", 0.05, 0},
        {3, "capsule: {from: [-0.2, 0, 0], to: [0.2, 0, 0], radius: 0.05, material: s}", 0.05, 1000 * 3.14159265358979 * 0.05 * 0.05 * (0.4 + 4 * 0.05 / 3)},
        {3, "cylinder: {from: [0, 0, -0.1], to: [0, 0, 0.1], radius: 0.1, sides: 16, material: s}", 0.1, 0},
        {3, "polyhedron: {points: [[0, 0, -0.1], [0.2, 0, -0.1], [0, 0.2, -0.1], [-0.2, -0.2, -0.1], [0, 0, 0.2]], material: s}", 0.1, 0}};
    for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++) {
        char text[2048];
        const int d = SHAPES[i].dimension;
        snprintf(text, sizeof text,
                 "dimension: %d\ngravity: %s\ntime: {end: 0.3 s, step: 1 ms}\nmaterials: {s: {density: 1000%s}}\ninteractions: [{friction: 0.5}]\nbodies:\n  "
                 "floor: {kind: "
                 "fixed, shapes: [{%s: {point: %s, normal: %s, material: s}}]}\n  b: {position: %s, shapes: [{%s}]}\nprobes: {y: {body: b, quantity: %s, at: "
                 "%s}, F: "
                 "{contact_force: b, quantity: %s, from: floor}}\n",
                 d, d == 2 ? "[0, -9.81]" : "[0, 0, -9.81]", d == 2 ? ", thickness: 1" : "", d == 2 ? "half_plane" : "half_space",
                 d == 2 ? "[0, 0]" : "[0, 0, 0]", d == 2 ? "[0, 1]" : "[0, 0, 1]", d == 2 ? "[0, 0.251]" : "[0, 0, 0.251]", SHAPES[i].shape, d == 2 ? "y" : "z",
                 d == 2 ? "[0, 0]" : "[0, 0, 0]", d == 2 ? "y" : "z");
        lab l = open_lab(text, 1);
        lab_run(&l, 0.3);
        CHECK_NEAR(lab_probe(&l, "y"), SHAPES[i].height, 1e-4);
        CHECK_CLOSE(lab_probe(&l, "F"), talus_body_mass(l.world, talus_body_find(l.world, "b")) * G, 1e-3);
        if (SHAPES[i].mass > 0) CHECK_CLOSE(talus_body_mass(l.world, talus_body_find(l.world, "b")), SHAPES[i].mass, 1e-9);
        close_lab(&l);
    }
}

/* A function that stops being a number in a run ends it, with the name of what it is of, also where a bound would hide it: no throttle, drive, force with a
 * limit or grip then acts with all that it has. */
TEST(no_number)
{
    static const struct {
        const char *scene, *said;
    } OF[] = {
        {"mechanisms: {m: {shafts: {c: {inertia: 1, speed: 100}}, engines: {e: {joint: c, torque: {speed: [0, 300], torque: [100, 100]}, throttle: \"0.5 + "
         "%s\", drag: "
         "3 N m}}}}",
         "a force in joint 'c' is not a number"},
        {"mechanisms: {m: {shafts: {c: {inertia: 1, speed: 100}, d: {inertia: 1}}, couplings: {k: {joints: [c, d], friction: \"5 N m + 1 N m*%s\"}}}}",
         "coupling 'k': its friction"},
        {"joints: {j: {bodies: [a, b], angle: {speed: \"1 rad/s*%s\", force: 10 N m}}}", "joint 'j': its drive is not a number"},
        {"joints: {j: {bodies: [a, b], angle: {speed: \"1 rad/s*%s\"}}}", "joint 'j': its drive is not a number"},
        {"mechanisms: {m: {shafts: {j: {inertia: 1}}, drives: {d: {joint: j, speed: \"1 rad/s*%s\", force: 10 N m}}}}", "joint 'j': its drive is not a number"},
        {"mechanisms: {m: {shafts: {i: {inertia: 1}, j: {inertia: 1}}, forces: {d: {joint: j, stiffness: 10 N m, target: \"1 rad*%s\", limit: 5 N m}}}}",
         "a force in joint 'j' is not a number"},
        {"mechanisms: {m: {shafts: {i: {inertia: 1}, j: {inertia: 1}}, forces: {d: {joint: j, law: \"1 N m*%s\", limit: 5 N m}}}}",
         "a force in joint 'j' is not a number"},
        {"periodic: {x: [0, 10 m], y: [0, 10 m], shear: {along: x, across: y, strain: \"%s\"}}", "the strain of the sheared cell is not a number"},
    };
    for (size_t k = 0; k < sizeof OF / sizeof *OF; k++)
        for (int d = 2; d <= 3; d++) {
            char text[1400];
            int n = snprintf(text, sizeof text,
                             "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nbodies: {a: {mass: 1, %s, position: [1, 1%s]}, b: {mass: 1, %s, position: [1, "
                             "1%s]}}\n",
                             d, d == 2 ? "inertia: 1" : "inertia_tensor: [1, 1, 1]", d == 2 ? "" : ", 1", d == 2 ? "inertia: 1" : "inertia_tensor: [1, 1, 1]",
                             d == 2 ? "" : ", 1");
            n += snprintf(text + n, sizeof text - (size_t)n, OF[k].scene, "0*log(0.0055 - t/(1 s))");
            snprintf(text + n, sizeof text - (size_t)n, "\n");
            lab l = open_lab(text, 1);
            talus_status status = TALUS_OK;
            while (status == TALUS_OK && talus_world_time(l.world) < 0.1) status = talus_world_step(l.world, NULL);
            CHECK(status == TALUS_DIVERGED);
            if (!strstr(talus_world_error(l.world), OF[k].said)) TEST_FAIL("%d, %s: %s", d, OF[k].said, talus_world_error(l.world));
            CHECK(talus_world_time(l.world) < 0.0061);
            close_lab(&l);
        }
}

/* A parameter with a unit's name does not change what is written with that unit; where both could be meant it is a mistake. So with words of the language. */
TEST(units_are_not_names)
{
    static const struct {
        const char *parameters, *speed;
        double is; /* 0: a mistake */
        const char *said;
    } OF[] = {
        {"s: 2 s, m: 3 m", "3 m/s", 0, "'s' is a unit, and a name here"},
        {"h: 1 ms", "36 km/h", 0, "'h' is a unit, and a name here"},
        {"min: 2 s", "60 m/min", 0, "'min' is a unit, and a name here"},
        {"s: 2 s", "3 1/s*1 m", 0, "'s' is a unit, and a name here"},
        {"s: 2 s, m: 3 m", "m/s", 1.5, NULL},
        {"s: 2 s", "3 m/(s)", 1.5, NULL},
        {"s: 2 s", "3 m / (s)", 1.5, NULL},
        {"s: 2 s, sec: 3 s", "3 m/sec", 1, NULL},
        {"sec: 3 s", "3 m/s", 3, NULL},
        {"pi: 3", "pi*1 m/s", 0, "'pi' is 3.14159"},
        {"pie: 3", "pi*1 m/s", 3.14159265358979323846, NULL},
    };
    for (int d = 2; d <= 3; d++)
        for (size_t k = 0; k < sizeof OF / sizeof *OF; k++) {
            char text[600];
            snprintf(text, sizeof text,
                     "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nparameters: {%s}\nbodies: {b: {mass: 1, %s, velocity: [\"%s\", 0%s]}}\nprobes: {v: "
                     "{body: b, "
                     "quantity: vx}}\n",
                     d, OF[k].parameters, d == 2 ? "inertia: 1" : "inertia_tensor: [1, 1, 1]", OF[k].speed, d == 2 ? "" : ", 0");
            if (OF[k].is != 0) {
                lab l = open_lab(text, 1);
                CHECK_CLOSE(lab_probe(&l, "v"), OF[k].is, 1e-15);
                close_lab(&l);
                continue;
            }
            talus_scene *scene = load_lab(text);
            if (talus_scene_mistake_count(scene) == 0 || !strstr(talus_scene_mistake(scene, 0), OF[k].said))
                TEST_FAIL("%s: %s", OF[k].speed, talus_scene_mistake_count(scene) ? talus_scene_mistake(scene, 0) : "taken");
            talus_scene_destroy(scene);
        }
}

int main(int argc, char **argv)
{
    RUN(forces_in_a_joint);
    RUN(a_spring_with_a_bound);
    RUN(motions_that_begin_steeply);
    RUN(spring_between_points);
    RUN(joints_said_in_two_ways);
    RUN(loads_on_bodies);
    RUN(sliding_by_every_solver);
    RUN(joints_of_space);
    RUN(gears_and_screws);
    RUN(stages_in_space);
    RUN(shapes_at_rest);
    RUN(no_number);
    RUN(units_are_not_names);
    return TEST_RESULT;
}
