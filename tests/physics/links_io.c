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

/* ---- dependent coordinates --------------------------------------------------------------------------------------------- */

/* A crank turns about z with 2 rad/s against nothing, its rod of 3 m moves a slider of no inertia along x: x = cos φ + √(9 − sin² φ). Chosen by itself or
 * named, the slider depends, and passes the dead points. Where the crank is named, its rate at a dead point is the slider's over nothing, and the run says so.
 */
static const char CRANK[] = "dimension: 3\n"
                            "time: {end: 9 s, step: 0.5 ms}\n"
                            "mechanisms:\n"
                            "  press:\n"
                            "    bodies: {crank: {mass: 1, inertia: 5}, slider: {mass: 1e-9 kg}}\n"
                            "    joints: {A: {type: revolute, parent: ground, child: crank, angle: 0.5 rad, velocity: 2 rad/s},\n"
                            "             S: {type: prismatic, parent: ground, child: slider, position: 3.8 m}}\n"
                            "    loops: {rod: {type: rod, bodies: [crank, slider], at: [[1, 0, 0], [0, 0, 0]], length: 3 m}}\n"
                            "    %s\n"
                            "probes: {phi: {joint: A}, x: {joint: S}}\n";

TEST(dependent_coordinates)
{
    static const char *const NAMED[] = {"", "dependent: [S]", "dependent: [A]"};
    double end[2] = {0};
    for (int k = 0; k < 3; k++) {
        char text[2048];
        snprintf(text, sizeof text, CRANK, NAMED[k]);
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

int main(int argc, char **argv)
{
    RUN(rope_with_a_length);
    RUN(chain_in_space);
    RUN(conical_pendulum);
    RUN(strut_in_the_plane);
    RUN(dependent_coordinates);
    return TEST_RESULT;
}
