/* Signorini–Coulomb with cohesion (theory §2.6): a contact pulls with up to F. With J = I + h F n it is the law of coulomb for J, where −h F n acts beforehand,
 * as a force would.
 *
 * F acts through every step that begins within the distance: on the way in from less than the distance on, on the way out to more. So the pull takes at least
 * as much energy as it has given, exactly as far as paths are straight (θ = ½).
 *
 * With `breaking: once` pairs are bonds. Where a point that pulled has gone farther than the distance as the step ends, the bond of its pair is off for good.
 */
#include <math.h>

#include "law/law.h"

enum { FORCE, DISTANCE, BREAKING, BONDS_UNTIL, NUMBERS };
enum { NEVER, ONCE };            /* BREAKING */
enum { BOND, FIELDS };           /* of a pair that remembers */
enum { NOT_YET, HOLDS, IS_OFF }; /* BOND */

static tl_law_bound bind(const tl_interaction *i, const tl_law_view *c)
{
    tl_law_bound out = TL_COULOMB.bind(i, c);
    const bool is_off = c->state && c->state[BOND] == IS_OFF;
    if (!is_off && c->gap - 0.5 * c->h * c->before <= i->value[DISTANCE]) out.offset = c->h * i->value[FORCE] * c->share;
    return out;
}

/* So that rounding of times does not matter. */
static bool is_late(const tl_interaction *i, double time) { return time > i->value[BONDS_UNTIL] * (1 + 1e-12); }

static void meet(const tl_interaction *i, double time, double *state) { state[BOND] = is_late(i, time) ? IS_OFF : NOT_YET; }

/* What ends a step at the distance, but for rounding, might begin the next one beyond it. */
static bool update(const tl_interaction *i, const tl_law_pair *p, double *state)
{
    if (state[BOND] == IS_OFF) return false;
    if (p->parting > i->value[DISTANCE] * (1 - 1e-9) || (state[BOND] == NOT_YET && !isfinite(p->parting) && is_late(i, p->end))) state[BOND] = IS_OFF;
    else if (isfinite(p->parting)) state[BOND] = HOLDS;
    return false;
}

/* What has been bonded is off; what has not may be bonded when it comes near again. */
static bool part(const tl_interaction *i, double *state)
{
    (void)i;
    if (state[BOND] == HOLDS) state[BOND] = IS_OFF;
    return state[BOND] == IS_OFF;
}

static talus_status check(tl_interaction *i, tl_error *error)
{
    double *v = i->value;
    if (!(v[FORCE] > 0)) return tl_fail(error, TALUS_INPUT, "the law 'cohesion' wants a 'force'");
    if (!(v[DISTANCE] > 0)) return tl_fail(error, TALUS_INPUT, "the law 'cohesion' wants a 'distance'");
    i->remembers = v[BREAKING] == ONCE;
    if (!i->remembers && isfinite(v[BONDS_UNTIL])) return tl_fail(error, TALUS_INPUT, "'bonds_until' of the law 'cohesion' wants 'breaking: once'");
    if (!isfinite(v[BONDS_UNTIL])) v[BONDS_UNTIL] = (double)INFINITY;
    i->reach = v[DISTANCE];
    i->recalls = true;
    return TALUS_OK;
}

static const talus_law_key KEY[NUMBERS] = {
    [FORCE] = {.name = "force",
               .unit = "N",
               .fallback = (double)NAN,
               .high = 1e30,
               .positive = true,
               .most = 1,
               .text = "a pair of shapes pulls with this at most, shared by its points within `distance` so that its middle is that of the face between them; "
                       "a shape of several parts is one, and so is the surface of a solid; required"},
    [DISTANCE] =
        {.name = "distance", .unit = "m", .fallback = (double)NAN, .high = 1e30, .positive = true, .most = 1, .text = "gap at which the pull ends; required"},
    [BREAKING] = {.name = "breaking",
                  .unit = "",
                  .fallback = NEVER,
                  .most = 1,
                  .choices = "never once",
                  .text = "never: a pair pulls whenever it is near, and without the key; once: pairs are bonds, which are off for good when a point that pulls "
                          "has gone farther than `distance`: to break one takes more than `force`, and the work `force` × `distance`"},
    [BONDS_UNTIL] = {.name = "bonds_until",
                     .unit = "s",
                     .fallback = (double)NAN,
                     .high = 1e30,
                     .most = 1,
                     .text = "with `breaking: once`: pairs that come within `distance` later than at this time are no bonds, so that with 0 s what is near at "
                             "the start is cemented, and nothing else; without it every pair becomes one when it first comes near"},
};

static const talus_law_field FIELD[FIELDS] = {
    [BOND] = {"bond", "1", "0: it has not been near yet, 1: it holds, 2: it does not hold, for good"},
};

const tl_law TL_COHESION = {
    .info =
        {.name = "cohesion", .text = "contacts that pull, up to a force, while they are near", .key = KEY, .keys = NUMBERS, .field = FIELD, .fields = FIELDS},
    .bind = bind,
    .check = check,
    .update = update,
    .meet = meet,
    .part = part,
};
