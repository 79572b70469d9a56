/* The course of a Gauss–Seidel solve (D20 eq. 33): momentum, when to ask for the errors, when to stop. */
#include "solve/sweeps.h"

#include <math.h>

/* Coulomb friction is not the gradient of anything. Where contacts slide, sweeps turn in the space of impulses as well as contract there: what turns by φ
 * and contracts by δ a sweep, both small, grows under momentum β once φ² (β²/(1 − β)² + β/(2 − 2 β)) > δ. Which β a problem bears is not known
 * beforehand. So the errors are asked for every few sweeps: where their mean has grown, momentum looks back half as far, and as long as it does not, a little
 * farther again (docs/solvers.md). */
static const double LONGEST = 10;  /* 1/(1 − β), the sweeps that momentum looks back; beyond it sweeps on moving packings go round (docs/architecture.md) */
static const double WORSE = 1.1;   /* times the mean error of the look before: then it looks back */
static const double SHORTER = 0.5; /* as far, else                                                */
static const double LONGER = 1.1;  /* as far as until then, at most LONGEST                    */
enum {
    PATIENCE = 4, /* times max_iterations, while the error is not acceptable                  */
    LOOK = 16,    /* sweeps from one look at the errors, which costs one, to the next         */
    PLAIN = 10,   /* the last tenth goes without momentum, which settles what it has stirred up */
    STRICT = 100  /* sweeps in which `tolerance` is aimed at, whatever would suffice         */
};

talus_status tl_sweeps_run(tl_sweeps *s, tl_error *error)
{
    const talus_solver_settings *asked = s->settings;
    const int most = asked->max_iterations, plain = most - most / PLAIN;
    const double acceptable = asked->acceptable > 0 ? asked->acceptable : (double)INFINITY, longest = asked->momentum ? LONGEST : 1;
    double t = 1, memory = longest;
    tl_sweeps_errors e, before;
    s->iterations = 0;
    s->errors(s->context, &e);
    while (e.largest > asked->tolerance && !(s->iterations >= STRICT && e.largest <= e.suffices)) {
        const bool late = s->iterations >= most;
        const int64_t end = late ? (int64_t)most * PATIENCE : s->iterations < plain ? plain : most;
        int64_t batch = s->iterations < LOOK ? LOOK / 4 : s->iterations < 4 * LOOK ? s->iterations / 4 : LOOK;
        if (batch > end - s->iterations) batch = end - s->iterations;
        if (batch <= 0 || (late && !(e.largest > acceptable))) break;
        const double beta = !late && s->iterations >= plain ? 0 : 1 - 1 / memory;
        for (int i = 0; i < batch; i++) { /* where a sweep turns back, momentum starts anew */
            const double next = 0.5 * (1 + sqrt(1 + 4 * t * t));
            t = s->sweep(s->context, fmin((t - 1) / next, beta)) > 0 ? 1 : next;
        }
        s->iterations += (int)batch;
        before = e;
        s->errors(s->context, &e);
        const bool worse = e.mean > WORSE * before.mean;
        memory = fmin(longest, fmax(1, memory * (worse ? SHORTER : LONGER)));
        if (worse) t = 1;
    }
    s->error = e.largest;
    return isnan(e.largest) ? tl_fail(error, TALUS_DIVERGED, "the contact problem has no finite solution") : TALUS_OK;
}
