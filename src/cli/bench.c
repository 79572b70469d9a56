/* talus bench: how fast, on this machine. Boxes of settled disks, spheres and stones, and soil of finite elements under spheres:
 * nanoseconds per contact update, time by stage, memory, sweeps to the tolerance, and how all of it grows with the number of grains, elements and
 * contacts. Then a plate on soil of more and more particles (bench_plate.c), and machines that drive (bench_vehicle.c). Or a scene from a file
 * (bench_scene.c).
 *
 * What a box is stands in bench_cases.c, what is measured on it in bench_measure.c; here are the command and what it prints. */
#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/bench.h"
#include "cli/cli.h"

enum { MOST_CASES = 16, MOST_RESULTS = 2 * MOST_CASES, MOST_VEHICLES = 4, MOST_STEPS = 1000000 };

typedef struct bench_options {
    int threads, steps, settle; /* 0: one thread, then two; as many steps as the case has */
    double until;               /* of scenes [s]; 0: to their end */
    bool quick, exact, accuracy, course, busy;
    const char *json, *scene;
    char **names;
    int name_count;
} bench_options;

/* All that was measured. */
typedef struct bench_run {
    bench_result result[MOST_RESULTS];
    int results;
    const bench_case *box[MOST_CASES];
    bench_packing packing[MOST_CASES];
    bench_exact exact[MOST_RESULTS];
    bench_accuracy accuracy[MOST_RESULTS];
    bench_course course[MOST_RESULTS];
    int boxes, exacts, accuracies, courses;
    bench_plate_result plate[MOST_RESULTS];
    int plates;
    bench_scene_result scene[MOST_RESULTS + 2 * MOST_VEHICLES]; /* vehicles first */
    int scenes;
    bool bad_input; /* a scene could not be read, or has mistakes */
} bench_run;

static double stage_of(const bench_result *r, const char *name, const double *value)
{
    for (int k = 0; k < r->stages; k++)
        if (strcmp(r->stage[k], name) == 0) return value[k];
    return 0;
}

/* ---- tables ---------------------------------------------------------------------------------------------------------- */

static void print_result(const bench_result *r, bool first)
{
    if (first) {
        printf("%-20s %7s %9s %10s %10s %9s %9s %9s %10s  ", "case", "threads", "contacts", "ns/update", "ms/step", "outside", "B/grain", "B/contact",
               "peak/grain");
        for (int k = 0; k < r->stages; k++) printf(" %9s", r->stage[k]);
        printf("   (ms by stage; %d sweeps a step; B: what the world keeps; peak: resident bytes, all included)\n", BENCH_TIMED);
    }
    printf("%-20s %7d %9d %10.2f %10.3f %8.1f%% %9.0f %9.0f %10.0f  ", r->box->name, r->threads, r->contacts, r->update_ns, r->step_ms, 100 * r->outside,
           r->bytes_per_grain, r->bytes_per_contact, r->resident_per_grain);
    for (int k = 0; k < r->stages; k++) printf(" %9.4f", r->stage_ms[k]);
    printf("\n");
    fflush(stdout);
}

static void print_packings(const bench_run *run)
{
    printf("\n%-20s %10s %10s %9s %11s %11s %10s %11s  ", "case", "settling s", "peak/grain", "touching", "E/(m g d)", "overlap/d", "sweeps", "tolerance");
    for (int i = 0; i < BENCH_CURVE; i++) printf(" %8s%-3d", "after ", bench_sweeps(i));
    printf("   (to fall together: wall clock, most resident bytes; per grain; from a warm start to the tolerance, m/s; residual from a cold start, m/s)\n");
    for (int i = 0; i < run->boxes; i++) {
        const bench_packing *p = &run->packing[i];
        printf("%-20s %10.1f %10.0f %9.3f %11.2e %11.2e %9.0f%s %11.2e  ", run->box[i]->name, p->seconds, p->resident / run->box[i]->grains, p->touching,
               p->energy, p->overlap, p->iterations, p->converged ? " " : "+", p->tolerance);
        for (int k = 0; k < BENCH_CURVE; k++) printf(" %11.2e", p->curve[k]);
        printf("\n");
    }
}

