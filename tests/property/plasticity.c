/* Drucker and Prager's material with caps: where stress returns to, by brute force and by the equations that it has to
 * meet; its tangent by differences; compaction, triaxial failure and dissipation in closed form. */
#include "solid/material.h"

#include "base/base.h"
#include "test.h"

enum { STATES = 7, COMPACTED = 6 };

/* Nordberg and Servin 2018, §4.3: E 91 MPa, ν 0.3, c 14 kPa, φ 22°, W 0.1, D 1 mm²/N; the cap begins at a third of 0.75 MPa. */
#define DEGREE (3.14159265358979323846 / 180)
static const double CAPPED[10] = {91e6, 0.3, 14e3, 22 * DEGREE, 5e3, 750e3, 4, 0.1, 1e-6};
static const double PERFECT[10] = {91e6, 0.3, 14e3, 22 * DEGREE, 5e3, 0, 0, 0, 0};

/* ---- the surfaces, written down anew from the papers ----------------------------------------------------------------------------------- */

static double slope_k(const double *p) { return 6 * sin(p[3]) / (sqrt(3) * (3 - sin(p[3]))) / 3; }
static double apex(const double *p) { return 3 * p[2] / tan(p[3]); }
static double bulk(const double *p) { return p[0] / (3 * (1 - 2 * p[1])); }
static double shear(const double *p) { return p[0] / (2 * (1 + p[1])); }

/* Yield function, zero on the surface, of the size of a stress; and its gradient by (I, s). */
static double yield(const double *p, double kappa, double I, double s, double *by_I, double *by_s)
{
    const double k = slope_k(p), A = apex(p), sine = k / sqrt(1 + k * k), C = (p[4] - A * sine) / (1 - sine), R = p[4] - C;
    const double end = A - sqrt((A - C) * (A - C) - R * R) * sqrt(1 - sine * sine);
    if (I >= end) {
        const double r = hypot(I - C, s);
        return *by_I = (I - C) / r, *by_s = s / r, r - R;
    }
    if (p[5] > 0) {
        const double rc = p[6], b = (A + kappa) / (rc + sqrt(1 + k * k * rc * rc) / k), a = -kappa + rc * b;
        if (I <= A - b / (k * sqrt(1 + k * k * rc * rc))) {
            const double x = (I - a) / rc, r = hypot(x, s);
            return *by_I = x / rc / r, *by_s = s / r, r - b;
        }
    }
    return *by_I = k, *by_s = 1, s + k * (I - A);
}

static void invariants(const double sigma[6], double *I, double *s)
{
    double sum = 0;
    *I = sigma[0] + sigma[1] + sigma[2];
    for (int i = 0; i < 6; i++) {
        const double d = sigma[i] - (i < 3 ? *I / 3 : 0);
        sum += (i < 3 ? 0.5 : 1) * d * d;
    }
    *s = sqrt(sum);
}

static void random_strain(tl_random *random, double size, double *strain)
{
    const double spread = size * pow(10, tl_random_uniform(random, -2, 1)), volume = spread * tl_random_uniform(random, -2, 1);
    for (int i = 0; i < 6; i++) strain[i] = spread * tl_random_uniform(random, -1, 1) + (i < 3 ? volume : 0);
}

