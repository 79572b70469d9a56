/* From the joints of a run to what is drawn of them. Thicknesses go with the size of the machine, not with the picture's. */
#include "record/skeleton_make.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "talus/mechanism.h"

enum { MOST_NODES = 64, SAMPLES = 12 };

typedef tl_skeleton_maker maker;

/* ---- what a joint is ---------------------------------------------------------------------------------------------- */

enum { REVOLUTE = TALUS_JOINT_REVOLUTE, UNKNOWN = -1, LOOP = TALUS_CONNECTION_LOOP };

static bool slides(const tl_replay_joint *j)
{
    if (tl_skeleton_is_body_joint(j)) return tl_skeleton_body_joint_slides(j);
    return (j->kind == TALUS_JOINT_PRISMATIC || j->kind == TALUS_JOINT_CYLINDRICAL) && tl_norm(tl_load3(j->axis)) > 0;
}

/* Whether its points are places of its bodies; those of a body that is free in the plane or in space are only where its coordinates begin. */
static bool holds(const tl_replay_joint *j) { return j->kind != TALUS_JOINT_PLANAR && j->kind != TALUS_JOINT_FREE; }

/* ---- small geometry ----------------------------------------------------------------------------------------------- */

static tl_vec3 world_of(const maker *m, int body, const double local[3])
{
    double x[3];
    tl_replay_to_world(&m->frame, body, local, x);
    return tl_load3(x);
}

tl_vec3 tl_skeleton_in_body(const maker *m, int body, tl_vec3 d)
{
    if (body < 0) return d;
    const double *q = m->frame.pose[body];
    const tl_mat3 back = tl_mat3_from_quat((tl_quat){q[3], -q[4], -q[5], -q[6]});
    return tl_mat3_apply(&back, d);
}

tl_vec3 tl_skeleton_axis(const maker *m, const tl_replay_joint *j, int body)
{
    double d[3];
    tl_replay_turn(&m->frame, j->body[0], j->axis, d);
    if (!(tl_norm(tl_load3(d)) > 0)) return tl_v3(0, 0, m->run->dimension == 2);
    return tl_normalize(tl_skeleton_in_body(m, body, tl_load3(d)));
}

/* Along the axis of a slide, from the point of the first body to that of the second. */
static double position_of(const tl_replay_frame *f, const tl_replay_joint *j)
{
    double a[3], b[3], d[3];
    tl_replay_to_world(f, j->body[0], j->point[0], a);
    tl_replay_to_world(f, j->body[1], j->point[1], b);
    tl_replay_turn(f, j->body[0], j->axis, d);
    return tl_dot(tl_normalize(tl_load3(d)), tl_sub(tl_load3(b), tl_load3(a)));
}

/* ---- adding ------------------------------------------------------------------------------------------------------- */

void tl_skeleton_add(maker *m, tl_part_kind kind, int owner, tl_spot a, tl_spot b, double radius)
{
    tl_skeleton *s = m->out;
    if (m->failed || tl_grow(tl_memory_default(), &s->part, &s->room, s->parts + 1, sizeof *s->part) != TALUS_OK) {
        m->failed = true;
        return;
    }
    tl_part *p = &s->part[s->parts++];
    *p = (tl_part){.kind = kind, .owner = owner, .body = {a.body, b.body}, .radius = radius};
    tl_store3(p->point[0], a.at);
    tl_store3(p->point[1], b.at);
}

/* ---- links -------------------------------------------------------------------------------------------------------- */

/* Places where something is joined to a link, each once. */
static int find_nodes(const maker *m, int body, tl_vec3 node[MOST_NODES], int *first)
{
    int n = 0;
    for (int k = 0; k < 2 * m->run->joints && n < MOST_NODES; k++) {
        const tl_replay_joint *j = &m->run->joint[k / 2];
        bool fresh = j->body[k % 2] == body && holds(j);
        for (int i = 0; fresh && i < n; i++) fresh = tl_norm(tl_sub(node[i], tl_load3(j->point[k % 2]))) > 1e-6 * m->out->size;
        if (!fresh) continue;
        if (n == 0) *first = k / 2;
        node[n++] = tl_load3(j->point[k % 2]);
    }
    return n;
}

