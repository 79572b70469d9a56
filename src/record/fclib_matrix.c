/* Entries gathered into blocks; a mass matrix condensed out, constraints eliminated (record/fclib_matrix.h). */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/fclib_matrix.h"

void tl_fclib_free(tl_fclib_matrix *s)
{
    free(s->row);
    free(s->column);
    free(s->value);
    *s = (tl_fclib_matrix){0};
}

void tl_fclib_rows_free(tl_fclib_rows *b)
{
    free(b->row);
    free(b->column);
    free(b->block);
    *b = (tl_fclib_rows){0};
}

int *tl_fclib_order(const int *key, int count, int keys, const int *before, int *begin)
{
    int *order = malloc(((size_t)count + 1) * sizeof *order), *at = calloc((size_t)keys + 1, sizeof *at);
    if (order && at) {
        for (int i = 0; i < count; i++) at[key[i] + 1]++;
        for (int k = 0; k < keys; k++) at[k + 1] += at[k];
        if (begin) memcpy(begin, at, ((size_t)keys + 1) * sizeof *at);
        for (int i = 0; i < count; i++) {
            const int item = before ? before[i] : i;
            order[at[key[item]]++] = item;
        }
    } else {
        free(order);
        order = NULL;
    }
    free(at);
    return order;
}

/* ---- blocks ---------------------------------------------------------------------------------------------------------- */

/* Entries by block, with one zero for each block of the diagonal behind them, so that it is there. */
typedef struct gathering {
    const tl_fclib_matrix *from;
    int dimension, total;
    int *order;
} gathering;

static int block_of(const gathering *g, int entry, const int *index) { return entry < g->from->count ? index[entry] / g->dimension : entry - g->from->count; }

static bool sort_entries(gathering *g)
{
    const int keys = g->from->rows / g->dimension;
    int *key = calloc((size_t)g->total, sizeof *key), *by_column = NULL;
    if (key) {
        for (int i = 0; i < g->total; i++) key[i] = block_of(g, i, g->from->column);
        by_column = tl_fclib_order(key, g->total, keys, NULL, NULL);
    }
    if (by_column) {
        for (int i = 0; i < g->total; i++) key[i] = block_of(g, i, g->from->row);
        g->order = tl_fclib_order(key, g->total, keys, by_column, NULL);
    }
    free(key);
    free(by_column);
    return g->order != NULL;
}

/* Whether the k-th entry begins a block. */
static bool begins(const gathering *g, int k)
{
    return k == 0 || block_of(g, g->order[k], g->from->row) != block_of(g, g->order[k - 1], g->from->row) ||
           block_of(g, g->order[k], g->from->column) != block_of(g, g->order[k - 1], g->from->column);
}

static bool is_zero(const double *block, int size)
{
    for (int i = 0; i < size; i++)
        if (block[i] != 0) return false;
    return true;
}

static void fill_blocks(const gathering *g, tl_fclib_rows *out)
{
    const tl_fclib_matrix *s = g->from;
    const int d = g->dimension;
    int blocks = 0;
    double *block = out->block;
    for (int k = 0; k < g->total; k++) {
        const int entry = g->order[k], r = block_of(g, entry, s->row), c = block_of(g, entry, s->column);
        if (begins(g, k)) {
            block = out->block + (size_t)blocks * (size_t)(d * d);
            memset(block, 0, (size_t)(d * d) * sizeof *block); /* a zero block stood here, or nothing */
        }
        if (entry < s->count) block[(s->row[entry] - r * d) * d + s->column[entry] - c * d] += s->value[entry];
        if (k + 1 < g->total && !begins(g, k + 1)) continue;
        if (r == c || !is_zero(block, d * d)) out->column[blocks++] = c;
        out->row[r + 1] = blocks;
    }
}

talus_status tl_fclib_blocks(const tl_fclib_matrix *s, int dimension, tl_fclib_rows *out, tl_error *error)
{
    const int contacts = s->rows / dimension;
    *out = (tl_fclib_rows){0};
    if (s->count > INT_MAX - contacts) return tl_fail(error, TALUS_UNSUPPORTED, "W has more than 2^31 entries");
    gathering g = {s, dimension, s->count + contacts, NULL};
    if (!sort_entries(&g)) return tl_fclib_no_memory(error);
    size_t blocks = 0;
    for (int k = 0; k < g.total; k++) blocks += begins(&g, k);
    out->row = calloc((size_t)contacts + 1, sizeof *out->row);
    out->column = malloc((blocks + 1) * sizeof *out->column);
    out->block = calloc(blocks + 1, (size_t)(dimension * dimension) * sizeof *out->block);
    const bool done = out->row && out->column && out->block;
    if (done) fill_blocks(&g, out);
    else tl_fclib_rows_free(out);
    free(g.order);
    return done ? TALUS_OK : tl_fclib_no_memory(error);
}

