/* Mechanisms in relative coordinates (theory §3, D20 §2.4-2.5): a tree of links hanging on joints, closed by loops.
 *
 * Every link is the child of exactly one joint; its parent is another link of the mechanism or the ground ({0}).
 * A joint's coordinates, in order, with their names:
 *     revolute     angle                          about the axis
 *     prismatic    position                       along the axis
 *     screw        angle                          about the axis, moving pitch × angle along it
 *     cylindrical  angle, position                about and along the axis
 *     universal    angle1, angle2                 about `axis` (fixed in the parent), then `axis2` (fixed in the child)
 *     planar       x, y, angle                    along two directions normal to the axis (`axis2` is the first), about the axis
 *     spherical    quaternion (w, x, y, z)        rates: angular velocity in the child's axes
 *     free         x, y, z, quaternion            along the joint's axes, parent's turned by `rotation`, then as spherical
 *     fixed        none
 * Loops, drives and forces name a joint and the number of its rate coordinate, 0 first.
 */
#ifndef TALUS_MECHANISM_H
#define TALUS_MECHANISM_H

#include "talus/types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TALUS_TERMS = 4 };

/* A coordinate in a sum of factor × coordinate. */
typedef struct talus_term {
    talus_joint_id joint;
    int coordinate;
    double factor; /* [1, m/rad, rad/m]: all products of a sum are in m, or all in rad */
} talus_term;

/* INPUT: a name used twice. */
TALUS_API TALUS_NODISCARD talus_status talus_mechanism_create(talus_world *world, const char *name, talus_mechanism_id *out);

typedef struct talus_link_def {
    uint32_t struct_size;
    const char *name;
    double mass;              /* ≥ 0 [kg]                                                                            */
    double inertia[6];        /* tensor about the centre of mass, link axes: xx, yy, zz, xy, xz, yz [kg m²]; planar: zz */
    double centre_of_mass[3]; /* in the link's axes, from its origin [m]                                            */
} talus_link_def;

TALUS_API talus_link_def talus_link_def_default(void);
/* Links carry shapes and loads as bodies do (talus_body_add_shape, talus_body_add_load).
 * INPUT: negative mass, an inertia that no body has. */
TALUS_API TALUS_NODISCARD talus_status talus_link_create(talus_world *world, talus_mechanism_id mechanism, const talus_link_def *def, talus_body_id *out);

typedef enum talus_joint_kind {
    TALUS_JOINT_REVOLUTE,
    TALUS_JOINT_PRISMATIC,
    TALUS_JOINT_SCREW,
    TALUS_JOINT_CYLINDRICAL,
    TALUS_JOINT_UNIVERSAL,
    TALUS_JOINT_PLANAR,
    TALUS_JOINT_SPHERICAL,
    TALUS_JOINT_FREE,
    TALUS_JOINT_FIXED
} talus_joint_kind;

enum { TALUS_JOINT_POSITIONS = 7, TALUS_JOINT_RATES = 6 };

typedef struct talus_joint_def {
    uint32_t struct_size;
    const char *name;
    talus_joint_kind kind;
    talus_body_id parent, child;            /* parent {0}: the ground                                                     */
    double parent_point[3];                 /* the joint's point in the parent's axes, from its origin [m]                */
    double parent_quat[4];                  /* orientation of the child in the parent when all coordinates are zero       */
    double child_point[3];                  /* the joint's point in the child's axes, from its origin [m]                 */
    double axis[3], axis2[3];               /* unit, in the axes of the joint (= the child's at zero coordinates)         */
    double pitch;                           /* screw: advance per radian [m/rad]                                          */
    double position[TALUS_JOINT_POSITIONS]; /* at t = 0; dependent ones are a first guess                               */
    double velocity[TALUS_JOINT_RATES];     /* at t = 0; NaN: not given, the least that closes the loops      default NaN */
} talus_joint_def;

TALUS_API talus_joint_def talus_joint_def_default(void); /* revolute about z, at the origins */
/* INPUT: a child that has a parent already, a cycle (close it by a loop), a zero axis. */
TALUS_API TALUS_NODISCARD talus_status talus_joint_create(talus_world *world, const talus_joint_def *def, talus_joint_id *out);