static void sort_by(double *key, tl_vec3 *node, int n)
{
    for (int i = 1; i < n; i++)
        for (int k = i; k > 0 && key[k] < key[k - 1]; k--) {
            const double swap = key[k];
            const tl_vec3 other = node[k];
            key[k] = key[k - 1], key[k - 1] = swap;
            node[k] = node[k - 1], node[k - 1] = other;
        }
}

/* Nodes on a line are joined along it; others are the corners of a frame, in their order around its middle. */
static void add_frame(maker *m, int body, tl_vec3 *node, int n)
{
    tl_vec3 along = {0}, normal = {0}, middle = {0};
    double key[MOST_NODES];
    for (int i = 0; i < n; i++) {
        const tl_vec3 d = tl_sub(node[i], node[0]);
        if (tl_norm(d) > tl_norm(along)) along = d;
        middle = tl_add(middle, tl_scale(1.0 / n, node[i]));
    }
    for (int i = 0; i < n; i++) {
        const tl_vec3 across = tl_cross(along, tl_sub(node[i], node[0]));
        if (tl_norm(across) > tl_norm(normal)) normal = across;
    }
    const bool ring = n > 2 && tl_norm(normal) > 1e-3 * tl_dot(along, along);
    const tl_vec3 x = tl_normalize(along), y = tl_cross(tl_normalize(normal), x);
    for (int i = 0; i < n; i++) {
        const tl_vec3 d = tl_sub(node[i], middle);
        key[i] = ring ? atan2(tl_dot(d, y), tl_dot(d, x)) : tl_dot(d, x);
    }
    sort_by(key, node, n);
    for (int i = 0; i + 1 < n + ring; i++) tl_skeleton_add_on(m, PART_BAR, body, node[i], node[(i + 1) % n], m->thin);
}

/* A mass on one joint: a wheel where the joint passes within its radius of gyration of the centre of mass, with a uniform disk's radius; else a pendulum. */
static void add_lonely(maker *m, int body, tl_vec3 node, const tl_replay_joint *j)
{
    const tl_replay_body *b = &m->run->body[body];
    const tl_vec3 centre = b->has_inertia ? tl_load3(b->centre) : tl_v3(0, 0, 0), arm = tl_sub(centre, node), d = tl_skeleton_axis(m, j, body);
    const double *I = b->inertia;
    const double about = d.x * (I[0] * d.x + 2 * I[3] * d.y + 2 * I[4] * d.z) + d.y * (I[1] * d.y + 2 * I[5] * d.z) + d.z * I[2] * d.z;
    const double square = m->run->dimension == 2 ? I[2] : about, gyration = b->has_inertia && b->mass > 0 && square > 0 ? sqrt(square / b->mass) : 0;
    const bool turns = j->kind == TALUS_JOINT_REVOLUTE || j->kind == LOOP + TALUS_LOOP_HINGE || m->run->dimension == 2;
    if (turns && gyration > tl_norm(arm)) {
        const double radius = sqrt(2) * gyration;
        tl_skeleton_add_on(m, PART_WHEEL, body, tl_sub(node, tl_scale(0.12 * radius, d)), tl_add(node, tl_scale(0.12 * radius, d)), radius);
    } else if (tl_norm(arm) > 1e-6 * m->out->size) {
        tl_skeleton_add_on(m, PART_BAR, body, node, centre, m->thin);
        if (b->has_inertia && b->mass > 0 && gyration < 0.3 * tl_norm(arm)) tl_skeleton_add_on(m, PART_BALL, body, centre, centre, 3 * m->thin);
    } else if (b->mass > 0) tl_skeleton_add_on(m, PART_BALL, body, node, node, 3 * m->thin);
}

