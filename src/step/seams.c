/* What slides from one shape to the next: a block on a floor of flush boxes sees the side of the next box, of which no more than the slop, or rounding, stands
 * up against it. The two are convex shapes of which nothing says that they lie side by side, and the side's normal is along the way: without this it would stop
 * the block.
 *
 * Touches of a pair are left out that overlaps by no more than two slops along a way across, which is the normal of a face of one of the two,
 *   - where the pair is apart along the touch's normal, at right angles to that way: it goes past;
 *   - where it is that near, and one of the two is no free grain: if something else carries one of them along that way, for then it goes on over, and not
 *     into, the other. What carries is a third shape, with a touch along the way.
 * Solids, and laws that pull over a gap, are left as they are. */
#include "step/reach.h"

static const double PASSING = 2;                             /* slops */
static const double PAST = 0.1, CORNER = 0.95, ALONG = 0.99; /* cosines: of what is at right angles, is no face's normal, is alike */

enum { KEPT, PASSED, CARRIED }; /* CARRIED: passed if something carries it */

typedef struct seams_task {
    tl_system *s;
    const talus_body_kind *kind; /* [grains] */
    uint8_t *state;              /* [pairs] */
} seams_task;

static const tl_touch *deepest_of(const tl_found *f, int pair)
{
    const tl_touch *best = f->touch[pair];
    for (int k = 1; k < f->touches[pair] + f->others[pair]; k++)
        if (f->touch[pair][k].gap < best->gap) best = &f->touch[pair][k];
    return best;
}

static bool is_grain(const seams_task *task, int contactor)
{
    const tl_place place = task->s->owner[contactor].place;
    return place.matter == 0 && task->kind[place.item] == TALUS_BODY_FREE;
}

static void pass_range(void *context, int begin, int end, int worker)
{
    const seams_task *task = context;
    const tl_system *s = task->s;
    const tl_found *f = &s->found;
    (void)worker;
    for (int i = begin; i < end; i++) {
        const tl_near *pair = &f->near.pair[i];
        if (f->touches[i] + f->others[i] == 0 || (f->motion[pair->a].smooth && f->motion[pair->b].smooth)) continue;
        if (tl_gives(s, pair) || tl_law_of(s, pair)->reach > 0) continue;
        tl_passing passing = {.touch = *deepest_of(f, i), .within = PASSING * s->slop, .across = PAST};
        const bool near = fabs(passing.touch.gap) <= passing.within && !(is_grain(task, pair->a) && is_grain(task, pair->b));
        if (passing.touch.gap > 0) s->geometry->passes(s, pair, &passing);
        if (passing.touch.gap > 0 && passing.ways > 0) task->state[i] = PASSED;
        passing.across = CORNER;
        if (task->state[i] == KEPT && near) s->geometry->passes(s, pair, &passing);
        if (task->state[i] == KEPT && near && passing.ways > 0) task->state[i] = CARRIED;
    }
}

/* Does one of these pairs, of the end, hold it along the way? */
static bool is_carried(const seams_task *task, int end, int apart_from, tl_vec3 way)
{
    const tl_system *s = task->s;
    const tl_found *f = &s->found;
    for (int i = 0; i < f->near.pairs; i++) {
        const tl_near *pair = &f->near.pair[i];
        const bool of_b = pair->b == end;
        if (f->touches[i] == 0 || task->state[i] == PASSED || (!of_b && pair->a != end) || (of_b ? pair->a : pair->b) == apart_from) continue;
        const tl_touch *t = deepest_of(f, i);
        if (t->gap <= PASSING * s->slop && (of_b ? 1 : -1) * tl_dot(t->normal, way) >= ALONG) return true;
    }
    return false;
}

/* Along one of the ways that it may pass. */
static bool is_carried_past(const seams_task *task, int pair)
{
    const tl_system *s = task->s;
    const tl_near *near = &s->found.near.pair[pair];
    tl_passing passing = {.touch = *deepest_of(&s->found, pair), .within = PASSING * s->slop, .across = CORNER};
    s->geometry->passes(s, near, &passing);
    for (int k = 0; k < passing.ways; k++)
        if (is_carried(task, near->b, near->a, passing.over[k]) || is_carried(task, near->a, near->b, tl_scale(-1, passing.over[k]))) return true;
    return false;
}

talus_status tl_seams_pass(tl_system *s)
{
    tl_found *f = &s->found;
    int grains;
    seams_task task = {.s = s, .kind = s->geometry->kinds(s, &grains), .state = tl_arena_zero(s->step.arena, (size_t)f->near.pairs + 1, 1)};
    if (!task.state) return tl_fail(s->step.error, TALUS_MEMORY, "no memory for %d near pairs", f->near.pairs);
    tl_parallel_for(s->step.threads, f->near.pairs, 512, pass_range, &task);
    for (int i = 0; i < f->near.pairs; i++) {
        if (task.state[i] == CARRIED && is_carried_past(&task, i)) task.state[i] = PASSED;
        if (task.state[i] == PASSED) f->touches[i] = f->others[i] = 0;
    }
    return TALUS_OK;
}
