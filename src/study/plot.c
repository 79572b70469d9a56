/* Figures: curves in a frame with round ticks, as SVG. Colours are CSS variables with values for white paper, so that a page may change them. */
#include <math.h>
#include <string.h>

#include "study/study.h"

enum { WIDTH = 720, HEIGHT = 400, LEFT = 76, RIGHT = 16, TOP = 40, BOTTOM = 52, COLOURS = 8 }; /* of the figure without its legend */
static const char *const COLOUR[COLOURS] = {"#1f6fb2", "#d1602b", "#2e8b57", "#8b4fb3", "#b8860b", "#c2376b", "#4b7f8c", "#6b6b6b"};

/* One axis: data from low to high onto pixels from `first` to `last`. */
typedef struct axis {
    double low, high, first, last, step;
    bool log;
} axis;

static double on_axis(const axis *a, double x) { return a->first + (a->last - a->first) * ((a->log ? log10(x) : x) - a->low) / (a->high - a->low); }
static bool shows(const axis *a, double x) { return isfinite(x) && (!a->log || x > 0); }

static void widen(axis *a, const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        if (!shows(a, x[i])) continue;
        const double value = a->log ? log10(x[i]) : x[i];
        a->low = fmin(a->low, value);
        a->high = fmax(a->high, value);
    }
}

/* A round step that gives four to eight ticks; `margin` of the range is left free at both ends. */
static void settle(axis *a, double margin)
{
    if (!(a->low <= a->high)) a->low = 0, a->high = 1;
    const double size = fmax(fabs(a->low), fabs(a->high)), range = a->high - a->low;
    if (range < 1e-9 * size || range == 0) {
        const double room = a->log ? 0.5 : size > 0 ? 0.1 * size : 1;
        a->low -= room, a->high += room;
    } else a->low -= margin * range, a->high += margin * range;
    const double raw = (a->high - a->low) / 6, power = pow(10, floor(log10(raw)));
    a->step = power * (raw / power >= 5 ? 10 : raw / power >= 2 ? 5 : raw / power >= 1 ? 2 : 1);
    if (a->log) a->step = fmax(1, ceil((a->high - a->low) / 7));
}

static void label(FILE *out, const axis *a, double at)
{
    if (a->log) fprintf(out, "1e%.0f", at);
    else fprintf(out, "%.6g", fabs(at) < 1e-9 * a->step ? 0 : at);
}

static void draw_axes(FILE *out, const tl_plot *p, const axis *x, const axis *y)
{
    const long x0 = (long)ceil(x->low / x->step), y0 = (long)ceil(y->low / y->step);
    for (long k = x0; (double)k * x->step <= x->high + 1e-9 * x->step; k++) {
        const double at = (double)k * x->step;
        const double px = x->first + (x->last - x->first) * (at - x->low) / (x->high - x->low);
        fprintf(out, "<path class='grid' d='M%.1f %dV%d'/><text x='%.1f' y='%d' text-anchor='middle'>", px, TOP, HEIGHT - BOTTOM, px, HEIGHT - BOTTOM + 18);
        label(out, x, at);
        fputs("</text>\n", out);
    }
    for (long k = y0; (double)k * y->step <= y->high + 1e-9 * y->step; k++) {
        const double at = (double)k * y->step;
        const double py = y->first + (y->last - y->first) * (at - y->low) / (y->high - y->low);
        fprintf(out, "<path class='grid' d='M%d %.1fH%d'/><text x='%d' y='%.1f' text-anchor='end'>", LEFT, py, WIDTH - RIGHT, LEFT - 8, py + 4);
        label(out, y, at);
        fputs("</text>\n", out);
    }
    fprintf(out, "<path class='frame' d='M%d %dV%dH%d'/>\n<text class='title' x='%d' y='22'>", LEFT, TOP, HEIGHT - BOTTOM, WIDTH - RIGHT, LEFT);
    tl_html_text(out, p->title ? p->title : "");
    fprintf(out, "</text>\n<text x='%d' y='%d' text-anchor='middle'>", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12);
    tl_html_text(out, p->x_label ? p->x_label : "");
    fprintf(out, "</text>\n<text transform='translate(18 %d) rotate(-90)' text-anchor='middle'>", (TOP + HEIGHT - BOTTOM) / 2);
    tl_html_text(out, p->y_label ? p->y_label : "");
    fputs("</text>\n", out);
}

