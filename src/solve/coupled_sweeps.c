/* Coupled contacts in sweeps (coupled_sweeps.h). */
#include "solve/coupled_sweeps.h"

#include <string.h>

talus_status tl_coupled_sweeps_begin(tl_coupled_sweeps *s, tl_problem *p, const tl_hub_ops *hubs, tl_step *step)
{
    *s = (tl_coupled_sweeps){.problem = p};
    TL_TRY(tl_local_rows_copy(p->v, p->matter, p->matters, step, &s->v));
    s->before = tl_arena_alloc(step->arena, (size_t)p->coupleds + 1, sizeof *s->before);
    if (!s->before) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->contacts);
    for (int i = 0; i < p->coupleds; i++) memcpy(s->before[i], p->coupled[i].I, sizeof s->before[i]);
    TL_TRY(tl_hubs_make(hubs, p, step, &s->hubs));
    return tl_coupled_groups_make(p, step, &s->groups);
}

void tl_coupled_sweeps_destroy(tl_coupled_sweeps *s) { tl_coupled_groups_destroy(&s->groups); }

/* Sweeps after which ports are told, at the latest: between looks at the error there can be hundreds. */
enum { TELL = 32 };

static void tell(tl_coupled_sweeps *s)
{
    tl_stand_ins_tell(&s->problem->given, s->v);
    s->since = 0;
}

bool tl_coupled_sweeps_extrapolate(tl_coupled_sweeps *s, double beta)
{
    const tl_problem *p = s->problem;
    if (s->since >= TELL) tell(s);
    for (int m = 1; m < p->matters; m++) tl_extrapolate(p->v[m], s->v[m], beta, 0, p->matter[m]->nv);
    return s->since++ == 0;
}

/* The contacts of a group as a whole, where it can. */
static void solve_group(tl_coupled_sweeps *s, double beta, tl_coupled_group *own)
{
    tl_problem *p = s->problem;
    const tl_velocities v = tl_problem_velocities(p);
    for (int i = 0; i < own->contacts; i++) {
        const tl_coupled *k = &p->coupled[own->member[i]];
        const double *before = s->before[own->member[i]];
        p->ops->velocity(p, k, &v, own->V[i]);
        for (int axis = 0; axis < 3; axis++) {
            own->V[i][axis] += k->shift[axis];
            own->y[i][axis] = k->I[axis] + beta * (k->I[axis] - before[axis]);
            own->before[i][axis] = k->I[axis];
        }
    }
    tl_coupled_group_solve(own);
    for (int i = 0; own->solved && i < own->contacts; i++) {
        tl_coupled *k = &p->coupled[own->member[i]];
        double change[3];
        for (int axis = 0; axis < 3; axis++) change[axis] = own->I[i][axis] - own->y[i][axis];
        memcpy(s->before[own->member[i]], k->I, sizeof k->I);
        memcpy(k->I, own->I[i], sizeof k->I);
        p->ops->impulse(p, k, &v, change);
    }
}

double tl_coupled_sweeps_wholes(tl_coupled_sweeps *s, double beta)
{
    double reversal = 0;
    for (int k = 0; k < s->groups.count; k++) {
        solve_group(s, beta, &s->groups.group[k]);
        if (s->groups.group[k].solved) reversal += s->groups.group[k].reversal;
    }
    for (int k = 0; k < s->hubs.count; k++) reversal += tl_hub_solve(&s->hubs, &s->hubs.hub[k], s->before, beta);
    return reversal;
}

void tl_coupled_sweeps_errors(tl_coupled_sweeps *s, tl_step *step, tl_sweeps_errors *e)
{
    const tl_problem *p = s->problem;
    tell(s);
    e->largest = p->ops->packs->residual(s->problem, step);
    e->mean = p->residual_mean;
    e->suffices = tl_problem_suffices(p);
}

double tl_problem_sweep_blocks(tl_problem *p, double beta, bool keeps)
{
    const tl_velocities v = tl_problem_velocities(p);
    return p->blocks && p->blocks->count > 0 ? tl_blocks_sweep(p->blocks, &v, beta, keeps) : 0;
}

talus_status tl_coupled_sweeps_run(tl_coupled_sweeps *s, tl_sweeps *sweeps, const tl_step *step)
{
    tl_problem *p = s->problem;
    TL_TRY(tl_sweeps_run(sweeps, step));
    p->iterations = sweeps->iterations;
    p->residual = sweeps->error;
    p->converged = p->residual <= tl_problem_suffices(p);
    return TALUS_OK;
}
