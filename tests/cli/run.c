/* talus run as its user sees it (results §2): exit codes, interruption, kill and resume, divergence, directories that cannot be written.
 * Full disks: tests/fault/writes.c. */
#include <ftw.h>
#include <fcntl.h>
#include <hdf5.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <time.h>

#include "base/base.h"
#include "test.h"

static char home[64]; /* everything happens below it */

/* Grains, a moving box and a driven four-bar; %s: lines that a test adds under output. */
static const char MILL[] = "dimension: 2\n"
                           "gravity: [0, -9.81]\n"
                           "time: {end: 0.6 s, step: 1 ms}\n"
                           "solver: {tolerance: 1e-6 m/s, max_iterations: 200}\n"
                           "materials:\n"
                           "  stone: {density: 2000 kg/m^3, thickness: 10 mm}\n"
                           "interactions:\n"
                           "  - {between: [stone, stone], friction: 0.4, restitution: 0.1}\n"
                           "bodies:\n"
                           "  box:\n"
                           "    kind: imposed\n"
                           "    motion: {x: \"5 mm * sin(2*pi*5 Hz*t)\"}\n"
                           "    shapes:\n"
                           "      - half_plane: {point: [0, 0], normal: [0, 1], material: stone}\n"
                           "      - half_plane: {point: [-0.3, 0], normal: [1, 0], material: stone}\n"
                           "      - half_plane: {point: [0.3, 0], normal: [-1, 0], material: stone}\n"
                           "grains:\n"
                           "  pebbles: {generator: drop, region: [[-0.28, 0.01], [0.28, 0.6]], count: 60, radius: {classes: [15 mm, 18 mm]},\n"
                           "            shape: polygon, seed: 5, material: stone}\n"
                           "mechanisms:\n"
                           "  four_bar:\n"
                           "    bodies:\n"
                           "      crank: {mass: 0.2 kg, inertia: 1e-4, centre_of_mass: [30 mm, 0]}\n"
                           "      coupler: {mass: 0.3 kg, inertia: 1e-3, centre_of_mass: [100 mm, 0]}\n"
                           "      rocker:\n"
                           "        mass: 0.5 kg\n"
                           "        inertia: 5e-3\n"
                           "        shapes:\n"
                           "          - segment: {from: [150 mm, 0], to: [300 mm, 0], radius: 8 mm, material: stone}\n"
                           "    joints:\n"
                           "      A: {type: revolute, parent: ground, at: [-200 mm, 300 mm], child: crank, angle: 1.5}\n"
                           "      B: {type: revolute, parent: crank, at: [60 mm, 0], child: coupler, angle: -63.27 deg}\n"
                           "      C: {type: revolute, parent: coupler, at: [200 mm, 0], child: rocker, angle: -88.59 deg}\n"
                           "    loops:\n"
                           "      E: {type: point, bodies: [rocker, ground], at: [[150 mm, 0], [50 mm, 300 mm]]}\n"
                           "    drives:\n"
                           "      motor: {joint: A, speed: \"12 * ramp(t, 0, 0.2)\"}\n"
                           "probes:\n"
                           "  crank_torque: {joint: A, quantity: force}\n"
                           "  bearing: {loop: E, quantity: x}\n"
                           "output:\n"
                           "  frames: {every: 7 ms}\n"
                           "%s";

/* A ball in free flight, pushed by a force; %s: the force along x. */
static const char BALL[] = "gravity: [0, -9.81]\n"
                           "time: {end: 0.1 s, step: 1 ms}\n"
                           "materials:\n"
                           "  stone: {density: 2000 kg/m^3}\n"
                           "bodies:\n"
                           "  other: {position: [5, 0], mass: 1 kg, inertia: 1, velocity: [1, 0]}\n"
                           "  ball: {position: [0, 1], mass: 2 kg, inertia: 1, shapes: [{disk: {radius: 0.1, material: stone}}]}\n"
                           "loads:\n"
                           "  push: {body: ball, x: \"%s\"}\n"
                           "output:\n"
                           "  frames: {every: 10 ms}\n";

/* ---- files -------------------------------------------------------------------------------------------------------- */

/* home/name; four may be in use at once */
static const char *in_home(const char *name)
{
    static char path[4][512];
    static int next;
    char *out = path[next++ % 4];
    snprintf(out, sizeof path[0], "%s/%s", home, name);
    return out;
}

