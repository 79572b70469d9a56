/* Contact problems behind the public interface (talus/problem.h). */
#include "talus/problem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "solve/global_rows.h"
#include "world/world.h"

struct talus_problem {
    tl_memory memory;
    talus_problem_def def; /* pointers to copies; impulse is always there */
    double *impulse, *velocity;
    tl_local local;
};

talus_problem_def talus_problem_def_default(void) { return (talus_problem_def){.struct_size = sizeof(talus_problem_def), .dimension = 3}; }

talus_problem_settings talus_problem_settings_default(void)
{
    return (talus_problem_settings){.struct_size = sizeof(talus_problem_settings), .solver = TALUS_SOLVER_ALL, .tolerance = 1e-8};
}

_Static_assert(sizeof((talus_problem_report *)NULL)->course == sizeof((tl_local_course *)NULL)->text, "the report has room for the course");

const char *talus_solver_name(int index) { return tl_solver_name(index); }
const char *talus_solver_meaning(int index) { return tl_solver_at(index) ? tl_solver_at(index)->meaning : NULL; }

/* Those of steps alone are the last. */
static bool is_of_problems(int index) { return tl_solver_at(index) && !tl_solver_at(index)->bodies; }

const char *talus_problem_solver_name(int index) { return is_of_problems(index) ? tl_solver_name(index) : NULL; }
const char *talus_problem_solver_meaning(int index) { return is_of_problems(index) ? tl_solver_at(index)->meaning : NULL; }

/* ---- input -------------------------------------------------------------------------------------------------------- */

static bool all_finite(const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

static talus_status check(const talus_problem_def *d, tl_error *e)
{
    if (d->dimension != 2 && d->dimension != 3) return tl_fail(e, TALUS_INPUT, "dimension is %d; it must be 2 or 3", d->dimension);
    if (d->contacts < 1) return tl_fail(e, TALUS_INPUT, "there are %d contacts; there must be one", d->contacts);
    if (!d->row || !d->column || !d->block || !d->q || !d->friction) return tl_fail(e, TALUS_INPUT, "W, q or friction is missing");
    if (d->row[0] != 0) return tl_fail(e, TALUS_INPUT, "row[0] is %d; it must be 0", d->row[0]);
    const size_t n = (size_t)d->contacts, size = (size_t)d->dimension;
    for (int i = 0; i < d->contacts; i++) {
        if (d->row[i + 1] < d->row[i]) return tl_fail(e, TALUS_INPUT, "the blocks of contact %d end before they begin", i);
        for (int k = d->row[i]; k < d->row[i + 1]; k++)
            if (d->column[k] < 0 || d->column[k] >= d->contacts)
                return tl_fail(e, TALUS_INPUT, "contact %d: a block couples it with contact %d, which does not exist", i, d->column[k]);
        if (!(d->friction[i] >= 0) || !isfinite(d->friction[i]))
            return tl_fail(e, TALUS_INPUT, "contact %d: friction is %g; it must not be negative", i, d->friction[i]);
    }
    if (!all_finite(d->block, (size_t)d->row[d->contacts] * size * size)) return tl_fail(e, TALUS_INPUT, "W has an entry that is not a number");
    if (!all_finite(d->q, n * size)) return tl_fail(e, TALUS_INPUT, "q has an entry that is not a number");
    if (d->impulse && !all_finite(d->impulse, n * size)) return tl_fail(e, TALUS_INPUT, "the first guess has an entry that is not a number");
    return TALUS_OK;
}

static void *copy_of(tl_memory memory, const void *from, size_t count, size_t size)
{
    void *to = tl_alloc(memory, count, size);
    if (to && from && count > 0) memcpy(to, from, count * size);
    return to;
}

static talus_status copy_definition(talus_problem *p, const talus_problem_def *d, tl_error *e)
{
    const size_t n = (size_t)d->contacts, blocks = (size_t)d->row[d->contacts], size = (size_t)d->dimension;
    p->def = *d;
    p->def.row = copy_of(p->memory, d->row, n + 1, sizeof(int));
    p->def.column = copy_of(p->memory, d->column, blocks, sizeof(int));
    p->def.block = copy_of(p->memory, d->block, blocks * size * size, sizeof(double));
    p->def.q = copy_of(p->memory, d->q, n * size, sizeof(double));
    p->def.friction = copy_of(p->memory, d->friction, n, sizeof(double));
    p->def.impulse = p->impulse = copy_of(p->memory, d->impulse, n * size, sizeof(double));
    p->velocity = tl_alloc(p->memory, n * size, sizeof(double));
    if (p->def.row && p->def.column && p->def.block && p->def.q && p->def.friction && p->impulse && p->velocity) return TALUS_OK;
    return tl_fail(e, TALUS_MEMORY, "no memory for a problem of %d contacts", d->contacts);
}

/* ---- the interface ------------------------------------------------------------------------------------------------ */

static talus_status say(talus_status status, const tl_error *e, char *message, size_t size)
{
    if (message && size > 0) {
        if (status == TALUS_OK) *message = '\0';
        else snprintf(message, size, "%s", e->text);
    }
    return status;
}

talus_status talus_problem_create(const talus_problem_def *def, talus_problem **out, char *message, size_t size)
{
    tl_error e = {0};
    talus_problem_def own = talus_problem_def_default();
    if (!out) return say(tl_fail(&e, TALUS_INPUT, "there is no place for the problem: a NULL was given"), &e, message, size);
    *out = NULL;
    const bool given = tl_take_def(&own, sizeof own, def);
    def = &own;
    talus_status status = given ? check(def, &e) : tl_fail(&e, TALUS_INPUT, "a problem's definition must begin with talus_problem_def_default()");
    if (status != TALUS_OK) return say(status, &e, message, size);
    talus_problem *p = tl_alloc(tl_memory_default(), 1, sizeof *p);
    if (!p) return say(tl_fail(&e, TALUS_MEMORY, "no memory for a problem"), &e, message, size);
    p->memory = tl_memory_default();
    status = copy_definition(p, def, &e);
    if (status == TALUS_OK) status = tl_local_from(p->memory, &p->def, &p->local, &e);
    if (status == TALUS_OK) *out = p;
    else talus_problem_destroy(p);
    return say(status, &e, message, size);
}

void talus_problem_destroy(talus_problem *p)
{
    if (!p) return;
    void *const all[] = {(void *)p->def.row, (void *)p->def.column, (void *)p->def.block, (void *)p->def.q, (void *)p->def.friction, p->impulse, p->velocity};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) tl_free(p->memory, all[i]);
    if (p->local.contacts > 0) tl_local_destroy(&p->local);
    tl_free(p->memory, p);
}

