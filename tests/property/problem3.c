/* Spatial contact problems as values: built by hand, solved, and judged by rows, W and residuals of this file's own (theory §1, §2, §5, §6.4). */
#include "law/law2.h"
#include "matter/mechanism.h"
#include "solve/problem2.h"
#include "solve/problem3.h"
#include "step/schemes.h"
#include "test.h"

#include <time.h>

#ifdef TL_SANITIZED
enum { PROBLEMS = 200, SIDE = 6 };
#else
enum { PROBLEMS = 4000, SIDE = 20 };
#endif

static tl_random rnd;
static tl_arena *arena;
static tl_threads *threads;
static tl_error error_text;

static double uniform(double low, double high) { return tl_random_uniform(&rnd, low, high); }

/* In this order, whatever the compiler does with arguments. */
static tl_vec3 random_between(double low, double high)
{
    const double x = uniform(low, high), y = uniform(low, high), z = uniform(low, high);
    return tl_v3(x, y, z);
}

static tl_vec3 random_vector(double size) { return random_between(-size, size); }

static tl_mat3 random_rotation(void)
{
    const tl_vec3 v = random_vector(1);
    return tl_mat3_from_quat(tl_quat_normalize((tl_quat){uniform(-1, 1), v.x, v.y, v.z}));
}

/* ---- problems ----------------------------------------------------------------------------------------------------- */

typedef struct model {
    int bodies, contacts;
    tl_frame *frame;
    tl_twist3 *v, *before;
    double *inverse_mass, *radius;
    tl_vec3 *inverse_inertia;
    tl_contact *contact;
    tl_interaction *law; /* [contacts] each has one of its own */
    double h, slop, tolerance;
    int max_iterations;
    tl_matter *matter;
    double *v_matter; /* [nv] */
} model;

static void *room(size_t count, size_t size)
{
    void *p = calloc(count, size);
    if (!p) exit(1);
    return p;
}

static model new_model(int bodies, int contacts)
{
    model m = {.h = 0.01, .tolerance = 1e-12, .max_iterations = 100000};
    m.frame = room((size_t)bodies, sizeof *m.frame);
    m.v = room((size_t)bodies, sizeof *m.v);
    m.before = room((size_t)bodies, sizeof *m.before);
    m.inverse_mass = room((size_t)bodies, sizeof *m.inverse_mass);
    m.radius = room((size_t)bodies, sizeof *m.radius);
    m.inverse_inertia = room((size_t)bodies, sizeof *m.inverse_inertia);
    m.contact = room((size_t)contacts, sizeof *m.contact);
    m.law = room((size_t)contacts, sizeof *m.law);
    return m;
}

static void free_model(model *m)
{
    free(m->frame);
    free(m->v);
    free(m->before);
    free(m->inverse_mass);
    free(m->radius);
    free(m->inverse_inertia);
    free(m->contact);
    free(m->law);
}

/* mass 0: a boundary. */
static int add_body(model *m, double mass, tl_vec3 inertia, tl_vec3 at, tl_mat3 R)
{
    const int i = m->bodies++;
    m->frame[i] = (tl_frame){at, R};
    if (mass > 0) {
        m->inverse_mass[i] = 1 / mass;
        m->inverse_inertia[i] = tl_v3(1 / inertia.x, 1 / inertia.y, 1 / inertia.z);
    }
    return i;
}

/* An end is met at x. */
static void meet_end(const model *m, tl_contact *c, int side, tl_vec3 x) { c->arm[side] = tl_sub(x, m->frame[side ? c->b.item : c->a.item].p); }

/* Where it is met. */
static tl_vec3 end_at(const model *m, const tl_contact *c, int side) { return tl_add(m->frame[side ? c->b.item : c->a.item].p, c->arm[side]); }

/* Both ends are met at x. */
static void meet(const model *m, tl_contact *c, tl_vec3 x)
{
    c->point = x;
    for (int side = 0; side < 2; side++) meet_end(m, c, side, x);
}

static tl_contact *add_contact(model *m, int a, int b, tl_vec3 x, tl_vec3 n, double friction)
{
    tl_contact *c = &m->contact[m->contacts];
    tl_interaction *law = &m->law[m->contacts];
    *law = TL_FRICTIONLESS;
    law->friction = friction;
    *c = (tl_contact){.key = (uint64_t)m->contacts++, .a = {0, a}, .b = {0, b}, .n = n, .law = law, .friction = friction};
    meet(m, c, x);
    return c;
}

static void bounce(const model *m, tl_contact *c, double restitution)
{
    m->law[c - m->contact].restitution = restitution;
    c->struck = restitution > 0;
}

static tl_step a_step(const model *m, tl_threads *of)
{
    tl_arena_reset(arena);
    return (tl_step){.h = m->h, .theta = 0.5, .memory = tl_memory_default(), .arena = arena, .threads = of, .error = &error_text};
}

/* How a model is solved; lives as long. */
static const talus_solver_settings *settings_of(const model *m)
{
    talus_solver_settings *s = tl_arena_zero(arena, 1, sizeof *s);
    if (!s) exit(1);
    *s = talus_solver_settings_default();
    s->tolerance = m->tolerance, s->max_iterations = m->max_iterations;
    return s;
}

/* The problem of a model; lives until the next step of the arena. */
static tl_problem3 bound(model *m, tl_step *step)
{
    tl_problem3 p = {.base.bodies = m->bodies,
                     .frame = m->frame,
                     .v_free = m->v,
                     .v_before = m->before,
                     .base.inverse_mass = m->inverse_mass,
                     .inverse_inertia = m->inverse_inertia,
                     .base.radius = m->radius,
                     .base.matters = m->matter ? 2 : 1,
                     .base.contact = m->contact,
                     .base.contacts = m->contacts,
                     .base.h = m->h,
                     .base.slop = m->slop,
                     .base.solver = settings_of(m)};
    tl_matter **matter = tl_arena_zero(arena, 2, sizeof *matter);
    double **v = tl_arena_zero(arena, 2, sizeof *v);
    if (!matter || !v) exit(1);
    matter[1] = m->matter, v[1] = m->v_matter;
    p.base.matter = matter, p.base.v = v;
    CHECK_OK(tl_problem3_bind(&p, step), error_text.text);
    CHECK_OK(tl_problem3_color(&p, step), error_text.text);
    return p;
}

static tl_problem3 solved(model *m, tl_step *step)
{
    tl_problem3 p = bound(m, step);
    CHECK_OK(tl_problem_solve(&p.base, step), error_text.text);
    return p;
}

/* ---- rows and W of this file's own, in world axes --------------------------------------------------------------------- */

/* Velocity of body b at a contact's point, world axes. */
static tl_vec3 point_velocity(const model *m, int b, tl_vec3 x, const tl_twist3 *v)
{
    return tl_add(v->v, tl_cross(tl_mat3_apply(&m->frame[b].R, v->w), tl_sub(x, m->frame[b].p)));
}

static void axes_of(const tl_contact *c, tl_vec3 axis[3])
{
    axis[0] = c->n;
    tl_tangents(c->n, &axis[1], &axis[2]);
}

