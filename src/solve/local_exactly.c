/* A small problem, by whichever method solves it: sweeps, or solvers that factor W. The work is counted in visits of a
 * contact by sweeps, the same on every machine. */
#include <math.h>
#include <string.h>

#include "solve/local.h"

static double cost_of_sweep(int contacts) { return 2.0 * contacts; } /* with a look at the error */

double tl_local_factor_cost(int contacts) { return contacts * (40 + 0.05 * contacts * contacts); }

void tl_local_sweep_strictly(tl_local *p)
{
    memset(p->lambda, 0, (size_t)p->contacts * sizeof *p->lambda);
    (void)tl_local_sweep(p);
}

bool tl_local_exactly(tl_local *p, double tolerance, int interior, double most, double *taken)
{
    const struct {
        tl_local_solver *solve;
        int most;
    } TURN[] = {{tl_local_nlgs, 20}, {tl_local_interior_point, interior}, {tl_local_newton, 30}, {tl_local_proximal, 30}};
    tl_error error;
    tl_local_task task = {.tolerance = tolerance, .deadline = (double)INFINITY};
    bool solved = false;
    *taken = 0;
    for (size_t i = 0; !solved && i < sizeof TURN / sizeof *TURN; i++) {
        const double cost = i == 0 ? cost_of_sweep(p->contacts) : tl_local_factor_cost(p->contacts);
        task.max_iterations = (int)fmin(TURN[i].most, (most - *taken) / cost);
        if (task.max_iterations < 1 || TURN[i].solve(p, &task, &error) != TALUS_OK) break;
        *taken += task.iterations * cost;
        solved = tl_local_error_now(p) <= tolerance;
    }
    return solved;
}
