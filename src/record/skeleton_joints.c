/* From joints between bodies, and pulleys, to what is drawn of them. They are measured by the smaller of their bodies, and in space they stick out of it: a
 * hinge inside a door would not be seen. */
#include <math.h>
#include <string.h>

#include "record/skeleton_make.h"
#include "talus/joint.h"
#include "talus/mechanism.h"

typedef struct joint {
    tl_skeleton_maker *m;
    const tl_replay_joint *its;
    double low, high;       /* how far slides go [m]                                             */
    int body[2], owner;     /* a, b; that with which it is coloured and hidden                   */
    tl_vec3 at[2], axis[2]; /* point and axis in the axes of each                                */
    double r, size;         /* radius of a bar; extent of the smaller body [m]                   */
    double below, above;    /* from the point along the axis to both ends of the smaller body    */
    double bulge;           /* radius of a ball about the point that shows through [m]; 0: none need */
    bool driven, ground, planar;
} joint;

static const char *name_of(const tl_replay_joint *j)
{
    const char *name = tl_skeleton_is_body_joint(j) ? talus_body_joint_kind(j->kind - TALUS_CONNECTION_BODY_JOINT) : NULL;
    return name ? name : "";
}

static bool is(const tl_replay_joint *j, const char *kind) { return strcmp(name_of(j), kind) == 0; }

bool tl_skeleton_is_body_joint(const tl_replay_joint *j) { return j->kind >= TALUS_CONNECTION_BODY_JOINT; }

bool tl_skeleton_body_joint_slides(const tl_replay_joint *j)
{
    return (is(j, "prismatic") || is(j, "cylindrical") || is(j, "screw") || is(j, "slot")) && tl_norm(tl_load3(j->axis)) > 0;
}

/* ---- where it lies in its bodies ------------------------------------------------------------------------------------------- */

static tl_vec3 corner(const tl_skeleton_maker *m, const tl_replay_shape *s, int k) { return tl_load3(m->run->point[s->first_point + k]); }

/* Least distance to what bounds the shape, negative outside. */
static double depth_of_faces(const tl_skeleton_maker *m, const tl_replay_shape *s, tl_vec3 x)
{
    const tl_replay *r = m->run;
    double least = (double)INFINITY;
    for (int f = s->first_face; f < s->first_face + s->faces; f++) {
        const int32_t *c = &r->corner[f ? r->face_end[f - 1] : 0];
        const tl_vec3 a = corner(m, s, c[0]), n = tl_cross(tl_sub(corner(m, s, c[1]), a), tl_sub(corner(m, s, c[2]), a));
        if (tl_norm(n) > 0) least = fmin(least, tl_dot(tl_normalize(n), tl_sub(a, x)));
    }
    return isfinite(least) ? least : 0;
}

static double depth_of_edges(const tl_skeleton_maker *m, const tl_replay_shape *s, tl_vec3 x)
{
    double least = (double)INFINITY, turn = 0;
    for (int k = 0; k < s->points; k++) {
        const tl_vec3 a = corner(m, s, k), e = tl_sub(corner(m, s, (k + 1) % s->points), a), d = tl_sub(x, a);
        turn += a.x * (a.y + e.y) - a.y * (a.x + e.x);
        if (tl_norm(e) > 0) least = fmin(least, (e.x * d.y - e.y * d.x) / tl_norm(e));
    }
    return turn > 0 && isfinite(least) ? least : 0;
}

static double depth_of_rod(const tl_skeleton_maker *m, const tl_replay_shape *s, tl_vec3 x)
{
    const tl_vec3 a = corner(m, s, 0), e = tl_sub(corner(m, s, s->points - 1), a), d = tl_sub(x, a);
    const double square = tl_dot(e, e), at = square > 0 ? tl_dot(d, e) / square : 0, held = fmin(1, fmax(0, at));
    if (s->kind != REPLAY_CYLINDER) return s->radius - tl_norm(tl_sub(d, tl_scale(held, e)));
    return fmin(s->radius - tl_norm(tl_sub(d, tl_scale(at, e))), fmin(at, 1 - at) * sqrt(square));
}