static void relative_velocity(const model *m, const tl_contact *c, const tl_twist3 *v, double V[3])
{
    tl_vec3 axis[3];
    axes_of(c, axis);
    const tl_vec3 d = tl_sub(point_velocity(m, c->b.item, end_at(m, c, 1), &v[c->b.item]), point_velocity(m, c->a.item, end_at(m, c, 0), &v[c->a.item]));
    for (int k = 0; k < 3; k++) V[k] = tl_dot(axis[k], d);
}

/* v += M⁻¹ H I for one contact. */
static void strike(const model *m, const tl_contact *c, const double I[3], tl_twist3 *v)
{
    tl_vec3 axis[3], P = tl_v3(0, 0, 0);
    axes_of(c, axis);
    for (int k = 0; k < 3; k++) P = tl_add(P, tl_scale(I[k], axis[k]));
    for (int side = 0; side < 2; side++) {
        const int b = side ? c->b.item : c->a.item;
        const tl_vec3 Q = tl_scale(side ? 1 : -1, P), moment = tl_mat3_apply_t(&m->frame[b].R, tl_cross(c->arm[side], Q)), *j = &m->inverse_inertia[b];
        v[b].v = tl_add(v[b].v, tl_scale(m->inverse_mass[b], Q));
        v[b].w = tl_add(v[b].w, tl_v3(j->x * moment.x, j->y * moment.y, j->z * moment.z));
    }
}

static tl_delassus3 own_delassus(const model *m, const tl_contact *c)
{
    double W[3][3];
    for (int k = 0; k < 3; k++) {
        tl_twist3 *v = room((size_t)m->bodies, sizeof *v);
        strike(m, c, (double[3]){k == 0, k == 1, k == 2}, v);
        relative_velocity(m, c, v, W[k]);
        free(v);
    }
    return (tl_delassus3){W[0][0], W[0][1], W[0][2], W[1][1], W[1][2], W[2][2]};
}

static double own_shift(const model *m, const tl_contact *c)
{
    double before[3];
    relative_velocity(m, c, m->before, before);
    if (c->struck) return before[0] < 0 ? c->law->restitution * before[0] : fmin(before[0], fmax(c->gap, 0) / m->h);
    return c->gap > 0 ? c->gap / m->h : 0;
}

/* v⁺ from the impulses alone. */
static tl_twist3 *own_velocities(const model *m)
{
    tl_twist3 *v = room((size_t)m->bodies, sizeof *v);
    memcpy(v, m->v, (size_t)m->bodies * sizeof *v);
    for (int i = 0; i < m->contacts; i++) strike(m, &m->contact[i], m->contact[i].I, v);
    return v;
}

static double kinetic(const model *m, const tl_twist3 *v)
{
    double sum = 0;
    for (int i = 0; i < m->bodies; i++) {
        const tl_vec3 *j = &m->inverse_inertia[i];
        if (!(m->inverse_mass[i] > 0)) continue;
        sum += 0.5 * tl_dot(v[i].v, v[i].v) / m->inverse_mass[i];
        sum += 0.5 * (v[i].w.x * v[i].w.x / j->x + v[i].w.y * v[i].w.y / j->y + v[i].w.z * v[i].w.z / j->z);
    }
    return sum;
}

/* V, v and the residual that the solver reports are those of its impulses, within `rounding` [m/s]. */
static void check_result(const model *m, const tl_problem3 *p, double rounding)
{
    tl_twist3 *v = own_velocities(m);
    double worst = 0;
    for (int i = 0; i < m->contacts; i++) {
        const tl_contact *c = &m->contact[i];
        double V[3];
        relative_velocity(m, c, v, V);
        for (int k = 0; k < 3; k++) CHECK_NEAR(c->V[k], V[k], rounding);
        const tl_delassus3 W = own_delassus(m, c);
        V[0] += own_shift(m, c);
        worst = fmax(worst, tl_coulomb3_residual(&W, c->friction, V, c->I));
    }
    CHECK_NEAR(worst, p->base.residual, 3 * rounding);
    for (int i = 0; i < m->bodies; i++) {
        const tl_twist3 got = tl_problem3_velocity(p, i);
        CHECK_NEAR(tl_norm(tl_sub(got.v, v[i].v)), 0, rounding);
        CHECK_NEAR(tl_norm(tl_sub(got.w, v[i].w)), 0, 100 * rounding); /* sizes of some cm */
    }
    free(v);
}

/* A chain of bodies between two boundaries, the first and the last: contacts anywhere between neighbours, ends in either order. */
static model random_chain(int contacts, bool one_wall)
{
    model m = new_model(contacts + 2, contacts);
    for (int i = 0; i <= contacts; i++) {
        const bool wall = i == 0 || (!one_wall && i == contacts);
        const double mass = uniform(0.3, 3), j = 0.1 * mass;
        const tl_vec3 inertia = i % 3 == 0 ? tl_v3(j, j, j) : tl_scale(j, random_between(0.5, 2));
        add_body(&m, wall ? 0 : mass, inertia, tl_add(tl_v3(0, 0, i), random_vector(0.2)), random_rotation());
        m.v[i] = (tl_twist3){random_vector(1), random_vector(1)};
        m.before[i] = (tl_twist3){random_vector(1), random_vector(1)};
    }
    for (int i = 0; i < contacts; i++) {
        const int swap = tl_random_int(&rnd, 2);
        const tl_vec3 n = tl_normalize(tl_add(tl_v3(0, 0, swap ? -1 : 1), random_vector(0.5)));
        tl_contact *c =
            add_contact(&m, i + swap, i + 1 - swap, tl_add(tl_v3(0, 0, i + 0.5), random_vector(0.2)), n, tl_random_int(&rnd, 4) ? uniform(0, 1) : 0);
        c->gap = uniform(-0.1, 0.1) * m.h;
        bounce(&m, c, tl_random_int(&rnd, 2) ? uniform(0, 1) : 0);
        for (int k = 0; k < 3; k++) c->I[k] = uniform(-0.1, 0.1);                                     /* any first guess */
        if (tl_random_int(&rnd, 2)) meet_end(&m, c, 1, tl_add(end_at(&m, c, 1), random_vector(0.1))); /* across an image, along a rope: not at one point */
    }
    return m;
}

/* A chain of spheres in a zigzag, each touching the next, from a wall that may be at rest to a moving one. */
static model ball_chain(int contacts, bool one_wall)
{
    model m = new_model(contacts + 2, contacts);
    tl_vec3 at = tl_v3(0, 0, 0);
    for (int i = 0; i <= contacts; i++) {
        const bool wall = i == 0 || (!one_wall && i == contacts);
        const double r = uniform(0.2, 0.6), mass = uniform(0.3, 3), j = 0.4 * mass * r * r;
        const tl_vec3 way = tl_normalize(tl_add(tl_v3(0, 0, 1), random_vector(0.5)));
        const double before = i == 0 ? 0 : m.radius[i - 1];
        at = tl_add(at, tl_scale((wall ? 0 : r) + before, way));
        add_body(&m, wall ? 0 : mass, tl_v3(j, j, j), at, random_rotation());
        m.v[i] = (tl_twist3){random_vector(1), random_vector(1)};
        m.before[i] = (tl_twist3){random_vector(1), random_vector(1)};
        m.radius[i] = wall ? 0 : r;
        if (i == 0 && tl_random_int(&rnd, 2)) m.v[i] = (tl_twist3){{0, 0, 0}, {0, 0, 0}};
        if (i == 0) continue;
        const int swap = tl_random_int(&rnd, 2);
        const tl_vec3 x = tl_sub(at, tl_scale(m.radius[i], way));
        tl_contact *c = add_contact(&m, i - 1 + swap, i - swap, x, swap ? tl_scale(-1, way) : way, tl_random_int(&rnd, 4) ? uniform(0, 1) : 0);
        if (tl_random_int(&rnd, 4) == 0) meet(&m, c, tl_add(x, random_vector(0.1))); /* a rope's may be tied anywhere */
        c->gap = uniform(-0.1, 0.1) * m.h;
        bounce(&m, c, tl_random_int(&rnd, 2) ? uniform(0, 1) : 0);
        for (int k = 0; k < 3; k++) c->I[k] = uniform(-0.1, 0.1); /* any first guess */
    }
    return m;
}

