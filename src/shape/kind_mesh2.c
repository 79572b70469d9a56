/* Outlines of deformable solids as shapes. The outline itself is mesh2.c's; only a solid has one. */
#include <string.h>

#include "shape/kinds2.h"

talus_status tl_shape2_mesh(tl_shape2 *shape, tl_memory memory, const tl_edges2 *of, tl_error *error)
{
    tl_error why = {0};
    memset(shape, 0, sizeof *shape);
    shape->kind = TL_MESH2;
    shape->mesh = tl_mesh2_create(memory, of, &why);
    if (!shape->mesh) return tl_fail(error, why.status, "%s", why.text);
    shape->reach = tl_mesh_shape2.reach(shape);
    return TALUS_OK;
}

static double reach(const tl_shape2 *s)
{
    double most = 0;
    for (int i = 0; i < s->mesh->vertices; i++) most = fmax(most, tl_norm2(s->mesh->vertex[i]));
    return most;
}

static tl_area2 area_of(const tl_shape2 *s)
{
    (void)s;
    return (tl_area2){0};
}

/* The box of the turned box: its middle, and half its sides along the axes. */
static tl_box2 box(const tl_shape2 *s, const tl_pose2 *pose)
{
    const tl_box3 own = s->mesh->tree.node[0].box;
    const tl_vec2 middle = {0.5 * (own.low.x + own.high.x), 0.5 * (own.low.y + own.high.y)};
    const tl_vec2 half = {0.5 * (own.high.x - own.low.x), 0.5 * (own.high.y - own.low.y)}, p = tl_to_world2(pose, middle);
    const tl_vec2 rim = {fabs(pose->c) * half.x + fabs(pose->s) * half.y, fabs(pose->s) * half.x + fabs(pose->c) * half.y};
    return (tl_box2){tl_sub2(p, rim), tl_add2(p, rim)};
}

static double half_width(const tl_shape2 *s)
{
    (void)s;
    return 0;
}

static double distance(const tl_shape2 *s, tl_vec2 x)
{
    const tl_mesh_foot2 foot = tl_mesh2_nearest(s->mesh, x);
    return foot.height < 0 ? -foot.distance : foot.distance;
}

const tl_shape2_ops tl_mesh_shape2 = {
    .name = "mesh",
    .reach = reach,
    .area = area_of,
    .box = box,
    .half_width = half_width,
    .distance = distance,
};