/* What both ways to solve are asked with; the settings go over the defaults in `s`. */
static talus_status check_settings(const talus_problem *p, const talus_problem_settings *given, const talus_problem_report *report, talus_problem_settings *s,
                                   tl_error *e)
{
    *s = talus_problem_settings_default();
    if (!p || !report) return tl_fail(e, TALUS_INPUT, "there is no problem, or no place for the report: a NULL was given");
    if (!tl_take_def(s, sizeof *s, given)) return tl_fail(e, TALUS_INPUT, "settings must begin with talus_problem_settings_default()");
    if (!(s->tolerance >= 0)) return tl_fail(e, TALUS_INPUT, "tolerance is %g; it must not be negative", s->tolerance);
    if (s->max_iterations < 0 || !(s->time_limit >= 0)) return tl_fail(e, TALUS_INPUT, "limits must not be negative");
    return TALUS_OK;
}

static tl_local_task task_of(const talus_problem_settings *s, double begin)
{
    return (tl_local_task){
        .tolerance = s->tolerance, .max_iterations = s->max_iterations, .deadline = s->time_limit > 0 ? begin + s->time_limit : (double)INFINITY};
}

/* The impulses as they are, their error, the time. */
static void finish(talus_problem *p, const tl_local_task *task, double begin, talus_problem_report *r)
{
    const int d = p->def.dimension;
    for (int i = 0; i < p->def.contacts; i++)
        for (int m = 0; m < d; m++) p->impulse[i * d + m] = p->local.I[i][m] * p->local.sigma[i];
    r->iterations = task->iterations;
    r->error = talus_problem_error(p);
    r->seconds = tl_clock() - begin;
}

