/* Particles of meshfree solids (theory §7.2): rotations, closed forms, derivatives, and a cube of them pressed from all sides and drawn along one. */
#include "property/particle.h"
#include "solid/least_squares.h"

enum { MOST = 2000 };
static const double E = 1e6, NU = 0.25;

static tl_material elastic(void) { return (tl_material){&TL_ELASTIC, {E, NU}}; }

/* A rotation after the deformation turns P with it and nothing else: strain and what is remembered are the same, elastic or yielding. */
TEST(rotations)
{
    rnd = tl_random_seed(3);
    for (int trial = 0; trial < 200; trial++) {
        const tl_material m = trial % 2 ? soil() : elastic();
        const tl_mat3 F = random_deformation(trial % 2 ? 0.01 : 0.15), Q = random_rotation(), QF = tl_mat3_mul(&Q, &F), G = less_one(F), QG = less_one(QF);
        double before[TL_MATERIAL_STATES] = {0}, after[2][TL_MATERIAL_STATES] = {{0}}, strain[2][6];
        tl_mat3 P = {{{0}}}, turned = P;
        CHECK(tl_particle_stress(&m, &(tl_particle_motion){.G = &G}, before, after[0], &P, NULL) &&
              tl_particle_stress(&m, &(tl_particle_motion){.G = &QG}, before, after[1], &turned, NULL));
        const tl_mat3 want = tl_mat3_mul(&Q, &P);
        tl_particle_strain(&G, strain[0]), tl_particle_strain(&QG, strain[1]);
        for (int k = 0; k < 9; k++) CHECK_NEAR(turned.m[k / 3][k % 3], want.m[k / 3][k % 3], 1e-13 * m.parameter[0]);
        for (int k = 0; k < 6; k++) CHECK_NEAR(strain[1][k], strain[0][k], 1e-15);
        for (int k = 0; k < m.kind->states; k++) CHECK_NEAR(after[1][k], after[0][k], 1e-12);
    }
}

/* The tangent by central differences, symmetric where it is elastic. */
TEST(tangents)
{
    rnd = tl_random_seed(4);
    for (int trial = 0; trial < 60; trial++) {
        const tl_material m = trial % 2 ? soil() : elastic();
        const double by = trial % 2 ? 0.003 : 0.2, nudge = trial % 2 ? 1e-8 : 1e-6;
        const tl_mat3 F = less_one(random_deformation(by));
        double before[TL_MATERIAL_STATES] = {0}, after[TL_MATERIAL_STATES], tangent[9][9];
        tl_mat3 P;
        CHECK(tl_particle_stress(&m, &(tl_particle_motion){.G = &F}, before, after, &P, tangent));
        for (int c = 0; c < 9; c++) {
            tl_mat3 up = F, down = F, Pu = F, Pd = F;
            up.m[c / 3][c % 3] += nudge, down.m[c / 3][c % 3] -= nudge;
            CHECK(tl_particle_stress(&m, &(tl_particle_motion){.G = &up}, before, after, &Pu, NULL) &&
                  tl_particle_stress(&m, &(tl_particle_motion){.G = &down}, before, after, &Pd, NULL));
            for (int r = 0; r < 9; r++) {
                CHECK_NEAR(tangent[r][c], (Pu.m[r / 3][r % 3] - Pd.m[r / 3][r % 3]) / (2 * nudge), 1e-4 * m.parameter[0]);
                if (trial % 2 == 0) CHECK_NEAR(tangent[r][c], tangent[c][r], 1e-9 * E);
            }
        }
    }
}

/* Strains far below the rounding of 1 are strains yet. */
TEST(small_strains)
{
    tl_mat3 G = {{{3e-17, 1e-17, 0}, {1e-17, -1e-17, 0}, {0, 0, 2e-18}}};
    double strain[6];
    tl_particle_strain(&G, strain);
    CHECK_NEAR(strain[0], 3e-17, 1e-30);
    CHECK_NEAR(strain[2], 2e-18, 1e-30);
    CHECK_NEAR(strain[3], 2e-17, 1e-30);
}

