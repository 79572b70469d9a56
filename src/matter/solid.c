/* Deformable solids of finite elements (solid.h). */
#include <math.h>
#include <string.h>

#include "matter/solid_internal.h"
#include "talus/body.h"

static const double CLOSER = 0.1; /* forces that follow impulses, than what counts as another motion */

static tl_solid *solid_of(tl_matter *m) { return (tl_solid *)m; }
static const tl_solid *solid_in(const tl_matter *m) { return (const tl_solid *)m; }
const tl_element_mesh *tl_solid_mesh(const tl_matter *m) { return &solid_in(m)->mesh; }
int tl_solid_items(const tl_matter *m) { return solid_in(m)->mesh.nodes + 1; }
const double *tl_solid_displacement(const tl_matter *m) { return solid_in(m)->u; }
const double *tl_solid_velocity(const tl_matter *m) { return solid_in(m)->v; }
const int *tl_solid_region_of(const tl_matter *m) { return solid_in(m)->region_of; }

/* ---- operations ------------------------------------------------------------------------------------------------------------------ */

static talus_status assemble(tl_matter *matter, double time, const char **warnings, tl_error *error)
{
    tl_solid *s = solid_of(matter);
    *warnings = "";
    for (int k = 0; k < s->helds; k++) s->is_held[s->held[k].unknown] = true;
    tl_solid_place_held(s, time, s->u);
    tl_solid_rate_held(s, time, s->v);
    (void)tl_solid_place_surface(s, s->u);
    if (s->column) return TALUS_OK;
    TL_TRY(tl_solid_open_response(s, error));
    if (s->particles) return TALUS_OK; /* without a factor */
    return tl_solid_open_factor(s, error);
}

static void start_velocity(const tl_matter *matter, double *v)
{
    const tl_solid *s = solid_in(matter);
    for (int i = 0; i < matter->nv; i++) v[i] = s->is_held[i] ? 0 : s->v[i];
}

static talus_status start_from(tl_matter *matter, tl_step *step, const double *from)
{
    tl_solid *s = solid_of(matter);
    if (s->v_kept) s->v = s->v_kept;
    s->v_kept = NULL;
    if (!from) return TALUS_OK;
    double *v = tl_arena_alloc(step->arena, (size_t)matter->nv + 1, sizeof *v);
    if (!v) return tl_fail(step->error, TALUS_MEMORY, "no memory for the velocities of solid '%s'", matter->name);
    for (int i = 0; i < matter->nv; i++) v[i] = s->is_held[i] ? s->v[i] : from[i];
    memcpy(s->v_free, from, (size_t)matter->nv * sizeof *from);
    s->v_kept = s->v, s->v = v;
    return TALUS_OK;
}

static talus_status place(tl_matter *matter, tl_step *step, const tl_move *move)
{
    tl_solid *s = solid_of(matter);
    const double *v = move->v ? move->v : s->v;
    for (int i = 0; i < matter->nv; i++) s->u_m[i] = s->u[i] + move->span * v[i];
    tl_solid_place_held(s, move->t, s->u_m);
    tl_solid_rate_held(s, tl_step_end(step), s->v_held);
    s->in_step = true;
    s->steps++;
    s->asked_kept = 0;
    s->threads = step->threads;
    s->row_count = 0;
    s->close = 0, s->lost1 = 0, s->followed = false, s->missed_next = 0, s->following = NULL;
    if (s->particles) {
        memset(s->particles->pushed, 0, (size_t)matter->nv * sizeof(double));
        memset(s->particles->moved, 0, (size_t)matter->nv * sizeof(double));
    }
    step->condensed = NULL;
    if (!tl_solid_place_surface(s, s->u_m))
        return tl_fail(step->error, TALUS_DIVERGED, "solid '%s': a face of its surface has no area left at t = %.6g s", matter->name, step->t);
    return TALUS_OK;
}

static talus_status inertia(tl_matter *matter, tl_step *step, double theta, double span)
{
    tl_solid *s = solid_of(matter);
    const double on = theta * span;
    const double part = (step->staggered ? 0.25 : step->halved ? 0.5 : 1) * on * on;
    const tl_solid_scales scales = {1 + on * s->damping_mass, on * s->damping_stiffness + part, on};
    step->condensed = NULL;
    if (s->particles) tl_particles_turn(s, s->u_m);
    return s->large ? tl_solid_turn_factor(s, &scales, s->u_m, step) : tl_solid_factor(s, &scales, step);
}

