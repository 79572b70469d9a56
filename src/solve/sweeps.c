/* The course of a Gauss–Seidel solve (D20 eq. 33): momentum, when to ask for the errors, when to stop. */
#include "solve/sweeps.h"

#include <math.h>

/* Coulomb friction is not the gradient of anything. Where contacts slide, sweeps turn in the space of impulses as well as contract there: what turns by φ
 * and contracts by δ a sweep, both small, grows under momentum β once φ² (β²/(1 − β)² + β/(2 − 2 β)) > δ. Which β a problem bears is not known
 * beforehand. So the errors are asked for every few sweeps. As long as their mean falls, momentum looks a little farther back; where it has grown, or has
 * not fallen for some looks, half as far (docs/architecture.md). That it swings is no harm: momentum makes it swing where it does its work, too. */
static const double LONGEST = 10;  /* Momentum looks back 1/(1 − β) sweeps, no more than these: beyond, sweeps on moving packings go round.   */
static const double LONGER = 1.1;  /* By this factor it looks farther back when the mean error is the least since it was last made shorter. */
static const double SHORTER = 0.5; /* By this factor it looks less far when the mean error is GROWN times that least one,                    */
static const double GROWN = 1.5;   /* or has not fallen for IDLE looks.                                                                      */
enum {
    IDLE = 5,
    LOOK = 16,    /* sweeps from one look at the errors, which costs one, to the next                       */
    PLAIN = 10,   /* The last tenth of the sweeps goes without momentum, which settles what it has stirred up. */
    PATIENCE = 4, /* times max_iterations, while the error is not acceptable                                */
    /* The tolerance is aimed at for so many sweeps and visits of contacts, whatever would suffice: for some milliseconds, so that small problems keep
       their digits. */
    STRICT = 100,
    STRICT_VISITS = 100000
};

talus_status tl_sweeps_run(tl_sweeps *s, const tl_step *step)
{
    const talus_solver_settings *asked = s->settings;
    const int most = asked->max_iterations, plain = most - most / PLAIN;
    const double acceptable = asked->acceptable > 0 ? asked->acceptable : (double)INFINITY, longest = asked->momentum ? LONGEST : 1;
    double t = 1, memory = longest;
    tl_sweeps_errors e;
    const int visits = STRICT_VISITS / (s->contacts > 0 ? s->contacts : 1), strict = visits > STRICT ? visits : STRICT;
    int idle = 0;
    s->iterations = 0;
    s->errors(s->context, &e);
    if (e.largest > 0 && e.largest <= asked->tolerance) { /* a first guess that is off by so little would be off by as much in each step, to the same side */
        (void)s->sweep(s->context, 0);
        s->iterations = 1;
        s->errors(s->context, &e);
    }
    double least = e.mean;
    while (e.largest > asked->tolerance && !(s->iterations >= strict && e.largest <= e.suffices)) {
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
        if (!(beta > 0)) t = 1;
        TL_TRY(tl_step_go_on(step));
        s->iterations += (int)batch;
        s->errors(s->context, &e);
        if (e.mean < least) least = e.mean, idle = 0, memory = fmin(longest, LONGER * memory);
        else if (++idle >= IDLE || e.mean > GROWN * least) least = e.mean, idle = 0, memory = fmax(1, SHORTER * memory), t = 1;
    }
    s->error = e.largest;
    return isnan(e.largest) ? tl_fail(step->error, TALUS_DIVERGED, "the contact problem has no finite solution") : TALUS_OK;
}
