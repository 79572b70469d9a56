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

enum { TL_TOUCHES3 = 8, TL_MESH_TOUCHES3 = 32, TL_KNOWN = 56 };

/* What is known of a pair of polyhedra from an earlier step: the faces and edges that may part them (rivals3.c). All zero: nothing. */
typedef struct tl_known3 {
    double level;                  /* [m] */
    tl_vec3 own[2][2], seen[2][2]; /* points of the other shape: in its axes; in those of this, when the list was made [m] */
    bool holds;
    uint8_t faces[2], edges[2]; /* of a, of b: how many */
    uint16_t list[TL_KNOWN];    /* faces of a, edges of a, faces of b, edges of b */
} tl_known3;

/* The most touches of a pair. */
int tl_touch3_limit(const tl_shape3 *a, const tl_shape3 *b);
/* Touches with gap < alert, at most tl_touch3_limit, in order of their features.
 *
 * The gap of a pair is the distance of the two shapes, or minus the least way that parts them where they overlap; its direction is the normal of all
 * touches. A point's own gap is measured along it: none is less than the pair's, one at least equals it. With a mesh, every point has a direction
 * of its own (mesh_touches3.c).
 * `hint`: in the last step's direction in which the two were apart (unit, world axes; zero: none), out the present one. `known`: the same with what is
 * known of this very pair, NULL where nothing is to be kept. They make the search shorter and never change what is found. */
int tl_touch3_find(const tl_shape3 *a, const tl_frame *frame_a, const tl_shape3 *b, const tl_frame *frame_b, double alert, tl_vec3 *hint, tl_known3 *known,
                   tl_touch3 *out);
/* The shape is about to be looked at: fetches its corners from memory. */
void tl_touch3_expect(const tl_shape3 *);

#endif
