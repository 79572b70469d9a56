/* A mechanism in a step (D20 eq. 25-30, Algorithm 1; theory §3, §4.1): the operations of matter.h.
 *
 * With v = T v_u + P v_d and M_red = Tᵀ M T:
 *     v_free = v_u + M_red⁻¹ ( h Tᵀ(f − M b) − Tᵀ M P Δv_d ),   H_red = Tᵀ H.
 *
 * M is the mass plus θ h × the coefficients of dampers: they act at the velocity v_n + θ Δv, and none is too stiff for a step. */
#include <math.h>
#include <string.h>

#include "matter/mechanism_internal.h"

/* ---- forces ------------------------------------------------------------------------------------------------------- */

static void add_load(const tl_mechanism *m, const kinematics *kin, const load *l, double t, double *f)
{
    double value[3];
    for (int i = 0; i < 3; i++) value[i] = tl_motion_value(&l->def.force[i], t);
    tl_vec3 force = tl_load3(value), about = tl_v3(0, 0, 1);
    if (l->def.follows_body) force = tl_mat3_apply(&kin->link[l->link].R, force), about = tl_mat3_apply(&kin->link[l->link].R, about);
    tl_tree_point_row(m, kin, l->link, tl_tree_point(kin, l->link, tl_load3(l->def.point)), force, f);
    tl_tree_angular_row(m, kin, l->link, about, tl_motion_value(&l->def.torque, t), f);
}

/* f(q, v, t) at q_m without the inertial bias: joint forces into tau_next, all into f. */
static void forces(tl_mechanism *m, double t, const double *v)
{
    memset(m->tau_next, 0, (size_t)m->n * sizeof *m->tau_next);
    tl_joint_forces(m, m->q_m, v, t, m->tau_next);
    memcpy(m->f, m->tau_next, (size_t)m->n * sizeof *m->f);
    for (int i = 0; i < m->load_count; i++) add_load(m, &m->mid, &m->loads[i], t, m->f);
    tl_mechanism_add_springs(m, v, m->f);
}

/* ---- small products ----------------------------------------------------------------------------------------------- */

/* out[n] = T v_u + P v_d */
static void full_velocity(const tl_mechanism *m, const double *vu, const double *vd, double *out)
{
    for (int i = 0; i < m->n; i++) {
        double sum = 0;
        for (int j = 0; j < m->nu; j++) sum += m->T[i * m->nu + j] * vu[j];
        for (int j = 0; j < m->nd; j++) sum += m->P[i * m->nd + j] * vd[j];
        out[i] = sum;
    }
}

/* out[nu] = Tᵀ x; of a port most of x is zero. */
static void reduce(const tl_mechanism *m, const double *restrict x, double *restrict out)
{
    for (int j = 0; j < m->nu; j++) out[j] = 0;
    for (int i = 0; i < m->n; i++)
        for (int j = 0; x[i] != 0 && j < m->nu; j++) out[j] += m->T[i * m->nu + j] * x[i];
}

static void mass_times(const tl_mechanism *m, const double *x, double *out)
{
    for (int i = 0; i < m->n; i++) {
        double sum = 0;
        for (int j = 0; j < m->n; j++) sum += m->M[i * m->n + j] * x[j];
        out[i] = sum;
    }
}

/* ---- place and move ------------------------------------------------------------------------------------------------------ */

/* Positions and rates of the driven coordinates at time t; a speed drive has no position of its own. */
void tl_mechanism_drive_at(const tl_mechanism *m, double t, double *q, double *vd, bool positions)
{
    for (int j = 0; j < m->nd; j++) {
        const drive *d = &m->drives[m->drive_of[m->d[j]]];
        double out[3] = {0, 0, 0};
        const bool by_position = d->def.position.value != NULL;
        const talus_motion *motion = by_position ? &d->def.position : &d->def.speed;
        motion->value(motion->user, t, out);
        vd[j] = by_position ? out[1] : out[0];
        if (by_position && positions) q[d->position] = out[0];
    }
}

