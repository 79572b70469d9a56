/* Damaged trajectory.h5, of runs in the plane and in space, with and without finite-element solids: pictures, pages, exports and settled states come to an end
 * with what they could read, or with a text; they do not crash, hang, or ask for memory that the file could not fill. */
#include "damage.h"
#include "record/replay.h"

static char home[] = "/tmp/talus-fuzz-trajectory-XXXXXX";

static const char SCENE[] =
    "gravity: [0, -9.81]\n"
    "time: {end: 20 ms, step: 1 ms}\n"
    "materials: {stone: {density: 2000 kg/m^3}, steel: {density: 7800 kg/m^3}}\n"
    "bodies:\n"
    "  floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: stone}}]}\n"
    "  block: {position: [0, 0.1], shapes: [{box: {size: [0.4, 0.2], material: steel}}]}\n"
    "grains:\n"
    "  heap: {generator: lattice, rows: 3, columns: 3, spacing: 21 mm, origin: [1, 0.0105], radius: {uniform: [9 mm, 10.5 mm]}, material: stone}\n"
    "mechanisms:\n"
    "  swing:\n"
    "    bodies: {arm: {mass: 1 kg, inertia: 0.1}}\n"
    "    joints: {pivot: {type: revolute, parent: ground, at: [0, 5], child: arm}}\n"
    "output: {frames: {every: 4 ms}}\n";

static const char *in_home(const char *name)
{
    static char path[4][256];
    static int next;
    char *out = path[next++ % 4];
    snprintf(out, sizeof path[0], "%s/%s", home, name);
    return out;
}

static void run(const char *const argv[])
{
    int status = 0;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        execv(argv[0], (char *const *)(uintptr_t)argv);
        _exit(99);
    }
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) exit(1);
}

/* 0 when all could be read, 1 when a part of it was refused, 3 when without a word. */
static int read_all(const char *directory)
{
    char message[4][2048] = {""};
    int frames, answer = 0;
    talus_picture_def picture = talus_picture_def_default();
    talus_vtk_def vtk = talus_vtk_def_default();
    talus_page_def page = talus_page_def_default();
    talus_settled *settled = NULL;
    picture.directory = vtk.directory = page.directory = directory;
    picture.width = 200, picture.height = 150;
    picture.path = in_home("damaged/picture.png"), vtk.output = in_home("damaged/vtk"), page.path = in_home("damaged/page.html");
    const talus_status status[4] = {talus_picture_write(&picture, message[0], sizeof message[0]), talus_vtk_write(&vtk, &frames, message[1], sizeof message[1]),
                                    talus_page_is_built() ? talus_page_write(&page, message[2], sizeof message[2]) : TALUS_OK,
                                    talus_settled_open(directory, (double)INFINITY, &settled, message[3], sizeof message[3])};
    talus_settled_close(settled);
    for (int i = 0; i < 4; i++)
        if (status[i] != TALUS_OK) answer = message[i][0] && answer < 3 ? 1 : 3;
    return answer;
}

static void damage(const char *run_directory, const char *what, int rounds)
{
    char path[256];
    snprintf(path, sizeof path, "%s/trajectory.h5", run_directory);
    const damage_bytes sound = damage_read(path);
    const damage_sets sets = damage_list(path);
    tl_random random = tl_random_seed(11);
    int refused = 0;
    mkdir(in_home("damaged"), 0777);
    snprintf(path, sizeof path, "%s", in_home("damaged/trajectory.h5"));
    damage_write(path, &sound);
    CHECK(damage_try(read_all, in_home("damaged"), what, -1) == 0);
    for (int i = 0; i < rounds; i++) {
        if (i % 3 == 0) damage_some_bytes(&sound, path, &random);
        else damage_a_set(&sound, path, &sets, &random);
        const int answer = damage_try(read_all, in_home("damaged"), what, i);
        CHECK(answer < 2);
        refused += answer == 1;
    }
    printf("%s: %d of %d refused\n", what, refused, rounds);
    CHECK(refused > rounds / 4);
    free(sound.at);
}

TEST(in_the_plane) { damage(in_home("plane"), "plane", damage_rounds(240)); }
TEST(in_space) { damage(in_home("space"), "space", damage_rounds(120)); }
TEST(solids_in_the_plane) { damage(in_home("solids-plane"), "solids in the plane", damage_rounds(90)); }
TEST(solids_in_space) { damage(in_home("solids-space"), "solids in space", damage_rounds(45)); }

