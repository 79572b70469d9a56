/* Writes that fail at every place of a recorded run: limits on the size of files, full devices, a full disk. The run ends by itself with exit
 * code 1 or 2 and names the file; what is saved can be read; with room again it is resumed and ends as if nothing had happened. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <hdf5.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "test.h"

static char home[64];
static const char *scene = "mill.yaml"; /* the one that is run */

/* Grains, a moving box and a driven four-bar; every row is written, checkpoints are frequent. */
static const char MILL[] = "dimension: 2\n"
                           "gravity: [0, -9.81]\n"
                           "time: {end: 0.2 s, step: 1 ms}\n"
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
                           "      B: {type: revolute, parent: crank, at: [60 mm, 0], child: coupler, angle: -1.5}\n"
                           "      C: {type: revolute, parent: coupler, at: [200 mm, 0], child: rocker, angle: -1}\n"
                           "    loops:\n"
                           "      E: {type: point, bodies: [rocker, ground], at: [[150 mm, 0], [50 mm, 300 mm]]}\n"
                           "    drives:\n"
                           "      motor: {joint: A, speed: \"12 * ramp(t, 0, 0.2)\"}\n"
                           "probes:\n"
                           "  crank_torque: {joint: A, quantity: force}\n"
                           "  bearing: {loop: E, quantity: x}\n"
                           "output:\n"
                           "  series: {every: 0 s}\n"
                           "  frames: {every: 7 ms}\n"
                           "  checkpoint: {every: 20 ms}\n";

/* ---- files and runs ----------------------------------------------------------------------------------------------- */

static const char *in_home(const char *name)
{
    static char path[4][512];
    static int next;
    char *out = path[next++ % 4];
    snprintf(out, sizeof path[0], "%s/%s", home, name);
    return out;
}

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *walk)
{
    (void)s, (void)kind, (void)walk;
    return remove(path);
}

static void clear(const char *directory) { nftw(in_home(directory), remove_one, 16, FTW_DEPTH | FTW_PHYS); }

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

static long size_of(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 ? (long)s.st_size : -1;
}

/* "key": value of a summary; "(none)" when there is none. */
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

typedef struct outcome {
    int code; /* −1: ended by a signal */
    int signal;
    char text[4096];
} outcome;

/* In the child: talus run SCENE -o home/DIRECTORY, where no file may grow beyond `limit` bytes (0: no limit); ended after a minute.
 * Ignore: SIGXFSZ is ignored already when talus starts. */
static void become_mill(const char *directory, long limit, bool resume, bool ignore)
{
    char *const end = NULL;
    if (limit > 0) {
        const struct rlimit most = {(rlim_t)limit, (rlim_t)limit};
        signal(SIGXFSZ, ignore ? SIG_IGN : SIG_DFL);
        if (setrlimit(RLIMIT_FSIZE, &most) != 0) _exit(98);
    }
    alarm(60);
    execl(TALUS_COMMAND, "talus", "run", in_home(scene), "-o", in_home(directory), "--quiet", resume ? "--resume" : end, (char *)NULL);
    _exit(99);
}

static outcome run_mill_with(const char *directory, long limit, bool resume, bool ignore)
{
    outcome o = {.code = -1};
    int pipes[2], status;
    size_t size = 0;
    fflush(NULL);
    if (pipe(pipes) != 0) exit(1);
    const pid_t child = fork();
    if (child == 0) {
        dup2(pipes[1], 2);
        close(pipes[0]);
        close(pipes[1]);
        become_mill(directory, limit, resume, ignore);
    }
    close(pipes[1]);
    for (ssize_t n = 1; n > 0 && size + 1 < sizeof o.text; size += n > 0 ? (size_t)n : 0) n = read(pipes[0], o.text + size, sizeof o.text - 1 - size);
    o.text[size] = '\0';
    close(pipes[0]);
    waitpid(child, &status, 0);
    if (WIFEXITED(status)) o.code = WEXITSTATUS(status);
    else o.signal = WTERMSIG(status);
    return o;
}

static outcome run_mill(const char *directory, long limit, bool resume) { return run_mill_with(directory, limit, resume, true); }

