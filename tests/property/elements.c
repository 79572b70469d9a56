/* Finite elements: what every kind owes, whatever it is made of. Expected are integrals of powers in closed form, constant strain to rounding (patch test),
 * rigid motions without force, and bending by the theory of beams. */
#include "solid/element_response.h"

#include "base/math.h"
#include "test.h"

enum { N = TL_ELEMENT_UNKNOWNS };

static const tl_material STEEL = {&TL_ELASTIC, {2e11, 0.3}};
static const tl_material RUBBER = {&TL_ELASTIC, {1e7, 0.49}};

static bool is_simplex(const tl_element_kind *k) { return k == &TL_TRIANGLE3 || k == &TL_TRIANGLE6 || k == &TL_TETRAHEDRON4 || k == &TL_TETRAHEDRON10; }

/* Nodes of an element that is skewed and stretched; `bend` moves every node by itself, too, but for those between corners. */
static void distort(const tl_element_kind *k, double bend, double (*x)[3])
{
    static const double A[3][3] = {{1.3, 0.2, -0.1}, {0.1, 0.8, 0.3}, {-0.2, 0.15, 1.1}};
    tl_random random = tl_random_seed(7);
    for (int n = 0; n < k->nodes; n++)
        for (int i = 0; i < 3; i++) {
            x[n][i] = 0.5 * (i + 1);
            for (int j = 0; j < k->dimension; j++) x[n][i] += A[i][j] * k->corner[n][j];
            if (i < k->dimension && !(k->nodes == 6 && is_simplex(k)) && k->nodes != 10) x[n][i] += bend * tl_random_uniform(&random, -1, 1);
            if (i >= k->dimension) x[n][i] = 0;
        }
}

static tl_element element_of(const tl_element_kind *k, const tl_material *material)
{
    return (tl_element){.kind = k, .material = material, .thickness = k->dimension == 2 ? 0.7 : 1, .density = 2000};
}

/* Every kind with every way to take its strain, and in the plane with either plane. */
typedef void on_element(const tl_element *);
static void each(const tl_material *material, on_element *check)
{
    for (int i = 0; i < tl_element_kinds(); i++) {
        tl_element e = element_of(tl_element_kind_at(i), material);
        for (int plane = 0; plane < (e.kind->dimension == 2 ? 2 : 1); plane++)
            for (int strain = TALUS_STRAIN_PLAIN; strain <= TALUS_STRAIN_ENHANCED; strain++) {
                e.plane_stress = plane;
                e.strain = (talus_strain)strain;
                if (strain == TALUS_STRAIN_ENHANCED && e.kind->modes == 0) continue;
                if (strain == TALUS_STRAIN_MEAN_VOLUME && !e.kind->mean_volume) continue;
                const int before = test_failures;
                check(&e);
                if (test_failures > before) fprintf(stderr, "   %s, strain %d, plane stress %d\n", e.kind->name, strain, plane);
            }
    }
}

/* ---- shape functions and quadratures ------------------------------------------------------------------------------------------- */

TEST(shapes)
{
    for (int i = 0; i < tl_element_kinds(); i++) {
        const tl_element_kind *k = tl_element_kind_at(i);
        double S[TL_ELEMENT_NODES], low[TL_ELEMENT_NODES], high[TL_ELEMENT_NODES], dN[TL_ELEMENT_NODES][3];
        CHECK(tl_element_kind_named(k->name) == k && tl_element_kind_of_gmsh(k->gmsh) == k);
        for (int n = 0; n < k->nodes; n++) {
            k->shape(k->corner[n], S);
            for (int m = 0; m < k->nodes; m++) CHECK_NEAR(S[m], m == n, 1e-15);
        }
        const double at[3] = {0.21, 0.34, k->dimension == 3 ? 0.17 : 0};
        k->slope(at, dN);
        double sum = 0, place[3] = {0, 0, 0};
        k->shape(at, S);
        for (int n = 0; n < k->nodes; n++) {
            sum += S[n];
            for (int j = 0; j < 3; j++) place[j] += S[n] * k->corner[n][j];
        }
        CHECK_NEAR(sum, 1, 1e-15);
        for (int j = 0; j < 3; j++) CHECK_NEAR(place[j], at[j], 1e-15);
        for (int j = 0; j < k->dimension; j++) {
            double down[3] = {at[0], at[1], at[2]}, up[3] = {at[0], at[1], at[2]};
            down[j] -= 1e-4, up[j] += 1e-4;
            k->shape(down, low), k->shape(up, high);
            /* the functions are of second degree along any one coordinate: the difference quotient is exact */
            for (int n = 0; n < k->nodes; n++) CHECK_NEAR(dN[n][j], (high[n] - low[n]) / 2e-4, 1e-11);
        }
    }
}

