/* Sparse Cholesky in blocks (sparse3.h): right-looking, column by column in the order of elimination. The pattern is kept in sets of bits, where joining the
 * neighbours of what is eliminated is a handful of words each. */
#include "base/sparse3_internal.h"

#include "base/integers.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BITS = 64 };

tl_sparse3 *tl_sparse3_create(tl_memory memory, int n)
{
    tl_sparse3 *s = tl_alloc(memory, 1, sizeof *s);
    if (!s) return NULL;
    const size_t size = (size_t)n;
    *s = (tl_sparse3){.memory = memory, .n = n, .words = (n + BITS - 1) / BITS};
    s->neighbours = tl_alloc(memory, size * (size_t)s->words, sizeof *s->neighbours);
    s->coupled = tl_alloc(memory, size * (size_t)s->words, sizeof *s->coupled);
    s->place = tl_alloc(memory, size, sizeof *s->place);
    s->who = tl_alloc(memory, size, sizeof *s->who);
    s->begin = tl_alloc(memory, size + 1, sizeof *s->begin);
    s->where = tl_alloc(memory, (TL_SPARSE3_PARTS + 1) * size, sizeof *s->where);
    s->y = tl_alloc(memory, size, sizeof *s->y);
    s->negative = tl_alloc(memory, size, sizeof *s->negative);
    s->late = tl_alloc(memory, size, sizeof *s->late);
    if (s->negative && s->late && s->neighbours && s->coupled && s->place && s->who && s->begin && s->where && s->y) return s;
    tl_sparse3_destroy(s);
    return NULL;
}

void tl_sparse3_destroy(tl_sparse3 *s)
{
    if (!s) return;
    void *const all[] = {s->neighbours, s->coupled, s->place, s->who,      s->begin, s->row,   s->A,     s->L,
                         s->y,          s->rest,    s->where, s->negative, s->late,  s->lower, s->upper, s->kept};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) tl_free(s->memory, all[i]);
    tl_free(s->memory, s);
}

static uint64_t *set_of(const tl_sparse3 *s, int i) { return &s->neighbours[(size_t)i * (size_t)s->words]; }

static void include(uint64_t *set, int i) { set[i / BITS] |= (uint64_t)1 << (i % BITS); }

static void exclude(uint64_t *set, int i) { set[i / BITS] &= ~((uint64_t)1 << (i % BITS)); }

static int count_of(const uint64_t *set, int words)
{
    int count = 0;
    for (int w = 0; w < words; w++) count += __builtin_popcountll(set[w]);
    return count;
}

/* The members of a set after `i`; −1: none. */
static int next_of(const uint64_t *set, int words, int i)
{
    i++;
    for (int w = i / BITS; w < words; w++) {
        const uint64_t rest = w == i / BITS ? set[w] >> (i % BITS) << (i % BITS) : set[w];
        if (rest) return w * BITS + __builtin_ctzll(rest);
    }
    return -1;
}

void tl_sparse3_couple(tl_sparse3 *s, const int *list, int count)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) include(set_of(s, list[i]), list[j]);
}

void tl_sparse3_negate(tl_sparse3 *s, int i) { s->negative[i] = true; }

int tl_sparse3_neighbours(const tl_sparse3 *s, int i) { return count_of(set_of(s, i), s->words); }

void tl_sparse3_postpone(tl_sparse3 *s, int i) { s->late[i] = true; }

/* ---- order -------------------------------------------------------------------------------------------------------- */

enum { TURNS = 32 }; /* keys that are looked at together */

/* While the order is made. */
typedef struct ordering {
    int *key;       /* [n, whole TURNS] the least goes next: neighbours that have others besides; of those that go last, more than all others have */
    int *list;      /* [n] room */
    uint64_t *mark; /* [n] a hash of its set: where two sets share one by chance, only the order is a little worse */
} ordering;

static int whole_turns(int n) { return (n + TURNS - 1) / TURNS * TURNS; }

static void set_degree(const tl_sparse3 *s, const ordering *o, int i, int degree) { o->key[i] = degree + (s->late[i] ? s->n + 1 : 0); }

static uint64_t mark_of(const uint64_t *set, int words)
{
    uint64_t mark = 0;
    for (int w = 0; w < words; w++) mark = (mark ^ set[w]) * 0x9e3779b97f4a7c15u, mark ^= mark >> 32;
    return mark;
}

