/* The contacts of mechanisms alone, as a whole (machine.h). */
#include "solve/machine.h"

#include <math.h>
#include <string.h>

/* ---- which ---------------------------------------------------------------------------------------------------------------- */

talus_status tl_machine_list_make(int coupleds, tl_step *step, tl_machine_list *l)
{
    const size_t n = (size_t)coupleds + 1;
    *l = (tl_machine_list){.contact = tl_arena_alloc(step->arena, n, sizeof *l->contact),
                           .member = tl_arena_alloc(step->arena, n, sizeof *l->member),
                           .part = tl_arena_alloc(step->arena, n, sizeof *l->part),
                           .matter = tl_arena_alloc(step->arena, n, sizeof *l->matter)};
    return l->contact && l->member && l->part && l->matter ? TALUS_OK : tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", coupleds);
}

static int root_of(int *parent, int k)
{
    while (parent[k] != k) k = parent[k] = parent[parent[k]];
    return k;
}

talus_status tl_machines_make(tl_machine_list *l, int matters, int coupleds, tl_step *step, tl_machines *out)
{
    int *parent = tl_arena_alloc(step->arena, 2 * (size_t)matters, sizeof *parent), *number = parent + matters;
    *out = (tl_machines){.of = tl_arena_alloc(step->arena, (size_t)coupleds + 1, sizeof *out->of)};
    if (!parent || !out->of) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", coupleds);
    for (int k = 0; k < matters; k++) parent[k] = k, number[k] = -1;
    for (int i = 0; i < coupleds; i++) out->of[i] = -1;
    for (int i = 0; i < l->count; i++)
        if (l->matter[i][0] != 0 && l->matter[i][1] != 0) parent[root_of(parent, l->matter[i][0])] = root_of(parent, l->matter[i][1]);
    for (int i = 0; i < l->count; i++) {
        const int root = root_of(parent, l->matter[i][l->matter[i][0] != 0 ? 0 : 1]);
        if (number[root] < 0) number[root] = out->count++;
        l->part[i] = out->of[l->member[i]] = number[root];
    }
    out->machine = tl_arena_zero(step->arena, (size_t)out->count + 1, sizeof *out->machine);
    return out->machine ? TALUS_OK : tl_fail(step->error, TALUS_MEMORY, "no memory for %d machines", out->count);
}

int tl_machine_pick(const tl_machine_list *l, int k, int contact[TL_MACHINE_CONTACTS + 1], int member[TL_MACHINE_CONTACTS + 1])
{
    int n = 0;
    for (int i = 0; i < l->count && n <= TL_MACHINE_CONTACTS; i++)
        if (l->part[i] == k) contact[n] = l->contact[i], member[n++] = l->member[i];
    return n;
}

/* ---- W -------------------------------------------------------------------------------------------------------------------- */

/* What an iteration takes, in visits of a contact: a sweep and a look at the error; a factor of W and what goes with it. */
static double cost_of_sweep(int contacts) { return 2.0 * contacts; }

static double cost_of_factor(int contacts) { return contacts * (40 + 0.05 * contacts * contacts); }

talus_status tl_machine_make(tl_machine *m, const tl_local_rows *r, const int *member, double tolerance, double earns, tl_step *step)
{
    enum { FIRST = 50 };
    talus_problem_def def;
    tl_error error;
    const size_t n = (size_t)r->contacts;
    double(*room)[3] = tl_arena_alloc(step->arena, 4 * n, sizeof *room);
    int *members = tl_arena_alloc(step->arena, n, sizeof *members);
    if (!room || !members) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", r->contacts);
    memcpy(members, member, n * sizeof *members);
    *m = (tl_machine){.member = members, .tolerance = tolerance, .earns = earns, .credit = FIRST * cost_of_factor(r->contacts)};
    m->V = room, m->y = room + n, m->before = room + 2 * n, m->I = room + 3 * n;
    TL_TRY(tl_local_rows_assemble(r, step, &def));
    const talus_status status = tl_local_from(step->memory, &def, &m->local, &error);
    if (status == TALUS_MEMORY) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", r->contacts);
    if (status != TALUS_OK) return TALUS_OK;
    m->local.unit = 1; /* errors in m/s */
    m->contacts = r->contacts;
    return TALUS_OK;
}

void tl_machines_destroy(tl_machines *all)
{
    for (int k = 0; k < all->count; k++)
        if (all->machine && all->machine[k].local.contacts > 0) tl_local_destroy(&all->machine[k].local);
    all->count = 0;
}

/* ---- the solution ----------------------------------------------------------------------------------------------------------- */

/* q = σ V − W y, so that W I + q is the velocity at I; I begins at y. */
static void put_in(tl_machine *m)
{
    tl_local *p = &m->local;
    for (int i = 0; i < m->contacts; i++)
        for (int k = 0; k < 3; k++) p->q[i][k] = 0, p->I[i][k] = m->y[i][k] / p->sigma[i];
    tl_local_velocity(p, (const double(*)[3])p->I, m->I);
    for (int i = 0; i < m->contacts; i++)
        for (int k = 0; k < 3; k++) p->q[i][k] = p->sigma[i] * m->V[i][k] - m->I[i][k];
}

/* Impulses, and how far they turned back: −(I − y)·W (I − I_before). */
static void take_out(tl_machine *m)
{
    tl_local *p = &m->local;
    double change[TL_MACHINE_CONTACTS][3], effect[TL_MACHINE_CONTACTS][3];
    m->turn = 0;
    for (int i = 0; i < m->contacts; i++)
        for (int k = 0; k < 3; k++) {
            m->I[i][k] = p->I[i][k] * p->sigma[i];
            change[i][k] = (m->I[i][k] - m->before[i][k]) / p->sigma[i];
            p->q[i][k] = 0;
        }
    tl_local_velocity(p, (const double(*)[3])change, effect);
    for (int i = 0; i < m->contacts; i++)
        for (int k = 0; k < 3; k++) m->turn -= (m->I[i][k] - m->y[i][k]) / p->sigma[i] * effect[i][k];
}

void tl_machine_solve(tl_machine *m)
{
    static const struct {
        tl_local_solver *solve;
        int most;
    } TURN[] = {{tl_local_nlgs, 20}, {tl_local_interior_point, 40}, {tl_local_newton, 30}, {tl_local_proximal, 30}};
    tl_error error;
    tl_local_task task = {.tolerance = 0.1 * m->tolerance, .deadline = (double)INFINITY};
    m->solved = false;
    if (m->contacts == 0 || (m->credit += m->earns) < 0) return;
    put_in(m);
    for (size_t i = 0; !m->solved && i < sizeof TURN / sizeof *TURN; i++) {
        task.max_iterations = TURN[i].most;
        if (TURN[i].solve(&m->local, &task, &error) != TALUS_OK) break;
        m->credit -= task.iterations * (i == 0 ? cost_of_sweep(m->contacts) : cost_of_factor(m->contacts));
        m->solved = tl_local_error_now(&m->local) <= task.tolerance;
    }
    if (m->solved) { /* once more one by one, from no λ: what is open has no impulse, and no other leaves its cone */
        memset(m->local.lambda, 0, (size_t)m->contacts * sizeof *m->local.lambda);
        (void)tl_local_sweep(&m->local);
        m->solved = tl_local_error_now(&m->local) <= m->tolerance;
    }
    if (m->solved) take_out(m);
    else m->contacts = 0;
}
