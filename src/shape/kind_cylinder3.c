/* Cylinders: all between two circles; with rounded edges, a ball rolled along two circles, which may be one, and all between. */
#include <string.h>

#include "shape/hull3.h"
#include "shape/kinds3.h"

static void measure_reach(tl_shape3 *s)
{
    s->reach = 0;
    for (int i = 0; i < s->points; i++) {
        const double aside = tl_norm(tl_cross(s->normal, s->point[i])); /* the point's distance from the line along the axis through the origin */
        s->reach = fmax(s->reach, hypot(aside + s->rim, tl_dot(s->normal, s->point[i])));
    }
    s->reach += s->radius;
}

talus_status tl_shape3_cylinder(tl_shape3 *shape, tl_memory memory, const tl_vec3 end[2], double radius, double rounding, tl_error *error)
{
    const tl_vec3 along = tl_sub(end[1], end[0]);
    const double length = tl_norm(along), grain = TL_HULL_GRAIN * (radius + length);
    memset(shape, 0, sizeof *shape);
    if (!isfinite(tl_norm(end[0]) + tl_norm(end[1]))) return tl_fail(error, TALUS_INPUT, "an end of a cylinder is not a number");
    if (!(radius > 0) || !isfinite(radius)) return tl_fail(error, TALUS_INPUT, "a cylinder needs a positive radius, not %g m", radius);
    if (!(length > grain)) return tl_fail(error, TALUS_INPUT, "the ends of a cylinder coincide");
    if (!(rounding >= 0)) return tl_fail(error, TALUS_INPUT, "the rounding of a cylinder is %g m; it must not be negative", rounding);
    if (rounding > radius + grain || rounding > 0.5 * length + grain)
        return tl_fail(error, TALUS_INPUT, "the rounding of a cylinder is %g m; it cannot be more than its radius, %g m, or half its length, %g m", rounding,
                       radius, 0.5 * length);
    const tl_vec3 axis = tl_scale(1 / length, along), middle = tl_scale(0.5, tl_add(end[0], end[1]));
    const double rim = radius - rounding, half = 0.5 * length - rounding;
    const bool flat = half <= grain;
    const tl_vec3 points[2] = {flat ? middle : tl_sub(middle, tl_scale(half, axis)), flat ? middle : tl_add(middle, tl_scale(half, axis))};
    if (!(rim > grain)) return tl_shape3_hull(shape, memory, points, flat ? 1 : 2, rounding, error);
    shape->kind = TL_CYLINDER3;
    shape->rim = rim, shape->normal = axis;
    TL_TRY(tl_shape3_take_points(shape, memory, points, 2, rounding, error));
    measure_reach(shape);
    return TALUS_OK;
}

static talus_status make(tl_shape3 *s, tl_memory memory, const tl_shape3_def *d, tl_error *error)
{
    return tl_shape3_cylinder(s, memory, d->point, d->radius, d->rounding, error);
}

static void move(tl_shape3 *s, tl_vec3 offset, const tl_mat3 *R)
{
    for (int i = 0; i < s->points; i++) s->point[i] = tl_mat3_apply_t(R, tl_sub(s->point[i], offset));
    s->normal = tl_normalize(tl_mat3_apply_t(R, s->normal));
    tl_shape3_planes(s);
    measure_reach(s);
}

/* Slices across the axis are disks: of R + r between the circles, of ρ = R + s, s = √(r² − u²), at u beyond them, with ∫ s^k u^l du from 0 to r in closed form.
 * Of a slice, ∫ x² = π ρ⁴/4 over a direction across. */
static tl_volume3 volume(const tl_shape3 *cylinder)
{
    const double R = cylinder->rim, r = cylinder->radius, H = 0.5 * tl_norm(tl_sub(cylinder->point[1], cylinder->point[0])), full = R + r;
    const double s1 = TL_PI * r * r / 4, s2 = 2 * r * r * r / 3, s3 = 3 * TL_PI * r * r * r * r / 16, s4 = 8 * r * r * r * r * r / 15;
    const double u1 = r * r / 2, u2 = r * r * r / 3, su = r * r * r / 3, suu = TL_PI * r * r * r * r / 16, ssu = r * r * r * r / 4,
                 ssuu = 2 * r * r * r * r * r / 15;
    const double square = R * R * r + 2 * R * s1 + s2;                                               /* ∫ ρ² du */
    const double fourth = R * R * R * R * r + 4 * R * R * R * s1 + 6 * R * R * s2 + 4 * R * s3 + s4; /* ∫ ρ⁴ du */
    const double first = R * R * u1 + 2 * R * su + ssu, second = R * R * u2 + 2 * R * suu + ssuu;    /* ∫ ρ² u du, ∫ ρ² u² du */
    const double across = TL_PI / 4 * (2 * H * full * full * full * full + 2 * fourth);
    const double axial = TL_PI * (2 * H * H * H / 3 * full * full + 2 * (H * H * square + 2 * H * first + second));
    tl_mat3 moments = {{{across, 0, 0}, {0, across, 0}, {0, 0, across}}};
    tl_add_product3(&moments, axial - across, cylinder->normal);
    return (tl_volume3){TL_PI * (2 * H * full * full + 2 * square), cylinder->centre, tl_inertia3_of(&moments)};
}

