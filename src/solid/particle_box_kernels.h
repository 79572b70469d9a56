/* Kernels of boxes of particles (particle_box.h) for numbers of one kind, which the file that includes this names:
 *
 *     NUMBER                       double or float
 *     LANES, VECTOR, load, store   how many are taken at once, and as what (base/lanes.h)
 *     KIND                         the member of tl_particle_box that has them
 *
 * The wider registers of a machine hold the same numbers. */
#include <stdlib.h>
#include <string.h>

#include "base/lanes.h"
#include "solid/particle_box.h"

enum { TILE = 64, FRONT = TL_BOX_FRONT };
enum { WORTH = 8, WORTH_SLOTS = 1000 }; /* rows and particles that are worth a thread: some ten microseconds */

typedef VECTOR lanes;

#define of(box) (&(box)->KIND)

/* ---- ghosts ---------------------------------------------------------------------------------------------------------------------- */

/* Ghosts stand straight on beyond both ends of a line, where four numbers follow one another; what acts on them acts so on those before. */
TL_INLINE void stand(NUMBER *ghost, const NUMBER *first, const NUMBER *second, int n)
{
    for (int i = 0; i < n; i++) ghost[i] = 2 * first[i] - second[i];
}

TL_INLINE void hand_back(NUMBER *ghost, NUMBER *first, NUMBER *second, int n)
{
    for (int i = 0; i < n; i++) first[i] += 2 * ghost[i], second[i] -= ghost[i], ghost[i] = 0;
}

/* Along rows first, then beside, then above: at edges and corners one after the other. */
static void fill_ghosts(const tl_particle_box *b, NUMBER *x)
{
    const int n = b->count[0], last = FRONT + n - 1, s = b->stride;
    for (int z = 0; z < b->count[2]; z++)
        for (int y = 0; y < b->count[1]; y++) {
            NUMBER *row = x + tl_box_row(b, y, z);
            stand(row + FRONT - 1, row + FRONT, row + FRONT + 1, 1), stand(row + last + 1, row + last, row + last - 1, 1);
        }
    for (int z = 0; z < b->count[2]; z++) {
        NUMBER *first = x + tl_box_row(b, 0, z), *end = x + tl_box_row(b, b->count[1] - 1, z);
        stand(first - s, first, first + s, s), stand(end + s, end, end - s, s);
    }
    const int layer = s * (b->count[1] + 2);
    NUMBER *first = x + tl_box_row(b, -1, 0), *end = x + tl_box_row(b, -1, b->count[2] - 1);
    stand(first - layer, first, first + layer, layer), stand(end + layer, end, end - layer, layer);
}

typedef struct take_job {
    const tl_particle_box *b;
    const NUMBER *field;
} take_job;

static void take_components(void *context, int begin, int end, int worker)
{
    const take_job *j = context;
    const tl_particle_box *b = j->b;
    (void)worker;
    for (int k = begin; k < end; k++) {
        NUMBER *x = of(b)->x + (size_t)k * tl_box_plane(b);
        const NUMBER *field = j->field + (size_t)k * (size_t)b->slots;
        for (int row = 0; row < tl_box_rows(b); row++, field += b->lanes)
            memcpy(x + tl_box_row(b, row % b->count[1], row / b->count[1]) + FRONT, field, (size_t)b->count[0] * sizeof *x);
        fill_ghosts(b, x);
    }
}

/* A field with its ghosts, in b->x. */
static void take_field(const tl_particle_box *b, tl_threads *threads, const NUMBER *field)
{
    enum { COMPONENTS = 3 };
    tl_parallel_for(threads, COMPONENTS, b->slots < WORTH_SLOTS ? COMPONENTS + 1 : 2, take_components, &(take_job){b, field});
}

/* Of a layer with ghosts in rows and columns of their own; those of whole layers have been handed back. */
static void fold_layer(const tl_particle_box *b, NUMBER *layer)
{
    const int n = b->count[0], last = FRONT + n - 1, s = b->stride;
    NUMBER *first = layer + s, *end = layer + (size_t)b->count[1] * (size_t)s;
    hand_back(first - s, first, first + s, s), hand_back(end + s, end, end - s, s);
    for (int y = 0; y < b->count[1]; y++) {
        NUMBER *row = layer + (size_t)(y + 1) * (size_t)s;
        hand_back(row + FRONT - 1, row + FRONT, row + FRONT + 1, 1), hand_back(row + last + 1, row + last, row + last - 1, 1);
    }
}

