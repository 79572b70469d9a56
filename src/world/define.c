/* Definition calls: materials, interactions, bodies, shapes, loads. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "shape/kinds2.h"
#include "world/world.h"

enum { MOST_MACHINES = 1000000000 }; /* groups of contactors number bodies, mechanisms and machines in one int */

/* ---- materials ---------------------------------------------------------------------------------------------------- */

talus_material_def talus_material_def_default(void) { return (talus_material_def){.struct_size = sizeof(talus_material_def), .thickness = 1}; }

talus_status talus_material_create(talus_world *w, const talus_material_def *def, talus_material_id *out)
{
    talus_material_def own = talus_material_def_default();
    TL_TRY(tl_world_open(w, &own, sizeof own, def, out, "material"));
    def = &own;
    const char *name = def->name ? def->name : "";
    if (!(def->density >= 0) || !isfinite(def->density))
        return tl_fail(&w->error, TALUS_INPUT, "material '%s': density is %g kg/m³; it must not be negative", name, def->density);
    if (!(def->thickness > 0) || !isfinite(def->thickness))
        return tl_fail(&w->error, TALUS_INPUT, "material '%s': thickness is %g m; it must be positive", name, def->thickness);
    for (int i = 0; *name && i < w->materials; i++)
        if (w->material[i].name && strcmp(w->material[i].name, name) == 0) return tl_fail(&w->error, TALUS_INPUT, "there are two materials '%s'", name);
    if (tl_grow(w->memory, &w->material, &w->material_capacity, w->materials + 1, sizeof *w->material) != TALUS_OK) return tl_world_out_of_memory(w);
    char *copy = *name ? tl_strdup(w->memory, name) : NULL;
    if (*name && !copy) return tl_world_out_of_memory(w);
    w->material[w->materials++] = (tl_world_material){copy, def->density, def->thickness};
    *out = (talus_material_id){(uint32_t)w->materials};
    return TALUS_OK;
}

talus_interaction_def talus_interaction_def_default(void)
{
    return (talus_interaction_def){.struct_size = sizeof(talus_interaction_def), .enabled = true, .damping = (double)NAN, .friction_velocity = 1e-3};
}

static talus_status check_interaction(talus_world *w, talus_material_id a, talus_material_id b, const talus_interaction_def *def)
{
    if (!(def->friction >= 0) || !isfinite(def->friction)) return tl_fail(&w->error, TALUS_INPUT, "friction is %g; it must not be negative", def->friction);
    if (!(def->restitution >= 0 && def->restitution <= 1))
        return tl_fail(&w->error, TALUS_INPUT, "restitution is %g; it must be between 0 and 1", def->restitution);
    if (!(def->stiffness >= 0) || def->damping < 0 || !isfinite(def->stiffness) || isinf(def->damping))
        return tl_fail(&w->error, TALUS_INPUT, "stiffness is %g N/m, damping %g N s/m; they must not be negative", def->stiffness, def->damping);
    if (!(def->friction_velocity > 0)) return tl_fail(&w->error, TALUS_INPUT, "the friction velocity is %g m/s; it must be positive", def->friction_velocity);
    if ((unsigned)def->activation > TALUS_ACTIVATION_ANTICIPATED)
        return tl_fail(&w->error, TALUS_INPUT, "an interaction has no activation %d", (int)def->activation);
    if (a.index1 > (uint32_t)w->materials || b.index1 > (uint32_t)w->materials || tl_is_none(a.index1) != tl_is_none(b.index1))
        return tl_fail(&w->error, TALUS_INPUT, "an interaction names a material that does not exist");
    return TALUS_OK;
}

/* whole: it is not said in parts, so that it must have all that the scheme needs. */
static talus_status make_rule(talus_world *w, const talus_material_id pair[2], const talus_interaction_def *def, bool whole, tl_interaction_rule *out)
{
    talus_interaction_def own = talus_interaction_def_default();
    if (!w) return TALUS_INPUT;
    if (!tl_take_def(&own, sizeof own, def))
        return tl_fail(&w->error, TALUS_INPUT, "talus_interaction_def is not initialised: begin with talus_interaction_def_default()");
    TL_TRY(check_interaction(w, pair[0], pair[1], &own));
    *out = (tl_interaction_rule){.a = (int)pair[0].index1 - 1, .b = (int)pair[1].index1 - 1};
    TL_TRY(tl_interaction_make(&own, &out->holds, &w->error));
    TL_TRY(tl_world_check_method(w, out->holds.resists ? "moments of the law 'rolling'" : NULL));
    const char *lacks = whole ? tl_world_law_lacks(w, &out->holds) : NULL;
    if (lacks) return tl_fail(&w->error, TALUS_INPUT, "scheme '%s' needs a '%s' for every interaction", talus_scheme_name((int)w->def.scheme), lacks);
    return TALUS_OK;
}

