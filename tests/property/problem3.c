/* Spatial contact problems as values: built by hand, solved, and judged by rows, W and residuals of this file's own (MECHANICS §1, §2, §5, §6.4). */
#include "law/law2.h"
#include "matter/mechanism.h"
#include "solve/problem2.h"
#include "solve/problem3.h"
#include "test.h"

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

static tl_vec3 random_vector(double size) { return tl_v3(uniform(-size, size), uniform(-size, size), uniform(-size, size)); }

static tl_mat3 random_rotation(void) { return tl_mat3_from_quat(tl_quat_normalize((tl_quat){uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)})); }

/* ---- problems ----------------------------------------------------------------------------------------------------- */

typedef struct model {
    int bodies, contacts;
    tl_frame *frame;
    tl_twist3 *v, *before;
    double *inverse_mass;
    tl_vec3 *inverse_inertia;
    tl_contact3 *contact;
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
    m.inverse_inertia = room((size_t)bodies, sizeof *m.inverse_inertia);
    m.contact = room((size_t)contacts, sizeof *m.contact);
    return m;
}

static void free_model(model *m)
{
    free(m->frame);
    free(m->v);
    free(m->before);
    free(m->inverse_mass);
    free(m->inverse_inertia);
    free(m->contact);
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

static tl_contact3 *add_contact(model *m, int a, int b, tl_vec3 x, tl_vec3 n, double friction)
{
    tl_contact3 *c = &m->contact[m->contacts];
    *c = (tl_contact3){.key = (uint64_t)m->contacts++, .a = {0, a}, .b = {0, b}, .x = x, .n = n, .friction = friction};
    return c;
}

static tl_step a_step(const model *m, tl_threads *of)
{
    tl_arena_reset(arena);
    return (tl_step){.h = m->h, .theta = 0.5, .arena = arena, .threads = of, .error = &error_text};
}

/* The problem of a model; lives until the next step of the arena. */
static tl_problem3 bound(model *m, tl_step *step)
{
    tl_problem3 p = {.bodies = m->bodies,
                     .frame = m->frame,
                     .v_free = m->v,
                     .v_before = m->before,
                     .inverse_mass = m->inverse_mass,
                     .inverse_inertia = m->inverse_inertia,
                     .matters = m->matter ? 2 : 1,
                     .contact = m->contact,
                     .contacts = m->contacts,
                     .h = m->h,
                     .slop = m->slop,
                     .tolerance = m->tolerance,
                     .max_iterations = m->max_iterations};
    tl_matter **matter = tl_arena_zero(arena, 2, sizeof *matter);
    double **v = tl_arena_zero(arena, 2, sizeof *v);
    if (!matter || !v) exit(1);
    matter[1] = m->matter, v[1] = m->v_matter;
    p.matter = matter, p.v = v;
    CHECK_OK(tl_problem3_bind(&p, step), error_text.text);
    CHECK_OK(tl_problem3_color(&p, step), error_text.text);
    return p;
}

static tl_problem3 solved(model *m, tl_step *step)
{
    tl_problem3 p = bound(m, step);
    CHECK_OK(tl_nlgs3_solve(&p, step), error_text.text);
    return p;
}

/* ---- rows and W of this file's own, in world axes --------------------------------------------------------------------- */

/* Velocity of body b at a contact's point, world axes. */
static tl_vec3 point_velocity(const model *m, int b, tl_vec3 x, const tl_twist3 *v)
{
    return tl_add(v->v, tl_cross(tl_mat3_apply(&m->frame[b].R, v->w), tl_sub(x, m->frame[b].p)));
}

static void axes_of(const tl_contact3 *c, tl_vec3 axis[3])
{
    axis[0] = c->n;
    tl_tangents(c->n, &axis[1], &axis[2]);
}

static void relative_velocity(const model *m, const tl_contact3 *c, const tl_twist3 *v, double V[3])
{
    tl_vec3 axis[3];
    axes_of(c, axis);
    const tl_vec3 d = tl_sub(point_velocity(m, c->b.item, c->x, &v[c->b.item]), point_velocity(m, c->a.item, c->x, &v[c->a.item]));
    for (int k = 0; k < 3; k++) V[k] = tl_dot(axis[k], d);
}

/* v += M⁻¹ H I for one contact. */
static void strike(const model *m, const tl_contact3 *c, const double I[3], tl_twist3 *v)
{
    tl_vec3 axis[3], P = tl_v3(0, 0, 0);
    axes_of(c, axis);
    for (int k = 0; k < 3; k++) P = tl_add(P, tl_scale(I[k], axis[k]));
    for (int side = 0; side < 2; side++) {
        const int b = side ? c->b.item : c->a.item;
        const tl_vec3 Q = tl_scale(side ? 1 : -1, P), moment = tl_mat3_apply_t(&m->frame[b].R, tl_cross(tl_sub(c->x, m->frame[b].p), Q)),
                      *j = &m->inverse_inertia[b];
        v[b].v = tl_add(v[b].v, tl_scale(m->inverse_mass[b], Q));
        v[b].w = tl_add(v[b].w, tl_v3(j->x * moment.x, j->y * moment.y, j->z * moment.z));
    }
}

static tl_delassus3 own_delassus(const model *m, const tl_contact3 *c)
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

static double own_shift(const model *m, const tl_contact3 *c)
{
    double before[3];
    relative_velocity(m, c, m->before, before);
    return (c->anticipated && c->gap > 0 ? c->gap / m->h : 0) + (before[0] < 0 ? c->restitution * before[0] : 0);
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
        const tl_contact3 *c = &m->contact[i];
        double V[3];
        relative_velocity(m, c, v, V);
        for (int k = 0; k < 3; k++) CHECK_NEAR(c->V[k], V[k], rounding);
        const tl_delassus3 W = own_delassus(m, c);
        V[0] += own_shift(m, c);
        worst = fmax(worst, tl_coulomb3_residual(&W, c->friction, V, c->I));
    }
    CHECK_NEAR(worst, p->residual, 3 * rounding);
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
        const tl_vec3 inertia = i % 3 == 0 ? tl_v3(j, j, j) : tl_v3(j * uniform(0.5, 2), j * uniform(0.5, 2), j * uniform(0.5, 2));
        add_body(&m, wall ? 0 : mass, inertia, tl_add(tl_v3(0, 0, i), random_vector(0.2)), random_rotation());
        m.v[i] = (tl_twist3){random_vector(1), random_vector(1)};
        m.before[i] = (tl_twist3){random_vector(1), random_vector(1)};
    }
    for (int i = 0; i < contacts; i++) {
        const int swap = tl_random_int(&rnd, 2);
        const tl_vec3 n = tl_normalize(tl_add(tl_v3(0, 0, swap ? -1 : 1), random_vector(0.5)));
        tl_contact3 *c =
            add_contact(&m, i + swap, i + 1 - swap, tl_add(tl_v3(0, 0, i + 0.5), random_vector(0.2)), n, tl_random_int(&rnd, 4) ? uniform(0, 1) : 0);
        c->gap = uniform(-0.1, 0.1) * m.h;
        c->anticipated = tl_random_int(&rnd, 2);
        c->restitution = tl_random_int(&rnd, 2) ? uniform(0, 1) : 0;
        for (int k = 0; k < 3; k++) c->I[k] = uniform(-0.1, 0.1); /* any first guess */
    }
    return m;
}

