/* Planar rigid bodies: M dv = f dt + H dI with a diagonal M (D20 eq. 1, theory §4.1).
 *
 * The solver works on grain–grain contacts directly on these arrays; the table of operations serves contacts between a grain and
 * another kind of matter. Its velocity vector is tl_twist2[n], three numbers a body. */
#include "matter/grains2.h"

#include <string.h>

enum { ARRAYS = 12 };

static talus_status grow(tl_grains2 *g, int need)
{
    void *const arrays[ARRAYS] = {&g->kind,   &g->mass, &g->inertia, &g->inverse_mass, &g->inverse_inertia, &g->origin, &g->start,
                                  &g->motion, &g->q,    &g->v,       &g->q_m,          &g->q_next};
    const size_t size[ARRAYS] = {
        sizeof *g->kind,   sizeof *g->mass, sizeof *g->inertia, sizeof *g->inverse_mass, sizeof *g->inverse_inertia, sizeof *g->origin, sizeof *g->start,
        sizeof *g->motion, sizeof *g->q,    sizeof *g->v,       sizeof *g->q_m,          sizeof *g->q_next};
    for (int i = 0; i < ARRAYS; i++) TL_TRY(tl_grow(g->matter.memory, arrays[i], &g->capacities[i], need, size[i]));
    TL_TRY(tl_grow(g->matter.memory, &g->v_free, &g->capacities[ARRAYS], need, sizeof *g->v_free));
    return TALUS_OK;
}

int tl_grains2_add(tl_grains2 *g)
{
    if (grow(g, g->n + 1) != TALUS_OK) return -1;
    const int i = g->n++;
    g->mass[i] = g->inertia[i] = g->inverse_mass[i] = g->inverse_inertia[i] = 1;
    g->matter.nv = 3 * g->n;
    g->matter.v_free = &g->v_free[0].x;
    return i;
}

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

void tl_grains2_settle_kind(tl_grains2 *g, int i)
{
    const bool moves = g->kind[i] == TALUS_BODY_FREE;
    g->inverse_mass[i] = moves ? 1 / g->mass[i] : 0;
    g->inverse_inertia[i] = moves && g->inertia[i] > 0 ? 1 / g->inertia[i] : 0;
}

void tl_grains2_place_boundaries(tl_grains2 *g, double t)
{
    for (int i = 0; i < g->n; i++)
        if (g->kind[i] != TALUS_BODY_FREE) boundary_at(g, i, t, &g->q[i], &g->v[i]);
}

static void add_loads(tl_grains2 *g, double t, double h)
{
    for (int k = 0; k < g->load_count; k++) {
        const tl_load2 *load = &g->loads[k];
        const int i = load->body;
        const tl_pose2 turn = tl_pose2_at(0, 0, g->q_m[i].w);
        tl_vec2 force = tl_v2(tl_motion_value(&load->force[0], t), tl_motion_value(&load->force[1], t));
        if (load->follows_body) force = tl_rotate2(&turn, force);
        const double torque = tl_motion_value(&load->torque, t) + tl_cross2(tl_rotate2(&turn, tl_add2(g->origin[i], load->point)), force);
        g->v_free[i].x += h * force.x * g->inverse_mass[i];
        g->v_free[i].y += h * force.y * g->inverse_mass[i];
        g->v_free[i].w += h * torque * g->inverse_inertia[i];
    }
}

typedef struct step_task {
    tl_grains2 *g;
    const tl_step *step;
    const tl_move *move;
} step_task;

static void place_range(void *context, int begin, int end, int worker)
{
    const step_task *task = context;
    tl_grains2 *g = task->g;
    const double span = task->move->span;
    const tl_twist2 *velocity = task->move->v ? (const tl_twist2 *)task->move->v : g->v;
    (void)worker;
    for (int i = begin; i < end; i++) {
        const tl_twist2 q = g->q[i], v = velocity[i];
        tl_twist2 unused;
        if (g->kind[i] == TALUS_BODY_FREE) g->q_m[i] = (tl_twist2){q.x + span * v.x, q.y + span * v.y, q.w + span * v.w};
        else boundary_at(g, i, task->move->t, &g->q_m[i], &unused);
    }
}

static talus_status grains_place(tl_matter *matter, tl_step *step, const tl_move *move)
{
    tl_grains2 *g = (tl_grains2 *)matter;
    step_task task = {g, step, move};
    tl_parallel_for(step->threads, g->n, 4096, place_range, &task);
    g->in_step = true;
    return TALUS_OK;
}

