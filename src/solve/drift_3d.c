/* Drift in space (drift.h). */
#include "solve/drift.h"
#include "solve/packs3.h"

typedef struct drift {
    tl_problem3 *p;
    tl_row3 *row; /* M^{1/2} w                    */
    tl_drift swept;
} drift;

static void drift_packs(void *context, const tl_share *s)
{
    const drift *d = context;
    const tl_problem3 *p = d->p;
    const int balls = p->packs[TL_BALLS3];
    p->kernels->drift_balls(d->row, p->ball, d->swept.goal, d->swept.I, s->begin[TL_BALLS3], s->end[TL_BALLS3]);
    p->kernels->drift(d->row, p->pack, d->swept.goal + balls, d->swept.I + balls, s->begin[TL_STONES3], s->end[TL_STONES3]);
}

static void sweep(drift *d, tl_step *step, bool first)
{
    tl_problem3 *p = d->p;
    tl_colors_walk(&p->color, step, drift_packs, d);
    const tl_velocities w = {d->row->v, d->swept.w};
    tl_problem_drift_coupled(&p->base, &w);
    tl_problem3_join(p, d->row);
    if (p->base.blocks) tl_blocks_drift(p->base.blocks, &w, first);
    tl_problem3_spread(p, d->row);
}

talus_status tl_drift3_solve(tl_problem3 *p, tl_step *step, tl_twist3 *w_grains, double *const *w)
{
    const tl_arena_place mark = tl_arena_mark(step->arena);
    drift d = {.p = p, .row = tl_arena_zero(step->arena, (size_t)p->base.rows, sizeof *d.row)};
    if (!d.row) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d bodies", p->base.bodies);
    for (int i = 0; i < p->base.rows; i++) d.row[i].s = p->row[i].s;
    TL_TRY(tl_problem_drift_begin(&p->base, w, step, &d.swept));
    for (int i = 0; i < tl_drift_sweeps(p->base.drift_whole); i++) sweep(&d, step, i == 0);
    tl_problem_recover_drift(&p->base, &(tl_velocities){d.row->v, w});
    for (int i = 0; i < p->base.bodies; i++) w_grains[i] = tl_row3_twist(p, i, &d.row[i]);
    tl_arena_release(step->arena, mark);
    return TALUS_OK;
}
