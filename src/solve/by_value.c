/* A step's problem by the solvers of problems as values (local.h): what the plane and space share. */
#include <math.h>

#include "solve/local_rows.h"

talus_status tl_by_value_solve(const talus_problem_def *d, tl_by_value *s, tl_step *step)
{
    tl_local value;
    talus_problem_def def = *d;
    def.convex = s->convex;
    s->iterations = 0;
    s->residual = 0;
    s->I = tl_arena_alloc(step->arena, (size_t)(d->contacts * d->dimension) + 1, sizeof *s->I);
    if (!s->I) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", d->contacts);
    if (d->contacts == 0) return TALUS_OK;
    TL_TRY(tl_local_from(step->memory, &def, &value, step->error));
    tl_local_task task = {.tolerance = s->tolerance / value.unit, .max_iterations = s->max_iterations, .deadline = (double)INFINITY};
    const char *name;
    char course[200];
    const talus_status status = tl_local_solve(&value, s->solver, &task, &name, course, sizeof course, step->error);
    s->iterations = task.iterations;
    s->residual = task.error * value.unit;
    for (int i = 0; i < d->contacts; i++)
        for (int m = 0; m < d->dimension; m++) s->I[i * d->dimension + m] = value.I[i][m] * value.sigma[i];
    tl_local_destroy(&value);
    return status;
}