/* v_free = v − M̃⁻¹ R(v) with R the residual at v. Where forces are not linear in it, refine has the last word. */
static talus_status free_velocity(tl_matter *matter, tl_step *step, double theta)
{
    tl_solid *s = solid_of(matter);
    const tl_solid_span span = tl_solid_span_of(s, step);
    double sum = 0;
    if (!matter->steady) TL_TRY(tl_solid_open_following(s, step));
    memcpy(s->v_free, s->v, (size_t)matter->nv * sizeof *s->v);
    s->by_theta = true;
    if (s->large) TL_TRY(tl_solid_turn_freely(s, step, theta));
    else {
        tl_solid_rate_held(s, tl_step_end(step), s->v_free);
        while (!tl_solid_residual(s, &span, theta, s->v_free, s->work))
            if (!tl_particles_let_go(s)) return tl_solid_lost(s, step);
        if (s->linear) tl_solid_solve(s, s->work);
        else tl_solid_solve_about(s, s->work);
        for (int i = 0; i < matter->nv; i++) s->v_free[i] += s->work[i], sum += fabs(s->work[i]);
    }
    for (int k = 0; k < s->helds; k++) s->v_free[s->held[k].unknown] = 0;
    return isfinite(sum) ? TALUS_OK : tl_solid_lost(s, step);
}

/* v = w + v_free, with w = M̃⁻¹ p of impulses. Those of the last step stay while forces follow them; later ones change with v_free. */
static double refine(tl_matter *matter, tl_step *step, const double *v, bool apply)
{
    tl_solid *s = solid_of(matter);
    double *end = s->force, *w = s->strained;
    memcpy(end, v, (size_t)matter->nv * sizeof *v);
    tl_solid_rate_held(s, tl_step_end(step), end);
    for (int i = 0; i < matter->nv; i++) w[i] = s->is_held[i] ? 0 : v[i] - s->v_free[i];
    if (!apply || s->followed) return tl_solid_off(s, step, matter->theta, w, end, apply);
    const double off = tl_solid_follow(s, step, matter->theta, w, CLOSER * step->close, end);
    s->followed = isfinite(off);
    for (int i = 0; i < matter->nv && isfinite(off); i++) s->v_free[i] = s->is_held[i] ? 0 : end[i] - w[i];
    return off;
}

static talus_status acceleration(tl_matter *matter, tl_step *step, double t, const double *v, double *a)
{
    tl_solid *s = solid_of(matter);
    const int nv = matter->nv;
    double *rate = s->v_next;
    s->by_theta = false;
    memset(a, 0, (size_t)nv * sizeof *a);
    memcpy(rate, v, (size_t)nv * sizeof *v);
    tl_solid_rate_held(s, t, rate);
    while (!tl_solid_add_forces(s, &(tl_solid_moment){t, step->gravity, s->u_m, rate, s->before}, a)) {
        if (!tl_particles_let_go(s)) return tl_solid_lost(s, step);
        memset(a, 0, (size_t)nv * sizeof *a);
    }
    tl_solid_solve(s, a);
    memcpy(s->v_free, v, (size_t)nv * sizeof *v);
    return TALUS_OK;
}

/* Schemes that ask for this ask for masses alone, and for what contacts meet, as well. */
static talus_status approach(tl_matter *matter, tl_step *step, double rate, double way, double *y)
{
    tl_solid *s = solid_of(matter);
    const tl_solid_scales scales = {1 + rate * s->damping_mass, rate * s->damping_stiffness + way, rate};
    while (!s->particles && s->factors < TL_KEPT_FACTORS) TL_TRY(tl_solid_open_factor(s, step->error));
    if (s->particles) tl_particles_turn(s, s->u_m);
    TL_TRY(s->large ? tl_solid_turn_factor(s, &scales, s->u_m, step) : tl_solid_factor(s, &scales, step));
    memset(s->work, 0, (size_t)matter->nv * sizeof *s->work);
    tl_solid_add_mass(s, 1, y, s->work);
    tl_solid_solve(s, s->work);
    memcpy(y, s->work, (size_t)matter->nv * sizeof *y);
    return TALUS_OK;
}

