/* Constraints of a step from joints and coordinates, at q_m (joints.h). */
#include "step/joints.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "step/joint_list.h"
#include "step/reach.h"

bool tl_end_is_gone(const tl_system *s, const tl_joint_end *end) { return tl_is_gone(s, (tl_place){end->matter, end->item}); }

bool tl_an_end_is_gone(const tl_system *s, const tl_joint_end end[2]) { return tl_end_is_gone(s, &end[0]) || tl_end_is_gone(s, &end[1]); }

void tl_joint_frames(const tl_system *s, const tl_body_joint *j, tl_frame *a, tl_frame *b)
{
    tl_frame *const out[2] = {a, b};
    for (int k = 0; k < 2; k++) {
        const tl_matter *m = s->matter[j->end[k].matter];
        const tl_frame f = m->ops->frame(m, j->end[k].item), *local = &j->end[k].frame;
        *out[k] = (tl_frame){tl_add(f.p, tl_mat3_apply(&f.R, local->p)), tl_mat3_mul(&f.R, &local->R)};
    }
}

tl_vec3 tl_joint_point(const tl_system *s, const tl_joint_end *end)
{
    const tl_matter *m = s->matter[end->matter];
    const tl_frame f = m->ops->frame(m, end->item);
    return tl_add(f.p, tl_mat3_apply(&f.R, end->frame.p));
}

typedef tl_constraint_list list;
typedef tl_coordinate_at place;

tl_constraint *tl_constraint_list_add(list *l, int rows, int grips, double *I)
{
    tl_constraint *c = &l->constraint[l->count++];
    *c = (tl_constraint){.rows = rows, .grips = grips, .grip = l->grip, .set = &TL_WHOLE_SPACE, .I = I, .V = l->V};
    l->grip += grips;
    l->V += rows;
    return c;
}

/* ---- what acts in a coordinate ---------------------------------------------------------------------------------------------- */

/* A constraint of its one row, turned by `sign`. */
static tl_constraint *add_row(list *l, const place *at, double sign, double *I)
{
    tl_constraint *c = tl_constraint_list_add(l, 1, at->grips, I);
    for (int k = 0; k < at->grips; k++) {
        c->grip[k] = at->grip[k];
        c->grip[k].row[0].force = tl_scale(sign, c->grip[k].row[0].force);
        c->grip[k].row[0].moment = tl_scale(sign, c->grip[k].row[0].moment);
    }
    return c;
}

/* One that stands open is guessed to press with nothing: what a last touch has left, if it is less than the tolerance, would push all the way. */
static void add_stop(list *l, const place *at, double sign, double gap, const talus_freedom_def *f, double *I)
{
    if (at->arm * gap > fmax(l->s->slop, 2 * l->s->step.h * fabs(at->bend))) *I = 0; /* where it presses, the way to q_m and on bends so far from it */
    tl_constraint *c = add_row(l, at, sign, I);
    c->set = &TL_INTERVAL;
    c->low = 0, c->high = (double)INFINITY;
    c->gap[0] = at->arm * gap;
    const bool presses = *I != 0 && !(f->restitution > 0) && !l->s->step.staggered; /* staggered, its gap tells how far it is from where it presses */
    c->shift[0] = presses ? sign * at->bend : 0;                                    /* the other one stands open */
    c->restitution = f->restitution;
    c->corrected = true;
}

/* At most `force` in both directions. */
static void bound(tl_constraint *c, const place *at, double force, double h)
{
    if (isinf(force)) return;
    c->set = &TL_INTERVAL;
    c->high = h * force / at->arm;
    c->low = -c->high;
}

/* Of a characteristic over the magnitude of the rate; what is negative is 0. */
static double at_rate(const talus_characteristic *c, const place *at)
{
    double slope;
    const double value = c->value(c->user, fabs(at->rate), &slope);
    return value < 0 ? 0 : value; /* what is no number stays none: check_numbers */
}

/* A drive of unlimited force follows a path as joints hold: its rate at the end of the step, positions put right. One that may give way pulls back a fifth
 * of what it is behind in each step. */
