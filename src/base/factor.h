/* Sparse matrices of small square blocks, factored group by group (multifrontal, Duff and Reid 1983): symmetric positive definite ones as L Lᵀ; general ones
 * with the same pattern, whose pivots stay in their places, as L U.
 *
 *     tl_factor_create(memory, &def, &factor, error);                       once for a pattern
 *     tl_factor_numbers(factor, value, threads, error);                     as often as the numbers change
 *     tl_factor_solve(factor, b, threads);                                  b ← A⁻¹ b
 *
 * Nodes that are `last` are eliminated last, together. What a force on them does to them alone, (A⁻¹) of these rows and
 * columns, is then had from the last group's factor, without the others. The factor has the same bits for every number
 * of threads and every instruction set. */
#ifndef TL_FACTOR_H
#define TL_FACTOR_H

#include "base/dissection.h"

typedef struct tl_factor tl_factor;

/* What is factored; read while the factor is made only. */
typedef struct tl_factor_def {
    const tl_pattern *pattern;
    const double (*x)[3]; /* [nodes] where they are [m]: from that follows the order of elimination */
    const bool *last;     /* [nodes]; NULL: none                                                    */
    int block;            /* unknowns of a node, 1 to 3                                             */
    bool general;         /* the matrix is not symmetric                                            */
    double most;          /* work of a factor, beyond which none is made; 0: no matter how much     */
} tl_factor_def;

/* MEMORY. NULL where it would be more work than asked for. */
TALUS_NODISCARD talus_status tl_factor_create(tl_memory, const tl_factor_def *, tl_factor **out, tl_error *);
void tl_factor_destroy(tl_factor *);

/* value: [pattern's neighbours × block²], each block by rows; of a symmetric matrix those with node ≥ neighbour in the order of elimination are read: give
 * both. MEMORY, SINGULAR where it is not positive definite, or, a general one, has no pivot: the message names the node. */
TALUS_NODISCARD talus_status tl_factor_numbers(tl_factor *, const tl_pattern *, const double *value, tl_threads *, tl_error *);

/* b [nodes × block] ← A⁻¹ b. May be called from one thread at a time. Threads may be NULL: none but that. */
void tl_factor_solve(tl_factor *, double *b, tl_threads *);
enum { TL_FACTOR_FOUR = 4 };
/* The same where b vanishes outside the last nodes, and is wanted there only: b [fours][last nodes × block], in the order of their numbers, four columns side
 * by side. From any thread. */
void tl_factor_solve_last(const tl_factor *, double (*b)[TL_FACTOR_FOUR], int fours);

int tl_factor_last(const tl_factor *);     /* how many nodes are last */
size_t tl_factor_bytes(const tl_factor *); /* held by L, and U */
double tl_factor_work(const tl_factor *);  /* multiplications and additions of a factor, about */

#endif
