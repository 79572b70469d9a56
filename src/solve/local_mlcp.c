/* The contact problem as a value by the solvers of mixed linear complementarity problems (mlcp.h; theory §5.5, §5.6; N18 §4.2): three rows a contact, R = W,
 * and no velocities besides.
 *
 * What a pass solves is friction in a box: along each of two tangents a bound that is μ times the normal impulse, of the pass before or of the present. In the
 * plane the box is the cone. In space it would be another law, whose friction depends on the choice of tangents and is up to √2 too large. So before each pass
 * the box is turned, one side along where friction goes when nothing bounds it,
 *
 *     x = I_t − u_t / W_ss,       t ∥ x,       |I · t| ≤ μ I_n,       |I · s| ≤ μ I_n (1 − min(1, ‖x‖/(μ I_n))²)^{1/2},
 *
 * s the tangent across t: what slips has friction along t alone, and slips where it will; what sticks has a box that touches the disk. Where x is along t after
 * the pass, too, Coulomb's law holds: either there is room across, then u_s = 0 and I_s = 0, or there is none, then I_s = 0 and x_s = 0 make u_s = 0. Until
 * then the error, which is that of the cone, says how far it is.
 *
 * Pivoting wants a definite matrix, and W is only semidefinite. So every row gives by a small part of its own W_kk, and what it gave at the impulses from which
 * the pass begins is taken back: a proximal point, whose error goes away with what the pass changes. Where a pass takes too many factors, more of it. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/math.h"
#include "solve/local.h"
#include "solve/mlcp_internal.h"

enum { ROWS = 3, LOOK = 8, FACTORS = 20 }; /* of a contact; sweeps of all rows between two looks at the error; of one pass at most */

static const double FIRST_HELD = 1e-4, LEAST_HELD = 1e-9, MOST_HELD = 1e6; /* of W_kk, by which rows give */
static const double LEAST_SHARE = 0.2;                                     /* of a pass's impulses in those from which the next begins */

typedef enum way { PIVOT, SPLIT, SWEEPS } way;

typedef struct rows {
    tl_local *p;
    way how;
    tl_mlcp q;
    tl_mlcp_work work;
    tl_mlcp_task task;
    int *begin, *own_begin, *own_column, *normal; /* begin: of G, which has nothing */
    double *own, *r, *none, *give, *low, *high, *friction, *lambda;
    double held;                /* rows give by so much of their W_kk */
    double (*t)[2];             /* first tangent of a box along those of the problem */
    double (*from)[3], (*u)[3]; /* impulses from which the next pass begins, and their velocities, scaled as the problem's */
} rows;

static bool make_room(rows *x)
{
    const tl_local *p = x->p;
    const tl_memory m = p->memory;
    const size_t contacts = (size_t)p->contacts, n = ROWS * contacts;
    if (p->blocks > INT_MAX / (ROWS * ROWS)) return false;
    double **const vectors[] = {&x->r, &x->none, &x->give, &x->low, &x->high, &x->friction, &x->lambda};
    bool enough = true;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) enough = (*vectors[i] = tl_alloc(m, n, sizeof **vectors[i])) != NULL && enough;
    x->begin = tl_alloc(m, n + 1, sizeof *x->begin), x->own_begin = tl_alloc(m, n + 1, sizeof *x->own_begin);
    x->normal = tl_alloc(m, n, sizeof *x->normal);
    x->own_column = tl_alloc(m, (size_t)p->blocks * ROWS * ROWS, sizeof *x->own_column);
    x->own = tl_alloc(m, (size_t)p->blocks * ROWS * ROWS, sizeof *x->own);
    x->t = tl_alloc(m, contacts, sizeof *x->t), x->from = tl_alloc(m, contacts, sizeof *x->from), x->u = tl_alloc(m, contacts, sizeof *x->u);
    return enough && x->begin && x->own_begin && x->normal && x->own_column && x->own && x->t && x->from && x->u;
}

static void free_room(rows *x)
{
    void *const all[] = {x->r,         x->none,   x->give,       x->low, x->high, x->friction, x->lambda, x->begin,
                         x->own_begin, x->normal, x->own_column, x->own, x->t,    x->from,     x->u};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) tl_free(x->p->memory, all[i]);
}

/* Rows in their order, and what does not change. */
static void lay_out(rows *x)
{
    const tl_local *p = x->p;
    int next = 0;
    for (int i = 0; i < p->contacts; i++)
        for (int a = 0; a < ROWS; a++) {
            const int k = ROWS * i + a;
            x->own_begin[k] = next;
            for (int b = p->row[i]; b < p->row[i + 1]; b++)
                for (int c = 0; c < ROWS; c++) x->own_column[next++] = ROWS * p->column[b] + c;
            x->normal[k] = a > 0 ? ROWS * i : -1;
            x->friction[k] = p->friction[i];
            x->high[k] = (double)INFINITY;
        }
    x->own_begin[ROWS * p->contacts] = next;
    for (int i = 0; i < p->contacts; i++) x->t[i][0] = 1;
    x->q = (tl_mlcp){.rows = ROWS * p->contacts,
                     .begin = x->begin,
                     .own_begin = x->own_begin,
                     .own_column = x->own_column,
                     .own = x->own,
                     .give = x->give,
                     .r = x->r,
                     .low = x->low,
                     .high = x->high,
                     .normal = x->normal,
                     .friction = x->friction,
                     .v = x->none,
                     .p = x->none,
                     .lambda = x->lambda};
}