/* Stress on the surface of the new κ or within it; plastic strain along the surface's normal there; compaction by its law. */
TEST(equations)
{
    tl_random random = tl_random_seed(11);
    int region[4] = {0, 0, 0, 0};
    for (int trial = 0; trial < 200000; trial++) {
        const double *p = trial % 2 ? CAPPED : PERFECT;
        double strain[6], sigma[6], state[STATES], before[STATES] = {0}, I, s, by_I, by_s, I0, s0, test[6];
        random_strain(&random, 1e-2, strain);
        if (p == CAPPED && trial % 4 == 1) before[COMPACTED] = tl_random_uniform(&random, 0, 3);
        if (!TL_DRUCKER_PRAGER.stress(p, strain, before, state, sigma, NULL)) {
            TEST_FAIL("trial %d finds no answer", trial);
            continue;
        }
        tl_hooke(tl_lame(p[0], p[1]), shear(p), strain, test, NULL);
        invariants(test, &I0, &s0);
        invariants(sigma, &I, &s);
        const double kappa = p[5] + (p == CAPPED ? state[COMPACTED] / p[8] : 0), size = fabs(I0) + s0 + 1e4;
        const double excess = yield(p, kappa, I, s, &by_I, &by_s);
        double flow = 0, volume = 0;
        for (int i = 0; i < 6; i++) flow += fabs(state[i]), volume += i < 3 ? state[i] : 0;
        if (flow == 0) {
            CHECK(excess <= 1e-12 * size);
            region[3]++;
            continue;
        }
        CHECK_NEAR(excess, 0, 1e-10 * size);
        /* dε_p = λ ∂Φ/∂σ: trace 3 λ Φ_I, and √J₂'s share λ Φ_s/2 of the deviator's unit n = σ̄/s */
        const double lambda = (s0 - s) / (shear(p) * (by_s > 1e-9 ? by_s : 1));
        if (by_s > 1e-3) CHECK_NEAR(volume, 3 * lambda * by_I, 1e-9 * (fabs(lambda) + flow));
        for (int i = 0; i < 6 && s > 1e-6 * size; i++) {
            const double deviator = (sigma[i] - (i < 3 ? I / 3 : 0)) / s;
            CHECK_NEAR(state[i] - (i < 3 ? volume / 3 : 0), (i < 3 ? 0.5 : 1) * lambda * by_s * deviator, 1e-9 * (fabs(lambda) + flow));
        }
        CHECK(lambda >= -1e-12);
        if (p == CAPPED) {
            const double left = exp(-before[COMPACTED]) - exp(-state[COMPACTED]);
            const bool compacts = volume < 0;
            CHECK_NEAR(compacts ? -volume : 0, p[7] * left, 1e-9 * (flow + fabs(volume)));
            region[compacts ? 0 : by_I > by_s * slope_k(p) * (1 + 1e-9) ? 1 : 2]++;
        }
    }
    for (int i = 0; i < 4; i++) CHECK(region[i] > 1000); /* cap, tension, cone and elastic all were met */
}

/* Without hardening the answer is the nearest point of the surface, with distances I²/(9K) + s²/G: found by looking at all points. */
TEST(nearest)
{
    const double *p = PERFECT, k = slope_k(p), A = apex(p), sine = k / sqrt(1 + k * k), C = (p[4] - A * sine) / (1 - sine), R = p[4] - C;
    const double turn = 0.5 * 3.14159265358979323846 - atan(k), end = C + R * cos(turn), along = 9 * bulk(p), across = shear(p);
    tl_random random = tl_random_seed(5);
    for (int trial = 0; trial < 300; trial++) {
        double strain[6], sigma[6], state[STATES], test[6], I0, s0, I, s, by_I, by_s, best = (double)INFINITY;
        random_strain(&random, 1e-3, strain);
        tl_hooke(tl_lame(p[0], p[1]), shear(p), strain, test, NULL);
        invariants(test, &I0, &s0);
        if (yield(p, 0, I0, s0, &by_I, &by_s) <= 0) continue;
        CHECK(TL_DRUCKER_PRAGER.stress(p, strain, NULL, state, sigma, NULL));
        invariants(sigma, &I, &s);
        const double found = (I - I0) * (I - I0) / along + (s - s0) * (s - s0) / across;
        enum { MANY = 20000 };
        for (int i = 0; i <= MANY; i++) {
            const double angle = turn * i / MANY, circle_I = C + R * cos(angle), circle_s = R * sin(angle);
            const double cone_I = end - (fabs(I0) + 3 * s0 / k + 1e5) * i / MANY, cone_s = k * (A - cone_I);
            best = fmin(best, (circle_I - I0) * (circle_I - I0) / along + (circle_s - s0) * (circle_s - s0) / across);
            best = fmin(best, (cone_I - I0) * (cone_I - I0) / along + (cone_s - s0) * (cone_s - s0) / across);
        }
        CHECK(found <= best * (1 + 1e-9) + 1e-12 && found > best * (1 - 1e-3) - 1e-3);
    }
}

