/* The contact problem in velocities of bodies, as a value: closed forms, and the conditions of the laws written out once more, on random machines. */
#include "base/base.h"
#include "base/sparse3.h"
#include "ledger.h"
#include "solve/body_matrix.h"
#include "solve/body_system.h"
#include "test.h"

static tl_random rnd;

static double uniform(double low, double high) { return tl_random_uniform(&rnd, low, high); }

enum { GROUPS = 8, WIDE = 9, HOLDS = 24, ENDS = 2 * HOLDS, ROWS = TL_BODY_ROWS };

/* Bodies of up to WIDE velocities each; M dense. */
typedef struct model {
    tl_body_group group[GROUPS];
    tl_body_hold hold[HOLDS];
    tl_body_end end[ENDS];
    int group_of[ENDS];
    double M[GROUPS][WIDE * WIDE], v[GROUPS][WIDE], H[ENDS][ROWS * WIDE], shift[HOLDS][ROWS];
    tl_body_problem problem;
    tl_arena *arena;
    tl_error error;
} model;

static void new_model(model *m)
{
    memset(m, 0, sizeof *m);
    m->arena = tl_arena_create(tl_memory_default(), 1 << 16);
    m->problem = (tl_body_problem){.group = m->group, .hold = m->hold, .end = m->end, .max_iterations = 1000};
}

/* So many velocities, of mass M; NULL: 1. */
static int add_group(model *m, int size, const double *M, const double *v_free)
{
    tl_body_problem *p = &m->problem;
    const int g = p->groups++;
    m->group[g] = (tl_body_group){size, (size + 2) / 3, p->blocks, {0}, NULL};
    p->blocks += m->group[g].blocks;
    if (M) memcpy(m->M[g], M, (size_t)(size * size) * sizeof *M), m->group[g].M = m->M[g];
    memcpy(m->v[g], v_free, (size_t)size * sizeof *v_free);
    return g;
}

/* A hold without ends yet, whose rows are bounded. */
static tl_body_hold *add_hold(model *m, int rows, double low, double high)
{
    tl_body_hold *k = &m->hold[m->problem.holds++];
    *k = (tl_body_hold){.rows = rows, .low = low, .high = high, .end = m->problem.ends};
    return k;
}

/* H [rows][size] at a group. */
static void add_end(model *m, tl_body_hold *k, int group, const double *H)
{
    const int e = m->problem.ends++, size = m->group[group].size, width = 3 * m->group[group].blocks;
    for (int r = 0; r < k->rows; r++) memcpy(&m->H[e][r * width], &H[r * size], (size_t)size * sizeof *H);
    m->end[e] = (tl_body_end){m->group[group].first, m->group[group].blocks, m->H[e]}, m->group_of[e] = group;
    k->ends++;
}

/* x = M⁻¹ b of a group, by elimination. */
static void solve_mass(const model *m, int g, const double *b, double *x)
{
    double A[WIDE][WIDE + 1];
    const int n = m->group[g].size;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) A[i][j] = m->group[g].M ? m->M[g][i * n + j] : (i == j);
        A[i][n] = b[i];
    }
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = n; i != k && j >= k; j--) A[i][j] -= A[i][k] / A[k][k] * A[k][j];
    for (int i = 0; i < n; i++) x[i] = A[i][n] / A[i][i];
}

/* u of all holds at their impulses, with Σ I where `gives`. */
static void velocities(const model *m, bool gives, double u[HOLDS][ROWS])
{
    const tl_body_problem *p = &m->problem;
    double f[GROUPS][WIDE] = {{0}}, dv[GROUPS][WIDE];
    for (int i = 0; i < p->holds; i++)
        for (int e = m->hold[i].end; e < m->hold[i].end + m->hold[i].ends; e++) {
            const int g = m->group_of[e], width = 3 * m->group[g].blocks;
            for (int r = 0; r < m->hold[i].rows; r++)
                for (int k = 0; k < m->group[g].size; k++) f[g][k] += m->H[e][r * width + k] * m->hold[i].I[r];
        }
    for (int g = 0; g < p->groups; g++) solve_mass(m, g, f[g], dv[g]);
    for (int i = 0; i < p->holds; i++)
        for (int r = 0; r < m->hold[i].rows; r++) {
            u[i][r] = m->shift[i][r] + (gives ? m->hold[i].give[r] * m->hold[i].I[r] : 0);
            for (int e = m->hold[i].end; e < m->hold[i].end + m->hold[i].ends; e++) {
                const int g = m->group_of[e], width = 3 * m->group[g].blocks;
                for (int k = 0; k < m->group[g].size; k++) u[i][r] += m->H[e][r * width + k] * (m->v[g][k] + dv[g][k]);
            }
        }
}

