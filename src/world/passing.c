/* What passes through what, since its shapes do not touch: said once, at assembly. */
#include <stdio.h>

#include "world/world.h"

/* Their materials have no contacts with each other: they are meant to pass through. */
static bool are_apart(const talus_world *w, int a, int b)
{
    const tl_system *s = w->system;
    return !s->law[s->owner[a].material * s->materials + s->owner[b].material].enabled;
}

static bool is_mesh(const talus_world *w, int contactor)
{
    return tl_is_planar(w) ? w->plane.shape[contactor].kind == TL_MESH2 : w->space.shape[contactor].kind == TL_MESH3;
}

bool tl_world_is_convex(const talus_world *w, int contactor)
{
    return tl_is_planar(w) ? tl_shape2_is_bounded(&w->plane.shape[contactor]) : tl_shape3_is_convex(&w->space.shape[contactor]);
}

/* Of a solid whose nodes take no contacts: its faces alone do. */
static bool has_no_nodes(const talus_world *w, int surface)
{
    for (int i = surface + 1; i < w->system->contactors && w->system->owner[i].whole == surface; i++)
        if (w->system->owner[i].node) return false;
    return true;
}

static void warn_of_mesh(talus_world *w, int mesh, int other)
{
    const tl_owner *owner = w->system->owner;
    const bool is_solid = w->system->matter[owner[mesh].place.matter]->ops->motion;
    char link[128], met[128], text[512];
    tl_world_describe(w, owner[mesh].body, link);
    tl_world_describe(w, owner[other].body, met);
    if (is_solid)
        snprintf(text, sizeof text,
                 "%s touches by its faces alone, which meet convex shapes only: it passes through %s; with its nodes ('as: both') it does not", link, met);
    else
        snprintf(text, sizeof text,
                 "%s carries a mesh, which touches convex shapes only: it passes through %s, a half-space or mesh; a box or polyhedron would stop it", link,
                 met);
    tl_world_warn(w, text);
}

/* Of a solid whose faces take no contacts: its first node, which stands for all. */
static bool is_of_nodes_alone(const talus_world *w, int contactor)
{
    return w->system->owner[contactor].node && w->system->owner[contactor].whole == contactor;
}

static bool is_line(const talus_world *w, int contactor) { return tl_is_planar(w) && tl_shape2_is_line(&w->plane.shape[contactor]); }

/* Do they never meet, whatever they are: of one machine, both fixed, or joined? */
static bool are_one(const talus_world *w, int a, int b)
{
    const tl_system *s = w->system;
    const tl_owner *one = &s->owner[a], *other = &s->owner[b];
    return one->group == other->group || (s->joints.aparts > 0 && tl_joints_part(&s->joints, one->body, other->body));
}

typedef bool is_kind(const talus_world *, int contactor);

/* Has the one before it met whatever this would meet? */
static bool is_as_before(const talus_world *w, is_kind *is, int contactor)
{
    const tl_owner *own = &w->system->owner[contactor];
    return contactor > 0 && own->body == own[-1].body && own->material == own[-1].material && is(w, contactor - 1);
}

/* The first pair of this kind that would meet; `both`: what is said of the two. */
static void warn_of_pair(talus_world *w, is_kind *is, const char *both)
{
    for (int a = 0; a < w->system->contactors; a++)
        for (int b = is(w, a) && !is_as_before(w, is, a) ? a + 1 : w->system->contactors; b < w->system->contactors; b++) {
            char one[128], other[128], text[512];
            if (!is(w, b) || are_apart(w, a, b) || are_one(w, a, b)) continue;
            tl_world_describe(w, w->system->owner[a].body, one);
            tl_world_describe(w, w->system->owner[b].body, other);
            snprintf(text, sizeof text, "%s and %s both %s", one, other, both);
            tl_world_warn(w, text);
            return;
        }
}

void tl_world_warn_of_passing(talus_world *w)
{
    warn_of_pair(
        w, is_of_nodes_alone,
        "touch by their nodes alone, and nodes do not meet nodes: they pass through each other; with the faces of one of them ('as: both') they do not");
    warn_of_pair(w, is_line, "have a segment without a 'radius', which pass through each other; a radius of one of them would stop them");
    const tl_owner *owner = w->system->owner;
    int body = -1;
    for (int i = 0; i < w->system->contactors; i++) {
        const int matter = owner[i].place.matter;
        if (!is_mesh(w, i) || matter == 0 || owner[i].body == body) continue;
        if (w->system->matter[matter]->ops->motion && !has_no_nodes(w, i)) continue;
        for (int k = 0; k < w->system->contactors && owner[i].body != body; k++) {
            if (tl_world_is_convex(w, k) || owner[k].place.matter == matter || are_apart(w, i, k)) continue;
            if (is_mesh(w, k) && owner[k].place.matter != 0 && !has_no_nodes(w, k)) continue;
            body = owner[i].body;
            warn_of_mesh(w, i, k);
        }
    }
}
