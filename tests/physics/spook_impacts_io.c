/* The impact stage of SPOOK (theory §4.4), from scenes: e by pairs while all else keeps its rates; closed forms and conservation laws. */
#include "lab.h"

static lab open_spook(const char *step, const char *scene)
{
    char text[8192];
    snprintf(text, sizeof text, "time: {end: 1000 s, step: %s}\nintegrator: {scheme: spook}\nsolver: {tolerance: 1e-12 m/s, max_iterations: 100000}\n%s", step,
             scene);
    return open_lab(text, 1);
}

/* ---- balls ---------------------------------------------------------------------------------------------------------------------- */

/* One ball of 1 kg strikes three that touch, along x, one step after the start. */
static lab row(bool space, double restitution)
{
    char scene[2048];
    const char *ball = space ? "inertia_tensor: [0.004, 0.004, 0.004, 0, 0, 0], shapes: [{sphere: {radius: 0.1, material: m}}]"
                             : "inertia: 0.004, shapes: [{disk: {radius: 0.1, material: m}}]",
               *more = space ? ", 0" : "";
    snprintf(
        scene, sizeof scene,
        "dimension: %d\nmaterials: {m: {density: 1000}}\ninteractions: [{friction: 0.3, restitution: %g}]\nbodies:\n  a: {mass: 1, %s, position: [-0.2015, "
        "0%s], velocity: [1, 0%s]}\n  b: {mass: 1, %s, position: [0, 0%s]}\n  c: {mass: 1, %s, position: [0.2, 0%s]}\n  d: {mass: 1, %s, position: [0.4, "
        "0%s]}\n"
        "probes: {a: {body: a, quantity: vx}, b: {body: b, quantity: vx}, c: {body: c, quantity: vx}, d: {body: d, quantity: vx}, f: {contact_force: d, "
        "quantity: x}}\n",
        space ? 3 : 2, restitution, ball, more, more, ball, more, ball, more, ball, more);
    return open_spook("1 ms", scene);
}

/* The impulse is at the far side in the step in which it strikes: with e = 0 all go on together, with e the pair that strikes parts with e V, and those that
 * touch stay together. */
TEST(an_impact_goes_through_a_row)
{
    static const double RESTITUTION[] = {0, 0.5, 1};
    for (int space = 0; space < 2; space++)
        for (int i = 0; i < 3; i++) {
            const double e = RESTITUTION[i], u = (1 + e) / 4;
            lab l = row(space, e);
            int moved = 0;
            double impulse = 0;
            for (int n = 0; n < 10; n++) {
                lab_step(&l);
                const bool now = lab_probe(&l, "d") != 0;
                moved += now;
                impulse += lab_probe(&l, "f") * 1e-3;
                CHECK_NEAR(lab_probe(&l, "a") + lab_probe(&l, "b") + lab_probe(&l, "c") + lab_probe(&l, "d"), 1, 1e-12);
                if (!now) CHECK_NEAR(lab_probe(&l, "b"), 0, 1e-12); /* what reaches one reaches all */
            }
            CHECK(moved >= 7);
            CHECK_NEAR(impulse, u, 1e-9);
            CHECK_NEAR(lab_probe(&l, "a"), u - e, 1e-9);
            CHECK_NEAR(lab_probe(&l, "b"), u, 1e-9);
            CHECK_NEAR(lab_probe(&l, "d"), u, 1e-9);
            close_lab(&l);
        }
}

/* A ball that falls by H comes up to e² H, to the first order of h. */
TEST(a_ball_bounces)
{
    static const char *const STEP[] = {"1 ms", "0.25 ms"};
    for (int space = 0; space < 2; space++) {
        double off[2];
        for (int i = 0; i < 2; i++) {
            char scene[1024];
            snprintf(
                scene, sizeof scene,
                "dimension: %d\ngravity: [0, %s-9.81]\nmaterials: {m: {density: 1000}}\ninteractions: [{restitution: 0.7}]\nbodies:\n  floor: {kind: fixed, "
                "shapes: [{%s}]}\n  ball: {position: [0, %s1.1], shapes: [{%s: {radius: 0.1, material: m}}]}\nprobes: {z: {body: ball, quantity: %s}, v: "
                "{body: "
                "ball, quantity: v%s}}\n",
                space ? 3 : 2, space ? "0, " : "",
                space ? "half_space: {point: [0, 0, 0], normal: [0, 0, 1], material: m}" : "half_plane: {point: [0, 0], normal: [0, 1], material: m}",
                space ? "0, " : "", space ? "sphere" : "disk", space ? "z" : "y", space ? "z" : "y");
            lab l = open_spook(STEP[i], scene);
            double top = 0;
            bool up = false;
            while (talus_world_time(l.world) < 1) {
                lab_step(&l);
                up = up || lab_probe(&l, "v") > 0;
                if (up) top = fmax(top, lab_probe(&l, "z") - 0.1);
            }
            off[i] = fabs(top - 0.49);
            close_lab(&l);
        }
        CHECK(off[1] < 2e-3);
        CHECK(off[0] < 8e-3);
    }
}

