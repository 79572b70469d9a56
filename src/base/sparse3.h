/* Sparse symmetric matrices of blocks of 3 × 3: pattern, order of elimination (least external degree: Liu 1985), Cholesky's factors; of positive
 * definite ones, and of quasi-definite ones, [A  Bᵀ; B  −C] with A and C positive definite, which have a factor L S Lᵀ, S = ±1, in every order
 * (Vanderbei 1995).
 *
 *     tl_sparse3 *A = tl_sparse3_create(memory, n);
 *     tl_sparse3_couple(A, list, count);       for all that are coupled
 *     tl_sparse3_order(A);                     the pattern is complete
 *     tl_sparse3_add(A, i, j, block);          as often as wanted
 *     tl_sparse3_factor(A, damping);           of A + damping S; A stays, so that another damping can follow
 *     tl_sparse3_solve(A, x); */
#ifndef TL_SPARSE3_H
#define TL_SPARSE3_H

#include "base/base.h"

typedef struct tl_sparse3 tl_sparse3;

tl_sparse3 *tl_sparse3_create(tl_memory, int n); /* NULL: no memory */
void tl_sparse3_destroy(tl_sparse3 *);
/* Any two of the list are coupled. */
void tl_sparse3_couple(tl_sparse3 *, const int *list, int count);
/* It is one of the unknowns of −C; before a factor. */
void tl_sparse3_negate(tl_sparse3 *, int i);
/* How many it is coupled to, itself among them; and: it is to go after all others, for it holds together what else would fall into parts. Before the order. */
int tl_sparse3_neighbours(const tl_sparse3 *, int i);
void tl_sparse3_postpone(tl_sparse3 *, int i);
/* Falls back on nothing: MEMORY is its only failure. A is zero then. */
TALUS_NODISCARD talus_status tl_sparse3_order(tl_sparse3 *, tl_error *);
/* Has it been ordered for the pattern that another has been given, which is not ordered yet? Then it can take its place. */
bool tl_sparse3_is_ordered_as(const tl_sparse3 *, tl_sparse3 *fresh);
/* Multiplications and additions of a factor, about. */
double tl_sparse3_work(const tl_sparse3 *);
/* A_ij += block (by rows); of i ≠ j either A_ij or A_ji is to be given. */
void tl_sparse3_add(tl_sparse3 *, int i, int j, const double block[9]);
void tl_sparse3_clear(tl_sparse3 *);                  /* A = 0; the pattern stays */
bool tl_sparse3_factor(tl_sparse3 *, double damping); /* false: not definite as was said */
double tl_sparse3_least_pivot(const tl_sparse3 *);    /* of the factor, by magnitude; infinite where n = 0 */
void tl_sparse3_solve(tl_sparse3 *, double (*x)[3]);  /* x ← (A + damping S)⁻¹ x */

/* The same of a general matrix whose pattern is symmetric: by blocks as they come, without looking for pivots. Before the order: it is one. Then A_ij += block,
 * where A_ji stays; i and j have a slot, which is looked for once. The factor takes the place of A: false where a pivot is singular; x ← A⁻¹ x.
 *
 * Unknowns are in parts, which couple with one another only over the top: branches of the tree of elimination, as are the bogies of a vehicle. The parts may
 * be filled, factored and solved side by side: what one adds to the top goes to a copy of its own, which the top takes in the order of parts. They depend on
 * the pattern alone, and so do the bits of a factor. */
enum { TL_SPARSE3_PARTS = 4 };
void tl_sparse3_generalize(tl_sparse3 *);
int tl_sparse3_parts(const tl_sparse3 *);
int tl_sparse3_part(const tl_sparse3 *, int i);                  /* of an unknown; tl_sparse3_parts(): the top */
int tl_sparse3_slot(const tl_sparse3 *, int i, int j, int part); /* as this part fills it, or the top */
void tl_sparse3_add_at(tl_sparse3 *, int slot, const double block[9]);
/* Products of two panels of blocks: the block in row i and column j of them += Σ_r left[r][3 i …]ᵀ right[j][r]. */
typedef struct tl_sparse3_products {
    int rows, columns, depth; /* blocks; numbers that are summed */
    const int *slot;          /* [rows][apart], of which the first columns are meant */
    int apart;
    const double *left, *right; /* [depth][3 × rows]; [columns][depth][4], the last number of four zero */
} tl_sparse3_products;
void tl_sparse3_add_products(tl_sparse3 *, const tl_sparse3_products *);
void tl_sparse3_keep(tl_sparse3 *);                  /* A as it is now */
void tl_sparse3_recall(tl_sparse3 *, int part);      /* A as it was kept, of a part and what it adds to the top, or of the top */
bool tl_sparse3_factor_part(tl_sparse3 *, int part); /* then, after all parts, of the top */
/* Downwards in all parts, in the top, upwards in all parts: then x is the solution. */
void tl_sparse3_solve_down(tl_sparse3 *, int part, double (*x)[3]);
void tl_sparse3_solve_top(tl_sparse3 *, double (*x)[3]);
void tl_sparse3_solve_up(tl_sparse3 *, int part, double (*x)[3]);

#endif
