/* Differences of rows (particle_box.h). The wider registers of a machine hold the same numbers. */
#include "solid/particle_box.h"

#include <stdlib.h>
#include <string.h>

#include "base/lanes.h"
#include "solid/particle_stabilisation.h"

enum { TILE = 64, FRONT = TL_LANES, BACK = TL_LANES, BAND = 2 * TL_BOX_REACH + 1 };
enum { WORTH = 8, WORTH_SLOTS = 1000 }; /* rows, and particles: some ten microseconds */

static int rounded(int n) { return (n + TL_LANES - 1) / TL_LANES * TL_LANES; }
static int rows_of(const tl_particle_box *b) { return b->count[1] * b->count[2]; }

/* Where a row of what has ghosts begins. */
static size_t ghost_row(const tl_particle_box *b, int y, int z) { return (size_t)((z + 1) * (b->count[1] + 2) + y + 1) * (size_t)b->stride; }
static size_t ghost_plane(const tl_particle_box *b) { return ghost_row(b, b->count[1], b->count[2]) + (size_t)b->stride; }

/* Numbers of a layer of rows that lie beside one another, and of one with ghosts. */
static size_t layer_of(const tl_particle_box *b) { return (size_t)b->count[1] * (size_t)b->stride; }
static size_t ghost_layer(const tl_particle_box *b) { return (size_t)(b->count[1] + 2) * (size_t)b->stride; }
static size_t room_of(const tl_particle_box *b) { return 27 * layer_of(b) + 6 * ghost_layer(b) + 2 * TL_LANES; }

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
    b->lanes = rounded(b->count[0]), b->stride = FRONT + b->lanes + BACK;
    b->slots = b->lanes * rows_of(b);
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
        b->volume[b->slot[i]] = fit->volume[i];
    }
}

talus_status tl_particle_box_create(tl_memory memory, const tl_least_squares *fit, tl_particle_box *out, tl_error *error)
{
    *out = (tl_particle_box){.memory = memory};
    if (fit->box[0] == 0) return TALUS_OK;
    out->particles = fit->particles;
    memcpy(out->slope, fit->slope, sizeof out->slope);
    choose_axes(out, fit->box);
    const size_t slots = (size_t)out->slots, end = 2 * TL_LANES;
    bool room = (out->slot = tl_alloc(memory, (size_t)out->particles, sizeof *out->slot)) != NULL;
    room = (out->particle = tl_alloc(memory, (size_t)out->particles, sizeof *out->particle)) && room;
    room = (out->volume = tl_alloc(memory, slots, sizeof *out->volume)) && room;
    room = (out->turned = tl_alloc(memory, 10 * slots, sizeof *out->turned)) && room;
    room = (out->field = tl_alloc(memory, 3 * slots, sizeof *out->field)) && room;
    room = (out->x = tl_alloc(memory, 3 * ghost_plane(out) + end, sizeof *out->x)) && room;
    room = (out->none = tl_alloc(memory, (size_t)out->stride + end, sizeof *out->none)) && room;
    for (int k = 0; k < TL_BOX_WORKERS; k++) room = (out->room[k] = tl_alloc(memory, room_of(out), sizeof(double))) && room;
    room = (out->along = tl_alloc(memory, BAND * (size_t)out->lanes, sizeof *out->along)) && room;
    for (int k = 0; k < 3; k++) {
        room = (out->row[k] = tl_alloc(memory, (size_t)out->count[k], sizeof *out->row[k])) && room;
        room = (out->half[k] = tl_alloc(memory, (size_t)rounded(out->count[k]), sizeof *out->half[k])) && room;
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
    for (int c = 0; c < BAND; c++)
        for (int i = 0; i < out->count[0]; i++) out->along[c * out->lanes + i] = out->row[0][i][c];
    return TALUS_OK;
}

void tl_particle_box_free(tl_particle_box *b)
{
    void *const all[] = {b->slot, b->particle, b->volume, b->turned, b->field, b->x, b->none, b->along};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) tl_free(b->memory, all[i]);
    for (int k = 0; k < TL_BOX_WORKERS; k++) tl_free(b->memory, b->room[k]);
    for (int k = 0; k < 3; k++) tl_free(b->memory, b->row[k]), tl_free(b->memory, b->half[k]);
    *b = (tl_particle_box){.memory = b->memory};
}