static void write_scene(const char *name, const char *format, const char *part)
{
    FILE *out = fopen(in_home(name), "w");
    if (!out) exit(1);
    for (const char *s = format; *s; s++) {
        if (s[0] == '%' && s[1] == 's') fputs(part, out), s++;
        else fputc(*s, out);
    }
    fclose(out);
}

/* The whole file, ended by a zero; NULL when there is none. */
static char *read_file(const char *path, size_t *size)
{
    FILE *in = fopen(path, "rb");
    char *text = NULL;
    *size = 0;
    if (!in) return NULL;
    for (size_t got = 1, room = 0; got > 0; *size += got) {
        if (*size + 1 >= room) text = realloc(text, room = 2 * room + 4096);
        if (!text) exit(1);
        got = fread(text + *size, 1, room - *size - 1, in);
    }
    text[*size] = '\0';
    fclose(in);
    return text;
}

static bool same_file(const char *a, const char *b)
{
    size_t na, nb;
    char *ta = read_file(a, &na), *tb = read_file(b, &nb);
    const bool same = ta && tb && na == nb && memcmp(ta, tb, na) == 0;
    free(ta);
    free(tb);
    return same;
}

static long size_of(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 ? (long)s.st_size : -1;
}

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *walk)
{
    (void)s, (void)kind, (void)walk;
    return remove(path);
}

/* The text of "key": …, in a summary, up to the end of its line. */
static void summary_value(const char *directory, const char *key, char *out, size_t room)
{
    char path[600], word[64];
    size_t size;
    snprintf(path, sizeof path, "%s/summary.json", in_home(directory));
    snprintf(word, sizeof word, "\"%s\": ", key);
    char *text = read_file(path, &size);
    const char *at = text ? strstr(text, word) : NULL;
    snprintf(out, room, "%s", at ? at + strlen(word) : "(none)");
    out[strcspn(out, "\n")] = '\0';
    if (out[0] && out[strlen(out) - 1] == ',') out[strlen(out) - 1] = '\0';
    free(text);
}

/* ---- running ------------------------------------------------------------------------------------------------------ */

typedef struct outcome {
    int code; /* −1: ended by a signal */
    int signal;
    char text[4096]; /* what it said on stderr */
} outcome;

enum { WORDS = 16 };
static pid_t start(const char *const *words)
{
    const pid_t child = fork();
    if (child != 0) return child;
    const int errors = open(in_home("stderr"), O_WRONLY | O_CREAT | O_TRUNC, 0666), nothing = open("/dev/null", O_RDWR);
    dup2(nothing, 0);
    dup2(nothing, 1);
    dup2(errors, 2);
    execv(TALUS_COMMAND, (char *const *)(uintptr_t)words);
    _exit(99);
}

static outcome finish(pid_t child)
{
    outcome o = {.code = -1};
    int status;
    size_t size;
    waitpid(child, &status, 0);
    if (WIFEXITED(status)) o.code = WEXITSTATUS(status);
    else o.signal = WTERMSIG(status);
    char *text = read_file(in_home("stderr"), &size);
    snprintf(o.text, sizeof o.text, "%s", text ? text : "");
    free(text);
    return o;
}

/* talus run SCENE -o DIRECTORY …, names below home; the list ends with NULL */
static pid_t start_run(const char *scene, const char *directory, const char *const *more)
{
    char from[512], to[512];
    snprintf(from, sizeof from, "%s", in_home(scene));
    snprintf(to, sizeof to, "%s", directory[0] == '/' ? directory : in_home(directory));
    const char *words[WORDS] = {"talus", "run", from, "-o", to};
    for (int i = 0; i + 6 < WORDS && more && more[i]; i++) words[5 + i] = more[i];
    return start(words);
}

#define RUN_TALUS(scene, directory, ...) finish(start_run(scene, directory, (const char *const[]){__VA_ARGS__, NULL}))

#define CHECK_CODE(run, expected)                                                                                                                              \
    do {                                                                                                                                                       \
        const outcome o_ = (run);                                                                                                                              \
        if (o_.code != (expected)) TEST_FAIL("exit code %d (signal %d), expected %d: %s", o_.code, o_.signal, expected, o_.text);                              \
    } while (0)

