/* Where a grain nearly touches a mesh: a ball, a capsule, a round cylinder or a polyhedron against triangles that bound what is solid.
 *
 * A point of contact is a corner of the grain over a triangle, over a convex edge or over a peak; an edge of the grain across a convex edge; or
 * a peak under a face of the grain. Each is taken only where its normal lies in the cone of directions that the mesh has there and, turned round,
 * in that of the grain: so a flat floor is one plane however it is cut into triangles, and edges inside it do not exist. A normal that is
 * out of the mesh's cone by no more than lying flat allows is put on its border.
 *
 * The corners of a round cylinder are the points of its core that are outermost towards one of the triangles. Its rim and its flat ends are looked at
 * beside them, over convex edges and peaks.
 *
 * A mesh has one side. A corner that is behind a triangle, by less than the grain's own thickness, is in front of none and is brought back by
 * the triangle nearest to it: others that this one hides do not count. */
#include <string.h>

#include "detect/round3.h"

/* As in touches3.c: what is inclined by less (sine) lies along its partner. */
static const double FLAT = 0.05;
/* Differences below this share of the size are rounding. */
static const double FLUSH = 1e-9;
/* Edges inclined by less (sine) do not cross. */
static const double PARALLEL = 1e-6;
/* A grain of which no more than this share reaches behind a triangle's plane lies in front of it with all its corners. */
static const double IN_FRONT = 0.05;
/* Normals that differ by less than acos of this are one plane when there are too many points. */
static const double ONE_PLANE = 0.9995;

enum { MOST = 512, FEET = 32 };
enum { CORNER_FACE = 1, CORNER_EDGE, CORNER_PEAK, EDGE_EDGE, FACE_PEAK, EDGE_PEAK };

/* Everything in the axes of the mesh. */
typedef struct search {
    const tl_mesh3 *mesh;
    const tl_shape3 *grain;
    double alert, radius, size, flush;
    double behind;     /* how far what touches may have passed */
    tl_vec3 low, high; /* of the grain, with room to touch */
    tl_round3 core;    /* of a round cylinder              */
    int points;
    tl_vec3 point[TL_HULL_POINTS];
    uint32_t number[TL_HULL_POINTS];  /* of each point, the same from step to step */
    tl_vec3 face[2 * TL_HULL_POINTS]; /* normals */
    int count;
    tl_touch3 touch[MOST];
} search;

/* ---- points -------------------------------------------------------------------------------------------------------- */

/* What faces what, as 24 bits. Two of one pair may get the same number: it is made different at the end, and costs a first guess. */
static uint32_t feature_of(int kind, uint32_t of_grain, int of_mesh)
{
    uint32_t h = (uint32_t)kind * 0x9e3779b1u ^ of_grain * 0x85ebca77u ^ (uint32_t)of_mesh * 0x27d4eb2fu;
    h ^= h >> 15, h *= 0xc2b2ae3du, h ^= h >> 13, h *= 0x2c1b3c6du, h ^= h >> 16;
    return h & 0xffffffu;
}

/* The same point twice: on an edge, over two triangles of one plane, or where two edges meet. */
static bool known(const search *s, const tl_touch3 *t)
{
    for (int i = s->count - 1; i >= 0; i--) {
        const tl_touch3 *u = &s->touch[i];
        const tl_vec3 turned = tl_sub(t->normal, u->normal), apart = tl_sub(t->point, u->point);
        if (tl_dot(turned, turned) < FLUSH * FLUSH && tl_dot(apart, apart) < s->flush * s->flush) return true;
    }
    return false;
}

/* x on the grain's core, `apart` from the mesh along n. */
static void add(search *s, uint32_t feature, tl_vec3 x, tl_vec3 n, double apart)
{
    const double gap = apart - s->radius;
    if (!(gap < s->alert)) return;
    const tl_touch3 t = {tl_sub(x, tl_scale(s->radius + 0.5 * gap, n)), n, gap, feature};
    if (known(s, &t)) return;
    int at = s->count;
    if (at < MOST) s->count++;
    else { /* never in a sane scene: the farthest makes room */ at = 0;
        for (int i = 1; i < MOST; i++)
            if (s->touch[i].gap > s->touch[at].gap) at = i;
        if (s->touch[at].gap <= gap) return;
    }
    s->touch[at] = t;
}

