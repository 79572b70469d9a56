/* The measurements of `talus bench`. A box falls together once; its state is then put into worlds with other settings, so that every measurement
 * begins from the same packing:
 *
 *   timing       steps of a fixed number of sweeps, so that machines and versions compare;
 *   warm start   sweeps to the default tolerance from the impulses of the step before;
 *   cold start   the residual of one step after 10, 30, 100, 300 sweeps from no impulses. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "base/base.h"
#include "cli/bench.h"

static const double NEVER = 1e-12; /* a tolerance that is not reached: every step does its sweeps [m/s] */

int bench_sweeps(int index)
{
    static const int SWEEPS[BENCH_CURVE] = {10, 30, 100, 300};
    return SWEEPS[index];
}

/* ---- the settled state ----------------------------------------------------------------------------------------------- */

static bool copy_field(const talus_field *from, talus_field *to)
{
    const size_t bytes = from->rows * from->columns * (from->type == TALUS_FIELD_INT32 ? sizeof(int32_t) : sizeof(double));
    char *name = strdup(from->name), *data = malloc(bytes + 1);
    *to = *from;
    to->name = name, to->data = data;
    if (data && bytes > 0) memcpy(data, from->data, bytes);
    return name && data;
}

talus_status bench_keep(const talus_world *w, bench_packing *p)
{
    const int count = talus_state_count(w);
    p->field = calloc((size_t)count + 1, sizeof *p->field);
    if (!p->field) return TALUS_MEMORY;
    while (p->fields < count) {
        talus_field f;
        talus_state_field(w, p->fields, &f);
        if (!copy_field(&f, &p->field[p->fields++])) return TALUS_MEMORY;
    }
    return TALUS_OK;
}

void bench_packing_destroy(bench_packing *p)
{
    for (int i = 0; i < p->fields; i++) {
        free((void *)p->field[i].name);
        free((void *)p->field[i].data);
    }
    free(p->field);
    *p = (bench_packing){0};
}

talus_status bench_restore(const bench_case *c, const bench_settings *s, const bench_packing *p, bench_world *out, char *message, size_t size)
{
    talus_field *field = malloc(((size_t)p->fields + 1) * sizeof *field);
    snprintf(message, size, "no memory for the state");
    if (!field) return TALUS_MEMORY;
    for (int i = 0; i < p->fields; i++) {
        field[i] = p->field[i];
        if (s->cold && strncmp(field[i].name, "contacts/", 9) == 0) field[i].rows = 0;
    }
    talus_status status = bench_build(c, s, out, message, size);
    if (status == TALUS_OK && (status = talus_state_restore(out->world, field, p->fields)) != TALUS_OK) {
        snprintf(message, size, "%s", talus_world_error(out->world));
        bench_world_destroy(out);
    }
    free(field);
    return status;
}

static talus_status advance(talus_world *w, talus_step_report *report, char *message, size_t size)
{
    const talus_status status = talus_world_step(w, report);
    if (status != TALUS_OK) snprintf(message, size, "%s", talus_world_error(w));
    return status;
}

/* ---- what is settled, and how many sweeps it takes -------------------------------------------------------------------------- */

static void describe(const bench_case *c, const talus_world *w, const talus_step_report *report, bench_packing *p)
{
    double kinetic, potential, mass = 0, overlap = 0;
    const int contacts = talus_contact_count(w);
    for (int i = 0; i < talus_body_count(w); i++)
        if (talus_solid_of_body(w, talus_body_at(w, i)).index1 == 0) mass += talus_body_mass(w, talus_body_at(w, i)); /* of the grains alone */
    for (int i = 0; i < contacts; i++) {
        talus_contact contact;
        talus_contact_get(w, i, &contact);
        overlap += fmax(0, -contact.gap);
    }
    talus_world_energy(w, &kinetic, &potential);
    p->energy = kinetic / (mass * 9.81 * c->diameter);
    p->overlap = contacts > 0 ? overlap / contacts / c->diameter : 0;
    p->touching = (double)report->touching / c->grains;
}

static talus_status warm_start(const bench_case *c, int threads, bench_packing *p, char *message, size_t size)
{
    enum { STEPS = 2, MOST = 3000 };
    const bench_settings settings = {.max_iterations = MOST, .threads = threads};
    bench_world w;
    talus_step_report report;
    talus_status status = bench_restore(c, &settings, p, &w, message, size);
    if (status != TALUS_OK) return status;
    p->converged = true;
    for (int k = 0; k < STEPS && status == TALUS_OK; k++) {
        status = advance(w.world, &report, message, size);
        p->iterations += (double)report.iterations / STEPS;
        p->tolerance = report.tolerance;
        p->converged = p->converged && report.converged;
    }
    bench_world_destroy(&w);
    return status;
}

