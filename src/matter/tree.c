/* Kinematics and inertia of the tree (theory §3): frames, motion subspaces, velocities; mass matrix by composite rigid bodies, bias by recursive
 * Newton–Euler (Featherstone 2008). About one point for all, inertias add and motion subspaces need no transforms; and that is a link, for about the world's
 * origin what is thousands of kilometres away from it, as on maps, would have no digits left. */
#include <string.h>

#include "matter/mechanism_internal.h"

static spatial add(spatial a, spatial b) { return (spatial){tl_add(a.w, b.w), tl_add(a.v, b.v)}; }
static spatial scale(double s, spatial a) { return (spatial){tl_scale(s, a.w), tl_scale(s, a.v)}; }
static double dot(spatial a, spatial b) { return tl_dot(a.w, b.w) + tl_dot(a.v, b.v); }

/* Rate of a motion vector that is fixed in a body moving with V. */
static spatial cross_motion(spatial V, spatial s) { return (spatial){tl_cross(V.w, s.w), tl_add(tl_cross(V.w, s.v), tl_cross(V.v, s.w))}; }

/* Rate of a momentum that is fixed in such a body. */
static spatial cross_force(spatial V, spatial p) { return (spatial){tl_add(tl_cross(V.w, p.w), tl_cross(V.v, p.v)), tl_cross(V.w, p.v)}; }

static tl_frame compose(const tl_frame *a, const tl_frame *b) { return (tl_frame){tl_add(a->p, tl_mat3_apply(&a->R, b->p)), tl_mat3_mul(&a->R, &b->R)}; }

static const tl_frame GROUND = {{0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}};

static tl_frame node_frame(const tl_mechanism *m, const node *k, const double *q, const kinematics *kin)
{
    const tl_frame *base = k->parent < 0 ? &GROUND : k->on_link ? &kin->link[m->nodes[k->parent].link] : &kin->frame[k->parent];
    tl_frame f = compose(base, &k->place);
    if (k->kind == NODE_REVOLUTE || k->kind == NODE_SCREW) {
        const tl_mat3 turn = tl_mat3_rotation(k->axis, q[k->iq]);
        f.p = tl_add(f.p, tl_scale(k->pitch * q[k->iq], tl_mat3_apply(&f.R, k->axis)));
        f.R = tl_mat3_mul(&f.R, &turn);
    } else if (k->kind == NODE_PRISMATIC) {
        f.p = tl_add(f.p, tl_scale(q[k->iq], tl_mat3_apply(&f.R, k->axis)));
    } else if (k->kind == NODE_BALL) {
        const tl_mat3 turn = tl_mat3_from_quat((tl_quat){q[k->iq], q[k->iq + 1], q[k->iq + 2], q[k->iq + 3]});
        f.R = tl_mat3_mul(&f.R, &turn);
    }
    return f;
}

static void node_subspace(const node *k, const tl_frame *f, tl_vec3 about, spatial *S)
{
    const tl_vec3 p = tl_sub(f->p, about);
    const tl_vec3 a = tl_mat3_apply(&f->R, k->axis);
    if (k->kind == NODE_PRISMATIC) S[k->iv] = (spatial){{0, 0, 0}, a};
    if (k->kind == NODE_REVOLUTE || k->kind == NODE_SCREW) S[k->iv] = (spatial){a, tl_add(tl_cross(p, a), tl_scale(k->pitch, a))};
    for (int i = 0; k->kind == NODE_BALL && i < 3; i++) {
        const tl_vec3 e = tl_v3(f->R.m[0][i], f->R.m[1][i], f->R.m[2][i]);
        S[k->iv + i] = (spatial){e, tl_cross(p, e)};
    }
}

void tl_tree_place(const tl_mechanism *m, const double *q, kinematics *out)
{
    for (int i = 0; i < m->node_count; i++) {
        const node *k = &m->nodes[i];
        out->frame[i] = node_frame(m, k, q, out);
        if (k->link < 0) continue;
        out->link[k->link] = out->frame[i];
        out->link[k->link].p = tl_sub(out->frame[i].p, tl_mat3_apply(&out->frame[i].R, k->child_point));
    }
    out->about = m->node_count > 0 ? out->frame[m->node_count - 1].p : tl_v3(0, 0, 0);
    for (int i = 0; i < m->node_count; i++) node_subspace(&m->nodes[i], &out->frame[i], out->about, out->S);
}

