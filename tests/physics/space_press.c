/* A heavy ram at rest on columns of light spheres, from impulses of zero: as a link on a slide and as a free body it must give the impulses of statics,
 * and the further sweeps that the neighbourhood of a mechanism gets must at least halve the error. */
#include "physics/spatial.h"

static const double RAM = 300, SPHERE = 0.1, R = 0.05, SIDE = 1, HEIGHT = 0.2;
enum { COLUMN = 4, COLUMNS = 9 };

static void add_columns(talus_world *w, talus_material_id m)
{
    for (int k = 0; k < COLUMNS; k++)
        for (int i = 0; i < COLUMN; i++) {
            talus_body_def d = talus_body_def_default();
            const double centre[1][3] = {{0, 0, 0}};
            d.mass = SPHERE;
            d.position[0] = 0.3 * (k % 3 - 1), d.position[1] = 0.3 * (k / 3 - 1), d.position[2] = R * (2 * i + 1); /* NOLINT(bugprone-integer-division) */
            add_corners(w, add_body(w, &d), m, TALUS_SHAPE_SPHERE, centre, 1, R);
        }
}

static void add_free_ram(talus_world *w, talus_material_id m)
{
    talus_body_def d = talus_body_def_default();
    d.mass = RAM;
    d.position[2] = 2 * COLUMN * R + HEIGHT / 2;
    add_box(w, add_body(w, &d), m, SIDE, SIDE, HEIGHT);
}

static void add_sliding_ram(talus_world *w, talus_material_id m) { add_box(w, ram(w, RAM, 2 * COLUMN * R + HEIGHT / 2, 0), m, SIDE, SIDE, HEIGHT); }

/* Sums of the impulses at each level in the first step against statics (which columns carry how much is not determined); the residual after so many sweeps. */
static double residual_after(bool slides, int sweeps)
{
    talus_world_def d = lab(1e-3);
    talus_step_report report;
    double level[COLUMN + 1] = {0};
    d.solver.tolerance = 1e-9;
    d.solver.max_iterations = sweeps;
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, 1000);
    law(w, 0.5, 0);
    ground(w, m, 0, 0, 1);
    add_columns(w, m);
    (slides ? add_sliding_ram : add_free_ram)(w, m);
    CHECK_OK(talus_world_step(w, &report), talus_world_error(w));
    CHECK(report.residual_mean > 0 && report.residual_mean <= report.residual);
    for (int i = 0; i < talus_contact_count(w); i++) {
        talus_contact c;
        talus_contact_get(w, i, &c);
        level[lround(c.point[2] / (2 * R))] += c.impulse[0];
    }
    /* what the residual leaves of the momentum of all that is above, at most */
    const double error = (RAM + COLUMNS * COLUMN * SPHERE) * report.residual * COLUMN;
    for (int i = 0; i <= COLUMN; i++) CHECK_NEAR(level[i], (RAM + COLUMNS * (COLUMN - i) * SPHERE) * G * d.step, error);
    talus_world_destroy(w);
    return report.residual;
}

TEST(ram)
{
    CHECK(residual_after(false, 100000) <= 1e-9);
    CHECK(residual_after(true, 100000) <= 1e-9);
    for (int sweeps = 250; sweeps <= 1000; sweeps *= 2) CHECK(residual_after(true, sweeps) < 0.5 * residual_after(false, sweeps));
}

int main(int argc, char **argv)
{
    RUN(ram);
    return TEST_RESULT;
}
