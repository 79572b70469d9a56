/* A run in space that nobody simulated: make_stones DIR BODIES FRAMES writes what `talus run` would leave of stones that tumble down, settle into a
 * square pyramid and tremble there, beside a blade on an arm, a ball, a capsule and a roller. Motion and velocities are of one closed form, so that
 * a reader can check one against the other; forces are those of the columns of stones above. The same arguments give the same numbers. */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/base.h"
#include "base/math.h"
#include "record/record.h"
#include "record/replay.h"

enum { FLOOR, ARM, BLADE, BALL, CAPSULE, ROLLER, OTHERS }; /* bodies before the stones */
enum { MODELS = 32, CORNERS = 25, MOST_FACES = 2 * CORNERS - 4, LEVELS = 256 };
static const double DURATION = 4, SPACING = 0.024, STEP = 1e-4, GRAVITY = 9.81;
static const double ARM_LENGTH = 0.12;

/* A convex stone of about unit radius. Points of an ellipsoid through a projective map: both keep them corners of their hull. */
typedef struct model {
    tl_vec3 corner[CORNERS];
    int face[MOST_FACES][3], faces;
    double volume;
} model;

typedef struct stone {
    int model, material, level, row, column;
    double radius, mass, start, fall, turn, tremble, phase;
    tl_vec3 rest, drop, axis, shake;
    tl_quat rest_turn;
} stone;

typedef struct stones {
    model model[MODELS];
    stone *stone;
    int count, bodies, levels, side;
    int first[LEVELS]; /* of each level of the pyramid; level k is (side − k)² stones */
    double *pose, *velocity, *mass;
    int32_t *kind, *link;
    /* contacts of a frame */
    int contacts, capacity;
    int32_t (*pair)[2];
    double (*point)[3], (*normal)[3], *gap, (*impulse)[3], (*force)[3];
    int64_t contact_end;
} stones;

static void *table(size_t n, size_t size)
{
    void *memory = calloc(n + 1, size);
    if (!memory) {
        fprintf(stderr, "make_stones: memory ran out\n");
        exit(1);
    }
    return memory;
}

/* ---- stones ------------------------------------------------------------------------------------------------------- */

/* Every triangle with all other points behind it: slow, and without a doubt. */
static void hull(model *m)
{
    m->faces = 0;
    for (int a = 0; a < CORNERS; a++)
        for (int b = a + 1; b < CORNERS; b++)
            for (int c = b + 1; c < CORNERS; c++) {
                const tl_vec3 n = tl_cross(tl_sub(m->corner[b], m->corner[a]), tl_sub(m->corner[c], m->corner[a]));
                int before = 0, behind = 0;
                for (int k = 0; k < CORNERS; k++) {
                    if (k == a || k == b || k == c) continue;
                    if (tl_dot(n, tl_sub(m->corner[k], m->corner[a])) > 0) before++;
                    else behind++;
                }
                if (before > 0 && behind > 0) continue;
                const int face[3] = {a, before ? c : b, before ? b : c};
                memcpy(m->face[m->faces++], face, sizeof face);
                if (m->faces == MOST_FACES) return;
            }
}

static double signed_volume(const model *m)
{
    double six = 0;
    for (int f = 0; f < m->faces; f++) six += tl_dot(m->corner[m->face[f][0]], tl_cross(m->corner[m->face[f][1]], m->corner[m->face[f][2]]));
    return six / 6;
}

