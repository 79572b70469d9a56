/* talus bench: how fast, on this machine. Planar boxes of settled disks; nanoseconds per contact update, time by stage, memory.
 *
 * A box is N disks of five radii on a jittered hexagonal lattice, which falls together under gravity for `settle` steps; then `steps`
 * steps are measured, each with a fixed number of sweeps from a cold start of the tolerance (so that machines and versions compare). */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "cli/cli.h"
#include "talus/talus.h"

typedef struct bench_case {
    const char *name;
    int disks, settle, steps;
} bench_case;

static const bench_case CASES[] = {
    {"disks-1000", 1000, 600, 400},
    {"disks-10000", 10000, 600, 60},
    {"disks-100000", 100000, 150, 12},
};
enum { CASE_COUNT = sizeof CASES / sizeof *CASES, SWEEPS = 50 };

typedef struct bench_result {
    int threads, contacts;
    double step_ms, update_ns, outside, bytes_per_grain, residual;
    double stage_ms[16];
} bench_result;

static talus_status add_wall(talus_world *w, talus_material_id material, double x, double y, double nx, double ny)
{
    talus_body_def body = talus_body_def_default();
    talus_shape_def shape = talus_shape_def_default();
    talus_body_id id;
    body.kind = TALUS_BODY_FIXED;
    shape.kind = TALUS_SHAPE_HALF_PLANE;
    shape.material = material;
    shape.points[0][0] = x, shape.points[0][1] = y, shape.points[1][0] = nx, shape.points[1][1] = ny;
    talus_status status = talus_body_create(w, &body, &id);
    return status == TALUS_OK ? talus_body_add_shape(w, id, &shape) : status;
}

/* A box twice as wide as the heap is high; radii 6 … 10 mm as L17. */
static talus_status fill_box(talus_world *w, int disks)
{
    talus_material_def material = talus_material_def_default();
    talus_interaction_def law = talus_interaction_def_default();
    talus_material_id stone;
    talus_status status;
    material.density = 2710, material.thickness = 0.01;
    law.friction = 0.3;
    const double pitch = 0.021;
    const int columns = (int)ceil(sqrt(2.0 * disks));
    tl_random random = tl_random_seed(1);
    if ((status = talus_material_create(w, &material, &stone)) != TALUS_OK) return status;
    if ((status = talus_interaction_set(w, (talus_material_id){0, 0}, (talus_material_id){0, 0}, &law)) != TALUS_OK) return status;
    if ((status = add_wall(w, stone, 0, 0, 0, 1)) != TALUS_OK) return status;
    if ((status = add_wall(w, stone, 0, 0, 1, 0)) != TALUS_OK) return status;
    if ((status = add_wall(w, stone, (columns + 0.5) * pitch, 0, -1, 0)) != TALUS_OK) return status;
    for (int i = 0; i < disks; i++) {
        const int row = i / columns, column = i % columns;
        talus_body_def body = talus_body_def_default();
        talus_shape_def disk = talus_shape_def_default();
        talus_body_id id;
        disk.material = stone;
        disk.radius = 0.006 + 0.001 * tl_random_int(&random, 5);
        body.position[0] = (column + 0.5 + 0.5 * (row % 2)) * pitch + tl_random_uniform(&random, -2e-4, 2e-4);
        body.position[1] = (row + 0.5) * pitch * 0.9;
        if ((status = talus_body_create(w, &body, &id)) != TALUS_OK) return status;
        if ((status = talus_body_add_shape(w, id, &disk)) != TALUS_OK) return status;
    }
    return TALUS_OK;
}

static talus_status measure(talus_world *w, const bench_case *c, int steps, bench_result *out)
{
    talus_step_report report = {0};
    double before[16] = {0}, updates = 0, contacts = 0;
    for (int k = 0; k < c->settle; k++) {
        const talus_status status = talus_world_step(w, &report);
        if (status != TALUS_OK) return status;
    }
    for (int k = 0; k < talus_stage_count(); k++) before[k] = talus_stage_seconds(w, k);
    for (int k = 0; k < steps; k++) {
        const talus_status status = talus_world_step(w, &report);
        if (status != TALUS_OK) return status;
        updates += (double)report.iterations * report.contacts;
        contacts += report.contacts;
    }
    double total = 0, solve = 0;
    for (int k = 0; k < talus_stage_count(); k++) {
        const double seconds = talus_stage_seconds(w, k) - before[k];
        out->stage_ms[k] = 1e3 * seconds / steps;
        total += seconds;
        if (strcmp(talus_stage_name(k), "solve") == 0) solve = seconds;
    }
    out->contacts = (int)(contacts / steps);
    out->step_ms = 1e3 * total / steps;
    out->update_ns = updates > 0 ? 1e9 * solve / updates : 0;
    out->outside = total > 0 ? (total - solve) / total : 0;
    out->bytes_per_grain = (double)talus_world_bytes(w) / c->disks;
    out->residual = report.residual;
    return TALUS_OK;
}