/* ---- cones --------------------------------------------------------------------------------------------------------- */

/* Least n·x over the grain's corners. */
static double least(const search *s, tl_vec3 n)
{
    if (s->grain->rim > 0) return -tl_round3_most(&s->core, tl_scale(-1, n));
    double low = tl_dot(n, s->point[0]);
    for (int i = 1; i < s->points; i++) low = tl_smaller(low, tl_dot(n, s->point[i]));
    return low;
}

/* No edge of the grain goes down from the corner along n, but for the slack. */
static bool is_lowest(const search *s, int corner, tl_vec3 n, double slack)
{
    const tl_shape3 *g = s->grain;
    const tl_vec3 x = s->point[corner];
    if (g->rim > 0) return tl_dot(n, x) - least(s, n) <= slack * 2 * tl_larger(s->core.rim, s->core.half);
    if (g->points == 2) {
        const tl_vec3 d = tl_sub(s->point[1 - corner], x);
        return tl_dot(n, d) >= -slack * tl_norm(d);
    }
    for (int e = 0; e < g->edges; e++) {
        const int p = g->edge[e].from, q = g->edge[e].to;
        if (p != corner && q != corner) continue;
        const tl_vec3 d = tl_sub(s->point[p == corner ? q : p], x);
        if (tl_dot(n, d) < -slack * tl_norm(d)) return false;
    }
    return true;
}

static tl_vec3 along(const tl_mesh3 *m, const tl_mesh_edge3 *e) { return tl_sub(m->vertex[e->to], m->vertex[e->from]); }

/* n, at right angles to the edge, lies between the normals on its sides; one that is outside by less than `slack` is put on the nearer side. */
static bool between(const search *s, const tl_mesh_edge3 *e, double slack, tl_vec3 *n)
{
    const tl_vec3 u = tl_normalize(along(s->mesh, e));
    const double left = tl_dot(tl_cross(e->n[0], *n), u), right = tl_dot(tl_cross(*n, e->n[1]), u);
    if (tl_dot(*n, tl_add(e->n[0], e->n[1])) < -slack || left < -slack || right < -slack) return false;
    if (left < 0) *n = e->n[0];
    else if (right < 0) *n = e->n[1];
    return true;
}

/* n leads away from all edges at a peak; on a border, also not to the back. */
static bool over_peak(const tl_mesh3 *m, int v, tl_vec3 n)
{
    tl_vec3 outward = {0, 0, 0};
    for (int k = m->spoke_begin[v]; k < m->spoke_begin[v + 1]; k++) {
        const tl_mesh_edge3 *e = &m->edge[m->spoke[k]];
        const tl_vec3 d = tl_sub(m->vertex[e->from == v ? e->to : e->from], m->vertex[v]);
        if (tl_dot(n, d) > FLUSH * tl_norm(d)) return false;
        outward = tl_add(outward, e->n[0]);
    }
    return m->peak[v] == 1 || tl_dot(n, outward) >= -FLUSH;
}

/* The same for a direction that is given by the grain; one that all but is the normal of a triangle there becomes it. */
static bool lies_on_peak(const tl_mesh3 *m, int v, tl_vec3 *n)
{
    const double flat = sqrt(1 - FLAT * FLAT);
    if (over_peak(m, v, *n)) return true;
    for (int k = m->spoke_begin[v]; k < m->spoke_begin[v + 1]; k++) {
        const tl_mesh_edge3 *e = &m->edge[m->spoke[k]];
        const int sides[2] = {e->left, e->right};
        for (int i = 0; i < 2; i++) {
            if (sides[i] < 0 || tl_dot(m->normal[sides[i]], *n) < flat) continue;
            *n = m->normal[sides[i]];
            return true;
        }
    }
    return false;
}

/* ---- triangles ----------------------------------------------------------------------------------------------------- */

/* How far x is within side k of a triangle, in its plane. */
static double inside_side(const tl_mesh3 *m, int t, int k, tl_vec3 x)
{
    const tl_vec3 a = m->vertex[m->corner[t][k]], d = tl_sub(m->vertex[m->corner[t][(k + 1) % 3]], a);
    return tl_dot(tl_cross(m->normal[t], d), tl_sub(x, a)) / tl_norm(d);
}