/* One contact: the solver's lanes give what the law gives. */
TEST(one_contact)
{
    rnd = tl_random_seed(51);
    int balls = 0;
    for (int k = 0; k < 4 * PROBLEMS; k++) {
        model m = k % 2 ? ball_chain(1, true) : random_chain(1, true);
        const tl_delassus3 W = own_delassus(&m, &m.contact[0]);
        double u[3], I[3];
        relative_velocity(&m, &m.contact[0], m.v, u);
        u[0] += own_shift(&m, &m.contact[0]);
        tl_coulomb3_solve(&W, m.contact[0].friction, u, I);
        tl_step step = a_step(&m, threads);
        const tl_problem3 p = solved(&m, &step);
        CHECK(p.base.converged && p.base.iterations <= 4);
        for (int i = 0; i < 3; i++) CHECK_NEAR(m.contact[0].I[i], I[i], 1e-11);
        check_result(&m, &p, 1e-13);
        balls += p.packs[TL_BALLS3];
        free_model(&m);
    }
    CHECK(balls > PROBLEMS / 4 && balls < PROBLEMS); /* of 2 PROBLEMS balls, those on walls at rest that are not tied: three eighths */
}

TEST(chains)
{
    rnd = tl_random_seed(52);
    int stuck = 0;
    for (int k = 0; k < PROBLEMS; k++) {
        const int contacts = 1 + tl_random_int(&rnd, 6);
        model m = k % 2 ? ball_chain(contacts, true) : random_chain(contacts, true);
        tl_step step = a_step(&m, threads);
        const tl_problem3 p = solved(&m, &step);
        if (!p.base.converged && stuck++ < 3) printf("residual %g after %d, %d contacts\n", p.base.residual, p.base.iterations, m.contacts);
        check_result(&m, &p, 1e-11);
        free_model(&m);
    }
    CHECK(stuck == 0);
}

/* With e = 0 and walls at rest contacts only take, to the residual times the impulses. */
TEST(contacts_take_energy)
{
    rnd = tl_random_seed(53);
    for (int k = 0; k < PROBLEMS; k++) {
        const int contacts = 1 + tl_random_int(&rnd, 6);
        model m = k / 2 % 2 ? ball_chain(contacts, k % 2) : random_chain(contacts, k % 2);
        double impulses = 0;
        m.max_iterations = 2000;
        for (int i = 0; i < m.contacts; i++) bounce(&m, &m.contact[i], 0), m.contact[i].gap = fmin(m.contact[i].gap, 0);
        for (int i = 0; i < m.bodies; i++)
            if (m.inverse_mass[i] == 0) m.v[i] = (tl_twist3){{0, 0, 0}, {0, 0, 0}};
        tl_step step = a_step(&m, threads);
        const tl_problem3 p = solved(&m, &step);
        tl_twist3 *v = own_velocities(&m);
        for (int i = 0; i < m.contacts; i++) impulses += fabs(m.contact[i].I[0]) + fabs(m.contact[i].I[1]) + fabs(m.contact[i].I[2]);
        const double before = kinetic(&m, m.v), after = kinetic(&m, v);
        if (!(after <= before * (1 + 1e-13) + 3 * p.base.residual * impulses)) TEST_FAIL("%d: kinetic energy %.15g of %.15g", k, after, before);
        free(v);
        free_model(&m);
    }
}

/* ---- the plane in space --------------------------------------------------------------------------------------------- */

/* What the planar problem of the same numbers is made of. */
typedef struct flat_model {
    tl_contact contact[8];
    tl_twist2 v[8], before[8];
    double inverse_inertia[8];
    double *none[1];
} flat_model;

/* The chain again, flat; and the planar problem of the same numbers, unsolved. */
static tl_problem2 flatten(model *m, flat_model *f, tl_step *step)
{
    tl_twist2 *sets[2] = {f->v, f->before};
    f->none[0] = NULL;
    for (int i = 0; i < m->bodies; i++) {
        tl_twist3 *spatial[2] = {&m->v[i], &m->before[i]};
        m->frame[i].R = tl_mat3_identity();
        m->frame[i].p = tl_v3(m->frame[i].p.x, m->frame[i].p.z, 0);
        for (int set = 0; set < 2; set++) {
            const tl_twist3 old = *spatial[set];
            sets[set][i] = (tl_twist2){old.v.x, old.v.y, old.w.z};
            *spatial[set] = (tl_twist3){tl_v3(old.v.x, old.v.y, 0), tl_v3(0, 0, old.w.z)};
        }
        f->inverse_inertia[i] = m->inverse_inertia[i].z;
    }
    for (int i = 0; i < m->contacts; i++) {
        tl_contact *c = &m->contact[i];
        for (int side = 0; side < 2; side++) c->arm[side] = tl_v3(c->arm[side].x, c->arm[side].z, 0);
        c->n = tl_normalize(tl_v3(c->n.x, c->n.z, 0));
        memset(c->I, 0, sizeof c->I);
        f->contact[i] = (tl_contact){.key = c->key,
                                     .a = {0, c->a.item},
                                     .b = {0, c->b.item},
                                     .arm = {c->arm[0], c->arm[1]},
                                     .n = c->n,
                                     .gap = c->gap,
                                     .law = c->law,
                                     .struck = c->struck};
    }
    tl_problem2 flat = {.base.bodies = m->bodies,
                        .v_free = f->v,
                        .v_before = f->before,
                        .base.inverse_mass = m->inverse_mass,
                        .inverse_inertia = f->inverse_inertia,
                        .base.v = f->none,
                        .base.matters = 1,
                        .base.contact = f->contact,
                        .base.contacts = m->contacts,
                        .base.h = m->h,
                        .base.solver = settings_of(m)};
    CHECK_OK(tl_problem2_bind(&flat, step), error_text.text);
    CHECK_OK(tl_problem2_color(&flat, step), error_text.text);
    return flat;
}

