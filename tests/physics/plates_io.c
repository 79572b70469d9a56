/* The plates of verify/ballast-cell: three walls of a cell, each of which keeps a pressure on its area, which the other two make. */
#include "lab.h"

/* 300 spheres, as in the first run of the case. By momentum: what the grains give to a plate goes into its pressure on its area, its brake and itself, whatever
 * is left of the motion; and of that little is left. */
TEST(pressure_on_areas)
{
    enum { STEPS = 150 };
    static const double PRESSURE = 10e3, H = 1e-3, BRAKE[3] = {4e3, 4e3, 4e3 / 3.4}, MASS = 50;
    static const char *const WAY[3] = {"x", "y", "z"}, *const FORCE[3] = {"fx", "fy", "fz"};
    const char *set[] = {"grains.ballast.shape=sphere",
                         "count=300",
                         "width=32 cm",
                         "height=64 cm",
                         "brake=4 kN s/m",
                         "near=3 cm",
                         "across=15 cm",
                         "up=30 cm",
                         "time.step=1 ms",
                         "time.end=3 s"};
    lab l = {NULL, NULL};
    CHECK_OK(talus_scene_load(TALUS_SOURCE_DIR "/verify/ballast-cell/press.yaml", set, sizeof set / sizeof *set, &l.scene), talus_scene_mistake(l.scene, 0));
    if (talus_scene_mistake_count(l.scene) == 0) CHECK_OK(talus_scene_build(l.scene, 1, &l.world), talus_scene_mistake(l.scene, 0));
    if (!l.world) exit(1);
    (void)lab_run(&l, 2.8); /* until then grains may snap past one another now and then */
    double x[STEPS + 1][3], force[3] = {0, 0, 0}, pressure[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) x[0][k] = lab_probe(&l, WAY[k]);
    for (int i = 1; i <= STEPS; i++) {
        (void)lab_step(&l);
        for (int k = 0; k < 3; k++) x[i][k] = lab_probe(&l, WAY[k]);
        for (int k = 0; k < 3; k++) {
            const double area = 0.25 * (x[i][(k + 1) % 3] + x[i - 1][(k + 1) % 3]) * (x[i][(k + 2) % 3] + x[i - 1][(k + 2) % 3]);
            force[k] += lab_probe(&l, FORCE[k]) / STEPS;
            pressure[k] += PRESSURE * area / STEPS;
        }
    }
    for (int k = 0; k < 3; k++) {
        const double braked = BRAKE[k] * (x[STEPS][k] - x[0][k]) / (STEPS * H);
        const double gained = MASS * (x[STEPS][k] - x[STEPS - 1][k] - x[1][k] + x[0][k]) / (STEPS * H * H);
        CHECK_NEAR(force[k], pressure[k] + braked + gained, 1e-4 * pressure[k]);
        CHECK_NEAR(force[k], pressure[k], 1e-3 * pressure[k]);
    }
    close_lab(&l);
}

int main(int argc, char **argv)
{
    RUN(pressure_on_areas);
    return TEST_RESULT;
}
