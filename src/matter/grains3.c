/* Spatial rigid bodies: what grains_matter.h does not know. */
#include "matter/grains3.h"

typedef tl_grains3 grains;
typedef tl_pose3 placement;
typedef tl_twist3 twist;
#define GRAINS_REFINE grains_refine
#define GRAINS_ANGLE  NULL

static double grains_refine(tl_matter *, tl_step *, const double *v, bool apply);

#include "matter/grains_matter.h"

static int arrays_of(tl_grains3 *g, array list[MOST_ARRAYS])
{
    const array all[] = {{&g->kind, sizeof *g->kind},
                         {&g->mass, sizeof *g->mass},
                         {&g->inertia, sizeof *g->inertia},
                         {&g->inverse_mass, sizeof *g->inverse_mass},
                         {&g->inverse_inertia, sizeof *g->inverse_inertia},
                         {&g->user, sizeof *g->user},
                         {&g->boundary, sizeof *g->boundary},
                         {&g->course, sizeof *g->course},
                         {&g->start, sizeof *g->start},
                         {&g->q, sizeof *g->q},
                         {&g->v, sizeof *g->v},
                         {&g->q_m, sizeof *g->q_m},
                         {&g->q_next, sizeof *g->q_next},
                         {&g->frame_m, sizeof *g->frame_m},
                         {&g->v_free, sizeof *g->v_free},
                         {&g->gyration, sizeof *g->gyration},
                         {&g->foreseen, sizeof *g->foreseen}};
    memcpy(list, all, sizeof all);
    return (int)(sizeof all / sizeof *all);
}

tl_grains3 *tl_grains3_create(tl_memory memory) { return create(memory); }

static const tl_pose3 NOWHERE = {{0, 0, 0}, {1, 0, 0, 0}};

/* Most bodies are free, and have no course. */
talus_status tl_grains3_fit(tl_grains3 *g)
{
    array list[MOST_ARRAYS];
    const int arrays = arrays_of(g, list);
    int boundaries = 0;
    TL_TRY(fit_arrays(g));
    if (g->changes) return TALUS_OK;
    for (int i = 0; i < g->n; i++) {
        if (g->kind[i] == TALUS_BODY_FREE) continue;
        g->course[boundaries] = g->course[i], g->start[boundaries] = g->start[i];
        g->boundary[i] = boundaries++;
    }
    for (int i = 0; i < arrays; i++)
        if (list[i].at == &g->course || list[i].at == &g->start) TL_TRY(tl_fit(g->matter.memory, list[i].at, &g->capacity[i], boundaries, list[i].size));
    return TALUS_OK;
}

int tl_grains3_add(tl_grains3 *g)
{
    const int i = add_body(g);
    if (i < 0) return i;
    g->inertia[i] = g->inverse_inertia[i] = tl_v3(1, 1, 1);
    g->user[i] = g->q[i] = g->start[i] = NOWHERE;
    g->course[i].axis = tl_v3(0, 0, 1);
    g->boundary[i] = i;
    return i;
}

/* ---- placements ----------------------------------------------------------------------------------------------------- */

static tl_frame as_frame(const tl_pose3 *pose) { return (tl_frame){pose->p, tl_mat3_from_quat(pose->q)}; }

static tl_quat inverse(tl_quat q) { return (tl_quat){q.w, -q.x, -q.y, -q.z}; }

/* Displacement and turn of an imposed body, and their rates. */
static double motion_at(const tl_grains3 *g, int i, double t, tl_vec3 *way, tl_vec3 *rate, double *spin)
{
    const tl_course3 *c = tl_grains3_course(g, i);
    *way = *rate = tl_v3(0, 0, 0);
    *spin = 0;
    if (g->kind[i] != TALUS_BODY_IMPOSED) return 0;
    *way =
        tl_v3(tl_motion_at(&c->displacement[0], t, &rate->x), tl_motion_at(&c->displacement[1], t, &rate->y), tl_motion_at(&c->displacement[2], t, &rate->z));
    return tl_motion_at(&c->turn, t, spin);
}

