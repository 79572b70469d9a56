/* The direction n in which two cores are furthest apart: s(n) = min n·(b − a) is greatest.
 *
 * Overlapping, n is the normal of a face of C = {b − a}: of a face of a, of a face of b, or of two edges whose arcs of normals cross. All of these
 * are compared, but for those that are known to be worse (rivals3.c). Apart, the faces give the start of a descent to the nearest points.
 *
 * What is skipped is worse than what is found by more than `tie`, so neither the order nor the start of the search shows in the result. */
#include "detect/pair3.h"

#include <float.h>

enum { TIES = 64 };

typedef struct ties { /* directions as good as the best but for `tie`, in their order */
    double best;
    int count;
    tl_vec3 n[TIES];
    double s[TIES];
} ties;

static void begin(ties *r) { r->best = -(double)INFINITY, r->count = 0; }

static void compare(ties *r, tl_vec3 n, double s, double tie)
{
    if (!(s >= r->best - tie)) return;
    if (s > r->best) {
        r->best = s;
        int kept = 0;
        for (int i = 0; i < r->count; i++)
            if (r->s[i] >= s - tie) r->n[kept] = r->n[i], r->s[kept++] = r->s[i];
        r->count = kept;
    }
    if (r->count < TIES) r->n[r->count] = n, r->s[r->count++] = s;
}

static tl_vec3 turned(const tl_pair3 *pair, tl_vec3 v) { return tl_turn3(&pair->b_in_a.R, v); }

/* ---- faces -------------------------------------------------------------------------------------------------------- */

/* Directions with less than this are worse than the best by more than the tie, whatever rounding does. */
static double worth(const tl_pair3 *pair, const ties *best) { return tl_larger(best->best, pair->between) - 2 * pair->tie; }

/* Faces of one shape against the corners of the other. True: beyond alert. */
static bool try_faces(const tl_pair3 *pair, bool of_b, const tl_rivals3 *rivals, ties *best)
{
    const tl_shape3 *shape = of_b ? pair->b : pair->a;
    const double enough = pair->rims + pair->alert + pair->tie;
    for (int k = 0; k < rivals->faces[of_b]; k++) {
        if ((double)rivals->face[of_b][k].reach + rivals->way < worth(pair, best)) continue;
        const int f = (int)rivals->face[of_b][k].a;
        tl_vec3 n = shape->plane[f].n;
        double s = -shape->plane[f].offset;
        if (of_b) {
            n = turned(pair, n);
            s += tl_pair3_least(pair, false, n) - tl_dot(n, pair->b_in_a.p);
            n = tl_scale(-1, n);
        } else s += tl_pair3_least(pair, true, n);
        compare(best, n, s, pair->tie);
        if (s >= enough) return true;
    }
    return false;
}

/* ---- edges -------------------------------------------------------------------------------------------------------- */

tl_arc3 tl_arc3_of(const tl_pair3 *pair, bool of_b, int edge)
{
    const tl_shape3 *shape = of_b ? pair->b : pair->a;
    const bool capsule = shape->faces == 0;
    const tl_edge3 e = capsule ? (tl_edge3){.from = 0, .to = 1} : shape->edge[edge];
    const tl_vec3 from = tl_pair3_corner(pair, of_b, e.from), along = tl_sub(tl_pair3_corner(pair, of_b, e.to), from);
    if (capsule) return (tl_arc3){.edge = along, .at = from};
    const tl_vec3 left = shape->plane[e.left].n, right = shape->plane[e.right].n;
    return (tl_arc3){along, of_b ? turned(pair, left) : left, of_b ? turned(pair, right) : right, from};
}

/* Edges of one shape that may be better than this. Each may lie off the planes of its faces by the shape's warp, a face's worth of it for each. */
static int worthy_edges(const tl_pair3 *pair, bool of_b, const tl_rivals3 *rivals, double better_than, tl_arc3 *out)
{
    const tl_shape3 *shape = of_b ? pair->b : pair->a;
    int count = 0;
    for (int k = 0; k < rivals->edges[of_b]; k++)
        if ((double)rivals->edge[of_b][k].reach + 2 * shape->warp + rivals->way > better_than)
            out[count++] = tl_arc3_of(pair, of_b, (int)rivals->edge[of_b][k].a);
    return count;
}

