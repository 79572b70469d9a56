/* Mixed linear complementarity problems (theory §5.5): solvers against enumeration of all sides, against each other, and against the contact solvers. */
#include "base/base.h"
#include "base/math.h"
#include "solve/mlcp.h"
#include "talus/problem.h"
#include "test.h"

enum { MOST = 400, MOST_NUMBERS = 20000 };

static tl_random rnd;
enum { SEED = 20 };
static double uniform(double low, double high) { return tl_random_uniform(&rnd, low, high); }

/* Dense, and as a value. */
typedef struct problem {
    int n, m;
    double M[MOST][MOST], G[MOST][MOST];
    double give[MOST], p[MOST], r[MOST], low[MOST], high[MOST], friction[MOST], v[MOST], lambda[MOST];
    int normal[MOST], mass_begin[MOST + 1], mass_row[MOST_NUMBERS], begin[MOST + 1], column[MOST_NUMBERS];
    double mass[MOST_NUMBERS], direction[MOST_NUMBERS];
    tl_mlcp q;
} problem;

static problem X;

static tl_mlcp *value_of(problem *x)
{
    int count = 0;
    for (int c = 0; c < x->n; c++) {
        for (int i = 0; i < x->n; i++)
            if (x->M[i][c] != 0) x->mass_row[count] = i, x->mass[count++] = x->M[i][c];
        x->mass_begin[c + 1] = count;
    }
    count = 0;
    for (int k = 0; k < x->m; k++) {
        for (int i = 0; i < x->n; i++)
            if (x->G[k][i] != 0) x->column[count] = i, x->direction[count++] = x->G[k][i];
        x->begin[k + 1] = count;
    }
    x->q = (tl_mlcp){.velocities = x->n,
                     .rows = x->m,
                     .mass_begin = x->mass_begin,
                     .mass_row = x->mass_row,
                     .mass = x->mass,
                     .begin = x->begin,
                     .column = x->column,
                     .direction = x->direction,
                     .give = x->give,
                     .p = x->p,
                     .r = x->r,
                     .low = x->low,
                     .high = x->high,
                     .normal = x->normal,
                     .friction = x->friction,
                     .v = x->v,
                     .lambda = x->lambda};
    return &x->q;
}

/* Bodies of unlike mass; rows between two of them or of one. */
static void make(problem *x, int n, int m, bool gives)
{
    memset(x, 0, sizeof *x);
    x->n = n, x->m = m;
    for (int i = 0; i < n; i++) x->M[i][i] = pow(10, uniform(-1, 2)), x->p[i] = uniform(-1, 1) * x->M[i][i];
    for (int i = 0; i + 1 < n; i++) /* pairs of velocities of one body */
        if (i % 3 != 2) x->M[i][i + 1] = x->M[i + 1][i] = 0.3 * uniform(-1, 1) * sqrt(x->M[i][i] * x->M[i + 1][i + 1]);
    for (int k = 0; k < m; k++) {
        const int a = tl_random_int(&rnd, n), b = tl_random_int(&rnd, n), kind = tl_random_int(&rnd, 3);
        x->G[k][a] += uniform(0.3, 1);
        x->G[k][b] -= uniform(0.3, 1);
        x->give[k] = gives ? uniform(0, 0.1) : 0;
        x->r[k] = uniform(-1, 1);
        x->normal[k] = -1;
        x->low[k] = kind == 0 ? -(double)INFINITY : kind == 1 ? 0 : -uniform(0.1, 1);
        x->high[k] = kind == 2 ? uniform(0.1, 1) : (double)INFINITY;
    }
}

/* Gaussian elimination; false: singular. */
static bool eliminate(double (*A)[MOST + 1], int n)
{
    for (int c = 0; c < n; c++) {
        int best = c;
        for (int i = c; i < n; i++)
            if (fabs(A[i][c]) > fabs(A[best][c])) best = i;
        if (fabs(A[best][c]) < 1e-12) return false;
        for (int j = c; j <= n; j++) {
            const double t = A[c][j];
            A[c][j] = A[best][j], A[best][j] = t;
        }
        for (int i = 0; i < n; i++) {
            const double f = i == c ? 0 : A[i][c] / A[c][c];
            for (int j = c; f != 0 && j <= n; j++) A[i][j] -= f * A[c][j];
        }
    }
    for (int i = 0; i < n; i++) A[i][n] /= A[i][i];
    return true;
}

