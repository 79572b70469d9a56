/* The law of one contact, and small contact problems, against their definition (theory §2.1, §5).
 *
 * Rounding: numbers of order 1, W with a condition number up to 1e6 where stated; an impulse is then known to 1e-16 × 1e6. */
#include "law/law2.h"
#include "physics/planar.h"
#include "solve/problem2.h"

#ifdef TL_SANITIZED
enum { SINGLE = 40000, PROBLEMS = 3000, PILES = 2 };
#else
enum { SINGLE = 200000, PROBLEMS = 20000, PILES = 6 };
#endif

static tl_random rnd;

static double uniform(double low, double high) { return tl_random_uniform(&rnd, low, high); }

/* ---- one contact -------------------------------------------------------------------------------------------------- */

/* A random symmetric positive definite W with its smallest eigenvalue ≥ floor × the largest. */
static tl_delassus2 random_delassus(double floor)
{
    const double scale = pow(10, uniform(-2, 2)), small = scale * pow(10, uniform(log10(floor), 0)), a = uniform(0, TL_PI);
    const double c = cos(a), s = sin(a);
    return (tl_delassus2){scale * c * c + small * s * s, (scale - small) * c * s, scale * s * s + small * c * c};
}

static double random_friction(int k) { return k % 5 == 0 ? 0 : (k % 5 == 1 ? pow(10, uniform(0, 4)) : uniform(0, 1.5)); }

/* How far (I, u) is from  0 ≤ u_n ⊥ I_n ≥ 0,  |I_t| ≤ μ I_n,  u_t ≠ 0 ⇒ I_t = −μ I_n sign u_t,  each in its own unit relative to
 * size. */
static double violation(double mu, const double u[2], const double I[2], double u_size, double I_size)
{
    double worst = fmax(-u[0] / u_size, -I[0] / I_size);
    worst = fmax(worst, fmin(fabs(u[0]) / u_size, fabs(I[0]) / I_size));
    worst = fmax(worst, (fabs(I[1]) - mu * I[0]) / (I_size * (1 + mu)));
    const double slip = fabs(u[1]) / u_size, off_border = fabs(I[1] + (u[1] > 0 ? 1 : -1) * mu * I[0]) / (I_size * (1 + mu));
    return fmax(worst, fmin(slip, off_border));
}

/* The natural map of the De Saxcé form, from its definition: the nearest point of the cone is x itself, or the foot of x on the
 * border ray that x has most in common with, or the apex. */
static double natural_map(tl_delassus2 W, double mu, const double u[2], const double I[2])
{
    const double rho = 2 / (W.nn + W.tt), x[2] = {I[0] - rho * (u[0] + mu * fabs(u[1])), I[1] - rho * u[1]};
    double most = 0, p[2] = {0, 0};
    if (x[0] >= 0 && fabs(x[1]) <= mu * x[0]) p[0] = x[0], p[1] = x[1];
    else
        for (int side = -1; side <= 1; side += 2) {
            const double r[2] = {1 / hypot(1, mu), side * mu / hypot(1, mu)}, foot = r[0] * x[0] + r[1] * x[1];
            if (foot > most) most = foot, p[0] = foot * r[0], p[1] = foot * r[1];
        }
    return hypot(I[0] - p[0], I[1] - p[1]) / rho;
}

