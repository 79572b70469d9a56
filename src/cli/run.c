/* talus run: a scene from its start, or from its checkpoint, to its end. */
#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "cli/cli.h"
#include "study/study.h"
#include "talus/fclib.h"
#include "talus/record.h"
#include "talus/talus.h"

/* The one mutable variable of file scope in talus: signals have no other way in. */
static volatile sig_atomic_t interrupted;

static void on_signal(int signal_number)
{
    static const char SAID[] = "\ntalus: interrupted: leaves this step and saves the state before it; once more: ends at once and saves nothing\n";
    if (interrupted) _exit(EXIT_INTERRUPTED);
    interrupted = 1;
    (void)!write(STDERR_FILENO, SAID, sizeof SAID - 1);
    (void)signal_number;
}

typedef struct run_options {
    const char *scene, *directory;
    char default_directory[1024];
    tl_settings settings;
    int threads;
    double until, dump; /* dump: interval of the problems [s], −1: none */
    double pace;        /* simulated time per time of the clock, at most; 0: as fast as it goes */
    bool global;        /* these with M and H                            */
    bool resume, force, quiet, view;
} run_options;

static int parse(int argc, char **argv, run_options *o)
{
    static const struct option OPTIONS[] = {{"output", required_argument, NULL, 'o'}, {"threads", required_argument, NULL, 't'},
                                            {"until", required_argument, NULL, 'u'},  {"set", required_argument, NULL, 's'},
                                            {"resume", no_argument, NULL, 'r'},       {"quiet", no_argument, NULL, 'q'},
                                            {"view", no_argument, NULL, 'v'},         {"dump-problems", required_argument, NULL, 'd'},
                                            {"global", no_argument, NULL, 'g'},       {"force", no_argument, NULL, 'f'},
                                            {"pace", required_argument, NULL, 'p'},   {NULL, 0, NULL, 0}};
    char *end;
    *o = (run_options){.threads = tl_usual_threads(), .until = -1, .dump = -1};
    for (int c; (c = getopt_long(argc, argv, "o:t:u:s:rqvd:gfp:", OPTIONS, NULL)) != -1;) {
        if (c == 'o') o->directory = optarg;
        else if (c == 'r') o->resume = true;
        else if (c == 'f') o->force = true;
        else if (c == 'q') o->quiet = true;
        else if (c == 'v') o->view = true;
        else if (c == 'g') o->global = true;
        else if (c == 't') {
            const long threads = strtol(optarg, &end, 10);
            if (*end || end == optarg || threads < 0 || threads > 1024) return tl_usage("run", "--threads wants a number from 0 to 1024, not '%s'", optarg);
            o->threads = threads > 0 ? (int)threads : tl_cores();
        } else if (c == 'u') {
            if (!tl_read_seconds(optarg, &o->until) || !(o->until > 0) || !isfinite(o->until))
                return tl_usage("run", "--until wants a positive time in seconds, not '%s'", optarg);
        } else if (c == 'p') {
            o->pace = strtod(optarg, &end);
            if (*end || end == optarg || !(o->pace > 0) || !isfinite(o->pace))
                return tl_usage("run", "--pace wants a positive number, 1 for real time, not '%s'", optarg);
        } else if (c == 'd') {
            if (!tl_read_seconds(optarg, &o->dump) || !(o->dump >= 0) || !isfinite(o->dump))
                return tl_usage("run", "--dump-problems wants a time in seconds, 0 for every step, not '%s'", optarg);
        } else if (c != 's' || !tl_settings_add(&o->settings, optarg)) return tl_usage("run", "that option is not known, or misses its value");
    }
    if (o->resume && o->force) return tl_usage("run", "--resume goes on with what is there, --force overwrites it: one of them");
    if (o->global && o->dump < 0) return tl_usage("run", "--global says how --dump-problems writes; it is missing");
    if (o->view && !talus_page_is_built()) return tl_usage("run", "--view: this talus was built without its viewer; see talus view");
    if (optind != argc - 1) return tl_usage("run", optind == argc ? "which scene?" : "one scene at a time");
    o->scene = argv[optind];
    if (o->directory) return EXIT_DONE;
    tl_default_directory(o->default_directory, sizeof o->default_directory, o->scene, "");
    o->directory = o->default_directory;
    return EXIT_DONE;
}

