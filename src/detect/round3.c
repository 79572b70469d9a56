/* The direction in which a round core and another are furthest apart.
 *
 * Apart, one of two nearest points lies on an edge of one of the two (a side of a polyhedron, a segment, the circle of a rim), unless a flat face lies
 * towards the other, or the sides of two cylinders cross. Along a segment the distance to a convex core is convex; along a circle it may have a few minima,
 * and all are looked for. Every candidate is judged by what it is for: the separation along it, which never exceeds the distance.
 *
 * Cutting each other, deeper than their roundings, the two are moved apart along a direction that parts them, and the direction between the nearest points
 * of the two, so placed, parts them no less; and so on from there. */
#include "detect/round3.h"

#include <float.h>

/* Nearer than this share of the size, the direction of a difference is bad. */
static const double NEAR = 1e-7;
/* Nearest points are as far apart as the cores, but for this share of the size. */
static const double MET = 1e-9;
/* Parts of a circle that are looked at for minima. */
enum { PARTS = 24, HALVINGS = 100, STARTS = 6, ASCENTS = 12 };

tl_round3 tl_round3_place(const tl_shape3 *s, const tl_mat3 *R, tl_vec3 at)
{
    tl_round3 r = {.c = tl_add(tl_turn3(R, s->centre), at), .n = tl_turn3(R, s->normal), .rim = s->rim};
    tl_vec3 t, u;
    tl_tangents(s->normal, &t, &u);
    r.t = tl_turn3(R, t), r.s = tl_turn3(R, u);
    r.half = 0.5 * tl_dot(s->normal, tl_sub(s->point[1], s->point[0]));
    return r;
}

tl_vec3 tl_round3_nearest(const tl_round3 *r, tl_vec3 x)
{
    const tl_vec3 d = tl_sub(x, r->c);
    const double along = tl_dot(r->n, d);
    const tl_vec3 across = tl_sub(d, tl_scale(along, r->n));
    const double aside = tl_norm(across);
    return tl_add(r->c, tl_add(tl_scale(tl_smaller(r->half, tl_larger(-r->half, along)), r->n), tl_scale(aside > r->rim ? r->rim / aside : 1, across)));
}

double tl_round3_most(const tl_round3 *r, tl_vec3 n) { return tl_dot(n, r->c) + r->half * fabs(tl_dot(n, r->n)) + r->rim * tl_norm(tl_cross(r->n, n)); }

double tl_round_pair3_separation(const tl_round_pair3 *pair, const tl_round3 *a, tl_vec3 n)
{
    double low = (double)INFINITY;
    if (pair->b_shape->rim > 0) low = -tl_round3_most(&pair->round, tl_scale(-1, n));
    else
        for (int i = 0; i < pair->b_shape->points; i++) low = tl_smaller(low, tl_dot(n, pair->point[i]));
    return low - tl_round3_most(a, n);
}

/* ---- roots --------------------------------------------------------------------------------------------------------- */

/* A curve, and the slope of half the squared distance from the core along it. */
typedef struct curve {
    const tl_round3 *core;
    bool circle;
    tl_vec3 p, e, f; /* p + t e, or p + cos t e + sin t f */
} curve;

static tl_vec3 curve_at(const curve *c, double t)
{
    return c->circle ? tl_add(c->p, tl_add(tl_scale(cos(t), c->e), tl_scale(sin(t), c->f))) : tl_add(c->p, tl_scale(t, c->e));
}

static double slope_at(const curve *c, double t)
{
    const tl_vec3 x = curve_at(c, t), along = c->circle ? tl_sub(tl_scale(cos(t), c->f), tl_scale(sin(t), c->e)) : c->e;
    return tl_dot(tl_sub(x, tl_round3_nearest(c->core, x)), along);
}