/* What lies inside out, or is flat, has no answer. */
TEST(inverted)
{
    const tl_material m = elastic();
    tl_mat3 F = {{{0}}}, P;
    double after[TL_MATERIAL_STATES];
    F.m[0][0] = -1.5;
    CHECK(!tl_particle_stress(&m, &(tl_particle_motion){.G = &F}, NULL, after, &P, NULL));
    F.m[0][0] = -1;
    CHECK(!tl_particle_stress(&m, &(tl_particle_motion){.G = &F}, NULL, after, &P, NULL));
}

/* A cube of side³ particles under a uniform deformation: nothing is left inside, and its faces are pressed by N18's closed forms,
 * p_u = ½ E λ (λ² − 1) along one side that is drawn while the others follow, p_c = ½ E/(1 − 2ν) λ (λ² − 1) from all sides, and tr ε is the same everywhere. */
TEST(cubes)
{
    static int site[MOST][3];
    static double u[MOST][3], force[MOST][3];
    const tl_material m = elastic();
    for (int side = 6; side <= 12; side += 2)
        for (int i = 0; i < 8; i++) {
            const double lambda = 0.85 + 0.1 * (i / 2), across2 = 1 - NU * (lambda * lambda - 1), a = 0.1;
            const bool all = i % 2;
            const double stretch[3] = {lambda, all ? lambda : sqrt(across2), all ? lambda : sqrt(across2)};
            tl_least_squares s;
            tl_error error;
            int n = 0;
            for (int k = 0; k < side * side * side; k++, n++) site[n][0] = k % side, site[n][1] = k / side % side, site[n][2] = k / side / side;
            const tl_least_squares_def d = {3, n, (const int(*)[3])site, a, 1.95};
            MUST(tl_least_squares_create(tl_memory_default(), &d, &s, &error), error);
            memset(force, 0, sizeof force);
            for (int k = 0; k < n; k++)
                for (int axis = 0; axis < 3; axis++) u[k][axis] = (stretch[axis] - 1) * a * site[k][axis];
            for (int k = 0; k < n; k++) {
                double near[27][3], strain[6], after[TL_MATERIAL_STATES];
                const int begin = s.begin[k], count = s.begin[k + 1] - begin;
                tl_mat3 P;
                for (int j = 0; j < count; j++) memcpy(near[j], u[s.neighbour[begin + j]], sizeof near[j]);
                const tl_mat3 F = tl_particle_gradient(count, (const double(*)[3])(s.gradient + begin), (const double(*)[3])near);
                CHECK(tl_particle_stress(&m, &(tl_particle_motion){.G = &F}, NULL, after, &P, NULL));
                tl_particle_strain(&F, strain);
                CHECK_NEAR(strain[0] + strain[1] + strain[2], 0.5 * (stretch[0] * stretch[0] + stretch[1] * stretch[1] + stretch[2] * stretch[2] - 3), 1e-13);
                for (int j = 0; j < count; j++)
                    for (int axis = 0; axis < 3; axis++)
                        for (int b = 0; b < 3; b++) force[s.neighbour[begin + j]][axis] -= s.volume[k] * P.m[axis][b] * s.gradient[begin + j][b];
            }
            double pressed = 0, inside = 0;
            for (int k = 0; k < n; k++) {
                bool inner = true;
                for (int axis = 0; axis < 3; axis++) inner = inner && site[k][axis] > 0 && site[k][axis] < side - 1;
                for (int axis = 0; inner && axis < 3; axis++) inside = fmax(inside, fabs(force[k][axis]));
                if (site[k][0] == 0) pressed += force[k][0];
            }
            const double area = a * (side - 1) * a * (side - 1), c = all ? E / (1 - 2 * NU) : E, p = 0.5 * c * lambda * (lambda * lambda - 1);
            CHECK_NEAR(pressed / area, p, 1e-9 * E);
            CHECK(inside < 1e-10 * E * a * a);
            tl_least_squares_free(&s);
        }
}

int main(int argc, char **argv)
{
    RUN(rotations);
    RUN(tangents);
    RUN(small_strains);
    RUN(inverted);
    RUN(cubes);
    return TEST_RESULT;
}
