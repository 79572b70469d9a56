/* Nonsmooth generalized-α (theory §4.5; Brüls, Acary & Cardona 2014): v = ṽ + W, q = q̃ ⊕ U.
 *
 * Smooth part, with x = ṽ̇_{n+1} and what imposed motions and the loops of mechanisms ask for in it; G are the rows of joints between bodies, and of drives
 * that nothing stops, at q̃_{n+1}:
 *
 *     x = M⁻¹ (f(q̃_{n+1}, ṽ_{n+1}, t_{n+1}) + Gᵀ λ),   G x + Ġ ṽ_{n+1} = what drives ask for
 *     (1 − α_m) a_{n+1} + α_m a_n = (1 − α_f) x + α_f ṽ̇_n
 *     q̃_{n+1} = q_n ⊕ (h v_n + h² ((½ − β) a_n + β a_{n+1})),      ṽ_{n+1} = v_n + h ((1 − γ) a_n + γ a_{n+1})
 *
 * Positions: U are the displacements by impulses, in the mass norm, with joints closed and 0 ≤ g(q̃ ⊕ U) ⊥ ν_n ≥ 0 at contacts, where friction ‖ν_t‖ ≤ μ ν_n
 * works against the displacement of the step. Velocities: joints and the contacts and stops that are closed at q_{n+1} give the impulses of W by their laws.
 * The three problems are solved one after the other: forces are those of q̃ and ṽ. α_m, α_f, γ and β follow from the spectral radius at infinite frequency. */
#include <math.h>
#include <string.h>

#include "step/schemes.h"

enum { PREDICT, DETECT, PROJECT, BIND, COLOR, SOLVE, FINISH, REMEMBER, COMMIT, STAGES };
enum { ALGORITHMIC, SMOOTH, BEGUN, STATES }; /* a_n, ṽ̇_n; whether they are there */
enum { ITERATIONS = 100, PROJECTIONS = 12 };

static const double CLOSE = 1e-13;       /* of velocities: where the smooth part is solved                        */
static const double CLOSE_ENOUGH = 1e-9; /* what rounding, of loops that are closed to 1e-12 m too, may leave     */
static const double NUDGE = 1e-5;        /* of velocities [m/s, rad/s]: for the derivative of the acceleration    */
static const double ASIDE = 0.01;        /* of a step: differences of the rates of rows                           */
static const double CLOSED = 1e-3;       /* slops: contacts and stops whose gap is less are closed                */
static const double OFF = 1e-6;          /* slops: overlap, and errors of joints, that need not be taken back     */

typedef struct smooth {
    double *start, *x, *y, *a, *way, *v; /* [nv] v_n; ṽ̇; what forces make of it; a_{n+1}; (q̃ − q_n)/h; ṽ          */
    double *aside, *fast, *smooth_way;   /* [nv] a way that leads elsewhere, and ṽ there; the way to q̃              */
    double *J;                           /* [nv × nv] 1 − ∂y/∂x, factored; NULL: identity                           */
    int *pivot;
    double before, load; /* change in the iteration before; largest of y */
} smooth;

/* Of a step: one for each matter; of every row of the constraints, TL_ROWS apart, λ [N], impulses of U, and numbers at work. */
typedef struct trial {
    smooth *part;
    double *force, *pushed, *shift, *slid; /* slid: of a spring, its change of length by the smooth motion, over h; then 1 */
    tl_pressing pressing;                  /* contacts with ν_n > 0 */
    int rows, iterations;                  /* iterations: of U */
    double unsolved;                       /* the error of U [m/s] */
} trial;

static talus_status no_memory(tl_system *s) { return tl_fail(s->step.error, TALUS_MEMORY, "no memory for the velocities"); }

static double *state_of(const tl_system *s, int matter, int which) { return s->scheme_state[matter * STATES + which]; }

typedef struct weights {
    double am, af, gamma, beta;
} weights;

static weights weights_of(const tl_system *s)
{
    const double rho = s->def->spectral_radius, am = (2 * rho - 1) / (rho + 1), af = rho / (rho + 1), gamma = 0.5 + af - am;
    return (weights){am, af, gamma, 0.25 * (gamma + 0.5) * (gamma + 0.5)};
}

