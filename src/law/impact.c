/* Signorini–Coulomb with a restitution that depends on the speed of approach (theory §2.8): a table, or Johnson's law of impacts that yield. Energy does not
 * grow, for e is never above 1. Only roots are taken, so that every machine has the same bits. */
#include <math.h>

#include "law/law.h"

enum { MOST = 16, YIELD = 0, SPEEDS = 1, RESTITUTIONS = SPEEDS + 1 + MOST };

static double restitution_at(const tl_interaction *i, double speed)
{
    const int rows = (int)i->value[SPEEDS];
    const double *v = &i->value[SPEEDS + 1], *e = &i->value[RESTITUTIONS + 1];
    if (rows == 0) return speed <= i->value[YIELD] ? i->restitution : i->restitution / sqrt(sqrt(speed / i->value[YIELD]));
    if (speed <= v[0]) return e[0];
    for (int k = 1; k < rows; k++)
        if (speed <= v[k]) return e[k - 1] + (speed - v[k - 1]) / (v[k] - v[k - 1]) * (e[k] - e[k - 1]);
    return e[rows - 1];
}

static tl_law_bound bind(const tl_interaction *i, const tl_law_view *c)
{
    tl_interaction now = *i;
    if (c->struck && c->before < 0) now.restitution = restitution_at(i, -c->before);
    return TL_COULOMB.bind(&now, c);
}

static talus_status check(tl_interaction *i, tl_error *error)
{
    const int rows = (int)i->value[SPEEDS];
    const bool yields = i->value[YIELD] > 0;
    if (rows != (int)i->value[RESTITUTIONS])
        return tl_fail(error, TALUS_INPUT, "the law 'impact' has %d 'speeds' and %d 'restitutions'; each speed has its own", rows, (int)i->value[RESTITUTIONS]);
    if ((rows > 0) == yields) return tl_fail(error, TALUS_INPUT, "the law 'impact' wants either 'speeds' with 'restitutions', or a 'yield_speed'");
    if (rows > 0 && i->restitution > 0)
        return tl_fail(error, TALUS_INPUT, "the law 'impact' has its restitution from the table of 'restitutions'; 'restitution' goes with 'yield_speed'");
    for (int k = 1; k < rows; k++)
        if (!(i->value[SPEEDS + 1 + k] > i->value[SPEEDS + k])) return tl_fail(error, TALUS_INPUT, "the 'speeds' of the law 'impact' must increase");
    i->bounces = i->bounces || rows > 0;
    return TALUS_OK;
}

static const talus_law_key KEYS[] = {
    {.name = "yield_speed",
     .unit = "m/s",
     .high = 1e30,
     .positive = true,
     .most = 1,
     .text = "above this speed of approach V the restitution falls as (V / yield_speed)^(-1/4) (Johnson 1985)"},
    {.name = "speeds", .unit = "m/s", .high = 1e30, .most = MOST, .text = "instead: speeds of approach, increasing, at most 16"},
    {.name = "restitutions", .unit = "", .high = 1, .most = MOST, .text = "e at each of these, linear between them and constant beyond"},
};

const tl_law TL_IMPACT = {
    .info = {.name = "impact", .text = "restitution that depends on the speed of approach", .key = KEYS, .keys = 3}, .bind = bind, .check = check};
