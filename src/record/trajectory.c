/* trajectory.h5: what the run looked like. Everything that does not change is written once, frames are appended. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/record.h"

static talus_status failed(tl_error *error) { return tl_fail(error, TALUS_IO, "cannot write trajectory.h5: is the disk full?"); }

static bool write_materials(hid_t file, const talus_world *w)
{
    const int n = talus_material_count(w);
    const char **name = calloc((size_t)n + 1, sizeof *name);
    for (int i = 0; name && i < n; i++) name[i] = talus_material_name(w, (talus_material_id){(uint32_t)i + 1});
    const bool done = name && tl_h5_write_texts(file, "materials/name", name, (hsize_t)n, "as in the scene");
    free((void *)name);
    return done;
}

static bool write_bodies(hid_t file, const talus_world *w)
{
    const int n = talus_body_count(w);
    const hsize_t size = (hsize_t)n;
    double *mass = calloc((size_t)n + 1, sizeof *mass);
    int32_t *kind = calloc((size_t)n + 1, sizeof *kind), *link = calloc((size_t)n + 1, sizeof *link);
    const char **name = calloc((size_t)n + 1, sizeof *name);
    bool done = mass && kind && link && name;
    for (int i = 0; done && i < n; i++) {
        const talus_body_id body = talus_body_at(w, i);
        mass[i] = talus_body_mass(w, body);
        kind[i] = (int32_t)talus_body_get_kind(w, body);
        if (kind[i] == TALUS_BODY_ABSENT) kind[i] = TALUS_BODY_FREE; /* what it is when it is there: frames/kind says when */
        link[i] = talus_body_is_link(w, body) && talus_solid_of_body(w, body).index1 == 0;
        name[i] = talus_body_name(w, body);
    }
    done = done && tl_h5_write_texts(file, "bodies/name", name, size, "as in the scene; empty for generated grains") &&
           tl_h5_write(file, &(tl_h5_set){"bodies/mass", H5T_NATIVE_DOUBLE, 1, &size, "kg", "0 for boundaries"}, mass) &&
           tl_h5_write(file, &(tl_h5_set){"bodies/kind", H5T_NATIVE_INT32, 1, &size, "1", "0 free, 1 fixed, 2 imposed"}, kind) &&
           tl_h5_write(file, &(tl_h5_set){"bodies/link", H5T_NATIVE_INT32, 1, &size, "1", "1 for links of mechanisms"}, link);
    free(mass);
    free(kind);
    free(link);
    free((void *)name);
    return done;
}

/* Grains have no names of their own. */
static bool write_groups(hid_t file, const talus_world *w)
{
    const int n = talus_group_count(w);
    const hsize_t size = (hsize_t)n;
    int32_t *first = calloc((size_t)n + 1, sizeof *first), *count = calloc((size_t)n + 1, sizeof *count);
    const char **name = calloc((size_t)n + 1, sizeof *name);
    bool done = first && count && name;
    for (int i = 0; done && i < n; i++) name[i] = talus_group_at(w, i, &first[i], &count[i]);
    done = done && (n == 0 || (tl_h5_write_texts(file, "groups/name", name, size, "of grains, as in the scene") &&
                               tl_h5_write(file, &(tl_h5_set){"groups/first", H5T_NATIVE_INT32, 1, &size, "1", "row of bodies of its first"}, first) &&
                               tl_h5_write(file, &(tl_h5_set){"groups/count", H5T_NATIVE_INT32, 1, &size, "1", "how many bodies it has"}, count)));
    free(first);
    free(count);
    free((void *)name);
    return done;
}

static bool write_cell(hid_t file, const talus_world *w)
{
    const hsize_t shape[2] = {3, 2};
    double ends[3][2];
    bool any = false;
    for (int i = 0; i < 3; i++) any = talus_world_periodic(w, i, &ends[i][0], &ends[i][1]) || any;
    return !any ||
           tl_h5_write(file,
                       &(tl_h5_set){"cell", H5T_NATIVE_DOUBLE, 2, shape, "m", "of a periodic run, where it begins and ends along x, y, z; 0, 0: not periodic"},
                       ends);
}

