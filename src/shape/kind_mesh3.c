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
    shape->centre = tl_scale(0.5, tl_add(m->tree.node[0].box.low, m->tree.node[0].box.high));
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
    const tl_vec3 middle = tl_scale(0.5, tl_add(m->tree.node[0].box.low, m->tree.node[0].box.high)),
                  half = tl_scale(0.5, tl_sub(m->tree.node[0].box.high, m->tree.node[0].box.low));
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

static double distance(const tl_shape3 *s, tl_vec3 x, double within)
{
    (void)within;
    const tl_mesh_foot3 foot = tl_mesh3_nearest(s->mesh, x);
    return foot.height < 0 ? -foot.distance : foot.distance;
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