/* ---- differences ----------------------------------------------------------------------------------------------------------------- */

/* A row and those about it: that which is `dy` beside and `dz` above is row[4 + dy + 3 dz]. */
typedef struct around {
    const NUMBER *row[9];
} around;

TL_INLINE lanes near(const around *r, int q, int at) { return load(r->row[4 + q] + at) - load(r->row[4 - q] + at); }

/* Differences across rows aside, to the side q. */
TL_INLINE lanes far(const around *r, int q, int p, int at)
{
    return (load(r->row[4 + q + p] + at) - load(r->row[4 - q + p] + at)) + (load(r->row[4 + q - p] + at) - load(r->row[4 - q - p] + at));
}

TL_INLINE lanes mean(const around *r, const NUMBER slope[3], int at)
{
    const lanes beside = load(r->row[1] + at) + load(r->row[3] + at) + load(r->row[5] + at) + load(r->row[7] + at),
                corner = load(r->row[0] + at) + load(r->row[2] + at) + load(r->row[6] + at) + load(r->row[8] + at);
    return slope[0] * load(r->row[4] + at) + slope[1] * beside + slope[2] * corner;
}

/* Of differences across rows, what they are of the derivative. */
TL_INLINE lanes across(const NUMBER slope[3], const NUMBER *B, const NUMBER *C)
{
    return slope[0] * load(B + 1) + slope[1] * (load(B) + load(B + 2) + load(C + 1)) + slope[2] * (load(C) + load(C + 2));
}

enum { BESIDE = 1, ABOVE = 3, ROOM = TILE + 2 * LANES };

/* Numbers of a row from `at` on: how many are wanted, and how many of what they are made of, from one before, are not zero. */
typedef struct span {
    int at, n, filled;
} span;

TL_INLINE void clear_end(NUMBER buffer[ROOM], const span *s) { store(buffer + (s->n + LANES - 1) / LANES * LANES, (lanes){0}); }

/* Derivatives along the row, beside and above. */
TL_INLINE void derive(const around *r, const NUMBER slope[3], const span *s, NUMBER out[3][TILE])
{
    NUMBER A[ROOM], B[ROOM], C[ROOM], D[ROOM], E[ROOM];
    clear_end(A, s), clear_end(B, s), clear_end(C, s), clear_end(D, s), clear_end(E, s);
    for (int i = 0; i < s->filled; i += LANES) {
        const int at = s->at - 1 + i;
        store(A + i, mean(r, slope, at));
        store(B + i, near(r, BESIDE, at)), store(C + i, far(r, BESIDE, ABOVE, at));
        store(D + i, near(r, ABOVE, at)), store(E + i, far(r, ABOVE, BESIDE, at));
    }
    for (int i = 0; i < s->n; i += LANES) {
        store(out[0] + i, load(A + i + 2) - load(A + i));
        store(out[1] + i, across(slope, B + i, C + i));
        store(out[2] + i, across(slope, D + i, E + i));
    }
}

/* The sum of derivatives of one field along the row, of one beside and of one above. */
TL_INLINE void diverge(const around r[3], const NUMBER slope[3], const span *s, NUMBER *out)
{
    NUMBER A[ROOM], B[ROOM], C[ROOM];
    clear_end(A, s), clear_end(B, s), clear_end(C, s);
    for (int i = 0; i < s->filled; i += LANES) {
        const int at = s->at - 1 + i;
        store(A + i, mean(&r[0], slope, at));
        store(B + i, near(&r[1], BESIDE, at) + near(&r[2], ABOVE, at));
        store(C + i, far(&r[1], BESIDE, ABOVE, at) + far(&r[2], ABOVE, BESIDE, at));
    }
    for (int i = 0; i < s->n; i += LANES) store(out + i, (load(A + i + 2) - load(A + i)) + across(slope, B + i, C + i));
}