/* A boundary's placement and velocity at time t, from those of the user's axes. */
static void boundary_at(const tl_grains3 *g, int i, double t, tl_pose3 *q, tl_twist3 *v)
{
    const tl_course3 *c = tl_grains3_course(g, i);
    const tl_pose3 *start = &g->start[g->boundary[i]];
    tl_vec3 rate, way;
    double spin;
    const double angle = motion_at(g, i, t, &way, &rate, &spin);
    const tl_quat user = tl_quat_mul(tl_quat_exp(tl_scale(angle, c->axis)), start->q);
    q->q = tl_quat_normalize(tl_quat_mul(user, inverse(g->user[i].q)));
    const tl_mat3 R = tl_mat3_from_quat(q->q);
    const tl_vec3 arm = tl_mat3_apply(&R, tl_scale(-1, g->user[i].p)), omega = tl_scale(spin, c->axis);
    q->p = tl_add(tl_add(start->p, way), arm);
    *v = (tl_twist3){tl_add(rate, tl_cross(omega, arm)), tl_mat3_apply_t(&R, omega)};
}

void tl_grains3_start_here(tl_grains3 *g, int i, double t)
{
    tl_vec3 way, rate;
    tl_pose3 unchanged, *start = &g->start[g->boundary[i]];
    double spin;
    const double angle = motion_at(g, i, t, &way, &rate, &spin);
    const tl_mat3 R = tl_mat3_from_quat(g->q[i].q);
    start->p = tl_sub(tl_add(g->q[i].p, tl_mat3_apply(&R, g->user[i].p)), way);
    start->q = tl_quat_normalize(tl_quat_mul(tl_quat_exp(tl_scale(-angle, tl_grains3_course(g, i)->axis)), tl_quat_mul(g->q[i].q, g->user[i].q)));
    boundary_at(g, i, t, &unchanged, &g->v[i]);
}

static double inverse_of(double x) { return x > 0 ? 1 / x : 0; }

static void settle_kind(tl_grains3 *g, int i)
{
    const bool moves = g->kind[i] == TALUS_BODY_FREE;
    const tl_vec3 J = g->inertia[i];
    g->inverse_mass[i] = moves ? 1 / g->mass[i] : 0;
    g->inverse_inertia[i] = moves ? tl_v3(inverse_of(J.x), inverse_of(J.y), inverse_of(J.z)) : tl_v3(0, 0, 0);
}

void tl_grains3_settle_kind(tl_grains3 *g, int i) { settle_kind(g, i); }

void tl_grains3_resist(tl_grains3 *g, int i, tl_vec3 more)
{
    const tl_vec3 J = tl_add(g->inertia[i], more);
    if (g->kind[i] == TALUS_BODY_FREE) g->inverse_inertia[i] = tl_v3(inverse_of(J.x), inverse_of(J.y), inverse_of(J.z));
}

void tl_grains3_place_boundaries(tl_grains3 *g, double t) { place_boundaries(g, t); }

tl_frame tl_grains3_frame(const tl_grains3 *g, int body) { return g->in_step ? g->frame_m[body] : as_frame(&g->q[body]); }

static tl_pose3 moved(const tl_pose3 *q, tl_vec3 way, tl_vec3 turn)
{
    return (tl_pose3){tl_add(q->p, way), tl_quat_normalize(tl_quat_mul(q->q, tl_quat_exp(turn)))};
}

static void place_body(tl_grains3 *g, int i, const tl_move *move, const tl_twist3 *v)
{
    tl_twist3 unused;
    if (g->kind[i] == TALUS_BODY_FREE) g->q_m[i] = moved(&g->q[i], tl_scale(move->span, v->v), tl_scale(move->span, v->w));
    else boundary_at(g, i, move->t, &g->q_m[i], &unused);
    g->frame_m[i] = as_frame(&g->q_m[i]);
}

static tl_twist3 falling(const tl_step *step, const tl_twist3 *v) { return (tl_twist3){tl_add(v->v, tl_scale(step->h, tl_load3(step->gravity))), v->w}; }

/* ---- the step ------------------------------------------------------------------------------------------------------- */

