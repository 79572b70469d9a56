/* talus sweep: values to combinations, combinations to runs. */
#include "study/sweep.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/record.h"
#include "scene/node.h"

enum { MOST_RUNS = 10000 };

static talus_status no_memory(tl_error *error) { return tl_fail(error, TALUS_MEMORY, "memory ran out"); }

/* ---- values ------------------------------------------------------------------------------------------------------- */

/* Where the value that begins here ends: at a comma outside of brackets and quotes, or at the end; NULL: something stays open. */
static const char *end_of_value(const char *at)
{
    int depth = 0;
    for (char quote = 0; *at && (quote || depth > 0 || *at != ','); at++) {
        if (quote) {
            if (*at == '\\' && quote == '"' && at[1]) at++;
            else if (*at == quote) quote = 0;
        } else if (*at == '"' || *at == '\'') quote = *at;
        else if (strchr("[{(", *at)) depth++;
        else if (strchr("]})", *at)) depth--;
        if (quote && !at[1]) return NULL;
    }
    return depth == 0 ? at : NULL;
}

/* Numbers with one unit, so that runs can be drawn against them. */
static void see_numbers(tl_factor *f)
{
    f->numeric = true;
    for (int i = 0; i < f->values && f->numeric; i++) {
        char *end;
        f->number[i] = strtod(f->value[i], &end);
        const char *unit = end + strspn(end, " ");
        if (i == 0) f->unit = unit;
        f->numeric = end != f->value[i] && isfinite(f->number[i]) && strcmp(unit, f->unit) == 0 && strcspn(unit, "+*(),[{") == strlen(unit);
    }
}

static talus_status read_factor(tl_factor *f, const char *text, tl_error *error)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1]) return tl_fail(error, TALUS_INPUT, "--vary %s: wants path=a,b,c, such as time.step=1e-3,1e-4", text);
    f->path = strndup(text, (size_t)(equals - text));
    f->value = calloc(strlen(equals) + 1, sizeof *f->value);
    f->number = calloc(strlen(equals) + 1, sizeof *f->number);
    if (!f->path || !f->value || !f->number) return no_memory(error);
    f->label = f->path; /* its last name, with the numbers after it: position.1 */
    for (const char *p = f->path + strlen(f->path); p > f->path && f->label == f->path; p--)
        if (p[-1] == '.' && !isdigit((unsigned char)*p)) f->label = p;
    for (const char *at = equals; *at;) {
        const char *from = at + 1 + strspn(at + 1, " "), *to = end_of_value(from);
        if (!to) return tl_fail(error, TALUS_INPUT, "--vary %s: a bracket or quote stays open", text);
        at = to;
        while (to > from && to[-1] == ' ') to--;
        if (to == from) return tl_fail(error, TALUS_INPUT, "--vary %s: value %d is empty", text, f->values + 1);
        if (!(f->value[f->values++] = strndup(from, (size_t)(to - from)))) return no_memory(error);
    }
    see_numbers(f);
    return TALUS_OK;
}

/* ---- runs --------------------------------------------------------------------------------------------------------- */

/* The value that a run has of a factor. */
static const char *chosen(const tl_sweep *s, const tl_sweep_run *run, int factor)
{
    char *const *value = s->factor[factor].value;
    return value && run->choice ? value[run->choice[factor]] : "";
}

/* What a file system takes everywhere; what would be the same name gets its number. */
static char *directory_name(const tl_sweep *s, int index)
{
    const tl_sweep_run *run = &s->run[index];
    char name[160];
    size_t n = 0;
    for (int k = 0; k < s->factors; k++) {
        const char *parts[4] = {k ? "," : "", s->factor[k].path ? s->factor[k].path : "", "=", chosen(s, run, k)};
        for (int p = 0; p < 4; p++)
            for (const char *c = parts[p]; *c && n < 120; c++) name[n++] = strchr(" /\\\"'[]{}()*?:;<>|&$!`~\n\t", *c) ? '_' : *c;
    }
    name[n] = '\0';
    bool taken = n >= 120 || name[0] == '.';
    for (int i = 0; i < index; i++) taken = taken || strcmp(s->run[i].name, name) == 0;
    if (taken) snprintf(name + n, sizeof name - n, "-%d", index + 1);
    return strdup(name);
}

