/* What a kind of spatial shape is to the house: its operations, all in the body's axes, and what kinds share. A new kind is one file with such a struct, an
 * enumerator and a line of the table in shape3.c (docs/architecture.md, "How to add a shape"). Its pairs with all others are then there (detect/narrow3.c). */
#ifndef TL_KINDS3_H
#define TL_KINDS3_H

#include "shape/shape3.h"

/* What is outermost of a core along a direction: a flat face with straight sides (corners counter-clockwise from outside)
 * or a round one (points of its rim), a straight line, or a point. What is inclined by less than TL_FLAT3 (sine) lies along
 * the direction. Numbers stay from step to step. */
enum { TL_PATCH_NUMBERS = 256, TL_FLATS3 = 2 * TL_HULL_POINTS };
#define TL_FLAT3 0.05
typedef struct tl_patch3 {
    enum { TL_PATCH_POINT, TL_PATCH_LINE, TL_PATCH_RING, TL_PATCH_DISK } kind;
    int count;
    tl_vec3 point[TL_HULL_POINTS];
    uint32_t number[TL_HULL_POINTS]; /* < TL_PATCH_NUMBERS */
    tl_vec3 normal, centre;          /* of a face: outward, on it */
    double rim;                      /* of a round one [m] */
} tl_patch3;

typedef struct tl_shape3_ops {
    const char *name;
    int points;  /* that define it; 0: any number                                                         */
    bool convex; /* and bounded: bodies that move by themselves may carry it; the others lack what says so */
    talus_status (*make)(tl_shape3 *, tl_memory, const tl_shape3_def *, tl_error *);
    void (*move)(tl_shape3 *, tl_vec3 offset, const tl_mat3 *R);
    tl_volume3 (*volume)(const tl_shape3 *); /* convex */
    tl_box3 (*box)(const tl_shape3 *, const tl_frame *);
    double (*half_width)(const tl_shape3 *);
    double (*distance)(const tl_shape3 *, tl_vec3 x, double within);
    tl_vec3 (*support)(const tl_shape3 *, tl_vec3 n);            /* convex; of the core: without its rounding */
    void (*patch)(const tl_shape3 *, tl_vec3 n, tl_patch3 *out); /* convex; of the core: what is outermost along n */
    int (*flats)(const tl_shape3 *, tl_vec3 normal[TL_FLATS3]);  /* convex: normals of its flat faces; NULL: none  */
    void (*describe)(const tl_shape3 *, tl_shape3_def *out);
    tl_vec3 (*corner)(const tl_shape3 *, int i);
    int (*faces)(const tl_shape3 *, int32_t *size, int32_t *corner, int *corner_count); /* NULL: none */
} tl_shape3_ops;

extern const tl_shape3_ops tl_sphere3, tl_capsule3, tl_polyhedron3, tl_half_space3, tl_mesh_shape3, tl_cylinder3, tl_ellipsoid3, tl_frustum3;

const tl_shape3_ops *tl_shape3_ops_of(tl_shape3_kind);

/* Keeps the points of a shape, with all that follows from them but for faces. */
TALUS_NODISCARD talus_status tl_shape3_take_points(tl_shape3 *, tl_memory, const tl_vec3 *points, int count, double radius, tl_error *);
void tl_patch3_point(tl_patch3 *, tl_vec3 x, uint32_t number);               /* makes the patch one point             */
void tl_patch3_line(tl_patch3 *, tl_vec3 from, tl_vec3 to, uint32_t number); /* its ends get number and number + 1 */
/* A round face, by six points of its rim that are fixed in the body (numbers 0 … 5) and the outermost one along n (6). */
void tl_patch3_disk(tl_patch3 *, tl_vec3 centre, tl_vec3 normal, double rim, tl_vec3 n);
void tl_add_product3(tl_mat3 *sum, double weight, tl_vec3 v); /* += weight v vᵀ                        */
tl_mat3 tl_inertia3_of(const tl_mat3 *second);                /* ∫ (r·r 1 − r rᵀ) from ∫ r rᵀ          */
tl_vec3 tl_aside3(tl_vec3 axis, tl_vec3 n);                   /* the unit vector across the axis that is nearest to n; 0: there is none */

#endif
