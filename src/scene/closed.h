/* Closed surfaces of triangles, in the plane closed lines of edges, that a body fills: what of a line lies inside, which point of them is nearest. */
#ifndef TL_CLOSED_H
#define TL_CLOSED_H

#include "base/box_tree.h"

typedef struct tl_closed {
    int dimension, points, pieces, parts;
    const double (*point)[3];     /* [points] [m] in the plane the third is 0                     */
    const int32_t (*corner)[3];   /* [pieces] counter-clockwise from outside; of an edge only two */
    double low[3], high[3], size; /* of the box around it [m]; volume, or area, inside [m³, m²] */
    tl_box_tree tree;             /* over its pieces */
} tl_closed;

/* Of points and pieces that outlive it and enclose something. MEMORY. To be freed, also on failure. */
TALUS_NODISCARD talus_status tl_closed_create(int dimension, const double (*point)[3], int points, const int32_t (*corner)[3], int pieces, tl_closed *out);
void tl_closed_free(tl_closed *);

/* The first of the points at each one's place [points]. MEMORY. */
TALUS_NODISCARD talus_status tl_closed_weld(const tl_closed *, int *first);

/* Where a line along x through (y, z) crosses it, ascending: what is between the first and the second lies inside, and so on. */
typedef struct tl_crossings {
    double *x;
    int count, capacity;
} tl_crossings;
TALUS_NODISCARD talus_status tl_closed_cross(const tl_closed *, double y, double z, tl_crossings *out); /* MEMORY */

tl_vec3 tl_closed_nearest(const tl_closed *, tl_vec3 x);

/* What is sharp of a surface, where faces turn by more than 40°: edges, in space, and corners, where such edges end, meet or turn. They are surfaces for the
 * nearest point only: of edges, and of edges without length. Without any they have no pieces. */
typedef struct tl_sharp {
    tl_closed edges, corners;
    int32_t (*edge)[3], (*corner)[3];
} tl_sharp;
TALUS_NODISCARD talus_status tl_sharp_create(const tl_closed *, tl_sharp *out); /* MEMORY. To be freed, also on failure. */
void tl_sharp_free(tl_sharp *);

#endif
