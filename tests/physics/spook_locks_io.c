/* SPOOK where contacts that face each other lock by friction: no motion parts both, so that overlaps stay, and energy only falls. In plane and space. */
#include "lab.h"

/* Runs to a time; the energy never exceeds what it was by more than a share. Returns the last. */
static double run_down(const char *scene, double end, double share)
{
    lab l = open_lab(scene, 1);
    const double first = lab_probe(&l, "e");
    while (talus_world_time(l.world) < end - 1e-9) {
        (void)lab_step(&l);
        if (!(lab_probe(&l, "e") <= first + share * fabs(first)))
            TEST_FAIL("%g J become %g J at t = %g s", first, lab_probe(&l, "e"), talus_world_time(l.world));
    }
    const double last = lab_probe(&l, "e");
    close_lab(&l);
    return last;
}

/* A disk of 31 kg slides into a wedge of half angle α, tan α < μ, and sticks there: in the end it has its weight's energy at r/sin α above the tip. */
TEST(a_disk_in_a_wedge)
{
    static const double ANGLE[4] = {0.25, 0.2, 0.1, 0.03}, STEP[3] = {2e-3, 1e-3, 5e-4};
    for (int k = 0; k < 24; k++) {
        char text[1200];
        const double angle = ANGLE[k / 6], c = cos(angle), s = sin(angle), r = 0.1;
        (void)snprintf(
            text, sizeof text,
            "dimension: 2\ngravity: [0, -10]\ntime: {end: 0.4 s, step: %g s}\nintegrator: {scheme: spook}\nmaterials: {m: {density: 1000}}\n"
            "interactions: [{friction: 0.3}]\nbodies:\n"
            "  w: {kind: fixed, material: m, shapes: [{half_plane: {point: [0, 0], normal: [%.12g, %.12g]}}, {half_plane: {point: [0, 0], normal: [%.12g, "
            "%.12g]}}]}\n"
            "  b: {position: [0.001, %.12g], velocity: [0.3, %g], angular_velocity: %d, material: m, shapes: [{disk: {radius: 0.1}}]}\n"
            "probes: {e: {energy: total}}\n",
            STEP[k % 3], c, s, -c, s, r / s + 0.1, k % 2 ? -0.2 : -2.0, k / 3 % 2 ? -10 : 0);
        const double last = run_down(text, 0.4, 1e-6), rest = 1000 * 3.14159265358979323846 * r * r * 10 * (r / s);
        CHECK_NEAR(last, rest, 0.01 * rest);
    }
}

/* Two free bodies that spin into each other: spheres of one on both sides of the other's cylinder. */
TEST(two_free_bodies)
{
    static const char *const STEP[3] = {"1 ms", "0.5 ms", "0.2 ms"};
    for (int k = 0; k < 3; k++) {
        char text[1600];
        (void)snprintf(
            text, sizeof text,
            "dimension: 3\ntime: {end: 0.3 s, step: %s}\nintegrator: {scheme: spook}\nmaterials: {m: {density: 1000}}\ninteractions: [{friction: 0.3}]\n"
            "bodies:\n  a: {position: [0, 0, 0], velocity: [1, 0, 0], spin: [5, 3, -10], mass: 4, inertia_tensor: [0.016, 0.02, 0.018, 0.001, 0.002, 0], "
            "centre_of_mass: [0.01, 0, 0.01], material: m, shapes: [{sphere: {radius: 0.1, centre: [0, -0.2, 0]}}, {sphere: {radius: 0.1, centre: [0, 0.2, "
            "0]}}]}\n  b: {position: [0.35, 0.06, 0.03], velocity: [-1.5, 0, 0], spin: [15, -3, 1], mass: 3, inertia_tensor: [0.016, 0.012, 0.015], "
            "centre_of_mass: [0, 0, 0], material: m, shapes: [{cylinder: {from: [0, -0.1, 0], to: [0, 0.1, 0], radius: 0.1}}]}\n"
            "probes: {e: {energy: kinetic}}\n",
            STEP[k]);
        CHECK(run_down(text, 0.3, 1e-6) > 0.5);
    }
}

int main(int argc, char **argv)
{
    RUN(a_disk_in_a_wedge);
    RUN(two_free_bodies);
    return TEST_RESULT;
}
