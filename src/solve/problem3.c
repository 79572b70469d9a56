/* From contacts to the spatial problem: rows of grains, ports of other matter. */
#include <string.h>

#include "solve/bind3.h"
#include "solve/block_contacts.h"
#include "solve/packs3.h"

/* ---- rows --------------------------------------------------------------------------------------------------------- */

tl_vec3 tl_angular_row3(const tl_problem3 *p, int body, tl_vec3 arm, tl_vec3 axis)
{
    const tl_vec3 moment = tl_cross(arm, axis);
    return tl_times3(p->j[body], tl_is_round3(p, body) ? moment : tl_mat3_apply_t(&p->frame[body].R, moment));
}

static double reciprocal(double x) { return x > 0 ? 1 / x : 0; }

static void make_row(const tl_problem3 *p, int body, tl_row3 *row)
{
    const tl_twist3 *v = &p->v_free[body];
    const tl_vec3 j = p->j[body], w = tl_is_round3(p, body) ? tl_mat3_apply(&p->frame[body].R, v->w) : v->w;
    const double root = reciprocal(p->s[body]);
    *row = (tl_row3){.v = {root * v->v.x, root * v->v.y, root * v->v.z},
                     .s = p->s[body],
                     .w = {reciprocal(j.x) * w.x, reciprocal(j.y) * w.y, reciprocal(j.z) * w.z},
                     .k = p->base.radius ? p->base.radius[body] * j.x : 0};
}

tl_twist3 tl_row3_twist(const tl_problem3 *p, int body, const tl_row3 *row)
{
    const tl_vec3 w = tl_times3(p->j[body], tl_load3(row->w));
    return (tl_twist3){tl_scale(p->s[body], tl_load3(row->v)), tl_is_round3(p, body) ? tl_mat3_apply_t(&p->frame[body].R, w) : w};
}

tl_twist3 tl_problem3_velocity(const tl_problem3 *p, int body) { return p->base.moves[body] ? tl_row3_twist(p, body, &p->row[body]) : p->v_free[body]; }

/* ---- parts -------------------------------------------------------------------------------------------------------- */

enum { SHARE = 32 }; /* contacts of a part: half of the colours, the others are for what its neighbours have taken */

static talus_status count_parts(tl_problem3 *p, tl_step *step, int *count)
{
    for (int i = 0; i < p->base.contacts; i++) {
        const tl_contact *c = &p->base.contact[i];
        if (!tl_is_packed(&p->base, c)) continue;
        count[c->a.item]++;
        count[c->b.item]++;
    }
    p->base.rows = p->base.bodies + TL_NOBODY3 * (p->base.domains.count + 1);
    p->splits = 0;
    for (int i = 0; i < p->base.bodies; i++) {
        const bool many = count[i] > TL_COLORS && p->base.moves[i];
        p->parts[i] = many ? (count[i] + SHARE - 1) / SHARE : 1;
        p->splits += many;
    }
    p->split = tl_arena_alloc(step->arena, (size_t)p->splits + 1, sizeof *p->split);
    if (!p->split) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d bodies", p->base.bodies);
    p->splits = 0;
    for (int i = 0; i < p->base.bodies; i++) {
        if (p->parts[i] == 1) continue;
        p->split[p->splits++] = (tl_split3){.body = i, .first = p->base.rows, .parts = p->parts[i]};
        p->base.rows += p->parts[i] - 1;
    }
    p->rests = p->base.rows;
    return TALUS_OK;
}

/* Each contact's rows: of a split grain one after the other, so that what touches it at several points stays at one part. An end at rest has a row of its own:
 * with factors of zero, so that nothing moves it. */
static talus_status share_contacts(tl_problem3 *p, tl_step *step)
{
    int *count = tl_arena_zero(step->arena, (size_t)p->base.bodies + 1, sizeof *count);
    int *split_of = tl_arena_zero(step->arena, (size_t)p->base.bodies + 1, sizeof *split_of);
    p->parts = tl_arena_alloc(step->arena, (size_t)p->base.bodies + 1, sizeof *p->parts);
    p->end_row = tl_arena_alloc(step->arena, (size_t)p->base.contacts + 1, sizeof *p->end_row);
    if (!count || !split_of || !p->parts || !p->end_row) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->base.contacts);
    TL_TRY(count_parts(p, step, count));
    for (int k = 0; k < p->splits; k++) split_of[p->split[k].body] = k;
    for (int i = 0; i < p->base.bodies; i++) count[i] = 0;
    for (int i = 0; i < p->base.contacts; i++) {
        const tl_place end[2] = {p->base.contact[i].a, p->base.contact[i].b};
        for (int side = 0; side < 2; side++) {
            const int body = end[side].item;
            p->end_row[i][side] = body;
            if (!tl_is_packed(&p->base, &p->base.contact[i])) continue;
            if (!tl_moves(&p->base, end[side])) p->end_row[i][side] = p->base.rows++;
            if (p->parts[body] == 1) continue;
            const int part = count[body]++ / SHARE;
            if (part > 0) p->end_row[i][side] = p->split[split_of[body]].first + part - 1;
        }
    }
    return TALUS_OK;
}