static void add_drive(list *l, const place *at, const talus_freedom_def *f, double *I)
{
    static const double SHARE = 0.2;
    const bool path = f->position.value != NULL;
    double rate, ignored;
    tl_constraint *c = add_row(l, at, 1, I);
    bound(c, at, f->most.value ? at_rate(&f->most, at) : f->force, l->s->step.h);
    if (path) (void)tl_motion_at(&f->position, l->rates, &rate);
    else rate = tl_motion_value(&f->speed, l->rates);
    c->corrected = path && c->set == &TL_WHOLE_SPACE;
    c->shift[0] = -at->arm * rate;
    if (!c->corrected || !l->s->step.staggered) c->shift[0] += at->bend; /* staggered, its gap tells how far it is from the path */
    if (!path) return;
    c->gap[0] = at->arm * (at->position - tl_motion_at(&f->position, l->t, &ignored));
    if (!c->corrected) c->shift[0] += SHARE * c->gap[0] / l->s->step.h;
}

static void tell_rate(tl_constraint *c, const place *at) { c->rate = at->arm * at->rate, c->turns = at->turns; }

static void add_friction(list *l, const place *at, const talus_freedom_def *f, double *I)
{
    const double share = f->slide.value ? at_rate(&f->slide, at) : 1;
    const double most = share * (f->grip.value ? tl_motion_value(&f->grip, tl_step_middle(&l->s->step)) : f->friction);
    if (most <= 0) {
        *I = 0;
        return;
    }
    tl_constraint *c = add_row(l, at, 1, I);
    bound(c, at, most, l->s->step.h);
    c->shift[0] = at->bend;
    c->creep = at->arm * f->friction_velocity;
    tell_rate(c, at);
}

void tl_constraint_list_freedom(list *l, const place *at, const talus_freedom_def *f, tl_freedom_memory *m)
{
    const double per = 1 / (at->arm * at->arm);
    if (isfinite(f->low)) add_stop(l, at, 1, at->position - f->low, f, &m->low);
    if (isfinite(f->high)) add_stop(l, at, -1, f->high - at->position, f, &m->high);
    if (f->stiffness > 0 || f->damping > 0) {
        tl_constraint *c = add_row(l, at, 1, &m->spring);
        c->stiffness = per * f->stiffness, c->damping = per * f->damping;
        tell_rate(c, at);
        c->gap[0] = at->arm * (at->position - f->rest);
    }
    add_friction(l, at, f, &m->friction);
    if (f->speed.value || f->position.value) add_drive(l, at, f, &m->drive);
}

/* ---- joints ----------------------------------------------------------------------------------------------------------------- */

void tl_joint_grip(const tl_system *s, const tl_body_joint *j, tl_vec3 at, tl_grip grip[2])
{
    for (int k = 0; k < 2; k++) {
        const tl_matter *m = s->matter[j->end[k].matter];
        const tl_vec3 arm = tl_sub(at, m->ops->frame(m, j->end[k].item).p);
        grip[k] = (tl_grip){.matter = j->end[k].matter, .item = j->end[k].item, .at = at, .arm = arm};
    }
}

void tl_joint_set_row(tl_grip grip[2], int row, const tl_joint_row *r, double arm)
{
    const double scale = r->is_angle ? arm : 1;
    const tl_wrench on_b = {tl_scale(scale, r->force), tl_scale(scale, r->moment)};
    grip[1].row[row] = on_b;
    grip[0].row[row] = (tl_wrench){tl_scale(-1, on_b.force), tl_scale(-1, on_b.moment)};
}

/* ---- curvature -------------------------------------------------------------------------------------------------------------- */

typedef tl_moving moving;

