/* Moreau–Jean time stepping (theory §4.1; D20 eq. 28-30 and Algorithm 1):
 *
 *     q_m = q_n ⊕ (1−θ) h v_n
 *     v_{n+1} = v_n + M̃(q_m)⁻¹ (h f + H(q_m) I),   law(V, I) for every contact
 *     q_{n+1} = q_m ⊕ θ h v_{n+1}
 *
 * Every stage before commit writes scratch only: a step that fails leaves the state at t_n. What differs between the plane and space is in
 * plane.c and space.c. */
#include <string.h>

#include "step/schemes.h"
#include "step/still.h"

enum { PREDICT, DETECT, BIND, COLOR, SOLVE, FINISH, REMEMBER, COMMIT, STAGES };

static const double CLOSE = 1;    /* of the solver's error [1]: forces that change velocities by less are not taken anew */
static const double GUESS = 0.01; /* of that, at the first look, of gyroscopic moments that were not foreseen, what they miss being made up for at the end */
enum { ROUNDS = 2, REFINEMENTS = 12 };

static talus_status place_mid_step(tl_matter *m, tl_step *step, double theta)
{
    const double early = (1 - theta) * step->h;
    m->theta = theta;
    return m->ops->place(m, step, &(tl_move){.t = step->t + early, .span = early});
}

/* A mechanism whose loops branch there has its mid-step aside. */
talus_status tl_moreau_predict(tl_matter *m, tl_step *step)
{
    const double aside = step->theta < 0.7 ? step->theta + 0.1 : step->theta - 0.1;
    const talus_status placed = place_mid_step(m, step, step->theta);
    if (placed == TALUS_MEMORY) return placed;
    if (placed != TALUS_OK || (m->ops->grazes && m->ops->grazes(m))) TL_TRY(place_mid_step(m, step, aside));
    const bool implicit = step->force_passes > 0 || m->ops->motion; /* the stiffness of what deforms always is */
    if (m->ops->inertia) TL_TRY(m->ops->inertia(m, step, m->theta, implicit ? step->h : 0));
    return m->ops->free_velocity(m, step, m->theta);
}

talus_status tl_moreau_finish(tl_matter *m, tl_step *step, const double *v, const double *w) { return m->ops->arrive(m, step, m->theta, v, w); }

/* Where copies are at q_m in a sheared cell, and how fast they go. */
static talus_status slide_copies(tl_system *s)
{
    tl_cell *c = &s->cell;
    const tl_step *step = &s->step;
    double rate, rate_after;
    if (!c->sheared) return TALUS_OK;
    c->offset = c->length[c->across] * tl_motion_value(&s->shear, step->t + (1 - step->theta) * step->h);
    (void)tl_motion_at(&s->shear, step->t, &rate), (void)tl_motion_at(&s->shear, tl_step_end(step), &rate_after);
    c->before = c->length[c->across] * rate, c->velocity = c->length[c->across] * rate_after;
    if (isfinite(c->offset + c->before + c->velocity)) return TALUS_OK;
    return tl_fail(step->error, TALUS_DIVERGED, "the strain of the sheared cell is not a number at t = %.9g s", step->t);
}

/* q_m, M̃(q_m), v_free = v_n + M̃⁻¹ h f */
talus_status tl_step_predict(tl_system *s)
{
    s->outcome = (tl_outcome){.converged = true};
    s->next_count = 0;
    TL_TRY(slide_copies(s));
    tl_joints_begin(&s->joints);
    TL_TRY(tl_joints_stiffen(s));
    for (int m = 0; m < s->matters; m++) TL_TRY(tl_moreau_predict(s->matter[m], &s->step));
    return TALUS_OK;
}

talus_status tl_step_detect(tl_system *s) { return tl_contacts_detect(s); }

/* By how much the kinetic energy is larger than that of what grains do beyond the flow of a sheared cell. */
static double flow_energy(const tl_system *s)
{
    const tl_cell *c = &s->cell;
    double all = 0, own = 0, mass = 0;
    tl_vec3 sum = {0, 0, 0};
    int grains;
    const talus_body_kind *kind = s->geometry->kinds(s, &grains);
    for (int i = 0; i < grains; i++) {
        if (kind[i] != TALUS_BODY_FREE) continue;
        const double m = s->matter[0]->ops->body_mass(s->matter[0], i).mass;
        tl_vec3 p, v, w;
        s->geometry->motion(s, TL_BEFORE, i, &p, &v, &w);
        all += m * tl_dot(v, v);
        (&v.x)[c->along] -= c->before / c->length[c->across] * (&p.x)[c->across];
        own += m * tl_dot(v, v);
        sum = tl_add(sum, tl_scale(m, v)), mass += m;
    }
    return mass > 0 ? 0.5 * (all - own + tl_dot(sum, sum) / mass) : 0;
}

