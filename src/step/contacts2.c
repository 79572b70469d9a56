/* From poses at q_m to contacts, sorted by key, with the impulses of the last step as a first guess (theory §6).
 *
 * A key is contactor a, contactor b with its image, feature. Pairs come sorted from the broad phase and touches sorted by feature from the narrow
 * phase, so contacts are born sorted; every thread writes its own slots. */
#include <string.h>

#include "law/rope.h"
#include "step/system2.h"

enum { KEY_CONTACTOR_BITS = 28, KEY_FEATURE_BITS = 8 };
static const double LOOK_AHEAD = 6; /* steps that a pair list should outlive */

static uint64_t make_key(const tl_system2 *s, const tl_pair2 *pair, int feature)
{
    const uint64_t b = tl_key_candidate(&s->base.cell, pair->b, pair->image, 2);
    return (uint64_t)pair->a << (KEY_CONTACTOR_BITS + KEY_FEATURE_BITS) | b << KEY_FEATURE_BITS | (uint64_t)feature;
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
    const tl_place place = s->base.owner[i].place;
    const tl_shape2 *shape = &s->contactor[i].shape;
    if (place.matter == 0 && shape->kind == TL_DISK && shape->centre.x == 0 && shape->centre.y == 0) {
        const tl_twist2 q = s->grains->q_m[place.item];
        return (tl_pose2){q.x, q.y, 1, 0, q.w};
    }
    return tl_system2_pose(s, place);
}

/* What its turning adds to the normal speed of a contactor's points at most; a disk about its centre may turn as it likes. */
static double turn_speed(const tl_shape2 *shape, double spin)
{
    const bool centred = shape->kind == TL_DISK && shape->centre.x == 0 && shape->centre.y == 0;
    return centred || shape->kind == TL_HALF_PLANE ? 0 : fabs(spin) * shape->reach;
}

static tl_motion2 motion_of(const tl_shape2 *shape, tl_twist2 v) { return (tl_motion2){tl_v2(v.x, v.y), v.w, turn_speed(shape, v.w)}; }

static tl_motion2 link_motion(const tl_system2 *s, int i, const double *v)
{
    tl_vec3 velocity, spin;
    tl_link_motion(&s->base, i, v, &velocity, &spin);
    return motion_of(&s->contactor[i].shape, (tl_twist2){velocity.x, velocity.y, spin.z});
}

/* As if there were no contacts. */
static tl_motion2 free_motion(const tl_system2 *s, int i)
{
    const tl_place place = s->base.owner[i].place;
    if (place.matter == 0) return motion_of(&s->contactor[i].shape, s->grains->v_free[place.item]);
    return link_motion(s, i, s->base.matter[place.matter]->v_free);
}

typedef struct detect_task {
    tl_system2 *s;
    tl_box2 *box;             /* [contactors] at q_m                                         */
    tl_box2 *swept;           /* [contactors] where it may touch within the step             */
    tl_vec2 *ahead;           /* [contactors] way of the next steps                          */
    const tl_motion2 *solved; /* [contactors] overtake: as the solve left them; else NULL    */
    const bool *faster;       /* [contactors] overtake: not as was reckoned with             */
    double *late;             /* [pairs] overtake: by how much the reach was too short   [m] */
    tl_touch2 *touch;         /* [slots]                                                     */
    uint8_t *found;           /* [pairs] touches kept of each pair                           */
    int *offset;              /* [pairs + 1] into contacts                                   */
    int *state;               /* [pairs] row of the state of its law, −1: it has none; NULL: none has */
    const tl_memo *guess;     /* impulses to begin with                                      */
} detect_task;

/* A velocity at x, less that of a sheared cell there. */
static tl_vec2 beyond_flow(const tl_system2 *s, tl_vec2 v, tl_vec2 x)
{
    const tl_cell *c = &s->base.cell;
    if (c->sheared) (&v.x)[c->along] -= tl_cell_flow(c, (&x.x)[c->across]);
    return v;
}