/* x has come down into a concave edge, so far that it is over neither of the triangles there; then it is over both. */
static bool is_in_valley(const tl_mesh3 *m, int edge, tl_vec3 x)
{
    const tl_mesh_edge3 *e = &m->edge[edge];
    if (e->sharp || e->right < 0) return false;
    const int t[2] = {e->left, e->right};
    for (int i = 0; i < 2; i++) {
        int k = 0;
        while (m->side[t[i]][k] != edge) k++;
        if (tl_dot(m->normal[t[i]], x) >= m->offset[t[i]] || inside_side(m, t[i], k, x) > 0) return false;
    }
    return true;
}

/* x lies over or under the triangle. */
static bool is_above(const tl_mesh3 *m, int t, tl_vec3 x, double flush)
{
    for (int k = 0; k < 3; k++)
        if (inside_side(m, t, k, x) < -flush && !is_in_valley(m, m->side[t][k], x)) return false;
    return true;
}

static bool has_vertex(const tl_mesh3 *m, int t, int v) { return m->corner[t][0] == v || m->corner[t][1] == v || m->corner[t][2] == v; }

/* A border's point on a triangle that does not have that border, or that corner, is none: triangles need not meet corner to corner. */
static bool is_covered(const search *s, tl_vec3 x, int own, bool own_is_vertex)
{
    const tl_mesh3 *m = s->mesh;
    const tl_vec3 rim = tl_v3(s->flush, s->flush, s->flush);
    tl_mesh_walk3 walk = tl_mesh3_walk(m, tl_sub(x, rim), tl_add(x, rim));
    for (int t; (t = tl_mesh3_next(&walk)) >= 0;)
        if (!(own_is_vertex ? has_vertex(m, t, own) : t == own) && fabs(tl_dot(m->normal[t], x) - m->offset[t]) <= s->flush && is_above(m, t, x, s->flush))
            return true;
    return false;
}

/* On a border, at share f of it, that is covered. */
static bool is_seam(const search *s, const tl_mesh_edge3 *e, double f, tl_vec3 x)
{
    if (e->right >= 0) return false;
    if (f > FLUSH && f < 1 - FLUSH) return is_covered(s, x, e->left, false);
    const int v = f > 0.5 ? e->to : e->from;
    return is_covered(s, s->mesh->vertex[v], v, true);
}

typedef struct foot {
    int triangle; /* −1: an edge or a peak, in front of which the point is */
    double d;     /* height of the point above it                          */
    tl_vec3 at;   /* its middle; of an edge, the foot of the point         */
} foot;

typedef struct feet {
    int count;
    foot foot[FEET];
} feet;

static void add_foot(feet *f, int triangle, double d, tl_vec3 at)
{
    if (f->count < FEET) f->foot[f->count++] = (foot){triangle, d, at};
}

static tl_vec3 middle_of(const tl_mesh3 *m, int t)
{
    const int32_t *c = m->corner[t];
    return tl_scale(1.0 / 3, tl_add(m->vertex[c[0]], tl_add(m->vertex[c[1]], m->vertex[c[2]])));
}

/* b, whose plane the point is behind, does not count where another triangle is nearer, or has the point in front of it, and lies behind b's plane: as
 * the top of a step hides its riser, and the front of a plate its back. A floor does not hide a wall, since it lies in front of that. */
static bool is_hidden(const tl_mesh3 *m, const feet *f, int b, double flush)
{
    const int tb = f->foot[b].triangle;
    for (int a = 0; a < f->count; a++) {
        if (a == b || !(f->foot[a].d >= 0 || f->foot[a].d > f->foot[b].d)) continue;
        if (tl_dot(m->normal[tb], f->foot[a].at) - m->offset[tb] < -flush) return true;
    }
    return false;
}

static void face_touches(search *s, int corner, const feet *f)
{
    const tl_mesh3 *m = s->mesh;
    for (int k = 0; k < f->count; k++) {
        const int t = f->foot[k].triangle;
        const double d = f->foot[k].d;
        if (t < 0 || !(d - s->radius < s->alert) || (d < 0 && is_hidden(m, f, k, s->flush))) continue;
        const tl_vec3 n = m->normal[t];
        if (s->grain->points > 1 && least(s, n) - m->offset[t] < -IN_FRONT * s->size && !is_lowest(s, corner, n, FLAT)) continue;
        add(s, feature_of(CORNER_FACE, s->number[corner], m->region[t]), s->point[corner], n, d);
    }
}

