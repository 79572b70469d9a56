/* Boxes of particles (particle_box.h): how they are made, and what they do in double precision. */
#define NUMBER double
#define LANES  TL_LANES
#define VECTOR tl_lanes
#define load   tl_load4
#define store  tl_store4
#define KIND   wide
#include "solid/particle_box_kernels.h"
#include "solid/particle_stabilisation.h"

static int rounded(int n) { return (n + TL_BOX_FRONT - 1) / TL_BOX_FRONT * TL_BOX_FRONT; }
static size_t room_of(const tl_particle_box *b) { return 27 * tl_box_layer(b) + 6 * tl_box_ghost_layer(b) + 2 * TL_BOX_FRONT; }

/* ---- making it ------------------------------------------------------------------------------------------------------------------- */

/* Rows of stabilisation along an axis (particle_stabilisation.h): what each particle of a line feels of those before and behind it, for c = 1 Pa. */
static void find_bands(const tl_particle_box *b, int axis, double spacing)
{
    const int n = b->count[axis], is_long = n > 3, points = is_long ? 4 : 3;
    for (int first = 0; first + points <= n; first++) {
        double mean = 0;
        for (int k = 0; k < points; k++) mean += b->half[axis][first + k] / points;
        const double weight = mean * spacing / (TL_ROW_MOST[is_long] * TL_ROW_MOST[is_long]);
        for (int k = 0; k < points; k++)
            for (int l = 0; l < points; l++) b->row[axis][first + k][TL_BOX_REACH + l - k] += weight * TL_ROW_WEIGHT[is_long][k] * TL_ROW_WEIGHT[is_long][l];
    }
}

/* The longest lines are rows, and the shortest lie beside one another: three layers of few particles are at work at a time (sweep_layers). */
static void choose_axes(tl_particle_box *b, const int count[3])
{
    int longest = 0, shortest = 2;
    for (int k = 1; k < 3; k++)
        if (count[k] > count[longest]) longest = k;
    for (int k = 1; k >= 0; k--)
        if (count[k] < count[shortest]) shortest = k;
    if (shortest == longest) shortest = (longest + 1) % 3;
    const int axis[3] = {longest, shortest, 3 - longest - shortest};
    for (int k = 0; k < 3; k++) b->axis[k] = axis[k], b->count[k] = count[axis[k]];
    b->lanes = rounded(b->count[0]), b->stride = TL_BOX_FRONT + b->lanes + TL_BOX_FRONT;
    b->slots = b->lanes * tl_box_rows(b);
}

/* Particles are sorted by their sites, the last axis first. */
static void place_particles(tl_particle_box *b, const tl_least_squares *fit)
{
    int site[3];
    for (int k = 0; k < b->particles; k++) {
        const int i = fit->by_site[k];
        site[0] = k % fit->box[0], site[1] = k / fit->box[0] % fit->box[1], site[2] = k / fit->box[0] / fit->box[1];
        const int row = site[b->axis[2]] * b->count[1] + site[b->axis[1]], x = site[b->axis[0]];
        b->slot[i] = row * b->lanes + x;
        b->particle[row * b->count[0] + x] = i;
        b->wide.volume[b->slot[i]] = fit->volume[i], b->narrow.volume[b->slot[i]] = (float)fit->volume[i];
    }
}

static void find_felt(const tl_particle_box *b, int y, int z, tl_box_felt *f)
{
    const ptrdiff_t step[3] = {1, b->stride, (ptrdiff_t)b->stride * (b->count[1] + 2)};
    const int at[3] = {0, y, z};
    for (int axis = 1; axis < 3; axis++)
        for (int c = 0; c < TL_BOX_BAND; c++) {
            const int k = TL_BOX_BAND * (axis - 1) + c;
            f->weight[k] = b->half[3 - axis][at[3 - axis]] * b->row[axis][at[axis]][c];
            f->away[k] = f->weight[k] != 0 ? (c - TL_BOX_REACH) * step[axis] : 0;
        }
}

