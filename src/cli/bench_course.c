/* What a step owes to the one before: sweeps over a course of steps, from impulses carried over, from none, and after one step that was solved far better. */
#include <math.h>
#include <stdio.h>

#include "base/base.h"
#include "cli/bench.h"

enum { STEPS = 1000, MOST = 5000, SAMPLES = 20, SETTLED = 100 };

/* The wall comes in against contacts that give, as in bench_accuracy.c, for against rigid ones there hardly is an answer. Shaken: what all weigh swings by
 * half, thirty times a second, as in a box that swings. */
static const double TOLERANCE[BENCH_COURSE_TOLERANCES] = {1e-4, 1e-6}, WELL = 1e-8, SWING = 0.5, PULSE = 30;
static const char *const LOAD[BENCH_COURSE_LOADS] = {"at rest", "pushed", "shaken"};
enum { PUSHED = 1, SHAKEN = 2 };

/* Of one load, to one tolerance. */
typedef struct course {
    const bench_case *box;
    int load, steps;
    bench_settings settings;
} course;

static talus_status take_step(const course *c, talus_world *w, talus_step_report *r, char *message, size_t size)
{
    const double now = talus_world_time(w), g = -9.81 * (1 + (c->load == SHAKEN ? SWING * sin(2 * 3.14159265358979323846 * PULSE * now) : 0));
    const double gravity[3] = {0, talus_world_dimension(w) == 2 ? g : 0, talus_world_dimension(w) == 2 ? 0 : g};
    talus_status status = talus_world_set_gravity(w, gravity);
    if (status == TALUS_OK) status = talus_world_step(w, r);
    if (status != TALUS_OK) snprintf(message, size, "%s", talus_world_error(w));
    return status;
}

/* The state of a world, with its impulses. */
static talus_status keep(const talus_world *w, bench_packing *p, char *message, size_t size)
{
    *p = (bench_packing){0};
    const talus_status status = bench_keep(w, p);
    if (status != TALUS_OK) snprintf(message, size, "no memory for the state");
    return status;
}

/* The next step of a world, but from no impulses. */
static talus_status step_from_none(const course *c, const talus_world *w, int *sweeps, char *message, size_t size)
{
    bench_packing now;
    bench_world other = {0};
    bench_settings s = c->settings;
    talus_step_report r = {0};
    s.cold = true;
    talus_status status = keep(w, &now, message, size);
    if (status == TALUS_OK) status = bench_restore(c->box, &s, &now, &other, message, size);
    if (status == TALUS_OK) status = take_step(c, other.world, &r, message, size);
    *sweeps = r.iterations;
    bench_world_destroy(&other);
    bench_packing_destroy(&now);
    return status;
}

/* From a state on; `none`, not NULL: now and then a step from no impulses, too, their mean. */
static talus_status follow(const course *c, const bench_packing *from, bench_course_mean *out, double *none, char *message, size_t size)
{
    bench_world w;
    talus_status status = bench_restore(c->box, &c->settings, from, &w, message, size);
    if (status != TALUS_OK) return status;
    const int every = c->steps > SAMPLES ? c->steps / SAMPLES : 1;
    int samples = 0, sweeps = 0;
    double all = 0;
    *out = (bench_course_mean){0};
    for (int k = 0; k < c->steps && status == TALUS_OK; k++) {
        talus_step_report r = {0};
        if (none && k % every == every - 1) {
            status = step_from_none(c, w.world, &sweeps, message, size);
            all += sweeps, samples++;
        }
        if (status == TALUS_OK) status = take_step(c, w.world, &r, message, size);
        out->sweeps += (double)r.iterations / c->steps;
        out->within += r.converged;
        if (k == 0) out->first = r.iterations;
    }
    if (none) *none = samples > 0 ? all / samples : 0;
    bench_world_destroy(&w);
    return status;
}

