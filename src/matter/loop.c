/* Loops (MECHANICS §3; D20 §2.5, eq. 15-25): equations h_B(q) = 0, their Jacobian J and bias J̇ v, and the partition of the rates into
 * independent u, dependent v and driven d:
 *
 *     J_u v_u + J_v v_v + J_d v_d = 0   ⇒   v = T v_u + P v_d,   T = [1; −J_v⁻¹ J_u; 0],  P = [0; −J_v⁻¹ J_d; 1]. */
#include <stdio.h>
#include <string.h>

#include "matter/mechanism_internal.h"

static const double CLOSED = 1e-12;        /* m, rad: Newton's aim                                            */
static const double CLOSED_ENOUGH = 5e-11; /* what rounding may leave                                         */
static const double RANK = 1e-9;           /* a pivot this much smaller than the first is a redundant equation */
static const double WORSE = 10;            /* a J_v this much worse conditioned than the best is chosen anew */
enum { NEWTON = 60 };

int tl_loop_rows(const tl_mechanism *m, talus_loop_kind kind)
{
    switch (kind) {
    case TALUS_LOOP_POINT: return m->planar ? 2 : 3;
    case TALUS_LOOP_HINGE: return m->planar ? 2 : 5;
    case TALUS_LOOP_BODY: return m->planar ? 3 : 6;
    default: return 1;
    }
}

/* Pairs of directions, one fixed in each body, that the loop keeps perpendicular. */
typedef struct square {
    tl_vec3 a, b;
} square;

static int loop_squares(const tl_mechanism *m, const kinematics *kin, const loop *l, square out[3])
{
    tl_vec3 a[3], b[3];
    for (int side = 0; side < 2; side++) {
        tl_vec3 *axes = side == 0 ? a : b;
        const double *c = side == 0 ? l->def.quat_a : l->def.quat_b;
        if (l->def.kind == TALUS_LOOP_HINGE) {
            axes[2] = tl_normalize(tl_load3(side == 0 ? l->def.axis_a : l->def.axis_b));
            tl_tangents(axes[2], &axes[0], &axes[1]);
        } else {
            const tl_mat3 R = tl_mat3_from_quat((tl_quat){c[0], c[1], c[2], c[3]});
            for (int i = 0; i < 3; i++) axes[i] = tl_v3(R.m[0][i], R.m[1][i], R.m[2][i]);
        }
        for (int i = 0; l->body[side] >= 0 && i < 3; i++) axes[i] = tl_mat3_apply(&kin->link[l->body[side]].R, axes[i]);
    }
    if (l->def.kind == TALUS_LOOP_HINGE && !m->planar) {
        out[0] = (square){a[0], b[2]}, out[1] = (square){a[1], b[2]};
        return 2;
    }
    if (l->def.kind != TALUS_LOOP_BODY) return 0;
    out[0] = (square){a[0], b[1]}, out[1] = (square){a[1], b[2]}, out[2] = (square){a[2], b[0]};
    return m->planar ? 1 : 3;
}

static bool has_points(talus_loop_kind kind)
{
    return kind == TALUS_LOOP_POINT || kind == TALUS_LOOP_HINGE || kind == TALUS_LOOP_BODY;
}

static tl_vec3 loop_point(const kinematics *kin, const loop *l, int side)
{
    return tl_tree_point(kin, l->body[side], tl_load3(side == 0 ? l->def.point_a : l->def.point_b));
}

static double component(tl_vec3 v, int i)
{
    return i == 0 ? v.x : i == 1 ? v.y : v.z;
}

static tl_vec3 unit(int i)
{
    return tl_v3(i == 0, i == 1, i == 2);
}

static int position_of(const tl_mechanism *m, const loop *l, int side, int *rate)
{
    const joint *j = &m->joints[l->joint[side]];
    const int coordinate = side == 0 ? l->def.coordinate_a : l->def.coordinate_b;
    *rate = j->iv + coordinate;
    return j->iq + coordinate;
}

