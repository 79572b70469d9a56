/* Reading trajectory.h5 back, whole tables at once, frames one by one. Nothing in the file is believed before it was compared with the rest of it. */
#include "record/replay.h"

#include <stdlib.h>
#include <string.h>

#include "record/record.h"

/* ---- what does not change ----------------------------------------------------------------------------------------- */

/* A one-dimensional set of n numbers, or NULL. */
void *tl_replay_column(const tl_replay *r, const char *name, hid_t type, hsize_t n)
{
    hsize_t shape[3];
    void *data = tl_h5_read(r->file, name, type, shape);
    if (data && shape[0] * shape[1] * shape[2] == n) return data;
    free(data);
    return NULL;
}
static int32_t *whole(const tl_replay *r, const char *name, int n) { return tl_replay_column(r, name, H5T_NATIVE_INT32, (hsize_t)n); }

/* What reads a run reckons with lengths and times: one that is infinite, or no number, would never be reached. */
static bool are_finite(const double *value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(value[i])) return false;
    return true;
}

double *tl_replay_reals(const tl_replay *r, const char *name, int n)
{
    double *data = tl_replay_column(r, name, H5T_NATIVE_DOUBLE, (hsize_t)n);
    if (data && are_finite(data, (size_t)n)) return data;
    free(data);
    return NULL;
}

/* Length of a set's first axis; −1: there is none. */
int tl_replay_length(const tl_replay *r, const char *name)
{
    hsize_t shape[3];
    hid_t set = H5Dopen2(r->file, name, H5P_DEFAULT);
    if (set < 0) return -1;
    const hid_t space = H5Dget_space(set);
    const int rank = H5Sget_simple_extent_ndims(space);
    if (rank >= 1 && rank <= 3) H5Sget_simple_extent_dims(space, shape, NULL);
    H5Sclose(space);
    H5Dclose(set);
    return rank >= 1 && rank <= 3 && shape[0] <= INT32_MAX ? (int)shape[0] : -1;
}

static bool read_bodies(tl_replay *r)
{
    r->bodies = tl_replay_length(r, "bodies/mass");
    if (r->bodies < 0) return false;
    r->own = r->bodies;
    double *mass = tl_replay_reals(r, "bodies/mass", r->bodies);
    int32_t *kind = whole(r, "bodies/kind", r->bodies), *link = whole(r, "bodies/link", r->bodies);
    r->name = tl_h5_read_texts(r->file, "bodies/name", r->bodies);
    r->body = calloc((size_t)r->bodies + 1, sizeof *r->body);
    bool done = mass && kind && link && r->name && r->body;
    for (int i = 0; done && i < r->bodies; i++) done = kind[i] >= TALUS_BODY_FREE && kind[i] <= TALUS_BODY_IMPOSED && mass[i] >= 0;
    for (int i = 0; done && i < r->bodies; i++) r->body[i] = (tl_replay_body){.name = r->name[i], .mass = mass[i], .kind = kind[i], .link = link[i] != 0};
    free(mass);
    free(kind);
    free(link);
    return done;
}

static bool read_points(tl_replay *r)
{
    hsize_t shape[3];
    double *flat = tl_h5_read(r->file, "shapes/points", H5T_NATIVE_DOUBLE, shape);
    const int width = r->dimension;
    r->points = flat && shape[0] <= INT32_MAX ? (int)shape[0] : 0;
    r->point = calloc((size_t)r->points + 1, sizeof *r->point);
    const bool done = flat && r->point && (r->points == 0 || shape[1] == (hsize_t)width) && are_finite(flat, (size_t)r->points * (size_t)width);
    for (int i = 0; done && i < r->points; i++) memcpy(r->point[i], flat + (size_t)i * (size_t)width, (size_t)width * sizeof *flat);
    free(flat);
    return done;
}

