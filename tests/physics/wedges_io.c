/* Blows in a wedge that friction locks: Newton's law asks a body to go up again, Coulomb's holds it down by more than any impulse lifts it, so that no impulses
 * solve the problem. Sweeps then came to 1e13 N s and to kilojoules of a fifth of a joule, within the tolerance. */
#include "lab.h"

#include "law/law2.h"
#include "law/law3.h"

/* A V of half an angle of 8 degrees in the middle of which bodies fall on each other; μ = 0.4 is more than tan 8°. */
#define PLANE                                                                                                                                                  \
    "time: {end: 2 s, step: 1 ms}\nintegrator: {scheme: %s}\ngravity: [0, -9.81]\nmaterials: {g: {density: 2600}}\n"                                           \
    "interactions: [{friction: 0.4, restitution: %g}]\nbodies:\n  vee:\n    kind: fixed\n    material: g\n    shapes:\n"                                       \
    "      - box: {size: [2 mm, 60 mm], centre: [-9 mm, 0], angle: 8 deg}\n      - box: {size: [2 mm, 60 mm], centre: [9 mm, 0], angle: -8 deg}\n"             \
    "grains:\n  s: {generator: lattice, rows: 6, columns: 1, spacing: 12 mm, jitter: 2 mm, origin: [0, 40 mm], radius: {uniform: [3.2 mm, 4.2 mm]}, "          \
    "material: g}\nprobes: {E: {energy: total}, K: {energy: kinetic}, f: {contact_force: vee, quantity: y}}\n"

#define SPACE                                                                                                                                                  \
    "dimension: 3\ntime: {end: 2 s, step: 1 ms}\nintegrator: {scheme: %s}\ngravity: [0, 0, -9.81]\nmaterials: {g: {density: 2600}}\n"                          \
    "interactions: [{friction: 0.4, restitution: %g}]\nbodies:\n  vee:\n    kind: fixed\n    material: g\n    shapes:\n"                                       \
    "      - box: {size: [80 mm, 2 mm, 40 mm], centre: [0, -6 mm, 0], orientation: {rpy_deg: [8, 0, 0]}}\n"                                                    \
    "      - box: {size: [80 mm, 2 mm, 40 mm], centre: [0, 6 mm, 0], orientation: {rpy_deg: [-8, 0, 0]}}\n"                                                    \
    "grains:\n  s: {generator: lattice, rows: 1, columns: 3, layers: 6, spacing: 12 mm, jitter: 2 mm, origin: [-12 mm, 0, 20 mm], radius: {uniform: [3.2 mm, " \
    "4.2 mm]}, material: g}\nprobes: {E: {energy: total}, K: {energy: kinetic}, f: {contact_force: vee, quantity: z}}\n"

/* Nothing but gravity works: energy falls, but for what blows with friction that bounce may add, a share of what they bring (theory 5.7). Forces are those of
 * masses that stop within a step, a few times for what friction leaves open in a wedge. */
static void falls_together(bool space, const char *scheme, double restitution)
{
    static const double MASS[2] = {0.86, 0.0145}, SPEED = 1.4, STEP = 1e-3; /* of all bodies at most; from 0.1 m */
    char text[2048];
    const char *const format = space ? SPACE : PLANE;
    snprintf(text, sizeof text, format, scheme, restitution); // NOLINT: one of the two above
    lab l = open_lab(text, 1);
    const double start = lab_probe(&l, "E");
    double before = start, most = 0, force = 0, largest = 0;
    while (talus_world_time(l.world) < 0.4) {
        lab_step(&l);
        const double now = lab_probe(&l, "E");
        most = fmax(most, now - before), force = fmax(force, fabs(lab_probe(&l, "f"))), largest = fmax(largest, lab_probe(&l, "K"));
        before = now;
    }
    if (!(most < 0.02 * largest)) TEST_FAIL("%s, %s, e = %g: a step gave %g of %g J", space ? "space" : "plane", scheme, restitution, most, largest);
    CHECK(before < start);
    if (!(force < 10 * MASS[space] * SPEED / STEP)) TEST_FAIL("%s, %s, e = %g: %g N", space ? "space" : "plane", scheme, restitution, force);
    close_lab(&l);
}

