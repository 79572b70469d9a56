/* Islands of few contacts that sweeps left above their tolerance: bodies that hang together by contacts, such as a
 * heavy one on light ones, of whose weight each sweep passes on only a share of the order of the mass ratio. Their W is
 * formed, and each island is solved as a whole. That may take a multiple of the work of the sweeps, counted in visits
 * of contacts. An island whose error does not fall to a tenth keeps the impulses of the sweeps. */
#ifndef TL_FEW_H
#define TL_FEW_H

#include "solve/local_rows.h"

/* Larger islands are left to sweeps. With 80 to 200 contacts under a heavy lid solvers that factor W took ten to a hundred times as long as 1000 sweeps, and
 * left a quarter to a half of the steps above the tolerance. */
enum { TL_FEW_CONTACTS = 40 };

/* The contacts of a step by the groups of their ends (tl_local_end; −1: does not move), and what else joins bodies. */
typedef struct tl_few_source {
    const int (*group)[2]; /* [contacts] */
    int contacts, groups;
    const tl_blocks *blocks; /* NULL: nothing */
} tl_few_source;

/* chosen [contacts]: is it of an island of 2 … TL_FEW_CONTACTS that no joint, stop or drive touches? Returns their number. */
TALUS_NODISCARD talus_status tl_few_choose(const tl_few_source *, tl_step *, bool *chosen, int *count);

/* The problem of chosen contacts, with the impulses of so many sweeps. I [contacts][dimension], in the step's arena: impulses of
 * which each obeys its law at its turn, or those that were given. MEMORY. */
TALUS_NODISCARD talus_status tl_few_solve(const talus_problem_def *, double tolerance, int sweeps, tl_step *, double **I);

#endif
