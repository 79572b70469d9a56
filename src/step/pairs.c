/* The state of laws (law/law.h), by pairs of shapes: `pairs` holds it at t_n, `pairs_next` is the step's, in which laws write. */
#include <string.h>

#include "step/reach.h"

/* The contactors in the key of a pair; false: there are none such, or one is not there. */
static bool ends_of(const tl_system *s, uint64_t key, tl_near *out)
{
    const tl_geometry *g = s->geometry;
    const uint64_t a = key >> g->contactor_bits, b = (key & (((uint64_t)1 << g->contactor_bits) - 1)) >> (s->cell.periodic ? g->dimension : 0);
    if (a >= (uint64_t)s->contactors || b >= (uint64_t)s->contactors) return false;
    *out = (tl_near){.a = (int)a, .b = (int)b};
    const tl_place place[2] = {s->owner[a].place, s->owner[b].place};
    int grains;
    for (int k = 0; k < 2; k++)
        if (place[k].matter == 0 && g->kinds(s, &grains)[place[k].item] == TALUS_BODY_ABSENT) return false;
    return true;
}

/* A pair that is no longer near. */
static bool is_kept(const tl_system *s, uint64_t key, double *row)
{
    tl_near pair;
    if (!ends_of(s, key, &pair)) return false;
    const tl_interaction *law = tl_law_of(s, &pair);
    return law->remembers && law->law->part && law->law->part(law, row + tl_law_column(law->law));
}

/* A pair that is found, and of which nothing is remembered. */
static void meet(const tl_system *s, uint64_t key, double *row)
{
    tl_near pair;
    if (!ends_of(s, key, &pair)) return;
    const tl_interaction *law = tl_law_of(s, &pair);
    if (law->law->meet) law->law->meet(law, s->step.t, row + tl_law_column(law->law));
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
    const tl_interaction *law;
    double *state;
    int first, end;
    tl_law_pair view;
} pair;

enum { MOST_POINTS = 256, MOST_FIELDS = 16, MOST_SOLVES = 10 };

/* From the points to their means. */
static talus_status weigh(tl_system *s, pair *p)
{
    double weight[MOST_POINTS] = {0}, sum = 0;
    tl_contact *c = s->contact_next + p->first;
    p->view.parting = -(double)INFINITY;
    const int points = p->end - p->first < MOST_POINTS ? p->end - p->first : MOST_POINTS;
    for (int i = 0; i < points; i++) sum += weight[i] = fmax(c[i].I[0], 0);
    for (int i = 0; i < points; i++) {
        weight[i] = sum > 0 ? weight[i] / sum : 1.0 / points;
        p->view.gap += weight[i] * c[i].gap;
        p->view.velocity += weight[i] * c[i].V[0];
        c[i].weight = weight[i];
        if (c[i].offset > 0) p->view.parting = fmax(p->view.parting, c[i].gap + 0.5 * p->view.h * c[i].V[0]);
    }
    p->view.push = sum;
    return p->law->law->finds ? tl_problem_mobility(s->problem, &s->step, p->first, p->first + points, weight, &p->view.mobility) : TALUS_OK;
}

/* The pairs of this step with a state, in the step's memory; returns how many, −1: no memory. */
static int list(tl_system *s, pair **out)
{
    pair *p = tl_arena_alloc(s->step.arena, (size_t)s->pairs_next.count + 1, sizeof *p);
    int count = 0;
    *out = p;
    if (!p) return -1;
    for (int i = 0; i < s->next_count; i++) {
        const tl_contact *c = &s->contact_next[i];
        if (!c->state) continue;
        if (count > 0 && p[count - 1].state == c->state) {
            p[count - 1].end = i + 1;
            continue;
        }
        const double size = fmin(s->geometry->ball(s, c->contactor_a), s->geometry->ball(s, c->contactor_b));
        const ptrdiff_t offset = c->state - s->pairs_next.value;
        const int row = (int)(offset / s->pairs_next.width), before = tl_memo_lower_bound(&s->pairs, s->pairs_next.key[row]);
        p[count++] = (pair){.law = c->law, .state = c->state, .first = i, .end = i + 1, .view = {.h = s->step.h, .end = s->step.t + s->step.h, .size = size}};
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
        const tl_interaction *law = p[i].law;
        if (law->law->finds || view->stage == TL_LAW_END) again = law->law->update(law, view, p[i].state) || again;
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
