/* How much of a region, a box along the axes, shapes fill: pure geometry, for the probe `compactness`. */
#ifndef TL_FILL_H
#define TL_FILL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct tl_region {
    double low[3], high[3]; /* [m]; in the plane the third is not used */
} tl_region;

/* Area of a disk, or of a convex polygon (counter-clockwise; with room for TL_FILL_POLYGON corners, four more than it has or more, and they are lost), in a
 * region of the plane [m²]. */
enum { TL_FILL_POLYGON = 128 };
double tl_fill_disk(double radius, double x, double y, const tl_region *);
double tl_fill_polygon(double (*corner)[2], int count, const tl_region *);

enum { TL_FILL_CORNERS = 255 }; /* most of a face */

/* Volume of a convex polyhedron in a region [m³], exact: `faces` faces of size[] corners each, counter-clockwise from outside, one after the
 * other in face_corner. */
double tl_fill_polyhedron(const double (*corner)[3], int corners, const int32_t *size, const int32_t *face_corner, int faces, const tl_region *);
/* Points whose hull has nothing of a region: for its volume no faces need be known. */
bool tl_fill_misses(const double (*corner)[3], int corners, const tl_region *);
/* Volume of a capsule from a to b (a sphere where they are the same) in a region [m³], to 1e-12 of its volume. */
double tl_fill_capsule(const double a[3], const double b[3], double radius, const tl_region *);
/* The same of a round cylinder whose flat ends have the centres a and b, its edges rounded, to 1e-7 of its volume. */
double tl_fill_cylinder(const double a[3], const double b[3], double radius, double rounding, const tl_region *);

#endif
