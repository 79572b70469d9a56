/* Bodies of a run in space, from back to front, in a light from the upper left; floors first, walls that would hide everything as edges last. */
#include <math.h>
#include <stdlib.h>

#include "record/picture_space.h"

static const tl_vec3 LIGHT = {-0.43, 0.72, 0.545}; /* towards it, in the axes of the camera */

static void page_of(const tl_picture *p, tl_vec3 seen, double out[2]) { out[0] = p->left + p->scale * seen.x, out[1] = p->top - p->scale * seen.y; }

/* Brightness of a face: some light comes from everywhere. */
static tl_colour lit(tl_colour c, tl_vec3 normal)
{
    static const tl_colour WHITE = {1, 1, 1};
    const double direct = tl_dot(normal, LIGHT), shade = 0.56 + 0.46 * fmax(direct, 0) + 0.08 * fmin(direct, 0);
    return shade <= 1 ? tl_darker(c, shade) : tl_mix(c, WHITE, shade - 1);
}

/* ---- solids ------------------------------------------------------------------------------------------------------- */

static void draw_ball(const tl_picture *p, tl_vec3 centre, double radius, tl_colour c)
{
    enum { STEPS = 8 };
    const double r = fmax(radius * p->scale, 0.4 * p->unit);
    double x[2];
    page_of(p, centre, x);
    cairo_pattern_t *shade = cairo_pattern_create_radial(x[0] + r * LIGHT.x * 0.75, x[1] - r * LIGHT.y * 0.75, 0, x[0], x[1], r);
    for (int k = 0; k <= STEPS; k++) { /* from the brightest point to the rim */
        const double at = (double)k / STEPS;
        const tl_colour tone = tl_mix(tl_mix(c, (tl_colour){1, 1, 1}, 0.35), tl_darker(c, 0.55), pow(at, 1.3));
        cairo_pattern_add_color_stop_rgb(shade, at, tone.r, tone.g, tone.b);
    }
    cairo_new_path(p->cr);
    cairo_arc(p->cr, x[0], x[1], r, 0, 2 * TL_PI);
    cairo_set_source(p->cr, shade);
    cairo_fill_preserve(p->cr);
    cairo_pattern_destroy(shade);
    tl_ink(p, tl_darker(c, 0.5), 1);
    cairo_set_line_width(p->cr, fmin(0.8 * p->unit, r / 3));
    cairo_stroke(p->cr);
}

/* A wide line with round ends, shaded across. */
static void draw_rod(const tl_picture *p, const tl_solids *s, const tl_solid *d)
{
    double a[2], b[2];
    const double r = fmax(d->radius * p->scale, p->unit);
    page_of(p, s->point[d->first_point], a);
    page_of(p, s->point[d->first_point + 1], b);
    const double length = hypot(b[0] - a[0], b[1] - a[1]);
    if (length < 1e-3 * r) { /* end on */
        draw_ball(p, d->centre, d->radius, d->colour);
        return;
    }
    const double nx = (b[1] - a[1]) / length, ny = -(b[0] - a[0]) / length, side = nx * LIGHT.x - ny * LIGHT.y >= 0 ? 1 : -1;
    cairo_pattern_t *shade = cairo_pattern_create_linear(a[0] + side * nx * r, a[1] + side * ny * r, a[0] - side * nx * r, a[1] - side * ny * r);
    const tl_colour tone[3] = {tl_darker(d->colour, 0.82), tl_mix(d->colour, (tl_colour){1, 1, 1}, 0.3), tl_darker(d->colour, 0.55)};
    static const double AT[3] = {0, 0.32, 1};
    for (int k = 0; k < 3; k++) cairo_pattern_add_color_stop_rgb(shade, AT[k], tone[k].r, tone[k].g, tone[k].b);
    cairo_set_line_cap(p->cr, CAIRO_LINE_CAP_ROUND);
    cairo_move_to(p->cr, a[0], a[1]);
    cairo_line_to(p->cr, b[0], b[1]);
    cairo_set_line_width(p->cr, 2 * r + 0.8 * p->unit);
    tl_ink(p, tl_darker(d->colour, 0.45), 1);
    cairo_stroke_preserve(p->cr);
    cairo_set_line_width(p->cr, fmax(2 * r - 0.8 * p->unit, p->unit));
    cairo_set_source(p->cr, shade);
    cairo_stroke(p->cr);
    cairo_pattern_destroy(shade);
}

