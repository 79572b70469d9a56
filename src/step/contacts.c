/* From touches to contacts, sorted by key, with the impulses of the last step as a first guess (theory §6); and what a step asks of all its contacts.
 *
 * A key is contactor a, contactor b with its image, feature. Pairs come sorted from the broad phase and touches sorted by feature from the narrow
 * phase, so contacts are born sorted; every thread writes its own slots. */
#include <string.h>

#include "base/integers.h"
#include "law/rope.h"
#include "solve/drift.h"
#include "step/reach.h"
#include "step/schemes.h"

typedef struct collect_task {
    tl_system *s;
    const tl_memo *guess;
} collect_task;

static uint64_t make_key(const tl_system *s, const tl_near *pair, uint32_t feature)
{
    return tl_pair_key(s, pair) << s->geometry->feature_bits | (uint64_t)feature;
}

/* The impulse that is remembered with this key, from row `memory` on; returns the row where the search ended. */
static int recall(const tl_memo *guess, int memory, tl_contact *c)
{
    while (memory < guess->count && guess->key[memory] < c->key) memory++;
    const bool known = memory < guess->count && guess->key[memory] == c->key;
    for (int axis = 0; known && axis < guess->width; axis++) c->I[axis] = guess->value[guess->width * memory + axis];
    return memory;
}

static tl_giving giving_of(const tl_system *s, const tl_near *pair)
{
    const bool a = s->found.motion[pair->a].gives, b = s->found.motion[pair->b].gives;
    return a && b ? TL_GIVE_BOTH : a || b ? TL_GIVES : TL_GIVES_NOT;
}

static void contact_range(void *context, int begin, int end, int worker)
{
    const collect_task *task = context;
    tl_system *s = task->s;
    const tl_found *f = &s->found;
    (void)worker;
    int memory = -1;
    for (int i = begin; i < end; i++) {
        if (f->touches[i] == 0) continue;
        const tl_near *pair = &f->near.pair[i];
        const tl_interaction *law = tl_law_of(s, pair);
        const tl_motion *motion[2] = {&f->motion[pair->a], &f->motion[pair->b]};
        const tl_vec3 origin[2] = {motion[0]->p, tl_copy_at(s, pair)};
        const bool remembers = f->state && f->state[i] >= 0;
        const tl_giving gives = giving_of(s, pair);
        tl_contact *contact = &s->contact_next[f->offset[i]];
        memset(contact, 0, f->touches[i] * sizeof *contact);
        for (int k = 0; k < f->touches[i]; k++) {
            const tl_touch *t = &f->touch[i][k];
            tl_contact *c = &contact[k];
            c->key = make_key(s, pair, t->feature);
            c->a = s->owner[pair->a].place, c->b = s->owner[pair->b].place;
            c->contactor_a = pair->a, c->contactor_b = pair->b;
            memcpy(c->image, pair->image, sizeof c->image);
            c->struck = law->bounces && !gives && tl_is_struck(s, law, pair, t);
            c->gives = (uint8_t)gives;
            c->points = f->points && f->points[i] > 0 ? f->points[i] : f->touches[i];
            c->rim[0] = motion[0]->smooth, c->rim[1] = motion[1]->smooth;
            c->n = t->normal, c->gap = t->gap, c->point = t->point;
            c->law = law;
            if (remembers) c->state = tl_state_at(s, f->state[i], law);
            c->uneven = 1;
            for (int side = 0; side < 2; side++) c->arm[side] = tl_sub(tl_contact_met(c, side), origin[side]);
            memory = recall(task->guess, memory < 0 ? tl_memo_lower_bound(task->guess, c->key) : memory, c);
        }
        if (!(law->reach > 0)) continue;
        const double span = tl_share_of_part(s, i, contact);
        if (f->span) f->span[i] = span;
    }
}

