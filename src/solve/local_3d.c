/* The rows of a spatial step's contacts, for the problem as a value. Contacts of grains in the axes of their pack, n, 1, 2; with other matter n, t, s. */
#include <math.h>
#include <string.h>

#include "solve/bind3.h"
#include "solve/few.h"
#include "solve/global_rows.h"
#include "solve/guard.h"
#include "solve/coupled_groups.h"
#include "solve/packs3.h"

/* Grains are groups 0 … bodies − 1, other matter those after. A part of a split grain is the grain, with the whole's mass. */
static int body_of(const tl_problem3 *p, int row)
{
    for (int k = 0; k < p->splits; k++)
        if (row >= p->split[k].first && row < p->split[k].first + p->split[k].parts - 1) return p->split[k].body;
    return row;
}

/* The end of a contact at a grain: s e along each of three axes e, and what turns it. */
typedef struct grain_end {
    int row;
    double sign, s;
    const tl_vec3 *axis, *angular_row;
} grain_end;

static talus_status add_grain(const tl_problem3 *p, tl_local_rows *r, tl_step *step, int contact, const grain_end *e)
{
    const int body = body_of(p, e->row);
    const double whole = 1 / sqrt(p->parts[body]);
    double H[3][6];
    for (int i = 0; i < 3; i++) {
        tl_store3(&H[i][0], tl_scale(e->s, e->axis[i]));
        tl_store3(&H[i][3], e->angular_row[i]);
        for (int k = 0; k < 6; k++) H[i][k] *= whole;
    }
    return tl_local_rows_add(r, (tl_local_end){.contact = contact, .group = body, .size = 6, .sign = e->sign, .H = H[0]}, step);
}

/* `e` without its row, which is in the pack. An end at rest adds nothing. */
static talus_status add_lane_end(const tl_problem3 *p, tl_local_rows *r, tl_step *step, int contact, uint32_t at, const grain_end *e)
{
    const int row = (int)(at / sizeof(tl_row3));
    if (row >= p->rests) return TALUS_OK;
    return add_grain(p, r, step, contact, &(grain_end){row, e->sign, p->row[row].s, e->axis, e->angular_row});
}

static talus_status add_lane(const tl_problem3 *p, tl_local_rows *r, tl_step *step, const tl_pack3 *k, int contact, int lane)
{
    const tl_vec3 n = tl_lane3(&k->n, lane), t = tl_lane3(&k->t, lane), axis[3] = {n, t, tl_cross(n, t)};
    const tl_vec3 a[3] = {tl_lane3(&k->an, lane), tl_lane3(&k->at, lane), tl_lane3(&k->as, lane)};
    const tl_vec3 b[3] = {tl_lane3(&k->bn, lane), tl_lane3(&k->bt, lane), tl_lane3(&k->bs, lane)};
    TL_TRY(add_lane_end(p, r, step, contact, k->a[lane], &(grain_end){.sign = -1, .axis = axis, .angular_row = a}));
    return add_lane_end(p, r, step, contact, k->b[lane], &(grain_end){.sign = 1, .axis = axis, .angular_row = b});
}

/* Balls have no axes but the normal: tangents as everywhere. */
static void axes_of_ball(const tl_balls3 *k, int lane, tl_vec3 axis[3])
{
    axis[0] = tl_lane3(&k->n, lane);
    tl_tangents(axis[0], &axis[1], &axis[2]);
}

static talus_status add_ball_lane(const tl_problem3 *p, tl_local_rows *r, tl_step *step, const tl_balls3 *k, int contact, int lane)
{
    tl_vec3 axis[3], angular_row[3];
    axes_of_ball(k, lane, axis);
    for (int side = 0; side < 2; side++) {
        const uint32_t at = side ? k->b[lane] : k->a[lane];
        const double arm = (side ? -1 : 1) * p->row[at / sizeof(tl_row3)].k; /* × n */
        for (int i = 0; i < 3; i++) angular_row[i] = tl_scale(arm, tl_cross(axis[0], axis[i]));
        TL_TRY(add_lane_end(p, r, step, contact, at, &(grain_end){.sign = side ? 1 : -1, .axis = axis, .angular_row = angular_row}));
    }
    return TALUS_OK;
}

