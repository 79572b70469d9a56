/* Nonlinear Gauss–Seidel in space (D20 eq. 33, MECHANICS §5): each contact in turn gets the impulse that solves its own law
 * exactly, the velocities of its two bodies follow at once. The packs are swept by packs3_kernels.h. */
#include <string.h>

#include "solve/lanes3.h"
#include "solve/packs3.h"

/* ---- threads: one loop per colour --------------------------------------------------------------------------------- */

/* Which packs a sweep visits, as color_begin and spheres_end of the problem say it of all. */
typedef struct agenda {
    int *pack;
    int begin[TL_COLORS3 + 2], spheres_end[TL_COLORS3 + 1];
} agenda;

typedef struct sweep_task {
    tl_problem3 *p;
    const int *list;    /* of an agenda */
    int first, spheres; /* first pack; first one that is not of spheres */
    tl_errors *error;   /* [packs] */
    struct momentum *m;
} sweep_task;

/* Momentum of the sweeps (sweeps.h): what the last sweep left. */
typedef struct momentum {
    tl_row3 *row;         /* [rows] velocities         */
    double **v;           /* [matters]                 */
    tl_lanes3 *I;         /* [packs] impulses          */
    double (*coupled)[3]; /* [coupleds]                */
    double *turn;         /* [packs]                   */
    double beta;
} momentum;

enum { ROW = sizeof(tl_row3) / sizeof(double) };

static void sweep_range(void *context, int begin, int end, int worker)
{
    const sweep_task *task = context;
    (void)worker;
    momentum *m = task->m;
    const int first = task->first + begin, last = task->first + end, between = task->spheres < first ? first : (task->spheres < last ? task->spheres : last);
    task->p->kernels->sweep_spheres(task->p->row, task->p->pack, m->I, m->beta, task->list + first, between - first, m->turn);
    task->p->kernels->sweep(task->p->row, task->p->pack, m->I, m->beta, task->list + between, last - between, m->turn);
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
    task->p->kernels->extrapolate(task->p->row[0].v, task->m->row[0].v, task->m->beta, ROW * begin, ROW * end);
}

/* Packs begin … end that also lie in first … last − 1. */
static void residual_part(const sweep_task *task, bool spheres, int begin, int end, int first, int last)
{
    const int from = begin > first ? begin : first, to = end < last ? end : last;
    const tl_packs3 *k = task->p->kernels;
    if (from < to) (spheres ? k->residual_spheres : k->residual)(task->p->row, task->p->pack, from, to, task->error);
}

static void residual_range(void *context, int begin, int end, int worker)
{
    const sweep_task *task = context;
    const tl_problem3 *p = task->p;
    (void)worker;
    for (int k = 0; k < p->colors; k++) {
        residual_part(task, true, begin, end, p->color_begin[k], p->spheres_end[k]);
        residual_part(task, false, begin, end, p->spheres_end[k], p->color_begin[k + 1]);
    }
    residual_part(task, false, begin, end, p->color_begin[TL_COLORS3], p->packs);
}

/* Colour by colour the packs of an agenda; without one, all. */
static void for_colors(tl_problem3 *p, tl_step *step, tl_range_fn *fn, momentum *m, const agenda *a)
{
    sweep_task task = {.p = p, .m = m, .list = a ? a->pack : NULL};
    const int *begin = a ? a->begin : p->color_begin, *spheres_end = a ? a->spheres_end : p->spheres_end;
    for (int k = 0; k < p->colors; k++) {
        task.first = begin[k];
        task.spheres = spheres_end[k];
        tl_parallel_for(step->threads, begin[k + 1] - task.first, TL_PARALLEL_PACKS, fn, &task);
    }
    task.first = task.spheres = 0;
    fn(&task, begin[TL_COLORS3], begin[TL_COLORS3 + 1], 0);
}

static talus_status start_momentum(tl_problem3 *p, tl_step *step, momentum *m)
{
    *m = (momentum){.beta = 0};
    m->row = tl_arena_alloc(step->arena, (size_t)p->rows, sizeof *m->row);
    m->v = tl_arena_zero(step->arena, (size_t)p->matters + 1, sizeof *m->v);
    m->I = tl_arena_alloc(step->arena, (size_t)p->packs, sizeof *m->I);
    m->turn = tl_arena_alloc(step->arena, (size_t)p->packs, sizeof *m->turn);
    m->coupled = tl_arena_alloc(step->arena, (size_t)p->coupleds, sizeof *m->coupled);
    bool enough = m->row && m->v && m->I && m->turn && m->coupled;
    for (int k = 1; enough && k < p->matters; k++) {
        m->v[k] = tl_arena_alloc(step->arena, (size_t)p->matter[k]->nv + 1, sizeof **m->v);
        enough = m->v[k] != NULL;
        if (enough) memcpy(m->v[k], p->v[k], (size_t)p->matter[k]->nv * sizeof **m->v);
    }
    if (!enough) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->contacts);
    memcpy(m->row, p->row, (size_t)p->rows * sizeof *m->row);
    for (int i = 0; i < p->packs; i++) m->I[i] = p->pack[i].I;
    for (int i = 0; i < p->coupleds; i++) memcpy(m->coupled[i], p->coupled[i].I, sizeof m->coupled[i]);
    return TALUS_OK;
}

