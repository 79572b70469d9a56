/* How much of a region of space polyhedra, spheres and capsules fill.
 *
 * Polyhedron P, region [x₀, x₁] × [y₀, y₁] × [z₀, z₁]: the divergence theorem for the field (0, 0, c(z)), c(z) = clamp(z, z₀, z₁) − z₀,
 *
 *     V = ∫∫ over x₀ ≤ x ≤ x₁, y₀ ≤ y ≤ y₁ of (c(top of P) − c(bottom of P)) dx dy = Σ over faces ∫∫ c(z) n_z dA
 *
 * Hence a face is cut by four planes, then into its parts below, between and above z₀ and z₁; no face is needed where the region cuts P, and
 * a face that lies in a side of the region is no special case. The sum over regions side by side is that over their union, to rounding.
 *
 * Capsule, or sphere: V = ∫ A(s) ds along its axis, where A is the area that a disk and a convex polygon, the section of the region, have in common:
 * exact by Green's theorem. A is analytic but for where the section meets a corner of the region, an edge of it enters or leaves the capsule,
 * a side of it touches the disk, or an end begins. These are computed; between them, where A begins like a power of the root of the
 * distance, s = m − w cos θ makes it smooth in θ, and Gauss' rule of eight points is halved until it agrees. */
#include "scene/fill.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"

typedef double point[3];

enum { ROOM = 2 * TL_FILL_CORNERS };

/* ---- polyhedra ---------------------------------------------------------------------------------------------------- */

/* The part of a polygon with sign (x[axis] − limit) ≥ 0 (Sutherland–Hodgman); returns the number of its corners: at most one more, but for a polygon
 * that lies in the plane to rounding, where each other corner may be on the other side. */
static int cut(const point *p, int n, int axis, double limit, double sign, point *out)
{
    int m = 0;
    for (int i = 0; i < n; i++) {
        const double *a = p[i], *b = p[i + 1 < n ? i + 1 : 0], da = sign * (a[axis] - limit), db = sign * (b[axis] - limit);
        if (da >= 0) memcpy(out[m++], a, sizeof out[0]);
        if ((da >= 0) != (db >= 0)) {
            const double f = da / (da - db);
            for (int k = 0; k < 3; k++) out[m][k] = a[k] + f * (b[k] - a[k]);
            out[m++][axis] = limit;
        }
    }
    return m;
}

/* ∫∫ (slope (z − z0) + level) n_z dA over a polygon: triangles, each at its mean height. */
static double under(const point *p, int n, double z0, double slope, double level)
{
    double sum = 0;
    for (int i = 1; i + 1 < n; i++) {
        const double *a = p[0], *b = p[i], *c = p[i + 1];
        const double shadow = 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
        sum += shadow * (slope * ((a[2] - z0) + (b[2] - z0) + (c[2] - z0)) / 3 + level);
    }
    return sum;
}

/* Where does a box of extents stand to a region: apart, wholly inside, or between. */
typedef enum place { APART, ACROSS, INSIDE } place;

static place compare(const double low[3], const double high[3], const tl_region *in)
{
    bool inside = true;
    for (int k = 0; k < 3; k++) {
        if (!(low[k] < in->high[k] && high[k] > in->low[k])) return APART;
        inside = inside && low[k] >= in->low[k] && high[k] <= in->high[k];
    }
    return inside ? INSIDE : ACROSS;
}

static void find_extents(const double (*corner)[3], int corners, point low, point high)
{
    memcpy(low, corner[0], sizeof(point));
    memcpy(high, corner[0], sizeof(point));
    for (int i = 1; i < corners; i++)
        for (int k = 0; k < 3; k++) low[k] = tl_smaller(corner[i][k], low[k]), high[k] = tl_larger(corner[i][k], high[k]);
}

bool tl_fill_misses(const double (*corner)[3], int corners, const tl_region *in)
{
    point low, high;
    find_extents(corner, corners, low, high);
    return compare(low, high, in) == APART;
}

