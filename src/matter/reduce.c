/* The inertia of a mechanism in a step: M̃ over the independent rates, M_red = Tᵀ M̃ T, its factors and solves (D20 eq. 25-26).
 *
 * Without laws that read other rates M̃ is symmetric, and one Cholesky factor serves forces and contacts. With them see reduce_crossed(). */
#include <math.h>
#include <string.h>

#include "matter/mechanism_internal.h"

/* out = Tᵀ A T */
static void reduce_matrix(tl_mechanism *m, const double *A, double *out)
{
    if (m->m == 0) { /* without loops T only chooses: a tyre of many segments has hundreds of coordinates */
        for (int i = 0; i < m->nu; i++)
            for (int j = 0; j < m->nu; j++) out[i * m->nu + j] = A[m->u[i] * m->n + m->u[j]];
        return;
    }
    for (int j = 0; j < m->nu; j++) { /* MT[n × nu] */
        for (int i = 0; i < m->n; i++) {
            double sum = 0;
            for (int k = 0; k < m->n; k++) sum += A[i * m->n + k] * m->T[k * m->nu + j];
            m->MT[i * m->nu + j] = sum;
        }
    }
    for (int i = 0; i < m->nu; i++)
        for (int j = 0; j < m->nu; j++) {
            double sum = 0;
            for (int k = 0; k < m->n; k++) sum += m->T[k * m->nu + i] * m->MT[k * m->nu + j];
            out[i * m->nu + j] = sum;
        }
}

/* Does elimination in the order of the coordinates, without exchange, leave to each at least half of the inertia that `L`, the factor of the mass, says?
 * So it is for all symmetric damping and for all skew coupling, however large, and for followers, of which one acts and the other does not feel it. It is
 * not so where a coupling drives a motion on: M − θ h s ∂f/∂v must not be singular for any share s of the step. A is overwritten. */
static bool keeps_inertia(double *A, const double *L, int n)
{
    for (int k = 0; k < n; k++) {
        if (!(A[k * n + k] >= 0.5 * L[k * n + k] * L[k * n + k])) return false;
        for (int i = k + 1; i < n; i++) {
            const double factor = A[i * n + k] / A[k * n + k];
            for (int j = k + 1; j < n; j++) A[i * n + j] -= factor * A[k * n + j];
        }
    }
    return true;
}

/* m->Mred: the inverse of the symmetric part of A⁻¹, which is Aᵀ S⁻¹ A with S the symmetric part of A; false: S takes inertia away. */
static bool symmetric_inverse(tl_mechanism *m)
{
    const int n = m->nu;
    const double *A = m->Ared, *L = m->mass_factor;
    double *S = m->MT, *B = m->both, *out = m->Mred; /* B = factor of S⁻¹ A */
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) S[i * n + j] = 0.5 * (A[i * n + j] + A[j * n + i]);
    if (tl_cholesky(S, n) != n) return false;
    for (int i = 0; i < n; i++)
        if (!(S[i * n + i] * S[i * n + i] >= 0.5 * L[i * n + i] * L[i * n + i])) return false;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            double sum = A[i * n + j];
            for (int k = 0; k < i; k++) sum -= S[i * n + k] * B[k * n + j];
            B[i * n + j] = sum / S[i * n + i];
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += B[k * n + i] * B[k * n + j];
            out[i * n + j] = sum;
        }
    return true;
}

/* m->Mred: the diagonal, and the part that acts both ways: of −θ h ∂f_i/∂v_j and −θ h ∂f_j/∂v_i the smaller, if they have the same sign. */
static void mutual_part(tl_mechanism *m)
{
    const int n = m->n;
    memcpy(m->both, m->M, (size_t)n * (size_t)n * sizeof *m->both);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            const double a = m->cross[i * n + j], b = m->cross[j * n + i], common = a * b > 0 ? copysign(fmin(fabs(a), fabs(b)), a) : 0;
            m->both[i * n + j] += common, m->both[j * n + i] += common;
        }
    reduce_matrix(m, m->both, m->Mred);
}

