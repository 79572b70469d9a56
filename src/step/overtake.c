/* Pairs that the solve makes meet, and that were not in its problem: reach.h says which are. */
#include "step/reach.h"

typedef struct overtake_task {
    tl_system *s;
    tl_motion *solved; /* [contactors] as the solve left them                        */
    bool *faster;      /* [contactors] not as was reckoned with                      */
    double *late;      /* [pairs] by how much the reach was too short            [m] */
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
        const double more = tl_norm(tl_sub(is->v, was->v)) + fabs(is->rim - was->rim);
        task->faster[i] = s->step.h * more > 0.5 * fmin(s->alert + s->slop, is->thin);
    }
}

/* Is nothing of a pair too late, whatever its touches are? Those within the old reach are in the problem; others were farther away than that, and what both
 * go in a step has not grown by more than the old reach looks ahead of it. */
static bool is_in_time(const tl_system *s, const tl_near *pair, double was, double is)
{
    const tl_motion *a = &s->found.motion[pair->a], *b = &s->found.motion[pair->b];
    if ((a->wall && tl_dot(a->w, a->w) > 0) || (b->wall && tl_dot(b->w, b->w) > 0)) return false; /* a wall that turns has no rim */
    return tl_is_anticipated(tl_law_of(s, pair)) && is - was <= s->alert + s->reach;
}

/* By how much the reach of a pair must grow, for the solve makes it meet and it is not in the problem; 0: it need not. */
static double lateness(const overtake_task *task, int i, double *depth)
{
    const tl_system *s = task->s;
    const tl_near *pair = &s->found.near.pair[i];
    const tl_interaction *law = tl_law_of(s, pair);
    const tl_motion *was = s->found.motion, *is = task->solved;
    tl_touch touch[TL_MOST_TOUCHES];
    *depth = 0;
    if (tl_is_free(s, pair) || !tl_meets(s, is, pair)) return 0;
    const double spare = tl_spare_of(s, pair), least = tl_is_anticipated(law) || tl_gives(s, pair) ? s->slop : spare;
    const double reach = tl_meets(s, was, pair) ? tl_reach_of(s, was, pair) : -(double)INFINITY, now = tl_reach_of(s, is, pair);
    const bool wider = s->geometry->more_touches && now > spare && !(reach > spare);
    if (!wider && is_in_time(s, pair, reach, now)) return 0;
    const int count = s->geometry->touch(s, i, now, touch);
    bool late = false;
    for (int k = 0; k < count; k++) {
        const double ahead = tl_gap_ahead(s, is, pair, &touch[k]);
        if (!(ahead < -least) || (touch[k].gap < reach && !wider && tl_is_kept(s, law, pair, &touch[k]))) continue;
        late = true;
        *depth = fmax(*depth, -ahead);
    }
    if (!late) return 0;
    const tl_vec3 more = tl_sub(tl_sub(is[pair->b].v, is[pair->a].v), tl_sub(was[pair->b].v, was[pair->a].v));
    return fmax(5e-324, s->step.h * (tl_norm(more) + fabs(is[pair->a].rim - was[pair->a].rim) + fabs(is[pair->b].rim - was[pair->b].rim)));
}

static void late_range(void *context, int begin, int end, int worker)
{
    const overtake_task *task = context;
    (void)worker;
    for (int i = begin; i < end; i++) {
        const tl_near *pair = &task->s->found.near.pair[i];
        double depth;
        if (task->faster[pair->a] || task->faster[pair->b]) task->late[i] = lateness(task, i, &depth);
    }
}

/* Says the deepest of what would be too deep. */
static void say_crossed(const overtake_task *task)
{
    const tl_system *s = task->s;
    tl_outcome *out = &task->s->outcome;
    for (int i = 0; i < s->found.near.pairs; i++) {
        const tl_near *pair = &s->found.near.pair[i];
        double depth = 0;
        if (task->late[i] > 0) (void)lateness(task, i, &depth);
        if (!(depth > tl_spare_of(s, pair)) || depth <= out->crossed) continue;
        out->crossed = depth;
        out->crossed_a = pair->a, out->crossed_b = pair->b;
    }
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
    TL_TRY(tl_near_list_pairs(s, task.solved));
    task.late = tl_arena_zero(s->step.arena, (size_t)f->near.pairs, sizeof *task.late);
    if (!task.late) return tl_fail(s->step.error, TALUS_MEMORY, "no memory for %d near pairs", f->near.pairs);
    tl_parallel_uneven(s->step.threads, f->near.pairs, 128, late_range, &task);
    any = false;
    for (int i = 0; !last && i < f->near.pairs; i++) {
        if (!(task.late[i] > 0)) continue;
        const tl_near *pair = &f->near.pair[i];
        f->extra[pair->a] = fmax(f->extra[pair->a], 0.5 * task.late[i]);
        f->extra[pair->b] = fmax(f->extra[pair->b], 0.5 * task.late[i]);
        any = true;
    }
    if (last) say_crossed(&task);
    if (!any) return TALUS_OK;
    for (int i = 0; i < s->contactors; i++) {
        task.faster[i] = f->extra[i] > 0; /* those whose reach is not what it was */
        if (task.faster[i]) f->motion[i].margin = tl_margin_of(s, &f->motion[i], i);
    }
    TL_TRY(tl_near_list_pairs(s, task.solved)); /* what reaches farther now may be near others */
    TL_TRY(tl_near_find_touches(s, task.faster));
    if (f->offset[f->near.pairs] + s->ropes == s->next_count) return TALUS_OK;
    *more = true;
    return tl_contacts_again(s);
}
