/* Flat pieces of a surface about a point of it, of a mesh or of a solid: which way they look, and where their corners are. */
#ifndef TL_FACET_H
#define TL_FACET_H

#include "base/math.h"

enum { TL_FACETS = 32, TL_FACET_CORNERS = 4 }; /* about a point: of those that have more the first */

/* In the plane an edge, in space a triangle or a quadrilateral. */
typedef struct tl_facet {
    tl_vec3 normal, at; /* outward, unit; a point of its plane: of facets about a node, that [m] */
    int corners;
    tl_vec3 corner[TL_FACET_CORNERS]; /* [m] */
} tl_facet;

#endif