/* How many of a list have the same neighbours as i has. */
static int count_alike(const ordering *o, const int *list, int count, int i)
{
    int alike = 0;
    for (int k = 0; k < count; k++) alike += o->mark[list[k]] == o->mark[i];
    return alike;
}

static int list_of(const uint64_t *set, int words, int *list)
{
    int count = 0;
    for (int i = next_of(set, words, -1); i >= 0; i = next_of(set, words, i)) list[count++] = i;
    return count;
}

/* Neighbours with the same neighbours as it has do not count: they go with it, and fill nothing. So what a dense group is coupled to does not go before the
 * group only because there are fewer of it (external degree: Liu 1985). */
static void begin_degrees(const tl_sparse3 *s, const ordering *o)
{
    for (int i = 0; i < s->n; i++) o->mark[i] = mark_of(set_of(s, i), s->words);
    for (int i = 0; i < s->n; i++) {
        const int count = list_of(set_of(s, i), s->words, o->list);
        set_degree(s, o, i, count - count_alike(o, o->list, count, i));
    }
    for (int i = s->n; i < whole_turns(s->n); i++) o->key[i] = INT_MAX;
}

/* The first of those with the least key. */
static int first_least(const int *key, int n)
{
    int least = INT_MAX, at = 0;
    for (int begin = 0; begin < n; begin += TURNS) {
        int own = INT_MAX;
        for (int i = begin; i < begin + TURNS; i++) own = key[i] < own ? key[i] : own;
        if (own < least) least = own, at = begin;
    }
    while (key[at] != least) at++;
    return at;
}

/* Takes the one of least degree: its neighbours become neighbours of each other, and have hardly anybody alike but among themselves. */
static int eliminate_next(const tl_sparse3 *s, const ordering *o)
{
    const int best = first_least(o->key, s->n); /* one of them is left */
    int count = 0;
    const uint64_t *own = set_of(s, best);
    for (int i = next_of(own, s->words, -1); i >= 0; i = next_of(own, s->words, i)) {
        if (i == best) continue;
        uint64_t *set = set_of(s, i);
        for (int w = 0; w < s->words; w++) set[w] |= own[w];
        exclude(set, best);
        o->mark[i] = mark_of(set, s->words);
        o->list[count++] = i;
    }
    for (int k = 0; k < count; k++) {
        const int i = o->list[k];
        set_degree(s, o, i, count_of(set_of(s, i), s->words) - count_alike(o, o->list, count, i));
    }
    o->key[best] = INT_MAX;
    return best;
}

/* Rows of all columns, from what was left of each set when its turn came. */
static void list_rows(tl_sparse3 *s)
{
    for (int k = 0; k < s->n; k++) {
        const uint64_t *set = set_of(s, s->who[k]);
        int at = s->begin[k];
        for (int i = next_of(set, s->words, -1); i >= 0; i = next_of(set, s->words, i)) s->row[at++] = s->place[i];
        qsort(&s->row[s->begin[k]], (size_t)(at - s->begin[k]), sizeof *s->row, tl_ascending);
    }
}

/* ---- parts -------------------------------------------------------------------------------------------------------- */

enum { NONE = -1 };

/* The tree of elimination: above a column is the first that it changes. */
typedef struct branches {
    int *above, *part; /* [n]; TL_SPARSE3_PARTS: the top */
    double *under;     /* [n] work of a column with all columns below it */
    double all;        /* work */
} branches;

/* The end of the heaviest branch that has no part yet. −1: there is none. */
static int heaviest(const tl_sparse3 *s, const branches *b)
{
    int best = -1;
    for (int k = 0; k < s->n; k++) {
        const bool ends = b->part[k] == NONE && (b->above[k] < 0 || b->part[b->above[k]] == TL_SPARSE3_PARTS);
        if (ends && (best < 0 || b->under[k] > b->under[best])) best = k;
    }
    return best;
}

static void grow_tree(const tl_sparse3 *s, branches *b)
{
    for (int k = 0; k < s->n; k++) {
        const uint64_t *set = set_of(s, s->who[k]);
        const double length = s->begin[k + 1] - s->begin[k];
        b->above[k] = NONE;
        for (int i = next_of(set, s->words, -1); i >= 0; i = next_of(set, s->words, i))
            if (s->place[i] > k && (b->above[k] < 0 || s->place[i] < b->above[k])) b->above[k] = s->place[i];
        b->under[k] = length * length;
        b->all += length * length;
    }
    for (int k = 0; k < s->n; k++) /* those above come later */
        if (b->above[k] >= 0) b->under[b->above[k]] += b->under[k];
}