void tl_loop_values(const tl_mechanism *m, const kinematics *kin, const double *q, double *h)
{
    for (int i = 0; i < m->loop_count; i++) {
        const loop *l = &m->loops[i];
        double *out = h + l->first_row;
        square squares[3];
        if (l->def.kind == TALUS_LOOP_SCREW || l->def.kind == TALUS_LOOP_GEAR) {
            int rate;
            const double a = q[position_of(m, l, 0, &rate)], b = q[position_of(m, l, 1, &rate)];
            *out = a - l->def.ratio * b - l->def.offset;
            continue;
        }
        const tl_vec3 d = tl_sub(loop_point(kin, l, 0), loop_point(kin, l, 1));
        if (l->def.kind == TALUS_LOOP_ROD) *out = 0.5 * (tl_dot(d, d) / l->def.length - l->def.length);
        for (int k = 0; has_points(l->def.kind) && k < (m->planar ? 2 : 3); k++) *out++ = component(d, k);
        const int n = loop_squares(m, kin, l, squares);
        for (int k = 0; k < n; k++) *out++ = tl_dot(squares[k].a, squares[k].b);
    }
}

void tl_loop_jacobian(const tl_mechanism *m, const kinematics *kin, double *J)
{
    memset(J, 0, (size_t)(m->rows * m->n) * sizeof *J);
    for (int i = 0; i < m->loop_count; i++) {
        const loop *l = &m->loops[i];
        double *row = J + l->first_row * m->n;
        square squares[3];
        if (l->def.kind == TALUS_LOOP_SCREW || l->def.kind == TALUS_LOOP_GEAR) {
            int a, b;
            position_of(m, l, 0, &a);
            position_of(m, l, 1, &b);
            row[a] += 1;
            row[b] -= l->def.ratio;
            continue;
        }
        const tl_vec3 x[2] = {loop_point(kin, l, 0), loop_point(kin, l, 1)}, d = tl_sub(x[0], x[1]);
        for (int side = 0; side < 2; side++) {
            const double sign = side == 0 ? 1 : -1;
            if (l->def.kind == TALUS_LOOP_ROD) tl_tree_point_row(m, kin, l->body[side], x[side], d, sign / l->def.length, row);
            for (int k = 0; has_points(l->def.kind) && k < (m->planar ? 2 : 3); k++)
                tl_tree_point_row(m, kin, l->body[side], x[side], unit(k), sign, row + k * m->n);
        }
        row += (m->planar ? 2 : 3) * m->n;
        const int n = loop_squares(m, kin, l, squares);
        for (int k = 0; k < n; k++, row += m->n) {
            const tl_vec3 normal = tl_cross(squares[k].a, squares[k].b);
            tl_tree_angular_row(m, kin, l->body[0], normal, 1, row);
            tl_tree_angular_row(m, kin, l->body[1], normal, -1, row);
        }
    }
}

void tl_loop_bias(const tl_mechanism *m, const kinematics *kin, double *bias)
{
    memset(bias, 0, (size_t)m->rows * sizeof *bias);
    for (int i = 0; i < m->loop_count; i++) {
        const loop *l = &m->loops[i];
        double *out = bias + l->first_row;
        square squares[3];
        if (l->def.kind == TALUS_LOOP_SCREW || l->def.kind == TALUS_LOOP_GEAR) continue;
        const spatial Va = tl_tree_velocity(m, kin, l->body[0]), Vb = tl_tree_velocity(m, kin, l->body[1]);
        const spatial Aa = tl_tree_acceleration(m, kin, l->body[0]), Ab = tl_tree_acceleration(m, kin, l->body[1]);
        const tl_vec3 xa = loop_point(kin, l, 0), xb = loop_point(kin, l, 1);
        const tl_vec3 a = tl_sub(tl_tree_point_acceleration(Va, Aa, xa), tl_tree_point_acceleration(Vb, Ab, xb));
        const tl_vec3 v = tl_sub(tl_tree_point_velocity(Va, xa), tl_tree_point_velocity(Vb, xb));
        if (l->def.kind == TALUS_LOOP_ROD) *out = (tl_dot(tl_sub(xa, xb), a) + tl_dot(v, v)) / l->def.length;
        for (int k = 0; has_points(l->def.kind) && k < (m->planar ? 2 : 3); k++) *out++ = component(a, k);
        const int n = loop_squares(m, kin, l, squares);
        for (int k = 0; k < n; k++) { /* d/dt of (a × b) · (ω_a − ω_b) */
            const tl_vec3 s = squares[k].a, t = squares[k].b;
            const tl_vec3 turn = tl_add(tl_cross(tl_cross(Va.w, s), t), tl_cross(s, tl_cross(Vb.w, t)));
            *out++ = tl_dot(tl_cross(s, t), tl_sub(Aa.w, Ab.w)) + tl_dot(turn, tl_sub(Va.w, Vb.w));
        }
    }
}

