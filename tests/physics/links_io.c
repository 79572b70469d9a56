/* Ropes, chains and struts of scenes, and which coordinates of a mechanism depend; against closed forms. */
#include "lab.h"

static const double G = 9.81;

/* A ball on a rope of 2 m hangs only 1.2 m below: it falls freely until the rope is taut, 0.8 m further, and hangs there with its weight. */
static void falls_into_its_rope(int dimension)
{
    char text[1024];
    const bool space = dimension == 3;
    const char *const z = space ? ", 0" : "";
    snprintf(text, sizeof text,
             "dimension: %d\ngravity: [0, -9.81%s]\ntime: {end: 2 s, step: 1 ms}\nsolver: {tolerance: 1e-10 m/s}\nmaterials: {m: {density: 1}}\n"
             "bodies: {ball: {position: [1, -1.2%s], mass: 3 kg, shapes: [{%s: {radius: 5 cm, material: m}}]}}\n"
             "ropes: {line: {type: rope, bodies: [ground, ball], at: [[1, 0%s], [0, 0%s]], length: 2 m}}\n"
             "probes: {y: {body: ball, quantity: y}, pull: {rope: line}}\n",
             dimension, z, z, space ? "sphere" : "disk", z, z);
    lab l = open_lab(text, 1);
    const double taut = sqrt(2 * 0.8 / G);
    lab_run(&l, taut - 2e-3);
    const double t = talus_world_time(l.world);
    CHECK_NEAR(lab_probe(&l, "y"), -1.2 - 0.5 * G * t * t, 1e-9);
    CHECK(lab_probe(&l, "pull") == 0);
    lab_run(&l, 1);
    CHECK_NEAR(lab_probe(&l, "y"), -2, 1e-4);
    CHECK_NEAR(lab_probe(&l, "pull"), 3 * G, 1e-6);
    close_lab(&l);
}

TEST(rope_with_a_length)
{
    falls_into_its_rope(2);
    falls_into_its_rope(3);
}

/* A chain of four balls, its first rope held by the ground, all 0.3 m long while the balls are 0.2 m apart at first: it falls into that length, and at rest
 * the k-th rope bears what hangs on it. */
TEST(chain_in_space)
{
    lab l = open_lab("dimension: 3\ngravity: [0, 0, -9.81]\ntime: {end: 5 s, step: 1 ms}\nintegrator: {theta: 1}\nsolver: {tolerance: 1e-9 m/s, "
                     "max_iterations: 100000}\nmaterials: {m: {density: 7800}}\n"
                     "grains: {balls: {generator: list, radius: 2 cm, material: m, positions: [[0, 0, -0.3], [0, 0, -0.5], [0, 0, -0.7], [0, 0, -0.9]]}}\n"
                     "ropes: {chain: {type: rope, bodies: [ground], along: balls, length: 0.3 m}}\n"
                     "probes: {p1: {rope: chain.1}, p2: {rope: chain.2}, p4: {rope: chain.4}, z: {body: balls.4, quantity: z}}\n",
                     1);
    lab_run(&l, 1);
    const double weight = 7800 * 4.0 / 3 * 3.14159265358979323846 * 8e-6 * G;
    CHECK_NEAR(lab_probe(&l, "z"), -1.2, 5e-4);
    CHECK_CLOSE(lab_probe(&l, "p1"), 4 * weight, 1e-4);
    CHECK_CLOSE(lab_probe(&l, "p2"), 3 * weight, 1e-4);
    CHECK_CLOSE(lab_probe(&l, "p4"), weight, 1e-4);
    close_lab(&l);
}

