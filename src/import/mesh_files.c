/* Meshes of a robot: where their files are, and copies in the axes of links, in metres, that go with the scene. */
#include "import/import.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scene/triangles.h"

enum { MOST_PIECES = 32 }; /* of which each gets a hull of its own */

/* ---- where a file is ------------------------------------------------------------------------------------------------- */

__attribute__((format(printf, 2, 3))) static bool is_file(char path[4096], const char *format, ...)
{
    struct stat about;
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(path, 4096, format, arguments);
    va_end(arguments);
    return n < 4096 && stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

/* The length of a directory's path without what it ends with: a slash, or its own name and the slash before that. */
static int without_slash(const char *path, int length)
{
    while (length > 1 && path[length - 1] == '/') length--;
    return length;
}

static bool ends_with(const char *path, int length, const char *name, int name_length)
{
    const int before = length - name_length - 1;
    return before >= -1 && strncmp(path + length - name_length, name, (size_t)name_length) == 0 && (before < 0 || path[before] == '/');
}

/* A package in a directory, or the directory itself; the rest of the path with its slash. */
static bool in_package(const char *directory, int length, const char *package, char path[4096])
{
    const char *rest = strchr(package, '/');
    if (!rest) return false;
    length = without_slash(directory, length);
    if (is_file(path, "%.*s/%s", length, directory, package)) return true;
    return ends_with(directory, length, package, (int)(rest - package)) && is_file(path, "%.*s%s", length, directory, rest);
}

/* Of the packages that are given, then of those in which the URDF may lie itself. */
static bool find_package(const tl_import *o, const char *package, char path[4096])
{
    char whole[4096];
    for (int i = 0; i < o->packages; i++)
        if (in_package(o->package[i], (int)strlen(o->package[i]), package, path)) return true;
    if (!realpath(o->path, whole)) return false;
    for (char *slash; (slash = strrchr(whole, '/')) && slash > whole;) {
        *slash = '\0';
        if (in_package(whole, (int)strlen(whole), package, path)) return true;
    }
    return false;
}

bool tl_mesh_find(const tl_import *o, const char *name, char path[4096])
{
    const char *slash = strrchr(o->path, '/');
    const int beside = slash ? (int)(slash - o->path) + 1 : 0;
    if (strncmp(name, "package://", 10) == 0) return find_package(o, name + 10, path);
    if (strncmp(name, "model://", 8) == 0) return find_package(o, name + 8, path);
    if (strncmp(name, "file://", 7) == 0) name += 7;
    if (name[0] == '/') return is_file(path, "%s", name);
    if (is_file(path, "%.*s%s", beside, o->path, name)) return true;
    for (int i = 0; i < o->packages; i++)
        if (is_file(path, "%s/%s", o->package[i], name)) return true;
    return false;
}

/* ---- copies ---------------------------------------------------------------------------------------------------------- */

typedef struct copying {
    const tl_import *o;
    tl_urdf *r;
    const tl_urdf_shape *s;
    tl_mesh_files *out;
    tl_triangles surface;
    int32_t *piece, *same, *number; /* [triangles], [points], [points] */
    double (*point)[3];             /* [points] those of one piece     */
    int number_of_shape;            /* of its link, from 1             */
    tl_error *error;
} copying;

static bool has_suffix(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && (strcasecmp(dot, ".stl") == 0 || strcasecmp(dot, ".obj") == 0);
}

/* The triangles in the axes of the link; false: a note says why there are none. */
static bool read_surface(copying *c)
{
    const tl_urdf_shape *s = c->s;
    char path[4096];
    tl_error error = {0};
    const char *link = c->r->link[s->link].name;
    if (!has_suffix(s->file)) {
        tl_note_add(c->r->notes, s->at, false, "mesh '%.500s' of link '%.100s' is left out: talus reads STL and OBJ; export it as one of these", s->file, link);
        return false;
    }
    if (!tl_mesh_find(c->o, s->file, path)) {
        tl_note_add(c->r->notes, s->at, false, "mesh '%.500s' of link '%.100s' is left out: there is no such file%s", s->file, link,
                    strstr(s->file, "://") ? "; --package DIR says where packages are" : " beside the URDF");
        return false;
    }
    if (tl_triangles_read(&c->surface, path, 1, &error) != TALUS_OK) {
        tl_note_add(c->r->notes, s->at, false, "mesh '%.300s' of link '%.100s' is left out: %.600s", s->file, link, error.text);
        return false;
    }
    for (int i = 0; i < c->surface.points; i++) {
        const double *x = c->surface.point[i];
        const tl_vec3 scaled = tl_v3(s->scale.x * x[0], s->scale.y * x[1], s->scale.z * x[2]);
        tl_store3(c->surface.point[i], tl_add(s->place.p, tl_mat3_apply(&s->place.R, scaled)));
    }
    if (s->scale.x * s->scale.y * s->scale.z < 0) tl_triangles_turn(&c->surface); /* a mirror turns all round */
    return true;
}

/* Points of a piece, each once, into `point`; `number` says where they went. */
static int gather(copying *c, int piece)
{
    int count = 0;
    for (int i = 0; i < c->surface.points; i++) c->number[i] = -1;
    for (int t = 0; t < c->surface.triangles; t++)
        for (int k = 0; k < 3 && (piece < 0 || c->piece[t] == piece); k++) {
            const int32_t i = c->same[c->surface.triangle[t][k]];
            if (c->number[i] >= 0) continue;
            for (int d = 0; d < 3; d++) c->point[count][d] = c->surface.point[i][d];
            c->number[i] = count++;
        }
    return count;
}

/* The triangles of the whole mesh. */
static void write_surface(copying *c, FILE *out, int points)
{
    for (int i = 0; i < points; i++) fprintf(out, "v %.9g %.9g %.9g\n", c->point[i][0], c->point[i][1], c->point[i][2]);
    for (int t = 0; t < c->surface.triangles; t++) {
        const int32_t *v = c->surface.triangle[t];
        fprintf(out, "f %d %d %d\n", c->number[c->same[v[0]]] + 1, c->number[c->same[v[1]]] + 1, c->number[c->same[v[2]]] + 1);
    }
}

/* The mesh, or the hull of a piece, −1: of all, as OBJ; the volume of the hull is added to what the others have. Where there is no hull `why` says it. */
static talus_status write_obj(copying *c, int piece, const char *file, tl_error *why)
{
    char path[4096];
    const char *slash = strrchr(c->o->output, '/');
    const int points = gather(c, piece);
    snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash - c->o->output) + 1 : 0, c->o->output, file);
    FILE *out = fopen(path, "w");
    if (!out) return tl_fail(c->error, TALUS_IO, "cannot write '%s': %s", path, strerror(errno));
    const bool hull = c->o->meshes == TL_MESH_HULL;
    fprintf(out, "# %s of link %s, in its axes, in metres\n", hull ? "a convex hull of a mesh" : "a mesh", c->r->link[c->s->link].word);
    double volume = 0;
    const talus_status status = hull ? tl_hull_write(out, (const double(*)[3])c->point, points, &volume, why) : TALUS_OK;
    if (!hull) write_surface(c, out, points);
    const bool done = ferror(out) == 0;
    if (fclose(out) != 0 || !done) return tl_fail(c->error, TALUS_IO, "cannot write '%s': %s", path, strerror(errno));
    c->out->hull += volume;
    if (status != TALUS_OK) remove(path);
    return status == TALUS_MEMORY ? tl_fail(c->error, TALUS_MEMORY, "no memory for the hull of mesh '%.300s'", c->s->file) : TALUS_OK;
}

