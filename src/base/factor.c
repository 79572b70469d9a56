/* Multifrontal Cholesky (factor.h). A group's front is a dense matrix over its own unknowns and over those of later
 * groups that it is coupled with; its children in the tree of elimination add what they leave to it. */
#include "base/factor_internal.h"
#include "base/integers.h"
#include "base/lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK = 3,   /* unknowns of a node, at most */
    ROWS = 8,    /* of a tile: one register of AVX-512, two of AVX2 */
    COLUMNS = 4, /* of a tile */
    PANEL = 48,  /* columns that are eliminated together: a panel of some hundred rows stays in the second cache */
    SHARE = 4    /* columns of tiles that a thread takes at a time */
};

/* ---- pattern of the factor ------------------------------------------------------------------------------------------------------ */

/* Nodes after group g that it is coupled with: its own neighbours, and what its children have. Returns their number; `mark` [nodes] < g at first. */
static int couple(tl_factor *f, const tl_pattern *pattern, int g, int *mark, int *list)
{
    const int end = f->order.group[g + 1];
    int count = 0;
    for (int p = f->order.group[g]; p < end; p++) {
        const int node = f->order.order[p];
        for (int k = pattern->begin[node]; k < pattern->begin[node + 1]; k++) {
            const int q = f->order.place[pattern->neighbour[k]];
            if (q >= end && mark[q] != g + 1) mark[q] = g + 1, list[count++] = q;
        }
    }
    for (int c = f->front[g].child; c >= 0; c = f->front[c].sibling)
        for (int k = 0; k < f->front[c].nodes; k++) {
            const int q = f->front[c].node[k];
            if (q >= end && mark[q] != g + 1) mark[q] = g + 1, list[count++] = q;
        }
    return count;
}

static talus_status analyse(tl_factor *f, const tl_pattern *pattern, tl_error *error)
{
    const size_t n = (size_t)pattern->nodes, groups = (size_t)f->order.groups;
    int *owner = tl_alloc(f->memory, n + 1, sizeof *owner), *mark = tl_alloc(f->memory, n + 1, sizeof *mark), *list = tl_alloc(f->memory, n + 1, sizeof *list);
    int held = 0, capacity = 0;
    bool room = owner && mark && list;
    f->front = tl_alloc(f->memory, groups + 1, sizeof *f->front);
    f->fronts = f->order.groups;
    room = room && f->front;
    for (int g = 0; room && g < f->fronts; g++) {
        f->front[g].child = f->front[g].sibling = f->front[g].parent = -1;
        for (int p = f->order.group[g]; p < f->order.group[g + 1]; p++) owner[p] = g;
    }
    /* Lists move while they grow: nodes are offsets first. */
    for (int g = 0; room && g < f->fronts; g++) {
        tl_front *s = &f->front[g];
        for (int c = s->child; c >= 0; c = f->front[c].sibling) f->front[c].node = f->nodes + f->front[c].at;
        const int count = couple(f, pattern, g, mark, list);
        qsort(list, (size_t)count, sizeof *list, tl_ascending);
        room = tl_grow(f->memory, &f->nodes, &capacity, held + count + 1, sizeof *f->nodes) == TALUS_OK;
        if (!room) break;
        memcpy(f->nodes + held, list, (size_t)count * sizeof *list);
        s->first = f->block * f->order.group[g];
        s->columns = f->block * (f->order.group[g + 1] - f->order.group[g]);
        s->nodes = count;
        s->at = (size_t)held;
        held += count;
        if (count > 0) {
            s->parent = owner[list[0]];
            s->sibling = f->front[s->parent].child;
            f->front[s->parent].child = g;
        }
    }
    for (int g = 0; room && g < f->fronts; g++) {
        tl_front *s = &f->front[g];
        s->node = f->nodes + s->at;
        const double rows = tl_front_rows(f, s), columns = s->columns;
        s->at = f->size;
        f->size += (size_t)(rows * columns);
        f->work += columns * (rows * rows - rows * columns + columns * columns / 3);
        if (tl_front_rows(f, s) > f->most) f->most = tl_front_rows(f, s);
    }
    tl_free(f->memory, owner);
    tl_free(f->memory, mark);
    tl_free(f->memory, list);
    return room ? TALUS_OK : tl_fail(error, TALUS_MEMORY, "no memory for the pattern of a factor of %d nodes", pattern->nodes);
}