static bool is_sheared(const talus_world *w, int32_t direction[2], double slide[2])
{
    int along, across;
    const bool is = talus_world_shear(w, &along, &across, &slide[0], &slide[1]);
    direction[0] = along, direction[1] = across;
    return is;
}

static bool write_shear(hid_t file, const talus_world *w)
{
    const hsize_t two = 2;
    int32_t direction[2];
    double slide[2];
    return !is_sheared(w, direction, slide) || tl_h5_write(file,
                                                           &(tl_h5_set){"shear", H5T_NATIVE_INT32, 1, &two, "1",
                                                                        "of a sheared cell: copies slide along this direction (0: x …), those across this one"},
                                                           direction);
}

static const char *const SETS[TL_SETS] = {
    [SET_SLIDE] = "frames/slide",
    [SET_TIME] = "frames/time",
    [SET_POSE] = "frames/pose",
    [SET_VELOCITY] = "frames/velocity",
    [SET_CONTACT_END] = "frames/contact_end",
    [SET_BODY] = "contacts/body",
    [SET_POINT] = "contacts/point",
    [SET_NORMAL] = "contacts/normal",
    [SET_GAP] = "contacts/gap",
    [SET_IMPULSE] = "contacts/impulse",
    [SET_FORCE] = "contacts/force",
    [SET_STATE_OF] = "states/contact",
    [SET_STATE] = "states/value",
    [SET_KIND] = "frames/kind",
};

static bool grow(tl_trajectory *t, tl_set set, const tl_h5_set *plan)
{
    tl_h5_set named = *plan;
    named.name = SETS[set];
    return (t->set[set] = tl_h5_growing(t->file, &named)) >= 0;
}

/* Rows of names are as wide as the longest. */
static talus_status check_name(const char *name, tl_error *error)
{
    enum { MOST = 1000 };
    if (strlen(name) <= MOST) return TALUS_OK;
    return tl_fail(error, TALUS_INPUT, "the name '%.40s...' is %zu bytes long; results keep names of at most %d", name, strlen(name), MOST);
}

static talus_status check_names(const talus_world *w, tl_error *error)
{
    for (int i = 0; i < talus_body_count(w); i++) TL_TRY(check_name(talus_body_name(w, talus_body_at(w, i)), error));
    for (int i = 0; i < talus_material_count(w); i++) TL_TRY(check_name(talus_material_name(w, (talus_material_id){(uint32_t)i + 1}), error));
    return TALUS_OK;
}

/* Where they may, their kinds are part of the state. */
static bool kinds_change(const talus_world *w)
{
    for (int i = 0; i < talus_state_count(w); i++) {
        talus_field f;
        talus_state_field(w, i, &f);
        if (strcmp(f.name, "grains/kind") == 0) return true;
    }
    return false;
}

/* Moments by laws that resist rolling and spinning: the last columns of states/value. */
enum { MOMENTS = 3 };
static const char *const MOMENT[MOMENTS][2] = {
    {"moment_n", "of contacts that resist rolling or spinning: moment on the candidate about the normal"},
    {"moment_t", "the same about the first tangent"},
    {"moment_s", "the same about the second tangent, in the plane about z"},
};

/* The fields of all laws, in the order of the table, and moments: the columns of states/value. Returns how many. */
static int state_fields(const char **name, const char **unit, const char **meaning, const char **law_of)
{
    const talus_law *law;
    int n = 0;
    for (int i = 0; (law = talus_law_at(i)); i++)
        for (int k = 0; k < law->fields && n < TL_STATE_COLUMNS; k++, n++)
            name[n] = law->field[k].name, unit[n] = law->field[k].unit, meaning[n] = law->field[k].meaning, law_of[n] = law->name;
    for (int k = 0; k < MOMENTS && n < TL_STATE_COLUMNS; k++, n++) name[n] = MOMENT[k][0], unit[n] = "N m", meaning[n] = MOMENT[k][1], law_of[n] = "rolling";
    return n;
}

