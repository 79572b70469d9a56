/* The contacts of mechanisms alone, as a whole (machine.h). */
#include "solve/machine.h"

#include <math.h>
#include <string.h>

static talus_status make_room(tl_machine *m, int contacts, int coupleds, tl_step *step)
{
    const size_t n = (size_t)contacts;
    double(**const part[])[3] = {&m->V, &m->y, &m->before, &m->I};
    double(*room)[3] = tl_arena_alloc(step->arena, 4 * n, sizeof *room);
    m->is_member = tl_arena_zero(step->arena, (size_t)coupleds, sizeof *m->is_member);
    if (!room || !m->is_member) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", contacts);
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) *part[i] = room + i * n;
    for (int i = 0; i < contacts; i++) m->is_member[m->member[i]] = true;
    return TALUS_OK;
}

talus_status tl_machine_make(const tl_local_rows *r, const int *member, int coupleds, double tolerance, tl_step *step, tl_machine *m)
{
    talus_problem_def def;
    *m = (tl_machine){.member = member, .tolerance = tolerance};
    if (r->contacts < 2 || r->contacts > TL_MACHINE_CONTACTS) return TALUS_OK;
    TL_TRY(make_room(m, r->contacts, coupleds, step));
    TL_TRY(tl_local_rows_assemble(r, step, &def));
    TL_TRY(tl_local_from(step->memory, &def, &m->local, step->error));
    m->local.unit = 1; /* errors in m/s */
    m->contacts = r->contacts;
    return TALUS_OK;
}

void tl_machine_destroy(tl_machine *m)
{
    if (m->local.contacts > 0) tl_local_destroy(&m->local);
    m->contacts = 0;
}

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

bool tl_machine_solve(tl_machine *m)
{
    static const struct {
        tl_local_solver *solve;
        int most;
    } TURN[] = {{tl_local_nlgs, 20}, {tl_local_interior_point, 40}, {tl_local_newton, 30}, {tl_local_proximal, 30}};
    tl_error error;
    tl_local_task task = {.tolerance = 0.1 * m->tolerance, .deadline = (double)INFINITY};
    bool done = false;
    put_in(m);
    for (size_t i = 0; !done && i < sizeof TURN / sizeof *TURN; i++) {
        task.max_iterations = TURN[i].most;
        if (TURN[i].solve(&m->local, &task, &error) != TALUS_OK) break;
        done = tl_local_error_now(&m->local) <= task.tolerance;
    }
    if (done) take_out(m);
    else m->contacts = 0;
    return done;
}