#define CHECK_SAYS(o, word)                                                                                                                                    \
    do {                                                                                                                                                       \
        if (!strstr((o).text, word)) TEST_FAIL("no '%s' in: %s", word, (o).text);                                                                              \
    } while (0)

static void wait_ms(int ms) { nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, NULL); }

/* Waits until a file has at least so many bytes; false after a minute. */
static bool wait_for(const char *path, long bytes)
{
    for (int i = 0; i < 30000 && size_of(path) < bytes; i++) wait_ms(2);
    return size_of(path) >= bytes;
}

/* ---- equal runs --------------------------------------------------------------------------------------------------- */

static void *read_set(const char *path, const char *name, size_t *bytes)
{
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), set = file >= 0 ? H5Dopen2(file, name, H5P_DEFAULT) : -1;
    void *data = NULL;
    *bytes = 0;
    if (set >= 0) {
        const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
        *bytes = (size_t)H5Sget_simple_extent_npoints(space) * H5Tget_size(type);
        data = malloc(*bytes + 1);
        if (!data || (*bytes && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)) {
            free(data);
            data = NULL;
        }
        H5Sclose(space);
        H5Tclose(type);
        H5Dclose(set);
    }
    if (file >= 0) H5Fclose(file);
    return data;
}

static void check_same_trajectory(const char *a, const char *b, bool contacts)
{
    static const char *const SETS[] = {"frames/time",     "frames/pose",  "frames/velocity",  "frames/contact_end", "contacts/body", "contacts/point",
                                       "contacts/normal", "contacts/gap", "contacts/impulse", "contacts/force",     "bodies/mass",   "shapes/points"};
    char left[600], right[600];
    snprintf(left, sizeof left, "%s/trajectory.h5", in_home(a));
    snprintf(right, sizeof right, "%s/trajectory.h5", in_home(b));
    for (size_t i = 0; i < sizeof SETS / sizeof *SETS; i++) {
        size_t na, nb;
        void *da = read_set(left, SETS[i], &na), *db = read_set(right, SETS[i], &nb);
        if (!da || !db || (na == 0 && contacts)) TEST_FAIL("%s: '%s' cannot be read, or is empty", !da ? left : right, SETS[i]);
        else if (na != nb || memcmp(da, db, na) != 0) TEST_FAIL("%s differs between %s (%zu bytes) and %s (%zu bytes)", SETS[i], a, na, b, nb);
        free(da);
        free(db);
    }
}

/* Same final state, same series byte for byte, same frames, same statistics; with contacts: there are some. */
static void check_same_run(const char *a, const char *b, bool contacts)
{
    static const char *const KEYS[] = {"state_hash",      "status",       "steps",           "time_end",          "contacts_mean",      "contacts_max",
                                       "iterations_mean", "residual_max", "penetration_max", "unconverged_steps", "contact_iterations", "loop_error_max"};
    char left[600], right[600], va[128], vb[128];
    for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++) {
        summary_value(a, KEYS[i], va, sizeof va);
        summary_value(b, KEYS[i], vb, sizeof vb);
        if (strcmp(va, "(none)") == 0 || strcmp(va, vb) != 0) TEST_FAIL("%s: %s in %s, %s in %s", KEYS[i], va, a, vb, b);
    }
    snprintf(left, sizeof left, "%s/series.csv", in_home(a));
    snprintf(right, sizeof right, "%s/series.csv", in_home(b));
    if (!same_file(left, right)) TEST_FAIL("series.csv of %s (%ld bytes) and %s (%ld bytes) differ", a, size_of(left), b, size_of(right));
    check_same_trajectory(a, b, contacts);
}

static void undisturbed(const char *scene, const char *directory)
{
    outcome o = RUN_TALUS(scene, directory, "--quiet");
    CHECK_CODE(o, 0);
    CHECK(o.text[0] == '\0' || (strstr(o.text, "steps missed the tolerance") && strchr(o.text, '\n')[1] == '\0')); /* --quiet: nothing else to say */
}

/* ---- tests -------------------------------------------------------------------------------------------------------- */

