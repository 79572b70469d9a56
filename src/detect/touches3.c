/* Points of contact of two cores along the direction in which they are apart. On each side lies a patch: the face, the edge or the corner that is
 * outermost along it. What the patches share, seen along the direction, is where they touch: a polygon, a piece of an edge, or one point. */
#include <string.h>

#include "detect/pair3.h"

/* Faces and edges that are inclined by less than this (sine) lie along their partner: they touch at all points that are near enough, not only at the
 * outermost. Steeper ones would add points that are out of reach as soon as they are an alert apart. */
static const double FLAT = 0.05, FLAT_FACE = 0.998749217771909; /* √(1 − FLAT²) */
/* Differences below this share of the size are no more than rounding: corners flush with the rim of a face are on it. */
static const double FLUSH = 1e-10;
/* Edges cross in one point unless they are parallel: of polyhedra to rounding, of capsules, whose sides are round, to this (sine). */
static const double ALONGSIDE = 1e-3;

enum { RING = TL_HULL_POINTS, CLIPPED = 2 * TL_HULL_POINTS + 2 };

typedef enum patch_kind { CORNER, EDGE, FACE } patch_kind;

typedef struct patch {
    patch_kind kind;
    int number, count;
    uint8_t corner[RING]; /* around it, counter-clockwise from outside */
    tl_vec3 normal;       /* of a face                                 */
} patch;

typedef struct search {
    const tl_pair3 *pair;
    tl_axis3 axis;
    patch a, b;
    int count;
    tl_touch touch[CLIPPED + 1];
} search;

/* ---- patches ------------------------------------------------------------------------------------------------------ */

/* n may turn by a little less than this (chord) without the choice becoming another: along normals and edges it then changes by no more. */
typedef struct choice {
    int number; /* −1: none */
    double lead;
} choice;

/* The face at the corner that points most nearly along n, when nearly enough. */
static choice flat_face(const tl_shape3 *shape, int corner, tl_vec3 n)
{
    choice best = {-1, 0};
    double most = FLAT_FACE, others = -1, all = -1;
    for (int k = shape->around[corner]; k < shape->around[corner + 1]; k++) {
        const int f = shape->face_at[k];
        const double along = tl_dot(n, shape->plane[f].n);
        const bool better = along > most + (best.number < 0 ? 0 : FLUSH);
        others = tl_larger(others, better ? all : along); /* `all` has the best so far */
        all = tl_larger(all, along);
        if (better) most = along, best.number = f;
    }
    best.lead = best.number < 0 ? FLAT_FACE - all : tl_smaller(most - FLAT_FACE, 0.5 * (most - others - FLUSH));
    return best;
}

static choice flat_edge(const tl_shape3 *shape, int corner, tl_vec3 n)
{
    choice best = {-1, 0};
    double least = FLAT, others = 1, all = 1;
    for (int k = shape->around[corner]; k < shape->around[corner + 1]; k++) {
        const tl_edge3 e = shape->edge[shape->edge_at[k]];
        const tl_vec3 d = tl_sub(shape->point[e.to], shape->point[e.from]);
        const double rise = fabs(tl_dot(n, d)) / tl_norm(d);
        const bool better = rise < least - (best.number < 0 ? 0 : FLUSH);
        others = tl_smaller(others, better ? all : rise);
        all = tl_smaller(all, rise);
        if (better) least = rise, best.number = shape->edge_at[k];
    }
    best.lead = best.number < 0 ? all - FLAT : tl_smaller(FLAT - least, 0.5 * (others - least - FLUSH));
    return best;
}

static void fill_patch(const tl_shape3 *shape, patch_kind kind, int number, patch *p)
{
    p->kind = kind, p->number = number, p->count = 1;
    if (kind == CORNER) p->corner[0] = (uint8_t)number;
    else if (kind == EDGE) p->count = 2, p->corner[0] = shape->edge[number].from, p->corner[1] = shape->edge[number].to;
    else {
        const int begin = shape->face_begin[number];
        p->count = shape->face_begin[number + 1] - begin;
        for (int k = 0; k < p->count; k++) p->corner[k] = shape->corner[begin + k];
        p->normal = shape->plane[number].n;
    }
}

