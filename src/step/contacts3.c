/* From poses at q_m to contacts, sorted by key, with the impulses of the last step as a first guess (theory §6). The sibling of contacts2.c.
 *
 * A key is contactor a, contactor b with its image, feature. Pairs come sorted from the broad phase and touches sorted by feature from the narrow
 * phase, so contacts are born sorted; every thread writes its own slots. */
#include <string.h>

#include "law/rope.h"
#include "step/flow3.h"
#include "step/system3.h"

static const double LOOK_AHEAD = 6; /* steps that a pair list should outlive */

static uint64_t make_key(const tl_system3 *s, const tl_near3 *pair, uint32_t feature)
{
    const uint64_t b = tl_key_candidate(&s->base.cell, pair->b, pair->image, 3);
    return (uint64_t)pair->a << (TL_KEY3_CONTACTOR_BITS + TL_KEY3_FEATURE_BITS) | b << TL_KEY3_FEATURE_BITS | (uint64_t)feature;
}

tl_frame tl_system3_frame(const tl_system3 *s, tl_place place)
{
    if (place.matter == 0) return tl_grains3_frame(s->grains, place.item);
    return s->base.matter[place.matter]->ops->frame(s->base.matter[place.matter], place.item);
}

/* A ball about its body's centre of mass may turn as it likes. */
static bool is_centred_ball(const tl_shape3 *shape)
{
    return shape->kind == TL_SPHERE3 && shape->point[0].x == 0 && shape->point[0].y == 0 && shape->point[0].z == 0;
}

static tl_motion3 motion_of(const tl_shape3 *shape, tl_vec3 v, tl_vec3 spin)
{
    return (tl_motion3){v, spin, is_centred_ball(shape) || shape->kind == TL_HALF_SPACE3 ? 0 : tl_norm(spin) * shape->reach};
}

static tl_motion3 grain_motion(const tl_system3 *s, int i, const tl_twist3 *v)
{
    return motion_of(&s->contactor[i].shape, v->v, tl_mat3_apply(&s->pose[i].R, v->w));
}

static tl_motion3 link_motion(const tl_system3 *s, int i, const double *v)
{
    tl_vec3 velocity, spin;
    tl_link_motion(&s->base, i, v, &velocity, &spin);
    return motion_of(&s->contactor[i].shape, velocity, spin);
}

/* As if there were no contacts. */
static tl_motion3 free_motion(const tl_system3 *s, int i)
{
    const tl_place place = s->base.owner[i].place;
    if (place.matter == 0) return grain_motion(s, i, &s->grains->v_free[place.item]);
    return link_motion(s, i, s->base.matter[place.matter]->v_free);
}

enum { BLOCK = 128 }; /* pairs whose touches lie one behind the other */

typedef struct detect_task {
    tl_system3 *s;
    tl_box3 *box;             /* [contactors] at q_m                                         */
    tl_box3 *swept;           /* [contactors] where it may touch within the step             */
    tl_vec3 *ahead;           /* [contactors] way of the next steps                          */
    const tl_motion3 *solved; /* [contactors] overtake: as the solve left them; else NULL    */
    const bool *faster;       /* [contactors] overtake: not as was reckoned with; else NULL: only pairs of these are looked at */
    double *late;             /* [pairs] overtake: by how much the reach was too short   [m] */
    int *room;                /* [blocks + 1] touches there may be, then where they begin    */
    tl_touch3 *touch;         /* [room]                                                      */
    int *offset;              /* [pairs + 1] into contacts                                   */
    int *state;               /* [pairs] row of the state of its law, −1: it has none; NULL: none has */
    const tl_memo *guess;     /* impulses to begin with                                      */
} detect_task;

static void pose_range(void *context, int begin, int end, int worker)
{
    const detect_task *task = context;
    tl_system3 *s = task->s;
    (void)worker;
    for (int i = begin; i < end; i++) {
        s->pose[i] = tl_system3_frame(s, s->base.owner[i].place);
        s->motion[i] = free_motion(s, i);
        s->extra[i] = 0;
    }
}

static tl_box3 sweep_box(const tl_box3 *box, double margin, tl_vec3 way)
{
    const tl_vec3 rim = tl_v3(margin, margin, margin);
    return (tl_box3){tl_add(tl_sub(box->low, rim), tl_v3(fmin(way.x, 0), fmin(way.y, 0), fmin(way.z, 0))),
                     tl_add(tl_add(box->high, rim), tl_v3(fmax(way.x, 0), fmax(way.y, 0), fmax(way.z, 0)))};
}

