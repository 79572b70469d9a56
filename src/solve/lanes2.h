/* Eight planar contacts side by side: reading and changing the velocities of their grains. For the kernels in this room. */
#ifndef TL_LANES2_H
#define TL_LANES2_H

#include <string.h>

#include "solve/problem2.h"

/* One copy of each kernel per instruction set, chosen at load time. The sanitizers run before that choice. */
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(TL_SANITIZED)
#define CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define CLONES
#endif

typedef double quad __attribute__((vector_size(32)));
typedef int64_t mask8 __attribute__((vector_size(64)));

#define INLINE static inline __attribute__((always_inline))

/* where ? a : b, lane by lane. A macro: vectors of 64 bytes have no portable way through a call. */
#define SELECT(where, a, b) ((tl_lanes)(((where) & (mask8)(a)) | (~(where) & (mask8)(b))))

/* Rows of eight grains to columns x, y, w and back. */
typedef struct columns {
    tl_lanes x, y, w;
} columns;

INLINE void transpose4(quad r[4])
{
    const quad a = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6), b = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7);
    const quad c = __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6), d = __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7);
    r[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    r[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    r[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    r[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

#define JOIN(low, high) __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7)
#define LOW(v)          __builtin_shufflevector(v, v, 0, 1, 2, 3)
#define HIGH(v)         __builtin_shufflevector(v, v, 4, 5, 6, 7)

INLINE void gather(const tl_row2 *rows, const int32_t index[TL_LANES], columns *out)
{
    quad low[4], high[4];
    for (int i = 0; i < 4; i++) {
        memcpy(&low[i], &rows[index[i]], sizeof(quad));
        memcpy(&high[i], &rows[index[i + 4]], sizeof(quad));
    }
    transpose4(low);
    transpose4(high);
    out->x = JOIN(low[0], high[0]);
    out->y = JOIN(low[1], high[1]);
    out->w = JOIN(low[2], high[2]);
}

INLINE void scatter(tl_row2 *rows, const int32_t index[TL_LANES], const columns *c)
{
    const quad none = {0, 0, 0, 0};
    quad low[4] = {LOW(c->x), LOW(c->y), LOW(c->w), none}, high[4] = {HIGH(c->x), HIGH(c->y), HIGH(c->w), none};
    transpose4(low);
    transpose4(high);
    for (int i = 0; i < 4; i++) {
        memcpy(&rows[index[i]], &low[i], sizeof(quad));
        memcpy(&rows[index[i + 4]], &high[i], sizeof(quad));
    }
}

/* Hᵀ v of the eight contacts. */
INLINE void velocity(const tl_pack2 *p, const columns *a, const columns *b, tl_lanes *v_n, tl_lanes *v_t)
{
    const tl_lanes dx = p->sb * b->x - p->sa * a->x, dy = p->sb * b->y - p->sa * a->y;
    *v_n = p->nx * dx + p->ny * dy + (p->cnb * b->w - p->cna * a->w);
    *v_t = p->nx * dy - p->ny * dx + (p->ctb * b->w - p->cta * a->w);
}

/* v += M⁻¹ H I. The end b goes first: where it does not move it is a copy of a, and a must win. */
INLINE void apply(const tl_pack2 *p, tl_row2 *rows, columns *a, columns *b, const tl_lanes *n, const tl_lanes *t)
{
    const tl_lanes px = p->nx * *n - p->ny * *t, py = p->ny * *n + p->nx * *t;
    b->x += p->sb * px;
    b->y += p->sb * py;
    b->w += p->cnb * *n + p->ctb * *t;
    a->x -= p->sa * px;
    a->y -= p->sa * py;
    a->w -= p->cna * *n + p->cta * *t;
    scatter(rows, p->b, b);
    scatter(rows, p->a, a);
}

#endif
