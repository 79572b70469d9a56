/* Impacts of what turns, by nonsmooth generalized-α: positions are held about a contact that turns away by its curvature, and velocities meet it all the same.
 */
#include "lab.h"

static const char *const STEP[] = {"2 ms", "1 ms", "0.5 ms"};
static const double H[] = {2e-3, 1e-3, 5e-4};

/* Two like disks or spheres meet off the middle, the normal at (0.8, −0.6): 1.04 m/s along it are halved, 0.78 m/s across stick, for the friction that it
 * takes, 1/6 of them for disks, 1/7 for spheres, is less than 0.3 × 0.52.
 * Within a step the normal turns by 1.3 h/0.2, and 0.52 m/s with it. */
TEST(an_oblique_blow)
{
    for (int i = 0; i < 6; i++) {
        const bool flat = i % 2 == 0;
        char text[1000];
        const char *z = flat ? "" : ", 0", *kind = flat ? "disk" : "sphere";
        snprintf(
            text, sizeof text,
            "dimension: %d\ntime: {end: 1 s, step: %s}\nintegrator: {scheme: generalized_alpha}\nmaterials: {m: {density: 1000}}\ninteractions: [{friction: "
            "0.3, restitution: 0}]\nbodies:\n  a: {position: [-0.5006666666666667, 0.12%s], velocity: [1.3, 0%s], shapes: [{%s: {radius: 0.1, material: "
            "m}}]}\n  b: {position: [0, 0%s], shapes: [{%s: {radius: 0.1, material: m}}]}\nprobes: {v: {body: a, quantity: vx}, w: {body: a, quantity: "
            "%s}, vb: {body: b, quantity: vx}}\n",
            flat ? 2 : 3, STEP[i / 2], z, z, kind, z, kind, flat ? "angular_velocity" : "wz");
        lab l = open_lab(text, 1);
        lab_run(&l, 0.4);
        const double off = 0.52 * 1.3 / 0.2 * H[i / 2], across = 0.78 / (flat ? 6 : 7), vx = 1.3 - 0.52 * 0.8 - across * 0.6;
        CHECK_NEAR(lab_probe(&l, "v"), vx, off);
        CHECK_NEAR(lab_probe(&l, "vb"), 1.3 - vx, off);
        CHECK_NEAR(lab_probe(&l, "w"), -across / (flat ? 0.05 : 0.04), off / 0.1);
        close_lab(&l);
    }
}

/* A box falls onto a floor, spinning: energy never rises; where nothing is lost it stays, but for what one step makes of speeds: g h, of some 2 m/s, and twice
 * that of energies, in each of three blows. */
TEST(a_box_that_spins)
{
    for (int i = 0; i < 12; i++) {
        const bool flat = i % 2 == 0, elastic = i % 4 >= 2;
        char text[1000];
        snprintf(
            text, sizeof text,
            "dimension: %d\ntime: {end: 1 s, step: %s}\nintegrator: {scheme: generalized_alpha}\ngravity: [0, -9.81%s]\nmaterials: {m: {density: "
            "1000}}\ninteractions: [{friction: %s}]\nbodies:\n  a: {position: [0, 0.3%s], %s, shapes: [{box: {size: [0.2, 0.1%s], material: m}}]}\n  b: {kind: "
            "fixed, shapes: [{%s: {point: [0, 0%s], normal: [0, 1%s], material: m}}]}\nprobes: {e: {energy: total}}\n",
            flat ? 2 : 3, STEP[i / 4], flat ? "" : ", 0", elastic ? "0, restitution: 1" : "0.5, restitution: 0.5", flat ? "" : ", 0",
            flat ? "angle: 0.3 rad, angular_velocity: -4 rad/s" : "orientation: {axis_angle_deg: [0.3, 0.1, 1, 20]}, spin: [1, 0.5, -4]", flat ? "" : ", 0.1",
            flat ? "half_plane" : "half_space", flat ? "" : ", 0", flat ? "" : ", 0");
        lab l = open_lab(text, 1);
        const double start = lab_probe(&l, "e");
        double e = start;
        while (talus_world_time(l.world) < 0.6) {
            lab_step(&l);
            const double now = lab_probe(&l, "e");
            CHECK(now < e + (elastic ? 9.81 * H[i / 4] : 2e-3) * start);
            e = now;
        }
        if (elastic) CHECK_CLOSE(e, start, 3 * 9.81 * H[i / 4]);
        else CHECK(e < 0.6 * start);
        close_lab(&l);
    }
}

