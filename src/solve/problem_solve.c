/* A problem of a step solved to its tolerance: by sweeps, and as a value where these are not asked for or do not get there (theory §5). */
#include <string.h>

#include "solve/body_rows.h"
#include "solve/coupled_groups.h"
#include "solve/few.h"
#include "solve/global_rows.h"
#include "solve/guard.h"

/* ---- the problem in rows ---------------------------------------------------------------------------------------------------- */

/* Velocities without impulses: v⁺ less what the impulses made of them. */
static talus_status take_impulses_back(const tl_problem *p, tl_step *step, tl_velocities *out)
{
    const size_t numbers = (size_t)p->rows * (size_t)p->ops->grain.stride;
    double **v = NULL;
    out->grain = tl_arena_alloc(step->arena, numbers, sizeof *out->grain);
    if (!out->grain) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d bodies", p->bodies);
    TL_TRY(tl_local_rows_copy(p->v, p->matter, p->matters, step, &v));
    out->matter = v;
    memcpy(out->grain, p->grain, numbers * sizeof *out->grain);
    p->ops->packs->push_back(p, out->grain, step);
    for (int i = 0; i < p->coupleds; i++) {
        const tl_coupled *k = &p->coupled[i];
        p->ops->impulse(p, k, out, (double[3]){-k->I[0], -k->I[1], -k->I[2]});
    }
    p->ops->packs->join(p, out->grain);
    tl_stand_ins_free(&p->given, out->matter);
    return TALUS_OK;
}

talus_status tl_coupled_add_ends(const tl_problem *p, const tl_coupled *k, tl_local_rows *r, tl_step *step)
{
    const int contact = r->number[k->contact];
    r->friction[contact] = k->friction;
    for (int side = 0; side < 2; side++) {
        const int m = k->matter[side];
        if (m == 0 && k->row[side] >= 0) TL_TRY(p->ops->packs->add_grain_end(p, k, side, r, step));
        if (m == 0 || (!k->H[side] && r->partial)) continue;
        if (!k->H[side])
            return tl_fail(step->error, TALUS_UNSUPPORTED, "problems with contacts of what deforms cannot be written ('%s')",
                           p->matter[m]->name ? p->matter[m]->name : "");
        TL_TRY(tl_local_rows_add(r, (tl_local_end){contact, p->bodies + m, k->nv[side], side ? 1 : -1, k->H[side], k->Y[side]}, step));
    }
    return TALUS_OK;
}

static talus_status add_coupled(const tl_problem *p, const tl_velocities *free, const tl_coupled *k, tl_local_rows *r, tl_step *step)
{
    const int contact = r->number[k->contact];
    double *q = r->q[contact];
    p->ops->velocity(p, k, free, q);
    for (int i = 0; i < p->ops->axes; i++) q[i] += k->shift[i], r->I[contact][i] = k->I[i];
    return tl_coupled_add_ends(p, k, r, step);
}

/* Of all contacts, or of those that are chosen [contacts], that have no number yet. */
static talus_status begin_rows(const tl_problem *p, const bool *chosen, tl_step *step, tl_local_rows *r, int **lane)
{
    int *coupled = tl_arena_alloc(step->arena, (size_t)p->coupleds + 1, sizeof *coupled), coupleds = 0;
    *lane = tl_arena_alloc(step->arena, (size_t)p->lanes + 1, sizeof **lane);
    if (!*lane || !coupled) {
        (void)tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->contacts);
        return TALUS_MEMORY;
    }
    for (int i = 0; i < p->coupleds; i++)
        if (!chosen || chosen[p->coupled[i].contact]) coupled[coupleds++] = p->coupled[i].contact;
    for (int i = 0; i < p->lanes; i++) (*lane)[i] = p->lane[i] >= 0 && (!chosen || chosen[p->lane[i]]) ? p->lane[i] : -1;
    const tl_local_members members = {p->contacts, p->bodies + p->matters, *lane, p->lanes, coupled, coupleds};
    return tl_local_rows_begin(r, p->ops->axes, &members, step);
}

