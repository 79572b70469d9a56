/* Pictures of a run, from trajectory.h5 alone: definitions, frames, files. One picture is a series of one. */
#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cairo-pdf.h>
#include <cairo-svg.h>

#include "record/picture.h"
#include "record/record.h"

enum { SMALLEST = 64, LARGEST = 10000, MOST_OF_RUN = 100 }; /* of a page [pixels]; frames that stand for a run */

typedef enum format { PNG, SVG, PDF, FORMATS } format;
static const char *const SUFFIX[FORMATS] = {".png", ".svg", ".pdf"};

struct talus_pictures {
    talus_picture_def def;
    tl_replay run;
    tl_replay_frame frame;
    tl_picture picture;
    cairo_surface_t *surface; /* of talus_pictures_draw */
    bool chosen;
};

talus_picture_def talus_picture_def_default(void)
{
    return (talus_picture_def){
        .struct_size = sizeof(talus_picture_def), .time = (double)INFINITY, .azimuth = 30 * TL_PI / 180, .elevation = 25 * TL_PI / 180, .deform = 1};
}

/* ---- the page ----------------------------------------------------------------------------------------------------- */

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

static talus_status write_picture(tl_picture *p, format as, const char *path, tl_error *error)
{
    FILE *out = fopen(path, "wb");
    if (!out) return tl_fail(error, TALUS_IO, "cannot write '%s': %s", path, strerror(errno));
    errno = 0;
    talus_status status = produce(p, as, out, error);
    const bool wrong = ferror(out) != 0;
    if ((fclose(out) != 0 || wrong) && status == TALUS_OK) status = tl_fail(error, TALUS_IO, "cannot write '%s': %s", path, strerror(errno ? errno : EIO));
    if (status != TALUS_OK && tl_may_replace(path)) remove(path);
    return status;
}

/* ---- definitions -------------------------------------------------------------------------------------------------- */

static talus_status check_path(const char *path, format *as, tl_error *error)
{
    const size_t length = strlen(path);
    for (*as = PNG; *as < FORMATS; (*as)++)
        if (length > 4 && strcasecmp(path + length - 4, SUFFIX[*as]) == 0) return TALUS_OK;
    return tl_fail(error, TALUS_INPUT, "a picture is a .png, .svg or .pdf, which '%s' is not", path);
}

static talus_status check(const talus_picture_def *d, tl_error *error)
{
    format as;
    if (!d->directory) return tl_fail(error, TALUS_INPUT, "picture: wants the directory of a run");
    if (d->path) TL_TRY(check_path(d->path, &as, error));
    const bool free_size = d->width == 0 && d->height == 0;
    if (!free_size && (d->width < SMALLEST || d->height < SMALLEST || d->width > LARGEST || d->height > LARGEST))
        return tl_fail(error, TALUS_INPUT, "a picture of %d x %d pixels: each side may be from %d to %d", d->width, d->height, SMALLEST, LARGEST);
    if (!isfinite(d->azimuth) || !(fabs(d->elevation) <= TL_PI / 2 * (1 + 1e-12)))
        return tl_fail(error, TALUS_INPUT, "a view from azimuth %g and elevation %g: the elevation lies between straight down and straight up", d->azimuth,
                       d->elevation);
    if (isnan(d->time)) return tl_fail(error, TALUS_INPUT, "the time of a picture is no number");
    if ((unsigned)d->colour > TALUS_PICTURE_CAP) return tl_fail(error, TALUS_INPUT, "there is no colouring %d", (int)d->colour);
    if ((unsigned)d->fit > TALUS_PICTURE_FIT_RUN) return tl_fail(error, TALUS_INPUT, "there is no fit %d of a camera", (int)d->fit);
    if (!isfinite(d->low) || !isfinite(d->high) || d->low > d->high || (d->low == d->high && d->low != 0))
        return tl_fail(error, TALUS_INPUT, "colours from %g to %g: the lower limit comes first", d->low, d->high);
    if (!isfinite(d->cut[0] + d->cut[1] + d->cut[2] + d->cut_at)) return tl_fail(error, TALUS_INPUT, "the plane of a cut is no number");
    if (!isfinite(d->deform)) return tl_fail(error, TALUS_INPUT, "displacements cannot be drawn %g times as large", d->deform);
    return TALUS_OK;
}

/* ---- which bodies are shown ---------------------------------------------------------------------------------------- */

static bool is_of(const tl_replay *r, int body, const char *pattern)
{
    const tl_replay_body *b = &r->body[body];
    if (strcmp(pattern, "links") == 0 && b->link) return true;
    if (strcmp(pattern, "grains") == 0 && tl_replay_is_grain(r, body)) return true;
    if (strcmp(pattern, "solids") == 0 && b->solid) return true;
    if (strcmp(pattern, "boundaries") == 0 && b->kind != 0 && !b->link) return true;
    return b->name[0] && fnmatch(pattern, b->name, 0) == 0;
}