/* A bar on a hinge falls onto the floor with its lower corner, in a mechanism: sin q − 0.05 cos q = −0.6, and there it lies. */
TEST(a_bar_on_a_hinge)
{
    for (int i = 0; i < 6; i++) {
        const bool flat = i % 2 == 0;
        char text[1200];
        snprintf(
            text, sizeof text,
            "dimension: %d\ntime: {end: 1 s, step: %s}\nintegrator: {scheme: generalized_alpha}\ngravity: [0, -9.81%s]\nmaterials: {m: {density: "
            "1000}}\ninteractions: [{friction: 0.4, restitution: 0}]\nbodies: {f: {kind: fixed, shapes: [{%s: {point: [0, -0.6%s], normal: [0, 1%s], material: "
            "m}}]}}\nmechanisms:\n  p:\n    bodies:\n      l: {mass: 1 kg, inertia: %s, centre_of_mass: [0.5, 0%s], shapes: [{box: {size: [1, 0.1%s], "
            "centre: [0.5, 0%s], material: m}}]}\n    joints: {j: {type: revolute, parent: ground, child: l, angle: 0.3%s}}\nprobes: {q: {joint: j}, w: "
            "{joint: j, quantity: velocity}}\n",
            flat ? 2 : 3, STEP[i / 2], flat ? "" : ", 0", flat ? "half_plane" : "half_space", flat ? "" : ", 0", flat ? "" : ", 0",
            flat ? "0.1" : "[0.1, 0.1, 0.1]", flat ? "" : ", 0", flat ? "" : ", 0.1", flat ? "" : ", 0", flat ? "" : ", axis: [0, 0, 1]");
        lab l = open_lab(text, 1);
        lab_run(&l, 0.8);
        const double angle = -asin(0.6 / hypot(1, 0.05)) + atan(0.05);
        CHECK_NEAR(lab_probe(&l, "q"), angle, 1e-7);
        CHECK_NEAR(lab_probe(&l, "w"), 0, 1e-9);
        close_lab(&l);
    }
}

/* What a stage frees, or a source puts in, falls from the first step on, and where gravity changes at once all does: v = −g t to rounding. */
TEST(what_is_freed_falls)
{
    for (int space = 0; space < 2; space++) {
        char text[1200];
        const char *z = space ? ", 0" : "";
        snprintf(text, sizeof text,
                 "dimension: %d\ntime: {end: 3 s, step: 2 ms}\ngravity: [0, -9.81%s]\nintegrator: {scheme: generalized_alpha}\nmaterials: {m: {density: "
                 "1000}}\nbodies: {a: "
                 "{kind: fixed, mass: 1 kg, %s}}\ngrains: {s: {generator: source, count: 1, rate: 1 Hz, region: [[5, 5%s], [5.001, 5.001%s]], radius: 0.1, "
                 "material: "
                 "m}}\nstages: {one: {until: {after: 1 s}}, two: {bodies: {a: {kind: free}}, until: {after: 1 s}}, three: {gravity: [0, -3.27%s]}}\nprobes: "
                 "{va: {body: a, "
                 "quantity: vy}, vs: {body: s.1, quantity: vy}, y: {body: a, quantity: y}}\n",
                 2 + space, z, space ? "inertia_tensor: [1, 1, 1]" : "inertia: 1", z, space ? ", 0.001" : "", z);
        lab l = open_lab(text, 1);
        lab_run(&l, 2);
        CHECK_NEAR(lab_probe(&l, "va"), -9.81, 1e-9);
        CHECK_NEAR(lab_probe(&l, "vs"), -9.81, 1e-9);
        CHECK_NEAR(lab_probe(&l, "y"), -4.905, 1e-9);
        lab_run(&l, 3);
        CHECK_NEAR(lab_probe(&l, "va"), -9.81 - 3.27, 1e-9);
        CHECK_NEAR(lab_probe(&l, "y"), -4.905 - 9.81 - 1.635, 1e-9);
        close_lab(&l);
    }
}