static tl_vec3 product(tl_vec3 a, tl_vec3 b) { return tl_v3(a.x * b.x, a.y * b.y, a.z * b.z); }
static bool finite3(tl_vec3 a) { return isfinite(a.x + a.y + a.z); }

static bool is_round(tl_vec3 J) { return J.x == J.y && J.y == J.z; }

tl_vec3 tl_grains3_spin(tl_vec3 J, tl_vec3 inverse_J, tl_vec3 w, tl_vec3 change, double h, int passes)
{
    enum { NEWTON = 8 };
    if (is_round(J)) return tl_add(w, change);
    if (passes == 0) return tl_add(tl_sub(w, tl_scale(h, product(inverse_J, tl_cross(w, product(J, w))))), change);
    /* d = w⁺ − w solves r(d) = d − change + h J⁻¹ (w̄ × J w̄) = 0, w̄ = w + d/2, by Newton's method; d = change is near: ω h is small */
    tl_vec3 d = change;
    for (int k = 0; k < NEWTON; k++) {
        const tl_vec3 m = tl_add(w, tl_scale(0.5, d)), Jm = product(J, m), r = tl_add(tl_sub(d, change), tl_scale(h, product(inverse_J, tl_cross(m, Jm))));
        const double a = 0.5 * h * inverse_J.x, b = 0.5 * h * inverse_J.y, c = 0.5 * h * inverse_J.z; /* J⁻¹ ∂(m × J m)/∂m, by components */
        double A[9] = {
            1, a * (J.z - J.y) * m.z, a * (J.z - J.y) * m.y, b * (J.x - J.z) * m.z, 1, b * (J.x - J.z) * m.x, c * (J.y - J.x) * m.y, c * (J.y - J.x) * m.x, 1};
        double x[3] = {-r.x, -r.y, -r.z};
        int pivot[3];
        if (!tl_lu(A, 3, pivot)) break;
        tl_lu_solve(A, pivot, 3, x);
        d = tl_add(d, tl_load3(x));
        if (tl_norm(tl_load3(x)) <= 1e-15 * tl_norm(w)) break;
    }
    return tl_add(w, d);
}

static void add_loads(tl_grains3 *g, double t, double h)
{
    for (int k = 0; k < g->load_count; k++) {
        const tl_grain_load *load = &g->loads[k];
        const int i = load->body;
        const tl_mat3 *R = &g->frame_m[i].R, user = tl_mat3_from_quat(g->user[i].q);
        const tl_vec3 given = {tl_motion_value(&load->force[0], t), tl_motion_value(&load->force[1], t), tl_motion_value(&load->force[2], t)};
        const tl_vec3 force = load->follows_body ? tl_mat3_apply(R, tl_mat3_apply(&user, given)) : given;
        const tl_vec3 arm = tl_add(g->user[i].p, tl_mat3_apply(&user, load->point)); /* principal axes */
        const tl_vec3 about_z = tl_v3(0, 0, tl_motion_value(&load->torque, t));
        const tl_vec3 torque = load->follows_body ? tl_mat3_apply(&user, about_z) : tl_mat3_apply_t(R, about_z);
        const tl_vec3 moment = tl_add(torque, tl_cross(arm, tl_mat3_apply_t(R, force)));
        g->v_free[i].v = tl_add(g->v_free[i].v, tl_scale(h * g->inverse_mass[i], force));
        g->v_free[i].w = tl_add(g->v_free[i].w, tl_scale(h, product(g->inverse_inertia[i], moment)));
    }
}

/* After the loads: their change of the turning is part of the mid-step's. */
static void spin_range(void *context, int begin, int end, int worker)
{
    const step_task *task = context;
    tl_grains3 *g = task->g;
    (void)worker;
    for (int i = begin; i < end; i++) {
        if (g->kind[i] != TALUS_BODY_FREE || is_round(g->inertia[i])) continue;
        const tl_vec3 loaded = g->v_free[i].w, c = tl_sub(loaded, g->v[i].w);
        g->v_free[i].w = tl_grains3_spin(g->inertia[i], g->inverse_inertia[i], g->v[i].w, c, task->step->h, task->step->force_passes);
        g->gyration[i] = tl_sub(g->v_free[i].w, loaded);
        g->foreseen[i] = false;
    }
}

