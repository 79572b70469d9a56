/* Rates of closed mechanisms at the start: what is given holds, the rest follows from the loops or is least, a contradiction is named. */
#include "talus/scene.h"
#include "talus/talus.h"
#include "test.h"

/* A slider-crank with the crank across: the slider leaves it at the speed of the crank's end. */
#define SLIDER_CRANK                                                                                                                                           \
    "bodies: {crank: {mass: 1, inertia: 4}, slider: {mass: 1, inertia: 0.1}}, joints: {c: {type: revolute, parent: ground, child: crank, angle: 90 deg%s}, "   \
    "s: {type: prismatic, parent: ground, child: slider, position: 4.58257569495584%s}}, "                                                                     \
    "loops: {r: {type: rod, bodies: [crank, slider], at: [[2, 0], [0, 0]], length: 5}}"

static talus_world *build(const char *text, const char *first, const char *second, char message[512])
{
    static const char PATH[] = "start_rates.yaml";
    talus_scene *scene;
    talus_world *w = NULL;
    FILE *file = fopen(PATH, "w");
    CHECK(file != NULL);
    fprintf(file, "dimension: 2\ntime: {end: 1, step: 1e-3}\nmechanisms: {m: {");
    fprintf(file, text, first, second);
    fprintf(file, "}}\n");
    fclose(file);
    message[0] = '\0';
    if (talus_scene_load(PATH, NULL, 0, &scene) != TALUS_OK || talus_scene_build(scene, 1, &w) != TALUS_OK)
        snprintf(message, 512, "%s", talus_scene_mistake(scene, 0));
    talus_scene_destroy(scene);
    return w;
}

static double rate(const talus_world *w, const char *joint) { return talus_joint_velocity(w, talus_joint_find(w, joint), 0); }

/* Whichever of the two is given, the other follows, and both when they agree to what a person writes down. */
TEST(either_end)
{
    static const char *const GIVEN[][2] = {
        {", velocity: 3", ""}, {"", ", velocity: -6"}, {", velocity: 3", ", velocity: -6"}, {", velocity: 3", ", velocity: -6.000001"}};
    for (int i = 0; i < 4; i++) {
        char message[512];
        talus_world *w = build(SLIDER_CRANK, GIVEN[i][0], GIVEN[i][1], message);
        CHECK(w != NULL);
        CHECK_NEAR(rate(w, "c"), 3, 1e-6);
        CHECK_NEAR(rate(w, "s"), -6, 2e-6);
        talus_world_destroy(w);
    }
}

TEST(contradiction_is_named)
{
    char message[512];
    CHECK(build(SLIDER_CRANK, ", velocity: 3", ", velocity: -5", message) == NULL);
    CHECK(strstr(message, "joint 's'") && strstr(message, "-5") && strstr(message, "-6"));
    CHECK(build(SLIDER_CRANK, ", velocity: 3", ", velocity: 0", message) == NULL); /* a rate of zero is given, too */
    CHECK(strstr(message, "joint 's'") && strstr(message, "-6"));
}

/* A pentagon of bars has two degrees of freedom. One angle is given; of the motions that have it, the others' sum of squares is least: it
 * cannot be made less along the motion in which that angle stays, found here from the two equations of the loop. */
TEST(the_rest_is_least)
{
    static const char PENTAGON[] =
        "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1}, c: {mass: 1, inertia: 1}, d: {mass: 1, inertia: 1}}, joints: {"
        "A: {type: revolute, parent: ground, child: a, angle: 100 deg%s}, B: {type: revolute, parent: a, child: b, at: [1, 0], angle: -70 deg}, "
        "C: {type: revolute, parent: b, child: c, at: [1, 0], angle: -80 deg}, D: {type: revolute, parent: c, child: d, at: [1, 0], angle: -70 deg%s}}, "
        "loops: {l: {type: point, bodies: [ground, d], at: [[1, 0], [1, 0]]}}";
    char message[512];
    talus_world *w = build(PENTAGON, ", velocity: 2", "", message);
    CHECK(w != NULL);
    const double v[4] = {rate(w, "A"), rate(w, "B"), rate(w, "C"), rate(w, "D")};
    CHECK_NEAR(v[0], 2, 1e-12);
    double x = 0, y = 0, angle = 0, end[2], J[2][4];
    double at[4][2];
    for (int i = 0; i < 4; i++) {
        at[i][0] = x, at[i][1] = y;
        angle += talus_joint_position(w, talus_joint_find(w, (const char *[]){"A", "B", "C", "D"}[i]), 0);
        x += cos(angle), y += sin(angle);
    }
    end[0] = x, end[1] = y;
    for (int i = 0; i < 4; i++) J[0][i] = -(end[1] - at[i][1]), J[1][i] = end[0] - at[i][0];
    CHECK_NEAR(x, 1, 1e-10);
    CHECK_NEAR(y, 0, 1e-10);
    for (int k = 0; k < 2; k++) CHECK_NEAR(J[k][0] * v[0] + J[k][1] * v[1] + J[k][2] * v[2] + J[k][3] * v[3], 0, 1e-10);
    const double null[3] = {J[0][2] * J[1][3] - J[0][3] * J[1][2], J[0][3] * J[1][1] - J[0][1] * J[1][3], J[0][1] * J[1][2] - J[0][2] * J[1][1]};
    CHECK_NEAR(null[0] * v[1] + null[1] * v[2] + null[2] * v[3], 0, 1e-10);
    talus_world_destroy(w);
}

int main(int argc, char **argv)
{
    RUN(either_end);
    RUN(contradiction_is_named);
    RUN(the_rest_is_least);
    return TEST_RESULT;
}