/* Is there an answer with these sides, in base 3: between, at low, at high? */
static bool answers(const problem *x, int sides, double *v)
{
    static double A[MOST][MOST + 1];
    const int size = x->n + x->m;
    int side[16];
    memset(A, 0, sizeof A);
    for (int k = 0; k < x->m; k++, sides /= 3) side[k] = sides % 3;
    for (int i = 0; i < x->n; i++) {
        for (int j = 0; j < x->n; j++) A[i][j] = x->M[i][j];
        for (int k = 0; k < x->m; k++) A[i][x->n + k] = -x->G[k][i];
        A[i][size] = x->p[i];
    }
    for (int k = 0; k < x->m; k++) {
        double *row = A[x->n + k];
        const double bound = side[k] == 1 ? x->low[k] : x->high[k];
        if (side[k] > 0 && isinf(bound)) return false;
        for (int j = 0; side[k] == 0 && j < x->n; j++) row[j] = x->G[k][j];
        row[x->n + k] = side[k] == 0 ? x->give[k] : 1;
        row[size] = side[k] == 0 ? x->r[k] : bound;
    }
    if (!eliminate(A, size)) return false;
    for (int k = 0; k < x->m; k++) {
        const double lambda = A[x->n + k][size];
        double u = x->give[k] * lambda - x->r[k];
        for (int j = 0; j < x->n; j++) u += x->G[k][j] * A[j][size];
        if (side[k] == 0 ? lambda < x->low[k] - 1e-9 || lambda > x->high[k] + 1e-9 : side[k] == 1 ? u < -1e-9 : u > 1e-9) return false;
    }
    for (int i = 0; i < x->n; i++) v[i] = A[i][size];
    return true;
}

TEST(all_sides_enumerated)
{
    rnd = tl_random_seed(SEED);
    for (int trial = 0; trial < 400; trial++) {
        const int m = 1 + trial % 6;
        double v[16];
        make(&X, m + tl_random_int(&rnd, 4), m, trial % 2);
        int all = 1, found = -1;
        for (int k = 0; k < m; k++) all *= 3;
        for (int sides = 0; sides < all && found < 0; sides++)
            if (answers(&X, sides, v)) found = sides;
        if (found < 0) continue; /* rows that say the same against each other */
        tl_error error;
        tl_mlcp_task task = {.tolerance = 1e-11, .passes = 1};
        for (int k = 0; k < m; k++) X.lambda[k] = trial % 3 == 0 ? uniform(-2, 2) : 0;
        MUST(tl_mlcp_pivot(tl_memory_default(), value_of(&X), &task, &error), error);
        CHECK(task.error < 1e-10);
        for (int i = 0; i < X.n; i++) CHECK_NEAR(X.v[i], v[i], 1e-7);
    }
}

/* A row said twice, and thrice, without give: the same velocities, and a factor. */
TEST(redundant_rows)
{
    rnd = tl_random_seed(SEED);
    for (int trial = 0; trial < 50; trial++) {
        tl_error error;
        double v[MOST];
        tl_mlcp_task task = {.tolerance = 1e-10, .passes = 1};
        make(&X, 12, 6, false);
        for (int k = 0; k < 6; k++) X.low[k] = k % 2 ? 0 : -(double)INFINITY, X.high[k] = (double)INFINITY;
        MUST(tl_mlcp_pivot(tl_memory_default(), value_of(&X), &task, &error), error);
        if (task.error > 1e-9) continue; /* it contradicts itself already */
        memcpy(v, X.v, sizeof v);
        X.m = 10;
        for (int k = 6; k < 10; k++) {
            memcpy(X.G[k], X.G[k % 3], sizeof X.G[k]);
            X.r[k] = X.r[k % 3], X.low[k] = X.low[k % 3], X.high[k] = X.high[k % 3], X.normal[k] = -1, X.lambda[k] = 0;
        }
        MUST(tl_mlcp_pivot(tl_memory_default(), value_of(&X), &task, &error), error);
        CHECK(task.error < 1e-8);
        for (int i = 0; i < X.n; i++) CHECK_NEAR(X.v[i], v[i], 1e-6);
    }
}

