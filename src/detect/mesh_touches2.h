/* Outlines of solids against disks, polygons and ellipses (mesh_touches2.c). Internal to this room. */
#ifndef TL_MESH_TOUCHES2_H
#define TL_MESH_TOUCHES2_H

#include "detect/narrow2.h"

enum { TL_MESH_TOUCHES2 = TL_TOUCHES2 };

/* At most TL_MESH_TOUCHES2, in order of their features; normals point from the mesh to the grain, or to the mesh where it is b. Two meshes, or one and a
 * half-plane, do not touch. */
int tl_mesh_touches2(const tl_shape2 *a, const tl_pose2 *pa, const tl_shape2 *b, const tl_pose2 *pb, double alert, tl_touch2 *out);

#endif
