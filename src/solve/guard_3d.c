/* What islands keep of their impulses where joints, or contacts that are constraints, are among them (guard.h), in space. */
#include "solve/guard.h"
#include "solve/packs3.h"

/* Between these velocities u and those without impulses, of a pack. */
static void own_work_of(const tl_problem3 *p, int pack, const tl_lanes3 *I, const tl_lanes3 *u, const tl_lanes3 *u0, tl_guard *g)
{
    for (int lane = 0; lane < TL_LANES; lane++) {
        const int contact = p->base.lane[pack * TL_LANES + lane];
        if (contact >= 0) g->contact[contact].own = 0.5 * tl_dot(tl_lane3(I, lane), tl_sub(tl_lane3(u, lane), tl_lane3(u0, lane)));
    }
}

static void measure_own_work(const tl_problem3 *p, const tl_velocities *without, tl_guard *g)
{
    const tl_row3 *row0 = (const tl_row3 *)without->grain;
    const int balls = p->packs[TL_BALLS3];
    for (int i = 0; i < p->all_packs; i++) {
        tl_lanes3 u, u0;
        if (i < balls) p->kernels->velocity_balls(p->row, &p->ball[i], &u), p->kernels->velocity_balls(row0, &p->ball[i], &u0);
        else p->kernels->velocity(p->row, &p->pack[i - balls], &u), p->kernels->velocity(row0, &p->pack[i - balls], &u0);
        own_work_of(p, i, i < balls ? &p->ball[i].I : &p->pack[i - balls].I, &u, &u0, g);
    }
    tl_guard_coupled_own(g, &p->base, without);
}

/* Of its impulses every contact keeps the share of its island: of a pack the change to that. */
static tl_lanes3 less_of(const tl_problem3 *p, int pack, const tl_lanes3 *I, const tl_guard *g)
{
    tl_lanes3 change = *I;
    for (int lane = 0; lane < TL_LANES; lane++) {
        const int contact = p->base.lane[pack * TL_LANES + lane];
        tl_set_lane3(&change, lane, tl_scale(contact < 0 ? 0 : tl_guard_share_of(g, contact) - 1, tl_lane3(I, lane)));
    }
    return change;
}

static void add_lanes(tl_lanes3 *to, const tl_lanes3 *change) { to->x += change->x, to->y += change->y, to->z += change->z; }

static void keep_shares(tl_problem3 *p, const tl_guard *g)
{
    const int balls = p->packs[TL_BALLS3];
    for (int i = 0; i < balls; i++) {
        tl_balls3 change = p->ball[i];
        change.I = less_of(p, i, &p->ball[i].I, g);
        p->kernels->start_balls(p->row, &change, 0, 1);
        add_lanes(&p->ball[i].I, &change.I);
    }
    for (int i = 0; i < p->packs[TL_STONES3]; i++) {
        tl_pack3 change = p->pack[i];
        change.I = less_of(p, balls + i, &p->pack[i].I, g);
        p->kernels->start(p->row, &change, 0, 1);
        add_lanes(&p->pack[i].I, &change.I);
    }
    tl_guard_coupled_keep(g, &p->base);
    tl_problem3_join(p, p->row);
    tl_guard_blocks_keep(g, &p->base);
    tl_problem3_spread(p, p->row);
}

void tl_guard3_take_back(tl_problem3 *p, tl_guard *g, const tl_velocities *without)
{
    tl_guard_blocks_leave(&p->base, without);
    tl_problem3_spread(p, (tl_row3 *)without->grain);
    measure_own_work(p, without, g);
    tl_guard_share(g);
    keep_shares(p, g);
}
