/* Mechanisms: their definition, their assembly into a tree of nodes with numbered rates, and what can be read from them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "matter/mechanism_internal.h"

void tl_mechanism_destroy(tl_matter *);

tl_mechanism *tl_mechanism_create(tl_memory memory, const char *name, bool planar)
{
    tl_mechanism *m = tl_alloc(memory, 1, sizeof *m);
    if (!m) return NULL;
    m->matter = (tl_matter){.ops = &TL_MECHANISM_OPS, .memory = memory};
    m->planar = planar;
    m->matter.name = m->name = tl_strdup(memory, name ? name : "");
    if (m->name) return m;
    tl_free(memory, m);
    return NULL;
}

tl_matter *tl_mechanism_matter(tl_mechanism *m) { return &m->matter; }

/* Everything that assembly allocates, with its length: n rates, nq positions, r loop equations, s states (each plus one), w the larger of n and r. */
/* clang-format off */
#define ASSEMBLED_ARRAYS(X)                                                                                                              \
    X(q, nq) X(v, n) X(q_m, nq) X(q_next, nq) X(q_try, nq) X(v_next, n) X(v_mid, n) X(v_full, n) X(v_mid_full, n) X(dv, n) X(v_free, n)     \
    X(v_half, n) X(row, n) X(vd, n) X(vd_next, n) X(J, r * n) X(Jv, r * r) X(h, r) X(work, w) X(bias, r) X(b, n) X(f, n) X(tau, n) X(tau_next, n) X(M, n * n)      \
    X(MT, n * n) X(T, n * n) X(P, n * n) X(Mred, n * n) X(impulse, n) X(held, n) X(reaction, r) X(reaction_next, r) X(drive_force, n) X(drive_next, n) \
    X(kept, r) X(u, n) X(dep, w) X(d, n) X(drive_of, n) X(pivot, w) X(row_order, r) X(column_order, n) X(role, n) X(role_next, n)           \
    X(own, nodes) X(composite, nodes) X(wrench, nodes) X(now.frame, nodes) X(now.link, links) X(now.S, n) X(now.V, nodes) X(now.A, nodes)                 \
    X(mid.frame, nodes) X(mid.link, links) X(mid.S, n) X(mid.V, nodes) X(mid.A, nodes)                                                      \
    X(next.frame, nodes) X(next.link, links) X(next.S, n) X(next.V, nodes) X(next.A, nodes)                                                 \
    X(ahead.frame, nodes) X(ahead.link, links) X(ahead.S, n) X(ahead.V, nodes) X(ahead.A, nodes) X(is_angle, n) X(is_given, n) \
    X(cross, n * n) X(both, n * n) X(mass_factor, n * n) X(Ared, n * n) X(push, n) X(pivot_A, n)                                            \
    X(x, s) X(x_m, s) X(x_next, s) X(x_rate, s) X(x_try, s) X(x_jacobian, s * s) X(x_pivot, s)
/* clang-format on */

/* Back to the definition, as after an assembly that failed. */
static void release_assembly(tl_mechanism *m)
{
    const tl_memory memory = m->matter.memory;
#define RELEASE(name, count) tl_free(memory, m->name), m->name = NULL;
    ASSEMBLED_ARRAYS(RELEASE)
#undef RELEASE
    tl_free(memory, m->warnings);
    m->warnings = NULL;
    m->node_count = m->n = m->nq = m->nu = m->nd = m->m = m->rows = m->matter.nv = 0;
    for (int i = 0; i < m->link_count; i++) m->links[i].node = -1;
}

static void free_state(tl_memory memory, law_state *s)
{
    tl_coupled_free(memory, &s->rate);
    tl_free(memory, s->name);
    tl_free(memory, s->unit);
}

