/* What probes say, by every word of theirs, against statics: reactions of clamps, chains of contacts, tensors of a pair that leans. */
#include "lab.h"

static const double PI = 3.14159265358979323846, G = 9.81;

/* A beam of 3 kg, its centre of mass 0.4 m out, clamped by a loop to the ground: force m g, moment 0.4 m g, and with a load of 5 N, 1 m out, 5 N m more. */
TEST(reaction_of_a_clamp)
{
    static const char *const THIRD[] = {"", ", 0"};
    for (int d = 2; d <= 3; d++) {
        char text[1024];
        const char *const z = THIRD[d - 2];
        snprintf(
            text, sizeof text,
            "dimension: %d\ngravity: [0, -9.81%s]\ntime: {end: 1 s, step: 1 ms}\n"
            "mechanisms: {m: {bodies: {beam: {mass: 3 kg, inertia: 0.5, centre_of_mass: [0.4, 0%s]}}, joints: {J: {type: %s, parent: ground, child: beam}}, "
            "loops: {clamp: {type: body, bodies: [ground, beam]}}}}\n"
            "loads: {l: {body: beam, at: [1, 0%s], y: -5 N}}\n"
            "probes: {F: {loop: clamp}, y: {loop: clamp, quantity: y}, M: {loop: clamp, quantity: moment}, x: {joint: J.x, quantity: position}, w: {body: "
            "beam, quantity: %s}}\n",
            d, z, z, d == 2 ? "planar" : "free", z, d == 2 ? "angular_velocity" : "wz");
        lab l = open_lab(text, 1);
        lab_run(&l, 0.1);
        CHECK_NEAR(lab_probe(&l, "F"), 3 * G + 5, 1e-9);
        CHECK_NEAR(fabs(lab_probe(&l, "y")), 3 * G + 5, 1e-9);
        CHECK_NEAR(d == 2 ? copysign(1, lab_probe(&l, "y")) * lab_probe(&l, "M") : lab_probe(&l, "M"), 0.4 * 3 * G + 5, 1e-9); /* in space a magnitude */
        CHECK_NEAR(lab_probe(&l, "x"), 0, 1e-12);
        CHECK_NEAR(lab_probe(&l, "w"), 0, 1e-9);
        close_lab(&l);
    }
}

/* A planar joint whose x is along axis2, 30° up: its coordinates are components along that and across, and `position` is one of them. */
TEST(planar_joint_along_axis2)
{
    lab l = open_lab(
        "time: {end: 1 s, step: 1 ms}\n"
        "mechanisms: {m: {bodies: {b: {mass: 2 kg, inertia: 1}}, joints: {J: {type: planar, axis2: [0.8660254037844386, 0.5], parent: ground, child: b, "
        "velocity: {x: 2 m/s, y: -1 m/s, angle: 1 rad/s}}}, forces: {f: {joint: J.x, constant: 4 N}}}}\n"
        "probes: {u: {joint: J.x, quantity: position}, v: {joint: J.y}, a: {joint: J.angle}, x: {body: b}, y: {body: b, quantity: y}}\n",
        1);
    lab_run(&l, 0.5);
    const double u = 2 * 0.5 + 0.5 * 2 * 0.25, v = -0.5, c = sqrt(0.75), s = 0.5;
    CHECK_NEAR(lab_probe(&l, "u"), u, 1e-9);
    CHECK_NEAR(lab_probe(&l, "v"), v, 1e-9);
    CHECK_NEAR(lab_probe(&l, "a"), 0.5, 1e-9);
    CHECK_NEAR(lab_probe(&l, "x"), c * u - s * v, 1e-9);
    CHECK_NEAR(lab_probe(&l, "y"), s * u + c * v, 1e-9);
    close_lab(&l);
}

/* A key that is not of the kind would be taken for granted. */
TEST(keys_that_say_nothing_are_refused)
{
    static const char *const PROBE[][2] = {{"energy: total, quantity: kinetic", "'quantity' says nothing of a probe of 'energy'"},
                                           {"body: b, frame: b", "'frame' says nothing of a probe of 'body'"},
                                           {"number: all, quantity: x", "'quantity' says nothing of a probe of 'number'"},
                                           {"contact_force: b, region: [[0, 0], [1, 1]]", "'region' says nothing of a probe of 'contact_force'"},
                                           {"stress: all, region: [[0, 0], [1, 1]], normal: [0, 1]", "'normal' says nothing of a probe of 'stress'"}};
    for (size_t i = 0; i < sizeof PROBE / sizeof *PROBE; i++) {
        char text[400];
        snprintf(text, sizeof text, "time: {end: 1 s, step: 1 ms}\nbodies: {b: {mass: 1, inertia: 1}}\nprobes: {p: {%s}}\n", PROBE[i][0]);
        talus_scene *scene = load_lab(text);
        talus_world *w = NULL;
        if (talus_scene_mistake_count(scene) == 0) CHECK(talus_scene_build(scene, 1, &w) != TALUS_OK);
        const char *said = talus_scene_mistake_count(scene) > 0 ? talus_scene_mistake(scene, 0) : "";
        if (!strstr(said, PROBE[i][1])) TEST_FAIL("%s: %s", PROBE[i][0], said);
        talus_world_destroy(w);
        talus_scene_destroy(scene);
    }
}

