/* Penalty contact (theory §2.5, Y19): a spring and a damper that push only, friction that is viscous below a small
 * velocity. For explicit stepping; it is there to compare the nonsmooth laws with. */
#ifndef TL_PENALTY_H
#define TL_PENALTY_H

#include <math.h>

typedef struct tl_penalty {
    double stiffness, damping; /* K [N/m], D [N s/m]             */
    double friction, velocity; /* μ; below it, friction ∝ V_t [m/s] */
} tl_penalty;

/* f_n = K δ + D δ̇ ≥ 0 while δ = −gap > 0, f_t = −μ f_n V_t / max(|V_t|, velocity) [N]. */
static inline void tl_penalty_force(const tl_penalty *p, double gap, double V_n, double V_t, double f[2])
{
    f[0] = gap < 0 ? fmax(0, -p->stiffness * gap - p->damping * V_n) : 0;
    f[1] = p->friction > 0 ? -p->friction * f[0] * V_t / fmax(fabs(V_t), p->velocity) : 0;
}

#endif
