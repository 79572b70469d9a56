/* Pairs that the solve makes meet, and that were not in its problem: reach.h says which are. */
#include "step/reach.h"

typedef struct overtake_task {
    tl_system *s;
    tl_motion *solved; /* [contactors] as the solve left them                        */
    bool *faster;      /* [contactors] not as was reckoned with                      */
    double *depth;     /* [pairs] of those too deep at the end of the step, 0: none [m] */
    bool among_found;  /* touches that were found are looked at; else others         */
    bool any;          /* out: some pair is late                                     */
} overtake_task;

/* How contactors move after the solve; which of them otherwise than was reckoned with, by more than what pairs have to spare. */
static void solved_range(void *context, int begin, int end, int worker)
{
    const overtake_task *task = context;
    const tl_system *s = task->s;
    int grains;
    const talus_body_kind *kind = s->geometry->kinds(s, &grains);
    (void)worker;
    for (int i = begin; i < end; i++) {
        const tl_place place = s->owner[i].place;
        const tl_motion *was = &s->found.motion[i];
        tl_motion *is = &task->solved[i];
        tl_vec3 p;
        *is = *was;
        if (place.matter == 0 && kind[place.item] == TALUS_BODY_FREE) s->geometry->motion(s, TL_SOLVED, place.item, &p, &is->v, &is->w);
        is->rim = tl_rim(is);
        if (place.matter != 0) tl_link_motion(s, i, s->v[place.matter], is);
        is->margin = tl_margin_of(s, is, i);
        const double turns = was->gives ? fabs(is->rim - was->rim) : was->swing * tl_norm(tl_sub(is->w, was->w)); /* what gives has no spin */
        const double more = tl_norm(tl_sub(is->v, was->v)) + turns;
        task->faster[i] = s->step.h * more > 0.5 * fmin(s->alert + s->slop, is->thin);
    }
}

/* Is nothing too late that was not found, whatever it is? It was farther away than the old reach, and what both go in a step has not grown by more than the old
 * reach looks ahead of it. */
static bool is_in_time(const tl_system *s, const tl_near *pair, double was, double is)
{
    const tl_motion *a = &s->found.motion[pair->a], *b = &s->found.motion[pair->b];
    if ((a->wall && tl_dot(a->w, a->w) > 0) || (b->wall && tl_dot(b->w, b->w) > 0)) return false; /* a wall that turns has no rim */
    return is - was <= s->alert + s->reach;
}

/* The depth that touches of a pair may not reach. */
static double least_depth(const tl_system *s, const tl_near *pair)
{
    return tl_is_anticipated(tl_law_of(s, pair)) || tl_gives(s, pair) ? s->slop : tl_spare_of(s, pair);
}

/* The same of a pair that touches: all its touches have one normal, as two convex shapes have, and others than those that were found are farther away along
 * that than the old reach. What slides past is much faster than it comes near. */
static bool is_in_time_along(const overtake_task *task, int i, double was)
{
    const tl_system *s = task->s;
    const tl_found *f = &s->found;
    const tl_near *pair = &f->near.pair[i];
    const tl_motion *a = &task->solved[pair->a], *b = &task->solved[pair->b];
    if (f->rebuilds != f->near.rebuilds || f->touches[i] + f->others[i] == 0 || a->hollow || b->hollow || a->wall || b->wall) return false;
    const double closer = a->rim + b->rim - tl_dot(f->touch[i]->normal, tl_approach(s, task->solved, pair));
    return was - s->step.h * closer > -least_depth(s, pair);
}

/* How deep a touch would be at the end of the step, where that is too deep; 0: it is not. */
static double depth_ahead(const overtake_task *task, const tl_near *pair, const tl_touch *t)
{
    const double depth = -tl_gap_ahead(task->s, task->solved, pair, t);
    return depth > least_depth(task->s, pair) ? depth : 0;
}

/* The deepest of the touches that were found, and are not in the problem. */
static double depth_of_found(const overtake_task *task, int i)
{
    const tl_found *f = &task->s->found;
    double depth = 0;
    for (int k = f->touches[i]; k < f->touches[i] + f->others[i]; k++) depth = fmax(depth, depth_ahead(task, &f->near.pair[i], &f->touch[i][k]));
    return depth;
}

/* The deepest of the touches that were not found, as they were out of reach; of all, where a pair has more touches at its new reach. */
static double depth_of_others(const overtake_task *task, int i)
{
    const tl_system *s = task->s;
    const tl_near *pair = &s->found.near.pair[i];
    const tl_motion *was = s->found.motion, *is = task->solved;
    if (tl_is_free(s, pair) || !tl_meets(s, is, pair)) return 0;
    const double spare = tl_spare_of(s, pair), reach = tl_meets(s, was, pair) ? tl_reach_of(s, was, pair) : -(double)INFINITY, now = tl_reach_of(s, is, pair);
    const bool wider = s->geometry->more_touches && now > spare && !(reach > spare);
    if (!wider && (is_in_time(s, pair, reach, now) || is_in_time_along(task, i, reach))) return 0;
    tl_touch touch[TL_MOST_TOUCHES];
    const int count = s->geometry->touch(s, i, now, touch);
    double depth = 0;
    for (int k = 0; k < count; k++)
        if (wider || !(touch[k].gap < reach)) depth = fmax(depth, depth_ahead(task, pair, &touch[k]));
    return depth;
}

