/* Factor of M, velocities, bounds and error of a mixed linear complementarity problem (mlcp.h). */
#include <math.h>
#include <string.h>

#include "solve/mlcp_internal.h"

enum { BLOCK = 3 };

static talus_status no_memory(const tl_mlcp *q, tl_error *error)
{
    return tl_fail(error, TALUS_MEMORY, "no memory for a problem of %d velocities and %d rows", q->velocities, q->rows);
}

/* One number of the scaled M, in its block; of two that are mirrored, the lower. */
static void add_mass(tl_mlcp_work *w, int row, int column, double value)
{
    double block[9] = {0};
    const int a = row / BLOCK, b = column / BLOCK, i = row % BLOCK, j = column % BLOCK;
    if (a < b) return;
    block[3 * i + j] = value * w->m[row] * w->m[column];
    tl_sparse3_add(w->mass, a, b, block);
}

static talus_status factor_mass(tl_mlcp_work *w, tl_error *error)
{
    const tl_mlcp *q = w->q;
    w->mass = tl_sparse3_create(w->memory, w->velocity_blocks);
    if (!w->mass) return no_memory(q, error);
    for (int c = 0; c < q->velocities; c++) {
        w->m[c] = 1;
        for (int k = q->mass_begin[c]; k < q->mass_begin[c + 1]; k++) {
            const int pair[2] = {q->mass_row[k] / BLOCK, c / BLOCK};
            if (q->mass_row[k] == c && q->mass[k] > 0) w->m[c] = 1 / sqrt(q->mass[k]);
            tl_sparse3_couple(w->mass, pair, 2);
        }
    }
    TL_TRY(tl_sparse3_order(w->mass, error));
    for (int c = 0; c < q->velocities; c++)
        for (int k = q->mass_begin[c]; k < q->mass_begin[c + 1]; k++) add_mass(w, q->mass_row[k], c, q->mass[k]);
    for (int i = q->velocities; i < BLOCK * w->velocity_blocks; i++) {
        double block[9] = {0};
        block[4 * (i % BLOCK)] = 1;
        tl_sparse3_add(w->mass, i / BLOCK, i / BLOCK, block);
    }
    if (tl_sparse3_factor(w->mass, 0)) return TALUS_OK;
    return tl_fail(error, TALUS_SINGULAR, "the mass matrix is not positive definite");
}

void tl_mlcp_mass_solve(tl_mlcp_work *w, double *x)
{
    const int n = w->q->velocities;
    memset(w->x, 0, (size_t)w->velocity_blocks * sizeof *w->x);
    for (int i = 0; i < n; i++) w->x[i / BLOCK][i % BLOCK] = w->m[i] * x[i];
    tl_sparse3_solve(w->mass, w->x);
    for (int i = 0; i < n; i++) x[i] = w->m[i] * w->x[i / BLOCK][i % BLOCK];
}

void tl_mlcp_answer(tl_mlcp_work *w, int row)
{
    const tl_mlcp *q = w->q;
    memset(w->rest, 0, (size_t)q->velocities * sizeof *w->rest);
    for (int i = q->begin[row]; i < q->begin[row + 1]; i++) w->rest[q->column[i]] += q->direction[i];
    tl_mlcp_mass_solve(w, w->rest);
}

/* R_kk. */
static double own_response(const tl_mlcp *q, int row)
{
    double own = 0;
    for (int i = q->own ? q->own_begin[row] : 0; q->own && i < q->own_begin[row + 1]; i++)
        if (q->own_column[i] == row) own += q->own[i];
    return own;
}

/* What nothing moves and does not give is left alone. */
void tl_mlcp_scale(tl_mlcp_work *w)
{
    const tl_mlcp *q = w->q;
    for (int k = 0; k < q->rows; k++) {
        double own = q->give[k] + own_response(q, k);
        tl_mlcp_answer(w, k);
        for (int i = q->begin[k]; i < q->begin[k + 1]; i++) own += q->direction[i] * w->rest[q->column[i]];
        w->s[k] = own > 0 ? 1 / sqrt(own) : 0;
    }
}

