/* What constraints ask of the grains of a spatial problem (block.h). */
#include "solve/bind3.h"

/* Where the scaling of a row lies between linear and angular part, nothing is read and nothing written. */
void tl_grain_row3(const void *problem, int body, tl_vec3 arm, const tl_wrench *w, double *H, double *share)
{
    const tl_problem3 *p = problem;
    const tl_vec3 moment = tl_add(tl_cross(arm, w->force), w->moment);
    *share = 1.0 / p->parts[body]; /* of a split grain the row is a part's, that stands for the whole (tl_problem3_spread) */
    tl_store3(&H[0], tl_scale(p->s[body], w->force));
    H[3] = 0;
    tl_store3(&H[4], tl_times3(p->j[body], tl_is_round3(p, body) ? moment : tl_mat3_apply_t(&p->frame[body].R, moment)));
}

void tl_grain_twist3(const void *problem, int body, tl_vec3 arm, bool before, tl_vec3 *v, tl_vec3 *w)
{
    const tl_problem3 *p = problem;
    const tl_twist3 *u = before ? &p->v_before[body] : &p->v_free[body];
    *w = tl_mat3_apply(&p->frame[body].R, u->w);
    *v = tl_add(u->v, tl_cross(*w, arm));
}