/* Of other matter three points tell it (links.c). */
talus_status tl_find_motion(const tl_system *s, const tl_joint_end *end, bool ahead, moving *out)
{
    tl_matter *m = s->matter[end->matter];
    *out = (moving){.frame = m->ops->frame(m, end->item)};
    if (end->matter == 0) {
        tl_vec3 p;
        s->geometry->motion(s, TL_BEFORE, end->item, &p, &out->v, &out->w);
        return TALUS_OK;
    }
    tl_step step = s->step;
    tl_link link;
    double V[TL_LINK_POINTS][3];
    TL_TRY(tl_link_bind(m, end->item, &step, &link));
    for (int k = 0; k < TL_LINK_POINTS; k++) m->ops->velocity_before(m, &link.point[k], V[k]);
    tl_link_read((const double(*)[3])V, &out->v, &out->w);
    return ahead && m->ops->bias ? m->ops->bias(m, &step, end->item, &out->v_rate, &out->w_rate) : TALUS_OK;
}

moving tl_moving_ahead(const moving *m, double time)
{
    const tl_vec3 v = tl_add(m->v, tl_scale(0.5 * time, m->v_rate)), w = tl_add(m->w, tl_scale(0.5 * time, m->w_rate)); /* in the mean */
    const tl_mat3 turn = tl_mat3_rotation(tl_normalize(w), tl_norm(w) * time);
    const tl_frame frame = {tl_add(m->frame.p, tl_scale(time, v)), tl_mat3_mul(&turn, &m->frame.R)};
    return (moving){.frame = frame, .v = tl_add(m->v, tl_scale(time, m->v_rate)), .w = tl_add(m->w, tl_scale(time, m->w_rate))};
}

tl_frame tl_moving_frame(const moving *m, const tl_frame *local)
{
    return (tl_frame){tl_add(m->frame.p, tl_mat3_apply(&m->frame.R, local->p)), tl_mat3_mul(&m->frame.R, &local->R)};
}

tl_vec3 tl_moving_velocity(const moving *m, tl_vec3 at) { return tl_add(m->v, tl_cross(m->w, tl_sub(at, m->frame.p))); }

/* Rates of the rows of a joint some time before or after q_m, if both bodies go on as they do. */
static void rates_at(const tl_body_joint *j, const moving now[2], double time, double *rate)
{
    const moving m[2] = {tl_moving_ahead(&now[0], time), tl_moving_ahead(&now[1], time)};
    const tl_frame a = tl_moving_frame(&m[0], &j->end[0].frame), b = tl_moving_frame(&m[1], &j->end[1].frame);
    const tl_vec3 v = tl_sub(tl_moving_velocity(&m[1], b.p), tl_moving_velocity(&m[0], b.p)), w = tl_sub(m[1].w, m[0].w);
    tl_joint_row rows[TL_JOINT_ROWS];
    tl_joint_lock(j->kind, &a, &b, j->length, rows);
    for (int r = 0; r < j->kind->rows; r++) rate[r] = (rows[r].is_angle ? j->arm : 1) * (tl_dot(rows[r].force, v) + tl_dot(rows[r].moment, w));
}

/* Velocities at the end of the step are to be along the joint as it is then, not as it is at q_m: the rows' rates change on the way by their curvature. So
 * the impulse does no work, V⁺ = −V⁻ at q_m, and a pendulum keeps its energy to second order. */
static talus_status add_curvature(const tl_system *s, const tl_body_joint *j, double *shift)
{
    double before[TL_JOINT_ROWS] = {0}, after[TL_JOINT_ROWS] = {0};
    moving now[2];
    for (int k = 0; k < 2; k++) TL_TRY(tl_find_motion(s, &j->end[k], true, &now[k]));
    rates_at(j, now, -0.5 * s->step.h, before);
    rates_at(j, now, 0.5 * s->step.h, after);
    for (int r = 0; r < j->kind->rows; r++) shift[r] = s->step.theta * (after[r] - before[r]);
    return TALUS_OK;
}

/* From q_m, where rows are, to where their rates are to be held. Staggered velocities stand between positions. */
static double time_ahead(const list *l) { return l->s->step.staggered ? 0.5 * l->s->step.h : l->rates - l->t; }

