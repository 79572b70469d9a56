/* Eight spatial contacts side by side: reading and changing the velocities of their grains. For the kernels in this room. */
#ifndef TL_LANES3_H
#define TL_LANES3_H

#include "solve/kernels.h"
#include "solve/problem3.h"

/* Rows of eight grains as columns. */
typedef struct columns3 {
    tl_lanes3 v, w;
} columns3;

/* Quads of rows i and i + 4 lie in one vector: transposing 4 × 4 in both halves at once makes the columns. */
INLINE void transpose_halves(tl_lanes r[4])
{
    const tl_lanes a = __builtin_shufflevector(r[0], r[1], 0, 8, 2, 10, 4, 12, 6, 14), b = __builtin_shufflevector(r[0], r[1], 1, 9, 3, 11, 5, 13, 7, 15);
    const tl_lanes c = __builtin_shufflevector(r[2], r[3], 0, 8, 2, 10, 4, 12, 6, 14), d = __builtin_shufflevector(r[2], r[3], 1, 9, 3, 11, 5, 13, 7, 15);
    r[0] = __builtin_shufflevector(a, c, 0, 1, 8, 9, 4, 5, 12, 13);
    r[1] = __builtin_shufflevector(b, d, 0, 1, 8, 9, 4, 5, 12, 13);
    r[2] = __builtin_shufflevector(a, c, 2, 3, 10, 11, 6, 7, 14, 15);
    r[3] = __builtin_shufflevector(b, d, 2, 3, 10, 11, 6, 7, 14, 15);
}

INLINE void gather_part(const tl_row3 *rows, const int32_t index[TL_LANES], size_t offset, tl_lanes3 *out)
{
    tl_lanes r[4];
    for (int i = 0; i < 4; i++) {
        quad low, high;
        memcpy(&low, (const char *)&rows[index[i]] + offset, sizeof low);
        memcpy(&high, (const char *)&rows[index[i + 4]] + offset, sizeof high);
        r[i] = JOIN(low, high);
    }
    transpose_halves(r);
    out->x = r[0], out->y = r[1], out->z = r[2];
}

INLINE void gather(const tl_row3 *rows, const int32_t index[TL_LANES], columns3 *out)
{
    gather_part(rows, index, offsetof(tl_row3, v), &out->v);
    gather_part(rows, index, offsetof(tl_row3, w), &out->w);
}

INLINE void scatter_part(tl_row3 *rows, const int32_t index[TL_LANES], size_t offset, const tl_lanes3 *c)
{
    const tl_lanes none = {0};
    tl_lanes r[4] = {c->x, c->y, c->z, none};
    transpose_halves(r);
    for (int i = 0; i < 4; i++) {
        const quad low = LOW(r[i]), high = HIGH(r[i]);
        memcpy((char *)&rows[index[i]] + offset, &low, sizeof low);
        memcpy((char *)&rows[index[i + 4]] + offset, &high, sizeof high);
    }
}

INLINE void scatter(tl_row3 *rows, const int32_t index[TL_LANES], const columns3 *c)
{
    scatter_part(rows, index, offsetof(tl_row3, v), &c->v);
    scatter_part(rows, index, offsetof(tl_row3, w), &c->w);
}

#define DOT(a, b) ((a).x * (b).x + (a).y * (b).y + (a).z * (b).z)

/* n × t. */
INLINE void second_tangent(const tl_pack3 *p, tl_lanes3 *s)
{
    s->x = p->n.y * p->t.z - p->n.z * p->t.y;
    s->y = p->n.z * p->t.x - p->n.x * p->t.z;
    s->z = p->n.x * p->t.y - p->n.y * p->t.x;
}

/* Hᵀ v of the eight contacts, along n, 1, 2. */
INLINE void velocity(const tl_pack3 *p, const columns3 *a, const columns3 *b, tl_lanes3 *u)
{
    const tl_lanes3 d = {p->sb * b->v.x - p->sa * a->v.x, p->sb * b->v.y - p->sa * a->v.y, p->sb * b->v.z - p->sa * a->v.z};
    tl_lanes3 s;
    second_tangent(p, &s);
    u->x = DOT(p->n, d) + (DOT(p->bn, b->w) - DOT(p->an, a->w));
    u->y = DOT(p->t, d) + (DOT(p->bt, b->w) - DOT(p->at, a->w));
    u->z = DOT(s, d) + (DOT(p->bs, b->w) - DOT(p->as, a->w));
}

#define ALONG(e1, e2, e3, I, k) ((e1).k * (I)->x + (e2).k * (I)->y + (e3).k * (I)->z)

/* v += M⁻¹ H I. The end b goes first: where it does not move it is a copy of a, and a must win. */
INLINE void apply(const tl_pack3 *p, tl_row3 *rows, columns3 *a, columns3 *b, const tl_lanes3 *I)
{
    tl_lanes3 s;
    second_tangent(p, &s);
    const tl_lanes3 P = {ALONG(p->n, p->t, s, I, x), ALONG(p->n, p->t, s, I, y), ALONG(p->n, p->t, s, I, z)};
    b->v.x += p->sb * P.x, b->v.y += p->sb * P.y, b->v.z += p->sb * P.z;
    b->w.x += ALONG(p->bn, p->bt, p->bs, I, x);
    b->w.y += ALONG(p->bn, p->bt, p->bs, I, y);
    b->w.z += ALONG(p->bn, p->bt, p->bs, I, z);
    a->v.x -= p->sa * P.x, a->v.y -= p->sa * P.y, a->v.z -= p->sa * P.z;
    a->w.x -= ALONG(p->an, p->at, p->as, I, x);
    a->w.y -= ALONG(p->an, p->at, p->as, I, y);
    a->w.z -= ALONG(p->an, p->at, p->as, I, z);
    scatter(rows, p->b, b);
    scatter(rows, p->a, a);
}

/* Is any lane set? */
INLINE bool any(const mask8 *m)
{
    typedef int64_t mask4 __attribute__((vector_size(32)));
    typedef int64_t mask2 __attribute__((vector_size(16)));
    const mask4 four = LOW(*m) | HIGH(*m);
    const mask2 two = __builtin_shufflevector(four, four, 0, 1) | __builtin_shufflevector(four, four, 2, 3);
    return (two[0] | two[1]) != 0;
}

#endif