/* W of single rows, and u at the first guesses. */
static void prepare(model *m, double tolerance)
{
    tl_body_problem *p = &m->problem;
    double u[HOLDS][ROWS];
    for (int i = 0; i < p->holds; i++)
        for (int r = 0; r < m->hold[i].rows; r++)
            for (int e = m->hold[i].end; e < m->hold[i].end + m->hold[i].ends; e++) {
                const int g = m->group_of[e];
                const double *H = &m->H[e][r * 3 * m->group[g].blocks];
                double x[WIDE];
                solve_mass(m, g, H, x);
                for (int k = 0; k < m->group[g].size; k++) m->hold[i].own[r] += H[k] * x[k];
            }
    velocities(m, false, u);
    for (int i = 0; i < p->holds; i++) memcpy(m->hold[i].u, u[i], sizeof u[i]);
    p->tolerance = tolerance, p->near = 10 * tolerance;
}

/* Newton's rounds from the first guess on, as where it is near. */
static bool rounds_alone;

static void solve(model *m, double tolerance)
{
    tl_step step = {.arena = m->arena, .memory = tl_memory_default(), .error = &m->error};
    prepare(m, tolerance);
    m->problem.far = rounds_alone ? HUGE_VAL : 0;
    CHECK_OK(tl_body_solve(&m->problem, &step), m->error.text);
    CHECK(m->problem.error <= tolerance);
}

/* The laws, to impulses and velocities that are small. */
static void check_laws(const model *m, double small)
{
    const tl_body_problem *p = &m->problem;
    double u[HOLDS][ROWS];
    velocities(m, true, u);
    for (int i = 0; i < p->holds; i++) {
        const tl_body_hold *k = &m->hold[i];
        for (int r = 0; r < (k->disks ? 1 : k->rows); r++) {
            const double I = k->I[r], e = small * 100;
            CHECK(I >= k->low - small && I <= k->high + small);
            if (I > k->low + e && I < k->high - e) CHECK_NEAR(u[i][r], 0, small);
            if (I <= k->low + e) CHECK(u[i][r] >= -small);
            if (I >= k->high - e) CHECK(u[i][r] <= small);
        }
        for (int d = 0; d < k->disks; d++) {
            const tl_body_disk *disk = &k->disk[d];
            double length = 0, speed = 0, power = 0;
            for (int r = disk->first; r < disk->first + disk->rows; r++) length += k->I[r] * k->I[r], speed += u[i][r] * u[i][r], power += k->I[r] * u[i][r];
            length = sqrt(length), speed = sqrt(speed);
            CHECK(length <= disk->share * k->I[0] + small);
            CHECK_NEAR(power, -disk->share * k->I[0] * speed, 100 * small); /* it slides against the impulse, which is then the largest; or not at all */
        }
    }
}

/* ---- closed forms ------------------------------------------------------------------------------------------------------------- */

static const double DOWN[1] = {-1}, UPWARD[1] = {1};

/* A block of 1000 t on one of 1 kg on the ground, along one line: both impulses carry what is above, whatever the masses. */
TEST(tower)
{
    model m;
    const double light = 1, heavy = 1e6, v[1] = {-0.0981};
    new_model(&m);
    const int below = add_group(&m, 1, &light, v), above = add_group(&m, 1, &heavy, v);
    add_end(&m, add_hold(&m, 1, 0, HUGE_VAL), below, UPWARD);
    tl_body_hold *k = add_hold(&m, 1, 0, HUGE_VAL);
    add_end(&m, k, below, DOWN), add_end(&m, k, above, UPWARD);
    solve(&m, 1e-9);
    CHECK_CLOSE(m.hold[0].I[0], 0.0981 * (heavy + light), 1e-7);
    CHECK_CLOSE(m.hold[1].I[0], 0.0981 * heavy, 1e-7);
    CHECK(m.problem.iterations < 60);
    tl_arena_destroy(m.arena);
}

/* A block that slides: v_x − μ (impulse of its weight); on another that sticks. With velocities of planar bodies (x, y, spin). */
TEST(sliding_block)
{
    for (int sticks = 0; sticks < 2; sticks++) {
        model m;
        const double mass = 3, J = 0.5, M[9] = {mass, 0, 0, 0, mass, 0, 0, 0, J}, v[3] = {sticks ? 0.02 : 2, -0.0981, 0}, mu = 0.4, half = 0.5, height = 0.2;
        new_model(&m);
        const int g = add_group(&m, 3, M, v);
        for (int side = -1; side <= 1; side += 2) { /* corners at (± half, −height) of its centre; n = y, t = −x */
            tl_body_hold *k = add_hold(&m, 2, 0, HUGE_VAL);
            k->disk[k->disks++] = (tl_body_disk){1, 1, mu};
            add_end(&m, k, g, (const double[6]){0, 1, side * half, -1, 0, -height});
        }
        solve(&m, 1e-11);
        const double N = mass * 0.0981, T = m.hold[0].I[1] + m.hold[1].I[1], moment = half * (m.hold[1].I[0] - m.hold[0].I[0]) - height * T;
        CHECK_CLOSE(m.hold[0].I[0] + m.hold[1].I[0], N, 1e-9);
        CHECK_CLOSE(T, sticks ? mass * 0.02 : mu * N, 1e-9);
        CHECK_NEAR(moment, 0, 1e-9);
        tl_arena_destroy(m.arena);
    }
}