static void make_model(model *m, tl_random *random)
{
    const tl_vec3 half = tl_v3(tl_random_uniform(random, 0.9, 1.1), tl_random_uniform(random, 0.75, 1), tl_random_uniform(random, 0.6, 0.9));
    const tl_vec3 taper = tl_v3(tl_random_uniform(random, -0.2, 0.2), tl_random_uniform(random, -0.2, 0.2), tl_random_uniform(random, -0.2, 0.2));
    tl_vec3 middle = tl_v3(0, 0, 0);
    for (int k = 0; k < CORNERS; k++) { /* a spiral spreads them evenly; a little disorder */
        const double z = 1 - (2 * k + 1.0) / CORNERS, turn = 2.399963229728653 * k + tl_random_uniform(random, -0.25, 0.25);
        const double lift = fmax(-0.98, fmin(0.98, z + tl_random_uniform(random, -0.03, 0.03))), r = sqrt(1 - lift * lift);
        const tl_vec3 p = tl_v3(half.x * r * cos(turn), half.y * r * sin(turn), half.z * lift);
        m->corner[k] = tl_scale(1 / (1 + tl_dot(taper, p)), p);
        middle = tl_add(middle, tl_scale(1.0 / CORNERS, m->corner[k]));
    }
    for (int k = 0; k < CORNERS; k++) m->corner[k] = tl_sub(m->corner[k], middle);
    hull(m);
    m->volume = signed_volume(m);
    if (m->faces != MOST_FACES || !(m->volume > 0)) {
        fprintf(stderr, "make_stones: a stone has %d faces and the volume %g\n", m->faces, m->volume);
        exit(1);
    }
}

static tl_vec3 any_direction(tl_random *random)
{
    const double z = tl_random_uniform(random, -1, 1), a = tl_random_uniform(random, 0, 2 * TL_PI), r = sqrt(1 - z * z);
    return tl_v3(r * cos(a), r * sin(a), z);
}

static void make_stone(stone *s, const model *models, int side, tl_random *random)
{
    static const double RADIUS[3] = {0.0105, 0.012, 0.0135}, DENSITY[3] = {2500, 2700, 3000};
    const double shift = 0.5 * (s->level - side + 1), small = 0.05 * SPACING;
    s->model = tl_random_int(random, MODELS);
    s->material = tl_random_int(random, 3);
    s->radius = RADIUS[tl_random_int(random, 3)];
    s->mass = DENSITY[s->material] * models[s->model].volume * s->radius * s->radius * s->radius;
    s->rest = tl_v3(SPACING * (s->column + shift), SPACING * (s->row + shift), 0.011 + SPACING / sqrt(2) * s->level);
    s->rest = tl_add(s->rest, tl_v3(tl_random_uniform(random, -small, small), tl_random_uniform(random, -small, small), 0));
    const double wide = 0.6 + 0.02 * s->level;
    s->drop = tl_v3(wide * s->rest.x, wide * s->rest.y, 0.15 + 1.2 * s->rest.z);
    s->start = 0.02 * s->level;
    s->fall = tl_random_uniform(random, 0.9, 1.1);
    s->turn = tl_random_uniform(random, 4, 14);
    s->axis = any_direction(random);
    s->shake = any_direction(random);
    s->tremble = tl_random_uniform(random, 2e-5, 2e-4);
    s->phase = tl_random_uniform(random, 0, 2 * TL_PI);
    s->rest_turn = tl_quat_exp(tl_scale(tl_random_uniform(random, 0, TL_PI), any_direction(random)));
}

static void make_all(stones *s, int count)
{
    tl_random random = tl_random_seed(20);
    for (int k = 0; k < MODELS; k++) make_model(&s->model[k], &random);
    s->count = count, s->bodies = OTHERS + count;
    for (int places = 0; places < count; places += s->side * s->side) s->side++;
    s->stone = table((size_t)count, sizeof *s->stone);
    for (int k = 0, n = 0; n < count; k++, s->levels++) {
        if (k >= s->side || k >= LEVELS) exit(1);
        s->first[k] = n;
        for (int i = 0; i < (s->side - k) * (s->side - k) && n < count; i++, n++) {
            s->stone[n] = (stone){.level = k, .row = i / (s->side - k), .column = i % (s->side - k)};
            make_stone(&s->stone[n], s->model, s->side, &random);
        }
    }
    s->pose = table(7 * (size_t)s->bodies, sizeof *s->pose), s->velocity = table(6 * (size_t)s->bodies, sizeof *s->velocity);
    s->mass = table((size_t)s->bodies, sizeof *s->mass);
    s->kind = table((size_t)s->bodies, sizeof *s->kind), s->link = table((size_t)s->bodies, sizeof *s->link);
    s->kind[FLOOR] = 1, s->link[ARM] = s->link[BLADE] = 1;
    s->mass[ARM] = 0.4, s->mass[BLADE] = 0.8, s->mass[BALL] = 0.07, s->mass[CAPSULE] = 0.05, s->mass[ROLLER] = 0.09;
    for (int i = 0; i < count; i++) s->mass[OTHERS + i] = s->stone[i].mass;
    s->capacity = 6 * s->bodies;
    const size_t most = (size_t)s->capacity;
    s->pair = table(most, sizeof *s->pair), s->point = table(most, sizeof *s->point), s->normal = table(most, sizeof *s->normal);
    s->gap = table(most, sizeof *s->gap), s->impulse = table(most, sizeof *s->impulse), s->force = table(most, sizeof *s->force);
}

