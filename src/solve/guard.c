/* Islands, and what they may keep of their impulses (guard.h). */
#include "solve/guard.h"

#include <math.h>

talus_status tl_guard_begin(tl_guard *g, int contacts, int groups, tl_step *step)
{
    *g = (tl_guard){.contacts = contacts, .groups = groups};
    g->contact = tl_arena_alloc(step->arena, (size_t)contacts + 1, sizeof *g->contact);
    g->island = tl_arena_alloc(step->arena, (size_t)groups + 1, sizeof *g->island);
    g->work = tl_arena_zero(step->arena, (size_t)groups + 1, sizeof *g->work);
    g->share = tl_arena_zero(step->arena, (size_t)groups + 1, sizeof *g->share);
    if (!g->contact || !g->island || !g->work || !g->share) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", contacts);
    for (int i = 0; i < contacts; i++) g->contact[i] = (tl_worked){.group = {-1, -1}};
    return TALUS_OK;
}

static int find(int *parent, int i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

/* The group that stands for the contact's island, −1: neither end moves. */
static int island_of(const tl_guard *g, const tl_worked *c)
{
    const int group = c->group[0] >= 0 ? c->group[0] : c->group[1];
    return group < 0 ? -1 : g->island[group];
}

bool tl_guard_adds(tl_guard *g)
{
    static const double ROUNDING = 1e-13;
    for (int i = 0; i < g->groups; i++) g->island[i] = i;
    for (int i = 0; i < g->contacts; i++) {
        const tl_worked *c = &g->contact[i];
        if (c->group[0] < 0 || c->group[1] < 0) continue;
        const int a = find(g->island, c->group[0]), b = find(g->island, c->group[1]);
        g->island[a > b ? a : b] = a > b ? b : a;
    }
    for (int i = 0; i < g->groups; i++) g->island[i] = find(g->island, i);
    double *size = g->share; /* until shares are made */
    for (int i = 0; i < g->contacts; i++) {
        const int island = island_of(g, &g->contact[i]);
        if (island < 0) continue;
        g->work[island] += g->contact[i].work;
        size[island] += g->contact[i].size;
    }
    bool some = false;
    for (int i = 0; i < g->groups; i++) {
        const bool adds = g->work[i] > ROUNDING * size[i];
        g->share[i] = adds ? 0 : 1;
        some |= adds;
    }
    return some;
}

/* What the impulses of all contacts do to the velocities of a group, at numbers first … first + size − 1 of `change`. */
static talus_status changes(const tl_local_rows *r, tl_step *step, size_t **first, double **change)
{
    size_t numbers = 0;
    *first = tl_arena_zero(step->arena, (size_t)r->groups + 1, sizeof **first);
    if (!*first) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", r->contacts);
    for (int e = 0; e < r->ends; e++) (*first)[r->end[e].group] = (size_t)r->end[e].size;
    for (int i = 0; i < r->groups; i++) {
        const size_t size = (*first)[i];
        (*first)[i] = numbers;
        numbers += size;
    }
    *change = tl_arena_zero(step->arena, numbers + 1, sizeof **change);
    if (!*change) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", r->contacts);
    for (int e = 0; e < r->ends; e++) {
        const tl_local_end *end = &r->end[e];
        double *x = *change + (*first)[end->group];
        for (int axis = 0; axis < r->dimension; axis++)
            for (int k = 0; k < end->size; k++) x[k] += end->sign * end->Y[axis * end->size + k] * r->I[end->contact][axis];
    }
    return TALUS_OK;
}

talus_status tl_guard_take_back(tl_guard *g, tl_local_rows *r, tl_step *step)
{
    size_t *first;
    double *change, *own = tl_arena_zero(step->arena, (size_t)g->groups + 1, sizeof *own); /* ½ Σ I · W I of islands */
    if (!own) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", r->contacts);
    TL_TRY(changes(r, step, &first, &change));
    for (int e = 0; e < r->ends; e++) {
        const tl_local_end *end = &r->end[e];
        const double *x = change + first[end->group];
        for (int axis = 0; axis < r->dimension; axis++)
            for (int k = 0; k < end->size; k++) own[g->island[end->group]] += 0.5 * end->sign * r->I[end->contact][axis] * end->H[axis * end->size + k] * x[k];
    }
    for (int i = 0; i < g->groups; i++)
        if (g->island[i] == i && g->share[i] < 1) g->share[i] = own[i] > 0 ? fmin(fmax(1 - g->work[i] / own[i], 0), 1) : 0; /* −c₁/c₂ */
    for (int i = 0; i < g->contacts; i++) {
        const int island = island_of(g, &g->contact[i]);
        if (island < 0 || r->number[i] < 0) continue;
        for (int axis = 0; axis < r->dimension; axis++) r->I[r->number[i]][axis] *= g->share[island];
    }
    return TALUS_OK;
}
