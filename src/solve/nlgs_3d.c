/* Nonlinear Gauss–Seidel in space (D20 eq. 33, theory §5): each contact in turn gets the impulse that solves its own law
 * exactly, the velocities of its two bodies follow at once. The packs are swept by packs3_kernels.h. */
#include <string.h>

#include "solve/families3.h"
#include "solve/coupled_groups.h"
#include "solve/packs3.h"

/* ---- threads: one loop per colour --------------------------------------------------------------------------------- */

/* Which packs a sweep visits: numbers within their family. */
typedef struct agenda {
    int *pack[TL_FAMILIES3];
    tl_colors3 color;
} agenda;

typedef struct sweep_task {
    tl_problem3 *p;
    const agenda *agenda;
    tl_color_packs3 packs;
    tl_errors *error; /* [all_packs] */
    struct momentum *m;
} sweep_task;

/* Momentum of the sweeps (sweeps.h): what the last sweep left. */
typedef struct momentum {
    tl_row3 *row;         /* [rows] velocities         */
    double **v;           /* [matters]                 */
    tl_lanes3 *I;         /* [all_packs] impulses      */
    double (*coupled)[3]; /* [coupleds]                */
    double *reversal;     /* [all_packs]               */
    double beta;
} momentum;

enum { ROW = sizeof(tl_row3) / sizeof(double) };

static void sweep_range(void *context, int begin, int end, int worker)
{
    const sweep_task *task = context;
    const tl_problem3 *p = task->p;
    const momentum *m = task->m;
    const tl_share3 s = tl_share3_of(&task->packs, begin, end);
    const int balls = p->packs[TL_BALLS3], *ball = task->agenda->pack[TL_BALLS3] + s.begin[TL_BALLS3],
              *stone = task->agenda->pack[TL_STONES3] + s.begin[TL_STONES3];
    (void)worker;
    p->kernels->sweep_balls(p->row, p->ball, m->I, m->beta, ball, s.end[TL_BALLS3] - s.begin[TL_BALLS3], m->reversal);
    p->kernels->sweep(p->row, p->pack, m->I + balls, m->beta, stone, s.end[TL_STONES3] - s.begin[TL_STONES3], m->reversal + balls);
}

static void start_range(void *context, int begin, int end, int worker)
{
    const sweep_task *task = context;
    const tl_problem3 *p = task->p;
    const tl_share3 s = tl_share3_of(&task->packs, begin, end);
    (void)worker;
    p->kernels->start_balls(p->row, p->ball, s.begin[TL_BALLS3], s.end[TL_BALLS3]);
    p->kernels->start(p->row, p->pack, s.begin[TL_STONES3], s.end[TL_STONES3]);
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
    const tl_share3 s = tl_share3_of(&(tl_color_packs3){.balls = balls}, begin, end);
    (void)worker;
    p->kernels->residual_balls(p->row, p->ball, s.begin[TL_BALLS3], s.end[TL_BALLS3], task->error);
    p->kernels->residual(p->row, p->pack, s.begin[TL_STONES3], s.end[TL_STONES3], task->error + balls);
}

/* Colour by colour the packs of an agenda; without one, all. */
static void for_colors(tl_problem3 *p, tl_step *step, tl_range_fn *fn, momentum *m, const agenda *a)
{
    sweep_task task = {.p = p, .m = m, .agenda = a};
    tl_for_colors3(a ? &a->color : &p->color, p->colors, step, fn, &task, &task.packs);
}

/* Those of the pack of this number among all. */
static const tl_lanes3 *impulses_of(const tl_problem3 *p, int i)
{
    const int balls = p->packs[TL_BALLS3];
    return i < balls ? &p->ball[i].I : &p->pack[i - balls].I;
}