/* A bar without which a link would not be seen. */
static bool is_bare_link(const tl_replay *r, const tl_part *part)
{
    if (part->kind != PART_BAR || part->owner < 0 || !r->body[part->owner].link) return false;
    for (int i = 0; i < r->shapes; i++)
        if (r->shape[i].body == part->owner) return false;
    return true;
}

bool tl_picture_shows_part(const tl_picture *p, const tl_part *part)
{
    if (p->without_joints && part->kind != PART_ROPE && !is_bare_link(p->run, part)) return false;
    return tl_picture_shows(p, part->owner) && tl_picture_shows(p, part->body[0]) && tl_picture_shows(p, part->body[1]);
}

/* The names of a run, as many as there is room for. */
static void list_names(const tl_replay *r, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < r->bodies && used + 8 < size; i++) {
        if (!r->body[i].name[0]) continue;
        const int n = snprintf(out + used, size - used, "%s%s", used ? ", " : "", r->body[i].name);
        if (n < 0 || (size_t)n >= size - used - 8) {
            snprintf(out + used, size - used, ", ...");
            return;
        }
        used += (size_t)n;
    }
}

static talus_status show(talus_pictures *s, const char *list, tl_showing as, tl_error *error)
{
    char pattern[256], names[512];
    while (list && *list) {
        const size_t length = strcspn(list, ",");
        int found = 0;
        snprintf(pattern, sizeof pattern, "%.*s", (int)(length < sizeof pattern ? length : 0), list);
        if (as == TL_HIDDEN && strcmp(pattern, "joints") == 0) s->picture.without_joints = true, found++;
        for (int i = 0; i < s->run.bodies; i++)
            if (is_of(&s->run, tl_replay_original(&s->run, i), pattern)) s->picture.showing[i] = as, found++;
        if (!found) {
            list_names(&s->run, names, sizeof names);
            return tl_fail(error, TALUS_INPUT, "no body is called '%.*s' in '%s'; there are %s%sgrains, links%s and boundaries%s", (int)length, list,
                           s->def.directory, names, names[0] ? "; and the groups " : "the groups ", s->run.solids > 0 ? ", solids" : "",
                           as == TL_HIDDEN ? ", and joints" : "");
        }
        list += length + (list[length] == ',');
    }
    return TALUS_OK;
}

/* ---- series ------------------------------------------------------------------------------------------------------- */

static talus_status open_series(const talus_picture_def *def, talus_pictures *s, tl_error *error)
{
    if (!tl_take_def(&s->def, sizeof s->def, def)) return tl_fail(error, TALUS_INPUT, "picture: begin with talus_picture_def_default()");
    TL_TRY(check(&s->def, error));
    TL_TRY(tl_replay_open(&s->run, s->def.directory, error));
    TL_TRY(tl_replay_come_near(&s->run, error));
    s->def.cut_at -= tl_dot(tl_load3(s->def.cut), tl_load3(s->run.origin));
    TL_TRY(tl_replay_wrap(&s->run, error));
    if (s->run.dimension == 2 && (s->def.cut[0] != 0 || s->def.cut[1] != 0 || s->def.cut[2] != 0))
        return tl_fail(error, TALUS_INPUT, "'%s' is a run in the plane, which nothing cuts", s->def.directory);
    if (s->run.solids == 0 && s->def.colour > TALUS_PICTURE_MATERIAL)
        return tl_fail(error, TALUS_INPUT, "'%s' has no finite-element solids whose stress, displacement or yielding could be shown", s->def.directory);
    tl_picture *p = &s->picture;
    *p = (tl_picture){.run = &s->run, .frame = &s->frame, .def = &s->def, .font = find_font(), .decimals = -1};
    p->colour = calloc((size_t)s->run.bodies + 1, sizeof *p->colour);
    p->showing = calloc((size_t)s->run.bodies + 1, sizeof *p->showing);
    p->mesh = calloc((size_t)s->run.solids + 1, sizeof *p->mesh);
    if (!p->colour || !p->showing || !p->mesh) return tl_fail(error, TALUS_MEMORY, "memory ran out");
    TL_TRY(show(s, s->def.fade, TL_FADED, error));
    TL_TRY(show(s, s->def.hide, TL_HIDDEN, error));
    TL_TRY(tl_skeleton_make(&p->skeleton, &s->run, error));
    tl_picture_name_colours(p);
    tl_picture_aim(p);
    return TALUS_OK;
}

static talus_status none_open(tl_error *error) { return tl_fail(error, TALUS_INPUT, "pictures: none are open, or NULL was given for what is wanted"); }