/* The arcs of a and of −b cross: then the direction at right angles to both edges is the normal of a face of C. */
static bool cross_arcs(const tl_arc3 *p, const tl_arc3 *q, bool a_is_segment, bool b_is_segment, tl_vec3 *n)
{
    const double pl = tl_dot(p->left, q->edge), pr = tl_dot(p->right, q->edge), ql = tl_dot(q->left, p->edge), qr = tl_dot(q->right, p->edge);
    if (!a_is_segment && pl * pr >= 0) return false;
    if (!b_is_segment && ql * qr >= 0) return false;
    if (!a_is_segment && !b_is_segment && ql * pr >= 0) return false; /* they would on the other side of the sphere */
    *n = tl_across(p->edge, q->edge);
    const double nn = tl_dot(*n, *n), parallel = 1e-11;
    /* parallel edges: between two faces, one of which is better; nearly parallel ones are so but for that angle */
    if (!(nn > parallel * parallel * tl_dot(p->edge, p->edge) * tl_dot(q->edge, q->edge))) return false;
    const tl_vec3 outward = tl_sub(tl_add(p->left, p->right), tl_add(q->left, q->right));
    *n = tl_scale((tl_dot(*n, outward) < 0 ? -1 : 1) / sqrt(nn), *n);
    return true;
}

static void try_pair(const tl_pair3 *pair, const tl_arc3 *p, const tl_arc3 *q, double least, ties *best)
{
    tl_vec3 n;
    if (!cross_arcs(p, q, pair->a->faces == 0, pair->b->faces == 0, &n)) return;
    /* between these two edges; where rounding has it that they are not the outermost ones, it is less */
    if (tl_dot(n, tl_sub(q->at, p->at)) < tl_larger(least, best->best) - 2 * pair->tie) return;
    compare(best, n, tl_pair3_separation(pair, n), pair->tie);
}

static void try_listed_edges(const tl_pair3 *pair, const tl_rivals3 *rivals, double least, ties *best)
{
    tl_arc3 ea[TL_HULL_EDGES], eb[TL_HULL_EDGES];
    const int na = worthy_edges(pair, false, rivals, least, ea);
    const int nb = na > 0 ? worthy_edges(pair, true, rivals, least, eb) : 0;
    for (int k = 0; k < na; k++)
        for (int l = 0; l < nb; l++) try_pair(pair, &ea[k], &eb[l], least, best);
}

static void try_known_pairs(const tl_pair3 *pair, const tl_rivals3 *rivals, double least, ties *best)
{
    for (int k = 0; k < rivals->pairs; k++) {
        const tl_rival3 *known = &rivals->pair[k];
        if (known->aside >= rivals->turn || !((double)known->reach + rivals->way > least)) continue;
        const tl_arc3 p = tl_arc3_of(pair, false, (int)known->a), q = tl_arc3_of(pair, true, (int)known->b);
        try_pair(pair, &p, &q, least, best);
    }
}

static void try_edges(const tl_pair3 *pair, const tl_rivals3 *rivals, tl_axis3 faces, ties *best)
{
    /* the bound holds where it is not positive; edges that are no better than the faces do not count */
    const double least = tl_smaller(0, tl_larger(faces.s + 0.5 * pair->tie, pair->between - 2 * pair->tie));
    if (rivals->pair) try_known_pairs(pair, rivals, least, best);
    else try_listed_edges(pair, rivals, least, best);
}

/* ---- apart -------------------------------------------------------------------------------------------------------- */

static tl_axis3 axis_along(const tl_pair3 *pair, tl_vec3 n, tl_vec3 v)
{
    n = tl_scale((tl_dot(n, v) < 0 ? -1 : 1) / tl_norm(n), n);
    return (tl_axis3){.n = n, .s = tl_pair3_separation(pair, n)};
}

/* The direction from one nearest point to the other is at right angles to what both may slide along, the edge or the face of C. Where they are near each
 * other their difference shows that badly, and the separation along it would be less than their distance by the error times the length of the edge. */
