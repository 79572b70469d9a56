/* Nonsmooth Newton on the natural map F(I) = I − P_K(I − û) of all contacts, with Levenberg–Marquardt's damping: the error measure itself is what every step
 * must lower, and a damping that goes to zero with F keeps the convergence fast where W is singular and the impulses are not unique (Yamashita & Fukushima
 * 2001).
 *
 * With D = ∂P, E the unit matrix, u_t = ‖u_t‖ t and U = E + μ n tᵀ, so that dû = U du:   J = (E − D) + D U W.
 * Where P = 0, F = I and the step is −I: such contacts do not enter the matrix. */
#include <math.h>
#include <string.h>

#include "base/sparse3.h"
#include "solve/local.h"

enum { TRIES = 12, PATIENCE = 8 }; /* dampings of one step; steps that hardly help */

typedef struct newton {
    tl_local *p;
    double (*u)[3], (*F)[3], (*trial)[3], (*u_trial)[3], (*F_trial)[3];
    double (*D)[9], (*DU)[9];
    int *place, closed, *list; /* of a contact among the closed ones, −1: open                     */
    double (*J)[9];            /* of a row: its blocks, where the columns are closed               */
    tl_sparse3 *G;             /* Jᵀ J                                                              */
    double (*right)[3], (*step)[3];
    double merit, theta;
} newton;

static bool make_room(newton *s)
{
    tl_memory m = s->p->memory;
    const size_t n = (size_t)s->p->contacts;
    double(**const vectors[])[3] = {&s->u, &s->F, &s->trial, &s->u_trial, &s->F_trial};
    bool enough = true;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) enough = (*vectors[i] = tl_alloc(m, n, sizeof **vectors[i])) != NULL && enough;
    s->D = tl_alloc(m, n, sizeof *s->D), s->DU = tl_alloc(m, n, sizeof *s->DU), s->place = tl_alloc(m, n, sizeof *s->place);
    s->list = tl_alloc(m, n, sizeof *s->list), s->J = tl_alloc(m, n, sizeof *s->J);
    s->right = tl_alloc(m, n, sizeof *s->right), s->step = tl_alloc(m, n, sizeof *s->step);
    return enough && s->D && s->DU && s->place && s->list && s->J && s->right && s->step;
}

static void free_room(newton *s)
{
    void *const all[] = {s->u, s->F, s->trial, s->u_trial, s->F_trial, s->D, s->DU, s->place, s->list, s->J, s->right, s->step};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) tl_free(s->p->memory, all[i]);
    tl_sparse3_destroy(s->G);
}

/* F of impulses, and half its squared norm. */
static double evaluate(const tl_local *p, double (*I)[3], double (*u)[3], double (*F)[3])
{
    double squares = 0;
    tl_local_velocity(p, (const double(*)[3])I, u);
    for (int i = 0; i < p->contacts; i++) {
        tl_coulomb3_natural_map(p->friction[i], tl_local_opening(p, i, u[i]), I[i], u[i], F[i]);
        squares += F[i][0] * F[i][0] + F[i][1] * F[i][1] + F[i][2] * F[i][2];
    }
    return 0.5 * squares;
}

/* D and D U of one contact; false where the projection is zero. */
static bool differentiate(const tl_local *p, int i, const double u[3], double D[9], double DU[9])
{
    const double mu = p->friction[i], *I = p->I[i], sliding = hypot(u[1], u[2]), opening = tl_local_opening(p, i, u);
    const double x[3] = {I[0] - (u[0] + opening), I[1] - u[1], I[2] - u[2]}, aside = hypot(x[1], x[2]);
    const double slope = sliding > 0 ? opening / (sliding * sliding) : 0, w[2] = {slope * u[1], slope * u[2]};
    if (mu * aside <= -x[0]) return false;
    if (aside <= mu * x[0]) memcpy(D, (double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}, 9 * sizeof *D);
    else {
        const double share = 1 / (1 + mu * mu), t[2] = {x[1] / aside, x[2] / aside}, twist = mu * share * (x[0] + mu * aside) / aside;
        D[0] = share, D[1] = share * mu * t[0], D[2] = share * mu * t[1];
        for (int r = 0; r < 2; r++) {
            D[3 + 3 * r] = mu * t[r] * D[0];
            for (int c = 0; c < 2; c++) D[4 + 3 * r + c] = mu * t[r] * D[1 + c] + twist * ((r == c) - t[r] * t[c]);
        }
    }
    for (int r = 0; r < 3; r++) DU[3 * r] = D[3 * r], DU[3 * r + 1] = D[3 * r + 1] + D[3 * r] * w[0], DU[3 * r + 2] = D[3 * r + 2] + D[3 * r] * w[1];
    return true;
}

