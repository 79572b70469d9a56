/* Multifrontal Cholesky, or L U (factor.h). A group's front is a dense matrix over its own unknowns and over those of later
 * groups that it is coupled with; its children in the tree of elimination add what they leave to it. */
#include "base/factor_internal.h"
#include "base/factor_kernels.h"
#include "base/integers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK = 3,  /* unknowns of a node, at most */
    PANEL = 48, /* columns that are eliminated together: a panel of some hundred rows stays in the second cache */
    SHARE = 4   /* columns of tiles that a thread takes at a time */
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

/* Fronts with all below one before it: then what the children of a front leave is on top of all that is left. */
static void order_fronts(tl_factor *f)
{
    int count = 0;
    for (int root = 0; root < f->fronts; root++) {
        if (f->front[root].parent >= 0) continue;
        for (int g = root;;) {
            while (f->front[g].child >= 0) g = f->front[g].child;
            f->sequence[count++] = g;
            while (g != root && f->front[g].sibling < 0) f->sequence[count++] = g = f->front[g].parent;
            if (g == root) break;
            g = f->front[g].sibling;
        }
    }
}

/* Where what fronts leave is kept until their parents take it: on two stacks, one from each end, for fronts of even and of odd depth. Children are on top of
 * theirs when their parent puts what it leaves on the other. */
static void stack_updates(tl_factor *f)
{
    size_t top[2] = {0, 0}, most[2] = {0, 0};
    for (int g = f->fronts - 1; g >= 0; g--) f->front[g].depth = f->front[g].parent < 0 ? 0 : f->front[f->front[g].parent].depth + 1;
    for (int i = 0; i < f->fronts; i++) {
        tl_front *s = &f->front[f->sequence[i]];
        const size_t n = (size_t)(f->block * s->nodes);
        size_t *own = &top[s->depth % 2], *other = &top[1 - s->depth % 2];
        s->update_at = *own;
        *own += n * n;
        for (int c = s->child; c >= 0; c = f->front[c].sibling) *other = f->front[c].update_at < *other ? f->front[c].update_at : *other;
        for (int k = 0; k < 2; k++) most[k] = top[k] > most[k] ? top[k] : most[k];
    }
    for (int g = 0; g < f->fronts; g++)
        if (f->front[g].depth % 2) f->front[g].update_at += most[0];
    f->updates = most[0] + most[1];
}

static talus_status analyse(tl_factor *f, const tl_pattern *pattern, tl_error *error)
{
    const size_t n = (size_t)pattern->nodes, groups = (size_t)f->order.groups;
    int *owner = tl_alloc(f->memory, n + 1, sizeof *owner), *mark = tl_alloc(f->memory, n + 1, sizeof *mark), *list = tl_alloc(f->memory, n + 1, sizeof *list);
    int held = 0, capacity = 0;
    bool room = owner && mark && list;
    f->front = tl_alloc(f->memory, groups + 1, sizeof *f->front);
    f->sequence = tl_alloc(f->memory, groups + 1, sizeof *f->sequence);
    f->fronts = f->order.groups;
    room = room && f->front && f->sequence;
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
    if (room) order_fronts(f), stack_updates(f);
    for (int g = 0; room && g < f->fronts; g++) {
        tl_front *s = &f->front[g];
        s->node = f->nodes + s->at;
        const double rows = tl_front_rows(f, s), columns = s->columns;
        s->at = f->size;
        f->size += (size_t)(rows * columns);
        f->work += (f->general ? 2 : 1) * columns * (rows * rows - rows * columns + columns * columns / 3);
        if (tl_front_rows(f, s) > f->most) f->most = tl_front_rows(f, s);
    }
    tl_free(f->memory, owner);
    tl_free(f->memory, mark);
    tl_free(f->memory, list);
    return room ? TALUS_OK : tl_fail(error, TALUS_MEMORY, "no memory for the pattern of a factor of %d nodes", pattern->nodes);
}

/* ---- numbers ---------------------------------------------------------------------------------------------------------------- */

/* A front in work. A row or column counts from the front's first; a column's pointer is such that [row] is the row. */
typedef struct front_job {
    int rows, columns, update; /* of the front: rows = columns + update */
    bool general;
    double *own, *across, *left;   /* its columns of L, and its rows of U as columns; what it leaves, [update × update] */
    double *packed[2];             /* of L, of U, as pack() makes them */
    double inverse[PANEL];         /* of the pivots of a panel */
    int panel, width, from, count; /* the columns that are eliminated; columns `from` and later, `count` of them, are changed */
    const tl_factor_kernels *set;
} front_job;