static talus_status write_pieces(copying *c, int pieces)
{
    tl_mesh_files *out = c->out;
    char directory[1024], name[1300];
    tl_mesh_directory(c->o, directory);
    out->file = tl_arena_zero(c->r->notes->arena, (size_t)pieces, sizeof *out->file);
    if (!out->file) return tl_fail(c->error, TALUS_MEMORY, "no memory for a mesh");
    for (int k = 0; k < pieces; k++) {
        /* names of links have no dot: a-1.2.obj is the second piece of the first shape of a, and a-1-2.obj the second shape of a-1 */
        const int n = snprintf(name, sizeof name, "%s/%s-%d", directory, c->r->link[c->s->link].word, c->number_of_shape);
        if (pieces > 1) snprintf(name + n, sizeof name - (size_t)n, ".%d.obj", k + 1);
        else snprintf(name + n, sizeof name - (size_t)n, ".obj");
        tl_error why = {0};
        TL_TRY(write_obj(c, pieces > 1 ? k : -1, name, &why));
        if (why.text[0]) {
            tl_note_add(c->r->notes, c->s->at, false, "%s of mesh '%.300s' of link '%.100s' is left out, for it has no hull: %.300s",
                        pieces > 1 ? "a piece" : "all", c->s->file, c->r->link[c->s->link].name, why.text);
            continue;
        }
        char *copy = tl_arena_alloc(c->r->notes->arena, strlen(name) + 1, 1);
        if (!copy) return tl_fail(c->error, TALUS_MEMORY, "no memory for a mesh");
        out->file[out->files++] = strcpy(copy, name);
    }
    return TALUS_OK;
}

