/* Polygons, segments and capsules: the points within a radius of the convex hull of two corners or more. */
#include <stdlib.h>
#include <string.h>

#include "shape/kinds2.h"

static int compare_points(const void *a, const void *b)
{
    const tl_vec2 *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return (p->y > q->y) - (p->y < q->y);
}

/* Monotone chain; strict turns only, so points on an edge are dropped. Returns the number of corners, counterclockwise. */
static int convex_hull(tl_vec2 *points, int n, tl_vec2 *hull)
{
    qsort(points, (size_t)n, sizeof *points, compare_points);
    int k = 0;
    for (int pass = 0; pass < 2; pass++) {
        const int start = k;
        for (int i = 0; i < n; i++) {
            const tl_vec2 p = points[pass ? n - 1 - i : i];
            while (k >= start + 2 && tl_cross2(tl_sub2(hull[k - 1], hull[k - 2]), tl_sub2(p, hull[k - 2])) <= 0) k--;
            hull[k++] = p;
        }
        k--; /* the last point opens the next chain */
    }
    return k;
}

static void set_normals(tl_shape2 *shape)
{
    for (int i = 0; i < shape->count; i++) {
        const tl_vec2 e = tl_sub2(shape->corner[(i + 1) % shape->count], shape->corner[i]);
        const double length = tl_norm2(e);
        shape->edge_normal[i] = tl_v2(e.y / length, -e.x / length);
    }
}

talus_status tl_shape2_round_hull(tl_shape2 *shape, tl_memory memory, const tl_vec2 *corners, int count, double radius, tl_error *error)
{
    memset(shape, 0, sizeof *shape);
    if (count < 1 || count > TL_CORNERS) return tl_fail(error, TALUS_INPUT, "a shape has 1 to %d corners, not %d", TL_CORNERS, count);
    if (!(radius >= 0) || !isfinite(radius)) return tl_fail(error, TALUS_INPUT, "the radius of a shape is %g; it must not be negative", radius);
    double size = 0;
    tl_vec2 points[TL_CORNERS], hull[2 * TL_CORNERS + 2];
    for (int i = 0; i < count; i++) {
        points[i] = corners[i];
        if (!isfinite(points[i].x) || !isfinite(points[i].y)) return tl_fail(error, TALUS_INPUT, "corner %d of a shape is not a number", i + 1);
        size = fmax(size, tl_norm2(tl_sub2(points[i], points[0])));
    }
    shape->radius = radius;
    if (count == 1) {
        if (!(radius > 0)) return tl_fail(error, TALUS_INPUT, "a disk needs a positive radius");
        shape->kind = TL_DISK;
        shape->count = 1;
        shape->centre = points[0];
        shape->reach = tl_shape2_ops_of(shape->kind)->reach(shape);
        return TALUS_OK;
    }
    const int kept = convex_hull(points, count, hull);
    if (kept < 2 || !(size > 0)) return tl_fail(error, TALUS_INPUT, count == 2 ? "the ends of a segment coincide" : "the corners of a polygon coincide");
    if (count > 2 && kept < 3) return tl_fail(error, TALUS_INPUT, "the corners of a polygon lie on one line");
    for (int i = 0; i < kept; i++)
        if (tl_norm2(tl_sub2(hull[(i + 1) % kept], hull[i])) < 1e-9 * size)
            return tl_fail(error, TALUS_INPUT, "two corners of a polygon nearly coincide at (%g, %g)", hull[i].x, hull[i].y);
    shape->kind = TL_POLYGON;
    shape->count = kept;
    shape->corner = tl_alloc(memory, (size_t)kept * 2, sizeof(tl_vec2));
    if (!shape->corner) return tl_fail(error, TALUS_MEMORY, "no memory for a shape");
    shape->edge_normal = shape->corner + kept;
    memcpy(shape->corner, hull, (size_t)kept * sizeof(tl_vec2));
    set_normals(shape);
    shape->reach = tl_shape2_ops_of(shape->kind)->reach(shape);
    return TALUS_OK;
}

static talus_status make(tl_shape2 *s, tl_memory memory, const tl_shape2_def *d, tl_error *error)
{
    return tl_shape2_round_hull(s, memory, d->point, d->count, d->radius, error);
}

/* One piece of area with its centroid and its second moment about that centroid joins the sum, which is about the first corner. */
static void add_piece(tl_area2 *sum, double area, tl_vec2 centroid, double own_moment)
{
    sum->centroid = tl_add2(sum->centroid, tl_scale2(area, centroid)); /* divided by the total at the end */
    sum->area += area;
    sum->moment += own_moment + area * tl_dot2(centroid, centroid);
}

static void add_sector(tl_area2 *sum, tl_vec2 apex, tl_vec2 bisector, double angle, double radius)
{
    if (!(angle > 0) || !(radius > 0)) return;
    const double area = 0.5 * angle * radius * radius, offset = 4 * radius * sin(0.5 * angle) / (3 * angle);
    const double about_apex = 0.25 * angle * radius * radius * radius * radius;
    add_piece(sum, area, tl_add2(apex, tl_scale2(offset, bisector)), about_apex - area * offset * offset);
}

