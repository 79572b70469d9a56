/* What drift in the plane and in space has in common (theory §6.4): after the velocity solve, frictionless positional impulses find the smallest w (in the
 * mass norm) with
 *     g + h V_n⁺ + slop + h H_nᵀ w ≥ 0,
 * of which a fifth is taken back per step, and all that lies deeper than four times the slop. w moves positions only: no velocity, hence no kinetic energy,
 * comes of it. */
#ifndef TL_DRIFT_H
#define TL_DRIFT_H

#include <math.h>
#include <stdbool.h>

/* What steps leave, the next ones take back; `whole`: twenty times as many, for a load is handed on by some contacts in each sweep. */
static inline int tl_drift_sweeps(bool whole) { return whole ? 300 : 15; }

/* The slop keeps contacts in the problem that rounding would open. A rope is always in the problem, so it needs slop only for rounding: whatever more
 * it were long tilts the normals of what hangs on it, and in an impact a tilt works like a sideways velocity that does not vanish with h. */
static inline double tl_drift_slop(bool rope, double slop) { return rope ? 1e-3 * slop : slop; }

/* What V_n of w is to exceed, less its sign [m/s]; whole: nothing is left for steps to come. */
static inline double tl_drift_goal(double gap, double normal_velocity, double h, double slop, bool whole)
{
    const double share = whole ? 1 : 0.2, deepest = 3; /* times the slop, beyond it */
    const double room = gap + h * normal_velocity + slop;
    const double deep = fmin(room + deepest * slop, 0);
    return (room < 0 ? share * (room - deep) + deep : room) / h;
}

#endif
