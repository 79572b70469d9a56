/* Newton's method in velocities of bodies, around impulses that are renewed (body_problem.h; theory §5.8).
 *
 * Every hold answers to its velocities u by the impulses of its set that are nearest to I° − ρ u: rows with bounds one by one,
 * tangential ones in the disk that the normal impulse of the answer makes. What is left are equations in the velocities alone,
 *
 *     F(v) = M (v − v_free) − Σ H I(u) = 0,     A dv = −F,     A = M + Σ H D Hᵀ,     D = −∂I/∂u,
 *
 * whose solution obeys all laws when I = I°. So rounds of Newton's method are taken, each around the impulses of the one before
 * (proximal points: Rockafellar 1976). A hold is as stiff as ρ; the stiffer it is, the fewer rounds are needed, and the harder
 * they are. ρ grows after a round that ends and falls after one that does not.
 *
 * A knows how friction follows the normal impulse and is therefore not symmetric. The obvious alternative, disks by the normal
 * impulses of the last round, leaves A symmetric and every round convex; but under a heavy wheel that rests on light shoes these
 * rounds run in circles. Nothing has to be regular: of impulses that velocities leave open, those near the first guess are found. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/math.h"
#include "base/sparse3.h"
#include "solve/body_hold.h"
#include "solve/local.h"

/* ρ in units of 1/W of a row by itself: of what has bounds at first, its least and largest. */
static const double FIRST = 10, LEAST = 1.5, LARGEST = 1e7;
static const double PART = 0.5;   /* of the error that a round leaves: so far may impulses and velocities disagree at its end */
static const double ENOUGH = 0.9; /* of the disagreement: a step that leaves no more is not shortened */
enum { ROUNDS = 24, TURNS = 8 };  /* turns: steps of a round; after so many rounds it is better to begin anew */

/* By which ρ grows after a round of so many steps. */
static double growth_after(int turns) { return turns <= 2 ? 3 : turns <= 5 ? 2 : 1.5; }

static const double DOWN = 3; /* by which it falls after one that does not end */

enum { UNKNOWN = INT_MIN }; /* slot */

/* What one thread may do beside others: holds that touch a part of the matrix, and groups that are all in it. The last share is of the top: it is done alone,
 * after the others. */
typedef struct share {
    int holds, groups, *hold, *group;
    double (*f)[3]; /* [blocks] impulses on its groups, and what it adds to those of the top */
    double *DH;     /* [blocks of an end][rows][4], room */
    int *list;      /* the blocks of a hold, room */
    /* out */
    bool regular;
    double sum, error, lag;
} share;

typedef struct newton {
    tl_body_problem *p;
    tl_threads *threads;
    tl_sparse3 *A;
    int parts;
    share share[TL_SPARSE3_PARTS + 1];
    double **mass_factor; /* [groups] Cholesky's of M; NULL: 1 */
    /* [blocks] M (v − v_free); step, and M times it; F; M⁻¹ F */
    double (*momentum)[3], (*dv)[3], (*Mdv)[3], (*F)[3], (*lag)[3];
    tl_hold_rows *I0, *u, *du, *best, *rho; /* [holds] */
    int **slot;                             /* [holds] of A, for all pairs of its blocks; NULL: not looked for yet */
    double stiff, part_of_step;             /* the latter: at which F is asked */
} newton;

static double *velocity_of(const tl_body_problem *p, double (*v)[3], int group) { return v[p->group[group].first]; }

/* x = Hᵀ v of a hold. */
static void read_rows(const tl_body_problem *p, const tl_body_hold *k, double (*v)[3], double *x)
{
    for (int r = 0; r < k->rows; r++) x[r] = 0;
    for (int e = k->end; e < k->end + k->ends; e++) {
        const tl_body_end *end = &p->end[e];
        const double *H = end->H;
        for (int r = 0; r < k->rows; r++)
            for (int b = end->first; b < end->first + end->blocks; b++, H += 3) x[r] += H[0] * v[b][0] + H[1] * v[b][1] + H[2] * v[b][2];
    }
}

