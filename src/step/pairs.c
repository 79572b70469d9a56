/* The state of laws (law/law.h), by pairs of shapes: `pairs` holds it at t_n, `pairs_next` is the step's, in which laws write. */
#include <string.h>

#include "step/system.h"

/* A pair that is no longer near. */
static bool is_kept(const tl_system *s, uint64_t key, double *row)
{
    const tl_interaction *law = s->geometry->pair_law(s, key);
    return law && law->remembers && law->law->part && law->law->part(law, row + tl_law_column(law->law));
}

/* A pair that is found, and of which nothing is remembered. */
static void meet(const tl_system *s, uint64_t key, double *row)
{
    const tl_interaction *law = s->geometry->pair_law(s, key);
    if (law && law->law->meet) law->law->meet(law, s->step.t, row + tl_law_column(law->law));
}

bool tl_pair_ends(const tl_system *s, uint64_t key, int contactor_bits, int dimension, int32_t *const end[2])
{
    const uint64_t a = key >> contactor_bits, b = (key & (((uint64_t)1 << contactor_bits) - 1)) >> (s->cell.periodic ? dimension : 0);
    if (a >= (uint64_t)s->contactors || b >= (uint64_t)s->contactors) return false;
    *end[0] = (int32_t)a, *end[1] = (int32_t)b;
    return true;
}

talus_status tl_pairs_find(tl_system *s, const uint64_t *key, int pairs, int *row)
{
    const tl_memo *old = &s->pairs;
    tl_memo *now = &s->pairs_next;
    const size_t width = (size_t)now->width;
    now->count = 0;
    TL_TRY(tl_memo_reserve(now, s->memory, pairs + old->count, s->step.error));
    s->pair_stage = TL_LAW_FIND, s->pair_solves = 0;
    for (int i = 0, k = 0; i < old->count || k < pairs;) {
        if (k < pairs && key[k] == TL_NO_PAIR) {
            row[k++] = -1;
            continue;
        }
        const bool found = k < pairs && (i == old->count || key[k] <= old->key[i]), known = i < old->count && (k == pairs || old->key[i] <= key[k]);
        double *state = now->value + width * (size_t)now->count;
        now->key[now->count] = found ? key[k] : old->key[i];
        if (known) memcpy(state, old->value + width * (size_t)i++, width * sizeof *state);
        else {
            memset(state, 0, width * sizeof *state);
            meet(s, key[k], state);
        }
        if (found) row[k++] = now->count;
        now->count += found || is_kept(s, now->key[now->count], state);
    }
    return TALUS_OK;
}

/* The contacts of a pair: they follow each other, for they are in order of their keys. */
typedef struct pair {
    tl_pair_point point; /* the first one */
    int first, end;
    tl_law_pair view;
} pair;

enum { MOST_POINTS = 256, MOST_FIELDS = 16, MOST_SOLVES = 10 };

/* From the points to their means. */
static talus_status weigh(tl_system *s, pair *p)
{
    double weight[MOST_POINTS] = {0}, sum = 0;
    p->view.parting = -(double)INFINITY;
    tl_pair_point at;
    const int points = p->end - p->first < MOST_POINTS ? p->end - p->first : MOST_POINTS;
    for (int i = 0; i < points && s->geometry->pair_point(s, p->first + i, &at); i++) sum += weight[i] = at.push;
    for (int i = 0; i < points; i++) {
        if (!s->geometry->pair_point(s, p->first + i, &at)) break;
        weight[i] = sum > 0 ? weight[i] / sum : 1.0 / points;
        p->view.gap += weight[i] * at.gap;
        p->view.velocity += weight[i] * at.velocity;
        *at.weight = weight[i];
        if (at.pulls) p->view.parting = fmax(p->view.parting, at.gap + 0.5 * p->view.h * at.velocity);
    }
    p->view.push = sum;
    return p->point.law->law->finds ? s->geometry->mobility(s, p->first, p->first + points, weight, &p->view.mobility) : TALUS_OK;
}

/* The pairs of this step with a state, in the step's memory; returns how many, −1: no memory. */
static int list(tl_system *s, pair **out)
{
    tl_pair_point at;
    pair *p = tl_arena_alloc(s->step.arena, (size_t)s->pairs_next.count + 1, sizeof *p);
    int count = 0;
    *out = p;
    if (!p) return -1;
    for (int i = 0; s->geometry->pair_point(s, i, &at); i++) {
        if (!at.state) continue;
        if (count > 0 && p[count - 1].point.state == at.state) {
            p[count - 1].end = i + 1;
            continue;
        }
        const double size = fmin(s->geometry->ball(s, at.contactor[0]), s->geometry->ball(s, at.contactor[1]));
        const ptrdiff_t offset = at.state - s->pairs_next.value;
        const int row = (int)(offset / s->pairs_next.width), before = tl_memo_lower_bound(&s->pairs, s->pairs_next.key[row]);
        p[count++] = (pair){.point = at, .first = i, .end = i + 1, .view = {.h = s->step.h, .end = s->step.t + s->step.h, .size = size}};
        const bool known = before < s->pairs.count && s->pairs.key[before] == s->pairs_next.key[row];
        p[count - 1].view.before = known ? s->pairs.value + (size_t)before * (size_t)s->pairs.width + offset % s->pairs_next.width : NULL;
    }
    return count;
}

static bool update_all(const tl_system *s, pair *p, int count)
{
    static const double NEW[MOST_FIELDS] = {0};
    bool again = false;
    for (int i = 0; i < count; i++) {
        tl_law_pair *view = &p[i].view;
        view->stage = s->pair_stage, view->solves = s->pair_solves;
        view->tolerance = fmax(s->outcome.tolerance, s->outcome.residual);
        if (!view->before) view->before = NEW;
        const tl_interaction *law = p[i].point.law;
        if (law->law->finds || view->stage == TL_LAW_END) again = law->law->update(law, view, p[i].point.state) || again;
    }
    return again;
}

talus_status tl_pairs_update(tl_system *s, bool *more)
{
    pair *p = NULL;
    *more = false;
    if (s->pairs_next.count == 0) return TALUS_OK;
    const int count = list(s, &p);
    if (count < 0) return tl_fail(s->step.error, TALUS_MEMORY, "no memory for %d pairs", s->pairs_next.count);
    for (int i = 0; i < count; i++) TL_TRY(weigh(s, &p[i]));
    if (s->pair_stage == TL_LAW_FIND && s->pair_solves < MOST_SOLVES) *more = update_all(s, p, count);
    if (s->pair_stage == TL_LAW_FIND && !*more) {
        s->pair_stage = TL_LAW_HOLD;
        *more = update_all(s, p, count);
        s->pair_stage = TL_LAW_END;
    }
    s->pair_solves++;
    if (!*more) (void)update_all(s, p, count);
    return TALUS_OK;
}
