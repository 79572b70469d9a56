/* Couplings of coordinates: what acts in a sum of them (talus/joint.h). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "world/world.h"

talus_coupling_def talus_coupling_def_default(void)
{
    return (talus_coupling_def){.struct_size = sizeof(talus_coupling_def), .freedom = talus_freedom_def_default()};
}

static int find(const talus_world *w, const char *name)
{
    const tl_joints *all = &w->system->joints;
    for (int i = 0; i < all->coordinates; i++)
        if (all->coordinate[i].name && strcmp(all->coordinate[i].name, name) == 0) return i;
    return -1;
}

/* What would do nothing is a mistake, and not one that a run shows. */
static talus_status check_acts(const char *text, const talus_freedom_def *f, tl_error *error)
{
    const bool rubs = f->friction > 0 || f->grip.value, stops = isfinite(f->low) || isfinite(f->high), driven = f->speed.value || f->position.value;
    if (!(f->stiffness > 0) && !(f->damping > 0) && !rubs && !stops && !driven)
        return tl_fail(error, TALUS_INPUT, "nothing acts in %s: it has a stiffness, a damping, a friction, or stops (low, high)", text);
    if (f->slide.value && !rubs) return tl_fail(error, TALUS_INPUT, "%s has a slide and no friction that this would be a factor of", text);
    if (f->restitution > 0 && !stops) return tl_fail(error, TALUS_INPUT, "%s has a restitution and no stops that would throw back", text);
    return TALUS_OK;
}

talus_status talus_coupling_create(talus_world *w, const talus_coupling_def *def, talus_coupling_id *out)
{
    talus_coupling_def own = talus_coupling_def_default();
    TL_TRY(tl_world_open(w, &own, sizeof own, def, out, "coupling"));
    def = &own;
    tl_joints *all = &w->system->joints;
    tl_coordinate c = {.terms = def->terms, .freedom = def->freedom};
    char text[160];
    if (!def->name || !*def->name) return tl_fail(&w->error, TALUS_INPUT, "a coupling has no name");
    if (find(w, def->name) >= 0) return tl_fail(&w->error, TALUS_INPUT, "there are two couplings '%s'", def->name);
    if (def->terms < 1 || def->terms > TALUS_TERMS)
        return tl_fail(&w->error, TALUS_INPUT, "coupling '%s' is of %d coordinates; it takes 1 to %d", def->name, def->terms, TALUS_TERMS);
    snprintf(text, sizeof text, "coupling '%.100s'", def->name);
    for (int k = 0; k < def->terms; k++) {
        TL_TRY(tl_world_term(w, &def->term[k], text, &c.term[k]));
        for (int i = 0; i < k; i++)
            if (def->term[i].joint.index1 == def->term[k].joint.index1 && def->term[i].coordinate == def->term[k].coordinate)
                return tl_fail(&w->error, TALUS_INPUT, "%s names one coordinate twice", text);
    }
    TL_TRY(tl_freedom_check(text, &def->freedom, &w->error));
    TL_TRY(check_acts(text, &def->freedom, &w->error));
    if (tl_grow(w->memory, &all->coordinate, &all->coordinate_capacity, all->coordinates + 1, sizeof *all->coordinate) != TALUS_OK ||
        !(c.name = tl_strdup(w->memory, def->name)))
        return tl_world_out_of_memory(w);
    all->coordinate[all->coordinates++] = c;
    *out = (talus_coupling_id){(uint32_t)all->coordinates};
    return TALUS_OK;
}

talus_coupling_id talus_coupling_find(const talus_world *w, const char *name) { return (talus_coupling_id){(uint32_t)(find(w, name) + 1)}; }

static talus_joint_id joint_of(const talus_world *w, const tl_coordinate_term *term)
{
    for (int i = 0; i < w->joints; i++)
        if (w->joint[i].mechanism == term->mechanism && w->joint[i].index == term->joint) return (talus_joint_id){(uint32_t)i + 1};
    return (talus_joint_id){0};
}

talus_coupling_state talus_coupling_read(const talus_world *w, talus_coupling_id coupling)
{
    const tl_joints *all = &w->system->joints;
    if (!w->assembled || tl_is_none(coupling.index1) || coupling.index1 > (uint32_t)all->coordinates)
        return (talus_coupling_state){(double)NAN, (double)NAN, (double)NAN};
    const tl_coordinate *c = &all->coordinate[coupling.index1 - 1];
    const tl_freedom_memory *m = &all->coordinate_memory[coupling.index1 - 1];
    talus_coupling_state state = {.force = (m->low - m->high + m->spring + m->friction + m->drive) / talus_world_step_size(w)};
    for (int k = 0; k < c->terms; k++) {
        const talus_joint_id joint = joint_of(w, &c->term[k]);
        state.position += c->term[k].factor * talus_joint_position(w, joint, c->term[k].number);
        state.velocity += c->term[k].factor * talus_joint_velocity(w, joint, c->term[k].number);
    }
    return state;
}
