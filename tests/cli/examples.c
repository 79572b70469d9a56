/* The examples as a reader of their pages starts them: `talus check` finds nothing wrong with the scenes, and each machine among grains runs its first
 * steps and leaves the columns that its page speaks of; with fewer grains, so that all take seconds. */
#include "cli/scenes.h"

/* Those that need no other run's results. */
static const char *const SCENES[] = {
    "auger/auger",
    "ballast-column/stamping",
    "drum/drum",
    "bogie/ditch",
    "bogie/ditch-plane",
    "bogie/ground",
    "excavator/excavator",
    "excavator/machine",
    "excavator/small",
    "forest-machine/ditch",
    "forest-machine/ditch-plane",
    "forest-machine/ground",
    "forest-machine/steered",
    "forest-machine/terrain",
    "four-bar-in-disks/config1",
    "four-bar-in-disks/config2",
    "conical-hopper/conical-hopper",
    "pendulums/chains",
    "pendulums/particle",
    "pendulums/two",
    "pendulums/two-penalty",
    "slider-crank/bodies",
    "slider-crank/bodies-held",
    "slider-crank/chain",
    "slider-crank/generalized-alpha",
    "slider-crank/loop-xy",
    "slider-crank/loop-y",
    "shear-box/shear-box",
    "shear-cell/shear-cell",
    "simple-shear/simple-shear",
    "penetrometer/penetrometer",
    "penetrometer/rock",
    "soil/beam",
    "soil/blade",
    "soil/heap",
    "soil/plate",
    "soil/roller",
    "stones/heap",
    "stones/terrain",
    "tamping/air",
    "tamping/eccentric-air",
    "tamping/hydraulic-air",
    "tamping/pour",
    "tamping/small-pour",
    "tolerance/drum",
    "tolerance/mixer",
    "tolerance/pour",
    "tyre/bed",
    "tyre/bed-rigid",
    "tyre/log",
    "tyre/slip",
    "tyre/soft",
    "tyre/soft-rigid",
};

TEST(scenes_are_right)
{
    make_folder();
    for (size_t i = 0; i < sizeof SCENES / sizeof *SCENES; i++) {
        const int code = talus("check '" TALUS_SOURCE_DIR "/examples/%s.yaml'", SCENES[i]);
        if (code != 0) TEST_FAIL("%s: exit code %d: %.2000s", SCENES[i], code, said);
    }
    remove_folder();
}

/* The number in the last row of out/series.csv below a name of its first row; NaN when there is none. */
static double last_of_series(const char *name)
{
    char head[4096] = "", row[4096] = "", next[4096];
    FILE *in = fopen("out/series.csv", "r");
    if (in && fgets(head, sizeof head, in))
        while (fgets(next, sizeof next, in)) memcpy(row, next, sizeof row);
    if (in) fclose(in);
    const char *value = row;
    for (const char *key = head; value && *key; value = strchr(value, ','), value = value ? value + 1 : NULL) {
        const size_t n = strcspn(key, ",\n");
        if (strlen(name) == n && strncmp(key, name, n) == 0) return strtod(value, NULL);
        key += n + (key[n] != '\0');
    }
    return (double)NAN;
}

static void run(const char *example, const char *settings)
{
    const int code = talus("run '" TALUS_SOURCE_DIR "/examples/%s/%s.yaml' -o out --force --threads 1 %s", example, example, settings);
    if (code != 0) TEST_FAIL("%s: exit code %d: %.2000s", example, code, said);
}

/* The motor at rest carries nothing: the beads have fallen in a drum that is nearly alike on both sides. Once it turns, it works. */
TEST(drum)
{
    make_folder();
    run("drum", "--set grains.beads.count=150 --set start.from=0.1 --set start.to=0.2 --until 0.5");
    CHECK(last_of_series("torque") > 0 && last_of_series("x") < 0);
    remove_folder();
}