/* ---- condensation ---------------------------------------------------------------------------------------------------- */

/* The lower triangle by rows, each from its first entry on: there the factor L of M = L Lᵀ lives, too. Rows hang together in blocks, those of rigid bodies
 * in theirs. */
typedef struct envelope {
    int rows, *first;
    int blocks, *block, *begin; /* block of a row [rows]; its rows: begin[k] … begin[k + 1] − 1 */
    size_t *start;              /* of row i: its entry k is value[start[i] + k − first[i]] */
    double *value;
} envelope;

static double *row_of(const envelope *e, int i) { return e->value + e->start[i] - e->first[i]; }

static void envelope_free(envelope *e)
{
    free(e->first);
    free(e->block);
    free(e->begin);
    free(e->start);
    free(e->value);
}

/* A block ends where no row below reaches back. */
static void find_blocks(envelope *e)
{
    for (int i = e->rows - 1, reach = e->rows; i >= 0; i--) {
        if (e->first[i] < reach) reach = e->first[i];
        e->block[i] = reach == i; /* one begins here */
    }
    for (int i = 0; i < e->rows; i++) {
        if (e->block[i]) e->begin[e->blocks++] = i;
        e->block[i] = e->blocks - 1;
    }
    e->begin[e->blocks] = e->rows;
}

static talus_status make_envelope(const tl_fclib_matrix *M, const char *name, envelope *e, tl_error *error)
{
    size_t size = 0;
    double largest = 0, skew = 0, *half = NULL;
    *e = (envelope){.rows = M->rows};
    if (M->rows > TL_SPARSE_NUMBERS) {
        (void)tl_fail(error, TALUS_UNSUPPORTED, "%s has %d rows; more than %d are not condensed here", name, M->rows, TL_SPARSE_NUMBERS);
        return TALUS_UNSUPPORTED;
    }
    e->first = calloc((size_t)M->rows + 1, sizeof *e->first);
    e->block = calloc((size_t)M->rows + 1, sizeof *e->block);
    e->begin = calloc((size_t)M->rows + 1, sizeof *e->begin);
    e->start = calloc((size_t)M->rows + 1, sizeof *e->start);
    if (!e->first || !e->block || !e->begin || !e->start) return tl_fclib_no_memory(error);
    for (int i = 0; i < M->rows; i++) e->first[i] = i;
    for (int k = 0; k < M->count; k++) {
        const int low = M->row[k] < M->column[k] ? M->row[k] : M->column[k], high = M->row[k] + M->column[k] - low;
        if (low < e->first[high]) e->first[high] = low;
    }
    for (int i = 0; i < M->rows; i++) e->start[i] = size, size += (size_t)(i - e->first[i]) + 1;
    if (size > TL_SPARSE_NUMBERS)
        return tl_fail(error, TALUS_UNSUPPORTED,
                       "%s of %d rows has %zu numbers between its diagonal and the first entries of its rows; more than %d are not condensed here", name,
                       M->rows, size, TL_SPARSE_NUMBERS);
    find_blocks(e);
    e->value = calloc(size + 1, sizeof *e->value);
    half = calloc(size + 1, sizeof *half); /* half of what M and Mᵀ differ by */
    if (!e->value || !half) {
        free(half);
        return tl_fclib_no_memory(error);
    }
    for (int k = 0; k < M->count; k++) {
        const int i = M->row[k], j = M->column[k], low = i < j ? i : j, high = i + j - low;
        const size_t at = e->start[high] + (size_t)(low - e->first[high]);
        e->value[at] += i == j ? M->value[k] : 0.5 * M->value[k];
        half[at] += i > j ? 0.5 * M->value[k] : i < j ? -0.5 * M->value[k] : 0;
    }
    for (size_t i = 0; i < size; i++) largest = fmax(largest, fabs(e->value[i])), skew = fmax(skew, fabs(half[i]));
    free(half);
    if (skew > 1e-4 * largest) return tl_fail(error, TALUS_INPUT, "%s is not symmetric: entries differ from those opposite by up to %g", name, 2 * skew);
    return TALUS_OK;
}