/* The last rule of a pair holds: it takes the place of the one before. Of an assembled world only where matter takes what it asks for; `keep`: if so. */
static talus_status try_rule(talus_world *w, const tl_interaction_rule *rule, bool keep)
{
    int i = 0;
    while (i < w->rules && !(w->rule[i].a == rule->a && w->rule[i].b == rule->b) && !(w->rule[i].a == rule->b && w->rule[i].b == rule->a)) i++;
    if (tl_grow(w->memory, &w->rule, &w->rule_capacity, i + 1, sizeof *w->rule) != TALUS_OK) return tl_world_out_of_memory(w);
    const int rules = w->rules;
    const tl_interaction_rule before = i < rules ? w->rule[i] : *rule;
    w->rule[i] = *rule;
    w->rules = i == rules ? i + 1 : rules;
    if (!w->assembled) return TALUS_OK;
    tl_world_settle_laws(w);
    const talus_status status = tl_world_refuse_moments(w);
    if (status != TALUS_OK || !keep) {
        w->rule[i] = before, w->rules = rules;
        tl_world_settle_laws(w);
        return status;
    }
    w->system->broad.valid = false; /* the list leaves out pairs that do not touch by their law */
    w->let_touch = w->let_touch || (rule->holds.enabled && !before.holds.enabled);
    return status;
}

talus_status talus_interaction_check(talus_world *w, talus_material_id a, talus_material_id b, const talus_interaction_def *def)
{
    tl_interaction_rule rule;
    TL_TRY(make_rule(w, (talus_material_id[2]){a, b}, def, true, &rule));
    return w->assembled ? try_rule(w, &rule, false) : TALUS_OK;
}

talus_status talus_interaction_set(talus_world *w, talus_material_id a, talus_material_id b, const talus_interaction_def *def)
{
    tl_interaction_rule rule;
    TL_TRY(make_rule(w, (talus_material_id[2]){a, b}, def, w && w->assembled, &rule));
    return try_rule(w, &rule, true);
}

/* ---- bodies ------------------------------------------------------------------------------------------------------- */

int tl_world_body_at(const talus_world *w, tl_place place)
{
    for (int i = 0; i < w->bodies; i++)
        if (w->body[i].place.matter == place.matter && w->body[i].place.item == place.item) return i;
    return -1;
}

talus_body_def talus_body_def_default(void)
{
    return (talus_body_def){.struct_size = sizeof(talus_body_def), .kind = TALUS_BODY_FREE, .quaternion = {1, 0, 0, 0}, .turn_axis = {0, 0, 1}};
}

static bool all_finite(const double *values, int n)
{
    double sum = 0;
    for (int i = 0; values && i < n; i++) sum += values[i] - values[i]; /* NaN for NaN and ∞ */
    return sum == 0;
}

static talus_status check_body(talus_world *w, const talus_body_def *def)
{
    const char *name = def->name ? def->name : "";
    if (def->machine > MOST_MACHINES)
        return tl_fail(&w->error, TALUS_INPUT, "body '%s': its machine is %d; numbers of machines go up to %d", name, def->machine, MOST_MACHINES);
    if (def->machine < 0)
        return tl_fail(&w->error, TALUS_INPUT, "body '%s': its machine is %d; numbers of machines are positive, and 0 is none", name, def->machine);
    if ((unsigned)def->kind > (def->changes_kind ? TALUS_BODY_ABSENT : TALUS_BODY_IMPOSED))
        return tl_fail(&w->error, TALUS_INPUT, "body '%s': there is no kind %d of bodies", name, (int)def->kind);
    if (def->machine > 0 && def->kind != TALUS_BODY_FREE && !def->changes_kind)
        return tl_fail(&w->error, TALUS_INPUT, "body '%s' belongs to a machine, and is not free: only free bodies do not meet others of their machine", name);
    if (!all_finite(def->position, 3) || !all_finite(&def->angle, 1) || !all_finite(def->velocity, 3) || !all_finite(&def->angular_velocity, 1))
        return tl_fail(&w->error, TALUS_INPUT, "body '%s': its position or velocity is not a number", name);
    if (!(def->mass >= 0) || !(def->inertia >= 0) || !all_finite(&def->mass, 1) || !all_finite(&def->inertia, 1))
        return tl_fail(&w->error, TALUS_INPUT, "body '%s': mass %g kg, inertia %g kg m²; they must not be negative", name, def->mass, def->inertia);
    TL_TRY(tl_is_planar(w) ? TALUS_OK : tl_world_check_body3(w, def));
    const double *t = def->inertia_space;
    const bool inertia = tl_is_planar(w) ? def->inertia > 0 : fabs(t[0]) + fabs(t[1]) + fabs(t[2]) > 0;
    if (!all_finite(def->centre_of_mass, 3)) return tl_fail(&w->error, TALUS_INPUT, "body '%s': its centre of mass is not a number", name);
    if (def->has_centre_of_mass && !(def->mass > 0 && inertia))
        return tl_fail(&w->error, TALUS_INPUT, "body '%s': with a centre of mass of its own it must be given its mass and its inertia about that, too", name);
    return TALUS_OK;
}