bool tl_freedom_bends(const list *l, const talus_freedom_def *f, const tl_freedom_memory *m)
{
    const bool presses = (m->low != 0 || m->high != 0) && !(f->restitution > 0);
    const bool rubs = f->friction > 0 || f->grip.value, driven = f->speed.value || f->position.value;
    return (presses || rubs || driven) && time_ahead(l) != 0;
}

/* A stop that presses, friction that sticks and a drive hold as a joint does: without this they would take the curvature's part of the velocity in every step
 * in which their ends go round, and what sticks would slide along a carrier that turns. */
talus_status tl_coordinate_bend(const list *l, const tl_body_joint *j, int coordinate, const tl_joint_end *end, double *bend)
{
    const tl_system *s = l->s;
    double rate[2];
    moving now[2];
    for (int k = 0; k < 2; k++) TL_TRY(tl_find_motion(s, &end[k], true, &now[k]));
    for (int k = 0; k < 2; k++) {
        const moving m[2] = {tl_moving_ahead(&now[0], (k - 0.5) * s->step.h), tl_moving_ahead(&now[1], (k - 0.5) * s->step.h)};
        const tl_frame a = tl_moving_frame(&m[0], &end[0].frame), b = tl_moving_frame(&m[1], &end[1].frame);
        if (j) {
            const tl_joint_row row = j->kind->coordinate(&a, &b, coordinate);
            const tl_vec3 v = tl_sub(tl_moving_velocity(&m[1], b.p), tl_moving_velocity(&m[0], b.p));
            rate[k] = (row.is_angle ? j->arm : 1) * (tl_dot(row.force, v) + tl_dot(row.moment, tl_sub(m[1].w, m[0].w)));
        } else rate[k] = tl_dot(tl_normalize(tl_sub(b.p, a.p)), tl_sub(tl_moving_velocity(&m[1], b.p), tl_moving_velocity(&m[0], a.p)));
    }
    *bend = time_ahead(l) / s->step.h * (rate[1] - rate[0]);
    return TALUS_OK;
}

static talus_status add_lock(list *l, const tl_body_joint *j, const tl_frame *a, const tl_frame *b, double *I)
{
    tl_joint_row rows[TL_JOINT_ROWS];
    tl_joint_lock(j->kind, a, b, j->length, rows);
    tl_constraint *c = tl_constraint_list_add(l, j->kind->rows, 2, I);
    c->corrected = !j->def.drifts;
    tl_joint_grip(l->s, j, b->p, c->grip);
    for (int r = 0; r < c->rows; r++) {
        tl_joint_set_row(c->grip, r, &rows[r], j->arm);
        c->gap[r] = (rows[r].is_angle ? j->arm : 1) * rows[r].value;
    }
    return !j->def.drifts && l->s->step.theta > 0 && !l->s->step.staggered ? add_curvature(l->s, j, c->shift) : TALUS_OK;
}

double tl_joint_turned(const tl_joint_row *row, double start, double near)
{
    const double position = row->value + start;
    return row->is_angle && !row->folded ? tl_angle_near(position, near) : position;
}

const double *tl_freedom_passed(const talus_freedom_def *f, double position)
{
    static const double CLOSE = 1e-6; /* of the way between them, of a metre or a radian at most */
    const double slack = CLOSE * fmin(1, f->high - f->low);
    return position < f->low - slack ? &f->low : position > f->high + slack ? &f->high : NULL;
}

/* Can impulses move it this way? Not a link that drives lead, by themselves or by loops that tie it to them. */
static bool may_move(const tl_system *s, const tl_grip *g)
{
    static const double ROUNDING = 1e-9; /* of a way by that of what is free */
    int grains;
    const talus_body_kind *kind = s->geometry->kinds(s, &grains);
    tl_matter *m = s->matter[g->matter];
    const double *H = NULL, *Y = NULL;
    if (g->matter == 0) return g->item < grains && kind[g->item] == TALUS_BODY_FREE;
    if (!m->ops->rows) return true;
    tl_port port = {.item = g->item, .rate1 = g->rate1};
    tl_store3(port.x, g->at);
    tl_store3(port.axes[0], g->row[0].force);
    tl_store3(port.moments[0], g->row[0].moment);
    if (m->nv > 0 && m->ops->bind(m, (tl_step *)(uintptr_t)&s->step, &port, 1) != TALUS_OK) return true;
    if (m->nv > 0) m->ops->rows(m, &port, &H, &Y);
    for (int i = 0; i < m->nv; i++)
        if (fabs(H[i]) > ROUNDING) return true;
    return false;
}

