/* The matrix, steps and errors of a problem in velocities of bodies (body_system.h). */
#include "solve/body_system.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/math.h"
#include "solve/local.h"

enum { UNKNOWN = INT_MIN }; /* slot */

static double *velocity_of(const tl_body_problem *p, double (*v)[3], int group) { return v[p->group[group].first]; }

/* x = Hᵀ v of a hold. Sums stay in registers: through memory each would wait for the one before. */
static void read_rows(const tl_body_problem *p, const tl_body_hold *k, double (*v)[3], double *x)
{
    for (int r = 0; r < k->rows; r++) x[r] = 0;
    for (int e = k->end; e < k->end + k->ends; e++) {
        const tl_body_end *end = &p->end[e];
        const double *H = end->H, *own = v[end->first];
        const int n = 3 * end->blocks;
        for (int r = 0; r < k->rows; r++, H += n) {
            double sum = 0;
            for (int i = 0; i < n; i++) sum += H[i] * own[i];
            x[r] += sum;
        }
    }
}

/* f += H I. */
static void push_rows(const tl_body_problem *p, const tl_body_hold *k, const double *I, double (*f)[3])
{
    for (int e = k->end; e < k->end + k->ends; e++) {
        const tl_body_end *end = &p->end[e];
        const double *restrict H = end->H;
        double *restrict own = f[end->first];
        const int n = 3 * end->blocks;
        int r = 0;
        for (; r + 3 <= k->rows; r += 3, H += 3 * n) {
            const double a = I[r], b = I[r + 1], c = I[r + 2];
            for (int i = 0; i < n; i++) own[i] += H[i] * a + H[n + i] * b + H[2 * n + i] * c;
        }
        for (; r < k->rows; r++, H += n) {
            const double a = I[r];
            for (int i = 0; i < n; i++) own[i] += H[i] * a;
        }
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

/* The larger of two errors; what is not a number stays. */
static double worse(double error, double own) { return own > error || isnan(own) ? own : error; }

/* Shares of the parts side by side, then that of the top. */
typedef struct each {
    tl_body_system *s;
    tl_body_work *work;
    void *solver;
} each;

static void each_range(void *context, int begin, int end, int worker)
{
    const each *e = context;
    (void)worker;
    for (int part = begin; part < end; part++) e->work(e->solver, &e->s->share[part]);
}

void tl_body_each(tl_body_system *s, tl_body_work *work, void *solver)
{
    /* A ledger of threads knows a loop by what it does: one work of all is a hundred times as long as another. */
    tl_parallel_loop(s->step->threads, &(tl_loop){each_range, &(each){s, work, solver}, s->parts, 2, TL_KIND_OF(work), s->parts, false});
    work(solver, &s->share[s->parts]);
}

/* ---- the matrix --------------------------------------------------------------------------------------------------------------- */

/* Where they are in A, by pairs. */
static void find_slots(const tl_body_system *s, int part, const tl_body_hold *k, int *slot)
{
    const int *list = s->share[part].list, n = tl_body_blocks_of(s->p, k, s->share[part].list);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) *slot++ = tl_body_matrix_slot(&s->A, list[i], list[j], part);
}

/* D H of an end as the matrix takes it, [blocks][depth][4], of which this hold has the rows from `first` on. */
static void times_end(const tl_body_hold *k, const tl_body_end *end, const double *D, int first, int depth, double *DH)
{
    const int n = k->rows, width = 3 * end->blocks;
    for (int b = 0; b < end->blocks; b++)
        for (int r = 0; r < n; r++) {
            const double *H = end->H + 3 * b;
            double x = 0, y = 0, z = 0;
            for (int c = 0; c < n; c++, H += width) x += D[r * n + c] * H[0], y += D[r * n + c] * H[1], z += D[r * n + c] * H[2];
            double *row = &DH[4 * (depth * b + first + r)];
            row[0] = x, row[1] = y, row[2] = z, row[3] = 0;
        }
}

/* A bundle as it is added: holds that are not open, their rows one below the other. */
typedef struct stack {
    int holds, depth, hold[TL_BODY_BUNDLE];
    double D[TL_BODY_BUNDLE][TL_BODY_ROWS * TL_BODY_ROWS];
} stack;

static bool is_zero(const tl_body_hold *k, const double *D)
{
    bool some = false;
    for (int r = 0; r < k->rows; r++) some |= D[r * k->rows + r] != 0;
    return !some;
}

/* H of the rows of a stack at end e, [depth][3 × blocks]; D H to the share's room, if `D`. */
static const double *stack_end(const tl_body_system *s, const tl_body_share *a, const stack *t, int e, bool D)
{
    const tl_body_problem *p = s->p;
    double *H = a->H;
    for (int i = 0, first = 0; i < t->holds; i++) {
        const tl_body_hold *k = &p->hold[t->hold[i]];
        const tl_body_end *end = &p->end[k->end + e];
        const size_t numbers = (size_t)(3 * end->blocks * k->rows);
        if (D) times_end(k, end, t->D[i], first, t->depth, a->DH);
        else if (t->holds == 1) return end->H;
        else memcpy(H, end->H, numbers * sizeof *H), H += numbers;
        first += k->rows;
    }
    return a->H;
}

/* A += H D Hᵀ of a stack, over all pairs of its blocks. */
static void add_stack(tl_body_system *s, int part, const stack *t, int *slot)
{
    const tl_body_share *own = &s->share[part];
    const tl_body_hold *k = &s->p->hold[t->hold[0]];
    const int blocks = tl_body_count_blocks(s->p, k);
    if (slot[0] == UNKNOWN) find_slots(s, part, k, slot);
    for (int f = 0, column = 0; f < k->ends; f++) {
        const int columns = s->p->end[k->end + f].blocks;
        const int *at = &slot[column];
        (void)stack_end(s, own, t, f, true);
        for (int e = 0; e < k->ends; e++) {
            const int rows = s->p->end[k->end + e].blocks;
            tl_body_matrix_add_products(&s->A, &(tl_sparse3_products){rows, columns, t->depth, at, blocks, stack_end(s, own, t, e, false), own->DH});
            at += rows * blocks;
        }
        column += columns;
    }
}

typedef struct filling {
    tl_body_system *s;
    tl_body_stiffness *stiffness; /* of contacts and bounds; NULL: joints are meant */
    void *solver;
} filling;

static void fill_share(const filling *f, tl_body_share *a)
{
    const tl_body_problem *p = f->s->p;
    for (int b = 0; b < a->bundles; b++) {
        stack t; /* what is not counted is not read */
        t.holds = t.depth = 0;
        if (tl_hold_is_joint(&p->hold[a->hold[a->bundle[b]]]) != !f->stiffness) continue;
        for (int i = a->bundle[b]; i < a->bundle[b + 1]; i++) {
            const tl_body_hold *k = &p->hold[a->hold[i]];
            double *D = t.D[t.holds];
            if (!f->stiffness) tl_hold_joint(k, D);
            else if (!f->stiffness(f->solver, a->hold[i], D)) continue;
            if (is_zero(k, D)) continue;
            t.hold[t.holds++] = a->hold[i];
            t.depth += k->rows;
        }
        if (t.holds > 0) add_stack(f->s, (int)(a - f->s->share), &t, a->slot[b]);
    }
}

static void add_mass(tl_body_system *s, const tl_body_group *group)
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
            tl_body_matrix_add(&s->A, tl_body_matrix_slot(&s->A, group->first + i, group->first + j, s->parts), block);
        }
}