/* Where the slope turns from negative to positive: false position, whose weight of an end that stays is halved, and halving where that is slow. */
static double root_between(const curve *c, double low, double high, double at_low, double at_high)
{
    double width = high - low;
    for (int i = 0; i < HALVINGS && high - low > 4 * DBL_EPSILON * (fabs(low) + fabs(high)); i++) {
        double t = low + (high - low) * at_low / (at_low - at_high);
        if (i % 4 == 3 && high - low > 0.5 * width) t = 0.5 * (low + high);
        if (i % 4 == 3) width = high - low;
        if (!(t > low && t < high)) t = 0.5 * (low + high);
        const double slope = slope_at(c, t);
        if (slope == 0) return t;
        if (slope < 0) {
            low = t, at_low = slope, at_high *= 0.5;
        } else {
            high = t, at_high = slope, at_low *= 0.5;
        }
    }
    return 0.5 * (low + high);
}

void tl_round3_segment(const tl_round3 *r, tl_vec3 p, tl_vec3 e, tl_vec3 *x, tl_vec3 *y)
{
    const curve line = {.core = r, .p = p, .e = e};
    const double first = slope_at(&line, 0), last = slope_at(&line, 1);
    double t = 0;
    if (first < 0) t = last > 0 ? root_between(&line, 0, 1, first, last) : 1;
    *y = curve_at(&line, t);
    *x = tl_round3_nearest(r, *y);
}

/* ---- candidates ---------------------------------------------------------------------------------------------------- */

typedef struct search {
    const tl_round_pair3 *pair;
    const tl_round3 *a;
    double nearest; /* of the points met so far */
    tl_round_axis3 best;
} search;

static void offer_direction(search *s, tl_vec3 n)
{
    const double length = tl_norm(n);
    if (!(length > 0.5)) return; /* unit, or none */
    const tl_vec3 unit = tl_scale(1 / length, n);
    const double apart = tl_round_pair3_separation(s->pair, s->a, unit);
    if (apart > s->best.s + s->pair->tie) s->best = (tl_round_axis3){.n = unit, .s = apart};
}

/* A face's own corner bounds what the face can reach. */
static void offer_face(search *s, int face)
{
    const tl_shape3 *b = s->pair->b_shape;
    const tl_vec3 n = tl_scale(-1, tl_turn3(&s->pair->R, b->plane[face].n));
    if (tl_dot(n, s->pair->point[b->corner[b->face_begin[face]]]) - tl_round3_most(s->a, n) > s->best.s) offer_direction(s, n);
}

static void offer_points(search *s, tl_vec3 x, tl_vec3 y)
{
    const tl_vec3 d = tl_sub(y, x);
    const double distance = tl_norm(d);
    s->nearest = tl_smaller(s->nearest, distance);
    if (!(distance > NEAR * s->pair->size)) return;
    const tl_vec3 n = tl_scale(1 / distance, d);
    const double apart = tl_round_pair3_separation(s->pair, s->a, n);
    const bool met = distance <= apart + MET * s->pair->size; /* else others are lower along n: of parallel edges the farther one, say */
    if (apart > s->best.s + s->pair->tie || (met && !s->best.met && apart > s->best.s - s->pair->tie))
        s->best = (tl_round_axis3){.n = n, .x = x, .y = y, .s = apart, .met = met};
}

/* The circle at one end of a core against another core. */
static void offer_rim(search *s, const tl_round3 *r, double end, const tl_round3 *core, bool rim_of_b)
{
    const curve c = {.core = core, .circle = true, .p = tl_add(r->c, tl_scale(end * r->half, r->n)), .e = tl_scale(r->rim, r->t), .f = tl_scale(r->rim, r->s)};
    const double part = 2 * TL_PI / PARTS;
    double before = slope_at(&c, 0);
    for (int i = 0; i < PARTS; i++) {
        const double after = slope_at(&c, (i + 1) * part);
        if (before <= 0 && after > 0) {
            const tl_vec3 y = curve_at(&c, before < 0 ? root_between(&c, i * part, (i + 1) * part, before, after) : i * part), x = tl_round3_nearest(core, y);
            if (rim_of_b) offer_points(s, x, y);
            else offer_points(s, y, x);
        }
        before = after;
    }
}