static void face_path(const tl_picture *p, const tl_solids *s, int face)
{
    double x[2];
    cairo_new_path(p->cr);
    for (int k = tl_face_begin(s, face); k < s->face_end[face]; k++) {
        page_of(p, s->point[s->corner[k]], x);
        cairo_line_to(p->cr, x[0], x[1]);
    }
    cairo_close_path(p->cr);
}

/* The faces that look at the camera; those of a convex body do not hide each other. */
static void draw_faces(const tl_picture *p, const tl_solids *s, const tl_solid *d)
{
    const double rim = 2 * d->radius * p->scale, thin = fmin(0.7 * p->unit, 0.02 * p->scale * (d->high[0] - d->low[0] + d->high[1] - d->low[1]));
    cairo_set_line_join(p->cr, CAIRO_LINE_JOIN_ROUND);
    for (int f = d->first_face; f < d->first_face + d->faces; f++) {
        const bool round = f < d->first_face + d->round, flat = d->faces == 1;
        if (s->normal[f].z <= 0 && !flat) continue;
        const tl_colour c = lit(d->colour, flat && s->normal[f].z < 0 ? tl_scale(-1, s->normal[f]) : s->normal[f]);
        face_path(p, s, f);
        tl_ink(p, c, 1);
        cairo_fill_preserve(p->cr);
        if (rim > thin) {
            cairo_set_line_width(p->cr, rim);
            cairo_stroke_preserve(p->cr);
        }
        tl_ink(p, round ? c : tl_darker(c, 0.82), 1); /* also closes the seam between two faces */
        cairo_set_line_width(p->cr, thin);
        cairo_stroke(p->cr);
    }
}

