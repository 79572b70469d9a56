/* Differences of rows (particle_box.h). The wider registers of a machine hold the same numbers. */
#include "solid/particle_box.h"

#include <string.h>

#include "solid/particle_response.h"

enum { LANES = 4, TILE = 64, FRONT = LANES, BACK = LANES };
enum { WORTH = 8 }; /* rows: some ten microseconds */
typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));

static int rounded(int n) { return (n + LANES - 1) / LANES * LANES; }
static int rows_of(const tl_particle_box *b) { return b->count[1] * b->count[2]; }

/* Where a row of a field begins, ghosts' among them; and one of what particles alone have, of which the last is that of nobody. */
static size_t field_row(const tl_particle_box *b, int y, int z) { return (size_t)((z + 1) * (b->count[1] + 2) + y + 1) * (size_t)b->stride; }
static size_t own_row(const tl_particle_box *b, int y, int z)
{
    const bool outside = y < 0 || z < 0 || y >= b->count[1] || z >= b->count[2];
    return (size_t)(outside ? rows_of(b) : z * b->count[1] + y) * (size_t)b->stride;
}

/* ---- making it ------------------------------------------------------------------------------------------------------------------- */

/* Rows of stabilisation along an axis (particle_stabilisation.h): what each particle of a line feels of those before and behind it, for c = 1 Pa. */
static void find_bands(const tl_particle_box *b, int axis, double spacing)
{
    static const double WEIGHT[2][4] = {{1, -2, 1, 0}, {1, -3, 3, -1}}, MOST[2] = {4, 8};
    const int n = b->count[axis], is_long = n > 3, points = is_long ? 4 : 3;
    for (int first = 0; first + points <= n; first++) {
        double mean = 0;
        for (int k = 0; k < points; k++) mean += b->half[axis][first + k] / points;
        const double weight = mean * spacing / (MOST[is_long] * MOST[is_long]);
        for (int k = 0; k < points; k++)
            for (int l = 0; l < points; l++) b->row[axis][first + k][TL_BOX_REACH + l - k] += weight * WEIGHT[is_long][k] * WEIGHT[is_long][l];
    }
}

/* The longest lines are rows. */
static void choose_axes(tl_particle_box *b, const int count[3])
{
    int longest = 0;
    for (int k = 1; k < 3; k++)
        if (count[k] > count[longest]) longest = k;
    for (int k = 0; k < 3; k++) b->axis[k] = (longest + k) % 3, b->count[k] = count[b->axis[k]];
    b->stride = FRONT + rounded(b->count[0]) + BACK;
    b->slots = b->stride * (b->count[1] + 2) * (b->count[2] + 2);
}

/* Particles are sorted by their sites, the last axis first. */
static void place_particles(tl_particle_box *b, const tl_least_squares *fit)
{
    int site[3];
    for (int k = 0; k < b->particles; k++) {
        const int i = fit->by_site[k];
        site[0] = k % fit->box[0], site[1] = k / fit->box[0] % fit->box[1], site[2] = k / fit->box[0] / fit->box[1];
        const int x = site[b->axis[0]], y = site[b->axis[1]], z = site[b->axis[2]];
        b->slot[i] = (int)field_row(b, y, z) + FRONT + x;
        b->particle[(z * b->count[1] + y) * b->count[0] + x] = i;
        b->volume[own_row(b, y, z) + (size_t)(FRONT + x)] = fit->volume[i];
    }
}

talus_status tl_particle_box_create(tl_memory memory, const tl_least_squares *fit, tl_particle_box *out, tl_error *error)
{
    *out = (tl_particle_box){.memory = memory};
    if (fit->box[0] == 0) return TALUS_OK;
    out->particles = fit->particles;
    memcpy(out->slope, fit->slope, sizeof out->slope);
    choose_axes(out, fit->box);
    const size_t own = (size_t)rows_of(out) * (size_t)out->stride, one = own + (size_t)out->stride, slots = (size_t)out->slots, end = 2 * LANES;
    bool room = (out->slot = tl_alloc(memory, (size_t)out->particles, sizeof *out->slot)) != NULL;
    room = (out->particle = tl_alloc(memory, (size_t)out->particles, sizeof *out->particle)) && room;
    room = (out->volume = tl_alloc(memory, own, sizeof *out->volume)) && room;
    room = (out->stress = tl_alloc(memory, 9 * one + end, sizeof *out->stress)) && room;
    room = (out->turned = tl_alloc(memory, 10 * own, sizeof *out->turned)) && room;
    room = (out->x = tl_alloc(memory, 3 * slots + end, sizeof *out->x)) && room;
    room = (out->y = tl_alloc(memory, 3 * slots + end, sizeof *out->y)) && room;
    for (int k = 0; k < 3; k++) {
        room = (out->row[k] = tl_alloc(memory, (size_t)out->count[k], sizeof *out->row[k])) && room;
        room = (out->half[k] = tl_alloc(memory, (size_t)out->stride, sizeof *out->half[k])) && room;
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
    return TALUS_OK;
}

void tl_particle_box_free(tl_particle_box *b)
{
    void *const all[] = {b->slot, b->particle, b->volume, b->stress, b->turned, b->x, b->y};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) tl_free(b->memory, all[i]);
    for (int k = 0; k < 3; k++) tl_free(b->memory, b->row[k]), tl_free(b->memory, b->half[k]);
    *b = (tl_particle_box){.memory = b->memory};
}