static tl_area2 area_of(const tl_shape2 *shape)
{
    tl_area2 sum = {0};
    const double r = shape->radius;
    const tl_vec2 origin = shape->corner[0];
    for (int i = 1; i + 1 < shape->count; i++) { /* fan of triangles */
        const tl_vec2 p = tl_sub2(shape->corner[i], origin), q = tl_sub2(shape->corner[i + 1], origin);
        const double area = 0.5 * tl_cross2(p, q);
        const tl_vec2 c = tl_scale2(1.0 / 3, tl_add2(p, q));
        const double about_origin = area / 6 * (tl_dot2(p, p) + tl_dot2(p, q) + tl_dot2(q, q));
        add_piece(&sum, area, c, about_origin - area * tl_dot2(c, c));
    }
    for (int i = 0; r > 0 && i < shape->count; i++) { /* the rim: a rectangle per edge, a sector per corner */
        const int next = (i + 1) % shape->count;
        const tl_vec2 n = shape->edge_normal[i], m = shape->edge_normal[next];
        const double length = tl_norm2(tl_sub2(shape->corner[next], shape->corner[i]));
        const tl_vec2 p = tl_sub2(shape->corner[i], origin), q = tl_sub2(shape->corner[next], origin), middle = tl_scale2(0.5, tl_add2(p, q));
        add_piece(&sum, length * r, tl_add2(middle, tl_scale2(0.5 * r, n)), length * r * (length * length + r * r) / 12);
        const double turn = atan2(tl_cross2(n, m), tl_dot2(n, m)), angle = turn < 0 ? turn + 2 * TL_PI : turn;
        const tl_pose2 half = tl_pose2_at(0, 0, 0.5 * angle);
        add_sector(&sum, q, tl_rotate2(&half, n), angle, r);
    }
    if (!(sum.area > 0)) return sum;
    sum.centroid = tl_scale2(1 / sum.area, sum.centroid);
    sum.moment -= sum.area * tl_dot2(sum.centroid, sum.centroid);
    sum.centroid = tl_add2(origin, sum.centroid);
    return sum;
}

static double half_width(const tl_shape2 *shape)
{
    double least = shape->count > 2 ? (double)INFINITY : 0; /* one of the lines lies along an edge */
    for (int i = 0; shape->count > 2 && i < shape->count; i++) {
        double width = 0;
        for (int k = 0; k < shape->count; k++) width = fmax(width, -tl_dot2(shape->edge_normal[i], tl_sub2(shape->corner[k], shape->corner[i])));
        least = fmin(least, width);
    }
    return 0.5 * least + shape->radius;
}

static double distance(const tl_shape2 *s, tl_vec2 x)
{
    double nearest = (double)INFINITY;
    bool inside = s->count > 2;
    for (int i = 0; i < s->count; i++) {
        const tl_vec2 p = s->corner[i], e = tl_sub2(s->corner[i + 1 < s->count ? i + 1 : 0], p), d = tl_sub2(x, p);
        const double f = tl_smaller(1, tl_larger(0, tl_dot2(d, e) / tl_dot2(e, e)));
        nearest = tl_smaller(nearest, tl_norm2(tl_sub2(d, tl_scale2(f, e))));
        inside = inside && tl_cross2(e, d) >= 0;
    }
    return (inside ? -nearest : nearest) - s->radius;
}

static int outermost(const tl_shape2 *s, tl_vec2 n)
{
    int best = 0;
    for (int i = 1; i < s->count; i++)
        if (tl_dot2(n, s->corner[i]) > tl_dot2(n, s->corner[best])) best = i;
    return best;
}

static tl_vec2 support(const tl_shape2 *s, tl_vec2 n) { return s->corner[outermost(s, n)]; }

/* Of the two sides at the outermost corner the one that is less inclined. */
static void side(const tl_shape2 *s, tl_vec2 n, tl_side2 *out)
{
    const int to = outermost(s, n), from = (to + s->count - 1) % s->count;
    const int edge = tl_dot2(n, s->edge_normal[to]) > tl_dot2(n, s->edge_normal[from]) ? to : from, end = (edge + 1) % s->count;
    if (tl_dot2(n, s->edge_normal[edge]) > 0 && fabs(tl_cross2(n, s->edge_normal[edge])) < TL_FLAT2)
        *out = (tl_side2){2, {s->corner[edge], s->corner[end]}, {edge, end}};
    else *out = (tl_side2){.count = 1, .point = {s->corner[to]}, .number = {to}};
}

static int flats(const tl_shape2 *s, tl_vec2 normal[TL_CORNERS])
{
    memcpy(normal, s->edge_normal, (size_t)s->count * sizeof *normal);
    return s->count;
}

const tl_shape2_ops tl_polygon2 = {
    .name = "polygon",
    .bounded = true,
    .make = make,
    .reach = tl_shape2_round_reach,
    .area = area_of,
    .box = tl_shape2_round_box,
    .half_width = half_width,
    .distance = distance,
    .support = support,
    .side = side,
    .flats = flats,
};
