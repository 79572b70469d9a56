/* Signed distances from a point to shapes, exact, for placing things clear of each other. Contacts have narrow-phase functions of their own (detect). */
#include "shape/distance.h"

/* ---- plane --------------------------------------------------------------------------------------------------------- */

double tl_shape2_distance(const tl_shape2 *s, tl_vec2 x)
{
    if (s->kind == TL_HALF_PLANE) return tl_dot2(tl_sub2(x, s->centre), s->normal);
    if (s->kind == TL_DISK) return tl_norm2(tl_sub2(x, s->centre)) - s->radius;
    double nearest = (double)INFINITY;
    bool inside = s->count > 2;
    for (int i = 0; i < s->count; i++) {
        const tl_vec2 p = s->corner[i], e = tl_sub2(s->corner[i + 1 < s->count ? i + 1 : 0], p), d = tl_sub2(x, p);
        const double f = tl_smaller(1, tl_larger(0, tl_dot2(d, e) / tl_dot2(e, e)));
        nearest = tl_smaller(nearest, tl_norm2(tl_sub2(d, tl_scale2(f, e))));
        inside = inside && tl_cross2(e, d) >= 0;
    }
    return (inside ? -nearest : nearest) - s->radius;
}

/* ---- space --------------------------------------------------------------------------------------------------------- */

/* The point of a triangle or polygon's side nearest to x. */
static tl_vec3 on_side(tl_vec3 a, tl_vec3 b, tl_vec3 x)
{
    const tl_vec3 e = tl_sub(b, a);
    const double square = tl_dot(e, e), f = square > 0 ? tl_dot(tl_sub(x, a), e) / square : 0;
    return tl_add(a, tl_scale(tl_smaller(1, tl_larger(0, f)), e));
}

/* Inside, the nearest face; outside, the nearest of what the faces that see the point have to offer. */
static double hull_distance(const tl_shape3 *s, tl_vec3 x, double within)
{
    double deepest = -(double)INFINITY, square = (double)INFINITY;
    for (int f = 0; f < s->faces; f++) deepest = tl_larger(deepest, tl_dot(s->plane[f].n, x) - s->plane[f].offset);
    if (deepest <= 0 || deepest >= within) return deepest;
    for (int f = 0; f < s->faces; f++) {
        const double above = tl_dot(s->plane[f].n, x) - s->plane[f].offset;
        if (above <= 0) continue;
        bool over = true;
        for (int k = s->face_begin[f]; k < s->face_begin[f + 1]; k++) {
            const tl_vec3 a = s->point[s->corner[k]], b = s->point[s->corner[k + 1 < s->face_begin[f + 1] ? k + 1 : s->face_begin[f]]];
            if (tl_dot(tl_cross(s->plane[f].n, tl_sub(b, a)), tl_sub(x, a)) >= 0) continue;
            const tl_vec3 d = tl_sub(x, on_side(a, b, x));
            square = tl_smaller(square, tl_dot(d, d));
            over = false;
        }
        if (over) square = tl_smaller(square, above * above);
    }
    return sqrt(square);
}

/* Of the core, a cylinder with sharp edges, less the rounding: the points of a core with two ends have distances below 0, too. */
static double cylinder_distance(const tl_shape3 *s, tl_vec3 x)
{
    const tl_vec3 d = tl_sub(x, s->centre);
    const double beyond = fabs(tl_dot(s->normal, d)) - 0.5 * tl_norm(tl_sub(s->point[1], s->point[0])), aside = tl_norm(tl_cross(s->normal, d)) - s->rim;
    const double core = tl_larger(beyond, aside) > 0 ? hypot(tl_larger(0, beyond), tl_larger(0, aside)) : tl_larger(beyond, aside);
    return core - s->radius;
}

static tl_vec3 on_triangle(const tl_mesh3 *m, int t, tl_vec3 x)
{
    const tl_vec3 n = m->normal[t];
    tl_vec3 best = tl_sub(x, tl_scale(tl_dot(n, x) - m->offset[t], n));
    double square = (double)INFINITY;
    bool over = true;
    for (int k = 0; k < 3; k++) {
        const tl_vec3 a = m->vertex[m->corner[t][k]], b = m->vertex[m->corner[t][k < 2 ? k + 1 : 0]];
        over = over && tl_dot(tl_cross(n, tl_sub(b, a)), tl_sub(x, a)) >= 0;
    }
    for (int k = 0; !over && k < 3; k++) {
        const tl_vec3 p = on_side(m->vertex[m->corner[t][k]], m->vertex[m->corner[t][k < 2 ? k + 1 : 0]], x), d = tl_sub(x, p);
        if (tl_dot(d, d) < square) square = tl_dot(d, d), best = p;
    }
    return best;
}

typedef struct nearest {
    tl_vec3 x;
    double distance, facing, height; /* of the triangle that faces the point most, of those that are nearest */
} nearest;

static double to_box(const tl_mesh_node3 *n, tl_vec3 x)
{
    const tl_vec3 d = {tl_larger(0, tl_larger(n->low.x - x.x, x.x - n->high.x)), tl_larger(0, tl_larger(n->low.y - x.y, x.y - n->high.y)),
                       tl_larger(0, tl_larger(n->low.z - x.z, x.z - n->high.z))};
    return tl_norm(d);
}

/* Over an edge or a corner several triangles are equally near, and only what they are together tells the side: that which faces the point most does. */
static void look_at(const tl_mesh3 *m, int t, nearest *best)
{
    const tl_vec3 d = tl_sub(best->x, on_triangle(m, t, best->x));
    const double distance = tl_norm(d), height = tl_dot(m->normal[t], d), facing = distance > 0 ? fabs(height) / distance : 1;
    const double grain = 1e-9 * (distance + tl_norm(best->x));
    if (distance > best->distance + grain || (distance > best->distance - grain && facing <= best->facing)) return;
    best->distance = tl_smaller(distance, best->distance);
    best->facing = facing, best->height = height;
}

static void search(const tl_mesh3 *m, int at, nearest *best)
{
    const tl_mesh_node3 *n = &m->node[at];
    if (to_box(n, best->x) > best->distance * (1 + 1e-9)) return;
    for (int i = 0; i < n->count; i++) look_at(m, m->order[n->begin + i], best);
    if (n->count > 0) return;
    const bool first = to_box(&m->node[at + 1], best->x) <= to_box(&m->node[n->second], best->x);
    search(m, first ? at + 1 : n->second, best);
    search(m, first ? n->second : at + 1, best);
}

double tl_shape3_distance(const tl_shape3 *s, tl_vec3 x, double within)
{
    if (s->kind == TL_HALF_SPACE3) return tl_dot(tl_sub(x, s->centre), s->normal);
    if (s->kind == TL_MESH3) {
        nearest best = {.x = x, .distance = (double)INFINITY, .facing = -1};
        search(s->mesh, 0, &best);
        return best.height < 0 ? -best.distance : best.distance;
    }
    if (s->faces > 0) return hull_distance(s, x, within);
    if (s->rim > 0) return cylinder_distance(s, x);
    return tl_norm(tl_sub(x, on_side(s->point[0], s->point[s->points - 1], x))) - s->radius;
}
