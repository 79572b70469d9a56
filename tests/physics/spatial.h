/* Words for spatial tests: worlds, shapes and readings in one line each, through the public interface only. z is up. */
#ifndef TALUS_TEST_SPATIAL_H
#define TALUS_TEST_SPATIAL_H

#include "talus/talus.h"
#include "test.h"

#define PI 3.14159265358979323846
static const double G = 9.81;

static inline talus_world_def lab(double h)
{
    talus_world_def d = talus_world_def_default();
    d.dimension = 3;
    d.gravity[2] = -G;
    d.step = h;
    d.solver.tolerance = 1e-10;
    d.solver.max_iterations = 100000;
    return d;
}

static inline talus_world *open_world(const talus_world_def *def)
{
    talus_world *w = NULL;
    char text[512] = "";
    CHECK_OK(talus_world_create(def, &w, text, sizeof text), text);
    if (!w) exit(1);
    return w;
}

static inline talus_material_id material(talus_world *w, double density)
{
    talus_material_def d = talus_material_def_default();
    talus_material_id id = {0};
    d.density = density;
    CHECK_OK(talus_material_create(w, &d, &id), talus_world_error(w));
    return id;
}

/* The law of all pairs. */
static inline void law(talus_world *w, double friction, double restitution)
{
    talus_interaction_def d = talus_interaction_def_default();
    const talus_material_id all = {0};
    d.friction = friction;
    d.restitution = restitution;
    CHECK_OK(talus_interaction_set(w, all, all, &d), talus_world_error(w));
}

/* q: rotation by an angle about an axis, which need not be unit. */
static inline void turn(double q[4], double angle, double x, double y, double z)
{
    const double n = sqrt(x * x + y * y + z * z), s = sin(angle / 2) / n;
    q[0] = cos(angle / 2), q[1] = s * x, q[2] = s * y, q[3] = s * z;
}

static inline talus_body_id add_body(talus_world *w, const talus_body_def *d)
{
    talus_body_id id = {0};
    CHECK_OK(talus_body_create(w, d, &id), talus_world_error(w));
    return id;
}

static inline void add_corners(talus_world *w, talus_body_id body, talus_material_id m, talus_shape_kind kind, const double (*corners)[3], int count,
                               double radius)
{
    talus_shape_def d = talus_shape_def_default();
    d.kind = kind;
    d.material = m;
    d.corners = corners;
    d.count = count;
    d.radius = radius;
    CHECK_OK(talus_body_add_shape(w, body, &d), talus_world_error(w));
}

/* Its speed is along x. */
static inline talus_body_id moving_sphere(talus_world *w, talus_material_id m, double x, double y, double z, double radius, double speed)
{
    talus_body_def d = talus_body_def_default();
    const double centre[1][3] = {{0, 0, 0}};
    d.position[0] = x, d.position[1] = y, d.position[2] = z, d.velocity[0] = speed;
    const talus_body_id id = add_body(w, &d);
    add_corners(w, id, m, TALUS_SHAPE_SPHERE, centre, 1, radius);
    return id;
}

static inline talus_body_id sphere(talus_world *w, talus_material_id m, double x, double y, double z, double radius)
{
    return moving_sphere(w, m, x, y, z, radius, 0);
}

static inline void add_box(talus_world *w, talus_body_id body, talus_material_id m, double a, double b, double c)
{
    double corner[8][3];
    for (int i = 0; i < 8; i++) corner[i][0] = i & 1 ? a / 2 : -a / 2, corner[i][1] = i & 2 ? b / 2 : -b / 2, corner[i][2] = i & 4 ? c / 2 : -c / 2;
    add_corners(w, body, m, TALUS_SHAPE_POLYHEDRON, (const double(*)[3])corner, 8, 0);
}

static inline talus_body_id box(talus_world *w, talus_material_id m, double x, double y, double z, double a, double b, double c)
{
    talus_body_def d = talus_body_def_default();
    d.position[0] = x, d.position[1] = y, d.position[2] = z;
    const talus_body_id id = add_body(w, &d);
    add_box(w, id, m, a, b, c);
    return id;
}

/* A fixed half-space through the origin. */
static inline talus_body_id ground(talus_world *w, talus_material_id m, double nx, double ny, double nz)
{
    talus_body_def d = talus_body_def_default();
    const double plane[2][3] = {{0, 0, 0}, {nx, ny, nz}};
    d.kind = TALUS_BODY_FIXED;
    const talus_body_id id = add_body(w, &d);
    add_corners(w, id, m, TALUS_SHAPE_HALF_SPACE, plane, 2, 0);
    return id;
}

