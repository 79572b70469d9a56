/* Two convex shapes of the plane by their supports. The core of a shape is what is left of it without its rounding.
 *
 * Along a direction n the cores are apart by s(n), the least n·w of all differences w of a point of b and one of a. As n
 * turns, s changes by t·w, where w is that least difference and t is n turned by +90°. Where the two are apart, the
 * direction of their distance lies on the side to which s rises, less than 90° from that between their middles, and is the
 * only one with t·w = 0 there: a bracket of two directions closes on it. Where a straight side lies along the other shape
 * t·w jumps, and the bracket closes on the side's normal. Into each other there may be several such directions; then brackets
 * are taken all around. Directions are unit vectors, and new ones sums of two: no angles, so the bits are the same everywhere. */
#include "detect/convex2.h"

#include "detect/narrow2.h"
#include "shape/kinds2.h"

/* What is no more than rounding, as a share of the size; deeper than this share there may be a shorter way out. */
static const double FLUSH = 1e-12, DEEP = 1e-3;
enum { TURNS = 80, AROUND = 32 };

typedef struct placed {
    const tl_shape2 *shape;
    const tl_shape2_ops *ops;
    tl_pose2 pose; /* from the first shape's origin */
} placed;

/* A direction with what is outermost along it. */
typedef struct way {
    tl_vec2 n, x, y; /* of a along n, of b along −n */
    double s, rise;  /* n·(y − x), t·(y − x)        */
} way;

typedef struct convex_pair {
    placed a, b;
    double size;
} convex_pair;

static placed place(const tl_shape2 *s, const tl_pose2 *at, const tl_pose2 *origin)
{
    placed p = {s, tl_shape2_ops_of(s->kind), *at};
    p.pose.x -= origin->x, p.pose.y -= origin->y;
    return p;
}

static tl_vec2 support(const placed *p, tl_vec2 n) { return tl_to_world2(&p->pose, p->ops->support(p->shape, tl_unrotate2(&p->pose, n))); }
/* A point in it: the mean of the points that define it. */
static tl_vec2 middle(const placed *p)
{
    tl_vec2 sum = {0, 0};
    for (int i = 0; i < p->shape->count; i++) sum = tl_add2(sum, tl_shape2_corner(p->shape, i));
    return tl_to_world2(&p->pose, tl_scale2(1.0 / p->shape->count, sum));
}

static tl_vec2 turned(tl_vec2 n) { return tl_v2(-n.y, n.x); }

static tl_vec2 unit(tl_vec2 v)
{
    const double length = tl_norm2(v);
    return length > 0 ? tl_scale2(1 / length, v) : tl_v2(0, 1);
}

static way look(const convex_pair *pair, tl_vec2 n)
{
    way at = {.n = n, .x = support(&pair->a, n), .y = support(&pair->b, tl_scale2(-1, n))};
    const tl_vec2 w = tl_sub2(at.y, at.x);
    at.s = tl_dot2(n, w), at.rise = tl_dot2(turned(n), w);
    return at;
}

/* From a direction where s rises, counter-clockwise, to one where it falls, less than 180° on. The false position halves the
 * weight of an end that stays; where that does not close the bracket by half in three turns it is halved. */
static way close_bracket(const convex_pair *pair, way from, way to)
{
    const double enough = 1e-15 * pair->size;
    double rise = from.rise, fall = -to.rise, before = tl_cross2(from.n, to.n);
    int kept = 0;
    for (int i = 0; i < TURNS; i++) {
        const bool halve = i % 3 == 2 && tl_cross2(from.n, to.n) > 0.5 * before;
        if (i % 3 == 2) before = tl_cross2(from.n, to.n);
        const double u = halve ? 1 : rise, v = halve ? 1 : fall;
        const tl_vec2 n = unit(tl_add2(tl_scale2(v, from.n), tl_scale2(u, to.n)));
        if (!(tl_cross2(from.n, n) > 0) || !(tl_cross2(n, to.n) > 0)) break;
        const way at = look(pair, n);
        if (fabs(at.rise) <= enough) return at;
        if (at.rise > 0) {
            from = at, rise = at.rise;
            if (kept > 0) fall *= 0.5;
            kept = 1;
        } else {
            to = at, fall = -at.rise;
            if (kept < 0) rise *= 0.5;
            kept = -1;
        }
    }
    return from.s >= to.s ? from : to;
}

/* A bracket from n on, to the side to which s rises; false: it rises for 90° and more. */
static bool search_from(const convex_pair *pair, way at, way *found)
{
    *found = at;
    if (at.rise == 0) return true;
    const way other = look(pair, at.rise > 0 ? turned(at.n) : tl_scale2(-1, turned(at.n)));
    if (at.rise > 0 ? other.rise > 0 : other.rise < 0) return false;
    *found = at.rise > 0 ? close_bracket(pair, at, other) : close_bracket(pair, other, at);
    return true;
}

