/* Signorini–Coulomb with cohesion (theory §2.6): a contact pulls with up to F. With J = I + h F n it is the law of coulomb for J, where −h F n acts beforehand,
 * as a force would.
 *
 * F acts through every step that begins within the distance: on the way in from less than the distance on, on the way out to more. So the pull takes at least
 * as much energy as it has given, exactly as far as paths are straight (θ = ½). */
#include <math.h>

#include "law/law.h"

enum { FORCE, DISTANCE };

static tl_law_bound bind(const tl_interaction *i, const tl_law_view *c)
{
    tl_law_bound out = TL_COULOMB.bind(i, c);
    if (c->gap - 0.5 * c->h * c->before <= i->value[DISTANCE]) out.offset = c->h * i->value[FORCE] * c->share;
    return out;
}

static talus_status check(tl_interaction *i, tl_error *error)
{
    if (!(i->value[FORCE] > 0)) return tl_fail(error, TALUS_INPUT, "the law 'cohesion' wants a 'force'");
    if (!(i->value[DISTANCE] > 0)) return tl_fail(error, TALUS_INPUT, "the law 'cohesion' wants a 'distance'");
    i->reach = i->value[DISTANCE];
    i->recalls = true;
    return TALUS_OK;
}

static const talus_law_key KEYS[] = {
    {.name = "force",
     .unit = "N",
     .fallback = (double)NAN,
     .high = 1e30,
     .positive = true,
     .most = 1,
     .text = "a pair of shapes pulls with this at most, shared alike by the points where it touches; required"},
    {.name = "distance", .unit = "m", .fallback = (double)NAN, .high = 1e30, .positive = true, .most = 1, .text = "gap at which the pull ends; required"},
};

const tl_law TL_COHESION = {
    .info = {.name = "cohesion", .text = "contacts that pull, up to a force, while they are near", .key = KEYS, .keys = 2}, .bind = bind, .check = check};
