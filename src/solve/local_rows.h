/* From the problem of a step, in rows, to the problem as a value, in blocks of W (talus/problem.h). */
#ifndef TL_LOCAL_ROWS_H
#define TL_LOCAL_ROWS_H

#include "matter/matter.h"
#include "solve/local.h"
#include "solve/problem2.h"
#include "solve/problem3.h"
#include "talus/problem.h"

/* What an end of a contact reads of the velocities of its group, and what an impulse does to them: H and Y = M⁻¹ H, [dimension][size]. A group: a grain, or all
 * of a mechanism. W_ij is the sum of ± H_i Y_jᵀ over ends of the same group. */
typedef struct tl_local_end {
    int contact, group, size; /* contact: its number in the problem */
    double sign;              /* −1: antagonist */
    const double *H, *Y;
} tl_local_end;

typedef struct tl_local_rows {
    int dimension, contacts, groups, ends;
    bool partial;                       /* ends at matter that says no rows are left out */
    int *number;                        /* of each contact of the step, in its order; −1: between bodies that do not move, and not in the problem */
    tl_local_end *end;                  /* [2 contacts]                                        */
    double *row;                        /* room for the rows of the next ends                  */
    size_t room;                        /* numbers                                             */
    double (*q)[3], (*I)[3], *friction; /* [contacts] shifted velocity, without impulses but for tl_problem_rows; impulse */
    double *give;                       /* [contacts] Σ along n [1/kg] */
} tl_local_rows;

/* Velocities of the matter, from 1, to work on. */
TALUS_NODISCARD talus_status tl_local_rows_copy(double *const *v, tl_matter *const *matter, int matters, tl_step *, double ***copy);

/* Which of a step's contacts are in the problem: those of lanes (−1: empty), and those that `coupled` says by number (NULL: no memory was left for it). */
typedef struct tl_local_members {
    int contacts, groups; /* of the step */
    const int *lane;
    int lanes;
    const int *coupled;
    int coupleds;
} tl_local_members;

/* Room in the step's arena, no ends. MEMORY. */
TALUS_NODISCARD talus_status tl_local_rows_begin(tl_local_rows *, int dimension, const tl_local_members *, tl_step *);
/* One more end; H is copied where Y is NULL, for M = 1. */
TALUS_NODISCARD talus_status tl_local_rows_add(tl_local_rows *, tl_local_end end, tl_step *);
/* Blocks of W; all in the step's arena. */
TALUS_NODISCARD talus_status tl_local_rows_assemble(const tl_local_rows *, tl_step *, talus_problem_def *out);

/* The value of a definition that makes sense; INPUT as tl_local_prepare. */
TALUS_NODISCARD talus_status tl_local_from(tl_memory, const talus_problem_def *, tl_local *, tl_error *);

/* A step's problem by one of the solvers of values. UNSUPPORTED: it declines so many contacts. */
typedef struct tl_by_value {
    const talus_solver_settings *settings;
    bool least_norm; /* not to solve it: from impulses that do to those of least norm (local.h); no iterations are counted */
    double *I;       /* out: [contacts][dimension], in the step's arena */
    int iterations;
    double residual, residual_mean; /* largest natural map of a contact; sum by the number of those that press [m/s] */
    double impulse_mean;            /* of those that press, as velocities (tl_errors) [m/s]                     */
} tl_by_value;
TALUS_NODISCARD talus_status tl_by_value_solve(const talus_problem_def *, tl_by_value *, tl_step *);
/* The problem of a step that was solved, contacts in its order; UNSUPPORTED where matter has no rows. */
TALUS_NODISCARD talus_status tl_problem_local(const tl_problem *, tl_step *, talus_problem_def *out);

#endif
