/* The contacts of mechanisms alone, as a whole (coupled_groups.h). */
#include "solve/coupled_groups.h"

#include <math.h>
#include <string.h>

/* ---- which ---------------------------------------------------------------------------------------------------------------- */

static int root_of(int *parent, int k)
{
    while (parent[k] != k) k = parent[k] = parent[parent[k]];
    return k;
}

/* Contacts by group: `of` and `count`; `contact` [coupleds], numbers in the step. */
static talus_status find_machines(const tl_coupled_source *s, tl_step *step, int *contact, tl_coupled_groups *out)
{
    int *parent = tl_arena_alloc(step->arena, 2 * (size_t)s->matters, sizeof *parent), *number = parent + s->matters;
    if (!parent) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", s->coupleds);
    for (int k = 0; k < s->matters; k++) parent[k] = k, number[k] = -1;
    for (int i = 0; i < s->coupleds; i++) {
        int matter[2];
        out->of[i] = -1;
        if (!s->is_own(s->problem, i, &contact[i], matter)) continue;
        out->of[i] = matter[matter[0] != 0 ? 0 : 1];
        if (matter[0] != 0 && matter[1] != 0) parent[root_of(parent, matter[0])] = root_of(parent, matter[1]);
    }
    for (int i = 0; i < s->coupleds; i++) {
        if (out->of[i] < 0) continue;
        const int root = root_of(parent, out->of[i]);
        if (number[root] < 0) number[root] = out->count++;
        out->of[i] = number[root];
    }
    return TALUS_OK;
}

/* ---- W -------------------------------------------------------------------------------------------------------------------- */

/* From the rows of its contacts alone. */
static talus_status form(tl_coupled_group *m, const tl_local_rows *r, const int *member, double tolerance, double earns, tl_step *step)
{
    enum { FIRST = 50 };
    talus_problem_def def;
    tl_error error;
    const size_t n = (size_t)r->contacts;
    double(*room)[3] = tl_arena_alloc(step->arena, 4 * n, sizeof *room);
    int *members = tl_arena_alloc(step->arena, n, sizeof *members);
    if (!room || !members) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", r->contacts);
    memcpy(members, member, n * sizeof *members);
    *m = (tl_coupled_group){.member = members, .tolerance = tolerance, .earns = earns, .credit = FIRST * tl_local_factor_cost(r->contacts)};
    m->V = room, m->y = room + n, m->before = room + 2 * n, m->I = room + 3 * n;
    TL_TRY(tl_local_rows_assemble(r, step, &def));
    const talus_status status = tl_local_from(step->memory, &def, &m->local, &error);
    if (status == TALUS_MEMORY) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", r->contacts);
    if (status != TALUS_OK) return TALUS_OK;
    m->local.unit = 1; /* errors in m/s */
    m->contacts = r->contacts;
    return TALUS_OK;
}

/* The contacts of group k, if there are not too many. */
static talus_status make_machine(const tl_coupled_source *s, const tl_coupled_groups *all, int k, const int *contact, tl_step *step)
{
    tl_local_rows r;
    int own[TL_GROUP_CONTACTS], member[TL_GROUP_CONTACTS], n = 0;
    for (int i = 0; i < s->coupleds; i++) {
        if (all->of[i] != k) continue;
        if (n == TL_GROUP_CONTACTS) return TALUS_OK;
        own[n] = contact[i], member[n++] = i;
    }
    if (n < 2) return TALUS_OK;
    TL_TRY(tl_local_rows_begin(&r, s->dimension, &(tl_local_members){s->contacts, s->bodies + s->matters, NULL, 0, own, n}, step));
    for (int i = 0; i < n; i++) TL_TRY(s->add(s->problem, member[i], &r, step));
    return form(&all->group[k], &r, member, s->tolerance, 0.25 * s->contacts / all->count, step);
}

talus_status tl_coupled_groups_make(const tl_coupled_source *s, tl_step *step, tl_coupled_groups *out)
{
    int *contact = tl_arena_alloc(step->arena, (size_t)s->coupleds + 1, sizeof *contact);
    *out = (tl_coupled_groups){.of = tl_arena_alloc(step->arena, (size_t)s->coupleds + 1, sizeof *out->of)};
    if (!contact || !out->of) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", s->coupleds);
    TL_TRY(find_machines(s, step, contact, out));
    out->group = tl_arena_zero(step->arena, (size_t)out->count + 1, sizeof *out->group);
    if (!out->group) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d groups of contacts", out->count);
    for (int k = 0; k < out->count; k++) TL_TRY(make_machine(s, out, k, contact, step));
    return TALUS_OK;
}

void tl_coupled_groups_destroy(tl_coupled_groups *all)
{
    for (int k = 0; k < all->count; k++)
        if (all->group && all->group[k].local.contacts > 0) tl_local_destroy(&all->group[k].local);
    all->count = 0;
}

/* ---- the solution ----------------------------------------------------------------------------------------------------------- */

/* q = σ V − W y, so that W I + q is the velocity at I; I begins at y. */
static void put_in(tl_coupled_group *m)
{
    tl_local *p = &m->local;
    for (int i = 0; i < m->contacts; i++)
        for (int k = 0; k < 3; k++) p->q[i][k] = 0, p->I[i][k] = m->y[i][k] / p->sigma[i];
    tl_local_velocity(p, (const double(*)[3])p->I, m->I);
    for (int i = 0; i < m->contacts; i++)
        for (int k = 0; k < 3; k++) p->q[i][k] = p->sigma[i] * m->V[i][k] - m->I[i][k];
}

/* Impulses, and how far they turned back: −(I − y)·W (I − I_before). */
static void take_out(tl_coupled_group *m)
{
    tl_local *p = &m->local;
    double change[TL_GROUP_CONTACTS][3], effect[TL_GROUP_CONTACTS][3];
    m->reversal = 0;
    for (int i = 0; i < m->contacts; i++)
        for (int k = 0; k < 3; k++) {
            m->I[i][k] = p->I[i][k] * p->sigma[i];
            change[i][k] = (m->I[i][k] - m->before[i][k]) / p->sigma[i];
            p->q[i][k] = 0;
        }
    tl_local_velocity(p, (const double(*)[3])change, effect);
    for (int i = 0; i < m->contacts; i++)
        for (int k = 0; k < 3; k++) m->reversal -= (m->I[i][k] - m->y[i][k]) / p->sigma[i] * effect[i][k];
}

void tl_coupled_group_solve(tl_coupled_group *m)
{
    double visits;
    m->solved = false;
    if (m->contacts == 0 || (m->credit += m->earns) < 0) return;
    put_in(m);
    m->solved = tl_local_exactly(&m->local, 0.1 * m->tolerance, 40, (double)INFINITY, &visits);
    m->credit -= visits;
    if (m->solved) {
        tl_local_sweep_strictly(&m->local);
        m->solved = tl_local_error_now(&m->local) <= m->tolerance;
    }
    if (m->solved) take_out(m);
    else m->contacts = 0;
}
