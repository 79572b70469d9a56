/* Which faces and edges of two cores may be those along whose normal they are furthest apart: a list that is kept from step to step.
 *
 * A point x of the other shape bounds what a face can reach: s(n) ≤ n·x − max n·a, its height above the face. An edge, whose normals are sums of those of
 * its two faces, is bounded by the higher of both where that is negative. Two such points are used: the support, and the one on the line between the
 * middles, which does for what is far. What is bounded by less than the best direction reaches is left out.
 *
 * When the pair has moved, these bounds have grown by no more than the points have moved, seen from the other shape. So a list made with a margin holds,
 * without a look at what is not on it, until they have moved by about that margin: in a packing at rest for thousands of steps. What is on it is looked at
 * only where its own bound, as far as it may have grown since, is not less than the best direction.
 *
 * Of edges, pairs are kept. Two edges count when their arcs of normals cross, so each pair is kept with how far b must turn before they can; and with
 * a bound of its own: along their normal any point of the one and any of the other are no further apart than the cores are. */
#include "detect/pair3.h"

#include <float.h>
#include <string.h>

/* Sizes beyond which floats do not do, and edges too short to tell how their arcs lie (share of the size). */
static const double LARGEST = 1e30, SHORT = 1e-8;
/* Of the size. A larger one holds longer and makes the list longer. */
static const double MARGIN = 0.002;
/* By which b may turn in the axes of a (chord): pairs of edges whose arcs are further from crossing are not kept. How far the others are is told in parts of
 * this. */
static const double TURN = 0.01;
enum { TURN_PARTS = 4095, NUMBER = 1023 }; /* 12 and 10 bits */

static tl_vec3 to_a(const tl_pair3 *pair, tl_vec3 x) { return tl_add(tl_turn3(&pair->b_in_a.R, x), pair->b_in_a.p); }
static tl_vec3 to_b(const tl_pair3 *pair, tl_vec3 x) { return tl_turn_back3(&pair->b_in_a.R, tl_sub(x, pair->b_in_a.p)); }

/* A float that is not less. */
static float above(double x) { return (float)tl_larger(-(double)FLT_MAX, tl_smaller((double)FLT_MAX, x + 1e-7 * fabs(x))); }

/* ---- making the list ---------------------------------------------------------------------------------------------- */

/* Where the line between the middles leaves both; in the axes of the shape that the point bounds. */
void tl_rivals3_begin(const tl_pair3 *pair, tl_rivals3 *out)
{
    const tl_shape3 *a = pair->a, *b = pair->b;
    const tl_vec3 middle = to_a(pair, b->centre), way = tl_sub(middle, a->centre), back = tl_turn_back3(&pair->b_in_a.R, tl_scale(-1, way));
    out->x[0][1] = tl_sub(middle, tl_scale(b->faces ? tl_planes3_exit(b, b->centre, back) : 0, way));
    out->x[1][1] = to_b(pair, tl_add(a->centre, tl_scale(a->faces ? tl_planes3_exit(a, a->centre, way) : 0, way)));
    for (int of_b = 0; of_b < 2; of_b++) tl_planes3_heights(of_b ? b : a, out->x[of_b][1], out->height[of_b]);
}

/* The supports along n, and how high they are above the faces of the other. */
static void support_heights(const tl_pair3 *pair, tl_vec3 n, tl_rivals3 *out, double heights[2][TL_PLANES])
{
    const int i = tl_pair3_support(pair, false, n), j = tl_pair3_support(pair, true, tl_scale(-1, n));
    out->x[0][0] = tl_pair3_corner(pair, true, j);
    out->x[1][0] = to_b(pair, tl_pair3_corner(pair, false, i));
    for (int of_b = 0; of_b < 2; of_b++) tl_planes3_heights(of_b ? pair->b : pair->a, out->x[of_b][0], heights[of_b]);
}

static int list_faces(const tl_shape3 *shape, const double *first, const double *other, double level, tl_rival3 *out)
{
    int count = 0;
    for (int f = 0; f < shape->faces; f++) {
        const double reach = tl_smaller(first[f], other[f]);
        out[count] = (tl_rival3){.a = (unsigned)f & NUMBER, .reach = above(reach)};
        count += reach >= level;
    }
    return count;
}

static int list_edges(const tl_shape3 *shape, const double *first, const double *other, double level, tl_rival3 *out)
{
    int count = 0;
    for (int e = 0; e < shape->edges; e++) {
        const int l = shape->edge[e].left, r = shape->edge[e].right;
        const double reach = tl_smaller(tl_larger(first[l], first[r]), tl_larger(other[l], other[r]));
        out[count] = (tl_rival3){.a = (unsigned)e & NUMBER, .reach = above(reach)};
        count += reach > level;
    }
    if (shape->points == 2) out[count++] = (tl_rival3){.reach = (float)INFINITY}; /* a capsule's: no planes bound it */
    return count;
}

