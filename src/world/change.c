/* What may change between two steps of an assembled world: kinds of bodies, gravity. */
#include <string.h>

#include "world/world.h"

static talus_status check_change(talus_world *w, talus_body_id id, talus_body_kind kind)
{
    char text[128];
    if ((unsigned)kind > TALUS_BODY_IMPOSED) return tl_fail(&w->error, TALUS_INPUT, "there is no kind %d of bodies", (int)kind);
    if (tl_is_none(id.index1) || id.index1 > (uint32_t)w->bodies) return tl_fail(&w->error, TALUS_INPUT, "there is no such body to change");
    const tl_body *body = &w->body[id.index1 - 1];
    tl_world_describe(w, (int)id.index1 - 1, text);
    if (body->place.matter != 0) return tl_fail(&w->error, TALUS_INPUT, "%s is a link: its joint says how it moves", text);
    if (!body->changes_kind) return tl_fail(&w->error, TALUS_INPUT, "%s was not defined as one that changes its kind", text);
    if (kind != TALUS_BODY_FREE) return TALUS_OK;
    for (int k = body->first_shape; k >= 0; k = w->next_shape[k])
        if (tl_is_planar(w) ? w->plane.contactor[k].shape.kind == TL_HALF_PLANE : w->space.contactor[k].shape.kind != TL_HULL3)
            return tl_fail(&w->error, TALUS_INPUT, "%s carries a half-plane, a half-space or a mesh, so it cannot be freed", text);
    if (!((tl_is_planar(w) ? w->plane.grains->mass : w->space.grains->mass)[body->place.item] > 0))
        return tl_fail(&w->error, TALUS_INPUT, "%s has no mass, so it cannot be freed: give it one, or give its shapes' material a density", text);
    return TALUS_OK;
}

talus_status talus_body_set_kind(talus_world *w, talus_body_id id, talus_body_kind kind)
{
    TL_TRY(talus_world_assemble(w));
    TL_TRY(check_change(w, id, kind));
    const int i = w->body[id.index1 - 1].place.item;
    tl_grains2 *flat = w->plane.grains;
    tl_grains3 *solid = w->space.grains;
    if (tl_is_planar(w)) {
        flat->kind[i] = kind;
        tl_grains2_settle_kind(flat, i);
        if (kind != TALUS_BODY_FREE) tl_grains2_start_here(flat, i, talus_world_time(w));
    } else {
        solid->kind[i] = kind;
        tl_grains3_settle_kind(solid, i);
        if (kind != TALUS_BODY_FREE) tl_grains3_start_here(solid, i, talus_world_time(w));
    }
    tl_world_settle_kinds(w);
    return TALUS_OK;
}

talus_status talus_world_set_gravity(talus_world *w, const double gravity[3])
{
    for (int k = 0; k < 3; k++)
        if (!isfinite(gravity[k])) return tl_fail(&w->error, TALUS_INPUT, "gravity is not a number");
    memcpy(w->def.gravity, gravity, sizeof w->def.gravity);
    return TALUS_OK;
}
