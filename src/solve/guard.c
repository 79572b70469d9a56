/* Islands, and what they may keep of their impulses (guard.h). */
#include "solve/guard.h"
#include "base/integers.h"

#include <math.h>
#include <string.h>

talus_status tl_guard_begin(tl_guard *g, int contacts, int groups, const tl_blocks *blocks, tl_step *step)
{
    *g = (tl_guard){.contacts = contacts, .groups = groups};
    g->contact = tl_arena_alloc(step->arena, (size_t)contacts + 1, sizeof *g->contact);
    g->island = tl_arena_alloc(step->arena, (size_t)groups + 1, sizeof *g->island);
    g->work = tl_arena_zero(step->arena, (size_t)groups + 1, sizeof *g->work);
    g->own = tl_arena_zero(step->arena, (size_t)groups + 1, sizeof *g->own);
    g->share = tl_arena_zero(step->arena, (size_t)groups + 1, sizeof *g->share);
    if (!g->contact || !g->island || !g->work || !g->own || !g->share) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", contacts);
    for (int i = 0; i < contacts; i++) g->contact[i] = (tl_worked){.group = {-1, -1}};
    for (int i = 0; i < groups; i++) g->island[i] = i;
    for (int i = 0; blocks && i < blocks->count; i++) {
        const tl_block *k = &blocks->block[i];
        for (int e = k->first + 1; k->direct && e < k->first + k->ends; e++) (void)tl_join(g->island, blocks->end[k->first].group, blocks->end[e].group);
    }
    return TALUS_OK;
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
    for (int i = 0; i < g->contacts; i++) {
        const tl_worked *c = &g->contact[i];
        if (c->group[0] >= 0 && c->group[1] >= 0) (void)tl_join(g->island, c->group[0], c->group[1]);
    }
    tl_find_roots(g->island, g->groups);
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

double tl_guard_share_of(const tl_guard *g, int contact)
{
    const int island = island_of(g, &g->contact[contact]);
    return island < 0 ? 1 : g->share[island];
}

void tl_guard_share(tl_guard *g)
{
    for (int i = 0; i < g->contacts; i++) {
        const int island = island_of(g, &g->contact[i]);
        if (island >= 0) g->own[island] += g->contact[i].own;
    }
    for (int i = 0; i < g->groups; i++)
        if (g->share[i] < 1) g->share[i] = g->own[i] > 0 ? fmin(fmax(1 - g->work[i] / g->own[i], 0), 1) : 0; /* −c₁/c₂ */
}

void tl_guard_coupled_work(tl_guard *g, const tl_problem *p)
{
    for (int i = 0; i < p->coupleds; i++) {
        const tl_coupled *k = &p->coupled[i];
        const tl_contact *c = &p->contact[k->contact];
        g->contact[k->contact] = (tl_worked){.group = {tl_group_of(p, c->a), tl_group_of(p, c->b)}};
        const double before[3] = {k->before[0] - tl_parting_of(p, c), k->before[1], k->before[2]};
        tl_guard_work(&g->contact[k->contact], tl_axes_of(p), c->I, before, c->V);
    }
    for (int i = 0; i < p->block_contacts; i++) {
        const tl_block *k = &p->blocks->block[p->constraints + i];
        const tl_contact *c = &p->contact[p->block_contact[i]];
        tl_worked *worked = &g->contact[p->block_contact[i]];
        tl_vec3 axis[3];
        double before[TL_ROWS];
        tl_problem_axes(p, c, axis);
        memcpy(before, k->before, sizeof before);
        before[0] -= tl_parting_of(p, c);
        for (int r = 0; tl_is_sheared(p) && r < p->ops->axes; r++) before[r] += tl_dot(axis[r], tl_slide_at(p, c, true));
        worked->group[0] = tl_group_of(p, c->a), worked->group[1] = tl_group_of(p, c->b);
        tl_guard_work(worked, k->rows, k->I, before, k->of->V);
    }
}

void tl_guard_coupled_own(tl_guard *g, const tl_problem *p, const tl_velocities *without)
{
    const tl_velocities v = tl_problem_velocities(p);
    for (int i = 0; i < p->coupleds; i++) {
        const tl_coupled *k = &p->coupled[i];
        double V[3], V0[3];
        p->ops->velocity(p, k, &v, V);
        p->ops->velocity(p, k, without, V0);
        for (int axis = 0; axis < p->ops->axes; axis++) g->contact[k->contact].own += 0.5 * k->I[axis] * (V[axis] - V0[axis]);
    }
    for (int i = 0; i < p->block_contacts; i++) {
        const tl_block *k = &p->blocks->block[p->constraints + i];
        double V[TL_ROWS] = {0}, V0[TL_ROWS] = {0};
        tl_block_read(p->blocks, k, &v, V);
        tl_block_read(p->blocks, k, without, V0);
        for (int r = 0; r < k->rows; r++) g->contact[p->block_contact[i]].own += 0.5 * k->I[r] * (V[r] - V0[r]);
    }
}

void tl_guard_blocks_leave(const tl_problem *p, const tl_velocities *v)
{
    for (int i = 0; i < p->block_contacts; i++) {
        const tl_block *k = &p->blocks->block[p->constraints + i];
        double I[TL_ROWS];
        for (int r = 0; r < k->rows; r++) I[r] = -k->I[r];
        tl_block_push(p->blocks, k, v, I);
    }
    if (p->blocks) tl_blocks_settle(p->blocks, v);
}

void tl_guard_coupled_keep(const tl_guard *g, tl_problem *p)
{
    const tl_velocities v = tl_problem_velocities(p);
    for (int i = 0; i < p->coupleds; i++) {
        tl_coupled *k = &p->coupled[i];
        const double less = tl_guard_share_of(g, k->contact) - 1;
        p->ops->impulse(p, k, &v, (double[3]){less * k->I[0], less * k->I[1], less * k->I[2]});
        for (int axis = 0; axis < 3; axis++) k->I[axis] += less * k->I[axis];
    }
}

void tl_guard_blocks_keep(const tl_guard *g, tl_problem *p)
{
    const tl_velocities v = tl_problem_velocities(p);
    for (int i = 0; i < p->block_contacts; i++) tl_block_keep(p->blocks, &p->blocks->block[p->constraints + i], &v, tl_guard_share_of(g, p->block_contact[i]));
    if (p->blocks) tl_blocks_hold(p->blocks, &v);
}
