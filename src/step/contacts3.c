/* From poses at q_m to contacts, sorted by key, with the impulses of the last step as a first guess (MECHANICS §6). The sibling of contacts2.c.
 *
 * A key is contactor a, contactor b, feature. Pairs come sorted from the broad phase and touches sorted by feature from the narrow
 * phase, so contacts are born sorted; every thread writes its own slots. */
#include <string.h>

#include "law/rope.h"
#include "step/system3.h"

static const double LOOK_AHEAD = 6; /* steps that a pair list should outlive */

static uint64_t make_key(int a, int b, uint32_t feature)
{
    return (uint64_t)a << (TL_KEY3_CONTACTOR_BITS + TL_KEY3_FEATURE_BITS) | (uint64_t)b << TL_KEY3_FEATURE_BITS | (uint64_t)feature;
}

tl_frame tl_system3_frame(const tl_system3 *s, tl_place place)
{
    if (place.matter == 0) return tl_grains3_frame(s->grains, place.item);
    return s->base.matter[place.matter]->ops->frame(s->base.matter[place.matter], place.item);
}

/* A ball about its body's centre of mass may turn as it likes. */
static bool is_centred_ball(const tl_shape3 *shape)
{
    return shape->kind == TL_HULL3 && shape->points == 1 && shape->point[0].x == 0 && shape->point[0].y == 0 && shape->point[0].z == 0;
}

/* Bound on the normal speed of a grain's points. */
static double rim_speed(const tl_system3 *s, int contactor, const tl_twist3 *v)
{
    const tl_shape3 *shape = &s->contactor[contactor].shape;
    const double arm = is_centred_ball(shape) || shape->kind == TL_HALF_SPACE3 ? 0 : shape->reach;
    return tl_norm(v->v) + tl_norm(v->w) * arm;
}

/* Velocity of the contactor's body, and a bound on the speed of its points during this step. A link's come from its way from q_n
 * to q_m. */
static double contactor_speed(const tl_system3 *s, int i, const tl_frame *before, tl_vec3 *velocity)
{
    const tl_place place = s->base.contactor_place[i];
    if (place.matter == 0) {
        const tl_twist3 *v = &s->grains->v_free[place.item];
        *velocity = v->v;
        return rim_speed(s, i, v);
    }
    const double early = (1 - s->base.step.theta) * s->base.step.h;
    const tl_frame *now = &s->pose[i];
    *velocity = tl_v3(0, 0, 0);
    if (!(early > 0)) return 0;
    *velocity = tl_scale(1 / early, tl_sub(now->p, before->p));
    const double reach = s->contactor[i].shape.kind == TL_HALF_SPACE3 ? 0 : s->contactor[i].shape.reach;
    double turn = 0; /* Frobenius norm of the change of R: √2 and more of the angle's chord */
    for (int k = 0; k < 9; k++) turn += (now->R.m[k / 3][k % 3] - before->R.m[k / 3][k % 3]) * (now->R.m[k / 3][k % 3] - before->R.m[k / 3][k % 3]);
    return tl_norm(*velocity) + sqrt(turn) * reach / early;
}

enum { BLOCK = 128 }; /* pairs whose touches lie one behind the other */

typedef struct detect_task {
    tl_system3 *s;
    tl_box3 *box;         /* [contactors]                                           */
    tl_vec3 *ahead;       /* [contactors] way of the next steps                     */
    const bool *faster;   /* [contactors] only pairs of these are looked at; or NULL */
    int *room;            /* [blocks + 1] touches there may be, then where they begin */
    tl_touch3 *touch;     /* [room]                                                 */
    int *offset;          /* [pairs + 1] into contacts                              */
    const tl_memo *guess; /* impulses to begin with                                 */
} detect_task;

/* How far a contactor may get within the step. Impulses spread: a grain at rest may leave with the speed of what pushes its neighbours. */
static double margin(const tl_system3 *s, int contactor) { return 0.5 * s->base.alert + s->base.step.h * fmax(s->speed[contactor], s->common_speed); }

/* The speed of what pushes: the fastest boundary or link, or the root mean square of all contactors. */
static void measure_common_speed(tl_system3 *s)
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
    tl_system3 *s = task->s;
    (void)worker;
    for (int i = begin; i < end; i++) {
        const tl_frame before = s->pose[i]; /* links: at q_n, left there by begin */
        tl_vec3 velocity;
        s->pose[i] = tl_system3_frame(s, s->base.contactor_place[i]);
        s->speed[i] = contactor_speed(s, i, &before, &velocity);
        task->ahead[i] = tl_scale(LOOK_AHEAD * s->base.step.h, velocity);
    }
}

