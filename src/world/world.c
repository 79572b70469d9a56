/* Creation, destruction, the step: the pipeline is walked here and timed. */
#include "world/world.h"

#include <stdio.h>
#include <string.h>

#include "matter/solid.h"
#include "solve/local.h"

_Static_assert(sizeof(talus_solver_settings) <= sizeof((talus_world_def *)NULL)->solver_room, "the solver's settings have outgrown their room");

talus_solver_settings talus_solver_settings_default(void)
{
    return (talus_solver_settings){.struct_size = sizeof(talus_solver_settings), .max_iterations = 2000, .momentum = true};
}

talus_world_def talus_world_def_default(void)
{
    return (talus_world_def){.struct_size = sizeof(talus_world_def),
                             .dimension = 2,
                             .step = 1e-3,
                             .theta = 0.5,
                             .spectral_radius = 0.8,
                             .relaxation = (double)NAN,
                             .forces = TALUS_FORCES_MIDPOINT,
                             .threads = 1,
                             .solver = talus_solver_settings_default(),
                             .correct_drift = true};
}

static talus_status check_solver(const talus_solver_settings *s, tl_error *e)
{
    if (!(s->tolerance >= 0)) return tl_fail(e, TALUS_INPUT, "the tolerance is %g m/s; it must not be negative", s->tolerance);
    if (!(s->force_tolerance >= 0)) return tl_fail(e, TALUS_INPUT, "the force tolerance is %g; it must not be negative", s->force_tolerance);
    if (!(s->acceptable >= 0)) return tl_fail(e, TALUS_INPUT, "the acceptable error is %g m/s; it must not be negative", s->acceptable);
    if (s->max_iterations < 1) return tl_fail(e, TALUS_INPUT, "max_iterations is %d; it must be at least 1", s->max_iterations);
    return tl_solver_check(s->method ? s->method : TALUS_SOLVER_SWEEPS, s->convex, e);
}

static talus_status check_def(const talus_world_def *d, tl_error *e)
{
    if (d->dimension != 2 && d->dimension != 3) return tl_fail(e, TALUS_INPUT, "dimension is %d; it must be 2 or 3", d->dimension);
    for (int i = 0; i < 3; i++)
        if (!isfinite(d->gravity[i])) return tl_fail(e, TALUS_INPUT, "gravity is not a number");
    if (!(d->step > 0) || !isfinite(d->step)) return tl_fail(e, TALUS_INPUT, "the time step is %g s; it must be positive", d->step);
    if (!(d->spectral_radius >= 0 && d->spectral_radius <= 1))
        return tl_fail(e, TALUS_INPUT, "the spectral radius is %g; it must be between 0 and 1", d->spectral_radius);
    if (!(d->theta >= 0.5 && d->theta <= 1)) return tl_fail(e, TALUS_INPUT, "theta is %g; it must be between 0.5 and 1", d->theta);
    if (!(d->compliance >= 0) || !isfinite(d->compliance)) return tl_fail(e, TALUS_INPUT, "the compliance is %g m/N; it must not be negative", d->compliance);
    if (d->relaxation < 0 || isinf(d->relaxation)) return tl_fail(e, TALUS_INPUT, "the relaxation is %g s; it must not be negative", d->relaxation);
    if (d->threads < 1 || d->threads > 1024) return tl_fail(e, TALUS_INPUT, "threads is %d; it must be 1 … 1024", d->threads);
    if ((int)d->scheme < 0 || (int)d->scheme >= TL_SCHEME_COUNT) return tl_fail(e, TALUS_INPUT, "there is no scheme %d", (int)d->scheme);
    const tl_scheme_entry *scheme = &TL_SCHEMES[d->scheme];
    if (scheme->dimension != 0 && scheme->dimension != d->dimension)
        return tl_fail(e, TALUS_UNSUPPORTED, "scheme '%s' is for %s only", scheme->name, scheme->dimension == 2 ? "the plane" : "space");
    TL_TRY(check_solver(&d->solver, e));
    if (!(d->alert_distance >= 0) || !isfinite(d->alert_distance))
        return tl_fail(e, TALUS_INPUT, "the alert distance is %g m; it must not be negative", d->alert_distance);
    if (!(d->penetration_slop >= 0)) return tl_fail(e, TALUS_INPUT, "the penetration slop is %g m; it must not be negative", d->penetration_slop);
    return TALUS_OK;
}

