/* Points of contact of two convex shapes along the direction in which they are furthest apart. On each side lies what is
 * outermost there (tl_patch3): a face, round or with corners, an edge or a straight side, or one point. Where a face lies
 * along its partner, points that are fixed in the body stand for it, with what else bounds the area that the two share:
 * corners of the other, and where sides cross rims. */
#include "detect/convex3.h"

/* As in touches3.c: what is no more than rounding; what is parallel. */
static const double FLUSH = 1e-10, ALONGSIDE = 1e-3;

enum { TURNS = 6, MOST = 2 * TL_HULL_POINTS + 4 }; /* as many as choose3.c takes */
/* Numbers of points: those of a's patch, then: */
enum { OF_B = TL_PATCH_NUMBERS, CROSSING = 2 * TL_PATCH_NUMBERS, NEAREST = CROSSING + 2, SIDE = 4 * TL_PATCH_NUMBERS };

typedef struct search {
    tl_convex_pair3 pair;
    tl_convex_axis3 axis;
    double radius[2], alert;
    tl_patch3 a, b;
    int count;
    tl_touch touch[MOST];
} search;

/* ---- points -------------------------------------------------------------------------------------------------------- */

/* x on the core of a or b, `apart` the way along n between the cores there. */
static void add(search *s, bool on_b, tl_vec3 x, double apart, uint32_t number)
{
    const double gap = apart - s->radius[0] - s->radius[1];
    if (!(gap < s->alert) || s->count >= MOST) return;
    const tl_vec3 point = tl_add(x, tl_scale((on_b ? -s->radius[1] : s->radius[0]) + (on_b ? -0.5 : 0.5) * gap, s->axis.n));
    for (int i = 0; i < s->count; i++)
        if (tl_norm(tl_sub(s->touch[i].point, point)) < FLUSH * s->pair.size) return;
    s->touch[s->count++] = (tl_touch){point, s->axis.n, gap, number};
}

/* The way along n from x to the plane of a ring or disk. */
static double way_to(const tl_patch3 *to, tl_vec3 n, tl_vec3 x) { return tl_dot(to->normal, tl_sub(to->centre, x)) / tl_dot(to->normal, n); }

/* A point of one spread, seen along n, is within the other. */
static bool is_within(const tl_patch3 *in, tl_vec3 n, tl_vec3 x, double flush)
{
    const tl_vec3 y = tl_add(x, tl_scale(way_to(in, n, x), n));
    if (in->kind == TL_PATCH_DISK) return tl_norm(tl_sub(y, in->centre)) <= in->rim + flush;
    for (int k = 0; k < in->count; k++) {
        const tl_vec3 p = in->point[k], d = tl_sub(in->point[(k + 1) % in->count], p);
        if (tl_dot(tl_cross(in->normal, d), tl_sub(y, p)) < -flush * tl_norm(d)) return false;
    }
    return true;
}

static void points_within(search *s, const tl_patch3 *of, const tl_patch3 *in)
{
    const bool of_b = of == &s->b;
    for (int k = 0; k < of->count; k++) {
        if (!is_within(in, s->axis.n, of->point[k], FLUSH * s->pair.size)) continue;
        const double way = way_to(in, s->axis.n, of->point[k]);
        add(s, of_b, of->point[k], of_b ? -way : way, of->number[k]);
    }
}

/* Where a straight side of one crosses the rim of the other, seen along n. */
static void side_across_rim(search *s, const tl_patch3 *of, const tl_patch3 *disk, tl_vec3 p, tl_vec3 q, uint32_t number)
{
    const bool of_b = of == &s->b;
    const tl_vec3 n = s->axis.n, from = tl_sub(tl_add(p, tl_scale(way_to(disk, n, p), n)), disk->centre);
    const tl_vec3 d = tl_sub(tl_sub(tl_add(q, tl_scale(way_to(disk, n, q), n)), disk->centre), from);
    const double dd = tl_dot(d, d), half = tl_dot(from, d), under = half * half - dd * (tl_dot(from, from) - disk->rim * disk->rim);
    if (!(under > 0) || !(dd > 0)) return;
    for (int k = 0; k < 2; k++) {
        const double f = (-half + (k ? 1 : -1) * sqrt(under)) / dd;
        if (!(f >= 0 && f <= 1)) continue;
        const tl_vec3 x = tl_add(p, tl_scale(f, tl_sub(q, p)));
        const double way = way_to(disk, n, x);
        add(s, of_b, x, of_b ? -way : way, SIDE + 2 * number + (uint32_t)k);
    }
}

