/* Ellipsoids, by their centre and the tips of their half axes. */
#include <string.h>

#include "shape/kinds3.h"

/* Facets for pictures: rings between two poles, enlarged so that they hold the ellipsoid's volume. */
enum { DEFINING = 4, AROUND = 16, RINGS = 11, POLES = 2 };

static tl_vec3 half_axis(const tl_shape3 *s, int k) { return tl_sub(s->point[1 + k], s->point[0]); }

static void settle(tl_shape3 *s)
{
    s->centre = s->point[0];
    s->reach = 0;
    for (int k = 0; k < 3; k++) s->reach = fmax(s->reach, tl_norm(half_axis(s, k)));
    s->reach += tl_norm(s->centre);
}

static talus_status make(tl_shape3 *s, tl_memory memory, const tl_shape3_def *d, tl_error *error)
{
    double length[3];
    memset(s, 0, sizeof *s);
    for (int k = 0; k < 3; k++) {
        length[k] = tl_norm(tl_sub(d->point[1 + k], d->point[0]));
        if (!(length[k] > 0) || !isfinite(length[k])) return tl_fail(error, TALUS_INPUT, "half axis %d of an ellipsoid is %g m long", k + 1, length[k]);
    }
    for (int k = 0; k < 3; k++) {
        const int next = (k + 1) % 3;
        const double along = tl_dot(tl_sub(d->point[1 + k], d->point[0]), tl_sub(d->point[1 + next], d->point[0]));
        if (fabs(along) > 1e-9 * length[k] * length[next])
            return tl_fail(error, TALUS_INPUT, "half axes %d and %d of an ellipsoid are not at right angles", k + 1, next + 1);
    }
    s->kind = TL_ELLIPSOID3;
    TL_TRY(tl_shape3_take_points(s, memory, d->point, DEFINING, 0, error));
    settle(s);
    return TALUS_OK;
}

static void move(tl_shape3 *s, tl_vec3 offset, const tl_mat3 *R)
{
    for (int i = 0; i < DEFINING; i++) s->point[i] = tl_mat3_apply_t(R, tl_sub(s->point[i], offset));
    settle(s);
}

/* ∫ r rᵀ = V/5 Σ u uᵀ over the half axes u. */
static tl_volume3 volume(const tl_shape3 *s)
{
    double all = 4.0 / 3 * TL_PI;
    tl_mat3 second = {0};
    for (int k = 0; k < 3; k++) all *= tl_norm(half_axis(s, k));
    for (int k = 0; k < 3; k++) tl_add_product3(&second, all / 5, half_axis(s, k));
    return (tl_volume3){all, s->centre, tl_inertia3_of(&second)};
}

/* It reaches √Σ uᵢ² along axis i. */
static tl_box3 box(const tl_shape3 *s, const tl_frame *at)
{
    const tl_vec3 centre = tl_add(tl_mat3_apply(&at->R, s->centre), at->p);
    tl_vec3 sum = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        const tl_vec3 u = tl_mat3_apply(&at->R, half_axis(s, k));
        sum = tl_add(sum, tl_v3(u.x * u.x, u.y * u.y, u.z * u.z));
    }
    const tl_vec3 half = tl_v3(sqrt(sum.x), sqrt(sum.y), sqrt(sum.z));
    return (tl_box3){tl_sub(centre, half), tl_add(centre, half)};
}

static double half_width(const tl_shape3 *s) { return fmin(tl_norm(half_axis(s, 0)), fmin(tl_norm(half_axis(s, 1)), tl_norm(half_axis(s, 2)))); }

/* The image of a ball's outermost point: c + Σ u (u·n) / √Σ (u·n)². */
static tl_vec3 support(const tl_shape3 *s, tl_vec3 n)
{
    tl_vec3 sum = {0, 0, 0};
    double square = 0;
    for (int k = 0; k < 3; k++) {
        const tl_vec3 u = half_axis(s, k);
        const double along = tl_dot(u, n);
        sum = tl_add(sum, tl_scale(along, u));
        square += along * along;
    }
    return square > 0 ? tl_add(s->centre, tl_scale(1 / sqrt(square), sum)) : s->centre;
}

static void patch(const tl_shape3 *s, tl_vec3 n, tl_patch3 *out) { tl_patch3_point(out, support(s, n), 0); }

/* The nearest point p of the surface has p_k = a_k² x_k / (t + a_k²) in the axes of the ellipsoid, with the largest t for
 * which it lies on the surface; that is not below −a² of the least half axis. Where x lies in the middle plane across that
 * axis and p does not, t is at this bound, and p beside the plane. */