/* Of U above the diagonal, by its rows: a column that is no own one is all below. */
static double *row_of_U(const front_job *j, int row) { return j->across + (size_t)row * (size_t)j->rows; }

static double *column_of(const front_job *j, int column)
{
    if (column < j->columns) return j->own + (size_t)column * (size_t)j->rows;
    return j->left + (size_t)(column - j->columns) * (size_t)j->update - j->columns;
}

/* Of rows first … first + rows − 1 of the panel, from the first that is changed on: strips of eight, for each column its eight numbers; zero beyond the last
 * row. */
static void pack(const front_job *j, const double *columns, int first, int rows, double *packed)
{
    packed += (size_t)first * (size_t)j->width;
    for (int row = first; row < first + rows; row += TL_TILE)
        for (int k = 0; k < j->width; k++) {
            const double *column = columns + (size_t)(j->panel + k) * (size_t)j->rows + j->from + row;
            const int n = first + rows - row < TL_TILE ? first + rows - row : TL_TILE;
            for (int i = 0; i < TL_TILE; i++) *packed++ = i < n ? column[i] : 0;
        }
}

/* What is below the square of a panel, some rows of it: of L and of U. */
static void divide_strips(void *context, int begin, int end, int worker)
{
    const front_job *j = context;
    const size_t apart = (size_t)j->rows, square = (size_t)j->panel * apart + (size_t)j->panel;
    (void)worker;
    for (int strip = begin; strip < end; strip++) {
        const int first = strip * TL_STRIP, rows = j->count - first < TL_STRIP ? j->count - first : TL_STRIP;
        const size_t at = (size_t)j->panel * apart + (size_t)(j->from + first);
        j->set->divide(&(tl_division){j->own + at, (j->general ? j->across : j->own) + square, j->general ? NULL : j->inverse, apart, rows, j->width});
        pack(j, j->own, first, rows, j->packed[0]);
        if (!j->general) continue;
        j->set->divide(&(tl_division){j->across + at, j->own + square, j->inverse, apart, rows, j->width});
        pack(j, j->across, first, rows, j->packed[1]);
    }
}

/* Of the columns of a tile, what is from row low(column) on −= rows of `a` times columns of `b`. */
typedef struct subtraction {
    const double *a, *b; /* packed */
    bool across;         /* columns are rows of U */
    int c0, columns;
} subtraction;

/* The first row of a column that is changed. */
static int first_row(const front_job *j, const subtraction *s, int column)
{
    if (s->across) return column + 1;
    return j->general && column > j->columns ? j->columns : column;
}

static double *changed(const front_job *j, const subtraction *s, int column) { return s->across ? row_of_U(j, column) : column_of(j, column); }

static void subtract(const front_job *j, const subtraction *s)
{
    double *out[TL_TILE] = {NULL};
    int low[TL_TILE], first = j->rows, last = 0;
    for (int c = 0; c < s->columns; c++) {
        low[c] = first_row(j, s, j->from + s->c0 + c) - j->from;
        first = low[c] < first ? low[c] : first;
        last = low[c] > last ? low[c] : last;
    }
    for (int row = first / TL_TILE * TL_TILE; row < j->count; row += TL_TILE) {
        const bool whole = s->columns == TL_TILE && row >= last && row + TL_TILE <= j->count;
        const int rows = j->count - row < TL_TILE ? j->count - row : TL_TILE;
        tl_tile t; /* its sums are not cleared */
        t.a = s->a + (size_t)row * (size_t)j->width, t.b = s->b + (size_t)s->c0 * (size_t)j->width, t.k = j->width, t.out = whole ? out : NULL;
        for (int c = 0; c < s->columns; c++) out[c] = changed(j, s, j->from + s->c0 + c) + j->from + row;
        j->set->tile(&t);
        for (int c = 0; !whole && c < s->columns; c++)
            for (int r = low[c] > row ? low[c] - row : 0; r < rows; r++) out[c][r] -= t.sum[c][r];
    }
}

static void subtract_tiles(void *context, int begin, int end, int worker)
{
    const front_job *j = context;
    (void)worker;
    for (int group = begin; group < end; group++) {
        const int c0 = group * TL_TILE, columns = j->count - c0 < TL_TILE ? j->count - c0 : TL_TILE, own = j->columns - j->from - c0;
        subtract(j, &(subtraction){j->packed[0], j->packed[j->general], false, c0, columns});
        if (j->general && own > 0) subtract(j, &(subtraction){j->packed[1], j->packed[0], true, c0, own < columns ? own : columns});
    }
}