/* ---- motion ------------------------------------------------------------------------------------------------------- */

static void put(stones *s, int body, tl_vec3 p, tl_quat q, tl_vec3 v, tl_vec3 omega)
{
    double *pose = s->pose + 7 * (size_t)body, *rate = s->velocity + 6 * (size_t)body;
    tl_store3(pose, p);
    pose[3] = q.w, pose[4] = q.x, pose[5] = q.y, pose[6] = q.z;
    tl_store3(rate, v);
    tl_store3(rate + 3, omega);
}

static tl_vec3 place(const stones *s, int body) { return tl_load3(s->pose + 7 * (size_t)body); }

/* What is left of the fall, from 1 to 0, and its rate: from rest to rest. */
static double left_to_fall(const stone *s, double t, double *rate)
{
    const double u = fmax(0, fmin(1, (t - s->start) / s->fall)), rest = 1 - u;
    *rate = -30 * u * u * rest * rest / s->fall;
    return 1 - u * u * u * (10 - 15 * u + 6 * u * u);
}

static void move_stone(stones *all, int i, double t)
{
    const stone *s = &all->stone[i];
    double rate;
    const double left = left_to_fall(s, t, &rate), w = 40, wave = sin(w * t + s->phase) * s->tremble, beat = cos(w * t + s->phase) * s->tremble * w;
    const tl_vec3 p = tl_add(tl_add(s->rest, tl_scale(left, s->drop)), tl_scale(wave, s->shake));
    const tl_vec3 v = tl_add(tl_scale(rate, s->drop), tl_scale(beat, s->shake));
    const double angle = s->turn * left + 20 * wave, speed = s->turn * rate + 20 * beat;
    put(all, OTHERS + i, p, tl_quat_mul(tl_quat_exp(tl_scale(angle, s->axis)), s->rest_turn), v, tl_scale(speed, s->axis));
}

/* The arm swings about a pivot on the ground, the blade at its end keeps swinging less; the round ones roll away. */
static void move_others(stones *s, double t)
{
    const tl_vec3 none = tl_v3(0, 0, 0), x = tl_v3(1, 0, 0), y = tl_v3(0, 1, 0);
    const tl_quat as_is = {1, 0, 0, 0};
    const double edge = 0.5 * SPACING * s->side + 0.065, w = 2 * TL_PI / 2, a = 0.5 * sin(w * t), da = 0.5 * w * cos(w * t), b = 0.3 * a, db = 0.3 * da;
    const tl_vec3 pivot = tl_v3(edge, 0, 0.2), end = tl_v3(-ARM_LENGTH * sin(a), 0, -ARM_LENGTH * cos(a));
    put(s, FLOOR, none, as_is, none, none);
    put(s, ARM, pivot, tl_quat_exp(tl_scale(a, y)), none, tl_scale(da, y));
    put(s, BLADE, tl_add(pivot, end), tl_quat_exp(tl_scale(b, y)), tl_cross(tl_scale(da, y), end), tl_scale(db, y));
    const double slow = 0.06 * (1 - exp(-t)), dslow = 0.06 * exp(-t);
    put(s, BALL, tl_v3(-edge - slow, 0, 0.016), tl_quat_exp(tl_scale(-slow / 0.016, y)), tl_v3(-dslow, 0, 0), tl_scale(-dslow / 0.016, y));
    put(s, CAPSULE, tl_v3(0, edge + slow, 0.01), tl_quat_exp(tl_scale(-slow / 0.01, x)), tl_v3(0, dslow, 0), tl_scale(-dslow / 0.01, x));
    put(s, ROLLER, tl_v3(0, -edge - slow, 0.015), tl_quat_exp(tl_scale(slow / 0.015, x)), tl_v3(0, -dslow, 0), tl_scale(dslow / 0.015, x));
}

