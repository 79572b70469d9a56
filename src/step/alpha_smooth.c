/* The smooth part of nonsmooth generalized-α (theory §4.5): what bodies and mechanisms do in a step by their forces and joints, as if nothing touched. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/integers.h"
#include "step/alpha.h"

enum { ITERATIONS = 100 };

static const double CLOSE = 1e-13;       /* of velocities: where the smooth part is solved                        */
static const double CLOSE_ENOUGH = 1e-9; /* what rounding, of loops that are closed to 1e-12 m too, may leave     */
static const double NUDGE = 1e-5;        /* of velocities [m/s, rad/s]: for the derivative of the acceleration    */
static const double ROUNDINGS = 0.1;     /* of a position, over the slop: what rates of rows may be off by, hundreds of roundings over a size     */
static const double ASIDE = 0.01;        /* of a step: differences of the rates of rows                           */

static talus_status no_memory(tl_system *s) { return tl_fail(s->step.error, TALUS_MEMORY, "no memory for the velocities"); }

typedef struct weights {
    double am, af, gamma, beta;
} weights;

static weights weights_of(const tl_system *s)
{
    const double rho = s->def->spectral_radius, am = (2 * rho - 1) / (rho + 1), af = rho / (rho + 1), gamma = 0.5 + af - am;
    return (weights){am, af, gamma, 0.25 * (gamma + 0.5) * (gamma + 0.5)};
}

