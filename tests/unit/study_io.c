/* What studies stand on: tables read back, jobs side by side, figures, expressions of live values. */
#include "study/study.h"

#include <signal.h>
#include <stdbool.h>
#include <time.h>

#include "scene/expression.h"
#include "test.h"

/* ---- series ------------------------------------------------------------------------------------------------------- */

static char path[] = "/tmp/talus-test-study-XXXXXX";

static talus_status read_text(const char *text, tl_series *s, tl_error *error)
{
    FILE *out = fopen(path, "w");
    if (!out || fputs(text, out) < 0 || fclose(out) != 0) exit(1);
    return tl_series_read(s, path, error);
}

TEST(series)
{
    tl_series s;
    tl_error error = {0};
    CHECK(read_text("time,x,y\n0,1,-2.5e-3\n0.1,2,inf\r\n0.2,3,nan\n", &s, &error) == TALUS_OK);
    CHECK(s.columns == 3 && s.rows == 3 && tl_series_find(&s, "y") == 2 && tl_series_find(&s, "z") == -1);
    CHECK_NEAR(s.value[2][0], -2.5e-3, 0);
    CHECK(s.value[1][2] == 3 && isinf(s.value[2][1]) && isnan(s.value[2][2]));
    tl_series_free(&s);
    CHECK(read_text("time\n", &s, &error) == TALUS_OK && s.columns == 1 && s.rows == 0);
    tl_series_free(&s);

    /* more rows than the first room for them */
    char *text = malloc(40000), *end = text;
    if (!text) exit(1);
    end += sprintf(end, "k,square\n");
    for (int i = 0; i < 3000; i++) end += sprintf(end, "%d,%d\n", i, i * i);
    CHECK(read_text(text, &s, &error) == TALUS_OK && s.rows == 3000 && s.value[1][2999] == 2999.0 * 2999);
    tl_series_free(&s);
    free(text);

    static const struct {
        const char *text, *says;
    } WRONG[] = {{"", "is empty"},
                 {"a,b\n1\n", ":2: 1 columns instead of 2"},
                 {"a,b\n1,2\n1,2,3\n", ":3: more than 2 columns"},
                 {"a,b\n1,two\n", ":2: 'two' in column 'b'"},
                 {"a\n1 \n", "'1 '"},
                 {"a,b\n1,\n", "''"}};
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        CHECK(read_text(WRONG[i].text, &s, &error) == TALUS_INPUT);
        if (!strstr(error.text, WRONG[i].says)) TEST_FAIL("'%s' should say '%s'", error.text, WRONG[i].says);
    }
    CHECK(tl_series_read(&s, "/nowhere/series.csv", &error) == TALUS_IO && strstr(error.text, "/nowhere/series.csv"));
    remove(path);
}

/* ---- jobs --------------------------------------------------------------------------------------------------------- */

enum { JOBS = 12 };

typedef struct work {
    int begun, ended; /* pipes: one byte per begin and end */
    int order[JOBS], codes[JOBS], count;
} work;

static int job(void *context, int index)
{
    work *w = context;
    if (write(w->begun, "b", 1) != 1) return 99;
    nanosleep(&(struct timespec){0, 20000000}, NULL);
    if (index == 3) abort();
    if (write(w->ended, "e", 1) != 1) return 99;
    return index == 5 ? 7 : 0;
}

static void done(void *context, int index, int code)
{
    work *w = context;
    w->order[w->count] = index;
    w->codes[w->count++] = code;
}

static int stop_at_two(void *context, int index)
{
    (void)context;
    return index == 2 ? 130 : 0;
}

TEST(jobs)
{
    int begun[2], ended[2], code[JOBS];
    if (pipe(begun) != 0 || pipe(ended) != 0) exit(1);
    work w = {.begun = begun[1], .ended = ended[1]};
    tl_error error;
    CHECK(tl_jobs_run(&(tl_jobs){JOBS, 3, job, done, &w}, code, &error) == TALUS_OK);
    CHECK(w.count == JOBS);
    for (int i = 0; i < JOBS; i++) CHECK(code[i] == (i == 3 ? 128 + SIGABRT : i == 5 ? 7 : 0)); /* one that crashes takes nothing with it */
    bool seen[JOBS] = {false};
    for (int i = 0; i < JOBS; i++) {
        CHECK(w.codes[i] == code[w.order[i]]);
        seen[w.order[i]] = true;
    }
    for (int i = 0; i < JOBS; i++) CHECK(seen[i]);
    char text[2 * JOBS];
    CHECK(read(begun[0], text, sizeof text) == JOBS && read(ended[0], text, sizeof text) == JOBS - 1);
    /* none, one at a time, and one that was interrupted: no other is begun */
    CHECK(tl_jobs_run(&(tl_jobs){0, 2, job, NULL, NULL}, code, &error) == TALUS_OK);
    CHECK(tl_jobs_run(&(tl_jobs){5, 1, stop_at_two, NULL, NULL}, code, &error) == TALUS_OK);
    CHECK(code[0] == 0 && code[1] == 0 && code[2] == 130 && code[3] == 130 && code[4] == 130);
}