/* Opens the heaviest branches, whose ends become the top, until none has more than a share of all work. False: the tree does not branch before the top is
 * large. */
static bool open_branches(const tl_sparse3 *s, branches *b, double share)
{
    enum { LARGEST_TOP = 32 };
    for (int k = 0; k < s->n; k++) b->part[k] = NONE;
    int root = heaviest(s, b);
    for (int opened = 0; root >= 0 && b->under[root] > share * b->all && opened < LARGEST_TOP; opened++)
        b->part[root] = TL_SPARSE3_PARTS, root = heaviest(s, b);
    return root < 0 || b->under[root] <= share * b->all;
}

/* Two threads get the first parts and the last: the heaviest goes with the lightest. */
static void pair_up(const double *load, int *number)
{
    enum { P = TL_SPARSE3_PARTS };
    static const int AT[P] = {0, 2, 3, 1};
    for (int p = 0; p < P; p++) {
        int heavier = 0;
        for (int q = 0; q < P; q++) heavier += load[q] > load[p] || (load[q] >= load[p] && q < p);
        number[p] = AT[heavier];
    }
}

/* Hands branches out, the heaviest first, to the part that has least. None should have much more than a quarter of the work; where that is not to be had, two
 * with half of it each are better than one, which a tree that does not branch stays. Returns the number of parts. */
static int share_out(const tl_sparse3 *s, branches *b)
{
    enum { P = TL_SPARSE3_PARTS };
    static const double QUARTER = 0.3, HALF = 0.55;
    double load[P] = {0};
    int number[P];
    if (!open_branches(s, b, QUARTER) && !open_branches(s, b, HALF)) {
        for (int k = 0; k < s->n; k++) b->part[k] = 0;
        return 1;
    }
    for (int root = heaviest(s, b); root >= 0; root = heaviest(s, b)) {
        int least = 0;
        for (int p = 1; p < P; p++) least = load[p] < load[least] ? p : least;
        load[least] += b->under[root];
        b->part[root] = least;
    }
    pair_up(load, number);
    for (int k = s->n - 1; k >= 0; k--) /* those above come first */
        if (b->part[k] == NONE) b->part[k] = b->part[b->above[k]];
    for (int k = 0; k < s->n; k++)
        if (b->part[k] < P) b->part[k] = number[b->part[k]];
    return P;
}

/* Columns part by part, the top last; of a part in the order that they had, so that the factor has the same pattern. */
static talus_status part(tl_sparse3 *s, tl_error *error)
{
    const size_t n = (size_t)s->n;
    int *numbers = tl_alloc(s->memory, 3 * n, sizeof *numbers);
    double *works = tl_alloc(s->memory, n, sizeof *works);
    const bool done = numbers && works;
    if (done) {
        branches b = {.above = numbers, .part = numbers + n, .under = works};
        int *who = numbers + 2 * n, at = 0;
        grow_tree(s, &b);
        s->parts = share_out(s, &b);
        for (int p = 0; p <= s->parts; p++) {
            s->from[p] = at;
            for (int k = 0; k < s->n; k++)
                if (b.part[k] == p) who[at++] = s->who[k];
        }
        if (n > 0) memcpy(s->who, who, n * sizeof *who);
    }
    tl_free(s->memory, works);
    tl_free(s->memory, numbers);
    return done ? TALUS_OK : tl_fail(error, TALUS_MEMORY, "no memory for a matrix of %d blocks", s->n);
}

/* Columns and the work of the factor, from what was left of each set when its turn came. */
static void begin_columns(tl_sparse3 *s)
{
    s->work = 0;
    for (int k = 0; k < s->n; k++) {
        const int length = count_of(set_of(s, s->who[k]), s->words);
        s->place[s->who[k]] = k;
        s->begin[k + 1] = s->begin[k] + length;
        s->work += (s->general ? 27 : 13.5) * length * length;
    }
}

