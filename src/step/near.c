/* From q_m to touches: how contactors move, which pairs are near, where they touch (theory §6). */
#include <string.h>

#include "step/reach.h"
#include "step/schemes.h"

static const double LOOK_AHEAD = 6; /* steps that a pair list should outlive: where a contactor goes if it goes on as it does                */
static const double ALL_ROUND = 2;  /* steps: ways turn, and those of the solve are others, by some share of themselves, as in shoes of tracks */
enum { BLOCK = 64, WAVE = 8 };      /* pairs that are looked at one behind the other; such blocks of a thread before their touches are put together */

typedef struct near_task {
    tl_system *s;
    const tl_motion *solved; /* [contactors] as the solve left them; NULL: there was none      */
    bool *left;              /* [contactors] no longer where the list has them                 */
    tl_box3 *swept;          /* [contactors] where each may touch within the step              */
    tl_vec3 *ahead;          /* [contactors] the way of the next steps                         */
    double *skin;            /* [contactors] slack all round                                   */
    const bool *faster;      /* [contactors] only pairs of these are looked at; NULL: all      */
    int *room;               /* [blocks + 1] touches there may be, then where they begin       */
    int wave;                /* the first block of those that are looked at now                */
    tl_touch *touch;         /* [room of a wave] theirs, as they are found                     */
} near_task;

/* ---- the list of near pairs ----------------------------------------------------------------------------------------- */

/* A vector whose addresses nobody takes stays in registers. */
static tl_vec3 less_along(tl_vec3 v, int along, double by)
{
    return tl_v3(v.x - (along == 0 ? by : 0), v.y - (along == 1 ? by : 0), v.z - (along == 2 ? by : 0));
}

static double part(tl_vec3 v, int along) { return along == 0 ? v.x : along == 1 ? v.y : v.z; }

/* A velocity at x, less that of a sheared cell there (theory §6.5). */
static tl_vec3 beyond_flow(const tl_cell *c, tl_vec3 v, tl_vec3 x) { return c->sheared ? less_along(v, c->along, tl_cell_flow(c, part(x, c->across))) : v; }

/* The mean velocity of the contactors of free grains: pairs are listed in axes that go along with it, where what falls together stands still. */
static tl_vec3 common_velocity(const tl_system *s)
{
    tl_vec3 sum = {0, 0, 0};
    int count = 0, grains;
    const talus_body_kind *kind = s->geometry->kinds(s, &grains);
    for (int i = 0; i < s->contactors; i++) {
        const tl_place place = s->owner[i].place;
        const tl_motion *m = &s->found.motion[i];
        if (place.matter != 0 || kind[place.item] != TALUS_BODY_FREE) continue;
        sum = tl_add(sum, beyond_flow(&s->cell, m->v, m->p));
        count++;
    }
    return tl_scale(count > 0 ? 1.0 / count : 0, sum);
}

/* Of all contactors. */
static double largest_speed(const tl_system *s, const tl_motion *motion)
{
    double square = 0;
    for (int i = 0; i < s->contactors; i++) square = tl_larger(square, tl_dot(motion[i].v, motion[i].v));
    return sqrt(square);
}

/* The way that a body goes in a step, in the axes of the list: beyond what is common to all. */
static tl_vec3 own_way(const tl_system *s, const tl_box3 *box, tl_vec3 v)
{
    const tl_vec3 middle = tl_scale(0.5, tl_add(box->low, box->high));
    return tl_scale(s->step.h, tl_sub(beyond_flow(&s->cell, v, middle), s->found.common));
}

/* In the axes of the list, which are slanted in a sheared cell. */
static tl_vec3 slanted(const tl_cell *c, tl_vec3 way) { return c->sheared ? less_along(way, c->along, tl_cell_slope(c) * part(way, c->across)) : way; }

/* Pairs of a wall reach by how fast the two go, h ‖v_b − v_a‖, also to the side and behind (tl_meets): at most by the sum of both speeds. */
static tl_box3 swept_box(const tl_system *s, const tl_motion *motion, int i)
{
    const tl_box3 *box = &s->found.box[i];
    const double round = motion[i].wall ? s->step.h * (s->found.fastest + tl_norm(motion[i].v)) : 0;
    const tl_box3 swept = tl_sweep_box(box, motion[i].margin + round, own_way(s, box, motion[i].v));
    if (!s->cell.sheared) return swept;
    tl_box3 slant = swept;
    tl_cell_slant(&s->cell, s->step.h, &slant.low.x, &slant.high.x);
    return slant;
}

static bool is_listed(const tl_system *s, const tl_motion *motion, int i)
{
    const tl_box3 swept = swept_box(s, motion, i);
    return tl_broad_holds(&s->broad, i, &swept);
}

