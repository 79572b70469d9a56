/* Forces in joints: springs, dampers, laws of one coordinate or of several, and the states that such laws read.
 *
 * What slows down is part of M̃ (docs/architecture.md): dampers, and laws by their tangent at the start of the step,
 *     f(v_mid) ≈ f(v) + ∂f/∂v (v_n + θ Δv − v),
 * where v is the velocity of the last pass. The tangent in the own rate lies on the diagonal of M̃; those in other rates lie beside it, in `cross`. A
 * tangent is one number for the whole step: where a law jumps, as step(v) does, it is zero or that of one side, and never that of the jump.
 *
 * An implicit spring pulls with (q_n + q_{n+1})/2 = q_m + h/2 (2θ − 1) v_n + θ h/2 Δv, as those of joints between bodies do (theory §9.3); k θ h²/2 of it is
 * part of M̃. Where velocities stand between positions it pulls with q_n + h/4 Δv (theory §4.4). Under generalized-α all springs have that in M̃ while it is
 * solved for impulses, and pull with q_{n+1}; laws that are bent then have nothing in it (theory §4.5). */
#include <math.h>
#include <string.h>

#include "matter/mechanism_internal.h"

enum { STATE_ITERATIONS = 20 };
static const double STATE_CLOSE = 1e-13; /* of a state and its change in the step: Newton has converged */

/* ---- laws of several coordinates ----------------------------------------------------------------------------------- */

talus_status tl_coupled_copy(tl_mechanism *m, const talus_coupled_law *def, const int *joints, coupled *out)
{
    const size_t n = (size_t)def->count;
    *out = (coupled){.def = *def};
    out->def.reads = NULL; /* the caller's */
    out->joint = tl_alloc(m->matter.memory, 4 * n + 1, sizeof(int));
    out->q = tl_alloc(m->matter.memory, 3 * n + 1, sizeof(double));
    if (!out->joint || !out->q) {
        tl_coupled_free(m->matter.memory, out);
        return TALUS_MEMORY;
    }
    out->coordinate = out->joint + n, out->rate = out->joint + 2 * n, out->position = out->joint + 3 * n;
    out->v = out->q + n, out->slope = out->q + 2 * n;
    for (size_t k = 0; k < n; k++) out->joint[k] = joints[k], out->coordinate[k] = def->reads[k].coordinate;
    return TALUS_OK;
}

void tl_coupled_free(tl_memory memory, coupled *c)
{
    tl_free(memory, c->joint);
    tl_free(memory, c->q);
    *c = (coupled){.joint = NULL};
}

void tl_coupled_resolve(const tl_mechanism *m, coupled *c)
{
    for (int k = 0; k < c->def.count; k++) {
        const joint *j = &m->joints[c->joint[k]];
        const bool ball = j->def.kind == TALUS_JOINT_SPHERICAL || (j->def.kind == TALUS_JOINT_FREE && c->coordinate[k] >= 3);
        c->rate[k] = j->iv + c->coordinate[k];
        c->position[k] = ball ? -1 : j->iq + c->coordinate[k];
    }
}

static void gather(const coupled *c, const double *q, const double *v)
{
    for (int k = 0; k < c->def.count; k++) {
        c->q[k] = c->position[k] < 0 ? (double)NAN : q[c->position[k]];
        c->v[k] = v[c->rate[k]];
    }
}

/* The law at v, carried to v_n along the slopes that M̃ takes from there. */
static double coupled_value(const tl_mechanism *m, const coupled *c, double t, const double *q, const double *v)
{
    gather(c, q, v);
    double sum = c->def.value(c->def.user, t, c->q, c->v, m->x_m);
    for (int k = 0; k < c->def.count; k++) sum += c->slope[k] * (m->v[c->rate[k]] - v[c->rate[k]]);
    return sum;
}

/* Slopes at the start of the step: none in the own rate that pushes on, and none that is not finite, as that of sqrt at zero; none where M̃ takes none. */
static void find_slopes(const tl_mechanism *m, joint_force *f, double t, double h)
{
    coupled *c = &f->coupled;
    memset(c->slope, 0, (size_t)c->def.count * sizeof *c->slope);
    if (!(h > 0) || !c->def.slopes || !isinf(f->def.limit)) return;
    gather(c, m->q_m, m->v);
    c->def.slopes(c->def.user, t, c->q, c->v, m->x_m, c->slope);
    for (int k = 0; k < c->def.count; k++)
        if (!isfinite(c->slope[k]) || (c->rate[k] == f->rate && c->slope[k] > 0)) c->slope[k] = 0;
}

/* ---- forces -------------------------------------------------------------------------------------------------------- */