static void momentum(const lab *l, double P[3])
{
    P[0] = P[1] = P[2] = 0;
    for (int i = 0; i < talus_body_count(l->world); i++) {
        const talus_body_id body = talus_body_at(l->world, i);
        const double origin[3] = {0, 0, 0}, mass = talus_body_mass(l->world, body);
        double v[3], w[3];
        talus_body_velocity(l->world, body, origin, v, w);
        for (int k = 0; k < 3; k++) P[k] += mass * v[k];
    }
}

/* Balls of several sizes fly about in a periodic cell, bounce and rub: momentum is kept to rounding, energy never grows, and much of it goes. */
TEST(a_gas_of_balls)
{
    enum { SIDE = 3 };
    for (int space = 0; space < 2; space++) {
        char scene[16384];
        uint32_t seed = 7;
        snprintf(
            scene, sizeof scene,
            "dimension: %d\nperiodic: {x: [0, 1], y: [0, 1]%s}\nmaterials: {m: {density: 1000}}\ninteractions: [{friction: 0.4, restitution: 0.9}]\nbodies:\n",
            space ? 3 : 2, space ? ", z: [0, 1]" : "");
        for (int i = 0; i < (space ? SIDE * SIDE * SIDE : SIDE * SIDE); i++) {
            const int column = i % SIDE, row = i / SIDE % SIDE, layer = i / SIDE / SIDE;
            double v[3];
            for (int k = 0; k < 3; k++) v[k] = (seed = seed * 1664525u + 1013904223u) / 4294967296.0 - 0.5;
            snprintf(scene + strlen(scene), sizeof scene - strlen(scene), "  b%d: {position: [%g, %g", i, (column + 0.5) / SIDE, (row + 0.5) / SIDE);
            if (space) snprintf(scene + strlen(scene), sizeof scene - strlen(scene), ", %g", (layer + 0.5) / SIDE);
            snprintf(scene + strlen(scene), sizeof scene - strlen(scene), "], velocity: [%g, %g", v[0], v[1]);
            if (space) snprintf(scene + strlen(scene), sizeof scene - strlen(scene), ", %g", v[2]);
            snprintf(scene + strlen(scene), sizeof scene - strlen(scene), "], shapes: [{%s: {radius: %g, material: m}}]}\n", space ? "sphere" : "disk",
                     0.12 + 0.01 * (i % 4));
        }
        snprintf(scene + strlen(scene), sizeof scene - strlen(scene), "probes: {e: {energy: kinetic}}\n");
        lab l = open_spook("1 ms", scene);
        const double e0 = lab_probe(&l, "e");
        double e = e0, P0[3], P[3];
        momentum(&l, P0);
        for (int n = 0; n < 2000; n++) {
            lab_step(&l);
            const double now = lab_probe(&l, "e");
            CHECK(now <= e * (1 + 1e-9));
            e = now;
            momentum(&l, P);
            for (int k = 0; k < 3; k++) CHECK_NEAR(P[k], P0[k], 1e-9);
        }
        CHECK(e < 0.5 * e0);
        CHECK(e > 0.01 * e0);
        close_lab(&l);
    }
}

/* The state in the midst of bounces, put into another world, goes on with the same bits. */
TEST(restart)
{
    for (int space = 0; space < 2; space++) {
        lab l = row(space, 0.5);
        talus_field field[64];
        for (int n = 0; n < 2; n++) lab_step(&l);
        const int n = talus_state_count(l.world);
        for (int i = 0; i < n; i++) talus_state_field(l.world, i, &field[i]);
        lab again = row(space, 0.5);
        CHECK_OK(talus_state_restore(again.world, field, n), talus_world_error(again.world));
        for (int i = 0; i < 100; i++) {
            lab_step(&l), lab_step(&again);
            CHECK(talus_world_hash(l.world) == talus_world_hash(again.world));
        }
        close_lab(&l), close_lab(&again);
    }
}

/* ---- what joints hold ----------------------------------------------------------------------------------------------------------- */

/* A bar of 3 kg and 1 m hinged at its upper end is struck at the lower one by 1 kg: the hinge keeps its rate in the impact, and takes its part of the impulse
 * in the same step. About the hinge m V L = m v L + J ω, and the end parts with e V. As bodies and as a mechanism's link. */