static bool read_faces(tl_replay *r, int32_t **first, int32_t **count)
{
    r->faces = tl_replay_length(r, "shapes/face_end");
    if (r->faces < 0) { /* a planar run has none */
        r->faces = 0;
        return (*first = calloc((size_t)r->shapes + 1, sizeof **first)) && (*count = calloc((size_t)r->shapes + 1, sizeof **count));
    }
    const int corners = tl_replay_length(r, "shapes/corner");
    *first = whole(r, "shapes/first_face", r->shapes), *count = whole(r, "shapes/face_count", r->shapes);
    r->face_end = whole(r, "shapes/face_end", r->faces);
    r->corner = corners >= 0 ? whole(r, "shapes/corner", corners) : NULL;
    if (!*first || !*count || !r->face_end || !r->corner) return false;
    for (int i = 0; i < r->faces; i++)
        if (r->face_end[i] < (i ? r->face_end[i - 1] : 0) || r->face_end[i] > corners) return false;
    return true;
}

static bool shape_holds(const tl_replay *r, const tl_replay_shape *s)
{
    static const int LEAST[REPLAY_KINDS] = {1, 2, 3, 2, 1, 2, 4, 2, 2, 3};
    if (s->body < 0 || s->body >= r->bodies || s->kind < 0 || s->kind > 255 || s->material < -1 || s->material >= r->materials) return false;
    const int least = s->kind < REPLAY_KINDS ? LEAST[s->kind] : 5, faces = r->dimension == 2 ? 1 : 4;
    if (s->points < least || s->first_point < 0 || s->first_point > r->points - s->points || !(s->radius >= 0) || !(s->rounding >= 0)) return false;
    if (((s->kind == REPLAY_POLYHEDRON || s->kind >= REPLAY_KINDS) && s->faces < faces) || (s->kind == REPLAY_MESH && s->faces < 1)) return false;
    if (s->faces < 0 || s->first_face < 0 || s->first_face > r->faces - s->faces) return false;
    for (int f = s->first_face; f < s->first_face + s->faces; f++)
        for (int k = f ? r->face_end[f - 1] : 0; k < r->face_end[f]; k++)
            if (r->corner[k] < 0 || r->corner[k] >= s->points) return false;
    return true;
}

/* Planar kinds of later numbers have what defines them, then an outline, which is a face: they are drawn as its polygon. */
static bool take_outlines(tl_replay *r)
{
    int points = 0, defining = 0;
    if (r->dimension != 2 || r->faces == 0) return true;
    r->defining = calloc((size_t)r->points + 1, sizeof *r->defining);
    if (!r->defining) return false;
    for (int i = 0; i < r->shapes; i++) {
        tl_replay_shape *s = &r->shape[i];
        const int from = s->faces > 0 && s->first_face > 0 ? r->face_end[s->first_face - 1] : 0;
        if (s->faces > 0 && (s->kind < REPLAY_KINDS || r->face_end[s->first_face] <= from)) return false;
        const int first = s->faces > 0 ? r->corner[from] : 0;
        if (s->first_point < points + defining || (s->faces > 0 && s->points - first < 3)) return false;
        s->own_kind = s->kind, s->first_defining = defining, s->defining = first;
        memcpy(r->defining + defining, r->point + s->first_point, (size_t)first * sizeof *r->point);
        memmove(r->point + points, r->point + s->first_point + first, (size_t)(s->points - first) * sizeof *r->point);
        s->first_point = points, s->points -= first;
        if (s->faces > 0) s->kind = REPLAY_POLYGON;
        s->faces = s->first_face = 0;
        points += s->points, defining += first;
    }
    r->points = points, r->faces = 0;
    return true;
}

