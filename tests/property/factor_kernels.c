/* The kernels of a factor by fronts give the same bits, whatever the instruction set: what all others do is compared with plain C. */
#include "base/base.h"
#include "base/factor_kernels.h"
#include "test.h"

#include <math.h>
#include <string.h>

enum { WIDEST = 48, APART = 70 };

typedef struct state {
    double x[WIDEST][APART], t[WIDEST][APART], square[2][WIDEST][APART], d[WIDEST], inverse[WIDEST], a[WIDEST][TL_TILE], b[WIDEST][TL_TILE];
    double out[TL_TILE][TL_TILE], sum[TL_TILE][TL_TILE];
    int pivot;
} state;

static tl_random rnd;

static void fill(double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) x[i] = tl_random_uniform(&rnd, -1, 1);
}

static void work(const tl_factor_kernels *k, state *s, int rows, int width, bool general, bool divided)
{
    double *out[TL_TILE];
    for (int c = 0; c < TL_TILE; c++) out[c] = s->out[c];
    tl_tile t = {.a = s->a[0], .b = s->b[0], .k = width, .out = out};
    k->tile(&t);
    t.out = NULL;
    k->tile(&t);
    memcpy(s->sum, t.sum, sizeof s->sum);
    k->divide(&(tl_division){s->x[0], s->t[0], divided ? s->d : NULL, APART, rows, width});
    s->pivot = k->square(&(tl_square){s->square[0][0], s->square[general][0], APART, width, s->inverse});
}

TEST(instruction_sets)
{
    static state plain, other;
    rnd = tl_random_seed(9);
    int failed = 0;
    for (int round = 0; round < 400; round++) {
        const int rows = 1 + round % TL_STRIP, width = 1 + (int)tl_random_uniform(&rnd, 0, WIDEST);
        const bool general = round & 1, divided = tl_random_uniform(&rnd, 0, 1) < 0.5;
        memset(&plain, 0, sizeof plain);
        fill(plain.x[0], sizeof plain.x / sizeof(double)), fill(plain.t[0], sizeof plain.t / sizeof(double));
        fill(plain.square[0][0], sizeof plain.square / sizeof(double)), fill(plain.d, WIDEST);
        fill(plain.a[0], sizeof plain.a / sizeof(double)), fill(plain.b[0], sizeof plain.b / sizeof(double)), fill(plain.out[0], TL_TILE * TL_TILE);
        for (int i = 0; i < WIDEST; i++) plain.square[0][i][i] += round % 5 == 0 ? 3 : WIDEST; /* some are not positive definite */
        const state start = plain;
        work(tl_factor_kernels_at(0), &plain, rows, width, general, divided);
        failed += plain.pivot >= 0;
        for (int set = 1; tl_factor_kernels_at(set); set++) {
            other = start;
            work(tl_factor_kernels_at(set), &other, rows, width, general, divided);
            CHECK(memcmp(&plain, &other, sizeof plain) == 0);
        }
    }
    CHECK(failed > 10 && failed < 200);
}

/* Rows and columns of L Uᵀ as it was stored: U by rows; of Cholesky's both are L. */
static double product(const double L[WIDEST][APART], const double U[WIDEST][APART], int r, int c, double *size)
{
    double sum = 0;
    *size = 0;
    for (int k = 0; k <= (r < c ? r : c); k++) sum += L[k][r] * U[k][c], *size += fabs(L[k][r] * U[k][c]);
    return sum;
}

/* The square is L Lᵀ, or L U with 1 on the diagonal of U. */
static void check_square(const state *s, const state *start, int width, bool general)
{
    CHECK(s->pivot == -1);
    for (int r = 0; r < width; r++)
        for (int c = 0; c < width; c++) {
            double size;
            const double is = product(s->square[0], s->square[general], r, c, &size);
            if (r >= c) CHECK_NEAR(is, start->square[0][c][r], 1e-14 * (1 + size));
            else if (general) CHECK_NEAR(is, start->square[1][r][c], 1e-14 * (1 + size));
        }
    for (int c = 0; general && c < width; c++) CHECK(s->square[1][c][c] == 1);
}

/* What is divided by a triangle is what it was, times the triangle: x_c d_c + Σ_{k<c} x_k t_kc; rows beyond the last stay. A tile is its sums. */
TEST(they_do_what_they_say)
{
    static state s, start;
    rnd = tl_random_seed(10);
    for (int round = 0; round < 200; round++) {
        const int rows = 1 + round % TL_STRIP, width = 1 + round % WIDEST;
        const bool general = round % 3 == 0, divided = tl_random_uniform(&rnd, 0, 1) < 0.5;
        memset(&s, 0, sizeof s);
        fill(s.x[0], sizeof s.x / sizeof(double)), fill(s.t[0], sizeof s.t / sizeof(double)), fill(s.d, WIDEST);
        fill(s.a[0], sizeof s.a / sizeof(double)), fill(s.b[0], sizeof s.b / sizeof(double)), fill(s.out[0], TL_TILE * TL_TILE);
        for (int c = 0; c < WIDEST; c++) s.d[c] += 3;
        fill(s.square[0][0], sizeof s.square / sizeof(double));
        for (int i = 0; i < WIDEST; i++) s.square[0][i][i] += WIDEST;
        start = s;
        work(tl_factor_kernels_of_this_machine(), &s, rows, width, general, divided);
        check_square(&s, &start, width, general);
        for (int r = 0; r < APART; r++)
            for (int c = 0; c < width; c++) {
                double was = s.x[c][r] / (divided ? s.d[c] : 1), size = fabs(was);
                for (int k = 0; k < c; k++) was += s.x[k][r] * s.t[k][c], size += fabs(s.x[k][r] * s.t[k][c]);
                if (r < rows) CHECK_NEAR(was, start.x[c][r], 1e-14 * (1 + size));
                else CHECK(s.x[c][r] == start.x[c][r]);
            }
        for (int r = 0; r < TL_TILE; r++)
            for (int c = 0; c < TL_TILE; c++) {
                double sum = 0;
                for (int k = 0; k < width; k++) sum += s.a[k][r] * s.b[k][c];
                CHECK_NEAR(s.sum[c][r], sum, 1e-13);
                CHECK_NEAR(start.out[c][r] - s.out[c][r], sum, 1e-13);
            }
    }
}

int main(int argc, char **argv)
{
    RUN(instruction_sets);
    RUN(they_do_what_they_say);
    return TEST_RESULT;
}