/* Tangents in other rates make M̃ unsymmetric, A. Forces are solved with all of it. The W of the contacts must be symmetric and positive for any solver: they
 * see the symmetric part of A⁻¹, which is right for a single row of any contact; but of a stiff follower that part is not positive, and contacts then see what
 * acts both ways, which leaves its own damping to each. The rest of what impulses do is found by refine(). False: the tangents would take too much inertia
 * away; they are left out. Overwrites `both`, the mass. */
static bool reduce_crossed(tl_mechanism *m)
{
    const int n = m->n, nu = m->nu;
    reduce_matrix(m, m->both, m->mass_factor);
    if (tl_cholesky(m->mass_factor, nu) != nu) return false;
    for (int i = 0; i < n * n; i++) m->both[i] = m->cross[i] + m->M[i];
    reduce_matrix(m, m->both, m->Ared);
    memcpy(m->Mred, m->Ared, (size_t)nu * (size_t)nu * sizeof *m->Mred);
    if (!keeps_inertia(m->Mred, m->mass_factor, nu)) return false;
    if (!symmetric_inverse(m)) mutual_part(m);
    if (tl_cholesky(m->Mred, nu) != nu || !tl_lu(m->Ared, nu, m->pivot_A)) return false;
    for (int i = 0; i < n * n; i++) m->M[i] += m->cross[i];
    return true;
}

talus_status tl_mechanism_reduce_mass(tl_mechanism *m, double time, double h, double theta, tl_error *error)
{
    tl_tree_inertia(m, &m->mid, m->own);
    tl_tree_mass(m, &m->mid, m->own, m->M);
    memcpy(m->both, m->M, (size_t)m->n * (size_t)m->n * sizeof *m->M);
    tl_mechanism_damping(m, time, h, theta);
    if (m->crossed) {
        if (reduce_crossed(m)) return TALUS_OK;
        tl_joint_uncross(m);
    }
    reduce_matrix(m, m->M, m->Mred);
    const int factored = tl_cholesky(m->Mred, m->nu);
    if (factored == m->nu) return TALUS_OK;
    for (int i = 0; i < m->joint_count; i++)
        if (m->u[factored] >= m->joints[i].iv && m->u[factored] < m->joints[i].iv + m->joints[i].nv)
            return tl_fail(error, TALUS_SINGULAR, "mechanism '%s': nothing with inertia moves with joint '%s'; give body '%s' mass and inertia", m->name,
                           m->joints[i].name, m->links[m->joints[i].child].name);
    return TALUS_SINGULAR;
}

void tl_mechanism_solve(tl_mechanism *m, bool pushed, double *x)
{
    if (m->nu == 0) return;
    if (!m->crossed) {
        tl_cholesky_solve(m->Mred, m->nu, x);
        return;
    }
    for (int j = 0; pushed && j < m->nu; j++) x[j] += m->push[j];
    tl_lu_solve(m->Ared, m->pivot_A, m->nu, x);
    if (!pushed) return;
    tl_cholesky_solve(m->Mred, m->nu, m->push);
    for (int j = 0; j < m->nu; j++) x[j] -= m->push[j];
}

void tl_mechanism_find_push(tl_mechanism *m, const double *v)
{
    const int n = m->nu;
    const double *L = m->Mred;
    for (int j = 0; j < n; j++) { /* Lᵀ; its entry j reads those from j on only */
        m->push[j] = 0;
        for (int i = j; i < n; i++) m->push[j] += L[i * n + j] * (v[i] - m->v_free[i]);
    }
    for (int i = n - 1; i >= 0; i--) {
        double sum = 0;
        for (int j = 0; j <= i; j++) sum += L[i * n + j] * m->push[j];
        m->push[i] = sum;
    }
}
