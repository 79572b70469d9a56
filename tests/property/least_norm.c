/* Unique impulses (talus_problem_least_norm): a rigid body on many supports carries like a plane of springs; of random hyperstatic problems they are the same
 * from whatever impulses one begins, none have less norm, and velocities stay. */
#include "base/base.h"
#include "base/math.h"
#include "talus/problem.h"
#include "test.h"

static tl_random rnd;

static double uniform(double low, double high) { return tl_random_uniform(&rnd, low, high); }

static talus_problem_report call(talus_problem *p, bool least_norm, const char *solver, double tolerance)
{
    talus_problem_settings s = talus_problem_settings_default();
    talus_problem_report r = {0};
    char message[500];
    s.solver = solver, s.tolerance = tolerance;
    CHECK_OK((least_norm ? talus_problem_least_norm : talus_problem_solve)(p, &s, &r, message, sizeof message), message);
    return r;
}

/* ---- a table on many legs ------------------------------------------------------------------------------------------ */

enum { LEGS = 12 };

typedef struct table {
    double x[LEGS], y[LEGS], block[LEGS * LEGS * 9], q[LEGS * 3], friction[LEGS], impulse[LEGS * 3];
    int row[LEGS + 1], column[LEGS * LEGS];
} table;

/* Rigid, of mass 1 and inertias 1/4, no friction; falls at `speed` and turns, about its centre at (x0, y0) from the origin of the legs. */
static void make_table(table *t, double x0, double y0)
{
    const double fall = uniform(0.5, 2);
    memset(t, 0, sizeof *t);
    for (int i = 0; i < LEGS; i++) t->x[i] = uniform(-1, 1) - x0, t->y[i] = uniform(-1, 1) - y0;
    for (int i = 0; i < LEGS; i++) {
        t->q[3 * i] = -fall;
        t->row[i + 1] = (i + 1) * LEGS;
        for (int j = 0; j < LEGS; j++) {
            double *W = &t->block[9 * (i * LEGS + j)];
            t->column[i * LEGS + j] = j;
            W[0] = 1 + 4 * (t->x[i] * t->x[j] + t->y[i] * t->y[j]);
            W[4] = W[8] = i == j; /* tangents: something */
        }
        t->impulse[3 * i] = uniform(0, 1); /* where to begin */
    }
}

static talus_problem *open_table(const table *t, bool from_nothing)
{
    talus_problem_def d = talus_problem_def_default();
    char message[500];
    talus_problem *p;
    d.contacts = LEGS, d.row = t->row, d.column = t->column, d.block = t->block, d.q = t->q, d.friction = t->friction;
    d.impulse = from_nothing ? NULL : t->impulse;
    CHECK_OK(talus_problem_create(&d, &p, message, sizeof message), message);
    return p;
}

/* A plane a + b x + c y through the impulses that press, and below zero where a leg stays and there is none: that is what springs do. False: it tips over one
 * leg or two, which are not hyperstatic. */
static bool check_plane(const table *t, const double *I, const double *u, double small)
{
    int pressing = 0;
    for (int i = 0; i < LEGS; i++) pressing += I[3 * i] > small;
    if (pressing < 3) return false;
    double A[3][4] = {{0}}, plane[3] = {0, 0, 0};
    for (int i = 0; i < LEGS; i++) {
        const double row[4] = {1, t->x[i], t->y[i], I[3 * i]};
        for (int r = 0; r < 3 && I[3 * i] > small; r++)
            for (int c = 0; c < 4; c++) A[r][c] += row[r] * row[c];
    }
    for (int k = 0; k < 3; k++)
        for (int r = k + 1; r < 3; r++)
            for (int c = 3; c >= k; c--) A[r][c] -= A[r][k] / A[k][k] * A[k][c];
    for (int k = 2; k >= 0; k--) {
        plane[k] = A[k][3];
        for (int c = k + 1; c < 3; c++) plane[k] -= A[k][c] * plane[c];
        plane[k] /= A[k][k];
    }
    for (int i = 0; i < LEGS; i++)
        if (u[3 * i] < small) CHECK_NEAR(I[3 * i], fmax(0, plane[0] + plane[1] * t->x[i] + plane[2] * t->y[i]), small);
    return true;
}

TEST(table_on_legs)
{
    static table t;
    int lifted = 0, planes = 0;
    for (int round = 0; round < 40; round++) {
        make_table(&t, uniform(-0.35, 0.35), uniform(-0.35, 0.35));
        double first[LEGS * 3];
        for (int begin = 0; begin < 2; begin++) {
            talus_problem *p = open_table(&t, begin == 0);
            const bool solved = call(p, false, begin ? "ccp" : "nlgs", 1e-11).converged != 0;
            const talus_problem_report r = call(p, true, NULL, 1e-10);
            const double *I = talus_problem_get(p).impulse;
            CHECK(solved && r.converged && r.error <= 2e-10);
            bool all_press = true;
            for (int i = 0; i < LEGS; i++) all_press = all_press && I[3 * i] > 1e-6;
            lifted += !all_press;
            planes += check_plane(&t, I, talus_problem_velocities(p), 1e-6);
            for (int k = 0; k < LEGS * 3 && begin == 1; k++) CHECK_NEAR(I[k], first[k], 1e-6);
            memcpy(first, I, sizeof first);
            talus_problem_destroy(p);
        }
    }
    printf("of 80 tables %d stand on a plane, %d with a leg that carries nothing\n", planes, lifted);
    CHECK(planes >= 40 && lifted >= 10 && lifted <= 70);
}