/* M = L Lᵀ in place. A row that depends on those before is an error, or, if `leave`, gets an infinite pivot: solve() finds a zero for it. */
static talus_status factor(envelope *e, bool leave, tl_error *error)
{
    const double smallest = leave ? 1e-10 : 1e-14; /* of the diagonal: what rounding, and a file's digits, leave of a zero */
    double largest = 0;
    for (int i = 0; i < e->rows; i++) largest = fmax(largest, row_of(e, i)[i]);
    for (int i = 0; i < e->rows; i++) {
        double *l = row_of(e, i);
        for (int j = e->first[i]; j <= i; j++) {
            const double *other = row_of(e, j);
            double sum = l[j];
            for (int k = e->first[i] > e->first[j] ? e->first[i] : e->first[j]; k < j; k++) sum -= l[k] * other[k];
            if (j < i) l[j] = sum / other[j];
            else if (sum > smallest * l[i]) l[i] = sqrt(sum);
            else if (leave && sum >= -1e-6 * largest) l[i] = (double)INFINITY;
            else if (leave) return tl_fail(error, TALUS_INPUT, "R is not positive semidefinite: row %d (from 0)", i);
            else return tl_fail(error, TALUS_SINGULAR, "M is not positive definite: row %d (from 0) depends on those before", i);
        }
    }
    return TALUS_OK;
}

/* x ← M⁻¹ x on rows begin … end − 1, whole blocks. */
static void solve(const envelope *e, int begin, int end, double *x)
{
    for (int i = begin; i < end; i++) {
        const double *l = row_of(e, i);
        double sum = x[i];
        for (int k = e->first[i]; k < i; k++) sum -= l[k] * x[k];
        x[i] = sum / l[i];
    }
    for (int i = end - 1; i >= begin; i--) {
        const double *l = row_of(e, i);
        x[i] /= l[i];
        for (int k = e->first[i]; k < i; k++) x[k] -= l[k] * x[i];
    }
}

/* H by columns, and which of its entries are in the rows of a block of M: by_block[of_block[k]] …; behind all blocks the zeros, which touch nothing. */
typedef struct columns {
    const tl_fclib_matrix *H;
    int *order, *begin, *by_block, *of_block;
    int *visit; /* [columns] the last that met this one */
} columns;

static void columns_free(columns *c)
{
    free(c->order);
    free(c->begin);
    free(c->by_block);
    free(c->of_block);
    free(c->visit);
}

static talus_status make_columns(const tl_fclib_matrix *H, const envelope *e, columns *c, tl_error *error)
{
    const size_t n = (size_t)H->columns + 1;
    *c = (columns){
        .H = H, .begin = calloc(n, sizeof *c->begin), .of_block = calloc((size_t)e->blocks + 2, sizeof *c->of_block), .visit = malloc(n * sizeof *c->visit)};
    int *block = malloc(((size_t)H->count + 1) * sizeof *block);
    if (block && c->begin && c->of_block && c->visit) {
        for (int k = 0; k < H->count; k++) block[k] = H->value[k] != 0 ? e->block[H->row[k]] : e->blocks;
        c->order = tl_fclib_order(H->column, H->count, H->columns, NULL, c->begin);
        c->by_block = tl_fclib_order(block, H->count, e->blocks + 1, NULL, c->of_block);
        for (int j = 0; j < H->columns; j++) c->visit[j] = -1;
    }
    free(block);
    return c->order && c->by_block ? TALUS_OK : tl_fclib_no_memory(error);
}

/* Entry of Hᵀ x. */
static double product(const columns *c, int column, const double *x)
{
    double sum = 0;
    for (int k = c->begin[column]; k < c->begin[column + 1]; k++) sum += c->H->value[c->order[k]] * x[c->H->row[c->order[k]]];
    return sum;
}

static talus_status push(tl_fclib_matrix *W, int *capacity, int row, int column, double value, tl_error *error)
{
    if (W->count == *capacity) {
        if (*capacity > INT_MAX / 2) return tl_fail(error, TALUS_UNSUPPORTED, "W would have more than 2^30 entries");
        const int more = *capacity ? 2 * *capacity : 1024;
        int *rows = realloc(W->row, (size_t)more * sizeof *rows);
        if (rows) W->row = rows;
        int *others = realloc(W->column, (size_t)more * sizeof *others);
        if (others) W->column = others;
        double *values = realloc(W->value, (size_t)more * sizeof *values);
        if (values) W->value = values;
        if (!rows || !others || !values) return tl_fclib_no_memory(error);
        *capacity = more;
    }
    W->row[W->count] = row, W->column[W->count] = column, W->value[W->count++] = value;
    return TALUS_OK;
}

