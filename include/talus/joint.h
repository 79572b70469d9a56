/* Joints between any two bodies: grains, boundaries, links of mechanisms, points and nodes of deformable solids, the ground. They are constraints of the step's
 * one problem, beside the contacts (theory §9.4); joints of a mechanism's tree are coordinates instead (talus/mechanism.h), which is exact and cheaper where a
 * machine is a tree. */
#ifndef TALUS_JOINT_H
#define TALUS_JOINT_H

#include "talus/body.h"
#include "talus/mechanism.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct talus_body_joint_id {
    uint32_t index1;
} talus_body_joint_id;

/* A function of a number, such as a torque [N m] over a speed [rad/s]: its value at x, and its derivative there to *slope, in SI units that whoever takes it
 * says. Tables: talus_table_value(). */
typedef struct talus_characteristic {
    double (*value)(void *user, double x, double *slope); /* NULL: none */
    void *user;
} talus_characteristic;

/* Straight between rows, before the first as there, and beyond the last as there or, where it `ends`, 0. The caller keeps it. */
typedef struct talus_table {
    const double *x, *y; /* [rows] x ascending; in the units of the characteristic */
    int rows;            /* ≥ 1 */
    bool ends;
} talus_table;

/* For a talus_characteristic whose user is a talus_table. */
TALUS_API double talus_table_value(void *table, double x, double *slope);

/* What acts in one free coordinate of a joint: stops, a spring and damper, dry friction, a drive. Moments instead of
 * forces where it is an angle. Stops, friction and a drive of limited force bound an impulse, and are solved together
 * with the contacts: a stop is not overrun, what sticks does not creep. */
typedef struct talus_freedom_def {
    uint32_t struct_size;
    double low, high;                /* stops [m, rad]                                                     default −∞, ∞ */
    double restitution;              /* of the stops, in [0, 1] [1]                                                     */
    double stiffness, damping, rest; /* a spring [N/m, N m/rad], damper [N s/m, N m s/rad], where it is at rest [m, rad] */
    double friction;                 /* most that dry friction resists with [N, N m]                                    */
    talus_motion grip;               /* the same [N, N m] over time [s], of clutches and brakes: in its place; what is negative is 0 */
    talus_motion speed, position;    /* a drive to a rate [m/s, rad/s] or along a path [m, rad] over time [s]; not both  default none */
    double force;                    /* most that the drive exerts [N, N m]                                default ∞    */
    talus_characteristic most; /* the same [N, N m] over the magnitude of the rate [m/s, rad/s] where the step begins, of motors: in its place; what is negative
                                  is 0 */
    talus_characteristic slide; /* of friction or grip: a factor [1] over the magnitude of the rate [m/s, rad/s] where the step begins; what is negative is 0 */
    double friction_velocity;   /* below it friction and grip are viscous, and creep; 0: they stick [m/s, rad/s]             default 0 */
} talus_freedom_def;

TALUS_API talus_freedom_def talus_freedom_def_default(void);

enum { TALUS_BODY_JOINT_FREEDOMS = 3 };

typedef struct talus_body_joint_def {
    uint32_t struct_size;
    const char *name;             /* NULL: none                                                                            */
    const char *kind;             /* of talus_body_joint_kind()                                          default "revolute" */
    talus_body_id body_a, body_b; /* {0}: the ground                                            */
    double point[3];              /* of both bodies, where they are at the start, in the world [m]; of `distance` that of a */
    double point_b[3];            /* `distance`: that of b, in the world [m]                                                */
    double axis[3];               /* [1] of the joint, fixed in a, as it is at the start, in the world; of `universal` the bar in a, of `planar` the normal,
                                     of `spherical` what swing is measured from. In the plane of what slides; of the others it is z       default 0 0 1 */
    double axis2[3];              /* [1] world: the bar in b of universal, the first slide of planar; 0: any across the axis */
    double length;                /* `distance` [m]; 0: that of the points at the start; of `screw` its advance in a turn, negative of a left-handed thread  */
    bool drifts;     /* true: held by velocities only (D20's pure variant), and h² of error adds up; false: what a step leaves is taken back by positions */
    bool collides;   /* true: shapes of the two bodies meet each other                           default false */
    const int *node; /* [nodes] `fixed`: glued. These nodes of the first of the two that is a deformable solid go with the other body, of another solid with the
                        place of its mesh where they lie; `point` is where moments are taken about. Copied */
    int nodes;
    double start[TALUS_BODY_JOINT_FREEDOMS]; /* what the coordinates are at the start [m, rad]: stops, springs, paths and probes count from there */
} talus_body_joint_def;

