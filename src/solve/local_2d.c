/* The rows of a planar step's contacts, for the problem as a value. */
#include <string.h>

#include "solve/few.h"
#include "solve/global_rows.h"
#include "solve/guard.h"
#include "solve/coupled_groups.h"
#include "solve/packs2.h"

/* The end of a contact at a grain. */
typedef struct grain_end {
    int body;
    double sign, nx, ny, s, cn, ct; /* as in tl_pack2 */
} grain_end;

static talus_status add_grain(tl_local_rows *r, tl_step *step, int contact, const grain_end *e)
{
    const double H[2][3] = {{e->s * e->nx, e->s * e->ny, e->cn}, {-e->s * e->ny, e->s * e->nx, e->ct}};
    return tl_local_rows_add(r, (tl_local_end){.contact = contact, .group = e->body, .size = 3, .sign = e->sign, .H = H[0]}, step);
}

/* Velocities without impulses: v⁺ less what the impulses made of them. */
typedef struct free_motion {
    tl_row2 *row;
    double **v;
} free_motion;

static talus_status take_impulses_back(const tl_problem2 *p, tl_step *step, free_motion *f)
{
    f->row = tl_arena_alloc(step->arena, (size_t)p->base.bodies + 1, sizeof *f->row);
    if (!f->row) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d bodies", p->base.bodies);
    TL_TRY(tl_local_rows_copy(p->base.v, p->base.matter, p->base.matters, step, &f->v));
    memcpy(f->row, p->row, ((size_t)p->base.bodies + 1) * sizeof *f->row);
    for (int i = 0; i < p->packs; i++) {
        tl_pack2 back = p->pack[i];
        back.In = -back.In, back.It = -back.It;
        p->kernels->start(f->row, &back, 0, 1);
    }
    for (int i = 0; i < p->base.coupleds; i++) tl_coupled2_impulse(p, &p->base.coupled[i], f->row, f->v, -p->base.coupled[i].I[0], -p->base.coupled[i].I[1]);
    return TALUS_OK;
}

static int body_of(uint32_t place) { return (int)(place / sizeof(tl_row2)); }

static talus_status add_pack(const tl_problem2 *p, const free_motion *f, tl_local_rows *r, tl_step *step, const int *contacts, const tl_pack2 *k)
{
    tl_lanes n, t;
    p->kernels->velocity(f->row, k, &n, &t);
    for (int i = 0; i < TL_LANES; i++) {
        if (contacts[i] < 0) continue;
        const int contact = r->number[contacts[i]];
        r->q[contact][0] = n[i], r->q[contact][1] = t[i];
        r->I[contact][0] = k->In[i], r->I[contact][1] = k->It[i];
        r->friction[contact] = k->friction[i];
        TL_TRY(add_grain(r, step, contact, &(grain_end){body_of(k->a[i]), -1, k->nx[i], k->ny[i], k->sa[i], k->cna[i], k->cta[i]}));
        if (k->a[i] != k->b[i]) TL_TRY(add_grain(r, step, contact, &(grain_end){body_of(k->b[i]), 1, k->nx[i], k->ny[i], k->sb[i], k->cnb[i], k->ctb[i]}));
    }
    return TALUS_OK;
}

talus_status tl_coupled2_add_ends(const tl_problem *base, const tl_coupled *k, tl_local_rows *r, tl_step *step)
{
    const tl_problem2 *p = (const tl_problem2 *)base;
    const tl_contact *c = &p->base.contact[k->contact];
    const int contact = r->number[k->contact];
    r->friction[contact] = k->friction;
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? -1 : 1;
        const int m = k->matter[side];
        if (m == 0 && k->row[side] >= 0)
            TL_TRY(add_grain(r, step, contact, &(grain_end){k->row[side], sign, c->n.x, c->n.y, k->plane.s[side], k->plane.cn[side], k->plane.ct[side]}));
        if (m == 0) continue;
        if (!k->H[side]) return tl_fail(step->error, TALUS_UNSUPPORTED, "matter '%s' has no rows to write", p->base.matter[m]->ops->kind);
        TL_TRY(tl_local_rows_add(r, (tl_local_end){contact, p->base.bodies + m, k->nv[side], sign, k->H[side], k->Y[side]}, step));
    }
    return TALUS_OK;
}