bool tl_skeleton_nearest(const maker *m, int body, tl_vec3 node, tl_vec3 *out)
{
    double best = (double)INFINITY, inside = 0;
    for (int i = m->first_shape[body]; i >= 0; i = m->next_shape[i]) {
        const tl_replay_shape *s = &m->run->shape[i];
        if (s->kind == REPLAY_HALF_PLANE || s->kind == REPLAY_HALF_SPACE) continue;
        const tl_vec3 a = tl_load3(m->run->point[s->first_point]);
        tl_vec3 middle = {0};
        for (int k = 0; k < s->points; k++) middle = tl_add(middle, tl_scale(1.0 / s->points, tl_load3(m->run->point[s->first_point + k])));
        if (s->points == 2) {
            const tl_vec3 d = tl_sub(tl_load3(m->run->point[s->first_point + 1]), a);
            const double square = tl_dot(d, d), at = square > 0 ? tl_dot(tl_sub(node, a), d) / square : 0;
            middle = tl_add(a, tl_scale(fmin(1, fmax(0, at)), d));
        }
        const double away = tl_norm(tl_sub(node, middle));
        if (!(away < best)) continue;
        best = away, *out = middle, inside = fmax(s->radius, 1e-6 * m->out->size);
    }
    return best < (double)INFINITY && best > inside;
}

static void add_link(maker *m, int body)
{
    tl_vec3 node[MOST_NODES];
    int first = -1;
    const int n = find_nodes(m, body, node, &first);
    if (m->shaped[body]) {
        tl_vec3 to = {0};
        for (int i = 0; i < n; i++)
            if (tl_skeleton_nearest(m, body, node[i], &to)) tl_skeleton_add_on(m, PART_BAR, body, node[i], to, m->thin);
    } else if (n > 1) add_frame(m, body, node, n);
    else if (n == 1 && !m->sliding[body]) add_lonely(m, body, node[0], &m->run->joint[first]);
    else if (n == 0 && m->run->body[body].has_inertia) {
        const tl_vec3 centre = tl_load3(m->run->body[body].centre);
        tl_skeleton_add_on(m, PART_BALL, body, centre, centre, 3 * m->thin);
    }
}

/* ---- joints ------------------------------------------------------------------------------------------------------- */

/* Between two points, whose distance may change. */
static void add_between(maker *m, const tl_replay_joint *j, tl_part_kind kind, double radius)
{
    const int owner = j->body[0] >= 0 && m->run->body[j->body[0]].kind != 1 ? j->body[0] : j->body[1];
    tl_skeleton_add(m, kind, owner >= 0 ? owner : j->body[0], (tl_spot){j->body[0], tl_load3(j->point[0])}, (tl_spot){j->body[1], tl_load3(j->point[1])},
                    radius);
    if (!m->failed) m->out->part[m->out->parts - 1].length = j->length;
}

