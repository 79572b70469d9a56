/* Steady shear in a periodic cell, the scene of examples/shear-cell: what the plates are pushed with is what the grains carry, and the grains go faster the
 * higher they are. */
#include "lab.h"

static lab open_example(void)
{
    lab l = {NULL, NULL};
    CHECK_OK(talus_scene_load(TALUS_SOURCE_DIR "/examples/shear-cell/shear-cell.yaml", NULL, 0, &l.scene), talus_scene_mistake(l.scene, 0));
    if (talus_scene_mistake_count(l.scene) == 0) CHECK_OK(talus_scene_build(l.scene, 1, &l.world), talus_scene_mistake(l.scene, 0));
    if (!l.world) exit(1);
    return l;
}

/* Balance of momentum of all above a level, of means over a time T: the stress there is the force on the plate by its length, but for what the momentum of the
 * grains may have changed by, at most 2 m v / T. */
TEST(plates_and_grains)
{
    static const double LENGTH = 0.04, PRESS = 0.4, SPEED = 0.1, FROM = 0.5, TO = 1.5;
    enum { LAYERS = 8 };
    lab l = open_example();
    double drag = 0, shear = 0, pressure = 0, profile[LAYERS] = {0}, mass = 0;
    int n = 0;
    for (int i = 0; i < talus_body_count(l.world); i++) mass += talus_body_mass(l.world, talus_body_at(l.world, i));
    (void)lab_run(&l, FROM);
    while (talus_world_time(l.world) < TO) {
        (void)lab_step(&l);
        drag += lab_probe(&l, "drag"), shear -= lab_probe(&l, "shear"), pressure += lab_probe(&l, "pressure");
        for (int k = 0; k < LAYERS; k++) {
            char name[32];
            snprintf(name, sizeof name, "profile.%d", k + 1);
            profile[k] += lab_probe(&l, name);
        }
        n++;
    }
    const double slack = 2 * mass * SPEED / (TO - FROM);
    CHECK(slack < 0.1 * PRESS);
    CHECK_NEAR(LENGTH * shear / n, drag / n, slack);
    CHECK_NEAR(LENGTH * pressure / n, PRESS, slack);
    CHECK(drag / n > 0.2 * PRESS && drag / n < 0.5 * PRESS);
    for (int k = 1; k < LAYERS; k++) CHECK(profile[k] > profile[k - 1]);
    CHECK(profile[0] / n < 0.05 * SPEED && profile[LAYERS - 1] / n > 0.95 * SPEED);
    CHECK(lab_probe(&l, "way") > 0.5 * SPEED * FROM + LENGTH); /* on the mean they have gone round the cell */
    close_lab(&l);
}

int main(int argc, char **argv)
{
    RUN(plates_and_grains);
    return TEST_RESULT;
}