static talus_status check_finite(const tl_mechanism *m, const double *q, const double *v, tl_error *error)
{
    for (int i = 0; i < m->joint_count; i++) {
        const joint *j = &m->joints[i];
        double sum = 0;
        for (int k = 0; k < j->nq; k++) sum += q[j->iq + k];
        for (int k = 0; k < j->nv; k++) sum += v[j->iv + k];
        if (!isfinite(sum)) return tl_fail(error, TALUS_DIVERGED, "mechanism '%s': joint '%s' left the representable numbers", m->name, j->name);
    }
    return TALUS_OK;
}

/* b: accelerations of the dependent rates that the loops ask for at v̇_u = v̇_d = 0 (D20 eq. 24). */
static void loop_acceleration(tl_mechanism *m, const kinematics *kin, double *b)
{
    memset(b, 0, (size_t)m->n * sizeof *b);
    if (m->m == 0) return;
    tl_loop_bias(m, kin, m->bias);
    for (int k = 0; k < m->m; k++) m->work[k] = -m->bias[m->kept[k]];
    tl_lu_solve(m->Jv, m->pivot, m->m, m->work);
    for (int k = 0; k < m->m; k++) b[m->dep[k]] = m->work[k];
}

/* m->f: f − c at q_m, with f at the velocity v of all rates and c at `turning`, as m->b. Leaves the rates of v at q_m. */
static void forces_at(tl_mechanism *m, const tl_step *step, double t, const double *v, const double *turning)
{
    tl_tree_rates(m, turning, &m->mid);
    tl_tree_bias(m, &m->mid, m->own, step->gravity, m->dv);
    loop_acceleration(m, &m->mid, m->b);
    if (turning != v) tl_tree_rates(m, v, &m->mid);
    forces(m, t, v);
    for (int i = 0; i < m->n; i++) m->f[i] -= m->dv[i];
}

/* x[nu] = M_red⁻¹ Tᵀ (h f − M (h b + P Δv_d)): what forces do in a time h, where the driven rates change by Δv_d = vd_end − vd. */
static void change_of_velocity(tl_mechanism *m, double h, const double *vd, const double *vd_end, bool pushed, double *x)
{
    /* dv = h b + P Δv_d: what moves without v_u */
    for (int i = 0; i < m->n; i++) {
        m->dv[i] = h * m->b[i];
        for (int j = 0; j < m->nd; j++) m->dv[i] += m->P[i * m->nd + j] * (vd_end[j] - vd[j]);
    }
    mass_times(m, m->dv, m->v_full);
    for (int i = 0; i < m->n; i++) m->v_full[i] = h * m->f[i] - m->v_full[i];
    reduce(m, m->v_full, x);
    tl_mechanism_solve(m, pushed, x);
}

void tl_mechanism_pull(tl_mechanism *m, const tl_step *step, double t, double *out)
{
    memset(m->v_full, 0, (size_t)m->n * sizeof *m->v_full);
    forces_at(m, step, t, m->v_full, m->v_full);
    reduce(m, m->f, out);
}

/* All rates on the way of the free ones from v_n to v. */
static void velocity_within(tl_mechanism *m, double share, const double *v, double *out)
{
    double *driven = m->work;
    for (int j = 0; j < m->nu; j++) m->v_mid[j] = (1 - share) * m->v[m->u[j]] + share * v[j];
    for (int j = 0; j < m->nd; j++) driven[j] = (1 - share) * m->vd[j] + share * m->vd_next[j];
    full_velocity(m, m->v_mid, driven, out);
}

/* v_free from the forces as they are; `pushed`: by the impulses in m->push. */
static void free_velocity_from(tl_mechanism *m, double h, bool pushed)
{
    change_of_velocity(m, h, m->vd, m->vd_next, pushed, m->v_free);
    for (int j = 0; j < m->nu; j++) m->v_free[j] += m->v[m->u[j]];
}

