/* Nonsmooth generalized-α (theory §4.5; Brüls, Acary & Cardona 2014): v = ṽ + W, q = q̃ ⊕ U.
 *
 * Smooth part, with x = ṽ̇_{n+1} and what imposed motions and the loops of mechanisms ask for in it; G are the rows of joints between bodies, of drives that
 * nothing stops, and of what holds within its bounds (stops, ropes, friction), at q̃_{n+1}:
 *
 *     x = M⁻¹ (f(q̃_{n+1}, ṽ_{n+1}, t_{n+1}) + Gᵀ λ),   G x + Ġ ṽ_{n+1} = what drives ask for
 *     (1 − α_m) a_{n+1} + α_m a_n = (1 − α_f) x + α_f ṽ̇_n
 *     q̃_{n+1} = q_n ⊕ (h v_n + h² ((½ − β) a_n + β a_{n+1})),      ṽ_{n+1} = v_n + h ((1 − γ) a_n + γ a_{n+1})
 *
 * Positions: U are the displacements by impulses, in the mass norm, with joints closed and 0 ≤ g(q̃ ⊕ U) ⊥ ν_n ≥ 0 at contacts, where friction ‖ν_t‖ ≤ μ ν_n
 * works against the displacement of the step. Velocities: joints, contacts with ν_n > 0 and what is closed at q_{n+1} give the impulses of W by their laws.
 * The three problems are solved one after the other: forces are those of q̃ and ṽ. α_m, α_f, γ and β follow from the spectral radius at infinite frequency. */
#include <math.h>
#include <string.h>

#include "step/alpha.h"

enum { PREDICT, DETECT, PROJECT, BIND, COLOR, SOLVE, FINISH, REMEMBER, COMMIT, STAGES };
enum { PROJECTIONS = 12 };

static const double CLOSED = 1e-3; /* slops: contacts and stops whose gap is less are closed */

static talus_status detect(tl_system *s) { return tl_contacts_detect(s); }

static talus_status color(tl_system *s) { return s->geometry->color(s); }

/* ---- positions ---------------------------------------------------------------------------------------------------------------- */

static double depth(tl_system *s)
{
    s->outcome.penetration = 0;
    s->outcome.touching = 0;
    tl_contacts_tally(s);
    return s->outcome.penetration;
}

/* How far joints are from closed, and stops from open [m], as matter is. */
static talus_status measure_joints(tl_system *s, double *worst)
{
    const double end = s->step.t + s->step.h;
    if (!tl_alpha_has_joints(s)) return TALUS_OK;
    TL_TRY(tl_alpha_constraints(s, end, end));
    for (int i = 0; i < s->joints.constraints; i++) {
        const tl_constraint *c = &s->joints.constraint[i];
        for (int r = 0; c->corrected && r < c->rows; r++) *worst = fmax(*worst, tl_is_one_sided(c) ? -c->gap[r] : fabs(c->gap[r]));
    }
    return TALUS_OK;
}

/* Matter where the way leads, with v_free as given: displacements over h. What is imposed has the speed of mid-step, which is its displacement over h but for
 * h². */
static talus_status displace(tl_system *s, bool smooth_way)
{
    const tl_trial *own = s->scheme_scratch;
    tl_step *step = &s->step;
    for (int m = 0; m < s->matters; m++) {
        const tl_smooth *p = &own->part[m];
        tl_matter *matter = s->matter[m];
        TL_TRY(matter->ops->place(matter, step, &(tl_move){.t = step->t + step->h, .span = step->h, .v = p->way}));
        if (matter->ops->inertia) TL_TRY(matter->ops->inertia(matter, step, 0, 0));
        TL_TRY(matter->ops->acceleration(matter, step, step->t + 0.5 * step->h, smooth_way ? p->smooth_way : p->way, p->y));
    }
    return TALUS_OK;
}

