/* Planar rigid bodies: what grains_matter.h does not know. */
#include "matter/grains2.h"

typedef tl_grains2 grains;
typedef tl_twist2 placement, twist;
#define GRAINS_REFINE NULL /* no force of theirs depends on their velocity */
#define GRAINS_ANGLE  grains_angle

static double grains_angle(const tl_matter *, int i);

#include "matter/grains_matter.h"

static int arrays_of(tl_grains2 *g, array list[MOST_ARRAYS])
{
    const array all[] = {{&g->kind, sizeof *g->kind},
                         {&g->mass, sizeof *g->mass},
                         {&g->inertia, sizeof *g->inertia},
                         {&g->inverse_mass, sizeof *g->inverse_mass},
                         {&g->inverse_inertia, sizeof *g->inverse_inertia},
                         {&g->origin, sizeof *g->origin},
                         {&g->start, sizeof *g->start},
                         {&g->motion, sizeof *g->motion},
                         {&g->q, sizeof *g->q},
                         {&g->v, sizeof *g->v},
                         {&g->q_m, sizeof *g->q_m},
                         {&g->q_next, sizeof *g->q_next},
                         {&g->v_free, sizeof *g->v_free}};
    memcpy(list, all, sizeof all);
    return (int)(sizeof all / sizeof *all);
}

tl_grains2 *tl_grains2_create(tl_memory memory) { return create(memory); }

talus_status tl_grains2_fit(tl_grains2 *g) { return fit_arrays(g); }

int tl_grains2_add(tl_grains2 *g)
{
    const int i = add_body(g);
    if (i >= 0) g->inertia[i] = g->inverse_inertia[i] = 1;
    return i;
}

/* ---- placements ----------------------------------------------------------------------------------------------------- */

static tl_twist2 motion_at(const tl_grains2 *g, int i, double t, tl_twist2 *rate)
{
    *rate = (tl_twist2){0, 0, 0};
    if (g->kind[i] != TALUS_BODY_IMPOSED) return *rate;
    return (tl_twist2){tl_motion_at(&g->motion[i][0], t, &rate->x), tl_motion_at(&g->motion[i][1], t, &rate->y), tl_motion_at(&g->motion[i][2], t, &rate->w)};
}

/* A boundary's placement and velocity at time t. The motion moves the user's origin; q is the centre of mass. */
static void boundary_at(const tl_grains2 *g, int i, double t, tl_twist2 *q, tl_twist2 *v)
{
    tl_twist2 rate;
    const tl_twist2 way = motion_at(g, i, t, &rate);
    q->x = g->start[i].x + way.x;
    q->y = g->start[i].y + way.y;
    q->w = g->start[i].w + way.w;
    const tl_pose2 turn = tl_pose2_at(0, 0, q->w);
    const tl_vec2 arm = tl_rotate2(&turn, tl_scale2(-1, g->origin[i]));
    q->x += arm.x;
    q->y += arm.y;
    *v = (tl_twist2){rate.x - rate.w * arm.y, rate.y + rate.w * arm.x, rate.w};
}

void tl_grains2_start_here(tl_grains2 *g, int i, double t)
{
    tl_twist2 rate, unchanged;
    const tl_twist2 way = motion_at(g, i, t, &rate);
    const tl_pose2 turn = tl_pose2_at(0, 0, g->q[i].w);
    const tl_vec2 arm = tl_rotate2(&turn, g->origin[i]);
    g->start[i] = (tl_twist2){g->q[i].x + arm.x - way.x, g->q[i].y + arm.y - way.y, g->q[i].w - way.w};
    boundary_at(g, i, t, &unchanged, &g->v[i]);
}

static void settle_kind(tl_grains2 *g, int i)
{
    const bool moves = g->kind[i] == TALUS_BODY_FREE;
    g->inverse_mass[i] = moves ? 1 / g->mass[i] : 0;
    g->inverse_inertia[i] = moves && g->inertia[i] > 0 ? 1 / g->inertia[i] : 0;
}

void tl_grains2_settle_kind(tl_grains2 *g, int i) { settle_kind(g, i); }

void tl_grains2_resist(tl_grains2 *g, int i, double more)
{
    if (g->kind[i] == TALUS_BODY_FREE && g->inertia[i] > 0) g->inverse_inertia[i] = 1 / (g->inertia[i] + more);
}

void tl_grains2_place_boundaries(tl_grains2 *g, double t) { place_boundaries(g, t); }

