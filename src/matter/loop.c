/* Loop equations h_B(q) = 0, their Jacobian J and bias J̇ v (theory §3; D20 §2.5, eq. 15-24), and their multipliers as forces.
 *
 * Points: difference x_a − x_b. Frames and hinges: components, along directions d fixed in body a, of the rotation vector δ that turns a's
 * axes into b's; near the solution d(δ · d)/dt = −d · (ω_a − ω_b), and since only there h vanishes, a loop never closes upside down.
 * Rods: ½(‖x_a − x_b‖²/L − L). Screws and gears: q_a − ratio q_b − offset; trains: Σ factor q − offset. */
#include <string.h>

#include "matter/mechanism_internal.h"

int tl_loop_rows(const tl_mechanism *m, talus_loop_kind kind)
{
    switch (kind) {
    case TALUS_LOOP_POINT: return m->planar ? 2 : 3;
    case TALUS_LOOP_HINGE: return m->planar ? 2 : 5;
    case TALUS_LOOP_BODY: return m->planar ? 3 : 6;
    default: return 1;
    }
}

/* Rotation vector of least angle that turns the unit vector a into b; `fallback` is a unit vector across a. */
static tl_vec3 turn_of_axes(tl_vec3 a, tl_vec3 b, tl_vec3 fallback)
{
    const tl_vec3 e = tl_cross(a, b);
    const double sine = tl_norm(e), cosine = tl_dot(a, b);
    if (sine > 1e-8) return tl_scale(atan2(sine, cosine) / sine, e);
    return cosine > 0 ? e : tl_scale(TL_PI, fallback);
}

/* The same for two right-handed frames: e = sin θ n. */
static tl_vec3 turn_of_frames(const tl_vec3 a[3], const tl_vec3 b[3])
{
    tl_vec3 e = {0, 0, 0};
    double trace = 0;
    int nearest = 0;
    for (int i = 0; i < 3; i++) {
        e = tl_add(e, tl_scale(0.5, tl_cross(a[i], b[i])));
        trace += tl_dot(a[i], b[i]);
        if (tl_dot(a[i], b[i]) > tl_dot(a[nearest], b[nearest])) nearest = i;
    }
    const double sine = tl_norm(e), cosine = 0.5 * (trace - 1);
    if (sine > 1e-8) return tl_scale(atan2(sine, cosine) / sine, e);
    if (cosine > 0) return e;
    return tl_scale(TL_PI, tl_normalize(tl_add(a[nearest], b[nearest]))); /* half a turn: b = 2 (n·a) n − a */
}

/* Directions d of the rotational equations, fixed in body a, and δ; returns how many. */
static int loop_turn(const tl_mechanism *m, const kinematics *kin, const loop *l, tl_vec3 d[3], tl_vec3 *delta)
{
    if (l->def.kind != TALUS_LOOP_BODY && (l->def.kind != TALUS_LOOP_HINGE || m->planar)) return 0;
    tl_vec3 axes[2][3];
    for (int side = 0; side < 2; side++) {
        const double *c = side == 0 ? l->def.quat_a : l->def.quat_b;
        if (l->def.kind == TALUS_LOOP_HINGE) {
            axes[side][2] = tl_normalize(tl_load3(side == 0 ? l->def.axis_a : l->def.axis_b));
            tl_tangents(axes[side][2], &axes[side][0], &axes[side][1]);
        } else {
            const tl_mat3 R = tl_mat3_from_quat((tl_quat){c[0], c[1], c[2], c[3]});
            for (int i = 0; i < 3; i++) axes[side][i] = tl_v3(R.m[0][i], R.m[1][i], R.m[2][i]);
        }
        for (int i = 0; l->body[side] >= 0 && i < 3; i++) axes[side][i] = tl_mat3_apply(&kin->link[l->body[side]].R, axes[side][i]);
    }
    const tl_vec3 *a = axes[0], *b = axes[1];
    const bool hinge = l->def.kind == TALUS_LOOP_HINGE;
    *delta = hinge ? turn_of_axes(a[2], b[2], a[0]) : turn_of_frames(a, b);
    d[0] = m->planar ? tl_v3(0, 0, 1) : a[0];
    d[1] = a[1];
    d[2] = a[2];
    return m->planar ? 1 : hinge ? 2 : 3;
}

static bool has_points(talus_loop_kind kind) { return kind == TALUS_LOOP_POINT || kind == TALUS_LOOP_HINGE || kind == TALUS_LOOP_BODY; }

static tl_vec3 loop_point(const kinematics *kin, const loop *l, int side)
{
    return tl_tree_point(kin, l->body[side], tl_load3(side == 0 ? l->def.point_a : l->def.point_b));
}

static double component(tl_vec3 v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }

static tl_vec3 unit(int i) { return tl_v3(i == 0, i == 1, i == 2); }