/* ---- numbers ---------------------------------------------------------------------------------------------------------------- */

typedef void tile_fn(const double *a, const double *b, int k, double *out);

/* Eight rows less four: sums over k of a[row] b[column], both in strips as pack() makes them. `part` is a register of the set: compilers keep a vector that is
 * wider in memory. */
#define TILE(name, set, part)                                                                                                                                  \
    static set void tile_##name(const double *a, const double *b, int k, double *out)                                                                          \
    {                                                                                                                                                          \
        enum { PARTS = ROWS * sizeof(double) / sizeof(part) };                                                                                                 \
        part sum[COLUMNS][PARTS] = {{{0}}}, row;                                                                                                               \
        for (int i = 0; i < k; i++, a += ROWS, b += ROWS)                                                                                                      \
            for (int p = 0; p < PARTS; p++) {                                                                                                                  \
                memcpy(&row, a + (size_t)p * (ROWS / PARTS), sizeof row);                                                                                      \
                for (int c = 0; c < COLUMNS; c++) sum[c][p] += row * b[c];                                                                                     \
            }                                                                                                                                                  \
        memcpy(out, sum, sizeof sum);                                                                                                                          \
    }

typedef double two __attribute__((vector_size(16)));
TILE(any, , two)
#if defined(__x86_64__)
typedef double eight __attribute__((vector_size(64)));
TILE(avx2, __attribute__((target("avx2"))), tl_lanes)
TILE(avx512, __attribute__((target("avx512f"))), eight)
#endif

static tile_fn *best_tile(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) return tile_avx512;
    if (__builtin_cpu_supports("avx2")) return tile_avx2;
#endif
    return tile_any;
}

/* A front in work. A row or column counts from the front's first; a column's pointer is such that [row] is the row. */
typedef struct panel_job {
    int rows, columns, update; /* of the front: rows = columns + update */
    double *own, *left;        /* its columns of L; what it leaves, [update × update] */
    const double *packed;
    int from, count, width; /* columns `from` and later are changed, `count` of them, by `width` that are eliminated */
    tile_fn *tile;
} panel_job;

static double *column_of(const panel_job *j, int column)
{
    if (column < j->columns) return j->own + (size_t)column * (size_t)j->rows;
    return j->left + (size_t)(column - j->columns) * (size_t)j->update - j->columns;
}

/* Strips of eight rows, for each column of the panel its eight numbers; zero beyond the last row. */
static void pack(const panel_job *j, int panel, double *packed)
{
    for (int row = 0; row < j->count; row += ROWS)
        for (int k = 0; k < j->width; k++) {
            const double *column = column_of(j, panel + k) + j->from + row;
            const int n = j->count - row < ROWS ? j->count - row : ROWS;
            for (int i = 0; i < ROWS; i++) *packed++ = i < n ? column[i] : 0;
        }
}

static void subtract_tiles(void *context, int begin, int end, int worker)
{
    const panel_job *j = context;
    (void)worker;
    for (int group = begin; group < end; group++) {
        const int c0 = group * COLUMNS, columns = j->count - c0 < COLUMNS ? j->count - c0 : COLUMNS;
        const double *b = j->packed + (size_t)(c0 / ROWS * ROWS) * (size_t)j->width + c0 % ROWS;
        for (int row = c0 / ROWS * ROWS; row < j->count; row += ROWS) {
            double sum[ROWS * COLUMNS];
            const int rows = j->count - row < ROWS ? j->count - row : ROWS;
            j->tile(j->packed + (size_t)row * (size_t)j->width, b, j->width, sum);
            for (int c = 0; c < columns; c++) {
                double *out = column_of(j, j->from + c0 + c) + j->from + row;
                for (int r = c0 + c > row ? c0 + c - row : 0; r < rows; r++) out[r] -= sum[c * ROWS + r];
            }
        }
    }
}

