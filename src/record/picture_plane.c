/* Bodies of a planar run: boundaries, then grains, then the parts of mechanisms with their bars and joints. */
#include <math.h>

#include "record/picture.h"

static void draw_half_plane(const tl_picture *p, const tl_replay_shape *s)
{
    double x[3], n[3], at[2];
    tl_replay_to_world(p->frame, s->body, tl_picture_corner(p, s, 0), x);
    tl_replay_turn(p->frame, s->body, tl_picture_corner(p, s, 1), n);
    const double size = hypot(n[0], n[1]), span = p->width + p->height, thick = 7 * p->unit;
    if (!(size > 0)) return;
    const double nx = n[0] / size, ny = -n[1] / size; /* on the page */
    tl_picture_to_page(p, x, at);
    cairo_move_to(p->cr, at[0] - ny * span, at[1] + nx * span);
    cairo_line_to(p->cr, at[0] + ny * span, at[1] - nx * span);
    cairo_line_to(p->cr, at[0] + ny * span - nx * thick, at[1] - nx * span - ny * thick);
    cairo_line_to(p->cr, at[0] - ny * span - nx * thick, at[1] + nx * span - ny * thick);
    cairo_close_path(p->cr);
    tl_ink(p, tl_picture_colour(p, s), 1);
    cairo_fill(p->cr);
}

