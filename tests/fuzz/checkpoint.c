/* Damaged checkpoint.h5: whatever is changed in it, by bytes or by values, the run goes on from exactly the state, statistics and places in its
 * files that were written, or is refused with a text that names the file. The contact impulses count: they are first guesses, so with other ones
 * the run would go on all the same, to other bits. */
#include "damage.h"

static char home[] = "/tmp/talus-fuzz-checkpoint-XXXXXX";

static const char SCENE[] = "gravity: [0, -9.81]\n"
                            "time: {end: 30 ms, step: 1 ms}\n"
                            "solver: {tolerance: 1e-9 m/s, max_iterations: 3}\n"
                            "materials: {stone: {density: 2000 kg/m^3}}\n"
                            "interactions: [{friction: 0.5}]\n"
                            "bodies: {floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: stone}}]}}\n"
                            "grains:\n"
                            "  heap: {generator: lattice, rows: 4, columns: 3, spacing: 20 mm, origin: [0, 0.01], radius: 10 mm, material: stone}\n";

static const char *in_home(const char *name)
{
    static char path[4][256];
    static int next;
    char *out = path[next++ % 4];
    snprintf(out, sizeof path[0], "%s/%s", home, name);
    return out;
}

/* Of all that a resumed run depends on. */
static uint64_t everything(const talus_record *r, const talus_world *w)
{
    uint64_t sum = tl_hash(&r->statistics, sizeof r->statistics, 0);
    const int64_t place[6] = {r->series_bytes, r->trajectory.frames, (int64_t)r->next_row, (int64_t)r->next_frame, r->row_written, r->frame_written};
    sum = tl_hash(place, sizeof place, sum);
    for (int i = 0; i < talus_state_count(w); i++) {
        talus_field f;
        talus_state_field(w, i, &f);
        sum = tl_hash(f.data, f.rows * f.columns * (f.type == TALUS_FIELD_INT32 ? 4 : 8), sum);
    }
    return sum;
}

/* Resumes home/run; the sum over what came back, 0 when it was refused, 1 without a word. */
static uint64_t resume(void)
{
    talus_scene *scene;
    talus_world *w;
    talus_record *r;
    talus_record_def def = talus_record_def_default();
    char message[2048] = "";
    if (talus_scene_load(in_home("run.yaml"), NULL, 0, &scene) != TALUS_OK || talus_scene_build(scene, 1, &w) != TALUS_OK) exit(98);
    def.directory = in_home("run");
    def.resume = true;
    uint64_t sum = 0;
    if (talus_record_open(&def, scene, w, &r, message, sizeof message) == TALUS_OK) {
        sum = everything(r, w);
        talus_record_destroy(r);
    } else if (!strstr(message, "checkpoint.h5")) sum = 1;
    talus_world_destroy(w);
    talus_scene_destroy(scene);
    return sum;
}

static uint64_t sound_sum; /* of the sound file, known to the processes that are forked later */

/* 0: as written, 1: refused, 2: something else, 3: refused without naming the file. */
static int judge(const char *path)
{
    (void)path;
    const uint64_t sum = resume();
    return sum == sound_sum ? 0 : sum == 0 ? 1 : sum == 1 ? 3 : 2;
}

static void damage(bool values, int rounds)
{
    char path[256];
    snprintf(path, sizeof path, "%s", in_home("run/checkpoint.h5"));
    const damage_bytes sound = damage_read(path);
    const damage_sets sets = damage_list(path);
    tl_random random = tl_random_seed(values ? 5 : 6);
    int refused = 0;
    sound_sum = resume();
    CHECK(sound_sum > 1);
    for (int i = 0; i < rounds; i++) {
        if (values) damage_a_set(&sound, path, &sets, &random);
        else damage_some_bytes(&sound, path, &random);
        const int answer = damage_try(judge, path, values ? "values" : "bytes", i);
        if (answer > 1) TEST_FAIL("%d: %s", i, answer == 2 ? "resumed to another state" : "refused without a word");
        refused += answer == 1;
    }
    printf("%s: %d of %d refused\n", values ? "values" : "bytes", refused, rounds);
    CHECK(refused > rounds / 4);
    damage_write(path, &sound);
    free(sound.at);
}

TEST(values) { damage(true, damage_rounds(300)); }
TEST(bytes) { damage(false, damage_rounds(300)); }

/* One impulse, by one part in 2⁵². */
TEST(last_bit_of_an_impulse)
{
    char path[256];
    snprintf(path, sizeof path, "%s", in_home("run/checkpoint.h5"));
    const damage_bytes sound = damage_read(path);
    sound_sum = resume();
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), set = H5Dopen2(file, "state/contacts/impulse", H5P_DEFAULT), space = H5Dget_space(set);
    const hssize_t n = H5Sget_simple_extent_npoints(space);
    double *impulse = calloc((size_t)n + 1, sizeof *impulse);
    CHECK(n > 6 && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, impulse) >= 0);
    impulse[0] = nextafter(impulse[0], 1);
    CHECK(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, impulse) >= 0);
    H5Sclose(space), H5Dclose(set), H5Fclose(file);
    CHECK(judge(path) == 1);
    damage_write(path, &sound);
    CHECK(judge(path) == 0);
    free(impulse);
    free(sound.at);
}

/* A longer series.csv of someone else, or one that was cut and mended by hand, is not continued in the middle of a row. */
TEST(series_of_another)
{
    char path[256];
    snprintf(path, sizeof path, "%s", in_home("run/series.csv"));
    const damage_bytes sound = damage_read(path);
    unsigned char *other = malloc(2 * sound.size);
    if (!other) exit(1);
    memset(other, '7', 2 * sound.size);
    damage_write(path, &(damage_bytes){other, 2 * sound.size});
    CHECK(damage_try(judge, path, "series", 0) == 3); /* the text names series.csv instead */
    memcpy(other, sound.at, sound.size);
    other[sound.size - 1] = '7';
    damage_write(path, &(damage_bytes){other, sound.size + 7});
    CHECK(damage_try(judge, path, "series", 1) == 3);
    damage_write(path, &sound);
    CHECK(damage_try(judge, path, "series", 2) == 0);
    free(other);
    free(sound.at);
}

int main(int argc, char **argv)
{
    if (!mkdtemp(home)) return 1;
    FILE *out = fopen(in_home("run.yaml"), "w");
    if (!out || fputs(SCENE, out) < 0 || fclose(out) != 0) return 1;
    const pid_t child = fork();
    int status = 0;
    if (child == 0) {
        execl(TALUS_COMMAND, "talus", "run", in_home("run.yaml"), "-o", in_home("run"), "--quiet", (char *)NULL);
        _exit(99);
    }
    waitpid(child, &status, 0);
    if (status != 0) return 1;
    sound_sum = resume();
    RUN(values);
    RUN(bytes);
    RUN(last_bit_of_an_impulse);
    RUN(series_of_another);
    damage_clear(home);
    return TEST_RESULT;
}
