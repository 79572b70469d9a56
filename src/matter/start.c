/* The rates at the start (theory §3): those that the user gave and those of the drives hold, and of all rates of the others with J v = 0
 * the least ones are taken, angles measured as ways at the mechanism's reach. Given rates that no motion has are an error. */
#include <string.h>

#include "matter/mechanism_internal.h"

static const double CONTRADICTION = 1e-6; /* of the largest rate: what the user may have rounded */
enum { REFINEMENTS = 40 };

static bool is_free(const tl_mechanism *m, int rate, int released) { return m->role[rate] != ROLE_DRIVEN && (!m->is_given[rate] || rate == released); }

/* m->h = J v, the speed at which the loops would open; returns the largest. */
static double opening(tl_mechanism *m, const double *v)
{
    double largest = 0;
    for (int i = 0; i < m->rows; i++) {
        m->h[i] = 0;
        for (int j = 0; j < m->n; j++) m->h[i] += m->J[i * m->n + j] * v[j];
        largest = fmax(largest, fabs(m->h[i]));
    }
    return largest;
}

/* The least free rates that close the loops to v, as far as they can: dv = A⁺ (−J v), A = J over the free rates, measured as ways, by a damped
 * normal equation that is refined, for redundant equations make it singular. `released` counts as free, −1: none. Returns what still opens. */
static double close_rates(tl_mechanism *m, double *v, int released)
{
    const int r = m->rows, n = m->n;
    double trace = 0;
    for (int i = 0; i < r; i++)
        for (int k = 0; k < r; k++) {
            double sum = 0;
            for (int j = 0; j < n; j++)
                if (is_free(m, j, released)) sum += m->J[i * n + j] * m->J[k * n + j] / (tl_rate_length(m, j) * tl_rate_length(m, j));
            m->Jv[i * r + k] = sum;
            if (i == k) trace += sum;
        }
    for (int i = 0; i < r; i++) m->Jv[i * r + i] += 1e-9 * trace / r;
    double left = opening(m, v);
    if (!(trace > 0) || tl_cholesky(m->Jv, r) < r) return left;
    for (int k = 0; k < REFINEMENTS && left > 0; k++) {
        for (int i = 0; i < r; i++) m->work[i] = -m->h[i];
        tl_cholesky_solve(m->Jv, r, m->work);
        for (int j = 0; j < n; j++)
            for (int i = 0; is_free(m, j, released) && i < r; i++) v[j] += m->J[i * n + j] * m->work[i] / (tl_rate_length(m, j) * tl_rate_length(m, j));
        left = opening(m, v);
    }
    return left;
}

static const joint *joint_of(const tl_mechanism *m, int rate)
{
    int i = 0;
    while (i < m->joint_count - 1 && rate >= m->joints[i].iv + m->joints[i].nv) i++;
    return &m->joints[i];
}

static double fastest(const tl_mechanism *m, const double *v)
{
    double largest = 0;
    for (int i = 0; i < m->n; i++) largest = fmax(largest, fabs(v[i]) * tl_rate_length(m, i));
    return largest;
}

/* Names the given rate that the others contradict, and what they ask of it, if one alone is to blame. */
static talus_status fail_rates(tl_mechanism *m, tl_error *error)
{
    for (int i = m->n - 1; i >= 0; i--) {
        if (!m->is_given[i] || m->role[i] == ROLE_DRIVEN) continue;
        memcpy(m->v_next, m->v, (size_t)m->n * sizeof *m->v);
        m->v_next[i] = 0;
        if (close_rates(m, m->v_next, i) > CONTRADICTION * fastest(m, m->v)) continue;
        return tl_fail(error, TALUS_INPUT,
                       "mechanism '%s': joint '%s' is given the velocity %.9g, but with those of the other joints its loops ask for %.9g; "
                       "leave one of them out",
                       m->name, joint_of(m, i)->name, m->v[i], m->v_next[i]);
    }
    return tl_fail(error, TALUS_INPUT, "mechanism '%s': no motion of its loops has the velocities that are given for its joints; leave some of them out",
                   m->name);
}

talus_status tl_mechanism_start_rates(tl_mechanism *m, tl_error *error)
{
    if (m->rows == 0) return TALUS_OK;
    tl_loop_jacobian(m, &m->mid, m->J);
    memcpy(m->v_next, m->v, (size_t)m->n * sizeof *m->v);
    if (close_rates(m, m->v_next, -1) > CONTRADICTION * fastest(m, m->v)) return fail_rates(m, error);
    memcpy(m->v, m->v_next, (size_t)m->n * sizeof *m->v);
    return TALUS_OK;
}