/* The tangent by central differences of two steps. */
static void find_quotients(const double *p, const double strain[6], double quotient[2][6][6])
{
    double low[6], high[6], other[STATES];
    for (int k = 0; k < 6; k++)
        for (int fine = 0; fine < 2; fine++) {
            const double step = (fine ? 2e-8 : 4e-8);
            double up[6], down[6];
            memcpy(up, strain, sizeof up), memcpy(down, strain, sizeof down);
            up[k] += step, down[k] -= step;
            CHECK(TL_DRUCKER_PRAGER.stress(p, up, NULL, other, high, NULL) && TL_DRUCKER_PRAGER.stress(p, down, NULL, other, low, NULL));
            for (int i = 0; i < 6; i++) quotient[fine][i][k] = (high[i] - low[i]) / (2 * step);
        }
}

/* dσ/dε by differences, where the points on either side lie in one region. Symmetric where flow is associated and nothing hardens. */
TEST(tangents)
{
    tl_random random = tl_random_seed(23);
    int seen = 0;
    for (int trial = 0; trial < 4000; trial++) {
        const double *p = trial % 2 ? CAPPED : PERFECT;
        double strain[6], sigma[6], state[STATES], D[6][6], quotient[2][6][6];
        random_strain(&random, 1e-2, strain);
        CHECK(TL_DRUCKER_PRAGER.stress(p, strain, NULL, state, sigma, D));
        find_quotients(p, strain, quotient);
        double rough = 0, off = 0, skew = 0;
        for (int i = 0; i < 6; i++)
            for (int k = 0; k < 6; k++) {
                rough = fmax(rough, fabs(quotient[0][i][k] - quotient[1][i][k]));
                off = fmax(off, fabs(D[i][k] - quotient[1][i][k]));
                skew = fmax(skew, fabs(D[i][k] - D[k][i]));
            }
        if (state[COMPACTED] == 0) CHECK(skew <= 1e-8 * p[0]);
        if (rough > 1e-5 * p[0]) continue; /* a corner between two regions, or the tip of a cap, lies between the points */
        seen++;
        CHECK(off <= 3e-5 * p[0]);
    }
    CHECK(seen > 3000);
}

/* Pressure from all sides: −tr σ follows κ, so the volume that stays lost is W (1 − exp(−D (κ − κ₀))), by whatever steps, and at most W. */
TEST(compaction)
{
    const double *p = CAPPED;
    for (int steps = 1; steps <= 100; steps *= 10)
        for (double most = 0.01; most < 0.3; most *= 2) {
            double state[STATES] = {0}, sigma[6], strain[6] = {0};
            for (int i = 1; i <= steps; i++) {
                for (int k = 0; k < 3; k++) strain[k] = -most / 3 * i / steps;
                double after[STATES];
                CHECK(TL_DRUCKER_PRAGER.stress(p, strain, state, after, sigma, NULL));
                memcpy(state, after, sizeof state);
            }
            const double trace = -(sigma[0] + sigma[1] + sigma[2]), lost = trace < p[5] ? 0 : p[7] * -expm1(-p[8] * (trace - p[5]));
            CHECK_CLOSE(trace / (3 * bulk(p)) + lost, most, 1e-11);
            CHECK_NEAR(-(state[0] + state[1] + state[2]), lost, 1e-12);
            CHECK(lost < p[7]);
        }
}

/* Axial compression between constant lateral pressures fails where Mohr and Coulomb's circle touches: σ₁ = σ₃ N + 2 c √N, N = tan²(45° + φ/2). */
TEST(triaxial)
{
    const double *p = PERFECT, lateral = -100e3, N = pow(tan(45 * DEGREE + 0.5 * p[3]), 2), failure = lateral * N - 2 * p[2] * sqrt(N);
    double state[STATES] = {0}, after[STATES], sigma[6] = {0}, D[6][6], strain[6] = {0}, elastic = 0;
    for (int k = 0; k < 3; k++) strain[k] = lateral / (3 * bulk(p));
    for (int step = 1; step <= 60; step++) {
        strain[2] -= 1e-4;
        for (int pass = 0; pass < 50; pass++) {
            CHECK(TL_DRUCKER_PRAGER.stress(p, strain, state, after, sigma, D));
            if (fabs(sigma[0] - lateral) < 1e-9 * 1e5) break;
            strain[0] -= (sigma[0] - lateral) / (D[0][0] + D[0][1]);
            strain[1] = strain[0];
        }
        CHECK_NEAR(sigma[0], lateral, 1e-3);
        memcpy(state, after, sizeof state);
        if (step == 10) elastic = sigma[2];
    }
    CHECK_CLOSE(elastic, lateral - 1e-3 * p[0], 1e-9); /* uniaxial Hooke before */
    CHECK_CLOSE(sigma[2], failure, 1e-9);
}

