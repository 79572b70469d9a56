/* A run in space: its solids through a depth buffer, band by band, into an image that cairo puts under texts and axes. A .svg or .pdf holds it, too. */
#include <math.h>
#include <stdlib.h>

#include "record/picture_raster.h"
#include "record/picture_space.h"

/* What the bands are drawn from. Coordinates of strokes are those of the samples; solids beyond those of `s` are plates. */
typedef struct view {
    const tl_picture *p;
    double fine; /* samples per unit of the page */
    tl_solids s;
    tl_plate *plate;
    tl_look *look; /* [solids + plates] */
    tl_stroke *stroke;
    int plates, strokes, stroke_room;
    bool glass;
} view;

static void to_samples(const view *v, tl_vec3 seen, double out[3])
{
    out[0] = v->fine * (v->p->left + v->p->scale * seen.x);
    out[1] = v->fine * (v->p->top - v->p->scale * seen.y);
    out[2] = v->fine * v->p->scale * seen.z;
}

/* ---- looks -------------------------------------------------------------------------------------------------------- */

/* Facets of one stone are told apart by lines, those of a mesh or of a body of many parts only where they meet at an angle. What is tiny has no lines: they
 * would be all that is seen of it. */
static void look_at_solid(const view *v, const tl_solid *d, const int *parts, tl_look *out)
{
    static const float STONE = 0.9945F, PART = 0.866F, BENT = 0.643F; /* 6°, 30°, 50° */
    const bool alone = parts[d->body] == 1, round = d->kind != SOLID_FACES;
    const double size = v->p->scale * fmax(d->high[0] - d->low[0], d->high[1] - d->low[1]) / v->p->unit;
    *out = (tl_look){.colour = d->colour,
                     .body = d->body,
                     .crease = d->smooth                              ? BENT
                               : alone && !d->round && d->radius <= 0 ? STONE
                                                                      : PART,
                     .line = alone ? (float)fmin(1, size / 12) : 1,
                     .gloss = round      ? 0.4F
                              : d->round ? 0.2F
                                         : 0,
                     .round = round};
    if (!d->valued) return;
    const double along = 1 / (v->fine * v->p->scale); /* metres a sample; columns count from `left`, rows from `top` downwards */
    out->valued = true, out->least = (float)d->least, out->most = (float)d->most;
    out->slope[0] = (float)(d->slope.x * along), out->slope[1] = (float)(-d->slope.y * along);
    out->slope[2] = (float)(d->slope.z - d->slope.x * v->p->left / v->p->scale + d->slope.y * v->p->top / v->p->scale);
}

static bool make_looks(view *v)
{
    const tl_replay *run = v->p->run;
    int *parts = calloc((size_t)run->bodies + 1, sizeof *parts);
    v->look = calloc((size_t)(v->s.count + run->shapes) + 1, sizeof *v->look);
    v->plate = calloc((size_t)run->shapes + 1, sizeof *v->plate);
    const bool done = parts && v->look && v->plate;
    for (int i = 0; done && i < v->s.count; i++) parts[v->s.solid[i].body]++, v->glass = v->glass || v->s.solid[i].glass;
    for (int i = 0; done && i < v->s.count; i++) look_at_solid(v, &v->s.solid[i], parts, &v->look[i]);
    free(parts);
    return done;
}

/* ---- strokes ------------------------------------------------------------------------------------------------------ */

static bool add_stroke(view *v, const tl_vec3 *seen, int points, tl_stroke as)
{
    if (tl_grow(tl_memory_default(), &v->stroke, &v->stroke_room, v->strokes + 1, sizeof *v->stroke) != TALUS_OK) return false;
    as.points = points;
    for (int k = 0; k < points; k++) to_samples(v, seen[k], as.point[k]);
    v->stroke[v->strokes++] = as;
    return true;
}

static bool add_plate_line(view *v, const tl_plate *f, const double from[2], const double to[2], tl_stroke as)
{
    tl_vec3 end[2];
    if (!tl_plate_clip(f, from, to, end)) return true;
    for (int k = 0; k < 2; k++) end[k] = tl_to_camera(v->p, end[k]);
    return add_stroke(v, end, 2, as);
}

