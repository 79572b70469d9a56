/* Spatial contacts side by side: reading and changing the velocities of their grains. For the kernels in this room. */
#ifndef TL_LANES3_H
#define TL_LANES3_H

#include "solve/kernels.h"
#include "solve/packs3.h"

typedef struct lanes3 {
    lanes x, y, z;
} lanes3;

/* Halves of rows as columns, in the order of tl_row3: `more` is s, or k. */
typedef struct half3 {
    lanes x, y, z, more;
} half3;

typedef struct columns3 {
    half3 v, w;
} columns3;

INLINE void gather_half(const tl_row3 *rows, const uint32_t at[], size_t offset, half3 *out)
{
    lanes r[4];
    gather_quads((const char *)rows + offset, at, r);
    *out = (half3){r[0], r[1], r[2], r[3]};
}

INLINE void scatter_half(tl_row3 *rows, const uint32_t at[], size_t offset, const half3 *c)
{
    lanes r[4] = {c->x, c->y, c->z, c->more};
    scatter_quads((char *)rows + offset, at, r);
}

/* Lanes with two ends. */
INLINE void both_ends(const uint32_t a[], const uint32_t b[], mask *out)
{
    typedef int32_t narrow __attribute__((vector_size(4 * AT_ONCE)));
    narrow from, to;
    memcpy(&from, a, sizeof from);
    memcpy(&to, b, sizeof to);
    *out = __builtin_convertvector(from != to, mask);
}

/* A half of the rows of both ends. Where there is one end only, b is a copy of it with s or k = 0: it is scattered first. */
INLINE void gather_halves(const tl_row3 *rows, const uint32_t at_a[], const uint32_t at_b[], size_t part, size_t offset, half3 *a, half3 *b)
{
    mask both;
    at_a += part / sizeof(double), at_b += part / sizeof(double);
    both_ends(at_a, at_b, &both);
    gather_half(rows, at_a, offset, a);
    gather_half(rows, at_b, offset, b);
    b->more = ONLY(both, b->more);
}

INLINE void scatter_halves(tl_row3 *rows, const uint32_t at_a[], const uint32_t at_b[], size_t part, size_t offset, const half3 *a, const half3 *b)
{
    scatter_half(rows, at_b + part / sizeof(double), offset, b);
    scatter_half(rows, at_a + part / sizeof(double), offset, a);
}

INLINE void gather_ends(const tl_row3 *rows, const uint32_t at_a[], const uint32_t at_b[], size_t part, columns3 *a, columns3 *b)
{
    gather_halves(rows, at_a, at_b, part, offsetof(tl_row3, v), &a->v, &b->v);
    gather_halves(rows, at_a, at_b, part, offsetof(tl_row3, w), &a->w, &b->w);
}

INLINE void scatter_ends(tl_row3 *rows, const uint32_t at_a[], const uint32_t at_b[], size_t part, const columns3 *a, const columns3 *b)
{
    scatter_halves(rows, at_a, at_b, part, offsetof(tl_row3, v), &a->v, &b->v);
    scatter_halves(rows, at_a, at_b, part, offsetof(tl_row3, w), &a->w, &b->w);
}

/* c + a · b. */
#define ADD_DOT(c, a, b) MADD((a).z, (b).z, MADD((a).y, (b).y, MADD((a).x, (b).x, c)))
#define DOT(a, b)        MADD((a).z, (b).z, MADD((a).y, (b).y, (a).x *(b).x))

/* c = a × b. */
INLINE void cross(const lanes3 *a, const lanes3 *b, lanes3 *c)
{
    c->x = MADD(a->y, b->z, -(a->z * b->y));
    c->y = MADD(a->z, b->x, -(a->x * b->z));
    c->z = MADD(a->x, b->y, -(a->y * b->x));
}

/* v += s P. */
INLINE void push(half3 *v, const lanes *s, const lanes3 *P)
{
    v->x = MADD(*s, P->x, v->x);
    v->y = MADD(*s, P->y, v->y);
    v->z = MADD(*s, P->z, v->z);
}

/* Velocity of the centre of b less that of a. */
INLINE void between_centres(const half3 *a, const half3 *b, lanes3 *d)
{
    d->x = MADD(b->more, b->x, -(a->more * a->x));
    d->y = MADD(b->more, b->y, -(a->more * a->y));
    d->z = MADD(b->more, b->z, -(a->more * a->z));
}

#endif