/* ---- contacts ----------------------------------------------------------------------------------------------------- */

static void touch(stones *s, int candidate, int antagonist, tl_vec3 point, tl_vec3 normal, double gap, double force)
{
    const int k = s->contacts++;
    if (k >= s->capacity) exit(1);
    s->pair[k][0] = candidate, s->pair[k][1] = antagonist;
    tl_store3(s->point[k], point);
    tl_store3(s->normal[k], normal);
    s->gap[k] = gap;
    const double f[3] = {force, 0.3 * force * sin(1.7 * candidate), 0.3 * force * cos(1.3 * antagonist)};
    for (int i = 0; i < 3; i++) s->force[k][i] = f[i], s->impulse[k][i] = STEP * f[i];
}

/* The stone of a level at a row and column, −1: none. */
static int stone_at(const stones *s, int level, int row, int column)
{
    const int wide = s->side - level, n = level >= 0 && level < s->levels ? s->first[level] + row * wide + column : -1;
    const int end = level + 1 < s->levels ? s->first[level + 1] : s->count;
    return n >= 0 && row >= 0 && row < wide && column >= 0 && column < wide && n < end ? n : -1;
}

/* Each stone lies on the four below it, or on the floor, once it is near enough. */
static void support(stones *s, int i, double t)
{
    const stone *a = &s->stone[i];
    double rate;
    const double still = 1 - left_to_fall(a, t, &rate), above = 1 + 0.5 * (s->levels - 1 - a->level);
    const double load = a->mass * GRAVITY * above * still * (1 + 0.2 * sin(40 * t + a->phase));
    const tl_vec3 p = place(s, OTHERS + i);
    if (a->level == 0) {
        if (p.z < a->rest.z + 0.003) touch(s, OTHERS + i, FLOOR, tl_v3(p.x, p.y, 0), tl_v3(0, 0, 1), -2e-6 * still, load);
        return;
    }
    for (int k = 0; k < 4; k++) {
        const int j = stone_at(s, a->level - 1, a->row + k / 2, a->column + k % 2);
        if (j < 0) continue;
        const tl_vec3 q = place(s, OTHERS + j), d = tl_sub(p, q);
        const double distance = tl_norm(d), share = s->stone[j].radius / (a->radius + s->stone[j].radius);
        if (distance > 1.2 * SPACING) continue;
        touch(s, OTHERS + i, OTHERS + j, tl_add(q, tl_scale(share, d)), tl_scale(1 / distance, d), -1e-6 * still, load * (0.3 + 0.1 * sin(3.0 * i + 2.0 * k)));
    }
}

static void make_contacts(stones *s, double t)
{
    s->contacts = 0;
    for (int body = BALL; body <= ROLLER; body++) {
        const tl_vec3 p = place(s, body);
        touch(s, body, FLOOR, tl_v3(p.x, p.y, 0), tl_v3(0, 0, 1), -1e-6, s->mass[body] * GRAVITY);
    }
    for (int i = 0; i < s->count; i++) support(s, i, t);
    /* the blade touches the middle stone of the floor's outermost row */
    const int next = stone_at(s, 0, s->side / 2, s->side - 1);
    const tl_vec3 blade = place(s, BLADE), face = tl_v3(blade.x - 0.01, 0, 0.03);
    if (next >= 0 && face.x - place(s, OTHERS + next).x < 0.02) touch(s, OTHERS + next, BLADE, face, tl_v3(-1, 0, 0), -1e-6, 0.5);
}