/* The mean velocity of the free grains: pairs are listed in axes that go along with it, where what falls together stands still. */
static tl_vec2 common_velocity(const tl_system2 *s)
{
    tl_vec2 sum = {0, 0};
    int count = 0;
    for (int i = 0; i < s->grains->n; i++) {
        if (s->grains->kind[i] != TALUS_BODY_FREE) continue;
        const tl_twist2 *v = &s->grains->v_free[i], *q = &s->grains->q_m[i];
        sum = tl_add2(sum, beyond_flow(s, tl_v2(v->x, v->y), tl_v2(q->x, q->y)));
        count++;
    }
    return tl_scale2(count > 0 ? 1.0 / count : 0, sum);
}

static void pose_range(void *context, int begin, int end, int worker)
{
    const detect_task *task = context;
    tl_system2 *s = task->s;
    (void)worker;
    for (int i = begin; i < end; i++) {
        s->pose[i] = contactor_pose(s, i);
        s->motion[i] = free_motion(s, i);
        s->extra[i] = 0;
    }
}

static tl_box2 sweep_box(const tl_box2 *box, double margin, tl_vec2 way)
{
    return (tl_box2){tl_v2(box->low.x - margin + fmin(way.x, 0), box->low.y - margin + fmin(way.y, 0)),
                     tl_v2(box->high.x + margin + fmax(way.x, 0), box->high.y + margin + fmax(way.y, 0))};
}

/* What a contactor adds to the reach of its pairs, besides the way that the two bodies go. */
static double margin(const tl_system2 *s, const tl_motion2 *motion, int i)
{
    return 0.5 * (s->base.alert + s->base.reach) + s->extra[i] + s->base.step.h * motion[i].rim;
}

/* The way that a body goes in a step, in the axes of the list: beyond what is common to all. */
static tl_vec2 own_way(const tl_system2 *s, const tl_box2 *box, tl_vec2 v)
{
    const tl_vec2 middle = tl_scale2(0.5, tl_add2(box->low, box->high));
    return tl_scale2(s->base.step.h, tl_sub2(beyond_flow(s, v, middle), s->common));
}

/* In the axes of the list, which are slanted in a sheared cell. */
static tl_vec2 slanted(const tl_system2 *s, tl_vec2 way)
{
    const tl_cell *c = &s->base.cell;
    if (c->sheared) (&way.x)[c->along] -= tl_cell_slope(c) * (&way.x)[c->across];
    return way;
}

static tl_box2 swept_box(const tl_system2 *s, const tl_box2 *box, const tl_motion2 *motion, int i)
{
    tl_box2 swept = sweep_box(box, margin(s, motion, i), own_way(s, box, motion[i].v));
    tl_cell_slant(&s->base.cell, s->base.step.h, &swept.low.x, &swept.high.x);
    return swept;
}

static void box_range(void *context, int begin, int end, int worker)
{
    const detect_task *task = context;
    const tl_system2 *s = task->s;
    (void)worker;
    for (int i = begin; i < end; i++) {
        task->box[i] = tl_shape2_box(&s->contactor[i].shape, &s->pose[i]);
        task->swept[i] = swept_box(s, &task->box[i], s->motion, i);
        task->ahead[i] = tl_scale2(LOOK_AHEAD, slanted(s, own_way(s, &task->box[i], s->motion[i].v)));
        if (!task->solved) continue;
        const tl_box2 now = swept_box(s, &task->box[i], task->solved, i);
        task->swept[i] = tl_box2_join(&task->swept[i], &now);
    }
}

static const tl_interaction *law_of(const tl_system2 *s, const tl_pair2 *pair)
{
    return &s->base.law[s->base.owner[pair->a].material * s->base.materials + s->base.owner[pair->b].material];
}

/* Of a pair: how far the copy of b is from b; b's pose as a sees it. */
static tl_vec2 shift_of(const tl_system2 *s, const tl_pair2 *pair)
{
    return tl_v2(tl_image_shift(&s->base.cell, pair->image, 0), tl_image_shift(&s->base.cell, pair->image, 1));
}

static tl_pose2 candidate_pose(const tl_system2 *s, const tl_pair2 *pair)
{
    tl_pose2 q = s->pose[pair->b];
    if (!tl_is_image(pair->image, 2)) return q;
    const tl_vec2 shift = shift_of(s, pair);
    q.x += shift.x, q.y += shift.y;
    return q;
}

