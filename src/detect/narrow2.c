/* Pair functions in the plane. Distances are exact, also corner to corner; overlapping polygons separate along the edge normal of
 * least overlap. Every polygon contact is a corner of one shape against an edge of the other: that corner is its feature. Shapes of
 * other kinds have one function for all pairs, by their supports (convex2.c); outlines of solids have theirs (mesh_touches2.c). */
#include "detect/narrow2.h"

#include "detect/convex2.h"
#include "detect/mesh_touches2.h"

/* corners of shape b are numbered after those of shape a */
static int feature(bool of_b, int corner) { return (of_b ? TL_CORNERS : 0) + corner; }

static int disk_disk(const tl_shape2 *a, const tl_pose2 *pa, const tl_shape2 *b, const tl_pose2 *pb, double alert, tl_touch2 *out)
{
    const tl_vec2 p = tl_to_world2(pa, a->centre), q = tl_to_world2(pb, b->centre), d = tl_sub2(q, p);
    const double reach = a->radius + b->radius + alert, distance2 = tl_dot2(d, d);
    if (distance2 >= reach * reach) return 0;
    const double distance = sqrt(distance2), gap = distance - a->radius - b->radius;
    const tl_vec2 n = distance > 0 ? tl_scale2(1 / distance, d) : tl_v2(0, 1);
    *out = (tl_touch2){tl_add2(p, tl_scale2(a->radius + 0.5 * gap, n)), n, gap, 0};
    return 1;
}

/* Closest point of segment pq to x, as the fraction from p. */
static double segment_fraction(tl_vec2 p, tl_vec2 q, tl_vec2 x)
{
    const tl_vec2 e = tl_sub2(q, p);
    return fmin(1, fmax(0, tl_dot2(tl_sub2(x, p), e) / tl_dot2(e, e)));
}

static tl_vec2 along(tl_vec2 p, tl_vec2 q, double fraction) { return tl_add2(p, tl_scale2(fraction, tl_sub2(q, p))); }

static int polygon_disk(const tl_shape2 *a, const tl_pose2 *pa, const tl_shape2 *b, const tl_pose2 *pb, double alert, tl_touch2 *out)
{
    const tl_vec2 x = tl_to_local2(pa, tl_to_world2(pb, b->centre));
    int deepest = 0;
    double separation = -(double)INFINITY;
    for (int i = 0; i < a->count; i++) {
        const double s = tl_dot2(a->edge_normal[i], tl_sub2(x, a->corner[i]));
        if (s > separation) separation = s, deepest = i;
    }
    const double rims = a->radius + b->radius;
    if (separation >= rims + alert) return 0;
    tl_vec2 n = a->edge_normal[deepest], foot = tl_sub2(x, tl_scale2(separation, n));
    if (separation > 0 || a->count == 2) { /* outside, or in line with a segment: nearest point of the outline */
        double best = (double)INFINITY, fraction = 0;
        int nearest = 0;
        for (int i = 0; i < a->count; i++) {
            const tl_vec2 p = a->corner[i], q = a->corner[(i + 1) % a->count];
            const double f = segment_fraction(p, q, x);
            const tl_vec2 y = along(p, q, f), d = tl_sub2(x, y);
            if (tl_dot2(d, d) < best) best = tl_dot2(d, d), foot = y, nearest = i, fraction = f;
        }
        separation = sqrt(best);
        if (separation >= rims + alert) return 0;
        if (fraction > 0 && fraction < 1) n = a->edge_normal[nearest]; /* exact, however near the middle is; of a segment the normals are on both sides */
        else if (separation > 0) n = tl_scale2(1 / separation, tl_sub2(x, foot));
        if (tl_dot2(n, tl_sub2(x, foot)) < 0) n = tl_scale2(-1, n);
    }
    const double gap = separation - rims;
    const tl_vec2 middle = tl_add2(foot, tl_scale2(a->radius + 0.5 * gap, n));
    *out = (tl_touch2){tl_to_world2(pa, middle), tl_rotate2(pa, n), gap, 0};
    return 1;
}