/* What no step changes of the matrix: masses and joints. */
static void keep_joints(tl_body_system *s)
{
    tl_body_matrix_clear(&s->A);
    for (int g = 0; g < s->p->groups; g++) add_mass(s, &s->p->group[g]);
    for (int part = 0; part <= s->parts; part++) fill_share(&(filling){s, NULL, NULL}, &s->share[part]);
    tl_body_matrix_keep(&s->A);
}

/* The matrix of a share, and its factor. */
static void factor_share(void *context, tl_body_share *a)
{
    const filling *f = context;
    tl_body_system *s = f->s;
    const int part = (int)(a - s->share);
    a->regular = true;
    for (int i = 0; i < part && part == s->parts; i++) a->regular &= s->share[i].regular;
    if (!a->regular) return;
    tl_body_matrix_recall(&s->A, part);
    fill_share(f, a);
    a->regular = tl_body_matrix_factor(&s->A, part, s->step);
}

bool tl_body_factor(tl_body_system *s, tl_body_stiffness *stiffness, void *solver)
{
    if (tl_step_go_on(s->step) != TALUS_OK) return false;
    tl_body_each(s, factor_share, &(filling){s, stiffness, solver});
    return s->share[s->parts].regular;
}

/* ---- a step ------------------------------------------------------------------------------------------------------------------- */