static talus_status said(talus_status status, const tl_error *error, char *message, size_t size)
{
    if (message && size) snprintf(message, size, "%s", error->text);
    return status;
}

talus_status talus_pictures_open(const talus_picture_def *def, talus_pictures **out, char *message, size_t message_size)
{
    tl_error error = {0};
    talus_pictures *s = out ? calloc(1, sizeof *s) : NULL;
    if (!out) return said(none_open(&error), &error, message, message_size);
    *out = NULL;
    if (!s) return said(tl_fail(&error, TALUS_MEMORY, "memory ran out"), &error, message, message_size);
    s->run.file = -1;
    s->def = talus_picture_def_default();
    const talus_status status = open_series(def, s, &error);
    if (status == TALUS_OK) *out = s;
    else talus_pictures_close(s);
    return said(status, &error, message, message_size);
}

void talus_pictures_close(talus_pictures *s)
{
    if (!s) return;
    if (s->picture.font) cairo_font_face_destroy(s->picture.font);
    if (s->surface) cairo_surface_destroy(s->surface);
    free(s->picture.colour), free(s->picture.showing);
    tl_picture_free_meshes(&s->picture);
    tl_skeleton_free(&s->picture.skeleton);
    tl_replay_frame_free(&s->frame);
    if (s->run.file >= 0) tl_replay_close(&s->run);
    free(s);
}

int talus_pictures_frame_count(const talus_pictures *s) { return s ? s->run.frames : 0; }
double talus_pictures_time(const talus_pictures *s, int frame) { return s && frame >= 0 && frame < s->run.frames ? s->run.time[frame] : (double)NAN; }
int talus_pictures_nearest(const talus_pictures *s, double time) { return s ? tl_replay_nearest(&s->run, time) : 0; }

/* Texts are measured before there is a page. */
static void lay_out(tl_picture *p)
{
    cairo_surface_t *ruler = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 1, 1);
    p->cr = cairo_create(ruler);
    cairo_surface_destroy(ruler);
    tl_picture_lay_out(p);
    cairo_destroy(p->cr);
    p->cr = NULL;
}

/* Camera and scales for these frames. */
static talus_status survey(talus_pictures *s, const int *frame, int count, tl_error *error)
{
    tl_picture *p = &s->picture;
    double *room = calloc(3 * (size_t)count + 1, sizeof *room);
    tl_picture_survey all = {.strongest = room, .value = room ? room + count : NULL, .largest = room ? room + 2 * (size_t)count : NULL};
    talus_status status = room ? TALUS_OK : tl_fail(error, TALUS_MEMORY, "memory ran out");
    tl_picture_survey_begin(p);
    for (int i = 0; i < count && status == TALUS_OK; i++) {
        status = tl_replay_read(&s->run, frame[i], &s->frame, error);
        if (status == TALUS_OK) status = tl_picture_read_meshes(p, frame[i], error);
        if (status == TALUS_OK && !tl_picture_survey_add(p, &all)) status = tl_fail(error, TALUS_MEMORY, "memory ran out");
    }
    if (status == TALUS_OK) {
        tl_picture_survey_end(p, &all);
        lay_out(p);
    }
    free(room);
    return status;
}

/* As many as tell the times of frames apart, and up to two more where it takes them to write the times as they are. */
static int decimals_for(const tl_replay *run, const int *frame, int count)
{
    double gap = (double)INFINITY;
    for (int i = 1; i < count; i++)
        if (run->time[frame[i]] > run->time[frame[i - 1]]) gap = fmin(gap, run->time[frame[i]] - run->time[frame[i - 1]]);
    if (!isfinite(gap)) return -1;
    const int least = (int)fmin(fmax(ceil(-log10(gap) - 1e-6), 0), 9);
    for (int n = least; n < least + 3; n++) {
        int exact = 0;
        for (int i = 0; i < count; i++) exact += fabs(run->time[frame[i]] * pow(10, n) - rint(run->time[frame[i]] * pow(10, n))) < 1e-3;
        if (exact == count) return n;
    }
    return least;
}

static talus_status choose(talus_pictures *s, const int *frame, int count, tl_error *error)
{
    for (int i = 0; i < count; i++)
        if (frame[i] < 0 || frame[i] >= s->run.frames || (i > 0 && frame[i] < frame[i - 1]))
            return tl_fail(error, TALUS_INPUT, "frame %d of '%s': they rise, and there are 0 to %d", frame[i], s->def.directory, s->run.frames - 1);
    if (count < 1) return tl_fail(error, TALUS_INPUT, "no frame of '%s' is chosen", s->def.directory);
    s->picture.decimals = decimals_for(&s->run, frame, count);
    s->chosen = true;
    if (s->def.fit == TALUS_PICTURE_FIT_FRAME) return TALUS_OK;
    if (s->def.fit == TALUS_PICTURE_FIT_DRAWN) return survey(s, frame, count, error);
    const int frames = s->run.frames, some = frames < MOST_OF_RUN ? frames : MOST_OF_RUN;
    int *all = calloc((size_t)count + MOST_OF_RUN, sizeof *all);
    if (!all) return tl_fail(error, TALUS_MEMORY, "memory ran out");
    memcpy(all, frame, (size_t)count * sizeof *all);
    for (int i = 0; i < some; i++) all[count + i] = some > 1 ? (int)((int64_t)i * (frames - 1) / (some - 1)) : 0;
    const talus_status status = survey(s, all, count + some, error);
    free(all);
    return status;
}