/* −∞: the body has no shape of which one knows. */
static double depth_in(const tl_skeleton_maker *m, int body, tl_vec3 x)
{
    double most = -(double)INFINITY;
    for (int i = body < 0 ? -1 : m->first_shape[body]; i >= 0; i = m->next_shape[i]) {
        const tl_replay_shape *s = &m->run->shape[i];
        if (s->kind == REPLAY_HALF_PLANE || s->kind == REPLAY_HALF_SPACE || s->kind == REPLAY_MESH) continue;
        const double depth = s->points <= 2 ? depth_of_rod(m, s, x) : s->faces > 0 ? depth_of_faces(m, s, x) + s->radius : depth_of_edges(m, s, x) + s->radius;
        most = fmax(most, depth);
    }
    return most;
}

/* From the point along the axis to both ends of a body. */
static void measure_span(joint *d, int side)
{
    const tl_skeleton_maker *m = d->m;
    for (int i = m->first_shape[d->body[side]]; i >= 0; i = m->next_shape[i]) {
        const tl_replay_shape *s = &m->run->shape[i];
        const tl_vec3 e = tl_sub(corner(m, s, 1 % s->points), corner(m, s, 0));
        const double along = s->kind == REPLAY_CYLINDER && tl_norm(e) > 0 ? tl_dot(tl_normalize(e), d->axis[side]) : 0;
        const double rim = s->radius * sqrt(fmax(0, 1 - along * along));
        for (int k = 0; k < s->points; k++) {
            const double t = tl_dot(d->axis[side], tl_sub(corner(m, s, k), d->at[side]));
            d->below = fmin(d->below, t - rim), d->above = fmax(d->above, t + rim);
        }
    }
}

static bool moves(const tl_skeleton_maker *m, int body) { return body >= 0 && m->run->body[body].kind == 0; }

static joint look_at(tl_skeleton_maker *m, int index)
{
    const tl_replay_joint *j = &m->run->joint[index];
    joint d = {.m = m, .its = j, .low = m->reach[index][0], .high = m->reach[index][1], .driven = j->driven, .planar = m->run->dimension == 2};
    double depth = 0;
    int small = -1;
    for (int k = 0; k < 2; k++) {
        d.body[k] = j->body[k], d.at[k] = tl_load3(j->point[k]), d.axis[k] = tl_skeleton_axis(m, j, j->body[k]);
        d.ground = d.ground || j->body[k] < 0 || m->run->body[j->body[k]].kind == 1;
        depth = fmax(depth, depth_in(m, j->body[k], d.at[k]));
        if (moves(m, j->body[k]) && m->extent[j->body[k]] > 0 && (small < 0 || m->extent[j->body[k]] < d.size)) small = k, d.size = m->extent[j->body[k]];
    }
    d.owner = moves(m, d.body[1]) || d.body[0] < 0 ? d.body[1] : d.body[0];
    d.r = small >= 0 ? fmin(m->thin, 0.04 * d.size) : m->thin;
    if (small < 0) d.size = 10 * d.r;
    if (small >= 0 && !d.planar) {
        measure_span(&d, small);
        d.bulge = depth > 0 ? fmin(1.08 * depth, 0.35 * d.size) + 0.4 * d.r : 0;
    }
    return d;
}

/* ---- its parts --------------------------------------------------------------------------------------------------------------- */

/* From the point of a body along a direction in its axes, from s to t. */
static void add_along(const joint *d, tl_part_kind kind, int side, tl_vec3 direction, const double reach[2], double radius)
{
    const int body = d->body[side];
    const tl_spot from = {body, tl_add(d->at[side], tl_scale(reach[0], direction))}, to = {body, tl_add(d->at[side], tl_scale(reach[1], direction))};
    tl_skeleton_add(d->m, kind, body >= 0 && moves(d->m, body) ? body : d->owner, from, to, radius);
}

static void add_axle(const joint *d, tl_part_kind kind, double from, double to, double radius)
{
    const int side = moves(d->m, d->body[1]) || d->body[0] < 0;
    add_along(d, kind, side, d->axis[side], (const double[2]){from, to}, radius);
}

static void draw_revolute(const joint *d)
{
    const double r = d->r, low = d->below - 1.6 * r, high = d->above + 1.6 * r;
    const tl_part_kind pin = d->ground ? PART_FOOT : PART_PIN;
    if (d->planar) {
        if (d->its->sprung) add_axle(d, PART_SPIRAL, -1.6 * r, 1.6 * r, 4.5 * r);
        add_axle(d, d->driven ? PART_MOTOR : pin, -1.6 * r, 1.6 * r, (d->driven || d->ground ? 1.9 : 1.4) * r);
        return;
    }
    add_axle(d, pin, low, high, (d->ground ? 1.2 : 0.9) * r);
    if (d->driven) add_axle(d, PART_MOTOR, high - r, high + 2.5 * r, 2.4 * r);
    if (d->its->sprung) add_axle(d, PART_SPIRAL, low + r, low, 3.5 * r);
}

