/* A picture of one frame of a run, from trajectory.h5 alone: reading, the camera, what is seen, the page, the file. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cairo-pdf.h>
#include <cairo-svg.h>

#include "record/picture.h"
#include "record/record.h"

enum { LONGER_SIDE = 1200, SMALLEST = 64, LARGEST = 10000 }; /* of a page [pixels] */

typedef enum format { PNG, SVG, PDF, FORMATS } format;
static const char *const SUFFIX[FORMATS] = {".png", ".svg", ".pdf"};

talus_picture_def talus_picture_def_default(void)
{
    return (talus_picture_def){.struct_size = sizeof(talus_picture_def), .time = (double)INFINITY, .azimuth = 30 * TL_PI / 180, .elevation = 25 * TL_PI / 180};
}

/* ---- the camera --------------------------------------------------------------------------------------------------- */

/* In space it stands in the direction (cos e cos a, cos e sin a, sin e), with z up. */
static void aim(tl_picture *p)
{
    const double a = p->def->azimuth, e = p->def->elevation;
    p->right = tl_v3(1, 0, 0), p->up = tl_v3(0, 1, 0), p->toward = tl_v3(0, 0, 1);
    if (p->run->dimension == 2) return;
    p->right = tl_v3(-sin(a), cos(a), 0);
    p->up = tl_v3(-sin(e) * cos(a), -sin(e) * sin(a), cos(e));
    p->toward = tl_v3(cos(e) * cos(a), cos(e) * sin(a), sin(e));
}

void tl_picture_to_page(const tl_picture *p, const double x[3], double page[2])
{
    page[0] = p->left + p->scale * tl_dot(p->right, tl_load3(x));
    page[1] = p->top - p->scale * tl_dot(p->up, tl_load3(x));
}

void tl_picture_point(const tl_picture *p, int body, const double local[3], double page[2])
{
    double x[3];
    tl_replay_to_world(p->frame, body, local, x);
    tl_picture_to_page(p, x, page);
}

void tl_picture_include(tl_picture *p, const double x[3], double rim)
{
    const double seen[2] = {tl_dot(p->right, tl_load3(x)), tl_dot(p->up, tl_load3(x))};
    if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]) || !isfinite(rim)) return;
    for (int k = 0; k < 2; k++) {
        p->low[k] = fmin(p->low[k], seen[k] - rim);
        p->high[k] = fmax(p->high[k], seen[k] + rim);
    }
    for (int k = 0; k < 3; k++) {
        p->corner[k] = fmin(p->corner[k], x[k] - rim);
        p->far[k] = fmax(p->far[k], x[k] + rim);
    }
}

int tl_picture_joints_of(const tl_picture *p, int body, int *joint, int most)
{
    int n = 0;
    for (int k = 0; k < 2 * p->run->joints && n < most; k++)
        if (p->run->joint[k / 2].body[k % 2] == body) joint[n++] = k;
    return n;
}

bool tl_picture_has_shape(const tl_picture *p, int body)
{
    for (int i = 0; i < p->run->shapes; i++)
        if (p->run->shape[i].body == body) return true;
    return false;
}

/* What has an end decides what is seen; half-planes and half-spaces only pass through their points. */
static void measure(tl_picture *p)
{
    double x[3];
    for (int k = 0; k < 3; k++) p->corner[k] = (double)INFINITY, p->far[k] = -(double)INFINITY;
    for (int k = 0; k < 2; k++) p->low[k] = (double)INFINITY, p->high[k] = -(double)INFINITY;
    for (int i = 0; i < p->run->shapes; i++) {
        const tl_replay_shape *s = &p->run->shape[i];
        const bool endless = s->kind == REPLAY_HALF_PLANE || s->kind == REPLAY_HALF_SPACE;
        if (!tl_replay_is_there(p->frame, s->body)) continue;
        for (int k = 0; k < (endless ? 1 : s->points); k++) {
            tl_replay_to_world(p->frame, s->body, tl_picture_corner(p, s, k), x);
            if (!endless || p->run->dimension == 2) tl_picture_include(p, x, s->radius);
        }
    }
    for (int i = 0; i < p->run->joints; i++)
        for (int side = 0; side < 2; side++) {
            tl_replay_to_world(p->frame, p->run->joint[i].body[side], p->run->joint[i].point[side], x);
            tl_picture_include(p, x, 0);
        }
    for (int i = 0; i < p->run->bodies && !(p->low[0] <= p->high[0]); i++) tl_picture_include(p, p->frame->pose[i], 0.5);
    if (!(p->low[0] <= p->high[0])) tl_picture_include(p, (double[3]){0}, 0.5);
    if (p->run->dimension == 3) tl_picture_include_floors(p);
    const double rim = fmax(0.04 * fmax(p->high[0] - p->low[0], p->high[1] - p->low[1]), 1e-9);
    for (int k = 0; k < 2; k++) p->low[k] -= rim, p->high[k] += rim;
    for (int i = 0; i < p->frame->contacts; i++) p->strongest = fmax(p->strongest, p->frame->force[i][0]);
}