/* How far the hull is from the mesh. */
static void say_hull(copying *c, int pieces)
{
    const tl_mesh_files *out = c->out;
    const char *link = c->r->link[c->s->link].name;
    char what[64] = "its convex hull";
    if (pieces > 1) snprintf(what, sizeof what, "the convex hulls of its %d pieces", pieces);
    if (c->o->meshes != TL_MESH_HULL || out->files == 0) return;
    if (!out->closed)
        tl_note_add(c->r->notes, c->s->at, false, "mesh '%.300s' of link '%.100s' becomes %s, %.4g m³; its surface is open, and has no volume to compare",
                    c->s->file, link, what, out->hull);
    else if (fabs(out->hull - out->volume) > 1e-3 * out->volume)
        tl_note_add(c->r->notes, c->s->at, false, "mesh '%.300s' of link '%.100s' becomes %s: %.4g m³ instead of %.4g m³, %.3g %% %s", c->s->file, link, what,
                    out->hull, out->volume, 100 * fabs(out->hull / out->volume - 1), out->hull > out->volume ? "more" : "less");
}

static talus_status copy_surface(copying *c)
{
    tl_orientation o;
    const size_t points = (size_t)c->surface.points;
    c->piece = malloc((size_t)c->surface.triangles * sizeof *c->piece);
    c->same = malloc(points * sizeof *c->same);
    c->number = malloc(points * sizeof *c->number);
    c->point = malloc(points * sizeof *c->point);
    if (!c->piece || !c->same || !c->number || !c->point || tl_triangles_orient(&c->surface, &o) != TALUS_OK)
        return tl_fail(c->error, TALUS_MEMORY, "no memory for a mesh");
    c->out->closed = o.borders == 0 && o.crowded == 0 && o.oriented;
    c->out->volume = fabs(o.volume);
    int pieces = tl_mesh_pieces((const double(*)[3])c->surface.point, c->surface.points, (const int32_t(*)[3])c->surface.triangle, c->surface.triangles,
                                c->piece, c->same);
    if (pieces == 0) return tl_fail(c->error, TALUS_MEMORY, "no memory for a mesh");
    if (c->o->meshes != TL_MESH_HULL || !c->out->closed || pieces > MOST_PIECES) pieces = 1;
    TL_TRY(write_pieces(c, pieces));
    say_hull(c, pieces);
    return TALUS_OK;
}

talus_status tl_mesh_files_write(const tl_import *o, tl_urdf *r, int shape, tl_mesh_files *out, tl_error *error)
{
    copying c = {.o = o, .r = r, .s = &r->shape[shape], .out = out, .error = error, .number_of_shape = 1};
    *out = (tl_mesh_files){0};
    for (int i = 0; i < shape; i++) c.number_of_shape += r->shape[i].link == c.s->link && r->shape[i].visual == c.s->visual;
    const talus_status status = read_surface(&c) ? copy_surface(&c) : TALUS_OK;
    tl_triangles_free(&c.surface);
    void *const all[] = {c.piece, c.same, c.number, c.point};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    return status;
}