/* f += H I. */
static void push_rows(const tl_body_problem *p, const tl_body_hold *k, const double *I, double (*f)[3])
{
    for (int e = k->end; e < k->end + k->ends; e++) {
        const tl_body_end *end = &p->end[e];
        double *own = f[end->first];
        const int n = 3 * end->blocks;
        for (int r = 0; r < k->rows; r++)
            for (int i = 0; I[r] != 0 && i < n; i++) own[i] += end->H[r * n + i] * I[r];
    }
}

static void times_mass(const tl_body_problem *p, int g, double (*v)[3], double (*out)[3])
{
    const tl_body_group *group = &p->group[g];
    const double *x = velocity_of(p, v, g);
    double *y = velocity_of(p, out, g);
    for (int i = 0; i < 3 * group->blocks; i++) y[i] = group->M ? 0 : x[i];
    for (int i = 0; group->M && i < group->size; i++)
        for (int j = 0; j < group->size; j++) y[i] += group->M[i * group->size + j] * x[j];
}

/* Of the present round. */
static void answer_now(const newton *s, int hold, const double *u, double *I, double *D)
{
    tl_hold_answer(&s->p->hold[hold], &(tl_hold_query){s->I0[hold], u, s->rho[hold], NULL}, I, D);
}

/* The larger of two errors; what is not a number stays. */
static double worse(double error, double own) { return own > error || isnan(own) ? own : error; }

/* ---- the matrix --------------------------------------------------------------------------------------------------------------- */

/* The blocks of a hold, one after the other. */
static int list_blocks(const tl_body_problem *p, const tl_body_hold *k, int *list)
{
    int n = 0;
    for (int e = k->end; e < k->end + k->ends; e++)
        for (int b = 0; b < p->end[e].blocks; b++) list[n++] = p->end[e].first + b;
    return n;
}

static int count_blocks(const tl_body_problem *p, const tl_body_hold *k)
{
    int blocks = 0;
    for (int e = k->end; e < k->end + k->ends; e++) blocks += p->end[e].blocks;
    return blocks;
}

/* Where they are in A, by pairs. */
static void find_slots(const newton *s, int part, const tl_body_hold *k, int *slot)
{
    const int *list = s->share[part].list, n = list_blocks(s->p, k, s->share[part].list);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) *slot++ = tl_sparse3_slot(s->A, list[i], list[j], part);
}

/* D H of an end as the matrix takes it: [blocks][rows][4]. */
static void times_end(const tl_body_hold *k, const tl_body_end *end, const double *D, double *DH)
{
    const int n = k->rows, width = 3 * end->blocks;
    memset(DH, 0, (size_t)(4 * n * end->blocks) * sizeof *DH);
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++)
            for (int b = 0; D[r * n + c] != 0 && b < end->blocks; b++)
                for (int i = 0; i < 3; i++) DH[4 * (n * b + r) + i] += D[r * n + c] * end->H[c * width + 3 * b + i];
}

/* A += H D Hᵀ of one hold of a part, over all pairs of its blocks. */
static void add_hold(newton *s, int part, int hold, const double *D)
{
    const tl_body_hold *k = &s->p->hold[hold];
    bool some = false;
    for (int r = 0; r < k->rows; r++) some |= D[r * k->rows + r] != 0;
    if (!some) return; /* it is open */
    const int blocks = count_blocks(s->p, k);
    int *slot = s->slot[hold];
    if (slot[0] == UNKNOWN) find_slots(s, part, k, slot);
    for (int f = k->end; f < k->end + k->ends; f++) {
        const tl_body_end *b = &s->p->end[f];
        const int *at = slot;
        times_end(k, b, D, s->share[part].DH);
        for (int e = k->end; e < k->end + k->ends; e++) {
            const tl_body_end *a = &s->p->end[e];
            tl_sparse3_add_products(s->A, &(tl_sparse3_products){a->blocks, b->blocks, k->rows, at, blocks, a->H, s->share[part].DH});
            at += a->blocks * blocks;
        }
        slot += b->blocks;
    }
}