/* ---- corners of the grain ------------------------------------------------------------------------------------------ */

static bool may_touch_along(const search *s, int corner, tl_vec3 n) { return s->grain->points == 1 || least(s, n) >= tl_dot(n, s->point[corner]) - s->flush; }

static void corner_over_edge(search *s, int corner, int edge, feet *near)
{
    const tl_mesh3 *m = s->mesh;
    const tl_mesh_edge3 *e = &m->edge[edge];
    const tl_vec3 a = m->vertex[e->from], d = along(m, e), x = s->point[corner];
    const double f = tl_dot(tl_sub(x, a), d) / tl_dot(d, d);
    if (!(f >= -FLUSH && f <= 1 + FLUSH)) return;
    const tl_vec3 foot_on = tl_add(a, tl_scale(f, d)), way = tl_sub(x, foot_on);
    const double distance = tl_norm(way);
    tl_vec3 n = tl_normalize(tl_add(e->n[0], e->n[1])); /* where the middle of a ball has come down to the edge */
    if (distance <= s->flush && !(s->radius > 0)) return;
    if (distance > s->flush) n = tl_scale(1 / distance, way);
    if (!between(s, e, FLUSH, &n)) return;
    add_foot(near, -1, distance, foot_on);
    if (!(distance - s->radius < s->alert) || !may_touch_along(s, corner, n)) return;
    if (is_seam(s, e, f, foot_on)) return;
    add(s, feature_of(CORNER_EDGE, s->number[corner], edge), x, n, distance);
}

static void corner_over_peak(search *s, int corner, int v, feet *near)
{
    const tl_vec3 way = tl_sub(s->point[corner], s->mesh->vertex[v]);
    const double distance = tl_norm(way);
    if (distance <= s->flush) return;
    const tl_vec3 n = tl_scale(1 / distance, way);
    if (!over_peak(s->mesh, v, n)) return;
    add_foot(near, -1, distance, s->mesh->vertex[v]);
    if (!(distance - s->radius < s->alert) || !may_touch_along(s, corner, n)) return;
    if (s->mesh->peak[v] == 2 && is_covered(s, s->mesh->vertex[v], v, true)) return;
    add(s, feature_of(CORNER_PEAK, s->number[corner], v), s->point[corner], n, distance);
}

static void corner_touches(search *s, int corner)
{
    const tl_mesh3 *m = s->mesh;
    const tl_vec3 x = s->point[corner];
    const double r = tl_larger(s->behind, s->radius + s->alert);
    const tl_vec3 rim = tl_v3(r, r, r);
    feet near;
    near.count = 0;
    tl_mesh_walk3 walk = tl_mesh3_walk(m, tl_sub(x, rim), tl_add(x, rim));
    for (int t; (t = tl_mesh3_next(&walk)) >= 0;) {
        const double d = tl_dot(m->normal[t], x) - m->offset[t];
        if (d >= -s->behind && d <= r && is_above(m, t, x, s->flush)) add_foot(&near, t, d, middle_of(m, t));
        for (int k = 0; k < 3; k++) {
            const int edge = m->side[t][k], v = m->corner[t][k];
            if (m->edge[edge].left == t && m->edge[edge].sharp) corner_over_edge(s, corner, edge, &near);
            if (m->owner[v] == t && m->peak[v]) corner_over_peak(s, corner, v, &near);
        }
    }
    face_touches(s, corner, &near);
}

/* ---- edges and faces of the grain ---------------------------------------------------------------------------------- */

/* The separation along the planes on both sides of an edge. What is deeper along its own direction is not how the two part. */
static double along_sides(const search *s, const tl_mesh_edge3 *e)
{
    const tl_vec3 p = s->mesh->vertex[e->from];
    return tl_larger(least(s, e->n[0]) - tl_dot(e->n[0], p), least(s, e->n[1]) - tl_dot(e->n[1], p));
}

