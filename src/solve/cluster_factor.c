/* The dense factor of a cluster's joints, kept from step to step (cluster.h). */
#include "solve/cluster_internal.h"

#include <math.h>
#include <string.h>

#include "base/products.h"

static const double REDUNDANT = 1e-11; /* of the diagonal: added, so that joints which say the same twice leave it a factor */

/* Row `row` of L by those before it: x ← L⁻¹ x over the first n. */
void tl_cluster_substitute(const double *L, int held, int n, double *x)
{
    for (int i = 0; i < n; i += 4) {
        double sum[4] = {0, 0, 0, 0};
        const double *row[4];
        for (int k = 0; k < 4; k++) row[k] = L + (size_t)(i + k < n ? i + k : i) * (size_t)held;
        tl_add_products(row, x, i, sum);
        for (int k = 0; k < 4 && i + k < n; k++) {
            for (int j = i; j < i + k; j++) sum[k] += row[k][j] * x[j];
            x[i + k] = (x[i + k] - sum[k]) / row[k][i + k];
        }
    }
}

/* x ← L⁻ᵀ x */
void tl_cluster_substitute_back(const double *L, int held, double *x)
{
    for (int i = held - 1; i >= 0; i--) {
        const double *row = L + (size_t)i * (size_t)held;
        x[i] /= row[i];
        for (int j = 0; j < i; j++) x[j] -= row[j] * x[i];
    }
}

static bool factor(struct tl_cluster_factor *f, double damping)
{
    const size_t n = (size_t)f->held;
    memcpy(f->L, f->A, n * n * sizeof *f->L);
    for (int i = 0; i < f->held; i++) {
        double *row = f->L + (size_t)i * n, sum = row[i] + damping;
        tl_cluster_substitute(f->L, f->held, i, row);
        for (int j = 0; j < i; j++) sum -= row[j] * row[j];
        if (!(sum > 0) || !isfinite(sum)) return false;
        row[i] = sqrt(sum);
    }
    return true;
}

static void free_factor(struct tl_cluster_factor *f, tl_memory memory)
{
    tl_free(memory, f->A);
    tl_free(memory, f->L);
    f->A = f->L = NULL;
}

void tl_cluster_factors_free(tl_blocks *b, tl_memory memory)
{
    for (int i = 0; i < b->kept_count; i++) free_factor(&b->kept[i], memory);
    tl_free(memory, b->kept);
    b->kept = NULL;
    b->kept_count = 0;
}

/* A factor of the scaled A [held]², that of the step before where A is the same. */
talus_status tl_cluster_find_factor(tl_problem *p, tl_cluster *c, const double *A, tl_step *step)
{
    enum { TRIES = 5 }; /* dampings, to a thousandth of the diagonal */
    tl_blocks *b = p->blocks;
    const size_t n = (size_t)c->held;
    struct tl_cluster_factor *f = NULL;
    if (!b->kept) {
        b->kept = tl_alloc(step->memory, (size_t)p->matters, sizeof *b->kept);
        if (!b->kept) return tl_cluster_no_memory(step);
        b->kept_count = p->matters;
    }
    f = &b->kept[c->lead];
    c->factor = f;
    if (f->A && f->held == c->held && memcmp(f->A, A, n * n * sizeof *A) == 0) return TALUS_OK;
    if (!f->A || f->held != c->held) {
        free_factor(f, step->memory);
        f->A = tl_alloc(step->memory, n * n + 1, sizeof *f->A);
        f->L = tl_alloc(step->memory, n * n + 1, sizeof *f->L);
        if (!f->A || !f->L) {
            free_factor(f, step->memory);
            return tl_cluster_no_memory(step);
        }
        f->held = c->held;
    }
    memcpy(f->A, A, n * n * sizeof *A);
    double damping = REDUNDANT;
    for (int i = 0; i < TRIES; i++, damping *= 100)
        if (factor(f, damping)) return TALUS_OK;
    free_factor(f, step->memory);
    return tl_fail(step->error, TALUS_SINGULAR, "the joints of a solid have no finite operator: is a mass or an inertia not a number?");
}
