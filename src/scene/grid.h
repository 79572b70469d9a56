/* Meshes of finite elements on their way into a solid, with names for their parts. All of it lives in the arena that it was made in. */
#ifndef TL_GRID_H
#define TL_GRID_H

#include "base/base.h"
#include "base/math.h"
#include "talus/solid.h"

/* What a name stands for: of elements a region, else faces of the surface, or nodes only. */
typedef struct tl_grid_group {
    const char *name;
    int dimension; /* of what it was made from: that of the mesh, of faces, of edges, of points */
    int elements, faces, nodes;
    int *element;           /* [elements] */
    talus_solid_face *face; /* [faces] those on the surface */
    int *node;              /* [nodes] of all that it has, ascending */
} tl_grid_group;

typedef struct tl_grid {
    int dimension, nodes, elements, groups, faces, parts;
    double (*x)[3];
    uint8_t *kind;          /* [elements] of talus_element_get */
    int *begin, *node;      /* nodes of element e: node[begin[e]] to node[begin[e + 1] − 1] */
    long long *tag;         /* [elements] the number that the file gives an element; NULL: there is no file */
    talus_solid_face *face; /* [faces] the surface, in the order of elements */
    int *part_of;           /* [nodes] which of the `parts` that share no node it is in, from 0 */
    tl_grid_group *group;
    int (*site)[3]; /* [nodes] of the lattice that they have been moved from, `spacing` in the mean of its axes [m]; NULL: there is none */
    double spacing;
} tl_grid;

/* A box that is cut along its axes. */
typedef struct tl_grid_box_def {
    int dimension;
    const char *element; /* "hexahedron8" */
    double size[3];
    int cells[3];
    double grading[3]; /* of the first cell's length, where the coordinate is least, over the last one's; between them lengths are a geometric sequence */
    double top[3];     /* centre of the face where the last coordinate is largest */
} tl_grid_box_def;

enum { TL_GRID_NODES = 20000000 }; /* at most */

/* Its groups: left and right (least and largest x), in space front and back (y), bottom and top (z; in the plane y). INPUT: no element of this name is cut from
 * boxes; too many nodes. */
TALUS_NODISCARD talus_status tl_grid_box(const tl_grid_box_def *, tl_arena *, tl_grid *out, tl_error *);

/* From a file of Gmsh: its elements of the dimension, the nodes that they have, and its groups by name. Nodes of the plane have z = 0. INPUT also: it has no
 * such elements, or of a kind that solids do not have. */
TALUS_NODISCARD talus_status tl_grid_file(const char *path, double scale, int dimension, tl_arena *, tl_grid *out, tl_error *);

/* What a closed surface, in the plane a closed line, encloses: cubes of about the spacing, of which those at the surface are moved to it. It has no groups.
 * INPUT: no cube has half of it inside; a part of the surface is lost, or cut off, where the body is too thin for them; they cannot keep their form. */
struct tl_closed;
TALUS_NODISCARD talus_status tl_grid_closed(const struct tl_closed *, double spacing, tl_arena *, tl_grid *out, tl_error *);

/* What derives from nodes and elements: the surface, and the parts. MEMORY; INPUT: a face of three elements. */
TALUS_NODISCARD talus_status tl_grid_finish(tl_grid *, tl_arena *, tl_error *);
/* Lengths of the box around it along the axes [m]. */
tl_vec3 tl_grid_sides(const tl_grid *);
/* For qsort of faces: in the order of elements. */
int tl_faces_in_order(const void *, const void *);
/* Nodes of a face; returns how many. */
int tl_grid_face_nodes(const tl_grid *, talus_solid_face, int node[TALUS_FACE_MOST_NODES]);
/* Fills a group with the faces of the surface that have only nodes which are `in` [nodes], and with these nodes. */
TALUS_NODISCARD talus_status tl_grid_faces_among(const tl_grid *, const bool *in, tl_arena *, tl_grid_group *out);
/* One group more: of nodes that are `in` [nodes], elements whose nodes all are, and faces of the surface. MEMORY. */
TALUS_NODISCARD talus_status tl_grid_add_group(tl_grid *, const char *name, const bool *in, tl_arena *);
/* The number by which an element is spoken of: that of the file, else from 1. */
long long tl_grid_tag(const tl_grid *, int element);
const tl_grid_group *tl_grid_group_named(const tl_grid *, const char *name); /* NULL: none */

#endif
