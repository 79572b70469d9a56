/* From poses at q_m to contacts, sorted by key, with the impulses of the last step as a first guess (MECHANICS §6).
 *
 * A key is contactor a, contactor b, feature. Pairs come sorted from the broad phase and touches sorted by feature from the narrow
 * phase, so contacts are born sorted; every thread writes its own slots. */
#include <string.h>

#include "law/rope.h"
#include "step/system2.h"

enum { KEY_CONTACTOR_BITS = 28, KEY_FEATURE_BITS = 8 };
static const double LOOK_AHEAD = 6; /* steps that a pair list should outlive */

static uint64_t make_key(int a, int b, int feature)
{
    return (uint64_t)a << (KEY_CONTACTOR_BITS + KEY_FEATURE_BITS) | (uint64_t)b << KEY_FEATURE_BITS | (uint64_t)feature;
}

tl_pose2 tl_system2_pose(const tl_system2 *s, tl_place place)
{
    if (place.matter == 0) return tl_grains2_pose(s->grains, place.item);
    const tl_frame f = s->base.matter[place.matter]->ops->frame(s->base.matter[place.matter], place.item);
    return (tl_pose2){f.p.x, f.p.y, f.R.m[0][0], f.R.m[1][0], 0};
}

/* A grain's pose; a disk about its centre needs no sine and cosine. */
static tl_pose2 contactor_pose(const tl_system2 *s, int i)
{
    const tl_place place = s->base.contactor_place[i];
    const tl_shape2 *shape = &s->contactor[i].shape;
    if (place.matter == 0 && shape->kind == TL_DISK && shape->centre.x == 0 && shape->centre.y == 0) {
        const tl_twist2 q = s->grains->q_m[place.item];
        return (tl_pose2){q.x, q.y, 1, 0, q.w};
    }
    return tl_system2_pose(s, place);
}

/* Bound on the normal speed of a grain's points; a disk about its centre may turn as it likes. */
static double rim_speed(const tl_system2 *s, int contactor, tl_twist2 v)
{
    const tl_shape2 *shape = &s->contactor[contactor].shape;
    const bool centred = shape->kind == TL_DISK && shape->centre.x == 0 && shape->centre.y == 0;
    const double arm = centred || shape->kind == TL_HALF_PLANE ? 0 : shape->reach;
    return sqrt(v.x * v.x + v.y * v.y) + fabs(v.w) * arm;
}

/* Velocity of the contactor's body, and a bound on the speed of its points during this step. A link's come from its way from q_n
 * to q_m. */
static double contactor_speed(const tl_system2 *s, int i, const tl_pose2 *before, tl_vec2 *velocity)
{
    const tl_place place = s->base.contactor_place[i];
    if (place.matter == 0) {
        const tl_twist2 v = s->grains->v_free[place.item];
        *velocity = tl_v2(v.x, v.y);
        return rim_speed(s, i, v);
    }
    const double early = (1 - s->base.step.theta) * s->base.step.h;
    const tl_pose2 *now = &s->pose[i];
    *velocity = tl_v2(0, 0);
    if (!(early > 0)) return 0;
    *velocity = tl_v2((now->x - before->x) / early, (now->y - before->y) / early);
    const double reach = s->contactor[i].shape.kind == TL_HALF_PLANE ? 0 : s->contactor[i].shape.reach;
    const double way = hypot(now->x - before->x, now->y - before->y), turn = hypot(now->c - before->c, now->s - before->s);
    return (way + turn * reach) / early;
}

typedef struct detect_task {
    tl_system2 *s;
    tl_box2 *box;         /* [contactors]                      */
    tl_vec2 *ahead;       /* [contactors] way of the next steps */
    tl_touch2 *touch;     /* [slots]                           */
    uint8_t *found;       /* [pairs] touches kept of each pair */
    int *offset;          /* [pairs + 1] into contacts         */
    const tl_memo *guess; /* impulses to begin with            */
} detect_task;

/* How far a contactor may get within the step. Impulses spread: a grain at rest may leave with the speed of what pushes its neighbours. */
static double margin(const tl_system2 *s, int contactor) { return 0.5 * s->base.alert + s->base.step.h * fmax(s->speed[contactor], s->common_speed); }

/* The speed of what pushes: the fastest boundary or link, or the root mean square of all contactors. */
static void measure_common_speed(tl_system2 *s)
{
    double sum = 0;
    s->common_speed = 0;
    for (int i = 0; i < s->base.contactors; i++) {
        const tl_place place = s->base.contactor_place[i];
        const bool pusher = place.matter != 0 || s->grains->kind[place.item] == TALUS_BODY_IMPOSED;
        if (pusher) s->common_speed = fmax(s->common_speed, s->speed[i]);
        sum += s->speed[i] * s->speed[i];
    }
    if (s->base.contactors > 0) s->common_speed = fmax(s->common_speed, sqrt(sum / s->base.contactors));
}