/* ---- fields ---------------------------------------------------------------------------------------------------------------------- */

void tl_box_field(const tl_particle_box *b, const double *of_particles, double *field)
{
    memset(field, 0, 3 * (size_t)b->slots * sizeof *field);
    for (int i = 0; i < b->particles; i++)
        for (int k = 0; k < 3; k++) field[k * b->slots + b->slot[i]] = of_particles[3 * i + b->axis[k]];
}

void tl_box_particles(const tl_particle_box *b, const double *field, double *of_particles)
{
    for (int i = 0; i < b->particles; i++)
        for (int k = 0; k < 3; k++) of_particles[3 * i + b->axis[k]] = field[k * b->slots + b->slot[i]];
}

/* Ghosts stand straight on beyond both ends of a line, where four numbers follow one another; what acts on them acts so on those before. */
static void stand(double *ghost, const double *first, const double *second, int n)
{
    for (int i = 0; i < n; i++) ghost[i] = 2 * first[i] - second[i];
}

static void hand_back(double *ghost, double *first, double *second, int n)
{
    for (int i = 0; i < n; i++) first[i] += 2 * ghost[i], second[i] -= ghost[i], ghost[i] = 0;
}

/* Along rows first, then beside, then above: at edges and corners one after the other. */
static void fill_ghosts(const tl_particle_box *b, double *x)
{
    const int n = b->count[0], last = FRONT + n - 1, s = b->stride;
    for (int z = 0; z < b->count[2]; z++)
        for (int y = 0; y < b->count[1]; y++) {
            double *row = x + field_row(b, y, z);
            stand(row + FRONT - 1, row + FRONT, row + FRONT + 1, 1), stand(row + last + 1, row + last, row + last - 1, 1);
        }
    for (int z = 0; z < b->count[2]; z++) {
        double *first = x + field_row(b, 0, z), *end = x + field_row(b, b->count[1] - 1, z);
        stand(first - s, first, first + s, s), stand(end + s, end, end - s, s);
    }
    const int layer = s * (b->count[1] + 2);
    double *first = x + field_row(b, -1, 0), *end = x + field_row(b, -1, b->count[2] - 1);
    stand(first - layer, first, first + layer, layer), stand(end + layer, end, end - layer, layer);
}

static void fill_all_ghosts(const tl_particle_box *b, double *x)
{
    for (int k = 0; k < 3; k++) fill_ghosts(b, x + (size_t)k * (size_t)b->slots);
}

static void fold_ghosts(const tl_particle_box *b, double *y)
{
    const int n = b->count[0], last = FRONT + n - 1, s = b->stride, layer = s * (b->count[1] + 2);
    double *first = y + field_row(b, -1, 0), *end = y + field_row(b, -1, b->count[2] - 1);
    hand_back(first - layer, first, first + layer, layer), hand_back(end + layer, end, end - layer, layer);
    for (int z = 0; z < b->count[2]; z++) {
        first = y + field_row(b, 0, z), end = y + field_row(b, b->count[1] - 1, z);
        hand_back(first - s, first, first + s, s), hand_back(end + s, end, end - s, s);
    }
    for (int z = 0; z < b->count[2]; z++)
        for (int k = 0; k < b->count[1]; k++) {
            double *row = y + field_row(b, k, z);
            hand_back(row + FRONT - 1, row + FRONT, row + FRONT + 1, 1), hand_back(row + last + 1, row + last, row + last - 1, 1);
        }
}

/* ---- differences ----------------------------------------------------------------------------------------------------------------- */

#define ALWAYS static inline __attribute__((always_inline))

ALWAYS lanes load(const double *x)
{
    lanes out;
    memcpy(&out, x, sizeof out);
    return out;
}
ALWAYS void store(double *x, lanes value) { memcpy(x, &value, sizeof value); }

