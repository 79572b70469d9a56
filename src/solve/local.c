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
    if (p->row && p->column && p->diagonal && p->block && p->q && p->friction && p->sigma && p->law && p->I) return TALUS_OK;
    tl_local_destroy(p);
    return tl_fail(error, TALUS_MEMORY, "no memory for a problem of %d contacts", contacts);
}

void tl_local_destroy(tl_local *p)
{
    void *const all[] = {p->row, p->column, p->diagonal, p->block, p->q, p->friction, p->sigma, p->law, p->I};
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

void tl_local_velocity(const tl_local *p, const double (*I)[3], double (*u)[3])
{
    if (is_nothing(p, I)) {
        memcpy(u, p->q, (size_t)p->contacts * sizeof *u);
        return;
    }
    for (int i = 0; i < p->contacts; i++) {
        double sum[3] = {p->q[i][0], p->q[i][1], p->q[i][2]};
        for (int k = p->row[i]; k < p->row[i + 1]; k++) {
            const double *W = p->block[k], *J = I[p->column[k]];
            for (int m = 0; m < 3; m++) sum[m] += W[3 * m] * J[0] + W[3 * m + 1] * J[1] + W[3 * m + 2] * J[2];
        }
        memcpy(u[i], sum, sizeof sum);
    }
}

double tl_local_opening(const tl_local *p, int i, const double u[3]) { return p->convex ? 0 : p->friction[i] * sqrt(u[1] * u[1] + u[2] * u[2]); }

void tl_local_natural_map(double mu, double s, const double I[3], const double u[3], double F[3])
{
    double projected[3] = {I[0] - (u[0] + s), I[1] - u[1], I[2] - u[2]};
    tl_cone3_project(mu, projected);
    for (int m = 0; m < 3; m++) F[m] = I[m] - projected[m];
}

double tl_local_error_held(const tl_local *p, const double *s, const double (*I)[3], const double (*u)[3])
{
    double squares = 0;
    for (int i = 0; i < p->contacts; i++) {
        double F[3];
        tl_local_natural_map(p->friction[i], s ? s[i] : tl_local_opening(p, i, u[i]), I[i], u[i], F);
        squares += (F[0] * F[0] + F[1] * F[1] + F[2] * F[2]) / (p->sigma[i] * p->sigma[i]);
    }
    return sqrt(squares) / p->unit;
}

double tl_local_error(const tl_local *p, const double (*I)[3], const double (*u)[3]) { return tl_local_error_held(p, NULL, I, u); }