static bool read_shapes(tl_replay *r)
{
    r->shapes = tl_replay_length(r, "shapes/body");
    if (r->shapes < 0 || !read_points(r)) return false;
    const int n = r->shapes, materials = tl_replay_length(r, "materials/name");
    r->materials = materials > 0 ? materials : 0;
    r->material = materials > 0 ? tl_h5_read_texts(r->file, "materials/name", materials) : NULL;
    if (materials > 0 && !r->material) return false;
    int32_t *first_face = NULL, *faces = NULL;
    int32_t *body = whole(r, "shapes/body", n), *kind = whole(r, "shapes/kind", n), *first = whole(r, "shapes/first_point", n);
    int32_t *points = whole(r, "shapes/point_count", n), *material = whole(r, "shapes/material", n), *continues = whole(r, "shapes/continues", n);
    double *radius = tl_replay_reals(r, "shapes/radius", n);
    double *rounding = tl_replay_length(r, "shapes/rounding") == n ? tl_replay_reals(r, "shapes/rounding", n)
                                                                   : calloc((size_t)n + 1, sizeof *rounding); /* planar runs have none */
    r->shape = calloc((size_t)n + 1, sizeof *r->shape);
    bool done = body && kind && first && points && radius && rounding && r->shape && read_faces(r, &first_face, &faces);
    for (int i = 0; done && i < n; i++) {
        r->shape[i] = (tl_replay_shape){body[i],
                                        kind[i],
                                        material ? material[i] : -1,
                                        first[i],
                                        points[i],
                                        first_face[i],
                                        faces[i],
                                        radius[i],
                                        rounding[i],
                                        continues ? continues[i] : 0,
                                        0,
                                        0,
                                        0};
        done = shape_holds(r, &r->shape[i]);
    }
    free(body), free(kind), free(first), free(points), free(material), free(continues), free(radius), free(rounding), free(first_face), free(faces);
    return done && take_outlines(r);
}

static bool read_kinds_of_joints(tl_replay *r)
{
    int32_t *kind = whole(r, "joints/kind", r->joints), *driven = whole(r, "joints/driven", r->joints);
    double *axis = tl_replay_reals(r, "joints/axis", 3 * r->joints), *length = tl_replay_reals(r, "joints/length", r->joints);
    const bool done = kind && driven && axis && length;
    for (int i = 0; done && i < r->joints; i++) {
        tl_replay_joint *j = &r->joint[i];
        j->kind = kind[i], j->driven = driven[i] != 0, j->length = length[i];
        memcpy(j->axis, axis + 3 * (size_t)i, sizeof j->axis);
    }
    free(kind), free(driven), free(axis), free(length);
    return done;
}

/* Older files have neither. */
static bool read_springs_of_joints(tl_replay *r)
{
    if (tl_replay_length(r, "joints/sprung") < 0) return true;
    int32_t *sprung = whole(r, "joints/sprung", r->joints);
    double *axis2 = tl_replay_reals(r, "joints/axis2", 3 * r->joints);
    const bool done = sprung && axis2;
    for (int i = 0; done && i < r->joints; i++) {
        r->joint[i].sprung = sprung[i];
        memcpy(r->joint[i].axis2, axis2 + 3 * (size_t)i, sizeof r->joint[i].axis2);
    }
    free(sprung), free(axis2);
    return done;
}

static bool read_links(tl_replay *r)
{
    const int n = tl_replay_length(r, "links/body");
    if (n <= 0) return true; /* no mechanism, or an older file */
    int32_t *body = n <= r->bodies ? whole(r, "links/body", n) : NULL;
    double *centre = body ? tl_replay_reals(r, "links/centre_of_mass", 3 * n) : NULL, *inertia = body ? tl_replay_reals(r, "links/inertia", 6 * n) : NULL;
    bool done = body && centre && inertia;
    for (int i = 0; done && i < n; i++) {
        done = body[i] >= 0 && body[i] < r->bodies;
        if (!done) break;
        tl_replay_body *b = &r->body[body[i]];
        b->has_inertia = true;
        memcpy(b->centre, centre + 3 * (size_t)i, sizeof b->centre);
        memcpy(b->inertia, inertia + 6 * (size_t)i, sizeof b->inertia);
    }
    free(body), free(centre), free(inertia);
    return done;
}