/* Forces inside a joint, along one coordinate; several add up:
 *     f = constant − stiffness (q − free) − damping v + law(t, q, v),
 * and with a `target` path L(t): q − L(t) in place of q − free (a PD drive, D20 eq. 36). The sum is clipped to ± limit;
 * `friction` with its `friction_velocity` acts besides, as that of a talus_freedom_def does. With forces at mid-step, dampers
 * without a limit are taken implicitly: no coefficient is too large for a step. So is a law that says its slope in v,
 * where that is negative and the sum has no limit. A law that says no slope is found by fixed-point passes, which converge where h |slope| is less than the
 * inertia. `coupled` adds a law of several coordinates of the joint's mechanism (a viscous coupling, a follower, a hydraulic ram); its slopes in other rates
 * are implicit too, unless these terms would leave a coordinate less than half of its inertia, as those of forces that drive a motion may: then they, too, are
 * found by passes. The spring pulls with the coordinate at mid-step, which is stable for h √(stiffness/inertia) < 2; with `implicit`, where dampers are
 * implicit, with the mean of the coordinates at both ends of the step (theory §9.3), which is stable at any stiffness and keeps the energy. */
typedef struct talus_joint_force_def {
    uint32_t struct_size;
    int coordinate;
    double constant;                    /* [N or N m]                                              */
    double stiffness, free_position;    /* [N/m, N m/rad], [m, rad]                                */
    double damping;                     /* [N s/m, N m s/rad]                                      */
    talus_motion target;                /* path L(t) [m, rad]; replaces free_position              */
    talus_force_law law;                /* NULL: none                                              */
    double limit;                       /* > 0 [N, N m]; default infinite                          */
    double friction, friction_velocity; /* [N, N m], [m/s, rad/s]                                  */
    talus_coupled_law coupled;          /* NULL: none. INPUT: a joint of another mechanism         */
    bool implicit;                      /* the spring. INPUT: together with a limit                */
} talus_joint_force_def;

TALUS_API talus_joint_force_def talus_joint_force_def_default(void);
TALUS_API TALUS_NODISCARD talus_status talus_joint_add_force(talus_world *world, talus_joint_id joint, const talus_joint_force_def *def);

/* A state of a mechanism besides its motion, which coupled laws read: the integral of a controller's error, a filter, the pressure in a cylinder.
 *     ẋ = rate(t, q, v, x),  from x = start,
 * by the midpoint rule: implicit in x, so that no time constant is too short, and with the mean of the rates at both
 * ends of the step, so that ẋ = v gives exactly the position. A rate that jumps is taken where the step begins if no
 * midpoint is found. Checkpoints hold the states. Whatever else a rate reads, such as contact forces, the caller keeps:
 * in `user`, and where runs are to be resumed in an array of talus_state_add. */
typedef struct talus_state_def {
    uint32_t struct_size;
    const char *name, *unit; /* names are unique in the mechanism; unit of x */
    double start;            /* [of x] */
    talus_coupled_law rate;  /* [of x per s]; needed; INPUT: a joint of another mechanism */
} talus_state_def;

TALUS_API talus_state_def talus_state_def_default(void);
/* *number: where laws find it in their `state`. INPUT: no rate, a start that is not finite, a name used twice. */
TALUS_API TALUS_NODISCARD talus_status talus_mechanism_add_state(talus_world *world, talus_mechanism_id mechanism, const talus_state_def *def, int *number);
/* The committed value; NaN: there is no such state, or the world is not assembled. */
TALUS_API double talus_mechanism_state(const talus_world *world, talus_mechanism_id mechanism, int number);

/* A spring and damper between two points of a mechanism, or of it and the ground ({0}): pull = stiffness (d − length) + damping ḋ. */
typedef struct talus_spring_def {
    uint32_t struct_size;
    talus_body_id body_a, body_b;
    double point_a[3], point_b[3];     /* in each body's axes, from its origin [m]                */
    double stiffness, damping, length; /* [N/m], [N s/m], [m]; none negative                      */
} talus_spring_def;