/* The table of results §2 on the smallest scenes. */
TEST(exit_codes)
{
    write_scene("codes.yaml", BALL, "3");
    outcome o = RUN_TALUS("codes.yaml", "codes", "--threads", "2");
    CHECK_CODE(o, 0);
    CHECK_SAYS(o, "codes");
    o = RUN_TALUS("missing.yaml", "codes-2", NULL);
    CHECK_CODE(o, 2);
    CHECK_SAYS(o, "missing.yaml");
    CHECK(size_of(in_home("codes-2")) < 0); /* nothing is made for a scene that is not there */
    write_scene("broken.yaml", BALL, "3 * parsecs");
    o = RUN_TALUS("broken.yaml", "codes-2", NULL);
    CHECK_CODE(o, 2);
    CHECK_SAYS(o, "broken.yaml:9:");
    CHECK_SAYS(o, "parsecs");
    CHECK(size_of(in_home("codes-2")) < 0);
    CHECK_CODE(finish(start((const char *const[]){"talus", "run", NULL})), 2);
    CHECK_CODE(finish(start((const char *const[]){"talus", "rnu", NULL})), 2);
    write_scene("diverges.yaml", BALL, "3 * sqrt(1 - 20 Hz*t)");
    CHECK_CODE(RUN_TALUS("diverges.yaml", "codes-3", NULL), 1);
}

/* Values that no option takes: exit code 2, the option named, nothing written. */
TEST(bad_options)
{
    static const char *const BAD[][2] = {
        {"--threads", "two"},
        {"--threads", "-1"},
        {"--threads", "1.5"},
        {"--threads", ""},
        {"--threads", "99999"},
        {"--threads", "4294967297"},
        {"--threads", "99999999999999999999"},
        {"--until", "soon"},
        {"--until", "-1"},
        {"--until", "0"},
        {"--until", ""},
        {"--until", "nan"},
        {"--until", "inf"},
        {"--until", "1 m"},
        {"--until", "1e999"},
        {"--set", "time"},
        {"--set", "=3"},
        {"--set", ""},
        {"--set", "tiem.end=1 s"},
        {"--set", "time.end=1 kg"},
        {"--set", "time.end=-1 s"},
        {"--set", "time.step=0"},
        {"--set", "time.step=nan"},
        {"--set", "bodies.ball.mass="},
        {"--wrong", "1"},
    };
    write_scene("options.yaml", BALL, "3");
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        outcome o = RUN_TALUS("options.yaml", "options", BAD[i][0], BAD[i][1]);
        if (o.code != 2) TEST_FAIL("%s '%s': exit code %d (signal %d), expected 2: %s", BAD[i][0], BAD[i][1], o.code, o.signal, o.text);
        if (o.text[0] == '\0') TEST_FAIL("%s '%s': no message", BAD[i][0], BAD[i][1]);
        if (size_of(in_home("options")) >= 0) {
            TEST_FAIL("%s '%s': the directory of results was made", BAD[i][0], BAD[i][1]);
            nftw(in_home("options"), remove_one, 8, FTW_DEPTH | FTW_PHYS);
        }
    }
}

/* The options that do something do it. */
TEST(good_options)
{
    char text[128];
    write_scene("good.yaml", BALL, "3");
    CHECK_CODE(RUN_TALUS("good.yaml", "good", "--until", "0.05", "--quiet"), 0);
    summary_value("good", "steps", text, sizeof text);
    CHECK(strcmp(text, "50") == 0);
    summary_value("good", "threads", text, sizeof text);
    CHECK(atoi(text) == tl_usual_threads());
    CHECK_CODE(RUN_TALUS("good.yaml", "good-2", "--set", "time.step=2 ms", "--set", "time.end=20 ms", "--threads", "3", "--quiet"), 0);
    summary_value("good-2", "steps", text, sizeof text);
    CHECK(strcmp(text, "10") == 0);
    summary_value("good-2", "threads", text, sizeof text);
    CHECK(strcmp(text, "3") == 0);
    /* ended early by --until, then carried to the end: as if never stopped */
    undisturbed("good.yaml", "good-3");
    CHECK_CODE(RUN_TALUS("good.yaml", "good", "--resume", "--quiet"), 0);
    check_same_run("good-3", "good", false);
}

