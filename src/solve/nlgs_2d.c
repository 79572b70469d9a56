/* Nonlinear Gauss–Seidel in the plane (D20 eq. 33, MECHANICS §5): each contact in turn gets the impulse that solves its own law
 * exactly, the velocities of its two bodies follow at once.
 *
 * The kernels treat eight contacts of one colour at a time, in plain vector arithmetic without contraction: the bits do not depend on
 * the instruction set. */
#include "solve/lanes2.h"

/* The law of law/law2.h, eight at a time. */
CLONES static void sweep_packs(tl_row2 *rows, tl_pack2 *packs, int begin, int end)
{
    for (int i = begin; i < end; i++) {
        tl_pack2 *p = &packs[i];
        columns a, b;
        tl_lanes u_n, u_t;
        gather(rows, p->a, &a);
        gather(rows, p->b, &b);
        velocity(p, &a, &b, &u_n, &u_t);
        u_n += p->shift_n - (p->nn * p->In + p->nt * p->It);
        u_t += p->shift_t - (p->nt * p->In + p->tt * p->It);
        const tl_lanes ratio = p->nt * p->inverse_nn, zero = u_n - u_n;
        const tl_lanes stick = -(u_t - ratio * u_n) * p->inverse_s;
        const tl_lanes high = -p->k_plus * u_n, low = p->k_minus * u_n;
        const tl_lanes above_low = SELECT(stick < low, low, stick);
        const tl_lanes t = SELECT(stick > high, high, above_low);
        const tl_lanes n = -u_n * p->inverse_nn - ratio * t;
        const mask8 open = u_n >= zero;
        const tl_lanes In = SELECT(open, zero, n), It = SELECT(open, zero, t);
        const tl_lanes dn = In - p->In, dt = It - p->It;
        p->In = In;
        p->It = It;
        apply(p, rows, &a, &b, &dn, &dt);
    }
}

CLONES static void start_packs(tl_row2 *rows, const tl_pack2 *packs, int begin, int end)
{
    for (int i = begin; i < end; i++) {
        columns a, b;
        gather(rows, packs[i].a, &a);
        gather(rows, packs[i].b, &b);
        apply(&packs[i], rows, &a, &b, &packs[i].In, &packs[i].It);
    }
}

/* Largest squared residual of each pack (law/signorini_coulomb2.c, eight at a time). */
CLONES static void residual_packs(const tl_row2 *rows, const tl_pack2 *packs, int begin, int end, double *worst)
{
    for (int i = begin; i < end; i++) {
        const tl_pack2 *p = &packs[i];
        columns a, b;
        tl_lanes u_n, u_t;
        gather(rows, p->a, &a);
        gather(rows, p->b, &b);
        velocity(p, &a, &b, &u_n, &u_t);
        u_n += p->shift_n;
        u_t += p->shift_t;
        const tl_lanes zero = p->In - p->In, mu = p->friction, inverse_rho = 0.5 * (p->nn + p->tt);
        const tl_lanes abs_t = SELECT(u_t < zero, -u_t, u_t);
        /* scaled by 1/ρ: x = I/ρ − û */
        const tl_lanes i_n = p->In * inverse_rho, i_t = p->It * inverse_rho;
        const tl_lanes x_n = i_n - (u_n + mu * abs_t), x_t = i_t - u_t;
        const tl_lanes abs_x = SELECT(x_t < zero, -x_t, x_t), edge_n = (x_n + mu * abs_x) / (1 + mu * mu);
        const tl_lanes edge_t = SELECT(x_t < zero, -mu * edge_n, mu * edge_n);
        const mask8 polar = mu * abs_x <= -x_n, beyond = abs_x > mu * x_n;
        const tl_lanes outside_n = SELECT(beyond, edge_n, x_n), outside_t = SELECT(beyond, edge_t, x_t);
        const tl_lanes d_n = i_n - SELECT(polar, zero, outside_n), d_t = i_t - SELECT(polar, zero, outside_t);
        const tl_lanes error = d_n * d_n + d_t * d_t;
        double largest = 0;
        for (int lane = 0; lane < TL_LANES; lane++) largest = error[lane] > largest || error[lane] != error[lane] ? error[lane] : largest;
        worst[i] = largest;
    }
}

/* ---- threads: one loop per colour --------------------------------------------------------------------------------- */

typedef struct sweep_task {
    tl_problem2 *p;
    int first;
    double *worst;
} sweep_task;

enum { PARALLEL_PACKS = 48 };

static void sweep_range(void *context, int begin, int end, int worker)
{
    const sweep_task *task = context;
    (void)worker;
    sweep_packs(task->p->row, task->p->pack, task->first + begin, task->first + end);
}

static void start_range(void *context, int begin, int end, int worker)
{
    const sweep_task *task = context;
    (void)worker;
    start_packs(task->p->row, task->p->pack, task->first + begin, task->first + end);
}

static void residual_range(void *context, int begin, int end, int worker)
{
    const sweep_task *task = context;
    (void)worker;
    residual_packs(task->p->row, task->p->pack, begin, end, task->worst);
}