/* A rail on a, on which b slides, or turns too; a thread on it is a screw's, a pin or ball a slot's. */
static void draw_slide(const joint *d)
{
    const double r = d->r, beyond = fmax(3 * r, 0.6 * d->size), low = d->low - beyond, high = d->high + beyond;
    const unsigned slide = is(d->its, "screw") ? 0 : 1, angle = is(d->its, "screw") ? 1 : 2, sprung = (unsigned)d->its->sprung;
    add_along(d, PART_RAIL, 0, d->axis[0], (const double[2]){low, high}, 0.7 * r);
    if (is(d->its, "screw")) add_along(d, PART_THREAD, 0, d->axis[0], (const double[2]){low, high}, 1.2 * r);
    if (!is(d->its, "slot") && (d->body[1] < 0 || !d->m->shaped[d->body[1]]))
        add_along(d, PART_SLEEVE, 1, d->axis[1], (const double[2]){-2 * r, 2 * r}, 1.7 * r);
    if (is(d->its, "slot") && d->planar) add_along(d, PART_PIN, 1, tl_v3(0, 0, 1), (const double[2]){-1.6 * r, 1.6 * r}, 1.4 * r);
    else if (is(d->its, "slot")) add_along(d, PART_BALL, 1, d->axis[1], (const double[2]){0, 0}, fmax(1.7 * r, d->bulge));
    if (d->driven) add_along(d, PART_MOTOR, 0, d->axis[0], (const double[2]){low - 1.6 * r, low + 1.6 * r}, 2.2 * r);
    if (sprung & slide)
        tl_skeleton_add(d->m, PART_SPRING, d->owner, (tl_spot){d->body[0], tl_add(d->at[0], tl_scale(low, d->axis[0]))}, (tl_spot){d->body[1], d->at[1]},
                        2 * r);
    if (sprung & angle) add_along(d, PART_SPIRAL, 0, d->axis[0], (const double[2]){high - r, high}, 3.5 * r);
}

static void draw_ball(const joint *d)
{
    const double radius = fmax(1.7 * d->r, d->bulge);
    add_along(d, PART_BALL, 1, d->axis[1], (const double[2]){0, 0}, radius);
    if (d->driven) add_along(d, PART_MOTOR, 0, d->axis[0], (const double[2]){-0.5 * d->r, 0.5 * d->r}, 1.35 * radius);
    if (d->its->sprung) add_along(d, PART_SPIRAL, 0, d->axis[0], (const double[2]){-0.5 * d->r, 0}, 2 * radius);
}

/* The cross: a bar that turns in a, and one that turns in b. */
static void draw_universal(const joint *d)
{
    const double r = d->r, reach = fmax(3.5 * r, d->bulge + 2 * r);
    const tl_vec3 bar[2] = {d->axis[0], tl_load3(d->its->axis2)};
    for (int k = 0; k < 2; k++) {
        add_along(d, d->driven ? PART_MOTOR : PART_PIN, k, bar[k], (const double[2]){-reach, reach}, 0.9 * r);
        if (d->its->sprung >> k & 1) add_along(d, PART_SPIRAL, k, bar[k], (const double[2]){reach - r, reach}, 3 * r);
    }
}

/* A plate on a, over which b glides. */
static void draw_planar(const joint *d)
{
    const double r = d->r, wide = fmax(5 * r, 0.6 * d->size);
    add_along(d, PART_PLATE, 0, d->axis[0], (const double[2]){-0.4 * r, 0.4 * r}, wide);
    if (d->driven) add_along(d, PART_MOTOR, 1, d->axis[1], (const double[2]){d->below - 1.6 * r, d->above + 1.6 * r}, 2.2 * r);
    double x[3];
    tl_replay_turn(&d->m->frame, d->body[1], d->its->axis2, x);
    const tl_vec3 first = tl_skeleton_in_body(d->m, d->body[0], tl_load3(x)), slide[2] = {first, tl_cross(d->axis[0], first)};
    for (int k = 0; k < 2; k++)
        if (d->its->sprung >> k & 1)
            tl_skeleton_add(d->m, PART_SPRING, d->owner, (tl_spot){d->body[0], tl_sub(d->at[0], tl_scale(wide, slide[k]))}, (tl_spot){d->body[1], d->at[1]},
                            2 * r);
    if (d->its->sprung >> 2 & 1) add_along(d, PART_SPIRAL, 1, d->axis[1], (const double[2]){d->above, d->above + r}, 3.5 * r);
}

