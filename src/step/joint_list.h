/* For the files that make constraints of joints and coordinates (joints.c, hydraulics.c). */
#ifndef TL_JOINT_LIST_H
#define TL_JOINT_LIST_H

#include "step/system.h"

/* The list at work. */
struct tl_constraint_list {
    const tl_system *s;
    double t, rates; /* times of positions and of rates */
    tl_constraint *constraint;
    int count;
    tl_grip *grip; /* room for the next */
    double *V;
};

/* A coordinate at q_m: how to grip it, in m or as an angle times `arm`, and where it is. */
typedef struct tl_coordinate_at {
    const tl_grip *grip;
    int grips;
    double position, arm; /* [m, rad]; 1 where it is no angle */
    double rate;          /* as the step begins [m/s, rad/s], of what is asked for it */
    bool turns;           /* one of its terms moves as the step begins, so that the sum may stand still */
    double bend;          /* by how much the row's velocity at q_m is less than where its rate is held, for its ends go round [m/s]; of what holds */
} tl_coordinate_at;

tl_constraint *tl_constraint_list_add(tl_constraint_list *, int rows, int grips, double *I);
/* What acts in a coordinate. */
void tl_constraint_list_freedom(tl_constraint_list *, const tl_coordinate_at *, const talus_freedom_def *, tl_freedom_memory *);
/* The stop that a coordinate is beyond while no impulse can move it, for drives lead all that it is of; NULL: there is none. */
const double *tl_freedom_lost(const tl_system *, const talus_freedom_def *, const tl_coordinate_at *);
/* Something of it holds (a stop that pressed in the last step and has no restitution, friction, a drive), and its rate is not to be held where rows are. */
bool tl_freedom_bends(const tl_constraint_list *, const talus_freedom_def *, const tl_freedom_memory *);
/* `bend` of a coordinate of a joint; j NULL: of the distance between the points of two ends. */
TALUS_NODISCARD talus_status tl_coordinate_bend(const tl_constraint_list *, const tl_body_joint *j, int coordinate, const tl_joint_end *end, double *bend);
/* The same of a coordinate of a mechanism. MEMORY. */
TALUS_NODISCARD talus_status tl_term_bend(const tl_constraint_list *, const tl_coordinate_term *, double *bend);
/* How a body moves: its frame at q_m, velocity of the frame's origin, spin; their rates where it goes on as it does, which a link on links has. */
typedef struct tl_moving {
    tl_frame frame;
    tl_vec3 v, w, v_rate, w_rate;
} tl_moving;

/* `ahead`: it will be advanced, by tl_moving_ahead, to some time before or after. MEMORY. */
TALUS_NODISCARD talus_status tl_find_motion(const tl_system *, const tl_joint_end *, bool ahead, tl_moving *out);
tl_moving tl_moving_ahead(const tl_moving *, double time);
/* A frame in the body's own; velocity of a point of it. */
tl_frame tl_moving_frame(const tl_moving *, const tl_frame *local);
tl_vec3 tl_moving_velocity(const tl_moving *, tl_vec3 at);
bool tl_end_is_gone(const tl_system *, const tl_joint_end *);
/* tackles.c. MEMORY. */
TALUS_NODISCARD talus_status tl_tackle_add(tl_constraint_list *, const tl_tackle *, double *I);
/* Grips of a joint's bodies at a point; a row of theirs, of angles times `arm`. */
void tl_joint_grip(const tl_system *, const tl_body_joint *, tl_vec3 at, tl_grip grip[2]);
void tl_joint_set_row(tl_grip grip[2], int row, const tl_joint_row *, double arm);

#endif
