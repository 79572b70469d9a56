/* Eight spatial contacts side by side: reading and changing the velocities of their grains. For the kernels in this room. */
#ifndef TL_LANES3_H
#define TL_LANES3_H

#include "solve/kernels.h"
#include "solve/problem3.h"

/* Rows of eight grains as columns. `at`: where they begin, in bytes. */
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

INLINE void gather_part(const tl_row3 *rows, const uint32_t at[TL_LANES], size_t offset, tl_lanes3 *out)
{
    tl_lanes r[4];
    for (int i = 0; i < 4; i++) {
        quad low, high;
        memcpy(&low, (const char *)rows + at[i] + offset, sizeof low);
        memcpy(&high, (const char *)rows + at[i + 4] + offset, sizeof high);
        r[i] = JOIN(low, high);
    }
    transpose_halves(r);
    out->x = r[0], out->y = r[1], out->z = r[2];
}

INLINE void gather(const tl_row3 *rows, const uint32_t at[TL_LANES], columns3 *out)
{
    gather_part(rows, at, offsetof(tl_row3, v), &out->v);
    gather_part(rows, at, offsetof(tl_row3, w), &out->w);
}

INLINE void scatter_part(tl_row3 *rows, const uint32_t at[TL_LANES], size_t offset, const tl_lanes3 *c)
{
    const tl_lanes none = {0};
    tl_lanes r[4] = {c->x, c->y, c->z, none};
    transpose_halves(r);
    for (int i = 0; i < 4; i++) {
        const quad low = LOW(r[i]), high = HIGH(r[i]);
        memcpy((char *)rows + at[i] + offset, &low, sizeof low);
        memcpy((char *)rows + at[i + 4] + offset, &high, sizeof high);
    }
}

INLINE void scatter(tl_row3 *rows, const uint32_t at[TL_LANES], const columns3 *c)
{
    scatter_part(rows, at, offsetof(tl_row3, v), &c->v);
    scatter_part(rows, at, offsetof(tl_row3, w), &c->w);
}

/* c + a · b. */
#define ADD_DOT(c, a, b) MADD((a).z, (b).z, MADD((a).y, (b).y, MADD((a).x, (b).x, c)))
#define DOT(a, b)        MADD((a).z, (b).z, MADD((a).y, (b).y, (a).x *(b).x))

/* n × t. */
INLINE void second_tangent(const tl_pack3 *p, tl_lanes3 *s)
{
    s->x = MADD(p->n.y, p->t.z, -(p->n.z * p->t.y));
    s->y = MADD(p->n.z, p->t.x, -(p->n.x * p->t.z));
    s->z = MADD(p->n.x, p->t.y, -(p->n.y * p->t.x));
}

/* Velocity of the centre of b less that of a. */
INLINE void between_centres(const tl_pack3 *p, const tl_lanes3 *a, const tl_lanes3 *b, tl_lanes3 *d)
{
    d->x = MADD(p->sb, b->x, -(p->sa * a->x));
    d->y = MADD(p->sb, b->y, -(p->sa * a->y));
    d->z = MADD(p->sb, b->z, -(p->sa * a->z));
}

/* Hᵀ v of the eight contacts, along n, 1, 2. */
INLINE void velocity(const tl_pack3 *p, const columns3 *a, const columns3 *b, tl_lanes3 *u)
{
    tl_lanes3 s, d;
    second_tangent(p, &s);
    between_centres(p, &a->v, &b->v, &d);
    u->x = ADD_DOT(DOT(p->n, d), p->bn, b->w) - DOT(p->an, a->w);
    u->y = ADD_DOT(DOT(p->t, d), p->bt, b->w) - DOT(p->at, a->w);
    u->z = ADD_DOT(DOT(s, d), p->bs, b->w) - DOT(p->as, a->w);
}

#define ALONG(e1, e2, e3, I, k)        MADD((e3).k, (I)->z, MADD((e2).k, (I)->y, (e1).k *(I)->x))
#define ADD_ALONG(c, e1, e2, e3, I, k) MADD((e3).k, (I)->z, MADD((e2).k, (I)->y, MADD((e1).k, (I)->x, (c).k)))

/* v += s P. */
INLINE void push(tl_lanes3 *v, const tl_lanes *s, const tl_lanes3 *P)
{
    v->x = MADD(*s, P->x, v->x);
    v->y = MADD(*s, P->y, v->y);
    v->z = MADD(*s, P->z, v->z);
}

/* v += M⁻¹ H I. The end b goes first: where it does not move it is a copy of a, and a must win. */
INLINE void apply(const tl_pack3 *p, tl_row3 *rows, columns3 *a, columns3 *b, const tl_lanes3 *I)
{
    tl_lanes3 s;
    second_tangent(p, &s);
    const tl_lanes3 P = {ALONG(p->n, p->t, s, I, x), ALONG(p->n, p->t, s, I, y), ALONG(p->n, p->t, s, I, z)};
    const tl_lanes back = -p->sa;
    const tl_lanes3 minus = {-I->x, -I->y, -I->z};
    push(&b->v, &p->sb, &P);
    b->w.x = ADD_ALONG(b->w, p->bn, p->bt, p->bs, I, x);
    b->w.y = ADD_ALONG(b->w, p->bn, p->bt, p->bs, I, y);
    b->w.z = ADD_ALONG(b->w, p->bn, p->bt, p->bs, I, z);
    push(&a->v, &back, &P);
    a->w.x = ADD_ALONG(a->w, p->an, p->at, p->as, &minus, x);
    a->w.y = ADD_ALONG(a->w, p->an, p->at, p->as, &minus, y);
    a->w.z = ADD_ALONG(a->w, p->an, p->at, p->as, &minus, z);
    scatter(rows, p->b, b);
    scatter(rows, p->a, a);
}

/* The eight together; none is not a number. */
INLINE double sum_of(const tl_lanes *v)
{
    const quad four = LOW(*v) + HIGH(*v);
    return (four[0] + four[2]) + (four[1] + four[3]);
}

INLINE double largest_of(const tl_lanes *v)
{
    const quad low = LOW(*v), high = HIGH(*v);
    const mask4 below = (mask4)(low - high) >> 63;
    const quad four = (quad)((below & (mask4)high) | (~below & (mask4)low));
    const double even = four[0] < four[2] ? four[2] : four[0], odd = four[1] < four[3] ? four[3] : four[1];
    return even < odd ? odd : even;
}

/* Is any lane set? */
INLINE bool any(const mask8 *m)
{
    typedef int64_t mask2 __attribute__((vector_size(16)));
    const mask4 four = (mask4)LOW((tl_lanes)*m) | (mask4)HIGH((tl_lanes)*m);
    const mask2 two = __builtin_shufflevector(four, four, 0, 1) | __builtin_shufflevector(four, four, 2, 3);
    return (two[0] | two[1]) != 0;
}

#endif