/* Hundreds of rows: pivoting and sweeps come to the same velocities; how few factors it takes. */
TEST(pivoting_and_sweeps_agree)
{
    rnd = tl_random_seed(SEED);
    for (int trial = 0; trial < 6; trial++) {
        tl_error error;
        double v[MOST];
        tl_mlcp_task task = {.tolerance = 1e-10, .passes = 1}, sweeps = {.tolerance = 1e-9, .passes = 200000};
        make(&X, 240, 200, true);
        for (int k = 0; k < X.m; k++) X.give[k] += 0.02;
        MUST(tl_mlcp_pivot(tl_memory_default(), value_of(&X), &task, &error), error);
        printf("%d factors, %d pivots, error %.2g\n", task.factors, task.pivots, task.error);
        CHECK(task.error < 1e-10 && task.factors < 40);
        memcpy(v, X.v, sizeof v);
        memset(X.lambda, 0, sizeof X.lambda);
        MUST(tl_mlcp_sweeps(tl_memory_default(), value_of(&X), &sweeps, &error), error);
        CHECK(sweeps.error <= 1e-9);
        for (int i = 0; i < X.n; i++) CHECK_NEAR(X.v[i], v[i], 1e-6);
    }
}

/* A pile in the plane as a value: columns of disks, each on the one below, with walls. There a box is the cone: three solvers against the contact solvers. */
static void make_pile(problem *x, int columns, int rows, double friction)
{
    memset(x, 0, sizeof *x);
    x->n = 3 * columns * rows;
    for (int i = 0; i < x->n; i++) {
        const double mass = 1 + 0.1 * (i / 3 % 5);
        x->M[i][i] = i % 3 == 2 ? 0.5 * mass : mass;
        x->p[i] = i % 3 == 1 ? -0.01 * mass : 0.003 * mass * uniform(-1, 1);
    }
    for (int c = 0; c < columns; c++)
        for (int r = 0; r < rows; r++) {
            const int own = 3 * (c * rows + r), below = r > 0 ? own - 3 : -1, left = c > 0 ? own - 3 * rows : -1;
            for (int side = 0; side < 2; side++) {
                const int other = side == 0 ? below : left, k = x->m;
                const double nx = side == 0 ? 0 : 1, ny = side == 0 ? 1 : 0; /* from the other to this one, of radius 1 */
                if (other < 0 && side == 1) continue;
                for (int t = 0; t < 2; t++) {
                    const double dx = t == 0 ? nx : -ny, dy = t == 0 ? ny : nx;
                    double *g = x->G[k + t];
                    g[own] += dx, g[own + 1] += dy, g[own + 2] += t == 0 ? 0 : -(nx * dy - ny * dx);
                    if (other >= 0) g[other] -= dx, g[other + 1] -= dy, g[other + 2] -= t == 0 ? 0 : nx * dy - ny * dx;
                    x->normal[k + t] = t == 0 ? -1 : k;
                    x->friction[k + t] = friction;
                    x->high[k + t] = (double)INFINITY;
                }
                x->m += 2;
            }
        }
}