/* The same in a row of ghosts, where only the rows at one side of it have stresses: ±BESIDE or ±ABOVE, by where the box is. */
TL_INLINE void diverge_outside(const around r[3], int side, const NUMBER slope[3], const span *s, NUMBER *out)
{
    const int q = abs(side), p = BESIDE + ABOVE - q, middle = 4 + side;
    const NUMBER sign = side > 0 ? 1 : -1;
    const around *across_q = &r[q == BESIDE ? 1 : 2], *across_p = &r[q == BESIDE ? 2 : 1];
    NUMBER A[ROOM], B[ROOM], C[ROOM];
    clear_end(A, s), clear_end(B, s), clear_end(C, s);
    for (int i = 0; i < s->filled; i += LANES) {
        const int at = s->at - 1 + i;
        const lanes corners = load(r[0].row[middle + p] + at) + load(r[0].row[middle - p] + at);
        const lanes both = load(across_q->row[middle + p] + at) + load(across_q->row[middle - p] + at);
        const lanes change = load(across_p->row[middle + p] + at) - load(across_p->row[middle - p] + at);
        store(A + i, slope[1] * load(r[0].row[middle] + at) + slope[2] * corners);
        store(B + i, sign * load(across_q->row[middle] + at));
        store(C + i, sign * both + change);
    }
    for (int i = 0; i < s->n; i += LANES) store(out + i, (load(A + i + 2) - load(A + i)) + across(slope, B + i, C + i));
}

/* What a sweep over layers does: stresses are those of x by a law, or P times volumes; what they exert goes with what holds rows to the field y, or to f. */
typedef struct box_job {
    const tl_particle_box *b;
    NUMBER lame, shear, holding, scale; /* [Pa] of Hooke's law, and of what holds rows */
    bool turned;
    const tl_columns *P;
    tl_columns *G;
    NUMBER *y;
    double *f;
    int parts;
} box_job;

enum { NONE = -2 }; /* no layer */

/* Room of a worker. */
typedef struct layers {
    NUMBER *stress;          /* [3][9][count[1]][stride] of layers that follow one another, z at z mod 3 */
    NUMBER *pushed, *beyond; /* [3][count[1] + 2][stride] what they exert on the middle one; on one of ghosts beyond an end of the box */
    int there[3], outside;   /* which layers */
} layers;

static layers layers_of(const tl_particle_box *b, int worker)
{
    NUMBER *room = of(b)->room[worker];
    return (layers){room, room + 27 * tl_box_layer(b), room + 27 * tl_box_layer(b) + 3 * tl_box_ghost_layer(b), {NONE, NONE, NONE}, NONE};
}

/* A row of a component of stress; outside there is none. */
static const NUMBER *stress_row(const tl_particle_box *b, const layers *l, int k, int y, int z)
{
    if (y < 0 || z < 0 || y >= b->count[1] || z >= b->count[2]) return of(b)->none;
    return l->stress + (size_t)(9 * (z % 3) + k) * tl_box_layer(b) + (size_t)y * (size_t)b->stride;
}

/* Gradients of a tile of a row, of b->x. */
TL_INLINE void find_gradients(const tl_particle_box *b, int row, int x, int n, NUMBER g[3][3][TILE])
{
    const int y = row % b->count[1], z = row / b->count[1];
    for (int k = 0; k < 3; k++) {
        around r;
        for (int i = 0; i < 9; i++) r.row[i] = of(b)->x + (size_t)k * tl_box_plane(b) + tl_box_row(b, y + i % 3 - 1, z + i / 3 - 1);
        derive(&r, of(b)->slope, &(span){FRONT + x, n, n + 2}, g[k]);
    }
}

/* V C[dF] */
TL_INLINE void answer_at_rest(const box_job *j, const NUMBER *volume, int n, NUMBER g[3][3][TILE])
{
    for (int i = 0; i < n; i += LANES) {
        const lanes V = load(volume + i), mean = j->lame * (load(g[0][0] + i) + load(g[1][1] + i) + load(g[2][2] + i));
        for (int k = 0; k < 3; k++) {
            for (int l = 0; l < k; l++) {
                const lanes both = V * (j->shear * (load(g[k][l] + i) + load(g[l][k] + i)));
                store(g[k][l] + i, both), store(g[l][k] + i, both);
            }
            store(g[k][k] + i, V * (mean + 2 * j->shear * load(g[k][k] + i)));
        }
    }
}

