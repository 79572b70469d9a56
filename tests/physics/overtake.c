/* A heavy ball meets three at rest within one step: each is pushed into the next only by the solve itself, so the pairs are found one after the other, while
 * those of slow balls elsewhere are not looked at again. Velocities along the row are those of least M-distance from the free ones among those
 * that obey u_i ≥ −g_i / h (theory §6): pooled means (isotonic regression of v_i + Σ g/h). */
#include "physics/spatial.h"

enum { ROW = 4, LONG = 20, FAR = 900 };

static const double RADIUS[ROW] = {0.1, 0.05, 0.05, 0.05};

/* The means of neighbours, by mass, as long as one is greater than the next. */
static void pool(const double *mass, double *value, int count)
{
    int size[LONG], blocks = 0;
    double mean[LONG], weight[LONG];
    for (int i = 0; i < count; i++) {
        mean[blocks] = value[i], weight[blocks] = mass[i], size[blocks++] = 1;
        for (; blocks > 1 && mean[blocks - 2] > mean[blocks - 1]; blocks--) {
            const double all = weight[blocks - 2] + weight[blocks - 1];
            mean[blocks - 2] = (weight[blocks - 2] * mean[blocks - 2] + weight[blocks - 1] * mean[blocks - 1]) / all;
            weight[blocks - 2] = all, size[blocks - 2] += size[blocks - 1];
        }
    }
    for (int b = 0, i = 0; b < blocks; b++)
        for (int k = 0; k < size[b]; k++) value[i++] = mean[b];
}

static double speed_of(const talus_world *w, talus_body_id b)
{
    double v[3], spin[3];
    motion(w, b, v, spin);
    CHECK_NEAR(v[1], 0, 1e-7);
    CHECK_NEAR(v[2], 0, 1e-7);
    return v[0];
}

static void check_row(bool fast_one_first)
{
    const double h = 1e-3, v = 10, gap = 0.002, slow = 0.2, near = 1e-4;
    talus_world_def d = lab(h);
    d.gravity[2] = 0;
    talus_world *w = open_world(&d);
    const talus_material_id stone = material(w, 2600);
    law(w, 0, 0);
    double x[ROW] = {0}, mass[ROW], want[ROW], allowed = 0;
    for (int i = 1; i < ROW; i++) x[i] = x[i - 1] + RADIUS[i - 1] + RADIUS[i] + gap + (i == 1 ? (1 - d.theta) * h * v : 0);
    talus_body_id row[ROW];
    for (int k = 0; k < ROW; k++) {
        const int i = fast_one_first ? k : ROW - 1 - k;
        row[i] = moving_sphere(w, stone, x[i], 0, 0, RADIUS[i], i == 0 ? v : 0);
    }
    const double apart = 0.1 + near + (1 - d.theta) * h * 2 * slow;
    const talus_body_id left = moving_sphere(w, stone, 0, 2, 0, 0.05, slow), right = moving_sphere(w, stone, apart, 2, 0, 0.05, -slow);
    for (int i = 0; i < FAR; i++) (void)sphere(w, stone, i % 30, 5 + i / 30, 0, 0.05); /* keep what all are reckoned with slow */
    run(w, 1);
    for (int i = 0; i < ROW; i++) want[i] = (i == 0 ? v : 0) + allowed, allowed += gap / h, mass[i] = talus_body_mass(w, row[i]);
    pool(mass, want, ROW);
    CHECK(want[0] == want[ROW - 1] && near / h < 2 * slow); /* all meet */
    for (int i = 0; i < ROW; i++) CHECK_NEAR(speed_of(w, row[i]), want[i] - i * gap / h, 1e-6);
    CHECK_NEAR(speed_of(w, left), 0.5 * near / h, 1e-6);
    CHECK_NEAR(speed_of(w, right), -0.5 * near / h, 1e-6);
    talus_world_destroy(w);
}

TEST(found_one_after_the_other)
{
    check_row(true);
    check_row(false);
}

/* A disk or a sphere at x along the diagonal of the axes, along which it goes. */
static talus_body_id add_round(talus_world *w, talus_material_id m, int dimension, double x, double radius, double speed)
{
    talus_body_def d = talus_body_def_default();
    for (int k = 0; k < 2; k++) d.position[k] = sqrt(0.5) * x, d.velocity[k] = sqrt(0.5) * speed;
    const talus_body_id id = add_body(w, &d);
    talus_shape_def shape = talus_shape_def_default();
    const double centre[1][3] = {{0, 0, 0}};
    shape.material = m, shape.radius = radius;
    if (dimension == 3) shape.kind = TALUS_SHAPE_SPHERE, shape.corners = centre, shape.count = 1;
    CHECK_OK(talus_body_add_shape(w, id, &shape), talus_world_error(w));
    return id;
}

typedef struct apart {
    int count;
    double push, faster, gap, alert; /* speed of the first; by which each is faster than the one before; gap at q_m */
} apart;

/* Balls that go apart, each faster than the one before it, are within reach of each other, for their boxes overlap, and are left out of the problem. The first
 * is hit within the step by a heavy one, runs into the second, and so on: by the same means as above. */
static void check_apart(int dimension, apart of)
{
    const double h = 1e-3;
    talus_world_def d = lab(h);
    d.dimension = dimension;
    for (int k = 0; k < 3; k++) d.gravity[k] = 0;
    d.alert_distance = of.alert;
    talus_world *w = open_world(&d);
    const talus_material_id stone = material(w, 2600);
    talus_body_id row[LONG];
    double x = 0, before = of.push, mass[LONG], want[LONG];
    law(w, 0, 0);
    for (int i = 0; i < of.count; i++) {
        const double own = i == 0 ? of.push : of.faster * (i - 1);
        if (i > 0) x += (i == 1 ? 0.2 : 0.05) + 0.05 + of.gap - (1 - d.theta) * h * (own - before);
        row[i] = add_round(w, stone, dimension, x, i == 0 ? 0.2 : 0.05, own);
        want[i] = own + i * of.gap / h, mass[i] = talus_body_mass(w, row[i]), before = own;
    }
    CHECK(of.alert + h * of.faster > of.gap); /* they are within reach */
    run(w, 1);
    pool(mass, want, of.count);
    CHECK((want[0] == want[3]) == (of.push > 0)); /* many meet, or none */
    if (of.push == 0) CHECK(talus_contact_count(w) == 0);
    for (int i = 0; i < of.count; i++) {
        double v[3], spin[3];
        motion(w, row[i], v, spin);
        for (int k = 0; k < 2; k++) CHECK_NEAR(v[k], sqrt(0.5) * (want[i] - i * of.gap / h), 1e-6);
    }
    talus_world_destroy(w);
}

TEST(left_out_as_they_go_apart)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        check_apart(dimension, (apart){ROW, 0, 1.2, 2e-3, 1e-3});
        check_apart(dimension, (apart){ROW, 10, 1.2, 2e-3, 1e-3});
        check_apart(dimension, (apart){LONG, 12, 0.5, 3e-4, 1e-5}); /* longer than a step has solves */
    }
}

int main(int argc, char **argv)
{
    RUN(found_one_after_the_other);
    RUN(left_out_as_they_go_apart);
    return TEST_RESULT;
}
