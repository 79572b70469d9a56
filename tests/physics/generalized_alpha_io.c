/* The slider-crank with clearance (D20 §5) by nonsmooth generalized-α: as the steps get smaller it comes to what Moreau-Jean
 * comes to, its loops stay closed, and the slider is never more than a rounding of a clearance in the wall. */
#include "lab.h"

typedef struct outcome {
    double angle, penetration, loop_error;
} outcome;

static outcome crank(const char *scheme, double h)
{
    char step[64], by[64];
    const char *changes[] = {step, by, "solver.tolerance=1e-12 m/s"};
    talus_scene *scene = NULL;
    talus_world *w = NULL;
    outcome out = {0};
    snprintf(step, sizeof step, "time.step=%.17g s", h);
    snprintf(by, sizeof by, "integrator={scheme: %s}", scheme);
    CHECK_OK(talus_scene_load(TALUS_SOURCE_DIR "/examples/slider-crank/loop-y.yaml", changes, 3, &scene), talus_scene_mistake(scene, 0));
    CHECK_OK(talus_scene_build(scene, 1, &w), talus_scene_mistake(scene, 0));
    if (!w) exit(1);
    while (talus_world_time(w) < 0.03 - 0.5 * h) {
        talus_step_report r = {0};
        CHECK_OK(talus_world_step(w, &r), talus_world_error(w));
        out.penetration = fmax(out.penetration, r.penetration);
        out.loop_error = fmax(out.loop_error, r.loop_error);
    }
    const lab l = {scene, w};
    out.angle = lab_probe(&l, "crank_angle");
    talus_world_destroy(w);
    talus_scene_destroy(scene);
    return out;
}

TEST(slider_crank)
{
    const outcome reference = crank("moreau", 1e-6), coarse = crank("generalized_alpha", 8e-5), fine = crank("generalized_alpha", 5e-6);
    CHECK(fabs(coarse.angle - reference.angle) < 2e-3);
    CHECK(fabs(fine.angle - reference.angle) < 0.25 * fabs(coarse.angle - reference.angle)); /* of first order with impacts: a sixteenth, if they fell alike */
    CHECK(coarse.penetration < 1e-9 && fine.penetration < 1e-9);
    CHECK(coarse.loop_error < 5e-11 && fine.loop_error < 5e-11);
}

/* A column that rests on its bottom is as much shorter as under Moreau-Jean, whatever the step: of its forces nothing is left but rounding. */
TEST(a_solid_at_rest)
{
    static const char *const SCHEME[] = {"moreau", "generalized_alpha"}, *const START[] = {"settled", "unstrained"};
    static const double STEP[] = {1e-3, 1e-4, 1e-5};
    for (int d = 2; d <= 3; d++)
        for (int start = 0; start < 2; start++)
            for (int k = 0; k < (start == 0 ? 3 : 1); k++) {
                double top[2];
                for (int scheme = 0; scheme < 2; scheme++) {
                    char text[1024];
                    snprintf(text, sizeof text,
                             "dimension: %d\ngravity: [%s-10]\ntime: {end: 1 s, step: %g s}\nintegrator: {scheme: %s}\n"
                             "solids: {s: {box: {size: [%s1], elements: [%s2]}, start: %s, fixed: [bottom], damping: {stiffness: 20 ms}, "
                             "material: {density: 1000, young: 1e6, poisson: 0.3}}}\nprobes: {u: {displacement: s, on: [top], quantity: %s}}\n",
                             d, d == 2 ? "0, " : "0, 0, ", STEP[k], SCHEME[scheme], d == 2 ? "1, " : "1, 1, ", d == 2 ? "2, " : "2, 2, ", START[start],
                             d == 2 ? "y" : "z");
                    lab l = open_lab(text, 1);
                    lab_run(&l, start == 0 ? 60 * STEP[k] : 1);
                    top[scheme] = lab_probe(&l, "u");
                    close_lab(&l);
                }
                CHECK(top[0] < -1e-3);
                CHECK_NEAR(top[1], top[0], 1e-9 * fabs(top[0]));
            }
}

/* A force on a kilogram that a stage ends, or begins, at 0.5 s, as a load of a body and as a law in a joint: half a newton second, whatever the step, as under
 * moreau. From the middle of a run that is put back there the same. */
TEST(stages_change_forces)
{
    static const char *const SCHEMES[] = {"moreau", "spook", "generalized_alpha"};
    for (int i = 0; i < 3 * 2 * 2 * 3; i++) {
        const int dimension = 2 + i % 2, kind = i / 2 % 2;
        const double h = 4e-3 / (1 << i / 4 % 3);
        const char *body = dimension == 2 ? "inertia: 1" : kind == 0 ? "inertia_tensor: [1, 1, 1, 0, 0, 0]" : "inertia: [1, 1, 1]";
        char text[1024], other[1024];
        int n = snprintf(text, sizeof text, "dimension: %d\ntime: {end: 1 s, step: %g s}\nintegrator: {scheme: %s}\n", dimension, h, SCHEMES[i / 12]);
        if (kind == 0)
            snprintf(text + n, sizeof text - (size_t)n,
                     "bodies: {c: {mass: 1 kg, %s}}\nloads: {l: {body: c, x: 1 N}}\nprobes: {v: {body: c, quantity: vx}}\n"
                     "stages: {one: {until: {time: 0.5 s}}, two: {loads: {l: {x: 0 N}}}}\n",
                     body);
        else
            snprintf(text + n, sizeof text - (size_t)n,
                     "mechanisms:\n  m:\n    bodies: {c: {mass: 1 kg, %s}}\n    joints: {s: {type: prismatic, parent: ground, child: c}}\n"
                     "    forces: {f: {joint: s, law: 0 N}}\nprobes: {v: {joint: s, quantity: velocity}}\n"
                     "stages: {one: {until: {time: 0.5 s}}, two: {forces: {f: {law: 1 N}}}}\n",
                     body);
        snprintf(other, sizeof other, "%s", text);
        lab l = open_lab(text, 1), again = open_lab(other, 1);
        (void)lab_run(&l, 0.5);
        lab_restore(&l, &again);
        (void)lab_run(&l, 1), (void)lab_run(&again, 1);
        CHECK_CLOSE(lab_probe(&l, "v"), 0.5, 1e-12);
        CHECK(lab_probe(&again, "v") == lab_probe(&l, "v"));
        close_lab(&l), close_lab(&again);
    }
}

int main(int argc, char **argv)
{
    RUN(slider_crank);
    RUN(a_solid_at_rest);
    RUN(stages_change_forces);
    return TEST_RESULT;
}
