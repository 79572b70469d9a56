/* References that are renewed (particle_renewal.h, theory §7.8): what a renewal keeps, and what many of them are for: soil that is sheared far carries its
 * strength, and is neither pressed nor drawn. */
#include "property/particle.h"
#include "solid/particle_renewal.h"

enum { STATES = TL_MATERIAL_STATES + TL_RENEWAL_STATES };

static bool stress_at(const tl_material *m, const tl_mat3 *F, const double *before, double *after, tl_mat3 *P, double (*tangent)[9])
{
    const tl_mat3 G = less_one(*F);
    return tl_particle_stress_renewed(m, &(tl_particle_motion){.G = &G}, before, after, P, tangent);
}

/* A particle that has yielded on a way of some bends, its reference renewed at each. */
static tl_mat3 open_particle(const tl_material *m, double by, double memory[STATES])
{
    tl_mat3 F = tl_mat3_identity(), P;
    memset(memory, 0, STATES * sizeof *memory);
    for (int bend = 0; bend < 3; bend++) {
        double after[STATES];
        const tl_mat3 more = random_deformation(by);
        F = tl_mat3_mul(&more, &F);
        const tl_mat3 G = less_one(F);
        CHECK(stress_at(m, &F, memory, after, &P, NULL));
        memcpy(memory, after, sizeof after);
        if (bend < 2) CHECK(tl_particle_renew(m, &G, 1e-6, memory));
    }
    return F;
}

/* A renewal leaves no strain and changes no hardening. Forces change as far as the strain goes that it takes away, and the size of stress does not. */
TEST(renewals)
{
    rnd = tl_random_seed(5);
    const tl_material m = soil();
    for (int trial = 0; trial < 100; trial++) {
        double memory[STATES], after[STATES], volume, yielded, caps[2], strain[6], S[6], turned[6], size = 0, off = 0;
        tl_mat3 first, second;
        const tl_mat3 F = open_particle(&m, 0.01, memory), G = less_one(F);
        const tl_mat3 before = tl_particle_seen(&G, memory + m.kind->states, &volume);
        CHECK(stress_at(&m, &F, memory, after, &first, NULL));
        tl_particle_strain(&before, strain);
        CHECK(m.kind->stress(m.parameter, strain, memory, after, S, NULL));
        m.kind->yielded(m.parameter, memory, &yielded, &caps[0]);
        CHECK(!tl_particle_renew(&m, &G, 10, memory));
        CHECK(tl_particle_renew(&m, &G, 1e-6, memory));
        CHECK(stress_at(&m, &F, memory, after, &second, NULL));
        m.kind->yielded(m.parameter, memory, &yielded, &caps[1]);
        CHECK(caps[0] == caps[1]);
        const tl_mat3 seen = tl_particle_seen(&G, memory + m.kind->states, &volume);
        for (int k = 0; k < 9; k++) CHECK_NEAR(seen.m[k / 3][k % 3], 0, 1e-14);
        CHECK_NEAR(volume, tl_particle_volume(&F), 1e-13);
        const double none[6] = {0};
        CHECK(m.kind->stress(m.parameter, none, memory, after, turned, NULL));
        CHECK_NEAR(turned[0] + turned[1] + turned[2], S[0] + S[1] + S[2], 1e-12 * m.parameter[0]);
        double squares[2] = {0, 0};
        for (int i = 0; i < 6; i++) squares[0] += (i < 3 ? 1 : 2) * S[i] * S[i], squares[1] += (i < 3 ? 1 : 2) * turned[i] * turned[i];
        CHECK_NEAR(sqrt(squares[1]), sqrt(squares[0]), 1e-12 * m.parameter[0]);
        for (int k = 0; k < 9; k++) size = fmax(size, fabs(first.m[k / 3][k % 3])), off = fmax(off, fabs(second.m[k / 3][k % 3] - first.m[k / 3][k % 3]));
        CHECK(off < 0.1 * size); /* entries of F' − 1 are up to 0.01, three of them in a sum, on two sides */
    }
}

/* A rotation after all of it turns P with it. */
TEST(rotations)
{
    rnd = tl_random_seed(6);
    const tl_material m = soil();
    for (int trial = 0; trial < 100; trial++) {
        double memory[STATES], after[2][STATES];
        tl_mat3 P, turned;
        const tl_mat3 F = open_particle(&m, 0.01, memory);
        const tl_mat3 Q = random_rotation(), QF = tl_mat3_mul(&Q, &F);
        CHECK(stress_at(&m, &F, memory, after[0], &P, NULL) && stress_at(&m, &QF, memory, after[1], &turned, NULL));
        const tl_mat3 want = tl_mat3_mul(&Q, &P);
        for (int k = 0; k < 9; k++) CHECK_NEAR(turned.m[k / 3][k % 3], want.m[k / 3][k % 3], 1e-12 * m.parameter[0]);
    }
}

