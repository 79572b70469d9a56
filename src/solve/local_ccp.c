/* Cone complementarity (Y19; Anitescu & Tasora 2010): with s = μ ‖u_t‖ held, the impulses are those that make ½ I·W I + (q + s n)·I least in the cones. That is
 * convex, and done by accelerated projected gradients with restart (Nesterov 1983; O'Donoghue & Candès 2015; Mazhar et al. 2015). Renewing s whenever the
 * convex problem is solved well enough gives Coulomb's law, not its convex relaxation, whose contacts open as they slide. */
#include <math.h>
#include <string.h>

#include "solve/local.h"

enum { ASK = 10, LONGEST = 200 }; /* iterations between errors; with the same s */
static const double ENOUGH = 0.2, GROWTH = 2, SHRINK = 0.95;

typedef struct ccp {
    tl_local *p;
    double (*y)[3];                    /* extrapolated impulses                */
    double (*x)[3], (*u)[3];           /* impulses, W x + q                    */
    double (*x_next)[3], (*u_next)[3]; /* the next ones                        */
    double (*u_y)[3], (*best)[3];      /* W y + q                              */
    double *s;                         /* of each contact                      */
    double lipschitz, t;
} ccp;

/* From y along the gradient, with a step short enough: (Δ·W Δ) ≤ L Δ·Δ. */
static void descend(ccp *c)
{
    const tl_local *p = c->p;
    for (;;) {
        double curvature = 0, squares = 0;
        for (int i = 0; i < p->contacts; i++) {
            for (int m = 0; m < 3; m++) c->x_next[i][m] = c->y[i][m] - (c->u_y[i][m] + (m == 0 ? c->s[i] : 0)) / c->lipschitz;
            tl_cone3_project(p->friction[i], c->x_next[i]);
        }
        tl_local_velocity(p, (const double(*)[3])c->x_next, c->u_next);
        for (int i = 0; i < p->contacts; i++)
            for (int m = 0; m < 3; m++) {
                const double d = c->x_next[i][m] - c->y[i][m];
                curvature += d * (c->u_next[i][m] - c->u_y[i][m]);
                squares += d * d;
            }
        if (!(curvature > c->lipschitz * squares * (1 + 1e-12))) return;
        c->lipschitz *= GROWTH;
    }
}

/* y goes on from the next impulses; it starts anew where the step turned back. */
static void extrapolate(ccp *c)
{
    const tl_local *p = c->p;
    double reversal = 0;
    for (int i = 0; i < p->contacts; i++)
        for (int m = 0; m < 3; m++) reversal += (c->y[i][m] - c->x_next[i][m]) * (c->x_next[i][m] - c->x[i][m]);
    const double next = reversal > 0 ? 1 : 0.5 * (1 + sqrt(1 + 4 * c->t * c->t)), beta = reversal > 0 ? 0 : (c->t - 1) / next;
    for (int i = 0; i < p->contacts; i++)
        for (int m = 0; m < 3; m++) {
            c->y[i][m] = c->x_next[i][m] + beta * (c->x_next[i][m] - c->x[i][m]);
            c->u_y[i][m] = c->u_next[i][m] + beta * (c->u_next[i][m] - c->u[i][m]);
            c->x[i][m] = c->x_next[i][m];
            c->u[i][m] = c->u_next[i][m];
        }
    c->t = next;
    c->lipschitz *= SHRINK;
}

static void renew(ccp *c)
{
    for (int i = 0; i < c->p->contacts; i++) c->s[i] = tl_local_opening(c->p, i, c->u[i]);
    c->t = 1;
    memcpy(c->y, c->x, (size_t)c->p->contacts * sizeof *c->y);
    memcpy(c->u_y, c->u, (size_t)c->p->contacts * sizeof *c->u_y);
}

static void run(ccp *c, tl_local_task *task)
{
    const tl_local *p = c->p;
    const size_t bytes = (size_t)p->contacts * sizeof *c->x;
    int since = 0;
    memcpy(c->x, p->I, bytes), memcpy(c->best, p->I, bytes);
    tl_local_velocity(p, (const double(*)[3])c->x, c->u);
    task->error = tl_local_error(p, (const double(*)[3])c->x, (const double(*)[3])c->u);
    c->lipschitz = 1;
    renew(c);
    for (task->iterations = 0; task->iterations < task->max_iterations && task->error > task->tolerance && !tl_local_is_late(task->deadline);) {
        descend(c);
        extrapolate(c);
        since++;
        if (++task->iterations % ASK != 0) continue;
        const double error = tl_local_error(p, (const double(*)[3])c->x, (const double(*)[3])c->u);
        if (error < task->error) task->error = error, memcpy(c->best, c->x, bytes);
        const double convex = tl_local_error_held(p, c->s, (const double(*)[3])c->x, (const double(*)[3])c->u);
        if (p->convex || (since < LONGEST && convex > ENOUGH * error)) continue;
        renew(c);
        since = 0;
    }
}

talus_status tl_local_ccp(tl_local *p, tl_local_task *task, tl_error *error)
{
    const size_t n = (size_t)p->contacts;
    double(*room)[3] = tl_alloc(p->memory, 7 * n, sizeof *room), *s = tl_alloc(p->memory, n, sizeof *s);
    ccp c = {.p = p, .s = s};
    if (room && s) {
        double(**const part[])[3] = {&c.y, &c.x, &c.u, &c.x_next, &c.u_next, &c.u_y, &c.best};
        for (size_t i = 0; i < sizeof part / sizeof *part; i++) *part[i] = room + i * n;
        run(&c, task);
        memcpy(p->I, c.best, n * sizeof *p->I);
    }
    tl_free(p->memory, room);
    tl_free(p->memory, s);
    return room && s ? TALUS_OK : tl_fail(error, TALUS_MEMORY, "no memory for %d contacts", p->contacts);
}