/* How far M x is from b in rows that were left out: largest, and where. `off` [rows]. */
static double error_left_out(const tl_fclib_matrix *M, const envelope *e, const double *b, const double *x, double *off, int *row)
{
    double largest = 0;
    for (int i = 0; i < M->rows; i++) off[i] = -b[i];
    for (int k = 0; k < M->count; k++) off[M->row[k]] += M->value[k] * x[M->column[k]];
    for (int i = 0; i < M->rows; i++)
        if (isinf(row_of(e, i)[i]) && fabs(off[i]) > largest) largest = fabs(off[i]), *row = i;
    return largest;
}

/* What condenses: M or R factored, H by columns, and room for vectors of as many rows. */
typedef struct condenser {
    const tl_fclib_matrix *M;
    const envelope *e;
    const columns *c;
    bool leave;
    double *x, *b, *off;
    int *touched, *seen; /* [blocks] */
} condenser;

/* What an impulse at column j does at all contacts of the bodies that it acts on. x is zero before and after. */
static talus_status condense_column(const condenser *k, int j, int *capacity, tl_fclib_matrix *W, tl_error *error)
{
    const columns *c = k->c;
    const envelope *e = k->e;
    int row = 0;
    double size = 0;
    for (int i = c->begin[j]; i < c->begin[j + 1]; i++) k->x[c->H->row[c->order[i]]] += c->H->value[c->order[i]], size += fabs(c->H->value[c->order[i]]);
    if (k->leave) memcpy(k->b, k->x, (size_t)e->rows * sizeof *k->b);
    int touched = 0; /* blocks, each once, in k->touched */
    for (int i = c->begin[j]; i < c->begin[j + 1]; i++) {
        const int block = e->block[c->H->row[c->order[i]]];
        if (k->seen[block] == j) continue;
        k->seen[block] = j;
        k->touched[touched++] = block;
        solve(e, e->begin[block], e->begin[block + 1], k->x);
    }
    if (k->leave && error_left_out(k->M, e, k->b, k->x, k->off, &row) > 1e-6 * size)
        return tl_fail(error, TALUS_UNSUPPORTED, "bilateral constraint %d (from 0) is one of impulses alone", row);
    for (int t = 0; t < touched; t++)
        for (int i = c->of_block[k->touched[t]]; i < c->of_block[k->touched[t] + 1]; i++) {
            const int other = c->H->column[c->by_block[i]];
            if (c->visit[other] == j) continue;
            c->visit[other] = j;
            const double value = product(c, other, k->x);
            if (value != 0) TL_TRY(push(W, capacity, other, j, value, error));
        }
    for (int t = 0; t < touched; t++) {
        const int begin = e->begin[k->touched[t]];
        memset(k->x + begin, 0, (size_t)(e->begin[k->touched[t] + 1] - begin) * sizeof *k->x);
    }
    return TALUS_OK;
}

/* q += Hᵀ M⁻¹ f. Rows that were left out hold as well, as far as velocities of the size of `scale` are known. */
static talus_status condense_vector(const condenser *k, const double *f, double scale, double *q, tl_error *error)
{
    int row = 0;
    memcpy(k->x, f, (size_t)k->e->rows * sizeof *k->x);
    solve(k->e, 0, k->e->rows, k->x);
    for (int j = 0; j < k->c->H->columns; j++) q[j] += product(k->c, j, k->x);
    if (!k->leave || error_left_out(k->M, k->e, f, k->x, k->off, &row) <= 1e-6 * scale) return TALUS_OK;
    return tl_fail(error, TALUS_INPUT, "bilateral constraint %d (from 0) contradicts those before", row);
}

/* What is condensed out: a definite M, or a semidefinite R, `leave`, whose right side f is in its range but for a part of `scale` that is rounding. */
typedef struct inner {
    const tl_fclib_matrix *M, *H;
    const double *f;
    double scale;
    bool leave;
} inner;