/* V J C[dF B] Bᵀ */
TL_INLINE void answer_turned(const box_job *j, const NUMBER *turned, size_t slots, int n, NUMBER g[3][3][TILE])
{
    for (int i = 0; i < n; i += LANES) {
        lanes B[3][3], D[3][3], S[3][3];
        for (int k = 0; k < 9; k++) B[k / 3][k % 3] = load(turned + (size_t)k * slots + i);
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++) D[k][l] = load(g[k][0] + i) * B[0][l] + load(g[k][1] + i) * B[1][l] + load(g[k][2] + i) * B[2][l];
        const lanes V = load(turned + 9 * slots + i), trace = j->lame * (D[0][0] + D[1][1] + D[2][2]);
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++) S[k][l] = V * (k == l ? trace + 2 * j->shear * D[k][k] : j->shear * (D[k][l] + D[l][k]));
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++) store(g[k][l] + i, S[k][0] * B[l][0] + S[k][1] * B[l][1] + S[k][2] * B[l][2]);
    }
}

/* Stresses of a layer, times volumes, of gradients there. */
TL_INLINE void answer_layer(const box_job *j, const layers *l, int z)
{
    const tl_particle_box *b = j->b;
    for (int y = 0; y < b->count[1]; y++)
        for (int x = 0; x < b->count[0]; x += TILE) {
            const int n = b->count[0] - x < TILE ? b->count[0] - x : TILE, row = z * b->count[1] + y;
            const size_t slot = (size_t)row * (size_t)b->lanes + (size_t)x;
            NUMBER g[3][3][TILE];
            find_gradients(b, row, x, n, g);
            if (j->turned) answer_turned(j, of(b)->turned + slot, (size_t)b->slots, n, g);
            else answer_at_rest(j, of(b)->volume + slot, n, g);
            for (int k = 0; k < 9; k++) memcpy((NUMBER *)(uintptr_t)stress_row(b, l, k, y, z) + FRONT + x, g[k / 3][k % 3], (size_t)n * sizeof(NUMBER));
        }
}

/* The same of P. */
static void take_layer(const box_job *j, const layers *l, int z)
{
    const tl_particle_box *b = j->b;
    for (int k = 0; k < 9; k++)
        for (int y = 0; y < b->count[1]; y++) {
            const int *particle = b->particle + (z * b->count[1] + y) * b->count[0];
            NUMBER *stress = (NUMBER *)(uintptr_t)stress_row(b, l, k, y, z) + FRONT;
            for (int x = 0; x < b->count[0]; x++)
                stress[x] = (NUMBER)((double)of(b)->volume[b->slot[particle[x]]] * j->P[particle[x]][b->axis[k % 3]][b->axis[k / 3]]);
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
            NUMBER g[3][3][TILE];
            find_gradients(b, row, x, n, g);
            for (int i = 0; i < n; i++)
                for (int l = 0; l < 3; l++) {
                    double *column = j->G[particle[i]][b->axis[l]];
                    for (int k = 0; k < 3; k++) column[b->axis[k]] = (double)g[k][l][i];
                    column[3] = 0;
                }
        }
}

/* −Σ ∂P/∂x of a layer, ghosts among them: what acts on particles by P is minus the divergence, for the stencil is odd. */
TL_INLINE void push_layer(const box_job *j, const layers *l, int z, NUMBER *out)
{
    const tl_particle_box *b = j->b;
    const int whole = b->count[0] + 2;
    const NUMBER back[3] = {-of(b)->slope[0], -of(b)->slope[1], -of(b)->slope[2]};
    for (int y = -1; y <= b->count[1]; y++) {
        const bool beside = y < 0 || y >= b->count[1], above = z < 0 || z >= b->count[2];
        const NUMBER *first[9]; /* of the first component; those of the others are `next` farther on, but for what is outside */
        size_t next[9];
        for (int i = 0; i < 9; i++) {
            first[i] = stress_row(b, l, 0, y + i % 3 - 1, z + i / 3 - 1);
            next[i] = first[i] == of(b)->none ? 0 : tl_box_layer(b);
        }
        for (int k = 0; k < 3; k++) {
            around r[3];
            for (int c = 0; c < 3; c++)
                for (int i = 0; i < 9; i++) r[c].row[i] = first[i] + (size_t)(3 * k + c) * next[i];
            for (int x = 0; x < whole; x += TILE) {
                const int left = whole - x, from = FRONT - 1 + x;
                const span s = {from, left < TILE ? left : TILE, left < TILE + 2 ? left : TILE + 2};
                NUMBER *to = out + (size_t)k * tl_box_ghost_layer(b) + (size_t)(y + 1) * (size_t)b->stride + (size_t)from;
                if (beside == above) diverge(r, back, &s, to);
                else if (beside) diverge_outside(r, y < 0 ? BESIDE : -BESIDE, back, &s, to);
                else diverge_outside(r, z < 0 ? ABOVE : -ABOVE, back, &s, to);
            }
        }
    }
}

