/* Keys that say how a scene is computed, and from which files: what they promise, and what they may not change. */
#include "lab.h"
#include "talus/record.h"

static const double G = 9.81;

/* ---- detection -------------------------------------------------------------------------------------------------------- */

/* 3 × 3 grains, 5 mm apart, at rest: nearer than the alert distance are none or the twelve pairs of neighbours. Diagonal neighbours are 88 mm apart. */
TEST(candidates_by_alert_distance)
{
    static const struct {
        const char *distance;
        int candidates;
    } CASES[] = {{"4.9 mm", 0}, {"5.1 mm", 12}, {"84 mm", 12}, {"90 mm", 20}};
    for (int d = 2; d <= 3; d++)
        for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
            char text[1024];
            snprintf(text, sizeof text,
                     "dimension: %d\ntime: {end: 1 s, step: 1 ms}\ndetection: {alert_distance: %s}\nmaterials: {m: {density: 1000}}\n"
                     "grains: {g: {generator: lattice, rows: 3, columns: 3, spacing: 205 mm, radius: 100 mm, material: m}}\n",
                     d, CASES[i].distance);
            lab l = open_lab(text, 1);
            talus_step_report report;
            for (int k = 0; k < 3; k++) CHECK_OK(talus_world_step(l.world, &report), talus_world_error(l.world));
            CHECK(report.contacts == CASES[i].candidates && report.touching == 0);
            close_lab(&l);
        }
}

/* Grains fall onto each other, bounce and roll: how far detection looks ahead may cost time, never a bit of the motion. */
TEST(motion_does_not_know_the_alert_distance)
{
    static const char *const DISTANCE[] = {"0.1 mm", "3 mm", "30 mm"};
    for (int d = 2; d <= 3; d++) {
        double z[3], kinetic[3];
        for (int k = 0; k < 3; k++) {
            char text[2048];
            const bool space = d == 3;
            snprintf(
                text, sizeof text,
                "dimension: %d\ngravity: %s\ntime: {end: 1 s, step: 1 ms}\ndetection: {alert_distance: %s}\nsolver: {tolerance: 1e-12, max_iterations: 20000}\n"
                "materials: {m: {density: 1000}}\ninteractions: [{friction: 0.4}]\n"
                "bodies: {floor: {kind: fixed, shapes: [{%s: {point: %s, normal: %s, material: m}}]}}\n"
                "grains: {g: {generator: list, radius: 0.1, material: m, positions: %s}}\nprobes: {z: {body: g.3, quantity: x}, E: {energy: kinetic}}\n",
                d, space ? "[1, 0, -9.81]" : "[1, -9.81]", DISTANCE[k], space ? "half_space" : "half_plane", space ? "[0, 0, 0]" : "[0, 0]",
                space ? "[0, 0, 1]" : "[0, 1]", space ? "[[0, 0, 0.2], [0.05, 0.02, 0.45], [0.3, 0, 0.15]]" : "[[0, 0.2], [0.05, 0.45], [0.3, 0.15]]");
            lab l = open_lab(text, 1);
            lab_run(&l, 0.35);
            z[k] = lab_probe(&l, "z"), kinetic[k] = lab_probe(&l, "E");
            CHECK(kinetic[k] > 1);
            CHECK_NEAR(z[k], z[0], 1e-9);
            CHECK_CLOSE(kinetic[k], kinetic[0], 1e-9);
            close_lab(&l);
        }
    }
}

/* ---- drift ------------------------------------------------------------------------------------------------------------- */

/* A ball that stands 3 mm deep in the floor, without weight: what is deeper than the slop goes by a fifth a step, the slop stays, and nothing moves for it. */
TEST(slop_is_left_alone)
{
    static const double SLOP[] = {2e-3, 1e-3};
    for (int d = 2; d <= 3; d++)
        for (int k = 0; k < 3; k++) {
            char text[1024];
            const bool space = d == 3;
            double depth = 3e-3;
            snprintf(text, sizeof text,
                     "dimension: %d\ntime: {end: 1 s, step: 1 ms}\ndrift: {slop: %g m, correct: %s}\nmaterials: {m: {density: 1000}}\n"
                     "bodies: {floor: {kind: fixed, shapes: [{%s: {point: %s, normal: %s, material: m}}]}, ball: {position: %s, shapes: [{%s: {radius: 0.1, "
                     "material: m}}]}}\n"
                     "probes: {z: {body: ball, quantity: %s}, E: {energy: kinetic}}\n",
                     d, SLOP[k % 2], k == 2 ? "false" : "true", space ? "half_space" : "half_plane", space ? "[0, 0, 0]" : "[0, 0]",
                     space ? "[0, 0, 1]" : "[0, 1]", space ? "[0, 0, 0.097]" : "[0, 0.097]", space ? "sphere" : "disk", space ? "z" : "y");
            lab l = open_lab(text, 1);
            for (int step = 0; step < 60; step++) {
                lab_step(&l);
                if (k < 2) depth = SLOP[k] + 0.8 * (depth - SLOP[k]);
                CHECK_NEAR(0.1 - lab_probe(&l, "z"), depth, 1e-12);
            }
            CHECK(lab_probe(&l, "E") == 0);
            close_lab(&l);
        }
}

