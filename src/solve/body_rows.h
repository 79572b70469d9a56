/* From the problem of a step to velocities of bodies, and back (body_problem.h). */
#ifndef TL_BODY_ROWS_H
#define TL_BODY_ROWS_H

#include "solve/body_problem.h"
#include "solve/problem.h"

/* While its constraints are bound: `late` says whether velocities of bodies are tried before sweeps. They are where that is asked for, and where joints between
 * bodies hold most of what contacts press, and these are not too many; where that is so of some islands alone, as of a machine beside a heap, they are confined
 * to these (chosen_groups). MEMORY. */
TALUS_NODISCARD talus_status tl_bodies_choose(tl_problem *, tl_step *);
/* From bind on: can they be tried? */
bool tl_bodies_can(const tl_problem *);
/* UNSUPPORTED, with the reason, where they cannot. */
TALUS_NODISCARD talus_status tl_bodies_refuse(const tl_problem *, tl_step *);
/* Solves it from the present impulses, which stay where errors would grow, in so many steps at most. residual, converged and iterations say how it went.
 * MEMORY. */
TALUS_NODISCARD talus_status tl_bodies_solve(tl_problem *, int most, tl_step *);

#endif