static char *title_of(const tl_sweep *s, const tl_sweep_run *run)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out) return NULL;
    for (int k = 0; k < s->factors; k++) fprintf(out, "%s%s = %s", k ? ", " : "", s->factor[k].label, chosen(s, run, k));
    fclose(out);
    return text;
}

static talus_status plan(tl_sweep *s, tl_error *error)
{
    double product = 1;
    s->factors = s->def->varied;
    s->factor = calloc((size_t)s->factors + 1, sizeof *s->factor);
    if (!s->factor) return no_memory(error);
    for (int k = 0; k < s->factors; k++) {
        TL_TRY(read_factor(&s->factor[k], s->def->vary[k], error));
        for (int i = 0; i < k && s->factor[k].path; i++)
            if (s->factor[i].path && strcmp(s->factor[i].path, s->factor[k].path) == 0)
                return tl_fail(error, TALUS_INPUT, "'%s' is varied twice", s->factor[k].path);
        product *= s->factor[k].values;
    }
    if (product > MOST_RUNS) return tl_fail(error, TALUS_INPUT, "that would be %.0f runs; %d at most", product, MOST_RUNS);
    s->runs = (int)product;
    s->run = calloc((size_t)s->runs, sizeof *s->run);
    s->due = calloc((size_t)s->runs, sizeof *s->due);
    if (!s->run || !s->due) return no_memory(error);
    for (int i = 0; i < s->runs; i++) { /* the last factor changes the fastest */
        tl_sweep_run *run = &s->run[i];
        run->choice = calloc((size_t)s->factors, sizeof *run->choice);
        if (!run->choice) return no_memory(error);
        for (int k = s->factors - 1, rest = i; k >= 0 && s->factor[k].values > 0; k--) {
            run->choice[k] = rest % s->factor[k].values;
            rest /= s->factor[k].values;
        }
        run->name = directory_name(s, i);
        run->title = title_of(s, run);
        run->directory = calloc(strlen(s->def->directory) + 200, 1);
        if (!run->name || !run->title || !run->directory) return no_memory(error);
        sprintf(run->directory, "%s/%s", s->def->directory, run->name);
    }
    return TALUS_OK;
}

/* All settings of a run, those that vary last; an array of texts, each its own: freed by free_settings. */
static char **settings_of(const tl_sweep *s, const tl_sweep_run *run, int *count)
{
    *count = s->def->settings + s->factors;
    char **setting = calloc((size_t)*count + 1, sizeof *setting);
    for (int i = 0; setting && i < *count; i++) {
        const int k = i - s->def->settings;
        if (k < 0) setting[i] = strdup(s->def->setting[i]);
        else if (asprintf(&setting[i], "%s=%s", s->factor[k].path, chosen(s, run, k)) < 0) setting[i] = NULL;
    }
    return setting;
}

static void free_settings(char **setting, int count)
{
    for (int i = 0; setting && i < count; i++) free(setting[i]);
    free((void *)setting);
}

/* Has this very scene been run to its end here? */
static bool is_finished(const tl_sweep *s, const tl_sweep_run *run, const talus_scene *scene)
{
    char path[4096];
    const double end = s->def->until > 0 ? s->def->until : talus_scene_end(scene);
    tl_mistakes mistakes = {0};
    tl_arena *arena = tl_arena_create(tl_memory_default(), 4096);
    snprintf(path, sizeof path, "%s/summary.json", run->directory); /* JSON is YAML */
    const tl_node *summary = arena && access(path, R_OK) == 0 ? tl_yaml_load(path, NULL, 0, arena, &mistakes) : NULL;
    const tl_node *status = summary ? tl_node_get(summary, "status") : NULL, *time = summary ? tl_node_get(summary, "time_end") : NULL;
    bool done = status && status->text && strcmp(status->text, "done") == 0 && time && time->text && strtod(time->text, NULL) >= end * (1 - 1e-9);
    done = done && tl_directory_has_scene(run->directory, scene);
    tl_mistakes_free(&mistakes);
    tl_arena_destroy(arena);
    return done;
}