double tl_fill_polyhedron(const double (*corner)[3], int corners, const int32_t *size, const int32_t *face_corner, int faces, const tl_region *in)
{
    point low, high;
    find_extents(corner, corners, low, high);
    if (compare(low, high, in) == APART) return 0;
    const double z0 = fmax(in->low[2], low[2]), z1 = fmin(in->high[2], high[2]); /* the same volume, and smaller terms */
    double volume = 0;
    for (int f = 0; f < faces; face_corner += size[f], f++) {
        point p[ROOM], q[ROOM];
        int n = size[f];
        for (int i = 0; i < n; i++) memcpy(p[i], corner[face_corner[i]], sizeof p[i]);
        for (int k = 0; k < 2; k++) {
            if (low[k] < in->low[k]) n = cut((const point *)p, n, k, in->low[k], 1, q), memcpy(p, q, (size_t)n * sizeof *p);
            if (high[k] > in->high[k]) n = cut((const point *)p, n, k, in->high[k], -1, q), memcpy(p, q, (size_t)n * sizeof *p);
        }
        const int above = z1 < high[2] ? cut((const point *)p, n, 2, z1, 1, q) : 0;
        volume += under((const point *)q, above, z1, 0, z1 - z0);
        if (z1 < high[2]) n = cut((const point *)p, n, 2, z1, -1, q), memcpy(p, q, (size_t)n * sizeof *p);
        if (z0 > low[2]) n = cut((const point *)p, n, 2, z0, 1, q), memcpy(p, q, (size_t)n * sizeof *p);
        volume += under((const point *)p, n, z0, 1, 0);
    }
    return volume;
}

/* ---- spheres and capsules ------------------------------------------------------------------------------------------- */

typedef struct rod {
    tl_vec3 from, along, t, s;  /* one end; its direction and two across; a sphere lies along z */
    double length, radius, rim; /* rim: of the flat ends of a round cylinder, whose edges are rounded by `radius`; else 0 */
    const tl_region *in;
} rod;

enum { BREAKS = 4 + 8 + 12 * 6 + 6 * 6 };