/* The shutter opens and some beads leave; what has left and what is left is all. */
TEST(conical_hopper)
{
    make_folder();
    run("conical-hopper", "--set grains.beads.mass=0.1 --set stages.settle.until.at_most=0.05 --until 0.4");
    const double out = last_of_series("out");
    CHECK(out > 0);
    CHECK_NEAR(out + last_of_series("left"), last_of_series("all"), 1e-9);
    remove_folder();
}

/* Beads under the lid, before it presses: the floor is not empty, and nothing has moved. */
TEST(shear_box)
{
    make_folder();
    run("shear-box", "--until 0.05");
    CHECK(last_of_series("all") > 0.1 && last_of_series("above") < last_of_series("all"));
    CHECK_NEAR(last_of_series("x"), 0, 1e-12);
    remove_folder();
}

/* With its spools shut the machine hangs on its oil: pin 1 carries the moment of all weights about the boom's foot, 8525 N by hand. Lengths are given to half a
 * millimetre in 0.9 m, and oil that leaks past the piston lets the machine sink a little. In relative and in maximal coordinates. */
TEST(excavator)
{
    static const char *const COORDINATES[] = {"relative", "maximal"};
    for (int i = 0; i < 2; i++) {
        make_folder();
        char settings[300];
        snprintf(settings, sizeof settings,
                 "--set gain=0 --set 'time.step=20 ms' --set grains.stones.count=30 --set mechanisms.excavator.coordinates=%s --until 0.4", COORDINATES[i]);
        run("excavator", settings);
        CHECK_CLOSE(last_of_series("pin1"), 8525.0, 1e-3);
        CHECK_CLOSE(last_of_series("boom_x"), 0.902, 1e-3);
        CHECK(last_of_series("load") == 0);
        remove_folder();
    }
}

/* Oil alone turns the articulation of the machine that stands: to what is wished, but for the little by which the spool is open; the cylinder is then as long
 * as its ends are apart: (0.45, 0.25) m on the front frame, (-0.15, 0.15) m on what has turned by that angle. */
TEST(steered)
{
    make_folder();
    if (talus("run '" TALUS_SOURCE_DIR "/examples/forest-machine/steered.yaml' -o out --force --threads 1 --until 1.8") != 0)
        TEST_FAIL("forest-machine/steered: %.2000s", said);
    const double angle = last_of_series("angle"), x = -0.15 * cos(angle) - 0.15 * sin(angle), y = -0.15 * sin(angle) + 0.15 * cos(angle);
    CHECK_NEAR(angle, 0.15, 0.005);
    CHECK_NEAR(last_of_series("left_x"), hypot(0.45 - x, 0.25 - y), 1e-5);
    CHECK(last_of_series("left_cap") > last_of_series("left_rod") && last_of_series("right_rod") > last_of_series("right_cap"));
    CHECK_NEAR(last_of_series("x"), -4, 0.1);
    remove_folder();
}

TEST(auger)
{
    make_folder();
    run("auger", "--set grains.beads.count=150 --until 0.6");
    CHECK(last_of_series("inside") >= 0 && last_of_series("out") >= 0 && fabs(last_of_series("torque")) < 1);
    remove_folder();
}

/* Before the first stone has fallen its millimetre, the ground carries the soil, 2000 kg/m³ · 8 L · g, which starts at rest. */
TEST(ballast_column)
{
    make_folder();
    if (talus("run '" TALUS_SOURCE_DIR "/examples/ballast-column/stamping.yaml' -o out --force --threads 1 --until 0.01") != 0)
        TEST_FAIL("it said: %.2000s", said);
    CHECK_CLOSE(last_of_series("under_soil"), 2000 * 0.008 * 9.81, 1e-6);
    CHECK_NEAR(last_of_series("on_soil"), 0, 1e-12);
    remove_folder();
}

int main(int argc, char **argv)
{
    RUN(scenes_are_right);
    RUN(drum);
    RUN(conical_hopper);
    RUN(shear_box);
    RUN(excavator);
    RUN(steered);
    RUN(auger);
    RUN(ballast_column);
    return TEST_RESULT;
}
