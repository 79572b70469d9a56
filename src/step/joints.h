/* Joints between bodies and what acts in coordinates, as constraints of a step (solve/block.h). Definitions are the world's; impulses of the last step, the
 * next one's first guess, and the turns of angles are state. */
#ifndef TL_JOINTS_H
#define TL_JOINTS_H

#include "law/joint.h"
#include "matter/fluid.h"
#include "solve/block.h"
#include "talus/joint.h"

struct tl_system;

/* What is remembered of a coordinate: impulses, in N s or N m s by its scale; of an angle between bodies where it is at t_n, turns counted. */
typedef struct tl_freedom_memory {
    double position, low, high, spring, friction, drive;
} tl_freedom_memory;

typedef struct tl_joint_memory {
    double lock[TL_JOINT_ROWS];
    tl_freedom_memory freedom[TL_JOINT_COORDINATES];
    double impulse[3], moment[3]; /* of all of it on b, along the rows that the step had, world axes; about the joint's point */
} tl_joint_memory;

typedef struct tl_joint_end {
    int matter, item, body; /* body: of the world                               */
    tl_frame frame;         /* of the joint, in the axes of the body's frame    */
} tl_joint_end;

typedef struct tl_body_joint {
    char *name;
    const tl_joint_kind *kind;
    talus_body_joint_def def; /* its texts are not kept */
    tl_joint_end end[2];
    double length; /* of `distance`                                                                   */
    double arm;    /* length by which angles are measured, so that all rows are velocities in m/s [m] */
    bool glued;    /* its bonds hold; `impulse` and `moment` are alone remembered [N s, N m s] */
    talus_freedom_def freedom[TL_JOINT_COORDINATES];
} tl_body_joint;

/* One of the nodes that a joint glues, as a spherical joint from it to the other body. */
typedef struct tl_bond {
    tl_body_joint hold;
    int joint;   /* of all joints */
    bool turned; /* its first body is the joint's second */
} tl_bond;

/* A coordinate of a mechanism's joint. */
typedef struct tl_coordinate_term {
    int mechanism, joint, number; /* of the world: the mechanism, its joint, its coordinate      */
    int matter, rate, position;   /* of the matter, after assembly                               */
    double factor;
} tl_coordinate_term;

/* A coordinate, or the sum of several, in which stops, friction or a drive act. */
typedef struct tl_coordinate {
    char *name; /* of a coupling; NULL: it is a joint's own coordinate */
    int terms;
    tl_coordinate_term term[TALUS_TERMS];
    talus_freedom_def freedom;
    const char *where; /* after assembly: that name, or its joint's */
} tl_coordinate;

/* A rope over pulleys. */
typedef struct tl_tackle {
    tl_joint_end *end; /* [count] of the frames only the origin   */
    tl_vec3 *given;    /* [count] as the user said the points [m] */
    int count;
    double length;
} tl_tackle;

/* What turns pressures into forces: a cylinder, or a machine on a shaft. It acts in a coordinate x of a mechanism, of a joint between bodies, or in the
 * distance of two points. */
typedef enum tl_actuator_at { TL_AT_COORDINATE, TL_AT_JOINT, TL_AT_POINTS } tl_actuator_at;

typedef struct tl_actuator {
    char *name;
    int circuit, node[2]; /* cap and rod side, or from and to; −1: the tank */
    double factor[2];     /* rate of the volumes of these by x [m², m³/rad] */
    double base[2];       /* volumes of chambers at x = 0 [m³]              */
    bool machine;
    talus_motion share; /* of machines: a factor on `factor`, from −1 to 1 */
    tl_actuator_at at;
    tl_coordinate_term term;
    int joint, coordinate; /* between bodies */
    tl_joint_end end[2];   /* of the frames only the origin */
    tl_vec3 given[2];      /* as the user said the points [m] */
    int leak;              /* element of the circuit; −1: none */
    talus_freedom_def freedom;
} tl_actuator;

/* A valve or pump: its elements of a circuit. */
typedef struct tl_component {
    char *name;
    int circuit, first, count;
} tl_component;

typedef struct tl_circuit {
    char *name;
    tl_fluid *fluid;
    int matter, row; /* of this step: its first constraint */
} tl_circuit;

typedef struct tl_hydraulics {
    tl_circuit *circuit;
    int circuits, circuit_capacity;
    tl_actuator *actuator;
    int actuators, actuator_capacity;
    tl_component *component;
    int components, component_capacity;
    tl_freedom_memory *memory, *next; /* [actuators] */
    double *seen;                     /* of this step: room for what rows of all nodes are to each other, or NULL */
} tl_hydraulics;

/* A free body that joints hold, and what they pulled with in the last step as a stiffness against its turns, in the axes of the body (tension.c). */
typedef struct tl_held_body {
    int body;
    tl_mat3 K; /* [N m/rad] */
} tl_held_body;

