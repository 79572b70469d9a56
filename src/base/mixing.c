/* Anderson's mixing (mixing.h). */
#include "base/mixing.h"

#include <math.h>
#include <string.h>

enum { DEPTH = 5 };
static const double NEGLIGIBLE = 1e-10; /* of the sum of squares: differences that are within those of other passes say nothing more */

struct tl_mixing {
    int n, group, passes, held, next;
    const double *weight;
    double *v, *f; /* [n] of the pass before; v before it was mixed */
    double *dv[DEPTH], *df[DEPTH];
    double products[DEPTH][DEPTH]; /* of df, in the lower triangle */
};

tl_mixing *tl_mixing_open(tl_arena *arena, int n, const double *weight, int group)
{
    tl_mixing *m = tl_arena_alloc(arena, 1, sizeof *m);
    double *room = tl_arena_alloc(arena, (size_t)(2 * DEPTH + 2) * (size_t)n + 1, sizeof *room);
    if (!m || !room) return NULL;
    *m = (tl_mixing){.n = n, .group = group, .weight = weight, .v = room, .f = room + n};
    for (int k = 0; k < DEPTH; k++) m->dv[k] = room + (2 + 2 * k) * n, m->df[k] = m->dv[k] + n;
    return m;
}

void tl_mixing_forget(tl_mixing *m) { m->passes = m->held = m->next = 0; }

const double *tl_mixing_before(const tl_mixing *m) { return m->v; }

static double product(const tl_mixing *m, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < m->n / m->group; i++)
        for (int k = m->group * i; k < m->group * (i + 1); k++) sum += (m->weight ? fabs(m->weight[i]) : 1) * a[k] * b[k];
    return sum;
}

/* Shares γ of the differences: least |f − Σ γ_k df_k|², by Cholesky of their products, without those that say nothing. */
static void find_shares(const tl_mixing *m, const double *f, double share[DEPTH])
{
    double A[DEPTH][DEPTH] = {{0}}, b[DEPTH] = {0}, root[DEPTH] = {0};
    for (int i = 0; i < m->held; i++) {
        b[i] = product(m, m->df[i], f);
        for (int k = 0; k <= i; k++) A[i][k] = m->products[i][k];
        root[i] = NEGLIGIBLE * A[i][i];
    }
    for (int i = 0; i < m->held; i++) {
        for (int k = 0; k < i; k++) {
            for (int j = 0; j < k; j++) A[i][k] -= A[i][j] * A[k][j];
            A[i][k] = A[k][k] > 0 ? A[i][k] / A[k][k] : 0;
        }
        for (int j = 0; j < i; j++) A[i][i] -= A[i][j] * A[i][j];
        A[i][i] = A[i][i] > root[i] ? sqrt(A[i][i]) : 0;
        for (int j = 0; j < i; j++) b[i] -= A[i][j] * b[j];
        b[i] = A[i][i] > 0 ? b[i] / A[i][i] : 0;
    }
    for (int i = m->held - 1; i >= 0; i--) {
        share[i] = b[i];
        for (int j = i + 1; j < m->held; j++) share[i] -= A[j][i] * share[j];
        share[i] = A[i][i] > 0 ? share[i] / A[i][i] : 0;
    }
}

/* The differences of this pass from the one before, in place of the oldest. */
static void take_pass(tl_mixing *m, const double *f, const double *v)
{
    const int at = m->next;
    for (int i = 0; i < m->n; i++) m->dv[at][i] = v[i] - m->v[i], m->df[at][i] = f[i] - m->f[i];
    m->next = (at + 1) % DEPTH;
    m->held += m->held < DEPTH;
    for (int k = 0; k <= at; k++) m->products[at][k] = product(m, m->df[at], m->df[k]);
    for (int i = at + 1; i < m->held; i++) m->products[i][at] = product(m, m->df[i], m->df[at]);
}

void tl_mixing_mix(tl_mixing *m, const double *f, double *v)
{
    double share[DEPTH] = {0};
    if (m->passes++ > 0) {
        take_pass(m, f, v);
        find_shares(m, f, share);
    }
    memcpy(m->v, v, (size_t)m->n * sizeof *v), memcpy(m->f, f, (size_t)m->n * sizeof *f);
    for (int i = 0; i < m->n; i++) v[i] += f[i];
    for (int k = 0; k < m->held; k++)
        for (int i = 0; share[k] != 0 && i < m->n; i++) v[i] -= share[k] * (m->dv[k][i] + m->df[k][i]);
}
