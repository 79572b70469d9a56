/* Joints: the chain of primitive motions that each kind stands for (the table in talus/mechanism.h), and the tree of nodes that the joints of a
 * mechanism make. Nodes are numbered so that a parent comes before its children, and rates in the order of the nodes (D20 §2.4). */
#include <math.h>

#include "matter/mechanism_internal.h"

static talus_status check_planar(const tl_mechanism *m, const talus_joint_def *def, const char *name, tl_error *error)
{
    if (!m->planar) return TALUS_OK;
    const tl_vec3 axis = tl_normalize(tl_load3(def->axis));
    const bool along = fabs(fabs(axis.z) - 1) < 1e-12, across = fabs(axis.z) < 1e-12;
    const bool level = fabs(def->parent_quat[1]) < 1e-12 && fabs(def->parent_quat[2]) < 1e-12;
    const bool fits = def->kind == TALUS_JOINT_FIXED || (def->kind == TALUS_JOINT_PRISMATIC && across) ||
                      ((def->kind == TALUS_JOINT_REVOLUTE || def->kind == TALUS_JOINT_PLANAR) && along);
    if (fits && level) return TALUS_OK;
    return tl_fail(error, TALUS_INPUT, "joint '%s' leaves the plane: use revolute or planar about z, prismatic in x-y, or fixed", name);
}

static talus_status add_node(tl_mechanism *m, int parent, bool on_link, node_kind kind, tl_vec3 axis, tl_error *error)
{
    if (tl_grow(m->matter.memory, &m->nodes, &m->node_capacity, m->node_count + 1, sizeof *m->nodes) != TALUS_OK)
        return tl_fail(error, TALUS_MEMORY, "no memory for mechanism '%s'", m->name);
    static const int RATES[] = {0, 1, 1, 1, 3}, POSITIONS[] = {0, 1, 1, 1, 4};
    m->nodes[m->node_count++] = (node){.parent = parent,
                                       .on_link = on_link,
                                       .place = {{0, 0, 0}, tl_mat3_identity()},
                                       .kind = kind,
                                       .axis = tl_normalize(axis),
                                       .iq = m->nq,
                                       .iv = m->n,
                                       .nv = RATES[kind],
                                       .link = -1};
    m->nq += POSITIONS[kind];
    m->n += RATES[kind];
    return TALUS_OK;
}

typedef struct primitive {
    node_kind kind;
    tl_vec3 axis;
} primitive;

/* A joint as a chain of primitives (the table in talus/mechanism.h). */
static int primitives(const talus_joint_def *d, primitive out[4])
{
    const tl_vec3 a = tl_load3(d->axis), b = tl_load3(d->axis2);
    /* planar: the part of axis2 across the axis */
    const tl_vec3 n = tl_normalize(a), along = tl_normalize(tl_sub(b, tl_scale(tl_dot(b, n), n)));
    switch (d->kind) {
    case TALUS_JOINT_REVOLUTE: out[0] = (primitive){NODE_REVOLUTE, a}; return 1;
    case TALUS_JOINT_PRISMATIC: out[0] = (primitive){NODE_PRISMATIC, a}; return 1;
    case TALUS_JOINT_SCREW: out[0] = (primitive){NODE_SCREW, a}; return 1;
    case TALUS_JOINT_CYLINDRICAL: out[0] = (primitive){NODE_REVOLUTE, a}, out[1] = (primitive){NODE_PRISMATIC, a}; return 2;
    case TALUS_JOINT_UNIVERSAL: out[0] = (primitive){NODE_REVOLUTE, a}, out[1] = (primitive){NODE_REVOLUTE, b}; return 2;
    case TALUS_JOINT_PLANAR:
        out[0] = (primitive){NODE_PRISMATIC, along}, out[1] = (primitive){NODE_PRISMATIC, tl_cross(n, along)};
        out[2] = (primitive){NODE_REVOLUTE, a};
        return 3;
    case TALUS_JOINT_SPHERICAL: out[0] = (primitive){NODE_BALL, a}; return 1;
    case TALUS_JOINT_FREE:
        for (int i = 0; i < 3; i++) out[i] = (primitive){NODE_PRISMATIC, tl_v3(i == 0, i == 1, i == 2)};
        out[3] = (primitive){NODE_BALL, a};
        return 4;
    case TALUS_JOINT_FIXED: out[0] = (primitive){NODE_FIXED, a}; return 1;
    }
    return 0;
}

