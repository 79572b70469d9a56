/* From the problem of a step to velocities of bodies, and back (body_problem.h). */
#ifndef TL_BODY_ROWS_H
#define TL_BODY_ROWS_H

#include "solve/body_problem.h"
#include "solve/problem.h"

/* Is it a problem for velocities of bodies? Of those with joints between bodies, and not too many contacts. */
bool tl_bodies_suit(const tl_problem *);
/* Solves it from the present impulses, which stay where errors would grow. residual, converged and iterations say how it went. MEMORY. */
TALUS_NODISCARD talus_status tl_bodies_solve(tl_problem *, tl_step *);

#endif