/* The user's allocator may return NULL for size 0; the C heap is the default. */
static void *user_realloc(void *context, void *pointer, size_t size)
{
    const talus_allocator *a = context;
    return a->reallocate(a->user, pointer, size);
}

static talus_status create(const talus_world_def *def, talus_world **out, tl_error *error)
{
    tl_cell cell;
    TL_TRY(check_def(def, error));
    TL_TRY(tl_world_check_cell(def, &cell, error));
    talus_allocator allocator = def->allocator;
    tl_memory memory = tl_memory_default();
    if (allocator.reallocate) memory = (tl_memory){user_realloc, &allocator};
    talus_world *w = tl_alloc(memory, 1, sizeof *w);
    if (!w) return tl_fail(error, TALUS_MEMORY, "no memory for a world");
    w->def = *def;
    if (def->solver.method) w->def.solver.method = tl_solver_find(def->solver.method)->name; /* it lives for ever */
    w->memory = allocator.reallocate ? (tl_memory){user_realloc, &w->def.allocator} : memory;
    w->arena = tl_arena_create(w->memory, (size_t)1 << 16);
    w->threads = tl_threads_create(w->memory, def->threads);
    tl_system *s = w->system = def->dimension == 2 ? &w->plane.base : &w->space.base;
    s->geometry = def->dimension == 2 ? &TL_PLANE : &TL_SPACE;
    s->problem = def->dimension == 2 ? &w->plane.problem.base : &w->space.problem.base;
    s->def = &w->def;
    s->scheme = TL_SCHEMES[def->scheme].scheme;
    s->stage = -1;
    s->memory = w->memory;
    s->cell = cell;
    s->memo.width = def->dimension;
    s->moments.width = s->moments_next.width = 3;
    s->pairs.width = s->pairs_next.width = tl_law_columns();
    tl_broad_init(&s->broad, w->memory, &s->cell, def->dimension);
    tl_matter *grains = NULL;
    if (def->dimension == 2 && (w->plane.grains = tl_grains2_create(w->memory))) grains = &w->plane.grains->matter;
    if (def->dimension == 3 && (w->space.grains = tl_grains3_create(w->memory))) grains = &w->space.grains->matter;
    const bool grown = tl_grow(w->memory, &s->matter, &s->matter_capacity, 1, sizeof(tl_matter *)) == TALUS_OK;
    if (!w->arena || !w->threads || !grains || !grown) {
        if (grains) grains->ops->destroy(grains);
        talus_world_destroy(w);
        return tl_fail(error, TALUS_MEMORY, "no memory for a world");
    }
    s->matter[0] = grains;
    s->matters = 1;
    *out = w;
    return TALUS_OK;
}

/* Those of a caller that was compiled with another header, too: they have a size of their own. */
static bool take_solver(talus_world_def *own)
{
    const uint32_t size = own->solver.struct_size;
    char given[sizeof own->solver_room];
    memcpy(given, own->solver_room, sizeof given);
    own->solver = talus_solver_settings_default();
    return size <= sizeof given && tl_take_def(&own->solver, sizeof own->solver, given);
}

talus_status talus_world_create(const talus_world_def *def, talus_world **out, char *message, size_t message_size)
{
    tl_error error = {0};
    talus_world_def own = talus_world_def_default();
    talus_status status = TALUS_INPUT;
    if (out) *out = NULL;
    if (!out) tl_fail(&error, status, "there is no place for the world: a NULL was given");
    else if (!tl_take_def(&own, sizeof own, def)) tl_fail(&error, status, "begin with talus_world_def_default()");
    else if (!take_solver(&own)) tl_fail(&error, status, "'solver' of a world's definition must begin with talus_solver_settings_default()");
    else status = create(&own, out, &error);
    if (message && message_size) snprintf(message, message_size, "%s", error.text);
    return status;
}

static void free_members(tl_memory memory, tl_member *members, int n)
{
    for (int i = 0; i < n; i++) tl_free(memory, members[i].name);
    tl_free(memory, members);
}