static void search_around(const convex_pair *pair, way *best)
{
    tl_vec2 n = {1, 0};
    static const tl_vec2 STEP = {0.98078528040323043, 0.19509032201612825}; /* 1/32 of a turn */
    way before = look(pair, n);
    for (int k = 0; k < AROUND; k++) {
        n = unit(tl_v2(STEP.x * n.x - STEP.y * n.y, STEP.x * n.y + STEP.y * n.x));
        const way at = look(pair, n);
        if (before.rise >= 0 && at.rise < 0) {
            const way found = close_bracket(pair, before, at);
            if (found.s > best->s + FLUSH * pair->size) *best = found;
        }
        before = at;
    }
}

/* The best of the normals of straight sides, where it is no worse; *of: the shape that it belongs to. */
static void lie_flat(const convex_pair *pair, way *best, const placed **of)
{
    const placed *both[2] = {&pair->a, &pair->b};
    *of = NULL;
    double most = best->s - FLUSH * pair->size;
    for (int k = 0; k < 2; k++) {
        tl_vec2 normal[TL_CORNERS];
        const int count = both[k]->ops->flats ? both[k]->ops->flats(both[k]->shape, normal) : 0;
        for (int i = 0; i < count; i++) {
            const way at = look(pair, tl_scale2(k ? -1 : 1, tl_rotate2(&both[k]->pose, normal[i])));
            if (at.s > most) *best = at, *of = both[k], most = at.s + (k ? 0 : FLUSH * pair->size); /* of two as good it is a's */
        }
    }
}

/* ---- touches -------------------------------------------------------------------------------------------------------- */

static int feature(bool of_b, int number) { return (of_b ? TL_CORNERS : 0) + number; }

static void side_of(const placed *p, tl_vec2 n, tl_side2 *out)
{
    p->ops->side(p->shape, tl_unrotate2(&p->pose, n), out);
    for (int i = 0; i < out->count; i++) out->point[i] = tl_to_world2(&p->pose, out->point[i]);
}

/* Ends of each side over the other, along n. */
static int along_sides(const convex_pair *pair, tl_vec2 n, double alert, tl_touch2 *out)
{
    tl_side2 side[2];
    const double rims = pair->a.shape->radius + pair->b.shape->radius;
    const tl_vec2 t = turned(n);
    int count = 0;
    side_of(&pair->a, n, &side[0]), side_of(&pair->b, tl_scale2(-1, n), &side[1]);
    if (side[0].count < 2 || side[1].count < 2) return 0;
    for (int of_b = 0; of_b < 2; of_b++) {
        const tl_side2 *own = &side[of_b], *other = &side[1 - of_b];
        const double from = tl_dot2(t, other->point[0]), length = tl_dot2(t, other->point[1]) - from;
        for (int i = 0; i < 2; i++) {
            const double share = (tl_dot2(t, own->point[i]) - from) / length;
            if (!(share >= 0 && share <= 1)) continue;
            const tl_vec2 over = tl_add2(other->point[0], tl_scale2(share, tl_sub2(other->point[1], other->point[0])));
            const tl_vec2 x = of_b ? over : own->point[i], y = of_b ? own->point[i] : over;
            const double gap = tl_dot2(n, tl_sub2(y, x)) - rims;
            const tl_vec2 point = tl_add2(x, tl_scale2(pair->a.shape->radius + 0.5 * gap, n));
            bool old = gap >= alert || count == TL_CONVEX_TOUCHES2;
            for (int k = 0; k < count && !old; k++) old = tl_norm2(tl_sub2(out[k].point, point)) <= FLUSH * pair->size;
            if (!old) out[count++] = (tl_touch2){point, n, gap, feature(of_b, own->number[i])};
        }
    }
    return count;
}

/* One point: where a straight side lies along, the outermost point of the other is the exact one. */
static tl_touch2 nearest_touch(const convex_pair *pair, const way *at, const placed *flat)
{
    const double ra = pair->a.shape->radius, rb = pair->b.shape->radius, gap = at->s - ra - rb;
    const tl_vec2 by_a = tl_add2(at->x, tl_scale2(ra + 0.5 * gap, at->n)), by_b = tl_sub2(at->y, tl_scale2(rb + 0.5 * gap, at->n));
    const tl_vec2 point = flat == &pair->a ? by_b : flat == &pair->b ? by_a : tl_scale2(0.5, tl_add2(by_a, by_b));
    return (tl_touch2){point, at->n, gap, 0};
}

