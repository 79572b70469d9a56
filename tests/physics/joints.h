/* Words for tests of single joints and chains: bars and joints in one line each, a tight integrator for references, orders of convergence. */
#ifndef TALUS_TEST_JOINTS_H
#define TALUS_TEST_JOINTS_H

#include "physics/orders.h"
#include "physics/planar.h"

static const talus_body_id GROUND = {0};

/* ---- words ---- */

static inline talus_mechanism_id mechanism_named(talus_world *w, const char *name)
{
    talus_mechanism_id m = {0};
    CHECK_OK(talus_mechanism_create(w, name, &m), talus_world_error(w));
    return m;
}

static inline talus_mechanism_id mechanism(talus_world *w) { return mechanism_named(w, "machine"); }

/* A planar link: its centre of mass and its inertia about that. */
static inline talus_body_id bar(talus_world *w, talus_mechanism_id m, double mass, double inertia, double cx, double cy)
{
    talus_link_def d = talus_link_def_default();
    talus_body_id id = {0};
    d.mass = mass;
    d.inertia[2] = inertia;
    d.centre_of_mass[0] = cx, d.centre_of_mass[1] = cy;
    CHECK_OK(talus_link_create(w, m, &d, &id), talus_world_error(w));
    return id;
}

static inline talus_joint_id join(talus_world *w, const talus_joint_def *d)
{
    talus_joint_id id = {0};
    CHECK_OK(talus_joint_create(w, d, &id), talus_world_error(w));
    return id;
}

/* A link of this mass [kg] on a slide up and down. */
static inline talus_body_id ram(talus_world *w, double mass, double position, double velocity)
{
    talus_joint_def j = talus_joint_def_default();
    j.kind = TALUS_JOINT_PRISMATIC;
    j.child = bar(w, mechanism(w), mass, 1, 0, 0);
    j.axis[0] = 0, j.axis[1] = 1, j.axis[2] = 0;
    j.position[0] = position, j.velocity[0] = velocity;
    (void)join(w, &j);
    return j.child;
}

/* A pin at (x, y) of the parent and the child's origin. */
static inline talus_joint_id pin(talus_world *w, talus_body_id parent, double x, double y, talus_body_id child, double angle, double rate)
{
    talus_joint_def d = talus_joint_def_default();
    d.parent = parent, d.child = child;
    d.parent_point[0] = x, d.parent_point[1] = y;
    d.position[0] = angle;
    d.velocity[0] = rate;
    return join(w, &d);
}

/* A slide along x from the ground. */
static inline talus_joint_id slide(talus_world *w, talus_body_id child, double position, double rate)
{
    talus_joint_def d = talus_joint_def_default();
    d.kind = TALUS_JOINT_PRISMATIC;
    d.child = child;
    d.axis[0] = 1, d.axis[1] = d.axis[2] = 0;
    d.position[0] = position;
    d.velocity[0] = rate;
    return join(w, &d);
}

static inline void force(talus_world *w, talus_joint_id j, const talus_joint_force_def *d) { CHECK_OK(talus_joint_add_force(w, j, d), talus_world_error(w)); }

static inline double position(const talus_world *w, talus_joint_id j) { return talus_joint_position(w, j, 0); }

static inline double rate(const talus_world *w, talus_joint_id j) { return talus_joint_velocity(w, j, 0); }

static inline double energy(const talus_world *w)
{
    double kinetic, potential;
    talus_world_energy(w, &kinetic, &potential);
    return kinetic + potential;
}

#endif
