/* Nonlinear Gauss–Seidel in space (D20 eq. 33, theory §5): each contact in turn gets the impulse that solves its own law
 * exactly, the velocities of its two bodies follow at once. The packs are swept by packs3_kernels.h. */
#include <string.h>

#include "base/products.h"
#include "solve/coupled_sweeps.h"
#include "solve/packs3.h"

/* ---- over packs ---------------------------------------------------------------------------------------------------- */

/* Which packs a sweep visits: numbers within their family. */
typedef struct agenda {
    int *pack[TL_FAMILIES];
    tl_colors color;
} agenda;

typedef struct sweep_task {
    tl_problem3 *p;
    const agenda *agenda;
    struct momentum *m;
} sweep_task;

/* Momentum of the sweeps (sweeps.h): what the last sweep left. */
typedef struct momentum {
    tl_row3 *row;     /* [rows] velocities         */
    tl_lanes3 *I;     /* [all_packs] impulses      */
    double *reversal; /* [all_packs]               */
    double beta;
} momentum;

enum { ROW = sizeof(tl_row3) / sizeof(double) };

static const tl_lanes *stones_give(const tl_problem3 *p) { return p->base.give ? p->base.give + p->packs[TL_BALLS3] : NULL; }

static void sweep_packs(void *context, const tl_share *s)
{
    const sweep_task *task = context;
    const tl_problem3 *p = task->p;
    const momentum *m = task->m;
    const int balls = p->packs[TL_BALLS3], *ball = task->agenda->pack[TL_BALLS3] + s->begin[TL_BALLS3],
              *stone = task->agenda->pack[TL_STONES3] + s->begin[TL_STONES3];
    p->kernels->sweep_balls(p->row, p->ball, &(tl_momentum3){m->I, m->beta, m->reversal, p->base.give}, ball, s->end[TL_BALLS3] - s->begin[TL_BALLS3]);
    p->kernels->sweep(p->row, p->pack, &(tl_momentum3){m->I + balls, m->beta, m->reversal + balls, stones_give(p)}, stone,
                      s->end[TL_STONES3] - s->begin[TL_STONES3]);
}

static void start_packs(void *context, const tl_share *s)
{
    const tl_problem3 *p = context;
    p->kernels->start_balls(p->row, p->ball, s->begin[TL_BALLS3], s->end[TL_BALLS3]);
    p->kernels->start(p->row, p->pack, s->begin[TL_STONES3], s->end[TL_STONES3]);
}

static void extrapolate_range(void *context, int begin, int end, int worker)
{
    const sweep_task *task = context;
    (void)worker;
    task->p->kernels->extrapolate(task->p->row[0].v, task->m->row[0].v, task->m->beta, ROW * begin, ROW * end);
}

static void residual_range(void *context, int begin, int end, int worker)
{
    const sweep_task *task = context;
    const tl_problem3 *p = task->p;
    const int balls = p->packs[TL_BALLS3];
    const tl_share s = tl_share_of(&(tl_share){{0, 0}, {balls, p->packs[TL_STONES3]}}, begin, end);
    (void)worker;
    p->kernels->residual_balls(p->row, p->ball, p->base.give, s.begin[TL_BALLS3], s.end[TL_BALLS3], p->error);
    p->kernels->residual(p->row, p->pack, stones_give(p), s.begin[TL_STONES3], s.end[TL_STONES3], p->error + balls);
}

static void sweep_agenda(tl_problem3 *p, tl_step *step, momentum *m, const agenda *a)
{
    sweep_task task = {.p = p, .m = m, .agenda = a};
    tl_colors_walk(&a->color, step, sweep_packs, &task);
}

static talus_status start_momentum(tl_problem3 *p, tl_step *step, momentum *m)
{
    *m = (momentum){.beta = 0};
    m->row = tl_arena_alloc(step->arena, (size_t)p->base.rows, sizeof *m->row);
    m->I = tl_arena_alloc(step->arena, (size_t)p->all_packs, sizeof *m->I);
    m->reversal = tl_arena_alloc(step->arena, (size_t)p->all_packs, sizeof *m->reversal);
    if (!m->row || !m->I || !m->reversal) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->base.contacts);
    memcpy(m->row, p->row, (size_t)p->base.rows * sizeof *m->row);
    for (int i = 0; i < p->all_packs; i++) m->I[i] = *tl_impulses3(p, i);
    return TALUS_OK;
}