/* ---- equal runs --------------------------------------------------------------------------------------------------- */

static void *read_pose(const char *directory, size_t *bytes)
{
    char path[600];
    snprintf(path, sizeof path, "%s/trajectory.h5", in_home(directory));
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), set = file >= 0 ? H5Dopen2(file, "frames/pose", H5P_DEFAULT) : -1;
    void *data = NULL;
    *bytes = 0;
    if (set >= 0) {
        const hid_t space = H5Dget_space(set);
        *bytes = (size_t)H5Sget_simple_extent_npoints(space) * sizeof(double);
        data = malloc(*bytes + 1);
        if (data && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) *bytes = 0;
        H5Sclose(space);
        H5Dclose(set);
    }
    if (file >= 0) H5Fclose(file);
    return data;
}

/* The state, the series byte for byte, the frames; these only where the command did not say that they were lost. */
static void check_as_undisturbed(const char *directory, const char *circumstance, bool frames_lost)
{
    char text[2][64], path[2][600];
    const char *const name[2] = {"undisturbed", directory};
    char *series[2];
    void *pose[2];
    size_t size[2], bytes[2];
    for (int i = 0; i < 2; i++) {
        summary_value(name[i], "state_hash", text[i], sizeof text[i]);
        snprintf(path[i], sizeof path[i], "%s/series.csv", in_home(name[i]));
        series[i] = read_file(path[i], &size[i]);
        pose[i] = read_pose(name[i], &bytes[i]);
    }
    if (strcmp(text[0], text[1]) != 0 || strcmp(text[0], "(none)") == 0) TEST_FAIL("%s: state %s, expected %s", circumstance, text[1], text[0]);
    if (!series[0] || !series[1] || size[0] != size[1] || memcmp(series[0], series[1], size[0]) != 0)
        TEST_FAIL("%s: another series.csv (%zu bytes, expected %zu)", circumstance, size[1], size[0]);
    if (!frames_lost && (!pose[0] || !pose[1] || bytes[0] == 0 || bytes[0] != bytes[1] || memcmp(pose[0], pose[1], bytes[0]) != 0))
        TEST_FAIL("%s: other frames (%zu bytes, expected %zu)", circumstance, bytes[1], bytes[0]);
    for (int i = 0; i < 2; i++) free(series[i]), free(pose[i]);
}

static bool undisturbed(void)
{
    FILE *out = fopen(in_home("mill.yaml"), "w");
    if (!out || fputs(MILL, out) < 0 || fclose(out) != 0) exit(1);
    if (size_of(in_home("undisturbed/summary.json")) > 0) return true;
    const outcome o = run_mill("undisturbed", 0, false);
    if (o.code != 0) TEST_FAIL("the undisturbed run: exit code %d (signal %d): %s", o.code, o.signal, o.text);
    return o.code == 0;
}

static bool names_a_file(const char *text)
{
    static const char *const FILES[] = {"scene.yaml", "series.csv", "trajectory.h5", "summary.json", "checkpoint.h5"};
    for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++)
        if (strstr(text, FILES[i])) return true;
    return false;
}

/* A run that met a failing write: exit code 1 or 2, no signal, a file is named, and the summary does not say that all is well (unless it is
 * that of an earlier run, which one that could not begin leaves alone). */
static void check_failed_well(const outcome *o, const char *directory, const char *circumstance, bool earlier)
{
    char text[512];
    if (o->code != 1 && o->code != 2) TEST_FAIL("%s: exit code %d (signal %d), expected 1 or 2: %s", circumstance, o->code, o->signal, o->text);
    if (!names_a_file(o->text)) TEST_FAIL("%s: no file is named: %s", circumstance, o->text);
    summary_value(directory, "status", text, sizeof text);
    if (strcmp(text, "\"done\"") == 0 && !(earlier && o->code == 2))
        TEST_FAIL("%s: exit code %d, and summary.json says \"done\": %s", circumstance, o->code, o->text);
}

