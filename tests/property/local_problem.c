/* Contact problems as values, through the public interface: closed forms, the conditions of the law written out once more, energy, scale, other solvers. */
#include "base/sparse3.h"
#include "talus/problem.h"
#include "test.h"

static tl_random rnd;

static double uniform(double low, double high) { return tl_random_uniform(&rnd, low, high); }

/* ---- problems of bodies ------------------------------------------------------------------------------------------- */

enum { BODIES = 12, MOST = 40 };

/* Contacts of point masses with each other and with the ground: W = Hᵀ M⁻¹ H, q = Hᵀ v. Dense blocks by rows. */
typedef struct model {
    int dimension, contacts;
    double mass[BODIES], v[BODIES][3], H[MOST][BODIES][3][3]; /* of a contact: axes of a body's velocity along n, t, s */
    int row[MOST + 1], column[MOST * MOST];
    double block[MOST * MOST * 9], q[MOST * 3], friction[MOST];
} model;

static void random_axes(int dimension, double axis[3][3])
{
    for (int k = 0; k < 3; k++) axis[0][k] = k < dimension ? uniform(-1, 1) : 0, axis[1][k] = k < dimension ? uniform(-1, 1) : 0;
    const double size = sqrt(axis[0][0] * axis[0][0] + axis[0][1] * axis[0][1] + axis[0][2] * axis[0][2]);
    for (int k = 0; k < 3; k++) axis[0][k] /= size;
    if (dimension == 2) axis[1][0] = -axis[0][1], axis[1][1] = axis[0][0];
    const double along = axis[1][0] * axis[0][0] + axis[1][1] * axis[0][1] + axis[1][2] * axis[0][2];
    for (int k = 0; k < 3; k++) axis[1][k] -= along * axis[0][k];
    const double length = sqrt(axis[1][0] * axis[1][0] + axis[1][1] * axis[1][1] + axis[1][2] * axis[1][2]);
    for (int k = 0; k < 3; k++) axis[1][k] /= length;
    for (int k = 0; k < 3; k++) axis[2][k] = axis[0][(k + 1) % 3] * axis[1][(k + 2) % 3] - axis[0][(k + 2) % 3] * axis[1][(k + 1) % 3];
}

/* V of contact i and axis r, per velocity component k of a body. */
static double product(const model *m, int i, int r, int j, int c)
{
    double sum = 0;
    for (int b = 0; b < BODIES; b++)
        for (int k = 0; k < m->dimension; k++) sum += m->H[i][b][r][k] * m->H[j][b][c][k] / m->mass[b];
    return sum;
}

static void random_model(model *m, int dimension, int contacts, double most_friction)
{
    const int d = dimension;
    memset(m, 0, sizeof *m);
    m->dimension = d, m->contacts = contacts;
    for (int b = 0; b < BODIES; b++) {
        m->mass[b] = uniform(0.5, 2);
        for (int k = 0; k < d; k++) m->v[b][k] = uniform(-1, 1);
    }
    for (int i = 0; i < contacts; i++) {
        double axis[3][3];
        const int a = tl_random_int(&rnd, BODIES), b = (a + 1 + tl_random_int(&rnd, BODIES - 1)) % BODIES;
        random_axes(d, axis);
        for (int r = 0; r < d; r++)
            for (int k = 0; k < d; k++) {
                m->H[i][b][r][k] = axis[r][k];
                m->H[i][a][r][k] = i % 3 ? -axis[r][k] : 0; /* every third: with the ground */
            }
        m->friction[i] = uniform(0, most_friction);
    }
    for (int i = 0; i < contacts; i++) {
        for (int r = 0; r < d; r++)
            for (int b = 0; b < BODIES; b++)
                for (int k = 0; k < d; k++) m->q[i * d + r] += m->H[i][b][r][k] * m->v[b][k];
        for (int j = 0; j < contacts; j++) {
            const int at = i * contacts + j;
            m->column[at] = j;
            for (int r = 0; r < d; r++)
                for (int c = 0; c < d; c++) m->block[(at * d + r) * d + c] = product(m, i, r, j, c);
        }
        m->row[i + 1] = (i + 1) * contacts;
    }
}

