/* Springs and dampers between points of a mechanism, or of it and the ground: pull = stiffness (d − length) + damping ḋ. */
#include <string.h>

#include "matter/mechanism_internal.h"

/* m->row: rate of the spring's length = row · v. Its length; 0 where it has no direction. */
static double spring_row(const tl_mechanism *m, const kinematics *kin, const spring *s)
{
    const tl_vec3 a = tl_tree_point(kin, s->body[0], tl_load3(s->def.point_a)), b = tl_tree_point(kin, s->body[1], tl_load3(s->def.point_b));
    const tl_vec3 d = tl_sub(a, b);
    const double length = tl_norm(d);
    memset(m->row, 0, (size_t)m->n * sizeof *m->row);
    if (!(length > 0)) return 0;
    tl_tree_point_row(m, kin, s->body[0], a, tl_scale(1 / length, d), m->row);
    tl_tree_point_row(m, kin, s->body[1], b, tl_scale(-1 / length, d), m->row);
    return length;
}

void tl_mechanism_add_springs(const tl_mechanism *m, const double *v, double *f)
{
    for (int k = 0; k < m->spring_count; k++) {
        const spring *s = &m->springs[k];
        const double length = spring_row(m, &m->mid, s), *at = s->implicit ? m->v : v;
        double rate = 0;
        for (int i = 0; i < m->n; i++) rate += m->row[i] * at[i];
        const double pull = s->def.stiffness * (length - s->def.length) + s->def.damping * rate;
        for (int i = 0; i < m->n; i++) f[i] -= pull * m->row[i];
    }
}

void tl_mechanism_damping(tl_mechanism *m, double time, double h, double theta)
{
    tl_joint_damping(m, time, h, theta);
    for (int k = 0; k < m->spring_count; k++) {
        spring *s = &m->springs[k];
        const double pull = s->def.damping + (m->halved ? 0.5 * h * s->def.stiffness : 0);
        s->implicit = h > 0 && s->def.damping > 0;
        if (!(h > 0 && pull > 0)) continue;
        (void)spring_row(m, &m->mid, s);
        for (int i = 0; i < m->n; i++)
            for (int j = 0; j < m->n; j++) m->M[i * m->n + j] += theta * h * pull * m->row[i] * m->row[j];
    }
}