/* I J in the energy norm of W. */
static double energy(const tl_delassus3 *W, const double I[3], const double J[3])
{
    return I[0] * (W->nn * J[0] + W->nt * J[1] + W->ns * J[2]) + I[1] * (W->nt * J[0] + W->tt * J[1] + W->ts * J[2]) +
           I[2] * (W->ns * J[0] + W->ts * J[1] + W->ss * J[2]);
}

static double sweep_coupled(tl_problem3 *p, momentum *m)
{
    double turn = 0;
    for (int i = 0; i < p->coupleds; i++) {
        tl_coupled3 *k = &p->coupled[i];
        const tl_delassus3 *W = &k->W;
        double V[3], I[3], y[3], d[3], change[3], *before = m->coupled[i];
        tl_coupled3_velocity(p, k, p->row, p->v, V);
        for (int axis = 0; axis < 3; axis++) y[axis] = k->I[axis] + m->beta * (k->I[axis] - before[axis]);
        const double u[3] = {V[0] + k->shift[0] - (W->nn * y[0] + W->nt * y[1] + W->ns * y[2]),
                             V[1] + k->shift[1] - (W->nt * y[0] + W->tt * y[1] + W->ts * y[2]),
                             V[2] + k->shift[2] - (W->ns * y[0] + W->ts * y[1] + W->ss * y[2])};
        tl_coulomb3_obey(&k->law, u, I);
        for (int axis = 0; axis < 3; axis++) {
            d[axis] = I[axis] - y[axis];
            change[axis] = I[axis] - k->I[axis];
            before[axis] = k->I[axis];
            k->I[axis] = I[axis];
        }
        tl_coupled3_impulse(p, k, p->row, p->v, d);
        turn -= energy(W, d, change);
    }
    return turn;
}

typedef struct solver {
    tl_problem3 *p;
    tl_step *step;
    momentum m, none; /* `none`: what sweeps without momentum of the neighbourhood need */
    agenda all, pressed, near;
    bool *is_pressed;  /* [packs] */
    int sweeps, again; /* sweeps of the neighbourhood after each of all */
} solver;

/* About half of the candidates of a packing are open, now and after the sweep. What all eight of a pack are is asked in every ROLL-th sweep; and the
 * residual asks all contacts. */
enum { ROLL = 8 };

static bool is_pressed(const tl_pack3 *pack, const tl_lanes3 *before)
{
    const tl_lanes sum = pack->I.x + before->x; /* no summand is negative */
    const mask8 some = LESS(sum - sum, sum);
    return any(&some);
}

/* Those packs whose `wanted` is set. */
static void make_agenda(const tl_problem3 *p, const bool *wanted, agenda *a)
{
    int n = 0;
    for (int k = 0; k <= TL_COLORS3; k++) {
        a->begin[k] = n;
        for (int i = p->color_begin[k]; i < p->color_begin[k + 1]; i++) {
            if (i == p->spheres_end[k]) a->spheres_end[k] = n;
            if (wanted[i]) a->pack[n++] = i;
        }
        if (p->spheres_end[k] == p->color_begin[k + 1]) a->spheres_end[k] = n;
    }
    a->begin[TL_COLORS3 + 1] = n;
}

/* A machine weighs a thousand stones: sweeps hand its momentum on in portions of a stone. AGAIN sweeps of its neighbourhood after each of all
 * make the portions larger; they shall not cost more than half of it. */
enum { AGAIN = 4 };

static talus_status start_near(solver *s)
{
    const tl_problem3 *p = s->p;
    const size_t packs = (size_t)p->packs + 1;
    s->none = (momentum){.beta = 0};
    s->again = 0;
    if (p->coupleds == 0) return TALUS_OK;
    s->near.pack = tl_arena_alloc(s->step->arena, packs, sizeof *s->near.pack);
    s->none.I = tl_arena_zero(s->step->arena, packs, sizeof *s->none.I);
    s->none.turn = tl_arena_zero(s->step->arena, packs, sizeof *s->none.turn);
    s->none.coupled = tl_arena_zero(s->step->arena, (size_t)p->coupleds, sizeof *s->none.coupled);
    bool *wanted = tl_arena_alloc(s->step->arena, packs, sizeof *wanted);
    if (!s->near.pack || !s->none.I || !s->none.turn || !s->none.coupled || !wanted)
        return tl_fail(s->step->error, TALUS_MEMORY, "no memory for %d contacts", p->contacts);
    for (int i = 0; i < p->packs; i++) wanted[i] = p->rank[i] == TL_NEAR3;
    make_agenda(p, wanted, &s->near);
    const int near = s->near.begin[TL_COLORS3 + 1], affordable = p->packs / (2 * (near > 0 ? near : 1));
    s->again = affordable < AGAIN ? affordable : AGAIN;
    return TALUS_OK;
}

