/* Pair functions in space: where two shapes nearly touch (MECHANICS §6.2). */
#ifndef TL_NARROW3_H
#define TL_NARROW3_H

#include "shape/shape3.h"

/* One point of contact. The normal points from shape a (antagonist) to shape b (candidate); the point lies midway in the gap. */
typedef struct tl_touch3 {
    tl_vec3 point, normal;
    double gap;
    uint32_t feature; /* what faces what: stable while the same corners, edges and faces do; < 2²⁴, different for the points of one pair */
} tl_touch3;

enum { TL_TOUCHES3 = 8, TL_MESH_TOUCHES3 = 32 };

/* The most touches of a pair. */
int tl_touch3_limit(const tl_shape3 *a, const tl_shape3 *b);
/* Touches with gap < alert, at most tl_touch3_limit, in order of their features.
 *
 * The gap of a pair is the distance of the two shapes, or minus the least way that parts them where they overlap; its direction is the normal of all
 * touches. A point's own gap is measured along it: none is less than the pair's, one at least equals it. With a mesh, every point has a direction
 * of its own (mesh_touches3.c).
 * `hint`: in the last step's direction in which the two were apart (unit, world axes; zero: none), out the present one. It makes the search shorter and
 * never changes what is found. */
int tl_touch3_find(const tl_shape3 *a, const tl_frame *frame_a, const tl_shape3 *b, const tl_frame *frame_b, double alert, tl_vec3 *hint, tl_touch3 *out);

#endif
