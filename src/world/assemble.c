/* The end of the definition: laws of every pair of materials, masses, loops, sizes. */
#include <stdio.h>
#include <string.h>

#include "shape/kinds3.h"
#include "solve/local.h"
#include "world/world.h"

/* Every pair's law: its own, else the default, else the library's. Later rules win. */
void tl_world_settle_laws(talus_world *w)
{
    const int n = w->materials;
    tl_interaction common = TL_FRICTIONLESS;
    for (int r = 0; r < w->rules; r++)
        if (w->rule[r].a < 0) common = w->rule[r].holds;
    for (int i = 0; i < n * n; i++) w->law[i] = common;
    w->system->reach = common.reach;
    w->system->remembers = common.remembers, w->system->resists = common.resists;
    for (int r = 0; r < w->rules; r++) {
        const tl_interaction_rule *rule = &w->rule[r];
        if (rule->a >= 0) w->law[rule->a * n + rule->b] = w->law[rule->b * n + rule->a] = rule->holds;
        w->system->reach = fmax(w->system->reach, rule->holds.reach);
        w->system->remembers = w->system->remembers || rule->holds.remembers;
        w->system->resists = w->system->resists || rule->holds.resists;
    }
}

static talus_status make_laws(talus_world *w)
{
    w->law = tl_alloc(w->memory, (size_t)(w->materials * w->materials), sizeof *w->law);
    if (!w->law) return tl_world_out_of_memory(w);
    tl_world_settle_laws(w);
    w->system->law = w->law;
    w->system->materials = w->materials;
    return TALUS_OK;
}

/* Sums the shapes of a body: weight per area is density × thickness, or 1 where `geometric`. */
static tl_area2 body_area(const talus_world *w, int body, bool geometric)
{
    tl_area2 sum = {0};
    tl_vec2 about = {0, 0}; /* the centroid of the first: what lies far from the body's origin has no digits left about that */
    for (int k = w->body[body].first_shape; k >= 0; k = w->next_shape[k]) {
        const tl_shape2 *shape = &w->plane.shape[k];
        const tl_world_material *material = &w->material[w->system->owner[k].material];
        const double weight = geometric ? 1 : material->density * material->thickness;
        const tl_area2 one = tl_shape2_area(shape);
        if (!(sum.area > 0)) about = one.centroid;
        const tl_vec2 x = tl_sub2(one.centroid, about);
        sum.area += weight * one.area;
        sum.moment += weight * (one.moment + one.area * tl_dot2(x, x));
        sum.centroid = tl_add2(sum.centroid, tl_scale2(weight * one.area, x));
    }
    if (!(sum.area > 0)) return sum;
    sum.centroid = tl_scale2(1 / sum.area, sum.centroid);
    sum.moment -= sum.area * tl_dot2(sum.centroid, sum.centroid);
    sum.centroid = tl_add2(about, sum.centroid);
    return sum;
}

double tl_world_mass_of_shapes(const talus_world *w, int body) { return tl_is_planar(w) ? body_area(w, body, false).area : tl_world_mass_of_shapes3(w, body); }

/* Mass and inertia of a body that is or may be free; the state moves from the user's origin to the centre of mass. */
static talus_status settle_body(talus_world *w, int body)
{
    tl_grains2 *g = w->plane.grains;
    const int i = w->body[body].place.item;
    char text[128];
    tl_area2 area = body_area(w, body, false);
    const bool weightless = !(area.area > 0);
    if (weightless) area = body_area(w, body, true); /* no densities: the shapes still tell where the mass lies */
    const bool moves = g->kind[i] == TALUS_BODY_FREE;
    if (w->body[body].own_centre) area.centroid = tl_v2(w->body[body].centre.x, w->body[body].centre.y);
    if (!moves) g->v[i] = (tl_twist2){0, 0, 0};
    if (!moves && !w->body[body].changes_kind) {
        g->inverse_mass[i] = g->inverse_inertia[i] = 0;
        return TALUS_OK;
    }
    if (!w->body[body].own_mass) {
        if (weightless && moves)
            return tl_fail(&w->error, TALUS_INPUT, "%s has no mass: give it one, or give its shapes' material a density", tl_world_describe(w, body, text));
        g->mass[i] = weightless ? 0 : area.area; /* what is not free may do without */
    }
    if (!w->body[body].own_inertia) g->inertia[i] = area.area > 0 ? g->mass[i] * area.moment / area.area : 0;
    tl_grains2_settle_kind(g, i);
    for (int k = w->body[body].first_shape; k >= 0; k = w->next_shape[k]) tl_shape2_shift(&w->plane.shape[k], area.centroid);
    g->origin[i] = tl_scale2(-1, area.centroid);
    const tl_pose2 turn = tl_pose2_at(0, 0, g->q[i].w);
    const tl_vec2 arm = tl_rotate2(&turn, area.centroid);
    g->q[i].x += arm.x;
    g->q[i].y += arm.y;
    return TALUS_OK;
}