talus_status talus_problem_solve(talus_problem *p, const talus_problem_settings *settings, talus_problem_report *report, char *message, size_t size)
{
    tl_error e = {0};
    talus_problem_report r = {0};
    const double begin = tl_clock();
    talus_problem_settings s;
    talus_status status = check_settings(p, settings, report, &s, &e);
    if (status != TALUS_OK) return say(status, &e, message, size);
    tl_local_task task = task_of(&s, begin);
    tl_local_course course;
    status = tl_local_solve(&p->local, s.solver ? s.solver : TALUS_SOLVER_ALL, &task, &course, &e);
    if (status != TALUS_OK) return say(status, &e, message, size);
    r.solver = course.solver;
    memcpy(r.course, course.text, sizeof r.course);
    finish(p, &task, begin, &r);
    r.converged = r.error <= s.tolerance;
    *report = r;
    return say(TALUS_OK, &e, message, size);
}

talus_status talus_problem_least_norm(talus_problem *p, const talus_problem_settings *settings, talus_problem_report *report, char *message, size_t size)
{
    tl_error e = {0};
    talus_problem_report r = {.solver = "least_norm"};
    const double begin = tl_clock();
    talus_problem_settings s;
    talus_status status = check_settings(p, settings, report, &s, &e);
    if (status != TALUS_OK) return say(status, &e, message, size);
    tl_local_task task = task_of(&s, begin);
    status = tl_local_least_norm(&p->local, &task, &e);
    if (status != TALUS_OK) return say(status, &e, message, size);
    finish(p, &task, begin, &r);
    r.converged = !task.declined;
    snprintf(r.course, sizeof r.course, "least_norm %d", task.iterations);
    *report = r;
    return say(TALUS_OK, &e, message, size);
}

double talus_problem_error(const talus_problem *p) { return tl_local_error_now(&p->local); }

talus_problem_def talus_problem_get(const talus_problem *p) { return p->def; }

const double *talus_problem_velocities(talus_problem *p)
{
    const tl_local *l = &p->local;
    const int d = p->def.dimension;
    for (int i = 0; i < l->contacts; i++) {
        double u[3];
        tl_local_velocity_at(l, i, (const double(*)[3])l->I, u);
        for (int m = 0; m < d; m++) p->velocity[i * d + m] = u[m] / l->sigma[i];
    }
    return p->velocity;
}

/* Is there a problem of a step, and are there contacts in it? */
static talus_status check_world(const talus_world *w, bool *touching, tl_error *e)
{
    if (!w) return tl_fail(e, TALUS_INPUT, "there is no world: a NULL was given");
    if (!w->stepped) return tl_fail(e, TALUS_INPUT, "there is no contact problem before the first step, nor after one that failed");
    if (w->system->scheme->without_impulses) return tl_fail(e, TALUS_UNSUPPORTED, "scheme '%s' has no contact problem", talus_scheme_name((int)w->def.scheme));
    *touching = w->system->outcome.contacts > 0;
    return TALUS_OK;
}

talus_status talus_world_problem(talus_world *w, talus_problem **out, char *message, size_t size)
{
    tl_error e = {0};
    bool touching = false;
    talus_problem_def def;
    if (!out) return say(tl_fail(&e, TALUS_INPUT, "there is no place for the problem: a NULL was given"), &e, message, size);
    *out = NULL;
    talus_status status = check_world(w, &touching, &e);
    if (status != TALUS_OK || !touching) return say(status, &e, message, size);
    status = tl_problem_local(w->system->problem, &w->system->step, &def);
    if (status != TALUS_OK || def.contacts == 0) return say(status, &w->error, message, size);
    return talus_problem_create(&def, out, message, size);
}

talus_status talus_world_global_problem(talus_world *w, talus_global_problem *out, char *message, size_t size)
{
    tl_error e = {0};
    bool touching = false;
    if (!out) return say(tl_fail(&e, TALUS_INPUT, "there is no place for the problem: a NULL was given"), &e, message, size);
    *out = (talus_global_problem){0};
    const talus_status status = check_world(w, &touching, &e);
    if (status != TALUS_OK || !touching) return say(status, &e, message, size);
    if (w->kinds_changed)
        return say(tl_fail(&e, TALUS_INPUT, "bodies have been freed, fixed or taken away since the step: its masses are no more known"), &e, message, size);
    return say(tl_problem_global(w->system->problem, &w->system->step, out), &w->error, message, size);
}
