/* SPOOK (theory §4.4; N18 eq. 8-9; Lacoursière 2007): semi-implicit Euler with constraints that give and are damped,
 *
 *     impacts    M̃ (v − v_n) = H I,   V_n ≥ −e V_n⁻ of what strikes,   joints keep their rates
 *     M̃ (v⁺ − v) = h f(q_n) + Gᵀ λ + H I,      G v⁺ + Σ λ = −(4/h) Υ g + Υ G v,      contacts likewise, V_n⁺ + Σ I_n ≥ …
 *     q_{n+1} = q_n ⊕ h v⁺
 *
 * It is Moreau–Jean's step with θ = 1, in which law/spook.h says what constraints and closed contacts ask for, and in which a stage of impacts comes first.
 * Velocities stand between positions: what is linear and elastic, in joints or in solids, is the trapezoidal rule in q, stable at every step. */
#include <string.h>

#include "law/spook.h"
#include "step/reach.h"
#include "step/schemes.h"

enum { PREDICT, DETECT, IMPACT, BIND, COLOR, SOLVE, FINISH, REMEMBER, COMMIT, STAGES };

static const double CLOSED = 1e-3; /* slops: contacts and stops whose gap is less are closed */

/* Of a step: what the impacts did. */
typedef struct struck {
    uint64_t *key; /* [contacts] ascending, with impulses */
    double (*I)[3];
    int contacts, moments, iterations;
    const uint64_t *moment_key; /* [moments] ascending */
    double *joint;              /* [constraints × TL_ROWS] */
    double (*moment)[3];        /* [moments] of rolling and spinning */
    double residual, suffices;
    bool happened, converged;
} struck;

static talus_status no_memory(tl_system *s) { return tl_fail(s->step.error, TALUS_MEMORY, "no memory for the impacts of a step"); }

/* ---- constraints ---------------------------------------------------------------------------------------------------------------- */

static void relax_row(tl_constraint *c, int row, tl_spook by, double h)
{
    c->recall[row] = by.keep;
    c->shift[row] = (1 - by.keep) * c->shift[row] + 4 / h * by.keep * c->gap[row];
}

/* With k = 1/ε and c = τ/ε, either of which may be zero. */
static void relax_spring(tl_constraint *c, double h)
{
    const double k = c->stiffness, D = h * (0.25 * k * h + c->damping);
    c->compliance[0] = 1 / D;
    c->recall[0] = 0.25 * k * h * h / D;
    c->shift[0] += h * k * c->gap[0] / D;
    c->stiffness = c->damping = 0;
}

/* Joints held at their positions, and stops and ropes that are passed. What is held at velocities, dry friction, and drives that may give way, are as they
 * are made. */
static void relax(tl_system *s)
{
    const double h = s->step.h;
    const tl_spook by = tl_spook_of(s->def->compliance, tl_relaxation(s), h);
    for (int i = 0; i < s->joints.constraints; i++) {
        tl_constraint *c = &s->joints.constraint[i];
        const bool one_sided = tl_is_one_sided(c), holds = one_sided || (c->set == &TL_WHOLE_SPACE && c->corrected && !tl_is_spring(c));
        if (tl_is_spring(c)) relax_spring(c, h);
        for (int r = 0; holds && r < c->rows; r++) c->compliance[r] = by.give;
        for (int r = 0; holds && (!one_sided || c->gap[0] < 0) && r < c->rows; r++) relax_row(c, r, by, h);
        c->corrected = false;
    }
}

/* In an impact joints keep their rates, closed stops bounce, and what has a limited force has no time for it. */
static void hold_rates(tl_system *s)
{
    for (int i = 0; i < s->joints.constraints; i++) {
        tl_constraint *c = &s->joints.constraint[i];
        const bool joint = c->set == &TL_WHOLE_SPACE && !tl_is_spring(c) && !c->fluid, stop = tl_is_one_sided(c) && c->gap[0] <= CLOSED * s->slop;
        memset(c->I, 0, (size_t)c->rows * sizeof *c->I);
        memset(c->shift, 0, sizeof c->shift);
        memset(c->gap, 0, sizeof c->gap);
        for (int r = 0; joint && r < c->rows; r++) c->recall[r] = 1;
        c->stiffness = c->damping = 0;
        c->corrected = false;
        if (!joint && !stop) c->set = &TL_INTERVAL, c->low = c->high = 0;
    }
}