/* A conical pendulum: on a rope of length L that leans by 30° a ball goes round with ω² = g/(L cos 30°), pulled with m g/cos 30°. */
TEST(conical_pendulum)
{
    const double L = 1, c = sqrt(0.75), s = 0.5, w = sqrt(G / (L * c));
    char text[1024];
    snprintf(text, sizeof text,
             "dimension: 3\ngravity: [0, 0, -9.81]\ntime: {end: 5 s, step: 0.1 ms}\nsolver: {tolerance: 1e-10 m/s}\nmaterials: {m: {density: 1}}\n"
             "bodies: {ball: {position: [%.17g, 0, %.17g], velocity: [0, %.17g, 0], mass: 2 kg, shapes: [{sphere: {radius: 1 cm, material: m}}]}}\n"
             "ropes: {line: {type: rope, bodies: [ground, ball], length: 1 m}}\n"
             "probes: {x: {body: ball}, y: {body: ball, quantity: y}, z: {body: ball, quantity: z}, pull: {rope: line}}\n",
             L * s, -L * c, w * L * s);
    lab l = open_lab(text, 1);
    lab_run(&l, 0.5);
    CHECK_NEAR(lab_probe(&l, "x"), L * s * cos(0.5 * w), 1e-3);
    CHECK_NEAR(lab_probe(&l, "y"), L * s * sin(0.5 * w), 1e-3);
    CHECK_NEAR(lab_probe(&l, "z"), -L * c, 1e-3);
    CHECK_CLOSE(lab_probe(&l, "pull"), 2 * G / c, 5e-3);
    close_lab(&l);
}

/* In the plane a strut carries a body on its end, with its weight, and lets another one go up. */
TEST(strut_in_the_plane)
{
    lab l = open_lab("gravity: [0, -9.81]\ntime: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 1}}\n"
                     "bodies:\n"
                     "  low: {position: [0, 1], mass: 3 kg, shapes: [{disk: {radius: 5 cm, material: m}}]}\n"
                     "  high: {position: [5, 1], velocity: [0, 2 m/s], mass: 3 kg, shapes: [{disk: {radius: 5 cm, material: m}}]}\n"
                     "ropes: {under: {type: strut, bodies: [ground, low]}, loose: {type: strut, bodies: [ground, high], at: [[5, 0], [0, 0]]}}\n"
                     "probes: {push: {rope: under}, y: {body: low, quantity: y}, loose: {rope: loose}, high: {body: high, quantity: y}}\n",
                     1);
    lab_run(&l, 0.2);
    CHECK_NEAR(lab_probe(&l, "push"), -3 * G, 1e-6);
    CHECK_NEAR(lab_probe(&l, "y"), 1, 1e-6);
    CHECK(lab_probe(&l, "loose") == 0);
    CHECK_NEAR(lab_probe(&l, "high"), 1 + 2 * 0.2 - 0.5 * G * 0.04, 1e-9);
    close_lab(&l);
}

/* An elastic rope that stays taut: about L + m g/K a ball swings with ω² = K/m − (D/2m)², and its swing falls as exp(−D t/2m). */
TEST(elastic_rope_of_the_penalty_scheme)
{
    lab l = open_lab("gravity: [0, -9.81]\ntime: {end: 9 s, step: 0.1 ms}\nintegrator: {scheme: penalty_rk4}\nmaterials: {m: {density: 1}}\n"
                     "bodies: {ball: {position: [0, -1.15], mass: 2 kg, inertia: 1, shapes: [{disk: {radius: 5 cm, material: m}}]}}\n"
                     "interactions: [{stiffness: 1e5}]\n"
                     "ropes: {line: {type: rope, bodies: [ground, ball], length: 1 m, stiffness: 200 N/m, damping: 4 N s/m}}\n"
                     "probes: {y: {body: ball, quantity: y}, pull: {rope: line}}\n",
                     1);
    const double rest = -1 - 2 * G / 200, beta = 1, omega = sqrt(100 - beta * beta), t = 0.7, start = -1.15 - rest;
    lab_run(&l, t);
    CHECK_NEAR(lab_probe(&l, "y"), rest + start * exp(-beta * t) * (cos(omega * t) + beta / omega * sin(omega * t)), 1e-7);
    lab_run(&l, 9);
    CHECK_CLOSE(lab_probe(&l, "pull"), 2 * G, 1e-3);
    close_lab(&l);
}

