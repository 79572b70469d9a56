/* How far momentum looks back, and when sweeps end (sweeps.h), on sweeps that are a matrix: a slow real mode, which momentum speeds up, and a turning one,
 * which it keeps turning. */
#include "solve/sweeps.h"

#include <complex.h>
#include <math.h>

#include "test.h"

enum { REAL, TURN, MODES, MANY = 100000 };

typedef struct model {
    double x[MODES][2], before[MODES][2], factor[MODES][2], suffices;
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

static void errors(void *context, tl_sweeps_errors *e)
{
    const model *m = context;
    *e = (tl_sweeps_errors){.suffices = m->suffices};
    for (int k = 0; k < MODES; k++) {
        const double own = hypot(m->x[k][0], m->x[k][1]);
        e->largest = fmax(e->largest, own);
        e->mean += own / MODES;
    }
}

static tl_sweeps run(model *m, int contacts, int most, double tolerance)
{
    talus_solver_settings settings = talus_solver_settings_default();
    settings.tolerance = tolerance, settings.max_iterations = most;
    tl_error error = {0};
    tl_sweeps s = {.context = m, .sweep = sweep, .errors = errors, .contacts = contacts, .settings = &settings};
    CHECK_OK(tl_sweeps_run(&s, &(tl_step){.error = &error}), error.text);
    s.settings = NULL;
    return s;
}

static model modes(double slow, double size, double angle)
{
    return (model){.x = {{1, 0}, {1, 0}}, .before = {{1, 0}, {1, 0}}, .factor = {{slow, 0}, {size * cos(angle), size * sin(angle)}}};
}

static int sweeps_of(double slow, double size, double angle)
{
    model m = modes(slow, size, angle);
    const tl_sweeps s = run(&m, MANY, 1000, 1e-5);
    CHECK(s.error <= 1e-5);
    return s.iterations;
}

static double complex turn(double angle) { return CMPLX(cos(angle), sin(angle)); }

/* The larger root of z² − (1 + β) λ z + β λ: what a sweep with a steady momentum β makes of a mode λ. */
static double growth(double complex lambda, double beta)
{
    const double complex half = 0.5 * (1 + beta) * lambda, root = csqrt(half * half - beta * lambda);
    return fmax(cabs(half + root), cabs(half - root));
}

/* Modes ρ exp(±iφ) that plain sweeps halve every few sweeps, and that a steady momentum of 0.9 makes ten times larger in 25 or fewer. They end within a few
 * times what plain sweeps take. */
TEST(circles)
{
    static const double RHO[] = {0.8, 0.82, 0.84, 0.84, 0.88}, ANGLE[] = {0.6, 0.5, 0.35, 0.45, 0.25};
    for (int i = 0; i < 5; i++) {
        const double plain = log(1e-5) / log(RHO[i]);
        CHECK(growth(RHO[i] * turn(ANGLE[i]), 0.9) > 1.1);
        CHECK(sweeps_of(0.9, RHO[i], ANGLE[i]) < 4 * plain);
    }
}

/* Where momentum does its work it is left alone: a slow mode takes a fraction of what plain sweeps would. */
TEST(momentum_stays)
{
    for (double slow = 0.98; slow < 0.998; slow += 0.004) CHECK(sweeps_of(slow, 0.5, 0) < 0.5 * log(1e-5) / log(slow));
}

/* The tolerance is aimed at for a hundred sweeps, of few contacts for more; then what suffices is enough, though not before, and it never asks for more. */
TEST(what_suffices)
{
    model easy = modes(0.8, 0.5, 0), hard = modes(0.996, 0.5, 0), few = hard, strict = hard;
    easy.suffices = hard.suffices = few.suffices = 0.5, strict.suffices = 1e-9;
    const tl_sweeps quick = run(&easy, MANY, 1000, 1e-5), enough = run(&hard, MANY, 1000, 1e-5), more = run(&few, 10, 1000, 1e-5);
    CHECK(quick.error <= 1e-5 && quick.iterations < 100);
    CHECK(enough.error <= 0.5 && enough.error > 1e-5 && enough.iterations >= 100 && enough.iterations < 200);
    CHECK(more.error <= 1e-5 && more.iterations > enough.iterations);
    model alone = modes(0.996, 0.5, 0);
    const tl_sweeps with = run(&strict, MANY, 1000, 1e-4), without = run(&alone, MANY, 1000, 1e-4);
    CHECK(with.iterations == without.iterations && with.error == without.error && with.error <= 1e-4);
}

int main(int argc, char **argv)
{
    RUN(circles);
    RUN(momentum_stays);
    RUN(what_suffices);
    return TEST_RESULT;
}