/* Every finite set with one infinite number, or one that is none: what no check of indices sees. */
TEST(every_number_must_be_one)
{
    static const char *const SET[] = {"solids/0/position", "solids/0/displacement", "solids/1/stress", "solids/1/von_mises", "shapes/radius", "shapes/points",
                                      "bodies/mass",       "frames/time",           "frames/pose",     "frames/velocity",    "joints/point"};
    const damage_bytes run_of[2] = {damage_read(in_home("solids-plane/trajectory.h5")), damage_read(in_home("plane/trajectory.h5"))};
    char path[256];
    mkdir(in_home("damaged"), 0777);
    snprintf(path, sizeof path, "%s", in_home("damaged/trajectory.h5"));
    for (int i = 0; i < (int)(2 * sizeof SET / sizeof *SET); i++) {
        damage_write(path, &run_of[strncmp(SET[i / 2], "solids", 6) != 0]);
        const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), set = H5Dopen2(file, SET[i / 2], H5P_DEFAULT), space = H5Dget_space(set);
        const hssize_t n = H5Sget_simple_extent_npoints(space);
        double *value = calloc((size_t)n, sizeof *value);
        if (!value || H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) < 0) exit(1);
        value[n - 1] = i % 2 ? (double)NAN : (double)INFINITY;
        CHECK(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0);
        H5Sclose(space), H5Dclose(set), H5Fclose(file);
        free(value);
        CHECK(damage_try(read_all, in_home("damaged"), SET[i / 2], i) == 1);
    }
    for (int i = 0; i < 2; i++) free(run_of[i].at);
}

/* ---- files of earlier versions ------------------------------------------------------------------------------------------ */

/* The names of a run into its file, as rows of any length. */
static void write_old_names(const char *path)
{
    tl_replay r;
    tl_error error = {0};
    CHECK_OK(tl_replay_open(&r, in_home("plane"), &error), error.text);
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), text = H5Tcopy(H5T_C_S1);
    const hsize_t count = (hsize_t)r.bodies;
    const hid_t space = H5Screate_simple(1, &count, NULL);
    H5Tset_size(text, H5T_VARIABLE);
    H5Tset_cset(text, H5T_CSET_UTF8);
    H5Ldelete(file, "bodies/name", H5P_DEFAULT);
    const hid_t set = H5Dcreate2(file, "bodies/name", text, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    CHECK(set >= 0 && H5Dwrite(set, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, r.name) >= 0);
    H5Dclose(set), H5Sclose(space), H5Tclose(text), H5Fclose(file);
    tl_replay_close(&r);
}

/* Names in HDF5's heap, as talus once wrote them, read the same; what the heap says falsely is refused. */
TEST(names_of_earlier_versions)
{
    char path[256];
    tl_replay new, old;
    tl_error error = {0};
    tl_random random = tl_random_seed(3);
    mkdir(in_home("damaged"), 0777);
    snprintf(path, sizeof path, "%s", in_home("damaged/trajectory.h5"));
    const damage_bytes sound = damage_read(in_home("plane/trajectory.h5"));
    damage_write(path, &sound);
    write_old_names(path);
    CHECK_OK(tl_replay_open(&new, in_home("plane"), &error), error.text);
    CHECK_OK(tl_replay_open(&old, in_home("damaged"), &error), error.text);
    CHECK(old.bodies == new.bodies &&new.bodies > 3);
    for (int i = 0; i < new.bodies &&i < old.bodies; i++) CHECK(strcmp(old.body[i].name, new.body[i].name) == 0);
    tl_replay_close(&new);
    tl_replay_close(&old);
    const damage_bytes heap = damage_read(path);
    unsigned char *at = memmem(heap.at, heap.size, "GCOL", 4);
    CHECK(at != NULL);
    for (int i = 0; at && i < damage_rounds(300); i++) { /* in the first of the heap, where its sizes are */
        damage_write(path, &heap);
        const int handle = open(path, O_WRONLY);
        for (int k = tl_random_int(&random, 3); k >= 0; k--) {
            const unsigned char wild = (unsigned char)(tl_random_int(&random, 2) ? 255 : tl_random_int(&random, 256));
            if (pwrite(handle, &wild, 1, at - heap.at + tl_random_int(&random, 120)) != 1) exit(1);
        }
        close(handle);
        CHECK(damage_try(read_all, in_home("damaged"), "old names", i) < 2);
    }
    free(heap.at);
    free(sound.at);
}

int main(int argc, char **argv)
{
    if (!mkdtemp(home)) return 1;
    FILE *out = fopen(in_home("plane.yaml"), "w");
    if (!out || fputs(SCENE, out) < 0 || fclose(out) != 0) return 1;
    run((const char *const[]){TALUS_COMMAND, "run", in_home("plane.yaml"), "-o", in_home("plane"), "--quiet", NULL});
    run((const char *const[]){TALUS_STONES, in_home("space"), "12", "3", NULL});
    RUN(in_the_plane);
    RUN(in_space);
    run((const char *const[]){TALUS_SOLIDS, in_home("solids-plane"), "2", "3", NULL});
    run((const char *const[]){TALUS_SOLIDS, in_home("solids-space"), "3", "3", NULL});
    RUN(solids_in_the_plane);
    RUN(solids_in_space);
    RUN(every_number_must_be_one);
    RUN(names_of_earlier_versions);
    damage_clear(home);
    return TEST_RESULT;
}