/* A disk rests on a sloping rounded segment that rubs as its own material: from its axis it is away by both radii. */
TEST(segment_in_the_plane)
{
    lab l = open_lab("gravity: [0, -9.81]\ntime: {end: 9 s, step: 1 ms}\nsolver: {tolerance: 1e-9}\nmaterials: {ice: {density: 900}, m: {density: 1000}}\n"
                     "interactions: [{between: [m, ice], friction: 0}, {friction: 1}]\n"
                     "bodies: {ramp: {kind: fixed, material: m, shapes: [{segment: {from: [-1, 0.75], to: [3, -2.25], radius: 2 cm, material: ice}}]},\n"
                     "         b: {position: [0.072, 0.096], shapes: [{disk: {radius: 0.1, material: m}}]}}\n"
                     "probes: {x: {body: b}, y: {body: b, quantity: y}, push: {contact_force: b}}\n",
                     1);
    lab_run(&l, 0.5);
    const double down = 0.5 * G * 0.6 * 0.25; /* slides by ½ g sin a t² */
    CHECK_NEAR(lab_probe(&l, "x"), 0.072 + 0.8 * down, 1e-3);
    CHECK_NEAR(lab_probe(&l, "y"), 0.096 - 0.6 * down, 1e-3);
    CHECK_CLOSE(lab_probe(&l, "push"), 1000 * 0.01 * 3.14159265358979323846 * G * 0.8, 1e-3);
    CHECK_NEAR(talus_body_distance(l.world, talus_body_find(l.world, "ramp"), (double[3]){-1.4, 0.75 + 0.3, 0}, 1), 0.5 - 0.02, 1e-12); /* from its end */
    CHECK_NEAR(talus_body_distance(l.world, talus_body_find(l.world, "ramp"), (double[3]){3.6, -2.25 - 0.8, 0}, 2), 1 - 0.02, 1e-12);
    close_lab(&l);
}

/* A free link on a hinge whose axis is the link's y and the world's z, with its centre of mass 0.4 m out: weight along the axis does not tip it, as it would
 * on a point; it turns on with its rate. */
TEST(hinge_in_space)
{
    lab l =
        open_lab("dimension: 3\ngravity: [0, 0, -9.81]\ntime: {end: 1 s, step: 1 ms}\n"
                 "mechanisms: {m: {bodies: {b: {mass: 2 kg, inertia: 0.5, centre_of_mass: [0.4, 0, 0]}}, joints: {J: {type: free, parent: ground, child: b, "
                 "velocity: {wy: 1.5 rad/s}}}, loops: {h: {type: hinge, bodies: [ground, b], at: [[0, 0, 0], [0, 0, 0]], axes: [[0, 0, 1], [0, 1, 0]]}}}}\n"
                 "probes: {x: {body: b, at: [0, 1, 0]}, z: {body: b, at: [0, 1, 0], quantity: z}, cz: {body: b, at: [0.4, 0, 0], quantity: z}, w: {body: b, "
                 "quantity: wz}, F: {loop: h}, M: {loop: h, quantity: moment}}\n",
                 1);
    lab_run(&l, 0.4);
    CHECK_NEAR(lab_probe(&l, "z"), 1, 1e-9);
    CHECK_NEAR(lab_probe(&l, "x"), 0, 1e-6);
    CHECK_NEAR(lab_probe(&l, "cz"), 0, 1e-6);
    CHECK(fabs(lab_probe(&l, "w")) > 1);
    CHECK_NEAR(fabs(lab_probe(&l, "M")), 0.4 * 2 * G, 0.05);
    close_lab(&l);
}

/* ---- dependent coordinates --------------------------------------------------------------------------------------------- */

/* A crank turns about z with 2 rad/s against nothing, its rod of 3 m moves a slider of no inertia along x: x = cos φ + √(9 − sin² φ). Chosen by itself or
 * named, the slider depends, and passes the dead points. Where the crank is named, its rate at a dead point is the slider's over nothing, and the run says so.
 */
static const char CRANK[] = "dimension: %d\n"
                            "time: {end: 9 s, step: 0.5 ms}\n"
                            "mechanisms:\n"
                            "  press:\n"
                            "    bodies: {crank: {mass: 1, inertia: 5}, slider: {mass: 1e-9 kg}}\n"
                            "    joints: {A: {type: revolute, parent: ground, child: crank, angle: 0.5 rad, velocity: 2 rad/s},\n"
                            "             S: {type: prismatic, parent: ground, child: slider, position: 3.8 m}}\n"
                            "    loops: {rod: {type: rod, bodies: [crank, slider], at: [[1, 0%s], [0, 0%s]], length: 3 m}}\n"
                            "    %s\n"
                            "probes: {phi: {joint: A}, x: {joint: S}}\n";