/* ---- ports ---------------------------------------------------------------------------------------------------------------------- */

static talus_status bind(tl_matter *matter, tl_step *step, tl_port *ports, int n)
{
    tl_solid *s = solid_of(matter);
    s->close = step->close;
    if (tl_grow(matter->memory, &s->rows, &s->row_capacity, s->row_count + n, sizeof *s->rows) != TALUS_OK)
        return tl_fail(step->error, TALUS_MEMORY, "no memory for the contacts of solid '%s'", matter->name);
    for (int i = 0; i < n; i++) {
        ports[i].slot = s->row_count;
        TL_TRY(tl_solid_row_of(s, &ports[i], &s->rows[s->row_count++], step->error));
    }
    return TALUS_OK;
}

/* `moving`: what is held counts as zero, whatever stands there. */
static void read(const tl_solid *s, const tl_port *port, const double *v, bool moving, double V[3])
{
    const tl_solid_row *r = &s->rows[port->slot];
    const int d = tl_solid_axes(s);
    double sum[3] = {0, 0, 0};
    for (int k = 0; k < r->nodes; k++)
        for (int a = 0; a < d; a++) sum[a] += moving && s->is_held[d * r->node[k] + a] ? 0 : r->weight[k] * v[d * r->node[k] + a];
    for (int axis = 0; axis < 3; axis++) V[axis] = port->axes[axis][0] * sum[0] + port->axes[axis][1] * sum[1] + port->axes[axis][2] * sum[2];
}

static void velocity(const tl_matter *matter, const tl_port *port, const double *v, bool imposed, double V[3])
{
    const tl_solid *s = solid_in(matter);
    read(s, port, v, true, V);
    if (!imposed || s->helds == 0) return;
    double more[3];
    read(s, port, s->v_held, false, more);
    for (int axis = 0; axis < 3; axis++) V[axis] += more[axis];
}

/* b += H I */
static void add_port(const tl_solid *s, const tl_port *port, const double I[3], double *b)
{
    const tl_solid_row *r = &s->rows[port->slot];
    const int d = tl_solid_axes(s);
    for (int k = 0; k < r->nodes; k++)
        for (int a = 0; a < d; a++)
            for (int axis = 0; axis < d; axis++) b[d * r->node[k] + a] += r->weight[k] * port->axes[axis][a] * I[axis];
}

static void impulses(const tl_matter *matter, const tl_ports *ports, const double (*I)[3], double *v)
{
    const tl_solid *s = solid_in(matter);
    double *b = s->work;
    memset(b, 0, (size_t)matter->nv * sizeof *b);
    bool any = false;
    for (int i = 0; i < ports->count; i++) {
        if (!(I[i][0] != 0 || I[i][1] != 0 || I[i][2] != 0)) continue;
        any = true;
        add_port(s, &ports->port[i], I[i], b);
    }
    if (!any) return; /* a solve reads the whole factor */
    if (s->particles) tl_particles_push(s, b);
    else tl_solid_solve(s, b);
    for (int i = 0; i < matter->nv; i++) v[i] += b[i];
}

static void impulse(const tl_matter *matter, const tl_port *port, const double I[3], double *v)
{
    const tl_solid *s = solid_in(matter);
    memset(s->work, 0, (size_t)matter->nv * sizeof *s->work);
    add_port(s, port, I, s->work);
    tl_solid_solve_unit(s, s->work);
    for (int i = 0; i < matter->nv; i++) v[i] += s->work[i];
}

static void velocity_before(const tl_matter *matter, const tl_port *port, double V[3])
{
    const tl_solid *s = solid_in(matter);
    read(s, port, s->v, false, V);
}

static void accumulate(tl_matter *matter, const tl_port *port, const double I[3]) { (void)matter, (void)port, (void)I; }

/* ---- end of the step -------------------------------------------------------------------------------------------------------------- */

