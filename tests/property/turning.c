/* Elements that turn: the rotation is that of the polar decomposition; a rigid turn has no strain; forces are the derivative of the energy and stiffness that
 * of forces, by difference quotients; what is turned as a whole is turned in all it says; a small displacement is that of an element which does not turn, to
 * second order; and what yields, yields turned as it does straight. */
#include "solid/element_response.h"

#include "base/math.h"
#include "test.h"

enum { N = TL_ELEMENT_UNKNOWNS, STATES = 8 * TL_MATERIAL_STATES + TL_ENHANCED_MODES };

static const tl_material RUBBER = {&TL_ELASTIC, {1e7, 0.4}};
/* clay, c 1 kPa, φ 8°: yields at strains of some 1e-3 */
static const tl_material SOIL = {&TL_DRUCKER_PRAGER, {1e6, 0.3, 1e3, 8 * TL_PI / 180, 1e3}};

static tl_random rnd;
static double uniform(double low, double high) { return tl_random_uniform(&rnd, low, high); }

/* A turn about a skew axis, in the plane about z. */
static tl_mat3 turn_by(int dimension, double angle) { return tl_mat3_rotation(tl_normalize(dimension == 2 ? tl_v3(0, 0, 1) : tl_v3(0.3, -0.8, 0.5)), angle); }

typedef struct subject {
    tl_element e;
    double x[TL_ELEMENT_NODES][3];
    int d, n;
} subject;

/* Skewed, and but for the kinds with nodes between corners every node moved by itself. */
static subject subject_of(const tl_element *e)
{
    static const double A[3][3] = {{1.3, 0.2, -0.1}, {0.1, 0.8, 0.3}, {-0.2, 0.15, 1.1}};
    subject s = {*e, {{0}}, e->kind->dimension, e->kind->dimension * e->kind->nodes};
    const bool between = e->kind == &TL_TRIANGLE6 || e->kind == &TL_TETRAHEDRON10;
    rnd = tl_random_seed(11);
    for (int a = 0; a < e->kind->nodes; a++)
        for (int i = 0; i < s.d; i++) {
            s.x[a][i] = 0.5 * (i + 1) + (between ? 0 : uniform(-0.15, 0.15));
            for (int j = 0; j < s.d; j++) s.x[a][i] += A[i][j] * e->kind->corner[a][j];
        }
    return s;
}
#define PLACES(s) ((const double(*)[3])(s)->x)

/* u of places Q (x + w) + c */
static void turned(const subject *s, const tl_mat3 *Q, const double *w, double c, double *u)
{
    for (int a = 0; a < s->e.kind->nodes; a++) {
        double y[3];
        tl_vec3 x = tl_load3(s->x[a]);
        if (w) x = tl_add(x, tl_v3(w[s->d * a], w[s->d * a + 1], s->d == 3 ? w[s->d * a + 2] : 0));
        tl_store3(y, tl_mat3_apply(Q, x));
        for (int i = 0; i < s->d; i++) u[s->d * a + i] = y[i] + c - s->x[a][i];
    }
}

typedef void on_element(const subject *);
static void each(const tl_material *material, on_element *check)
{
    for (int i = 0; i < tl_element_kinds(); i++) {
        tl_element e = {.kind = tl_element_kind_at(i), .material = material, .density = 2000, .turns = true};
        e.thickness = e.kind->dimension == 2 ? 0.7 : 1;
        for (int plane = 0; plane < (e.kind->dimension == 2 ? 2 : 1); plane++)
            for (int strain = TALUS_STRAIN_PLAIN; strain <= TALUS_STRAIN_ENHANCED; strain++) {
                e.plane_stress = plane, e.strain = (talus_strain)strain;
                if (strain == TALUS_STRAIN_ENHANCED && e.kind->modes == 0) continue;
                if (strain == TALUS_STRAIN_MEAN_VOLUME && !e.kind->mean_volume) continue;
                const int before = test_failures;
                const subject s = subject_of(&e);
                check(&s);
                if (test_failures > before) fprintf(stderr, "   %s, strain %d, plane stress %d\n", e.kind->name, strain, plane);
            }
    }
}

/* ---- the rotation --------------------------------------------------------------------------------------------------------------- */

