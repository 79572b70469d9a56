/* Drift in the plane (drift.h). */
#include "solve/drift.h"
#include "solve/packs2.h"

typedef struct drift {
    tl_problem2 *p;
    tl_row2 *row;       /* M^{1/2} w                    */
    tl_lanes *goal, *I; /* per pack                     */
    double *const *w;
    int first;
} drift;

static void drift_range(void *context, int begin, int end, int worker)
{
    const drift *d = context;
    (void)worker;
    d->p->kernels->drift(d->row, d->p->pack, d->goal, d->I, d->first + begin, d->first + end);
}

static void sweep(drift *d, tl_step *step, bool first)
{
    tl_problem2 *p = d->p;
    for (int k = 0; k < p->colors; k++) {
        d->first = p->color_begin[k];
        tl_parallel_for(step->threads, p->color_begin[k + 1] - d->first, TL_PARALLEL_PACKS, drift_range, d);
    }
    d->first = 0;
    drift_range(d, p->color_begin[TL_COLORS], p->packs, 0);
    const tl_velocities w = {&d->row->x, d->w};
    tl_problem_drift_coupled(&p->base, &w);
    if (p->base.blocks) tl_blocks_drift(p->base.blocks, &w, first);
}

talus_status tl_drift2_solve(tl_problem2 *p, tl_step *step, tl_twist2 *w_grains, double *const *w)
{
    drift d = {.p = p, .w = w};
    d.row = tl_arena_zero(step->arena, (size_t)p->base.bodies + 1, sizeof *d.row);
    d.goal = tl_arena_alloc(step->arena, (size_t)p->packs, sizeof *d.goal);
    d.I = tl_arena_zero(step->arena, (size_t)p->packs, sizeof *d.I);
    if (!d.row || !d.goal || !d.I) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->base.contacts);
    for (int i = 0; i < p->packs * TL_LANES; i++)
        d.goal[i / TL_LANES][i % TL_LANES] = p->base.lane[i] < 0 ? 0 : tl_problem_drift_goal(&p->base, &p->base.contact[p->base.lane[i]]);
    TL_TRY(tl_stand_ins_zero(&p->base.given, p->base.matters, w, step, &d.w));
    for (int i = 0; i < p->base.coupleds; i++) p->base.coupled[i].drift = 0;
    if (p->base.blocks) p->base.blocks->slop = p->base.slop;
    for (int i = 0; i < TL_DRIFT_SWEEPS; i++) sweep(&d, step, i == 0);
    tl_problem_recover_drift(&p->base, w);
    for (int i = 0; i < p->base.bodies; i++) w_grains[i] = (tl_twist2){p->s[i] * d.row[i].x, p->s[i] * d.row[i].y, p->j[i] * d.row[i].w};
    return TALUS_OK;
}