static talus_status arrive(tl_matter *matter, tl_step *step, double theta, const double *v, const double *w)
{
    tl_solid *s = solid_of(matter);
    double sum = 0;
    for (int i = 0; i < matter->nv; i++) {
        s->v_next[i] = s->is_held[i] ? 0 : v[i];
        s->u_next[i] = s->u_m[i] + step->h * (theta * s->v_next[i] + (w ? w[i] : 0)); /* of what is held, below */
        sum += fabs(s->u_next[i]) + fabs(s->v_next[i]);
    }
    tl_solid_place_held(s, tl_step_end(step), s->u_next);
    tl_solid_rate_held(s, tl_step_end(step), s->v_next);
    if (!isfinite(sum)) return tl_fail(step->error, TALUS_DIVERGED, "solid '%s' left the representable numbers at t = %.6g s", matter->name, step->t);
    if (s->linear) return TALUS_OK;
    if (s->particles) return tl_particles_arrive(s, s->u_next) ? TALUS_OK : tl_solid_lost(s, step);
    memset(s->work, 0, (size_t)matter->nv * sizeof *s->work);
    return tl_solid_resist(s, s->before, s->u_next, s->work) ? TALUS_OK : tl_solid_lost(s, step);
}

static void commit(tl_matter *matter, const tl_step *step)
{
    tl_solid *s = solid_of(matter);
    const size_t nv = (size_t)matter->nv;
    tl_solid_keep_start(s, step);
    s->missed = s->missed_next;
    memcpy(s->u, s->u_next, nv * sizeof *s->u);
    memcpy(s->v, s->v_next, nv * sizeof *s->v);
    if (s->states > 0) memcpy(s->before, s->after, (size_t)s->states * sizeof *s->before);
    if (s->large && s->turns.made) memcpy(s->turns.held, s->turns.at, nv * sizeof *s->turns.held);
    if (s->particles) s->particles->stresses_known = false, memcpy(s->particles->held, s->particles->at, nv * sizeof *s->u);
    s->in_step = false;
    (void)tl_solid_place_surface(s, s->u); /* what has no area there stops the next step */
}

/* ---- reading -------------------------------------------------------------------------------------------------------------------- */

/* Of an item that is no whole: the nodes that move it. */
static tl_solid_row nodes_of(const tl_solid *s, int item)
{
    if (item > s->mesh.nodes) return s->point[item - s->mesh.nodes - 1];
    return (tl_solid_row){1, {item}, {1}};
}

static tl_frame frame(const tl_matter *matter, int item)
{
    const tl_solid *s = solid_in(matter);
    tl_frame f = {.R = tl_mat3_identity()};
    if (item == s->mesh.nodes) return f;
    const tl_solid_row r = nodes_of(s, item);
    for (int k = 0; k < r.nodes; k++) {
        const double *u = (s->in_step ? s->u_m : s->u) + s->dimension * r.node[k], *x = s->mesh.x[r.node[k]];
        f.p = tl_add(f.p, tl_scale(r.weight[k], tl_v3(x[0] + u[0], x[1] + u[1], s->dimension == 3 ? x[2] + u[2] : 0)));
    }
    return f;
}

/* Of the whole solid without strain: its nodes' masses. */
static tl_mass body_mass(const tl_matter *matter, int item)
{
    const tl_solid *s = solid_in(matter);
    tl_mass out = {0};
    if (item != s->mesh.nodes) {
        const tl_solid_row r = nodes_of(s, item);
        for (int k = 0; k < r.nodes; k++) out.mass += r.weight[k] * s->node_mass[r.node[k]];
        return out;
    }
    for (int i = 0; i < s->mesh.nodes; i++) {
        out.mass += s->node_mass[i];
        out.centre = tl_add(out.centre, tl_scale(s->node_mass[i], tl_load3(s->mesh.x[i])));
    }
    out.centre = tl_scale(1 / out.mass, out.centre);
    for (int i = 0; i < s->mesh.nodes; i++) {
        const tl_vec3 r = tl_sub(tl_load3(s->mesh.x[i]), out.centre);
        const double x[3] = {r.x, r.y, r.z}, square = tl_dot(r, r);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) out.inertia.m[a][b] += s->node_mass[i] * ((a == b ? square : 0) - x[a] * x[b]);
    }
    return out;
}

