/* How often to sweep over the contacts, and how far to extrapolate (Nesterov's momentum): what the planar and the
 * spatial Gauss–Seidel solver share. */
#ifndef TL_SWEEPS_H
#define TL_SWEEPS_H

#include "base/base.h"
#include "talus/solver.h"

enum { TL_PARALLEL_PACKS = 48 }; /* packs from which threads pay */

/* Natural-map errors of some contacts [m/s], and how many of these press: an open contact is seldom in error. */
typedef struct tl_errors {
    double largest, sum;
    int pressing;
} tl_errors;

/* A largest error that is not a number stays. */
static inline void tl_errors_add(tl_errors *all, const tl_errors *part)
{
    all->largest = part->largest > all->largest || part->largest != part->largest ? part->largest : all->largest;
    all->sum += part->sum;
    all->pressing += part->pressing;
}

typedef struct tl_sweeps {
    /* given */
    void *context;
    const talus_solver_settings *settings; /* tolerance, acceptable, max_iterations, momentum */
    /* One sweep from impulses and velocities extrapolated by β. Returns how far it turned back against their change: positive means overshoot. */
    double (*sweep)(void *context, double beta);
    double (*residual)(void *context);
    bool settles; /* momentum that does harm only rests, and rests in the last quarter of max_iterations, where sweeps without momentum settle what it stirs up:
                     for large problems that will not converge in time. Else it ends for good. */
    bool alternates; /* once the later half of the sweeps has made nothing better, momentum rests or comes back whenever the error is not half of what it was at
                        the last look: with friction on large matter it runs in circles, which sweeps without it settle, and these crawl where it would not */
    /* result */
    int iterations;
    double error; /* the last residual [m/s] */
} tl_sweeps;

/* Sweeps with momentum (Nesterov 1983, restarted as O'Donoghue & Candès 2015). DIVERGED: the residual is not a number. */
TALUS_NODISCARD talus_status tl_sweeps_run(tl_sweeps *, tl_error *);

/* x += β (x − x_before), x_before = x: velocities are linear in the impulses, so they extrapolate like them. */
static inline void tl_extrapolate(double *restrict x, double *restrict before, double beta, int begin, int end)
{
    for (int i = begin; i < end; i++) {
        const double now = x[i];
        x[i] = now + beta * (now - before[i]);
        before[i] = now;
    }
}

#endif
