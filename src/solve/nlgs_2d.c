/* Nonlinear Gauss–Seidel in the plane (D20 eq. 33, theory §5): each contact in turn gets the impulse that solves its own law
 * exactly, the velocities of its two bodies follow at once. The packs are swept by packs2_kernels.h. */
#include <string.h>

#include "solve/coupled_groups.h"
#include "solve/packs2.h"

/* ---- threads: one loop per colour --------------------------------------------------------------------------------- */

typedef struct sweep_task {
    tl_problem2 *p;
    int first;
    tl_errors *error; /* [packs] */
    struct momentum *m;
} sweep_task;

/* Momentum of the sweeps (sweeps.h): what the last sweep left. */
typedef struct momentum {
    tl_row2 *row;         /* [bodies + 1] velocities   */
    double **v;           /* [matters]                 */
    tl_lanes (*I)[2];     /* [packs] impulses          */
    double (*coupled)[2]; /* [coupleds]                */
    tl_lanes *reversal;   /* [packs]                   */
    double beta;
} momentum;

static void sweep_range(void *context, int begin, int end, int worker)
{
    const sweep_task *task = context;
    (void)worker;
    momentum *m = task->m;
    task->p->kernels->sweep(task->p->row, task->p->pack, m->I, m->beta, task->first + begin, task->first + end, m->reversal);
}

static void start_range(void *context, int begin, int end, int worker)
{
    const sweep_task *task = context;
    (void)worker;
    task->p->kernels->start(task->p->row, task->p->pack, task->first + begin, task->first + end);
}

static void extrapolate_range(void *context, int begin, int end, int worker)
{
    const sweep_task *task = context;
    (void)worker;
    task->p->kernels->extrapolate(&task->p->row[0].x, &task->m->row[0].x, task->m->beta, 4 * begin, 4 * end);
}

static void residual_range(void *context, int begin, int end, int worker)
{
    const sweep_task *task = context;
    (void)worker;
    task->p->kernels->residual(task->p->row, task->p->pack, begin, end, task->error);
}

static void for_colors(tl_problem2 *p, tl_step *step, tl_range_fn *fn, momentum *m)
{
    sweep_task task = {.p = p, .m = m};
    for (int k = 0; k < p->colors; k++) {
        task.first = p->color_begin[k];
        tl_parallel_for(step->threads, p->color_begin[k + 1] - task.first, TL_PARALLEL_PACKS, fn, &task);
    }
    task.first = 0; /* the last colour's packs share grains */
    fn(&task, p->color_begin[TL_COLORS], p->packs, 0);
}

static talus_status start_momentum(tl_problem2 *p, tl_step *step, momentum *m)
{
    *m = (momentum){.beta = 0};
    m->row = tl_arena_alloc(step->arena, (size_t)p->bodies + 1, sizeof *m->row);
    m->v = tl_arena_zero(step->arena, (size_t)p->matters + 1, sizeof *m->v);
    m->I = tl_arena_alloc(step->arena, (size_t)p->packs, sizeof *m->I);
    m->reversal = tl_arena_alloc(step->arena, (size_t)p->packs, sizeof *m->reversal);
    m->coupled = tl_arena_alloc(step->arena, (size_t)p->coupleds, sizeof *m->coupled);
    bool enough = m->row && m->v && m->I && m->reversal && m->coupled;
    for (int k = 1; enough && k < p->matters; k++) {
        m->v[k] = tl_arena_alloc(step->arena, (size_t)p->matter[k]->nv + 1, sizeof **m->v);
        enough = m->v[k] != NULL;
        if (enough) memcpy(m->v[k], p->v[k], (size_t)p->matter[k]->nv * sizeof **m->v);
    }
    if (!enough) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->contacts);
    memcpy(m->row, p->row, ((size_t)p->bodies + 1) * sizeof *m->row);
    for (int i = 0; i < p->packs; i++) {
        m->I[i][0] = p->pack[i].In;
        m->I[i][1] = p->pack[i].It;
    }
    for (int i = 0; i < p->coupleds; i++) memcpy(m->coupled[i], p->coupled[i].I, sizeof m->coupled[i]);
    return TALUS_OK;
}

double tl_coupled2_work(const tl_delassus2 *W, const double I[2], const double J[2])
{
    return I[0] * (W->nn * J[0] + W->nt * J[1]) + I[1] * (W->nt * J[0] + W->tt * J[1]);
}

