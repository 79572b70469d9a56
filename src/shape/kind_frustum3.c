/* Cone frustums: all between two disks on one axis, of which one may be a point, the tip of a cone. They are given by the
 * centres of the disks and a point on the rim of each. */
#include <string.h>

#include "shape/hull3.h"
#include "shape/kinds3.h"

/* Facets for pictures: sides of a pyramid, enlarged so that they hold the frustum's volume. */
enum { DEFINING = 4, AROUND = 32 };

static double radius_at(const tl_shape3 *s, int end) { return tl_norm(tl_sub(s->point[2 + end], s->point[end])); }
static double length_of(const tl_shape3 *s) { return tl_norm(tl_sub(s->point[1], s->point[0])); }

static void settle(tl_shape3 *s)
{
    s->normal = tl_normalize(tl_sub(s->point[1], s->point[0]));
    s->centre = tl_scale(0.5, tl_add(s->point[0], s->point[1]));
    s->reach = 0;
    for (int end = 0; end < 2; end++) {
        const double aside = tl_norm(tl_cross(s->normal, s->point[end])), along = tl_dot(s->normal, s->point[end]);
        s->reach = fmax(s->reach, hypot(aside + radius_at(s, end), along));
    }
}

static talus_status make(tl_shape3 *s, tl_memory memory, const tl_shape3_def *d, tl_error *error)
{
    double sum = 0, radius[2];
    memset(s, 0, sizeof *s);
    for (int i = 0; i < DEFINING; i++) sum += tl_norm(d->point[i]);
    if (!isfinite(sum)) return tl_fail(error, TALUS_INPUT, "a point of a frustum is not a number");
    const tl_vec3 along = tl_sub(d->point[1], d->point[0]);
    const double length = tl_norm(along);
    for (int end = 0; end < 2; end++) {
        const tl_vec3 arm = tl_sub(d->point[2 + end], d->point[end]);
        radius[end] = tl_norm(arm);
        if (fabs(tl_dot(arm, along)) > 1e-9 * radius[end] * length)
            return tl_fail(error, TALUS_INPUT, "the radius at end %d of a frustum is not at right angles to its axis", end + 1);
    }
    const double grain = TL_HULL_GRAIN * (radius[0] + radius[1] + length);
    if (!(length > grain)) return tl_fail(error, TALUS_INPUT, "the ends of a frustum coincide");
    if (!(fmax(radius[0], radius[1]) > grain)) return tl_fail(error, TALUS_INPUT, "a frustum has a radius at one end at least");
    for (int end = 0; end < 2; end++) /* what is too small to be a disk is a tip */
        if (!(radius[end] > grain)) d->point[2 + end] = d->point[end];
    s->kind = TL_FRUSTUM3;
    TL_TRY(tl_shape3_take_points(s, memory, d->point, DEFINING, 0, error));
    settle(s);
    return TALUS_OK;
}

static void move(tl_shape3 *s, tl_vec3 offset, const tl_mat3 *R)
{
    for (int i = 0; i < DEFINING; i++) s->point[i] = tl_mat3_apply_t(R, tl_sub(s->point[i], offset));
    settle(s);
}

/* Slices at a share t of the length L from the first end are disks of ρ = a (1 − t) + b t; integrals of ρ², t ρ², t² ρ² and
 * ρ⁴ over t. Of a slice, ∫ x² = π ρ⁴/4 over a direction across. */
static tl_volume3 volume(const tl_shape3 *s)
{
    const double a = radius_at(s, 0), b = radius_at(s, 1), L = length_of(s);
    const double square = (a * a + a * b + b * b) / 3, first = (a * a + 2 * a * b + 3 * b * b) / 12;
    const double second = (a * a + 3 * a * b + 6 * b * b) / 30, middle = first / square;
    const double fourth = (a * a * a * a + a * a * a * b + a * a * b * b + a * b * b * b + b * b * b * b) / 5;
    const double across = TL_PI / 4 * L * fourth, axial = TL_PI * L * L * L * (second - first * middle);
    tl_mat3 moments = {{{across, 0, 0}, {0, across, 0}, {0, 0, across}}};
    tl_add_product3(&moments, axial - across, s->normal);
    return (tl_volume3){TL_PI * L * square, tl_add(s->point[0], tl_scale(middle * L, s->normal)), tl_inertia3_of(&moments)};
}

static tl_box3 box(const tl_shape3 *s, const tl_frame *at)
{
    const tl_vec3 n = tl_mat3_apply(&at->R, s->normal);
    /* a circle reaches r √(1 − n²) along an axis to which its normal has the component n */
    const tl_vec3 flat = tl_v3(sqrt(tl_larger(0, 1 - n.x * n.x)), sqrt(tl_larger(0, 1 - n.y * n.y)), sqrt(tl_larger(0, 1 - n.z * n.z)));
    tl_box3 end[2];
    for (int k = 0; k < 2; k++) {
        const tl_vec3 p = tl_add(tl_mat3_apply(&at->R, s->point[k]), at->p), rim = tl_scale(radius_at(s, k), flat);
        end[k] = (tl_box3){tl_sub(p, rim), tl_add(p, rim)};
    }
    return tl_box3_join(&end[0], &end[1]);
}

/* The outermost points of the two rims in the half-plane that holds the axis and n. */
static void rims(const tl_shape3 *s, tl_vec3 n, tl_vec3 on[2])
{
    const tl_vec3 aside = tl_aside3(s->normal, n);
    for (int end = 0; end < 2; end++) on[end] = tl_add(s->point[end], tl_scale(radius_at(s, end), aside));
}

