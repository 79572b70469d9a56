/* Round cylinders and what they touch: the core of one is a flat disk or a cylinder with sharp edges (shape3.h). Internal to this room. */
#ifndef TL_ROUND3_H
#define TL_ROUND3_H

#include "detect/pair3.h"

/* A core, in any axes: what is within `half` of c along the axis n and within `rim` of it across. t, s: across, fixed in the body. */
typedef struct tl_round3 {
    tl_vec3 c, n, t, s;
    double rim, half;
} tl_round3;

/* A round core a, and another core b: round, too, or the hull of its points. */
typedef struct tl_round_pair3 {
    tl_round3 a, round; /* round: b, where b_shape->rim > 0 */
    const tl_shape3 *b_shape;
    tl_mat3 R; /* of b's axes                               */
    tl_vec3 b_middle;
    tl_vec3 point[TL_HULL_POINTS]; /* of b */
    double size, tie;
} tl_round_pair3;

/* The direction from a to b in which they are furthest apart: s = least of n·(b − a), their distance or minus a way that parts them. */
typedef struct tl_round_axis3 {
    tl_vec3 n, x, y;
    double s;
    bool met; /* x on a, y on b are the nearest points */
} tl_round_axis3;

tl_round3 tl_round3_place(const tl_shape3 *, const tl_mat3 *R, tl_vec3 at);
tl_vec3 tl_round3_nearest(const tl_round3 *, tl_vec3 x); /* the point of the core that is nearest to x */
double tl_round3_most(const tl_round3 *, tl_vec3 n);     /* max n·x over the core                      */
/* The point of a segment from p along e that is nearest to the core, and that of the core. */
void tl_round3_segment(const tl_round3 *, tl_vec3 p, tl_vec3 e, tl_vec3 *x, tl_vec3 *y);
double tl_round_pair3_separation(const tl_round_pair3 *, const tl_round3 *a, tl_vec3 n);
/* Exact where the cores are apart; where they cut each other a way out that no small turn makes shorter. */
tl_round_axis3 tl_round_pair3_axis(const tl_round_pair3 *);
/* Of cores that touch or are apart, and `a` may be elsewhere than in the pair. */
tl_round_axis3 tl_round_pair3_apart(const tl_round_pair3 *, const tl_round3 *a);

/* round_touches3.c. At most TL_TOUCHES3; the hint as in narrow3.h. */
int tl_round_touches3(const tl_shape3 *a, const tl_frame *fa, const tl_shape3 *b, const tl_frame *fb, double alert, tl_vec3 *hint, tl_touch3 *out);
/* The points of the core that may touch a plane, n: towards it. With numbers that stay from step to step. At most TL_ROUND_SPOTS. */
enum { TL_ROUND_SPOTS = 7 };
int tl_round3_spots(const tl_round3 *, tl_vec3 n, tl_vec3 spot[TL_ROUND_SPOTS], uint32_t number[TL_ROUND_SPOTS]);

#endif
