/* A pass of the search for equilibrium (theory §4.7): a step of Moreau's from rest with θ = 1, in which h is no time but says how far the pass goes,
 *
 *     (M + h² K) v = h f(q) + H I,   law(gap/h + V, I),   q ← q ⊕ h v,   v ← 0.
 *
 * Where v vanishes, f + H I/h = 0 whatever h is: forces, joints, oil and contacts are in balance. For large h the pass is Newton's method with unilateral
 * contacts and Coulomb's cone on displacements; for small h it goes down along the forces. Nothing that happens in time is asked: dampers, flows and states
 * of laws rest, and functions of time are those of t. */
#include "step/still.h"

#include <math.h>
#include <string.h>

#include "step/reach.h"
#include "step/schemes.h"

enum { PREDICT, DETECT, BIND, COLOR, SOLVE, FINISH, REMEMBER, COMMIT }; /* of Moreau's scheme */
enum { MOST_FIELDS = 16 };
static const double DEPTH = 1e-2; /* slops: so deep passes close contacts and stops, that steps find them closed */

double tl_still_depth(const tl_system *s) { return DEPTH * s->slop; }

/* A gap as a pass closes it: to the depth at which steps find it closed. */
static double pressed(const tl_system *s, double gap)
{
    const double depth = tl_still_depth(s);
    return gap > -depth ? gap + depth : gap;
}

/* What is viscous acts by the rate from which it starts, that of shafts that turn, and holds nothing. */
static void take_given(tl_constraint *c, double impulse)
{
    c->set = &TL_INTERVAL;
    c->low = c->high = c->I[0] = impulse;
    c->creep = c->damping = 0;
}

static void take_creep(tl_constraint *c) { take_given(c, fmax(c->low, fmin(c->high, -c->high * c->rate / c->creep))); }

/* Springs act by the positions at the end of the pass, and not by the mean of start and end: else a pass would overshoot by as much as it misses. But shafts
 * that turn stay at their angles: what is strained between them and others is as at the start. */
static void take_spring(tl_constraint *c, double h)
{
    if (c->turns || !(c->stiffness > 0)) take_given(c, -h * (c->stiffness * c->gap[0] + c->damping * c->rate));
    else c->damping = 0.5 * c->stiffness * h;
}

void tl_still_constraints(tl_system *s)
{
    for (int i = 0; i < s->joints.constraints; i++) {
        tl_constraint *c = &s->joints.constraint[i];
        if (tl_is_spring(c)) take_spring(c, s->step.h);
        else if (c->creep > 0) take_creep(c);
        else if (tl_is_one_sided(c) && s->step.stiff) c->gap[0] = pressed(s, c->gap[0]);
    }
}

static talus_status run(tl_system *s, int stage)
{
    const tl_scheme *own = s->scheme;
    s->scheme = &TL_SCHEME_MOREAU;
    const talus_status status = s->scheme->stage[stage].run(s);
    s->scheme = own;
    s->stage = -1;
    return status;
}

talus_status tl_still_solve(tl_system *s, const tl_still_pass *pass)
{
    tl_step *step = &s->step;
    step->theta = 1;
    step->force_passes = 0;
    step->staggered = false;
    step->still = pass->accuracy;
    step->stiff = pass->stiff;
    step->heavier = pass->heavier;
    step->interrupt = (talus_interrupt){NULL, NULL}; /* a search that ends half-way leaves nothing to go on from */
    s->holding = TL_HOLD_VELOCITIES;
    TL_TRY(run(s, PREDICT));
    TL_TRY(run(s, DETECT));
    for (int i = 0; pass->stiff && i < s->next_count; i++)
        if (!s->contact_next[i].rope) s->contact_next[i].gap = pressed(s, s->contact_next[i].gap);
    TL_TRY(run(s, BIND));
    TL_TRY(run(s, COLOR));
    TL_TRY(run(s, SOLVE));
    return tl_step_read_grains(s);
}