static bool is_finite(const tl_pose3 *q, const tl_twist3 *v)
{
    return finite3(q->p) && isfinite(q->q.w + q->q.x + q->q.y + q->q.z) && finite3(v->v) && finite3(v->w);
}

/* What the user's functions gave, before it spreads through contacts to bodies that are not to blame. */
static talus_status check_given(const tl_grains3 *g, tl_step *step)
{
    for (int i = 0; i < g->n; i++)
        if (!is_finite(&g->q_m[i], &g->v_free[i])) return tl_fail(step->error, TALUS_DIVERGED, "%d", i); /* the world names it */
    return TALUS_OK;
}

static talus_status grains_free_velocity(tl_matter *matter, tl_step *step, double theta)
{
    tl_grains3 *g = (tl_grains3 *)matter;
    fall(g, step, theta);
    tl_parallel_for(step->threads, g->n, SHARE, spin_range, &(step_task){.g = g, .step = step});
    return check_given(g, step);
}

/* Loads are added to v_free, which then is for those who look how fast it is. */
static talus_status grains_acceleration(tl_matter *matter, tl_step *step, double t, const double *v, double *a)
{
    static const tl_twist3 REST = {{0, 0, 0}, {0, 0, 0}};
    tl_grains3 *g = (tl_grains3 *)matter;
    const tl_twist3 *at = (const tl_twist3 *)v;
    tl_twist3 *out = (tl_twist3 *)a;
    for (int i = 0; i < g->n; i++) g->v_free[i] = g->kind[i] == TALUS_BODY_FREE ? (tl_twist3){tl_load3(step->gravity), {0, 0, 0}} : REST;
    add_loads(g, t, 1);
    for (int i = 0; i < g->n; i++) {
        out[i] = g->v_free[i];
        if (g->kind[i] == TALUS_BODY_FREE) {
            out[i].w = tl_sub(out[i].w, product(g->inverse_inertia[i], tl_cross(at[i].w, product(g->inertia[i], at[i].w))));
            g->v_free[i] = at[i];
        } else boundary_at(g, i, t, &g->q_next[i], &g->v_free[i]);
    }
    return check_given(g, step);
}

static tl_vec3 arm_of(const tl_grains3 *g, const tl_port *port) { return tl_sub(tl_load3(port->x), g->frame_m[port->item].p); }

static void point_velocity(const tl_grains3 *g, const tl_port *port, const tl_twist3 *v, double V[3])
{
    const tl_vec3 omega = tl_mat3_apply(&g->frame_m[port->item].R, v->w), u = tl_add(v->v, tl_cross(omega, arm_of(g, port)));
    for (int k = 0; k < 3; k++) V[k] = tl_dot(tl_load3(port->axes[k]), u);
}

static void grains_impulse(const tl_matter *matter, const tl_port *port, const double I[3], double *v)
{
    const tl_grains3 *g = (const tl_grains3 *)matter;
    const int i = port->item;
    tl_twist3 *u = (tl_twist3 *)v + i;
    tl_vec3 P = {0, 0, 0};
    for (int k = 0; k < 3; k++) P = tl_add(P, tl_scale(I[k], tl_load3(port->axes[k])));
    u->v = tl_add(u->v, tl_scale(g->inverse_mass[i], P));
    u->w = tl_add(u->w, product(g->inverse_inertia[i], tl_mat3_apply_t(&g->frame_m[i].R, tl_cross(arm_of(g, port), P))));
}

