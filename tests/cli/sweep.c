/* talus sweep as its user sees it: rows and columns, values against the series of each run, several at once, runs that fail, wrong words,
 * interruption and going on. */
#include <ftw.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "base/base.h"
#include "test.h"

static char home[64];

/* A ball falls, bounces and is pushed; the push is no number once t is above `push`. */
static const char BALL[] = "gravity: [0, -9.81]\n"
                           "time: {end: 0.4 s, step: 1 ms}\n"
                           "parameters: {bounce: 0.5, push: 1}\n"
                           "materials: {stone: {density: 2000}}\n"
                           "interactions: [{friction: 0.4, restitution: bounce}]\n"
                           "bodies:\n"
                           "  floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: stone}}]}\n"
                           "  ball: {position: [0, 0.3], velocity: [1, 0], shapes: [{disk: {radius: 0.1, material: stone}}]}\n"
                           "loads:\n"
                           "  push: {body: ball, x: \"sqrt(push - t / 1 s) * 1 N\"}\n"
                           "probes:\n"
                           "  height: {body: ball, quantity: y}\n"
                           "  pace: {body: ball, quantity: vx}\n";

/* ---- files and commands ------------------------------------------------------------------------------------------- */

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *walk)
{
    (void)s, (void)kind, (void)walk;
    return remove(path);
}

static const char *in_home(const char *name)
{
    static char path[64][512];
    static int next;
    snprintf(path[next = (next + 1) % 64], sizeof path[0], "%s/%s", home, name);
    return path[next];
}

static void write_scene(void)
{
    FILE *out = fopen(in_home("ball.yaml"), "w");
    if (!out || fputs(BALL, out) < 0 || fclose(out) != 0) exit(1);
}

static pid_t start(const char *const *arguments)
{
    const char *argv[32] = {"talus", "sweep"};
    for (int i = 0; arguments[i] && i < 28; i++) argv[i + 2] = arguments[i];
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        if (!freopen(in_home("errors"), "w", stderr) || !freopen(in_home("table"), "w", stdout)) _exit(98);
        execv(TALUS_COMMAND, (char *const *)argv);
        _exit(99);
    }
    return child;
}