/* ---- laws ---------------------------------------------------------------------------------------------------------------- */

/* The convex relaxation lets a contact that slides open with V_n = μ |V_t|: an associated law's dilatancy. A ball that comes to the floor with w down and v
 * along, one step, without weight: with J = k m r² the contact gets m P, P (1 + (1 + 1/k) μ²) = w + μ v; Coulomb's law gives P = w, and no opening. */
TEST(convex_contacts_open_as_they_slide)
{
    static const char *const METHOD[] = {"ccp", "interior_point", "newton", "proximal", "auto"};
    const double v = 3, w = 0.5, mu = 0.3;
    for (int d = 2; d <= 3; d++)
        for (int i = 0; i < 10; i++) {
            const bool space = d == 3, convex = i < 5;
            const double more = space ? 3.5 : 3, P = convex ? (w + mu * v) / (1 + more * mu * mu) : w, slides = v - more * mu * P;
            char text[1024];
            snprintf(text, sizeof text,
                     "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nsolver: {method: %s, convex: %s, tolerance: 1e-10}\nmaterials: {m: {density: "
                     "1000}}\ninteractions: [{friction: 0.3}]\n"
                     "bodies: {floor: {kind: fixed, shapes: [{%s: {point: %s, normal: %s, material: m}}]}, ball: {position: %s, velocity: %s, shapes: [{%s: "
                     "{radius: 0.1, material: m}}]}}\n"
                     "probes: {up: {body: ball, quantity: %s}, along: {body: ball, quantity: vx}, spin: {body: ball, quantity: %s}}\n",
                     d, METHOD[i % 5], convex ? "true" : "false", space ? "half_space" : "half_plane", space ? "[0, 0, 0]" : "[0, 0]",
                     space ? "[0, 0, 1]" : "[0, 1]", space ? "[0, 0, 0.1]" : "[0, 0.1]", space ? "[3, 0, -0.5]" : "[3, -0.5]", space ? "sphere" : "disk",
                     space ? "vz" : "vy", space ? "wy" : "angular_velocity");
            lab l = open_lab(text, 1);
            lab_step(&l);
            CHECK_NEAR(lab_probe(&l, "up"), convex ? mu * slides : 0, 1e-7);
            CHECK_NEAR(lab_probe(&l, "along"), v - mu * P, 1e-7);
            CHECK_NEAR(fabs(lab_probe(&l, "spin")) * 0.1, (more - 1) * mu * P, 1e-7);
            close_lab(&l);
        }
}

/* Below the friction velocity of the penalty scheme friction is viscous: v falls as exp(−μ g t/v_f) for a disk that hardly turns. Above it, it is Coulomb's. */
TEST(viscous_below_the_friction_velocity)
{
    for (int k = 0; k < 2; k++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "gravity: [0, -9.81]\ntime: {end: 9 s, step: 0.1 ms}\nintegrator: {scheme: penalty_rk4}\nmaterials: {m: {density: 1000}}\n"
                 "interactions: [{stiffness: 1e6 N/m, damping: 5e3 N s/m, friction: 0.2, friction_velocity: %s}]\n"
                 "bodies: {floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: m}}]},\n"
                 "         disk: {position: [0, 0.0999019], velocity: [0.5, 0], mass: 10 kg, inertia: 1e9, shapes: [{disk: {radius: 0.1, material: m}}]}}\n"
                 "probes: {v: {body: disk, quantity: vx}}\n",
                 k ? "1 mm/s" : "1 m/s");
        lab l = open_lab(text, 1);
        lab_run(&l, 0.2);
        CHECK_NEAR(lab_probe(&l, "v"), k ? 0.5 - 0.2 * G * 0.2 : 0.5 * exp(-0.2 * G * 0.2), 1e-6);
        close_lab(&l);
    }
}

/* ---- files ------------------------------------------------------------------------------------------------------------------ */