static void add_mass(newton *s, const tl_body_group *group)
{
    for (int i = 0; i < group->blocks; i++)
        for (int j = 0; j < group->blocks; j++) {
            double block[9] = {0};
            if (!group->M && i != j) continue;
            for (int x = 0; x < 3; x++)
                for (int y = 0; y < 3; y++) {
                    const int row = 3 * i + x, column = 3 * j + y;
                    const bool both = row < group->size && column < group->size;
                    block[3 * x + y] = group->M && both ? group->M[row * group->size + column] : row == column;
                }
            tl_sparse3_add_at(s->A, tl_sparse3_slot(s->A, group->first + i, group->first + j, s->parts), block);
        }
}

/* D of a hold now, into the matrix. */
static void fill_hold(newton *s, int part, int hold)
{
    tl_hold_rows I;
    double D[TL_BODY_ROWS * TL_BODY_ROWS];
    answer_now(s, hold, s->u[hold], I, D);
    add_hold(s, part, hold, D);
}

/* What no step changes of the matrix: masses and joints. */
static void keep_joints(newton *s)
{
    tl_sparse3_clear(s->A);
    for (int g = 0; g < s->p->groups; g++) add_mass(s, &s->p->group[g]);
    for (int part = 0; part <= s->parts; part++)
        for (int i = 0; i < s->share[part].holds; i++) {
            const int hold = s->share[part].hold[i];
            if (tl_hold_is_joint(&s->p->hold[hold])) fill_hold(s, part, hold);
        }
    tl_sparse3_keep(s->A);
}

/* ---- a step ------------------------------------------------------------------------------------------------------------------- */

/* F and M⁻¹ F of the groups of a share; the sum of their products. */
static void end_sum(newton *s, share *a)
{
    const tl_body_problem *p = s->p;
    a->sum = 0;
    for (int i = 0; i < a->groups; i++) {
        const tl_body_group *group = &p->group[a->group[i]];
        const double *f = velocity_of(p, a->f, a->group[i]);
        double *F = velocity_of(p, s->F, a->group[i]), *lag = velocity_of(p, s->lag, a->group[i]);
        for (int m = 0; m < 3 * group->blocks; m++) F[m] = lag[m] = -f[m];
        if (s->mass_factor[a->group[i]]) tl_cholesky_solve(s->mass_factor[a->group[i]], group->size, lag);
        for (int m = 0; m < 3 * group->blocks; m++) a->sum += F[m] * lag[m];
    }
}

/* −F without impulses on the groups of a share. */
static void begin_sum(newton *s, share *a)
{
    const tl_body_problem *p = s->p;
    for (int i = 0; i < a->groups; i++) {
        const double *momentum = velocity_of(p, s->momentum, a->group[i]), *Mdv = velocity_of(p, s->Mdv, a->group[i]);
        double *f = velocity_of(p, a->f, a->group[i]);
        for (int m = 0; m < 3 * p->group[a->group[i]].blocks; m++) f[m] = -(momentum[m] + s->part_of_step * Mdv[m]);
    }
}

static void push_holds(newton *s, share *a)
{
    for (int i = 0; i < a->holds; i++) {
        const int hold = a->hold[i];
        const tl_body_hold *k = &s->p->hold[hold];
        tl_hold_rows u = {0}, I;
        for (int r = 0; r < k->rows; r++) u[r] = s->u[hold][r] + s->part_of_step * s->du[hold][r];
        if (tl_hold_is_open(k, s->I0[hold], u)) continue;
        answer_now(s, hold, u, I, NULL);
        push_rows(s->p, k, I, a->f);
    }
}

static void sum_range(void *context, int begin, int end, int worker)
{
    newton *s = context;
    (void)worker;
    for (int part = begin; part < end; part++) {
        share *a = &s->share[part], *top = &s->share[s->parts];
        for (int i = 0; i < top->groups; i++)
            memset(velocity_of(s->p, a->f, top->group[i]), 0, (size_t)(3 * s->p->group[top->group[i]].blocks) * sizeof(double));
        begin_sum(s, a);
        push_holds(s, a);
        end_sum(s, a);
    }
}