/* After the solve, where contactors may be as if there were no contacts has been asked before, unless their reach has grown since. */
static void leave_range(void *context, int begin, int end, int worker)
{
    const near_task *task = context;
    const tl_system *s = task->s;
    const tl_found *f = &s->found;
    (void)worker;
    for (int i = begin; i < end; i++) {
        const bool again = !task->solved || f->extra[i] > 0;
        task->left[i] = (again && !is_listed(s, f->motion, i)) || (task->solved && !is_listed(s, task->solved, i));
    }
}

static talus_status holds(near_task *task, bool *out)
{
    tl_system *s = task->s;
    *out = tl_broad_is_valid(&s->broad, s->contactors);
    if (!*out) return TALUS_OK;
    task->left = tl_arena_alloc(s->step.arena, (size_t)s->contactors, sizeof *task->left);
    if (!task->left) return tl_fail(s->step.error, TALUS_MEMORY, "no memory for %d contactors", s->contactors);
    tl_parallel_for(s->step.threads, s->contactors, 1024, leave_range, task);
    for (int i = 0; *out && i < s->contactors; i++) *out = !task->left[i];
    return TALUS_OK;
}

static void sweep_range(void *context, int begin, int end, int worker)
{
    const near_task *task = context;
    const tl_system *s = task->s;
    const tl_found *f = &s->found;
    (void)worker;
    for (int i = begin; i < end; i++) {
        const tl_vec3 free = f->motion[i].v, v = task->solved ? task->solved[i].v : free, way = own_way(s, &f->box[i], v);
        task->ahead[i] = tl_scale(LOOK_AHEAD, slanted(&s->cell, way));
        task->skin[i] = tl_larger(s->skin, ALL_ROUND * (tl_norm(way) + s->step.h * tl_norm(tl_sub(v, free))));
        task->swept[i] = swept_box(s, f->motion, i);
        if (!task->solved) continue;
        const tl_box3 now = swept_box(s, task->solved, i);
        task->swept[i] = tl_box3_join(&task->swept[i], &now);
    }
}

/* Of the list: a material, and whether it is that of a node of a solid. */
static int kind_of(const tl_owner *o) { return 2 * o->material + o->node; }

/* Which kinds ever touch: those that tl_is_free says of no two, whatever their bodies are. */
static void say_kinds(const tl_system *s, tl_broad_source *source, int *kind, bool *touches)
{
    const int kinds = 2 * s->materials;
    bool all = true;
    for (int i = 0; i < s->contactors; i++) kind[i] = kind_of(&s->owner[i]);
    for (int a = 0; a < kinds; a++)
        for (int b = 0; b < kinds; b++) {
            touches[a * kinds + b] = s->law[a / 2 * s->materials + b / 2].enabled && !(a % 2 && b % 2);
            all = all && touches[a * kinds + b];
        }
    source->kind = kind, source->kinds = kinds;
    source->touches = all ? NULL : touches;
}

static talus_status relist(near_task *task)
{
    tl_system *s = task->s;
    const int n = s->contactors, kinds = 2 * s->materials;
    int *group = tl_arena_alloc(s->step.arena, (size_t)n, sizeof *group), *kind = tl_arena_alloc(s->step.arena, (size_t)n, sizeof *kind);
    bool *touches = tl_arena_alloc(s->step.arena, (size_t)kinds * (size_t)kinds + 1, sizeof *touches);
    task->swept = tl_arena_alloc(s->step.arena, (size_t)n, sizeof *task->swept);
    task->ahead = tl_arena_alloc(s->step.arena, (size_t)n, sizeof *task->ahead);
    task->skin = tl_arena_alloc(s->step.arena, (size_t)n, sizeof *task->skin);
    if (!group || !kind || !touches || !task->swept || !task->ahead || !task->skin)
        return tl_fail(s->step.error, TALUS_MEMORY, "no memory for %d contactors", n);
    for (int i = 0; i < n; i++) group[i] = s->owner[i].group;
    tl_parallel_for(s->step.threads, n, 1024, sweep_range, task);
    tl_broad_source source = {.n = n, .box = task->swept, .group = group, .ahead = task->ahead, .skin = task->skin};
    say_kinds(s, &source, kind, touches);
    TL_TRY(tl_broad_rebuild(&s->broad, &source, s->step.arena, s->step.threads, s->step.error));
    const talus_status status = s->geometry->relisted(s);
    if (status != TALUS_OK) s->broad.valid = false;
    return status;
}

