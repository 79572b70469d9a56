/* General sparse matrices in blocks (sparse3.h): A = L U, right-looking as Cholesky's in sparse3.c, but for U, which is kept by columns of L. */
#include "base/lanes.h"
#include "base/sparse3_internal.h"

#include <math.h>
#include <string.h>

void tl_sparse3_generalize(tl_sparse3 *s) { s->general = true; }

int tl_sparse3_parts(const tl_sparse3 *s) { return s->parts; }

int tl_sparse3_part(const tl_sparse3 *s, int i)
{
    int part = 0;
    while (part < s->parts && s->place[i] >= s->from[part + 1]) part++;
    return part;
}

/* By how much a block of the top lies farther back in the copy of a part. */
static int copy_at(const tl_sparse3 *s, int part) { return s->begin[s->n] + part * tl_sparse3_top_blocks(s) - s->begin[tl_sparse3_top(s)]; }

void tl_sparse3_keep(tl_sparse3 *s)
{
    const size_t all = tl_sparse3_room(s);
    memcpy(s->kept, s->lower, all * sizeof *s->kept), memcpy(s->kept + all, s->upper, all * sizeof *s->kept);
}

static void recall(tl_sparse3 *s, int begin, int count)
{
    const size_t all = tl_sparse3_room(s);
    memcpy(s->lower + begin, s->kept + begin, (size_t)count * sizeof *s->kept);
    memcpy(s->upper + begin, s->kept + all + begin, (size_t)count * sizeof *s->kept);
}

void tl_sparse3_recall(tl_sparse3 *s, int part)
{
    const int begin = s->begin[s->from[part]];
    if (part == s->parts) recall(s, begin, tl_sparse3_top_blocks(s));
    else recall(s, begin, s->begin[s->from[part + 1]] - begin), recall(s, s->begin[s->n] + part * tl_sparse3_top_blocks(s), tl_sparse3_top_blocks(s));
}

int tl_sparse3_slot(const tl_sparse3 *s, int i, int j, int part)
{
    const int row = s->place[i], column = s->place[j];
    const bool above = row < column;
    int at = above ? tl_sparse3_find(s, column, row) : tl_sparse3_find(s, row, column);
    if (part < s->parts && at >= s->begin[tl_sparse3_top(s)]) at += copy_at(s, part);
    return above ? ~at : at;
}

/* ---- kernels -------------------------------------------------------------------------------------------------------------------- */

TL_INLINE double *block_at(const tl_sparse3 *s, int slot) { return slot < 0 ? s->upper[~slot] : s->lower[slot]; }

TL_INLINE void add_products(tl_sparse3 *s, const tl_sparse3_products *p)
{
    for (int i = 0; i < p->rows; i++)
        for (int j = 0; j < p->columns; j++) {
            double *to = block_at(s, p->slot[i * p->apart + j]);
            const double *right = p->right + (size_t)(j * p->depth) * TL_LANES, *left = p->left + 3 * i;
            tl_lanes sum[3] = {{0}, {0}, {0}};
            for (int r = 0; r < p->depth; r++, left += 3 * p->rows, right += TL_LANES)
                for (int x = 0; x < 3; x++) sum[x] += left[x] * tl_load4(right);
            for (int x = 0; x < 3; x++) tl_store4(to + TL_LANES * x, tl_load4(to + TL_LANES * x) + sum[x]);
        }
}

/* C −= A B. */
TL_INLINE void subtract_product(double *C, const double *A, const double *B)
{
    const tl_lanes b[3] = {tl_load4(B), tl_load4(B + 4), tl_load4(B + 8)};
    for (int i = 0; i < 3; i++, A += 4, C += 4) tl_store4(C, tl_load4(C) - (A[0] * b[0] + A[1] * b[1] + A[2] * b[2]));
}

/* A ← A B. */
TL_INLINE void multiply(double *A, const double *B)
{
    const tl_lanes b[3] = {tl_load4(B), tl_load4(B + 4), tl_load4(B + 8)};
    for (int i = 0; i < 3; i++, A += 4) tl_store4(A, A[0] * b[0] + A[1] * b[1] + A[2] * b[2]);
}

TL_INLINE bool invert(double *A)
{
    double out[9], size = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int r = (j + 1) % 3, q = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
            out[3 * i + j] = A[4 * r + c] * A[4 * q + d] - A[4 * r + d] * A[4 * q + c];
            size = fmax(size, fabs(A[4 * i + j]));
        }
    const double determinant = A[0] * out[0] + A[1] * out[3] + A[2] * out[6];
    if (!(fabs(determinant) > 1e-40 * size * size * size)) return false;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) A[4 * i + j] = out[3 * i + j] / determinant;
    return true;
}