/* F where a share t of the step has been taken, and M⁻¹ F. Returns the norm of F in M⁻¹: the root of twice the energy by which impulses and velocities
 * disagree. */
static double disagreement(newton *s, double t)
{
    share *top = &s->share[s->parts];
    double sum = 0;
    s->part_of_step = t;
    tl_parallel_for(s->threads, s->parts, 2, sum_range, s);
    begin_sum(s, top);
    for (int part = 0; part < s->parts; part++)
        for (int i = 0; i < top->groups; i++) {
            const double *add = velocity_of(s->p, s->share[part].f, top->group[i]);
            double *f = velocity_of(s->p, top->f, top->group[i]);
            for (int m = 0; m < 3 * s->p->group[top->group[i]].blocks; m++) f[m] += add[m];
        }
    push_holds(s, top);
    end_sum(s, top);
    for (int part = 0; part <= s->parts; part++) sum += s->share[part].sum;
    return sum >= 0 ? sqrt(sum) : isnan(sum) ? (double)INFINITY : 0;
}

/* The matrix of a part, or of the top. */
static void fill_part(newton *s, int part)
{
    const share *a = &s->share[part];
    tl_sparse3_recall(s->A, part);
    for (int i = 0; i < a->holds; i++) {
        const tl_body_hold *k = &s->p->hold[a->hold[i]];
        if (!tl_hold_is_joint(k) && !tl_hold_is_open(k, s->I0[a->hold[i]], s->u[a->hold[i]])) fill_hold(s, part, a->hold[i]);
    }
}

static void down_range(void *context, int begin, int end, int worker)
{
    newton *s = context;
    (void)worker;
    for (int part = begin; part < end; part++) {
        fill_part(s, part);
        s->share[part].regular = tl_sparse3_factor_part(s->A, part);
        if (s->share[part].regular) tl_sparse3_solve_down(s->A, part, s->dv);
    }
}

/* M dv and Hᵀ dv of a share. */
static void follow_step(newton *s, const share *a)
{
    for (int i = 0; i < a->groups; i++) times_mass(s->p, a->group[i], s->dv, s->Mdv);
    for (int i = 0; i < a->holds; i++) read_rows(s->p, &s->p->hold[a->hold[i]], s->dv, s->du[a->hold[i]]);
}

static void up_range(void *context, int begin, int end, int worker)
{
    newton *s = context;
    (void)worker;
    for (int part = begin; part < end; part++) {
        tl_sparse3_solve_up(s->A, part, s->dv);
        follow_step(s, &s->share[part]);
    }
}

/* dv = −A⁻¹ F. False: no factor. */
static bool find_step(newton *s)
{
    for (int i = 0; i < s->p->blocks; i++)
        for (int m = 0; m < 3; m++) s->dv[i][m] = -s->F[i][m];
    tl_parallel_for(s->threads, s->parts, 2, down_range, s);
    for (int part = 0; part < s->parts; part++)
        if (!s->share[part].regular) return false;
    fill_part(s, s->parts);
    if (!tl_sparse3_factor_part(s->A, s->parts)) return false;
    tl_sparse3_solve_top(s->A, s->dv);
    tl_parallel_for(s->threads, s->parts, 2, up_range, s);
    follow_step(s, &s->share[s->parts]);
    return true;
}