/* What is included is there; what the scene says itself goes before; the rest of a table that both have is of the included one. */
TEST(included_scene)
{
    for (int d = 2; d <= 3; d++) {
        char path[] = "lab-part-XXXXXX", base[1024], text[1024];
        const char *const z = d == 3 ? ", 0" : "";
        const int file = mkstemp(path);
        snprintf(base, sizeof base,
                 "dimension: %d\ngravity: [0, -9.81%s]\ntime: {end: 1 s, step: 1 ms}\nbodies: {a: {mass: 2 kg, %s, velocity: [1, 2%s]}}\nloads: {l: {body: a, "
                 "x: 4 N}}\n"
                 "probes: {x: {body: a}, y: {body: a, quantity: y}}\n",
                 d, z, d == 3 ? "inertia_tensor: [1, 1, 1, 0, 0, 0]" : "inertia: 1", z);
        if (file < 0 || write(file, base, strlen(base)) != (ssize_t)strlen(base)) abort();
        close(file);
        snprintf(text, sizeof text, "include: [%s]\ngravity: [0, -2%s]\nbodies: {a: {velocity: [5, 0%s]}}\n", path, z, z);
        lab l = open_lab(text, 1);
        lab_run(&l, 0.5);
        CHECK_NEAR(lab_probe(&l, "x"), 5 * 0.5 + 0.5 * 2 * 0.25, 1e-9);
        CHECK_NEAR(lab_probe(&l, "y"), -0.5 * 2 * 0.25, 1e-9);
        close_lab(&l);
        unlink(path);
    }
}

/* A run that is left as if it had been killed, after 40 steps; the world that another run of the same scene begins with, and where that is. */
static lab left_and_resumed(const char *text, const char *directory, talus_status *status)
{
    talus_record_def def = talus_record_def_default();
    talus_step_report report;
    talus_record *record = NULL;
    char message[512] = "";
    def.directory = directory;
    lab l = open_lab(text, 1);
    CHECK_OK(talus_record_open(&def, l.scene, l.world, &record, message, sizeof message), message);
    for (int k = 0; k < 40; k++) {
        CHECK_OK(talus_world_step(l.world, &report), talus_world_error(l.world));
        CHECK_OK(talus_record_step(record, l.world, &report), talus_record_error(record));
    }
    talus_record_destroy(record);
    close_lab(&l);
    l = open_lab(text, 1);
    def.resume = true;
    record = NULL;
    *status = talus_record_open(&def, l.scene, l.world, &record, message, sizeof message);
    talus_record_destroy(record);
    return l;
}

/* Saved after every step, a run goes on from its last one with the bits of an undisturbed one; saved once in an hour, there is nothing yet to go on from. */
TEST(checkpoints_as_often_as_told)
{
    for (int d = 2; d <= 3; d++)
        for (int k = 0; k < 2; k++) {
            char directory[] = "/tmp/talus-numerics-XXXXXX", text[2048];
            const bool space = d == 3;
            talus_status status;
            if (!mkdtemp(directory)) abort();
            snprintf(text, sizeof text,
                     "dimension: %d\ngravity: %s\ntime: {end: 1 s, step: 1 ms}\noutput: {checkpoint: {every: %s}}\nmaterials: {m: {density: "
                     "1000}}\ninteractions: [{friction: 0.4}]\n"
                     "bodies: {floor: {kind: fixed, shapes: [{%s: {point: %s, normal: %s, material: m}}]}}\n"
                     "grains: {g: {generator: list, radius: 0.1, material: m, positions: %s}}\n",
                     d, space ? "[1, 0, -9.81]" : "[1, -9.81]", k ? "3600 s" : "0 s", space ? "half_space" : "half_plane", space ? "[0, 0, 0]" : "[0, 0]",
                     space ? "[0, 0, 1]" : "[0, 1]", space ? "[[0, 0, 0.1], [0.05, 0.02, 0.29], [0.3, 0, 0.15]]" : "[[0, 0.1], [0.05, 0.29], [0.3, 0.15]]");
            lab l = left_and_resumed(text, directory, &status);
            if (k == 0) {
                lab whole = open_lab(text, 1);
                CHECK_OK(status, "resume");
                CHECK(talus_world_steps(l.world) == 40);
                lab_run(&whole, 0.2);
                lab_run(&l, 0.2);
                CHECK(talus_world_steps(l.world) == 200 && talus_world_hash(whole.world) == talus_world_hash(l.world));
                close_lab(&whole);
            } else CHECK(status != TALUS_OK && talus_world_steps(l.world) == 0);
            close_lab(&l);
            snprintf(text, sizeof text, "rm -rf '%s'", directory);
            CHECK(system(text) == 0);
        }
}

int main(int argc, char **argv)
{
    RUN(checkpoints_as_often_as_told);
    RUN(candidates_by_alert_distance);
    RUN(motion_does_not_know_the_alert_distance);
    RUN(slop_is_left_alone);
    RUN(convex_contacts_open_as_they_slide);
    RUN(viscous_below_the_friction_velocity);
    RUN(included_scene);
    return TEST_RESULT;
}
