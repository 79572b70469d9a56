/* The problem of a step in velocities of bodies (body_rows.h). */
#include "solve/body_rows.h"

#include <math.h>
#include <string.h>

#include "solve/local_rows.h"

/* Contacts: fewer are swept in no time, and of more a factor takes too long. */
enum { FEWEST = 12, MOST = 10000 };

typedef struct making {
    const tl_problem *p;
    tl_step *step;
    tl_body_problem *out;
    int *number; /* [groups of the step] of the group here; −1: none */
    const tl_local_rows *rows;
} making;

static talus_status no_memory(const making *m) { return tl_fail(m->step->error, TALUS_MEMORY, "no memory for the bodies of a step"); }

bool tl_bodies_suit(const tl_problem *p)
{
    const int held = p->block_contacts + p->coupleds - p->spokes;
    bool joined = false;
    if (!p->blocks || p->clusters || p->given.first || p->contacts > MOST) return false;
    if (held < FEWEST || p->contacts > 2 * held) return false;
    for (int i = 0; i < p->constraints; i++) joined |= p->constraint[i].set == &TL_WHOLE_SPACE;
    if (!joined) return false;
    for (int m = 1; m < p->matters; m++)
        if (p->matter[m]->nv > 0 && (!p->matter[m]->ops->rows || !p->matter[m]->ops->mass || p->matter[m]->nv > TL_BODY_WIDEST - 2)) return false;
    return true;
}

static talus_status group_at(making *m, int group, int size, int *out)
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
    b->group[b->groups++] = (tl_body_group){size, (size + 2) / 3, b->blocks, M};
    b->blocks += (size + 2) / 3;
    return TALUS_OK;
}

/* An end, from rows of H and of what unit impulses do; of a grain's in space the number between v and w is left out. */
static talus_status add_end(making *m, tl_body_hold *k, int group, const tl_local_end *from)
{
    const bool gap = from->size == 7 && group < m->p->bodies;
    const int size = gap ? 6 : from->size;
    tl_body_end *end = &m->out->end[m->out->ends];
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
    *end = (tl_body_end){number, H};
    m->out->ends++;
    k->ends++;
    return TALUS_OK;
}

static talus_status add_block(making *m, const tl_blocks *b, const tl_block *from, const tl_velocities *v)
{
    tl_body_hold *k = &m->out->hold[m->out->holds++];
    *k = (tl_body_hold){.rows = from->rows, .end = m->out->ends, .low = -(double)INFINITY, .high = (double)INFINITY};
    if (from->of->set == &TL_INTERVAL) k->low = from->of->low, k->high = from->of->high;
    if (from->of->set == &TL_FRICTION_CONE || from->of->set == &TL_ROLLING_CONE) {
        const bool rolls = from->of->set == &TL_ROLLING_CONE;
        k->low = 0;
        k->disk[k->disks++] = (tl_body_disk){1, from->rows == 2 || (rolls && from->rows == 3) ? 1 : 2, from->bound.friction};
        if (rolls && from->rows == 3) k->disk[k->disks++] = (tl_body_disk){2, 1, from->bound.rolling};
        if (rolls && from->rows == 6)
            k->disk[k->disks++] = (tl_body_disk){3, 2, from->bound.rolling}, k->disk[k->disks++] = (tl_body_disk){5, 1, from->bound.spinning};
    }
    memcpy(k->I, from->I, sizeof k->I);
    memcpy(k->give, from->give, sizeof k->give);
    tl_block_read(b, from, v, k->u);
    for (int r = 0; r < k->rows; r++) k->u[r] += from->shift[r];
    for (int e = from->first; e < from->first + from->ends; e++) {
        const tl_block_end *end = &b->end[e];
        TL_TRY(add_end(m, k, end->group, &(tl_local_end){.size = end->size, .sign = 1, .H = end->H, .Y = end->Y}));
    }
    return TALUS_OK;
}