/* Room for numbers of one kind. */
#define MAKE_NUMBERS(b, memory, m)                                                                                                                             \
    (((m)->volume = tl_alloc(memory, (size_t)(b)->slots, sizeof *(m)->volume)) &&                                                                              \
     ((m)->turned = tl_alloc(memory, 10 * (size_t)(b)->slots, sizeof *(m)->turned)) &&                                                                         \
     ((m)->half = tl_alloc(memory, (size_t)(b)->lanes, sizeof *(m)->half)) &&                                                                                  \
     ((m)->along = tl_alloc(memory, TL_BOX_BAND * (size_t)(b)->lanes, sizeof *(m)->along)) &&                                                                  \
     ((m)->x = tl_alloc(memory, 3 * tl_box_plane(b) + 2 * TL_BOX_FRONT, sizeof *(m)->x)) &&                                                                    \
     ((m)->none = tl_alloc(memory, (size_t)(b)->stride + 2 * TL_BOX_FRONT, sizeof *(m)->none)))

static bool make_numbers(tl_particle_box *b)
{
    const tl_memory memory = b->memory;
    bool room = MAKE_NUMBERS(b, memory, &b->wide) && MAKE_NUMBERS(b, memory, &b->narrow);
    for (int k = 0; k < TL_BOX_WORKERS; k++) {
        room = room && (b->wide.room[k] = tl_alloc(memory, room_of(b), sizeof(double)));
        room = room && (b->narrow.room[k] = tl_alloc(memory, room_of(b), sizeof(float)));
    }
    return room;
}

/* The same rows in both kinds. */
static void tell_numbers(tl_particle_box *b)
{
    for (int k = 0; k < 3; k++) b->narrow.slope[k] = (float)b->wide.slope[k];
    for (int i = 0; i < b->count[0]; i++) {
        b->narrow.half[i] = (float)(b->wide.half[i] = b->half[0][i]);
        for (int c = 0; c < TL_BOX_BAND; c++) b->narrow.along[c * b->lanes + i] = (float)(b->wide.along[c * b->lanes + i] = b->row[0][i][c]);
    }
    for (int row = 0; row < tl_box_rows(b); row++) find_felt(b, row % b->count[1], row / b->count[1], &b->felt[row]);
}

talus_status tl_particle_box_create(tl_memory memory, const tl_least_squares *fit, tl_particle_box *out, tl_error *error)
{
    *out = (tl_particle_box){.memory = memory};
    if (fit->box[0] == 0) return TALUS_OK;
    out->particles = fit->particles;
    memcpy(out->wide.slope, fit->slope, sizeof out->wide.slope);
    choose_axes(out, fit->box);
    bool room = (out->slot = tl_alloc(memory, (size_t)out->particles, sizeof *out->slot)) != NULL;
    room = (out->particle = tl_alloc(memory, (size_t)out->particles, sizeof *out->particle)) && room;
    room = (out->field = tl_alloc(memory, 3 * (size_t)out->slots, sizeof *out->field)) && room;
    room = (out->felt = tl_alloc(memory, (size_t)tl_box_rows(out), sizeof *out->felt)) && room;
    room = make_numbers(out) && room;
    for (int k = 0; k < 3; k++) {
        room = (out->row[k] = tl_alloc(memory, (size_t)out->count[k], sizeof *out->row[k])) && room;
        room = (out->half[k] = tl_alloc(memory, (size_t)out->count[k], sizeof *out->half[k])) && room;
    }
    if (!room) {
        tl_particle_box_free(out);
        return tl_fail(error, TALUS_MEMORY, "no memory for the rows of %d particles", fit->particles);
    }
    place_particles(out, fit);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < out->count[k]; i++) out->half[k][i] = i == 0 || i == out->count[k] - 1 ? 0.5 : 1;
        find_bands(out, k, fit->spacing);
    }
    tell_numbers(out);
    return TALUS_OK;
}

