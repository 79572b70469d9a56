/* Pictures read back: runs of a command, pixels, and a spatial run of a few bodies written by hand. */
#ifndef TALUS_TEST_SHOT_H
#define TALUS_TEST_SHOT_H

#include <cairo.h>
#include <ftw.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "record/record.h"
#include "record/replay.h"
#include "test.h"

static char home[64];

static inline int remove_one(const char *path, const struct stat *s, int kind, struct FTW *walk)
{
    (void)s, (void)kind, (void)walk;
    return remove(path);
}

/* `talus ARGUMENTS` in home, both outputs into `said` (may be NULL); the exit code. */
static inline int talus(const char *arguments, char *said, size_t room)
{
    char command[2048];
    snprintf(command, sizeof command, "cd '%s' && '%s' %s 2>&1", home, TALUS_COMMAND, arguments);
    FILE *pipe = popen(command, "r");
    if (!pipe) exit(1);
    char text[8192] = "";
    text[fread(text, 1, sizeof text - 1, pipe)] = '\0';
    const int status = pclose(pipe), code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (said) snprintf(said, room, "%s", text);
    else if (code != 0) TEST_FAIL("talus %s: %d: %s", arguments, code, text);
    return code;
}

static inline void write_text(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", home, name);
    FILE *out = fopen(path, "w");
    if (!out || fputs(text, out) < 0 || fclose(out) != 0) exit(1);
}

/* ---- pixels ------------------------------------------------------------------------------------------------------- */

typedef struct image {
    int width, height, stride;
    const unsigned char *data;
    cairo_surface_t *surface;
} image;

typedef struct pixel {
    double r, g, b;
} pixel;

static inline image open_image(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", home, name);
    image i = {.surface = cairo_image_surface_create_from_png(path)};
    if (cairo_surface_status(i.surface) != CAIRO_STATUS_SUCCESS) {
        TEST_FAIL("'%s' is no PNG", path);
        exit(1);
    }
    i.width = cairo_image_surface_get_width(i.surface), i.height = cairo_image_surface_get_height(i.surface);
    i.stride = cairo_image_surface_get_stride(i.surface), i.data = cairo_image_surface_get_data(i.surface);
    return i;
}

static inline void close_image(image *i) { cairo_surface_destroy(i->surface); }

static inline pixel pixel_at(const image *i, double x, double y)
{
    if (!(x >= 0 && y >= 0 && x < i->width && y < i->height)) {
        TEST_FAIL("(%g, %g) is not in a picture of %d x %d", x, y, i->width, i->height);
        return (pixel){-1, -1, -1};
    }
    uint32_t v;
    memcpy(&v, i->data + (size_t)y * (size_t)i->stride + 4 * (size_t)x, sizeof v);
    return (pixel){(v >> 16 & 255) / 255.0, (v >> 8 & 255) / 255.0, (v & 255) / 255.0};
}

static inline bool is_paper(pixel p) { return p.r > 0.97 && p.g > 0.97 && p.b > 0.955 && p.b < p.r; }
static inline bool is_stone(pixel p) { return p.r > p.g + 0.01 && p.g > p.b + 0.01 && p.r < 0.95 && p.b > 0.6; }
static inline bool is_blue(pixel p) { return p.b > p.r + 0.2; }
static inline bool is_red(pixel p) { return p.r > p.g + 0.25 && p.r > p.b + 0.25; }

/* ---- a run in space ----------------------------------------------------------------------------------------------- */

typedef struct body3 {
    int kind, material;    /* a tl_replay_kind: ball, capsule along y, box, or mesh of one triangle */
    double at[3], size[3]; /* radius; radius and half the length; half the sides; the triangle: TRIANGLE */
    bool fixed;
} body3;

static inline void whole(hid_t file, const char *name, int n, const int32_t *data)
{
    const hsize_t shape = (hsize_t)n;
    CHECK(tl_h5_write(file, &(tl_h5_set){name, H5T_NATIVE_INT32, 1, &shape, "1", "of a test"}, data));
}

static inline void names(hid_t file, const char *set, const char *const *name, int n) { CHECK(tl_h5_write_texts(file, set, name, (hsize_t)n, "of a test")); }