const double *tl_freedom_lost(const tl_system *s, const talus_freedom_def *f, const tl_coordinate_at *at)
{
    const double *stop = tl_freedom_passed(f, at->position);
    for (int k = 0; stop && k < at->grips; k++)
        if (may_move(s, &at->grip[k])) return NULL;
    return stop;
}

/* A stop that was passed where nothing can stop it is an error, and not a thing to be put right. */
static talus_status check_stops(const tl_system *s, const char *kind, const char *name, const talus_freedom_def *f, const place *at)
{
    const double *stop = tl_freedom_lost(s, f, at);
    if (!stop) return TALUS_OK;
    return tl_fail(s->step.error, TALUS_DIVERGED,
                   "%s '%s' is at %.6g, beyond its stop at %g: its motion follows from drives, and no stop can hold it; change these, or the stop", kind, name,
                   at->position, *stop);
}

/* What drives and rubs by functions of the user's, which sets of impulses would take for a bound. */
static talus_status check_numbers(const list *l, int first, const char *kind, const char *name)
{
    for (int i = first; i < l->count; i++) {
        const tl_constraint *c = &l->constraint[i];
        if (isfinite(c->shift[0]) && isfinite(c->gap[0]) && !isnan(c->high)) continue;
        return tl_fail(l->s->step.error, TALUS_DIVERGED, "%s '%s': %s is not a number at t = %.9g s", kind, name,
                       isnan(c->high) ? "its friction, or the force of its drive," : "its drive", l->s->step.t);
    }
    return TALUS_OK;
}

/* Of a coordinate as the step begins, where anything asks for it. */
static talus_status find_rate(const list *l, const tl_body_joint *j, const tl_joint_row *row, tl_vec3 at, const talus_freedom_def *f, double *rate)
{
    moving m[2];
    if (!f->most.value && !f->slide.value && (!row->is_angle || row->folded)) return TALUS_OK;
    for (int k = 0; k < 2; k++) TL_TRY(tl_find_motion(l->s, &j->end[k], false, &m[k]));
    *rate = tl_dot(row->force, tl_sub(tl_moving_velocity(&m[1], at), tl_moving_velocity(&m[0], at))) + tl_dot(row->moment, tl_sub(m[1].w, m[0].w));
    return TALUS_OK;
}

/* All impulses; angles stay. */
static void forget(tl_joint_memory *memory)
{
    memset(memory->lock, 0, sizeof memory->lock);
    for (int k = 0; k < TL_JOINT_COORDINATES; k++) memory->freedom[k] = (tl_freedom_memory){.position = memory->freedom[k].position};
}

/* Angles count their turns: each is the one next to where it was at t_n and as far on as it turns until q_m, and ends as far on again. */
static talus_status add_joint(list *l, int number)
{
    const tl_joints *all = &l->s->joints;
    const tl_body_joint *j = &all->joint[number];
    const double h = l->s->step.h, theta = l->s->step.theta;
    tl_joint_memory *memory = &all->next[number];
    tl_frame a, b;
    if (j->glued) return TALUS_OK;
    if (tl_an_end_is_gone(l->s, j->end)) {
        forget(memory);
        return TALUS_OK;
    }
    tl_joint_frames(l->s, j, &a, &b);
    TL_TRY(add_lock(l, j, &a, &b, memory->lock));
    for (int k = 0; k < j->kind->coordinates; k++) {
        tl_grip grip[2];
        const tl_joint_row row = j->kind->coordinate(&a, &b, k);
        tl_freedom_memory *m = &memory->freedom[k];
        tl_joint_grip(l->s, j, b.p, grip);
        tl_joint_set_row(grip, 0, &row, j->arm);
        place at = {.grip = grip, .grips = 2, .arm = row.is_angle ? j->arm : 1};
        TL_TRY(find_rate(l, j, &row, b.p, &j->freedom[k], &at.rate));
        at.position = tl_joint_turned(&row, j->def.start[k], all->memory[number].freedom[k].position + (1 - theta) * h * at.rate);
        all->ahead[number][k] = at.position + theta * h * at.rate;
        TL_TRY(check_stops(l->s, "joint", j->name ? j->name : "", &j->freedom[k], &at));
        if (tl_freedom_bends(l, &j->freedom[k], m)) TL_TRY(tl_coordinate_bend(l, j, k, j->end, &at.bend));
        const int first = l->count;
        tl_constraint_list_freedom(l, &at, &j->freedom[k], m);
        TL_TRY(check_numbers(l, first, "joint", j->name ? j->name : ""));
    }
    return TALUS_OK;
}

