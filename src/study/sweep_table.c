/* The runs of a sweep side by side: a row a run, from its summary.json and series.csv. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scene/node.h"
#include "study/sweep.h"

static const char *const SUMMARY[] = {"wall_seconds",  "steps",           "contacts_mean",     "iterations_mean",
                                      "residual_max",  "penetration_max", "unconverged_steps", "missed_tolerance",
                                      "missed_median", "missed_worst",    "missed_worst_time"};
static const char *const WHAT[] = {"final", "mean", "min", "max"};
enum { SUMMARIES = sizeof SUMMARY / sizeof *SUMMARY, WHATS = sizeof WHAT / sizeof *WHAT };

static tl_cell *at(const tl_comparison *c, int run, int column) { return &c->cell[run * c->columns + column]; }

static bool keep(char ***list, int *count, const char *text)
{
    char **more = realloc((void *)*list, ((size_t)*count + 1) * sizeof **list);
    if (!more) return false;
    *list = more;
    return (more[(*count)++] = strdup(text)) != NULL;
}

/* ---- what there is ------------------------------------------------------------------------------------------------ */

/* Columns of series.csv between the time and those that every run has, of which contacts are the first; a probe that only some runs have is one, too. */
static bool find_probes(tl_comparison *c)
{
    for (int i = 0; i < c->sweep->runs; i++) {
        const tl_series *s = &c->series[i];
        for (int k = 1; k < s->columns && strcmp(s->name[k], "contacts") != 0; k++) {
            bool known = false;
            for (int p = 0; p < c->probes; p++) known = known || strcmp(c->probe[p], s->name[k]) == 0;
            if (!known && !keep(&c->probe, &c->probes, s->name[k])) return false;
        }
    }
    c->unit = calloc((size_t)c->probes + 1, sizeof *c->unit);
    return c->unit != NULL;
}

static bool name_columns(tl_comparison *c)
{
    bool done = true;
    for (int k = 0; k < c->sweep->factors; k++) done = done && keep(&c->column, &c->columns, c->sweep->factor[k].path);
    done = done && keep(&c->column, &c->columns, "exit") && keep(&c->column, &c->columns, "status");
    for (int k = 0; k < SUMMARIES; k++) done = done && keep(&c->column, &c->columns, SUMMARY[k]);
    for (int p = 0; p < c->probes; p++)
        for (int k = 0; k < WHATS; k++) {
            char *name = NULL;
            done = done && asprintf(&name, "%s.%s", c->probe[p], WHAT[k]) > 0 && keep(&c->column, &c->columns, name);
            free(name);
        }
    c->cell = calloc((size_t)c->sweep->runs * (size_t)c->columns + 1, sizeof *c->cell);
    for (int i = 0; c->cell && i < c->sweep->runs * c->columns; i++) c->cell[i].value = (double)NAN;
    return done && c->cell;
}

/* ---- one run ------------------------------------------------------------------------------------------------------ */

static bool set_text(tl_comparison *c, tl_cell *cell, const char *text)
{
    const bool done = keep(&c->kept, &c->texts, text);
    if (done) cell->text = c->kept[c->texts - 1];
    return done;
}

static bool read_summary(tl_comparison *c, int run)
{
    const tl_sweep_run *r = &c->sweep->run[run];
    const int first = c->sweep->factors + 2;
    char path[4096];
    tl_mistakes mistakes = {0};
    tl_arena *arena = tl_arena_create(tl_memory_default(), 4096);
    snprintf(path, sizeof path, "%s/summary.json", r->directory);
    const tl_node *summary = arena && access(path, R_OK) == 0 ? tl_yaml_load(path, NULL, 0, arena, &mistakes) : NULL; /* JSON is YAML */
    const tl_node *node = summary ? tl_node_get(summary, "status") : NULL;
    bool done = arena && set_text(c, at(c, run, first - 1), node && node->text ? node->text : r->code == 130 ? "not run" : r->code ? "failed" : "?");
    for (int k = 0; summary && k < SUMMARIES; k++) {
        node = tl_node_get(summary, SUMMARY[k]);
        if (node && node->text && strcmp(node->text, "null") != 0) at(c, run, first + k)->value = strtod(node->text, NULL);
    }
    const tl_node *units = summary ? tl_node_get(summary, "probes") : NULL;
    for (int p = 0; units && p < c->probes; p++) {
        node = tl_node_get(units, c->probe[p]);
        if (node && node->text && !c->unit[p]) c->unit[p] = strdup(node->text);
    }
    tl_mistakes_free(&mistakes);
    tl_arena_destroy(arena);
    return done;
}

/* The last value, and mean, least and largest of all rows. */
static void measure_probe(const tl_comparison *c, int run, int probe)
{
    const tl_series *s = &c->series[run];
    const int column = tl_series_find(s, c->probe[probe]);
    tl_cell *cell = at(c, run, c->sweep->factors + 2 + SUMMARIES + WHATS * probe);
    if (column < 0 || s->rows == 0) return;
    const double *value = s->value[column];
    double sum = 0, low = value[0], high = value[0];
    for (int i = 0; i < s->rows; i++) sum += value[i], low = fmin(low, value[i]), high = fmax(high, value[i]);
    cell[0].value = value[s->rows - 1], cell[1].value = sum / s->rows, cell[2].value = low, cell[3].value = high;
}

