/* Contacts of solids through the public interface (talus/solid.h). */
#include <string.h>

#include "matter/solid.h"
#include "world/world.h"

static const double POINT = 1e-9; /* radius of a node's shape by the distance of nodes */

talus_solid_contact talus_solid_contact_default(void)
{
    return (talus_solid_contact){.struct_size = sizeof(talus_solid_contact), .surface = true, .nodes = true};
}

static talus_status check_contact(talus_world *w, const tl_world_solid *solid, const tl_matter *m, const talus_solid_contact *contact)
{
    if (solid->touches) return tl_fail(&w->error, TALUS_INPUT, "solid '%s': its contacts are said twice", m->name);
    if (tl_is_none(contact->material.index1) || contact->material.index1 > (uint32_t)w->materials)
        return tl_fail(&w->error, TALUS_INPUT, "solid '%s': its contacts have no material", m->name);
    if (!contact->surface && !contact->nodes)
        return tl_fail(&w->error, TALUS_INPUT, "solid '%s': neither its surface nor its nodes are to take contacts", m->name);
    if (contact->faces < 0 || (contact->face && contact->faces == 0))
        return tl_fail(&w->error, TALUS_INPUT, "solid '%s': no faces are to take contacts", m->name);
    return contact->face ? tl_solid_check_faces(m, contact->face, contact->faces, "a contact", &w->error) : TALUS_OK;
}

/* The shape of a node: a point, which stands for half the way to the next. How far it may have passed a surface, and what is rounding, is told by these. */
static talus_status add_node(talus_world *w, const tl_owner *owner, double spacing)
{
    tl_shape3 point = {.points = 0};
    tl_shape2 flat = {.count = 0};
    if (tl_is_planar(w)) {
        TL_TRY(tl_shape2_round_hull(&flat, w->memory, &(tl_vec2){0, 0}, 1, POINT * spacing, &w->error));
        flat.thin = flat.reach = 0.5 * spacing;
        tl_world_add_contactor(w, owner, &flat);
        return TALUS_OK;
    }
    TL_TRY(tl_shape3_hull(&point, w->memory, &(tl_vec3){0, 0, 0}, 1, POINT * spacing, &w->error));
    point.thin = point.reach = 0.5 * spacing;
    tl_world_add_contactor(w, owner, &point);
    return TALUS_OK;
}

/* Behind as many contactors of its surface. */
static talus_status add_nodes(talus_world *w, tl_matter *m, tl_owner owner, int surfaces)
{
    int count = 0;
    double spacing = 0;
    const int *node = tl_solid_touched(m, &count, &spacing);
    TL_TRY(tl_world_make_room(w, count));
    owner.node = true;
    owner.whole = w->system->contactors - surfaces;
    for (int i = 0; i < count; i++) {
        owner.place.item = node[i];
        TL_TRY(add_node(w, &owner, spacing));
    }
    return TALUS_OK;
}

static talus_status add_surface(talus_world *w, tl_matter *m, const talus_solid_contact *contact, const tl_owner *owner)
{
    int count = 0;
    double spacing = 0;
    tl_shape3 surface;
    tl_shape2 outline;
    (void)tl_solid_touched(m, &count, &spacing);
    TL_TRY(tl_world_make_room(w, 1));
    if (tl_is_planar(w)) TL_TRY(tl_solid_make_outline(m, contact, &outline, &w->error));
    else TL_TRY(tl_solid_make_surface(m, contact, &surface, &w->error));
    outline.thin = surface.thin = 0.5 * spacing;
    tl_world_add_contactor(w, owner, tl_is_planar(w) ? (const void *)&outline : &surface);
    return TALUS_OK;
}

static talus_status add_contactors(talus_world *w, tl_matter *m, const talus_solid_contact *contact, const tl_owner *owner)
{
    TL_TRY(tl_solid_expect_faces(m, contact->face, contact->faces, &w->error));
    if (contact->surface) TL_TRY(add_surface(w, m, contact, owner));
    return contact->nodes ? add_nodes(w, m, *owner, contact->surface ? 1 : 0) : TALUS_OK;
}

/* After a failure: as if nothing had been said of contacts, which may then be said again. */
static void take_back(talus_world *w, tl_matter *m, int contactors, int body)
{
    tl_system *s = w->system;
    while (s->contactors > contactors) {
        s->contactors--;
        if (tl_is_planar(w)) tl_shape2_free(&w->plane.shape[s->contactors], w->memory);
        else tl_shape3_free(&w->space.shape[s->contactors], w->memory);
    }
    w->body[body].first_shape = w->body[body].last_shape = -1;
    tl_solid_forget_faces(m);
}

talus_status talus_solid_add_contact(talus_world *w, talus_solid_id id, const talus_solid_contact *given)
{
    talus_solid_contact contact = talus_solid_contact_default();
    tl_matter *m = NULL;
    TL_TRY(tl_world_open_solid(w, id, "a contact", &m));
    TL_TRY(tl_world_open(w, &contact, sizeof contact, given, m, "contact of a solid"));
    tl_world_solid *solid = &w->solid[id.index1 - 1];
    TL_TRY(check_contact(w, solid, m, &contact));
    if (!contact.face) contact.face = tl_solid_mesh(m)->face, contact.faces = tl_solid_mesh(m)->faces;
    const int body = (int)solid->body.index1 - 1, contactors = w->system->contactors;
    const tl_owner owner = {.place = w->body[body].place, .body = body, .material = (int)contact.material.index1 - 1, .whole = -1};
    const talus_status status = add_contactors(w, m, &contact, &owner);
    solid->touches = status == TALUS_OK;
    if (status != TALUS_OK) take_back(w, m, contactors, body);
    return status;
}