/* Any point of its line stands for where a rope pulls: here one midway, for both ends. One that lacks an end is slack. */
static void add_ropes(tl_system *s, const tl_memo *guess, int first)
{
    static const double SLACK = 1e6; /* [m] */
    for (int i = 0; i < s->ropes; i++) {
        const tl_rope *rope = &s->rope[i];
        const tl_place end[2] = {rope->end[0].place, rope->end[1].place};
        const tl_vec3 at[2] = {tl_rope_end_at(s, &rope->end[0]), tl_rope_end_at(s, &rope->end[1])}, middle = tl_scale(0.5, tl_add(at[0], at[1]));
        tl_contact *c = &s->contact_next[first + i];
        tl_vec3 n;
        const double met = tl_rope_gap(at[0], at[1], rope->length, rope->pushes, &n);
        const bool gone = tl_is_gone(s, end[0]) || tl_is_gone(s, end[1]);
        *c = (tl_contact){.key = tl_rope_key(s, i),
                          .a = end[0],
                          .b = end[1],
                          .rope = true,
                          .contactor_a = -1,
                          .contactor_b = -1,
                          .n = n,
                          .gap = gone ? SLACK : met,
                          .law = &TL_FRICTIONLESS,
                          .point = middle};
        for (int side = 0; side < 2; side++)
            c->arm[side] = tl_sub(middle, s->matter[end[side].matter]->ops->frame(s->matter[end[side].matter], end[side].item).p);
        if (!gone) (void)recall(guess, tl_memo_lower_bound(guess, c->key), c); /* between what does not move an impulse would stay */
    }
}

talus_status tl_contacts_collect(tl_system *s, const tl_memo *guess)
{
    const int pairs = s->found.offset[s->found.near.pairs], total = pairs + s->ropes;
    s->next_count = 0;
    const talus_status grown = tl_grow_lines(s->memory, &s->next_block, &s->contact_next, &s->next_capacity, total, sizeof *s->contact_next);
    if (grown != TALUS_OK) return tl_fail(s->step.error, grown, "no memory for %d contacts", total);
    s->next_count = total;
    TL_TRY(tl_pairs_find(s));
    tl_parallel_for(s->step.threads, s->found.near.pairs, 2048, contact_range, &(collect_task){s, guess});
    TL_TRY(tl_contacts_share(s));
    tl_pairs_regroup(s, guess);
    TL_TRY(tl_pairs_weigh(s));
    add_ropes(s, guess, pairs);
    return tl_moments_find(s, guess == &s->memo ? &s->moments : &s->moments_next);
}

talus_status tl_contacts_detect(tl_system *s)
{
    s->next_count = 0;
    TL_TRY(tl_near_begin(s));
    TL_TRY(tl_near_list_pairs(s, NULL));
    TL_TRY(tl_near_find_touches(s, NULL));
    return tl_contacts_collect(s, &s->memo);
}

static void note(const tl_contact *c, tl_memo *memo, int i)
{
    memo->key[i] = c->key;
    memcpy(memo->value + memo->width * i, c->I, (size_t)memo->width * sizeof *memo->value);
}

talus_status tl_contacts_again(tl_system *s)
{
    tl_memo solved = {.count = s->next_count, .width = s->memo.width};
    solved.key = tl_arena_alloc(s->step.arena, (size_t)solved.count, sizeof *solved.key);
    solved.value = tl_arena_alloc(s->step.arena, (size_t)solved.count * (size_t)solved.width, sizeof *solved.value);
    if (!solved.key || !solved.value) return tl_fail(s->step.error, TALUS_MEMORY, "no memory for %d contacts", solved.count);
    for (int i = 0; i < s->next_count; i++) note(&s->contact_next[i], &solved, i);
    TL_TRY(tl_moments_remember(s));
    return tl_contacts_collect(s, &solved);
}

talus_status tl_contacts_remember(tl_system *s)
{
    TL_TRY(tl_memo_reserve(&s->memo, s->memory, s->next_count, s->step.error));
    const talus_status grown = tl_grow_little(s->memory, &s->met, &s->met_capacity, s->next_count, sizeof *s->met);
    if (grown != TALUS_OK) return tl_fail(s->step.error, grown, "no memory for %d contacts", s->next_count);
    return tl_moments_remember(s);
}

static void commit_range(void *context, int begin, int end, int worker)
{
    tl_system *s = context;
    (void)worker;
    for (int i = begin; i < end; i++) {
        const tl_contact *c = &s->contact_next[i];
        tl_met *m = &s->met[i];
        note(c, &s->memo, i);
        *m = (tl_met){.point = c->point,
                      .n = c->n,
                      .gap = c->gap,
                      .law = c->state ? c->law->law : NULL,
                      .state = c->state,
                      .contactor = {c->contactor_a, c->contactor_b},
                      .resists = c->law->resists};
        memcpy(m->I, c->I, sizeof m->I);
        memcpy(m->V, c->V, sizeof m->V);
        memcpy(m->image, c->image, sizeof m->image);
    }
}