TEST(single_contacts)
{
    rnd = tl_random_seed(11);
    int seen[4] = {0}, jammed = 0;
    for (int k = 0; k < SINGLE; k++) {
        const double floor = k % 2 ? 0.05 : 1e-6, mu = random_friction(k);
        const tl_delassus2 W = random_delassus(floor);
        const tl_coulomb2 law_of = tl_coulomb2_prepare(W, mu);
        const double size = W.nn + W.tt, u_free[2] = {uniform(-1, 0.3), uniform(-1, 1)};
        double I[2];
        tl_coulomb2_solve(&law_of, W.nt, u_free[0], u_free[1], I);
        const double u[2] = {u_free[0] + W.nn * I[0] + W.nt * I[1], u_free[1] + W.nt * I[0] + W.tt * I[1]};
        /* W I cancels u_free: rounding of the products, and of I through the smallest eigenvalue */
        const double I_size = hypot(I[0], I[1]) + 1 / size, u_size = 1 + size * I_size, close = 1e-14 / floor;
        const double wrong = violation(mu, u, I, u_size, I_size);
        if (!(wrong <= close)) TEST_FAIL("μ %g W %g %g %g: law missed by %g", mu, W.nn, W.nt, W.tt, wrong);
        jammed += mu * fabs(W.nt) > W.nn;
        seen[u_free[0] >= 0 ? 0 : fabs(u[1]) < 1e-9 * u_size ? 1 : u[1] > 0 ? 2 : 3]++;
        const double error = tl_coulomb2_residual(W, mu, u, I);
        CHECK(error <= close * u_size * (1 + mu)); /* û holds μ |u_t| */
        /* any other impulse is seen; the natural map of a monotone problem is at least of the order of (smallest eigenvalue) ×
         * |δI|, and here only that it is far above rounding */
        const double angle = uniform(0, 2 * TL_PI), by = 1e-3 * I_size, J[2] = {I[0] + by * cos(angle), I[1] + by * sin(angle)};
        const double w[2] = {u_free[0] + W.nn * J[0] + W.nt * J[1], u_free[1] + W.nt * J[0] + W.tt * J[1]};
        const double disturbed = tl_coulomb2_residual(W, mu, w, J);
        if (mu * fabs(W.nt) < 0.9 * W.nn && floor > 0.01) CHECK(disturbed > 1e-6 * size * by);
        CHECK_NEAR(disturbed, natural_map(W, mu, w, J), 1e-13 * (u_size * (1 + mu) + size * I_size));
    }
    CHECK(jammed > SINGLE / 40);
    for (int i = 0; i < 4; i++) CHECK(seen[i] > SINGLE / 40);
}

/* Frictionless: min-map in n alone, nothing along t. A contact that cannot slide (W_tt = 0) or has W of rank one. */
TEST(borders_of_the_law)
{
    rnd = tl_random_seed(12);
    for (int k = 0; k < 1000; k++) {
        double I[2];
        const double w = uniform(0.1, 10), u_n = -uniform(0, 1), u_t = uniform(-1, 1);
        const tl_coulomb2 smooth = tl_coulomb2_prepare((tl_delassus2){w, uniform(-0.1, 0.1) * w, w}, 0);
        tl_coulomb2_solve(&smooth, 0.05 * w, u_n, u_t, I);
        CHECK_NEAR(I[0], -u_n / w, 1e-15 * 10);
        CHECK(I[1] == 0);
        const tl_coulomb2 rail = tl_coulomb2_prepare((tl_delassus2){w, 0, 0}, 0.5);
        tl_coulomb2_solve(&rail, 0, u_n, 0, I);
        CHECK_CLOSE(I[0], -u_n / w, 1e-14);
        CHECK(fabs(I[1]) <= 0.5 * I[0] * (1 + 1e-14));
        const double a = uniform(-1, 1); /* u moves along (1, a) only */
        const tl_coulomb2 rank_one = tl_coulomb2_prepare((tl_delassus2){w, a * w, a * a * w}, 0.5);
        tl_coulomb2_solve(&rank_one, a * w, u_n, a * u_n, I);
        CHECK_NEAR(u_n + w * (I[0] + a * I[1]), 0, 1e-12);
        CHECK(isfinite(I[1]) && fabs(I[1]) <= 0.5 * I[0] * (1 + 1e-9) + 1e-12);
        tl_coulomb2_solve(&smooth, 0.05 * w, 0, u_t, I);
        CHECK(I[0] == 0 && I[1] == 0);
    }
}

/* ---- small problems ----------------------------------------------------------------------------------------------- */

enum { MOST = 4 };

/* By hand: every contact open, stuck or slipping either way; each combination is a linear problem; those that satisfy all
 * conditions are the solutions. */
typedef struct dense {
    int n;
    double W[2 * MOST][2 * MOST], u_free[2 * MOST], mu[MOST];
} dense;

static bool try_statuses(const dense *d, int code, double I[2 * MOST])
{
    double A[4 * MOST * MOST];
    int pivot[2 * MOST], m = 2 * d->n, status[MOST];
    for (int c = 0; c < d->n; c++, code /= 4) status[c] = code % 4;
    memset(A, 0, sizeof A);
    for (int c = 0; c < d->n; c++) {
        const int n = 2 * c, t = n + 1;
        I[n] = I[t] = 0;
        if (status[c] == 0) { /* open: no impulse */
            A[n * m + n] = A[t * m + t] = 1;
            continue;
        }
        for (int k = 0; k < m; k++) A[n * m + k] = d->W[n][k];
        I[n] = -d->u_free[n];
        if (status[c] == 1) { /* stuck */
            for (int k = 0; k < m; k++) A[t * m + k] = d->W[t][k];
            I[t] = -d->u_free[t];
        } else { /* I_t = ± μ I_n */
            A[t * m + t] = 1;
            A[t * m + n] = status[c] == 2 ? -d->mu[c] : d->mu[c];
        }
    }
    if (!tl_lu(A, m, pivot)) return false;
    tl_lu_solve(A, pivot, m, I);
    const double eps = 1e-9;
    for (int c = 0; c < d->n; c++) {
        const int n = 2 * c, t = n + 1;
        double u_n = d->u_free[n], u_t = d->u_free[t];
        for (int k = 0; k < m; k++) u_n += d->W[n][k] * I[k], u_t += d->W[t][k] * I[k];
        if (u_n < -eps || I[n] < -eps || fabs(I[t]) > d->mu[c] * I[n] + eps) return false;
        if (status[c] == 2 && u_t > eps) return false; /* I_t = +μ I_n opposes u_t < 0 */
        if (status[c] == 3 && u_t < -eps) return false;
    }
    return true;
}