static int ended(pid_t child)
{
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
#define SWEEP(...) ended(start((const char *const[]){in_home("ball.yaml"), __VA_ARGS__, NULL}))

static char *read_text(const char *path)
{
    FILE *in = fopen(path, "rb");
    char *text = in ? calloc(1, 1 << 20) : NULL;
    if (!text) {
        TEST_FAIL("cannot read '%s'", path);
        exit(1);
    }
    text[fread(text, 1, (1 << 20) - 1, in)] = '\0';
    fclose(in);
    return text;
}

static bool holds(const char *name, const char *what)
{
    char *text = read_text(in_home(name));
    const bool found = strstr(text, what) != NULL;
    if (!found) fprintf(stderr, "%s: %.500s\n", name, text);
    free(text);
    return found;
}

/* ---- sweep.csv: words in quotes where they must be ------------------------------------------------------------------- */

enum { ROWS = 16, COLUMNS = 24 };
typedef struct table {
    char word[ROWS][COLUMNS][1024];
    int rows, columns;
} table;

static table *read_table(const char *path)
{
    table *t = calloc(1, sizeof *t);
    char *text = read_text(path), *at = text;
    for (; t && *at && t->rows < ROWS; t->rows++) {
        int k = 0;
        for (bool more = true; more && k < COLUMNS; k++) {
            char *out = t->word[t->rows][k];
            const bool quoted = *at == '"';
            for (at += quoted; *at && (quoted ? *at != '"' || at[1] == '"' : *at != ',' && *at != '\n') && out - t->word[t->rows][k] < 1023; at++) {
                *out++ = *at;
                if (quoted && *at == '"') at++;
            }
            at += quoted;
            more = *at == ',';
            if (*at) at++;
        }
        if (t->rows == 0) t->columns = k;
        CHECK(k == t->columns);
    }
    free(text);
    return t;
}

static int column(const table *t, const char *name)
{
    for (int k = 0; k < t->columns; k++)
        if (strcmp(t->word[0][k], name) == 0) return k;
    TEST_FAIL("there is no column '%s'", name);
    exit(1);
}

static double number(const table *t, int row, const char *name)
{
    char *end;
    const char *word = t->word[row][column(t, name)];
    const double value = strtod(word, &end);
    if (end == word || *end) TEST_FAIL("row %d: %s is '%s'", row, name, word);
    return value;
}

/* Last value, mean, least and largest of a column of series.csv, read once more here. */
static void measure(const char *path, int index, double out[4])
{
    char *text = read_text(path), *line = strchr(text, '\n') + 1;
    int rows = 0;
    for (; *line; line = strchr(line, '\n') + 1, rows++) {
        const char *at = line;
        for (int k = 0; k < index; k++) at = strchr(at, ',') + 1;
        const double value = strtod(at, NULL);
        out[0] = value, out[1] = rows ? out[1] + value : value, out[2] = rows ? fmin(out[2], value) : value, out[3] = rows ? fmax(out[3], value) : value;
    }
    out[1] /= rows;
    free(text);
}

/* ---- tests -------------------------------------------------------------------------------------------------------- */

/* The product of two --vary, the last the fastest; every number of a row is its run's. */
TEST(rows_and_columns)
{
    static const char HEADER[] = "bounce,time.step,exit,status,wall_seconds,steps,contacts_mean,iterations_mean,residual_max,penetration_max,unconverged_steps,"
                                 "missed_tolerance,missed_median,missed_worst,missed_worst_time,"
                                 "height.final,height.mean,height.min,height.max,pace.final,pace.mean,pace.min,pace.max\n";
    static const char *const BOUNCE[] = {"0", "0.5", "0.9"}, *const STEP[] = {"1 ms", "2 ms"};
    static const char *const WHAT[] = {"final", "mean", "min", "max"};
    write_scene();
    CHECK(SWEEP("--vary", "bounce=0,0.5,0.9", "--vary", "time.step=1 ms, 2 ms", "-o", in_home("a"), "--set", "push=4", "--until", "0.3 s") == 0);
    char *text = read_text(in_home("a/sweep.csv"));
    if (strncmp(text, HEADER, strlen(HEADER)) != 0) TEST_FAIL("the columns are %.*s", (int)strcspn(text, "\n"), text);
    free(text);
    table *t = read_table(in_home("a/sweep.csv"));
    CHECK(t->rows == 7);
    for (int i = 1; i < t->rows; i++) {
        char path[256], name[64];
        const char *bounce = BOUNCE[(i - 1) / 2], *step = STEP[(i - 1) % 2];
        CHECK(strcmp(t->word[i][0], bounce) == 0 && strcmp(t->word[i][1], step) == 0);
        CHECK(strcmp(t->word[i][3], "done") == 0 && number(t, i, "exit") == 0);
        CHECK_NEAR(number(t, i, "steps"), (i - 1) % 2 ? 150 : 300, 0);
        CHECK(number(t, i, "wall_seconds") > 0);
        snprintf(path, sizeof path, "%s/a/bounce=%s,time.step=%c_ms/series.csv", home, bounce, step[0]);
        for (int p = 0; p < 2; p++) {
            double wanted[4] = {0};
            measure(path, 1 + p, wanted);
            for (int k = 0; k < 4; k++) {
                snprintf(name, sizeof name, "%s.%s", p ? "pace" : "height", WHAT[k]);
                CHECK_CLOSE(number(t, i, name), wanted[k], 1e-12);
            }
        }
    }
    /* and the physics: who bounces more is higher at the end; the push moved it */
    CHECK(number(t, 5, "height.final") > number(t, 3, "height.final") && number(t, 3, "height.final") > number(t, 1, "height.final") + 0.01);
    free(t);
    CHECK(holds("table", "height.final") && holds("table", "0.9       2 ms     0    done"));
    CHECK(holds("errors", "[6/6] "));
}

/* Everything but the wall time is the same for one run after the other and two at once. */
TEST(side_by_side)
{
    write_scene();
    CHECK(SWEEP("--vary", "bounce=0,0.25,0.5,0.75", "-o", in_home("one")) == 0);
    CHECK(SWEEP("--vary", "bounce=0,0.25,0.5,0.75", "-o", in_home("two"), "-j", "2") == 0);
    char threads[40]; /* that a run has by itself, between two */
    snprintf(threads, sizeof threads, "\"threads\": %d,", tl_usual_threads() > 1 ? tl_usual_threads() / 2 : 1);
    CHECK(holds("two/bounce=0.25/summary.json", threads));
    table *a = read_table(in_home("one/sweep.csv")), *b = read_table(in_home("two/sweep.csv"));
    const int wall = column(a, "wall_seconds");
    CHECK(a->rows == 5 && b->rows == 5 && a->columns == b->columns);
    for (int i = 0; i < a->rows; i++)
        for (int k = 0; k < a->columns; k++)
            if (k != wall && strcmp(a->word[i][k], b->word[i][k]) != 0) TEST_FAIL("row %d: '%s' is not '%s'", i, b->word[i][k], a->word[i][k]);
    free(a);
    free(b);
}

/* The run that cannot go on is a row that says why; the others are there, and old results are not mistaken for new ones. */
TEST(failing_run)
{
    write_scene();
    CHECK(SWEEP("--vary", "push=1,4,9", "-o", in_home("f")) == 0);
    CHECK(SWEEP("--vary", "push=1,0.1,9", "-o", in_home("f")) == 1);
    table *t = read_table(in_home("f/sweep.csv"));
    CHECK(t->rows == 4);
    CHECK(number(t, 1, "exit") == 0 && number(t, 2, "exit") == 1 && number(t, 3, "exit") == 0);
    CHECK(strcmp(t->word[2][2], "done") != 0 && strlen(t->word[2][2]) > 10);
    CHECK(number(t, 3, "pace.final") > number(t, 1, "pace.final"));
    free(t);
    CHECK(holds("errors", "push = 0.1: failed: talus: ") && holds("f/sweep.html", "class='bad'"));
}

/* A scene that reads well but cannot be built, two stones where there is room for one: its row is empty, though an earlier sweep left results. */
TEST(unbuildable_run)
{
    static const char *const ROOM[] = {"grains={g: {generator: drop, region: [[2, 0.1], [3, 1]], count: 1, radius: {classes: [0.05]}, material: stone}}",
                                       "grains={g: {generator: drop, region: [[2, 0.1], [2.18, 0.28]], count: 1, radius: {classes: [0.05]}, material: stone}}"};
    write_scene();
    CHECK(SWEEP("--set", ROOM[0], "--vary", "grains.g.count=1,2", "-o", in_home("b"), "--until", "0.01") == 0);
    CHECK(SWEEP("--set", ROOM[1], "--vary", "grains.g.count=1,2", "-o", in_home("b"), "--until", "0.01", "--force") == 1);
    table *t = read_table(in_home("b/sweep.csv"));
    CHECK(t->rows == 3 && number(t, 1, "exit") == 0 && number(t, 2, "exit") == 2);
    CHECK(strcmp(t->word[2][2], "failed") == 0 && t->word[2][column(t, "steps")][0] == '\0' && t->word[2][column(t, "height.final")][0] == '\0');
    free(t);
    CHECK(holds("errors", "count = 2: failed: ") && holds("errors", "only 1 of the 2 grains fit"));
}

/* Commas in brackets and quotes do not part values; what is no number is not drawn against. */
TEST(values)
{
    write_scene();
    CHECK(SWEEP("--vary", "gravity=[0, -9.81],[0, -1.62]", "--until", "0.1", "-o", in_home("g")) == 0);
    table *t = read_table(in_home("g/sweep.csv"));
    CHECK(t->rows == 3 && strcmp(t->word[2][0], "[0, -1.62]") == 0);
    CHECK(number(t, 2, "height.final") > number(t, 1, "height.final") + 0.03);
    free(t);
    CHECK(holds("g/sweep.html", "Over time"));
    char *page = read_text(in_home("g/sweep.html"));
    CHECK(strstr(page, "Against") == NULL);
    free(page);
    CHECK(SWEEP("--vary", "loads.push.x=\"max(1, 2)\",'min(3, 4)',max(1,2)", "--until", "0.01", "-o", in_home("q")) == 0);
    t = read_table(in_home("q/sweep.csv"));
    CHECK(t->rows == 4 && strcmp(t->word[1][0], "\"max(1, 2)\"") == 0 && strcmp(t->word[3][0], "max(1,2)") == 0);
    free(t);
}

/* One page, nothing from elsewhere; a plot a probe over time, and against what is varied. */
TEST(page)
{
    write_scene();
    CHECK(SWEEP("--vary", "bounce=0,0.5", "--set", "push=4", "-o", in_home("p")) == 0);
    char *page = read_text(in_home("p/sweep.html"));
    int plots = 0, links = 0;
    for (const char *at = page; (at = strstr(at, "<svg ")); at++) plots++;
    for (const char *at = page; (at = strstr(at, "http")); at++) links += strncmp(at, "http://www.w3.org/2000/svg", 26) != 0;
    CHECK(plots == 4 && links == 0);
    CHECK(strstr(page, "prefers-color-scheme:dark") && strstr(page, "width=device-width") && strstr(page, "Against bounce"));
    CHECK(strstr(page, "height [m]") && strstr(page, "bounce = 0.5"));
    free(page);
}

/* Found before anything runs: exit code 2, with the place. */
TEST(refusals)
{
    write_scene();
    const struct {
        const char *vary, *says;
    } wrong[] = {{"bounce=0.1,nonsense", "nonsense"},
                 {"time.stop=1,2", "time.stop"},
                 {"time.step=1 ms,-1 ms", "time.step=-1 ms"},
                 {"time.step=1 ms,2 kg", "kg"},
                 {"bounce=", "path=a,b,c"},
                 {"bounce", "path=a,b,c"},
                 {"=1,2", "path=a,b,c"},
                 {"bounce=1,,2", "value 2 is empty"},
                 {"gravity=[0, 1],[0", "stays open"},
                 {"bounce='1,2", "stays open"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (SWEEP("--vary", wrong[i].vary, "-o", in_home("w")) != 2 || !holds("errors", wrong[i].says)) TEST_FAIL("--vary %s", wrong[i].vary);
    CHECK(access(in_home("w"), F_OK) != 0);
    CHECK(SWEEP("-o", in_home("w")) == 2 && holds("errors", "what is to vary"));
    CHECK(SWEEP("--vary", "bounce=1", "-j", "0") == 2 && holds("errors", "--jobs"));
    CHECK(SWEEP("--vary", "bounce=1", "--until", "never") == 2 && holds("errors", "--until"));
    CHECK(SWEEP("--vary", "bounce=1", "--vary", "bounce=2", "-o", in_home("w")) == 2 && holds("errors", "twice"));
    CHECK(SWEEP("--vary", "bounce=1", "other.yaml") == 2 && holds("errors", "one scene"));
    CHECK(SWEEP("--vary", "bounce=1", "-o", in_home("ball.yaml/below")) == 2 && holds("errors", "ball.yaml"));
}

static void nap(double seconds) { usleep((useconds_t)(1e6 * seconds)); }

/* SIGINT to the sweep alone: it tells its runs, each saves its state; --resume goes on, and comes to the table of a sweep that nobody disturbed. */
TEST(interrupt_and_resume)
{
    enum { RUNS = 3 };
    write_scene();
    const char *const words[] = {
        in_home("ball.yaml"), "--vary", "bounce=0,0.3,0.6", "--set", "time.step=5e-6 s", "--set", "output.series.every=1 ms", "-j", "2", "-o", NULL,
        "--resume",           NULL};
    const char *argument[13];
    memcpy(argument, words, sizeof words);
    argument[10] = in_home("i"), argument[11] = NULL;
    const pid_t child = start(argument);
    /* until both runs have begun, however busy the machine is */
    const char *const begun[] = {in_home("i/bounce=0/series.csv"), in_home("i/bounce=0.3/series.csv")};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 6000 && access(begun[k], F_OK) != 0; i++) nap(0.01);
    nap(0.05);
    kill(child, SIGINT);
    CHECK(ended(child) == 130);
    CHECK(holds("errors", "interrupted") && holds("errors", "--resume"));
    table *t = read_table(in_home("i/sweep.csv"));
    CHECK(t->rows == 1 + RUNS && number(t, 1, "exit") == 130 && number(t, 3, "exit") == 130);
    CHECK(strcmp(t->word[1][2], "interrupted") == 0 && strcmp(t->word[3][2], "not run") == 0);
    CHECK(number(t, 1, "steps") >= 0 && number(t, 1, "steps") < 80000);
    free(t);
    argument[11] = "--resume";
    CHECK(ended(start(argument)) == 0);
    argument[10] = in_home("u"), argument[11] = NULL;
    CHECK(ended(start(argument)) == 0);
    table *resumed = read_table(in_home("i/sweep.csv")), *whole = read_table(in_home("u/sweep.csv"));
    const int wall = column(whole, "wall_seconds");
    CHECK(whole->rows == 1 + RUNS && resumed->rows == 1 + RUNS);
    for (int i = 0; i < whole->rows; i++)
        for (int k = 0; k < whole->columns; k++)
            if (k != wall && strcmp(resumed->word[i][k], whole->word[i][k]) != 0)
                TEST_FAIL("row %d, %s: '%s' is not '%s'", i, whole->word[0][k], resumed->word[i][k], whole->word[i][k]);
    free(resumed);
    free(whole);
    /* once more: all is finished, nothing is run */
    struct stat before, after;
    argument[10] = in_home("u"), argument[11] = "--resume";
    CHECK(stat(in_home("u/bounce=0/summary.json"), &before) == 0);
    CHECK(ended(start(argument)) == 0);
    CHECK(stat(in_home("u/bounce=0/summary.json"), &after) == 0 && before.st_ino == after.st_ino);
    CHECK(holds("errors", "bounce = 0.6: finished before"));
}

int main(int argc, char **argv)
{
    snprintf(home, sizeof home, "/tmp/talus-sweep-XXXXXX");
    if (!mkdtemp(home)) return 1;
    RUN(rows_and_columns);
    RUN(side_by_side);
    RUN(failing_run);
    RUN(unbuildable_run);
    RUN(values);
    RUN(page);
    RUN(refusals);
    RUN(interrupt_and_resume);
    nftw(home, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return TEST_RESULT;
}