static double factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

/* Integral of ξ^p over the element. */
static double integral(const tl_element_kind *k, const int p[3])
{
    const double line2 = p[2] % 2 ? 0 : 2.0 / (p[2] + 1);
    if (is_simplex(k)) return factorial(p[0]) * factorial(p[1]) * factorial(p[2]) / factorial(p[0] + p[1] + p[2] + k->dimension);
    if (k == &TL_WEDGE6) return factorial(p[0]) * factorial(p[1]) / factorial(p[0] + p[1] + 2) * line2;
    const double plane = (p[0] % 2 ? 0 : 2.0 / (p[0] + 1)) * (p[1] % 2 ? 0 : 2.0 / (p[1] + 1));
    return k->dimension == 2 ? plane : plane * line2;
}

static double summed(const tl_quadrature_point *point, int points, const int p[3])
{
    double sum = 0;
    for (int i = 0; i < points; i++) sum += point[i].weight * pow(point[i].xi[0], p[0]) * pow(point[i].xi[1], p[1]) * pow(point[i].xi[2], p[2]);
    return sum;
}

/* The degree in the triangle's or tetrahedron's coordinates together, and along a line, which products of shape functions, and of their slopes, have. */
TEST(quadratures)
{
    for (int i = 0; i < tl_element_kinds(); i++) {
        const tl_element_kind *k = tl_element_kind_at(i);
        const bool quadratic = k->nodes == 10 || k == &TL_TRIANGLE6;
        const int together = is_simplex(k) ? (quadratic ? 4 : 2) : k == &TL_WEDGE6 ? 2 : 6, line = is_simplex(k) ? 4 : 2;
        int p[3];
        for (p[0] = 0; p[0] <= line; p[0]++)
            for (p[1] = 0; p[1] <= line; p[1]++)
                for (p[2] = 0; p[2] <= (k->dimension == 3 ? line : 0); p[2]++) {
                    const int degree = k == &TL_WEDGE6 ? p[0] + p[1] : p[0] + p[1] + p[2];
                    if (degree > together) continue;
                    CHECK_NEAR(summed(k->mass_point, k->mass_points, p), integral(k, p), 2e-16 * 10);
                    const int slopes = is_simplex(k) ? (quadratic ? 2 : 0) : together;
                    if (degree <= slopes) CHECK_NEAR(summed(k->point, k->points, p), integral(k, p), 2e-16 * 10);
                }
    }
}

/* Faces look outwards and close: Σ ∫ n dA = 0, and Σ ∫ x·n dA = dimension · volume; faces are flat here. */
TEST(faces)
{
    for (int i = 0; i < tl_element_kinds(); i++) {
        const tl_element_kind *k = tl_element_kind_at(i);
        double x[TL_ELEMENT_NODES][3], M[TL_ELEMENT_NODES * TL_ELEMENT_NODES], area[3] = {0, 0, 0}, flux = 0, mass = 0;
        distort(k, 0, x);
        for (int f = 0; f < k->faces; f++) {
            const tl_element_face *face = &k->face[f];
            double normal[3] = {0, 0, 0}, middle[3] = {0, 0, 0};
            for (int c = 0; c < face->corners; c++)
                for (int j = 0; j < 3; j++) middle[j] += x[face->node[c]][j] / face->corners;
            if (k->dimension == 2) {
                const double *a = x[face->node[0]], *b = x[face->node[1]];
                normal[0] = b[1] - a[1], normal[1] = a[0] - b[0];
            } else
                for (int c = 1; c + 1 < face->corners; c++) {
                    const tl_vec3 o = tl_load3(x[face->node[0]]), a = tl_load3(x[face->node[c]]), b = tl_load3(x[face->node[c + 1]]);
                    const tl_vec3 n = tl_scale(0.5, tl_cross(tl_sub(a, o), tl_sub(b, o)));
                    normal[0] += n.x, normal[1] += n.y, normal[2] += n.z;
                }
            for (int j = 0; j < 3; j++) area[j] += normal[j], flux += normal[j] * middle[j];
            for (int c = face->corners; c < face->nodes; c++) { /* between corners c and the next */
                const double *a = x[face->node[c - face->corners]], *b = x[face->node[(c - face->corners + 1) % face->corners]];
                for (int j = 0; j < 3; j++) CHECK_NEAR(x[face->node[c]][j], 0.5 * (a[j] + b[j]), 1e-14);
            }
        }
        const tl_element e = {.kind = k, .material = &STEEL, .thickness = 1, .density = 1};
        CHECK(tl_element_mass(&e, (const double(*)[3])x, false, M));
        for (int a = 0; a < k->nodes * k->nodes; a++) mass += M[a];
        for (int j = 0; j < 3; j++) CHECK_NEAR(area[j], 0, 1e-14);
        CHECK_CLOSE(flux, k->dimension * mass, 1e-13);
    }
}