/* The steps of a course from a state, to a state with its impulses; iterations of the last. */
static talus_status lead(const course *c, const bench_packing *from, bench_packing *to, int *sweeps, char *message, size_t size)
{
    bench_world w;
    talus_step_report r = {0};
    talus_status status = bench_restore(c->box, &c->settings, from, &w, message, size);
    if (status != TALUS_OK) return status;
    for (int k = 0; k < c->steps && status == TALUS_OK; k++) status = take_step(c, w.world, &r, message, size);
    *sweeps = r.iterations;
    if (status == TALUS_OK) status = keep(w.world, to, message, size);
    bench_world_destroy(&w);
    return status;
}

/* First a while of the load, for the sweeps of the settling were few, and contacts had not given until then. */
static talus_status measure(const course *c, const bench_packing *p, bench_course_load *out, char *message, size_t size)
{
    bench_packing start = {0}, well = {0};
    course settling = *c, better = *c;
    int sweeps;
    settling.steps = SETTLED, better.steps = 1;
    better.settings.tolerance = WELL, better.settings.max_iterations = 20 * MOST;
    talus_status status = lead(&settling, p, &start, &sweeps, message, size);
    if (status == TALUS_OK) status = follow(c, &start, &out->carried, &out->none, message, size);
    if (status == TALUS_OK) status = lead(&better, &start, &well, &out->well, message, size);
    if (status == TALUS_OK) status = follow(c, &well, &out->after, NULL, message, size);
    bench_packing_destroy(&start);
    bench_packing_destroy(&well);
    return status;
}

talus_status bench_measure_course(const bench_packing *p, int steps, bench_course *out, char *message, size_t size)
{
    talus_status status = TALUS_OK;
    out->steps = steps > 0 ? steps : STEPS;
    for (int load = 0; load < BENCH_COURSE_LOADS; load++)
        for (int t = 0; t < BENCH_COURSE_TOLERANCES && status == TALUS_OK; t++) {
            const bench_settings s = {.tolerance = TOLERANCE[t],
                                      .max_iterations = MOST,
                                      .threads = out->threads,
                                      .push = {load == PUSHED ? BENCH_SPEED : 0, p->time},
                                      .stiffness = load == PUSHED ? BENCH_YOUNG * out->box->diameter : 0};
            status = measure(&(course){out->box, load, out->steps, s}, p, &out->load[load][t], message, size);
        }
    return status;
}

void bench_print_course(const bench_course *c, bool first)
{
    if (first)
        printf("\n%-20s %7s %8s %10s %6s %9s %9s %9s %9s %9s %9s   (sweeps a step; first, after: in the steps after one solved to 1e-8 m/s)\n", "case",
               "threads", "load", "tolerance", "steps", "within", "none", "carried", "well", "first", "after");
    for (int load = 0; load < BENCH_COURSE_LOADS; load++)
        for (int t = 0; t < BENCH_COURSE_TOLERANCES; t++) {
            const bench_course_load *l = &c->load[load][t];
            printf("%-20s %7d %8s %10.0e %6d %7.1f %% %9.1f %9.1f %9d %9d %9.1f\n", c->box->name, c->threads, LOAD[load], TOLERANCE[t], c->steps,
                   100. * l->carried.within / c->steps, l->none, l->carried.sweeps, l->well, l->after.first, l->after.sweeps);
        }
    fflush(stdout);
}

void bench_write_course(FILE *file, const bench_course *c)
{
    for (int load = 0; load < BENCH_COURSE_LOADS; load++)
        for (int t = 0; t < BENCH_COURSE_TOLERANCES; t++) {
            const bench_course_load *l = &c->load[load][t];
            fprintf(file, ",\n  {\"course\": \"%s\", \"threads\": %d, \"load\": \"%s\", \"tolerance\": %.0e, \"steps\": %d, \"within\": %d, ", c->box->name,
                    c->threads, LOAD[load], TOLERANCE[t], c->steps, l->carried.within);
            fprintf(file, "\"none\": %.4g, \"carried\": %.4g, \"well\": %d, \"first\": %d, \"after\": %.4g}", l->none, l->carried.sweeps, l->well,
                    l->after.first, l->after.sweeps);
        }
}