typedef struct gathering {
    tl_body_system *s;
    tl_body_impulses *impulses;
    void *solver;
    double t; /* the share of the step */
} gathering;

/* F and M⁻¹ F of the groups of a share; the sum of their products. */
static void end_sum(tl_body_system *s, tl_body_share *a)
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

/* Of the groups of a share, −F: without impulses, with what the parts add to the top, and with those of its holds. */
static void sum_share(const gathering *t, tl_body_share *a)
{
    const tl_body_system *s = t->s;
    const tl_body_problem *p = s->p;
    const tl_body_share *top = &s->share[s->parts];
    for (int i = 0; i < a->groups; i++) {
        const double *momentum = velocity_of(p, s->momentum, a->group[i]), *Mdv = velocity_of(p, s->Mdv, a->group[i]);
        double *f = velocity_of(p, a->f, a->group[i]);
        const int n = 3 * p->group[a->group[i]].blocks;
        for (int m = 0; m < n; m++) f[m] = -(momentum[m] + t->t * Mdv[m]);
        for (int part = 0; a == top && part < s->parts; part++) {
            const double *add = velocity_of(p, s->share[part].f, a->group[i]);
            for (int m = 0; m < n; m++) f[m] += add[m];
        }
    }
    for (int i = 0; i < a->holds; i++) {
        tl_hold_rows I;
        if (t->impulses(t->solver, a->hold[i], I)) push_rows(p, &p->hold[a->hold[i]], I, a->f);
    }
}

static void gather_share(void *context, tl_body_share *a)
{
    const gathering *t = context;
    const tl_body_problem *p = t->s->p;
    const tl_body_share *top = &t->s->share[t->s->parts];
    for (int i = 0; a != top && i < top->groups; i++)
        memset(velocity_of(p, a->f, top->group[i]), 0, (size_t)(3 * p->group[top->group[i]].blocks) * sizeof(double));
    sum_share(t, a);
    end_sum(t->s, a);
}

double tl_body_disagreement(tl_body_system *s, double t, tl_body_impulses *impulses, void *solver)
{
    double sum = 0;
    tl_body_each(s, gather_share, &(gathering){s, impulses, solver, t});
    for (int part = 0; part <= s->parts; part++) sum += s->share[part].sum;
    return sum >= 0 ? sqrt(sum) : isnan(sum) ? (double)INFINITY : 0;
}

static void down_share(void *context, tl_body_share *a)
{
    tl_body_system *s = context;
    const int part = (int)(a - s->share);
    tl_body_matrix_solve_down(&s->A, part, s->dv, s->step->threads);
}

/* Of a share, dv upwards, M dv and Hᵀ dv. */
static void up_share(void *context, tl_body_share *a)
{
    const each *e = context;
    tl_body_system *s = e->s;
    const int part = (int)(a - s->share);
    tl_body_matrix_solve_up(&s->A, part, s->dv);
    for (int i = 0; i < a->groups; i++) times_mass(s->p, a->group[i], s->dv, s->Mdv);
    for (int i = 0; i < a->holds; i++) read_rows(s->p, &s->p->hold[a->hold[i]], s->dv, s->du[a->hold[i]]);
    if (e->work) e->work(e->solver, a);
}

void tl_body_step(tl_body_system *s, tl_body_work *work, void *solver)
{
    for (int i = 0; i < s->p->blocks; i++)
        for (int m = 0; m < 3; m++) s->dv[i][m] = -s->F[i][m];
    tl_body_each(s, down_share, s);
    tl_body_each(s, up_share, &(each){s, work, solver});
}

void tl_body_take(tl_body_system *s, double t)
{
    const tl_body_problem *p = s->p;
    for (int i = 0; i < p->blocks; i++)
        for (int m = 0; m < 3; m++) s->momentum[i][m] += t * s->Mdv[i][m], s->Mdv[i][m] = 0;
    for (int i = 0; i < p->holds; i++)
        for (int r = 0; r < p->hold[i].rows; r++) s->u[i][r] += t * s->du[i][r], s->du[i][r] = 0;
}