static double half_width2(const tl_shape2 *shape)
{
    if (!tl_shape2_is_bounded(shape)) return (double)INFINITY;
    const tl_pose2 here = {0, 0, 1, 0, 0};
    const tl_box2 box = tl_shape2_box(shape, &here);
    return 0.5 * fmin(box.high.x - box.low.x, box.high.y - box.low.y);
}

static double half_width3(const tl_shape3 *shape)
{
    static const tl_frame HERE = {{0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};
    if (!tl_shape3_is_convex(shape)) return (double)INFINITY;
    const tl_box3 box = tl_shape3_box(shape, &HERE);
    const tl_vec3 size = tl_sub(box.high, box.low);
    return 0.5 * fmin(size.x, fmin(size.y, size.z));
}

/* Of a part of a solid: shapes that stand for it have no width, and it is given to them with their making. */
static bool is_of_solid(const talus_world *w, int contactor) { return w->system->matter[w->system->owner[contactor].place.matter]->ops->motion; }

double tl_world_half_width(const talus_world *w, int contactor)
{
    if (is_of_solid(w, contactor)) return tl_is_planar(w) ? w->plane.shape[contactor].thin : w->space.shape[contactor].thin;
    return tl_is_planar(w) ? half_width2(&w->plane.shape[contactor]) : half_width3(&w->space.shape[contactor]);
}

static bool may_move(const talus_world *w, tl_place place, int body)
{
    return place.matter != 0 || w->body[body].changes_kind || (tl_is_planar(w) ? w->plane.grains->kind : w->space.grains->kind)[place.item] == TALUS_BODY_FREE;
}

/* Smallest half width of what moves or may move, ∞ if nothing does: of bodies that are no solids, or of these, whose elements may be much finer than all
 * that lies on them. */
static double smallest_half_width(const talus_world *w, bool of_solids)
{
    double smallest = (double)INFINITY;
    for (int i = 0; i < w->system->contactors; i++) {
        const double half = tl_world_half_width(w, i);
        const int body = w->system->owner[i].body;
        if (half > 0 && is_of_solid(w, i) == of_solids && may_move(w, w->system->owner[i].place, body)) smallest = fmin(smallest, half);
    }
    return smallest;
}

void tl_world_settle_kinds(talus_world *w)
{
    tl_system *s = w->system;
    const talus_body_kind *kind = tl_is_planar(w) ? w->plane.grains->kind : w->space.grains->kind;
    s->mass = 0;
    for (int grains = 0; grains < 2; grains++)
        for (int i = 0; i < w->bodies; i++) {
            const tl_place place = w->body[i].place;
            const tl_matter *m = s->matter[place.matter];
            if ((place.matter == 0) == grains && (!grains || kind[place.item] == TALUS_BODY_FREE)) s->mass += m->ops->body_mass(m, place.item).mass;
        }
    for (int i = 0; i < s->contactors; i++) { /* those of one grain, of one mechanism or machine, and boundaries never meet */
        const tl_place place = s->owner[i].place;
        const int body = s->owner[i].body, machine = w->body[body].machine;
        const talus_body_kind own = place.matter != 0 ? TALUS_BODY_FREE : kind[place.item];
        const int group = place.matter != 0 ? -1 - place.matter : own != TALUS_BODY_FREE ? -1 : machine > 0 ? TL_GROUP_ABSENT + machine : body;
        s->owner[i].group = own == TALUS_BODY_ABSENT ? TL_GROUP_ABSENT : group;
    }
    s->broad.valid = false;
    w->kinds_changed = false;
}

static void settle_widths(talus_world *w)
{
    for (int i = 0; i < w->system->contactors; i++) {
        if (is_of_solid(w, i)) continue;
        if (tl_is_planar(w)) w->plane.shape[i].thin = tl_shape2_half_width(&w->plane.shape[i]);
        else w->space.shape[i].thin = tl_shape3_half_width(&w->space.shape[i]);
    }
}

/* Lengths that follow from the smallest moving shape, unless the user gave them. */
static void settle_lengths(talus_world *w)
{
    tl_system *s = w->system;
    double smallest = smallest_half_width(w, false);
    if (!isfinite(smallest)) smallest = smallest_half_width(w, true);
    if (!isfinite(smallest)) smallest = 1e-3;
    s->alert = w->def.alert_distance > 0 ? w->def.alert_distance : 0.02 * smallest;
    s->slop = w->def.penetration_slop > 0 ? w->def.penetration_slop : 1e-3 * smallest;
    s->skin = 0.3 * smallest;
    settle_widths(w);
}

static talus_status settle_matter(talus_world *w)
{
    for (int i = 0; i < w->system->matters; i++) {
        tl_matter *m = w->system->matter[i];
        const char *warnings = "";
        if (m->ops->assemble) TL_TRY(m->ops->assemble(m, 0, &warnings, &w->error));
        tl_world_warn(w, warnings);
    }
    return TALUS_OK;
}

const char *tl_world_law_lacks(const talus_world *w, const tl_interaction *law)
{
    const tl_scheme *scheme = w->system->scheme;
    return scheme->law_lacks ? scheme->law_lacks(law) : NULL;
}

/* Can the scheme move all that is here? */
static talus_status settle_scheme(talus_world *w)
{
    const tl_system *s = w->system;
    const char *scheme = talus_scheme_name((int)w->def.scheme), *lacks;
    if (s->matters > 1 && s->scheme->grains_only)
        return tl_fail(&w->error, TALUS_UNSUPPORTED, "scheme '%s' moves grains and ropes, and no %s '%s'", scheme, s->matter[1]->ops->kind,
                       s->matter[1]->name ? s->matter[1]->name : "");
    for (int i = 0; i < s->materials * s->materials; i++)
        if ((lacks = tl_world_law_lacks(w, &s->law[i])) != NULL) {
            const char *a = w->material[i / s->materials].name, *b = w->material[i % s->materials].name;
            return tl_fail(&w->error, TALUS_INPUT, "scheme '%s' needs a '%s' for the interaction of '%s' and '%s'", scheme, lacks, a ? a : "", b ? b : "");
        }
    for (int i = 0; s->scheme->rope_lacks && i < s->ropes; i++)
        if ((lacks = s->scheme->rope_lacks(&s->rope[i])) != NULL)
            return tl_fail(&w->error, TALUS_INPUT, "scheme '%s' needs a '%s' for rope %d", scheme, lacks, i);
    return TALUS_OK;
}

/* Moments of contacts are constraints, for which matter that is no grains needs rows. */
static bool takes_moments(const tl_system *s, int contactor)
{
    const int matter = s->owner[contactor].place.matter;
    return matter == 0 || s->matter[matter]->ops->rows;
}

/* What takes none has its contacts with other matter: `met` of a material is one more than the matter of which it is, −1: it is of several. */
talus_status tl_world_refuse_moments(talus_world *w)
{
    const tl_system *s = w->system;
    if (!s->resists) return TALUS_OK;
    int *met = tl_alloc(w->memory, (size_t)s->materials + 1, sizeof *met);
    if (!met) return tl_world_out_of_memory(w);
    for (int i = 0; i < s->contactors; i++) {
        int *of = &met[s->owner[i].material];
        const int matter = 1 + s->owner[i].place.matter;
        *of = *of == 0 || *of == matter ? matter : -1;
    }
    talus_status status = TALUS_OK;
    for (int i = 0; status == TALUS_OK && i < s->contactors; i++) {
        if (takes_moments(s, i)) continue;
        const tl_matter *m = s->matter[s->owner[i].place.matter];
        const tl_interaction *law = &s->law[s->owner[i].material * s->materials];
        int k = 0;
        while (k < s->materials && !(met[k] != 0 && met[k] != 1 + s->owner[i].place.matter && law[k].resists)) k++;
        if (k == s->materials) continue;
        const char *name = w->material[k].name;
        status = tl_fail(&w->error, TALUS_UNSUPPORTED, "%s '%s' takes no moments of contacts, and its interaction with '%s' resists rolling or spinning",
                         m->ops->kind, m->name ? m->name : "", name ? name : "");
    }
    tl_free(w->memory, met);
    return status;
}

/* Contacts have springs under some schemes. In the plane a scene may give them to compare these with others. */
static void warn_of_idle_springs(talus_world *w)
{
    const tl_system *s = w->system;
    for (int i = 0; i < s->materials * s->materials; i++) {
        char text[512];
        const bool spring = s->law[i].stiffness > 0, lone = s->law[i].damping > 0 && !spring;
        if (s->scheme->springs && lone) snprintf(text, sizeof text, "the damping of an interaction does nothing: it has no stiffness");
        else if (!s->scheme->springs && (spring || lone) && !tl_is_planar(w))
            snprintf(text, sizeof text, "the %s of an interaction does nothing: contacts have no springs under scheme '%s'", spring ? "stiffness" : "damping",
                     talus_scheme_name((int)w->def.scheme));
        else continue;
        tl_world_warn(w, text);
        return;
    }
}

/* What deforms has no springs of its own in its contacts, under a scheme that knows such. */
static void warn_of_soft_solids(talus_world *w)
{
    const tl_system *s = w->system;
    for (int i = 0; s->scheme->relax && i < s->contactors; i++) {
        const tl_matter *m = s->matter[s->owner[i].place.matter];
        for (int k = 0; m->ops->motion && k < s->materials; k++) {
            char text[512];
            if (!(s->law[s->owner[i].material * s->materials + k].stiffness > 0)) continue;
            snprintf(text, sizeof text, "contacts of solid '%s' have no stiffness of their own, which its interaction with '%s' gives: the solid gives",
                     m->name ? m->name : "", w->material[k].name ? w->material[k].name : "");
            tl_world_warn(w, text);
            return;
        }
    }
}

/* In space a flat face that is inclined by more than TL_FLAT3 touches with its nearest points alone: its far ones, which a law that pulls over a large gap
 * would reach, have no part. */
static void warn_of_far_reach(talus_world *w)
{
    const tl_system *s = w->system;
    for (int i = 0; !tl_is_planar(w) && i < s->contactors; i++) {
        const tl_shape3 *shape = &w->space.shape[i];
        const double size = 2 * tl_shape3_ball(shape);
        for (int k = 0; tl_shape3_ops_of(shape->kind)->flats && k < s->materials; k++) {
            char body[128], text[512];
            const double reach = s->law[s->owner[i].material * s->materials + k].reach;
            if (!(reach > TL_FLAT3 * size)) continue;
            tl_world_describe(w, s->owner[i].body, body);
            snprintf(
                text, sizeof text,
                "the law of %s with '%s' pulls over %.3g m, which is much beside its size of %.3g m: flat faces that are inclined by more than %g rad pull "
                "with their nearest points alone",
                body, w->material[k].name ? w->material[k].name : "", reach, size, TL_FLAT3);
            tl_world_warn(w, text);
            return;
        }
    }
}

/* What is held beside contacts; NULL: nothing. */
static const char *held_by(const tl_system *s)
{
    if (s->joints.count > 0) return "joints between bodies";
    if (s->joints.coordinates > 0) return "stops, dry friction and drives in joints";
    if (s->joints.tackles > 0) return "ropes over pulleys";
    if (s->joints.hydraulics.actuators > 0) return "pressures of hydraulics";
    return NULL;
}

talus_status tl_world_check_method(talus_world *w, const char *what)
{
    const talus_solver_settings *s = &w->def.solver;
    const tl_solver_row *row = tl_solver_find(s->method ? s->method : TALUS_SOLVER_SWEEPS);
    if (!what || ((row->sweeps || row->bodies || !row->solve) && !s->least_norm)) return TALUS_OK;
    return tl_fail(&w->error, TALUS_UNSUPPORTED,
                   "%s are solved by sweeps or in velocities of bodies: solver.method " TALUS_SOLVER_SWEEPS ", " TALUS_SOLVER_ALL " or " TALUS_SOLVER_BODIES
                   ", without least_norm",
                   what);
}

static talus_status check_methods(talus_world *w)
{
    TL_TRY(tl_world_check_method(w, held_by(w->system)));
    for (int i = 0; i < w->solids; i++) {
        const char *name = w->system->matter[w->solid[i].matter]->name;
        char text[160];
        snprintf(text, sizeof text, "solid '%.100s' has contacts, which", name ? name : "");
        TL_TRY(tl_world_check_method(w, w->solid[i].touches ? text : NULL));
    }
    return TALUS_OK;
}

/* What the scheme remembers is part of the state. */
static talus_status add_scheme_state(talus_world *w)
{
    tl_system *s = w->system;
    const tl_scheme *scheme = s->scheme;
    if (scheme->states == 0) return TALUS_OK;
    s->scheme_state = tl_alloc(w->memory, (size_t)(s->matters * scheme->states), sizeof *s->scheme_state);
    if (!s->scheme_state) return tl_world_out_of_memory(w);
    for (int i = 0; i < s->matters * scheme->states; i++) {
        const tl_scheme_state *state = &scheme->state[i % scheme->states];
        const int matter = i / scheme->states, nv = s->matter[matter]->nv;
        char name[128];
        snprintf(name, sizeof name, "%s/%d/%s", talus_scheme_name((int)w->def.scheme), matter, state->name);
        const talus_field shape = {name, state->unit, state->meaning, TALUS_FIELD_DOUBLE, state->single ? 1 : (size_t)nv, 1, NULL};
        TL_TRY(talus_state_add(w, &shape));
        s->scheme_state[i] = talus_state_data(w, name);
    }
    return TALUS_OK;
}

/* All bodies and shapes are there. */
static talus_status fit_arrays(talus_world *w)
{
    tl_system *s = w->system;
    const tl_memory memory = w->memory;
    const int n = s->contactors;
    talus_status fits = tl_is_planar(w) ? tl_fit(memory, &w->plane.shape, &w->plane.shape_capacity, n, sizeof *w->plane.shape)
                                        : tl_fit(memory, &w->space.shape, &w->space.shape_capacity, n, sizeof *w->space.shape);
    if (fits == TALUS_OK) fits = tl_fit(memory, &s->owner, &s->owner_capacity, n, sizeof *s->owner);
    if (fits == TALUS_OK) fits = tl_fit(memory, &w->body, &w->body_capacity, w->bodies, sizeof *w->body);
    if (fits == TALUS_OK) fits = tl_fit(memory, &w->next_shape, &w->next_capacity, n, sizeof *w->next_shape);
    if (fits == TALUS_OK) fits = tl_is_planar(w) ? tl_grains2_fit(w->plane.grains) : tl_grains3_fit(w->space.grains);
    return fits == TALUS_OK ? TALUS_OK : tl_world_out_of_memory(w);
}

/* Functions may have no value at t = 0, or no rate: log t, √t. */
static talus_status check_motions(talus_world *w)
{
    tl_vec3 p, v, turn;
    char text[128];
    for (int i = 0; i < w->bodies; i++) {
        if (w->body[i].place.matter != 0) continue;
        w->system->geometry->motion(w->system, TL_BEFORE, w->body[i].place.item, &p, &v, &turn);
        if (isfinite(p.x + p.y + p.z + v.x + v.y + v.z + turn.x + turn.y + turn.z)) continue;
        return tl_fail(&w->error, TALUS_INPUT, "%s: its motion is not a number at t = 0, or its velocity is not", tl_world_describe(w, i, text));
    }
    return TALUS_OK;
}

static talus_status settle(talus_world *w)
{
    TL_TRY(make_laws(w));
    TL_TRY(settle_scheme(w));
    TL_TRY(tl_world_refuse_moments(w));
    TL_TRY(settle_matter(w));
    TL_TRY(tl_world_settle_solids(w));
    TL_TRY(fit_arrays(w));
    for (int i = 0; i < w->bodies; i++)
        if (w->body[i].place.matter == 0) TL_TRY(tl_is_planar(w) ? settle_body(w, i) : tl_world_settle_body3(w, i));
    if (tl_is_planar(w)) tl_grains2_place_boundaries(w->plane.grains, 0);
    else tl_grains3_place_boundaries(w->space.grains, 0);
    TL_TRY(tl_world_settle_ropes(w));
    TL_TRY(tl_world_settle_cell(w));
    TL_TRY(tl_world_settle_joints(w));
    TL_TRY(tl_world_settle_hydraulics(w));
    tl_world_settle_kinds(w);
    TL_TRY(check_motions(w));
    TL_TRY(check_methods(w));
    tl_world_warn_of_passing(w);
    warn_of_idle_springs(w);
    warn_of_soft_solids(w);
    warn_of_far_reach(w);
    TL_TRY(add_scheme_state(w));
    settle_lengths(w);
    return tl_world_name_fields(w);
}

talus_status talus_world_assemble(talus_world *w)
{
    if (!w) return TALUS_INPUT;
    if (w->assembled) return TALUS_OK;
    if (w->assembly_failure == TALUS_OK) w->assembly_failure = settle(w);
    w->assembled = w->assembly_failure == TALUS_OK;
    return w->assembly_failure;
}