static talus_problem *open_model_as(const model *m, int convex)
{
    talus_problem_def d = talus_problem_def_default();
    char message[500];
    talus_problem *p;
    d.convex = convex;
    d.dimension = m->dimension, d.contacts = m->contacts, d.row = m->row, d.column = m->column, d.block = m->block, d.q = m->q, d.friction = m->friction;
    CHECK_OK(talus_problem_create(&d, &p, message, sizeof message), message);
    return p;
}

static talus_problem *open_model(const model *m) { return open_model_as(m, 0); }

static talus_problem_report solve(talus_problem *p, const char *solver, double tolerance)
{
    talus_problem_settings s = talus_problem_settings_default();
    talus_problem_report r = {0};
    char message[500];
    s.solver = solver, s.tolerance = tolerance;
    CHECK_OK(talus_problem_solve(p, &s, &r, message, sizeof message), message);
    return r;
}

/* The law's conditions, to a velocity and an impulse that are small against the problem's. */
static void check_law(talus_problem *p, double small)
{
    const talus_problem_def d = talus_problem_get(p);
    const double *u = talus_problem_velocities(p);
    for (int i = 0; i < d.contacts; i++) {
        const double *I = &d.impulse[i * d.dimension], *V = &u[i * d.dimension], mu = d.friction[i];
        const double It = d.dimension == 3 ? hypot(I[1], I[2]) : fabs(I[1]), Vt = d.dimension == 3 ? hypot(V[1], V[2]) : fabs(V[1]);
        const double power = I[1] * V[1] + (d.dimension == 3 ? I[2] * V[2] : 0);
        CHECK(I[0] >= -small && V[0] >= -small);
        CHECK(fmin(I[0], V[0]) <= small);
        CHECK(It <= mu * I[0] + small);
        CHECK(Vt < small || fabs(power + mu * I[0] * Vt) <= small);
    }
}

/* ---- tests -------------------------------------------------------------------------------------------------------- */

/* A particle on a plane, pressed by n and pushed by t: separation, stick, slip in closed form. */
TEST(one_contact)
{
    const double q[4][3] = {{0.1, 1, 1}, {-1, 0.3, 0.4}, {-1, 0.6, 0.8}, {-1, 0, 0}}, mu = 0.7, w = 2;
    for (int k = 0; k < 4; k++) {
        const int row[2] = {0, 1}, column[1] = {0};
        const double block[9] = {w, 0, 0, 0, w, 0, 0, 0, w};
        talus_problem_def d = talus_problem_def_default();
        char message[500];
        talus_problem *p;
        d.contacts = 1, d.row = row, d.column = column, d.block = block, d.q = q[k], d.friction = &mu;
        CHECK_OK(talus_problem_create(&d, &p, message, sizeof message), message);
        for (int s = 0; talus_problem_solver_name(s); s++) {
            CHECK(solve(p, talus_problem_solver_name(s), 1e-14).converged);
            const double push = hypot(q[k][1], q[k][2]), n = fmax(0, -q[k][0]) / w, t = push > 0 ? -fmin(push / w, mu * n) / push : 0;
            const double *I = talus_problem_get(p).impulse;
            CHECK_NEAR(I[0], n, 1e-13);
            CHECK_NEAR(I[1], t * q[k][1], 1e-13);
            CHECK_NEAR(I[2], t * q[k][2], 1e-13);
        }
        talus_problem_destroy(p);
    }
}

/* Fewer contacts than degrees of freedom, little friction: one solution, and every solver's velocities are its. */
TEST(solvers_agree)
{
    static model m;
    for (int round = 0; round < 60; round++) {
        random_model(&m, 2 + round % 2, 6, 0.2);
        double u[MOST * 3];
        const size_t numbers = (size_t)(m.contacts * m.dimension);
        for (int s = 0; talus_problem_solver_name(s); s++) {
            talus_problem *p = open_model(&m);
            const talus_problem_report r = solve(p, talus_problem_solver_name(s), 1e-12);
            CHECK(r.converged || s > 0); /* plain Newton steps need not come from zero */
            if (r.converged) {
                check_law(p, 1e-10);
                const double *now = talus_problem_velocities(p);
                for (size_t k = 0; k < numbers && s > 0; k++) CHECK_NEAR(now[k], u[k], 1e-9);
                if (s == 0) memcpy(u, now, numbers * sizeof *u);
            }
            talus_problem_destroy(p);
        }
    }
}