/* Nothing of them is remembered: joints of solids are solved at once (solve/cluster.h). */
static talus_status add_bonds(list *l, tl_joints *all)
{
    all->first_bond = l->count;
    double(*I)[TL_JOINT_ROWS] = tl_arena_zero(l->s->step.arena, (size_t)all->bonds + 1, sizeof *I);
    if (!I) return tl_fail(l->s->step.error, TALUS_MEMORY, "no memory for %d joints", all->bonds);
    for (int i = 0; i < all->bonds; i++) {
        tl_frame a, b;
        tl_joint_frames(l->s, &all->bond[i].hold, &a, &b);
        TL_TRY(add_lock(l, &all->bond[i].hold, &a, &b, I[i]));
    }
    return TALUS_OK;
}

/* ---- coordinates of mechanisms -------------------------------------------------------------------------------------------- */

/* Loops lead dependent coordinates: their rates change while the independent ones stay. */
talus_status tl_term_bend(const list *l, const tl_coordinate_term *term, double *bend)
{
    tl_step step = l->s->step;
    tl_matter *m = l->s->matter[term->matter];
    TL_TRY(m->ops->rate_bias(m, &step, term->rate, bend));
    *bend *= time_ahead(l);
    return TALUS_OK;
}

static talus_status bend_of_sum(const list *l, const tl_coordinate *c, double *sum)
{
    *sum = 0;
    for (int k = 0; k < c->terms; k++) {
        double bend;
        TL_TRY(tl_term_bend(l, &c->term[k], &bend));
        *sum += c->term[k].factor * bend;
    }
    return TALUS_OK;
}

static talus_status add_coordinate(list *l, const tl_coordinate *c, tl_freedom_memory *memory)
{
    const tl_system *s = l->s;
    tl_grip grip[TALUS_TERMS];
    place at = {.grip = grip, .grips = c->terms, .arm = 1};
    for (int k = 0; k < c->terms; k++) {
        const tl_coordinate_term *term = &c->term[k];
        const tl_matter *m = s->matter[term->matter];
        grip[k] = (tl_grip){.matter = term->matter, .rate1 = 1 + term->rate, .row = {{.force = {term->factor, 0, 0}}}};
        if (term->position >= 0) at.position += term->factor * m->ops->coordinate(m, term->position);
        const double rate = m->ops->rate(m, term->rate);
        at.rate += term->factor * rate;
        at.turns = at.turns || fabs(rate) > TL_AT_REST;
    }
    const char *kind = c->name ? "coupling" : "joint";
    const int first = l->count;
    TL_TRY(check_stops(s, kind, c->where, &c->freedom, &at));
    if (tl_freedom_bends(l, &c->freedom, memory)) TL_TRY(bend_of_sum(l, c, &at.bend));
    tl_constraint_list_freedom(l, &at, &c->freedom, memory);
    return check_numbers(l, first, kind, c->where);
}

/* ---- all of them ------------------------------------------------------------------------------------------------------------ */