static talus_status cold_start(const bench_case *c, int threads, bench_packing *p, char *message, size_t size)
{
    talus_status status = TALUS_OK;
    for (int i = 0; i < BENCH_CURVE && status == TALUS_OK; i++) {
        const bench_settings settings = {.tolerance = NEVER, .max_iterations = bench_sweeps(i), .threads = threads, .cold = true};
        bench_world w;
        talus_step_report report = {0};
        if ((status = bench_restore(c, &settings, p, &w, message, size)) != TALUS_OK) return status;
        status = advance(w.world, &report, message, size);
        p->curve[i] = report.residual;
        bench_world_destroy(&w);
    }
    return status;
}

/* ---- memory ---------------------------------------------------------------------------------------------------------- */

/* A line of what the system says of this process [bytes], where it says it as Linux does; else 0. */
static double resident(const char *name)
{
    char line[256];
    double kilobytes = 0;
    FILE *file = fopen("/proc/self/status", "r");
    const size_t length = strlen(name);
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, name, length) == 0 && line[length] == ':') kilobytes = strtod(line + length + 1, NULL);
    if (file) fclose(file);
    return 1024 * kilobytes;
}

/* The peak is that of what follows: what was freed before goes back to the system first. Returns what is in memory now; 0: it cannot be known. */
static double begin_peak(void)
{
    static const char *const RESET = "5"; /* proc(5): the peak begins anew */
    FILE *file = fopen("/proc/self/clear_refs", "w");
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
    if (!file) return 0;
    const bool written = fputs(RESET, file) >= 0, closed = fclose(file) == 0;
    return written && closed ? resident("VmRSS") : 0;
}

/* ---- the box falls together ------------------------------------------------------------------------------------------ */

/* All its steps; where these take long, what has been done is said now and then. */
static talus_status fall(const bench_case *c, int steps, talus_world *w, talus_step_report *report, double *seconds)
{
    static const double OFTEN = 60; /* s */
    const double start = tl_clock();
    double said = start;
    talus_status status = TALUS_OK;
    for (int k = 0; k < steps && status == TALUS_OK; k++) {
        status = talus_world_step(w, report);
        if (tl_clock() - said < OFTEN) continue;
        said = tl_clock();
        fprintf(stderr, "%s falls together: %d of %d steps, %.0f minutes\n", c->name, k + 1, steps, (said - start) / 60);
    }
    *seconds = tl_clock() - start;
    return status;
}

talus_status bench_settle(const bench_case *c, int steps, int threads, bench_packing *out, char *message, size_t size)
{
    const bench_settings settings = {.max_iterations = BENCH_SWEEPS, .threads = threads};
    bench_world w;
    talus_step_report report = {0};
    *out = (bench_packing){0};
    const double before = begin_peak();
    talus_status status = bench_build(c, &settings, &w, message, size);
    if (status != TALUS_OK) return status;
    status = fall(c, steps, w.world, &report, &out->seconds);
    if (status != TALUS_OK) snprintf(message, size, "%s", talus_world_error(w.world));
    if (before > 0) out->resident = fmax(0, resident("VmHWM") - before);
    if (status == TALUS_OK) {
        describe(c, w.world, &report, out);
        out->time = talus_world_time(w.world);
        status = bench_keep(w.world, out);
        if (status != TALUS_OK) snprintf(message, size, "no memory for the state");
    }
    bench_world_destroy(&w);
    if (status == TALUS_OK) status = warm_start(c, threads, out, message, size);
    return status == TALUS_OK ? cold_start(c, threads, out, message, size) : status;
}

/* ---- timing ---------------------------------------------------------------------------------------------------------- */

/* What the soil is made of; without one, nothing. */
static void describe_soil(const talus_world *w, bench_result *out)
{
    talus_solid_mesh mesh;
    const talus_solid_id soil = talus_solid_at(w, 0);
    if (!talus_solid_get_mesh(w, soil, &mesh)) return;
    out->unknowns = mesh.dimension * mesh.nodes;
    out->factor_bytes = (double)talus_solid_factor_bytes(w, soil);
}