/* Velocities of bodies and their spins differ by no more than this; v.z, w.x, w.y of the one in space are zero to rounding. */
static void agree(const model *m, const flat_model *f, const tl_problem3 *p, const tl_problem2 *flat, const double within[2])
{
    for (int i = 0; i < m->bodies; i++) {
        const tl_twist3 got = tl_problem3_velocity(p, i);
        const double s = sqrt(m->inverse_mass[i]), j = sqrt(f->inverse_inertia[i]);
        const bool moves = m->inverse_mass[i] > 0;
        CHECK_NEAR(got.v.x, moves ? s * flat->row[i].x : f->v[i].x, within[0]);
        CHECK_NEAR(got.v.y, moves ? s * flat->row[i].y : f->v[i].y, within[0]);
        CHECK_NEAR(got.w.z, moves ? j * flat->row[i].w : f->v[i].w, within[1]);
        CHECK_NEAR(fabs(got.v.z) + fabs(got.w.x) + fabs(got.w.y), 0, 1e-12);
    }
}

TEST(planar_problems)
{
    rnd = tl_random_seed(54);
    int compared = 0;
    for (int k = 0; k < PROBLEMS; k++) {
        model m = random_chain(1 + tl_random_int(&rnd, 4), true);
        flat_model f;
        tl_step step = a_step(&m, threads);
        tl_problem2 flat = flatten(&m, &f, &step);
        const tl_problem3 p = solved(&m, &step);
        CHECK_OK(tl_problem_solve(&flat.base, &step), error_text.text);
        compared += p.base.converged && flat.base.converged;
        /* the tolerance over the smallest eigenvalue of a chain's W, above 1e-4, relative to W of order one */
        if (p.base.converged && flat.base.converged) agree(&m, &f, &p, &flat, (const double[2]){1e-7, 1e-6});
        free_model(&m);
    }
    CHECK(compared > PROBLEMS * 99 / 100);
}

/* Sweeps are the same in the plane and in space, also where their momentum starts anew: contacts of chains are solved in one order, so velocities are the
 * same after each sweep, to rounding. The second can turn back, which shows in the third; more of them end otherwise in space (tl_sweeps.settles). */
TEST(planar_sweeps)
{
    enum { SWEEPS = 3 };
    rnd = tl_random_seed(59);
    for (int k = 0; k < PROBLEMS; k++) {
        model m = random_chain(2 + tl_random_int(&rnd, 3), true);
        flat_model f;
        m.tolerance = 0, m.max_iterations = SWEEPS;
        tl_step step = a_step(&m, threads);
        tl_problem2 flat = flatten(&m, &f, &step);
        tl_problem3 p = bound(&m, &step);
        CHECK_OK(tl_nlgs2_sweep(&flat, &step), error_text.text);
        CHECK_OK(tl_nlgs3_sweep(&p, &step), error_text.text);
        agree(&m, &f, &p, &flat, (const double[2]){1e-12, 1e-12}); /* of velocities of order one, by some hundred operations */
        free_model(&m);
    }
}

/* ---- things that are known ------------------------------------------------------------------------------------------ */

static const double G = 9.81;

/* A box on its four lower corners: half sides a, c; R turns its z axis to the plane's normal. */
static int add_box(model *m, int below, double mass, double a, double c, tl_vec3 at, const tl_mat3 *R, double friction)
{
    const tl_vec3 inertia = tl_v3(mass * (a * a + c * c) / 3, mass * (a * a + c * c) / 3, mass * 2 * a * a / 3);
    const int box = add_body(m, mass, inertia, at, *R);
    m->v[box].v = tl_v3(0, 0, -G * m->h);
    for (int corner = 0; corner < 4; corner++) {
        const tl_vec3 r = tl_mat3_apply(R, tl_v3(corner & 1 ? a : -a, corner & 2 ? a : -a, -c));
        add_contact(m, below, box, tl_add(at, r), tl_mat3_apply(R, tl_v3(0, 0, 1)), friction);
    }
    return box;
}

/* The floor of each storey carries what stands on it. */
TEST(tower)
{
    rnd = tl_random_seed(55);
    model m = new_model(4, 12);
    const tl_mat3 R = tl_mat3_rotation(tl_v3(0, 0, 1), 0.4);
    int below = add_body(&m, 0, tl_v3(0, 0, 0), tl_v3(0, 0, 0), tl_mat3_identity());
    for (int i = 0; i < 3; i++) below = add_box(&m, below, 1 + i, 0.5, 0.5, tl_v3(0, 0, 0.5 + i), &R, 0.4);
    m.tolerance = 1e-14;
    tl_step step = a_step(&m, threads);
    const tl_problem3 p = solved(&m, &step);
    CHECK(p.base.converged);
    check_result(&m, &p, 1e-13);
    for (int i = 0; i < 3; i++) {
        double sum = 0, above = 0;
        for (int k = i; k < 3; k++) above += 1 + k;
        for (int k = 4 * i; k < 4 * i + 4; k++) sum += m.contact[k].I[0];
        CHECK_NEAR(sum, above * G * m.h, 1e-12 * 6); /* tolerance × mass, and three storeys */
        CHECK_NEAR(tl_norm(tl_problem3_velocity(&p, i + 1).v), 0, 1e-12);
    }
    free_model(&m);
}

/* tan α = μ is the threshold, in every direction; beyond it the block gains g h (sin α − μ cos α). */
TEST(incline)
{
    for (int k = 0; k < 48; k++) {
        const double azimuth = 2 * TL_PI * k / 12 + 0.1 * (k / 12), mu = 0.5, threshold = atan(mu), slope = threshold + (k % 2 ? 1e-3 : -1e-3) * (1 + k);
        model m = new_model(2, 4);
        const tl_mat3 R = tl_mat3_rotation(tl_v3(-sin(azimuth), cos(azimuth), 0), slope);
        const int plane = add_body(&m, 0, tl_v3(0, 0, 0), tl_v3(0, 0, 0), tl_mat3_identity());
        add_box(&m, plane, 2, 0.5, 0.1, tl_mat3_apply(&R, tl_v3(0, 0, 0.1)), &R, mu);
        tl_step step = a_step(&m, threads);
        const tl_problem3 p = solved(&m, &step);
        CHECK(p.base.converged);
        check_result(&m, &p, 1e-13);
        const tl_twist3 v = tl_problem3_velocity(&p, 1);
        const double gain = slope > threshold ? G * m.h * (sin(slope) - mu * cos(slope)) : 0;
        const tl_vec3 down = tl_mat3_apply(&R, tl_v3(cos(azimuth), sin(azimuth), 0));
        CHECK_NEAR(tl_norm(tl_sub(v.v, tl_scale(gain, down))), 0, 1e-10); /* the tolerance over the smallest eigenvalue, a hundredth */
        free_model(&m);
    }
}

TEST(sphere_on_four)
{
    for (int rough = 0; rough < 2; rough++) {
        model m = new_model(5, 4);
        const double mass = 0.3, r = 0.05, j = 0.4 * mass * r * r;
        const int top = add_body(&m, mass, tl_v3(j, j, j), tl_v3(0, 0, 0), tl_mat3_rotation(tl_v3(0, 1, 0), 1));
        m.v[top].v = tl_v3(0, 0, -G * m.h);
        for (int i = 0; i < 4; i++) {
            const tl_vec3 n = tl_normalize(tl_v3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, sqrt(2)));
            const int other = add_body(&m, 0, tl_v3(0, 0, 0), tl_scale(-2 * r, n), tl_mat3_identity());
            if (i % 2) add_contact(&m, other, top, tl_scale(-r, n), n, 0.5 * rough);
            else add_contact(&m, top, other, tl_scale(-r, n), tl_scale(-1, n), 0.5 * rough);
        }
        tl_step step = a_step(&m, threads);
        const tl_problem3 p = solved(&m, &step);
        CHECK(p.base.converged);
        check_result(&m, &p, 1e-14);
        CHECK_NEAR(tl_norm(tl_problem3_velocity(&p, top).v), 0, 1e-11);
        for (int i = 0; !rough && i < 4; i++) CHECK_CLOSE(m.contact[i].I[0], mass * G * m.h / (4 * sqrt(0.5)), 1e-9);
        free_model(&m);
    }
}

