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
    double u[3] = {p->q[i][0], p->q[i][1], p->q[i][2]}, *I = p->I[i];
    const double before[3] = {I[0], I[1], I[2]};
    for (int k = p->row[i]; k < p->row[i + 1]; k++) {
        if (k == p->diagonal[i]) continue;
        const double *W = p->block[k], *J = p->I[p->column[k]];
        for (int m = 0; m < 3; m++) u[m] += W[3 * m] * J[0] + W[3 * m + 1] * J[1] + W[3 * m + 2] * J[2];
    }
    tl_coulomb3_obey(&p->law[i], u, I);
    const double d[3] = {I[0] - before[0], I[1] - before[1], I[2] - before[2]};
    return (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / (p->sigma[i] * p->sigma[i]);
}

/* The change, in the error's units. */
static double sweep(tl_local *p)
{
    double squares = 0;
    for (int i = 0; i < p->contacts; i++) squares += visit(p, i);
    return sqrt(squares) / p->unit;
}

static double look(const tl_local *p, double (*u)[3])
{
    tl_local_velocity(p, (const double(*)[3])p->I, u);
    return tl_local_error(p, (const double(*)[3])p->I, (const double(*)[3])u);
}

/* `best`: the impulses of the least error so far. */
static void iterate(tl_local *p, tl_local_task *task, double (*u)[3], double (*best)[3])
{
    enum { SELDOM = 32 };
    const size_t bytes = (size_t)p->contacts * sizeof *p->I;
    double last = 0, halfway = 0, share = 0.2; /* of the error in what the next sweep will change: learnt at each look */
    int looked = 0;
    task->error = look(p, u);
    memcpy(best, p->I, bytes);
    for (task->iterations = 0; task->iterations < task->max_iterations && task->error > task->tolerance;) {
        const double change = sweep(p), rate = last > 0 ? fmin(1, change / last) : 0;
        task->iterations++;
        last = change;
        if (2 * task->iterations <= task->max_iterations) halfway = change;
        const bool near = change * rate * share <= task->tolerance, end = task->iterations == task->max_iterations;
        if (!near && !end && task->iterations - looked < SELDOM) continue;
        const double now = look(p, u);
        looked = task->iterations;
        if (change * rate > 0) share = fmin(0.5, now / (change * rate));
        if (now < task->error) {
            task->error = now;
            memcpy(best, p->I, bytes);
        }
        if (tl_clock() > task->deadline) break;
    }
    if (task->error > task->tolerance) task->rate = halfway > 0 ? pow(last / halfway, 2.0 / task->max_iterations) : 1;
    memcpy(p->I, best, bytes);
}

talus_status tl_local_nlgs(tl_local *p, tl_local_task *task, tl_error *error)
{
    double(*u)[3] = tl_alloc(p->memory, 2 * (size_t)p->contacts, sizeof *u);
    if (!u) return tl_fail(error, TALUS_MEMORY, "no memory for %d contacts", p->contacts);
    iterate(p, task, u, u + p->contacts);
    tl_free(p->memory, u);
    return TALUS_OK;
}