static talus_status make_room(tl_sparse3 *s, tl_error *error)
{
    const size_t blocks = (size_t)s->begin[s->n], all = tl_sparse3_room(s);
    s->row = tl_alloc(s->memory, blocks, sizeof *s->row);
    if (s->general) {
        s->lower = tl_alloc(s->memory, all, sizeof *s->lower), s->upper = tl_alloc(s->memory, all, sizeof *s->upper);
        s->kept = tl_alloc(s->memory, 2 * all, sizeof *s->kept);
        s->rest = tl_alloc(s->memory, (size_t)(s->parts * (s->n - tl_sparse3_top(s))) + 1, sizeof *s->rest);
    } else s->A = tl_alloc(s->memory, blocks, sizeof *s->A), s->L = tl_alloc(s->memory, blocks, sizeof *s->L);
    const bool room = s->row && (s->general ? s->lower && s->upper && s->kept && s->rest : s->A && s->L);
    return room ? TALUS_OK : tl_fail(error, TALUS_MEMORY, "no memory for a matrix of %zu blocks", all);
}

static size_t bytes_of_sets(const tl_sparse3 *s) { return (size_t)s->n * (size_t)s->words * sizeof *s->coupled; }

bool tl_sparse3_is_ordered_as(const tl_sparse3 *s, tl_sparse3 *fresh)
{
    if (s->n != fresh->n || s->general != fresh->general || memcmp(s->negative, fresh->negative, (size_t)s->n * sizeof *s->negative) != 0) return false;
    if (memcmp(s->late, fresh->late, (size_t)s->n * sizeof *s->late) != 0) return false;
    for (int i = 0; i < fresh->n; i++) include(set_of(fresh, i), i);
    return memcmp(s->coupled, fresh->neighbours, bytes_of_sets(s)) == 0;
}

talus_status tl_sparse3_order(tl_sparse3 *s, tl_error *error)
{
    const size_t keys = (size_t)whole_turns(s->n);
    ordering o = {.key = tl_alloc(s->memory, keys + (size_t)s->n, sizeof *o.key), .mark = tl_alloc(s->memory, (size_t)s->n, sizeof *o.mark)};
    const bool room = o.key && o.mark;
    o.list = room ? o.key + keys : NULL;
    for (int i = 0; i < s->n; i++) include(set_of(s, i), i);
    memcpy(s->coupled, s->neighbours, bytes_of_sets(s));
    if (room) begin_degrees(s, &o);
    for (int k = 0; room && k < s->n; k++) s->who[k] = eliminate_next(s, &o);
    tl_free(s->memory, o.mark);
    tl_free(s->memory, o.key);
    if (!room) return tl_fail(error, TALUS_MEMORY, "no memory for a matrix of %d blocks", s->n);
    begin_columns(s);
    s->parts = 0, s->from[0] = 0;
    if (s->general) {
        TL_TRY(part(s, error));
        begin_columns(s);
    }
    TL_TRY(make_room(s, error));
    list_rows(s);
    return TALUS_OK;
}

double tl_sparse3_work(const tl_sparse3 *s) { return s->work; }

/* ---- numbers ------------------------------------------------------------------------------------------------------ */

void tl_sparse3_clear(tl_sparse3 *s)
{
    const size_t all = s->general ? tl_sparse3_room(s) : (size_t)s->begin[s->n];
    if (s->general) memset(s->lower, 0, all * sizeof *s->lower), memset(s->upper, 0, all * sizeof *s->upper);
    else memset(s->A, 0, all * sizeof *s->A);
}

int tl_sparse3_find(const tl_sparse3 *s, int row, int column)
{
    int low = s->begin[column], high = s->begin[column + 1];
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (s->row[middle] <= row) low = middle;
        else high = middle;
    }
    return low;
}

void tl_sparse3_add(tl_sparse3 *s, int i, int j, const double block[9])
{
    const bool turned = s->place[i] < s->place[j];
    double *A = s->A[turned ? tl_sparse3_find(s, s->place[j], s->place[i]) : tl_sparse3_find(s, s->place[i], s->place[j])];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) A[3 * r + c] += block[turned ? 3 * c + r : 3 * r + c];
}

/* The lower L with L Lᵀ = A, in place. */
static bool factor_block(double A[9])
{
    for (int j = 0; j < 3; j++) {
        double rest = A[4 * j];
        for (int k = 0; k < j; k++) rest -= A[3 * j + k] * A[3 * j + k];
        if (!(rest > 0)) return false;
        A[4 * j] = sqrt(rest);
        for (int i = j + 1; i < 3; i++) {
            double sum = A[3 * i + j];
            for (int k = 0; k < j; k++) sum -= A[3 * i + k] * A[3 * j + k];
            A[3 * i + j] = sum / A[4 * j];
        }
    }
    return true;
}