TALUS_API talus_body_joint_def talus_body_joint_def_default(void);
/* Coordinates at the start are `start`, zero unless it is given; angles count turns. A deformable solid is held at the point of its mesh that `point` is
 * without strain; a point does not turn, so of the kinds there are those that hold no direction of it. INPUT: a body that does not exist, one body at both
 * ends, an axis that is none, a second along it, a length of a kind that has none or, at assembly, of `distance` one that its points do not have, a kind that
 * the plane or a solid does not have, a point outside of the solid, a node that it does not have or that is given twice. UNSUPPORTED at assembly: the penalty
 * scheme; of solids any other than Moreau's. */
TALUS_API TALUS_NODISCARD talus_status talus_body_joint_create(talus_world *world, const talus_body_joint_def *def, talus_body_joint_id *out);
/* What acts in coordinate k of the joint's kind (talus_body_joint_coordinate). INPUT: there is no such coordinate; low above high; negative numbers; at
 * assembly: it starts beyond a stop. */
TALUS_API TALUS_NODISCARD talus_status talus_body_joint_set_freedom(talus_world *world, talus_body_joint_id joint, int coordinate,
                                                                    const talus_freedom_def *def);
/* What acts in a coordinate of a mechanism's joint; several may be added to one. Stops and rest are values of the
 * coordinate as the joint counts it. Where drives say how it moves, dry friction is the drives' load, and a stop that is passed ends the run.
 * INPUT: there is no such joint or coordinate; at assembly: it starts beyond a stop, or is driven already. UNSUPPORTED: a rotation of a spherical or free
 * joint. What acts is part of talus_joint_force(). */
TALUS_API TALUS_NODISCARD talus_status talus_joint_add_freedom(talus_world *world, talus_joint_id joint, int coordinate, const talus_freedom_def *def);

/* What acts between coordinates of mechanisms' joints: in the sum x of factor × coordinate, 1 and −1 of two shafts. x is in m or rad, and what acts in it in
 * N or N m: units of factors are those that make it so, 1, m/rad or rad/m. A spring is an elastic shaft; friction
 * with a `grip` a clutch, which sticks and slips, and of one coordinate a brake; two stops are backlash. */
typedef struct talus_coupling_def {
    uint32_t struct_size;
    const char *name; /* needed */
    int terms;        /* 1 to TALUS_TERMS */
    talus_term term[TALUS_TERMS];
    talus_freedom_def freedom;
} talus_coupling_def;

TALUS_API talus_coupling_def talus_coupling_def_default(void);
/* INPUT: no name, or one used twice; no term, a joint twice, a factor that is 0; nothing that acts; a slide without friction, a restitution without stops;
 * as talus_joint_add_freedom. */
TALUS_API TALUS_NODISCARD talus_status talus_coupling_create(talus_world *world, const talus_coupling_def *def, talus_coupling_id *out);
TALUS_API talus_coupling_id talus_coupling_find(const talus_world *world, const char *name); /* {0}: there is none */

typedef struct talus_coupling_state {
    double position, velocity; /* of x [m, rad; m/s, rad/s]                                                     */
    double force;              /* in the last step, along x [N, N m]: `factor` times it acts on each coordinate */
} talus_coupling_state;

/* Before assembly, and of none, all is NaN. */
TALUS_API talus_coupling_state talus_coupling_read(const talus_world *world, talus_coupling_id coupling);

/* Kinds that there are, from 0 on: name, what each leaves free; NULL beyond the last. In the plane there are those that `in_plane` says. */
TALUS_API const char *talus_body_joint_kind(int index);
TALUS_API const char *talus_body_joint_meaning(int index);
TALUS_API bool talus_body_joint_in_plane(int index);
/* Coordinates of a kind: name, and unit, "m" or "rad"; NULL beyond the last. Coordinates of one name have one unit. */
TALUS_API const char *talus_body_joint_coordinate(int kind, int coordinate);
TALUS_API const char *talus_body_joint_unit(int kind, int coordinate);
TALUS_API int talus_body_joint_count(const talus_world *world);
TALUS_API const char *talus_body_joint_name(const talus_world *world, int index); /* "": none */

typedef struct talus_body_joint_state {
    double point[3];  /* of b, in the world [m]                                                     */
    double force[3];  /* of a on b in the last step, its mean (generalized_alpha: at its end), of what holds and of what acts in coordinates [N] */
    double moment[3]; /* of a on b, about the point [N m]                                           */
    double error;     /* how far the points or axes are apart [m]; angles times the joint's arm     */
    int coordinates;
    double position[TALUS_BODY_JOINT_FREEDOMS], rate[TALUS_BODY_JOINT_FREEDOMS]; /* [m, rad], [m/s, rad/s]  */
    double drive[TALUS_BODY_JOINT_FREEDOMS];                                     /* force of the drive [N, N m] */
} talus_body_joint_state;

/* Of the committed state. INPUT: no such joint. */
TALUS_API TALUS_NODISCARD talus_status talus_body_joint_get(const talus_world *world, int index, talus_body_joint_state *out);

#ifdef __cplusplus
}
#endif
#endif