/* Impulses that a contact gives to what deforms, or to what a damper is in, meet its damping and stiffness within the step: (M + h C + ½ h² K) W = H Λ, and U
 * likewise. The smooth motion falls by h a and ½ h² a into what it stands on, with (M + h C + ½ h² K) a = what is missing to balance: so all of it is taken
 * back, and not only where the contact is. */
static talus_status feel_dampers(tl_system *s)
{
    for (int m = 0; m < s->matters; m++)
        if (s->matter[m]->ops->inertia) TL_TRY(s->matter[m]->ops->inertia(s->matter[m], &s->step, 1, s->step.h));
    return TALUS_OK;
}

/* What mechanisms are said to have exerted in joints is what acts at V⁺: with the parts that M̃ has now, from v_n on. */
static talus_status take_forces_anew(tl_system *s)
{
    const tl_trial *own = s->scheme_scratch;
    for (int m = 0; m < s->matters; m++)
        if (s->matter[m]->ops->coordinate)
            TL_TRY(s->matter[m]->ops->acceleration(s->matter[m], &s->step, tl_step_end(&s->step), own->part[m].v, own->part[m].y));
    return TALUS_OK;
}

/* Displacements by impulses are half of what these make of velocities, so that of a displacement U/h a damper feels 2 U/h: half of its impulse then is
 * −½ h (2 c + h k) U/h. */
static void give_way(const tl_system *s, tl_constraint *c, double *slid)
{
    const double h = s->step.h;
    c->compliance[0] = 2 / (h * (2 * c->damping + h * c->stiffness));
    c->set = &TL_WHOLE_SPACE;
    c->stiffness = c->damping = c->gap[0] = 0;
    c->corrected = false;
    slid[1] = 1;
}

/* What holds has given an impulse in the smooth motion: of its bounds the rest is left, `given` less. A stop that has given is one-sided no more for the
 * solver: it may take back as much, and closes what is open. */
static void leave_rest(tl_constraint *c, double given) { c->low -= given, c->high -= given; }

/* Constraints as a problem of displacements: springs give way, forces with bounds make half of their impulse of it. After bind, `aimed`: what is to be
 * closed is closed about the present way, whose displacements the rows have. */
static void turn_to_positions(tl_system *s)
{
    const tl_trial *own = s->scheme_scratch;
    for (int i = 0; i < s->joints.constraints; i++) {
        tl_constraint *c = &s->joints.constraint[i];
        c->I = own->pushed + (size_t)i * TL_ROWS;
        c->restitution = 0;
        if (tl_is_spring(c)) give_way(s, c, own->slid + (size_t)i * TL_ROWS);
        else if (c->set == &TL_INTERVAL) {
            leave_rest(c, s->step.h * own->force[i * TL_ROWS]);
            c->low *= 0.5, c->high *= 0.5;
        }
    }
}

static void close_about_way(tl_system *s, bool first)
{
    const tl_trial *own = s->scheme_scratch;
    for (int i = 0; i < s->joints.constraints; i++) {
        tl_constraint *c = &s->joints.constraint[i];
        double *slid = own->slid + (size_t)i * TL_ROWS;
        if (slid[1] > 0 && first) slid[0] = c->V[0]; /* the present way is the smooth one */
        if (slid[1] > 0) c->shift[0] = -slid[0];
        for (int r = 0; c->corrected && r < c->rows; r++) {
            c->shift[r] = c->gap[r] / s->step.h - c->V[r];
            c->gap[r] = 0;
        }
    }
}

/* U from contacts and joints as they lie on the present way. */
static talus_status project_once(tl_system *s, bool first)
{
    tl_trial *own = s->scheme_scratch;
    const double end = s->step.t + s->step.h, middle = s->step.t + 0.5 * s->step.h;
    TL_TRY(displace(s, false));
    TL_TRY(tl_contacts_aim(s));
    if (tl_alpha_has_joints(s)) {
        TL_TRY(tl_alpha_constraints(s, end, middle));
        turn_to_positions(s);
        TL_TRY(s->geometry->bind(s));
        close_about_way(s, first);
    }
    TL_TRY(displace(s, true));
    TL_TRY(feel_dampers(s));
    TL_TRY(tl_step_start_velocities(s));
    TL_TRY(s->geometry->bind(s));
    TL_TRY(color(s));
    TL_TRY(tl_step_solve(s));
    TL_TRY(tl_contacts_note_pressing(s, CLOSED * s->slop, &own->pressing));
    s->geometry->velocities(s, own->part[0].way);
    for (int m = 1; m < s->matters; m++) memcpy(own->part[m].way, s->v[m], (size_t)s->matter[m]->nv * sizeof **s->v);
    return TALUS_OK;
}

