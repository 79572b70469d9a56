/* A periodic run as it is seen (record/replay_cell.c): bodies within the cell, twice where they reach through an end, contacts between what is beside them; the
 * file itself keeps where bodies have gone. Pictures, page and export are made. */
#include "shot.h"

static const char *const SCENE =
    "time: {end: 0.5 s, step: 1 ms}\n"
    "gravity: [0, -10]\n"
    "periodic: {x: [-0.25 m, 0.75 m]}\n"
    "materials: {stone: {density: 2000 kg/m^3}}\n"
    "interactions: [{friction: 0.4, restitution: 0}]\n"
    "bodies:\n"
    "  floor: {kind: fixed, material: stone, shapes: [{half_plane: {point: [0, 0], normal: [0, 1]}}]}\n"
    "  runner: {kind: free, material: stone, position: [0, 0.4], velocity: [5, 0], shapes: [{disk: {radius: 0.05}}]}\n"
    "grains:\n"
    "  balls: {generator: list, radius: 0.1 m, material: stone, positions: [[0.72, 0.1], [-0.08, 0.1], [2.82, 0.28], [5.3, 0.1]]}\n"
    "output: {frames: {every: 10 ms}}\n";

/* Sheared, with what lies near the ends. */
static const char *const SHEARED = "time: {end: 0.4 s, step: 1 ms}\n"
                                   "periodic: {x: [-0.25 m, 0.75 m], y: [0, 0.6 m], shear: {along: x, across: y, strain: 0.4 + 9*t/(1 s)}}\n"
                                   "materials: {stone: {density: 2000 kg/m^3}}\n"
                                   "interactions: [{friction: 0.4, restitution: 0}]\n"
                                   "grains:\n"
                                   "  balls: {generator: fill, region: [[-0.25, 0], [0.75, 0.6]], radius: {uniform: [0.04, 0.06]}, material: stone}\n"
                                   "output: {frames: {every: 10 ms}}\n";
enum { FLOOR, RUNNER, FIRST, BODIES = 6 };
static const double RADIUS[BODIES] = {0, 0.05, 0.1, 0.1, 0.1, 0.1};

static tl_replay open_run_in(const char *directory, bool wrapped)
{
    char path[256];
    tl_error error = {0};
    tl_replay r;
    snprintf(path, sizeof path, "%s/%s", home, directory);
    CHECK_OK(tl_replay_open(&r, path, &error), error.text);
    if (wrapped) CHECK_OK(tl_replay_wrap(&r, &error), error.text);
    return r;
}

static tl_replay open_run(bool wrapped) { return open_run_in("run", wrapped); }

static void read_frame(const tl_replay *r, int index, tl_replay_frame *f)
{
    tl_error error = {0};
    CHECK_OK(tl_replay_read(r, index, f, &error), error.text);
}

TEST(bodies_and_their_copies)
{
    tl_replay seen = open_run(true), kept = open_run(false);
    tl_replay_frame f = {0}, g = {0};
    int crossings = 0, twice = 0;
    CHECK(kept.bodies == BODIES && seen.own == BODIES && seen.bodies == BODIES + (BODIES - 1) + 1);
    for (int k = 0; k < seen.frames; k++) {
        read_frame(&seen, k, &f), read_frame(&kept, k, &g);
        for (int i = RUNNER; i < BODIES; i++) {
            const double x = f.pose[i][0], gone = g.pose[i][0], cells = (gone - x) / 1.0;
            CHECK(x >= -0.25 && x < 0.75);
            CHECK_NEAR(cells, nearbyint(cells), 1e-12);
            CHECK_NEAR(f.pose[i][1], g.pose[i][1], 0);
            int copies = 0;
            for (int c = BODIES; c < seen.outline; c++) {
                if (tl_replay_original(&seen, c) != i || !tl_replay_is_there(&f, c)) continue;
                copies++;
                CHECK_NEAR(fabs(f.pose[c][0] - x), 1, 1e-12);
                CHECK(f.pose[c][0] > -0.25 - RADIUS[i] && f.pose[c][0] < 0.75 + RADIUS[i]);
            }
            CHECK(copies == (x < -0.25 + RADIUS[i] || x > 0.75 - RADIUS[i]));
            twice += copies;
            crossings += i == RUNNER && cells > 0;
        }
        for (int c = 0; c < f.contacts; c++)
            for (int side = 0; side < 2; side++) { /* the point is on the rim of what the contact names */
                const int body = f.body[c][side], of = tl_replay_original(&seen, body);
                if (of != FLOOR) CHECK_NEAR(hypot(f.point[c][0] - f.pose[body][0], f.point[c][1] - f.pose[body][1]), RADIUS[of], 2e-3);
            }
    }
    CHECK(crossings > 20 && twice > 50);
    CHECK(tl_replay_original(&seen, seen.outline) == seen.outline && tl_replay_is_there(&f, seen.outline));
    tl_replay_frame_free(&f), tl_replay_frame_free(&g);
    tl_replay_close(&seen), tl_replay_close(&kept);
}

