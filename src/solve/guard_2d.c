/* What islands keep of their impulses (guard.h), in the plane. */
#include "solve/guard.h"
#include "solve/packs2.h"

/* Between these velocities and those without impulses. */
static void measure_own_work(const tl_problem2 *p, const tl_velocities *without, tl_guard *g)
{
    const tl_row2 *row0 = (const tl_row2 *)without->grain;
    for (int i = 0; i < p->packs; i++) {
        const tl_pack2 *k = &p->pack[i];
        tl_lanes n, t, n0, t0;
        p->kernels->velocity(p->row, k, &n, &t);
        p->kernels->velocity(row0, k, &n0, &t0);
        const tl_lanes own = 0.5 * (k->In * (n - n0) + k->It * (t - t0));
        for (int lane = 0; lane < TL_LANES; lane++)
            if (p->base.lane[i * TL_LANES + lane] >= 0) g->contact[p->base.lane[i * TL_LANES + lane]].own = own[lane];
    }
    tl_guard_coupled_own(g, &p->base, without);
}

/* Of its impulses every contact keeps the share of its island. */
static void keep_shares(tl_problem2 *p, const tl_guard *g)
{
    for (int i = 0; i < p->packs; i++) {
        tl_pack2 *k = &p->pack[i];
        tl_lanes share = {0};
        for (int lane = 0; lane < TL_LANES; lane++)
            share[lane] = p->base.lane[i * TL_LANES + lane] < 0 ? 1 : tl_guard_share_of(g, p->base.lane[i * TL_LANES + lane]);
        const tl_lanes n = (share - 1) * k->In, t = (share - 1) * k->It;
        tl_push2(p, p->row, i, n, t);
        k->In += n, k->It += t;
    }
    tl_guard_coupled_keep(g, &p->base);
    tl_guard_blocks_keep(g, &p->base);
}

void tl_guard2_take_back(tl_problem2 *p, tl_guard *g, const tl_velocities *without)
{
    tl_guard_blocks_leave(&p->base, without);
    measure_own_work(p, without, g);
    tl_guard_share(g);
    keep_shares(p, g);
}