/* A point does not turn; the solid as a whole moves with its momentum, and is not said to turn. */
static void body_motion(const tl_matter *matter, int item, tl_vec3 point, tl_vec3 *velocity_out, tl_vec3 *spin)
{
    const tl_solid *s = solid_in(matter);
    const int d = tl_solid_axes(s);
    const tl_solid_row r = item == s->mesh.nodes ? (tl_solid_row){0} : nodes_of(s, item);
    double sum[3] = {0, 0, 0}, mass = 0;
    (void)point;
    for (int k = 0; k < r.nodes; k++)
        for (int a = 0; a < d; a++) sum[a] += r.weight[k] * s->v[d * r.node[k] + a];
    for (int i = 0; item == s->mesh.nodes && i < s->mesh.nodes; i++) {
        for (int a = 0; a < d; a++) sum[a] += s->node_mass[i] * s->v[d * i + a];
        mass += s->node_mass[i];
    }
    *velocity_out = tl_scale(mass > 0 ? 1 / mass : 1, tl_load3(sum));
    *spin = tl_v3(0, 0, 0);
}

static talus_status add_load(tl_matter *matter, int item, const struct talus_load_def *def, tl_error *error)
{
    tl_solid *s = solid_of(matter);
    static const double ONE[1][3] = {{1, 1, 1}};
    if (item >= s->mesh.nodes) return tl_fail(error, TALUS_UNSUPPORTED, "solid '%s': a force acts on a node or a face of it, not on the whole", matter->name);
    if (def->torque.value) return tl_fail(error, TALUS_UNSUPPORTED, "solid '%s': a node takes no torque", matter->name);
    return tl_solid_add_push(s, 1, &item, ONE, def->force, error);
}

static void energy(const tl_matter *matter, const double gravity[3], double *kinetic, double *potential)
{
    tl_solid_energies out;
    tl_solid_energy(matter, gravity, &out);
    *kinetic = out.kinetic;
    *potential = out.weight + out.elastic;
}

bool tl_solid_stress(const tl_matter *matter, int e, int point, tl_stress *out)
{
    const tl_solid *s = solid_in(matter);
    double x[TL_ELEMENT_NODES][3], u[TL_ELEMENT_UNKNOWNS], none[TL_ELEMENT_UNKNOWNS * TL_ELEMENT_UNKNOWNS], state[TL_ENHANCED_MODES] = {0};
    tl_element element = s->element[e];
    const double *memory = tl_solid_memory_of(s, e, s->before);
    if (s->particles) return tl_particles_mean_stress(s, e, out);
    tl_solid_element_at(s, e, s->u, x, u);
    if (memory) return tl_element_stress(&element, (const double(*)[3])x, u, memory, point, out);
    element.stiffness = NULL; /* one that remembers nothing: its modes follow from u */
    return tl_element_response(&element, (const double(*)[3])x, u, (tl_element_history){NULL, state}, none, NULL) &&
           tl_element_stress(&element, (const double(*)[3])x, u, state, point, out);
}

static int fields(const tl_matter *matter, tl_field *out, int capacity)
{
    const tl_solid *s = solid_in(matter);
    tl_field list[5] = {{"u", "m", "displacements of nodes", false, s->mesh.nodes, s->dimension, s->u},
                        {"v", "m/s", "velocities of nodes", false, s->mesh.nodes, s->dimension, s->v}};
    int count = 2;
    if (s->states > 0) list[count++] = (tl_field){"memory", "", "what elements, or particles, remember, one after the other", false, s->states, 1, s->before};
    if (s->large)
        list[count++] =
            (tl_field){"turned", "m", "displacements of nodes where the stiffness in steps was taken", false, s->mesh.nodes, s->dimension, s->turns.held};
    if (s->particles)
        list[count++] = (tl_field){
            "turned", "m", "displacements of particles where the stiffness in steps was taken", false, s->mesh.nodes, s->dimension, s->particles->held};
    if (!matter->steady)
        list[count++] =
            (tl_field){"missed", "m/s", "what forces missed when the motion was looked at first after contacts", false, 1, 1, (double *)(uintptr_t)&s->missed};
    return tl_fields_say(list, count, out, capacity);
}