static bool part(const tl_system2 *s, const tl_pair2 *pair)
{
    return s->base.joints.aparts > 0 && tl_joints_part(&s->base.joints, s->base.owner[pair->a].body, s->base.owner[pair->b].body);
}

/* How much faster the copy of b goes than a. */
static tl_vec2 approach(const tl_system2 *s, const tl_motion2 *motion, const tl_pair2 *pair)
{
    const tl_cell *c = &s->base.cell;
    const tl_vec2 v = tl_sub2(motion[pair->b].v, motion[pair->a].v);
    return c->sheared ? tl_add2(v, tl_v2(tl_image_velocity(c, pair->image, 0), tl_image_velocity(c, pair->image, 1))) : v;
}

/* Do the boxes of a pair meet in its own relative motion? The list holds every pair that does: way a − way b is reckoned in no axes. */
static bool meets(const detect_task *task, const tl_motion2 *motion, const tl_pair2 *pair)
{
    const tl_system2 *s = task->s;
    const double rim = margin(s, motion, pair->a) + margin(s, motion, pair->b);
    const tl_box2 a = sweep_box(&task->box[pair->a], rim, tl_scale2(-s->base.step.h, approach(s, motion, pair)));
    if (!tl_is_image(pair->image, 2)) return tl_boxes2_overlap(&a, &task->box[pair->b]);
    const tl_vec2 shift = shift_of(s, pair);
    const tl_box2 b = {tl_add2(task->box[pair->b].low, shift), tl_add2(task->box[pair->b].high, shift)};
    return tl_boxes2_overlap(&a, &b);
}

/* Gap below which a pair is looked at. */
static double reach_of(const tl_system2 *s, const tl_motion2 *motion, const tl_pair2 *pair)
{
    return margin(s, motion, pair->a) + margin(s, motion, pair->b) + s->base.step.h * tl_norm2(approach(s, motion, pair));
}

/* The gap at the end of the step, if both go on as they do. */
static double gap_ahead(const tl_system2 *s, const tl_motion2 *motion, const tl_pair2 *pair, const tl_touch2 *t)
{
    const tl_motion2 *a = &motion[pair->a], *b = &motion[pair->b];
    const tl_pose2 p = s->pose[pair->a], q = candidate_pose(s, pair);
    const tl_vec2 ra = tl_sub2(t->point, tl_v2(p.x, p.y)), rb = tl_sub2(t->point, tl_v2(q.x, q.y));
    const tl_vec2 u = s->base.cell.sheared ? tl_add2(approach(s, motion, pair), a->v) : b->v; /* of the copy */
    const tl_vec2 V = tl_v2(u.x - b->w * rb.y - a->v.x + a->w * ra.y, u.y + b->w * rb.x - a->v.y - a->w * ra.x);
    return t->gap + s->base.step.h * tl_dot2(t->normal, V);
}

/* Rounding of coordinates: exactly touching bodies touch. */
static bool is_closed(const tl_system2 *s, const tl_pair2 *pair, double gap)
{
    if (gap <= 0) return true;
    const tl_pose2 *p = &s->pose[pair->a], *q = &s->pose[pair->b];
    return gap <= TL_ROUNDING * (fabs(p->x) + fabs(p->y) + fabs(q->x) + fabs(q->y) + tl_finite_reach(s->contactor[pair->a].shape.reach) +
                                 tl_finite_reach(s->contactor[pair->b].shape.reach));
}

static double spare_of(const tl_system2 *s, const tl_pair2 *pair) { return tl_spare(s->contactor[pair->a].thin, s->contactor[pair->b].thin); }

/* Does the impact happen in this step: is it closed, or would it be too late in the next? */
static bool is_struck(const tl_system2 *s, const tl_interaction *law, const tl_pair2 *pair, const tl_touch2 *t)
{
    return is_closed(s, pair, t->gap) || gap_ahead(s, s->motion, pair, t) <= -(law->activation == TALUS_ACTIVATION_GAP ? spare_of(s, pair) : 0);
}

