/* What pair functions say of a pair, in space; and in the plane, once it is in the step. */
#ifndef TL_TOUCH_H
#define TL_TOUCH_H

#include <stdint.h>

#include "base/math.h"

/* One point of contact. The normal points from shape a (antagonist) to shape b (candidate); the point lies midway in the gap. */
typedef struct tl_touch {
    tl_vec3 point, normal;
    double gap;
    uint32_t feature; /* what faces what: stable while the same corners, edges and faces do; < 2²⁴, different for the points of one pair */
} tl_touch;

/* Do two that touch pass each other? Also where `within` is less than this share of their size. */
#define TL_PASSING_TRIFLE 1e-6
enum { TL_WAYS = 4 };
typedef struct tl_passing {
    tl_touch touch;        /* the deepest of theirs                                              */
    double within, across; /* the most that they overlap [m], and the cosine of the way with the touch's normal */
    int ways;              /* out: along these they do no more                                   */
    tl_vec3 over[TL_WAYS]; /* out: from a to b; unit                                             */
    double apart[TL_WAYS]; /* out: how far they are apart along each, minus how far they overlap [m] */
} tl_passing;

/* No pair has more. */
enum { TL_MOST_TOUCHES = 32 };

#endif
