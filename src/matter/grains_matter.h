/* Grains as matter, the same in the plane and in space: M dv = f dt + H dI with a diagonal M (D20 eq. 1, theory §4.1). Compiled once for each dimension
 * (grains2.c, grains3.c), which gives types before it: `grains`, `placement` of a body, its velocity `twist`; and behind it the functions that are only
 * declared here.
 *
 * The solver works on grain–grain contacts directly on these arrays; the table of operations serves contacts between a grain and
 * another kind of matter. Its velocity vector is twist[n]. */
#include <string.h>

#include "matter/matter.h"

/* An array of the grains, one entry a body. */
typedef struct array {
    void *at; /* where the pointer to it is */
    size_t size;
} array;
enum { MOST_ARRAYS = 17 };

/* How bodies arrive: q_{n+1} = q_m ⊕ (late v + h w); w NULL: 0. */
typedef struct arrival {
    grains *g;
    double h, late;
    const twist *v, *w;
} arrival;

/* ---- what knows the dimension --------------------------------------------------------------------------------------- */

static int arrays_of(grains *, array list[MOST_ARRAYS]); /* returns how many */
static void settle_kind(grains *, int body);
static bool is_finite(const placement *, const twist *);
/* A boundary at time t, and its velocity. */
static void boundary_at(const grains *, int body, double t, placement *, twist *);
/* To q_m: a free body from q with the velocity v, a boundary where it is then. */
static void place_body(grains *, int body, const tl_move *, const twist *v);
/* v_n after a step of gravity. */
static twist falling(const tl_step *, const twist *v);
/* To v_free: the loads of time t over h. */
static void add_loads(grains *, double t, double h);
static placement arrived(const arrival *, int body);
/* Along the axes of a port, of a body that moves so. */
static void point_velocity(const grains *, const tl_port *, const twist *, double V[3]);

static talus_status grains_free_velocity(tl_matter *, tl_step *, double theta);
static talus_status grains_acceleration(tl_matter *, tl_step *, double t, const double *v, double *a);
static void grains_impulse(const tl_matter *, const tl_port *, const double I[3], double *v);
static tl_frame grains_frame(const tl_matter *, int item);
static tl_frame grains_user_axes(const tl_matter *, int item);
static tl_mat3 inertia_of(const grains *, int body);
static void grains_motion(const tl_matter *, int item, tl_vec3 point, tl_vec3 *velocity, tl_vec3 *spin);
static void grains_energy(const tl_matter *, const double gravity[3], double *kinetic, double *potential);
static int grains_fields(const tl_matter *, tl_field *fields, int capacity);

/* ---- definition ----------------------------------------------------------------------------------------------------- */

/* A body at rest with mass 1, at zero in every other number; −1: no memory. */
static int add_body(grains *g)
{
    array list[MOST_ARRAYS];
    const int arrays = arrays_of(g, list);
    for (int i = 0; i < arrays; i++)
        if (tl_grow(g->matter.memory, list[i].at, &g->capacity[i], g->n + 1, list[i].size) != TALUS_OK) return -1;
    const int body = g->n++;
    g->mass[body] = g->inverse_mass[body] = 1;
    g->matter.nv = (int)(sizeof(twist) / sizeof(double)) * g->n;
    g->matter.v_free = (const double *)g->v_free;
    return body;
}

/* All bodies are defined: the arrays have an entry for each and no more. */
static talus_status fit_arrays(grains *g)
{
    array list[MOST_ARRAYS];
    const int arrays = arrays_of(g, list);
    for (int i = 0; i < arrays; i++) TL_TRY(tl_fit(g->matter.memory, list[i].at, &g->capacity[i], g->n, list[i].size));
    g->matter.v_free = (const double *)g->v_free;
    return TALUS_OK;
}

static void place_boundaries(grains *g, double t)
{
    for (int i = 0; i < g->n; i++)
        if (g->kind[i] != TALUS_BODY_FREE) boundary_at(g, i, t, &g->q[i], &g->v[i]);
}