/* ---- one element -------------------------------------------------------------------------------------------------------------- */

static const double GRADIENT[3][3] = {{1e-3, -4e-4, 7e-4}, {2e-4, -6e-4, 3e-4}, {-5e-4, 9e-4, 8e-4}};

static void linear_field(const tl_element *e, const double (*x)[3], const double (*gradient)[3], double *u)
{
    const int d = e->kind->dimension;
    for (int n = 0; n < e->kind->nodes; n++)
        for (int i = 0; i < d; i++) {
            u[d * n + i] = 0.01 * (i + 1);
            for (int j = 0; j < d; j++) u[d * n + i] += gradient[i][j] * x[n][j];
        }
}

/* A field that is linear has its strain everywhere, whatever the element's form, and the stress of Hooke's law; in plane stress that of the textbook. */
static void constant_strain(const tl_element *e)
{
    double x[TL_ELEMENT_NODES][3], u[N];
    tl_stress at;
    const int d = e->kind->dimension;
    const double Y = e->material->parameter[0], nu = e->material->parameter[1], (*G)[3] = GRADIENT;
    distort(e->kind, 0.15, x);
    linear_field(e, (const double(*)[3])x, G, u);
    double expect[6] = {G[0][0], G[1][1], d == 3 ? G[2][2] : 0, G[0][1] + G[1][0], d == 3 ? G[1][2] + G[2][1] : 0, d == 3 ? G[0][2] + G[2][0] : 0};
    if (e->plane_stress) expect[2] = -nu / (1 - nu) * (expect[0] + expect[1]);
    const double volume = expect[0] + expect[1] + expect[2];
    double energy = 0, whole = 0, M[TL_ELEMENT_NODES * TL_ELEMENT_NODES], f[N], K[N * N], state[TL_ENHANCED_MODES] = {0};
    CHECK(tl_element_response(e, (const double(*)[3])x, u, (tl_element_history){NULL, state}, f, K));
    for (int m = 0; m < e->kind->modes && e->strain == TALUS_STRAIN_ENHANCED; m++) CHECK_NEAR(state[m], 0, 1e-16);
    for (int p = 0; p < e->kind->points; p++) {
        CHECK(tl_element_stress(e, (const double(*)[3])x, u, state, p, &at));
        for (int i = 0; i < 6; i++) {
            const double hooke = Y / (1 + nu) * (i < 3 ? expect[i] + nu / (1 - 2 * nu) * volume : 0.5 * expect[i]);
            CHECK_NEAR(at.strain[i], expect[i], 1e-16);
            CHECK_NEAR(at.stress[i], e->plane_stress && i == 2 ? 0 : hooke, 1e-12 * Y * 1e-3 / (1 - 2 * nu));
            if (p == 0) energy += 0.5 * hooke * expect[i];
        }
    }
    tl_element_mass(e, (const double(*)[3])x, false, M);
    for (int a = 0; a < e->kind->nodes * e->kind->nodes; a++) whole += M[a] / e->density;
    CHECK_CLOSE(tl_element_energy(e, (const double(*)[3])x, u, state), energy * whole, 1e-12);
    double work = 0;
    for (int a = 0; a < d * e->kind->nodes; a++) work += 0.5 * f[a] * u[a];
    CHECK_CLOSE(work, energy * whole, 1e-11);
}

TEST(patch) { each(&STEEL, constant_strain), each(&RUBBER, constant_strain); }