void talus_world_destroy(talus_world *w)
{
    if (!w) return;
    const talus_allocator allocator = w->def.allocator; /* outlives the world whose copy it is */
    const tl_memory memory = allocator.reallocate ? (tl_memory){user_realloc, (void *)(uintptr_t)&allocator} : w->memory;
    tl_system *s = w->system;
    tl_system2 *plane = &w->plane;
    tl_system3 *space = &w->space;
    for (int m = 0; m < s->matters; m++) s->matter[m]->ops->destroy(s->matter[m]);
    tl_free(memory, s->matter);
    tl_free(memory, s->scheme_state);
    for (int i = 0; i < plane->base.contactors; i++) tl_shape2_free(&plane->shape[i], memory);
    for (int i = 0; i < space->base.contactors; i++) tl_shape3_free(&space->shape[i], memory);
    tl_free(memory, plane->shape);
    tl_free(memory, s->met);
    tl_free(memory, s->work);
    tl_free(memory, s->next_block);
    tl_free(memory, space->shape);
    tl_pasts3_free(&space->past, memory);
    tl_free(memory, s->room);
    s->broad.memory = memory;
    tl_broad_free(&s->broad);
    tl_free(memory, s->owner);
    tl_free(memory, s->rope);
    tl_joints_free(&s->joints, memory);
    tl_memo_free(&s->memo, memory);
    tl_memo_free(&s->pairs, memory);
    tl_memo_free(&s->pairs_next, memory);
    tl_memo_free(&s->moments, memory);
    tl_memo_free(&s->moments_next, memory);
    for (int i = 0; i < w->materials; i++) tl_free(memory, w->material[i].name);
    for (int i = 0; i < w->bodies; i++) tl_free(memory, w->body[i].name);
    for (int i = 0; i < w->groups; i++) tl_free(memory, w->group[i].name);
    for (int i = 0; i < w->solids; i++) tl_free(memory, w->solid[i].kind);
    for (int i = 0; w->field_name && i < w->field_names; i++) tl_free(memory, w->field_name[i]);
    tl_free(memory, w->field_name);
    tl_world_free_own_fields(w);
    tl_world_free_engines(w);
    tl_world_free_converters(w);
    free_members(memory, w->joint, w->joints);
    free_members(memory, w->loop, w->loops);
    void *const tables[] = {w->material, w->rule, w->law, w->body, w->group, w->name_slot, w->next_shape, w->mechanism, w->solid, w->watch, w->warnings};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) tl_free(memory, tables[i]);
    tl_arena_destroy(w->arena);
    tl_threads_destroy(w->threads);
    tl_free(memory, w);
}

const char *talus_world_error(const talus_world *w) { return w->error.text; }

static bool has_line(const char *text, const char *line, size_t length)
{
    for (const char *end; text && (end = strchr(text, '\n')) != NULL; text = end + 1)
        if ((size_t)(end - text) == length && memcmp(text, line, length) == 0) return true;
    return false;
}

void tl_world_warn(talus_world *w, const char *text)
{
    for (size_t length; *text; text += length + (text[length] == '\n')) {
        length = strcspn(text, "\n");
        if (length == 0 || has_line(w->warnings, text, length)) continue;
        const size_t old = w->warnings ? strlen(w->warnings) : 0;
        char *joined = tl_alloc(w->memory, old + length + 2, 1);
        if (!joined) return; /* a warning is not worth a failure */
        if (old) memcpy(joined, w->warnings, old);
        memcpy(joined + old, text, length);
        joined[old + length] = '\n';
        tl_free(w->memory, w->warnings);
        w->warnings = joined;
    }
}

void talus_world_warn(talus_world *w, const char *text) { tl_world_warn(w, text); }

const char *talus_world_all_warnings(const talus_world *w) { return w->warnings ? w->warnings : ""; }

const char *talus_world_warnings(talus_world *w)
{
    const char *fresh = talus_world_all_warnings(w) + w->warnings_shown;
    w->warnings_shown += strlen(fresh);
    return fresh;
}

talus_status tl_world_out_of_memory(talus_world *w) { return tl_fail(&w->error, TALUS_MEMORY, "no memory for the definition"); }

talus_status tl_world_open(talus_world *w, void *own, size_t size, const void *def, const void *out, const char *what)
{
    if (!w) return TALUS_INPUT;
    if (!out) return tl_fail(&w->error, TALUS_INPUT, "%s: there is no place for what is made: a NULL was given", what);
    if (!tl_take_def(own, size, def)) return tl_fail(&w->error, TALUS_INPUT, "talus_%s_def is not initialised: begin with talus_%s_def_default()", what, what);
    if (w->assembled) return tl_fail(&w->error, TALUS_UNSUPPORTED, "the world is assembled: nothing can be added to it");
    return TALUS_OK;
}

/* ---- the step ----------------------------------------------------------------------------------------------------- */

