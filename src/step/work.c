/* What contacts do to the motion. With the impulses I and the mean of the velocities before and after the step at their ends, V = ½ (V⁻ + V⁺),
 *
 *     M (v⁺ − v⁻) · ½ (v⁺ + v⁻) = h f · ½ (v⁺ + v⁻) + Σ I · V:
 *
 * the kinetic energy of the step is that of its forces and of its contacts, exactly. What is imposed does its work by forces of contacts, which is no part of
 * Σ I · V: that is what contacts take, negative. */
#include "step/reach.h"

static talus_status spin_of(tl_system *s, tl_when when, tl_place end, tl_vec3 *out)
{
    tl_matter *m = s->matter[end.matter];
    tl_vec3 p, v;
    tl_link link;
    double V[TL_LINK_POINTS][3];
    if (end.matter == 0) {
        s->geometry->motion(s, when, end.item, &p, &v, out);
        return TALUS_OK;
    }
    *out = tl_v3(0, 0, 0);
    if (m->ops->motion) return TALUS_OK; /* what deforms turns nowhere as one */
    TL_TRY(tl_link_bind(m, end.item, &s->step, &link));
    for (int k = 0; k < TL_LINK_POINTS; k++) {
        if (when == TL_BEFORE) m->ops->velocity_before(m, &link.point[k], V[k]);
        else m->ops->velocity(m, &link.point[k], s->v[end.matter], true, V[k]);
    }
    tl_link_read((const double(*)[3])V, &v, out);
    return TALUS_OK;
}

/* Along n, t, s, as impulses are said. */
static void components(const tl_system *s, tl_vec3 n, tl_vec3 x, double out[3])
{
    tl_vec3 t = tl_v3(-n.y, n.x, 0), side = tl_v3(0, 0, 1);
    if (s->geometry->dimension == 3) tl_tangents(n, &t, &side);
    out[0] = tl_dot(n, x), out[1] = tl_dot(t, x), out[2] = tl_dot(side, x);
}

/* By moments, with the spins of the candidate against the antagonist. */
static talus_status weigh_moment(tl_system *s, const tl_contact *c, const double moment[3], double *work)
{
    tl_vec3 before[2], after[2];
    for (int k = 0; k < 2; k++) {
        TL_TRY(spin_of(s, TL_BEFORE, k ? c->b : c->a, &before[k]));
        TL_TRY(spin_of(s, TL_SOLVED, k ? c->b : c->a, &after[k]));
    }
    double mean[3];
    components(s, c->n, tl_scale(0.5, tl_sub(tl_add(before[1], after[1]), tl_add(before[0], after[0]))), mean);
    for (int k = 0; k < 3; k++) *work += moment[k] * mean[k];
    return TALUS_OK;
}

static talus_status weigh(tl_system *s, int i)
{
    const tl_contact *c = &s->contact_next[i];
    const double *moment = c->law->resists ? tl_moment_of(&s->moments_now, c->key) : NULL;
    double *work = s->work_next[i], before[3];
    tl_vec3 a, b;
    if (c->rope || (c->I[0] == 0 && c->I[1] == 0 && c->I[2] == 0 && !moment)) return TALUS_OK;
    TL_TRY(tl_end_velocity(s, TL_BEFORE, c, 0, &a));
    TL_TRY(tl_end_velocity(s, TL_BEFORE, c, 1, &b));
    components(s, c->n, tl_sub(tl_add(b, tl_cell_slide(&s->cell, c->image, true)), a), before);
    for (int k = 0; k < s->geometry->dimension; k++) work[k > 0] += 0.5 * c->I[k] * (before[k] + c->V[k]);
    return moment ? weigh_moment(s, c, moment, &work[2]) : TALUS_OK;
}

talus_status tl_contacts_weigh(tl_system *s)
{
    if (!s->weighs) return TALUS_OK;
    const talus_status grown = tl_grow_little(s->memory, &s->work, &s->work_capacity, s->next_count, sizeof *s->work);
    s->work_next = tl_arena_zero(s->step.arena, (size_t)s->next_count + 1, sizeof *s->work_next);
    if (grown != TALUS_OK || !s->work_next) return tl_fail(s->step.error, TALUS_MEMORY, "no memory for the work of %d contacts", s->next_count);
    for (int i = 0; i < s->next_count; i++) TL_TRY(weigh(s, i));
    return TALUS_OK;
}