/* A grid of the length of the scale bar. */
static bool add_grid(view *v, const tl_plate *f, tl_colour c)
{
    const double step = tl_round_length(0.14 * v->p->width / v->p->scale), px = v->fine * v->p->unit;
    const tl_stroke as = {.width = 0.4 * px, .lift = px, .opacity = 0.35, .colour = c};
    for (int k = 0; k < 2; k++)
        for (int n = 0; n < 1000; n++) {
            const double at = (ceil(f->low[k] / step) + n) * step;
            const double from[2] = {k ? f->low[0] : at, k ? at : f->low[1]}, to[2] = {k ? f->high[0] : at, k ? at : f->high[1]};
            if (at >= f->high[k]) break;
            if (!add_plate_line(v, f, from, to, as)) return false;
        }
    return true;
}

/* A floor seen from its outer side is a sheet with a grid; of others only the outline is drawn. */
static bool add_plate(view *v, int shape)
{
    const tl_picture *p = v->p;
    tl_plate *f = &v->plate[v->plates];
    if (!tl_picture_shows(p, p->run->shape[shape].body) || !tl_picture_plate(p, shape, f)) return true;
    const tl_colour c = tl_picture_colour(p, &p->run->shape[shape]);
    const bool outside = tl_dot(f->normal, p->toward) > 1e-9 && p->showing[p->run->shape[shape].body] != TL_FADED;
    const double px = v->fine * p->unit;
    const tl_stroke as = {.width = 0.6 * px, .lift = px, .opacity = outside ? 0.8 : 0.55, .colour = c};
    for (int k = 0; k < f->corners; k++) {
        const tl_vec3 end[2] = {tl_to_camera(p, f->corner[k]), tl_to_camera(p, f->corner[(k + 1) % f->corners])};
        if (!add_stroke(v, end, 2, as)) return false;
    }
    if (!outside) return true;
    v->look[v->s.count + v->plates++] = (tl_look){.colour = tl_mix(TL_PAPER, c, 0.28), .body = -1 - shape, .round = true, .unlit = true};
    return add_grid(v, f, c);
}

/* Each body's farthest point from its origin. */
static void measure_bodies(const tl_picture *p, double *reach)
{
    for (int i = 0; i < p->run->shapes; i++) {
        const tl_replay_shape *s = &p->run->shape[i];
        for (int k = 0; k < s->points && s->kind != REPLAY_HALF_SPACE; k++)
            reach[s->body] = fmax(reach[s->body], tl_norm(tl_load3(tl_picture_corner(p, s, k))) + s->radius);
    }
}

/* Lines of force run inside of grains: they count as lying on them, so that those of the front are seen and those of the depth shine through. */
static bool add_forces(view *v)
{
    const tl_picture *p = v->p;
    double *reach = calloc((size_t)p->run->bodies + 1, sizeof *reach), world[3][3];
    bool done = reach != NULL;
    if (done) measure_bodies(p, reach);
    for (int i = 0; done && i < p->frame->contacts; i++) {
        const int32_t *body = p->frame->body[i];
        const double share = tl_picture_force(p, i, world);
        if (!(share > 0) || tl_picture_is_cut(p, p->frame->point[i])) continue;
        const double lift = fmax(tl_replay_is_grain(p->run, body[0]) ? reach[body[0]] : 0, tl_replay_is_grain(p->run, body[1]) ? reach[body[1]] : 0);
        tl_vec3 seen[3];
        for (int k = 0; k < 3; k++) seen[k] = tl_to_camera(p, tl_load3(world[k]));
        done = add_stroke(v, seen, 3,
                          (tl_stroke){.width = 0.3 * v->fine * tl_picture_force_width(p, share),
                                      .lift = v->fine * (p->scale * lift + p->unit),
                                      .opacity = 0.25 + 0.65 * share,
                                      .hidden = 0.03 + 0.25 * share,
                                      .colour = TL_FORCE});
    }
    free(reach);
    return done;
}

static bool add_mesh_lines(view *v)
{
    const double px = v->fine * v->p->unit;
    tl_mesh_lines lines = {0};
    bool done = tl_mesh_lines_collect(v->p, &lines);
    for (int i = 0; done && i < lines.count; i++)
        done = add_stroke(v, lines.end[i], 2, (tl_stroke){.width = 0.45 * px, .lift = 1.5 * px, .opacity = lines.ink[i], .colour = tl_darker(TL_INK, 0.6)});
    tl_mesh_lines_free(&lines);
    return done;
}

