/* Four numbers at a time, for loops over rows that are filled up to a multiple of four; the compiler makes of it what the machine has. */
#ifndef TL_QUAD_H
#define TL_QUAD_H

#include <stdint.h>

/* One copy of a loop per instruction set, chosen at load time; without contraction all give the same bits. */
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(TL_SANITIZED)
#define TL_QUAD_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define TL_QUAD_CLONES
#endif

typedef double tl_quad __attribute__((vector_size(32), aligned(8)));
typedef int64_t tl_quad_mask __attribute__((vector_size(32)));

#define TL_QUAD(row, k)             (*(const tl_quad *)((row) + (k)))
#define TL_QUAD_SELECT(where, a, b) ((tl_quad)(((where) & (tl_quad_mask)(a)) | (~(where) & (tl_quad_mask)(b))))

/* How long a row of n is. */
static inline int tl_fours(int n) { return (n + 3) / 4 * 4; }

#endif
