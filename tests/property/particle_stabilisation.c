/* Rows of particles (particle_stabilisation.h): what they do not resist, what they do, and what they keep. */
#include "base/base.h"
#include "base/math.h"
#include "solid/particle_fields.h"
#include "solid/particle_stabilisation.h"
#include "test.h"

enum { SIDE = 6, MOST = SIDE * SIDE * SIDE };
static tl_random rnd;
static const double SPACING = 0.1;

typedef struct lattice {
    int dimension, n, site[MOST][3];
    double volume[MOST], u[3 * MOST], f[3 * MOST];
    tl_stabilisation rows;
} lattice;

/* `thick` particles along the last axis. */
static void open_lattice(lattice *l, int dimension, int thick)
{
    tl_error error;
    const int n = (dimension == 3 ? SIDE * SIDE : SIDE) * thick;
    *l = (lattice){.dimension = dimension, .n = n};
    for (int k = 0; k < n; k++) {
        l->site[k][0] = k % SIDE, l->site[k][1] = k / SIDE % (dimension == 3 ? SIDE : thick), l->site[k][2] = dimension == 3 ? k / SIDE / SIDE : 0;
        l->volume[k] = tl_random_uniform(&rnd, 0.5e-3, 1e-3);
    }
    const tl_least_squares_def d = {.dimension = dimension, .particles = n, .site = (const int(*)[3])l->site, .spacing = SPACING};
    MUST(tl_stabilisation_create(tl_memory_default(), &d, l->volume, &l->rows, &error), error);
}

static void act(lattice *l) { memset(l->f, 0, sizeof l->f), tl_stabilisation_add(&l->rows, l->dimension, NULL, -1, l->u, l->f); }

/* Fields that are quadratic, as those of a beam that is bent, are free of it; so are linear ones in rows of three. */
TEST(quadratic_fields)
{
    static lattice l;
    rnd = tl_random_seed(11);
    for (int i = 0; i < 4; i++) {
        double c[3][10];
        const int dimension = 2 + i % 2, thick = i < 2 ? 5 : 3;
        open_lattice(&l, dimension, thick);
        for (int k = 0; k < 30; k++) c[k / 10][k % 10] = thick == 3 && k % 10 >= 7 ? 0 : tl_random_uniform(&rnd, -1, 1);
        for (int k = 0; k < l.n; k++) {
            const double x = l.site[k][0], y = l.site[k][1], z = l.site[k][2], p[10] = {1, x, y, z, y * z, x * z, x * y, x * x, y * y, z * z};
            for (int a = 0; a < dimension; a++)
                for (int m = 0; m < 10; m++) l.u[dimension * k + a] += c[a][m] * p[m];
        }
        act(&l);
        for (int k = 0; k < dimension * l.n; k++) CHECK_NEAR(l.f[k], 0, 1e-12);
        tl_stabilisation_free(&l.rows);
    }
}

/* ±A along one axis is resisted as a strain A/a by a modulus of 1 Pa: W = ½ V (A/a)² of every four in a row. */
TEST(alternating)
{
    static lattice l;
    rnd = tl_random_seed(12);
    for (int dimension = 2; dimension <= 3; dimension++) {
        const double A = 0.01;
        double energy = 0, want = 0;
        open_lattice(&l, dimension, SIDE);
        for (int k = 0; k < l.n; k++) {
            l.u[dimension * k + 1] = l.site[k][0] % 2 ? A : -A;
            for (int first = 0; first + 3 < SIDE; first++) /* the share of this particle in the mean volume of four */
                if (l.site[k][0] >= first && l.site[k][0] <= first + 3) want += 0.5 * l.volume[k] / 4 * (A / SPACING) * (A / SPACING);
        }
        act(&l);
        for (int k = 0; k < dimension * l.n; k++) energy -= 0.5 * l.f[k] * l.u[k];
        CHECK_NEAR(energy, want, 1e-12 * want);
        tl_stabilisation_free(&l.rows);
    }
}

