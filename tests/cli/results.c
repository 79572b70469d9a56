/* What a run leaves in its folder, against the contract (docs/results.md): names, units, numbers that are known. */
#include "command.h"
#include "record/record.h"

/* A ball falls beside a ball at rest on the floor. */
static const char SCENE[] = "gravity: [0, -10]\n"
                            "time: {end: 0.1 s, step: 1 ms}\n"
                            "materials: {stone: {density: 2500 kg/m^3, thickness: 10 mm}}\n"
                            "bodies:\n"
                            "  floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: stone}}]}\n"
                            "  resting: {position: [0, 0.1], shapes: [{disk: {radius: 0.1, material: stone}}]}\n"
                            "  falling: {position: [1, 2], velocity: [0.5, 1], shapes: [{disk: {radius: 0.1, material: stone}}]}\n"
                            "probes: {height: {body: falling, quantity: y}, load: {contact_force: floor, quantity: y}}\n"
                            "output: {series: {every: 10 ms}, frames: {every: 20 ms}}\n";

static void run_scene(void)
{
    write_file("scene.yaml", SCENE);
    CHECK_TALUS(0, "results in out", "run", "scene.yaml", "-o", "out");
}

TEST(series)
{
    run_scene();
    size_t length;
    char *text = read_file("out/series.csv", &length), *line = strchr(text, '\n');
    CHECK(line != NULL);
    if (!line) return;
    *line++ = '\0';
    if (strcmp(text, "time,height,load,contacts,iterations,residual,penetration,kinetic_energy,potential_energy") != 0) TEST_FAIL("header: %s", text);
    int rows = 0;
    for (char *end; *line; line = end + 1, rows++) {
        double v[9];
        int used = 0;
        end = strchr(line, '\n');
        CHECK(end != NULL);
        if (!end) return;
        *end = '\0';
        CHECK(sscanf(line, "%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf%n", &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7], &v[8], &used) == 9);
        CHECK(line[used] == '\0');
        CHECK_NEAR(v[0], 0.01 * rows, 1e-12);
        CHECK_NEAR(v[1], 2 + v[0] - 5 * v[0] * v[0], 1e-12);                          /* free fall is exact */
        if (rows > 0) CHECK_CLOSE(v[2], -2500 * 0.01 * acos(-1.0) * 0.01 * 10, 1e-4); /* the weight of the resting ball, downwards */
        const double m = 2500 * 0.01 * acos(-1.0) * 0.01, speed = 1 - 10 * v[0];
        CHECK_NEAR(v[7], 0.5 * m * (0.25 + speed * speed), 1e-6);
    }
    CHECK(rows == 11);
    free(text);
}

TEST(summary)
{
    static const char *const KEYS[] = {"version",         "scene",        "steps",           "time_end",           "wall_seconds",      "stage_seconds",
                                       "contacts_mean",   "contacts_max", "iterations_mean", "contact_iterations", "unconverged_steps", "residual_max",
                                       "penetration_max", "threads",      "bodies",          "degrees_of_freedom", "state_hash",        "status"};
    static const char *const STAGES[] = {"predict", "detect", "bind", "color", "solve", "finish", "remember", "commit", "record"};
    run_scene();
    size_t length;
    char *text = read_file("out/summary.json", &length), word[64];
    for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++) {
        snprintf(word, sizeof word, "\"%s\": ", KEYS[i]);
        if (!strstr(text, word)) TEST_FAIL("no %s in %s", word, text);
    }
    for (size_t i = 0; i < sizeof STAGES / sizeof *STAGES; i++) {
        snprintf(word, sizeof word, "\"%s\": ", STAGES[i]);
        CHECK(strstr(strstr(text, "stage_seconds"), word) != NULL);
    }
    CHECK(strstr(text, "\"steps\": 100,") && strstr(text, "\"bodies\": 3,") && strstr(text, "\"degrees_of_freedom\": 6,"));
    CHECK(strstr(text, "\"status\": \"done\""));
    free(text);
    char command[600];
    snprintf(command, sizeof command, "python3 -m json.tool '%s' >/dev/null", in_folder("out/summary.json"));
    if (system("command -v python3 >/dev/null") == 0) CHECK(system(command) == 0);
    else printf("summary.json is not parsed: no python3 here\n");
}

static bool has_text(hid_t set, const char *name)
{
    char text[512] = "";
    const hid_t a = H5Aopen(set, name, H5P_DEFAULT), type = a >= 0 ? H5Aget_type(a) : -1;
    const bool done = a >= 0 && H5Tget_size(type) < sizeof text && H5Aread(a, type, text) >= 0 && text[0];
    if (type >= 0) H5Tclose(type);
    if (a >= 0) H5Aclose(a);
    return done;
}

static herr_t check_set(hid_t file, const char *name, const H5O_info_t *info, void *count)
{
    if (info->type != H5O_TYPE_DATASET) return 0;
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (!has_text(set, "unit") || !has_text(set, "meaning")) TEST_FAIL("%s has no unit or no meaning", name);
    H5Dclose(set);
    ++*(int *)count;
    return 0;
}

TEST(trajectory)
{
    tl_error error;
    run_scene();
    const hid_t file = tl_h5_open(in_folder("out/trajectory.h5"), &error);
    int sets = 0;
    CHECK(file >= 0);
    CHECK(H5Ovisit1(file, H5_INDEX_NAME, H5_ITER_NATIVE, check_set, &sets) >= 0);
    CHECK(sets >= 20);
    hsize_t shape[3];
    double *time = tl_h5_read(file, "frames/time", H5T_NATIVE_DOUBLE, 8, shape);
    CHECK(time && shape[0] == 6);
    double *pose = tl_h5_read(file, "frames/pose", H5T_NATIVE_DOUBLE, 8, shape);
    CHECK(pose && shape[0] == 6 && shape[1] == 3 && shape[2] == 3);
    for (int i = 0; time && pose && i < 6; i++) {
        const double *falling = pose + 9 * i + 6;
        CHECK_NEAR(time[i], 0.02 * i, 1e-12);
        CHECK_NEAR(falling[0], 1 + 0.5 * time[i], 1e-12);
        CHECK_NEAR(falling[1], 2 + time[i] - 5 * time[i] * time[i], 1e-12);
    }
    int64_t *end = tl_h5_read(file, "frames/contact_end", H5T_NATIVE_INT64, 8, shape);
    double *impulse = tl_h5_read(file, "contacts/impulse", H5T_NATIVE_DOUBLE, 8, shape);
    CHECK(end && impulse && shape[0] == (hsize_t)end[5] && end[5] - end[4] == 1);
    if (impulse && end) CHECK_CLOSE(impulse[3 * (end[5] - 1)], 2500 * 0.01 * acos(-1.0) * 0.01 * 10 * 1e-3, 1e-4);
    free(time);
    free(pose);
    free(end);
    free(impulse);
    H5Fclose(file);
}

/* A picture of any frame, drawn from the trajectory alone. */
TEST(shot)
{
    run_scene();
    CHECK_TALUS(0, NULL, "shot", "out", "--time", "0.05", "-o", "picture.svg");
    size_t length;
    char *text = read_file("picture.svg", &length);
    CHECK(strstr(text, "<svg") && strstr(text, "</svg>") && strstr(text, "<circle"));
    free(text);
    CHECK_TALUS(2, "nothing", "shot", "nothing", "-o", "picture.svg");
}

int main(int argc, char **argv)
{
    make_folder("results");
    RUN(series);
    RUN(summary);
    RUN(trajectory);
    RUN(shot);
    remove_folder();
    return TEST_RESULT;
}
