/* Proximal points: each round solves the problem with W + α E and q − α I of the round before, whose fixed points solve
 * the original problem, and which is well conditioned for Newton's method however singular W is (Rockafellar 1976;
 * Acary, Brémond & Huber 2018). α falls while Newton copes. */
#include <math.h>
#include <string.h>

#include "solve/local.h"

enum { NEWTON = 30 };
static const double FIRST = 0.1, LEAST = 1e-7, LARGEST = 10, SHARE = 0.1; /* α; the error that a round leaves of its first */

/* `sign` 1: to the problem of the round; −1: back. */
static void shift(tl_local *p, double alpha, const double (*I)[3], double sign)
{
    for (int i = 0; i < p->contacts; i++)
        for (int m = 0; m < 3; m++) {
            p->block[p->diagonal[i]][4 * m] += sign * alpha;
            p->q[i][m] -= sign * alpha * I[i][m];
        }
}

static double error_of(const tl_local *p, double (*u)[3])
{
    tl_local_velocity(p, (const double(*)[3])p->I, u);
    return tl_local_error(p, (const double(*)[3])p->I, (const double(*)[3])u);
}

typedef struct rounds {
    double (*u)[3], (*last)[3], (*best)[3], (*q)[3], (*diagonal)[3];
} rounds;

static void keep(const tl_local *p, const rounds *r)
{
    memcpy(r->q, p->q, (size_t)p->contacts * sizeof *p->q);
    for (int i = 0; i < p->contacts; i++)
        for (int m = 0; m < 3; m++) r->diagonal[i][m] = p->block[p->diagonal[i]][4 * m];
}

/* To the bit what it was. */
static void restore(tl_local *p, const rounds *r)
{
    memcpy(p->q, r->q, (size_t)p->contacts * sizeof *p->q);
    for (int i = 0; i < p->contacts; i++)
        for (int m = 0; m < 3; m++) p->block[p->diagonal[i]][4 * m] = r->diagonal[i][m];
}

static talus_status run(tl_local *p, tl_local_task *task, const rounds *r, tl_error *error)
{
    const size_t bytes = (size_t)p->contacts * sizeof *p->I;
    double alpha = FIRST, best = error_of(p, r->u), now = best;
    int most = task->max_iterations;
    memcpy(r->best, p->I, bytes);
    for (task->iterations = 0; task->iterations < most && best > task->tolerance && !tl_local_is_late(task->deadline); task->iterations++) {
        tl_local_task newton = {
            .tolerance = fmax(SHARE * now * alpha / (1 + alpha), 0.1 * task->tolerance), .max_iterations = NEWTON, .deadline = task->deadline};
        memcpy(r->last, p->I, bytes);
        shift(p, alpha, (const double(*)[3])r->last, 1);
        const talus_status status = tl_local_newton(p, &newton, error);
        restore(p, r);
        if (status != TALUS_OK) return status;
        task->declined = newton.declined;
        if (task->declined) break;
        const bool solved = newton.error <= newton.tolerance;
        alpha = solved ? fmax(0.3 * alpha, LEAST) : fmin(5 * alpha, LARGEST);
        now = error_of(p, r->u);
        if (now < best) best = now, memcpy(r->best, p->I, bytes);
    }
    task->error = best;
    memcpy(p->I, r->best, bytes);
    return TALUS_OK;
}

talus_status tl_local_proximal(tl_local *p, tl_local_task *task, tl_error *error)
{
    const size_t n = (size_t)p->contacts;
    double(*room)[3] = tl_alloc(p->memory, 5 * n, sizeof *room);
    if (!room) return tl_fail(error, TALUS_MEMORY, "no memory for %d contacts", p->contacts);
    const rounds r = {room, room + n, room + 2 * n, room + 3 * n, room + 4 * n};
    keep(p, &r);
    const talus_status status = run(p, task, &r, error);
    tl_free(p->memory, room);
    return status;
}
