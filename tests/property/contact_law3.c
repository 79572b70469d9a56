/* The spatial law of one contact against its definition (theory §2.1, §5), and against another way to solve it.
 *
 * Rounding: what is compared is relative to the largest terms that are summed; where W has small eigenvalues, impulses are known to rounding
 * times its condition number. */
#include "base/base.h"
#include "law/law2.h"
#include "law/law3.h"
#include "test.h"

#ifdef TL_SANITIZED
enum { MANY = 50000 };
#else
enum { MANY = 1000000 };
#endif

static tl_random rnd;

static double uniform(double low, double high) { return tl_random_uniform(&rnd, low, high); }

static double decades(double low, double high) { return pow(10, uniform(low, high)); }

static void times(const tl_delassus3 *W, const double x[3], double y[3])
{
    y[0] = W->nn * x[0] + W->nt * x[1] + W->ns * x[2];
    y[1] = W->nt * x[0] + W->tt * x[1] + W->ts * x[2];
    y[2] = W->ns * x[0] + W->ts * x[1] + W->ss * x[2];
}

/* Σ g gᵀ over `rank` vectors of different lengths: any symmetric positive semidefinite matrix, condition number up to 1e`spread`. */
static tl_delassus3 random_delassus(int rank, double spread)
{
    tl_delassus3 W = {0};
    for (int i = 0; i < rank; i++) {
        const double size = decades(-spread / 2, 0), n = size * uniform(-1, 1), t = size * uniform(-1, 1), s = size * uniform(-1, 1);
        W.nn += n * n, W.nt += n * t, W.ns += n * s, W.tt += t * t, W.ts += t * s, W.ss += s * s;
    }
    return W;
}

static double random_friction(int k) { return k % 7 == 0 ? 0 : (k % 7 == 1 ? decades(0, 3) : (k % 7 == 2 ? decades(-8, 0) : uniform(0, 1.5))); }

static double norm2(double a, double b) { return sqrt(a * a + b * b); }

