/* The whole space and intervals of impulses (set.h). */
#include "law/set.h"

#include <math.h>

#include "base/math.h"

static double clamp(const tl_own_problem *p, double I) { return fmax(p->low, fmin(p->high, I)); }

/* Row after row, each exactly at its turn. One row needs one turn; of several, which only constraints that no factor takes have, a few dozen come to rounding
 * unless they nearly say the same. */
static void solve(const tl_own_problem *p, const double *u, double *I)
{
    enum { TURNS = 40 };
    const int n = p->rows;
    for (int turn = 0; turn < (n == 1 ? 1 : TURNS); turn++)
        for (int r = 0; r < n; r++) {
            const double own = p->W[r * n + r];
            double rest = u[r];
            if (!(own > 0)) continue; /* it stays as it was bound */
            for (int k = 0; k < n; k++)
                if (k != r) rest += p->W[r * n + k] * I[k];
            I[r] = clamp(p, -rest / own);
        }
}

static double residual(const tl_own_problem *p, const double *u, const double *I)
{
    double sum = 0;
    for (int r = 0; r < p->rows; r++) {
        const double own = p->W[r * p->rows + r];
        if (!(own > 0)) continue;
        const double error = own * (I[r] - clamp(p, I[r] - u[r] / own));
        sum += error * error;
    }
    return sqrt(sum);
}

static void solve_whole(const tl_own_problem *p, const double *u, double *I)
{
    double W[TL_ROWS * TL_ROWS], x[TL_ROWS];
    int row[TL_ROWS], n = 0;
    for (int r = 0; r < p->rows; r++) {
        I[r] = 0;
        if (p->W[r * p->rows + r] > 0) row[n++] = r;
    }
    for (int i = 0; i < n; i++) {
        x[i] = -u[row[i]];
        for (int k = 0; k < n; k++) W[i * n + k] = p->W[row[i] * p->rows + row[k]] * (i == k ? 1 + 1e-12 : 1);
    }
    if (tl_cholesky(W, n) < n) return;
    tl_cholesky_solve(W, n, x);
    for (int i = 0; i < n; i++) I[row[i]] = x[i];
}

static double residual_whole(const tl_own_problem *p, const double *u, const double *I)
{
    double sum = 0;
    (void)I;
    for (int r = 0; r < p->rows; r++) sum += p->W[r * p->rows + r] > 0 ? u[r] * u[r] : 0;
    return sqrt(sum);
}

const tl_set TL_WHOLE_SPACE = {"whole space", solve_whole, residual_whole};
const tl_set TL_INTERVAL = {"interval", solve, residual};
