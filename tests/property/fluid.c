/* Oil with air and gas behind a bladder (matter/fluid.h): v, H, e and their inverses agree with each other; and a network's answer W is symmetric, positive,
 * and what a small impulse does. */
#include "base/base.h"
#include "matter/fluid.h"
#include "test.h"

static tl_random rnd;
static double uniform(double low, double high) { return tl_random_uniform(&rnd, low, high); }

static tl_oil any_oil(void) { return (tl_oil){uniform(0.5e9, 3e9), uniform(0, 1) < 0.3 ? 0 : uniform(0, 0.05), uniform(0, 1) < 0.3 ? 1 : uniform(1, 1.6)}; }

TEST(oil)
{
    for (int i = 0; i < 2000; i++) {
        const tl_oil o = any_oil();
        const double p = uniform(0, 1) < 0.3 ? uniform(-0.9e5, 1e5) : uniform(0, 40e6), d = 1e-4 * (TL_ATMOSPHERE + p);
        double slope, ignored;
        const double v = tl_oil_volume(&o, p, &slope), H = tl_oil_head(&o, p);
        CHECK_NEAR((tl_oil_volume(&o, p + d, &ignored) - tl_oil_volume(&o, p - d, &ignored)) / (2 * d), slope, 1e-5 * fabs(slope) + 1e-15 / d);
        CHECK_NEAR((tl_oil_head(&o, p + d) - tl_oil_head(&o, p - d)) / (2 * d), v, 1e-6 * v);
        CHECK_NEAR((tl_oil_energy(&o, p + d) - tl_oil_energy(&o, p - d)) / (2 * d), -p * slope, 1e-5 * fabs(p * slope) + 1e-7);
        CHECK_NEAR(tl_oil_pressure_of_head(&o, H, uniform(0, 30e6)), p, 1e-9 * (fabs(p) + TL_ATMOSPHERE));
        CHECK_NEAR(tl_oil_pressure_of_volume(&o, v, uniform(0, 30e6)), p, 1e-15 / fabs(slope) + 1e-9 * (fabs(p) + TL_ATMOSPHERE));
    }
}

TEST(bladder)
{
    for (int i = 0; i < 2000; i++) {
        const tl_bladder b = {uniform(1e-4, 1e-2), uniform(0, 10e6), uniform(0, 1) < 0.3 ? 1 : uniform(1, 1.6)};
        const double p = b.precharge + uniform(1e4, 20e6), d = 1e-4 * p;
        double slope, ignored;
        const double oil = tl_bladder_oil(&b, p, &slope);
        CHECK_NEAR((p + TL_ATMOSPHERE) * pow(b.volume - oil, b.exponent), (b.precharge + TL_ATMOSPHERE) * pow(b.volume, b.exponent),
                   1e-10 * (b.precharge + TL_ATMOSPHERE) * pow(b.volume, b.exponent));
        CHECK_NEAR((tl_bladder_oil(&b, p + d, &ignored) - tl_bladder_oil(&b, p - d, &ignored)) / (2 * d), slope, 1e-4 * slope);
        CHECK_NEAR((tl_bladder_energy(&b, p + d) - tl_bladder_energy(&b, p - d)) / (2 * d), p * slope, 1e-4 * p * slope);
        CHECK(tl_bladder_oil(&b, b.precharge - 1, &slope) == 0 && tl_bladder_energy(&b, b.precharge - 1) == 0);
    }
}

/* What a unit impulse at node `at` does to y, by the rows of a port, as the step asks. */
static void column(tl_matter *m, tl_step *step, int at, double *y)
{
    tl_port port = {.rate1 = 1 + at, .axes = {{1, 0, 0}}};
    const double unit[3] = {1, 0, 0};
    CHECK(m->ops->bind(m, step, &port, 1) == TALUS_OK);
    for (int i = 0; i < m->nv; i++) y[i] = 0;
    m->ops->impulse(m, &port, unit, y);
}

TEST(network)
{
    enum { NODES = 6 };
    for (int i = 0; i < 200; i++) {
        tl_error error = {.text = ""};
        const tl_oil o = any_oil();
        tl_fluid *f = tl_fluid_create(tl_memory_default(), "", &o);
        double volume[NODES], W[NODES][NODES];
        if (!f) exit(1);
        for (int k = 0; k < NODES; k++) {
            const bool line = uniform(0, 1) < 0.5;
            volume[k] = uniform(1e-4, 1e-2);
            const tl_fluid_node n = {.name = tl_strdup(tl_memory_default(), "n"),
                                     .line = line,
                                     .reference = 1,
                                     .start = uniform(0, 20e6),
                                     .volume = volume[k],
                                     .moved = true,
                                     .bladder = {line && uniform(0, 1) < 0.5 ? 1e-3 : 0, 5e6, 1.4}};
            CHECK(tl_fluid_add_node(f, &n) == k);
        }
        for (int k = 0; k < 10; k++) {
            const int a = tl_random_int(&rnd, NODES + 1) - 1, b = tl_random_int(&rnd, NODES + 1) - 1;
            const tl_fluid_element e = {
                .kind = (tl_fluid_kind)tl_random_int(&rnd, 3), .a = a, .b = b, .gain = 1e-9, .opens = 1e6, .laminar = 1e4, .leakage = 1e-12};
            if (e.a != e.b) CHECK(tl_fluid_add_element(f, &e) >= 0);
        }
        tl_matter *m = tl_fluid_matter(f);
        tl_step step = {.h = 0.01, .theta = 0.5, .error = &error};
        CHECK(tl_fluid_settle(f, volume, &error) == TALUS_OK);
        CHECK(m->ops->free_velocity(m, &step, 0.5) == TALUS_OK);
        for (int k = 0; k < NODES; k++) column(m, &step, k, W[k]);
        for (int k = 0; k < NODES; k++) {
            for (int j = 0; j < NODES; j++) {
                CHECK_NEAR(W[k][j], W[j][k], 1e-15 * fabs(W[k][k]));
                if (j != k) CHECK(W[k][j] <= 0);
            }
            CHECK(W[k][k] > 0);
        }
        double x[NODES], square = 0; /* xᵀ W x > 0 */
        for (int k = 0; k < NODES; k++) x[k] = uniform(-1, 1);
        for (int k = 0; k < NODES; k++)
            for (int j = 0; j < NODES; j++) square += x[k] * W[k][j] * x[j];
        CHECK(square > 0);
        m->ops->destroy(m);
    }
}

int main(int argc, char **argv)
{
    rnd = tl_random_seed(20);
    RUN(oil);
    RUN(bladder);
    RUN(network);
    return TEST_RESULT;
}