/* ---- fields ---------------------------------------------------------------------------------------------------------------------- */

void tl_box_field(const tl_particle_box *b, const double *of_particles, double *field)
{
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
            double *row = x + ghost_row(b, y, z);
            stand(row + FRONT - 1, row + FRONT, row + FRONT + 1, 1), stand(row + last + 1, row + last, row + last - 1, 1);
        }
    for (int z = 0; z < b->count[2]; z++) {
        double *first = x + ghost_row(b, 0, z), *end = x + ghost_row(b, b->count[1] - 1, z);
        stand(first - s, first, first + s, s), stand(end + s, end, end - s, s);
    }
    const int layer = s * (b->count[1] + 2);
    double *first = x + ghost_row(b, -1, 0), *end = x + ghost_row(b, -1, b->count[2] - 1);
    stand(first - layer, first, first + layer, layer), stand(end + layer, end, end - layer, layer);
}

typedef struct take_job {
    const tl_particle_box *b;
    const double *field;
} take_job;

static void take_components(void *context, int begin, int end, int worker)
{
    const take_job *j = context;
    const tl_particle_box *b = j->b;
    (void)worker;
    for (int k = begin; k < end; k++) {
        double *x = b->x + (size_t)k * ghost_plane(b);
        const double *field = j->field + (size_t)k * (size_t)b->slots;
        for (int row = 0; row < rows_of(b); row++, field += b->lanes)
            memcpy(x + ghost_row(b, row % b->count[1], row / b->count[1]) + FRONT, field, (size_t)b->count[0] * sizeof *x);
        fill_ghosts(b, x);
    }
}

/* A field with its ghosts, in b->x. */
static void take_field(const tl_particle_box *b, tl_threads *threads, const double *field)
{
    enum { COMPONENTS = 3 };
    tl_parallel_for(threads, COMPONENTS, b->slots < WORTH_SLOTS ? COMPONENTS + 1 : 2, take_components, &(take_job){b, field});
}

/* Of a layer with ghosts in rows and columns of their own; those of whole layers have been handed back. */
static void fold_layer(const tl_particle_box *b, double *layer)
{
    const int n = b->count[0], last = FRONT + n - 1, s = b->stride;
    double *first = layer + s, *end = layer + (size_t)b->count[1] * (size_t)s;
    hand_back(first - s, first, first + s, s), hand_back(end + s, end, end - s, s);
    for (int y = 0; y < b->count[1]; y++) {
        double *row = layer + (size_t)(y + 1) * (size_t)s;
        hand_back(row + FRONT - 1, row + FRONT, row + FRONT + 1, 1), hand_back(row + last + 1, row + last, row + last - 1, 1);
    }
}

/* ---- differences ----------------------------------------------------------------------------------------------------------------- */

/* A row and those about it: that which is `dy` beside and `dz` above is row[4 + dy + 3 dz]. */
typedef struct around {
    const double *row[9];
} around;

TL_INLINE tl_lanes near(const around *r, int q, int at) { return tl_load4(r->row[4 + q] + at) - tl_load4(r->row[4 - q] + at); }

/* Differences across rows aside, to the side q. */
TL_INLINE tl_lanes far(const around *r, int q, int p, int at)
{
    return (tl_load4(r->row[4 + q + p] + at) - tl_load4(r->row[4 - q + p] + at)) + (tl_load4(r->row[4 + q - p] + at) - tl_load4(r->row[4 - q - p] + at));
}

TL_INLINE tl_lanes mean(const around *r, const double slope[3], int at)
{
    const tl_lanes beside = tl_load4(r->row[1] + at) + tl_load4(r->row[3] + at) + tl_load4(r->row[5] + at) + tl_load4(r->row[7] + at),
                   corner = tl_load4(r->row[0] + at) + tl_load4(r->row[2] + at) + tl_load4(r->row[6] + at) + tl_load4(r->row[8] + at);
    return slope[0] * tl_load4(r->row[4] + at) + slope[1] * beside + slope[2] * corner;
}