/* A beam on a pivot (a joint of two rows), pushed down at one end onto a compliant stop: lever and compliance in series. */
TEST(lever)
{
    model m;
    const double mass = 2, J = 0.3, M[9] = {mass, 0, 0, 0, mass, 0, 0, 0, J}, v[3] = {0.1, -0.5, -1}, arm = 0.7, Sigma = 0.4, a = 0.25;
    new_model(&m);
    const int g = add_group(&m, 3, M, v);
    add_end(&m, add_hold(&m, 2, -HUGE_VAL, HUGE_VAL), g, (const double[6]){1, 0, 0, 0, 1, -a}); /* the pivot at (−a, 0) */
    tl_body_hold *k = add_hold(&m, 1, 0, HUGE_VAL);
    k->give[0] = Sigma;
    add_end(&m, k, g, (const double[3]){0, 1, arm - a});
    solve(&m, 1e-12);
    /* About the pivot: (J + m a²) ω = J ω_free + m a v_y + arm I, arm ω + Σ I = 0. */
    const double inertia = J + mass * a * a, free = J * v[2] + mass * a * v[1], I = -arm * free / (arm * arm + Sigma * inertia);
    CHECK(I > 0);
    CHECK_CLOSE(k->I[0], I, 1e-9);
    tl_arena_destroy(m.arena);
}

/* ---- random machines ---------------------------------------------------------------------------------------------------------- */

static void random_group(model *m)
{
    double L[WIDE * WIDE] = {0}, M[WIDE * WIDE] = {0}, v[WIDE];
    const int n = 1 + tl_random_int(&rnd, WIDE);
    for (int i = 0; i < n; i++) {
        v[i] = uniform(-1, 1);
        for (int j = 0; j <= i; j++) L[i * n + j] = i == j ? uniform(0.5, 3) : uniform(-0.5, 0.5);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) M[i * n + j] += L[i * n + k] * L[j * n + k];
    (void)add_group(m, n, tl_random_int(&rnd, 2) ? M : NULL, v);
}

static void random_ends(model *m, tl_body_hold *k)
{
    const int a = tl_random_int(&rnd, m->problem.groups), b = (a + 1 + tl_random_int(&rnd, m->problem.groups - 1)) % m->problem.groups;
    for (int side = 0; side < 2; side++) {
        double H[ROWS * WIDE];
        for (int i = 0; i < ROWS * WIDE; i++) H[i] = uniform(-1, 1);
        if (side == 0 || tl_random_int(&rnd, 3)) add_end(m, k, side ? b : a, H);
    }
    if (k->low == 0) m->shift[k - m->hold][0] = uniform(0.01, 0.1); /* rest lets all contacts open, and so there is a solution */
}

/* Joints, bounds, cones of friction and of rolling, compliances; first guesses that are no solution. */
TEST(machines)
{
    for (int round = 0; round < 300; round++) {
        model m;
        new_model(&m);
        for (int g = 0; g < GROUPS; g++) random_group(&m);
        for (int i = 0; i < 3; i++) random_ends(&m, add_hold(&m, 1 + tl_random_int(&rnd, 2), -HUGE_VAL, HUGE_VAL));
        for (int i = 0; i < 3; i++) random_ends(&m, add_hold(&m, 1, i == 0 ? 0 : -uniform(0, 0.3), i == 0 ? HUGE_VAL : uniform(0, 0.3)));
        for (int i = 0; i < 8; i++) {
            static const int OF[4] = {2, 3, 3, 6};
            tl_body_hold *k = add_hold(&m, OF[i % 4], 0, HUGE_VAL);
            k->disk[k->disks++] = (tl_body_disk){1, i % 4 == 1 || i % 4 == 3 ? 2 : 1, uniform(0, 0.4)};
            if (i % 4 == 2) k->disk[k->disks++] = (tl_body_disk){2, 1, uniform(0, 0.2)};
            if (i % 4 == 3) k->disk[k->disks++] = (tl_body_disk){3, 2, uniform(0, 0.2)}, k->disk[k->disks++] = (tl_body_disk){5, 1, uniform(0, 0.1)};
            random_ends(&m, k);
            k->I[0] = uniform(0, 0.2);
        }
        for (int i = 0; i < m.problem.holds; i += 2) m.hold[i].give[0] = uniform(0, 0.2);
        solve(&m, 1e-10);
        check_laws(&m, 1e-8);
        tl_arena_destroy(m.arena);
    }
}

TEST(rounds)
{
    rounds_alone = true;
    test_tower();
    test_sliding_block();
    test_lever();
    test_machines();
    rounds_alone = false;
}