static void late_range(void *context, int begin, int end, int worker)
{
    const overtake_task *task = context;
    (void)worker;
    for (int i = begin; i < end; i++) {
        const tl_near *pair = &task->s->found.near.pair[i];
        if (task->faster[pair->a] || task->faster[pair->b]) task->depth[i] = task->among_found ? depth_of_found(task, i) : depth_of_others(task, i);
    }
}

/* Says the deepest of what would be too deep. */
static void say_crossed(const overtake_task *task)
{
    const tl_system *s = task->s;
    tl_outcome *out = &task->s->outcome;
    for (int i = 0; i < s->found.near.pairs; i++) {
        const tl_near *pair = &s->found.near.pair[i];
        if (!(task->depth[i] > tl_spare_of(s, pair)) || task->depth[i] <= out->crossed) continue;
        out->crossed = task->depth[i];
        out->crossed_a = pair->a, out->crossed_b = pair->b;
    }
}

/* By what both of a pair have become faster, half of it [m]. */
static double growth(const overtake_task *task, const tl_near *pair)
{
    const tl_motion *was = task->s->found.motion, *is = task->solved;
    const int a = pair->a, b = pair->b;
    const tl_vec3 more = tl_sub(tl_sub(is[b].v, is[a].v), tl_sub(was[b].v, was[a].v));
    return 0.5 * task->s->step.h * (tl_norm(more) + fabs(is[a].rim - was[a].rim) + fabs(is[b].rim - was[b].rim));
}

/* The next problem has what is late: the reach of its pair grows, of touches that were found by next to nothing. */
static void reach_farther(overtake_task *task)
{
    tl_found *f = &task->s->found;
    bool any = false;
    for (int i = 0; i < f->near.pairs; i++) {
        if (!(task->depth[i] > 0)) continue;
        const tl_near *pair = &f->near.pair[i];
        const double by = fmax(DBL_TRUE_MIN, task->among_found ? 0 : growth(task, pair));
        f->extra[pair->a] = fmax(f->extra[pair->a], by);
        f->extra[pair->b] = fmax(f->extra[pair->b], by);
        any = true;
    }
    /* A blow goes on along a row by a few contacts a solve: what goes apart there had better be in the problem. */
    if (any && task->among_found && ++f->late_rounds > 1) f->all = true;
    task->any |= any;
}

/* Of the pairs that are listed: those that are late, among touches that were found or among others. */
static talus_status find_late(overtake_task *task, bool among_found, bool last)
{
    tl_system *s = task->s;
    task->among_found = among_found;
    task->depth = tl_arena_zero(s->step.arena, (size_t)s->found.near.pairs + 1, sizeof *task->depth);
    if (!task->depth) return tl_fail(s->step.error, TALUS_MEMORY, "no memory for %d near pairs", s->found.near.pairs);
    tl_parallel_uneven(s->step.threads, s->found.near.pairs, 128, late_range, task);
    if (last) say_crossed(task);
    else reach_farther(task);
    return TALUS_OK;
}

talus_status tl_contacts_overtake(tl_system *s, bool last, bool *more)
{
    const size_t n = (size_t)s->contactors;
    tl_found *f = &s->found;
    const tl_arena_place mark = tl_arena_mark(s->step.arena);
    overtake_task task = {
        .s = s, .solved = tl_arena_alloc(s->step.arena, n, sizeof *task.solved), .faster = tl_arena_alloc(s->step.arena, n, sizeof *task.faster)};
    bool any = false;
    *more = false;
    if (!task.solved || !task.faster) return tl_fail(s->step.error, TALUS_MEMORY, "no memory for %d contactors", s->contactors);
    tl_parallel_for(s->step.threads, s->contactors, 2048, solved_range, &task);
    for (int i = 0; !any && i < s->contactors; i++) any = task.faster[i];
    if (!any) {
        tl_arena_release(s->step.arena, mark);
        return TALUS_OK;
    }
    if (f->rebuilds != f->near.rebuilds) TL_TRY(tl_near_find_touches(s, NULL)); /* the list has been made anew since */
    TL_TRY(find_late(&task, true, last));
    TL_TRY(tl_near_list_pairs(s, task.solved));
    TL_TRY(find_late(&task, false, last));
    if (!task.any) return TALUS_OK;
    for (int i = 0; i < s->contactors; i++) {
        task.faster[i] = f->extra[i] > 0; /* those whose reach is not what it was */
        if (task.faster[i]) f->motion[i].margin = tl_margin_of(s, &f->motion[i], i);
    }
    TL_TRY(tl_near_list_pairs(s, task.solved)); /* what reaches farther now may be near others */
    TL_TRY(tl_near_find_touches(s, f->all ? NULL : task.faster));
    if (f->offset[f->near.pairs] + s->ropes == s->next_count) return TALUS_OK;
    *more = true;
    return tl_contacts_again(s);
}
