/* Nonlinear Gauss–Seidel on W (D20 eq. 33): sweeps from the first contact to the last, each solved exactly from the impulses of the others.
 *
 * The error takes a product with W, as much as a sweep. What a sweep changes says roughly what the error was before it; so it is looked at when that, or
 * what it will be if it goes on to shrink as it did, is near the tolerance. */
#include <math.h>
#include <string.h>

#include "solve/local.h"

/* Square of the change of its impulse, not scaled. */
static double visit(tl_local *p, int i)
{
    double u[3], *I = p->I[i];
    const double before[3] = {I[0], I[1], I[2]};
    I[0] = I[1] = I[2] = 0;
    tl_local_velocity_at(p, i, (const double(*)[3])p->I, u);
    tl_coulomb3_follow(&p->law[i], u, &p->lambda[i], I);
    const double d[3] = {I[0] - before[0], I[1] - before[1], I[2] - before[2]};
    return (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / (p->sigma[i] * p->sigma[i]);
}

double tl_local_sweep(tl_local *p)
{
    double squares = 0;
    for (int i = 0; i < p->contacts; i++) squares += visit(p, i);
    return sqrt(squares) / p->unit;
}

static void keep(tl_local *p) { memcpy(p->best, p->I, (size_t)p->contacts * sizeof *p->I); }

talus_status tl_local_nlgs(tl_local *p, tl_local_task *task, tl_error *error)
{
    enum { SELDOM = 32 };
    const double first = p->blocks == p->contacts ? 0 : 1e9; /* rate after one sweep: of contacts that are alone; of others nothing is known yet */
    double last = 0, halfway = 0, share = 0.2;               /* of the error in what the next sweep will change: learnt at each look */
    int looked = 0;
    (void)error;
    task->error = tl_local_error_now(p);
    keep(p);
    for (task->iterations = 0; task->iterations < task->max_iterations && task->error > task->tolerance;) {
        const double change = tl_local_sweep(p), rate = last > 0 ? tl_smaller(1, change / last) : first;
        task->iterations++;
        last = change;
        if (2 * task->iterations <= task->max_iterations) halfway = change;
        const bool near = change * rate * share <= task->tolerance, end = task->iterations == task->max_iterations;
        if (!near && !end && task->iterations - looked < SELDOM) continue;
        const double now = tl_local_error_now(p);
        looked = task->iterations;
        if (change * rate > 0) share = tl_smaller(0.5, now / (change * rate));
        if (now < task->error) {
            task->error = now;
            keep(p);
        }
        if (task->error > task->tolerance && tl_local_is_late(task->deadline)) break;
    }
    if (task->error > task->tolerance) task->rate = halfway > 0 ? pow(last / halfway, 2.0 / task->max_iterations) : 1;
    memcpy(p->I, p->best, (size_t)p->contacts * sizeof *p->I);
    return TALUS_OK;
}
