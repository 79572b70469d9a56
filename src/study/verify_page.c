/* A case as a piece of a page: its table, and its figures drawn again from what the runs left. */
#include <stdlib.h>
#include <string.h>

#include "study/verify.h"

enum { MOST_CURVES = 32 };

static const char *text_of(const tl_node *map, const char *key)
{
    const tl_node *node = tl_node_get(map, key);
    return node ? node->text : NULL;
}

static bool flag(const tl_node *map, const char *key)
{
    const char *text = text_of(map, key);
    return text && strcmp(text, "true") == 0;
}

/* ---- what the figures say ----------------------------------------------------------------------------------------- */

static int run_of(const tl_case *c, const tl_node *curve)
{
    const char *name = text_of(curve, "run");
    for (int r = 0; name && r < c->runs; r++)
        if (strcmp(c->from[r].name, name) == 0) return r;
    return -1;
}

/* The expressions of a curve of a run; y only where it compiles. */
static bool compile_curve(tl_case *c, const tl_node *curve, const tl_expression *e[2], tl_dimension dimension[2])
{
    static const tl_node TIME = {.kind = NODE_SCALAR, .file = "", .text = "time"};
    const tl_node *x = tl_node_get(curve, "x"), *y = tl_node_get(curve, "y");
    const int run = run_of(c, curve);
    if (run < 0 || !y) {
        tl_mistake(&c->mistakes, TALUS_INPUT, curve, "a curve wants a 'run' and 'y', or 'points'");
        return false;
    }
    e[0] = tl_case_compile(c, x ? x : &TIME, run, c->values, &dimension[0]);
    e[1] = tl_case_compile(c, y, run, c->values, &dimension[1]);
    return e[0] && e[1];
}

static bool compile_point(tl_case *c, const tl_node *point, const tl_expression *e[2], tl_dimension dimension[2])
{
    if (point->kind != NODE_LIST || point->count != 2 || point->item[0]->kind != NODE_SCALAR || point->item[1]->kind != NODE_SCALAR) {
        tl_mistake(&c->mistakes, TALUS_INPUT, point, "a point is [x, y]");
        return false;
    }
    for (int i = 0; i < 2; i++) e[i] = tl_case_compile(c, point->item[i], -1, c->values, &dimension[i]);
    return e[0] && e[1];
}

void tl_case_check_figures(tl_case *c)
{
    const tl_node *figures = tl_node_get(c->reading.root, "figures");
    const tl_expression *e[2];
    tl_dimension dimension[2];
    for (int f = 0; figures && f < figures->count; f++) {
        const tl_node *curves = tl_node_get(figures->item[f], "curves");
        if (curves->count < 1 || curves->count > MOST_CURVES) tl_mistake_key(&c->mistakes, TALUS_INPUT, curves, "a figure has 1 to %d curves", MOST_CURVES);
        for (int i = 0; i < curves->count; i++) {
            const tl_node *points = tl_node_get(curves->item[i], "points");
            if (!points) (void)compile_curve(c, curves->item[i], e, dimension);
            else if (points->kind != NODE_LIST) tl_mistake_key(&c->mistakes, TALUS_INPUT, points, "'points' wants a list: [[x, y], …]");
            for (int p = 0; points && points->kind == NODE_LIST && p < points->count; p++) (void)compile_point(c, points->item[p], e, dimension);
        }
    }
}

/* ---- drawing ------------------------------------------------------------------------------------------------------ */

static tl_curve_style style_of(const tl_node *curve, tl_curve_style fallback)
{
    const char *style = text_of(curve, "style");
    if (!style) return fallback;
    return strcmp(style, "points") == 0 ? CURVE_POINTS : strcmp(style, "dashed") == 0 ? CURVE_DASHED : CURVE_LINE;
}

/* The numbers of a curve: what is not known is left out. */
static void fill_points(tl_case *c, const tl_node *points, tl_curve *out, double *x, double *y, tl_dimension dimension[2])
{
    const tl_expression *e[2];
    const char *why;
    for (int p = 0; p < points->count; p++) {
        if (!compile_point(c, points->item[p], e, dimension) || tl_case_can(c, -1, e[0], &why) != KNOWN || tl_case_can(c, -1, e[1], &why) != KNOWN) continue;
        x[out->count] = tl_case_number(e[0]);
        y[out->count++] = tl_case_number(e[1]);
    }
}