/* The contacts of a group as a whole, where it can. */
static void solve_group(tl_problem2 *p, momentum *m, tl_coupled_group *own)
{
    for (int i = 0; i < own->contacts; i++) {
        const tl_coupled2 *k = &p->coupled[own->member[i]];
        const double *before = m->coupled[own->member[i]];
        tl_coupled2_velocity(p, k, p->row, p->v, own->V[i]);
        own->V[i][2] = own->y[i][2] = own->before[i][2] = 0;
        for (int axis = 0; axis < 2; axis++) {
            own->V[i][axis] += k->shift[axis];
            own->y[i][axis] = k->I[axis] + m->beta * (k->I[axis] - before[axis]);
            own->before[i][axis] = k->I[axis];
        }
    }
    tl_coupled_group_solve(own);
    for (int i = 0; own->solved && i < own->contacts; i++) {
        tl_coupled2 *k = &p->coupled[own->member[i]];
        memcpy(m->coupled[own->member[i]], k->I, sizeof k->I);
        memcpy(k->I, own->I[i], sizeof k->I);
        tl_coupled2_impulse(p, k, p->row, p->v, k->I[0] - own->y[i][0], k->I[1] - own->y[i][1]);
    }
}

static double sweep_coupled(tl_problem2 *p, momentum *m, tl_coupled_groups *all, tl_hubs *hubs)
{
    double reversal = 0;
    for (int k = 0; k < all->count; k++) {
        solve_group(p, m, &all->group[k]);
        if (all->group[k].solved) reversal += all->group[k].reversal;
    }
    const tl_hub_source source = tl_problem2_hubs(p);
    for (int k = 0; k < hubs->count; k++) reversal += tl_hub_solve(&source, &hubs->hub[k], *m->coupled, m->beta, p->solver->tolerance);
    for (int i = 0; i < p->coupleds; i++) {
        if (all->of[i] >= 0 && all->group[all->of[i]].solved) continue;
        if (hubs->of && hubs->of[i] && hubs->of[i]->solved) continue;
        tl_coupled2 *k = &p->coupled[i];
        double V[2], I[2], *before = m->coupled[i];
        tl_coupled2_velocity(p, k, p->row, p->v, V);
        const double y[2] = {k->I[0] + m->beta * (k->I[0] - before[0]), k->I[1] + m->beta * (k->I[1] - before[1])};
        const double u_n = V[0] + k->shift[0] - (k->W.nn * y[0] + k->W.nt * y[1]);
        const double u_t = V[1] + k->shift[1] - (k->W.nt * y[0] + k->W.tt * y[1]);
        tl_coulomb2_solve(&k->law, k->W.nt, u_n, u_t, I);
        tl_coupled2_impulse(p, k, p->row, p->v, I[0] - y[0], I[1] - y[1]);
        reversal -= tl_coupled2_work(&k->W, (double[2]){I[0] - y[0], I[1] - y[1]}, (double[2]){I[0] - k->I[0], I[1] - k->I[1]});
        before[0] = k->I[0], before[1] = k->I[1];
        k->I[0] = I[0], k->I[1] = I[1];
    }
    tl_stand_ins_settle(&p->given);
    return reversal;
}

static double sweep_blocks(tl_problem2 *p, double beta, bool keeps)
{
    const tl_velocities v = tl_problem2_velocities(p);
    return p->blocks && p->blocks->count > 0 ? tl_blocks_sweep(p->blocks, &v, beta, keeps) : 0;
}

typedef struct solver {
    tl_problem2 *p;
    tl_step *step;
    momentum m;
    tl_coupled_groups groups;
    tl_hubs hubs;
} solver;

/* One sweep over all contacts from extrapolated impulses. */
static double sweep(void *context, double beta)
{
    solver *s = context;
    tl_problem2 *p = s->p;
    const tl_step *step = s->step;
    momentum *m = &s->m;
    m->beta = beta;
    sweep_task task = {.p = p, .m = m};
    tl_parallel_for(step->threads, p->bodies + 1, 4096, extrapolate_range, &task);
    for (int k = 1; k < p->matters; k++) tl_extrapolate(p->v[k], m->v[k], m->beta, 0, p->matter[k]->nv);
    for_colors(p, s->step, sweep_range, m);
    tl_lanes sum = {0};
    for (int i = 0; i < p->packs; i++) sum += m->reversal[i];
    double reversal = sweep_coupled(p, m, &s->groups, &s->hubs) + sweep_blocks(p, beta, true);
    for (int lane = 0; lane < TL_LANES; lane++) reversal += sum[lane];
    return reversal;
}

double tl_problem2_residual(tl_problem2 *p, tl_step *step)
{
    const size_t mark = tl_arena_mark(step->arena);
    tl_errors *error = tl_arena_alloc(step->arena, (size_t)p->packs + 1, sizeof *error), all = {0};
    if (!error) return (double)NAN;
    sweep_task task = {.p = p, .error = error};
    tl_parallel_for(step->threads, p->packs, TL_PARALLEL_PACKS, residual_range, &task);
    for (int i = 0; i < p->packs; i++) tl_errors_add(&all, &error[i]);
    tl_arena_release(step->arena, mark);
    for (int i = 0; i < p->coupleds; i++) {
        const tl_coupled2 *k = &p->coupled[i];
        double V[2];
        tl_coupled2_velocity(p, k, p->row, p->v, V);
        const double u[2] = {V[0] + k->shift[0], V[1] + k->shift[1]};
        const double e = tl_coulomb2_residual(k->W, k->friction, u, k->I);
        tl_errors_add(&all, &(tl_errors){e, e, k->I[0] > 0});
    }
    const tl_velocities v = tl_problem2_velocities(p);
    if (p->blocks) tl_blocks_errors(p->blocks, &v, &all);
    p->residual_mean = all.sum / (all.pressing > 0 ? all.pressing : 1);
    return all.largest;
}