/* ---- the page ----------------------------------------------------------------------------------------------------- */

/* Size of the page, and where on it things are. The strip needs the scale, which needs the height of the strip: twice round is enough. */
static void lay_out(tl_picture *p)
{
    const double wide = p->high[0] - p->low[0], tall = p->high[1] - p->low[1];
    const double given_width = p->def->width, given_height = p->def->height;
    int rows = 1;
    for (int round = 0; round < 3; round++) {
        p->width = given_width > 0 ? given_width : LONGER_SIDE * fmin(1, wide / tall);
        p->unit = (given_width > 0 ? fmax(given_width, given_height) : LONGER_SIDE) / LONGER_SIDE;
        p->width = fmax(p->width, 0.3 * LONGER_SIDE * p->unit); /* room for the texts */
        if (given_width > 0) p->width = given_width;
        p->strip = rows * tl_picture_row(p) + 6 * p->unit;
        p->height = given_height > 0 ? given_height : ceil(fmin(p->width * tall / wide, LONGER_SIDE) + p->strip);
        p->width = ceil(p->width);
        const double room = fmax(p->height - p->strip, 1);
        p->scale = fmin(p->width / wide, room / tall);
        p->left = (p->width - p->scale * (p->low[0] + p->high[0])) / 2;
        p->top = (room + p->scale * (p->low[1] + p->high[1])) / 2;
        const int before = rows;
        rows = tl_picture_strip(p, false);
        if (rows == before) break;
    }
}

static void draw(tl_picture *p, bool *memory)
{
    tl_ink(p, TL_PAPER, 1);
    cairo_paint(p->cr);
    cairo_save(p->cr);
    cairo_rectangle(p->cr, 0, 0, p->width, p->height - p->strip);
    cairo_clip(p->cr);
    *memory = p->run->dimension == 2 ? tl_picture_plane(p) : tl_picture_space(p);
    cairo_restore(p->cr);
    tl_picture_strip(p, true);
}

/* A machine may have no fonts at all. cairo's own strokes always work. */
static cairo_font_face_t *find_font(void)
{
    cairo_matrix_t size, place;
    cairo_matrix_init_scale(&size, 12, 12);
    cairo_matrix_init_identity(&place);
    cairo_font_face_t *face = cairo_toy_font_face_create("DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_scaled_font_t *font = cairo_scaled_font_create(face, &size, &place, options);
    const bool works = cairo_scaled_font_status(font) == CAIRO_STATUS_SUCCESS;
    cairo_scaled_font_destroy(font);
    cairo_font_options_destroy(options);
    if (works) return face;
    cairo_font_face_destroy(face);
    return cairo_toy_font_face_create("@cairo:", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
}

/* ---- the file ----------------------------------------------------------------------------------------------------- */

static cairo_status_t write_bytes(void *file, const unsigned char *data, unsigned length)
{
    return fwrite(data, 1, length, file) == length ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

/* Draws into the open file. */
static talus_status produce(tl_picture *p, format as, FILE *out, tl_error *error)
{
    bool memory = true;
    cairo_surface_t *surface = as == PNG   ? cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)p->width, (int)p->height)
                               : as == SVG ? cairo_svg_surface_create_for_stream(write_bytes, out, p->width, p->height)
                                           : cairo_pdf_surface_create_for_stream(write_bytes, out, p->width, p->height);
    if (as == SVG) cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX);
    p->cr = cairo_create(surface);
    draw(p, &memory);
    cairo_status_t status = cairo_status(p->cr);
    cairo_destroy(p->cr);
    p->cr = NULL;
    if (status == CAIRO_STATUS_SUCCESS && as == PNG) status = cairo_surface_write_to_png_stream(surface, write_bytes, out);
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    if (!memory || status == CAIRO_STATUS_NO_MEMORY) return tl_fail(error, TALUS_MEMORY, "memory ran out");
    if (status == CAIRO_STATUS_SUCCESS || status == CAIRO_STATUS_WRITE_ERROR) return TALUS_OK; /* the file knows better what was wrong with it */
    return tl_fail(error, TALUS_IO, "cannot draw: %s", cairo_status_to_string(status));
}

