/* STL and OBJ as they are found in the wild. Of OBJ only v and f matter; polygons become fans of triangles. No count in a file is believed. */
#include "scene/triangles.h"
#include "scene/file.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { HEADER = 80, FACET = 50, MOST = 1 << 24 };

typedef struct reading {
    tl_triangles *out;
    const char *path;
    double scale;
    int line;
    tl_error *error;
} reading;

void tl_triangles_free(tl_triangles *s)
{
    free(s->point);
    free(s->triangle);
    free(s->line);
    *s = (tl_triangles){0};
}

static talus_status no_memory(reading *r) { return tl_fail(r->error, TALUS_MEMORY, "no memory for the triangles of '%s'", r->path); }

/* Room for one more. */
static talus_status grow(reading *r, void *array, int count, int *room, size_t size)
{
    if (count >= MOST) return tl_fail(r->error, TALUS_INPUT, "'%s' has more than %d points or triangles", r->path, MOST);
    return tl_grow(tl_memory_default(), array, room, count + 1, size) == TALUS_OK ? TALUS_OK : no_memory(r);
}

static talus_status add_point(reading *r, const double x[3])
{
    tl_triangles *s = r->out;
    TL_TRY(grow(r, &s->point, s->points, &s->point_room, sizeof *s->point));
    for (int k = 0; k < 3; k++) s->point[s->points][k] = r->scale * x[k];
    s->points++;
    return TALUS_OK;
}

static talus_status add_triangle(reading *r, int a, int b, int c)
{
    tl_triangles *s = r->out;
    TL_TRY(grow(r, &s->triangle, s->triangles, &s->triangle_room, sizeof *s->triangle));
    TL_TRY(grow(r, &s->line, s->triangles, &s->line_room, sizeof *s->line));
    s->line[s->triangles] = r->line > 0 ? r->line : s->triangles + 1;
    s->triangle[s->triangles][0] = a, s->triangle[s->triangles][1] = b, s->triangle[s->triangles][2] = c;
    s->triangles++;
    return TALUS_OK;
}

/* ---- lines -------------------------------------------------------------------------------------------------------- */

static bool is_word(const char *text, const char *word)
{
    const size_t n = strlen(word);
    return strncmp(text, word, n) == 0 && (text[n] == '\0' || isspace((unsigned char)text[n]));
}

/* Three finite numbers. */
static talus_status read_point(reading *r, const char *text)
{
    double x[3];
    for (int k = 0; k < 3; k++) {
        char *end;
        x[k] = strtod(text, &end);
        if (end == text || !isfinite(x[k]) || !isfinite(r->scale * x[k]))
            return tl_fail(r->error, TALUS_INPUT, "%s:%d: three finite numbers are wanted here", r->path, r->line);
        text = end;
    }
    return add_point(r, x);
}

static const char *skip_space(const char *text)
{
    while (*text && isspace((unsigned char)*text)) text++;
    return text;
}

/* "a/texture/normal", counted from 1, or backwards from −1. */
static talus_status read_corner(reading *r, const char **text, int *out)
{
    char *end;
    errno = 0;
    const long number = strtol(*text, &end, 10);
    const int points = r->out->points;
    if (end == *text) return tl_fail(r->error, TALUS_INPUT, "%s:%d: a face wants numbers of points", r->path, r->line);
    if (errno || number == 0 || number > points || number < -points)
        return tl_fail(r->error, TALUS_INPUT, "%s:%d: there is no point %.*s; %d came before this line", r->path, r->line, (int)(end - *text), *text, points);
    *out = (int)(number > 0 ? number - 1 : points + number);
    while (*end && !isspace((unsigned char)*end)) end++;
    *text = skip_space(end);
    return TALUS_OK;
}

static talus_status read_face(reading *r, const char *text)
{
    int corner[3] = {0}, count = 0;
    for (text = skip_space(text); *text && *text != '#'; count++) {
        int next = 0;
        TL_TRY(read_corner(r, &text, &next));
        if (count < 2) {
            corner[count] = next;
            continue;
        }
        corner[2] = next;
        TL_TRY(add_triangle(r, corner[0], corner[1], corner[2]));
        corner[1] = next;
    }
    return count >= 3 ? TALUS_OK : tl_fail(r->error, TALUS_INPUT, "%s:%d: a face has at least three corners", r->path, r->line);
}

static talus_status read_obj_line(reading *r, const char *text)
{
    if (is_word(text, "v")) return read_point(r, text + 1);
    return is_word(text, "f") ? read_face(r, text + 1) : TALUS_OK;
}

