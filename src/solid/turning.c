/* Axes that turn with an element (turning.h). */
#include "solid/turning.h"

#include <stddef.h>

enum { N = 3 * TL_ELEMENT_NODES };

static tl_vec3 node_part(const tl_turning *t, const double *v, int a)
{
    const int d = t->dimension;
    return tl_v3(v[d * a], v[d * a + 1], d == 3 ? v[d * a + 2] : 0);
}

static void put_part(const tl_turning *t, double *v, int a, tl_vec3 value)
{
    const int d = t->dimension;
    v[d * a] = value.x, v[d * a + 1] = value.y;
    if (d == 3) v[d * a + 2] = value.z;
}

/* ---- where they are -------------------------------------------------------------------------------------------------------------- */

/* In the plane R follows from F + cof F, which is a multiple of it. */
static bool rotation(const tl_mat3 *F, int dimension, tl_mat3 *R)
{
    if (dimension == 3) return tl_mat3_polar(F, R);
    const double c = F->m[0][0] + F->m[1][1], s = F->m[1][0] - F->m[0][1], size = sqrt(c * c + s * s);
    if (!(F->m[0][0] * F->m[1][1] - F->m[0][1] * F->m[1][0] > 0)) return false;
    *R = (tl_mat3){{{c / size, -s / size, 0}, {s / size, c / size, 0}, {0, 0, 1}}};
    return true;
}

tl_mat3 tl_inverse_swing(const tl_mat3 *U)
{
    const double trace = U->m[0][0] + U->m[1][1] + U->m[2][2];
    tl_mat3 S, out;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) S.m[i][k] = (i == k ? trace : 0) - 0.5 * (U->m[i][k] + U->m[k][i]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const int a = (k + 1) % 3, b = (k + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
            out.m[i][k] = S.m[a][c] * S.m[b][d] - S.m[a][d] * S.m[b][c];
        }
    const double det = S.m[0][0] * out.m[0][0] + S.m[0][1] * out.m[1][0] + S.m[0][2] * out.m[2][0];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) out.m[i][k] /= det;
    return out;
}

bool tl_turning_find(const tl_element_kind *kind, const double (*x)[3], const double (*mean)[3], const double *u, tl_turning *t)
{
    tl_mat3 F = tl_mat3_identity();
    t->nodes = kind->nodes, t->dimension = kind->dimension, t->mean = mean;
    for (int a = 0; a < kind->nodes; a++)
        for (int i = 0; i < kind->dimension; i++)
            for (int k = 0; k < kind->dimension; k++) F.m[i][k] += u[kind->dimension * a + i] * mean[a][k];
    if (!rotation(&F, kind->dimension, &t->R)) return false;
    const tl_mat3 back = tl_mat3_transpose(&t->R);
    t->U = tl_mat3_mul(&back, &F);
    t->S = tl_inverse_swing(&t->U);
    for (int a = 0; a < kind->nodes; a++) {
        const tl_vec3 X = tl_sub(tl_load3(x[a]), tl_load3(x[0]));
        t->y[a] = tl_mat3_apply_t(&t->R, tl_add(X, tl_sub(node_part(t, u, a), node_part(t, u, 0))));
        put_part(t, t->u, a, tl_sub(t->y[a], X));
    }
    return true;
}

/* ---- to them and back ------------------------------------------------------------------------------------------------------------ */

void tl_turning_rates(const tl_turning *t, const double *v, double *out)
{
    tl_vec3 sum = {0, 0, 0};
    for (int a = 0; a < t->nodes; a++) sum = tl_add(sum, tl_cross(tl_load3(t->mean[a]), tl_mat3_apply_t(&t->R, node_part(t, v, a))));
    const tl_vec3 spin = tl_mat3_apply(&t->S, sum);
    for (int a = 0; a < t->nodes; a++) put_part(t, out, a, tl_sub(tl_mat3_apply_t(&t->R, node_part(t, v, a)), tl_cross(spin, t->y[a])));
}

/* Σ y_a × f_a */
static tl_vec3 moment(const tl_turning *t, const double *f)
{
    tl_vec3 sum = {0, 0, 0};
    for (int a = 0; a < t->nodes; a++) sum = tl_add(sum, tl_cross(t->y[a], node_part(t, f, a)));
    return sum;
}

/* f_a − n × ḡ_a: what acts on places along the turned axes. */
static void without_moment(const tl_turning *t, double *f)
{
    const tl_vec3 n = tl_mat3_apply(&t->S, moment(t, f));
    for (int a = 0; a < t->nodes; a++) put_part(t, f, a, tl_sub(node_part(t, f, a), tl_cross(n, tl_load3(t->mean[a]))));
}

void tl_turning_forces(const tl_turning *t, double *f)
{
    without_moment(t, f);
    for (int a = 0; a < t->nodes; a++) put_part(t, f, a, tl_mat3_apply(&t->R, node_part(t, f, a)));
}

void tl_turning_tensor(const tl_turning *t, bool strain, double value[6])
{
    static const int ROW[6] = {0, 1, 2, 0, 1, 0}, COLUMN[6] = {0, 1, 2, 1, 2, 2};
    tl_mat3 T;
    for (int k = 0; k < 6; k++) T.m[ROW[k]][COLUMN[k]] = T.m[COLUMN[k]][ROW[k]] = strain && k >= 3 ? 0.5 * value[k] : value[k];
    const tl_mat3 back = tl_mat3_transpose(&t->R), half = tl_mat3_mul(&T, &back), out = tl_mat3_mul(&t->R, &half);
    for (int k = 0; k < 6; k++) value[k] = (strain && k >= 3 ? 2 : 1) * out.m[ROW[k]][COLUMN[k]];
}