/* Rows of a complementarity problem: without friction velocities are unique, however many contacts there are; with a little, few contacts have one solution,
 * which obeys the cone and no box. */
TEST(rows_agree)
{
    static const char *const SOLVERS[] = {"pivot", "split", "pgs"};
    static model m;
    for (int round = 0; round < 40; round++) {
        const bool smooth = round % 4 < 2;
        double u[MOST * 3];
        random_model(&m, 2 + round % 2, smooth ? 24 : 6, smooth ? 0 : 0.2);
        for (int s = -1; s < 3; s++) {
            talus_problem *p = open_model(&m);
            const talus_problem_report r = solve(p, s < 0 ? "interior_point" : SOLVERS[s], 1e-10);
            CHECK(r.converged || s == 2); /* plain sweeps need not come so far */
            if (!smooth && r.converged) check_law(p, 1e-8);
            const double *now = talus_problem_velocities(p);
            for (int k = 0; r.converged && k < m.contacts * m.dimension; k++) {
                const bool along = smooth && k % m.dimension > 0; /* what slides freely follows from the rest */
                if (s < 0) u[k] = now[k];
                else if (!along) CHECK_NEAR(now[k], u[k], 1e-4);
            }
            talus_problem_destroy(p);
        }
    }
}

/* More contacts than bodies have room for: impulses are not unique, the law holds and contact takes energy. */
TEST(many_contacts)
{
    static model m;
    int converged = 0;
    enum { ROUNDS = 60 };
    for (int round = 0; round < ROUNDS; round++) {
        random_model(&m, 2 + round % 2, 30, 0.8);
        talus_problem *p = open_model(&m);
        const talus_problem_report r = solve(p, "auto", 1e-10);
        converged += r.converged != 0;
        if (r.converged) check_law(p, 1e-7);
        const talus_problem_def d = talus_problem_get(p);
        const double *u = talus_problem_velocities(p);
        double work = 0; /* of the impulses: I · (q + u)/2 */
        for (int k = 0; k < d.contacts * d.dimension; k++) work += d.impulse[k] * 0.5 * (m.q[k] + u[k]);
        if (r.converged) CHECK(work <= 1e-7);
        CHECK(r.error <= 1e-3);
        talus_problem_destroy(p);
    }
    CHECK(converged >= ROUNDS - 3);
}

/* Has the solver the convex relaxation? Sweeps and boxes have not. */
static bool is_relaxed(const char *solver)
{
    static const char *const WITHOUT[] = {"nlgs", "pivot", "split", "pgs"};
    for (int i = 0; i < 4; i++)
        if (strcmp(solver, WITHOUT[i]) == 0) return false;
    return true;
}

static double kinetic_energy(const model *m, const double *I)
{
    double sum = 0;
    for (int b = 0; b < BODIES; b++)
        for (int k = 0; k < m->dimension; k++) {
            double v = m->v[b][k];
            for (int i = 0; I && i < m->contacts; i++)
                for (int r = 0; r < m->dimension; r++) v += m->H[i][b][r][k] * I[i * m->dimension + r] / m->mass[b];
            sum += 0.5 * m->mass[b] * v * v;
        }
    return sum;
}

/* What an error e allows: the natural map F of a contact has ‖F‖/ρ within e ‖q‖ of all, and with p = I − F in the cone at right angles to what was cut off,
 *     I·u ≤ p·F/ρ + F·û + μ ‖F‖ ‖u_t‖ ≤ e ‖q‖ (‖I‖ + ‖F‖ + ρ (1 + 2 μ) ‖u‖). */
