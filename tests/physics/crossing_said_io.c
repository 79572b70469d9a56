/* A bullet along a row of thin grains: within one step each grain hits the next, one after the other, and only so many of these are sought in one step.
 * Nothing passes through anything. Checked by the order of the grains, which a warning knows nothing of. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lab.h"

enum { STEPS = 5 };

static const double SPACING = 0.01, RADIUS = 0.0005;

/* Elastic, head on, without gravity, 100 spacings a step. */
static lab open_row(int dimension, int grains)
{
    char text[1024];
    const bool plane = dimension == 2;
    snprintf(text, sizeof text,
             "dimension: %d\ntime: {end: 5 ms, step: 1 ms}\nmaterials: {s: {density: 1000%s}}\ninteractions: [{restitution: 1}]\nbodies:\n"
             "  bullet: {position: [%g, 0%s], velocity: [1000, 0%s], shapes: [{%s: {radius: %g, material: s}}]}\n"
             "grains: {row: {generator: lattice, rows: 1, columns: %d, %sspacing: %g, origin: [0, 0%s], radius: %g, material: s}}\n",
             dimension, plane ? ", thickness: 1 cm" : "", -60 * SPACING, plane ? "" : ", 0", plane ? "" : ", 0", plane ? "disk" : "sphere", RADIUS, grains,
             plane ? "" : "layers: 1, ", SPACING, plane ? "" : ", 0", RADIUS);
    return open_lab(text, 1);
}

static double place(const lab *l, int body)
{
    double p[3], q[4];
    talus_body_pose(l->world, talus_body_at(l->world, body), p, q);
    return p[0];
}

/* Bodies are in the order of the row, the bullet first. */
static bool in_order(const lab *l)
{
    for (int i = 1; i < talus_body_count(l->world); i++)
        if (!(place(l, i) > place(l, i - 1))) return false;
    return true;
}

/* True where the run warned. A step above its tolerance is said too (cli.missed). */
static bool row(int dimension, int grains, bool *kept)
{
    lab l = open_row(dimension, grains);
    char said[2048] = "";
    *kept = true;
    bool missed = false;
    for (int i = 0; i < STEPS; i++) {
        talus_step_report report = {0};
        CHECK_OK(talus_world_step(l.world, &report), talus_world_error(l.world));
        missed = missed || !report.converged;
        *kept = *kept && in_order(&l);
        strncat(said, talus_world_warnings(l.world), sizeof said - strlen(said) - 1);
    }
    const bool warned = strstr(said, "may pass through") != NULL;
    if (!*kept && !warned && !missed) TEST_FAIL("%d grains in %d dimensions: one passed another, and nothing is said", grains, dimension);
    if (warned && (!strstr(said, "t = 0.00") || !strstr(said, " body ") || !strstr(said, " m into"))) TEST_FAIL("when, which, how deep? %s", said);
    close_lab(&l);
    return warned;
}

static void rows(int dimension)
{
    bool kept;
    for (int grains = 2; grains <= 640; grains += grains < 20 ? 6 : grains)
        if (row(dimension, grains, &kept) || !kept) TEST_FAIL("%d grains in %d dimensions should keep their order without a word", grains, dimension);
}

TEST(in_the_plane) { rows(2); }
TEST(in_space) { rows(3); }

/* Three equal balls in a row between a wall and a jaw that closes with u, the row bent by the angle a: without friction the middle one leaves the ends at
 * u cos a/(2 sin a), and where nothing else pushes across the row it moves with 2/3 of that, the ends with 1/3 the other way. By how much faster than the jaw
 * is said from 20 on, with the name of what is thrown; then nothing stops the jaw. */
static void squeezed(int dimension, double a, bool said)
{
    char text[2048], expected[64];
    const double R = 0.01, u = 0.1;
    const bool plane = dimension == 2;
    const char *wall = plane ? "half_plane" : "half_space", *zero = plane ? "" : ", 0";
    snprintf(
        text, sizeof text,
        "dimension: %d\ntime: {end: 1 ms, step: 1e-6 s}\ndetection: {alert_distance: 1e-6 m}\nmaterials: {s: {density: 1000%s}}\ninteractions: [{}]\nbodies:\n"
        "  wall: {kind: fixed, shapes: [{%s: {point: [%.17g, 0%s], normal: [1, 0%s], material: s}}]}\n"
        "  jaw: {kind: imposed, position: [%.17g, 0%s], motion: {x: -%g m/s * t}, shapes: [{%s: {point: [0, 0%s], normal: [-1, 0%s], material: s}}]}\n"
        "grains: {row: {generator: list, positions: [[%.17g, 0%s], [0, %.17g%s], [%.17g, 0%s]], radius: %g, material: s}}\n",
        dimension, plane ? ", thickness: 1 cm" : "", wall, -2 * R * cos(a) - R, zero, zero, 2 * R * cos(a) + R, zero, u, wall, zero, zero, -2 * R * cos(a),
        zero, 2 * R * sin(a), zero, 2 * R * cos(a), zero, R);
    lab l = open_lab(text, 1);
    for (int i = 0; i < 3; i++) (void)lab_step(&l);
    const char *word =
        strstr(talus_world_all_warnings(l.world), "body 'jaw', whose motion is imposed, squeezes what it meets, and contacts throw body 'row.2' with ");
    CHECK((word != NULL) == said);
    double v[3], w[3];
    talus_body_velocity(l.world, talus_body_at(l.world, 3), (const double[3]){0, 0, 0}, v, w);
    CHECK_CLOSE(v[1], u * cos(a) / (3 * sin(a)), 0.02);
    snprintf(expected, sizeof expected, "nothing moved faster than %.3g m/s", u);
    CHECK(!word || strstr(word, expected));
    close_lab(&l);
}
TEST(squeezed_out)
{
    for (int dimension = 2; dimension <= 3; dimension++) squeezed(dimension, 0.014, true), squeezed(dimension, 0.02, false);
}

