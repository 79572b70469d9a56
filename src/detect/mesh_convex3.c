/* What a convex core that is no hull touches a mesh with besides its outermost points: with its sides, rims and flat faces,
 * over sharp edges and peaks. An edge or a peak may have gone into the core; then the direction is the one in which it comes
 * out first, of those that the mesh has there. */
#include "detect/mesh_search3.h"

static const double FLAT = TL_FLAT3, FLUSH = TL_MESH_FLUSH;
enum { HALVINGS = 60 };

/* How deep something of the mesh may count along the directions that it has there, if along the best of all it is so far apart from the core: what is deeper
 * leaves by that one. */
static double deepest_of(const tl_mesh_search3 *s, double apart) { return apart > s->flush ? apart - s->flush : tl_smaller(apart, -s->flush) / TL_MESH_WITHIN; }

/* ---- flat faces ---------------------------------------------------------------------------------------------------- */

/* A point of the mesh seen along m, the direction of a round flat face from the mesh, is under that face. */
static bool is_under(const tl_mesh_search3 *s, const tl_patch3 *end, tl_vec3 x)
{
    const tl_vec3 d = tl_sub(x, end->centre);
    return tl_norm(tl_sub(d, tl_scale(tl_dot(d, end->normal), end->normal))) <= end->rim + s->flush;
}

/* x on the mesh, under a flat face, n: the direction in which it counts. */
static void add_under(tl_mesh_search3 *s, uint32_t feature, const tl_patch3 *end, tl_vec3 x, tl_vec3 n)
{
    const double apart = tl_dot(end->normal, tl_sub(x, end->centre));
    if (apart >= -s->behind) tl_mesh_add(s, feature, tl_sub(x, tl_scale(apart, end->normal)), n, apart);
}

/* A flat face that an edge may lie under, its number, and how deep the edge is by another way: what is deeper under the face leaves that way. */
typedef struct under {
    const tl_patch3 *end;
    uint32_t number;
    double least;
} under;

/* An edge that lies along a flat face: where it goes out under the rim. */
static void edge_under(tl_mesh_search3 *s, int edge, const under *u)
{
    const tl_patch3 *end = u->end;
    const tl_mesh_edge3 *e = &s->mesh->edge[edge];
    const tl_vec3 p = s->mesh->vertex[e->from], d = tl_mesh_along(s->mesh, e), m = tl_scale(-1, end->normal);
    tl_vec3 n = m;
    if (fabs(tl_dot(m, d)) > FLAT * tl_norm(d) || !tl_mesh_between(s, e, FLAT, &n)) return;
    const tl_vec3 r = tl_sub(p, end->centre), from = tl_sub(r, tl_scale(tl_dot(r, m), m)), way = tl_sub(d, tl_scale(tl_dot(d, m), m));
    const double square = tl_dot(way, way), half = tl_dot(from, way);
    const double root = half * half - square * (tl_dot(from, from) - end->rim * end->rim);
    for (int k = 0; k < 2 && root > 0; k++) {
        const double f = (-half + (k ? 1 : -1) * sqrt(root)) / square;
        const tl_vec3 x = tl_add(p, tl_scale(f, d));
        const uint32_t own = 2 * u->number + 1 + (uint32_t)k;
        const bool sooner = tl_dot(end->normal, tl_sub(x, end->centre)) < u->least;
        if (f >= 0 && f <= 1 && !sooner && !tl_mesh_is_seam(s, e, f, x)) add_under(s, tl_mesh_feature(EDGE_EDGE, own, edge), end, x, n);
    }
}

/* The round flat faces of the core that face the other way than `out`. */
static int faces_against(const tl_mesh_search3 *s, tl_vec3 out, tl_patch3 end[2])
{
    tl_vec3 flat[TL_FLATS3];
    const int flats = tl_convex3_flats(&s->core, flat);
    int count = 0;
    for (int i = 0; i < flats && count < 2; i++) {
        if (!(tl_dot(flat[i], out) < 0)) continue;
        tl_convex3_patch(&s->core, flat[i], &end[count]);
        count += end[count].kind == TL_PATCH_DISK;
    }
    return count;
}

/* ---- edges --------------------------------------------------------------------------------------------------------- */

/* Between the normals of an edge, the direction along which the core is farthest from it, where its nearest point *x is level with the edge. That may be one
 * of a straight side, which is nearest with its one end on this side of the direction, and with the other on that. False: the core lies beside the edge, over
 * one of its sides, or with a flat face on it, which others see to. */