/* Velocities of a step that are no numbers are refused, and rounds go on from where interior points were. */
TEST(refused)
{
    model m;
    const double mass = 2, v[1] = {-1};
    new_model(&m);
    const int g = add_group(&m, 1, &mass, v);
    add_end(&m, add_hold(&m, 1, 0, HUGE_VAL), g, UPWARD);
    tl_step step = {.arena = m.arena, .memory = tl_memory_default(), .error = &m.error};
    tl_body_system s = {.p = &m.problem};
    bool worth;
    prepare(&m, 1e-9);
    m.problem.iterations = 0;
    CHECK_OK(tl_body_system_make(&s, &worth, &step), m.error.text);
    tl_body_start(&s);
    s.du[0][0] = s.Mdv[0][0] = (double)NAN;
    tl_body_refuse(&s);
    CHECK_OK(tl_body_newton(&s, 0, &step), m.error.text);
    CHECK(m.problem.error <= 1e-9);
    CHECK_CLOSE(s.best[0][0], mass * 1, 1e-8);
    tl_body_system_free(&s);
    tl_arena_destroy(m.arena);
}

/* Two bounds that are one, or next to it, beside a row with room: the impulse is theirs. */
TEST(no_room)
{
    for (int apart = 0; apart < 2; apart++) {
        model m;
        const double mass = 2, v[1] = {-1};
        new_model(&m);
        const int g = add_group(&m, 1, &mass, v);
        add_end(&m, add_hold(&m, 1, 0.5, 0.5 * (1 + apart * 1e-15)), g, UPWARD);
        add_end(&m, add_hold(&m, 1, 0, HUGE_VAL), g, UPWARD);
        solve(&m, 1e-9);
        CHECK_CLOSE(m.hold[0].I[0], 0.5, 1e-12);
        CHECK_CLOSE(m.hold[1].I[0], mass * 1 - 0.5, 1e-8);
        tl_arena_destroy(m.arena);
    }
}

/* Interior points alone, without the rounds that bring the last digits. */
static void solve_inside(model *m, double tolerance)
{
    tl_step step = {.arena = m->arena, .memory = tl_memory_default(), .error = &m->error};
    tl_body_system s = {.p = &m->problem};
    bool worth;
    prepare(m, 0.1 * tolerance); /* within ten tolerances they leave the rest to others */
    CHECK_OK(tl_body_system_make(&s, &worth, &step), m->error.text);
    CHECK(worth);
    tl_body_start(&s);
    CHECK_OK(tl_body_interior(&s, &step), m->error.text);
    for (int i = 0; i < m->problem.holds; i++) memcpy(m->hold[i].I, s.best[i], sizeof s.best[i]);
    tl_body_system_free(&s);
}

/* Hardly more steps for a ratio of masses of 10⁶ than for 1. Of random machines that slide and stick, from guesses that are no solution, nearly all are within
 * 1e-4 of errors of order 1 after some ten steps, without knowing what presses; the rest, blocked, is for Newton's rounds. */
TEST(interior_points)
{
    int first = 0;
    for (int power = 0; power <= 6; power += 2) {
        model m;
        const double light = 1, heavy = pow(10, power), v[1] = {-0.0981};
        new_model(&m);
        const int below = add_group(&m, 1, &light, v), above = add_group(&m, 1, &heavy, v);
        add_end(&m, add_hold(&m, 1, 0, HUGE_VAL), below, UPWARD);
        tl_body_hold *k = add_hold(&m, 1, 0, HUGE_VAL);
        add_end(&m, k, below, DOWN), add_end(&m, k, above, UPWARD);
        solve_inside(&m, 1e-8);
        CHECK(m.problem.error <= 1e-8 && m.problem.iterations > 0);
        if (power == 0) first = m.problem.iterations;
        CHECK(m.problem.iterations <= first + 6); /* each divides errors by 10 to 20, and those of the light body are 10⁶ times its own impulse */
        CHECK_CLOSE(m.hold[0].I[0], 0.0981 * (heavy + light), 1e-6);
        tl_arena_destroy(m.arena);
    }
    enum { RANDOM = 200 };
    int ended = 0, steps = 0;
    for (int round = 0; round < RANDOM; round++) {
        model m;
        new_model(&m);
        for (int g = 0; g < GROUPS; g++) random_group(&m);
        for (int i = 0; i < 3; i++) random_ends(&m, add_hold(&m, 1 + tl_random_int(&rnd, 2), -HUGE_VAL, HUGE_VAL));
        for (int i = 0; i < 4; i++) random_ends(&m, add_hold(&m, 1, i % 2 ? 0 : -uniform(0.1, 0.3), i == 1 ? HUGE_VAL : uniform(0.1, 0.3)));
        for (int i = 0; i < 8; i++) {
            tl_body_hold *k = add_hold(&m, 2 + i % 2, 0, HUGE_VAL);
            k->disk[k->disks++] = (tl_body_disk){1, 1 + i % 2, i < 2 ? 0 : uniform(0, 0.6)};
            random_ends(&m, k);
            k->I[0] = uniform(-0.1, 0.2), k->I[1] = uniform(-0.2, 0.2); /* outside of the cone, too */
        }
        for (int i = 0; i < m.problem.holds; i += 3) m.hold[i].give[0] = uniform(0, 0.2);
        solve_inside(&m, 1e-4);
        steps += m.problem.iterations;
        if (m.problem.error <= 1e-4) check_laws(&m, 2e-4), ended++;
        tl_arena_destroy(m.arena);
    }
    printf("%d of %d machines, %.1f steps each\n", ended, RANDOM, (double)steps / RANDOM);
    CHECK(10 * ended >= 9 * RANDOM && steps <= 12 * RANDOM);
}

