/* Block principal pivoting (theory §5.5; Júdice & Pires 1994; Murty 1974): guess which multipliers are between their bounds, solve for those, move all that
 * contradict to where they belong as long as their number falls within a few rounds, else the last of them alone, which ends, since G M⁻¹ Gᵀ + Σ is positive
 * definite. Each guess takes a sparse factor of the quasi-definite matrix; what is at a bound has a row of its own with nothing in it. */
#include <math.h>
#include <string.h>

#include "solve/mlcp_internal.h"

enum { BLOCK = 3, PATIENCE = 5, REFINEMENTS = 3, MOST_FACTORS = 20 };

static const double REDUNDANT = 1e-11; /* of the scaled diagonal, and taken back by refinement: rows that say the same twice leave a factor */

talus_status tl_mlcp_make_matrix(tl_mlcp_work *w, tl_error *error)
{
    const tl_mlcp *q = w->q;
    if (w->matrix) return TALUS_OK;
    w->matrix = tl_sparse3_create(w->memory, w->blocks);
    if (!w->matrix) return tl_fail(error, TALUS_MEMORY, "no memory for a matrix of %d blocks", w->blocks);
    for (int c = 0; c < q->velocities; c++)
        for (int k = q->mass_begin[c]; k < q->mass_begin[c + 1]; k++) tl_sparse3_couple(w->matrix, (int[]){q->mass_row[k] / BLOCK, c / BLOCK}, 2);
    for (int k = 0; k < q->rows; k++)
        for (int i = q->begin[k]; i < q->begin[k + 1]; i++) tl_sparse3_couple(w->matrix, (int[]){w->velocity_blocks + k / BLOCK, q->column[i] / BLOCK}, 2);
    for (int k = 0; q->own && k < q->rows; k++)
        for (int i = q->own_begin[k]; i < q->own_begin[k + 1]; i++)
            tl_sparse3_couple(w->matrix, (int[]){w->velocity_blocks + k / BLOCK, w->velocity_blocks + q->own_column[i] / BLOCK}, 2);
    for (int b = w->velocity_blocks; b < w->blocks; b++) tl_sparse3_negate(w->matrix, b);
    return tl_sparse3_order(w->matrix, error);
}

/* A number of it; of mirrored ones the lower is given. */
static void add(tl_mlcp_work *w, int row, int column, double value)
{
    double block[9] = {0};
    block[BLOCK * (row % BLOCK) + column % BLOCK] = value;
    tl_sparse3_add(w->matrix, row / BLOCK, column / BLOCK, block);
}

/* −R of a row that holds, with others that do; of blocks that are mirrored the lower. */
static void add_own(tl_mlcp_work *w, int k)
{
    const tl_mlcp *q = w->q;
    const int first = BLOCK * w->velocity_blocks;
    for (int i = q->own_begin[k]; i < q->own_begin[k + 1]; i++) {
        const int j = q->own_column[i];
        if (j / BLOCK <= k / BLOCK && w->side[j] == TL_BETWEEN) add(w, first + k, first + j, -w->s[k] * w->s[j] * q->own[i]);
    }
}

static bool factor(tl_mlcp_work *w)
{
    const tl_mlcp *q = w->q;
    const int first = BLOCK * w->velocity_blocks;
    tl_sparse3_clear(w->matrix);
    for (int c = 0; c < q->velocities; c++)
        for (int k = q->mass_begin[c]; k < q->mass_begin[c + 1]; k++)
            if (q->mass_row[k] / BLOCK >= c / BLOCK) add(w, q->mass_row[k], c, q->mass[k] * w->m[q->mass_row[k]] * w->m[c]);
    for (int i = q->velocities; i < first; i++) add(w, i, i, 1);
    for (int k = 0; k < q->rows; k++) {
        const bool holds = w->side[k] == TL_BETWEEN && w->s[k] > 0;
        for (int i = q->begin[k]; holds && i < q->begin[k + 1]; i++) add(w, first + k, q->column[i], w->s[k] * q->direction[i] * w->m[q->column[i]]);
        add(w, first + k, first + k, holds ? -w->s[k] * w->s[k] * q->give[k] : -1);
        if (holds && q->own) add_own(w, k);
    }
    for (int k = first + q->rows; k < BLOCK * w->blocks; k++) add(w, k, k, -1);
    return tl_sparse3_factor(w->matrix, REDUNDANT);
}

/* What p + Gᵀ λ − M v and, of rows between, r − G v − (Σ + R) λ are. */
static void find_rest(tl_mlcp_work *w)
{
    const tl_mlcp *q = w->q;
    double *own = w->rest, *rows = w->rest + q->velocities;
    memcpy(own, q->p, (size_t)q->velocities * sizeof *own);
    for (int c = 0; c < q->velocities; c++)
        for (int k = q->mass_begin[c]; k < q->mass_begin[c + 1]; k++) own[q->mass_row[k]] -= q->mass[k] * q->v[c];
    for (int k = 0; k < q->rows; k++) {
        for (int i = q->begin[k]; i < q->begin[k + 1]; i++) own[q->column[i]] += q->direction[i] * q->lambda[k];
        rows[k] = w->side[k] == TL_BETWEEN ? -tl_mlcp_rate(w, k) : 0;
    }
}