/* ---- files -------------------------------------------------------------------------------------------------------- */

static void must(bool done, const char *what)
{
    if (done) return;
    fprintf(stderr, "make_stones: cannot write %s\n", what);
    exit(1);
}

static FILE *open_in(const char *directory, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *out = fopen(path, "w");
    must(out != NULL, path);
    return out;
}

static void write_names(hid_t file, const char *set, const char **name, hsize_t n) { must(tl_h5_write_texts(file, set, name, n, "as in the scene"), set); }

static void write_whole(hid_t file, const char *set, int n, const int32_t *data, const char *meaning)
{
    const hsize_t size = (hsize_t)n;
    must(tl_h5_write(file, &(tl_h5_set){set, H5T_NATIVE_INT32, 1, &size, "1", meaning}, data), set);
}

typedef struct shape_table {
    int shapes, points, faces, corners;
    int32_t *body, *kind, *material, *first, *count, *first_face, *face_count, *face_end, *corner;
    double *radius, (*point)[3];
} shape_table;

static void add_shape(shape_table *t, int body, tl_replay_kind kind, int material, double radius)
{
    const int k = t->shapes++;
    t->body[k] = body, t->kind[k] = (int32_t)kind, t->material[k] = material, t->radius[k] = radius;
    t->first[k] = t->points, t->first_face[k] = t->faces;
}

static void add_point(shape_table *t, tl_vec3 p)
{
    tl_store3(t->point[t->points++], p);
    t->count[t->shapes - 1]++;
}

static void add_face(shape_table *t, int corners, const int *corner)
{
    for (int i = 0; i < corners; i++) t->corner[t->corners++] = corner[i];
    t->face_end[t->faces++] = t->corners;
    t->face_count[t->shapes - 1]++;
}

static void add_box(shape_table *t, int body, int material, tl_vec3 half, tl_vec3 centre)
{
    static const int FACE[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    add_shape(t, body, REPLAY_POLYHEDRON, material, 0);
    for (int k = 0; k < 8; k++) add_point(t, tl_add(centre, tl_v3(k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z)));
    for (int f = 0; f < 6; f++) add_face(t, 4, FACE[f]);
}

static void collect_shapes(const stones *s, shape_table *t)
{
    const size_t shapes = (size_t)s->bodies, points = 64 + CORNERS * (size_t)s->count, faces = 64 + MOST_FACES * (size_t)s->count;
    int32_t **const columns[] = {&t->body, &t->kind, &t->material, &t->first, &t->count, &t->first_face, &t->face_count};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) *columns[i] = table(shapes, sizeof **columns[i]);
    t->radius = table(shapes, sizeof *t->radius), t->point = table(points, sizeof *t->point);
    t->face_end = table(faces, sizeof *t->face_end), t->corner = table(4 * faces, sizeof *t->corner);
    add_shape(t, FLOOR, REPLAY_HALF_SPACE, 3, 0), add_point(t, tl_v3(0, 0, 0)), add_point(t, tl_v3(0, 0, 1));
    add_box(t, BLADE, 3, tl_v3(0.01, 0.06, 0.05), tl_v3(0, 0, 0));
    add_shape(t, BALL, REPLAY_SPHERE, 1, 0.016), add_point(t, tl_v3(0, 0, 0));
    add_shape(t, CAPSULE, REPLAY_CAPSULE, 2, 0.01), add_point(t, tl_v3(-0.02, 0, 0)), add_point(t, tl_v3(0.02, 0, 0));
    add_shape(t, ROLLER, REPLAY_CYLINDER, 0, 0.015), add_point(t, tl_v3(-0.025, 0, 0)), add_point(t, tl_v3(0.025, 0, 0));
    for (int i = 0; i < s->count; i++) {
        const model *m = &s->model[s->stone[i].model];
        add_shape(t, OTHERS + i, REPLAY_POLYHEDRON, s->stone[i].material, 0);
        for (int k = 0; k < CORNERS; k++) add_point(t, tl_scale(s->stone[i].radius, m->corner[k]));
        for (int f = 0; f < m->faces; f++) add_face(t, 3, m->face[f]);
    }
}