/* In per cent of the step. The condensed operator of contacts is formed in bind and used in solve; the whole factor is used in predict and, for the
 * impulses that were found, at the end of solve. What grains take in these stages is in it. */
static void print_soils(const bench_run *run)
{
    bool first = true;
    for (int i = 0; i < run->results; i++) {
        const bench_result *r = &run->result[i];
        const double share = 100 / r->step_ms;
        if (r->unknowns == 0) continue;
        if (first)
            printf("\n%-20s %7s %9s %9s %9s %9s %9s %9s %9s %9s %10s   (shares of a step; s of the first step alone, for the factor and what contacts see of "
                   "it)\n",
                   "case", "threads", "elements", "unknowns", "on soil", "predict", "bind", "solve", "factor s", "columns s", "factor MB");
        printf("%-20s %7d %9d %9d %9d %8.1f%% %8.1f%% %8.1f%% %9.3f %9.3f %10.2f\n", r->box->name, r->threads, bench_elements(r->box), r->unknowns,
               r->soil_contacts, share * stage_of(r, "predict", r->stage_ms), share * stage_of(r, "bind", r->stage_ms),
               share * stage_of(r, "solve", r->stage_ms), stage_of(r, "predict", r->once_s), stage_of(r, "bind", r->once_s), 1e-6 * r->factor_bytes);
        first = false;
    }
}

static const char *const SIZE[BENCH_SIZES] = {"grains", "elements", "contacts"};

/* A series at a time: whether box i is the first of its that was run. */
static bool begins_series(const bench_run *run, int i, bench_size size)
{
    for (int k = 0; k < i; k++)
        if (bench_alike(run->box[k], run->box[i], size)) return false;
    return bench_alike(run->box[i], run->box[i], size);
}

typedef void growth_fn(const bench_run *, const bench_case *, bench_size, int threads, const bench_growth *, void *);

static void each_growth(const bench_run *run, growth_fn *take, void *user)
{
    for (int i = 0; i < run->boxes; i++)
        for (int size = 0; size < BENCH_SIZES; size++)
            for (int threads = 1; begins_series(run, i, (bench_size)size) && threads <= 64; threads++) {
                const bench_growth g = bench_fit(run->result, run->results, run->box[i], (bench_size)size, threads);
                if (g.sizes > 1) take(run, run->box[i], (bench_size)size, threads, &g, user);
            }
}

static void print_growth(const bench_run *run, const bench_case *first, bench_size size, int threads, const bench_growth *g, void *user)
{
    bool *headed = user;
    if (!*headed) {
        printf("\n%-20s %9s %7s ", "family", "N", "threads");
        for (int k = 0; k < run->result[0].stages; k++) printf(" %9s", run->result[0].stage[k]);
        printf(" %9s   (time ~ N^a: a)\n", "step");
    }
    printf("%-20s %9s %7d ", first->family, SIZE[size], threads);
    for (int k = 0; k < run->result[0].stages; k++) printf(" %9.2f", g->stage[k]);
    printf(" %9.2f\n", g->step);
    *headed = true;
}

/* ---- plates ---------------------------------------------------------------------------------------------------------- */

static void print_plate(const bench_plate_result *r, bool first)
{
    if (first)
        printf("\n%-20s %7s %9s %9s %10s %10s %12s %11s %9s   (steps of 10 ms under load; s beside steps, for what contacts see of the soil)\n", "case",
               "threads", "particles", "contacts", "median ms", "worst ms", "us/particle", "residual", "columns");
    printf("%-20s %7d %9d %9.0f %10.2f %10.2f %12.2f %11.2e %9.2f\n", r->plate->name, r->threads, r->particles, r->contacts, r->median_ms, r->worst_ms,
           1e3 * r->median_ms / r->particles, r->residual, r->once_s);
}

typedef void plate_growth_fn(int threads, int sizes, double exponent, void *user);

static void each_plate_growth(const bench_run *run, plate_growth_fn *take, void *user)
{
    for (int i = 0; i < run->plates; i++) {
        const int threads = run->plate[i].threads;
        int sizes;
        const double exponent = bench_plate_growth(run->plate, run->plates, threads, &sizes);
        if (run->plate[i].plate == run->plate[0].plate && sizes > 1) take(threads, sizes, exponent, user);
    }
}