static void sides_across_rim(search *s, const tl_patch3 *of, const tl_patch3 *disk)
{
    const int sides = of->kind == TL_PATCH_RING ? of->count : 1;
    for (int k = 0; k < sides; k++) side_across_rim(s, of, disk, of->point[k], of->point[(k + 1) % of->count], (uint32_t)k);
}

/* Where two rims cross, both seen as circles in the plane of a's: they lie along each other. */
static void rim_across_rim(search *s)
{
    const tl_patch3 *a = &s->a, *b = &s->b;
    const tl_vec3 d = tl_sub(tl_add(b->centre, tl_scale(way_to(a, s->axis.n, b->centre), s->axis.n)), a->centre);
    const double distance = tl_norm(d);
    if (!(distance > FLUSH * s->pair.size)) return;
    const double along = 0.5 * (distance + (a->rim + b->rim) * (a->rim - b->rim) / distance), under = a->rim * a->rim - along * along;
    if (!(under >= 0)) return;
    const tl_vec3 u = tl_scale(1 / distance, d), v = tl_cross(a->normal, u);
    for (int k = 0; k < 2; k++) {
        double angle = atan2((k ? 1 : -1) * sqrt(under), along);
        tl_vec3 x = a->centre;
        for (int i = 0; i < TURNS; i++) { /* seen along n, b's rim is not quite a circle: Newton's way along a's to where the two really cross */
            const tl_vec3 out = tl_add(tl_scale(cos(angle), u), tl_scale(sin(angle), v)), on = tl_sub(tl_scale(cos(angle), v), tl_scale(sin(angle), u));
            x = tl_add(a->centre, tl_scale(a->rim, out));
            const tl_vec3 y = tl_sub(tl_add(x, tl_scale(way_to(b, s->axis.n, x), s->axis.n)), b->centre);
            const tl_vec3 move = tl_sub(on, tl_scale(tl_dot(b->normal, on) / tl_dot(b->normal, s->axis.n), s->axis.n));
            const double slope = 2 * a->rim * tl_dot(y, move);
            if (slope == 0) break;
            angle -= (tl_dot(y, y) - b->rim * b->rim) / slope;
        }
        if (is_within(b, s->axis.n, x, FLUSH * s->pair.size)) add(s, false, x, way_to(b, s->axis.n, x), CROSSING + (uint32_t)k);
    }
}

/* Where a straight line p → q on one side crosses the sides of a face on the other, seen along n. */
static void across_sides(search *s, const tl_patch3 *face, tl_vec3 p, tl_vec3 q, uint32_t number)
{
    const bool line_of_b = face == &s->a;
    const tl_vec3 e = tl_sub(q, p);
    for (int k = 0; k < face->count; k++) {
        const tl_vec3 c = face->point[k], out = tl_cross(tl_sub(face->point[(k + 1) % face->count], c), s->axis.n);
        const double from = tl_dot(out, tl_sub(p, c)), way = tl_dot(out, e), f = -from / way;
        if (!(f > 0 && f < 1)) continue;
        const tl_vec3 x = tl_add(p, tl_scale(f, e));
        if (!is_within(face, s->axis.n, x, FLUSH * s->pair.size)) continue;
        const double along = way_to(face, s->axis.n, x);
        add(s, line_of_b, x, line_of_b ? -along : along, SIDE + 2 * (uint32_t)k + number);
    }
}

static void line_across_ring(search *s, bool line_of_b)
{
    const tl_patch3 *line = line_of_b ? &s->b : &s->a;
    across_sides(s, line_of_b ? &s->a : &s->b, line->point[0], line->point[1], 0);
}

static void ring_across_ring(search *s)
{
    for (int k = 0; k < s->a.count; k++) across_sides(s, &s->b, s->a.point[k], s->a.point[(k + 1) % s->a.count], 2 * (uint32_t)(1 + k) * TL_PATCH_NUMBERS);
}