/* A ram stands on a link, or is driven, and never comes near its foot; everything else slides on a rail. */
static void add_slide(maker *m, int index)
{
    const tl_replay_joint *j = &m->run->joint[index];
    const int a = j->body[0], b = j->body[1];
    const double low = m->reach[index][0], high = m->reach[index][1], sign = low < 0 ? -1 : 1, r = m->thin;
    const double least = fmin(fabs(low), fabs(high)), most = fmax(fabs(low), fabs(high));
    const tl_vec3 from = tl_load3(j->point[0]), to = tl_load3(j->point[1]), d = tl_skeleton_axis(m, j, a), e = tl_skeleton_axis(m, j, b);
    const bool pushed = a >= 0 || j->driven; /* at the ground, what nothing drives is guided */
    if (pushed && low * high > 0 && least > 0.25 * most && least > 4 * r) {
        const double sleeve = sign * 0.85 * least;
        if (a < 0 || !m->shaped[a])
            tl_skeleton_add(m, PART_SLEEVE, a >= 0 ? a : b, (tl_spot){a, from}, (tl_spot){a, tl_add(from, tl_scale(sleeve, d))}, 1.7 * r);
        if (b < 0 || !m->shaped[b])
            tl_skeleton_add(m, PART_PISTON, b >= 0 ? b : a, (tl_spot){a, tl_add(from, tl_scale(0.5 * sleeve, d))}, (tl_spot){b, to}, 0.85 * r);
        if (j->sprung) add_between(m, j, PART_SPRING, 2.2 * r);
        return;
    }
    const double beyond = j->sprung ? 12 * r : 3 * r; /* room for the spring */
    const tl_vec3 begin = tl_add(from, tl_scale(low - beyond, d)), end = tl_add(from, tl_scale(high + 3 * r, d));
    tl_skeleton_add(m, PART_RAIL, b >= 0 ? b : a, (tl_spot){a, begin}, (tl_spot){a, end}, 0.7 * r);
    if (j->sprung) tl_skeleton_add(m, PART_SPRING, b >= 0 ? b : a, (tl_spot){a, begin}, (tl_spot){b, to}, 1.6 * r);
    if (b >= 0 && !m->shaped[b]) tl_skeleton_add_on(m, PART_SLEEVE, b, tl_sub(to, tl_scale(2 * r, e)), tl_add(to, tl_scale(2 * r, e)), 1.7 * r);
}

static void add_pin(maker *m, const tl_replay_joint *j)
{
    const int side = j->body[1] >= 0, body = j->body[side];
    const bool ground = j->body[0] < 0 || j->body[1] < 0;
    const tl_vec3 at = tl_load3(j->point[side]), d = tl_skeleton_axis(m, j, body);
    const double wide = (ground || j->driven ? 1.9 : 1.4) * m->thin;
    if (body < 0) return;
    if (!(tl_norm(d) > 0)) tl_skeleton_add_on(m, PART_BALL, body, at, at, 1.7 * m->thin);
    else
        tl_skeleton_add_on(m,
                           j->driven ? PART_MOTOR
                           : ground  ? PART_FOOT
                                     : PART_PIN,
                           body, tl_sub(at, tl_scale(1.6 * m->thin, d)), tl_add(at, tl_scale(1.6 * m->thin, d)), wide);
}

/* Beside small bodies bars and ropes are thin. */
double tl_skeleton_thin(const maker *m, const tl_replay_joint *j)
{
    double thin = m->thin;
    for (int k = 0; k < 2; k++) {
        const int body = j->body[k];
        if (body >= 0 && m->run->body[body].kind == 0 && !m->run->body[body].link && m->extent[body] > 0) thin = fmin(thin, 0.04 * m->extent[body]);
    }
    return thin;
}

/* A spring wound about a pin of a mechanism. */
static void add_wound_spring(maker *m, const tl_replay_joint *j)
{
    const int body = j->body[1] >= 0;
    if (tl_skeleton_is_body_joint(j) || !j->sprung || slides(j) || !holds(j)) return;
    const tl_vec3 at = tl_load3(j->point[body]), d = tl_skeleton_axis(m, j, j->body[body]);
    if (!(tl_norm(d) > 0)) return;
    tl_skeleton_add_on(m, PART_SPIRAL, j->body[body], tl_add(at, tl_scale(1.6 * m->thin, d)), tl_add(at, tl_scale(1.9 * m->thin, d)), 4.5 * m->thin);
}