/* The choice along n at a corner of a polyhedron. The smaller of the leads of both is that of what they lead to. */
static choice choose_patch(const tl_shape3 *shape, int corner, tl_vec3 n, patch_kind *kind)
{
    const choice face = flat_face(shape, corner, n);
    *kind = FACE;
    if (face.number >= 0) return face;
    const choice edge = flat_edge(shape, corner, n);
    const double lead = tl_smaller(face.lead, edge.lead);
    *kind = edge.number < 0 ? CORNER : EDGE;
    return (choice){edge.number < 0 ? corner : edge.number, lead};
}

/* Which corner of a patch is the support is often left to rounding: what is kept of it holds at all. */
static void keep_patch(const tl_shape3 *shape, int corner, tl_vec3 n, double lead, const patch *p, tl_known_patch3 *known)
{
    known->lead = 0;
    if (p->count > (int)sizeof known->corner || !(lead > TL_FLOATS)) return;
    for (int k = 0; k < p->count; k++) {
        patch_kind kind;
        if (p->corner[k] == corner) continue;
        const choice other = choose_patch(shape, p->corner[k], n, &kind);
        if (kind != p->kind || other.number != p->number) return;
        lead = tl_smaller(lead, other.lead);
    }
    *known = (tl_known_patch3){.lead = (float)(0.999 * lead), .number = (uint16_t)p->number, .kind = (uint8_t)p->kind, .count = (uint8_t)p->count};
    tl_keep3(known->n, n);
    memcpy(known->corner, p->corner, (size_t)p->count);
}

static bool recall_patch(const tl_shape3 *shape, int corner, tl_vec3 n, const tl_known_patch3 *known, patch *p)
{
    const tl_vec3 turned = tl_sub(n, tl_kept3(known->n));
    if (!(tl_norm(turned) + TL_FLOATS < (double)known->lead)) return false;
    bool met = false;
    for (int k = 0; k < known->count; k++) met |= known->corner[k] == corner;
    p->kind = (patch_kind)known->kind, p->number = known->number, p->count = known->count;
    memcpy(p->corner, known->corner, sizeof known->corner);
    if (p->kind == FACE) p->normal = shape->plane[p->number].n;
    return met;
}

/* What is outermost of the shape along n, which is given in its own axes; `corner` is the support. */
static void find_patch(const tl_shape3 *shape, int corner, tl_vec3 n, tl_known_patch3 *known, patch *p)
{
    if (shape->points > 2) {
        patch_kind kind;
        if (known && recall_patch(shape, corner, n, known, p)) return;
        const choice chosen = choose_patch(shape, corner, n, &kind);
        fill_patch(shape, kind, chosen.number, p);
        if (known) keep_patch(shape, corner, n, chosen.lead, p, known);
        return;
    }
    fill_patch(shape, CORNER, corner, p);
    if (shape->points == 1) return;
    const tl_vec3 d = tl_sub(shape->point[1], shape->point[0]);
    if (fabs(tl_dot(n, d)) > FLAT * tl_norm(d)) return;
    p->kind = EDGE, p->number = 0, p->count = 2;
    p->corner[0] = 0, p->corner[1] = 1;
}

/* Number of the edge that begins at corner k of a patch. */
static int edge_of_patch(const tl_shape3 *shape, const patch *p, int k) { return p->kind == FACE ? shape->side[shape->face_begin[p->number] + k] : p->number; }

/* Number of the edge from p to q. */
static int edge_between(const tl_shape3 *shape, int p, int q)
{
    for (int k = 0; shape->faces > 0 && k < shape->around[p + 1] - shape->around[p]; k++) {
        const tl_edge3 e = shape->edge[shape->edge_at[shape->around[p] + k]];
        if (e.from == q || e.to == q) return shape->edge_at[shape->around[p] + k];
    }
    return 0; /* a capsule's */
}