void tl_body_refuse(tl_body_system *s)
{
    memset(s->Mdv, 0, (size_t)s->p->blocks * sizeof *s->Mdv);
    memset(s->du, 0, (size_t)s->p->holds * sizeof *s->du);
}

/* ---- errors ------------------------------------------------------------------------------------------------------------------- */

static void measure_share(void *context, tl_body_share *a)
{
    const gathering *t = context;
    const tl_body_system *s = t->s;
    a->error = a->lag = 0;
    for (int i = 0; i < a->holds; i++) {
        tl_body_hold *k = &s->p->hold[a->hold[i]];
        tl_hold_rows I = {0}, u = {0}, behind = {0};
        (void)t->impulses(t->solver, a->hold[i], I);
        memcpy(k->I, I, (size_t)k->rows * sizeof *I);
        read_rows(s->p, k, s->lag, behind);
        for (int r = 0; r < k->rows; r++) {
            a->lag = fmax(a->lag, fabs(behind[r]));
            u[r] = s->u[a->hold[i]][r] - behind[r];
        }
        a->error = worse(a->error, tl_hold_is_open(k, k->I, u) ? 0 : tl_hold_error(k, k->I, u));
    }
}

double tl_body_measure(tl_body_system *s, tl_body_impulses *impulses, void *solver, double *lag)
{
    tl_body_problem *p = s->p;
    double error = 0;
    *lag = 0;
    tl_body_each(s, measure_share, &(gathering){s, impulses, solver, 0});
    for (int part = 0; part <= s->parts; part++) {
        *lag = fmax(*lag, s->share[part].lag);
        error = worse(error, s->share[part].error);
    }
    if (!(error < p->error)) return error;
    p->error = error;
    for (int i = 0; i < p->holds; i++) memcpy(s->best[i], p->hold[i].I, sizeof s->best[i]);
    return error;
}

bool tl_body_is_over(const tl_body_problem *p) { return (p->error <= p->tolerance && p->iterations >= p->least) || p->iterations >= p->max_iterations; }

/* ---- room --------------------------------------------------------------------------------------------------------------------- */

static talus_status no_memory(const tl_body_problem *p, tl_step *step)
{
    return tl_fail(step->error, TALUS_MEMORY, "no memory for a matrix of %d blocks", p->blocks);
}

static talus_status factor_masses(tl_body_system *s, bool *worth, tl_step *step)
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

/* Do two holds have the same ends, and may they be added together? */
static bool are_alike(const tl_body_problem *p, const tl_body_hold *a, const tl_body_hold *b)
{
    bool alike = a->ends == b->ends && tl_hold_is_joint(a) == tl_hold_is_joint(b);
    for (int e = 0; alike && e < a->ends; e++) {
        const tl_body_end *x = &p->end[a->end + e], *y = &p->end[b->end + e];
        alike = x->first == y->first && x->blocks == y->blocks;
    }
    return alike;
}

/* Bundles of the holds of a share, and room for their slots, which are looked for when they are needed. */
static talus_status make_bundles(const tl_body_problem *p, tl_body_share *a, tl_step *step)
{
    int depth = 0;
    size_t most = 0;
    a->bundle = tl_arena_alloc(step->arena, (size_t)a->holds + 1, sizeof *a->bundle);
    a->slot = tl_arena_alloc(step->arena, (size_t)a->holds + 1, sizeof *a->slot);
    if (!a->bundle || !a->slot) return no_memory(p, step);
    for (int i = 0; i < a->holds; i++) {
        const tl_body_hold *k = &p->hold[a->hold[i]];
        const int begin = a->bundles > 0 ? a->bundle[a->bundles - 1] : 0;
        const bool again = i > 0 && i - begin < TL_BODY_BUNDLE && are_alike(p, &p->hold[a->hold[begin]], k);
        depth = again ? depth + k->rows : k->rows;
        for (int e = k->end; e < k->end + k->ends; e++)
            if ((size_t)(depth * p->end[e].blocks) > most) most = (size_t)(depth * p->end[e].blocks);
        if (again) continue;
        const size_t blocks = (size_t)tl_body_count_blocks(p, k);
        int *slot = a->slot[a->bundles] = tl_arena_alloc(step->arena, blocks * blocks + 1, sizeof *slot);
        if (!slot) return no_memory(p, step);
        slot[0] = UNKNOWN;
        a->bundle[a->bundles++] = i;
    }
    a->bundle[a->bundles] = a->holds;
    a->DH = tl_arena_alloc(step->arena, 4 * most + 1, sizeof *a->DH);
    a->H = tl_arena_alloc(step->arena, 3 * most + 1, sizeof *a->H);
    return a->DH && a->H ? TALUS_OK : no_memory(p, step);
}

