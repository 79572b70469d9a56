/* Drift in the plane (drift.h). */
#include "solve/drift.h"
#include "solve/packs2.h"

typedef struct drift {
    tl_problem2 *p;
    tl_row2 *row; /* M^{1/2} w                    */
    tl_drift swept;
} drift;

static void drift_packs(void *context, const tl_share *s)
{
    const drift *d = context;
    d->p->kernels->drift(d->row, d->p->pack, d->swept.goal, d->swept.I, s->begin[0], s->end[0]);
}

static void sweep(drift *d, tl_step *step, bool first)
{
    tl_problem2 *p = d->p;
    tl_colors_walk(&p->color, step, drift_packs, d);
    const tl_velocities w = {&d->row->x, d->swept.w};
    tl_problem_drift_coupled(&p->base, &w);
    if (p->base.blocks) tl_blocks_drift(p->base.blocks, &w, first);
}

talus_status tl_drift2_solve(tl_problem2 *p, tl_step *step, tl_twist2 *w_grains, double *const *w)
{
    drift d = {.p = p, .row = tl_arena_zero(step->arena, (size_t)p->base.rows, sizeof *d.row)};
    if (!d.row) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d bodies", p->base.bodies);
    for (int i = 0; i < p->base.rows; i++) d.row[i].s = p->row[i].s;
    TL_TRY(tl_problem_drift_begin(&p->base, w, step, &d.swept));
    for (int i = 0; i < tl_drift_sweeps(p->base.drift_whole); i++) sweep(&d, step, i == 0);
    tl_problem_recover_drift(&p->base, &(tl_velocities){&d.row->x, w});
    for (int i = 0; i < p->base.bodies; i++) w_grains[i] = (tl_twist2){p->s[i] * d.row[i].x, p->s[i] * d.row[i].y, p->j[i] * d.row[i].w};
    return TALUS_OK;
}