static void box_range(void *context, int begin, int end, int worker)
{
    const detect_task *task = context;
    const tl_system3 *s = task->s;
    (void)worker;
    for (int i = begin; i < end; i++) {
        const double rim = margin(s, i);
        if (i + 2 < end) tl_touch3_expect(&s->contactor[i + 2].shape, NULL);
        task->box[i] = tl_shape3_box(&s->contactor[i].shape, &s->pose[i]);
        task->box[i].low = tl_sub(task->box[i].low, tl_v3(rim, rim, rim));
        task->box[i].high = tl_add(task->box[i].high, tl_v3(rim, rim, rim));
    }
}

static const talus_interaction_def *law_of(const tl_system3 *s, const tl_near3 *pair)
{
    return &s->base.law[s->contactor[pair->a].material * s->base.materials + s->contactor[pair->b].material];
}

static bool is_concerned(const detect_task *task, const tl_near3 *pair) { return !task->faster || task->faster[pair->a] || task->faster[pair->b]; }

static bool meets(const detect_task *task, const tl_near3 *pair)
{
    return law_of(task->s, pair)->enabled && tl_boxes3_overlap(&task->box[pair->a], &task->box[pair->b]);
}

/* Room for the touches of pairs whose boxes meet. These are marked by a number of touches that is not 0. */
static void room_range(void *context, int begin, int end, int worker)
{
    const detect_task *task = context;
    const tl_system3 *s = task->s;
    (void)worker;
    for (int block = begin; block < end; block++) {
        int room = 0;
        for (int i = BLOCK * block; i < BLOCK * (block + 1) && i < s->broad.pair_count; i++) {
            const tl_near3 *pair = &s->broad.pairs[i];
            if (!is_concerned(task, pair)) continue;
            s->found.touches[i] = meets(task, pair);
            if (s->found.touches[i]) room += tl_touch3_limit(&s->contactor[pair->a].shape, &s->contactor[pair->b].shape);
        }
        task->room[block + 1] = room;
    }
}

static tl_known3 *known_of(const tl_system3 *s, const tl_near3 *pair) { return pair->known >= 0 ? &s->broad.known[pair->known] : NULL; }

/* Returns how many. */
static int touch_pair(const tl_system3 *s, tl_near3 *pair, tl_touch3 *out)
{
    /* gap activation: g ≤ 0, that is g < the smallest positive number */
    const double alert = tl_is_anticipated(law_of(s, pair)) ? margin(s, pair->a) + margin(s, pair->b) : 5e-324;
    return tl_touch3_find(&s->contactor[pair->a].shape, &s->pose[pair->a], &s->contactor[pair->b].shape, &s->pose[pair->b], alert, &pair->hint,
                          known_of(s, pair), out);
}

/* What this stage waits for is memory. While a pair is looked at, those behind it are fetched, each time what the stage before has told. */
enum { FACES_OF_EDGES = 2, RIVALS, CORNERS, SHAPE, AHEAD = SHAPE }; /* that many pairs ahead */

static void expect_pair(const tl_system3 *s, const tl_near3 *pair, int ahead)
{
    const tl_contactor3 *a = &s->contactor[pair->a], *b = &s->contactor[pair->b];
    if (ahead == SHAPE) {
        tl_fetch(b, sizeof *b);
        tl_fetch(&s->pose[pair->b], sizeof *s->pose);
    }
    if (ahead == CORNERS) tl_touch3_expect(&b->shape, known_of(s, pair));
    if (ahead == RIVALS) tl_touch3_expect_rivals(&a->shape, &b->shape, known_of(s, pair));
    if (ahead == FACES_OF_EDGES) tl_touch3_expect_edges(&a->shape, &b->shape, known_of(s, pair));
}

static void touch_block(const detect_task *task, int block)
{
    tl_system3 *s = task->s;
    tl_near3 *pairs = s->broad.pairs;
    tl_touch3 *next = task->touch + task->room[block];
    int meeting[BLOCK], count = 0;
    for (int i = BLOCK * block; i < BLOCK * (block + 1) && i < s->broad.pair_count; i++)
        if (s->found.touches[i] && is_concerned(task, &pairs[i])) meeting[count++] = i;
    for (int k = -AHEAD; k < count; k++) {
        for (int ahead = AHEAD; ahead >= FACES_OF_EDGES; ahead--)
            if (k + ahead >= 0 && k + ahead < count) expect_pair(s, &pairs[meeting[k + ahead]], ahead);
        if (k < 0) continue;
        const int i = meeting[k];
        s->found.touch[i] = next;
        s->found.touches[i] = (uint8_t)touch_pair(s, &pairs[i], next);
        next += s->found.touches[i];
    }
}

static void touch_range(void *context, int begin, int end, int worker)
{
    (void)worker;
    for (int block = begin; block < end; block++) touch_block(context, block);
}