/* Number of the face at three corners, −1: none. */
static int face_between(const tl_shape3 *shape, const int *corner)
{
    for (int k = shape->around[corner[0]]; k < shape->around[corner[0] + 1]; k++) {
        const int f = shape->face_at[k];
        int met = 0;
        for (int l = shape->face_begin[f]; l < shape->face_begin[f + 1]; l++) met += shape->corner[l] == corner[1] || shape->corner[l] == corner[2];
        if (met == 2) return f;
    }
    return -1;
}

/* ---- points ------------------------------------------------------------------------------------------------------- */

/* A point of contact: x on the core of b (or a), `apart` the way along n between the cores there. */
static void add(search *s, bool on_b, tl_vec3 x, double apart, uint32_t feature)
{
    const double gap = apart - s->pair->rims, radius = on_b ? -s->pair->b->radius : s->pair->a->radius;
    if (!(gap < s->pair->alert) || s->count > CLIPPED) return;
    s->touch[s->count++] = (tl_touch){tl_add(x, tl_scale(radius + (on_b ? -0.5 : 0.5) * gap, s->axis.n)), s->axis.n, gap, feature};
}

/* A corner of the clipped patch: one of its own, the cut of its edge k (from its corner k on) with edge j of the other, or a corner of the other. */
typedef struct cut {
    tl_vec3 x;
    enum { OWN, CROSSING, OTHERS } kind;
    int k, j;   /* own or other corner: k */
    int leaves; /* the edge that begins here: own k, or ~j along the other's edge j */
} cut;

typedef struct border { /* the edges that a face clips by */
    tl_vec3 at[RING], normal;
    int rims;
    double flush; /* [m] */
} border;

typedef struct rim { /* the side of a face that one of its edges bounds: inside, outward·(x − at) ≤ 0 */
    tl_vec3 at, outward;
    int j, rims;
    double flush;
} rim;

static cut cut_between(const cut *p, const cut *q, double dp, double dq, int leaves, const rim *r)
{
    const double f = tl_clamp01(dp / (dp - dq));
    cut c = {.x = tl_add(p->x, tl_scale(f, tl_sub(q->x, p->x))), .kind = CROSSING, .k = leaves, .j = r->j};
    if (leaves >= 0) return c;
    c.kind = OTHERS; /* between edges i and j of the other: the corner where the later of them begins */
    const int i = ~leaves;
    c.k = (r->j + 1) % r->rims == i ? i : r->j;
    return c;
}

/* The part of a convex polygon inside one rim (Sutherland and Hodgman). Corners flush with the rim are inside. */
static int clip(const cut *in, int count, const rim *r, cut *out)
{
    const double flush = r->flush;
    int kept = 0;
    double before = tl_dot(r->outward, tl_sub(in[0].x, r->at));
    const double first = before;
    for (int i = 0; i < count && kept < CLIPPED; i++) { /* convex, it grows by one; the bound is for what no longer is */
        const cut *p = &in[i], *q = &in[(i + 1) % count];
        const double dp = before, dq = i + 1 < count ? tl_dot(r->outward, tl_sub(q->x, r->at)) : first;
        before = dq;
        if (dp <= flush) out[kept++] = *p;
        if (dp <= flush && dq > flush) { /* leaves */
            if (dp < -flush) {
                out[kept] = cut_between(p, q, dp, dq, p->leaves, r);
                kept++;
            }
            out[kept - 1].leaves = ~r->j;
        } else if (dp > flush && dq < -flush) { /* comes back */
            out[kept] = cut_between(p, q, dp, dq, p->leaves, r);
            out[kept++].leaves = p->leaves;
        }
    }
    return kept;
}

static void take_border(const search *s, const patch *face, bool face_is_b, border *out)
{
    for (int k = 0; k < face->count; k++) out->at[k] = tl_pair3_corner(s->pair, face_is_b, face->corner[k]);
    out->normal = face_is_b ? tl_scale(-1, s->axis.n) : s->axis.n;
    out->rims = face->count, out->flush = FLUSH * s->pair->size;
}