static bool read_joints(tl_replay *r)
{
    r->joints = tl_replay_length(r, "joints/body");
    if (r->joints < 0) r->joints = 0; /* no mechanism */
    int32_t *body = r->joints ? whole(r, "joints/body", 2 * r->joints) : NULL;
    double *point = r->joints ? tl_replay_reals(r, "joints/point", 6 * r->joints) : NULL;
    r->joint = calloc((size_t)r->joints + 1, sizeof *r->joint);
    bool done = r->joint && (r->joints == 0 || (body && point));
    for (int i = 0; done && i < r->joints; i++) {
        memcpy(r->joint[i].body, body + 2 * (size_t)i, sizeof r->joint[i].body);
        memcpy(r->joint[i].point, point + 6 * (size_t)i, sizeof r->joint[i].point);
        r->joint[i].kind = -1;
        for (int k = 0; k < 2; k++) done = done && r->joint[i].body[k] >= -1 && r->joint[i].body[k] < r->bodies;
    }
    free(body);
    free(point);
    return done && (r->joints == 0 || tl_replay_length(r, "joints/kind") < 0 || (read_kinds_of_joints(r) && read_springs_of_joints(r))) && read_links(r);
}

/* Frames of which every part is there: a kill may come between two sets. */
static bool count_frames(tl_replay *r)
{
    hsize_t shape[3];
    void *nothing = tl_h5_read_rows(r->file, "frames/pose", H5T_NATIVE_DOUBLE, 0, 0, shape);
    free(nothing);
    if (!nothing || (shape[2] != 3 && shape[2] != 7) || shape[1] != (hsize_t)r->bodies) return false;
    const int time = tl_replay_length(r, "frames/time"), velocity = tl_replay_length(r, "frames/velocity"), end = tl_replay_length(r, "frames/contact_end");
    r->kinds = r->stored_kinds = H5Lexists(r->file, "frames/kind", H5P_DEFAULT) > 0;
    const int kinds = r->kinds ? tl_replay_length(r, "frames/kind") : INT32_MAX;
    r->dimension = shape[2] == 3 ? 2 : 3;
    r->frames = (int)(shape[0] < INT32_MAX ? shape[0] : INT32_MAX);
    r->frames = time < r->frames ? time : r->frames;
    r->frames = velocity < r->frames ? velocity : r->frames;
    r->frames = end < r->frames ? end : r->frames;
    r->frames = kinds < r->frames ? kinds : r->frames;
    if (r->frames <= 0) return false;
    r->time = tl_replay_reals(r, "frames/time", time);
    r->contact_end = tl_replay_column(r, "frames/contact_end", H5T_NATIVE_INT64, (hsize_t)end);
    if (!r->time || !r->contact_end) return false;
    const int rows = tl_replay_length(r, "contacts/force");
    for (int i = 0; i < r->frames; i++) {
        const int64_t before = i ? r->contact_end[i - 1] : 0;
        if ((i && r->time[i] < r->time[i - 1]) || r->contact_end[i] < before || r->contact_end[i] - before > INT32_MAX / 8) return false;
        if (r->contact_end[i] > rows) {
            r->frames = i;
            break;
        }
    }
    return r->frames > 0;
}

talus_status tl_replay_open(tl_replay *r, const char *directory, tl_error *error)
{
    char path[4096];
    *r = (tl_replay){.file = -1, .outline = -1};
    snprintf(path, sizeof path, "%s/trajectory.h5", directory);
    r->file = tl_h5_open(path, error);
    if (r->file < 0) return TALUS_IO;
    const char *wrong = !read_bodies(r)                                           ? "bodies"
                        : !count_frames(r)                                        ? "frames"
                        : !read_shapes(r)                                         ? "shapes"
                        : !read_joints(r)                                         ? "joints"
                        : !tl_replay_read_cell(r)                                 ? "cell"
                        : !tl_replay_read_states(r)                               ? "states"
                        : !tl_replay_read_solids(r, &r->frames) || r->frames == 0 ? "solids"
                                                                                  : NULL;
    if (!wrong) return TALUS_OK;
    tl_replay_close(r);
    return tl_fail(error, TALUS_INPUT, "'%s' is damaged, not the file of a run, or of a run without frames: its %s cannot be read", path, wrong);
}

