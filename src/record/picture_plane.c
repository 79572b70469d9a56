/* Bodies of a planar run: boundaries, then finite-element solids, then grains, then mechanisms with what joins their links. */
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

static void outline(const tl_picture *p, double width, tl_colour c)
{
    tl_ink(p, tl_darker(c, 0.62), 1);
    cairo_set_line_width(p->cr, width + 2.2 * p->unit);
    cairo_stroke_preserve(p->cr);
    tl_ink(p, c, 1);
    cairo_set_line_width(p->cr, width);
    cairo_stroke(p->cr);
}

static void draw_line(const tl_picture *p, const double a[2], const double b[2])
{
    cairo_new_path(p->cr);
    cairo_move_to(p->cr, a[0], a[1]);
    cairo_line_to(p->cr, b[0], b[1]);
}

static void draw_round(const tl_picture *p, const double at[2], double radius, tl_colour fill, tl_colour line)
{
    cairo_new_path(p->cr);
    cairo_arc(p->cr, at[0], at[1], radius, 0, 2 * TL_PI);
    tl_ink(p, fill, 1);
    cairo_fill_preserve(p->cr);
    tl_ink(p, line, 1);
    cairo_set_line_width(p->cr, 2.2 * p->unit);
    cairo_stroke(p->cr);
}

static void draw_spring(const tl_picture *p, double world[2][3], double radius, double width, tl_colour c)
{
    tl_vec3 line[TL_COIL_POINTS];
    tl_part_coil(tl_load3(world[0]), tl_load3(world[1]), radius, true, line);
    for (int i = 0; i < TL_COIL_POINTS; i++) {
        double x[3], at[2];
        tl_store3(x, line[i]);
        tl_picture_to_page(p, x, at);
        if (i) cairo_line_to(p->cr, at[0], at[1]);
        else cairo_move_to(p->cr, at[0], at[1]);
    }
    tl_ink(p, c, 1);
    cairo_set_line_width(p->cr, width);
    cairo_stroke(p->cr);
}

static void draw_spiral(const tl_picture *p, const tl_part *part, double width, tl_colour c)
{
    double line[TL_SPIRAL_POINTS][3], at[2];
    tl_part_spiral(part, p->frame, line);
    cairo_new_path(p->cr);
    for (int i = 0; i < TL_SPIRAL_POINTS; i++) {
        tl_picture_to_page(p, line[i], at);
        if (i) cairo_line_to(p->cr, at[0], at[1]);
        else cairo_move_to(p->cr, at[0], at[1]);
    }
    tl_ink(p, c, 1);
    cairo_set_line_width(p->cr, width);
    cairo_stroke(p->cr);
}

/* A cross, which turns with its body. */
static void draw_weld(const tl_picture *p, const double a[2], const double b[2], double radius, tl_colour c)
{
    const double middle[2] = {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2}, size = hypot(b[0] - a[0], b[1] - a[1]);
    const double x = size > 0 ? (b[0] - a[0]) / size * radius : radius, y = size > 0 ? (b[1] - a[1]) / size * radius : 0;
    cairo_new_path(p->cr);
    for (int k = 0; k < 2; k++) {
        const double dx = x + (k ? y : -y), dy = y + (k ? -x : x); /* 45 degrees beside the direction */
        cairo_move_to(p->cr, middle[0] - dx, middle[1] - dy);
        cairo_line_to(p->cr, middle[0] + dx, middle[1] + dy);
    }
    outline(p, 0.6 * radius, c);
}

static void draw_rope(const tl_picture *p, double width, tl_colour c, bool slack)
{
    const double dash = 5 * p->unit;
    if (slack) cairo_set_dash(p->cr, &dash, 1, 0);
    tl_ink(p, slack ? tl_mix(c, TL_PAPER, 0.4) : c, 1);
    cairo_set_line_width(p->cr, width);
    cairo_stroke(p->cr);
    cairo_set_dash(p->cr, NULL, 0, 0);
}

/* A hub that is white, but at the ground; there a white dot shows where it turns. */
static void draw_hub(const tl_picture *p, const tl_part *part, const double at[2], double radius)
{
    const tl_colour edge = tl_darker(TL_LINK, 0.62), white = {1, 1, 1};
    draw_round(p, at, radius, part->kind == PART_FOOT ? edge : part->kind == PART_MOTOR ? tl_picture_part_colour(p, part) : white, edge);
    if (part->kind != PART_PIN) draw_round(p, at, 0.3 * radius, white, white);
}