static double part(tl_vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

static double sector(double radius, tl_vec2 a, tl_vec2 b) { return 0.5 * radius * radius * atan2(tl_cross2(a, b), tl_dot2(a, b)); }

/* ½ ∮ (x dy − y dx) along what an edge of the polygon leaves of the disk's rim or cuts off it: a part of the edge, and arcs. */
static double edge_area(double radius, tl_vec2 a, tl_vec2 b)
{
    const tl_vec2 d = tl_sub2(b, a);
    const double A = tl_dot2(d, d), B = tl_dot2(a, d), C = tl_dot2(a, a) - radius * radius, root = B * B - A * C;
    if (!(root > 0)) return sector(radius, a, b);
    const double first = fmax((-B - sqrt(root)) / A, 0), last = fmin((-B + sqrt(root)) / A, 1);
    if (!(first < last)) return sector(radius, a, b);
    const tl_vec2 p = tl_add2(a, tl_scale2(first, d)), q = tl_add2(a, tl_scale2(last, d));
    return (first > 0 ? sector(radius, a, p) : 0) + 0.5 * tl_cross2(p, q) + (last < 1 ? sector(radius, q, b) : 0);
}

/* A(s): the square about the disk, cut by the sides of the region, and the disk in it. */
static double section(const rod *r, double s)
{
    const double beyond = s < 0 ? s : s > r->length ? s - r->length : 0, radius = r->rim + sqrt(fmax(0, r->radius * r->radius - beyond * beyond));
    const tl_vec3 centre = tl_add(r->from, tl_scale(s, r->along));
    tl_vec2 p[32] = {{-radius, -radius}, {radius, -radius}, {radius, radius}, {-radius, radius}}, q[32];
    int n = 4;
    for (int side = 0; side < 6; side++) {
        const int k = side / 2;
        const double sign = side % 2 ? -1 : 1, depth = sign * (part(centre, k) - (side % 2 ? r->in->high : r->in->low)[k]);
        const tl_vec2 inward = tl_v2(sign * part(r->t, k), sign * part(r->s, k));
        int m = 0;
        for (int i = 0; i < n; i++) {
            const tl_vec2 a = p[i], b = p[i + 1 < n ? i + 1 : 0];
            const double da = depth + tl_dot2(inward, a), db = depth + tl_dot2(inward, b);
            if (da >= 0) q[m++] = a;
            if ((da >= 0) != (db >= 0)) q[m++] = tl_add2(a, tl_scale2(da / (da - db), tl_sub2(b, a)));
        }
        n = m;
        memcpy(p, q, (size_t)n * sizeof *p);
    }
    double area = 0;
    for (int i = 0; i < n; i++) area += edge_area(radius, p[i], p[i + 1 < n ? i + 1 : 0]);
    return area;
}

/* Roots of a x² + 2 b x + c, if any: 0 or 2. */
static int roots(double a, double b, double c, double x[2])
{
    if (!(a > 0) || !(b * b >= a * c)) return 0;
    x[0] = (-b - sqrt(b * b - a * c)) / a, x[1] = (-b + sqrt(b * b - a * c)) / a;
    return 2;
}

/* Where the edge from a point along an axis meets the two balls and the cylinder between them. Where it meets a torus is left to refinement. */
static int edge_breaks(const rod *r, tl_vec3 start, int axis, double *at)
{
    const tl_vec3 unit = tl_v3(axis == 0, axis == 1, axis == 2), arm = tl_sub(start, r->from);
    const double edge = r->in->high[axis] - r->in->low[axis], lean = part(r->along, axis), full = r->rim + r->radius, r2 = full * full;
    double x[6];
    int n = 0, count = 0;
    for (int end = 0; end < 2 && r->rim == 0; end++) {
        const tl_vec3 d = tl_sub(arm, tl_scale(end * r->length, r->along));
        n += roots(1, tl_dot(d, unit), tl_dot(d, d) - r2, x + n);
    }
    const double s = tl_dot(arm, r->along);
    const tl_vec3 across = tl_sub(arm, tl_scale(s, r->along)), turned = tl_sub(unit, tl_scale(lean, r->along));
    n += roots(tl_dot(turned, turned), tl_dot(across, turned), tl_dot(across, across) - r2, x + n);
    for (int i = 0; i < n; i++)
        if (x[i] >= 0 && x[i] <= edge) at[count++] = s + x[i] * lean;
    return count;
}

/* Where a side of the region, x[axis] = limit, touches the section's disk: on the two balls and on the cylinder. */
static int side_breaks(const rod *r, int axis, double limit, double *at)
{
    const double lean = part(r->along, axis), flat = sqrt(fmax(0, 1 - lean * lean)), away = limit - part(r->from, axis), full = r->rim + r->radius;
    int count = 0;
    for (int end = 0; end < 2 && r->rim == 0; end++) {
        const double d = away - end * r->length * lean, rim = r->radius * r->radius - d * d;
        if (!(rim > 0)) continue;
        at[count++] = end * r->length + d * lean - sqrt(rim) * flat;
        at[count++] = end * r->length + d * lean + sqrt(rim) * flat;
    }
    if (lean == 0) return count;
    at[count++] = (away - full * flat) / lean;
    at[count++] = (away + full * flat) / lean;
    return count;
}

static int find_breaks(const rod *r, double at[BREAKS])
{
    const double ends[4] = {-r->radius, 0, r->length, r->length + r->radius};
    int count = 4, kept = 0;
    memcpy(at, ends, sizeof ends);
    for (int i = 0; i < 8; i++) {
        double c[3];
        for (int k = 0; k < 3; k++) c[k] = (i >> k & 1 ? r->in->high : r->in->low)[k];
        at[count++] = tl_dot(tl_sub(tl_load3(c), r->from), r->along);
        for (int k = 0; k < 3; k++)
            if (!(i >> k & 1)) count += edge_breaks(r, tl_load3(c), k, at + count);
    }
    for (int k = 0; k < 3; k++) {
        count += side_breaks(r, k, r->in->low[k], at + count);
        count += side_breaks(r, k, r->in->high[k], at + count);
    }
    for (int i = 0; i < count; i++)
        if (at[i] >= ends[0] && at[i] <= ends[3]) at[kept++] = at[i];
    qsort(at, (size_t)kept, sizeof *at, tl_rising);
    return kept;
}

/* ∫ A ds between two breaks, over a part of 0 ≤ θ ≤ π. */
static double gauss(const rod *r, double from, double to, double begin, double end)
{
    static const double NODE[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
    static const double WEIGHT[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
    const double middle = 0.5 * (begin + end), half = 0.5 * (end - begin), centre = 0.5 * (from + to), width = 0.5 * (to - from);
    double sum = 0;
    for (int i = 0; i < 8; i++) {
        const double angle = middle + (i % 2 ? -half : half) * NODE[i / 2];
        sum += WEIGHT[i / 2] * width * sin(angle) * section(r, centre - width * cos(angle));
    }
    return half * sum;
}

/* A part of a rod between two of its breaks. */
typedef struct stretch {
    const rod *r;
    double from, to;
} stretch;

static double refine(const stretch *s, double begin, double end, double whole, int depth)
{
    const rod *r = s->r;
    const double middle = 0.5 * (begin + end), left = gauss(r, s->from, s->to, begin, middle), right = gauss(r, s->from, s->to, middle, end);
    const double full = r->rim + r->radius, enough = (r->rim > 0 ? 1e-10 : 1e-14) * full * full * (r->length + r->radius);
    if (depth == 0 || fabs(left + right - whole) <= enough) return left + right;
    return refine(s, begin, middle, left, depth - 1) + refine(s, middle, end, right, depth - 1);
}

static double rod_volume(rod *r)
{
    const double full = r->rim + r->radius, rounding = r->radius;
    const tl_vec3 to = tl_add(r->from, tl_scale(r->length, r->along));
    const double a[3] = {r->from.x, r->from.y, r->from.z}, b[3] = {to.x, to.y, to.z};
    point low, high;
    for (int k = 0; k < 3; k++) low[k] = fmin(a[k], b[k]) - full, high[k] = fmax(a[k], b[k]) + full;
    const place where = compare(low, high, r->in);
    if (where == APART) return 0;
    if (where == INSIDE) /* the ends of a round cylinder: ∫ (rim + √(rounding² − u²))² du, twice */
        return TL_PI * (full * full * r->length + rounding * (2 * r->rim * r->rim + TL_PI * r->rim * rounding + 4.0 / 3 * rounding * rounding));
    tl_tangents(r->along, &r->t, &r->s);
    double at[BREAKS], volume = 0;
    const int count = find_breaks(r, at), depth = r->rim > 0 ? 20 : 12;
    for (int i = 0; i + 1 < count; i++)
        if (at[i + 1] > at[i]) volume += refine(&(stretch){r, at[i], at[i + 1]}, 0, TL_PI, gauss(r, at[i], at[i + 1], 0, TL_PI), depth);
    return volume;
}

double tl_fill_capsule(const double a[3], const double b[3], double radius, const tl_region *in)
{
    const tl_vec3 d = tl_sub(tl_load3(b), tl_load3(a));
    rod r = {.from = tl_load3(a), .radius = radius, .length = tl_norm(d), .in = in};
    r.along = r.length > 0 ? tl_normalize(d) : tl_v3(0, 0, 1);
    return rod_volume(&r);
}

double tl_fill_cylinder(const double a[3], const double b[3], double radius, double rounding, const tl_region *in)
{
    const tl_vec3 d = tl_sub(tl_load3(b), tl_load3(a));
    rod r = {.along = tl_normalize(d), .radius = rounding, .rim = fmax(0, radius - rounding), .length = fmax(0, tl_norm(d) - 2 * rounding), .in = in};
    r.from = tl_add(tl_load3(a), tl_scale(rounding, r.along));
    return rod_volume(&r);
}