/* Rates of everything: fields by the names that every kind of matter has for them. Mechanisms have kept theirs. */
static void stop(tl_matter *m)
{
    if (m->ops->rate) return;
    tl_field field[MOST_FIELDS];
    const int n = m->ops->fields(m, field, MOST_FIELDS);
    for (int i = 0; i < n && i < MOST_FIELDS; i++)
        if (field[i].rows > 0 && (strcmp(field[i].name, "v") == 0 || strcmp(field[i].name, "velocity") == 0))
            memset(field[i].data, 0, (size_t)field[i].rows * (size_t)field[i].columns * sizeof(double));
}

talus_status tl_still_accept(tl_system *s)
{
    TL_TRY(run(s, FINISH));
    TL_TRY(run(s, REMEMBER));
    TL_TRY(run(s, COMMIT));
    for (int m = 0; m < s->matters; m++) {
        stop(s->matter[m]);
        TL_TRY(s->matter[m]->ops->restored(s->matter[m], s->step.error));
    }
    return TALUS_OK;
}

void tl_still_refuse(tl_system *s)
{
    tl_error kept = *s->step.error, ignored;
    for (int m = 0; m < s->matters; m++) (void)!s->matter[m]->ops->start_from(s->matter[m], &s->step, NULL);
    for (int m = 0; m < s->matters; m++) (void)!s->matter[m]->ops->restored(s->matter[m], &ignored);
    *s->step.error = kept;
}

static void scale_freedom(tl_freedom_memory *m, double factor)
{
    m->low *= factor, m->high *= factor, m->spring *= factor, m->friction *= factor, m->drive *= factor;
}

void tl_still_scale(tl_system *s, double factor)
{
    tl_joints *all = &s->joints;
    for (int i = 0; i < s->memo.count * s->memo.width; i++) s->memo.value[i] *= factor;
    for (int i = 0; i < s->moments.count * s->moments.width; i++) s->moments.value[i] *= factor;
    for (int i = 0; i < all->count; i++) {
        for (int r = 0; r < TL_JOINT_ROWS; r++) all->memory[i].lock[r] *= factor;
        for (int k = 0; k < TL_JOINT_COORDINATES; k++) scale_freedom(&all->memory[i].freedom[k], factor);
        for (int k = 0; k < 3; k++) all->memory[i].impulse[k] *= factor, all->memory[i].moment[k] *= factor;
    }
    for (int i = 0; i < all->coordinates; i++) scale_freedom(&all->coordinate_memory[i], factor);
    for (int i = 0; i < all->tackles; i++) all->tackle_memory[i] *= factor;
    for (int i = 0; i < all->hydraulics.actuators; i++) scale_freedom(&all->hydraulics.memory[i], factor);
}

talus_status tl_still_body(tl_system *s, tl_place place, tl_still_motion *out)
{
    tl_matter *m = s->matter[place.matter];
    tl_link link;
    double V[TL_LINK_POINTS][3];
    tl_vec3 p;
    *out = (tl_still_motion){.rim = 0};
    if (place.matter == 0) {
        s->geometry->motion(s, TL_SOLVED, place.item, &p, &out->v, &out->w);
        return TALUS_OK;
    }
    if (m->ops->motion) {
        out->rim = m->ops->motion(m, place.item, s->v[place.matter], true, &out->v);
        /* what no contact may meet moves, too: the numbers of what deforms are velocities of its points along axes */
        for (int i = 0; i < m->nv; i++) out->rim = fmax(out->rim, fabs(s->v[place.matter][i]));
        return TALUS_OK;
    }
    TL_TRY(tl_link_bind(m, place.item, &s->step, &link));
    for (int k = 0; k < TL_LINK_POINTS; k++) m->ops->velocity(m, &link.point[k], s->v[place.matter], true, V[k]);
    tl_link_read((const double(*)[3])V, &out->v, &out->w);
    return TALUS_OK;
}
