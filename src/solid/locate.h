/* Where a point lies in a mesh of elements. */
#ifndef TL_LOCATE_H
#define TL_LOCATE_H

#include "solid/mesh.h"

/* The element that has x inside, found by Newton's method from its shape functions, or else the nearest face of the surface. False: x is not finite. */
bool tl_element_mesh_locate(const tl_element_mesh *, const double x[3], talus_solid_point *out);

#endif
