/* Where a grain nearly touches a mesh: a ball, a capsule, a polyhedron or another convex shape against triangles that bound what is solid.
 *
 * A point of contact is a corner of the grain over a triangle, over a convex edge or over a peak; an edge of the grain across a convex edge; or
 * a peak under a face of the grain. Each is taken only where its normal lies in the cone of directions that the mesh has there and, turned round,
 * in that of the grain: so a flat floor is one plane however it is cut into triangles, and edges inside it do not exist. A normal that is
 * out of the mesh's cone by no more than lying flat allows is put on its border.
 *
 * Edges and faces of what has corners are looked at in mesh_hulls3.c. What is neither ball, capsule nor polyhedron has its corners where it is outermost
 * towards a triangle; what else it may touch with is looked at in mesh_convex3.c.
 *
 * A mesh has one side. A corner that is behind a triangle, by less than the grain's own thickness, is in front of none and is brought back by
 * the triangle by which the grain comes out soonest: others that this one hides do not count. */
#include <string.h>

#include "detect/mesh_search3.h"

/* As in touches3.c: what is inclined by less (sine) lies along its partner. */
static const double FLAT = TL_FLAT3;
static const double FLUSH = TL_MESH_FLUSH;
/* A grain of which no more than this share reaches behind a triangle's plane lies in front of it with all its corners. */
static const double IN_FRONT = 0.05;
/* Normals that differ by less than acos of this are one plane when there are too many points. */
static const double ONE_PLANE = 0.9995;

enum { MOST = TL_MESH_MOST, FEET = 32 };

/* ---- points -------------------------------------------------------------------------------------------------------- */

/* What faces what, as 24 bits. Two of one pair may get the same number: it is made different at the end, and costs a first guess. */
uint32_t tl_mesh_feature(int kind, uint32_t of_grain, int of_mesh)
{
    uint32_t h = (uint32_t)kind * 0x9e3779b1u ^ of_grain * 0x85ebca77u ^ (uint32_t)of_mesh * 0x27d4eb2fu;
    h ^= h >> 15, h *= 0xc2b2ae3du, h ^= h >> 13, h *= 0x2c1b3c6du, h ^= h >> 16;
    return h & 0xffffffu;
}

/* The same point twice: on an edge, over two triangles of one plane, or where two edges meet. */
static bool known(const tl_mesh_search3 *s, const tl_touch *t)
{
    for (int i = s->count - 1; i >= 0; i--) {
        const tl_touch *u = &s->touch[i];
        const tl_vec3 turned = tl_sub(t->normal, u->normal), apart = tl_sub(t->point, u->point);
        if (tl_dot(turned, turned) < FLUSH * FLUSH && tl_dot(apart, apart) < s->flush * s->flush) return true;
    }
    return false;
}