static const loop *worst_loop(const tl_mechanism *m, const double *h, double *error)
{
    const loop *worst = &m->loops[0];
    *error = 0;
    for (int i = 0; i < m->loop_count; i++)
        for (int k = 0; k < m->loops[i].rows; k++) {
            const double e = fabs(h[m->loops[i].first_row + k]);
            if (!(e <= *error)) *error = e, worst = &m->loops[i];
        }
    return worst;
}

/* J_v of the kept rows and the dependent columns, factored. */
static bool factor_dependent(tl_mechanism *m, const kinematics *kin)
{
    tl_loop_jacobian(m, kin, m->J);
    for (int i = 0; i < m->m; i++)
        for (int j = 0; j < m->m; j++) m->Jv[i * m->m + j] = m->J[m->kept[i] * m->n + m->dep[j]];
    return tl_lu(m->Jv, m->m, m->pivot);
}

talus_status tl_loop_close(tl_mechanism *m, double *q, kinematics *kin, const char *when, tl_error *error)
{
    double size = 0, before = (double)INFINITY;
    tl_tree_kinematics(m, q, NULL, kin);
    if (m->rows == 0) return TALUS_OK;
    for (int i = 0; i < NEWTON; i++) {
        tl_loop_values(m, kin, q, m->h);
        (void)worst_loop(m, m->h, &size);
        if (size <= CLOSED || (size <= CLOSED_ENOUGH && size >= 0.5 * before) || !isfinite(size)) break;
        before = size;
        if (!factor_dependent(m, kin)) break;
        for (int k = 0; k < m->m; k++) m->work[k] = -m->h[m->kept[k]];
        tl_lu_solve(m->Jv, m->pivot, m->m, m->work);
        memset(m->dv, 0, (size_t)m->n * sizeof *m->dv);
        for (int k = 0; k < m->m; k++) m->dv[m->dep[k]] = m->work[k];
        tl_tree_move(m, q, m->dv);
        tl_tree_kinematics(m, q, NULL, kin);
    }
    if (size <= CLOSED_ENOUGH) return TALUS_OK;
    return tl_fail(error, TALUS_ASSEMBLY, "mechanism '%s': loop '%s' does not close %s: %.3g m (or rad) remain; %s", m->name,
                   worst_loop(m, m->h, &size)->name, when, size,
                   m->assembled ? "a smaller step, or other dependent coordinates, may help" : "check its lengths and the initial coordinates");
}