/* A point of the mesh is within the grain: overlaps are told from what an edge would reach if it went on. */
static bool is_within(const search *s, tl_vec3 x)
{
    const tl_shape3 *g = s->grain;
    for (int f = 0; f < g->faces; f++)
        if (tl_dot(s->face[f], tl_sub(x, s->point[g->corner[g->face_begin[f]]])) > s->flush) return false;
    return true;
}

/* −n lies between the normals of the two faces that meet in an edge of the grain. */
static bool between_faces(const search *s, const tl_edge3 *g, tl_vec3 n, double slack)
{
    const tl_vec3 u = tl_normalize(tl_sub(s->point[g->to], s->point[g->from])), back = tl_scale(-1, n);
    const tl_vec3 left = s->face[g->left], right = s->face[g->right];
    return tl_dot(back, tl_add(left, right)) > 0 && tl_dot(tl_cross(left, back), u) >= -slack && tl_dot(tl_cross(back, right), u) >= -slack;
}

static void edge_across(search *s, int edge, double sides, int number)
{
    const tl_shape3 *g = s->grain;
    const tl_mesh_edge3 *e = &s->mesh->edge[edge];
    const tl_edge3 *of_grain = g->faces ? &g->edge[number] : NULL;
    const tl_vec3 p = s->mesh->vertex[e->from], d = along(s->mesh, e);
    const tl_vec3 q = s->point[of_grain ? of_grain->from : 0], f = tl_sub(s->point[of_grain ? of_grain->to : 1], q), r = tl_sub(q, p), c = tl_cross(d, f);
    const double cc = tl_dot(c, c);
    if (!(cc > PARALLEL * PARALLEL * tl_dot(d, d) * tl_dot(f, f))) return;
    const double u = tl_dot(tl_cross(r, f), c) / cc, v = tl_dot(tl_cross(r, d), c) / cc;
    if (!(u >= -FLUSH && u <= 1 + FLUSH && v >= -FLUSH && v <= 1 + FLUSH)) return;
    tl_vec3 n = tl_scale((tl_dot(c, tl_add(e->n[0], e->n[1])) < 0 ? -1 : 1) / sqrt(cc), c);
    if (of_grain && !between_faces(s, of_grain, n, FLAT)) return;
    if (!between(s, e, FLAT, &n)) return;
    const tl_vec3 x = tl_add(q, tl_scale(v, f)), y = tl_add(p, tl_scale(u, d));
    const double apart = tl_dot(n, tl_sub(x, y));
    if (apart < -s->behind || apart < sides - s->flush || !(apart - s->radius < s->alert)) return;
    if ((of_grain && apart < -s->flush && !is_within(s, y)) || is_seam(s, e, u, y)) return;
    add(s, feature_of(EDGE_EDGE, (uint32_t)number, edge), x, n, apart);
}

static void edge_touches(search *s, int edge)
{
    const double sides = along_sides(s, &s->mesh->edge[edge]);
    if (!(sides - s->radius < s->alert)) return;
    const int count = s->grain->faces ? s->grain->edges : 1;
    for (int k = 0; k < count; k++) edge_across(s, edge, sides, k);
}

/* The way out along the triangles at a vertex. */
static double along_triangles(const search *s, int v)
{
    const tl_mesh3 *m = s->mesh;
    double most = -(double)INFINITY;
    for (int k = m->spoke_begin[v]; k < m->spoke_begin[v + 1]; k++) {
        const tl_mesh_edge3 *e = &m->edge[m->spoke[k]];
        most = tl_larger(most, least(s, m->normal[e->left]) - m->offset[e->left]);
        if (e->right >= 0) most = tl_larger(most, least(s, m->normal[e->right]) - m->offset[e->right]);
    }
    return most;
}

static bool is_under(const search *s, int face, tl_vec3 x)
{
    const tl_shape3 *g = s->grain;
    const int begin = g->face_begin[face], count = g->face_begin[face + 1] - begin;
    for (int k = 0; k < count; k++) {
        const tl_vec3 a = s->point[g->corner[begin + k]], d = tl_sub(s->point[g->corner[begin + (k + 1) % count]], a);
        if (tl_dot(tl_cross(s->face[face], d), tl_sub(x, a)) < -s->flush * tl_norm(d)) return false;
    }
    return true;
}