talus_status tl_near_list_pairs(tl_system *s, const tl_motion *solved)
{
    near_task task = {.s = s, .solved = solved};
    bool good;
    if (solved) s->found.fastest = tl_larger(s->found.fastest, largest_speed(s, solved));
    const tl_arena_place mark = tl_arena_mark(s->step.arena);
    TL_TRY(holds(&task, &good));
    if (!good) TL_TRY(relist(&task));
    tl_arena_release(s->step.arena, mark);
    s->found.near = (tl_near_list){s->broad.pairs, s->broad.pair_count, s->broad.rebuilds, s->room};
    return TALUS_OK;
}

static void place_range(void *context, int begin, int end, int worker)
{
    tl_system *s = context;
    (void)worker;
    s->geometry->place(s, begin, end);
    for (int i = begin; i < end; i++) {
        const tl_place place = s->owner[i].place;
        tl_motion *m = &s->found.motion[i];
        m->gives = place.matter != 0 && s->matter[place.matter]->ops->motion;
        m->smooth = m->smooth || m->gives;
        if (place.matter != 0) tl_link_motion(s, i, s->matter[place.matter]->v_free, m);
        else m->rim = tl_rim(m);
        m->margin = tl_margin_of(s, m, i);
    }
}

talus_status tl_near_begin(tl_system *s)
{
    const size_t n = (size_t)s->contactors;
    tl_arena *arena = s->step.arena;
    tl_found *f = &s->found;
    *f = (tl_found){.all = s->step.still > 0,
                    .once = s->scheme->once,
                    .motion = tl_arena_alloc(arena, n, sizeof *f->motion),
                    .extra = tl_arena_zero(arena, n, sizeof *f->extra),
                    .box = tl_arena_alloc(arena, n, sizeof *f->box)};
    if (!f->motion || !f->extra || !f->box || !s->geometry->begin(s)) return tl_fail(s->step.error, TALUS_MEMORY, "no memory for %d contactors", s->contactors);
    TL_TRY(tl_links_bind(s));
    tl_parallel_for(s->step.threads, s->contactors, 512, place_range, s);
    f->common = common_velocity(s);
    f->fastest = largest_speed(s, f->motion);
    tl_broad_move(&s->broad, tl_scale(s->step.h, slanted(&s->cell, f->common)));
    return TALUS_OK;
}

/* ---- touches -------------------------------------------------------------------------------------------------------- */

static bool is_concerned(const near_task *task, const tl_near *pair) { return !task->faster || task->faster[pair->a] || task->faster[pair->b]; }

/* Room for the touches of pairs whose boxes meet. These are marked by a number of touches that is not 0. */
static void room_range(void *context, int begin, int end, int worker)
{
    const near_task *task = context;
    const tl_system *s = task->s;
    const tl_found *f = &s->found;
    (void)worker;
    for (int block = begin; block < end; block++) {
        int looked[BLOCK], count = 0;
        for (int i = BLOCK * block; i < BLOCK * (block + 1) && i < f->near.pairs; i++) {
            const tl_near *pair = &f->near.pair[i];
            if (!is_concerned(task, pair)) continue;
            f->touches[i] = !tl_is_free(s, pair) && tl_meets(s, f->motion, pair);
            f->others[i] = 0;
            if (f->touches[i]) looked[count++] = i;
        }
        task->room[block + 1] = s->geometry->room(s, looked, count);
    }
}

/* Touches that there may be before a block. */
static int room_before(const near_task *task, int block)
{
    const tl_near_list *near = &task->s->found.near;
    if (!near->room) return task->room[block];
    return near->room[BLOCK * block < near->pairs ? BLOCK * block : near->pairs];
}

static void touch_block(const near_task *task, int block)
{
    const tl_found *f = &task->s->found;
    const int begin = BLOCK * block, end = begin + BLOCK < f->near.pairs ? begin + BLOCK : f->near.pairs;
    const bool all = f->near.room && !task->faster;
    int looked[BLOCK], count = 0;
    for (int i = begin; all && i < end; i++) looked[count++] = i;
    for (int i = begin; !all && i < end; i++)
        if ((f->near.room || f->touches[i]) && is_concerned(task, &f->near.pair[i])) looked[count++] = i;
    task->s->geometry->look(task->s, looked, count, task->touch + (room_before(task, block) - room_before(task, task->wave)));
}

static void touch_range(void *context, int begin, int end, int worker)
{
    const near_task *task = context;
    (void)worker;
    for (int block = begin; block < end; block++) touch_block(task, task->wave + block);
}