void tl_rivals3_list(const tl_pair3 *pair, tl_vec3 n, double level, bool edges_too, tl_rivals3 *out)
{
    double heights[2][TL_PLANES];
    int count = 0;
    support_heights(pair, n, out, heights);
    out->level = level, out->way = 4 * pair->tie, out->turn = 1, out->pair = NULL; /* what nearly ties is compared whether it was kept or not */
    for (int of_b = 0; of_b < 2; of_b++) {
        const tl_shape3 *shape = of_b ? pair->b : pair->a;
        out->face[of_b] = out->list + count;
        count += out->faces[of_b] = list_faces(shape, heights[of_b], out->height[of_b], level, out->list + count);
        out->edge[of_b] = out->list + count;
        count += out->edges[of_b] = edges_too ? list_edges(shape, heights[of_b], out->height[of_b], level, out->list + count) : 0;
    }
}

double tl_rivals3_margin(const tl_pair3 *pair) { return MARGIN * pair->size; }

/* ---- keeping it --------------------------------------------------------------------------------------------------- */

/* The points that bound, from the one of b that is kept: those of b, those of a. */
static double longest_arm(const tl_pair3 *pair, const tl_rivals3 *rivals)
{
    const tl_vec3 o = rivals->x[0][0], x[3] = {rivals->x[0][1], to_a(pair, rivals->x[1][0]), to_a(pair, rivals->x[1][1])};
    double arm = 0;
    for (int k = 0; k < 3; k++) arm = tl_larger(arm, tl_norm(tl_sub(x[k], o)));
    return arm;
}

/* p and q are on the same side: by how much the one that is nearer to the other. Else 0. */
static double same_side(double p, double q) { return p * q > 0 ? tl_smaller(fabs(p), fabs(q)) : 0; }

/* By how much b must turn at least, as a chord, before the arcs cross (axis3.c). */
static double turn_to_cross(const tl_pair3 *pair, const tl_arc3 *p, const tl_arc3 *q)
{
    const double by_p = 1 / tl_norm(q->edge), by_q = 1 / tl_norm(p->edge);
    const double pl = by_p * tl_dot(p->left, q->edge), pr = by_p * tl_dot(p->right, q->edge);
    const double ql = by_q * tl_dot(q->left, p->edge), qr = by_q * tl_dot(q->right, p->edge);
    const bool a_is_segment = pair->a->faces == 0, b_is_segment = pair->b->faces == 0;
    double turn = 0;
    if (!a_is_segment) turn = tl_larger(turn, same_side(pl, pr));
    if (!b_is_segment) turn = tl_larger(turn, same_side(ql, qr));
    if (!a_is_segment && !b_is_segment) turn = tl_larger(turn, same_side(ql, pr));
    return turn;
}

/* How far the cores are apart along the normal of two edges, at most, while b turns by less than TURN: any point of either bounds it, here those where they
 * pass each other. Infinite where this says nothing: nearly parallel edges, a normal that may change sides, a point beyond the arm. */
static double crossing_reach(const tl_arc3 *p, const tl_arc3 *q, tl_vec3 o, double arm)
{
    const tl_vec3 across = tl_cross(p->edge, q->edge), r = tl_sub(q->at, p->at);
    const double nn = tl_dot(across, across), sine = sqrt(nn / (tl_dot(p->edge, p->edge) * tl_dot(q->edge, q->edge)));
    if (!(sine > 4 * TURN)) return (double)INFINITY;
    const double sway = TURN / (sine - TURN); /* of the normal, as a chord */
    const double outward = tl_dot(across, tl_sub(tl_add(p->left, p->right), tl_add(q->left, q->right))) / sqrt(nn);
    if (!(fabs(outward) > 4 * sway + 2 * TURN)) return (double)INFINITY;
    const double u = tl_dot(tl_cross(r, q->edge), across) / nn, v = tl_dot(tl_cross(r, p->edge), across) / nn;
    const tl_vec3 x = tl_add(q->at, tl_scale(tl_clamp01(v), q->edge)), y = tl_add(p->at, tl_scale(tl_clamp01(u), p->edge));
    const tl_vec3 way = tl_sub(x, y);
    if (!(tl_norm(tl_sub(x, o)) <= arm)) return (double)INFINITY;
    return (outward < 0 ? -1 : 1) * tl_dot(across, way) / sqrt(nn) + sway * tl_norm(way);
}