static talus_status add_coupled_end(const tl_problem3 *p, tl_local_rows *r, tl_step *step, const tl_coupled *k, int contact, int side)
{
    const double sign = side == 0 ? -1 : 1;
    if (k->matter[side] != 0) {
        const int m = k->matter[side];
        if (!k->H[side]) return tl_fail(step->error, TALUS_UNSUPPORTED, "matter '%s' has no rows to write", p->base.matter[m]->ops->kind);
        return tl_local_rows_add(r, (tl_local_end){contact, p->base.bodies + m, k->nv[side], sign, k->H[side], k->Y[side]}, step);
    }
    if (k->row[side] < 0) return TALUS_OK;
    const tl_vec3 axis[3] = {k->axis[0], k->axis[1], k->axis[2]};
    return add_grain(p, r, step, contact, &(grain_end){k->row[side], sign, k->space.m[side], axis, k->space.angular_row[side]});
}

talus_status tl_coupled3_add_ends(const tl_problem *base, const tl_coupled *k, tl_local_rows *r, tl_step *step)
{
    const tl_problem3 *p = (const tl_problem3 *)base;
    const int contact = r->number[k->contact];
    r->friction[contact] = k->friction;
    for (int side = 0; side < 2; side++) TL_TRY(add_coupled_end(p, r, step, k, contact, side));
    return TALUS_OK;
}

/* Velocities without impulses: v⁺ less what the impulses made of them. */
typedef struct free_motion {
    tl_row3 *row;
    double **v;
} free_motion;

static talus_status take_impulses_back(const tl_problem3 *p, tl_step *step, free_motion *f)
{
    f->row = tl_arena_alloc(step->arena, (size_t)p->rows, sizeof *f->row);
    if (!f->row) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d bodies", p->base.bodies);
    TL_TRY(tl_local_rows_copy(p->base.v, p->base.matter, p->base.matters, step, &f->v));
    memcpy(f->row, p->row, (size_t)p->rows * sizeof *f->row);
    for (int i = 0; i < p->packs[TL_BALLS3]; i++) {
        tl_balls3 back = p->ball[i];
        back.I.x = -back.I.x, back.I.y = -back.I.y, back.I.z = -back.I.z;
        p->kernels->start_balls(f->row, &back, 0, 1);
    }
    for (int i = 0; i < p->packs[TL_STONES3]; i++) {
        tl_pack3 back = p->pack[i];
        back.I.x = -back.I.x, back.I.y = -back.I.y, back.I.z = -back.I.z;
        p->kernels->start(f->row, &back, 0, 1);
    }
    for (int i = 0; i < p->base.coupleds; i++) {
        const tl_coupled *k = &p->base.coupled[i];
        tl_coupled3_impulse(p, k, f->row, f->v, (double[3]){-k->I[0], -k->I[1], -k->I[2]});
    }
    tl_problem3_join(p, f->row);
    return TALUS_OK;
}

static talus_status add_pack(const tl_problem3 *p, const free_motion *f, tl_local_rows *r, tl_step *step, const int *contacts, const tl_pack3 *k)
{
    tl_lanes3 q;
    p->kernels->velocity(f->row, k, &q);
    for (int i = 0; i < TL_LANES; i++) {
        if (contacts[i] < 0) continue;
        const int contact = r->number[contacts[i]];
        tl_store3(r->q[contact], tl_lane3(&q, i));
        tl_store3(r->I[contact], tl_lane3(&k->I, i));
        r->friction[contact] = k->friction[i];
        TL_TRY(add_lane(p, r, step, k, contact, i));
    }
    return TALUS_OK;
}