/* A link on a vertical slide, its frame at that height. */
static inline talus_body_id ram_named(talus_world *w, const char *name, double mass, double height, double rate)
{
    talus_mechanism_id press = {0};
    talus_link_def d = talus_link_def_default();
    talus_joint_def j = talus_joint_def_default();
    talus_body_id link = {0};
    talus_joint_id slide = {0};
    CHECK_OK(talus_mechanism_create(w, name, &press), talus_world_error(w));
    d.mass = mass;
    for (int i = 0; i < 3; i++) d.inertia[i] = 1;
    CHECK_OK(talus_link_create(w, press, &d, &link), talus_world_error(w));
    j.kind = TALUS_JOINT_PRISMATIC;
    j.child = link;
    for (int i = 0; i < 3; i++) j.axis[i] = i == 2;
    j.position[0] = height;
    j.velocity[0] = rate;
    CHECK_OK(talus_joint_create(w, &j, &slide), talus_world_error(w));
    return link;
}

static inline talus_body_id ram(talus_world *w, double mass, double height, double rate) { return ram_named(w, "press", mass, height, rate); }

/* Three spheres and a box that meet on the ground, under a link on a slide that comes down on them. */
static inline void collision(talus_world *w, talus_material_id m)
{
    for (int i = 0; i < 4; i++) {
        talus_body_def b = talus_body_def_default();
        const double centre[1][3] = {{0, 0, 0}};
        b.position[0] = 0.205 * (i % 2), b.position[1] = 0.205 * (i > 1), b.position[2] = 0.1 + 0.002 * i;
        b.velocity[0] = i % 2 ? -0.4 : 0.5, b.velocity[1] = 0.2 - 0.1 * i, b.velocity[2] = -0.3;
        b.spin[0] = 2 - i, b.spin[2] = 1;
        if (i < 3) add_corners(w, add_body(w, &b), m, TALUS_SHAPE_SPHERE, centre, 1, 0.1);
        else add_box(w, add_body(w, &b), m, 0.2, 0.2, 0.2);
    }
    add_box(w, ram(w, 20, 0.27, -0.5), m, 1, 1, 0.1);
}

static inline void run(talus_world *w, int steps)
{
    for (int k = 0; k < steps; k++) {
        const talus_status status = talus_world_step(w, NULL);
        if (status == TALUS_OK) continue;
        TEST_FAIL("step %d: %s", k, talus_world_error(w));
        return;
    }
}

static inline void place(const talus_world *w, talus_body_id b, double x[3])
{
    double q[4];
    talus_body_pose(w, b, x, q);
}

static inline void motion(const talus_world *w, talus_body_id b, double v[3], double omega[3])
{
    const double origin[3] = {0, 0, 0};
    talus_body_velocity(w, b, origin, v, omega);
}

static inline double size3(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

/* Sum of the contact forces on a body, world axes, in the last step. */
static inline void contact_force(const talus_world *w, talus_body_id b, double f[3])
{
    f[0] = f[1] = f[2] = 0;
    for (int i = 0; i < talus_contact_count(w); i++) {
        talus_contact c;
        talus_contact_get(w, i, &c);
        const double sign = c.candidate.index1 == b.index1 ? 1 : c.antagonist.index1 == b.index1 ? -1 : 0;
        /* the tangents as documented: t = helper × n, s = n × t, helper the first axis that is not near n */
        const double *n = c.normal, e[3] = {fabs(n[0]) < 0.57, !(fabs(n[0]) < 0.57) && fabs(n[1]) < 0.57, !(fabs(n[0]) < 0.57) && !(fabs(n[1]) < 0.57)};
        double t[3] = {e[1] * n[2] - e[2] * n[1], e[2] * n[0] - e[0] * n[2], e[0] * n[1] - e[1] * n[0]};
        const double length = size3(t);
        for (int k = 0; k < 3; k++) t[k] /= length;
        const double s[3] = {n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2], n[0] * t[1] - n[1] * t[0]};
        for (int k = 0; k < 3; k++) f[k] += sign * (c.impulse[0] * n[k] + c.impulse[1] * t[k] + c.impulse[2] * s[k]) / talus_world_step_size(w);
    }
}

#endif
