/* Moreau–Jean time stepping (MECHANICS §4.1; D20 eq. 28-30 and Algorithm 1):
 *
 *     q_m = q_n ⊕ (1−θ) h v_n
 *     v_{n+1} = v_n + M̃(q_m)⁻¹ (h f + H(q_m) I),   law(V, I) for every contact
 *     q_{n+1} = q_m ⊕ θ h v_{n+1}
 *
 * Every stage before commit writes scratch only: a step that fails leaves the state at t_n. */
#include <string.h>

#include "step/system2.h"

enum { ROUNDS = 2 };

/* q_m, M̃(q_m), v_free = v_n + M̃⁻¹ h f */
static talus_status predict(tl_system2 *s)
{
    s->outcome = (tl_outcome){.converged = true};
    s->pose = tl_arena_alloc(s->step.arena, (size_t)s->contactors, sizeof *s->pose);
    s->speed = tl_arena_alloc(s->step.arena, (size_t)s->contactors, sizeof *s->speed);
    if (!s->pose || !s->speed) return tl_fail(s->step.error, TALUS_MEMORY, "no memory for %d contactors", s->contactors);
    for (int i = 0; i < s->contactors; i++) /* links at q_n: detect bounds their speed by their way to q_m */
        if (s->contactor_place[i].matter != 0) s->pose[i] = tl_system2_pose(s, s->contactor_place[i]);
    for (int m = 0; m < s->matters; m++) TL_TRY(s->matter[m]->ops->predict(s->matter[m], &s->step));
    return TALUS_OK;
}

/* max(‖g‖ h, rms speed): what a relative tolerance is relative to. */
static double typical_velocity(const tl_system2 *s)
{
    double energy = 0;
    for (int m = 0; m < s->matters; m++) {
        double kinetic, potential;
        s->matter[m]->ops->energy(s->matter[m], s->step.gravity, &kinetic, &potential);
        energy += kinetic;
    }
    const double *g = s->step.gravity, fall = s->step.h * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    return fmax(fall, s->mass > 0 ? sqrt(2 * energy / s->mass) : 0);
}

/* Rows of H, V_free, the shifts of the laws */
static talus_status bind(tl_system2 *s)
{
    tl_problem2 *p = &s->problem;
    s->v = tl_arena_zero(s->step.arena, (size_t)s->matters, sizeof *s->v);
    if (!s->v) return tl_fail(s->step.error, TALUS_MEMORY, "no memory for the velocities");
    for (int m = 1; m < s->matters; m++) {
        s->v[m] = tl_arena_alloc(s->step.arena, (size_t)s->matter[m]->nv + 1, sizeof **s->v);
        if (!s->v[m]) return tl_fail(s->step.error, TALUS_MEMORY, "no memory for the velocities");
        memcpy(s->v[m], s->matter[m]->v_free, (size_t)s->matter[m]->nv * sizeof **s->v);
    }
    *p = (tl_problem2){
        .bodies = s->grains->n,
        .q = s->grains->q_m,
        .v_free = s->grains->v_free,
        .v_before = s->grains->v,
        .inverse_mass = s->grains->inverse_mass,
        .inverse_inertia = s->grains->inverse_inertia,
        .v = s->v,
        .matter = s->matter,
        .matters = s->matters,
        .contact = s->contact_next,
        .contacts = s->next_count,
        .h = s->step.h,
        .tolerance = s->tolerance > 0 ? s->tolerance : fmax(1e-4 * typical_velocity(s), 1e-12),
        .slop = s->slop,
        .max_iterations = s->max_iterations,
        .acceptable = s->acceptable,
    };
    return tl_problem2_bind(p, &s->step);
}

/* Contacts that share no grain side by side */
static talus_status color(tl_system2 *s) { return tl_problem2_color(&s->problem, &s->step); }

/* Impulses to tolerance. Where they make a grain meet one that was not in the problem, that contact joins it. */
static talus_status solve(tl_system2 *s)
{
    tl_outcome *out = &s->outcome;
    bool more = true;
    for (int round = 0; more; round++) {
        if (round > 0) {
            TL_TRY(bind(s));
            TL_TRY(color(s));
        }
        TL_TRY(tl_nlgs2_solve(&s->problem, &s->step));
        out->iterations += s->problem.iterations;
        more = false;
        if (round < ROUNDS) TL_TRY(tl_contacts2_overtake(s, &more));
    }
    out->contacts = s->next_count;
    out->residual = s->problem.residual;
    out->tolerance = s->problem.tolerance;
    out->converged = s->problem.converged;
    for (int i = 0; i < s->next_count; i++) {
        const tl_contact2 *c = &s->contact_next[i];
        out->touching += c->I[0] > 0;
        out->penetration = fmax(out->penetration, -c->gap);
    }
    return TALUS_OK;
}

