/* Probes of regions in a periodic cell: they see every body in each of its copies, wherever it has gone. */
#include "lab.h"

/* A disk and a square of which one lies across the seam, three cells away; their partners in a scene without a cell. */
static const char *const SCENE = "time: {end: 1 s, step: 1 ms}\n"
                                 "%s"
                                 "materials: {stone: {density: 1000 kg/m^3}}\n"
                                 "interactions: [{friction: 0.3, restitution: 0}]\n"
                                 "gravity: [0, -10]\n"
                                 "bodies:\n"
                                 "  floor: {kind: fixed, material: stone, shapes: [{half_plane: {point: [0, 0], normal: [0, 1]}}]}\n"
                                 "grains:\n"
                                 "  row: {generator: list, radius: 0.1 m, material: stone, positions: %s}\n"
                                 "probes:\n"
                                 "  number: {number: row, region: [[-0.1, 0], [0.06, 1]]}\n"
                                 "  filled: {compactness: row, region: [[-0.1, 0], [0.1, 0.25]]}\n"
                                 "  whole: {compactness: row, region: [[0, 0], [1, 0.25]]}\n"
                                 "  push: {stress: row, region: [[-0.15, 0], [0.15, 0.25]], quantity: yy}\n"
                                 "  all: {stress: row, region: [[0, 0], [1, 0.25]], quantity: yy}\n"
                                 "  lean: {fabric: row, region: [[-0.1, 0], [0.1, 0.25]], quantity: yy}\n"
                                 "  x: {body: row.1, quantity: x}\n";

static lab open_row(const char *periodic, const char *positions)
{
    char text[4096];
    snprintf(text, sizeof text, SCENE, periodic, positions);
    return open_lab(text, 1);
}

/* What is seen around x = 0 is the same wherever the copies are. */
TEST(regions_see_copies)
{
    lab plain = open_row("", "[[-0.05, 0.1], [0.5, 0.1]]");
    lab cells = open_row("periodic: {x: [0, 1 m]}\n", "[[2.95, 0.1], [-1.5, 0.1]]");
    static const char *const SAME[] = {"number", "filled", "push", "lean"};
    (void)lab_run(&plain, 0.1), (void)lab_run(&cells, 0.1);
    for (int i = 0; i < 4; i++) CHECK_NEAR(lab_probe(&cells, SAME[i]), lab_probe(&plain, SAME[i]), 1e-9 * (1 + fabs(lab_probe(&plain, SAME[i]))));
    CHECK_NEAR(lab_probe(&cells, "number"), 1, 0);
    CHECK_NEAR(lab_probe(&cells, "x"), 2.95, 1e-9); /* where it has gone, not where it is in the cell */
    /* both disks, in the cell: two whole areas; the weight of both on the floor, times the branch of a radius, per area */
    const double area = 2 * 3.14159265358979323846 * 0.01, stress = area * 1000 * 10 * 0.1 / 0.25;
    CHECK_NEAR(lab_probe(&cells, "whole"), area / 0.25, 1e-6);
    CHECK_CLOSE(lab_probe(&cells, "all"), stress, 1e-3);
    CHECK(lab_probe(&plain, "whole") < 0.9 * area / 0.25);
    close_lab(&plain), close_lab(&cells);
}

/* A disk that goes round passes the plane once a round, either way. */
TEST(rounds_are_counted)
{
    for (int way = -1; way <= 1; way += 2) {
        char text[2048];
        snprintf(text, sizeof text,
                 "time: {end: 10 s, step: 10 ms}\n"
                 "periodic: {x: [0, 1 m]}\n"
                 "materials: {stone: {density: 1000 kg/m^3}}\n"
                 "grains:\n"
                 "  row: {generator: list, radius: 0.1 m, material: stone, positions: [[0.5, 0.1]], velocity: [%d, 0]}\n"
                 "probes:\n"
                 "  passed: {flow: row, at: [0.3, 0], normal: [1, 0], quantity: number}\n"
                 "  here: {number: row, region: [[0.2, 0], [0.4, 1]]}\n",
                 way);
        lab l = open_lab(text, 1);
        int seen = 0;
        while (talus_world_time(l.world) < 5.95) {
            (void)lab_step(&l);
            seen += lab_probe(&l, "here") > 0;
        }
        CHECK_NEAR(lab_probe(&l, "passed"), 6 * way, 0); /* at 0.8 and 0.2 of the first round, and five more */
        CHECK_NEAR(seen, 120, 2);                        /* a fifth of the time */
        close_lab(&l);
    }
}

/* What the scene says wrong is said with its line. */
TEST(mistakes)
{
    static const char *const WRONG[][2] = {
        {"periodic: {x: [1, 0 m]}\n", "where the periodic cell begins and ends"},
        {"periodic: {x: [0, 1 m, 2 m]}\n", "where the periodic cell begins and ends"},
        {"periodic: {x: 1 m}\n", ""},
        {"periodic: {z: [0, 1 m]}\n", "z"},
        {"periodic: {y: [0, 1 m]}\n", "normal is not at right angles to y"},
        {"periodic: {x: [0, 0.3 m]}\n", "0.2 m long along x"},
        {"periodic: {x: [0, 1 m]}\nintegrator: {scheme: penalty_rk4}\n", "penalty"},
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        char text[4096], path[] = "lab-XXXXXX", said[4096] = "";
        talus_scene *scene = NULL;
        talus_world *world = NULL;
        snprintf(text, sizeof text, SCENE, WRONG[i][0], "[[0, 0.1]]");
        const int file = mkstemp(path);
        if (file < 0 || write(file, text, strlen(text)) != (ssize_t)strlen(text)) abort();
        close(file);
        talus_status status = talus_scene_load(path, NULL, 0, &scene);
        if (status == TALUS_OK && talus_scene_mistake_count(scene) == 0) status = talus_scene_build(scene, 1, &world);
        if (status == TALUS_OK && world) status = talus_world_assemble(world);
        if (world && status != TALUS_OK) snprintf(said, sizeof said, "%s", talus_world_error(world));
        for (int k = 0; scene && k < talus_scene_mistake_count(scene); k++) {
            const size_t length = strlen(said);
            snprintf(said + length, sizeof said - length, "%s\n", talus_scene_mistake(scene, k));
        }
        unlink(path);
        if (!*said || !strstr(said, WRONG[i][1])) TEST_FAIL("%s: '%s' is not in '%s'", WRONG[i][0], WRONG[i][1], said);
        talus_world_destroy(world);
        talus_scene_destroy(scene);
    }
}

int main(int argc, char **argv)
{
    RUN(regions_see_copies);
    RUN(rounds_are_counted);
    RUN(mistakes);
    return TEST_RESULT;
}