static talus_status add_coupled(const tl_problem2 *p, const free_motion *f, tl_local_rows *r, tl_step *step, const tl_coupled *k)
{
    const int contact = r->number[k->contact];
    double *q = r->q[contact];
    tl_coupled2_velocity(p, k, f->row, f->v, q);
    for (int i = 0; i < 2; i++) q[i] += k->shift[i], r->I[contact][i] = k->I[i];
    return tl_coupled2_add_ends(&p->base, k, r, step);
}

/* Of all contacts, or of those that are chosen [contacts]. */
static talus_status make_rows(const tl_problem2 *p, const bool *chosen, tl_step *step, tl_local_rows *r, free_motion *f)
{
    const int lanes = p->packs * TL_LANES;
    int *coupled = tl_arena_alloc(step->arena, (size_t)p->base.coupleds + 1, sizeof *coupled), coupleds = 0;
    int *lane = tl_arena_alloc(step->arena, (size_t)lanes + 1, sizeof *lane);
    if (!lane || !coupled) {
        (void)tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->base.contacts);
        return TALUS_MEMORY;
    }
    for (int i = 0; i < p->base.coupleds; i++)
        if (!chosen || chosen[p->base.coupled[i].contact]) coupled[coupleds++] = p->base.coupled[i].contact;
    for (int i = 0; i < lanes; i++) lane[i] = p->lane[i] >= 0 && (!chosen || chosen[p->lane[i]]) ? p->lane[i] : -1;
    TL_TRY(tl_local_rows_begin(r, 2, &(tl_local_members){p->base.contacts, p->base.bodies + p->base.matters, lane, lanes, coupled, coupleds}, step));
    TL_TRY(take_impulses_back(p, step, f));
    for (int i = 0; i < p->packs; i++) TL_TRY(add_pack(p, f, r, step, &lane[i * TL_LANES], &p->pack[i]));
    for (int i = 0; i < p->base.coupleds; i++)
        if (r->number[p->base.coupled[i].contact] >= 0) TL_TRY(add_coupled(p, f, r, step, &p->base.coupled[i]));
    return TALUS_OK;
}

/* The rows, and what they make; r.number is whose they are. */
static talus_status make_local(const tl_problem2 *p, const bool *chosen, tl_step *step, tl_local_rows *r, talus_problem_def *out)
{
    free_motion f = {NULL, NULL};
    TL_TRY(make_rows(p, chosen, step, r, &f));
    TL_TRY(tl_local_rows_assemble(r, step, out));
    out->convex = p->base.solver->convex;
    return TALUS_OK;
}

talus_status tl_problem2_local(const tl_problem2 *p, tl_step *step, talus_problem_def *out)
{
    TL_TRY(tl_blocks_refuse(p->base.blocks, step));
    tl_local_rows r;
    return make_local(p, NULL, step, &r, out);
}

static talus_status say_group(const tl_problem2 *p, const free_motion *f, tl_step *step, int g, tl_global_group *group)
{
    if (g >= p->base.bodies) return tl_global_matter(p->base.matter[g - p->base.bodies], f->v[g - p->base.bodies], p->base.v[g - p->base.bodies], step, group);
    const double masses[3] = {p->base.inverse_mass[g], p->base.inverse_mass[g], p->inverse_inertia[g]};
    return tl_global_grain(3, masses, &f->row[g].x, &p->row[g].x, step, group);
}

