/* The problem of a step in velocities of bodies (body_rows.h). */
#include "solve/body_making.h"
#include "solve/body_rows.h"

#include <math.h>
#include <string.h>

#include "base/integers.h"
#include "base/math.h"

#include "solve/local_rows.h"

/* A guess with a larger error does not know which contacts press: about what gravity makes of a velocity in a step of 10 ms. Which is quicker is all that
 * depends on it [m/s]. */
static const double FAR = 0.1;

/* Times the tolerance, where no joints are: of thousands of contacts, a guess with such an error knows too few. */
static const double FAR_IN_GRAINS = 10;

/* Times the tolerance, where joints are: Newton's rounds bring the last digits sooner. */
static const double NEAR_IN_JOINTS = 10;

_Static_assert((int)TL_BODY_ROWS == (int)TL_ROWS, "rows of a constraint are copied");

static talus_status no_memory(const tl_body_making *m) { return tl_fail(m->step->error, TALUS_MEMORY, "no memory for the bodies of a step"); }

static talus_status group_at(tl_body_making *m, int group, int size, int *out)
{
    tl_body_problem *b = m->out;
    *out = m->number[group];
    if (*out >= 0) return TALUS_OK;
    const tl_problem *p = m->p;
    double *M = NULL;
    if (group >= p->bodies) {
        const tl_matter *matter = p->matter[group - p->bodies];
        M = tl_arena_alloc(m->step->arena, (size_t)(matter->nv * matter->nv) + 1, sizeof *M);
        if (!M) return no_memory(m);
        matter->ops->mass(matter, M);
    }
    *out = m->number[group] = b->groups;
    const tl_vec3 x = m->x[group];
    b->group[b->groups++] = (tl_body_group){size, (size + 2) / 3, b->blocks, {x.x, x.y, x.z}, M};
    b->blocks += (size + 2) / 3;
    return TALUS_OK;
}

talus_status tl_body_put_end(tl_body_making *m, tl_body_hold *k, tl_body_end end)
{
    tl_body_problem *b = m->out;
    if (b->ends == m->room) {
        m->room = 2 * m->room + 64;
        tl_body_end *more = tl_arena_alloc(m->step->arena, (size_t)m->room, sizeof *more);
        if (!more) return no_memory(m);
        if (b->ends > 0) memcpy(more, b->end, (size_t)b->ends * sizeof *more);
        b->end = more;
    }
    b->end[b->ends++] = end;
    k->ends++;
    return TALUS_OK;
}

/* Is a block of three velocities, of [rows][width], moved by none of the rows? */
static bool is_zero(const double *H, int rows, int width, int block)
{
    for (int r = 0; r < rows; r++)
        for (int i = 3 * block; i < 3 * (block + 1); i++)
            if (H[r * width + i] != 0) return false;
    return true;
}

/* Of H [rows][3 × blocks], of a group: an end for every run of blocks that are not zero. A wheel acts on its own part of a machine. */
static talus_status add_runs(tl_body_making *m, tl_body_hold *k, const tl_body_group *group, const double *H)
{
    const int width = 3 * group->blocks;
    for (int begin = 0, end = 0; begin < group->blocks; begin = end) {
        while (begin < group->blocks && is_zero(H, k->rows, width, begin)) begin++;
        for (end = begin; end < group->blocks && !is_zero(H, k->rows, width, end); end++) continue;
        const int n = 3 * (end - begin);
        if (n == 0) break;
        double *run = tl_arena_alloc(m->step->arena, (size_t)(k->rows * n), sizeof *run);
        if (!run) return no_memory(m);
        for (int r = 0; r < k->rows; r++) memcpy(&run[r * n], &H[r * width + 3 * begin], (size_t)n * sizeof *run);
        TL_TRY(tl_body_put_end(m, k, (tl_body_end){group->first + begin, end - begin, run}));
    }
    return TALUS_OK;
}