static tl_box3 box(const tl_shape3 *s, const tl_frame *at)
{
    const tl_vec3 a = tl_add(tl_mat3_apply(&at->R, s->point[0]), at->p), b = tl_add(tl_mat3_apply(&at->R, s->point[1]), at->p);
    const tl_vec3 n = tl_mat3_apply(&at->R, s->normal), radius = tl_v3(s->radius, s->radius, s->radius);
    /* a circle reaches R √(1 − n²) along an axis to which its normal has the component n */
    const tl_vec3 flat = tl_v3(sqrt(tl_larger(0, 1 - n.x * n.x)), sqrt(tl_larger(0, 1 - n.y * n.y)), sqrt(tl_larger(0, 1 - n.z * n.z)));
    const tl_vec3 rim = tl_add(radius, tl_scale(s->rim, flat));
    const tl_box3 line = {tl_v3(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z)), tl_v3(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z))};
    return (tl_box3){tl_sub(line.low, rim), tl_add(line.high, rim)};
}

static tl_vec3 support(const tl_shape3 *s, tl_vec3 n) { return tl_add(s->point[tl_dot(n, s->normal) > 0], tl_scale(s->rim, tl_aside3(s->normal, n))); }

enum { OUTERMOST = 7, SIDE_LINE = 8 }; /* numbers of points, after those of a round face */

/* A flat end, a straight side, or a point of a rim. */
static void patch(const tl_shape3 *s, tl_vec3 n, tl_patch3 *out)
{
    const double along = tl_dot(n, s->normal);
    const int end = along > 0;
    if (tl_norm(tl_cross(n, s->normal)) < TL_FLAT3) {
        tl_patch3_disk(out, s->point[end], tl_scale(end ? 1 : -1, s->normal), s->rim, n);
        return;
    }
    const tl_vec3 arm = tl_scale(s->rim, tl_aside3(s->normal, n)), from = tl_add(s->point[0], arm), to = tl_add(s->point[1], arm);
    const bool is_flat = tl_dot(s->normal, tl_sub(to, from)) > 0;
    if (is_flat && fabs(along) < TL_FLAT3) tl_patch3_line(out, from, to, SIDE_LINE);
    else tl_patch3_point(out, end ? to : from, OUTERMOST);
}

static int flats(const tl_shape3 *s, tl_vec3 normal[TL_FLATS3])
{
    normal[0] = s->normal, normal[1] = tl_scale(-1, s->normal);
    return 2;
}

static double half_width(const tl_shape3 *s) { return tl_smaller(s->rim, 0.5 * tl_norm(tl_sub(s->point[1], s->point[0]))) + s->radius; }

/* Of the core, a cylinder with sharp edges, less the rounding: the points of a core with two ends have distances below 0, too. */
static double distance(const tl_shape3 *s, tl_vec3 x, double within)
{
    (void)within;
    const tl_vec3 d = tl_sub(x, s->centre);
    const double beyond = fabs(tl_dot(s->normal, d)) - 0.5 * tl_norm(tl_sub(s->point[1], s->point[0])), aside = tl_norm(tl_cross(s->normal, d)) - s->rim;
    const double core = tl_larger(beyond, aside) > 0 ? hypot(tl_larger(0, beyond), tl_larger(0, aside)) : tl_larger(beyond, aside);
    return core - s->radius;
}

static void describe(const tl_shape3 *s, tl_shape3_def *out) { out->count = 2, out->radius = s->rim + s->radius, out->rounding = s->radius; }

/* The centres of the flat ends are beyond the circles by the rounding. */
static tl_vec3 corner(const tl_shape3 *s, int i) { return tl_add(s->point[i], tl_scale((i ? 1 : -1) * s->radius, s->normal)); }

const tl_shape3_ops tl_cylinder3 = {
    .name = "cylinder",
    .points = 2,
    .convex = true,
    .make = make,
    .move = move,
    .volume = volume,
    .box = box,
    .support = support,
    .patch = patch,
    .flats = flats,
    .half_width = half_width,
    .distance = distance,
    .describe = describe,
    .corner = corner,
};