/* a_{n+1}, the way and ṽ that go with x. */
static void follow(const tl_system *s, int matter, smooth *p)
{
    const weights w = weights_of(s);
    const double am = w.am, af = w.af, gamma = w.gamma, beta = w.beta, h = s->step.h;
    const double *a0 = state_of(s, matter, ALGORITHMIC), *x0 = state_of(s, matter, SMOOTH);
    for (int i = 0; i < s->matter[matter]->nv; i++) {
        p->a[i] = ((1 - af) * p->x[i] + af * x0[i] - am * a0[i]) / (1 - am);
        p->way[i] = p->start[i] + h * ((0.5 - beta) * a0[i] + beta * p->a[i]);
        p->v[i] = p->start[i] + h * ((1 - gamma) * a0[i] + gamma * p->a[i]);
    }
}

/* The matter is at q_n ⊕ span way of the time t; out = M⁻¹ f there. */
static talus_status accelerate(tl_system *s, int matter, double span, const double *way, const double *v, double *out)
{
    tl_matter *m = s->matter[matter];
    const double t = s->step.t + span;
    TL_TRY(m->ops->place(m, &s->step, &(tl_move){.t = t, .span = span, .v = way}));
    if (m->ops->inertia) TL_TRY(m->ops->inertia(m, &s->step, 1 - span / s->step.h, 0));
    return m->ops->acceleration(m, &s->step, t, v, out);
}

static talus_status begin_matter(tl_system *s, int matter, smooth *p)
{
    const tl_matter *m = s->matter[matter];
    const size_t n = (size_t)m->nv + 1;
    double **const vectors[] = {&p->start, &p->x, &p->y, &p->a, &p->way, &p->v, &p->aside, &p->fast, &p->smooth_way};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        if (!(*vectors[k] = tl_arena_zero(s->step.arena, n, sizeof(double)))) return no_memory(s);
    m->ops->start_velocity(m, p->start);
    memcpy(p->way, p->start, (size_t)m->nv * sizeof *p->way);
    memcpy(p->v, p->start, (size_t)m->nv * sizeof *p->v);
    p->before = (double)INFINITY;
    return TALUS_OK;
}

/* Columns by differences; what the scheme makes of a nudge in x is a nudge of positions and velocities. */
static talus_status derive(tl_system *s, int matter, smooth *p)
{
    const int n = s->matter[matter]->nv;
    double *nudged = tl_arena_zero(s->step.arena, (size_t)n, sizeof *nudged), largest = 1;
    p->J = tl_arena_zero(s->step.arena, (size_t)n * (size_t)n, sizeof *p->J);
    p->pivot = tl_arena_zero(s->step.arena, (size_t)n, sizeof *p->pivot);
    if (!nudged || !p->J || !p->pivot) return no_memory(s);
    for (int i = 0; i < n; i++) largest = fmax(largest, fabs(p->v[i]));
    const double nudge = NUDGE * largest / s->step.h;
    for (int j = 0; j < n; j++) {
        const double x = p->x[j];
        p->x[j] = x + nudge;
        follow(s, matter, p);
        TL_TRY(accelerate(s, matter, s->step.h, p->way, p->v, nudged));
        for (int i = 0; i < n; i++) p->J[i * n + j] = (i == j ? 1 : 0) - (nudged[i] - p->y[i]) / nudge;
        p->x[j] = x;
    }
    follow(s, matter, p);
    if (tl_lu(p->J, n, p->pivot)) return TALUS_OK;
    return tl_fail(s->step.error, TALUS_SINGULAR, "the smooth motion of a step is not determined; try a smaller time step");
}

/* ---- joints in the smooth part ------------------------------------------------------------------------------------------------ */

/* It does nothing. */
static void rest(tl_constraint *c)
{
    c->set = &TL_INTERVAL;
    c->low = c->high = c->stiffness = c->damping = c->restitution = 0;
    memset(c->shift, 0, sizeof c->shift);
    memset(c->gap, 0, sizeof c->gap);
}

static talus_status no_room(tl_system *s) { return tl_fail(s->step.error, TALUS_MEMORY, "no memory for %d joints", s->joints.count); }

/* Constraints where matter is, with speeds of drives as of the time of rates. */
static talus_status make_constraints(tl_system *s, double positions, double rates)
{
    trial *own = s->scheme_scratch;
    TL_TRY(tl_step_start_velocities(s));
    TL_TRY(tl_joints_make(s, positions, rates));
    if (own->force) return TALUS_OK;
    own->rows = TL_ROWS * s->joints.constraints;
    double **const arrays[] = {&own->force, &own->pushed, &own->shift, &own->slid};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        if (!(*arrays[k] = tl_arena_zero(s->step.arena, (size_t)own->rows + 1, sizeof(double)))) return no_room(s);
    return TALUS_OK;
}

