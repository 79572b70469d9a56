/* Damaged files of FCLIB, local and global, as talus writes them (every part of the file has a checksum) and as other programs do (none has):
 * bytes and values. They are read and solved, or refused with a text; nothing crashes, hangs, or asks for memory that the file could not fill. */
#include "damage.h"
#include "talus/fclib.h"

static char home[] = "/tmp/talus-fuzz-fclib-XXXXXX";

static const char SCENE[] = "gravity: [0, -9.81]\n"
                            "time: {end: 20 ms, step: 1 ms}\n"
                            "materials: {stone: {density: 2000 kg/m^3}}\n"
                            "interactions: [{friction: 0.5}]\n"
                            "bodies: {floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: stone}}]}}\n"
                            "grains:\n"
                            "  heap: {generator: lattice, rows: 3, columns: 3, spacing: 20 mm, origin: [0, 0.01], radius: 10 mm, material: stone}\n";

static const char *in_home(const char *name)
{
    static char path[4][256];
    static int next;
    char *out = path[next++ % 4];
    snprintf(out, sizeof path[0], "%s/%s", home, name);
    return out;
}

/* 0: read and solved as far as it goes; 1: refused; 3: without a word. */
static int read_and_solve(const char *path)
{
    talus_problem *problem;
    talus_problem_report report;
    talus_problem_settings settings = talus_problem_settings_default();
    char message[2048] = "";
    settings.max_iterations = 50;
    if (talus_fclib_load(path, &problem, message, sizeof message) != TALUS_OK) return message[0] ? 1 : 3;
    const talus_status status = talus_problem_solve(problem, &settings, &report, message, sizeof message);
    talus_problem_destroy(problem);
    return status == TALUS_OK || message[0] ? 0 : 3;
}

static void damage(const char *name, bool values, int rounds)
{
    char path[256];
    snprintf(path, sizeof path, "%s", in_home("damaged.hdf5"));
    const damage_bytes sound = damage_read(in_home(name));
    const damage_sets sets = damage_list(in_home(name));
    tl_random random = tl_random_seed(17);
    int refused = 0;
    damage_write(path, &sound);
    CHECK(damage_try(read_and_solve, path, name, -1) == 0);
    for (int i = 0; i < rounds; i++) {
        if (values) damage_a_set(&sound, path, &sets, &random);
        else damage_some_bytes(&sound, path, &random);
        const int answer = damage_try(read_and_solve, path, name, i);
        CHECK(answer < 2);
        refused += answer == 1;
    }
    printf("%s, %s: %d of %d refused\n", name, values ? "values" : "bytes", refused, rounds);
    CHECK(refused > rounds / 8);
    free(sound.at);
}

TEST(local_values) { damage("local/problems/step-00000020.hdf5", true, damage_rounds(300)); }
TEST(local_bytes) { damage("local/problems/step-00000020.hdf5", false, damage_rounds(300)); }
TEST(global_values) { damage("global/problems/step-00000020.hdf5", true, damage_rounds(300)); }
TEST(global_bytes) { damage("global/problems/step-00000020.hdf5", false, damage_rounds(300)); }
TEST(bytes_without_checksums) { damage("plain.hdf5", false, damage_rounds(600)); }

/* The same groups in the format that HDF5 writes unless told otherwise. */
static void copy_plain(void)
{
    const hid_t from = H5Fopen(in_home("local/problems/step-00000020.hdf5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t to = H5Fcreate(in_home("plain.hdf5"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (H5Ocopy(from, "fclib_local", to, "fclib_local", H5P_DEFAULT, H5P_DEFAULT) < 0) exit(1);
    H5Fclose(from), H5Fclose(to);
}

static void run(const char *directory, const char *global)
{
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        execl(TALUS_COMMAND, "talus", "run", in_home("run.yaml"), "-o", in_home(directory), "--quiet", "--dump-problems", "0.02", global, (char *)NULL);
        _exit(99);
    }
    waitpid(child, &status, 0);
    if (status != 0) exit(1);
}

int main(int argc, char **argv)
{
    if (!mkdtemp(home)) return 1;
    FILE *out = fopen(in_home("run.yaml"), "w");
    if (!out || fputs(SCENE, out) < 0 || fclose(out) != 0) return 1;
    run("local", NULL);
    run("global", "--global");
    copy_plain();
    RUN(local_values);
    RUN(local_bytes);
    RUN(global_values);
    RUN(global_bytes);
    RUN(bytes_without_checksums);
    damage_clear(home);
    return TEST_RESULT;
}