void tl_problem3_join(const tl_problem3 *p, tl_row3 *rows)
{
    for (int k = 0; k < p->splits; k++) {
        const tl_split3 *s = &p->split[k];
        tl_row3 *whole = &rows[s->body], *part = &rows[s->first];
        for (int i = 0; i < s->parts - 1; i++)
            for (int axis = 0; axis < 3; axis++) whole->v[axis] += part[i].v[axis], whole->w[axis] += part[i].w[axis];
        for (int axis = 0; axis < 3; axis++) whole->v[axis] /= s->parts, whole->w[axis] /= s->parts;
        for (int i = 0; i < s->parts - 1; i++) part[i] = *whole;
    }
}

void tl_problem3_spread(const tl_problem3 *p, tl_row3 *rows)
{
    for (int k = 0; k < p->splits; k++)
        for (int i = 0; i < p->split[k].parts - 1; i++) rows[p->split[k].first + i] = rows[p->split[k].body];
}

/* ---- contacts with other matter ----------------------------------------------------------------------------------- */

static void bind_end(const tl_problem *base, tl_coupled *k, int side)
{
    const tl_problem3 *p = (const tl_problem3 *)base;
    const int body = k->row[side];
    k->space.m[side] = p->s[body];
    for (int axis = 0; axis < 3; axis++) k->space.angular_row[side][axis] = tl_angular_row3(p, body, base->contact[k->contact].arm[side], k->axis[axis]);
}

static void bind_law(tl_coupled *k, double W[3][3])
{
    k->space.W = (tl_delassus3){
        .nn = W[0][0], .nt = 0.5 * (W[0][1] + W[1][0]), .ns = 0.5 * (W[0][2] + W[2][0]), .tt = W[1][1], .ts = 0.5 * (W[1][2] + W[2][1]), .ss = W[2][2]};
    k->space.law = tl_coulomb3_prepare(&k->space.W, k->friction);
    k->friction = k->space.law.friction;
}

void tl_coupled3_velocity(const tl_problem3 *p, const tl_coupled *k, const tl_row3 *rows, double *const *v, double V[3])
{
    V[0] = V[1] = V[2] = 0;
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? -1 : 1;
        double U[3] = {0, 0, 0};
        if (k->matter[side] != 0) {
            const tl_matter *m = p->base.matter[k->matter[side]];
            const double *x = v[k->matter[side]], *H = k->H[side];
            const int nv = k->nv[side];
            if (!H) m->ops->velocity(m, &k->port[side], x, false, U);
            for (int j = 0; H && j < nv; j++) U[0] += H[j] * x[j], U[1] += H[nv + j] * x[j], U[2] += H[2 * nv + j] * x[j];
        } else if (k->row[side] >= 0) {
            const tl_row3 *r = &rows[k->row[side]];
            const tl_vec3 linear = tl_load3(r->v), angular = tl_load3(r->w);
            for (int axis = 0; axis < 3; axis++) U[axis] = k->space.m[side] * tl_dot(k->axis[axis], linear) + tl_dot(k->space.angular_row[side][axis], angular);
        }
        for (int axis = 0; axis < 3; axis++) V[axis] += sign * U[axis];
    }
}

void tl_coupled3_impulse(const tl_problem3 *p, const tl_coupled *k, tl_row3 *rows, double *const *v, const double I[3])
{
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? -1 : 1, J[3] = {sign * I[0], sign * I[1], sign * I[2]};
        if (k->matter[side] != 0) {
            const tl_matter *m = p->base.matter[k->matter[side]];
            double *x = v[k->matter[side]];
            const double *Y = k->Y[side];
            const int nv = k->nv[side];
            if (!Y) m->ops->impulse(m, &k->port[side], J, x);
            for (int j = 0; Y && j < nv; j++) x[j] += Y[j] * J[0] + Y[nv + j] * J[1] + Y[2 * nv + j] * J[2];
        } else if (k->row[side] >= 0) {
            tl_row3 *r = &rows[k->row[side]];
            tl_vec3 linear = tl_load3(r->v), angular = tl_load3(r->w);
            for (int axis = 0; axis < 3; axis++) {
                linear = tl_add(linear, tl_scale(k->space.m[side] * J[axis], k->axis[axis]));
                angular = tl_add(angular, tl_scale(J[axis], k->space.angular_row[side][axis]));
            }
            tl_store3(r->v, linear);
            tl_store3(r->w, angular);
        }
    }
}

