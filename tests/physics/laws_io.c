/* Laws of contacts and their keys as scenes say them, in the plane and in space: the first bounce of a ball by the laws of restitution (theory §2.8), and what
 * hangs by cohesion (theory §2.6). */
#include "lab.h"

typedef struct words {
    int dimension;
    const char *wall, *ball, *zero, *axis; /* zero: the coordinates before the last */
} words;

static const words WORDS[] = {{2, "half_plane", "disk", "0, ", "y"}, {3, "half_space", "sphere", "0, 0, ", "z"}};

/* Without gravity the law alone says how fast a ball that comes with 0.8 m/s goes. */
static double bounce(const words *d, const char *law)
{
    char text[1024];
    snprintf(text, sizeof text,
             "dimension: %d\ntime: {end: 1 s, step: 1 ms}\ngravity: [%s0]\nmaterials: {m: {density: 1000}}\ninteractions: [{%s}]\n"
             "bodies:\n  floor: {kind: fixed, material: m, shapes: [{%s: {point: [%s0], normal: [%s1]}}]}\n"
             "  ball: {material: m, position: [%s0.2], velocity: [%s-0.8], shapes: [{%s: {radius: 0.1}}]}\nprobes: {v: {body: ball, quantity: v%s}}\n",
             d->dimension, d->zero, law, d->wall, d->zero, d->zero, d->zero, d->zero, d->ball, d->axis);
    lab l = open_lab(text, 1);
    lab_run(&l, 0.3);
    const double v = lab_probe(&l, "v");
    close_lab(&l);
    return v;
}

TEST(restitution)
{
    for (int k = 0; k < 2; k++) {
        CHECK_NEAR(bounce(&WORDS[k], "restitution: 0.5"), 0.4, 1e-12);
        CHECK_NEAR(bounce(&WORDS[k], "law: impact, restitution: 0.5, yield_speed: 0.1 m/s"), 0.4 * pow(8, -0.25), 1e-12);
        CHECK_NEAR(bounce(&WORDS[k], "law: impact, speeds: [0.5, 1, 4], restitutions: [0.9, 0.6, 0.2]"), 0.8 * (0.9 - 0.6 * 0.3), 1e-12);
    }
}

/* A ball of 1 kg under a ceiling, at a gap, weighs so much; its velocity after a step of 1 ms. */
static double hang(const words *d, double gap, double weight)
{
    char text[1024];
    snprintf(text, sizeof text,
             "dimension: %d\ntime: {end: 1 s, step: 1 ms}\ngravity: [%s-%.17g]\nsolver: {tolerance: 1e-12 m/s}\nmaterials: {m: {}}\n"
             "interactions: [{law: cohesion, force: 7 N, distance: 2 mm}]\n"
             "bodies:\n  ceiling: {kind: fixed, material: m, shapes: [{%s: {point: [%s0], normal: [%s-1]}}]}\n"
             "  ball: {mass: 1 kg, material: m, position: [%s%.17g], shapes: [{%s: {radius: 0.1}}]}\nprobes: {v: {body: ball, quantity: v%s}}\n",
             d->dimension, d->zero, weight, d->wall, d->zero, d->zero, d->zero, -0.1 - gap, d->ball, d->axis);
    lab l = open_lab(text, 1);
    lab_step(&l);
    const double v = lab_probe(&l, "v");
    close_lab(&l);
    return v;
}

TEST(cohesion)
{
    for (int k = 0; k < 2; k++) {
        CHECK_NEAR(hang(&WORDS[k], 0, 6.999), 0, 1e-11);
        CHECK_NEAR(hang(&WORDS[k], 0, 7.001), -1e-6, 1e-11);
        CHECK_NEAR(hang(&WORDS[k], 1.999e-3, 4), 3e-3, 1e-11);
        CHECK_NEAR(hang(&WORDS[k], 2.001e-3, 4), -4e-3, 1e-11);
    }
}

/* A block on a floor of another material that the list of interactions forgets: it slides as on ice, which is said; where it is named, nothing is. */
TEST(forgotten_pairs_are_said)
{
    static const char *const SCENE[2] = {
        "gravity: [1, -9.81]\ntime: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 1000}, n: {density: 1000}}\ninteractions: [{between: [m, m], friction: "
        "0.5}%s]\nbodies:\n  floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: n}}]}\n"
        "  b: {position: [0, 0.1], shapes: [{box: {size: [0.2, 0.2], material: m}}]}\nprobes: {v: {body: b, quantity: vx}}\n",
        "dimension: 3\ngravity: [1, 0, -9.81]\ntime: {end: 1 s, step: 1 ms}\nmaterials: {m: {density: 1000}, n: {density: 1000}}\ninteractions: [{between: [m, "
        "m], friction: 0.5}%s]\nbodies:\n  floor: {kind: fixed, shapes: [{half_space: {point: [0, 0, 0], normal: [0, 0, 1], material: n}}]}\n"
        "  b: {position: [0, 0, 0.1], shapes: [{box: {size: [0.2, 0.2, 0.2], material: m}}]}\nprobes: {v: {body: b, quantity: vx}}\n"};
    for (int space = 0; space < 2; space++)
        for (int named = 0; named < 2; named++) {
            char text[2048];
            snprintf(text, sizeof text, SCENE[space], named ? ", {between: [n, m]}" : ""); // NOLINT: one of the two above
            lab l = open_lab(text, 1);
            lab_run(&l, 0.5);
            CHECK_NEAR(lab_probe(&l, "v"), 0.5, 1e-9);
            CHECK((strstr(talus_world_all_warnings(l.world), "no interaction is of their materials 'n' and 'm'") != NULL) == !named);
            close_lab(&l);
        }
}

int main(int argc, char **argv)
{
    RUN(restitution);
    RUN(cohesion);
    RUN(forgotten_pairs_are_said);
    return TEST_RESULT;
}
