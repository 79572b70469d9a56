/* Rotations and small dense factorisations. */
#include "base/math.h"

#include <stddef.h>

tl_vec3 tl_normalize(tl_vec3 a)
{
    const double length = tl_norm(a);
    return length > 0 ? tl_scale(1 / length, a) : a;
}

tl_vec3 tl_on_side3(tl_vec3 a, tl_vec3 b, tl_vec3 x)
{
    const tl_vec3 e = tl_sub(b, a);
    const double square = tl_dot(e, e), f = square > 0 ? tl_dot(tl_sub(x, a), e) / square : 0;
    return tl_add(a, tl_scale(tl_smaller(1, tl_larger(0, f)), e));
}

tl_mat3 tl_mat3_identity(void) { return (tl_mat3){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}; }

tl_mat3 tl_mat3_mul(const tl_mat3 *a, const tl_mat3 *b)
{
    tl_mat3 c;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) c.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
    return c;
}

tl_mat3 tl_mat3_transpose(const tl_mat3 *a)
{
    tl_mat3 c;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) c.m[i][j] = a->m[j][i];
    return c;
}

tl_mat3 tl_mat3_inverse(const tl_mat3 *a, double determinant)
{
    tl_mat3 out;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const int b = (i + 1) % 3, c = (i + 2) % 3, d = (k + 1) % 3, e = (k + 2) % 3;
            out.m[k][i] = (a->m[b][d] * a->m[c][e] - a->m[b][e] * a->m[c][d]) / determinant;
        }
    return out;
}

tl_vec3 tl_mat3_apply(const tl_mat3 *a, tl_vec3 v)
{
    return tl_v3(a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z, a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
                 a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z);
}

tl_vec3 tl_mat3_apply_t(const tl_mat3 *a, tl_vec3 v)
{
    return tl_v3(a->m[0][0] * v.x + a->m[1][0] * v.y + a->m[2][0] * v.z, a->m[0][1] * v.x + a->m[1][1] * v.y + a->m[2][1] * v.z,
                 a->m[0][2] * v.x + a->m[1][2] * v.y + a->m[2][2] * v.z);
}

tl_mat3 tl_mat3_rotation(tl_vec3 u, double angle)
{
    const double c = cos(angle), s = sin(angle), d = 1 - c;
    return (tl_mat3){{{c + d * u.x * u.x, d * u.x * u.y - s * u.z, d * u.x * u.z + s * u.y},
                      {d * u.x * u.y + s * u.z, c + d * u.y * u.y, d * u.y * u.z - s * u.x},
                      {d * u.x * u.z - s * u.y, d * u.y * u.z + s * u.x, c + d * u.z * u.z}}};
}

tl_mat3 tl_mat3_from_quat(tl_quat q)
{
    const double k = 2 / (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return (tl_mat3){{{1 - k * (q.y * q.y + q.z * q.z), k * (q.x * q.y - q.w * q.z), k * (q.x * q.z + q.w * q.y)},
                      {k * (q.x * q.y + q.w * q.z), 1 - k * (q.x * q.x + q.z * q.z), k * (q.y * q.z - q.w * q.x)},
                      {k * (q.x * q.z - q.w * q.y), k * (q.y * q.z + q.w * q.x), 1 - k * (q.x * q.x + q.y * q.y)}}};
}

void tl_mat3_eigen(const tl_mat3 *S, tl_vec3 *values, tl_mat3 *A)
{
    enum { SWEEPS = 30 };
    tl_mat3 D = *S;
    *A = tl_mat3_identity();
    for (int k = 0; k < 3 * SWEEPS; k++) { /* each turn makes one pair of off-diagonal elements zero; they shrink quadratically */
        const int p = k % 3 == 2 ? 1 : 0, q = k % 3 == 0 ? 1 : 2;
        const double off = D.m[p][q];
        if (fabs(off) <= 1e-300 || fabs(off) < 1e-17 * (fabs(D.m[p][p]) + fabs(D.m[q][q]))) continue;
        const double cot = 0.5 * (D.m[q][q] - D.m[p][p]) / off, t = (cot >= 0 ? 1 : -1) / (fabs(cot) + sqrt(1 + cot * cot));
        const double c = 1 / sqrt(1 + t * t), s = t * c;
        for (int i = 0; i < 3; i++) { /* D ← Jᵀ D J, A ← A J */
            const double dp = D.m[i][p], dq = D.m[i][q], ap = A->m[i][p], aq = A->m[i][q];
            D.m[i][p] = c * dp - s * dq, D.m[i][q] = s * dp + c * dq;
            A->m[i][p] = c * ap - s * aq, A->m[i][q] = s * ap + c * aq;
        }
        for (int i = 0; i < 3; i++) {
            const double dp = D.m[p][i], dq = D.m[q][i];
            D.m[p][i] = c * dp - s * dq, D.m[q][i] = s * dp + c * dq;
        }
    }
    *values = tl_v3(D.m[0][0], D.m[1][1], D.m[2][2]);
}

/* Cofactors, and the determinant. */
static double cofactors(const tl_mat3 *A, tl_mat3 *out)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const int a = (i + 1) % 3, b = (i + 2) % 3, c = (k + 1) % 3, d = (k + 2) % 3;
            out->m[i][k] = A->m[a][c] * A->m[b][d] - A->m[a][d] * A->m[b][c];
        }
    return A->m[0][0] * out->m[0][0] + A->m[0][1] * out->m[0][1] + A->m[0][2] * out->m[0][2];
}

