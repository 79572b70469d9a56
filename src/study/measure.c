/* What the runs of a case left, what is taken from it, and whether it is what was expected. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "study/verify.h"

/* ---- rows --------------------------------------------------------------------------------------------------------- */

void tl_case_load(tl_case *c, const char *output)
{
    tl_error error = {0};
    for (int r = 0; r < c->runs; r++) {
        tl_source *s = &c->from[r];
        s->known = c->run[r].code < 0 ? SKIPPED : BROKEN;
        if (c->run[r].code > 0) s->trouble = tl_case_text(c, "the run '%s' failed", s->name);
        if (c->run[r].code != 0) continue;
        if (tl_series_read(&s->series, tl_case_text(c, "%s/%s/%s/series.csv", output, c->name, s->name), &error) != TALUS_OK)
            s->trouble = tl_case_text(c, "%s", error.text);
        else if (s->series.columns != s->columns) s->trouble = "series.csv has other columns than the scene";
        else s->known = KNOWN;
    }
}

/* Linear between rows; nothing outside of them, but for rounding of the ends. */
static void interpolate(tl_source *s, double t)
{
    const double *time = s->series.value[s->time], slack = 1e-9 * (1 + fabs(t));
    const int last = s->series.rows - 1;
    if (last < 1 || t < time[0] - slack || t > time[last] + slack) {
        for (int k = 0; k < s->columns; k++) s->slot[k] = (double)NAN;
        return;
    }
    if (t < time[s->row]) s->row = 0;
    while (s->row < last - 1 && time[s->row + 1] < t) s->row++;
    const double part = fmax(0, fmin(1, (t - time[s->row]) / (time[s->row + 1] - time[s->row])));
    for (int k = 0; k < s->columns; k++) s->slot[k] = (1 - part) * s->series.value[k][s->row] + part * s->series.value[k][s->row + 1];
}

/* Puts a row of a run, and all that goes with its time, where the expressions read it. */
static void go_to_row(tl_case *c, int run, int row)
{
    tl_source *own = &c->from[run];
    const double t = own->series.value[own->time][row];
    double out[3];
    for (int k = 0; k < own->columns; k++) own->slot[k] = own->series.value[k][row];
    for (int s = 0; s < c->sources; s++)
        if (s != run && c->from[s].wanted && c->from[s].known == KNOWN) interpolate(&c->from[s], t);
    for (int i = 0; i < c->functions; i++) {
        tl_expression_value(c->function[i], t, out);
        c->function_slot[i] = out[0];
    }
}

double tl_case_number(const tl_expression *e)
{
    double out[3];
    tl_expression_value(e, 0, out);
    return out[0];
}

static double in_row(const tl_case *c, int run, int row, const tl_expression *e)
{
    double out[3];
    tl_expression_value(e, c->from[run].series.value[c->from[run].time][row], out);
    return out[0];
}

double *tl_case_rows(tl_case *c, int run, const tl_expression *e)
{
    const int rows = c->from[run].series.rows;
    double *x = malloc(((size_t)rows + 1) * sizeof *x);
    for (int i = 0; x && i < rows; i++) {
        go_to_row(c, run, i);
        x[i] = in_row(c, run, i, e);
    }
    return x;
}

/* ---- what is known ------------------------------------------------------------------------------------------------ */

static void worsen(tl_known *known, const char **trouble, tl_known other, const char *why)
{
    if (other == KNOWN || *known == BROKEN) return;
    *known = other;
    *trouble = why;
}

tl_known tl_case_can(const tl_case *c, int run, const tl_expression *e, const char **trouble)
{
    tl_known known = KNOWN;
    *trouble = NULL;
    if (run >= 0) worsen(&known, trouble, c->from[run].known, c->from[run].trouble);
    for (int s = 0; s < c->sources; s++)
        if (s != run && tl_expression_reads(e, c->from[s].slot, c->from[s].columns)) worsen(&known, trouble, c->from[s].known, c->from[s].trouble);
    for (int v = 0; v < c->values; v++)
        if (tl_expression_reads(e, &c->value_slot[v], 1)) worsen(&known, trouble, c->value[v].known, c->value[v].trouble);
    return known;
}

/* ---- values ------------------------------------------------------------------------------------------------------- */