/* A row and those about it: that which is `dy` beside and `dz` above is row[4 + dy + 3 dz]. */
typedef struct around {
    const double *row[9];
} around;

/* out += the derivative along the row, of n numbers from x on. */
ALWAYS void add_along(const around *r, const double slope[3], int x, int n, double *out)
{
    double A[TILE + 2 * LANES];
    store(A + n, (lanes){0}); /* lanes beyond the last are no one's */
    for (int i = 0; i < n + 2; i += LANES) {
        const int at = x - 1 + i;
        const lanes beside = load(r->row[1] + at) + load(r->row[3] + at) + load(r->row[5] + at) + load(r->row[7] + at),
                    corner = load(r->row[0] + at) + load(r->row[2] + at) + load(r->row[6] + at) + load(r->row[8] + at);
        store(A + i, slope[0] * load(r->row[4] + at) + slope[1] * beside + slope[2] * corner);
    }
    for (int i = 0; i < n; i += LANES) store(out + i, load(out + i) + (load(A + i + 2) - load(A + i)));
}

/* The same across rows: beside, q = 1 and p = 3, or above, q = 3 and p = 1. */
ALWAYS void add_across(const around *r, const double slope[3], int q, int p, int x, int n, double *out)
{
    double B[TILE + 2 * LANES], C[TILE + 2 * LANES];
    for (int i = 0; i < n + 2; i += LANES) {
        const int at = x - 1 + i;
        store(B + i, load(r->row[4 + q] + at) - load(r->row[4 - q] + at));
        store(C + i, (load(r->row[4 + q + p] + at) - load(r->row[4 - q + p] + at)) + (load(r->row[4 + q - p] + at) - load(r->row[4 - q - p] + at)));
    }
    for (int i = 0; i < n; i += LANES) {
        const lanes near = slope[0] * load(B + i + 1), aside = load(B + i) + load(B + i + 2) + load(C + i + 1), far = load(C + i) + load(C + i + 2);
        store(out + i, load(out + i) + (near + slope[1] * aside + slope[2] * far));
    }
}

typedef struct box_job {
    tl_particle_box *b;
    const tl_box_law *law;
    double *x, *y, scale;
    tl_columns *G;
    const tl_columns *P;
} box_job;

/* Gradients of a tile of a row. */
ALWAYS void find_gradients(const box_job *j, int y, int z, int x, int n, double g[3][3][TILE])
{
    const tl_particle_box *b = j->b;
    for (int k = 0; k < 3; k++) {
        around r;
        for (int i = 0; i < 9; i++) r.row[i] = j->x + (size_t)k * (size_t)b->slots + field_row(b, y + i % 3 - 1, z + i / 3 - 1);
        memset(g[k], 0, sizeof g[k]);
        add_along(&r, b->slope, FRONT + x, n, g[k][0]);
        add_across(&r, b->slope, 1, 3, FRONT + x, n, g[k][1]);
        add_across(&r, b->slope, 3, 1, FRONT + x, n, g[k][2]);
    }
}

static size_t plane(const tl_particle_box *b) { return (size_t)(rows_of(b) + 1) * (size_t)b->stride; }

/* V C[dF] */
ALWAYS void answer_at_rest(const tl_box_law *law, const double *volume, int n, double g[3][3][TILE])
{
    for (int i = 0; i < n; i += LANES) {
        const lanes V = load(volume + i), mean = law->lame * (load(g[0][0] + i) + load(g[1][1] + i) + load(g[2][2] + i));
        for (int k = 0; k < 3; k++) {
            for (int l = 0; l < k; l++) {
                const lanes both = V * (law->shear * (load(g[k][l] + i) + load(g[l][k] + i)));
                store(g[k][l] + i, both), store(g[l][k] + i, both);
            }
            store(g[k][k] + i, V * (mean + 2 * law->shear * load(g[k][k] + i)));
        }
    }
}

/* V J C[dF B] Bᵀ */
ALWAYS void answer_turned(const box_job *j, size_t at, int n, double g[3][3][TILE])
{
    const tl_box_law *law = j->law;
    const size_t own = (size_t)rows_of(j->b) * (size_t)j->b->stride;
    for (int i = 0; i < n; i += LANES) {
        const double *from = j->b->turned + at + (size_t)i;
        lanes B[3][3], D[3][3], S[3][3];
        for (int k = 0; k < 9; k++) B[k / 3][k % 3] = load(from + (size_t)k * own);
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++) D[k][l] = load(g[k][0] + i) * B[0][l] + load(g[k][1] + i) * B[1][l] + load(g[k][2] + i) * B[2][l];
        const lanes V = load(from + 9 * own), mean = law->lame * (D[0][0] + D[1][1] + D[2][2]);
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++) S[k][l] = V * (k == l ? mean + 2 * law->shear * D[k][k] : law->shear * (D[k][l] + D[l][k]));
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++) store(g[k][l] + i, S[k][0] * B[l][0] + S[k][1] * B[l][1] + S[k][2] * B[l][2]);
    }
}

