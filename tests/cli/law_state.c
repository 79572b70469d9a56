/* What laws remember of pairs of shapes, and the moments of contacts, as results have them: trajectory, a run that is resumed, the page, files for ParaView. */
#include <hdf5.h>

#include "cli/scenes.h"

static const char SCENE[] = "time: {end: 0.4 s, step: 1 ms}\ngravity: [0, -9.81]\nsolver: {tolerance: 1e-9, max_iterations: 10000}\n"
                            "materials: {stone: {density: 2700}, steel: {density: 7800}}\n"
                            "interactions:\n  - {friction: 0.3}\n"
                            "  - {between: [stone, stone], law: plastic, threshold: 10 N, hardening: 100 kN/m, limit: 0.4, friction: 0.5}\nbodies:\n"
                            "  floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: stone}}]}\n"
                            "  box: {position: [0, 0.102], shapes: [{box: {size: [0.2, 0.2], material: stone}}]}\n"
                            "  ball: {position: [0, 0.26], shapes: [{disk: {radius: 0.05, material: steel}}]}\n"
                            "output: {frames: {every: 10 ms}}\n";

static void *read_all(hid_t file, const char *name, hid_t type, size_t size, hsize_t shape[2])
{
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT), space = set >= 0 ? H5Dget_space(set) : -1;
    shape[0] = 0, shape[1] = 1;
    if (space < 0) return NULL;
    H5Sget_simple_extent_dims(space, shape, NULL);
    void *data = calloc(shape[0] * shape[1] + 1, size);
    if (data && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) abort();
    H5Sclose(space);
    H5Dclose(set);
    return data;
}

static char *contents(const char *path)
{
    FILE *in = fopen(path, "rb");
    if (!in) return calloc(1, 1);
    fseek(in, 0, SEEK_END);
    const size_t n = (size_t)ftell(in);
    char *text = calloc(n + 1, 1);
    rewind(in);
    if (fread(text, 1, n, in) != n) abort();
    fclose(in);
    for (size_t i = 0; i < n; i++)
        if (!text[i]) text[i] = ' ';
    return text;
}