double tl_coupled3_work(const tl_delassus3 *W, const double I[3], const double J[3])
{
    return I[0] * (W->nn * J[0] + W->nt * J[1] + W->ns * J[2]) + I[1] * (W->nt * J[0] + W->tt * J[1] + W->ts * J[2]) +
           I[2] * (W->ns * J[0] + W->ts * J[1] + W->ss * J[2]);
}

/* `near`: in a sweep of the neighbourhood, groups of mechanisms too. `all`: also what is open on large matter, whose velocity is many products. */
typedef struct coupled_turn {
    bool near, all;
} coupled_turn;

static bool is_open(const tl_problem3 *p, const tl_coupled *k, const double before[3])
{
    if (!tl_stands_in(&p->base.given, k->matter[0]) && !tl_stands_in(&p->base.given, k->matter[1])) return false;
    return !(fabs(k->I[0]) + fabs(k->I[1]) + fabs(k->I[2]) + fabs(before[0]) + fabs(before[1]) + fabs(before[2]) > 0);
}

/* Contact by contact, but for those that the sweep solves as wholes. */
static double sweep_coupled(tl_problem3 *p, const tl_coupled_sweeps *own, const coupled_turn *turn, double (*before_of)[3], double beta)
{
    double reversal = 0;
    const bool near = turn->near;
    for (int i = 0; i < p->base.coupleds; i++) {
        if (!turn->all && is_open(p, &p->base.coupled[i], before_of[i])) continue;
        if ((!near && tl_is_solved_in_group(own, i)) || tl_is_solved_in_hub(own, i)) continue;
        tl_coupled *k = &p->base.coupled[i];
        const tl_delassus3 *W = &k->space.W;
        double V[3], I[3], y[3], d[3], change[3], *before = before_of[i];
        tl_coupled3_velocity(p, k, p->row, p->base.v, V);
        for (int axis = 0; axis < 3; axis++) y[axis] = k->I[axis] + beta * (k->I[axis] - before[axis]);
        const double u[3] = {V[0] + k->shift[0] - (W->nn * y[0] + W->nt * y[1] + W->ns * y[2]),
                             V[1] + k->shift[1] - (W->nt * y[0] + W->tt * y[1] + W->ts * y[2]),
                             V[2] + k->shift[2] - (W->ns * y[0] + W->ts * y[1] + W->ss * y[2])};
        tl_coulomb3_obey(&k->space.law, u, I);
        for (int axis = 0; axis < 3; axis++) {
            d[axis] = I[axis] - y[axis];
            change[axis] = I[axis] - k->I[axis];
            before[axis] = k->I[axis];
            k->I[axis] = I[axis];
        }
        tl_coupled3_impulse(p, k, p->row, p->base.v, d);
        reversal -= tl_coupled3_work(W, d, change);
    }
    return reversal;
}

static double sweep_blocks(tl_problem3 *p, double beta, bool keeps)
{
    const double reversal = tl_problem_sweep_blocks(&p->base, beta, keeps);
    if (p->base.blocks && p->base.blocks->count > 0) tl_problem3_spread(p, p->row);
    return reversal;
}

typedef struct solver {
    tl_problem3 *p;
    tl_step *step;
    momentum m, none; /* `none`: what sweeps without momentum of the neighbourhood need */
    agenda all, pressed, near;
    tl_coupled_sweeps coupled;
    double (*alone)[3]; /* [coupleds] room for what sweeps of the neighbourhood do not extrapolate from */
    bool *is_pressed;   /* [all_packs] */
    int sweeps, again;  /* sweeps of the neighbourhood after each of all */
} solver;

/* About half of the candidates of a packing are open, now and after the sweep. What all eight of a pack are is asked in every ROLL-th sweep; and the
 * residual asks all contacts. */
enum { ROLL = 8 };

/* Has any of the eight an impulse, or had it before the sweep? */
static bool is_pressed(const tl_lanes3 *I, const tl_lanes3 *before)
{
    const tl_lanes zero = {0};
    const tl_lanes_mask some = (I->x != zero) | (I->y != zero) | (I->z != zero) | (before->x != zero) | (before->y != zero) | (before->z != zero);
    int64_t any = 0;
    for (int lane = 0; lane < TL_LANES; lane++) any |= some[lane];
    return any != 0;
}