/* max(‖g‖ h, rms speed): what a relative tolerance is relative to. */
static double typical_velocity(const tl_system *s)
{
    double energy = 0;
    for (int m = 0; m < s->matters; m++) {
        double kinetic, potential;
        s->matter[m]->ops->energy(s->matter[m], s->step.gravity, &kinetic, &potential);
        energy += kinetic;
    }
    if (s->cell.sheared) energy = fmax(0, energy - flow_energy(s));
    const double *g = s->step.gravity, fall = s->step.h * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    return fmax(fall, s->mass > 0 ? sqrt(2 * energy / s->mass) : 0);
}

void tl_step_aim(tl_system *s)
{
    static const double SPEEDS = 1e-4, FORCES = 1e-3, MOST = 0.1;
    const talus_solver_settings *given = &s->def->solver;
    tl_outcome *o = &s->outcome;
    o->tolerance = given->tolerance, o->force_tolerance = given->force_tolerance, o->most_error = 0;
    if (s->step.still > 0) o->tolerance = s->step.still * s->step.h, o->force_tolerance = 0;
    else if (!(given->tolerance > 0) && !(given->force_tolerance > 0)) o->force_tolerance = FORCES;
    if (o->tolerance > 0 && !(o->force_tolerance > 0)) return;
    const double typical = typical_velocity(s);
    if (!(o->tolerance > 0)) o->tolerance = fmax(SPEEDS * typical, 1e-12);
    o->most_error = MOST * typical;
}

static talus_status no_memory(tl_system *s) { return tl_fail(s->step.error, TALUS_MEMORY, "no memory for the velocities"); }

/* A copy of v_free; in the step's memory. */
static double *free_velocity(tl_system *s, int matter)
{
    double *v = tl_arena_alloc(s->step.arena, (size_t)s->matter[matter]->nv + 1, sizeof *v);
    if (v && s->matter[matter]->nv > 0) memcpy(v, s->matter[matter]->v_free, (size_t)s->matter[matter]->nv * sizeof *v);
    return v;
}

/* Do its forces depend on the velocities that contacts leave? */
static bool follows(const tl_matter *m) { return m->ops->refine && !m->steady; }

/* What the impulses of the last step would do to matter from first to end − 1 tells where its mid-step will be: with them forces that depend on
 * velocities see the contacts from the start. */
static talus_status expect(tl_system *s, int first, int end)
{
    const tl_arena_place mark = tl_arena_mark(s->step.arena);
    double **v = tl_arena_zero(s->step.arena, (size_t)s->matters, sizeof *v);
    bool any = false;
    for (int m = first; m < end; m++) any = any || follows(s->matter[m]);
    if (!any) return TALUS_OK;
    for (int m = first; v && m < end; m++)
        if (!(v[m] = free_velocity(s, m))) return no_memory(s);
    if (!v) return no_memory(s);
    if (v[0] && s->geometry->push && !s->geometry->push(s, v[0])) return no_memory(s);
    if (!v[0]) tl_problem_push(s->problem, v);
    for (int m = first; m < end; m++)
        if (follows(s->matter[m])) (void)s->matter[m]->ops->refine(s->matter[m], &s->step, v[m], true);
    if (end == 1) tl_arena_release(s->step.arena, mark); /* grains keep nothing there */
    return TALUS_OK;
}

talus_status tl_step_read_grains(tl_system *s)
{
    if (!s->v[0]) s->v[0] = tl_arena_alloc(s->step.arena, (size_t)s->matter[0]->nv + 1, sizeof **s->v);
    if (!s->v[0]) return no_memory(s);
    s->geometry->velocities(s, s->v[0]);
    return TALUS_OK;
}

/* What joints, ropes over pulleys and cylinders do to a body, and moments of contacts, is not foreseen: its gyroscopic moments are those of another motion. */
static bool is_unforeseen(const tl_system *s) { return s->joints.constraints > 0 || s->resists; }

/* Are the forces that depend on velocities those of the motion as it has been solved? Else they follow it, and more is to be solved; where there is to be
 * no more, what they miss is an error of the step. */