/* Stresses of rows, times volumes, of gradients there. */
ALWAYS void answer_rows(const box_job *j, int begin, int end)
{
    tl_particle_box *b = j->b;
    for (int row = begin; row < end; row++)
        for (int x = 0; x < b->count[0]; x += TILE) {
            const int left = rounded(b->count[0]) - x, n = left < TILE ? left : TILE, y = row % b->count[1], z = row / b->count[1];
            const size_t at = own_row(b, y, z) + (size_t)(FRONT + x);
            double g[3][3][TILE];
            find_gradients(j, y, z, x, n, g);
            if (j->law->turned) answer_turned(j, at, n, g);
            else answer_at_rest(j->law, b->volume + at, n, g);
            for (int k = 0; k < 9; k++) memcpy(b->stress + (size_t)k * plane(b) + at, g[k / 3][k % 3], (size_t)n * sizeof(double));
        }
}

/* Gradients of rows to particles. */
ALWAYS void tell_rows(const box_job *j, int begin, int end)
{
    const tl_particle_box *b = j->b;
    for (int row = begin; row < end; row++)
        for (int x = 0; x < b->count[0]; x += TILE) {
            const int left = b->count[0] - x, n = left < TILE ? left : TILE;
            const int *particle = b->particle + row * b->count[0] + x;
            double g[3][3][TILE];
            find_gradients(j, row % b->count[1], row / b->count[1], x, rounded(n), g);
            for (int i = 0; i < n; i++)
                for (int l = 0; l < 3; l++) {
                    double *column = j->G[particle[i]][b->axis[l]];
                    for (int k = 0; k < 3; k++) column[b->axis[k]] = g[k][l][i];
                    column[3] = 0;
                }
        }
}

/* y = −Σ ∂P/∂x of rows, those of ghosts among them: what acts on particles by P is minus the divergence, for the stencil is odd. */
ALWAYS void push_rows(const box_job *j, int begin, int end)
{
    const tl_particle_box *b = j->b;
    const int beside = b->count[1] + 2, whole = rounded(b->count[0] + 2);
    const double back[3] = {-b->slope[0], -b->slope[1], -b->slope[2]};
    for (int row = begin; row < end; row++)
        for (int x = 0; x < whole; x += TILE) {
            const int n = whole - x < TILE ? whole - x : TILE, y = row % beside - 1, z = row / beside - 1, from = FRONT - 1 + x;
            for (int k = 0; k < 3; k++) {
                double sum[TILE] = {0};
                around r[3];
                for (int l = 0; l < 3; l++)
                    for (int i = 0; i < 9; i++) r[l].row[i] = b->stress + (size_t)(3 * k + l) * plane(b) + own_row(b, y + i % 3 - 1, z + i / 3 - 1);
                add_along(&r[0], back, from, n, sum);
                add_across(&r[1], back, 1, 3, from, n, sum);
                add_across(&r[2], back, 3, 1, from, n, sum);
                memcpy(j->y + (size_t)k * (size_t)b->slots + field_row(b, y, z) + (size_t)from, sum, (size_t)n * sizeof *sum);
            }
        }
}

/* y = scale (y + what holds rows) */
ALWAYS void hold_rows(const box_job *j, int begin, int end)
{
    const tl_particle_box *b = j->b;
    const double holding = j->law->holding;
    for (int row = begin; row < end; row++) {
        const int y = row % b->count[1], z = row / b->count[1];
        const size_t at = field_row(b, y, z) + FRONT;
        const double share = b->half[1][y] * b->half[2][z];
        const double *beside = b->row[1][y], *above = b->row[2][z];
        for (int k = 0; k < 3; k++) {
            const double *x = j->x + (size_t)k * (size_t)b->slots + at;
            double *out = j->y + (size_t)k * (size_t)b->slots + at;
            for (int i = 0; i < b->count[0]; i++) {
                double along = 0;
                for (int c = -TL_BOX_REACH; c <= TL_BOX_REACH; c++) along += b->row[0][i][TL_BOX_REACH + c] * x[i + c];
                out[i] += holding * (share * along);
            }
            for (int c = -TL_BOX_REACH; c <= TL_BOX_REACH; c++) {
                const double own = holding * b->half[2][z] * beside[TL_BOX_REACH + c], up = holding * b->half[1][y] * above[TL_BOX_REACH + c];
                const double *there = x + c * b->stride, *over = x + c * b->stride * (b->count[1] + 2);
                for (int i = 0; own != 0 && i < b->count[0]; i++) out[i] += own * (b->half[0][i] * there[i]);
                for (int i = 0; up != 0 && i < b->count[0]; i++) out[i] += up * (b->half[0][i] * over[i]);
            }
            for (int i = 0; i < b->count[0]; i++) out[i] *= j->scale;
        }
    }
}