/* ---- stiffness ------------------------------------------------------------------------------------------------------------------- */

static tl_vec3 unit(int axis) { return tl_v3(axis == 0, axis == 1, axis == 2); }

/* ω by each unknown along the turned axes. */
static void spins(const tl_turning *t, tl_vec3 *spin)
{
    for (int b = 0; b < t->nodes; b++)
        for (int j = 0; j < t->dimension; j++) spin[t->dimension * b + j] = tl_mat3_apply(&t->S, tl_cross(tl_load3(t->mean[b]), unit(j)));
}

/* K ← (K P)ᵀ, P = 1 − Y W, with columns of Y a turn about each axis, e × y_a, and rows of W the spins. */
static void project_once(int n, const double (*Y)[3], const tl_vec3 *spin, double *K)
{
    for (int a = 0; a < n; a++) {
        double *row = K + (size_t)a * (size_t)n;
        tl_vec3 by = {0, 0, 0};
        for (int b = 0; b < n; b++) by = tl_add(by, tl_scale(row[b], tl_load3(Y[b])));
        for (int b = 0; b < n; b++) row[b] -= tl_dot(by, spin[b]);
    }
    for (int a = 0; a < n; a++)
        for (int b = 0; b < a; b++) {
            double *low = K + (size_t)a * (size_t)n + (size_t)b, *high = K + (size_t)b * (size_t)n + (size_t)a;
            const double value = *low;
            *low = *high, *high = value;
        }
}

/* K ← Pᵀ K P */
static void project(const tl_turning *t, const tl_vec3 *spin, double *K)
{
    double Y[N][3] = {{0}};
    for (int a = 0; a < t->nodes; a++)
        for (int k = 0; k < 3; k++) {
            double turn[3];
            tl_store3(turn, tl_cross(unit(k), t->y[a]));
            for (int i = 0; i < 3 && i < t->dimension; i++) Y[t->dimension * a + i][k] = turn[i];
        }
    for (int twice = 0; twice < 2; twice++) project_once(t->nodes * t->dimension, (const double(*)[3])Y, spin, K);
}

/* How forces that do not vanish turn: ω × q_a − δn × ḡ_a, S⁻¹ δn = Σ δu_a × f_a − δS n, of the displacement of node b along axis j alone. */
static void add_turned_forces(const tl_turning *t, const tl_vec3 *spin, const double *f, double *K)
{
    const int d = t->dimension, n = d * t->nodes;
    double q[N];
    for (int i = 0; i < n; i++) q[i] = f[i];
    without_moment(t, q);
    const tl_vec3 m = tl_mat3_apply(&t->S, moment(t, f));
    for (int column = 0; column < n; column++) {
        const int b = column / d, j = column % d;
        const tl_vec3 w = spin[column], g = tl_load3(t->mean[b]);
        /* δU = e_j ⊗ ḡ_b − ω × U; δS n = tr δU n − δU n */
        const tl_vec3 Un = tl_mat3_apply(&t->U, m), turned = tl_sub(tl_scale(tl_dot(g, m), unit(j)), tl_cross(w, Un));
        double trace = tl_dot(g, unit(j));
        for (int k = 0; k < 3; k++) {
            const tl_vec3 column_of_U = tl_v3(t->U.m[0][k], t->U.m[1][k], t->U.m[2][k]);
            trace -= tl_dot(unit(k), tl_cross(w, column_of_U));
        }
        tl_vec3 sum = tl_sub(turned, tl_scale(trace, m));
        for (int a = 0; a < t->nodes; a++) {
            const tl_vec3 du = tl_sub(a == b ? unit(j) : tl_v3(0, 0, 0), tl_cross(w, t->y[a]));
            sum = tl_add(sum, tl_cross(du, node_part(t, f, a)));
        }
        const tl_vec3 dn = tl_mat3_apply(&t->S, sum);
        for (int a = 0; a < t->nodes; a++) {
            double more[3];
            tl_store3(more, tl_sub(tl_cross(w, node_part(t, q, a)), tl_cross(dn, tl_load3(t->mean[a]))));
            for (int i = 0; i < 3 && i < d; i++) K[(size_t)(d * a + i) * (size_t)n + (size_t)column] += more[i];
        }
    }
}

/* Blocks of nodes to the world's axes: R K_ab Rᵀ. */
static void turn_blocks(const tl_turning *t, double *K)
{
    const int d = t->dimension, n = d * t->nodes;
    const tl_mat3 back = tl_mat3_transpose(&t->R);
    for (int a = 0; a < t->nodes; a++)
        for (int b = 0; b < t->nodes; b++) {
            tl_mat3 B = {{{0}}};
            for (int i = 0; i < d; i++)
                for (int k = 0; k < d; k++) B.m[i][k] = K[(size_t)(d * a + i) * (size_t)n + (size_t)(d * b + k)];
            const tl_mat3 half = tl_mat3_mul(&B, &back), out = tl_mat3_mul(&t->R, &half);
            for (int i = 0; i < d; i++)
                for (int k = 0; k < d; k++) K[(size_t)(d * a + i) * (size_t)n + (size_t)(d * b + k)] = out.m[i][k];
        }
}

void tl_turning_stiffness(const tl_turning *t, const double *f, double *K)
{
    tl_vec3 spin[N];
    spins(t, spin);
    project(t, spin, K);
    if (f) add_turned_forces(t, spin, f, K);
    turn_blocks(t, K);
}