/* W and q as tl_fclib_condense says. */
static talus_status condense_out(const inner *in, double *q, tl_fclib_matrix *W, tl_error *error)
{
    const tl_fclib_matrix *M = in->M, *H = in->H;
    const bool leave = in->leave;
    envelope e = {0};
    columns c = {0};
    int capacity = 0;
    const size_t rows = (size_t)M->rows;
    *W = (tl_fclib_matrix){.rows = H->columns, .columns = H->columns};
    talus_status status = make_envelope(M, leave ? "R" : "M", &e, error);
    if (status == TALUS_OK) status = factor(&e, leave, error);
    if (status == TALUS_OK) status = make_columns(H, &e, &c, error);
    double *room = status == TALUS_OK ? malloc((3 * rows + 1) * sizeof *room) : NULL;
    int *places = status == TALUS_OK ? malloc((2 * rows + 1) * sizeof *places) : NULL;
    if (status == TALUS_OK && (!room || !places)) status = tl_fclib_no_memory(error);
    if (status == TALUS_OK) {
        const condenser k = {M, &e, &c, leave, room, room + rows, room + 2 * rows, places, places + rows};
        status = condense_vector(&k, in->f, in->scale, q, error);
        memset(k.x, 0, rows * sizeof *k.x);
        for (size_t i = 0; i < rows; i++) k.seen[i] = -1;
        for (int j = 0; status == TALUS_OK && j < H->columns; j++) status = condense_column(&k, j, &capacity, W, error);
    }
    if (status != TALUS_OK) tl_fclib_free(W);
    envelope_free(&e);
    columns_free(&c);
    free(room);
    free(places);
    return status;
}

talus_status tl_fclib_condense(const tl_fclib_matrix *M, const tl_fclib_matrix *H, const double *f, double *q, tl_fclib_matrix *W, tl_error *error)
{
    return condense_out(&(inner){.M = M, .H = H, .f = f}, q, W, error);
}

/* ---- constraints ----------------------------------------------------------------------------------------------------- */

talus_status tl_fclib_add(tl_fclib_matrix *to, const tl_fclib_matrix *from, int down, int right, tl_error *error)
{
    int capacity = to->count; /* the first addition makes room */
    for (int k = 0; k < from->count; k++) TL_TRY(push(to, &capacity, from->row[k] + down, from->column[k] + right, from->value[k], error));
    return TALUS_OK;
}

/* W keeps its own part; the others go to Vᵀ and R. */
static talus_status split(tl_fclib_matrix *W, int kept, tl_fclib_matrix *Vt, tl_fclib_matrix *R, tl_error *error)
{
    int count = 0, capacity_V = 0, capacity_R = 0;
    *R = (tl_fclib_matrix){.rows = W->rows - kept, .columns = W->rows - kept};
    *Vt = (tl_fclib_matrix){.rows = R->rows, .columns = kept};
    for (int k = 0; k < W->count; k++) {
        const int row = W->row[k], column = W->column[k];
        const double value = W->value[k];
        if (row < kept && column < kept) W->row[count] = row, W->column[count] = column, W->value[count++] = value;
        else if (row < kept) TL_TRY(push(Vt, &capacity_V, column - kept, row, value, error));
        else if (column >= kept) TL_TRY(push(R, &capacity_R, row - kept, column - kept, value, error));
    }
    W->count = count;
    W->rows = W->columns = kept;
    return TALUS_OK;
}

talus_status tl_fclib_eliminate(tl_fclib_matrix *W, int kept, double *q, tl_error *error)
{
    tl_fclib_matrix Vt = {0}, R = {0}, less = {0};
    if (kept < 1 || kept > W->rows) return tl_fail(error, TALUS_INPUT, "%d of %d rows are to be kept", kept, W->rows);
    double scale = 0, *change = calloc((size_t)kept + 1, sizeof *change);
    talus_status status = change ? split(W, kept, &Vt, &R, error) : tl_fclib_no_memory(error);
    for (int i = 0; status == TALUS_OK && i < kept + R.rows; i++) scale = fmax(scale, fabs(q[i]));
    if (status == TALUS_OK) status = condense_out(&(inner){&R, &Vt, q + kept, scale, true}, change, &less, error);
    for (int k = 0; k < less.count; k++) less.value[k] = -less.value[k];
    if (status == TALUS_OK) status = tl_fclib_add(W, &less, 0, 0, error);
    for (int i = 0; status == TALUS_OK && i < kept; i++) q[i] -= change[i];
    tl_fclib_free(&Vt);
    tl_fclib_free(&R);
    tl_fclib_free(&less);
    free(change);
    return status;
}
