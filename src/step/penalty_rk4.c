/* Explicit Runge–Kutta of order 4 with penalty contacts (theory §4.6; Y19's comparator), for grains and ropes of the plane:
 *
 *     k_i = (v_i, a(t_i, q_i, v_i)),   q_{n+1} = q_n + h/6 (v_1 + 2 v_2 + 2 v_3 + v_4),   v_{n+1} likewise.
 *
 * Contacts are looked for anew at each of the four. The step must be short against √(m/K): nothing is solved, and nothing warns. */
#include "law/penalty.h"
#include "step/schemes.h"
#include "step/system2.h"

static const double AT[4] = {0, 0.5, 0.5, 1}, WEIGHT[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}; /* shares of the step */

static tl_penalty law_of(const tl_system2 *s, const tl_contact2 *c, int rope)
{
    if (c->contactor_a < 0) return (tl_penalty){.stiffness = s->base.rope[rope].stiffness, .damping = s->base.rope[rope].damping};
    const tl_interaction *law = &s->base.law[s->contactor[c->contactor_a].material * s->base.materials + s->contactor[c->contactor_b].material];
    return (tl_penalty){law->stiffness, law->damping, law->friction, law->friction_velocity};
}

/* Velocity of a body at a contact. */
static tl_vec2 velocity_at(const tl_system2 *s, const tl_twist2 *v, int body, const tl_contact2 *c)
{
    const tl_twist2 q = s->grains->q_m[body], u = v[body];
    return tl_v2(u.x - u.w * (c->point.y - q.y), u.y + u.w * (c->point.x - q.x));
}

static void push(const tl_system2 *s, int body, const tl_contact2 *c, double fx, double fy, tl_twist2 *a)
{
    const tl_twist2 q = s->grains->q_m[body];
    a[body].x += s->grains->inverse_mass[body] * fx;
    a[body].y += s->grains->inverse_mass[body] * fy;
    a[body].w += s->grains->inverse_inertia[body] * ((c->point.x - q.x) * fy - (c->point.y - q.y) * fx);
}

/* Accelerations at t, q, v; boundaries get their velocity in v. Contacts keep the impulse of a whole step with these forces. */
static talus_status accelerate(tl_system2 *s, double t, const tl_twist2 *q, tl_twist2 *v, tl_twist2 *a)
{
    tl_grains2_forces(s->grains, t, s->base.step.gravity, q, v, a);
    TL_TRY(tl_contacts2_detect(&s->base));
    for (int i = 0; i < s->next_count; i++) {
        tl_contact2 *c = &s->contact_next[i];
        const tl_penalty law = law_of(s, c, i - (s->next_count - s->base.ropes));
        const tl_vec2 V = tl_sub2(velocity_at(s, v, c->b.item, c), velocity_at(s, v, c->a.item, c));
        c->V[0] = c->nx * V.x + c->ny * V.y;
        c->V[1] = c->nx * V.y - c->ny * V.x;
        double f[2];
        tl_penalty_force(&law, c->gap, c->V[0], c->V[1], f);
        const double fx = c->nx * f[0] - c->ny * f[1], fy = c->ny * f[0] + c->nx * f[1];
        push(s, c->b.item, c, fx, fy, a);
        push(s, c->a.item, c, -fx, -fy, a);
        c->I[0] = s->base.step.h * f[0], c->I[1] = s->base.step.h * f[1];
    }
    return TALUS_OK;
}

/* to = from + h rate, of what is free. */
static void advance(const tl_grains2 *g, const tl_twist2 *from, double h, const tl_twist2 *rate, tl_twist2 *to)
{
    for (int i = 0; i < g->n; i++)
        if (g->kind[i] == TALUS_BODY_FREE) to[i] = (tl_twist2){from[i].x + h * rate[i].x, from[i].y + h * rate[i].y, from[i].w + h * rate[i].w};
}

static void copy(const tl_grains2 *g, const tl_twist2 *from, tl_twist2 *to)
{
    for (int i = 0; i < g->n; i++) to[i] = from[i];
}

static talus_status solve(tl_system *base)
{
    tl_system2 *s = (tl_system2 *)base;
    tl_grains2 *g = s->grains;
    const size_t n = (size_t)g->n + 1;
    tl_twist2 *room = tl_arena_zero(base->step.arena, 5 * n, sizeof *room);
    base->v = tl_arena_zero(base->step.arena, (size_t)base->matters, sizeof *base->v);
    if (!room || !base->v) return tl_fail(base->step.error, TALUS_MEMORY, "no memory for %d bodies", g->n);
    tl_twist2 *q = room, *v = room + n, *a = room + 2 * n, *q_end = room + 3 * n, *v_end = room + 4 * n;
    const double h = base->step.h;
    copy(g, g->q, q_end);
    copy(g, g->v, v_end);
    for (int k = 0; k < 4; k++) { /* a and v are those of the k before */
        if (k == 0) {
            copy(g, g->q, q);
            copy(g, g->v, v);
        } else {
            advance(g, g->q, AT[k] * h, v, q);
            advance(g, g->v, AT[k] * h, a, v);
        }
        TL_TRY(accelerate(s, base->step.t + AT[k] * h, q, v, a));
        advance(g, q_end, WEIGHT[k] * h, v, q_end);
        advance(g, v_end, WEIGHT[k] * h, a, v_end);
    }
    advance(g, q_end, -base->step.theta * h, v_end, g->q_m); /* finish goes this way back */
    base->v[0] = &v_end[0].x;
    base->space->tally(base);
    return TALUS_OK;
}

static talus_status finish(tl_system *base) { return base->matter[0]->ops->finish(base->matter[0], &base->step, base->v[0], NULL); }

/* A spring without stiffness would let things pass through each other, and say nothing. */
static const char *law_lacks(const tl_interaction *law) { return law->enabled && !(law->stiffness > 0) ? "stiffness" : NULL; }

static const char *rope_lacks(const tl_rope *rope) { return rope->stiffness > 0 ? NULL : "stiffness"; }

static const tl_stage STAGE[] = {
    {"predict", tl_step_predict}, {"solve", solve}, {"finish", finish}, {"remember", tl_step_remember}, {"commit", tl_step_commit},
};

const tl_scheme TL_SCHEME_PENALTY_RK4 = {
    .stage = STAGE,
    .stages = sizeof STAGE / sizeof *STAGE,
    .grains_only = true,
    .without_impulses = true,
    .law_lacks = law_lacks,
    .rope_lacks = rope_lacks,
};
