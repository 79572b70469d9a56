/* Eight planar contacts side by side: reading and changing the velocities of their grains. For the kernels in this room. */
#ifndef TL_LANES2_H
#define TL_LANES2_H

#include "solve/kernels.h"
#include "solve/problem2.h"

/* Rows of eight grains to columns x, y, w and back. */
typedef struct columns {
    tl_lanes x, y, w;
} columns;

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
