/* Tensors of particles by columns: what a gradient sums up along each axis. */
#ifndef TL_COLUMNS_H
#define TL_COLUMNS_H

#include "base/math.h"

enum { TL_COLUMN = 4 };                  /* numbers of a column: three, and one that is anyone's */
typedef double tl_columns[3][TL_COLUMN]; /* of a tensor: column c, row a is [c][a] */

static inline tl_mat3 tl_mat3_of_columns(tl_columns c)
{
    return (tl_mat3){{{c[0][0], c[1][0], c[2][0]}, {c[0][1], c[1][1], c[2][1]}, {c[0][2], c[1][2], c[2][2]}}};
}

static inline void tl_columns_of_mat3(const tl_mat3 *m, tl_columns c)
{
    for (int k = 0; k < 3; k++)
        for (int a = 0; a < 3; a++) c[k][a] = m->m[a][k];
}

#endif
