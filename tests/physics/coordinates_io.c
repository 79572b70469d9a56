/* What acts in the coordinates of joints between bodies and of mechanisms, as scenes say it, in the plane and in space: closed forms of one body that turns
 * about a fixed axis; joints that collide, drift or have a length; what generalized-α damps. */
#include "lab.h"

enum { PLANE = 2, SPACE = 3 };

static const double J = 0.5;

/* A body of 2 kg and 0.5 kg m² about z, pinned to the ground at its centre, that turns at first with `rate`. */
static lab pinned(int dimension, const char *angle, double rate, const char *more)
{
    char text[1500];
    const bool space = dimension == SPACE;
    snprintf(text, sizeof text,
             "dimension: %d\ntime: {end: 10 s, step: 1 ms}\n%s\ngravity: [0, 0%s]\nmaterials: {m: {density: 1000}}\n"
             "bodies: {b: {position: [1, 0%s], mass: 2, %s, %s%g%s, shapes: [%s]}}\n"
             "joints: {pin: {bodies: [ground, b], at: [1, 0%s]%s, angle: {%s}}}\nprobes: {q: {body_joint: pin.angle}, v: {body_joint: pin.angle, quantity: "
             "velocity}}\n",
             dimension, more, space ? ", 0" : "", space ? ", 0" : "", space ? "inertia_tensor: [0.5, 0.5, 0.5]" : "inertia: 0.5",
             space ? "spin: [0, 0, " : "angular_velocity: ", rate, space ? "]" : "",
             space ? "sphere: {radius: 0.1, material: m}" : "disk: {radius: 0.1, material: m}", space ? ", 0" : "", space ? ", axis: [0, 0, 1]" : "", angle);
    return open_lab(text, 1);
}

TEST(dry_friction)
{
    for (int d = PLANE; d <= SPACE; d++) {
        lab l = pinned(d, "friction: 0.4", 3, "");
        lab_run(&l, 2);
        CHECK_NEAR(lab_probe(&l, "v"), 3 - 0.4 * 2 / J, 1e-9);
        lab_run(&l, 5);
        CHECK_NEAR(lab_probe(&l, "v"), 0, 1e-9);
        CHECK_NEAR(lab_probe(&l, "q"), J * 9 / (2 * 0.4), 1e-3); /* half a step of the last velocity at most */
        close_lab(&l);
    }
}

TEST(damper)
{
    for (int d = PLANE; d <= SPACE; d++) {
        lab l = pinned(d, "damping: 0.2", 3, "");
        lab_run(&l, 2);
        CHECK_NEAR(lab_probe(&l, "v"), 3 * exp(-0.2 * 2 / J), 1e-6); /* second order: (c h / J)² / 12 */
        close_lab(&l);
    }
}

TEST(spring)
{
    const double k = 8, w = sqrt(k / J);
    for (int d = PLANE; d <= SPACE; d++) {
        lab l = pinned(d, "stiffness: 8, rest: 0.3", 0, "");
        lab_run(&l, 2);
        CHECK_NEAR(lab_probe(&l, "q"), 0.3 * (1 - cos(2 * w)), 1e-4); /* (w h)² / 12 of the phase */
        close_lab(&l);
    }
}

TEST(stops)
{
    for (int d = PLANE; d <= SPACE; d++) {
        lab l = pinned(d, "low: -0.4, high: 0.5, restitution: 0.5", 2, "");
        lab_run(&l, 0.4);
        CHECK_NEAR(lab_probe(&l, "v"), -1, 1e-9);
        lab_run(&l, 1.6);
        CHECK_NEAR(lab_probe(&l, "v"), 0.5, 1e-9);
        close_lab(&l);
    }
}

TEST(drive_of_limited_force)
{
    for (int d = PLANE; d <= SPACE; d++) {
        lab l = pinned(d, "speed: 10, force: 0.5", 0, "");
        lab_run(&l, 2);
        CHECK_NEAR(lab_probe(&l, "v"), 2, 1e-9);
        CHECK_NEAR(lab_probe(&l, "q"), 2, 2e-3);
        lab_run(&l, 10);
        CHECK_NEAR(lab_probe(&l, "v"), 10, 1e-9);
        close_lab(&l);
    }
}

/* ω h = 10: with ρ = 1 the energy stays, with less what is faster than the step dies out. */
TEST(stiff_springs_by_generalized_alpha)
{
    for (int d = PLANE; d <= SPACE; d++)
        for (int damps = 0; damps < 2; damps++) {
            lab l =
                pinned(d, "stiffness: 5e7", 3,
                       damps ? "integrator: {scheme: generalized_alpha, spectral_radius: 0.5}" : "integrator: {scheme: generalized_alpha, spectral_radius: 1}");
            double most = 0;
            for (int i = 0; i < 100; i++) {
                lab_step(&l);
                if (i >= 60) most = fmax(most, fabs(lab_probe(&l, "v")));
            }
            CHECK(damps ? most < 1e-6 : most > 1 && most < 3.1);
            close_lab(&l);
        }
}