static void print_plate_growth(int threads, int sizes, double exponent, void *user)
{
    (void)user;
    printf("%-20s %7d   time ~ particles^%.2f, of %d sizes\n", "plate", threads, exponent, sizes);
}

/* ---- JSON ------------------------------------------------------------------------------------------------------------ */

static void write_result(FILE *file, const bench_result *r)
{
    fprintf(file, "{\"name\": \"%s\", \"threads\": %d, \"grains\": %d, \"contacts\": %d, \"sweeps\": %d, \"update_ns\": %.3f, \"step_ms\": %.4f, ",
            r->box->name, r->threads, r->box->grains, r->contacts, BENCH_TIMED, r->update_ns, r->step_ms);
    fprintf(
        file,
        "\"outside_solver\": %.4f, \"bytes_per_grain\": %.1f, \"bytes_per_contact\": %.1f, \"resident_per_grain\": %.1f, \"residual\": %.3g, \"stage_ms\": {",
        r->outside, r->bytes_per_grain, r->bytes_per_contact, r->resident_per_grain, r->residual);
    for (int k = 0; k < r->stages; k++) fprintf(file, "%s\"%s\": %.5f", k ? ", " : "", r->stage[k], r->stage_ms[k]);
    fprintf(file, "}");
    if (r->unknowns > 0)
        fprintf(file, ", \"elements\": %d, \"unknowns\": %d, \"soil_contacts\": %d, \"factor_s\": %.5f, \"columns_s\": %.5f, \"factor_bytes\": %.0f",
                bench_elements(r->box), r->unknowns, r->soil_contacts, stage_of(r, "predict", r->once_s), stage_of(r, "bind", r->once_s), r->factor_bytes);
    fprintf(file, "}");
}

static void write_packing(FILE *file, const bench_case *c, const bench_packing *p)
{
    fprintf(file, "{\"packing\": \"%s\", \"settling_s\": %.2f, \"resident_per_grain\": %.1f, \"touching_per_grain\": %.4f, \"energy_over_mgd\": %.3g, ",
            c->name, p->seconds, p->resident / c->grains, p->touching, p->energy);
    fprintf(file, "\"overlap_over_d\": %.3g, ", p->overlap);
    fprintf(file, "\"warm_sweeps\": %.1f, \"tolerance\": %.3g, \"converged\": %s, \"cold_residual\": {", p->iterations, p->tolerance,
            p->converged ? "true" : "false");
    for (int i = 0; i < BENCH_CURVE; i++) fprintf(file, "%s\"%d\": %.4g", i ? ", " : "", bench_sweeps(i), p->curve[i]);
    fprintf(file, "}}");
}

static void write_growth(const bench_run *run, const bench_case *first, bench_size size, int threads, const bench_growth *g, void *user)
{
    FILE *file = user;
    fprintf(file, ",\n  {\"growth\": \"%s\", \"with\": \"%s\", \"threads\": %d, \"sizes\": %d", first->family, SIZE[size], threads, g->sizes);
    for (int k = 0; k < run->result[0].stages; k++) fprintf(file, ", \"%s\": %.3f", run->result[0].stage[k], g->stage[k]);
    fprintf(file, ", \"step\": %.3f}", g->step);
}

static void write_plate(FILE *file, const bench_plate_result *r)
{
    fprintf(file, "{\"plate\": \"%s\", \"threads\": %d, \"particles\": %d, \"contacts\": %.1f, \"median_ms\": %.4f, \"worst_ms\": %.4f, ", r->plate->name,
            r->threads, r->particles, r->contacts, r->median_ms, r->worst_ms);
    fprintf(file, "\"residual\": %.3g, \"columns_s\": %.4f}", r->residual, r->once_s);
}

static void write_plate_growth(int threads, int sizes, double exponent, void *user)
{
    fprintf(user, ",\n  {\"growth\": \"plate\", \"with\": \"particles\", \"threads\": %d, \"sizes\": %d, \"step\": %.3f}", threads, sizes, exponent);
}