static void write_shapes(hid_t file, const stones *s)
{
    shape_table t = {0};
    collect_shapes(s, &t);
    const hsize_t n = (hsize_t)t.shapes, points[2] = {(hsize_t)t.points, 3};
    write_whole(file, "shapes/body", t.shapes, t.body, "index into bodies");
    write_whole(file, "shapes/kind", t.shapes, t.kind, "4 sphere, 5 capsule, 6 polyhedron, 7 half-space (point, normal), 8 cylinder");
    write_whole(file, "shapes/material", t.shapes, t.material, "index into materials");
    write_whole(file, "shapes/first_point", t.shapes, t.first, "first of its points in shapes/points");
    write_whole(file, "shapes/point_count", t.shapes, t.count, "number of its points");
    write_whole(file, "shapes/first_face", t.shapes, t.first_face, "first of its faces in shapes/face_end");
    write_whole(file, "shapes/face_count", t.shapes, t.face_count, "number of its faces");
    write_whole(file, "shapes/face_end", t.faces, t.face_end, "one past the last corner of each face");
    write_whole(file, "shapes/corner", t.corners, t.corner, "a point, counted from the first of its shape; counter-clockwise from outside");
    must(tl_h5_write(file, &(tl_h5_set){"shapes/radius", H5T_NATIVE_DOUBLE, 1, &n, "m", "of the round ones, or of the rounding"}, t.radius), "shapes");
    must(tl_h5_write(file, &(tl_h5_set){"shapes/points", H5T_NATIVE_DOUBLE, 2, points, "m", "in the axes of the body"}, t.point), "shapes");
    free(t.body), free(t.kind), free(t.material), free(t.first), free(t.count), free(t.first_face), free(t.face_count);
    free(t.face_end), free(t.corner), free(t.radius), free(t.point);
}

static void write_bodies(hid_t file, const stones *s)
{
    static const char *const NAMES[OTHERS] = {"floor", "arm", "blade", "ball", "capsule", "roller"};
    const char *material[4] = {"sandstone", "granite", "basalt", "steel"}, **name = table((size_t)s->bodies, sizeof *name);
    const hsize_t n = (hsize_t)s->bodies, pair[2] = {2, 2}, ends[3] = {2, 2, 3};
    const double edge = 0.5 * SPACING * s->side + 0.065;
    const int32_t joined[2][2] = {{-1, ARM}, {ARM, BLADE}};
    const double point[2][2][3] = {{{edge, 0, 0.2}, {0, 0, 0}}, {{0, 0, -ARM_LENGTH}, {0, 0, 0}}};
    for (int i = 0; i < s->bodies; i++) name[i] = i < OTHERS ? NAMES[i] : "";
    write_names(file, "bodies/name", name, n);
    write_names(file, "materials/name", material, 4);
    must(tl_h5_write(file, &(tl_h5_set){"bodies/mass", H5T_NATIVE_DOUBLE, 1, &n, "kg", "0 for boundaries"}, s->mass), "bodies");
    write_whole(file, "bodies/kind", s->bodies, s->kind, "0 free, 1 fixed, 2 imposed");
    write_whole(file, "bodies/link", s->bodies, s->link, "1 for links of mechanisms");
    must(tl_h5_write(file, &(tl_h5_set){"joints/body", H5T_NATIVE_INT32, 2, pair, "1", "the two bodies that a joint joins; -1: ground"}, joined), "joints");
    must(tl_h5_write(file, &(tl_h5_set){"joints/point", H5T_NATIVE_DOUBLE, 3, ends, "m", "its point in the axes of each"}, point), "joints");
    free((void *)name);
}