TEST(polar)
{
    rnd = tl_random_seed(3);
    for (int trial = 0; trial < 2000; trial++) {
        const tl_mat3 Q = turn_by(3, uniform(-4, 4)), P = tl_mat3_rotation(tl_normalize(tl_v3(uniform(-1, 1), 1, uniform(-1, 1))), uniform(-3, 3));
        const tl_mat3 Pt = tl_mat3_transpose(&P);
        tl_mat3 stretch = tl_mat3_identity(), R;
        for (int i = 0; i < 3; i++) stretch.m[i][i] = pow(10, uniform(-1, 1));
        const tl_mat3 half = tl_mat3_mul(&stretch, &Pt), U = tl_mat3_mul(&P, &half);
        tl_mat3 F = tl_mat3_mul(&Q, &U);
        CHECK(tl_mat3_polar(&F, &R));
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) CHECK_NEAR(R.m[i][k], Q.m[i][k], 1e-13);
        for (int k = 0; k < 3; k++) F.m[0][k] = -F.m[0][k];
        CHECK(!tl_mat3_polar(&F, &R));
    }
}

/* ---- rigid motion ---------------------------------------------------------------------------------------------------------------- */

static void rigid(const subject *s)
{
    static const double ANGLE[] = {90, 200, -135, 0.3};
    double u[N], f[N], K[N * N], largest = 0;
    for (int i = 0; i < 4; i++) {
        const tl_mat3 Q = turn_by(s->d, ANGLE[i] * TL_PI / 180);
        double state[STATES] = {0};
        turned(s, &Q, NULL, 3, u);
        CHECK(tl_element_response(&s->e, PLACES(s), u, (tl_element_history){NULL, state}, f, K));
        for (int a = 0; a < s->n * s->n; a++) largest = fmax(largest, fabs(K[a]));
        for (int a = 0; a < s->n; a++) CHECK_NEAR(f[a], 0, 2e-14 * largest);
        for (int p = 0; p < s->e.kind->points; p++) {
            tl_stress at;
            CHECK(tl_element_stress(&s->e, PLACES(s), u, state, p, &at));
            for (int k = 0; k < 6; k++) CHECK_NEAR(at.strain[k], 0, 1e-14);
        }
    }
}
TEST(rigid_turns) { each(&RUBBER, rigid), each(&SOIL, rigid); }

/* ---- energy, forces, stiffness ---------------------------------------------------------------------------------------------------- */

static double energy_at(const subject *s, const double *u)
{
    double state[TL_ENHANCED_MODES] = {0}, f[N];
    CHECK(tl_element_response(&s->e, PLACES(s), u, (tl_element_history){NULL, state}, f, NULL));
    return tl_element_energy(&s->e, PLACES(s), u, state);
}

/* Sixth order quotients of a step h; what is left is h⁶ and rounding/h. */
static void derivatives(const subject *s)
{
    static const double WEIGHT[3] = {0.75, -0.15, 1 / 60.0};
    double u[N], w[N], f[N], K[N * N], F[N], size = 0, stiff = 0;
    const double h = 2e-3;
    const tl_mat3 Q = turn_by(s->d, 2.4);
    for (int a = 0; a < s->n; a++) w[a] = uniform(-0.08, 0.08);
    turned(s, &Q, w, 0, u);
    CHECK(tl_element_response(&s->e, PLACES(s), u, (tl_element_history){0}, f, K));
    for (int a = 0; a < s->n; a++) size = fmax(size, fabs(f[a]));
    for (int a = 0; a < s->n * s->n; a++) stiff = fmax(stiff, fabs(K[a]));
    for (int a = 0; a < s->n; a++) {
        double slope = 0, column[N] = {0};
        for (int k = 0; k < 3; k++)
            for (int side = -1; side <= 1; side += 2) {
                double at[N];
                for (int b = 0; b < s->n; b++) at[b] = u[b];
                at[a] += side * (k + 1) * h;
                slope += side * WEIGHT[k] / h * energy_at(s, at);
                CHECK(tl_element_response(&s->e, PLACES(s), at, (tl_element_history){0}, F, NULL));
                for (int b = 0; b < s->n; b++) column[b] += side * WEIGHT[k] / h * F[b];
            }
        CHECK_NEAR(f[a], slope, 1e-9 * size);
        for (int b = 0; b < s->n; b++) {
            CHECK_NEAR(K[b * s->n + a], column[b], 1e-9 * stiff);
            CHECK_NEAR(K[b * s->n + a], K[a * s->n + b], 1e-13 * stiff);
        }
    }
    tl_vec3 sum = {0, 0, 0}, moment = {0, 0, 0};
    for (int a = 0; a < s->e.kind->nodes; a++) {
        double x[3] = {0}, push[3] = {0};
        for (int i = 0; i < s->d; i++) x[i] = s->x[a][i] + u[s->d * a + i], push[i] = f[s->d * a + i];
        sum = tl_add(sum, tl_load3(push)), moment = tl_add(moment, tl_cross(tl_load3(x), tl_load3(push)));
    }
    CHECK_NEAR(tl_norm(sum), 0, 1e-13 * size);
    CHECK_NEAR(tl_norm(moment), 0, 1e-12 * size);
}
TEST(gradients) { each(&RUBBER, derivatives); }