static talus_status grains_add_load(tl_matter *matter, int item, const talus_load_def *def, tl_error *error)
{
    grains *g = (grains *)matter;
    if (tl_grow(matter->memory, &g->loads, &g->load_capacity, g->load_count + 1, sizeof *g->loads) != TALUS_OK)
        return tl_fail(error, TALUS_MEMORY, "no memory for a load");
    g->loads[g->load_count++] = (tl_grain_load){.body = item,
                                                .point = tl_load3(def->point),
                                                .follows_body = def->follows_body,
                                                .force = {def->force[0], def->force[1], def->force[2]},
                                                .torque = def->torque};
    return TALUS_OK;
}

static tl_mass grains_mass(const tl_matter *matter, int i)
{
    const grains *g = (const grains *)matter;
    if (g->kind[i] == TALUS_BODY_FIXED || g->kind[i] == TALUS_BODY_IMPOSED) return (tl_mass){0};
    return (tl_mass){.mass = g->mass[i], .inertia = inertia_of(g, i)};
}

static talus_status grains_restored(tl_matter *matter, tl_error *error)
{
    grains *g = (grains *)matter;
    (void)error;
    g->in_step = false;
    for (int i = 0; g->changes && i < g->n; i++) settle_kind(g, i);
    return TALUS_OK;
}

static void grains_destroy(tl_matter *matter)
{
    grains *g = (grains *)matter;
    const tl_memory memory = matter->memory;
    array list[MOST_ARRAYS];
    const int arrays = arrays_of(g, list);
    for (int i = 0; i < arrays; i++) tl_free(memory, *(void **)list[i].at);
    tl_free(memory, g->loads);
    tl_free(memory, g->capacity);
    tl_free(memory, g);
}

/* ---- the step ------------------------------------------------------------------------------------------------------- */

enum { SHARE = 2048 }; /* bodies that a thread takes at a time */

typedef struct step_task {
    grains *g;
    const tl_step *step;
    const tl_move *move;
} step_task;

static void place_range(void *context, int begin, int end, int worker)
{
    const step_task *task = context;
    grains *g = task->g;
    const twist *velocity = task->move->v ? (const twist *)task->move->v : g->v;
    (void)worker;
    for (int i = begin; i < end; i++) place_body(g, i, task->move, &velocity[i]);
}

static talus_status grains_place(tl_matter *matter, tl_step *step, const tl_move *move)
{
    grains *g = (grains *)matter;
    tl_parallel_for(step->threads, g->n, SHARE, place_range, &(step_task){g, step, move});
    g->in_step = true;
    return TALUS_OK;
}

static void grains_start_velocity(const tl_matter *matter, double *v)
{
    const grains *g = (const grains *)matter;
    if (g->n > 0) memcpy(v, g->v, (size_t)g->n * sizeof *g->v);
}

static talus_status grains_start_from(tl_matter *matter, tl_step *step, const double *velocity)
{
    grains *g = (grains *)matter;
    const twist *from = (const twist *)velocity;
    if (g->v_kept) g->v = g->v_kept;
    g->v_kept = NULL;
    if (!from || g->n == 0) return TALUS_OK;
    twist *v = tl_arena_alloc(step->arena, (size_t)g->n + 1, sizeof *v);
    if (!v) return tl_fail(step->error, TALUS_MEMORY, "no memory for the velocities of %d bodies", g->n);
    for (int i = 0; i < g->n; i++) {
        const bool moves = g->kind[i] == TALUS_BODY_FREE;
        v[i] = moves ? from[i] : g->v[i];
        if (moves) g->v_free[i] = from[i];
    }
    g->v_kept = g->v, g->v = v;
    return TALUS_OK;
}

static void fall_range(void *context, int begin, int end, int worker)
{
    const step_task *task = context;
    grains *g = task->g;
    const tl_step *step = task->step;
    (void)worker;
    for (int i = begin; i < end; i++) {
        if (g->kind[i] == TALUS_BODY_FREE) g->v_free[i] = falling(step, &g->v[i]);
        else boundary_at(g, i, tl_step_end(step), &g->q_next[i], &g->v_free[i]);
    }
}