/* What acts on ghosts beyond an end acts so on the two layers before them. */
TL_INLINE void push_beyond(const box_job *j, layers *l, int z, NUMBER share)
{
    const size_t n = 3 * tl_box_ghost_layer(j->b);
    if (l->outside != z) push_layer(j, l, z, l->beyond);
    l->outside = z;
    for (size_t i = 0; i < n; i += LANES) store(l->pushed + i, load(l->pushed + i) + share * load(l->beyond + i));
}

/* y = scale (what is pushed + what holds rows), or of that only (NULL), of a row. */
TL_INLINE void hold_row(const box_job *j, int y, int z, const NUMBER *pushed)
{
    const tl_particle_box *b = j->b;
    const size_t at = tl_box_row(b, y, z) + FRONT;
    const NUMBER share = (NUMBER)(b->half[1][y] * b->half[2][z]);
    const tl_box_felt *f = &b->felt[z * b->count[1] + y];
    NUMBER weight[TL_BOX_OTHERS];
    for (int c = 0; c < TL_BOX_OTHERS; c++) weight[c] = (NUMBER)f->weight[c];
    for (int k = 0; k < 3; k++) {
        const NUMBER *x = of(b)->x + (size_t)k * tl_box_plane(b) + at, *own = pushed ? pushed + (size_t)k * tl_box_ghost_layer(b) + FRONT : NULL,
                     *from[TL_BOX_OTHERS];
        for (int c = 0; c < TL_BOX_OTHERS; c++) from[c] = x + f->away[c];
        NUMBER *out = j->y + (size_t)k * (size_t)b->slots + (size_t)(z * b->count[1] + y) * (size_t)b->lanes;
        for (int i = 0; i < b->lanes; i += LANES) {
            lanes along = {0}, others = {0};
#pragma GCC unroll 7
            for (int c = 0; c < TL_BOX_BAND; c++) along += load(of(b)->along + c * b->lanes + i) * load(x + i + c - TL_BOX_REACH);
#pragma GCC unroll 14
            for (int c = 0; c < TL_BOX_OTHERS; c++) others += weight[c] * load(from[c] + i);
            const lanes held = j->holding * (share * along + load(of(b)->half + i) * others);
            store(out + i, j->scale * (own ? load(own + i) + held : held));
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
        const NUMBER *pushed = l->pushed + (size_t)(y + 1) * (size_t)b->stride + FRONT;
        const int *particle = b->particle + (z * b->count[1] + y) * b->count[0];
        for (int x = 0; x < b->count[0]; x++)
            for (int k = 0; k < 3; k++) j->f[3 * particle[x] + b->axis[k]] += (double)j->scale * (double)pushed[(size_t)k * tl_box_ghost_layer(b) + (size_t)x];
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
        for (int k = 0; k < 3; k++) fold_layer(b, l.pushed + (size_t)k * tl_box_ghost_layer(b));
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

/* Layers go to as many workers as there is room for. */
static void sweep(box_job *j, tl_threads *threads)
{
    j->parts = j->b->count[2] < TL_BOX_WORKERS ? j->b->count[2] : TL_BOX_WORKERS;
    tl_parallel_for(threads, j->parts, tl_box_rows(j->b) < WORTH ? j->parts + 1 : 2, TL_BEST_KERNELS->sweep, j);
}