/* A known stiffness gives the same as the material does; with it, damping takes from a motion, and nothing from a rigid one. */
static void known(const subject *s)
{
    double u[N], w[N], v[N], f[N], F[N], K[N * N], K2[N * N], own[N * N], none[N] = {0}, mean[TL_ELEMENT_NODES][3], size = 0, power = 0, d[N] = {0};
    const tl_mat3 Q = turn_by(s->d, -1.7);
    subject c = *s;
    c.e.turns = false;
    CHECK(tl_element_response(&c.e, PLACES(&c), none, (tl_element_history){0}, NULL, own));
    CHECK(tl_element_mean_gradients(&c.e, PLACES(&c), mean));
    c.e.turns = true, c.e.mean = (const double(*)[3])mean, c.e.stiffness = own;
    for (int a = 0; a < s->n; a++) w[a] = uniform(-0.08, 0.08), v[a] = uniform(-1, 1);
    turned(s, &Q, w, 0, u);
    CHECK(tl_element_response(&s->e, PLACES(s), u, (tl_element_history){0}, f, K));
    CHECK(tl_element_response(&c.e, PLACES(s), u, (tl_element_history){0}, F, K2));
    for (int a = 0; a < s->n * s->n; a++) size = fmax(size, fabs(K[a]));
    for (int a = 0; a < s->n; a++) CHECK_NEAR(f[a], F[a], 1e-13 * size);
    for (int a = 0; a < s->n * s->n; a++) CHECK_NEAR(K[a], K2[a], 1e-13 * size);
    CHECK_CLOSE(tl_element_energy(&c.e, PLACES(s), u, NULL), energy_at(s, u), 1e-11);
    CHECK(tl_element_damp(&c.e, PLACES(s), u, v, -0.1, d));
    for (int a = 0; a < s->n; a++) power += d[a] * v[a];
    CHECK(power < 0);
    for (int a = 0; a < s->e.kind->nodes; a++) { /* v = ω × x + const */
        const tl_vec3 omega = s->d == 2 ? tl_v3(0, 0, 2) : tl_v3(1, -0.4, 0.7);
        double x[3] = {0}, rate[3];
        for (int i = 0; i < s->d; i++) x[i] = s->x[a][i] + u[s->d * a + i];
        tl_store3(rate, tl_cross(omega, tl_load3(x)));
        for (int i = 0; i < s->d; i++) v[s->d * a + i] = rate[i] + 5, d[s->d * a + i] = 0;
    }
    CHECK(tl_element_damp(&c.e, PLACES(s), u, v, 1, d));
    for (int a = 0; a < s->n; a++) CHECK_NEAR(d[a], 0, 1e-13 * size);
}
TEST(known_stiffness) { each(&RUBBER, known); }

/* ---- as an element that does not turn ---------------------------------------------------------------------------------------------- */

/* Displacements ε w and half of them: forces differ by ε². A stiff part of w is a turn, so that turning is what is measured. */
static void small(const subject *s)
{
    double w[N], off[2], size = 0;
    const tl_vec3 omega = s->d == 2 ? tl_v3(0, 0, 1) : tl_v3(0.5, 0.6, -0.6);
    subject straight = *s;
    straight.e.turns = false;
    for (int a = 0; a < s->e.kind->nodes; a++) {
        double rate[3];
        tl_store3(rate, tl_cross(omega, tl_load3(s->x[a])));
        for (int i = 0; i < s->d; i++) w[s->d * a + i] = rate[i] + uniform(-0.5, 0.5);
    }
    for (int k = 0; k < 2; k++) {
        double u[N], f[N], F[N];
        for (int a = 0; a < s->n; a++) u[a] = (k ? 5e-5 : 1e-4) * w[a];
        CHECK(tl_element_response(&s->e, PLACES(s), u, (tl_element_history){0}, f, NULL));
        CHECK(tl_element_response(&straight.e, PLACES(s), u, (tl_element_history){0}, F, NULL));
        off[k] = 0;
        for (int a = 0; a < s->n; a++) off[k] = fmax(off[k], fabs(f[a] - F[a])), size = fmax(size, fabs(F[a]));
    }
    CHECK(off[0] < 1e-3 * size && off[0] > 1e-7 * size);
    CHECK_CLOSE(off[0] / off[1], 4.0, 5e-3);
}
TEST(small_displacements) { each(&RUBBER, small); }

/* ---- plasticity ------------------------------------------------------------------------------------------------------------------ */