/* Number of different solutions; the first one in I. */
static int enumerate(const dense *d, double I[2 * MOST])
{
    int found = 0, codes = 1;
    for (int c = 0; c < d->n; c++) codes *= 4;
    for (int code = 0; code < codes; code++) {
        double J[2 * MOST], difference = 0;
        if (!try_statuses(d, code, J)) continue;
        for (int k = 0; found && k < 2 * d->n; k++) difference = fmax(difference, fabs(J[k] - I[k]));
        if (found && difference < 1e-7) continue;
        if (!found) memcpy(I, J, sizeof J);
        found++;
    }
    return found;
}

typedef struct chain {
    int bodies, contacts;
    tl_twist2 q[MOST + 2], v[MOST + 2], before[MOST + 2];
    double inverse_mass[MOST + 2], inverse_inertia[MOST + 2];
    tl_contact contact[MOST];
    tl_interaction law[MOST]; /* of each contact */
    double shift[MOST];       /* what restitution or a gap adds to u_n */
} chain;

/* Disks in a row, the first on a boundary that moves, sometimes the last one too; contacts anywhere between their two bodies. */
static chain random_chain(double h)
{
    chain s = {.contacts = 1 + tl_random_int(&rnd, MOST)};
    s.bodies = s.contacts + 1;
    const bool pinched = s.contacts > 1 && tl_random_int(&rnd, 2);
    for (int i = 0; i < s.bodies; i++) {
        const bool boundary = i == 0 || (pinched && i == s.bodies - 1);
        s.q[i] = (tl_twist2){uniform(-0.2, 0.2), (double)i, uniform(-1, 1)};
        s.v[i] = (tl_twist2){uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
        s.before[i] = (tl_twist2){uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
        s.inverse_mass[i] = boundary ? 0 : uniform(0.3, 3);
        s.inverse_inertia[i] = boundary ? 0 : s.inverse_mass[i] * uniform(2, 10);
    }
    for (int c = 0; c < s.contacts; c++) {
        const double a = 0.5 * TL_PI + uniform(-0.6, 0.6);
        const int swap = tl_random_int(&rnd, 2); /* the boundary is sometimes candidate, sometimes antagonist */
        tl_contact *k = &s.contact[c];
        *k = (tl_contact){.key = (uint64_t)c,
                          .a = {0, c + swap},
                          .b = {0, c + 1 - swap},
                          .point = {uniform(-0.2, 0.2), c + 0.5, 0},
                          .n = {swap ? -cos(a) : cos(a), swap ? -sin(a) : sin(a), 0},
                          .gap = uniform(-0.1, 0.1) * h,
                          .friction = tl_random_int(&rnd, 4) ? uniform(0, 1) : 0};
        s.law[c] = TL_FRICTIONLESS;
        s.law[c].friction = k->friction;
        s.law[c].restitution = tl_random_int(&rnd, 2) ? uniform(0, 1) : 0;
        k->struck = s.law[c].restitution > 0;
        const tl_twist2 *q[2] = {&s.q[k->a.item], &s.q[k->b.item]};
        for (int e = 0; e < 2; e++) k->arm[e] = tl_sub(k->point, tl_v3(q[e]->x, q[e]->y, 0));
    }
    return s;
}

static void row(const chain *s, const tl_contact *c, int axis, double H[3 * (MOST + 2)])
{
    const double d[2] = {axis ? -c->n.y : c->n.x, axis ? c->n.x : c->n.y};
    memset(H, 0, 3 * (MOST + 2) * sizeof *H);
    const int ends[2] = {c->a.item, c->b.item};
    for (int e = 0; e < 2; e++) {
        const double sign = e ? 1 : -1, rx = c->point.x - s->q[ends[e]].x, ry = c->point.y - s->q[ends[e]].y;
        H[3 * ends[e]] = sign * d[0], H[3 * ends[e] + 1] = sign * d[1], H[3 * ends[e] + 2] = sign * (rx * d[1] - ry * d[0]);
    }
}

static dense to_dense(chain *s, double h)
{
    dense d = {.n = s->contacts};
    double H[2 * MOST][3 * (MOST + 2)];
    for (int c = 0; c < d.n; c++) {
        d.mu[c] = s->contact[c].friction;
        s->contact[c].law = &s->law[c];
        for (int axis = 0; axis < 2; axis++) row(s, &s->contact[c], axis, H[2 * c + axis]);
    }
    for (int i = 0; i < 2 * d.n; i++) {
        double before = 0;
        for (int b = 0; b < s->bodies; b++) {
            const double v[3] = {s->v[b].x, s->v[b].y, s->v[b].w}, old[3] = {s->before[b].x, s->before[b].y, s->before[b].w};
            const double inverse[3] = {s->inverse_mass[b], s->inverse_mass[b], s->inverse_inertia[b]};
            for (int k = 0; k < 3; k++) {
                d.u_free[i] += H[i][3 * b + k] * v[k];
                before += H[i][3 * b + k] * old[k];
                for (int j = 0; j < 2 * d.n; j++) d.W[i][j] += H[i][3 * b + k] * inverse[k] * H[j][3 * b + k];
            }
        }
        const tl_contact *c = &s->contact[i / 2];
        if (i % 2 == 0) {
            const double slack = fmax(c->gap, 0) / h;
            s->shift[i / 2] = c->struck ? (before < 0 ? c->law->restitution * before : fmin(before, slack)) : slack;
            d.u_free[i] += s->shift[i / 2];
        }
    }
    return d;
}

TEST(small_problems)
{
    rnd = tl_random_seed(13);
    const double h = 0.01;
    tl_arena *arena = tl_arena_create(tl_memory_default(), 1 << 16);
    tl_threads *threads = tl_threads_create(tl_memory_default(), 1);
    int unique = 0, unsolved = 0;
    talus_solver_settings settings = talus_solver_settings_default();
    settings.tolerance = 1e-11, settings.max_iterations = 20000;
    for (int k = 0; k < PROBLEMS; k++) {
        tl_arena_reset(arena);
        tl_error error = {0};
        chain s = random_chain(h);
        const dense d = to_dense(&s, h);
        double by_hand[2 * MOST];
        tl_step at_step = {.h = h, .theta = 0.5, .planar = true, .memory = tl_memory_default(), .arena = arena, .threads = threads, .error = &error};
        tl_problem2 p = {.base.bodies = s.bodies,
                         .v_free = s.v,
                         .v_before = s.before,
                         .base.inverse_mass = s.inverse_mass,
                         .inverse_inertia = s.inverse_inertia,
                         .base.matters = 1,
                         .base.contact = s.contact,
                         .base.contacts = s.contacts,
                         .base.h = h,
                         .base.solver = &settings};
        double *none[1] = {NULL};
        p.base.v = none;
        CHECK_OK(tl_problem2_bind(&p, &at_step), error.text);
        CHECK_OK(tl_problem2_color(&p, &at_step), error.text);
        CHECK_OK(tl_problem_solve(&p.base, &at_step), error.text);
        if (!p.base.converged) { /* pinched by moving boundaries: most of these have no solution; Gauss–Seidel has no theorem */
            CHECK(s.inverse_mass[s.bodies - 1] == 0);
            unsolved += enumerate(&d, by_hand) > 0;
            continue;
        }
        /* velocities are sums of W I: rounding relative to the largest of these */
        double worst = 0, size = 1;
        for (int i = 0; i < 2 * d.n; i++)
            for (int j = 0; j < 2 * d.n; j++) size = fmax(size, fabs(d.W[i][j] * s.contact[j / 2].I[j % 2]));
        const double rounding = 4e-16 * size * (100 + p.base.iterations); /* every sweep adds to the same sums */
        for (int c = 0; c < d.n; c++) {                                   /* what came out satisfies the law, by our own W */
            double u[2] = {d.u_free[2 * c], d.u_free[2 * c + 1]};
            for (int j = 0; j < d.n; j++)
                for (int k2 = 0; k2 < 4; k2++) u[k2 / 2] += d.W[2 * c + k2 / 2][2 * j + k2 % 2] * s.contact[j].I[k2 % 2];
            const tl_delassus2 own = {d.W[2 * c][2 * c], d.W[2 * c][2 * c + 1], d.W[2 * c + 1][2 * c + 1]};
            worst = fmax(worst, natural_map(own, d.mu[c], u, s.contact[c].I));
            CHECK_NEAR(s.contact[c].V[0], u[0] - s.shift[c], rounding);
            CHECK_NEAR(s.contact[c].V[1], u[1], rounding);
        }
        CHECK(worst <= settings.tolerance + 3 * rounding);
        CHECK_NEAR(worst, p.base.residual, 3 * rounding);
        if (enumerate(&d, by_hand) != 1) continue;
        unique++;
        for (int i = 0; i < 2 * d.n; i++) /* tolerance / smallest eigenvalue of W, which for these chains is above 1e-4 */
            if (!(fabs(s.contact[i / 2].I[i % 2] - by_hand[i]) < 1e-6))
                TEST_FAIL("problem %d: I[%d] = %g, by hand %g", k, i, s.contact[i / 2].I[i % 2], by_hand[i]);
    }
    CHECK(unique > PROBLEMS / 4 * 3);
    CHECK(unsolved < PROBLEMS / 500); /* of those that have one */
    tl_threads_destroy(threads);
    tl_arena_destroy(arena);
}

/* ---- energy ------------------------------------------------------------------------------------------------------- */

enum { PILE = 40 };

/* With e = 0 contacts only take: ½ Iᵀ(V⁺ + V_free) = Iᵀ V⁺ − ½ Iᵀ W I, where Iᵀ V⁺ ≤ 0 contact by contact (u_n I_n = 0, u_n ≥
 * V_n, friction opposes sliding), to the residual times the impulse. Here kinetic energy before is that of v + h g. */
TEST(contacts_take_energy)
{
    rnd = tl_random_seed(14);
    for (int pile = 0; pile < PILES; pile++) {
        talus_world_def def = lab(2e-3);
        def.solver.tolerance = 1e-6;
        def.solver.max_iterations = 2000;
        talus_world *w = open_world(&def);
        const talus_material_id m = material(w, "stone", 2000);
        const talus_material_id all = {0};
        law_between(w, all, all, pile % 3 * 0.4, 0, pile % 2 ? TALUS_ACTIVATION_GAP : TALUS_ACTIVATION_AUTO);
        wall(w, m, 0, 0, 0, 1);
        wall(w, m, -1, 0, 1, 0);
        wall(w, m, 1, 0, -1, 0);
        talus_body_id ids[PILE];
        for (int i = 0; i < PILE; i++) {
            const double r = uniform(0.06, 0.12);
            ids[i] = moving(w, uniform(-0.85, 0.85), 0.15 + 0.07 * i, uniform(-2, 2), uniform(-2, 1), uniform(-9, 9));
            if (i % 3) add_disk(w, ids[i], m, 0, 0, r);
            else add_box(w, ids[i], m, r, uniform(0.5, 1) * r);
        }
        CHECK_OK(talus_world_assemble(w), talus_world_error(w));
        for (int k = 0; k < 1000; k++) {
            double free_energy = 0, kinetic, potential, impulses = 0;
            for (int i = 0; i < PILE; i++) {
                const double vx = speed(w, ids[i], 0), vy = speed(w, ids[i], 1) - G * 2e-3, spin = speed(w, ids[i], 2);
                free_energy += 0.5 * talus_body_mass(w, ids[i]) * (vx * vx + vy * vy);
                free_energy += 0.5 * talus_body_inertia(w, ids[i]) * spin * spin;
            }
            const talus_step_report r = step(w);
            talus_world_energy(w, &kinetic, &potential);
            for (int i = 0; i < talus_contact_count(w); i++) {
                talus_contact c;
                talus_contact_get(w, i, &c);
                impulses += fabs(c.impulse[0]) + fabs(c.impulse[1]);
            }
            if (!(kinetic <= free_energy * (1 + 1e-13) + 3 * r.residual * impulses))
                TEST_FAIL("pile %d step %d: kinetic energy %.15g of %.15g", pile, k, kinetic, free_energy);
        }
        double kinetic, potential;
        talus_world_energy(w, &kinetic, &potential);
        CHECK(kinetic < 0.05 * potential); /* and after two seconds they lie */
        talus_world_destroy(w);
    }
}

int main(int argc, char **argv)
{
    RUN(single_contacts);
    RUN(borders_of_the_law);
    RUN(small_problems);
    RUN(contacts_take_energy);
    return TEST_RESULT;
}