/* Groups that a frame alone joins, each with contacts of its own: the matrix falls into parts. */
static void star(model *m)
{
    new_model(m);
    for (int g = 0; g < GROUPS; g++) random_group(m);
    for (int g = 1; g < GROUPS; g++) {
        double H[2][ROWS * WIDE];
        for (int i = 0; i < ROWS * WIDE; i++) H[0][i] = uniform(-1, 1), H[1][i] = uniform(-1, 1);
        tl_body_hold *joint = add_hold(m, 1, -HUGE_VAL, HUGE_VAL);
        add_end(m, joint, 0, H[0]), add_end(m, joint, g, H[1]);
        for (int i = 0; i < 2; i++) {
            tl_body_hold *k = add_hold(m, 3, 0, HUGE_VAL);
            k->disk[k->disks++] = (tl_body_disk){1, 2, uniform(0, 0.4)};
            for (int j = 0; j < ROWS * WIDE; j++) H[i][j] = uniform(-1, 1);
            add_end(m, k, g, H[i]);
            m->shift[k - m->hold][0] = uniform(0.01, 0.1);
        }
    }
}

/* Of the pattern that its blocks make. */
static int parts_of(const model *m)
{
    const tl_body_problem *p = &m->problem;
    tl_error error;
    tl_sparse3 *s = tl_sparse3_create(tl_memory_default(), p->blocks);
    tl_sparse3_generalize(s);
    for (int i = 0; i < p->holds; i++) {
        int list[2 * WIDE], n = 0;
        for (int e = m->hold[i].end; e < m->hold[i].end + m->hold[i].ends; e++)
            for (int b = 0; b < m->end[e].blocks; b++) list[n++] = m->end[e].first + b;
        tl_sparse3_couple(s, list, n);
    }
    for (int g = 0; g < p->groups; g++)
        for (int b = 0; b < m->group[g].blocks; b++) tl_sparse3_couple(s, (int[2]){m->group[g].first, m->group[g].first + b}, 2);
    CHECK_OK(tl_sparse3_order(s, &error), error.text);
    const int parts = tl_sparse3_parts(s);
    tl_sparse3_destroy(s);
    return parts;
}

/* Parts side by side, on one to three threads: impulses have the same bits, and obey the laws. */
TEST(threads)
{
    for (int round = 0; round < 20; round++) {
        const tl_random begin = rnd;
        double I[HOLDS][ROWS];
        for (int threads = 1; threads <= 3; threads++) {
            model m;
            rnd = begin;
            star(&m);
            tl_threads *pool = tl_threads_create(tl_memory_default(), threads);
            tl_threads_always(pool);
            tl_step step = {.arena = m.arena, .memory = tl_memory_default(), .error = &m.error, .threads = pool};
            prepare(&m, 1e-10);
            CHECK(parts_of(&m) > 1);
            CHECK_OK(tl_body_solve(&m.problem, &step), m.error.text);
            check_laws(&m, 1e-8);
            for (int i = 0; i < m.problem.holds; i++) {
                if (threads > 1) CHECK(memcmp(I[i], m.hold[i].I, sizeof I[i]) == 0);
                memcpy(I[i], m.hold[i].I, sizeof I[i]);
            }
            tl_threads_destroy(pool);
            tl_arena_destroy(m.arena);
        }
    }
}

/* A heavy roller on a mat of light plates, each on two edges: 4000 : 1, and more impulses than velocities that could tell them apart. */
enum { PLATES = 5 };

static void roller_on_plates(model *out)
{
    const double plate[9] = {1, 0, 0, 0, 1, 0, 0, 0, 0.01}, roller[9] = {4000, 0, 0, 0, 4000, 0, 0, 0, 500}, fall[3] = {0, -0.0981, 0},
                 rolls[3] = {0.3, -0.0981, -1};
    new_model(out);
    const int heavy = add_group(out, 3, roller, rolls);
    for (int i = 0; i < PLATES; i++) {
        const int g = add_group(out, 3, plate, fall);
        for (int side = -1; side <= 1; side += 2) {
            tl_body_hold *k = add_hold(out, 2, 0, HUGE_VAL);
            k->disk[k->disks++] = (tl_body_disk){1, 1, 0.8};
            add_end(out, k, g, (const double[6]){0, 1, side * 0.05, -1, 0, -0.015});
        }
        const double x = 0.02 * (i - 2), n[2] = {-x / 0.3, sqrt(1 - x * x / 0.09)}; /* where the roller, of radius 0.3 m, touches */
        tl_body_hold *k = add_hold(out, 2, 0, HUGE_VAL);
        k->disk[k->disks++] = (tl_body_disk){1, 1, 0.7};
        add_end(out, k, g, (const double[6]){-n[0], -n[1], 0, n[1], -n[0], 0.015});
        add_end(out, k, heavy, (const double[6]){n[0], n[1], 0, -n[1], n[0], 0.3});
    }
}