/* Springs in coordinates of joints: λ = −k x − c ẋ. Of a change in x̃̇ the way and ṽ of the step take a share each: so much a row gives. At the start of all,
 * where there is no step yet, the force is given. */
static void bind_springs(tl_system *s, double span)
{
    const weights w = weights_of(s);
    const double h = span, share = (1 - w.af) / (1 - w.am);
    for (int i = 0; i < s->joints.constraints; i++) {
        tl_constraint *c = &s->joints.constraint[i];
        if (!tl_is_spring(c)) continue;
        const double D = share * h * (w.beta * h * c->stiffness + w.gamma * c->damping);
        if (D > 0) c->compliance[0] = 1 / D;
        c->set = D > 0 ? &TL_WHOLE_SPACE : &TL_INTERVAL;
        c->low = -(double)INFINITY, c->high = (double)INFINITY;
    }
}

/* Rows that have a part in the smooth motion, where matter is; V of each then is its rate at ṽ. */
static talus_status bind_smooth(tl_system *s, double span, double time)
{
    trial *own = s->scheme_scratch;
    TL_TRY(make_constraints(s, time, time));
    bind_springs(s, span);
    for (int i = 0; i < s->joints.constraints; i++) {
        tl_constraint *c = &s->joints.constraint[i];
        c->I = own->force + (size_t)i * TL_ROWS;
        if (c->set != &TL_WHOLE_SPACE && !tl_is_spring(c)) rest(c);
    }
    return s->geometry->bind(s);
}

static bool has_joints(const tl_system *s) { return s->joints.count + s->joints.coordinates + s->joints.tackles > 0; }

/* All matter at q̃ ⊕ `ahead` ṽ, as much later than `span` after the start; y = M⁻¹ f there. */
static talus_status go_along(tl_system *s, double span, double ahead)
{
    const trial *own = s->scheme_scratch;
    for (int m = 0; m < s->matters; m++) {
        smooth *p = &own->part[m];
        for (int i = 0; i < s->matter[m]->nv; i++) {
            p->aside[i] = ahead == 0 ? p->way[i] : (span * p->way[i] + ahead * p->v[i]) / (span + ahead);
            p->fast[i] = p->v[i] + ahead * p->x[i];
        }
        TL_TRY(accelerate(s, m, span + ahead, p->aside, p->fast, p->y));
        p->load = 0;
        for (int i = 0; i < s->matter[m]->nv; i++) p->load = fmax(p->load, fabs(p->y[i]));
    }
    return TALUS_OK;
}

/* shift: how the rates of rows change, d/dt (G ṽ) less what drives ask for, by differences within the step. */
static talus_status find_changes(tl_system *s, double span)
{
    static const double WEIGHT[] = {1.5, -2, 0.5};
    const trial *own = s->scheme_scratch;
    const double aside = (span > 0 ? ASIDE : -ASIDE) * s->step.h;
    for (int i = 0; i < own->rows; i++) own->shift[i] = 0;
    for (int k = 2; k >= 0; k--) { /* last where the forces are asked for */
        TL_TRY(go_along(s, span, -k * aside));
        TL_TRY(bind_smooth(s, span, s->step.t + span - k * aside));
        for (int i = 0; i < s->joints.constraints; i++) {
            const tl_constraint *c = &s->joints.constraint[i];
            for (int r = 0; r < c->rows; r++) own->shift[i * TL_ROWS + r] += WEIGHT[k] / aside * (c->V[r] + c->shift[r]);
        }
    }
    return TALUS_OK;
}

/* Accelerations M⁻¹ f [matters][nv] become those with joints held, of the rows that bind made, without contacts: a + M⁻¹ H I. */
static void hold(tl_system *s, double *const *a)
{
    s->geometry->set_rows(s, a[0]);
    if (s->problem->blocks) tl_blocks_start_joints(s->problem->blocks, &(tl_velocities){s->problem->grain, a});
    s->geometry->velocities(s, a[0]);
}