typedef struct tl_joints {
    tl_hydraulics hydraulics;
    tl_body_joint *joint;
    int count, capacity;
    tl_joint_memory *memory, *next; /* [count] state; of this step       */
    tl_bond *bond;
    int bonds, bond_capacity;
    tl_coordinate *coordinate;
    int coordinates, coordinate_capacity;
    tl_freedom_memory *coordinate_memory, *coordinate_next; /* [coordinates] */
    tl_tackle *tackle;
    int tackles, tackle_capacity;
    double *tackle_memory, *tackle_next; /* [tackles] impulses [N s] */
    uint64_t *apart;                     /* [aparts] pairs of bodies that joints join and that do not meet, a << 32 | b with a < b, ascending */
    int aparts;
    double off; /* of this step: the most that a joint is off where it was met, over its arm [1]; which one */
    int off_joint;
    /* of this step, in its arena */
    tl_constraint *constraint;
    int constraints, first_bond;           /* constraints of bonds lie side by side */
    int *first;                            /* [count + 1] constraint of each joint  */
    double (*ahead)[TL_JOINT_COORDINATES]; /* [count] where angles are at the end of the step, to less than half a turn */
    tl_held_body *held;
    int helds;
    tl_blocks blocks;
} tl_joints;

/* Frames of a joint in the world, from where its bodies are: at q_m within a step. */
void tl_joint_frames(const struct tl_system *, const tl_body_joint *, tl_frame *a, tl_frame *b);
/* One of two bodies is there no more: what held them to each other is gone with it. */
bool tl_an_end_is_gone(const struct tl_system *, const tl_joint_end end[2]);
/* Where the point of an end is, in the same way; of a rope that of its k-th point. */
tl_vec3 tl_joint_point(const struct tl_system *, const tl_joint_end *);
tl_vec3 tl_tackle_point(const struct tl_system *, const tl_tackle *, int k);
double tl_tackle_length(const struct tl_system *, const tl_tackle *);
/* hydraulics.c. Where an actuator is: how to grip its coordinate [2], in how many places; of the coordinate, from where its bodies are. */
int tl_actuator_grips(const struct tl_system *, const tl_actuator *, tl_grip *grip, double *position);
/* Beyond −1 and 1 it stays there; 1 where none is given. */
double tl_actuator_share(const tl_actuator *, double t);
/* Volume of a chamber from where its piston is [m³]; 0 where no piston is. */
double tl_hydraulics_volume(const struct tl_system *, int circuit, int node);
/* Most constraints and grips of a step; they, behind those of joints; after all matter. */
typedef struct tl_constraint_list tl_constraint_list;
void tl_hydraulics_room(const tl_hydraulics *, size_t *constraints, size_t *grips);
TALUS_NODISCARD talus_status tl_hydraulics_make(tl_constraint_list *, tl_hydraulics *);
void tl_hydraulics_commit(struct tl_system *);
void tl_hydraulics_free(tl_hydraulics *, tl_memory);
/* The step's first guesses are those that are remembered. */
void tl_joints_begin(tl_joints *);
/* The first joint of a free body that two joints pull at, a link of a chain. −1: there is none. */
int tl_joints_in_chain(const struct tl_system *);
/* The spins of free bodies resist what their joints pulled with in the last step (tension.c). MEMORY. */
TALUS_NODISCARD talus_status tl_joints_stiffen(struct tl_system *);
/* Do joints hold this grain? After that, within the step. */
bool tl_joints_hold(const tl_joints *, int body);
/* Do they, from now on in this step? Impacts take no time in which anything could turn: they are of the inertia alone. */
void tl_joints_resist(struct tl_system *, bool pulled);
/* Constraints at q_m: paths as they are at the time of positions, speeds of drives at that of rates [s]. The order is always the same. With θ = 0 in the step,
 * rows hold at q_m. MEMORY. */
TALUS_NODISCARD talus_status tl_joints_make(struct tl_system *, double positions, double rates);
/* A turn of the coordinate's frames is counted: the angle as that one next to another. */
double tl_joint_turned(const tl_joint_row *, double start, double near);
/* The stop that a position is beyond; NULL: it is within them, or as near as rounding. */
const double *tl_freedom_passed(const talus_freedom_def *, double position);
/* After all matter: what bonds came to is their joints', and angles are where the bodies are. */
void tl_joints_commit(struct tl_system *);
/* Do shapes of these bodies pass through each other, for a joint joins them? */
uint64_t tl_joints_pair(int body_a, int body_b);
void tl_joints_sort_pairs(tl_joints *);
bool tl_joints_part(const tl_joints *, int body_a, int body_b);
void tl_joints_free(tl_joints *, tl_memory);

#endif