static talus_status add_balls(const tl_problem3 *p, const free_motion *f, tl_local_rows *r, tl_step *step, const int *contacts, const tl_balls3 *k)
{
    tl_lanes3 q;
    p->kernels->velocity_balls(f->row, k, &q);
    for (int i = 0; i < TL_LANES; i++) {
        if (contacts[i] < 0) continue;
        const int contact = r->number[contacts[i]];
        tl_vec3 axis[3];
        axes_of_ball(k, i, axis);
        for (int m = 0; m < 3; m++) {
            r->q[contact][m] = tl_dot(axis[m], tl_lane3(&q, i));
            r->I[contact][m] = tl_dot(axis[m], tl_lane3(&k->I, i));
        }
        r->friction[contact] = k->friction[i];
        TL_TRY(add_ball_lane(p, r, step, k, contact, i));
    }
    return TALUS_OK;
}

static talus_status add_coupled(const tl_problem3 *p, const free_motion *f, tl_local_rows *r, tl_step *step, const tl_coupled *k)
{
    const int contact = r->number[k->contact];
    double *q = r->q[contact];
    tl_coupled3_velocity(p, k, f->row, f->v, q);
    for (int i = 0; i < 3; i++) q[i] += k->shift[i], r->I[contact][i] = k->I[i];
    return tl_coupled3_add_ends(&p->base, k, r, step);
}

/* Of all contacts, or of those that are chosen [contacts]. */
static talus_status make_rows(const tl_problem3 *p, const bool *chosen, tl_step *step, tl_local_rows *r, free_motion *f)
{
    const int lanes = p->all_packs * TL_LANES;
    int *coupled = tl_arena_alloc(step->arena, (size_t)p->base.coupleds + 1, sizeof *coupled), coupleds = 0;
    int *lane = tl_arena_alloc(step->arena, (size_t)lanes + 1, sizeof *lane);
    if (!lane || !coupled) {
        (void)tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->base.contacts);
        return TALUS_MEMORY;
    }
    for (int i = 0; i < p->base.coupleds; i++)
        if (!chosen || chosen[p->base.coupled[i].contact]) coupled[coupleds++] = p->base.coupled[i].contact;
    for (int i = 0; i < lanes; i++) lane[i] = p->lane[i] >= 0 && (!chosen || chosen[p->lane[i]]) ? p->lane[i] : -1;
    TL_TRY(tl_local_rows_begin(r, 3, &(tl_local_members){p->base.contacts, p->base.bodies + p->base.matters, lane, lanes, coupled, coupleds}, step));
    TL_TRY(take_impulses_back(p, step, f));
    const int balls = p->packs[TL_BALLS3];
    for (int i = 0; i < balls; i++) TL_TRY(add_balls(p, f, r, step, &lane[i * TL_LANES], &p->ball[i]));
    for (int i = 0; i < p->packs[TL_STONES3]; i++) TL_TRY(add_pack(p, f, r, step, &lane[(balls + i) * TL_LANES], &p->pack[i]));
    for (int i = 0; i < p->base.coupleds; i++)
        if (r->number[p->base.coupled[i].contact] >= 0) TL_TRY(add_coupled(p, f, r, step, &p->base.coupled[i]));
    return TALUS_OK;
}

/* The rows, and what they make; r.number is whose they are. */
static talus_status make_local(const tl_problem3 *p, const bool *chosen, tl_step *step, tl_local_rows *r, talus_problem_def *out)
{
    free_motion f = {NULL, NULL};
    TL_TRY(make_rows(p, chosen, step, r, &f));
    TL_TRY(tl_local_rows_assemble(r, step, out));
    out->convex = p->base.solver->convex;
    return TALUS_OK;
}

talus_status tl_problem3_local(const tl_problem3 *p, tl_step *step, talus_problem_def *out)
{
    TL_TRY(tl_blocks_refuse(p->base.blocks, step));
    tl_local_rows r;
    return make_local(p, NULL, step, &r, out);
}