/* A ball flies at a wall and bounces between two middles of steps where it would come there, by Newton's law: up to a step's way too early. In steps of 10 cm
 * that is more than its radius of 2 cm, and said; in steps of 1 cm it is not. */
TEST(early)
{
    for (int i = 0; i < 4; i++) {
        const bool plane = i % 2 == 0, said = i < 2;
        const char *zero = plane ? "" : ", 0";
        const double speed = said ? 100 : 10;
        char text[1024];
        double nearest = 1;
        snprintf(text, sizeof text,
                 "dimension: %d\ntime: {end: %g s, step: 1 ms}\nmaterials: {s: {density: 1000%s}}\ninteractions: [{restitution: 0.5}]\nbodies:\n"
                 "  wall: {kind: fixed, shapes: [{%s: {point: [0, 0%s], normal: [-1, 0%s], material: s}}]}\n"
                 "  ball: {position: [-0.545, 0%s], velocity: [%g, 0%s], shapes: [{%s: {radius: 0.02, material: s}}]}\n",
                 plane ? 2 : 3, 1 / speed, plane ? ", thickness: 1 cm" : "", plane ? "half_plane" : "half_space", zero, zero, zero, speed, zero,
                 plane ? "disk" : "sphere");
        lab l = open_lab(text, 1);
        while (talus_world_time(l.world) < 0.9 / speed) {
            (void)lab_step(&l);
            nearest = fmin(nearest, -0.02 - place(&l, 1));
        }
        if (!(nearest > -1e-9 && nearest < 1.5 * speed * 1e-3)) TEST_FAIL("%g m", nearest);
        CHECK((strstr(talus_world_all_warnings(l.world), "'ball' bounce off each other while they are 0.0") != NULL) == said);
        close_lab(&l);
    }
}

/* From rest a drive makes a cart as fast as it says, a drive of limited force a ram that pushes a ball, and a spring of a joint another: contacts throw none of
 * them, and nothing is said. */
TEST(driven)
{
    static const char RAM[] = "shapes: [{polygon: {points: [[-0.05, -0.05], [0.05, -0.05], [0.05, 0.05], [-0.05, 0.05]], material: s}}]";
    static const char BALL[] = "  ball: {position: [0.0701, 0.02], shapes: [{disk: {radius: 0.02, material: s}}]}\n";
    static const char *const SCHEMES[] = {"moreau", "spook", "generalized_alpha"};
    for (int i = 0; i < 9; i++) {
        char text[2048], machine[512];
        const int kind = i % 3;
        if (kind == 0)
            snprintf(machine, sizeof machine,
                     "  ram: {position: [0, 0.05], %s}\njoints: {r: {type: slot, bodies: [ground, ram], at: [0, 0.05], axis: [1, 0], slide: {speed: 3 m/s}}}\n",
                     RAM);
        else if (kind == 1)
            snprintf(machine, sizeof machine,
                     "mechanisms:\n  m:\n    bodies: {ram: {mass: 1 kg, inertia: 0.1, %s}}\n    joints: {r: {type: prismatic, parent: ground, child: ram, "
                     "axis: [1, 0], at: [0, "
                     "0.06]}}\n    drives: {d: {joint: r, speed: 1 m/s, force: 5 kN}}\n",
                     RAM);
        else
            snprintf(machine, sizeof machine,
                     "  ram: {position: [0, 0.06], %s}\njoints: {r: {type: prismatic, bodies: [ground, ram], axis: [1, 0], at: [0, 0.06], slide: {stiffness: "
                     "2e4, rest: 0.05}}}\n",
                     RAM);
        snprintf(text, sizeof text,
                 "gravity: [0, -9.81]\ntime: {end: 20 ms, step: 1 ms}\nintegrator: {scheme: %s}\nmaterials: {s: {density: 1000, thickness: 1 "
                 "cm}}\ninteractions: [{friction: 0.1}]\n"
                 "bodies:\n  floor: {kind: fixed, shapes: [{half_plane: {point: [0, 0], normal: [0, 1], material: s}}]}\n%s%s",
                 SCHEMES[i / 3], kind > 0 ? BALL : "", machine);
        lab l = open_lab(text, 1);
        (void)lab_run(&l, 0.02);
        if (strstr(talus_world_all_warnings(l.world), "throw")) TEST_FAIL("%s, %d: %s", SCHEMES[i / 3], kind, talus_world_all_warnings(l.world));
        close_lab(&l);
    }
}

int main(int argc, char **argv)
{
    RUN(in_the_plane);
    RUN(in_space);
    RUN(squeezed_out);
    RUN(early);
    RUN(driven);
    return TEST_RESULT;
}
