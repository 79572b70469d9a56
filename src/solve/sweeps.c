/* The course of a Gauss–Seidel solve (D20 eq. 33): momentum, restarts, when to ask for the error, when to stop. */
#include "solve/sweeps.h"

#include <math.h>

/* Coulomb friction is not the gradient of anything: closer to 1, sweeps on moving packings run in circles (docs/architecture.md). */
static const double LARGEST_BETA = 0.9;
enum { PATIENCE = 4 }; /* times max_iterations, while the error is not acceptable */

talus_status tl_sweeps_run(tl_sweeps *s, tl_error *error)
{
    double t = 1, most = LARGEST_BETA;
    s->iterations = 0;
    s->error = s->residual(s->solver);
    double best = s->error;
    while (s->error > s->tolerance) {
        const bool late = s->iterations >= s->max_iterations;
        const int64_t left = (int64_t)s->max_iterations * (late ? PATIENCE : 1) - s->iterations;
        if (left <= 0 || (late && !(s->error > s->acceptable))) break;
        /* the error costs about a sweep: ask for it a dozen times at most per decade of sweeps */
        int batch = s->iterations < 16 ? 4 : s->iterations / 4;
        if (batch > left) batch = (int)left;
        for (int i = 0; i < batch; i++) { /* when a sweep turns back, the momentum starts anew */
            const double next = 0.5 * (1 + sqrt(1 + 4 * t * t));
            t = s->sweep(s->solver, fmin((t - 1) / next, most)) > 0 ? 1 : next;
        }
        s->iterations += batch;
        s->error = s->residual(s->solver);
        best = fmin(best, s->error);
        if (!(s->error <= (late ? 1 : 10) * best)) most = late ? 0.75 * most : 0; /* momentum may do harm */
    }
    return isnan(s->error) ? tl_fail(error, TALUS_DIVERGED, "the contact problem has no finite solution") : TALUS_OK;
}
