/* From the problem of a step to velocities of bodies, and back (body_problem.h). */
#ifndef TL_BODY_ROWS_H
#define TL_BODY_ROWS_H

#include "solve/body_problem.h"
#include "solve/problem.h"

/* While its constraints are bound: are velocities of bodies tried before sweeps? Where that is asked for, and where joints between bodies hold most of what
 * contacts press, and these are not too many. */
bool tl_bodies_are_first(const tl_problem *);
/* From bind on: can they be tried? */
bool tl_bodies_can(const tl_problem *);
/* UNSUPPORTED, with the reason, where they cannot. */
TALUS_NODISCARD talus_status tl_bodies_refuse(const tl_problem *, tl_step *);
/* Solves it from the present impulses, which stay where errors would grow, in so many steps at most. residual, converged and iterations say how it went.
 * MEMORY. */
TALUS_NODISCARD talus_status tl_bodies_solve(tl_problem *, int most, tl_step *);

#endif
