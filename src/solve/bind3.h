/* What binding and colouring a spatial problem both need of it. */
#ifndef TL_BIND3_H
#define TL_BIND3_H

#include "solve/problem3.h"

static inline bool tl_moves3(const tl_problem3 *p, tl_place end)
{
    const tl_vec3 *j = &p->inverse_inertia[end.item];
    return end.matter != 0 || p->inverse_mass[end.item] > 0 || j->x > 0 || j->y > 0 || j->z > 0;
}

static inline bool tl_is_spoke3(const tl_problem3 *p, const tl_contact *c)
{
    const bool grains = !c->block && c->a.matter == 0 && c->b.matter == 0;
    return p->is_hub && grains && (p->is_hub[c->a.item] || p->is_hub[c->b.item]) && tl_moves3(p, c->a) && tl_moves3(p, c->b);
}

/* Swept one after the other: what touches other matter, and the spokes of hubs. */
static inline bool tl_is_coupled3(const tl_problem3 *p, const tl_contact *c)
{
    return !c->block && (c->a.matter != 0 || c->b.matter != 0 || tl_is_spoke3(p, c));
}

/* Is it in a pack? What is not, nor coupled, is a constraint. */
static inline bool tl_is_packed3(const tl_problem3 *p, const tl_contact *c) { return !c->block && !tl_is_coupled3(p, c); }

/* What the law says: what it adds to u_n, friction, offset. */
static inline void tl_bind_law3(const tl_problem3 *p, tl_contact *c, double normal_velocity_before)
{
    const double share = c->points > 1 ? 1.0 / c->points : 1;
    const tl_law_bound bound = tl_law_bind(c->law, &(tl_law_view){c->gap, p->h, c->struck, normal_velocity_before, share, c->weight, c->state});
    c->shift = bound.shift;
    c->friction = bound.friction;
    c->offset = bound.offset;
}

/* Velocity of a boundary or grain where it is met, world axes. */
static inline tl_vec3 tl_point_velocity3(const tl_problem3 *p, const tl_contact *c, int side, const tl_twist3 *v)
{
    const tl_vec3 spin = tl_mat3_apply(&p->frame[side ? c->b.item : c->a.item].R, v->w);
    return tl_add(v->v, tl_cross(spin, c->arm[side]));
}

/* How much faster than b its copy is, at the start of the step or at its end; world axes. */
static inline tl_vec3 tl_slide3(const tl_problem3 *p, const tl_contact *c, bool before)
{
    const tl_slide *s = &p->slide;
    return tl_v3(tl_slide_of(s, c->image, 0, before), tl_slide_of(s, c->image, 1, before), tl_slide_of(s, c->image, 2, before));
}

/* V⁻ of a contact between grains, world axes. */
static inline tl_vec3 tl_velocity_before3(const tl_problem3 *p, const tl_contact *c)
{
    const tl_vec3 V = tl_sub(tl_point_velocity3(p, c, 1, &p->v_before[c->b.item]), tl_point_velocity3(p, c, 0, &p->v_before[c->a.item]));
    return tl_add(V, tl_slide3(p, c, true));
}

/* J^{-1/2} Rᵀ (r × axis): what an impulse along the axis at this arm does to the angular part of a row. */
tl_vec3 tl_angular_row3(const tl_problem3 *p, int body, tl_vec3 arm, tl_vec3 axis);

#endif