#define FREE_NUMBERS(memory, m)                                                                                                                                \
    do {                                                                                                                                                       \
        tl_free(memory, (m)->volume), tl_free(memory, (m)->turned), tl_free(memory, (m)->half), tl_free(memory, (m)->along);                                   \
        tl_free(memory, (m)->x), tl_free(memory, (m)->none);                                                                                                   \
        for (int worker = 0; worker < TL_BOX_WORKERS; worker++) tl_free(memory, (m)->room[worker]);                                                            \
    } while (0)

void tl_particle_box_free(tl_particle_box *b)
{
    void *const all[] = {b->slot, b->particle, b->field, b->felt};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) tl_free(b->memory, all[i]);
    for (int k = 0; k < 3; k++) tl_free(b->memory, b->row[k]), tl_free(b->memory, b->half[k]);
    FREE_NUMBERS(b->memory, &b->wide);
    FREE_NUMBERS(b->memory, &b->narrow);
    *b = (tl_particle_box){.memory = b->memory};
}

/* ---- fields ---------------------------------------------------------------------------------------------------------------------- */

static void to_field(const tl_particle_box *b, const double *of_particles, double *field)
{
    for (int i = 0; i < b->particles; i++)
        for (int k = 0; k < 3; k++) field[k * b->slots + b->slot[i]] = of_particles[3 * i + b->axis[k]];
}

static void add_field(const tl_particle_box *b, const double *field, double *of_particles)
{
    for (int i = 0; i < b->particles; i++)
        for (int k = 0; k < 3; k++) of_particles[3 * i + b->axis[k]] += field[k * b->slots + b->slot[i]];
}

/* ---- operators ------------------------------------------------------------------------------------------------------------------- */

void tl_box_gradients(tl_particle_box *b, tl_threads *threads, const double *u, tl_columns *G)
{
    box_job j = {.b = b, .G = G};
    to_field(b, u, b->field);
    take_field(b, threads, b->field);
    tl_parallel_for(threads, tl_box_rows(b), WORTH, TL_BEST_KERNELS->tell, &j);
}

void tl_box_pushes(tl_particle_box *b, tl_threads *threads, const tl_columns *P, double scale, double *f)
{
    sweep(&(box_job){.b = b, .P = P, .scale = scale, .f = f}, threads);
}

void tl_box_hold(tl_particle_box *b, tl_threads *threads, double c, const double *u, double *f)
{
    box_job j = {.b = b, .holding = c, .y = b->field, .scale = 1};
    if (c == 0) return;
    to_field(b, u, b->field);
    take_field(b, threads, b->field);
    tl_parallel_for(threads, tl_box_rows(b), WORTH, TL_BEST_KERNELS->hold, &j);
    add_field(b, b->field, f);
}

void tl_box_turn(tl_particle_box *b, const tl_columns *B)
{
    for (int i = 0; i < b->particles; i++) {
        tl_mat3 inverse;
        const int slot = b->slot[i];
        double *turned = b->wide.turned + slot;
        for (int k = 0; k < 9; k++) inverse.m[k / 3][k % 3] = turned[k * b->slots] = B[i][b->axis[k % 3]][b->axis[k / 3]];
        turned[9 * b->slots] = b->wide.volume[slot] / tl_mat3_determinant(&inverse);
        for (int k = 0; k < 10; k++) b->narrow.turned[k * b->slots + slot] = (float)turned[k * b->slots];
    }
}

void tl_box_stiffness(tl_particle_box *b, tl_threads *threads, const tl_box_law *law, double scale, const double *u, double *f)
{
    to_field(b, u, b->field);
    take_field(b, threads, b->field);
    sweep(&(box_job){.b = b, .lame = law->lame, .shear = law->shear, .holding = law->holding, .turned = law->turned, .y = b->field, .scale = scale}, threads);
    add_field(b, b->field, f);
}