void tl_contacts_commit(tl_system *s)
{
    tl_parallel_for(s->step.threads, s->next_count, 4096, commit_range, s);
    s->memo.count = s->met_count = s->next_count;
    if (s->weighs && s->met_count > 0) memcpy(s->work, s->work_next, (size_t)s->met_count * sizeof *s->work);
}

void tl_contacts_tally(tl_system *s)
{
    tl_outcome *out = &s->outcome;
    out->contacts = s->next_count;
    for (int i = 0; i < s->next_count; i++) {
        const tl_contact *c = &s->contact_next[i];
        out->touching += c->I[0] > 0;
        out->penetration = tl_larger(-tl_law_gap(c->law, c->state, c->gap), out->penetration);
    }
}

/* How far a contact is from its law along the normal, after a solve [m/s]. */
static double off_along_normal(const tl_contact *c)
{
    const double u = c->V[0] + c->shift;
    return c->I[0] + c->offset > 0 ? fabs(u) : fmax(-u, 0);
}

/* ---- blows that no impulses return ---------------------------------------------------------------------------------------------- */

/* Impulses on a body that are many times what stops it: their sum, and the sum of their sizes. */
typedef struct squeeze {
    tl_vec3 net;
    double sizes;
} squeeze;

typedef struct squeezed {
    int *island;   /* [bodies] that such impulses join, by their roots */
    squeeze *body; /* [bodies] */
    bool *moves;   /* [bodies] an island that has a body which they do not hold between them */
} squeezed;

/* The grain at an end that contacts move; −1: there is none. */
static int grain_at(const tl_system *s, tl_place end) { return end.matter == 0 && s->problem->inverse_mass[end.item] > 0 ? end.item : -1; }

/* Its impulse as a velocity of the lighter end, over what is as fast as its bounce, or as a fall for a step. */
static double times_too_large(const tl_system *s, const tl_contact *c)
{
    const int a = grain_at(s, c->a), b = grain_at(s, c->b);
    const double *per = s->problem->inverse_mass, light = fmax(a >= 0 ? per[a] : 0, b >= 0 ? per[b] : 0);
    const double scale = fmax(c->struck ? -c->shift : 0, s->step.h * tl_norm(tl_load3(s->step.gravity)));
    return light * c->I[0] > 0 ? light * c->I[0] / scale : 0;
}

static const double TOO_LARGE = 30;

static talus_status find_squeezed(tl_system *s, squeezed *out)
{
    static const double BALANCED = 0.1;
    const int n = s->problem->bodies;
    out->island = tl_arena_alloc(s->step.arena, (size_t)n + 1, sizeof *out->island);
    out->body = tl_arena_zero(s->step.arena, (size_t)n + 1, sizeof *out->body);
    out->moves = tl_arena_zero(s->step.arena, (size_t)n + 1, sizeof *out->moves);
    if (!out->island || !out->body || !out->moves) return tl_fail(s->step.error, TALUS_MEMORY, "no memory for %d bodies", n);
    for (int i = 0; i < n; i++) out->island[i] = i;
    for (int i = 0; i < s->next_count; i++) {
        const tl_contact *c = &s->contact_next[i];
        const int end[2] = {grain_at(s, c->a), grain_at(s, c->b)};
        tl_vec3 axis[3], P = {0, 0, 0};
        if (!(times_too_large(s, c) > TOO_LARGE)) continue;
        tl_problem_axes(s->problem, c, axis);
        for (int k = 0; k < s->problem->ops->axes; k++) P = tl_add(P, tl_scale(c->I[k], axis[k]));
        for (int side = 0; side < 2; side++) {
            if (end[side] < 0) continue;
            squeeze *q = &out->body[end[side]];
            q->net = tl_add(q->net, tl_scale(side ? 1 : -1, P));
            q->sizes += tl_norm(P);
        }
        if (end[0] >= 0 && end[1] >= 0) (void)tl_join(out->island, end[0], end[1]);
    }
    tl_find_roots(out->island, n);
    for (int i = 0; i < n; i++)
        if (tl_norm(out->body[i].net) > BALANCED * out->body[i].sizes) out->moves[out->island[i]] = true;
    return TALUS_OK;
}