void tl_replay_close(tl_replay *r)
{
    tl_h5_free_texts(r->name, r->own);
    tl_h5_free_texts(r->material, r->materials);
    tl_replay_free_states(r);
    tl_replay_free_solids(r);
    free(r->slide), free(r->time), free(r->contact_end), free(r->body), free(r->shape), free(r->point), free(r->defining);
    free(r->face_end), free(r->corner), free(r->joint);
    free(r->aside), free(r->beside), free(r->reach), free(r->copy), free(r->first_copy), free(r->group);
    if (r->file >= 0) H5Fclose(r->file);
    *r = (tl_replay){.file = -1, .outline = -1};
}

/* ---- frames ------------------------------------------------------------------------------------------------------- */

int tl_replay_nearest(const tl_replay *r, double time)
{
    int best = 0;
    for (int i = 1; i < r->frames; i++)
        if (fabs(r->time[i] - time) < fabs(r->time[best] - time)) best = i;
    return time > r->time[r->frames - 1] ? r->frames - 1 : best;
}

static void planar_pose(const double from[3], double to[7])
{
    const double pose[7] = {from[0], from[1], 0, cos(from[2] / 2), 0, 0, sin(from[2] / 2)};
    memcpy(to, pose, sizeof pose);
}

static bool read_motion(const tl_replay *r, int index, tl_replay_frame *f)
{
    hsize_t shape[3];
    const bool planar = r->dimension == 2;
    const hsize_t row = (hsize_t)index, rates = planar ? 3 : 6;
    double *pose = tl_h5_read_rows(r->file, "frames/pose", H5T_NATIVE_DOUBLE, row, 1, shape);
    double *velocity = tl_h5_read_rows(r->file, "frames/velocity", H5T_NATIVE_DOUBLE, row, 1, shape);
    const size_t n = (size_t)r->own;
    const bool done = pose && velocity && shape[1] == n && shape[2] == rates && are_finite(pose, (planar ? 3 : 7) * n) && are_finite(velocity, rates * n);
    for (int i = 0; done && i < r->own; i++) {
        const double *v = velocity + rates * (hsize_t)i;
        if (planar) {
            const double flat[6] = {v[0], v[1], 0, 0, 0, v[2]};
            planar_pose(pose + 3 * i, f->pose[i]);
            memcpy(f->velocity[i], flat, sizeof flat);
        } else {
            memcpy(f->pose[i], pose + 7 * i, sizeof f->pose[i]);
            memcpy(f->velocity[i], v, sizeof f->velocity[i]);
        }
    }
    free(pose);
    free(velocity);
    return done;
}

static bool read_kinds(const tl_replay *r, int index, tl_replay_frame *f)
{
    hsize_t shape[3];
    if (!r->stored_kinds) return true;
    int32_t *kind = tl_h5_read_rows(r->file, "frames/kind", H5T_NATIVE_INT32, (hsize_t)index, 1, shape);
    free(f->kind);
    f->kind = kind;
    return kind && shape[1] == (hsize_t)r->own && shape[2] == 1;
}

/* Rows of a contact set, from the first so many, into an array of the frame. */
static bool rows_into(const tl_replay *r, const char *name, hid_t type, const hsize_t range[2], int width, void *out)
{
    const size_t numbers = (size_t)range[1] * (size_t)width;
    hsize_t shape[3];
    void *data = tl_h5_read_rows(r->file, name, type, range[0], range[1], shape);
    const bool sound = data && shape[1] == (hsize_t)width && (type != H5T_NATIVE_DOUBLE || are_finite(data, numbers));
    const bool done = sound && out;
    if (done) memcpy(out, data, numbers * H5Tget_size(type));
    free(data);
    return done;
}