talus_status tl_mlcp_open(tl_mlcp_work *w, tl_memory memory, tl_mlcp *q, tl_error *error)
{
    const size_t n = (size_t)q->velocities + 1, rows = (size_t)q->rows + 1;
    *w = (tl_mlcp_work){.memory = memory, .q = q, .velocity_blocks = (q->velocities + BLOCK - 1) / BLOCK};
    w->blocks = w->velocity_blocks + (q->rows + BLOCK - 1) / BLOCK;
    w->x = tl_alloc(memory, (size_t)w->blocks + 1, sizeof *w->x);
    w->rest = tl_alloc(memory, n + rows, sizeof *w->rest);
    w->m = tl_alloc(memory, n, sizeof *w->m);
    w->s = tl_alloc(memory, rows, sizeof *w->s);
    w->low = tl_alloc(memory, rows, sizeof *w->low);
    w->high = tl_alloc(memory, rows, sizeof *w->high);
    w->side = tl_alloc(memory, rows, sizeof *w->side);
    if (!w->x || !w->rest || !w->m || !w->s || !w->low || !w->high || !w->side) return no_memory(q, error);
    TL_TRY(factor_mass(w, error));
    tl_mlcp_scale(w);
    return TALUS_OK;
}

void tl_mlcp_close(tl_mlcp_work *w)
{
    void *const all[] = {w->x, w->rest, w->m, w->s, w->low, w->high, w->side, w->normal, w->answers.begin, w->answers.at, w->answers.Y};
    tl_sparse3_destroy(w->mass), tl_sparse3_destroy(w->matrix);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) tl_free(w->memory, all[i]);
}

void tl_mlcp_follow(tl_mlcp_work *w)
{
    const tl_mlcp *q = w->q;
    memcpy(q->v, q->p, (size_t)q->velocities * sizeof *q->v);
    for (int k = 0; k < q->rows; k++)
        for (int i = q->begin[k]; i < q->begin[k + 1]; i++) q->v[q->column[i]] += q->direction[i] * q->lambda[k];
    tl_mlcp_mass_solve(w, q->v);
}

double tl_mlcp_rate(const tl_mlcp_work *w, int row)
{
    const tl_mlcp *q = w->q;
    double u = q->give[row] * q->lambda[row] - q->r[row];
    for (int i = q->begin[row]; i < q->begin[row + 1]; i++) u += q->direction[i] * q->v[q->column[i]];
    for (int i = q->own ? q->own_begin[row] : 0; q->own && i < q->own_begin[row + 1]; i++) u += q->own[i] * q->lambda[q->own_column[i]];
    return u;
}

void tl_mlcp_bounds_of(const tl_mlcp *q, int row, double *low, double *high)
{
    const double most = tl_mlcp_is_friction(q, row) ? q->friction[row] * fmax(q->lambda[q->normal[row]], 0) : 0;
    *low = tl_mlcp_is_friction(q, row) ? -most : q->low[row];
    *high = tl_mlcp_is_friction(q, row) ? most : q->high[row];
}

void tl_mlcp_bound(tl_mlcp_work *w)
{
    for (int k = 0; k < w->q->rows; k++) tl_mlcp_bounds_of(w->q, k, &w->low[k], &w->high[k]);
}

double tl_mlcp_error(tl_mlcp_work *w)
{
    const tl_mlcp *q = w->q;
    double worst = 0;
    tl_mlcp_bound(w);
    for (int k = 0; k < q->rows; k++) {
        const double rho = tl_mlcp_response(w, k);
        if (!(rho > 0)) continue;
        worst = fmax(worst, fabs(q->lambda[k] - tl_mlcp_clamp(q->lambda[k] - rho * tl_mlcp_rate(w, k), w->low[k], w->high[k])) / rho);
    }
    return worst;
}