static bool is_finite(const tl_twist2 *q, const tl_twist2 *v) { return isfinite(q->x + q->y + q->w + v->x + v->y + v->w); }

static void place_body(tl_grains2 *g, int i, const tl_move *move, const tl_twist2 *v)
{
    const tl_twist2 q = g->q[i];
    tl_twist2 unused;
    if (g->kind[i] == TALUS_BODY_FREE) g->q_m[i] = (tl_twist2){q.x + move->span * v->x, q.y + move->span * v->y, q.w + move->span * v->w};
    else boundary_at(g, i, move->t, &g->q_m[i], &unused);
}

static tl_twist2 falling(const tl_step *step, const tl_twist2 *v)
{
    return (tl_twist2){v->x + step->h * step->gravity[0], v->y + step->h * step->gravity[1], v->w};
}

/* ---- the step ------------------------------------------------------------------------------------------------------- */

static void add_loads(tl_grains2 *g, double t, double h)
{
    for (int k = 0; k < g->load_count; k++) {
        const tl_grain_load *load = &g->loads[k];
        const int i = load->body;
        const tl_pose2 turn = tl_pose2_at(0, 0, g->q_m[i].w);
        tl_vec2 force = tl_v2(tl_motion_value(&load->force[0], t), tl_motion_value(&load->force[1], t));
        if (load->follows_body) force = tl_rotate2(&turn, force);
        const double torque =
            tl_motion_value(&load->torque, t) + tl_cross2(tl_rotate2(&turn, tl_add2(g->origin[i], tl_v2(load->point.x, load->point.y))), force);
        g->v_free[i].x += h * force.x * g->inverse_mass[i];
        g->v_free[i].y += h * force.y * g->inverse_mass[i];
        g->v_free[i].w += h * torque * g->inverse_inertia[i];
    }
}

/* What the user's functions gave, before it spreads through contacts to bodies that are not to blame. */
static talus_status check_given(const tl_grains2 *g, tl_step *step)
{
    int wrong = -1;
    for (int i = 0; i < g->n && wrong < 0; i++) {
        if (g->kind[i] == TALUS_BODY_FREE) continue;
        const tl_twist2 q = g->q_m[i], next = g->q_next[i], u = g->v_free[i];
        if (!isfinite(q.x + q.y + q.w + next.x + next.y + next.w + u.x + u.y + u.w)) wrong = i;
    }
    for (int k = 0; k < g->load_count && wrong < 0; k++) {
        const tl_twist2 u = g->v_free[g->loads[k].body];
        if (!isfinite(u.x + u.y + u.w)) wrong = g->loads[k].body;
    }
    return wrong < 0 ? TALUS_OK : tl_fail(step->error, TALUS_DIVERGED, "%d", wrong); /* the world names it */
}

static talus_status grains_free_velocity(tl_matter *matter, tl_step *step, double theta)
{
    fall((tl_grains2 *)matter, step, theta);
    return check_given((tl_grains2 *)matter, step);
}

/* Loads are added to v_free, which then is for those who look how fast it is. */
static talus_status grains_acceleration(tl_matter *matter, tl_step *step, double t, const double *v, double *a)
{
    tl_grains2 *g = (tl_grains2 *)matter;
    tl_twist2 *out = (tl_twist2 *)a;
    for (int i = 0; i < g->n; i++) g->v_free[i] = g->kind[i] == TALUS_BODY_FREE ? (tl_twist2){step->gravity[0], step->gravity[1], 0} : (tl_twist2){0, 0, 0};
    add_loads(g, t, 1);
    for (int i = 0; i < g->n; i++) {
        out[i] = g->v_free[i];
        if (g->kind[i] == TALUS_BODY_FREE) g->v_free[i] = ((const tl_twist2 *)v)[i];
        else boundary_at(g, i, t, &g->q_next[i], &g->v_free[i]);
    }
    return check_given(g, step);
}

static void point_velocity(const tl_grains2 *g, const tl_port *port, const tl_twist2 *v, double V[3])
{
    const double rx = port->x[0] - g->q_m[port->item].x, ry = port->x[1] - g->q_m[port->item].y;
    const double vx = v->x - v->w * ry, vy = v->y + v->w * rx;
    for (int k = 0; k < 2; k++) V[k] = port->axes[k][0] * vx + port->axes[k][1] * vy;
    V[2] = 0;
}