/* Eigenvalues of a symmetric matrix by Jacobi's rotations. */
static void eigenvalues(double *A, int n, double *out)
{
    for (int sweep = 0; sweep < 60; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++) {
                if (A[p * n + q] == 0) continue;
                const double theta = (A[q * n + q] - A[p * n + p]) / (2 * A[p * n + q]), t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
                const double c = 1 / sqrt(t * t + 1), s = c * t;
                for (int k = 0; k < n; k++) {
                    const double a = A[k * n + p], b = A[k * n + q];
                    A[k * n + p] = c * a - s * b, A[k * n + q] = s * a + c * b;
                }
                for (int k = 0; k < n; k++) {
                    const double a = A[p * n + k], b = A[q * n + k];
                    A[p * n + k] = c * a - s * b, A[q * n + k] = s * a + c * b;
                }
            }
    for (int i = 0; i < n; i++) out[i] = A[i * n + i];
}

/* Symmetric, and without force for rigid motions and for nothing else: no hourglass. */
static void stiffness(const tl_element *e)
{
    double x[TL_ELEMENT_NODES][3], u[N] = {0}, f[N], g[N], K[N * N], value[N], largest = 0;
    const int d = e->kind->dimension, n = d * e->kind->nodes;
    distort(e->kind, 0.15, x);
    CHECK(tl_element_response(e, (const double(*)[3])x, u, (tl_element_history){0}, f, K));
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) largest = fmax(largest, fabs(K[a * n + b]));
    for (int a = 0; a < n; a++)
        for (int b = 0; b < a; b++) CHECK_NEAR(K[a * n + b], K[b * n + a], 1e-13 * largest);
    static const double SPIN[3][3] = {{0, -3e-4, 2e-4}, {3e-4, 0, -5e-4}, {-2e-4, 5e-4, 0}};
    linear_field(e, (const double(*)[3])x, SPIN, u);
    CHECK(tl_element_response(e, (const double(*)[3])x, u, (tl_element_history){0}, f, NULL));
    for (int a = 0; a < n; a++) CHECK_NEAR(f[a], 0, 1e-15 * largest);
    for (int a = 0; a < n; a++) u[a] = 1e-3 * sin(1.7 * a);
    CHECK(tl_element_response(e, (const double(*)[3])x, u, (tl_element_history){0}, f, K));
    for (int a = 0; a < n; a++) {
        g[a] = 0;
        for (int b = 0; b < n; b++) g[a] += K[a * n + b] * u[b];
        CHECK_NEAR(f[a], g[a], 1e-15 * largest);
    }
    eigenvalues(K, n, value);
    int zero = 0, positive = 0;
    double most = 0;
    for (int a = 0; a < n; a++) most = fmax(most, value[a]);
    for (int a = 0; a < n; a++) zero += fabs(value[a])<1e-12 * most, positive += value[a]> 1e-5 * most;
    CHECK(zero == (d == 2 ? 3 : 6));
    CHECK(zero + positive == n);
}

TEST(rigid) { each(&STEEL, stiffness), each(&RUBBER, stiffness); }

/* The mass of nodes: all of it, its centre and its inertia where consistent; lumped, positive and all of it. */
static void mass(const tl_element *e)
{
    double x[TL_ELEMENT_NODES][3], M[TL_ELEMENT_NODES * TL_ELEMENT_NODES], L[TL_ELEMENT_NODES * TL_ELEMENT_NODES], whole = 0, lumped = 0, inertia = 0, fine = 0;
    const int n = e->kind->nodes;
    distort(e->kind, 0, x);
    CHECK(tl_element_mass(e, (const double(*)[3])x, false, M) && tl_element_mass(e, (const double(*)[3])x, true, L));
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++) {
            whole += M[a * n + b], lumped += L[a * n + b];
            inertia += M[a * n + b] * x[a][0] * x[b][0];
            if (a != b) CHECK(L[a * n + b] == 0);
            CHECK_NEAR(M[a * n + b], M[b * n + a], 1e-12);
        }
    for (int a = 0; a < n; a++) CHECK(L[a * n + a] > 0);
    /* ∫ ρ x² over an element that is an affine image, x = b + Σ c_j ξ_j, from the integrals of powers */
    const tl_element_kind *k = e->kind;
    double c[3] = {1.3, 0.2, k->dimension == 3 ? -0.1 : 0}, J[3][3], dN[TL_ELEMENT_NODES][3];
    k->slope(k->corner[0], dN);
    const double density = e->density * (k->dimension == 2 ? e->thickness : 1) * tl_element_jacobian(k, (const double(*)[3])x, (const double(*)[3])dN, J),
                 b = 0.5;
    const int none[3] = {0, 0, 0};
    fine = b * b * integral(k, none);
    for (int i = 0; i < k->dimension; i++) {
        int one[3] = {0, 0, 0};
        one[i] = 1;
        fine += 2 * b * c[i] * integral(k, one);
        for (int j = 0; j < k->dimension; j++) {
            int two[3] = {0, 0, 0};
            two[i]++, two[j]++;
            fine += c[i] * c[j] * integral(k, two);
        }
    }
    CHECK_CLOSE(whole, density * integral(k, none), 1e-13);
    CHECK_CLOSE(lumped, whole, 1e-13);
    CHECK_CLOSE(inertia, density * fine, 1e-12);
}