/* A link that is driven with the speed 2 sin 3t is at ⅔ (1 − cos 3t), to the second order; in maximal coordinates, too. */
TEST(a_driven_speed)
{
    for (int i = 0; i < 4; i++) {
        double off[2];
        for (int k = 0; k < 2; k++) {
            char text[700];
            snprintf(text, sizeof text,
                     "dimension: %d\ntime: {end: 2 s, step: %g s}\nintegrator: {scheme: generalized_alpha}\nmechanisms:\n  m:\n    coordinates: %s\n    "
                     "bodies: {a: {mass: 2, "
                     "inertia: %s}}\n    joints: {j: {type: revolute, parent: ground, child: a%s}}\n    drives: {d: {joint: j, speed: \"2*sin(3*t/(1 s))*(1 "
                     "rad/s)\"}}\nprobes: "
                     "{q: {joint: j}}\n",
                     i % 2 ? 3 : 2, 4e-3 / (1 << k), i < 2 ? "relative" : "maximal", i % 2 ? "[1, 1, 1]" : "1", i % 2 ? ", axis: [0, 0, 1]" : "");
            off[k] = fabs(lab_after(text, 1, "q") - 2.0 / 3 * (1 - cos(3)));
        }
        CHECK(off[0] < 2e-5 && off[1] < 0.3 * off[0]); /* the trapezoidal rule: h²/12 (6 − 6 cos 3) */
    }
}

/* Grains that come and go far away are nothing to a pendulum: the same bits. */
TEST(a_source_far_away)
{
    for (int space = 0; space < 2; space++) {
        double q[2];
        for (int k = 0; k < 2; k++) {
            const char *z = space ? ", 0" : "";
            char text[1000], source[300] = "";
            if (k)
                snprintf(source, sizeof source,
                         "grains: {s: {generator: source, count: 200, rate: 1 kHz, region: [[50, 50%s], [80, 80%s]], radius: 0.01, material: m}}\n", z,
                         space ? ", 1" : "");
            snprintf(text, sizeof text,
                     "dimension: %d\ntime: {end: 1 s, step: 4 ms}\nintegrator: {scheme: generalized_alpha}\ngravity: [0, -9.81%s]\nmaterials: {m: {density: "
                     "1000}}\nmechanisms: "
                     "{m: {bodies: {a: {mass: 1, inertia: %s, centre_of_mass: [0.5, 0%s]}}, joints: {j: {type: revolute, parent: ground, child: "
                     "a%s}}}}\n%sprobes: {q: {joint: j}}\n",
                     2 + space, z, space ? "[0.1, 0.1, 0.1]" : "0.1", z, space ? ", axis: [0, 0, 1]" : "", source);
            q[k] = lab_after(text, 0.2, "q");
        }
        CHECK(q[0] < -0.1 && q[1] == q[0]);
    }
}

/* A spinning disk falls towards a floor that attracts it over 20 mm, solved in velocities of bodies, whose impulses are never quite 0: it spins on until it
 * touches. */