static void add_joint(maker *m, int index)
{
    const tl_replay_joint *j = &m->run->joint[index];
    const double r = m->thin;
    const bool planar = m->run->dimension == 2;
    const tl_vec3 at = tl_load3(j->point[1]);
    if (j->body[0] < 0 && j->body[1] < 0) return;
    add_wound_spring(m, j);
    if (j->kind == TALUS_CONNECTION_SPAN) tl_skeleton_pulley(m, index);
    if (tl_skeleton_is_body_joint(j)) tl_skeleton_body_joint(m, index);
    else if (slides(j)) add_slide(m, index);
    else if (j->kind == TALUS_CONNECTION_SPRING) add_between(m, j, PART_SPRING, 2 * r);
    else if (j->kind == TALUS_CONNECTION_DAMPER) add_between(m, j, PART_DAMPER, 1.5 * r);
    else if (j->kind == TALUS_CONNECTION_ROPE || j->kind == TALUS_CONNECTION_SPAN) add_between(m, j, PART_ROPE, 0.3 * tl_skeleton_thin(m, j));
    else if (j->kind == TALUS_CONNECTION_CYLINDER) add_between(m, j, PART_RAM, 1.7 * r);
    else if (j->kind == TALUS_CONNECTION_STRUT || j->kind == LOOP + TALUS_LOOP_ROD) add_between(m, j, PART_STRUT, 0.7 * tl_skeleton_thin(m, j));
    else if (j->kind == TALUS_JOINT_UNIVERSAL || j->kind == TALUS_JOINT_SPHERICAL || (j->kind == LOOP + TALUS_LOOP_POINT && !planar)) {
        if (j->body[1] >= 0) tl_skeleton_add_on(m, PART_BALL, j->body[1], at, at, 1.7 * r);
        else tl_skeleton_add_on(m, PART_BALL, j->body[0], tl_load3(j->point[0]), tl_load3(j->point[0]), 1.7 * r);
    } else if (holds(j) && j->kind != TALUS_JOINT_FIXED && j->kind != LOOP + TALUS_LOOP_BODY) add_pin(m, j);
}

/* ---- all ---------------------------------------------------------------------------------------------------------- */

static void stretch(double low[3], double high[3], tl_vec3 at)
{
    double x[3];
    tl_store3(x, at);
    for (int k = 0; k < 3; k++) low[k] = fmin(low[k], x[k]), high[k] = fmax(high[k], x[k]);
}

static double size_of(const maker *m)
{
    double low[3] = {(double)INFINITY, (double)INFINITY, (double)INFINITY}, high[3] = {-(double)INFINITY, -(double)INFINITY, -(double)INFINITY};
    for (int i = 0; i < m->run->joints; i++)
        for (int k = 0; k < 2 && holds(&m->run->joint[i]); k++) stretch(low, high, world_of(m, m->run->joint[i].body[k], m->run->joint[i].point[k]));
    for (int i = 0; i < m->run->bodies; i++)
        if (m->run->body[i].link && !m->shaped[i]) stretch(low, high, world_of(m, i, m->run->body[i].centre));
    for (int i = 0; i < m->run->shapes; i++) {
        const tl_replay_shape *s = &m->run->shape[i];
        if ((!m->run->body[s->body].link && !m->jointed[s->body]) || s->kind == REPLAY_HALF_PLANE || s->kind == REPLAY_HALF_SPACE) continue;
        for (int k = 0; k < s->points; k++) stretch(low, high, world_of(m, s->body, m->run->point[s->first_point + k]));
    }
    const double size = tl_norm(tl_sub(tl_load3(high), tl_load3(low)));
    return isfinite(size) && size > 0 ? size : 1;
}

static talus_status measure_slides(maker *m, tl_error *error)
{
    bool any = false;
    tl_replay_frame frame = {0};
    talus_status status = TALUS_OK;
    for (int i = 0; i < m->run->joints; i++) {
        const tl_replay_joint *j = &m->run->joint[i];
        m->reach[i][0] = (double)INFINITY, m->reach[i][1] = -(double)INFINITY;
        any = any || slides(j);
        for (int k = 0; k < 2 && slides(j) && !tl_skeleton_is_body_joint(j); k++)
            if (j->body[k] >= 0) m->sliding[j->body[k]] = true;
    }
    for (int n = 0; any && status == TALUS_OK && n < SAMPLES && n < m->run->frames; n++) {
        const int last = m->run->frames - 1, steps = (m->run->frames < SAMPLES ? m->run->frames : SAMPLES) - 1;
        status = tl_replay_read(m->run, steps > 0 ? (int)((int64_t)n * last / steps) : 0, &frame, error);
        for (int i = 0; status == TALUS_OK && i < m->run->joints; i++) {
            if (!slides(&m->run->joint[i])) continue;
            const double q = position_of(&frame, &m->run->joint[i]);
            m->reach[i][0] = fmin(m->reach[i][0], q), m->reach[i][1] = fmax(m->reach[i][1], q);
        }
    }
    tl_replay_frame_free(&frame);
    return status;
}

