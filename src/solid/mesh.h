/* A mesh of finite elements: nodes, elements of any kinds, and what derives from them. It owns copies of what it is given. */
#ifndef TL_ELEMENT_MESH_H
#define TL_ELEMENT_MESH_H

#include "base/base.h"
#include "base/dissection.h"
#include "solid/element.h"
#include "talus/solid.h"

/* A face of one element only. */
typedef talus_solid_face tl_outer_face;

typedef struct tl_element_mesh {
    tl_memory memory;
    int dimension, nodes, elements, faces, parts;
    double (*x)[3];               /* [nodes] without strain [m]; in the plane the third is 0        */
    const tl_element_kind **kind; /* [elements]                                                     */
    int *begin, *node;            /* nodes of element e: node[begin[e]] to node[begin[e + 1] − 1]     */
    tl_outer_face *face;          /* [faces] the surface, in the order of elements                  */
    int *part_of;                 /* [nodes] from 0: which of the `parts` that are not connected with each other a node is in */
    tl_pattern pattern;           /* nodes of common elements                                       */
} tl_element_mesh;

/* What a mesh is made from. */
typedef struct tl_element_mesh_def {
    int dimension, nodes, elements;
    const double (*x)[3];
    const tl_element_kind *const *kind;
    const int *node; /* those of all elements, one after the other */
} tl_element_mesh_def;

/* INPUT, by number from 1: an element of another dimension, without volume or inside out, with a node that does not exist or that it has twice; a node that is
 * not finite or that no element has; a face of three elements; no element. */
TALUS_NODISCARD talus_status tl_element_mesh_create(tl_memory, const tl_element_mesh_def *, tl_element_mesh *out, tl_error *);
void tl_element_mesh_free(tl_element_mesh *);

/* Places of the nodes of an element. */
void tl_element_mesh_places(const tl_element_mesh *, int element, double (*x)[3]);
/* Nodes of a face, as its kind has them; returns how many. */
int tl_element_mesh_face_nodes(const tl_element_mesh *, const tl_outer_face *, int node[TL_FACE_NODES]);

#endif