/* A ball on a vertical slide above a fixed one: only shapes of joints that collide meet. */
TEST(jointed_bodies_collide_when_asked)
{
    for (int meets = 0; meets < 2; meets++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "time: {end: 2 s, step: 1 ms}\ngravity: [0, -10]\nmaterials: {m: {density: 1000}}\ninteractions: [{law: coulomb, friction: 0.1}]\n"
                 "bodies:\n  a: {kind: fixed, shapes: [{disk: {radius: 0.1, material: m}}]}\n  b: {position: [0, 0.5], shapes: [{disk: {radius: 0.1, material: "
                 "m}}]}\n"
                 "joints: {s: {type: prismatic, bodies: [a, b], at: [0, 0.5], axis: [0, 1], collides: %s}}\nprobes: {y: {body: b, quantity: y}}\n",
                 meets ? "true" : "false");
        lab l = open_lab(text, 1);
        lab_run(&l, 1);
        CHECK_NEAR(lab_probe(&l, "y"), meets ? 0.2 : 0.5 - 5, meets ? 1e-6 : 1e-2);
        close_lab(&l);
    }
}

TEST(length_of_a_distance)
{
    lab l =
        open_lab("time: {end: 1 s, step: 1 ms}\ngravity: [0, -10]\nmaterials: {m: {density: 1000}}\nbodies: {b: {position: [3, 4], shapes: [{disk: {radius: "
                 "0.1, material: m}}]}}\njoints: {rod: {type: distance, bodies: [ground, b], at: [0, 0], to: [3, 4], length: 5.001 m}}\n"
                 "probes: {x: {body: b}, y: {body: b, quantity: y}}\n",
                 1);
    lab_run(&l, 1);
    CHECK_NEAR(hypot(lab_probe(&l, "x"), lab_probe(&l, "y")), 5.001, 1e-5);
    close_lab(&l);
}

/* A pendulum in space: what is held by velocities alone leaves its circle with (ω h)² of each step, what is put right does not. */
TEST(drift)
{
    double off[2];
    for (int drifts = 0; drifts < 2; drifts++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "dimension: 3\ntime: {end: 5 s, step: 2 ms}\ngravity: [0, 0, -10]\nmaterials: {m: {density: 1000}}\n"
                 "bodies: {b: {position: [1, 0, 0], shapes: [{sphere: {radius: 0.1, material: m}}]}}\n"
                 "joints: {pin: {bodies: [ground, b], axis: [0, 1, 0], drifts: %s}}\nprobes: {x: {body: b}, z: {body: b, quantity: z}}\n",
                 drifts ? "true" : "false");
        lab l = open_lab(text, 1);
        lab_run(&l, 5);
        off[drifts] = fabs(hypot(lab_probe(&l, "x"), lab_probe(&l, "z")) - 1);
        close_lab(&l);
    }
    CHECK(off[0] < 2e-5 && off[1] > 1e-4);
}

/* Mechanisms in space: a stop with a restitution, and a drive that gives way. */
TEST(mechanisms_in_space)
{
    lab l = open_lab("dimension: 3\ntime: {end: 5 s, step: 1 ms}\ngravity: [0, 0, 0]\nmechanisms:\n  m:\n"
                     "    bodies: {a: {mass: 1, inertia: [0.5, 0.5, 0.5]}, b: {mass: 1, inertia: [0.5, 0.5, 0.5]}}\n"
                     "    joints: {p: {type: revolute, parent: ground, child: a, axis: [0, 0, 1], velocity: -2 rad/s}, q: {type: revolute, parent: "
                     "ground, child: b, axis: [0, 1, 0]}}\n"
                     "    forces: {stop: {joint: p, low: -0.3 rad, restitution: 0.5}}\n    drives: {d: {joint: q, speed: 10 rad/s, force: 0.5 N m}}\n"
                     "probes: {v: {joint: p, quantity: velocity}, w: {joint: q, quantity: velocity}}\n",
                     1);
    lab_run(&l, 1);
    CHECK_NEAR(lab_probe(&l, "v"), 1, 1e-9);
    CHECK_NEAR(lab_probe(&l, "w"), 1, 1e-9);
    close_lab(&l);
}