static bool over_edge(const tl_mesh_search3 *s, const tl_mesh_edge3 *e, tl_vec3 p, tl_vec3 *out, tl_vec3 *x)
{
    static const double LEVEL = 1e-9; /* of the size: what halvings leave */
    const tl_vec3 u = tl_normalize(tl_mesh_along(s->mesh, e)), t = tl_cross(u, e->n[0]);
    double low = 0, high = atan2(tl_dot(tl_cross(e->n[0], e->n[1]), u), tl_dot(e->n[0], e->n[1]));
    for (int i = 0; i < HALVINGS; i++) {
        const double angle = 0.5 * (low + high);
        const tl_vec3 n = tl_add(tl_scale(cos(angle), e->n[0]), tl_scale(sin(angle), t));
        *x = tl_convex3_support(&s->core, tl_scale(-1, n));
        *(tl_dot(tl_cross(u, n), tl_sub(*x, p)) > 0 ? &low : &high) = angle;
    }
    const tl_vec3 n = tl_add(tl_scale(cos(low), e->n[0]), tl_scale(sin(low), t)), across = tl_cross(u, n);
    *out = n;
    *x = tl_convex3_support(&s->core, tl_scale(-1, n));
    if (fabs(tl_dot(across, tl_sub(*x, p))) <= LEVEL * s->size) return true;
    tl_patch3 side;
    tl_convex3_patch(&s->core, tl_scale(-1, n), &side);
    if (side.kind != TL_PATCH_LINE) return false;
    const double from = tl_dot(across, tl_sub(side.point[0], p)), to = tl_dot(across, tl_sub(side.point[1], p));
    if (!(from * to < 0)) return false;
    *x = tl_add(side.point[0], tl_scale(from / (from - to), tl_sub(side.point[1], side.point[0])));
    return true;
}

/* A straight side that lies along an edge, n from that: as far as both go together, at its two ends. False: it does not lie along it. */
static bool side_along(tl_mesh_search3 *s, int edge, tl_vec3 n)
{
    static const double ALONGSIDE = 1e-3; /* sine */
    const tl_mesh_edge3 *e = &s->mesh->edge[edge];
    const tl_vec3 p = s->mesh->vertex[e->from], d = tl_mesh_along(s->mesh, e);
    tl_patch3 side;
    tl_convex3_patch(&s->core, tl_scale(-1, n), &side);
    if (side.kind != TL_PATCH_LINE) return false;
    const tl_vec3 way = tl_sub(side.point[1], side.point[0]);
    if (tl_norm(tl_cross(way, d)) > ALONGSIDE * tl_norm(way) * tl_norm(d)) return false;
    for (int k = 0; k < 2; k++) {
        const double f = tl_dot(tl_sub(side.point[k], p), d) / tl_dot(d, d), on = tl_smaller(1, tl_larger(0, f));
        const tl_vec3 x = tl_add(side.point[k], tl_scale((on - f) * tl_dot(d, d) / tl_dot(way, d), way)), y = tl_add(p, tl_scale(on, d));
        const double apart = tl_dot(n, tl_sub(x, y));
        if (apart >= -s->behind && !tl_mesh_is_seam(s, e, on, y)) tl_mesh_add(s, tl_mesh_feature(EDGE_EDGE, 3 + (uint32_t)k, edge), x, n, apart);
    }
    return true;
}

/* The direction in which the core is farthest from an edge, and its nearest point on the edge; within the core, or all but, the way out between the normals on
 * its sides. False: there is none such. least: what is deeper leaves by another way. */
static bool way_from_edge(const tl_mesh_search3 *s, const tl_mesh_edge3 *e, tl_convex_axis3 *axis, tl_vec3 *n, double *least)
{
    tl_vec3 ends[2] = {s->mesh->vertex[e->from], s->mesh->vertex[e->to]}, x;
    const tl_vec3 p = ends[0], d = tl_mesh_along(s->mesh, e);
    const double length = tl_norm(d);
    const tl_mat3 turn = tl_mat3_identity();
    const tl_shape3 line = {.kind = TL_CAPSULE3, .points = 2, .point = ends, .centre = tl_scale(0.5, tl_add(ends[0], ends[1]))};
    const tl_convex_pair3 pair = {s->core, tl_convex3_place(&line, &turn, tl_v3(0, 0, 0)), s->size + length, 1e-12 * (s->size + length)};
    *axis = tl_convex_pair3_axis(&pair, tl_convex_pair3_flat(&pair));
    *n = tl_scale(-1, axis->n);
    *least = deepest_of(s, axis->s);
    tl_vec3 between = *n;
    if (axis->s > s->flush || (fabs(tl_dot(*n, d)) <= 1e-6 * length && tl_mesh_between(s, e, 1e-7, &between))) return true;
    if (!over_edge(s, e, p, n, &x)) return false;
    axis->s = tl_mesh_least(s, *n) - tl_dot(*n, p);
    const double f = tl_dot(tl_sub(x, p), d) / (length * length);
    axis->y = tl_add(p, tl_scale(f, d));
    return f >= -FLUSH && f <= 1 + FLUSH;
}