/* Adds a pair of edges unless it cannot be better than those that are not listed. False: too many. */
static bool keep_pair(tl_known3 *known, tl_rival3 pair, double level)
{
    if ((double)pair.reach <= level) return true;
    const int listed = known->faces[0] + known->faces[1] + known->pairs;
    if (listed == TL_KNOWN_RIVALS) return false;
    known->rival[listed] = pair;
    known->pairs++;
    return true;
}

static bool keep_pairs(const tl_pair3 *pair, const tl_rivals3 *rivals, double arm, tl_known3 *known)
{
    tl_arc3 of_b[TL_HULL_EDGES];
    const double shortest = SHORT * pair->size;
    known->pairs = 0;
    for (int l = 0; l < rivals->edges[1]; l++) of_b[l] = tl_arc3_of(pair, true, (int)rivals->edge[1][l].a);
    for (int k = 0; k < rivals->edges[0]; k++) {
        const tl_rival3 *a = &rivals->edge[0][k];
        const tl_arc3 p = tl_arc3_of(pair, false, (int)a->a);
        for (int l = 0; l < rivals->edges[1]; l++) {
            const tl_rival3 *b = &rivals->edge[1][l];
            const tl_arc3 *q = &of_b[l];
            const bool clear = tl_norm(p.edge) > shortest && tl_norm(q->edge) > shortest;
            const double turn = clear ? turn_to_cross(pair, &p, q) : 0;
            if (turn > TURN) continue;
            double reach = tl_smaller((double)a->reach + 2 * pair->a->warp, (double)b->reach + 2 * pair->b->warp);
            if (clear) reach = tl_smaller(reach, crossing_reach(&p, q, rivals->x[0][0], arm));
            const tl_rival3 found = {a->a, b->a, (unsigned)(turn / TURN * TURN_PARTS) & TURN_PARTS, above(reach)};
            if (!keep_pair(known, found, rivals->level)) return false;
        }
    }
    return true;
}

void tl_rivals3_keep(const tl_pair3 *pair, const tl_rivals3 *rivals, tl_known3 *known)
{
    const double arm = longest_arm(pair, rivals);
    known->holds = pair->size < LARGEST && rivals->faces[0] + rivals->faces[1] <= TL_KNOWN_RIVALS;
    if (!known->holds) return;
    int count = 0;
    for (int of_b = 0; of_b < 2; of_b++) {
        known->faces[of_b] = (uint8_t)rivals->faces[of_b];
        memcpy(known->rival + count, rivals->face[of_b], (size_t)rivals->faces[of_b] * sizeof *known->rival);
        count += rivals->faces[of_b];
    }
    known->holds = keep_pairs(pair, rivals, arm, known);
    known->level = above(rivals->level);
    known->arm = (float)arm;
    tl_keep3(known->seen, rivals->x[0][0]);
    tl_keep3(known->own, to_b(pair, rivals->x[0][0]));
    for (int k = 0; k < 9; k++) known->R[k / 3][k % 3] = (float)pair->b_in_a.R.m[k / 3][k % 3];
}

/* How far b has turned in the axes of a, as a chord: the 2-norm of R − R₀, which of a rotation about one axis is its Frobenius norm by √2. */
static double turn_since(const tl_pair3 *pair, const tl_known3 *known)
{
    double sum = 0;
    for (int k = 0; k < 9; k++) {
        const double d = pair->b_in_a.R.m[k / 3][k % 3] - (double)known->R[k / 3][k % 3];
        sum += d * d;
    }
    return sqrt(0.5 * sum);
}

bool tl_rivals3_recall(const tl_pair3 *pair, const tl_known3 *known, double least, tl_rivals3 *out)
{
    if (!known || !known->holds) return false;
    const double turn = turn_since(pair, known) + TL_FLOATS;
    const tl_vec3 moved = tl_sub(to_a(pair, tl_kept3(known->own)), tl_kept3(known->seen));
    const double way = tl_norm(moved) + turn * (double)known->arm + TL_FLOATS * (pair->size + tl_norm(pair->b_in_a.p));
    if (!(way < least - (double)known->level && turn < TURN)) return false;
    out->way = way, out->turn = (unsigned)(turn / TURN * TURN_PARTS) + 1;
    out->faces[0] = known->faces[0], out->faces[1] = known->faces[1];
    out->face[0] = known->rival, out->face[1] = out->face[0] + known->faces[0];
    out->pair = out->face[1] + known->faces[1], out->pairs = known->pairs;
    return true;
}
