/* Ropes in scenes: chains along grains, one of a group by its number, what is wrong said with its place. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "talus/scene.h"
#include "talus/talus.h"
#include "test.h"

static char path[256];

static const char *const SCENE = "gravity: [0, -9.81 m/s^2]\n"
                                 "time: {end: 1 s, step: 1 ms}\n"
                                 "integrator: {theta: 1}\n"
                                 "solver: {tolerance: 1e-10 m/s, max_iterations: 100000}\n"
                                 "materials: {steel: {density: 7800 kg/m^3, thickness: 10 mm}}\n"
                                 "bodies:\n"
                                 "  weight: {position: [1 m, -1 m], mass: 3 kg, shapes: [{disk: {radius: 5 cm, material: steel}}]}\n"
                                 "grains:\n"
                                 "  balls: {generator: list, radius: 2 cm, material: steel, positions: [[0, -0.1], [0, -0.2], [0, -0.3]]}\n"
                                 "ropes:\n"
                                 "  chain: {bodies: [ground], along: balls}\n"
                                 "  thread: {bodies: [ground, weight], at: [[1 m, 0]]}\n"
                                 "probes:\n"
                                 "  first: {rope: chain.1}\n"
                                 "  third: {rope: chain.3}\n"
                                 "  thread: {rope: thread}\n"
                                 "  y: {body: balls.3, quantity: y}\n"
                                 "  falling: {body: weight, quantity: ay, at: [1 cm, 0]}\n";

static talus_scene *load(const char *text, int settings, const char *const *setting)
{
    FILE *f = fopen(path, "w");
    CHECK(f && fputs(text, f) >= 0);
    if (f) fclose(f);
    talus_scene *s = NULL;
    (void)!talus_scene_load(path, setting, settings, &s);
    return s;
}

/* Everything hangs at rest: the first rope bears three balls, the third one. */
TEST(chain)
{
    talus_scene *s = load(SCENE, 0, NULL);
    talus_world *w = NULL;
    CHECK(talus_scene_mistake_count(s) == 0);
    CHECK(talus_scene_build(s, 1, &w) == TALUS_OK);
    CHECK(talus_rope_count(w) == 4);
    for (int k = 0; k < 10; k++) CHECK_OK(talus_world_step(w, NULL), talus_world_error(w));
    const double ball = 7800 * 0.01 * 3.14159265358979 * 0.02 * 0.02 * 9.81;
    CHECK_CLOSE(talus_scene_probe_value(s, w, 0), 3 * ball, 1e-6);
    CHECK_CLOSE(talus_scene_probe_value(s, w, 1), ball, 1e-6);
    CHECK_CLOSE(talus_scene_probe_value(s, w, 2), 3 * 9.81, 1e-6);
    CHECK_NEAR(talus_scene_probe_value(s, w, 3), -0.3, 1e-9);
    CHECK_NEAR(talus_scene_probe_value(s, w, 4), 0, 1e-6);
    CHECK(strcmp(talus_scene_probe_unit(s, 0), "N") == 0 && strcmp(talus_scene_probe_unit(s, 4), "m/s^2") == 0);
    talus_world_destroy(w);
    talus_scene_destroy(s);
}

/* Ropes that a setting leaves. */
static int ropes_with(const char *setting)
{
    const char *const settings[1] = {setting};
    talus_scene *s = load(SCENE, 1, settings);
    talus_world *w = NULL;
    if (talus_scene_mistake_count(s) > 0) TEST_FAIL("%s: %s", setting, talus_scene_mistake(s, 0));
    CHECK(talus_scene_build(s, 1, &w) == TALUS_OK);
    const int ropes = w ? talus_rope_count(w) : -1;
    talus_world_destroy(w);
    talus_scene_destroy(s);
    return ropes;
}

TEST(ways_to_tie)
{
    CHECK(ropes_with("ropes.chain.bodies=ground") == 4); /* one body needs no list */
    CHECK(ropes_with("ropes.thread={bodies: [balls.3, weight]}") == 4);
    CHECK(ropes_with("probes.y={body: weight, quantity: y}") == 4);
}

/* The first mistake, at checking or at building, contains `word`. */
static void refused(const char *setting, const char *word)
{
    const char *const settings[1] = {setting};
    talus_scene *s = load(SCENE, 1, settings);
    talus_world *w = NULL;
    if (s && talus_scene_mistake_count(s) == 0) CHECK(talus_scene_build(s, 1, &w) != TALUS_OK);
    const char *said = s && talus_scene_mistake_count(s) > 0 ? talus_scene_mistake(s, 0) : "nothing";
    if (!strstr(said, word)) TEST_FAIL("%s: says \"%s\", without \"%s\"", setting, said, word);
    talus_world_destroy(w);
    talus_scene_destroy(s);
}

TEST(mistakes)
{
    refused("ropes.thread.bodies=[ground]", "'bodies' names two bodies");
    refused("ropes.thread.bodies=[weight, weight]", "tied to one body at both ends");
    refused("ropes.thread.bodies=[ground, weigt]", "there is no body 'weigt'; did you mean 'weight'?");
    refused("ropes.thread.bodies=[ground, balls.4]", "'balls.4': there are 3, the first is balls.1");
    refused("ropes.thread.length=-1 m", "'length'");
    refused("ropes.thread.at=[[0, 0], [0, 0], [0, 0]]", "a point for each of 'bodies'");
    refused("ropes.chain={along: balls}", "'chain.3': there are 2, the first is chain.1"); /* nothing holds its first ball */
    refused("ropes.chain.along=bells", "there is no group of grains 'bells'; did you mean 'balls'?");
    refused("ropes.chain.bodies=[ground, weight]", "one body at most");
    refused("probes.first.rope=chains", "there is no rope 'chains'; did you mean 'chain'?");
    refused("probes.first.rope=chain.4", "'chain.4': there are 3, the first is chain.1");
    refused("probes.first.rope=chain.x", "there are 3");
    refused("probes.y.body=balls.0", "'balls.0': there are 3, the first is balls.1");
    refused("probes.y.body=bolls.1", "there is no group of grains 'bolls'; did you mean 'balls'?");
    refused("integrator.scheme=penalty_rk4", "needs a 'stiffness' for the interaction of 'steel' and 'steel'");
    refused("solver.convex=true", "'nlgs' has no convex relaxation");
}

int main(int argc, char **argv)
{
    const char *root = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/talus-ropes-XXXXXX", root ? root : "/tmp");
    const int file = mkstemp(path);
    if (file < 0) return 1;
    close(file);
    RUN(chain);
    RUN(ways_to_tie);
    RUN(mistakes);
    remove(path);
    return TEST_RESULT;
}