static void contact_range(void *context, int begin, int end, int worker)
{
    const detect_task *task = context;
    tl_system3 *s = task->s;
    const tl_memo *guess = task->guess;
    (void)worker;
    int memory = -1;
    for (int i = begin; i < end; i++) {
        const tl_near3 *pair = &s->broad.pairs[i];
        const tl_place a = s->base.contactor_place[pair->a], b = s->base.contactor_place[pair->b];
        const talus_interaction_def *law = law_of(s, pair);
        for (int k = 0; k < s->found.touches[i]; k++) {
            const tl_touch3 *t = &s->found.touch[i][k];
            const uint64_t key = make_key(pair->a, pair->b, t->feature);
            tl_contact3 *c = &s->contact_next[task->offset[i] + k];
            *c = (tl_contact3){.key = key,
                               .a = {a.matter, a.item},
                               .b = {b.matter, b.item},
                               .contactor_a = pair->a,
                               .contactor_b = pair->b,
                               .x = t->point,
                               .n = t->normal,
                               .gap = t->gap,
                               .friction = law->friction,
                               .restitution = law->restitution,
                               .anticipated = tl_is_anticipated(law)};
            if (memory < 0) memory = tl_memo_lower_bound(guess, key);
            while (memory < guess->count && guess->key[memory] < key) memory++;
            if (memory < guess->count && guess->key[memory] == key) memcpy(c->I, guess->impulse + 3 * memory, sizeof c->I);
        }
    }
}

/* Memory for what is found of a new list of near pairs. */
static talus_status begin_list(detect_task *task)
{
    tl_system3 *s = task->s;
    const size_t pairs = (size_t)s->broad.pair_count;
    s->found.rebuild = s->broad.rebuilds;
    s->found.touch = tl_arena_alloc(s->base.step.arena, pairs, sizeof(tl_touch3 *));
    s->found.touches = tl_arena_zero(s->base.step.arena, pairs, sizeof *s->found.touches);
    task->faster = NULL;
    if (s->found.touch && s->found.touches) return TALUS_OK;
    return tl_fail(s->base.step.error, TALUS_MEMORY, "no memory for %d near pairs", s->broad.pair_count);
}

static talus_status make_room(detect_task *task, int blocks)
{
    tl_system3 *s = task->s;
    int64_t room = 0;
    task->room = tl_arena_zero(s->base.step.arena, (size_t)blocks + 1, sizeof *task->room);
    if (!task->room) return tl_fail(s->base.step.error, TALUS_MEMORY, "no memory for %d near pairs", s->broad.pair_count);
    tl_parallel_for(s->base.step.threads, blocks, 2, room_range, task);
    for (int block = 0; block < blocks; block++) {
        room += task->room[block + 1];
        if (room > INT32_MAX / 2) return tl_fail(s->base.step.error, TALUS_MEMORY, "more than a hundred million near pairs: check sizes and units");
        task->room[block + 1] = (int)room;
    }
    task->touch = tl_arena_alloc(s->base.step.arena, (size_t)room, sizeof *task->touch);
    if (!task->touch) return tl_fail(s->base.step.error, TALUS_MEMORY, "no memory for %lld touches", (long long)room);
    return TALUS_OK;
}

/* Near pairs and their touches, within the margins; `offset` counts them. Where only some are faster than when this step's touches were found, and the list
 * is still the same, these are looked at again, for all others nothing has changed. */
static talus_status find_touches(detect_task *task)
{
    tl_system3 *s = task->s;
    tl_system *base = &s->base;
    tl_arena *arena = base->step.arena;
    tl_parallel_for(base->step.threads, base->contactors, 1024, box_range, task);
    TL_TRY(tl_broad3_update(&s->broad, s->contactor, base->contactors, task->box, task->ahead, base->skin, arena, base->step.threads, base->step.error));
    const int pairs = s->broad.pair_count, blocks = (pairs + BLOCK - 1) / BLOCK;
    if (!task->faster || s->found.rebuild != s->broad.rebuilds) TL_TRY(begin_list(task));
    TL_TRY(make_room(task, blocks));
    tl_parallel_for(base->step.threads, blocks, 2, touch_range, task);
    task->offset = tl_arena_zero(arena, (size_t)pairs + 1, sizeof *task->offset);
    if (!task->offset) return tl_fail(base->step.error, TALUS_MEMORY, "no memory for %d near pairs", pairs);
    for (int i = 0; i < pairs; i++) task->offset[i + 1] = task->offset[i] + s->found.touches[i];
    return TALUS_OK;
}