/* Where a pair presses at rest it lies in the other as deep as it has sunk. The steel on the stone has a law without memory, and no row. */
TEST(trajectory)
{
    hsize_t rows[2], cells[2], gaps[2], ends[2];
    CHECK(talus("run scene.yaml -o whole --quiet") == 0);
    const hid_t file = H5Fopen("whole/trajectory.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
    long long *of = read_all(file, "states/contact", H5T_NATIVE_LLONG, sizeof *of, rows),
              *end = read_all(file, "frames/contact_end", H5T_NATIVE_LLONG, 8, ends);
    double *value = read_all(file, "states/value", H5T_NATIVE_DOUBLE, sizeof *value, cells), *gap = read_all(file, "contacts/gap", H5T_NATIVE_DOUBLE, 8, gaps);
    if (!of || !value || !gap || !end) abort();
    CHECK(rows[0] > 30 && cells[0] == rows[0] && cells[1] >= 4 && ends[0] == 41);
    int last = 0;
    for (hsize_t i = 0; i < rows[0]; i++) {
        if (of[i] < end[39]) continue; /* of the last frame */
        last++;
        double depth = 0;
        for (hsize_t k = 0; k < cells[1]; k++) depth = fmax(depth, fabs(value[i * cells[1] + k] + gap[of[i]]) < 1e-8 ? value[i * cells[1] + k] : 0);
        CHECK(gap[of[i]] < -5e-3 && depth > 5e-3);
    }
    CHECK(last == 2 && end[40] - end[39] == 3); /* two corners of the box; and the ball on it */
    free(of), free(value), free(gap), free(end);
    H5Fclose(file);
}

/* Stopped while it sinks. */
TEST(resumed)
{
    hsize_t shape[2], again[2];
    CHECK(talus("run scene.yaml -o parts -u 0.055 --quiet") == 0);
    CHECK(talus("run scene.yaml -o parts --resume --quiet") == 0);
    char *whole = contents("whole/summary.json"), *parts = contents("parts/summary.json");
    const char *a = strstr(whole, "\"state_hash\""), *b = strstr(parts, "\"state_hash\"");
    CHECK(a && b && strncmp(a, b, 32) == 0);
    const hid_t one = H5Fopen("whole/trajectory.h5", H5F_ACC_RDONLY, H5P_DEFAULT), two = H5Fopen("parts/trajectory.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
    double *x = read_all(one, "states/value", H5T_NATIVE_DOUBLE, sizeof *x, shape), *y = read_all(two, "states/value", H5T_NATIVE_DOUBLE, sizeof *y, again);
    CHECK(x && y && shape[0] == again[0] && memcmp(x, y, shape[0] * shape[1] * sizeof *x) == 0);
    free(whole), free(parts), free(x), free(y);
    H5Fclose(one);
    H5Fclose(two);
}

TEST(page_and_paraview)
{
    CHECK(talus("view whole -o page.html") == 0);
    CHECK(talus("export whole --vtk vtk") == 0);
    char *page = contents("page.html"), *points = contents("vtk/contacts/00040.vtp");
    CHECK(strstr(page, "[\"plastic_depth\", \"m\"]") && strstr(page, "\"contact_state\""));
    CHECK(strstr(points, "plastic_depth"));
    free(page), free(points);
}

static const char ROLLS[] = "time: {end: 0.2 s, step: 1 ms}\ngravity: [0, -9.81]\nsolver: {tolerance: 1e-11}\nmaterials: {m: {density: 1000}}\n"
                            "interactions: [{friction: 0.6, law: rolling, rolling: 5 mm}]\nbodies:\n"
                            "  floor: {kind: fixed, material: m, shapes: [{half_plane: {point: [0, 0], normal: [0, 1]}}]}\n"
                            "  b: {position: [0, 0.1], velocity: [0.3, 0], angular_velocity: -3 rad/s, mass: 2 kg, inertia: 0.01 kg m^2,\n"
                            "      shapes: [{disk: {radius: 0.1, material: m}}]}\noutput: {frames: {every: 10 ms}}\n";

/* What rolls bears μ_r m g about z, against its spin. */
TEST(moments)
{
    hsize_t rows[2], cells[2], bodies[2];
    write_file("rolls.yaml", ROLLS);
    CHECK(talus("run rolls.yaml -o rolls --quiet") == 0);
    const hid_t file = H5Fopen("rolls/trajectory.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
    long long *of = read_all(file, "states/contact", H5T_NATIVE_LLONG, sizeof *of, rows);
    double *value = read_all(file, "states/value", H5T_NATIVE_DOUBLE, sizeof *value, cells);
    int *body = read_all(file, "contacts/body", H5T_NATIVE_INT, sizeof *body, bodies);
    if (!of || !value || !body) abort();
    CHECK(rows[0] == 20 && cells[0] == rows[0] && bodies[0] == rows[0]); /* none at the start */
    for (hsize_t i = 0; i < rows[0] && i < bodies[0]; i++) {
        const double sign = body[2 * i] == 1 ? 1 : -1; /* on the candidate */
        int others = 0;
        CHECK(of[i] == (long long)i);
        CHECK_NEAR(value[(i + 1) * cells[1] - 1], sign * 5e-3 * 2 * 9.81, 1e-6);
        for (hsize_t k = 0; k + 1 < cells[1]; k++) others += value[i * cells[1] + k] != 0;
        CHECK(others == 0);
    }
    free(of), free(value), free(body);
    H5Fclose(file);
    CHECK(talus("view rolls -o rolls.html") == 0);
    CHECK(talus("export rolls --vtk rolls-vtk") == 0);
    char *page = contents("rolls.html"), *points = contents("rolls-vtk/contacts/00020.vtp");
    CHECK(strstr(page, "[\"rolling_moment_s\", \"N m\"]") && strstr(page, "\"contact_state\""));
    CHECK(strstr(points, "rolling_moment_s"));
    free(page), free(points);
    /* stopped, and gone on with */
    CHECK(talus("run rolls.yaml -o parts-of-rolls -u 0.085 --quiet") == 0);
    CHECK(talus("run rolls.yaml -o parts-of-rolls --resume --quiet") == 0);
    char *whole = contents("rolls/summary.json"), *parts = contents("parts-of-rolls/summary.json");
    const char *a = strstr(whole, "\"state_hash\""), *b = strstr(parts, "\"state_hash\"");
    CHECK(a && b && strncmp(a, b, 32) == 0);
    free(whole), free(parts);
}

int main(int argc, char **argv)
{
    make_folder();
    write_file("scene.yaml", SCENE);
    RUN(trajectory);
    RUN(resumed);
    RUN(page_and_paraview);
    RUN(moments);
    remove_folder();
    return TEST_RESULT;
}