void tl_mechanism_destroy(tl_matter *matter)
{
    tl_mechanism *m = (tl_mechanism *)matter;
    const tl_memory memory = matter->memory;
    release_assembly(m);
    for (int i = 0; i < m->link_count; i++) tl_free(memory, m->links[i].name);
    for (int i = 0; i < m->joint_count; i++) tl_free(memory, m->joints[i].name);
    for (int i = 0; i < m->loop_count; i++) tl_free(memory, m->loops[i].name);
    for (int i = 0; i < m->force_count; i++) tl_coupled_free(memory, &m->forces[i].coupled);
    for (int i = 0; i < m->state_count; i++) free_state(memory, &m->states[i]);
    void *const tables[] = {m->name, m->links, m->joints, m->nodes, m->forces, m->drives, m->loops, m->loads, m->springs, m->states, m->chosen, m->ports};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) tl_free(memory, tables[i]);
    tl_free(memory, m);
}

/* ---- definition --------------------------------------------------------------------------------------------------- */

static talus_status no_memory(const tl_mechanism *m, tl_error *error) { return tl_fail(error, TALUS_MEMORY, "no memory for mechanism '%s'", m->name); }

static bool finite_values(const double *x, int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

static bool has_infinity(const double *x, int n)
{
    for (int i = 0; i < n; i++)
        if (isinf(x[i])) return true;
    return false;
}

#define ROOM(list, count, capacity) tl_grow(m->matter.memory, &m->list, &m->capacity, m->count + 1, sizeof *m->list)

talus_status tl_mechanism_add_link(tl_mechanism *m, const talus_link_def *def, int *out, tl_error *error)
{
    const char *name = def->name ? def->name : "";
    const double *I = def->inertia;
    if (!(def->mass >= 0) || !isfinite(def->mass)) return tl_fail(error, TALUS_INPUT, "link '%s': mass is %g kg; it must not be negative", name, def->mass);
    if (!finite_values(I, 6) || I[0] < 0 || I[1] < 0 || I[2] < 0)
        return tl_fail(error, TALUS_INPUT, "link '%s': inertia (%g, %g, %g) kg m²; moments of inertia must not be negative", name, I[0], I[1], I[2]);
    if (!m->planar) { /* principal moments are not negative, and none is above the sum of the others */
        const tl_mat3 S = {{{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}}};
        const double trace = I[0] + I[1] + I[2];
        tl_vec3 J;
        tl_mat3 A;
        tl_mat3_eigen(&S, &J, &A);
        if (fmin(J.x, fmin(J.y, J.z)) < -1e-9 * trace || fmax(J.x, fmax(J.y, J.z)) > 0.5 * trace * (1 + 1e-9))
            return tl_fail(error, TALUS_INPUT, "link '%s': no body has the principal moments of inertia %g, %g, %g kg m²", name, J.x, J.y, J.z);
    }
    if (!finite_values(def->centre_of_mass, 3)) return tl_fail(error, TALUS_INPUT, "link '%s': its centre of mass is not a number", name);
    if (ROOM(links, link_count, link_capacity) != TALUS_OK) return no_memory(m, error);
    link l = {.name = tl_strdup(m->matter.memory, name), .mass = def->mass, .centre = tl_load3(def->centre_of_mass), .joint = -1, .node = -1};
    if (!l.name) return no_memory(m, error);
    l.inertia = (tl_mat3){{{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}}};
    if (m->planar) l.centre.z = 0;
    *out = m->link_count;
    m->links[m->link_count++] = l;
    return TALUS_OK;
}

talus_status tl_mechanism_add_joint(tl_mechanism *m, const talus_joint_def *def, int parent, int child, int *out, tl_error *error)
{
    const char *name = def->name ? def->name : "";
    if (parent == child) return tl_fail(error, TALUS_INPUT, "joint '%s' joins link '%s' to itself", name, m->links[child].name);
    if (m->links[child].joint >= 0)
        return tl_fail(error, TALUS_INPUT, "joint '%s': link '%s' hangs on joint '%s' already; close the second way by a loop", name, m->links[child].name,
                       m->joints[m->links[child].joint].name);
    if (!finite_values(def->axis, 3) || !finite_values(def->axis2, 3) || !finite_values(def->parent_point, 3) || !finite_values(def->child_point, 3) ||
        !finite_values(def->position, TALUS_JOINT_POSITIONS) || has_infinity(def->velocity, TALUS_JOINT_RATES) || !finite_values(def->parent_quat, 4) ||
        !isfinite(def->pitch))
        return tl_fail(error, TALUS_INPUT, "joint '%s': a number in its definition is not finite", name);
    TL_TRY(tl_joint_check(m, def, name, error));
    if (ROOM(joints, joint_count, joint_capacity) != TALUS_OK) return no_memory(m, error);
    joint j = {.name = tl_strdup(m->matter.memory, name), .def = *def, .parent = parent, .child = child};
    if (!j.name) return no_memory(m, error);
    static const int RATES[] = {1, 1, 1, 2, 2, 3, 3, 6, 0}, POSITIONS[] = {1, 1, 1, 2, 2, 3, 4, 7, 0};
    j.nv = RATES[def->kind];
    j.nq = POSITIONS[def->kind];
    j.def.name = j.name;
    m->links[child].joint = m->joint_count;
    *out = m->joint_count;
    m->joints[m->joint_count++] = j;
    return TALUS_OK;
}

static talus_status check_coordinate(const tl_mechanism *m, int j, int coordinate, tl_error *error)
{
    if (coordinate >= 0 && coordinate < m->joints[j].nv) return TALUS_OK;
    return tl_fail(error, TALUS_INPUT, "joint '%s' has %d coordinates; number %d is asked for", m->joints[j].name, m->joints[j].nv, coordinate + 1);
}

/* The rotations of a ball have rates but no coordinates of their own. */
static bool is_ball_rate(const joint *j, int coordinate)
{
    return j->def.kind == TALUS_JOINT_SPHERICAL || (j->def.kind == TALUS_JOINT_FREE && coordinate >= 3);
}

talus_status tl_mechanism_coordinate(const tl_mechanism *m, int j, int coordinate, tl_coordinate_place *out, tl_error *error)
{
    TL_TRY(check_coordinate(m, j, coordinate, error));
    const joint *of = &m->joints[j];
    *out = (tl_coordinate_place){.rate = of->iv + coordinate, .position = is_ball_rate(of, coordinate) ? -1 : of->iq + coordinate, .name = of->name};
    out->is_driven = m->drive_of && m->drive_of[out->rate] >= 0;
    out->is_angle = m->is_angle && m->is_angle[out->rate];
    return TALUS_OK;
}

/* Of what `owner` says that it reads. */
static talus_status check_reads(const tl_mechanism *m, const talus_coupled_law *law, const int *reads, const char *owner, tl_error *error)
{
    if (law->count < 0 || (law->count > 0 && !law->reads)) return tl_fail(error, TALUS_INPUT, "%s reads %d coordinates that are not given", owner, law->count);
    for (int k = 0; k < law->count; k++) TL_TRY(check_coordinate(m, reads[k], law->reads[k].coordinate, error));
    return TALUS_OK;
}

talus_status tl_mechanism_add_state(tl_mechanism *m, const talus_state_def *def, const int *reads, int *number, tl_error *error)
{
    const char *name = def->name ? def->name : "";
    char owner[160];
    snprintf(owner, sizeof owner, "state '%.100s'", name);
    for (int i = 0; i < m->state_count && *name; i++)
        if (strcmp(m->states[i].name, name) == 0) return tl_fail(error, TALUS_INPUT, "mechanism '%s' has two states '%s'", m->name, name);
    if (!def->rate.value) return tl_fail(error, TALUS_INPUT, "%s of mechanism '%s' has no rate", owner, m->name);
    if (!isfinite(def->start)) return tl_fail(error, TALUS_INPUT, "%s of mechanism '%s' starts at %g", owner, m->name, def->start);
    TL_TRY(check_reads(m, &def->rate, reads, owner, error));
    if (ROOM(states, state_count, state_capacity) != TALUS_OK) return no_memory(m, error);
    law_state *s = &m->states[m->state_count];
    *s = (law_state){.name = tl_strdup(m->matter.memory, name), .unit = tl_strdup(m->matter.memory, def->unit ? def->unit : "1"), .start = def->start};
    if (s->name && s->unit && tl_coupled_copy(m, &def->rate, reads, &s->rate) == TALUS_OK) {
        *number = m->state_count++;
        return TALUS_OK;
    }
    tl_free(m->matter.memory, s->name);
    tl_free(m->matter.memory, s->unit);
    return no_memory(m, error);
}

talus_status tl_mechanism_add_force(tl_mechanism *m, int j, const talus_joint_force_def *def, const int *reads, tl_error *error)
{
    TL_TRY(check_coordinate(m, j, def->coordinate, error));
    const char *name = m->joints[j].name;
    const double numbers[] = {def->constant, def->stiffness, def->free_position, def->damping};
    if (!finite_values(numbers, 4) || !(def->stiffness >= 0) || !(def->damping >= 0))
        return tl_fail(error, TALUS_INPUT, "the force in joint '%s': stiffness %g, damping %g; none may be negative", name, def->stiffness, def->damping);
    if (!(def->limit > 0)) return tl_fail(error, TALUS_INPUT, "the force in joint '%s': its limit is %g; it must be positive", name, def->limit);
    if (def->implicit && !isinf(def->limit)) return tl_fail(error, TALUS_INPUT, "the force in joint '%s': a spring that is implicit has no limit", name);
    if (is_ball_rate(&m->joints[j], def->coordinate) && (def->stiffness > 0 || def->target.value || def->law.value))
        return tl_fail(error, TALUS_UNSUPPORTED, "joint '%s': a ball has no angles; only constant, damping and friction act on its rates", name);
    char owner[160];
    snprintf(owner, sizeof owner, "the force in joint '%.100s'", name);
    if (def->coupled.value) TL_TRY(check_reads(m, &def->coupled, reads, owner, error));
    if (ROOM(forces, force_count, force_capacity) != TALUS_OK) return no_memory(m, error);
    joint_force *f = &m->forces[m->force_count];
    *f = (joint_force){.joint = j, .def = *def};
    if (def->coupled.value && tl_coupled_copy(m, &def->coupled, reads, &f->coupled) != TALUS_OK) return no_memory(m, error);
    m->force_count++;
    return TALUS_OK;
}

talus_status tl_mechanism_add_drive(tl_mechanism *m, int j, const talus_drive_def *def, tl_error *error)
{
    TL_TRY(check_coordinate(m, j, def->coordinate, error));
    if ((def->position.value != NULL) == (def->speed.value != NULL))
        return tl_fail(error, TALUS_INPUT, "the drive of joint '%s' needs either a position or a speed", m->joints[j].name);
    if (is_ball_rate(&m->joints[j], def->coordinate))
        return tl_fail(error, TALUS_UNSUPPORTED, "joint '%s': the rotations of a ball cannot be driven one by one", m->joints[j].name);
    for (int i = 0; i < m->drive_count; i++)
        if (m->drives[i].joint == j && m->drives[i].def.coordinate == def->coordinate)
            return tl_fail(error, TALUS_INPUT, "joint '%s' is driven twice", m->joints[j].name);
    if (ROOM(drives, drive_count, drive_capacity) != TALUS_OK) return no_memory(m, error);
    m->drives[m->drive_count++] = (drive){.joint = j, .def = *def};
    return TALUS_OK;
}

talus_status tl_mechanism_set_dependent(tl_mechanism *m, int j, int coordinate, tl_error *error)
{
    TL_TRY(check_coordinate(m, j, coordinate, error));
    for (int i = 0; i < m->chosen_count; i++)
        if (m->chosen[i][0] == j && m->chosen[i][1] == coordinate)
            return tl_fail(error, TALUS_INPUT, "mechanism '%s': joint '%s' is named dependent twice", m->name, m->joints[j].name);
    if (ROOM(chosen, chosen_count, chosen_capacity) != TALUS_OK) return no_memory(m, error);
    m->chosen[m->chosen_count][0] = j;
    m->chosen[m->chosen_count++][1] = coordinate;
    return TALUS_OK;
}

static talus_status check_term(const tl_mechanism *m, const loop *l, int k, const char *name, tl_error *error)
{
    const loop_term *term = &l->term[k];
    const bool train = l->def.kind == TALUS_LOOP_TRAIN;
    TL_TRY(check_coordinate(m, term->joint, term->coordinate, error));
    if (is_ball_rate(&m->joints[term->joint], term->coordinate))
        return tl_fail(error, TALUS_UNSUPPORTED, "loop '%s': the rotations of a ball cannot be geared", name);
    if (train && (!isfinite(term->factor) || term->factor == 0))
        return tl_fail(error, TALUS_INPUT, "loop '%s': the factor of joint '%s' is %g; it must be another number than 0", name, m->joints[term->joint].name,
                       term->factor);
    for (int i = 0; train && i < k; i++)
        if (l->term[i].joint == term->joint && l->term[i].coordinate == term->coordinate)
            return tl_fail(error, TALUS_INPUT, "loop '%s' names joint '%s' twice", name, m->joints[term->joint].name);
    return TALUS_OK;
}

talus_status tl_mechanism_add_loop(tl_mechanism *m, const talus_loop_def *def, const tl_loop_ends *ends, int *out, tl_error *error)
{
    const char *name = def->name ? def->name : "";
    loop l = {.def = *def, .terms = def->kind == TALUS_LOOP_TRAIN ? def->terms : def->kind == TALUS_LOOP_SCREW || def->kind == TALUS_LOOP_GEAR ? 2 : 0};
    if (!finite_values(def->point_a, 3) || !finite_values(def->point_b, 3) || !isfinite(def->ratio) || !isfinite(def->offset))
        return tl_fail(error, TALUS_INPUT, "loop '%s': a number in its definition is not finite", name);
    if (def->kind == TALUS_LOOP_ROD && (!(def->length > 0) || !isfinite(def->length)))
        return tl_fail(error, TALUS_INPUT, "loop '%s': the length of the rod is %g m; it must be positive", name, def->length);
    if (l.terms == 0 && ends->body[0] == ends->body[1]) return tl_fail(error, TALUS_INPUT, "loop '%s' joins a body to itself", name);
    for (int k = 0; k < l.terms; k++) {
        if (def->kind == TALUS_LOOP_TRAIN) l.term[k] = (loop_term){ends->joint[k], def->term[k].coordinate, def->term[k].factor};
        else l.term[k] = k == 0 ? (loop_term){ends->joint[0], def->coordinate_a, 1} : (loop_term){ends->joint[1], def->coordinate_b, -def->ratio};
        TL_TRY(check_term(m, &l, k, name, error));
    }
    if (ROOM(loops, loop_count, loop_capacity) != TALUS_OK) return no_memory(m, error);
    if (!(l.name = tl_strdup(m->matter.memory, name))) return no_memory(m, error);
    memcpy(l.body, ends->body, sizeof l.body);
    *out = m->loop_count;
    m->loops[m->loop_count++] = l;
    return TALUS_OK;
}

talus_status tl_mechanism_add_spring(tl_mechanism *m, const talus_spring_def *def, int body_a, int body_b, tl_error *error)
{
    const double numbers[] = {def->stiffness, def->damping, def->length};
    if (!finite_values(numbers, 3) || !(def->stiffness >= 0) || !(def->damping >= 0) || !(def->length >= 0))
        return tl_fail(error, TALUS_INPUT, "a spring of mechanism '%s': stiffness %g, damping %g, length %g; none may be negative", m->name, def->stiffness,
                       def->damping, def->length);
    if (ROOM(springs, spring_count, spring_capacity) != TALUS_OK) return no_memory(m, error);
    m->springs[m->spring_count++] = (spring){.def = *def, .body = {body_a, body_b}};
    return TALUS_OK;
}

tl_mechanism_parts tl_mechanism_count(const tl_mechanism *m) { return (tl_mechanism_parts){m->link_count, m->force_count, m->state_count}; }

void tl_mechanism_take_back(tl_mechanism *m, tl_mechanism_parts before)
{
    while (m->force_count > before.forces) tl_coupled_free(m->matter.memory, &m->forces[--m->force_count].coupled);
    while (m->state_count > before.states) free_state(m->matter.memory, &m->states[--m->state_count]);
    while (m->link_count > before.links) tl_free(m->matter.memory, m->links[--m->link_count].name);
}

/* ---- assembly ----------------------------------------------------------------------------------------------------- */

static talus_status alloc_arrays(tl_mechanism *m, tl_error *error)
{
    const tl_memory memory = m->matter.memory;
    const size_t n = (size_t)m->n + 1, nq = (size_t)m->nq + 1, r = (size_t)m->rows + 1, w = n > r ? n : r, s = (size_t)m->state_count + 1;
    const size_t nodes = (size_t)m->node_count, links = (size_t)m->link_count;
    bool enough = true;
#define ALLOCATE(name, count) enough = (m->name = tl_alloc(memory, count, sizeof *m->name)) && enough;
    ASSEMBLED_ARRAYS(ALLOCATE)
#undef ALLOCATE
    m->matter.v_free = m->v_free;
    return enough ? TALUS_OK : no_memory(m, error);
}

static void initial_values(tl_mechanism *m, double time)
{
    m->reach = 1;
    for (int i = 0; i < m->node_count; i++)
        for (int k = 0; k < m->nodes[i].nv; k++) m->is_angle[m->nodes[i].iv + k] = m->nodes[i].kind != NODE_PRISMATIC;
    for (int i = 0; i < m->joint_count; i++) {
        const joint *j = &m->joints[i];
        const talus_joint_def *d = &j->def;
        const int ball = d->kind == TALUS_JOINT_SPHERICAL ? 0 : d->kind == TALUS_JOINT_FREE ? 3 : -1;
        memcpy(&m->q[j->iq], d->position, (size_t)j->nq * sizeof(double));
        for (int k = 0; k < j->nv; k++) {
            m->is_given[j->iv + k] = !isnan(d->velocity[k]);
            m->v[j->iv + k] = isnan(d->velocity[k]) ? 0 : d->velocity[k];
        }
        if (ball < 0) continue;
        const double *c = &d->position[ball];
        tl_quat q = {c[0], c[1], c[2], c[3]};
        if (c[0] == 0 && c[1] == 0 && c[2] == 0 && c[3] == 0) q.w = 1; /* not given */
        q = tl_quat_normalize(q);
        double *out = &m->q[j->iq + ball];
        out[0] = q.w, out[1] = q.x, out[2] = q.y, out[3] = q.z;
    }
    for (int i = 0; i < m->n; i++) m->drive_of[i] = -1;
    for (int i = 0; i < m->drive_count; i++) {
        drive *d = &m->drives[i];
        d->rate = m->joints[d->joint].iv + d->def.coordinate;
        d->position = m->joints[d->joint].iq + d->def.coordinate;
        m->drive_of[d->rate] = i;
        m->role[d->rate] = ROLE_DRIVEN;
    }
    for (int i = 0; i < m->force_count; i++) {
        joint_force *f = &m->forces[i];
        f->rate = m->joints[f->joint].iv + f->def.coordinate;
        f->position = m->joints[f->joint].iq + f->def.coordinate;
        tl_coupled_resolve(m, &f->coupled);
    }
    for (int i = 0; i < m->state_count; i++) {
        tl_coupled_resolve(m, &m->states[i].rate);
        m->x[i] = m->x_m[i] = m->states[i].start;
    }
    tl_partition_set_roles(m, m->role);
    tl_mechanism_drive_at(m, time, m->q, m->vd, true);
    for (int j = 0; j < m->nd; j++) m->v[m->d[j]] = m->vd[j];
}

/* Dependent rates from the others: v = T v_u + P v_d. */
static talus_status consistent_velocities(tl_mechanism *m, tl_error *error)
{
    TL_TRY(tl_partition_factor(m, &m->mid, error));
    for (int k = 0; k < m->m; k++) {
        const int i = m->dep[k];
        double sum = 0;
        for (int j = 0; j < m->nu; j++) sum += m->T[i * m->nu + j] * m->v[m->u[j]];
        for (int j = 0; j < m->nd; j++) sum += m->P[i * m->nd + j] * m->v[m->d[j]];
        m->v[i] = sum;
    }
    return TALUS_OK;
}

static talus_status assemble(tl_mechanism *m, double time, tl_error *error)
{
    release_assembly(m);
    TL_TRY(tl_joint_build_tree(m, error));
    for (int i = 0; i < m->loop_count; i++) {
        m->loops[i].first_row = m->rows;
        m->loops[i].rows = tl_loop_rows(m, m->loops[i].def.kind);
        m->rows += m->loops[i].rows;
    }
    TL_TRY(alloc_arrays(m, error));
    initial_values(m, time);
    TL_TRY(tl_partition_assemble(m, error));
    TL_TRY(tl_mechanism_start_rates(m, error));
    TL_TRY(consistent_velocities(m, error));
    TL_TRY(tl_mechanism_reduce_mass(m, time, 0, 0.5, error)); /* here to find motions without inertia early */
    memcpy(m->role_next, m->role, (size_t)m->n * sizeof *m->role);
    tl_tree_place(m, m->q, &m->now);
    tl_tree_rates(m, m->v, &m->now);
    m->side = m->side_next;
    m->assembled = true;
    return TALUS_OK;
}

talus_status tl_mechanism_assemble(tl_matter *matter, double time, const char **warnings, tl_error *error)
{
    tl_mechanism *m = (tl_mechanism *)matter;
    const talus_status status = m->assembled ? TALUS_OK : assemble(m, time, error);
    *warnings = m->warnings ? m->warnings : "";
    return status;
}

/* ---- reading ------------------------------------------------------------------------------------------------------ */

int tl_mechanism_rates(const tl_mechanism *m) { return m->n; }
int tl_mechanism_joint_positions(const tl_mechanism *m, int j) { return m->joints[j].nq; }
int tl_mechanism_joint_rates(const tl_mechanism *m, int j) { return m->joints[j].nv; }

double tl_mechanism_position(const tl_mechanism *m, int j, int coordinate)
{
    return m->assembled && coordinate >= 0 && coordinate < m->joints[j].nq ? m->q[m->joints[j].iq + coordinate] : (double)NAN;
}

double tl_mechanism_velocity(const tl_mechanism *m, int j, int coordinate)
{
    return m->assembled && coordinate >= 0 && coordinate < m->joints[j].nv ? m->v[m->joints[j].iv + coordinate] : (double)NAN;
}

double tl_mechanism_state(const tl_mechanism *m, int number) { return m->assembled && number >= 0 && number < m->state_count ? m->x[number] : (double)NAN; }

/* Which of those that drives lead it is; −1: none. */
static int driven_number(const tl_mechanism *m, int j, int coordinate)
{
    for (int k = 0; k < m->nd; k++)
        if (m->d[k] == m->joints[j].iv + coordinate) return k;
    return -1;
}

bool tl_mechanism_is_driven(const tl_mechanism *m, int j, int coordinate) { return m->assembled && driven_number(m, j, coordinate) >= 0; }

double tl_mechanism_force(const tl_mechanism *m, int j, int coordinate)
{
    if (!m->assembled || coordinate < 0 || coordinate >= m->joints[j].nv) return (double)NAN;
    const int driven = driven_number(m, j, coordinate);
    return driven >= 0 ? m->drive_force[driven] : m->tau[m->joints[j].iv + coordinate];
}

void tl_mechanism_reaction(const tl_mechanism *m, int l, double reaction[6])
{
    memset(reaction, 0, 6 * sizeof *reaction);
    if (!m->assembled) return;
    tl_loop_reaction(m, &m->now, l, m->reaction, reaction);
}

double tl_mechanism_loop_error(const tl_mechanism *m, int l)
{
    double largest = 0;
    if (!m->assembled || m->rows == 0) return 0;
    tl_loop_values(m, &m->now, m->q, m->h);
    const int first = l < 0 ? 0 : m->loops[l].first_row, end = l < 0 ? m->rows : first + m->loops[l].rows;
    for (int i = first; i < end; i++) largest = fmax(largest, fabs(m->h[i]));
    return largest;
}

static void set_ends(talus_connection *c, const double a[3], const double b[3])
{
    memcpy(c->point[0], a, sizeof c->point[0]);
    memcpy(c->point[1], b, sizeof c->point[1]);
}

void tl_mechanism_joint_connection(const tl_mechanism *m, int j, int links[2], talus_connection *c)
{
    const joint *k = &m->joints[j];
    const double *q = k->def.parent_quat;
    const tl_mat3 turn = tl_mat3_from_quat(tl_quat_normalize((tl_quat){q[0], q[1], q[2], q[3]}));
    *c = (talus_connection){.kind = TALUS_CONNECTION_JOINT + (int)k->def.kind};
    links[0] = k->parent, links[1] = k->child;
    set_ends(c, k->def.parent_point, k->def.child_point);
    if (k->def.kind <= TALUS_JOINT_PLANAR) tl_store3(c->axis, tl_mat3_apply(&turn, tl_normalize(tl_load3(k->def.axis))));
    for (int i = 0; i < m->drive_count; i++) c->driven = c->driven || m->drives[i].joint == j;
    for (int i = 0; i < m->force_count; i++) {
        const talus_joint_force_def *f = &m->forces[i].def;
        if (m->forces[i].joint != j || !(f->stiffness > 0)) continue;
        if (f->target.value) c->driven = true;
        else c->sprung |= 1u << f->coordinate;
    }
}

bool tl_mechanism_loop_connection(const tl_mechanism *m, int l, int links[2], talus_connection *c)
{
    const loop *k = &m->loops[l];
    if (k->terms > 0) return false;
    *c = (talus_connection){.kind = TALUS_CONNECTION_LOOP + (int)k->def.kind};
    links[0] = k->body[0], links[1] = k->body[1];
    set_ends(c, k->def.point_a, k->def.point_b);
    if (k->def.kind == TALUS_LOOP_HINGE) tl_store3(c->axis, tl_normalize(tl_load3(k->def.axis_a)));
    if (k->def.kind == TALUS_LOOP_ROD) c->length = k->def.length;
    return true;
}

int tl_mechanism_springs(const tl_mechanism *m) { return m->spring_count; }

void tl_mechanism_spring_connection(const tl_mechanism *m, int s, int links[2], talus_connection *c)
{
    const spring *k = &m->springs[s];
    const bool pulls = k->def.stiffness > 0;
    *c = (talus_connection){.kind = pulls ? TALUS_CONNECTION_SPRING : TALUS_CONNECTION_DAMPER, .length = pulls ? k->def.length : 0};
    links[0] = k->body[0], links[1] = k->body[1];
    set_ends(c, k->def.point_a, k->def.point_b);
}
