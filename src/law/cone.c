/* The friction cone and the rolling cone (set.h; theory §2.1, §2.7).
 *
 * The rolling cone is solved by Newton's method on the equations that hold when the contact is closed. Closed means u_n < 0 without impulses, for only an
 * impulse can lift u_n, and then u_n = 0. A disc is a group of rows whose impulse is bounded by b I_n: friction, rolling, spinning. With y = I − ρ u of its
 * rows it sticks, u = 0, where ‖y‖ ≤ b I_n, and else slips, I = b I_n y / ‖y‖ (Alart & Curnier 1991). Where a disc has one row the equations are piecewise
 * linear: Newton's method ends exactly. Where it does not end, it is tried again from nearer. With I_n held the discs
 * are a convex problem, and of its solutions u_n is a continuous function of I_n: negative without impulses, positive for large ones, where all stick. So
 * halving a bracket of I_n comes to a solution. */
#include <math.h>
#include <string.h>

#include "base/math.h"
#include "law/law2.h"
#include "law/law3.h"
#include "law/set.h"

/* ---- friction --------------------------------------------------------------------------------------------------------------- */

static tl_delassus2 delassus2(const tl_own_problem *p) { return (tl_delassus2){p->W[0], 0.5 * (p->W[1] + p->W[p->rows]), p->W[p->rows + 1]}; }

static tl_delassus3 delassus3(const tl_own_problem *p)
{
    const double *W = p->W;
    const int n = p->rows;
    return (tl_delassus3){W[0], 0.5 * (W[1] + W[n]), 0.5 * (W[2] + W[2 * n]), W[n + 1], 0.5 * (W[n + 2] + W[2 * n + 1]), W[2 * n + 2]};
}

/* Normal and tangents alone, of a friction cone or of a rolling one. */
static void solve_friction(const tl_own_problem *p, int tangents, const double *u, double *I)
{
    if (tangents == 1) {
        const tl_delassus2 W = delassus2(p);
        const tl_coulomb2 law = tl_coulomb2_prepare(W, p->friction);
        tl_coulomb2_solve(&law, W.nt, u[0], u[1], I);
        return;
    }
    const tl_delassus3 W = delassus3(p);
    tl_coulomb3_solve(&W, p->friction, u, I);
}

static void solve_friction_cone(const tl_own_problem *p, const double *u, double *I)
{
    memset(I, 0, (size_t)p->rows * sizeof *I);
    if (p->W[0] > 0) solve_friction(p, p->rows - 1, u, I);
}

static double residual_friction(const tl_own_problem *p, const double *u, const double *I)
{
    if (!(p->W[0] > 0)) return 0;
    if (p->rows == 2) return tl_coulomb2_residual(delassus2(p), p->friction, u, I);
    const tl_delassus3 W = delassus3(p);
    return tl_coulomb3_residual(&W, p->friction, u, I);
}

/* ---- rolling ---------------------------------------------------------------------------------------------------------------- */

typedef struct disc {
    int first, size;
    double bound, inverse; /* of its impulse by I_n; 1/W on the mean of its diagonal, 0: nothing moves it */
} disc;

enum { DISCS = 3 };
static const double CLOSE = 1e-12; /* of impulses, weighed: they are the same */

/* Returns how many. */
static int discs_of(const tl_own_problem *p, disc out[DISCS])
{
    const disc flat[] = {{1, 1, p->friction, 0}, {2, 1, p->rolling, 0}}, solid[] = {{1, 2, p->friction, 0}, {3, 2, p->rolling, 0}, {5, 1, p->spinning, 0}};
    const int count = p->rows == 3 ? 2 : 3;
    memcpy(out, p->rows == 3 ? flat : solid, (size_t)count * sizeof *out);
    for (int d = 0; d < count; d++) {
        double trace = 0;
        for (int r = out[d].first; r < out[d].first + out[d].size; r++) trace += p->W[r * p->rows + r];
        out[d].inverse = trace > 0 ? out[d].size / trace : 0;
    }
    return count;
}

static double length_of(const double *x, const disc *d) { return d->size == 1 ? fabs(x[d->first]) : hypot(x[d->first], x[d->first + 1]); }

/* What an impulse counts beside those of other rows, which differ by lengths. */
static double weight_of(const tl_own_problem *p, int row) { return sqrt(fmax(p->W[row * p->rows + row], 0)); }