static talus_status refine(tl_system *s, bool first, bool last, bool *more)
{
    const double close = CLOSE * fmax(s->outcome.tolerance, s->outcome.residual);
    const bool unforeseen = is_unforeseen(s);
    double change = 0;
    bool far = false;
    TL_TRY(tl_step_read_grains(s));
    for (int m = 0; m < s->matters; m++) {
        if (!follows(s->matter[m])) continue;
        const double own = s->matter[m]->ops->refine(s->matter[m], &s->step, s->v[m], false);
        far = far || own > (first && m == 0 && unforeseen ? GUESS : 1) * close;
        change = fmax(change, own);
    }
    if (!isfinite(change)) return TALUS_DIVERGED; /* the matter has said why */
    *more = far && !last;
    if (change > close && last) s->outcome.residual = change, s->outcome.converged = s->outcome.converged && change <= s->outcome.suffices;
    for (int m = 0; *more && m < s->matters; m++)
        if (follows(s->matter[m])) (void)s->matter[m]->ops->refine(s->matter[m], &s->step, s->v[m], true);
    return TALUS_OK;
}

talus_status tl_step_start_velocities(tl_system *s)
{
    s->v = tl_arena_zero(s->step.arena, (size_t)s->matters, sizeof *s->v);
    if (!s->v) return no_memory(s);
    for (int m = 1; m < s->matters; m++)
        if (!(s->v[m] = free_velocity(s, m))) return no_memory(s);
    return TALUS_OK;
}

/* Constraints of joints, where matter is. */
static talus_status make_constraints(tl_system *s)
{
    const tl_step *step = &s->step;
    TL_TRY(tl_step_start_velocities(s));
    TL_TRY(tl_joints_make(s, step->t + (1 - step->theta) * step->h, tl_step_end(step)));
    if (step->still > 0) tl_still_constraints(s);
    if (s->scheme->relax) s->scheme->relax(s);
    return TALUS_OK;
}

/* Rows of H, V_free, the shifts of the laws */
static talus_status bind_problem(tl_system *s)
{
    TL_TRY(make_constraints(s));
    return s->geometry->bind(s);
}

talus_status tl_step_bind(tl_system *s)
{
    const double before = s->outcome.tolerance; /* of impacts, if there were any */
    tl_step_aim(s);
    s->outcome.tolerance = fmax(s->outcome.tolerance, before);
    s->step.close = CLOSE * s->outcome.tolerance;
    TL_TRY(make_constraints(s));
    if (s->matter[0]->ops->refine) TL_TRY(expect(s, 0, 1));
    TL_TRY(s->geometry->bind(s));
    if (s->matters == 1) return TALUS_OK;
    TL_TRY(expect(s, 1, s->matters));
    for (int m = 1; m < s->matters; m++) memcpy(s->v[m], s->matter[m]->v_free, (size_t)s->matter[m]->nv * sizeof **s->v);
    return TALUS_OK;
}

/* Contacts that share no grain side by side */
talus_status tl_step_color(tl_system *s) { return s->geometry->color(s); }

talus_status tl_step_solve(tl_system *s)
{
    const tl_problem *p = s->problem;
    TL_TRY(tl_problem_solve(s->problem, &s->step));
    s->outcome.iterations += p->iterations;
    s->outcome.residual = p->residual;
    s->outcome.residual_mean = p->residual_mean;
    s->outcome.impulse_mean = p->impulse_mean;
    s->outcome.suffices = tl_problem_suffices(p);
    s->outcome.converged = p->converged;
    if (p->gained > s->outcome.gained) {
        const tl_contact *c = &p->contact[p->gained_at];
        s->outcome.gained = p->gained, s->outcome.gained_a = c->contactor_a, s->outcome.gained_b = c->contactor_b;
    }
    return TALUS_OK;
}

/* Impulses to tolerance. Pairs that they make meet and that were not in the problem join it; where they show that forces
 * were taken at the velocities of another motion, these are taken anew; the state of laws follows them. Then it is bound,
 * coloured and solved again. */
talus_status tl_step_solve_all(tl_system *s)
{
    const struct tl_stages_at at = s->scheme->at;
    bool more = true;
    for (int round = 0, refinements = 0, updates = 0, losses = 0; more; round++) {
        if (round > 0) {
            tl_stage_begin(s, at.bind);
            TL_TRY(bind_problem(s));
            tl_stage_begin(s, at.color);
            TL_TRY(tl_step_color(s));
            tl_stage_begin(s, at.solve);
        }
        s->step.again = round > 0;
        TL_TRY(tl_step_solve(s));
        more = false;
        if (losses < TL_LOSSES) TL_TRY(tl_contacts_lose_blows(s, &more));
        losses += more;
        if (more) continue;
        tl_stage_begin(s, at.detect);
        TL_TRY(tl_contacts_overtake(s, round - refinements - updates - losses >= ROUNDS, &more));
        tl_stage_begin(s, at.bind);
        if (!more) {
            TL_TRY(refine(s, refinements == 0, refinements == REFINEMENTS, &more));
            refinements += more;
        }
        if (!more) {
            TL_TRY(tl_pairs_update(s, &more));
            updates += more;
        }
    }
    return TALUS_OK;
}