void tl_mesh_core_over_edge(tl_mesh_search3 *s, int edge)
{
    const tl_mesh_edge3 *e = &s->mesh->edge[edge];
    const tl_vec3 p = s->mesh->vertex[e->from], d = tl_mesh_along(s->mesh, e), out = tl_add(e->n[0], e->n[1]);
    const double sides = tl_mesh_along_sides(s, e), length = tl_norm(d);
    tl_patch3 end[2];
    tl_convex_axis3 axis;
    tl_vec3 n;
    if (!(sides - s->radius < s->alert)) return;
    double least;
    const bool found = way_from_edge(s, e, &axis, &n, &least);
    const int faces = faces_against(s, out, end);
    for (int k = 0; k < faces; k++) edge_under(s, edge, &(under){&end[k], (uint32_t)k, found ? tl_larger(least, axis.s - s->flush) : least});
    const double f = tl_dot(tl_sub(axis.y, p), d) / (length * length);
    if (!found || axis.s < least || fabs(tl_dot(n, d)) > 1e-6 * length || !tl_mesh_between(s, e, 1e-7, &n)) return; /* else over a peak */
    if (axis.s < -s->behind || axis.s < sides - s->flush || side_along(s, edge, n) || tl_mesh_is_seam(s, e, f, axis.y)) return;
    tl_mesh_add(s, tl_mesh_feature(EDGE_EDGE, 0, edge), tl_add(axis.y, tl_scale(axis.s, n)), n, axis.s);
}

/* ---- peaks --------------------------------------------------------------------------------------------------------- */

/* The mean of the normals at a vertex. */
static tl_vec3 normal_at(const tl_mesh3 *m, int v)
{
    tl_vec3 sum = {0, 0, 0};
    for (int k = m->spoke_begin[v]; k < m->spoke_begin[v + 1]; k++) {
        const tl_mesh_edge3 *e = &m->edge[m->spoke[k]];
        sum = tl_add(sum, m->normal[e->left]);
        if (e->right >= 0) sum = tl_add(sum, m->normal[e->right]);
    }
    return tl_normalize(sum);
}

void tl_mesh_core_over_peak(tl_mesh_search3 *s, int v)
{
    tl_vec3 y = s->mesh->vertex[v];
    tl_patch3 end[2];
    if (s->mesh->peak[v] == 2 && tl_mesh_is_covered(s, y, v, true)) return;
    const tl_vec3 out = normal_at(s->mesh, v);
    const int faces = faces_against(s, out, end);
    const tl_mat3 turn = tl_mat3_identity();
    const tl_shape3 dot = {.kind = TL_SPHERE3, .points = 1, .point = &y, .centre = y};
    const tl_convex_pair3 pair = {s->core, tl_convex3_place(&dot, &turn, tl_v3(0, 0, 0)), s->size, 1e-12 * s->size};
    tl_convex_axis3 axis = tl_convex_pair3_axis(&pair, tl_convex_pair3_flat(&pair));
    const double least = deepest_of(s, axis.s);
    if (axis.s <= s->flush && !tl_mesh_over_peak(s->mesh, v, tl_scale(-1, axis.n)))
        axis = tl_convex_pair3_ascend(&pair, tl_scale(-1, out)); /* the way that the mesh faces */
    for (int k = 0; k < faces; k++) {
        tl_vec3 m = tl_scale(-1, end[k].normal);
        const bool sooner = tl_dot(end[k].normal, tl_sub(y, end[k].centre)) < tl_larger(least, axis.s - s->flush); /* it leaves the peak by its side */
        if (sooner || !is_under(s, &end[k], y) || !tl_mesh_lies_on_peak(s->mesh, v, &m)) continue;
        add_under(s, tl_mesh_feature(FACE_PEAK, (uint32_t)k, v), &end[k], y, m);
        return;
    }
    const tl_vec3 n = tl_scale(-1, axis.n);
    if (axis.s < -s->behind || axis.s < least || !tl_mesh_over_peak(s->mesh, v, n)) return;
    tl_mesh_add(s, tl_mesh_feature(EDGE_PEAK, 0, v), tl_add(y, tl_scale(axis.s, n)), n, axis.s);
}
