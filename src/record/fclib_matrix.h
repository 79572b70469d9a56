/* Sparse matrices of scalars on their way from a file to the blocks of a contact problem. */
#ifndef TL_FCLIB_MATRIX_H
#define TL_FCLIB_MATRIX_H

#include "base/base.h"

/* MEMORY: said once, and a status that readers of the code, and tools, see to be no success. */
static inline talus_status tl_fclib_no_memory(tl_error *error)
{
    (void)tl_fail(error, TALUS_MEMORY, "memory ran out");
    return TALUS_MEMORY;
}

/* Entries in any order; those of the same place are added. */
typedef struct tl_fclib_matrix {
    int rows, columns, count;
    int *row, *column;
    double *value;
} tl_fclib_matrix;
void tl_fclib_free(tl_fclib_matrix *);

/* As talus_problem_def has them: by rows, columns ascending, one block a place, no zero blocks but those on the diagonal, which are all there. */
typedef struct tl_fclib_rows {
    int *row, *column;
    double *block;
} tl_fclib_rows;
void tl_fclib_rows_free(tl_fclib_rows *);

/* dimension divides rows = columns. MEMORY, UNSUPPORTED (too many). */
TALUS_NODISCARD talus_status tl_fclib_blocks(const tl_fclib_matrix *, int dimension, tl_fclib_rows *, tl_error *);

/* W = Hᵀ M⁻¹ H, q += Hᵀ M⁻¹ f. M: symmetric, as many rows as H; f [rows of M], q [columns of H]. Blocks of M that hang together with no other, those of rigid
 * bodies, are taken one by one. SINGULAR, INPUT, MEMORY; UNSUPPORTED: more than TL_SPARSE_NUMBERS numbers between the diagonal and the first entries of rows.
 */
enum { TL_SPARSE_NUMBERS = 36000000 };
TALUS_NODISCARD talus_status tl_fclib_condense(const tl_fclib_matrix *M, const tl_fclib_matrix *H, const double *f, double *q, tl_fclib_matrix *W, tl_error *);

/* Adds the entries of `from`, moved so many rows down and columns to the right; rows and columns of `to` stay. MEMORY, UNSUPPORTED (too many). */
TALUS_NODISCARD talus_status tl_fclib_add(tl_fclib_matrix *to, const tl_fclib_matrix *from, int down, int right, tl_error *);
/* Of W = [W V; Vᵀ R], q = [q; s] the part behind the first `kept`, Vᵀ r + R λ + s = 0 for λ of any sign, is eliminated: W − V R⁻¹ Vᵀ, q − V R⁻¹ s. Vᵀ is not
 * read. R: symmetric, positive semidefinite: rows that depend on those before are left out. INPUT: not symmetric, negative, or these contradict;
 * UNSUPPORTED: one of them is of impulses alone; MEMORY. */
TALUS_NODISCARD talus_status tl_fclib_eliminate(tl_fclib_matrix *W, int kept, double *q, tl_error *);

/* Numbers of the items in ascending order of key[item] (0 … keys − 1); equal ones as `before` has them (NULL: by number). begin [keys + 1], may be NULL: where
 * a key's items begin. malloc'ed; NULL when memory ran out. */
int *tl_fclib_order(const int *key, int count, int keys, const int *before, int *begin);

#endif
