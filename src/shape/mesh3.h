/* A surface of triangles that bounds stones and soil on its back side: terrain, a chute, a bin. Knows no bodies.
 *
 * What can be nearest to a point outside is limited by the mesh's own normals: over a triangle its normal, over a convex edge what lies between the
 * normals of the two triangles, over a peak what points away from all edges there. Edges between triangles of one plane and concave edges are never
 * nearest, so nothing can catch on them; they are kept, but are not `sharp`. */
#ifndef TL_MESH3_H
#define TL_MESH3_H

#include "base/box_tree.h"
#include "shape/facet.h"

enum { TL_MESH_TRIANGLES = 1 << 22 }; /* the most */

typedef struct tl_mesh_edge3 {
    int from, to;    /* counter-clockwise on `left`, seen from outside                                            */
    int left, right; /* triangles; right −1: a border                                                             */
    tl_vec3 n[2];    /* the normals of both; of a border, in place of the second, the way off the triangle        */
    bool sharp;      /* convex, or a border                                                                       */
} tl_mesh_edge3;

typedef struct tl_mesh3 {
    int vertices, triangles, edges;
    tl_vec3 *vertex;      /* [vertices] each once, in the order of their first mention                      [m] */
    int32_t (*corner)[3]; /* [triangles] vertices, counter-clockwise from outside                               */
    int32_t (*side)[3];   /* [triangles] edges: from corner k to the next                                       */
    tl_vec3 *normal;      /* [triangles] outward, unit                                                          */
    double *offset;       /* [triangles] n·x of its plane                                                   [m] */
    int32_t *region;      /* [triangles] the first of those that lie in one plane with it, edge to edge         */
    tl_mesh_edge3 *edge;  /* [edges]                                                                            */
    int32_t *owner;       /* [vertices] the first triangle that has it; −1: none                                */
    uint8_t *presses;     /* [vertices] it is a node that presses by itself: as a peak it does not touch once more  */
    uint8_t *peak;        /* [vertices] 1: an edge there is sharp, 2: a border also, 0: neither                 */
    int32_t *spoke_begin; /* [vertices + 1] into spoke                                                          */
    int32_t *spoke;       /* edges at each vertex                                                               */
    tl_box_tree tree;     /* of the triangles                                                                   */
} tl_mesh3;

/* What a mesh is made of; triangles by points, counter-clockwise from outside. */
typedef struct tl_triangles3 {
    const tl_vec3 *point;
    int points;
    const int32_t (*triangle)[3];
    int triangles;
} tl_triangles3;

/* Equal points become one vertex; triangles without area (narrower than 1e-12 of their length) are left out.
 * INPUT, by number from 1: a point that is not finite, a triangle with a corner that does not exist; no triangle left, more than TL_MESH_TRIANGLES.
 * NULL then. */
tl_mesh3 *tl_mesh3_create(tl_memory, const tl_triangles3 *, tl_error *);
void tl_mesh3_destroy(tl_mesh3 *, tl_memory);
/* The vertices are elsewhere now [vertices]: normals, what is sharp, and boxes follow; triangles, edges, regions and the order of the tree stay. Returns how
 * many triangles have no area there: they keep the normal that they had. */
int tl_mesh3_move(tl_mesh3 *, const tl_vec3 *vertex);

/* The point of the surface that is nearest to x; of triangles that share it, the one that faces x most (mesh_nearest3.c). */
typedef struct tl_mesh_foot3 {
    int triangle; /* −1: x is not a number */
    tl_vec3 at;
    double distance, height; /* from x; of x over the triangle's plane [m] */
} tl_mesh_foot3;
tl_mesh_foot3 tl_mesh3_nearest(const tl_mesh3 *, tl_vec3 x);
/* The triangles of which a point lies nearer to x than this [TL_FACETS]; returns how many. */
int tl_mesh3_facets(const tl_mesh3 *, tl_vec3 x, double within, tl_facet *);
tl_vec3 tl_mesh3_on_triangle(const tl_mesh3 *, int triangle, tl_vec3 x); /* the point of one triangle that is nearest to x */

/* Bytes held. */
size_t tl_mesh3_bytes(const tl_mesh3 *);

#endif