talus_status tl_world_add_matter(talus_world *w, tl_matter *matter)
{
    tl_system *s = w->system;
    if (tl_grow(w->memory, &s->matter, &s->matter_capacity, s->matters + 1, sizeof *s->matter) != TALUS_OK) return tl_world_out_of_memory(w);
    s->matter[s->matters++] = matter;
    return TALUS_OK;
}

talus_status tl_world_add_body(talus_world *w, const char *name, tl_place place, talus_body_id *out)
{
    if (name && *name && !tl_is_none(talus_body_find(w, name).index1)) return tl_fail(&w->error, TALUS_INPUT, "there are two bodies '%s'", name);
    if (tl_grow(w->memory, &w->body, &w->body_capacity, w->bodies + 1, sizeof *w->body) != TALUS_OK) return tl_world_out_of_memory(w);
    char *copy = name && *name ? tl_strdup(w->memory, name) : NULL;
    if (name && *name && !copy) return tl_world_out_of_memory(w);
    w->body[w->bodies++] = (tl_body){.name = copy, .place = place, .first_shape = -1};
    if (tl_world_index_name(w) != TALUS_OK) {
        tl_free(w->memory, w->body[--w->bodies].name);
        return tl_world_out_of_memory(w);
    }
    *out = (talus_body_id){(uint32_t)w->bodies};
    return TALUS_OK;
}

talus_status talus_body_create(talus_world *w, const talus_body_def *def, talus_body_id *out)
{
    talus_body_def own = talus_body_def_default();
    TL_TRY(tl_world_open(w, &own, sizeof own, def, out, "body"));
    def = &own;
    TL_TRY(check_body(w, def));
    tl_grains2 *g = w->plane.grains;
    TL_TRY(tl_world_add_body(w, def->name, (tl_place){0, tl_is_planar(w) ? g->n : w->space.grains->n}, out));
    const int i = tl_is_planar(w) ? tl_grains2_add(g) : tl_grains3_add(w->space.grains);
    if (i < 0) {
        tl_free(w->memory, w->body[--w->bodies].name);
        return tl_world_out_of_memory(w);
    }
    w->body[w->bodies - 1].own_mass = def->mass > 0;
    w->body[w->bodies - 1].own_inertia = def->inertia > 0;
    w->body[w->bodies - 1].own_centre = def->has_centre_of_mass;
    w->body[w->bodies - 1].centre = tl_load3(def->centre_of_mass);
    w->body[w->bodies - 1].changes_kind = def->changes_kind;
    w->body[w->bodies - 1].machine = def->machine;
    if (def->changes_kind) *(tl_is_planar(w) ? &g->changes : &w->space.grains->changes) = true;
    if (!tl_is_planar(w)) {
        tl_world_set_body3(w, i, def);
        return TALUS_OK;
    }
    g->kind[i] = def->kind;
    g->mass[i] = def->mass;
    g->inertia[i] = def->inertia;
    g->start[i] = g->q[i] = (tl_twist2){def->position[0], def->position[1], def->angle};
    g->v[i] = (tl_twist2){def->velocity[0], def->velocity[1], def->angular_velocity};
    if (def->kind == TALUS_BODY_IMPOSED || def->changes_kind)
        for (int k = 0; k < 3; k++) g->motion[i][k] = def->motion[k];
    return TALUS_OK;
}

/* ---- shapes ------------------------------------------------------------------------------------------------------- */

talus_shape_def talus_shape_def_default(void) { return (talus_shape_def){.struct_size = sizeof(talus_shape_def), .kind = TALUS_SHAPE_DISK, .count = 1}; }

/* Planar kinds are the first four, and those from TALUS_SHAPE_PLANAR on; a solid's outline is none of them. */
static bool is_planar_kind(talus_shape_kind kind)
{
    const int later = (int)TL_MESH2 - (int)TL_HALF_PLANE - 1;
    return (int)kind <= (int)TALUS_SHAPE_HALF_PLANE || ((int)kind >= TALUS_SHAPE_PLANAR && (int)kind < TALUS_SHAPE_PLANAR + later);
}