/* ---- polygon against polygon: everything in the axes of `a` ------------------------------------------------------- */

typedef struct outline {
    int count;
    double radius;
    tl_vec2 corner[TL_CORNERS], normal[TL_CORNERS];
} outline;

static outline take_outline(const tl_shape2 *shape, const tl_pose2 *from, const tl_pose2 *to)
{
    outline o = {.count = shape->count, .radius = shape->radius};
    for (int i = 0; i < shape->count; i++) {
        o.corner[i] = from == to ? shape->corner[i] : tl_to_local2(to, tl_to_world2(from, shape->corner[i]));
        o.normal[i] = from == to ? shape->edge_normal[i] : tl_unrotate2(to, tl_rotate2(from, shape->edge_normal[i]));
    }
    return o;
}

/* Edge of `p` beyond which `q` lies furthest; ties go to the lowest number. */
static int separating_edge(const outline *p, const outline *q, double *separation)
{
    int best = 0;
    *separation = -(double)INFINITY;
    for (int i = 0; i < p->count; i++) {
        double least = (double)INFINITY;
        for (int j = 0; j < q->count; j++) least = fmin(least, tl_dot2(p->normal[i], tl_sub2(q->corner[j], p->corner[i])));
        if (least > *separation) *separation = least, best = i;
    }
    return best;
}

/* Nearest points of two outlines that do not overlap. */
typedef struct nearest {
    double distance;
    bool corners;           /* corner to corner; else corner to edge */
    int corner_a, corner_b; /* corner to corner: which               */
} nearest;

static void try_corner_edge(nearest *best, const outline *edges, const outline *corners, bool edge_of_b)
{
    for (int i = 0; i < edges->count; i++)
        for (int j = 0; j < corners->count; j++) {
            const int next = (i + 1) % edges->count;
            const tl_vec2 p = edges->corner[i], q = edges->corner[next], x = corners->corner[j];
            const double f = segment_fraction(p, q, x);
            const double d = tl_norm2(tl_sub2(x, along(p, q, f)));
            if (!(d < best->distance)) continue;
            const int end = f <= 0 ? i : next;
            *best = (nearest){d, f <= 0 || f >= 1, edge_of_b ? j : end, edge_of_b ? end : j};
        }
}

/* q lies beyond an end of the segment p: apart, though no edge normal shows it when both lie on one line */
static bool beyond_end(const outline *p, const outline *q)
{
    if (p->count != 2) return false;
    const tl_vec2 e = tl_sub2(p->corner[1], p->corner[0]);
    double low = (double)INFINITY, high = -(double)INFINITY;
    for (int j = 0; j < q->count; j++) {
        const double s = tl_dot2(e, tl_sub2(q->corner[j], p->corner[0]));
        low = fmin(low, s);
        high = fmax(high, s);
    }
    return low > tl_dot2(e, e) || high < 0;
}

/* Differences below this share of an edge are no more than rounding: there the choice must not depend on them. Equal boxes flush on each
 * other touch along a face, where the direction from corner to corner would be that of a rounding error. */
static const double FLUSH = 1e-9;

/* An edge of one outline, the reference, that the other faces. */
typedef struct edge_pair {
    const outline *ref, *inc;
    int edge;
    bool ref_is_b;
    double separation; /* of the outlines beyond the edge [m] */
} edge_pair;