talus_status tl_loop_partition(tl_mechanism *m, const kinematics *kin, tl_error *error)
{
    const int n = m->n, nu = m->nu, nd = m->nd;
    memset(m->T, 0, (size_t)(n * nu) * sizeof *m->T);
    memset(m->P, 0, (size_t)(n * nd) * sizeof *m->P);
    for (int j = 0; j < nu; j++) m->T[m->u[j] * nu + j] = 1;
    for (int j = 0; j < nd; j++) m->P[m->d[j] * nd + j] = 1;
    if (m->m == 0) return TALUS_OK;
    if (!factor_dependent(m, kin))
        return tl_fail(error, TALUS_SINGULAR, "mechanism '%s': its loops do not determine the dependent coordinates here (loop '%s'); name others, or none",
                       m->name, m->loops[0].name);
    for (int j = 0; j < nu + nd; j++) {
        const int column = j < nu ? m->u[j] : m->d[j - nu];
        for (int i = 0; i < m->m; i++) m->work[i] = -m->J[m->kept[i] * n + column];
        tl_lu_solve(m->Jv, m->pivot, m->m, m->work);
        for (int i = 0; i < m->m; i++) {
            if (j < nu) m->T[m->dep[i] * nu + j] = m->work[i];
            else m->P[m->dep[i] * nd + (j - nu)] = m->work[i];
        }
    }
    return TALUS_OK;
}

void tl_loop_set_roles(tl_mechanism *m, const int32_t *roles)
{
    m->nu = m->nd = 0;
    int dependent = 0;
    for (int i = 0; i < m->n; i++) {
        m->role[i] = roles[i];
        if (roles[i] == ROLE_INDEPENDENT) m->u[m->nu++] = i;
        else if (roles[i] == ROLE_DRIVEN) m->d[m->nd++] = i;
        else m->dep[dependent++] = i;
    }
    m->matter.nv = m->nu;
}

/* Gauss elimination with full pivoting of J over the columns that are not driven: rank, and rows and columns in order of their pivots. */
static int eliminate(const tl_mechanism *m, double *J, int *row_order, int *column_order)
{
    int columns = 0, rank = 0;
    double first = 0;
    for (int j = 0; j < m->n; j++)
        if (m->role[j] != ROLE_DRIVEN) column_order[columns++] = j;
    for (int i = 0; i < m->rows; i++) row_order[i] = i;
    for (; rank < m->rows && rank < columns; rank++) {
        int r = rank, c = rank;
        for (int i = rank; i < m->rows; i++)
            for (int j = rank; j < columns; j++) /* by a clear margin only: the choice must not hang on rounding */
                if (fabs(J[row_order[i] * m->n + column_order[j]]) > (1 + 1e-9) * fabs(J[row_order[r] * m->n + column_order[c]])) r = i, c = j;
        const double pivot = J[row_order[r] * m->n + column_order[c]];
        if (rank == 0) first = fabs(pivot);
        if (!(fabs(pivot) > RANK * first) || !(first > 0)) break;
        const int row = row_order[r], column = column_order[c];
        row_order[r] = row_order[rank], row_order[rank] = row;
        column_order[c] = column_order[rank], column_order[rank] = column;
        for (int i = rank + 1; i < m->rows; i++) {
            const double factor = J[row_order[i] * m->n + column] / pivot;
            for (int j = 0; factor != 0 && j < m->n; j++) J[row_order[i] * m->n + j] -= factor * J[row * m->n + j];
        }
    }
    return rank;
}

/* The pivoted columns become dependent. */
static int choose(tl_mechanism *m, const kinematics *kin, int32_t *roles)
{
    tl_loop_jacobian(m, kin, m->J);
    const int rank = eliminate(m, m->J, m->row_order, m->column_order);
    for (int i = 0; i < m->n; i++) roles[i] = m->role[i] == ROLE_DRIVEN ? ROLE_DRIVEN : ROLE_INDEPENDENT;
    for (int i = 0; i < rank; i++) roles[m->column_order[i]] = ROLE_DEPENDENT;
    return rank;
}