static void velocity(const tl_problem *base, const tl_coupled *k, const tl_velocities *v, double V[3])
{
    tl_coupled3_velocity((const tl_problem3 *)base, k, (const tl_row3 *)v->grain, v->matter, V);
}

static void impulse(const tl_problem *base, const tl_coupled *k, const tl_velocities *v, const double I[3])
{
    tl_coupled3_impulse((const tl_problem3 *)base, k, (tl_row3 *)v->grain, v->matter, I);
}

static tl_errors error(const tl_coupled *k, const double u[3])
{
    const tl_delassus3 *W = &k->space.W;
    return tl_error_of(tl_coulomb3_residual(W, k->friction, u, k->I), (W->nn + W->tt + W->ss) / 3 * k->I[0]);
}

static double gain(const tl_problem *base, int body, tl_vec3 push, tl_vec3 moment)
{
    const tl_problem3 *p = (const tl_problem3 *)base;
    const tl_vec3 own = tl_mat3_apply_t(&p->frame[body].R, moment);
    return base->inverse_mass[body] * tl_dot(push, push) + tl_dot(own, tl_times3(p->inverse_inertia[body], own));
}

static const tl_problem_ops OPS = {.axes = 3,
                                   .grain = {.stride = sizeof(tl_row3) / sizeof(double), .size = 7, .row = tl_grain_row3, .twist = tl_grain_twist3},
                                   .bind_end = bind_end,
                                   .bind_law = bind_law,
                                   .velocity = velocity,
                                   .impulse = impulse,
                                   .error = error,
                                   .gain = gain,
                                   .packs = &TL_PACK_OPS3};

/* ---- bind ------------------------------------------------------------------------------------------------------------------- */

void tl_problem3_set_rows(tl_problem3 *p)
{
    for (int i = 0; i < p->base.bodies; i++) make_row(p, i, &p->row[i]);
    tl_problem3_spread(p, p->row);
}

static talus_status bind_rows(tl_problem3 *p, tl_step *step)
{
    TL_TRY(tl_hubs_find(&p->base, step, TL_COLORS));
    TL_TRY(tl_domains_find(&p->base, step, &p->base.domains));
    TL_TRY(share_contacts(p, step));
    if ((size_t)p->base.rows > UINT32_MAX / sizeof *p->row)
        return tl_fail(step->error, TALUS_MEMORY, "%d bodies with %d contacts are too many for one problem", p->base.bodies, p->base.contacts);
    p->row = tl_arena_zero(step->arena, (size_t)p->base.rows, sizeof *p->row);
    p->s = tl_arena_alloc(step->arena, (size_t)p->base.bodies + 1, sizeof *p->s);
    p->j = tl_arena_alloc(step->arena, (size_t)p->base.bodies + 1, sizeof *p->j);
    if (!p->row || !p->s || !p->j) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d bodies", p->base.bodies);
    for (int i = 0; i < p->base.bodies; i++) {
        const tl_vec3 *j = &p->inverse_inertia[i];
        p->s[i] = sqrt(p->parts[i] * p->base.inverse_mass[i]);
        p->j[i] = tl_v3(sqrt(p->parts[i] * j->x), sqrt(p->parts[i] * j->y), sqrt(p->parts[i] * j->z));
    }
    p->base.grain = p->row->v;
    tl_problem3_set_rows(p);
    return TALUS_OK;
}

talus_status tl_problem3_bind(tl_problem3 *p, tl_step *step)
{
    tl_problem *all = &p->base;
    all->ops = &OPS;
    all->given = (tl_stand_ins){.matters = all->matters, .of = all->matter, .v_of = all->v};
    p->kernels = tl_packs3_of_this_machine();
    all->moves = tl_arena_alloc(step->arena, (size_t)all->bodies + 1, sizeof *all->moves);
    if (!all->moves) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d bodies", all->bodies);
    for (int i = 0; i < all->bodies; i++) {
        const tl_vec3 *j = &p->inverse_inertia[i];
        all->moves[i] = all->inverse_mass[i] > 0 || j->x > 0 || j->y > 0 || j->z > 0;
    }
    TL_TRY(tl_block_contacts_choose(all, step));
    TL_TRY(tl_block_contacts_make(all, step));
    TL_TRY(bind_rows(p, step));
    TL_TRY(tl_problem_bind_coupled(all, step));
    return tl_block_contacts_bind(all, step);
}
