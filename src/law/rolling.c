/* Signorini–Coulomb with resistance against rolling and spinning (theory §2.7): the contact bears moments, of which a set bounds each by a length times the
 * normal impulse. What rests rests exactly. */
#include "law/law.h"

enum { ROLLING, SPINNING };

static tl_law_bound bind(const tl_interaction *i, const tl_law_view *c)
{
    tl_law_bound out = TL_COULOMB.bind(i, c);
    out.rolling = i->value[ROLLING];
    out.spinning = i->value[SPINNING];
    return out;
}

static talus_status check(tl_interaction *i, tl_error *error)
{
    if (!(i->value[ROLLING] > 0 || i->value[SPINNING] > 0))
        return tl_fail(error, TALUS_INPUT, "the law 'rolling' wants a length 'rolling', 'spinning' or both; without them it is the law 'coulomb'");
    i->resists = true;
    return TALUS_OK;
}

static const talus_law_key KEYS[] = {
    {.name = "rolling", .unit = "m", .high = 1e30, .most = 1, .text = "the moment against rolling is at most this times the normal force"},
    {.name = "spinning",
     .unit = "m",
     .high = 1e30,
     .most = 1,
     .dimension = 3,
     .text = "the moment against spinning about the normal is at most this times the normal force"},
};

const tl_law TL_ROLLING = {
    .info = {.name = "rolling", .text = "contacts that resist rolling and spinning", .key = KEYS, .keys = 2}, .bind = bind, .check = check};
