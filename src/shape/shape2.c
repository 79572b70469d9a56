/* Planar shapes: the table of their kinds, and what kinds share. */
#include "shape/shape2.h"

#include <string.h>

#include "shape/kinds2.h"

/* A new kind: one line here, in the order of tl_shape2_kind. */
/* clang-format off */
static const tl_shape2_ops *const KIND[TL_SHAPE2_KINDS] = {
    [TL_DISK] = &tl_disk2,
    [TL_POLYGON] = &tl_polygon2,
    [TL_HALF_PLANE] = &tl_half_plane2,
    [TL_ELLIPSE] = &tl_ellipse2,
    [TL_MESH2] = &tl_mesh_shape2,
};
/* clang-format on */

const tl_shape2_ops *tl_shape2_ops_of(tl_shape2_kind kind) { return KIND[kind]; }

talus_status tl_shape2_make(tl_shape2 *shape, tl_memory memory, tl_shape2_kind kind, const tl_shape2_def *def, tl_error *error)
{
    return KIND[kind]->make(shape, memory, def, error);
}

void tl_shape2_free(tl_shape2 *shape, tl_memory memory)
{
    tl_free(memory, shape->corner);
    tl_mesh2_destroy(shape->mesh, memory);
    memset(shape, 0, sizeof *shape);
}

void tl_shape2_shift(tl_shape2 *shape, tl_vec2 offset)
{
    shape->centre = tl_sub2(shape->centre, offset);
    for (int i = 0; shape->corner && i < shape->count; i++) shape->corner[i] = tl_sub2(shape->corner[i], offset);
    shape->reach = KIND[shape->kind]->reach(shape);
}

bool tl_shape2_is_bounded(const tl_shape2 *shape) { return KIND[shape->kind]->bounded; }
tl_area2 tl_shape2_area(const tl_shape2 *shape) { return KIND[shape->kind]->area(shape); }
tl_box2 tl_shape2_box(const tl_shape2 *shape, const tl_pose2 *pose) { return KIND[shape->kind]->box(shape, pose); }
double tl_shape2_ball(const tl_shape2 *shape)
{
    tl_vec2 outline[TL_OUTLINE2], middle = {0, 0};
    const int around = tl_shape2_outline(shape, outline), count = around > 0 ? around : shape->count;
    double farthest = 0;
    if (!KIND[shape->kind]->bounded) return (double)INFINITY;
    for (int i = 0; around == 0 && i < count; i++) outline[i] = tl_shape2_corner(shape, i);
    for (int i = 0; i < count; i++) middle = tl_add2(middle, tl_scale2(1.0 / count, outline[i]));
    for (int i = 0; i < count; i++) farthest = fmax(farthest, tl_norm2(tl_sub2(outline[i], middle)));
    return farthest + shape->radius;
}

double tl_shape2_half_width(const tl_shape2 *shape) { return KIND[shape->kind]->half_width(shape); }
double tl_shape2_distance(const tl_shape2 *shape, tl_vec2 x) { return KIND[shape->kind]->distance(shape, x); }
tl_vec2 tl_shape2_corner(const tl_shape2 *shape, int i) { return shape->corner ? shape->corner[i] : shape->centre; }
int tl_shape2_outline(const tl_shape2 *shape, tl_vec2 out[TL_OUTLINE2]) { return KIND[shape->kind]->outline ? KIND[shape->kind]->outline(shape, out) : 0; }

/* ---- what kinds share ---------------------------------------------------------------------------------------------- */

double tl_shape2_round_reach(const tl_shape2 *shape)
{
    double reach = 0;
    for (int i = 0; i < shape->count; i++) reach = fmax(reach, tl_norm2(tl_shape2_corner(shape, i)));
    return reach + shape->radius;
}

tl_box2 tl_shape2_round_box(const tl_shape2 *shape, const tl_pose2 *pose)
{
    tl_vec2 low, high;
    low = high = tl_to_world2(pose, tl_shape2_corner(shape, 0));
    for (int i = 1; i < shape->count; i++) {
        const tl_vec2 p = tl_to_world2(pose, shape->corner[i]);
        low = tl_v2(fmin(low.x, p.x), fmin(low.y, p.y));
        high = tl_v2(fmax(high.x, p.x), fmax(high.y, p.y));
    }
    const tl_vec2 rim = tl_v2(shape->radius, shape->radius);
    return (tl_box2){tl_sub2(low, rim), tl_add2(high, rim)};
}
