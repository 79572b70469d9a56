/* What binding and colouring a spatial problem both need of it. */
#ifndef TL_BIND3_H
#define TL_BIND3_H

#include "solve/problem3.h"

/* Velocity of a boundary or grain where it is met, world axes. */
static inline tl_vec3 tl_point_velocity3(const tl_problem3 *p, const tl_contact *c, int side, const tl_twist3 *v)
{
    const tl_vec3 spin = tl_mat3_apply(&p->frame[side ? c->b.item : c->a.item].R, v->w);
    return tl_add(v->v, tl_cross(spin, c->arm[side]));
}

/* V⁻ of a contact between grains, world axes. */
static inline tl_vec3 tl_velocity_before3(const tl_problem3 *p, const tl_contact *c)
{
    const tl_vec3 V = tl_sub(tl_point_velocity3(p, c, 1, &p->v_before[c->b.item]), tl_point_velocity3(p, c, 0, &p->v_before[c->a.item]));
    return tl_add(V, tl_slide_at(&p->base, c, true));
}

static inline tl_vec3 tl_times3(tl_vec3 a, tl_vec3 b) { return tl_v3(a.x * b.x, a.y * b.y, a.z * b.z); }

/* J^{-1/2} Rᵀ (r × axis): what an impulse along the axis at this arm does to the angular part of a row. */
tl_vec3 tl_angular_row3(const tl_problem3 *p, int body, tl_vec3 arm, tl_vec3 axis);

/* Where the moments of inertia are equal all axes are principal, and the world's need no turning. */
static inline bool tl_is_round3(const tl_problem3 *p, int body)
{
    const tl_vec3 *j = &p->inverse_inertia[body];
    return j->x == j->y && j->y == j->z;
}

/* blocks_3d.c: what constraints ask of a grain (tl_grain_rows). */
void tl_grain_row3(const void *problem, int body, tl_vec3 arm, const tl_wrench *, double *H, double *share);
void tl_grain_twist3(const void *problem, int body, tl_vec3 arm, bool before, tl_vec3 *v, tl_vec3 *w);

#endif
