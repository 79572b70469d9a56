/* From the problem of a step, in rows, to the problem with the bodies' velocities in it: FCLIB's global one (talus/problem.h). */
#ifndef TL_GLOBAL_ROWS_H
#define TL_GLOBAL_ROWS_H

#include "solve/local_rows.h"

/* What the rows of a group leave out. */
typedef struct tl_global_group {
    int size;      /* numbers of its velocity; 0: none of its ends is in the problem                   */
    bool is_grain; /* mass [size], and H is scaled by mass^{-1/2}; else mass [size][size], H as it is */
    const double *mass, *v_free, *v;
} tl_global_group;

/* Those of a grain, whose velocities are kept as M^{1/2} v; copies. A rate without inertia (inverse mass 0) has mass 1 and no motion here. MEMORY. */
TALUS_NODISCARD talus_status tl_global_grain(int size, const double *inverse_mass, const double *scaled_free, const double *scaled, tl_step *,
                                             tl_global_group *);
/* Those of other matter; v stays the caller's. UNSUPPORTED: matter that does not say its mass; MEMORY. */
TALUS_NODISCARD talus_status tl_global_matter(const tl_matter *, const double *v_free, const double *v, tl_step *, tl_global_group *);

/* M, H, f, w; all in the step's arena. group [rows.groups]. */
TALUS_NODISCARD talus_status tl_global_rows_assemble(const tl_local_rows *, const tl_global_group *group, tl_step *, talus_global_problem *out);

TALUS_NODISCARD talus_status tl_problem_global(const tl_problem *, tl_step *, talus_global_problem *out);

#endif