/* Is the bounce far from what it should be, has its impulse grown sweep by sweep, and do impulses of that size move nothing? */
static bool is_lost(const tl_system *s, const tl_contact *c, const squeezed *all)
{
    static const double LOST = 0.5, EACH = 0.25; /* of the bounce; in each sweep, times it */
    const int end[2] = {grain_at(s, c->a), grain_at(s, c->b)};
    const double bounce = -c->shift, least = fmax(s->outcome.tolerance, s->outcome.suffices);
    if (!c->struck || !(bounce > 0) || !(c->friction > 0) || off_along_normal(c) <= fmax(least, LOST * bounce)) return false;
    if (!(times_too_large(s, c) > fmax(TOO_LARGE, EACH * s->outcome.iterations))) return false;
    for (int side = 0; side < 2; side++)
        if (end[side] >= 0 && all->moves[all->island[end[side]]]) return false;
    return true;
}

talus_status tl_contacts_lose_blows(tl_system *s, bool *some)
{
    squeezed all;
    *some = false;
    if (s->outcome.converged || s->next_count == 0) return TALUS_OK;
    TL_TRY(find_squeezed(s, &all));
    for (int i = 0; i < s->next_count; i++) {
        tl_contact *c = &s->contact_next[i];
        if (!is_lost(s, c, &all)) continue;
        c->struck = false;
        *some = true;
        s->outcome.lost_blows++, s->outcome.lost_a = c->contactor_a, s->outcome.lost_b = c->contactor_b;
    }
    for (int i = 0, memory = 0; *some && i < s->next_count; i++) { /* those of the solve may have grown beyond all bounds */
        memset(s->contact_next[i].I, 0, sizeof s->contact_next[i].I);
        memory = recall(&s->memo, memory, &s->contact_next[i]);
    }
    return TALUS_OK;
}

/* ---- depths --------------------------------------------------------------------------------------------------------------------- */

double tl_contacts_back(const tl_system *s) { return s->scheme->weighs ? (1 - s->step.theta) / s->step.theta : 0; }

/* By how much it will be deeper than the slop. */
static double depth_of(const tl_system *s, const tl_contact *c)
{
    return -(tl_law_gap(c->law, c->state, c->gap) + s->step.h * c->V[0]) - tl_drift_slop(c->rope, s->slop);
}

tl_depth tl_contacts_depth(const tl_system *s)
{
    tl_depth out = {.deepest = -(double)INFINITY, .a = -1, .b = -1};
    for (int i = 0; i < s->next_count; i++) {
        const tl_contact *c = &s->contact_next[i];
        if (c->gives) continue;
        const double depth = depth_of(s, c);
        out.sum += tl_larger(depth, 0);
        if (depth > out.deepest) out.deepest = depth, out.a = c->contactor_a, out.b = c->contactor_b;
    }
    return out;
}

bool tl_contacts_are_deep(const tl_system *s)
{
    for (int i = 0; i < s->next_count; i++)
        if (!s->contact_next[i].gives && depth_of(s, &s->contact_next[i]) > 0) return true;
    return s->joints.constraints > 0 && tl_blocks_are_off(&s->joints.blocks);
}

talus_status tl_end_velocity(tl_system *s, tl_when when, const tl_contact *c, int side, tl_vec3 *out)
{
    const tl_place end = side ? c->b : c->a;
    tl_vec3 p, v = {0, 0, 0}, w = {0, 0, 0};
    if (end.matter != 0) return tl_point_velocity(s, when, end, tl_contact_at(c, side, &s->cell), out);
    s->geometry->motion(s, when, end.item, &p, &v, &w);
    *out = tl_add(v, tl_cross(w, c->arm[side]));
    return TALUS_OK;
}

/* How far apart along n the bodies of a contact go by v_free [m]. */
static talus_status find_way(tl_system *s, const tl_contact *c, double *out)
{
    tl_vec3 a = {0, 0, 0}, b = {0, 0, 0};
    TL_TRY(tl_end_velocity(s, TL_FREE, c, 0, &a));
    TL_TRY(tl_end_velocity(s, TL_FREE, c, 1, &b));
    *out = s->step.h * tl_dot(c->n, tl_sub(b, a));
    return TALUS_OK;
}

talus_status tl_contacts_aim(tl_system *s)
{
    const double h = s->step.h;
    tl_interaction *law = tl_arena_alloc(s->step.arena, (size_t)s->next_count + 1, sizeof *law);
    if (!law) return tl_fail(s->step.error, TALUS_MEMORY, "no memory for %d contacts", s->next_count);
    for (int i = 0; i < s->next_count; i++) {
        tl_contact *c = &s->contact_next[i];
        double way;
        TL_TRY(find_way(s, c, &way));
        /* laws that pull over a gap ask for that of t_n, gap − h/2 V⁻ about q_m */
        const tl_law_view view = {.gap = c->gap, .before = 2 * way / h, .h = h, .share = tl_contact_share(c)};
        law[i] = tl_law_of_positions(c->law, &view, way);
        c->law = &law[i];
        c->struck = false;
    }
    return TALUS_OK;
}

