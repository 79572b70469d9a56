/* The matrix of a problem in velocities of bodies (body_problem.h), in blocks of three, and its factor L U. Few blocks are factored in parts that are apart
 * from one another (base/sparse3.h), many by fronts (base/factor.h), in the order that places of bodies give: there all is the top, and there are no parts. */
#ifndef TL_BODY_MATRIX_H
#define TL_BODY_MATRIX_H

#include "base/factor.h"
#include "base/sparse3.h"
#include "solve/body_problem.h"

typedef struct tl_body_matrix {
    tl_memory memory;
    tl_sparse3 *parted; /* NULL: there are fronts */
    tl_factor *fronts;
    tl_pattern pattern;
    double (*value)[9], (*kept)[9]; /* [neighbours] of the pattern */
} tl_body_matrix;

/* The pattern, and its order; `worth`: the factor is not too much work. MEMORY. Free it in any case. */
TALUS_NODISCARD talus_status tl_body_matrix_make(tl_body_matrix *, const tl_body_problem *, bool *worth, tl_step *);
void tl_body_matrix_free(tl_body_matrix *);
int tl_body_matrix_parts(const tl_body_matrix *);
int tl_body_matrix_part(const tl_body_matrix *, int block); /* tl_body_matrix_parts(): the top */
/* Of blocks i and j, as this part fills it. */
int tl_body_matrix_slot(const tl_body_matrix *, int i, int j, int part);
void tl_body_matrix_clear(tl_body_matrix *);
void tl_body_matrix_add(tl_body_matrix *, int slot, const double block[9]);
void tl_body_matrix_add_products(tl_body_matrix *, const tl_sparse3_products *);
/* As it is now, of all parts; as it was kept, of one. */
void tl_body_matrix_keep(tl_body_matrix *);
void tl_body_matrix_recall(tl_body_matrix *, int part);
/* Of parts side by side, then of the top, by all threads. False: there is none. */
bool tl_body_matrix_factor(tl_body_matrix *, int part, tl_step *);
/* x ← A⁻¹ x: downwards in all parts, then the top, then upwards in all parts. */
void tl_body_matrix_solve_down(tl_body_matrix *, int part, double (*x)[3], tl_threads *);
void tl_body_matrix_solve_up(tl_body_matrix *, int part, double (*x)[3]);

/* Blocks that a hold acts on, one after the other; returns how many. */
int tl_body_blocks_of(const tl_body_problem *, const tl_body_hold *, int *list);
int tl_body_count_blocks(const tl_body_problem *, const tl_body_hold *);
/* Of one hold or of one group. */
int tl_body_most_blocks(const tl_body_problem *);

#endif
