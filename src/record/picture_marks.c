/* What is drawn over the bodies (forces, axes) and written below them: time, scale, what lines and colours mean. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "record/picture.h"

double tl_round_length(double x)
{
    const double ten = pow(10, floor(log10(x)));
    return ten * (x / ten >= 5 ? 5 : x / ten >= 2 ? 2 : 1);
}

/* ---- the force network -------------------------------------------------------------------------------------------- */

enum { WIDEST = 7 }; /* line of the strongest contact, in units */

double tl_picture_force_width(const tl_picture *p, double share) { return p->unit * (0.4 + (WIDEST - 0.4) * fmin(share, 1)); }

/* Normal forces run from centre to centre through the contact; on boundaries and links they end at it. */
double tl_picture_force(const tl_picture *p, int contact, double line[3][3])
{
    const tl_replay_frame *f = p->frame;
    const double share = f->force[contact][0] / p->strongest;
    if (!(share > 0.02) || (p->showing[f->body[contact][0]] == TL_HIDDEN && p->showing[f->body[contact][1]] == TL_HIDDEN)) return 0;
    for (int side = 0; side < 2; side++) {
        const int body = f->body[contact][side];
        memcpy(line[2 * side], tl_replay_is_grain(p->run, body) ? f->pose[body] : f->point[contact], sizeof line[0]);
    }
    memcpy(line[1], f->point[contact], sizeof line[1]);
    return fmin(share, 1);
}

void tl_picture_forces(tl_picture *p)
{
    double line[3][3], x[2];
    cairo_set_line_cap(p->cr, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(p->cr, CAIRO_LINE_JOIN_ROUND);
    for (int i = 0; i < p->frame->contacts; i++) {
        const double share = tl_picture_force(p, i, line);
        if (!(share > 0)) continue;
        for (int k = 0; k < 3; k++) {
            tl_picture_to_page(p, line[k], x);
            cairo_line_to(p->cr, x[0], x[1]);
        }
        tl_ink(p, TL_FORCE, 0.85);
        cairo_set_line_width(p->cr, tl_picture_force_width(p, share));
        cairo_stroke(p->cr);
    }
}

/* ---- text --------------------------------------------------------------------------------------------------------- */

static double text_width(const tl_picture *p, const char *text)
{
    cairo_text_extents_t e;
    cairo_text_extents(p->cr, text, &e);
    return e.x_advance;
}

static void write_at(const tl_picture *p, double x, double y, const char *text)
{
    tl_ink(p, TL_INK, 1);
    cairo_move_to(p->cr, x, y);
    cairo_show_text(p->cr, text);
}

static void prepare_text(const tl_picture *p)
{
    cairo_set_font_face(p->cr, p->font);
    cairo_set_font_size(p->cr, 17 * p->unit);
}

/* World axes in the lower left corner of a picture in space. */
void tl_picture_axes(tl_picture *p)
{
    static const char *const NAME[3] = {"x", "y", "z"};
    const double length = 34 * p->unit, x = 52 * p->unit, y = p->height - p->strip - 52 * p->unit;
    const double axis[3][2] = {{p->right.x, p->up.x}, {p->right.y, p->up.y}, {p->right.z, p->up.z}};
    prepare_text(p);
    cairo_set_line_cap(p->cr, CAIRO_LINE_CAP_ROUND);
    for (int k = 0; k < 3; k++) {
        const double a = axis[k][0], b = -axis[k][1], size = hypot(a, b);
        if (size < 0.1) continue; /* along the view */
        tl_ink(p, TL_INK, 1);
        cairo_set_line_width(p->cr, 2 * p->unit);
        cairo_move_to(p->cr, x, y);
        cairo_line_to(p->cr, x + length * a, y + length * b);
        cairo_stroke(p->cr);
        const double out = length + 9 * p->unit / size;
        write_at(p, x + out * a - text_width(p, NAME[k]) / 2, y + out * b + 5 * p->unit, NAME[k]);
    }
}

/* ---- the strip ---------------------------------------------------------------------------------------------------- */

/* Entries stand side by side and go on in the next row where a row is full. */
typedef struct strip {
    const tl_picture *p;
    double x, y; /* where the next entry begins, on its base line */
    int rows;
    bool draw;
} strip;

double tl_picture_row(const tl_picture *p) { return 32 * p->unit; }

static double edge_of(const tl_picture *p) { return 22 * p->unit; }

static void make_room(strip *s, double width)
{
    const double edge = edge_of(s->p);
    if (s->x > edge && s->x + width > s->p->width - edge) s->x = edge, s->y += tl_picture_row(s->p), s->rows++;
}

static void leave(strip *s, double width) { s->x += width + 34 * s->p->unit; }

/* Room for the latest of the times: what stands beside it must not move from frame to frame. */
static void put_time(strip *s)
{
    char text[64], latest[64];
    const tl_picture *p = s->p;
    if (p->decimals < 0) snprintf(text, sizeof text, "t = %.7g s", p->frame->time), snprintf(latest, sizeof latest, "%s", text);
    else snprintf(text, sizeof text, "t = %.*f s", p->decimals, p->frame->time), snprintf(latest, sizeof latest, "t = %.*f s", p->decimals, p->latest);
    const double width = fmax(text_width(p, text), text_width(p, latest));
    make_room(s, width);
    if (s->draw) write_at(p, s->x, s->y, text);
    leave(s, width);
}

static void put_scale(strip *s)
{
    char text[64];
    const tl_picture *p = s->p;
    const double bar = tl_round_length(0.14 * (p->width / p->scale)), length = bar * p->scale, u = p->unit;
    if (bar < 1e-3) snprintf(text, sizeof text, "%g \302\265m", 1e6 * bar);
    else if (bar < 1) snprintf(text, sizeof text, "%g mm", 1e3 * bar);
    else snprintf(text, sizeof text, "%g m", bar);
    const double width = length + 9 * u + text_width(p, text);
    make_room(s, width);
    if (s->draw) {
        tl_ink(p, TL_INK, 1);
        cairo_set_line_width(p->cr, 1.6 * u);
        cairo_set_line_cap(p->cr, CAIRO_LINE_CAP_BUTT);
        cairo_move_to(p->cr, s->x, s->y - 10 * u);
        cairo_line_to(p->cr, s->x, s->y - 2 * u);
        cairo_line_to(p->cr, s->x + length, s->y - 2 * u);
        cairo_line_to(p->cr, s->x + length, s->y - 10 * u);
        cairo_stroke(p->cr);
        write_at(p, s->x + length + 9 * u, s->y, text);
    }
    leave(s, width);
}

static void put_force(strip *s)
{
    char text[64];
    const tl_picture *p = s->p;
    const double length = 34 * p->unit, shown = tl_round_length(p->strongest), thick = tl_picture_force_width(p, shown / p->strongest);
    snprintf(text, sizeof text, "%g N", shown);
    const double width = length + 12 * p->unit + text_width(p, text);
    make_room(s, width);
    if (s->draw) {
        tl_ink(p, TL_FORCE, 0.85);
        cairo_set_line_cap(p->cr, CAIRO_LINE_CAP_ROUND);
        cairo_set_line_width(p->cr, (p->run->dimension == 3 ? 0.6 : 1) * thick);
        cairo_move_to(p->cr, s->x, s->y - 6 * p->unit);
        cairo_line_to(p->cr, s->x + length, s->y - 6 * p->unit);
        cairo_stroke(p->cr);
        write_at(p, s->x + length + 12 * p->unit, s->y, text);
    }
    leave(s, width);
}

/* Stresses and displacements are written in thousands or parts of their unit. */
static double prefix_of(const tl_colour_scale *m, const char **prefix)
{
    static const struct {
        double factor;
        const char *name;
    } PREFIX[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "\302\265"}};
    const double size = fmax(fabs(m->low), fabs(m->high));
    *prefix = "";
    if (!(strcmp(m->unit, "Pa") == 0 || strcmp(m->unit, "m") == 0) || !(size >= 1e-6)) return 1;
    for (size_t k = 0; k < sizeof PREFIX / sizeof *PREFIX; k++)
        if (size >= 0.9995 * PREFIX[k].factor) {
            *prefix = PREFIX[k].name;
            return PREFIX[k].factor;
        }
    return 1;
}