/* Of differences across rows, what they are of the derivative. */
TL_INLINE tl_lanes across(const double slope[3], const double *B, const double *C)
{
    return slope[0] * tl_load4(B + 1) + slope[1] * (tl_load4(B) + tl_load4(B + 2) + tl_load4(C + 1)) + slope[2] * (tl_load4(C) + tl_load4(C + 2));
}

enum { BESIDE = 1, ABOVE = 3, ROOM = TILE + 2 * TL_LANES };

/* Compilers do not see that loops to n + 2 fill what loops to n read. */
TL_INLINE void clear_end(double buffer[ROOM], int n) { tl_store4(buffer + n, (tl_lanes){0}); }

/* Derivatives of n numbers from x on along the row, beside and above. */
TL_INLINE void derive(const around *r, const double slope[3], int x, int n, double out[3][TILE])
{
    double A[ROOM], B[ROOM], C[ROOM], D[ROOM], E[ROOM];
    clear_end(A, n), clear_end(B, n), clear_end(C, n), clear_end(D, n), clear_end(E, n);
    for (int i = 0; i < n + 2; i += TL_LANES) {
        const int at = x - 1 + i;
        tl_store4(A + i, mean(r, slope, at));
        tl_store4(B + i, near(r, BESIDE, at)), tl_store4(C + i, far(r, BESIDE, ABOVE, at));
        tl_store4(D + i, near(r, ABOVE, at)), tl_store4(E + i, far(r, ABOVE, BESIDE, at));
    }
    for (int i = 0; i < n; i += TL_LANES) {
        tl_store4(out[0] + i, tl_load4(A + i + 2) - tl_load4(A + i));
        tl_store4(out[1] + i, across(slope, B + i, C + i));
        tl_store4(out[2] + i, across(slope, D + i, E + i));
    }
}

/* The sum of derivatives of one field along the row, of one beside and of one above. */
TL_INLINE void diverge(const around r[3], const double slope[3], int x, int n, double *out)
{
    double A[ROOM], B[ROOM], C[ROOM];
    clear_end(A, n), clear_end(B, n), clear_end(C, n);
    for (int i = 0; i < n + 2; i += TL_LANES) {
        const int at = x - 1 + i;
        tl_store4(A + i, mean(&r[0], slope, at));
        tl_store4(B + i, near(&r[1], BESIDE, at) + near(&r[2], ABOVE, at));
        tl_store4(C + i, far(&r[1], BESIDE, ABOVE, at) + far(&r[2], ABOVE, BESIDE, at));
    }
    for (int i = 0; i < n; i += TL_LANES) tl_store4(out + i, (tl_load4(A + i + 2) - tl_load4(A + i)) + across(slope, B + i, C + i));
}

/* The same in a row of ghosts, where only the rows at one side of it have stresses: ±BESIDE or ±ABOVE, by where the box is. */
TL_INLINE void diverge_outside(const around r[3], int side, const double slope[3], int x, int n, double *out)
{
    const int q = abs(side), p = BESIDE + ABOVE - q, middle = 4 + side;
    const double sign = side > 0 ? 1 : -1;
    const around *across_q = &r[q == BESIDE ? 1 : 2], *across_p = &r[q == BESIDE ? 2 : 1];
    double A[ROOM], B[ROOM], C[ROOM];
    clear_end(A, n), clear_end(B, n), clear_end(C, n);
    for (int i = 0; i < n + 2; i += TL_LANES) {
        const int at = x - 1 + i;
        const tl_lanes corners = tl_load4(r[0].row[middle + p] + at) + tl_load4(r[0].row[middle - p] + at);
        const tl_lanes both = tl_load4(across_q->row[middle + p] + at) + tl_load4(across_q->row[middle - p] + at);
        const tl_lanes change = tl_load4(across_p->row[middle + p] + at) - tl_load4(across_p->row[middle - p] + at);
        tl_store4(A + i, slope[1] * tl_load4(r[0].row[middle] + at) + slope[2] * corners);
        tl_store4(B + i, sign * tl_load4(across_q->row[middle] + at));
        tl_store4(C + i, sign * both + change);
    }
    for (int i = 0; i < n; i += TL_LANES) tl_store4(out + i, (tl_load4(A + i + 2) - tl_load4(A + i)) + across(slope, B + i, C + i));
}

