/* Numbers that no run could keep are refused, and a run that is accepted goes at least to its end. */
#include "scenes.h"

#define BALL "materials: {steel: {density: 7800 kg/m^3}}\nbodies:\n  ball: {shapes: [{disk: {radius: 5 mm, material: steel}}]}\n"

/* A run of no step at all once ended with "done". */
TEST(steps_that_no_counter_holds)
{
    refused("time: {end: 1 s, step: 1e-20}\n" BALL, "scene.yaml:1:", "steps; 1e+12 is the most");
    refused("time: {end: 1e20 s, step: 1 ms}\n" BALL, "scene.yaml:1:13", "steps; 1e+12 is the most");
    refused("time: {end: 1e300, step: 1 ms}\n" BALL, "scene.yaml:1:13", "1e+30 is the largest number");
    refused("time: {end: 1 s, step: 1e-300}\n" BALL, "scene.yaml:1:24", "1e-30 is the smallest");
    write_file("scene.yaml", "time: {end: 2 ms, step: 1 ms}\n" BALL);
    CHECK(talus("run scene.yaml -o run --until 1e300") == 2);
    CHECK(strstr(said, "steps") != NULL);
}

static double last_time(const char *end)
{
    char text[512];
    snprintf(text, sizeof text, "time: {end: %s, step: 1 ms}\n" BALL, end);
    write_file("scene.yaml", text);
    CHECK(system("rm -rf run") == 0);
    CHECK(talus("run scene.yaml -o run --quiet") == 0);
    return last_number_of_column("run/series.csv");
}

TEST(a_run_reaches_its_end)
{
    CHECK_NEAR(last_time("0.4 ms"), 1e-3, 1e-12);
    CHECK_NEAR(last_time("2.9 ms"), 3e-3, 1e-12);
    CHECK_NEAR(last_time("7 ms"), 7e-3, 1e-12);
}

TEST(numbers_without_limit)
{
    refused("time: {end: 1 s}\ngravity: [0, 1e200]\n" BALL, "scene.yaml:2:14", "1e+30 is the largest number");
    refused("time: {end: 1 s}\nmaterials: {s: {density: 1e40}}\n", "scene.yaml:2:26", "1e+30 is the largest number");
    refused("time: {end: 1 s}\nmaterials: {s: {thickness: 1e-31}}\n", "scene.yaml:2:28", "1e-30 is the smallest");
}

int main(int argc, char **argv)
{
    make_folder();
    RUN(steps_that_no_counter_holds);
    RUN(a_run_reaches_its_end);
    RUN(numbers_without_limit);
    remove_folder();
    return TEST_RESULT;
}
