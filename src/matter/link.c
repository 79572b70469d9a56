/* Links as bodies: what is read of them, and forces on them. */
#include "matter/mechanism_internal.h"

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