static rim rim_of(const border *r, int j)
{
    const tl_vec3 p = r->at[j], q = r->at[j + 1 < r->rims ? j + 1 : 0];
    return (rim){p, tl_normalize(tl_cross(tl_sub(q, p), r->normal)), j, r->rims, r->flush};
}

static int clip_face(const border *of, cut *now, int count, cut *next)
{
    for (int j = 0; j < of->rims && count > 0; j++) {
        const rim r = rim_of(of, j);
        count = clip(now, count, &r, next);
        for (int i = 0; i < count; i++) now[i] = next[i];
    }
    return count;
}

/* The same for a patch that is an edge; one end or both may be cut. */
static int clip_edge(const border *of, cut *ends)
{
    for (int j = 0; j < of->rims; j++) {
        const rim r = rim_of(of, j);
        const double d[2] = {tl_dot(r.outward, tl_sub(ends[0].x, r.at)), tl_dot(r.outward, tl_sub(ends[1].x, r.at))};
        if (d[0] > r.flush && d[1] > r.flush) return 0;
        for (int e = 0; e < 2; e++)
            if (d[e] > r.flush) ends[e] = cut_between(&ends[e], &ends[1 - e], d[e], d[1 - e], 0, &r);
    }
    return 2;
}

/* A face against a face or an edge: `face` is the one whose plane the other's points are measured from. */
static void face_touches(search *s, bool face_is_b)
{
    const tl_pair3 *pair = s->pair;
    const patch *face = face_is_b ? &s->b : &s->a, *other = face_is_b ? &s->a : &s->b;
    const tl_shape3 *face_shape = face_is_b ? pair->b : pair->a, *shape = face_is_b ? pair->a : pair->b;
    cut now[CLIPPED + 2], next[CLIPPED + 2];
    border of;
    if (other->count < 2) return;
    take_border(s, face, face_is_b, &of);
    for (int k = 0; k < other->count; k++) now[k] = (cut){tl_pair3_corner(pair, !face_is_b, other->corner[k]), OWN, k, 0, k};
    const int count = other->kind == FACE ? clip_face(&of, now, other->count, next) : clip_edge(&of, now);
    const tl_vec3 normal = face_is_b ? tl_turn3(&pair->b_in_a.R, face->normal) : face->normal, o = of.at[0];
    const double slope = tl_dot(normal, of.normal);
    for (int i = 0; i < count; i++) {
        const cut *c = &now[i];
        const double apart = tl_dot(normal, tl_sub(c->x, o)) / slope;
        if (!(apart - pair->rims < pair->alert)) continue;
        uint32_t feature;
        if (c->kind == OWN) feature = tl_feature3_corner_face(!face_is_b, other->corner[c->k], face->number);
        else if (c->kind == OTHERS) feature = tl_feature3_corner_face(face_is_b, face->corner[c->k], other->number);
        else {
            const int e = edge_of_patch(shape, other, c->k), f = edge_of_patch(face_shape, face, c->j);
            feature = face_is_b ? tl_feature3_edges(e, f) : tl_feature3_edges(f, e);
        }
        add(s, !face_is_b, c->x, apart, feature);
    }
}

/* Two edges side by side: the ends of the piece that they share. */
static void parallel_touches(search *s, tl_vec3 p, tl_vec3 e, tl_vec3 q, tl_vec3 f)
{
    const double ee = tl_dot(e, e), flush = FLUSH * s->pair->size / sqrt(ee);
    double at[2] = {tl_dot(tl_sub(q, p), e) / ee, tl_dot(tl_sub(tl_add(q, f), p), e) / ee};
    const int low = at[0] > at[1];
    for (int end = 0; end < 2; end++) { /* of b's edge: the lower, the upper one along a's */
        const int k = end == 0 ? low : 1 - low, beyond = end == 0 ? at[k] < -flush : at[k] > 1 + flush;
        if (!beyond) {
            const tl_vec3 x = k ? tl_add(q, f) : q, y = tl_add(p, tl_scale(at[k], e));
            if (at[k] < -flush || at[k] > 1 + flush) continue; /* they do not share any */
            add(s, true, x, tl_dot(s->axis.n, tl_sub(x, y)), tl_feature3_corner_edge(true, s->b.corner[k], s->a.number));
        } else {
            const tl_vec3 y = end == 0 ? p : tl_add(p, e);
            const double where = ((end == 0 ? 0 : 1) - at[0]) / (at[1] - at[0]);
            if (!(where >= 0 && where <= 1)) continue;
            const tl_vec3 x = tl_add(q, tl_scale(where, f));
            add(s, false, y, tl_dot(s->axis.n, tl_sub(x, y)), tl_feature3_corner_edge(false, s->a.corner[end], s->b.number));
        }
    }
}