/* Memory for what is found of a new list of near pairs. */
static talus_status begin_list(near_task *task)
{
    tl_system *s = task->s;
    tl_found *f = &s->found;
    f->rebuilds = f->near.rebuilds;
    f->touch = tl_arena_alloc(s->step.arena, (size_t)f->near.pairs, sizeof *f->touch);
    f->touches = tl_arena_zero(s->step.arena, (size_t)f->near.pairs, sizeof *f->touches);
    f->others = tl_arena_zero(s->step.arena, (size_t)f->near.pairs, sizeof *f->others);
    task->faster = NULL;
    if (f->touch && f->touches && f->others) return TALUS_OK;
    return tl_fail(s->step.error, TALUS_MEMORY, "no memory for %d near pairs", f->near.pairs);
}

/* Returns how much; −1: no memory, or too much. */
static int64_t find_room(near_task *task, int blocks)
{
    tl_system *s = task->s;
    int64_t room = 0;
    if (s->found.near.room) return s->found.near.room[s->found.near.pairs];
    task->room = tl_arena_zero(s->step.arena, (size_t)blocks + 1, sizeof *task->room);
    if (!task->room) return -1;
    tl_parallel_for(s->step.threads, blocks, 2, room_range, task);
    for (int block = 0; block < blocks; block++) {
        room += task->room[block + 1];
        if (room > INT32_MAX / 2) return -1;
        task->room[block + 1] = (int)room;
    }
    return room;
}

/* Room for what one wave of blocks may find. */
static talus_status make_room(near_task *task, int blocks, int wave)
{
    tl_system *s = task->s;
    int most = 0;
    bool enough = find_room(task, blocks) >= 0;
    for (int first = 0; enough && first < blocks; first += wave) {
        const int room = room_before(task, first + wave < blocks ? first + wave : blocks) - room_before(task, first);
        most = room > most ? room : most;
    }
    if (enough) task->touch = tl_arena_alloc(s->step.arena, (size_t)most, sizeof *task->touch);
    if (!task->touch) return tl_fail(s->step.error, TALUS_MEMORY, "no memory for the touches of %d near pairs; check sizes and units", s->found.near.pairs);
    return TALUS_OK;
}

/* What a wave has found, as many as there are, to where it stays. */
static talus_status keep_touches(const near_task *task, int blocks)
{
    tl_system *s = task->s;
    tl_found *f = &s->found;
    const int begin = BLOCK * task->wave, end = BLOCK * (task->wave + blocks) < f->near.pairs ? BLOCK * (task->wave + blocks) : f->near.pairs;
    size_t count = 0;
    for (int i = begin; i < end; i++)
        if (is_concerned(task, &f->near.pair[i])) count += (size_t)f->touches[i] + f->others[i];
    tl_touch *kept = tl_arena_alloc(s->step.arena, count, sizeof *kept);
    if (!kept) return tl_fail(s->step.error, TALUS_MEMORY, "no memory for the touches of %d near pairs", f->near.pairs);
    for (int i = begin; i < end; i++) {
        const size_t all = (size_t)f->touches[i] + f->others[i];
        if (all == 0 || !is_concerned(task, &f->near.pair[i])) continue;
        memcpy(kept, f->touch[i], all * sizeof *kept);
        f->touch[i] = kept;
        kept += all;
    }
    return TALUS_OK;
}

/* Most pairs have fewer touches than they may have, most of the time none. So blocks are looked at in waves, whose room is used by the next again. */
static talus_status find_touches(near_task *task, int blocks)
{
    tl_system *s = task->s;
    const int wave = WAVE * (s->step.threads ? tl_threads_count(s->step.threads) : 1);
    TL_TRY(make_room(task, blocks, wave));
    if (s->geometry->expect_looks) TL_TRY(s->geometry->expect_looks(s));
    for (task->wave = 0; task->wave < blocks; task->wave += wave) {
        const int count = blocks - task->wave < wave ? blocks - task->wave : wave;
        tl_parallel_uneven(s->step.threads, count, 2, touch_range, task);
        TL_TRY(keep_touches(task, count));
    }
    return TALUS_OK;
}

talus_status tl_near_find_touches(tl_system *s, const bool *faster)
{
    tl_found *f = &s->found;
    near_task task = {.s = s, .faster = faster};
    const int pairs = f->near.pairs, blocks = (pairs + BLOCK - 1) / BLOCK;
    if (!faster || f->rebuilds != f->near.rebuilds) TL_TRY(begin_list(&task));
    TL_TRY(find_touches(&task, blocks));
    TL_TRY(tl_seams_pass(s));
    f->offset = tl_arena_zero(s->step.arena, (size_t)pairs + 1, sizeof *f->offset);
    if (!f->offset) return tl_fail(s->step.error, TALUS_MEMORY, "no memory for %d near pairs", pairs);
    for (int i = 0; i < pairs; i++) f->offset[i + 1] = f->offset[i] + f->touches[i];
    return TALUS_OK;
}
