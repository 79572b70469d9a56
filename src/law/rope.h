/* Rope, or inextensible link (theory §2.3, Y19): unilateral like a contact, the gap is the length less the distance of
 * its ends, and the impulse pulls. Its law is that of signorini_coulomb without friction. */
#ifndef TL_ROPE_H
#define TL_ROPE_H

#include "base/math.h"

/* The gap, and the normal along which the ends' relative velocity v_b − v_a opens it: from b to a; of a strut, whose gap is the distance less the length, from
 * a to b. Where the ends coincide every direction is one. */
static inline double tl_rope_gap(tl_vec3 a, tl_vec3 b, double length, bool pushes, tl_vec3 *normal)
{
    const tl_vec3 d = tl_sub(a, b);
    const double distance = tl_norm(d);
    *normal = distance > 0 ? tl_scale(1 / distance, d) : tl_v3(0, 1, 0);
    if (pushes) *normal = tl_scale(-1, *normal);
    return pushes ? distance - length : length - distance;
}

#endif