static bool write_states(hid_t file)
{
    const char *name[TL_STATE_COLUMNS], *unit[TL_STATE_COLUMNS], *meaning[TL_STATE_COLUMNS], *law[TL_STATE_COLUMNS];
    const hsize_t n = (hsize_t)state_fields(name, unit, meaning, law);
    return tl_h5_write_texts(file, "states/law", law, n, "of each column of states/value") &&
           tl_h5_write_texts(file, "states/name", name, n, "of each column of states/value") &&
           tl_h5_write_texts(file, "states/unit", unit, n, "of each column of states/value") &&
           tl_h5_write_texts(file, "states/meaning", meaning, n, "of each column of states/value");
}

static tl_trajectory closed(const talus_world *w)
{
    tl_trajectory t = {.file = -1, .bodies = talus_body_count(w), .width = talus_world_dimension(w) == 2 ? 3 : 7, .kinds = kinds_change(w)};
    int32_t direction[2];
    double slide[2];
    t.sheared = is_sheared(w, direction, slide);
    for (int i = 0; i < TL_SETS; i++) t.set[i] = -1;
    return t;
}

talus_status tl_trajectory_create(tl_trajectory *t, const char *path, const talus_world *w, tl_error *error)
{
    *t = closed(w);
    TL_TRY(check_names(w, error));
    t->file = tl_h5_create(path, error);
    if (t->file < 0) return TALUS_IO;
    const bool planar = t->width == 3;
    const char *text[4][TL_STATE_COLUMNS];
    const hsize_t states = (hsize_t)state_fields(text[0], text[1], text[2], text[3]);
    const hsize_t n = (hsize_t)t->bodies, pose[2] = {n, (hsize_t)t->width}, rates[2] = {n, planar ? 3 : 6}, two = 2, vector = 3;
    const hid_t real = H5T_NATIVE_DOUBLE;
    const bool done =
        write_bodies(t->file, w) && write_groups(t->file, w) && write_cell(t->file, w) && write_shear(t->file, w) && write_materials(t->file, w) &&
        tl_trajectory_shapes(t->file, w) && tl_trajectory_joints(t->file, w) && tl_trajectory_solids(t, w) && write_states(t->file) &&
        grow(t, SET_TIME, &(tl_h5_set){NULL, real, 1, NULL, "s", "of each frame"}) &&
        grow(t, SET_POSE,
             &(tl_h5_set){NULL, real, 3, pose, planar ? "m, m, rad" : "m, m, m, 1, 1, 1, 1",
                          planar ? "origin x, y and angle of each body" : "origin and quaternion (w, x, y, z) of each body"}) &&
        grow(t, SET_VELOCITY,
             &(tl_h5_set){NULL, real, 3, rates, planar ? "m/s, m/s, rad/s" : "m/s, rad/s",
                          planar ? "of the origin, and angular" : "of the origin, and angular, world axes"}) &&
        grow(t, SET_CONTACT_END, &(tl_h5_set){NULL, H5T_NATIVE_INT64, 1, NULL, "1", "one past the last contact of each frame"}) &&
        grow(t, SET_BODY, &(tl_h5_set){NULL, H5T_NATIVE_INT32, 2, &two, "1", "candidate, antagonist"}) &&
        grow(t, SET_POINT, &(tl_h5_set){NULL, real, 2, &vector, "m", "where"}) &&
        grow(t, SET_NORMAL, &(tl_h5_set){NULL, real, 2, &vector, "1", "unit, from antagonist to candidate"}) &&
        grow(t, SET_GAP, &(tl_h5_set){NULL, real, 1, NULL, "m", "at mid-step"}) &&
        grow(t, SET_IMPULSE, &(tl_h5_set){NULL, real, 2, &vector, "N s", "of the last step, along normal and tangents"}) &&
        grow(t, SET_FORCE, &(tl_h5_set){NULL, real, 2, &vector, "N", "impulse over the step, along normal and tangents"}) &&
        grow(t, SET_STATE_OF, &(tl_h5_set){NULL, H5T_NATIVE_INT64, 1, NULL, "1", "row of contacts/ that has a state or moments, ascending"}) &&
        grow(t, SET_STATE, &(tl_h5_set){NULL, real, 2, &states, "states/unit", "what its law remembers of this pair, and moments; 0 where another law does"}) &&
        (!t->sheared ||
         grow(t, SET_SLIDE, &(tl_h5_set){NULL, real, 2, &two, "m, m/s", "of a sheared cell: offset along of the next copy across, and its velocity"})) &&
        (!t->kinds || grow(t, SET_KIND, &(tl_h5_set){NULL, H5T_NATIVE_INT32, 2, &n, "1", "0 free, 1 fixed, 2 imposed, 3 not there"})) &&
        tl_h5_start_growing(t->file);
    return done ? TALUS_OK : failed(error);
}