static talus_status add_joint_nodes(tl_mechanism *m, int index, tl_error *error)
{
    joint *j = &m->joints[index];
    const talus_joint_def *d = &j->def;
    primitive list[4];
    const int count = primitives(d, list);
    j->first_node = m->node_count;
    j->nodes = count;
    j->iq = m->nq;
    j->iv = m->n;
    for (int i = 0; i < count; i++) {
        const int parent = i > 0 ? m->node_count - 1 : tl_tree_node_of(m, j->parent);
        TL_TRY(add_node(m, parent, i == 0, list[i].kind, list[i].axis, error));
    }
    node *first = &m->nodes[j->first_node], *last = &m->nodes[m->node_count - 1];
    first->place.p = tl_load3(d->parent_point);
    if (m->planar) first->place.p.z = 0;
    first->place.R = tl_mat3_from_quat((tl_quat){d->parent_quat[0], d->parent_quat[1], d->parent_quat[2], d->parent_quat[3]});
    if (d->kind == TALUS_JOINT_SCREW) first->pitch = d->pitch;
    last->link = j->child;
    last->child_point = tl_load3(d->child_point);
    if (m->planar) last->child_point.z = 0;
    m->links[j->child].node = m->node_count - 1;
    return TALUS_OK;
}

/* What add_joint cannot leave to the arithmetic: axes and orientations of length zero, a universal joint that turns twice about one axis. */
static talus_status check_axes(const talus_joint_def *d, const char *name, tl_error *error)
{
    const double *c = d->parent_quat;
    if (!(c[0] * c[0] + c[1] * c[1] + c[2] * c[2] + c[3] * c[3] > 0))
        return tl_fail(error, TALUS_INPUT, "joint '%s': its orientation parent_quat is zero", name);
    if (!(tl_norm(tl_load3(d->axis)) > 0)) return tl_fail(error, TALUS_INPUT, "joint '%s' has no axis", name);
    if (d->kind != TALUS_JOINT_UNIVERSAL && d->kind != TALUS_JOINT_PLANAR) return TALUS_OK;
    const tl_vec3 across = tl_cross(tl_normalize(tl_load3(d->axis)), tl_normalize(tl_load3(d->axis2)));
    if (tl_norm(across) > 1e-9) return TALUS_OK;
    return tl_fail(error, TALUS_INPUT, "joint '%s': axis2 is zero or along the axis", name);
}

talus_status tl_joint_check(const tl_mechanism *m, const talus_joint_def *d, const char *name, tl_error *error)
{
    TL_TRY(check_axes(d, name, error));
    return check_planar(m, d, name, error);
}

talus_status tl_joint_build_tree(tl_mechanism *m, tl_error *error)
{
    for (int i = 0; i < m->link_count; i++)
        if (m->links[i].joint < 0) return tl_fail(error, TALUS_INPUT, "mechanism '%s': link '%s' hangs on no joint", m->name, m->links[i].name);
    for (int placed = 0, before = -1; placed < m->joint_count;) {
        if (placed == before) {
            for (int i = 0; i < m->joint_count; i++)
                if (m->links[m->joints[i].child].node < 0)
                    return tl_fail(error, TALUS_INPUT,
                                   "mechanism '%s': joint '%s' is part of a ring that never reaches the ground: hang one link on the ground "
                                   "and close the ring by a loop",
                                   m->name, m->joints[i].name);
        }
        before = placed;
        for (int i = 0; i < m->joint_count; i++) {
            const joint *j = &m->joints[i];
            if (m->links[j->child].node >= 0 || (j->parent >= 0 && m->links[j->parent].node < 0)) continue;
            TL_TRY(add_joint_nodes(m, i, error));
            placed++;
        }
    }
    return TALUS_OK;
}