/* One contact: the solver's lanes give what the law gives. */
TEST(one_contact)
{
    rnd = tl_random_seed(51);
    for (int k = 0; k < 4 * PROBLEMS; k++) {
        model m = random_chain(1, true);
        const tl_delassus3 W = own_delassus(&m, &m.contact[0]);
        double u[3], I[3];
        relative_velocity(&m, &m.contact[0], m.v, u);
        u[0] += own_shift(&m, &m.contact[0]);
        tl_coulomb3_solve(&W, m.contact[0].friction, u, I);
        tl_step step = a_step(&m, threads);
        const tl_problem3 p = solved(&m, &step);
        CHECK(p.converged && p.iterations <= 4);
        for (int i = 0; i < 3; i++) CHECK_NEAR(m.contact[0].I[i], I[i], 1e-11);
        check_result(&m, &p, 1e-13);
        free_model(&m);
    }
}

TEST(chains)
{
    rnd = tl_random_seed(52);
    int stuck = 0;
    for (int k = 0; k < PROBLEMS; k++) {
        model m = random_chain(1 + tl_random_int(&rnd, 6), true);
        tl_step step = a_step(&m, threads);
        const tl_problem3 p = solved(&m, &step);
        if (!p.converged && stuck++ < 3) printf("residual %g after %d, %d contacts\n", p.residual, p.iterations, m.contacts);
        check_result(&m, &p, 1e-11);
        free_model(&m);
    }
    CHECK(stuck == 0);
}

