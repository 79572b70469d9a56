/* Links as bodies: what is read of them, one by one and together, and forces on them. */
#include "matter/mechanism_internal.h"

tl_frame tl_mechanism_frame(const tl_matter *matter, int item)
{
    const tl_mechanism *m = (const tl_mechanism *)matter;
    if (!m->assembled) return (tl_frame){{0, 0, 0}, tl_mat3_identity()};
    return m->in_step ? m->mid.link[item] : m->now.link[item];
}

tl_mass tl_mechanism_body_mass(const tl_matter *matter, int l)
{
    const link *k = &((const tl_mechanism *)matter)->links[l];
    return (tl_mass){k->mass, k->centre, k->inertia};
}

void tl_mechanism_body_motion(const tl_matter *matter, int l, tl_vec3 point, tl_vec3 *velocity, tl_vec3 *spin)
{
    const tl_mechanism *m = (const tl_mechanism *)matter;
    *velocity = *spin = tl_v3(0, 0, 0);
    if (!m->assembled) return;
    const spatial V = tl_tree_velocity(m, &m->now, l);
    *velocity = tl_tree_point_velocity(&m->now, V, tl_tree_point(&m->now, l, point));
    *spin = V.w;
}

double tl_mechanism_body_angle(const tl_matter *matter, int l)
{
    const tl_mechanism *m = (const tl_mechanism *)matter;
    double sum = 0;
    for (int i = tl_tree_node_of(m, l); m->assembled && i >= 0; i = m->nodes[i].parent) {
        const node *k = &m->nodes[i];
        sum += atan2(k->place.R.m[1][0], k->place.R.m[0][0]);
        if (k->kind == NODE_REVOLUTE) sum += k->axis.z * m->q[k->iq];
    }
    return sum;
}

talus_status tl_mechanism_add_load(tl_matter *matter, int l, const talus_load_def *def, tl_error *error)
{
    tl_mechanism *m = (tl_mechanism *)matter;
    if (tl_grow(matter->memory, &m->loads, &m->load_capacity, m->load_count + 1, sizeof *m->loads) != TALUS_OK)
        return tl_fail(error, TALUS_MEMORY, "no memory for mechanism '%s'", m->name);
    m->loads[m->load_count++] = (load){l, *def};
    return TALUS_OK;
}

void tl_mechanism_energy(const tl_matter *matter, const double gravity[3], double *kinetic, double *potential)
{
    const tl_mechanism *m = (const tl_mechanism *)matter;
    *kinetic = *potential = 0;
    if (!m->assembled) return;
    *kinetic = tl_tree_kinetic(m, &m->now);
    for (int i = 0; i < m->link_count; i++) *potential -= m->links[i].mass * tl_dot(tl_load3(gravity), tl_tree_point(&m->now, i, m->links[i].centre));
    for (int i = 0; i < m->force_count; i++) *potential += tl_joint_force_stored(&m->forces[i], m->q);
    for (int i = 0; i < m->spring_count; i++) {
        const spring *s = &m->springs[i];
        const tl_vec3 d = tl_sub(tl_tree_point(&m->now, s->body[0], tl_load3(s->def.point_a)), tl_tree_point(&m->now, s->body[1], tl_load3(s->def.point_b)));
        const double stretch = tl_norm(d) - s->def.length;
        *potential += 0.5 * s->def.stiffness * stretch * stretch;
    }
}