/* Four grains of diameter 1 on top of each other: the top one is pressed by one, three by two. The mean of the stress's diagonal in the box around them. */
TEST(column)
{
    for (int d = 2; d <= 3; d++) {
        char text[2048];
        const bool space = d == 3;
        snprintf(
            text, sizeof text,
            "dimension: %d\ngravity: %s\ntime: {end: 1 s, step: 1 ms}\nsolver: {tolerance: 1e-12, max_iterations: 100000}\nmaterials: {m: {density: 1000}}\n"
            "bodies: {floor: {kind: fixed, shapes: [{%s: {point: %s, normal: %s, material: m}}]}}\n"
            "grains: {g: {generator: lattice, rows: %s, columns: 1, spacing: 1, origin: %s, radius: 0.5, material: m}}\n"
            "probes: {n: {coordination: g, quantity: all}, calm: {coordination: g, quantity: without_rattlers}, p: {stress: g, quantity: mean, region: %s}, "
            "up: {stress: g, quantity: %s, region: %s}}\n",
            d, space ? "[0, 0, -9.81]" : "[0, -9.81]", space ? "half_space" : "half_plane", space ? "[0, 0, 0]" : "[0, 0]", space ? "[0, 0, 1]" : "[0, 1]",
            space ? "1, layers: 4" : "4", space ? "[0, 0, 0.5]" : "[0, 0.5]", space ? "[[-0.5, -0.5, 0], [0.5, 0.5, 4]]" : "[[-0.5, 0], [0.5, 4]]",
            space ? "zz" : "yy", space ? "[[-0.5, -0.5, 0], [0.5, 0.5, 4]]" : "[[-0.5, 0], [0.5, 4]]");
        lab l = open_lab(text, 1);
        lab_run(&l, 0.01);
        const double weight = 1000 * G * (space ? PI / 6 : PI / 4), stress = weight * (4 * 0.5 + 1 + 2 + 3) / 4;
        CHECK_NEAR(lab_probe(&l, "n"), 7.0 / 4, 1e-12);
        CHECK_NEAR(lab_probe(&l, "calm"), 6.0 / 3, 1e-12);
        CHECK_CLOSE(lab_probe(&l, "up"), stress, 1e-6);
        CHECK_CLOSE(lab_probe(&l, "p"), stress / d, 1e-6);
        close_lab(&l);
    }
}

/* Two balls pressed against each other with 100 N along n = (2, 3, 6)/7, in the plane (3, 4)/5: the fabric is n ⊗ n, the stress 100 N × 0.2 m n ⊗ n over the
 * volume, off the diagonals too. */
TEST(pair_that_leans)
{
    for (int d = 2; d <= 3; d++) {
        static const double N[2][3] = {{0.6, 0.8, 0}, {2.0 / 7, 3.0 / 7, 6.0 / 7}};
        const double *n = N[d - 2];
        const bool space = d == 3;
        char text[2048], at[2][80], force[2][80];
        for (int k = 0; k < 2; k++) {
            const double r = k ? 0.1 : -0.1, f = k ? -100 : 100;
            snprintf(at[k], sizeof at[k], space ? "%.17g, %.17g, %.17g" : "%.17g, %.17g", r * n[0], r * n[1], r * n[2]);
            snprintf(force[k], sizeof force[k], space ? "x: %.17g, y: %.17g, z: %.17g" : "x: %.17g, y: %.17g", f * n[0], f * n[1], f * n[2]);
        }
        snprintf(text, sizeof text,
                 "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nsolver: {tolerance: 1e-12, max_iterations: 100000}\nmaterials: {m: {density: 1000}}\n"
                 "bodies: {a: {position: [%s], shapes: [{%s: {radius: 0.1, material: m}}]}, b: {position: [%s], shapes: [{%s: {radius: 0.1, material: m}}]}}\n"
                 "loads: {a: {body: a, %s}, b: {body: b, %s}}\nprobes:\n",
                 d, at[0], space ? "sphere" : "disk", at[1], space ? "sphere" : "disk", force[0], force[1]);
        static const char *const WORD[] = {"xx", "yy", "xy", "zz", "yz", "xz"};
        static const int INDEX[6][2] = {{0, 0}, {1, 1}, {0, 1}, {2, 2}, {1, 2}, {0, 2}};
        const int words = space ? 6 : 3;
        size_t end = strlen(text);
        for (int k = 0; k < words; k++)
            end += (size_t)snprintf(text + end, sizeof text - end, "  s%s: {stress: all, quantity: %s, region: %s}\n  f%s: {fabric: all, quantity: %s}\n",
                                    WORD[k], WORD[k], space ? "[[-1, -1, -1], [1, 1, 1]]" : "[[-1, -1], [1, 1]]", WORD[k], WORD[k]);
        lab l = open_lab(text, 1);
        lab_run(&l, 0.005);
        for (int k = 0; k < words; k++) {
            char name[2][8];
            const double nn = n[INDEX[k][0]] * n[INDEX[k][1]];
            snprintf(name[0], sizeof name[0], "s%s", WORD[k]), snprintf(name[1], sizeof name[1], "f%s", WORD[k]);
            CHECK_NEAR(lab_probe(&l, name[0]), 100 * 0.2 * nn / (space ? 8 : 4), 1e-6);
            CHECK_NEAR(lab_probe(&l, name[1]), nn, 1e-9);
        }
        close_lab(&l);
    }
}

int main(int argc, char **argv)
{
    RUN(reaction_of_a_clamp);
    RUN(planar_joint_along_axis2);
    RUN(keys_that_say_nothing_are_refused);
    RUN(column);
    RUN(pair_that_leans);
    return TEST_RESULT;
}
