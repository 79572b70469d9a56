/* How long a step of a settled box takes to some tolerances, by sweeps and in velocities of bodies. */
#include <stdio.h>

#include "base/base.h"
#include "cli/bench.h"

enum { SWEEPS = 20000, BODY_SWEEPS = 1000 }; /* at most; the latter are a hundred steps of the other */

static const double TOLERANCE[BENCH_TOLERANCES] = {1e-4, 1e-6, 1e-8};
static const char *const METHOD[BENCH_METHODS] = {TALUS_SOLVER_SWEEPS, TALUS_SOLVER_BODIES};

static talus_status take_step(talus_world *w, bench_exact_step *out, char *message, size_t size)
{
    talus_step_report report = {0};
    const double began = tl_clock();
    const talus_status status = talus_world_step(w, &report);
    if (status != TALUS_OK) snprintf(message, size, "%s", talus_world_error(w));
    *out = (bench_exact_step){tl_clock() - began, report.residual, report.iterations, report.converged};
    return status;
}

talus_status bench_measure_exact(const bench_packing *p, bench_exact *out, char *message, size_t size)
{
    talus_status status = TALUS_OK;
    for (int m = 0; m < BENCH_METHODS && status == TALUS_OK; m++)
        for (int t = 0; t < BENCH_TOLERANCES && status == TALUS_OK; t++) {
            const bench_settings s = {
                .tolerance = TOLERANCE[t], .max_iterations = m == 0 ? SWEEPS : BODY_SWEEPS, .threads = out->threads, .cold = true, .method = METHOD[m]};
            bench_world w;
            if ((status = bench_restore(out->box, &s, p, &w, message, size)) != TALUS_OK) return status;
            for (int k = 0; k < 2 && status == TALUS_OK; k++) status = take_step(w.world, &out->step[m][t][k], message, size);
            bench_world_destroy(&w);
        }
    return status;
}

void bench_print_exact(const bench_exact *e, bool first)
{
    if (first)
        printf("\n%-20s %7s %8s %10s %10s %11s %11s %10s %11s %11s   (one step of 1 ms, all included; +: its error is above the tolerance)\n", "case",
               "threads", "method", "tolerance", "cold s", "iterations", "error", "then s", "iterations", "error");
    for (int m = 0; m < BENCH_METHODS; m++)
        for (int t = 0; t < BENCH_TOLERANCES; t++) {
            printf("%-20s %7d %8s %10.0e", e->box->name, e->threads, METHOD[m], TOLERANCE[t]);
            for (int k = 0; k < 2; k++) {
                const bench_exact_step *s = &e->step[m][t][k];
                printf(" %10.3f %11d %10.2e%s", s->seconds, s->iterations, s->residual, s->converged ? " " : "+");
            }
            printf("\n");
        }
    fflush(stdout);
}

void bench_write_exact(FILE *file, const bench_exact *e)
{
    for (int m = 0; m < BENCH_METHODS; m++)
        for (int t = 0; t < BENCH_TOLERANCES; t++) {
            const bench_exact_step *cold = &e->step[m][t][0], *warm = &e->step[m][t][1];
            fprintf(file, ",\n  {\"exact\": \"%s\", \"threads\": %d, \"method\": \"%s\", \"tolerance\": %.0e, ", e->box->name, e->threads, METHOD[m],
                    TOLERANCE[t]);
            fprintf(file, "\"cold_s\": %.4g, \"cold_iterations\": %d, \"cold_error\": %.4g, ", cold->seconds, cold->iterations, cold->residual);
            fprintf(file, "\"then_s\": %.4g, \"then_iterations\": %d, \"then_error\": %.4g}", warm->seconds, warm->iterations, warm->residual);
        }
}