talus_status tl_problem2_global(const tl_problem2 *p, tl_step *step, talus_global_problem *out)
{
    TL_TRY(tl_blocks_refuse(p->base.blocks, step));
    tl_local_rows r;
    free_motion f = {NULL, NULL};
    TL_TRY(make_rows(p, NULL, step, &r, &f));
    tl_global_group *group = tl_arena_zero(step->arena, (size_t)r.groups, sizeof *group);
    if (!group) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d bodies", r.groups);
    for (int e = 0; e < r.ends; e++)
        if (group[r.end[e].group].size == 0) TL_TRY(say_group(p, &f, step, r.end[e].group, &group[r.end[e].group]));
    return tl_global_rows_assemble(&r, group, step, out);
}

static void change_packs(const tl_problem2 *p, const int *number, const double *I)
{
    for (int i = 0; i < p->packs; i++) {
        tl_pack2 *k = &p->pack[i], change = *k;
        tl_lanes n = k->In, t = k->It;
        for (int lane = 0; lane < TL_LANES; lane++) {
            const int contact = p->lane[i * TL_LANES + lane];
            if (contact >= 0 && number[contact] >= 0) n[lane] = I[2 * number[contact]], t[lane] = I[2 * number[contact] + 1];
        }
        change.In = n - k->In, change.It = t - k->It;
        p->kernels->start(p->row, &change, 0, 1);
        k->In = n, k->It = t;
    }
}

/* Impulses I [contacts][2] instead of the present ones, where contacts have a number. */
static void change_impulses(tl_problem2 *p, const int *number, const double *I)
{
    change_packs(p, number, I);
    for (int i = 0; i < p->base.coupleds; i++) {
        tl_coupled *k = &p->base.coupled[i];
        if (number[k->contact] < 0) continue;
        const double *J = &I[2 * number[k->contact]];
        tl_coupled2_impulse(p, k, p->row, p->base.v, J[0] - k->I[0], J[1] - k->I[1]);
        k->I[0] = J[0], k->I[1] = J[1];
    }
}

static talus_status solve_by_value(tl_problem2 *p, tl_step *step, bool least_norm)
{
    talus_problem_def def;
    TL_TRY(tl_blocks_refuse(p->base.blocks, step));
    tl_by_value s = {.settings = p->base.solver, .least_norm = least_norm};
    tl_local_rows r;
    TL_TRY(make_local(p, NULL, step, &r, &def));
    TL_TRY(tl_by_value_solve(&def, &s, step));
    change_impulses(p, r.number, s.I);
    p->base.iterations += s.iterations;
    p->base.residual = s.residual;
    p->base.residual_mean = s.residual_mean;
    if (!least_norm) p->base.converged = p->base.residual <= p->base.solver->tolerance; /* the other's impulses may be off by as much again */
    return TALUS_OK;
}

/* Groups of the ends; −1: it does not move. */
static void groups_of(const tl_problem2 *p, const tl_contact *c, int group[2])
{
    group[0] = tl_group_of(&p->base, c->a);
    group[1] = tl_group_of(&p->base, c->b);
}

static tl_worked worked(const tl_problem2 *p, const tl_contact *c, const double before[2])
{
    tl_worked out = {.work = 0};
    groups_of(p, c, out.group);
    tl_guard_work(&out, 2, c->I, before, c->V);
    return out;
}

/* Sweeps have ended above the tolerance: the islands of few contacts among those that are to blame, as wholes (few.h). */
static talus_status solve_few(tl_problem2 *p, tl_step *step)
{
    int(*group)[2] = tl_arena_alloc(step->arena, (size_t)p->base.contacts + 1, sizeof *group), count = 0;
    bool *chosen = tl_arena_alloc(step->arena, (size_t)p->base.contacts + 1, sizeof *chosen);
    talus_problem_def def;
    tl_local_rows r;
    double *I;
    if (!group || !chosen) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->base.contacts);
    for (int i = 0; i < p->base.contacts; i++) groups_of(p, &p->base.contact[i], group[i]);
    const tl_few_source source = {(const int(*)[2])group, p->base.contacts, p->base.bodies + p->base.matters, p->base.blocks};
    TL_TRY(tl_few_choose(&source, step, chosen, &count));
    if (count == 0) return TALUS_OK;
    const talus_status status = make_local(p, chosen, step, &r, &def);
    if (status == TALUS_UNSUPPORTED) return TALUS_OK; /* matter without rows: what the sweeps came to stands */
    if (status != TALUS_OK) return status;
    TL_TRY(tl_few_solve(&def, p->base.solver->tolerance, p->base.iterations, step, &I));
    change_impulses(p, r.number, I);
    p->base.residual = tl_problem2_residual(p, step);
    p->base.converged = p->base.residual <= p->base.solver->tolerance;
    return TALUS_OK;
}