/* M^{1/2} v of a grain, of which the row may be of a part. */
static void whole_velocity(const tl_problem3 *p, int body, const tl_row3 *row, double v[6])
{
    const double root = sqrt(p->parts[body]);
    for (int i = 0; i < 3; i++) v[i] = root * row->v[i], v[3 + i] = root * row->w[i];
}

static talus_status say_group(const tl_problem3 *p, const free_motion *f, tl_step *step, int g, tl_global_group *group)
{
    if (g >= p->base.bodies) return tl_global_matter(p->base.matter[g - p->base.bodies], f->v[g - p->base.bodies], p->base.v[g - p->base.bodies], step, group);
    const double m = p->base.inverse_mass[g], masses[6] = {m, m, m, p->inverse_inertia[g].x, p->inverse_inertia[g].y, p->inverse_inertia[g].z};
    double v_free[6], v[6];
    whole_velocity(p, g, &f->row[g], v_free), whole_velocity(p, g, &p->row[g], v);
    return tl_global_grain(6, masses, v_free, v, step, group);
}

talus_status tl_problem3_global(const tl_problem3 *p, tl_step *step, talus_global_problem *out)
{
    TL_TRY(tl_blocks_refuse(p->base.blocks, step));
    tl_local_rows r;
    free_motion f = {NULL, NULL};
    TL_TRY(make_rows(p, NULL, step, &r, &f));
    tl_global_group *group = tl_arena_zero(step->arena, (size_t)r.groups, sizeof *group);
    if (!group) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d bodies", r.groups);
    for (int e = 0; e < r.ends; e++)
        if (group[r.end[e].group].size == 0) TL_TRY(say_group(p, &f, step, r.end[e].group, &group[r.end[e].group]));
    return tl_global_rows_assemble(&r, group, step, out);
}

static void change_packs(const tl_problem3 *p, const int *number, const double *I)
{
    for (int i = 0; i < p->packs[TL_STONES3]; i++) {
        const int *contact = &p->lane[(p->packs[TL_BALLS3] + i) * TL_LANES];
        tl_pack3 *k = &p->pack[i], change = *k;
        for (int lane = 0; lane < TL_LANES; lane++) {
            const int c = contact[lane] < 0 ? -1 : number[contact[lane]];
            const tl_vec3 J = c < 0 ? tl_lane3(&k->I, lane) : tl_load3(&I[3 * c]);
            tl_set_lane3(&change.I, lane, tl_sub(J, tl_lane3(&k->I, lane)));
            tl_set_lane3(&k->I, lane, J);
        }
        p->kernels->start(p->row, &change, 0, 1);
    }
}

static void change_balls(const tl_problem3 *p, const int *number, const double *I)
{
    for (int i = 0; i < p->packs[TL_BALLS3]; i++) {
        const int *contact = &p->lane[i * TL_LANES];
        tl_balls3 *k = &p->ball[i], change = *k;
        for (int lane = 0; lane < TL_LANES; lane++) {
            const int c = contact[lane] < 0 ? -1 : number[contact[lane]];
            tl_vec3 axis[3], P = c < 0 ? tl_lane3(&k->I, lane) : tl_v3(0, 0, 0);
            axes_of_ball(k, lane, axis);
            for (int m = 0; c >= 0 && m < 3; m++) P = tl_add(P, tl_scale(I[3 * c + m], axis[m]));
            tl_set_lane3(&change.I, lane, tl_sub(P, tl_lane3(&k->I, lane)));
            tl_set_lane3(&k->I, lane, P);
        }
        p->kernels->start_balls(p->row, &change, 0, 1);
    }
}

