/* Any scene as a benchmark: how much faster than the clock it runs, and how long its steps take, from the shortest to the longest. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/math.h"
#include "cli/bench.h"

/* The class of a time: from 2^k/8 ms to twice that; the first is all below 0.25 ms, the last has no end. */
static int bin_of(double ms)
{
    int bin = 0;
    while (bin < BENCH_BINS - 1 && ms >= bench_bin(bin + 1)) bin++;
    return bin;
}

double bench_bin(int bin) { return bin > 0 ? ldexp(0.125, bin) : 0; }

/* Neither what a run would write is part of the time, nor the printing of warnings. */
static talus_status run(const talus_scene *scene, talus_world *w, bench_extent to, double **ms, bench_scene_result *out)
{
    bool over = false;
    int capacity = 0;
    const double first = talus_world_time(w), until = to.until > 0 ? to.until : talus_scene_end(scene);
    while (!over && (to.steps == 0 || out->steps < to.steps) && talus_world_time(w) < until - 0.5 * talus_world_step_size(w)) {
        talus_step_report report = {0};
        const double began = tl_clock();
        TL_TRY(talus_world_step(w, &report));
        TL_TRY(talus_scene_advance(scene, w, &over));
        const double took = 1e3 * (tl_clock() - began);
        fputs(talus_world_warnings(w), stderr);
        if (out->steps == capacity) {
            capacity = 2 * capacity + 1000;
            double *more = realloc(*ms, (size_t)capacity * sizeof **ms);
            if (!more) return TALUS_MEMORY;
            *ms = more;
        }
        (*ms)[out->steps++] = took;
        out->wall += 1e-3 * took;
        out->within += report.converged;
        out->bin[bin_of(took)]++;
        if (took <= out->worst_ms) continue;
        out->worst_ms = took, out->worst_time = talus_world_time(w);
        out->worst_contacts = report.contacts, out->worst_iterations = report.iterations;
    }
    out->simulated = talus_world_time(w) - first;
    return TALUS_OK;
}

talus_status bench_measure_scene(const char *path, int threads, bench_extent to, bench_scene_result *out, char *message, size_t size)
{
    bench_world w = {0};
    double *ms = NULL;
    *out = (bench_scene_result){.name = path, .threads = threads};
    talus_status status = talus_scene_load(path, NULL, 0, &w.scene);
    if (status == TALUS_OK) status = talus_scene_build(w.scene, threads, &w.world);
    snprintf(message, size, "%s", w.scene && talus_scene_mistake_count(w.scene) > 0 ? talus_scene_mistake(w.scene, 0) : "no memory");
    out->built = status == TALUS_OK;
    if (status == TALUS_OK) {
        fputs(talus_scene_warnings(w.scene), stderr);
        status = run(w.scene, w.world, to, &ms, out);
        const char *error = talus_world_error(w.world);
        if (*error) snprintf(message, size, "%s: %s", path, error);
        else snprintf(message, size, "%s: after t = %g s: %s", path, talus_world_time(w.world), talus_status_meaning(status));
    }
    if (status == TALUS_OK && out->steps > 0) {
        qsort(ms, (size_t)out->steps, sizeof *ms, tl_rising);
        out->median_ms = 0.5 * (ms[(out->steps - 1) / 2] + ms[out->steps / 2]);
        out->high_ms = ms[(int)(0.95 * (out->steps - 1))];
    }
    free(ms);
    bench_world_destroy(&w);
    return status;
}

void bench_print_scene(const bench_scene_result *r)
{
    int most = 1;
    if (r->steps == 0) {
        printf("%s, threads: %d: no step, for the end is less than half a step away\n", r->name, r->threads);
        return;
    }
    for (int i = 0; i < BENCH_BINS; i++) most = r->bin[i] > most ? r->bin[i] : most;
    printf("%s, threads: %d: %g s in %.3g s, %.3g times real time\n", r->name, r->threads, r->simulated, r->wall, r->simulated / r->wall);
    printf("  %d steps, %.1f %% within the tolerance; median %.3g ms, 95 %% below %.3g ms, the longest %.3g ms (to t = %g s: %d contacts, %d iterations)\n",
           r->steps, 100.0 * r->within / r->steps, r->median_ms, r->high_ms, r->worst_ms, r->worst_time, r->worst_contacts, r->worst_iterations);
    for (int i = 0; i < BENCH_BINS; i++) {
        if (r->bin[i] == 0) continue;
        printf("  %s %7g ms %6d ", i == 0 ? "below" : " from", bench_bin(i > 0 ? i : 1), r->bin[i]);
        for (int k = 0; k < (50 * r->bin[i] + most - 1) / most; k++) putchar('#');
        printf("\n");
    }
    fflush(stdout);
}

void bench_write_scene(FILE *file, const bench_scene_result *r)
{
    fprintf(file, "{\"scene\": ");
    tl_json_text(file, r->name);
    fprintf(file, ", \"threads\": %d, \"steps\": %d, \"within\": %d, \"simulated_s\": %.9g, \"wall_s\": %.9g, ", r->threads, r->steps, r->within, r->simulated,
            r->wall);
    fprintf(file, "\"median_ms\": %.6g, \"high_ms\": %.6g, \"worst_ms\": %.6g, \"worst_time\": %.9g, \"histogram\": [", r->median_ms, r->high_ms, r->worst_ms,
            r->worst_time);
    for (int i = 0; i < BENCH_BINS; i++) fprintf(file, "%s[%g, %d]", i ? ", " : "", bench_bin(i), r->bin[i]);
    fprintf(file, "]}");
}
