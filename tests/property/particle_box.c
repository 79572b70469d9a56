/* Particles that fill a box, by rows (particle_box.h), against the same by lists of neighbours: two ways to one operator. */
#include <stdlib.h>

#include "base/base.h"
#include "particle.h"
#include "solid/particle_fields.h"
#include "solid/particle_stabilisation.h"

enum { MOST = 900 };
static const double A = 0.1, LAME = 3, SHEAR = 2, HOLDING = 0.7;
static const int BOX[][3] = {{2, 3, 5}, {7, 2, 4}, {4, 4, 4}, {70, 3, 2}, {3, 66, 2}, {5, 9, 12}, {3, 3, 2}, {64, 2, 2}, {2, 2, 63}};
enum { BOXES = sizeof BOX / sizeof *BOX };

typedef struct pair {
    int n;
    tl_least_squares fit;
    tl_particle_fields rows, lists;
    tl_stabilisation held;
    double u[3 * MOST], f[3 * MOST], other[3 * MOST];
    tl_columns G[MOST], P[MOST];
} pair;

static int compare(const void *a, const void *b) { return ((const int *)a)[3] - ((const int *)b)[3]; }

/* A box whose particles have numbers by chance, and stand anywhere. */
static void open_pair(pair *p, const int box[3])
{
    static int site[MOST][4], only[MOST][3];
    tl_error error;
    p->n = box[0] * box[1] * box[2];
    for (int i = 0; i < p->n; i++) {
        site[i][0] = i % box[0] - 3, site[i][1] = i / box[0] % box[1] + 5, site[i][2] = i / box[0] / box[1];
        site[i][3] = (int)tl_random_uniform(&rnd, 0, 1e6);
    }
    qsort(site, (size_t)p->n, sizeof *site, compare);
    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < 3; k++) only[i][k] = site[i][k];
    const tl_least_squares_def d = {3, p->n, (const int(*)[3])only, A, 1.9};
    MUST(tl_least_squares_create(tl_memory_default(), &d, &p->fit, &error), error);
    MUST(tl_stabilisation_create(tl_memory_default(), &d, p->fit.volume, &p->held, &error), error);
    MUST(tl_particle_fields_create(tl_memory_default(), 3, &p->fit, &p->rows, &error), error);
    p->fit.box[0] = 0;
    MUST(tl_particle_fields_create(tl_memory_default(), 3, &p->fit, &p->lists, &error), error);
    CHECK(p->rows.box.particles == p->n && p->lists.box.particles == 0);
    for (int i = 0; i < 3 * p->n; i++) p->u[i] = tl_random_uniform(&rnd, -1, 1), p->f[i] = p->other[i] = i;
    for (int i = 0; i < p->n; i++)
        for (int c = 0; c < 3; c++)
            for (int a = 0; a < TL_COLUMN; a++) p->P[i][c][a] = tl_random_uniform(&rnd, -1, 1);
}

static void close_pair(pair *p)
{
    tl_particle_fields_free(&p->rows), tl_particle_fields_free(&p->lists);
    tl_stabilisation_free(&p->held), tl_least_squares_free(&p->fit);
}

/* Twenty seven products of numbers up to 1 over the spacing, each rounded. */
static const double ROUNDING = 27 * 4e-16, SINGLE = 5e8; /* that of single precision, of that of double */

TEST(gradients)
{
    static pair p;
    static tl_columns want[MOST];
    rnd = tl_random_seed(1);
    for (int k = 0; k < BOXES; k++) {
        open_pair(&p, BOX[k]);
        tl_particle_gradients(&p.rows, NULL, p.u, p.G), tl_particle_gradients(&p.lists, NULL, p.u, want);
        for (int i = 0; i < p.n; i++)
            for (int c = 0; c < 3; c++)
                for (int a = 0; a < 3; a++) CHECK_NEAR(p.G[i][c][a], want[i][c][a], ROUNDING / A);
        close_pair(&p);
    }
}

