/* talus run --pace: no faster than so many times the clock, the same results as without it, and a word on how much it fell behind. */
#include "base/base.h"
#include "cli/scenes.h"

static const char SCENE[] =
    "time: {end: 0.4 s, step: 1 ms}\ngravity: [0, -9.81]\nbodies: {stone: {mass: 1, inertia: 1}}\nprobes: {y: {body: stone, quantity: y}}\n";

static double seconds(const char *options)
{
    const double start = tl_clock();
    CHECK(talus("run a.yaml -o run --force %s", options) == 0);
    return tl_clock() - start;
}

TEST(waits)
{
    make_folder();
    write_file("a.yaml", SCENE);
    CHECK(seconds("--pace 1") >= 0.4);
    CHECK(line_with("pace 1 ", "behind by"));
    CHECK(line_with("0.4 s simulated", "at the end"));
    CHECK(system("cp run/series.csv paced.csv") == 0);
    CHECK(seconds("--pace 0.5 --until 0.3") >= 0.6);
    (void)seconds("");
    CHECK(!line_with("pace", "behind"));
    CHECK(system("cmp -s run/series.csv paced.csv") == 0);
    (void)seconds("--pace 1000 --quiet");
    CHECK(!line_with("pace", "behind"));
    remove_folder();
}

TEST(mistakes)
{
    static const char *const WRONG[] = {"0", "-1", "fast", "1x", "inf", "nan"};
    make_folder();
    write_file("a.yaml", SCENE);
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        CHECK(talus("run a.yaml -o run --pace %s", WRONG[i]) == 2);
        CHECK(line_with("--pace wants a positive number", WRONG[i]));
    }
    remove_folder();
}

int main(int argc, char **argv)
{
    RUN(waits);
    RUN(mistakes);
    return TEST_RESULT;
}
