/* The solution of a problem in velocities of bodies (body_problem.h). */
#include <math.h>
#include <string.h>

#include "solve/body_system.h"

/* Interior points find out what presses and what slides, from any guess; Newton's rounds bring the last digits, and are quicker where a guess is
 * near, as in machines that stand, and in values after the first of a step. */
static talus_status run(tl_body_system *s, tl_step *step)
{
    static const double AFTER = 100; /* stiffness of rounds that know */
    tl_body_problem *p = s->p;
    tl_body_start(s);
    const bool far = p->error > p->far;
    if (far) TL_TRY(tl_body_interior(s, step));
    if (!tl_body_is_over(p)) TL_TRY(tl_body_newton(s, far && p->error <= p->far ? AFTER : 0, step));
    for (int i = 0; i < p->holds; i++) memcpy(p->hold[i].I, s->best[i], sizeof s->best[i]);
    return TALUS_OK;
}

talus_status tl_body_solve(tl_body_problem *p, tl_step *step)
{
    tl_body_system s = {.p = p};
    bool worth = false;
    p->iterations = 0;
    p->error = (double)INFINITY;
    talus_status status = tl_body_system_make(&s, &worth, step);
    if (status == TALUS_OK && worth) status = run(&s, step);
    if (status == TALUS_OK) status = tl_step_go_on(step); /* which solvers take for a matrix without a factor */
    tl_body_system_free(&s);
    return status;
}