/* A rod, and a barrel over its end; an eye at both ends. */
static void draw_ram(const tl_picture *p, const tl_part *part, const double a[2], const double b[2], double width)
{
    const tl_colour edge = tl_darker(TL_LINK, 0.62), white = {1, 1, 1};
    const double share = tl_part_barrel(part, p->frame), end[2] = {a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])};
    const tl_part barrel = {.kind = PART_SLEEVE, .owner = part->owner}, rod = {.kind = PART_PISTON, .owner = part->owner};
    outline(p, 0.5 * width, tl_picture_part_colour(p, &rod));
    draw_line(p, a, end);
    cairo_set_line_cap(p->cr, CAIRO_LINE_CAP_BUTT);
    outline(p, width, tl_picture_part_colour(p, &barrel));
    draw_round(p, a, 0.5 * width, white, edge);
    draw_round(p, b, 0.5 * width, white, edge);
}

static void draw_part(const tl_picture *p, const tl_part *part)
{
    const tl_colour c = tl_picture_part_colour(p, part);
    const double width = fmax(2 * part->radius * p->scale, 2.5 * p->unit);
    double world[2][3], a[2], b[2];
    tl_part_ends(part, p->frame, world);
    tl_picture_to_page(p, world[0], a);
    tl_picture_to_page(p, world[1], b);
    draw_line(p, a, b);
    cairo_set_line_cap(p->cr, part->kind == PART_SLEEVE ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND);
    switch (part->kind) {
    case PART_WHEEL: draw_round(p, a, width / 2, c, tl_darker(c, 0.62)); return;
    case PART_BALL: draw_round(p, a, fmax(width / 2, 4 * p->unit), c, tl_darker(c, 0.62)); return;
    case PART_PIN:
    case PART_FOOT:
    case PART_MOTOR: draw_hub(p, part, a, fmax(width / 2, (part->kind == PART_PIN ? 4.5 : 6.5) * p->unit)); return;
    case PART_SPRING:
        cairo_new_path(p->cr);
        draw_spring(p, world, part->radius, fmax(0.2 * width, 1.6 * p->unit), c);
        return;
    case PART_SPIRAL: draw_spiral(p, part, fmax(0.06 * width, 1.6 * p->unit), c); return;
    case PART_WELD: draw_weld(p, a, b, fmax(width / 2, 4.5 * p->unit), c); return;
    case PART_DAMPER: {
        const double third[2] = {a[0] + (b[0] - a[0]) / 3, a[1] + (b[1] - a[1]) / 3}, half[2] = {a[0] + (b[0] - a[0]) * 0.7, a[1] + (b[1] - a[1]) * 0.7};
        outline(p, 0.2 * width, c);
        draw_line(p, third, half);
        cairo_set_line_cap(p->cr, CAIRO_LINE_CAP_BUTT);
        outline(p, width, c);
        return;
    }
    case PART_RAM: draw_ram(p, part, a, b, width); return;
    case PART_ROPE: draw_rope(p, width, c, tl_part_is_slack(part, p->frame)); return;
    case PART_BAR:
    case PART_SLEEVE:
    case PART_PISTON:
    case PART_RAIL:
    case PART_STRUT:
    case PART_PLATE:
    case PART_THREAD:
    case PART_KINDS: outline(p, width, c); return;
    }
}

static bool ends_at_link(const tl_picture *p, const tl_part *part)
{
    bool link = false;
    for (int k = 0; k < 2; k++) link = link || (part->body[k] >= 0 && p->run->body[part->body[k]].link);
    return link;
}

/* Frames of links lie under their shapes, and what joins them on top: rods go into sleeves, pins hold bars. Ropes between grains lie under the lines of
 * their pull, as grains lie under forces. */
static void draw_parts(const tl_picture *p, tl_part_kind from, tl_part_kind to, bool under_forces)
{
    cairo_set_line_join(p->cr, CAIRO_LINE_JOIN_ROUND);
    for (int kind = (int)from; kind <= (int)to; kind++)
        for (int i = 0; i < p->skeleton.parts; i++) {
            const tl_part *part = &p->skeleton.part[i];
            if ((int)part->kind != kind || !tl_picture_shows_part(p, part)) continue;
            if ((kind == PART_ROPE && !ends_at_link(p, part)) != under_forces) continue;
            if (part->owner >= 0) begin_body(p, part->owner);
            draw_part(p, part);
            if (part->owner >= 0) end_body(p, part->owner);
        }
}

bool tl_picture_plane(tl_picture *p)
{
    draw_layer(p, BOUNDARIES);
    tl_picture_mesh_plane(p);
    draw_layer(p, GRAINS);
    draw_parts(p, PART_ROPE, PART_ROPE, true);
    if (!p->def->hide_forces) tl_picture_forces(p);
    draw_parts(p, PART_BAR, PART_WHEEL, false);
    draw_layer(p, LINKS);
    draw_parts(p, PART_RAIL, PART_RAIL, false);
    draw_parts(p, PART_PISTON, PART_PISTON, false);
    draw_parts(p, PART_SLEEVE, PART_SLEEVE, false);
    draw_parts(p, PART_RAM, PART_RAM, false);
    draw_parts(p, PART_SPIRAL, PART_SPIRAL, false);
    draw_parts(p, PART_SPRING, PART_WELD, false);
    return true;
}