static bool copy_rows(tl_trajectory *t, hid_t old, tl_set set, hid_t type, int rank, int64_t rows)
{
    return tl_h5_copy_rows(old, SETS[set], t->set[set], type, rank, rows);
}

/* Of the contacts that were copied. */
static bool copy_states(tl_trajectory *t, hid_t old)
{
    hsize_t shape[3];
    int64_t *of = tl_h5_read(old, SETS[SET_STATE_OF], H5T_NATIVE_INT64, shape), rows = 0;
    while (of && rows < (int64_t)shape[0] && of[rows] < t->contacts) rows++;
    const bool done = of && copy_rows(t, old, SET_STATE_OF, H5T_NATIVE_INT64, 1, rows) && copy_rows(t, old, SET_STATE, H5T_NATIVE_DOUBLE, 2, rows);
    free(of);
    return done;
}

static bool copy_frames(tl_trajectory *t, hid_t old, int64_t frames)
{
    hsize_t shape[3];
    const hid_t real = H5T_NATIVE_DOUBLE;
    int64_t *end = frames > 0 ? tl_h5_read_rows(old, SETS[SET_CONTACT_END], H5T_NATIVE_INT64, (hsize_t)frames - 1, 1, shape) : NULL;
    if (frames > 0 && !end) return false;
    t->frames = frames;
    t->contacts = end ? *end : 0;
    free(end);
    return copy_rows(t, old, SET_TIME, real, 1, frames) && copy_rows(t, old, SET_POSE, real, 3, frames) && copy_rows(t, old, SET_VELOCITY, real, 3, frames) &&
           copy_rows(t, old, SET_CONTACT_END, H5T_NATIVE_INT64, 1, frames) && copy_rows(t, old, SET_BODY, H5T_NATIVE_INT32, 2, t->contacts) &&
           copy_rows(t, old, SET_POINT, real, 2, t->contacts) && copy_rows(t, old, SET_NORMAL, real, 2, t->contacts) &&
           copy_rows(t, old, SET_GAP, real, 1, t->contacts) && copy_states(t, old) && (!t->sheared || copy_rows(t, old, SET_SLIDE, real, 2, frames)) &&
           (!t->kinds || copy_rows(t, old, SET_KIND, H5T_NATIVE_INT32, 2, frames)) && copy_rows(t, old, SET_IMPULSE, real, 2, t->contacts) &&
           copy_rows(t, old, SET_FORCE, real, 2, t->contacts) && tl_trajectory_solids_copy(t, old, frames);
}

static void path_beside(const char *path, char out[4096 + 8]) { snprintf(out, 4096 + 8, "%s.tmp", path); }

talus_status tl_trajectory_reopen(tl_trajectory *t, const char *path, const talus_world *w, int64_t frames, bool *damaged, tl_error *error)
{
    char beside[4096 + 8];
    tl_error why;
    path_beside(path, beside);
    TL_TRY(tl_trajectory_create(t, beside, w, error));
    const hid_t old = tl_h5_open(path, &why);
    *damaged = old < 0 || !copy_frames(t, old, frames);
    if (old >= 0) H5Fclose(old);
    if (!*damaged) return tl_trajectory_flush(t) ? TALUS_OK : failed(error);
    (void)tl_trajectory_close(t); /* what was copied may be part of a frame */
    return tl_trajectory_create(t, beside, w, error);
}

