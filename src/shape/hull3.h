/* Convex hulls in space, inside the room: from points to the corners, faces and edges of a polyhedron.
 *
 * Lengths below a billionth of the size are not told apart (`TL_HULL_GRAIN`): points nearer than that are one, and faces whose corners all
 * lie as near to one plane are one face. Coordinates that went through a rotation or were typed with nine digits so still give
 * flat faces; and what is left is well determined: rounding is 1e-16 of the size, so the normal of a face as narrow as 1e-9 is good to 1e-7.
 * (Where points are off a plane by just about that much, so that only slivers would part its faces, 8 or 64 times as much is allowed.)
 * Far from the origin, where coordinates themselves are known less well, it is their rounding that counts. */
#ifndef TL_HULL3_H
#define TL_HULL3_H

#include "shape/shape3.h"

#define TL_HULL_GRAIN 1e-9

/* Faces as qhull gives them: corner[begin[f] … begin[f + 1] − 1] around face f, all counter-clockwise or all clockwise from outside. */
typedef struct tl_raw3 {
    int faces, corners;
    int *begin, *corner;
    int begin_capacity, corner_capacity;
} tl_raw3;

/* `points` are of order 1, distinct and span space. The arrays of `raw` are to be freed also when this fails. */
TALUS_NODISCARD talus_status tl_raw3_hull(tl_raw3 *raw, tl_memory, tl_vec3 *points, int count, tl_error *);
void tl_raw3_free(tl_raw3 *raw, tl_memory);

/* Fill points, faces, corners and edges of a shape: numbers do not depend on the order of the input. Planes are left to tl_shape3_planes. */
TALUS_NODISCARD talus_status tl_hull3_build(tl_shape3 *, tl_memory, const tl_vec3 *points, int count, tl_error *);
/* Normals and offsets of the faces, centre and reach, from the corners. */
void tl_shape3_planes(tl_shape3 *);

#endif