/* v_free from forces at q_m, on the way to the velocity v. Forces of inertia are those of the middle, whatever θ is, for
 * only there they do no work: a top that is as fast as its step can follow would fall. */
static void free_velocity_at(tl_mechanism *m, const tl_step *step, const double *v, bool pushed)
{
    const bool apart = m->theta != 0.5;
    velocity_within(m, m->theta, v, m->v_next);
    if (apart) velocity_within(m, 0.5, v, m->v_half);
    forces_at(m, step, step->t + (1 - m->theta) * step->h, m->v_next, apart ? m->v_half : m->v_next);
    free_velocity_from(m, step->h, pushed);
}

/* The way of independent rates is that of T as it was factored last: the closing of the loops does the rest. */
static talus_status place(tl_matter *matter, tl_step *step, const tl_move *move)
{
    tl_mechanism *m = (tl_mechanism *)matter;
    m->in_step = true;
    m->factored = false;
    m->port_count = 0;
    memset(m->impulse, 0, (size_t)m->n * sizeof *m->impulse);
    memset(m->held, 0, (size_t)m->n * sizeof *m->held);
    for (int j = 0; j < m->nd; j++) m->vd[j] = m->v[m->d[j]];
    memcpy(m->dv, m->v, (size_t)m->n * sizeof *m->dv);
    if (move->v) {
        double *driven = m->work; /* a way is not that of v_n, and those of speed drives are to the second order */
        tl_mechanism_drive_at(m, move->t, m->q_m, m->vd_next, false);
        for (int j = 0; j < m->nd; j++) driven[j] = 0.5 * (m->vd[j] + m->vd_next[j]);
        full_velocity(m, move->v, driven, m->dv);
    }
    for (int i = 0; i < m->n; i++) m->dv[i] = move->span * m->dv[i];
    memcpy(m->q_m, m->q, (size_t)m->nq * sizeof *m->q);
    tl_tree_move(m, m->q_m, m->dv);
    tl_mechanism_drive_at(m, move->t, m->q_m, m->vd_next, true);
    tl_mechanism_drive_at(m, tl_step_end(step), m->q_m, m->vd_next, false);
    return tl_partition_close(m, m->q_m, &m->mid, "within the step", step->error);
}

static void start_velocity(const tl_matter *matter, double *v)
{
    const tl_mechanism *m = (const tl_mechanism *)matter;
    for (int j = 0; j < m->nu; j++) v[j] = m->v[m->u[j]];
}

static talus_status start_from(tl_matter *matter, tl_step *step, const double *v)
{
    tl_mechanism *m = (tl_mechanism *)matter;
    if (m->v_kept) m->v = m->v_kept;
    m->v_kept = NULL;
    if (!v) return TALUS_OK;
    double *other = tl_arena_alloc(step->arena, (size_t)m->n + 1, sizeof *other);
    if (!other) return tl_fail(step->error, TALUS_MEMORY, "no memory for the velocities of mechanism '%s'", m->name);
    full_velocity(m, v, m->vd, other);
    if (m->nu > 0) memcpy(m->v_free, v, (size_t)m->nu * sizeof *v);
    m->v_kept = m->v, m->v = other;
    return TALUS_OK;
}

static bool grazes(tl_matter *matter) { return tl_partition_grazes((tl_mechanism *)matter); }

/* At rest states of laws wait. */
static double states_span(const tl_step *step) { return step->still > 0 ? 0 : step->h; }