static talus_status restored(tl_matter *matter, tl_error *error)
{
    tl_solid *s = solid_of(matter);
    s->in_step = false;
    s->last.h = 0;
    s->turns.made = false;
    if (s->particles) s->particles->stresses_known = false, tl_particles_turn_back(s);
    if (tl_solid_place_surface(s, s->u)) return TALUS_OK;
    return tl_fail(error, TALUS_INPUT, "solid '%s': a face of its surface has no area in this state", matter->name);
}

static void destroy(tl_matter *matter)
{
    tl_solid *s = solid_of(matter);
    const tl_memory memory = matter->memory;
    void *const blocks[] = {s->expected,   s->expected_at, s->expected_node, s->column,        s->region,
                            s->element,    s->region_of,   s->state_begin,   s->held,          s->is_held,
                            s->K,          s->M,           s->mixed,         s->node_mass,     s->u,
                            s->v,          s->u_m,         s->u_next,        s->v_next,        s->v_free,
                            s->v_held,     s->force,       s->work,          s->before,        s->after,
                            s->rows,       s->u_start,     s->v_start,       s->before_start,  s->surface.vertex,
                            s->surface.at, s->touched,     s->damper,        s->damper_normal, s->answer,
                            s->pushed,     s->alike,       s->strained,      s->surface.flat,  s->faces_begin,
                            s->faces_at};
    if (s->column) tl_solid_forget_response(s);
    tl_solid_free_turns(s);
    tl_solid_free_particles(s);
    for (int k = 0; k < s->pressures; k++) tl_solid_free_pressure(s, &s->pressure[k]);
    tl_free(memory, s->pressure);
    for (int k = 0; k < s->pushes; k++) tl_free(memory, s->push[k].node), tl_free(memory, s->push[k].weight);
    tl_free(memory, s->push);
    tl_free(memory, s->point);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) tl_free(memory, blocks[i]);
    for (int k = 0; k < s->factors; k++) tl_factor_destroy(s->kept_factor[k].factor);
    tl_element_mesh_free(&s->mesh);
    tl_free(memory, (void *)(uintptr_t)matter->name);
    tl_free(memory, s);
}

static const tl_matter_ops SOLID = {
    .kind = "solid",
    .part = "node",
    .assemble = assemble,
    .start_velocity = start_velocity,
    .start_from = start_from,
    .place = place,
    .inertia = inertia,
    .free_velocity = free_velocity,
    .acceleration = acceleration,
    .approach = approach,
    .bind = bind,
    .velocity = velocity,
    .motion = tl_solid_motion,
    .facets = tl_solid_facets,
    .impulse = impulse,
    .impulses = impulses,
    .reach = tl_solid_reach,
    .response = tl_solid_response,
    .exchange = tl_solid_exchange,
    .carriers = tl_solid_carriers,
    .node_response = tl_solid_node_response,
    .velocity_before = velocity_before,
    .refine = refine,
    .accumulate = accumulate,
    .arrive = arrive,
    .commit = commit,
    .frame = frame,
    .body_mass = body_mass,
    .body_motion = body_motion,
    .add_load = add_load,
    .energy = energy,
    .fields = fields,
    .restored = restored,
    .destroy = destroy,
};

/* ---- making it ------------------------------------------------------------------------------------------------------------------- */

talus_status tl_solid_hold(tl_matter *matter, int node, int axis, const talus_motion *motion, tl_error *error)
{
    tl_solid *s = solid_of(matter);
    const int unknown = s->dimension * node + axis;
    for (int k = 0; k < s->helds && s->is_held[unknown]; k++)
        if (s->held[k].unknown == unknown) {
            s->held[k] = (tl_held){unknown, motion != NULL, motion ? *motion : (talus_motion){0}};
            return TALUS_OK;
        }
    if (tl_grow(matter->memory, &s->held, &s->held_capacity, s->helds + 1, sizeof *s->held) != TALUS_OK)
        return tl_fail(error, TALUS_MEMORY, "no memory for what holds solid '%s'", matter->name);
    s->is_held[unknown] = true;
    s->held[s->helds++] = (tl_held){unknown, motion != NULL, motion ? *motion : (talus_motion){0}};
    return TALUS_OK;
}