static bool fill_row(tl_comparison *c, int run)
{
    const tl_sweep *s = c->sweep;
    for (int k = 0; k < s->factors; k++) at(c, run, k)->text = s->factor[k].value[s->run[run].choice[k]];
    at(c, run, s->factors)->value = s->run[run].code;
    for (int p = 0; p < c->probes; p++) measure_probe(c, run, p);
    return read_summary(c, run);
}

talus_status tl_compare(tl_comparison *c, const tl_sweep *s, tl_error *error)
{
    char path[4096];
    *c = (tl_comparison){.sweep = s, .series = calloc((size_t)s->runs + 1, sizeof *c->series)};
    bool done = c->series != NULL;
    for (int i = 0; done && i < s->runs; i++) {
        tl_error why = {0}; /* a run that left no series, or half a line of it, shows in its status */
        snprintf(path, sizeof path, "%s/series.csv", s->run[i].directory);
        if (tl_series_read(&c->series[i], path, &why) == TALUS_MEMORY) done = false;
    }
    done = done && find_probes(c) && name_columns(c);
    for (int i = 0; done && i < s->runs; i++) done = fill_row(c, i);
    return done ? TALUS_OK : tl_fail(error, TALUS_MEMORY, "memory ran out");
}

void tl_comparison_free(tl_comparison *c)
{
    for (int i = 0; c->series && i < c->sweep->runs; i++) tl_series_free(&c->series[i]);
    for (int i = 0; i < c->probes; i++) {
        free(c->probe[i]);
        if (c->unit) free(c->unit[i]);
    }
    for (int i = 0; i < c->columns; i++) free(c->column[i]);
    for (int i = 0; i < c->texts; i++) free(c->kept[i]);
    free(c->series), free((void *)c->probe), free((void *)c->unit), free((void *)c->column), free((void *)c->kept), free(c->cell);
}

int tl_comparison_column(const tl_comparison *c, const char *probe, const char *what)
{
    const size_t n = strlen(probe);
    for (int k = c->sweep->factors + 2; k < c->columns; k++)
        if (strncmp(c->column[k], probe, n) == 0 && c->column[k][n] == '.' && strcmp(c->column[k] + n + 1, what) == 0) return k;
    return -1;
}

/* ---- the table ---------------------------------------------------------------------------------------------------- */

/* A word of CSV: in quotes where it must be (RFC 4180). */
static void write_word(FILE *out, const char *text)
{
    if (!strpbrk(text, ",\"\n\r")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"') fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

void tl_comparison_csv(const tl_comparison *c, FILE *out)
{
    for (int k = 0; k < c->columns; k++) {
        if (k) fputc(',', out);
        write_word(out, c->column[k]);
    }
    fputc('\n', out);
    for (int i = 0; i < c->sweep->runs; i++) {
        for (int k = 0; k < c->columns; k++) {
            const tl_cell *cell = at(c, i, k);
            if (k) fputc(',', out);
            if (cell->text) write_word(out, cell->text);
            else if (!isnan(cell->value)) fprintf(out, "%.17g", cell->value);
        }
        fputc('\n', out);
    }
}

static const char *short_text(const tl_cell *cell, char number[32])
{
    if (cell->text) return cell->text;
    snprintf(number, 32, "%.5g", cell->value);
    return isnan(cell->value) ? "-" : number;
}

static int column_width(const tl_comparison *c, int column)
{
    char number[32];
    size_t wide = strlen(c->column[column]);
    for (int i = 0; i < c->sweep->runs; i++) {
        const size_t n = strlen(short_text(at(c, i, column), number));
        wide = n > wide ? n : wide;
    }
    return (int)wide;
}

/* The columns that say which run it is, then first … end − 1. */
static void write_block(const tl_comparison *c, int first, int end, FILE *out)
{
    char number[32];
    for (int i = -1; i < c->sweep->runs; i++) {
        for (int k = 0; k < end; k++) {
            if (k >= c->sweep->factors && k < first) continue;
            fprintf(out, "%s%*s", k ? "  " : "", column_width(c, k), i < 0 ? c->column[k] : short_text(at(c, i, k), number));
        }
        fputc('\n', out);
    }
}

void tl_comparison_table(const tl_comparison *c, FILE *out, int width)
{
    int left = 0;
    for (int k = 0; k < c->sweep->factors; k++) left += column_width(c, k) + 2;
    for (int first = c->sweep->factors, end; first < c->columns; first = end) {
        int used = left - 2;
        for (end = first; end < c->columns && (end == first || used + 2 + column_width(c, end) <= width); end++) used += 2 + column_width(c, end);
        if (first > c->sweep->factors) fputc('\n', out);
        write_block(c, first, end, out);
    }
}