/* What a sweep over layers does: stresses are those of b->x by a law, or P times volumes; what they exert goes with what holds rows to the field y, or to f. */
typedef struct box_job {
    tl_particle_box *b;
    const tl_box_law *law;
    const tl_columns *P;
    double scale, *y, *f;
    int parts;
    tl_columns *G;
} box_job;

enum { NONE = -2 }; /* no layer */

/* Room of a worker. */
typedef struct layers {
    double *stress;          /* [3][9][count[1]][stride] of layers that follow one another, z at z mod 3 */
    double *pushed, *beyond; /* [3][count[1] + 2][stride] what they exert on the middle one; on one of ghosts beyond an end of the box */
    int there[3], outside;   /* which layers */
} layers;

static layers layers_of(const tl_particle_box *b, int worker)
{
    double *room = b->room[worker];
    return (layers){room, room + 27 * layer_of(b), room + 27 * layer_of(b) + 3 * ghost_layer(b), {NONE, NONE, NONE}, NONE};
}

/* A row of a component of stress; outside there is none. */
static const double *stress_row(const tl_particle_box *b, const layers *l, int k, int y, int z)
{
    if (y < 0 || z < 0 || y >= b->count[1] || z >= b->count[2]) return b->none;
    return l->stress + (size_t)(9 * (z % 3) + k) * layer_of(b) + (size_t)y * (size_t)b->stride;
}

/* Gradients of a tile of a row, of b->x. */
TL_INLINE void find_gradients(const tl_particle_box *b, int row, int x, int n, double g[3][3][TILE])
{
    const int y = row % b->count[1], z = row / b->count[1];
    for (int k = 0; k < 3; k++) {
        around r;
        for (int i = 0; i < 9; i++) r.row[i] = b->x + (size_t)k * ghost_plane(b) + ghost_row(b, y + i % 3 - 1, z + i / 3 - 1);
        derive(&r, b->slope, FRONT + x, n, g[k]);
    }
}

/* V C[dF] */
TL_INLINE void answer_at_rest(const tl_box_law *law, const double *volume, int n, double g[3][3][TILE])
{
    for (int i = 0; i < n; i += TL_LANES) {
        const tl_lanes V = tl_load4(volume + i), mean = law->lame * (tl_load4(g[0][0] + i) + tl_load4(g[1][1] + i) + tl_load4(g[2][2] + i));
        for (int k = 0; k < 3; k++) {
            for (int l = 0; l < k; l++) {
                const tl_lanes both = V * (law->shear * (tl_load4(g[k][l] + i) + tl_load4(g[l][k] + i)));
                tl_store4(g[k][l] + i, both), tl_store4(g[l][k] + i, both);
            }
            tl_store4(g[k][k] + i, V * (mean + 2 * law->shear * tl_load4(g[k][k] + i)));
        }
    }
}

/* V J C[dF B] Bᵀ */
TL_INLINE void answer_turned(const tl_box_law *law, const double *turned, size_t slots, int n, double g[3][3][TILE])
{
    for (int i = 0; i < n; i += TL_LANES) {
        tl_lanes B[3][3], D[3][3], S[3][3];
        for (int k = 0; k < 9; k++) B[k / 3][k % 3] = tl_load4(turned + (size_t)k * slots + i);
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++) D[k][l] = tl_load4(g[k][0] + i) * B[0][l] + tl_load4(g[k][1] + i) * B[1][l] + tl_load4(g[k][2] + i) * B[2][l];
        const tl_lanes V = tl_load4(turned + 9 * slots + i), trace = law->lame * (D[0][0] + D[1][1] + D[2][2]);
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++) S[k][l] = V * (k == l ? trace + 2 * law->shear * D[k][k] : law->shear * (D[k][l] + D[l][k]));
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++) tl_store4(g[k][l] + i, S[k][0] * B[l][0] + S[k][1] * B[l][1] + S[k][2] * B[l][2]);
    }
}