static talus_status make_room(tl_body_system *s, tl_step *step)
{
    const tl_body_problem *p = s->p;
    const size_t blocks = (size_t)p->blocks + 1, holds = (size_t)p->holds + 1;
    double(*vectors)[3] = tl_arena_zero(step->arena, 5 * blocks, sizeof *vectors);
    tl_hold_rows *rows = tl_arena_zero(step->arena, 3 * holds, sizeof *rows);
    if (!vectors || !rows) return no_memory(p, step);
    s->momentum = vectors, s->dv = vectors + blocks, s->Mdv = vectors + 2 * blocks, s->F = vectors + 3 * blocks, s->lag = vectors + 4 * blocks;
    s->u = rows, s->du = rows + holds, s->best = rows + 2 * holds;
    return TALUS_OK;
}

/* The part of a hold: that of its blocks which are not of the top. */
static int part_of_hold(const tl_body_system *s, const tl_body_hold *k)
{
    int part = s->parts;
    for (int e = k->end; e < k->end + k->ends && part == s->parts; e++)
        for (int b = 0; b < s->p->end[e].blocks && part == s->parts; b++) part = tl_body_matrix_part(&s->A, s->p->end[e].first + b);
    return part;
}

/* The part of a group that is all in it; others are of the top. */
static int part_of_group(const tl_body_system *s, const tl_body_group *group)
{
    const int part = tl_body_matrix_part(&s->A, group->first);
    for (int b = 1; b < group->blocks; b++)
        if (tl_body_matrix_part(&s->A, group->first + b) != part) return s->parts;
    return part;
}

static talus_status make_shares(tl_body_system *s, tl_step *step)
{
    const tl_body_problem *p = s->p;
    const size_t blocks = (size_t)p->blocks + 1, most = (size_t)tl_body_most_blocks(p) + 1;
    s->parts = tl_body_matrix_parts(&s->A);
    for (int part = 0; part <= s->parts; part++) {
        tl_body_share *a = &s->share[part];
        *a = (tl_body_share){.hold = tl_arena_alloc(step->arena, (size_t)p->holds + 1, sizeof *a->hold),
                             .group = tl_arena_alloc(step->arena, (size_t)p->groups + 1, sizeof *a->group),
                             .f = tl_arena_zero(step->arena, blocks, sizeof *a->f),
                             .list = tl_arena_alloc(step->arena, most, sizeof *a->list)};
        if (!a->hold || !a->group || !a->f || !a->list) return no_memory(p, step);
    }
    for (int i = 0; i < p->holds; i++) {
        tl_body_share *a = &s->share[part_of_hold(s, &p->hold[i])];
        a->hold[a->holds++] = i;
    }
    for (int g = 0; g < p->groups; g++) {
        tl_body_share *a = &s->share[part_of_group(s, &p->group[g])];
        a->group[a->groups++] = g;
    }
    for (int part = 0; part <= s->parts; part++) TL_TRY(make_bundles(p, &s->share[part], step));
    return TALUS_OK;
}

talus_status tl_body_system_make(tl_body_system *s, bool *worth, tl_step *step)
{
    *worth = false;
    s->step = step;
    TL_TRY(make_room(s, step));
    TL_TRY(tl_body_matrix_make(&s->A, s->p, worth, step));
    if (*worth) TL_TRY(factor_masses(s, worth, step));
    if (*worth) TL_TRY(make_shares(s, step));
    return TALUS_OK;
}

void tl_body_system_free(tl_body_system *s) { tl_body_matrix_free(&s->A); }

void tl_body_start(tl_body_system *s)
{
    tl_body_problem *p = s->p;
    p->error = 0;
    for (int i = 0; i < p->holds; i++) {
        const tl_body_hold *k = &p->hold[i];
        push_rows(p, k, k->I, s->momentum);
        memcpy(s->u[i], k->u, sizeof s->u[i]);
        memcpy(s->best[i], k->I, sizeof s->best[i]);
        p->error = worse(p->error, tl_hold_error(k, k->I, k->u));
    }
    keep_joints(s);
}
