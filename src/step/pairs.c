/* The state of laws (law/law.h), by pairs of surfaces: `pairs` holds it at t_n, `pairs_next` is the step's, in which laws write. */
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "step/reach.h"

/* The contactors in the key of a pair; false: there are none such, or one is not there. */
static bool ends_of(const tl_system *s, uint64_t key, tl_near *out)
{
    const tl_geometry *g = s->geometry;
    const uint64_t a = key >> g->contactor_bits, b = (key & (((uint64_t)1 << g->contactor_bits) - 1)) >> (s->cell.periodic ? g->dimension : 0);
    if (a >= (uint64_t)s->contactors || b >= (uint64_t)s->contactors) return false;
    *out = (tl_near){.a = (int)a, .b = (int)b};
    return !tl_is_gone(s, s->owner[a].place) && !tl_is_gone(s, s->owner[b].place);
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

static bool is_of(const tl_system *s, uint64_t key, int body)
{
    tl_near pair;
    if (!ends_of(s, key, &pair)) return false;
    return s->owner[pair.a].body == body || s->owner[pair.b].body == body;
}

void tl_pairs_forget(tl_system *s, int body)
{
    tl_memo *all = &s->pairs;
    const size_t width = (size_t)all->width;
    for (int i = all->count - 1; i >= 0; i--) {
        double *row = all->value + width * (size_t)i;
        if (!is_of(s, all->key[i], body)) continue;
        all->count--;
        memmove(&all->key[i], &all->key[i + 1], (size_t)(all->count - i) * sizeof *all->key);
        memmove(row, row + width, (size_t)(all->count - i) * width * sizeof *row);
        for (int k = 0; k < s->met_count; k++) { /* contacts of the last step read their states there */
            tl_met *c = &s->met[k];
            if (!c->state || c->state < row) continue;
            if (c->state >= row + width) c->state -= width;
            else c->state = NULL, c->law = NULL;
        }
    }
}

/* The rows of these pairs, in order of their keys. */
static talus_status find_rows(tl_system *s, const uint64_t *key, int pairs, int *row)
{
    const tl_memo *old = &s->pairs;
    tl_memo *now = &s->pairs_next;
    const size_t width = (size_t)now->width;
    TL_TRY(tl_memo_reserve(now, s->memory, pairs + old->count, s->step.error));
    s->pair_stage = TL_LAW_FIND, s->pair_solves = 0;
    for (int i = 0, k = 0; i < old->count || k < pairs;) {
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

/* ---- which near pairs are of the same surfaces ---------------------------------------------------------------------- */

/* A shape of several parts is one, and so is the surface of a solid, which meets another once, wherever, also across a periodic border; but not itself. */
static uint64_t surfaces_key(const tl_system *s, const tl_near *pair)
{
    tl_near whole = {.a = s->owner[pair->a].whole, .b = s->owner[pair->b].whole};
    if (whole.a == whole.b) return tl_pair_key(s, pair);
    if (!tl_gives(s, pair)) memcpy(whole.image, pair->image, sizeof whole.image);
    return tl_pair_key(s, &whole);
}

/* What is remembered is of two surfaces where one of them is a solid's, and else of two parts: those that touch the same way now may not do so later. */
static uint64_t state_key(const tl_system *s, const tl_near *pair) { return tl_gives(s, pair) ? surfaces_key(s, pair) : tl_pair_key(s, pair); }

static bool is_part(const tl_system *s, int contactor)
{
    return s->owner[contactor].whole != contactor || (contactor + 1 < s->contactors && s->owner[contactor + 1].whole == contactor);
}

/* Do others of the same surfaces share a force with it? */
static bool shares(const tl_system *s, const tl_near *pair) { return tl_gives(s, pair) || (s->has_parts && (is_part(s, pair->a) || is_part(s, pair->b))); }

static bool has_solids(const tl_system *s)
{
    for (int i = 1; i < s->matters; i++)
        if (s->matter[i]->ops->motion) return true;
    return false;
}

/* Of near pairs that touch, in order of these keys: those whose laws remember; or those that share a force by their points, which laws do that pull over a gap
 * or remember. Returns how many. */
static int list_near(const tl_system *s, uint64_t (*key)(const tl_system *, const tl_near *), bool sharing, tl_keyed *out)
{
    const tl_found *f = &s->found;
    bool sorted = true;
    int count = 0;
    for (int i = 0; i < f->near.pairs; i++) {
        const tl_near *pair = &f->near.pair[i];
        const tl_interaction *law = tl_law_of(s, pair);
        if (f->touches[i] == 0 || !(law->remembers || (sharing && law->reach > 0)) || (sharing && !shares(s, pair))) continue;
        out[count] = (tl_keyed){key(s, pair), i};
        sorted = sorted && (count == 0 || out[count - 1].key <= out[count].key);
        count++;
    }
    if (!sorted) qsort(out, (size_t)count, sizeof *out, tl_by_key);
    return count;
}

/* Parts of a shape share where they touch the same way: the walls of a trough are two. A solid's surface is one, however it lies. */
static bool are_alike(const tl_system *s, int pair, int other)
{
    static const double ALIKE = 0.9; /* cosine */
    const tl_found *f = &s->found;
    return tl_gives(s, &f->near.pair[pair]) || tl_dot(f->touch[pair]->normal, f->touch[other]->normal) > ALIKE;
}

/* Who shares with whom: near pairs with the same key, each with the first that it is like. */
static void share(tl_system *s, const tl_keyed *near, int count)
{
    tl_found *f = &s->found;
    for (int i = 0, end; i < count; i = end) {
        for (end = i; end < count && near[end].key == near[i].key; end++) {
            const int pair = near[end].number;
            int k = i;
            while (k < end && !(f->first[near[k].number] == near[k].number && are_alike(s, near[k].number, pair))) k++;
            f->first[pair] = near[k].number;
            const int points = f->points[near[k].number] + f->touches[pair];
            f->points[near[k].number] = (uint16_t)(points < UINT16_MAX ? points : UINT16_MAX);
        }
        for (int k = i; k < end; k++) f->points[near[k].number] = f->points[f->first[near[k].number]];
    }
}

/* The row of t_n of what has this row now; −1: nothing is remembered of it. */
static int row_before(const tl_system *s, int row)
{
    const int at = tl_memo_lower_bound(&s->pairs, s->pairs_next.key[row]);
    return at < s->pairs.count && s->pairs.key[at] == s->pairs_next.key[row] ? at : -1;
}

/* Parts that share have one state while they do, of the first that has one from before; tl_pairs_part gives it to each. */
static void join_states(tl_system *s)
{
    tl_found *f = &s->found;
    for (int i = 0; i < f->near.pairs; i++) {
        const int first = f->points[i] > 0 ? f->first[i] : i;
        if (f->state[i] >= 0 && first != i && row_before(s, f->own_state[i]) >= 0 && row_before(s, f->state[first]) < 0) f->state[first] = f->own_state[i];
    }
    for (int i = 0; i < f->near.pairs; i++)
        if (f->state[i] >= 0 && f->points[i] > 0) f->state[i] = f->state[f->first[i]];
}

talus_status tl_pairs_find(tl_system *s)
{
    tl_found *f = &s->found;
    tl_arena *arena = s->step.arena;
    const size_t pairs = (size_t)f->near.pairs + 1;
    s->pairs_next.count = 0;
    if (!s->remembers && !(s->reach > 0 && (s->has_parts || has_solids(s)))) return TALUS_OK;
    tl_keyed *near = tl_arena_alloc(arena, pairs, sizeof *near);
    uint64_t *key = tl_arena_alloc(arena, pairs, sizeof *key);
    int *row = tl_arena_alloc(arena, pairs, sizeof *row), rows = 0;
    f->state = tl_arena_alloc(arena, pairs, sizeof *f->state);
    f->own_state = tl_arena_alloc(arena, pairs, sizeof *f->own_state);
    f->points = tl_arena_zero(arena, pairs, sizeof *f->points);
    f->first = tl_arena_alloc(arena, pairs, sizeof *f->first);
    f->span = tl_arena_zero(arena, pairs, sizeof *f->span);
    if (!near || !key || !row || !f->state || !f->own_state || !f->points || !f->first || !f->span)
        return tl_fail(s->step.error, TALUS_MEMORY, "no memory for %d near pairs", f->near.pairs);
    share(s, near, list_near(s, surfaces_key, true, near));
    for (int i = 0; i < f->near.pairs; i++) f->state[i] = -1;
    if (!s->remembers) return TALUS_OK;
    const int count = list_near(s, state_key, false, near);
    for (int i = 0; i < count; i++) {
        if (i == 0 || near[i].key != near[i - 1].key) key[rows++] = near[i].key;
        f->state[near[i].number] = rows - 1;
    }
    TL_TRY(find_rows(s, key, rows, row));
    for (int i = 0; i < f->near.pairs; i++) f->own_state[i] = f->state[i] = f->state[i] >= 0 ? row[f->state[i]] : -1;
    f->stated = f->near.pairs;
    if (s->has_parts) join_states(s);
    return TALUS_OK;
}

void tl_pairs_part(tl_system *s)
{
    const tl_found *f = &s->found;
    const size_t width = (size_t)s->pairs_next.width;
    for (int i = 0; s->has_parts && s->pairs_next.count > 0 && i < f->stated; i++)
        if (f->state[i] != f->own_state[i])
            memcpy(&s->pairs_next.value[width * (size_t)f->own_state[i]], &s->pairs_next.value[width * (size_t)f->state[i]], width * sizeof(double));
}

/* ---- the contacts of a pair ----------------------------------------------------------------------------------------- */

static int row_of(const tl_system *s, const tl_contact *c) { return (int)((c->state - s->pairs_next.value) / s->pairs_next.width); }

void tl_pairs_regroup(tl_system *s, const tl_memo *guess)
{
    for (int i = 0; s->pairs_next.count > 0 && i < s->next_count - s->ropes; i++) {
        const tl_contact *c = &s->contact_next[i];
        if (!c->state || !c->law->law->regroup || c->I[0] > 0) continue;
        const int at = tl_memo_lower_bound(guess, c->key);
        if (at == guess->count || guess->key[at] != c->key) c->law->law->regroup(c->law, c->state);
    }
}

talus_status tl_pairs_weigh(tl_system *s)
{
    const int contacts = s->next_count - s->ropes; /* what overtakes may have been found since, and left out */
    if (s->pairs_next.count == 0) return TALUS_OK;
    double *push = tl_arena_zero(s->step.arena, (size_t)s->pairs_next.count, sizeof *push);
    if (!push) return tl_fail(s->step.error, TALUS_MEMORY, "no memory for %d pairs", s->pairs_next.count);
    for (int i = 0; i < contacts; i++)
        if (s->contact_next[i].state) push[row_of(s, &s->contact_next[i])] += fmax(s->contact_next[i].I[0], 0);
    for (int i = 0; i < contacts; i++) {
        tl_contact *c = &s->contact_next[i];
        if (!c->state) continue;
        const double all = push[row_of(s, c)];
        c->weight = all > 0 ? fmax(c->I[0], 0) / all : 1.0 / c->points;
    }
    return TALUS_OK;
}

typedef struct pair {
    const tl_interaction *law;
    double *state;
    tl_contacts_of_pair of; /* in order of their keys */
    tl_law_pair view;
} pair;

enum { MOST_FIELDS = 16, MOST_SOLVES = 10 };

/* From the points to their means, by their weights. */
static talus_status average(tl_system *s, pair *p)
{
    p->view.parting = -(double)INFINITY;
    for (int i = 0; i < p->of.count; i++) {
        const tl_contact *c = &s->contact_next[p->of.contact[i]];
        p->view.push += fmax(c->I[0], 0);
        p->view.gap += c->weight * c->gap;
        p->view.velocity += c->weight * c->V[0];
        if (c->offset > 0) p->view.parting = fmax(p->view.parting, c->gap + 0.5 * p->view.h * c->V[0]);
    }
    return p->law->law->finds ? tl_problem_mobility(s->problem, &s->step, p->of, &p->view.mobility) : TALUS_OK;
}

/* Of a shape of several parts the largest of these. */
static double ball_of(const tl_system *s, int contactor)
{
    const int whole = s->owner[contactor].whole;
    double ball = 0;
    for (int i = whole; i < s->contactors && s->owner[i].whole == whole; i++) ball = fmax(ball, s->geometry->ball(s, i));
    return ball;
}

/* Of the smaller surface. A solid has no size, what lies on it does; where neither has, of two solids or one on a half-space, what a node stands for has. */
static double size_of(const tl_system *s, const tl_contact *c)
{
    const int end[2] = {c->contactor_a, c->contactor_b};
    const tl_motion *m[2] = {&s->found.motion[end[0]], &s->found.motion[end[1]]};
    double size = (double)INFINITY, thin = (double)INFINITY;
    for (int side = 0; side < 2; side++)
        if (m[side]->gives) thin = fmin(thin, m[side]->thin);
        else size = fmin(size, ball_of(s, end[side]));
    return isfinite(size) ? size : thin;
}

static pair begin_pair(const tl_system *s, tl_contacts_of_pair of)
{
    const tl_contact *c = &s->contact_next[of.contact[0]];
    const int before = row_before(s, row_of(s, c));
    const ptrdiff_t column = tl_law_column(c->law->law);
    return (pair){.law = c->law,
                  .state = c->state,
                  .of = of,
                  .view = {.h = s->step.h,
                           .end = tl_step_end(&s->step),
                           .size = size_of(s, c),
                           .before = before >= 0 ? s->pairs.value + (size_t)before * (size_t)s->pairs.width + column : NULL}};
}

/* The pairs of this step with a state, in the step's memory; returns how many, −1: no memory. */
static int list(tl_system *s, pair **out)
{
    tl_arena *arena = s->step.arena;
    const int rows = s->pairs_next.count;
    pair *p = *out = tl_arena_alloc(arena, (size_t)rows + 1, sizeof *p);
    int *end = tl_arena_zero(arena, (size_t)rows + 1, sizeof *end), *contact = tl_arena_alloc(arena, (size_t)s->next_count + 1, sizeof *contact), count = 0;
    if (!p || !end || !contact) return -1;
    for (int i = 0; i < s->next_count; i++)
        if (s->contact_next[i].state) end[row_of(s, &s->contact_next[i]) + 1]++;
    for (int i = 0; i < rows; i++) end[i + 1] += end[i];
    for (int i = 0; i < s->next_count; i++) /* where a row begins, until it is filled: then where it ends */
        if (s->contact_next[i].state) contact[end[row_of(s, &s->contact_next[i])]++] = i;
    for (int i = 0; i < rows; i++) {
        const int begin = i > 0 ? end[i - 1] : 0;
        if (end[i] > begin) p[count++] = begin_pair(s, (tl_contacts_of_pair){contact + begin, end[i] - begin});
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
    TL_TRY(tl_pairs_weigh(s));
    for (int i = 0; i < count; i++) TL_TRY(average(s, &p[i]));
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