void tl_world_begin_step(talus_world *w, double h)
{
    const talus_world_def *d = &w->def;
    const tl_scheme *scheme = w->system->scheme;
    tl_arena_reset(w->arena);
    w->system->step = (tl_step){.t = talus_world_time(w),
                                .h = h,
                                .theta = scheme->theta > 0 ? scheme->theta : d->theta,
                                .staggered = scheme->staggered,
                                .gravity = {d->gravity[0], d->gravity[1], d->dimension == 3 ? d->gravity[2] : 0},
                                .force_passes = d->forces == TALUS_FORCES_MIDPOINT ? 2 : 0,
                                .planar = d->dimension == 2,
                                .arena = w->arena,
                                .memory = w->memory,
                                .threads = w->threads,
                                .error = &w->error,
                                .interrupt = w->interrupt};
}

/* The state is that of t_n; what derives from it is made anew. The text of the failure gets its time and its remedy. */
void tl_world_name_cause(talus_world *w, const char *stage)
{
    char text[128];
    const size_t digits = strspn(w->error.text, "0123456789"); /* a number and no more: the grains say which of them */
    int grain = 0;
    if (digits == 0 || w->error.text[digits] != 0) return;
    sscanf(w->error.text, "%d", &grain);
    snprintf(w->error.text, sizeof w->error.text, "%s %s", tl_world_describe(w, tl_world_body_at(w, (tl_place){0, grain}), text),
             strcmp(stage, "predict") == 0 ? "has a load or a motion that is not a number" : "left the representable numbers");
}

talus_status tl_world_is_whole(talus_world *w)
{
    if (!w->lost) return TALUS_OK;
    return tl_fail(&w->error, TALUS_UNSUPPORTED, "no equilibrium was found, and everything stands where the search has left it: build the world anew");
}

static talus_status abandon_step(talus_world *w, talus_status status, const char *stage)
{
    tl_error ignored;
    if (status == TALUS_DIVERGED) tl_world_name_cause(w, stage);
    const tl_error cause = w->error;
    tl_stage_begin(w->system, -1);
    for (int m = 0; m < w->system->matters; m++) (void)!w->system->matter[m]->ops->start_from(w->system->matter[m], &w->system->step, NULL);
    for (int m = 0; m < w->system->matters; m++) (void)!w->system->matter[m]->ops->restored(w->system->matter[m], &ignored);
    return tl_fail(&w->error, status, "step %llu, t = %.9g s (%s): %.800s%s", (unsigned long long)w->steps, talus_world_time(w), stage, cause.text,
                   status == TALUS_DIVERGED && !strstr(cause.text, "; ")
                       ? "; try a smaller time step, and look for a force, a load or a motion that grows without bound"
                       : "");
}

/* Faster than this nothing moves: energies would soon leave the representable numbers, and what is then said of them is not true. */
static const double FASTEST = 1e30; /* [m/s], [rad/s] */

static talus_status too_fast_grain(talus_world *w, int grain, double speed)
{
    char text[128];
    return tl_fail(&w->error, TALUS_DIVERGED, "%s would move with %.3g m/s or rad/s: the run diverges",
                   tl_world_describe(w, tl_world_body_at(w, (tl_place){0, grain}), text), speed);
}

/* Names the joint that moved fastest so far. */
static talus_status too_fast_matter(talus_world *w, int matter, double speed)
{
    const tl_matter *m = w->system->matter[matter];
    const char *joint = tl_world_fastest_joint(w, matter);
    return tl_fail(&w->error, TALUS_DIVERGED, "%s '%s' would move with %.3g m/s or rad/s: the run diverges%s%s%s", m->ops->kind, m->name ? m->name : "", speed,
                   *joint ? "; its fastest joint is '" : "", joint, *joint ? "'" : "");
}

/* Before the state moves. */
static talus_status check_speeds(talus_world *w)
{
    const tl_system *s = w->system;
    for (int m = 0; m < s->matters; m++)
        for (int i = 0; i < s->matter[m]->nv; i++)
            if (!(fabs(s->v[m][i]) <= FASTEST))
                return m == 0 ? too_fast_grain(w, i / (tl_is_planar(w) ? 3 : 6), s->v[m][i]) : too_fast_matter(w, m, s->v[m][i]);
    return TALUS_OK;
}

void talus_world_set_controller(talus_world *w, const talus_controller *controller)
{
    if (w) w->controller = controller ? *controller : (talus_controller){NULL, NULL};
}

