/* Signorini–Coulomb shifted by an allowed penetration ḡ that grows where the force exceeds what the ground bears (theory §2.4; T15 §6.1):
 *
 *     0 ≤ g + ḡ  ⊥  I_n ≥ 0,      0 ≤ ḡ' − ḡ  ⊥  h (F₀ + k ḡ') − I_n ≥ 0,      ḡ' ≤ limit,
 *
 * with I_n of all points of the pair. A pair rests, and bears whatever comes, or sinks, and bears what it can: as a force that acts beforehand. Who does what
 * is found by solving; then how deep they sink is known, and contacts are solved at these depths, with friction. */
#include <math.h>

#include "law/law.h"

enum { THRESHOLD, IMPULSE, HARDENING, LIMIT, FRICTION, FRICTION_DEPTH, KEYS };
enum { DEPTH, RATE, PHASE, DEEPEST, FIELDS };
enum { RESTS, SINKS, HELD }; /* PHASE; between steps one of the first two. HELD: at the depth that RATE leads to */
enum { PATIENCE = 6 };       /* solves after which nobody comes to rest any more: two that cannot agree would go on for ever */

/* At the end of the step. */
static double depth_ahead(const double *state, double h) { return state[DEPTH] + h * state[RATE]; }

/* What the pair bears [N]. */
static double strength(const tl_interaction *i, double depth, double h)
{
    const double *v = i->value;
    return (isfinite(v[THRESHOLD]) ? v[THRESHOLD] : v[IMPULSE] / h) + v[HARDENING] * depth;
}

static tl_law_bound bind(const tl_interaction *i, const tl_law_view *c)
{
    const double *v = i->value, *state = c->state, ahead = depth_ahead(state, c->h);
    const double sunk = v[FRICTION_DEPTH] > 0 ? fmin(state[DEPTH] / v[FRICTION_DEPTH], 1) : 0;
    tl_law_bound out = {.friction = sunk > 0 ? i->friction + sunk * (v[FRICTION] - i->friction) : i->friction};
    out.shift = fmax(c->gap + (state[PHASE] == RESTS ? state[DEPTH] : state[PHASE] == HELD ? ahead : state[DEEPEST]), 0) / c->h;
    if (state[PHASE] == SINKS) out.offset = -c->h * strength(i, fmin(ahead, state[DEEPEST]), c->h) * c->weight;
    return out;
}

/* Rests or sinks? True: otherwise than it did, or by so much that it bears another force. */
static bool find(const tl_interaction *i, const tl_law_pair *p, double *state)
{
    const double h = p->h, k = i->value[HARDENING], excess = p->push - h * strength(i, state[DEPTH], h);
    if (state[PHASE] == RESTS) {
        if (!(excess * p->mobility > p->tolerance) || state[DEPTH] >= state[DEEPEST]) return false;
        state[PHASE] = SINKS, state[RATE] = 0;
        return true;
    }
    /* It went as fast as this while it bore what it bears at the depth expected before; what it bears where it goes slows it down. */
    const double went = (-p->gap - h * p->velocity - state[DEPTH]) / h, slower = p->mobility * h * h * k;
    const double rate = fmin((slower * state[RATE] + went) / (1 + slower), (state[DEEPEST] - state[DEPTH]) / h);
    if (!(rate > 0) && p->solves < PATIENCE) {
        state[PHASE] = RESTS, state[RATE] = 0;
        return true;
    }
    const double change = fmax(rate, 0) - state[RATE];
    state[RATE] = fmax(rate, 0);
    return slower * fabs(change) > p->tolerance;
}

static bool update(const tl_interaction *i, const tl_law_pair *p, double *state)
{
    state[DEEPEST] = fmax(i->value[LIMIT] * p->size, p->before[DEPTH]);
    const double went = fmin(-p->gap - p->h * p->velocity, state[DEEPEST]);
    if (p->stage == TL_LAW_FIND) return find(i, p, state);
    if (p->stage == TL_LAW_HOLD) {
        if (state[PHASE] == RESTS) return false;
        state[PHASE] = HELD, state[RATE] = fmax(went - state[DEPTH], 0) / p->h;
        return true;
    }
    const double depth = state[PHASE] == RESTS ? state[DEPTH]
                         : p->push > 0         ? depth_ahead(state, p->h)
                                               : fmin(fmax(went, state[DEPTH]), depth_ahead(state, p->h));
    state[RATE] = (depth - state[DEPTH]) / p->h;
    state[PHASE] = depth > state[DEPTH] && depth < state[DEEPEST] ? SINKS : RESTS;
    state[DEPTH] = depth;
    return false;
}