/* In place; pivots are left as their inverses. What a part changes of the top is in its copy. */
TL_INLINE bool factor(tl_sparse3 *s, int part)
{
    const int top = part < s->parts ? tl_sparse3_top(s) : s->n, last = part < s->parts ? s->from[part + 1] : s->n;
    const int copy = part < s->parts ? copy_at(s, part) : 0;
    int *where = s->where + (size_t)part * (size_t)s->n;
    for (int k = s->from[part]; k < last; k++) {
        const int begin = s->begin[k], end = s->begin[k + 1];
        if (!invert(s->lower[begin])) return false;
        for (int i = begin + 1; i < end; i++) multiply(s->lower[i], s->lower[begin]);
        for (int j = begin + 1; j < end; j++) {
            const int column = s->row[j], back = column >= top ? copy : 0;
            for (int i = s->begin[column]; i < s->begin[column + 1]; i++) where[s->row[i]] = i + back;
            subtract_product(s->lower[where[column]], s->lower[j], s->upper[j]);
            for (int i = j + 1; i < end; i++) {
                const int at = where[s->row[i]];
                subtract_product(s->lower[at], s->lower[i], s->upper[j]);
                subtract_product(s->upper[at], s->lower[j], s->upper[i]);
            }
        }
    }
    return true;
}

typedef struct kernels {
    void (*add)(tl_sparse3 *, const tl_sparse3_products *);
    bool (*factor)(tl_sparse3 *, int part);
} kernels;

#define KERNELS(name, set)                                                                                                                                     \
    static set void add_##name(tl_sparse3 *s, const tl_sparse3_products *p) { add_products(s, p); }                                                            \
    static set bool factor_##name(tl_sparse3 *s, int part) { return factor(s, part); }                                                                         \
    static const kernels name##_kernels = {add_##name, factor_##name};

TL_FOR_EVERY_SET(KERNELS)

void tl_sparse3_add_products(tl_sparse3 *s, const tl_sparse3_products *p) { TL_BEST_KERNELS->add(s, p); }

/* The top takes what the parts have added to it. */
static void take_copies(tl_sparse3 *s)
{
    const int first = s->begin[tl_sparse3_top(s)], blocks = tl_sparse3_top_blocks(s);
    for (int part = 0; part < s->parts; part++)
        for (int i = first; i < first + blocks; i++)
            for (int m = 0; m < 12; m++) {
                s->lower[i][m] += s->lower[i + copy_at(s, part)][m];
                s->upper[i][m] += s->upper[i + copy_at(s, part)][m];
            }
}

bool tl_sparse3_factor_part(tl_sparse3 *s, int part)
{
    if (part == s->parts) take_copies(s);
    return TL_BEST_KERNELS->factor(s, part);
}

/* ---- one block, one vector ------------------------------------------------------------------------------------------------------ */

void tl_sparse3_add_at(tl_sparse3 *s, int slot, const double block[9])
{
    double *to = block_at(s, slot);
    for (int m = 0; m < 9; m++) to[4 * (m / 3) + m % 3] += block[m];
}

/* Forward over columns begin … end − 1, whose rows in the top go to `top`. */
static void solve_down(tl_sparse3 *s, int begin, int end, double (*top)[3])
{
    const int first = top ? tl_sparse3_top(s) : s->n;
    for (int k = begin; k < end; k++) {
        const double y[3] = {s->y[k][0], s->y[k][1], s->y[k][2]};
        for (int i = s->begin[k] + 1; i < s->begin[k + 1]; i++) {
            const double *L = s->lower[i];
            double *z = s->row[i] < first ? s->y[s->row[i]] : top[s->row[i] - first];
            for (int m = 0; m < 3; m++) z[m] -= L[4 * m] * y[0] + L[4 * m + 1] * y[1] + L[4 * m + 2] * y[2];
        }
    }
}

static void solve_up(tl_sparse3 *s, int begin, int end, double (*x)[3])
{
    for (int k = end - 1; k >= begin; k--) {
        const double *P = s->lower[s->begin[k]];
        double y[3] = {s->y[k][0], s->y[k][1], s->y[k][2]};
        for (int i = s->begin[k] + 1; i < s->begin[k + 1]; i++) {
            const double *U = s->upper[i], *z = s->y[s->row[i]];
            for (int m = 0; m < 3; m++) y[m] -= U[4 * m] * z[0] + U[4 * m + 1] * z[1] + U[4 * m + 2] * z[2];
        }
        for (int m = 0; m < 3; m++) s->y[k][m] = P[4 * m] * y[0] + P[4 * m + 1] * y[1] + P[4 * m + 2] * y[2];
        memcpy(x[s->who[k]], s->y[k], sizeof *s->y);
    }
}

void tl_sparse3_solve_down(tl_sparse3 *s, int part, double (*x)[3])
{
    const int tops = s->n - tl_sparse3_top(s);
    double(*rest)[3] = s->rest + (size_t)(part * tops);
    for (int k = s->from[part]; k < s->from[part + 1]; k++) memcpy(s->y[k], x[s->who[k]], sizeof *s->y);
    for (int i = 0; i < tops; i++) memset(rest[i], 0, sizeof *rest);
    solve_down(s, s->from[part], s->from[part + 1], rest);
}

void tl_sparse3_solve_top(tl_sparse3 *s, double (*x)[3])
{
    const int top = tl_sparse3_top(s), tops = s->n - top;
    for (int k = top; k < s->n; k++) {
        memcpy(s->y[k], x[s->who[k]], sizeof *s->y);
        for (int part = 0; part < s->parts; part++)
            for (int m = 0; m < 3; m++) s->y[k][m] += s->rest[part * tops + k - top][m];
    }
    solve_down(s, top, s->n, NULL);
    solve_up(s, top, s->n, x);
}

void tl_sparse3_solve_up(tl_sparse3 *s, int part, double (*x)[3]) { solve_up(s, s->from[part], s->from[part + 1], x); }
