/* `talus run`: how it ends and with which code, and that a run that was interrupted or killed and resumed is the run that was not. */
#include "command.h"
#include "record/record.h"

/* Disks fall on a driven bar in a box; frames, rows and checkpoints in abundance. */
static const char SCENE[] =
    "gravity: [0, -9.81]\n"
    "time: {end: 0.6 s, step: 1 ms}\n"
    "materials: {stone: {density: 2500 kg/m^3, thickness: 10 mm}}\n"
    "interactions: [{friction: 0.4}]\n"
    "bodies:\n"
    "  box:\n"
    "    kind: fixed\n"
    "    shapes:\n"
    "      - half_plane: {point: [0, 0], normal: [0, 1], material: stone}\n"
    "      - half_plane: {point: [-0.15, 0], normal: [1, 0], material: stone}\n"
    "      - half_plane: {point: [0.15, 0], normal: [-1, 0], material: stone}\n"
    "grains:\n"
    "  disks: {generator: drop, region: [[-0.14, 0.01], [0.14, 0.6]], count: 120, radius: {uniform: [6 mm, 10 mm]}, material: stone}\n"
    "mechanisms:\n"
    "  mill:\n"
    "    bodies: {bar: {mass: 1 kg, inertia: 1e-3, shapes: [{segment: {from: [-0.05, 0], to: [0.05, 0], radius: 5 mm, material: stone}}]}}\n"
    "    joints: {A: {type: revolute, parent: ground, at: [0, 0.07], child: bar}}\n"
    "    drives: {motor: {joint: A, speed: 5 rad/s}}\n"
    "probes: {torque: {joint: A, quantity: force}, contact: {contact_force: box, quantity: y}}\n"
    "output: {frames: {every: 10 ms}, checkpoint: {every: 0.02 s}}\n";

static bool same_set(hid_t a, hid_t b, const char *name, hid_t type, size_t size)
{
    hsize_t shape[3], other[3];
    void *x = tl_h5_read(a, name, type, size, shape), *y = tl_h5_read(b, name, type, size, other);
    const bool same = x && y && memcmp(shape, other, sizeof shape) == 0 && memcmp(x, y, (size_t)(shape[0] * shape[1] * shape[2]) * size) == 0;
    free(x);
    free(y);
    return same && shape[0] > 0;
}

static void check_same_trajectory(const char *one, const char *two)
{
    char path[2][512];
    tl_error error;
    snprintf(path[0], sizeof path[0], "%s/%s/trajectory.h5", folder, one);
    snprintf(path[1], sizeof path[1], "%s/%s/trajectory.h5", folder, two);
    const hid_t a = tl_h5_open(path[0], &error), b = tl_h5_open(path[1], &error);
    CHECK(a >= 0 && b >= 0);
    static const char *const DOUBLES[] = {"frames/time", "frames/pose", "frames/velocity", "contacts/point", "contacts/impulse", "contacts/gap"};
    for (size_t i = 0; i < sizeof DOUBLES / sizeof *DOUBLES; i++)
        if (!same_set(a, b, DOUBLES[i], H5T_NATIVE_DOUBLE, 8)) TEST_FAIL("%s of %s and %s differ", DOUBLES[i], one, two);
    CHECK(same_set(a, b, "frames/contact_end", H5T_NATIVE_INT64, 8));
    H5Fclose(a);
    H5Fclose(b);
}

static void copy_value(const char *directory, const char *key, char out[64])
{
    char name[300];
    size_t length;
    snprintf(name, sizeof name, "%s/summary.json", directory);
    char *text = read_file(name, &length), *at = strstr(text, key);
    snprintf(out, 64, "%.40s", at ? at : "missing");
    out[strcspn(out, ",\n")] = '\0';
    free(text);
}

/* Bit for bit: state, series, frames, and the sums of the summary. */
static void check_same(const char *one, const char *two)
{
    static const char *const KEYS[] = {"\"state_hash\"", "\"steps\"", "\"iterations_mean\"", "\"residual_max\"", "\"contact_iterations\"", "\"status\""};
    char a[64], b[64], name[2][300];
    for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++) {
        copy_value(one, KEYS[i], a);
        copy_value(two, KEYS[i], b);
        if (strcmp(a, b) != 0 || strcmp(a, "missing") == 0) TEST_FAIL("%s: %s; %s: %s", one, a, two, b);
    }
    size_t length[2];
    snprintf(name[0], sizeof name[0], "%s/series.csv", one);
    snprintf(name[1], sizeof name[1], "%s/series.csv", two);
    char *x = read_file(name[0], &length[0]), *y = read_file(name[1], &length[1]);
    CHECK(length[0] == length[1] && length[0] > 10000 && memcmp(x, y, length[0]) == 0);
    free(x);
    free(y);
    check_same_trajectory(one, two);
}

static void wait_for_rows(const char *name, size_t bytes)
{
    struct stat info;
    for (int i = 0; i < 2000 && (stat(in_folder(name), &info) != 0 || (size_t)info.st_size < bytes); i++) pause_for(0.005);
}

TEST(interrupted)
{
    write_file("scene.yaml", SCENE);
    CHECK_TALUS(0, NULL, "run", "scene.yaml", "-o", "whole");
    const pid_t run = start_talus((const char *const[]){"run", "scene.yaml", "-o", "parts", NULL});
    wait_for_rows("parts/series.csv", 4096);
    kill(run, SIGINT);
    const int code = end_of(run);
    if (code != 130) TEST_FAIL("ended with %d, expected 130: %.500s", code, said);
    CHECK(strstr(said, "--resume"));
    char status[64];
    copy_value("parts", "\"status\"", status);
    CHECK(strstr(status, "interrupted"));
    CHECK_TALUS(0, NULL, "run", "scene.yaml", "-o", "parts", "--resume");
    check_same("whole", "parts");
    CHECK_TALUS(0, NULL, "run", "scene.yaml", "-o", "parts", "--resume"); /* a finished run: nothing to add, nothing lost */
    check_same("whole", "parts");
}