static double distance(const tl_shape3 *s, tl_vec3 x, double within)
{
    double a[3], y[3], inside = 0, far = 0;
    int least = 0;
    (void)within;
    for (int k = 0; k < 3; k++) {
        const tl_vec3 u = half_axis(s, k);
        a[k] = tl_norm(u);
        y[k] = fabs(tl_dot(tl_sub(x, s->centre), u)) / a[k];
        inside += y[k] * y[k] / (a[k] * a[k]), far += a[k] * a[k] * y[k] * y[k];
        if (a[k] < a[least] || (a[k] == a[least] && y[k] > y[least])) least = k;
    }
    const double bound = -a[least] * a[least];
    double low = bound + a[least] * y[least], high = bound + sqrt(far), p[3], square = 0;
    for (int i = 0; i < 200 && high - low > 1e-16 * (fabs(low) + fabs(high)); i++) {
        const double t = 0.5 * (low + high);
        double sum = 0;
        for (int k = 0; k < 3; k++) sum += y[k] > 0 ? (a[k] * y[k] / (t + a[k] * a[k])) * (a[k] * y[k] / (t + a[k] * a[k])) : 0;
        *(sum > 1 ? &low : &high) = t;
    }
    double rest = 1;
    for (int k = 0; k < 3; k++) p[k] = y[k] > 0 && high > bound ? a[k] * a[k] * y[k] / (high + a[k] * a[k]) : 0;
    for (int k = 0; k < 3; k++) rest -= k == least ? 0 : p[k] * p[k] / (a[k] * a[k]);
    p[least] = a[least] * sqrt(fmax(0, rest));
    for (int k = 0; k < 3; k++) square += (y[k] - p[k]) * (y[k] - p[k]);
    return inside < 1 ? -sqrt(square) : sqrt(square);
}

/* ---- reading ------------------------------------------------------------------------------------------------------- */

/* By how much facets of a unit ball are to be larger for its volume: between two rings lies the frustum of a pyramid. */
static double enlarged(void)
{
    const double step = TL_PI / (RINGS + 1);
    double sum = 0;
    for (int k = 0; k <= RINGS; k++) {
        const double r = sin(k * step), q = sin((k + 1) * step), high = cos(k * step) - cos((k + 1) * step);
        sum += 0.5 * AROUND * sin(2 * TL_PI / AROUND) * high / 3 * (r * r + q * q + r * q);
    }
    return cbrt(4.0 / 3 * TL_PI / sum);
}

static void describe(const tl_shape3 *s, tl_shape3_def *out)
{
    (void)s;
    out->count = DEFINING + POLES + RINGS * AROUND;
}

static tl_vec3 corner(const tl_shape3 *s, int i)
{
    if (i < DEFINING) return s->point[i];
    const int n = i - DEFINING - POLES, pole = i == DEFINING ? 0 : RINGS + 1;
    const double latitude = TL_PI * (n < 0 ? pole : 1 + n / AROUND) / (RINGS + 1), longitude = n < 0 ? 0 : 2 * TL_PI * (n % AROUND) / AROUND;
    const double aside = n < 0 ? 0 : sin(latitude), size = enlarged();
    const tl_vec3 across = tl_add(tl_scale(cos(longitude), half_axis(s, 0)), tl_scale(sin(longitude), half_axis(s, 1)));
    return tl_add(s->centre, tl_scale(size, tl_add(tl_scale(aside, across), tl_scale(-cos(latitude), half_axis(s, 2)))));
}

/* Turned round where the half axes are left-handed. */
static int faces(const tl_shape3 *s, int32_t *size, int32_t *out, int *corner_count)
{
    const bool left = tl_dot(tl_cross(half_axis(s, 0), half_axis(s, 1)), half_axis(s, 2)) < 0;
    int count = 0, at = 0;
    for (int ring = 0; ring <= RINGS; ring++)
        for (int k = 0; k < AROUND; k++) {
            const int lower = DEFINING + POLES + (ring - 1) * AROUND, upper = lower + AROUND, next = (k + 1) % AROUND;
            const int around[4] = {ring == 0 ? DEFINING : lower + k, lower + next, ring == RINGS ? DEFINING + 1 : upper + next, upper + k};
            const int sides = ring == 0 || ring == RINGS ? 3 : 4, skip = ring == 0 ? 1 : ring == RINGS ? 3 : -1;
            int32_t face[4];
            for (int i = 0, m = 0; i < 4; i++)
                if (i != skip) face[m++] = around[i];
            if (size) size[count] = sides;
            for (int i = 0; out && i < sides; i++) out[at + i] = face[left ? sides - 1 - i : i];
            at += sides, count++;
        }
    *corner_count = at;
    return count;
}

const tl_shape3_ops tl_ellipsoid3 = {
    .name = "ellipsoid",
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
    .describe = describe,
    .corner = corner,
    .faces = faces,
};
