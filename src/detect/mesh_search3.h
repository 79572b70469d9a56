/* A grain and a mesh, in the axes of the mesh: what mesh_touches3.c, mesh_hulls3.c and mesh_convex3.c share. Internal to this room. */
#ifndef TL_MESH_SEARCH3_H
#define TL_MESH_SEARCH3_H

#include "detect/convex3.h"

#define TL_MESH_FLUSH  1e-9 /* differences below this share of the size are rounding */
#define TL_MESH_WITHIN 0.01 /* what is within the other by less than this share of how deep it is leaves it by another way */

enum { TL_MESH_MOST = 512 };
enum { CORNER_FACE = 1, CORNER_EDGE, CORNER_PEAK, EDGE_EDGE, FACE_PEAK, EDGE_PEAK }; /* kinds of features */

typedef struct tl_mesh_search3 {
    const tl_mesh3 *mesh;
    const tl_shape3 *grain;
    tl_convex3 core; /* of the grain */
    double alert, radius, size, flush;
    double behind;     /* how far what touches may have passed */
    tl_vec3 low, high; /* of the grain, with room to touch */
    int points;
    tl_vec3 point[TL_HULL_POINTS];
    uint32_t number[TL_HULL_POINTS];   /* of each point, the same from step to step */
    tl_vec3 face[2 * TL_HULL_POINTS];  /* normals of the grain's faces */
    double height[2 * TL_HULL_POINTS]; /* n·x of their planes          */
    int count;
    tl_touch touch[TL_MESH_MOST];
} tl_mesh_search3;

uint32_t tl_mesh_feature(int kind, uint32_t of_grain, int of_mesh);
void tl_mesh_add(tl_mesh_search3 *, uint32_t feature, tl_vec3 x, tl_vec3 n, double apart); /* x on the core, `apart` from the mesh along n */
double tl_mesh_least(const tl_mesh_search3 *, tl_vec3 n);                                  /* n·x over the core                           */
tl_vec3 tl_mesh_along(const tl_mesh3 *, const tl_mesh_edge3 *);
/* n, at right angles to the edge, lies between the normals on its sides; one that is outside by less than `slack` is put on the nearer side. */
bool tl_mesh_between(const tl_mesh_search3 *, const tl_mesh_edge3 *, double slack, tl_vec3 *n);
/* n leads away from all edges at a peak; the second puts one that all but is a triangle's normal on it. */
bool tl_mesh_over_peak(const tl_mesh3 *, int vertex, tl_vec3 n);
bool tl_mesh_lies_on_peak(const tl_mesh3 *, int vertex, tl_vec3 *n);
/* A border's point on a triangle that does not have that border, or that corner; an edge's point, at share f, that is so. */
bool tl_mesh_is_covered(const tl_mesh_search3 *, tl_vec3 x, int own, bool own_is_vertex);
bool tl_mesh_is_seam(const tl_mesh_search3 *, const tl_mesh_edge3 *, double f, tl_vec3 x);
double tl_mesh_along_sides(const tl_mesh_search3 *, const tl_mesh_edge3 *); /* the separation along the planes on both sides of an edge */

/* mesh_hulls3.c, of what has corners: over a sharp edge; over a peak. */
void tl_mesh_hull_over_edge(tl_mesh_search3 *, int edge);
void tl_mesh_hull_over_peak(tl_mesh_search3 *, int vertex);

/* mesh_convex3.c, of cores that are no hulls: over a sharp edge; over a peak. */
void tl_mesh_core_over_edge(tl_mesh_search3 *, int edge);
void tl_mesh_core_over_peak(tl_mesh_search3 *, int vertex);

#endif
