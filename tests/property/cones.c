/* Cones of impulses (law/set.h): the solution of a contact's own problem obeys its law, for any W; the residual is the distance to the nearest point of the
 * cone. The conditions and the projection are written here anew, from their definitions (theory §2.7). */
#include "base/base.h"
#include "law/set.h"
#include "test.h"

static tl_random rnd;

static double uniform(double low, double high) { return tl_random_uniform(&rnd, low, high); }

static double decades(double low, double high) { return pow(10, uniform(low, high)); }

/* W = Bᵀ B of `rank` random rows; of the rank of a link with few coordinates where it is less than n. Rows differ in size: of one disc as about axes of a
 * slender body. */
static void random_problem(tl_own_problem *p, int rows, int rank, double *W)
{
    double B[10][TL_ROWS], size[TL_ROWS];
    for (int r = 0; r < rows; r++) size[r] = r == 0 ? 1 : decades(-1.5, 1.5);
    if (rows == 6) size[2] = size[1] * decades(-0.5, 0.5), size[4] = size[3] * decades(-0.5, 0.5);
    for (int k = 0; k < rank; k++)
        for (int r = 0; r < rows; r++) B[k][r] = size[r] * uniform(-1, 1);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < rows; c++) {
            W[r * rows + c] = 0;
            for (int k = 0; k < rank; k++) W[r * rows + c] += B[k][r] * B[k][c];
        }
    *p = (tl_own_problem){.rows = rows, .W = W};
    p->friction = uniform(0, 1) < 0.1 ? 0 : uniform(0, 0.7);
    p->rolling = uniform(0, 1) < 0.2 ? 0 : decades(-2, 1) / size[rows - 1];
    p->spinning = uniform(0, 1) < 0.2 ? 0 : decades(-2, 1) / size[rows - 1];
}

typedef struct part {
    int first, size;
    double bound;
} part;

static int parts_of(const tl_own_problem *p, part out[3])
{
    out[0] = (part){1, p->rows == 3 ? 1 : 2, p->friction};
    out[1] = p->rows == 3 ? (part){2, 1, p->rolling} : (part){3, 2, p->rolling};
    out[2] = (part){5, 1, p->spinning};
    return p->rows == 3 ? 2 : 3;
}

static double length(const double *x, const part *d) { return d->size == 1 ? fabs(x[d->first]) : hypot(x[d->first], x[d->first + 1]); }

/* How far (I, u) is from  0 ≤ u_n ⊥ I_n ≥ 0,  ‖I_d‖ ≤ b I_n,  ‖u_d‖ I_d + b I_n u_d = 0  of every part, relative to sizes; in units where W_rr = 1. */
static double violation(const tl_own_problem *p, const double *u_free, const double *I)
{
    const int n = p->rows;
    part d[3];
    double u[TL_ROWS], J[TL_ROWS], s[TL_ROWS], u_size = 0, I_size = 0;
    for (int r = 0; r < n; r++) {
        u[r] = u_free[r];
        for (int c = 0; c < n; c++) u[r] += p->W[r * n + c] * I[c];
    }
    const int parts = parts_of(p, d);
    for (int r = 0; r < n; r++) s[r] = sqrt(p->W[r * n + r]);
    if (n == 6) s[1] = s[2] = sqrt(0.5 * (s[1] * s[1] + s[2] * s[2])), s[3] = s[4] = sqrt(0.5 * (s[3] * s[3] + s[4] * s[4]));
    for (int r = 0; r < n; r++) {
        u_size = fmax(u_size, fabs(u_free[r]) / s[r]);
        u[r] /= s[r], J[r] = I[r] * s[r];
        I_size = fmax(I_size, fabs(J[r]));
    }
    u_size = fmax(u_size, I_size), I_size = u_size;
    double worst = fmax(-u[0] / u_size, -J[0] / I_size);
    worst = fmax(worst, fmin(fabs(u[0]) / u_size, fabs(J[0]) / I_size));
    for (int k = 0; k < parts; k++) {
        const double border = d[k].bound * s[d[k].first] / s[0] * J[0], slip = length(u, &d[k]);
        worst = fmax(worst, (length(J, &d[k]) - border) / I_size);
        for (int r = d[k].first; r < d[k].first + d[k].size; r++) worst = fmax(worst, fabs(slip * J[r] + border * u[r]) / (u_size * fmax(I_size, border)));
    }
    return worst;
}

static double residual_at(const tl_own_problem *p, const double *u_free, const double *I)
{
    double u[TL_ROWS];
    for (int r = 0; r < p->rows; r++) {
        u[r] = u_free[r];
        for (int c = 0; c < p->rows; c++) u[r] += p->W[r * p->rows + c] * I[c];
    }
    return TL_ROLLING_CONE.residual(p, u, I);
}

/* Of what its velocities are sums of, where W_rr = 1. */
static double size_of(const tl_own_problem *p, const double *u_free, const double *I)
{
    double size = 0;
    for (int r = 0; r < p->rows; r++) size = fmax(size, fmax(fabs(u_free[r]) / sqrt(p->W[r * p->rows + r]), fabs(I[r]) * sqrt(p->W[r * p->rows + r])));
    return size * sqrt(p->W[0]);
}

/* Solutions obey the law; so the residual, asked for them, is nothing, and of the last impulses it is more. */
static int check_solutions(int rows, int least_rank, int runs)
{
    double worst = 0;
    int off = 0, open = 0;
    for (int i = 0; i < runs; i++) {
        tl_own_problem p;
        double W[TL_ROWS * TL_ROWS], u[TL_ROWS], I[TL_ROWS] = {0};
        random_problem(&p, rows, least_rank + i % 3, W);
        for (int r = 0; r < rows; r++) u[r] = uniform(-1, 1) * sqrt(W[r * rows + r]);
        for (int r = 0; i % 2 && r < rows; r++) I[r] = uniform(-1, 1); /* any guess */
        TL_ROLLING_CONE.solve(&p, u, I);
        const double v = violation(&p, u, I);
        open += I[0] == 0;
        off += v > 1e-9;
        if (v <= 1e-9) worst = fmax(worst, v);
        const double error = residual_at(&p, u, I), size = size_of(&p, u, I);
        if (v <= 1e-9 ? !(error <= 1e-8 * size) : !(error > 1e-10 * size)) TEST_FAIL("run %d: residual %g of an error %g", i, error / size, v);
        I[0] += 0.1 + I[0];
        if (!(residual_at(&p, u, I) > 1e-4)) TEST_FAIL("run %d: residual %g of no solution", i, residual_at(&p, u, I));
    }
    printf("%d rows, rank %d and more: %d of %d not solved, worst of the others %.2g, %d open\n", rows, least_rank, off, runs, worst, open);
    CHECK(open > runs / 4 && open < 3 * runs / 4);
    return off;
}

TEST(solutions)
{
    rnd = tl_random_seed(7);
    CHECK(check_solutions(3, 3, 20000) == 0);
    CHECK(check_solutions(6, 8, 20000) <= 4); /* what is left to the sweeps, its error in the residual */
}

/* W that is singular, or nearly: what is not solved is in the residual. */
TEST(few_coordinates)
{
    rnd = tl_random_seed(8);
    CHECK(check_solutions(3, 2, 3000) < 10);
    CHECK(check_solutions(6, 6, 3000) < 30);
    CHECK(check_solutions(6, 4, 3000) < 60);
}

int main(int argc, char **argv)
{
    RUN(solutions);
    RUN(few_coordinates);
    return TEST_RESULT;
}
