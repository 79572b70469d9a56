/* How often to sweep over the contacts, and how far to extrapolate (Nesterov's momentum): what the planar and the
 * spatial Gauss–Seidel solver share. */
#ifndef TL_SWEEPS_H
#define TL_SWEEPS_H

#include "base/base.h"
#include "matter/matter.h"
#include "talus/solver.h"

/* Natural-map errors of some contacts and constraints [m/s], and how many of these press: an open contact is seldom in error. `impulse`: the sum of the normal
 * impulses of contacts as velocities, I_n/ρ, which is what an impulse changes at its own contact [m/s]; `touching` of them press. */
typedef struct tl_errors {
    double largest, sum, impulse;
    int pressing, touching;
} tl_errors;

static inline tl_errors tl_error_of(double error, double impulse)
{
    const bool presses = impulse > 0;
    return (tl_errors){error, error, presses ? impulse : 0, presses, presses};
}

/* Means over those that press: of the errors, and of the impulses of contacts. */
static inline double tl_errors_mean(const tl_errors *all) { return all->sum / (all->pressing > 0 ? all->pressing : 1); }
static inline double tl_errors_mean_impulse(const tl_errors *all) { return all->impulse / (all->touching > 0 ? all->touching : 1); }

/* A largest error that is not a number stays. */
static inline void tl_errors_add(tl_errors *all, const tl_errors *part)
{
    all->largest = part->largest > all->largest || part->largest != part->largest ? part->largest : all->largest;
    all->sum += part->sum;
    all->impulse += part->impulse;
    all->pressing += part->pressing;
    all->touching += part->touching;
}

/* Of the present impulses: the largest error and their mean, and which largest one is enough [m/s]. */
typedef struct tl_sweeps_errors {
    double largest, mean, suffices;
} tl_sweeps_errors;

typedef struct tl_sweeps {
    /* given */
    void *context;
    int contacts;                          /* that a sweep visits */
    const talus_solver_settings *settings; /* tolerance, acceptable, max_iterations, momentum */
    /* One sweep from impulses and velocities extrapolated by β. Returns how far it turned back against their change: positive means overshoot. */
    double (*sweep)(void *context, double beta);
    void (*errors)(void *context, tl_sweeps_errors *);
    /* result */
    int iterations;
    double error; /* the last largest one [m/s] */
} tl_sweeps;

/* Sweeps with momentum (Nesterov 1983, restarted as O'Donoghue & Candès 2015): to the tolerance, after the first hundred (of few contacts more) to what
 * suffices. DIVERGED: the error is not a number; INTERRUPTED. */
TALUS_NODISCARD talus_status tl_sweeps_run(tl_sweeps *, const tl_step *);

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