/* At velocities v: of r.q the shifted ones. */
static talus_status fill_rows(const tl_problem *p, const tl_velocities *v, const int *lane, tl_step *step, tl_local_rows *r)
{
    TL_TRY(p->ops->packs->add(p, v->grain, lane, r, step));
    for (int i = 0; p->give && i < p->lanes; i++)
        if (lane[i] >= 0) r->give[r->number[lane[i]]] = p->give[i / TL_LANES][i % TL_LANES];
    for (int i = 0; i < p->coupleds; i++)
        if (r->number[p->coupled[i].contact] >= 0) TL_TRY(add_coupled(p, v, &p->coupled[i], r, step));
    return TALUS_OK;
}

static talus_status make_rows(const tl_problem *p, const bool *chosen, tl_step *step, tl_local_rows *r, tl_velocities *free)
{
    int *lane = NULL;
    TL_TRY(begin_rows(p, chosen, step, r, &lane));
    TL_TRY(take_impulses_back(p, step, free));
    return fill_rows(p, free, lane, step, r);
}

talus_status tl_problem_rows(const tl_problem *p, const bool *chosen, tl_step *step, tl_local_rows *r)
{
    const tl_velocities now = tl_problem_velocities(p);
    int *lane = NULL;
    TL_TRY(begin_rows(p, chosen, step, r, &lane));
    r->partial = true;
    return fill_rows(p, &now, lane, step, r);
}

/* The rows, and what they make; r.number is whose they are. */
static talus_status make_local(const tl_problem *p, const bool *chosen, tl_step *step, tl_local_rows *r, talus_problem_def *out)
{
    tl_velocities free = {NULL, NULL};
    TL_TRY(make_rows(p, chosen, step, r, &free));
    TL_TRY(tl_local_rows_assemble(r, step, out));
    out->convex = p->solver->convex;
    return TALUS_OK;
}

talus_status tl_problem_local(const tl_problem *p, tl_step *step, talus_problem_def *out)
{
    TL_TRY(tl_blocks_refuse(p->blocks, step));
    tl_local_rows r;
    return make_local(p, NULL, step, &r, out);
}

static talus_status say_group(const tl_problem *p, const tl_velocities *free, int g, tl_step *step, tl_global_group *out)
{
    if (g < p->bodies) return p->ops->packs->say_grain(p, free->grain, g, step, out);
    return tl_global_matter(p->matter[g - p->bodies], free->matter[g - p->bodies], p->v[g - p->bodies], step, out);
}

talus_status tl_problem_global(const tl_problem *p, tl_step *step, talus_global_problem *out)
{
    TL_TRY(tl_blocks_refuse(p->blocks, step));
    tl_local_rows r;
    tl_velocities free = {NULL, NULL};
    TL_TRY(make_rows(p, NULL, step, &r, &free));
    tl_global_group *group = tl_arena_zero(step->arena, (size_t)r.groups, sizeof *group);
    if (!group) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d bodies", r.groups);
    for (int e = 0; e < r.ends; e++)
        if (group[r.end[e].group].size == 0) TL_TRY(say_group(p, &free, r.end[e].group, step, &group[r.end[e].group]));
    return tl_global_rows_assemble(&r, group, step, out);
}

/* ---- solved as a value ------------------------------------------------------------------------------------------------------ */

void tl_problem_change(tl_problem *p, const int *number, const double *I)
{
    const tl_velocities v = tl_problem_velocities(p);
    const int axes = p->ops->axes;
    p->ops->packs->change(p, number, I);
    for (int i = 0; i < p->coupleds; i++) {
        tl_coupled *k = &p->coupled[i];
        if (number[k->contact] < 0) continue;
        const double *J = &I[axes * number[k->contact]];
        double change[3] = {0, 0, 0};
        for (int axis = 0; axis < axes; axis++) change[axis] = J[axis] - k->I[axis], k->I[axis] = J[axis];
        p->ops->impulse(p, k, &v, change);
    }
    tl_stand_ins_tell(&p->given, NULL);
    p->ops->packs->join(p, p->grain);
}

static talus_status solve_by_value(tl_problem *p, tl_step *step, bool least_norm)
{
    talus_problem_def def;
    TL_TRY(tl_blocks_refuse(p->blocks, step));
    tl_by_value s = {.settings = p->solver, .least_norm = least_norm};
    tl_local_rows r;
    TL_TRY(make_local(p, NULL, step, &r, &def));
    TL_TRY(tl_by_value_solve(&def, &s, step));
    tl_problem_change(p, r.number, s.I);
    p->iterations += s.iterations;
    p->residual = s.residual;
    p->residual_mean = s.residual_mean;
    p->impulse_mean = s.impulse_mean;
    if (!least_norm) p->converged = p->residual <= tl_problem_suffices(p); /* the other's impulses may be off by as much again */
    return TALUS_OK;
}