static talus_status inertia(tl_matter *matter, tl_step *step, double theta, double span)
{
    tl_mechanism *m = (tl_mechanism *)matter;
    const double time = step->t + (1 - theta) * step->h;
    m->theta = theta, m->halved = step->halved, m->staggered = step->staggered;
    m->heavier = step->still > 0 ? step->heavier : 1;
    TL_TRY(tl_partition_factor(m, &m->mid, step->error));
    m->factored = true;
    TL_TRY(tl_states_mid(m, time, states_span(step), step->error));
    TL_TRY(tl_mechanism_reduce_mass(m, time, span, theta, step->error));
    return step->stiff ? tl_mechanism_stiffen(m, step) : TALUS_OK;
}

/* θ is that of its inertia. */
static talus_status free_velocity(tl_matter *matter, tl_step *step, double theta)
{
    tl_mechanism *m = (tl_mechanism *)matter;
    (void)theta;
    m->pushed = false;
    start_velocity(matter, m->v_mid);
    full_velocity(m, m->v_mid, m->vd, m->v_next);
    forces_at(m, step, step->t + (1 - m->theta) * step->h, m->v_next, m->v_next);
    TL_TRY(tl_joint_forces_check(m, m->v_next, step->t + (1 - m->theta) * step->h, step->error));
    free_velocity_from(m, step->h, false);
    for (int pass = 0; pass < step->force_passes; pass++) free_velocity_at(m, step, m->v_free, false);
    return TALUS_OK;
}

static talus_status acceleration(tl_matter *matter, tl_step *step, double t, const double *v, double *a)
{
    tl_mechanism *m = (tl_mechanism *)matter;
    double *const rate = m->vd_next, *const change = m->v_mid, *const rest = m->v_mid_full;
    for (int j = 0; j < m->nd; j++) {
        const drive *d = &m->drives[m->drive_of[m->d[j]]];
        const talus_motion *motion = d->def.position.value ? &d->def.position : &d->def.speed;
        double out[3] = {0, 0, 0};
        motion->value(motion->user, t, out);
        rate[j] = d->def.position.value ? out[1] : out[0];
        change[j] = d->def.position.value ? out[2] : out[1];
        rest[j] = 0;
    }
    full_velocity(m, v, rate, m->v_next);
    forces_at(m, step, t, m->v_next, m->v_next);
    TL_TRY(tl_joint_forces_check(m, m->v_next, t, step->error));
    change_of_velocity(m, 1, rest, change, false, a);
    memcpy(m->v_free, v, (size_t)m->nu * sizeof *v); /* for those who look how fast it is */
    return TALUS_OK;
}

static double refine(tl_matter *matter, tl_step *step, const double *v, bool apply)
{
    tl_mechanism *m = (tl_mechanism *)matter;
    double *old = m->v_mid_full, change = 0;
    if (step->force_passes == 0 || m->port_count == 0 || m->nu == 0) return 0;
    if (!m->pushed && memcmp(v, m->v_free, (size_t)m->nu * sizeof *v) == 0) return 0; /* nothing pushes, and free_velocity has seen all of the motion */
    m->pushed = m->pushed || apply;
    memcpy(old, m->v_free, (size_t)m->nu * sizeof *old);
    if (m->crossed) tl_mechanism_find_push(m, v);
    free_velocity_at(m, step, v, true);
    for (int j = 0; j < m->nu; j++) m->v_mid[j] = m->v_free[j] - old[j];
    for (int i = 0; i < m->port_count; i++) {
        const double *n = m->ports[i].H, *t = n + m->nu, *b = t + m->nu; /* three sums side by side do not wait for one another */
        double along[3] = {0, 0, 0};
        for (int j = 0; j < m->nu; j++) along[0] += n[j] * m->v_mid[j], along[1] += t[j] * m->v_mid[j], along[2] += b[j] * m->v_mid[j];
        for (int k = 0; k < 3; k++) change = fmax(change, fabs(along[k]));
    }
    if (!apply) memcpy(m->v_free, old, (size_t)m->nu * sizeof *old);
    return change;
}

/* ---- ports -------------------------------------------------------------------------------------------------------- */

