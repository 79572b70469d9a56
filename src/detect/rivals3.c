/* Which faces and edges of two cores may be those along whose normal they are furthest apart: a list that is kept from step to step.
 *
 * A point x of the other shape bounds what a face can reach: s(n) ≤ n·x − max n·a, its height above the face. An edge, whose normals are sums of those of
 * its two faces, is bounded by the higher of both where that is negative. Two such points are used: the support, and the one on the line between the
 * middles, which does for what is far. What is bounded by less than the best direction reaches is left out.
 *
 * When the pair has moved, these bounds have grown by no more than the points have moved, seen from the other shape. So a list made with a margin holds,
 * without a look at what is not on it, until they have moved by about that margin: in a packing at rest for thousands of steps. */
#include <string.h>

#include "detect/pair3.h"

/* Of the size. A larger one holds longer and makes the list longer. */
static const double MARGIN = 0.002;

static tl_vec3 to_a(const tl_pair3 *pair, tl_vec3 x) { return tl_add(tl_turn3(&pair->b_in_a.R, x), pair->b_in_a.p); }
static tl_vec3 to_b(const tl_pair3 *pair, tl_vec3 x) { return tl_turn_back3(&pair->b_in_a.R, tl_sub(x, pair->b_in_a.p)); }

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
    double high;
    const int i = tl_cloud3_support(&pair->at, n, &high), j = tl_cloud3_support(&pair->bt, tl_scale(-1, n), &high);
    out->x[0][0] = tl_corner3(&pair->bt, j);
    out->x[1][0] = to_b(pair, tl_corner3(&pair->at, i));
    for (int of_b = 0; of_b < 2; of_b++) tl_planes3_heights(of_b ? pair->b : pair->a, out->x[of_b][0], heights[of_b]);
}

static int list_faces(const tl_shape3 *shape, const double *first, const double *other, double level, uint16_t *out)
{
    int count = 0;
    for (int f = 0; f < shape->faces; f++) {
        out[count] = (uint16_t)f;
        count += (first[f] >= level) & (other[f] >= level);
    }
    return count;
}

static int list_edges(const tl_shape3 *shape, const double *first, const double *other, double level, uint16_t *out)
{
    int count = 0;
    for (int e = 0; e < shape->edges; e++) {
        const int l = shape->edge[e].left, r = shape->edge[e].right;
        out[count] = (uint16_t)e;
        count += ((first[l] > level) | (first[r] > level)) & ((other[l] > level) | (other[r] > level));
    }
    return count;
}

void tl_rivals3_list(const tl_pair3 *pair, tl_vec3 n, double level, bool edges_too, tl_rivals3 *out)
{
    double heights[2][TL_PLANES];
    int count = 0;
    support_heights(pair, n, out, heights);
    out->level = level;
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

/* The points, each in the axes of its own shape. */
static tl_vec3 in_own_axes(const tl_pair3 *pair, bool of_b, tl_vec3 x) { return of_b ? to_a(pair, x) : to_b(pair, x); }
static tl_vec3 in_other_axes(const tl_pair3 *pair, bool of_b, tl_vec3 x) { return of_b ? to_b(pair, x) : to_a(pair, x); }

void tl_rivals3_keep(const tl_pair3 *pair, const tl_rivals3 *rivals, tl_known3 *known)
{
    int count = 0;
    for (int of_b = 0; of_b < 2; of_b++) count += rivals->faces[of_b] + rivals->edges[of_b];
    known->holds = count <= TL_KNOWN;
    if (!known->holds) return;
    known->level = rivals->level;
    memcpy(known->list, rivals->list, (size_t)count * sizeof *known->list);
    for (int of_b = 0; of_b < 2; of_b++) {
        known->faces[of_b] = (uint8_t)rivals->faces[of_b], known->edges[of_b] = (uint8_t)rivals->edges[of_b];
        for (int k = 0; k < 2; k++) {
            known->seen[of_b][k] = rivals->x[of_b][k];
            known->own[of_b][k] = in_own_axes(pair, of_b, rivals->x[of_b][k]);
        }
    }
}

bool tl_rivals3_recall(const tl_pair3 *pair, const tl_known3 *known, double least, tl_rivals3 *out)
{
    double way2 = 0;
    if (!known || !known->holds) return false;
    for (int of_b = 0; of_b < 2; of_b++)
        for (int k = 0; k < 2; k++) {
            out->x[of_b][k] = in_other_axes(pair, of_b, known->own[of_b][k]);
            const tl_vec3 way = tl_sub(out->x[of_b][k], known->seen[of_b][k]);
            way2 = tl_larger(way2, tl_dot(way, way));
        }
    const double room = least - known->level;
    if (!(room > 0 && way2 < room * room)) return false;
    const uint16_t *next = known->list;
    for (int of_b = 0; of_b < 2; of_b++) {
        out->face[of_b] = next, out->faces[of_b] = known->faces[of_b];
        next += known->faces[of_b];
        out->edge[of_b] = next, out->edges[of_b] = known->edges[of_b];
        next += known->edges[of_b];
    }
    return true;
}