/* Stresses of a layer, times volumes, of gradients there. */
TL_INLINE void answer_layer(const box_job *j, const layers *l, int z)
{
    const tl_particle_box *b = j->b;
    for (int y = 0; y < b->count[1]; y++)
        for (int x = 0; x < b->lanes; x += TILE) {
            const int n = b->lanes - x < TILE ? b->lanes - x : TILE, row = z * b->count[1] + y;
            const size_t slot = (size_t)row * (size_t)b->lanes + (size_t)x;
            double g[3][3][TILE];
            find_gradients(b, row, x, n, g);
            if (j->law->turned) answer_turned(j->law, b->turned + slot, (size_t)b->slots, n, g);
            else answer_at_rest(j->law, b->volume + slot, n, g);
            for (int k = 0; k < 9; k++) memcpy((double *)(uintptr_t)stress_row(b, l, k, y, z) + FRONT + x, g[k / 3][k % 3], (size_t)n * sizeof(double));
        }
}

/* The same of P. */
static void take_layer(const box_job *j, const layers *l, int z)
{
    const tl_particle_box *b = j->b;
    for (int k = 0; k < 9; k++)
        for (int y = 0; y < b->count[1]; y++) {
            const int *particle = b->particle + (z * b->count[1] + y) * b->count[0];
            double *stress = (double *)(uintptr_t)stress_row(b, l, k, y, z) + FRONT;
            for (int x = 0; x < b->count[0]; x++) stress[x] = b->volume[b->slot[particle[x]]] * j->P[particle[x]][b->axis[k % 3]][b->axis[k / 3]];
        }
}

/* Gradients of rows to particles. */
TL_INLINE void tell_rows(const box_job *j, int begin, int end)
{
    const tl_particle_box *b = j->b;
    for (int row = begin; row < end; row++)
        for (int x = 0; x < b->count[0]; x += TILE) {
            const int left = b->count[0] - x, n = left < TILE ? left : TILE;
            const int *particle = b->particle + row * b->count[0] + x;
            double g[3][3][TILE];
            find_gradients(b, row, x, rounded(n), g);
            for (int i = 0; i < n; i++)
                for (int l = 0; l < 3; l++) {
                    double *column = j->G[particle[i]][b->axis[l]];
                    for (int k = 0; k < 3; k++) column[b->axis[k]] = g[k][l][i];
                    column[3] = 0;
                }
        }
}

/* −Σ ∂P/∂x of a layer, ghosts among them: what acts on particles by P is minus the divergence, for the stencil is odd. */
TL_INLINE void push_layer(const box_job *j, const layers *l, int z, double *out)
{
    const tl_particle_box *b = j->b;
    const int whole = rounded(b->count[0] + 2);
    const double back[3] = {-b->slope[0], -b->slope[1], -b->slope[2]};
    for (int y = -1; y <= b->count[1]; y++) {
        const bool beside = y < 0 || y >= b->count[1], above = z < 0 || z >= b->count[2];
        const double *first[9]; /* of the first component; those of the others are `next` farther on, but for what is outside */
        size_t next[9];
        for (int i = 0; i < 9; i++) {
            first[i] = stress_row(b, l, 0, y + i % 3 - 1, z + i / 3 - 1);
            next[i] = first[i] == b->none ? 0 : layer_of(b);
        }
        for (int k = 0; k < 3; k++) {
            around r[3];
            for (int c = 0; c < 3; c++)
                for (int i = 0; i < 9; i++) r[c].row[i] = first[i] + (size_t)(3 * k + c) * next[i];
            for (int x = 0; x < whole; x += TILE) {
                const int n = whole - x < TILE ? whole - x : TILE, from = FRONT - 1 + x;
                double *to = out + (size_t)k * ghost_layer(b) + (size_t)(y + 1) * (size_t)b->stride + (size_t)from;
                if (beside == above) diverge(r, back, from, n, to);
                else if (beside) diverge_outside(r, y < 0 ? BESIDE : -BESIDE, back, from, n, to);
                else diverge_outside(r, z < 0 ? ABOVE : -ABOVE, back, from, n, to);
            }
        }
    }
}