/* What x lacks, y = M⁻¹ (f + Gᵀ λ) − x, with the λ that joints and springs then have. */
static talus_status answer(tl_system *s, double span)
{
    const trial *own = s->scheme_scratch;
    double **y = tl_arena_alloc(s->step.arena, (size_t)s->matters, sizeof *y);
    if (!y) return no_memory(s);
    TL_TRY(find_changes(s, span));
    for (int m = 0; m < s->matters; m++) {
        y[m] = own->part[m].y;
        for (int i = 0; i < s->matter[m]->nv; i++) y[m][i] -= own->part[m].x[i];
    }
    for (int i = 0; i < s->joints.constraints; i++) {
        const tl_constraint *c = &s->joints.constraint[i];
        tl_block *b = &s->joints.blocks.block[i];
        const double pull = c->stiffness * c->gap[0] + c->damping * c->V[0];
        for (int r = 0; r < c->rows; r++) b->shift[r] = own->shift[i * TL_ROWS + r];
        if (!tl_is_spring(c)) continue;
        b->shift[0] = pull * c->compliance[0];
        if (!b->direct) b->I[0] = -pull;
    }
    hold(s, y);
    for (int i = 0; i < s->joints.constraints; i++) memcpy(own->force + (size_t)i * TL_ROWS, s->joints.blocks.block[i].I, sizeof s->joints.blocks.block[i].I);
    return TALUS_OK;
}

/* ---- the smooth part ---------------------------------------------------------------------------------------------------------- */

/* x follows what it lacked, by Newton's method for matter with few rates; forces on grains hardly depend on how they move. Is that all? */
static bool is_found(const tl_system *s, int matter, smooth *p, bool *finite)
{
    const int n = s->matter[matter]->nv;
    double change = 0, size = 0;
    if (p->J) tl_lu_solve(p->J, p->pivot, n, p->y);
    for (int i = 0; i < n; i++) {
        p->x[i] += p->y[i];
        change = fmax(change, s->step.h * fabs(p->y[i]));
        size = fmax(size, fmax(fabs(p->v[i]), s->step.h * fabs(p->x[i])));
        *finite = *finite && isfinite(p->x[i]);
    }
    /* Of what rests nothing is large but what cancels: there rounding of positions is all that is left. */
    const bool small = change <= CLOSE_ENOUGH * fmax(size, s->step.h * p->load) || s->step.h * change <= OFF * s->slop;
    const bool found = change <= CLOSE * size || (small && change >= 0.5 * p->before);
    p->before = change;
    return found;
}

static talus_status iterate(tl_system *s, bool first, bool *found, bool *finite)
{
    const trial *own = s->scheme_scratch;
    const double h = s->step.h;
    for (int m = 0; m < s->matters; m++) follow(s, m, &own->part[m]);
    if (first || !has_joints(s)) TL_TRY(go_along(s, h, 0));
    for (int m = 1; first && m < s->matters; m++)
        if (s->matter[m]->nv > 0) TL_TRY(derive(s, m, &own->part[m]));
    if (has_joints(s)) TL_TRY(answer(s, h));
    *found = *finite = true;
    for (int m = 0; m < s->matters; m++) {
        smooth *p = &own->part[m];
        for (int i = 0; !has_joints(s) && i < s->matter[m]->nv; i++) p->y[i] -= p->x[i];
        if (!is_found(s, m, p, finite)) *found = false;
    }
    return TALUS_OK;
}

static talus_status solve_smooth(tl_system *s)
{
    const trial *own = s->scheme_scratch;
    bool found = false, finite = true;
    for (int k = 0; k < ITERATIONS && !found && finite; k++) TL_TRY(iterate(s, k == 0, &found, &finite));
    if (!found || !finite) return tl_fail(s->step.error, TALUS_DIVERGED, "the smooth motion of a step was not found");
    for (int m = 0; m < s->matters; m++) follow(s, m, &own->part[m]);
    return go_along(s, s->step.h, 0);
}

/* What begins anew, or has other independent coordinates than before, has a_n = ṽ̇_n, as joints let it move at t_n. */
static talus_status start(tl_system *s)
{
    const trial *own = s->scheme_scratch;
    bool begun = true;
    for (int m = 0; m < s->matters; m++) begun = begun && *state_of(s, m, BEGUN) != 0;
    if (!begun) TL_TRY(has_joints(s) ? answer(s, 0) : go_along(s, 0, 0));
    for (int m = 0; m < s->matters; m++) {
        const smooth *p = &own->part[m];
        const size_t bytes = (size_t)s->matter[m]->nv * sizeof *p->x;
        double *a0 = state_of(s, m, ALGORITHMIC), *x0 = state_of(s, m, SMOOTH), *is_begun = state_of(s, m, BEGUN);
        if (*is_begun == 0) {
            memcpy(a0, p->y, bytes);
            memcpy(x0, p->y, bytes);
            *is_begun = 1;
        }
        memcpy(p->x, x0, bytes);
    }
    return TALUS_OK;
}

