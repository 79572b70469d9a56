/* Half-planes: all points behind a line. */
#include <string.h>

#include "shape/kinds2.h"

talus_status tl_shape2_half_plane(tl_shape2 *shape, tl_vec2 point, tl_vec2 normal, tl_error *error)
{
    memset(shape, 0, sizeof *shape);
    const double length = tl_norm2(normal);
    if (!(length > 0) || !isfinite(length) || !isfinite(point.x) || !isfinite(point.y))
        return tl_fail(error, TALUS_INPUT, "a half-plane needs a point and a normal that is not zero");
    shape->kind = TL_HALF_PLANE;
    shape->count = 1;
    shape->centre = point;
    shape->normal = tl_scale2(1 / length, normal);
    shape->reach = tl_shape2_ops_of(shape->kind)->reach(shape);
    return TALUS_OK;
}

static talus_status make(tl_shape2 *s, tl_memory memory, const tl_shape2_def *d, tl_error *error)
{
    (void)memory;
    return tl_shape2_half_plane(s, d->point[0], d->point[1], error);
}

static double reach(const tl_shape2 *shape)
{
    (void)shape;
    return (double)INFINITY;
}

static tl_area2 area_of(const tl_shape2 *shape)
{
    (void)shape;
    return (tl_area2){0};
}

/* A half-plane whose normal is exactly an axis ends on that axis; any other reaches everywhere. */
static tl_box2 box(const tl_shape2 *shape, const tl_pose2 *pose)
{
    const double big = (double)INFINITY;
    const tl_vec2 n = tl_rotate2(pose, shape->normal), p = tl_to_world2(pose, shape->centre);
    tl_box2 box = {tl_v2(-big, -big), tl_v2(big, big)};
    if (n.y == 0) *(n.x > 0 ? &box.high.x : &box.low.x) = p.x;
    if (n.x == 0) *(n.y > 0 ? &box.high.y : &box.low.y) = p.y;
    return box;
}

static double half_width(const tl_shape2 *shape)
{
    (void)shape;
    return (double)INFINITY;
}

static double distance(const tl_shape2 *s, tl_vec2 x) { return tl_dot2(tl_sub2(x, s->centre), s->normal); }

const tl_shape2_ops tl_half_plane2 = {
    .name = "half-plane",
    .points = 2,
    .make = make,
    .reach = reach,
    .area = area_of,
    .box = box,
    .half_width = half_width,
    .distance = distance,
};
