/* What a kind of spatial shape is to the house: its operations, all in the body's axes, and what kinds share. A new kind is one file with such a struct, an
 * enumerator and a line of the table in shape3.c (docs/architecture.md, "How to add a shape"). Its pairs with all others are then there (detect/narrow3.c). */
#ifndef TL_KINDS3_H
#define TL_KINDS3_H

#include "shape/shape3.h"

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
    tl_vec3 (*support)(const tl_shape3 *, tl_vec3 n); /* convex; of the core: without its rounding */
    void (*describe)(const tl_shape3 *, tl_shape3_def *out);
    tl_vec3 (*corner)(const tl_shape3 *, int i);
    int (*faces)(const tl_shape3 *, int32_t *size, int32_t *corner, int *corner_count); /* NULL: none */
} tl_shape3_ops;

extern const tl_shape3_ops tl_sphere3, tl_capsule3, tl_polyhedron3, tl_half_space3, tl_mesh_shape3, tl_cylinder3;

const tl_shape3_ops *tl_shape3_ops_of(tl_shape3_kind);

/* Keeps the points of a shape, with all that follows from them but for faces. */
TALUS_NODISCARD talus_status tl_shape3_take_points(tl_shape3 *, tl_memory, const tl_vec3 *points, int count, double radius, tl_error *);
void tl_add_product3(tl_mat3 *sum, double weight, tl_vec3 v); /* += weight v vᵀ                        */
tl_mat3 tl_inertia3_of(const tl_mat3 *second);                /* ∫ (r·r 1 − r rᵀ) from ∫ r rᵀ          */
tl_vec3 tl_on_side3(tl_vec3 a, tl_vec3 b, tl_vec3 x);         /* the point from a to b nearest to x */

#endif