talus_status tl_trajectory_take_place(tl_trajectory *t, const char *path, bool damaged, tl_error *error)
{
    char beside[4096 + 8], aside[4096 + 8];
    path_beside(path, beside);
    snprintf(aside, sizeof aside, "%.*s-damaged.h5", (int)(strlen(path) - strlen(".h5")), path);
    if (damaged && rename(path, aside) != 0 && errno != ENOENT) return failed(error);
    return tl_trajectory_flush(t) && rename(beside, path) == 0 ? TALUS_OK : failed(error);
}

void tl_trajectory_discard(tl_trajectory *t, const char *path)
{
    char beside[4096 + 8];
    path_beside(path, beside);
    (void)tl_trajectory_close(t);
    unlink(beside);
}

static bool append_bodies(tl_trajectory *t, const talus_world *w)
{
    const int rates = t->width == 3 ? 3 : 6;
    double *pose = calloc((size_t)t->bodies * (size_t)t->width + 1, sizeof *pose), *velocity = calloc((size_t)t->bodies * (size_t)rates + 1, sizeof *velocity);
    static const double ORIGIN[3] = {0, 0, 0};
    for (int i = 0; pose && velocity && i < t->bodies; i++) {
        const talus_body_id body = talus_body_at(w, i);
        double p[3], q[4], v[3], omega[3], *out = pose + i * t->width, *rate = velocity + i * rates;
        talus_body_pose(w, body, p, q);
        talus_body_velocity(w, body, ORIGIN, v, omega);
        if (t->width == 3) {
            out[0] = p[0], out[1] = p[1], out[2] = talus_body_angle(w, body);
            rate[0] = v[0], rate[1] = v[1], rate[2] = omega[2];
        } else {
            memcpy(out, p, sizeof p), memcpy(out + 3, q, sizeof q);
            memcpy(rate, v, sizeof v), memcpy(rate + 3, omega, sizeof omega);
        }
    }
    const bool done = pose && velocity && tl_h5_append(t->set[SET_POSE], H5T_NATIVE_DOUBLE, 3, 1, pose) &&
                      tl_h5_append(t->set[SET_VELOCITY], H5T_NATIVE_DOUBLE, 3, 1, velocity);
    free(pose);
    free(velocity);
    return done;
}

static bool append_kinds(tl_trajectory *t, const talus_world *w)
{
    if (!t->kinds) return true;
    int32_t *kind = calloc((size_t)t->bodies + 1, sizeof *kind);
    for (int i = 0; kind && i < t->bodies; i++) kind[i] = (int32_t)talus_body_get_kind(w, talus_body_at(w, i));
    const bool done = kind && tl_h5_append(t->set[SET_KIND], H5T_NATIVE_INT32, 2, 1, kind);
    free(kind);
    return done;
}

/* A row of states/value. */
static void put_state(const talus_contact *c, double h, double *row)
{
    const talus_law *law;
    for (int i = 0; (law = talus_law_at(i)); row += law->fields, i++)
        if (law == c->law) memcpy(row, c->state, (size_t)law->fields * sizeof *row);
    for (int k = 0; c->moment && k < MOMENTS; k++) row[k] = c->moment[k] / h;
}