void tl_joints_begin(tl_joints *all)
{
    if (all->tackles > 0) memcpy(all->tackle_next, all->tackle_memory, (size_t)all->tackles * sizeof *all->tackle_next);
    if (all->count > 0) memcpy(all->next, all->memory, (size_t)all->count * sizeof *all->next);
    tl_hydraulics *h = &all->hydraulics;
    if (h->actuators > 0) memcpy(h->next, h->memory, (size_t)h->actuators * sizeof *h->next);
    if (all->coordinates > 0) memcpy(all->coordinate_next, all->coordinate_memory, (size_t)all->coordinates * sizeof *all->coordinate_next);
}

static void note_apart(tl_joints *all, int joint, const tl_constraint *lock)
{
    for (int r = 0; lock->corrected && r < lock->rows; r++) {
        const double off = fabs(lock->gap[r]) / all->joint[joint].arm;
        if (off > all->off) all->off = off, all->off_joint = joint;
    }
}

talus_status tl_joints_make(tl_system *s, double positions, double rates)
{
    enum { ACTING = 5 }; /* in one coordinate */
    tl_joints *all = &s->joints;
    const size_t each = 1 + ACTING * TL_JOINT_COORDINATES;
    size_t most = (size_t)all->count * each + (size_t)all->bonds + (size_t)all->coordinates * ACTING + (size_t)all->tackles;
    size_t grips = 2 * most + (size_t)all->coordinates * ACTING * TALUS_TERMS;
    list l = {.s = s, .t = positions, .rates = rates};
    all->constraints = 0;
    tl_hydraulics_room(&all->hydraulics, &most, &grips);
    if (most == 0) return TALUS_OK;
    l.constraint = all->constraint = tl_arena_alloc(s->step.arena, most, sizeof *l.constraint);
    for (int i = 0; i < all->tackles; i++) grips += (size_t)all->tackle[i].count;
    l.grip = tl_arena_alloc(s->step.arena, grips, sizeof *l.grip);
    l.V = tl_arena_zero(s->step.arena, TL_JOINT_ROWS * most, sizeof *l.V);
    all->ahead = tl_arena_alloc(s->step.arena, (size_t)all->count + 1, sizeof *all->ahead);
    all->first = tl_arena_zero(s->step.arena, (size_t)all->count + 1, sizeof *all->first);
    if (!l.constraint || !l.grip || !l.V || !all->ahead || !all->first) return tl_fail(s->step.error, TALUS_MEMORY, "no memory for %d joints", all->count);
    all->off = 0;
    for (int i = 0; i < all->count; i++) {
        all->first[i] = l.count;
        TL_TRY(add_joint(&l, i));
        if (l.count > all->first[i]) note_apart(all, i, &l.constraint[all->first[i]]);
    }
    all->first[all->count] = l.count;
    if (all->bonds > 0) TL_TRY(add_bonds(&l, all));
    for (int i = 0; i < all->coordinates; i++) TL_TRY(add_coordinate(&l, &all->coordinate[i], &all->coordinate_next[i]));
    for (int i = 0; i < all->tackles; i++) TL_TRY(tl_tackle_add(&l, &all->tackle[i], &all->tackle_next[i]));
    TL_TRY(tl_hydraulics_make(&l, &all->hydraulics));
    all->constraints = l.count;
    return TALUS_OK;
}

static void gather_bonds(const tl_system *s)
{
    const tl_joints *all = &s->joints;
    for (int i = 0; i < all->count; i++)
        if (all->joint[i].glued) all->next[i] = (tl_joint_memory){0};
    for (int i = 0; i < all->bonds; i++) {
        const tl_bond *bond = &all->bond[i];
        const tl_constraint *c = &all->constraint[all->first_bond + i];
        tl_joint_memory *sum = &all->next[bond->joint];
        tl_vec3 P = {0, 0, 0};
        tl_frame a, b, joint;
        tl_joint_frames(s, &bond->hold, &a, &b);
        tl_joint_frames(s, &all->joint[bond->joint], &a, &joint);
        for (int r = 0; r < c->rows; r++) P = tl_add(P, tl_scale(bond->turned ? -c->I[r] : c->I[r], c->grip[1].row[r].force));
        const tl_vec3 M = tl_cross(tl_sub(b.p, joint.p), P);
        tl_store3(sum->impulse, tl_add(tl_load3(sum->impulse), P));
        tl_store3(sum->moment, tl_add(tl_load3(sum->moment), M));
    }
}