/* Overlap, what presses and has turned away, and errors of joints, as matter is. */
static talus_status measure_off(tl_system *s)
{
    tl_trial *own = s->scheme_scratch;
    const double deepest = depth(s), widest = tl_contacts_widest(s, &own->pressing);
    own->left = widest > CLOSED * s->slop ? fmax(deepest, widest) : deepest;
    return measure_joints(s, &own->left);
}

/* Until nothing is off, or rounding lets it come no nearer; then only what is closed or presses stays in the problem. */
static talus_status project(tl_system *s)
{
    tl_trial *own = s->scheme_scratch;
    double before = (double)INFINITY;
    tl_step_aim(s);
    s->outcome.tolerance = fmin(s->outcome.tolerance, 0.1 * TL_ALPHA_OFF * s->slop / s->step.h);
    s->outcome.force_tolerance = 0;
    for (int m = 0; m < s->matters; m++) memcpy(own->part[m].smooth_way, own->part[m].way, (size_t)s->matter[m]->nv * sizeof(double));
    for (int round = 0;; round++) {
        TL_TRY(measure_off(s));
        const double off = own->left;
        if (round == PROJECTIONS || (s->outcome.contacts == 0 && !tl_alpha_has_joints(s))) break;
        if (round > 0 && (off <= TL_ALPHA_OFF * s->slop || (off <= CLOSED * s->slop && off > 0.5 * before))) break;
        before = off;
        TL_TRY(project_once(s, round == 0));
        TL_TRY(tl_alpha_go_along(s, s->step.h, 0));
        tl_stage_begin(s, DETECT);
        TL_TRY(detect(s));
        tl_stage_begin(s, PROJECT);
    }
    s->outcome.penetration = depth(s);
    /* What has pressed and is not found any more has stopped bodies on their way, and velocities do not know. */
    own->left = fmax(own->left, tl_contacts_lost(s, &own->pressing));
    tl_contacts_keep_closed(s, CLOSED * s->slop, &own->pressing);
    return TALUS_OK;
}

/* ---- velocities --------------------------------------------------------------------------------------------------------------- */

/* A spring and damper has pulled with λ̃ = −k x − c ẋ of the smooth motion, in which what stands on something falls into it. The rest of −k x − c V⁺ is an
 * impulse of W, I = h (−k x − c V⁺ − λ̃): without it a damper above a wheel that stands is pulled by the wheel's fall in every step. Nothing where there are no
 * impulses. */
static void pull_the_rest(const tl_system *s, tl_constraint *c, double pulled)
{
    static const double LEAST = 1e-6; /* of h k: as a damper, of a spring that has none */
    const double h = s->step.h, damping = fmax(c->damping, LEAST * h * c->stiffness);
    c->shift[0] = (c->stiffness * c->gap[0] + pulled) / damping;
    c->compliance[0] = 1 / (h * damping);
    c->set = &TL_WHOLE_SPACE;
    c->stiffness = c->damping = c->gap[0] = c->I[0] = 0;
    c->corrected = false;
}