static void open_sets(hid_t file, const stones *s, hid_t set[TL_SETS])
{
    const hsize_t n = (hsize_t)s->bodies, pose[2] = {n, 7}, rates[2] = {n, 6}, pair = 2, vector = 3;
    const hid_t real = H5T_NATIVE_DOUBLE;
    set[SET_TIME] = tl_h5_growing(file, &(tl_h5_set){"frames/time", real, 1, NULL, "s", "of each frame"});
    set[SET_POSE] = tl_h5_growing(file, &(tl_h5_set){"frames/pose", real, 3, pose, "m, m, m, 1, 1, 1, 1", "origin and quaternion (w, x, y, z) of each body"});
    set[SET_VELOCITY] = tl_h5_growing(file, &(tl_h5_set){"frames/velocity", real, 3, rates, "m/s, rad/s", "of the origin, and angular, world axes"});
    set[SET_CONTACT_END] = tl_h5_growing(file, &(tl_h5_set){"frames/contact_end", H5T_NATIVE_INT64, 1, NULL, "1", "one past the last contact of each frame"});
    set[SET_BODY] = tl_h5_growing(file, &(tl_h5_set){"contacts/body", H5T_NATIVE_INT32, 2, &pair, "1", "candidate, antagonist"});
    set[SET_POINT] = tl_h5_growing(file, &(tl_h5_set){"contacts/point", real, 2, &vector, "m", "where"});
    set[SET_NORMAL] = tl_h5_growing(file, &(tl_h5_set){"contacts/normal", real, 2, &vector, "1", "unit, from antagonist to candidate"});
    set[SET_GAP] = tl_h5_growing(file, &(tl_h5_set){"contacts/gap", real, 1, NULL, "m", "at mid-step"});
    set[SET_IMPULSE] = tl_h5_growing(file, &(tl_h5_set){"contacts/impulse", real, 2, &vector, "N s", "of the last step, along normal and tangents"});
    set[SET_FORCE] = tl_h5_growing(file, &(tl_h5_set){"contacts/force", real, 2, &vector, "N", "impulse over the step, along normal and tangents"});
    for (int i = 0; i < SET_KIND; i++) must(set[i] >= 0, "trajectory.h5");
}

static void append_frame(stones *s, const hid_t set[TL_SETS], double t)
{
    const hsize_t rows = (hsize_t)s->contacts;
    const hid_t real = H5T_NATIVE_DOUBLE;
    s->contact_end += s->contacts;
    must(tl_h5_append(set[SET_TIME], real, 1, 1, &t) && tl_h5_append(set[SET_POSE], real, 3, 1, s->pose) &&
             tl_h5_append(set[SET_VELOCITY], real, 3, 1, s->velocity) && tl_h5_append(set[SET_BODY], H5T_NATIVE_INT32, 2, rows, s->pair) &&
             tl_h5_append(set[SET_POINT], real, 2, rows, s->point) && tl_h5_append(set[SET_NORMAL], real, 2, rows, s->normal) &&
             tl_h5_append(set[SET_GAP], real, 1, rows, s->gap) && tl_h5_append(set[SET_IMPULSE], real, 2, rows, s->impulse) &&
             tl_h5_append(set[SET_FORCE], real, 2, rows, s->force) && tl_h5_append(set[SET_CONTACT_END], H5T_NATIVE_INT64, 1, 1, &s->contact_end),
         "a frame");
}

static void write_row(const stones *s, FILE *out, double t)
{
    double kinetic = 0, potential = 0, speed = 0;
    for (int i = OTHERS; i < s->bodies; i++) {
        const double v = tl_norm(tl_load3(s->velocity + 6 * (size_t)i));
        kinetic += 0.5 * s->mass[i] * v * v, potential += s->mass[i] * GRAVITY * place(s, i).z, speed += v / s->count;
    }
    fprintf(out, "%.17g,%.17g,%.17g,%d,%d,%.3g,%.3g,%.17g,%.17g\n", t, place(s, BLADE).z, speed, s->contacts, 20, 1e-7, 2e-6, kinetic, potential);
}