/* Cholesky of columns panel … panel + width − 1, in all rows. Returns the column that has no positive pivot, or −1. */
static int factor_panel(const panel_job *j, int panel)
{
    for (int c = panel; c < panel + j->width; c++) {
        double *restrict column = column_of(j, c);
        for (int k = panel; k < c; k++) {
            const double *restrict by = column_of(j, k);
            const double factor = by[c];
            for (int r = c; r < j->rows; r++) column[r] -= factor * by[r];
        }
        if (!(column[c] > 0) || !isfinite(column[c])) return c;
        const double root = sqrt(column[c]), inverse = 1 / root;
        column[c] = root;
        for (int r = c + 1; r < j->rows; r++) column[r] *= inverse;
    }
    return -1;
}

static int factor_front(panel_job *j, double *packed, tl_threads *threads)
{
    j->packed = packed;
    j->tile = best_tile();
    for (int panel = 0; panel < j->columns; panel += PANEL) {
        j->width = j->columns - panel < PANEL ? j->columns - panel : PANEL;
        j->from = panel + j->width;
        j->count = j->rows - j->from;
        const int bad = factor_panel(j, panel);
        if (bad >= 0) return bad;
        pack(j, panel, packed);
        const int groups = (j->count + COLUMNS - 1) / COLUMNS;
        /* a thread is worth its waking where the panel takes some ten microseconds */
        const bool large = (double)j->count * j->count * j->width > 4e5;
        tl_parallel_for(threads, groups, large ? SHARE : groups + 1, subtract_tiles, j);
    }
    return -1;
}

/* Row of the front that a place of the order has: own ones by their number, others by search. */
static int row_of(const tl_factor *f, const tl_front *s, int place)
{
    const int own = f->block * place - s->first;
    if (own >= 0 && own < s->columns) return own;
    return s->columns + f->block * tl_first_not_below(s->node, sizeof *s->node, s->nodes, place);
}

static void add_matrix(const tl_factor *f, const tl_front *s, const tl_pattern *pattern, const double *value)
{
    const int block = f->block, rows = tl_front_rows(f, s), first = s->first / block;
    double *L = f->L + s->at;
    for (int p = first; p < first + s->columns / block; p++) {
        const int node = f->order.order[p];
        for (int k = pattern->begin[node]; k < pattern->begin[node + 1]; k++) {
            const int q = f->order.place[pattern->neighbour[k]];
            if (q < p) continue;
            const int row = row_of(f, s, q), column = block * p - s->first;
            const double *v = value + (size_t)k * (size_t)(block * block);
            /* the block by rows is that of (node, neighbour): its transpose stands below the diagonal */
            for (int a = 0; a < block; a++)
                for (int b = 0; b < block; b++) L[(size_t)(column + a) * (size_t)rows + (size_t)(row + b)] += v[a * block + b];
        }
    }
}

/* What a child leaves goes into its parent's columns, or into what that leaves. */
static void add_child(const tl_factor *f, const panel_job *j, const tl_front *s, const tl_front *child, int *row)
{
    const int block = f->block, n = block * child->nodes;
    for (int k = 0; k < child->nodes; k++) {
        const int at = row_of(f, s, child->node[k]);
        for (int a = 0; a < block; a++) row[block * k + a] = at + a;
    }
    for (int c = 0; c < n; c++) {
        double *out = column_of(j, row[c]);
        const double *in = child->update + (size_t)c * (size_t)n;
        for (int r = c; r < n; r++) out[row[r]] += in[r];
    }
}