/* Where two lines cross, seen along n; side by side, the ends of what they share. */
static void line_and_line(search *s)
{
    const tl_patch3 *both[2] = {&s->a, &s->b};
    const tl_vec3 e = tl_sub(s->a.point[1], s->a.point[0]), f = tl_sub(s->b.point[1], s->b.point[0]);
    const tl_vec3 across = tl_cross(e, f), r = tl_sub(s->b.point[0], s->a.point[0]);
    const double square = tl_dot(across, across);
    if (square > ALONGSIDE * ALONGSIDE * tl_dot(e, e) * tl_dot(f, f)) {
        const double u = tl_dot(tl_cross(r, f), across) / square, v = tl_dot(tl_cross(r, e), across) / square;
        const tl_vec3 x = tl_add(s->a.point[0], tl_scale(u, e)), y = tl_add(s->b.point[0], tl_scale(v, f));
        if (u >= 0 && u <= 1 && v >= 0 && v <= 1) add(s, true, y, tl_dot(s->axis.n, tl_sub(y, x)), CROSSING);
        return;
    }
    for (int of_b = 0; of_b < 2; of_b++) {
        const tl_patch3 *of = both[of_b], *in = both[1 - of_b];
        const tl_vec3 d = tl_sub(in->point[1], in->point[0]);
        for (int k = 0; k < 2; k++) {
            const double at = tl_dot(tl_sub(of->point[k], in->point[0]), d) / tl_dot(d, d);
            if (!(at >= -FLUSH && at <= 1 + FLUSH)) continue;
            const double way = tl_dot(s->axis.n, tl_sub(tl_add(in->point[0], tl_scale(at, d)), of->point[k]));
            add(s, of_b, of->point[k], of_b ? -way : way, of->number[k]);
        }
    }
}

static void shared_points(search *s)
{
    const tl_patch3 *a = &s->a, *b = &s->b;
    if (a->kind == TL_PATCH_DISK && b->kind == TL_PATCH_DISK) rim_across_rim(s);
    if (a->kind == TL_PATCH_DISK && (b->kind == TL_PATCH_RING || b->kind == TL_PATCH_LINE)) sides_across_rim(s, b, a);
    if (b->kind == TL_PATCH_DISK && (a->kind == TL_PATCH_RING || a->kind == TL_PATCH_LINE)) sides_across_rim(s, a, b);
    if (a->kind == TL_PATCH_LINE && b->kind == TL_PATCH_RING) line_across_ring(s, false);
    if (a->kind == TL_PATCH_RING && b->kind == TL_PATCH_LINE) line_across_ring(s, true);
    if (a->kind == TL_PATCH_RING && b->kind == TL_PATCH_RING) ring_across_ring(s);
    if (a->kind == TL_PATCH_LINE && b->kind == TL_PATCH_LINE) line_and_line(s);
    if (a->kind != TL_PATCH_POINT && (b->kind == TL_PATCH_RING || b->kind == TL_PATCH_DISK)) points_within(s, a, b);
    if (b->kind != TL_PATCH_POINT && (a->kind == TL_PATCH_RING || a->kind == TL_PATCH_DISK)) points_within(s, b, a);
}

static bool reaches_deepest(const search *s)
{
    double least = (double)INFINITY;
    for (int i = 0; i < s->count; i++) least = tl_smaller(least, s->touch[i].gap);
    return least <= s->axis.s - s->radius[0] - s->radius[1] + FLUSH * s->pair.size;
}

/* Where what is outermost shares nothing, or less than the deepest point. The direction may be known to the root of rounding
 * only, and b's nearest point is known better; seen along a face's normal the outermost point is exact. */
static void nearest_touch(search *s)
{
    if (s->axis.flat && s->a.kind == TL_PATCH_POINT) add(s, false, s->a.point[0], s->axis.s, NEAREST);
    else if (s->axis.flat && s->b.kind == TL_PATCH_POINT) add(s, true, s->b.point[0], s->axis.s, NEAREST);
    else add(s, true, s->axis.y, s->axis.s, NEAREST);
}

/* ---- pairs --------------------------------------------------------------------------------------------------------- */

/* n: from the core to the plane. */
static int half_space(search *s, const tl_shape3 *plane, const tl_frame *fp, tl_vec3 at)
{
    const tl_vec3 n = tl_scale(-1, tl_turn3(&fp->R, plane->normal)), o = tl_add(tl_turn3(&fp->R, plane->centre), at);
    tl_convex3_patch(&s->pair.a, n, &s->a);
    s->axis = (tl_convex_axis3){.n = n};
    for (int i = 0; i < s->a.count; i++) add(s, false, s->a.point[i], tl_dot(n, tl_sub(o, s->a.point[i])), s->a.number[i]);
    return s->count;
}