/* Corners and a rim around them: the rim's outline is the shape's, drawn as a wide line under the fill. */
static void draw_body(const tl_picture *p, const tl_replay_shape *s)
{
    const tl_colour fill = tl_picture_colour(p, s), line = tl_darker(fill, 0.64);
    const double thin = 1.1 * p->unit, rim = 2 * s->radius * p->scale;
    double x[2];
    cairo_set_line_cap(p->cr, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(p->cr, CAIRO_LINE_JOIN_ROUND);
    for (int k = 0; k < s->points; k++) {
        tl_picture_point(p, s->body, tl_picture_corner(p, s, k), x);
        if (k) cairo_line_to(p->cr, x[0], x[1]);
        else cairo_move_to(p->cr, x[0], x[1]);
    }
    if (s->points > 2) cairo_close_path(p->cr);
    cairo_set_line_width(p->cr, fmax(rim, 1.5 * p->unit) + thin);
    tl_ink(p, line, 1);
    cairo_stroke_preserve(p->cr);
    tl_ink(p, fill, 1);
    if (s->points > 2) cairo_fill_preserve(p->cr);
    if (rim > thin) {
        cairo_set_line_width(p->cr, fmax(rim - thin, 0.5 * p->unit));
        cairo_stroke(p->cr);
    }
    cairo_new_path(p->cr);
}

static void draw_disk(const tl_picture *p, const tl_replay_shape *s)
{
    const tl_colour fill = tl_picture_colour(p, s);
    const double r = s->radius * p->scale, thin = 1.1 * p->unit;
    const double *centre = tl_picture_corner(p, s, 0), edge[3] = {centre[0] + 0.8 * s->radius, centre[1], 0};
    double x[2], mark[2];
    tl_picture_point(p, s->body, centre, x);
    tl_picture_point(p, s->body, edge, mark);
    cairo_new_path(p->cr);
    cairo_arc(p->cr, x[0], x[1], fmax(r - thin / 2, 0.4 * p->unit), 0, 2 * TL_PI);
    tl_ink(p, fill, 1);
    cairo_fill_preserve(p->cr);
    tl_ink(p, tl_darker(fill, 0.64), 1);
    cairo_set_line_width(p->cr, fmin(thin, r / 3));
    cairo_stroke(p->cr);
    if (r < 4 * p->unit) return; /* too small to show how it turned */
    cairo_set_line_cap(p->cr, CAIRO_LINE_CAP_BUTT);
    cairo_move_to(p->cr, x[0], x[1]);
    cairo_line_to(p->cr, mark[0], mark[1]);
    cairo_stroke(p->cr);
}

typedef enum layer { BOUNDARIES, GRAINS, LINKS, LAYERS } layer;

/* What is faded is drawn by itself, and laid over thinly. */
static void begin_body(const tl_picture *p, int body)
{
    if (p->showing[body] == TL_FADED) cairo_push_group(p->cr);
}

static void end_body(const tl_picture *p, int body)
{
    if (p->showing[body] != TL_FADED) return;
    cairo_pop_group_to_source(p->cr);
    cairo_paint_with_alpha(p->cr, 0.2);
}

static void draw_layer(const tl_picture *p, layer wanted)
{
    for (int i = 0; i < p->run->shapes; i++) {
        const tl_replay_shape *s = &p->run->shape[i];
        const layer its = p->run->body[s->body].link ? LINKS : tl_replay_is_grain(p->run, s->body) ? GRAINS : BOUNDARIES;
        if (its != wanted || !tl_picture_shows(p, s->body)) continue;
        begin_body(p, s->body);
        if (s->kind == REPLAY_HALF_PLANE || s->kind == REPLAY_HALF_SPACE) draw_half_plane(p, s);
        else if (s->points == 1) draw_disk(p, s);
        else draw_body(p, s);
        end_body(p, s->body);
    }
}

/* A link is a bar between the joints that it carries, in their order; one that hangs on a single joint and has no shape reaches to its origin. */
static void draw_bar(const tl_picture *p, int body)
{
    enum { MOST = 64 };
    int joint[MOST];
    double x[2];
    const int n = tl_picture_joints_of(p, body, joint, MOST);
    for (int k = 0; k < n; k++) {
        tl_picture_point(p, body, p->run->joint[joint[k] / 2].point[joint[k] % 2], x);
        if (k) cairo_line_to(p->cr, x[0], x[1]);
        else cairo_move_to(p->cr, x[0], x[1]);
    }
    if (n == 1 && !tl_picture_has_shape(p, body)) {
        tl_picture_to_page(p, p->frame->pose[body], x);
        cairo_line_to(p->cr, x[0], x[1]);
    } else if (n < 2) {
        cairo_new_path(p->cr);
        return;
    }
    const tl_colour c = p->def->colour == TALUS_PICTURE_MATERIAL ? TL_LINK : p->colour[body];
    tl_ink(p, tl_darker(c, 0.62), 1);
    cairo_set_line_width(p->cr, 10.5 * p->unit);
    cairo_stroke_preserve(p->cr);
    tl_ink(p, c, 1);
    cairo_set_line_width(p->cr, 8 * p->unit);
    cairo_stroke(p->cr);
}

static void draw_joints(const tl_picture *p)
{
    const tl_colour edge = tl_darker(TL_LINK, 0.62), white = {1, 1, 1};
    for (int i = 0; i < p->run->joints; i++) {
        const tl_replay_joint *j = &p->run->joint[i];
        const bool ground = j->body[0] < 0 || j->body[1] < 0;
        double x[2];
        if (!tl_picture_shows(p, j->body[0]) || !tl_picture_shows(p, j->body[1])) continue;
        tl_picture_point(p, j->body[1], j->point[1], x);
        cairo_new_path(p->cr);
        cairo_arc(p->cr, x[0], x[1], (ground ? 8 : 5.5) * p->unit, 0, 2 * TL_PI);
        tl_ink(p, ground ? edge : white, 1);
        cairo_fill_preserve(p->cr);
        tl_ink(p, edge, 1);
        cairo_set_line_width(p->cr, 2.2 * p->unit);
        cairo_stroke(p->cr);
        if (!ground) continue;
        cairo_arc(p->cr, x[0], x[1], 3 * p->unit, 0, 2 * TL_PI);
        tl_ink(p, white, 1);
        cairo_fill(p->cr);
    }
}

bool tl_picture_plane(tl_picture *p)
{
    draw_layer(p, BOUNDARIES);
    draw_layer(p, GRAINS);
    if (!p->def->hide_forces) tl_picture_forces(p);
    draw_layer(p, LINKS);
    cairo_set_line_cap(p->cr, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(p->cr, CAIRO_LINE_JOIN_ROUND);
    for (int i = 0; i < p->run->bodies; i++) {
        if (!p->run->body[i].link || !tl_picture_shows(p, i)) continue;
        begin_body(p, i);
        draw_bar(p, i);
        end_body(p, i);
    }
    draw_joints(p);
    return true;
}