static tl_vec3 support(const tl_shape3 *s, tl_vec3 n)
{
    tl_vec3 on[2];
    rims(s, n, on);
    return on[tl_dot(n, tl_sub(on[1], on[0])) > 0];
}

enum { OUTERMOST = 7, SIDE_LINE = 8 }; /* numbers of points, after those of a round face */

/* A flat end, a line of the side, or a point of a rim. */
static void patch(const tl_shape3 *s, tl_vec3 n, tl_patch3 *out)
{
    const int facing = tl_dot(n, s->normal) > 0;
    const double radius = radius_at(s, facing);
    tl_vec3 on[2];
    if (radius > 0 && tl_norm(tl_cross(n, s->normal)) < TL_FLAT3) {
        tl_patch3_disk(out, s->point[facing], tl_scale(facing ? 1 : -1, s->normal), radius, n);
        return;
    }
    rims(s, n, on);
    const tl_vec3 side = tl_sub(on[1], on[0]);
    const double rise = tl_dot(n, side);
    if (tl_norm(tl_aside3(s->normal, n)) > 0 && fabs(rise) < TL_FLAT3 * tl_norm(side)) tl_patch3_line(out, on[0], on[1], SIDE_LINE);
    else tl_patch3_point(out, on[rise > 0], OUTERMOST);
}

static int flats(const tl_shape3 *s, tl_vec3 normal[TL_FLATS3])
{
    int count = 0;
    for (int end = 0; end < 2; end++)
        if (radius_at(s, end) > 0) normal[count++] = tl_scale(end ? 1 : -1, s->normal);
    return count;
}

/* The least width is the length, or lies between the side and the far point of the larger rim: 2 r cos β, where tan β is the
 * slope of the side. Between these directions the width of the one or of the other is a concave function of the angle. */
static double half_width(const tl_shape3 *s)
{
    const double a = radius_at(s, 0), b = radius_at(s, 1), L = length_of(s);
    return fmin(0.5 * L, fmax(a, b) * L / hypot(L, a - b));
}

/* In the half-plane that holds the axis and x, with the first end at height 0. */
static double distance(const tl_shape3 *s, tl_vec3 x, double within)
{
    const double a = radius_at(s, 0), b = radius_at(s, 1), L = length_of(s);
    const tl_vec3 d = tl_sub(x, s->point[0]);
    const double height = tl_dot(s->normal, d), aside = tl_norm(tl_cross(s->normal, d)), slope = hypot(L, b - a);
    const tl_vec3 y = tl_v3(aside, height, 0);
    const tl_vec3 corner[4] = {{0, 0, 0}, {a, 0, 0}, {b, L, 0}, {0, L, 0}};
    const double beyond_side = (L * (aside - a) - (b - a) * height) / slope;
    double nearest = (double)INFINITY;
    (void)within;
    for (int k = 0; k < 3; k++) nearest = tl_smaller(nearest, tl_norm(tl_sub(y, tl_on_side3(corner[k], corner[k + 1], y))));
    return tl_larger(beyond_side, tl_larger(-height, height - L)) < 0 ? -nearest : nearest;
}

/* ---- reading ------------------------------------------------------------------------------------------------------- */

/* Points of facets at an end: its rim, or its tip. */
static int points_at(const tl_shape3 *s, int end) { return radius_at(s, end) > 0 ? AROUND : 1; }

static void describe(const tl_shape3 *s, tl_shape3_def *out) { out->count = DEFINING + points_at(s, 0) + points_at(s, 1); }

/* All slices of the pyramid have the area of the frustum's: then its volume is the same. */
static tl_vec3 corner(const tl_shape3 *s, int i)
{
    if (i < DEFINING) return s->point[i];
    const int first = points_at(s, 0), end = i - DEFINING >= first, larger = radius_at(s, 1) > radius_at(s, 0);
    const double step = 2 * TL_PI / AROUND, angle = step * (i - DEFINING - end * first), size = sqrt(step / sin(step)) * radius_at(s, end);
    const tl_vec3 t = tl_normalize(tl_sub(s->point[2 + larger], s->point[larger])), u = tl_cross(s->normal, t);
    return tl_add(s->point[end], tl_add(tl_scale(size * cos(angle), t), tl_scale(size * sin(angle), u)));
}

/* The ends first, then the side, around the axis. */
static int faces(const tl_shape3 *s, int32_t *size, int32_t *out, int *corner_count)
{
    const int at_end[2] = {points_at(s, 0), points_at(s, 1)}, from[2] = {DEFINING, DEFINING + points_at(s, 0)};
    int count = 0, at = 0;
    for (int end = 0; end < 2; end++) {
        if (at_end[end] == 1) continue;
        if (size) size[count] = AROUND;
        for (int k = 0; out && k < AROUND; k++) out[at + k] = from[end] + (end ? k : AROUND - 1 - k);
        at += AROUND, count++;
    }
    for (int k = 0; k < AROUND; k++) {
        const int begin = at;
        for (int i = 0; i < 4; i++) { /* k and the next of the first end, the next and k of the second */
            const int end = i / 2, turn = (k + (i == 1 || i == 2)) % AROUND;
            if (at_end[end] == 1 && i % 2 == 1) continue;
            if (out) out[at] = from[end] + (at_end[end] == 1 ? 0 : turn);
            at++;
        }
        if (size) size[count] = at - begin;
        count++;
    }
    *corner_count = at;
    return count;
}

const tl_shape3_ops tl_frustum3 = {
    .name = "frustum",
    .points = DEFINING,
    .convex = true,
    .make = make,
    .move = move,
    .volume = volume,
    .box = box,
    .half_width = half_width,
    .distance = distance,
    .support = support,
    .patch = patch,
    .flats = flats,
    .describe = describe,
    .corner = corner,
    .faces = faces,
};