/* Returns the column without a pivot, or −1. */
static int factor_front(front_job *j, tl_threads *threads)
{
    j->set = tl_factor_kernels_of_this_machine();
    for (j->panel = 0; j->panel < j->columns; j->panel += PANEL) {
        j->width = j->columns - j->panel < PANEL ? j->columns - j->panel : PANEL;
        j->from = j->panel + j->width;
        j->count = j->rows - j->from;
        const size_t square = (size_t)j->panel * (size_t)j->rows + (size_t)j->panel;
        const int bad = j->set->square(&(tl_square){j->own + square, (j->general ? j->across : j->own) + square, (size_t)j->rows, j->width, j->inverse}),
                  groups = (j->count + TL_TILE - 1) / TL_TILE, strips = (j->count + TL_STRIP - 1) / TL_STRIP;
        if (bad >= 0) return j->panel + bad;
        /* a thread is worth its waking where the panel takes some ten microseconds */
        const bool large = (double)j->count * j->count * j->width > 4e5;
        tl_parallel_for(threads, strips, large ? 1 : strips + 1, divide_strips, j);
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

/* Rows of a child that lie one behind the other in its parent, too: from `at` on, up to the next run's `at`. */
typedef struct run {
    int at, row;
} run;

typedef struct numbers {
    tl_factor *f;
    const tl_pattern *pattern;
    const double *value;
    double *packed;  /* of L, then of U */
    double *updates; /* all that fronts leave, as long as it is wanted */
    int *row;        /* [most + 1] room                                     */
    run *run;        /* [most + 1] room                                     */
    tl_threads *threads;
    tl_error *error;
} numbers;

static void add_matrix(const numbers *n, const front_job *j, const tl_front *s)
{
    const tl_factor *f = n->f;
    const tl_pattern *pattern = n->pattern;
    const int block = f->block, first = s->first / block;
    const size_t size = (size_t)(block * block);
    for (int p = first; p < first + s->columns / block; p++) {
        const int node = f->order.order[p];
        for (int k = pattern->begin[node]; k < pattern->begin[node + 1]; k++) {
            const int q = f->order.place[pattern->neighbour[k]];
            if (q < p) continue;
            const int row = row_of(f, s, q), column = block * p - s->first;
            /* the transpose of a block by rows stands below the diagonal */
            const double *above = n->value + (size_t)k * size;
            const double *below = f->general ? n->value + (size_t)tl_pattern_entry(pattern, pattern->neighbour[k], node) * size : NULL;
            for (int a = 0; a < block; a++)
                for (int b = 0; b < block; b++) {
                    if (!f->general || q > p || b >= a) column_of(j, column + a)[row + b] += below ? below[b * block + a] : above[a * block + b];
                    if (f->general && (q > p || b > a)) row_of_U(j, column + a)[row + b] += above[a * block + b];
                }
        }
    }
}

/* What is below the diagonal, and what goes to columns that the parent leaves: by columns. Own rows of the parent come first, `first` of the child's n. */
static void add_columns(const front_job *j, const double *update, const run *runs, const int *row, int n, int first)
{
    for (int c = 0; c < n; c++) {
        const double *restrict in = update + (size_t)c * (size_t)n;
        const int from = j->general && c > first ? first : c;
        double *restrict out = column_of(j, row[c]);
        const run *k = runs;
        while (k[1].at <= from) k++;
        for (int r = from; r < n; k++) {
            double *restrict to = out + k->row - k->at;
            for (const int end = k[1].at; r < end; r++) to[r] += in[r];
        }
    }
}

/* What is above the diagonal goes to own rows of U: eight of them at a time, along which the columns of the child are read once. */
static void add_rows(const front_job *j, const double *update, const int *row, int n, int first)
{
    for (int begin = 0; begin < first; begin += TL_TILE) {
        const int end = begin + TL_TILE < first ? begin + TL_TILE : first;
        double *out[TL_TILE] = {NULL};
        for (int r = begin; r < end; r++) out[r - begin] = row_of_U(j, row[r]);
        for (int c = begin + 1; c < n; c++) {
            const double *in = update + (size_t)c * (size_t)n;
            for (int r = begin; r < end && r < c; r++) out[r - begin][row[c]] += in[r];
        }
    }
}

/* What a child leaves goes into its parent's columns and rows, or into what that leaves. */
static void add_child(const numbers *own, const front_job *j, const tl_front *s, const tl_front *child)
{
    const tl_factor *f = own->f;
    const int block = f->block, n = block * child->nodes;
    const double *update = own->updates + child->update_at;
    int *row = own->row, runs = 0, first = 0;
    for (int k = 0; k < child->nodes; k++) {
        const int at = row_of(f, s, child->node[k]);
        for (int a = 0; a < block; a++) row[block * k + a] = at + a;
        if (k == 0 || at != row[block * k - 1] + 1) own->run[runs++] = (run){block * k, at};
        if (at < j->columns) first = block * (k + 1);
    }
    own->run[runs] = (run){n, 0};
    add_columns(j, update, own->run, row, n, first);
    if (f->general) add_rows(j, update, row, n, first);
}

static talus_status factor_front_of(const numbers *n, int g)
{
    tl_factor *f = n->f;
    const tl_front *s = &f->front[g];
    front_job j = {.rows = tl_front_rows(f, s), .columns = s->columns, .update = f->block * s->nodes, .general = f->general};
    j.own = f->L + s->at, j.across = f->general ? f->U + s->at : NULL;
    j.packed[0] = n->packed, j.packed[1] = n->packed + (size_t)(f->most + TL_TILE) * PANEL;
    j.left = n->updates + s->update_at;
    memset(j.left, 0, (size_t)j.update * (size_t)j.update * sizeof *j.left);
    add_matrix(n, &j, s);
    for (int c = s->child; c >= 0; c = f->front[c].sibling) add_child(n, &j, s, &f->front[c]);
    const int bad = factor_front(&j, n->threads), node = bad < 0 ? 0 : f->order.order[(s->first + bad) / f->block], axis = (s->first + bad) % f->block;
    if (bad < 0) return TALUS_OK;
    if (f->general) return tl_fail(n->error, TALUS_SINGULAR, "the matrix has no pivot at node %d, direction %d", node, axis);
    return tl_fail(n->error, TALUS_SINGULAR, "the matrix is not positive definite at node %d, direction %d", node, axis);
}

talus_status tl_factor_numbers(tl_factor *f, const tl_pattern *pattern, const double *value, tl_threads *threads, tl_error *error)
{
    const size_t most = (size_t)f->most, kinds = f->general ? 2 : 1;
    numbers n = {f,
                 pattern,
                 value,
                 tl_alloc(f->memory, kinds * (most + TL_TILE) * PANEL, sizeof *n.packed),
                 tl_alloc(f->memory, f->updates + 1, sizeof *n.updates),
                 tl_alloc(f->memory, most + 1, sizeof *n.row),
                 tl_alloc(f->memory, most + 1, sizeof *n.run),
                 threads,
                 error};
    talus_status status = n.packed && n.updates && n.row && n.run ? TALUS_OK : tl_fail(error, TALUS_MEMORY, "no memory for a factor");
    memset(f->L, 0, f->size * sizeof *f->L);
    if (f->general) memset(f->U, 0, f->size * sizeof *f->U);
    for (int i = 0; i < f->fronts && status == TALUS_OK; i++) status = factor_front_of(&n, f->sequence[i]);
    tl_free(f->memory, n.updates);
    tl_free(f->memory, n.packed);
    tl_free(f->memory, n.row);
    tl_free(f->memory, n.run);
    return status;
}

/* ---- life ---------------------------------------------------------------------------------------------------------------------- */

int tl_factor_last(const tl_factor *f) { return f->last; }
size_t tl_factor_bytes(const tl_factor *f) { return (f->general ? 2 : 1) * f->size * sizeof *f->L; }
double tl_factor_work(const tl_factor *f) { return f->work; }

void tl_factor_destroy(tl_factor *f)
{
    if (!f) return;
    const tl_memory memory = f->memory;
    tl_dissection_free(memory, &f->order);
    tl_free(memory, f->front);
    tl_free(memory, f->sequence);
    tl_free(memory, f->nodes);
    tl_free(memory, f->L);
    if (f->general) tl_free(memory, f->U);
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
    f->general = def->general;
    f->unknowns = def->block * pattern->nodes;
    for (int i = 0; def->last && i < pattern->nodes; i++) f->last += def->last[i];
    talus_status status = tl_dissect(memory, pattern, def->x, def->last, &f->order, error);
    if (status == TALUS_OK) status = analyse(f, pattern, error);
    if (status == TALUS_OK && def->most > 0 && f->work > def->most) {
        tl_factor_destroy(f);
        return TALUS_OK;
    }
    if (status == TALUS_OK) status = tl_factor_plant(f, error);
    if (status == TALUS_OK) {
        f->L = tl_alloc(memory, f->size + 1, sizeof *f->L);
        f->U = f->general ? tl_alloc(memory, f->size + 1, sizeof *f->U) : f->L;
        f->b = tl_alloc(memory, (size_t)f->unknowns + 1, sizeof *f->b);
        if (!f->L || !f->U || !f->b) status = tl_fail(error, TALUS_MEMORY, "no memory for a factor of %.0f MB", 1e-6 * (double)tl_factor_bytes(f));
    }
    if (status == TALUS_OK) *out = f;
    else tl_factor_destroy(f);
    return status;
}