talus_status tl_contacts_note_pressing(tl_system *s, double gap, tl_memo *out)
{
    const size_t most = (size_t)s->next_count + 1;
    *out =
        (tl_memo){.key = tl_arena_alloc(s->step.arena, most, sizeof *out->key), .value = tl_arena_alloc(s->step.arena, most, sizeof *out->value), .width = 1};
    if (!out->key || !out->value) return tl_fail(s->step.error, TALUS_MEMORY, "no memory for %d contacts", s->next_count);
    for (int i = 0; i < s->next_count; i++) {
        const tl_contact *c = &s->contact_next[i];
        if (!(c->I[0] + c->offset > 0 && tl_law_gap_of_positions(c->law, c->gap, s->step.h, c->V[0]) <= gap)) continue;
        double way;
        TL_TRY(find_way(s, c, &way));
        out->value[out->count] = -way;
        out->key[out->count++] = c->key;
    }
    return TALUS_OK;
}

/* Contacts of one pair, and which of them press. */
typedef struct pressing_pair {
    int end;    /* the first contact of the next pair */
    int stands; /* for points that pressed and are gone; −1: none */
    bool knows; /* a point of it has pressed and is there */
} pressing_pair;

static bool has_pressed(const tl_memo *p, uint64_t key)
{
    const int at = tl_memo_lower_bound(p, key);
    return at < p->count && p->key[at] == key;
}

/* Where all that pressed of a pair is gone, for it has come to the next face or past an edge, the nearest stands for it. */
static pressing_pair pair_from(const tl_system *s, const tl_memo *p, int begin)
{
    const int bits = s->geometry->feature_bits;
    const uint64_t pair = s->contact_next[begin].key >> bits;
    pressing_pair out = {.end = begin, .stands = begin};
    for (; out.end < s->next_count && s->contact_next[out.end].key >> bits == pair; out.end++) {
        out.knows = out.knows || has_pressed(p, s->contact_next[out.end].key);
        if (s->contact_next[out.end].gap < s->contact_next[out.stands].gap) out.stands = out.end;
    }
    const int at = tl_memo_lower_bound(p, pair << bits);
    if (out.knows || at == p->count || p->key[at] >> bits != pair) out.stands = -1;
    return out;
}

static bool presses(const tl_system *s, const tl_memo *p, const pressing_pair *of, int contact)
{
    return contact == of->stands || (of->knows && has_pressed(p, s->contact_next[contact].key));
}

double tl_contacts_widest(const tl_system *s, const tl_memo *pressing)
{
    double widest = 0;
    for (int begin = 0; begin < s->next_count;) {
        const pressing_pair pair = pair_from(s, pressing, begin);
        for (int i = begin; i < pair.end; i++)
            if (presses(s, pressing, &pair, i)) widest = fmax(widest, s->contact_next[i].gap);
        begin = pair.end;
    }
    return widest;
}

double tl_contacts_lost(const tl_system *s, const tl_memo *pressing)
{
    const int bits = s->geometry->feature_bits;
    double most = 0;
    for (int k = 0, i = 0; k < pressing->count; k++) {
        const uint64_t pair = pressing->key[k] >> bits;
        while (i < s->next_count && s->contact_next[i].key >> bits < pair) i++;
        if (i == s->next_count || s->contact_next[i].key >> bits != pair) most = fmax(most, pressing->value[k]);
    }
    return most;
}

void tl_contacts_keep_closed(tl_system *s, double gap, const tl_memo *pressing)
{
    int kept = 0;
    for (int begin = 0; begin < s->next_count;) {
        const pressing_pair pair = pair_from(s, pressing, begin);
        for (int i = begin; i < pair.end; i++) {
            tl_contact c = s->contact_next[i];
            const bool closed = c.gap <= gap || presses(s, pressing, &pair, i);
            if (!c.rope && !closed && !(c.gap <= c.law->reach)) continue;
            if (!c.rope && closed) c.gap = fmin(c.gap, 0), c.struck = c.law->bounces && !c.gives;
            s->contact_next[kept++] = c;
        }
        begin = pair.end;
    }
    s->next_count = kept;
}