static double residual(void *context)
{
    const solver *s = context;
    return tl_problem2_residual(s->p, s->step);
}

/* ---- the result goes back to the contacts ------------------------------------------------------------------------- */

/* V⁺ is the shifted velocity less what the law added to it. */
static void write_back_range(void *context, int begin, int end, int worker)
{
    tl_problem2 *p = ((sweep_task *)context)->p;
    (void)worker;
    for (int i = begin; i < end; i++) {
        const tl_pack2 *pack = &p->pack[i];
        tl_lanes u_n, u_t;
        p->kernels->velocity(p->row, pack, &u_n, &u_t);
        for (int lane = 0; lane < TL_LANES; lane++) {
            if (p->lane[i * TL_LANES + lane] < 0) continue;
            tl_contact *c = &p->contact[p->lane[i * TL_LANES + lane]];
            c->I[0] = pack->In[lane];
            c->I[1] = pack->It[lane];
            c->V[0] = u_n[lane] - c->shift;
            c->V[1] = u_t[lane];
        }
    }
}

static void write_back_coupled(tl_problem2 *p)
{
    for (int i = 0; i < p->coupleds; i++) {
        const tl_coupled2 *k = &p->coupled[i];
        tl_contact *c = &p->contact[k->contact];
        double V[2];
        tl_coupled2_velocity(p, k, p->row, p->v, V);
        c->I[0] = k->I[0], c->I[1] = k->I[1];
        c->V[0] = V[0] + k->shift[0] - c->shift;
        c->V[1] = V[1] + k->shift[1];
    }
}

/* What laws set off against the normal impulses acts beforehand, as forces do. */
static void pull(tl_problem2 *p)
{
    for (int i = 0; i < p->packs; i++) {
        tl_pack2 back = p->pack[i];
        for (int lane = 0; lane < TL_LANES; lane++) {
            const int contact = p->lane[i * TL_LANES + lane];
            back.In[lane] = contact < 0 ? 0 : -p->contact[contact].offset, back.It[lane] = 0;
        }
        p->kernels->start(p->row, &back, 0, 1);
    }
    for (int i = 0; i < p->coupleds; i++) tl_coupled2_impulse(p, &p->coupled[i], p->row, p->v, -p->contact[p->coupled[i].contact].offset, 0);
}

void tl_problem2_start(tl_problem2 *p, tl_step *step)
{
    tl_stand_ins_start(&p->given);
    if (p->pulls) pull(p);
    for_colors(p, step, start_range, NULL);
    for (int i = 0; i < p->coupleds; i++) tl_coupled2_impulse(p, &p->coupled[i], p->row, p->v, p->coupled[i].I[0], p->coupled[i].I[1]);
    tl_stand_ins_settle(&p->given);
    const tl_velocities v = tl_problem2_velocities(p);
    if (p->blocks) tl_blocks_start(p->blocks, &v);
}

void tl_problem2_write_back(tl_problem2 *p, tl_step *step)
{
    sweep_task task = {.p = p};
    tl_parallel_for(step->threads, p->packs, TL_PARALLEL_PACKS, write_back_range, &task);
    write_back_coupled(p);
    tl_problem2_recover(p);
    const tl_velocities v = tl_problem2_velocities(p);
    if (!p->blocks) return;
    tl_blocks_write_back(p->blocks, &v);
    for (int i = 0; i < p->block_contacts; i++) {
        const tl_constraint *k = p->blocks->block[p->constraints + i].of;
        tl_contact *c = &p->contact[p->block_contact[i]];
        memcpy(c->I, k->I, sizeof c->I);
        memcpy(c->V, k->V, sizeof c->V);
    }
}

talus_status tl_nlgs2_sweep(tl_problem2 *p, tl_step *step)
{
    tl_problem2_start(p, step);
    solver self = {.p = p, .step = step};
    tl_sweeps sweeps = {.context = &self, .sweep = sweep, .residual = residual, .settings = p->solver};
    TL_TRY(start_momentum(p, step, &self.m));
    const tl_hub_source hubs = tl_problem2_hubs(p);
    TL_TRY(tl_hubs_make(&hubs, step, &self.hubs));
    talus_status status = tl_problem2_groups(p, step, &self.groups);
    if (status == TALUS_OK) status = tl_sweeps_run(&sweeps, step->error);
    tl_coupled_groups_destroy(&self.groups);
    if (status != TALUS_OK) return status;
    p->iterations = sweeps.iterations;
    p->residual = sweeps.error;
    p->converged = p->residual <= p->solver->tolerance;
    return TALUS_OK;
}
