/* Simple shear without walls, the scene of examples/simple-shear: a linear flow, and stresses by two formulations. */
#include "lab.h"

enum { SLOTS = 8, PARTS = 6 };

static const double SIDE = 0.04, RATE = 4;

/* Force along x per length that contacts carry through the end of the cell: of those whose ends, each in the copy that touches, lie on both sides of it. */
static double through_end(const talus_world *w)
{
    double sum = 0, x[3], q[4];
    for (int i = 0; i < talus_contact_count(w); i++) {
        talus_contact c;
        talus_contact_get(w, i, &c);
        talus_body_pose(w, c.antagonist, x, q);
        const double below = floor(x[1] / SIDE);
        talus_body_pose(w, c.candidate, x, q);
        const double above = floor((x[1] + c.image[1] * SIDE) / SIDE);
        sum += (above - below) * (c.normal[0] * c.impulse[0] - c.normal[1] * c.impulse[1]) / talus_world_step_size(w);
    }
    return sum / SIDE;
}

/* Mean of parts, and how far it may be off. */
static double mean_of(const double *part, double *error)
{
    double mean = 0, squares = 0;
    for (int p = 0; p < PARTS; p++) mean += part[p] / PARTS;
    for (int p = 0; p < PARTS; p++) squares += (part[p] - mean) * (part[p] - mean);
    *error = sqrt(squares / (PARTS - 1) / PARTS);
    return mean;
}

static lab open_example(const char *set)
{
    lab l = {NULL, NULL};
    const char *sets[1] = {set};
    CHECK_OK(talus_scene_load(TALUS_SOURCE_DIR "/examples/simple-shear/simple-shear.yaml", sets, set ? 1 : 0, &l.scene), talus_scene_mistake(l.scene, 0));
    if (talus_scene_mistake_count(l.scene) == 0) CHECK_OK(talus_scene_build(l.scene, 1, &l.world), talus_scene_mistake(l.scene, 0));
    if (!l.world) exit(1);
    return l;
}

/* Mean velocities of layers lie on a line with the slope of the shear rate, those at the ends of the cell too. What contacts carry through the end (by planes)
 * is what they carry in the mean of the cell (Love–Weber). */
TEST(flow_and_stress)
{
    lab l = open_example(NULL);
    double layer[SLOTS][PARTS] = {{0}}, planes[PARTS] = {0}, weber[PARTS] = {0}, difference[PARTS], error;
    (void)lab_run(&l, 0.2);
    for (int p = 0; p < PARTS; p++) {
        int n = 0;
        for (const double end = 0.2 + 0.1 * (p + 1); talus_world_time(l.world) < end; n++) {
            (void)lab_step(&l);
            planes[p] += through_end(l.world), weber[p] -= lab_probe(&l, "shear");
            for (int k = 0; k < SLOTS; k++) {
                char name[32];
                snprintf(name, sizeof name, "profile.%d", k + 1);
                layer[k][p] += lab_probe(&l, name);
            }
        }
        planes[p] /= n, weber[p] /= n;
        for (int k = 0; k < SLOTS; k++) layer[k][p] = layer[k][p] / n - RATE * SIDE * ((k + 0.5) / SLOTS - 0.5);
        difference[p] = planes[p] + weber[p];
    }
    for (int k = 0; k < SLOTS; k++) {
        const double beyond = mean_of(layer[k], &error);
        CHECK_NEAR(beyond, 0, 0.05 * RATE * SIDE); /* of the whole flow: grains that stand in layers, and swirl */
    }
    const double stress = mean_of(weber, &error), off = mean_of(difference, &error);
    CHECK(stress > 0);
    CHECK_NEAR(off, 0, 4 * error);
    CHECK(error < 0.1 * stress);
    close_lab(&l);
}

/* Sheared the other way from the middle of the run on, the shear stress in the end has the other sign. */
TEST(reversal)
{
    lab l = open_example("periodic.shear.strain=rate*(0.15 s)*(1 - abs(1 - t/(0.15 s)))");
    double before = 0, after = 0;
    (void)lab_run(&l, 0.05);
    while (talus_world_time(l.world) < 0.15) (void)lab_step(&l), before += lab_probe(&l, "shear");
    (void)lab_run(&l, 0.4);
    while (talus_world_time(l.world) < 0.5) (void)lab_step(&l), after += lab_probe(&l, "shear");
    CHECK(before < 0 && after > -0.3 * before);
    close_lab(&l);
}

/* In the plane and in space, along and across any directions: grains begin with the flow of the cell, which is 0 in its middle, and every layer has that flow,
 * those whose grains have gone into other cells too. */