/* Head-on: V_n⁺ = −e V_n⁻, momentum kept; parting spheres are let go. */
TEST(restitution)
{
    for (int k = 0; k < 20; k++) {
        model m = new_model(2, 1);
        const double e = k / 19.0, mass[2] = {1, 1.0 + k}, sign = k % 5 == 4 ? -1 : 1;
        const tl_vec3 n = tl_normalize(tl_v3(1, k, 2 - k));
        for (int i = 0; i < 2; i++) {
            const double j = 0.4 * mass[i];
            add_body(&m, mass[i], tl_v3(j, j, j), tl_scale(2 * i, n), tl_mat3_identity());
            m.v[i].v = m.before[i].v = tl_scale(i ? -sign : 2 * sign, n);
        }
        tl_contact *c = add_contact(&m, 0, 1, n, n, 0.3);
        bounce(&m, c, e);
        c->gap = -1e-6;
        tl_step step = a_step(&m, threads);
        const tl_problem3 p = solved(&m, &step);
        CHECK_NEAR(c->V[0], sign > 0 ? 3 * e : 3, 1e-14);
        const tl_vec3 a = tl_problem3_velocity(&p, 0).v, b = tl_problem3_velocity(&p, 1).v;
        CHECK_NEAR(tl_dot(n, tl_add(tl_scale(mass[0], a), tl_scale(mass[1], b))), sign * (2 * mass[0] - mass[1]), 1e-13 * (1 + mass[1]));
        free_model(&m);
    }
}

/* A fifth of three slops and all beyond: positions only. */
TEST(drift)
{
    for (int swap = 0; swap < 2; swap++) {
        model m = new_model(2, 1);
        const tl_vec3 up = tl_v3(0, 0, 1);
        add_body(&m, 0, tl_v3(0, 0, 0), tl_v3(0, 0, 0), tl_mat3_identity());
        add_body(&m, 2, tl_v3(1, 2, 3), up, random_rotation());
        tl_contact *c = swap ? add_contact(&m, 1, 0, tl_v3(0, 0, 0), tl_scale(-1, up), 0.5) : add_contact(&m, 0, 1, tl_v3(0, 0, 0), up, 0.5);
        m.slop = 1e-4;
        c->gap = -1e-3;
        tl_step step = a_step(&m, threads);
        tl_problem3 p = solved(&m, &step);
        tl_twist3 w[2] = {{{0, 0, 0}, {0, 0, 0}}};
        double *none[1] = {NULL};
        CHECK_OK(tl_drift3_solve(&p, &step, w, none), error_text.text);
        CHECK_NEAR(m.h * w[1].v.z, 6e-4 + 0.2 * 3e-4, 1e-15);
        CHECK_NEAR(tl_norm(tl_problem3_velocity(&p, 1).v), 0, 1e-15);
        CHECK(tl_norm(w[0].v) == 0 && tl_norm(w[1].w) < 1e-15);
        free_model(&m);
    }
}

/* ---- a link of a mechanism -------------------------------------------------------------------------------------------- */

/* A pendulum about the z axis through 0, its arm along x. */
static tl_matter *pendulum(double mass, double inertia, double arm, double spin)
{
    tl_mechanism *m = tl_mechanism_create(tl_memory_default(), "pendulum", false);
    int link, joint;
    talus_link_def l = {.struct_size = sizeof l, .mass = mass, .centre_of_mass = {arm, 0, 0}, .inertia = {inertia, inertia, inertia}};
    talus_joint_def j = {
        .struct_size = sizeof j, .kind = TALUS_JOINT_REVOLUTE, .parent_quat = {1, 0, 0, 0}, .axis = {0, 0, 1}, .axis2 = {1, 0, 0}, .velocity = {spin}};
    if (!m) exit(1);
    CHECK_OK(tl_mechanism_add_link(m, &l, &link, &error_text), error_text.text);
    CHECK_OK(tl_mechanism_add_joint(m, &j, -1, link, &joint, &error_text), error_text.text);
    const char *warnings = "";
    tl_matter *matter = tl_mechanism_matter(m);
    CHECK_OK(matter->ops->assemble(matter, 0, &warnings, &error_text), error_text.text);
    return matter;
}

/* A grain hits it: angular momentum about the axis is kept, V_n turns round, W is what unit impulses do and positive semidefinite. */
TEST(link_hit_by_a_grain)
{
    rnd = tl_random_seed(56);
    for (int k = 0; k < 50; k++) {
        const double mass = 2, inertia = 0.1, arm = 0.5, spin = 0.5, e = k % 3 ? 0.4 : 0;
        model m = new_model(1, 1);
        m.h = 1e-9; /* so short that nothing turns */
        m.matter = pendulum(mass, inertia, arm, spin);
        const tl_vec3 x = tl_v3(0.8, 0.05, 0.02), n = tl_normalize(tl_add(tl_v3(0, 1, 0), random_vector(0.3)));
        const double grain = 0.5;
        add_body(&m, grain, tl_v3(0.01, 0.02, 0.03), tl_add(x, tl_add(tl_scale(0.1, n), random_vector(0.01))), random_rotation());
        m.v[0] = m.before[0] = (tl_twist3){tl_add(tl_scale(-2, n), random_vector(0.5)), random_vector(1)};
        tl_contact *c = add_contact(&m, 0, 0, x, k % 2 ? n : tl_scale(-1, n), 0.4);
        c->a.matter = k % 2 ? 1 : 0, c->b.matter = k % 2 ? 0 : 1;
        bounce(&m, c, e);
        c->gap = -1e-9;
        tl_step step = a_step(&m, threads);
        CHECK_OK(tl_moreau_predict(m.matter, &step), error_text.text);
        CHECK(m.matter->nv == 1);
        double v[1] = {m.matter->v_free[0]};
        m.v_matter = v;
        const double free_spin = v[0];
        const tl_vec3 link_velocity = tl_cross(tl_v3(0, 0, free_spin), x);
        const double approach = tl_dot(n, tl_sub(point_velocity(&m, 0, x, m.v), link_velocity));
        const tl_problem3 p = solved(&m, &step);
        CHECK(p.base.converged && p.base.coupleds == 1 && p.all_packs == 0);
        CHECK_NEAR(c->V[0], -e * approach, 1e-8); /* the link turned by 1e-9 · spin */
        const tl_twist3 after = tl_problem3_velocity(&p, 0);
        const tl_vec3 r = m.frame[0].p, j = m.inverse_inertia[0];
        const tl_vec3 dw = tl_sub(after.w, m.v[0].w), dL = tl_mat3_apply(&m.frame[0].R, tl_v3(dw.x / j.x, dw.y / j.y, dw.z / j.z));
        const tl_vec3 dp = tl_scale(grain, tl_sub(after.v, m.v[0].v));
        CHECK_NEAR((inertia + mass * arm * arm) * (v[0] - free_spin) + dL.z + tl_cross(r, dp).z, 0, 1e-8);
        CHECK(fabs(v[0] - free_spin) > 1e-3);
        const tl_delassus3 *W = &p.base.coupled[0].space.W;
        double A[9] = {W->nn, W->nt, W->ns, W->nt, W->tt, W->ts, W->ns, W->ts, W->ss};
        CHECK(tl_cholesky(A, 3) == 3);
        const tl_vec3 lever = tl_cross(x, n);
        double own = 1 / grain + lever.z * lever.z / (inertia + mass * arm * arm);
        const tl_vec3 moment = tl_mat3_apply_t(&m.frame[0].R, tl_cross(tl_sub(x, r), n));
        own += j.x * moment.x * moment.x + j.y * moment.y * moment.y + j.z * moment.z * moment.z;
        CHECK_CLOSE(W->nn, own, 1e-8);
        tl_problem_accumulate(&p.base);
        CHECK_OK(tl_moreau_finish(m.matter, &step, v, NULL), error_text.text);
        m.matter->ops->destroy(m.matter);
        free_model(&m);
    }
}