/* An end, from rows of H and of what unit impulses do; of a grain's in space the number between v and w is left out. */
static talus_status add_end(tl_body_making *m, tl_body_hold *k, int group, const tl_local_end *from)
{
    const bool gap = from->size == 7 && group < m->p->bodies;
    const int size = gap ? 6 : from->size;
    int number;
    TL_TRY(group_at(m, group, size, &number));
    const int width = 3 * m->out->group[number].blocks;
    double *H = tl_arena_zero(m->step->arena, (size_t)(k->rows * width), sizeof *H);
    if (!H) return no_memory(m);
    double squares = 0, moved = 0;
    for (int r = 0; r < k->rows; r++)
        for (int i = 0; i < from->size; i++) {
            const double h = from->H[r * from->size + i], y = from->Y[r * from->size + i];
            squares += h * h, moved += h * y;
            k->own[r] += h * y;
            if (gap && i == 3) continue;
            H[r * width + (gap && i > 3 ? i - 1 : i)] = from->sign * h;
        }
    /* A grain that is split is met by its parts. */
    const double root = group < m->p->bodies && squares > 0 ? sqrt(moved / squares) : 1;
    for (int i = 0; i < k->rows * width; i++) H[i] *= root;
    return add_runs(m, k, &m->out->group[number], H);
}

/* The set of a block as bounds and disks. */
static void say_set(const tl_block *from, tl_body_hold *k)
{
    const bool rolls = from->of->set == &TL_ROLLING_CONE;
    if (from->of->set == &TL_INTERVAL) k->low = from->of->low, k->high = from->of->high;
    if (from->of->set != &TL_FRICTION_CONE && !rolls) return;
    k->low = 0;
    k->disk[k->disks++] = (tl_body_disk){1, from->rows == 2 || (rolls && from->rows == 3) ? 1 : 2, from->bound.friction};
    if (rolls && from->rows == 3) k->disk[k->disks++] = (tl_body_disk){2, 1, from->bound.rolling};
    if (rolls && from->rows == 6)
        k->disk[k->disks++] = (tl_body_disk){3, 2, from->bound.rolling}, k->disk[k->disks++] = (tl_body_disk){5, 1, from->bound.spinning};
}

/* Is it of the islands that this is about? Its ends are all of one. */
static bool is_chosen(const tl_problem *p, const tl_block *k) { return !p->chosen_groups || (k->ends > 0 && p->chosen_groups[p->blocks->end[k->first].group]); }

static talus_status add_block(tl_body_making *m, int number, const tl_velocities *v)
{
    const tl_blocks *b = m->p->blocks;
    const tl_block *from = &b->block[number];
    m->held[number] = -1;
    if (!is_chosen(m->p, from)) return TALUS_OK;
    tl_body_hold k = {.rows = from->rows, .end = m->out->ends, .low = -(double)INFINITY, .high = (double)INFINITY};
    say_set(from, &k);
    memcpy(k.I, from->I, sizeof k.I);
    memcpy(k.give, from->give, sizeof k.give);
    tl_block_read(b, from, v, k.u);
    for (int r = 0; r < k.rows; r++) k.u[r] += from->shift[r];
    m->held[number] = k.disks > 0 && !m->all && !tl_body_is_slow(k.I[0], k.u[0]) ? -1 : m->out->holds;
    if (m->held[number] < 0) return TALUS_OK;
    tl_body_hold *to = &m->out->hold[m->out->holds++];
    *to = k;
    for (int e = from->first; e < from->first + from->ends; e++) {
        const tl_block_end *end = &b->end[e];
        TL_TRY(add_end(m, to, end->group, &(tl_local_end){.size = end->size, .sign = 1, .H = end->H, .Y = end->Y}));
    }
    return TALUS_OK;
}

/* Does it meet large matter? There it has an end only where it presses or opens slowly, and no place without one. */
static bool meets_large(const tl_body_making *m, int coupled)
{
    const tl_coupled *k = coupled < 0 ? NULL : &m->p->coupled[coupled];
    return k && (tl_stands_in(&m->p->given, k->matter[0]) || tl_stands_in(&m->p->given, k->matter[1]));
}

/* Those that may press, without their ends. */
static talus_status choose_contacts(tl_body_making *m, const int *coupled)
{
    const tl_local_rows *r = m->rows;
    m->hold = tl_arena_alloc(m->step->arena, (size_t)r->contacts + 1, sizeof *m->hold);
    if (!m->hold) return no_memory(m);
    for (int i = 0; i < r->contacts; i++) {
        m->hold[i] = tl_body_is_slow(r->I[i][0], r->q[i][0]) || (m->all && !meets_large(m, coupled[i])) ? m->out->holds++ : -1;
        if (m->hold[i] < 0) continue;
        tl_body_hold *k = &m->out->hold[m->hold[i]];
        *k = (tl_body_hold){.rows = r->dimension, .low = 0, .high = (double)INFINITY, .disk = {{1, r->dimension - 1, r->friction[i]}}, .disks = 1};
        memcpy(k->I, r->I[i], (size_t)r->dimension * sizeof *k->I);
        memcpy(k->u, r->q[i], (size_t)r->dimension * sizeof *k->u);
        k->give[0] = r->give[i];
    }
    return TALUS_OK;
}

