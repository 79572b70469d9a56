/* Orders of convergence, and a tight integrator for references. */
#ifndef TALUS_TEST_ORDERS_H
#define TALUS_TEST_ORDERS_H

#include "test.h"

enum { RUNS = 4, STATES = 16 };

/* Errors of runs with steps halved each time fall with the given order, and the last is below `last`. */
static inline void check_order(const char *what, const double error[RUNS], double order, double slack, double last)
{
    for (int i = 1; i < RUNS; i++) {
        const double found = log2(error[i - 1] / error[i]);
        if (!(fabs(found - order) <= slack))
            TEST_FAIL("%s: order %.3f, expected %g ± %g (errors %.3g, %.3g)", what, found, order, slack, error[i - 1], error[i]);
    }
    if (!(error[RUNS - 1] <= last)) TEST_FAIL("%s: error %.3g > %.3g at the smallest step", what, error[RUNS - 1], last);
}

typedef void derivative(const double *y, double *dy);

/* y(t) from y(0) by n steps of the classical Runge–Kutta method. */
static inline void runge_kutta(derivative *f, double *y, int size, double t, int n)
{
    const double h = t / n;
    double k[4][STATES], s[STATES];
    for (int step = 0; step < n; step++) {
        f(y, k[0]);
        for (int stage = 1; stage < 4; stage++) {
            for (int i = 0; i < size; i++) s[i] = y[i] + h * (stage == 3 ? 1 : 0.5) * k[stage - 1][i];
            f(s, k[stage]);
        }
        for (int i = 0; i < size; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
}

#endif