/* Seen from b, towards a. */
static void draw_fixed(const joint *d)
{
    const tl_replay_frame *f = &d->m->frame;
    static const double ORIGIN[3] = {0, 0, 0};
    double a[3], b[3];
    tl_replay_to_world(f, d->body[0], d->body[0] < 0 ? d->its->point[0] : ORIGIN, a);
    tl_replay_to_world(f, d->body[1], ORIGIN, b);
    const tl_vec3 way = tl_sub(tl_load3(a), tl_load3(b));
    const tl_vec3 u = tl_norm(way) > 0 ? tl_normalize(tl_skeleton_in_body(d->m, d->body[1], way)) : d->axis[1];
    add_along(d, PART_WELD, 1, u, (const double[2]){-0.7 * d->r, 0.7 * d->r}, fmax(2.2 * d->r, d->bulge));
}

/* From a joint outside of a body to the body. */
static void draw_arms(const joint *d)
{
    for (int k = 0; k < 2; k++) {
        const int body = d->body[k];
        tl_vec3 to = {0};
        if (!moves(d->m, body) || d->m->run->body[body].link || depth_in(d->m, body, d->at[k]) > -1e-3 * d->size) continue;
        if (d->m->shaped[body] ? tl_skeleton_nearest(d->m, body, d->at[k], &to) : tl_norm(d->at[k]) > 0)
            tl_skeleton_add_on(d->m, PART_BAR, body, d->at[k], to, d->r);
        if (!d->m->shaped[body]) tl_skeleton_add_on(d->m, PART_BALL, body, to, to, 3 * d->r);
    }
}

void tl_skeleton_body_joint(tl_skeleton_maker *m, int index)
{
    const joint d = look_at(m, index);
    draw_arms(&d);
    if (tl_skeleton_body_joint_slides(d.its)) draw_slide(&d);
    else if (is(d.its, "revolute")) draw_revolute(&d);
    else if (is(d.its, "universal")) draw_universal(&d);
    else if (is(d.its, "planar")) draw_planar(&d);
    else if (is(d.its, "fixed")) draw_fixed(&d);
    else if (is(d.its, "distance")) tl_skeleton_add(m, PART_STRUT, d.owner, (tl_spot){d.body[0], d.at[0]}, (tl_spot){d.body[1], d.at[1]}, 0.7 * d.r);
    else draw_ball(&d);
}

/* ---- pulleys ----------------------------------------------------------------------------------------------------------------- */

/* A wheel in the plane of the two spans that meet there. */
void tl_skeleton_pulley(tl_skeleton_maker *m, int index)
{
    const tl_replay_joint *j = &m->run->joint[index];
    double end[3][3];
    if (index + 1 >= m->run->joints || j->body[1] < 0) return;
    const tl_replay_joint *next = &m->run->joint[index + 1];
    tl_replay_to_world(&m->frame, j->body[0], j->point[0], end[0]);
    tl_replay_to_world(&m->frame, j->body[1], j->point[1], end[1]);
    tl_replay_to_world(&m->frame, next->body[1], next->point[1], end[2]);
    const tl_vec3 at = tl_load3(j->point[1]), from = tl_sub(tl_load3(end[0]), tl_load3(end[1])), to = tl_sub(tl_load3(end[2]), tl_load3(end[1]));
    tl_vec3 axis = tl_cross(from, to), across, other;
    if (!(tl_norm(axis) > 1e-6 * tl_norm(from) * tl_norm(to))) tl_tangents(tl_normalize(from), &axis, &across);
    if (m->run->dimension == 2) axis = tl_v3(0, 0, 1);
    other = tl_skeleton_in_body(m, j->body[1], tl_normalize(axis));
    const double radius = fmin(2.5 * m->thin, 0.3 * fmin(tl_norm(from), tl_norm(to)));
    tl_skeleton_add_on(m, PART_WHEEL, j->body[1], tl_sub(at, tl_scale(0.3 * radius, other)), tl_add(at, tl_scale(0.3 * radius, other)), radius);
    tl_skeleton_add_on(m, PART_PIN, j->body[1], tl_sub(at, tl_scale(0.45 * radius, other)), tl_add(at, tl_scale(0.45 * radius, other)), 0.35 * radius);
}