TEST(pushes)
{
    static pair p;
    rnd = tl_random_seed(2);
    for (int k = 0; k < BOXES; k++) {
        open_pair(&p, BOX[k]);
        for (int again = 0; again < 2; again++) { /* nothing is left of the first */
            tl_particle_pushes(&p.rows, NULL, (const tl_columns *)p.P, -2, p.f), tl_particle_pushes(&p.lists, NULL, (const tl_columns *)p.P, -2, p.other);
            for (int i = 0; i < 3 * p.n; i++) CHECK_NEAR(p.f[i], p.other[i], 2 * ROUNDING * A * A + 4e-16 * p.n);
        }
        close_pair(&p);
    }
}

TEST(holds)
{
    static pair p;
    rnd = tl_random_seed(4);
    for (int k = 0; k < BOXES; k++) {
        open_pair(&p, BOX[k]);
        tl_box_hold(&p.rows.box, NULL, 3, p.u, p.f), tl_stabilisation_add(&p.held, 3, NULL, 3, p.u, p.other);
        for (int i = 0; i < 3 * p.n; i++) CHECK_NEAR(p.f[i], p.other[i], 4e-16 * p.n + 3 * ROUNDING * A);
        close_pair(&p);
    }
}

/* Hooke's law of a gradient, as it is or seen from where F has brought it: J C[G B] Bᵀ. */
static void answer(tl_columns G, const tl_mat3 *B)
{
    const tl_mat3 own = tl_mat3_of_columns(G), D = tl_mat3_mul(&own, B), back = tl_mat3_transpose(B);
    tl_mat3 S;
    const double trace = D.m[0][0] + D.m[1][1] + D.m[2][2];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) S.m[i][j] = (SHEAR * (D.m[i][j] + D.m[j][i]) + (i == j ? LAME * trace : 0)) / tl_particle_volume(B);
    const tl_mat3 P = tl_mat3_mul(&S, &back);
    tl_columns_of_mat3(&P, G);
}

/* K u by rows is the transpose of gradients of Hooke's law of gradients, and what holds rows. */
TEST(stiffness)
{
    static pair p;
    static tl_columns inverse[MOST];
    rnd = tl_random_seed(3);
    for (int k = 0; k < 2 * BOXES; k++) {
        const bool turned = k >= BOXES;
        const tl_box_law law = {LAME, SHEAR, HOLDING, turned};
        open_pair(&p, BOX[k % BOXES]);
        tl_particle_box *box = &p.rows.box;
        const size_t slots = 3 * (size_t)box->slots;
        float *x = calloc(slots, sizeof *x), *y = calloc(slots, sizeof *y);
        double largest = 0;
        if (!x || !y) TEST_STOP("no memory");
        for (int i = 0; i < p.n; i++) {
            const tl_mat3 B = turned ? random_deformation(0.3) : tl_mat3_identity();
            tl_columns_of_mat3(&B, inverse[i]);
        }
        if (turned) tl_box_turn(box, (const tl_columns *)inverse);
        tl_particle_gradients(&p.lists, NULL, p.u, p.G);
        for (int i = 0; i < p.n; i++) {
            const tl_mat3 B = tl_mat3_of_columns(inverse[i]);
            answer(p.G[i], &B);
        }
        memset(p.other, 0, sizeof p.other);
        tl_particle_pushes(&p.lists, NULL, (const tl_columns *)p.G, 5, p.other);
        tl_stabilisation_add(&p.held, 3, NULL, 5 * HOLDING, p.u, p.other);
        for (int i = 0; i < 3 * p.n; i++) largest = fmax(largest, fabs(p.other[i]));
        for (int again = 0; again < 2; again++) {
            memset(p.f, 0, sizeof p.f);
            tl_box_stiffness(box, NULL, &law, 5, p.u, p.f);
            for (int i = 0; i < 3 * p.n; i++) CHECK_NEAR(p.f[i], p.other[i], 27 * ROUNDING * largest);
            for (int i = 0; i < p.n; i++)
                for (int c = 0; c < 3; c++) x[c * box->slots + box->slot[i]] = (float)p.u[3 * i + box->axis[c]];
            tl_box_stiffness_single(box, NULL, &law, 5, x, y);
            for (int i = 0; i < p.n; i++)
                for (int c = 0; c < 3; c++) {
                    float *single = &y[c * box->slots + box->slot[i]];
                    CHECK_NEAR((double)*single, p.other[3 * i + box->axis[c]], SINGLE * 27 * ROUNDING * largest);
                    *single = 0;
                }
            for (size_t i = 0; i < slots; i++) CHECK(y[i] == 0); /* of nobody there is nothing */
        }
        free(x), free(y);
        close_pair(&p);
    }
}