static talus_status add_contacts(tl_body_making *m)
{
    const tl_local_rows *r = m->rows;
    int *coupled = tl_arena_alloc(m->step->arena, (size_t)r->contacts + 1, sizeof *coupled);
    if (!coupled) return no_memory(m);
    for (int i = 0; i < r->contacts; i++) coupled[i] = -1;
    for (int i = 0; i < m->p->coupleds; i++)
        if (r->number[m->p->coupled[i].contact] >= 0) coupled[r->number[m->p->coupled[i].contact]] = i;
    TL_TRY(choose_contacts(m, coupled));
    TL_TRY(tl_body_make_patches(m));
    /* Ends in the order of contacts, each with that at its patch. */
    int *begin = tl_arena_zero(m->step->arena, (size_t)r->contacts + 2, sizeof *begin),
        *member = tl_arena_alloc(m->step->arena, (size_t)r->ends + 1, sizeof *member);
    if (!begin || !member) return no_memory(m);
    for (int e = 0; e < r->ends; e++) begin[r->end[e].contact + 2]++;
    for (int i = 0; i < r->contacts; i++) begin[i + 2] += begin[i + 1];
    for (int e = 0; e < r->ends; e++) member[begin[r->end[e].contact + 1]++] = e;
    for (int i = 0; i < r->contacts; i++) {
        if (m->hold[i] < 0) continue;
        tl_body_hold *k = &m->out->hold[m->hold[i]];
        k->end = m->out->ends;
        for (int j = begin[i]; j < begin[i + 1]; j++) TL_TRY(add_end(m, k, r->end[member[j]].group, &r->end[member[j]]));
        for (int side = 0; coupled[i] >= 0 && side < 2; side++) TL_TRY(tl_body_add_patch_end(m, k, coupled[i], side));
    }
    return TALUS_OK;
}

/* Bodies are where their contacts say; matter is where it is met. */
static void find_places(tl_body_making *m)
{
    const tl_problem *p = m->p;
    for (int i = 0; i < p->contacts; i++)
        for (int side = 0; side < 2; side++) {
            const tl_contact *c = &p->contact[i];
            const tl_place end = side ? c->b : c->a;
            const tl_vec3 met = tl_contact_at(c, side, p->cell);
            if (end.matter != 0) m->x[p->bodies + end.matter] = met;
            else m->x[end.item] = tl_sub(met, c->arm[side]);
        }
}

static talus_status make(tl_body_making *m)
{
    const tl_problem *p = m->p;
    const tl_blocks *b = p->blocks;
    const tl_velocities v = tl_problem_velocities(p);
    const int groups = p->bodies + p->matters, blocks = b ? b->count : 0, holds = blocks + m->rows->contacts;
    m->number = tl_arena_alloc(m->step->arena, (size_t)groups + 1, sizeof *m->number);
    m->out->group = tl_arena_alloc(m->step->arena, (size_t)(groups + 2 * p->coupleds) + 1, sizeof *m->out->group);
    m->out->hold = tl_arena_alloc(m->step->arena, (size_t)holds + 1, sizeof *m->out->hold);
    m->held = tl_arena_alloc(m->step->arena, (size_t)blocks + 1, sizeof *m->held);
    m->x = tl_arena_zero(m->step->arena, (size_t)groups + 1, sizeof *m->x);
    if (!m->number || !m->x || !m->out->group || !m->out->hold || !m->held) return no_memory(m);
    find_places(m);
    for (int g = 0; g < groups; g++) m->number[g] = -1;
    for (int i = 0; i < blocks; i++) TL_TRY(add_block(m, i, &v));
    return add_contacts(m);
}

/* Impulses of the value, or those before it, to the step. */
static talus_status take(tl_problem *p, const tl_body_making *m, const tl_body_problem *from, tl_step *step)
{
    const tl_local_rows *r = m->rows;
    const int axes = p->ops->axes;
    tl_blocks *b = p->blocks;
    const tl_velocities v = tl_problem_velocities(p);
    double *I = tl_arena_alloc(step->arena, (size_t)(axes * r->contacts) + 1, sizeof *I);
    if (!I) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", r->contacts);
    for (int i = 0; i < r->contacts; i++) memcpy(&I[axes * i], m->hold[i] < 0 ? r->I[i] : from->hold[m->hold[i]].I, (size_t)axes * sizeof *I);
    tl_problem_change(p, r->number, I);
    for (int i = 0; b && i < b->count; i++)
        if (!b->block[i].direct && m->held[i] >= 0) tl_block_change(b, &b->block[i], &v, from->hold[m->held[i]].I);
    if (b) tl_blocks_hold(b, &v);
    p->ops->packs->spread(p);
    return TALUS_OK;
}