TEST(roller)
{
    model m;
    roller_on_plates(&m);
    solve(&m, 1e-9);
    check_laws(&m, 1e-5); /* of impulses of 400 N s */
    double up = 0;
    for (int i = 0; i < m.problem.holds; i++) up += i % 3 < 2 ? m.hold[i].I[0] : 0;
    CHECK_CLOSE(up, 0.0981 * (4000 + PLATES), 1e-6);
    CHECK(m.problem.iterations < 200);
    tl_arena_destroy(m.arena);
}

/* ---- memory ------------------------------------------------------------------------------------------------------------------- */

/* Every request is refused once: MEMORY with a text, nothing is left behind; then there are no more requests. */
TEST(memory)
{
    talus_status status = TALUS_MEMORY;
    long k = 0;
    while (status != TALUS_OK && k < 1000) {
        ledger l = {.fail = ++k};
        model m;
        roller_on_plates(&m);
        tl_arena *arena = tl_arena_create((tl_memory){counted, &l}, 1);
        tl_step step = {.arena = arena, .memory = {counted, &l}, .error = &m.error};
        prepare(&m, 1e-9);
        status = arena ? tl_body_solve(&m.problem, &step) : TALUS_MEMORY;
        CHECK(status == TALUS_OK || status == TALUS_MEMORY);
        CHECK(status == TALUS_OK || !arena || strstr(m.error.text, "memory"));
        if (arena) tl_arena_destroy(arena);
        CHECK(l.live == 0);
        tl_arena_destroy(m.arena);
    }
    CHECK(status == TALUS_OK && k > 10);
}

/* ---- general matrices --------------------------------------------------------------------------------------------------------- */

/* A part, or the top, that may fill what two unknowns share: where both are of the top, any. */
static int filling_part(const tl_sparse3 *s, int i, int j)
{
    const int parts = tl_sparse3_parts(s), a = tl_sparse3_part(s, i), b = tl_sparse3_part(s, j);
    return a < parts ? a : b < parts ? b : tl_random_int(&rnd, parts + 1);
}

static bool factor(tl_sparse3 *s)
{
    bool regular = true;
    for (int part = 0; regular && part <= tl_sparse3_parts(s); part++) regular = tl_sparse3_factor_part(s, part);
    return regular;
}

static void solve_general(tl_sparse3 *s, double (*x)[3])
{
    for (int part = 0; part < tl_sparse3_parts(s); part++) tl_sparse3_solve_down(s, part, x);
    tl_sparse3_solve_top(s, x);
    for (int part = 0; part < tl_sparse3_parts(s); part++) tl_sparse3_solve_up(s, part, x);
}

static void recall_all(tl_sparse3 *s)
{
    for (int part = 0; part <= tl_sparse3_parts(s); part++) tl_sparse3_recall(s, part);
}

/* Against the matrix itself: sparse ones, of which some fall into parts. */
TEST(general_factor)
{
    enum { N = 30 };
    static double A[3 * N][3 * N];
    int in_parts = 0;
    for (int round = 0; round < 20; round++) {
        tl_error error;
        tl_sparse3 *s = tl_sparse3_create(tl_memory_default(), N);
        double x[N][3], b[N][3];
        int pair[3 * N][2];
        memset(A, 0, sizeof A);
        tl_sparse3_generalize(s);
        for (int k = 0; k < 3 * N; k++) { /* every other matrix couples those that are near, and few of them */
            const int i = k < N || round % 2 ? k % N : tl_random_int(&rnd, N);
            pair[k][0] = i, pair[k][1] = k < N ? k : round % 2 ? (i + 1 + tl_random_int(&rnd, 2)) % N : tl_random_int(&rnd, N);
            tl_sparse3_couple(s, pair[k], 2);
        }
        CHECK_OK(tl_sparse3_order(s, &error), error.text);
        tl_sparse3_clear(s);
        in_parts += tl_sparse3_parts(s) > 1;
        for (int k = 0; k < 3 * N; k++) {
            double block[9];
            const int i = pair[k][0], j = pair[k][1];
            for (int m = 0; m < 9; m++) {
                block[m] = uniform(-1, 1) + (i == j && m % 4 == 0 ? 12 : 0);
                A[3 * i + m / 3][3 * j + m % 3] += block[m];
            }
            tl_sparse3_add_at(s, tl_sparse3_slot(s, i, j, filling_part(s, i, j)), block);
            if (k == 2 * N) tl_sparse3_keep(s), tl_sparse3_clear(s), recall_all(s);
        }
        for (int i = 0; i < N; i++)
            for (int m = 0; m < 3; m++) x[i][m] = b[i][m] = uniform(-1, 1);
        CHECK(factor(s));
        solve_general(s, x);
        for (int i = 0; i < 3 * N; i++) {
            double sum = -b[i / 3][i % 3];
            for (int j = 0; j < 3 * N; j++) sum += A[i][j] * x[j / 3][j % 3];
            CHECK_NEAR(sum, 0, 1e-11);
        }
        tl_sparse3_destroy(s);
    }
    CHECK(in_parts > 0);
}

