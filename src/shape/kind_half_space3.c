/* Half-spaces: all behind a plane. */
#include <string.h>

#include "shape/kinds3.h"

talus_status tl_shape3_half_space(tl_shape3 *shape, tl_vec3 point, tl_vec3 normal, tl_error *error)
{
    memset(shape, 0, sizeof *shape);
    const double length = tl_norm(normal);
    if (!(length > 0) || !isfinite(length) || !isfinite(point.x) || !isfinite(point.y) || !isfinite(point.z))
        return tl_fail(error, TALUS_INPUT, "a half-space needs a point and a normal that is not zero");
    shape->kind = TL_HALF_SPACE3;
    shape->centre = point;
    shape->normal = tl_scale(1 / length, normal);
    shape->reach = (double)INFINITY;
    return TALUS_OK;
}

static talus_status make(tl_shape3 *s, tl_memory memory, const tl_shape3_def *d, tl_error *error)
{
    (void)memory;
    return tl_shape3_half_space(s, d->point[0], d->point[1], error);
}

static void move(tl_shape3 *s, tl_vec3 offset, const tl_mat3 *R)
{
    s->centre = tl_mat3_apply_t(R, tl_sub(s->centre, offset));
    s->normal = tl_normalize(tl_mat3_apply_t(R, s->normal));
}

/* A half-space whose normal is exactly an axis ends on that axis; any other reaches everywhere. */
static tl_box3 box_of(const tl_shape3 *s, const tl_frame *at)
{
    const double big = (double)INFINITY;
    const tl_vec3 n = tl_mat3_apply(&at->R, s->normal), p = tl_add(tl_mat3_apply(&at->R, s->centre), at->p);
    tl_box3 box = {tl_v3(-big, -big, -big), tl_v3(big, big, big)};
    if (n.y == 0 && n.z == 0) *(n.x > 0 ? &box.high.x : &box.low.x) = p.x;
    if (n.x == 0 && n.z == 0) *(n.y > 0 ? &box.high.y : &box.low.y) = p.y;
    if (n.x == 0 && n.y == 0) *(n.z > 0 ? &box.high.z : &box.low.z) = p.z;
    return box;
}

static double half_width(const tl_shape3 *s)
{
    (void)s;
    return (double)INFINITY;
}

static double distance(const tl_shape3 *s, tl_vec3 x, double within)
{
    (void)within;
    return tl_dot(tl_sub(x, s->centre), s->normal);
}

static void describe(const tl_shape3 *s, tl_shape3_def *out)
{
    (void)s;
    out->count = 2;
}

static tl_vec3 corner(const tl_shape3 *s, int i) { return i ? s->normal : s->centre; }

const tl_shape3_ops tl_half_space3 = {
    .name = "half-space",
    .points = 2,
    .make = make,
    .move = move,
    .box = box_of,
    .half_width = half_width,
    .distance = distance,
    .describe = describe,
    .corner = corner,
};