static void put_ramp(strip *s)
{
    enum { STEPS = 64 };
    char low[64], high[64];
    const char *prefix;
    const tl_picture *p = s->p;
    const double factor = prefix_of(&p->meaning, &prefix);
    snprintf(low, sizeof low, "%s%.3g", p->meaning.below ? "< " : "", p->meaning.low / factor);
    snprintf(high, sizeof high, "%s%.3g %s%s", p->meaning.above ? "> " : "", p->meaning.high / factor, prefix, p->meaning.unit);
    const double u = p->unit, gap = 9 * u, caption = text_width(p, p->meaning.caption), begin = text_width(p, low);
    const double texts = caption + begin + 3 * gap + text_width(p, high), row = p->width - 2 * edge_of(p); /* a narrow picture has a short ramp */
    const double length = fmax(40 * u, fmin(170 * u, row - texts)), width = texts + length;
    make_room(s, width);
    if (s->draw) {
        const double x = s->x + caption + begin + 2 * gap;
        cairo_pattern_t *colours = cairo_pattern_create_linear(x, 0, x + length, 0);
        for (int k = 0; k <= STEPS; k++) {
            const tl_colour c = tl_ramp((double)k / STEPS);
            cairo_pattern_add_color_stop_rgb(colours, (double)k / STEPS, c.r, c.g, c.b);
        }
        write_at(p, s->x, s->y, p->meaning.caption);
        write_at(p, s->x + caption + gap, s->y, low);
        cairo_set_source(p->cr, colours);
        cairo_rectangle(p->cr, x, s->y - 12 * u, length, 13 * u);
        cairo_fill(p->cr);
        cairo_pattern_destroy(colours);
        write_at(p, x + length + gap, s->y, high);
    }
    leave(s, width);
}

static void put_material(strip *s, const char *name, tl_colour colour)
{
    const tl_picture *p = s->p;
    const double size = 14 * p->unit, width = size + 8 * p->unit + text_width(p, name);
    make_room(s, width);
    if (s->draw) {
        tl_ink(p, colour, 1);
        cairo_rectangle(p->cr, s->x, s->y - 13 * p->unit, size, size);
        cairo_fill(p->cr);
        write_at(p, s->x + size + 8 * p->unit, s->y, name);
    }
    leave(s, width - 12 * p->unit);
}

int tl_picture_strip(tl_picture *p, bool draw)
{
    strip s = {.p = p, .x = 22 * p->unit, .y = p->height - p->strip + 0.62 * tl_picture_row(p), .rows = 1, .draw = draw};
    prepare_text(p);
    put_time(&s);
    put_scale(&s);
    if (!p->def->hide_forces && p->strongest > 0) put_force(&s);
    if (p->def->colour == TALUS_PICTURE_MATERIAL)
        for (int i = 0; i < p->run->materials; i++) put_material(&s, p->run->material[i], tl_material_colour(i));
    else if (p->meaning.caption) put_ramp(&s);
    return s.rows;
}