static bool is_spatial(talus_shape_kind kind) { return kind >= TALUS_SHAPE_SPHERE && (int)kind < (int)TALUS_SHAPE_SPHERE + (int)TL_SHAPE3_KINDS; }

static talus_status make_shape(talus_world *w, const talus_shape_def *def, tl_shape2 *shape, tl_error *error)
{
    static const tl_shape2_kind KIND[] = {
        [TALUS_SHAPE_DISK] = TL_DISK, [TALUS_SHAPE_SEGMENT] = TL_POLYGON, [TALUS_SHAPE_POLYGON] = TL_POLYGON, [TALUS_SHAPE_HALF_PLANE] = TL_HALF_PLANE};
    const bool later = (int)def->kind >= TALUS_SHAPE_PLANAR;
    const tl_shape2_kind kind = later ? (tl_shape2_kind)((int)TL_HALF_PLANE + 1 + (int)def->kind - TALUS_SHAPE_PLANAR) : KIND[def->kind];
    const int own = def->kind == TALUS_SHAPE_SEGMENT ? 2 : tl_shape2_ops_of(kind)->points;
    tl_shape2_def d = {.count = own > 0 ? own : def->count, .radius = def->radius};
    if (d.count < 1 || d.count > TALUS_POLYGON_POINTS)
        return tl_fail(error, TALUS_INPUT, "a polygon has 3 to %d points, not %d", TALUS_POLYGON_POINTS, d.count);
    if (def->kind == TALUS_SHAPE_POLYGON && d.count < 3) return tl_fail(error, TALUS_INPUT, "a polygon has at least 3 points, not %d", d.count);
    for (int i = 0; i < d.count; i++) d.point[i] = tl_v2(def->points[i][0], def->points[i][1]);
    return tl_shape2_make(shape, w->memory, kind, &d, error);
}

static bool is_free(const talus_world *w, tl_place place)
{
    return place.matter != 0 || (tl_is_planar(w) ? w->plane.grains->kind : w->space.grains->kind)[place.item] == TALUS_BODY_FREE;
}

static talus_status check_shape(talus_world *w, talus_body_id body, const talus_shape_def *def)
{
    char text[128];
    if (tl_is_none(body.index1) || body.index1 > (uint32_t)w->bodies) return tl_fail(&w->error, TALUS_INPUT, "a shape is given to a body that does not exist");
    tl_world_describe(w, (int)body.index1 - 1, text);
    if (tl_is_none(def->material.index1) || def->material.index1 > (uint32_t)w->materials)
        return tl_fail(&w->error, TALUS_INPUT, "%s: its shape has no material", text);
    if (!is_planar_kind(def->kind) && !is_spatial(def->kind)) return tl_fail(&w->error, TALUS_INPUT, "%s: there is no kind %d of shapes", text, (int)def->kind);
    if (is_spatial(def->kind) == tl_is_planar(w))
        return tl_fail(&w->error, TALUS_INPUT, "%s: a %s shape in a world of dimension %d", text, tl_is_planar(w) ? "spatial" : "planar", w->def.dimension);
    const bool bounded = def->kind != TALUS_SHAPE_HALF_PLANE && def->kind != TALUS_SHAPE_HALF_SPACE;
    if (!bounded && is_free(w, w->body[body.index1 - 1].place))
        return tl_fail(&w->error, TALUS_INPUT, "%s: a half-%s has no end, so only a fixed or imposed body can carry it", text,
                       tl_is_planar(w) ? "plane" : "space");
    const tl_place place = w->body[body.index1 - 1].place;
    if (w->system->matter[place.matter]->ops->motion)
        return tl_fail(&w->error, TALUS_UNSUPPORTED, "%s is a solid: what it touches with are its faces and nodes, and it takes no other shapes", text);
    if (def->kind == TALUS_SHAPE_MESH && place.matter == 0 && is_free(w, place))
        return tl_fail(&w->error, TALUS_INPUT,
                       "%s: a mesh is a surface without a mass, so only a fixed or imposed body or a link can carry it; give a free body one or more polyhedra",
                       text);
    return TALUS_OK;
}