/* What a contactor adds to the reach of its pairs, besides the way that the two bodies go. */
static double margin(const tl_system3 *s, const tl_motion3 *motion, int i)
{
    return 0.5 * (s->base.alert + s->base.reach) + s->extra[i] + s->base.step.h * motion[i].rim;
}

static tl_box3 swept_box(const tl_system3 *s, const tl_box3 *box, const tl_motion3 *motion, int i)
{
    tl_box3 swept = sweep_box(box, margin(s, motion, i), tl_own_way3(s, box, motion[i].v));
    tl_cell_slant(&s->base.cell, s->base.step.h, &swept.low.x, &swept.high.x);
    return swept;
}

static void box_range(void *context, int begin, int end, int worker)
{
    const detect_task *task = context;
    const tl_system3 *s = task->s;
    (void)worker;
    for (int i = begin; i < end; i++) {
        if (i + 2 < end) tl_touch3_expect(&s->contactor[i + 2].shape, NULL);
        task->box[i] = tl_shape3_box(&s->contactor[i].shape, &s->pose[i]);
        task->swept[i] = swept_box(s, &task->box[i], s->motion, i);
        task->ahead[i] = tl_scale(LOOK_AHEAD, tl_slanted3(s, tl_own_way3(s, &task->box[i], s->motion[i].v)));
        if (!task->solved) continue;
        const tl_box3 now = swept_box(s, &task->box[i], task->solved, i);
        task->swept[i] = tl_box3_join(&task->swept[i], &now);
    }
}

static const tl_interaction *law_of(const tl_system3 *s, const tl_near3 *pair)
{
    return &s->base.law[s->base.owner[pair->a].material * s->base.materials + s->base.owner[pair->b].material];
}

static bool part(const tl_system3 *s, const tl_near3 *pair)
{
    return s->base.joints.aparts > 0 && tl_joints_part(&s->base.joints, s->base.owner[pair->a].body, s->base.owner[pair->b].body);
}

static bool is_concerned(const detect_task *task, const tl_near3 *pair) { return !task->faster || task->faster[pair->a] || task->faster[pair->b]; }

/* Of a pair: how far the copy of b is from b. */
static tl_vec3 shift_of(const tl_system3 *s, const tl_near3 *pair)
{
    const tl_cell *c = &s->base.cell;
    return tl_v3(tl_image_shift(c, pair->image, 0), tl_image_shift(c, pair->image, 1), tl_image_shift(c, pair->image, 2));
}

/* b's pose as a sees it: made in `copy`, unless it is its own. */
static const tl_frame *candidate_frame(const tl_system3 *s, const tl_near3 *pair, tl_frame *copy)
{
    if (!tl_is_image(pair->image, 3)) return &s->pose[pair->b];
    *copy = s->pose[pair->b];
    copy->p = tl_add(copy->p, shift_of(s, pair));
    return copy;
}

/* Do the boxes of a pair meet in its own relative motion? The list holds every pair that does: way a − way b is reckoned in no axes. */
static bool meets(const detect_task *task, const tl_motion3 *motion, const tl_near3 *pair)
{
    const tl_system3 *s = task->s;
    const double rim = margin(s, motion, pair->a) + margin(s, motion, pair->b);
    const tl_box3 a = sweep_box(&task->box[pair->a], rim, tl_scale(-s->base.step.h, tl_approach3(s, motion, pair)));
    if (!tl_is_image(pair->image, 3)) return tl_boxes3_overlap(&a, &task->box[pair->b]);
    const tl_vec3 shift = shift_of(s, pair);
    const tl_box3 b = {tl_add(task->box[pair->b].low, shift), tl_add(task->box[pair->b].high, shift)};
    return tl_boxes3_overlap(&a, &b);
}

/* Gap below which a pair is looked at. */
static double reach_of(const tl_system3 *s, const tl_motion3 *motion, const tl_near3 *pair)
{
    return margin(s, motion, pair->a) + margin(s, motion, pair->b) + s->base.step.h * tl_norm(tl_approach3(s, motion, pair));
}

static tl_vec3 velocity_at(const tl_motion3 *m, const tl_frame *f, tl_vec3 x) { return tl_add(m->v, tl_cross(m->w, tl_sub(x, f->p))); }