/* What acts on ghosts beyond an end acts so on the two layers before them. */
TL_INLINE void push_beyond(const box_job *j, layers *l, int z, double share)
{
    const size_t n = 3 * ghost_layer(j->b);
    if (l->outside != z) push_layer(j, l, z, l->beyond);
    l->outside = z;
    for (size_t i = 0; i < n; i += TL_LANES) tl_store4(l->pushed + i, tl_load4(l->pushed + i) + share * tl_load4(l->beyond + i));
}

enum { OTHERS = 2 * BAND };

/* What a row feels of others, for c = 1 Pa: how much, and how far away they are in b->x; of those beyond the box nothing. */
typedef struct felt {
    double weight[OTHERS];
    ptrdiff_t away[OTHERS];
} felt;

static felt felt_by(const tl_particle_box *b, int y, int z)
{
    felt f;
    const ptrdiff_t step[3] = {1, b->stride, (ptrdiff_t)b->stride * (b->count[1] + 2)};
    const int at[3] = {0, y, z};
    for (int axis = 1; axis < 3; axis++)
        for (int c = 0; c < BAND; c++) {
            const int k = BAND * (axis - 1) + c;
            f.weight[k] = b->half[3 - axis][at[3 - axis]] * b->row[axis][at[axis]][c];
            f.away[k] = f.weight[k] != 0 ? (c - TL_BOX_REACH) * step[axis] : 0;
        }
    return f;
}

/* y = scale (what is pushed + what holds rows), or of that only (NULL), of a row. */
TL_INLINE void hold_row(const box_job *j, int y, int z, const double *pushed)
{
    const tl_particle_box *b = j->b;
    const size_t at = ghost_row(b, y, z) + FRONT;
    const double share = b->half[1][y] * b->half[2][z];
    const felt f = felt_by(b, y, z);
    for (int k = 0; k < 3; k++) {
        const double *x = b->x + (size_t)k * ghost_plane(b) + at, *own = pushed ? pushed + (size_t)k * ghost_layer(b) + FRONT : NULL, *from[OTHERS];
        for (int c = 0; c < OTHERS; c++) from[c] = x + f.away[c];
        double *out = j->y + (size_t)k * (size_t)b->slots + (size_t)(z * b->count[1] + y) * (size_t)b->lanes;
        for (int i = 0; i < b->lanes; i += TL_LANES) {
            tl_lanes along = {0}, others = {0};
#pragma GCC unroll 7
            for (int c = 0; c < BAND; c++) along += tl_load4(b->along + c * b->lanes + i) * tl_load4(x + i + c - TL_BOX_REACH);
#pragma GCC unroll 14
            for (int c = 0; c < OTHERS; c++) others += f.weight[c] * tl_load4(from[c] + i);
            const tl_lanes held = j->law->holding * (share * along + tl_load4(b->half[0] + i) * others);
            tl_store4(out + i, j->scale * (own ? tl_load4(own + i) + held : held));
        }
    }
}

TL_INLINE void hold_rows(const box_job *j, int begin, int end)
{
    for (int row = begin; row < end; row++) hold_row(j, row % j->b->count[1], row / j->b->count[1], NULL);
}

/* f += scale times what is pushed, of a layer. */
static void tell_layer(const box_job *j, const layers *l, int z)
{
    const tl_particle_box *b = j->b;
    for (int y = 0; y < b->count[1]; y++) {
        const double *pushed = l->pushed + (size_t)(y + 1) * (size_t)b->stride + FRONT;
        const int *particle = b->particle + (z * b->count[1] + y) * b->count[0];
        for (int x = 0; x < b->count[0]; x++)
            for (int k = 0; k < 3; k++) j->f[3 * particle[x] + b->axis[k]] += j->scale * pushed[(size_t)k * ghost_layer(b) + (size_t)x];
    }
}

