/* talus view: a run as one HTML page. The viewer (viewer/, built to one file, part of this program) with the run's streams, its series thinned,
 * its summary and its scene put in at three marks. A page has a size that it must not exceed: lengths are rounded more coarsely, then frames left out,
 * then weak contacts, until it fits; what was left out is said on the page. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "record/page.h"
#include "record/record.h"
#include "record/series.h"

/* viewer_page.S: the built viewer; empty when the program was built without Node.js. */
extern const char tl_viewer_page[], tl_viewer_page_end[];

static const tl_page_level LEVELS[] = {{17, 14, 1024, 23, true}, {15, 11, 1024, 12, true}, {14, 9, 768, 11, false}};
enum { LEVEL_COUNT = sizeof LEVELS / sizeof *LEVELS, STRETCHES = 2000, ROWS = 2 * STRETCHES, POSES = 4000000, FRAMES = 3000 };

typedef struct page {
    const talus_page_def *def;
    tl_replay replay;
    tl_skeleton skeleton;
    tl_series series;
    double *base; /* [columns of the series] that its numbers are written from */
    double *mean; /* [columns of the series][STRETCHES] of a thinned one; NULL: it is whole */
    tl_page_frames frames;
    int level;
    tl_pack pack;
    char *scene, *summary;
    int rows_before; /* of series.csv */
} page;

/* ---- what the run left beside its frames ---------------------------------------------------------------------------- */

/* A text file, or NULL. */
static char *read_text(const char *directory, const char *name)
{
    char path[4096];
    struct stat about;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *in = fopen(path, "rb");
    if (!in) return NULL;
    char *text = fstat(fileno(in), &about) == 0 && about.st_size < 1 << 24 ? malloc((size_t)about.st_size + 1) : NULL;
    if (text) text[fread(text, 1, (size_t)about.st_size, in)] = 0;
    fclose(in);
    return text;
}

/* The first row of a stretch; of the one after the last, the last row. */
static int stretch_begin(const tl_series *s, int stretch) { return stretch < STRETCHES ? (int)((int64_t)stretch * s->rows / STRETCHES) : s->rows - 1; }

/* The mean over a stretch, up to the first row of the next: that of the line through the points, as far as there are numbers. */
static double mean_over(const double *t, const double *x, int first, int last)
{
    double integral = 0, time = 0;
    for (int i = first; i < last; i++) {
        if (!isfinite(x[i] + x[i + 1])) continue;
        integral += 0.5 * (x[i] + x[i + 1]) * (t[i + 1] - t[i]), time += t[i + 1] - t[i];
    }
    return time > 0 ? integral / time : (double)NAN;
}

/* Of every stretch of rows two are left, which hold the least and the largest of each column in their order: peaks survive. Means would not, so those of
 * stretches go with them. False: no memory. */
static bool thin(page *p)
{
    tl_series *s = &p->series;
    if (s->rows <= ROWS) return true;
    p->mean = calloc((size_t)s->columns * STRETCHES, sizeof *p->mean);
    if (!p->mean) return false;
    for (int k = 0; k < s->columns; k++)
        for (int b = 0; b < STRETCHES; b++) p->mean[k * STRETCHES + b] = mean_over(s->value[0], s->value[k], stretch_begin(s, b), stretch_begin(s, b + 1));
    for (int k = 0; k < s->columns; k++) {
        double *x = s->value[k];
        for (int b = 0; b < STRETCHES; b++) {
            const int first = stretch_begin(s, b), last = b + 1 < STRETCHES ? stretch_begin(s, b + 1) : s->rows;
            int low = first, high = first;
            for (int i = first; i < last; i++) {
                if (x[i] < x[low] || isnan(x[low])) low = i;
                if (x[i] > x[high] || isnan(x[high])) high = i;
            }
            const double one = x[low < high ? low : high], other = x[low < high ? high : low];
            x[(size_t)2 * (size_t)b] = one;
            x[(size_t)2 * (size_t)b + 1] = other;
        }
    }
    s->rows = ROWS;
    return true;
}

/* Where a column is written from. Numbers go in single precision: of a place at map coordinates that would leave decimetres, so what varies little goes as a
 * difference from its least; else small numbers would lose digits. */