static void points_along(search *s, tl_convex_axis3 axis)
{
    s->axis = axis;
    s->count = 0;
    tl_convex3_patch(&s->pair.a, axis.n, &s->a);
    tl_convex3_patch(&s->pair.b, tl_scale(-1, axis.n), &s->b);
    if (s->a.kind != TL_PATCH_POINT && s->b.kind != TL_PATCH_POINT) shared_points(s);
}

static bool is_face(const tl_patch3 *p) { return p->kind == TL_PATCH_RING || p->kind == TL_PATCH_DISK; }

/* One point is outermost, and the other's face lies opposite it. */
static bool faces_point(const search *s, const tl_patch3 *face, const tl_patch3 *of, double most)
{
    if (!is_face(face) || of->kind != TL_PATCH_POINT) return false;
    const double way = way_to(face, s->axis.n, of->point[0]);
    return (face == &s->b ? way : -way) <= most && is_within(face, s->axis.n, of->point[0], FLUSH * s->pair.size);
}

/* Is n, of a flat face, the direction in which the two are furthest apart? It is where two points lie opposite each other along n, one of either, no further
 * apart than the planes across n between the two: every direction parts the two by no more than the distance of these points. All touches over a face are such
 * points; those of two lines are not opposite each other. To be apart by more than FLUSH sees to it that what FLUSH forgives makes no difference. */
static bool is_furthest(const search *s)
{
    const double most = s->axis.s + 0.5 * TL_AXIS_FLUSH * s->pair.size, rims = s->radius[0] + s->radius[1];
    if (!(s->axis.s > 1e-6 * s->pair.size) || !(is_face(&s->a) || is_face(&s->b))) return false;
    for (int i = 0; i < s->count; i++)
        if (s->touch[i].gap + rims <= most) return true;
    return faces_point(s, &s->b, &s->a, most) || faces_point(s, &s->a, &s->b, most);
}

static int cores(search *s, tl_vec3 last)
{
    const double enough = s->radius[0] + s->radius[1] + s->alert;
    s->axis.n = tl_is_direction3(last) ? tl_normalize(last) : last;
    if (tl_is_direction3(last) && !(tl_convex_pair3_separation(&s->pair, s->axis.n) < enough)) return 0;
    const tl_convex_axis3 flat = tl_convex_pair3_flat(&s->pair);
    s->axis = flat;
    if (flat.s >= enough) return 0;
    if (flat.s > 0) points_along(s, flat);
    if (!is_furthest(s)) {
        const tl_convex_axis3 axis = tl_convex_pair3_axis(&s->pair, flat);
        s->axis = axis;
        if (!(axis.s < enough) || !isfinite(axis.s)) return 0;
        points_along(s, axis);
    }
    if (!reaches_deepest(s)) nearest_touch(s);
    return s->count;
}

int tl_convex_touches3(tl_placed3 a, tl_placed3 b, double alert, tl_vec3 *hint, tl_touch *out)
{
    const bool turned = a.shape->kind == TL_HALF_SPACE3; /* then b is the convex one */
    const tl_shape3 *first = turned ? b.shape : a.shape, *other = turned ? a.shape : b.shape;
    const tl_frame *at = turned ? b.at : a.at, *other_at = turned ? a.at : b.at;
    const tl_vec3 apart = tl_sub(other_at->p, at->p);
    const double sign = turned ? -1 : 1;
    search s;
    s.pair.a = tl_convex3_place(first, &at->R, tl_v3(0, 0, 0));
    s.count = 0, s.alert = alert, s.radius[0] = first->radius, s.radius[1] = other->radius;
    int count;
    if (other->kind == TL_HALF_SPACE3) {
        s.pair.size = tl_shape3_size(first);
        count = half_space(&s, other, other_at, apart);
    } else {
        s.pair.b = tl_convex3_place(other, &other_at->R, apart);
        s.pair.size = tl_shape3_size(first) + tl_shape3_size(other);
        s.pair.tie = 1e-12 * s.pair.size;
        count = cores(&s, *hint);
    }
    *hint = tl_scale(sign, s.axis.n);
    count = tl_touches3_choose(s.touch, count, s.axis.n, out);
    for (int i = 0; i < count; i++) {
        out[i].point = tl_add(out[i].point, at->p);
        out[i].normal = *hint;
        if (!isfinite(out[i].point.x + out[i].point.y + out[i].point.z)) return 0;
    }
    return count;
}