static void grains_impulse(const tl_matter *matter, const tl_port *port, const double I[3], double *v)
{
    const tl_grains2 *g = (const tl_grains2 *)matter;
    const int i = port->item;
    const double px = port->axes[0][0] * I[0] + port->axes[1][0] * I[1], py = port->axes[0][1] * I[0] + port->axes[1][1] * I[1];
    const double rx = port->x[0] - g->q_m[i].x, ry = port->x[1] - g->q_m[i].y;
    v[3 * i] += g->inverse_mass[i] * px;
    v[3 * i + 1] += g->inverse_mass[i] * py;
    v[3 * i + 2] += g->inverse_inertia[i] * (rx * py - ry * px);
}

static tl_twist2 arrived(const arrival *to, int i)
{
    const tl_twist2 v = to->v[i], q = to->g->q_m[i], w = to->w ? to->w[i] : (tl_twist2){0, 0, 0};
    const tl_twist2 next = {q.x + to->late * v.x, q.y + to->late * v.y, q.w + to->late * v.w};
    return to->w ? (tl_twist2){next.x + to->h * w.x, next.y + to->h * w.y, next.w + to->h * w.w} : next;
}

/* ---- reading -------------------------------------------------------------------------------------------------------- */

tl_pose2 tl_grains2_pose(const tl_grains2 *g, int body)
{
    const tl_twist2 q = g->in_step ? g->q_m[body] : g->q[body];
    return tl_pose2_at(q.x, q.y, q.w);
}

static tl_frame grains_frame(const tl_matter *matter, int item)
{
    const tl_pose2 p = tl_grains2_pose((const tl_grains2 *)matter, item);
    return (tl_frame){tl_v3(p.x, p.y, 0), {{{p.c, -p.s, 0}, {p.s, p.c, 0}, {0, 0, 1}}}};
}

static tl_frame grains_user_axes(const tl_matter *matter, int item)
{
    const tl_vec2 origin = ((const tl_grains2 *)matter)->origin[item];
    return (tl_frame){tl_v3(origin.x, origin.y, 0), tl_mat3_identity()};
}

static tl_mat3 inertia_of(const tl_grains2 *g, int i) { return (tl_mat3){.m[2][2] = g->inertia[i]}; }

static void grains_motion(const tl_matter *matter, int i, tl_vec3 point, tl_vec3 *velocity, tl_vec3 *spin)
{
    const tl_grains2 *g = (const tl_grains2 *)matter;
    const tl_pose2 pose = tl_grains2_pose(g, i);
    const tl_vec2 r = tl_rotate2(&pose, tl_v2(point.x, point.y));
    *velocity = tl_v3(g->v[i].x - g->v[i].w * r.y, g->v[i].y + g->v[i].w * r.x, 0);
    *spin = tl_v3(0, 0, g->v[i].w);
}

static double grains_angle(const tl_matter *matter, int i) { return ((const tl_grains2 *)matter)->q[i].w; }

static void grains_energy(const tl_matter *matter, const double gravity[3], double *kinetic, double *potential)
{
    const tl_grains2 *g = (const tl_grains2 *)matter;
    *kinetic = *potential = 0;
    for (int i = 0; i < g->n; i++) {
        if (g->kind[i] != TALUS_BODY_FREE) continue;
        const tl_twist2 v = g->v[i], q = g->q[i];
        *kinetic += 0.5 * (g->mass[i] * (v.x * v.x + v.y * v.y) + g->inertia[i] * v.w * v.w);
        *potential -= g->mass[i] * (gravity[0] * q.x + gravity[1] * q.y);
    }
}

static int grains_fields(const tl_matter *matter, tl_field *fields, int capacity)
{
    const tl_grains2 *g = (const tl_grains2 *)matter;
    const tl_field list[] = {
        {"position", "m, m, rad", "centre of mass x, y and angle of grains and boundaries", false, g->n, 3, g->q},
        {"velocity", "m/s, m/s, rad/s", "their rates", false, g->n, 3, g->v},
        {"kind", "1", "0 free, 1 fixed, 2 imposed, 3 absent", true, g->n, 1, g->kind},
        {"start", "m, m, rad", "boundaries: origin x, y and angle at zero motion", false, g->n, 3, g->start},
    };
    return tl_fields_say(list, (int)(sizeof list / sizeof *list) - (g->changes ? 0 : 2), fields, capacity);
}
