/* How many steps of a box meet the default tolerance at the default settings: at rest, and while a wall of it is pushed in, of rigid grains and of grains that
 * give where they touch. */
#include <stdio.h>
#include <stdlib.h>

#include "base/base.h"
#include "base/math.h"
#include "cli/bench.h"

/* Of each load; and before the first, for the sweeps of the settling were few, as before the wall moves where contacts give, for they had not given until
 * then. */
enum { STEPS = 100, BEFORE = 100 };

const double BENCH_SPEED = 0.01, BENCH_YOUNG = 250e6;

/* Median and the value that 95 % are below. */
static void two_of(double *x, int n, double out[2])
{
    qsort(x, (size_t)n, sizeof *x, tl_rising);
    out[0] = x[n / 2], out[1] = x[(int)(0.95 * n)];
}

/* Errors of each step [steps]. */
typedef struct errors {
    double *error, *force;
    int steps;
} errors;

static talus_status take_steps(talus_world *w, const errors *e, bench_share *out)
{
    const double began = tl_clock();
    *out = (bench_share){.steps = e->steps};
    for (int k = 0; k < e->steps; k++) {
        talus_step_report r = {0};
        TL_TRY(talus_world_step(w, &r));
        e->error[k] = r.residual, e->force[k] = r.impulse_mean > 0 ? r.residual / r.impulse_mean : 0;
        out->within += r.converged, out->sweeps += (double)r.iterations / e->steps;
    }
    out->step_ms = 1e3 * (tl_clock() - began) / e->steps;
    two_of(e->error, e->steps, out->error);
    two_of(e->force, e->steps, out->force_error);
    return TALUS_OK;
}

/* A box from the packing on: rigid grains at rest and pushed; or, where contacts give, pushed alone. */
static talus_status measure(const bench_packing *p, const errors *e, bool gives, bench_accuracy *out, char *message, size_t size)
{
    const int first = gives ? BENCH_LOADS - 1 : 0, end = gives ? BENCH_LOADS : BENCH_LOADS - 1;
    const bench_settings s = {.max_iterations = talus_solver_settings_default().max_iterations,
                              .threads = out->threads,
                              .push = {BENCH_SPEED, p->time + 1e-3 * (BEFORE + (end - first - 1) * e->steps)},
                              .stiffness = gives ? BENCH_YOUNG * out->box->diameter : 0};
    bench_world w;
    TL_TRY(bench_restore(out->box, &s, p, &w, message, size));
    talus_status status = TALUS_OK;
    for (int k = 0; k < BEFORE && status == TALUS_OK; k++) status = talus_world_step(w.world, NULL);
    for (int load = first; load < end && status == TALUS_OK; load++) status = take_steps(w.world, e, &out->load[load]);
    if (status != TALUS_OK) snprintf(message, size, "%s", talus_world_error(w.world));
    bench_world_destroy(&w);
    return status;
}

talus_status bench_measure_accuracy(const bench_packing *p, int steps, bench_accuracy *out, char *message, size_t size)
{
    const int n = steps > 0 ? steps : STEPS;
    const errors e = {malloc((size_t)n * sizeof *e.error), malloc((size_t)n * sizeof *e.force), n};
    snprintf(message, size, "no memory for %d steps", n);
    talus_status status = e.error && e.force ? TALUS_OK : TALUS_MEMORY;
    if (status == TALUS_OK) status = measure(p, &e, false, out, message, size);
    if (status == TALUS_OK) status = measure(p, &e, true, out, message, size);
    free(e.error);
    free(e.force);
    return status;
}

static const char *const LOAD[BENCH_LOADS] = {"at rest", "pushed", "gives"};

void bench_print_accuracy(const bench_accuracy *a, bool first)
{
    if (first)
        printf("\n%-20s %7s %8s %6s %9s %11s %11s %11s %11s %8s %10s   (default settings; errors [m/s], and of the mean impulse)\n", "case", "threads", "load",
               "steps", "within", "median", "95 %", "force", "95 %", "sweeps", "ms/step");
    for (int k = 0; k < BENCH_LOADS; k++) {
        const bench_share *s = &a->load[k];
        printf("%-20s %7d %8s %6d %7.1f %% %11.2e %11.2e %11.2e %11.2e %8.1f %10.3f\n", a->box->name, a->threads, LOAD[k], s->steps,
               100. * s->within / s->steps, s->error[0], s->error[1], s->force_error[0], s->force_error[1], s->sweeps, s->step_ms);
    }
    fflush(stdout);
}

void bench_write_accuracy(FILE *file, const bench_accuracy *a)
{
    for (int k = 0; k < BENCH_LOADS; k++) {
        const bench_share *s = &a->load[k];
        fprintf(file, ",\n  {\"accuracy\": \"%s\", \"threads\": %d, \"load\": \"%s\", \"steps\": %d, \"within\": %d, ", a->box->name, a->threads, LOAD[k],
                s->steps, s->within);
        fprintf(file, "\"error\": %.4g, \"error_95\": %.4g, \"force_error\": %.4g, \"force_error_95\": %.4g, ", s->error[0], s->error[1], s->force_error[0],
                s->force_error[1]);
        fprintf(file, "\"sweeps\": %.4g, \"step_ms\": %.4g}", s->sweeps, s->step_ms);
    }
}
