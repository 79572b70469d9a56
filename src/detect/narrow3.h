/* Pair functions in space: where two shapes nearly touch (theory §6.2). */
#ifndef TL_NARROW3_H
#define TL_NARROW3_H

#include "detect/touch.h"
#include "shape/shape3.h"

enum { TL_TOUCHES3 = 8, TL_MESH_TOUCHES3 = TL_MOST_TOUCHES, TL_KNOWN_RIVALS = 25 };

/* What is kept of a pair is kept in floats: they are wrong by less than this share of distances, this much of unit vectors and turns. */
#define TL_FLOATS 1e-6
static inline void tl_keep3(float out[3], tl_vec3 v) { out[0] = (float)v.x, out[1] = (float)v.y, out[2] = (float)v.z; }
static inline tl_vec3 tl_kept3(const float v[3]) { return tl_v3((double)v[0], (double)v[1], (double)v[2]); }

/* A face, or an edge of a and one of b, along whose normal two polyhedra may be furthest apart: by no more than `reach` when it was listed, and not at all
 * while b has turned by less than `aside` in the axes of a. */
typedef struct tl_rival3 {
    uint32_t a : 10, b : 10, aside : 12; /* a face, or an edge before it is paired: its number, 0, 0; aside [TURN/4095, rivals3.c] */
    float reach;                         /* [m] */
} tl_rival3;

/* What was outermost of a polyhedron along n, its own axes: the same along every direction that differs from n by less than `lead` and has one of these
 * corners as its support. */
typedef struct tl_known_patch3 {
    float n[3], lead;
    uint16_t number;
    uint8_t kind, count, corner[4]; /* kind: touches3.c's; corners: all, more than two are a face's */
} tl_known_patch3;

/* What is known of a pair of polyhedra from an earlier step: the rivals (rivals3.c), and where b was in the axes of a when they were listed; the outermost
 * patches (touches3.c). All zero: nothing. Bounds all of it, so floats do. */
typedef struct tl_known3 {
    float level, arm;               /* unlisted ones reach less; points that bound them are within `arm` of the one below [m] */
    float own[3], seen[3], R[3][3]; /* a point of b in its axes; in those of a; b's axes in those of a                  [m] */
    bool holds;
    uint8_t faces[2], pairs; /* of a, of b, then edges: how many; seldom more than ten together */
    tl_known_patch3 patch[2];
    tl_rival3 rival[TL_KNOWN_RIVALS];
} tl_known3;

_Static_assert(sizeof(tl_known3) == 5 * 64, "what is known of a pair is as large as five lines of the cache");

/* A shape and where its body is. */
typedef struct tl_placed3 {
    const tl_shape3 *shape;
    const tl_frame *at;
} tl_placed3;

/* The most touches of a pair. */
int tl_touch3_limit(const tl_shape3 *a, const tl_shape3 *b);
/* Touches with gap < alert, at most tl_touch3_limit, in order of their features.
 *
 * The gap of a pair is the distance of the two shapes, or minus the least way that parts them where they overlap; its direction is the normal of all
 * touches. A point's own gap is measured along it: none is less than the pair's, one at least equals it. With a mesh, every point has a direction
 * of its own (mesh_touches3.c). Where alert is more than half of how thin both are together, which is what may be passed through, corners over a face of a
 * polyhedron touch too, however steep their own faces are: in a step they may turn down onto it.
 * `hint`: in the last step's direction in which the two were apart (unit to a float's rounding, world axes; zero: none), out the present one. `known`: the same
 * with what is known of this very pair, NULL where nothing is to be kept. They make the search shorter and never change what is found. */
int tl_touch3_find(tl_placed3 a, tl_placed3 b, double alert, tl_vec3 *hint, tl_known3 *known, tl_touch *out);
/* Ways along which two convex shapes that touch may pass each other: normals of flat faces, across the touch's, along which they overlap by no more than
 * `within`, or than a millionth of their size. */
void tl_touch3_passes(tl_placed3 a, tl_placed3 b, tl_passing *);
/* Is all of a shape, where it is placed, at n·x ≥ least? Not where it has no end there. */
bool tl_touch3_is_beyond(tl_placed3, tl_vec3 n, double least);
/* A pair is about to be looked at: fetches b's corners and what is known from memory; a while later faces and edges that this names; then the faces of those
 * edges. */
void tl_touch3_expect(const tl_shape3 *b, const tl_known3 *);
void tl_touch3_expect_rivals(const tl_shape3 *a, const tl_shape3 *b, const tl_known3 *);
void tl_touch3_expect_edges(const tl_shape3 *a, const tl_shape3 *b, const tl_known3 *);

#endif
