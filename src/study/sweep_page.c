/* sweep.html: the table and its plots on one page that needs nothing else. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/sweep.h"

enum { NAMED_CURVES = 12 }; /* a longer legend hides the curves */

static const char HEAD[] = "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'><meta name='viewport' content='width=device-width,initial-scale=1'>\n"
                           "<style>:root{color-scheme:light dark;--paper:#fff;--ink:#222;--grid:#e4e4e4;--bad:#b3261e}\n"
                           "@media(prefers-color-scheme:dark){:root{--paper:#16181c;--ink:#d8dade;--grid:#33373e;--bad:#ff8a80}}\n"
                           "body{margin:0 auto;max-width:1500px;padding:1rem;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif}\n"
                           "h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}.table{overflow-x:auto;border:1px solid var(--grid)}\n"
                           "table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:13px;white-space:nowrap}\n"
                           "th,td{padding:.3rem .7rem;text-align:right;border-bottom:1px solid var(--grid)}th{font-weight:600}\n"
                           "tr.bad td{color:var(--bad)}.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,560px),1fr));gap:1rem}\n"
                           ".plots svg{width:100%;height:auto;border:1px solid var(--grid)}</style>\n";

static const tl_cell *at(const tl_comparison *c, int run, int column) { return &c->cell[run * c->columns + column]; }

static void write_table(const tl_comparison *c, FILE *out)
{
    fputs("<div class='table'><table><thead><tr>", out);
    for (int k = 0; k < c->columns; k++) {
        fputs("<th>", out);
        tl_html_text(out, c->column[k]);
        fputs("</th>", out);
    }
    fputs("</tr></thead><tbody>\n", out);
    for (int i = 0; i < c->sweep->runs; i++) {
        fputs(c->sweep->run[i].code ? "<tr class='bad'>" : "<tr>", out);
        for (int k = 0; k < c->columns; k++) {
            const tl_cell *cell = at(c, i, k);
            fputs("<td>", out);
            if (cell->text) tl_html_text(out, cell->text);
            else if (!isnan(cell->value)) fprintf(out, "%.5g", cell->value);
            fputs("</td>", out);
        }
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}

static char *with_unit(const char *name, const char *unit)
{
    char *text = NULL;
    if (asprintf(&text, unit && *unit && strcmp(unit, "1") != 0 ? "%s [%s]" : "%s", name, unit) < 0) return NULL;
    return text;
}

/* A probe over time, a curve a run. */
static void plot_over_time(const tl_comparison *c, int probe, FILE *out)
{
    const int runs = c->sweep->runs;
    tl_curve *curve = calloc((size_t)runs + 1, sizeof *curve);
    char *label = with_unit(c->probe[probe], c->unit[probe]);
    int curves = 0;
    for (int i = 0; curve && i < runs; i++) {
        const tl_series *s = &c->series[i];
        const int column = tl_series_find(s, c->probe[probe]);
        if (column < 0) continue;
        curve[curves++] = (tl_curve){runs <= NAMED_CURVES ? c->sweep->run[i].title : NULL, s->value[0], s->value[column], s->rows, CURVE_LINE};
    }
    if (curve && label) tl_plot_write(out, &(tl_plot){.title = c->probe[probe], .x_label = "time [s]", .y_label = label, .curve = curve, .curves = curves});
    free(curve);
    free(label);
}

typedef struct sample {
    double x, y[3];
} sample;

static int by_x(const void *a, const void *b)
{
    const double d = ((const sample *)a)->x - ((const sample *)b)->x;
    return (d > 0) - (d < 0);
}

/* Final value, mean and largest of a probe against what is varied. Lines where nothing else is varied; else points, for they are of several lines;
 * and where a run has none, for what stands alone between gaps is no line. */
static void plot_against(const tl_comparison *c, int probe, int factor, FILE *out)
{
    static const char *const WHAT[3] = {"final", "mean", "max"};
    const tl_sweep *s = c->sweep;
    const tl_factor *f = &s->factor[factor];
    sample *row = calloc((size_t)s->runs + 1, sizeof *row);
    double *column = calloc(4 * (size_t)s->runs + 1, sizeof *column);
    char *y_label = with_unit(c->probe[probe], c->unit[probe]), *x_label = with_unit(f->path, f->unit), *title = NULL;
    if (row && column && y_label && x_label && asprintf(&title, "%s against %s", c->probe[probe], f->label) > 0) {
        tl_curve curve[6];
        int curves = 0;
        bool points = s->factors > 1;
        for (int i = 0; i < s->runs; i++) {
            row[i].x = f->number[s->run[i].choice[factor]];
            for (int k = 0; k < 3; k++) row[i].y[k] = at(c, i, tl_comparison_column(c, c->probe[probe], WHAT[k]))->value;
            points = points || isnan(row[i].y[0]);
        }
        qsort(row, (size_t)s->runs, sizeof *row, by_x);
        for (int i = 0; i < s->runs; i++) {
            column[i] = row[i].x;
            for (int k = 0; k < 3; k++) column[(k + 1) * s->runs + i] = row[i].y[k];
        }
        for (int k = 0; k < 3; k++) curve[curves++] = (tl_curve){WHAT[k], column, column + (k + 1) * s->runs, s->runs, points ? CURVE_POINTS : CURVE_LINE};
        tl_plot_write(out, &(tl_plot){.title = title, .x_label = x_label, .y_label = y_label, .curve = curve, .curves = curves});
    }
    free(row), free(column), free(y_label), free(x_label), free(title);
}

void tl_comparison_page(const tl_comparison *c, FILE *out)
{
    const tl_sweep *s = c->sweep;
    fputs(HEAD, out);
    fputs("<title>", out);
    tl_html_text(out, s->def->scene);
    fputs(": sweep</title></head>\n<body><h1>", out);
    tl_html_text(out, s->def->scene);
    fprintf(out, "</h1>\n<p>%d run%s", s->runs, s->runs == 1 ? "" : "s");
    for (int k = 0; k < s->factors; k++) {
        fputs(k ? "; " : ": ", out);
        tl_html_text(out, s->factor[k].path);
        for (int i = 0; i < s->factor[k].values; i++) {
            fputs(i ? ", " : " = ", out);
            tl_html_text(out, s->factor[k].value[i]);
        }
    }
    fputs(". Mean, min and max of a probe are over the rows of its series.</p>\n", out);
    write_table(c, out);
    for (int k = 0; k < s->factors && c->probes > 0; k++) {
        if (!s->factor[k].numeric || s->factor[k].values < 2) continue;
        fputs("<h2>Against ", out);
        tl_html_text(out, s->factor[k].path);
        fputs("</h2>\n<div class='plots'>\n", out);
        for (int p = 0; p < c->probes; p++) plot_against(c, p, k, out);
        fputs("</div>\n", out);
    }
    if (c->probes > 0) {
        fputs("<h2>Over time</h2>\n<div class='plots'>\n", out);
        for (int p = 0; p < c->probes; p++) plot_over_time(c, p, out);
        fputs("</div>\n", out);
    }
    fputs("</body></html>\n", out);
}
