/* What constraints ask of the grains of a planar problem (block.h). */
#include "solve/bind2.h"

void tl_grain_row2(const void *problem, int body, tl_vec3 arm, const tl_wrench *w, double *H, double *share)
{
    const tl_problem2 *p = problem;
    *share = 1;
    H[0] = p->s[body] * w->force.x, H[1] = p->s[body] * w->force.y;
    H[2] = p->j[body] * (arm.x * w->force.y - arm.y * w->force.x + w->moment.z);
}

void tl_grain_twist2(const void *problem, int body, tl_vec3 arm, bool before, tl_vec3 *v, tl_vec3 *w)
{
    const tl_problem2 *p = problem;
    const tl_twist2 *u = before ? &p->v_before[body] : &p->v_free[body];
    *v = tl_v3(u->x - u->w * arm.y, u->y + u->w * arm.x, 0);
    *w = tl_v3(0, 0, u->w);
}
