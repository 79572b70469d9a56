/* When momentum rests (sweeps.h), on sweeps that are a matrix: a slow real mode, which momentum speeds up, and a turning one, which it keeps turning. */
#include "solve/sweeps.h"

#include <math.h>

#include "test.h"

enum { REAL, TURN, MODES };

typedef struct model {
    double x[MODES][2], before[MODES][2], factor[MODES][2];
} model;

static double sweep(void *context, double beta)
{
    model *m = context;
    double reversal = 0;
    for (int k = 0; k < MODES; k++) {
        double y[2], next[2];
        for (int i = 0; i < 2; i++) y[i] = m->x[k][i] + beta * (m->x[k][i] - m->before[k][i]);
        next[0] = m->factor[k][0] * y[0] - m->factor[k][1] * y[1];
        next[1] = m->factor[k][0] * y[1] + m->factor[k][1] * y[0];
        for (int i = 0; i < 2; i++) {
            reversal -= (next[i] - y[i]) * (next[i] - m->x[k][i]);
            m->before[k][i] = m->x[k][i], m->x[k][i] = next[i];
        }
    }
    return reversal;
}

static double residual(void *context)
{
    const model *m = context;
    double most = 0;
    for (int k = 0; k < MODES; k++) most = fmax(most, hypot(m->x[k][0], m->x[k][1]));
    return most;
}

static int sweeps_of(double slow, double size, double angle, bool alternates)
{
    model m = {.x = {{1, 0}, {1, 0}}, .before = {{1, 0}, {1, 0}}, .factor = {{slow, 0}, {size * cos(angle), size * sin(angle)}}};
    talus_solver_settings settings = talus_solver_settings_default();
    settings.tolerance = 1e-5;
    tl_error error = {0};
    tl_sweeps s = {.context = &m, .sweep = sweep, .residual = residual, .settings = &settings, .settles = true, .alternates = alternates};
    CHECK_OK(tl_sweeps_run(&s, &error), error.text);
    CHECK(s.error <= settings.tolerance);
    return s.iterations;
}

/* A mode ρ exp(±iφ) that plain sweeps halve every few sweeps, momentum of 0.9 keeps turning: the roots of z² − (1 + β) λ z + β λ are about 1. It ends with the
 * last quarter of the sweeps, where momentum rests anyway, or within a few times the logarithm of the tolerance by that of ρ. */
TEST(circles)
{
    static const double RHO[] = {0.8, 0.82, 0.84, 0.84, 0.88}, ANGLE[] = {0.6, 0.5, 0.35, 0.45, 0.25};
    for (int i = 0; i < 5; i++) {
        const double plain = log(1e-5) / log(RHO[i]);
        CHECK(sweeps_of(0.9, RHO[i], ANGLE[i], false) > 750);
        CHECK(sweeps_of(0.9, RHO[i], ANGLE[i], true) < 4 * plain);
    }
}

/* Where momentum does its work nothing else is done: a slow mode takes a fraction of what plain sweeps would. */
TEST(momentum_stays)
{
    for (double slow = 0.98; slow < 0.998; slow += 0.004) {
        const int sweeps = sweeps_of(slow, 0.5, 0, true);
        CHECK(sweeps == sweeps_of(slow, 0.5, 0, false));
        CHECK(sweeps < 0.5 * log(1e-5) / log(slow));
    }
}

int main(int argc, char **argv)
{
    RUN(circles);
    RUN(momentum_stays);
    return TEST_RESULT;
}
