/* The planar parts of a step's stages. */
#include "solve/drift.h"
#include "solve/global_rows.h"
#include "step/system2.h"

static talus_status begin(tl_system *base)
{
    tl_system2 *s = (tl_system2 *)base;
    s->base.next_count = 0;
    s->pose = tl_arena_alloc(base->step.arena, (size_t)base->contactors, sizeof *s->pose);
    s->motion = tl_arena_alloc(base->step.arena, (size_t)base->contactors, sizeof *s->motion);
    s->extra = tl_arena_alloc(base->step.arena, (size_t)base->contactors, sizeof *s->extra);
    if (!s->pose || !s->motion || !s->extra) return tl_fail(base->step.error, TALUS_MEMORY, "no memory for %d contactors", base->contactors);
    return TALUS_OK;
}

static void motion(const tl_system *base, int grain, tl_vec3 *velocity, tl_vec3 *spin)
{
    const tl_twist2 *v = &((const tl_system2 *)base)->grains->v[grain];
    *velocity = tl_v3(v->x, v->y, 0);
    *spin = tl_v3(0, 0, v->w);
}

static talus_status bind(tl_system *base)
{
    tl_system2 *s = (tl_system2 *)base;
    s->problem = (tl_problem2){
        .base = tl_problem_now(base),
        .v_free = s->grains->v_free,
        .v_before = s->grains->v,
        .inverse_inertia = s->grains->inverse_inertia,
    };
    s->problem.base.bodies = s->grains->n;
    s->problem.base.inverse_mass = s->grains->inverse_mass;
    return tl_problem2_bind(&s->problem, &base->step);
}

/* No force of planar grains depends on their velocity: they need no guess. */
static void push(const tl_system *base, double *const *v)
{
    if (!v[0]) tl_problem_push(&((const tl_system2 *)base)->problem.base, v);
}

static talus_status color(tl_system *base) { return tl_problem2_color(&((tl_system2 *)base)->problem, &base->step); }

static talus_status solve(tl_system *base)
{
    tl_problem2 *p = &((tl_system2 *)base)->problem;
    TL_TRY(tl_problem2_solve(p, &base->step));
    base->outcome.iterations += p->base.iterations;
    base->outcome.residual = p->base.residual;
    base->outcome.residual_mean = p->base.residual_mean;
    base->outcome.converged = p->base.converged;
    return TALUS_OK;
}

static void tally(tl_system *base)
{
    const tl_system2 *s = (const tl_system2 *)base;
    tl_outcome *out = &base->outcome;
    out->contacts = s->base.next_count;
    for (int i = 0; i < s->base.next_count; i++) {
        const tl_contact *c = &s->base.contact_next[i];
        out->touching += c->I[0] > 0;
        out->penetration = fmax(out->penetration, -tl_law_gap(c->law, c->state, c->gap));
    }
}

static double flow_energy(const tl_system *base)
{
    const tl_grains2 *g = ((const tl_system2 *)base)->grains;
    const tl_cell *c = &base->cell;
    double all = 0, own = 0, sum[2] = {0, 0}, mass = 0;
    for (int i = 0; i < g->n; i++) {
        if (!(g->inverse_mass[i] > 0)) continue;
        const double m = 1 / g->inverse_mass[i], flow = c->before / c->length[c->across] * (&g->q[i].x)[c->across];
        double v[2] = {g->v[i].x, g->v[i].y};
        all += m * (v[0] * v[0] + v[1] * v[1]);
        v[c->along] -= flow;
        own += m * (v[0] * v[0] + v[1] * v[1]);
        sum[0] += m * v[0], sum[1] += m * v[1], mass += m;
    }
    return mass > 0 ? 0.5 * (all - own + (sum[0] * sum[0] + sum[1] * sum[1]) / mass) : 0;
}

static bool is_deep(const tl_system *base)
{
    const tl_system2 *s = (const tl_system2 *)base;
    for (int i = 0; i < s->base.next_count; i++) {
        const tl_contact *c = &s->base.contact_next[i];
        if (tl_law_gap(c->law, c->state, c->gap) + base->step.h * c->V[0] < -tl_drift_slop(c->contactor_a, base->slop)) return true;
    }
    return base->joints.constraints > 0 && tl_blocks_are_off(&base->joints.blocks);
}

static talus_status drift(tl_system *base, double **w)
{
    tl_problem2 *p = &((tl_system2 *)base)->problem;
    const tl_twist2 *grains = (const tl_twist2 *)w[0];
    const double *g = base->step.gravity;
    TL_TRY(tl_drift2_solve(p, &base->step, (tl_twist2 *)w[0], w));
    for (int i = 0; i < p->base.bodies; i++)
        if (p->base.inverse_mass[i] > 0) base->outcome.drift_energy -= base->step.h * (g[0] * grains[i].x + g[1] * grains[i].y) / p->base.inverse_mass[i];
    return TALUS_OK;
}

/* Velocity of an end of a contact where the impulse acts on it, of v_free. */
static talus_status end_velocity(tl_system2 *s, tl_place end, tl_vec3 arm, tl_vec2 *out)
{
    tl_vec3 v = {0, 0, 0}, w = {0, 0, 0};
    if (end.matter == 0) v = tl_v3(s->grains->v_free[end.item].x, s->grains->v_free[end.item].y, 0), w.z = s->grains->v_free[end.item].w;
    else TL_TRY(tl_link_motion_free(&s->base, end, &v, &w));
    *out = tl_v2(v.x - w.z * arm.y, v.y + w.z * arm.x);
    return TALUS_OK;
}

