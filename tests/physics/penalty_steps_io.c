/* Springs of the penalty scheme and the length of steps: bounces lose energy while the step follows them, gain it where it does not, and that is said. */
#include "lab.h"

/* A disk of 1 kg falls 1 m, again and again, on a spring of this ω h: its energy after 100 bounces or so, over that at the start. */
static double left_after(double fast, bool between, bool *said)
{
    char text[1000];
    const double h = 1e-3, K = (fast / h) * (fast / h) * (between ? 0.5 : 1); /* two of 1 kg: W = 2/kg */
    snprintf(text, sizeof text,
             "gravity: [0, %s]\ntime: {step: %.17g, end: 1000 s}\nintegrator: {scheme: penalty_rk4}\nmaterials: {m: {density: 1}}\n"
             "interactions: [{stiffness: %.17g N/m}]\nbodies:\n  a: {%s, material: m, shapes: [{%s}]}\n"
             "  b: {mass: 1, inertia: 1, position: [0, 1.2], velocity: [0, %s], material: m, shapes: [{disk: {radius: 0.1}}]}\n%s",
             between ? "0" : "-9.81", h, K, between ? "mass: 1, inertia: 1, velocity: [0, 2]" : "kind: fixed",
             between ? "disk: {radius: 0.1}" : "half_plane: {point: [0, 0], normal: [0, 1]}", between ? "-2" : "0", "");
    lab l = open_lab(text, 1);
    double kinetic, potential, start;
    talus_world_energy(l.world, &kinetic, &potential);
    start = kinetic + potential;
    lab_run(&l, between ? 1 : 100);
    talus_world_energy(l.world, &kinetic, &potential);
    *said = strstr(talus_world_all_warnings(l.world), "is too fast for steps of 0.001 s") != NULL;
    close_lab(&l);
    return (kinetic + potential) / start;
}

TEST(steps_that_are_too_long)
{
    bool said;
    CHECK(left_after(0.1, false, &said) > 0.9 && !said);
    CHECK(left_after(1.5, false, &said) < 0.9 && !said);
    CHECK(left_after(2.6, false, &said) > 1.5 && said);
    (void)left_after(1.95, true, &said);
    CHECK(!said);
    (void)left_after(2.05, true, &said);
    CHECK(said);
}

int main(int argc, char **argv)
{
    RUN(steps_that_are_too_long);
    return TEST_RESULT;
}
