/* A plate pressed into soil of particles that yield, on wider and deeper boxes of one spacing: how long a step of 10 ms takes, and whether it costs a particle
 * the same in every box. The plate is the same everywhere, so that contacts are. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/math.h"
#include "cli/bench.h"

/* Steps until the load is there, and what contacts see of the soil is known; and those that are measured, in which the plate sinks: the same in every box,
 * for steps cost half when it has come to rest. */
enum { BEFORE = 10, STEPS = 20 };

static const bench_plate PLATES[] = {
    {"plate-2100", {29, 13, 4}}, {"plate-8000", {39, 19, 9}}, {"plate-25230", {57, 28, 14}}, {"plate-80000", {79, 49, 19}}, {"plate-200000", {99, 99, 19}},
};

const bench_plate *bench_plates(int *count)
{
    *count = (int)(sizeof PLATES / sizeof *PLATES);
    return PLATES;
}

static int particles_of(const bench_plate *p) { return (p->elements[0] + 1) * (p->elements[1] + 1) * (p->elements[2] + 1); }

char *bench_plate_text(const bench_plate *p)
{
    char *text;
    const int length =
        asprintf(&text,
                 "# A plate on %d particles: %s of talus bench. The soil is that of examples/soil, without weight.\n"
                 "dimension: 3\ngravity: [0, 0, 0]\ntime: {end: 0.5 s, step: 10 ms}\nsolver: {tolerance: 1 mm/s}\n"
                 "materials: {earth: {density: 2000 kg/m^3}, steel: {density: 7800 kg/m^3}}\ninteractions: [{friction: 0.5}]\n"
                 "solids:\n  soil:\n    box: {size: [%g, %g, %g], elements: [%d, %d, %d]}\n    meshfree: {renewal: 0.005}\n"
                 "    material: {kind: drucker-prager, density: 2000 kg/m^3, young: 1 MPa, poisson: 0.25, cohesion: 1 kPa, friction: 22 deg,\n"
                 "               tension: 5 kPa, cap: 0.5 MPa, cap_ratio: 4, compaction: 0.2, hardening: 1e-6 1/Pa}\n"
                 "    damping: {stiffness: 20 ms}\n"
                 "    fixed: [bottom, {group: [left, right], along: x}, {group: [front, back], along: y}]\n"
                 "    contact: {surface: top, as: both, material: earth}\n"
                 "bodies:\n  plate:\n    mass: 500 kg\n    inertia_tensor: [61.7, 61.7, 120]\n    position: [0, 0, 0.1]\n"
                 "    shapes: [{box: {size: [1.2 m, 1.2 m, 0.2 m], material: steel}}]\n"
                 "loads:\n  jack: {body: plate, z: \"-30 kN*ramp(t, 0 s, 0.1 s)\"}\n",
                 particles_of(p), p->name, 0.2 * p->elements[0], 0.2 * p->elements[1], 0.2 * p->elements[2], p->elements[0], p->elements[1], p->elements[2]);
    return length < 0 ? NULL : text;
}

static double seconds_of(const talus_world *w)
{
    double sum = 0;
    for (int k = 0; k < talus_stage_count(w); k++) sum += talus_stage_seconds(w, k);
    return sum;
}

static talus_status time_plate(talus_world *w, int steps, bench_plate_result *out, char *message, size_t size)
{
    double *ms = calloc((size_t)steps + 1, sizeof *ms), before = 0;
    talus_status status = ms ? TALUS_OK : TALUS_MEMORY;
    if (!ms) snprintf(message, size, "no memory for %d times", steps);
    for (int k = 0; k < BEFORE + steps && status == TALUS_OK; k++) {
        talus_step_report report = {0};
        status = talus_world_step(w, &report);
        if (status != TALUS_OK) snprintf(message, size, "%s", talus_world_error(w));
        const double now = seconds_of(w);
        if (k == BEFORE - 1) out->once_s = now;
        if (k >= BEFORE) {
            ms[k - BEFORE] = 1e3 * (now - before);
            out->contacts += (double)report.contacts / steps;
            out->residual = fmax(out->residual, report.residual);
        }
        before = now;
    }
    if (status == TALUS_OK) {
        qsort(ms, (size_t)steps, sizeof *ms, tl_rising);
        out->median_ms = 0.5 * (ms[(steps - 1) / 2] + ms[steps / 2]);
        out->worst_ms = ms[steps - 1];
        out->once_s -= 1e-3 * BEFORE * out->median_ms;
    }
    free(ms);
    return status;
}

talus_status bench_measure_plate(const bench_plate *p, int threads, int steps, bench_plate_result *out, char *message, size_t size)
{
    bench_world w = {0};
    char *text = bench_plate_text(p);
    *out = (bench_plate_result){.plate = p, .threads = threads, .particles = particles_of(p)};
    snprintf(message, size, "no memory for the scene");
    if (!text) return TALUS_MEMORY;
    talus_status status = bench_load(text, NULL, 0, &w.scene, message, size);
    free(text);
    if (status == TALUS_OK) status = talus_scene_build(w.scene, threads, &w.world);
    if (status != TALUS_OK && w.scene && talus_scene_mistake_count(w.scene) > 0) snprintf(message, size, "%s", talus_scene_mistake(w.scene, 0));
    if (status == TALUS_OK) status = time_plate(w.world, steps > 0 ? steps : STEPS, out, message, size);
    bench_world_destroy(&w);
    return status;
}

double bench_plate_growth(const bench_plate_result *results, int count, int threads, int *sizes)
{
    bench_line line = {0};
    for (int i = 0; i < count; i++)
        if (results[i].threads == threads) bench_add_point(&line, log(results[i].particles), log(results[i].median_ms));
    *sizes = (int)line.n;
    return bench_slope(&line);
}
