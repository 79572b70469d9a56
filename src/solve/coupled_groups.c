/* The contacts of mechanisms alone, as a whole (coupled_groups.h). */
#include "solve/coupled_groups.h"
#include "base/integers.h"

#include <math.h>
#include <string.h>

/* ---- which ---------------------------------------------------------------------------------------------------------------- */

/* Is it one without grains, that has rows? */
static bool is_own(const tl_coupled *k) { return k->row[0] < 0 && k->row[1] < 0 && (k->matter[0] == 0 || k->H[0]) && (k->matter[1] == 0 || k->H[1]); }

/* Contacts by group: `of` and `count`. */
static talus_status find_machines(const tl_problem *p, tl_step *step, tl_coupled_groups *out)
{
    int *parent = tl_arena_alloc(step->arena, 2 * (size_t)p->matters, sizeof *parent), *number = parent + p->matters;
    if (!parent) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->coupleds);
    for (int k = 0; k < p->matters; k++) parent[k] = k, number[k] = -1;
    for (int i = 0; i < p->coupleds; i++) {
        const int *matter = p->coupled[i].matter;
        out->of[i] = -1;
        if (!is_own(&p->coupled[i])) continue;
        out->of[i] = matter[matter[0] != 0 ? 0 : 1];
        if (matter[0] != 0 && matter[1] != 0) (void)tl_join(parent, matter[0], matter[1]);
    }
    for (int i = 0; i < p->coupleds; i++) {
        if (out->of[i] < 0) continue;
        const int root = tl_root_of(parent, out->of[i]);
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
static talus_status make_machine(const tl_problem *p, const tl_coupled_groups *all, int k, tl_step *step)
{
    tl_local_rows r;
    int own[TL_GROUP_CONTACTS], member[TL_GROUP_CONTACTS], n = 0;
    for (int i = 0; i < p->coupleds; i++) {
        if (all->of[i] != k) continue;
        if (n == TL_GROUP_CONTACTS) return TALUS_OK;
        own[n] = p->coupled[i].contact, member[n++] = i;
    }
    if (n < 2) return TALUS_OK;
    TL_TRY(tl_local_rows_begin(&r, p->ops->axes, &(tl_local_members){p->contacts, p->bodies + p->matters, NULL, 0, own, n}, step));
    for (int i = 0; i < n; i++) TL_TRY(tl_coupled_add_ends(p, &p->coupled[member[i]], &r, step));
    return form(&all->group[k], &r, member, p->solver->tolerance, 0.25 * p->contacts / all->count, step);
}

talus_status tl_coupled_groups_make(const tl_problem *p, tl_step *step, tl_coupled_groups *out)
{
    *out = (tl_coupled_groups){.of = tl_arena_alloc(step->arena, (size_t)p->coupleds + 1, sizeof *out->of)};
    if (!out->of) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->coupleds);
    TL_TRY(find_machines(p, step, out));
    out->group = tl_arena_zero(step->arena, (size_t)out->count + 1, sizeof *out->group);
    if (!out->group) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d groups of contacts", out->count);
    for (int k = 0; k < out->count; k++) TL_TRY(make_machine(p, out, k, step));
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
