/* The problem of a step handed to the solvers that work on W (local.h): what the plane and space share. */
#include <math.h>

#include "solve/local_rows.h"
#include "solve/sweeps.h"

/* Natural maps of the contacts as velocities [m/s]: the largest, and the sum by the number of those that press. */
static talus_status measure(const tl_local *p, tl_by_value *s, tl_step *step)
{
    double(*u)[3] = tl_arena_alloc(step->arena, (size_t)p->contacts, sizeof *u);
    tl_errors all = {0};
    if (!u) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->contacts);
    tl_local_velocity(p, (const double(*)[3])p->I, u);
    for (int i = 0; i < p->contacts; i++) {
        double F[3];
        tl_coulomb3_natural_map(p->friction[i], tl_local_opening(p, i, u[i]), p->I[i], u[i], F);
        const double e = sqrt(F[0] * F[0] + F[1] * F[1] + F[2] * F[2]) / p->sigma[i];
        const tl_errors own = tl_error_of(e, p->I[i][0] / p->sigma[i]);
        tl_errors_add(&all, &own);
    }
    s->residual = all.largest;
    s->residual_mean = tl_errors_mean(&all);
    s->impulse_mean = tl_errors_mean_impulse(&all);
    return TALUS_OK;
}

static talus_status solve(tl_local *p, tl_by_value *s, int dimension, tl_step *step)
{
    tl_local_task task = {.tolerance = s->settings->tolerance / p->unit, .max_iterations = s->settings->max_iterations, .deadline = (double)INFINITY};
    const char *method = s->settings->method;
    tl_local_course course;
    if (s->least_norm) {
        task.max_iterations = 0;
        TL_TRY(tl_local_least_norm(p, &task, step->error));
    } else {
        if (!p->convex) (void)tl_local_sweep(p); /* what a first guess is off by within the tolerance would be the same in each step (sweeps.c) */
        TL_TRY(tl_local_solve(p, method, &task, &course, step->error));
        if (task.declined && task.error > task.tolerance && tl_solver_find(method)->solve) { /* all in turn did what they could */
            char list[200];
            return tl_fail(step->error, TALUS_UNSUPPORTED, "%d contacts are too many for solver '%s'; these take any number: %s", p->contacts, method,
                           tl_words_list(tl_solver_name_large, list, sizeof list));
        }
        s->iterations = task.total;
    }
    for (int i = 0; i < p->contacts; i++)
        for (int m = 0; m < dimension; m++) s->I[i * dimension + m] = p->I[i][m] * p->sigma[i];
    return measure(p, s, step);
}

talus_status tl_by_value_solve(const talus_problem_def *d, tl_by_value *s, tl_step *step)
{
    tl_local value;
    s->iterations = 0;
    s->residual = s->residual_mean = s->impulse_mean = 0;
    s->I = tl_arena_alloc(step->arena, (size_t)(d->contacts * d->dimension) + 1, sizeof *s->I);
    if (!s->I) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", d->contacts);
    if (d->contacts == 0) return TALUS_OK;
    TL_TRY(tl_local_from(step->memory, d, &value, step->error));
    const talus_status status = solve(&value, s, d->dimension, step);
    tl_local_destroy(&value);
    return status;
}
