/* What binding and colouring a planar problem both need of it. */
#ifndef TL_BIND2_H
#define TL_BIND2_H

#include "solve/problem2.h"

static inline bool tl_moves2(const tl_problem2 *p, tl_place end)
{
    return end.matter != 0 || p->inverse_mass[end.item] > 0 || p->inverse_inertia[end.item] > 0;
}

/* blocks_2d.c: which contacts are constraints, before rows are bound; then all constraints, those that are given first. MEMORY. */
TALUS_NODISCARD talus_status tl_problem2_choose_blocks(tl_problem2 *, tl_step *);
TALUS_NODISCARD talus_status tl_problem2_bind_blocks(tl_problem2 *, tl_step *);

#endif
