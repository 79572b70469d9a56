/* The laws of a hold as Newton's method in velocities of bodies asks them (body_hold.h). */
#include "solve/body_hold.h"

#include <math.h>
#include <string.h>

#include "base/math.h"
#include "law/law3.h"
#include "solve/local.h"

static const double JOINT = 1e6; /* ρ of joints, which are linear, in units of 1/W of a row by itself */

bool tl_hold_is_joint(const tl_body_hold *k) { return k->disks == 0 && isinf(k->low) && isinf(k->high); }

void tl_hold_rho(const tl_body_hold *k, double stiff, double *rho)
{
    const double by = tl_hold_is_joint(k) && stiff > 1 ? JOINT : stiff;
    for (int r = 0; r < k->rows; r++) rho[r] = k->own[r] > 0 ? 1 / (k->give[r] + k->own[r] / by) : 0;
    for (int i = 0; i < k->disks; i++) {
        const tl_body_disk *d = &k->disk[i];
        double least = (double)INFINITY;
        for (int r = d->first; r < d->first + d->rows; r++) least = tl_smaller(rho[r], least);
        for (int r = d->first; r < d->first + d->rows; r++) rho[r] = least;
    }
}

void tl_hold_joint(const tl_body_hold *k, double *D)
{
    memset(D, 0, (size_t)(k->rows * k->rows) * sizeof *D);
    for (int r = 0; r < k->rows; r++) D[r * k->rows + r] = k->own[r] > 0 ? 1 / (k->give[r] + k->own[r] / JOINT) : 0;
}

void tl_hold_pull(const tl_body_hold *k, const double *u, double *out)
{
    double D[TL_BODY_ROWS * TL_BODY_ROWS];
    tl_hold_joint(k, D);
    for (int r = 0; r < k->rows; r++) out[r] = -D[r * k->rows + r] * (u[r] + k->give[r] * k->I[r]);
}

/* Tangential rows of one disk, which have no compliance. */
static void answer_disk(const tl_body_hold *k, const tl_body_disk *d, const tl_hold_query *q, double *I, double *D)
{
    const double rho = q->rho[d->first], radius = d->share * tl_larger(q->normal ? *q->normal : I[0], 0);
    const int n = k->rows;
    double y[TL_BODY_ROWS], length = 0;
    for (int r = 0; r < d->rows; r++) {
        y[r] = q->I0[d->first + r] - rho * q->u[d->first + r];
        length += y[r] * y[r];
    }
    length = sqrt(length);
    const double share = length > radius ? radius / length : 1;
    for (int r = 0; r < d->rows; r++) I[d->first + r] = share * y[r];
    for (int r = 0; D && r < d->rows; r++) {
        double *row = &D[(d->first + r) * n];
        for (int c = 0; c < d->rows; c++) row[d->first + c] = rho * share * ((r == c) - (share < 1 ? y[r] * y[c] / (length * length) : 0));
        if (share < 1) row[0] = d->share * y[r] / length * D[0]; /* the disk grows with the normal impulse */
    }
}

void tl_hold_answer(const tl_body_hold *k, const tl_hold_query *q, double *I, double *D)
{
    const int n = k->rows;
    if (D) memset(D, 0, (size_t)(n * n) * sizeof *D);
    for (int r = 0; r < n; r++) { /* those of disks are answered anew */
        const double wanted = q->I0[r] - q->rho[r] * (q->u[r] + k->give[r] * q->I0[r]);
        I[r] = tl_larger(k->low, tl_smaller(wanted, k->high));
        if (D && wanted > k->low && wanted < k->high) D[r * n + r] = q->rho[r];
    }
    for (int i = 0; i < k->disks; i++) answer_disk(k, &k->disk[i], q, I, D);
}

bool tl_hold_is_open(const tl_body_hold *k, const double *I0, const double *u) { return k->disks > 0 && k->low >= 0 && !(I0[0] > 0) && u[0] >= 0; }

bool tl_hold_is_contact(const tl_body_hold *k) { return k->disks == 1 && k->rows == 1 + k->disk[0].rows && k->rows <= 3 && k->low >= 0; }

double tl_hold_error(const tl_body_hold *k, const double *I, const double *u)
{
    tl_hold_rows next, rho;
    double sum = 0;
    if (tl_hold_is_contact(k)) {
        double trace = 0, v[3] = {0}, J[3] = {0};
        for (int r = 0; r < k->rows; r++) trace += k->own[r] + k->give[r], v[r] = u[r] + k->give[r] * I[r], J[r] = I[r];
        const double W = trace / k->rows;
        return W > 0 ? tl_coulomb3_residual(&(tl_delassus3){.nn = W, .tt = W, .ss = W}, k->disk[0].share, v, J) : 0;
    }
    tl_hold_rho(k, 1, rho);
    tl_hold_answer(k, &(tl_hold_query){I, u, rho, I}, next, NULL);
    for (int r = 0; r < k->rows; r++) {
        const double e = rho[r] > 0 ? (I[r] - next[r]) / rho[r] : 0;
        sum += e * e;
    }
    return sqrt(sum);
}