/* The part of the incident edge within the side planes of the reference edge; a touch for each end. */
static int clip_touches(const edge_pair *f, double alert, tl_touch2 *out)
{
    const outline *ref = f->ref, *inc = f->inc;
    const int edge = f->edge;
    const tl_vec2 n = ref->normal[edge], p = ref->corner[edge], q = ref->corner[(edge + 1) % ref->count];
    const double length = tl_norm2(tl_sub2(q, p));
    const tl_vec2 t = tl_scale2(1 / length, tl_sub2(q, p));
    int facing = 0;
    for (int j = 1; j < inc->count; j++)
        if (tl_dot2(n, inc->normal[j]) < tl_dot2(n, inc->normal[facing])) facing = j;
    /* the incident edge runs against the reference edge: its second end lies towards p */
    const int ends[2] = {(facing + 1) % inc->count, facing};
    const tl_vec2 c = inc->corner[ends[0]], d = inc->corner[ends[1]];
    const double u[2] = {tl_dot2(t, tl_sub2(c, p)), tl_dot2(t, tl_sub2(d, p))};
    if (u[1] <= 0 || u[0] >= length || !(u[1] > u[0])) return 0; /* edges do not face each other */
    int count = 0;
    for (int end = 0; end < 2; end++) {
        const bool clipped = end == 0 ? u[0] < -FLUSH * length : u[1] > (1 + FLUSH) * length;
        const double at = !clipped ? u[end] : (end == 0 ? 0 : length);
        const tl_vec2 x = along(c, d, (at - u[0]) / (u[1] - u[0]));
        const double separation = tl_dot2(n, tl_sub2(x, p)), gap = separation - ref->radius - inc->radius;
        if (gap >= alert) continue;
        const int corner = clipped ? (end == 0 ? edge : (edge + 1) % ref->count) : ends[end];
        const tl_vec2 middle = tl_sub2(x, tl_scale2(inc->radius + 0.5 * gap, n));
        out[count++] = (tl_touch2){middle, n, gap, feature(clipped == f->ref_is_b, corner)};
    }
    return count;
}

static int corner_touch(const outline *a, const outline *b, const nearest *near, double alert, tl_touch2 *out)
{
    const tl_vec2 x = a->corner[near->corner_a], d = tl_sub2(b->corner[near->corner_b], x);
    const double distance = tl_norm2(d), gap = distance - a->radius - b->radius;
    if (gap >= alert || !(distance > 0)) return 0;
    const tl_vec2 n = tl_scale2(1 / distance, d);
    *out = (tl_touch2){tl_add2(x, tl_scale2(a->radius + 0.5 * gap, n)), n, gap, feature(true, near->corner_b)};
    return 1;
}

/* Where clipping finds nothing (the facing edge of a slender shape lies aside): the deepest corner itself. */
static int deepest_touch(const edge_pair *f, double alert, tl_touch2 *out)
{
    const outline *inc = f->inc;
    const tl_vec2 n = f->ref->normal[f->edge];
    int deepest = 0;
    for (int j = 1; j < inc->count; j++)
        if (tl_dot2(n, tl_sub2(inc->corner[j], inc->corner[deepest])) < 0) deepest = j;
    const tl_vec2 x = inc->corner[deepest];
    const double gap = f->separation - f->ref->radius - inc->radius;
    if (gap >= alert) return 0;
    *out = (tl_touch2){tl_sub2(x, tl_scale2(inc->radius + 0.5 * gap, n)), n, gap, feature(!f->ref_is_b, deepest)};
    return 1;
}

/* Apart, the distance is that beyond the separating edge unless two corners are nearest to each other; overlapping, the edge of least
 * overlap separates. Of two edges equally good it is a's, so that the choice does not flicker. */
static int polygon_polygon(const tl_shape2 *sa, const tl_pose2 *pa, const tl_shape2 *sb, const tl_pose2 *pb, double alert, tl_touch2 *out)
{
    const outline a = take_outline(sa, pa, pa), b = take_outline(sb, pb, pa);
    double separation_a, separation_b;
    const int edge_a = separating_edge(&a, &b, &separation_a), edge_b = separating_edge(&b, &a, &separation_b);
    if (fmax(separation_a, separation_b) >= a.radius + b.radius + alert) return 0;
    const double length = tl_norm2(tl_sub2(a.corner[(edge_a + 1) % a.count], a.corner[edge_a])), flush = FLUSH * length;
    const bool apart = fmax(separation_a, separation_b) > 0 || beyond_end(&a, &b) || beyond_end(&b, &a);
    const bool flip = separation_b > separation_a + flush + (apart ? 0 : 1e-3 * fabs(separation_a));
    const edge_pair f = flip ? (edge_pair){&b, &a, edge_b, true, separation_b} : (edge_pair){&a, &b, edge_a, false, separation_a};
    nearest near = {.distance = (double)INFINITY};
    if (apart) {
        try_corner_edge(&near, &a, &b, false);
        try_corner_edge(&near, &b, &a, true);
    }
    const double excess = near.distance - fmax(separation_a, separation_b);
    const bool corners = near.corners && near.distance > 2 * flush && excess > 1e-15 * (near.distance + length);
    int count = corners ? corner_touch(&a, &b, &near, alert, out) : clip_touches(&f, alert, out);
    if (count == 0 && !corners) count = deepest_touch(&f, alert, out);
    for (int i = 0; i < count; i++) {
        out[i].point = tl_to_world2(pa, out[i].point);
        out[i].normal = tl_rotate2(pa, flip && !corners ? tl_scale2(-1, out[i].normal) : out[i].normal);
    }
    if (count == 2 && out[0].feature > out[1].feature) {
        const tl_touch2 swap = out[0];
        out[0] = out[1];
        out[1] = swap;
    }
    return count;
}