void tl_tree_rates(const tl_mechanism *m, const double *v, kinematics *kin)
{
    const spatial rest = {{0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < m->node_count; i++) {
        const node *k = &m->nodes[i];
        spatial V = k->parent < 0 ? rest : kin->V[k->parent], A = k->parent < 0 ? rest : kin->A[k->parent];
        for (int j = k->iv; j < k->iv + k->nv; j++) V = add(V, scale(v[j], kin->S[j]));
        for (int j = k->iv; j < k->iv + k->nv; j++) A = add(A, scale(v[j], cross_motion(V, kin->S[j])));
        kin->V[i] = V;
        kin->A[i] = A;
    }
}

/* ---- inertia ------------------------------------------------------------------------------------------------------ */

static body_inertia link_inertia(const link *l, const tl_frame *f, tl_vec3 about)
{
    const tl_vec3 c = tl_add(tl_sub(f->p, about), tl_mat3_apply(&f->R, l->centre));
    const tl_mat3 left = tl_mat3_mul(&f->R, &l->inertia), Rt = tl_mat3_transpose(&f->R);
    body_inertia b = {l->mass, tl_scale(l->mass, c), tl_mat3_mul(&left, &Rt)};
    const double x[3] = {c.x, c.y, c.z}, cc = tl_dot(c, c);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) b.I.m[i][j] += l->mass * ((i == j ? cc : 0) - x[i] * x[j]);
    return b;
}

static spatial momentum(const body_inertia *b, spatial V)
{
    return (spatial){tl_add(tl_mat3_apply(&b->I, V.w), tl_cross(b->mc, V.v)), tl_sub(tl_scale(b->m, V.v), tl_cross(b->mc, V.w))};
}

static body_inertia node_inertia(const tl_mechanism *m, const kinematics *kin, int i)
{
    if (m->nodes[i].link < 0) return (body_inertia){0};
    return link_inertia(&m->links[m->nodes[i].link], &kin->link[m->nodes[i].link], kin->about);
}

bool tl_tree_turns(const tl_mechanism *m, int i)
{
    const int of = m->nodes[i].link;
    return of >= 0 && !(m->links[of].mass > 0) && tl_norm(m->now.V[i].w) > TL_AT_REST;
}

void tl_tree_inertia(const tl_mechanism *m, const kinematics *kin, body_inertia *own)
{
    for (int i = 0; i < m->node_count; i++) own[i] = node_inertia(m, kin, i);
    for (int i = 0; m->heavier > 1 && i < m->node_count; i++)
        for (int r = 0; r < 9 && tl_tree_turns(m, i); r++) (&own[i].I.m[0][0])[r] *= m->heavier;
}

void tl_tree_mass(const tl_mechanism *m, const kinematics *kin, const body_inertia *own, double *M)
{
    body_inertia *sum = m->composite;
    memcpy(sum, own, (size_t)m->node_count * sizeof *sum);
    memset(M, 0, (size_t)(m->n * m->n) * sizeof *M);
    for (int i = m->node_count - 1; i >= 0; i--) {
        const node *k = &m->nodes[i];
        for (int j = k->iv; j < k->iv + k->nv; j++) {
            const spatial p = momentum(&sum[i], kin->S[j]);
            for (int a = i; a >= 0; a = m->nodes[a].parent)
                for (int c = m->nodes[a].iv; c < m->nodes[a].iv + m->nodes[a].nv; c++) M[j * m->n + c] = M[c * m->n + j] = dot(kin->S[c], p);
        }
        if (k->parent < 0) continue;
        body_inertia *up = &sum[k->parent];
        up->m += sum[i].m;
        up->mc = tl_add(up->mc, sum[i].mc);
        for (int r = 0; r < 9; r++) (&up->I.m[0][0])[r] += (&sum[i].I.m[0][0])[r];
    }
}

