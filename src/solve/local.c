/* The contact problem as a value: memory, scale, velocities, error (local.h). */
#include "solve/local.h"

#include <math.h>
#include <string.h>

const double TL_FACTOR_WORK = 2e10;

talus_status tl_local_create(tl_memory memory, int contacts, int blocks, tl_local *p, tl_error *error)
{
    *p = (tl_local){.memory = memory, .contacts = contacts, .blocks = blocks};
    const size_t n = (size_t)contacts, m = (size_t)blocks;
    p->row = tl_alloc(memory, n + 1, sizeof *p->row);
    p->column = tl_alloc(memory, m, sizeof *p->column);
    p->diagonal = tl_alloc(memory, n, sizeof *p->diagonal);
    p->block = tl_alloc(memory, m, sizeof *p->block);
    p->q = tl_alloc(memory, n, sizeof *p->q);
    p->friction = tl_alloc(memory, n, sizeof *p->friction);
    p->sigma = tl_alloc(memory, n, sizeof *p->sigma);
    p->law = tl_alloc(memory, n, sizeof *p->law);
    p->I = tl_alloc(memory, n, sizeof *p->I);
    p->best = tl_alloc(memory, n, sizeof *p->best);
    p->lambda = tl_alloc(memory, n, sizeof *p->lambda);
    if (p->row && p->column && p->diagonal && p->block && p->q && p->friction && p->sigma && p->law && p->I && p->best && p->lambda) return TALUS_OK;
    tl_local_destroy(p);
    return tl_fail(error, TALUS_MEMORY, "no memory for a problem of %d contacts", contacts);
}

void tl_local_destroy(tl_local *p)
{
    void *const all[] = {p->row, p->column, p->diagonal, p->block, p->q, p->friction, p->sigma, p->law, p->I, p->best, p->lambda};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) tl_free(p->memory, all[i]);
    *p = (tl_local){0};
}

static talus_status prepare_contact(tl_local *p, int i, int dimension, tl_error *error)
{
    p->diagonal[i] = -1;
    for (int k = p->row[i]; k < p->row[i + 1]; k++)
        if (p->column[k] == i) p->diagonal[i] = k;
    if (p->diagonal[i] < 0) return tl_fail(error, TALUS_INPUT, "contact %d has no block of its own in W", i);
    double *own = p->block[p->diagonal[i]];
    const double trace = own[0] + own[4] + (dimension == 3 ? own[8] : 0);
    if (!(own[0] > 0) || !(trace > 0) || !isfinite(trace)) return tl_fail(error, TALUS_INPUT, "contact %d: W_nn is %g; it must be positive", i, own[0]);
    if (dimension == 2) own[8] = trace / 2;
    p->sigma[i] = sqrt(dimension / trace);
    return TALUS_OK;
}

talus_status tl_local_prepare(tl_local *p, int dimension, tl_error *error)
{
    double squares = 0;
    for (int i = 0; i < p->contacts; i++) TL_TRY(prepare_contact(p, i, dimension, error));
    for (int i = 0; i < p->contacts; i++) {
        for (int k = p->row[i]; k < p->row[i + 1]; k++)
            for (int m = 0; m < 9; m++) p->block[k][m] *= p->sigma[i] * p->sigma[p->column[k]];
        const double *W = p->block[p->diagonal[i]];
        p->law[i] = tl_coulomb3_prepare(&(tl_delassus3){W[0], W[1], W[2], W[4], W[5], W[8]}, p->friction[i]);
        for (int m = 0; m < 3; m++) {
            squares += p->q[i][m] * p->q[i][m];
            p->q[i][m] *= p->sigma[i];
            p->I[i][m] /= p->sigma[i];
        }
    }
    p->unit = squares > 0 ? sqrt(squares) : 1;
    return TALUS_OK;
}

static bool is_nothing(const tl_local *p, const double (*I)[3])
{
    for (int i = 0; i < p->contacts; i++)
        if (I[i][0] != 0 || I[i][1] != 0 || I[i][2] != 0) return false;
    return true;
}

typedef double pair __attribute__((vector_size(16)));
typedef double pair_at __attribute__((vector_size(16), aligned(8), may_alias));

/* Most of the time of solvers that sweep or descend: in pairs, of which every processor takes two numbers at once. */
void tl_local_velocity_at(const tl_local *p, int i, const double (*I)[3], double u[3])
{
    pair n = {0}, t = {0}, s = {0}, nt = {p->q[i][0], p->q[i][1]};
    double last = p->q[i][2];
    const double *W = p->block[p->row[i]];
    for (const int *j = p->column + p->row[i], *const end = p->column + p->row[i + 1]; j < end; j++, W += 9) {
        const double *J = I[*j];
        const pair J_nt = *(const pair_at *)J;
        n += *(const pair_at *)W * J_nt;
        t += *(const pair_at *)(W + 3) * J_nt;
        s += *(const pair_at *)(W + 6) * J_nt;
        nt += (pair){W[2], W[5]} * J[2];
        last += W[8] * J[2];
    }
    u[0] = nt[0] + (n[0] + n[1]), u[1] = nt[1] + (t[0] + t[1]), u[2] = last + (s[0] + s[1]);
}

void tl_local_velocity(const tl_local *p, const double (*I)[3], double (*u)[3])
{
    if (is_nothing(p, I)) memcpy(u, p->q, (size_t)p->contacts * sizeof *u);
    else
        for (int i = 0; i < p->contacts; i++) tl_local_velocity_at(p, i, I, u[i]);
}

double tl_local_opening(const tl_local *p, int i, const double u[3]) { return p->convex ? 0 : p->friction[i] * sqrt(u[1] * u[1] + u[2] * u[2]); }

/* Square of the natural map of contact i, not scaled. */
static inline double miss(const tl_local *p, int i, double s, const double I[3], const double u[3])
{
    double F[3];
    tl_coulomb3_natural_map(p->friction[i], s, I, u, F);
    return (F[0] * F[0] + F[1] * F[1] + F[2] * F[2]) / (p->sigma[i] * p->sigma[i]);
}

double tl_local_error_held(const tl_local *p, const double *s, const double (*I)[3], const double (*u)[3])
{
    double squares = 0;
    for (int i = 0; i < p->contacts; i++) squares += miss(p, i, s ? s[i] : tl_local_opening(p, i, u[i]), I[i], u[i]);
    return sqrt(squares) / p->unit;
}

double tl_local_error(const tl_local *p, const double (*I)[3], const double (*u)[3]) { return tl_local_error_held(p, NULL, I, u); }

double tl_local_error_now(const tl_local *p)
{
    const double(*I)[3] = (const double(*)[3])p->I;
    const bool nothing = is_nothing(p, I);
    double squares = 0;
    for (int i = 0; i < p->contacts; i++) {
        double u[3];
        if (nothing) memcpy(u, p->q[i], sizeof u);
        else tl_local_velocity_at(p, i, I, u);
        squares += miss(p, i, tl_local_opening(p, i, u), I[i], u);
    }
    return sqrt(squares) / p->unit;
}
