/* talus verify: finds the cases, makes their runs side by side, prints one table, writes one page. */
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/record.h"
#include "study/verify.h"
#include "talus/world.h"

enum { MOST_CASES = 1000, COLUMNS = 7 };

typedef struct job {
    tl_case *owner;
    int run;
} job;

typedef struct verification {
    const tl_verify_options *options;
    int cases, jobs, done;
    char *name[MOST_CASES];
    tl_case *list[MOST_CASES];
    job *job;
    char output[4096];
    int checks[VERDICTS]; /* by verdict */
    int broken;           /* runs that failed */
    double started;
} verification;

/* ---- which cases -------------------------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static bool has_case(const char *cases, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s/case.yaml", cases, name);
    return name[0] != '.' && access(path, F_OK) == 0;
}

/* All folders with a case.yaml, in order. */
static int find_all(const char *cases, char **names)
{
    int count = 0;
    DIR *d = opendir(cases);
    for (const struct dirent *e; d && (e = readdir(d)) && count < MOST_CASES;)
        if (has_case(cases, e->d_name) && (names[count] = strdup(e->d_name))) count++;
    if (d) closedir(d);
    qsort(names, (size_t)count, sizeof *names, by_name);
    return count;
}

static bool choose(verification *v)
{
    const tl_verify_options *o = v->options;
    char *all[MOST_CASES];
    const int count = find_all(o->cases, all);
    bool good = true;
    if (count == 0) fprintf(stderr, "talus verify: there are no cases in '%s': folders with a case.yaml\n", o->cases), good = false;
    for (int i = 0; good && i < o->count; i++) {
        bool there = false;
        for (int k = 0; k < count; k++) there = there || strcmp(all[k], o->names[i]) == 0;
        const char *near = there ? NULL : tl_nearest(o->names[i], (const char *const *)all, count);
        if (!there)
            fprintf(stderr, "talus verify: there is no case '%s'%s%s%s (talus verify --list)\n", o->names[i], near ? "; did you mean '" : "", near ? near : "",
                    near ? "'?" : "");
        good = there;
    }
    for (int k = 0; k < count; k++) {
        bool wanted = o->count == 0;
        for (int i = 0; i < o->count; i++) wanted = wanted || strcmp(all[k], o->names[i]) == 0;
        if (good && wanted) v->name[v->cases++] = all[k];
        else free(all[k]);
    }
    return good;
}

static bool read_cases(verification *v)
{
    bool good = true;
    char path[4096];
    for (int i = 0; i < v->cases; i++) {
        snprintf(path, sizeof path, "%s/%s", v->options->cases, v->name[i]);
        const tl_case *c = v->list[i] = tl_case_read(path, v->name[i], v->options->list);
        good = good && c && c->mistakes.status == TALUS_OK;
        if (!c || (c->mistakes.count == 0 && c->mistakes.status != TALUS_OK)) fprintf(stderr, "talus verify: memory ran out\n");
        for (int k = 0; c && k < c->mistakes.count; k++) fprintf(stderr, "%s\n", c->mistakes.item[k].text);
        if (c && v->options->list && c->title) printf("%-24s %s\n", c->name, c->title);
    }
    return good;
}

/* ---- runs --------------------------------------------------------------------------------------------------------- */

