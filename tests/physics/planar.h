/* Words for planar tests: worlds, shapes and readings in one line each, through the public interface only. */
#ifndef TALUS_TEST_PLANAR_H
#define TALUS_TEST_PLANAR_H

#include "talus/talus.h"
#include "test.h"

#define PI 3.14159265358979323846
static const double G = 9.81;

/* Gravity down, theta = ½, and a contact tolerance far below anything the tests look at. */
static inline talus_world_def lab(double h)
{
    talus_world_def d = talus_world_def_default();
    d.gravity[1] = -G;
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

static inline talus_material_id material(talus_world *w, const char *name, double density)
{
    talus_material_def d = talus_material_def_default();
    talus_material_id id = {0};
    d.name = name;
    d.density = density;
    CHECK_OK(talus_material_create(w, &d, &id), talus_world_error(w));
    return id;
}

static inline void law_between(talus_world *w, talus_material_id a, talus_material_id b, double friction, double restitution, talus_activation activation)
{
    talus_interaction_def d = talus_interaction_def_default();
    d.friction = friction;
    d.restitution = restitution;
    d.activation = activation;
    CHECK_OK(talus_interaction_set(w, a, b, &d), talus_world_error(w));
}

/* The law of all pairs. */
static inline void law(talus_world *w, double friction, double restitution)
{
    const talus_material_id none = {0};
    law_between(w, none, none, friction, restitution, TALUS_ACTIVATION_AUTO);
}

static inline talus_body_id body(talus_world *w, talus_body_kind kind, double x, double y, double angle)
{
    talus_body_def d = talus_body_def_default();
    talus_body_id id = {0};
    d.kind = kind;
    d.position[0] = x;
    d.position[1] = y;
    d.angle = angle;
    CHECK_OK(talus_body_create(w, &d, &id), talus_world_error(w));
    return id;
}

static inline talus_body_id moving(talus_world *w, double x, double y, double vx, double vy, double spin)
{
    talus_body_def d = talus_body_def_default();
    talus_body_id id = {0};
    d.position[0] = x;
    d.position[1] = y;
    d.velocity[0] = vx;
    d.velocity[1] = vy;
    d.angular_velocity = spin;
    CHECK_OK(talus_body_create(w, &d, &id), talus_world_error(w));
    return id;
}

static inline void add_disk(talus_world *w, talus_body_id b, talus_material_id m, double x, double y, double radius)
{
    talus_shape_def d = talus_shape_def_default();
    d.material = m;
    d.radius = radius;
    d.points[0][0] = x;
    d.points[0][1] = y;
    CHECK_OK(talus_body_add_shape(w, b, &d), talus_world_error(w));
}

static inline void add_polygon(talus_world *w, talus_body_id b, talus_material_id m, int count, double points[][2], double radius)
{
    talus_shape_def d = talus_shape_def_default();
    d.kind = TALUS_SHAPE_POLYGON;
    d.material = m;
    d.radius = radius;
    d.count = count;
    for (int i = 0; i < count; i++) d.points[i][0] = points[i][0], d.points[i][1] = points[i][1];
    CHECK_OK(talus_body_add_shape(w, b, &d), talus_world_error(w));
}

/* A box about the body's origin, by its half sides. */
static inline void add_box(talus_world *w, talus_body_id b, talus_material_id m, double a, double c)
{
    double points[4][2] = {{-a, -c}, {a, -c}, {a, c}, {-a, c}};
    add_polygon(w, b, m, 4, points, 0);
}

static inline void add_half_plane(talus_world *w, talus_body_id b, talus_material_id m, double x, double y, double nx, double ny)
{
    talus_shape_def d = talus_shape_def_default();
    d.kind = TALUS_SHAPE_HALF_PLANE;
    d.material = m;
    d.count = 2;
    d.points[0][0] = x, d.points[0][1] = y;
    d.points[1][0] = nx, d.points[1][1] = ny;
    CHECK_OK(talus_body_add_shape(w, b, &d), talus_world_error(w));
}

/* A fixed half-plane. */
static inline talus_body_id wall(talus_world *w, talus_material_id m, double x, double y, double nx, double ny)
{
    const talus_body_id b = body(w, TALUS_BODY_FIXED, 0, 0, 0);
    add_half_plane(w, b, m, x, y, nx, ny);
    return b;
}

static inline talus_body_id free_disk(talus_world *w, talus_material_id m, double x, double y, double radius)
{
    const talus_body_id b = body(w, TALUS_BODY_FREE, x, y, 0);
    add_disk(w, b, m, 0, 0, radius);
    return b;
}

static inline talus_step_report step(talus_world *w)
{
    talus_step_report r = {0};
    const talus_status status = talus_world_step(w, &r);
    if (status != TALUS_OK) {
        TEST_FAIL("step: %s: %s", talus_status_name(status), talus_world_error(w));
        exit(1);
    }
    return r;
}

/* n steps, all of which must converge. */
static inline void run(talus_world *w, int n)
{
    for (int i = 0; i < n; i++) {
        const talus_step_report r = step(w);
        if (!r.converged) {
            TEST_FAIL("t = %g: residual %g m/s after %d sweeps", talus_world_time(w), r.residual, r.iterations);
            return;
        }
    }
}

/* x, y and angle of the body's origin. */
static inline void where(const talus_world *w, talus_body_id b, double q[3])
{
    double quaternion[4];
    talus_body_pose(w, b, q, quaternion);
    q[2] = talus_body_angle(w, b);
}

static inline double at(const talus_world *w, talus_body_id b, int axis)
{
    double q[3];
    where(w, b, q);
    return q[axis];
}

/* Velocity of the body's origin, and its spin. */
static inline double speed(const talus_world *w, talus_body_id b, int axis)
{
    double linear[3], angular[3];
    talus_body_velocity(w, b, (double[3]){0, 0, 0}, linear, angular);
    return axis == 2 ? angular[2] : linear[axis];
}

static inline bool same(talus_body_id a, talus_body_id b) { return a.index1 == b.index1; }

/* Impulse of the last step from body a on body b, in world axes, over all their contacts; returns their number. */
static inline int impulse_on(const talus_world *w, talus_body_id a, talus_body_id b, double out[2])
{
    int found = 0;
    out[0] = out[1] = 0;
    for (int i = 0; i < talus_contact_count(w); i++) {
        talus_contact c;
        talus_contact_get(w, i, &c);
        const bool forth = same(c.antagonist, a) && same(c.candidate, b), back = same(c.antagonist, b) && same(c.candidate, a);
        if (!forth && !back) continue;
        const double sign = forth ? 1 : -1;
        out[0] += sign * (c.normal[0] * c.impulse[0] - c.normal[1] * c.impulse[1]);
        out[1] += sign * (c.normal[1] * c.impulse[0] + c.normal[0] * c.impulse[1]);
        found++;
    }
    return found;
}

#endif