static int print_mistakes(const talus_scene *scene)
{
    for (int i = 0; scene && i < talus_scene_mistake_count(scene); i++) fprintf(stderr, "%s\n", talus_scene_mistake(scene, i));
    if (!scene) fprintf(stderr, "talus: memory ran out\n");
    return EXIT_USAGE;
}

typedef struct progress {
    double started, shown, first_time, end;
    bool wanted, terminal; /* elsewhere than on a terminal: a line each, soon and then every minute */
} progress;

static void show(progress *p, const talus_world *w, const talus_step_report *r, bool last)
{
    const double now = tl_clock(), t = talus_world_time(w);
    const double pause = p->terminal ? 0.5 : p->shown > 0 ? 60 : 2;
    if (!p->wanted || (last ? !p->terminal : now - (p->shown > 0 ? p->shown : p->started) < pause)) return;
    const double done = t - p->first_time, left = done > 0 ? (now - p->started) * (p->end - t) / done : 0;
    fprintf(stderr, "%s%.4g of %.4g s   %d contacts   %d sweeps   residual %.1e m/s   %.0f s, %.0f s left%s", p->terminal ? "\r\033[K" : "", t, p->end,
            r->touching, r->iterations, r->residual, now - p->started, left, last || !p->terminal ? "\n" : "");
    p->shown = now;
}

/* Warnings that are new, on lines of their own. */
static void show_warnings(talus_world *w)
{
    const char *fresh = talus_world_warnings(w);
    if (*fresh) fprintf(stderr, "%s%s", isatty(STDERR_FILENO) ? "\r\033[K" : "", fresh);
}

/* The last word on accuracy: nothing when every step met its tolerance. */
static void show_missed(const talus_record *record)
{
    talus_missed m;
    talus_record_missed(record, &m);
    if (m.steps == 0) return;
    fprintf(stderr,
            "talus: %llu of %llu steps missed the tolerance of the contact solver (at most %.3g m/s): residual %.3g m/s in the median, "
            "%.3g m/s at worst, at t = %.6g s; %s\n",
            (unsigned long long)m.steps, (unsigned long long)m.all, m.tolerance, m.median, m.worst, m.worst_time, m.advice);
}

/* And on soil: what the run has let go of is not in its results any more, whatever they say. */
static void show_torn(const talus_world *w)
{
    for (int i = 0; i < talus_solid_count(w); i++) {
        double mass;
        const talus_solid_id solid = talus_solid_at(w, i);
        const int particles = talus_solid_torn(w, solid, &mass);
        if (particles > 0)
            fprintf(stderr, "talus: solid '%s' is torn: %d particles of it, %.3g kg, resist nothing\n", talus_solid_name(w, solid), particles, mass);
    }
}

static bool dump_local(talus_world *w, const char *path, const char *title, char *message, size_t size)
{
    talus_problem *problem;
    if (talus_world_problem(w, &problem, message, size) != TALUS_OK) return false;
    const bool written = !problem || talus_fclib_save(problem, path, title, message, size) == TALUS_OK;
    talus_problem_destroy(problem);
    return written;
}

static bool dump_global(talus_world *w, const char *path, const char *title, char *message, size_t size)
{
    talus_global_problem problem;
    if (talus_world_global_problem(w, &problem, message, size) != TALUS_OK) return false;
    return problem.contacts == 0 || talus_fclib_save_global(&problem, path, title, message, size) == TALUS_OK;
}