static tl_axis3 axis_between(const tl_pair3 *pair, const tl_nearest3 *near)
{
    tl_vec3 n = tl_scale(1 / tl_norm(near->v), near->v);
    if (near->count == 2) {
        const tl_vec3 e = tl_sub(near->w[1], near->w[0]);
        n = tl_sub(n, tl_scale(tl_dot(n, e) / tl_dot(e, e), e));
    }
    const tl_axis3 axis = axis_along(pair, n, near->v);
    if (near->count != 3) return axis;
    const tl_axis3 face = axis_along(pair, tl_triangle_normal(near->w[0], near->w[1], near->w[2]), near->v);
    return face.s >= axis.s - 1e-15 * pair->size ? face : axis; /* not where the triangle is a needle */
}

/* `start`: the best of faces and edges. It stays where it is the direction between the nearest points, or these are so near that there is none. */
static tl_axis3 descend(const tl_pair3 *pair, tl_axis3 start)
{
    tl_nearest3 near;
    if (!tl_pair3_nearest(pair, start.n, 0, &near)) return start;
    const tl_vec3 aside = tl_sub(near.v, tl_scale(tl_dot(near.v, start.n), start.n));
    if (tl_norm(aside) <= pair->tie && start.s >= tl_norm(near.v) - pair->tie) return start;
    const tl_axis3 axis = axis_between(pair, &near);
    return axis.s > start.s - 1e-15 * pair->size ? axis : start; /* seldom does the descent not get there */
}

static tl_axis3 first_face(const tl_pair3 *pair, const ties *r)
{
    return (tl_axis3){.n = r->n[0], .s = tl_pair3_separation(pair, r->n[0])}; /* merged faces are plane to rounding only */
}

/* What any direction that counts reaches at least. */
static double lowest_worth(const tl_pair3 *pair, double s) { return tl_smaller(0, s) - 4 * pair->tie - 2 * tl_larger(pair->a->warp, pair->b->warp); }

static tl_axis3 best_face(const tl_pair3 *pair, const tl_rivals3 *rivals)
{
    ties faces;
    begin(&faces);
    if (try_faces(pair, false, rivals, &faces) || try_faces(pair, true, rivals, &faces)) return (tl_axis3){faces.n[faces.count - 1], faces.best, true};
    return faces.count ? first_face(pair, &faces) : (tl_axis3){.n = pair->start, .s = -(double)INFINITY};
}

tl_axis3 tl_pair3_axis(const tl_pair3 *pair, tl_known3 *known)
{
    tl_rivals3 rivals;
    const bool recalled = tl_rivals3_recall(pair, known, lowest_worth(pair, pair->between), &rivals);
    if (!recalled) {
        tl_rivals3_begin(pair, &rivals);
        tl_rivals3_list(pair, pair->start, lowest_worth(pair, pair->between), false, &rivals);
    }
    tl_axis3 best = best_face(pair, &rivals);
    if (best.beyond) return best;
    if (!recalled) {
        const double margin = known ? tl_rivals3_margin(pair) : 0;
        tl_rivals3_list(pair, best.n, lowest_worth(pair, tl_larger(best.s, pair->between)) - margin, true, &rivals);
        if (known) tl_rivals3_keep(pair, &rivals, known);
    }
    if (best.s <= 0) {
        ties edges;
        begin(&edges);
        try_edges(pair, &rivals, best, &edges);
        if (edges.count && edges.best > best.s + pair->tie) best = (tl_axis3){.n = edges.n[0], .s = edges.s[0]};
    }
    if (best.s > 0) best = descend(pair, best);
    best.beyond = best.s >= pair->rims + pair->alert;
    return best;
}

/* ---- spheres and capsules ----------------------------------------------------------------------------------------- */

/* Nearer than this share of the size, the direction of a difference is worse than 1e-8. */
static const double NEAR = 1e-7;

