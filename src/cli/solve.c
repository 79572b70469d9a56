/* talus solve: contact problems by themselves, from files of FCLIB. */
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "cli/cli.h"
#include "talus/fclib.h"

typedef struct solve_options {
    talus_problem_settings settings;
    const char *output, *json;
    bool convex;
} solve_options;

/* What one file came to; message: it could not be read, solved or written. */
typedef struct outcome {
    const char *path;
    int dimension, contacts;
    talus_problem_report report;
    char message[1024];
} outcome;

enum { COURSE = 40 }; /* columns of the solver's course; of a longer one, its end */

/* ---- options --------------------------------------------------------------------------------------------------------- */

static bool read_number(const char *text, double least, double *out)
{
    char *end;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*out) && *out >= least;
}

static int read_solver(const char *name, talus_problem_settings *settings)
{
    tl_error error;
    settings->solver = name;
    for (int i = 0; talus_problem_solver_name(i); i++)
        if (strcmp(name, talus_problem_solver_name(i)) == 0) return EXIT_DONE;
    tl_fail_unknown(&error, "solver", name, talus_problem_solver_name);
    return tl_usage("solve", "%s", error.text);
}

/* One option; EXIT_DONE or EXIT_USAGE. */
static int take_option(int c, solve_options *o)
{
    double number;
    switch (c) {
    case 's': return read_solver(optarg, &o->settings);
    case 'e':
        if (!read_number(optarg, 0, &number) || number == 0) return tl_usage("solve", "--tolerance wants a number above 0, not '%s'", optarg);
        o->settings.tolerance = number;
        return EXIT_DONE;
    case 'n':
        if (!read_number(optarg, 0, &number) || number > INT_MAX || number != floor(number))
            return tl_usage("solve", "--max-iterations wants a number of sweeps, 0 for the solver's own, not '%s'", optarg);
        o->settings.max_iterations = (int)number;
        return EXIT_DONE;
    case 't':
        if (!read_number(optarg, 0, &number)) return tl_usage("solve", "--time-limit wants a time in seconds, 0 for none, not '%s'", optarg);
        o->settings.time_limit = number;
        return EXIT_DONE;
    case 'c': o->convex = true; return EXIT_DONE;
    case 'o': o->output = optarg; return EXIT_DONE;
    case 'j': o->json = optarg; return EXIT_DONE;
    default: return tl_usage("solve", "that option is not known, or misses its value");
    }
}

/* ---- results --------------------------------------------------------------------------------------------------------- */

static void put_outcome(FILE *out, const outcome *r)
{
    fputs("{\"file\": ", out);
    tl_json_text(out, r->path);
    if (r->contacts > 0) {
        fprintf(out, ", \"dimension\": %d, \"contacts\": %d, \"solver\": ", r->dimension, r->contacts);
        tl_json_text(out, r->report.solver ? r->report.solver : "");
        fputs(", \"course\": ", out);
        tl_json_text(out, r->report.course);
        fprintf(out, ", \"iterations\": %d, \"error\": ", r->report.iterations);
        if (isfinite(r->report.error)) fprintf(out, "%.17g", r->report.error);
        else fputs("null", out);
        fprintf(out, ", \"seconds\": %.9g, \"converged\": %s", r->report.seconds, r->report.converged ? "true" : "false");
    }
    if (*r->message) {
        fputs(", \"message\": ", out);
        tl_json_text(out, r->message);
    }
    fputc('}', out);
}

static bool write_json(FILE *out, const outcome *all, int count)
{
    fputs("[\n", out);
    for (int i = 0; i < count; i++) {
        fputs("  ", out);
        put_outcome(out, &all[i]);
        fputs(i + 1 < count ? ",\n" : "\n", out);
    }
    fputs("]\n", out);
    const bool done = ferror(out) == 0;
    return fclose(out) == 0 && done;
}

static const char *base_of(const char *path) { return strrchr(path, '/') ? strrchr(path, '/') + 1 : path; }

static void print_row(const outcome *r, int width)
{
    const char *course = *r->report.course ? r->report.course : "-"; /* the guess was good enough */
    const size_t length = strlen(course), cut = length > COURSE ? length - COURSE + 4 : 0;
    char shown[COURSE + 1];
    snprintf(shown, sizeof shown, "%s%s", cut > 0 ? "... " : "", course + cut);
    printf("%-*s  %8d  %-*s  %10d  %9.2e  %9.1f  %s\n", width, base_of(r->path), r->contacts, COURSE, shown, r->report.iterations, r->report.error,
           1e3 * r->report.seconds, r->report.converged ? "yes" : "no");
    fflush(stdout);
}