/* ---- half-plane: every corner of the other shape is a feature ----------------------------------------------------- */

static int half_plane_any(const tl_shape2 *a, const tl_pose2 *pa, const tl_shape2 *b, const tl_pose2 *pb, double alert, tl_touch2 *out)
{
    const tl_vec2 n = tl_rotate2(pa, a->normal), o = tl_to_world2(pa, a->centre);
    int count = 0;
    for (int i = 0; i < b->count; i++) {
        const tl_vec2 x = tl_to_world2(pb, b->kind == TL_DISK ? b->centre : b->corner[i]);
        const double gap = tl_dot2(n, tl_sub2(x, o)) - b->radius;
        if (gap < alert) out[count++] = (tl_touch2){tl_sub2(x, tl_scale2(b->radius + 0.5 * gap, n)), n, gap, feature(true, i)};
    }
    return count;
}

/* Pairs that have a function of their own; in the other order they are its mirror. All others go by supports (convex2.c). */
typedef int pair_fn(const tl_shape2 *, const tl_pose2 *, const tl_shape2 *, const tl_pose2 *, double, tl_touch2 *);
static pair_fn *const PAIR[TL_SHAPE2_KINDS][TL_SHAPE2_KINDS] = {
    [TL_DISK] = {[TL_DISK] = disk_disk},
    [TL_POLYGON] = {[TL_DISK] = polygon_disk, [TL_POLYGON] = polygon_polygon},
    [TL_HALF_PLANE] = {[TL_DISK] = half_plane_any, [TL_POLYGON] = half_plane_any},
};

int tl_touch2_find(const tl_shape2 *a, const tl_pose2 *pa, const tl_shape2 *b, const tl_pose2 *pb, double alert, tl_touch2 *out)
{
    if (a->kind == TL_MESH2 || b->kind == TL_MESH2) return tl_mesh_touches2(a, pa, b, pb, alert, out);
    pair_fn *const own = PAIR[a->kind][b->kind], *const mirror = PAIR[b->kind][a->kind];
    if (own) return own(a, pa, b, pb, alert, out);
    if (!mirror) return a->kind == TL_HALF_PLANE && b->kind == TL_HALF_PLANE ? 0 : tl_convex_touches2(a, pa, b, pb, alert, out);
    const int count = mirror(b, pb, a, pa, alert, out);
    for (int i = 0; i < count; i++) {
        out[i].normal = tl_scale2(-1, out[i].normal);
        out[i].feature ^= TL_CORNERS; /* a and b exchange their names; the order within one shape stays */
    }
    return count;
}

int tl_touch2_limit(const tl_shape2 *a, const tl_shape2 *b)
{
    if (a->kind == TL_MESH2 || b->kind == TL_MESH2) return TL_MESH_TOUCHES2;
    if (!PAIR[a->kind][b->kind] && !PAIR[b->kind][a->kind]) return TL_CONVEX_TOUCHES2;
    if (a->kind == TL_HALF_PLANE) return b->count;
    if (b->kind == TL_HALF_PLANE) return a->count;
    return a->kind == TL_POLYGON && b->kind == TL_POLYGON ? 2 : 1;
}
