/* Points of contact of a round cylinder. On each side lies what is outermost along the direction: a flat end, a side, a point of the rim; a face, an edge, a
 * corner. Where a flat end lies along a face, six points of its rim that are fixed in the body and the outermost one stand for it, with what else bounds the
 * area that the two share: corners of the face, and where its sides cross the rim. */
#include "detect/round3.h"

/* As in touches3.c: what is inclined by less (sine) lies along its partner; what is no more than rounding; what is parallel. */
static const double FLAT = 0.05, FLUSH = 1e-10, ALONGSIDE = 1e-3;
/* A flat end that is inclined by less (sine) has no outermost point. */
static const double LEVEL = 1e-9;

enum { FIXED = 6, TURNS = 6, MOST = 2 * TL_HULL_POINTS + 4 };                                                           /* as many as choose3.c takes */
enum { SPOT_OUTERMOST = FIXED, SPOT_ONE, SPOT_END, OF_B = 16, CROSSING = 32, NEAREST = 34, CORNER = 256, SIDE = 1024 }; /* numbers of points */

/* What is outermost of a core. */
typedef struct spread {
    enum { POINT, LINE, RING, DISK } kind;
    int count;
    tl_vec3 point[TL_HULL_POINTS];
    uint32_t number[TL_HULL_POINTS];
    tl_vec3 normal, centre, t; /* of a ring or disk: outward, on it; of a disk: across, fixed in the body */
    double rim;                /* of a disk */
} spread;

typedef struct search {
    const tl_round_pair3 *pair;
    tl_round_axis3 axis;
    double radius[2], alert;
    spread a, b;
    int count;
    tl_touch3 touch[MOST];
} search;

/* ---- what is outermost --------------------------------------------------------------------------------------------- */

static void round_spread(const tl_round3 *r, tl_vec3 n, spread *out)
{
    const double along = tl_dot(n, r->n), sign = along < 0 ? -1 : 1;
    const tl_vec3 aside = tl_sub(n, tl_scale(along, r->n)), end = tl_scale(sign * r->half, r->n);
    const double sine = tl_norm(aside);
    const tl_vec3 arm = sine > LEVEL ? tl_scale(r->rim / sine, aside) : tl_v3(0, 0, 0);
    out->count = 0;
    if (sine < FLAT) {
        out->kind = DISK, out->normal = tl_scale(sign, r->n), out->centre = tl_add(r->c, end), out->t = r->t, out->rim = r->rim;
        for (int k = 0; k < FIXED; k++) {
            const double angle = 2 * TL_PI / FIXED * k;
            const tl_vec3 spoke = tl_add(tl_scale(r->rim * cos(angle), r->t), tl_scale(r->rim * sin(angle), r->s));
            out->number[out->count] = (uint32_t)k, out->point[out->count++] = tl_add(out->centre, spoke);
        }
        if (sine > LEVEL) out->number[out->count] = SPOT_OUTERMOST, out->point[out->count++] = tl_add(out->centre, arm);
    } else if (r->half > 0 && fabs(along) < FLAT) {
        out->kind = LINE, out->count = 2;
        for (int k = 0; k < 2; k++) {
            out->point[k] = tl_add(tl_add(r->c, tl_scale(k ? r->half : -r->half, r->n)), arm);
            out->number[k] = SPOT_END + (uint32_t)k;
        }
    } else out->kind = POINT, out->count = 1, out->point[0] = tl_add(tl_add(r->c, end), arm), out->number[0] = SPOT_ONE;
}

int tl_round3_spots(const tl_round3 *r, tl_vec3 n, tl_vec3 spot[TL_ROUND_SPOTS], uint32_t number[TL_ROUND_SPOTS])
{
    spread s;
    round_spread(r, n, &s);
    for (int i = 0; i < s.count; i++) spot[i] = s.point[i], number[i] = s.number[i];
    return s.count;
}

static void point_spread(const tl_round_pair3 *pair, int corner, spread *out)
{
    out->kind = POINT, out->count = 1, out->point[0] = pair->point[corner], out->number[0] = CORNER + (uint32_t)corner;
}