static void free_range(void *context, int begin, int end, int worker)
{
    const step_task *task = context;
    tl_grains2 *g = task->g;
    const tl_step *step = task->step;
    const double h = step->h;
    (void)worker;
    for (int i = begin; i < end; i++) {
        const tl_twist2 v = g->v[i];
        if (g->kind[i] == TALUS_BODY_FREE) g->v_free[i] = (tl_twist2){v.x + h * step->gravity[0], v.y + h * step->gravity[1], v.w};
        else boundary_at(g, i, step->t + h, &g->q_next[i], &g->v_free[i]);
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

static void grains_start_velocity(const tl_matter *matter, double *v)
{
    const tl_grains2 *g = (const tl_grains2 *)matter;
    if (g->n > 0) memcpy(v, g->v, (size_t)g->n * sizeof *g->v);
}

static talus_status grains_free_velocity(tl_matter *matter, tl_step *step, double theta)
{
    tl_grains2 *g = (tl_grains2 *)matter;
    step_task task = {.g = g, .step = step};
    tl_parallel_for(step->threads, g->n, 4096, free_range, &task);
    add_loads(g, step->t + (1 - theta) * step->h, step->h);
    return check_given(g, step);
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

static talus_status grains_bind(tl_matter *matter, tl_step *step, tl_port *ports, int n)
{
    (void)matter, (void)step, (void)ports, (void)n; /* a row of H is written down in three products: nothing to prepare */
    return TALUS_OK;
}

static void point_velocity(const tl_grains2 *g, const tl_port *port, tl_twist2 v, double V[3])
{
    const double rx = port->x[0] - g->q_m[port->item].x, ry = port->x[1] - g->q_m[port->item].y;
    const double vx = v.x - v.w * ry, vy = v.y + v.w * rx;
    for (int k = 0; k < 2; k++) V[k] = port->axes[k][0] * vx + port->axes[k][1] * vy;
    V[2] = 0;
}

static void grains_velocity(const tl_matter *matter, const tl_port *port, const double *v, bool imposed, double V[3])
{
    const tl_grains2 *g = (const tl_grains2 *)matter;
    const int i = port->item;
    if (g->kind[i] == TALUS_BODY_FREE) point_velocity(g, port, (tl_twist2){v[3 * i], v[3 * i + 1], v[3 * i + 2]}, V);
    else point_velocity(g, port, imposed ? g->v_free[i] : (tl_twist2){0, 0, 0}, V);
}

static void grains_velocity_before(const tl_matter *matter, const tl_port *port, double V[3])
{
    const tl_grains2 *g = (const tl_grains2 *)matter;
    point_velocity(g, port, g->v[port->item], V);
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

static void grains_accumulate(tl_matter *matter, const tl_port *port, const double I[3])
{
    (void)matter, (void)port, (void)I; /* a grain has no joint reactions */
}

typedef struct arrive_task {
    tl_grains2 *g;
    double h, late;
    const tl_twist2 *v, *w;
} arrive_task;

static void arrive_range(void *context, int begin, int end, int worker)
{
    const arrive_task *task = context;
    tl_grains2 *g = task->g;
    const double h = task->h, late = task->late;
    (void)worker;
    for (int i = begin; i < end; i++) {
        if (g->kind[i] != TALUS_BODY_FREE) continue; /* it is there */
        const tl_twist2 v = task->v[i], q = g->q_m[i];
        g->v_free[i] = v;
        g->q_next[i] = (tl_twist2){q.x + late * v.x, q.y + late * v.y, q.w + late * v.w};
        if (task->w) {
            const tl_twist2 w = task->w[i];
            g->q_next[i].x += h * w.x, g->q_next[i].y += h * w.y, g->q_next[i].w += h * w.w;
        }
    }
}

static talus_status grains_arrive(tl_matter *matter, tl_step *step, double theta, const double *v, const double *w)
{
    tl_grains2 *g = (tl_grains2 *)matter;
    arrive_task task = {g, step->h, theta * step->h, (const tl_twist2 *)v, (const tl_twist2 *)w};
    tl_parallel_for(step->threads, g->n, 4096, arrive_range, &task);
    for (int i = 0; i < g->n; i++) {
        const tl_twist2 q = g->q_next[i], u = g->v_free[i];
        if (!isfinite(q.x + q.y + q.w + u.x + u.y + u.w)) return tl_fail(step->error, TALUS_DIVERGED, "%d", i); /* the world names it */
    }
    return TALUS_OK;
}

static void grains_commit(tl_matter *matter, const tl_step *step)
{
    tl_grains2 *g = (tl_grains2 *)matter;
    (void)step;
    tl_twist2 *old_q = g->q, *old_v = g->v;
    g->q = g->q_next;
    g->q_next = old_q;
    g->v = g->v_free;
    g->v_free = old_v;
    g->matter.v_free = g->v_free ? &g->v_free[0].x : NULL;
    g->in_step = false;
}

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

static tl_mass grains_mass(const tl_matter *matter, int i)
{
    const tl_grains2 *g = (const tl_grains2 *)matter;
    tl_mass out = {0};
    if (g->kind[i] == TALUS_BODY_FIXED || g->kind[i] == TALUS_BODY_IMPOSED) return out;
    out.mass = g->mass[i];
    out.inertia.m[2][2] = g->inertia[i];
    return out;
}

static void grains_motion(const tl_matter *matter, int i, tl_vec3 point, tl_vec3 *velocity, tl_vec3 *spin)
{
    const tl_grains2 *g = (const tl_grains2 *)matter;
    const tl_pose2 pose = tl_grains2_pose(g, i);
    const tl_vec2 r = tl_rotate2(&pose, tl_v2(point.x, point.y));
    *velocity = tl_v3(g->v[i].x - g->v[i].w * r.y, g->v[i].y + g->v[i].w * r.x, 0);
    *spin = tl_v3(0, 0, g->v[i].w);
}

static double grains_angle(const tl_matter *matter, int i) { return ((const tl_grains2 *)matter)->q[i].w; }

static talus_status grains_add_load(tl_matter *matter, int item, const talus_load_def *def, tl_error *error)
{
    tl_grains2 *g = (tl_grains2 *)matter;
    if (tl_grow(matter->memory, &g->loads, &g->load_capacity, g->load_count + 1, sizeof *g->loads) != TALUS_OK)
        return tl_fail(error, TALUS_MEMORY, "no memory for a load");
    g->loads[g->load_count++] = (tl_load2){.body = item,
                                           .point = {def->point[0], def->point[1]},
                                           .follows_body = def->follows_body,
                                           .force = {def->force[0], def->force[1]},
                                           .torque = def->torque};
    return TALUS_OK;
}

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
    const int count = (int)(sizeof list / sizeof *list) - (g->changes ? 0 : 2);
    for (int i = 0; i < count && i < capacity; i++) fields[i] = list[i];
    return count;
}

static talus_status grains_restored(tl_matter *matter, tl_error *error)
{
    tl_grains2 *g = (tl_grains2 *)matter;
    (void)error;
    g->in_step = false;
    for (int i = 0; g->changes && i < g->n; i++) tl_grains2_settle_kind(g, i);
    return TALUS_OK;
}

static void grains_destroy(tl_matter *matter)
{
    tl_grains2 *g = (tl_grains2 *)matter;
    const tl_memory memory = matter->memory;
    void *const arrays[] = {g->kind,  g->mass, g->inertia, g->inverse_mass, g->inverse_inertia, g->origin, g->start,     g->motion,
                            g->loads, g->q,    g->v,       g->q_m,          g->q_next,          g->v_free, g->capacities};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) tl_free(memory, arrays[i]);
    tl_free(memory, g);
}

static const tl_matter_ops GRAINS2 = {
    .kind = "grains",
    .part = "grain",
    .start_velocity = grains_start_velocity,
    .place = grains_place,
    .free_velocity = grains_free_velocity,
    .acceleration = grains_acceleration,
    .bind = grains_bind,
    .velocity = grains_velocity,
    .impulse = grains_impulse,
    .velocity_before = grains_velocity_before,
    .accumulate = grains_accumulate,
    .arrive = grains_arrive,
    .commit = grains_commit,
    .frame = grains_frame,
    .user_axes = grains_user_axes,
    .body_mass = grains_mass,
    .body_motion = grains_motion,
    .body_angle = grains_angle,
    .add_load = grains_add_load,
    .energy = grains_energy,
    .fields = grains_fields,
    .restored = grains_restored,
    .destroy = grains_destroy,
};

tl_grains2 *tl_grains2_create(tl_memory memory)
{
    tl_grains2 *g = tl_alloc(memory, 1, sizeof *g);
    if (!g) return NULL;
    g->matter = (tl_matter){.ops = &GRAINS2, .memory = memory};
    g->capacities = tl_alloc(memory, ARRAYS + 1, sizeof *g->capacities);
    if (!g->capacities) {
        tl_free(memory, g);
        return NULL;
    }
    return g;
}