/* What a unit impulse along an axis of the port exerts on the rates. */
static void port_row(const tl_mechanism *m, const tl_port *port, int axis, double *row)
{
    const tl_vec3 moment = tl_load3(port->moments[axis]);
    if (port->rate1 > 0) {
        row[port->rate1 - 1] = port->axes[axis][0];
        return;
    }
    tl_tree_point_row(m, &m->mid, port->item, tl_load3(port->x), tl_load3(port->axes[axis]), row);
    if (tl_dot(moment, moment) > 0) tl_tree_angular_row(m, &m->mid, port->item, moment, 1, row);
}

/* Room for the rows of a port, which is the next. */
static talus_status add_port(tl_mechanism *m, tl_step *step, tl_port *port)
{
    const size_t n = (size_t)m->n, nu = (size_t)m->nu;
    const port_rows room = {.full = tl_arena_zero(step->arena, 3 * n, sizeof(double)),
                            .H = tl_arena_alloc(step->arena, 3 * nu, sizeof(double)),
                            .Y = port->read_only ? NULL : tl_arena_alloc(step->arena, 3 * nu, sizeof(double))};
    if (!room.full || !room.H || (!room.Y && !port->read_only))
        return tl_fail(step->error, TALUS_MEMORY, "no memory for the contacts of mechanism '%s'", m->name);
    const talus_status grown = tl_grow(m->matter.memory, &m->ports, &m->port_capacity, m->port_count + 1, sizeof *m->ports);
    if (grown != TALUS_OK) return tl_fail(step->error, grown, "no memory for the contacts of mechanism '%s'", m->name);
    port->slot = m->port_count;
    m->ports[m->port_count++] = room;
    return TALUS_OK;
}

static void fill_port(const tl_mechanism *m, const tl_port *port)
{
    port_rows *out = &m->ports[port->slot];
    for (int k = 0; k < 3; k++) {
        double *row = out->full + k * m->n, *H = out->H + k * m->nu;
        port_row(m, port, k, row);
        reduce(m, row, H);
        for (int j = 0; j < m->nd; j++) {
            double driven = 0;
            for (int i = 0; i < m->n; i++) driven += row[i] * m->P[i * m->nd + j];
            out->imposed[k] += driven * m->vd_next[j];
            out->before[k] += driven * m->vd[j];
        }
        for (int j = 0; j < m->nu; j++) out->before[k] += H[j] * m->v[m->u[j]];
    }
    if (!out->Y || m->nu == 0) return;
    memcpy(out->Y, out->H, 3 * (size_t)m->nu * sizeof *out->Y);
    tl_cholesky_solve_three(m->Mred, m->nu, out->Y);
}

typedef struct filling {
    const tl_mechanism *m;
    const tl_port *ports;
} filling;

static void fill_range(void *context, int begin, int end, int worker)
{
    const filling *f = context;
    (void)worker;
    for (int i = begin; i < end; i++) fill_port(f->m, &f->ports[i]);
}

static talus_status bind(tl_matter *matter, tl_step *step, tl_port *ports, int n)
{
    tl_mechanism *m = (tl_mechanism *)matter;
    for (int i = 0; i < n; i++) TL_TRY(add_port(m, step, &ports[i]));
    tl_parallel_uneven(step->threads, n, 16, fill_range, &(filling){m, ports});
    return TALUS_OK;
}

static void velocity(const tl_matter *matter, const tl_port *port, const double *v, bool imposed, double V[3])
{
    const tl_mechanism *m = (const tl_mechanism *)matter;
    const port_rows *r = &m->ports[port->slot];
    for (int k = 0; k < 3; k++) {
        double sum = imposed ? r->imposed[k] : 0;
        for (int j = 0; j < m->nu; j++) sum += r->H[k * m->nu + j] * v[j];
        V[k] = sum;
    }
}