/* A peak nearest to the inside of an edge, or to the side of a capsule. */
static void peak_at_edge(search *s, int v, int number)
{
    const tl_shape3 *g = s->grain;
    const tl_edge3 *e = g->faces ? &g->edge[number] : NULL;
    const tl_vec3 x = s->mesh->vertex[v], p = s->point[e ? e->from : 0], d = tl_sub(s->point[e ? e->to : 1], p);
    const double f = tl_dot(tl_sub(x, p), d) / tl_dot(d, d);
    if (!(f > 0 && f < 1)) return;
    const tl_vec3 y = tl_add(p, tl_scale(f, d)), way = tl_sub(y, x);
    const double distance = tl_norm(way);
    if (distance <= s->flush || !(distance - s->radius < s->alert)) return;
    const tl_vec3 n = tl_scale(1 / distance, way);
    if (!over_peak(s->mesh, v, n) || (e && !between_faces(s, e, n, FLUSH))) return;
    if (s->mesh->peak[v] == 2 && is_covered(s, x, v, true)) return;
    add(s, feature_of(EDGE_PEAK, (uint32_t)number, v), y, n, distance);
}

static void peak_at_face(search *s, int v, int f)
{
    const tl_shape3 *g = s->grain;
    const tl_vec3 x = s->mesh->vertex[v];
    const double apart = tl_dot(s->face[f], tl_sub(x, s->point[g->corner[g->face_begin[f]]]));
    tl_vec3 n = tl_scale(-1, s->face[f]);
    if (apart < -s->behind || !(apart < s->alert) || !is_under(s, f, x) || !lies_on_peak(s->mesh, v, &n)) return;
    if (apart < -s->flush && !is_within(s, x)) return;
    if (apart < along_triangles(s, v) - s->flush || (s->mesh->peak[v] == 2 && is_covered(s, x, v, true))) return;
    add(s, feature_of(FACE_PEAK, (uint32_t)f, v), tl_add(x, tl_scale(apart, n)), n, apart);
}

static void peak_touches(search *s, int v)
{
    const int edges = s->grain->faces ? s->grain->edges : 1;
    for (int k = 0; k < edges; k++) peak_at_edge(s, v, k);
    for (int f = 0; f < s->grain->faces; f++) peak_at_face(s, v, f);
}

/* ---- rims and flat ends of round cylinders -------------------------------------------------------------------------- */

/* A point of the mesh seen along m, the direction of a flat end from the mesh, is under that end. */
static bool is_under_end(const search *s, tl_vec3 m, tl_vec3 x)
{
    const tl_vec3 d = tl_sub(x, s->core.c);
    return tl_norm(tl_sub(d, tl_scale(tl_dot(d, m), m))) <= s->core.rim + s->flush;
}

/* x on the mesh, under the flat end that faces it, n: the direction in which it counts. */
static void add_under_end(search *s, uint32_t feature, tl_vec3 m, tl_vec3 x, tl_vec3 n)
{
    const double apart = tl_dot(m, tl_sub(s->core.c, x)) - s->core.half;
    if (apart >= -s->behind) add(s, feature, tl_add(x, tl_scale(apart, m)), n, apart);
}

/* An edge that lies along a flat end: where it goes out under the rim. */
static void edge_under_end(search *s, int edge, tl_vec3 p, tl_vec3 d)
{
    const tl_mesh_edge3 *e = &s->mesh->edge[edge];
    tl_vec3 m = s->core.n, n;
    if (tl_dot(m, tl_add(e->n[0], e->n[1])) < 0) m = tl_scale(-1, m);
    n = m;
    if (fabs(tl_dot(m, d)) > FLAT * tl_norm(d) || !between(s, e, FLAT, &n)) return;
    const tl_vec3 r = tl_sub(p, s->core.c), from = tl_sub(r, tl_scale(tl_dot(r, m), m)), way = tl_sub(d, tl_scale(tl_dot(d, m), m));
    const double square = tl_dot(way, way), half = tl_dot(from, way), under = half * half - square * (tl_dot(from, from) - s->core.rim * s->core.rim);
    for (int k = 0; k < 2 && under > 0; k++) {
        const double f = (-half + (k ? 1 : -1) * sqrt(under)) / square;
        const tl_vec3 x = tl_add(p, tl_scale(f, d));
        if (f >= 0 && f <= 1 && !is_seam(s, e, f, x)) add_under_end(s, feature_of(EDGE_EDGE, 1 + (uint32_t)k, edge), m, x, n);
    }
}

