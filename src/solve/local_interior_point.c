/* Interior points for the cone program to which the convexified law is equivalent (Y19; Anitescu & Tasora 2010):
 *
 *     ½ I·W I + (q + s n)·I  least,  I in the friction cones;      its multipliers are û = W I + q + s n, in the dual cones.
 *
 * With I = T x, z = T û, T = diag(1, μ, μ), both lie in the same cone L = {x_0 ≥ ‖x_t‖}, and W, q stand for T W T, T (q + s n). Each step linearises x ∘ z = σ
 * m e in the scaling that makes both equal, λ = G x = G⁻¹ z (Nesterov & Todd 1997), and is predicted, then corrected (Mehrotra 1992):
 *
 *     (W + G²) dx = G d − (W x + q − z),     dz = G d − G² dx.
 *
 * A handful of factorizations bring all digits, however singular W is; but the iteration has to begin far inside the
 * cones, so that a first guess is no help. Coulomb's law follows by renewing s = μ ‖u_t‖, as in local_ccp.c. */
#include <math.h>
#include <string.h>

#include "base/sparse3.h"
#include "solve/cone_scaling.h"
#include "solve/local.h"

enum { DAMPINGS = 5 };
static const double ROUNDING = 1e-16;                           /* first damping where the matrix is singular to rounding; W is of order 1 */
static const double CLOSE = 0.99, STALLED = 1e-8, ENOUGH = 0.1; /* to the border; step; error of the convex problem at which s is renewed */
static const double SHRUNK = 1e-26;                             /* of the first m: beyond, only rounding moves */

typedef struct interior {
    tl_local *p;
    double *s; /* opening of each contact */
    double (*x)[3], (*z)[3], (*dx)[3], (*dz)[3], (*r)[3], (*d)[3], (*I)[3], (*u)[3], (*best)[3];
    tl_cone_scaling *G;
    tl_sparse3 *A;
    double first; /* the m that a start had */
} interior;

/* ---- all cones ---------------------------------------------------------------------------------------------------- */

/* T v. */
static void times_T(const interior *s, int i, const double v[3], double out[3])
{
    const double mu = s->p->friction[i];
    out[0] = v[0], out[1] = mu * v[1], out[2] = mu * v[2];
}

/* Impulses, their velocities, and the residual r = W x + q − z. */
static void look(interior *s)
{
    const tl_local *p = s->p;
    for (int i = 0; i < p->contacts; i++) times_T(s, i, s->x[i], s->I[i]);
    tl_local_velocity(p, (const double(*)[3])s->I, s->u);
    for (int i = 0; i < p->contacts; i++) {
        const double opened[3] = {s->u[i][0] + s->s[i], s->u[i][1], s->u[i][2]};
        times_T(s, i, opened, s->r[i]);
        for (int m = 0; m < 3; m++) s->r[i][m] -= s->z[i][m];
    }
}

static double mean_product(const interior *s, double step)
{
    double sum = 0;
    for (int i = 0; i < s->p->contacts; i++)
        for (int m = 0; m < 3; m++) sum += (s->x[i][m] + step * s->dx[i][m]) * (s->z[i][m] + step * s->dz[i][m]);
    return sum / s->p->contacts;
}

/* W + G² of the present scaling. */
static bool factor(interior *s)
{
    const tl_local *p = s->p;
    tl_sparse3_clear(s->A);
    for (int i = 0; i < p->contacts; i++) {
        if (!tl_cone_scale(s->x[i], s->z[i], &s->G[i])) return false;
        for (int k = p->row[i]; k < p->row[i + 1]; k++) {
            const int j = p->column[k];
            if (j > i) continue;
            double block[9];
            for (int m = 0; m < 9; m++) block[m] = (m / 3 ? p->friction[i] : 1) * p->block[k][m] * (m % 3 ? p->friction[j] : 1);
            tl_sparse3_add(s->A, i, j, block);
        }
        double square[9];
        tl_cone_square(&s->G[i], square);
        tl_sparse3_add(s->A, i, i, square);
    }
    if (tl_sparse3_factor(s->A, 0)) return true;
    double damping = ROUNDING; /* W is singular, and G² at last too small to mend it */
    for (int k = 0; k < DAMPINGS; k++, damping *= 100)
        if (tl_sparse3_factor(s->A, damping)) return true;
    return false;
}

/* dx and dz of d. */
static void solve(interior *s)
{
    for (int i = 0; i < s->p->contacts; i++) {
        double right[3] = {s->d[i][0], s->d[i][1], s->d[i][2]};
        tl_cone_times_G(&s->G[i], right);
        memcpy(s->dz[i], right, sizeof right);
        for (int m = 0; m < 3; m++) s->dx[i][m] = right[m] - s->r[i][m];
    }
    tl_sparse3_solve(s->A, s->dx);
    for (int i = 0; i < s->p->contacts; i++) {
        double back[3] = {s->dx[i][0], s->dx[i][1], s->dx[i][2]};
        tl_cone_times_G(&s->G[i], back);
        tl_cone_times_G(&s->G[i], back);
        for (int m = 0; m < 3; m++) s->dz[i][m] -= back[m];
    }
}