/* Momentum and its moment about where particles are stay, whatever they do; no work is gained: W is not negative, and symmetric. */
TEST(balance)
{
    static lattice l;
    static double first[3 * MOST], other[3 * MOST];
    rnd = tl_random_seed(13);
    for (int trial = 0; trial < 6; trial++) {
        tl_vec3 sum = {0, 0, 0}, moment = {0, 0, 0};
        double there = 0, back = 0, energy = 0;
        const int dimension = 2 + trial % 2;
        open_lattice(&l, dimension, 3 + trial / 2);
        for (int k = 0; k < dimension * l.n; k++) l.u[k] = tl_random_uniform(&rnd, -1, 1), other[k] = tl_random_uniform(&rnd, -1, 1);
        act(&l);
        for (int k = 0; k < l.n; k++) {
            const double *f = l.f + dimension * k, *u = l.u + dimension * k;
            const tl_vec3 force = {f[0], f[1], dimension == 3 ? f[2] : 0},
                          at = {SPACING * l.site[k][0] + u[0], SPACING * l.site[k][1] + u[1], dimension == 3 ? SPACING * l.site[k][2] + u[2] : 0};
            sum = tl_add(sum, force), moment = tl_add(moment, tl_cross(at, force));
        }
        for (int k = 0; k < dimension * l.n; k++) there += other[k] * l.f[k], energy -= l.u[k] * l.f[k];
        memcpy(first, l.u, sizeof first), memcpy(l.u, other, sizeof other);
        act(&l);
        for (int k = 0; k < dimension * l.n; k++) back += first[k] * l.f[k];
        CHECK(tl_norm(sum) < 1e-12 && tl_norm(moment) < 1e-12);
        CHECK(energy > 0.01);
        CHECK_NEAR(there, back, 1e-12 * energy);
        tl_stabilisation_free(&l.rows);
    }
}

/* A row whose particles bear a strain e gives way until it pulls as that does, c e times its reach, and only then; one that has given way is not damped. */
TEST(giving_way)
{
    static lattice l;
    static double rest[MOST * TL_ROW_REST], limit[MOST], before[3 * MOST], both[3 * MOST];
    static tl_columns G[MOST], P[MOST]; /* no gradients: rows stay as they are */
    rnd = tl_random_seed(14);
    for (int dimension = 2; dimension <= 3; dimension++) {
        const double A = 0.01, e = 0.3 * A / SPACING;
        const tl_row_rests rests = {rest, NULL, TL_ROW_REST};
        const tl_particle_field at = {dimension, l.u, (const tl_columns *)G};
        open_lattice(&l, dimension, SIDE);
        memset(rest, 0, sizeof rest);
        for (int k = 0; k < l.n; k++) l.u[dimension * k + 1] = l.site[k][0] % 2 ? A : -A, limit[k] = (double)INFINITY;
        act(&l);
        memcpy(before, l.f, sizeof before);
        tl_stabilisation_yield(&l.rows, &at, &(tl_row_limits){limit, 1}, rests);
        for (int k = 0; k < l.n * TL_ROW_REST; k++) CHECK(rest[k] == 0);
        for (int k = 0; k < l.n; k++) limit[k] = k % 2 ? e : (double)INFINITY; /* of two that are neighbours the weaker decides */
        tl_stabilisation_yield(&l.rows, &at, &(tl_row_limits){limit, 1}, rests);
        memset(l.f, 0, sizeof l.f);
        tl_stabilisation_carry(&l.rows, NULL, &at, l.volume, rests);
        tl_stabilisation_add(&l.rows, dimension, NULL, -1, l.u, l.f);
        tl_stabilisation_give_way(&l.rows, dimension, &(tl_given_way){1, 0, NULL}, l.f, P);
        for (int k = 0; k < dimension * l.n; k++) CHECK_NEAR(l.f[k], 0.3 * before[k], 1e-12);
        const double energy = tl_stabilisation_energy(&l.rows, dimension, l.u);
        for (int k = 0; k < dimension * l.n; k++) both[k] = 3 * l.u[k]; /* u + βv with β = 2 s and v = u */
        memset(l.f, 0, sizeof l.f);
        tl_stabilisation_add(&l.rows, dimension, NULL, -1, both, l.f);
        tl_stabilisation_give_way(&l.rows, dimension, &(tl_given_way){1, 2, l.u}, l.f, P);
        for (int k = 0; k < dimension * l.n; k++) CHECK_NEAR(l.f[k], 0.3 * before[k], 1e-12);
        tl_stabilisation_carry(&l.rows, NULL, &at, l.volume, (tl_row_rests){NULL, NULL, 0});
        const double whole = tl_stabilisation_energy(&l.rows, dimension, l.u);
        CHECK_NEAR(energy, 0.09 * whole, 1e-12 * whole);
        tl_stabilisation_free(&l.rows);
    }
}

/* Rows that have given way, and of which one particle is torn, with the gradients that least squares have of u. */
typedef struct given {
    lattice l;
    tl_least_squares fit;
    tl_particle_fields fields;
    double rest[MOST * TL_ROW_REST], torn[MOST * TL_ROW_REST];
    tl_columns G[MOST], P[MOST];
} given;