/* ---- a packing, large problems ---------------------------------------------------------------------------------------- */

/* Bodies near the places of a lattice in a box of five walls, touching their neighbours: spheres; or stones, whose contacts are off the line of centres. */
static model packing(int side, int height, bool stones)
{
    const int n = side * side * height;
    model m = new_model(n + 2, 4 * n + 1 + side * side); /* with room for a plate on top */
    const double radius = 0.01;
    const int wall = add_body(&m, 0, tl_v3(0, 0, 0), tl_v3(0, 0, 0), tl_mat3_identity());
    for (int i = 0; i < n; i++) {
        const double r = radius * uniform(0.7, 1), mass = 4.19 * 2600 * r * r * r, j = 0.4 * mass * r * r;
        const tl_vec3 at = tl_v3(2 * radius * (i % side + 1), 2 * radius * (i / side % side + 1), 2 * radius * (i / side / side + 1));
        const tl_vec3 inertia = stones ? tl_scale(j, random_between(0.7, 1.3)) : tl_v3(j, j, j);
        const tl_vec3 place = tl_add(at, random_vector(0.3 * radius));
        const tl_mat3 R = random_rotation();
        const int k = add_body(&m, mass, inertia, place, R);
        m.radius[k] = stones ? 0 : r;
        m.v[k].v = tl_v3(0, 0, -9.81 * m.h);
    }
    const int stride[3] = {1, side, side * side}, length[3] = {side, side, height};
    for (int i = 0; i < n; i++)
        for (int axis = 0; axis < 3; axis++)
            for (int up = 0; up < 2; up++) {
                const int place = i / stride[axis] % length[axis];
                const double sign = up ? 1 : -1, off = stones ? 0.1 * radius : 0;
                const bool last = place == (up ? length[axis] - 1 : 0);
                if ((!last && !up) || (last && up && axis == 2)) continue; /* from below; no lid */
                const tl_vec3 p = m.frame[i + 1].p, e = tl_v3(sign * (axis == 0), sign * (axis == 1), sign * (axis == 2));
                const tl_vec3 to = last ? tl_scale(2 * radius, e) : tl_sub(m.frame[i + 1 + stride[axis]].p, p);
                const tl_vec3 x = tl_add(tl_add(p, tl_scale(0.5, to)), random_vector(off)), n1 = tl_normalize(tl_add(to, random_vector(2 * off)));
                tl_contact *c = last ? add_contact(&m, wall, i + 1, x, tl_scale(-1, n1), 0.5) : add_contact(&m, i + 1, i + 1 + stride[axis], x, n1, 0.5);
                for (int end = 0; end < 2 && !stones; end++) { /* spheres are met at their surface */
                    const int k = end ? c->b.item : c->a.item;
                    if (k != wall) meet_end(&m, c, end, tl_add(m.frame[k].p, tl_scale(end ? -m.radius[k] : m.radius[k], c->n)));
                }
            }
    return m;
}

/* `count` small grains on a plate. Returns their weight / G. */
static double load_plate(model *m, int plate, int count, double friction)
{
    double sum = 0;
    const int row = (int)ceil(sqrt(count));
    for (int i = 0; i < count; i++) {
        const double r = 0.05, mass = uniform(1, 2), j = 0.4 * mass * r * r;
        const tl_vec3 off = tl_v3(-0.9 + 1.8 * (i % row) / (row - 1), -0.9 + 1.8 * (i / row) / (double)(row - 1), 0.1), up = tl_v3(0, 0, 1);
        const tl_vec3 x = tl_add(m->frame[plate].p, off);
        const int k = add_body(m, mass, tl_v3(j, j, j), tl_add(x, tl_scale(r, up)), tl_mat3_identity());
        m->v[k].v = tl_v3(0, 0, -G * m->h);
        if (i % 2) add_contact(m, plate, k, x, up, friction);
        else add_contact(m, k, plate, x, tl_scale(-1, up), friction);
        sum += mass;
    }
    return sum;
}

/* More contacts on one body than there are colours, and it is heavier than all that touches it (hub.h): it is split, and no contact is left over. */
TEST(crowded_plate)
{
    enum { GRAINS = 400 };
    rnd = tl_random_seed(57);
    model m = new_model(2 + GRAINS, 4 + GRAINS);
    const tl_mat3 R = tl_mat3_identity();
    const int floor = add_body(&m, 0, tl_v3(0, 0, 0), tl_v3(0, 0, 0), R), plate = add_box(&m, floor, 1000, 1, 0.1, tl_v3(0, 0, 0.1), &R, 0.5);
    const double weight = 1000 + load_plate(&m, plate, GRAINS, 0.3);
    m.tolerance = 1e-10;
    tl_step step = a_step(&m, threads);
    const tl_problem3 p = solved(&m, &step);
    CHECK(p.base.converged);
    CHECK(p.splits == 1 && p.parts[plate] == (GRAINS + 4 + 31) / 32);
    CHECK(p.color.begin[TL_STONES3][TL_COLORS] == p.packs[TL_STONES3] && p.packs[TL_BALLS3] == 0 && p.color.colors <= 33);
    check_result(&m, &p, 1e-11);
    double sum = 0;
    for (int i = 0; i < 4; i++) sum += m.contact[i].I[0];
    CHECK_CLOSE(sum, weight * G * m.h, 1e-7); /* 1e-10 m/s × 1000 kg, some modes ten times softer */
    free_model(&m);
}

