/* What is done to packs of spatial contacts for the problem as a whole (tl_pack_ops). In rows they stand in the axes of their pack, n, 1, 2. */
#include <math.h>

#include "solve/bind3.h"
#include "solve/global_rows.h"
#include "solve/guard.h"
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

typedef struct back {
    const tl_problem3 *p;
    tl_row3 *row;
} back;

static void push_pack_back(const back *b, int pack)
{
    const tl_lanes3 *I = tl_impulses3(b->p, pack);
    tl_push3(b->p, b->row, pack, &(tl_lanes3){-I->x, -I->y, -I->z});
}

static void push_packs_back(void *context, const tl_share *s)
{
    const back *b = context;
    const int balls = b->p->packs[TL_BALLS3];
    for (int i = s->begin[TL_BALLS3]; i < s->end[TL_BALLS3]; i++) push_pack_back(b, i);
    for (int i = s->begin[TL_STONES3]; i < s->end[TL_STONES3]; i++) push_pack_back(b, balls + i);
}

static void push_back(const tl_problem *base, double *grain, tl_step *step)
{
    const tl_problem3 *p = (const tl_problem3 *)base;
    back b = {p, (tl_row3 *)grain};
    tl_colors_walk(&p->color, step, push_packs_back, &b);
}

static void join(const tl_problem *p, double *grain) { tl_problem3_join((const tl_problem3 *)p, (tl_row3 *)grain); }

static void spread(tl_problem *p) { tl_problem3_spread((const tl_problem3 *)p, ((tl_problem3 *)p)->row); }

static talus_status add_pack(const tl_problem3 *p, const tl_row3 *free, tl_local_rows *r, tl_step *step, const int *contacts, const tl_pack3 *k)
{
    tl_lanes3 q;
    p->kernels->velocity(free, k, &q);
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

static talus_status add_balls(const tl_problem3 *p, const tl_row3 *free, tl_local_rows *r, tl_step *step, const int *contacts, const tl_balls3 *k)
{
    tl_lanes3 q;
    p->kernels->velocity_balls(free, k, &q);
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

static talus_status add(const tl_problem *base, double *free, const int *lane, tl_local_rows *r, tl_step *step)
{
    const tl_problem3 *p = (const tl_problem3 *)base;
    const tl_row3 *row = (const tl_row3 *)free;
    const int balls = p->packs[TL_BALLS3];
    for (int i = 0; i < balls; i++) TL_TRY(add_balls(p, row, r, step, &lane[i * TL_LANES], &p->ball[i]));
    for (int i = 0; i < p->packs[TL_STONES3]; i++) TL_TRY(add_pack(p, row, r, step, &lane[(balls + i) * TL_LANES], &p->pack[i]));
    return TALUS_OK;
}

static talus_status add_grain_end(const tl_problem *p, const tl_coupled *k, int side, tl_local_rows *r, tl_step *step)
{
    const grain_end end = {k->row[side], side ? 1 : -1, k->space.m[side], k->axis, k->space.angular_row[side]};
    return add_grain((const tl_problem3 *)p, r, step, r->number[k->contact], &end);
}

/* M^{1/2} v of a grain, of which the row may be of a part. */
static void whole_velocity(const tl_problem3 *p, int body, const tl_row3 *row, double v[6])
{
    const double root = sqrt(p->parts[body]);
    for (int i = 0; i < 3; i++) v[i] = root * row->v[i], v[3 + i] = root * row->w[i];
}

static talus_status say_grain(const tl_problem *base, const double *free, int body, tl_step *step, tl_global_group *out)
{
    const tl_problem3 *p = (const tl_problem3 *)base;
    const double m = base->inverse_mass[body], masses[6] = {m, m, m, p->inverse_inertia[body].x, p->inverse_inertia[body].y, p->inverse_inertia[body].z};
    double v_free[6], v[6];
    whole_velocity(p, body, &((const tl_row3 *)free)[body], v_free), whole_velocity(p, body, &p->row[body], v);
    return tl_global_grain(6, masses, v_free, v, step, out);
}

/* As the pack has it, from impulses I along the axes of a row. */
static tl_vec3 impulse_of(const tl_problem3 *p, int pack, int lane, const double I[3])
{
    if (pack >= p->packs[TL_BALLS3]) return tl_load3(I);
    tl_vec3 axis[3], P = tl_v3(0, 0, 0);
    axes_of_ball(&p->ball[pack], lane, axis);
    for (int m = 0; m < 3; m++) P = tl_add(P, tl_scale(I[m], axis[m]));
    return P;
}

static void change(tl_problem *base, const int *number, const double *I)
{
    const tl_problem3 *p = (const tl_problem3 *)base;
    for (int i = 0; i < p->all_packs; i++) {
        const int *contact = &base->lane[i * TL_LANES];
        tl_lanes3 *own = tl_impulses3(p, i), by = {{0}, {0}, {0}};
        for (int lane = 0; lane < TL_LANES; lane++) {
            const int c = contact[lane] < 0 ? -1 : number[contact[lane]];
            const tl_vec3 was = tl_lane3(own, lane), is = c < 0 ? was : impulse_of(p, i, lane, &I[3 * c]);
            tl_set_lane3(&by, lane, tl_sub(is, was));
            tl_set_lane3(own, lane, is);
        }
        tl_push3(p, p->row, i, &by);
    }
}

static void before(const tl_problem *base, int lane, double V[3])
{
    const tl_problem3 *p = (const tl_problem3 *)base;
    const tl_contact *c = &base->contact[base->lane[lane]];
    const tl_vec3 v = tl_velocity_before3(p, c);
    tl_vec3 axis[3];
    tl_problem_axes(base, c, axis);
    for (int k = 0; k < 3; k++) V[k] = tl_dot(axis[k], v);
}

static talus_status sweep(tl_problem *p, tl_step *step) { return tl_nlgs3_sweep((tl_problem3 *)p, step); }
static void start(tl_problem *p, tl_step *step) { tl_problem3_start((tl_problem3 *)p, step); }
static double residual(tl_problem *p, tl_step *step) { return tl_problem3_residual((tl_problem3 *)p, step); }
static void write_back(tl_problem *p, tl_step *step) { tl_problem3_write_back((tl_problem3 *)p, step); }
static void take_back(tl_problem *p, tl_guard *guard, const tl_velocities *free, tl_step *step) { tl_guard3_take_back((tl_problem3 *)p, guard, free, step); }

const tl_pack_ops TL_PACK_OPS3 = {sweep, start, residual, write_back, push_back, join, spread, add, add_grain_end, say_grain, change, before, take_back};