static void line_spread(const tl_round_pair3 *pair, int from, int to, spread *out)
{
    out->kind = LINE, out->count = 2;
    out->point[0] = pair->point[from], out->number[0] = CORNER + (uint32_t)from;
    out->point[1] = pair->point[to], out->number[1] = CORNER + (uint32_t)to;
}

/* A face at the corner that lies along the direction, else an edge there, else the corner. */
static void polyhedron_spread(const tl_round_pair3 *pair, int corner, tl_vec3 n, spread *out)
{
    const tl_shape3 *b = pair->b_shape;
    int face = -1, edge = -1;
    double most = sqrt(1 - FLAT * FLAT), least = FLAT;
    for (int k = b->around[corner]; k < b->around[corner + 1]; k++) {
        const double along = tl_dot(n, tl_turn3(&pair->R, b->plane[b->face_at[k]].n));
        const tl_edge3 *e = &b->edge[b->edge_at[k]];
        const tl_vec3 d = tl_sub(pair->point[e->to], pair->point[e->from]);
        const double rise = fabs(tl_dot(n, d)) / tl_norm(d);
        if (along > most) most = along, face = b->face_at[k];
        if (rise < least) least = rise, edge = b->edge_at[k];
    }
    if (face < 0) {
        if (edge < 0) point_spread(pair, corner, out);
        else line_spread(pair, b->edge[edge].from, b->edge[edge].to, out);
        return;
    }
    out->kind = RING, out->count = 0, out->normal = tl_turn3(&pair->R, b->plane[face].n);
    for (int k = b->face_begin[face]; k < b->face_begin[face + 1]; k++) {
        out->number[out->count] = CORNER + b->corner[k];
        out->point[out->count++] = pair->point[b->corner[k]];
    }
    out->centre = out->point[0];
}

static void other_spread(const tl_round_pair3 *pair, tl_vec3 n, spread *out)
{
    const tl_shape3 *b = pair->b_shape;
    if (b->rim > 0) {
        round_spread(&pair->round, n, out);
        for (int k = 0; k < out->count; k++) out->number[k] += OF_B;
        return;
    }
    int corner = 0;
    for (int i = 1; i < b->points; i++)
        if (tl_dot(n, pair->point[i]) > tl_dot(n, pair->point[corner])) corner = i;
    if (b->faces > 0) {
        polyhedron_spread(pair, corner, n, out);
        return;
    }
    const tl_vec3 d = tl_sub(pair->point[b->points - 1], pair->point[0]);
    if (b->points == 2 && fabs(tl_dot(n, d)) <= FLAT * tl_norm(d)) line_spread(pair, 0, 1, out);
    else point_spread(pair, corner, out);
}

/* ---- points -------------------------------------------------------------------------------------------------------- */

/* x on the core of a or b, `apart` the way along n between the cores there. */
static void add(search *s, bool on_b, tl_vec3 x, double apart, uint32_t number)
{
    const double gap = apart - s->radius[0] - s->radius[1];
    if (!(gap < s->alert) || s->count >= MOST) return;
    const tl_vec3 point = tl_add(x, tl_scale((on_b ? -s->radius[1] : s->radius[0]) + (on_b ? -0.5 : 0.5) * gap, s->axis.n));
    for (int i = 0; i < s->count; i++)
        if (tl_norm(tl_sub(s->touch[i].point, point)) < FLUSH * s->pair->size) return;
    s->touch[s->count++] = (tl_touch3){point, s->axis.n, gap, number};
}

/* The way along n from x to the plane of a ring or disk. */
static double way_to(const spread *to, tl_vec3 n, tl_vec3 x) { return tl_dot(to->normal, tl_sub(to->centre, x)) / tl_dot(to->normal, n); }

/* A point of one spread, seen along n, is within the other. */
static bool is_within(const spread *in, tl_vec3 n, tl_vec3 x, double flush)
{
    const tl_vec3 y = tl_add(x, tl_scale(way_to(in, n, x), n));
    if (in->kind == DISK) return tl_norm(tl_sub(y, in->centre)) <= in->rim + flush;
    for (int k = 0; k < in->count; k++) {
        const tl_vec3 p = in->point[k], d = tl_sub(in->point[(k + 1) % in->count], p);
        if (tl_dot(tl_cross(in->normal, d), tl_sub(y, p)) < -flush * tl_norm(d)) return false;
    }
    return true;
}

