/* Nonsmooth generalized-α (theory §4.5; Brüls, Acary & Cardona 2014): v = ṽ + W, q = q̃ ⊕ U.
 *
 * Smooth part, with x = ṽ̇_{n+1} and what imposed motions and the loops of mechanisms ask for in it:
 *
 *     x = M⁻¹ f(q̃_{n+1}, ṽ_{n+1}, t_{n+1}),      (1 − α_m) a_{n+1} + α_m a_n = (1 − α_f) x + α_f ṽ̇_n
 *     q̃_{n+1} = q_n ⊕ (h v_n + h² ((½ − β) a_n + β a_{n+1})),      ṽ_{n+1} = v_n + h ((1 − γ) a_n + γ a_{n+1})
 *
 * Contacts at positions: U is the least one in the mass norm with g(q̃ ⊕ U) ≥ 0. Contacts at velocities: those that are closed at
 * q_{n+1} give the impulses of W by their law. The three problems are solved one after the other: forces are those of q̃ and ṽ.
 * α_m, α_f, γ and β follow from the spectral radius at infinite frequency. */
#include <string.h>

#include "step/schemes.h"

enum { PREDICT, DETECT, PROJECT, BIND, COLOR, SOLVE, FINISH, REMEMBER, COMMIT, STAGES };
enum { ALGORITHMIC, SMOOTH, BEGUN, STATES }; /* a_n, ṽ̇_n; whether they are there */
enum { ITERATIONS = 60, PROJECTIONS = 50 };

static const double CLOSE = 1e-13;       /* of velocities: where the smooth part is solved                        */
static const double CLOSE_ENOUGH = 1e-9; /* what rounding, of loops that are closed to 1e-12 m too, may leave     */
static const double NUDGE = 1e-5;        /* of velocities [m/s, rad/s]: for the derivative of the acceleration    */
static const double CLOSED = 1e-3;       /* slops: contacts whose gap is less are closed                          */
static const double DEEP = 1e-6;         /* slops: overlap that is taken back                                     */

typedef struct smooth {
    double *start, *x, *y, *a, *way, *v; /* [nv] v_n; ṽ̇; what forces make of it; a_{n+1}; (q̃ − q_n)/h; ṽ          */
    double *J;                           /* [nv × nv] 1 − ∂y/∂x, factored; NULL: identity                           */
    int *pivot;
} smooth;

/* Of a step: one for each matter, and the way of positions with U. */
typedef struct trial {
    smooth *part;
} trial;

static talus_status no_memory(tl_system *s) { return tl_fail(s->step.error, TALUS_MEMORY, "no memory for the velocities"); }

static double *state_of(const tl_system *s, int matter, int which) { return s->scheme_state[matter * STATES + which]; }