/* Two bodies that have all colours together: their contact is served last. A loaded plate, another with a third on top that the first runs into. */
TEST(no_color_left)
{
    enum { GRAINS = 40, POINTS = 19 };
    rnd = tl_random_seed(59);
    model m = new_model(4 + 2 * GRAINS, 8 + 2 * GRAINS + POINTS + 1);
    const tl_mat3 R = tl_mat3_identity();
    const int floor = add_body(&m, 0, tl_v3(0, 0, 0), tl_v3(0, 0, 0), R);
    const int first = add_box(&m, floor, 100, 1, 0.1, tl_v3(-3, 0, 0.1), &R, 0.5), second = add_box(&m, floor, 100, 1, 0.1, tl_v3(0, 0, 0.1), &R, 0.5);
    load_plate(&m, first, GRAINS, 0.3);
    load_plate(&m, second, GRAINS, 0.3);
    const int third = add_body(&m, 20, tl_v3(7, 7, 13), tl_v3(0, 0, 0.3), R);
    m.v[first].v.x = 0.5;
    m.v[third].v = tl_v3(0, 0, -G * m.h);
    for (int i = 0; i < POINTS; i++) add_contact(&m, second, third, tl_v3(uniform(-1, 1), uniform(-1, 1), 0.2), tl_v3(0, 0, 1), 0.5)->points = POINTS;
    add_contact(&m, first, third, tl_v3(-1.5, 0, 0.25), tl_v3(1, 0, 0), 0.5);
    m.tolerance = 1e-10;
    tl_step step = a_step(&m, threads);
    const tl_problem3 p = solved(&m, &step);
    CHECK(p.base.converged && p.splits == 0);
    const int tail = p.color.begin[TL_STONES3][TL_COLORS];
    CHECK(tail == p.packs[TL_STONES3] - 1 && p.packs[TL_BALLS3] == 0 && p.base.lane[tail * TL_LANES] == m.contacts - 1);
    CHECK(m.contact[m.contacts - 1].I[0] > 0);
    check_result(&m, &p, 1e-11);
    free_model(&m);
}

static int add_ball(model *m, double radius, double mass, tl_vec3 at)
{
    const double j = 0.4 * mass * radius * radius;
    const int i = add_body(m, mass, tl_v3(j, j, j), at, tl_mat3_identity());
    m->radius[i] = radius;
    return i;
}

/* A light sphere between heavy ones with which it has no colour in common: their contacts all change its velocity, and are served one after the other.
 * Side by side they would take eight hundred sweeps instead of ninety. */
TEST(no_color_left_among_spheres)
{
    enum { HEAVY = 10, GRAINS = 44, POINTS = 19 };
    rnd = tl_random_seed(60);
    model m = new_model(1 + HEAVY * (1 + GRAINS), HEAVY * GRAINS + POINTS + HEAVY - 1);
    const int light = add_ball(&m, 1, 0.1, tl_v3(0, 0, 0));
    m.v[light].v = random_vector(1);
    m.v[light].w = random_vector(1);
    int heavy[HEAVY];
    tl_vec3 way[HEAVY];
    for (int i = 0; i < HEAVY; i++) {
        way[i] = tl_normalize(tl_add(tl_v3(0, 0, 3), random_vector(1)));
        heavy[i] = add_ball(&m, 1, 5, tl_scale(2, way[i]));
        m.v[heavy[i]].v = tl_scale(-1, way[i]);
        for (int k = 0; k < GRAINS; k++) {
            const tl_vec3 n = tl_normalize(random_vector(1)), centre = m.frame[heavy[i]].p;
            const int grain = add_ball(&m, 0.1, 0.1, tl_add(centre, tl_scale(1.1, n)));
            m.v[grain].v = tl_scale(-1, n);
            add_contact(&m, heavy[i], grain, tl_add(centre, n), n, 0.5);
        }
    }
    for (int k = 0; k < POINTS; k++) add_contact(&m, light, heavy[0], way[0], way[0], 0.5)->points = POINTS;
    for (int i = 1; i < HEAVY; i++) add_contact(&m, light, heavy[i], way[i], way[i], 0.5);
    m.tolerance = 1e-9;
    tl_step step = a_step(&m, threads);
    const tl_problem3 p = solved(&m, &step);
    CHECK(p.splits == 0 && p.packs[TL_STONES3] == 0 && p.color.begin[TL_BALLS3][TL_COLORS] == p.packs[TL_BALLS3] - (HEAVY - 1));
    CHECK(p.base.converged && p.base.iterations <= 200);
    check_result(&m, &p, 1e-11);
    free_model(&m);
}

static const int THREADS[4] = {1, 2, 3, 8};

/* So many threads that always work together. */
static tl_threads *team_of(int count)
{
    tl_threads *team = tl_threads_create(tl_memory_default(), count);
    if (!team) exit(1);
    tl_threads_always(team);
    return team;
}

/* Of all velocities and impulses. */
static uint64_t hash_of(const model *m, const tl_problem3 *p)
{
    uint64_t hash = tl_hash(p->row, (size_t)m->bodies * sizeof *p->row, 1);
    for (int i = 0; i < m->contacts; i++) hash = tl_hash(m->contact[i].V, sizeof m->contact[i].V, tl_hash(m->contact[i].I, sizeof m->contact[i].I, hash));
    return hash;
}

/* The same bits for any number of threads: stones, then spheres. */
TEST(any_number_of_threads)
{
    uint64_t first = 0;
    for (int k = 0; k < 8; k++) {
        rnd = tl_random_seed(58);
        tl_threads *several = team_of(THREADS[k % 4]);
        model m = packing(14, 14, k < 4);
        m.tolerance = 0;
        m.max_iterations = 40;
        tl_step step = a_step(&m, several);
        const tl_problem3 p = solved(&m, &step);
        CHECK(p.base.iterations == 40);
        const uint64_t hash = hash_of(&m, &p);
        if (k % 4 == 0) first = hash;
        CHECK(hash == first);
        tl_threads_destroy(several);
        free_model(&m);
    }
}

/* ---- domains ---------------------------------------------------------------------------------------------------------------- */

/* Grains of a domain are as many as of another and hang together: most contacts lie in one, though some grains are far away, and one nowhere. */
static void check_domains(const model *m, const tl_problem3 *p)
{
    const tl_domains *d = &p->base.domains;
    int *size = calloc((size_t)d->count, sizeof *size), between = 0, grains = 0;
    for (int i = 0; i < m->bodies; i++)
        if (d->of[i] >= 0) size[d->of[i]]++, grains++;
    CHECK(d->count >= 16 && grains == m->bodies - 1);
    for (int k = 0; k < d->count; k++) CHECK(abs(size[k] - grains / d->count) <= 1);
    for (int i = 0; i < m->contacts; i++) between += tl_domain_of(d, m->contact[i].a.item, m->contact[i].b.item) == d->count;
    CHECK(between > 0 && between < m->contacts / 4); /* cubes of 2000 grains, three contacts each: an eighth, and Morton's curve leaps */
    free(size);
}

/* Rows of the ends of a pack's lanes, empty ones among them. */
static const uint32_t *rows_of(const tl_problem3 *p, int family, int pack, int side)
{
    if (family == TL_BALLS3) return side ? p->ball[pack].b : p->ball[pack].a;
    return side ? p->pack[pack].b : p->pack[pack].a;
}

/* What has been seen of rows: the colour, and the pack of it, that was there last; the domain. */
typedef struct seen_row {
    int color, pack, domain;
} seen_row;