static void offer_rims(search *s)
{
    const tl_round3 *a = s->a, *b = &s->pair->round;
    for (int end = -1; end <= 1; end += 2) {
        if (end < 0 || b->half > 0) offer_rim(s, b, end, a, true);
        if (end < 0 || a->half > 0) offer_rim(s, a, end, b, false);
        offer_direction(s, tl_scale(end, b->n));
    }
    const tl_vec3 across = tl_cross(a->n, b->n);
    if (!(a->half > 0 && b->half > 0) || !(tl_norm(across) > 1e-9)) return;
    offer_direction(s, tl_normalize(across));
    offer_direction(s, tl_scale(-1, tl_normalize(across)));
}

static void offer_edges(search *s)
{
    const tl_shape3 *b = s->pair->b_shape;
    const tl_vec3 *p = s->pair->point;
    int first = 0;
    for (int i = 1; i < b->points; i++)
        if (tl_dot(s->best.n, p[i]) < tl_dot(s->best.n, p[first])) first = i;
    offer_points(s, tl_round3_nearest(s->a, p[first]), p[first]);
    const tl_vec3 n = s->best.n;
    const double most = tl_round3_most(s->a, n);
    for (int k = 0; k < (b->faces ? b->edges : b->points - 1); k++) {
        const int from = b->faces ? b->edge[k].from : 0, to = b->faces ? b->edge[k].to : 1;
        tl_vec3 x, y;
        if (tl_smaller(tl_dot(n, p[from]), tl_dot(n, p[to])) - most > s->nearest) continue; /* farther than what was met */
        tl_round3_segment(s->a, p[from], tl_sub(p[to], p[from]), &x, &y);
        offer_points(s, x, y);
    }
}

tl_round_axis3 tl_round_pair3_apart(const tl_round_pair3 *pair, const tl_round3 *a)
{
    search s = {.pair = pair, .a = a, .nearest = (double)INFINITY, .best = {.s = -(double)INFINITY}};
    const tl_vec3 way = tl_sub(pair->b_middle, a->c), aside = tl_sub(way, tl_scale(tl_dot(way, a->n), a->n));
    offer_direction(&s, a->n);
    offer_direction(&s, tl_scale(-1, a->n));
    for (int f = 0; f < pair->b_shape->faces; f++) offer_face(&s, f);
    if (tl_norm(aside) > NEAR * pair->size) offer_direction(&s, tl_normalize(aside));
    if (pair->b_shape->rim > 0) offer_rims(&s);
    else offer_edges(&s);
    return s.best;
}

/* ---- cores that cut each other -------------------------------------------------------------------------------------- */

static void ascend(const tl_round_pair3 *pair, tl_vec3 n, tl_round_axis3 *best)
{
    double s = tl_round_pair3_separation(pair, &pair->a, n);
    for (int i = 0; i < ASCENTS; i++) {
        tl_round3 a = pair->a;
        const double beyond = tl_larger(-s, 1e-3 * pair->size);
        a.c = tl_sub(a.c, tl_scale(beyond - s, n)); /* now `beyond` apart along n */
        const tl_round_axis3 next = tl_round_pair3_apart(pair, &a);
        const double there = tl_round_pair3_separation(pair, &pair->a, next.n);
        if (!(there > s + pair->tie)) break;
        n = next.n, s = there;
    }
    if (s > best->s + pair->tie) *best = (tl_round_axis3){.n = n, .s = s};
}

tl_round_axis3 tl_round_pair3_axis(const tl_round_pair3 *pair)
{
    tl_round_axis3 best = tl_round_pair3_apart(pair, &pair->a);
    if (best.s > 0) return best;
    const tl_round3 *a = &pair->a;
    const tl_vec3 middle = tl_normalize(tl_sub(pair->b_middle, a->c)), start[STARTS] = {best.n, a->n, tl_scale(-1, a->n), middle, a->t, a->s};
    best.met = false;
    for (int i = 0; i < STARTS; i++)
        for (int sign = 1; sign >= (i > 3 ? -1 : 1); sign -= 2)
            if (fabs(tl_dot(start[i], start[i]) - 1) < 1e-9) ascend(pair, tl_scale(sign, start[i]), &best);
    return best;
}