static double energy_of_error(const model *m, const talus_problem_def *d, const double *u, double e)
{
    const int n = m->dimension;
    double q = 0, I = 0, speed = 0, rho = 0, mu = 0;
    for (int k = 0; k < n * m->contacts; k++) q += m->q[k] * m->q[k], I += d->impulse[k] * d->impulse[k], speed += u[k] * u[k];
    for (int i = 0; i < m->contacts; i++) {
        double trace = 0;
        for (int r = 0; r < n; r++) trace += product(m, i, r, i, r);
        rho = fmax(rho, n / trace), mu = fmax(mu, m->friction[i]);
    }
    const double F = rho * e * sqrt(q);
    return e * sqrt(q) * (sqrt(I) + F + rho * (1 + 2 * mu) * sqrt(speed));
}

/* Without restitution no contact problem gains energy: the bodies' own, not the impulses' work, for every solver, with the law and with its relaxation, whether
 * there is one solution or many, and however well it is solved. */
TEST(energy_never_grows)
{
    static model m;
    int solved = 0;
    for (int round = 0; round < 24; round++) {
        random_model(&m, 2 + round % 2, 1 + tl_random_int(&rnd, MOST - 1), uniform(0, 1.5));
        const double before = kinetic_energy(&m, NULL), tolerance = round % 4 < 2 ? 1e-7 : 1e-3;
        for (int convex = 0; convex < 2; convex++)
            for (int s = 0; talus_problem_solver_name(s); s++) {
                if (convex && !is_relaxed(talus_problem_solver_name(s))) continue;
                talus_problem *p = open_model_as(&m, convex);
                const talus_problem_report r = solve(p, talus_problem_solver_name(s), tolerance);
                const talus_problem_def d = talus_problem_get(p);
                const double gain = kinetic_energy(&m, d.impulse) - before;
                CHECK(gain <= energy_of_error(&m, &d, talus_problem_velocities(p), r.error) + 1e-14 * before);
                solved += r.converged != 0;
                talus_problem_destroy(p);
            }
    }
    CHECK(solved > 24 * 8); /* of 14 each; plain Newton steps and the last digits may fail */
}

/* The convex relaxation: velocities in the dual cones, at right angles to impulses in the cones; these conditions are enough for the least of the cone program,
 * whose velocities are unique. Projected gradients, interior points and Newton's steps find the same least, also where the impulses are not unique, and the
 * same velocities where they come near enough: these may be off by the root of the error where contacts hardly touch. */
static void check_cone_program(talus_problem *p, double small)
{
    const talus_problem_def d = talus_problem_get(p);
    const double *u = talus_problem_velocities(p);
    for (int i = 0; i < d.contacts; i++) {
        const double *I = &d.impulse[i * d.dimension], *V = &u[i * d.dimension], mu = d.friction[i];
        const double It = d.dimension == 3 ? hypot(I[1], I[2]) : fabs(I[1]), Vt = d.dimension == 3 ? hypot(V[1], V[2]) : fabs(V[1]);
        const double power = I[0] * V[0] + I[1] * V[1] + (d.dimension == 3 ? I[2] * V[2] : 0);
        CHECK(It <= mu * I[0] + small && mu * Vt <= V[0] + small && fabs(power) <= small * (1 + fabs(I[0])));
    }
}

/* ½ I·W I + q·I. */
static double objective(talus_problem *p)
{
    const talus_problem_def d = talus_problem_get(p);
    const double *u = talus_problem_velocities(p);
    double sum = 0;
    for (int k = 0; k < d.contacts * d.dimension; k++) sum += 0.5 * d.impulse[k] * (d.q[k] + u[k]);
    return sum;
}

/* By how much the objective of impulses I with this error may be above the least, which J of impulses in the cones has: I − F is the projection of I − ρu, so
 * that u·(I − J) ≤ e·(ρu + I − J) with e = F/ρ, and the objective, which is convex, falls by no more than that. The J of other solvers is not exact: where the
 * stones nearly jam, impulses of thousands may be off as a whole. So I and J are taken to be as far apart as they are large. */
static double gap_of_error(talus_problem *p, double error, const double *J)
{
    const talus_problem_def d = talus_problem_get(p);
    const double *u = talus_problem_velocities(p);
    double q = 0, own = 0, large = 0;
    for (int i = 0; i < d.contacts; i++) {
        double trace = 0;
        for (int k = d.row[i]; k < d.row[i + 1]; k++)
            for (int m = 0; d.column[k] == i && m < d.dimension; m++) trace += d.block[(k * d.dimension + m) * d.dimension + m];
        for (int m = i * d.dimension; m < (i + 1) * d.dimension; m++) {
            q += d.q[m] * d.q[m];
            own += u[m] * u[m] * (d.dimension / trace) * (d.dimension / trace);
            large += d.impulse[m] * d.impulse[m] + J[m] * J[m];
        }
    }
    return error * sqrt(q) * (sqrt(own) + sqrt(2 * large));
}

