/* What the files of sparse matrices in blocks of three share. Internal to them. */
#ifndef TL_SPARSE3_INTERNAL_H
#define TL_SPARSE3_INTERNAL_H

#include "base/sparse3.h"

typedef double tl_sparse3_block[12]; /* rows of four numbers, of which the last is zero: one register each */

struct tl_sparse3 {
    tl_memory memory;
    int n, words;
    uint64_t *neighbours, *coupled;   /* [n][words], itself among them; the latter as they were before the order */
    int *place, *who;                 /* of unknown i in the order; and back                                  */
    int *begin, *row;                 /* column k: blocks begin[k] … begin[k + 1] − 1, of places row[] ascending; the first is k itself */
    double (*A)[9], (*L)[9], (*y)[3]; /* of the columns; A_ij with i below j                                  */
    int *where;                       /* [parts + 1][n] */
    /* of general matrices: A_ij and A_ji of the columns, the diagonal below; then their factors. After the columns, for each part, what it adds to those of
     * the top: [begin[n] + parts × blocks of the top] */
    tl_sparse3_block *lower, *upper, *kept;
    int parts, from[TL_SPARSE3_PARTS + 1]; /* columns of a part; the top is from[parts] … n − 1 */
    double (*rest)[3];                     /* [parts][n − from[parts]] what a part adds to y of the top */
    bool *negative;                        /* [n] its pivot is that of −C */
    bool *late;                            /* [n] goes last               */
    bool general;
    double work;
};

/* Where the top begins; its blocks; room for the blocks of all columns and of the copies. */
static inline int tl_sparse3_top(const tl_sparse3 *s) { return s->from[s->parts]; }
static inline int tl_sparse3_top_blocks(const tl_sparse3 *s) { return s->begin[s->n] - s->begin[tl_sparse3_top(s)]; }
static inline size_t tl_sparse3_room(const tl_sparse3 *s) { return (size_t)(s->begin[s->n] + s->parts * tl_sparse3_top_blocks(s)); }

/* Where a column has a row, which it has. */
int tl_sparse3_find(const tl_sparse3 *, int row, int column);

#endif