static talus_status measure_work(const tl_problem2 *p, tl_step *step, tl_guard *g)
{
    TL_TRY(tl_guard_begin(g, p->base.contacts, p->base.bodies + p->base.matters, p->base.blocks, step));
    for (int i = 0; i < p->packs * TL_LANES; i++) {
        if (p->lane[i] < 0) continue;
        const tl_contact *c = &p->base.contact[p->lane[i]];
        double before[2];
        tl_problem2_before(p, c, before);
        g->contact[p->lane[i]] = worked(p, c, before);
    }
    tl_guard_coupled_work(g, &p->base);
    return TALUS_OK;
}

static talus_status take_back(tl_problem2 *p, tl_guard *guard, tl_local_rows *r, tl_step *step)
{
    TL_TRY(tl_guard_take_back(guard, r, step));
    double *I = tl_arena_alloc(step->arena, 2 * (size_t)r->contacts + 1, sizeof *I);
    if (!I) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->base.contacts);
    for (int i = 0; i < r->contacts; i++) I[2 * i] = r->I[i][0], I[2 * i + 1] = r->I[i][1];
    change_impulses(p, r->number, I);
    return TALUS_OK;
}

/* The result, for the contacts; what it would add to the energy is taken back (guard.h). */
static talus_status write_back_guarded(tl_problem2 *p, tl_step *step)
{
    tl_guard guard;
    tl_local_rows r;
    tl_problem2_write_back(p, step);
    if (p->base.converged) return TALUS_OK; /* within its tolerance it keeps the law, which adds none */
    TL_TRY(measure_work(p, step, &guard));
    if (!tl_guard_adds(&guard)) return TALUS_OK;
    free_motion f = {NULL, NULL};
    const talus_status status = make_rows(p, NULL, step, &r, &f);
    if (status == TALUS_UNSUPPORTED) return TALUS_OK; /* matter without rows: what the sweeps came to stands */
    if (status != TALUS_OK) return status;
    if (p->base.block_contacts > 0 || (p->base.blocks && p->base.blocks->unknowns > 0)) tl_guard2_take_back(p, &guard, f.row, f.v);
    else TL_TRY(take_back(p, &guard, &r, step));
    p->base.residual = tl_problem2_residual(p, step);
    tl_problem2_write_back(p, step);
    return TALUS_OK;
}

talus_status tl_problem2_solve(tl_problem2 *p, tl_step *step)
{
    const tl_solver_row *method = tl_solver_find(p->base.solver->method);
    const bool both = method && !method->solve, sweeps = (both && !p->base.solver->convex) || !method || method->sweeps;
    const bool helped = !method && p->base.solver->momentum;
    p->base.iterations = 0;
    p->base.converged = false;
    if (sweeps) TL_TRY(tl_nlgs2_sweep(p, step));
    else tl_problem2_start(p, step);
    if (!sweeps) TL_TRY(solve_by_value(p, step, false));
    else if (both && !p->base.converged) (void)!solve_by_value(p, step, false); /* where it cannot, what the sweeps came to stands */
    else if (helped && !p->base.converged) TL_TRY(solve_few(p, step));
    if (p->base.solver->least_norm) TL_TRY(solve_by_value(p, step, true));
    TL_TRY(write_back_guarded(p, step));
    for (int i = 0; p->base.pulls && i < p->base.contacts; i++) p->base.contact[i].I[0] -= p->base.contact[i].offset;
    return TALUS_OK;
}