static void rows(const tl_matter *matter, const tl_port *port, const double **H, const double **Y)
{
    const port_rows *r = &((const tl_mechanism *)matter)->ports[port->slot];
    *H = r->H;
    *Y = r->Y;
}

static void mass(const tl_matter *matter, double *M)
{
    const tl_mechanism *m = (const tl_mechanism *)matter;
    for (int i = 0; i < m->nu; i++)
        for (int j = 0; j < m->nu; j++) {
            M[i * m->nu + j] = 0;
            for (int k = 0; k <= (i < j ? i : j); k++) M[i * m->nu + j] += m->Mred[i * m->nu + k] * m->Mred[j * m->nu + k]; /* its factor */
        }
}

static void velocity_before(const tl_matter *matter, const tl_port *port, double V[3])
{
    memcpy(V, ((const tl_mechanism *)matter)->ports[port->slot].before, 3 * sizeof *V);
}

/* How all rates change at q_m while the independent ones stay v_n: v̇ [n], in the arena, with the motion of the links in `kin`. */
static talus_status find_bias(tl_mechanism *m, tl_step *step, kinematics *kin, double **rates)
{
    const size_t n = (size_t)m->n + 1, nodes = (size_t)m->node_count;
    *kin = m->mid;
    kin->V = tl_arena_alloc(step->arena, nodes, sizeof *kin->V), kin->A = tl_arena_alloc(step->arena, nodes, sizeof *kin->A);
    double *independent = tl_arena_alloc(step->arena, n, sizeof *independent), *v = *rates = tl_arena_alloc(step->arena, n, sizeof *v);
    if (!kin->V || !kin->A || !independent || !v) return tl_fail(step->error, TALUS_MEMORY, "no memory for the links of mechanism '%s'", m->name);
    start_velocity(&m->matter, independent);
    full_velocity(m, independent, m->vd, v);
    tl_tree_rates(m, v, kin);
    loop_acceleration(m, kin, v); /* v̇ takes the place of v */
    return TALUS_OK;
}

static talus_status bias(tl_matter *matter, tl_step *step, int item, tl_vec3 *velocity, tl_vec3 *spin)
{
    tl_mechanism *m = (tl_mechanism *)matter;
    const tl_arena_place mark = tl_arena_mark(step->arena);
    kinematics kin;
    double *rates;
    TL_TRY(find_bias(m, step, &kin, &rates));
    const spatial A = tl_tree_pushed(m, &kin, item, rates);
    *velocity = tl_tree_point_acceleration(&kin, tl_tree_velocity(m, &kin, item), A, kin.link[item].p);
    *spin = A.w;
    tl_arena_release(step->arena, mark);
    return TALUS_OK;
}

static talus_status rate_bias(tl_matter *matter, tl_step *step, int rate, double *change)
{
    tl_mechanism *m = (tl_mechanism *)matter;
    const tl_arena_place mark = tl_arena_mark(step->arena);
    kinematics kin;
    double *rates;
    *change = 0;
    if (m->role[rate] != ROLE_DEPENDENT) return TALUS_OK;
    TL_TRY(find_bias(m, step, &kin, &rates));
    *change = rates[rate];
    tl_arena_release(step->arena, mark);
    return TALUS_OK;
}

static void impulse(const tl_matter *matter, const tl_port *port, const double I[3], double *v)
{
    const tl_mechanism *m = (const tl_mechanism *)matter;
    const double *Y = m->ports[port->slot].Y;
    for (int j = 0; j < m->nu; j++) v[j] += Y[j] * I[0] + Y[m->nu + j] * I[1] + Y[2 * m->nu + j] * I[2];
}

static void accumulate(tl_matter *matter, const tl_port *port, const double I[3])
{
    tl_mechanism *m = (tl_mechanism *)matter;
    const double *full = m->ports[port->slot].full;
    for (int i = 0; i < m->n; i++) m->impulse[i] += full[i] * I[0] + full[m->n + i] * I[1] + full[2 * m->n + i] * I[2];
    if (port->rate1 > 0) m->held[port->rate1 - 1] += port->axes[0][0] * I[0];
}