/* ---- with friction ------------------------------------------------------------------------------------------------- */

enum { BODIES = 5, MOST = 24 };

typedef struct heap {
    double H[MOST][3][3 * BODIES], block[MOST * MOST * 9], q[MOST * 3], friction[MOST];
    int row[MOST + 1], column[MOST * MOST];
} heap;

static void make_heap(heap *h)
{
    double v[3 * BODIES];
    memset(h, 0, sizeof *h);
    for (int k = 0; k < 3 * BODIES; k++) v[k] = uniform(-1, 1);
    for (int i = 0; i < MOST; i++) {
        const int a = tl_random_int(&rnd, BODIES), b = (a + 1) % BODIES;
        double n[3] = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}, t[3], s[3];
        const double size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (int k = 0; k < 3; k++) n[k] /= size;
        tl_vec3 e1, e2;
        tl_tangents(tl_v3(n[0], n[1], n[2]), &e1, &e2);
        t[0] = e1.x, t[1] = e1.y, t[2] = e1.z, s[0] = e2.x, s[1] = e2.y, s[2] = e2.z;
        const double *axis[3] = {n, t, s};
        for (int r = 0; r < 3; r++)
            for (int k = 0; k < 3; k++) {
                h->H[i][r][3 * b + k] = axis[r][k];
                if (i % 3) h->H[i][r][3 * a + k] = -axis[r][k];
            }
        h->friction[i] = 0.4;
        h->row[i + 1] = (i + 1) * MOST;
    }
    for (int i = 0; i < MOST; i++)
        for (int r = 0; r < 3; r++)
            for (int k = 0; k < 3 * BODIES; k++) h->q[3 * i + r] += h->H[i][r][k] * v[k];
    for (int i = 0; i < MOST * MOST; i++) {
        h->column[i] = i % MOST;
        for (int m = 0; m < 9; m++)
            for (int k = 0; k < 3 * BODIES; k++) h->block[9 * i + m] += h->H[i / MOST][m / 3][k] * h->H[i % MOST][m % 3][k];
    }
}

/* With Coulomb's law two solvers may come to different velocities; those that came to the same must get the same impulses. */
TEST(heaps)
{
    static heap h;
    int compared = 0, differed = 0;
    for (int round = 0; round < 60; round++) {
        make_heap(&h);
        double I[2][MOST * 3], u[2][MOST * 3], norm[2] = {0, 0}, given[2] = {0, 0}, apart = 0, between = 0;
        bool good = true;
        for (int s = 0; s < 2; s++) {
            talus_problem_def d = talus_problem_def_default();
            char message[500];
            double guess[MOST * 3];
            talus_problem *p;
            for (int k = 0; k < MOST * 3; k++) guess[k] = s == 1 && k % 3 == 0 ? uniform(0, 1) : 0;
            d.contacts = MOST, d.row = h.row, d.column = h.column, d.block = h.block, d.q = h.q, d.friction = h.friction, d.impulse = guess;
            CHECK_OK(talus_problem_create(&d, &p, message, sizeof message), message);
            good = call(p, false, s ? "nlgs" : "auto", 1e-11).converged && good;
            memcpy(u[s], talus_problem_velocities(p), sizeof u[s]);
            const double *before = talus_problem_get(p).impulse;
            double was[MOST * 3];
            memcpy(was, before, sizeof was);
            const talus_problem_report r = call(p, true, NULL, 1e-10);
            good = good && r.converged;
            CHECK(!r.converged || r.error <= 2e-10);
            memcpy(I[s], talus_problem_get(p).impulse, sizeof I[s]);
            const double *now = talus_problem_velocities(p);
            for (int k = 0; k < MOST * 3; k++) {
                CHECK_NEAR(now[k], u[s][k], 1e-8);
                norm[s] += I[s][k] * I[s][k], given[s] += was[k] * was[k];
            }
            CHECK(norm[s] <= given[s] * (1 + 1e-8));
            talus_problem_destroy(p);
        }
        for (int k = 0; k < MOST * 3; k++) apart = fmax(apart, fabs(u[0][k] - u[1][k])), between = fmax(between, fabs(I[0][k] - I[1][k]));
        if (!good || apart > 1e-9) continue;
        compared++;
        differed += fabs(sqrt(given[0]) - sqrt(given[1])) > 1e-3;
        CHECK(between <= 1e-5);
    }
    printf("%d of 60 heaps compared; in %d the impulses had different norms before\n", compared, differed);
    CHECK(compared >= 20 && differed >= 10);
}

int main(int argc, char **argv)
{
    rnd = tl_random_seed(5);
    RUN(table_on_legs);
    RUN(heaps);
    return TEST_RESULT;
}
