/* Nonlinear Gauss–Seidel in the plane (D20 eq. 33, theory §5): each contact in turn gets the impulse that solves its own law
 * exactly, the velocities of its two bodies follow at once. The packs are swept by packs2_kernels.h. */
#include <string.h>

#include "base/products.h"
#include "solve/coupled_sweeps.h"
#include "solve/packs2.h"

/* ---- over all packs ------------------------------------------------------------------------------------------------ */

typedef struct sweep_task {
    tl_problem2 *p;
    struct momentum *m;
} sweep_task;

/* Momentum of the sweeps (sweeps.h): what the last sweep left. */
typedef struct momentum {
    tl_row2 *row;     /* [rows] velocities         */
    tl_lanes (*I)[2]; /* [packs] impulses          */
    double *reversal; /* [packs]                   */
    double beta;
} momentum;

static void sweep_packs(void *context, const tl_share *s)
{
    const sweep_task *task = context;
    momentum *m = task->m;
    task->p->kernels->sweep(task->p->row, task->p->pack, &(tl_momentum2){m->I, m->beta, m->reversal, task->p->base.give}, s->begin[0], s->end[0]);
}

static void start_packs(void *context, const tl_share *s)
{
    const tl_problem2 *p = context;
    p->kernels->start(p->row, p->pack, s->begin[0], s->end[0]);
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
    task->p->kernels->residual(task->p->row, task->p->pack, task->p->base.give, begin, end, task->p->error);
}

static talus_status start_momentum(tl_problem2 *p, tl_step *step, momentum *m)
{
    *m = (momentum){.beta = 0};
    m->row = tl_arena_alloc(step->arena, (size_t)p->base.rows, sizeof *m->row);
    m->I = tl_arena_alloc(step->arena, (size_t)p->packs, sizeof *m->I);
    m->reversal = tl_arena_alloc(step->arena, (size_t)p->packs, sizeof *m->reversal);
    if (!m->row || !m->I || !m->reversal) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->base.contacts);
    memcpy(m->row, p->row, (size_t)p->base.rows * sizeof *m->row);
    for (int i = 0; i < p->packs; i++) {
        m->I[i][0] = p->pack[i].In;
        m->I[i][1] = p->pack[i].It;
    }
    return TALUS_OK;
}

double tl_coupled2_work(const tl_delassus2 *W, const double I[2], const double J[2])
{
    return I[0] * (W->nn * J[0] + W->nt * J[1]) + I[1] * (W->nt * J[0] + W->tt * J[1]);
}

static double sweep_coupled(tl_problem2 *p, tl_coupled_sweeps *own, double beta)
{
    double reversal = tl_coupled_sweeps_wholes(own, beta);
    for (int i = 0; i < p->base.coupleds; i++) {
        if (tl_is_solved_in_group(own, i) || tl_is_solved_in_hub(own, i)) continue;
        tl_coupled *k = &p->base.coupled[i];
        const tl_delassus2 *W = &k->plane.W;
        double V[2], I[2], *before = own->before[i];
        tl_coupled2_velocity(p, k, p->row, p->base.v, V);
        const double y[2] = {k->I[0] + beta * (k->I[0] - before[0]), k->I[1] + beta * (k->I[1] - before[1])};
        const double u_n = V[0] + k->shift[0] - (W->nn * y[0] + W->nt * y[1]);
        const double u_t = V[1] + k->shift[1] - (W->nt * y[0] + W->tt * y[1]);
        tl_coulomb2_solve(&k->plane.law, W->nt, u_n, u_t, I);
        tl_coupled2_impulse(p, k, p->row, p->base.v, I[0] - y[0], I[1] - y[1]);
        reversal -= tl_coupled2_work(W, (double[2]){I[0] - y[0], I[1] - y[1]}, (double[2]){I[0] - k->I[0], I[1] - k->I[1]});
        before[0] = k->I[0], before[1] = k->I[1];
        k->I[0] = I[0], k->I[1] = I[1];
    }
    return reversal;
}

