/* Explicit Runge–Kutta of order 4 with penalty contacts (theory §4.6; Y19's comparator), for grains and ropes of the plane:
 *
 *     k_i = (v_i, a(t_i, q_i, v_i)),   q_{n+1} = q_n + h/6 (v_1 + 2 v_2 + 2 v_3 + v_4),   v_{n+1} likewise.
 *
 * Contacts are looked for anew at each of the four evaluations. The step must be short against √(m/K), which nothing
 * sees to: how fast the fastest contact is goes to the outcome. */
#include "law/penalty.h"
#include "step/schemes.h"
#include "step/system2.h"

static const double AT[4] = {0, 0.5, 0.5, 1}, WEIGHT[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}; /* shares of the step */

static tl_penalty law_of(const tl_system2 *s, const tl_contact *c, int rope)
{
    if (c->rope) return (tl_penalty){.stiffness = s->base.rope[rope].stiffness, .damping = s->base.rope[rope].damping};
    const tl_interaction *law = &s->base.law[s->base.owner[c->contactor_a].material * s->base.materials + s->base.owner[c->contactor_b].material];
    return (tl_penalty){law->stiffness, isnan(law->damping) ? 0 : law->damping, law->friction, law->friction_velocity};
}

static tl_port port_of(const tl_contact *c, int item)
{
    return (tl_port){.item = item, .x = {c->point.x, c->point.y, 0}, .axes = {{c->n.x, c->n.y, 0}, {-c->n.y, c->n.x, 0}, {0, 0, 1}}};
}

/* By how much V_n of a contact grows for each unit of impulse along n. */
static double mobility_of(const tl_system *s, const tl_contact *c)
{
    const tl_place end[2] = {c->a, c->b};
    double sum = 0;
    for (int k = 0; k < 2; k++) {
        const tl_mass m = s->matter[end[k].matter]->ops->body_mass(s->matter[end[k].matter], end[k].item);
        const double across = tl_cross(c->arm[k], c->n).z, inertia = m.inertia.m[2][2];
        if (m.mass > 0) sum += 1 / m.mass + (inertia > 0 ? across * across / inertia : 0);
    }
    return sum;
}

static void note_fastest(tl_system *s, const tl_contact *c, double stiffness)
{
    const double fast = c->rope || !(c->gap < 0) ? 0 : s->step.h * sqrt(stiffness * mobility_of(s, c));
    if (!(fast > s->outcome.fast)) return;
    s->outcome.fast = fast, s->outcome.fast_a = c->contactor_a, s->outcome.fast_b = c->contactor_b;
}

/* The contact's force moves both ends. It keeps the impulse of a whole step with this force. */
static talus_status push(tl_system2 *s, tl_contact *c, const tl_penalty *law, double *const *v, double *const *a)
{
    const tl_place end[2] = {c->a, c->b};
    tl_port port[2] = {port_of(c, c->a.item), port_of(c, c->b.item)};
    double V[2][3], f[2];
    for (int side = 0; side < 2; side++) {
        tl_matter *m = s->base.matter[end[side].matter];
        TL_TRY(m->ops->bind(m, &s->base.step, &port[side], 1));
        m->ops->velocity(m, &port[side], v[end[side].matter], true, V[side]);
    }
    for (int k = 0; k < 2; k++) c->V[k] = V[1][k] - V[0][k];
    tl_penalty_force(law, c->gap, c->V[0], c->V[1], f);
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? -1 : 1, force[3] = {sign * f[0], sign * f[1], 0};
        const tl_matter *m = s->base.matter[end[side].matter];
        m->ops->impulse(m, &port[side], force, a[end[side].matter]);
    }
    for (int k = 0; k < 2; k++) c->I[k] = s->base.step.h * f[k];
    return TALUS_OK;
}