/* Of springs what the smooth motion has left; of stops those act that are closed. */
static void turn_to_velocities(tl_system *s)
{
    const tl_trial *own = s->scheme_scratch;
    for (int i = 0; i < s->joints.constraints; i++) {
        tl_constraint *c = &s->joints.constraint[i];
        if (c->set == &TL_WHOLE_SPACE) memset(c->I, 0, (size_t)c->rows * sizeof *c->I);
        const bool one_sided = tl_is_one_sided(c), open = one_sided && c->gap[0] > CLOSED * s->slop;
        if (one_sided) c->gap[0] = 0;
        if (tl_is_spring(c)) pull_the_rest(s, c, own->force[i * TL_ROWS]);
        else if (open) { /* what it gave in the smooth motion is taken back */ tl_alpha_rest(c);
            c->low = c->high = c->I[0] = -s->step.h * own->force[i * TL_ROWS];
        } else if (c->set == &TL_INTERVAL) {
            leave_rest(c, s->step.h * own->force[i * TL_ROWS]);
            c->I[0] -= s->step.h * own->force[i * TL_ROWS];
        }
    }
}

static talus_status bind_velocities(tl_system *s)
{
    const double end = s->step.t + s->step.h;
    TL_TRY(tl_alpha_constraints(s, end, end));
    turn_to_velocities(s);
    TL_TRY(feel_dampers(s));
    TL_TRY(take_forces_anew(s));
    return s->geometry->bind(s);
}

static talus_status bind(tl_system *s)
{
    tl_trial *own = s->scheme_scratch;
    tl_step_aim(s);
    own->iterations = s->outcome.iterations, own->unsolved = own->iterations > 0 ? s->outcome.residual : 0;
    s->outcome.iterations = 0; /* all that the user allows */
    return bind_velocities(s);
}

static talus_status solve(tl_system *s)
{
    TL_TRY(tl_step_solve(s));
    for (int k = 0; k < TL_LOSSES; k++) {
        bool some;
        TL_TRY(tl_contacts_lose_blows(s, &some));
        if (!some) break;
        TL_TRY(bind_velocities(s));
        TL_TRY(color(s));
        TL_TRY(tl_step_solve(s));
    }
    return TALUS_OK;
}

/* Impulses of joints in the step: of the smooth part, and W. */
static void add_forces(tl_system *s)
{
    const tl_trial *own = s->scheme_scratch;
    for (int i = 0; i < s->joints.constraints; i++) {
        const tl_constraint *c = &s->joints.constraint[i];
        for (int r = 0; r < c->rows; r++) {
            const double I = s->step.h * own->force[i * TL_ROWS + r];
            c->I[r] += I;
            s->joints.blocks.block[i].I[r] += I;
        }
    }
}

/* Whose accelerations change at once, for other rows hold now than in the smooth part of this step. */
static talus_status find_anew(tl_system *s)
{
    tl_trial *own = s->scheme_scratch;
    for (int i = 0; i < s->joints.constraints; i++) {
        tl_constraint *c = &s->joints.constraint[i];
        if (c->set == &TL_INTERVAL && c->low < c->high) leave_rest(c, -s->step.h * own->force[i * TL_ROWS]);
    }
    for (int i = 0; i < s->joints.constraints; i++) own->changed[i] = !own->loose && own->held[i] != tl_alpha_holds_on(s, i);
    return tl_alpha_find_anew(s);
}
static talus_status finish(tl_system *s)
{
    const tl_trial *own = s->scheme_scratch;
    /* Positions are off by more than the tolerance, or by so much that contacts which press may count as open: then the impulses are wrong, too. */
    const double slack = CLOSED * s->slop / s->step.h, unsolved = fmax(own->unsolved, own->left > s->slop ? own->left / s->step.h : 0);
    const bool lost = unsolved > fmin(fmax(s->outcome.tolerance, s->outcome.suffices), slack);
    const double deepest = s->outcome.penetration;
    (void)depth(s);
    s->outcome.penetration = deepest;
    s->outcome.iterations += own->iterations;
    if (lost) s->outcome.residual = fmax(s->outcome.residual, unsolved), s->outcome.converged = false;
    TL_TRY(tl_step_read_grains(s));
    add_forces(s);
    TL_TRY(find_anew(s));
    tl_problem_accumulate(s->problem);
    for (int m = 0; m < s->matters; m++) TL_TRY(s->matter[m]->ops->arrive(s->matter[m], &s->step, 0, s->v[m], NULL));
    return TALUS_OK;
}