TALUS_API talus_spring_def talus_spring_def_default(void);
TALUS_API TALUS_NODISCARD talus_status talus_spring_create(talus_world *world, talus_mechanism_id mechanism, const talus_spring_def *def);

/* Imposes a coordinate: it leaves the unknowns and its reaction becomes an output. Exactly one of the two motions is given:
 * `position` (value and two derivatives), or `speed` (value = rate, first derivative = acceleration; the position is integrated). */
typedef struct talus_drive_def {
    uint32_t struct_size;
    int coordinate;
    talus_motion position, speed;
} talus_drive_def;

TALUS_API talus_drive_def talus_drive_def_default(void);
TALUS_API TALUS_NODISCARD talus_status talus_joint_drive(talus_world *world, talus_joint_id joint, const talus_drive_def *def);

/* The user's choice of a dependent coordinate. Either as many as there are loop equations are named, or none (then talus chooses by
 * pivoting, and chooses again when the conditioning degrades). INPUT at assembly: a choice that makes the Jacobian singular; a step that
 * takes the named ones to a dead point fails with SINGULAR. */
TALUS_API TALUS_NODISCARD talus_status talus_joint_set_dependent(talus_world *world, talus_joint_id joint, int coordinate);

typedef enum talus_loop_kind {
    TALUS_LOOP_POINT, /* point_a of body a = point_b of body b                       3 equations (2 in the plane) */
    TALUS_LOOP_HINGE, /* points coincide and axis_a = axis_b                         5 (2)                        */
    TALUS_LOOP_BODY,  /* the frames at the points coincide                           6 (3)                        */
    TALUS_LOOP_ROD,   /* the points keep the distance `length`                       1                            */
    TALUS_LOOP_SCREW, /* coordinate_a of joint a = ratio × coordinate of joint b + offset                       1 */
    TALUS_LOOP_GEAR,  /* the same relation, for two rotations or racks                                          1 */
    TALUS_LOOP_TRAIN  /* the sum of factor × coordinate of several joints = offset: planetary gears, differentials  1 */
} talus_loop_kind;

typedef struct talus_loop_def {
    uint32_t struct_size;
    const char *name;
    talus_loop_kind kind;
    talus_body_id body_a, body_b;    /* {0}: the ground                                  */
    double point_a[3], point_b[3];   /* in each body's axes [m]                          */
    double axis_a[3], axis_b[3];     /* hinge: unit, in each body's axes                 */
    double quat_a[4], quat_b[4];     /* body: orientation of the frames in each body     */
    double length;                   /* rod: > 0 [m]                                     */
    talus_joint_id joint_a, joint_b; /* screw, gear                                      */
    int coordinate_a, coordinate_b;
    double ratio, offset;         /* [1, m/rad, rad/m], of b's coordinate; [m, rad], of a's; of a train offset alone, of the sum */
    int terms;                    /* train: 2 to TALUS_TERMS, of joints that differ, with factors other than 0 */
    talus_term term[TALUS_TERMS]; /* [terms]                                 */
} talus_loop_def;

TALUS_API talus_loop_def talus_loop_def_default(void);
TALUS_API TALUS_NODISCARD talus_status talus_loop_create(talus_world *world, talus_mechanism_id mechanism, const talus_loop_def *def, talus_loop_id *out);

/* ---- reading: before assembly positions, rates and forces are NaN, reactions and errors zero ---- */

TALUS_API talus_joint_id talus_joint_find(const talus_world *world, const char *name);
TALUS_API talus_loop_id talus_loop_find(const talus_world *world, const char *name);
TALUS_API int talus_joint_count(const talus_world *world);
TALUS_API int talus_loop_count(const talus_world *world);

/* What holds two bodies together: joints, loops between points, springs, ropes and struts, ropes over pulleys, hydraulic cylinders between points, joints
 * between bodies (talus/joint.h), in this order. The numbers are those of trajectory.h5. */