/* Along any path what is put in is what is stored and what is lost, and nothing lost comes back. Smaller steps tend to one answer with their size. */
TEST(dissipation)
{
    const double *p = CAPPED;
    double last[3][6], lost_in[3];
    for (int fine = 0; fine < 3; fine++) {
        const int steps = 400 << (2 * fine);
        double state[STATES] = {0}, sigma[6] = {0}, strain[6] = {0}, lost = 0, given = 0, spent = 0;
        for (int i = 1; i <= steps; i++) {
            const double t = 6.0 * i / steps;
            const double to[6] = {-0.01 * t + 0.004 * sin(3 * t), -0.008 * t, -0.012 * t - 0.004 * sin(2 * t), 0.01 * sin(t), 0.006 * sin(2 * t), 0.003 * t};
            double after[STATES], was[6], work = 0;
            memcpy(was, sigma, sizeof was);
            CHECK(TL_DRUCKER_PRAGER.stress(p, to, state, after, sigma, NULL));
            for (int k = 0; k < 6; k++) work += sigma[k] * (after[k] - state[k]);
            CHECK(work >= -1e-9);
            lost += work;
            /* stress is linear in the elastic strain: its mean over the step works exactly */
            for (int k = 0; k < 6; k++) spent += 0.5 * (was[k] + sigma[k]) * (after[k] - state[k]), given += 0.5 * (was[k] + sigma[k]) * (to[k] - strain[k]);
            memcpy(state, after, sizeof state), memcpy(strain, to, sizeof strain);
            const double energy = TL_DRUCKER_PRAGER.energy(p, strain, state);
            CHECK(energy >= 0);
            CHECK_NEAR(energy, given - spent, 1e-9 * given);
        }
        memcpy(last[fine], sigma, sizeof sigma);
        lost_in[fine] = lost;
    }
    double coarse = 0, fine = 0;
    for (int k = 0; k < 6; k++) coarse = fmax(coarse, fabs(last[0][k] - last[1][k])), fine = fmax(fine, fabs(last[1][k] - last[2][k]));
    CHECK(coarse > 3 * fine && coarse < 5.5 * fine); /* backward Euler: first order, steps a quarter as long */
    const double less = (lost_in[0] - lost_in[1]) / (lost_in[1] - lost_in[2]);
    CHECK(less > 3 && less < 5.5);
}

/* The same soil with a share of its dilation left out. */
static void less_dilation(const double *soil, double share, double p[10])
{
    memcpy(p, soil, 10 * sizeof *p);
    p[9] = share;
}

/* Stress on the surface; plastic strain along (r Φ_I, Φ_s), r the share of dilation that is left, where the normal dilates below the tension cap; where it
 * meets the cone, between that of either; nothing is gained by flow, and stress is continuous in strain. */