/* Reads the scene of every run before any begins: a wrong path or value costs nothing. */
static talus_status check_scenes(tl_sweep *s, tl_error *error)
{
    for (int i = 0; i < s->runs; i++) {
        talus_scene *scene = NULL;
        int count;
        char **setting = settings_of(s, &s->run[i], &count);
        if (!setting) return no_memory(error);
        const talus_status status = talus_scene_load(s->def->scene, (const char *const *)setting, count, &scene);
        for (int k = 0; scene && status != TALUS_OK && k < talus_scene_mistake_count(scene); k++)
            fprintf(s->def->messages, "%s\n", talus_scene_mistake(scene, k));
        if (status == TALUS_OK && s->def->resume) s->run[i].finished = is_finished(s, &s->run[i], scene);
        const talus_status taken = status == TALUS_OK && !s->def->resume ? tl_directory_is_free(s->run[i].directory, scene, s->def->force, error) : TALUS_OK;
        talus_scene_destroy(scene);
        free_settings(setting, count);
        TL_TRY(taken);
        if (status != TALUS_OK) return tl_fail(error, TALUS_INPUT, "nothing was run: the scene is wrong with %s", s->run[i].title);
    }
    return TALUS_OK;
}

/* Results of an earlier sweep must not be taken for those of a run that fails now. */
static void forget_old(const tl_sweep_run *run)
{
    static const char *const NAMES[] = {"summary.json", "series.csv", "run.log"};
    char path[4096];
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        snprintf(path, sizeof path, "%s/%s", run->directory, NAMES[i]);
        unlink(path);
    }
}

static talus_status prepare(tl_sweep *s, tl_error *error)
{
    TL_TRY(tl_directory_make(s->def->directory, error));
    TL_TRY(tl_directory_lock(s->def->directory, &s->lock, error));
    for (int i = 0; i < s->runs; i++) {
        if (s->run[i].finished) {
            fprintf(s->def->messages, "%s: finished before\n", s->run[i].title);
            continue;
        }
        TL_TRY(tl_directory_make(s->run[i].directory, error));
        if (!s->def->resume) forget_old(&s->run[i]);
        s->due[s->dues++] = i;
    }
    return TALUS_OK;
}

/* In a process of its own: the words of `talus run`. */
static int do_run(void *context, int index)
{
    const tl_sweep *s = context;
    const tl_sweep_run *run = &s->run[s->due[index]];
    char path[4096], until[40], threads[20];
    int count, argc = 0;
    snprintf(path, sizeof path, "%s/run.log", run->directory);
    if (!freopen(path, "w", stderr)) return 1;
    char **setting = settings_of(s, run, &count), **argv = calloc(2 * (size_t)count + 16, sizeof *argv);
    if (!setting || !argv) {
        free((void *)argv);
        free_settings(setting, count);
        return 1;
    }
    snprintf(path, sizeof path, "%s/checkpoint.h5", run->directory);
    argv[argc++] = (char *)"run";
    argv[argc++] = (char *)"--quiet";
    argv[argc++] = (char *)"-o";
    argv[argc++] = run->directory;
    const int together = s->def->parallel < s->dues ? s->def->parallel : s->dues;
    snprintf(threads, sizeof threads, "%d", together < tl_usual_threads() ? tl_usual_threads() / together : 1);
    argv[argc++] = (char *)"--threads", argv[argc++] = threads;
    if (!s->def->resume) argv[argc++] = (char *)"--force"; /* what may be overwritten was asked before */
    for (int i = 0; i < count; i++) argv[argc++] = (char *)"--set", argv[argc++] = setting[i];
    if (s->def->until > 0) {
        snprintf(until, sizeof until, "%.17g", s->def->until);
        argv[argc++] = (char *)"--until", argv[argc++] = until;
    }
    if (s->def->resume && access(path, R_OK) == 0) argv[argc++] = (char *)"--resume";
    argv[argc++] = (char *)"--";
    argv[argc++] = (char *)s->def->scene;
    const int code = s->def->run(argc, argv);
    free_settings(setting, count);
    free((void *)argv);
    return code;
}