static double base_of(const double *x, int rows)
{
    static const double LITTLE = 1.0 / 64;
    double low = (double)INFINITY, high = -(double)INFINITY;
    for (int i = 0; i < rows; i++)
        if (isfinite(x[i])) low = fmin(low, x[i]), high = fmax(high, x[i]);
    return low <= high && high - low <= LITTLE * fmax(fabs(low), fabs(high)) ? low : 0;
}

/* From then on columns and their means are differences from their bases. False: no memory. */
static bool take_bases(page *p)
{
    p->base = calloc((size_t)p->series.columns + 1, sizeof *p->base);
    for (int k = 0; p->base && k < p->series.columns; k++) {
        p->base[k] = base_of(p->series.value[k], p->series.rows);
        for (int i = 0; i < p->series.rows; i++) p->series.value[k][i] -= p->base[k];
        for (int b = 0; p->mean && b < STRETCHES; b++) p->mean[k * STRETCHES + b] -= p->base[k];
    }
    return p->base != NULL;
}

static void pack_series(page *p)
{
    const tl_series *s = &p->series;
    const size_t rows = (size_t)s->rows;
    double *all = malloc((size_t)s->columns * rows * sizeof *all + 1);
    if (!all) p->pack.failed = true;
    for (int k = 0; all && k < s->columns && s->rows > 0; k++) memcpy(all + (size_t)k * rows, s->value[k], rows * sizeof *all);
    if (all) tl_pack_reals(&p->pack, "series", all, s->columns * s->rows, 23);
    if (p->mean) tl_pack_reals(&p->pack, "series_mean", p->mean, s->columns * STRETCHES, 23);
    free(all);
}

static void pack_times(page *p)
{
    double *time = malloc((size_t)p->frames.count * sizeof *time + 1);
    if (!time) p->pack.failed = true;
    for (int k = 0; time && k < p->frames.count; k++) time[k] = p->replay.time[p->frames.first + k * p->frames.stride];
    if (time) tl_pack_reals(&p->pack, "time", time, p->frames.count, 23);
    free(time);
}

/* ---- fitting -------------------------------------------------------------------------------------------------------- */

/* Bytes of the page with what is packed so far. */
static double page_bytes(const page *p)
{
    const size_t texts = (p->scene ? strlen(p->scene) : 0) + (p->summary ? strlen(p->summary) : 0);
    return (double)(tl_viewer_page_end - tl_viewer_page) + 4.0 / 3.0 * (double)p->pack.bytes + 1.2 * (double)texts + 16384;
}

static void show_frames(page *p, int stride)
{
    p->frames.stride = stride;
    p->frames.first = 0;
    p->frames.count = (p->replay.frames - 1) / stride + 1;
}

/* Everything but the contacts, at a level. */
static talus_status pack_without_contacts(page *p, tl_error *error)
{
    const tl_page_level *level = &LEVELS[p->level];
    tl_pack_free(&p->pack);
    pack_times(p);
    pack_series(p);
    tl_page_pack_shapes(&p->pack, &p->replay, &p->skeleton, level);
    tl_page_pack_solids(&p->pack, &p->replay);
    TL_TRY(tl_page_pack_motion(&p->pack, &p->replay, level, &p->frames, error));
    return p->pack.failed ? tl_fail(error, TALUS_MEMORY, "memory ran out") : TALUS_OK;
}

/* Bytes of the frames at a level, from three short pieces of the run; and of a contact. */
static talus_status estimate(const page *p, double *motion, double *contact, tl_error *error)
{
    enum { PIECE = 12 };
    tl_pack pack = {0};
    talus_status status = TALUS_OK;
    int frames = 0;
    int64_t contacts = 0;
    size_t bytes = 0;
    for (int k = 0; k < 3 && status == TALUS_OK; k++) {
        tl_page_frames piece = p->frames;
        piece.count = piece.count < PIECE ? piece.count : PIECE;
        piece.first = (int)((int64_t)k * (p->frames.count - piece.count) / 2) * piece.stride;
        piece.contacts_kept = 1000;
        status = tl_page_pack_motion(&pack, &p->replay, &LEVELS[p->level], &piece, error);
        const size_t before = pack.bytes;
        if (status == TALUS_OK) status = tl_page_pack_contacts(&pack, &p->replay, &LEVELS[p->level], &piece, error);
        frames += piece.count;
        contacts += piece.contacts_shown;
        bytes += pack.bytes - before;
        pack.streams = 0;
    }
    *contact = contacts > 0 ? (double)bytes / (double)contacts : 4;
    *motion = (double)(pack.bytes - bytes) / frames * p->frames.count;
    if (status == TALUS_OK && pack.failed) status = tl_fail(error, TALUS_MEMORY, "memory ran out");
    tl_pack_free(&pack);
    return status;
}