/* The contact problem of the last step, where one is due, to DIR/problems/step-….hdf5. */
static bool dump(const run_options *o, talus_world *w, char *message, size_t size)
{
    const uint64_t step = talus_world_steps(w), every = o->dump > 0 ? tl_study_steps(o->dump, talus_world_step_size(w)) : 1;
    if (o->dump < 0 || every == 0 || step % every != 0) return true;
    char path[2048], title[200];
    snprintf(path, sizeof path, "%s/problems", o->directory);
    (void)mkdir(path, 0777); /* if it fails, so does what follows, with a better message */
    snprintf(path, sizeof path, "%s/problems/step-%08llu.hdf5", o->directory, (unsigned long long)step);
    snprintf(title, sizeof title, "step %llu, t = %.9g s", (unsigned long long)step, talus_world_time(w));
    return o->global ? dump_global(w, path, title, message, size) : dump_local(w, path, title, message, size);
}

/* The clock that a run waits for. */
typedef struct pacing {
    double pace, started, first_time, late, latest; /* late: now behind the clock; latest: at worst [s] */
} pacing;

static void keep_pace(pacing *p, double time)
{
    if (!(p->pace > 0)) return;
    const double early = p->started + (time - p->first_time) / p->pace - tl_clock();
    p->late = fmax(0, -early);
    p->latest = fmax(p->latest, p->late);
    if (!(early > 0)) return;
    const struct timespec wait = {(time_t)early, (long)(1e9 * (early - floor(early)))};
    (void)nanosleep(&wait, NULL); /* a signal ends it, which is looked at then */
}

static void show_pace(const pacing *p, double time)
{
    if (!(p->pace > 0)) return;
    fprintf(stderr, "talus: pace %g of real time: %.4g s simulated in %.4g s; behind by %.3g s at worst, by %.3g s at the end\n", p->pace, time - p->first_time,
            tl_clock() - p->started, p->latest, p->late);
}

static bool is_interrupted(void *user)
{
    (void)user;
    return interrupted;
}

typedef struct running {
    const talus_scene *scene;
    talus_world *world;
    talus_record *record;
} running;

/* Steps to the end; the reason why it stopped, or "done". */
static const char *advance(const run_options *o, const running *r, int *code, char *message, size_t size)
{
    const talus_scene *scene = r->scene;
    talus_world *w = r->world;
    talus_record *record = r->record;
    progress p = {.started = tl_clock(), .first_time = talus_world_time(w), .end = o->until > 0 ? o->until : talus_scene_end(scene)};
    talus_step_report report = {0};
    p.wanted = !o->quiet;
    p.terminal = isatty(STDERR_FILENO);
    const uint64_t steps = tl_study_steps(p.end, talus_world_step_size(w));
    pacing pace = {.pace = o->pace, .started = tl_clock(), .first_time = talus_world_time(w)};
    bool over = talus_scene_ending(scene, w, message, size);
    while (!over && talus_world_steps(w) < steps) {
        if (interrupted) {
            *code = EXIT_INTERRUPTED;
            return "interrupted";
        }
        *code = EXIT_FAILED;
        const talus_status status = talus_world_step(w, &report);
        if (status == TALUS_INTERRUPTED) continue; /* which the top of this loop says */
        if (status != TALUS_OK) return talus_world_error(w);
        if (!dump(o, w, message, size)) return message; /* before stages and sinks change bodies */
        if (talus_scene_advance(scene, w, &over) != TALUS_OK) return talus_world_error(w);
        if (talus_record_step(record, w, &report) != TALUS_OK) return talus_record_error(record);
        show_warnings(w);
        show(&p, w, &report, false);
        keep_pace(&pace, talus_world_time(w));
    }
    if (!o->quiet) show_pace(&pace, talus_world_time(w));
    show(&p, w, &report, true);
    *code = EXIT_DONE;
    return "done";
}

