/* The spatial parts of a step's stages. */
#include "step/system3.h"

static talus_status begin(tl_system *base)
{
    tl_system3 *s = (tl_system3 *)base;
    s->pose = tl_arena_alloc(base->step.arena, (size_t)base->contactors, sizeof *s->pose);
    s->speed = tl_arena_alloc(base->step.arena, (size_t)base->contactors, sizeof *s->speed);
    if (!s->pose || !s->speed) return tl_fail(base->step.error, TALUS_MEMORY, "no memory for %d contactors", base->contactors);
    for (int i = 0; i < base->contactors; i++) /* links at q_n: detect bounds their speed by their way to q_m */
        if (base->contactor_place[i].matter != 0) s->pose[i] = tl_system3_frame(s, base->contactor_place[i]);
    return TALUS_OK;
}

static talus_status bind(tl_system *base)
{
    tl_system3 *s = (tl_system3 *)base;
    s->problem = (tl_problem3){
        .bodies = s->grains->n,
        .frame = s->grains->frame_m,
        .v_free = s->grains->v_free,
        .v_before = s->grains->v,
        .inverse_mass = s->grains->inverse_mass,
        .inverse_inertia = s->grains->inverse_inertia,
        .v = base->v,
        .matter = base->matter,
        .matters = base->matters,
        .contact = s->contact_next,
        .contacts = s->next_count,
        .h = base->step.h,
        .tolerance = base->outcome.tolerance,
        .slop = base->slop,
        .max_iterations = base->max_iterations,
        .acceptable = base->acceptable,
    };
    return tl_problem3_bind(&s->problem, &base->step);
}

static talus_status color(tl_system *base) { return tl_problem3_color(&((tl_system3 *)base)->problem, &base->step); }

static talus_status solve(tl_system *base)
{
    tl_problem3 *p = &((tl_system3 *)base)->problem;
    TL_TRY(tl_nlgs3_solve(p, &base->step));
    base->outcome.iterations += p->iterations;
    base->outcome.residual = p->residual;
    base->outcome.converged = p->converged;
    return TALUS_OK;
}

static void tally(tl_system *base)
{
    const tl_system3 *s = (const tl_system3 *)base;
    tl_outcome *out = &base->outcome;
    out->contacts = s->next_count;
    for (int i = 0; i < s->next_count; i++) {
        const tl_contact3 *c = &s->contact_next[i];
        out->touching += c->I[0] > 0;
        out->penetration = fmax(out->penetration, -c->gap);
    }
}

/* MECHANICS §6.4: only where penetration has crept beyond the slop */
static talus_status correct_drift(tl_system3 *s, tl_twist3 **w_grains, double **w)
{
    tl_system *base = &s->base;
    *w_grains = NULL;
    bool deep = false;
    for (int i = 0; i < s->next_count && !deep; i++) deep = s->contact_next[i].gap + base->step.h * s->contact_next[i].V[0] < -base->slop;
    if (!base->correct_drift || !deep) return TALUS_OK;
    *w_grains = tl_arena_zero(base->step.arena, (size_t)s->grains->n + 1, sizeof **w_grains);
    if (!*w_grains) return tl_fail(base->step.error, TALUS_MEMORY, "no memory for the drift correction");
    for (int m = 1; m < base->matters; m++) {
        w[m] = tl_arena_zero(base->step.arena, (size_t)base->matter[m]->nv + 1, sizeof **w);
        if (!w[m]) return tl_fail(base->step.error, TALUS_MEMORY, "no memory for the drift correction");
    }
    return tl_drift3_solve(&s->problem, &base->step, *w_grains, w);
}

static talus_status finish(tl_system *base, const double **v_grains, const double **w_grains, double **w)
{
    tl_system3 *s = (tl_system3 *)base;
    const tl_problem3 *p = &s->problem;
    tl_twist3 *correction, *v = tl_arena_alloc(base->step.arena, (size_t)p->bodies + 1, sizeof *v);
    if (!v) return tl_fail(base->step.error, TALUS_MEMORY, "no memory for %d bodies", p->bodies);
    TL_TRY(correct_drift(s, &correction, w));
    for (int i = 0; i < p->bodies; i++) v[i] = tl_problem3_velocity(p, i);
    tl_problem3_accumulate(p);
    *v_grains = &v[0].v.x;
    *w_grains = correction ? &correction[0].v.x : NULL;
    return TALUS_OK;
}

static void commit(tl_system *base)
{
    tl_system3 *s = (tl_system3 *)base;
    tl_contact3 *contact = s->contact;
    const int capacity = s->contact_capacity;
    s->contact = s->contact_next;
    s->contact_capacity = s->next_capacity;
    base->contact_count = s->next_count;
    s->contact_next = contact;
    s->next_capacity = capacity;
}

const tl_space TL_SPACE = {begin, tl_contacts3_detect, bind, color, solve, tl_contacts3_overtake, tl_contacts3_remember, tally, finish, commit};
