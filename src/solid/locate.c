/* Where a point lies in a mesh of elements (locate.h). */
#include "solid/locate.h"

#include <math.h>
#include <string.h>

#include "base/math.h"
#include "solid/face.h"

enum { PASSES = 40 };
static const double CLOSE = 1e-9; /* of an element: a point this near counts as inside */

/* A part of an element: the element itself, a face, an edge; x of its nodes, and which of the element's they are. */
typedef struct cell {
    const tl_element_kind *kind;
    int node[TL_ELEMENT_NODES];
    double x[TL_ELEMENT_NODES][3];
} cell;

/* By how much ξ is outside, in ξ. Every kind is bounded by planes there. */
static double outside(const tl_element_kind *kind, const double xi[3])
{
    double most = -(double)INFINITY;
    if (kind->dimension == 1) return fabs(xi[0]) - 1;
    for (int f = 0; f < kind->faces; f++) {
        const int *node = kind->face[f].node;
        const tl_vec3 o = tl_load3(kind->corner[node[0]]), a = tl_sub(tl_load3(kind->corner[node[1]]), o);
        const tl_vec3 b = kind->dimension == 2 ? tl_v3(0, 0, 1) : tl_sub(tl_load3(kind->corner[node[2]]), o);
        most = fmax(most, tl_dot(tl_normalize(tl_cross(a, b)), tl_sub(tl_load3(xi), o)));
    }
    return most;
}

/* How many ξ a kind has. */
static int extent(const tl_element_kind *kind) { return kind->dimension < 3 ? kind->dimension : 3; }

/* (Jᵀ J) d = Jᵀ r: the step towards the nearest point of what the kind's ξ span. */
static bool step_towards(const cell *c, const double xi[3], tl_vec3 target, double step[3])
{
    const int n = extent(c->kind);
    double N[TL_ELEMENT_NODES], dN[TL_ELEMENT_NODES][3], J[3][3] = {{0}}, A[9] = {0};
    tl_vec3 r = target;
    c->kind->shape(xi, N);
    c->kind->slope(xi, dN);
    for (int a = 0; a < c->kind->nodes; a++) {
        r = tl_sub(r, tl_scale(N[a], tl_load3(c->x[a])));
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < n; k++) J[i][k] += c->x[a][i] * dN[a][k];
    }
    for (int k = 0; k < n; k++) {
        step[k] = J[0][k] * r.x + J[1][k] * r.y + J[2][k] * r.z;
        for (int l = 0; l < n; l++) A[n * k + l] = J[0][k] * J[0][l] + J[1][k] * J[1][l] + J[2][k] * J[2][l];
    }
    if (tl_cholesky(A, n) < n) return false;
    tl_cholesky_solve(A, n, step);
    return true;
}

/* ξ at which the cell is nearest to a point, as far as it is inside of it; false: it is not. */
static bool find(const cell *c, tl_vec3 target, double xi[3])
{
    double step[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        xi[k] = 0;
        for (int a = 0; a < c->kind->nodes; a++) xi[k] += c->kind->corner[a][k] / c->kind->nodes;
    }
    for (int pass = 0; pass < PASSES; pass++) {
        double size = 0;
        if (!step_towards(c, xi, target, step)) return false;
        for (int k = 0; k < extent(c->kind); k++) xi[k] += step[k], size = fmax(size, fabs(step[k]));
        if (!(outside(c->kind, xi) < 10)) return false;
        if (size < 1e-13) break;
    }
    return outside(c->kind, xi) <= CLOSE;
}

static double distance(const cell *c, const double xi[3], tl_vec3 target)
{
    double N[TL_ELEMENT_NODES];
    c->kind->shape(xi, N);
    for (int a = 0; a < c->kind->nodes; a++) target = tl_sub(target, tl_scale(N[a], tl_load3(c->x[a])));
    return tl_norm(target);
}