static talus_status predict(tl_system *s)
{
    s->outcome = (tl_outcome){.converged = true};
    s->step.theta = 0; /* contacts and joints are met at the end of the step */
    s->step.halved = true;
    s->next_count = 0;
    tl_joints_begin(&s->joints);
    trial *own = s->scheme_scratch = tl_arena_zero(s->step.arena, 1, sizeof *own);
    if (!own || !(own->part = tl_arena_zero(s->step.arena, (size_t)s->matters, sizeof *own->part))) return no_memory(s);
    for (int m = 0; m < s->matters; m++) TL_TRY(begin_matter(s, m, &own->part[m]));
    TL_TRY(start(s));
    return solve_smooth(s);
}

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
    if (!has_joints(s)) return TALUS_OK;
    TL_TRY(make_constraints(s, end, end));
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
    const trial *own = s->scheme_scratch;
    tl_step *step = &s->step;
    for (int m = 0; m < s->matters; m++) {
        const smooth *p = &own->part[m];
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
    const trial *own = s->scheme_scratch;
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

/* Constraints as a problem of displacements: springs give way, forces with bounds make half of their impulse of it. After bind, `aimed`: what is to be
 * closed is closed about the present way, whose displacements the rows have. */
static void turn_to_positions(tl_system *s)
{
    const trial *own = s->scheme_scratch;
    for (int i = 0; i < s->joints.constraints; i++) {
        tl_constraint *c = &s->joints.constraint[i];
        c->I = own->pushed + (size_t)i * TL_ROWS;
        c->restitution = 0;
        if (tl_is_spring(c)) give_way(s, c, own->slid + (size_t)i * TL_ROWS);
        else if (c->set == &TL_INTERVAL && !tl_is_one_sided(c)) c->low *= 0.5, c->high *= 0.5;
    }
}

static void close_about_way(tl_system *s, bool first)
{
    const trial *own = s->scheme_scratch;
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
    trial *own = s->scheme_scratch;
    const double end = s->step.t + s->step.h, middle = s->step.t + 0.5 * s->step.h;
    TL_TRY(displace(s, false));
    TL_TRY(tl_contacts_aim(s));
    if (has_joints(s)) {
        TL_TRY(make_constraints(s, end, middle));
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
    TL_TRY(tl_contacts_note_pressing(s, &own->pressing));
    s->geometry->velocities(s, own->part[0].way);
    for (int m = 1; m < s->matters; m++) memcpy(own->part[m].way, s->v[m], (size_t)s->matter[m]->nv * sizeof **s->v);
    return TALUS_OK;
}

/* Until nothing is off, what presses and turned away neither, or rounding lets it come no nearer; then only what is closed or presses stays in the problem. */
static talus_status project(tl_system *s)
{
    trial *own = s->scheme_scratch;
    double before = (double)INFINITY;
    tl_step_aim(s);
    s->outcome.tolerance = fmin(s->outcome.tolerance, 0.1 * OFF * s->slop / s->step.h);
    s->outcome.force_tolerance = 0;
    for (int m = 0; m < s->matters; m++) memcpy(own->part[m].smooth_way, own->part[m].way, (size_t)s->matter[m]->nv * sizeof(double));
    for (int round = 0; round < PROJECTIONS; round++) {
        double off = fmax(depth(s), tl_contacts_widest(s, &own->pressing));
        if (s->outcome.contacts == 0 && !has_joints(s)) break;
        TL_TRY(measure_joints(s, &off));
        if (round > 0 && (off <= OFF * s->slop || (off <= CLOSED * s->slop && off > 0.5 * before))) break;
        before = off;
        TL_TRY(project_once(s, round == 0));
        TL_TRY(go_along(s, s->step.h, 0));
        tl_stage_begin(s, DETECT);
        TL_TRY(detect(s));
        tl_stage_begin(s, PROJECT);
    }
    s->outcome.penetration = depth(s);
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
    const trial *own = s->scheme_scratch;
    for (int i = 0; i < s->joints.constraints; i++) {
        tl_constraint *c = &s->joints.constraint[i];
        if (c->set == &TL_WHOLE_SPACE) memset(c->I, 0, (size_t)c->rows * sizeof *c->I);
        if (tl_is_spring(c)) pull_the_rest(s, c, own->force[i * TL_ROWS]);
        else if (tl_is_one_sided(c) && c->gap[0] > CLOSED * s->slop) {
            c->I[0] = 0;
            rest(c);
        }
        c->gap[0] = tl_is_one_sided(c) ? 0 : c->gap[0];
    }
}

static talus_status bind(tl_system *s)
{
    trial *own = s->scheme_scratch;
    const double end = s->step.t + s->step.h;
    tl_step_aim(s);
    own->iterations = s->outcome.iterations, own->unsolved = own->iterations > 0 ? s->outcome.residual : 0;
    s->outcome.iterations = 0; /* all that the user allows */
    TL_TRY(make_constraints(s, end, end));
    turn_to_velocities(s);
    TL_TRY(feel_dampers(s));
    TL_TRY(take_forces_anew(s));
    return s->geometry->bind(s);
}

/* Impulses of joints in the step: of the smooth part, and W. */
static void add_forces(tl_system *s)
{
    const trial *own = s->scheme_scratch;
    for (int i = 0; i < s->joints.constraints; i++) {
        const tl_constraint *c = &s->joints.constraint[i];
        for (int r = 0; r < c->rows; r++) {
            const double I = s->step.h * own->force[i * TL_ROWS + r];
            c->I[r] += I;
            s->joints.blocks.block[i].I[r] += I;
        }
    }
}

static talus_status finish(tl_system *s)
{
    const trial *own = s->scheme_scratch;
    /* Positions are off by more than the tolerance, or by so much that contacts which press may count as open: then the impulses are wrong, too. */
    const bool lost = own->unsolved > fmin(fmax(s->outcome.tolerance, s->outcome.suffices), CLOSED * s->slop / s->step.h);
    const double deepest = s->outcome.penetration;
    (void)depth(s);
    s->outcome.penetration = deepest;
    s->outcome.iterations += own->iterations;
    if (lost) s->outcome.residual = fmax(s->outcome.residual, own->unsolved), s->outcome.converged = false;
    TL_TRY(tl_step_read_grains(s));
    add_forces(s);
    tl_problem_accumulate(s->problem);
    for (int m = 0; m < s->matters; m++) TL_TRY(s->matter[m]->ops->arrive(s->matter[m], &s->step, 0, s->v[m], NULL));
    return TALUS_OK;
}

static talus_status commit(tl_system *s)
{
    const trial *own = s->scheme_scratch;
    for (int m = 0; m < s->matters; m++) {
        const smooth *p = &own->part[m];
        memcpy(state_of(s, m, ALGORITHMIC), p->a, (size_t)s->matter[m]->nv * sizeof *p->a);
        memcpy(state_of(s, m, SMOOTH), p->x, (size_t)s->matter[m]->nv * sizeof *p->x);
    }
    const talus_status done = tl_step_commit(s);
    for (int m = 0; m < s->matters; m++)
        if (s->matter[m]->new_rates) *state_of(s, m, BEGUN) = 0;
    return done;
}

/* It projects on contacts before it knows their impulses, from which states follow. */
static const char *law_lacks(const tl_interaction *law) { return law->remembers ? "law without memory" : NULL; }

static const tl_stage STAGE[STAGES] = {
    [PREDICT] = {"predict", predict},            /* q̃, ṽ                                        theory §4.5 */
    [DETECT] = {"detect", detect},               /* pairs, touches, sorted by key       theory §6   */
    [PROJECT] = {"project", project},            /* U: q_{n+1}                                      */
    [BIND] = {"bind", bind},                     /* rows of H, ports of other matter    theory §1   */
    [COLOR] = {"color", color},                  /* contacts that share no grain                    */
    [SOLVE] = {"solve", tl_step_solve},          /* W: impulses to tolerance            theory §5   */
    [FINISH] = {"finish", finish},               /* v⁺, dependent rates; may fail       theory §3   */
    [REMEMBER] = {"remember", tl_step_remember}, /* impulses for the next warm start                */
    [COMMIT] = {"commit", commit},               /* the state moves; cannot fail                    */
};

static const tl_scheme_state STATE[] = {
    [ALGORITHMIC] = {"algorithmic", "m/s^2, rad/s^2", "acceleration of generalized-α, by independent rates", false},
    [SMOOTH] = {"smooth", "m/s^2, rad/s^2", "acceleration by all but contacts, by independent rates", false},
    [BEGUN] = {"begun", "1", "1: these accelerations are those of the present coordinates", true},
};

const tl_scheme TL_SCHEME_GENERALIZED_ALPHA = {
    .stage = STAGE, .stages = STAGES, .without_law_states = true, .once = true, .law_lacks = law_lacks, .state = STATE, .states = STATES};