/* x on the grain's core, `apart` from the mesh along n. */
void tl_mesh_add(tl_mesh_search3 *s, uint32_t feature, tl_vec3 x, tl_vec3 n, double apart)
{
    const double gap = apart - s->radius;
    if (!(gap < s->alert)) return;
    const tl_touch t = {tl_sub(x, tl_scale(s->radius + 0.5 * gap, n)), n, gap, feature};
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
double tl_mesh_least(const tl_mesh_search3 *s, tl_vec3 n)
{
    if (!tl_shape3_is_hull(s->grain)) return tl_dot(n, tl_convex3_support(&s->core, tl_scale(-1, n)));
    double low = tl_dot(n, s->point[0]);
    for (int i = 1; i < s->points; i++) low = tl_smaller(low, tl_dot(n, s->point[i]));
    return low;
}

/* No edge of the grain goes down from the corner along n, but for the slack. */
static bool is_lowest(const tl_mesh_search3 *s, int corner, tl_vec3 n, double slack)
{
    const tl_shape3 *g = s->grain;
    const tl_vec3 x = s->point[corner];
    if (!tl_shape3_is_hull(g)) return tl_dot(n, x) - tl_mesh_least(s, n) <= slack * 2 * s->size;
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

tl_vec3 tl_mesh_along(const tl_mesh3 *m, const tl_mesh_edge3 *e) { return tl_sub(m->vertex[e->to], m->vertex[e->from]); }

/* n, at right angles to the edge, lies between the normals on its sides; one that is outside by less than `slack` is put on the nearer side. */
bool tl_mesh_between(const tl_mesh_search3 *s, const tl_mesh_edge3 *e, double slack, tl_vec3 *n)
{
    const tl_vec3 u = tl_normalize(tl_mesh_along(s->mesh, e));
    const double left = tl_dot(tl_cross(e->n[0], *n), u), right = tl_dot(tl_cross(*n, e->n[1]), u);
    if (tl_dot(*n, tl_add(e->n[0], e->n[1])) < -slack || left < -slack || right < -slack) return false;
    if (left < 0) *n = e->n[0];
    else if (right < 0) *n = e->n[1];
    return true;
}

/* n leads away from all edges at a peak; on a border, also not to the back. */
bool tl_mesh_over_peak(const tl_mesh3 *m, int v, tl_vec3 n)
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
bool tl_mesh_lies_on_peak(const tl_mesh3 *m, int v, tl_vec3 *n)
{
    const double flat = sqrt(1 - FLAT * FLAT);
    if (tl_mesh_over_peak(m, v, *n)) return true;
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

/* A peak that presses by itself touches no more than nodes of other solids, which do not meet it as a node. */
static bool presses(const tl_mesh_search3 *s, int v) { return s->mesh->presses[v] && !tl_shape3_is_node(s->grain); }

/* How far x is within side k of a triangle, in its plane, times the length of that side. */
static double inside_side(const tl_mesh3 *m, int t, int k, tl_vec3 x)
{
    const tl_vec3 a = m->vertex[m->corner[t][k]], d = tl_sub(m->vertex[m->corner[t][(k + 1) % 3]], a);
    return tl_dot(tl_cross(m->normal[t], d), tl_sub(x, a));
}

/* x is beyond side k by more than `flush`. */
static bool is_beyond(const tl_mesh3 *m, int t, int k, tl_vec3 x, double flush)
{
    const double within = inside_side(m, t, k, x);
    if (!(within < 0)) return false;
    const tl_vec3 d = tl_sub(m->vertex[m->corner[t][(k + 1) % 3]], m->vertex[m->corner[t][k]]);
    return within * within > flush * flush * tl_dot(d, d);
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
        if (is_beyond(m, t, k, x, flush) && !is_in_valley(m, m->side[t][k], x)) return false;
    return true;
}

static bool has_vertex(const tl_mesh3 *m, int t, int v) { return m->corner[t][0] == v || m->corner[t][1] == v || m->corner[t][2] == v; }

/* A border's point on a triangle that does not have that border, or that corner, is none: triangles need not meet corner to corner. */
bool tl_mesh_is_covered(const tl_mesh_search3 *s, tl_vec3 x, int own, bool own_is_vertex)
{
    const tl_mesh3 *m = s->mesh;
    const tl_vec3 rim = tl_v3(s->flush, s->flush, s->flush);
    tl_box_walk walk = tl_box_walk_through(&m->tree, tl_sub(x, rim), tl_add(x, rim));
    for (int t; (t = tl_box_next(&walk)) >= 0;)
        if (!(own_is_vertex ? has_vertex(m, t, own) : t == own) && fabs(tl_dot(m->normal[t], x) - m->offset[t]) <= s->flush && is_above(m, t, x, s->flush))
            return true;
    return false;
}

/* On a border, at share f of it, that is covered. */
bool tl_mesh_is_seam(const tl_mesh_search3 *s, const tl_mesh_edge3 *e, double f, tl_vec3 x)
{
    if (e->right >= 0) return false;
    if (f > FLUSH && f < 1 - FLUSH) return tl_mesh_is_covered(s, x, e->left, false);
    const int v = f > 0.5 ? e->to : e->from;
    return tl_mesh_is_covered(s, s->mesh->vertex[v], v, true);
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

/* Of too many the nearest are kept. */
static void add_foot(feet *f, int triangle, double d, tl_vec3 at)
{
    int k = f->count;
    if (k < FEET) f->count++;
    else {
        k = 0;
        for (int i = 1; i < FEET; i++)
            if (fabs(f->foot[i].d) > fabs(f->foot[k].d)) k = i;
        if (fabs(f->foot[k].d) <= fabs(d)) return;
    }
    f->foot[k] = (foot){triangle, d, at};
}

static tl_vec3 middle_of(const tl_mesh3 *m, int t)
{
    const int32_t *c = m->corner[t];
    return tl_scale(1.0 / 3, tl_add(m->vertex[c[0]], tl_add(m->vertex[c[1]], m->vertex[c[2]])));
}

/* How far the whole grain is in front of a triangle's plane. */
static double in_front(const tl_mesh_search3 *s, int t) { return tl_mesh_least(s, s->mesh->normal[t]) - s->mesh->offset[t]; }

/* b, whose plane the point is behind, is not where it goes out: something nearer has the point in front of it, which then is outside; or another triangle that
 * it is behind, and that lies behind b as the top of a step lies behind its riser, is where the whole grain comes out sooner. A floor does not hide a wall,
 * since it lies in front of that. */
static bool is_hidden(const tl_mesh_search3 *s, const feet *f, int b, tl_vec3 x)
{
    const tl_mesh3 *m = s->mesh;
    const foot *own = &f->foot[b];
    const double away = tl_norm(tl_sub(x, tl_mesh3_on_triangle(m, own->triangle, x))); /* in a valley it is beside the triangle */
    for (int a = 0; a < f->count; a++) {
        const foot *other = &f->foot[a];
        if (a == b) continue;
        if (other->d > s->flush && other->d < away) return true;
        if (other->triangle < 0 || other->d > s->flush || !(tl_dot(m->normal[own->triangle], other->at) - m->offset[own->triangle] < -s->flush)) continue;
        if (in_front(s, other->triangle) > in_front(s, own->triangle)) return true;
    }
    return false;
}

/* With all triangles under it, or, where `own` is not negative, with that one. */
static void face_touches(tl_mesh_search3 *s, int corner, int own, const feet *f)
{
    const tl_mesh3 *m = s->mesh;
    for (int k = 0; k < f->count; k++) {
        const int t = f->foot[k].triangle;
        const double d = f->foot[k].d;
        if (t < 0 || (own >= 0 && t != own) || !(d - s->radius < s->alert) || (d < 0 && is_hidden(s, f, k, s->point[corner]))) continue;
        const tl_vec3 n = m->normal[t];
        if (s->grain->kind != TL_SPHERE3 && tl_mesh_least(s, n) - m->offset[t] < -IN_FRONT * s->size && !is_lowest(s, corner, n, FLAT)) continue;
        tl_mesh_add(s, tl_mesh_feature(CORNER_FACE, s->number[corner], m->region[t]), s->point[corner], n, d);
    }
}

/* ---- corners of the grain ------------------------------------------------------------------------------------------ */

static bool may_touch_along(const tl_mesh_search3 *s, int corner, tl_vec3 n)
{
    return s->grain->kind == TL_SPHERE3 || tl_mesh_least(s, n) >= tl_dot(n, s->point[corner]) - s->flush;
}

static void corner_over_edge(tl_mesh_search3 *s, int corner, int edge, feet *near)
{
    const tl_mesh3 *m = s->mesh;
    const tl_mesh_edge3 *e = &m->edge[edge];
    const tl_vec3 a = m->vertex[e->from], d = tl_mesh_along(m, e), x = s->point[corner];
    const double f = tl_dot(tl_sub(x, a), d) / tl_dot(d, d);
    if (!(f >= -FLUSH && f <= 1 + FLUSH)) return;
    const tl_vec3 foot_on = tl_add(a, tl_scale(f, d)), way = tl_sub(x, foot_on);
    const double distance = tl_norm(way);
    tl_vec3 n = tl_normalize(tl_add(e->n[0], e->n[1])); /* where the middle of a ball has come down to the edge */
    if (distance <= s->flush && !(s->radius > 0)) return;
    if (distance > s->flush) n = tl_scale(1 / distance, way);
    if (!tl_mesh_between(s, e, FLUSH, &n)) return;
    add_foot(near, -1, distance, foot_on);
    if (!(distance - s->radius < s->alert) || !may_touch_along(s, corner, n)) return;
    if (tl_mesh_is_seam(s, e, f, foot_on)) return;
    tl_mesh_add(s, tl_mesh_feature(CORNER_EDGE, s->number[corner], edge), x, n, distance);
}

static void corner_over_peak(tl_mesh_search3 *s, int corner, int v, feet *near)
{
    const tl_vec3 way = tl_sub(s->point[corner], s->mesh->vertex[v]);
    const double distance = tl_norm(way);
    if (distance <= s->flush) return;
    const tl_vec3 n = tl_scale(1 / distance, way);
    if (!tl_mesh_over_peak(s->mesh, v, n)) return;
    add_foot(near, -1, distance, s->mesh->vertex[v]);
    if (presses(s, v) || !(distance - s->radius < s->alert) || !may_touch_along(s, corner, n)) return;
    if (s->mesh->peak[v] == 2 && tl_mesh_is_covered(s, s->mesh->vertex[v], v, true)) return;
    tl_mesh_add(s, tl_mesh_feature(CORNER_PEAK, s->number[corner], v), s->point[corner], n, distance);
}

/* How far from a point what it may touch is. */
static double within_reach(const tl_mesh_search3 *s) { return tl_larger(s->behind, s->radius + s->alert); }

static bool is_foot(const tl_mesh_search3 *s, int t, tl_vec3 x, double *d)
{
    *d = tl_dot(s->mesh->normal[t], x) - s->mesh->offset[t];
    return *d >= -s->behind && *d <= within_reach(s) && is_above(s->mesh, t, x, s->flush);
}

static void corner_touches(tl_mesh_search3 *s, int corner, int own)
{
    const tl_mesh3 *m = s->mesh;
    const tl_vec3 x = s->point[corner];
    const double r = within_reach(s);
    const tl_vec3 rim = tl_v3(r, r, r);
    feet near;
    near.count = 0;
    tl_box_walk walk = tl_box_walk_through(&m->tree, tl_sub(x, rim), tl_add(x, rim));
    for (int t; (t = tl_box_next(&walk)) >= 0;) {
        double d;
        if (is_foot(s, t, x, &d)) add_foot(&near, t, d, middle_of(m, t));
        for (int k = 0; k < 3; k++) {
            const int edge = m->side[t][k], v = m->corner[t][k];
            if (m->edge[edge].left == t && m->edge[edge].sharp) corner_over_edge(s, corner, edge, &near);
            if (m->owner[v] == t && m->peak[v]) corner_over_peak(s, corner, v, &near);
        }
    }
    face_touches(s, corner, own, &near);
}

/* The points with which a core that is no hull is outermost towards a triangle are corners for that triangle alone.
 * Over another, which is inclined to it by a small angle, they are as low as that one's own to second order in the
 * angle, but lie beside them to first order: pressed there, the grain would turn. */
static void core_touches(tl_mesh_search3 *s)
{
    tl_box_walk walk = tl_box_walk_through(&s->mesh->tree, s->low, s->high);
    tl_patch3 patch = {.count = 0};
    tl_vec3 last = {0, 0, 0}; /* the normal that the patch is of: a plane has many triangles */
    for (int t; (t = tl_box_next(&walk)) >= 0;) {
        const tl_vec3 n = s->mesh->normal[t];
        if (n.x != last.x || n.y != last.y || n.z != last.z) tl_convex3_patch(&s->core, tl_scale(-1, n), &patch);
        last = n;
        for (int i = 0; i < patch.count; i++) {
            double d;
            if (!is_foot(s, t, patch.point[i], &d)) continue;
            s->point[0] = patch.point[i], s->number[0] = patch.number[i];
            corner_touches(s, 0, t);
        }
    }
}

/* ---- edges and faces of the grain ---------------------------------------------------------------------------------- */

static void side_touches(tl_mesh_search3 *s)
{
    const tl_mesh3 *m = s->mesh;
    const bool hull = tl_shape3_is_hull(s->grain);
    tl_box_walk walk = tl_box_walk_through(&m->tree, s->low, s->high);
    for (int t; (t = tl_box_next(&walk)) >= 0;)
        for (int k = 0; k < 3; k++) {
            const int edge = m->side[t][k], v = m->corner[t][k];
            if (m->edge[edge].left == t && m->edge[edge].sharp) (hull ? tl_mesh_hull_over_edge : tl_mesh_core_over_edge)(s, edge);
            if (m->owner[v] == t && m->peak[v] && !presses(s, v)) (hull ? tl_mesh_hull_over_peak : tl_mesh_core_over_peak)(s, v);
        }
}

/* ---- the whole ----------------------------------------------------------------------------------------------------- */

static void place_corners(tl_mesh_search3 *s)
{
    s->points = s->grain->points;
    for (int i = 0; i < s->points; i++) {
        const tl_vec3 x = s->point[i] = tl_add(tl_turn3(&s->core.R, s->grain->point[i]), s->core.p);
        s->number[i] = (uint32_t)i;
        s->low = tl_v3(tl_smaller(s->low.x, x.x), tl_smaller(s->low.y, x.y), tl_smaller(s->low.z, x.z));
        s->high = tl_v3(tl_larger(s->high.x, x.x), tl_larger(s->high.y, x.y), tl_larger(s->high.z, x.z));
    }
}

static void place_box(tl_mesh_search3 *s)
{
    const tl_frame at = {s->core.p, s->core.R};
    const tl_box3 box = tl_shape3_box(s->grain, &at);
    s->points = 0, s->low = box.low, s->high = box.high;
}

/* The grain in the axes of the mesh. False: it is not near, or is nowhere. */
static bool place(tl_mesh_search3 *s, const tl_frame *at, const tl_frame *grain_at)
{
    const tl_shape3 *g = s->grain;
    const tl_mat3 back = tl_mat3_transpose(&at->R), turn = tl_mat3_mul(&back, &grain_at->R);
    const tl_vec3 p = tl_turn_back3(&at->R, tl_sub(grain_at->p, at->p));
    s->low = tl_v3((double)INFINITY, (double)INFINITY, (double)INFINITY), s->high = tl_scale(-1, s->low);
    s->core = tl_convex3_place(g, &turn, p);
    if (!isfinite(p.x + p.y + p.z)) return false;
    if (tl_shape3_is_hull(g)) place_corners(s);
    else place_box(s);
    s->behind = tl_shape3_is_hull(g) ? tl_larger(s->radius, g->thin) : tl_shape3_half_width(g); /* of a point that stands for more, its width */
    if (g->faces) s->behind = (double)INFINITY;
    for (int f = 0; f < g->faces; f++) s->behind = tl_smaller(s->behind, g->plane[f].offset - tl_dot(g->plane[f].n, g->centre));
    const double r = tl_larger(s->behind, s->radius + s->alert);
    s->low = tl_sub(s->low, tl_v3(r, r, r)), s->high = tl_add(s->high, tl_v3(r, r, r));
    tl_box_walk walk = tl_box_walk_through(&s->mesh->tree, s->low, s->high);
    if (tl_box_next(&walk) < 0) return false;
    for (int f = 0; f < g->faces; f++) {
        s->face[f] = tl_turn3(&turn, g->plane[f].n);
        s->height[f] = tl_dot(s->face[f], s->point[g->corner[g->face_begin[f]]]);
    }
    return true;
}

/* The deepest point and those of its plane, eight of them at most, then of the rest, until `limit`. One plane has no more than it would have
 * as a half-space. */
static int choose(tl_mesh_search3 *s, int limit, tl_touch *out)
{
    tl_touch plane[MOST], best[TL_TOUCHES3];
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
        const tl_touch moved = out[i];
        int at = i;
        for (; at > 0 && out[at - 1].feature > moved.feature; at--) out[at] = out[at - 1];
        out[at] = moved;
    }
    for (int i = 1; i < kept; i++) /* one number each, below 2²⁴ */
        if (out[i].feature <= out[i - 1].feature) out[i].feature = out[i - 1].feature + 1;
    return kept;
}

int tl_mesh_touches3(tl_placed3 mesh, tl_placed3 placed, bool mesh_is_b, double alert, tl_touch *out)
{
    const tl_shape3 *grain = placed.shape;
    const tl_frame *at = mesh.at;
    tl_mesh_search3 s;
    s.mesh = mesh.shape->mesh, s.grain = grain, s.alert = alert, s.radius = grain->radius, s.count = 0;
    s.size = tl_shape3_size(grain);
    s.flush = FLUSH * s.size;
    if (!place(&s, at, placed.at)) return 0;
    for (int i = 0; i < s.points; i++) corner_touches(&s, i, -1);
    if (!tl_shape3_is_hull(grain)) core_touches(&s);
    if (grain->kind != TL_SPHERE3) side_touches(&s);
    const int count = choose(&s, grain->kind == TL_SPHERE3 ? TL_TOUCHES3 : TL_MESH_TOUCHES3, out);
    for (int i = 0; i < count; i++) {
        out[i].point = tl_add(tl_turn3(&at->R, out[i].point), at->p);
        out[i].normal = tl_scale(mesh_is_b ? -1 : 1, tl_turn3(&at->R, out[i].normal));
    }
    return count;
}