void tl_loop_values(const tl_mechanism *m, const kinematics *kin, const double *q, double *h)
{
    for (int i = 0; i < m->loop_count; i++) {
        const loop *l = &m->loops[i];
        double *out = h + l->first_row;
        if (l->terms > 0) {
            *out = -l->def.offset;
            for (int k = 0; k < l->terms; k++) *out += l->term[k].factor * q[m->joints[l->term[k].joint].iq + l->term[k].coordinate];
            continue;
        }
        const tl_vec3 x = tl_sub(loop_point(kin, l, 0), loop_point(kin, l, 1));
        tl_vec3 d[3], delta;
        if (l->def.kind == TALUS_LOOP_ROD) *out = 0.5 * (tl_dot(x, x) / l->def.length - l->def.length);
        for (int k = 0; has_points(l->def.kind) && k < (m->planar ? 2 : 3); k++) *out++ = component(x, k);
        const int n = loop_turn(m, kin, l, d, &delta);
        for (int k = 0; k < n; k++) *out++ = -tl_dot(delta, d[k]);
    }
}

void tl_loop_jacobian(const tl_mechanism *m, const kinematics *kin, double *J)
{
    memset(J, 0, (size_t)(m->rows * m->n) * sizeof *J);
    for (int i = 0; i < m->loop_count; i++) {
        const loop *l = &m->loops[i];
        double *row = J + l->first_row * m->n;
        for (int k = 0; k < l->terms; k++) row[m->joints[l->term[k].joint].iv + l->term[k].coordinate] += l->term[k].factor;
        if (l->terms > 0) continue;
        const tl_vec3 x[2] = {loop_point(kin, l, 0), loop_point(kin, l, 1)};
        const tl_vec3 along = l->def.kind == TALUS_LOOP_ROD ? tl_scale(1 / l->def.length, tl_sub(x[0], x[1])) : (tl_vec3){0, 0, 0};
        for (int side = 0; side < 2; side++) {
            const double sign = side == 0 ? 1 : -1;
            if (l->def.kind == TALUS_LOOP_ROD) tl_tree_point_row(m, kin, l->body[side], x[side], tl_scale(sign, along), row);
            for (int k = 0; has_points(l->def.kind) && k < (m->planar ? 2 : 3); k++)
                tl_tree_point_row(m, kin, l->body[side], x[side], tl_scale(sign, unit(k)), row + k * m->n);
        }
        row += (m->planar ? 2 : 3) * m->n;
        tl_vec3 d[3], delta;
        const int n = loop_turn(m, kin, l, d, &delta);
        for (int k = 0; k < n; k++, row += m->n) {
            tl_tree_angular_row(m, kin, l->body[0], d[k], 1, row);
            tl_tree_angular_row(m, kin, l->body[1], d[k], -1, row);
        }
    }
}

void tl_loop_bias(const tl_mechanism *m, const kinematics *kin, double *bias)
{
    memset(bias, 0, (size_t)m->rows * sizeof *bias);
    for (int i = 0; i < m->loop_count; i++) {
        const loop *l = &m->loops[i];
        double *out = bias + l->first_row;
        if (l->terms > 0) continue;
        const spatial Va = tl_tree_velocity(m, kin, l->body[0]), Vb = tl_tree_velocity(m, kin, l->body[1]);
        const spatial Aa = tl_tree_acceleration(m, kin, l->body[0]), Ab = tl_tree_acceleration(m, kin, l->body[1]);
        const tl_vec3 xa = loop_point(kin, l, 0), xb = loop_point(kin, l, 1);
        const tl_vec3 a = tl_sub(tl_tree_point_acceleration(kin, Va, Aa, xa), tl_tree_point_acceleration(kin, Vb, Ab, xb));
        const tl_vec3 v = tl_sub(tl_tree_point_velocity(kin, Va, xa), tl_tree_point_velocity(kin, Vb, xb));
        if (l->def.kind == TALUS_LOOP_ROD) *out = (tl_dot(tl_sub(xa, xb), a) + tl_dot(v, v)) / l->def.length;
        for (int k = 0; has_points(l->def.kind) && k < (m->planar ? 2 : 3); k++) *out++ = component(a, k);
        tl_vec3 d[3], delta;
        const int n = loop_turn(m, kin, l, d, &delta);
        for (int k = 0; k < n; k++) /* d/dt of d · (ω_a − ω_b) with d fixed in a */
            *out++ = tl_dot(d[k], tl_sub(Aa.w, Ab.w)) + tl_dot(tl_cross(Va.w, d[k]), tl_sub(Va.w, Vb.w));
    }
}

void tl_loop_reaction(const tl_mechanism *m, const kinematics *kin, int index, const double *multiplier, double reaction[6])
{
    const loop *l = &m->loops[index];
    const double *value = multiplier + l->first_row;
    if (!has_points(l->def.kind)) {
        reaction[0] = value[0];
        return;
    }
    for (int k = 0; k < (m->planar ? 2 : 3); k++) reaction[k] = *value++;
    tl_vec3 d[3], delta, moment = {0, 0, 0};
    const int n = loop_turn(m, kin, l, d, &delta);
    for (int k = 0; k < n; k++) moment = tl_add(moment, tl_scale(*value++, d[k]));
    tl_store3(reaction + 3, moment);
}