TEST(directions)
{
    static const char AXES[] = "xyz";
    static const double LENGTH[3] = {0.1, 0.12, 0.14}, FLOW = 3;
    for (int k = 0; k < 8; k++) {
        const int dimension = k < 2 ? 2 : 3, along = k < 2 ? k : k % 3, across = k < 2 ? 1 - k : (k % 3 + 1 + (k >= 5)) % 3;
        char text[2048], last[3][16], to[3][16];
        for (int c = 0; c < 3; c++)
            last[c][0] = 0, (void)(c < dimension && snprintf(last[c], 16, "%g", LENGTH[c])), snprintf(to[c], 16, "%g", c == across ? LENGTH[c] / 4 : LENGTH[c]);
        snprintf(text, sizeof text,
                 "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 2500}}\ninteractions: [{friction: 0}]\n"
                 "periodic: {x: [0, 0.1], y: [0, 0.12]%s, shear: {along: %c, across: %c, strain: 0.7 + 3*t/(1 s)}}\n"
                 "grains: {g: {generator: fill, count: %d, region: [[0, 0%s], [%s, %s%s%s]], radius: 8 mm, material: m}}\n"
                 "probes: {low: {grains: g, quantity: v%c, region: [[0, 0%s], [%s, %s%s%s]]}}\n",
                 dimension, dimension == 3 ? ", z: [0, 0.14]" : "", AXES[along], AXES[across], dimension == 3 ? 60 : 20, dimension == 3 ? ", 0" : "", last[0],
                 last[1], dimension == 3 ? ", " : "", last[2], AXES[along], dimension == 3 ? ", 0" : "", to[0], to[1], dimension == 3 ? ", " : "",
                 dimension == 3 ? to[2] : "");
        lab l = open_lab(text, 1);
        const double flow = -FLOW * LENGTH[across] * 3 / 8;
        CHECK_NEAR(lab_probe(&l, "low"), flow, 0.34 * fabs(flow)); /* none is slower than at the middle of the layer's edges */
        (void)lab_run(&l, 0.2);
        CHECK_NEAR(lab_probe(&l, "low"), flow, 0.5 * fabs(flow));
        close_lab(&l);
    }
}

static void mistake_is(const char *text, const char *expected)
{
    talus_scene *s = load_lab(text);
    talus_world *w = NULL;
    const talus_status status = talus_scene_mistake_count(s) > 0 ? TALUS_INPUT : talus_scene_build(s, 1, &w);
    CHECK(status != TALUS_OK);
    const char *is = talus_scene_mistake_count(s) > 0 ? talus_scene_mistake(s, 0) : "nothing";
    if (!strstr(is, expected)) TEST_FAIL("'%s' is not in '%s'", expected, is);
    talus_world_destroy(w);
    talus_scene_destroy(s);
}

#define HEAD "time: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 2500}}\n"

TEST(what_may_not_be)
{
    mistake_is(HEAD "periodic: {x: [0, 1], shear: {along: x, across: y, strain: t/(1 s)}}\n", "along y it is not");
    mistake_is(HEAD "periodic: {x: [0, 1], y: [0, 1], shear: {along: z, across: x, strain: t/(1 s)}}\n", "in space only");
    mistake_is(HEAD "periodic: {x: [0, 1], y: [0, 1], shear: {along: x, across: z, strain: t/(1 s)}}\n", "in space only");
    mistake_is(HEAD "periodic: {x: [0, 1], y: [0, 1], shear: {along: x, across: x, strain: t/(1 s)}}\n", "the same direction");
    mistake_is(HEAD "periodic: {x: [0, 1], y: [0, 1], shear: {along: x, across: y, strain: 2*t}}\n", "plain number");
    mistake_is(HEAD "periodic: {x: [0, 1], y: [0, 1], shear: {along: x, across: y}}\n", "strain");
    mistake_is(HEAD "periodic: {x: [0, 1], y: [0, 1], shear: {along: x, across: y, strain: t/(1 s)}}\n"
                    "grains: {g: {generator: fill, region: [[0, 0], [1, 1]], radius: 0.1, material: m}}\n"
                    "probes: {out: {flow: g, at: [0.5, 0], normal: [1, 0]}}\n",
               "right angles to x");
    mistake_is(HEAD "periodic: {x: [0, 1], y: [0, 1], shear: {along: x, across: y, strain: t/(1 s)}}\nintegrator: {scheme: generalized_alpha}\n", "'moreau'");
}

int main(int argc, char **argv)
{
    RUN(flow_and_stress);
    RUN(reversal);
    RUN(directions);
    RUN(what_may_not_be);
    return TEST_RESULT;
}