TEST(convex_solvers_agree)
{
    static const char *const SOLVERS[] = {"interior_point", "ccp", "newton", "proximal", "auto"};
    static model m;
    int opened = 0, solved[5] = {0}, exact[5] = {0};
    enum { ROUNDS = 60 };
    for (int round = 0; round < ROUNDS; round++) {
        random_model(&m, 2 + round % 2, 24, 0.8);
        if (round % 5 == 0)
            for (int i = 0; i < m.contacts; i += 2) m.friction[i] = 0;
        double u[MOST * 3], I[MOST * 3], least = 0, first = 1;
        for (int s = 0; s < 5; s++) {
            talus_problem *p = open_model_as(&m, 1);
            const talus_problem_report r = solve(p, SOLVERS[s], 1e-13);
            const int numbers = m.contacts * m.dimension;
            const double *now = talus_problem_velocities(p);
            if (s == 0) {
                memcpy(u, now, (size_t)numbers * sizeof *u);
                memcpy(I, talus_problem_get(p).impulse, (size_t)numbers * sizeof *I);
                least = objective(p), first = r.error;
            }
            solved[s] += r.error <= 1e-8;
            if (r.error <= 1e-8) {
                check_cone_program(p, 1e-6);
                CHECK_NEAR(objective(p), least, gap_of_error(p, r.error + first, I) + 1e-12 * (1 + fabs(least)));
            }
            if (r.error <= 1e-12 && first <= 1e-12) {
                exact[s]++;
                CHECK_NEAR(objective(p), least, 1e-8);
                for (int k = 0; k < numbers; k++) CHECK_NEAR(now[k], u[k], 1e-8);
            }
            for (int i = 0; i < m.contacts; i++) opened += talus_problem_get(p).impulse[i * m.dimension] > 1e-3 && now[i * m.dimension] > 1e-3;
            talus_problem_destroy(p);
        }
    }
    CHECK(solved[0] == ROUNDS && solved[1] == ROUNDS && solved[4] == ROUNDS);
    CHECK(exact[0] > ROUNDS / 2 && exact[1] > ROUNDS / 2);
    CHECK(opened > 0); /* sliding contacts open as they press: it is not Coulomb's law */
    talus_problem *p = open_model_as(&m, 1);
    talus_problem_settings s = talus_problem_settings_default();
    talus_problem_report r;
    char message[500];
    s.solver = "nlgs";
    CHECK(talus_problem_solve(p, &s, &r, message, sizeof message) == TALUS_INPUT && strstr(message, "'nlgs' has no convex relaxation"));
    talus_problem_destroy(p);
}

/* A report's error is that of its impulses, and neither units nor the number of contacts' names matter. */
TEST(scale)
{
    static model m, other;
    for (int round = 0; round < 20; round++) {
        random_model(&m, 3, 15, 0.5);
        other = m;
        const double mass = 1048576, speed = 1.0 / 1024; /* powers of two: exactly the same */
        for (int k = 0; k < m.contacts * m.contacts * 9; k++) other.block[k] *= mass;
        for (int k = 0; k < m.contacts * 3; k++) other.q[k] *= speed;
        talus_problem *p = open_model(&m), *o = open_model(&other);
        const talus_problem_report a = solve(p, "nlgs", 1e-6), b = solve(o, "nlgs", 1e-6);
        CHECK(a.iterations == b.iterations);
        CHECK_CLOSE(b.error, a.error, 1e-9);
        CHECK(talus_problem_error(p) == a.error);
        talus_problem_destroy(p);
        talus_problem_destroy(o);
    }
}

