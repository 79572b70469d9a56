/* Spatial shapes. All but the half-space and the mesh are one thing: the points within `radius` of the convex hull of `points` corners
 * (one: a sphere, two: a capsule, four and more: a polyhedron, which has no rounding), or of two circles, a round cylinder. Knows no bodies. */
#ifndef TL_SHAPE3_H
#define TL_SHAPE3_H

#include "base/base.h"
#include "base/math.h"
#include "base/quad.h"
#include "shape/mesh3.h"
#include "shape/size.h"

/* In the order of the spatial kinds of talus_shape_kind. What each does is in kinds3.h. */
/* clang-format off */
typedef enum tl_shape3_kind {
    TL_SPHERE3,
    TL_CAPSULE3,
    TL_POLYHEDRON3,
    TL_HALF_SPACE3,
    TL_MESH3,
    TL_CYLINDER3,
    TL_ELLIPSOID3,
    TL_FRUSTUM3,
    TL_SHAPE3_KINDS
} tl_shape3_kind;
/* clang-format on */

enum { TL_HULL_POINTS = 255 };

/* An edge of a polyhedron and the two faces that it parts; from → to is counter-clockwise on `left`, seen from outside. */
typedef struct tl_edge3 {
    uint8_t from, to;
    uint16_t left, right;
} tl_edge3;

typedef struct tl_plane3 {
    tl_vec3 n;     /* outward, unit */
    double offset; /* n·x there [m] */
} tl_plane3;

typedef struct tl_shape3 {
    tl_shape3_kind kind;
    int points, faces, edges; /* of a hull; faces, edges: of a polyhedron, else 0                                 */
    double radius;            /* of rounding; > 0 for one and two points, 0 for polyhedra                     [m] */
    double rim;               /* of a round cylinder: of the circles about its two points, which may be one, at right angles to `normal`; else 0 [m] */
    double reach;             /* largest distance of the shape from the body's origin; infinite: half-space   [m] */
    double thin;              /* half of its least width, where it is reckoned with; else 0                   [m] */
    double warp;              /* how far corners of faces lie off their planes, at most: TL_HULL_GRAIN of the size or so     [m] */
    tl_vec3 centre;           /* mean of the points: inside; half-space: a point on its plane; mesh: of its box [m] */
    tl_vec3 normal;           /* half-space: outward unit normal; round cylinder: its axis, unit                  */
    tl_vec3 *point;           /* [points] corners of the hull, no others                                      [m] */
    tl_plane3 *plane;         /* [tl_fours(faces)] of each face, coplanar triangles are one; filled up with the last */
    uint16_t *face_begin;     /* [faces + 1] into corner                                                          */
    uint8_t *corner;          /* [face_begin[faces]] points around each face, counter-clockwise from outside      */
    uint16_t *side;           /* [face_begin[faces]] the edge from each of these points to the next around its face   */
    tl_edge3 *edge;           /* [edges]                                                                          */
    uint16_t *around;         /* [points + 1] into face_at and edge_at, for each corner                            */
    uint16_t *face_at;        /* [face_begin[faces]] the faces at each corner, ascending                            */
    uint16_t *edge_at;        /* [face_begin[faces]] the edges at each corner, ascending; as many                   */
    double *corner_rows;      /* [3][tl_fours(points)] x, y, z of the corners, filled up with the last          [m] */
    tl_mesh3 *mesh;           /* of a mesh, else NULL                                                             */
} tl_shape3;

/* Volume, centroid, and second moments about the centroid for unit density: inertia = ∫ (r·r 1 − r rᵀ) dV [m⁵]. */
typedef struct tl_volume3 {
    double volume;
    tl_vec3 centroid;
    tl_mat3 inertia;
} tl_volume3;

/* Make a shape; of three and more points those that are no corners (inside, on a face or an edge, given twice) are dropped. What is shorter
 * than TL_HULL_GRAIN of the size (hull3.h) does not count. Numbers of corners, faces and edges do not depend on the order of the points:
 * corners are sorted by x, y, z; a face begins at its smallest corner and faces are sorted by their corners; edges have from < to and are sorted.
 * INPUT: no point, non-finite points, the ends of a capsule or all corners coinciding, three points or more in one plane, more than
 * TL_HULL_POINTS corners, a radius that is missing (one or two points) or unwanted (more), a zero normal. */