TEST(killed)
{
    write_file("scene.yaml", SCENE);
    CHECK_TALUS(0, NULL, "run", "scene.yaml", "-o", "whole");
    bool resume = false;
    for (int i = 0; i < 5; i++) {
        const pid_t run = start_talus((const char *const[]){"run", "scene.yaml", "-o", "killed", resume ? "--resume" : NULL, NULL});
        pause_for(0.11 + 0.037 * i);
        kill(run, SIGKILL);
        const int code = end_of(run);
        if (code != 1000 + SIGKILL && code != 0) TEST_FAIL("run %d ended with %d: %.500s", i, code, said);
        struct stat info;
        resume = stat(in_folder("killed/checkpoint.h5"), &info) == 0;
    }
    CHECK_TALUS(0, NULL, "run", "scene.yaml", "-o", "killed", resume ? "--resume" : NULL);
    check_same("whole", "killed");
}

TEST(longer_later)
{
    write_file("scene.yaml", SCENE);
    CHECK_TALUS(0, NULL, "run", "scene.yaml", "-o", "whole", "--quiet");
    CHECK_TALUS(0, NULL, "run", "scene.yaml", "-o", "later", "-u", "0.3 s");
    CHECK_TALUS(0, NULL, "run", "scene.yaml", "-o", "later", "--resume", "--threads", "2");
    check_same("whole", "later");
}

TEST(other_scene)
{
    write_file("scene.yaml", SCENE);
    CHECK_TALUS(0, NULL, "run", "scene.yaml", "-o", "a", "-u", "0.05");
    CHECK_TALUS(2, "grains", "run", "scene.yaml", "-o", "a", "--resume", "--set", "grains.disks.count=60");
    CHECK_TALUS(2, "time step", "run", "scene.yaml", "-o", "a", "--resume", "--set", "time.step=2e-3");
    CHECK_TALUS(2, "nothing to resume", "run", "scene.yaml", "-o", "b", "--resume");
    CHECK_TALUS(0, NULL, "run", "scene.yaml", "-o", "a", "--resume", "-u", "0.1"); /* what was refused has done no harm */
}

TEST(diverging)
{
    write_file("scene.yaml", "time: {end: 1 s, step: 1 ms}\n"
                             "mechanisms:\n"
                             "  arm:\n"
                             "    bodies: {bar: {mass: 1 kg, inertia: 1}}\n"
                             "    joints: {A: {type: revolute, parent: ground, child: bar, angle: 0.1 rad}}\n"
                             "    forces: {wrong: {joint: A, law: \"1e9*exp(q)*step(t - 0.1)\"}}\n"
                             "output: {checkpoint: {every: 0 s}}\n");
    CHECK_TALUS(1, "'arm'", "run", "scene.yaml", "-o", "out");
    CHECK(strstr(said, "t = 0.1") && strstr(said, "'A'") && strstr(said, "checkpoint.h5"));
    CHECK_TALUS(0, NULL, "run", "scene.yaml", "-o", "out", "--resume", "-u", "0.09");
    CHECK_TALUS(1, "'arm'", "run", "scene.yaml", "-o", "out", "--resume"); /* from the last good state, into the same end */
}

TEST(nowhere_to_write)
{
    write_file("scene.yaml", SCENE);
    write_file("file", "in the way");
    CHECK_TALUS(2, "file", "run", "scene.yaml", "-o", "file");
    CHECK_TALUS(2, "file/out", "run", "scene.yaml", "-o", "file/out");
    CHECK_TALUS(2, "/proc/talus", "run", "scene.yaml", "-o", "/proc/talus");
    size_t length;
    char *text = read_file("file", &length);
    CHECK(strcmp(text, "in the way") == 0);
    free(text);
}

TEST(usage)
{
    write_file("scene.yaml", SCENE);
    CHECK_TALUS(2, "which scene", "run");
    CHECK_TALUS(2, "one scene", "run", "scene.yaml", "scene.yaml");
    CHECK_TALUS(2, "--threads", "run", "scene.yaml", "--threads", "many");
    CHECK_TALUS(2, "--until", "run", "scene.yaml", "--until", "-1");
    CHECK_TALUS(2, NULL, "run", "scene.yaml", "--unknown");
    CHECK_TALUS(2, NULL, "fly");
    CHECK_TALUS(2, "nowhere.yaml", "run", "nowhere.yaml");
    CHECK_TALUS(0, NULL, "check", "scene.yaml");
}

/* A wrong scene must not cost the results that are there. */
TEST(results_survive_a_wrong_scene)
{
    write_file("scene.yaml", SCENE);
    CHECK_TALUS(0, NULL, "run", "scene.yaml", "-o", "keep", "-u", "0.05");
    size_t before, after;
    char *a = read_file("keep/series.csv", &before);
    CHECK_TALUS(2, "did you mean", "run", "scene.yaml", "-o", "keep", "--set", "time.stp=1e-3");
    char *b = read_file("keep/series.csv", &after);
    CHECK(before > 0 && before == after && memcmp(a, b, before) == 0);
    free(a);
    free(b);
}

int main(int argc, char **argv)
{
    make_folder("run");
    RUN(interrupted);
    RUN(killed);
    RUN(longer_later);
    RUN(other_scene);
    RUN(diverging);
    RUN(nowhere_to_write);
    RUN(usage);
    RUN(results_survive_a_wrong_scene);
    remove_folder();
    return TEST_RESULT;
}
