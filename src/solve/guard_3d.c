/* What islands keep of their impulses (guard.h), in space. */
#include "solve/guard.h"
#include "solve/packs3.h"

/* Between these velocities and those without impulses. */
static void measure_own_work(const tl_problem3 *p, const tl_velocities *without, tl_guard *g)
{
    const tl_row3 *row0 = (const tl_row3 *)without->grain;
    for (int i = 0; i < p->all_packs; i++) {
        tl_lanes3 u, u0;
        tl_velocities3(p, p->row, i, &u), tl_velocities3(p, row0, i, &u0);
        for (int lane = 0; lane < TL_LANES; lane++) {
            const int contact = p->base.lane[i * TL_LANES + lane];
            if (contact >= 0) g->contact[contact].own = 0.5 * tl_dot(tl_lane3(tl_impulses3(p, i), lane), tl_sub(tl_lane3(&u, lane), tl_lane3(&u0, lane)));
        }
    }
    tl_guard_coupled_own(g, &p->base, without);
}

/* Of its impulses every contact keeps the share of its island. */
static void keep_shares(tl_problem3 *p, const tl_guard *g)
{
    for (int i = 0; i < p->all_packs; i++) {
        tl_lanes3 *I = tl_impulses3(p, i), by = {{0}, {0}, {0}};
        for (int lane = 0; lane < TL_LANES; lane++) {
            const int contact = p->base.lane[i * TL_LANES + lane];
            tl_set_lane3(&by, lane, tl_scale(contact < 0 ? 0 : tl_guard_share_of(g, contact) - 1, tl_lane3(I, lane)));
        }
        tl_push3(p, p->row, i, &by);
        I->x += by.x, I->y += by.y, I->z += by.z;
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
