/* Signorini–Coulomb with the pull of a liquid bridge, which falls with the gap (theory §2.9): wet sand. As in cohesion.c, −h F n acts beforehand, and friction
 * is bounded by what presses, J = I + h F n.
 *
 * The pull is that of the gap at the step's begin. It only falls as the gap grows, so its potential lies below its tangent there: on straight paths (θ = ½) the
 * work in a step is at most what the potential loses, whichever way the pair moves. */
#include <math.h>

#include "law/law.h"

enum { BRIDGE_FORCE, BRIDGE_LENGTH, RUPTURE };

static tl_law_bound bind(const tl_interaction *i, const tl_law_view *c)
{
    tl_law_bound out = TL_COULOMB.bind(i, c);
    const double gap = c->gap - 0.5 * c->h * c->before, s = fmax(gap, 0) / i->value[BRIDGE_LENGTH];
    if (gap <= i->value[RUPTURE]) out.offset = c->h * c->share * i->value[BRIDGE_FORCE] / (1 + 1.05 * s + 2.5 * s * s);
    return out;
}

static talus_status check(tl_interaction *i, tl_error *error)
{
    if (!(i->value[BRIDGE_FORCE] > 0)) return tl_fail(error, TALUS_INPUT, "the law 'capillary' wants a 'bridge_force'");
    if (!(i->value[BRIDGE_LENGTH] > 0)) return tl_fail(error, TALUS_INPUT, "the law 'capillary' wants a 'bridge_length'");
    if (!(i->value[RUPTURE] > 0)) return tl_fail(error, TALUS_INPUT, "the law 'capillary' wants a 'rupture'");
    i->reach = i->value[RUPTURE];
    i->recalls = true;
    return TALUS_OK;
}

static const talus_law_key KEYS[] = {
    {.name = "bridge_force",
     .unit = "N",
     .fallback = (double)NAN,
     .high = 1e30,
     .positive = true,
     .most = 1,
     .text = "a pair of shapes that touches is pulled together with this; of spheres 2 pi R * surface tension * cos(contact angle); required"},
    {.name = "bridge_length",
     .unit = "m",
     .fallback = (double)NAN,
     .high = 1e30,
     .positive = true,
     .most = 1,
     .text = "l in the pull at a gap s: bridge_force / (1 + 1.05 s/l + 2.5 (s/l)^2) (Willett et al. 2000); of spheres sqrt(liquid volume / R); required"},
    {.name = "rupture",
     .unit = "m",
     .fallback = (double)NAN,
     .high = 1e30,
     .positive = true,
     .most = 1,
     .text = "gap at which the bridge breaks, or forms; required"},
};

const tl_law TL_CAPILLARY = {
    .info = {.name = "capillary", .text = "liquid bridges, whose pull falls with the gap", .key = KEYS, .keys = 3}, .bind = bind, .check = check};
