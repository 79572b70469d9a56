/* Impulses that are unique (Olsen & Kamrin 2018). Where a packing is hyperstatic, many impulses make the same velocities. Of these, the ones of least norm are
 * those that equal springs at the contacts would carry: they come from a compatible displacement s = W y, each contact carrying what its law leaves of it,
 *
 *     I_i = P_i(s_i),     W I = W I*,
 *
 * with P_i the projection on what the law allows contact i at the velocity that it has: nothing where it opens, the line of Coulomb's law where it slides, the
 * cone where it does not. That is the dual of  min ½ Σ ‖I_i‖²,  convex and smooth in s; it is solved by accelerated gradients in the metric of W, a product
 * with W each (Nesterov 1983, restarts after O'Donoghue & Candès 2015). */
#include <math.h>
#include <string.h>

#include "solve/local.h"

typedef double triple[3];

typedef enum state { OPENS, SLIDES, HOLDS } state;

typedef struct search {
    tl_local *p;
    state *state;
    triple *way;                                /* [contacts] of what slides: I = I_n way, way_n = 1                    */
    triple *goal;                               /* I*                                                                   */
    triple *s, *last, *ahead, *I, *lack, *made; /* displacement, the one before, extrapolated; its impulses; I* − I; W of that */
    double step;
} search;

/* All scaled as in local.h: the norm is that of the impulses as they are, σ I. */
static void carry(const search *a, const triple *s, triple *I)
{
    for (int i = 0; i < a->p->contacts; i++) {
        const double per = 1 / (a->p->sigma[i] * a->p->sigma[i]);
        for (int m = 0; m < 3; m++) I[i][m] = s[i][m] * per;
        const double *w = a->way[i];
        if (a->state[i] == HOLDS) tl_cone3_project(a->p->friction[i], I[i]);
        else if (a->state[i] == OPENS) I[i][0] = I[i][1] = I[i][2] = 0;
        else {
            const double n = fmax(0, (I[i][0] * w[0] + I[i][1] * w[1] + I[i][2] * w[2]) / (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]));
            for (int m = 0; m < 3; m++) I[i][m] = n * w[m];
        }
    }
}

/* out = W x. */
static void multiply(const tl_local *p, const triple *x, triple *out)
{
    tl_local_velocity(p, x, out);
    for (int i = 0; i < p->contacts; i++)
        for (int m = 0; m < 3; m++) out[i][m] -= p->q[i][m];
}

/* What each contact does at these velocities. One that slides by less than `small` (not scaled), or presses but not against its motion, holds. */
static void classify(search *a, const triple *u, double small)
{
    for (int i = 0; i < a->p->contacts; i++) {
        const double *I = a->goal[i], mu = a->p->friction[i], least = small * a->p->sigma[i];
        const double speed = sqrt(u[i][1] * u[i][1] + u[i][2] * u[i][2]), along = -(I[1] * u[i][1] + I[2] * u[i][2]);
        const double gap = a->p->convex ? u[i][0] - mu * speed : u[i][0];
        a->state[i] = HOLDS;
        if (gap > least && gap > I[0]) a->state[i] = OPENS;
        else if (speed > least && (I[0] < speed || along > 0.99 * mu * I[0] * speed)) {
            a->state[i] = SLIDES;
            a->way[i][0] = 1, a->way[i][1] = -mu * u[i][1] / speed, a->way[i][2] = -mu * u[i][2] / speed;
        }
    }
}

/* 1 / the greatest eigenvalue of W as it is, from a few powers, and something on the safe side. */
static double step_length(search *a)
{
    enum { POWERS = 30 };
    const tl_local *p = a->p;
    double size = 1;
    for (int i = 0; i < p->contacts; i++)
        for (int m = 0; m < 3; m++) a->ahead[i][m] = 1 + 0.3 * sin(1.7 * (3 * i + m));
    for (int k = 0; k < POWERS; k++) {
        double squares = 0, before = 0;
        for (int i = 0; i < p->contacts; i++)
            for (int m = 0; m < 3; m++) before += a->ahead[i][m] * a->ahead[i][m], a->lack[i][m] = a->ahead[i][m] / p->sigma[i];
        multiply(p, (const triple *)a->lack, a->made);
        for (int i = 0; i < p->contacts; i++)
            for (int m = 0; m < 3; m++) a->ahead[i][m] = a->made[i][m] / p->sigma[i], squares += a->ahead[i][m] * a->ahead[i][m];
        size = sqrt(squares / before);
        for (int i = 0; i < p->contacts; i++)
            for (int m = 0; m < 3; m++) a->ahead[i][m] /= sqrt(squares);
    }
    return size > 0 ? 1 / (1.2 * size) : 0;
}