static double longest(const interior *s)
{
    double step = 1;
    for (int i = 0; i < s->p->contacts; i++) step = fmin(step, fmin(tl_cone_room(s->x[i], s->dx[i]), tl_cone_room(s->z[i], s->dz[i])));
    return step;
}

/* Predicts with σ = 0, corrects; false: no step helps any more. */
static bool advance(interior *s)
{
    if (!factor(s)) return false;
    const double m = mean_product(s, 0);
    for (int i = 0; i < s->p->contacts; i++)
        for (int k = 0; k < 3; k++) s->d[i][k] = -s->G[i].lambda[k];
    solve(s);
    const double share = pow(fmax(mean_product(s, longest(s)) / m, 0), 3) * m;
    for (int i = 0; i < s->p->contacts; i++) tl_cone_correct(&s->G[i], s->dx[i], s->dz[i], share, s->d[i]);
    solve(s);
    const double step = fmin(1, CLOSE * longest(s));
    for (int i = 0; i < s->p->contacts; i++) {
        for (int k = 0; k < 3; k++) s->x[i][k] += step * s->dx[i][k], s->z[i][k] += step * s->dz[i][k];
        tl_cone_stay_inside(s->x[i]);
        tl_cone_stay_inside(s->z[i]);
    }
    return step > STALLED && m > SHRUNK * s->first;
}

/* Inside, as far as the data are large. */
static void start(interior *s)
{
    double size = 0;
    for (int i = 0; i < s->p->contacts; i++) size = fmax(size, fmax(fabs(s->p->q[i][0]) + s->s[i], hypot(s->p->q[i][1], s->p->q[i][2])));
    if (!(size > 0)) size = 1;
    for (int i = 0; i < s->p->contacts; i++)
        for (int m = 0; m < 3; m++) s->x[i][m] = s->z[i][m] = m == 0 ? size : 0;
    s->first = size * size;
}

static void run(interior *s, tl_local_task *task)
{
    const tl_local *p = s->p;
    const size_t bytes = (size_t)p->contacts * sizeof *s->x;
    for (int i = 0; i < p->contacts; i++) s->s[i] = tl_local_opening(p, i, s->u[i]);
    start(s);
    for (task->iterations = 0; task->iterations < task->max_iterations && task->error > task->tolerance && !tl_local_is_late(task->deadline);) {
        look(s);
        const double(*I)[3] = (const double(*)[3])s->I, (*u)[3] = (const double(*)[3])s->u;
        const double error = tl_local_error(p, I, u), held = tl_local_error_held(p, s->s, I, u);
        if (error < task->error) task->error = error, memcpy(s->best, s->I, bytes);
        const bool on = advance(s);
        task->iterations++;
        if (on && (p->convex || held > ENOUGH * error)) continue;
        if (p->convex) return;
        for (int i = 0; i < p->contacts; i++) s->s[i] = tl_local_opening(p, i, s->u[i]);
        start(s);
    }
}

static talus_status make_matrix(interior *s, bool *worth, tl_error *error)
{
    const tl_local *p = s->p;
    s->A = tl_sparse3_create(p->memory, p->contacts);
    if (!s->A) return tl_fail(error, TALUS_MEMORY, "no memory for a matrix of %d blocks", p->contacts);
    for (int i = 0; i < p->contacts; i++)
        for (int k = p->row[i]; k < p->row[i + 1]; k++) tl_sparse3_couple(s->A, (const int[2]){i, p->column[k]}, 2);
    TL_TRY(tl_sparse3_order(s->A, error));
    *worth = tl_sparse3_work(s->A) < TL_FACTOR_WORK;
    return TALUS_OK;
}

talus_status tl_local_interior_point(tl_local *p, tl_local_task *task, tl_error *error)
{
    const size_t n = (size_t)p->contacts;
    double(*vectors)[3] = tl_alloc(p->memory, 9 * n, sizeof *vectors), *held = tl_alloc(p->memory, n, sizeof *held);
    interior s = {.p = p, .s = held, .G = tl_alloc(p->memory, n, sizeof *s.G)};
    talus_status status = vectors && held && s.G ? TALUS_OK : tl_fail(error, TALUS_MEMORY, "no memory for %d contacts", p->contacts);
    bool worth = p->contacts <= TL_FACTOR_BLOCKS;
    if (status == TALUS_OK) {
        double(**const part[])[3] = {&s.x, &s.z, &s.dx, &s.dz, &s.r, &s.d, &s.I, &s.u, &s.best};
        for (size_t i = 0; i < sizeof part / sizeof *part; i++) *part[i] = vectors + i * n;
        tl_local_velocity(p, (const double(*)[3])p->I, s.u);
        task->iterations = 0;
        task->error = tl_local_error(p, (const double(*)[3])p->I, (const double(*)[3])s.u);
        memcpy(s.best, p->I, n * sizeof *p->I);
        if (worth) status = make_matrix(&s, &worth, error);
    }
    task->declined = !worth;
    if (status == TALUS_OK && worth) {
        run(&s, task);
        memcpy(p->I, s.best, n * sizeof *p->I);
    }
    tl_sparse3_destroy(s.A);
    tl_free(p->memory, vectors);
    tl_free(p->memory, held);
    tl_free(p->memory, s.G);
    return status;
}