/* MECHANICS §6.4: only where penetration has crept beyond the slop */
static talus_status correct_drift(tl_system2 *s, tl_twist2 **w_grains, double **w)
{
    *w_grains = NULL;
    bool deep = false;
    for (int i = 0; i < s->next_count && !deep; i++) deep = s->contact_next[i].gap + s->step.h * s->contact_next[i].V[0] < -s->slop;
    if (!s->correct_drift || !deep) return TALUS_OK;
    *w_grains = tl_arena_zero(s->step.arena, (size_t)s->grains->n + 1, sizeof **w_grains);
    if (!*w_grains) return tl_fail(s->step.error, TALUS_MEMORY, "no memory for the drift correction");
    for (int m = 1; m < s->matters; m++) {
        w[m] = tl_arena_zero(s->step.arena, (size_t)s->matter[m]->nv + 1, sizeof **w);
        if (!w[m]) return tl_fail(s->step.error, TALUS_MEMORY, "no memory for the drift correction");
    }
    return tl_drift2_solve(&s->problem, &s->step, *w_grains, w);
}

/* v_{n+1}, q_{n+1} = q_m ⊕ θ h v_{n+1}, dependent coordinates, reactions */
static talus_status finish(tl_system2 *s)
{
    tl_problem2 *p = &s->problem;
    tl_twist2 *w_grains, *v = tl_arena_alloc(s->step.arena, (size_t)p->bodies + 1, sizeof *v);
    double **w = tl_arena_zero(s->step.arena, (size_t)s->matters, sizeof *w);
    if (!v || !w) return tl_fail(s->step.error, TALUS_MEMORY, "no memory for %d bodies", p->bodies);
    TL_TRY(correct_drift(s, &w_grains, w));
    for (int i = 0; i < p->bodies; i++) {
        const bool turns = p->j[i] > 0;
        v[i] = (tl_twist2){p->s[i] * p->row[i].x, p->s[i] * p->row[i].y, turns ? p->j[i] * p->row[i].w : p->v_free[i].w};
    }
    for (int i = 0; i < p->coupleds; i++) {
        const tl_coupled2 *k = &p->coupled[i];
        for (int side = 0; side < 2; side++) {
            const double sign = side == 0 ? -1 : 1;
            tl_matter *m = s->matter[k->matter[side]];
            if (k->matter[side] != 0) m->ops->accumulate(m, &k->port[side], (double[3]){sign * k->I[0], sign * k->I[1], 0});
        }
    }
    TL_TRY(s->matter[0]->ops->finish(s->matter[0], &s->step, &v[0].x, w_grains ? &w_grains[0].x : NULL));
    for (int m = 1; m < s->matters; m++) TL_TRY(s->matter[m]->ops->finish(s->matter[m], &s->step, s->v[m], w[m]));
    return TALUS_OK;
}

/* q, v ← t + h: the only writer of the state */
static talus_status commit(tl_system2 *s)
{
    for (int m = 0; m < s->matters; m++) s->matter[m]->ops->commit(s->matter[m], &s->step);
    const tl_memo2 memo = s->memo;
    s->memo = s->memo_next;
    s->memo_next = memo;
    tl_contact2 *contact = s->contact;
    const int capacity = s->contact_capacity;
    s->contact = s->contact_next;
    s->contact_capacity = s->next_capacity;
    s->contact_count = s->next_count;
    s->contact_next = contact;
    s->next_capacity = capacity;
    return TALUS_OK;
}

const tl_stage TL_MOREAU2[TL_STAGES] = {
    {"predict", predict},                /* q_m, M̃, v_free                      MECHANICS §4.1 */
    {"detect", tl_contacts2_detect},     /* pairs, touches, sorted by key       §6             */
    {"bind", bind},                      /* rows of H, ports of other matter    §1             */
    {"color", color},                    /* contacts that share no grain                       */
    {"solve", solve},                    /* impulses to tolerance               §5             */
    {"finish", finish},                  /* v⁺, q⁺, loops closed; may fail      §3             */
    {"remember", tl_contacts2_remember}, /* impulses for the next warm start                 */
    {"commit", commit},                  /* the state moves; cannot fail                       */
};
