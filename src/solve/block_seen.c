/* What some joints are to each other with all other joints holding (block.h). */
#include <string.h>

#include "base/math.h"
#include "solve/block.h"
#include "solve/cluster.h"

const tl_block *tl_blocks_at(const tl_blocks *b, int constraint)
{
    const tl_block *own = b->block[constraint].elsewhere ? tl_clusters_block(b->clusters, constraint) : NULL;
    return own ? own : &b->block[constraint];
}

/* Impulses of the constraints by which all joints hold while one of them, the k-th, has the velocity −1: column k of (G M̃⁻¹ Gᵀ + Σ)⁻¹. */
static void find_column(tl_blocks *b, const int *constraint, int n, int k, double *out)
{
    const tl_block *own = &b->block[constraint[k]];
    for (int i = 0; i < n; i++) out[i] = 0;
    if (own->elsewhere) tl_clusters_column(b->clusters, constraint, n, k, out);
    if (!own->direct || b->unknowns == 0) return;
    memset(b->x, 0, (size_t)b->unknowns * sizeof *b->x);
    b->x[own->unknown][0] = tl_block_scale(own, 0);
    tl_sparse3_solve(b->factor, b->x);
    for (int i = 0; i < n; i++) {
        const tl_block *other = &b->block[constraint[i]];
        if (other->direct) out[i] = tl_block_scale(other, 0) * b->x[other->unknown][0];
    }
}

/* The inverse of the part of (G M̃⁻¹ Gᵀ + Σ)⁻¹ that belongs to these rows is their operator with all others eliminated. */
bool tl_blocks_seen(tl_blocks *b, const int *constraint, int n, double *scratch, double *seen)
{
    double *S = scratch, *scale = scratch + n * n, *x = scale + n;
    for (int k = 0; k < n; k++) find_column(b, constraint, n, k, S + k * n);
    for (int k = 0; k < n; k++) {
        if (!(S[k * n + k] > 0)) return false;
        scale[k] = 1 / sqrt(S[k * n + k]);
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) S[i * n + k] *= scale[i] * scale[k];
    if (tl_cholesky(S, n) < n) return false;
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < n; i++) x[i] = i == k ? 1 : 0;
        tl_cholesky_solve(S, n, x);
        seen[k] = x[k] * scale[k] * scale[k];
    }
    return true;
}