/* Newton with the best columns and rows anew at each iteration: closes redundant loops too. */
static void close_freely(tl_mechanism *m, double *q, kinematics *kin)
{
    double size;
    for (int i = 0; i < NEWTON; i++) {
        tl_tree_kinematics(m, q, NULL, kin);
        tl_loop_values(m, kin, q, m->h);
        (void)worst_loop(m, m->h, &size);
        if (size <= CLOSED || !isfinite(size)) return;
        m->m = choose(m, kin, m->role_next);
        for (int k = 0; k < m->m; k++) m->kept[k] = m->row_order[k], m->dep[k] = m->column_order[k];
        if (!factor_dependent(m, kin)) return;
        for (int k = 0; k < m->m; k++) m->work[k] = -m->h[m->kept[k]];
        tl_lu_solve(m->Jv, m->pivot, m->m, m->work);
        memset(m->dv, 0, (size_t)m->n * sizeof *m->dv);
        for (int k = 0; k < m->m; k++) m->dv[m->dep[k]] = m->work[k];
        tl_tree_move(m, q, m->dv);
    }
}

/* Rank of J here, and a little way along the motion: a dead point is not a redundant loop. Leaves rows and columns in order. */
static int generic_rank(tl_mechanism *m)
{
    int rank = choose(m, &m->mid, m->role_next);
    memcpy(m->q_next, m->q_m, (size_t)m->nq * sizeof *m->q);
    memset(m->v_next, 0, (size_t)m->n * sizeof *m->v_next);
    for (int i = 0; i < m->n; i++)
        if (m->role_next[i] == ROLE_INDEPENDENT) m->v_next[i] = 1e-3 * (1 + 0.1 * (i % 7));
    tl_tree_move(m, m->q_next, m->v_next);
    close_freely(m, m->q_next, &m->next);
    double size;
    tl_tree_kinematics(m, m->q_next, NULL, &m->next);
    tl_loop_values(m, &m->next, m->q_next, m->h);
    (void)worst_loop(m, m->h, &size);
    const int nearby = size <= CLOSED_ENOUGH ? choose(m, &m->next, m->role_next) : 0;
    if (nearby > rank) return nearby;
    return choose(m, &m->mid, m->role_next);
}

static void warn_redundant(tl_mechanism *m)
{
    for (int i = m->m; i < m->rows; i++)
        for (int k = 0; k < m->loop_count; k++) {
            const loop *l = &m->loops[k];
            if (m->row_order[i] < l->first_row || m->row_order[i] >= l->first_row + l->rows) continue;
            char text[512];
            const int length = snprintf(text, sizeof text, "mechanism '%s': equation %d of loop '%s' is redundant and is dropped\n", m->name,
                                        m->row_order[i] - l->first_row + 1, l->name);
            const size_t old = m->warnings ? strlen(m->warnings) : 0;
            char *joined = tl_alloc(m->matter.memory, old + (size_t)length + 1, 1);
            if (!joined) return;
            if (old) memcpy(joined, m->warnings, old);
            memcpy(joined + old, text, (size_t)length);
            tl_free(m->matter.memory, m->warnings);
            m->warnings = joined;
        }
}

static talus_status own_roles(tl_mechanism *m, int32_t *roles, tl_error *error)
{
    if (m->chosen_count != m->m)
        return tl_fail(error, TALUS_INPUT, "mechanism '%s': %d dependent coordinates are named, its loops have %d independent equations", m->name,
                       m->chosen_count, m->m);
    for (int i = 0; i < m->n; i++) roles[i] = m->role[i] == ROLE_DRIVEN ? ROLE_DRIVEN : ROLE_INDEPENDENT;
    for (int i = 0; i < m->chosen_count; i++) {
        const joint *j = &m->joints[m->chosen[i][0]];
        int32_t *own = &roles[j->iv + m->chosen[i][1]];
        if (*own != ROLE_INDEPENDENT)
            return tl_fail(error, TALUS_INPUT, "mechanism '%s': joint '%s' is named dependent but is %s", m->name, j->name,
                           *own == ROLE_DRIVEN ? "driven" : "named twice");
        *own = ROLE_DEPENDENT;
    }
    return TALUS_OK;
}

