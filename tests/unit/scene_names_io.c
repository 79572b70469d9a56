/* A scene may have any number of bodies, and of joints between them: the last of thousands is found by its name, and a name that is none is said. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab.h"

enum { BODIES = 5000 };

/* Bodies that fall side by side; the last one hangs under a pin of the ground, by its name or another. */
static const char *scene_with(const char *last)
{
    static char text[120 * BODIES];
    int n = snprintf(text, sizeof text, "gravity: [0, -10 m/s^2]\ntime: {end: 1 s, step: 1 ms}\nmaterials: {steel: {density: 7800 kg/m^3}}\nbodies:\n");
    for (int i = 1; i <= BODIES; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "  ball%d: {material: steel, position: [%d m, 0], shapes: [{disk: {radius: 1 cm}}]}\n", i, i);
    (void)snprintf(text + n, sizeof text - (size_t)n,
                   "joints:\n  pin: {type: revolute, bodies: [ground, %s], at: [%d m, 1 m]}\nprobes:\n  last: {body: ball%d, quantity: y}\n  first: {body: "
                   "ball1, quantity: y}\n",
                   last, BODIES, BODIES);
    return text;
}

TEST(thousands)
{
    char last[32];
    (void)snprintf(last, sizeof last, "ball%d", BODIES);
    lab l = open_lab(scene_with(last), 1);
    for (int i = 0; i < 100; i++) (void)lab_step(&l);
    CHECK_NEAR(lab_probe(&l, "last"), 0, 1e-6);                                       /* it rests under its pin */
    CHECK_NEAR(lab_probe(&l, "first"), -0.5 * 10 * 0.1 * 0.1, 0.5 * 10 * 1e-3 * 0.1); /* g t²/2, to the first order of the step */
    close_lab(&l);
}

TEST(none_of_thousands)
{
    talus_scene *s;
    CHECK(try_lab(scene_with("ball500O"), &s) == TALUS_INPUT); /* a letter for the last digit */
    CHECK(talus_scene_mistake_count(s) == 1);
    const char *said = talus_scene_mistake(s, 0);
    if (!strstr(said, "there is no body 'ball500O'; did you mean 'ball500")) TEST_FAIL("%s", said);
    talus_scene_destroy(s);
}

int main(int argc, char **argv)
{
    RUN(thousands);
    RUN(none_of_thousands);
    return TEST_RESULT;
}