/* Accelerations at q_n ⊕ share h w of the time t_n + share h, with velocities v. */
static talus_status accelerate(tl_system2 *s, double share, double *const *w, double *const *v, double *const *a)
{
    tl_step *step = &s->base.step;
    const double t = step->t + share * step->h;
    for (int m = 0; m < s->base.matters; m++) {
        tl_matter *matter = s->base.matter[m];
        TL_TRY(matter->ops->place(matter, step, &(tl_move){.t = t, .span = share * step->h, .v = w[m]}));
        if (matter->ops->inertia) TL_TRY(matter->ops->inertia(matter, step, 1 - share, 0));
        TL_TRY(matter->ops->acceleration(matter, step, t, v[m], a[m]));
    }
    TL_TRY(tl_contacts_detect(&s->base));
    for (int i = 0; i < s->base.next_count; i++) {
        const tl_penalty law = law_of(s, &s->base.contact_next[i], i - (s->base.next_count - s->base.ropes));
        TL_TRY(push(s, &s->base.contact_next[i], &law, v, a));
        note_fastest(&s->base, &s->base.contact_next[i], law.stiffness);
    }
    return TALUS_OK;
}

enum { VELOCITY, ACCELERATION, MEAN_VELOCITY, VECTORS };

/* to = from + factor x, of every matter. */
static void add(const tl_system *s, double *const *from, double factor, double *const *x, double *const *to)
{
    for (int m = 0; m < s->matters; m++)
        for (int i = 0; i < s->matter[m]->nv; i++) to[m][i] = from[m][i] + factor * x[m][i];
}

static talus_status predict(tl_system *s)
{
    s->outcome = (tl_outcome){.converged = true};
    s->next_count = 0;
    return TALUS_OK;
}

static talus_status solve(tl_system *base)
{
    tl_system2 *s = (tl_system2 *)base;
    const double h = base->step.h;
    double **x[VECTORS], **start = tl_step_vectors(base);
    bool enough = start && (base->v = tl_step_vectors(base));
    for (int k = 0; k < VECTORS; k++) enough = (x[k] = tl_step_vectors(base)) && enough;
    if (!enough) return tl_fail(base->step.error, TALUS_MEMORY, "no memory for the velocities");
    for (int m = 0; m < base->matters; m++) base->matter[m]->ops->start_velocity(base->matter[m], start[m]);
    add(base, start, 0, start, base->v);
    for (int k = 0; k < 4; k++) { /* what is in x is that of the k before */
        double *const *way = k == 0 ? start : x[VELOCITY];
        double **rate = tl_step_vectors(base);
        if (!rate) return tl_fail(base->step.error, TALUS_MEMORY, "no memory for the velocities");
        add(base, start, k == 0 ? 0 : AT[k] * h, x[ACCELERATION], rate);
        TL_TRY(accelerate(s, AT[k], way, rate, x[ACCELERATION]));
        x[VELOCITY] = rate;
        add(base, x[MEAN_VELOCITY], WEIGHT[k], rate, x[MEAN_VELOCITY]);
        add(base, base->v, WEIGHT[k] * h, x[ACCELERATION], base->v);
    }
    for (int m = 0; m < base->matters; m++) {
        tl_matter *matter = base->matter[m];
        TL_TRY(matter->ops->place(matter, &base->step, &(tl_move){.t = base->step.t + h, .span = h, .v = x[MEAN_VELOCITY][m]}));
    }
    tl_contacts_tally(base);
    return TALUS_OK;
}

static talus_status finish(tl_system *s)
{
    for (int m = 0; m < s->matters; m++) TL_TRY(s->matter[m]->ops->arrive(s->matter[m], &s->step, 0, s->v[m], NULL));
    return TALUS_OK;
}

/* A spring without stiffness would let things pass through each other, and say nothing. */
static const char *law_lacks(const tl_interaction *law)
{
    if (law->law != &TL_COULOMB) return "law: coulomb"; /* a penalty knows no other */
    return law->enabled && !(law->stiffness > 0) ? "stiffness" : NULL;
}

static const char *rope_lacks(const tl_rope *rope) { return rope->stiffness > 0 ? NULL : "stiffness"; }

static const tl_stage STAGE[] = {
    {"predict", predict}, {"solve", solve}, {"finish", finish}, {"remember", tl_step_remember}, {"commit", tl_step_commit},
};

const tl_scheme TL_SCHEME_PENALTY_RK4 = {
    .stage = STAGE,
    .stages = sizeof STAGE / sizeof *STAGE,
    .springs = true,
    .grains_only = true,
    .without_impulses = true,
    .without_joints = true,
    .once = true,
    .law_lacks = law_lacks,
    .rope_lacks = rope_lacks,
};