/* Is this touch in the problem? */
static bool is_kept(const tl_system2 *s, const tl_interaction *law, const tl_pair2 *pair, const tl_touch2 *t)
{
    return tl_is_anticipated(law) || (s->extra[pair->a] > 0 && s->extra[pair->b] > 0) || is_struck(s, law, pair, t);
}

static int find_pair(const tl_system2 *s, const tl_pair2 *pair, double reach, tl_touch2 *out)
{
    const tl_pose2 b = candidate_pose(s, pair);
    return tl_touch2_find(&s->contactor[pair->a].shape, &s->pose[pair->a], &s->contactor[pair->b].shape, &b, reach, out);
}

static void touch_range(void *context, int begin, int end, int worker)
{
    const detect_task *task = context;
    const tl_system2 *s = task->s;
    (void)worker;
    for (int i = begin; i < end; i++) {
        const tl_pair2 *pair = &s->broad.pairs[i];
        const tl_interaction *law = law_of(s, pair);
        tl_touch2 *touch = &task->touch[pair->first];
        task->found[i] = 0;
        if (!law->enabled || part(s, pair)) continue;
        const int count = find_pair(s, pair, reach_of(s, s->motion, pair), touch);
        if (count == 0 || !meets(task, s->motion, pair)) continue;
        for (int k = 0; k < count; k++)
            if (is_kept(s, law, pair, &touch[k])) touch[task->found[i]++] = touch[k];
    }
}

/* Where both ends are met. Only what turns an end along t depends on how far along n this is: a disk rolls on its radius, not on its radius less half the
 * overlap, so a smooth rim is met at its own surface. */
static void meet(const tl_system2 *s, const tl_pair2 *pair, const tl_touch2 *t, tl_contact *c)
{
    const int contactor[2] = {pair->a, pair->b};
    const tl_pose2 pose[2] = {s->pose[pair->a], candidate_pose(s, pair)};
    for (int side = 0; side < 2; side++) {
        const tl_pose2 *q = &pose[side];
        const double out = !(s->contactor[contactor[side]].shape.radius > 0) ? 0 : side ? 0.5 * t->gap : -0.5 * t->gap;
        c->at[side] = tl_v3(t->point.x + out * t->normal.x, t->point.y + out * t->normal.y, 0);
        c->arm[side] = tl_sub(c->at[side], tl_v3(q->x, q->y, 0));
    }
    const tl_vec2 shift = shift_of(s, pair);
    if (tl_is_image(pair->image, 2)) c->at[1] = tl_sub(c->at[1], tl_v3(shift.x, shift.y, 0));
}

/* Of the contacts of one pair, by the impulses of the last step. */
static void weigh(tl_contact *c, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++) sum += fmax(c[i].I[0], 0);
    for (int i = 0; i < count; i++) c[i].weight = sum > 0 ? fmax(c[i].I[0], 0) / sum : 1.0 / count;
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
        const tl_place a = s->base.owner[pair->a].place, b = s->base.owner[pair->b].place;
        const tl_interaction *law = law_of(s, pair);
        for (int k = 0; k < task->found[i]; k++) {
            const tl_touch2 *t = &task->touch[pair->first + k];
            const uint64_t key = make_key(s, pair, t->feature);
            const bool struck = law->bounces && is_struck(s, law, pair, t);
            tl_contact *c = &s->base.contact_next[task->offset[i] + k];
            *c = (tl_contact){.key = key,
                              .a = {a.matter, a.item},
                              .b = {b.matter, b.item},
                              .contactor_a = pair->a,
                              .contactor_b = pair->b,
                              .image = {pair->image[0], pair->image[1]},
                              .point = tl_v3(t->point.x, t->point.y, 0),
                              .n = tl_v3(t->normal.x, t->normal.y, 0),
                              .gap = t->gap,
                              .law = law,
                              .struck = struck,
                              .points = (uint8_t)task->found[i]};
            if (task->state && task->state[i] >= 0) c->state = tl_state_at(&s->base, task->state[i], law);
            meet(s, pair, t, c);
            if (memory < 0) memory = tl_memo_lower_bound(guess, key);
            while (memory < guess->count && guess->key[memory] < key) memory++;
            if (memory < guess->count && guess->key[memory] == key) memcpy(c->I, guess->value + 2 * memory, 2 * sizeof *c->I);
        }
        if (task->state && task->state[i] >= 0) weigh(&s->base.contact_next[task->offset[i]], task->found[i]);
    }
}