TEST(no_energy_comes_of_a_wedge)
{
    static const double RESTITUTION[] = {0.2, 0.5, 0.9};
    for (int space = 0; space < 2; space++)
        for (int k = 0; k < 3; k++) {
            falls_together(space, "moreau", RESTITUTION[k]);
            falls_together(space, "spook", RESTITUTION[k]);
        }
    falls_together(false, "generalized_alpha", 0.5);
    falls_together(true, "generalized_alpha", 0.5);
}

TEST(lost_blows_are_said)
{
    char text[2048];
    snprintf(text, sizeof text, SPACE, "moreau", 0.5);
    lab l = open_lab(text, 1);
    lab_run(&l, 0.4);
    CHECK(strstr(talus_world_all_warnings(l.world), "as in a wedge") != NULL);
    close_lab(&l);
}

/* A plate of a tonne on small balls, with too few sweeps: impulses are large, but they move the plate, and no blow is lost. */
TEST(heavy_on_light_bounces)
{
    static const char *const FRICTION[2] = {"", "friction: 0.5, "};
    for (int k = 0; k < 2; k++) {
        char text[2048];
        snprintf(
            text, sizeof text,
            "dimension: 3\ntime: {end: 1 s, step: 1 ms}\ngravity: [0, 0, -9.81]\nsolver: {max_iterations: 300}\nmaterials: {g: {density: 2600}}\n"
            "interactions: [{%srestitution: 0.3}]\nbodies:\n  floor: {kind: fixed, shapes: [{half_space: {point: [0, 0, 0], normal: [0, 0, 1], material: "
            "g}}]}\n"
            "  plate: {mass: 1000 kg, inertia_tensor: [100, 100, 200], centre_of_mass: [0, 0, 0], position: [0, 0, 0.2], velocity: [0, 0, -1], shapes: [{box: "
            "{size: [1, 1, 0.1], material: g}}]}\ngrains:\n  s: {generator: lattice, rows: 6, columns: 6, layers: 3, spacing: 30 mm, jitter: 3 mm, origin: "
            "[-75 "
            "mm, -75 mm, 15 mm], radius: {uniform: [10 mm, 13 mm]}, material: g}\n",
            FRICTION[k]);
        lab l = open_lab(text, 1);
        lab_run(&l, 0.15);
        CHECK(strstr(talus_world_all_warnings(l.world), "as in a wedge") == NULL);
        close_lab(&l);
    }
}

/* A velocity is an error however large the impulse is: held at rest it would be 0. Exactly u of what sticks. */
TEST(large_impulses_hide_no_error)
{
    const double u[3] = {0.5, 0.1, -0.2}, none[3] = {0, 0, 0};
    for (double I = 1e3; I < 1e20; I *= 1e3) {
        const double J[3] = {I, 0.1 * I, 0};
        CHECK_CLOSE(tl_coulomb3_residual(&(tl_delassus3){.nn = 1, .tt = 1, .ss = 1}, 0.4, u, J), sqrt(pow(0.5 + 0.4 * sqrt(0.05), 2) + 0.05), 1e-12);
        CHECK_CLOSE(tl_coulomb2_residual((tl_delassus2){.nn = 1, .tt = 1}, 0.4, u, J), sqrt(pow(0.5 + 0.04, 2) + 0.01), 1e-12);
        CHECK(tl_coulomb3_residual(&(tl_delassus3){.nn = 1, .tt = 1, .ss = 1}, 0.4, none, J) == 0);
        CHECK(tl_coulomb2_residual((tl_delassus2){.nn = 1, .tt = 1}, 0.4, none, J) == 0);
    }
}

int main(int argc, char **argv)
{
    RUN(no_energy_comes_of_a_wedge);
    RUN(lost_blows_are_said);
    RUN(heavy_on_light_bounces);
    RUN(large_impulses_hide_no_error);
    return TEST_RESULT;
}