/* What grains gain in their weight's field by the correction. */
static void add_drift_energy(tl_system *s, const double *w)
{
    const tl_problem *p = s->problem;
    const int rates = p->bodies > 0 ? s->matter[0]->nv / p->bodies : 0;
    for (int i = 0; i < p->bodies; i++) {
        double fall = 0;
        for (int k = 0; k < s->geometry->dimension; k++) fall += s->step.gravity[k] * w[rates * i + k];
        if (p->inverse_mass[i] > 0) s->outcome.drift_energy -= s->step.h * fall / p->inverse_mass[i];
    }
}

/* theory §6.4: only where penetration has crept beyond the slop; else no matter has a correction. */
static talus_status correct_drift(tl_system *s, double **w)
{
    if ((!s->def->correct_drift && !(s->step.still > 0)) || !tl_contacts_are_deep(s)) return TALUS_OK;
    for (int m = 0; m < s->matters; m++) {
        w[m] = tl_arena_zero(s->step.arena, (size_t)s->matter[m]->nv + 1, sizeof **w);
        if (!w[m]) return tl_fail(s->step.error, TALUS_MEMORY, "no memory for the drift correction");
    }
    TL_TRY(s->geometry->drift(s, w));
    add_drift_energy(s, w[0]);
    return TALUS_OK;
}

/* Velocities of grains, with what gyroscopic moments miss that were not foreseen. It has the same sign in each step and would add up: so the body gets it,
 * which keeps its angular momentum, and its joints take up in the next step what that parts them by, less than the tolerance. */
talus_status tl_step_end_grains(tl_system *s)
{
    tl_matter *m = s->matter[0];
    TL_TRY(tl_step_read_grains(s));
    if (!follows(m) || !is_unforeseen(s) || !s->outcome.converged) return TALUS_OK;
    double *before = free_velocity(s, 0);
    if (!before) return no_memory(s);
    (void)m->ops->refine(m, &s->step, s->v[0], true);
    for (int i = 0; i < m->nv; i++) s->v[0][i] += m->v_free[i] - before[i];
    return TALUS_OK;
}

/* v_{n+1}, q_{n+1} = q_m ⊕ θ h v_{n+1}, dependent coordinates, reactions */
static talus_status finish(tl_system *s)
{
    double **w = tl_arena_zero(s->step.arena, (size_t)s->matters, sizeof *w);
    if (!w) return no_memory(s);
    tl_contacts_tally(s);
    TL_TRY(tl_contacts_weigh(s));
    tl_problem_accumulate(s->problem); /* before positions are corrected, for which what is solved together has impulses of its own */
    TL_TRY(correct_drift(s, w));
    TL_TRY(tl_step_end_grains(s));
    for (int m = 0; m < s->matters; m++) TL_TRY(tl_moreau_finish(s->matter[m], &s->step, s->v[m], w[m]));
    return TALUS_OK;
}

talus_status tl_step_remember(tl_system *s) { return tl_contacts_remember(s); }

/* q, v ← t + h: the only writer of the state */
talus_status tl_step_commit(tl_system *s)
{
    for (int m = 0; m < s->matters; m++) s->matter[m]->ops->commit(s->matter[m], &s->step);
    tl_pairs_part(s);
    const tl_memo pairs = s->pairs, moments = s->moments;
    s->pairs = s->pairs_next, s->moments = s->moments_next;
    s->pairs_next = pairs, s->moments_next = moments;
    tl_joints_commit(s);
    tl_contacts_commit(s);
    return TALUS_OK;
}

static const tl_stage STAGE[STAGES] = {
    [PREDICT] = {"predict", tl_step_predict},    /* q_m, M̃, v_free                      theory §4.1 */
    [DETECT] = {"detect", tl_step_detect},       /* pairs, touches, sorted by key       theory §6   */
    [BIND] = {"bind", tl_step_bind},             /* rows of H, ports of other matter    theory §1   */
    [COLOR] = {"color", tl_step_color},          /* contacts that share no grain                    */
    [SOLVE] = {"solve", tl_step_solve_all},      /* impulses to tolerance               theory §5   */
    [FINISH] = {"finish", finish},               /* v⁺, q⁺, loops closed; may fail      theory §3   */
    [REMEMBER] = {"remember", tl_step_remember}, /* impulses for the next warm start                */
    [COMMIT] = {"commit", tl_step_commit},       /* the state moves; cannot fail                    */
};

const tl_scheme TL_SCHEME_MOREAU = {.stage = STAGE, .stages = STAGES, .at = {DETECT, BIND, COLOR, SOLVE}, .weighs = true};
