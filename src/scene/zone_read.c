/* Regions as scenes write them: two corners of a box, or one shape by its name. */
#include <math.h>
#include <string.h>

#include "scene/build.h"

static bool wrong(tl_builder *b, const tl_node *node, const char *text)
{
    tl_mistake_key(&b->scene->mistakes, TALUS_INPUT, node, "%s", text);
    return false;
}

static bool read_corners(tl_builder *b, const tl_node *region, tl_zone *z)
{
    double a[3] = {0}, c[3] = {0};
    if (region->count != 2)
        return wrong(b, region, z->dimension == 2 ? "a box has two corners: [[x0, y0], [x1, y1]]" : "a box has two corners: [[x0, y0, z0], [x1, y1, z1]]");
    tl_vector(b, region->item[0], "m", a);
    tl_vector(b, region->item[1], "m", c);
    z->kind = TL_ZONE_BOX;
    for (int i = 0; i < z->dimension; i++) z->box.low[i] = fmin(a[i], c[i]), z->box.high[i] = fmax(a[i], c[i]);
    return true;
}

static bool read_box(tl_builder *b, const tl_node *node, tl_zone *z)
{
    double size[3] = {0}, centre[3] = {0}, q[4] = {1, 0, 0, 0};
    tl_vector(b, tl_node_get(node, "size"), "m", size);
    tl_vector(b, tl_node_get(node, "centre"), "m", centre);
    if (tl_build_orientation(b, tl_node_get(node, "orientation"), q) != TALUS_OK) return false;
    const double angle = tl_quantity(b->r, tl_node_get(node, "angle"), "rad", 0, false);
    z->kind = TL_ZONE_BOX;
    z->at.p = tl_load3(centre);
    z->at.R = z->dimension == 2 ? tl_mat3_rotation(tl_v3(0, 0, 1), angle) : tl_mat3_from_quat((tl_quat){q[0], q[1], q[2], q[3]});
    for (int i = 0; i < z->dimension; i++) z->box.low[i] = -0.5 * size[i], z->box.high[i] = 0.5 * size[i];
    return true;
}

/* Any two axes across will do. */
static void read_cylinder(tl_builder *b, const tl_node *node, tl_zone *z)
{
    double from[3] = {0}, to[3] = {0};
    tl_vector(b, tl_node_get(node, "from"), "m", from);
    tl_vector(b, tl_node_get(node, "to"), "m", to);
    const tl_vec3 way = tl_sub(tl_load3(to), tl_load3(from)), n = tl_normalize(way);
    const tl_vec3 e = fabs(n.x) < 0.6 ? tl_v3(1, 0, 0) : tl_v3(0, 1, 0), u = tl_normalize(tl_cross(n, e)), v = tl_cross(n, u);
    z->kind = TL_ZONE_CYLINDER;
    z->at = (tl_frame){tl_load3(from), {{{u.x, v.x, n.x}, {u.y, v.y, n.y}, {u.z, v.z, n.z}}}};
    z->box.high[2] = tl_norm(way);
    z->radius = tl_quantity(b->r, tl_node_get(node, "radius"), "m", 0, false);
}

static void read_ball(tl_builder *b, const tl_node *node, tl_zone *z)
{
    double centre[3] = {0};
    tl_vector(b, tl_node_get(node, "centre"), "m", centre);
    z->kind = TL_ZONE_BALL;
    z->at.p = tl_load3(centre);
    z->radius = tl_quantity(b->r, tl_node_get(node, "radius"), "m", 0, false);
}

static bool read_named(tl_builder *b, const tl_node *region, tl_zone *z)
{
    const tl_node *node = region->kind == NODE_MAP && region->count == 1 ? region->item[0] : NULL;
    if (!node) return wrong(b, region, "a region is two corners, or one of: box, disk, sphere, cylinder");
    if (strcmp(node->key, "box") == 0) return read_box(b, node, z);
    if (strcmp(node->key, "cylinder") == 0) read_cylinder(b, node, z);
    else read_ball(b, node, z);
    return true;
}

talus_status tl_build_zone(tl_builder *b, const tl_node *region, tl_zone *z)
{
    *z = (tl_zone){.dimension = talus_world_dimension(b->world), .at = {.R = tl_mat3_identity()}};
    if (!region) return TALUS_OK;
    if (!(region->kind == NODE_LIST ? read_corners(b, region, z) : read_named(b, region, z))) return TALUS_INPUT;
    const double size = tl_zone_size(z);
    if (size > 0) return TALUS_OK;
    tl_mistake(&b->scene->mistakes, TALUS_INPUT, region, "the region has no %s", z->dimension == 2 ? "area" : "volume");
    return TALUS_INPUT;
}
