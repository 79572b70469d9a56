/* What slides from one shape to the next: a block on a floor of flush boxes sees the side of the next box, of which no more than the slop, or rounding, stands
 * up against it. The two are convex shapes of which nothing says that they lie side by side, and the side's normal is along the way: without this it would stop
 * the block.
 *
 * Touches of a pair are left out that overlaps by no more than two slops along a way across their normal, which is the normal of a face of one of the two, and
 * does not go on along that way in this step by more,
 *   - where the pair is further apart than two slops, at right angles to the way: it goes past;
 *   - where it is nearer, and one of the two is no free grain: if a third shape carries one of them along the way, as deep in it as they overlap, which is what
 *     flush means. Then it goes on over the other, and not into it. A ledge carries what nothing else does, and so is none.
 * Nearer free grains are left as they are, for which side of rounding they are on is chance; so are laws that pull over a gap, and solids, whose surfaces have
 * a rule of their own: tl_is_past_rim. */
#include "step/reach.h"

static const double LEVEL = 0.1; /* slops: of what is flush */
/* Cosines, of the touch's normal and the way: at right angles; by no less than 18° off, for that of two corners that meet is chance. ALONG: two ways are one.
 */
static const double PAST = 0.1, CORNER = 0.95, ALONG = 0.99;

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

/* The ways that a pair may pass, and does not leave in this step. */
static tl_passing passing_of(const tl_system *s, int i, double across)
{
    const tl_near *pair = &s->found.near.pair[i];
    const tl_vec3 way = tl_scale(s->step.h, tl_approach(s, s->found.motion, pair));
    tl_passing p = {.touch = *deepest_of(&s->found, i), .within = tl_passing_of(s), .across = across};
    int kept = 0;
    s->geometry->passes(s, pair, &p);
    for (int k = 0; k < p.ways; k++) {
        if (-tl_dot(way, p.over[k]) > p.within) continue;
        p.over[kept] = p.over[k], p.apart[kept] = p.apart[k];
        kept++;
    }
    p.ways = kept;
    return p;
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
        const double gap = deepest_of(f, i)->gap;
        const bool apart = gap > tl_passing_of(s), near = !apart && gap >= -tl_passing_of(s) && !(is_grain(task, pair->a) && is_grain(task, pair->b));
        if ((apart || near) && passing_of(s, i, apart ? PAST : CORNER).ways > 0) task->state[i] = apart ? PASSED : CARRIED;
    }
}

/* Does one of these pairs, of the end, hold it along the way, as deep as this? */
static bool is_carried(const seams_task *task, int end, int apart_from, tl_vec3 way, double apart)
{
    const tl_system *s = task->s;
    const tl_found *f = &s->found;
    for (int i = 0; i < f->near.pairs; i++) {
        const tl_near *pair = &f->near.pair[i];
        const bool of_b = pair->b == end;
        if (f->touches[i] == 0 || task->state[i] == PASSED || (!of_b && pair->a != end) || (of_b ? pair->a : pair->b) == apart_from) continue;
        const tl_touch *t = deepest_of(f, i);
        if (fabs(t->gap - apart) <= LEVEL * s->slop && (of_b ? 1 : -1) * tl_dot(t->normal, way) >= ALONG) return true;
    }
    return false;
}

static bool is_carried_past(const seams_task *task, int i)
{
    const tl_near *pair = &task->s->found.near.pair[i];
    const tl_passing p = passing_of(task->s, i, CORNER);
    for (int k = 0; k < p.ways; k++)
        if (is_carried(task, pair->b, pair->a, p.over[k], p.apart[k]) || is_carried(task, pair->a, pair->b, tl_scale(-1, p.over[k]), p.apart[k])) return true;
    return false;
}

/* ---- rims of solids and meshes ----------------------------------------------------------------------------------------------------------- */

/* Cosines: less than FACING, and a facet does not look at what touches there; a rim bulges no more than this beyond the planes of the facets at it. */
static const double FACING = 0.2, BULGE = 0.05;
static const double FLUSH = 0.3; /* slops: a facet that is pressed is no plane any more, and what lies on it is wider */

static bool faces(const tl_facet *f, tl_vec3 towards) { return tl_dot(f->normal, towards) >= FACING; }

/* Does none of its corners lie in front of the plane of the other? */
static bool is_behind(const tl_facet *f, const tl_facet *other, double within)
{
    for (int k = 0; k < f->corners; k++) {
        const tl_vec3 d = tl_sub(f->corner[k], other->at);
        if (tl_dot(other->normal, d) > BULGE * tl_norm(d) + within) return false;
    }
    return true;
}

bool tl_is_past_rim(const tl_system *s, const tl_near *pair, const tl_rim_touch *at, tl_is_beyond_fn *is_beyond, const void *other)
{
    if (at->facets == TL_FACETS) return false; /* there may be more */
    const double h = s->step.h;
    bool beside = at->node;
    for (int i = 0; i < at->facets; i++) beside = beside && !faces(&at->facet[i], at->towards);
    if (!beside && tl_law_of(s, pair)->reach > 0) return false;
    const double within = beside ? tl_passing_of(s) : FLUSH * s->slop, falls = within + 2 * h * h * tl_norm(tl_load3(s->step.gravity));
    for (int i = 0; i < at->facets; i++) {
        const tl_facet *over = &at->facet[i];
        bool passes = beside || (!faces(over, at->towards) && -h * tl_dot(over->normal, at->comes) <= falls);
        for (int j = 0; passes && j < at->facets; j++) passes = !faces(&at->facet[j], at->towards) || is_behind(&at->facet[j], over, within);
        if (passes && is_beyond(other, over->normal, tl_dot(over->normal, over->at) - within)) return true;
    }
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
