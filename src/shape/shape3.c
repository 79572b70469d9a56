/* Spatial shapes: the table of their kinds, and what kinds share. */
#include "shape/shape3.h"

#include <string.h>

#include "shape/kinds3.h"

/* A new kind: one line here, in the order of tl_shape3_kind. */
/* clang-format off */
static const tl_shape3_ops *const KIND[TL_SHAPE3_KINDS] = {
    [TL_SPHERE3] = &tl_sphere3,
    [TL_CAPSULE3] = &tl_capsule3,
    [TL_POLYHEDRON3] = &tl_polyhedron3,
    [TL_HALF_SPACE3] = &tl_half_space3,
    [TL_MESH3] = &tl_mesh_shape3,
    [TL_CYLINDER3] = &tl_cylinder3,
    [TL_ELLIPSOID3] = &tl_ellipsoid3,
    [TL_FRUSTUM3] = &tl_frustum3,
};
/* clang-format on */

const tl_shape3_ops *tl_shape3_ops_of(tl_shape3_kind kind) { return KIND[kind]; }

talus_status tl_shape3_make(tl_shape3 *shape, tl_memory memory, tl_shape3_kind kind, const tl_shape3_def *def, tl_error *error)
{
    return KIND[kind]->make(shape, memory, def, error);
}

void tl_shape3_free(tl_shape3 *shape, tl_memory memory)
{
    tl_mesh3_destroy(shape->mesh, memory);
    tl_free(memory, shape->point); /* the block of all arrays */
    memset(shape, 0, sizeof *shape);
}

bool tl_shape3_is_convex(const tl_shape3 *shape) { return KIND[shape->kind]->convex; }
void tl_shape3_move(tl_shape3 *shape, tl_vec3 offset, const tl_mat3 *R) { KIND[shape->kind]->move(shape, offset, R); }
tl_volume3 tl_shape3_volume(const tl_shape3 *shape) { return KIND[shape->kind]->convex ? KIND[shape->kind]->volume(shape) : (tl_volume3){0}; }
tl_box3 tl_shape3_box(const tl_shape3 *shape, const tl_frame *at) { return KIND[shape->kind]->box(shape, at); }
double tl_shape3_half_width(const tl_shape3 *shape) { return KIND[shape->kind]->half_width(shape); }

/* Round cylinders have circles about their points, across the line from the centre; the points of an ellipsoid are its centre and tips. */
double tl_shape3_ball(const tl_shape3 *shape)
{
    double farthest = 0;
    if (!KIND[shape->kind]->convex) return (double)INFINITY;
    for (int i = 0; i < shape->points; i++) {
        const tl_vec3 r = tl_sub(shape->point[i], shape->centre);
        farthest = fmax(farthest, tl_dot(r, r) + shape->rim * shape->rim);
    }
    return sqrt(farthest) + shape->radius;
}

double tl_shape3_distance(const tl_shape3 *shape, tl_vec3 x, double within) { return KIND[shape->kind]->distance(shape, x, within); }
tl_vec3 tl_shape3_support(const tl_shape3 *shape, tl_vec3 n) { return KIND[shape->kind]->support(shape, n); }
void tl_shape3_describe(const tl_shape3 *shape, tl_shape3_def *out)
{
    *out = (tl_shape3_def){0};
    KIND[shape->kind]->describe(shape, out);
}
tl_vec3 tl_shape3_corner(const tl_shape3 *shape, int i) { return KIND[shape->kind]->corner(shape, i); }

int tl_shape3_faces(const tl_shape3 *shape, int32_t *size, int32_t *corner, int *corner_count)
{
    *corner_count = 0;
    return KIND[shape->kind]->faces ? KIND[shape->kind]->faces(shape, size, corner, corner_count) : 0;
}

/* ---- what kinds share ---------------------------------------------------------------------------------------------- */

void tl_add_product3(tl_mat3 *sum, double weight, tl_vec3 v)
{
    const double x[3] = {v.x, v.y, v.z};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) sum->m[i][j] += weight * x[i] * x[j];
}

tl_mat3 tl_inertia3_of(const tl_mat3 *second)
{
    const double trace = second->m[0][0] + second->m[1][1] + second->m[2][2];
    tl_mat3 inertia;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) inertia.m[i][j] = (i == j ? trace : 0) - second->m[i][j];
    return inertia;
}

tl_vec3 tl_aside3(tl_vec3 axis, tl_vec3 n)
{
    tl_vec3 d = tl_normalize(tl_sub(n, tl_scale(tl_dot(n, axis), axis)));
    d = tl_sub(d, tl_scale(tl_dot(d, axis), axis)); /* what is left of a direction along the axis is rounding */
    return tl_norm(d) > 0.5 ? tl_normalize(d) : tl_v3(0, 0, 0);
}

void tl_patch3_point(tl_patch3 *p, tl_vec3 x, uint32_t number)
{
    p->kind = TL_PATCH_POINT, p->count = 1, p->point[0] = x, p->number[0] = number;
    p->normal = p->centre = tl_v3(0, 0, 0), p->rim = 0;
}

void tl_patch3_line(tl_patch3 *p, tl_vec3 from, tl_vec3 to, uint32_t number)
{
    tl_patch3_point(p, from, number);
    p->kind = TL_PATCH_LINE, p->count = 2, p->point[1] = to, p->number[1] = number + 1;
}

void tl_patch3_disk(tl_patch3 *p, tl_vec3 centre, tl_vec3 normal, double rim, tl_vec3 n)
{
    enum { FIXED = 6 };
    static const double LEVEL = 1e-9; /* a face that is inclined by less (sine) has no outermost point */
    tl_vec3 t, u;
    tl_tangents(normal, &t, &u);
    p->kind = TL_PATCH_DISK, p->normal = normal, p->centre = centre, p->rim = rim;
    for (p->count = 0; p->count < FIXED; p->count++) {
        const double angle = 2 * TL_PI / FIXED * p->count;
        const tl_vec3 spoke = tl_add(tl_scale(rim * cos(angle), t), tl_scale(rim * sin(angle), u));
        p->number[p->count] = (uint32_t)p->count, p->point[p->count] = tl_add(centre, spoke);
    }
    if (tl_norm(tl_cross(n, normal)) <= LEVEL) return;
    p->number[p->count] = FIXED, p->point[p->count++] = tl_add(centre, tl_scale(rim, tl_aside3(normal, n)));
}