static void fill_curve(tl_case *c, const tl_node *node, tl_curve *out, double **x, double **y, tl_dimension dimension[2])
{
    const tl_node *points = tl_node_get(node, "points");
    const tl_expression *e[2];
    const char *why;
    *out = (tl_curve){.name = text_of(node, "name"), .style = style_of(node, points ? CURVE_POINTS : CURVE_LINE)};
    *x = *y = NULL;
    if (points) {
        *x = calloc((size_t)points->count + 1, sizeof **x);
        *y = calloc((size_t)points->count + 1, sizeof **y);
        if (*x && *y) fill_points(c, points, out, *x, *y, dimension);
    } else if (compile_curve(c, node, e, dimension)) {
        const int run = run_of(c, node);
        if (tl_case_can(c, run, e[0], &why) == KNOWN && tl_case_can(c, run, e[1], &why) == KNOWN) {
            *x = tl_case_rows(c, run, e[0]);
            *y = tl_case_rows(c, run, e[1]);
            out->count = *x && *y ? c->from[run].series.rows : 0;
        }
    }
    out->x = *x, out->y = *y;
}

/* "time [s]": the label given, or what the axis shows, with its unit. */
static const char *axis_label(tl_case *c, const tl_node *figure, const char *key, const char *fallback, tl_dimension dimension)
{
    char unit[64];
    const char *label = text_of(figure, key);
    tl_unit_of(dimension, unit);
    if (!label) label = fallback ? fallback : "";
    return *unit ? tl_case_text(c, "%s [%s]", label, unit) : label;
}

static void draw_figure(tl_case *c, const tl_node *figure, FILE *out)
{
    const tl_node *curves = tl_node_get(figure, "curves");
    tl_curve curve[MOST_CURVES];
    double *x[MOST_CURVES], *y[MOST_CURVES];
    tl_dimension dimension[2] = {{0}}, other[2] = {{0}};
    int known = 0;
    for (int i = 0; i < curves->count; i++) {
        fill_curve(c, curves->item[i], &curve[i], &x[i], &y[i], i ? other : dimension);
        known += curve[i].count > 0;
    }
    const tl_node *first = curves->item[0];
    const char *x_text = text_of(first, "x");
    const tl_plot plot = {.title = text_of(figure, "title"),
                          .x_label = axis_label(c, figure, "x_label",
                                                x_text                         ? x_text
                                                : tl_node_get(first, "points") ? ""
                                                                               : "time",
                                                dimension[0]),
                          .y_label = axis_label(c, figure, "y_label", text_of(first, "y"), dimension[1]),
                          .log_x = flag(figure, "log_x"),
                          .log_y = flag(figure, "log_y"),
                          .curve = curve,
                          .curves = curves->count};
    if (known) {
        fputs("<figure>", out);
        tl_plot_write(out, &plot);
        fputs("</figure>\n", out);
    }
    for (int i = 0; i < curves->count; i++) free(x[i]), free(y[i]);
}

/* ---- the table ---------------------------------------------------------------------------------------------------- */

static void cell(FILE *out, const char *class, const char *name, const char *text)
{
    fprintf(out, "<td class='%s' data-name='%s'>", class, name);
    tl_html_text(out, text);
    fputs("</td>", out);
}

void tl_case_page(tl_case *c, FILE *out)
{
    static const char *const CLASS[VERDICTS] = {"holds", "deviates", "fails", "left_out"};
    static const char *const VERDICT[VERDICTS] = {"holds", "known deviation", "fails", "left out"};
    const tl_node *figures = tl_node_get(c->reading.root, "figures");
    fputs("<h2>", out);
    tl_html_text(out, c->title);
    fputs("</h2>\n<p class='source'>", out);
    tl_html_text(out, c->source);
    fputs("</p>\n<table><thead><tr><th>quantity</th><th>expected</th><th>obtained</th><th>tolerance</th><th>because</th><th>verdict</th></tr></thead><tbody>\n",
          out);
    for (int k = 0; k < c->checks; k++) {
        const tl_case_check *check = &c->check[k];
        fputs("<tr>", out);
        cell(out, "quantity", "", check->quantity);
        cell(out, "number", "expected", check->text[0]);
        cell(out, "number", "obtained", check->text[1]);
        cell(out, "number", "tolerance", check->text[2]);
        cell(out, "because", "because", check->verdict == DEVIATES ? check->deviation : check->because);
        cell(out, CLASS[check->verdict], "verdict", VERDICT[check->verdict]);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table>\n", out);
    for (int f = 0; figures && f < figures->count; f++) draw_figure(c, figures->item[f], out);
}