static int contacts_of_soil(const talus_world *w)
{
    const uint32_t soil = talus_solid_body(w, talus_solid_at(w, 0)).index1;
    int count = 0;
    for (int i = 0; soil > 0 && i < talus_contact_count(w); i++) {
        talus_contact contact;
        talus_contact_get(w, i, &contact);
        count += contact.antagonist.index1 == soil || contact.candidate.index1 == soil;
    }
    return count;
}

static talus_status time_steps(talus_world *w, int steps, bench_result *out, char *message, size_t size)
{
    talus_step_report report = {0};
    double before[BENCH_STAGES] = {0}, updates = 0, contacts = 0, on_soil = 0, total = 0, solve = 0;
    talus_status status = advance(w, &report, message, size); /* the first step finds memory and fills caches */
    if (status != TALUS_OK) return status;
    out->stages = talus_stage_count(w);
    for (int k = 0; k < out->stages; k++) before[k] = talus_stage_seconds(w, k);
    for (int k = 0; k < steps; k++) {
        if ((status = advance(w, &report, message, size)) != TALUS_OK) return status;
        updates += (double)report.iterations * report.contacts;
        contacts += report.contacts;
        on_soil += contacts_of_soil(w);
    }
    for (int k = 0; k < out->stages; k++) {
        const double seconds = talus_stage_seconds(w, k) - before[k];
        out->stage[k] = talus_stage_name(w, k);
        out->stage_ms[k] = 1e3 * seconds / steps;
        out->once_s[k] = fmax(0, before[k] - seconds / steps);
        total += seconds;
        if (strcmp(out->stage[k], "solve") == 0) solve = seconds;
    }
    out->contacts = (int)(contacts / steps);
    out->soil_contacts = (int)(on_soil / steps);
    describe_soil(w, out);
    out->step_ms = 1e3 * total / steps;
    out->update_ns = updates > 0 ? 1e9 * solve / updates : 0;
    out->outside = total > 0 ? (total - solve) / total : 0;
    out->bytes_per_grain = (double)talus_world_bytes(w) / out->box->grains;
    out->bytes_per_contact = contacts > 0 ? (double)talus_world_bytes(w) * steps / contacts : 0;
    out->residual = report.residual;
    return TALUS_OK;
}

talus_status bench_measure(const bench_packing *p, int threads, int steps, bench_result *out, char *message, size_t size)
{
    const bench_case *c = out->box;
    const bench_settings settings = {.tolerance = NEVER, .max_iterations = BENCH_TIMED, .threads = threads};
    bench_world w;
    *out = (bench_result){.box = c, .threads = threads};
    const double before = begin_peak();
    talus_status status = bench_restore(c, &settings, p, &w, message, size);
    if (status != TALUS_OK) return status;
    status = time_steps(w.world, steps, out, message, size);
    if (before > 0) out->resident_per_grain = fmax(0, resident("VmHWM") - before) / c->grains;
    bench_world_destroy(&w);
    return status;
}

/* ---- growth ---------------------------------------------------------------------------------------------------------- */

void bench_add_point(bench_line *f, double x, double y) { f->n += 1, f->x += x, f->y += y, f->xx += x * x, f->xy += x * y; }

double bench_slope(const bench_line *f)
{
    const double spread = f->n * f->xx - f->x * f->x;
    return spread > 1e-9 ? (f->n * f->xy - f->x * f->y) / spread : 0;
}

static double size_of(const bench_result *r, bench_size size)
{
    return size == BENCH_GRAINS ? r->box->grains : size == BENCH_ELEMENTS ? bench_elements(r->box) : r->soil_contacts;
}

bench_growth bench_fit(const bench_result *results, int count, const bench_case *first, bench_size size, int threads)
{
    bench_line stage[BENCH_STAGES] = {0}, step = {0};
    bench_growth growth = {0};
    int stages = 0;
    for (int i = 0; i < count; i++) {
        const bench_result *r = &results[i];
        if (r->threads != threads || !bench_alike(r->box, first, size)) continue;
        const double x = log(fmax(1, size_of(r, size)));
        for (int k = 0; k < r->stages; k++) bench_add_point(&stage[k], x, log(fmax(1e-6, r->stage_ms[k]))); /* a clock may say 0 */
        bench_add_point(&step, x, log(r->step_ms));
        stages = r->stages;
        growth.sizes++;
    }
    if (!(step.n * step.xx - step.x * step.x > 1e-9)) return (bench_growth){0}; /* N is the same in all, as it is before anything has fallen onto soil */
    for (int k = 0; k < stages; k++) growth.stage[k] = bench_slope(&stage[k]);
    growth.step = bench_slope(&step);
    return growth;
}