static int run_job(void *context, int index)
{
    const verification *v = context;
    const job *j = &v->job[index];
    const tl_case_run *run = &j->owner->run[j->run];
    char directory[8192];
    signal(SIGINT, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* nobody else would end it */
    snprintf(directory, sizeof directory, "%s/%s/%s", v->output, j->owner->name, j->owner->from[j->run].name);
    return tl_study_run(run->scene, run->setting, run->settings, directory);
}

static void job_done(void *context, int index, int code)
{
    verification *v = context;
    const job *j = &v->job[index];
    v->done++;
    if (v->options->progress)
        fprintf(stderr, "\r\033[K%d of %d runs, %.0f s: %s/%s%s", v->done, v->jobs, tl_clock() - v->started, j->owner->name, j->owner->from[j->run].name,
                code                 ? " failed\n"
                : v->done == v->jobs ? "\n"
                                     : "");
}

/* 0, or 130 when interrupted, 1 when processes could not be made. */
static int make_runs(verification *v)
{
    tl_error error = {0};
    int most = 1;
    for (int i = 0; i < v->cases; i++) most += v->list[i]->runs;
    v->job = calloc((size_t)most, sizeof *v->job);
    int *code = calloc((size_t)most, sizeof *code);
    for (int i = 0; v->job && code && i < v->cases; i++)
        for (int r = 0; r < v->list[i]->runs; r++)
            if (!(v->options->quick && v->list[i]->run[r].large)) v->job[v->jobs++] = (job){v->list[i], r};
    v->started = tl_clock();
    void (*const before)(int) = signal(SIGINT, SIG_IGN); /* the runs end by it, and then so does this */
    int result = 0;
    if (!v->job || !code || tl_jobs_run(&(tl_jobs){v->jobs, v->options->parallel, run_job, job_done, v}, code, &error) != TALUS_OK) {
        fprintf(stderr, "talus verify: %s\n", error.text[0] ? error.text : "memory ran out");
        result = 1;
    }
    signal(SIGINT, before);
    for (int i = 0; result == 0 && i < v->jobs; i++) {
        v->job[i].owner->run[v->job[i].run].code = code[i];
        if (code[i] == 130) result = 130;
    }
    free(code);
    return result;
}

/* ---- the table ---------------------------------------------------------------------------------------------------- */

static int width(const char *text)
{
    int n = 0;
    for (; *text; text++) n += ((unsigned char)*text & 0xC0) != 0x80;
    return n;
}

static void cells(const tl_case *c, const tl_case_check *k, const char *cell[COLUMNS])
{
    static const char *const VERDICT[VERDICTS] = {"holds", "known deviation", "FAILS", "left out"};
    const char *why = k->verdict == DEVIATES ? k->deviation : k->because;
    const char *const all[COLUMNS] = {VERDICT[k->verdict], c->name, k->quantity, k->text[0], k->text[1], k->text[2], why};
    memcpy(cell, all, sizeof all);
}

static void print_row(const char *const *cell, const int *wide)
{
    for (int i = 0; i < COLUMNS - 1; i++) printf("%s%*s  ", cell[i], wide[i] - width(cell[i]), "");
    printf("%s\n", cell[COLUMNS - 1]);
}

static void print_table(const verification *v)
{
    static const char *const HEAD[COLUMNS] = {"verdict", "case", "quantity", "expected", "obtained", "tolerance", "because"};
    const char *cell[COLUMNS];
    int wide[COLUMNS];
    for (int i = 0; i < COLUMNS; i++) wide[i] = width(HEAD[i]);
    for (int pass = 0; pass < 2; pass++) {
        if (pass) print_row(HEAD, wide);
        for (int i = 0; i < v->cases; i++)
            for (int k = 0; k < v->list[i]->checks; k++) {
                cells(v->list[i], &v->list[i]->check[k], cell);
                for (int j = 0; j < COLUMNS; j++) wide[j] = width(cell[j]) > wide[j] ? width(cell[j]) : wide[j];
                if (pass) print_row(cell, wide);
            }
    }
    printf("%d hold, %d fail, %d left out", v->checks[HOLDS], v->checks[FAILS], v->checks[LEFT_OUT]);
    if (v->checks[DEVIATES]) printf(", %d known deviation%s", v->checks[DEVIATES], v->checks[DEVIATES] > 1 ? "s" : "");
    printf("; %d runs in %.0f s", v->jobs, tl_clock() - v->started);
    if (v->broken) printf(", of which %d failed", v->broken);
    putchar('\n');
}

/* ---- the page ----------------------------------------------------------------------------------------------------- */

static const char STYLE[] =
    ":root{--paper:#fff;--ink:#222;--soft:#666;--grid:#e2e2e2;--good:#1b7f3b;--bad:#c4201d;--known:#9a5b00}"
    "@media(prefers-color-scheme:dark){:root{--paper:#16181b;--ink:#e6e6e6;--soft:#a0a4aa;--grid:#34383d;--good:#5fce83;--bad:#ff7b72;--known:#e3b341}}"
    "body{background:var(--paper);color:var(--ink);font:16px/1.45 system-ui,sans-serif;max-width:1100px;margin:0 auto;padding:1rem}"
    "h2{margin:2.2rem 0 .2rem}p.source{color:var(--soft);margin:.2rem 0 .8rem}table{border-collapse:collapse;width:100%}"
    "th,td{text-align:left;vertical-align:top;padding:.3rem .6rem .3rem 0;border-bottom:1px solid var(--grid)}th{color:var(--soft);font-weight:600}"
    "td.number{font-variant-numeric:tabular-nums;white-space:nowrap}td.because{color:var(--soft);font-size:.9em}.holds{color:var(--good)}.fails{color:var(--"
    "bad);font-weight:700}"
    ".left_out{color:var(--soft)}.deviates{color:var(--known);font-weight:600}figure{margin:1.2rem 0}svg.plot{max-width:100%;height:auto}a{color:inherit}"
    "@media(max-width:700px){thead{display:none}table,tbody,tr,td{display:block}tr{padding:.6rem 0;border-bottom:1px solid var(--grid)}"
    "td{border:0;padding:.1rem 0}td::before{content:attr(data-name);color:var(--soft);display:inline-block;min-width:6.5rem}"
    "td:empty{display:none}td.quantity{font-weight:600}td.quantity::before{display:none}td.number{white-space:normal}}";

static void page_head(const verification *v, FILE *out)
{
    fprintf(out,
            "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'/><meta name='viewport' content='width=device-width,initial-scale=1'/>"
            "<meta name='color-scheme' content='light dark'/><title>talus verify</title><style>%s</style></head>\n<body>\n<h1>What talus was checked "
            "against</h1>\n",
            STYLE);
    const int *n = v->checks;
    fprintf(out, "<p><b class='%s'>%d of %d hold</b>", n[FAILS] ? "fails" : "holds", n[HOLDS], n[HOLDS] + n[FAILS] + n[DEVIATES]);
    if (n[DEVIATES]) fprintf(out, ", <b class='deviates'>%d %s</b>", n[DEVIATES], n[DEVIATES] > 1 ? "are known deviations" : "is a known deviation");
    if (n[LEFT_OUT]) fprintf(out, ", %d were left out (long runs)", n[LEFT_OUT]);
    if (v->broken) fprintf(out, ", <b class='fails'>%d runs failed</b>", v->broken);
    fprintf(out, ". talus %s, %d runs.</p>\n<p>", TALUS_VERSION, v->jobs);
    for (int i = 0; i < v->cases; i++) {
        bool fails = false;
        for (int k = 0; k < v->list[i]->checks; k++) fails = fails || v->list[i]->check[k].verdict == FAILS;
        fprintf(out, "%s<a class='%s' href='#case%d'>", i ? " · " : "", fails ? "fails" : "holds", i + 1);
        tl_html_text(out, v->list[i]->name);
        fputs("</a>", out);
    }
    fputs("</p>\n", out);
}

static bool write_page(const verification *v, const char *body)
{
    char path[8192];
    snprintf(path, sizeof path, "%s/verify.html", v->output);
    FILE *out = fopen(path, "w");
    if (out) {
        page_head(v, out);
        fputs(body, out);
        fputs("</body></html>\n", out);
    }
    if (out && fclose(out) == 0) return true;
    fprintf(stderr, "talus verify: cannot write '%s': %s\n", path, strerror(errno));
    return false;
}

/* ---- all of it ---------------------------------------------------------------------------------------------------- */

static void say_why(const verification *v, const tl_case *c)
{
    for (int r = 0; r < c->runs; r++) {
        char path[8192], line[1024] = "";
        if (c->run[r].code <= 0) continue;
        snprintf(path, sizeof path, "%s/%s/%s/messages.txt", v->output, c->name, c->from[r].name);
        FILE *in = fopen(path, "r");
        if (!in || !fgets(line, sizeof line, in)) snprintf(line, sizeof line, "it ended with %d\n", c->run[r].code);
        if (in) fclose(in);
        fprintf(stderr, "%s/%s: %s", c->name, c->from[r].name, line);
    }
}

/* Judges case by case, so that the rows of one at a time are in memory. */
static bool judge(verification *v)
{
    char *body = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&body, &size);
    for (int i = 0; out && i < v->cases; i++) {
        tl_case *c = v->list[i];
        tl_case_load(c, v->output);
        tl_case_judge(c);
        fprintf(out, "<section id='case%d'>\n", i + 1);
        tl_case_page(c, out);
        fputs("</section>\n", out);
        for (int r = 0; r < c->runs; r++) {
            tl_series_free(&c->from[r].series);
            v->broken += c->run[r].code > 0;
        }
        for (int k = 0; k < c->checks; k++) v->checks[c->check[k].verdict]++;
        say_why(v, c);
    }
    print_table(v);
    const bool written = out && fclose(out) == 0 && (!v->options->output || write_page(v, body));
    free(body);
    return written;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info, (void)kind, (void)where;
    return remove(path);
}