/* An ellipsoid that lies on its short axis, turned and off the body's origin: it stays, and the floor bears its weight. */
TEST(ellipsoid_of_a_body)
{
    lab l = open_lab("dimension: 3\ntime: {end: 1 s, step: 1 ms}\ngravity: [0, 0, -10]\nmaterials: {m: {density: 1000}}\ninteractions: [{law: coulomb, "
                     "restitution: 0, friction: 0.3}]\n"
                     "bodies:\n  floor: {kind: fixed, shapes: [{half_space: {point: [0, 0, 0], normal: [0, 0, 1], material: m}}]}\n"
                     "  b: {position: [0, 0, 0.35], shapes: [{ellipsoid: {radii: [0.3, 0.1, 0.2], centre: [0.5, 0, -0.25], orientation: {rpy_deg: [90, 0, 0]}, "
                     "material: m}}]}\n"
                     "probes: {z: {body: b, quantity: z}, f: {contact_force: b, quantity: z}}\n",
                     1);
    lab_run(&l, 1);
    CHECK_NEAR(lab_probe(&l, "z"), 0.35, 1e-6);
    CHECK_CLOSE(lab_probe(&l, "f"), 10 * 1000 * 4 / 3.0 * 3.14159265358979323846 * 0.3 * 0.1 * 0.2, 1e-6);
    close_lab(&l);
}

/* A box in space that slides while it sinks to its limit (T15): from then on with the friction that this depth has. As physics.plastic_io in the plane. */
TEST(plastic_friction_in_space)
{
    const double g = 10, slope = atan(0.4), limit = 0.05 * sqrt(0.01 + 0.01 + 0.0025);
    char text[2000];
    snprintf(
        text, sizeof text,
        "dimension: 3\ntime: {end: 1 s, step: 0.5 ms}\ngravity: [%.17g, 0, %.17g]\nsolver: {tolerance: 1e-9, max_iterations: 100000}\n"
        "materials: {stone: {density: 2700}}\n"
        "interactions: [{law: plastic, threshold_impulse: 0.005 N s, limit: 0.05, friction: 0.2, plastic_friction: 0.5, friction_depth: %.17g}]\n"
        "bodies:\n  floor: {kind: fixed, shapes: [{half_space: {point: [0, 0, 0], normal: [0, 0, 1], material: stone}}]}\n"
        "  b: {position: [0, 0, 0.05], velocity: [0.3, 0, 0], shapes: [{box: {size: [0.2, 0.2, 0.1], material: stone}}]}\nprobes: {v: {body: b, quantity: vx}, "
        "z: {body: b, quantity: z}}\n",
        g * sin(slope), -g * cos(slope), 2 * limit);
    lab l = open_lab(text, 1);
    lab_run(&l, 0.4);
    const double v = lab_probe(&l, "v");
    CHECK_NEAR(lab_probe(&l, "z"), 0.05 - limit, 1e-7);
    lab_run(&l, 0.5);
    CHECK_NEAR(lab_probe(&l, "v") - v, 0.1 * g * (sin(slope) - 0.35 * cos(slope)), 1e-6);
    close_lab(&l);
}

/* Coins and ellipsoids of one mixture fall freely: each weighs what its shape does, all move as one. */
TEST(mixture_of_coins_and_ellipsoids)
{
    lab l = open_lab("dimension: 3\ntime: {end: 1 s, step: 1 ms}\ngravity: [0, 0, -10]\nmaterials: {m: {density: 1000}}\n"
                     "grains: {g: {generator: fill, region: [[0, 0, 1], [0.4, 0.4, 1.4]], count: 32, material: m, radius: 0.02 m, seed: 3, "
                     "mixture: [{share: 1, "
                     "shape: coin, radius: 0.02 m, flatness: [0.3, 0.3], rounding: 0.5}, {share: 1, shape: ellipsoid, radius: 0.02 m}]}}\n"
                     "probes: {v: {body: g.5, quantity: vz}, e: {energy: total}}\n",
                     1);
    const double start = lab_probe(&l, "e");
    lab_run(&l, 0.2);
    CHECK_NEAR(lab_probe(&l, "v"), -2, 1e-12);
    CHECK_CLOSE(lab_probe(&l, "e"), start, 1e-9);
    close_lab(&l);
}

int main(int argc, char **argv)
{
    RUN(dry_friction);
    RUN(damper);
    RUN(spring);
    RUN(stops);
    RUN(drive_of_limited_force);
    RUN(stiff_springs_by_generalized_alpha);
    RUN(jointed_bodies_collide_when_asked);
    RUN(length_of_a_distance);
    RUN(drift);
    RUN(mechanisms_in_space);
    RUN(ellipsoid_of_a_body);
    RUN(plastic_friction_in_space);
    RUN(mixture_of_coins_and_ellipsoids);
    return TEST_RESULT;
}