static void points_within(search *s, const spread *of, const spread *in)
{
    const bool of_b = of == &s->b;
    for (int k = 0; k < of->count; k++) {
        if (!is_within(in, s->axis.n, of->point[k], FLUSH * s->pair->size)) continue;
        const double way = way_to(in, s->axis.n, of->point[k]);
        add(s, of_b, of->point[k], of_b ? -way : way, of->number[k]);
    }
}

/* Where a straight side of one crosses the rim of the other, seen along n. */
static void side_across_rim(search *s, const spread *of, const spread *disk, tl_vec3 p, tl_vec3 q, uint32_t number)
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

static void sides_across_rim(search *s, const spread *of, const spread *disk)
{
    const int sides = of->kind == RING ? of->count : 1;
    for (int k = 0; k < sides; k++) side_across_rim(s, of, disk, of->point[k], of->point[(k + 1) % of->count], (uint32_t)k);
}

/* Where two rims cross, both seen as circles in the plane of a's: they lie along each other. */
static void rim_across_rim(search *s)
{
    const spread *a = &s->a, *b = &s->b;
    const tl_vec3 d = tl_sub(tl_add(b->centre, tl_scale(way_to(a, s->axis.n, b->centre), s->axis.n)), a->centre);
    const double distance = tl_norm(d);
    if (!(distance > FLUSH * s->pair->size)) return;
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
        if (is_within(b, s->axis.n, x, FLUSH * s->pair->size)) add(s, false, x, way_to(b, s->axis.n, x), CROSSING + (uint32_t)k);
    }
}

/* A side of a cylinder across the sides of a face. */
static void line_across_ring(search *s)
{
    const spread *a = &s->a, *b = &s->b;
    const tl_vec3 e = tl_sub(a->point[1], a->point[0]);
    for (int k = 0; k < b->count; k++) {
        const tl_vec3 p = b->point[k], out = tl_cross(tl_sub(b->point[(k + 1) % b->count], p), s->axis.n); /* seen along n */
        const double from = tl_dot(out, tl_sub(a->point[0], p)), way = tl_dot(out, e), f = -from / way;
        if (!(f > 0 && f < 1)) continue;
        const tl_vec3 x = tl_add(a->point[0], tl_scale(f, e));
        if (is_within(b, s->axis.n, x, FLUSH * s->pair->size)) add(s, false, x, way_to(b, s->axis.n, x), SIDE + 2 * (uint32_t)k);
    }
}

/* Where two lines cross, seen along n; side by side, the ends of what they share. */
static void line_and_line(search *s)
{
    const spread *both[2] = {&s->a, &s->b};
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
        const spread *of = both[of_b], *in = both[1 - of_b];
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
    const spread *a = &s->a, *b = &s->b;
    if (a->kind == DISK && b->kind == DISK) rim_across_rim(s);
    if (a->kind == DISK && (b->kind == RING || b->kind == LINE)) sides_across_rim(s, b, a);
    if (a->kind == LINE && b->kind == DISK) sides_across_rim(s, a, b);
    if (a->kind == LINE && b->kind == RING) line_across_ring(s);
    if (a->kind == LINE && b->kind == LINE) line_and_line(s);
    if (a->kind != POINT && (b->kind == RING || b->kind == DISK)) points_within(s, a, b);
    if (b->kind != POINT && a->kind == DISK) points_within(s, b, a);
}

static bool reaches_deepest(const search *s)
{
    double least = (double)INFINITY;
    for (int i = 0; i < s->count; i++) least = tl_smaller(least, s->touch[i].gap);
    return least <= s->axis.s - s->radius[0] - s->radius[1] + FLUSH * s->pair->size;
}

