/* Convex shapes by their operations (shape/kinds3.h): the direction in which two are furthest apart, and the points that
 * touch along it. This is the pair for all kinds that have none of their own. The core of a shape is what is left of it
 * without its rounding. Internal to this room. */
#ifndef TL_CONVEX3_H
#define TL_CONVEX3_H

#include "detect/pair3.h"
#include "shape/kinds3.h"

/* A core, placed in any axes. */
typedef struct tl_convex3 {
    const tl_shape3 *shape;
    const tl_shape3_ops *ops;
    tl_mat3 R;
    tl_vec3 p;
} tl_convex3;

typedef struct tl_convex_pair3 {
    tl_convex3 a, b;
    double size, tie; /* both shapes' reach; separations closer than `tie` are equal [m] */
} tl_convex_pair3;

/* The direction from a to b in which they are furthest apart: s = least of n·(b − a), their distance or minus a way that
 * parts them. y: where b is nearest to a, or its deepest point. */
typedef struct tl_convex_axis3 {
    tl_vec3 n, y;
    double s;
    bool flat; /* n is the normal of a flat face, to the bit */
} tl_convex_axis3;

tl_convex3 tl_convex3_place(const tl_shape3 *, const tl_mat3 *R, tl_vec3 at);
tl_vec3 tl_convex3_support(const tl_convex3 *, tl_vec3 n);
void tl_convex3_patch(const tl_convex3 *, tl_vec3 n, tl_patch3 *out);
int tl_convex3_flats(const tl_convex3 *, tl_vec3 out[TL_FLATS3]);
double tl_convex_pair3_separation(const tl_convex_pair3 *, tl_vec3 n);
/* Of all flat faces the one along whose normal they are furthest apart; s = −∞: there is none. */
tl_convex_axis3 tl_convex_pair3_flat(const tl_convex_pair3 *);
/* Exact where the cores are apart; where they cut each other a way out that no small turn makes shorter. Where tl_convex_pair3_flat's direction, `flat`, is no
 * worse but for TL_AXIS_FLUSH of the size, it is that. */
#define TL_AXIS_FLUSH 1e-12
tl_convex_axis3 tl_convex_pair3_axis(const tl_convex_pair3 *, tl_convex_axis3 flat);
/* The same with a direction to begin with: the way out that is reached from there. */
tl_convex_axis3 tl_convex_pair3_ascend(const tl_convex_pair3 *, tl_vec3 n);

/* convex_touches3.c. At most TL_TOUCHES3; the hint as in narrow3.h. */
int tl_convex_touches3(tl_placed3 a, tl_placed3 b, double alert, tl_vec3 *hint, tl_touch *out);

#endif