static void edge_touches(search *s)
{
    const tl_pair3 *pair = s->pair;
    const tl_vec3 p = tl_pair3_corner(pair, false, s->a.corner[0]), e = tl_sub(tl_pair3_corner(pair, false, s->a.corner[1]), p);
    const tl_vec3 q = tl_pair3_corner(pair, true, s->b.corner[0]), f = tl_sub(tl_pair3_corner(pair, true, s->b.corner[1]), q);
    const tl_vec3 across = tl_cross(e, f), r = tl_sub(q, p);
    const double nn = tl_dot(across, across);
    const double parallel = pair->a->faces || pair->b->faces ? FLUSH : ALONGSIDE;
    if (nn <= parallel * parallel * tl_dot(e, e) * tl_dot(f, f)) {
        parallel_touches(s, p, e, q, f);
        return;
    }
    const double u = tl_dot(tl_cross(r, f), across) / nn, v = tl_dot(tl_cross(r, e), across) / nn;
    if (!(u > -FLUSH && u < 1 + FLUSH && v > -FLUSH && v < 1 + FLUSH)) return;
    const tl_vec3 x = tl_add(q, tl_scale(v, f)), y = tl_add(p, tl_scale(u, e));
    add(s, true, x, tl_dot(s->axis.n, tl_sub(x, y)), tl_feature3_edges(s->a.number, s->b.number));
}

static void corner_touch(search *s)
{
    const bool of_b = s->b.kind == CORNER;
    const patch *corner = of_b ? &s->b : &s->a, *other = of_b ? &s->a : &s->b;
    uint32_t feature = tl_feature3_corners(s->a.number, s->b.number);
    if (other->kind == FACE) feature = tl_feature3_corner_face(of_b, corner->number, other->number);
    if (other->kind == EDGE) feature = tl_feature3_corner_edge(of_b, corner->number, other->number);
    add(s, of_b, tl_pair3_corner(s->pair, of_b, corner->number), s->axis.s, feature);
}

/* The patch that some corners of a nearest point span. */
static void span_patch(const tl_shape3 *shape, const int *corner, int count, patch *p)
{
    int own[4] = {0}, kinds = 0;
    for (int k = 0; k < count; k++) {
        bool old = false;
        for (int l = 0; l < kinds; l++) old = old || own[l] == corner[k];
        if (!old) own[kinds++] = corner[k];
    }
    p->kind = kinds == 1 ? CORNER : kinds == 2 ? EDGE : FACE, p->count = kinds;
    for (int k = 0; k < kinds; k++) p->corner[k] = (uint8_t)own[k];
    p->number = own[0];
    if (kinds == 2) p->number = edge_between(shape, own[0], own[1]);
    if (kinds != 3) return;
    const int face = face_between(shape, own);
    if (face >= 0) p->number = face;
}

static bool reaches_deepest(const search *s)
{
    double least = (double)INFINITY;
    for (int i = 0; i < s->count; i++) least = tl_smaller(least, s->touch[i].gap);
    return least <= s->axis.s - s->pair->rims + FLUSH * s->pair->size;
}

/* The nearest points themselves, found with the two moved apart along the direction: where the patches have nothing in common, since a face
 * or an edge that is inclined a little hides the one on which the nearest point lies. */