/* SIGINT after some steps: exit code 130, the state saved; resumed, the run ends as if never stopped. SIGTERM likewise. */
TEST(interrupted)
{
    static const int SIGNALS[2] = {SIGINT, SIGTERM};
    write_scene("interrupted.yaml", MILL, "  series: {every: 0 s}\n");
    undisturbed("interrupted.yaml", "whole");
    for (int i = 0; i < 2; i++) {
        char directory[32], series[600], text[128];
        snprintf(directory, sizeof directory, "interrupted-%d", i);
        snprintf(series, sizeof series, "%s/series.csv", in_home(directory));
        const pid_t child = start_run("interrupted.yaml", directory, NULL);
        CHECK(wait_for(series, 8192)); /* the header and 20 rows or more */
        kill(child, SIGNALS[i]);
        outcome o = finish(child);
        CHECK_CODE(o, 130);
        CHECK_SAYS(o, "once more: ends at once");
        CHECK_SAYS(o, "--resume");
        summary_value(directory, "status", text, sizeof text);
        CHECK(strcmp(text, "\"interrupted\"") == 0);
        summary_value(directory, "steps", text, sizeof text);
        if (atoi(text) < 10 || atoi(text) > 599) TEST_FAIL("interrupted after %s steps of 600", text);
        CHECK_CODE(RUN_TALUS("interrupted.yaml", directory, "--resume", "--quiet", "--threads", i ? "2" : "1"), 0);
        check_same_run("whole", directory, true);
    }
}

/* kill -9, several times in a row, each time resumed from the last checkpoint. Seeds make the moments repeatable, the machine does not. */
static void kill_and_resume(unsigned seed, const char *scene, const char *directory)
{
    char checkpoint[600];
    int killed = 0;
    snprintf(checkpoint, sizeof checkpoint, "%s/checkpoint.h5", in_home(directory));
    for (int i = 0; i < 5; i++) {
        const char *const resume[] = {i ? "--resume" : "--quiet", NULL};
        const pid_t child = start_run(scene, directory, resume);
        if (!wait_for(checkpoint, 1)) TEST_FAIL("no checkpoint after a minute");
        seed = seed * 1664525u + 1013904223u;
        wait_ms(10 + (int)(seed >> 24) / 3);
        kill(child, SIGKILL);
        const outcome o = finish(child);
        if (o.signal != SIGKILL) CHECK_CODE(o, 0); /* it may have ended just before */
        else killed++;
        if (o.signal != SIGKILL) break;
    }
    CHECK(killed >= 3);
    outcome o = RUN_TALUS(scene, directory, "--resume", "--quiet");
    CHECK_CODE(o, 0);
}

TEST(killed)
{
    write_scene("mill.yaml", MILL, "  checkpoint: {every: 5 ms}\n");
    write_scene("killed.yaml", "include: mill.yaml\noutput: {frames: {every: 2 ms}}\n", "");
    undisturbed("killed.yaml", "unkilled");
    for (unsigned seed = 1; seed <= 8 && !test_failures; seed++) {
        char directory[32];
        snprintf(directory, sizeof directory, "killed-%u", seed);
        kill_and_resume(seed, "killed.yaml", directory);
        check_same_run("unkilled", directory, true);
    }
}

/* Resuming a run that is over changes nothing; twice no more than once. Once with the end on a recorded step, once between two. */
TEST(resumed_when_done)
{
    static const char *const OUTPUTS[2] = {"  series: {every: 10 ms}\n", "  series: {every: 70 ms}\n"};
    for (int i = 0; i < 2; i++) {
        char scene[32], first[32], again[32];
        snprintf(scene, sizeof scene, "done-%d.yaml", i);
        snprintf(first, sizeof first, "done-%d", i);
        snprintf(again, sizeof again, "again-%d", i);
        write_scene(scene, MILL, OUTPUTS[i]);
        undisturbed(scene, first);
        undisturbed(scene, again);
        for (int k = 0; k < 2; k++) {
            outcome o = RUN_TALUS(scene, again, "--resume", "--quiet");
            CHECK_CODE(o, 0);
        }
        check_same_run(first, again, true);
    }
}