void talus_world_set_interrupt(talus_world *w, const talus_interrupt *interrupt)
{
    if (w) w->interrupt = interrupt ? *interrupt : (talus_interrupt){NULL, NULL};
}

static talus_status take_control(talus_world *w)
{
    if (!w->controller.control) return TALUS_OK;
    w->error.text[0] = '\0';
    const talus_status status = w->controller.control(w->controller.user, w);
    if (status != TALUS_OK && !w->error.text[0])
        return tl_fail(&w->error, status, "the controller has failed at t = %.9g s: %s", talus_world_time(w), talus_status_meaning(status));
    return status;
}

talus_status talus_world_step(talus_world *w, talus_step_report *report)
{
    TL_TRY(talus_world_assemble(w));
    TL_TRY(tl_world_is_whole(w));
    TL_TRY(tl_world_look_at_solids(w));
    TL_TRY(take_control(w));
    const tl_scheme *scheme = w->system->scheme;
    w->stepped = false;
    if (w->kinds_changed) tl_world_settle_kinds(w);
    tl_world_look(w);
    tl_world_begin_step(w, w->def.step);
    for (int k = 0; k < scheme->stages; k++) {
        const bool last = k == scheme->stages - 1;
        tl_stage_begin(w->system, k);
        if (last && w->def.solver.unconverged == TALUS_POLICY_FAIL && !w->system->outcome.converged) {
            tl_fail(&w->error, TALUS_DIVERGED, "the contact solver stopped at a residual of %.3g m/s after %d sweeps (tolerance %.3g)",
                    w->system->outcome.residual, w->system->outcome.iterations, w->system->outcome.suffices);
            return abandon_step(w, TALUS_DIVERGED, "solve");
        }
        talus_status status = tl_step_go_on(&w->system->step);
        if (status == TALUS_OK) status = last && check_speeds(w) != TALUS_OK ? TALUS_DIVERGED : scheme->stage[k].run(w->system);
        if (status != TALUS_OK) return abandon_step(w, status, scheme->stage[w->system->stage].name);
    }
    tl_world_find_fastest(w);
    tl_stage_begin(w->system, -1);
    w->steps++;
    w->stepped = true;
    tl_world_warn_of_step(w);
    if (report) {
        const tl_outcome *o = &w->system->outcome;
        *report = (talus_step_report){.contacts = o->contacts,
                                      .touching = o->touching,
                                      .iterations = o->iterations,
                                      .residual = o->residual,
                                      .residual_mean = o->residual_mean,
                                      .impulse_mean = o->impulse_mean,
                                      .tolerance = fmax(o->tolerance, o->suffices),
                                      .converged = o->converged,
                                      .penetration = o->penetration,
                                      .drift_energy = o->drift_energy,
                                      .loop_error = tl_world_loop_error(w)};
    }
    return TALUS_OK;
}

int talus_world_dimension(const talus_world *w) { return w->def.dimension; }
double talus_world_step_size(const talus_world *w) { return w->def.step; }
uint64_t talus_world_steps(const talus_world *w) { return w->steps; }

double talus_world_contact_age(const talus_world *w)
{
    const bool at_end = w->def.scheme == TALUS_SCHEME_GENERALIZED_ALPHA || w->def.scheme == TALUS_SCHEME_PENALTY_RK4;
    const tl_scheme *scheme = w->system->scheme;
    return at_end ? 0 : w->def.step * (scheme->theta > 0 ? scheme->theta : w->def.theta);
}
int talus_world_threads(const talus_world *w) { return w->def.threads; }

/* A product, not a sum of steps: the clock does not drift. */
double talus_world_time(const talus_world *w) { return (double)w->steps * w->def.step; }

const char *talus_scheme_name(int index) { return index >= 0 && index < TL_SCHEME_COUNT ? TL_SCHEMES[index].name : NULL; }

static bool has_stage(const talus_world *w, int stage) { return stage >= 0 && stage < w->system->scheme->stages; }

int talus_stage_count(const talus_world *w) { return w->system->scheme->stages; }
const char *talus_stage_name(const talus_world *w, int stage) { return has_stage(w, stage) ? w->system->scheme->stage[stage].name : ""; }
double talus_stage_seconds(const talus_world *w, int stage) { return has_stage(w, stage) ? w->system->stage_seconds[stage] : 0; }
uint64_t talus_stage_calls(const talus_world *w, int stage) { return has_stage(w, stage) ? w->system->stage_calls[stage] : 0; }
