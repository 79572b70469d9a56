/* Ellipses, by their centre and the tips of their half axes. */
#include <string.h>

#include "shape/kinds2.h"

enum { DEFINING = 3 };

static tl_vec2 half_axis(const tl_shape2 *s, int k) { return tl_sub2(s->corner[1 + k], s->corner[0]); }

static double reach(const tl_shape2 *s) { return tl_norm2(s->corner[0]) + fmax(tl_norm2(half_axis(s, 0)), tl_norm2(half_axis(s, 1))); }

static talus_status make(tl_shape2 *s, tl_memory memory, const tl_shape2_def *d, tl_error *error)
{
    double length[2];
    memset(s, 0, sizeof *s);
    for (int k = 0; k < 2; k++) {
        length[k] = tl_norm2(tl_sub2(d->point[1 + k], d->point[0]));
        if (!(length[k] > 0) || !isfinite(length[k])) return tl_fail(error, TALUS_INPUT, "half axis %d of an ellipse is %g m long", k + 1, length[k]);
    }
    if (fabs(tl_dot2(tl_sub2(d->point[1], d->point[0]), tl_sub2(d->point[2], d->point[0]))) > 1e-9 * length[0] * length[1])
        return tl_fail(error, TALUS_INPUT, "the half axes of an ellipse are not at right angles");
    s->kind = TL_ELLIPSE;
    s->count = DEFINING;
    s->corner = tl_alloc(memory, DEFINING, sizeof *s->corner);
    if (!s->corner) return tl_fail(error, TALUS_MEMORY, "no memory for a shape");
    memcpy(s->corner, d->point, DEFINING * sizeof *s->corner);
    s->reach = reach(s);
    return TALUS_OK;
}

/* ∫ r² = A (a² + b²)/4 about the centre. */
static tl_area2 area_of(const tl_shape2 *s)
{
    const double a = tl_norm2(half_axis(s, 0)), b = tl_norm2(half_axis(s, 1)), area = TL_PI * a * b;
    return (tl_area2){area, area * (a * a + b * b) / 4, s->corner[0]};
}

/* It reaches √Σ uᵢ² along axis i. */
static tl_box2 box(const tl_shape2 *s, const tl_pose2 *pose)
{
    const tl_vec2 u = tl_rotate2(pose, half_axis(s, 0)), v = tl_rotate2(pose, half_axis(s, 1)), centre = tl_to_world2(pose, s->corner[0]);
    const tl_vec2 half = {sqrt(u.x * u.x + v.x * v.x), sqrt(u.y * u.y + v.y * v.y)};
    return (tl_box2){tl_sub2(centre, half), tl_add2(centre, half)};
}

static double half_width(const tl_shape2 *s) { return fmin(tl_norm2(half_axis(s, 0)), tl_norm2(half_axis(s, 1))); }

/* The image of a disk's outermost point: c + Σ u (u·n) / √Σ (u·n)². */
static tl_vec2 support(const tl_shape2 *s, tl_vec2 n)
{
    const tl_vec2 u = half_axis(s, 0), v = half_axis(s, 1);
    const double p = tl_dot2(u, n), q = tl_dot2(v, n), size = sqrt(p * p + q * q);
    return size > 0 ? tl_add2(s->corner[0], tl_add2(tl_scale2(p / size, u), tl_scale2(q / size, v))) : s->corner[0];
}

static void side(const tl_shape2 *s, tl_vec2 n, tl_side2 *out) { *out = (tl_side2){.count = 1, .point = {support(s, n)}}; }

/* The nearest point of the rim is (a² y₁/(t + a²), b² y₂/(t + b²)) with the largest t for which it lies on the rim, not below
 * −b² of the lesser half axis b. A point on the greater axis, within the rim's centres of curvature, has t = −b² and two. */
static double distance(const tl_shape2 *s, tl_vec2 x)
{
    tl_vec2 u = half_axis(s, 0), v = half_axis(s, 1);
    if (tl_norm2(u) < tl_norm2(v)) {
        const tl_vec2 swap = u;
        u = v, v = swap;
    }
    const double a = tl_norm2(u), b = tl_norm2(v);
    const tl_vec2 d = tl_sub2(x, s->corner[0]), y = {fabs(tl_dot2(d, u)) / a, fabs(tl_dot2(d, v)) / b};
    double low = -b * b + b * y.y, high = -b * b + sqrt(a * a * y.x * y.x + b * b * y.y * y.y);
    for (int i = 0; i < 200 && high - low > 1e-16 * (fabs(low) + fabs(high)); i++) {
        const double t = 0.5 * (low + high), p = a * y.x / (t + a * a), q = y.y > 0 ? b * y.y / (t + b * b) : 0;
        *(p * p + q * q > 1 ? &low : &high) = t;
    }
    const double across = a > b || high > -b * b ? a * a * y.x / (high + a * a) : 0, share = fmin(1, across / a);
    /* near a tip of the greater axis the root is bad, and t is not at its bound */
    const double up = share < 0.99 || !(high > -b * b) ? b * sqrt(1 - share * share) : b * b * y.y / (high + b * b);
    const double off = hypot(y.x - share * a, y.y - up);
    return y.x * y.x / (a * a) + y.y * y.y / (b * b) < 1 ? -off : off;
}

/* Enlarged to the area of the ellipse. */
static int outline(const tl_shape2 *s, tl_vec2 out[TL_OUTLINE2])
{
    const double step = 2 * TL_PI / TL_OUTLINE2, size = sqrt(step / sin(step));
    const tl_vec2 u = tl_scale2(size, half_axis(s, 0)), v = tl_scale2(tl_cross2(u, half_axis(s, 1)) < 0 ? -size : size, half_axis(s, 1));
    for (int i = 0; i < TL_OUTLINE2; i++) out[i] = tl_add2(s->corner[0], tl_add2(tl_scale2(cos(step * i), u), tl_scale2(sin(step * i), v)));
    return TL_OUTLINE2;
}

const tl_shape2_ops tl_ellipse2 = {
    .name = "ellipse",
    .points = DEFINING,
    .bounded = true,
    .make = make,
    .reach = reach,
    .area = area_of,
    .box = box,
    .half_width = half_width,
    .distance = distance,
    .support = support,
    .side = side,
    .outline = outline,
};