/* To v_free: gravity and loads, and where boundaries are at the end of the step. */
static void fall(grains *g, tl_step *step, double theta)
{
    tl_parallel_for(step->threads, g->n, SHARE, fall_range, &(step_task){.g = g, .step = step});
    add_loads(g, step->t + (1 - theta) * step->h, step->h);
}

static talus_status grains_bind(tl_matter *matter, tl_step *step, tl_port *ports, int n)
{
    (void)matter, (void)step, (void)ports, (void)n; /* a row of H is written down in a few products: nothing to prepare */
    return TALUS_OK;
}

static void grains_velocity(const tl_matter *matter, const tl_port *port, const double *v, bool imposed, double V[3])
{
    static const twist REST;
    const grains *g = (const grains *)matter;
    const int i = port->item;
    const twist *own = (const twist *)v + i;
    point_velocity(g, port, g->kind[i] == TALUS_BODY_FREE ? own : imposed ? &g->v_free[i] : &REST, V);
}

static void grains_velocity_before(const tl_matter *matter, const tl_port *port, double V[3])
{
    const grains *g = (const grains *)matter;
    point_velocity(g, port, &g->v[port->item], V);
}

static void grains_accumulate(tl_matter *matter, const tl_port *port, const double I[3])
{
    (void)matter, (void)port, (void)I; /* a grain has no joint reactions */
}

static void arrive_range(void *context, int begin, int end, int worker)
{
    const arrival *task = context;
    grains *g = task->g;
    (void)worker;
    for (int i = begin; i < end; i++) {
        if (g->kind[i] != TALUS_BODY_FREE) continue; /* it is there */
        g->v_free[i] = task->v[i];
        g->q_next[i] = arrived(task, i);
    }
}

static talus_status grains_arrive(tl_matter *matter, tl_step *step, double theta, const double *v, const double *w)
{
    grains *g = (grains *)matter;
    tl_parallel_for(step->threads, g->n, SHARE, arrive_range, &(arrival){g, step->h, theta * step->h, (const twist *)v, (const twist *)w});
    for (int i = 0; i < g->n; i++)
        if (!is_finite(&g->q_next[i], &g->v_free[i])) return tl_fail(step->error, TALUS_DIVERGED, "%d", i); /* the world names it */
    return TALUS_OK;
}

static void grains_commit(tl_matter *matter, const tl_step *step)
{
    grains *g = (grains *)matter;
    (void)step;
    placement *q = g->q;
    twist *v = g->v;
    g->q = g->q_next, g->q_next = q;
    g->v = g->v_free, g->v_free = v;
    g->matter.v_free = (const double *)g->v_free;
    g->in_step = false;
}

static const tl_matter_ops GRAINS = {
    .kind = "grains",
    .part = "grain",
    .start_velocity = grains_start_velocity,
    .start_from = grains_start_from,
    .place = grains_place,
    .free_velocity = grains_free_velocity,
    .acceleration = grains_acceleration,
    .bind = grains_bind,
    .velocity = grains_velocity,
    .impulse = grains_impulse,
    .velocity_before = grains_velocity_before,
    .refine = GRAINS_REFINE,
    .accumulate = grains_accumulate,
    .arrive = grains_arrive,
    .commit = grains_commit,
    .frame = grains_frame,
    .user_axes = grains_user_axes,
    .body_mass = grains_mass,
    .body_motion = grains_motion,
    .body_angle = GRAINS_ANGLE,
    .add_load = grains_add_load,
    .energy = grains_energy,
    .fields = grains_fields,
    .restored = grains_restored,
    .destroy = grains_destroy,
};

static grains *create(tl_memory memory)
{
    grains *g = tl_alloc(memory, 1, sizeof *g);
    if (!g) return NULL;
    g->matter = (tl_matter){.ops = &GRAINS, .memory = memory};
    g->capacity = tl_alloc(memory, MOST_ARRAYS, sizeof *g->capacity);
    if (g->capacity) return g;
    tl_free(memory, g);
    return NULL;
}