/* Where points are new, how the pair shares what it bears is found by solving as if it rested, as when it meets. */
static void regroup(const tl_interaction *i, double *state)
{
    (void)i;
    state[PHASE] = RESTS;
}

static double depth(const tl_interaction *i, const double *state)
{
    (void)i;
    return state[DEPTH];
}

static talus_status check(tl_interaction *i, tl_error *error)
{
    const double *v = i->value;
    if (isfinite(v[THRESHOLD]) == isfinite(v[IMPULSE]))
        return tl_fail(error, TALUS_INPUT, "the law 'plastic' wants either a 'threshold' or a 'threshold_impulse'");
    if (!(v[LIMIT] > 0)) return tl_fail(error, TALUS_INPUT, "the law 'plastic' wants a 'limit'");
    if (isfinite(v[FRICTION]) != (v[FRICTION_DEPTH] > 0))
        return tl_fail(error, TALUS_INPUT, "'plastic_friction' and 'friction_depth' of the law 'plastic' go together");
    if (i->restitution > 0) return tl_fail(error, TALUS_INPUT, "the law 'plastic' has no 'restitution': what sinks does not bounce");
    if (i->activation == TALUS_ACTIVATION_GAP)
        return tl_fail(error, TALUS_INPUT, "the law 'plastic' looks at all that is near: 'activation: gap' has no meaning with it");
    return TALUS_OK;
}

static const talus_law_key KEY[KEYS] = {
    [THRESHOLD] = {.name = "threshold",
                   .unit = "N",
                   .fallback = (double)NAN,
                   .high = 1e30,
                   .most = 1,
                   .text = "a pair of shapes bears this force before it sinks; a shape of several parts is one, and so is the surface of a solid; it or "
                           "`threshold_impulse` is required"},
    [IMPULSE] = {.name = "threshold_impulse",
                 .unit = "N*s",
                 .fallback = (double)NAN,
                 .high = 1e30,
                 .most = 1,
                 .text = "instead: the impulse of a step (T15), which makes the force depend on the step"},
    [HARDENING] = {.name = "hardening", .unit = "N/m", .high = 1e30, .most = 1, .text = "by which this force grows as the pair sinks"},
    [LIMIT] = {.name = "limit",
               .unit = "",
               .fallback = (double)NAN,
               .high = 0.5,
               .positive = true,
               .most = 1,
               .text = "a pair sinks no deeper than this share of the radius of the ball about the smaller of its shapes; required"},
    [FRICTION] = {.name = "plastic_friction",
                  .unit = "",
                  .fallback = (double)NAN,
                  .high = 1e30,
                  .most = 1,
                  .text = "friction coefficient of what has sunk by `friction_depth`; before, linear between `friction` and this"},
    [FRICTION_DEPTH] = {.name = "friction_depth", .unit = "m", .high = 1e30, .positive = true, .most = 1, .text = "see `plastic_friction`"},
};

static const talus_law_field FIELD[FIELDS] = {
    [DEPTH] = {"depth", "m", "how deep the pair has sunk for good"},
    [RATE] = {"rate", "m/s", "speed by which it sank in the last step"},
    [PHASE] = {"phase", "1", "0: it rests, 1: it sinks"},
    [DEEPEST] = {"limit", "m", "how deep it may sink"},
};

const tl_law TL_PLASTIC = {
    .info = {.name = "plastic", .text = "what is pressed sinks in for good", .key = KEY, .keys = KEYS, .field = FIELD, .fields = FIELDS},
    .bind = bind,
    .check = check,
    .update = update,
    .finds = true,
    .regroup = regroup,
    .depth = depth,
};