typedef struct kernels {
    tl_range_fn *answer, *tell, *push, *hold;
} kernels;

#define KERNELS(name, set)                                                                                                                                     \
    static set void answer_##name(void *job, int begin, int end, int worker) { (void)worker, answer_rows(job, begin, end); }                                   \
    static set void tell_##name(void *job, int begin, int end, int worker) { (void)worker, tell_rows(job, begin, end); }                                       \
    static set void push_##name(void *job, int begin, int end, int worker) { (void)worker, push_rows(job, begin, end); }                                       \
    static set void hold_##name(void *job, int begin, int end, int worker) { (void)worker, hold_rows(job, begin, end); }                                       \
    static const kernels name##_kernels = {answer_##name, tell_##name, push_##name, hold_##name};

KERNELS(any, )
#if defined(__x86_64__)
KERNELS(avx2, __attribute__((target("avx2"))))
#endif

static const kernels *best_kernels(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) return &avx2_kernels;
#endif
    return &any_kernels;
}

/* ---- operators ------------------------------------------------------------------------------------------------------------------- */

void tl_box_gradients(tl_particle_box *b, tl_threads *threads, const double *u, tl_columns *G)
{
    box_job j = {.b = b, .x = b->x, .G = G};
    tl_box_field(b, u, b->x);
    fill_all_ghosts(b, b->x);
    tl_parallel_for(threads, rows_of(b), WORTH, best_kernels()->tell, &j);
}

static void push_all(box_job *j, tl_threads *threads)
{
    const tl_particle_box *b = j->b;
    tl_parallel_for(threads, (b->count[1] + 2) * (b->count[2] + 2), WORTH, best_kernels()->push, j);
    for (int k = 0; k < 3; k++) fold_ghosts(b, j->y + (size_t)k * (size_t)b->slots);
}

void tl_box_pushes(tl_particle_box *b, tl_threads *threads, const tl_columns *P, double scale, double *f)
{
    box_job j = {.b = b, .y = b->y};
    for (int row = 0; row < rows_of(b); row++)
        for (int x = 0; x < b->count[0]; x++) {
            const int i = b->particle[row * b->count[0] + x];
            const size_t at = (size_t)row * (size_t)b->stride + (size_t)(FRONT + x);
            for (int k = 0; k < 9; k++) b->stress[(size_t)k * plane(b) + at] = b->volume[at] * P[i][b->axis[k % 3]][b->axis[k / 3]];
        }
    push_all(&j, threads);
    for (int i = 0; i < b->particles; i++)
        for (int k = 0; k < 3; k++) f[3 * i + b->axis[k]] += scale * b->y[k * b->slots + b->slot[i]];
}

void tl_box_turn(tl_particle_box *b, const tl_columns *B)
{
    const size_t own = (size_t)rows_of(b) * (size_t)b->stride;
    for (int row = 0; row < rows_of(b); row++)
        for (int x = 0; x < b->count[0]; x++) {
            const int i = b->particle[row * b->count[0] + x];
            const size_t at = (size_t)row * (size_t)b->stride + (size_t)(FRONT + x);
            tl_mat3 inverse;
            for (int k = 0; k < 9; k++) inverse.m[k / 3][k % 3] = b->turned[(size_t)k * own + at] = B[i][b->axis[k % 3]][b->axis[k / 3]];
            b->turned[9 * own + at] = b->volume[at] / tl_particle_volume(&inverse);
        }
}

void tl_box_stiffness(tl_particle_box *b, tl_threads *threads, const tl_box_law *law, double scale, double *x, double *y)
{
    box_job j = {.b = b, .law = law, .x = x, .y = y, .scale = scale};
    fill_all_ghosts(b, x);
    tl_parallel_for(threads, rows_of(b), WORTH, best_kernels()->answer, &j);
    push_all(&j, threads);
    tl_parallel_for(threads, rows_of(b), WORTH, best_kernels()->hold, &j);
}