static double norm3(const double x[3]) { return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

/* How far (I, u) is from  0 ≤ u_n ⊥ I_n ≥ 0, ‖I_t‖ ≤ μ I_n, ‖u_t‖ I_t + μ I_n u_t = 0, each relative to its size. */
static double violation(double mu, const double u[3], const double I[3], double u_size, double I_size)
{
    const double slip = norm2(u[1], u[2]), aside = norm2(I[1], I[2]), border = mu * I[0], i_size = I_size * (1 + mu);
    double worst = fmax(-u[0] / u_size, -I[0] / I_size);
    worst = fmax(worst, fmin(fabs(u[0]) / u_size, fabs(I[0]) / I_size));
    worst = fmax(worst, (aside - border) / i_size);
    return fmax(worst, norm2(slip * I[1] + border * u[1], slip * I[2] + border * u[2]) / (i_size * u_size));
}

/* The natural map from its definition: the nearest point of the cone is x, or the foot of x on the border ray on its side, or the apex. */
static double natural_map(const tl_delassus3 *W, double mu, const double u[3], const double I[3])
{
    const double rho = 3 / (W->nn + W->tt + W->ss), slip = norm2(u[1], u[2]);
    const double x[3] = {I[0] - rho * (u[0] + mu * slip), I[1] - rho * u[1], I[2] - rho * u[2]}, aside = norm2(x[1], x[2]);
    double p[3] = {0, 0, 0};
    if (x[0] >= 0 && aside <= mu * x[0]) memcpy(p, x, sizeof p);
    else {
        const double length = hypot(1, mu), foot = (x[0] + mu * aside) / length;
        if (foot > 0) {
            p[0] = foot / length;
            p[1] = aside > 0 ? foot * mu / length * x[1] / aside : 0;
            p[2] = aside > 0 ? foot * mu / length * x[2] / aside : 0;
        }
    }
    return norm3((double[3]){I[0] - p[0], I[1] - p[1], I[2] - p[2]}) / rho;
}

/* ---- another way: every slip by a scan of its direction ------------------------------------------------------------- */

typedef struct slip {
    double turn;  /* e × u_t: zero in a solution */
    double along; /* e · u_t > 0                 */
    double I[3];
    bool possible; /* I_n > 0                     */
} slip;

/* Slip towards the angle a: I_t = −μ I_n e, and I_n from u_n = 0. */
static slip slip_towards(const tl_delassus3 *W, double mu, const double q[3], double a)
{
    const double e[2] = {cos(a), sin(a)}, stiffness = W->nn - mu * (W->nt * e[0] + W->ns * e[1]);
    slip s = {.possible = stiffness > 0};
    s.I[0] = -q[0] / stiffness, s.I[1] = -mu * s.I[0] * e[0], s.I[2] = -mu * s.I[0] * e[1];
    double u[3];
    times(W, s.I, u);
    u[1] += q[1], u[2] += q[2];
    s.turn = e[0] * u[2] - e[1] * u[1];
    s.along = e[0] * u[1] + e[1] * u[2];
    return s;
}

/* All slips between neighbouring directions of a scan where `turn` changes sign; returns their number. */
static int all_slips(const tl_delassus3 *W, double mu, const double q[3], double I[8][3])
{
    enum { SCAN = 96 };
    int found = 0;
    slip before = slip_towards(W, mu, q, 0);
    for (int k = 1; k <= SCAN; k++) {
        double low = (k - 1) * 2 * TL_PI / SCAN, high = k * 2 * TL_PI / SCAN;
        const slip now = slip_towards(W, mu, q, high);
        if (before.possible && now.possible && (before.turn < 0) != (now.turn < 0)) {
            slip s = before;
            for (int i = 0; i < 60; i++) {
                const double middle = 0.5 * (low + high);
                s = slip_towards(W, mu, q, middle);
                if ((s.turn < 0) == (before.turn < 0)) low = middle;
                else high = middle;
            }
            if (s.along > 0 && found < 8) memcpy(I[found++], s.I, sizeof s.I);
        }
        before = now;
    }
    return found;
}

/* ---- the checks ----------------------------------------------------------------------------------------------------- */

TEST(definition)
{
    rnd = tl_random_seed(31);
    int seen[3] = {0}, jammed = 0;
    for (int k = 0; k < MANY; k++) {
        const double mu = random_friction(k), spread = k % 3 ? 1.5 : 8;
        tl_delassus3 W = random_delassus(3 + k % 2, spread);
        const double scale = k % 5 == 0 ? decades(-12, 12) : 1, q[3] = {scale * uniform(-1, 0.1), scale * uniform(-1, 1), scale * uniform(-1, 1)};
        double I[3], u[3];
        tl_coulomb3_solve(&W, mu, q, I);
        times(&W, I, u);
        for (int i = 0; i < 3; i++) u[i] += q[i];
        /* W I cancels q: rounding of the products. S, its axes and roots carry rounding relative to W_tt, and twice 1e-12 of it is added where S is
         * smaller than that. */
        const double trace = W.nn + W.tt + W.ss, I_size = norm3(I) + scale / trace, u_size = scale + trace * I_size;
        const double wrong = violation(mu, u, I, u_size, I_size);
        if (!(wrong <= 3e-12))
            TEST_FAIL("%d: μ %g W %g %g %g %g %g %g q %g %g %g: law missed by %g", k, mu, W.nn, W.nt, W.ns, W.tt, W.ts, W.ss, q[0], q[1], q[2], wrong);
        jammed += mu * norm2(W.nt, W.ns) > W.nn;
        seen[q[0] >= 0 ? 0 : norm2(u[1], u[2]) < 1e-10 * u_size ? 1 : 2]++;
        /* contacts take: Iᵀ(q + u)/2 = Iᵀ u − ½ Iᵀ W I ≤ 0, to the rounding of its terms */
        const double work = 0.5 * (I[0] * (q[0] + u[0]) + I[1] * (q[1] + u[1]) + I[2] * (q[2] + u[2]));
        CHECK(work <= 3e-12 * I_size * u_size);
        const double error = tl_coulomb3_residual(&W, mu, u, I);
        CHECK(error <= 1e-11 * u_size * (1 + mu));
        CHECK_NEAR(error, natural_map(&W, mu, u, I), 1e-13 * (u_size * (1 + mu) + trace * I_size));
        const double J[3] = {I[0] * uniform(0, 2), I[1] + I_size * uniform(-1, 1), I[2] + I_size * uniform(-1, 1)};
        CHECK_NEAR(tl_coulomb3_residual(&W, mu, u, J), natural_map(&W, mu, u, J), 1e-13 * (u_size * (1 + mu) + trace * norm3(J)));
    }
    CHECK(jammed > MANY / 40);
    for (int i = 0; i < 3; i++) CHECK(seen[i] > MANY / 40);
}

/* The order of separation, stick, slip, and the slips themselves, against the scan. */
TEST(scan_of_directions)
{
    rnd = tl_random_seed(32);
    int unique = 0, several = 0;
    for (int k = 0; k < MANY / 10; k++) {
        const double mu = k % 4 ? uniform(0.05, 1.2) : decades(-1, 2);
        const tl_delassus3 W = random_delassus(4, 2);
        const double q[3] = {uniform(-1, 0.1), uniform(-1, 1), uniform(-1, 1)};
        double I[3], found[8][3];
        tl_coulomb3_solve(&W, mu, q, I);
        if (q[0] >= 0) {
            CHECK(I[0] == 0 && I[1] == 0 && I[2] == 0);
            continue;
        }
        double A[9] = {W.nn, W.nt, W.ns, W.nt, W.tt, W.ts, W.ns, W.ts, W.ss}, stick[3] = {-q[0], -q[1], -q[2]};
        int pivot[3];
        if (!tl_lu(A, 3, pivot)) continue;
        tl_lu_solve(A, pivot, 3, stick);
        const double margin = mu * stick[0] - norm2(stick[1], stick[2]), size = norm3(stick);
        if (fabs(margin) < 1e-8 * size * (1 + mu)) continue; /* on the border both are right */
        if (margin > 0) {                                    /* condition number up to some 1e6 */
            for (int i = 0; i < 3; i++) CHECK_NEAR(I[i], stick[i], 1e-9 * size);
            continue;
        }
        const int n = all_slips(&W, mu, q, found);
        double nearest = (double)INFINITY, I_size = norm3(I);
        for (int i = 0; i < n; i++) nearest = fmin(nearest, norm3((double[3]){I[0] - found[i][0], I[1] - found[i][1], I[2] - found[i][2]}) / I_size);
        unique += n == 1;
        several += n > 1;
        /* pairs of slips closer than the scan, and directions next to those in which I_n is infinite, it does not see */
        const double a = atan2(-I[2], -I[1]), near_jam = W.nn - mu * (W.nt * cos(a) + W.ns * sin(a));
        if (n == 1 && near_jam > 0.2 * W.nn && !(nearest < 1e-7))
            TEST_FAIL("%d: μ %g I %g %g %g, by scan %g %g %g", k, mu, I[0], I[1], I[2], found[0][0], found[0][1], found[0][2]);
        if (n > 1 && near_jam > 0.2 * W.nn) CHECK(nearest < 1e-5);
    }
    CHECK(unique > MANY / 50);
    if (MANY >= 1000000) CHECK(several > 0); /* rare */
}

/* Sweeps: the same contact while what others do to it settles, from any first guess of λ. Each visit obeys the law to the square of how far λ moved,
 * and once nothing moves, to rounding. */
TEST(follows)
{
    rnd = tl_random_seed(37);
    int slips = 0, sticks = 0;
    for (int k = 0; k < MANY / 10; k++) {
        const double mu = random_friction(k), scale = k % 5 == 0 ? decades(-160, 140) : 1;
        const tl_delassus3 W = random_delassus(3 + k % 2, 1.5);
        const tl_coulomb3 law = tl_coulomb3_prepare(&W, mu);
        const double q[3] = {-scale * uniform(0.05, 1), scale * uniform(-1, 1), scale * uniform(-1, 1)};
        const double aside[3] = {scale * uniform(-1, 1), scale * uniform(-1, 1), scale * uniform(-1, 1)}, trace = W.nn + W.tt + W.ss;
        double lambda = k % 3 == 0 ? decades(-12, 12) : 0, I[3], u[3];
        enum { VISITS = 12 };
        for (int visit = 0; visit < VISITS; visit++) {
            const double off = visit < VISITS - 4 ? 0.3 * pow(0.1, visit) : 0, start[3] = {q[0] + off * aside[0], q[1] + off * aside[1], q[2] + off * aside[2]};
            tl_coulomb3_follow(&law, start, &lambda, I);
            times(&W, I, u);
            for (int i = 0; i < 3; i++) u[i] = (u[i] + start[i]) / scale, I[i] /= scale;
            const double I_size = norm3(I) + 1 / trace, u_size = 1 + trace * I_size, wrong = violation(mu, u, I, u_size, I_size);
            const double most = visit < VISITS - 1 ? 1e-5 : 3e-12;
            if (!(wrong <= most)) TEST_FAIL("%d, visit %d: μ %g scale %g λ %g: law missed by %g", k, visit, mu, scale, lambda, wrong);
        }
        slips += lambda > 0;
        sticks += mu > 0 && lambda == 0;
    }
    CHECK(slips > MANY / 100 && sticks > MANY / 100);
}

TEST(tangents_turn)
{
    rnd = tl_random_seed(33);
    for (int k = 0; k < MANY / 10; k++) {
        const double mu = uniform(0, 1), a = uniform(-4, 4), c = cos(a), s = sin(a);
        const tl_delassus3 W = random_delassus(4, 1);
        const tl_delassus3 T = {.nn = W.nn,
                                .nt = c * W.nt + s * W.ns,
                                .ns = c * W.ns - s * W.nt,
                                .tt = c * c * W.tt + 2 * c * s * W.ts + s * s * W.ss,
                                .ts = (c * c - s * s) * W.ts + c * s * (W.ss - W.tt),
                                .ss = s * s * W.tt - 2 * c * s * W.ts + c * c * W.ss};
        const double q[3] = {uniform(-1, 0), uniform(-1, 1), uniform(-1, 1)}, p[3] = {q[0], c * q[1] + s * q[2], c * q[2] - s * q[1]};
        double I[3], J[3], found[8][3];
        tl_coulomb3_solve(&W, mu, q, I);
        tl_coulomb3_solve(&T, mu, p, J);
        const double back[3] = {J[0], c * J[1] - s * J[2], s * J[1] + c * J[2]}, I_size = norm3(I);
        double off = norm3((double[3]){back[0] - I[0], back[1] - I[1], back[2] - I[2]}) / I_size;
        if (off > 1e-8 && all_slips(&W, mu, q, found) > 1) continue; /* either of several */
        if (!(off <= 1e-8))
            TEST_FAIL("%d: μ %g W %g %g %g %g %g %g: %g %g %g, turned %g %g %g", k, mu, W.nn, W.nt, W.ns, W.tt, W.ts, W.ss, I[0], I[1], I[2], back[0], back[1],
                      back[2]);
    }
}

/* With nothing along s the law is the planar one. */
TEST(planar_problems)
{
    rnd = tl_random_seed(34);
    for (int k = 0; k < MANY / 10; k++) {
        const double mu = k % 3 ? uniform(0, 1.5) : decades(-2, 3);
        tl_delassus3 W = random_delassus(3, 2);
        W.ns = W.ts = 0;
        const double q[3] = {uniform(-1, 0.2), uniform(-1, 1), 0};
        const tl_coulomb2 planar = tl_coulomb2_prepare((tl_delassus2){W.nn, W.nt, W.tt}, mu);
        double I[3], J[2];
        tl_coulomb3_solve(&W, mu, q, I);
        tl_coulomb2_solve(&planar, W.nt, q[0], q[1], J);
        const double size = norm2(J[0], J[1]) * (1 + mu) * (W.nn + W.tt) / fmin(W.nn, W.tt - W.nt * W.nt / W.nn), close = 1e-13 * size;
        const double plus = fabs(W.nn + mu * W.nt), minus = fabs(W.nn - mu * W.nt);
        if (fmin(plus, minus) < 1e-3 * W.nn) continue; /* infinite impulses on one side */
        CHECK_NEAR(I[0], J[0], close + 1e-9 * norm2(J[0], J[1]) * (mu > 2));
        CHECK_NEAR(I[1], J[1], close + 1e-9 * norm2(J[0], J[1]) * (mu > 2));
        CHECK_NEAR(I[2], 0, close);
    }
}

/* Frictionless; spheres in closed form; W of rank one and two; tangential W far above and below the normal one; nothing that slides. */
TEST(borders_of_the_law)
{
    rnd = tl_random_seed(35);
    for (int k = 0; k < MANY / 100; k++) {
        double I[3], u[3];
        const double scale = decades(-12, 12), q[3] = {-scale * uniform(0.01, 1), scale * uniform(-1, 1), scale * uniform(-1, 1)};
        const tl_delassus3 W = random_delassus(3, 2);
        tl_coulomb3_solve(&W, 0, q, I);
        CHECK_CLOSE(I[0], -q[0] / W.nn, 1e-15);
        CHECK(I[1] == 0 && I[2] == 0);

        const double s = decades(-8, 8), mu = uniform(0.01, 2), slide = norm2(q[1], q[2]), normal = -q[0] / W.nn;
        const tl_delassus3 sphere = {.nn = W.nn, .tt = s, .ss = s};
        const double aside = fmin(slide / s, mu * normal);
        tl_coulomb3_solve(&sphere, mu, q, I);
        CHECK_CLOSE(I[0], normal, 1e-14);
        CHECK_NEAR(I[1], -aside * q[1] / slide, 1e-13 * aside);
        CHECK_NEAR(I[2], -aside * q[2] / slide, 1e-13 * aside);

        /* u moves in a plane or along a line only, as when it comes from the same W: q = W p */
        for (int rank = 1; rank <= 2; rank++) {
            const tl_delassus3 thin = random_delassus(rank, k % 2 ? 0 : 8);
            const double p[3] = {scale * uniform(-1, 1), scale * uniform(-1, 1), scale * uniform(-1, 1)};
            double start[3];
            times(&thin, p, start);
            tl_coulomb3_solve(&thin, mu, start, I);
            times(&thin, I, u);
            for (int i = 0; i < 3; i++) u[i] += start[i];
            const double trace = thin.nn + thin.tt + thin.ss, I_size = norm3(I) + norm3(p), u_size = trace * I_size;
            const double wrong = violation(mu, u, I, u_size, I_size);
            if (!(wrong <= 3e-12)) TEST_FAIL("rank %d: missed by %g", rank, wrong);
        }
        const tl_delassus3 rail = {.nn = W.nn};
        tl_coulomb3_solve(&rail, mu, (double[3]){q[0], 0, 0}, I);
        CHECK(I[0] == -q[0] * (1 / W.nn) && I[1] == 0 && I[2] == 0);
        tl_coulomb3_solve(&rail, mu, q, I); /* what cannot be stopped is braked */
        CHECK_NEAR(I[1], -mu * normal * q[1] / slide, 3e-12 * mu * normal);
        tl_coulomb3_solve(&W, mu, (double[3]){0, q[1], q[2]}, I);
        CHECK(I[0] == 0 && I[1] == 0 && I[2] == 0);
        tl_coulomb3_solve(&W, mu, (double[3]){q[0], W.nt / W.nn * q[0], W.ns / W.nn * q[0]}, I); /* b = 0 */
        const double tt = W.tt - W.nt * W.nt / W.nn, ts = W.ts - W.nt * W.ns / W.nn, ss = W.ss - W.ns * W.ns / W.nn;
        const double coupling = (W.nt * W.nt + W.ns * W.ns) / W.nn * (tt + ss) / (tt * ss - ts * ts); /* w² W_nn / smallest of S */
        CHECK_CLOSE(I[0], -q[0] / W.nn, 1e-15 * (1 + coupling));
    }
}

/* The same problem in other units. Powers of two: the same digits. */
TEST(units)
{
    rnd = tl_random_seed(36);
    for (int k = 0; k < MANY / 100; k++) {
        const tl_delassus3 W = random_delassus(4, 3);
        const double mu = uniform(0, 1), q[3] = {uniform(-1, 0), uniform(-1, 1), uniform(-1, 1)};
        double I[3], J[3];
        tl_coulomb3_solve(&W, mu, q, I);
        for (int e = -40; e <= 40; e += 40)
            for (int f = -40; f <= 40; f += 20) {
                const double a = ldexp(1, e), b = ldexp(1, f), p[3] = {a * q[0], a * q[1], a * q[2]};
                const tl_delassus3 V = {b * W.nn, b * W.nt, b * W.ns, b * W.tt, b * W.ts, b * W.ss};
                tl_coulomb3_solve(&V, mu, p, J);
                for (int i = 0; i < 3; i++) CHECK(J[i] == a / b * I[i]);
            }
    }
}

int main(int argc, char **argv)
{
    RUN(definition);
    RUN(scan_of_directions);
    RUN(follows);
    RUN(tangents_turn);
    RUN(planar_problems);
    RUN(borders_of_the_law);
    RUN(units);
    return TEST_RESULT;
}