static talus_status aim(tl_system *base)
{
    tl_system2 *s = (tl_system2 *)base;
    const double h = base->step.h;
    tl_interaction *law = tl_arena_alloc(base->step.arena, (size_t)s->base.next_count + 1, sizeof *law);
    if (!law) return tl_fail(base->step.error, TALUS_MEMORY, "no memory for %d contacts", s->base.next_count);
    for (int i = 0; i < s->base.next_count; i++) {
        tl_contact *c = &s->base.contact_next[i];
        tl_vec2 a = {0, 0}, b = {0, 0};
        TL_TRY(end_velocity(s, c->a, c->arm[0], &a));
        TL_TRY(end_velocity(s, c->b, c->arm[1], &b));
        law[i] = tl_law_of_positions(c->law, &(tl_law_view){.gap = c->gap, .h = h, .share = c->points > 1 ? 1.0 / c->points : 1});
        c->law = &law[i];
        c->struck = false;
        c->gap -= h * (c->n.x * (b.x - a.x) + c->n.y * (b.y - a.y));
    }
    return TALUS_OK;
}

/* Without contacts: joints alone, of the rows that bind made. */
static void hold(tl_system *base, double *const *a)
{
    tl_problem2 *p = &((tl_system2 *)base)->problem;
    tl_twist2 *grains = (tl_twist2 *)a[0];
    p->v_free = grains;
    tl_problem2_set_rows(p);
    if (p->base.blocks) tl_blocks_start_joints(p->base.blocks, &(tl_velocities){&p->row->x, a});
    for (int i = 0; i < p->base.bodies; i++) grains[i] = tl_problem2_velocity(p, i);
}

static void keep_closed(tl_system *base, double gap)
{
    tl_system2 *s = (tl_system2 *)base;
    int kept = 0;
    for (int i = 0; i < s->base.next_count; i++) {
        tl_contact c = s->base.contact_next[i];
        if (c.contactor_a >= 0 && !(c.gap <= fmax(gap, c.law->reach))) continue;
        if (c.contactor_a >= 0 && c.gap <= gap) c.gap = fmin(c.gap, 0);
        s->base.contact_next[kept++] = c;
    }
    s->base.next_count = kept;
}

static void velocities(const tl_system *base, double *v0)
{
    const tl_problem2 *p = &((const tl_system2 *)base)->problem;
    tl_twist2 *v = (tl_twist2 *)v0;
    for (int i = 0; i < p->base.bodies; i++) v[i] = tl_problem2_velocity(p, i);
}

static talus_status local(tl_system *base, talus_problem_def *out) { return tl_problem2_local(&((const tl_system2 *)base)->problem, &base->step, out); }

static talus_status global(tl_system *base, talus_global_problem *out) { return tl_problem2_global(&((const tl_system2 *)base)->problem, &base->step, out); }

static void accumulate(const tl_system *base) { tl_problem_accumulate(&((const tl_system2 *)base)->problem.base); }

static bool pair_point(const tl_system *base, int contact, tl_pair_point *out)
{
    const tl_system2 *s = (const tl_system2 *)base;
    if (contact >= s->base.next_count) return false;
    const tl_contact *c = &s->base.contact_next[contact];
    *out = (tl_pair_point){.state = c->state};
    if (!c->state) return true;
    *out = (tl_pair_point){.law = c->law,
                           .state = c->state,
                           .end = {{c->a.matter, c->a.item}, {c->b.matter, c->b.item}},
                           .contactor = {c->contactor_a, c->contactor_b},
                           .gap = c->gap,
                           .push = fmax(c->I[0], 0),
                           .velocity = c->V[0],
                           .pulls = c->offset > 0,
                           .weight = &s->base.contact_next[contact].weight};
    return true;
}

static talus_status mobility(tl_system *base, int first, int end, const double *weight, double *mobility)
{
    return tl_problem_mobility(&((tl_system2 *)base)->problem.base, &base->step, first, end, weight, mobility);
}

static double ball(const tl_system *base, int contactor) { return tl_shape2_ball(&((const tl_system2 *)base)->contactor[contactor].shape); }

static void commit(tl_system *base)
{
    tl_system2 *s = (tl_system2 *)base;
    tl_contact *contact = s->base.contact;
    const int capacity = s->base.contact_capacity;
    s->base.contact = s->base.contact_next;
    s->base.contact_capacity = s->base.next_capacity;
    base->contact_count = s->base.next_count;
    s->base.contact_next = contact;
    s->base.next_capacity = capacity;
}

const tl_geometry TL_PLANE = {
    .begin = begin,
    .motion = motion,
    .detect = tl_contacts2_detect,
    .bind = bind,
    .push = push,
    .color = color,
    .solve = solve,
    .overtake = tl_contacts2_overtake,
    .remember = tl_contacts2_remember,
    .tally = tally,
    .flow_energy = flow_energy,
    .is_deep = is_deep,
    .drift = drift,
    .aim = aim,
    .hold = hold,
    .keep_closed = keep_closed,
    .velocities = velocities,
    .accumulate = accumulate,
    .local = local,
    .global = global,
    .commit = commit,
    .pair_point = pair_point,
    .mobility = mobility,
    .pair_law = tl_contacts2_pair_law,
    .ball = ball,
};