static void round_over_edge(search *s, int edge)
{
    const tl_mesh_edge3 *e = &s->mesh->edge[edge];
    const tl_vec3 p = s->mesh->vertex[e->from], d = along(s->mesh, e);
    const double sides = along_sides(s, e), length = tl_norm(d);
    tl_vec3 x, y, n = tl_normalize(tl_add(e->n[0], e->n[1]));
    if (!(sides - s->radius < s->alert)) return;
    edge_under_end(s, edge, p, d);
    tl_round3_segment(&s->core, p, d, &x, &y);
    const double distance = tl_norm(tl_sub(x, y)), f = tl_dot(tl_sub(y, p), d) / (length * length);
    if (distance > s->flush) n = tl_scale(1 / distance, tl_sub(x, y));
    if (fabs(tl_dot(n, d)) > 1e-6 * length || !between(s, e, FLUSH, &n)) return; /* else over a peak */
    const double apart = distance > s->flush ? distance : least(s, n) - tl_dot(n, y);
    if (apart < -s->behind || apart < sides - s->flush || is_seam(s, e, f, y)) return;
    add(s, feature_of(EDGE_EDGE, 0, edge), tl_add(y, tl_scale(apart, n)), n, apart);
}

static void round_over_peak(search *s, int v)
{
    const tl_vec3 y = s->mesh->vertex[v], way = tl_sub(tl_round3_nearest(&s->core, y), y);
    const double distance = tl_norm(way);
    if (s->mesh->peak[v] == 2 && is_covered(s, y, v, true)) return;
    const tl_vec3 m = tl_scale(tl_dot(tl_sub(s->core.c, y), s->core.n) < 0 ? -1 : 1, s->core.n);
    tl_vec3 n = m;
    if (is_under_end(s, m, y)) {
        if (lies_on_peak(s->mesh, v, &n)) add_under_end(s, feature_of(FACE_PEAK, 0, v), m, y, n);
        return;
    }
    if (distance <= s->flush || !over_peak(s->mesh, v, tl_scale(1 / distance, way))) return;
    add(s, feature_of(EDGE_PEAK, 0, v), tl_add(y, way), tl_scale(1 / distance, way), distance);
}

static void side_touches(search *s)
{
    const tl_mesh3 *m = s->mesh;
    const bool round = s->grain->rim > 0;
    tl_mesh_walk3 walk = tl_mesh3_walk(m, s->low, s->high);
    for (int t; (t = tl_mesh3_next(&walk)) >= 0;)
        for (int k = 0; k < 3; k++) {
            const int edge = m->side[t][k], v = m->corner[t][k];
            if (m->edge[edge].left == t && m->edge[edge].sharp) (round ? round_over_edge : edge_touches)(s, edge);
            if (m->owner[v] == t && m->peak[v]) (round ? round_over_peak : peak_touches)(s, v);
        }
}

/* ---- the whole ----------------------------------------------------------------------------------------------------- */

/* The points of a round core that are outermost towards the triangles near it. */
static void place_round(search *s)
{
    tl_mesh_walk3 walk = tl_mesh3_walk(s->mesh, s->low, s->high);
    s->points = 0;
    for (int t; (t = tl_mesh3_next(&walk)) >= 0;) {
        tl_vec3 spot[TL_ROUND_SPOTS];
        uint32_t number[TL_ROUND_SPOTS];
        const int spots = tl_round3_spots(&s->core, tl_scale(-1, s->mesh->normal[t]), spot, number);
        for (int i = 0; i < spots; i++) {
            bool old = s->points == TL_HULL_POINTS;
            for (int k = 0; k < s->points && !old; k++) old = tl_norm(tl_sub(s->point[k], spot[i])) <= s->flush;
            if (!old) s->number[s->points] = number[i], s->point[s->points++] = spot[i];
        }
    }
}