/* Takes of the step the share after which impulses and velocities disagree least; returns by how much they still do. */
static double take_step(newton *s, double before)
{
    static const double SHARES[] = {1, 0.5, 0.25, 0.1, 0.03, 0.01};
    const tl_body_problem *p = s->p;
    double best = (double)INFINITY, t = 1, last = 0;
    for (size_t i = 0; i < sizeof SHARES / sizeof *SHARES && !(best <= ENOUGH * before); i++) {
        last = SHARES[i];
        const double now = disagreement(s, last);
        if (now < best) best = now, t = last;
    }
    if (!(best < (double)INFINITY)) return best; /* no share of it gives numbers */
    for (int i = 0; i < p->blocks; i++)
        for (int m = 0; m < 3; m++) s->momentum[i][m] += t * s->Mdv[i][m], s->Mdv[i][m] = 0;
    for (int i = 0; i < p->holds; i++)
        for (int r = 0; r < p->hold[i].rows; r++) s->u[i][r] += t * s->du[i][r], s->du[i][r] = 0;
    return last == t ? best : disagreement(s, 0);
}

/* The impulses of the present answer of a share, and the largest error of these with the velocities that they make, u − Hᵀ M⁻¹ F; `lag`: the largest
 * difference of the two velocities. */
static void measure_share(newton *s, share *a)
{
    a->error = a->lag = 0;
    for (int i = 0; i < a->holds; i++) {
        tl_body_hold *k = &s->p->hold[a->hold[i]];
        const double *now = s->u[a->hold[i]];
        tl_hold_rows u = {0}, behind = {0};
        answer_now(s, a->hold[i], now, k->I, NULL);
        read_rows(s->p, k, s->lag, behind);
        for (int r = 0; r < k->rows; r++) {
            a->lag = fmax(a->lag, fabs(behind[r]));
            u[r] = now[r] - behind[r];
        }
        a->error = worse(a->error, tl_hold_is_open(k, k->I, u) ? 0 : tl_hold_error(k, k->I, u));
    }
}

static void measure_range(void *context, int begin, int end, int worker)
{
    newton *s = context;
    (void)worker;
    for (int part = begin; part < end; part++) measure_share(s, &s->share[part]);
}

/* Of all shares; the best impulses are remembered. */
static double measure(newton *s, double *lag)
{
    tl_body_problem *p = s->p;
    double error = 0;
    *lag = 0;
    tl_parallel_for(s->threads, s->parts, 2, measure_range, s);
    measure_share(s, &s->share[s->parts]);
    for (int part = 0; part <= s->parts; part++) {
        *lag = fmax(*lag, s->share[part].lag);
        error = worse(error, s->share[part].error);
    }
    if (!(error < p->error)) return error;
    p->error = error;
    for (int i = 0; i < p->holds; i++) memcpy(s->best[i], p->hold[i].I, sizeof s->best[i]);
    return error;
}

/* ---- rounds ------------------------------------------------------------------------------------------------------------------- */

/* Is the tolerance, or the end of the steps, reached? */
static bool is_over(const tl_body_problem *p) { return p->error <= p->tolerance || p->iterations >= p->max_iterations; }

/* Of the next round. */
static void set_stiffness(newton *s, double stiff)
{
    s->stiff = fmax(LEAST, fmin(stiff, LARGEST));
    for (int i = 0; i < s->p->holds; i++) tl_hold_rho(&s->p->hold[i], s->stiff, s->rho[i]);
}

/* Newton's method around I°. False: the matrix has no factor, or a step no numbers. */
static bool take_round(newton *s)
{
    tl_body_problem *p = s->p;
    int turn = 0;
    bool ended = false;
    double off = disagreement(s, 0), lag;
    for (; turn < TURNS && !ended && !is_over(p); turn++) {
        if (!find_step(s)) return false;
        p->iterations++;
        off = take_step(s, off);
        if (!(off < (double)INFINITY)) return false;
        const double error = measure(s, &lag);
        ended = lag <= PART * fmax(error, p->tolerance);
    }
    set_stiffness(s, ended ? growth_after(turn) * s->stiff : s->stiff / DOWN);
    for (int i = 0; i < p->holds; i++) memcpy(s->I0[i], p->hold[i].I, sizeof s->I0[i]);
    return true;
}