/* One array: an object for each timing, for a busy job beside all, each plate, each packing, and each series and number of threads that has several sizes. */
static bool write_json(const bench_run *run, bool busy, FILE *file)
{
    const char *before = "\n  ";
    fprintf(file, "[");
    for (int i = 0; i < run->results; i++, before = ",\n  ") {
        fputs(before, file);
        write_result(file, &run->result[i]);
    }
    for (int i = 0; i < run->boxes; i++, before = ",\n  ") {
        fputs(before, file);
        write_packing(file, run->box[i], &run->packing[i]);
    }
    for (int i = 0; i < run->plates; i++, before = ",\n  ") {
        fputs(before, file);
        write_plate(file, &run->plate[i]);
    }
    for (int i = 0; i < run->scenes; i++, before = ",\n  ") {
        fputs(before, file);
        bench_write_scene(file, &run->scene[i]);
    }
    for (int i = 0; i < run->exacts; i++) bench_write_exact(file, &run->exact[i]);
    for (int i = 0; i < run->accuracies; i++) bench_write_accuracy(file, &run->accuracy[i]);
    for (int i = 0; i < run->courses; i++) bench_write_course(file, &run->course[i]);
    each_growth(run, write_growth, file);
    each_plate_growth(run, write_plate_growth, file);
    if (busy) fprintf(file, ",\n  {\"busy\": 1}");
    fprintf(file, "\n]\n");
    return fclose(file) == 0;
}

/* ---- the command ----------------------------------------------------------------------------------------------------- */

/* A name is that of a case or of a family. */
static bool named(const bench_case *c, const char *name) { return strcmp(name, c->name) == 0 || strcmp(name, c->family) == 0; }

static bool wanted(const bench_options *o, const bench_case *all, int i)
{
    if (o->quick && i > 0 && strcmp(all[i].family, all[i - 1].family) == 0) return false;
    for (int k = 0; k < o->name_count; k++)
        if (named(&all[i], o->names[k])) return true;
    return o->name_count == 0 && !all[i].alone;
}

/* A plate or a vehicle, by its own name or by that of all of its kind. */
static bool is_called(const char *own, const char *kind, const char *name) { return strcmp(name, own) == 0 || strcmp(name, kind) == 0; }

static bool names_plate(const bench_plate *p, const char *name) { return is_called(p->name, "plate", name); }

static bool names_vehicle(const bench_vehicle *v, const char *name) { return is_called(v->name, "vehicle", name); }

static bool names_a_plate(const char *name)
{
    int count;
    const bench_plate *all = bench_plates(&count);
    for (int i = 0; i < count; i++)
        if (names_plate(&all[i], name)) return true;
    return false;
}

static bool names_a_vehicle(const char *name)
{
    int count;
    const bench_vehicle *all = bench_vehicles(&count);
    for (int i = 0; i < count; i++)
        if (names_vehicle(&all[i], name)) return true;
    return false;
}

/* The i-th of its kind, from small to large. */
static bool is_asked(const bench_options *o, const char *own, const char *kind, int i)
{
    if (o->quick && i > 0) return false;
    for (int k = 0; k < o->name_count; k++)
        if (is_called(own, kind, o->names[k])) return true;
    return o->name_count == 0;
}

static bool is_scene(const char *name)
{
    const char *end = strrchr(name, '.');
    return end && (strcmp(end, ".yaml") == 0 || strcmp(end, ".yml") == 0);
}

static bool known(const char *name)
{
    int count, plates, vehicles;
    const bench_case *all = bench_cases(&count);
    const bench_plate *plate = bench_plates(&plates);
    const bench_vehicle *vehicle = bench_vehicles(&vehicles);
    if (is_scene(name) || names_a_plate(name) || names_a_vehicle(name)) return true;
    for (int i = 0; i < count; i++)
        if (named(&all[i], name)) return true;
    fprintf(stderr, "talus bench: there is no benchmark '%s'; there are ", name);
    for (int i = 0; i < count; i++) fprintf(stderr, "%s%s", i ? ", " : "", all[i].name);
    for (int i = 0; i < plates; i++) fprintf(stderr, ", %s", plate[i].name);
    for (int i = 0; i < vehicles; i++) fprintf(stderr, ", %s", vehicle[i].name);
    fprintf(stderr, ", or a scene that is a file: NAME.yaml\n");
    return false;
}