void tl_solid_expect(tl_matter *matter, int node) { solid_of(matter)->expected[node] = true; }

talus_status tl_solid_add_point(tl_matter *matter, const talus_solid_point *at, int *item, tl_error *error)
{
    tl_solid *s = solid_of(matter);
    tl_solid_row row = {.nodes = 0};
    if (tl_grow(matter->memory, &s->point, &s->point_capacity, s->points + 1, sizeof *s->point) != TALUS_OK)
        return tl_fail(error, TALUS_MEMORY, "no memory for the joints of solid '%s'", matter->name);
    for (int k = 0; k < at->nodes; k++) {
        if (at->weight[k] == 0) continue;
        row.node[row.nodes] = at->node[k], row.weight[row.nodes++] = at->weight[k];
        tl_solid_expect(matter, at->node[k]);
    }
    *item = s->mesh.nodes + 1 + s->points;
    s->point[s->points++] = row;
    return TALUS_OK;
}

static talus_strain allowed(const tl_element_kind *kind, talus_strain wanted)
{
    const bool enhanced = wanted == TALUS_STRAIN_AUTO || wanted == TALUS_STRAIN_ENHANCED,
               mean = wanted == TALUS_STRAIN_AUTO || wanted == TALUS_STRAIN_MEAN_VOLUME;
    return enhanced && kind->modes > 0 ? TALUS_STRAIN_ENHANCED : mean && kind->mean_volume ? TALUS_STRAIN_MEAN_VOLUME : TALUS_STRAIN_PLAIN;
}

static talus_status make_elements(tl_solid *s, const tl_solid_def *def, tl_error *error)
{
    const tl_memory memory = s->matter.memory;
    s->region = tl_alloc(memory, (size_t)def->regions + 1, sizeof *s->region);
    s->element = tl_alloc(memory, (size_t)s->mesh.elements + 1, sizeof *s->element);
    s->region_of = tl_alloc(memory, (size_t)s->mesh.elements + 1, sizeof *s->region_of);
    s->state_begin = tl_alloc(memory, (size_t)s->mesh.elements + 1, sizeof *s->state_begin);
    if (!s->region || !s->element || !s->region_of || !s->state_begin) return tl_fail(error, TALUS_MEMORY, "no memory for %d elements", s->mesh.elements);
    memcpy(s->region, def->region, (size_t)def->regions * sizeof *s->region);
    s->linear = true;
    for (int i = 0; i < def->regions; i++) {
        const tl_material *m = &s->region[i].material;
        char text[TL_WRONG_ROOM];
        const char *wrong = m->kind->wrong(m->parameter, text);
        if (wrong) return tl_fail(error, TALUS_INPUT, "solid '%s': %s", def->name, wrong);
        if (!(s->region[i].density > 0)) return tl_fail(error, TALUS_INPUT, "solid '%s': density is not above 0", def->name);
        s->linear = s->linear && !s->large && !s->particles && m->kind == &TL_ELASTIC;
    }
    s->matter.steady = s->linear;
    for (int e = 0; e < s->mesh.elements; e++) {
        s->region_of[e] = def->region_of ? def->region_of[e] : 0;
        if (s->region_of[e] < 0 || s->region_of[e] >= def->regions)
            return tl_fail(error, TALUS_INPUT, "solid '%s': element %d is of region %d, of %d that there are", def->name, e + 1, s->region_of[e] + 1,
                           def->regions);
        const tl_solid_region *r = &s->region[s->region_of[e]];
        s->element[e] = (tl_element){.kind = s->mesh.kind[e],
                                     .material = &r->material,
                                     .strain = allowed(s->mesh.kind[e], r->strain),
                                     .plane_stress = def->plane_stress,
                                     .thickness = s->dimension == 2 ? def->thickness : 1,
                                     .density = r->density,
                                     .turns = s->large};
        s->state_begin[e + 1] = s->state_begin[e] + (s->linear || s->particles ? 0 : tl_element_states(&s->element[e]));
    }
    s->states = s->particles ? s->mesh.nodes * s->particles->memory : s->state_begin[s->mesh.elements];
    return TALUS_OK;
}