/* Impulses I [contacts][3] instead of the present ones, where contacts have a number. */
static void change_impulses(tl_problem3 *p, const int *number, const double *I)
{
    change_balls(p, number, I);
    change_packs(p, number, I);
    for (int i = 0; i < p->base.coupleds; i++) {
        tl_coupled *k = &p->base.coupled[i];
        if (number[k->contact] < 0) continue;
        const double *J = &I[3 * number[k->contact]];
        tl_coupled3_impulse(p, k, p->row, p->base.v, (double[3]){J[0] - k->I[0], J[1] - k->I[1], J[2] - k->I[2]});
        memcpy(k->I, J, sizeof k->I);
    }
    tl_problem3_join(p, p->row);
}

static talus_status solve_by_value(tl_problem3 *p, tl_step *step, bool least_norm)
{
    talus_problem_def def;
    TL_TRY(tl_blocks_refuse(p->base.blocks, step));
    tl_by_value s = {.settings = p->base.solver, .least_norm = least_norm};
    tl_local_rows r;
    TL_TRY(make_local(p, NULL, step, &r, &def));
    TL_TRY(tl_by_value_solve(&def, &s, step));
    change_impulses(p, r.number, s.I);
    p->base.iterations += s.iterations;
    p->base.residual = s.residual;
    p->base.residual_mean = s.residual_mean;
    if (!least_norm) p->base.converged = p->base.residual <= p->base.solver->tolerance; /* the other's impulses may be off by as much again */
    return TALUS_OK;
}

/* Groups of the ends; −1: it does not move. */
static void groups_of(const tl_problem3 *p, const tl_contact *c, int group[2])
{
    group[0] = tl_group_of(&p->base, c->a);
    group[1] = tl_group_of(&p->base, c->b);
}

static tl_worked worked(const tl_problem3 *p, const tl_contact *c, const double before[3])
{
    tl_worked out = {.work = 0};
    groups_of(p, c, out.group);
    tl_guard_work(&out, 3, c->I, before, c->V);
    return out;
}

/* V⁻ in world axes of a contact whose impulse acts at the surfaces of spheres, as that of balls does: not between the two, when they overlap. */
static tl_vec3 before_of_balls(const tl_problem3 *p, const tl_contact *c)
{
    const tl_place end[2] = {c->a, c->b};
    tl_vec3 V[2];
    for (int side = 0; side < 2; side++) {
        const int item = end[side].item;
        const tl_twist3 *v = &p->v_before[item];
        const tl_vec3 r = tl_scale(side == 0 ? p->base.radius[item] : -p->base.radius[item], c->n);
        V[side] = tl_moves(&p->base, end[side]) ? tl_add(v->v, tl_cross(tl_mat3_apply(&p->frame[item].R, v->w), r)) : tl_point_velocity3(p, c, side, v);
    }
    return tl_sub(V[1], V[0]);
}

/* Sweeps have ended above the tolerance: the islands of few contacts among those that are to blame, as wholes (few.h). */
static talus_status solve_few(tl_problem3 *p, tl_step *step)
{
    int(*group)[2] = tl_arena_alloc(step->arena, (size_t)p->base.contacts + 1, sizeof *group), count = 0;
    bool *chosen = tl_arena_alloc(step->arena, (size_t)p->base.contacts + 1, sizeof *chosen);
    talus_problem_def def;
    tl_local_rows r;
    double *I;
    if (!group || !chosen) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->base.contacts);
    for (int i = 0; i < p->base.contacts; i++) groups_of(p, &p->base.contact[i], group[i]);
    const tl_few_source source = {(const int(*)[2])group, p->base.contacts, p->base.bodies + p->base.matters, p->base.blocks};
    TL_TRY(tl_few_choose(&source, step, chosen, &count));
    if (count == 0) return TALUS_OK;
    const talus_status status = make_local(p, chosen, step, &r, &def);
    if (status == TALUS_UNSUPPORTED) return TALUS_OK; /* matter without rows: what the sweeps came to stands */
    if (status != TALUS_OK) return status;
    TL_TRY(tl_few_solve(&def, p->base.solver->tolerance, p->base.iterations, step, &I));
    change_impulses(p, r.number, I);
    p->base.residual = tl_problem3_residual(p, step);
    p->base.converged = p->base.residual <= p->base.solver->tolerance;
    return TALUS_OK;
}