/* No two packs of a colour have a row in common, be it of a grain, of its part, at rest or for empty lanes; nor have packs of two domains. */
static int clashes(const tl_problem3 *p, seen_row *row, int at, int family)
{
    const int domains = p->base.domains.count, domain = at / (TL_COLORS + 1) + 1;
    int wrong = 0;
    for (int i = p->color.begin[family][at]; i < p->color.begin[family][at + 1]; i++)
        for (int lane = 0; lane < 2 * TL_LANES; lane++) {
            seen_row *r = &row[rows_of(p, family, i, lane % 2)[lane / 2] / sizeof *p->row];
            const int pack = 2 * i + family + 1;
            wrong += at % (TL_COLORS + 1) < TL_COLORS && r->color == at + 1 && r->pack != pack;
            wrong += domain <= domains && r->domain != 0 && r->domain != domain;
            r->color = at + 1, r->pack = pack;
            if (domain <= domains) r->domain = domain;
        }
    return wrong;
}

/* Every contact is in one lane, of its domain; rows are apart where threads may be. */
static void check_colors(const model *m, const tl_problem3 *p)
{
    seen_row *row = calloc((size_t)p->base.rows, sizeof *row);
    int *seen = calloc((size_t)m->contacts, sizeof *seen), wrong = 0;
    for (int at = 0; at < tl_colors_of(&p->color); at++)
        for (int family = 0; family < TL_FAMILIES; family++) {
            const int before = family ? p->packs[0] : 0;
            wrong += clashes(p, row, at, family);
            for (int i = TL_LANES * (before + p->color.begin[family][at]); i < TL_LANES * (before + p->color.begin[family][at + 1]); i++) {
                const int k = p->base.lane[i];
                if (k < 0) continue;
                seen[k]++;
                wrong += tl_domain_of(&p->base.domains, m->contact[k].a.item, m->contact[k].b.item) != at / (TL_COLORS + 1);
            }
        }
    for (int i = 0; i < m->contacts; i++) wrong += seen[i] != 1;
    CHECK(wrong == 0);
    free(seen), free(row);
}

/* V of all contacts are those of their impulses; no error of some of them is larger than the residual. */
static void check_velocities(const model *m, const tl_problem3 *p)
{
    tl_twist3 *v = own_velocities(m);
    double worst = 0;
    for (int i = 0; i < m->contacts; i++) {
        const tl_contact *c = &m->contact[i];
        double V[3];
        relative_velocity(m, c, v, V);
        for (int k = 0; k < 3; k++) worst = fmax(worst, fabs(c->V[k] - V[k]));
        if (i % 997 != 0) continue;
        const tl_delassus3 W = own_delassus(m, c);
        CHECK(tl_coulomb3_residual(&W, c->friction, V, c->I) <= p->base.residual + 1e-11);
    }
    CHECK_NEAR(worst, 0, 1e-12);
    free(v);
}

/* A plate on all grains of the uppermost layer, so that it is split, and every other grain no sphere any more. */
static model mixed_packing(int side, int height)
{
    model m = packing(side, height, false);
    for (int i = 0; i < m.bodies; i += 2) m.radius[i] = 0;
    const int first = m.bodies - side * side;
    const tl_vec3 middle = tl_scale(0.5, tl_add(m.frame[first].p, m.frame[m.bodies - 1].p)), up = tl_v3(0, 0, 1);
    const int plate = add_body(&m, 1000, tl_v3(10, 10, 20), tl_add(middle, tl_scale(0.01, up)), tl_mat3_identity());
    m.v[plate] = m.before[plate] = (tl_twist3){tl_v3(0, 0, -0.1), tl_v3(0, 0, 0)};
    for (int i = first; i < plate; i++) add_contact(&m, i, plate, tl_add(m.frame[i].p, tl_scale(m.radius[i] > 0 ? m.radius[i] : 0.009, up)), up, 0.5);
    return m;
}

/* Enough grains for domains, some of them flown far away: the same bits for any number of threads; and residuals and velocities are those of this file. */
TEST(domains)
{
    enum { SIDE_OF_MANY = 33, HEIGHT = 30 };
    uint64_t first = 0;
    for (int k = 0; k < 12; k++) {
        rnd = tl_random_seed(61);
        tl_threads *several = team_of(THREADS[k % 4]);
        model m = k < 8 ? packing(SIDE_OF_MANY, HEIGHT, k < 4) : mixed_packing(SIDE_OF_MANY, HEIGHT);
        tl_vec3 place[9];
        for (int i = 0; i < 9; i++) place[i] = m.contact[1000 * i].point, m.contact[1000 * i].point = tl_v3(i ? 1e9 : (double)NAN, 0, 0);
        m.tolerance = 0;
        m.max_iterations = 20;
        tl_step step = a_step(&m, several);
        tl_problem3 p = solved(&m, &step);
        for (int i = 0; i < 9; i++) m.contact[1000 * i].point = place[i];
        const uint64_t hash = hash_of(&m, &p);
        if (k % 4 == 0) {
            first = hash;
            if (k == 8) CHECK(p.splits == 1 && p.packs[TL_BALLS3] > 0 && p.packs[TL_STONES3] > 0);
            check_domains(&m, &p);
            check_colors(&m, &p);
            check_velocities(&m, &p);
        }
        CHECK(hash == first);
        tl_threads_destroy(several);
        free_model(&m);
    }
}

/* Of this process: others may be at work. */
static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

TEST(speed)
{
    for (int stones = 0; stones < 2; stones++) {
        rnd = tl_random_seed(41);
        model m = packing(SIDE, SIDE, stones);
        printf("%s: %d bodies, %d contacts;", stones ? "stones" : "spheres", m.bodies, m.contacts);
        tl_step step = a_step(&m, threads);
        tl_problem3 p = bound(&m, &step);
        printf(" %zu bytes a contact, %d colours, %.2f filled;", (stones ? sizeof(tl_pack3) : sizeof(tl_balls3)) / TL_LANES, p.color.colors,
               m.contacts / (8.0 * p.all_packs));
        for (int k = 2; k <= 4; k++) {
            for (int i = 0; i < m.contacts; i++) memset(m.contact[i].I, 0, sizeof m.contact[i].I);
            m.tolerance = pow(10, -k) * G * m.h;
            m.max_iterations = 2000;
            step = a_step(&m, threads);
            p = bound(&m, &step);
            const double start = cpu_seconds();
            CHECK_OK(tl_problem_solve(&p.base, &step), error_text.text);
            const double took = cpu_seconds() - start;
            CHECK(p.base.converged);
            printf(" 1e-%d: %d sweeps, %.3g s, %.1f ns;", k, p.base.iterations, took, 1e9 * took / p.base.iterations / m.contacts);
        }
        printf("\n");
        free_model(&m);
    }
}

int main(int argc, char **argv)
{
    arena = tl_arena_create(tl_memory_default(), 1 << 20);
    threads = tl_threads_create(tl_memory_default(), 1);
    if (!arena || !threads) return 1;
    RUN(one_contact);
    RUN(chains);
    RUN(contacts_take_energy);
    RUN(planar_problems);
    RUN(planar_sweeps);
    RUN(tower);
    RUN(incline);
    RUN(sphere_on_four);
    RUN(restitution);
    RUN(drift);
    RUN(link_hit_by_a_grain);
    RUN(crowded_plate);
    RUN(no_color_left);
    RUN(no_color_left_among_spheres);
    RUN(any_number_of_threads);
    RUN(domains);
    RUN(speed);
    return TEST_RESULT;
}