/* ---- arrive and commit -------------------------------------------------------------------------------------------- */

/* D20 eq. 18: J_vᵀ Λ = (M dv − h f − H I)_v, then the drives from their own rows. All at q_m. */
static talus_status reactions(tl_mechanism *m, const tl_step *step, const double *v)
{
    const double h = step->h;
    double *rest = m->v_full;
    full_velocity(m, v, m->vd_next, m->v_next);
    double *before = m->v_mid_full;
    for (int j = 0; j < m->nu; j++) m->v_mid[j] = m->v[m->u[j]];
    full_velocity(m, m->v_mid, m->vd, before);
    for (int i = 0; i < m->n; i++) m->dv[i] = m->v_next[i] - before[i] + h * m->b[i];
    mass_times(m, m->dv, rest);
    for (int i = 0; i < m->n; i++) rest[i] -= h * m->f[i] + m->impulse[i];
    memset(m->reaction_next, 0, (size_t)m->rows * sizeof *m->reaction_next);
    if (!m->factored && !tl_partition_factor_dependent(m, &m->mid))
        return tl_fail(step->error, TALUS_SINGULAR, "mechanism '%s': its loops became singular", m->name);
    for (int k = 0; k < m->m; k++) m->work[k] = rest[m->dep[k]];
    tl_lu_solve_transposed(m->Jv, m->pivot, m->m, m->work);
    for (int k = 0; k < m->m; k++) m->reaction_next[m->kept[k]] = m->work[k] / h;
    for (int j = 0; j < m->nd; j++) {
        double force = rest[m->d[j]] / h;
        for (int k = 0; k < m->m; k++) force -= m->J[m->kept[k] * m->n + m->d[j]] * m->reaction_next[m->kept[k]];
        m->drive_next[j] = force;
    }
    return TALUS_OK;
}

/* In a search for equilibrium what turns from the start does so at its angle. */
static void stay_turned(tl_mechanism *m)
{
    for (int i = 0; i < m->node_count; i++)
        if (tl_tree_turns(m, i)) memset(m->dv + m->nodes[i].iv, 0, (size_t)m->nodes[i].nv * sizeof *m->dv);
}

static talus_status arrive(tl_matter *matter, tl_step *step, double theta, const double *v, const double *w)
{
    tl_mechanism *m = (tl_mechanism *)matter;
    const double h = step->h, late = theta * h;
    TL_TRY(reactions(m, step, v)); /* leaves v⁺ of all rates at q_m in v_next */
    TL_TRY(tl_states_end(m, step->t + (1 - m->theta) * h, states_span(step), m->v_next, step->error));
    for (int i = 0; i < m->n; i++) m->dv[i] = late * m->v_next[i];
    if (step->still > 0) stay_turned(m);
    for (int j = 0; w && j < m->nu; j++)
        for (int i = 0; i < m->n; i++) m->dv[i] += h * m->T[i * m->nu + j] * w[j];
    memcpy(m->q_next, m->q_m, (size_t)m->nq * sizeof *m->q);
    tl_tree_move(m, m->q_next, m->dv);
    tl_mechanism_drive_at(m, tl_step_end(step), m->q_next, m->vd_next, true);
    TL_TRY(check_finite(m, m->q_next, m->v_next, step->error));
    TL_TRY(tl_partition_close(m, m->q_next, &m->next, "at the end of the step", step->error));
    TL_TRY(tl_partition_factor(m, &m->next, step->error));
    full_velocity(m, v, m->vd_next, m->v_next);
    TL_TRY(check_finite(m, m->q_next, m->v_next, step->error));
    TL_TRY(tl_partition_watch(m, &m->next, step->error));
    tl_joint_implicit_part(m, m->v_next, m->theta, m->tau_next);
    for (int i = 0; i < m->n; i++) m->tau_next[i] += m->held[i] / h; /* stops, dry friction, drives that may give way */
    tl_tree_rates(m, m->v_next, &m->next);
    tl_partition_rechoose(m, m->q_next, m->v_next, h);
    return TALUS_OK;
}