TEST(mistakes)
{
    static model m;
    char message[500];
    talus_problem *p;
    random_model(&m, 3, 4, 0.5);
    talus_problem_def d = talus_problem_def_default(), good;
    d.contacts = m.contacts, d.row = m.row, d.column = m.column, d.block = m.block, d.q = m.q, d.friction = m.friction;
    good = d;
    d.dimension = 4;
    CHECK(talus_problem_create(&d, &p, message, sizeof message) == TALUS_INPUT && strstr(message, "dimension is 4") && !p);
    d = good, m.friction[2] = -1;
    CHECK(talus_problem_create(&d, &p, message, sizeof message) == TALUS_INPUT && strstr(message, "contact 2: friction is -1"));
    m.friction[2] = 0.5, m.column[5] = 4;
    CHECK(talus_problem_create(&d, &p, message, sizeof message) == TALUS_INPUT && strstr(message, "couples it with contact 4"));
    m.column[5] = 1, m.block[9 * 5] = -1;
    CHECK(talus_problem_create(&d, &p, message, sizeof message) == TALUS_INPUT && strstr(message, "contact 1: W_nn is -1"));
    m.block[9 * 5] = (double)NAN;
    CHECK(talus_problem_create(&d, &p, message, sizeof message) == TALUS_INPUT && strstr(message, "W has an entry"));
    m.block[9 * 5] = 2;
    CHECK_OK(talus_problem_create(&d, &p, message, sizeof message), message);
    talus_problem_settings s = talus_problem_settings_default();
    talus_problem_report r;
    s.solver = "magic";
    CHECK(talus_problem_solve(p, &s, &r, message, sizeof message) == TALUS_INPUT && strstr(message, "there is no solver 'magic'; there are nlgs"));
    talus_problem_destroy(p);
}

/* Factors against the definition: A x of the solution is what was asked for. */
TEST(sparse)
{
    enum { N = 40 };
    static double A[3 * N][3 * N];
    for (int round = 0; round < 20; round++) {
        tl_error error;
        tl_sparse3 *s = tl_sparse3_create(tl_memory_default(), N);
        double x[N][3], b[N][3];
        int pair[3 * N][2];
        memset(A, 0, sizeof A);
        for (int k = 0; k < 3 * N; k++) {
            pair[k][0] = k < N ? k : tl_random_int(&rnd, N), pair[k][1] = k < N ? k : tl_random_int(&rnd, N);
            tl_sparse3_couple(s, pair[k], 2);
        }
        CHECK_OK(tl_sparse3_order(s, &error), error.text);
        for (int k = 0; k < 3 * N; k++) {
            const int i = pair[k][0], j = pair[k][1];
            double block[9];
            for (int m = 0; m < 9; m++) block[m] = uniform(-1, 1);
            if (i == j)
                for (int m = 0; m < 9; m++) block[m] = m % 4 == 0 ? 20 : 0.1;
            tl_sparse3_add(s, i, j, block);
            for (int m = 0; m < 9; m++) {
                A[3 * i + m / 3][3 * j + m % 3] += block[m];
                if (i != j) A[3 * j + m % 3][3 * i + m / 3] += block[m];
            }
        }
        for (int damped = 0; damped < 2; damped++) {
            CHECK(tl_sparse3_factor(s, 3.0 * damped));
            for (int i = 0; i < N; i++)
                for (int m = 0; m < 3; m++) x[i][m] = b[i][m] = uniform(-1, 1);
            tl_sparse3_solve(s, x);
            for (int i = 0; i < 3 * N; i++) {
                double sum = 3.0 * damped * x[i / 3][i % 3];
                for (int j = 0; j < 3 * N; j++) sum += A[i][j] * x[j / 3][j % 3];
                CHECK_NEAR(sum, b[i / 3][i % 3], 1e-12);
            }
        }
        CHECK(!tl_sparse3_factor(s, -100));
        tl_sparse3_destroy(s);
    }
}

int main(int argc, char **argv)
{
    rnd = tl_random_seed(11);
    RUN(one_contact);
    RUN(solvers_agree);
    RUN(rows_agree);
    RUN(many_contacts);
    RUN(energy_never_grows);
    RUN(convex_solvers_agree);
    RUN(scale);
    RUN(mistakes);
    RUN(sparse);
    return TEST_RESULT;
}