/* As many contacts as there is room for. */
static talus_status add_contacts(page *p, double each, tl_error *error)
{
    const tl_pack before = p->pack;
    const double room = p->def->bytes - page_bytes(p);
    for (int attempt = 0; attempt < 4; attempt++) {
        const double kept = room * 0.75 * 0.97 / each / p->frames.count;
        p->frames.contacts_kept = kept > 1e6 ? 1000000 : kept < 1 ? 1 : (int)kept;
        p->pack.bytes = before.bytes, p->pack.streams = before.streams;
        TL_TRY(tl_page_pack_contacts(&p->pack, &p->replay, &LEVELS[p->level], &p->frames, error));
        if (p->pack.failed) return tl_fail(error, TALUS_MEMORY, "memory ran out");
        if (page_bytes(p) <= p->def->bytes || p->frames.contacts_kept == 1) break;
        each = (double)(p->pack.bytes - before.bytes) / (double)p->frames.contacts_shown;
    }
    return TALUS_OK;
}

/* The next coarser way to show the run; false: there is none. */
static bool coarser(page *p)
{
    if (p->level + 1 < LEVEL_COUNT) p->level++;
    else if (p->frames.count > 2) show_frames(p, 2 * p->frames.stride);
    else return false;
    return true;
}

static talus_status fit(page *p, tl_error *error)
{
    TL_TRY(tl_page_measure(&p->replay, &p->frames, error));
    show_frames(p, 1);
    const int64_t moving = p->replay.bodies + (int64_t)tl_page_solid_nodes(&p->replay) / 2; /* a node has half of the numbers of a body */
    while (p->frames.count > FRAMES || (p->frames.count > 1 && p->frames.count * moving > POSES)) show_frames(p, p->frames.stride + 1);
    const double share = 0.85; /* of the room: the rest is for contacts */
    double motion, contact;
    do {
        tl_pack_free(&p->pack);
        pack_series(p);
        tl_page_pack_shapes(&p->pack, &p->replay, &p->skeleton, &LEVELS[p->level]);
        tl_page_pack_solids(&p->pack, &p->replay);
        TL_TRY(estimate(p, &motion, &contact, error));
    } while (page_bytes(p) + 4.0 / 3.0 * motion > share * p->def->bytes && coarser(p));
    do TL_TRY(pack_without_contacts(p, error));
    while (page_bytes(p) > (p->frames.contacts > 0 ? 0.92 : 1) * p->def->bytes && coarser(p));
    return add_contacts(p, contact, error);
}

/* ---- writing -------------------------------------------------------------------------------------------------------- */

