/* Shapes of all bodies, written once into trajectory.h5 (docs/results.md): planar corners in the plane, spatial ones and faces in space. */
#include <stdlib.h>
#include <string.h>

#include "record/record.h"
#include "record/replay.h"

typedef struct shape_table {
    int shapes, points, faces, corners; /* counted by the first pass, used as ends by the second */
    int32_t *body, *kind, *material, *first, *count, *first_face, *face_count, *face_end, *corner, *continues;
    double *radius, *rounding, *point; /* point: [points × 2 or 3] */
} shape_table;

static void free_shapes(shape_table *t)
{
    void *const arrays[] = {t->body,     t->kind,   t->material, t->first,    t->count, t->first_face, t->face_count,
                            t->face_end, t->corner, t->radius,   t->rounding, t->point, t->continues};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
}

static bool make_room(shape_table *t, int dimension)
{
    const size_t n = (size_t)t->shapes + 1;
    int32_t **const tables[] = {&t->body, &t->kind, &t->material, &t->first, &t->count, &t->first_face, &t->face_count, &t->continues};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (!(*tables[i] = calloc(n, sizeof **tables[i]))) return false;
    t->face_end = calloc((size_t)t->faces + 1, sizeof *t->face_end);
    t->corner = calloc((size_t)t->corners + 1, sizeof *t->corner);
    t->radius = calloc(n, sizeof *t->radius);
    t->rounding = calloc(n, sizeof *t->rounding);
    t->point = calloc((size_t)t->points * (size_t)dimension + 1, sizeof *t->point);
    return t->face_end && t->corner && t->radius && t->rounding && t->point;
}

/* What a shape is called in the file. */
static int32_t kind_of(const talus_shape_def *d)
{
    static const int32_t KIND[] = {[TALUS_SHAPE_DISK] = REPLAY_DISK,
                                   [TALUS_SHAPE_SEGMENT] = REPLAY_SEGMENT,
                                   [TALUS_SHAPE_POLYGON] = REPLAY_POLYGON,
                                   [TALUS_SHAPE_HALF_PLANE] = REPLAY_HALF_PLANE,
                                   [TALUS_SHAPE_SPHERE] = REPLAY_SPHERE,
                                   [TALUS_SHAPE_CAPSULE] = REPLAY_CAPSULE,
                                   [TALUS_SHAPE_POLYHEDRON] = REPLAY_POLYHEDRON,
                                   [TALUS_SHAPE_HALF_SPACE] = REPLAY_HALF_SPACE,
                                   [TALUS_SHAPE_MESH] = REPLAY_MESH,
                                   [TALUS_SHAPE_CYLINDER] = REPLAY_CYLINDER};
    return (int)d->kind < (int)REPLAY_KINDS ? KIND[d->kind] : (int32_t)d->kind;
}

static int add_points(shape_table *t, const talus_world *w, talus_body_id body, int k, const talus_shape_def *d, bool write)
{
    enum { MOST = 128 };
    if (talus_world_dimension(w) == 3)
        return talus_body_corners(w, body, k, write ? (double(*)[3])(t->point + 3 * (size_t)t->points) : NULL, write ? d->count : 0);
    double corner[MOST][3];
    const int count = talus_body_corners(w, body, k, corner, MOST);
    for (int i = 0; write && i < count && i < MOST; i++) memcpy(t->point + 2 * ((size_t)t->points + (size_t)i), corner[i], 2 * sizeof *corner[i]);
    return count;
}

static void add_shape(shape_table *t, const talus_world *w, talus_body_id body, int index, int k, bool write)
{
    talus_shape_def d;
    int corners = 0;
    talus_body_shape(w, body, k, &d);
    const int points = add_points(t, w, body, k, &d, write);
    const int faces = talus_body_faces(w, body, k, write ? t->face_end + t->faces : NULL, write ? t->corner + t->corners : NULL, &corners);
    if (write) {
        const int n = t->shapes;
        t->body[n] = index, t->kind[n] = kind_of(&d), t->material[n] = (int32_t)d.material.index1 - 1, t->radius[n] = d.radius, t->rounding[n] = d.rounding;
        t->continues[n] = d.continues;
        t->first[n] = t->points, t->count[n] = points, t->first_face[n] = t->faces, t->face_count[n] = faces;
        for (int f = t->faces; f < t->faces + faces; f++) t->face_end[f] += f > t->faces ? t->face_end[f - 1] : t->corners; /* sizes become ends */
    }
    t->shapes++;
    t->points += points;
    t->faces += faces;
    t->corners += corners;
}

/* Two passes: count, then fill. */
static bool collect(const talus_world *w, shape_table *t)
{
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1 && !make_room(t, talus_world_dimension(w))) return false;
        t->shapes = t->points = t->faces = t->corners = 0;
        for (int i = 0; i < talus_body_count(w); i++) {
            const talus_body_id body = talus_body_at(w, i);
            for (int k = 0; k < talus_body_shape_count(w, body); k++) add_shape(t, w, body, i, k, pass == 1);
        }
    }
    return true;
}

static bool write_column(hid_t file, const char *name, hsize_t count, const int32_t *data, const char *meaning)
{
    return tl_h5_write(file, &(tl_h5_set){name, H5T_NATIVE_INT32, 1, &count, "1", meaning}, data);
}

bool tl_trajectory_shapes(hid_t file, const talus_world *w)
{
    shape_table t = {0};
    const int dimension = talus_world_dimension(w);
    bool done = collect(w, &t);
    const hsize_t n = (hsize_t)t.shapes, points[2] = {(hsize_t)t.points, (hsize_t)dimension};
    done =
        done && write_column(file, "shapes/body", n, t.body, "index into bodies") &&
        write_column(file, "shapes/kind", n, t.kind,
                     "0 disk, 1 segment, 2 polygon, 3 half-plane (point, normal), 4 sphere, 5 capsule, 6 polyhedron, 7 half-space (point, normal), 8 cylinder, "
                     "9 mesh, from 10 on as talus_shape_kind: what defines it, then points of facets for pictures") &&
        write_column(file, "shapes/material", n, t.material, "index into materials") &&
        write_column(file, "shapes/first_point", n, t.first, "first of its points in shapes/points") &&
        write_column(file, "shapes/point_count", n, t.count, "number of its points") &&
        write_column(file, "shapes/continues", n, t.continues, "1: it is a further part of the shape before, which laws of contact take for one") &&
        tl_h5_write(file, &(tl_h5_set){"shapes/radius", H5T_NATIVE_DOUBLE, 1, &n, "m", "of the disk or ball, or of the rounding"}, t.radius) &&
        tl_h5_write(file, &(tl_h5_set){"shapes/points", H5T_NATIVE_DOUBLE, 2, points, "m", "in the axes of the body"}, t.point);
    if (done && dimension == 3)
        done = tl_h5_write(file,
                           &(tl_h5_set){"shapes/rounding", H5T_NATIVE_DOUBLE, 1, &n, "m", "of the edges of a cylinder, within its radius and length; else 0"},
                           t.rounding);
    if (done && (dimension == 3 || t.faces > 0))
        done =
            write_column(file, "shapes/first_face", n, t.first_face, "first of its faces in shapes/face_end") &&
            write_column(file, "shapes/face_count", n, t.face_count, "number of its faces") &&
            write_column(file, "shapes/face_end", (hsize_t)t.faces, t.face_end, "one past the last corner of each face in shapes/corner") &&
            write_column(file, "shapes/corner", (hsize_t)t.corners, t.corner, "a point, counted from the first of its shape; counter-clockwise from outside");
    free_shapes(&t);
    return done;
}
