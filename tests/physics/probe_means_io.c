/* Probes that are means over a span of time: the mean force of contacts is what momentum says, sample by sample it is not. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab.h"

/* Grains fall onto a floor and bounce. */
static lab open_rain(int dimension, const char *more)
{
    char text[2048];
    const bool plane = dimension == 2;
    snprintf(
        text, sizeof text,
        "dimension: %d\ngravity: [0, %s-9.81]\ntime: {end: 1 s, step: 1 ms}\nmaterials: {s: {density: 2000%s}}\ninteractions: [{friction: 0.3, restitution: "
        "0.4}]\nbodies: {floor: {kind: fixed, shapes: [{%s: {point: [0, %s0], normal: [0, %s1], material: s}}]}}\n"
        "grains: {rain: {generator: lattice, rows: 4, columns: 3, %sspacing: 3 cm, origin: [0, %s5 cm], radius: 1 cm, material: s}}\n"
        "probes:\n  each: {contact_force: floor, quantity: %c}\n  mean: {contact_force: floor, quantity: %c, over: 50 ms}\n"
        "  mass: {mass: rain}\n  v: {grains: rain, quantity: v%c}\n  u: {grains: rain, quantity: v%c, over: 50 ms}\n  h: {grains: rain, quantity: %c}\n%s",
        dimension, plane ? "" : "0, ", plane ? ", thickness: 2 cm" : "", plane ? "half_plane" : "half_space", plane ? "" : "0, ", plane ? "" : "0, ",
        plane ? "" : "layers: 2, ", plane ? "" : "0, ", "xyz"[dimension - 1], "xyz"[dimension - 1], "xyz"[dimension - 1], "xyz"[dimension - 1],
        "xyz"[dimension - 1], more);
    return open_lab(text, 1);
}

/* Grains are alike, so that their mean velocity is that of their momentum. F T + m g T = Δp over each span, to what the solver leaves; the mean of the
 * velocities, (v_n + v_n+1)/2 each, is how far they went. A mean of the samples at the rows would be off by as much as the force itself. */
static void spans(int dimension)
{
    enum { SPAN = 50, SPANS = 12 };
    lab l = open_rain(dimension, "");
    const double h = talus_world_step_size(l.world), T = SPAN * h, m = lab_probe(&l, "mass");
    double v = lab_probe(&l, "v"), y = lab_probe(&l, "h"), sampled = 0, most = 0;
    CHECK(lab_probe(&l, "mean") == lab_probe(&l, "each")); /* before the first step */
    for (int k = 0; k < SPANS; k++) {
        double sum = 0, before = v;
        for (int i = 0; i < SPAN; i++) {
            (void)lab_step(&l);
            sum += lab_probe(&l, "each");
            if (k == 0) CHECK_CLOSE(1 + fabs(lab_probe(&l, "mean")), 1 + fabs(sum) / (i + 1), 1e-12); /* of the steps so far */
        }
        const double force = fabs(lab_probe(&l, "mean")), momentum = m * (lab_probe(&l, "v") - before + 9.81 * T) / T, way = lab_probe(&l, "h") - y;
        CHECK_NEAR(force, momentum, 1e-3 * m * 9.81);
        CHECK_NEAR(lab_probe(&l, "u") * T, way + 0.5 * h * (lab_probe(&l, "v") - before), 1e-5);
        sampled = fmax(sampled, fabs(fabs(lab_probe(&l, "each")) - momentum)), most = fmax(most, momentum);
        v = lab_probe(&l, "v"), y = lab_probe(&l, "h");
    }
    CHECK(sampled > 0.3 * most);
    close_lab(&l);
}
TEST(momentum) { spans(2), spans(3); }

/* A run that is put back in the middle of a span goes on with the same means. */
TEST(restarted)
{
    lab a = open_rain(2, ""), b = open_rain(2, "");
    (void)lab_run(&a, 0.325);
    lab_restore(&a, &b);
    (void)lab_run(&a, 0.4), (void)lab_run(&b, 0.4);
    CHECK(lab_probe(&a, "mean") == lab_probe(&b, "mean") && lab_probe(&a, "mean") != 0);
    close_lab(&a), close_lab(&b);
}

/* What a stop looks at is the mean, too: the samples exceed twice the weight at the first blows, the means of half a second never. */
TEST(conditions)
{
    lab l = open_rain(2, "  slow: {contact_force: floor, quantity: magnitude, over: 0.5 s}\n  fast: {contact_force: floor, quantity: magnitude}\n"
                         "stop: {s: {probe: slow, above: 5 N}}\n");
    CHECK(!lab_run(&l, 0.9)); /* the weight of 12 discs is 1.48 N */
    close_lab(&l);
    l = open_rain(2, "  fast: {contact_force: floor, quantity: magnitude}\nstop: {s: {probe: fast, above: 5 N}}\n");
    CHECK(lab_run(&l, 0.9));
    close_lab(&l);
}

/* A load turns round with a stage: the mean of the first stage is not that of the second. mod stays in [0, a) at whole numbers of a, also where t/a is not one.
 */
TEST(stages)
{
    lab l = open_lab("time: {end: 0.2 s, step: 1 ms}\nbodies: {b: {mass: 1 kg, inertia: 1, position: [0, 0]}}\nloads: {l: {body: b, x: 1 N}}\n"
                     "probes: {a: {body: b, quantity: ax, over: 50 ms}}\nstages: {one: {until: {time: 0.1 s}}, two: {loads: {l: {x: -1 N}}}}\n",
                     1);
    (void)lab_run(&l, 0.1);
    (void)lab_step(&l);
    CHECK_CLOSE(lab_probe(&l, "a"), -1.0, 1e-9);
    close_lab(&l);
    l = open_lab("time: {end: 20 s, step: 1 ms}\nbodies: {b: {kind: imposed, motion: {x: \"1 m*mod(t, 0.05 s)/(1 s)\", y: \"1 m*mod(-t, 0.05 s)/(1 s)\"}}}\n"
                 "probes: {x: {body: b}, y: {body: b, quantity: y}}\n",
                 1);
    double low = 1, high = 0;
    while (talus_world_time(l.world) < 20 - 5e-4) {
        (void)lab_step(&l);
        low = fmin(low, fmin(lab_probe(&l, "x"), lab_probe(&l, "y"))), high = fmax(high, fmax(lab_probe(&l, "x"), lab_probe(&l, "y")));
    }
    CHECK(low >= 0 && high < 0.05);
    close_lab(&l);
}

int main(int argc, char **argv)
{
    RUN(momentum);
    RUN(restarted);
    RUN(conditions);
    RUN(stages);
    return TEST_RESULT;
}