/* ---- a packing, and how fast it is solved ----------------------------------------------------------------------------- */

/* Bodies near the places of a lattice in a box of five walls, touching their neighbours: spheres; or stones, whose contacts are off the line of centres. */
static model packing(int side, int height, bool stones)
{
    const int n = side * side * height;
    model m = new_model(n + 1, 4 * n + 1);
    const double radius = 0.01;
    const int wall = add_body(&m, 0, tl_v3(0, 0, 0), tl_v3(0, 0, 0), tl_mat3_identity());
    for (int i = 0; i < n; i++) {
        const double r = radius * uniform(0.7, 1), mass = 4.19 * 2600 * r * r * r, j = 0.4 * mass * r * r;
        const tl_vec3 at = tl_v3(2 * radius * (i % side + 1), 2 * radius * (i / side % side + 1), 2 * radius * (i / side / side + 1));
        const tl_vec3 inertia = stones ? tl_v3(j * uniform(0.7, 1.3), j * uniform(0.7, 1.3), j * uniform(0.7, 1.3)) : tl_v3(j, j, j);
        const int k = add_body(&m, mass, inertia, tl_add(at, random_vector(0.3 * radius)), random_rotation());
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
                if (last) add_contact(&m, wall, i + 1, x, tl_scale(-1, n1), 0.5);
                else add_contact(&m, i + 1, i + 1 + stride[axis], x, n1, 0.5);
            }
    return m;
}

TEST(speed)
{
    for (int stones = 0; stones < 2; stones++) {
        rnd = tl_random_seed(41);
        model m = packing(SIDE, SIDE, stones);
        printf("%s: %d bodies, %d contacts;", stones ? "stones" : "spheres", m.bodies, m.contacts);
        tl_step step = a_step(&m, threads);
        tl_problem3 p = bound(&m, &step);
        printf(" %zu bytes, %d colours, %.2f filled;", sizeof(tl_pack3) / TL_LANES, p.colors, m.contacts / (8.0 * p.packs));
        for (int k = 50; k <= 800; k *= 4) {
            for (int i = 0; i < m.contacts; i++) memset(m.contact[i].I, 0, sizeof m.contact[i].I);
            m.tolerance = 0;
            m.max_iterations = k;
            step = a_step(&m, threads);
            p = bound(&m, &step);
            p.acceptable = 1e3;
            const double start = tl_clock();
            CHECK_OK(tl_nlgs3_solve(&p, &step), error_text.text);
            const double took = tl_clock() - start;
            printf(" %d sweeps, %.3g, %.1f ns;", p.iterations, p.residual / (9.81 * m.h), 1e9 * took / p.iterations / m.contacts);
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
    RUN(speed);
    return TEST_RESULT;
}
