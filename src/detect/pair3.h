/* What the pair functions in space share: a pair in the axes of its first shape, the direction in which two cores are apart, and the points of
 * contact along it. The core of a shape is the hull of its corners, without the rounding. Internal to this room. */
#ifndef TL_PAIR3_H
#define TL_PAIR3_H

#include "detect/narrow3.h"

enum { TL_HULL_EDGES = 3 * TL_HULL_POINTS, TL_PLANES = (2 * TL_HULL_POINTS + 3) / 4 * 4 };

/* Corners as rows of coordinates, filled up to `padded`, a multiple of four. */
typedef struct tl_cloud3 {
    int count, padded;
    const double *x, *y, *z;
} tl_cloud3;

/* All but the corners of b in the axes of a. */
typedef struct tl_pair3 {
    const tl_shape3 *a, *b;
    tl_frame b_in_a;
    double size;        /* both shapes' reach                                                                               [m] */
    double tie;         /* separations closer than this are equal: the choice between them must not depend on rounding      [m] */
    double rims;        /* both radii                                                                                       [m] */
    double alert;       /* touches have gap < alert                                                                         [m] */
    bool passing;       /* what is nearer than alert may be through the other within a step: all corners over a face are touches, also of steep faces */
    double between;     /* a separation along the last step's direction, where that is negative: none less need be looked at [m] */
    tl_vec3 start;      /* a direction in which the two may be apart; unit                                                      */
    tl_cloud3 cloud[2]; /* of a, of b: the corners, each in the axes of its own shape                                    */
} tl_pair3;

/* s = least of n·(b − a) over both cores; the largest over all n is their distance, or minus their overlap. */
typedef struct tl_axis3 {
    tl_vec3 n;
    double s;
    bool beyond; /* s is beyond alert, and the search ended there */
} tl_axis3;

/* Faces and edges that may be the ones along whose normal two cores are furthest apart ([0]: of a, [1]: of b). Along the others it is less than `level`. */
typedef struct tl_rivals3 {
    double level;    /* unless recalled [m] */
    double way;      /* by how much those listed may reach further than is said there [m] */
    unsigned turn;   /* pairs with less than this aside count                             */
    tl_vec3 x[2][2]; /* unless recalled: points of the other shape that bound what faces and edges reach, in the axes of the shape which these are of [m] */
    int faces[2], edges[2], pairs;
    const tl_rival3 *face[2], *edge[2]; /* numbers ascending                    */
    const tl_rival3 *pair;              /* recalled: instead of edges; or NULL  */
    tl_rival3 list[2 * (TL_PLANES + TL_HULL_EDGES)];
    double height[2][TL_PLANES]; /* of x[.][1] above the faces, while the list is made */
} tl_rivals3;

/* An edge and the normals on both sides of it, in the axes of a. */
typedef struct tl_arc3 {
    tl_vec3 edge, left, right, at;
} tl_arc3;

/* Nearest points of two cores that are apart: on a and b the means, with weights, of up to three corners. */
typedef struct tl_nearest3 {
    int count, ia[4], ib[4];
    double weight[4];
    tl_vec3 w[4], v; /* differences b − a of the corners; their mean: the vector from a to b */
} tl_nearest3;

static inline double tl_clamp01(double f) { return tl_smaller(1, tl_larger(0, f)); }

/* Is a hint one, kept in floats? */
static inline bool tl_is_direction3(tl_vec3 n) { return fabs(tl_dot(n, n) - 1) < TL_FLOATS; }

/* R v and Rᵀ v, in line: this room does little else. */
static inline tl_vec3 tl_turn3(const tl_mat3 *R, tl_vec3 v)
{
    return tl_v3(R->m[0][0] * v.x + R->m[0][1] * v.y + R->m[0][2] * v.z, R->m[1][0] * v.x + R->m[1][1] * v.y + R->m[1][2] * v.z,
                 R->m[2][0] * v.x + R->m[2][1] * v.y + R->m[2][2] * v.z);
}
static inline tl_vec3 tl_turn_back3(const tl_mat3 *R, tl_vec3 v)
{
    return tl_v3(R->m[0][0] * v.x + R->m[1][0] * v.y + R->m[2][0] * v.z, R->m[0][1] * v.x + R->m[1][1] * v.y + R->m[2][1] * v.z,
                 R->m[0][2] * v.x + R->m[1][2] * v.y + R->m[2][2] * v.z);
}

static inline tl_vec3 tl_corner3(const tl_cloud3 *c, int i) { return tl_v3(c->x[i], c->y[i], c->z[i]); }