/* By central differences. */
TEST(tangents)
{
    rnd = tl_random_seed(7);
    const tl_material m = soil();
    for (int trial = 0; trial < 40; trial++) {
        double memory[STATES], after[STATES], tangent[9][9];
        tl_mat3 P;
        const double nudge = 1e-8;
        const tl_mat3 start = open_particle(&m, 0.003, memory), more = random_deformation(0.003), F = tl_mat3_mul(&more, &start);
        CHECK(stress_at(&m, &F, memory, after, &P, tangent));
        for (int c = 0; c < 9; c++) {
            tl_mat3 up = F, down = F, Pu = F, Pd = F;
            up.m[c / 3][c % 3] += nudge, down.m[c / 3][c % 3] -= nudge;
            CHECK(stress_at(&m, &up, memory, after, &Pu, NULL) && stress_at(&m, &down, memory, after, &Pd, NULL));
            for (int r = 0; r < 9; r++) CHECK_NEAR(tangent[r][c], (Pu.m[r / 3][r % 3] - Pd.m[r / 3][r % 3]) / (2 * nudge), 1e-4 * m.parameter[0]);
        }
    }
}

/* √J₂ of Cauchy's stress over the strength, and the mean stress over it, of soil almost without friction (ξ = 2/√3) that is sheared by γ in steps. */
static void shear_far(double gamma, int steps, double renewal, double *strength, double *mean)
{
    const double c = 1e3, k = 2 / sqrt(3) * c;
    const tl_material m = {&TL_DRUCKER_PRAGER, {1e6, 0.3, c, 1e-7, 1e6, 0, 4, 0.1, 1e-6}};
    double memory[STATES] = {0}, after[STATES], stress[6], squares = 0;
    tl_mat3 F = tl_mat3_identity(), P = F;
    for (int i = 1; i <= steps; i++) {
        F.m[0][1] = gamma * i / steps;
        const tl_mat3 G = less_one(F);
        CHECK(stress_at(&m, &F, memory, after, &P, NULL));
        memcpy(memory, after, sizeof after);
        if (renewal > 0) (void)tl_particle_renew(&m, &G, renewal, memory);
    }
    tl_particle_cauchy(&F, &P, stress);
    const double third = (stress[0] + stress[1] + stress[2]) / 3;
    for (int i = 0; i < 6; i++) squares += i < 3 ? 0.5 * (stress[i] - third) * (stress[i] - third) : stress[i] * stress[i];
    *strength = sqrt(squares) / k, *mean = third / k;
}

/* Sheared to γ = 2, soil without friction carries its strength and no mean stress, for it flows without a change of volume. Green's strain has a trace γ²/2 by
 * itself, that of references which are renewed after each Δ γ Δ/2: with K the bulk modulus the mean stress is wrong by K γ Δ/2, and falls with Δ; without any
 * renewal, strength and mean stress are both wrong by hundreds. */
TEST(sheared_far)
{
    enum { TRIALS = 3 };
    double strength, mean[TRIALS], alone, drawn;
    for (int i = 0; i < TRIALS; i++) {
        const int steps = 2000 << i;
        const double delta = 2.0 / steps, K = 1e6 / (3 * (1 - 2 * 0.3)) / (2 / sqrt(3) * 1e3);
        shear_far(2, steps, 1e-9, &strength, &mean[i]);
        CHECK_NEAR(mean[i], K * 2 * delta / 2, 0.1 * K * delta);
        CHECK_NEAR(strength, 1, 4 * delta);
    }
    for (int i = 0; i + 1 < TRIALS; i++) CHECK_NEAR(mean[i] / mean[i + 1], 2, 0.1);
    shear_far(2, 2000, 0, &alone, &drawn);
    CHECK(alone > 100 && drawn > 100);
}

/* What is stretched further than its neighbours tell of, or pressed to where elasticity falls, is not held. */
TEST(limits)
{
    const tl_material m = soil(), elastic = {&TL_ELASTIC, {1e6, 0.25}};
    for (int axis = 0; axis < 3; axis++) {
        tl_mat3 G = {{{0}}};
        G.m[axis][axis] = 3.9;
        CHECK(tl_particle_holds(&m, &G, 5) && tl_particle_holds(&elastic, &G, 5));
        G.m[axis][axis] = 4.1;
        CHECK(!tl_particle_holds(&m, &G, 5));
        G.m[axis][axis] = 0.2;
        CHECK(tl_particle_holds(&m, &G, 1.25) && !tl_particle_holds(&m, &G, 1.15));
        G.m[axis][axis] = -0.79;
        CHECK(tl_particle_holds(&m, &G, 5) && !tl_particle_holds(&elastic, &G, 5));
        G.m[axis][axis] = -0.81;
        CHECK(!tl_particle_holds(&m, &G, 5));
        G.m[axis][axis] = -0.42;
        CHECK(tl_particle_holds(&elastic, &G, 5)); /* 1/√3 is 0.577 */
    }
}

/* A particle that is torn resists nothing. */
TEST(torn)
{
    const tl_material m = soil();
    double memory[STATES] = {0}, after[STATES], tangent[9][9];
    tl_mat3 F = tl_mat3_identity(), P = F;
    F.m[0][0] = -3;
    memory[m.kind->states + TL_RENEWAL_TORN] = 1;
    CHECK(stress_at(&m, &F, memory, after, &P, tangent));
    for (int k = 0; k < 9; k++) CHECK(P.m[k / 3][k % 3] == 0 && tangent[k][k] == 0);
    CHECK(after[m.kind->states + TL_RENEWAL_TORN] == 1);
}

int main(int argc, char **argv)
{
    RUN(renewals);
    RUN(rotations);
    RUN(tangents);
    RUN(sheared_far);
    RUN(limits);
    RUN(torn);
    return TEST_RESULT;
}