static int print_scene(const char *name)
{
    int count, plates;
    const bench_case *all = bench_cases(&count);
    const bench_plate *plate = bench_plates(&plates);
    char *text = NULL;
    bool found = false;
    for (int i = 0; i < count && !found; i++)
        if (strcmp(all[i].name, name) == 0 && all[i].cells[0]) found = true, text = bench_scene_text(&all[i]);
    for (int i = 0; i < plates && !found; i++)
        if (strcmp(plate[i].name, name) == 0) found = true, text = bench_plate_text(&plate[i]);
    if (!found) return tl_usage("bench", "'%s' is not a box in space", name);
    if (!text) return EXIT_FAILED;
    fputs(text, stdout);
    free(text);
    return EXIT_DONE;
}

/* A box falls together once; then it is measured with each number of threads. */
static bool run_box(const bench_options *o, const bench_case *c, bench_run *run)
{
    char message[1024] = "";
    const int least = o->threads ? o->threads : 1, most = o->threads ? o->threads : 2;
    bench_packing *p = &run->packing[run->boxes];
    const int settle = o->settle > 0 ? o->settle : c->settle;
    run->box[run->boxes++] = c;
    talus_status status = bench_settle(c, settle, most, p, message, sizeof message);
    for (int t = least; t <= most && status == TALUS_OK; t++) {
        bench_result *r = &run->result[run->results];
        r->box = c;
        status = bench_measure(p, t, o->steps > 0 ? o->steps : c->steps, r, message, sizeof message);
        if (status == TALUS_OK) print_result(r, run->results++ == 0);
    }
    for (int t = least; t <= most && status == TALUS_OK && o->exact && bench_elements(c) == 0; t++) {
        run->exact[run->exacts] = (bench_exact){.box = c, .threads = t};
        status = bench_measure_exact(p, &run->exact[run->exacts], message, sizeof message);
        run->exacts += status == TALUS_OK;
    }
    for (int t = least; t <= most && status == TALUS_OK && o->accuracy && bench_elements(c) == 0; t++) {
        run->accuracy[run->accuracies] = (bench_accuracy){.box = c, .threads = t};
        status = bench_measure_accuracy(p, o->steps, &run->accuracy[run->accuracies], message, sizeof message);
        run->accuracies += status == TALUS_OK;
    }
    for (int t = least; t <= most && status == TALUS_OK && o->course && bench_elements(c) == 0; t++) {
        run->course[run->courses] = (bench_course){.box = c, .threads = t};
        status = bench_measure_course(p, o->steps, &run->course[run->courses], message, sizeof message);
        run->courses += status == TALUS_OK;
    }
    if (status != TALUS_OK) fprintf(stderr, "talus bench: %s: %s\n", c->name, message);
    return status == TALUS_OK;
}

static bool run_plate(const bench_options *o, const bench_plate *p, bench_run *run)
{
    char message[1024] = "";
    const int least = o->threads ? o->threads : 1, most = o->threads ? o->threads : 2;
    talus_status status = TALUS_OK;
    for (int t = least; t <= most && status == TALUS_OK; t++) {
        status = bench_measure_plate(p, t, o->steps, &run->plate[run->plates], message, sizeof message);
        if (status == TALUS_OK) print_plate(&run->plate[run->plates], run->plates == 0), run->plates++;
    }
    if (status != TALUS_OK) fprintf(stderr, "talus bench: %s: %s\n", p->name, message);
    return status == TALUS_OK;
}

/* A scene from a file (`path`), or a vehicle. */
static bool run_scene(const bench_options *o, const char *path, const bench_vehicle *v, bench_run *run)
{
    char message[1024] = "";
    const int least = o->threads ? o->threads : 1, most = o->threads ? o->threads : 2;
    const bench_extent to = {.until = o->until, .steps = o->steps};
    talus_status status = TALUS_OK;
    for (int t = least; t <= most && status == TALUS_OK; t++) {
        bench_scene_result *r = &run->scene[run->scenes];
        status = v ? bench_measure_vehicle(v, t, to, r, message, sizeof message) : bench_measure_scene(path, t, to, r, message, sizeof message);
        if (status == TALUS_OK) bench_print_scene(r), run->scenes++;
        else run->bad_input = !r->built;
    }
    if (status != TALUS_OK) fprintf(stderr, "talus bench: %s\n", message);
    return status == TALUS_OK;
}