TEST(what_is_open_does_not_rub)
{
    static const char *const METHOD[] = {"bodies", "nlgs", "auto"};
    for (int i = 0; i < 6; i++) {
        const bool space = i % 2 == 1;
        const char *z = space ? ", 0" : "";
        char text[1000];
        snprintf(text, sizeof text,
                 "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nintegrator: {scheme: generalized_alpha}\ngravity: [0, -9.81%s]\nsolver: {method: "
                 "%s}\nmaterials: {m: {density: "
                 "1000}}\ninteractions: [{law: cohesion, force: 50 N, distance: 20 mm, friction: 0.5}]\nbodies:\n  f: {kind: fixed, shapes: [{%s: {point: [0, "
                 "0%s], normal: [0, 1%s], "
                 "material: m}}]}\n  d: {position: [0, 0.15%s], %s, shapes: [{%s: {radius: 0.1, material: m}}]}\nprobes: {y: {body: d, quantity: y}, w: {body: "
                 "d, quantity: %s}}\n",
                 space ? 3 : 2, z, METHOD[i / 2], space ? "half_space" : "half_plane", z, z, z, space ? "spin: [0, 0, 3]" : "angular_velocity: 3",
                 space ? "sphere" : "disk", space ? "wz" : "angular_velocity");
        lab l = open_lab(text, 1);
        while (lab_probe(&l, "y") > 0.1005 && talus_world_time(l.world) < 0.3) {
            if (lab_probe(&l, "y") > 0.102) CHECK_NEAR(lab_probe(&l, "w"), 3, 1e-9);
            lab_step(&l);
        }
        lab_run(&l, 0.3);
        CHECK(lab_probe(&l, "w") < 2.5);
        close_lab(&l);
    }
}

/* Five disks or balls in a shaft fall onto one another, a little beside the middle, and bounce: nothing overlaps, contacts that open and close as the others
 * move neither; no step misses the tolerance, and none adds energy, but for what lifts a column by g h^2. */
TEST(a_column_that_bounces)
{
    for (int flat = 0; flat < 2; flat++) {
        const char *half = flat ? "half_plane" : "half_space", *z = flat ? "" : ", 0", *kind = flat ? "disk" : "sphere";
        char text[4000], grains[1000] = "";
        for (int i = 0; i < 5; i++)
            snprintf(grains + strlen(grains), sizeof grains - strlen(grains), "  g%d: {position: [%g, %g%s], shapes: [{%s: {radius: 0.05, material: m}}]}\n", i,
                     i % 2 ? 5e-4 : 0.0, 0.05 + 0.11 * i,
                     flat    ? ""
                     : i % 3 ? ", 2e-4"
                             : ", 0",
                     kind);
        snprintf(text, sizeof text,
                 "dimension: %d\ntime: {end: 1 s, step: 1 ms}\ngravity: [0, -9.81%s]\nintegrator: {scheme: generalized_alpha}\nmaterials: {m: {density: "
                 "2700}}\ninteractions: [{restitution: 0.7}]\nbodies:\n  f: {kind: fixed, shapes: [{%s: {point: [0, 0%s], normal: [0, 1%s], material: m}}, "
                 "{%s: {point: [-0.06, 0%s], normal: [1, 0%s], material: m}}, {%s: {point: [0.06, 0%s], normal: [-1, 0%s], material: m}}]}\n%sprobes: {e: "
                 "{energy: total}, x0: {body: g0}, y0: {body: g0, quantity: y}, x1: {body: g1}, y1: {body: g1, quantity: y}, x2: {body: g2}, y2: {body: g2, "
                 "quantity: y}, x3: {body: g3}, y3: {body: g3, quantity: y}, x4: {body: g4}, y4: {body: g4, quantity: y}%s}\n",
                 flat ? 2 : 3, z, half, z, z, half, z, z, half, z, z, grains,
                 flat ? ""
                      : ", z0: {body: g0, quantity: z}, z1: {body: g1, quantity: z}, z2: {body: g2, quantity: z}, z3: {body: g3, quantity: z}, z4: {body: g4, "
                        "quantity: z}");
        lab l = open_lab(text, 1);
        const double start = lab_probe(&l, "e");
        double e = start;
        while (talus_world_time(l.world) < 1) {
            talus_step_report report;
            CHECK(talus_world_step(l.world, &report) == TALUS_OK && report.converged);
            const double now = lab_probe(&l, "e");
            CHECK(now < e + 4 * 9.81e-6 * start); /* of a column 1.3 m above its zero in the mean: five times 9.81e-6 m */
            e = now;
            double x[5][3] = {{0}};
            for (int i = 0; i < 5; i++) {
                for (int k = 0; k < (flat ? 2 : 3); k++) x[i][k] = lab_probe(&l, (char[]){"xyz"[k], (char)('0' + i), 0});
                CHECK(x[i][1] > 0.05 - 1e-8 && fabs(x[i][0]) < 0.01 + 1e-8);
                if (i > 0) CHECK(hypot(hypot(x[i][0] - x[i - 1][0], x[i][1] - x[i - 1][1]), x[i][2] - x[i - 1][2]) > 0.1 - 1e-8);
            }
        }
        close_lab(&l);
    }
}