/* A corner in the axes of a. */
static inline tl_vec3 tl_pair3_corner(const tl_pair3 *pair, bool of_b, int i)
{
    const tl_vec3 x = tl_corner3(&pair->cloud[of_b], i);
    return of_b ? tl_add(tl_turn3(&pair->b_in_a.R, x), pair->b_in_a.p) : x;
}

/* The corners of a shape in its own axes. */
static inline tl_cloud3 tl_cloud3_of(const tl_shape3 *s)
{
    const int padded = tl_fours(s->points);
    return (tl_cloud3){s->points, padded, s->corner_rows, s->corner_rows + padded, s->corner_rows + 2 * padded};
}

void tl_planes3_heights(const tl_shape3 *, tl_vec3 x, double height[TL_PLANES]); /* of x above each face */
double tl_planes3_exit(const tl_shape3 *, tl_vec3 from, tl_vec3 way);            /* share of the way on which the shape ends, at most 1 */
double tl_cloud3_least(const tl_cloud3 *, tl_vec3 n);                            /* min n·x */
int tl_cloud3_support(const tl_cloud3 *, tl_vec3 n);                             /* corner of max n·x, the lowest number of several */
/* The same of one of a pair, n in the axes of a; and how far both are apart along n. */
double tl_pair3_least(const tl_pair3 *, bool of_b, tl_vec3 n);
int tl_pair3_support(const tl_pair3 *, bool of_b, tl_vec3 n);
double tl_pair3_separation(const tl_pair3 *, tl_vec3 n);

/* d × e, at right angles to the longer of the two also where they are nearly parallel; what rounding leaves there is an error along the short side of the
 * triangle that they span, which hardly matters. And the same for a triangle. */
tl_vec3 tl_across(tl_vec3 d, tl_vec3 e);
tl_vec3 tl_triangle_normal(tl_vec3 p, tl_vec3 q, tl_vec3 r);

/* The point of a simplex that is nearest to the origin. */
typedef struct tl_simplex3 {
    double weight[4]; /* of the simplex' corners, 0: not used */
    tl_vec3 v;
    double d2;
} tl_simplex3;
bool tl_simplex3_solve(const tl_vec3 *w, int count, tl_simplex3 *best); /* false: the origin is inside */
bool tl_simplex3_faces(const tl_vec3 *w, tl_simplex3 *best);            /* of a tetrahedron that the origin is known to be outside of, however flat */

/* Nearest points with b moved by `shift` n away from a, by descent from the direction n. False where they touch to rounding. */
bool tl_pair3_nearest(const tl_pair3 *, tl_vec3 n, double shift, tl_nearest3 *);
tl_axis3 tl_pair3_axis(const tl_pair3 *, tl_known3 *);                                    /* of which one at least is a polyhedron           */
tl_axis3 tl_pair3_axis_of_segments(const tl_pair3 *);                                     /* none is                                         */
int tl_pair3_touches(const tl_pair3 *, tl_axis3, tl_known3 *, tl_touch out[TL_TOUCHES3]); /* in the axes of a, in order */

/* Edge of one shape; a capsule's core has one, without normals. */
tl_arc3 tl_arc3_of(const tl_pair3 *, bool of_b, int edge);

/* rivals3.c. First the points between the middles, then lists: n is a direction near to which the best may be. One made to be kept has a level that is lower
 * by the margin. */
void tl_rivals3_begin(const tl_pair3 *, tl_rivals3 *out);
void tl_rivals3_list(const tl_pair3 *, tl_vec3 n, double level, bool edges_too, tl_rivals3 *out);
double tl_rivals3_margin(const tl_pair3 *);
void tl_rivals3_keep(const tl_pair3 *, const tl_rivals3 *, tl_known3 *);
/* The kept list, when it still holds: when what is not on it is less than `least`. */
bool tl_rivals3_recall(const tl_pair3 *, const tl_known3 *, double least, tl_rivals3 *out);

/* mesh_touches3.c: a mesh and a grain, in the world; `mesh_is_b`: normals point to it. At most tl_touch3_limit. */
int tl_mesh_touches3(tl_placed3 mesh, tl_placed3 grain, bool mesh_is_b, double alert, tl_touch *out);

/* Numbers of what faces what. */
uint32_t tl_feature3_corner_face(bool corner_of_b, int corner, int face);
uint32_t tl_feature3_edges(int edge_a, int edge_b);
uint32_t tl_feature3_corner_edge(bool corner_of_b, int corner, int edge);
uint32_t tl_feature3_corners(int corner_a, int corner_b);

/* At most TL_TOUCHES3 of count: the deepest, and those that keep the area which they span along n; sorted by feature. Returns how many. */
int tl_touches3_choose(tl_touch *touches, int count, tl_vec3 n, tl_touch out[TL_TOUCHES3]);

#endif