typedef enum talus_connection_kind {
    TALUS_CONNECTION_JOINT = 0, /* and the following: TALUS_CONNECTION_JOINT + a talus_joint_kind       */
    TALUS_CONNECTION_LOOP = 16, /* TALUS_CONNECTION_LOOP + a talus_loop_kind; gears and screws are not among the connections */
    TALUS_CONNECTION_SPRING = 32,
    TALUS_CONNECTION_DAMPER = 33, /* a spring without stiffness */
    TALUS_CONNECTION_ROPE = 40,
    TALUS_CONNECTION_STRUT = 41,
    TALUS_CONNECTION_SPAN = 42,      /* of a rope that goes on over a pulley at its second point: the next connection begins there */
    TALUS_CONNECTION_CYLINDER = 43,  /* a hydraulic cylinder whose coordinate is the distance of its points; its barrel begins at the first */
    TALUS_CONNECTION_BODY_JOINT = 64 /* and the following: TALUS_CONNECTION_BODY_JOINT + the number of a talus_body_joint_kind     */
} talus_connection_kind;

typedef struct talus_connection {
    int kind;              /* talus_connection_kind                                                               */
    bool driven;           /* a joint with a drive, or with a force that leads it along a path                    */
    unsigned sprung;       /* a joint: bit k is set where a spring acts in coordinate k                            */
    talus_body_id body[2]; /* of a joint: parent, child; {0}: the ground                                          */
    double point[2][3];    /* in the axes of each, from its origin [m]                                            */
    double axis[3];        /* of a joint or hinge, unit, in the axes of body[0]; zero where there is none         */
    double axis2[3];       /* of a joint between bodies, in the axes of body[1]: its second axis; otherwise zero  */
    double length;         /* of a rod, rope or strut, of a spring without tension, of a cylinder that is in [m]; 0 otherwise */
} talus_connection;

TALUS_API int talus_connection_count(const talus_world *world);
/* False: there is no such number. A rope that was given no length has one after assembly; joints between bodies are there after assembly. */
TALUS_API bool talus_connection_get(const talus_world *world, int index, talus_connection *out);
/* Centre of mass in a link's axes [m] and its inertia about it, as in talus_link_def; false: the body is no link. */
TALUS_API bool talus_link_inertia(const talus_world *world, talus_body_id link, double centre_of_mass[3], double inertia[6]);
/* Number of positions (nq) and rates (nv) of a joint. */
TALUS_API int talus_joint_positions(const talus_world *world, talus_joint_id joint);
TALUS_API int talus_joint_rates(const talus_world *world, talus_joint_id joint);
TALUS_API double talus_joint_position(const talus_world *world, talus_joint_id joint, int coordinate); /* not reduced to a turn */
TALUS_API double talus_joint_velocity(const talus_world *world, talus_joint_id joint, int coordinate);
/* Mean over the last step of the force [N, N m] that joint forces exert along the coordinate, among them drives with a limit; for a coordinate whose drive has
 * none, the drive's reaction. */
TALUS_API double talus_joint_force(const talus_world *world, talus_joint_id joint, int coordinate);
/* The same of its drive alone, with a limit or without; 0 where there is none. */
TALUS_API double talus_joint_drive_force(const talus_world *world, talus_joint_id joint, int coordinate);
/* Mean force over the last step of a loop on body a, world axes, and moment at its point [N, N m] (D20 eq. 18). For rod, screw and gear
 * reaction[0] is the scalar reaction along the equation: a rod's is positive when it pushes its ends apart, that of a gear or screw is
 * the force on coordinate a. */
TALUS_API void talus_loop_reaction(const talus_world *world, talus_loop_id loop, double reaction[6]);
/* Largest violation of a loop's equations at the committed state [m, rad]. */
TALUS_API double talus_loop_error(const talus_world *world, talus_loop_id loop);
/* Independent coordinates of all mechanisms plus the degrees of freedom of the free bodies; after assembly. */
TALUS_API int talus_degrees_of_freedom(const talus_world *world);

#ifdef __cplusplus
}
#endif
#endif