static talus_status add_contacts(making *m)
{
    const tl_local_rows *r = m->rows;
    const int first = m->out->holds;
    for (int i = 0; i < r->contacts; i++) {
        tl_body_hold *k = &m->out->hold[m->out->holds++];
        *k = (tl_body_hold){.rows = r->dimension, .low = 0, .high = (double)INFINITY, .disk = {{1, r->dimension - 1, r->friction[i]}}, .disks = 1};
        memcpy(k->I, r->I[i], (size_t)r->dimension * sizeof *k->I);
        memcpy(k->u, r->q[i], (size_t)r->dimension * sizeof *k->u);
    }
    for (int e = 0; e < r->ends; e++) { /* those of a contact follow one another */
        tl_body_hold *k = &m->out->hold[first + r->end[e].contact];
        if (k->ends == 0) k->end = m->out->ends;
        TL_TRY(add_end(m, k, r->end[e].group, &r->end[e]));
    }
    return TALUS_OK;
}

static talus_status make(making *m)
{
    const tl_problem *p = m->p;
    const tl_blocks *b = p->blocks;
    const tl_velocities v = tl_problem_velocities(p);
    const int groups = p->bodies + p->matters, holds = b->count + m->rows->contacts;
    int ends = m->rows->ends;
    for (int i = 0; i < b->count; i++) ends += b->block[i].ends;
    m->number = tl_arena_alloc(m->step->arena, (size_t)groups + 1, sizeof *m->number);
    m->out->group = tl_arena_alloc(m->step->arena, (size_t)groups + 1, sizeof *m->out->group);
    m->out->hold = tl_arena_alloc(m->step->arena, (size_t)holds + 1, sizeof *m->out->hold);
    m->out->end = tl_arena_alloc(m->step->arena, (size_t)ends + 1, sizeof *m->out->end);
    if (!m->number || !m->out->group || !m->out->hold || !m->out->end) return no_memory(m);
    for (int g = 0; g < groups; g++) m->number[g] = -1;
    for (int i = 0; i < b->count; i++) TL_TRY(add_block(m, b, &b->block[i], &v));
    return add_contacts(m);
}

/* Impulses of the value, or those before it, to the step. */
static talus_status take(tl_problem *p, const tl_local_rows *r, const tl_body_problem *from, tl_step *step)
{
    const int axes = p->ops->axes;
    tl_blocks *b = p->blocks;
    const tl_velocities v = tl_problem_velocities(p);
    double *I = tl_arena_alloc(step->arena, (size_t)(axes * r->contacts) + 1, sizeof *I);
    if (!I) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", r->contacts);
    for (int i = 0; i < r->contacts; i++) memcpy(&I[axes * i], from->hold[b->count + i].I, (size_t)axes * sizeof *I);
    tl_problem_change(p, r->number, I);
    for (int i = 0; i < b->count; i++)
        if (!b->block[i].direct) tl_block_change(b, &b->block[i], &v, from->hold[i].I);
    tl_blocks_hold(b, &v);
    return TALUS_OK;
}

talus_status tl_bodies_solve(tl_problem *p, tl_step *step)
{
    tl_local_rows rows;
    tl_body_problem value = {.tolerance = 0.3 * p->solver->tolerance, .max_iterations = p->solver->max_iterations};
    TL_TRY(tl_problem_rows(p, step, &rows));
    making m = {.p = p, .step = step, .out = &value, .rows = &rows};
    TL_TRY(make(&m));
    const size_t holds = (size_t)value.holds + 1;
    tl_body_hold *before = tl_arena_alloc(step->arena, holds, sizeof *before);
    if (!before) return no_memory(&m);
    memcpy(before, value.hold, (size_t)value.holds * sizeof *before);
    p->residual = p->ops->packs->residual(p, step);
    p->converged = p->residual <= p->solver->tolerance;
    if (p->converged) return TALUS_OK;
    const double was = p->residual;
    TL_TRY(tl_body_solve(&value, step));
    p->iterations = value.iterations;
    if (!isfinite(value.error)) return TALUS_OK;
    TL_TRY(take(p, &rows, &value, step));
    p->residual = p->ops->packs->residual(p, step);
    if (p->residual > was) {
        value.hold = before;
        TL_TRY(take(p, &rows, &value, step));
        p->residual = p->ops->packs->residual(p, step);
    }
    p->converged = p->residual <= p->solver->tolerance;
    return TALUS_OK;
}