/* Products of panels, whose blocks lie on both sides of the diagonal, against the same block by block: the factor gives the same answers to the bit. */
TEST(products_of_panels)
{
    enum { N = 12, ROWS_OF = 3, COLUMNS = 2, DEPTH = 3, PRODUCTS = 10, APART = 4 };
    tl_error error;
    tl_sparse3 *s[2];
    double x[2][N][3];
    int all[N];
    for (int i = 0; i < N; i++) all[i] = i;
    for (int k = 0; k < 2; k++) {
        s[k] = tl_sparse3_create(tl_memory_default(), N);
        tl_sparse3_generalize(s[k]);
        tl_sparse3_couple(s[k], all, N);
        CHECK_OK(tl_sparse3_order(s[k], &error), error.text);
        tl_sparse3_clear(s[k]);
        for (int i = 0; i < N; i++) tl_sparse3_add_at(s[k], tl_sparse3_slot(s[k], i, i, tl_sparse3_parts(s[k])), (double[9]){40, 0, 0, 0, 40, 0, 0, 0, 40});
    }
    for (int n = 0; n < PRODUCTS; n++) {
        double left[DEPTH][3 * ROWS_OF], right[COLUMNS][DEPTH][4] = {{{0}}};
        int row[ROWS_OF], column[COLUMNS], slot[ROWS_OF * APART] = {0};
        for (int i = 0; i < ROWS_OF; i++) row[i] = tl_random_int(&rnd, N);
        for (int j = 0; j < COLUMNS; j++) column[j] = tl_random_int(&rnd, N);
        for (int r = 0; r < DEPTH; r++) {
            for (int i = 0; i < 3 * ROWS_OF; i++) left[r][i] = uniform(-1, 1);
            for (int j = 0; j < COLUMNS; j++)
                for (int m = 0; m < 3; m++) right[j][r][m] = uniform(-1, 1);
        }
        for (int i = 0; i < ROWS_OF; i++)
            for (int j = 0; j < COLUMNS; j++) {
                double block[9] = {0};
                slot[i * APART + j] = tl_sparse3_slot(s[0], row[i], column[j], tl_sparse3_parts(s[0]));
                for (int r = 0; r < DEPTH; r++)
                    for (int m = 0; m < 9; m++) block[m] += left[r][3 * i + m / 3] * right[j][r][m % 3];
                tl_sparse3_add_at(s[1], tl_sparse3_slot(s[1], row[i], column[j], tl_sparse3_parts(s[1])), block);
            }
        tl_sparse3_add_products(s[0], &(tl_sparse3_products){ROWS_OF, COLUMNS, DEPTH, slot, APART, left[0], right[0][0]});
    }
    for (int i = 0; i < N; i++)
        for (int m = 0; m < 3; m++) x[0][i][m] = x[1][i][m] = uniform(-1, 1);
    for (int k = 0; k < 2; k++) {
        CHECK(factor(s[k]));
        solve_general(s[k], x[k]);
        tl_sparse3_destroy(s[k]);
    }
    CHECK(memcmp(x[0], x[1], sizeof x[0]) == 0);
}

/* A vehicle on soil, as couplings alone: closed chains of shoes, of which some press on nodes that all feel each other, and a machine that wheels of all chains
 * are coupled to. */
enum { CHAINS = 4, SHOES = 2 * 40, PRESSING = 8, NODES = 32, UNDER = 9, HUB = 12, VEHICLE = CHAINS * (SHOES + NODES) + HUB };

/* As a problem of which only the pattern is wanted: groups, and holds with an end of one block for each that they couple. */
typedef struct vehicle {
    bool of[VEHICLE][VEHICLE]; /* coupled */
    tl_body_group group[CHAINS * (SHOES / 2 + 1) + 1];
    tl_body_hold hold[1200];
    tl_body_end end[4800];
    tl_body_problem problem;
} vehicle;

static void couple(vehicle *v, const int *list, int count)
{
    tl_body_problem *p = &v->problem;
    v->hold[p->holds++] = (tl_body_hold){.rows = 1, .end = p->ends, .ends = count};
    for (int i = 0; i < count; i++) {
        v->end[p->ends++] = (tl_body_end){list[i], 1, NULL};
        for (int j = 0; j < count; j++) v->of[list[i]][list[j]] = true;
    }
}

static void add_blocks(vehicle *v, int blocks)
{
    tl_body_problem *p = &v->problem;
    for (int i = p->blocks; i < p->blocks + blocks; i++)
        for (int j = p->blocks; j < p->blocks + blocks; j++) v->of[i][j] = true;
    v->group[p->groups++] = (tl_body_group){.size = 3 * blocks, .blocks = blocks, .first = p->blocks};
    p->blocks += blocks;
}

static int shoe_of(int chain, int block) { return chain * SHOES + block % SHOES; }

static int node_of(int chain, int node) { return CHAINS * SHOES + chain * NODES + node; }