static double force_value(const tl_mechanism *m, const joint_force *f, double t, const double *q, const double *v)
{
    const talus_joint_force_def *d = &f->def;
    const double at = q[f->position], rate = v[f->rate], before = m->v[f->rate]; /* where those act that M̃ takes implicitly */
    double target[3] = {d->free_position, 0, 0};
    if (d->target.value) d->target.value(d->target.user, t, target);
    double sum = d->constant - d->stiffness * (at + f->ahead * before - target[0]) - d->damping * (f->damping > 0 ? before : rate);
    if (d->law.value) sum += d->law.value(d->law.user, t, at, rate) + f->slope * (before - rate);
    if (f->coupled.def.value) sum += coupled_value(m, &f->coupled, t, q, v);
    return tl_within(-d->limit, sum, d->limit);
}

double tl_joint_force_stored(const joint_force *f, const double *q)
{
    const talus_joint_force_def *d = &f->def;
    const double stretch = q[f->position] - d->free_position;
    if (d->target.value) return 0;
    if (!(d->stiffness > 0) || isinf(d->limit)) return 0.5 * d->stiffness * stretch * stretch;
    double held[2]; /* of spring and constant at the stretch, and at rest */
    for (int k = 0; k < 2; k++) {
        const double pull = fabs((k == 0 ? d->stiffness * stretch : 0) - d->constant), within = fmin(pull, d->limit);
        held[k] = within * (pull - 0.5 * within) / d->stiffness;
    }
    return held[0] - held[1] + tl_within(-d->limit, d->constant, d->limit) * stretch;
}

void tl_joint_forces(const tl_mechanism *m, const double *q, const double *v, double t, double *tau)
{
    for (int i = 0; i < m->force_count; i++) tau[m->forces[i].rate] += force_value(m, &m->forces[i], t, q, v);
}

talus_status tl_joint_forces_check(const tl_mechanism *m, const double *v, double t, tl_error *error)
{
    for (int i = 0; i < m->force_count; i++) {
        const joint_force *f = &m->forces[i];
        if (isfinite(m->tau_next[f->rate]) || isfinite(force_value(m, f, t, m->q_m, v))) continue;
        return tl_fail(error, TALUS_DIVERGED, "mechanism '%s': a force in joint '%s' is not a number at t = %.9g s", m->name, m->joints[f->joint].name, t);
    }
    return TALUS_OK;
}

/* The diagonal, and `cross` beside it. */
static void add_coupled_slopes(tl_mechanism *m, const joint_force *f, double h, double theta)
{
    const coupled *c = &f->coupled;
    for (int k = 0; k < c->def.count; k++) {
        const int at = f->rate * m->n + c->rate[k];
        if (c->rate[k] == f->rate) m->M[at] -= h * theta * c->slope[k];
        else m->cross[at] -= h * theta * c->slope[k], m->crossed = m->crossed || c->slope[k] != 0;
    }
}

/* Is a law a damper, with one slope from here to far slower and faster? Impulses that meet one which is bent by its tangent would be resisted by what it never
 * has. */
static bool is_straight(const tl_mechanism *m, const joint_force *f, double time)
{
    static const double AWAY[2] = {-1, 1}, SAME = 1e-6; /* [m/s], [rad/s] */
    const talus_force_law *law = &f->def.law;
    const double q = m->q_m[f->position], v = m->v[f->rate], slope = law->slope(law->user, time, q, v);
    for (int k = 0; k < 2; k++)
        if (!(fabs(law->slope(law->user, time, q, v + AWAY[k]) - slope) <= SAME * fabs(slope))) return false;
    return true;
}

/* A damper acts at the mid-step velocity (a force that is clipped cannot be told so simply: it stays explicit), and so does a law by its tangent. */
void tl_joint_damping(tl_mechanism *m, double time, double h, double theta)
{
    m->crossed = false;
    memset(m->cross, 0, (size_t)m->n * (size_t)m->n * sizeof *m->cross);
    for (int i = 0; i < m->force_count; i++) {
        joint_force *f = &m->forces[i];
        const talus_joint_force_def *d = &f->def;
        double *inertia = &m->M[f->rate * m->n + f->rate];
        f->damping = h > 0 && isinf(d->limit) ? theta * d->damping : 0;
        const bool has_slope = h > 0 && d->law.slope && isinf(d->limit) && (!m->halved || is_straight(m, f, time));
        const double slope = has_slope ? d->law.slope(d->law.user, time, m->q_m[f->position], m->v[f->rate]) : 0;
        f->slope = slope < 0 && isfinite(slope) ? slope : 0; /* a law that pushes on is no damper */
        const bool implicit = h > 0 && (m->halved ? isinf(d->limit) : d->implicit);
        f->spring = implicit ? (m->staggered ? 0.25 : 0.5 * theta) * h * d->stiffness : 0;
        f->ahead = implicit && !m->halved && !m->staggered ? 0.5 * h * (2 * theta - 1) : 0;
        *inertia += h * (f->damping + f->spring - theta * f->slope);
        if (f->coupled.def.value) {
            find_slopes(m, f, time, m->halved ? 0 : h);
            add_coupled_slopes(m, f, h, theta);
        }
    }
}