/* Of locks, and of what acts in coordinates; axes turn on to the end of the step, what they transmit was along those that were solved. */
static void gather_joint(const tl_system *s, int number)
{
    const tl_joints *all = &s->joints;
    const bool plane = s->geometry->dimension == 2;
    if (all->joint[number].glued) return;
    tl_vec3 P = {0, 0, 0}, M = {0, 0, 0};
    for (int i = all->first[number]; i < all->first[number + 1]; i++) {
        const tl_constraint *c = &all->constraint[i];
        for (int r = 0; r < c->rows; r++) {
            P = tl_add(P, tl_scale(c->I[r], c->grip[1].row[r].force));
            M = tl_add(M, tl_scale(c->I[r], c->grip[1].row[r].moment));
        }
    }
    if (plane) P.z = 0, M = tl_v3(0, 0, M.z);
    tl_store3(all->next[number].impulse, P);
    tl_store3(all->next[number].moment, M);
}

static void keep_angles(tl_system *s, int number)
{
    const tl_joints *all = &s->joints;
    const tl_body_joint *j = &all->joint[number];
    tl_frame a, b;
    if (j->glued || tl_an_end_is_gone(s, j->end)) return;
    tl_joint_frames(s, j, &a, &b);
    for (int k = 0; k < j->kind->coordinates; k++) {
        const tl_joint_row row = j->kind->coordinate(&a, &b, k);
        all->next[number].freedom[k].position = tl_joint_turned(&row, j->def.start[k], all->ahead[number][k]);
    }
}

void tl_joints_commit(tl_system *s)
{
    tl_joints *all = &s->joints;
    if (all->bonds > 0) gather_bonds(s);
    for (int i = 0; i < all->count; i++) gather_joint(s, i), keep_angles(s, i);
    tl_hydraulics_commit(s);
    tl_joint_memory *const memory = all->memory;
    tl_freedom_memory *const coordinates = all->coordinate_memory;
    double *const tackles = all->tackle_memory;
    all->tackle_memory = all->tackle_next;
    all->tackle_next = tackles;
    all->memory = all->next;
    all->next = memory;
    all->coordinate_memory = all->coordinate_next;
    all->coordinate_next = coordinates;
}

static int compare(const void *a, const void *b) { return *(const uint64_t *)a < *(const uint64_t *)b ? -1 : *(const uint64_t *)a > *(const uint64_t *)b; }

uint64_t tl_joints_pair(int a, int b) { return a < b ? (uint64_t)a << 32 | (uint64_t)b : (uint64_t)b << 32 | (uint64_t)a; }

bool tl_joints_part(const tl_joints *all, int a, int b)
{
    const uint64_t pair = tl_joints_pair(a, b);
    return all->aparts > 0 && bsearch(&pair, all->apart, (size_t)all->aparts, sizeof pair, compare);
}

void tl_joints_sort_pairs(tl_joints *all)
{
    if (all->aparts > 0) qsort(all->apart, (size_t)all->aparts, sizeof *all->apart, compare);
}

void tl_joints_free(tl_joints *all, tl_memory memory)
{
    for (int i = 0; i < all->count; i++) tl_free(memory, all->joint[i].name);
    for (int i = 0; i < all->coordinates; i++) tl_free(memory, all->coordinate[i].name);
    for (int i = 0; i < all->tackles; i++) tl_free(memory, all->tackle[i].end), tl_free(memory, all->tackle[i].given);
    void *const parts[] = {all->bond, all->tackle,     all->tackle_memory,     all->tackle_next,     all->joint, all->memory,
                           all->next, all->coordinate, all->coordinate_memory, all->coordinate_next, all->apart};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) tl_free(memory, parts[i]);
    tl_hydraulics_free(&all->hydraulics, memory);
    tl_blocks_destroy(&all->blocks, memory);
}
