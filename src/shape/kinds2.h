/* What a kind of planar shape is to the house: its operations, all in the body's axes, and what kinds share. A new kind is one file with such a struct, an
 * enumerator and a line of the table in shape2.c (docs/architecture.md, "How to add a shape"). Its pairs with all others are then there (detect/narrow2.c). */
#ifndef TL_KINDS2_H
#define TL_KINDS2_H

#include "shape/shape2.h"

/* What is outermost of a core along a direction: a straight side, counter-clockwise, where it is inclined by less than
 * TL_FLAT2 (sine), else a point. Numbers stay from step to step. */
#define TL_FLAT2 0.05
typedef struct tl_side2 {
    int count; /* 1 or 2 */
    tl_vec2 point[2];
    int number[2]; /* < TL_CORNERS */
} tl_side2;

typedef struct tl_shape2_ops {
    const char *name;
    int points;   /* that define it; 0: any number                                                    */
    bool bounded; /* and convex: bodies that move by themselves may carry it; the others lack what says so */
    talus_status (*make)(tl_shape2 *, tl_memory, const tl_shape2_def *, tl_error *);
    double (*reach)(const tl_shape2 *);
    tl_area2 (*area)(const tl_shape2 *);
    tl_box2 (*box)(const tl_shape2 *, const tl_pose2 *);
    double (*half_width)(const tl_shape2 *);
    double (*distance)(const tl_shape2 *, tl_vec2 x);
    tl_vec2 (*support)(const tl_shape2 *, tl_vec2 n);            /* bounded; of the core: without its rounding             */
    void (*side)(const tl_shape2 *, tl_vec2 n, tl_side2 *out);   /* bounded; of the core: what is outermost along n        */
    int (*flats)(const tl_shape2 *, tl_vec2 normal[TL_CORNERS]); /* bounded: normals of its straight sides; NULL: none     */
    int (*outline)(const tl_shape2 *, tl_vec2 out[TL_OUTLINE2]); /* a polygon for pictures and probes, counter-clockwise;
                                                                    NULL: its points and radius tell all                  */
} tl_shape2_ops;

extern const tl_shape2_ops tl_disk2, tl_polygon2, tl_half_plane2, tl_ellipse2, tl_mesh_shape2;

const tl_shape2_ops *tl_shape2_ops_of(tl_shape2_kind);

/* Bounding box of the points within the radius of the corners, or of the centre. */
tl_box2 tl_shape2_round_box(const tl_shape2 *, const tl_pose2 *);
/* Largest distance from the origin of the corners, or of the centre, and the radius. */
double tl_shape2_round_reach(const tl_shape2 *);

#endif