/* The gap at the end of the step, if both go on as they do. */
static double gap_ahead(const tl_system3 *s, const tl_motion3 *motion, const tl_near3 *pair, const tl_touch3 *t)
{
    tl_frame copy;
    const tl_vec3 Va = velocity_at(&motion[pair->a], &s->pose[pair->a], t->point);
    const tl_vec3 Vb = velocity_at(&motion[pair->b], candidate_frame(s, pair, &copy), t->point);
    const tl_cell *c = &s->base.cell;
    const double slide = c->sheared ? tl_image_velocity(c, pair->image, c->along) * (&t->normal.x)[c->along] : 0;
    return t->gap + s->base.step.h * (tl_dot(t->normal, tl_sub(Vb, Va)) + slide);
}

static double coordinates(const tl_system3 *s, int i)
{
    const tl_vec3 p = s->pose[i].p;
    return fabs(p.x) + fabs(p.y) + fabs(p.z) + tl_finite_reach(s->contactor[i].shape.reach);
}

/* Rounding of coordinates: exactly touching bodies touch. */
static bool is_closed(const tl_system3 *s, const tl_near3 *pair, double gap)
{
    return gap <= 0 || gap <= TL_ROUNDING * (coordinates(s, pair->a) + coordinates(s, pair->b));
}

static double spare_of(const tl_system3 *s, const tl_near3 *pair) { return tl_spare(s->contactor[pair->a].shape.thin, s->contactor[pair->b].shape.thin); }

/* Does the impact happen in this step: is it closed, or would it be too late in the next? */
static bool is_struck(const tl_system3 *s, const tl_interaction *law, const tl_near3 *pair, const tl_touch3 *t)
{
    return is_closed(s, pair, t->gap) || gap_ahead(s, s->motion, pair, t) <= -(law->activation == TALUS_ACTIVATION_GAP ? spare_of(s, pair) : 0);
}

/* Is this touch in the problem? */
static bool is_kept(const tl_system3 *s, const tl_interaction *law, const tl_near3 *pair, const tl_touch3 *t)
{
    return tl_is_anticipated(law) || (s->extra[pair->a] > 0 && s->extra[pair->b] > 0) || is_struck(s, law, pair, t);
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
            s->found.touches[i] = law_of(s, pair)->enabled && !part(s, pair) && meets(task, s->motion, pair);
            if (s->found.touches[i]) room += tl_touch3_limit(&s->contactor[pair->a].shape, &s->contactor[pair->b].shape);
        }
        task->room[block + 1] = room;
    }
}

static tl_known3 *known_of(const tl_system3 *s, const tl_near3 *pair) { return pair->known >= 0 ? &s->broad.known[pair->known] : NULL; }

