/* Spatial contacts side by side: reading and changing the velocities of their grains. For the kernels in this room.
 *
 * Half a row fills a register of four numbers. What is the same for both ends is reckoned row by row; only its result is turned to columns, one number for each
 * contact, and back. */
#ifndef TL_LANES3_H
#define TL_LANES3_H

#include "solve/kernels.h"
#include "solve/packs3.h"

typedef struct lanes3 {
    lanes x, y, z;
} lanes3;

/* Where the rows of the ends begin. */
typedef struct ends3 {
    const uint32_t *a, *b;
} ends3;

#define ENDS(pack)                                                                                                                                             \
    {                                                                                                                                                          \
        (pack)->a + part / sizeof(double), (pack)->b + part / sizeof(double)                                                                                   \
    }

/* Of `rows`, for contact i of four (and i + 4, in the upper half of the register): half v or w, the factor s or k that ends it, and what takes its place. */
#define HALF(end, half, i)        LOAD_QUADS((const char *)rows + offsetof(tl_row3, half), end, i)
#define FACTOR(end, half, i)      LAST_OF_QUADS((const char *)rows + offsetof(tl_row3, half), end, i)
#define PUT_HALF(end, half, i, x) STORE_QUADS((char *)rows + offsetof(tl_row3, half), end, i, x)
#define EACH_ROW(of)              of(0), of(1), of(2), of(3)

/* What is added to four halves; their factors stay. */
INLINE void to_rows(const lanes3 *v, lanes r[4])
{
    const lanes none = {0};
    r[0] = v->x, r[1] = v->y, r[2] = v->z, r[3] = none;
    transpose(r);
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

/* Velocity of the centre of b less that of a. */
INLINE void between_centres(const tl_row3 *rows, const ends3 *e, lanes3 *d)
{
#define BETWEEN(i) MADD(FACTOR(e->b, v, i), HALF(e->b, v, i), -(FACTOR(e->a, v, i) * HALF(e->a, v, i)))
    lanes r[4] = {EACH_ROW(BETWEEN)};
    transpose(r);
    *d = (lanes3){r[0], r[1], r[2]};
}

/* The impulse P from a to b moves their centres: v += s P at b, v −= s P at a. */
INLINE void push(tl_row3 *rows, const ends3 *e, const lanes3 *P)
{
    lanes r[4];
    to_rows(P, r);
#define PUSH_B(i) PUT_HALF(e->b, v, i, MADD(FACTOR(e->b, v, i), r[i], HALF(e->b, v, i)))
#define PUSH_A(i) PUT_HALF(e->a, v, i, NMADD(FACTOR(e->a, v, i), r[i], HALF(e->a, v, i)))
    EACH_ROW(PUSH_B);
    EACH_ROW(PUSH_A);
}

#endif