static talus_status run_case(const bench_case *c, int threads, int steps, bench_result *out, char *message, size_t size)
{
    talus_world_def def = talus_world_def_default();
    talus_world *w;
    def.gravity[1] = -9.81;
    def.step = 1e-3;
    def.threads = threads;
    def.tolerance = 1e-12; /* never reached: every step does its sweeps */
    def.max_iterations = SWEEPS;
    talus_status status = talus_world_create(&def, &w, message, size);
    if (status != TALUS_OK) return status;
    out->threads = threads;
    status = fill_box(w, c->disks);
    if (status == TALUS_OK) status = measure(w, c, steps, out);
    if (status != TALUS_OK) snprintf(message, size, "%s", talus_world_error(w));
    talus_world_destroy(w);
    return status;
}

static void print_json(FILE *file, const bench_case *c, const bench_result *r, bool first)
{
    fprintf(file, "%s\n  {\"name\": \"%s\", \"threads\": %d, \"contacts\": %d, \"sweeps\": %d, \"update_ns\": %.3f, \"step_ms\": %.4f, ", first ? "[" : ",",
            c->name, r->threads, r->contacts, SWEEPS, r->update_ns, r->step_ms);
    fprintf(file, "\"outside_solver\": %.4f, \"bytes_per_grain\": %.1f, \"residual\": %.3g, \"stage_ms\": {", r->outside, r->bytes_per_grain, r->residual);
    for (int k = 0; k < talus_stage_count(); k++) fprintf(file, "%s\"%s\": %.5f", k ? ", " : "", talus_stage_name(k), r->stage_ms[k]);
    fprintf(file, "}}");
}

static void print_table(const bench_case *c, const bench_result *r, bool first)
{
    if (first) {
        printf("%-14s %7s %9s %10s %10s %9s %9s  ", "case", "threads", "contacts", "ns/update", "ms/step", "outside", "B/grain");
        for (int k = 0; k < talus_stage_count(); k++) printf(" %9s", talus_stage_name(k));
        printf("   (ms by stage; %d sweeps a step)\n", SWEEPS);
    }
    printf("%-14s %7d %9d %10.2f %10.3f %8.1f%% %9.0f  ", c->name, r->threads, r->contacts, r->update_ns, r->step_ms, 100 * r->outside, r->bytes_per_grain);
    for (int k = 0; k < talus_stage_count(); k++) printf(" %9.4f", r->stage_ms[k]);
    printf("\n");
    fflush(stdout);
}

static bool wanted(const char *name, char **names, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return count == 0;
}

int talus_bench(int argc, char **argv)
{
    static const struct option OPTIONS[] = {
        {"threads", required_argument, NULL, 't'}, {"json", required_argument, NULL, 'j'}, {"steps", required_argument, NULL, 's'}, {0}};
    int threads = 0, steps = 0, done = 0;
    const char *json = NULL;
    for (int option; (option = getopt_long(argc, argv, "t:j:s:", OPTIONS, NULL)) != -1;) {
        if (option == 't') threads = atoi(optarg);
        else if (option == 'j') json = optarg;
        else if (option == 's') steps = atoi(optarg);
        else return 2;
    }
    FILE *file = json ? fopen(json, "w") : NULL;
    if (json && !file) {
        fprintf(stderr, "talus bench: cannot write %s\n", json);
        return 2;
    }
    for (int i = optind; i < argc; i++)
        if (!wanted(argv[i], (char *[]){"disks-1000", "disks-10000", "disks-100000"}, CASE_COUNT)) {
            fprintf(stderr, "talus bench: there is no benchmark '%s'; there are disks-1000, disks-10000, disks-100000\n", argv[i]);
            return 2;
        }
    for (int i = 0; i < CASE_COUNT; i++) {
        if (!wanted(CASES[i].name, argv + optind, argc - optind)) continue;
        for (int t = threads ? threads : 1; t <= (threads ? threads : 2); t++) {
            bench_result result = {0};
            char message[1024] = "";
            if (run_case(&CASES[i], t, steps ? steps : CASES[i].steps, &result, message, sizeof message) != TALUS_OK) {
                fprintf(stderr, "talus bench: %s: %s\n", CASES[i].name, message);
                return 1;
            }
            print_table(&CASES[i], &result, done == 0);
            if (file) print_json(file, &CASES[i], &result, done == 0);
            done++;
        }
    }
    if (file) {
        fprintf(file, "\n]\n");
        fclose(file);
    }
    return 0;
}
