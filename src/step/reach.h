/* How far ahead of a step pairs are looked at.
 *
 * A pair is looked at when its gap is below alert + h (‖v_b − v_a‖ + the speeds of both surfaces by rotation): only
 * relative motion counts, so a velocity that is common to all changes nothing. In the problem are
 *   – under `anticipated`, all that are looked at: u_n ≥ −g/h;
 *   – under e > 0, those that are closed, and those that would be closed at the next q_m, g + h V_free ≤ 0: they bounce now, less than a step
 *     early, rather than less than a step late and from inside;
 *   – under `gap`, as the papers have it, those that are closed; and, so that nothing is passed through, those that would be too deep at the next q_m.
 * Impulses change velocities. Pairs that were not in the problem, and that its solution makes meet, join it (overtake),
 * and it is solved again. */
#ifndef TL_REACH_H
#define TL_REACH_H

#include <float.h>

#include "step/system.h"

/* Gaps up to this share of the coordinates and sizes are rounding: such bodies touch. */
#define TL_ROUNDING (64 * DBL_EPSILON)

static inline double tl_finite_reach(double reach) { return isfinite(reach) ? reach : 0; }

/* The depth that may not be reached: half of where the other side would be nearer. `thin`: half of how thin each shape is. */
static inline double tl_spare(double thin_a, double thin_b) { return 0.5 * (thin_a + thin_b); }

/* Is all that is looked at in the problem? */
static inline bool tl_is_anticipated(const tl_interaction *law)
{
    return law->activation == TALUS_ACTIVATION_ANTICIPATED || law->reach > 0 || law->remembers || (law->activation == TALUS_ACTIVATION_AUTO && !law->bounces);
}

/* links.c. Ports at three points of each body that is no grain, at q_m; then its velocity and spin, world axes, of independent velocities v, with what is
 * imposed at the end of the step. */
TALUS_NODISCARD talus_status tl_links_bind(tl_system *);
void tl_link_motion(const tl_system *, int contactor, const double *v, tl_vec3 *velocity, tl_vec3 *spin);
/* The same of one body; of one body at v_free, no grain either; from the velocities of the three points. */
TALUS_NODISCARD talus_status tl_link_bind(tl_matter *, int item, tl_step *, tl_link *out);
TALUS_NODISCARD talus_status tl_link_motion_free(tl_system *, tl_place, tl_vec3 *velocity, tl_vec3 *spin);
void tl_link_read(const double V[TL_LINK_POINTS][3], tl_vec3 *velocity, tl_vec3 *spin);

#endif