/* To which part of the tolerance values are solved, one after the other: each leaves to the next what it did not see, contacts that were left out, patches that
 * press on others, joints that contradict each other. The last is for chains: the step holds joints exactly, and what these lack in a value moves contacts by
 * up to some fifty times as much. Patches have more to say to one another than that, and end with the one before. */
static const double CLOSE[] = {0.97, 0.9, 0.5, 0.25, 0.02};

static int closest(const tl_problem *p) { return (int)(sizeof CLOSE / sizeof *CLOSE) - (p->given.first ? 2 : 1); }

static bool are_joined(const tl_problem *p) { return p->blocks && p->blocks->unknowns > 0; }

typedef struct attempt {
    int number, iterations; /* at most */
    bool all;               /* contacts that open fast, too, but on large matter */
    bool large;             /* patches are */
    double error;           /* out: that is left in the value [m/s]; not finite: there is no factor */
} attempt;

/* [contacts] of the islands that this is about; NULL: of all. */
static talus_status choose_contacts_of_islands(const tl_problem *p, tl_step *step, bool **chosen)
{
    *chosen = NULL;
    if (!p->chosen_groups) return TALUS_OK;
    *chosen = tl_arena_alloc(step->arena, (size_t)p->contacts + 1, sizeof **chosen);
    if (!*chosen) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->contacts);
    for (int i = 0; i < p->contacts; i++) {
        const int group = tl_group_of_contact(p, &p->contact[i]);
        (*chosen)[i] = group >= 0 && p->chosen_groups[group];
    }
    return TALUS_OK;
}

/* One solve from the present impulses. They stay where the errors of all do not fall; of islands the best are taken that there were in the value. */
static talus_status solve_once(tl_problem *p, attempt *t, tl_step *step)
{
    tl_local_rows rows;
    tl_body_problem value = {.far = are_joined(p) ? FAR : fmin(FAR, FAR_IN_GRAINS * p->solver->tolerance),
                             .near = are_joined(p) ? NEAR_IN_JOINTS * p->solver->tolerance : 0,
                             .tolerance = CLOSE[t->number < closest(p) ? t->number : closest(p)] * p->solver->tolerance,
                             .least = t->number == 0,
                             .max_iterations = t->iterations};
    bool *chosen = NULL;
    TL_TRY(choose_contacts_of_islands(p, step, &chosen));
    TL_TRY(tl_problem_rows(p, chosen, step, &rows));
    tl_body_making m = {.p = p, .step = step, .out = &value, .rows = &rows, .all = t->all, .large = t->large};
    TL_TRY(make(&m));
    tl_body_hold *before = tl_arena_alloc(step->arena, (size_t)value.holds + 1, sizeof *before);
    if (!before) return no_memory(&m);
    memcpy(before, value.hold, (size_t)value.holds * sizeof *before);
    const double was = p->residual;
    TL_TRY(tl_body_solve(&value, step));
    p->iterations += value.iterations;
    t->error = value.error;
    if (!isfinite(t->error)) return TALUS_OK;
    TL_TRY(take(p, &m, &value, step));
    if (p->chosen_groups) return TALUS_OK; /* others have errors of their own */
    p->residual = p->ops->packs->residual(p, step);
    if (!(p->residual <= was)) {
        value.hold = before;
        TL_TRY(take(p, &m, &value, step));
        p->residual = p->ops->packs->residual(p, step);
    }
    return TALUS_OK;
}

/* Of the residual, or of what is left in a value: a turn that leaves more is of no help. */
static const double WORTH = 0.8;

/* A value that needs no step is the last, or one that is above the tolerance and of no help. It has all contacts but those that open fast on large matter, for
 * what it leaves out would not be seen among the errors of other islands. */