/* Another scene cannot be continued with this one's state: exit code 2, the checkpoint named, the results as they were. */
TEST(resumed_with_another_scene)
{
    static const char *const CHANGES[] = {"gravity=[0, -1.62]",          "time.step=0.5 ms", "bodies.ball.mass=3 kg",
                                          "bodies.ball.position=[0, 2]", "loads.push.x=-3",  "bodies.other.kind=fixed"};
    write_scene("mine.yaml", BALL, "3");
    for (size_t i = 0; i < sizeof CHANGES / sizeof *CHANGES; i++) {
        char directory[32], series[600];
        size_t size, size_now;
        snprintf(directory, sizeof directory, "mine-%zu", i);
        snprintf(series, sizeof series, "%s/series.csv", in_home(directory));
        outcome o = RUN_TALUS("mine.yaml", directory, "--until", "0.05", "--quiet");
        CHECK_CODE(o, 0);
        char *before = read_file(series, &size);
        o = RUN_TALUS("mine.yaml", directory, "--resume", "--set", CHANGES[i]);
        if (o.code != 2) TEST_FAIL("resumed with %s: exit code %d (signal %d), expected 2: %s", CHANGES[i], o.code, o.signal, o.text);
        else if (!strstr(o.text, "checkpoint.h5")) TEST_FAIL("resumed with %s: checkpoint.h5 is not named: %s", CHANGES[i], o.text);
        char *after = read_file(series, &size_now);
        const bool kept = before && after && size == size_now && memcmp(before, after, size) == 0;
        if (!kept) TEST_FAIL("resumed with %s: series.csv has changed", CHANGES[i]);
        free(before);
        free(after);
    }
    outcome o = RUN_TALUS("mine.yaml", "never-run", "--resume");
    CHECK_CODE(o, 2);
    CHECK_SAYS(o, "never-run/checkpoint.h5");
}

/* The last good state of a failed run is that of the run that ends there by --until, and it can be resumed, to fail again. */
static void check_last_good(const char *scene, const char *directory)
{
    char time[64], hash[2][64], until[32];
    summary_value(directory, "time_end", time, sizeof time);
    summary_value(directory, "state_hash", hash[0], sizeof hash[0]);
    snprintf(until, sizeof until, "%s-until", directory);
    outcome o = RUN_TALUS(scene, until, "--until", time, "--quiet");
    CHECK_CODE(o, 0);
    summary_value(until, "state_hash", hash[1], sizeof hash[1]);
    CHECK(strcmp(hash[0], hash[1]) == 0);
    o = RUN_TALUS(scene, directory, "--resume", "--until", time, "--quiet"); /* the checkpoint is read: nothing is left to do */
    CHECK_CODE(o, 0);
    summary_value(directory, "state_hash", hash[1], sizeof hash[1]);
    CHECK(strcmp(hash[0], hash[1]) == 0);
    CHECK_CODE(RUN_TALUS(scene, directory, "--resume", "--quiet"), 1);
    summary_value(directory, "state_hash", hash[1], sizeof hash[1]);
    CHECK(strcmp(hash[0], hash[1]) == 0);
}

/* sqrt(1 − 20 t) is no number beyond 50 ms: exit code 1, the ball and the time are named, the state of 49 … 51 ms is there. */
TEST(diverged)
{
    char text[512];
    write_scene("nan.yaml", BALL, "3 * sqrt(1 - 20 Hz*t)");
    outcome o = RUN_TALUS("nan.yaml", "nan", NULL);
    CHECK_CODE(o, 1);
    CHECK_SAYS(o, "'ball'");
    CHECK(!strstr(o.text, "'other'"));
    CHECK_SAYS(o, "0.05");
    CHECK_SAYS(o, "nan/checkpoint.h5");
    summary_value("nan", "time_end", text, sizeof text);
    CHECK_NEAR(atof(text), 0.05, 1.001e-3);
    summary_value("nan", "status", text, sizeof text);
    CHECK(strstr(text, "ball") != NULL);
    check_last_good("nan.yaml", "nan");
}