/* A long line is thinned to the least and the largest of every half pixel: nothing that could be seen is lost. */
static void draw_line(FILE *out, const tl_curve *c, const axis *x, const axis *y)
{
    bool down = false;
    double column = -1e300, low = 0, high = 0, last = 0;
    for (int i = 0; i <= c->count; i++) {
        const bool here = i < c->count && shows(x, c->x[i]) && shows(y, c->y[i]);
        const double px = here ? on_axis(x, c->x[i]) : 0, py = here ? on_axis(y, c->y[i]) : 0;
        if (down && here && fabs(px - column) < 0.5) {
            low = fmin(low, py), high = fmax(high, py), last = py;
            continue;
        }
        if (down && high > low) fprintf(out, "L%.1f %.1fL%.1f %.1fL%.1f %.1f", column, low, column, high, column, last);
        if (here) {
            fprintf(out, "%c%.1f %.1f", down ? 'L' : 'M', px, py);
            column = px, low = high = last = py;
        }
        down = here;
    }
}

static void draw_curve(FILE *out, const tl_curve *c, int index, const axis *x, const axis *y)
{
    const char *colour = COLOUR[index % COLOURS];
    if (c->style == CURVE_POINTS) {
        fprintf(out, "<g fill='%s'>", colour);
        for (int i = 0; i < c->count; i++)
            if (shows(x, c->x[i]) && shows(y, c->y[i])) fprintf(out, "<circle cx='%.1f' cy='%.1f' r='3'/>", on_axis(x, c->x[i]), on_axis(y, c->y[i]));
        fputs("</g>\n", out);
        return;
    }
    fprintf(out, "<path class='curve' stroke='%s'%s d='", colour, c->style == CURVE_DASHED ? " stroke-dasharray='6 4'" : "");
    draw_line(out, c, x, y);
    fputs("'/>\n", out);
}

/* A column to the right of the frame, where no curve can lie below it: its width from the longest name, which is not measured but reckoned. */
static int legend_width(const tl_plot *p)
{
    int longest = 0;
    for (int i = 0; i < p->curves; i++) {
        int letters = 0;
        for (const char *c = p->curve[i].name; c && *c; c++) letters += ((unsigned char)*c & 0xC0) != 0x80;
        longest = letters > longest ? letters : longest;
    }
    return longest > 0 ? 40 + 15 * longest / 2 : 0;
}

static void draw_legend(FILE *out, const tl_plot *p)
{
    int row = 0;
    for (int i = 0; i < p->curves; i++) {
        if (!p->curve[i].name) continue;
        const char *colour = COLOUR[i % COLOURS];
        const int y = TOP + 14 + 17 * row++, x = WIDTH;
        if (p->curve[i].style == CURVE_POINTS) fprintf(out, "<circle cx='%d' cy='%d' r='3' fill='%s'/>", x + 12, y - 4, colour);
        else
            fprintf(out, "<path class='curve' stroke='%s'%s d='M%d %dh24'/>", colour, p->curve[i].style == CURVE_DASHED ? " stroke-dasharray='6 4'" : "", x,
                    y - 4);
        fprintf(out, "<text class='legend' x='%d' y='%d'>", x + 32, y);
        tl_html_text(out, p->curve[i].name);
        fputs("</text>\n", out);
    }
}

void tl_plot_write(FILE *out, const tl_plot *p)
{
    axis x = {(double)INFINITY, -(double)INFINITY, LEFT, WIDTH - RIGHT, 1, p->log_x},
         y = {(double)INFINITY, -(double)INFINITY, HEIGHT - BOTTOM, TOP, 1, p->log_y};
    for (int i = 0; i < p->curves; i++) {
        widen(&x, p->curve[i].x, p->curve[i].count);
        widen(&y, p->curve[i].y, p->curve[i].count);
    }
    settle(&x, p->log_x ? 0.05 : 0);
    settle(&y, 0.05);
    int names = 0;
    for (int i = 0; i < p->curves; i++) names += p->curve[i].name != NULL;
    const int width = WIDTH + legend_width(p), height = TOP + 17 * names + RIGHT > HEIGHT ? TOP + 17 * names + RIGHT : HEIGHT;
    fprintf(out, "<svg class='plot' xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' width='%d' height='%d' role='img'>\n", width, height, width, height);
    fputs(
        "<style>.plot{background:var(--paper,#fff);font:13px system-ui,sans-serif}.plot text{fill:var(--ink,#333)}.plot .title{font-weight:600;font-size:15px}"
        ".plot .grid{stroke:var(--grid,#e4e4e4)}.plot .frame{fill:none;stroke:var(--ink,#333)}.plot "
        ".curve{fill:none;stroke-width:1.6;stroke-linejoin:round}</style>\n",
        out);
    draw_axes(out, p, &x, &y);
    for (int i = 0; i < p->curves; i++) draw_curve(out, &p->curve[i], i, &x, &y);
    draw_legend(out, p);
    fputs("</svg>\n", out);
}

void tl_html_text(FILE *out, const char *text)
{
    for (const char *c = text; *c; c++) {
        switch (*c) {
        case '&': fputs("&amp;", out); break;
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '"': fputs("&quot;", out); break;
        case '\'': fputs("&#39;", out); break;
        default: fputc(*c, out);
        }
    }
}