/* Any point of its line stands for where a rope pulls. */
static void add_ropes(tl_system3 *s, const tl_memo *guess, int first)
{
    for (int i = 0; i < s->base.ropes; i++) {
        const tl_rope *rope = &s->base.rope[i];
        const tl_place a = rope->end[0].place, b = rope->end[1].place;
        const tl_vec3 at[2] = {tl_rope_end_at(&s->base, &rope->end[0]), tl_rope_end_at(&s->base, &rope->end[1])};
        tl_contact3 *c = &s->contact_next[first + i];
        tl_vec3 n;
        *c = (tl_contact3){.key = tl_rope_key(&s->base, i),
                           .a = {a.matter, a.item},
                           .b = {b.matter, b.item},
                           .contactor_a = -1,
                           .contactor_b = -1,
                           .x = tl_scale(0.5, tl_add(at[0], at[1])),
                           .gap = tl_rope_gap(at[0], at[1], rope->length, rope->pushes, &n),
                           .anticipated = true};
        c->n = n;
        const int memory = tl_memo_lower_bound(guess, c->key);
        if (memory < guess->count && guess->key[memory] == c->key) memcpy(c->I, guess->impulse + 3 * memory, sizeof c->I);
    }
}

static talus_status collect(detect_task *task)
{
    tl_system3 *s = task->s;
    const int pairs = task->offset[s->broad.pair_count], total = pairs + s->base.ropes;
    const talus_status grown = tl_grow(s->base.memory, &s->contact_next, &s->next_capacity, total, sizeof *s->contact_next);
    if (grown != TALUS_OK) return tl_fail(s->base.step.error, grown, "no memory for %d contacts", total);
    s->next_count = total;
    tl_parallel_for(s->base.step.threads, s->broad.pair_count, 2048, contact_range, task);
    add_ropes(s, task->guess, pairs);
    return TALUS_OK;
}

static talus_status start_detection(tl_system3 *s, const tl_memo *guess, detect_task *task)
{
    *task = (detect_task){.s = s, .guess = guess};
    task->box = tl_arena_alloc(s->base.step.arena, (size_t)s->base.contactors, sizeof *task->box);
    task->ahead = tl_arena_zero(s->base.step.arena, (size_t)s->base.contactors, sizeof *task->ahead);
    if (task->box && task->ahead) return TALUS_OK;
    return tl_fail(s->base.step.error, TALUS_MEMORY, "no memory for %d contactors", s->base.contactors);
}

talus_status tl_contacts3_detect(tl_system *base)
{
    tl_system3 *s = (tl_system3 *)base;
    detect_task task;
    s->next_count = 0;
    TL_TRY(start_detection(s, &base->memo, &task));
    tl_parallel_for(base->step.threads, base->contactors, 1024, pose_range, &task);
    measure_common_speed(s);
    TL_TRY(find_touches(&task));
    return collect(&task);
}

/* Free grains that are faster than was reckoned with. */
static bool find_faster(tl_system3 *s, bool *faster)
{
    bool any = false;
    for (int i = 0; i < s->base.contactors; i++) {
        const tl_place place = s->base.contactor_place[i];
        if (place.matter != 0 || s->grains->kind[place.item] != TALUS_BODY_FREE) continue;
        const tl_twist3 v = tl_problem3_velocity(&s->problem, place.item);
        const double speed = rim_speed(s, i, &v);
        if (speed <= s->speed[i] || speed <= s->common_speed) continue;
        s->speed[i] = speed;
        faster[i] = any = true;
    }
    return any;
}

talus_status tl_contacts3_overtake(tl_system *base, bool *more)
{
    tl_system3 *s = (tl_system3 *)base;
    detect_task task;
    bool *faster = tl_arena_zero(base->step.arena, (size_t)base->contactors, sizeof *faster);
    *more = false;
    if (!faster) return tl_fail(base->step.error, TALUS_MEMORY, "no memory for %d contactors", base->contactors);
    if (!find_faster(s, faster)) return TALUS_OK;
    TL_TRY(start_detection(s, &base->memo_next, &task));
    task.faster = faster;
    TL_TRY(find_touches(&task));
    if (task.offset[s->broad.pair_count] + base->ropes == s->next_count) return TALUS_OK;
    *more = true;
    TL_TRY(tl_contacts3_remember(base));
    return collect(&task);
}

talus_status tl_contacts3_remember(tl_system *base)
{
    tl_system3 *s = (tl_system3 *)base;
    tl_memo *memo = &base->memo_next;
    TL_TRY(tl_memo_reserve(memo, base->memory, s->next_count, base->step.error));
    for (int i = 0; i < s->next_count; i++) {
        memo->key[i] = s->contact_next[i].key;
        memcpy(memo->impulse + 3 * i, s->contact_next[i].I, sizeof s->contact_next[i].I);
    }
    memo->count = s->next_count;
    return TALUS_OK;
}