static void run(newton *s)
{
    tl_body_problem *p = s->p;
    p->error = 0;
    for (int i = 0; i < p->holds; i++) {
        tl_body_hold *k = &p->hold[i];
        push_rows(p, k, k->I, s->momentum);
        memcpy(s->u[i], k->u, sizeof s->u[i]);
        memcpy(s->I0[i], k->I, sizeof s->I0[i]), memcpy(s->best[i], k->I, sizeof s->best[i]);
        p->error = worse(p->error, tl_hold_error(k, k->I, k->u));
    }
    set_stiffness(s, FIRST);
    keep_joints(s);
    for (int round = 0; round < ROUNDS && !is_over(p) && take_round(s); round++) continue;
    for (int i = 0; i < p->holds; i++) memcpy(p->hold[i].I, s->best[i], sizeof s->best[i]);
}

/* ---- room --------------------------------------------------------------------------------------------------------------------- */

static talus_status no_memory(const tl_body_problem *p, tl_step *step)
{
    return tl_fail(step->error, TALUS_MEMORY, "no memory for a matrix of %d blocks", p->blocks);
}

/* Of one hold or of one group. */
static int most_blocks(const tl_body_problem *p)
{
    int most = 0;
    for (int g = 0; g < p->groups; g++) most = p->group[g].blocks > most ? p->group[g].blocks : most;
    for (int i = 0; i < p->holds; i++) {
        const int blocks = count_blocks(p, &p->hold[i]);
        most = blocks > most ? blocks : most;
    }
    return most;
}

/* Pattern and order; `worth`: is its factor not too much work? */
static talus_status make_matrix(newton *s, bool *worth, tl_step *step)
{
    const tl_body_problem *p = s->p;
    int *list = tl_arena_alloc(step->arena, (size_t)most_blocks(p) + 1, sizeof *list);
    s->A = tl_sparse3_create(step->memory, p->blocks);
    if (!s->A || !list) return no_memory(p, step);
    tl_sparse3_generalize(s->A);
    for (int i = 0; i < p->holds; i++) tl_sparse3_couple(s->A, list, list_blocks(p, &p->hold[i], list));
    for (int g = 0; g < p->groups; g++) {
        for (int b = 0; b < p->group[g].blocks; b++) list[b] = p->group[g].first + b;
        tl_sparse3_couple(s->A, list, p->group[g].blocks);
    }
    TL_TRY(tl_sparse3_order(s->A, step->error));
    *worth = tl_sparse3_work(s->A) < TL_FACTOR_WORK;
    return TALUS_OK;
}

static talus_status factor_masses(newton *s, bool *worth, tl_step *step)
{
    const tl_body_problem *p = s->p;
    s->mass_factor = tl_arena_zero(step->arena, (size_t)p->groups + 1, sizeof *s->mass_factor);
    if (!s->mass_factor) return no_memory(p, step);
    for (int g = 0; g < p->groups; g++) {
        const int n = p->group[g].size;
        const size_t numbers = (size_t)(n * n);
        if (!p->group[g].M) continue;
        s->mass_factor[g] = tl_arena_alloc(step->arena, numbers + 1, sizeof(double));
        if (!s->mass_factor[g]) return no_memory(p, step);
        memcpy(s->mass_factor[g], p->group[g].M, numbers * sizeof(double));
        *worth &= tl_cholesky(s->mass_factor[g], n) == n;
    }
    return TALUS_OK;
}

/* Slots of all holds, which are looked for when they are needed. */
static talus_status make_slots(newton *s, tl_step *step)
{
    const tl_body_problem *p = s->p;
    size_t all = 0;
    s->slot = tl_arena_alloc(step->arena, (size_t)p->holds + 1, sizeof *s->slot);
    if (!s->slot) return no_memory(p, step);
    for (int pass = 0; pass < 2; pass++) {
        int *slots = pass == 0 ? NULL : tl_arena_alloc(step->arena, all, sizeof *slots);
        if (pass == 1 && !slots) return no_memory(p, step);
        for (int i = 0; i < p->holds; i++) {
            const size_t blocks = (size_t)count_blocks(p, &p->hold[i]);
            if (pass == 0) all += blocks * blocks + 1;
            else s->slot[i] = slots, slots[0] = UNKNOWN, slots += blocks * blocks + 1;
        }
    }
    return TALUS_OK;
}

