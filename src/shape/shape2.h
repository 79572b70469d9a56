/* Planar shapes. Disks and polygons are one thing: the points within `radius` of a convex polygon of `count` corners (one
 * corner: a disk, two: a segment or capsule). Knows no bodies. */
#ifndef TL_SHAPE2_H
#define TL_SHAPE2_H

#include "base/base.h"
#include "base/math.h"
#include "shape/mesh2.h"
#include "shape/size.h"

/* What each does is in kinds2.h. Those after the half-plane are in the order of the planar kinds from TALUS_SHAPE_PLANAR on of talus_shape_kind. */
/* clang-format off */
typedef enum tl_shape2_kind {
    TL_DISK,
    TL_POLYGON,
    TL_HALF_PLANE,
    TL_ELLIPSE,
    TL_MESH2, /* the outline of a solid: no body is given one, so it is the last */
    TL_SHAPE2_KINDS
} tl_shape2_kind;
/* clang-format on */

enum { TL_CORNERS = 16, TL_OUTLINE2 = 64 };

typedef struct tl_shape2 {
    tl_shape2_kind kind;
    int count;            /* corners, or points that define it; half-plane: 1                                      */
    double radius;        /* of rounding; ≥ 0                                                                  [m] */
    double reach;         /* largest distance of the shape from the body's origin; infinite for a half-plane   [m] */
    double thin;          /* half of its least width, where it is reckoned with; else 0                        [m] */
    tl_vec2 centre;       /* a disk's centre, a point on the half-plane's line                                 [m] */
    tl_vec2 normal;       /* half-plane: outward unit normal                                                       */
    tl_vec2 *corner;      /* [count], of a polygon counterclockwise; NULL for disk and half-plane              [m] */
    tl_vec2 *edge_normal; /* [count], of a polygon: outward unit normal of edge i → i+1                            */
    tl_mesh2 *mesh;       /* of a mesh, else NULL                                                                  */
} tl_shape2;

/* What small lengths of it are shares of [m]. */
static inline double tl_shape2_size(const tl_shape2 *s)
{
    const bool polygon = s->kind == TL_POLYGON && s->count > 0;
    const tl_vec2 middle = polygon ? tl_scale2(0.5, tl_add2(s->corner[0], s->corner[s->count / 2])) : s->kind == TL_ELLIPSE ? s->corner[0] : s->centre;
    return tl_size_of(s->reach, tl_dot2(middle, middle));
}

typedef struct tl_box2 {
    tl_vec2 low, high;
} tl_box2;

/* Area, centroid, and second moment about the centroid ∫ r² dA. */
typedef struct tl_area2 {
    double area, moment;
    tl_vec2 centroid;
} tl_area2;

/* Make a shape; `corners` may be in any order, inner points are dropped. INPUT: fewer than one corner, non-finite or coinciding
 * corners, all corners of three or more on a line, a disk without radius, a zero normal. */
TALUS_NODISCARD talus_status tl_shape2_round_hull(tl_shape2 *, tl_memory, const tl_vec2 *corners, int count, double radius, tl_error *);
TALUS_NODISCARD talus_status tl_shape2_half_plane(tl_shape2 *, tl_vec2 point, tl_vec2 normal, tl_error *);
/* Fails as tl_mesh2_create does. */
TALUS_NODISCARD talus_status tl_shape2_mesh(tl_shape2 *, tl_memory, const tl_edges2 *, tl_error *);
/* By a definition in numbers, for each kind as talus/body.h has it. */
typedef struct tl_shape2_def {
    tl_vec2 point[TL_CORNERS];
    int count;
    double radius;
} tl_shape2_def;
TALUS_NODISCARD talus_status tl_shape2_make(tl_shape2 *, tl_memory, tl_shape2_kind, const tl_shape2_def *, tl_error *);
void tl_shape2_free(tl_shape2 *, tl_memory);
/* Move the shape by −offset within its body (when the body's origin moves to the centre of mass). */
void tl_shape2_shift(tl_shape2 *, tl_vec2 offset);
bool tl_shape2_is_bounded(const tl_shape2 *); /* bodies that move by themselves may carry it */
/* Signed distance from a point in its own axes to its rim, negative inside it or behind a half-plane. */
double tl_shape2_distance(const tl_shape2 *, tl_vec2 x);
/* 0: of a half-plane. */
tl_area2 tl_shape2_area(const tl_shape2 *);
/* Bounding box at a pose; a half-plane's is infinite where it must be. */
tl_box2 tl_shape2_box(const tl_shape2 *, const tl_pose2 *);
/* Corner i, or of those that have none the centre; the outline of a kind that is not told by its points and radius: a polygon
 * of its area, counter-clockwise; returns the number of its corners, 0: it is told. */
tl_vec2 tl_shape2_corner(const tl_shape2 *, int i);
int tl_shape2_outline(const tl_shape2 *, tl_vec2 out[TL_OUTLINE2]);
/* A node of a solid: a point, with next to no radius, that is as thin as half the way to the next. */
static inline bool tl_shape2_is_node(const tl_shape2 *s) { return s->kind == TL_DISK && s->radius < TL_NODE * s->thin; }
/* A segment without a radius: it has no inside that another could be in. */
static inline bool tl_shape2_is_line(const tl_shape2 *s) { return s->kind == TL_POLYGON && s->count == 2 && !(s->radius > 0); }
/* Half of the least distance of two parallel lines with the shape between them; ∞: a half-plane. */
double tl_shape2_half_width(const tl_shape2 *);
/* Radius of the disk about the mean of its corners, or of its outline, that holds it; infinite for a half-plane [m]. */
double tl_shape2_ball(const tl_shape2 *);

#endif