static void draw_glass(const tl_picture *p, const tl_solids *s, const tl_solid *d)
{
    cairo_set_line_join(p->cr, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_width(p->cr, p->unit);
    for (int f = d->first_face; f < d->first_face + d->faces; f++) {
        if (s->normal[f].z <= 0 || f < d->first_face + d->round) continue;
        face_path(p, s, f);
        tl_ink(p, d->colour, 0.06);
        cairo_fill_preserve(p->cr);
        tl_ink(p, d->colour, 0.7);
        cairo_stroke(p->cr);
    }
}

/* ---- half-spaces -------------------------------------------------------------------------------------------------- */

enum { MOST_CORNERS = 64 };

/* The part of a plane that is drawn: below all that is there and a little more, and on the outer side of the other planes. */
typedef struct floor_plate {
    tl_vec3 origin, normal, t, u; /* world axes */
    double low[2], high[2];       /* along t, u from the origin */
    tl_vec3 corner[MOST_CORNERS];
    int corners;
} floor_plate;

static bool plane_of(const tl_picture *p, const tl_replay_shape *s, tl_vec3 *x, tl_vec3 *n)
{
    double at[3], normal[3];
    tl_replay_to_world(p->frame, s->body, tl_picture_corner(p, s, 0), at);
    tl_replay_turn(p->frame, s->body, tl_picture_corner(p, s, 1), normal);
    *x = tl_load3(at), *n = tl_normalize(tl_load3(normal));
    return tl_norm(*n) > 0.5 && isfinite(tl_dot(*x, *n));
}

/* Keeps what lies on the side of n (Sutherland and Hodgman). */
static void cut(floor_plate *f, tl_vec3 x, tl_vec3 n)
{
    tl_vec3 kept[MOST_CORNERS];
    int m = 0;
    for (int k = 0; k < f->corners && m < MOST_CORNERS - 2; k++) {
        const tl_vec3 a = f->corner[k], b = f->corner[(k + 1) % f->corners];
        const double da = tl_dot(n, tl_sub(a, x)), db = tl_dot(n, tl_sub(b, x));
        if (da >= 0) kept[m++] = a;
        if ((da < 0) != (db < 0)) kept[m++] = tl_add(a, tl_scale(da / (da - db), tl_sub(b, a)));
    }
    for (int k = 0; k < m; k++) f->corner[k] = kept[k];
    f->corners = m;
}

/* The edges follow the world's axes where the plane does. */
static void plate_axes(floor_plate *f)
{
    const tl_vec3 n = f->normal, helper = fabs(n.x) < 0.9 ? tl_v3(1, 0, 0) : tl_v3(0, 1, 0);
    f->t = tl_normalize(tl_sub(helper, tl_scale(tl_dot(helper, n), n)));
    f->u = tl_cross(n, f->t);
}

static bool make_plate(const tl_picture *p, int shape, floor_plate *f)
{
    tl_vec3 x, n;
    *f = (floor_plate){0};
    if (!plane_of(p, &p->run->shape[shape], &f->origin, &f->normal)) return false;
    plate_axes(f);
    for (int k = 0; k < 2; k++) f->low[k] = (double)INFINITY, f->high[k] = -(double)INFINITY;
    for (int c = 0; c < 8; c++) {
        const tl_vec3 at = tl_v3(c & 1 ? p->far[0] : p->corner[0], c & 2 ? p->far[1] : p->corner[1], c & 4 ? p->far[2] : p->corner[2]);
        const double along[2] = {tl_dot(f->t, tl_sub(at, f->origin)), tl_dot(f->u, tl_sub(at, f->origin))};
        for (int k = 0; k < 2; k++) f->low[k] = fmin(f->low[k], along[k]), f->high[k] = fmax(f->high[k], along[k]);
    }
    const double rim = 0.06 * fmax(f->high[0] - f->low[0], f->high[1] - f->low[1]);
    for (int k = 0; k < 2; k++) f->low[k] -= rim, f->high[k] += rim;
    static const int SIDE[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    for (int k = 0; k < 4; k++) {
        const double a = SIDE[k][0] ? f->high[0] : f->low[0], b = SIDE[k][1] ? f->high[1] : f->low[1];
        f->corner[f->corners++] = tl_add(f->origin, tl_add(tl_scale(a, f->t), tl_scale(b, f->u)));
    }
    for (int i = 0; i < p->run->shapes; i++)
        if (i != shape && p->run->shape[i].kind == REPLAY_HALF_SPACE && plane_of(p, &p->run->shape[i], &x, &n) && fabs(tl_dot(n, f->normal)) < 1 - 1e-9)
            cut(f, x, n);
    return f->corners >= 3;
}

static void plate_path(const tl_picture *p, const floor_plate *f)
{
    double x[2];
    cairo_new_path(p->cr);
    for (int k = 0; k < f->corners; k++) {
        page_of(p, tl_to_camera(p, f->corner[k]), x);
        cairo_line_to(p->cr, x[0], x[1]);
    }
    cairo_close_path(p->cr);
}

static void grid_line(const tl_picture *p, const floor_plate *f, double a0, double b0, double a1, double b1)
{
    double x[2], y[2];
    page_of(p, tl_to_camera(p, tl_add(f->origin, tl_add(tl_scale(a0, f->t), tl_scale(b0, f->u)))), x);
    page_of(p, tl_to_camera(p, tl_add(f->origin, tl_add(tl_scale(a1, f->t), tl_scale(b1, f->u)))), y);
    cairo_move_to(p->cr, x[0], x[1]);
    cairo_line_to(p->cr, y[0], y[1]);
}

/* A floor seen from its outer side, with a grid of the length of the scale bar. */
static void draw_plate(const tl_picture *p, const floor_plate *f, tl_colour c)
{
    const double step = tl_round_length(0.14 * p->width / p->scale);
    const double first[2] = {ceil(f->low[0] / step) * step, ceil(f->low[1] / step) * step};
    const tl_colour fill = tl_mix(TL_PAPER, lit(c, tl_to_camera(p, f->normal)), 0.30);
    plate_path(p, f);
    tl_ink(p, fill, 1);
    cairo_fill_preserve(p->cr);
    cairo_save(p->cr);
    cairo_clip_preserve(p->cr);
    cairo_new_path(p->cr);
    for (int k = 0; first[0] + k * step < f->high[0] && k < 1000; k++) grid_line(p, f, first[0] + k * step, f->low[1], first[0] + k * step, f->high[1]);
    for (int k = 0; first[1] + k * step < f->high[1] && k < 1000; k++) grid_line(p, f, f->low[0], first[1] + k * step, f->high[0], first[1] + k * step);
    tl_ink(p, c, 0.35);
    cairo_set_line_width(p->cr, 0.8 * p->unit);
    cairo_stroke(p->cr);
    cairo_restore(p->cr);
    plate_path(p, f);
    tl_ink(p, c, 0.8);
    cairo_set_line_width(p->cr, 1.2 * p->unit);
    cairo_stroke(p->cr);
}

/* Those seen from outside lie behind everything; of the others only edges are drawn, in front of everything. */
static void draw_half_spaces(const tl_picture *p, bool outside)
{
    floor_plate f;
    for (int i = 0; i < p->run->shapes; i++) {
        const tl_replay_shape *s = &p->run->shape[i];
        if (s->kind != REPLAY_HALF_SPACE || !tl_replay_is_there(p->frame, s->body) || !make_plate(p, i, &f) || (tl_dot(f.normal, p->toward) > 1e-9) != outside)
            continue;
        if (outside) draw_plate(p, &f, tl_picture_colour(p, s));
        else {
            plate_path(p, &f);
            tl_ink(p, tl_picture_colour(p, s), 0.55);
            cairo_set_line_width(p->cr, 1.1 * p->unit);
            cairo_stroke(p->cr);
        }
    }
}

void tl_picture_include_floors(tl_picture *p)
{
    floor_plate f;
    const tl_picture before = *p; /* a floor must not make the next one larger */
    for (int i = 0; i < p->run->shapes; i++)
        if (p->run->shape[i].kind == REPLAY_HALF_SPACE && tl_replay_is_there(p->frame, p->run->shape[i].body) && make_plate(&before, i, &f))
            for (int k = 0; k < f.corners; k++) {
                double x[3];
                tl_store3(x, f.corner[k]);
                tl_picture_include(p, x, 0);
            }
    for (int k = 0; k < 3; k++) p->corner[k] = before.corner[k], p->far[k] = before.far[k];
}

bool tl_picture_space(tl_picture *p)
{
    tl_solids s = {0};
    bool done = tl_solids_collect(p, &s);
    int *order = done ? calloc((size_t)s.count + 1, sizeof *order) : NULL;
    done = order && tl_solids_order(&s, order);
    if (done) {
        draw_half_spaces(p, true);
        for (int i = 0; i < s.count; i++) {
            const tl_solid *d = &s.solid[order[i]];
            if (d->glass) continue;
            if (d->kind == SOLID_BALL) draw_ball(p, d->centre, d->radius, d->colour);
            else if (d->kind == SOLID_ROD) draw_rod(p, &s, d);
            else draw_faces(p, &s, d);
        }
        if (!p->def->hide_forces) tl_picture_forces(p);
        for (int i = 0; i < s.count; i++)
            if (s.solid[i].glass) draw_glass(p, &s, &s.solid[i]);
        draw_half_spaces(p, false);
        tl_picture_axes(p);
    }
    free(order);
    tl_solids_free(&s);
    return done;
}