static talus_status read_stl_line(reading *r, const char *text)
{
    static const char *const OTHERS[] = {"solid", "facet", "outer", "endfacet", "endsolid"};
    const int points = r->out->points;
    if (is_word(text, "vertex")) return read_point(r, text + strlen("vertex"));
    if (is_word(text, "endloop")) {
        if (points != 3 * r->out->triangles + 3) return tl_fail(r->error, TALUS_INPUT, "%s:%d: a facet has three vertices", r->path, r->line);
        return add_triangle(r, points - 3, points - 2, points - 1);
    }
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++)
        if (is_word(text, OTHERS[i])) return TALUS_OK;
    return *text ? tl_fail(r->error, TALUS_INPUT, "%s:%d: '%.20s' is not part of an STL file", r->path, r->line, text) : TALUS_OK;
}

/* `text` is ended by a zero, and changed: each line becomes a text of its own. */
static talus_status read_lines(reading *r, char *text, size_t size, talus_status (*read)(reading *, const char *))
{
    for (char *at = text; at < text + size;) {
        char *end = memchr(at, '\n', (size_t)(text + size - at));
        if (!end) end = text + size;
        *end = '\0';
        r->line++;
        const char *start = skip_space(at);
        TL_TRY(read(r, start));
        at = end + 1;
    }
    return TALUS_OK;
}

/* ---- binary STL --------------------------------------------------------------------------------------------------- */

static uint32_t little_endian(const unsigned char *b) { return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24; }

static float single(const unsigned char *b)
{
    const uint32_t bits = little_endian(b);
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* 80 bytes of anything, the count, then for each facet normal, three points and two bytes. */
static talus_status read_binary(reading *r, const unsigned char *data, size_t size)
{
    for (size_t at = HEADER + 4; at + FACET <= size; at += FACET) {
        for (int corner = 0; corner < 3; corner++) {
            double x[3];
            for (int k = 0; k < 3; k++) {
                x[k] = (double)single(data + at + 12 + 12 * (size_t)corner + 4 * (size_t)k);
                if (!isfinite(x[k])) return tl_fail(r->error, TALUS_INPUT, "'%s', byte %zu: a coordinate is not finite", r->path, at);
            }
            TL_TRY(add_point(r, x));
        }
        const int n = r->out->points;
        TL_TRY(add_triangle(r, n - 3, n - 2, n - 1));
    }
    return TALUS_OK;
}

/* Text may begin like a binary file, and the other way round: the size decides. */
static bool is_binary(const unsigned char *data, size_t size)
{
    return size >= HEADER + 4 && (size - HEADER - 4) % FACET == 0 && (size - HEADER - 4) / FACET == little_endian(data + HEADER);
}

static talus_status read_stl(reading *r, char *data, size_t size)
{
    if (is_binary((unsigned char *)data, size)) return read_binary(r, (unsigned char *)data, size);
    if (strncmp(skip_space(data), "solid", 5) != 0)
        return tl_fail(r->error, TALUS_INPUT, "'%s' is no STL file: it does not begin with 'solid', and has not the size of a binary one", r->path);
    TL_TRY(read_lines(r, data, size, read_stl_line));
    return r->out->points == 3 * r->out->triangles ? TALUS_OK : tl_fail(r->error, TALUS_INPUT, "'%s' ends within a facet", r->path);
}

/* ---- files -------------------------------------------------------------------------------------------------------- */

/* The whole file, and a zero behind it; NULL: *status says why. */
talus_status tl_triangles_read(tl_triangles *out, const char *path, double scale, tl_error *error)
{
    reading r = {.out = out, .path = path, .scale = scale, .error = error};
    const char *dot = strrchr(path, '.');
    char *data;
    size_t size;
    *out = (tl_triangles){0};
    const bool stl = dot && strcasecmp(dot, ".stl") == 0;
    if (!stl && !(dot && strcasecmp(dot, ".obj") == 0)) return tl_fail(error, TALUS_INPUT, "'%s' is neither .stl nor .obj", path);
    TL_TRY(tl_file_load(path, &data, &size, error));
    talus_status status = stl ? read_stl(&r, data, size) : read_lines(&r, data, size, read_obj_line);
    free(data);
    if (status == TALUS_OK && (out->points == 0 || out->triangles == 0)) status = tl_fail(error, TALUS_INPUT, "'%s' has no triangles", path);
    if (status != TALUS_OK) tl_triangles_free(out);
    return status;
}