/* With room again: from the checkpoint when there is one, else from the start. */
static void check_recovers(const char *directory, const char *circumstance)
{
    char path[600];
    snprintf(path, sizeof path, "%s/checkpoint.h5", in_home(directory));
    outcome o = run_mill(directory, 0, true);
    const bool saved = size_of(path) >= 0;
    const bool refused = o.code == 2 && strstr(o.text, "checkpoint.h5");
    if (!saved && !refused) TEST_FAIL("%s: nothing to resume, but exit code %d: %s", circumstance, o.code, o.text);
    if (!saved) o = run_mill(directory, 0, false);
    if (o.code != 0) TEST_FAIL("%s: %s: exit code %d (signal %d): %s", circumstance, saved ? "resumed" : "run again", o.code, o.signal, o.text);
    else check_as_undisturbed(directory, circumstance, strstr(o.text, "trajectory-damaged.h5") != NULL);
}

/* ---- tests -------------------------------------------------------------------------------------------------------- */

/* No file may be larger than the limit, which grows until the run gets through: the k-th write fails for every k, in strides. */
TEST(growing_limits)
{
    int failed = 0;
    long limit = 1;
    if (!undisturbed()) return;
    for (bool through = false; !through && limit < 1 << 24; limit += limit < 16384 ? 1777 : limit / 6) {
        char circumstance[64];
        snprintf(circumstance, sizeof circumstance, "files of at most %ld bytes", limit);
        const outcome o = run_mill("limited", limit, false);
        through = o.code == 0;
        if (through) check_as_undisturbed("limited", circumstance, false);
        else {
            failed++;
            check_failed_well(&o, "limited", circumstance, false);
            check_recovers("limited", circumstance);
        }
        clear("limited");
        if (test_failures > 10) break;
    }
    CHECK(failed >= 10);
}

/* The trajectory of a finished run is cut short by someone else: resumed, the run has nothing to do, and makes a new one. */
TEST(cut_after_the_end)
{
    size_t bytes, frame;
    char path[600];
    if (!undisturbed()) return;
    CHECK(run_mill("cut", 0, false).code == 0);
    free(read_pose("cut", &frame));
    snprintf(path, sizeof path, "%s", in_home("cut/trajectory.h5"));
    CHECK(truncate(path, size_of(path) / 2) == 0);
    const outcome o = run_mill("cut", 0, true);
    if (o.code != 0 || !strstr(o.text, "trajectory-damaged.h5")) TEST_FAIL("exit code %d: %s", o.code, o.text);
    CHECK(size_of(in_home("cut/trajectory-damaged.h5")) > 0);
    void *pose = read_pose("cut", &bytes);
    CHECK(pose && bytes > 0 && frame % bytes == 0 && frame > bytes); /* the last frame */
    free(pose);
    clear("cut");
}

/* A good checkpoint in the middle of the run; resumed with too little room, the run fails, and it is still there. */
TEST(resumed_without_room)
{
    static const long LIMITS[] = {1, 4096, 20000, 40000};
    if (!undisturbed()) return;
    for (size_t i = 0; i < sizeof LIMITS / sizeof *LIMITS; i++) {
        char circumstance[64], steps[64];
        snprintf(circumstance, sizeof circumstance, "resumed with files of at most %ld bytes", LIMITS[i]);
        const pid_t child = fork();
        if (child == 0) {
            execl(TALUS_COMMAND, "talus", "run", in_home("mill.yaml"), "-o", in_home("half"), "--quiet", "--until", "0.12", (char *)NULL);
            _exit(99);
        }
        int status;
        waitpid(child, &status, 0);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        const outcome o = run_mill("half", LIMITS[i], true);
        check_failed_well(&o, "half", circumstance, true);
        CHECK(size_of(in_home("half/checkpoint.h5")) > 0);
        check_recovers("half", circumstance);
        summary_value("half", "steps", steps, sizeof steps);
        CHECK(strcmp(steps, "200") == 0);
        clear("half");
    }
}