TEST(isochoric)
{
    tl_random random = tl_random_seed(17);
    int region[4] = {0, 0, 0, 0};
    for (int trial = 0; trial < 100000; trial++) {
        const double share = trial % 3 == 0 ? 1 : tl_random_uniform(&random, 0, 1);
        double p[10], strain[6], sigma[6], state[STATES], test[6], near[6], other[STATES], I, s, by_I, by_s, I0, s0, volume = 0, work = 0, flow = 0, off = 0;
        less_dilation(trial % 2 ? CAPPED : PERFECT, share, p);
        random_strain(&random, 1e-2, strain);
        if (!TL_DRUCKER_PRAGER.stress(p, strain, NULL, state, sigma, NULL)) {
            TEST_FAIL("trial %d finds no answer", trial);
            continue;
        }
        tl_hooke(tl_lame(p[0], p[1]), shear(p), strain, test, NULL);
        invariants(test, &I0, &s0), invariants(sigma, &I, &s);
        const double kappa = p[5] > 0 ? p[5] + state[COMPACTED] / p[8] : 0, size = fabs(I0) + s0 + 1e4, k = slope_k(p);
        const double excess = yield(p, kappa, I, s, &by_I, &by_s);
        for (int i = 0; i < 6; i++) flow += fabs(state[i]), volume += i < 3 ? state[i] : 0, work += sigma[i] * state[i];
        if (flow == 0) {
            CHECK(excess <= 1e-12 * size);
            continue;
        }
        CHECK_NEAR(excess, 0, 1e-10 * size);
        CHECK(work >= -1e-9 * size * flow);
        const double lambda = (s0 - s) / (shear(p) * (by_s > 1e-9 ? by_s : 1));
        const bool cone = fabs(by_I - k * by_s) <= 1e-9 * by_s, tension = by_I > k * by_s * (1 + 1e-9);
        const double A = apex(p), sine = k / sqrt(1 + k * k), C = (p[4] - A * sine) / (1 - sine),
                     end = A - sqrt((A - C) * (A - C) - (p[4] - C) * (p[4] - C)) * sqrt(1 - sine * sine);
        const bool corner = fabs(I - end) <= 1e-9 * size;
        if (corner) CHECK(volume >= 3 * lambda * by_I * (1 - share) - 1e-9 * flow && volume <= 3 * lambda * by_I + 1e-9 * (fabs(lambda) + flow));
        else if (by_s > 1e-3) CHECK_NEAR(volume, 3 * lambda * by_I * (by_I > 0 && !tension ? 1 - share : 1), 1e-8 * (fabs(lambda) + flow));
        region[corner ? 0 : cone ? 1 : tension ? 2 : 3]++;
        for (int i = 0; i < 6; i++) near[i] = strain[i] + 1e-9 * tl_random_uniform(&random, -1, 1);
        CHECK(TL_DRUCKER_PRAGER.stress(p, near, NULL, other, test, NULL));
        for (int i = 0; i < 6; i++) off = fmax(off, fabs(test[i] - sigma[i]));
        CHECK(off <= 1e-9 * 20 * p[0]);
    }
    for (int i = 0; i < 4; i++) CHECK(region[i] > 1000);
}

/* Its tangent by differences. */
TEST(isochoric_tangents)
{
    tl_random random = tl_random_seed(29);
    int seen = 0;
    for (int trial = 0; trial < 4000; trial++) {
        double p[10], strain[6], sigma[6], state[STATES], D[6][6], quotient[2][6][6], rough = 0, off = 0;
        less_dilation(trial % 2 ? CAPPED : PERFECT, trial % 3 == 0 ? 1 : tl_random_uniform(&random, 0, 1), p);
        random_strain(&random, 1e-2, strain);
        CHECK(TL_DRUCKER_PRAGER.stress(p, strain, NULL, state, sigma, D));
        find_quotients(p, strain, quotient);
        for (int i = 0; i < 6; i++)
            for (int k = 0; k < 6; k++) {
                rough = fmax(rough, fabs(quotient[0][i][k] - quotient[1][i][k]));
                off = fmax(off, fabs(D[i][k] - quotient[1][i][k]));
            }
        if (rough > 1e-5 * p[0]) continue;
        seen++;
        CHECK(off <= 3e-5 * p[0]);
    }
    CHECK(seen > 3000);
}

/* Simple shear at constant height in plane strain: the shear stress comes to 3k times the pressure where nothing dilates (c → 0), for the deviator is that of
 * the strain rate, √J₂ = τ and I = −3p. */
TEST(sheared)
{
    double p[10], state[STATES] = {0}, after[STATES], sigma[6], strain[6] = {0};
    less_dilation(PERFECT, 1, p);
    p[2] = 1, p[4] = 1;
    for (int k = 0; k < 3; k++) strain[k] = k == 1 ? -1e-3 : 0; /* pressed along y at rest first */
    for (int step = 0; step <= 4000; step++) {
        CHECK(TL_DRUCKER_PRAGER.stress(p, strain, state, after, sigma, NULL));
        memcpy(state, after, sizeof state);
        strain[3] += 1e-5;
    }
    CHECK_CLOSE(-sigma[3] / sigma[1], 3 * slope_k(p), 1e-3);
    CHECK_NEAR(sigma[0] / sigma[1], 1, 1e-3);
}