static double grains_refine(tl_matter *matter, tl_step *step, const double *v, bool apply)
{
    tl_grains3 *g = (tl_grains3 *)matter;
    double change = 0;
    for (int i = 0; step->force_passes > 0 && i < g->n; i++) {
        const tl_vec3 J = g->inertia[i], J_inverse = g->inverse_inertia[i];
        if (g->kind[i] != TALUS_BODY_FREE || is_round(J)) continue;
        const tl_vec3 w = g->v[i].w, end = ((const tl_twist3 *)v)[i].w, free = g->v_free[i].w;
        /* No impulse: predict has seen its turning, unless one was expected. */
        if (!g->foreseen[i] && end.x == free.x && end.y == free.y && end.z == free.z) continue;
        const tl_vec3 mid = tl_scale(0.5, tl_add(w, end));
        const tl_vec3 moment = product(J_inverse, tl_cross(mid, product(J, mid))), off = tl_add(tl_scale(step->h, moment), g->gyration[i]);
        change = fmax(change, tl_norm(off) * sqrt(fmax(J.x, fmax(J.y, J.z)) * g->inverse_mass[i])); /* at the radius of gyration */
        if (!apply) continue;
        const tl_vec3 others = tl_sub(tl_sub(end, w), g->gyration[i]), turned = tl_grains3_spin(J, J_inverse, w, others, step->h, step->force_passes);
        const tl_vec3 gyration = tl_sub(tl_sub(turned, w), others);
        g->v_free[i].w = tl_add(g->v_free[i].w, tl_sub(gyration, g->gyration[i]));
        g->gyration[i] = gyration;
        g->foreseen[i] = true;
    }
    return change;
}

static tl_pose3 arrived(const arrival *to, int i)
{
    const tl_twist3 *v = &to->v[i], *w = to->w ? &to->w[i] : NULL;
    const tl_vec3 way = tl_scale(to->late, v->v), turn = tl_scale(to->late, v->w);
    if (!w) return moved(&to->g->q_m[i], way, turn);
    return moved(&to->g->q_m[i], tl_add(way, tl_scale(to->h, w->v)), tl_add(turn, tl_scale(to->h, w->w)));
}

/* ---- reading -------------------------------------------------------------------------------------------------------- */

static tl_frame grains_frame(const tl_matter *matter, int item) { return tl_grains3_frame((const tl_grains3 *)matter, item); }

static tl_frame grains_user_axes(const tl_matter *matter, int item) { return as_frame(&((const tl_grains3 *)matter)->user[item]); }

static tl_mat3 inertia_of(const tl_grains3 *g, int i)
{
    const tl_vec3 J = g->inertia[i];
    return (tl_mat3){{{J.x, 0, 0}, {0, J.y, 0}, {0, 0, J.z}}};
}

static void grains_motion(const tl_matter *matter, int i, tl_vec3 point, tl_vec3 *velocity, tl_vec3 *spin)
{
    const tl_grains3 *g = (const tl_grains3 *)matter;
    const tl_frame f = tl_grains3_frame(g, i);
    *spin = tl_mat3_apply(&f.R, g->v[i].w);
    *velocity = tl_add(g->v[i].v, tl_cross(*spin, tl_mat3_apply(&f.R, point)));
}

static void grains_energy(const tl_matter *matter, const double gravity[3], double *kinetic, double *potential)
{
    const tl_grains3 *g = (const tl_grains3 *)matter;
    *kinetic = *potential = 0;
    for (int i = 0; i < g->n; i++) {
        if (g->kind[i] != TALUS_BODY_FREE) continue;
        const tl_twist3 v = g->v[i];
        *kinetic += 0.5 * (g->mass[i] * tl_dot(v.v, v.v) + tl_dot(v.w, product(g->inertia[i], v.w)));
        *potential -= g->mass[i] * tl_dot(tl_load3(gravity), g->q[i].p);
    }
}

static int grains_fields(const tl_matter *matter, tl_field *fields, int capacity)
{
    const tl_grains3 *g = (const tl_grains3 *)matter;
    const tl_field list[] = {
        {"position", "m, 1", "centre of mass x, y, z and quaternion (w, x, y, z) of the principal axes of grains and boundaries", false, g->n, 7, g->q},
        {"velocity", "m/s, rad/s", "of the centre of mass; angular, in the principal axes", false, g->n, 6, g->v},
        {"kind", "1", "0 free, 1 fixed, 2 imposed, 3 absent", true, g->n, 1, g->kind},
        {"start", "m, 1", "boundaries: origin and quaternion (w, x, y, z) at zero motion", false, g->n, 7, g->start},
    };
    return tl_fields_say(list, (int)(sizeof list / sizeof *list) - (g->changes ? 0 : 2), fields, capacity);
}