/* What cannot be taken back is said: a disk in a slit that is too narrow for it. */
TEST(a_slit_too_narrow)
{
    for (int flat = 0; flat < 2; flat++) {
        const char *half = flat ? "half_plane" : "half_space", *z = flat ? "" : ", 0";
        char text[1000];
        snprintf(
            text, sizeof text,
            "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nintegrator: {scheme: generalized_alpha}\nmaterials: {m: {density: 1000}}\nbodies:\n  f: {kind: "
            "fixed, shapes: [{%s: {point: [-0.045, 0%s], normal: [1, 0%s], material: m}}, {%s: {point: [0.045, 0%s], normal: [-1, 0%s], material: m}}]}\n  "
            "g: {position: [0, 0%s], shapes: [{%s: {radius: 0.05, material: m}}]}\n",
            flat ? 2 : 3, half, z, z, half, z, z, z, flat ? "disk" : "sphere");
        lab l = open_lab(text, 1);
        talus_step_report report;
        CHECK(talus_world_step(l.world, &report) == TALUS_OK && !report.converged);
        close_lab(&l);
    }
}

/* What overlaps at the start is pushed out, here so far that nothing is near any more: nothing is left, and no step is missed. */
TEST(an_overlap_that_is_taken_back)
{
    static const char *const PART[] = {
        "f: {kind: fixed, shapes: [{box: {size: [0.6, 0.4], centre: [0, -0.2], material: m}}]}\n  b: {position: [0.2236, 0.1823], angle: "
        "1.2718, shapes: [{segment: {from: [-0.177, 0], to: [0.177, 0], radius: 0.04, material: m}}]}\n  s: {position: [3, 3], shapes: [{disk: "
        "{radius: 1 mm, material: m}}]}\n",
        "f: {kind: fixed, shapes: [{box: {size: [0.6, 0.4, 0.4], centre: [0, -0.2, 0], material: m}}]}\n  b: {position: [0.2236, 0.1823, 0], "
        "orientation: {axis_angle_deg: [0, 0, 1, 72.87]}, shapes: [{capsule: {from: [-0.177, 0, 0], to: [0.177, 0, 0], radius: 0.04, material: "
        "m}}]}\n  s: {position: [3, 3, 0], shapes: [{sphere: {radius: 1 mm, material: m}}]}\n"};
    for (int d = 2; d <= 3; d++) {
        char text[1500];
        snprintf(text, sizeof text,
                 "dimension: %d\ntime: {end: 1 s, step: 1 ms}\nintegrator: {scheme: generalized_alpha}\nmaterials: {m: {density: 2700}}\nbodies:\n  %s", d,
                 PART[d - 2]);
        lab l = open_lab(text, 1);
        for (int k = 0; k < 3; k++) {
            talus_step_report report;
            CHECK(talus_world_step(l.world, &report) == TALUS_OK && report.converged);
        }
        talus_overlap list[4];
        int count;
        CHECK(talus_world_overlaps(l.world, 0, list, 4, &count) == TALUS_OK && count == 0);
        close_lab(&l);
    }
}

int main(int argc, char **argv)
{
    RUN(an_oblique_blow);
    RUN(a_box_that_spins);
    RUN(a_bar_on_a_hinge);
    RUN(what_is_freed_falls);
    RUN(a_driven_speed);
    RUN(a_source_far_away);
    RUN(what_is_open_does_not_rub);
    RUN(a_column_that_bounces);
    RUN(a_slit_too_narrow);
    RUN(an_overlap_that_is_taken_back);
    return TEST_RESULT;
}