/* Which shapes a body has, and how large they are together. */
static void survey_bodies(maker *m)
{
    for (int i = 0; i <= m->run->bodies; i++) m->first_shape[i] = -1;
    for (int i = m->run->shapes - 1; i >= 0; i--) {
        const int body = m->run->shape[i].body;
        m->next_shape[i] = m->first_shape[body], m->first_shape[body] = i, m->shaped[body] = true;
    }
    for (int body = 0; body < m->run->bodies; body++) {
        double low[3] = {(double)INFINITY, (double)INFINITY, (double)INFINITY}, high[3] = {-(double)INFINITY, -(double)INFINITY, -(double)INFINITY};
        bool endless = !m->shaped[body];
        for (int i = m->first_shape[body]; i >= 0; i = m->next_shape[i]) {
            const tl_replay_shape *s = &m->run->shape[i];
            endless = endless || s->kind == REPLAY_HALF_PLANE || s->kind == REPLAY_HALF_SPACE;
            for (int k = 0; k < s->points; k++) {
                const tl_vec3 x = tl_load3(m->run->point[s->first_point + k]), rim = tl_v3(s->radius, s->radius, m->run->dimension == 2 ? 0 : s->radius);
                stretch(low, high, tl_add(x, rim));
                stretch(low, high, tl_sub(x, rim));
            }
        }
        m->extent[body] = endless ? 0 : tl_norm(tl_sub(tl_load3(high), tl_load3(low)));
    }
    for (int i = 0; i < m->run->joints; i++)
        for (int k = 0; k < 2 && tl_skeleton_is_body_joint(&m->run->joint[i]); k++) {
            const int body = m->run->joint[i].body[k];
            if (body >= 0 && m->run->body[body].kind == 0) m->jointed[body] = true;
        }
}

static void make_parts(maker *m)
{
    m->out->size = size_of(m);
    m->thin = 0.009 * m->out->size;
    for (int i = 0; i < m->run->bodies; i++)
        if (m->run->body[i].link) add_link(m, i);
    for (int i = 0; i < m->run->joints; i++) add_joint(m, i);
}

static bool make_room(maker *m)
{
    const size_t bodies = (size_t)m->run->bodies + 1;
    m->shaped = calloc(bodies, sizeof *m->shaped), m->sliding = calloc(bodies, sizeof *m->sliding), m->jointed = calloc(bodies, sizeof *m->jointed);
    m->first_shape = calloc(bodies, sizeof *m->first_shape), m->next_shape = calloc((size_t)m->run->shapes + 1, sizeof *m->next_shape);
    m->extent = calloc(bodies, sizeof *m->extent), m->reach = calloc((size_t)m->run->joints + 1, sizeof *m->reach);
    return m->shaped && m->sliding && m->jointed && m->first_shape && m->next_shape && m->extent && m->reach;
}