/* ---- the verb -------------------------------------------------------------------------------------------------------- */

static talus_status load(const solve_options *o, const char *path, talus_problem **out, char *message, size_t size)
{
    talus_problem *problem;
    *out = NULL;
    talus_status status = talus_fclib_load(path, &problem, message, size);
    if (status != TALUS_OK || !o->convex) {
        *out = problem;
        return status;
    }
    talus_problem_def def = talus_problem_get(problem);
    def.convex = 1;
    status = talus_problem_create(&def, out, message, size);
    talus_problem_destroy(problem);
    return status;
}

/* Solves what a file says; its exit code. */
static int solve_file(const solve_options *o, int width, outcome *r)
{
    talus_problem *problem;
    int code = EXIT_USAGE;
    if (load(o, r->path, &problem, r->message, sizeof r->message) == TALUS_OK) {
        const talus_problem_def def = talus_problem_get(problem);
        char text[512] = "";
        const talus_status status = talus_problem_solve(problem, &o->settings, &r->report, text, sizeof text);
        if (status == TALUS_OK) {
            r->dimension = def.dimension, r->contacts = def.contacts;
            print_row(r, width);
            code = r->report.converged ? EXIT_DONE : EXIT_FAILED;
            if (o->output && talus_fclib_save(problem, o->output, base_of(r->path), r->message, sizeof r->message) != TALUS_OK) code = EXIT_USAGE;
        } else {
            snprintf(r->message, sizeof r->message, "'%s': %s", r->path, *text ? text : talus_status_meaning(status));
            code = status == TALUS_INPUT ? EXIT_USAGE : EXIT_FAILED;
        }
        talus_problem_destroy(problem);
    }
    if (*r->message) fprintf(stderr, "talus solve: %s\n", r->message);
    return code;
}

/* The worst of the codes: bad input, then what did not converge. */
static int solve_all(const solve_options *o, outcome *all, int count)
{
    int width = 7, code = EXIT_DONE;
    for (int i = 0; i < count; i++) {
        const int length = (int)strlen(base_of(all[i].path));
        if (length > width) width = length;
    }
    printf("%-*s  %8s  %-*s  %10s  %9s  %9s  %s\n", width, "problem", "contacts", COURSE, "course", "iterations", "error", "ms", "converged");
    fflush(stdout);
    for (int i = 0; i < count; i++) {
        const int one = solve_file(o, width, &all[i]);
        if (one > code) code = one;
    }
    return code;
}

int talus_solve(int argc, char **argv)
{
    static const struct option OPTIONS[] = {{"solver", required_argument, NULL, 's'},
                                            {"tolerance", required_argument, NULL, 'e'},
                                            {"max-iterations", required_argument, NULL, 'n'},
                                            {"time-limit", required_argument, NULL, 't'},
                                            {"convex", no_argument, NULL, 'c'},
                                            {"output", required_argument, NULL, 'o'},
                                            {"json", required_argument, NULL, 'j'},
                                            {NULL, 0, NULL, 0}};
    solve_options o = {.settings = talus_problem_settings_default()};
    for (int c; (c = getopt_long(argc, argv, "s:e:n:t:co:j:", OPTIONS, NULL)) != -1;)
        if (take_option(c, &o) != EXIT_DONE) return EXIT_USAGE;
    const int count = argc - optind;
    if (count < 1) return tl_usage("solve", "which problem? a file of FCLIB (HDF5)");
    if (o.output && count > 1) return tl_usage("solve", "-o writes one problem, and %d are given", count);
    FILE *json = o.json ? fopen(o.json, "w") : NULL;
    if (o.json && !json) {
        fprintf(stderr, "talus solve: cannot write '%s'\n", o.json);
        return EXIT_USAGE;
    }
    outcome *all = calloc((size_t)count, sizeof *all);
    for (int i = 0; all && i < count; i++) all[i].path = argv[optind + i];
    int code = all ? solve_all(&o, all, count) : EXIT_FAILED;
    if (json && all && !write_json(json, all, count)) {
        fprintf(stderr, "talus solve: cannot write '%s'\n", o.json);
        code = EXIT_USAGE;
    }
    free(all);
    return code;
}
