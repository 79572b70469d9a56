/* Words for tests of mechanisms: links, joints, loops and drives in one line each, through the public interface only. */
#ifndef TALUS_TEST_LINKAGE_H
#define TALUS_TEST_LINKAGE_H

#include "physics/planar.h"

static inline talus_mechanism_id mechanism(talus_world *w, const char *name)
{
    talus_mechanism_id id = {0, 0};
    CHECK_OK(talus_mechanism_create(w, name, &id), talus_world_error(w));
    return id;
}

static inline talus_body_id add_link(talus_world *w, talus_mechanism_id m, const char *name, double mass, double inertia, double cx, double cy)
{
    talus_link_def d = talus_link_def_default();
    talus_body_id id = {0, 0};
    d.name = name;
    d.mass = mass;
    d.inertia[2] = inertia;
    d.centre_of_mass[0] = cx, d.centre_of_mass[1] = cy;
    CHECK_OK(talus_link_create(w, m, &d, &id), talus_world_error(w));
    return id;
}

static const talus_body_id GROUND = {0, 0};

/* The child's origin hangs at (x, y) of the parent. */
static inline talus_joint_id add_joint(talus_world *w, const char *name, talus_joint_kind kind, talus_body_id parent, talus_body_id child,
                                       double x, double y, double position, double rate)
{
    talus_joint_def d = talus_joint_def_default();
    talus_joint_id id = {0, 0};
    d.name = name;
    d.kind = kind;
    d.parent = parent, d.child = child;
    d.parent_point[0] = x, d.parent_point[1] = y;
    if (kind == TALUS_JOINT_PRISMATIC) d.axis[0] = 1, d.axis[2] = 0;
    d.position[0] = position;
    d.velocity[0] = rate;
    CHECK_OK(talus_joint_create(w, &d, &id), talus_world_error(w));
    return id;
}

static inline talus_joint_id hinge(talus_world *w, const char *name, talus_body_id parent, talus_body_id child, double x, double y, double angle,
                                   double rate)
{
    return add_joint(w, name, TALUS_JOINT_REVOLUTE, parent, child, x, y, angle, rate);
}

/* A point of body a stays at a point of body b. */
static inline talus_loop_id pin(talus_world *w, talus_mechanism_id m, const char *name, talus_body_id a, double ax, double ay, talus_body_id b,
                                double bx, double by)
{
    talus_loop_def d = talus_loop_def_default();
    talus_loop_id id = {0, 0};
    d.name = name;
    d.body_a = a, d.body_b = b;
    d.point_a[0] = ax, d.point_a[1] = ay;
    d.point_b[0] = bx, d.point_b[1] = by;
    CHECK_OK(talus_loop_create(w, m, &d, &id), talus_world_error(w));
    return id;
}

static inline void constant_value(void *user, double t, double out[3])
{
    (void)t;
    out[0] = *(const double *)user, out[1] = out[2] = 0;
}

static inline talus_motion steady(const double *value)
{
    return (talus_motion){constant_value, (void *)(uintptr_t)value};
}

static inline void turn_at(talus_world *w, talus_joint_id joint, const double *speed)
{
    talus_drive_def d = talus_drive_def_default();
    d.speed = steady(speed);
    CHECK_OK(talus_joint_drive(w, joint, &d), talus_world_error(w));
}

static inline void push(talus_world *w, talus_joint_id joint, double force)
{
    talus_joint_force_def d = talus_joint_force_def_default();
    d.constant = force;
    CHECK_OK(talus_joint_add_force(w, joint, &d), talus_world_error(w));
}

static inline void step_once(talus_world *w)
{
    const talus_status status = talus_world_step(w, NULL);
    if (status != TALUS_OK) {
        TEST_FAIL("%s", talus_world_error(w));
        exit(1);
    }
}

static inline void run_for(talus_world *w, double time)
{
    for (int i = (int)lround(time / talus_world_step_size(w)); i > 0; i--) step_once(w);
}

static inline double total_energy(const talus_world *w)
{
    double kinetic, potential;
    talus_world_energy(w, &kinetic, &potential);
    return kinetic + potential;
}

/* An error that falls with the square of the step: the ratio of two errors at h and h/2. */
#define CHECK_SECOND_ORDER(coarse, fine)                                                                                       \
    do {                                                                                                                       \
        const double coarse_ = (coarse), fine_ = (fine);                                                                       \
        if (!(coarse_ > 3.4 * fine_ && fine_ > 0)) TEST_FAIL("errors %.4g and %.4g: not of second order", coarse_, fine_);     \
    } while (0)

#endif
