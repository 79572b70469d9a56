/* The course of a Gauss–Seidel solve (D20 eq. 33): momentum, restarts, when to ask for the error, when to stop. */
#include "solve/sweeps.h"

#include <math.h>

/* Coulomb friction is not the gradient of anything: closer to 1, sweeps on moving packings run in circles (docs/architecture.md). */
static const double LARGEST_BETA = 0.9;
static const double PROGRESS = 0.5; /* of the error between two looks at it, where momentum alternates */
enum {
    PATIENCE = 4, /* times max_iterations, while the error is not acceptable                                          */
    STALE = 1000, /* sweeps without a better error, after which momentum rests every second time                      */
    CIRCLES = 60  /* sweeps from which it is looked whether the later half of them made the error any better         */
};

talus_status tl_sweeps_run(tl_sweeps *s, tl_error *error)
{
    const talus_solver_settings *asked = s->settings;
    const int most_sweeps = asked->max_iterations;
    const double largest = asked->momentum ? LARGEST_BETA : 0, acceptable = asked->acceptable > 0 ? asked->acceptable : (double)INFINITY;
    double t = 1, late_most = largest;
    s->iterations = 0;
    s->error = s->residual(s->context);
    double best = s->error, most = largest;
    int best_at = 0;
    bool circles = false;
    const int last_quarter = s->settles ? most_sweeps - most_sweeps / 4 : most_sweeps;
    while (s->error > asked->tolerance) {
        const bool late = s->iterations >= most_sweeps;
        const int64_t end = late ? (int64_t)most_sweeps * PATIENCE : (s->iterations < last_quarter ? last_quarter : most_sweeps);
        const int64_t left = end - s->iterations;
        if (left <= 0 || (late && !(s->error > acceptable))) break;
        /* the error costs about a sweep: ask for it a dozen times at most per decade of sweeps */
        int batch = s->iterations < 16 ? 4 : s->iterations / 4;
        if (batch > left) batch = (int)left;
        for (int i = 0; i < batch; i++) { /* when a sweep turns back, the momentum starts anew */
            const double next = 0.5 * (1 + sqrt(1 + 4 * t * t));
            t = s->sweep(s->context, fmin((t - 1) / next, most)) > 0 ? 1 : next;
        }
        s->iterations += batch;
        const double before = s->error;
        s->error = s->residual(s->context);
        if (s->error < best) best = s->error, best_at = s->iterations;
        const bool stale = s->iterations - best_at > STALE && s->iterations > 2 * best_at;
        const bool harm = !(s->error <= (late ? 1 : 10) * best); /* momentum may do harm */
        const bool slow = s->error > PROGRESS * before;
        circles = circles || (s->alternates && s->iterations >= CIRCLES && s->iterations > 2 * best_at);
        if (late) most = late_most = harm ? 0.75 * late_most : late_most;
        else if (circles && s->iterations >= last_quarter) most = 0;
        else if (circles && slow) t = 1, most = largest - most;
        else if (circles) continue;
        else if (s->settles) most = harm || s->iterations >= last_quarter || (stale && most > 0) ? 0 : largest;
        else if (harm) most = late_most = 0;
    }
    return isnan(s->error) ? tl_fail(error, TALUS_DIVERGED, "the contact problem has no finite solution") : TALUS_OK;
}
