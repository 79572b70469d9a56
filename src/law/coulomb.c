/* Signorini–Coulomb with Newton's restitution (theory §2.1). */
#include <math.h>

#include "law/law.h"

/* On approach, Newton's restitution. A pair that parts, and that forces such as gravity bring back within the step, may
 * come back as fast as it parted, so that the contact does no work, and may close its gap but not more. Without
 * restitution a contact may close its gap within the step. */
static tl_law_bound bind(const tl_interaction *i, const tl_law_view *c)
{
    const double slack = fmax(c->gap, 0) / c->h;
    if (!c->struck) return (tl_law_bound){.shift = slack, .friction = i->friction};
    return (tl_law_bound){.shift = c->before < 0 ? i->restitution * c->before : fmin(c->before, slack), .friction = i->friction};
}

const tl_law TL_COULOMB = {.info = {.name = "coulomb", .text = "Signorini–Coulomb with Newton's restitution"}, .bind = bind};

const tl_interaction TL_FRICTIONLESS = {.law = &TL_COULOMB, .enabled = true, .friction_velocity = 1e-3};