static talus_status make_room(newton *s, tl_step *step)
{
    const tl_body_problem *p = s->p;
    const size_t blocks = (size_t)p->blocks + 1, holds = (size_t)p->holds + 1;
    double(*vectors)[3] = tl_arena_zero(step->arena, 5 * blocks, sizeof *vectors);
    tl_hold_rows *rows = tl_arena_zero(step->arena, 5 * holds, sizeof *rows);
    if (!vectors || !rows) return no_memory(p, step);
    s->momentum = vectors, s->dv = vectors + blocks, s->Mdv = vectors + 2 * blocks, s->F = vectors + 3 * blocks, s->lag = vectors + 4 * blocks;
    s->I0 = rows, s->u = rows + holds, s->du = rows + 2 * holds, s->best = rows + 3 * holds, s->rho = rows + 4 * holds;
    return TALUS_OK;
}

/* The part of a hold: that of its blocks which are not of the top. */
static int part_of_hold(const newton *s, const tl_body_hold *k)
{
    int part = s->parts;
    for (int e = k->end; e < k->end + k->ends && part == s->parts; e++)
        for (int b = 0; b < s->p->end[e].blocks && part == s->parts; b++) part = tl_sparse3_part(s->A, s->p->end[e].first + b);
    return part;
}

/* The part of a group that is all in it; others are of the top. */
static int part_of_group(const newton *s, const tl_body_group *group)
{
    const int part = tl_sparse3_part(s->A, group->first);
    for (int b = 1; b < group->blocks; b++)
        if (tl_sparse3_part(s->A, group->first + b) != part) return s->parts;
    return part;
}

static talus_status make_shares(newton *s, tl_step *step)
{
    const tl_body_problem *p = s->p;
    const size_t blocks = (size_t)p->blocks + 1, most = (size_t)most_blocks(p) + 1;
    int widest = 0;
    for (int e = 0; e < p->ends; e++) widest = p->end[e].blocks > widest ? p->end[e].blocks : widest;
    s->parts = tl_sparse3_parts(s->A);
    for (int part = 0; part <= s->parts; part++) {
        share *a = &s->share[part];
        *a = (share){.hold = tl_arena_alloc(step->arena, (size_t)p->holds + 1, sizeof *a->hold),
                     .group = tl_arena_alloc(step->arena, (size_t)p->groups + 1, sizeof *a->group),
                     .f = tl_arena_zero(step->arena, blocks, sizeof *a->f),
                     .DH = tl_arena_alloc(step->arena, (size_t)(4 * widest * TL_BODY_ROWS) + 1, sizeof *a->DH),
                     .list = tl_arena_alloc(step->arena, most, sizeof *a->list)};
        if (!a->hold || !a->group || !a->f || !a->DH || !a->list) return no_memory(p, step);
    }
    for (int i = 0; i < p->holds; i++) {
        share *a = &s->share[part_of_hold(s, &p->hold[i])];
        a->hold[a->holds++] = i;
    }
    for (int g = 0; g < p->groups; g++) {
        share *a = &s->share[part_of_group(s, &p->group[g])];
        a->group[a->groups++] = g;
    }
    return TALUS_OK;
}

talus_status tl_body_solve(tl_body_problem *p, tl_step *step)
{
    newton s = {.p = p, .threads = step->threads};
    bool worth = false;
    p->iterations = 0;
    p->error = (double)INFINITY;
    TL_TRY(make_room(&s, step));
    talus_status status = make_matrix(&s, &worth, step);
    if (status == TALUS_OK && worth) status = factor_masses(&s, &worth, step);
    if (status == TALUS_OK && worth) status = make_slots(&s, step);
    if (status == TALUS_OK && worth) status = make_shares(&s, step);
    if (status == TALUS_OK && worth) run(&s);
    tl_sparse3_destroy(s.A);
    return status;
}