static talus_status start_agendas(solver *s)
{
    const tl_problem3 *p = s->p;
    s->all.pack = tl_arena_alloc(s->step->arena, (size_t)p->packs + 1, sizeof *s->all.pack);
    s->pressed.pack = tl_arena_alloc(s->step->arena, (size_t)p->packs + 1, sizeof *s->pressed.pack);
    s->is_pressed = tl_arena_alloc(s->step->arena, (size_t)p->packs + 1, sizeof *s->is_pressed);
    if (!s->all.pack || !s->pressed.pack || !s->is_pressed) return tl_fail(s->step->error, TALUS_MEMORY, "no memory for %d contacts", p->contacts);
    for (int i = 0; i < p->packs; i++) s->all.pack[i] = i;
    memcpy(s->all.begin, p->color_begin, sizeof s->all.begin);
    memcpy(s->all.spheres_end, p->spheres_end, sizeof s->all.spheres_end);
    return start_near(s);
}

static void call_roll(solver *s)
{
    const tl_problem3 *p = s->p;
    for (int i = 0; i < p->packs; i++) {
        s->is_pressed[i] = is_pressed(&p->pack[i], &s->m.I[i]);
        if (!s->is_pressed[i]) s->m.turn[i] = 0;
    }
    make_agenda(p, s->is_pressed, &s->pressed);
}

/* One sweep over the contacts from extrapolated impulses, and some of the neighbourhood of other matter. */
static double sweep(void *context, double beta)
{
    solver *s = context;
    tl_problem3 *p = s->p;
    const tl_step *step = s->step;
    momentum *m = &s->m;
    m->beta = beta;
    sweep_task task = {.p = p, .m = m};
    tl_parallel_for(step->threads, p->rows, 4096, extrapolate_range, &task);
    for (int k = 1; k < p->matters; k++) tl_extrapolate(p->v[k], m->v[k], m->beta, 0, p->matter[k]->nv);
    const bool all = s->sweeps < ROLL || s->sweeps % ROLL == 0;
    for_colors(p, s->step, sweep_range, m, all ? &s->all : &s->pressed);
    s->sweeps++;
    if (all && s->sweeps >= ROLL) call_roll(s);
    double turn = sweep_coupled(p, m);
    for (int i = 0; i < p->packs; i++) turn += m->turn[i];
    tl_problem3_join(p, p->row);
    for (int i = 0; i < s->again; i++) {
        for_colors(p, s->step, sweep_range, &s->none, &s->near);
        sweep_coupled(p, &s->none);
        tl_problem3_join(p, p->row);
    }
    return turn;
}

double tl_problem3_residual(tl_problem3 *p, tl_step *step)
{
    const size_t mark = tl_arena_mark(step->arena);
    tl_errors *error = tl_arena_alloc(step->arena, (size_t)p->packs + 1, sizeof *error), all = {0};
    if (!error) return (double)NAN;
    sweep_task task = {.p = p, .error = error};
    tl_parallel_for(step->threads, p->packs, TL_PARALLEL_PACKS, residual_range, &task);
    for (int i = 0; i < p->packs; i++) tl_errors_add(&all, &error[i]);
    tl_arena_release(step->arena, mark);
    for (int i = 0; i < p->coupleds; i++) {
        const tl_coupled3 *k = &p->coupled[i];
        double V[3];
        tl_coupled3_velocity(p, k, p->row, p->v, V);
        const double u[3] = {V[0] + k->shift[0], V[1] + k->shift[1], V[2] + k->shift[2]};
        const double e = tl_coulomb3_residual(&k->W, k->law.friction, u, k->I);
        tl_errors_add(&all, &(tl_errors){e, e, k->I[0] > 0});
    }
    p->residual_mean = all.sum / (all.pressing > 0 ? all.pressing : 1);
    return all.largest;
}

static double residual(void *context)
{
    const solver *s = context;
    return tl_problem3_residual(s->p, s->step);
}

void tl_problem3_start(tl_problem3 *p, tl_step *step)
{
    for_colors(p, step, start_range, NULL, NULL);
    for (int i = 0; i < p->coupleds; i++) tl_coupled3_impulse(p, &p->coupled[i], p->row, p->v, p->coupled[i].I);
    tl_problem3_join(p, p->row);
}

talus_status tl_nlgs3_sweep(tl_problem3 *p, tl_step *step)
{
    tl_problem3_start(p, step);
    solver self = {.p = p, .step = step};
    tl_sweeps sweeps = {.solver = &self,
                        .sweep = sweep,
                        .residual = residual,
                        .tolerance = p->tolerance,
                        .acceptable = p->acceptable,
                        .max_iterations = p->max_iterations,
                        .plain = p->plain,
                        .settles = true};
    TL_TRY(start_momentum(p, step, &self.m));
    TL_TRY(start_agendas(&self));
    TL_TRY(tl_sweeps_run(&sweeps, step->error));
    p->iterations = sweeps.iterations;
    p->residual = sweeps.error;
    p->converged = p->residual <= p->tolerance;
    return TALUS_OK;
}