static void swap(double **a, double **b)
{
    double *const c = *a;
    *a = *b;
    *b = c;
}

static void commit(tl_matter *matter, const tl_step *step)
{
    tl_mechanism *m = (tl_mechanism *)matter;
    swap(&m->q, &m->q_next);
    if (!(step->still > 0)) swap(&m->v, &m->v_next); /* at rest rates stay: none, but those of shafts that turn */
    swap(&m->x, &m->x_next);
    swap(&m->tau, &m->tau_next);
    swap(&m->reaction, &m->reaction_next);
    swap(&m->drive_force, &m->drive_next);
    const kinematics now = m->now;
    m->now = m->next;
    m->next = now;
    tl_partition_set_roles(m, m->role_next);
    m->side = m->side_next;
    m->in_step = false;
}

static double coordinate(const tl_matter *matter, int position)
{
    const tl_mechanism *m = (const tl_mechanism *)matter;
    return m->in_step ? m->q_m[position] : m->q[position];
}

static double rate_of(const tl_matter *matter, int rate) { return ((const tl_mechanism *)matter)->v[rate]; }

static int fields(const tl_matter *matter, tl_field *out, int capacity)
{
    const tl_mechanism *m = (const tl_mechanism *)matter;
    const tl_field list[] = {
        {"q", "m, rad", "joint coordinates", false, m->nq, 1, m->q},
        {"v", "m/s, rad/s", "their rates", false, m->n, 1, m->v},
        {"role", "1", "of each rate: 0 independent, 1 dependent, 2 driven", true, m->n, 1, m->role},
        {"state", "of each its own", "states of laws", false, m->state_count, 1, m->x},
    };
    return tl_fields_say(list, (int)(sizeof list / sizeof *list) - (m->state_count == 0), out, capacity);
}

/* A step begins with T as the last one has left it. */
static talus_status restored(tl_matter *matter, tl_error *error)
{
    tl_mechanism *m = (tl_mechanism *)matter;
    memcpy(m->role_next, m->role, (size_t)m->n * sizeof *m->role);
    tl_partition_set_roles(m, m->role_next);
    tl_tree_place(m, m->q, &m->now);
    tl_tree_rates(m, m->v, &m->now);
    m->in_step = false;
    TL_TRY(tl_partition_factor(m, &m->now, error));
    m->side = m->side_next;
    return TALUS_OK;
}

void tl_mechanism_destroy(tl_matter *);

const tl_matter_ops TL_MECHANISM_OPS = {
    .kind = "mechanism",
    .part = "link",
    .assemble = tl_mechanism_assemble,
    .start_velocity = start_velocity,
    .start_from = start_from,
    .place = place,
    .grazes = grazes,
    .inertia = inertia,
    .free_velocity = free_velocity,
    .acceleration = acceleration,
    .bind = bind,
    .velocity = velocity,
    .impulse = impulse,
    .rows = rows,
    .mass = mass,
    .velocity_before = velocity_before,
    .bias = bias,
    .rate_bias = rate_bias,
    .refine = refine,
    .accumulate = accumulate,
    .arrive = arrive,
    .commit = commit,
    .frame = tl_mechanism_frame,
    .body_mass = tl_mechanism_body_mass,
    .body_motion = tl_mechanism_body_motion,
    .body_angle = tl_mechanism_body_angle,
    .add_load = tl_mechanism_add_load,
    .coordinate = coordinate,
    .rate = rate_of,
    .energy = tl_mechanism_energy,
    .fields = fields,
    .restored = restored,
    .destroy = tl_mechanism_destroy,
};
