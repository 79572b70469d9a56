/* The point of a surface of triangles that is nearest to another point, by the tree of boxes. */
#include "shape/kinds3.h"

tl_vec3 tl_mesh3_on_triangle(const tl_mesh3 *m, int t, tl_vec3 x)
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
        const tl_vec3 p = tl_on_side3(m->vertex[m->corner[t][k]], m->vertex[m->corner[t][k < 2 ? k + 1 : 0]], x), d = tl_sub(x, p);
        if (tl_dot(d, d) < square) square = tl_dot(d, d), best = p;
    }
    return best;
}

typedef struct nearest {
    tl_vec3 x;
    tl_mesh_foot3 foot;
    double facing; /* of the triangle that faces the point most, of those that are nearest */
} nearest;

/* Over an edge or a corner several triangles are equally near, and only what they are together tells the side: that which faces the point most does. */
static void look_at(const tl_mesh3 *m, int t, nearest *best)
{
    const tl_vec3 at = tl_mesh3_on_triangle(m, t, best->x), d = tl_sub(best->x, at);
    const double distance = tl_norm(d), height = tl_dot(m->normal[t], d), facing = distance > 0 ? fabs(height) / distance : 1;
    const double grain = 1e-9 * (distance + tl_norm(best->x));
    if (distance > best->foot.distance + grain || (distance > best->foot.distance - grain && facing <= best->facing)) return;
    best->foot.distance = tl_smaller(distance, best->foot.distance);
    best->facing = facing;
    best->foot.triangle = t, best->foot.at = at, best->foot.height = height;
}

static void search(const tl_mesh3 *m, int at, nearest *best)
{
    const tl_box_node *node = m->tree.node, *n = &node[at];
    if (tl_box3_distance(&n->box, best->x) > best->foot.distance * (1 + 1e-9)) return;
    for (int i = 0; i < n->count; i++) look_at(m, m->tree.order[n->begin + i], best);
    if (n->count > 0) return;
    const bool first = tl_box3_distance(&node[at + 1].box, best->x) <= tl_box3_distance(&node[n->second].box, best->x);
    search(m, first ? at + 1 : n->second, best);
    search(m, first ? n->second : at + 1, best);
}

tl_mesh_foot3 tl_mesh3_nearest(const tl_mesh3 *m, tl_vec3 x)
{
    nearest best = {.x = x, .foot = {.triangle = -1, .at = x, .distance = (double)INFINITY}, .facing = -1};
    search(m, 0, &best);
    return best.foot;
}

int tl_mesh3_facets(const tl_mesh3 *m, tl_vec3 x, double within, tl_facet *out)
{
    const tl_vec3 rim = tl_v3(within, within, within);
    tl_box_walk walk = tl_box_walk_through(&m->tree, tl_sub(x, rim), tl_add(x, rim));
    int count = 0;
    for (int t; count < TL_FACETS && (t = tl_box_next(&walk)) >= 0;) {
        if (tl_norm(tl_sub(tl_mesh3_on_triangle(m, t, x), x)) > within) continue;
        tl_facet *f = &out[count++];
        f->normal = m->normal[t], f->corners = 3;
        for (int k = 0; k < 3; k++) f->corner[k] = m->vertex[m->corner[t][k]];
        f->at = f->corner[0];
    }
    return count;
}