static int verify(verification *v)
{
    tl_error error;
    const char *temporary = getenv("TMPDIR");
    if (v->options->output) snprintf(v->output, sizeof v->output, "%s", v->options->output);
    else snprintf(v->output, sizeof v->output, "%s/talus-verify-XXXXXX", temporary && *temporary ? temporary : "/tmp");
    if (!v->options->output && !mkdtemp(v->output)) {
        fprintf(stderr, "talus verify: cannot make a temporary directory '%s': %s\n", v->output, strerror(errno));
        return 1;
    }
    if (v->options->output && tl_directory_make(v->output, &error) != TALUS_OK) {
        fprintf(stderr, "talus verify: %s\n", error.text);
        return 2;
    }
    int code = make_runs(v);
    if (code == 0) code = judge(v) && v->checks[FAILS] + v->broken == 0 ? 0 : 1;
    if (!v->options->output) nftw(v->output, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    return code;
}

int tl_verify(const tl_verify_options *o)
{
    verification *v = calloc(1, sizeof *v);
    if (!v) return 1;
    v->options = o;
    int code = 2;
    if (choose(v) && read_cases(v)) code = o->list ? 0 : verify(v);
    for (int i = 0; i < v->cases; i++) tl_case_free(v->list[i]), free(v->name[i]);
    free(v->job);
    free(v);
    return code;
}