/* The nearest points, found with the two moved a little apart where they cut each other. */
static void nearest_touch(search *s)
{
    const tl_round_pair3 *pair = s->pair;
    if (s->axis.met) add(s, true, s->axis.y, s->axis.s, NEAREST);
    else if (s->a.kind == POINT) add(s, false, s->a.point[0], s->axis.s, NEAREST);
    else if (s->b.kind == POINT) add(s, true, s->b.point[0], s->axis.s, NEAREST);
    else {
        tl_round3 a = pair->a;
        a.c = tl_sub(a.c, tl_scale(1e-6 * pair->size - s->axis.s, s->axis.n));
        const tl_round_axis3 near = tl_round_pair3_apart(pair, &a);
        add(s, true, near.met ? near.y : s->b.point[0], s->axis.s, NEAREST);
    }
}

/* ---- pairs --------------------------------------------------------------------------------------------------------- */

static void place_pair(tl_round_pair3 *pair, const tl_shape3 *a, const tl_frame *fa, const tl_shape3 *b, const tl_frame *fb)
{
    const tl_vec3 at = tl_sub(fb->p, fa->p);
    pair->a = tl_round3_place(a, &fa->R, tl_v3(0, 0, 0));
    pair->b_shape = b, pair->R = fb->R;
    pair->b_middle = tl_add(tl_turn3(&fb->R, b->centre), at);
    if (b->rim > 0) pair->round = tl_round3_place(b, &fb->R, at);
    for (int i = 0; i < b->points; i++) pair->point[i] = tl_add(tl_turn3(&fb->R, b->point[i]), at);
    pair->size = a->reach + b->reach;
    pair->tie = 1e-12 * pair->size;
}

/* n: from the round one to the plane. */
static int half_space(search *s, const tl_round3 *r, const tl_shape3 *plane, const tl_frame *fp, tl_vec3 at)
{
    tl_vec3 spot[TL_ROUND_SPOTS];
    uint32_t number[TL_ROUND_SPOTS];
    const tl_vec3 n = tl_scale(-1, tl_turn3(&fp->R, plane->normal)), o = tl_add(tl_turn3(&fp->R, plane->centre), at);
    const int spots = tl_round3_spots(r, n, spot, number);
    s->axis = (tl_round_axis3){.n = n};
    for (int i = 0; i < spots; i++) add(s, false, spot[i], tl_dot(n, tl_sub(o, spot[i])), number[i]);
    return s->count;
}

/* n: from the round one to the other. */
static int cores(search *s, tl_round_pair3 *pair, tl_vec3 last)
{
    const double enough = s->radius[0] + s->radius[1] + s->alert;
    s->axis.n = last;
    if (fabs(tl_dot(last, last) - 1) < 1e-9 && !(tl_round_pair3_separation(pair, &pair->a, last) < enough)) return 0;
    s->axis = tl_round_pair3_axis(pair);
    if (!(s->axis.s < enough) || !isfinite(s->axis.s)) return 0;
    round_spread(&pair->a, s->axis.n, &s->a);
    other_spread(pair, tl_scale(-1, s->axis.n), &s->b);
    if (s->a.kind != POINT && s->b.kind != POINT) shared_points(s);
    if (!reaches_deepest(s)) nearest_touch(s);
    return s->count;
}

int tl_round_touches3(const tl_shape3 *a, const tl_frame *fa, const tl_shape3 *b, const tl_frame *fb, double alert, tl_vec3 *hint, tl_touch3 *out)
{
    const bool turned = !(a->rim > 0); /* then b is the round one */
    const tl_shape3 *round = turned ? b : a, *other = turned ? a : b;
    const tl_frame *at = turned ? fb : fa, *other_at = turned ? fa : fb;
    tl_round_pair3 pair;
    search s;
    s.pair = &pair, s.count = 0, s.alert = alert, s.radius[0] = round->radius, s.radius[1] = other->radius;
    pair.size = round->reach;
    const double sign = turned ? -1 : 1;
    int count;
    if (other->kind == TL_HALF_SPACE3) {
        const tl_round3 r = tl_round3_place(round, &at->R, tl_v3(0, 0, 0));
        count = half_space(&s, &r, other, other_at, tl_sub(other_at->p, at->p));
    } else {
        place_pair(&pair, round, at, other, other_at);
        count = cores(&s, &pair, tl_scale(sign, *hint));
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