static void begin_anew(tl_system *s, tl_place place)
{
    int bodies;
    (void)s->geometry->kinds(s, &bodies);
    const int rates = bodies > 0 ? s->matter[0]->nv / bodies : 0;
    for (int m = 0; s->scheme_state && place.matter < 0 && m < s->matters; m++)
        memset(tl_alpha_state(s, m, TL_BEGUN), 0, (size_t)s->matter[m]->nv * sizeof(double));
    if (s->scheme_state && place.matter == 0) memset(tl_alpha_state(s, 0, TL_BEGUN) + rates * place.item, 0, (size_t)rates * sizeof(double));
}

static talus_status commit(tl_system *s)
{
    const tl_trial *own = s->scheme_scratch;
    for (int m = 0; m < s->matters; m++) {
        const tl_smooth *p = &own->part[m];
        memcpy(tl_alpha_state(s, m, TL_ALGORITHMIC), p->a, (size_t)s->matter[m]->nv * sizeof *p->a);
        memcpy(tl_alpha_state(s, m, TL_SMOOTH), p->x, (size_t)s->matter[m]->nv * sizeof *p->x);
        for (int i = 0; i < s->matter[m]->nv; i++) tl_alpha_state(s, m, TL_BEGUN)[i] = !tl_alpha_is_anew(s, m, i);
        for (int k = 0; k < 3; k++) *tl_alpha_state(s, m, TL_GRAVITY + k) = s->step.gravity[k];
    }
    const talus_status done = tl_step_commit(s);
    for (int m = 0; m < s->matters; m++)
        if (s->matter[m]->new_rates) memset(tl_alpha_state(s, m, TL_BEGUN), 0, (size_t)s->matter[m]->nv * sizeof(double));
    return done;
}

/* It projects on contacts before it knows their impulses, from which states follow. */
static const char *law_lacks(const tl_interaction *law) { return law->remembers ? "law without memory" : NULL; }

static const tl_stage STAGE[STAGES] = {
    [PREDICT] = {"predict", tl_alpha_predict},   /* q̃, ṽ                                        theory §4.5 */
    [DETECT] = {"detect", detect},               /* pairs, touches, sorted by key       theory §6   */
    [PROJECT] = {"project", project},            /* U: q_{n+1}                                      */
    [BIND] = {"bind", bind},                     /* rows of H, ports of other matter    theory §1   */
    [COLOR] = {"color", color},                  /* contacts that share no grain                    */
    [SOLVE] = {"solve", solve},                  /* W: impulses to tolerance            theory §5   */
    [FINISH] = {"finish", finish},               /* v⁺, dependent rates; may fail       theory §3   */
    [REMEMBER] = {"remember", tl_step_remember}, /* impulses for the next warm start                */
    [COMMIT] = {"commit", commit},               /* the state moves; cannot fail                    */
};

static const tl_scheme_state STATE[] = {
    [TL_ALGORITHMIC] = {"algorithmic", "m/s^2, rad/s^2", "acceleration of generalized-α, by independent rates", false},
    [TL_SMOOTH] = {"smooth", "m/s^2, rad/s^2", "acceleration by all but contacts, by independent rates", false},
    [TL_BEGUN] = {"begun", "1", "1: these accelerations are there, by independent rates", false},
    [TL_GRAVITY] = {"gravity_x", "m/s^2", "gravity in which they are", true},
    [TL_GRAVITY + 1] = {"gravity_y", "m/s^2", "gravity in which they are", true},
    [TL_GRAVITY + 2] = {"gravity_z", "m/s^2", "gravity in which they are", true},
};

const tl_scheme TL_SCHEME_GENERALIZED_ALPHA = {.stage = STAGE,
                                               .stages = STAGES,
                                               .without_law_states = true,
                                               .once = true,
                                               .begin_anew = begin_anew,
                                               .law_lacks = law_lacks,
                                               .state = STATE,
                                               .states = TL_ALPHA_STATES};