/* A way of strains in steps, by itself and with a turn of the whole at every step: the same memory, energy and forces, and stresses that are turned. */
static void yielding(const subject *s)
{
    if (s->e.plane_stress) return; /* where this soil is torn, its stress there is not always found, turned or not */
    enum { STEPS = 6 };
    double w[N], memory[2][2][STATES] = {{{0}}}, f[2][N], u[N], size = 0, plastic = 0;
    const double spread = s->e.kind->nodes > 8 || s->e.kind == &TL_TRIANGLE6 ? 0.006 : 0.03; /* nodes that are near strain more */
    for (int a = 0; a < s->n; a++) w[a] = spread * uniform(-1, 1) - 0.005 * s->x[a / s->d][a % s->d];
    for (int step = 1; step <= STEPS; step++) {
        double own[N];
        const int from = step % 2;
        const tl_mat3 none = tl_mat3_identity(), Q = turn_by(s->d, 0.8 * step);
        for (int a = 0; a < s->n; a++) own[a] = (step <= 4 ? step : 8 - step) * 0.25 * w[a];
        turned(s, &none, own, 0, u);
        CHECK(tl_element_response(&s->e, PLACES(s), u, (tl_element_history){memory[0][from], memory[0][!from]}, f[0], NULL));
        turned(s, &Q, own, -2, u);
        CHECK(tl_element_response(&s->e, PLACES(s), u, (tl_element_history){memory[1][from], memory[1][!from]}, f[1], NULL));
        for (int k = 0; k < tl_element_states(&s->e); k++) {
            CHECK_NEAR(memory[0][!from][k], memory[1][!from][k], 1e-11);
            if (k < s->e.kind->points * SOIL.kind->states) plastic = fmax(plastic, fabs(memory[1][!from][k]));
        }
        for (int a = 0; a < s->n; a++) size = fmax(size, fabs(f[0][a]));
        for (int a = 0; a < s->e.kind->nodes; a++) {
            double push[3] = {0}, expect[3];
            for (int i = 0; i < s->d; i++) push[i] = f[0][s->d * a + i];
            tl_store3(expect, tl_mat3_apply(&Q, tl_load3(push)));
            for (int i = 0; i < s->d; i++) CHECK_NEAR(f[1][s->d * a + i], expect[i], 1e-9 * size);
        }
        tl_stress one, two;
        double volume;
        CHECK(tl_element_mean_stress(&s->e, PLACES(s), u, memory[1][!from], &two, &volume));
        turned(s, &none, own, 0, u);
        CHECK(tl_element_mean_stress(&s->e, PLACES(s), u, memory[0][!from], &one, &volume));
        tl_mat3 S;
        static const int ROW[6] = {0, 1, 2, 0, 1, 0}, COLUMN[6] = {0, 1, 2, 1, 2, 2};
        for (int k = 0; k < 6; k++) S.m[ROW[k]][COLUMN[k]] = S.m[COLUMN[k]][ROW[k]] = one.stress[k];
        const tl_mat3 Qt = tl_mat3_transpose(&Q), half = tl_mat3_mul(&S, &Qt), expect = tl_mat3_mul(&Q, &half);
        for (int k = 0; k < 6; k++) CHECK_NEAR(two.stress[k], expect.m[ROW[k]][COLUMN[k]], 1e-6);
        for (int k = 0; k < 3; k++) S.m[k][k] = one.strain[k];
        for (int k = 3; k < 6; k++) S.m[ROW[k]][COLUMN[k]] = S.m[COLUMN[k]][ROW[k]] = 0.5 * one.strain[k];
        const tl_mat3 half2 = tl_mat3_mul(&S, &Qt), expect2 = tl_mat3_mul(&Q, &half2);
        for (int k = 0; k < 6; k++) CHECK_NEAR(two.strain[k], (k < 3 ? 1 : 2) * expect2.m[ROW[k]][COLUMN[k]], 1e-12);
    }
    CHECK(plastic > 1e-4);
}
TEST(plastic_turns) { each(&SOIL, yielding); }

TEST(inside_out)
{
    for (int i = 0; i < tl_element_kinds(); i++) {
        const tl_element e = {.kind = tl_element_kind_at(i), .material = &RUBBER, .thickness = 1, .density = 1, .turns = true};
        const subject s = subject_of(&e);
        double u[N], f[N];
        for (int a = 0; a < s.n; a++) u[a] = a % s.d == 0 ? -2.2 * s.x[a / s.d][0] : 0;
        CHECK(!tl_element_response(&e, PLACES(&s), u, (tl_element_history){0}, f, NULL));
    }
}

int main(int argc, char **argv)
{
    RUN(polar);
    RUN(rigid_turns);
    RUN(gradients);
    RUN(known_stiffness);
    RUN(small_displacements);
    RUN(plastic_turns);
    RUN(inside_out);
    return TEST_RESULT;
}
