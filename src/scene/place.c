/* Where shapes are put: arrays, and the way from the axes that a shape is written in to those of its body. */
#include <math.h>
#include <string.h>

#include "scene/solids.h"

talus_status tl_read_repeat(tl_builder *b, const tl_node *node, tl_repeat *out)
{
    const tl_node *about = tl_node_get(node, "about"), *axis = tl_node_get(node, "axis");
    const bool space = talus_world_dimension(b->world) == 3;
    double shift[3] = {0}, centre[3] = {0}, along[3] = {0, 0, 1};
    tl_vector(b, tl_node_get(node, "shift"), "m", shift);
    tl_vector(b, about, "m", centre);
    if (space) tl_vector(b, axis, "", along);
    out->count = (int)tl_quantity(b->r, tl_node_get(node, "count"), "", 1, false);
    out->turn = tl_quantity(b->r, tl_node_get(node, "turn"), "rad", about || axis ? 2 * TL_PI / out->count : 0, false);
    out->shift = tl_load3(shift), out->about = tl_load3(centre), out->axis = tl_normalize(tl_load3(along));
    const char *wrong = axis && !space              ? "in the plane everything turns about z; only space has an 'axis'"
                        : !(tl_norm(out->axis) > 0) ? "the axis of a turn is not zero"
                        : out->turn == 0 && tl_norm(out->shift) == 0 && out->count > 1
                            ? "the copies would all be at the same place: give a 'shift', a 'turn', or 'about'"
                            : NULL;
    if (wrong) tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "%s", wrong);
    return wrong ? TALUS_INPUT : TALUS_OK;
}

tl_frame tl_repeat_frame(const tl_repeat *r, int i)
{
    tl_frame f = {.R = tl_mat3_rotation(r->axis, i * r->turn)};
    f.p = tl_add(tl_sub(r->about, tl_mat3_apply(&f.R, r->about)), tl_scale(i, r->shift));
    return f;
}

void tl_repeat_place(const tl_repeat *array, int copy, talus_body_def *d)
{
    const tl_frame at = tl_repeat_frame(array, copy);
    const tl_quat q = {d->quaternion[0], d->quaternion[1], d->quaternion[2], d->quaternion[3]};
    const tl_quat turned = tl_quat_normalize(tl_quat_mul(tl_quat_from_mat3(&at.R), q));
    tl_store3(d->position, tl_add(at.p, tl_mat3_apply(&at.R, tl_load3(d->position))));
    d->angle += copy * array->turn;
    d->quaternion[0] = turned.w, d->quaternion[1] = turned.x, d->quaternion[2] = turned.y, d->quaternion[3] = turned.z;
}

static tl_vec3 place(const tl_owner *o, tl_vec3 x) { return tl_add(o->at.p, tl_mat3_apply(&o->at.R, x)); }

talus_status tl_add_part(tl_builder *b, const tl_owner *o, const tl_node *node, talus_shape_def *d, double (*corner)[3], int count)
{
    const tl_node *material = tl_node_get(node, "material");
    const bool has_normal = d->kind == TALUS_SHAPE_HALF_PLANE || d->kind == TALUS_SHAPE_HALF_SPACE;
    d->material = tl_build_material(b, material ? material : o->material);
    if (!material && !o->material) {
        tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "'material' is missing here, and its body has none for all of its shapes");
        return TALUS_INPUT;
    }
    const int points = corner ? count : has_normal ? 2 : d->count;
    for (int i = 0; o->placed && i < points && (corner || i < TALUS_POLYGON_POINTS); i++) {
        const tl_vec3 x = corner ? tl_load3(corner[i]) : tl_v3(d->points[i][0], d->points[i][1], 0);
        const tl_vec3 y = has_normal && i == 1 ? tl_mat3_apply(&o->at.R, x) : place(o, x);
        if (corner) tl_store3(corner[i], y);
        else d->points[i][0] = y.x, d->points[i][1] = y.y;
    }
    if (corner) d->corners = (const double(*)[3])corner, d->count = count;
    return tl_build_check(b, talus_body_add_shape(b->world, o->body, d), node);
}

static talus_status repeat_shapes(tl_builder *b, const tl_node *node, const tl_owner *owner)
{
    tl_repeat array;
    TL_TRY(tl_read_repeat(b, node, &array));
    for (int i = 0; i < array.count; i++) {
        const tl_frame step = tl_repeat_frame(&array, i);
        tl_owner copy = *owner;
        copy.placed = owner->placed || i > 0;
        copy.at = (tl_frame){place(owner, step.p), tl_mat3_mul(&owner->at.R, &step.R)};
        TL_TRY(tl_build_shape_list(b, tl_node_get(node, "shapes"), &copy));
    }
    return TALUS_OK;
}

talus_status tl_build_shape_list(tl_builder *b, const tl_node *list, const tl_owner *owner)
{
    const bool space = talus_world_dimension(b->world) == 3;
    for (int i = 0; list && list->kind == NODE_LIST && i < list->count; i++) {
        const tl_node *entry = list->item[i], *node = entry->kind == NODE_MAP && entry->count == 1 ? entry->item[0] : NULL;
        if (!node) {
            tl_mistake(&b->scene->mistakes, TALUS_INPUT, entry, "a shape is one key, such as '%s: {radius: 5 mm, material: steel}'", space ? "sphere" : "disk");
            return TALUS_INPUT;
        }
        if (strcmp(node->key, "repeat") == 0) TL_TRY(repeat_shapes(b, node, owner));
        else if (space) TL_TRY(tl_build_shape_space(b, node, owner));
        else TL_TRY(tl_build_shape_plane(b, node, owner));
    }
    return TALUS_OK;
}

talus_status tl_build_shapes(tl_builder *b, const tl_node *node, talus_body_id body)
{
    const tl_owner owner = {.body = body, .material = tl_node_get(node, "material"), .at = {{0, 0, 0}, tl_mat3_identity()}};
    return tl_build_shape_list(b, tl_node_get(node, "shapes"), &owner);
}
