/* Islands of few contacts, exactly (few.h). */
#include "solve/few.h"
#include "base/integers.h"

#include <math.h>
#include <string.h>

/* So many times as long as sweeping it took may it take to solve an island. */
static const double SHARE = 6;

talus_status tl_few_choose(const tl_few_source *source, tl_step *step, bool *chosen, int *count)
{
    const int contacts = source->contacts, groups = source->groups, ends = source->blocks ? source->blocks->ends : 0;
    const int(*group)[2] = source->group;
    int *parent = tl_arena_alloc(step->arena, (size_t)groups + 1, sizeof *parent), *size = tl_arena_zero(step->arena, (size_t)groups + 1, sizeof *size);
    *count = 0;
    if (!parent || !size) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", contacts);
    for (int g = 0; g < groups; g++) parent[g] = g;
    for (int i = 0; i < contacts; i++)
        if (group[i][0] >= 0 && group[i][1] >= 0) (void)tl_join(parent, group[i][0], group[i][1]);
    tl_find_roots(parent, groups);
    for (int i = 0; i < contacts; i++) {
        const int g = group[i][0] >= 0 ? group[i][0] : group[i][1];
        if (g >= 0) size[parent[g]]++;
    }
    for (int e = 0; e < ends; e++) size[parent[source->blocks->end[e].group]] = TL_FEW_CONTACTS + 1;
    for (int i = 0; i < contacts; i++) {
        const int g = group[i][0] >= 0 ? group[i][0] : group[i][1], n = g >= 0 ? size[parent[g]] : 0;
        chosen[i] = n > 1 && n <= TL_FEW_CONTACTS;
        *count += chosen[i];
    }
    return TALUS_OK;
}

/* Those of the problem that W couples: `first` [contacts] is the first contact of the island of each. */
static void find_islands(const talus_problem_def *d, int *first)
{
    for (int i = 0; i < d->contacts; i++) first[i] = i;
    for (int i = 0; i < d->contacts; i++)
        for (int b = d->row[i]; b < d->row[i + 1]; b++) (void)tl_join(first, i, d->column[b]);
    tl_find_roots(first, d->contacts);
}

typedef struct island {
    int member[TL_FEW_CONTACTS], contacts;
    int *number; /* [contacts of the problem] room to work in */
    int row[TL_FEW_CONTACTS + 1], column[TL_FEW_CONTACTS * TL_FEW_CONTACTS];
    double block[TL_FEW_CONTACTS * TL_FEW_CONTACTS * 9], q[TL_FEW_CONTACTS * 3], impulse[TL_FEW_CONTACTS * 3], friction[TL_FEW_CONTACTS];
} island;

/* Its part of the problem. */
static talus_problem_def cut_out(const talus_problem_def *d, island *s)
{
    int *number = s->number;
    const size_t n = (size_t)d->dimension, blocks = n * n;
    int count = 0;
    for (int k = 0; k < s->contacts; k++) number[s->member[k]] = k;
    s->row[0] = 0;
    for (int k = 0; k < s->contacts; k++) {
        const int i = s->member[k];
        for (int b = d->row[i]; b < d->row[i + 1]; b++, count++) {
            s->column[count] = number[d->column[b]];
            memcpy(&s->block[(size_t)count * blocks], &d->block[(size_t)b * blocks], blocks * sizeof *s->block);
        }
        s->row[k + 1] = count;
        memcpy(&s->q[(size_t)k * n], &d->q[(size_t)i * n], n * sizeof *s->q);
        memcpy(&s->impulse[(size_t)k * n], &d->impulse[(size_t)i * n], n * sizeof *s->impulse);
        s->friction[k] = d->friction[i];
    }
    talus_problem_def out = talus_problem_def_default();
    out.dimension = d->dimension, out.contacts = s->contacts, out.row = s->row, out.column = s->column, out.block = s->block;
    out.q = s->q, out.impulse = s->impulse, out.friction = s->friction;
    return out;
}

/* The largest natural map of its contacts, as a velocity [m/s]. */
static double largest_error(const tl_local *p)
{
    double u[TL_FEW_CONTACTS][3], most = 0;
    tl_local_velocity(p, (const double(*)[3])p->I, u);
    for (int i = 0; i < p->contacts; i++) {
        double F[3];
        tl_coulomb3_natural_map(p->friction[i], tl_local_opening(p, i, u[i]), p->I[i], u[i], F);
        const double e = sqrt(F[0] * F[0] + F[1] * F[1] + F[2] * F[2]) / p->sigma[i];
        if (!(e <= most)) most = e;
        if (isnan(e)) break; /* it stays the largest */
    }
    return most;
}

/* Much better impulses, if it comes to any for so many visits: for a little, it is not worth to leave the way of the sweeps, because where contacts hardly
 * press or are indeterminate the nearest solution is another one. */
static bool solve_island(tl_local *p, double tolerance, double visits)
{
    static const double MUCH = 0.1;
    enum { INTERIOR = 200 };
    const double error = largest_error(p);
    p->unit = 1; /* errors in m/s */
    if (error <= tolerance) return false;
    (void)tl_local_exactly(p, MUCH * tolerance, INTERIOR, visits, &visits);
    tl_local_sweep_strictly(p);
    return largest_error(p) <= MUCH * error;
}

static talus_status solve_members(const talus_problem_def *d, island *s, double tolerance, int sweeps, tl_step *step, double *I)
{
    tl_local local;
    tl_error error;
    const talus_problem_def own = cut_out(d, s);
    const talus_status status = tl_local_from(step->memory, &own, &local, &error);
    if (status == TALUS_MEMORY) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", s->contacts);
    if (status != TALUS_OK) return TALUS_OK; /* of no W that makes sense: as swept */
    if (solve_island(&local, tolerance, SHARE * sweeps * s->contacts))
        for (int k = 0; k < s->contacts; k++)
            for (int axis = 0; axis < d->dimension; axis++) I[s->member[k] * d->dimension + axis] = local.I[k][axis] * local.sigma[k];
    tl_local_destroy(&local);
    return TALUS_OK;
}

talus_status tl_few_solve(const talus_problem_def *d, double tolerance, int sweeps, tl_step *step, double **I)
{
    const size_t n = (size_t)d->contacts, numbers = n * (size_t)d->dimension;
    int *room = tl_arena_alloc(step->arena, 3 * n + 1, sizeof *room), *first = room, *next = room + n, *number = room + 2 * n;
    island *s = tl_arena_alloc(step->arena, 1, sizeof *s);
    *I = tl_arena_alloc(step->arena, numbers + 1, sizeof **I);
    if (!room || !s || !*I) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", d->contacts);
    memcpy(*I, d->impulse, numbers * sizeof **I);
    find_islands(d, first);
    int *last = number; /* of an island so far, at its first */
    for (int i = 0; i < d->contacts; i++) {
        next[i] = -1;
        if (first[i] != i) next[last[first[i]]] = i;
        last[first[i]] = i;
    }
    for (int i = 0; i < d->contacts; i++) {
        if (first[i] != i) continue;
        s->contacts = 0, s->number = number;
        for (int k = i; k >= 0 && s->contacts < TL_FEW_CONTACTS; k = next[k]) s->member[s->contacts++] = k;
        TL_TRY(solve_members(d, s, tolerance, sweeps, step, *I));
    }
    return TALUS_OK;
}
