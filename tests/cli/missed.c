/* What a run says when its steps missed their tolerance, and of its warnings: in the last line, in summary.json, also across a resume. Held against the
 * residuals of series.csv, step by step. */
#include "cli/scenes.h"

static const char HEAP[] =
    "time: {end: 0.2 s, step: 1 ms}\n"
    "gravity: [0, -9.81]\n"
    "solver: {tolerance: 1e-6 m/s, max_iterations: 3}\n"
    "materials: {stone: {density: 2500, thickness: 10 mm}}\n"
    "interactions: [{friction: 0.5}]\n"
    "bodies:\n"
    "  tray:\n"
    "    kind: fixed\n"
    "    shapes:\n"
    "      - half_plane: {point: [0, 0], normal: [0, 1], material: stone}\n"
    "      - half_plane: {point: [-5 cm, 0], normal: [1, 0], material: stone}\n"
    "      - half_plane: {point: [5 cm, 0], normal: [-1, 0], material: stone}\n"
    "grains: {heap: {generator: lattice, rows: 6, columns: 4, spacing: 20.5 mm, origin: [-31 mm, 12 mm], radius: 10 mm, material: stone}}\n";

static double summary(const char *directory, const char *key)
{
    char path[300], text[1 << 16], wanted[64];
    snprintf(path, sizeof path, "%s/summary.json", directory);
    FILE *in = fopen(path, "r");
    const size_t n = in ? fread(text, 1, sizeof text - 1, in) : 0;
    text[n] = '\0';
    if (in) fclose(in);
    snprintf(wanted, sizeof wanted, "\"%s\": ", key);
    const char *found = strstr(text, wanted);
    return found ? strtod(found + strlen(wanted), NULL) : (double)NAN;
}

static bool summary_says(const char *directory, const char *phrase)
{
    char command[600];
    snprintf(command, sizeof command, "grep -qF '%s' %s/summary.json", phrase, directory);
    return system(command) == 0;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Residuals of the rows after the first above what stands in their last column, sorted; the time of the largest. */
static int misses(const char *path, double out[1000], double *when)
{
    char line[1000];
    FILE *in = fopen(path, "r");
    int n = 0, row = 0;
    double worst = 0;
    while (in && fgets(line, sizeof line, in)) {
        double time, residual;
        if (row++ < 2 || n == 1000 || sscanf(line, "%lf,%*d,%*d,%lf", &time, &residual) != 2) continue;
        const double tolerance = strtod(strrchr(line, ',') + 1, NULL);
        CHECK(tolerance == 1e-6);
        if (residual > tolerance) out[n++] = residual;
        if (residual > worst) worst = residual, *when = time;
    }
    if (in) fclose(in);
    qsort(out, (size_t)n, sizeof *out, ascending);
    return n;
}

static void check_numbers(const char *directory)
{
    double residual[1000], when = 0;
    char path[300];
    snprintf(path, sizeof path, "%s/series.csv", directory);
    const int n = misses(path, residual, &when);
    CHECK(n > 20);
    CHECK(summary(directory, "missed_steps") == n && summary(directory, "unconverged_steps") == n);
    CHECK_CLOSE(summary(directory, "missed_median"), residual[n / 2], 0.03);
    CHECK(summary(directory, "missed_worst") == residual[n - 1]);
    CHECK_NEAR(summary(directory, "missed_worst_time"), when, 1e-12);
    CHECK(summary(directory, "missed_tolerance") == 1e-6);
    CHECK(summary_says(directory, "solver.max_iterations"));
}

TEST(misses_are_said)
{
    char wanted[100];
    write_file("heap.yaml", HEAP);
    CHECK(talus("run heap.yaml -o out") == 0);
    check_numbers("out");
    snprintf(wanted, sizeof wanted, "%.0f of 200 steps missed the tolerance", summary("out", "missed_steps"));
    CHECK(line_with(wanted, "solver.max_iterations"));
    CHECK(talus("run heap.yaml -o quiet --quiet") == 0);
    CHECK(line_with(wanted, "solver.max_iterations"));
    CHECK(talus("run heap.yaml -o well --set solver.max_iterations=20000") == 0);
    CHECK(strstr(said, "missed") == NULL);
    CHECK(summary("well", "missed_steps") == 0 && summary("well", "missed_worst") == 0 && summary_says("well", "\"advice\": \"\""));
}

/* A resumed run knows what was missed before. */
TEST(misses_outlive_an_interruption)
{
    static const char *const KEYS[] = {"missed_steps", "missed_median", "missed_worst", "missed_worst_time", "missed_tolerance"};
    write_file("heap.yaml", HEAP);
    CHECK(talus("run heap.yaml -o whole") == 0);
    CHECK(talus("run heap.yaml -o parts --until 0.1") == 0);
    CHECK(talus("run heap.yaml -o parts --resume") == 0);
    for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++) CHECK(summary("whole", KEYS[i]) == summary("parts", KEYS[i]));
    check_numbers("parts");
}

/* A stage that time.end cuts short warns while the run goes on: said once, kept in the summary, also by a resumed run. */
TEST(warnings_are_kept)
{
    static const char BOUND[] = "stages: {first: {until: {after: 50 ms}}, second: {until: {after: 1 s}}}\n";
    char scene[4096];
    snprintf(scene, sizeof scene, "%s%s", HEAP, BOUND);
    write_file("bound.yaml", scene);
    CHECK(talus("run bound.yaml -o bound") == 0);
    const char *text = "stage 'second' was ended by time.end", *first = strstr(said, text);
    CHECK(first && !strstr(first + 1, text));
    CHECK(summary_says("bound", "\"warnings\": [\"") && summary_says("bound", "was ended by time.end"));
    CHECK(talus("run bound.yaml -o bound --resume") == 0);
    CHECK(summary_says("bound", "was ended by time.end"));
    write_file("heap.yaml", HEAP);
    CHECK(talus("run heap.yaml -o none") == 0);
    CHECK(summary_says("none", "\"warnings\": []"));
}

int main(int argc, char **argv)
{
    make_folder();
    RUN(misses_are_said);
    RUN(misses_outlive_an_interruption);
    RUN(warnings_are_kept);
    remove_folder();
    return TEST_RESULT;
}