/* Whoever starts talus need not know of SIGXFSZ: beyond a limit it does not die of the signal, neither while it opens its files nor later. */
TEST(signal_of_the_limit)
{
    static const long LIMITS[] = {100, 1024, 8192, 40000};
    if (!undisturbed()) return;
    for (size_t i = 0; i < sizeof LIMITS / sizeof *LIMITS; i++) {
        const outcome o = run_mill_with("signal", LIMITS[i], false, false);
        if (o.signal == SIGXFSZ) TEST_FAIL("files of at most %ld bytes: killed by SIGXFSZ: %s", LIMITS[i], o.text);
        clear("signal");
    }
    (void)run_mill("seen", 0, false);
    static const char *const LOOK[][2] = {{"view", "page.html"}, {"shot", "picture.svg"}};
    for (int i = 0; i < 2; i++) { /* those that look at a run say so, and leave nothing half */
        char command[2000], path[700];
        snprintf(path, sizeof path, "%s/%s", in_home("seen"), LOOK[i][1]);
        snprintf(command, sizeof command, "ulimit -f 1; exec '" TALUS_COMMAND "' %s '%s' -o '%s' 2>/dev/null", LOOK[i][0], in_home("seen"), path);
        const int status = system(command);
        if (!WIFEXITED(status) || WEXITSTATUS(status) == 0) TEST_FAIL("talus %s beyond the limit: status %d", LOOK[i][0], status);
        CHECK(access(path, F_OK) != 0);
    }
    clear("seen");
}

/* /dev/full takes no byte: one file of the run at a time stands on it. Checkpoints are frequent, then only one is made, at the end. */
TEST(full_device)
{
    static const char *const FILES[][2] = {{"scene.yaml", "scene.yaml"},
                                           {"series.csv", "series.csv"},
                                           {"trajectory.h5", "trajectory.h5"},
                                           {"summary.json.tmp", "summary.json"},
                                           {"checkpoint.h5.tmp", "checkpoint.h5"}};
    if (!undisturbed()) return;
    FILE *rare = fopen(in_home("rare.yaml"), "w");
    if (!rare || fputs("include: mill.yaml\noutput: {checkpoint: {every: 1000 s}}\n", rare) < 0 || fclose(rare) != 0) exit(1);
    for (size_t i = 0; i < 2 * sizeof FILES / sizeof *FILES; i++) {
        const char *const *file = FILES[i / 2];
        char directory[32], path[600];
        scene = i % 2 ? "rare.yaml" : "mill.yaml";
        snprintf(directory, sizeof directory, "full-%zu", i);
        mkdir(in_home(directory), 0777);
        snprintf(path, sizeof path, "%s/%s", in_home(directory), file[0]);
        CHECK(symlink("/dev/full", path) == 0);
        const outcome o = run_mill(directory, 0, false);
        check_failed_well(&o, directory, file[0], false);
        if (!strstr(o.text, file[1])) TEST_FAIL("no '%s' in: %s", file[1], o.text);
    }
}

/* A small disk, filled by the run itself; then it grows, and the run is resumed. */
TEST(full_disk)
{
    static const char *const SIZES[] = {"size=64k", "size=120k", "size=200k"};
    if (!undisturbed()) return;
    mkdir(in_home("disk"), 0777);
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        if (mount("tmpfs", in_home("disk"), "tmpfs", 0, SIZES[i]) != 0) {
            printf("full_disk skipped: cannot mount a small disk (%s)\n", strerror(errno));
            return;
        }
        const outcome o = run_mill("disk/out", 0, false);
        check_failed_well(&o, "disk/out", SIZES[i], false);
        if (mount("tmpfs", in_home("disk"), "tmpfs", MS_REMOUNT, "size=50m") == 0) check_recovers("disk/out", SIZES[i]);
        umount2(in_home("disk"), MNT_DETACH);
    }
}

int main(int argc, char **argv)
{
    setenv("ASAN_OPTIONS", "exitcode=99:detect_leaks=0", 1); /* a complaint is not exit code 1; HDF5 leaks where its writes fail */
    snprintf(home, sizeof home, "/tmp/talus-writes-XXXXXX");
    if (!mkdtemp(home)) return 1;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    RUN(growing_limits);
    RUN(cut_after_the_end);
    RUN(resumed_without_room);
    RUN(signal_of_the_limit);
    RUN(full_device);
    RUN(full_disk);
    nftw(home, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return TEST_RESULT;
}