TEST(masses) { each(&STEEL, mass); }

/* A beam of section t × 2b bent by one element of length 2a, nodes moved to u_x = κ x y. Its own modes make the element exact: the moment is E I κ in plane
 * stress, and E I κ/(1 − ν²) of a plate whose edges stay straight, which is what nodes of a hexahedron held along z are. A plain element shears, too, and its
 * height does not change: integrals of (σ_xx² and τ²) give its moment. */
TEST(bending)
{
    const double a = 1.5, b = 0.1, t = 0.7, kappa = 1e-3, Y = STEEL.parameter[0], nu = STEEL.parameter[1];
    const double shear = (a / b) * (a / b) / (2 * (1 + nu));
    for (int k = 0; k < 2; k++) {
        tl_element e = element_of(k ? &TL_HEXAHEDRON8 : &TL_QUADRILATERAL4, &STEEL);
        const double plain = k ? (1 - nu) / ((1 + nu) * (1 - 2 * nu)) : 1 / (1 - nu * nu), exact = k ? 1 / (1 - nu * nu) : 1;
        double x[TL_ELEMENT_NODES][3], u[N] = {0}, f[N];
        e.plane_stress = true;
        for (int n = 0; n < e.kind->nodes; n++) {
            x[n][0] = a * e.kind->corner[n][0], x[n][1] = b * e.kind->corner[n][1], x[n][2] = 0.5 * t * e.kind->corner[n][2];
            u[e.kind->dimension * n] = kappa * x[n][0] * x[n][1];
        }
        for (int strain = 0; strain < 2; strain++) {
            double moment = 0;
            e.strain = strain ? TALUS_STRAIN_ENHANCED : TALUS_STRAIN_PLAIN;
            CHECK(tl_element_response(&e, (const double(*)[3])x, u, (tl_element_history){0}, f, NULL));
            for (int n = 0; n < e.kind->nodes; n++)
                if (x[n][0] > 0) moment += f[e.kind->dimension * n] * x[n][1];
            CHECK_CLOSE(moment, Y * t * 8 * b * b * b / 12 * kappa * (strain ? exact : plain + shear), 1e-11);
        }
    }
}

TEST(inside_out)
{
    for (int i = 0; i < tl_element_kinds(); i++) {
        const tl_element e = element_of(tl_element_kind_at(i), &STEEL);
        double x[TL_ELEMENT_NODES][3], u[N] = {0}, f[N], M[TL_ELEMENT_NODES * TL_ELEMENT_NODES];
        distort(e.kind, 0, x);
        for (int n = 0; n < e.kind->nodes; n++) x[n][0] = -x[n][0];
        CHECK(!tl_element_response(&e, (const double(*)[3])x, u, (tl_element_history){0}, f, NULL));
        CHECK(!tl_element_mass(&e, (const double(*)[3])x, true, M));
    }
    char text[TL_WRONG_ROOM];
    CHECK(TL_ELASTIC.wrong((const double[]){-1, 0.3}, text) && TL_ELASTIC.wrong((const double[]){1, 0.5}, text));
    CHECK(!TL_ELASTIC.wrong((const double[]){1, 0.49}, text));
}

int main(int argc, char **argv)
{
    RUN(shapes);
    RUN(quadratures);
    RUN(faces);
    RUN(patch);
    RUN(rigid);
    RUN(masses);
    RUN(bending);
    RUN(inside_out);
    return TEST_RESULT;
}