TALUS_NODISCARD talus_status tl_shape3_hull(tl_shape3 *, tl_memory, const tl_vec3 *points, int count, double radius, tl_error *);
/* A round cylinder: between the centres of its flat ends, `radius` about the axis, its edges rounded by `rounding`. With a rounding of half its length it is
 * a coin whose rim is a torus. INPUT: ends that coincide, a radius or a rounding that is not positive, a rounding above the radius or half the length. A
 * rounding of the radius makes a capsule or a sphere. */
TALUS_NODISCARD talus_status tl_shape3_cylinder(tl_shape3 *, tl_memory, const tl_vec3 end[2], double radius, double rounding, tl_error *);
/* thin3.c: brings at most `most` (≥ 4) of the points to the front, and makes them `count`: again and again the one that is farthest outside of the hull of
 * those before it. Their hull is inside that of all. Of a ball, any choice of n corners loses about 5.44/n of the volume at least; this one up to half as much
 * again. */
TALUS_NODISCARD talus_status tl_thin3(tl_memory, tl_vec3 *points, int *count, int most, tl_error *);
TALUS_NODISCARD talus_status tl_shape3_half_space(tl_shape3 *, tl_vec3 point, tl_vec3 normal, tl_error *);
/* Fails as tl_mesh3_create does. */
TALUS_NODISCARD talus_status tl_shape3_mesh(tl_shape3 *, tl_memory, const tl_triangles3 *, tl_error *);
/* By a definition in numbers, for each kind as talus/body.h has it. `point` may be put in another order. */
typedef struct tl_shape3_def {
    tl_vec3 *point;
    int count; /* of points that define it */
    double radius, rounding;
    int most; /* polyhedron: corners; 0: all */
    const int32_t (*triangles)[3];
    int triangle_count;
} tl_shape3_def;
TALUS_NODISCARD talus_status tl_shape3_make(tl_shape3 *, tl_memory, tl_shape3_kind, const tl_shape3_def *, tl_error *);
void tl_shape3_free(tl_shape3 *, tl_memory);
static inline bool tl_shape3_is_hull(const tl_shape3 *s) { return s->kind <= TL_POLYHEDRON3; } /* sphere, capsule, polyhedron */
bool tl_shape3_is_convex(const tl_shape3 *);                                                   /* and bounded: a free body may carry it */
/* A node of a solid: a point, with next to no radius, that is as thin as half the way to the next. */
static inline bool tl_shape3_is_node(const tl_shape3 *s) { return s->kind == TL_SPHERE3 && s->radius < TL_NODE * s->thin; }
/* What defines the shape now, without its points; corner i of those, then of those that faces are drawn with; faces as talus_body_faces has them. */
void tl_shape3_describe(const tl_shape3 *, tl_shape3_def *out);
tl_vec3 tl_shape3_corner(const tl_shape3 *, int i);
int tl_shape3_faces(const tl_shape3 *, int32_t *size, int32_t *corner, int *corner_count);
/* x ← Rᵀ (x − offset): when the body's frame moves to its centre of mass and principal axes. Not of a mesh: no free body has one. */
void tl_shape3_move(tl_shape3 *, tl_vec3 offset, const tl_mat3 *R);
tl_volume3 tl_shape3_volume(const tl_shape3 *);
/* Bounding box at a placement; a half-space's is infinite where it must be, a mesh's is that of its own box. */
tl_box3 tl_shape3_box(const tl_shape3 *, const tl_frame *);
/* Half of the least distance of two parallel planes with the shape between them and a face on one; the radius of spheres and capsules; ∞: a half-space;
 * 0: a mesh. */
double tl_shape3_half_width(const tl_shape3 *);
/* Radius of the ball about its centre that holds a convex shape; infinite: a half-space or a mesh [m]. */
double tl_shape3_ball(const tl_shape3 *);
/* What small lengths of it are shares of [m]. */
static inline double tl_shape3_size(const tl_shape3 *s) { return tl_size_of(s->reach, tl_dot(s->centre, s->centre)); }
/* The point of a convex shape without its rounding (`radius`) that is farthest along a direction, in its own axes. */
tl_vec3 tl_shape3_support(const tl_shape3 *, tl_vec3 n);
/* Signed distance from a point in its own axes to the surface, negative inside it, behind a half-space or a mesh: exact where it is below `within`, else not
 * less than that. The side of a mesh is that of its nearest triangle. For placing things; contacts have functions of their own (detect). */
double tl_shape3_distance(const tl_shape3 *, tl_vec3 x, double within);

#endif