static int run_world(const run_options *o, const talus_scene *scene, talus_world *w)
{
    talus_record_def def = talus_record_def_default();
    talus_record *record;
    char message[2048] = "";
    int code = EXIT_DONE;
    def.directory = o->directory;
    def.resume = o->resume;
    def.force = o->force;
    signal(SIGPIPE, SIG_IGN); /* nobody reads the progress any more: the results are wanted all the same */
    /* before there is a file: who is interrupted while files are opened leaves a run that can be resumed, too */
    talus_world_set_interrupt(w, &(talus_interrupt){is_interrupted, NULL});
    signal(SIGINT, on_signal);
    signal(SIGTERM, on_signal);
    if (signal(SIGHUP, on_signal) == SIG_IGN) signal(SIGHUP, SIG_IGN); /* nohup */
    const talus_status opened = talus_record_open(&def, scene, w, &record, message, sizeof message);
    if (opened != TALUS_OK) {
        fprintf(stderr, "talus: %s\n", message[0] ? message : talus_status_meaning(opened));
        return EXIT_USAGE;
    }
    if (message[0]) fprintf(stderr, "talus: %s\n", message);
    char trouble[2048];
    snprintf(message, sizeof message, "%s", advance(o, &(running){scene, w, record}, &code, trouble, sizeof trouble));
    show_warnings(w); /* of a step that failed */
    if (code == EXIT_FAILED) fprintf(stderr, "%stalus: %s\n", isatty(STDERR_FILENO) ? "\n" : "", message);
    if (talus_record_close(record, w, message) != TALUS_OK) {
        fprintf(stderr, "talus: %s\n", talus_record_error(record));
        code = EXIT_FAILED;
    } else if (code != EXIT_DONE) {
        fprintf(stderr, "talus: the state at t = %.9g s is in %s/checkpoint.h5; --resume continues from it\n", talus_world_time(w), o->directory);
    } else if (!o->quiet) {
        if (talus_scene_ending(scene, w, trouble, sizeof trouble)) fprintf(stderr, "talus: %s\n", trouble);
        fprintf(stderr, "talus: results in %s (series.csv, summary.json, trajectory.h5)\n", o->directory);
    }
    show_missed(record), show_torn(w);
    talus_record_destroy(record);
    return code;
}

int talus_run(int argc, char **argv)
{
    run_options o;
    talus_scene *scene;
    talus_world *w = NULL;
    int code = parse(argc, argv, &o);
    if (code != EXIT_DONE) return code;
    if (talus_scene_load(o.scene, o.settings.item, o.settings.count, &scene) != TALUS_OK || talus_scene_build(scene, o.threads, &w) != TALUS_OK)
        code = print_mistakes(scene);
    else if (o.until > 0 && tl_study_steps(o.until, talus_world_step_size(w)) == 0)
        code = tl_usage("run", "--until %g s in steps of %g s are more than %g steps", o.until, talus_world_step_size(w), TALUS_STEPS);
    else {
        fputs(talus_scene_warnings(scene), stderr);
        code = run_world(&o, scene, w);
        if (o.view && code == EXIT_DONE) code = tl_view_directory(o.directory, NULL, 0);
    }
    talus_world_destroy(w);
    talus_scene_destroy(scene);
    return code;
}

int talus_check(int argc, char **argv)
{
    static const struct option OPTIONS[] = {{"set", required_argument, NULL, 's'}, {NULL, 0, NULL, 0}};
    tl_settings settings = {.count = 0};
    talus_scene *scene;
    talus_world *w = NULL;
    int code = EXIT_DONE;
    for (int c; (c = getopt_long(argc, argv, "s:", OPTIONS, NULL)) != -1;)
        if (c != 's' || !tl_settings_add(&settings, optarg)) return tl_usage("check", "that option is not known, or misses its value");
    if (optind != argc - 1) return tl_usage("check", optind == argc ? "which scene?" : "one scene at a time");
    if (talus_scene_load(argv[optind], settings.item, settings.count, &scene) != TALUS_OK || talus_scene_build(scene, 1, &w) != TALUS_OK)
        code = print_mistakes(scene);
    else {
        fputs(talus_scene_warnings(scene), stderr);
        printf("%s: ok: %d bodies, %d degrees of freedom, %d probes, %.6g s in steps of %.6g s\n", argv[optind], talus_body_count(w),
               talus_degrees_of_freedom(w), talus_scene_probe_count(scene), talus_scene_end(scene), talus_world_step_size(w));
    }
    talus_world_destroy(w);
    talus_scene_destroy(scene);
    return code;
}
