/* Nonlinear Gauss–Seidel on W (D20 eq. 33): sweeps forwards and backwards in turn, each contact solved exactly from the impulses of the others. */
#include <math.h>
#include <string.h>

#include "solve/local.h"

static void visit(tl_local *p, int i)
{
    double u[3] = {p->q[i][0], p->q[i][1], p->q[i][2]};
    for (int k = p->row[i]; k < p->row[i + 1]; k++) {
        if (k == p->diagonal[i]) continue;
        const double *W = p->block[k], *J = p->I[p->column[k]];
        for (int m = 0; m < 3; m++) u[m] += W[3 * m] * J[0] + W[3 * m + 1] * J[1] + W[3 * m + 2] * J[2];
    }
    tl_coulomb3_obey(&p->law[i], u, p->I[i]);
}

talus_status tl_local_nlgs(tl_local *p, tl_local_task *task, tl_error *error)
{
    const size_t bytes = (size_t)p->contacts * sizeof *p->I;
    double(*u)[3] = tl_alloc(p->memory, (size_t)p->contacts, sizeof *u), (*best)[3] = tl_alloc(p->memory, (size_t)p->contacts, sizeof *best);
    if (!u || !best) {
        tl_free(p->memory, u);
        tl_free(p->memory, best);
        return tl_fail(error, TALUS_MEMORY, "no memory for %d contacts", p->contacts);
    }
    tl_local_velocity(p, (const double(*)[3])p->I, u);
    task->error = tl_local_error(p, (const double(*)[3])p->I, (const double(*)[3])u);
    memcpy(best, p->I, bytes);
    for (task->iterations = 0; task->iterations < task->max_iterations && task->error > task->tolerance && tl_clock() < task->deadline;) {
        const int batch = 1 + task->iterations / 8; /* the error costs a sweep */
        for (int s = 0; s < batch && task->iterations < task->max_iterations; s++, task->iterations++)
            for (int i = 0; i < p->contacts; i++) visit(p, task->iterations % 2 ? p->contacts - 1 - i : i);
        tl_local_velocity(p, (const double(*)[3])p->I, u);
        const double now = tl_local_error(p, (const double(*)[3])p->I, (const double(*)[3])u);
        if (!(now < task->error)) continue;
        task->error = now;
        memcpy(best, p->I, bytes);
    }
    memcpy(p->I, best, bytes);
    tl_free(p->memory, u);
    tl_free(p->memory, best);
    return TALUS_OK;
}
