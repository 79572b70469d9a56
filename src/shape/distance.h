/* Signed distances from a point in a shape's axes to its surface [m], negative inside it (behind a half-plane, half-space or mesh). */
#ifndef TL_DISTANCE_H
#define TL_DISTANCE_H

#include "shape/shape2.h"
#include "shape/shape3.h"

double tl_shape2_distance(const tl_shape2 *, tl_vec2 x);
/* Exact where it is below `within`, else not less than that. The side of a mesh is that of its nearest triangle. */
double tl_shape3_distance(const tl_shape3 *, tl_vec3 x, double within);

#endif
