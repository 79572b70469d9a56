/* Disks. */
#include "shape/kinds2.h"

static talus_status make(tl_shape2 *s, tl_memory memory, const tl_shape2_def *d, tl_error *error)
{
    return tl_shape2_round_hull(s, memory, d->point, 1, d->radius, error);
}

static tl_area2 area_of(const tl_shape2 *shape)
{
    const double r = shape->radius, area = TL_PI * r * r;
    return (tl_area2){area, 0.5 * area * r * r, shape->centre};
}

static double half_width(const tl_shape2 *shape) { return shape->radius; }
static double distance(const tl_shape2 *shape, tl_vec2 x) { return tl_norm2(tl_sub2(x, shape->centre)) - shape->radius; }

static tl_vec2 support(const tl_shape2 *s, tl_vec2 n)
{
    (void)n;
    return s->centre;
}

static void side(const tl_shape2 *s, tl_vec2 n, tl_side2 *out)
{
    (void)n;
    *out = (tl_side2){.count = 1, .point = {s->centre}};
}

const tl_shape2_ops tl_disk2 = {
    .name = "disk",
    .points = 1,
    .bounded = true,
    .make = make,
    .reach = tl_shape2_round_reach,
    .area = area_of,
    .box = tl_shape2_round_box,
    .half_width = half_width,
    .distance = distance,
    .support = support,
    .side = side,
};