/* Room for all packs. */
static talus_status new_agenda(const tl_problem3 *p, tl_step *step, agenda *a)
{
    TL_TRY(tl_colors_begin(&a->color, p->color.domains, step));
    a->color.colors = p->color.colors;
    for (int family = 0; family < TL_FAMILIES; family++) {
        a->pack[family] = tl_arena_alloc(step->arena, (size_t)p->packs[family] + 1, sizeof *a->pack[family]);
        if (!a->pack[family]) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->base.contacts);
    }
    return TALUS_OK;
}

/* Those packs whose `wanted` is set. */
static void make_agenda(const tl_problem3 *p, const bool *wanted, agenda *a)
{
    const int colors = tl_colors_of(&p->color);
    for (int family = 0; family < TL_FAMILIES; family++) {
        const int *begin = p->color.begin[family];
        int n = 0;
        for (int k = 0; k < colors; k++) {
            a->color.begin[family][k] = n;
            for (int i = begin[k]; i < begin[k + 1]; i++)
                if (wanted[i]) a->pack[family][n++] = i;
        }
        a->color.begin[family][colors] = n;
        wanted += p->packs[family];
    }
}

/* A mechanism weighs a thousand stones: sweeps hand its momentum on in portions of a stone. AGAIN sweeps of its neighbourhood after each of all
 * make the portions larger; they shall not cost more than half of it. */
enum { AGAIN = 4 };

static talus_status start_near(solver *s)
{
    const tl_problem3 *p = s->p;
    const size_t packs = (size_t)p->all_packs + 1;
    s->none = (momentum){.beta = 0};
    s->again = 0;
    if (p->base.coupleds == p->base.spokes) return TALUS_OK;
    TL_TRY(new_agenda(p, s->step, &s->near));
    s->none.I = tl_arena_zero(s->step->arena, packs, sizeof *s->none.I);
    s->none.reversal = tl_arena_zero(s->step->arena, packs, sizeof *s->none.reversal);
    s->alone = tl_arena_zero(s->step->arena, (size_t)p->base.coupleds, sizeof *s->alone);
    bool *wanted = tl_arena_alloc(s->step->arena, packs, sizeof *wanted);
    if (!s->none.I || !s->none.reversal || !s->alone || !wanted) return tl_fail(s->step->error, TALUS_MEMORY, "no memory for %d contacts", p->base.contacts);
    for (int i = 0; i < p->all_packs; i++) wanted[i] = p->rank[i] == TL_NEAR3;
    make_agenda(p, wanted, &s->near);
    int near = 0;
    for (int family = 0; family < TL_FAMILIES; family++) near += tl_colors_packs(&s->near.color, family);
    const int affordable = p->all_packs / (2 * (near > 0 ? near : 1));
    s->again = affordable < AGAIN ? affordable : AGAIN;
    return TALUS_OK;
}

static talus_status start_agendas(solver *s)
{
    const tl_problem3 *p = s->p;
    TL_TRY(new_agenda(p, s->step, &s->all));
    TL_TRY(new_agenda(p, s->step, &s->pressed));
    s->is_pressed = tl_arena_alloc(s->step->arena, (size_t)p->all_packs + 1, sizeof *s->is_pressed);
    if (!s->is_pressed) return tl_fail(s->step->error, TALUS_MEMORY, "no memory for %d contacts", p->base.contacts);
    for (int i = 0; i < p->all_packs; i++) s->is_pressed[i] = true;
    make_agenda(p, s->is_pressed, &s->all);
    return start_near(s);
}

static void roll_range(void *context, int begin, int end, int worker)
{
    const solver *s = context;
    (void)worker;
    for (int i = begin; i < end; i++) /* where the sweep, which has just been there, moved nothing, is there anything? */
        s->is_pressed[i] = s->m.reversal[i] != 0 || is_pressed(tl_impulses3(s->p, i), &s->m.I[i]);
}

