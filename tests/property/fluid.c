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
    for (int i = 0; i < 2000; i++) { /* a head that has no pressure, and one that has no end */
        const tl_oil o = any_oil();
        CHECK(tl_oil_pressure_of_head(&o, uniform(1.1, 10) * o.bulk_modulus, uniform(0, 30e6)) == tl_oil_highest(&o));
    }
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

enum { NODES = 6, MOST_FLOWS = 10 };

/* y of a node where impulses put the pressures: of all velocities that are off, the largest is what refine says, so one is put far off. */
static double y_of(tl_matter *m, tl_step *step, int node, double far)
{
    double v[NODES] = {0};
    v[node] = far;
    return far - m->ops->refine(m, step, v, false);
}

/* W is the rate of every y by every impulse: by differences, of pressures as they are at the beginning of the step. Where a valve opens, or gas begins to take
 * oil, within the difference, there is no rate. */
static void check_slopes(tl_fluid *f, tl_step *step, double W[NODES][NODES], const double *start, const tl_fluid_element *element, int elements)
{
    tl_matter *m = tl_fluid_matter(f);
    double *I = tl_fluid_impulses(f), H[NODES];
    const double d = 20; /* [Pa] */
    for (int k = 0; k < NODES; k++) H[k] = tl_oil_head(tl_fluid_oil(f), start[k]);
    for (int k = 0; k < elements; k++) {
        const double drop = (element[k].a < 0 ? 0 : H[element[k].a]) - (element[k].b < 0 ? 0 : H[element[k].b]);
        if (element[k].kind == TL_FLOW_CHECK && fabs(drop - element[k].opens) < 4 * d) return;
    }
    for (int k = 0; k < NODES; k++)
        if (fabs(start[k] - tl_fluid_node_at(f, k)->bladder.precharge) < 4 * d) return;
    for (int k = 0; k < NODES; k++)
        for (int j = 0; j < NODES; j++) {
            const double before = I[k], far = 10;
            I[k] = before + step->h * d;
            const double above = y_of(m, step, j, far);
            I[k] = before - step->h * d;
            const double below = y_of(m, step, j, far);
            I[k] = before;
            /* y is told to `far` ε, a line's to what its head tells of its pressure */
            CHECK_NEAR((above - below) / (2 * step->h * d), W[k][j], 1e-4 * (fabs(W[k][j]) + 1e-3 * W[j][j]) + 1e-14 / (step->h * d));
        }
}

TEST(network)
{
    for (int i = 0; i < 200; i++) {
        tl_error error = {.text = ""};
        const tl_oil o = any_oil();
        tl_fluid *f = tl_fluid_create(tl_memory_default(), "", &o);
        double volume[NODES], start[NODES], W[NODES][NODES];
        tl_fluid_element element[MOST_FLOWS];
        int elements = 0;
        const bool gentle = i % 2; /* else a step may empty a node, whose capacity is then only bounded */
        if (!f) exit(1);
        for (int k = 0; k < NODES; k++) {
            const bool line = uniform(0, 1) < 0.5;
            volume[k] = uniform(1e-4, 1e-2);
            const tl_fluid_node n = {.name = tl_strdup(tl_memory_default(), "n"),
                                     .line = line,
                                     .reference = 1,
                                     .start = start[k] = uniform(0, 20e6),
                                     .volume = volume[k],
                                     .moved = uniform(0, 1) < 0.5, /* else its θ is that of what it resolves */
                                     .bladder = {line && uniform(0, 1) < 0.5 ? 1e-3 : 0, 5e6, 1.4}};
            CHECK(tl_fluid_add_node(f, &n) == k);
        }
        for (int k = 0; k < MOST_FLOWS; k++) {
            const int a = tl_random_int(&rnd, NODES + 1) - 1, b = tl_random_int(&rnd, NODES + 1) - 1;
            const tl_fluid_element e = {
                .kind = (tl_fluid_kind)tl_random_int(&rnd, 3), .a = a, .b = b, .gain = gentle ? 1e-11 : 1e-9, .opens = 1e6, .laminar = 1e4, .leakage = 1e-12};
            if (e.a == e.b) continue;
            element[elements++] = e;
            CHECK(tl_fluid_add_element(f, &e) >= 0);
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
        if (gentle) check_slopes(f, &step, W, start, element, elements);
        double x[NODES], square = 0; /* xᵀ W x > 0 */
        for (int k = 0; k < NODES; k++) x[k] = uniform(-1, 1);
        for (int k = 0; k < NODES; k++)
            for (int j = 0; j < NODES; j++) square += x[k] * W[k][j] * x[j];
        CHECK(square > 0);
        m->ops->destroy(m);
    }
}

/* Impulses, and a volume, that are no numbers: the step ends, and the message has the circuit, the chamber and the time. */
TEST(not_numbers)
{
    for (int kind = 0; kind < 3; kind++) {
        tl_error error = {.text = ""};
        const tl_oil o = {1.4e9, 0.005, 1.4};
        const double volume[2] = {1e-3, 1e-3}, v[2] = {0, 0};
        tl_fluid *f = tl_fluid_create(tl_memory_default(), "lift", &o);
        if (!f) exit(1);
        for (int k = 0; k < 2; k++) {
            const tl_fluid_node n = {
                .name = tl_strdup(tl_memory_default(), k ? "ram.cap" : "supply"), .line = k == 0, .reference = 1, .volume = 1e-3, .moved = k};
            CHECK(tl_fluid_add_node(f, &n) == k);
        }
        tl_matter *m = tl_fluid_matter(f);
        tl_step step = {.t = 0.24, .h = 0.01, .theta = 0.5, .error = &error};
        CHECK(tl_fluid_settle(f, volume, &error) == TALUS_OK);
        if (kind == 2) tl_fluid_end(f, 1, &(tl_fluid_note){.volume = (double)NAN});
        const talus_status status = m->ops->free_velocity(m, &step, 0.5);
        CHECK(status == (kind == 2 ? TALUS_DIVERGED : TALUS_OK));
        if (kind < 2) tl_fluid_impulses(f)[1] = (double)NAN;
        if (kind == 0) CHECK(!isfinite(m->ops->refine(m, &step, v, false)));
        if (kind == 1) CHECK(m->ops->arrive(m, &step, 0.5, v, NULL) == TALUS_DIVERGED);
        if (!strstr(error.text, "'lift'") || !strstr(error.text, "'ram.cap'") || !strstr(error.text, "t = 0.25 s")) TEST_FAIL("%d: %s", kind, error.text);
        m->ops->destroy(m);
    }
}

int main(int argc, char **argv)
{
    rnd = tl_random_seed(20);
    RUN(oil);
    RUN(bladder);
    RUN(network);
    RUN(not_numbers);
    return TEST_RESULT;
}