static void for_colors(tl_problem2 *p, tl_step *step, tl_range_fn *fn)
{
    sweep_task task = {.p = p};
    for (int k = 0; k < p->colors; k++) {
        task.first = p->color_begin[k];
        tl_parallel_for(step->threads, p->color_begin[k + 1] - task.first, PARALLEL_PACKS, fn, &task);
    }
    task.first = 0;
    fn(&task, p->color_begin[TL_COLORS], p->packs, 0);
}

static void sweep_coupled(tl_problem2 *p)
{
    for (int i = 0; i < p->coupleds; i++) {
        tl_coupled2 *k = &p->coupled[i];
        double V[2], I[2];
        tl_coupled2_velocity(p, k, p->row, p->v, V);
        const double u_n = V[0] + k->shift[0] - (k->W.nn * k->I[0] + k->W.nt * k->I[1]);
        const double u_t = V[1] + k->shift[1] - (k->W.nt * k->I[0] + k->W.tt * k->I[1]);
        tl_coulomb2_solve(&k->law, k->W.nt, u_n, u_t, I);
        tl_coupled2_impulse(p, k, p->row, p->v, I[0] - k->I[0], I[1] - k->I[1]);
        k->I[0] = I[0], k->I[1] = I[1];
    }
}

double tl_problem2_residual(tl_problem2 *p, tl_step *step)
{
    const size_t mark = tl_arena_mark(step->arena);
    double *worst = tl_arena_alloc(step->arena, (size_t)p->packs + 1, sizeof *worst), largest = 0;
    if (!worst) return (double)NAN;
    sweep_task task = {.p = p, .worst = worst};
    tl_parallel_for(step->threads, p->packs, PARALLEL_PACKS, residual_range, &task);
    for (int i = 0; i < p->packs; i++) largest = worst[i] > largest || worst[i] != worst[i] ? worst[i] : largest;
    largest = sqrt(largest);
    tl_arena_release(step->arena, mark);
    for (int i = 0; i < p->coupleds; i++) {
        const tl_coupled2 *k = &p->coupled[i];
        double V[2];
        tl_coupled2_velocity(p, k, p->row, p->v, V);
        const double u[2] = {V[0] + k->shift[0], V[1] + k->shift[1]};
        const double error = tl_coulomb2_residual(k->W, k->friction, u, k->I);
        largest = error > largest || isnan(error) ? error : largest;
    }
    return largest;
}

/* ---- the result goes back to the contacts ------------------------------------------------------------------------- */

/* V⁺ is the shifted velocity less what the law added to it, which bind and color left in V. */
static void write_back_range(void *context, int begin, int end, int worker)
{
    tl_problem2 *p = ((sweep_task *)context)->p;
    (void)worker;
    for (int i = begin; i < end; i++) {
        const tl_pack2 *pack = &p->pack[i];
        columns a, b;
        tl_lanes u_n, u_t;
        gather(p->row, pack->a, &a);
        gather(p->row, pack->b, &b);
        velocity(pack, &a, &b, &u_n, &u_t);
        u_n += pack->shift_n;
        u_t += pack->shift_t;
        for (int lane = 0; lane < TL_LANES; lane++) {
            if (p->lane[i * TL_LANES + lane] < 0) continue;
            tl_contact2 *c = &p->contact[p->lane[i * TL_LANES + lane]];
            c->I[0] = pack->In[lane];
            c->I[1] = pack->It[lane];
            c->V[0] = u_n[lane] - c->V[0];
            c->V[1] = u_t[lane];
        }
    }
}

static void write_back_coupled(tl_problem2 *p)
{
    for (int i = 0; i < p->coupleds; i++) {
        const tl_coupled2 *k = &p->coupled[i];
        tl_contact2 *c = &p->contact[k->contact];
        double V[2];
        tl_coupled2_velocity(p, k, p->row, p->v, V);
        c->I[0] = k->I[0], c->I[1] = k->I[1];
        c->V[0] = V[0] + k->shift[0] - c->V[0];
        c->V[1] = V[1] + k->shift[1];
    }
}

talus_status tl_nlgs2_solve(tl_problem2 *p, tl_step *step)
{
    for_colors(p, step, start_range); /* warm start: v = v_free + M⁻¹ H I₀ */
    for (int i = 0; i < p->coupleds; i++) tl_coupled2_impulse(p, &p->coupled[i], p->row, p->v, p->coupled[i].I[0], p->coupled[i].I[1]);
    p->iterations = 0;
    p->residual = tl_problem2_residual(p, step);
    while (p->residual > p->tolerance && p->iterations < p->max_iterations) {
        /* the error costs about a sweep: ask for it a dozen times at most per decade of sweeps */
        int batch = p->iterations < 16 ? 4 : p->iterations / 4;
        if (batch > p->max_iterations - p->iterations) batch = p->max_iterations - p->iterations;
        for (int i = 0; i < batch; i++) {
            for_colors(p, step, sweep_range);
            sweep_coupled(p);
        }
        p->iterations += batch;
        p->residual = tl_problem2_residual(p, step);
    }
    if (isnan(p->residual)) return tl_fail(step->error, TALUS_DIVERGED, "the contact problem has no finite solution");
    p->converged = p->residual <= p->tolerance;
    sweep_task task = {.p = p};
    tl_parallel_for(step->threads, p->packs, PARALLEL_PACKS, write_back_range, &task);
    write_back_coupled(p);
    return TALUS_OK;
}