/* a_{n+1}, the way and ṽ that go with x. */
static void follow(const tl_system *s, int matter, smooth *p)
{
    const double rho = s->def->spectral_radius, h = s->step.h;
    const double am = (2 * rho - 1) / (rho + 1), af = rho / (rho + 1), gamma = 0.5 + af - am, beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
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

/* What begins anew, or has other independent coordinates than before, has a_n = ṽ̇_n = M⁻¹ f(q_n, v_n, t_n). */
static talus_status begin_matter(tl_system *s, int matter, smooth *p)
{
    const tl_matter *m = s->matter[matter];
    const size_t n = (size_t)m->nv + 1;
    double **const vectors[] = {&p->start, &p->x, &p->y, &p->a, &p->way, &p->v};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        if (!(*vectors[k] = tl_arena_zero(s->step.arena, n, sizeof(double)))) return no_memory(s);
    m->ops->start_velocity(m, p->start);
    TL_TRY(accelerate(s, matter, 0, p->start, p->start, p->y));
    double *a0 = state_of(s, matter, ALGORITHMIC), *x0 = state_of(s, matter, SMOOTH), *begun = state_of(s, matter, BEGUN);
    if (*begun == 0) {
        memcpy(a0, p->y, (size_t)m->nv * sizeof *a0);
        memcpy(x0, p->y, (size_t)m->nv * sizeof *x0);
        *begun = 1;
    }
    memcpy(p->x, x0, (size_t)m->nv * sizeof *p->x);
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

/* Newton with the derivative at the start, for matter with few rates; forces on grains hardly depend on how they move. */
static talus_status solve_smooth(tl_system *s, int matter, smooth *p)
{
    const int n = s->matter[matter]->nv;
    double before = (double)INFINITY;
    for (int k = 0; k < ITERATIONS; k++) {
        double change = 0, size = 0;
        follow(s, matter, p);
        TL_TRY(accelerate(s, matter, s->step.h, p->way, p->v, p->y));
        if (k == 0 && matter > 0 && n > 0) TL_TRY(derive(s, matter, p));
        for (int i = 0; i < n; i++) p->y[i] -= p->x[i];
        if (p->J) tl_lu_solve(p->J, p->pivot, n, p->y);
        for (int i = 0; i < n; i++) {
            p->x[i] += p->y[i];
            change = fmax(change, s->step.h * fabs(p->y[i]));
            size = fmax(size, fmax(fabs(p->v[i]), s->step.h * fabs(p->x[i])));
        }
        if (!isfinite(change)) break;
        if (change <= CLOSE * size || (change <= CLOSE_ENOUGH * size && change >= 0.5 * before)) {
            follow(s, matter, p);
            return accelerate(s, matter, s->step.h, p->way, p->v, p->y);
        }
        before = change;
    }
    return tl_fail(s->step.error, TALUS_DIVERGED, "the smooth motion of a step was not found");
}

static talus_status predict(tl_system *s)
{
    s->outcome = (tl_outcome){.converged = true};
    TL_TRY(s->geometry->begin(s));
    trial *own = s->scheme_scratch = tl_arena_zero(s->step.arena, 1, sizeof *own);
    if (!own || !(own->part = tl_arena_zero(s->step.arena, (size_t)s->matters, sizeof *own->part))) return no_memory(s);
    for (int m = 0; m < s->matters; m++) {
        TL_TRY(begin_matter(s, m, &own->part[m]));
        TL_TRY(solve_smooth(s, m, &own->part[m]));
    }
    return TALUS_OK;
}

static talus_status detect(tl_system *s) { return s->geometry->detect(s); }

static talus_status color(tl_system *s) { return s->geometry->color(s); }

static double depth(tl_system *s)
{
    s->outcome.penetration = 0;
    s->geometry->tally(s);
    return s->outcome.penetration;
}

/* U, by projections on contacts as they lie, until none is left that overlaps; then only what is closed stays in the problem. */
static talus_status project(tl_system *s)
{
    const trial *own = s->scheme_scratch;
    for (int round = 0; round < PROJECTIONS && depth(s) > DEEP * s->slop; round++) {
        tl_stage_begin(s, BIND);
        TL_TRY(tl_step_bind_problem(s));
        tl_stage_begin(s, COLOR);
        TL_TRY(color(s));
        tl_stage_begin(s, PROJECT);
        double **w = tl_step_vectors(s);
        if (!w) return no_memory(s);
        TL_TRY(s->geometry->project(s, w));
        tl_stage_begin(s, DETECT);
        for (int m = 0; m < s->matters; m++) {
            const smooth *p = &own->part[m];
            for (int i = 0; i < s->matter[m]->nv; i++) p->way[i] += w[m][i];
            TL_TRY(accelerate(s, m, s->step.h, p->way, p->v, p->y));
        }
        TL_TRY(detect(s));
        tl_stage_begin(s, PROJECT);
    }
    s->outcome.penetration = depth(s);
    s->geometry->keep_closed(s, CLOSED * s->slop);
    return TALUS_OK;
}

static talus_status bind(tl_system *s)
{
    s->outcome.tolerance = tl_step_tolerance(s);
    return tl_step_bind_problem(s);
}

static talus_status solve(tl_system *s) { return s->geometry->solve(s); }

static talus_status finish(tl_system *s)
{
    const double deepest = s->outcome.penetration;
    s->v[0] = tl_arena_alloc(s->step.arena, (size_t)s->matter[0]->nv + 1, sizeof **s->v);
    if (!s->v[0]) return no_memory(s);
    s->geometry->tally(s);
    s->outcome.penetration = deepest;
    s->geometry->velocities(s, s->v[0]);
    s->geometry->accumulate(s);
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

static const tl_stage STAGE[STAGES] = {
    [PREDICT] = {"predict", predict},            /* q̃, ṽ                                        theory §4.5 */
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
    [ALGORITHMIC] = {"algorithmic", "m/s^2, rad/s^2", "acceleration of generalized-α, by independent rates", false},
    [SMOOTH] = {"smooth", "m/s^2, rad/s^2", "acceleration by all but contacts, by independent rates", false},
    [BEGUN] = {"begun", "1", "1: these accelerations are those of the present coordinates", true},
};

const tl_scheme TL_SCHEME_GENERALIZED_ALPHA = {
    .stage = STAGE, .stages = STAGES, .without_joints = true, .without_law_states = true, .state = STATE, .states = STATES};