static bool is_stopped(const tl_system *s)
{
    for (int i = 0; i < s->joints.constraints; i++) {
        const tl_constraint *c = &s->joints.constraint[i];
        if (tl_is_one_sided(c) && c->V[0] < -s->outcome.tolerance) return true;
    }
    return false;
}

/* ---- what strikes --------------------------------------------------------------------------------------------------------------- */

/* Has it a part in impacts? A spring takes its time; who gives way above a threshold is asked with the forces of the step. */
static bool takes_part(const tl_system *s, const tl_contact *c)
{
    const tl_interaction *law = c->law;
    if ((law->stiffness > 0 && !law->bounces && !c->gives) || law->law->finds) return false;
    return c->struck || tl_law_gap(law, c->state, c->gap) <= CLOSED * s->slop;
}

/* Contacts that are closed, or bounce in this step, to the front of the list; do any of them approach? */
static talus_status choose(tl_system *s, bool *approach)
{
    int kept = 0;
    for (int i = 0; i < s->next_count; i++) {
        tl_contact *c = &s->contact_next[i];
        tl_vec3 a = {0, 0, 0}, b = {0, 0, 0};
        if (!takes_part(s, c)) continue;
        TL_TRY(tl_end_velocity(s, TL_BEFORE, c, 0, &a));
        TL_TRY(tl_end_velocity(s, TL_BEFORE, c, 1, &b));
        *approach = *approach || tl_dot(c->n, tl_sub(b, a)) < -s->outcome.tolerance;
        tl_contact *to = &s->contact_next[kept++];
        if (to != c) *to = *c;
        to->struck = !to->gives; /* what deforms throws back by its waves */
        memset(to->I, 0, sizeof to->I);
    }
    s->next_count = kept;
    return TALUS_OK;
}

static bool has_closed_stops(const tl_system *s)
{
    for (int i = 0; i < s->joints.constraints; i++)
        if (tl_is_one_sided(&s->joints.constraint[i]) && s->joints.constraint[i].gap[0] <= CLOSED * s->slop) return true;
    return false;
}

/* ---- impacts -------------------------------------------------------------------------------------------------------------------- */

/* All matter goes on from these velocities [matters][nv]; NULL: from v_n. */
static talus_status start_from(tl_system *s, double *const *v)
{
    for (int m = 0; m < s->matters; m++) TL_TRY(s->matter[m]->ops->start_from(s->matter[m], &s->step, v ? v[m] : NULL));
    return TALUS_OK;
}

static talus_status keep_impulses(tl_system *s, struck *own)
{
    const int constraints = s->joints.constraints;
    own->contacts = s->next_count;
    own->key = tl_arena_alloc(s->step.arena, (size_t)own->contacts + 1, sizeof *own->key);
    own->I = tl_arena_alloc(s->step.arena, (size_t)own->contacts + 1, sizeof *own->I);
    own->joint = tl_arena_zero(s->step.arena, (size_t)(constraints * TL_ROWS) + 1, sizeof *own->joint);
    if (!own->key || !own->I || !own->joint) return no_memory(s);
    for (int i = 0; i < own->contacts; i++) {
        own->key[i] = s->contact_next[i].key;
        memcpy(own->I[i], s->contact_next[i].I, sizeof *own->I);
    }
    for (int i = 0; i < constraints; i++) {
        const tl_constraint *c = &s->joints.constraint[i];
        memcpy(own->joint + (size_t)i * TL_ROWS, c->I, (size_t)c->rows * sizeof *c->I);
    }
    own->iterations = s->outcome.iterations, own->residual = s->outcome.residual, own->suffices = s->outcome.suffices, own->converged = s->outcome.converged;
    own->happened = true;
    return TALUS_OK;
}

static talus_status keep_moments(tl_system *s, struck *own)
{
    const tl_moments *m = &s->moments_now;
    own->moment = tl_arena_alloc(s->step.arena, (size_t)m->count + 1, sizeof *own->moment);
    if (!own->moment) return no_memory(s);
    if (m->count > 0) memcpy(own->moment, m->moment, (size_t)m->count * sizeof *m->moment);
    own->moment_key = m->key, own->moments = m->count;
    return TALUS_OK;
}

static talus_status bind_impacts(tl_system *s)
{
    TL_TRY(tl_step_start_velocities(s));
    TL_TRY(tl_joints_make(s, s->step.t, s->step.t + s->step.h));
    hold_rates(s);
    return s->geometry->bind(s);
}

