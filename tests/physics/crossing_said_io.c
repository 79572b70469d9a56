/* A bullet along a row of thin grains: within one step each grain hits the next, one after the other, and only so many of these are sought in one step.
 * Nothing passes through anything. Checked by the order of the grains, which a warning knows nothing of. */
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

int main(int argc, char **argv)
{
    RUN(in_the_plane);
    RUN(in_space);
    return TEST_RESULT;
}