talus_status tl_loop_assemble(tl_mechanism *m, tl_error *error)
{
    double size;
    m->own_choice = m->chosen_count > 0;
    if (m->rows == 0) {
        if (m->own_choice) return tl_fail(error, TALUS_INPUT, "mechanism '%s' has no loops, so no coordinate depends on others", m->name);
        tl_loop_set_roles(m, m->role);
        tl_tree_kinematics(m, m->q, NULL, &m->mid);
        return TALUS_OK;
    }
    memcpy(m->q_m, m->q, (size_t)m->nq * sizeof *m->q);
    close_freely(m, m->q_m, &m->mid);
    tl_tree_kinematics(m, m->q_m, NULL, &m->mid);
    tl_loop_values(m, &m->mid, m->q_m, m->h);
    const loop *worst = worst_loop(m, m->h, &size);
    if (!(size <= CLOSED_ENOUGH))
        return tl_fail(error, TALUS_ASSEMBLY, "mechanism '%s': loop '%s' cannot be closed: %.3g m (or rad) remain; check its lengths, or begin nearer",
                       m->name, worst->name, size);
    m->m = generic_rank(m);
    for (int i = 0; i < m->m; i++) m->kept[i] = m->row_order[i];
    warn_redundant(m);
    if (m->own_choice) TL_TRY(own_roles(m, m->role_next, error));
    tl_loop_set_roles(m, m->role_next);
    /* from the user's values, moving the dependent coordinates alone; where these cannot, from the closed ones */
    memcpy(m->q_next, m->q, (size_t)m->nq * sizeof *m->q);
    if (tl_loop_close(m, m->q_next, &m->mid, "at t = 0", error) != TALUS_OK) {
        memcpy(m->q_next, m->q_m, (size_t)m->nq * sizeof *m->q);
        TL_TRY(tl_loop_close(m, m->q_next, &m->mid, "at t = 0", error));
    }
    memcpy(m->q, m->q_next, (size_t)m->nq * sizeof *m->q);
    return TALUS_OK;
}

/* Condition number of J_v with these dependent columns. */
static double condition(tl_mechanism *m, const int32_t *roles)
{
    double norm = 0;
    int column = 0;
    for (int j = 0; j < m->n; j++) {
        if (roles[j] != ROLE_DEPENDENT) continue;
        double sum = 0;
        for (int i = 0; i < m->m; i++) {
            m->Jv[i * m->m + column] = m->J[m->kept[i] * m->n + j];
            sum += fabs(m->J[m->kept[i] * m->n + j]);
        }
        norm = fmax(norm, sum);
        column++;
    }
    if (column != m->m || !tl_lu(m->Jv, m->m, m->pivot)) return (double)INFINITY;
    return tl_lu_condition(m->Jv, m->pivot, m->m, norm, m->work);
}

void tl_loop_rechoose(tl_mechanism *m, const kinematics *kin)
{
    memcpy(m->role_next, m->role, (size_t)m->n * sizeof *m->role);
    if (m->own_choice || m->m == 0 || m->nu == 0) return;
    tl_loop_jacobian(m, kin, m->J);
    const double now = condition(m, m->role);
    const int rank = choose(m, kin, m->role_next);
    tl_loop_jacobian(m, kin, m->J); /* choose eliminated in it */
    if (rank != m->m || !(now > WORSE * condition(m, m->role_next))) memcpy(m->role_next, m->role, (size_t)m->n * sizeof *m->role);
}

void tl_loop_reaction(const tl_mechanism *m, const kinematics *kin, int index, const double *multiplier, double reaction[6])
{
    const loop *l = &m->loops[index];
    const double *value = multiplier + l->first_row;
    square squares[3];
    if (!has_points(l->def.kind)) {
        reaction[0] = value[0];
        return;
    }
    for (int k = 0; k < (m->planar ? 2 : 3); k++) reaction[k] = *value++;
    const int n = loop_squares(m, kin, l, squares);
    tl_vec3 moment = {0, 0, 0};
    for (int k = 0; k < n; k++) moment = tl_add(moment, tl_scale(*value++, tl_cross(squares[k].a, squares[k].b)));
    tl_store3(reaction + 3, moment);
}
