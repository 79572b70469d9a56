/* The table of laws, and interactions from their definitions. */
#include "law/law.h"
#include "law/spook.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */
const tl_law *const TL_LAWS[] = {
    &TL_COULOMB,
    &TL_IMPACT,
    &TL_COHESION,
    &TL_CAPILLARY,
    &TL_PLASTIC,
    &TL_ROLLING,
    NULL
};
/* clang-format on */

const talus_law *talus_law_at(int index)
{
    for (int i = 0; index >= 0 && TL_LAWS[i]; i++)
        if (i == index) return &TL_LAWS[i]->info;
    return NULL;
}

static const tl_law *law_named(const char *name)
{
    for (int i = 0; TL_LAWS[i]; i++)
        if (strcmp(TL_LAWS[i]->info.name, name) == 0) return TL_LAWS[i];
    return NULL;
}

/* −(4/h) Υ g + Υ V_n⁻ is what V_n⁺ + Σ I_n exceeds where the two overlap (N18 eq. 9). What is rigid does not recall that it came nearer. */
static double spook_shift(const tl_interaction *i, const tl_law_view *c, double gap)
{
    const double keep = tl_spook_of_contact(i, c->relaxation, c->h).keep, before = i->stiffness > 0 ? c->before : fmax(c->before, 0);
    return keep * (4 / c->h * gap - before);
}

/* An impulse works on the mean velocity of the step. Where that opens the contact of two that deform, the impulse would throw a node that rings faster than
 * steps can follow, and farther each time. So the two may come back, until their mean normal velocity in the step, (1−θ) V⁻ + θ V⁺, is zero. */
static tl_law_bound back_within(tl_law_bound bound, const tl_law_view *view)
{
    if (view->before > 0 && view->back > 0) bound.shift = fmax(bound.shift, view->back * view->before);
    return bound;
}

tl_law_bound tl_law_bind(const tl_interaction *i, const tl_law_view *view)
{
    if (view->holding == TL_HOLD_VELOCITIES) return back_within(i->law->bind(i, view), view);
    const double gap = tl_law_gap(i, view->state, view->gap);
    const bool overlaps = view->holding == TL_HOLD_GAPS && gap < 0;
    tl_law_view now = *view;
    if (overlaps) now.struck = false; /* impacts have been */
    if (view->holding == TL_HOLD_IMPACTS) now.gap = view->gap - gap;
    tl_law_bound bound = i->law->bind(i, &now);
    if (view->holding == TL_HOLD_IMPACTS) bound.offset = 0;
    if (overlaps) bound.shift += spook_shift(i, view, gap);
    return bound;
}

int tl_law_column(const tl_law *law)
{
    int column = 0;
    for (int i = 0; TL_LAWS[i] && TL_LAWS[i] != law; i++) column += TL_LAWS[i]->info.fields;
    return column;
}

int tl_law_columns(void) { return tl_law_column(NULL); }

/* Numbers that a key takes in tl_interaction.value. */
static int width_of(const talus_law_key *key) { return key->most > 1 ? key->most + 1 : 1; }

static const talus_law_key *key_named(const talus_law *law, const char *name, int *at)
{
    *at = 0;
    for (int k = 0; k < law->keys; *at += width_of(&law->key[k++]))
        if (strcmp(law->key[k].name, name) == 0) return &law->key[k];
    return NULL;
}

static talus_status refuse_key(const talus_law *law, const char *name, tl_error *error)
{
    char others[200] = "";
    int at;
    for (int i = 0; TL_LAWS[i]; i++)
        if (key_named(&TL_LAWS[i]->info, name, &at))
            snprintf(others + strlen(others), sizeof others - strlen(others), "%s '%s'", *others ? "," : "; it is of", TL_LAWS[i]->info.name);
    return tl_fail(error, TALUS_INPUT, "the law '%s' has no '%.80s'%s", law->name, name, others);
}

/* The place of a word among words with spaces between them; −1: it is none of them. */
static int place_of(const char *word, const char *words)
{
    const size_t length = strlen(word);
    for (int place = 0; length > 0 && *words; place++) {
        const size_t next = strcspn(words, " ");
        if (next == length && strncmp(words, word, next) == 0) return place;
        words += next + (words[next] == ' ');
    }
    return -1;
}

static talus_status take_word(const talus_law *law, const talus_law_key *key, const char *word, double *out, tl_error *error)
{
    const int place = word ? place_of(word, key->choices) : -1;
    *out = place;
    if (place >= 0) return TALUS_OK;
    return tl_fail(error, TALUS_INPUT, "'%s' of the law '%s' %s%.80s%s one of: %s", key->name, law->name, word ? "cannot be '" : "wants a word",
                   word ? word : "", word ? "'; expected" : ",", key->choices);
}

static talus_status take_value(const talus_law *law, const talus_law_value *given, tl_interaction *out, tl_error *error)
{
    int at;
    const char *name = given->key ? given->key : "";
    const talus_law_key *key = key_named(law, name, &at);
    if (!key) return refuse_key(law, name, error);
    if (key->choices) return take_word(law, key, given->word, &out->value[at], error);
    if (!given->number || given->numbers < 1 || given->numbers > key->most)
        return tl_fail(error, TALUS_INPUT, "'%s' of the law '%s' wants %s%d, and has %d numbers", name, law->name, key->most > 1 ? "up to " : "", key->most,
                       given->numbers);
    for (int i = 0; i < given->numbers; i++) {
        const double x = given->number[i];
        if (!(x >= key->low && x <= key->high) || (key->positive && !(x > 0)))
            return tl_fail(error, TALUS_INPUT, "'%s' of the law '%s' is %g; it must be between %g and %g%s", name, law->name, x, key->low, key->high,
                           key->positive ? ", and not 0" : "");
        out->value[at + i + (key->most > 1)] = given->number[i];
    }
    if (key->most > 1) out->value[at] = given->numbers;
    return TALUS_OK;
}

talus_status tl_interaction_make(const talus_interaction_def *def, tl_interaction *out, tl_error *error)
{
    const char *name = def->law ? def->law : TL_COULOMB.info.name;
    const tl_law *law = law_named(name);
    if (!law) return tl_fail(error, TALUS_INPUT, "there is no law '%.80s'", name);
    *out = (tl_interaction){.law = law,
                            .enabled = def->enabled,
                            .remembers = law->info.fields > 0,
                            .bounces = def->restitution > 0,
                            .activation = def->activation,
                            .friction = def->friction,
                            .restitution = def->restitution,
                            .stiffness = def->stiffness,
                            .damping = def->damping,
                            .friction_velocity = def->friction_velocity};
    int at = 0;
    for (int k = 0; k < law->info.keys; at += width_of(&law->info.key[k++])) out->value[at] = law->info.key[k].most > 1 ? 0 : law->info.key[k].fallback;
    for (int k = 0; k < def->values; k++) TL_TRY(take_value(&law->info, &def->value[k], out, error));
    return law->check ? law->check(out, error) : TALUS_OK;
}