static void pose_range(void *context, int begin, int end, int worker)
{
    const detect_task *task = context;
    tl_system2 *s = task->s;
    (void)worker;
    for (int i = begin; i < end; i++) {
        const tl_pose2 before = s->pose[i]; /* links: at q_n, left there by predict */
        s->pose[i] = contactor_pose(s, i);
        tl_vec2 velocity;
        s->speed[i] = contactor_speed(s, i, &before, &velocity);
        task->ahead[i] = tl_scale2(LOOK_AHEAD * s->base.step.h, velocity);
    }
}

static void box_range(void *context, int begin, int end, int worker)
{
    const detect_task *task = context;
    const tl_system2 *s = task->s;
    (void)worker;
    for (int i = begin; i < end; i++) {
        const double rim = margin(s, i);
        task->box[i] = tl_shape2_box(&s->contactor[i].shape, &s->pose[i]);
        task->box[i].low = tl_sub2(task->box[i].low, tl_v2(rim, rim));
        task->box[i].high = tl_add2(task->box[i].high, tl_v2(rim, rim));
    }
}

static const talus_interaction_def *law_of(const tl_system2 *s, const tl_pair2 *pair)
{
    return &s->base.law[s->contactor[pair->a].material * s->base.materials + s->contactor[pair->b].material];
}

static void touch_range(void *context, int begin, int end, int worker)
{
    const detect_task *task = context;
    const tl_system2 *s = task->s;
    (void)worker;
    for (int i = begin; i < end; i++) {
        const tl_pair2 *pair = &s->broad.pairs[i];
        const talus_interaction_def *law = law_of(s, pair);
        task->found[i] = 0;
        if (!law->enabled) continue;
        /* gap activation: g ≤ 0, that is g < the smallest positive number */
        const double alert = tl_is_anticipated(law) ? margin(s, pair->a) + margin(s, pair->b) : 5e-324;
        task->found[i] = (uint8_t)tl_touch2_find(&s->contactor[pair->a].shape, &s->pose[pair->a], &s->contactor[pair->b].shape, &s->pose[pair->b], alert,
                                                 &task->touch[pair->first]);
    }
}

static void contact_range(void *context, int begin, int end, int worker)
{
    const detect_task *task = context;
    tl_system2 *s = task->s;
    const tl_memo *guess = task->guess;
    (void)worker;
    int memory = -1;
    for (int i = begin; i < end; i++) {
        const tl_pair2 *pair = &s->broad.pairs[i];
        const tl_place a = s->base.contactor_place[pair->a], b = s->base.contactor_place[pair->b];
        const talus_interaction_def *law = law_of(s, pair);
        for (int k = 0; k < task->found[i]; k++) {
            const tl_touch2 *t = &task->touch[pair->first + k];
            const uint64_t key = make_key(pair->a, pair->b, t->feature);
            tl_contact2 *c = &s->contact_next[task->offset[i] + k];
            *c = (tl_contact2){.key = key,
                               .a = {a.matter, a.item},
                               .b = {b.matter, b.item},
                               .contactor_a = pair->a,
                               .contactor_b = pair->b,
                               .x = t->point.x,
                               .y = t->point.y,
                               .nx = t->normal.x,
                               .ny = t->normal.y,
                               .gap = t->gap,
                               .friction = law->friction,
                               .restitution = law->restitution,
                               .anticipated = tl_is_anticipated(law)};
            if (memory < 0) memory = tl_memo_lower_bound(guess, key);
            while (memory < guess->count && guess->key[memory] < key) memory++;
            if (memory < guess->count && guess->key[memory] == key) memcpy(c->I, guess->impulse + 2 * memory, sizeof c->I);
        }
    }
}

/* Near pairs and their touches, within the margins; `offset` counts them. */
static talus_status find_touches(detect_task *task)
{
    tl_system2 *s = task->s;
    tl_arena *arena = s->base.step.arena;
    tl_parallel_for(s->base.step.threads, s->base.contactors, 2048, box_range, task);
    TL_TRY(
        tl_broad2_update(&s->broad, s->contactor, s->base.contactors, task->box, task->ahead, s->base.skin, arena, s->base.step.threads, s->base.step.error));
    const int pairs = s->broad.pair_count;
    task->touch = tl_arena_alloc(arena, (size_t)s->broad.slots, sizeof *task->touch);
    task->found = tl_arena_alloc(arena, (size_t)pairs, sizeof *task->found);
    task->offset = tl_arena_alloc(arena, (size_t)pairs + 1, sizeof *task->offset);
    if (!task->touch || !task->found || !task->offset) return tl_fail(s->base.step.error, TALUS_MEMORY, "no memory for %d near pairs", pairs);
    tl_parallel_for(s->base.step.threads, pairs, 1024, touch_range, task);
    int64_t total = 0;
    for (int i = 0; i < pairs; i++) {
        task->offset[i] = (int)total;
        total += task->found[i];
    }
    task->offset[pairs] = (int)total;
    return TALUS_OK;
}