static void multiply(const double A[9], const double B[9], double C[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) C[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
}

/* The closed contacts that contact i is coupled with. */
static int list_row(newton *s, int i)
{
    const tl_local *p = s->p;
    int count = 0;
    for (int k = p->row[i]; k < p->row[i + 1]; k++)
        if (s->place[p->column[k]] >= 0) s->list[count++] = s->place[p->column[k]];
    return count;
}

/* What the row of contact i adds to Jᵀ J, and to −Jᵀ (F − what the open ones lose). */
static void add_row(newton *s, int i)
{
    const tl_local *p = s->p;
    const double *D = s->D[i];
    double rest[3] = {s->F[i][0], s->F[i][1], s->F[i][2]};
    int count = 0;
    for (int k = p->row[i]; k < p->row[i + 1]; k++) {
        const int j = p->column[k];
        double B[9];
        multiply(s->DU[i], p->block[k], B);
        for (int m = 0; j == i && m < 9; m++) B[m] += (m % 4 == 0) - D[m];
        if (s->place[j] >= 0) {
            s->list[count] = s->place[j];
            memcpy(s->J[count++], B, sizeof B);
        } else
            for (int r = 0; r < 3; r++) rest[r] -= B[3 * r] * p->I[j][0] + B[3 * r + 1] * p->I[j][1] + B[3 * r + 2] * p->I[j][2];
    }
    for (int a = 0; a < count; a++) {
        const double *A = s->J[a], T[9] = {A[0], A[3], A[6], A[1], A[4], A[7], A[2], A[5], A[8]};
        for (int r = 0; r < 3; r++) s->right[s->list[a]][r] -= T[3 * r] * rest[0] + T[3 * r + 1] * rest[1] + T[3 * r + 2] * rest[2];
        for (int b = 0; b <= a; b++) {
            double product[9];
            multiply(T, s->J[b], product);
            tl_sparse3_add(s->G, s->list[a], s->list[b], product);
        }
    }
}

/* Jᵀ J and −Jᵀ F at the present impulses. `worth`: is a step worth its work? */
static talus_status linearise(newton *s, bool *worth, tl_error *error)
{
    const tl_local *p = s->p;
    s->closed = 0;
    for (int i = 0; i < p->contacts; i++) s->place[i] = differentiate(p, i, s->u[i], s->D[i], s->DU[i]) ? s->closed++ : -1;
    tl_sparse3_destroy(s->G);
    s->G = NULL;
    *worth = s->closed <= TL_FACTOR_BLOCKS;
    if (!*worth) return TALUS_OK;
    s->G = tl_sparse3_create(p->memory, s->closed);
    if (!s->G) return tl_fail(error, TALUS_MEMORY, "no memory for a matrix of %d blocks", s->closed);
    for (int i = 0; i < p->contacts; i++)
        if (s->place[i] >= 0) tl_sparse3_couple(s->G, s->list, list_row(s, i));
    TL_TRY(tl_sparse3_order(s->G, error));
    *worth = tl_sparse3_work(s->G) < TL_FACTOR_WORK;
    memset(s->right, 0, (size_t)p->contacts * sizeof *s->right);
    for (int i = 0; *worth && i < p->contacts; i++)
        if (s->place[i] >= 0) add_row(s, i);
    return TALUS_OK;
}

/* The trial impulses of a damped step. */
static bool try_step(newton *s, double damping)
{
    const tl_local *p = s->p;
    if (!tl_sparse3_factor(s->G, damping)) return false;
    memcpy(s->step, s->right, (size_t)p->contacts * sizeof *s->step);
    tl_sparse3_solve(s->G, s->step);
    for (int i = 0; i < p->contacts; i++)
        for (int m = 0; m < 3; m++) s->trial[i][m] = s->place[i] < 0 ? 0 : p->I[i][m] + s->step[s->place[i]][m];
    return true;
}

/* One step that lowers the merit; false: none was found. */
static bool advance(newton *s, double deadline)
{
    for (int k = 0; k < TRIES && !tl_local_is_late(deadline); k++) {
        const double damping = fmax(s->theta * sqrt(2 * s->merit), 1e-15);
        if (try_step(s, damping)) {
            const double merit = evaluate(s->p, s->trial, s->u_trial, s->F_trial);
            if (merit < s->merit * (1 - 1e-4)) {
                const double gain = merit / s->merit;
                memcpy(s->p->I, s->trial, (size_t)s->p->contacts * sizeof *s->trial);
                memcpy(s->u, s->u_trial, (size_t)s->p->contacts * sizeof *s->u);
                memcpy(s->F, s->F_trial, (size_t)s->p->contacts * sizeof *s->F);
                s->merit = merit;
                if (gain < 0.25) s->theta = fmax(0.1 * s->theta, 1e-8);
                return true;
            }
        }
        s->theta = fmin(s->theta * 10, 1e12);
    }
    return false;
}

static talus_status run(newton *s, tl_local_task *task, tl_error *error)
{
    const tl_local *p = s->p;
    int slow = 0;
    s->merit = evaluate(p, s->p->I, s->u, s->F);
    task->error = tl_local_error(p, (const double(*)[3])p->I, (const double(*)[3])s->u);
    for (task->iterations = 0; task->iterations < task->max_iterations && task->error > task->tolerance && slow < PATIENCE; task->iterations++) {
        const double before = s->merit;
        bool worth;
        TL_TRY(linearise(s, &worth, error));
        task->declined = !worth && task->iterations == 0;
        if (!worth || tl_local_is_late(task->deadline) || !advance(s, task->deadline)) break;
        slow = s->merit > 0.8 * before ? slow + 1 : 0;
        task->error = tl_local_error(p, (const double(*)[3])p->I, (const double(*)[3])s->u);
    }
    return TALUS_OK;
}

talus_status tl_local_newton(tl_local *p, tl_local_task *task, tl_error *error)
{
    newton s = {.p = p, .theta = 1e-2};
    const talus_status status = make_room(&s) ? run(&s, task, error) : tl_fail(error, TALUS_MEMORY, "no memory for %d contacts", p->contacts);
    free_room(&s);
    return status;
}