void tl_joint_uncross(tl_mechanism *m)
{
    m->crossed = false;
    for (int i = 0; i < m->force_count; i++) {
        const joint_force *f = &m->forces[i];
        for (int k = 0; k < f->coupled.def.count; k++)
            if (f->coupled.rate[k] != f->rate) f->coupled.slope[k] = 0;
    }
}

void tl_joint_implicit_part(const tl_mechanism *m, const double *v_next, double theta, double *tau)
{
    for (int i = 0; i < m->force_count; i++) {
        const joint_force *f = &m->forces[i];
        const coupled *c = &f->coupled;
        tau[f->rate] -= (f->damping + (m->halved ? 0 : f->spring) - theta * f->slope) * (v_next[f->rate] - m->v[f->rate]);
        for (int k = 0; k < c->def.count; k++) tau[f->rate] += theta * c->slope[k] * (v_next[c->rate[k]] - m->v[c->rate[k]]);
    }
}

/* ---- states of laws ------------------------------------------------------------------------------------------------ */

static void state_rates(const tl_mechanism *m, double t, const double *q, const double *v, const double *x, double *rate)
{
    for (int i = 0; i < m->state_count; i++) {
        const coupled *c = &m->states[i].rate;
        gather(c, q, v);
        rate[i] = c->def.value(c->def.user, t, c->q, c->v, x);
    }
}

/* I − h/2 ∂rate/∂x, factored; false: there is none. A rate that says no slopes is taken to have none. */
static bool state_jacobian(const tl_mechanism *m, double t, double h, const double *x)
{
    const int n = m->state_count;
    double *J = m->x_jacobian;
    memset(J, 0, (size_t)n * (size_t)n * sizeof *J);
    for (int i = 0; i < n; i++) {
        const coupled *c = &m->states[i].rate;
        gather(c, m->q_m, m->v);
        if (c->def.slopes) c->def.slopes(c->def.user, t, c->q, c->v, x, &J[i * n]);
        for (int k = 0; k < n; k++) J[i * n + k] = (i == k) - (isfinite(J[i * n + k]) ? 0.5 * h * J[i * n + k] : 0);
    }
    return tl_lu(J, n, m->x_pivot);
}

/* By how much x misses x_m = x + h/2 rate(x_m), over its size. x_try: the residual. */
static double state_residual(const tl_mechanism *m, double t, double h, const double *x)
{
    double worst = 0;
    state_rates(m, t, m->q_m, m->v, x, m->x_rate);
    for (int i = 0; i < m->state_count; i++) {
        m->x_try[i] = m->x[i] + 0.5 * h * m->x_rate[i] - x[i];
        const double size = fabs(m->x[i]) + fabs(x[i]) + 0.5 * h * fabs(m->x_rate[i]);
        if (m->x_try[i] != 0) worst = fmax(worst, fabs(m->x_try[i]) / size);
        if (!isfinite(m->x_try[i])) return (double)INFINITY;
    }
    return worst;
}

/* x_m = x + h/2 rate(t_m, q_m, v_n, x_m) by Newton's method, from x. What jumps may have no such point, or one between which iterates leap to and fro: then
 * the rate at x serves, which is bounded by the law itself. */
talus_status tl_states_mid(tl_mechanism *m, double time, double h, tl_error *error)
{
    const int n = m->state_count;
    if (n == 0) return TALUS_OK;
    memcpy(m->x_m, m->x, (size_t)n * sizeof *m->x_m);
    double worst = state_residual(m, time, h, m->x_m);
    for (int k = 0; k < STATE_ITERATIONS && worst > STATE_CLOSE && isfinite(worst); k++) {
        if (!state_jacobian(m, time, h, m->x_m)) break;
        tl_lu_solve(m->x_jacobian, m->x_pivot, n, m->x_try);
        for (int i = 0; i < n; i++) m->x_m[i] += m->x_try[i];
        worst = state_residual(m, time, h, m->x_m);
    }
    if (worst <= STATE_CLOSE) return TALUS_OK;
    state_rates(m, time, m->q_m, m->v, m->x, m->x_rate);
    for (int i = 0; i < n; i++) {
        m->x_m[i] = m->x[i] + 0.5 * h * m->x_rate[i];
        if (!isfinite(m->x_m[i]))
            return tl_fail(error, TALUS_DIVERGED, "mechanism '%s': the rate of its state '%s' is not a number at t = %.9g s", m->name, m->states[i].name, time);
    }
    return TALUS_OK;
}

talus_status tl_states_end(tl_mechanism *m, double time, double h, const double *v_next, tl_error *error)
{
    state_rates(m, time, m->q_m, v_next, m->x_m, m->x_rate);
    for (int i = 0; i < m->state_count; i++) {
        m->x_next[i] = m->x_m[i] + 0.5 * h * m->x_rate[i];
        if (!isfinite(m->x_next[i]))
            return tl_fail(error, TALUS_DIVERGED, "mechanism '%s': the rate of its state '%s' is not a number at t = %.9g s", m->name, m->states[i].name, time);
    }
    return TALUS_OK;
}
