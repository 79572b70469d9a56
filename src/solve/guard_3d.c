/* What islands keep of their impulses (guard.h), in space. */
#include "solve/guard.h"
#include "solve/packs3.h"

typedef struct guard_task {
    tl_problem3 *p;
    const tl_row3 *without; /* [rows] velocities without the impulses */
    tl_guard *g;
} guard_task;

/* Of packs: half of each contact's impulse times what its velocity is more than without impulses. */
static void measure_range(void *context, int begin, int end, int worker)
{
    const guard_task *task = context;
    const tl_problem3 *p = task->p;
    (void)worker;
    for (int i = begin; i < end; i++) {
        tl_lanes3 u, u0;
        tl_velocities3(p, p->row, i, &u), tl_velocities3(p, task->without, i, &u0);
        for (int lane = 0; lane < TL_LANES; lane++) {
            const int contact = p->base.lane[i * TL_LANES + lane];
            const tl_vec3 change = tl_sub(tl_lane3(&u, lane), tl_lane3(&u0, lane));
            if (contact >= 0) task->g->contact[contact].own = 0.5 * tl_dot(tl_lane3(tl_impulses3(p, i), lane), change);
        }
    }
}

/* Of its impulse every contact keeps the share of its island. */
static void keep_pack(const guard_task *task, int pack)
{
    const tl_problem3 *p = task->p;
    tl_lanes3 *I = tl_impulses3(p, pack), by = {{0}, {0}, {0}};
    for (int lane = 0; lane < TL_LANES; lane++) {
        const int contact = p->base.lane[pack * TL_LANES + lane];
        tl_set_lane3(&by, lane, tl_scale(contact < 0 ? 0 : tl_guard_share_of(task->g, contact) - 1, tl_lane3(I, lane)));
    }
    tl_push3(p, p->row, pack, &by);
    I->x += by.x, I->y += by.y, I->z += by.z;
}

static void keep_packs(void *context, const tl_share *s)
{
    const guard_task *task = context;
    for (int i = s->begin[TL_BALLS3]; i < s->end[TL_BALLS3]; i++) keep_pack(task, i);
    for (int i = s->begin[TL_STONES3]; i < s->end[TL_STONES3]; i++) keep_pack(task, task->p->packs[TL_BALLS3] + i);
}

void tl_guard3_take_back(tl_problem3 *p, tl_guard *g, const tl_velocities *without, tl_step *step)
{
    guard_task task = {p, (const tl_row3 *)without->grain, g};
    tl_guard_blocks_leave(&p->base, without);
    tl_problem3_spread(p, (tl_row3 *)without->grain);
    tl_parallel_for(step->threads, p->all_packs, TL_PARALLEL_PACKS, measure_range, &task);
    tl_guard_coupled_own(g, &p->base, without);
    tl_guard_share(g);
    tl_colors_walk(&p->color, step, keep_packs, &task);
    tl_guard_coupled_keep(g, &p->base);
    tl_problem3_join(p, p->row);
    tl_guard_blocks_keep(g, &p->base);
    tl_problem3_spread(p, p->row);
}
