/* Schemes and their stages: names, how often what repeats within a step is begun, what a scheme does not support, and
 * settings that a scheme does not look at. */
#include "lab.h"

#define HEAD "gravity: [0, -9.81]\ntime: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 1000}}\n"

static int stage_of(const talus_world *w, const char *name)
{
    for (int k = 0; k < talus_stage_count(w); k++)
        if (strcmp(talus_stage_name(w, k), name) == 0) return k;
    return -1;
}

static int calls(const talus_world *w, const char *name) { return (int)talus_stage_calls(w, stage_of(w, name)); }

TEST(names)
{
    int count = 0;
    while (talus_scheme_name(count)) count++;
    CHECK(count >= 2 && talus_scheme_name(-1) == NULL);
    CHECK(strcmp(talus_scheme_name(TALUS_SCHEME_MOREAU), "moreau") == 0);
    CHECK(strcmp(talus_scheme_name(TALUS_SCHEME_PENALTY_RK4), "penalty_rk4") == 0);
    talus_world_def d = talus_world_def_default();
    talus_world *w = NULL;
    char text[256] = "";
    d.scheme = (talus_scheme)count;
    CHECK(talus_world_create(&d, &w, text, sizeof text) == TALUS_INPUT && strstr(text, "there is no scheme"));
}

/* Nothing meets: each stage once a step. */
TEST(a_fall)
{
    lab l = open_lab(HEAD "bodies: {a: {shapes: [{disk: {radius: 0.1}}], material: m}}\n", 1);
    lab_run(&l, 0.01);
    static const char *const STAGE[] = {"predict", "color", "solve", "finish", "remember", "commit"};
    CHECK(talus_stage_count(l.world) == 8);
    for (size_t k = 0; k < sizeof STAGE / sizeof *STAGE; k++) CHECK(calls(l.world, STAGE[k]) == 10);
    close_lab(&l);
}

/* A heavy disk meets three at rest within one step, and each is pushed into the next only by the solve: pairs are found one
 * after the other, and bound, coloured and solved anew. */
TEST(what_is_overtaken_shows)
{
    lab l = open_lab("time: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 1000}}\ndrift: {correct: false}\nbodies:\n"
                     "  a: {shapes: [{disk: {radius: 0.1}}], material: m, velocity: [10, 0]}\n"
                     "  b: {shapes: [{disk: {radius: 0.05}}], material: m, position: [0.157, 0]}\n"
                     "  c: {shapes: [{disk: {radius: 0.05}}], material: m, position: [0.259, 0]}\n"
                     "  d: {shapes: [{disk: {radius: 0.05}}], material: m, position: [0.361, 0]}\n",
                     1);
    (void)lab_step(&l);
    CHECK(calls(l.world, "solve") > 1 && calls(l.world, "color") == calls(l.world, "solve"));
    CHECK(calls(l.world, "detect") == 1 + calls(l.world, "solve"));
    CHECK(calls(l.world, "predict") == 1 && calls(l.world, "commit") == 1);
    close_lab(&l);
}

#define PENALTY "integrator: {scheme: penalty_rk4}\ninteractions: [{stiffness: 1e6}]\n"

TEST(stages_of_another_scheme)
{
    lab l = open_lab(HEAD PENALTY "bodies: {a: {shapes: [{disk: {radius: 0.1}}], material: m}}\n", 1);
    lab_run(&l, 0.01);
    CHECK(stage_of(l.world, "detect") < 0 && stage_of(l.world, "color") < 0);
    CHECK(calls(l.world, "solve") == 10 && calls(l.world, "commit") == 10);
    CHECK(*talus_world_all_warnings(l.world) == 0);
    talus_interaction_def d = talus_interaction_def_default();
    const talus_material_id all = {0};
    CHECK(talus_interaction_set(l.world, all, all, &d) == TALUS_INPUT);
    CHECK(strstr(talus_world_error(l.world), "scheme 'penalty_rk4' needs a 'stiffness'"));
    close_lab(&l);
}

TEST(settings_without_use)
{
    lab l = open_lab(HEAD "interactions: [{stiffness: 1e6}]\nintegrator: {scheme: penalty_rk4, theta: 0.6}\n"
                          "bodies: {a: {shapes: [{disk: {radius: 0.1}}], material: m}}\n",
                     1);
    CHECK(strstr(talus_world_all_warnings(l.world), "integrator.theta does nothing: scheme 'penalty_rk4'"));
    close_lab(&l);
    l = open_lab(HEAD "integrator: {scheme: moreau, theta: 0.6, forces: explicit}\n"
                      "bodies: {a: {shapes: [{disk: {radius: 0.1}}], material: m}}\n",
                 1);
    CHECK(*talus_world_all_warnings(l.world) == 0);
    close_lab(&l);
}

TEST(matter_that_it_does_not_move)
{
    talus_world_def d = talus_world_def_default();
    talus_world *w = NULL;
    char text[256] = "";
    d.scheme = TALUS_SCHEME_PENALTY_RK4;
    CHECK_OK(talus_world_create(&d, &w, text, sizeof text), text);
    talus_mechanism_id m;
    CHECK_OK(talus_mechanism_create(w, "crane", &m), talus_world_error(w));
    CHECK(talus_world_assemble(w) == TALUS_UNSUPPORTED);
    CHECK(strstr(talus_world_error(w), "scheme 'penalty_rk4' moves grains and ropes, and no mechanism 'crane'"));
    talus_world_destroy(w);
}

int main(int argc, char **argv)
{
    RUN(names);
    RUN(a_fall);
    RUN(what_is_overtaken_shows);
    RUN(stages_of_another_scheme);
    RUN(settings_without_use);
    RUN(matter_that_it_does_not_move);
    return TEST_RESULT;
}
