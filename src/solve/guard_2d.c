/* What islands keep of their impulses (guard.h), in the plane. */
#include "solve/guard.h"
#include "solve/packs2.h"

typedef struct guard_task {
    tl_problem2 *p;
    const tl_row2 *without; /* [rows] velocities without the impulses */
    tl_guard *g;
} guard_task;

/* Of packs: half of each contact's impulse times what its velocity is more than without impulses. */
static void measure_range(void *context, int begin, int end, int worker)
{
    const guard_task *task = context;
    const tl_problem2 *p = task->p;
    (void)worker;
    for (int i = begin; i < end; i++) {
        const tl_pack2 *k = &p->pack[i];
        tl_lanes n, t, n0, t0;
        p->kernels->velocity(p->row, k, &n, &t);
        p->kernels->velocity(task->without, k, &n0, &t0);
        const tl_lanes own = 0.5 * (k->In * (n - n0) + k->It * (t - t0));
        for (int lane = 0; lane < TL_LANES; lane++)
            if (p->base.lane[i * TL_LANES + lane] >= 0) task->g->contact[p->base.lane[i * TL_LANES + lane]].own = own[lane];
    }
}

/* Of its impulse every contact keeps the share of its island. */
static void keep_packs(void *context, const tl_share *s)
{
    const guard_task *task = context;
    const tl_problem2 *p = task->p;
    for (int i = s->begin[0]; i < s->end[0]; i++) {
        tl_pack2 *k = &p->pack[i];
        tl_lanes share = {0};
        for (int lane = 0; lane < TL_LANES; lane++)
            share[lane] = p->base.lane[i * TL_LANES + lane] < 0 ? 1 : tl_guard_share_of(task->g, p->base.lane[i * TL_LANES + lane]);
        const tl_lanes n = (share - 1) * k->In, t = (share - 1) * k->It;
        tl_push2(p, p->row, i, n, t);
        k->In += n, k->It += t;
    }
}

void tl_guard2_take_back(tl_problem2 *p, tl_guard *g, const tl_velocities *without, tl_step *step)
{
    guard_task task = {p, (const tl_row2 *)without->grain, g};
    tl_guard_blocks_leave(&p->base, without);
    tl_parallel_for(step->threads, p->packs, TL_PARALLEL_PACKS, measure_range, &task);
    tl_guard_coupled_own(g, &p->base, without);
    tl_guard_share(g);
    tl_colors_walk(&p->color, step, keep_packs, &task);
    tl_guard_coupled_keep(g, &p->base);
    tl_guard_blocks_keep(g, &p->base);
}