/* The problem of impacts at v_n, with what has been chosen; what it leaves is where the step starts from. */
static talus_status strike(tl_system *s, bool approach, struck *own)
{
    double **v = tl_step_vectors(s);
    if (!v) return no_memory(s);
    for (int m = 0; m < s->matters; m++) s->matter[m]->ops->start_velocity(s->matter[m], v[m]);
    TL_TRY(start_from(s, v));
    TL_TRY(bind_impacts(s));
    if (!approach && !is_stopped(s)) return start_from(s, NULL);
    TL_TRY(s->geometry->color(s));
    TL_TRY(tl_step_solve(s));
    for (int k = 0; k < TL_LOSSES; k++) {
        bool some;
        TL_TRY(tl_contacts_lose_blows(s, &some));
        if (!some) break;
        TL_TRY(bind_impacts(s));
        TL_TRY(s->geometry->color(s));
        TL_TRY(tl_step_solve(s));
    }
    s->geometry->velocities(s, v[0]);
    for (int m = 1; m < s->matters; m++) memcpy(v[m], s->v[m], (size_t)s->matter[m]->nv * sizeof **v);
    tl_problem_accumulate(s->problem);
    TL_TRY(keep_impulses(s, own));
    return start_from(s, v);
}

static talus_status impact(tl_system *s)
{
    const int count = s->next_count;
    struck *own = s->scheme_scratch = tl_arena_zero(s->step.arena, 1, sizeof *own);
    tl_contact *all = tl_arena_alloc(s->step.arena, (size_t)count + 1, sizeof *all);
    tl_moments moments = s->moments_now;
    moments.moment = tl_arena_alloc(s->step.arena, (size_t)moments.count + 1, sizeof *moments.moment);
    bool approach = false;
    if (!own || !all || !moments.moment) return no_memory(s);
    own->converged = true;
    tl_step_aim(s);
    if (count > 0) memcpy(all, s->contact_next, (size_t)count * sizeof *all);
    TL_TRY(choose(s, &approach));
    TL_TRY(tl_joints_make(s, s->step.t, s->step.t + s->step.h));
    if (approach || has_closed_stops(s)) {
        s->holding = TL_HOLD_IMPACTS;
        if (moments.count > 0) memcpy(moments.moment, s->moments_now.moment, (size_t)moments.count * sizeof *moments.moment);
        if (moments.count > 0) memset(s->moments_now.moment, 0, (size_t)moments.count * sizeof *moments.moment);
        tl_joints_resist(s, false);
        TL_TRY(strike(s, approach, own));
        tl_joints_resist(s, true);
        if (own->happened) TL_TRY(keep_moments(s, own));
        if (moments.count > 0) memcpy(s->moments_now.moment, moments.moment, (size_t)moments.count * sizeof *moments.moment);
        s->holding = TL_HOLD_GAPS;
        tl_joints_begin(&s->joints);
        s->step.condensed = NULL; /* a motion of large rotations may change M̃ */
        for (int m = 0; m < s->matters; m++) TL_TRY(s->matter[m]->ops->free_velocity(s->matter[m], &s->step, s->matter[m]->theta));
    }
    if (count > 0) memcpy(s->contact_next, all, (size_t)count * sizeof *all);
    s->next_count = count;
    s->outcome.iterations = 0; /* all that the user allows */
    return TALUS_OK;
}

static talus_status predict(tl_system *s)
{
    s->holding = TL_HOLD_GAPS;
    s->overlaps_stay = false;
    return tl_step_predict(s);
}

/* ---- what locks ----------------------------------------------------------------------------------------------------------------- */

/* The fastest that an overlap pushes its two apart [m/s]. */
static double fastest_push(const tl_system *s)
{
    double most = 0;
    for (int i = 0; i < s->next_count; i++) {
        const tl_contact *c = &s->contact_next[i];
        if (!c->rope && c->I[0] > 0 && tl_law_gap(c->law, c->state, c->gap) < 0) most = fmax(most, -c->shift);
    }
    return most;
}

static double square(tl_vec3 v) { return tl_dot(v, v); }

/* Has the solve made grains faster than overlaps and forces can? Friction may lock contacts that face each other, as of a ball in a wedge narrower than its
 * angle: no motion parts both, and Coulomb's law at velocities that part them has no solution, or one that grows beyond all bounds as they come to face. */
