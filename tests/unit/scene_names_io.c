/* A scene may have any number of bodies, and of joints between them: the last of thousands is found by its name, and a name that is none is said. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "talus/scene.h"
#include "talus/talus.h"
#include "test.h"

enum { BODIES = 5000 };

static char path[256];

/* Bodies that fall side by side; the last one swings on a pin of the ground, by its name or another. */
static void write_scene(const char *last)
{
    FILE *f = fopen(path, "w");
    CHECK(f != NULL);
    if (!f) return;
    (void)fputs("gravity: [0, -10 m/s^2]\ntime: {end: 1 s, step: 1 ms}\nmaterials: {steel: {density: 7800 kg/m^3}}\nbodies:\n", f);
    for (int i = 1; i <= BODIES; i++) (void)fprintf(f, "  ball%d: {material: steel, position: [%d m, 0], shapes: [{disk: {radius: 1 cm}}]}\n", i, i);
    (void)fprintf(f, "joints:\n  pin: {type: revolute, bodies: [ground, %s], at: [%d m, 1 m]}\n", last, BODIES);
    (void)fprintf(f, "probes:\n  last: {body: ball%d, quantity: y}\n  first: {body: ball1, quantity: y}\n", BODIES);
    (void)fclose(f);
}

TEST(thousands)
{
    char last[32];
    talus_scene *s = NULL;
    talus_world *w = NULL;
    (void)snprintf(last, sizeof last, "ball%d", BODIES);
    write_scene(last);
    CHECK(talus_scene_load(path, NULL, 0, &s) == TALUS_OK);
    CHECK(talus_scene_build(s, 1, &w) == TALUS_OK);
    for (int i = 0; i < 100; i++) CHECK_OK(talus_world_step(w, NULL), talus_world_error(w));
    CHECK_NEAR(talus_scene_probe_value(s, w, 0), 0, 1e-6);                                      /* it rests under its pin */
    CHECK_NEAR(talus_scene_probe_value(s, w, 1), -0.5 * 10 * 0.1 * 0.1, 0.5 * 10 * 1e-3 * 0.1); /* g t²/2, to the first order of the step */
    talus_world_destroy(w);
    talus_scene_destroy(s);
}

TEST(none_of_thousands)
{
    talus_scene *s = NULL;
    write_scene("ball500O"); /* a letter for the last digit */
    CHECK(talus_scene_load(path, NULL, 0, &s) == TALUS_INPUT);
    CHECK(talus_scene_mistake_count(s) == 1);
    const char *said = talus_scene_mistake(s, 0);
    if (!strstr(said, "there is no body 'ball500O'; did you mean 'ball500")) TEST_FAIL("%s", said);
    talus_scene_destroy(s);
}

int main(int argc, char **argv)
{
    const char *root = getenv("TMPDIR");
    (void)snprintf(path, sizeof path, "%s/talus-names-XXXXXX", root ? root : "/tmp");
    const int file = mkstemp(path);
    CHECK(file >= 0);
    if (file >= 0) (void)close(file);
    RUN(thousands);
    RUN(none_of_thousands);
    (void)remove(path);
    return TEST_RESULT;
}