talus_status tl_world_make_room(talus_world *w, int contactors)
{
    tl_system *s = w->system;
    const bool periodic = s->cell.periodic; /* contacts' keys hold the image, too */
    const int n = s->contactors, most = 1 << s->geometry->contactor_bits >> (periodic ? w->def.dimension : 0);
    if (n > most - contactors) return tl_fail(&w->error, TALUS_UNSUPPORTED, "more than %d shapes%s", most, periodic ? " in a periodic cell" : "");
    const talus_status room = tl_is_planar(w) ? tl_grow(w->memory, &w->plane.shape, &w->plane.shape_capacity, n + contactors, sizeof *w->plane.shape)
                                              : tl_grow(w->memory, &w->space.shape, &w->space.shape_capacity, n + contactors, sizeof *w->space.shape);
    if (room != TALUS_OK || tl_grow(w->memory, &s->owner, &s->owner_capacity, n + contactors, sizeof *s->owner) != TALUS_OK ||
        tl_grow(w->memory, &w->next_shape, &w->next_capacity, n + contactors, sizeof *w->next_shape) != TALUS_OK)
        return tl_world_out_of_memory(w);
    return TALUS_OK;
}

void tl_world_add_contactor(talus_world *w, const tl_owner *owner, const void *shape)
{
    const int n = w->system->contactors++;
    tl_body *body = &w->body[owner->body];
    if (tl_is_planar(w)) w->plane.shape[n] = *(const tl_shape2 *)shape;
    else w->space.shape[n] = *(const tl_shape3 *)shape;
    w->system->owner[n] = *owner;
    w->system->owner[n].whole = owner->whole < 0 ? n : owner->whole;
    w->system->has_parts = w->system->has_parts || (owner->whole >= 0 && !owner->node);
    w->next_shape[n] = -1;
    if (owner->node) return;
    *(body->first_shape < 0 ? &body->first_shape : &w->next_shape[body->last_shape]) = n;
    body->last_shape = n;
}

/* Parts of a shape follow each other, and are of one material, which their law is of. */
static talus_status check_continues(talus_world *w, talus_body_id body, const talus_shape_def *def)
{
    const tl_system *s = w->system;
    char text[128];
    if (!def->continues) return TALUS_OK;
    const tl_owner *last = s->contactors > 0 ? &s->owner[s->contactors - 1] : NULL;
    if (last && last->body == (int)body.index1 - 1 && last->material == (int)def->material.index1 - 1) return TALUS_OK;
    return tl_fail(&w->error, TALUS_INPUT, "%s: a shape continues the one before, which must be of the same body and material",
                   tl_world_describe(w, (int)body.index1 - 1, text));
}

talus_status talus_body_add_shape(talus_world *w, talus_body_id body, const talus_shape_def *def)
{
    talus_shape_def own = talus_shape_def_default();
    TL_TRY(tl_world_open(w, &own, sizeof own, def, w, "shape"));
    def = &own;
    TL_TRY(check_shape(w, body, def));
    TL_TRY(check_continues(w, body, def));
    TL_TRY(tl_world_make_room(w, 1));
    tl_shape2 flat = {.count = 0};
    tl_shape3 solid = {.points = 0};
    tl_error why;
    char text[128];
    const talus_status status = tl_is_planar(w) ? make_shape(w, def, &flat, &why) : tl_world_make_shape3(w, def, &solid, &why);
    if (status != TALUS_OK) return tl_fail(&w->error, status, "%s: %.800s", tl_world_describe(w, (int)body.index1 - 1, text), why.text);
    const int last = w->system->contactors - 1, whole = def->continues ? w->system->owner[last].whole : -1;
    const tl_owner owner = {.place = w->body[body.index1 - 1].place, .body = (int)body.index1 - 1, .material = (int)def->material.index1 - 1, .whole = whole};
    tl_world_add_contactor(w, &owner, tl_is_planar(w) ? (const void *)&flat : &solid);
    return TALUS_OK;
}

/* ---- loads -------------------------------------------------------------------------------------------------------- */

talus_load_def talus_load_def_default(void) { return (talus_load_def){.struct_size = sizeof(talus_load_def)}; }

talus_status talus_body_add_load(talus_world *w, talus_body_id body, const talus_load_def *def)
{
    talus_load_def own = talus_load_def_default();
    TL_TRY(tl_world_open(w, &own, sizeof own, def, w, "load"));
    def = &own;
    if (tl_is_none(body.index1) || body.index1 > (uint32_t)w->bodies) return tl_fail(&w->error, TALUS_INPUT, "a load acts on a body that does not exist");
    const tl_place place = w->body[body.index1 - 1].place;
    if (!all_finite(def->point, 3)) return tl_fail(&w->error, TALUS_INPUT, "the point of a load is not a number");
    tl_matter *m = w->system->matter[place.matter];
    return m->ops->add_load(m, place.item, def, &w->error);
}