static talus_status measure_work(const tl_problem3 *p, tl_step *step, tl_guard *g)
{
    TL_TRY(tl_guard_begin(g, p->base.contacts, p->base.bodies + p->base.matters, p->base.blocks, step));
    for (int i = 0; i < p->all_packs * TL_LANES; i++) {
        if (p->lane[i] < 0) continue;
        const tl_contact *c = &p->base.contact[p->lane[i]];
        const tl_vec3 before = i < p->packs[TL_BALLS3] * TL_LANES ? before_of_balls(p, c) : tl_velocity_before3(p, c);
        tl_vec3 t, s;
        tl_tangents(c->n, &t, &s);
        g->contact[p->lane[i]] = worked(p, c, (double[3]){tl_dot(c->n, before), tl_dot(t, before), tl_dot(s, before)});
    }
    tl_guard_coupled_work(g, &p->base);
    return TALUS_OK;
}

static talus_status take_back(tl_problem3 *p, tl_guard *guard, tl_local_rows *r, tl_step *step)
{
    TL_TRY(tl_guard_take_back(guard, r, step));
    double *I = tl_arena_alloc(step->arena, 3 * (size_t)r->contacts + 1, sizeof *I);
    if (!I) return tl_fail(step->error, TALUS_MEMORY, "no memory for %d contacts", p->base.contacts);
    for (int i = 0; i < r->contacts; i++) memcpy(&I[3 * i], r->I[i], sizeof r->I[i]);
    change_impulses(p, r->number, I);
    tl_problem3_spread(p, p->row);
    return TALUS_OK;
}

/* The result, for the contacts; what it would add to the energy is taken back (guard.h). */
static talus_status write_back_guarded(tl_problem3 *p, tl_step *step)
{
    tl_guard guard;
    tl_local_rows r;
    tl_problem3_write_back(p, step);
    if (p->base.converged) return TALUS_OK; /* within its tolerance it keeps the law, which adds none */
    TL_TRY(measure_work(p, step, &guard));
    if (!tl_guard_adds(&guard)) return TALUS_OK;
    free_motion f = {NULL, NULL};
    const talus_status status = make_rows(p, NULL, step, &r, &f);
    if (status == TALUS_UNSUPPORTED) return TALUS_OK; /* matter without rows: what the sweeps came to stands */
    if (status != TALUS_OK) return status;
    if (p->base.block_contacts > 0 || (p->base.blocks && p->base.blocks->unknowns > 0)) tl_guard3_take_back(p, &guard, f.row, f.v);
    else TL_TRY(take_back(p, &guard, &r, step));
    p->base.residual = tl_problem3_residual(p, step);
    tl_problem3_write_back(p, step);
    return TALUS_OK;
}

talus_status tl_problem3_solve(tl_problem3 *p, tl_step *step)
{
    const tl_solver_row *method = tl_solver_find(p->base.solver->method);
    const bool both = method && !method->solve, sweeps = (both && !p->base.solver->convex) || !method || method->sweeps;
    const bool helped = !method && p->base.solver->momentum;
    p->base.iterations = 0;
    p->base.converged = false;
    if (sweeps) TL_TRY(tl_nlgs3_sweep(p, step));
    else tl_problem3_start(p, step);
    if (!sweeps) TL_TRY(solve_by_value(p, step, false));
    else if (both && !p->base.converged) (void)!solve_by_value(p, step, false); /* where it cannot, what the sweeps came to stands */
    else if (helped && !p->base.converged) TL_TRY(solve_few(p, step));
    if (p->base.solver->least_norm) TL_TRY(solve_by_value(p, step, true));
    TL_TRY(write_back_guarded(p, step));
    for (int i = 0; p->base.pulls && i < p->base.contacts; i++) p->base.contact[i].I[0] -= p->base.contact[i].offset;
    return TALUS_OK;
}
