/* Deformable solids under SPOOK (theory §4.4), from scenes: the recurrence of one element, statics under a ball, and joints of a solid. */
#include "lab.h"

static lab open_spook(const char *step, const char *scene)
{
    char text[4096];
    snprintf(text, sizeof text, "time: {end: 1000 s, step: %s}\nintegrator: {scheme: spook}\nsolver: {tolerance: 1e-12 m/s, max_iterations: 100000}\n%s", step,
             scene);
    return open_lab(text, 1);
}

static const double YOUNG = 1e6, POISSON = 0.3, DENSITY = 1000, G = 9.81;

static double confined(void) { return YOUNG * (1 - POISSON) / ((1 + POISSON) * (1 - 2 * POISSON)); }

/* A cube of one element whose sides are held across: its top moves up and down alone, m z̈ = −k z − c ż − m g with m = ρ/2, the lumped mass, and k = M. The
 * step takes the mean (z⁺ + 2 z + z⁻)/4 of displacements and the newest rate, from rest at any h: ω h is 0.09 and 90. */
TEST(an_element_is_its_recurrence)
{
    static const double STEP[] = {1e-3, 1}, BETA[] = {0, 2e-3};
    for (int space = 0; space < 2; space++)
        for (int i = 0; i < 4; i++) {
            const double h = STEP[i & 1], beta = BETA[i >> 1], alpha = beta > 0 ? 0.5 : 0, m = DENSITY / 2, k = confined();
            double z = 0, v = 0, most = 0;
            char scene[1024], step[32];
            snprintf(step, sizeof step, "%g s", h);
            snprintf(scene, sizeof scene,
                     "dimension: %d\ngravity: [0, %s-9.81]\nsolids:\n  s:\n    box: {size: [1, 1%s], elements: [1, 1%s]}\n    material: {density: 1000, young: "
                     "1e6, poisson: "
                     "0.3}\n    damping: {mass: %g, stiffness: %g}\n    fixed: [bottom, {group: [left, right], along: x}%s]\nprobes: {z: {displacement: s, on: "
                     "top, quantity: "
                     "%s}}\n",
                     space ? 3 : 2, space ? "0, " : "", space ? ", 1" : "", space ? ", 1" : "", alpha, beta, space ? ", {group: [front, back], along: y}" : "",
                     space ? "z" : "y");
            lab l = open_spook(step, scene);
            for (int n = 0; n < 500; n++) {
                lab_step(&l);
                const double M = m * (1 + h * alpha) + k * (0.25 * h * h + h * beta);
                v = (m * v - h * (k * (z - 0.25 * h * v) + m * G)) / M;
                z += h * v;
                CHECK_NEAR(lab_probe(&l, "z"), z, 1e-9 * fmax(1, most));
                most = fmax(most, fabs(z));
            }
            close_lab(&l);
        }
}

/* A block of 100 kg rests on damped soil: the soil carries it, at steps of a hundredth and of the tenth of a second. */
TEST(a_block_rests_on_soil)
{
    static const char *const STEP[] = {"2 ms", "50 ms"};
    for (int space = 0; space < 2; space++)
        for (int i = 0; i < 2; i++) {
            char scene[2048];
            snprintf(scene, sizeof scene,
                     "dimension: %d\ngravity: [0, %s-9.81]\nmaterials: {m: {density: 1000}}\ninteractions: [{friction: 0.5, stiffness: 1e6}]\nsolids:\n  s:\n  "
                     "  box: {size: [1, %s0.5], "
                     "elements: [6, %s4]}\n    material: {density: 1000, young: 1e6, poisson: 0.3}\n    damping: {mass: 5, stiffness: 5 ms}\n    start: "
                     "settled\n    fixed: bottom\n"
                     "    contact: {surface: top, as: both, material: m}\nbodies:\n  block: {mass: 100, %s, position: [0.03, %s0.351], shapes: [{box: {size: "
                     "[0.3, 0.2%s], material: "
                     "m}}]}\nprobes: {z: {body: block, quantity: v%s}, f: {contact_force: s, quantity: %s}, x: {contact_force: s, quantity: x}}\n",
                     space ? 3 : 2, space ? "0, " : "", space ? "1, " : "", space ? "6, " : "",
                     space ? "inertia_tensor: [0.4, 0.4, 0.4, 0, 0, 0]" : "inertia: 0.5", space ? "0.02, " : "", space ? ", 0.2" : "", space ? "z" : "y",
                     space ? "z" : "y");
            lab l = open_spook(STEP[i], scene);
            lab_run(&l, 10);
            CHECK(strstr(talus_world_all_warnings(l.world), "contacts of solid 's' have no stiffness of their own") != NULL);
            CHECK_NEAR(lab_probe(&l, "f"), -100 * G, 1e-3 * 100 * G);
            CHECK_NEAR(lab_probe(&l, "x"), 0, 1e-2 * 100 * G);
            CHECK_NEAR(lab_probe(&l, "z"), 0, 1e-4);
            close_lab(&l);
        }
}

int main(int argc, char **argv)
{
    RUN(an_element_is_its_recurrence);
    RUN(a_block_rests_on_soil);
    return TEST_RESULT;
}