static int cores(const convex_pair *pair, double alert, tl_touch2 *out)
{
    const double enough = pair->a.shape->radius + pair->b.shape->radius + alert;
    const placed *flat = NULL;
    way best = look(pair, unit(tl_sub2(middle(&pair->b), middle(&pair->a))));
    if (!(best.s < enough)) return 0; /* also where it is not a number */
    const bool bracketed = search_from(pair, best, &best);
    if (!bracketed || best.s < -DEEP * pair->size) search_around(pair, &best);
    lie_flat(pair, &best, &flat);
    if (!(best.s < enough)) return 0;
    const int count = flat ? along_sides(pair, best.n, alert, out) : 0;
    if (count > 0) return count;
    *out = nearest_touch(pair, &best, flat);
    return 1;
}

/* n: from the shape to the plane. */
static int half_plane(const placed *p, const placed *plane, double alert, tl_touch2 *out)
{
    const tl_vec2 up = tl_rotate2(&plane->pose, plane->shape->normal), o = tl_to_world2(&plane->pose, plane->shape->centre), n = tl_scale2(-1, up);
    tl_side2 side;
    int count = 0;
    side_of(p, n, &side);
    for (int i = 0; i < side.count; i++) {
        const double gap = tl_dot2(n, tl_sub2(o, side.point[i])) - p->shape->radius;
        if (gap < alert) out[count++] = (tl_touch2){tl_add2(side.point[i], tl_scale2(p->shape->radius + 0.5 * gap, n)), n, gap, feature(false, side.number[i])};
    }
    return count;
}

int tl_convex_touches2(const tl_shape2 *a, const tl_pose2 *pa, const tl_shape2 *b, const tl_pose2 *pb, double alert, tl_touch2 *out)
{
    const bool plane_is_a = a->kind == TL_HALF_PLANE, plane = plane_is_a || b->kind == TL_HALF_PLANE;
    const convex_pair pair = {place(a, pa, pa), place(b, pb, pa), tl_shape2_size(a) + tl_shape2_size(b)};
    int count;
    if (plane) count = half_plane(plane_is_a ? &pair.b : &pair.a, plane_is_a ? &pair.a : &pair.b, alert, out);
    else count = cores(&pair, alert, out);
    for (int i = 0; i < count; i++) {
        out[i].point = tl_add2(out[i].point, tl_v2(pa->x, pa->y));
        if (!plane_is_a) continue;
        out[i].normal = tl_scale2(-1, out[i].normal);
        out[i].feature ^= TL_CORNERS;
    }
    if (count == 2 && out[0].feature > out[1].feature) {
        const tl_touch2 swap = out[0];
        out[0] = out[1], out[1] = swap;
    }
    return count;
}

bool tl_touch2_is_beyond(const tl_shape2 *shape, const tl_pose2 *at, tl_vec2 n, double least)
{
    const tl_vec2 up = tl_unrotate2(at, n);
    const tl_shape2_ops *ops = tl_shape2_ops_of(shape->kind);
    const double from = least - n.x * at->x - n.y * at->y; /* in the axes of the shape */
    if (ops->bounded) return tl_dot2(up, ops->support(shape, tl_scale2(-1, up))) - shape->radius >= from;
    for (int i = 0; shape->mesh && i < shape->mesh->vertices; i++)
        if (tl_dot2(up, shape->mesh->vertex[i]) < from) return false;
    return shape->mesh != NULL;
}

void tl_touch2_passes(const tl_shape2 *a, const tl_pose2 *pa, const tl_shape2 *b, const tl_pose2 *pb, tl_passing *p)
{
    p->ways = 0;
    if (!tl_shape2_is_bounded(a) || !tl_shape2_is_bounded(b)) return;
    const convex_pair pair = {place(a, pa, pa), place(b, pb, pa), tl_shape2_size(a) + tl_shape2_size(b)};
    const double rims = a->radius + b->radius, within = fmax(p->within, TL_PASSING_TRIFLE * pair.size);
    const placed *both[2] = {&pair.a, &pair.b};
    for (int k = 0; k < 2; k++) {
        tl_vec2 normal[TL_CORNERS];
        const int count = both[k]->ops->flats ? both[k]->ops->flats(both[k]->shape, normal) : 0;
        for (int i = 0; i < count && p->ways < TL_WAYS; i++) {
            const tl_vec2 over = tl_scale2(k ? -1 : 1, tl_rotate2(&both[k]->pose, normal[i]));
            const tl_vec3 lifted = tl_v3(over.x, over.y, 0);
            const double apart = look(&pair, over).s - rims;
            if (fabs(tl_dot(lifted, p->touch.normal)) > p->across || apart < -within) continue;
            p->apart[p->ways] = apart;
            p->over[p->ways++] = lifted;
        }
    }
}
