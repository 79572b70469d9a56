/* A heavy ball meets three at rest within one step: each is pushed into the next only by the solve itself, so the pairs are found one after the other, while
 * those of slow balls elsewhere are not looked at again. Velocities along the row are those of least M-distance from the free ones among those
 * that obey u_i ≥ −g_i / h (theory §6): pooled means (isotonic regression of v_i + Σ g/h). */
#include "physics/spatial.h"

enum { ROW = 4, FAR = 900 };

static const double RADIUS[ROW] = {0.1, 0.05, 0.05, 0.05};

/* The means of neighbours, by mass, as long as one is greater than the next. */
static void pool(const double *mass, double *value, int count)
{
    int size[ROW], blocks = 0;
    double mean[ROW], weight[ROW];
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

/* Balls that go apart, each faster than the one before it, are within reach of each other and are left out of the problem. The first is hit within the step by
 * a heavy one, runs into the second, and they into the third: by the same means as above. `push`: the speed of the heavy one; 0: nothing happens. */
static void check_apart(int dimension, double push)
{
    const double h = 1e-3, gap = 0.002, radius[ROW] = {0.2, 0.05, 0.05, 0.05}, own[ROW] = {push, 0, 1.2, 2.4};
    talus_world_def d = lab(h);
    d.dimension = dimension;
    for (int k = 0; k < 3; k++) d.gravity[k] = 0;
    d.alert_distance = 1e-3;
    talus_world *w = open_world(&d);
    const talus_material_id stone = material(w, 2600);
    talus_body_id row[ROW];
    double x = 0, mass[ROW], want[ROW];
    law(w, 0, 0);
    for (int i = 0; i < ROW; i++) {
        if (i > 0) x += radius[i - 1] + radius[i] + gap - (1 - d.theta) * h * (own[i] - own[i - 1]);
        row[i] = add_round(w, stone, dimension, x, radius[i], own[i]);
    }
    for (int i = 2; i < ROW; i++) CHECK(d.alert_distance + h * (own[i] - own[i - 1]) > gap); /* it is within reach */
    run(w, 1);
    for (int i = 0; i < ROW; i++) want[i] = own[i] + i * gap / h, mass[i] = talus_body_mass(w, row[i]);
    pool(mass, want, ROW);
    CHECK((want[0] == want[ROW - 1]) == (push > 0)); /* all meet, or none */
    CHECK(talus_contact_count(w) == (push > 0 ? ROW - 1 : 0));
    for (int i = 0; i < ROW; i++) {
        double v[3], spin[3];
        motion(w, row[i], v, spin);
        for (int k = 0; k < 2; k++) CHECK_NEAR(v[k], sqrt(0.5) * (want[i] - i * gap / h), 1e-6);
    }
    talus_world_destroy(w);
}

TEST(left_out_as_they_go_apart)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        check_apart(dimension, 0);
        check_apart(dimension, 10);
    }
}

int main(int argc, char **argv)
{
    RUN(found_one_after_the_other);
    RUN(left_out_as_they_go_apart);
    return TEST_RESULT;
}