/* The list of near pairs, in axes that go with the common velocity. */
static talus_status list_pairs(detect_task *task)
{
    tl_system2 *s = task->s;
    tl_system *base = &s->base;
    tl_parallel_for(base->step.threads, base->contactors, 2048, box_range, task);
    return tl_broad2_update(&s->broad, s->contactor, base->contactors, task->swept, task->ahead, base->skin, base->step.arena, base->step.threads,
                            base->step.error);
}

/* Near pairs and their touches, within the reach of each; `offset` counts them. */
static talus_status find_touches(detect_task *task)
{
    tl_system2 *s = task->s;
    tl_arena *arena = s->base.step.arena;
    TL_TRY(list_pairs(task));
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

/* Any point of its line stands for where a rope pulls: here one midway, for both ends. */
static void add_ropes(tl_system2 *s, const tl_memo *guess, int first)
{
    for (int i = 0; i < s->base.ropes; i++) {
        const tl_rope *rope = &s->base.rope[i];
        const tl_place a = rope->end[0].place, b = rope->end[1].place;
        const tl_vec3 at[2] = {tl_rope_end_at(&s->base, &rope->end[0]), tl_rope_end_at(&s->base, &rope->end[1])};
        tl_contact *c = &s->base.contact_next[first + i];
        tl_vec3 n;
        *c = (tl_contact){.key = tl_rope_key(&s->base, i),
                          .a = {a.matter, a.item},
                          .b = {b.matter, b.item},
                          .contactor_a = -1,
                          .contactor_b = -1,
                          .law = &TL_FRICTIONLESS,
                          .point = {0.5 * (at[0].x + at[1].x), 0.5 * (at[0].y + at[1].y), 0},
                          .gap = tl_rope_gap(at[0], at[1], rope->length, rope->pushes, &n)};
        c->n = n;
        for (int side = 0; side < 2; side++) {
            const tl_pose2 q = tl_system2_pose(s, rope->end[side].place);
            c->at[side] = c->point;
            c->arm[side] = tl_sub(c->point, tl_v3(q.x, q.y, 0));
        }
        const int memory = tl_memo_lower_bound(guess, c->key);
        if (memory < guess->count && guess->key[memory] == c->key) memcpy(c->I, guess->value + 2 * memory, 2 * sizeof *c->I);
    }
}

/* Of the pairs that touch and whose laws have a state. */
static talus_status find_states(detect_task *task)
{
    tl_system2 *s = task->s;
    const int pairs = s->broad.pair_count;
    s->base.pairs_next.count = 0;
    if (!s->base.remembers) return TALUS_OK;
    uint64_t *key = tl_arena_alloc(s->base.step.arena, (size_t)pairs + 1, sizeof *key);
    task->state = tl_arena_alloc(s->base.step.arena, (size_t)pairs + 1, sizeof *task->state);
    if (!key || !task->state) return tl_fail(s->base.step.error, TALUS_MEMORY, "no memory for %d near pairs", pairs);
    for (int i = 0; i < pairs; i++) {
        const bool remembers = task->found[i] > 0 && law_of(s, &s->broad.pairs[i])->remembers;
        key[i] = remembers ? make_key(s, &s->broad.pairs[i], 0) >> KEY_FEATURE_BITS : TL_NO_PAIR;
    }
    return tl_pairs_find(&s->base, key, pairs, task->state);
}

const tl_interaction *tl_contacts2_pair_law(const tl_system *base, uint64_t key)
{
    const tl_system2 *s = (const tl_system2 *)base;
    tl_pair2 pair = {.a = 0};
    if (!tl_pair_ends(base, key, KEY_CONTACTOR_BITS, 2, (int32_t *[2]){&pair.a, &pair.b})) return NULL;
    const tl_place place[2] = {base->owner[pair.a].place, base->owner[pair.b].place};
    for (int k = 0; k < 2; k++)
        if (place[k].matter == 0 && s->grains->kind[place[k].item] == TALUS_BODY_ABSENT) return NULL;
    return law_of(s, &pair);
}

static talus_status collect(detect_task *task)
{
    tl_system2 *s = task->s;
    const int pairs = task->offset[s->broad.pair_count], total = pairs + s->base.ropes;
    const talus_status grown = tl_grow(s->base.memory, &s->base.contact_next, &s->base.next_capacity, total, sizeof *s->base.contact_next);
    if (grown != TALUS_OK) return tl_fail(s->base.step.error, grown, "no memory for %d contacts", total);
    s->base.next_count = total;
    TL_TRY(find_states(task));
    tl_parallel_for(s->base.step.threads, s->broad.pair_count, 2048, contact_range, task);
    add_ropes(s, task->guess, pairs);
    return tl_moments_find(&s->base, task->guess == &s->base.memo ? &s->base.moments : &s->base.moments_next);
}

static talus_status start_detection(tl_system2 *s, const tl_memo *guess, detect_task *task)
{
    const size_t n = (size_t)s->base.contactors;
    *task = (detect_task){.s = s, .guess = guess};
    task->box = tl_arena_alloc(s->base.step.arena, n, sizeof *task->box);
    task->swept = tl_arena_alloc(s->base.step.arena, n, sizeof *task->swept);
    task->ahead = tl_arena_alloc(s->base.step.arena, n, sizeof *task->ahead);
    if (task->box && task->swept && task->ahead) return TALUS_OK;
    return tl_fail(s->base.step.error, TALUS_MEMORY, "no memory for %d contactors", s->base.contactors);
}

talus_status tl_contacts2_detect(tl_system *base)
{
    tl_system2 *s = (tl_system2 *)base;
    detect_task task;
    s->base.next_count = 0;
    TL_TRY(start_detection(s, &s->base.memo, &task));
    TL_TRY(tl_links_bind(base));
    tl_parallel_for(base->step.threads, base->contactors, 2048, pose_range, &task);
    s->common = common_velocity(s);
    tl_broad2_move(&s->broad, tl_scale2(base->step.h, slanted(s, s->common)));
    TL_TRY(find_touches(&task));
    return collect(&task);
}

/* How contactors move after the solve; which of them otherwise than was reckoned with, by more than what pairs have to spare. */
static bool solved_motion(const tl_system2 *s, tl_motion2 *motion, bool *faster)
{
    bool any = false;
    for (int i = 0; i < s->base.contactors; i++) {
        const tl_place place = s->base.owner[i].place;
        motion[i] = s->motion[i];
        if (place.matter != 0) motion[i] = link_motion(s, i, s->base.v[place.matter]);
        else if (s->grains->kind[place.item] == TALUS_BODY_FREE) motion[i] = motion_of(&s->contactor[i].shape, tl_problem2_velocity(&s->problem, place.item));
        const double more = tl_norm2(tl_sub2(motion[i].v, s->motion[i].v)) + fabs(motion[i].rim - s->motion[i].rim);
        faster[i] = s->base.step.h * more > 0.5 * fmin(s->base.alert + s->base.slop, s->contactor[i].thin);
        any = any || faster[i];
    }
    return any;
}

/* By how much the reach of a pair must grow, for the solve makes it meet and it is not in the problem; 0: it need not. */
static double lateness(const detect_task *task, const tl_pair2 *pair, double *depth)
{
    const tl_system2 *s = task->s;
    const tl_interaction *law = law_of(s, pair);
    const tl_motion2 *was = s->motion, *is = task->solved;
    tl_touch2 touch[TL_TOUCHES2];
    *depth = 0;
    if (!law->enabled || part(s, pair) || !meets(task, is, pair)) return 0;
    const int count = find_pair(s, pair, reach_of(s, is, pair), touch);
    const double least = tl_is_anticipated(law) ? s->base.slop : spare_of(s, pair), reach = meets(task, was, pair) ? reach_of(s, was, pair) : -(double)INFINITY;
    bool late = false;
    for (int k = 0; k < count; k++) {
        const double ahead = gap_ahead(s, is, pair, &touch[k]);
        if (!(ahead < -least) || (touch[k].gap < reach && is_kept(s, law, pair, &touch[k]))) continue;
        late = true;
        *depth = fmax(*depth, -ahead);
    }
    if (!late) return 0;
    const tl_vec2 more = tl_sub2(tl_sub2(is[pair->b].v, is[pair->a].v), tl_sub2(was[pair->b].v, was[pair->a].v));
    return fmax(5e-324, s->base.step.h * (tl_norm2(more) + fabs(is[pair->a].rim - was[pair->a].rim) + fabs(is[pair->b].rim - was[pair->b].rim)));
}
static void late_range(void *context, int begin, int end, int worker)
{
    const detect_task *task = context;
    (void)worker;
    for (int i = begin; i < end; i++) {
        const tl_pair2 *pair = &task->s->broad.pairs[i];
        double depth;
        if (task->faster[pair->a] || task->faster[pair->b]) task->late[i] = lateness(task, pair, &depth);
    }
}

/* Says the deepest of what would be too deep. */
static void say_crossed(const detect_task *task)
{
    const tl_system2 *s = task->s;
    tl_outcome *out = &task->s->base.outcome;
    for (int i = 0; i < s->broad.pair_count; i++) {
        const tl_pair2 *pair = &s->broad.pairs[i];
        double depth = 0;
        if (task->late[i] > 0) (void)lateness(task, pair, &depth);
        if (!(depth > spare_of(s, pair)) || depth <= out->crossed) continue;
        out->crossed = depth;
        out->crossed_a = pair->a, out->crossed_b = pair->b;
    }
}

talus_status tl_contacts2_overtake(tl_system *base, bool last, bool *more)
{
    tl_system2 *s = (tl_system2 *)base;
    detect_task task;
    const size_t n = (size_t)base->contactors;
    tl_motion2 *solved = tl_arena_alloc(base->step.arena, n, sizeof *solved);
    bool *faster = tl_arena_zero(base->step.arena, n, sizeof *faster), any = false;
    *more = false;
    if (!solved || !faster) return tl_fail(base->step.error, TALUS_MEMORY, "no memory for %d contactors", base->contactors);
    if (!solved_motion(s, solved, faster)) return TALUS_OK;
    TL_TRY(start_detection(s, &base->memo_next, &task));
    task.solved = solved, task.faster = faster;
    TL_TRY(list_pairs(&task));
    task.late = tl_arena_zero(base->step.arena, (size_t)s->broad.pair_count, sizeof *task.late);
    if (!task.late) return tl_fail(base->step.error, TALUS_MEMORY, "no memory for %d near pairs", s->broad.pair_count);
    tl_parallel_for(base->step.threads, s->broad.pair_count, 1024, late_range, &task);
    for (int i = 0; !last && i < s->broad.pair_count; i++) {
        if (!(task.late[i] > 0)) continue;
        const tl_pair2 *pair = &s->broad.pairs[i];
        s->extra[pair->a] = fmax(s->extra[pair->a], 0.5 * task.late[i]);
        s->extra[pair->b] = fmax(s->extra[pair->b], 0.5 * task.late[i]);
        any = true;
    }
    if (last) say_crossed(&task);
    if (!any) return TALUS_OK;
    TL_TRY(find_touches(&task));
    if (task.offset[s->broad.pair_count] + base->ropes == s->base.next_count) return TALUS_OK;
    *more = true;
    TL_TRY(tl_contacts2_remember(base));
    return collect(&task);
}

talus_status tl_contacts2_remember(tl_system *base)
{
    tl_system2 *s = (tl_system2 *)base;
    tl_memo *memo = &base->memo_next;
    TL_TRY(tl_memo_reserve(memo, base->memory, s->base.next_count, base->step.error));
    for (int i = 0; i < s->base.next_count; i++) {
        memo->key[i] = s->base.contact_next[i].key;
        memcpy(memo->value + 2 * i, s->base.contact_next[i].I, 2 * sizeof *memo->value);
    }
    memo->count = s->base.next_count;
    return tl_moments_remember(base);
}