static void make_vehicle(vehicle *v, int on_soil)
{
    const int hub = CHAINS * (SHOES + NODES);
    memset(v, 0, sizeof *v);
    v->problem.group = v->group, v->problem.hold = v->hold, v->problem.end = v->end;
    for (int i = 0; i < CHAINS * SHOES / 2; i++) add_blocks(v, 2);
    for (int chain = 0; chain < CHAINS; chain++) add_blocks(v, NODES);
    add_blocks(v, HUB);
    for (int chain = 0; chain < CHAINS; chain++) {
        for (int i = 0; i < SHOES; i += 2) couple(v, (int[4]){shoe_of(chain, i), shoe_of(chain, i + 1), shoe_of(chain, i + 2), shoe_of(chain, i + 3)}, 4);
        for (int i = 0; i < PRESSING && chain < on_soil; i++)
            for (int k = 0; k < UNDER; k++)
                couple(v, (int[3]){shoe_of(chain, 2 * i), shoe_of(chain, 2 * i + 1), node_of(chain, (i * (NODES - UNDER)) / (PRESSING - 1) + k)}, 3);
        for (int i = 0; i < SHOES; i += 4) couple(v, (int[4]){shoe_of(chain, i), shoe_of(chain, i + 1), hub, hub + 1 + chain}, 4);
    }
}

/* Squares of what is left of each column when its turn comes: chains from where they do not press, their nodes, then the machine. */
static double work_by_hand(vehicle *c)
{
    int order[VEHICLE], n = 0;
    double work = 0;
    for (int chain = 0; chain < CHAINS; chain++) {
        for (int i = SHOES - 1; i >= 0; i--) order[n++] = shoe_of(chain, i);
        for (int i = 0; i < NODES; i++) order[n++] = node_of(chain, i);
    }
    while (n < VEHICLE) order[n] = n, n++;
    for (int k = 0; k < VEHICLE; k++) {
        int left[VEHICLE], count = 0;
        for (int i = k; i < VEHICLE; i++)
            if (i == k || c->of[order[k]][order[i]]) left[count++] = order[i];
        for (int i = 1; i < count; i++)
            for (int j = 1; j < count; j++) c->of[left[i]][left[j]] = true;
        work += 27.0 * count * count;
    }
    return work;
}

/* The order finds about as little work as one that knows what a vehicle is, and its chains in parts of their own, also where only two of them have the work:
 * these are then in different halves of the parts, as two threads get them. */
TEST(a_vehicle_falls_into_parts)
{
    static vehicle v;
    for (int on_soil = 2; on_soil <= CHAINS; on_soil += 2) {
        tl_error error;
        tl_step step = {.memory = tl_memory_default(), .arena = tl_arena_create(tl_memory_default(), 1 << 16), .error = &error};
        tl_body_matrix A = {0};
        bool worth;
        make_vehicle(&v, on_soil);
        CHECK_OK(tl_body_matrix_make(&A, &v.problem, &worth, &step), error.text);
        const double by_hand = work_by_hand(&v), work = tl_sparse3_work(A.parted);
        printf("vehicle, %d chains on soil: work %.3g, by hand %.3g\n", on_soil, work, by_hand);
        CHECK(worth && work < 1.15 * by_hand);
        CHECK(tl_body_matrix_parts(&A) == CHAINS);
        for (int chain = 0; chain < on_soil; chain++) {
            const int part = tl_body_matrix_part(&A, node_of(chain, 0));
            for (int i = 1; i < NODES; i++) CHECK(tl_body_matrix_part(&A, node_of(chain, i)) == part);
            for (int other = 0; other < chain; other++) CHECK(tl_body_matrix_part(&A, node_of(other, 0)) != part);
            if (on_soil == 2 && chain == 1) CHECK(part / 2 != tl_body_matrix_part(&A, node_of(0, 0)) / 2);
        }
        tl_body_matrix_free(&A);
        tl_arena_destroy(step.arena);
    }
}

/* What is not a number is the error of all, wherever it is among the holds, and no impulses are taken from it. */
TEST(no_number)
{
    for (int bad = 0; bad < 2; bad++) {
        model m;
        new_model(&m);
        const double M[1] = {1}, v[1] = {-1}, H[1] = {1};
        for (int i = 0; i < 2; i++) {
            const int g = add_group(&m, 1, M, v);
            tl_body_hold *k = add_hold(&m, 1, 0, HUGE_VAL);
            add_end(&m, k, g, H);
            k->own[0] = 1, k->u[0] = i == bad ? NAN : -1;
        }
        tl_step step = {.arena = m.arena, .memory = tl_memory_default(), .error = &m.error};
        m.problem.tolerance = 1e-6;
        CHECK_OK(tl_body_solve(&m.problem, &step), m.error.text);
        CHECK(!(m.problem.error <= 1e-6));
        tl_arena_destroy(m.arena);
    }
}

int main(int argc, char **argv)
{
    rnd = tl_random_seed(5);
    RUN(tower);
    RUN(sliding_block);
    RUN(lever);
    RUN(machines);
    RUN(rounds);
    RUN(refused);
    RUN(no_room);
    RUN(interior_points);
    RUN(threads);
    RUN(roller);
    RUN(memory);
    RUN(general_factor);
    RUN(products_of_panels);
    RUN(a_vehicle_falls_into_parts);
    RUN(no_number);
    return TEST_RESULT;
}