/* u + W I. */
static void velocity_at(const tl_own_problem *p, const double *u, const double *I, double *out)
{
    for (int r = 0; r < p->rows; r++) {
        out[r] = u[r];
        for (int k = 0; k < p->rows; k++) out[r] += p->W[r * p->rows + k] * I[k];
    }
}

/* The equations of one disc and their derivative, in its rows of F and J. */
static void equate(const tl_own_problem *p, const disc *d, const double *u, const double *I, double *F, double *J)
{
    const int n = p->rows;
    double y[TL_ROWS] = {0};
    for (int r = d->first; r < d->first + d->size; r++) y[r] = I[r] - d->inverse * u[r];
    const double reach = length_of(y, d), limit = d->bound * fmax(I[0], 0);
    const bool still = !(d->inverse > 0 && d->bound > 0), sticks = reach <= limit;
    for (int r = d->first; r < d->first + d->size; r++) {
        const double e = reach > 0 ? y[r] / reach : 0;
        if (still || !sticks) F[r] = I[r] - (still ? 0 : limit * e), J[r * n + r] = 1;
        if (still) continue;
        if (sticks) {
            F[r] = d->inverse * u[r];
            for (int k = 0; k < n; k++) J[r * n + k] = d->inverse * p->W[r * n + k] * (r == k ? 1 + 1e-12 : 1);
            continue;
        }
        J[r * n] -= I[0] > 0 ? d->bound * e : 0;
        for (int q = d->first; q < d->first + d->size; q++) {
            const double across = limit / reach * ((r == q ? 1 : 0) - e * y[q] / reach);
            J[r * n + q] -= across;
            for (int k = 0; k < n; k++) J[r * n + k] += across * d->inverse * p->W[q * n + k];
        }
    }
}

/* From a guess; false: it came to no solution, and I is anything. */
static bool newton(const tl_own_problem *p, const disc *d, int discs, const double *u_free, double *I)
{
    enum { MOST = 25 };
    const int n = p->rows;
    for (int i = 0; i < MOST; i++) {
        double u[TL_ROWS] = {0}, F[TL_ROWS] = {0}, J[TL_ROWS * TL_ROWS] = {0}, change = 0, size = 0;
        int pivot[TL_ROWS];
        velocity_at(p, u_free, I, u);
        F[0] = u[0] / p->W[0];
        for (int k = 0; k < n; k++) J[k] = p->W[k] / p->W[0];
        for (int k = 0; k < discs; k++) equate(p, &d[k], u, I, F, J);
        if (!tl_lu(J, n, pivot)) return false;
        tl_lu_solve(J, pivot, n, F);
        for (int r = 0; r < n; r++) {
            I[r] -= F[r];
            change = fmax(change, weight_of(p, r) * fabs(F[r])), size = fmax(size, weight_of(p, r) * fabs(I[r]));
        }
        if (!isfinite(change)) return false;
        if (change <= CLOSE * size) return I[0] >= 0;
    }
    return false;
}

/* The discs at the normal impulse of I, which is held, one after the other, until none changes or so many times; returns u_n. */
static double hold_normal(const tl_own_problem *p, const disc *d, int discs, const double *u_free, int turns, double *I)
{
    const double normal = I[0];
    double u[TL_ROWS] = {0}, change = 1, size = 0;
    for (int turn = 0; turn < turns && change > CLOSE * size; turn++) {
        change = 0, size = weight_of(p, 0) * normal;
        for (int k = 0; k < discs; k++) {
            const double step = d[k].inverse / d[k].size; /* 1 over the trace: no less than the largest eigenvalue */
            double before[TL_ROWS];
            memcpy(before, I, (size_t)p->rows * sizeof *I);
            velocity_at(p, u_free, I, u);
            for (int r = d[k].first; r < d[k].first + d[k].size; r++) I[r] = d[k].inverse > 0 ? I[r] - step * u[r] : 0;
            const double most = d[k].bound * normal, now = length_of(I, &d[k]);
            for (int r = d[k].first; now > most && r < d[k].first + d[k].size; r++) I[r] *= most / now;
            for (int r = d[k].first; r < d[k].first + d[k].size; r++) change = fmax(change, weight_of(p, r) * fabs(I[r] - before[r]));
        }
    }
    velocity_at(p, u_free, I, u);
    return u[0];
}

