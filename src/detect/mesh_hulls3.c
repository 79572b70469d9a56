/* What a grain with corners touches a mesh with besides these: an edge across a convex edge of the mesh, an edge or a face over a peak. */
#include "detect/mesh_search3.h"

static const double FLAT = TL_FLAT3, FLUSH = TL_MESH_FLUSH;
/* Edges inclined by less (sine) do not cross. */
static const double PARALLEL = 1e-6;

/* The separation along the planes on both sides of an edge. What is deeper along its own direction is not how the two part. */
double tl_mesh_along_sides(const tl_mesh_search3 *s, const tl_mesh_edge3 *e)
{
    const tl_vec3 p = s->mesh->vertex[e->from];
    return tl_larger(tl_mesh_least(s, e->n[0]) - tl_dot(e->n[0], p), tl_mesh_least(s, e->n[1]) - tl_dot(e->n[1], p));
}

/* How far x is outside the plane of a face of the grain. */
static double outside_face(const tl_mesh_search3 *s, int face, tl_vec3 x) { return tl_dot(s->face[face], x) - s->height[face]; }

/* The grain leaves an edge of the mesh by one of its faces: that lies along the edge, and its normal between those on the edge's sides. */
static bool leaves_by(const tl_mesh_search3 *s, const tl_mesh_edge3 *e, int face)
{
    const tl_vec3 d = tl_mesh_along(s->mesh, e);
    tl_vec3 n = tl_scale(-1, s->face[face]);
    return fabs(tl_dot(n, d)) <= FLAT * tl_norm(d) && tl_mesh_between(s, e, FLAT, &n);
}

/* How much of an edge of the mesh, which begins at p and goes on by d, is within the grain. */
static double length_within(const tl_mesh_search3 *s, tl_vec3 p, tl_vec3 d)
{
    double from = 0, to = 1;
    for (int f = 0; f < s->grain->faces; f++) {
        const double before = outside_face(s, f, p), after = outside_face(s, f, tl_add(p, d));
        if (before > s->flush) from = after < before ? tl_larger(from, before / (before - after)) : 1;
        if (after > s->flush) to = before < after ? tl_smaller(to, before / (before - after)) : 0;
    }
    return to > from ? (to - from) * tl_norm(d) : 0;
}

/* An edge of the mesh is within the grain at y, where it crosses an edge g of that: overlaps are told from what an edge would reach if it went on. Out of the
 * two faces at a sharp edge of the grain y may well be, but then as much of the edge is within the grain as it is deep: else the grain leaves it by less. */
static bool is_within(const tl_mesh_search3 *s, const tl_mesh_edge3 *e, const tl_edge3 *g, tl_vec3 y, double apart)
{
    const tl_vec3 from = s->mesh->vertex[e->from], d = tl_mesh_along(s->mesh, e), to = tl_add(from, d);
    for (int f = 0; f < s->grain->faces; f++) {
        const double whole = tl_smaller(outside_face(s, f, from), outside_face(s, f, to));
        if (whole > s->flush || (f != g->left && f != g->right && outside_face(s, f, y) > s->flush)) return false;
        if (whole > apart + s->flush && leaves_by(s, e, f)) return false;
    }
    const bool out = outside_face(s, g->left, y) > s->flush || outside_face(s, g->right, y) > s->flush;
    return !out || length_within(s, from, d) >= -TL_MESH_WITHIN * apart;
}

/* The grain leaves a peak, at x, sooner by another face of those that it may leave by; or the peak is not within it. */
static bool leaves_sooner(const tl_mesh_search3 *s, int v, tl_vec3 x, double apart)
{
    for (int f = 0; f < s->grain->faces; f++) {
        const double other = outside_face(s, f, x);
        tl_vec3 n = tl_scale(-1, s->face[f]);
        if (other > apart + s->flush && (other > s->flush || tl_mesh_lies_on_peak(s->mesh, v, &n))) return true;
    }
    return false;
}

/* One face of the grain has all from a to b so far outside that nothing touches. */
static bool is_apart(const tl_mesh_search3 *s, tl_vec3 a, tl_vec3 b)
{
    const double most = s->radius + s->alert + s->flush;
    for (int f = 0; f < s->grain->faces; f++)
        if (outside_face(s, f, a) > most && outside_face(s, f, b) > most) return true;
    return false;
}

/* −n lies between the normals of the two faces that meet in an edge of the grain. */
static bool between_faces(const tl_mesh_search3 *s, const tl_edge3 *g, tl_vec3 n, double slack)
{
    const tl_vec3 u = tl_normalize(tl_sub(s->point[g->to], s->point[g->from])), back = tl_scale(-1, n);
    const tl_vec3 left = s->face[g->left], right = s->face[g->right];
    return tl_dot(back, tl_add(left, right)) > 0 && tl_dot(tl_cross(left, back), u) >= -slack && tl_dot(tl_cross(back, right), u) >= -slack;
}