static void write_base64(FILE *out, const unsigned char *data, size_t bytes)
{
    static const char DIGIT[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char line[4096];
    size_t used = 0;
    for (size_t i = 0; i < bytes; i += 3) {
        const size_t left = bytes - i;
        const uint32_t three = (uint32_t)data[i] << 16 | (left > 1 ? (uint32_t)data[i + 1] << 8 : 0) | (left > 2 ? data[i + 2] : 0);
        line[used++] = DIGIT[three >> 18];
        line[used++] = DIGIT[three >> 12 & 63];
        line[used++] = left > 1 ? DIGIT[three >> 6 & 63] : '=';
        line[used++] = left > 2 ? DIGIT[three & 63] : '=';
        if (used == sizeof line) {
            fwrite(line, 1, used, out);
            used = 0;
        }
    }
    fwrite(line, 1, used, out);
}

static void write_notes(FILE *out, const page *p)
{
    const char *comma = "";
    fputs(",\n\"notes\": [", out);
    if (p->frames.stride > 1) {
        fprintf(out, "\"1 of every %d of the run's %d frames is shown.\"", p->frames.stride, p->replay.frames);
        comma = ", ";
    }
    if (p->frames.contacts_shown < p->frames.contacts) {
        fprintf(out, "%s\"Of each frame the %d strongest contacts are shown (%.0f of %.0f in all); colours by force know all of them.\"", comma,
                p->frames.contacts_kept, (double)p->frames.contacts_shown, (double)p->frames.contacts);
        comma = ", ";
    }
    if (!LEVELS[p->level].velocity) {
        fprintf(out, "%s\"Velocities are means between frames.\"", comma);
        comma = ", ";
    }
    if (p->rows_before > p->series.rows) {
        fprintf(out, "%s\"%d rows of series.csv are thinned to %d; least and largest values are kept, and means.\"", comma, p->rows_before, p->series.rows);
        comma = ", ";
    }
    if (p->replay.aside)
        fprintf(out, "%s\"The picture is about the point (%.10g, %.10g, %.10g) m.\"", comma, p->replay.origin[0], p->replay.origin[1], p->replay.origin[2]);
    fputc(']', out);
}

static void write_names(FILE *out, const page *p)
{
    const tl_replay *r = &p->replay;
    const char *comma = "";
    fputs(",\n\"names\": [", out);
    for (int i = 0; i < r->bodies; i++) {
        if (!r->body[i].name[0]) continue;
        fprintf(out, "%s[%d, ", comma, i);
        tl_json_text(out, r->body[i].name);
        fputc(']', out);
        comma = ", ";
    }
    fputs("],\n\"materials\": [", out);
    for (int i = 0; i < r->materials; i++) {
        fputs(i ? ", " : "", out);
        tl_json_text(out, r->material[i]);
    }
    fputs("],\n\"states\": [", out);
    for (int k = 0; k < r->states; k++) {
        fputs(k ? ", [" : "[", out);
        tl_json_text(out, r->state_name[k]);
        fputs(", ", out);
        tl_json_text(out, r->state_unit[k]);
        fputc(']', out);
    }
    fputs("],\n\"columns\": [", out);
    for (int k = 0; k < p->series.columns; k++) {
        fputs(k ? ", " : "", out);
        tl_json_text(out, p->series.name[k]);
    }
    fputs("],\n\"bases\": [", out);
    for (int k = 0; k < p->series.columns; k++) fprintf(out, "%s%.17g", k ? ", " : "", p->base[k]);
    fputc(']', out);
}

static void write_header(FILE *out, const page *p)
{
    const char *slash = strrchr(p->def->directory, '/');
    fputs("{\"talus\": \"" TALUS_VERSION "\", \"title\": ", out);
    tl_json_text(out, slash && slash[1] ? slash + 1 : p->def->directory);
    fprintf(out,
            ", \"dimension\": %d, \"bodies\": %d, \"frames\": %d, \"rows\": %d, \"extent\": %.9g, \"force\": %.9g, \"octave\": %d, \"octaves\": %d, "
            "\"all_contacts\": %s",
            p->replay.dimension, p->replay.bodies, p->frames.count, p->series.rows, p->frames.extent, p->frames.force, LEVELS[p->level].force, TL_PAGE_OCTAVES,
            p->frames.contacts_shown < p->frames.contacts ? "false" : "true");
    write_notes(out, p);
    write_names(out, p);
    fputs(",\n\"streams\": [", out);
    for (int i = 0; i < p->pack.streams; i++) {
        const tl_stream *s = &p->pack.stream[i];
        fprintf(out, "%s\n{\"name\": \"%s\", \"encoding\": \"%s\", \"rows\": %d, \"columns\": %d, \"planes\": %d, \"step\": %.17g, \"bytes\": %zu}",
                i ? "," : "", s->name, s->encoding, s->rows, s->columns, s->planes, s->step, s->bytes);
    }
    fputs("],\n\"scene\": ", out);
    tl_json_text(out, p->scene ? p->scene : "");
    fputs(",\n\"summary\": ", out);
    tl_json_text(out, p->summary ? p->summary : "");
    fputs("}", out);
}

static bool write_page(FILE *out, const page *p)
{
    static const char HEADER[] = "@@talus-header@@", DATA[] = "@@talus-data@@";
    const size_t length = (size_t)(tl_viewer_page_end - tl_viewer_page);
    const char *header = memmem(tl_viewer_page, length, HEADER, sizeof HEADER - 1), *data = memmem(tl_viewer_page, length, DATA, sizeof DATA - 1);
    if (!header || !data || data < header) return false; /* not a viewer: the build would be wrong */
    fwrite(tl_viewer_page, 1, (size_t)(header - tl_viewer_page), out);
    write_header(out, p);
    header += sizeof HEADER - 1;
    fwrite(header, 1, (size_t)(data - header), out);
    write_base64(out, p->pack.data, p->pack.bytes);
    data += sizeof DATA - 1;
    fwrite(data, 1, (size_t)(tl_viewer_page_end - data), out);
    return true;
}

static talus_status save(const page *p, tl_error *error)
{
    char beside[4096 + 8];
    const bool replaces = tl_may_replace(p->def->path); /* else it is written through: a pipe, a device */
    snprintf(beside, sizeof beside, "%s%s", p->def->path, replaces ? ".tmp" : "");
    FILE *out = fopen(beside, "wb");
    if (!out) return tl_fail(error, TALUS_IO, "cannot write '%s': %s", p->def->path, strerror(errno));
    bool done = write_page(out, p) && fflush(out) == 0 && !ferror(out);
    const int why = errno;
    done = fclose(out) == 0 && done;
    if (done && (!replaces || rename(beside, p->def->path) == 0)) return TALUS_OK;
    if (replaces) remove(beside);
    return tl_fail(error, TALUS_IO, "cannot write '%s': %s", p->def->path, strerror(done ? errno : why));
}

/* ---- the public face ------------------------------------------------------------------------------------------------ */

talus_page_def talus_page_def_default(void) { return (talus_page_def){.struct_size = sizeof(talus_page_def), .bytes = 8e6}; }

bool talus_page_is_built(void) { return tl_viewer_page_end - tl_viewer_page > 1; }

static talus_status make(page *p, tl_error *error)
{
    char path[4096];
    if (!talus_page_is_built())
        return tl_fail(error, TALUS_INPUT, "this talus was built without its viewer: install Node.js 18 and npm (Debian: nodejs npm), then `make build` again");
    snprintf(path, sizeof path, "%s/series.csv", p->def->directory);
    TL_TRY(tl_replay_open(&p->replay, p->def->directory, error));
    TL_TRY(tl_replay_come_near(&p->replay, error));
    TL_TRY(tl_replay_wrap(&p->replay, error));
    TL_TRY(tl_skeleton_make(&p->skeleton, &p->replay, error));
    tl_error none;
    if (tl_series_read(&p->series, path, &none) != TALUS_OK) p->series = (tl_series){0}; /* a page without plots is better than none */
    p->rows_before = p->series.rows;
    if (!thin(p) || !take_bases(p)) return tl_fail(error, TALUS_MEMORY, "memory ran out");
    p->scene = read_text(p->def->directory, "scene.yaml");
    p->summary = read_text(p->def->directory, "summary.json");
    TL_TRY(fit(p, error));
    return save(p, error);
}

talus_status talus_page_write(const talus_page_def *def, char *message, size_t message_size)
{
    talus_page_def own = talus_page_def_default();
    const bool given = tl_take_def(&own, sizeof own, def);
    page p = {.def = &own, .replay = {.file = -1}};
    tl_error error = {0};
    const talus_status status = given && own.directory && own.path
                                    ? make(&p, &error)
                                    : tl_fail(&error, TALUS_INPUT, "page: begin with talus_page_def_default(); it wants the directory of a run, and a path");
    if (message) snprintf(message, message_size, "%s", error.text);
    tl_pack_free(&p.pack);
    tl_series_free(&p.series);
    tl_skeleton_free(&p.skeleton);
    tl_replay_close(&p.replay);
    free(p.base);
    free(p.mean);
    free(p.scene);
    free(p.summary);
    return status;
}