typedef struct solver {
    tl_problem2 *p;
    tl_step *step;
    momentum m;
    tl_coupled_sweeps coupled;
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
    tl_parallel_for(step->threads, p->base.rows, 4096, extrapolate_range, &task);
    tl_coupled_sweeps_extrapolate(&s->coupled, beta);
    tl_colors_walk(&p->color, s->step, sweep_packs, &task);
    const double reversal = tl_sum(m->reversal, p->packs) + sweep_coupled(p, &s->coupled, beta);
    return reversal + tl_problem_sweep_blocks(&p->base, beta, true);
}

double tl_problem2_residual(tl_problem2 *p, tl_step *step)
{
    tl_errors all = {0};
    sweep_task task = {.p = p};
    tl_parallel_for(step->threads, p->packs, TL_PARALLEL_PACKS, residual_range, &task);
    for (int i = 0; i < p->packs; i++) tl_errors_add(&all, &p->error[i]);
    return tl_problem_errors(&p->base, &all);
}

static void errors(void *context, tl_sweeps_errors *e)
{
    solver *s = context;
    tl_coupled_sweeps_errors(&s->coupled, s->step, e);
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
            tl_problem_expect(&p->base, i * TL_LANES + lane);
            if (p->base.lane[i * TL_LANES + lane] < 0) continue;
            tl_contact *c = &p->base.contact[p->base.lane[i * TL_LANES + lane]];
            c->I[0] = pack->In[lane];
            c->I[1] = pack->It[lane];
            c->V[0] = u_n[lane] - c->shift;
            c->V[1] = u_t[lane];
        }
    }
}

/* What laws set off against the normal impulses acts beforehand, as forces do. */
static void pull(tl_problem2 *p)
{
    for (int i = 0; i < p->packs; i++) {
        tl_lanes back = {0};
        for (int lane = 0; lane < TL_LANES; lane++) {
            const int contact = p->base.lane[i * TL_LANES + lane];
            if (contact >= 0) back[lane] = -p->base.contact[contact].offset;
        }
        tl_push2(p, p->row, i, back, (tl_lanes){0});
    }
    for (int i = 0; i < p->base.coupleds; i++)
        tl_coupled2_impulse(p, &p->base.coupled[i], p->row, p->base.v, -p->base.contact[p->base.coupled[i].contact].offset, 0);
}

void tl_problem2_start(tl_problem2 *p, tl_step *step)
{
    tl_problem_start_stand_ins(&p->base);
    if (p->base.pulls) pull(p);
    tl_colors_walk(&p->color, step, start_packs, p);
    for (int i = 0; i < p->base.coupleds; i++) tl_coupled2_impulse(p, &p->base.coupled[i], p->row, p->base.v, p->base.coupled[i].I[0], p->base.coupled[i].I[1]);
    tl_stand_ins_tell(&p->base.given, NULL);
    const tl_velocities v = tl_problem_velocities(&p->base);
    if (p->base.blocks) tl_blocks_start(p->base.blocks, &v);
}

void tl_problem2_write_back(tl_problem2 *p, tl_step *step)
{
    sweep_task task = {.p = p};
    tl_parallel_for(step->threads, p->packs, TL_PARALLEL_PACKS, write_back_range, &task);
    tl_problem_write_back_coupled(&p->base);
}

talus_status tl_nlgs2_sweep(tl_problem2 *p, tl_step *step)
{
    solver self = {.p = p, .step = step};
    tl_sweeps sweeps = {.context = &self, .sweep = sweep, .errors = errors, .contacts = p->base.contacts, .settings = p->base.solver};
    TL_TRY(start_momentum(p, step, &self.m));
    talus_status status = tl_coupled_sweeps_begin(&self.coupled, &p->base, &TL_HUBS_2D, step);
    if (status == TALUS_OK) status = tl_coupled_sweeps_run(&self.coupled, &sweeps, step);
    tl_coupled_sweeps_destroy(&self.coupled);
    return status;
}