/* Layer by layer, so that what one stage writes is near when the next reads it. Where two workers meet both find the stresses of two layers. */
TL_INLINE void sweep_layers(const box_job *j, int begin, int end, int worker)
{
    const tl_particle_box *b = j->b;
    const int all = b->count[2], first = (int)((int64_t)begin * all / j->parts), past = (int)((int64_t)end * all / j->parts);
    layers l = layers_of(b, worker);
    for (int z = first; z < past; z++) {
        for (int near = z > 0 ? z - 1 : 0; near <= z + 1 && near < all; near++) {
            if (l.there[near % 3] == near) continue;
            if (j->P) take_layer(j, &l, near);
            else answer_layer(j, &l, near);
            l.there[near % 3] = near;
        }
        push_layer(j, &l, z, l.pushed);
        if (z < 2) push_beyond(j, &l, -1, z == 0 ? 2 : -1);
        if (z >= all - 2) push_beyond(j, &l, all, z == all - 1 ? 2 : -1);
        for (int k = 0; k < 3; k++) fold_layer(b, l.pushed + (size_t)k * ghost_layer(b));
        if (j->f) tell_layer(j, &l, z);
        else
            for (int y = 0; y < b->count[1]; y++) hold_row(j, y, z, l.pushed + (size_t)(y + 1) * (size_t)b->stride);
    }
}

typedef struct kernels {
    tl_range_fn *tell, *hold, *sweep;
} kernels;

#define KERNELS(name, set)                                                                                                                                     \
    static set void tell_##name(void *job, int begin, int end, int worker) { (void)worker, tell_rows(job, begin, end); }                                       \
    static set void hold_##name(void *job, int begin, int end, int worker) { (void)worker, hold_rows(job, begin, end); }                                       \
    static set void sweep_##name(void *job, int begin, int end, int worker) { sweep_layers(job, begin, end, worker); }                                         \
    static const kernels name##_kernels = {tell_##name, hold_##name, sweep_##name};

TL_FOR_EVERY_SET(KERNELS)

/* ---- operators ------------------------------------------------------------------------------------------------------------------- */

void tl_box_gradients(tl_particle_box *b, tl_threads *threads, const double *u, tl_columns *G)
{
    box_job j = {.b = b, .G = G};
    tl_box_field(b, u, b->field);
    take_field(b, threads, b->field);
    tl_parallel_for(threads, rows_of(b), WORTH, TL_BEST_KERNELS->tell, &j);
}

/* Layers go to as many workers as there is room for. */
static void sweep(box_job *j, tl_threads *threads)
{
    j->parts = j->b->count[2] < TL_BOX_WORKERS ? j->b->count[2] : TL_BOX_WORKERS;
    tl_parallel_for(threads, j->parts, rows_of(j->b) < WORTH ? j->parts + 1 : 2, TL_BEST_KERNELS->sweep, j);
}

void tl_box_pushes(tl_particle_box *b, tl_threads *threads, const tl_columns *P, double scale, double *f)
{
    sweep(&(box_job){.b = b, .P = P, .scale = scale, .f = f}, threads);
}

void tl_box_hold(tl_particle_box *b, tl_threads *threads, double c, const double *u, double *f)
{
    const tl_box_law law = {.holding = c};
    box_job j = {.b = b, .law = &law, .y = b->field, .scale = 1};
    if (c == 0) return;
    tl_box_field(b, u, b->field);
    take_field(b, threads, b->field);
    tl_parallel_for(threads, rows_of(b), WORTH, TL_BEST_KERNELS->hold, &j);
    for (int i = 0; i < b->particles; i++)
        for (int k = 0; k < 3; k++) f[3 * i + b->axis[k]] += b->field[k * b->slots + b->slot[i]];
}

void tl_box_turn(tl_particle_box *b, const tl_columns *B)
{
    for (int i = 0; i < b->particles; i++) {
        tl_mat3 inverse;
        double *turned = b->turned + b->slot[i];
        for (int k = 0; k < 9; k++) inverse.m[k / 3][k % 3] = turned[k * b->slots] = B[i][b->axis[k % 3]][b->axis[k / 3]];
        turned[9 * b->slots] = b->volume[b->slot[i]] / tl_mat3_determinant(&inverse);
    }
}

void tl_box_stiffness(tl_particle_box *b, tl_threads *threads, const tl_box_law *law, double scale, const double *x, double *y)
{
    take_field(b, threads, x);
    sweep(&(box_job){.b = b, .law = law, .y = y, .scale = scale}, threads);
}