static talus_status start_momentum(tl_problem3 *p, tl_step *step, momentum *m)
{
    *m = (momentum){.beta = 0};
    m->row = tl_arena_alloc(step->arena, (size_t)p->rows, sizeof *m->row);
    m->v = tl_arena_zero(step->arena, (size_t)p->matters + 1, sizeof *m->v);
    m->I = tl_arena_alloc(step->arena, (size_t)p->all_packs, sizeof *m->I);
    m->reversal = tl_arena_alloc(step->arena, (size_t)p->all_packs, sizeof *m->reversal);
    m->coupled = tl_arena_alloc(step->arena, (size_t)p->coupleds, sizeof *m->coupled);
    bool enough = m->row && m->v && m->I && m->reversal && m->coupled;
    for (int k = 1; enough && k < p->matters; k++) {
        m->v[k] = tl_arena_alloc(step->arena, (size_t)p->matter[k]->nv + 1, sizeof **m->v);
        enough = m->v[k] != NULL;
        if (enough) memcpy(m->v[k], p->v[k], (size_t)p->matter[k]->nv * sizeof **m->v);
    }
    if (!enough) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->contacts);
    memcpy(m->row, p->row, (size_t)p->rows * sizeof *m->row);
    for (int i = 0; i < p->all_packs; i++) m->I[i] = *impulses_of(p, i);
    for (int i = 0; i < p->coupleds; i++) memcpy(m->coupled[i], p->coupled[i].I, sizeof m->coupled[i]);
    return TALUS_OK;
}

double tl_coupled3_work(const tl_delassus3 *W, const double I[3], const double J[3])
{
    return I[0] * (W->nn * J[0] + W->nt * J[1] + W->ns * J[2]) + I[1] * (W->nt * J[0] + W->tt * J[1] + W->ts * J[2]) +
           I[2] * (W->ns * J[0] + W->ts * J[1] + W->ss * J[2]);
}

/* The contacts of a group as a whole, where it can. */
static void solve_group(tl_problem3 *p, momentum *m, tl_coupled_group *own)
{
    for (int i = 0; i < own->contacts; i++) {
        const tl_coupled3 *k = &p->coupled[own->member[i]];
        const double *before = m->coupled[own->member[i]];
        tl_coupled3_velocity(p, k, p->row, p->v, own->V[i]);
        for (int axis = 0; axis < 3; axis++) {
            own->V[i][axis] += k->shift[axis];
            own->y[i][axis] = k->I[axis] + m->beta * (k->I[axis] - before[axis]);
            own->before[i][axis] = k->I[axis];
        }
    }
    tl_coupled_group_solve(own);
    for (int i = 0; own->solved && i < own->contacts; i++) {
        tl_coupled3 *k = &p->coupled[own->member[i]];
        double d[3];
        for (int axis = 0; axis < 3; axis++) d[axis] = own->I[i][axis] - own->y[i][axis];
        memcpy(m->coupled[own->member[i]], k->I, sizeof k->I);
        memcpy(k->I, own->I[i], sizeof k->I);
        tl_coupled3_impulse(p, k, p->row, p->v, d);
    }
}

/* Without groups, all one by one but for the spokes of hubs. */
static double sweep_coupled(tl_problem3 *p, momentum *m, tl_coupled_groups *all, tl_hubs *hubs)
{
    double reversal = 0;
    for (int k = 0; all && k < all->count; k++) {
        solve_group(p, m, &all->group[k]);
        if (all->group[k].solved) reversal += all->group[k].reversal;
    }
    const tl_hub_source source = tl_problem3_hubs(p);
    for (int k = 0; all && k < hubs->count; k++) reversal += tl_hub_solve(&source, &hubs->hub[k], *m->coupled, m->beta, p->solver->tolerance);
    for (int i = 0; i < p->coupleds; i++) {
        if ((all && all->of[i] >= 0 && all->group[all->of[i]].solved) || (hubs->of && hubs->of[i] && hubs->of[i]->solved)) continue;
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
        reversal -= tl_coupled3_work(W, d, change);
    }
    tl_stand_ins_settle(&p->given);
    return reversal;
}

static double sweep_blocks(tl_problem3 *p, double beta, bool keeps)
{
    const tl_velocities v = tl_problem3_velocities(p);
    if (!p->blocks || p->blocks->count == 0) return 0;
    const double reversal = tl_blocks_sweep(p->blocks, &v, beta, keeps);
    tl_problem3_spread(p, p->row);
    return reversal;
}

typedef struct solver {
    tl_problem3 *p;
    tl_step *step;
    momentum m, none; /* `none`: what sweeps without momentum of the neighbourhood need */
    agenda all, pressed, near;
    tl_coupled_groups groups;
    tl_hubs hubs;
    bool *is_pressed;  /* [all_packs] */
    int sweeps, again; /* sweeps of the neighbourhood after each of all */
} solver;