/* Along the axes of the box of contact i. */
static inline void turn(const rows *x, int i, const double a[3], double out[3])
{
    const double *t = x->t[i];
    out[0] = a[0], out[1] = t[0] * a[1] + t[1] * a[2], out[2] = t[0] * a[2] - t[1] * a[1];
}

/* R of contact i and another: block b along the axes of both boxes, as velocities of impulses that are not scaled. */
static void write_block(rows *x, int i, int b)
{
    const tl_local *p = x->p;
    const int j = p->column[b];
    const double *W = p->block[b], scale = 1 / (p->sigma[i] * p->sigma[j]);
    double half[9]; /* transposed: its columns along the axes of contact i */
    for (int c = 0; c < ROWS; c++) turn(x, i, (double[3]){W[c], W[3 + c], W[6 + c]}, &half[3 * c]);
    for (int a = 0; a < ROWS; a++) {
        double *own = &x->own[x->own_begin[ROWS * i + a] + ROWS * (b - p->row[i])];
        turn(x, j, (double[3]){half[a], half[3 + a], half[6 + a]}, own);
        for (int c = 0; c < ROWS; c++) own[c] *= scale;
        if (j == i) x->give[ROWS * i + a] = x->held * own[a];
    }
}

/* All numbers of the rows; λ of the impulses to begin with. */
static void write_rows(rows *x)
{
    const tl_local *p = x->p;
    for (int i = 0; i < p->contacts; i++) {
        double q[3], J[3];
        turn(x, i, p->q[i], q), turn(x, i, x->from[i], J);
        for (int b = p->row[i]; b < p->row[i + 1]; b++) write_block(x, i, b);
        for (int a = 0; a < ROWS; a++) {
            const int k = ROWS * i + a;
            x->lambda[k] = J[a] * p->sigma[i];
            x->r[k] = x->give[k] * x->lambda[k] - q[a] / p->sigma[i];
        }
    }
    tl_mlcp_scale(&x->work);
}

/* Boxes to where friction of the impulses to begin with goes, W_ss across where they were. */
static void turn_boxes(rows *x)
{
    const tl_local *p = x->p;
    tl_local_velocity(p, (const double(*)[3])x->from, x->u);
    for (int i = 0; i < p->contacts; i++) {
        const double *W = p->block[p->diagonal[i]], *I = x->from[i], *u = x->u[i], mu = p->friction[i], most = mu * I[0];
        double *t = x->t[i];
        const double across = t[1] * t[1] * W[4] - t[0] * t[1] * (W[5] + W[7]) + t[0] * t[0] * W[8], rho = across > 0 ? 1 / across : 0;
        const double along[2] = {I[1] - rho * u[1], I[2] - rho * u[2]}, size = hypot(along[0], along[1]);
        const double full = size < most ? size / most : size > 0 ? 1 : 0;
        x->friction[ROWS * i + 2] = mu * sqrt(1 - full * full);
        if (size > 0 && (along[1] != 0 || t[1] != 0)) t[0] = along[0] / size, t[1] = along[1] / size; /* in the plane they stay */
    }
    write_rows(x);
}

/* The impulses of λ become the present ones; their error. */
static double read_rows(rows *x)
{
    tl_local *p = x->p;
    for (int i = 0; i < p->contacts; i++) {
        const double *l = &x->lambda[ROWS * i], *t = x->t[i], scale = 1 / p->sigma[i];
        p->I[i][0] = l[0] * scale, p->I[i][1] = (t[0] * l[1] - t[1] * l[2]) * scale, p->I[i][2] = (t[1] * l[1] + t[0] * l[2]) * scale;
    }
    return tl_local_error_now(p);
}

/* At most so many sweeps, or one pass; how many they were. A turn of `split` ends with its direct half, and the first begins with it, too. */
static talus_status pass(rows *x, bool first, int most, int *taken, tl_error *error)
{
    *taken = 1;
    if (x->how == PIVOT) return tl_mlcp_pivot_pass(&x->work, &x->task, error);
    if (x->how == SPLIT) {
        if (first) TL_TRY(tl_mlcp_direct(&x->work, &x->task, error));
        tl_mlcp_sweep(&x->work, true);
        return tl_mlcp_direct(&x->work, &x->task, error);
    }
    *taken = most < LOOK ? most : LOOK;
    for (int k = 0; k < *taken; k++) tl_mlcp_sweep(&x->work, false);
    return TALUS_OK;
}