static int run_all(const bench_options *o, bench_run *run)
{
    int count, plates, vehicles;
    const bench_case *all = bench_cases(&count);
    const bench_plate *plate = bench_plates(&plates);
    const bench_vehicle *vehicle = bench_vehicles(&vehicles);
    FILE *file = o->json ? fopen(o->json, "w") : NULL;
    if (o->json && !file) {
        fprintf(stderr, "talus bench: cannot write %s\n", o->json);
        return EXIT_USAGE;
    }
    bool done = true;
    for (int i = 0; i < count && done; i++)
        if (wanted(o, all, i)) done = run_box(o, &all[i], run);
    if (done) {
        bool headed = false;
        if (run->boxes > 0) print_packings(run);
        for (int i = 0; i < run->exacts; i++) bench_print_exact(&run->exact[i], i == 0);
        for (int i = 0; i < run->accuracies; i++) bench_print_accuracy(&run->accuracy[i], i == 0);
        for (int i = 0; i < run->courses; i++) bench_print_course(&run->course[i], i == 0);
        print_soils(run);
        each_growth(run, print_growth, &headed);
    }
    for (int i = 0; i < plates && done; i++)
        if (is_asked(o, plate[i].name, "plate", i)) done = run_plate(o, &plate[i], run);
    if (done) each_plate_growth(run, print_plate_growth, NULL);
    for (int i = 0; i < vehicles && done; i++)
        if (is_asked(o, vehicle[i].name, "vehicle", i)) done = run_scene(o, NULL, &vehicle[i], run);
    for (int i = 0; i < o->name_count && done; i++)
        if (is_scene(o->names[i])) done = run_scene(o, o->names[i], NULL, run);
    const bool written = !file || write_json(run, o->busy, file);
    if (!written) fprintf(stderr, "talus bench: cannot write %s\n", o->json);
    if (run->bad_input) return EXIT_USAGE;
    return done && written ? EXIT_DONE : EXIT_FAILED;
}

static bool read_count(const char *text, int most, int *out)
{
    char *end;
    const long count = strtol(text, &end, 10);
    if (*end || end == text || count < 1 || count > most) return false;
    *out = (int)count;
    return true;
}

static int parse(int argc, char **argv, bench_options *o)
{
    static const struct option OPTIONS[] = {
        {"threads", required_argument, NULL, 't'}, {"json", required_argument, NULL, 'j'},   {"steps", required_argument, NULL, 's'},
        {"quick", no_argument, NULL, 'q'},         {"settle", required_argument, NULL, 'f'}, {"scene", required_argument, NULL, 'S'},
        {"until", required_argument, NULL, 'u'},   {"exact", no_argument, NULL, 'x'},        {"accuracy", no_argument, NULL, 'a'},
        {"course", no_argument, NULL, 'c'},        {"busy", no_argument, NULL, 'b'},         {0}};
    for (int option; (option = getopt_long(argc, argv, "t:j:s:f:qS:u:xacb", OPTIONS, NULL)) != -1;) {
        if (option == 'j') o->json = optarg;
        else if (option == 'q') o->quick = true;
        else if (option == 'x') o->exact = true;
        else if (option == 'a') o->accuracy = true;
        else if (option == 'c') o->course = true;
        else if (option == 'b') o->busy = true;
        else if (option == 'S') o->scene = optarg;
        else if (option == 't') {
            if (!read_count(optarg, 64, &o->threads)) return tl_usage("bench", "--threads wants a number from 1 to 64, not '%s'", optarg);
        } else if (option == 's' || option == 'f') {
            if (!read_count(optarg, MOST_STEPS, option == 's' ? &o->steps : &o->settle))
                return tl_usage("bench", "--%s wants a number from 1 to %d, not '%s'", option == 's' ? "steps" : "settle", (int)MOST_STEPS, optarg);
        } else if (option == 'u') {
            if (!tl_read_seconds(optarg, &o->until) || !(o->until > 0) || !isfinite(o->until))
                return tl_usage("bench", "--until wants a positive time in seconds, not '%s'", optarg);
        } else return EXIT_USAGE;
    }
    o->names = argv + optind, o->name_count = argc - optind;
    return EXIT_DONE;
}

