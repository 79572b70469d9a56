/* What acts on solids of finite elements, and what they touch. */
#include <string.h>

#include "scene/solid_reading.h"

static const char *const AXIS[3] = {"x", "y", "z"};

static talus_status read_tractions(tl_solid_reading *s, const tl_node *node, const char *unit, talus_solid_load *d)
{
    for (int k = 0; k < 3; k++) {
        const tl_node *function = tl_node_get(node, AXIS[k]);
        d->traction[k] = tl_build_motion(s->b, function, unit);
        if (function && !d->traction[k].value) return TALUS_INPUT; /* what is wrong with it has been said */
    }
    return TALUS_OK;
}

static talus_status build_load(tl_solid_reading *s, const tl_node *node)
{
    talus_solid_load d = talus_solid_load_default();
    talus_solid_face *face = NULL;
    const tl_node *pressure = tl_node_get(node, "pressure");
    TL_TRY(tl_group_faces(s, tl_node_get(node, "on"), &face, &d.faces));
    d.face = face;
    d.pressure = tl_build_motion(s->b, pressure, "Pa");
    if (pressure && !d.pressure.value) return TALUS_INPUT;
    TL_TRY(read_tractions(s, node, "Pa", &d));
    if (pressure || tl_node_get(node, "x") || tl_node_get(node, "y") || tl_node_get(node, "z"))
        return tl_build_check(s->b, talus_solid_add_load(s->b->world, s->id, &d), s->node);
    tl_mistake(&s->b->scene->mistakes, TALUS_INPUT, node, "a load wants 'pressure', or tractions x, y or z");
    return TALUS_INPUT;
}

static talus_status build_contact(tl_solid_reading *s, const tl_node *node)
{
    talus_solid_contact d = talus_solid_contact_default();
    talus_solid_face *face = NULL;
    const char *as = tl_word(node, "as", "both");
    const tl_node *surface = tl_node_get(node, "surface");
    d.material = tl_build_material(s->b, tl_node_get(node, "material"));
    d.surface = strcmp(as, "nodes") != 0;
    d.nodes = strcmp(as, "antagonist") != 0;
    if (surface) TL_TRY(tl_group_faces(s, surface, &face, &d.faces));
    d.face = face;
    s->touching = face ? face : s->grid.face, s->touching_faces = face ? d.faces : s->grid.faces;
    s->by_faces = d.surface, s->by_nodes = d.nodes;
    return tl_build_check(s->b, talus_solid_add_contact(s->b->world, s->id, &d), node);
}

talus_status tl_build_solid_loads(tl_solid_reading *s)
{
    const tl_node *loads = tl_node_get(s->node, "loads"), *force = tl_node_get(s->node, "force"), *absorb = tl_node_get(s->node, "absorb"),
                  *contact = tl_node_get(s->node, "contact");
    for (int i = 0; loads && loads->kind == NODE_LIST && i < loads->count; i++) TL_TRY(build_load(s, loads->item[i]));
    if (force) {
        talus_solid_load d = talus_solid_load_default();
        TL_TRY(read_tractions(s, force, "N/m^3", &d));
        TL_TRY(tl_build_check(s->b, talus_solid_add_load(s->b->world, s->id, &d), force));
    }
    if (absorb) {
        talus_solid_face *face = NULL;
        int faces = 0;
        TL_TRY(tl_group_faces(s, absorb, &face, &faces));
        TL_TRY(tl_build_check(s->b, talus_solid_absorb(s->b->world, s->id, face, faces), absorb));
    }
    if (contact) TL_TRY(build_contact(s, contact));
    if (strcmp(tl_word(s->node, "start", "unstrained"), "settled") != 0) return TALUS_OK;
    return tl_build_check(s->b, talus_solid_start_settled(s->b->world, s->id), tl_node_get(s->node, "start"));
}