/* B ← ±B L⁻ᵀ. */
static void divide(double B[9], const double L[9], double sign)
{
    for (int i = 0; i < 9; i++) B[i] *= sign;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = B[3 * i + j];
            for (int k = 0; k < j; k++) sum -= B[3 * i + k] * L[3 * j + k];
            B[3 * i + j] = sum / L[4 * j];
        }
}

/* C −= ±A Bᵀ. */
static inline void subtract(double *restrict C, const double *restrict A, const double *restrict B, double sign)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) C[3 * i + j] -= sign * (A[3 * i] * B[3 * j] + A[3 * i + 1] * B[3 * j + 1] + A[3 * i + 2] * B[3 * j + 2]);
}

/* Of the pivot at a place of the order. */
static double sign_at(const tl_sparse3 *s, int place) { return s->negative[s->who[place]] ? -1 : 1; }

bool tl_sparse3_factor(tl_sparse3 *s, double damping)
{
    memcpy(s->L, s->A, (size_t)s->begin[s->n] * sizeof *s->L);
    for (int k = 0; k < s->n; k++)
        for (int m = 0; m < 3; m++) s->L[s->begin[k]][4 * m] += sign_at(s, k) * damping;
    for (int k = 0; k < s->n; k++) {
        const int begin = s->begin[k], end = s->begin[k + 1];
        const double sign = sign_at(s, k);
        for (int m = 0; m < 9; m++) s->L[begin][m] *= sign;
        if (!factor_block(s->L[begin])) return false;
        for (int i = begin + 1; i < end; i++) divide(s->L[i], s->L[begin], sign);
        for (int j = begin + 1; j < end; j++) {
            const int column = s->row[j];
            for (int i = s->begin[column]; i < s->begin[column + 1]; i++) s->where[s->row[i]] = i;
            for (int i = j; i < end; i++) subtract(s->L[s->where[s->row[i]]], s->L[i], s->L[j], sign);
        }
    }
    return true;
}

double tl_sparse3_least_pivot(const tl_sparse3 *s)
{
    double least = (double)INFINITY;
    for (int k = 0; k < s->n; k++)
        for (int m = 0; m < 3; m++) least = fmin(least, s->L[s->begin[k]][4 * m] * s->L[s->begin[k]][4 * m]);
    return least;
}

void tl_sparse3_solve(tl_sparse3 *s, double (*x)[3])
{
    for (int k = 0; k < s->n; k++) memcpy(s->y[k], x[s->who[k]], sizeof *s->y);
    for (int k = 0; k < s->n; k++) {
        const double *L = s->L[s->begin[k]];
        double y[3] = {s->y[k][0], s->y[k][1], s->y[k][2]}; /* a copy stays in registers */
        y[0] /= L[0];
        y[1] = (y[1] - L[3] * y[0]) / L[4];
        y[2] = (y[2] - L[6] * y[0] - L[7] * y[1]) / L[8];
        memcpy(s->y[k], y, sizeof y);
        for (int i = s->begin[k] + 1; i < s->begin[k + 1]; i++) {
            const double *B = s->L[i];
            double *z = s->y[s->row[i]];
            for (int m = 0; m < 3; m++) z[m] -= B[3 * m] * y[0] + B[3 * m + 1] * y[1] + B[3 * m + 2] * y[2];
        }
    }
    for (int k = s->n - 1; k >= 0; k--) {
        const double *L = s->L[s->begin[k]], sign = sign_at(s, k);
        double y[3] = {sign * s->y[k][0], sign * s->y[k][1], sign * s->y[k][2]};
        for (int i = s->begin[k] + 1; i < s->begin[k + 1]; i++) {
            const double *B = s->L[i], *z = s->y[s->row[i]];
            for (int m = 0; m < 3; m++) y[m] -= B[m] * z[0] + B[3 + m] * z[1] + B[6 + m] * z[2];
        }
        y[2] /= L[8];
        y[1] = (y[1] - L[7] * y[2]) / L[4];
        y[0] = (y[0] - L[3] * y[1] - L[6] * y[2]) / L[0];
        memcpy(s->y[k], y, sizeof y);
    }
    for (int k = 0; k < s->n; k++) memcpy(x[s->who[k]], s->y[k], sizeof *s->y);
}
