/* Dense kernels of a factor by fronts, in one table for each instruction set: every product is added with one rounding, in the order of the columns, so that
 * all sets give the same bits. */
#ifndef TL_FACTOR_KERNELS_H
#define TL_FACTOR_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

enum {
    TL_TILE = 8,  /* rows and columns of a tile: a row is one register of AVX-512, two of AVX2 */
    TL_STRIP = 64 /* rows of a panel that are divided together: they stay in the first cache, and in the registers of AVX-512 */
};

/* Eight columns of eight rows: column c of `out` −= sums over k of a[row] b[c], both in strips of eight rows, one column after the other; NULL: the sums go to
 * `sum`. */
typedef struct tl_tile {
    const double *a, *b;
    int k;
    double *const *out;
    double sum[TL_TILE][TL_TILE];
} tl_tile;

/* Columns of some rows, which are divided by a triangle: x_c ← (x_c − Σ_{k<c} x_k t_kc) / d_c. */
typedef struct tl_division {
    double *x;       /* [width][apart], of which `rows` are meant, up to a strip */
    const double *t; /* [width][apart]: t_kc stands in column k, row c           */
    const double *d; /* [width] 1/d_c; NULL: 1                                   */
    size_t apart;
    int rows, width;
} tl_division;

/* The square on top of a panel: A = L Lᵀ, or L U with 1 on the diagonal of U, in place. */
typedef struct tl_square {
    double *L, *U; /* [width][apart]: columns of L, rows of U; the same: Cholesky's */
    size_t apart;
    int width;
    double *inverse; /* [width] out: of the pivots */
} tl_square;

typedef struct tl_factor_kernels {
    void (*tile)(tl_tile *);
    void (*divide)(const tl_division *);
    int (*square)(const tl_square *); /* the column without a pivot, or −1 */
} tl_factor_kernels;

/* The fastest that this machine can run. */
const tl_factor_kernels *tl_factor_kernels_of_this_machine(void);
/* All that it can run, the plainest first; NULL beyond the last. */
const tl_factor_kernels *tl_factor_kernels_at(int index);

#endif
