/* A line of edges in the plane that bounds what is solid on its back side: the outline of a deformable solid, or a part of it. Knows no bodies.
 *
 * As for surfaces of triangles (mesh3.h), the line's own normals limit what can be nearest to a point outside: over an edge its normal, over a convex
 * corner what lies between the normals of the two edges there. A corner between edges of one line, or a concave one, is never nearest; it is not `sharp`. */
#ifndef TL_MESH2_H
#define TL_MESH2_H

#include "base/box_tree.h"
#include "shape/facet.h"

enum { TL_MESH_EDGES2 = 1 << 24 }; /* the most */

typedef struct tl_mesh_edge2 {
    int from, to;          /* vertices, with the solid on the left          */
    int corner[2];         /* where it begins, and where it ends            */
    tl_vec2 along, n;      /* unit; n outward: `along` turned by −90°       */
    double length, offset; /* offset: n·x on it                         [m] */
} tl_mesh_edge2;

/* Where two edges of one piece of the solid meet; two pieces that meet at a vertex have a corner each there. */
typedef struct tl_mesh_corner2 {
    int vertex, in, out; /* the edge that ends here, and the one that begins; −1: none, the line has its end here       */
    tl_vec2 n[2];        /* the normals of both; of an end, in place of the one that is missing, the way off the other  */
    bool sharp;          /* convex, or an end                                                                           */
} tl_mesh_corner2;

typedef struct tl_mesh2 {
    int vertices, edges, corners;
    tl_vec2 *vertex;         /* [vertices] */
    uint8_t *presses;        /* [vertices] it is a node that presses by itself: its corner does not touch once more */
    tl_mesh_edge2 *edge;     /* [edges]                                        */
    tl_mesh_corner2 *corner; /* [corners]                                      */
    tl_box_tree tree;        /* of the edges                                   */
} tl_mesh2;

/* What a mesh is made of: edges by points, with the solid on the left. */
typedef struct tl_edges2 {
    const tl_vec2 *point;
    int points;
    const int32_t (*edge)[2];
    int edges;
} tl_edges2;

/* Every point becomes a vertex, and every edge an edge.
 * INPUT, by number from 1: a point that is not finite, an edge with an end that does not exist, or without length; no edge, more than TL_MESH_EDGES2.
 * NULL then. */
tl_mesh2 *tl_mesh2_create(tl_memory, const tl_edges2 *, tl_error *);
void tl_mesh2_destroy(tl_mesh2 *, tl_memory);
/* The vertices are elsewhere now [vertices]: normals, what is sharp, and boxes follow. Returns how many edges have no length there: they keep the normal
 * that they had. */
int tl_mesh2_move(tl_mesh2 *, const tl_vec2 *vertex);

/* The point of the line that is nearest to x; of edges that share it, the one that faces x most. */
typedef struct tl_mesh_foot2 {
    int edge; /* −1: x is not a number */
    tl_vec2 at;
    double distance, height; /* from x; of x over the edge's line [m] */
} tl_mesh_foot2;
/* The edges of which a point lies nearer to x than this [TL_FACETS]; returns how many. */
int tl_mesh2_facets(const tl_mesh2 *, tl_vec2 x, double within, tl_facet *);
tl_mesh_foot2 tl_mesh2_nearest(const tl_mesh2 *, tl_vec2 x);

/* Bytes held. */
size_t tl_mesh2_bytes(const tl_mesh2 *);

#endif