/* One number of those in the rows of a window of time. A row that is not a number spoils every take. */
static double take(tl_case *c, const tl_measure *m, int *rows)
{
    const tl_source *s = &c->from[m->run];
    double result = (double)NAN, sum = 0;
    *rows = 0;
    for (int i = 0; i < s->series.rows; i++) {
        const double t = s->series.value[s->time][i], slack = 1e-9 * (1 + fabs(t));
        if (t < m->from - slack || t > m->to + slack) continue;
        go_to_row(c, m->run, i);
        const double x = in_row(c, m->run, i, m->of);
        const bool first = (*rows)++ == 0;
        sum += x;
        if (m->take == TAKE_LAST || first) result = m->take == TAKE_LARGEST ? fabs(x) : x;
        else if (isnan(x) && m->take != TAKE_FIRST) result = x;
        else if (m->take == TAKE_MIN) result = x < result ? x : result;
        else if (m->take == TAKE_MAX) result = x > result ? x : result;
        else if (m->take == TAKE_LARGEST) result = fabs(x) > result ? fabs(x) : result;
    }
    return m->take == TAKE_MEAN ? sum / *rows : result;
}

static double measure(tl_case *c, tl_measure *m)
{
    int rows = 1;
    m->known = tl_case_can(c, m->run, m->of, &m->trouble);
    if (m->known != KNOWN) return (double)NAN;
    const double x = m->run < 0 ? tl_case_number(m->of) : take(c, m, &rows);
    if (rows == 0) m->known = BROKEN, m->trouble = "the run has no row in this time";
    else if (isnan(x)) m->known = BROKEN, m->trouble = "not a number";
    return x;
}

/* ---- checks ------------------------------------------------------------------------------------------------------- */

/* Enough digits to see the tolerance. */
static const char *number_text(tl_case *c, double x, double tolerance, const char *unit)
{
    const double ratio = tolerance > 0 && x != 0 ? fabs(x) / tolerance : 1e3;
    const int digits = (int)fmin(15, fmax(4, ceil(log10(ratio)) + 2));
    return tl_case_text(c, "%.*g%s%s", digits, x, *unit ? " " : "", unit);
}

/* The bounds, with what their own values lack. */
static tl_known bounds(tl_case *c, tl_case_check *k, double value[4])
{
    const tl_expression *const all[4] = {k->expected, k->tolerance, k->below, k->above};
    for (int i = 0; i < 4; i++) {
        const char *why;
        value[i] = all[i] ? tl_case_number(all[i]) : 0;
        const tl_known known = all[i] ? tl_case_can(c, -1, all[i], &why) : KNOWN;
        if (known != KNOWN && k->measure.known != BROKEN) k->measure.known = known, k->measure.trouble = why;
    }
    return k->measure.known;
}

static void judge(tl_case *c, tl_case_check *k)
{
    double value[4];
    k->obtained = measure(c, &k->measure);
    const tl_known known = bounds(c, k, value);
    const double x = k->obtained;
    const bool within = (!k->below || x < value[2]) && (!k->above || x > value[3]);
    k->text[0] = k->text[1] = k->text[2] = "";
    if (k->expected) {
        k->verdict = fabs(x - value[0]) <= value[1] ? HOLDS : k->deviation && within ? DEVIATES : FAILS;
        k->text[0] = number_text(c, value[0], value[1], k->unit);
        k->text[2] = tl_case_text(c, "± %.3g%s%s", value[1], *k->unit ? " " : "", k->unit);
    } else {
        k->verdict = within ? HOLDS : FAILS;
        const char *high = k->below ? tl_case_text(c, "< %s", number_text(c, value[2], 0, k->unit)) : "";
        k->text[0] = k->above ? tl_case_text(c, "> %s%s%s", number_text(c, value[3], 0, k->unit), *high ? ", " : "", high) : high;
    }
    k->text[1] = number_text(c, x, k->expected ? value[1] : 0, k->unit);
    if (known == KNOWN) return;
    k->verdict = known == SKIPPED ? LEFT_OUT : FAILS;
    k->text[1] = known == SKIPPED ? "a long run" : k->measure.trouble ? k->measure.trouble : "not known";
    if (known == SKIPPED) k->text[0] = k->text[2] = "";
}

void tl_case_judge(tl_case *c)
{
    for (int v = 0; v < c->values; v++) c->value_slot[v] = measure(c, &c->value[v]);
    for (int k = 0; k < c->checks; k++) judge(c, &c->check[k]);
}