static void edge_across(tl_mesh_search3 *s, int edge, double sides, int number)
{
    const tl_shape3 *g = s->grain;
    const tl_mesh_edge3 *e = &s->mesh->edge[edge];
    const tl_edge3 *of_grain = g->faces ? &g->edge[number] : NULL;
    const tl_vec3 p = s->mesh->vertex[e->from], d = tl_mesh_along(s->mesh, e);
    const tl_vec3 q = s->point[of_grain ? of_grain->from : 0], f = tl_sub(s->point[of_grain ? of_grain->to : 1], q), r = tl_sub(q, p), c = tl_cross(d, f);
    const double cc = tl_dot(c, c);
    if (!(cc > PARALLEL * PARALLEL * tl_dot(d, d) * tl_dot(f, f))) return;
    const double u = tl_dot(tl_cross(r, f), c) / cc, v = tl_dot(tl_cross(r, d), c) / cc;
    if (!(u >= -FLUSH && u <= 1 + FLUSH && v >= -FLUSH && v <= 1 + FLUSH)) return;
    tl_vec3 n = tl_scale((tl_dot(c, tl_add(e->n[0], e->n[1])) < 0 ? -1 : 1) / sqrt(cc), c);
    if (of_grain && !between_faces(s, of_grain, n, FLAT)) return;
    if (!tl_mesh_between(s, e, FLAT, &n)) return;
    const tl_vec3 x = tl_add(q, tl_scale(v, f)), y = tl_add(p, tl_scale(u, d));
    const double apart = tl_dot(n, tl_sub(x, y));
    if (apart < -s->behind || apart < sides - s->flush || !(apart - s->radius < s->alert)) return;
    if ((of_grain && apart < -s->flush && !is_within(s, e, of_grain, y, apart)) || tl_mesh_is_seam(s, e, u, y)) return;
    tl_mesh_add(s, tl_mesh_feature(EDGE_EDGE, (uint32_t)number, edge), x, n, apart);
}

void tl_mesh_hull_over_edge(tl_mesh_search3 *s, int edge)
{
    const tl_mesh_edge3 *e = &s->mesh->edge[edge];
    if (is_apart(s, s->mesh->vertex[e->from], s->mesh->vertex[e->to])) return;
    const double sides = tl_mesh_along_sides(s, e);
    if (!(sides - s->radius < s->alert)) return;
    const int count = s->grain->faces ? s->grain->edges : 1;
    for (int k = 0; k < count; k++) edge_across(s, edge, sides, k);
}

/* The way out along the triangles at a vertex. */
static double along_triangles(const tl_mesh_search3 *s, int v)
{
    const tl_mesh3 *m = s->mesh;
    double most = -(double)INFINITY;
    for (int k = m->spoke_begin[v]; k < m->spoke_begin[v + 1]; k++) {
        const tl_mesh_edge3 *e = &m->edge[m->spoke[k]];
        most = tl_larger(most, tl_mesh_least(s, m->normal[e->left]) - m->offset[e->left]);
        if (e->right >= 0) most = tl_larger(most, tl_mesh_least(s, m->normal[e->right]) - m->offset[e->right]);
    }
    return most;
}

static bool is_under(const tl_mesh_search3 *s, int face, tl_vec3 x)
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
static void peak_at_edge(tl_mesh_search3 *s, int v, int number)
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
    if (!tl_mesh_over_peak(s->mesh, v, n) || (e && !between_faces(s, e, n, FLUSH))) return;
    if (s->mesh->peak[v] == 2 && tl_mesh_is_covered(s, x, v, true)) return;
    tl_mesh_add(s, tl_mesh_feature(EDGE_PEAK, (uint32_t)number, v), y, n, distance);
}

static void peak_at_face(tl_mesh_search3 *s, int v, int f)
{
    const tl_vec3 x = s->mesh->vertex[v];
    const double apart = outside_face(s, f, x);
    tl_vec3 n = tl_scale(-1, s->face[f]);
    if (apart < -s->behind || !(apart < s->alert) || !is_under(s, f, x) || !tl_mesh_lies_on_peak(s->mesh, v, &n)) return;
    if (leaves_sooner(s, v, x, apart)) return;
    if (apart < along_triangles(s, v) - s->flush || (s->mesh->peak[v] == 2 && tl_mesh_is_covered(s, x, v, true))) return;
    tl_mesh_add(s, tl_mesh_feature(FACE_PEAK, (uint32_t)f, v), tl_add(x, tl_scale(apart, n)), n, apart);
}

void tl_mesh_hull_over_peak(tl_mesh_search3 *s, int v)
{
    const int edges = s->grain->faces ? s->grain->edges : 1;
    if (is_apart(s, s->mesh->vertex[v], s->mesh->vertex[v])) return;
    for (int k = 0; k < edges; k++) peak_at_edge(s, v, k);
    for (int f = 0; f < s->grain->faces; f++) peak_at_face(s, v, f);
}