/* Is there anything to measure under this name that --quick leaves? */
static bool quick_has(const bench_options *o, const char *name)
{
    int count, plates, vehicles;
    const bench_case *all = bench_cases(&count);
    const bench_plate *plate = bench_plates(&plates);
    const bench_vehicle *vehicle = bench_vehicles(&vehicles);
    for (int i = 0; i < count; i++)
        if (named(&all[i], name) && wanted(o, all, i)) return true;
    return names_plate(&plate[0], name) || names_vehicle(&vehicle[0], name);
}

/* An option that would change nothing of what is named is a mistake. */
static int check(const bench_options *o)
{
    const char *of_boxes = o->exact ? "exact" : o->accuracy ? "accuracy" : o->course ? "course" : o->settle > 0 ? "settle" : NULL;
    const char *for_boxes = o->exact || o->accuracy || o->course ? of_boxes : o->quick ? "quick" : o->steps > 0 ? "steps" : of_boxes;
    int scenes = 0, vehicles = 0;
    for (int i = 0; i < o->name_count; i++) {
        const char *name = o->names[i];
        if (!known(name)) return EXIT_USAGE;
        const bool scene = is_scene(name), vehicle = names_a_vehicle(name);
        scenes += scene, vehicles += vehicle;
        if (o->until > 0 && !scene && !vehicle) return tl_usage("bench", "--until is for scenes and vehicles: '%s' is neither", name);
        if (scene && for_boxes) return tl_usage("bench", "--%s is not for scenes: '%s' is one, which runs to its end or --until T", for_boxes, name);
        if (of_boxes && names_a_plate(name)) return tl_usage("bench", "--%s is for boxes: '%s' is a plate", of_boxes, name);
        if (of_boxes && vehicle) return tl_usage("bench", "--%s is for boxes: '%s' is a vehicle", of_boxes, name);
        if (o->quick && !quick_has(o, name)) return tl_usage("bench", "--quick takes the smallest of each: '%s' is none of them", name);
    }
    if (o->until > 0 && scenes + vehicles == 0)
        return tl_usage("bench", "--until is for scenes and vehicles: talus bench SCENE.yaml --until T, or talus bench vehicle --until T");
    const int most = MOST_RESULTS / (o->threads ? 1 : 2);
    if (scenes > most)
        return tl_usage("bench", "%d scenes are too many for one run%s: at most %d", scenes, o->threads ? "" : " with one and two threads", most);
    return EXIT_DONE;
}

/* A job that keeps one core busy as long as this process lives; −1: there is none. */
static pid_t start_busy(void)
{
    const pid_t parent = getpid();
    fflush(NULL);
    const pid_t job = fork();
    if (job != 0) return job;
    for (volatile unsigned long turns = 0;; turns++)
        if (turns % 100000000 == 0 && getppid() != parent) _exit(0);
}

static void stop_busy(pid_t job)
{
    kill(job, SIGKILL);
    (void)waitpid(job, NULL, 0);
}

int talus_bench(int argc, char **argv)
{
    bench_options o = {0};
    int code = parse(argc, argv, &o);
    if (code != EXIT_DONE) return code;
    if (o.scene) {
        const bool measures = o.exact || o.accuracy || o.course || o.busy || o.json;
        if (measures || o.threads || o.steps || o.settle || o.until > 0 || o.quick || o.name_count > 0)
            return tl_usage("bench", "--scene prints a box as a scene and measures nothing: nothing else goes with it");
        return print_scene(o.scene);
    }
    code = check(&o);
    if (code != EXIT_DONE) return code;
    bench_run *run = calloc(1, sizeof *run);
    if (!run) return EXIT_FAILED;
    const pid_t job = o.busy ? start_busy() : -1;
    if (o.busy && job < 0) fprintf(stderr, "talus bench: no job could be started beside this one\n");
    code = o.busy && job < 0 ? EXIT_FAILED : run_all(&o, run);
    if (job > 0) stop_busy(job);
    for (int i = 0; i < run->boxes; i++) bench_packing_destroy(&run->packing[i]);
    free(run);
    return code;
}
