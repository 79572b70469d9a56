/* The stiffness of a mechanism about a configuration at rest, for the search for equilibrium (step/still.c):
 *
 *     K = −∂(Tᵀ f)/∂q_u,
 *
 * by central differences along the motions that its loops allow. So it has everything that forces change with: springs, laws, the weight of links that swing,
 * loads that turn, and how loops pass forces on. K is symmetric where forces have a potential; of others the symmetric part counts. */
#include <string.h>

#include "matter/mechanism_internal.h"

static const double NUDGE = 1e-5; /* [rad]; of lengths, times the mechanism's reach [m] */
enum { GROWTHS = 40 };

/* Forces at q_n and `by` times the motion of one independent rate. */
static talus_status pull_beside(tl_mechanism *m, tl_step *step, const double *way, double by, double *out)
{
    for (int i = 0; i < m->n; i++) m->dv[i] = by * way[i];
    tl_tree_move(m, m->q_m, m->dv);
    TL_TRY(tl_partition_close(m, m->q_m, &m->mid, "beside its start", step->error));
    TL_TRY(tl_partition_factor(m, &m->mid, step->error));
    tl_tree_inertia(m, &m->mid, m->own);
    tl_mechanism_pull(m, step, step->t, out);
    return TALUS_OK;
}

/* Where nothing is nudged, to the bit. */
static talus_status go_back(tl_mechanism *m, tl_step *step, const double *q)
{
    memcpy(m->q_m, q, (size_t)m->nq * sizeof *q);
    tl_tree_place(m, m->q_m, &m->mid);
    TL_TRY(tl_partition_factor(m, &m->mid, step->error));
    tl_tree_inertia(m, &m->mid, m->own);
    return TALUS_OK;
}

/* K [nu × nu], not yet symmetric. */
static talus_status differences(tl_mechanism *m, tl_step *step, double *K)
{
    const int n = m->n, nu = m->nu;
    double *q = tl_arena_alloc(step->arena, (size_t)m->nq + 1, sizeof *q), *way = tl_arena_alloc(step->arena, (size_t)n + 1, sizeof *way);
    double *side = tl_arena_alloc(step->arena, 2 * (size_t)nu + 1, sizeof *side), *T = tl_arena_alloc(step->arena, (size_t)(n * nu) + 1, sizeof *T);
    if (!q || !way || !side || !T) return tl_fail(step->error, TALUS_MEMORY, "no memory for the stiffness of mechanism '%s'", m->name);
    memcpy(q, m->q_m, (size_t)m->nq * sizeof *q);
    memcpy(T, m->T, (size_t)(n * nu) * sizeof *T);
    for (int j = 0; j < nu; j++) {
        const double nudge = NUDGE * (m->is_angle[m->u[j]] ? 1 : m->reach);
        for (int i = 0; i < n; i++) way[i] = T[i * nu + j];
        for (int k = 0; k < 2; k++) {
            memcpy(m->q_m, q, (size_t)m->nq * sizeof *q);
            TL_TRY(pull_beside(m, step, way, k ? nudge : -nudge, side + k * nu));
        }
        for (int i = 0; i < nu; i++) K[i * nu + j] = (side[i] - side[nu + i]) / (2 * nudge);
    }
    return go_back(m, step, q);
}

/* Where K takes more than inertia gives, inertia counts more, until the sum is positive: the pass then goes less far, downhill all the same. */
talus_status tl_mechanism_stiffen(tl_mechanism *m, tl_step *step)
{
    const int nu = m->nu;
    const size_t size = (size_t)nu * (size_t)nu;
    if (nu == 0) return TALUS_OK;
    double *M = tl_arena_alloc(step->arena, size, sizeof *M), *K = tl_arena_alloc(step->arena, size, sizeof *K);
    if (!M || !K) return tl_fail(step->error, TALUS_MEMORY, "no memory for the stiffness of mechanism '%s'", m->name);
    m->matter.ops->mass(&m->matter, M);
    TL_TRY(differences(m, step, K));
    double more = 1;
    for (int k = 0; k < GROWTHS; k++, more *= 4) {
        for (int i = 0; i < nu; i++)
            for (int j = 0; j < nu; j++) m->Mred[i * nu + j] = more * M[i * nu + j] + 0.5 * step->h * step->h * (K[i * nu + j] + K[j * nu + i]);
        if (tl_cholesky(m->Mred, nu) == nu) return TALUS_OK;
    }
    return tl_fail(step->error, TALUS_SINGULAR, "mechanism '%s': its forces change too fast with its configuration for an equilibrium to be found", m->name);
}