static bool prepare(view *v)
{
    const tl_picture *p = v->p;
    bool done = tl_solids_collect(p, &v->s) && make_looks(v);
    for (int i = 0; done && i < p->run->shapes; i++)
        if (p->run->shape[i].kind == REPLAY_HALF_SPACE) done = add_plate(v, i);
    return done && add_mesh_lines(v) && (p->def->hide_forces || add_forces(v));
}

static void forget(view *v)
{
    tl_solids_free(&v->s);
    tl_free(tl_memory_default(), v->stroke);
    free(v->plate), free(v->look);
}

/* ---- solids into a band ------------------------------------------------------------------------------------------- */

enum { MOST_CORNERS = 256 };

/* A face, moved outwards by the radius of a rounded solid. */
static void put_face(const view *v, const tl_solid *d, int face, int solid, tl_band *b)
{
    double corner[MOST_CORNERS][3], origin[3], axis[3];
    const tl_solids *s = &v->s;
    const int from = tl_face_begin(s, face), count = s->face_end[face] - from;
    tl_vec3 n = s->normal[face];
    if (d->faces == 1 && n.z < 0) n = tl_scale(-1, n); /* a triangle of a mesh has no back */
    if (n.z <= 0 || count < 3 || count > MOST_CORNERS) return;
    for (int k = 0; k < count; k++) to_samples(v, tl_add(s->point[s->corner[from + k]], tl_scale(d->radius, n)), corner[k]);
    tl_face f = {.corner = corner, .corners = count, .normal = {n.x, -n.y, n.z}};
    if (face < d->first_face + d->round) {
        to_samples(v, d->origin, origin);
        axis[0] = d->axis.x, axis[1] = -d->axis.y, axis[2] = d->axis.z;
        f.origin = origin, f.axis = axis;
    }
    tl_band_face(b, &f, solid);
}

/* The rounded edges of a solid. */
static void put_edges(const view *v, const tl_solid *d, int face, int solid, tl_band *b)
{
    const tl_solids *s = &v->s;
    const int from = tl_face_begin(s, face), to = s->face_end[face];
    for (int k = from; k < to; k++) {
        const int i = s->corner[k], j = s->corner[k + 1 < to ? k + 1 : from];
        double a[3], c[3];
        if (i > j && d->faces > 1 && !d->cut) continue; /* the other face of the edge draws it */
        to_samples(v, s->point[i], a), to_samples(v, s->point[j], c);
        tl_band_rod(b, a, c, v->fine * v->p->scale * d->radius, solid);
    }
}

static void put_solid(const view *v, int solid, tl_band *b)
{
    const tl_solid *d = &v->s.solid[solid];
    double x[3], y[3];
    to_samples(v, tl_v3(d->low[0], d->high[1], 0), x), to_samples(v, tl_v3(d->high[0], d->low[1], 0), y);
    const double px = v->fine * v->p->unit;
    if (x[1] - px > b->first + b->rows || y[1] + px < b->first) return;
    to_samples(v, v->s.point[d->first_point], x);
    if (d->kind == SOLID_BALL) tl_band_ball(b, x, fmax(v->fine * v->p->scale * d->radius, 0.4 * px), solid);
    else if (d->kind == SOLID_ROD) {
        to_samples(v, v->s.point[d->first_point + 1], y);
        tl_band_rod(b, x, y, fmax(v->fine * v->p->scale * d->radius, px), solid);
    } else
        for (int f = d->first_face; f < d->first_face + d->faces; f++) {
            put_face(v, d, f, solid, b);
            if (d->radius > 0) put_edges(v, d, f, solid, b);
        }
}

/* A little deeper than it is: what lies on a floor, or in its plane, is seen. */
static void put_plate(const view *v, int plate, tl_band *b)
{
    const tl_plate *p = &v->plate[plate];
    double corner[TL_PLATE_CORNERS][3];
    const tl_vec3 n = tl_to_camera(v->p, p->normal);
    for (int k = 0; k < p->corners; k++) {
        to_samples(v, tl_to_camera(v->p, p->corner[k]), corner[k]);
        corner[k][2] -= 0.5 * v->fine * v->p->unit;
    }
    tl_band_face(b, &(tl_face){.corner = corner, .corners = p->corners, .normal = {n.x, -n.y, n.z}}, v->s.count + plate);
}