static void tell(void *context, int index, int code)
{
    tl_sweep *s = context;
    const tl_sweep_run *run = &s->run[s->due[index]];
    char path[4096], line[300] = "";
    snprintf(path, sizeof path, "%s/run.log", run->directory);
    FILE *in = code != 0 && code != 130 ? fopen(path, "r") : NULL;
    if (in && !fgets(line, sizeof line, in)) line[0] = '\0';
    if (in) fclose(in);
    line[strcspn(line, "\n")] = '\0';
    fprintf(s->def->messages, "[%d/%d] %s: %s%s%s\n", ++s->ended, s->dues, run->title,
            code == 0     ? "done"
            : code == 130 ? "interrupted"
                          : "failed",
            line[0] ? ": " : "", line);
    fflush(s->def->messages);
}

static talus_status run_due(tl_sweep *s, int *failed, bool *interrupted, tl_error *error)
{
    int *code = calloc((size_t)s->dues + 1, sizeof *code);
    if (!code) return no_memory(error);
    const talus_status status = tl_jobs_run(&(tl_jobs){s->dues, s->def->parallel, do_run, tell, s}, code, error);
    for (int i = 0; i < s->dues; i++) {
        s->run[s->due[i]].code = code[i];
        *interrupted = *interrupted || code[i] == 130;
        *failed += code[i] != 0 && code[i] != 130;
    }
    free(code);
    return status;
}

/* ---- what comes of it --------------------------------------------------------------------------------------------- */

static talus_status write_file(const tl_comparison *c, const char *name, tl_error *error)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", c->sweep->def->directory, name);
    FILE *out = fopen(path, "w");
    if (out && strcmp(name, "sweep.csv") == 0) tl_comparison_csv(c, out);
    else if (out) tl_comparison_page(c, out);
    bool done = out && !ferror(out);
    if (out) done = fclose(out) == 0 && done;
    return done ? TALUS_OK : tl_fail(error, TALUS_IO, "cannot write '%s': %s", path, strerror(errno));
}

static talus_status compare(const tl_sweep *s, tl_error *error)
{
    tl_comparison c;
    talus_status status = tl_compare(&c, s, error);
    if (status == TALUS_OK) {
        tl_comparison_table(&c, s->def->table, s->def->width);
        status = write_file(&c, "sweep.csv", error);
    }
    if (status == TALUS_OK) status = write_file(&c, "sweep.html", error);
    tl_comparison_free(&c);
    return status;
}

static void free_sweep(tl_sweep *s)
{
    for (int i = 0; s->run && i < s->runs; i++) free(s->run[i].name), free(s->run[i].title), free(s->run[i].directory), free(s->run[i].choice);
    for (int k = 0; s->factor && k < s->factors; k++) {
        for (int i = 0; s->factor[k].value && i < s->factor[k].values; i++) free(s->factor[k].value[i]);
        free(s->factor[k].path), free((void *)s->factor[k].value), free(s->factor[k].number);
    }
    free(s->run), free(s->due), free(s->factor);
}

talus_status tl_sweep_run_all(const tl_sweep_def *def, int *failed, bool *interrupted, tl_error *error)
{
    tl_sweep s = {.def = def, .lock = -1};
    *failed = 0, *interrupted = false;
    talus_status status = plan(&s, error);
    if (status == TALUS_OK) status = check_scenes(&s, error);
    if (status == TALUS_OK) status = prepare(&s, error);
    if (status == TALUS_OK) status = run_due(&s, failed, interrupted, error);
    if (status == TALUS_OK) status = compare(&s, error);
    tl_directory_unlock(def->directory, &s.lock);
    free_sweep(&s);
    return status;
}