/* Part of a cell by nodes of it. */
static cell part_of(const cell *c, const tl_element_kind *kind, const int *node)
{
    cell out = {.kind = kind};
    for (int a = 0; a < kind->nodes; a++) {
        out.node[a] = c->node[node[a]];
        memcpy(out.x[a], c->x[node[a]], sizeof out.x[a]);
    }
    return out;
}

static void take(const cell *c, const double xi[3], double away, talus_solid_point *best)
{
    double N[TL_ELEMENT_NODES];
    c->kind->shape(xi, N);
    best->away = away;
    memset(best->weight, 0, sizeof best->weight);
    for (int a = 0; a < c->kind->nodes; a++) best->weight[c->node[a]] = N[a];
}

/* The cell's nearest point where that is inside of it, if it is nearer than the best. */
static bool consider(const cell *c, tl_vec3 target, talus_solid_point *best)
{
    double xi[3];
    if (!find(c, target, xi)) return false;
    const double away = distance(c, xi, target);
    if (!(away < best->away)) return false;
    take(c, xi, away, best);
    return true;
}

/* A face with its edges and corners. */
static bool consider_face(const cell *face, tl_vec3 target, talus_solid_point *best)
{
    bool nearer = consider(face, target, best);
    for (int e = 0; e < face->kind->faces; e++) {
        const tl_element_face *edge = &face->kind->face[e];
        const cell part = part_of(face, tl_face_kind(edge, 2), edge->node);
        nearer = consider(&part, target, best) || nearer;
    }
    for (int a = 0; a < face->kind->nodes; a++) {
        const double away = tl_norm(tl_sub(target, tl_load3(face->x[a])));
        if (!(away < best->away)) continue;
        take(face, face->kind->corner[a], away, best);
        nearer = true;
    }
    return nearer;
}

/* How far a point is at least from a cell: from the box of its nodes, with room for bent sides. */
static double far(const cell *c, tl_vec3 target)
{
    double square = 0, low[3], high[3], largest = 0;
    const double at[3] = {target.x, target.y, target.z};
    for (int i = 0; i < 3; i++) {
        low[i] = high[i] = c->x[0][i];
        for (int a = 1; a < c->kind->nodes; a++) low[i] = fmin(low[i], c->x[a][i]), high[i] = fmax(high[i], c->x[a][i]);
        largest = fmax(largest, high[i] - low[i]);
    }
    for (int i = 0; i < 3; i++) {
        const double off = fmax(0, fmax(low[i] - at[i], at[i] - high[i]));
        square += off * off;
    }
    return sqrt(square) - 0.25 * largest;
}

static cell element_of(const tl_element_mesh *m, int e)
{
    cell c = {.kind = m->kind[e]};
    for (int a = 0; a < c.kind->nodes; a++) c.node[a] = a;
    tl_element_mesh_places(m, e, c.x);
    return c;
}

static void name_nodes(const tl_element_mesh *m, talus_solid_point *out)
{
    out->nodes = m->kind[out->element]->nodes;
    for (int a = 0; a < out->nodes; a++) out->node[a] = m->node[m->begin[out->element] + a];
}

bool tl_element_mesh_locate(const tl_element_mesh *m, const double x[3], talus_solid_point *out)
{
    const tl_vec3 target = tl_v3(x[0], x[1], m->dimension == 3 ? x[2] : 0);
    *out = (talus_solid_point){.away = (double)INFINITY};
    if (!isfinite(target.x + target.y + target.z)) return false;
    for (int e = 0; e < m->elements; e++) {
        const cell c = element_of(m, e);
        double xi[3];
        if (far(&c, target) > 0 || !find(&c, target, xi)) continue;
        take(&c, xi, 0, out);
        out->element = e;
        name_nodes(m, out);
        return true;
    }
    for (int f = 0; f < m->faces; f++) {
        const int e = m->face[f].element;
        const tl_element_face *side = &m->kind[e]->face[m->face[f].face];
        const cell whole = element_of(m, e), face = part_of(&whole, tl_face_kind(side, m->dimension), side->node);
        if (far(&face, target) >= out->away || !consider_face(&face, target, out)) continue;
        out->element = e;
    }
    name_nodes(m, out);
    return true;
}