/* v and λ of rows between, others as they are: [M Gᵀ; G −Σ − R](δv, −δλ) = what is left, until nothing is. */
static void solve(tl_mlcp_work *w)
{
    const tl_mlcp *q = w->q;
    const int first = BLOCK * w->velocity_blocks;
    for (int round = 0; round < REFINEMENTS; round++) {
        find_rest(w);
        memset(w->x, 0, (size_t)w->blocks * sizeof *w->x);
        for (int i = 0; i < q->velocities; i++) w->x[i / BLOCK][i % BLOCK] = w->m[i] * w->rest[i];
        for (int k = 0; k < q->rows; k++) w->x[(first + k) / BLOCK][k % BLOCK] = w->s[k] * w->rest[q->velocities + k];
        tl_sparse3_solve(w->matrix, w->x);
        for (int i = 0; i < q->velocities; i++) q->v[i] += w->m[i] * w->x[i / BLOCK][i % BLOCK];
        for (int k = 0; k < q->rows; k++)
            if (w->side[k] == TL_BETWEEN) q->lambda[k] -= w->s[k] * w->x[(first + k) / BLOCK][k % BLOCK];
    }
}

/* Where a multiplier belongs: where it is, unless it contradicts by more than `off` as a velocity. */
static tl_mlcp_side belongs(const tl_mlcp_work *w, int k, double off)
{
    const tl_mlcp *q = w->q;
    const double rho = tl_mlcp_response(w, k), lambda = q->lambda[k];
    if (w->side[k] == TL_FROZEN || !(rho > 0)) return w->side[k];
    if (w->side[k] == TL_BETWEEN) return lambda < w->low[k] - rho * off ? TL_AT_LOW : lambda > w->high[k] + rho * off ? TL_AT_HIGH : TL_BETWEEN;
    if (!(w->low[k] < w->high[k])) return w->side[k];
    const double u = tl_mlcp_rate(w, k);
    return (w->side[k] == TL_AT_LOW ? u < -off : u > off) ? TL_BETWEEN : w->side[k];
}

static void move(tl_mlcp_work *w, int k, tl_mlcp_side side)
{
    w->side[k] = side;
    if (side == TL_AT_LOW) w->q->lambda[k] = w->low[k];
    if (side == TL_AT_HIGH) w->q->lambda[k] = w->high[k];
}

/* What is between may be beyond its bounds where a pass was cut, and by as little as it may be off elsewhere. */
static void clamp_all(tl_mlcp_work *w)
{
    const tl_mlcp *q = w->q;
    for (int k = 0; k < q->rows; k++)
        if (w->side[k] == TL_BETWEEN) q->lambda[k] = tl_mlcp_clamp(q->lambda[k], w->low[k], w->high[k]);
}

static talus_status pivot(tl_mlcp_work *w, tl_mlcp_task *task, tl_error *error)
{
    const int rows = w->q->rows;
    const double off = 0.1 * task->tolerance;
    int fewest = rows + 1, patience = PATIENCE;
    TL_TRY(tl_mlcp_make_matrix(w, error));
    task->cut = true;
    const int most = task->most > 0 ? task->most : MOST_FACTORS + 2 * rows;
    for (int round = 0; round < most && !(task->deadline > 0 && tl_clock() > task->deadline); round++) {
        int count = 0, last = -1;
        task->factors++;
        if (!factor(w)) return tl_fail(error, TALUS_SINGULAR, "the matrix of a step with all its rows is not quasi-definite: is a number of it not finite?");
        solve(w);
        for (int k = 0; k < rows; k++)
            if (belongs(w, k, off) != w->side[k]) count++, last = k;
        task->cut = count > 0;
        if (count == 0) return TALUS_OK;
        patience = count < fewest ? PATIENCE : patience - 1;
        if (count < fewest) fewest = count;
        for (int k = patience > 0 ? 0 : last; k <= last; k++) {
            const tl_mlcp_side side = belongs(w, k, off);
            if (side == w->side[k]) continue;
            task->pivots++;
            move(w, k, side);
        }
    }
    return TALUS_OK;
}

talus_status tl_mlcp_pivot_once(tl_mlcp_work *w, tl_mlcp_task *task, tl_error *error)
{
    TL_TRY(pivot(w, task, error));
    clamp_all(w);
    return TALUS_OK;
}

/* Sides of the first guess. */
static void guess(tl_mlcp_work *w)
{
    const tl_mlcp *q = w->q;
    for (int k = 0; k < q->rows; k++) {
        const bool low = q->lambda[k] <= w->low[k], high = !low && q->lambda[k] >= w->high[k];
        move(w, k, low || !(w->s[k] > 0) ? TL_AT_LOW : high ? TL_AT_HIGH : TL_BETWEEN);
        if (!(w->s[k] > 0)) q->lambda[k] = tl_mlcp_clamp(0, w->low[k], w->high[k]);
    }
}

talus_status tl_mlcp_pivot_pass(tl_mlcp_work *w, tl_mlcp_task *task, tl_error *error)
{
    tl_mlcp_bound(w);
    guess(w);
    TL_TRY(tl_mlcp_pivot_once(w, task, error));
    tl_mlcp_follow(w);
    return TALUS_OK;
}

talus_status tl_mlcp_pivot(tl_memory memory, tl_mlcp *q, tl_mlcp_task *task, tl_error *error)
{
    tl_mlcp_work w;
    talus_status status = tl_mlcp_open(&w, memory, q, error);
    task->pass = task->pivots = task->factors = 0;
    task->error = (double)INFINITY;
    if (status == TALUS_OK) tl_mlcp_follow(&w);
    for (bool done = false; status == TALUS_OK && !done;) {
        status = tl_mlcp_pivot_pass(&w, task, error);
        if (status != TALUS_OK) break;
        task->error = tl_mlcp_error(&w);
        task->pass++;
        done = task->error <= task->tolerance || task->pass >= task->passes;
    }
    tl_mlcp_close(&w);
    return status;
}