/* In a sheared cell what is seen is a picture of the packing: no two of the bodies and copies overlap, contacts are on the rims of both that they name, and
 * what has gone to another cell across is seen with the velocity of its copy. */
TEST(sheared)
{
    tl_replay seen = open_run_in("sheared", true), kept = open_run_in("sheared", false);
    tl_replay_frame f = {0}, g = {0};
    int across = 0, copies = 0;
    for (int k = 0; k < seen.frames; k++) {
        read_frame(&seen, k, &f), read_frame(&kept, k, &g);
        const double D = 0.6 * (0.4 + 9 * f.time), slide = 0.6 * 9;
        CHECK_NEAR(f.offset, D, 1e-9);
        for (int i = 0; i < seen.own; i++) {
            const double up = nearbyint((f.pose[i][1] - g.pose[i][1]) / 0.6), along = f.pose[i][0] - g.pose[i][0] - up * D;
            CHECK(f.pose[i][0] >= -0.25 && f.pose[i][0] < 0.75 && f.pose[i][1] >= 0 && f.pose[i][1] < 0.6);
            CHECK_NEAR(along, nearbyint(along), 1e-9);
            CHECK_NEAR(f.velocity[i][0], g.velocity[i][0] + up * slide, 1e-9);
            across += up != 0;
        }
        for (int i = 0; i < seen.outline; i++)
            for (int j = 0; j < i; j++) {
                if (!tl_replay_is_there(&f, i) || !tl_replay_is_there(&f, j)) continue;
                const double reach = seen.reach[tl_replay_original(&seen, i)] + seen.reach[tl_replay_original(&seen, j)];
                CHECK(hypot(f.pose[i][0] - f.pose[j][0], f.pose[i][1] - f.pose[j][1]) > 0.98 * reach);
                copies += i >= seen.own && j < seen.own;
            }
        for (int c = 0; c < f.contacts; c++) { /* points are of mid-step, half a step earlier */
            for (int side = 0; side < 2; side++) {
                const int body = f.body[c][side];
                const double away = hypot(f.point[c][0] - f.pose[body][0], f.point[c][1] - f.pose[body][1]);
                CHECK_NEAR(away, seen.reach[tl_replay_original(&seen, body)], 0.01);
            }
        }
    }
    CHECK(across > 20 && copies > 1000);
    tl_replay_frame_free(&f), tl_replay_frame_free(&g);
    tl_replay_close(&seen), tl_replay_close(&kept);
    talus("shot sheared -o sheared.png", NULL, 0);
    talus("view sheared", NULL, 0);
    talus("export sheared -o vtk-sheared", NULL, 0);
}

/* A number that contacts give a body is that of all its copies. */
TEST(numbers_are_shared)
{
    tl_replay r = open_run(true);
    double value[32] = {0};
    value[FIRST] = 2, value[r.first_copy[FIRST]] = 3, value[FIRST + 1] = 5;
    tl_replay_share(&r, value);
    CHECK(value[FIRST] == 3 && value[r.first_copy[FIRST]] == 3 && value[FIRST + 1] == 5 && value[r.first_copy[FIRST + 1]] == 5);
    tl_replay_close(&r);
}

/* Dark lines where the cell ends. */
TEST(pictures_page_export)
{
    talus("shot run -t 0 --no-forces -S 1000x600 -o seen.png", NULL, 0);
    talus("shot run --colour force --hide runner -o forces.png", NULL, 0);
    talus("view run", NULL, 0);
    talus("export run -o vtk", NULL, 0);
    image i = open_image("seen.png");
    int dark[1000] = {0}, lines = 0;
    for (int x = 0; x < i.width && x < 1000; x++)
        for (int y = 0; y < i.height; y++) dark[x] += pixel_at(&i, x, y).r < 0.5;
    for (int x = 1; x < i.width && x < 1000; x++) lines += dark[x] > 60 && dark[x - 1] <= 60;
    CHECK(lines == 2);
    close_image(&i);
}

/* A cell that says nothing sensible is a damaged file, not a crash. */
TEST(damaged)
{
    char path[256], said[4096];
    snprintf(path, sizeof path, "%s/run/trajectory.h5", home);
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), set = H5Dopen2(file, "cell", H5P_DEFAULT);
    const double wrong[3][2] = {{1, 0}, {0, 0}, {0, 0}};
    CHECK(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, wrong) >= 0);
    H5Dclose(set), H5Fclose(file);
    CHECK(talus("shot run -o wrong.png", said, sizeof said) == 2 && strstr(said, "its cell cannot be read"));
}

int main(int argc, char **argv)
{
    snprintf(home, sizeof home, "/tmp/talus-periodic-XXXXXX");
    if (!mkdtemp(home)) return 1;
    write_text("scene.yaml", SCENE);
    talus("run scene.yaml -o run --force --quiet", NULL, 0);
    write_text("sheared.yaml", SHEARED);
    talus("run sheared.yaml -o sheared --force --quiet", NULL, 0);
    RUN(bodies_and_their_copies);
    RUN(sheared);
    RUN(numbers_are_shared);
    RUN(pictures_page_export);
    RUN(damaged);
    nftw(home, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    return TEST_RESULT;
}