static talus_status choose_and_solve_few(tl_problem *p, tl_step *step)
{
    int(*group)[2] = tl_arena_alloc(step->arena, (size_t)p->contacts + 1, sizeof *group), count = 0;
    bool *chosen = tl_arena_alloc(step->arena, (size_t)p->contacts + 1, sizeof *chosen);
    talus_problem_def def;
    tl_local_rows r;
    double *I;
    if (!group || !chosen) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->contacts);
    for (int i = 0; i < p->contacts; i++) group[i][0] = tl_group_of(p, p->contact[i].a), group[i][1] = tl_group_of(p, p->contact[i].b);
    const tl_few_source source = {(const int(*)[2])group, p->contacts, p->bodies + p->matters, p->blocks};
    TL_TRY(tl_few_choose(&source, step, chosen, &count));
    if (count == 0) return TALUS_OK;
    const talus_status status = make_local(p, chosen, step, &r, &def);
    if (status == TALUS_UNSUPPORTED) return TALUS_OK; /* matter without rows: what the sweeps came to stands */
    if (status != TALUS_OK) return status;
    TL_TRY(tl_few_solve(&def, p->solver->tolerance, p->iterations, step, &I));
    tl_problem_change(p, r.number, I);
    p->residual = p->ops->packs->residual(p, step);
    p->converged = p->residual <= tl_problem_suffices(p);
    return TALUS_OK;
}

/* Sweeps have ended above the tolerance: the islands of few contacts among those that are to blame, as wholes (few.h). */
static talus_status solve_few(tl_problem *p, tl_step *step)
{
    const tl_arena_place mark = tl_arena_mark(step->arena);
    const talus_status status = choose_and_solve_few(p, step);
    tl_arena_release(step->arena, mark);
    return status;
}

/* ---- the result ------------------------------------------------------------------------------------------------------------- */

typedef struct work_task {
    const tl_problem *p;
    tl_guard *g;
} work_task;

/* Of contacts in packs, by their lanes. */
static void work_range(void *context, int begin, int end, int worker)
{
    const work_task *task = context;
    const tl_problem *p = task->p;
    (void)worker;
    for (int i = begin; i < end; i++) {
        tl_problem_expect(p, i);
        if (p->lane[i] < 0) continue;
        const tl_contact *c = &p->contact[p->lane[i]];
        tl_worked *worked = &task->g->contact[p->lane[i]];
        double before[3];
        p->ops->packs->before(p, i, before);
        before[0] -= tl_parting_of(p, c);
        *worked = (tl_worked){.group = {tl_group_of(p, c->a), tl_group_of(p, c->b)}};
        tl_guard_work(worked, p->ops->axes, c->I, before, c->V);
    }
}

static talus_status measure_work(const tl_problem *p, tl_step *step, tl_guard *g)
{
    TL_TRY(tl_guard_begin(g, p->contacts, p->bodies + p->matters, p->blocks, step));
    work_task task = {p, g};
    tl_parallel_for(step->threads, p->lanes, 1024, work_range, &task);
    tl_guard_coupled_work(g, p);
    return TALUS_OK;
}

/* Does a blow bounce with friction? Only such ones add energy by their law (theory §5.7). Where gaps are held, overlaps push besides: blows were before. */
static bool may_gain(const tl_problem *p)
{
    if (p->holding == TL_HOLD_GAPS) return false;
    for (int i = 0; i < p->contacts; i++) {
        const tl_contact *c = &p->contact[i];
        if (c->struck && c->friction > 0 && c->I[0] > 0) return true;
    }
    return false;
}

/* What the law itself adds is not taken back, but said. */
static void say_gain(tl_problem *p, const tl_guard *g)
{
    double most = 0;
    for (int i = 0; i < g->groups; i++)
        if (g->share[i] < 1) p->gained += g->work[i];
    for (int i = 0; i < p->contacts; i++)
        if (tl_guard_share_of(g, i) < 1 && g->contact[i].work > most) most = g->contact[i].work, p->gained_at = i;
}