TEST(wrong)
{
    double p[10];
    char text[TL_WRONG_ROOM];
    CHECK(!TL_DRUCKER_PRAGER.wrong(CAPPED, text) && !TL_DRUCKER_PRAGER.wrong(PERFECT, text));
    static const struct {
        int at;
        double value;
        const char *says;
    } MISTAKE[] = {{0, 0, "young"},  {1, 0.5, "poisson"}, {2, 0, "cohesion"},   {3, 0, "friction"},  {4, 2e5, "tension"},  {5, -1, "cap"},
                   {5, 1e3, "cuts"}, {6, 0, "cap_ratio"}, {7, 1, "compaction"}, {8, 0, "hardening"}, {9, 1.5, "isochoric"}};
    for (size_t i = 0; i < sizeof MISTAKE / sizeof *MISTAKE; i++) {
        memcpy(p, CAPPED, sizeof p);
        p[MISTAKE[i].at] = MISTAKE[i].value;
        const char *says = TL_DRUCKER_PRAGER.wrong(p, text);
        CHECK(says && strstr(says, MISTAKE[i].says));
    }
    const double strain[6] = {(double)NAN, 0, 0, 0, 0, 0};
    double sigma[6], state[STATES];
    CHECK(!TL_DRUCKER_PRAGER.stress(CAPPED, strain, NULL, state, sigma, NULL));
}

/* Rate-independent, so a strain that stays changes nothing: whatever the cap's shape, and the state before. Stress that is on the surface by rounding, inside
 * of the cone, once went to the cone. */
TEST(stays)
{
    static const double RATIO[4] = {0.3, 0.6, 1, 3};
    tl_random random = tl_random_seed(5);
    for (int trial = 0; trial < 20000; trial++) {
        const double soil[10] = {20e6, 0.3, 1e3, 0.6, trial % 3 ? 500 : 3500, trial % 7 ? 100e3 : 0, RATIO[trial % 4], 0.1, 1e-5};
        double strain[6], before[STATES] = {0}, once[STATES], twice[STATES], sigma[6], again[6], size = 0;
        random_strain(&random, 1e-2, strain);
        before[COMPACTED] = trial % 7 && trial % 2 ? tl_random_uniform(&random, 0, 3) : 0;
        CHECK(TL_DRUCKER_PRAGER.stress(soil, strain, before, once, sigma, NULL));
        CHECK(TL_DRUCKER_PRAGER.stress(soil, strain, once, twice, again, NULL));
        for (int i = 0; i < 6; i++) size = fmax(size, fabs(sigma[i]));
        for (int i = 0; i < 6; i++) CHECK_NEAR(again[i], sigma[i], 1e-9 * (size + 1));
        CHECK_NEAR(twice[COMPACTED], once[COMPACTED], 1e-9);
    }
}

/* Plane stress: nothing across, and the tangent is that of the constrained law. */
TEST(plane_stress)
{
    const tl_material soil = {&TL_DRUCKER_PRAGER, {91e6, 0.3, 14e3, 22 * DEGREE, 5e3, 750e3, 4, 0.1, 1e-6}};
    tl_random random = tl_random_seed(2);
    int seen = 0;
    for (int trial = 0; trial < 500; trial++) {
        double strain[6] = {0}, guess[6], sigma[6], state[STATES], D[6][6], low[6], high[6];
        for (int i = 0; i < 4; i++) strain[i] = i == 2 ? 0 : 2e-3 * tl_random_uniform(&random, -1, 0.3);
        memcpy(guess, strain, sizeof guess);
        CHECK(tl_plane_stress(&soil, guess, NULL, state, sigma, D));
        seen += state[0] != 0 || state[COMPACTED] != 0;
        CHECK_NEAR(sigma[2], 0, 1e-6);
        CHECK_NEAR(guess[0], strain[0], 0);
        double up[6], down[6];
        memcpy(up, guess, sizeof up), memcpy(down, guess, sizeof down);
        up[0] += 1e-8, down[0] -= 1e-8;
        if (!tl_plane_stress(&soil, up, NULL, state, high, NULL) || !tl_plane_stress(&soil, down, NULL, state, low, NULL)) continue;
        CHECK_NEAR(D[0][0], (high[0] - low[0]) / 2e-8, 1e-3 * 91e6);
    }
    CHECK(seen > 250); /* that yielded */
}

int main(int argc, char **argv)
{
    RUN(equations);
    RUN(nearest);
    RUN(tangents);
    RUN(compaction);
    RUN(triaxial);
    RUN(dissipation);
    RUN(isochoric);
    RUN(isochoric_tangents);
    RUN(sheared);
    RUN(wrong);
    RUN(stays);
    RUN(plane_stress);
    return TEST_RESULT;
}