/* The grain in the axes of the mesh. False: it is not near, or is nowhere. */
static bool place(search *s, const tl_frame *at, const tl_frame *grain_at)
{
    const tl_shape3 *g = s->grain;
    const tl_mat3 back = tl_mat3_transpose(&at->R), turn = tl_mat3_mul(&back, &grain_at->R);
    const tl_vec3 p = tl_turn_back3(&at->R, tl_sub(grain_at->p, at->p));
    s->low = tl_v3((double)INFINITY, (double)INFINITY, (double)INFINITY), s->high = tl_scale(-1, s->low);
    s->points = g->points;
    for (int i = 0; i < g->points; i++) {
        const tl_vec3 x = s->point[i] = tl_add(tl_turn3(&turn, g->point[i]), p);
        s->number[i] = (uint32_t)i;
        if (!isfinite(x.x + x.y + x.z)) return false;
        s->low = tl_v3(tl_smaller(s->low.x, x.x), tl_smaller(s->low.y, x.y), tl_smaller(s->low.z, x.z));
        s->high = tl_v3(tl_larger(s->high.x, x.x), tl_larger(s->high.y, x.y), tl_larger(s->high.z, x.z));
    }
    s->behind = s->radius;
    if (g->faces) s->behind = (double)INFINITY;
    for (int f = 0; f < g->faces; f++) s->behind = tl_smaller(s->behind, g->plane[f].offset - tl_dot(g->plane[f].n, g->centre));
    const double r = tl_larger(s->behind, s->radius + s->alert) + g->rim;
    s->low = tl_sub(s->low, tl_v3(r, r, r)), s->high = tl_add(s->high, tl_v3(r, r, r));
    tl_mesh_walk3 walk = tl_mesh3_walk(s->mesh, s->low, s->high);
    if (tl_mesh3_next(&walk) < 0) return false;
    if (g->rim > 0) s->core = tl_round3_place(g, &turn, p), place_round(s);
    for (int f = 0; f < g->faces; f++) s->face[f] = tl_turn3(&turn, g->plane[f].n);
    return true;
}

/* The deepest point and those of its plane, eight of them at most, then of the rest, until `limit`. One plane has no more than it would have
 * as a half-space. */
static int choose(search *s, int limit, tl_touch3 *out)
{
    tl_touch3 plane[MOST], best[TL_TOUCHES3];
    int kept = 0;
    while (s->count > 0 && kept < limit) {
        int head = 0, rest = 0, count = 0;
        for (int i = 1; i < s->count; i++)
            if (s->touch[i].gap < s->touch[head].gap) head = i;
        const tl_vec3 n = s->touch[head].normal;
        for (int i = 0; i < s->count; i++)
            if (i == head || tl_dot(s->touch[i].normal, n) > ONE_PLANE) plane[count++] = s->touch[i];
            else s->touch[rest++] = s->touch[i];
        s->count = rest;
        count = tl_touches3_choose(plane, count, n, best);
        for (int i = 0; i < count && kept < limit; i++) out[kept++] = best[i];
    }
    for (int i = 1; i < kept; i++) {
        const tl_touch3 moved = out[i];
        int at = i;
        for (; at > 0 && out[at - 1].feature > moved.feature; at--) out[at] = out[at - 1];
        out[at] = moved;
    }
    for (int i = 1; i < kept; i++) /* one number each, below 2²⁴ */
        if (out[i].feature <= out[i - 1].feature) out[i].feature = out[i - 1].feature + 1;
    return kept;
}

int tl_mesh_touches3(const tl_mesh3 *mesh, const tl_frame *at, const tl_shape3 *grain, const tl_frame *grain_at, bool mesh_is_b, double alert, tl_touch3 *out)
{
    search s;
    s.mesh = mesh, s.grain = grain, s.alert = alert, s.radius = grain->radius, s.count = 0;
    s.size = grain->reach;
    s.flush = FLUSH * s.size;
    if (!place(&s, at, grain_at)) return 0;
    for (int i = 0; i < s.points; i++) corner_touches(&s, i);
    if (grain->points > 1) side_touches(&s);
    const int count = choose(&s, grain->points == 1 ? TL_TOUCHES3 : TL_MESH_TOUCHES3, out);
    for (int i = 0; i < count; i++) {
        out[i].point = tl_add(tl_turn3(&at->R, out[i].point), at->p);
        out[i].normal = tl_scale(mesh_is_b ? -1 : 1, tl_turn3(&at->R, out[i].normal));
    }
    return count;
}