static bool append_contacts(tl_trajectory *t, const talus_world *w)
{
    const int n = talus_contact_count(w);
    const double h = talus_world_step_size(w);
    int32_t(*body)[2] = calloc((size_t)n + 1, sizeof *body);
    double(*vectors)[3] = calloc(4 * (size_t)n + 1, sizeof *vectors), *gap = calloc((size_t)n + 1, sizeof *gap);
    const char *text[4][TL_STATE_COLUMNS];
    const int columns = state_fields(text[0], text[1], text[2], text[3]);
    int64_t *of = calloc((size_t)n + 1, sizeof *of);
    double *state = calloc((size_t)n * (size_t)columns + 1, sizeof *state);
    int kept = 0, states = 0;
    for (int i = 0; body && vectors && gap && of && state && i < n; i++) {
        talus_contact c;
        talus_contact_get(w, i, &c);
        if (c.impulse[0] == 0) continue; /* near, and nothing more */
        body[kept][0] = (int32_t)c.candidate.index1 - 1, body[kept][1] = (int32_t)c.antagonist.index1 - 1;
        gap[kept] = c.gap;
        memcpy(vectors[kept], c.point, sizeof c.point);
        memcpy(vectors[n + kept], c.normal, sizeof c.normal);
        memcpy(vectors[2 * n + kept], c.impulse, sizeof c.impulse);
        for (int k = 0; k < 3; k++) vectors[3 * n + kept][k] = c.impulse[k] / h;
        if (c.law || c.moment) {
            put_state(&c, h, state + (size_t)states * (size_t)columns);
            of[states++] = t->contacts + kept;
        }
        kept++;
    }
    const hsize_t rows = (hsize_t)kept, state_rows = (hsize_t)states;
    t->contacts += kept;
    const bool done = body && vectors && gap && of && state && tl_h5_append(t->set[SET_STATE_OF], H5T_NATIVE_INT64, 1, state_rows, of) &&
                      tl_h5_append(t->set[SET_STATE], H5T_NATIVE_DOUBLE, 2, state_rows, state) &&
                      tl_h5_append(t->set[SET_BODY], H5T_NATIVE_INT32, 2, rows, body) && tl_h5_append(t->set[SET_GAP], H5T_NATIVE_DOUBLE, 1, rows, gap) &&
                      tl_h5_append(t->set[SET_POINT], H5T_NATIVE_DOUBLE, 2, rows, vectors) &&
                      tl_h5_append(t->set[SET_NORMAL], H5T_NATIVE_DOUBLE, 2, rows, vectors + n) &&
                      tl_h5_append(t->set[SET_IMPULSE], H5T_NATIVE_DOUBLE, 2, rows, vectors + 2 * n) &&
                      tl_h5_append(t->set[SET_FORCE], H5T_NATIVE_DOUBLE, 2, rows, vectors + 3 * n) &&
                      tl_h5_append(t->set[SET_CONTACT_END], H5T_NATIVE_INT64, 1, 1, &t->contacts);
    free(body);
    free(vectors);
    free(gap);
    free(of);
    free(state);
    return done;
}

static bool append_slide(tl_trajectory *t, const talus_world *w)
{
    int32_t direction[2];
    double slide[2];
    return !is_sheared(w, direction, slide) || tl_h5_append(t->set[SET_SLIDE], H5T_NATIVE_DOUBLE, 2, 1, slide);
}

talus_status tl_trajectory_frame(tl_trajectory *t, const talus_world *w, tl_error *error)
{
    const double time = talus_world_time(w);
    const bool done = append_slide(t, w) && append_bodies(t, w) && append_kinds(t, w) && append_contacts(t, w) && tl_trajectory_solids_frame(t, w) &&
                      tl_h5_append(t->set[SET_TIME], H5T_NATIVE_DOUBLE, 1, 1, &time);
    if (!done) {
        t->abandoned = true;
        return failed(error);
    }
    t->frames++;
    return t->frames % 16 != 1 || tl_trajectory_flush(t) ? TALUS_OK : failed(error);
}

bool tl_trajectory_flush(tl_trajectory *t)
{
    if (H5Fflush(t->file, H5F_SCOPE_GLOBAL) < 0) t->abandoned = true;
    return !t->abandoned;
}

/* A file that could not be written is left as it is, as after a kill: closing would write once more, and spoil what is there. */
bool tl_trajectory_close(tl_trajectory *t)
{
    bool done = t->file <= 0 || tl_trajectory_flush(t);
    for (int i = 0; i < TL_SETS && !t->abandoned; i++)
        if (t->set[i] > 0) done = H5Dclose(t->set[i]) >= 0 && done;
    done = tl_trajectory_solids_close(t) && done;
    if (t->file > 0 && !t->abandoned) done = H5Fclose(t->file) >= 0 && done;
    *t = (tl_trajectory){0};
    return done;
}