static void nearest_touch(search *s)
{
    const tl_pair3 *pair = s->pair;
    tl_nearest3 near;
    /* only a little apart: far from each other, a way aside would hardly lengthen the distance and hide in its rounding */
    if (!tl_pair3_nearest(pair, s->axis.n, 1e-6 * pair->size - s->axis.s, &near)) {
        const int i = tl_pair3_support(pair, false, s->axis.n), j = tl_pair3_support(pair, true, tl_scale(-1, s->axis.n));
        add(s, true, tl_pair3_corner(pair, true, j), s->axis.s, tl_feature3_corners(i, j));
        return;
    }
    span_patch(pair->a, near.ia, near.count, &s->a);
    span_patch(pair->b, near.ib, near.count, &s->b);
    if (s->a.kind == CORNER || s->b.kind == CORNER) corner_touch(s);
    else if (s->a.kind == EDGE && s->b.kind == EDGE) edge_touches(s);
    if (reaches_deepest(s)) return;
    tl_vec3 x = {0, 0, 0};
    for (int k = 0; k < near.count; k++) x = tl_add(x, tl_scale(near.weight[k], tl_pair3_corner(pair, true, near.ib[k])));
    add(s, true, x, s->axis.s, tl_feature3_corners(near.ia[0], near.ib[0]));
}

/* All corners of the other shape over a face, but those that are touches already. */
static void corners_over(search *s, const patch *face, bool face_is_b)
{
    const tl_pair3 *pair = s->pair;
    const tl_shape3 *other = face_is_b ? pair->a : pair->b;
    const tl_vec3 normal = face_is_b ? tl_turn3(&pair->b_in_a.R, face->normal) : face->normal;
    border of;
    take_border(s, face, face_is_b, &of);
    const double slope = tl_dot(normal, of.normal);
    for (int i = 0; i < other->points && s->count <= CLIPPED; i++) {
        const tl_vec3 x = tl_pair3_corner(pair, !face_is_b, i);
        const uint32_t feature = tl_feature3_corner_face(!face_is_b, i, face->number);
        bool over = true;
        for (int j = 0; j < face->count && over; j++) {
            const rim r = rim_of(&of, j);
            over = tl_dot(r.outward, tl_sub(x, r.at)) <= of.flush;
        }
        for (int k = 0; k < s->count && over; k++) over = s->touch[k].feature != feature;
        if (over) add(s, !face_is_b, x, tl_dot(normal, tl_sub(x, of.at[0])) / slope, feature);
    }
}

int tl_pair3_touches(const tl_pair3 *pair, tl_axis3 axis, tl_known3 *known, tl_touch out[TL_TOUCHES3])
{
    search s;
    s.pair = pair, s.axis = axis, s.count = 0;
    const tl_vec3 back = tl_scale(-1, axis.n), back_in_b = tl_turn_back3(&pair->b_in_a.R, back);
    find_patch(pair->a, tl_cloud3_support(&pair->cloud[0], axis.n), axis.n, known ? &known->patch[0] : NULL, &s.a);
    find_patch(pair->b, tl_cloud3_support(&pair->cloud[1], back_in_b), back_in_b, known ? &known->patch[1] : NULL, &s.b);
    if (s.a.kind == CORNER || s.b.kind == CORNER) corner_touch(&s);
    else if (s.a.kind == EDGE && s.b.kind == EDGE) edge_touches(&s);
    else {
        const double along_a = s.a.kind == FACE ? tl_dot(s.a.normal, axis.n) : -1, along_b = s.b.kind == FACE ? tl_dot(s.b.normal, back_in_b) : -1;
        face_touches(&s, along_b > along_a + FLUSH);
    }
    if (pair->passing && s.a.kind == FACE) corners_over(&s, &s.a, false);
    if (pair->passing && s.b.kind == FACE) corners_over(&s, &s.b, true);
    if (!reaches_deepest(&s)) nearest_touch(&s);
    return tl_touches3_choose(s.touch, s.count, axis.n, out);
}