TEST(a_hinged_bar_is_struck)
{
    for (int link = 0; link < 2; link++)
        for (int k = 0; k < 3; k++) {
            const double e = 0.5 * k, m = 1, L = 1, J = 3 * L * L / 3, V = 1, w = (1 + e) * m * V * L / (J + m * L * L), v = w * L - e * V;
            char scene[2048];
            snprintf(scene, sizeof scene,
                     "materials: {m: {density: 1000}}\ninteractions: [{restitution: %g}]\nbodies:\n  ball: {mass: 1, inertia: 0.01, position: [-0.1004, -1], "
                     "velocity: "
                     "[1, 0], shapes: [{disk: {radius: 0.1, material: m}}]}\n%sprobes: {v: {body: ball, quantity: vx}, w: {body: bar, quantity: "
                     "angular_velocity}%s}\n",
                     e,
                     link ? "mechanisms:\n  m:\n    bodies: {bar: {mass: 3, inertia: 0.25, centre_of_mass: [0, -0.5], shapes: [{segment: {from: [0, -1.1], to: "
                            "[0, 0], "
                            "material: m}}]}}\n    joints: {j: {type: revolute, parent: ground, child: bar}}\n"
                          : "  bar: {mass: 3, inertia: 0.25, position: [0, -0.5], shapes: [{segment: {from: [0, -0.6], to: [0, 0.5], material: m}}]}\njoints: "
                            "{j: {type: "
                            "revolute, bodies: [ground, bar], at: [0, 0]}}\n",
                     link ? "" : ", f: {body_joint: j, quantity: x}");
            lab l = open_spook("1 ms", scene);
            double hinge = 0;
            for (int n = 0; n < 3; n++) {
                lab_step(&l);
                if (!link) hinge += lab_probe(&l, "f") * 1e-3;
            }
            CHECK_NEAR(lab_probe(&l, "v"), v, 1e-3);
            CHECK_NEAR(lab_probe(&l, "w"), w, 1e-3);
            if (!link) CHECK_NEAR(hinge, 3 * w * L / 2 - m * (V - v), 1e-3);
            close_lab(&l);
        }
}

/* 1 kg against a stop with e, in a joint between bodies and in one of a mechanism: it comes back with e V, and energy that a rigid stop takes is gone. */
TEST(stops)
{
    for (int link = 0; link < 2; link++)
        for (int k = 0; k < 3; k++) {
            const double e = 0.5 * k;
            char scene[1024];
            snprintf(scene, sizeof scene,
                     link ? "mechanisms:\n  m:\n    bodies: {b: {mass: 1}}\n    joints: {p: {type: prismatic, parent: ground, child: b, velocity: 1}}\n    "
                            "forces: {f: {joint: p, "
                            "high: 10 cm, restitution: %g}}\nprobes: {x: {joint: p}, v: {joint: p, quantity: velocity}}\n"
                          : "bodies: {b: {mass: 1, inertia: 1, velocity: [1, 0]}}\njoints: {p: {type: prismatic, bodies: [ground, b], axis: [1, 0], slide: "
                            "{high: 10 cm, "
                            "restitution: %g}}}\nprobes: {x: {body: b, quantity: x}, v: {body: b, quantity: vx}}\n",
                     e);
            lab l = open_spook("3 ms", scene);
            double most = 0;
            while (talus_world_time(l.world) < 0.2) {
                lab_step(&l);
                most = fmax(most, lab_probe(&l, "x"));
            }
            CHECK(most < 0.1 + 1e-9);
            CHECK_NEAR(lab_probe(&l, "v"), -e, 1e-9);
            CHECK_NEAR(lab_probe(&l, "x"), 0.1 - e * 0.1, 4e-3);
            close_lab(&l);
        }
}

/* ---- friction ------------------------------------------------------------------------------------------------------------------- */

/* A box slides to rest after v²/(2 μ g), to the first order, and lies as deep as it did. */
TEST(a_box_slides)
{
    for (int space = 0; space < 2; space++) {
        char scene[1024];
        snprintf(scene, sizeof scene,
                 "dimension: %d\ngravity: [0, %s-9.81]\nmaterials: {m: {density: 1000}}\ninteractions: [{friction: 0.4}]\nbodies:\n  floor: {kind: fixed, "
                 "shapes: [{%s}]}\n"
                 "  box: {position: [0, %s0.05], velocity: [2, 0%s], shapes: [{box: {size: [0.3, 0.1%s], material: m}}]}\nprobes: {x: {body: box, quantity: "
                 "x}, v: {body: "
                 "box, quantity: vx}, z: {body: box, quantity: %s}}\n",
                 space ? 3 : 2, space ? "0, " : "",
                 space ? "half_space: {point: [0, 0, 0], normal: [0, 0, 1], material: m}" : "half_plane: {point: [0, 0], normal: [0, 1], material: m}",
                 space ? "0, " : "", space ? ", 0" : "", space ? ", 0.1" : "", space ? "z" : "y");
        lab l = open_spook("2 ms", scene);
        lab_run(&l, 1);
        CHECK_NEAR(lab_probe(&l, "x"), 4 / (2 * 0.4 * 9.81), 2 * 2e-3);
        CHECK_NEAR(lab_probe(&l, "v"), 0, 1e-9);
        CHECK_NEAR(lab_probe(&l, "z"), 0.05, 1e-9);
        close_lab(&l);
    }
}

int main(int argc, char **argv)
{
    RUN(an_impact_goes_through_a_row);
    RUN(a_ball_bounces);
    RUN(a_gas_of_balls);
    RUN(restart);
    RUN(a_hinged_bar_is_struck);
    RUN(stops);
    RUN(a_box_slides);
    return TEST_RESULT;
}
