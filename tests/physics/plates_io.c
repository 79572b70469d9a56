/* The plates of verify/ballast-cell: three walls of a cell, each of which keeps a pressure on its area, which the other two make. */
#include "lab.h"

/* 300 spheres, as in the first run of the case: to 0.1 %, while the last of the motion goes. */
TEST(pressure_on_areas)
{
    static const double PRESSURE = 10e3;
    const char *set[] = {"grains.ballast.shape=sphere",
                         "count=300",
                         "width=32 cm",
                         "height=64 cm",
                         "brake=4 kN s/m",
                         "near=3 cm",
                         "across=15 cm",
                         "up=30 cm",
                         "time.step=1 ms",
                         "time.end=1.5 s"};
    lab l = {NULL, NULL};
    CHECK_OK(talus_scene_load(TALUS_SOURCE_DIR "/verify/ballast-cell/press.yaml", set, sizeof set / sizeof *set, &l.scene), talus_scene_mistake(l.scene, 0));
    if (talus_scene_mistake_count(l.scene) == 0) CHECK_OK(talus_scene_build(l.scene, 1, &l.world), talus_scene_mistake(l.scene, 0));
    if (!l.world) exit(1);
    (void)lab_run(&l, 1.3);
    while (talus_world_time(l.world) < 1.45) {
        (void)lab_step(&l);
        const double x = lab_probe(&l, "x"), y = lab_probe(&l, "y"), z = lab_probe(&l, "z");
        CHECK_NEAR(lab_probe(&l, "fx"), PRESSURE * y * z, 1e-3 * PRESSURE * y * z);
        CHECK_NEAR(lab_probe(&l, "fy"), PRESSURE * x * z, 1e-3 * PRESSURE * x * z);
        CHECK_NEAR(lab_probe(&l, "fz"), PRESSURE * x * y, 1e-3 * PRESSURE * x * y);
    }
    close_lab(&l);
}

int main(int argc, char **argv)
{
    RUN(pressure_on_areas);
    return TEST_RESULT;
}