static bool read_contacts(const tl_replay *r, int index, tl_replay_frame *f)
{
    const int64_t first = index ? r->contact_end[index - 1] : 0;
    const int n = (int)(r->contact_end[index] - first);
    const hid_t real = H5T_NATIVE_DOUBLE;
    if (n > f->capacity) {
        const size_t most = (size_t)n + (size_t)n / 2;
        free(f->body), free(f->point), free(f->normal), free(f->gap), free(f->impulse), free(f->force), free(f->force_world);
        f->body = calloc(most, sizeof *f->body), f->point = calloc(most, sizeof *f->point), f->normal = calloc(most, sizeof *f->normal);
        f->gap = calloc(most, sizeof *f->gap), f->impulse = calloc(most, sizeof *f->impulse), f->force = calloc(most, sizeof *f->force);
        f->force_world = calloc(most, sizeof *f->force_world);
        f->capacity = f->body && f->point && f->normal && f->gap && f->impulse && f->force && f->force_world ? (int)most : 0;
    }
    f->contacts = 0;
    if (n > f->capacity) return false;
    if (n == 0) return true;
    const hsize_t range[2] = {(hsize_t)first, (hsize_t)n};
    if (!rows_into(r, "contacts/body", H5T_NATIVE_INT32, range, 2, f->body) || !rows_into(r, "contacts/point", real, range, 3, f->point) ||
        !rows_into(r, "contacts/normal", real, range, 3, f->normal) || !rows_into(r, "contacts/gap", real, range, 1, f->gap) ||
        !rows_into(r, "contacts/impulse", real, range, 3, f->impulse) || !rows_into(r, "contacts/force", real, range, 3, f->force))
        return false;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 2; k++)
            if (f->body[i][k] < 0 || f->body[i][k] >= r->own) return false;
        tl_store3(f->force_world[i], tl_contact_vector(r->dimension == 2, tl_load3(f->normal[i]), f->force[i]));
    }
    f->contacts = n;
    return tl_replay_state_of_frame(r, first, n, f);
}

talus_status tl_replay_read(const tl_replay *r, int index, tl_replay_frame *f, tl_error *error)
{
    if (!f->pose) f->pose = calloc((size_t)r->bodies + 1, sizeof *f->pose);
    if (!f->velocity) f->velocity = calloc((size_t)r->bodies + 1, sizeof *f->velocity);
    if (!f->pose || !f->velocity) return tl_fail(error, TALUS_MEMORY, "memory ran out");
    f->time = r->time[index];
    f->offset = r->slide ? r->slide[2 * index] : 0, f->slide = r->slide ? r->slide[2 * index + 1] : 0;
    const bool done = read_motion(r, index, f) && read_kinds(r, index, f) && read_contacts(r, index, f);
    if (done) tl_replay_see_near(r, f);
    if (done) return tl_replay_see(r, f) ? TALUS_OK : tl_fail(error, TALUS_MEMORY, "memory ran out");
    return tl_fail(error, TALUS_INPUT, "trajectory.h5 is damaged: frame %d, at %g s, cannot be read", index, f->time);
}

void tl_replay_frame_free(tl_replay_frame *f)
{
    free(f->pose), free(f->velocity), free(f->body), free(f->point), free(f->normal), free(f->gap), free(f->impulse), free(f->force), free(f->force_world);
    free(f->kind), free(f->state);
    *f = (tl_replay_frame){0};
}

void tl_replay_turn(const tl_replay_frame *f, int body, const double local[3], double out[3])
{
    const double *q = body >= 0 ? f->pose[body] : NULL;
    if (!q) {
        memcpy(out, local, 3 * sizeof *out);
        return;
    }
    const tl_mat3 R = tl_mat3_from_quat((tl_quat){q[3], q[4], q[5], q[6]});
    tl_store3(out, tl_mat3_apply(&R, tl_load3(local)));
}

void tl_replay_to_world(const tl_replay_frame *f, int body, const double local[3], double out[3])
{
    tl_replay_turn(f, body, local, out);
    for (int k = 0; body >= 0 && k < 3; k++) out[k] += f->pose[body][k];
}