talus_status tl_factor_numbers(tl_factor *f, const tl_pattern *pattern, const double *value, tl_threads *threads, tl_error *error)
{
    const size_t most = (size_t)f->most;
    double *packed = tl_alloc(f->memory, (most + ROWS) * PANEL, sizeof *packed);
    int *row = tl_alloc(f->memory, most + 1, sizeof *row);
    talus_status status = TALUS_OK;
    if (!packed || !row) {
        tl_free(f->memory, packed);
        tl_free(f->memory, row);
        return tl_fail(error, TALUS_MEMORY, "no memory for a factor");
    }
    memset(f->L, 0, f->size * sizeof *f->L);
    for (int g = 0; g < f->fronts && status == TALUS_OK; g++) {
        tl_front *s = &f->front[g];
        panel_job j = {.rows = tl_front_rows(f, s), .columns = s->columns, .update = f->block * s->nodes, .own = f->L + s->at};
        s->update = j.left = tl_alloc(f->memory, (size_t)j.update * (size_t)j.update + 1, sizeof *s->update);
        if (!s->update) {
            status = tl_fail(error, TALUS_MEMORY, "no memory for a factor");
            break;
        }
        add_matrix(f, s, pattern, value);
        for (int c = s->child; c >= 0; c = f->front[c].sibling) {
            add_child(f, &j, s, &f->front[c], row);
            tl_free(f->memory, f->front[c].update);
            f->front[c].update = NULL;
        }
        const int bad = factor_front(&j, packed, threads);
        if (bad >= 0)
            status = tl_fail(error, TALUS_SINGULAR, "the matrix is not positive definite at node %d, direction %d", f->order.order[(s->first + bad) / f->block],
                             (s->first + bad) % f->block);
    }
    for (int g = 0; g < f->fronts; g++) {
        tl_free(f->memory, f->front[g].update);
        f->front[g].update = NULL;
    }
    tl_free(f->memory, packed);
    tl_free(f->memory, row);
    return status;
}

/* ---- life ---------------------------------------------------------------------------------------------------------------------- */

int tl_factor_last(const tl_factor *f) { return f->last; }
size_t tl_factor_bytes(const tl_factor *f) { return f->size * sizeof *f->L; }
double tl_factor_work(const tl_factor *f) { return f->work; }

void tl_factor_destroy(tl_factor *f)
{
    if (!f) return;
    const tl_memory memory = f->memory;
    tl_dissection_free(memory, &f->order);
    tl_free(memory, f->front);
    tl_free(memory, f->nodes);
    tl_free(memory, f->L);
    tl_free(memory, f->b);
    tl_factor_uproot(f);
    tl_free(memory, f);
}

talus_status tl_factor_create(tl_memory memory, const tl_factor_def *def, tl_factor **out, tl_error *error)
{
    const tl_pattern *pattern = def->pattern;
    tl_factor *f = tl_alloc(memory, 1, sizeof *f);
    *out = NULL;
    if (!f) return tl_fail(error, TALUS_MEMORY, "no memory for a factor");
    f->memory = memory;
    f->block = def->block;
    f->unknowns = def->block * pattern->nodes;
    for (int i = 0; def->last && i < pattern->nodes; i++) f->last += def->last[i];
    talus_status status = tl_dissect(memory, pattern, def->x, def->last, &f->order, error);
    if (status == TALUS_OK) status = analyse(f, pattern, error);
    if (status == TALUS_OK) status = tl_factor_plant(f, error);
    if (status == TALUS_OK) {
        f->L = tl_alloc(memory, f->size + 1, sizeof *f->L);
        f->b = tl_alloc(memory, (size_t)f->unknowns + 1, sizeof *f->b);
        if (!f->L || !f->b) status = tl_fail(error, TALUS_MEMORY, "no memory for a factor of %.0f MB", 8e-6 * (double)f->size);
    }
    if (status == TALUS_OK) *out = f;
    else tl_factor_destroy(f);
    return status;
}
