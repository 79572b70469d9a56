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
#include "law/law3.h"
#include "solve/body_problem.h"
#include "solve/local.h"

/* ρ in units of 1/W of a row by itself: of what has bounds at first, its least and largest; of joints, which are linear. */
static const double FIRST = 10, LEAST = 1.5, LARGEST = 1e7, JOINT = 1e6;
static const double PART = 0.5;   /* of the error that a round leaves: so far may impulses and velocities disagree at its end */
static const double ENOUGH = 0.9; /* of the disagreement: a step that leaves no more is not shortened */
enum { ROUNDS = 24, TURNS = 8 };  /* turns: steps of a round; after so many rounds it is better to begin anew */

/* By which ρ grows after a round of so many steps. */
static double growth_after(int turns) { return turns <= 2 ? 3 : turns <= 5 ? 2 : 1.5; }

static const double DOWN = 3; /* by which it falls after one that does not end */

enum { UNKNOWN = INT_MIN }; /* slot */

typedef double row_values[TL_BODY_ROWS];

typedef struct newton {
    tl_body_problem *p;
    tl_sparse3 *A;
    double **mass_factor; /* [groups] Cholesky's of M; NULL: 1 */
    /* [blocks] M (v − v_free); step, and M times it; F; M⁻¹ F */
    double (*momentum)[3], (*dv)[3], (*Mdv)[3], (*F)[3], (*lag)[3];
    row_values *I0, *u, *du, *best, *rho; /* [holds] */
    int *list;                            /* the blocks of a hold or of a group, room */
    int **slot;                           /* [holds] of A, for all pairs of its blocks; NULL: not looked for yet */
    double *DH;                           /* [blocks of an end][rows][4], room */
    double stiff;
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

static void times_mass(const tl_body_problem *p, double (*v)[3], double (*out)[3])
{
    for (int g = 0; g < p->groups; g++) {
        const tl_body_group *group = &p->group[g];
        const double *x = velocity_of(p, v, g);
        double *y = velocity_of(p, out, g);
        for (int i = 0; i < 3 * group->blocks; i++) y[i] = group->M ? 0 : x[i];
        for (int i = 0; group->M && i < group->size; i++)
            for (int j = 0; j < group->size; j++) y[i] += group->M[i * group->size + j] * x[j];
    }
}

/* ---- what a hold answers ------------------------------------------------------------------------------------------------------ */

static bool is_joint(const tl_body_hold *k) { return k->disks == 0 && isinf(k->low) && isinf(k->high); }

/* 1/ρ of a row is Σ + W/stiff. Rows of a disk have the same: that of the row that moves most easily. */
static void find_rho(const tl_body_hold *k, double stiff, double *rho)
{
    const double by = is_joint(k) && stiff > 1 ? JOINT : stiff;
    for (int r = 0; r < k->rows; r++) rho[r] = k->own[r] > 0 ? 1 / (k->give[r] + k->own[r] / by) : 0;
    for (int i = 0; i < k->disks; i++) {
        const tl_body_disk *d = &k->disk[i];
        double least = (double)INFINITY;
        for (int r = d->first; r < d->first + d->rows; r++) least = tl_smaller(rho[r], least);
        for (int r = d->first; r < d->first + d->rows; r++) rho[r] = least;
    }
}

/* What a hold is asked: the impulses that are nearest to I° − ρ u, u without Σ I. Disks are those of the impulse `normal`; NULL: of the normal impulse of the
 * answer. */
typedef struct query {
    const double *I0, *u, *rho, *normal;
} query;

/* Tangential rows of one disk, which have no compliance. */
static void answer_disk(const tl_body_hold *k, const tl_body_disk *d, const query *q, double *I, double *D)
{
    const double rho = q->rho[d->first], radius = d->share * tl_larger(q->normal ? *q->normal : I[0], 0);
    const int n = k->rows;
    double y[TL_BODY_ROWS], length = 0;
    for (int r = 0; r < d->rows; r++) {
        y[r] = q->I0[d->first + r] - rho * q->u[d->first + r];
        length += y[r] * y[r];
    }
    length = sqrt(length);
    const double share = length > radius ? radius / length : 1;
    for (int r = 0; r < d->rows; r++) I[d->first + r] = share * y[r];
    for (int r = 0; D && r < d->rows; r++) {
        double *row = &D[(d->first + r) * n];
        for (int c = 0; c < d->rows; c++) row[d->first + c] = rho * share * ((r == c) - (share < 1 ? y[r] * y[c] / (length * length) : 0));
        if (share < 1) row[0] = d->share * y[r] / length * D[0]; /* the disk grows with the normal impulse */
    }
}

/* The answer I; D [rows][rows] = −∂I/∂u, if it is not NULL. */
static void answer(const tl_body_hold *k, const query *q, double *I, double *D)
{
    const int n = k->rows;
    if (D) memset(D, 0, (size_t)(n * n) * sizeof *D);
    for (int r = 0; r < n; r++) { /* those of disks are answered anew */
        const double wanted = q->I0[r] - q->rho[r] * (q->u[r] + k->give[r] * q->I0[r]);
        I[r] = tl_larger(k->low, tl_smaller(wanted, k->high));
        if (D && wanted > k->low && wanted < k->high) D[r * n + r] = q->rho[r];
    }
    for (int i = 0; i < k->disks; i++) answer_disk(k, &k->disk[i], q, I, D);
}

/* A contact without an impulse that opens: it answers with none. */
static bool is_open(const tl_body_hold *k, const double *I0, const double *u) { return k->disks > 0 && k->low >= 0 && !(I0[0] > 0) && u[0] >= 0; }

/* Of the present round. */
static void answer_now(const newton *s, int hold, const double *u, double *I, double *D)
{
    answer(&s->p->hold[hold], &(query){s->I0[hold], u, s->rho[hold], NULL}, I, D);
}

/* Friction and nothing else. */
static bool is_contact(const tl_body_hold *k) { return k->disks == 1 && k->rows == 1 + k->disk[0].rows && k->rows <= 3 && k->low >= 0; }

/* How far impulses and velocities are from obeying [m/s]: of contacts the natural map of their law; of others ‖I − P(I − ρ u)‖ / ρ with the ρ of the rows' own
 * W, and disks of the present normal impulse. */
static double error_of(const tl_body_hold *k, const double *I, const double *u)
{
    row_values next, rho;
    double sum = 0;
    if (is_contact(k)) {
        double trace = 0, v[3] = {0}, J[3] = {0};
        for (int r = 0; r < k->rows; r++) trace += k->own[r] + k->give[r], v[r] = u[r] + k->give[r] * I[r], J[r] = I[r];
        const double W = trace / k->rows;
        return W > 0 ? tl_coulomb3_residual(&(tl_delassus3){.nn = W, .tt = W, .ss = W}, k->disk[0].share, v, J) : 0;
    }
    find_rho(k, 1, rho);
    answer(k, &(query){I, u, rho, I}, next, NULL);
    for (int r = 0; r < k->rows; r++) {
        const double e = rho[r] > 0 ? (I[r] - next[r]) / rho[r] : 0;
        sum += e * e;
    }
    return sqrt(sum);
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
static void find_slots(const newton *s, const tl_body_hold *k, int *slot)
{
    const int n = list_blocks(s->p, k, s->list);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) *slot++ = tl_sparse3_slot(s->A, s->list[i], s->list[j]);
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

/* A += H D Hᵀ of one hold, over all pairs of its blocks. */
static void add_hold(newton *s, int hold, const double *D)
{
    const tl_body_hold *k = &s->p->hold[hold];
    bool some = false;
    for (int r = 0; r < k->rows; r++) some |= D[r * k->rows + r] != 0;
    if (!some) return; /* it is open */
    const int blocks = count_blocks(s->p, k);
    int *slot = s->slot[hold];
    if (slot[0] == UNKNOWN) find_slots(s, k, slot);
    for (int f = k->end; f < k->end + k->ends; f++) {
        const tl_body_end *b = &s->p->end[f];
        const int *at = slot;
        times_end(k, b, D, s->DH);
        for (int e = k->end; e < k->end + k->ends; e++) {
            const tl_body_end *a = &s->p->end[e];
            tl_sparse3_add_products(s->A, &(tl_sparse3_products){a->blocks, b->blocks, k->rows, at, blocks, a->H, s->DH});
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
            tl_sparse3_add_at(s->A, tl_sparse3_slot(s->A, group->first + i, group->first + j), block);
        }
}

/* What no step changes of the matrix: masses and joints. */
static void keep_joints(newton *s)
{
    tl_sparse3_clear(s->A);
    for (int g = 0; g < s->p->groups; g++) add_mass(s, &s->p->group[g]);
    for (int i = 0; i < s->p->holds; i++) {
        row_values I;
        double D[TL_BODY_ROWS * TL_BODY_ROWS];
        if (!is_joint(&s->p->hold[i])) continue;
        answer_now(s, i, s->u[i], I, D);
        add_hold(s, i, D);
    }
    tl_sparse3_keep(s->A);
}

/* ---- a step ------------------------------------------------------------------------------------------------------------------- */

/* F where a share t of the step has been taken, and M⁻¹ F. Returns the norm of F in M⁻¹: the root of twice the energy by which impulses and velocities
 * disagree. */
static double disagreement(newton *s, double t)
{
    const tl_body_problem *p = s->p;
    double sum = 0;
    for (int i = 0; i < p->blocks; i++)
        for (int m = 0; m < 3; m++) s->F[i][m] = -(s->momentum[i][m] + t * s->Mdv[i][m]);
    for (int i = 0; i < p->holds; i++) {
        const tl_body_hold *k = &p->hold[i];
        row_values u = {0}, I;
        for (int r = 0; r < k->rows; r++) u[r] = s->u[i][r] + t * s->du[i][r];
        if (is_open(k, s->I0[i], u)) continue;
        answer_now(s, i, u, I, NULL);
        push_rows(p, k, I, s->F);
    }
    for (int i = 0; i < p->blocks; i++)
        for (int m = 0; m < 3; m++) s->lag[i][m] = s->F[i][m] = -s->F[i][m];
    for (int g = 0; g < p->groups; g++)
        if (s->mass_factor[g]) tl_cholesky_solve(s->mass_factor[g], p->group[g].size, velocity_of(p, s->lag, g));
    for (int i = 0; i < p->blocks; i++)
        for (int m = 0; m < 3; m++) sum += s->F[i][m] * s->lag[i][m];
    return sum >= 0 ? sqrt(sum) : isnan(sum) ? (double)INFINITY : 0;
}

/* dv = −A⁻¹ F. False: no factor. */
static bool find_step(newton *s)
{
    const tl_body_problem *p = s->p;
    tl_sparse3_recall(s->A);
    for (int i = 0; i < p->holds; i++) {
        row_values I;
        double D[TL_BODY_ROWS * TL_BODY_ROWS];
        if (is_joint(&p->hold[i]) || is_open(&p->hold[i], s->I0[i], s->u[i])) continue;
        answer_now(s, i, s->u[i], I, D);
        add_hold(s, i, D);
    }
    if (!tl_sparse3_factor_general(s->A)) return false;
    for (int i = 0; i < p->blocks; i++)
        for (int m = 0; m < 3; m++) s->dv[i][m] = -s->F[i][m];
    tl_sparse3_solve_general(s->A, s->dv);
    times_mass(p, s->dv, s->Mdv);
    for (int i = 0; i < p->holds; i++) read_rows(p, &p->hold[i], s->dv, s->du[i]);
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

/* The impulses of the present answer, and the largest error of these with the velocities that they make, u − Hᵀ M⁻¹ F; `lag`: the largest difference of the
 * two velocities. The best impulses are remembered. */
static double measure(newton *s, double *lag)
{
    tl_body_problem *p = s->p;
    double error = 0;
    *lag = 0;
    for (int i = 0; i < p->holds; i++) {
        tl_body_hold *k = &p->hold[i];
        row_values u = {0}, behind = {0};
        answer_now(s, i, s->u[i], k->I, NULL);
        read_rows(p, k, s->lag, behind);
        for (int r = 0; r < k->rows; r++) {
            *lag = fmax(*lag, fabs(behind[r]));
            u[r] = s->u[i][r] - behind[r];
        }
        const double own = is_open(k, k->I, u) ? 0 : error_of(k, k->I, u);
        error = worse(error, own);
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
    for (int i = 0; i < s->p->holds; i++) find_rho(&s->p->hold[i], s->stiff, s->rho[i]);
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
        p->error = worse(p->error, error_of(k, k->I, k->u));
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
    int most = p->blocks;
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
    int *list = s->list = tl_arena_alloc(step->arena, (size_t)most_blocks(p) + 1, sizeof *list);
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
    row_values *rows = tl_arena_zero(step->arena, 5 * holds, sizeof *rows);
    int widest = 0;
    for (int e = 0; e < p->ends; e++) widest = p->end[e].blocks > widest ? p->end[e].blocks : widest;
    s->DH = tl_arena_alloc(step->arena, (size_t)(4 * widest * TL_BODY_ROWS) + 1, sizeof *s->DH);
    if (!vectors || !rows || !s->DH) return no_memory(p, step);
    s->momentum = vectors, s->dv = vectors + blocks, s->Mdv = vectors + 2 * blocks, s->F = vectors + 3 * blocks, s->lag = vectors + 4 * blocks;
    s->I0 = rows, s->u = rows + holds, s->du = rows + 2 * holds, s->best = rows + 3 * holds, s->rho = rows + 4 * holds;
    return TALUS_OK;
}

talus_status tl_body_solve(tl_body_problem *p, tl_step *step)
{
    newton s = {.p = p};
    bool worth = false;
    p->iterations = 0;
    p->error = (double)INFINITY;
    TL_TRY(make_room(&s, step));
    talus_status status = make_matrix(&s, &worth, step);
    if (status == TALUS_OK && worth) status = factor_masses(&s, &worth, step);
    if (status == TALUS_OK && worth) status = make_slots(&s, step);
    if (status == TALUS_OK && worth) run(&s);
    tl_sparse3_destroy(s.A);
    return status;
}