static talus_status write_picture(tl_picture *p, format as, tl_error *error)
{
    const char *path = p->def->path;
    FILE *out = fopen(path, "wb");
    if (!out) return tl_fail(error, TALUS_IO, "cannot write '%s': %s", path, strerror(errno));
    errno = 0;
    talus_status status = produce(p, as, out, error);
    const bool wrong = ferror(out) != 0;
    if ((fclose(out) != 0 || wrong) && status == TALUS_OK) status = tl_fail(error, TALUS_IO, "cannot write '%s': %s", path, strerror(errno ? errno : EIO));
    if (status != TALUS_OK && tl_may_replace(path)) remove(path);
    return status;
}

/* From the frame that was read to the file. */
static talus_status make(const talus_picture_def *def, format as, const tl_replay *run, const tl_replay_frame *frame, tl_error *error)
{
    tl_picture p = {.run = run, .frame = frame, .def = def, .font = find_font()};
    cairo_surface_t *ruler = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 1, 1); /* texts are measured before there is a page */
    p.cr = cairo_create(ruler);
    cairo_surface_destroy(ruler);
    talus_status status = tl_picture_choose_colours(&p) ? TALUS_OK : tl_fail(error, TALUS_MEMORY, "memory ran out");
    if (status == TALUS_OK) {
        aim(&p);
        measure(&p);
        lay_out(&p);
    }
    cairo_destroy(p.cr);
    if (status == TALUS_OK) status = write_picture(&p, as, error);
    cairo_font_face_destroy(p.font);
    free(p.colour);
    return status;
}

static talus_status check(const talus_picture_def *d, format *as, tl_error *error)
{
    if (!d->directory || !d->path) return tl_fail(error, TALUS_INPUT, "picture: wants the directory of a run, and a path to write to");
    const size_t length = strlen(d->path);
    for (*as = PNG; *as < FORMATS; (*as)++)
        if (length > 4 && strcasecmp(d->path + length - 4, SUFFIX[*as]) == 0) break;
    if (*as == FORMATS) return tl_fail(error, TALUS_INPUT, "a picture is a .png, .svg or .pdf, which '%s' is not", d->path);
    const bool free_size = d->width == 0 && d->height == 0;
    if (!free_size && (d->width < SMALLEST || d->height < SMALLEST || d->width > LARGEST || d->height > LARGEST))
        return tl_fail(error, TALUS_INPUT, "a picture of %d x %d pixels: each side may be from %d to %d", d->width, d->height, SMALLEST, LARGEST);
    if (!isfinite(d->azimuth) || !(fabs(d->elevation) <= TL_PI / 2 * (1 + 1e-12)))
        return tl_fail(error, TALUS_INPUT, "a view from azimuth %g and elevation %g: the elevation lies between straight down and straight up", d->azimuth,
                       d->elevation);
    if (isnan(d->time)) return tl_fail(error, TALUS_INPUT, "the time of a picture is no number");
    if ((unsigned)d->colour > TALUS_PICTURE_MATERIAL) return tl_fail(error, TALUS_INPUT, "there is no colouring %d", (int)d->colour);
    return TALUS_OK;
}

talus_status talus_picture_write(const talus_picture_def *def, char *message, size_t message_size)
{
    tl_replay run = {.file = -1};
    tl_replay_frame frame = {0};
    tl_error error = {0};
    format as = PNG;
    talus_picture_def own = talus_picture_def_default();
    talus_status status =
        tl_take_def(&own, sizeof own, def) ? check(&own, &as, &error) : tl_fail(&error, TALUS_INPUT, "picture: begin with talus_picture_def_default()");
    def = &own;
    if (status == TALUS_OK) status = tl_replay_open(&run, def->directory, &error);
    if (status == TALUS_OK) {
        status = tl_replay_read(&run, tl_replay_nearest(&run, def->time), &frame, &error);
        if (status == TALUS_OK) status = make(def, as, &run, &frame, &error);
        tl_replay_frame_free(&frame);
        tl_replay_close(&run);
    }
    if (message && message_size) snprintf(message, message_size, "%s", error.text);
    return status;
}