talus_status talus_pictures_choose(talus_pictures *s, const int *frame, int count, char *message, size_t message_size)
{
    tl_error error = {0};
    return said(s && frame ? choose(s, frame, count, &error) : none_open(&error), &error, message, message_size);
}

/* Reads a frame and gets everything ready to draw it. */
static talus_status prepare(talus_pictures *s, int frame, tl_error *error)
{
    if (!s->chosen) TL_TRY(choose(s, &frame, 1, error));
    if (frame < 0 || frame >= s->run.frames) return tl_fail(error, TALUS_INPUT, "there is no frame %d in '%s'", frame, s->def.directory);
    if (s->def.fit == TALUS_PICTURE_FIT_FRAME) TL_TRY(survey(s, &frame, 1, error));
    TL_TRY(tl_replay_read(&s->run, frame, &s->frame, error));
    TL_TRY(tl_picture_read_meshes(&s->picture, frame, error));
    return tl_picture_choose_colours(&s->picture) ? TALUS_OK : tl_fail(error, TALUS_MEMORY, "memory ran out");
}

static talus_status write_frame(talus_pictures *s, int frame, const char *path, tl_error *error)
{
    format as;
    TL_TRY(check_path(path, &as, error));
    TL_TRY(prepare(s, frame, error));
    return write_picture(&s->picture, as, path, error);
}

talus_status talus_pictures_write(talus_pictures *s, int frame, const char *path, char *message, size_t message_size)
{
    tl_error error = {0};
    return said(s && path ? write_frame(s, frame, path, &error) : none_open(&error), &error, message, message_size);
}

static talus_status draw_frame(talus_pictures *s, int frame, tl_error *error)
{
    tl_picture *p = &s->picture;
    bool memory = true;
    TL_TRY(prepare(s, frame, error));
    if (!s->surface || cairo_image_surface_get_width(s->surface) != (int)p->width || cairo_image_surface_get_height(s->surface) != (int)p->height) {
        if (s->surface) cairo_surface_destroy(s->surface);
        s->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)p->width, (int)p->height);
    }
    p->cr = cairo_create(s->surface);
    draw(p, &memory);
    const cairo_status_t status = cairo_status(p->cr);
    cairo_destroy(p->cr);
    p->cr = NULL;
    cairo_surface_flush(s->surface);
    if (!memory || status == CAIRO_STATUS_NO_MEMORY) return tl_fail(error, TALUS_MEMORY, "memory ran out");
    return status == CAIRO_STATUS_SUCCESS ? TALUS_OK : tl_fail(error, TALUS_IO, "cannot draw: %s", cairo_status_to_string(status));
}

talus_status talus_pictures_draw(talus_pictures *s, int frame, talus_pixels *out, char *message, size_t message_size)
{
    tl_error error = {0};
    const bool given = s && out;
    const talus_status status = given ? draw_frame(s, frame, &error) : none_open(&error);
    if (given && status == TALUS_OK) {
        out->pixel = (const uint32_t *)(const void *)cairo_image_surface_get_data(s->surface);
        out->width = cairo_image_surface_get_width(s->surface), out->height = cairo_image_surface_get_height(s->surface);
        out->stride = cairo_image_surface_get_stride(s->surface) / 4;
    }
    return said(status, &error, message, message_size);
}

talus_status talus_picture_write(const talus_picture_def *def, char *message, size_t message_size)
{
    tl_error error = {0};
    talus_pictures *s = NULL;
    talus_picture_def own = talus_picture_def_default();
    if (!tl_take_def(&own, sizeof own, def))
        return said(tl_fail(&error, TALUS_INPUT, "picture: begin with talus_picture_def_default()"), &error, message, message_size);
    if (!own.directory || !own.path)
        return said(tl_fail(&error, TALUS_INPUT, "picture: wants the directory of a run, and a path to write to"), &error, message, message_size);
    talus_status status = talus_pictures_open(&own, &s, message, message_size);
    if (status == TALUS_OK) status = talus_pictures_write(s, talus_pictures_nearest(s, own.time), own.path, message, message_size);
    talus_pictures_close(s);
    return status;
}