/* a_{n+1}, the way and ṽ that go with x. */
static void follow(const tl_system *s, int matter, tl_smooth *p)
{
    const weights w = weights_of(s);
    const double am = w.am, af = w.af, gamma = w.gamma, beta = w.beta, h = s->step.h;
    const double *a0 = p->a0, *x0 = p->x0;
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

static talus_status begin_matter(tl_system *s, int matter, tl_smooth *p)
{
    const tl_matter *m = s->matter[matter];
    const size_t n = (size_t)m->nv + 1;
    double **const vectors[] = {&p->start, &p->x, &p->y, &p->a, &p->way, &p->v, &p->aside, &p->fast, &p->smooth_way, &p->a0, &p->x0};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        if (!(*vectors[k] = tl_arena_zero(s->step.arena, n, sizeof(double)))) return no_memory(s);
    m->ops->start_velocity(m, p->start);
    return TALUS_OK;
}

static talus_status open_mixing(tl_system *s, int matter, tl_smooth *p)
{
    p->mixing = tl_mixing_open(s->step.arena, s->matter[matter]->nv, NULL, 1);
    return p->mixing ? TALUS_OK : no_memory(s);
}

/* Columns by differences; what the scheme makes of a nudge in x is a nudge of positions and velocities. */
static talus_status derive(tl_system *s, int matter, tl_smooth *p)
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

void tl_alpha_rest(tl_constraint *c)
{
    c->set = &TL_INTERVAL;
    c->low = c->high = c->stiffness = c->damping = c->restitution = 0;
    memset(c->shift, 0, sizeof c->shift);
    memset(c->gap, 0, sizeof c->gap);
}

static talus_status no_room(tl_system *s) { return tl_fail(s->step.error, TALUS_MEMORY, "no memory for %d joints", s->joints.count); }

talus_status tl_alpha_constraints(tl_system *s, double positions, double rates)
{
    tl_trial *own = s->scheme_scratch;
    TL_TRY(tl_step_start_velocities(s));
    TL_TRY(tl_joints_make(s, positions, rates));
    if (own->force) return TALUS_OK;
    for (int i = 0; i < s->joints.constraints; i++)
        for (int e = 0; e < s->joints.constraint[i].grips; e++) own->far = fmax(own->far, tl_norm(s->joints.constraint[i].grip[e].at));
    own->rows = TL_ROWS * s->joints.constraints;
    double **const arrays[] = {&own->force, &own->pushed, &own->shift, &own->slid};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        if (!(*arrays[k] = tl_arena_zero(s->step.arena, (size_t)own->rows + 1, sizeof(double)))) return no_room(s);
    own->held = tl_arena_zero(s->step.arena, (size_t)s->joints.constraints + 1, sizeof *own->held);
    own->changed = tl_arena_zero(s->step.arena, (size_t)s->joints.constraints + 1, sizeof *own->changed);
    return own->held && own->changed ? TALUS_OK : no_room(s);
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

static double margin_of(const tl_constraint *c) { return isfinite(c->high) ? 1e-9 * (c->high - c->low) : 0; } /* rounding is not to tell */

/* Do two rows act in one coordinate? */
static bool act_together(const tl_constraint *a, const tl_constraint *b)
{
    const tl_grip *p = a->grip, *q = b->grip;
    return a->rows == 1 && b->rows == 1 && a->grips == b->grips && p->matter == q->matter && p->item == q->item && p->rate1 == q->rate1 &&
           fabs(tl_dot(p->row[0].force, q->row[0].force)) == tl_dot(p->row[0].force, p->row[0].force) &&
           fabs(tl_dot(p->row[0].moment, q->row[0].moment)) == tl_dot(p->row[0].moment, p->row[0].moment);
}

/* What gives all that it has in the same coordinate has no part in the smooth motion: one beside it would have to give that as well. */
static bool has_given_all(const tl_constraint *c)
{
    return c->set == &TL_INTERVAL && !tl_is_spring(c) && c->I[0] != 0 && isfinite(c->high) && fabs(c->I[0]) >= c->high - margin_of(c);
}

/* A stop or a rope that pressed in the last step, friction or a drive of limited force that needed less than it has: they hold as joints do. */
bool tl_alpha_holds_on(const tl_system *s, int constraint)
{
    const tl_constraint *all = s->joints.constraint, *c = &all[constraint];
    if (c->set != &TL_INTERVAL || tl_is_spring(c) || c->creep > 0 || c->restitution > 0 || c->I[0] == 0) return false;
    for (int k = constraint - 1; k >= 0 && act_together(&all[k], c); k--)
        if (has_given_all(&all[k])) return false;
    for (int k = constraint + 1; k < s->joints.constraints && act_together(&all[k], c); k++)
        if (has_given_all(&all[k])) return false;
    return c->low + margin_of(c) < c->I[0] && c->I[0] < c->high - margin_of(c);
}

/* Has a mechanism springs or dampers far stiffer than the step? Its smooth motion is not found, or rings, with what holds against these. */
static talus_status find_stiff(tl_system *s, double span, bool *stiff)
{
    *stiff = false;
    for (int i = 1; i < s->matters; i++) {
        tl_matter *m = s->matter[i];
        const int n = m->nv;
        if (!m->ops->mass || !m->ops->inertia || n == 0) continue;
        const tl_arena_place mark = tl_arena_mark(s->step.arena);
        double *alone = tl_arena_alloc(s->step.arena, 2 * (size_t)n * (size_t)n, sizeof *alone), *with = alone + n * n;
        if (!alone) return no_memory(s);
        TL_TRY(m->ops->inertia(m, &s->step, 1, s->step.h));
        m->ops->mass(m, with);
        TL_TRY(m->ops->inertia(m, &s->step, 1 - span / s->step.h, 0));
        m->ops->mass(m, alone);
        for (int k = 0; k < n; k++) *stiff = *stiff || with[k * n + k] > 2 * alone[k * n + k];
        tl_arena_release(s->step.arena, mark);
    }
    return TALUS_OK;
}

/* What holds in this step. */
static talus_status decide(tl_system *s, double span)
{
    tl_trial *own = s->scheme_scratch;
    own->decided = true;
    TL_TRY(find_stiff(s, span, &own->loose));
    for (int i = 0; i < s->joints.constraints; i++) own->held[i] = !own->loose && tl_alpha_holds_on(s, i);
    return TALUS_OK;
}

/* Rows that have a part in the smooth motion, where matter is; V of each then is its rate at ṽ. */
static talus_status bind_smooth(tl_system *s, double span, double time)
{
    tl_trial *own = s->scheme_scratch;
    TL_TRY(tl_alpha_constraints(s, time, time));
    if (!own->decided) TL_TRY(decide(s, span));
    bind_springs(s, span);
    for (int i = 0; i < s->joints.constraints; i++) {
        tl_constraint *c = &s->joints.constraint[i];
        if (own->held[i]) c->set = &TL_WHOLE_SPACE;
        c->I = own->force + (size_t)i * TL_ROWS;
        if (c->set == &TL_WHOLE_SPACE || tl_is_spring(c)) continue;
        c->I[0] = 0;
        tl_alpha_rest(c);
    }
    return s->geometry->bind(s);
}

talus_status tl_alpha_go_along(tl_system *s, double span, double ahead)
{
    const tl_trial *own = s->scheme_scratch;
    for (int m = 0; m < s->matters; m++) {
        tl_smooth *p = &own->part[m];
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
    const tl_trial *own = s->scheme_scratch;
    const double aside = (span > 0 ? ASIDE : -ASIDE) * s->step.h;
    for (int i = 0; i < own->rows; i++) own->shift[i] = 0;
    for (int k = 2; k >= 0; k--) { /* last where the forces are asked for */
        TL_TRY(tl_alpha_go_along(s, span, -k * aside));
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
    const tl_trial *own = s->scheme_scratch;
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

/* x follows what it lacked, which is in y, and y becomes what it gained. Forces on grains hardly depend on how they move; mechanisms are found by Newton's
 * method; what deforms knows how its forces follow, where they are not linear only about, so that its passes are mixed. */
static talus_status follow_lack(tl_system *s, int matter, tl_smooth *p)
{
    tl_matter *m = s->matter[matter];
    const weights w = weights_of(s);
    const double h = s->step.h, share = (1 - w.af) / (1 - w.am);
    if (p->J) tl_lu_solve(p->J, p->pivot, m->nv, p->y);
    if (!p->mixing) {
        for (int i = 0; i < m->nv; i++) p->x[i] += p->y[i];
        return TALUS_OK;
    }
    TL_TRY(m->ops->approach(m, &s->step, share * w.gamma * h, share * w.beta * h * h, p->y));
    memcpy(p->aside, p->x, (size_t)m->nv * sizeof *p->x);
    tl_mixing_mix(p->mixing, p->y, p->x);
    for (int i = 0; i < m->nv; i++) p->y[i] = p->x[i] - p->aside[i];
    return TALUS_OK;
}

/* By what x has gained, in y: is that all? */
static bool is_found(const tl_system *s, int matter, tl_smooth *p, bool *finite)
{
    const int n = s->matter[matter]->nv;
    double change = 0, size = 0;
    for (int i = 0; i < n; i++) {
        change = fmax(change, s->step.h * fabs(p->y[i]));
        size = fmax(size, fmax(fabs(p->v[i]), s->step.h * fabs(p->x[i])));
        *finite = *finite && isfinite(p->x[i]);
    }
    /* Of what rests nothing is large but what cancels: there rounding of positions is all that is left, which far from the origin is more. */
    const double far = ((const tl_trial *)s->scheme_scratch)->far, rounding = fmax(CLOSE_ENOUGH, ROUNDINGS * DBL_EPSILON * far / s->slop);
    const bool small = change <= rounding * fmax(size, s->step.h * p->load) || s->step.h * change <= TL_ALPHA_OFF * s->slop;
    const bool found = change <= CLOSE * size || (small && (p->small || change >= 0.5 * p->before)); /* of many, all at once */
    p->before = change, p->small = small;
    return found;
}

static talus_status iterate(tl_system *s, bool first, bool *found, bool *finite)
{
    const tl_trial *own = s->scheme_scratch;
    const double h = s->step.h;
    for (int m = 0; m < s->matters; m++) follow(s, m, &own->part[m]);
    if (first || !tl_alpha_has_joints(s)) TL_TRY(tl_alpha_go_along(s, h, 0));
    for (int m = 1; first && m < s->matters; m++)
        if (s->matter[m]->nv > 0) TL_TRY(s->matter[m]->ops->approach ? open_mixing(s, m, &own->part[m]) : derive(s, m, &own->part[m]));
    if (tl_alpha_has_joints(s)) TL_TRY(answer(s, h));
    *found = *finite = true;
    for (int m = 0; m < s->matters; m++) {
        tl_smooth *p = &own->part[m];
        for (int i = 0; !tl_alpha_has_joints(s) && i < s->matter[m]->nv; i++) p->y[i] -= p->x[i];
        TL_TRY(follow_lack(s, m, p));
        if (!is_found(s, m, p, finite)) *found = false;
    }
    return TALUS_OK;
}

/* Are accelerations those in this gravity? In another one none has begun. */
static bool has_gravity(const tl_system *s, int matter)
{
    bool same = true;
    for (int k = 0; k < 3; k++) same = same && *tl_alpha_state(s, matter, TL_GRAVITY + k) == s->step.gravity[k];
    return same;
}

static bool have_all_begun(const tl_system *s, int matter)
{
    const double *begun = tl_alpha_state(s, matter, TL_BEGUN);
    bool all = has_gravity(s, matter);
    for (int i = 0; i < s->matter[matter]->nv; i++) all = all && begun[i] != 0;
    return all;
}

typedef struct groups {
    const talus_body_kind *kind;
    int bodies;
} groups;

/* Bodies, then other matter; −1: it does not move. */
static int group_of(const void *context, const tl_grip *grip)
{
    const groups *g = context;
    if (grip->matter > 0) return g->bodies + grip->matter;
    return grip->item < g->bodies && g->kind[grip->item] == TALUS_BODY_FREE ? grip->item : -1;
}

talus_status tl_alpha_find_anew(tl_system *s)
{
    tl_trial *own = s->scheme_scratch;
    groups g;
    bool any = false;
    own->anew = NULL;
    for (int i = 0; i < s->joints.constraints; i++) any = any || own->changed[i];
    if (!any) return TALUS_OK;
    g.kind = s->geometry->kinds(s, &g.bodies);
    const int n = g.bodies + s->matters;
    int *root = tl_arena_alloc(s->step.arena, (size_t)n, sizeof *root);
    bool *first = tl_arena_zero(s->step.arena, (size_t)n, sizeof *first);
    own->anew = tl_arena_zero(s->step.arena, (size_t)n, sizeof *own->anew);
    if (!root || !first || !own->anew) return no_room(s);
    for (int i = 0; i < n; i++) root[i] = i;
    for (int i = 0; i < s->joints.constraints; i++) tl_constraint_join(&s->joints.constraint[i], group_of, &g, root, own->changed[i] ? own->anew : NULL);
    tl_find_roots(root, n);
    for (int i = 0; i < n; i++) first[root[i]] = first[root[i]] || own->anew[i];
    for (int i = 0; i < n; i++) own->anew[i] = first[root[i]];
    return TALUS_OK;
}

bool tl_alpha_is_anew(const tl_system *s, int matter, int rate)
{
    const tl_trial *own = s->scheme_scratch;
    int bodies;
    (void)s->geometry->kinds(s, &bodies);
    const int rates = matter == 0 && bodies > 0 ? s->matter[0]->nv / bodies : 1;
    return own->anew && own->anew[matter == 0 ? rate / rates : bodies + matter];
}

/* What begins anew has a_n = ṽ̇_n, as joints let it move at t_n: at first, where other coordinates are independent than before, a body that has come, and all
 * where other rows hold than before. */
static talus_status start(tl_system *s)
{
    const tl_trial *own = s->scheme_scratch;
    bool all = !own->anew;
    for (int m = 0; m < s->matters; m++) {
        const tl_smooth *p = &own->part[m];
        all = have_all_begun(s, m) && all;
        memcpy(p->way, p->start, (size_t)s->matter[m]->nv * sizeof *p->way);
        memcpy(p->v, p->start, (size_t)s->matter[m]->nv * sizeof *p->v);
        memset(p->x, 0, (size_t)s->matter[m]->nv * sizeof *p->x); /* of a pass that held too much: what is looked for is no change of it */
    }
    if (!all) TL_TRY(tl_alpha_has_joints(s) ? answer(s, 0) : tl_alpha_go_along(s, 0, 0));
    for (int m = 0; m < s->matters; m++) {
        const tl_smooth *p = &own->part[m];
        const double *a = tl_alpha_state(s, m, TL_ALGORITHMIC), *x = tl_alpha_state(s, m, TL_SMOOTH), *begun = tl_alpha_state(s, m, TL_BEGUN);
        const bool same = has_gravity(s, m);
        for (int i = 0; i < s->matter[m]->nv; i++) {
            const bool goes_on = same && begun[i] != 0 && !tl_alpha_is_anew(s, m, i);
            p->a0[i] = goes_on ? a[i] : p->y[i];
            p->x[i] = p->x0[i] = goes_on ? x[i] : p->y[i];
        }
    }
    return TALUS_OK;
}

/* What would need more than it has: impulses of velocities tell how it slips. */
static bool let_go(const tl_system *s)
{
    const tl_trial *own = s->scheme_scratch;
    bool any = false;
    for (int i = 0; i < s->joints.constraints; i++) {
        const tl_constraint *c = &s->joints.constraint[i];
        const double I = s->step.h * own->force[i * TL_ROWS];
        if (!own->held[i] || (c->low <= I && I <= c->high)) continue;
        own->held[i] = false;
        own->changed[i] = any = true;
    }
    return any;
}

/* Where the smooth motion is not found with what holds, such as a stop against a stiff spring of a mechanism, nothing holds in it, as in the step before. */
static bool let_all_go(tl_system *s)
{
    tl_trial *own = s->scheme_scratch;
    bool any = false;
    for (int i = 0; i < s->joints.constraints; i++) any = any || own->held[i], own->held[i] = false;
    memset(own->force, 0, (size_t)own->rows * sizeof *own->force);
    own->anew = NULL;
    own->loose = true;
    return any;
}

static talus_status solve_smooth(tl_system *s)
{
    const tl_trial *own = s->scheme_scratch;
    for (bool held = false; !held;) {
        bool found = false, finite = true;
        for (int m = 0; m < s->matters; m++) own->part[m].before = (double)INFINITY, own->part[m].small = false;
        for (int k = 0; k < ITERATIONS && !found && finite; k++) TL_TRY(iterate(s, k == 0, &found, &finite));
        const bool lost = !found || !finite;
        if (lost && !let_all_go(s)) return tl_fail(s->step.error, TALUS_DIVERGED, "the smooth motion of a step was not found");
        held = !lost && !let_go(s);
        if (!held && !lost) TL_TRY(tl_alpha_find_anew(s));
        if (!held) TL_TRY(start(s));
    }
    for (int m = 0; m < s->matters; m++) follow(s, m, &own->part[m]);
    return tl_alpha_go_along(s, s->step.h, 0);
}

talus_status tl_alpha_predict(tl_system *s)
{
    s->outcome = (tl_outcome){.converged = true};
    s->step.theta = 0; /* contacts and joints are met at the end of the step */
    s->step.halved = true;
    s->next_count = 0;
    tl_joints_begin(&s->joints);
    tl_trial *own = s->scheme_scratch = tl_arena_zero(s->step.arena, 1, sizeof *own);
    if (!own || !(own->part = tl_arena_zero(s->step.arena, (size_t)s->matters, sizeof *own->part))) return no_memory(s);
    for (int m = 0; m < s->matters; m++) TL_TRY(begin_matter(s, m, &own->part[m]));
    TL_TRY(start(s));
    return solve_smooth(s);
}