/* Velocities by one of the contact solvers; does it come to the tolerance? */
static bool contact_solution(const problem *x, const char *solver, double *v)
{
    static double W[MOST / 2 * MOST / 2][4], q[MOST], mu[MOST];
    static int row[MOST], column[MOST / 2 * MOST / 2];
    const int contacts = x->m / 2;
    int count = 0;
    for (int i = 0; i < contacts; i++) {
        for (int j = 0; j < contacts; j++) {
            double block[4] = {0}, sum = 0;
            for (int a = 0; a < 2; a++)
                for (int b = 0; b < 2; b++)
                    for (int c = 0; c < x->n; c++) block[2 * a + b] += x->G[2 * i + a][c] * x->G[2 * j + b][c] / x->M[c][c];
            for (int a = 0; a < 4; a++) sum += fabs(block[a]);
            if (sum == 0) continue;
            memcpy(W[count], block, sizeof block);
            column[count++] = j;
        }
        row[i + 1] = count;
        mu[i] = x->friction[2 * i];
        for (int a = 0; a < 2; a++) {
            q[2 * i + a] = 0;
            for (int c = 0; c < x->n; c++) q[2 * i + a] += x->G[2 * i + a][c] * x->p[c] / x->M[c][c];
        }
    }
    talus_problem_def d = talus_problem_def_default();
    d.dimension = 2, d.contacts = contacts, d.row = row, d.column = column, d.block = W[0], d.q = q, d.friction = mu;
    talus_problem *p = NULL;
    char text[256] = "";
    CHECK_OK(talus_problem_create(&d, &p, text, sizeof text), text);
    talus_problem_settings s = talus_problem_settings_default();
    talus_problem_report report;
    s.tolerance = 1e-11, s.solver = solver;
    CHECK_OK(talus_problem_solve(p, &s, &report, text, sizeof text), text);
    const double *I = talus_problem_get(p).impulse;
    for (int c = 0; c < x->n; c++) {
        v[c] = x->p[c] / x->M[c][c];
        for (int k = 0; k < x->m; k++) v[c] += x->G[k][c] * I[k] / x->M[c][c];
    }
    talus_problem_destroy(p);
    return report.converged;
}

TEST(friction_of_a_pile)
{
    rnd = tl_random_seed(SEED);
    static const double FRICTION[] = {0, 0.1, 0.3};
    tl_mlcp_solver *const SOLVER[] = {tl_mlcp_pivot, tl_mlcp_split, tl_mlcp_sweeps};
    static const char *const NAME[] = {"pivot", "split", "sweeps"};
    for (int f = 0; f < 3; f++) {
        double want[MOST];
        make_pile(&X, 5, 6, FRICTION[f]);
        CHECK(contact_solution(&X, "auto", want));
        for (int i = 0; i < 3; i++) {
            tl_error error;
            double off = 0;
            tl_mlcp_task task = {.tolerance = 1e-10, .passes = i == 2 ? 100000 : 400};
            memset(X.lambda, 0, sizeof X.lambda);
            MUST(SOLVER[i](tl_memory_default(), value_of(&X), &task, &error), error);
            for (int c = 0; c < X.n; c++) off = fmax(off, fabs(X.v[c] - want[c]));
            printf("friction %g, %s: %d passes, %d factors, %d pivots, error %.2g m/s, velocities off by %.2g\n", FRICTION[f], NAME[i], task.pass, task.factors,
                   task.pivots, task.error, off);
            if (i == 2 || f == 0) CHECK(task.error <= 1e-10);
            if (task.error <= 1e-10) CHECK(off < 1e-6);
        }
    }
}

/* The same by the contact solvers that are made of them. Sweeps and passes that end above 1e-11 may be right nevertheless; only what has come there is
 * compared. Without friction, and in the least of these all must come there. */
TEST(rows_of_a_pile)
{
    rnd = tl_random_seed(SEED);
    static const double FRICTION[] = {0, 0.1, 0.3, 0.6};
    static const char *const SOLVER[] = {"pivot", "split", "pgs"};
    for (int f = 0; f < 4; f++) {
        static double want[MOST], v[MOST];
        make_pile(&X, 5, 6, FRICTION[f]);
        CHECK(contact_solution(&X, "auto", want));
        for (int i = 0; i < 3; i++) {
            const bool converged = contact_solution(&X, SOLVER[i], v);
            double off = 0;
            for (int c = 0; c < X.n; c++) off = fmax(off, fabs(v[c] - want[c]));
            printf("friction %g, %s: %s, velocities off by %.2g\n", FRICTION[f], SOLVER[i], converged ? "solved" : "not solved", off);
            CHECK(converged || f > 1);
            if (converged) CHECK(off < 1e-6);
        }
    }
}

int main(int argc, char **argv)
{
    RUN(all_sides_enumerated);
    RUN(redundant_rows);
    RUN(pivoting_and_sweeps_agree);
    RUN(friction_of_a_pile);
    RUN(rows_of_a_pile);
    return TEST_RESULT;
}