static talus_status solve_islands(tl_problem *p, int end, tl_step *step)
{
    enum { TURNS = 4 };
    double error = (double)INFINITY;
    for (int turn = 0, before = -1; turn < TURNS && before < p->iterations && p->iterations < end; turn++) {
        const tl_arena_place mark = tl_arena_mark(step->arena);
        attempt t = {.number = 1, .iterations = end - p->iterations, .all = true};
        before = p->iterations;
        TL_TRY(solve_once(p, &t, step));
        tl_arena_release(step->arena, mark);
        if (!isfinite(t.error) || (t.error > p->solver->tolerance && t.error > WORTH * error)) break;
        error = t.error;
    }
    p->residual = p->ops->packs->residual(p, step);
    return TALUS_OK;
}

/* Until it is within the tolerance, or a turn is of no help. A first guess takes one step at least, as in sweeps.c, unless its error is next to nothing. */
static talus_status solve_whole(tl_problem *p, int end, tl_step *step)
{
    enum { TURNS = 20 };
    static const double GUESS = 1e-6;                                  /* of the tolerance, of such an error */
    static const double SLOW = 0.5;                                    /* of the residual: patches that leave more are too small */
    const int last = are_joined(p) || p->given.first ? closest(p) : 1; /* grains alone leave nothing to a next turn */
    bool large = false;
    p->residual = p->ops->packs->residual(p, step);
    for (int turn = 0; turn < TURNS && p->residual > (turn == 0 && !step->again ? GUESS : 1) * p->solver->tolerance && p->iterations < end; turn++) {
        const double before = p->residual;
        const tl_arena_place mark = tl_arena_mark(step->arena);
        attempt t = {.number = turn, .iterations = end - p->iterations, .all = turn > 0, .large = large};
        TL_TRY(solve_once(p, &t, step));
        tl_arena_release(step->arena, mark);
        if (!isfinite(t.error)) break;
        if (p->given.first && !large && turn > 0 && p->residual > SLOW * before) large = true;
        else if (p->residual > WORTH * before && turn >= last) break;
    }
    return TALUS_OK;
}

/* By what velocity an impulse of one along n changes that of its own contact, of each [1/kg]. */
static void own_responses(const tl_local_rows *r, double *W)
{
    for (int i = 0; i < r->contacts; i++) W[i] = r->give[i];
    for (int e = 0; e < r->ends; e++) {
        const double *H = r->end[e].H, *Y = r->end[e].Y ? r->end[e].Y : H;
        for (int k = 0; k < r->end[e].size; k++) W[r->end[e].contact] += H[k] * Y[k];
    }
}

static void set_impulses(tl_problem *p, const tl_local_rows *r, const double *I, tl_step *step)
{
    tl_problem_change(p, r->number, I);
    p->ops->packs->spread(p);
    p->residual = p->ops->packs->residual(p, step);
}

/* Interior points leave something of an impulse on every contact, also on one that opens: within the tolerance, but it would count as pressing. Where a contact
 * opens faster than its impulse is as a velocity, the law has none. */
static talus_status let_open(tl_problem *p, tl_step *step)
{
    const int axes = p->ops->axes;
    const double was = p->residual;
    tl_local_rows r;
    bool some = false;
    TL_TRY(tl_problem_rows(p, NULL, step, &r));
    const size_t numbers = (size_t)(axes * r.contacts);
    double *I = tl_arena_zero(step->arena, 2 * numbers + (size_t)r.contacts + 1, sizeof *I), *before = I + numbers, *W = before + numbers;
    if (!I) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", r.contacts);
    own_responses(&r, W);
    for (int i = 0; i < r.contacts; i++) {
        const double as_velocity = r.I[i][0] * W[i];
        const bool opens = as_velocity > 0 && as_velocity <= fmin(r.q[i][0], p->solver->tolerance);
        memcpy(&before[axes * i], r.I[i], (size_t)axes * sizeof *I);
        if (!opens) memcpy(&I[axes * i], r.I[i], (size_t)axes * sizeof *I);
        some = some || opens;
    }
    if (!some) return TALUS_OK;
    set_impulses(p, &r, I, step);
    if (!(p->residual <= fmax(was, tl_problem_suffices(p)))) set_impulses(p, &r, before, step);
    return TALUS_OK;
}

talus_status tl_bodies_solve(tl_problem *p, int most, tl_step *step)
{
    const int before = p->iterations;
    if (p->blocks) tl_blocks_separate(p->blocks);
    TL_TRY((p->chosen_groups ? solve_islands : solve_whole)(p, p->iterations + most, step));
    const tl_arena_place mark = tl_arena_mark(step->arena);
    if (p->iterations > before) TL_TRY(let_open(p, step));
    tl_arena_release(step->arena, mark);
    p->converged = p->residual <= tl_problem_suffices(p);
    return TALUS_OK;
}