/* Threads do not show in the bits, where there are more or fewer of them than layers. */
TEST(threads)
{
    static pair p;
    rnd = tl_random_seed(5);
    for (int k = 0; k < BOXES; k++) {
        open_pair(&p, BOX[k]);
        tl_particle_box *box = &p.rows.box;
        const tl_box_law law = {LAME, SHEAR, HOLDING, false};
        const size_t slots = 3 * (size_t)box->slots;
        float *x = calloc(slots, sizeof *x), *y = calloc(slots, sizeof *y), *by_one = calloc(slots, sizeof *by_one);
        if (!x || !y || !by_one) TEST_STOP("no memory");
        for (int i = 0; i < p.n; i++)
            for (int c = 0; c < 3; c++) x[c * box->slots + box->slot[i]] = (float)p.u[3 * i + c];
        for (int count = 1; count <= 9; count++) {
            tl_threads *threads = tl_threads_create(tl_memory_default(), count);
            if (count > 1) tl_threads_always(threads);
            double *f = count == 1 ? p.other : p.f;
            for (int i = 0; i < 3 * p.n; i++) f[i] = i;
            tl_box_stiffness(box, threads, &law, 5, p.u, f);
            tl_particle_pushes(&p.rows, threads, (const tl_columns *)p.P, -2, f);
            tl_box_stiffness_single(box, threads, &law, 5, x, count == 1 ? by_one : y);
            if (count > 1) CHECK(memcmp(p.f, p.other, (size_t)(3 * p.n) * sizeof *f) == 0 && memcmp(y, by_one, slots * sizeof *y) == 0);
            tl_threads_destroy(threads);
        }
        free(x), free(y), free(by_one);
        close_pair(&p);
    }
}

/* Who has no box: an L, a lattice with a hole, the plane. */
TEST(no_box)
{
    static int site[MOST][3];
    tl_error error;
    for (int kind = 0; kind < 3; kind++) {
        tl_least_squares fit;
        tl_particle_box box;
        int n = 0;
        for (int i = 0; i < 5 * 5 * (kind == 2 ? 1 : 5); i++) {
            const int at[3] = {i % 5, i / 5 % 5, i / 25};
            if ((kind == 0 && at[0] > 2 && at[1] > 2) || (kind == 1 && at[0] == 2 && at[1] == 2 && at[2] == 2)) continue;
            for (int k = 0; k < 3; k++) site[n][k] = at[k];
            n++;
        }
        const tl_least_squares_def d = {kind == 2 ? 2 : 3, n, (const int(*)[3])site, A, 1.8};
        MUST(tl_least_squares_create(tl_memory_default(), &d, &fit, &error), error);
        MUST(tl_particle_box_create(tl_memory_default(), &fit, &box, &error), error);
        CHECK(box.particles == 0);
        tl_particle_box_free(&box), tl_least_squares_free(&fit);
    }
}

int main(int argc, char **argv)
{
    RUN(gradients);
    RUN(pushes);
    RUN(holds);
    RUN(stiffness);
    RUN(threads);
    RUN(no_box);
    return TEST_RESULT;
}