/* ---- the image ---------------------------------------------------------------------------------------------------- */

typedef struct sheet {
    int width, height; /* [pixels] */
    uint32_t *pixel;
    int stride; /* [pixels] */
} sheet;

/* What bands are drawn with, one after the other. */
typedef struct drawing {
    const view *v;
    const sheet *out;
    int line;           /* width of a stroke [samples]          */
    tl_sample *room[2]; /* opaque; glass, NULL: there is none   */
    float *colour;
} drawing;

/* Rows [from, to) of pixels. */
static void draw_band(const drawing *d, int from, int to)
{
    const view *v = d->v;
    const sheet *out = d->out;
    const int line = d->line;
    float *colour = d->colour;
    tl_band opaque = {
        .width = out->width * RASTER_FINE, .first = from * RASTER_FINE - line, .rows = (to - from) * RASTER_FINE + 2 * line, .sample = d->room[0]};
    tl_band glass = opaque;
    tl_band_clear(&opaque);
    for (int i = 0; i < v->s.count; i++)
        if (!v->s.solid[i].glass) put_solid(v, i, &opaque);
    for (int i = 0; i < v->plates; i++) put_plate(v, i, &opaque);
    tl_band_shade(&opaque, v->look, line, line, colour);
    for (int i = 0; i < v->strokes; i++) tl_band_stroke(&opaque, &v->stroke[i], line, colour);
    if (v->glass) {
        glass.sample = d->room[1];
        tl_band_clear(&glass);
        for (int i = 0; i < v->s.count; i++)
            if (v->s.solid[i].glass) put_solid(v, i, &glass);
        tl_band_glass(&glass, &opaque, v->look, line, line, colour);
    }
    tl_band_pixels(&opaque, colour, line, out->pixel + (size_t)from * (size_t)out->stride, out->stride);
}

static bool draw_sheet(const view *v, const sheet *out)
{
    const int line = (int)fmax(1, rint(0.5 * v->fine * v->p->unit));
    const int rows = (int)fmin(fmax(1, 2e6 / (RASTER_FINE * RASTER_FINE * (double)out->width)), 16);
    const size_t samples = ((size_t)rows * RASTER_FINE + 2 * (size_t)line) * (size_t)out->width * RASTER_FINE;
    const drawing d = {.v = v,
                       .out = out,
                       .line = line,
                       .room = {calloc(samples, sizeof **d.room), v->glass ? calloc(samples, sizeof **d.room) : NULL},
                       .colour = calloc(3 * samples, sizeof *d.colour)};
    const bool done = d.room[0] && (d.room[1] || !v->glass) && d.colour;
    for (int from = 0; done && from < out->height; from += rows) draw_band(&d, from, from + rows < out->height ? from + rows : out->height);
    free(d.room[0]), free(d.room[1]), free(d.colour);
    return done;
}

bool tl_picture_space(tl_picture *p)
{
    const double zoom = cairo_surface_get_type(cairo_get_target(p->cr)) == CAIRO_SURFACE_TYPE_IMAGE ? 1 : 2;
    view v = {.p = p, .fine = zoom * RASTER_FINE};
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(zoom * p->width), (int)ceil(zoom * fmax(p->height - p->strip, 1)));
    bool done = cairo_surface_status(image) == CAIRO_STATUS_SUCCESS && prepare(&v);
    if (done) {
        cairo_surface_flush(image);
        const sheet out = {.width = cairo_image_surface_get_width(image),
                           .height = cairo_image_surface_get_height(image),
                           .pixel = (uint32_t *)(void *)cairo_image_surface_get_data(image),
                           .stride = cairo_image_surface_get_stride(image) / 4};
        done = draw_sheet(&v, &out);
        cairo_surface_mark_dirty(image);
    }
    if (done) {
        cairo_save(p->cr);
        cairo_scale(p->cr, 1 / zoom, 1 / zoom);
        cairo_set_source_surface(p->cr, image, 0, 0);
        cairo_paint(p->cr);
        cairo_restore(p->cr);
        tl_picture_axes(p);
    }
    cairo_surface_destroy(image);
    forget(&v);
    return done;
}