/* Any point of its line stands for where a rope pulls. */
static void add_ropes(tl_system2 *s, const tl_memo *guess, int first)
{
    for (int i = 0; i < s->base.ropes; i++) {
        const tl_rope *rope = &s->base.rope[i];
        const tl_place a = rope->end[0].place, b = rope->end[1].place;
        const tl_vec3 at[2] = {tl_rope_end_at(&s->base, &rope->end[0]), tl_rope_end_at(&s->base, &rope->end[1])};
        tl_contact2 *c = &s->contact_next[first + i];
        tl_vec3 n;
        *c = (tl_contact2){.key = tl_rope_key(&s->base, i),
                           .a = {a.matter, a.item},
                           .b = {b.matter, b.item},
                           .contactor_a = -1,
                           .contactor_b = -1,
                           .x = 0.5 * (at[0].x + at[1].x),
                           .y = 0.5 * (at[0].y + at[1].y),
                           .gap = tl_rope_gap(at[0], at[1], rope->length, rope->pushes, &n),
                           .anticipated = true};
        c->nx = n.x, c->ny = n.y;
        const int memory = tl_memo_lower_bound(guess, c->key);
        if (memory < guess->count && guess->key[memory] == c->key) memcpy(c->I, guess->impulse + 2 * memory, sizeof c->I);
    }
}

static talus_status collect(detect_task *task)
{
    tl_system2 *s = task->s;
    const int pairs = task->offset[s->broad.pair_count], total = pairs + s->base.ropes;
    const talus_status grown = tl_grow(s->base.memory, &s->contact_next, &s->next_capacity, total, sizeof *s->contact_next);
    if (grown != TALUS_OK) return tl_fail(s->base.step.error, grown, "no memory for %d contacts", total);
    s->next_count = total;
    tl_parallel_for(s->base.step.threads, s->broad.pair_count, 2048, contact_range, task);
    add_ropes(s, task->guess, pairs);
    return TALUS_OK;
}

static talus_status start_detection(tl_system2 *s, const tl_memo *guess, detect_task *task)
{
    *task = (detect_task){.s = s, .guess = guess};
    task->box = tl_arena_alloc(s->base.step.arena, (size_t)s->base.contactors, sizeof *task->box);
    task->ahead = tl_arena_zero(s->base.step.arena, (size_t)s->base.contactors, sizeof *task->ahead);
    if (task->box && task->ahead) return TALUS_OK;
    return tl_fail(s->base.step.error, TALUS_MEMORY, "no memory for %d contactors", s->base.contactors);
}

talus_status tl_contacts2_detect(tl_system *base)
{
    tl_system2 *s = (tl_system2 *)base;
    detect_task task;
    s->next_count = 0;
    TL_TRY(start_detection(s, &s->base.memo, &task));
    tl_parallel_for(s->base.step.threads, s->base.contactors, 2048, pose_range, &task);
    measure_common_speed(s);
    TL_TRY(find_touches(&task));
    return collect(&task);
}

talus_status tl_contacts2_overtake(tl_system *base, bool *more)
{
    tl_system2 *s = (tl_system2 *)base;
    const tl_problem2 *p = &s->problem;
    detect_task task;
    bool faster = false;
    *more = false;
    for (int i = 0; i < s->base.contactors; i++) {
        const tl_place place = s->base.contactor_place[i];
        if (place.matter != 0 || s->grains->kind[place.item] != TALUS_BODY_FREE) continue;
        const tl_row2 *row = &p->row[place.item];
        const double k = p->s[place.item];
        const double speed = rim_speed(s, i, (tl_twist2){k * row->x, k * row->y, p->j[place.item] * row->w});
        if (speed <= s->speed[i] || speed <= s->common_speed) continue;
        s->speed[i] = speed;
        faster = true;
    }
    if (!faster) return TALUS_OK;
    TL_TRY(start_detection(s, &s->base.memo_next, &task));
    TL_TRY(find_touches(&task));
    if (task.offset[s->broad.pair_count] + base->ropes == s->next_count) return TALUS_OK;
    *more = true;
    TL_TRY(tl_contacts2_remember(base));
    return collect(&task);
}

talus_status tl_contacts2_remember(tl_system *base)
{
    tl_system2 *s = (tl_system2 *)base;
    tl_memo *memo = &base->memo_next;
    TL_TRY(tl_memo_reserve(memo, base->memory, s->next_count, base->step.error));
    for (int i = 0; i < s->next_count; i++) {
        memo->key[i] = s->contact_next[i].key;
        memcpy(memo->impulse + 2 * i, s->contact_next[i].I, sizeof s->contact_next[i].I);
    }
    memo->count = s->next_count;
    return TALUS_OK;
}