/* About half of the candidates of a packing are open, now and after the sweep. What all eight of a pack are is asked in every ROLL-th sweep; and the
 * residual asks all contacts. */
enum { ROLL = 8 };

/* Has any of the eight an impulse, or had it before the sweep? */
static bool is_pressed(const tl_lanes3 *I, const tl_lanes3 *before)
{
    bool some = false;
    for (int lane = 0; lane < TL_LANES; lane++) {
        const double x = fabs(I->x[lane]) + fabs(before->x[lane]), y = fabs(I->y[lane]) + fabs(before->y[lane]), z = fabs(I->z[lane]) + fabs(before->z[lane]);
        some |= x + y + z > 0;
    }
    return some;
}

/* Room for all packs. */
static talus_status new_agenda(const tl_problem3 *p, tl_step *step, agenda *a)
{
    for (int family = 0; family < TL_FAMILIES3; family++) {
        a->pack[family] = tl_arena_alloc(step->arena, (size_t)p->packs[family] + 1, sizeof *a->pack[family]);
        if (!a->pack[family]) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->contacts);
    }
    return TALUS_OK;
}

/* Those packs whose `wanted` is set. */
static void make_agenda(const tl_problem3 *p, const bool *wanted, agenda *a)
{
    for (int family = 0; family < TL_FAMILIES3; family++) {
        const int *begin = p->color.begin[family];
        int n = 0;
        for (int k = 0; k <= TL_COLORS3; k++) {
            a->color.begin[family][k] = n;
            for (int i = begin[k]; i < begin[k + 1]; i++)
                if (wanted[i]) a->pack[family][n++] = i;
        }
        a->color.begin[family][TL_COLORS3 + 1] = n;
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
    if (p->coupleds == p->spokes) return TALUS_OK;
    TL_TRY(new_agenda(p, s->step, &s->near));
    s->none.I = tl_arena_zero(s->step->arena, packs, sizeof *s->none.I);
    s->none.reversal = tl_arena_zero(s->step->arena, packs, sizeof *s->none.reversal);
    s->none.coupled = tl_arena_zero(s->step->arena, (size_t)p->coupleds, sizeof *s->none.coupled);
    bool *wanted = tl_arena_alloc(s->step->arena, packs, sizeof *wanted);
    if (!s->none.I || !s->none.reversal || !s->none.coupled || !wanted) return tl_fail(s->step->error, TALUS_MEMORY, "no memory for %d contacts", p->contacts);
    for (int i = 0; i < p->all_packs; i++) wanted[i] = p->rank[i] == TL_NEAR3;
    make_agenda(p, wanted, &s->near);
    int near = 0;
    for (int family = 0; family < TL_FAMILIES3; family++) near += s->near.color.begin[family][TL_COLORS3 + 1];
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
    if (!s->is_pressed) return tl_fail(s->step->error, TALUS_MEMORY, "no memory for %d contacts", p->contacts);
    for (int i = 0; i < p->all_packs; i++) s->is_pressed[i] = true;
    make_agenda(p, s->is_pressed, &s->all);
    return start_near(s);
}

static void call_roll(solver *s)
{
    const tl_problem3 *p = s->p;
    for (int i = 0; i < p->all_packs; i++) /* where the sweep, which has just been there, moved nothing, is there anything? */
        s->is_pressed[i] = s->m.reversal[i] != 0 || is_pressed(impulses_of(p, i), &s->m.I[i]);
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
    double reversal = sweep_coupled(p, m, &s->groups, &s->hubs);
    for (int i = 0; i < p->all_packs; i++) reversal += m->reversal[i];
    tl_problem3_join(p, p->row);
    reversal += sweep_blocks(p, beta, true);
    for (int i = 0; i < s->again; i++) {
        for_colors(p, s->step, sweep_range, &s->none, &s->near);
        sweep_coupled(p, &s->none, NULL, &s->hubs);
        tl_problem3_join(p, p->row);
        (void)sweep_blocks(p, 0, false);
    }
    return reversal;
}

double tl_problem3_residual(tl_problem3 *p, tl_step *step)
{
    const size_t mark = tl_arena_mark(step->arena);
    tl_errors *error = tl_arena_alloc(step->arena, (size_t)p->all_packs + 1, sizeof *error), all = {0};
    if (!error) return (double)NAN;
    sweep_task task = {.p = p, .error = error};
    tl_parallel_for(step->threads, p->all_packs, TL_PARALLEL_PACKS, residual_range, &task);
    for (int i = 0; i < p->all_packs; i++) tl_errors_add(&all, &error[i]);
    tl_arena_release(step->arena, mark);
    for (int i = 0; i < p->coupleds; i++) {
        const tl_coupled3 *k = &p->coupled[i];
        double V[3];
        tl_coupled3_velocity(p, k, p->row, p->v, V);
        const double u[3] = {V[0] + k->shift[0], V[1] + k->shift[1], V[2] + k->shift[2]};
        const double e = tl_coulomb3_residual(&k->W, k->law.friction, u, k->I);
        tl_errors_add(&all, &(tl_errors){e, e, k->I[0] > 0});
    }
    const tl_velocities v = tl_problem3_velocities(p);
    if (p->blocks) tl_blocks_errors(p->blocks, &v, &all);
    p->residual_mean = all.sum / (all.pressing > 0 ? all.pressing : 1);
    return all.largest;
}

static double residual(void *context)
{
    const solver *s = context;
    return tl_problem3_residual(s->p, s->step);
}

static double offset_of(const tl_problem3 *p, int pack, int lane)
{
    const int contact = p->lane[pack * TL_LANES + lane];
    return contact < 0 ? 0 : p->contact[contact].offset;
}

/* What laws set off against the normal impulses acts beforehand, as forces do. */
static void pull(tl_problem3 *p)
{
    const int balls = p->packs[TL_BALLS3];
    for (int i = 0; i < balls; i++) {
        tl_balls3 back = p->ball[i];
        for (int lane = 0; lane < TL_LANES; lane++) tl_set_lane3(&back.I, lane, tl_scale(-offset_of(p, i, lane), tl_lane3(&back.n, lane)));
        p->kernels->start_balls(p->row, &back, 0, 1);
    }
    for (int i = 0; i < p->packs[TL_STONES3]; i++) {
        tl_pack3 back = p->pack[i];
        for (int lane = 0; lane < TL_LANES; lane++) tl_set_lane3(&back.I, lane, tl_v3(-offset_of(p, balls + i, lane), 0, 0));
        p->kernels->start(p->row, &back, 0, 1);
    }
    for (int i = 0; i < p->coupleds; i++) tl_coupled3_impulse(p, &p->coupled[i], p->row, p->v, (double[3]){-p->contact[p->coupled[i].contact].offset, 0, 0});
}

void tl_problem3_start(tl_problem3 *p, tl_step *step)
{
    tl_stand_ins_start(&p->given);
    if (p->pulls) pull(p);
    for_colors(p, step, start_range, NULL, NULL);
    for (int i = 0; i < p->coupleds; i++) tl_coupled3_impulse(p, &p->coupled[i], p->row, p->v, p->coupled[i].I);
    tl_stand_ins_settle(&p->given);
    tl_problem3_join(p, p->row);
    const tl_velocities v = tl_problem3_velocities(p);
    if (p->blocks) tl_blocks_start(p->blocks, &v);
    tl_problem3_spread(p, p->row);
}

talus_status tl_nlgs3_sweep(tl_problem3 *p, tl_step *step)
{
    tl_problem3_start(p, step);
    solver self = {.p = p, .step = step};
    tl_sweeps sweeps = {.context = &self, .sweep = sweep, .residual = residual, .settings = p->solver, .settles = true};
    TL_TRY(start_momentum(p, step, &self.m));
    TL_TRY(start_agendas(&self));
    const tl_hub_source hubs = tl_problem3_hubs(p);
    TL_TRY(tl_hubs_make(&hubs, step, &self.hubs));
    talus_status status = tl_problem3_groups(p, step, &self.groups);
    if (status == TALUS_OK) status = tl_sweeps_run(&sweeps, step->error);
    tl_coupled_groups_destroy(&self.groups);
    if (status != TALUS_OK) return status;
    p->iterations = sweeps.iterations;
    p->residual = sweeps.error;
    p->converged = p->residual <= p->solver->tolerance;
    return TALUS_OK;
}
