/* Gradients at particles and their transpose (theory §7.2), against particles one by one, and one against the other. */
#include "base/base.h"
#include "solid/particle_fields.h"
#include "solid/particle_response.h"
#include "test.h"

enum { SIDE = 7, MOST = SIDE * SIDE * SIDE };
static tl_random rnd;

typedef struct lattice {
    int dimension, n;
    tl_least_squares fit;
    tl_particle_fields fields;
    double u[3 * MOST], f[3 * MOST];
    tl_columns G[MOST], P[MOST];
} lattice;

/* A cube or square without one corner, random u and P. */
static void open_lattice(lattice *l, int dimension)
{
    static int site[MOST][3];
    tl_error error;
    l->dimension = dimension, l->n = 0;
    for (int k = 1; k < (dimension == 3 ? MOST : SIDE * SIDE); k++, l->n++)
        site[l->n][0] = k % SIDE, site[l->n][1] = k / SIDE % SIDE, site[l->n][2] = k / SIDE / SIDE;
    const tl_least_squares_def d = {dimension, l->n, (const int(*)[3])site, 0.1, dimension == 3 ? 1.9 : 1.7};
    MUST(tl_least_squares_create(tl_memory_default(), &d, &l->fit, &error), error);
    MUST(tl_particle_fields_create(tl_memory_default(), dimension, &l->fit, &l->fields, &error), error);
    for (int i = 0; i < dimension * l->n; i++) l->u[i] = tl_random_uniform(&rnd, -1, 1), l->f[i] = 0;
    for (int i = 0; i < l->n; i++)
        for (int c = 0; c < 3; c++)
            for (int a = 0; a < TL_COLUMN; a++) l->P[i][c][a] = tl_random_uniform(&rnd, -1, 1);
}

static void close_lattice(lattice *l) { tl_particle_fields_free(&l->fields), tl_least_squares_free(&l->fit); }

/* Each gradient is what particle_response.h says of that particle alone. */
TEST(gradients)
{
    static lattice l;
    rnd = tl_random_seed(5);
    for (int dimension = 2; dimension <= 3; dimension++) {
        open_lattice(&l, dimension);
        tl_particle_gradients(&l.fields, NULL, l.u, l.G);
        for (int i = 0; i < l.n; i++) {
            double near[27][3] = {{0}};
            const int begin = l.fit.begin[i], count = l.fit.begin[i + 1] - begin;
            for (int j = 0; j < count; j++)
                for (int a = 0; a < dimension; a++) near[j][a] = l.u[dimension * l.fit.neighbour[begin + j] + a];
            const tl_mat3 want = tl_particle_gradient(count, (const double(*)[3])(l.fit.gradient + begin), (const double(*)[3])near),
                          G = tl_mat3_of_columns(l.G[i]);
            for (int k = 0; k < 9; k++) CHECK_NEAR(G.m[k / 3][k % 3], want.m[k / 3][k % 3], 1e-12 * 27 / 0.1);
        }
        close_lattice(&l);
    }
}

/* Virtual work: Σ V P : G of u is Σ f · u, whatever u and P are. */
TEST(virtual_work)
{
    static lattice l;
    rnd = tl_random_seed(6);
    for (int trial = 0; trial < 10; trial++) {
        double within = 0, outside = 0, size = 0;
        open_lattice(&l, 2 + trial % 2);
        tl_particle_gradients(&l.fields, NULL, l.u, l.G);
        tl_particle_pushes(&l.fields, NULL, (const tl_columns *)l.P, -2, l.f);
        for (int i = 0; i < l.n; i++)
            for (int c = 0; c < 3; c++)
                for (int a = 0; a < 3; a++) {
                    const double work = l.fit.volume[i] * l.P[i][c][a] * l.G[i][c][a];
                    within += work, size += fabs(work);
                }
        for (int i = 0; i < l.dimension * l.n; i++) outside += l.u[i] * l.f[i];
        CHECK(size > 0.1);
        CHECK_NEAR(outside, -2 * within, 1e-13 * size);
        close_lattice(&l);
    }
}

/* The same bits for every number of threads. */
TEST(threads)
{
    static lattice l;
    static tl_columns alone[MOST];
    static double f[3 * MOST];
    rnd = tl_random_seed(7);
    open_lattice(&l, 3);
    tl_particle_gradients(&l.fields, NULL, l.u, alone);
    tl_particle_pushes(&l.fields, NULL, (const tl_columns *)l.P, 1, f);
    for (int count = 2; count <= 3; count++) {
        tl_threads *t = tl_threads_create(tl_memory_default(), count);
        if (!t) TEST_STOP("no threads");
        tl_threads_always(t);
        memset(l.f, 0, sizeof l.f);
        tl_particle_gradients(&l.fields, t, l.u, l.G);
        tl_particle_pushes(&l.fields, t, (const tl_columns *)l.P, 1, l.f);
        for (int i = 0; i < l.n; i++)
            for (int c = 0; c < 3; c++) CHECK(memcmp(l.G[i][c], alone[i][c], 3 * sizeof(double)) == 0);
        CHECK(memcmp(l.f, f, 3 * (size_t)l.n * sizeof *f) == 0);
        tl_threads_destroy(t);
    }
    close_lattice(&l);
}

int main(int argc, char **argv)
{
    RUN(gradients);
    RUN(virtual_work);
    RUN(threads);
    return TEST_RESULT;
}