void tl_tree_bias(const tl_mechanism *m, const kinematics *kin, const body_inertia *own, const double gravity[3], double *c)
{
    spatial *wrench = m->wrench;
    const tl_vec3 g = tl_load3(gravity);
    for (int i = 0; i < m->node_count; i++) {
        const body_inertia *b = &own[i];
        wrench[i] = add(momentum(b, kin->A[i]), cross_force(kin->V[i], momentum(b, kin->V[i])));
        wrench[i] = add(wrench[i], scale(-1, (spatial){tl_cross(b->mc, g), tl_scale(b->m, g)}));
    }
    for (int i = m->node_count - 1; i >= 0; i--) {
        const node *k = &m->nodes[i];
        for (int j = k->iv; j < k->iv + k->nv; j++) c[j] = dot(kin->S[j], wrench[i]);
        if (k->parent >= 0) wrench[k->parent] = add(wrench[k->parent], wrench[i]);
    }
}

double tl_tree_kinetic(const tl_mechanism *m, const kinematics *kin)
{
    double sum = 0;
    for (int i = 0; i < m->node_count; i++) {
        const body_inertia b = node_inertia(m, kin, i);
        sum += 0.5 * dot(kin->V[i], momentum(&b, kin->V[i]));
    }
    return sum;
}

/* ---- points ------------------------------------------------------------------------------------------------------- */

int tl_tree_node_of(const tl_mechanism *m, int l) { return l < 0 ? -1 : m->links[l].node; }

tl_vec3 tl_tree_point(const kinematics *kin, int l, tl_vec3 local) { return l < 0 ? local : tl_add(kin->link[l].p, tl_mat3_apply(&kin->link[l].R, local)); }

static void wrench_row(const tl_mechanism *m, const kinematics *kin, int l, spatial w, double factor, double *row)
{
    for (int i = tl_tree_node_of(m, l); i >= 0; i = m->nodes[i].parent)
        for (int j = m->nodes[i].iv; j < m->nodes[i].iv + m->nodes[i].nv; j++) row[j] += factor * dot(kin->S[j], w);
}

void tl_tree_point_row(const tl_mechanism *m, const kinematics *kin, int l, tl_vec3 x, tl_vec3 force, double *row)
{
    wrench_row(m, kin, l, (spatial){tl_cross(tl_sub(x, kin->about), force), force}, 1, row);
}

void tl_tree_angular_row(const tl_mechanism *m, const kinematics *kin, int l, tl_vec3 direction, double factor, double *row)
{
    wrench_row(m, kin, l, (spatial){direction, {0, 0, 0}}, factor, row);
}

spatial tl_tree_velocity(const tl_mechanism *m, const kinematics *kin, int l) { return l < 0 ? (spatial){{0, 0, 0}, {0, 0, 0}} : kin->V[m->links[l].node]; }

spatial tl_tree_acceleration(const tl_mechanism *m, const kinematics *kin, int l) { return l < 0 ? (spatial){{0, 0, 0}, {0, 0, 0}} : kin->A[m->links[l].node]; }

spatial tl_tree_pushed(const tl_mechanism *m, const kinematics *kin, int l, const double *vdot)
{
    spatial A = tl_tree_acceleration(m, kin, l);
    for (int i = tl_tree_node_of(m, l); i >= 0; i = m->nodes[i].parent)
        for (int j = m->nodes[i].iv; j < m->nodes[i].iv + m->nodes[i].nv; j++) A = add(A, scale(vdot[j], kin->S[j]));
    return A;
}

tl_vec3 tl_tree_point_velocity(const kinematics *kin, spatial V, tl_vec3 x) { return tl_add(V.v, tl_cross(V.w, tl_sub(x, kin->about))); }

tl_vec3 tl_tree_point_acceleration(const kinematics *kin, spatial V, spatial A, tl_vec3 x)
{
    return tl_add(tl_add(A.v, tl_cross(A.w, tl_sub(x, kin->about))), tl_cross(V.w, tl_tree_point_velocity(kin, V, x)));
}

void tl_tree_move(const tl_mechanism *m, double *q, const double *dq)
{
    for (int i = 0; i < m->node_count; i++) {
        const node *k = &m->nodes[i];
        if (k->nv == 1) q[k->iq] += dq[k->iv];
        if (k->kind != NODE_BALL) continue;
        double *c = &q[k->iq];
        const tl_quat turn = tl_quat_exp(tl_v3(dq[k->iv], dq[k->iv + 1], dq[k->iv + 2]));
        const tl_quat r = tl_quat_normalize(tl_quat_mul((tl_quat){c[0], c[1], c[2], c[3]}, turn));
        c[0] = r.w, c[1] = r.x, c[2] = r.y, c[3] = r.z;
    }
}
