/* Surfaces of triangles as shapes. The surface itself is mesh3.c's. */
#include <string.h>

#include "shape/kinds3.h"

talus_status tl_shape3_mesh(tl_shape3 *shape, tl_memory memory, const tl_triangles3 *of, tl_error *error)
{
    tl_error why = {0};
    memset(shape, 0, sizeof *shape);
    shape->kind = TL_MESH3;
    shape->mesh = tl_mesh3_create(memory, of, &why);
    if (!shape->mesh) return tl_fail(error, why.status, "%s", why.text);
    const tl_mesh3 *m = shape->mesh;
    shape->centre = tl_scale(0.5, tl_add(m->node[0].low, m->node[0].high));
    for (int i = 0; i < m->vertices; i++)
        if (m->owner[i] >= 0) shape->reach = fmax(shape->reach, tl_norm(m->vertex[i]));
    return TALUS_OK;
}

static talus_status make(tl_shape3 *s, tl_memory memory, const tl_shape3_def *d, tl_error *error)
{
    if (!d->triangles) return tl_fail(error, TALUS_INPUT, "a mesh without triangles");
    return tl_shape3_mesh(s, memory, &(tl_triangles3){d->point, d->count, d->triangles, d->triangle_count}, error);
}

static void move(tl_shape3 *s, tl_vec3 offset, const tl_mat3 *R) { (void)s, (void)offset, (void)R; } /* no free body has one */

/* The box of the turned box: its middle, and half its sides along the axes. */
static tl_box3 box_of(const tl_shape3 *s, const tl_frame *at)
{
    const tl_mesh3 *m = s->mesh;
    const tl_vec3 middle = tl_scale(0.5, tl_add(m->node[0].low, m->node[0].high)), half = tl_scale(0.5, tl_sub(m->node[0].high, m->node[0].low));
    const tl_vec3 p = tl_add(tl_mat3_apply(&at->R, middle), at->p);
    double rim[3];
    for (int i = 0; i < 3; i++) rim[i] = fabs(at->R.m[i][0]) * half.x + fabs(at->R.m[i][1]) * half.y + fabs(at->R.m[i][2]) * half.z;
    return (tl_box3){tl_sub(p, tl_load3(rim)), tl_add(p, tl_load3(rim))};
}

static double half_width(const tl_shape3 *s)
{
    (void)s;
    return 0;
}

/* ---- distance ------------------------------------------------------------------------------------------------------ */

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
        const tl_vec3 p = tl_on_side3(m->vertex[m->corner[t][k]], m->vertex[m->corner[t][k < 2 ? k + 1 : 0]], x), d = tl_sub(x, p);
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

static double distance(const tl_shape3 *s, tl_vec3 x, double within)
{
    (void)within;
    nearest best = {.x = x, .distance = (double)INFINITY, .facing = -1};
    search(s->mesh, 0, &best);
    return best.height < 0 ? -best.distance : best.distance;
}

/* ---- reading ------------------------------------------------------------------------------------------------------- */

static void describe(const tl_shape3 *s, tl_shape3_def *out) { out->count = s->mesh->vertices, out->triangle_count = s->mesh->triangles; }
static tl_vec3 corner(const tl_shape3 *s, int i) { return s->mesh->vertex[i]; }

static int faces(const tl_shape3 *s, int32_t *size, int32_t *corner_out, int *corner_count)
{
    *corner_count = 3 * s->mesh->triangles;
    for (int f = 0; size && f < s->mesh->triangles; f++) size[f] = 3;
    if (corner_out) memcpy(corner_out, s->mesh->corner, (size_t)s->mesh->triangles * sizeof *s->mesh->corner);
    return s->mesh->triangles;
}

const tl_shape3_ops tl_mesh_shape3 = {
    .name = "mesh",
    .make = make,
    .move = move,
    .box = box_of,
    .half_width = half_width,
    .distance = distance,
    .describe = describe,
    .corner = corner,
    .faces = faces,
};