/* The next pass begins from this share of the present impulses and the rest of what the last began from. */
static void mix(rows *x, double share)
{
    const tl_local *p = x->p;
    for (int i = 0; i < p->contacts; i++)
        for (int m = 0; m < ROWS; m++) x->from[i][m] += share * (p->I[i][m] - x->from[i][m]);
}

/* What the error of a row may be for all together to be within the tolerance, but for rounding. */
static double tolerance_of(const tl_local *p, double tolerance)
{
    double most = 0;
    for (int i = 0; i < p->contacts; i++)
        for (int m = 0; m < ROWS; m++) most = fmax(most, fabs(p->q[i][m]) / p->sigma[i]);
    return fmax(tolerance * p->unit / sqrt(ROWS * (double)p->contacts), 1e-12 * most);
}

/* declined: a factor would be too large. */
static talus_status open_rows(rows *x, tl_local_task *task, tl_error *error)
{
    const tl_local *p = x->p;
    task->declined = x->how != SWEEPS && p->contacts > TL_FACTOR_BLOCKS;
    if (task->declined) return TALUS_OK;
    if (!make_room(x)) return tl_fail(error, TALUS_MEMORY, "no memory for %d contacts", p->contacts);
    lay_out(x);
    memcpy(x->from, p->I, (size_t)p->contacts * sizeof *x->from);
    TL_TRY(tl_mlcp_open(&x->work, p->memory, &x->q, error));
    if (x->how != PIVOT) TL_TRY(tl_mlcp_prepare_sweeps(&x->work, error));
    if (x->how == SWEEPS) return TALUS_OK;
    x->held = FIRST_HELD;
    x->task = (tl_mlcp_task){.tolerance = tolerance_of(p, task->tolerance), .most = FACTORS};
    if (task->deadline < (double)INFINITY) x->task.deadline = task->deadline;
    TL_TRY(tl_mlcp_make_matrix(&x->work, error));
    task->declined = !(tl_sparse3_work(x->work.matrix) < TL_FACTOR_WORK);
    return TALUS_OK;
}

/* After a pass that came to its end. Where feet on a floor do not all reach it, the load moves from one to others by so little a pass that the error stays as
 * it is: then rows have to give less. */
static void hold(rows *x, double now, double last)
{
    const bool stalls = fabs(now - last) < 0.01 * last;
    if (stalls) x->held = fmax(x->held / 10, LEAST_HELD);
    else if (x->held > FIRST_HELD) x->held = fmax(x->held / 2, FIRST_HELD);
}

static talus_status run(rows *x, tl_local_task *task, tl_error *error)
{
    tl_local *p = x->p;
    const size_t bytes = (size_t)p->contacts * sizeof *p->I;
    double share = 1, last = (double)INFINITY;
    talus_status status = TALUS_OK;
    while (task->iterations < task->max_iterations && task->error > task->tolerance && !tl_local_is_late(task->deadline)) {
        int taken;
        turn_boxes(x);
        status = pass(x, task->iterations == 0, task->max_iterations - task->iterations, &taken, error);
        if (status != TALUS_OK) break;
        task->iterations += taken;
        if (x->task.cut) {
            x->held = tl_smaller(10 * x->held, MOST_HELD);
            continue; /* the same again */
        }
        const double now = read_rows(x);
        if (now < task->error) {
            task->error = now;
            memcpy(p->best, p->I, bytes);
        }
        if (x->how != SWEEPS) hold(x, now, last);
        if (x->how == PIVOT) share = now < last ? tl_smaller(1, 1.2 * share) : fmax(share / 2, LEAST_SHARE);
        last = now;
        mix(x, share);
    }
    memcpy(p->I, p->best, bytes);
    return status == TALUS_SINGULAR ? TALUS_OK : status; /* a W that is not semidefinite: the best so far */
}

static talus_status solve(tl_local *p, way how, tl_local_task *task, tl_error *error)
{
    rows x = {.p = p, .how = how};
    task->iterations = 0;
    task->error = tl_local_error_now(p);
    memcpy(p->best, p->I, (size_t)p->contacts * sizeof *p->I);
    talus_status status = open_rows(&x, task, error);
    if (status == TALUS_OK && !task->declined) status = run(&x, task, error);
    tl_mlcp_close(&x.work);
    free_room(&x);
    return status;
}

talus_status tl_local_pivot(tl_local *p, tl_local_task *task, tl_error *error) { return solve(p, PIVOT, task, error); }

talus_status tl_local_split(tl_local *p, tl_local_task *task, tl_error *error) { return solve(p, SPLIT, task, error); }

talus_status tl_local_pgs(tl_local *p, tl_local_task *task, tl_error *error) { return solve(p, SWEEPS, task, error); }