static talus_status make_vectors(tl_solid *s, tl_error *error)
{
    const tl_memory memory = s->matter.memory;
    const size_t nv = (size_t)s->matter.nv, couples = (size_t)s->mesh.pattern.begin[s->mesh.nodes], block = (size_t)(s->dimension * s->dimension);
    double **const vector[] = {&s->u,      &s->v,     &s->u_m,  &s->u_next,   &s->v_next,  &s->v_free,
                               &s->v_held, &s->force, &s->work, &s->strained, &s->u_start, &s->v_start};
    bool room = true;
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++) room = (*vector[i] = tl_alloc(memory, nv + 1, sizeof(double))) && room;
    s->K = tl_alloc(memory, couples * block + 1, sizeof *s->K);
    s->mixed = tl_alloc(memory, couples * block + 1, sizeof *s->mixed);
    s->M = tl_alloc(memory, couples + 1, sizeof *s->M);
    s->node_mass = tl_alloc(memory, (size_t)s->mesh.nodes + 1, sizeof *s->node_mass);
    s->is_held = tl_alloc(memory, nv + 1, sizeof *s->is_held);
    s->before = tl_alloc(memory, (size_t)s->states + 1, sizeof *s->before);
    s->after = tl_alloc(memory, (size_t)s->states + 1, sizeof *s->after);
    s->before_start = tl_alloc(memory, (size_t)s->states + 1, sizeof *s->before_start);
    s->expected = tl_alloc(memory, (size_t)s->mesh.nodes + 1, sizeof *s->expected);
    s->expected_at = tl_alloc(memory, (size_t)s->mesh.nodes + 1, sizeof *s->expected_at);
    s->matter.v_free = s->v_free;
    room = room && s->K && s->mixed && s->M && s->node_mass && s->is_held && s->before && s->after && s->before_start;
    if (room && s->expected && s->expected_at) return TALUS_OK;
    return tl_fail(error, TALUS_MEMORY, "no memory for a solid of %d nodes", s->mesh.nodes);
}

talus_status tl_solid_create(tl_memory memory, const tl_solid_def *def, tl_matter **out, tl_error *error)
{
    tl_solid *s = tl_alloc(memory, 1, sizeof *s);
    *out = NULL;
    if (!s) return tl_fail(error, TALUS_MEMORY, "no memory for a solid");
    *s = (tl_solid){.matter = {.ops = &SOLID, .memory = memory, .theta = 0.5},
                    .dimension = def->mesh.dimension,
                    .consistent = def->consistent_mass,
                    .large = def->large_rotations,
                    .damping_mass = def->damping_mass,
                    .damping_stiffness = def->damping_stiffness,
                    .mesh.memory = memory,
                    .scales = {-1, -1, -1},
                    .responded = {-1, -1, -1}};
    s->matter.name = tl_strdup(memory, def->name);
    if (!s->matter.name) {
        destroy(&s->matter);
        return tl_fail(error, TALUS_MEMORY, "no memory for a solid");
    }
    talus_status status = tl_element_mesh_create(memory, &def->mesh, &s->mesh, error);
    s->matter.nv = s->dimension * s->mesh.nodes;
    if (status == TALUS_OK && def->influence > 0) status = tl_solid_make_particles(s, def, error);
    if (status == TALUS_OK) status = make_elements(s, def, error);
    if (status == TALUS_OK) status = make_vectors(s, error);
    if (status == TALUS_OK && s->large) status = tl_solid_make_turns(s, error);
    if (status == TALUS_OK && s->particles) tl_particles_add_rest(s);
    for (int e = 0; status == TALUS_OK && !s->particles && e < s->mesh.elements; e++)
        if (!tl_solid_add_element(s, e)) status = tl_fail(error, TALUS_INPUT, "solid '%s': element %d has no stiffness", def->name, e + 1);
    for (int i = 0; status == TALUS_OK && i < s->matter.nv; i++) s->v[i] = def->velocity[i % s->dimension];
    if (status == TALUS_OK) *out = &s->matter;
    else destroy(&s->matter);
    return status;
}