enum { MOST_BODIES = 16 };

/* Corners of every mesh, each times the body's size. */
static const double TRIANGLE[3][3] = {{1, -1, -1}, {-1, 1, -1}, {0, 0, 1}};

static inline void write_shapes(hid_t file, const body3 *body, int n)
{
    static const int32_t FACE[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    int32_t index[MOST_BODIES], kind[MOST_BODIES], material[MOST_BODIES], first[MOST_BODIES], count[MOST_BODIES], first_face[MOST_BODIES];
    int32_t faces[MOST_BODIES], end[6 * MOST_BODIES], corner[24 * MOST_BODIES];
    double point[8 * MOST_BODIES][3] = {{0}}, radius[MOST_BODIES];
    int points = 0, all_faces = 0, corners = 0;
    for (int i = 0; i < n; i++) {
        const bool box = body[i].kind == REPLAY_POLYHEDRON, mesh = body[i].kind == REPLAY_MESH, capsule = body[i].kind == REPLAY_CAPSULE;
        index[i] = i, kind[i] = body[i].kind, material[i] = body[i].material, first[i] = points, count[i] = box ? 8 : mesh ? 3 : capsule ? 2 : 1;
        first_face[i] = all_faces, faces[i] = box ? 6 : mesh ? 1 : 0, radius[i] = box || mesh ? 0 : body[i].size[0];
        for (int c = 0; c < count[i]; c++, points++)
            for (int k = 0; k < 3; k++)
                point[points][k] = (box ? (c >> (2 - k) & 1 ? 1 : -1) : mesh ? TRIANGLE[c][k] : capsule && k == 1 ? 2 * c - 1 : 0) * body[i].size[k];
        for (int f = 0; f < faces[i]; f++, all_faces++) {
            for (int k = 0; k < (mesh ? 3 : 4); k++) corner[corners++] = mesh ? k : FACE[f][k];
            end[all_faces] = corners;
        }
    }
    const hsize_t shapes = (hsize_t)n, point_shape[2] = {(hsize_t)points, 3};
    whole(file, "shapes/body", n, index), whole(file, "shapes/kind", n, kind), whole(file, "shapes/material", n, material);
    whole(file, "shapes/first_point", n, first), whole(file, "shapes/point_count", n, count);
    whole(file, "shapes/first_face", n, first_face), whole(file, "shapes/face_count", n, faces);
    whole(file, "shapes/face_end", all_faces, end), whole(file, "shapes/corner", corners, corner);
    CHECK(tl_h5_write(file, &(tl_h5_set){"shapes/radius", H5T_NATIVE_DOUBLE, 1, &shapes, "m", "of a test"}, radius));
    CHECK(tl_h5_write(file, &(tl_h5_set){"shapes/points", H5T_NATIVE_DOUBLE, 2, point_shape, "m", "of a test"}, point));
}

/* One frame of bodies at rest, without contacts, in home/NAME. */
static inline void write_run(const char *name, const body3 *body, int n)
{
    static const char *const MATERIAL[4] = {"sand", "slate", "brick", "moss"}, *const NONE[MOST_BODIES] = {"", "", "", "", "", "", "", "",
                                                                                                           "", "", "", "", "", "", "", ""};
    char path[256];
    tl_error error = {0};
    snprintf(path, sizeof path, "%s/%s", home, name);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/%s/trajectory.h5", home, name);
    const hid_t file = tl_h5_create(path, &error);
    const hsize_t bodies = (hsize_t)n, one = 1, poses[3] = {1, bodies, 7}, rates[3] = {1, bodies, 6};
    double pose[MOST_BODIES][7] = {{0}}, rate[MOST_BODIES][6] = {{0}}, mass[MOST_BODIES], time = 0;
    const int32_t zero[MOST_BODIES] = {0};
    int32_t fixed[MOST_BODIES];
    const int64_t contacts = 0;
    for (int i = 0; i < n; i++) memcpy(pose[i], body[i].at, sizeof body[i].at), pose[i][3] = 1, mass[i] = 1, fixed[i] = body[i].fixed;
    CHECK(tl_h5_group(file, "bodies") && tl_h5_group(file, "materials") && tl_h5_group(file, "shapes") && tl_h5_group(file, "frames"));
    names(file, "bodies/name", NONE, n), names(file, "materials/name", MATERIAL, 4);
    whole(file, "bodies/kind", n, fixed), whole(file, "bodies/link", n, zero);
    CHECK(tl_h5_write(file, &(tl_h5_set){"bodies/mass", H5T_NATIVE_DOUBLE, 1, &bodies, "kg", "of a test"}, mass));
    CHECK(tl_h5_write(file, &(tl_h5_set){"frames/time", H5T_NATIVE_DOUBLE, 1, &one, "s", "of a test"}, &time));
    CHECK(tl_h5_write(file, &(tl_h5_set){"frames/pose", H5T_NATIVE_DOUBLE, 3, poses, "m", "of a test"}, pose));
    CHECK(tl_h5_write(file, &(tl_h5_set){"frames/velocity", H5T_NATIVE_DOUBLE, 3, rates, "m/s", "of a test"}, rate));
    CHECK(tl_h5_write(file, &(tl_h5_set){"frames/contact_end", H5T_NATIVE_INT64, 1, &one, "1", "of a test"}, &contacts));
    const hsize_t vector = 3;
    CHECK(tl_h5_group(file, "contacts"));
    H5Dclose(tl_h5_growing(file, &(tl_h5_set){"contacts/force", H5T_NATIVE_DOUBLE, 2, &vector, "N", "of a test"}));
    write_shapes(file, body, n);
    H5Fclose(file);
}

/* ---- where it is on the page --------------------------------------------------------------------------------------- */

/* Two balls of brick far to either side, by which the picture is measured; the others are looked at. */
static const double MARKER[2][3] = {{0, -6, 2.4}, {0, 6, 2.4}};
#define MARKERS                                                                                                                                                \
    {REPLAY_SPHERE, 2, {0, -6, 2.4}, {0.15}, false}, { REPLAY_SPHERE, 2, {0, 6, 2.4}, {0.15}, false }

typedef struct space {
    image i;
    double right[3], up[3], toward[3], scale, left, top;
} space;

static inline double along(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* From an azimuth and an elevation in degrees. */
static inline space look(const char *run, double azimuth, double elevation)
{
    char arguments[256];
    snprintf(arguments, sizeof arguments, "shot %s --colour material --view=%g,%g -o space.png", run, azimuth, elevation);
    talus(arguments, NULL, 0);
    const double a = azimuth * M_PI / 180, e = elevation * M_PI / 180;
    space s = {.i = open_image("space.png"),
               .right = {-sin(a), cos(a), 0},
               .up = {-sin(e) * cos(a), -sin(e) * sin(a), cos(e)},
               .toward = {cos(e) * cos(a), cos(e) * sin(a), sin(e)}};
    double middle[2][2] = {{0}}, count[2] = {0}, found = 0, sum = 0, centre = 0;
    for (int round = 0; round < 2; round++, centre = sum / found) /* the first tells left from right */
        for (int y = 0; y < s.i.height - s.i.width / 20; y++)
            for (int x = 0; x < s.i.width; x++) {
                const pixel c = pixel_at(&s.i, x, y);
                if (!(c.r > 1.18 * c.g && c.r > 1.2 * c.b)) continue;
                const int side = x > centre;
                if (round == 0) found++, sum += x;
                else middle[side][0] += x + 0.5, middle[side][1] += y + 0.5, count[side]++;
            }
    CHECK(count[0] > 20 && count[1] > 20);
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 2; k++) middle[side][k] /= count[side];
    const int first = along(s.right, MARKER[0]) < along(s.right, MARKER[1]) ? 0 : 1;
    const double from = along(s.right, MARKER[first]), to = along(s.right, MARKER[1 - first]);
    s.scale = (middle[1][0] - middle[0][0]) / (to - from);
    s.left = middle[0][0] - s.scale * from;
    s.top = middle[0][1] + s.scale * along(s.up, MARKER[first]);
    return s;
}

static inline pixel in_space(const space *s, double x, double y, double z)
{
    const double at[3] = {x, y, z};
    return pixel_at(&s->i, s->left + s->scale * along(s->right, at), s->top - s->scale * along(s->up, at));
}

#endif