static double squares(const tl_mat3 *A)
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) sum += A->m[i][k] * A->m[i][k];
    return sum;
}

/* X ← (γ X + X⁻ᵀ/γ)/2, with γ² = ‖X⁻¹‖/‖X‖ until X is near a rotation: from there the error is squared in each pass. */
bool tl_mat3_polar(const tl_mat3 *F, tl_mat3 *R)
{
    enum { MOST = 40 };
    static const double NEAR = 1e-2, DONE = 1e-8;
    tl_mat3 C, X = *F;
    double change = 1;
    for (int pass = 0; pass < MOST && change > DONE; pass++) {
        const double det = cofactors(&X, &C);
        if (!(det > 0)) return false;
        const double gamma = change < NEAR ? 1 : sqrt(sqrt(squares(&C) / (det * det * squares(&X))));
        if (!(gamma > 0) || !isfinite(gamma)) return false;
        change = 0;
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) {
                const double next = 0.5 * (gamma * X.m[i][k] + C.m[i][k] / (det * gamma));
                change = tl_larger(change, fabs(next - X.m[i][k]));
                X.m[i][k] = next;
            }
    }
    *R = X;
    return change <= DONE;
}

tl_quat tl_quat_mul(tl_quat a, tl_quat b)
{
    return (tl_quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                     a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

tl_quat tl_quat_normalize(tl_quat q)
{
    const double k = 1 / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return (tl_quat){k * q.w, k * q.x, k * q.y, k * q.z};
}

tl_quat tl_quat_exp(tl_vec3 r)
{
    const double angle2 = tl_dot(r, r), half = 0.5 * sqrt(angle2);
    const double k = angle2 > 1e-8 ? sin(half) / (2 * half) : 0.5 - angle2 / 48;
    return (tl_quat){cos(half), k * r.x, k * r.y, k * r.z};
}

tl_quat tl_quat_from_mat3(const tl_mat3 *R)
{
    const double(*m)[3] = R->m;
    const double trace = m[0][0] + m[1][1] + m[2][2];
    if (trace > 0) {
        const double s = 2 * sqrt(trace + 1);
        return (tl_quat){0.25 * s, (m[2][1] - m[1][2]) / s, (m[0][2] - m[2][0]) / s, (m[1][0] - m[0][1]) / s};
    }
    const int i = m[0][0] > m[1][1] ? (m[0][0] > m[2][2] ? 0 : 2) : (m[1][1] > m[2][2] ? 1 : 2);
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double s = 2 * sqrt(1 + m[i][i] - m[j][j] - m[k][k]);
    double v[3];
    v[i] = 0.25 * s;
    v[j] = (m[j][i] + m[i][j]) / s;
    v[k] = (m[k][i] + m[i][k]) / s;
    return (tl_quat){(m[k][j] - m[j][k]) / s, v[0], v[1], v[2]};
}

void tl_tangents(tl_vec3 n, tl_vec3 *t, tl_vec3 *s)
{
    const tl_vec3 helper = fabs(n.x) < 0.57 ? tl_v3(1, 0, 0) : (fabs(n.y) < 0.57 ? tl_v3(0, 1, 0) : tl_v3(0, 0, 1));
    *t = tl_normalize(tl_cross(helper, n));
    *s = tl_cross(n, *t);
}

tl_vec3 tl_contact_vector(bool planar, tl_vec3 n, const double local[3])
{
    tl_vec3 t = tl_v3(-n.y, n.x, 0), s = tl_v3(0, 0, 1);
    if (!planar) tl_tangents(n, &t, &s);
    return tl_add(tl_scale(local[0], n), tl_add(tl_scale(local[1], t), tl_scale(local[2], s)));
}

int tl_cholesky(double *A, int n)
{
    for (int j = 0; j < n; j++) {
        const double diagonal = A[j * n + j];
        double sum = diagonal;
        for (int k = 0; k < j; k++) sum -= A[j * n + k] * A[j * n + k];
        if (!(sum > 1e-14 * diagonal) || !isfinite(sum)) return j;
        const double pivot = sqrt(sum);
        A[j * n + j] = pivot;
        for (int i = j + 1; i < n; i++) {
            double value = A[i * n + j];
            for (int k = 0; k < j; k++) value -= A[i * n + k] * A[j * n + k];
            A[i * n + j] = value / pivot;
        }
    }
    return n;
}

void tl_cholesky_solve(const double *L, int n, double *x)
{
    for (int i = 0; i < n; i++) {
        double value = x[i];
        for (int k = 0; k < i; k++) value -= L[i * n + k] * x[k];
        x[i] = value / L[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) { /* row by row of L, so that numbers lie side by side */
        const double *restrict row = &L[i * n];
        const double value = x[i] /= row[i];
        for (int k = 0; k < i; k++) x[k] -= row[k] * value;
    }
}

bool tl_invert_positive(double *A, int n)
{
    const bool is = tl_cholesky(A, n) == n;
    for (int j = 0; is && j < n; j++) /* L⁻¹ in the place of L */
        for (int i = j; i < n; i++) {
            double sum = i == j;
            for (int k = j; k < i; k++) sum -= A[i * n + k] * A[k * n + j];
            A[i * n + j] = sum / A[i * n + i];
        }
    for (int i = 0; is && i < n; i++) /* L⁻ᵀ L⁻¹: row i reads those from i on */
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int k = i; k < n; k++) sum += A[k * n + i] * A[k * n + j];
            A[i * n + j] = sum;
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) A[i * n + j] = !is ? 0 : A[j > i ? j * n + i : i * n + j];
    return is;
}

void tl_cholesky_solve_three(const double *L, int n, double *x)
{
    double *restrict const a = x, *restrict const b = x + n, *restrict const c = x + 2 * n;
    int first = 0; /* what is zero before stays so downwards: a port moves few of many rates */
    while (first < n && !(a[first] != 0 || b[first] != 0 || c[first] != 0)) first++;
    for (int i = first; i < n; i++) {
        double p = a[i], q = b[i], r = c[i];
        const double *row = &L[i * n];
        for (int k = first; k < i; k++) p -= row[k] * a[k], q -= row[k] * b[k], r -= row[k] * c[k];
        a[i] = p / row[i], b[i] = q / row[i], c[i] = r / row[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        const double *restrict row = &L[i * n];
        const double p = a[i] /= row[i], q = b[i] /= row[i], r = c[i] /= row[i];
        for (int k = 0; k < i; k++) a[k] -= row[k] * p, b[k] -= row[k] * q, c[k] -= row[k] * r;
    }
}

bool tl_lu(double *A, int n, int *pivot)
{
    double largest = 0;
    for (int i = 0; i < n * n; i++) largest = fmax(largest, fabs(A[i]));
    if (!isfinite(largest)) return false;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
        pivot[k] = best;
        if (!(fabs(A[best * n + k]) > 1e-14 * largest)) return false;
        for (int j = 0; best != k && j < n; j++) {
            const double swap = A[k * n + j];
            A[k * n + j] = A[best * n + j];
            A[best * n + j] = swap;
        }
        for (int i = k + 1; i < n; i++) {
            const double factor = A[i * n + k] /= A[k * n + k];
            for (int j = k + 1; j < n; j++) A[i * n + j] -= factor * A[k * n + j];
        }
    }
    return true;
}

void tl_lu_solve(const double *LU, const int *pivot, int n, double *x)
{
    for (int k = 0; k < n; k++) {
        const double swap = x[pivot[k]];
        x[pivot[k]] = x[k];
        x[k] = swap;
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++) x[i] -= LU[i * n + k] * x[k];
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) x[i] -= LU[i * n + k] * x[k];
        x[i] /= LU[i * n + i];
    }
}

void tl_lu_solve_transposed(const double *LU, const int *pivot, int n, double *x)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) x[i] -= LU[k * n + i] * x[k];
        x[i] /= LU[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--)
        for (int k = i + 1; k < n; k++) x[i] -= LU[k * n + i] * x[k];
    for (int k = n - 1; k >= 0; k--) {
        const double swap = x[pivot[k]];
        x[pivot[k]] = x[k];
        x[k] = swap;
    }
}