static void turns_a_crank(int d)
{
    static const char *const NAMED[] = {"", "dependent: [S]", "dependent: [A]"};
    double end[2] = {0};
    for (int k = 0; k < 3; k++) {
        char text[2048];
        snprintf(text, sizeof text, CRANK, d, d == 2 ? "" : ", 0", d == 2 ? "" : ", 0", NAMED[k]);
        lab l = open_lab(text, 1);
        talus_status status = TALUS_OK;
        for (int step = 0; step < 8000 && status == TALUS_OK; step++) {
            status = talus_world_step(l.world, NULL);
            const double phi = lab_probe(&l, "phi");
            if (step % 100 == 0) CHECK_NEAR(lab_probe(&l, "x"), cos(phi) + sqrt(9 - sin(phi) * sin(phi)), 1e-9);
        }
        if (k < 2) {
            CHECK_OK(status, talus_world_error(l.world));
            end[k] = lab_probe(&l, "phi");
            CHECK_NEAR(end[k], 0.5 + 2 * 4, 1e-6); /* two dead points and more on */
        } else {
            CHECK(status == TALUS_SINGULAR);
            CHECK_NEAR(lab_probe(&l, "phi"), 3.14159265358979323846, 0.1);
            CHECK(strstr(talus_world_error(l.world), "press"));
        }
        close_lab(&l);
    }
    CHECK_NEAR(end[0], end[1], 1e-9);
}

TEST(dependent_coordinates)
{
    turns_a_crank(2);
    turns_a_crank(3);
}

/* An arm with a shape and no inertia swings as a point does, which is said; with an inertia, without shapes, or where it only slides, nothing is. */
TEST(arm_without_inertia)
{
    static const struct {
        const char *body[2], *joint;
        bool said;
    } CASE[] = {{{"mass: 2, shapes: [{disk: {radius: 0.1, material: m}}]", "mass: 2, shapes: [{sphere: {radius: 0.1, material: m}}]"}, "revolute", true},
                {{"mass: 2, inertia: 0.1, shapes: [{disk: {radius: 0.1, material: m}}]",
                  "mass: 2, inertia: [0.1, 0.1, 0.1], shapes: [{sphere: {radius: 0.1, material: m}}]"},
                 "revolute",
                 false},
                {{"mass: 2", "mass: 2"}, "revolute", false},
                {{"mass: 2, shapes: [{disk: {radius: 0.1, material: m}}]", "mass: 2, shapes: [{sphere: {radius: 0.1, material: m}}]"}, "prismatic", false}};
    for (int dimension = 2; dimension <= 3; dimension++)
        for (size_t i = 0; i < sizeof CASE / sizeof *CASE; i++) {
            char text[1024];
            snprintf(text, sizeof text,
                     "dimension: %d\ngravity: [0, 0%s]\ntime: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 1}}\nmechanisms:\n  a:\n    bodies: "
                     "{arm: {centre_of_mass: [0.5, 0%s], %s}}\n    joints: {j: {type: %s, parent: ground, child: arm, velocity: 1}}\nprobes: {e: {energy: "
                     "kinetic}}\n",
                     dimension, dimension == 3 ? ", 0" : "", dimension == 3 ? ", 0" : "", CASE[i].body[dimension - 2], CASE[i].joint);
            lab l = open_lab(text, 1);
            CHECK((strstr(talus_world_all_warnings(l.world), "body 'arm' has a mass and shapes, turns in joint 'j', and has no 'inertia'") != NULL) ==
                  CASE[i].said);
            lab_step(&l);
            CHECK_NEAR(lab_probe(&l, "e"), strcmp(CASE[i].joint, "prismatic") == 0 ? 1 : i == 1 ? 0.5 * (2 * 0.25 + 0.1) : 0.25, 1e-9);
            close_lab(&l);
        }
}

int main(int argc, char **argv)
{
    RUN(rope_with_a_length);
    RUN(chain_in_space);
    RUN(conical_pendulum);
    RUN(strut_in_the_plane);
    RUN(elastic_rope_of_the_penalty_scheme);
    RUN(segment_in_the_plane);
    RUN(hinge_in_space);
    RUN(dependent_coordinates);
    RUN(arm_without_inertia);
    return TEST_RESULT;
}