/* From a segment (or point) to a point. */
static tl_vec3 to_point(tl_vec3 p, tl_vec3 e, tl_vec3 x)
{
    const double ee = tl_dot(e, e), f = ee > 0 ? tl_clamp01(tl_dot(tl_sub(x, p), e) / ee) : 0;
    return tl_sub(x, tl_add(p, tl_scale(f, e)));
}

static void nearer(tl_vec3 *d, tl_vec3 other)
{
    if (tl_dot(other, other) < tl_dot(*d, *d)) *d = other;
}

static void try_direction(const tl_pair3 *pair, tl_vec3 n, tl_axis3 *best)
{
    const double length = tl_norm(n);
    if (!(length > 0)) return;
    const tl_vec3 unit = tl_scale(1 / length, n);
    const double s = tl_pair3_separation(pair, unit);
    if (s > best->s && fabs(tl_dot(unit, unit) - 1) < 1e-9) *best = (tl_axis3){.n = unit, .s = s};
}

/* Cores that cut each other or nearly do: the difference d of their nearest points shows no direction, or one that is not at right angles to what they may
 * slide along, and the separation along it is less by the error times a core's length. Of it and what is at right angles to both, on either side, the best. */
static tl_axis3 direction_at_cut(const tl_pair3 *pair, tl_vec3 d, tl_vec3 e, tl_vec3 f, tl_vec3 across)
{
    const tl_vec3 line = tl_dot(e, e) > tl_dot(f, f) ? e : f;
    tl_axis3 best = {.n = {0, 0, 1}, .s = -(double)INFINITY};
    const tl_vec3 off_e = tl_sub(d, tl_scale(tl_dot(d, e) / tl_larger(tl_dot(e, e), DBL_MIN), e));
    const tl_vec3 off_f = tl_sub(d, tl_scale(tl_dot(d, f) / tl_larger(tl_dot(f, f), DBL_MIN), f));
    const tl_vec3 towards_b = tl_sub(tl_add(tl_pair3_corner(pair, true, 0), tl_scale(0.5, f)), tl_add(tl_pair3_corner(pair, false, 0), tl_scale(0.5, e)));
    tl_vec3 t = {0, 0, 1}, s = {0, 0, 0};
    if (tl_dot(line, line) > 0) tl_tangents(tl_normalize(line), &t, &s);
    const tl_vec3 out[3] = {across, t, s};
    for (int k = 0; k < 3; k++) {
        const double sign = tl_dot(out[k], towards_b) < 0 ? -1 : 1;
        try_direction(pair, tl_scale(sign, out[k]), &best);
        try_direction(pair, tl_scale(-sign, out[k]), &best);
    }
    try_direction(pair, off_e, &best);
    try_direction(pair, off_f, &best);
    try_direction(pair, d, &best);
    return best;
}

tl_axis3 tl_pair3_axis_of_segments(const tl_pair3 *pair)
{
    const tl_vec3 p = tl_pair3_corner(pair, false, 0), p1 = tl_pair3_corner(pair, false, pair->a->points - 1);
    const tl_vec3 q = tl_pair3_corner(pair, true, 0), q1 = tl_pair3_corner(pair, true, pair->b->points - 1);
    const tl_vec3 e = tl_sub(p1, p), f = tl_sub(q1, q), r = tl_sub(q, p);
    tl_vec3 d = to_point(p, e, q), across = tl_across(e, f);
    nearer(&d, to_point(p, e, q1));
    nearer(&d, tl_scale(-1, to_point(q, f, p)));
    nearer(&d, tl_scale(-1, to_point(q, f, p1)));
    const double nn = tl_dot(across, across);
    if (nn > 0) { /* crossing within both: the distance is along their common normal */
        const double u = tl_dot(tl_cross(r, f), across) / nn, v = tl_dot(tl_cross(r, e), across) / nn;
        if (u > 0 && u < 1 && v > 0 && v < 1) d = tl_scale(tl_dot(r, across) / nn, across);
    }
    tl_axis3 axis = {.s = tl_norm(d)};
    axis.n = tl_scale(1 / axis.s, d);
    if (!(axis.s > NEAR * pair->size)) axis = direction_at_cut(pair, d, e, f, across);
    axis.beyond = axis.s >= pair->rims + pair->alert;
    return axis;
}