static void open_given(given *g, int dimension)
{
    tl_error error;
    open_lattice(&g->l, dimension, 4);
    const tl_least_squares_def d = {dimension, g->l.n, (const int(*)[3])g->l.site, SPACING, 1.8};
    MUST(tl_least_squares_create(tl_memory_default(), &d, &g->fit, &error), error);
    memcpy(g->fit.volume, g->l.volume, (size_t)g->l.n * sizeof *g->fit.volume);
    MUST(tl_particle_fields_create(tl_memory_default(), dimension, &g->fit, &g->fields, &error), error);
    memset(g->rest, 0, sizeof g->rest), memset(g->torn, 0, sizeof g->torn);
    for (int k = 0; k < TL_ROW_REST * g->l.n; k++)
        if (k % 3 < dimension && k % 2) g->rest[k] = tl_random_uniform(&rnd, -0.5, 0.5) * SPACING;
    g->torn[TL_ROW_REST * (g->l.n / 2)] = 1;
}

static void close_given(given *g)
{
    tl_particle_fields_free(&g->fields), tl_least_squares_free(&g->fit);
    tl_stabilisation_free(&g->l.rows);
}

static double given_energy(given *g)
{
    tl_particle_gradients(&g->fields, NULL, g->l.u, g->G);
    tl_stabilisation_carry(&g->l.rows, NULL, &(tl_particle_field){g->l.dimension, g->l.u, (const tl_columns *)g->G}, g->l.volume,
                           (tl_row_rests){g->rest, g->torn, TL_ROW_REST});
    return tl_stabilisation_energy(&g->l.rows, g->l.dimension, g->l.u);
}

/* l.f = −dW/du for c = 1 Pa. */
static void act_given(given *g)
{
    (void)given_energy(g);
    memset(g->P, 0, sizeof g->P);
    act(&g->l);
    tl_stabilisation_give_way(&g->l.rows, g->l.dimension, &(tl_given_way){1, 0, NULL}, g->l.f, g->P);
    tl_particle_pushes(&g->fields, NULL, (const tl_columns *)g->P, -1, g->l.f);
}

/* Forces of rows that have given way are those of their energy; they have no sum and no moment about where particles are, however these have turned and been
 * drawn, and a field that is linear beside what rows have given way by is free of them: what turns is not held. */
TEST(given_way)
{
    static given g;
    rnd = tl_random_seed(15);
    for (int dimension = 2; dimension <= 3; dimension++) {
        tl_vec3 sum = {0, 0, 0}, moment = {0, 0, 0};
        double size = 0;
        open_given(&g, dimension);
        for (int k = 0; k < dimension * g.l.n; k++) g.l.u[k] = 0.3 * tl_random_uniform(&rnd, -SPACING, SPACING);
        for (int k = 0; k < dimension * g.l.n; k += 7) {
            const double u = g.l.u[k], by = 1e-4 * SPACING;
            g.l.u[k] = u + by;
            const double after = given_energy(&g);
            g.l.u[k] = u - by;
            const double slope = (after - given_energy(&g)) / (2 * by);
            g.l.u[k] = u;
            act_given(&g);
            CHECK_NEAR(g.l.f[k], -slope, 1e-6 * fabs(slope) + 1e-12);
        }
        for (int k = 0; k < g.l.n; k++) {
            const double *f = g.l.f + dimension * k, *u = g.l.u + dimension * k;
            const tl_vec3 force = {f[0], f[1], dimension == 3 ? f[2] : 0},
                          at = {SPACING * g.l.site[k][0] + u[0], SPACING * g.l.site[k][1] + u[1], dimension == 3 ? SPACING * g.l.site[k][2] + u[2] : 0};
            sum = tl_add(sum, force), moment = tl_add(moment, tl_cross(at, force));
            size += tl_norm(force);
        }
        CHECK(tl_norm(sum) < 1e-13 * size && tl_norm(moment) < 1e-13 * size);
        const double energy = given_energy(&g), c = cos(1.2), s = sin(1.2);
        for (int k = 0; k < g.l.n; k++) { /* the same, turned as a whole: x = R X + R u */
            double *u = g.l.u + dimension * k;
            const double X = SPACING * g.l.site[k][0], Y = SPACING * g.l.site[k][1], x = X + u[0], y = Y + u[1];
            u[0] = c * x - s * y - X, u[1] = s * x + c * y - Y;
        }
        CHECK_CLOSE(given_energy(&g), energy, 1e-12);
        close_given(&g);
    }
}

int main(int argc, char **argv)
{
    RUN(quadratic_fields);
    RUN(alternating);
    RUN(balance);
    RUN(giving_way);
    RUN(given_way);
    return TEST_RESULT;
}