/* Returns how many. */
static int touch_pair(const tl_system3 *s, tl_near3 *pair, tl_touch3 *out)
{
    const tl_interaction *law = law_of(s, pair);
    tl_frame copy;
    const int count = tl_touch3_find(&s->contactor[pair->a].shape, &s->pose[pair->a], &s->contactor[pair->b].shape, candidate_frame(s, pair, &copy),
                                     reach_of(s, s->motion, pair), &pair->hint, known_of(s, pair), out);
    if (tl_is_anticipated(law)) return count;
    int kept = 0;
    for (int k = 0; k < count; k++)
        if (is_kept(s, law, pair, &out[k])) out[kept++] = out[k];
    return kept;
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
    tl_system3 *s = task->s;
    const tl_memo *guess = task->guess;
    (void)worker;
    int memory = -1;
    for (int i = begin; i < end; i++) {
        const tl_near3 *pair = &s->broad.pairs[i];
        const tl_place a = s->base.owner[pair->a].place, b = s->base.owner[pair->b].place;
        const tl_interaction *law = law_of(s, pair);
        tl_frame copy;
        const tl_vec3 origin_b = candidate_frame(s, pair, &copy)->p;
        for (int k = 0; k < s->found.touches[i]; k++) {
            const tl_touch3 *t = &s->found.touch[i][k];
            const uint64_t key = make_key(s, pair, t->feature);
            const bool struck = law->bounces && is_struck(s, law, pair, t);
            tl_contact *c = &s->base.contact_next[task->offset[i] + k];
            *c = (tl_contact){.key = key,
                              .a = {a.matter, a.item},
                              .b = {b.matter, b.item},
                              .contactor_a = pair->a,
                              .contactor_b = pair->b,
                              .image = {pair->image[0], pair->image[1], pair->image[2]},
                              .point = t->point,
                              .n = t->normal,
                              .gap = t->gap,
                              .law = law,
                              .struck = struck,
                              .points = (uint8_t)s->found.touches[i],
                              .arm = {tl_sub(t->point, s->pose[pair->a].p), tl_sub(t->point, origin_b)},
                              .at = {t->point, t->point}};
            if (task->state && task->state[i] >= 0) c->state = tl_state_at(&s->base, task->state[i], law);
            if (tl_is_image(pair->image, 3)) c->at[1] = tl_sub(t->point, shift_of(s, pair));
            if (memory < 0) memory = tl_memo_lower_bound(guess, key);
            while (memory < guess->count && guess->key[memory] < key) memory++;
            if (memory < guess->count && guess->key[memory] == key) memcpy(c->I, guess->value + 3 * memory, sizeof c->I);
        }
        if (task->state && task->state[i] >= 0) weigh(&s->base.contact_next[task->offset[i]], s->found.touches[i]);
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

/* The list of near pairs, in axes that go with the common velocity. */
static talus_status list_pairs(detect_task *task)
{
    tl_system3 *s = task->s;
    tl_system *base = &s->base;
    tl_parallel_for(base->step.threads, base->contactors, 1024, box_range, task);
    return tl_broad3_update(&s->broad, s->contactor, base->contactors, task->swept, task->ahead, base->skin, base->step.arena, base->step.threads,
                            base->step.error);
}

/* Near pairs and their touches, within the reach of each; `offset` counts them. Where only some are faster than when this step's touches were found, and the
 * list is still the same, these are looked at again, for all others nothing has changed. */
static talus_status find_touches(detect_task *task)
{
    tl_system3 *s = task->s;
    tl_system *base = &s->base;
    tl_arena *arena = base->step.arena;
    TL_TRY(list_pairs(task));
    const int pairs = s->broad.pair_count, blocks = (pairs + BLOCK - 1) / BLOCK;
    if (!task->faster || s->found.rebuild != s->broad.rebuilds) TL_TRY(begin_list(task));
    TL_TRY(make_room(task, blocks));
    tl_parallel_for(base->step.threads, blocks, 2, touch_range, task);
    task->offset = tl_arena_zero(arena, (size_t)pairs + 1, sizeof *task->offset);
    if (!task->offset) return tl_fail(base->step.error, TALUS_MEMORY, "no memory for %d near pairs", pairs);
    for (int i = 0; i < pairs; i++) task->offset[i + 1] = task->offset[i] + s->found.touches[i];
    return TALUS_OK;
}

/* Any point of its line stands for where a rope pulls: here one midway, for both ends. */
static void add_ropes(tl_system3 *s, const tl_memo *guess, int first)
{
    for (int i = 0; i < s->base.ropes; i++) {
        const tl_rope *rope = &s->base.rope[i];
        const tl_place a = rope->end[0].place, b = rope->end[1].place;
        const tl_vec3 at[2] = {tl_rope_end_at(&s->base, &rope->end[0]), tl_rope_end_at(&s->base, &rope->end[1])};
        tl_contact *c = &s->base.contact_next[first + i];
        const tl_vec3 middle = tl_scale(0.5, tl_add(at[0], at[1]));
        tl_vec3 n;
        *c = (tl_contact){.key = tl_rope_key(&s->base, i),
                          .a = {a.matter, a.item},
                          .b = {b.matter, b.item},
                          .contactor_a = -1,
                          .contactor_b = -1,
                          .law = &TL_FRICTIONLESS,
                          .gap = tl_rope_gap(at[0], at[1], rope->length, rope->pushes, &n),
                          .point = middle,
                          .arm = {tl_sub(middle, tl_system3_frame(s, a).p), tl_sub(middle, tl_system3_frame(s, b).p)},
                          .at = {middle, middle}};
        c->n = n;
        const int memory = tl_memo_lower_bound(guess, c->key);
        if (memory < guess->count && guess->key[memory] == c->key) memcpy(c->I, guess->value + 3 * memory, sizeof c->I);
    }
}

/* Of the pairs that touch and whose laws have a state. */
static talus_status find_states(detect_task *task)
{
    tl_system3 *s = task->s;
    const int pairs = s->broad.pair_count;
    s->base.pairs_next.count = 0;
    if (!s->base.remembers) return TALUS_OK;
    uint64_t *key = tl_arena_alloc(s->base.step.arena, (size_t)pairs + 1, sizeof *key);
    task->state = tl_arena_alloc(s->base.step.arena, (size_t)pairs + 1, sizeof *task->state);
    if (!key || !task->state) return tl_fail(s->base.step.error, TALUS_MEMORY, "no memory for %d near pairs", pairs);
    for (int i = 0; i < pairs; i++) {
        const bool remembers = s->found.touches[i] > 0 && law_of(s, &s->broad.pairs[i])->remembers;
        key[i] = remembers ? make_key(s, &s->broad.pairs[i], 0) >> TL_KEY3_FEATURE_BITS : TL_NO_PAIR;
    }
    return tl_pairs_find(&s->base, key, pairs, task->state);
}

const tl_interaction *tl_contacts3_pair_law(const tl_system *base, uint64_t key)
{
    const tl_system3 *s = (const tl_system3 *)base;
    tl_near3 pair = {.a = 0};
    if (!tl_pair_ends(base, key, TL_KEY3_CONTACTOR_BITS, 3, (int32_t *[2]){&pair.a, &pair.b})) return NULL;
    const tl_place place[2] = {base->owner[pair.a].place, base->owner[pair.b].place};
    for (int k = 0; k < 2; k++)
        if (place[k].matter == 0 && s->grains->kind[place[k].item] == TALUS_BODY_ABSENT) return NULL;
    return law_of(s, &pair);
}

static talus_status collect(detect_task *task)
{
    tl_system3 *s = task->s;
    const int pairs = task->offset[s->broad.pair_count], total = pairs + s->base.ropes;
    const talus_status grown = tl_grow(s->base.memory, &s->base.contact_next, &s->base.next_capacity, total, sizeof *s->base.contact_next);
    if (grown != TALUS_OK) return tl_fail(s->base.step.error, grown, "no memory for %d contacts", total);
    s->base.next_count = total;
    TL_TRY(find_states(task));
    tl_parallel_for(s->base.step.threads, s->broad.pair_count, 2048, contact_range, task);
    add_ropes(s, task->guess, pairs);
    return tl_moments_find(&s->base, task->guess == &s->base.memo ? &s->base.moments : &s->base.moments_next);
}

static talus_status start_detection(tl_system3 *s, const tl_memo *guess, detect_task *task)
{
    const size_t n = (size_t)s->base.contactors;
    *task = (detect_task){.s = s, .guess = guess};
    task->box = tl_arena_alloc(s->base.step.arena, n, sizeof *task->box);
    task->swept = tl_arena_alloc(s->base.step.arena, n, sizeof *task->swept);
    task->ahead = tl_arena_alloc(s->base.step.arena, n, sizeof *task->ahead);
    if (task->box && task->swept && task->ahead) return TALUS_OK;
    return tl_fail(s->base.step.error, TALUS_MEMORY, "no memory for %d contactors", s->base.contactors);
}

talus_status tl_contacts3_detect(tl_system *base)
{
    tl_system3 *s = (tl_system3 *)base;
    detect_task task;
    s->base.next_count = 0;
    TL_TRY(start_detection(s, &s->base.memo, &task));
    TL_TRY(tl_links_bind(base));
    tl_parallel_for(base->step.threads, base->contactors, 1024, pose_range, &task);
    s->common = tl_common_velocity3(s);
    tl_broad3_move(&s->broad, tl_scale(base->step.h, tl_slanted3(s, s->common)));
    TL_TRY(find_touches(&task));
    return collect(&task);
}

/* How contactors move after the solve; which of them otherwise than was reckoned with, by more than what pairs have to spare. */
static bool solved_motion(const tl_system3 *s, tl_motion3 *motion, bool *faster)
{
    bool any = false;
    for (int i = 0; i < s->base.contactors; i++) {
        const tl_place place = s->base.owner[i].place;
        motion[i] = s->motion[i];
        if (place.matter != 0) motion[i] = link_motion(s, i, s->base.v[place.matter]);
        else if (s->grains->kind[place.item] == TALUS_BODY_FREE) {
            const tl_twist3 v = tl_problem3_velocity(&s->problem, place.item);
            motion[i] = grain_motion(s, i, &v);
        }
        const double more = tl_norm(tl_sub(motion[i].v, s->motion[i].v)) + fabs(motion[i].rim - s->motion[i].rim);
        faster[i] = s->base.step.h * more > 0.5 * fmin(s->base.alert + s->base.slop, s->contactor[i].shape.thin);
        any = any || faster[i];
    }
    return any;
}

/* By how much the reach of a pair must grow, for the solve makes it meet and it is not in the problem; 0: it need not. */
static double lateness(const detect_task *task, const tl_near3 *pair, double *depth)
{
    const tl_system3 *s = task->s;
    const tl_interaction *law = law_of(s, pair);
    const tl_motion3 *was = s->motion, *is = task->solved;
    tl_touch3 touch[TL_MESH_TOUCHES3];
    *depth = 0;
    if (!law->enabled || part(s, pair) || !meets(task, is, pair)) return 0;
    tl_vec3 hint = pair->hint;
    tl_frame copy;
    const int count = tl_touch3_find(&s->contactor[pair->a].shape, &s->pose[pair->a], &s->contactor[pair->b].shape, candidate_frame(s, pair, &copy),
                                     reach_of(s, is, pair), &hint, NULL, touch);
    const double least = tl_is_anticipated(law) ? s->base.slop : spare_of(s, pair), reach = meets(task, was, pair) ? reach_of(s, was, pair) : -(double)INFINITY;
    const bool wider = reach_of(s, is, pair) > spare_of(s, pair) && !(reach > spare_of(s, pair)); /* tl_touch3_find looked for fewer corners */
    bool late = false;
    for (int k = 0; k < count; k++) {
        const double ahead = gap_ahead(s, is, pair, &touch[k]);
        if (!(ahead < -least) || (touch[k].gap < reach && !wider && is_kept(s, law, pair, &touch[k]))) continue;
        late = true;
        *depth = fmax(*depth, -ahead);
    }
    if (!late) return 0;
    const tl_vec3 more = tl_sub(tl_sub(is[pair->b].v, is[pair->a].v), tl_sub(was[pair->b].v, was[pair->a].v));
    return fmax(5e-324, s->base.step.h * (tl_norm(more) + fabs(is[pair->a].rim - was[pair->a].rim) + fabs(is[pair->b].rim - was[pair->b].rim)));
}
static void late_range(void *context, int begin, int end, int worker)
{
    const detect_task *task = context;
    (void)worker;
    for (int i = begin; i < end; i++) {
        const tl_near3 *pair = &task->s->broad.pairs[i];
        double depth;
        if (task->faster[pair->a] || task->faster[pair->b]) task->late[i] = lateness(task, pair, &depth);
    }
}

/* Says the deepest of what would be too deep. */
static void say_crossed(const detect_task *task)
{
    const tl_system3 *s = task->s;
    tl_outcome *out = &task->s->base.outcome;
    for (int i = 0; i < s->broad.pair_count; i++) {
        const tl_near3 *pair = &s->broad.pairs[i];
        double depth = 0;
        if (task->late[i] > 0) (void)lateness(task, pair, &depth);
        if (!(depth > spare_of(s, pair)) || depth <= out->crossed) continue;
        out->crossed = depth;
        out->crossed_a = pair->a, out->crossed_b = pair->b;
    }
}

talus_status tl_contacts3_overtake(tl_system *base, bool last, bool *more)
{
    tl_system3 *s = (tl_system3 *)base;
    detect_task task;
    const size_t n = (size_t)base->contactors;
    tl_motion3 *solved = tl_arena_alloc(base->step.arena, n, sizeof *solved);
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
        const tl_near3 *pair = &s->broad.pairs[i];
        s->extra[pair->a] = fmax(s->extra[pair->a], 0.5 * task.late[i]);
        s->extra[pair->b] = fmax(s->extra[pair->b], 0.5 * task.late[i]);
        any = true;
    }
    if (last) say_crossed(&task);
    if (!any) return TALUS_OK;
    for (int i = 0; i < base->contactors; i++) faster[i] = s->extra[i] > 0; /* those whose reach is not what it was */
    TL_TRY(find_touches(&task));
    if (task.offset[s->broad.pair_count] + base->ropes == s->base.next_count) return TALUS_OK;
    *more = true;
    TL_TRY(tl_contacts3_remember(base));
    return collect(&task);
}

talus_status tl_contacts3_remember(tl_system *base)
{
    tl_system3 *s = (tl_system3 *)base;
    tl_memo *memo = &base->memo_next;
    TL_TRY(tl_memo_reserve(memo, base->memory, s->base.next_count, base->step.error));
    for (int i = 0; i < s->base.next_count; i++) {
        memo->key[i] = s->base.contact_next[i].key;
        memcpy(memo->value + 3 * i, s->base.contact_next[i].I, sizeof s->base.contact_next[i].I);
    }
    memo->count = s->base.next_count;
    return tl_moments_remember(base);
}