static bool has_burst(const tl_system *s)
{
    static const double MORE = 10; /* times the energy */
    const double push = fastest_push(s);
    const tl_problem *p = s->problem;
    double after = 0, before = 0;
    for (int i = 0; push > 0 && i < p->bodies; i++) {
        tl_vec3 x, v, free, start, w;
        if (!(p->inverse_mass[i] > 0)) continue;
        s->geometry->motion(s, TL_SOLVED, i, &x, &v, &w);
        s->geometry->motion(s, TL_FREE, i, &x, &free, &w);
        s->geometry->motion(s, TL_BEFORE, i, &x, &start, &w);
        after += square(v) / p->inverse_mass[i], before += (square(free) + square(start) + push * push) / p->inverse_mass[i];
    }
    return after > MORE * before;
}

/* Where they have burst, overlaps stay in this step: contacts are solved at velocities, by which nothing gains. */
static talus_status solve(tl_system *s)
{
    TL_TRY(tl_step_solve_all(s));
    if (!has_burst(s)) return TALUS_OK;
    const int iterations = s->outcome.iterations;
    s->overlaps_stay = true;
    for (int i = 0; i < s->next_count; i++) memset(s->contact_next[i].I, 0, sizeof s->contact_next[i].I);
    s->step.condensed = NULL;
    for (int m = 0; m < s->matters; m++) TL_TRY(s->matter[m]->ops->free_velocity(s->matter[m], &s->step, s->matter[m]->theta));
    TL_TRY(tl_step_bind(s));
    TL_TRY(s->geometry->color(s));
    TL_TRY(tl_step_solve(s));
    s->outcome.iterations += iterations;
    return TALUS_OK;
}

/* ---- end of the step ------------------------------------------------------------------------------------------------------------ */

/* What is told of contacts and joints is of the whole step. */
static void add_impacts(tl_system *s)
{
    const struck *own = s->scheme_scratch;
    if (!own->happened) return;
    for (int i = 0, k = 0; i < s->next_count && k < own->contacts; i++) {
        tl_contact *c = &s->contact_next[i];
        while (k < own->contacts && own->key[k] < c->key) k++;
        for (int axis = 0; k < own->contacts && own->key[k] == c->key && axis < 3; axis++) c->I[axis] += own->I[k][axis];
    }
    for (int i = 0; i < own->moments; i++) {
        double *moment = tl_moment_of(&s->moments_now, own->moment_key[i]);
        for (int k = 0; moment && k < 3; k++) moment[k] += own->moment[i][k];
    }
    for (int i = 0; i < s->joints.constraints; i++) {
        const tl_constraint *c = &s->joints.constraint[i];
        for (int r = 0; r < c->rows; r++) c->I[r] += own->joint[i * TL_ROWS + r];
    }
    s->outcome.iterations += own->iterations;
    s->outcome.converged = s->outcome.converged && own->converged;
    if (own->residual * s->outcome.suffices <= s->outcome.residual * own->suffices) return;
    s->outcome.residual = own->residual, s->outcome.suffices = own->suffices; /* of the solve that is farther from what it should be */
}

static talus_status finish(tl_system *s)
{
    TL_TRY(tl_step_end_grains(s));
    TL_TRY(start_from(s, NULL));
    tl_problem_accumulate(s->problem);
    add_impacts(s);
    tl_contacts_tally(s);
    for (int m = 0; m < s->matters; m++) TL_TRY(tl_moreau_finish(s->matter[m], &s->step, s->v[m], NULL));
    return TALUS_OK;
}

static const tl_stage STAGE[STAGES] = {
    [PREDICT] = {"predict", predict},            /* q_n, M̃, v_free                      theory §4.4 */
    [DETECT] = {"detect", tl_step_detect},       /* pairs, touches, sorted by key       theory §6   */
    [IMPACT] = {"impact", impact},               /* v after the impacts; v_free from it theory §4.4 */
    [BIND] = {"bind", tl_step_bind},             /* rows of H, ports of other matter    theory §1   */
    [COLOR] = {"color", tl_step_color},          /* contacts that share no grain                    */
    [SOLVE] = {"solve", solve},                  /* impulses to tolerance               theory §5   */
    [FINISH] = {"finish", finish},               /* v⁺, q⁺, loops closed; may fail      theory §3   */
    [REMEMBER] = {"remember", tl_step_remember}, /* impulses for the next warm start                */
    [COMMIT] = {"commit", tl_step_commit},       /* the state moves; cannot fail                    */
};

const tl_scheme TL_SCHEME_SPOOK = {
    .stage = STAGE, .stages = STAGES, .at = {DETECT, BIND, COLOR, SOLVE}, .theta = 1, .staggered = true, .relax = relax, .springs = true};