/* By how much the velocities of these impulses are off; fills lack and made. */
static double miss(search *a, const triple *s)
{
    double squares = 0;
    carry(a, s, a->I);
    for (int i = 0; i < a->p->contacts; i++)
        for (int m = 0; m < 3; m++) a->lack[i][m] = a->goal[i][m] - a->I[i][m];
    multiply(a->p, (const triple *)a->lack, a->made);
    for (int i = 0; i < a->p->contacts; i++)
        for (int m = 0; m < 3; m++) squares += a->made[i][m] * a->made[i][m] / (a->p->sigma[i] * a->p->sigma[i]);
    return sqrt(squares);
}

static void descend(search *a, tl_local_task *task, double enough)
{
    const size_t bytes = (size_t)a->p->contacts * sizeof *a->s;
    double t = 1;
    memset(a->s, 0, bytes);
    memset(a->ahead, 0, bytes);
    for (task->iterations = 0; task->iterations < task->max_iterations; task->iterations++) {
        if (miss(a, (const triple *)a->ahead) <= enough) return;
        if (task->iterations % 16 == 15 && tl_local_is_late(task->deadline)) return;
        double reversal = 0;
        memcpy(a->last, a->s, bytes);
        for (int i = 0; i < a->p->contacts; i++)
            for (int m = 0; m < 3; m++) {
                a->s[i][m] = a->ahead[i][m] + a->step * a->made[i][m];
                reversal += a->lack[i][m] * (a->s[i][m] - a->last[i][m]);
            }
        const double next = reversal < 0 ? 1 : 0.5 * (1 + sqrt(1 + 4 * t * t)), beta = reversal < 0 ? 0 : (t - 1) / next;
        t = next;
        for (int i = 0; i < a->p->contacts; i++)
            for (int m = 0; m < 3; m++) a->ahead[i][m] = a->s[i][m] + beta * (a->s[i][m] - a->last[i][m]);
    }
}

/* u: velocities of the goal; small: what they may be off by; slow: as slow as this is rest. */
static void try_least_norm(search *a, tl_local_task *task, const triple *u, double small, double slow)
{
    tl_local *p = a->p;
    classify(a, u, slow);
    descend(a, task, 0.3 * small);
    memcpy(p->I, a->I, (size_t)p->contacts * sizeof *a->I);
    tl_local_velocity(p, (const triple *)p->I, a->made);
    task->error = tl_local_error(p, (const triple *)p->I, (const triple *)a->made);
}

talus_status tl_local_least_norm(tl_local *p, tl_local_task *task, tl_error *error)
{
    const size_t n = (size_t)p->contacts;
    triple *block = tl_alloc(p->memory, 9 * n, sizeof *block), *u;
    search a = {.p = p, .state = tl_alloc(p->memory, n, sizeof *a.state), .way = block};
    if (!block || !a.state) {
        tl_free(p->memory, block);
        tl_free(p->memory, a.state);
        return tl_fail(error, TALUS_MEMORY, "no memory for %d contacts", p->contacts);
    }
    a.goal = block + n, a.s = block + 2 * n, a.last = block + 3 * n, a.ahead = block + 4 * n, a.I = block + 5 * n, a.lack = block + 6 * n,
    a.made = block + 7 * n, u = block + 8 * n;
    if (task->max_iterations == 0) task->max_iterations = 20000;
    memcpy(a.goal, p->I, n * sizeof *a.goal);
    tl_local_velocity(p, (const triple *)a.goal, u);
    const double given = tl_local_error(p, (const triple *)a.goal, (const triple *)u), allowed = fmax(task->tolerance, given), small = allowed * p->unit;
    a.step = step_length(&a);
    /* velocities may be off by more than the error; what slides by so little had better hold, where the law still is obeyed in the end */
    int total = 0;
    task->declined = true;
    for (int factor = 1000; factor >= 1 && task->declined; factor /= 10) {
        try_least_norm(&a, task, (const triple *)u, small, factor * small);
        total += task->iterations;
        task->declined = !(task->error <= 2 * allowed);
    }
    task->iterations = total;
    if (task->declined) {
        memcpy(p->I, a.goal, n * sizeof *a.goal);
        task->error = given;
    }
    tl_free(p->memory, block);
    tl_free(p->memory, a.state);
    return TALUS_OK;
}