static void call_roll(solver *s)
{
    tl_parallel_for(s->step->threads, s->p->all_packs, 1024, roll_range, s);
    make_agenda(s->p, s->is_pressed, &s->pressed);
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
    tl_parallel_for(step->threads, p->base.rows, 4096, extrapolate_range, &task);
    const bool told = tl_coupled_sweeps_extrapolate(&s->coupled, beta), all = s->sweeps < ROLL || s->sweeps % ROLL == 0;
    sweep_agenda(p, s->step, m, all ? &s->all : &s->pressed);
    s->sweeps++;
    if (all && s->sweeps >= ROLL) call_roll(s);
    double reversal = tl_coupled_sweeps_wholes(&s->coupled, beta);
    reversal += sweep_coupled(p, &s->coupled, &(coupled_turn){false, told || s->sweeps <= ROLL}, s->coupled.before, beta);
    reversal += tl_sum(m->reversal, p->all_packs);
    tl_problem3_join(p, p->row);
    reversal += sweep_blocks(p, beta, true);
    for (int i = 0; i < s->again; i++) {
        sweep_agenda(p, s->step, &s->none, &s->near);
        (void)sweep_coupled(p, &s->coupled, &(coupled_turn){true, false}, s->alone, 0);
        tl_problem3_join(p, p->row);
        (void)sweep_blocks(p, 0, false);
    }
    return reversal;
}

double tl_problem3_residual(tl_problem3 *p, tl_step *step)
{
    tl_errors all = {0};
    sweep_task task = {.p = p};
    tl_parallel_for(step->threads, p->all_packs, TL_PARALLEL_PACKS, residual_range, &task);
    for (int i = 0; i < p->all_packs; i++) tl_errors_add(&all, &p->error[i]);
    return tl_problem_errors(&p->base, &all);
}

static void errors(void *context, tl_sweeps_errors *e)
{
    solver *s = context;
    tl_coupled_sweeps_errors(&s->coupled, s->step, e);
}

/* What laws set off against the normal impulses acts beforehand, as forces do. */
static void pull(tl_problem3 *p)
{
    const int balls = p->packs[TL_BALLS3];
    for (int i = 0; i < p->all_packs; i++) {
        tl_lanes3 back = {{0}, {0}, {0}};
        for (int lane = 0; lane < TL_LANES; lane++) {
            const int contact = p->base.lane[i * TL_LANES + lane];
            const double offset = contact < 0 ? 0 : p->base.contact[contact].offset;
            tl_set_lane3(&back, lane, i < balls ? tl_scale(-offset, tl_lane3(&p->ball[i].n, lane)) : tl_v3(-offset, 0, 0));
        }
        tl_push3(p, p->row, i, &back);
    }
    for (int i = 0; i < p->base.coupleds; i++)
        tl_coupled3_impulse(p, &p->base.coupled[i], p->row, p->base.v, (double[3]){-p->base.contact[p->base.coupled[i].contact].offset, 0, 0});
}

void tl_problem3_start(tl_problem3 *p, tl_step *step)
{
    tl_problem_start_stand_ins(&p->base);
    if (p->base.pulls) pull(p);
    tl_colors_walk(&p->color, step, start_packs, p);
    for (int i = 0; i < p->base.coupleds; i++) tl_coupled3_impulse(p, &p->base.coupled[i], p->row, p->base.v, p->base.coupled[i].I);
    tl_stand_ins_tell(&p->base.given, NULL);
    tl_problem3_join(p, p->row);
    const tl_velocities v = tl_problem_velocities(&p->base);
    if (p->base.blocks) tl_blocks_start(p->base.blocks, &v);
    tl_problem3_spread(p, p->row);
}

static talus_status sweep_to_tolerance(tl_problem3 *p, tl_step *step)
{
    solver self = {.p = p, .step = step};
    tl_sweeps sweeps = {.context = &self, .sweep = sweep, .errors = errors, .contacts = p->base.contacts, .settings = p->base.solver};
    TL_TRY(start_momentum(p, step, &self.m));
    TL_TRY(start_agendas(&self));
    talus_status status = tl_coupled_sweeps_begin(&self.coupled, &p->base, &TL_HUBS_3D, step);
    if (status == TALUS_OK) status = tl_coupled_sweeps_run(&self.coupled, &sweeps, step);
    tl_coupled_sweeps_destroy(&self.coupled);
    return status;
}

talus_status tl_nlgs3_sweep(tl_problem3 *p, tl_step *step)
{
    const tl_arena_place mark = tl_arena_mark(step->arena);
    const talus_status status = sweep_to_tolerance(p, step);
    tl_arena_release(step->arena, mark);
    return status;
}