static talus_status guard_energy(tl_problem *p, bool exact, tl_step *step)
{
    const tl_pack_ops *packs = p->ops->packs;
    tl_guard guard;
    TL_TRY(measure_work(p, step, &guard));
    if (!tl_guard_adds(&guard)) return TALUS_OK;
    if (exact) {
        say_gain(p, &guard);
        return TALUS_OK;
    }
    tl_velocities free = {NULL, NULL};
    TL_TRY(take_impulses_back(p, step, &free));
    packs->take_back(p, &guard, &free, step);
    tl_stand_ins_tell(&p->given, NULL);
    p->residual = packs->residual(p, step);
    p->converged = p->converged && p->residual <= tl_problem_suffices(p);
    packs->write_back(p, step);
    return TALUS_OK;
}

/* The result, for the contacts; what it would add to the energy is taken back (guard.h). `exact`: it is within the tolerance of velocities, and what the law
 * adds stays. */
static talus_status write_back_guarded(tl_problem *p, bool exact, tl_step *step)
{
    p->ops->packs->write_back(p, step);
    if (exact && !may_gain(p)) return TALUS_OK;
    const tl_arena_place mark = tl_arena_mark(step->arena);
    const talus_status status = guard_energy(p, exact, step);
    tl_arena_release(step->arena, mark);
    return status;
}

/* Sweeps, and the islands that these leave; after what has been tried before. */
static talus_status sweep(tl_problem *p, bool helped, tl_step *step)
{
    const int before = p->iterations;
    if (p->blocks) TL_TRY(tl_blocks_condense(p->blocks, step));
    TL_TRY(p->ops->packs->sweep(p, step));
    if (helped && p->residual > p->solver->tolerance) TL_TRY(solve_few(p, step));
    p->iterations += before;
    return TALUS_OK;
}

/* Steps in velocities of bodies, among all solvers in turn: those that end take 10 to 40; and to how many sweeps each amounts, at least, where they are asked
 * for. */
enum { BODY_STEPS = 60, SWEEPS_OF_STEP = 10 };

/* Contacts of which all solvers in turn form W, at most: beyond that a turn takes minutes, and what sweeps and velocities of bodies have left stands. */
enum { MOST_BY_VALUE = 1000 };

talus_status tl_problem_solve(tl_problem *p, tl_step *step)
{
    const tl_solver_row *method = tl_solver_find(p->solver->method);
    const bool all = method && !method->solve && !method->bodies, bodies = method && method->bodies;
    const bool sweeps = (all && !p->solver->convex) || !method || method->sweeps || bodies;
    const bool helped = !method && p->solver->momentum;
    p->iterations = 0;
    p->converged = false;
    p->gained = 0;
    p->ops->packs->start(p, step);
    if (bodies) TL_TRY(tl_bodies_refuse(p, step));
    if (bodies) TL_TRY(tl_bodies_solve(p, (p->solver->max_iterations - 1) / SWEEPS_OF_STEP + 1, step));
    if (helped && p->blocks && p->blocks->late) TL_TRY(tl_bodies_solve(p, p->solver->max_iterations, step));
    const bool guessed = p->chosen_groups != NULL; /* contacts of other islands are still as they were guessed: one sweep at least (sweeps.c) */
    if (sweeps && (!p->converged || guessed)) TL_TRY(sweep(p, helped, step));
    if (helped && p->chosen_groups && !p->converged) TL_TRY(tl_bodies_solve(p, p->solver->max_iterations, step)); /* sweeps of others have moved these, too */
    if (all && sweeps && !p->converged && tl_bodies_can(p)) TL_TRY(tl_bodies_solve(p, BODY_STEPS, step));
    if (!sweeps) TL_TRY(solve_by_value(p, step, false));
    else if (all && !p->converged && p->contacts <= MOST_BY_VALUE) (void)!solve_by_value(p, step, false); /* where it cannot, what the sweeps came to stands */
    const bool exact = p->residual <= p->solver->tolerance; /* impulses of least norm may be off by as much again */
    if (p->solver->least_norm) TL_TRY(solve_by_value(p, step, true));
    TL_TRY(write_back_guarded(p, exact, step));
    for (int i = 0; p->pulls && i < p->contacts; i++) p->contact[i].I[0] -= p->contact[i].offset;
    return TALUS_OK;
}