static void solve_rolling(const tl_own_problem *p, const double *u, double *I)
{
    enum { MOST = 60, FIRST = 30 };
    const int n = p->rows;
    disc d[DISCS];
    double trial[TL_ROWS], low = 0, high = -u[0] / p->W[0];
    if (!(p->W[0] > 0) || u[0] >= 0) {
        memset(I, 0, (size_t)n * sizeof *I);
        return;
    }
    const int discs = discs_of(p, d);
    bool bracketed = false;
    memcpy(trial, I, (size_t)n * sizeof *I);
    if (!(trial[0] > 0)) trial[0] = high;
    for (int i = 0; i < MOST && high - low > CLOSE * high; i++) {
        if (newton(p, d, discs, u, trial)) {
            memcpy(I, trial, (size_t)n * sizeof *I);
            return;
        }
        const double normal = bracketed ? 0.5 * (low + high) : high;
        I[0] = normal;
        if (hold_normal(p, d, discs, u, FIRST * (1 + i), I) < 0) low = normal, high = bracketed ? high : 2 * high;
        else high = normal, bracketed = true;
        memcpy(trial, I, (size_t)n * sizeof *I);
    }
}

/* x ← the point of the cone next to it. With z for I_n, ½ (z − x_n)² + ½ Σ (‖x_d‖ − b_d z)₊² is convex and has its least where its derivative, which is
 * piecewise linear, vanishes: discs leave the sum one after the other, in order of ‖x_d‖ / b_d, as z grows. */
static void project(const disc *d, int discs, double *x)
{
    double a[DISCS], z = 0;
    bool in[DISCS];
    double slope = 1, value = x[0];
    for (int k = 0; k < discs; k++) {
        a[k] = length_of(x, &d[k]);
        in[k] = d[k].bound > 0;
        if (in[k]) slope += d[k].bound * d[k].bound, value += d[k].bound * a[k];
    }
    if (value > 0) {
        for (int left = 0; left <= discs; left++) {
            int out = -1;
            z = value / slope;
            for (int k = 0; k < discs; k++)
                if (in[k] && a[k] < d[k].bound * z && (out < 0 || a[k] * d[out].bound < a[out] * d[k].bound)) out = k;
            if (out < 0) break;
            in[out] = false;
            slope -= d[out].bound * d[out].bound, value -= d[out].bound * a[out];
        }
    }
    x[0] = z;
    for (int k = 0; k < discs; k++)
        for (int r = d[k].first; a[k] > d[k].bound * z && r < d[k].first + d[k].size; r++) x[r] *= d[k].bound * z / a[k];
}

/* Moments are measured by the length that makes their W as large as that of the others: the error is one of surfaces, in m/s, for any length of the rows. */
static double residual_rolling(const tl_own_problem *p, const double *u, const double *I)
{
    const int n = p->rows;
    disc d[DISCS];
    double x[TL_ROWS], opening = u[0], sum = 0;
    if (!(p->W[0] > 0)) return 0;
    const int discs = discs_of(p, d), across = d[0].size;
    double trace = p->W[0], scale[TL_ROWS] = {1, 1, 1, 1, 1, 1};
    for (int r = 1; r <= across; r++) trace += p->W[r * n + r];
    const double rho = (1 + across) / trace;
    for (int k = 1; k < discs; k++) {
        const double s = d[k].inverse > 0 ? sqrt(d[k].inverse / rho) : 0;
        for (int r = d[k].first; r < d[k].first + d[k].size; r++) scale[r] = s;
        d[k].bound = s > 0 ? d[k].bound / s : 0;
    }
    for (int k = 0; k < discs; k++) opening += d[k].bound * scale[d[k].first] * length_of(u, &d[k]);
    for (int r = 0; r < n; r++) x[r] = scale[r] > 0 ? I[r] / scale[r] - rho * scale[r] * u[r] : 0;
    x[0] = I[0] - rho * opening;
    project(d, discs, x);
    for (int r = 0; r < n; r++) {
        const double off = scale[r] > 0 ? I[r] / scale[r] - x[r] : 0;
        sum += off * off;
    }
    return sqrt(sum) / rho;
}

const tl_set TL_FRICTION_CONE = {"friction cone", solve_friction_cone, residual_friction};
const tl_set TL_ROLLING_CONE = {"rolling cone", solve_rolling, residual_rolling};