talus_status tl_skeleton_make(tl_skeleton *s, const tl_replay *r, tl_error *error)
{
    *s = (tl_skeleton){.size = 1};
    if (r->joints == 0) return TALUS_OK;
    maker m = {.out = s, .run = r};
    talus_status status = make_room(&m) ? TALUS_OK : tl_fail(error, TALUS_MEMORY, "memory ran out");
    if (status == TALUS_OK) status = tl_replay_read(r, 0, &m.frame, error);
    if (status == TALUS_OK) status = measure_slides(&m, error);
    if (status == TALUS_OK) {
        survey_bodies(&m);
        make_parts(&m);
    }
    if (status == TALUS_OK && m.failed) status = tl_fail(error, TALUS_MEMORY, "memory ran out");
    free(m.shaped), free(m.sliding), free(m.jointed), free(m.first_shape), free(m.next_shape), free(m.extent), free(m.reach);
    tl_replay_frame_free(&m.frame);
    if (status != TALUS_OK) tl_skeleton_free(s);
    return status;
}

void tl_skeleton_free(tl_skeleton *s)
{
    tl_free(tl_memory_default(), s->part);
    *s = (tl_skeleton){.size = 1};
}

void tl_part_ends(const tl_part *p, const tl_replay_frame *f, double out[2][3])
{
    for (int k = 0; k < 2; k++) tl_replay_to_world(f, p->body[k], p->point[k], out[k]);
}

bool tl_part_is_slack(const tl_part *p, const tl_replay_frame *f)
{
    double end[2][3];
    tl_part_ends(p, f, end);
    return p->kind == PART_ROPE && tl_norm(tl_sub(tl_load3(end[1]), tl_load3(end[0]))) < p->length * (1 - 1e-3);
}

double tl_part_barrel(const tl_part *p, const tl_replay_frame *f)
{
    static const double OF_LENGTH = 0.9, WITHOUT = 0.5, MOST = 0.95; /* of it where it is in; of its length where that is not known; of its length now */
    double end[2][3];
    tl_part_ends(p, f, end);
    const double now = tl_norm(tl_sub(tl_load3(end[1]), tl_load3(end[0])));
    return p->length > 0 && now > 0 ? fmin(MOST, OF_LENGTH * p->length / now) : WITHOUT;
}

void tl_part_coil(tl_vec3 a, tl_vec3 b, double radius, bool planar, tl_vec3 out[TL_COIL_POINTS])
{
    enum { LAST = TL_COIL_POINTS - 1 };
    const tl_vec3 d = tl_sub(b, a), axis = tl_norm(d) > 0 ? tl_normalize(d) : tl_v3(1, 0, 0);
    tl_vec3 u, v;
    tl_tangents(axis, &u, &v);
    if (planar) u = tl_v3(-axis.y, axis.x, 0), v = tl_v3(0, 0, 0);
    out[0] = a, out[LAST] = b;
    for (int i = 1; i < LAST; i++) {
        const double share = (double)(i - 1) / (LAST - 2), turn = 2 * TL_PI * TL_COIL_TURNS * share;
        const tl_vec3 middle = tl_add(a, tl_scale(0.12 + 0.76 * share, d));
        out[i] = tl_add(middle, tl_add(tl_scale(radius * sin(turn), u), tl_scale(radius * (cos(turn) - (planar ? 1 : 0)), v)));
    }
}

/* In the axes of its body, so that it turns with it. */
void tl_part_spiral(const tl_part *p, const tl_replay_frame *f, double out[TL_SPIRAL_POINTS][3])
{
    const tl_vec3 middle = tl_load3(p->point[1]), axis = tl_sub(middle, tl_load3(p->point[0]));
    tl_vec3 u, v;
    tl_tangents(tl_norm(axis) > 0 ? tl_normalize(axis) : tl_v3(0, 0, 1), &u, &v);
    for (int i = 0; i < TL_SPIRAL_POINTS; i++) {
        const double share = (double)i / (TL_SPIRAL_POINTS - 1), turn = 2 * TL_PI * TL_SPIRAL_TURNS * share, radius = p->radius * (0.4 + 0.6 * share);
        double local[3];
        tl_store3(local, tl_add(middle, tl_add(tl_scale(radius * cos(turn), u), tl_scale(radius * sin(turn), v))));
        tl_replay_to_world(f, p->body[1], local, out[i]);
    }
}