static void write_frames(stones *s, const char *directory, int frames)
{
    char path[4096];
    tl_error error;
    hid_t set[TL_SETS];
    snprintf(path, sizeof path, "%s/trajectory.h5", directory);
    const hid_t file = tl_h5_create(path, &error);
    must(file >= 0, path);
    write_bodies(file, s);
    write_shapes(file, s);
    open_sets(file, s, set);
    FILE *series = open_in(directory, "series.csv");
    fputs("time,blade height,mean speed,contacts,iterations,residual,penetration,kinetic_energy,potential_energy\n", series);
    for (int k = 0; k < frames; k++) {
        const double t = frames > 1 ? DURATION * k / (frames - 1) : 0;
        for (int i = 0; i < s->count; i++) move_stone(s, i, t);
        move_others(s, t);
        make_contacts(s, t);
        append_frame(s, set, t);
        write_row(s, series, t);
    }
    must(fclose(series) == 0, "series.csv");
    for (int i = 0; i < SET_KIND; i++) must(H5Dclose(set[i]) >= 0, path);
    must(H5Fclose(file) >= 0, path);
}

static void write_texts(const stones *s, const char *directory, int frames)
{
    FILE *out = open_in(directory, "summary.json");
    fprintf(out,
            "{\n  \"version\": \"%s\",\n  \"scene\": \"stones.yaml\",\n  \"status\": \"done\",\n  \"steps\": %.0f,\n  \"time_end\": %g,\n"
            "  \"wall_seconds\": 1,\n  \"stage_seconds\": {\"predict\": 0.1, \"detect\": 0.2, \"solve\": 0.6, \"record\": 0.1},\n"
            "  \"contacts_mean\": %.17g,\n  \"contacts_max\": %d,\n  \"iterations_mean\": 20,\n  \"contact_iterations\": %.0f,\n"
            "  \"unconverged_steps\": 0,\n  \"residual_max\": 1e-7,\n  \"penetration_max\": 2e-6,\n  \"loop_error_max\": 0,\n  \"threads\": 1,\n"
            "  \"bodies\": %d,\n  \"degrees_of_freedom\": %d,\n  \"state_hash\": \"0000000000000000\"\n}\n",
            TALUS_VERSION, DURATION / STEP, DURATION, (double)s->contact_end / frames, s->contacts, 20.0 * (double)s->contact_end, s->bodies,
            6 * (s->count + 3) + 2);
    must(fclose(out) == 0, "summary.json");
    out = open_in(directory, "scene.yaml");
    fprintf(out,
            "# %d stones in space, made by make_stones: nothing was simulated\ndimension: 3\ngravity: [0, 0, -9.81]\ntime: {end: %g s, step: %g s}\n"
            "materials:\n  sandstone: {density: 2500}\n  granite: {density: 2700}\n  basalt: {density: 3000}\n  steel: {density: 7800}\n"
            "output: {frames: {every: %g s}}\n",
            s->count, DURATION, STEP, frames > 1 ? DURATION / (frames - 1) : DURATION);
    must(fclose(out) == 0, "scene.yaml");
}

int main(int argc, char **argv)
{
    const int count = argc == 4 ? atoi(argv[2]) : 0, frames = argc == 4 ? atoi(argv[3]) : 0;
    if (count < 1 || frames < 1 || count > 1000000) {
        fprintf(stderr, "make_stones DIR BODIES FRAMES: writes the results of a run that never was\n");
        return 2;
    }
    static stones s; /* large: its models */
    mkdir(argv[1], 0777);
    make_all(&s, count);
    write_frames(&s, argv[1], frames);
    write_texts(&s, argv[1], frames);
    free(s.stone), free(s.pose), free(s.velocity), free(s.mass), free(s.kind), free(s.link);
    free(s.pair), free(s.point), free(s.normal), free(s.gap), free(s.impulse), free(s.force);
    return 0;
}