/* A run of a study says what went wrong in its directory. */
TEST(failed_run)
{
    char directory[] = "/tmp/talus-test-run-XXXXXX", message[256], line[512] = "";
    if (!mkdtemp(directory)) exit(1);
    CHECK(tl_study_run("/nowhere/scene.yaml", NULL, 0, directory) == 1);
    snprintf(message, sizeof message, "%s/messages.txt", directory);
    FILE *in = fopen(message, "r");
    CHECK(in && fgets(line, sizeof line, in) && strstr(line, "/nowhere/scene.yaml"));
    if (in) fclose(in);
    CHECK(tl_study_run("/nowhere/scene.yaml", NULL, 0, "/proc/none") == 1);
    remove(message);
    remove(directory);
}

/* ---- plots -------------------------------------------------------------------------------------------------------- */

static char *draw(const tl_plot *p)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out) exit(1);
    tl_plot_write(out, p);
    fclose(out);
    return text;
}

static int count(const char *text, const char *word)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, word)); at += strlen(word)) n++;
    return n;
}

TEST(plots)
{
    const double x[] = {0, 1, 2, 3, 4}, y[] = {1, 10, (double)NAN, 1000, -1}, same[] = {5, 5, 5, 5, 5};
    const tl_curve curves[] = {
        {"a < b", x, y, 5, CURVE_LINE}, {"points", x, y, 5, CURVE_POINTS}, {NULL, x, same, 5, CURVE_DASHED}, {"nothing", x, y, 0, CURVE_LINE}};
    tl_plot p = {.title = "A & B", .x_label = "x", .y_label = "y", .curve = curves, .curves = 4};
    char *text = draw(&p);
    CHECK(count(text, "<svg ") == 1 && count(text, "</svg>") == 1 && strstr(text, "A &amp; B") && strstr(text, "a &lt; b"));
    CHECK(count(text, "<circle ") == 4 + 1); /* the NaN is left out; one in the legend */
    CHECK(strstr(text, "stroke-dasharray") && !strstr(text, "nan") && !strstr(text, "inf"));
    free(text);
    p.log_y = true; /* −1 too */
    text = draw(&p);
    CHECK(count(text, "<circle ") == 3 + 1 && strstr(text, ">1e1<") && strstr(text, ">1e3<"));
    free(text);
    /* nothing at all, and one value: still a figure with finite numbers */
    const tl_curve one = {"one", x, same, 1, CURVE_POINTS};
    for (int n = 0; n < 2; n++) {
        text = draw(&(tl_plot){.curve = &one, .curves = n});
        CHECK(count(text, "</svg>") == 1 && !strstr(text, "nan") && !strstr(text, "inf"));
        free(text);
    }
}

/* A line of a hundred thousand points is thinned, and its single peak stays. */
TEST(thinned)
{
    enum { N = 100000 };
    double *x = calloc(N, sizeof *x), *y = calloc(N, sizeof *y);
    if (!x || !y) exit(1);
    for (int i = 0; i < N; i++) x[i] = i;
    y[54321] = 1;
    const tl_curve c = {NULL, x, y, N, CURVE_LINE};
    char *text = draw(&(tl_plot){.curve = &c, .curves = 1});
    CHECK(strlen(text) < 60000);
    CHECK(strstr(text, " 54.0")); /* y = 1 stands 1/22 below the top of the frame of 308: 40 + 14 */
    free(text);
    free(x);
    free(y);
}

/* ---- live values -------------------------------------------------------------------------------------------------- */

TEST(live_values)
{
    double live[2] = {2, 3};
    const tl_name names[] = {
        {.name = "a", .dimension = {.m = 1}, .live = &live[0]}, {.name = "run.b", .dimension = {.m = 1}, .live = &live[1]}, {.name = "k", .value = 10}};
    const tl_scope scope = {.names = names, .count = 3};
    tl_arena *arena = tl_arena_create(tl_memory_default(), 4096);
    tl_dimension d;
    tl_error error = {0};
    double out[3];
    const tl_expression *e = tl_expression_compile("k*(a + run.b)^2", &scope, arena, &d, &error),
                        *constant = tl_expression_compile("2*k", &scope, arena, &d, &error);
    CHECK(e && constant);
    tl_expression_value(e, 0, out);
    CHECK_NEAR(out[0], 250, 1e-12);
    live[0] = 7;
    tl_expression_value(e, 0, out);
    CHECK_NEAR(out[0], 1000, 1e-12);
    CHECK(tl_expression_reads(e, live, 2) && tl_expression_reads(e, &live[1], 1) && !tl_expression_reads(constant, live, 2));
    CHECK(!tl_expression_compile("run.c + a", &scope, arena, &d, &error) && strstr(error.text, "did you mean 'run.b'?"));
    CHECK(!tl_expression_compile("a + 1 s", &scope, arena, &d, &error) && !tl_expression_compile("2^(a)", &scope, arena, &d, &error));
    tl_arena_destroy(arena);
}

int main(int argc, char **argv)
{
    const int file = mkstemp(path);
    if (file < 0) return 1;
    close(file);
    RUN(series);
    RUN(jobs);
    RUN(failed_run);
    RUN(plots);
    RUN(thinned);
    RUN(live_values);
    remove(path);
    return TEST_RESULT;
}