/* A PD drive with a damping far beyond the stable one (explicit: c h / I = 1e6 ≫ 2): the arm grows without bound and is named. */
TEST(diverged_mechanism)
{
    char text[512];
    FILE *out = fopen(in_home("pd.yaml"), "w");
    if (!out) exit(1);
    fputs("time: {end: 1 s, step: 1 ms}\n"
          "integrator: {forces: explicit}\n"
          "mechanisms:\n"
          "  swing:\n"
          "    bodies:\n"
          "      arm: {mass: 1 kg, inertia: 1}\n"
          "    joints:\n"
          "      pivot: {type: revolute, parent: ground, child: arm}\n"
          "    forces:\n"
          "      pd: {joint: pivot, target: \"0.1 * sin(1 rad/s*t)\", stiffness: 1e6, damping: 1e9}\n",
          out);
    fclose(out);
    outcome o = RUN_TALUS("pd.yaml", "pd", NULL);
    CHECK_CODE(o, 1);
    CHECK(strstr(o.text, "swing") || strstr(o.text, "arm") || strstr(o.text, "pivot"));
    CHECK_SAYS(o, "t = ");
    summary_value("pd", "steps", text, sizeof text);
    CHECK(atoi(text) > 1 && atoi(text) < 999);
    check_last_good("pd.yaml", "pd");
}

/* A wrong scene, an option that does not parse, or a resume that is refused leave the results of an earlier run alone. */
TEST(results_survive_mistakes)
{
    static const char *const FILES[] = {"kept/series.csv", "kept/summary.json", "kept/trajectory.h5", "kept/checkpoint.h5", "kept/scene.yaml"};
    size_t size[5], now;
    char *before[5];
    write_scene("kept.yaml", BALL, "3");
    undisturbed("kept.yaml", "kept");
    for (int i = 0; i < 5; i++) before[i] = read_file(in_home(FILES[i]), &size[i]);
    write_scene("kept.yaml", BALL, "3 * parsecs");
    CHECK_CODE(RUN_TALUS("kept.yaml", "kept", NULL), 2);
    write_scene("kept.yaml", BALL, "3");
    CHECK_CODE(RUN_TALUS("kept.yaml", "kept", "--until", "never"), 2);
    CHECK_CODE(RUN_TALUS("kept.yaml", "kept", "--resume", "--set", "time.step=3 ms"), 2);
    for (int i = 0; i < 5; i++) {
        char *after = read_file(in_home(FILES[i]), &now);
        if (!before[i] || !after || size[i] != now || memcmp(before[i], after, now) != 0) TEST_FAIL("%s is not what it was", FILES[i]);
        free(before[i]);
        free(after);
    }
}

static void check_refused(const char *directory, const char *named)
{
    outcome o = RUN_TALUS("refused.yaml", directory, NULL);
    if (o.code != 1 && o.code != 2) TEST_FAIL("%s: exit code %d (signal %d), expected 1 or 2: %s", directory, o.code, o.signal, o.text);
    if (!strstr(o.text, named)) TEST_FAIL("%s: no '%s' in: %s", directory, named, o.text);
}

/* Directories that cannot be made or written: no crash, the message names the file. */
TEST(unwritable_directory)
{
    write_scene("refused.yaml", BALL, "3");
    write_scene("plain", "a file\n", "");
    check_refused("plain", "plain");
    check_refused("plain/below/it", "plain");
    check_refused("/proc/talus", "/proc/talus");
    static const char *const FILES[] = {"scene.yaml", "series.csv", "trajectory.h5"};
    for (int i = 0; i < 3; i++) { /* a directory stands where the file should be */
        char directory[32];
        snprintf(directory, sizeof directory, "occupied-%d", i);
        mkdir(in_home(directory), 0777);
        char path[600];
        snprintf(path, sizeof path, "%s/%s", in_home(directory), FILES[i]);
        mkdir(path, 0777);
        check_refused(directory, FILES[i]);
    }
    if (geteuid() == 0) return; /* the superuser writes everywhere */
    mkdir(in_home("locked"), 0555);
    check_refused("locked", "locked");
}

int main(int argc, char **argv)
{
    setenv("ASAN_OPTIONS", "exitcode=99", 1); /* a sanitizer's complaint must not pass for exit code 1 */
    snprintf(home, sizeof home, "%s/talus-run-XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"); /* in memory: it syncs often */
    if (!mkdtemp(home)) return 1;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    RUN(exit_codes);
    RUN(bad_options);
    RUN(good_options);
    RUN(interrupted);
    RUN(killed);
    RUN(resumed_when_done);
    RUN(resumed_with_another_scene);
    RUN(diverged);
    RUN(diverged_mechanism);
    RUN(results_survive_mistakes);
    RUN(unwritable_directory);
    nftw(home, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return TEST_RESULT;
}
