/* Words that every header of talus shares: ids, vectors as plain arrays, user functions.
 *
 * SI units; angles in rad; right-handed axes; quaternions scalar first (w, x, y, z). In a planar world the motion is in
 * x–y, y up, rotations are about +z, and the third components are ignored on input and zero on output.
 *
 * Definition structs: begin with the function that fills in the defaults, change what you need, pass it on:
 *     talus_body_def body = talus_body_def_default();
 * Their first field is their size, by which the library recognises an uninitialised or foreign struct.
 * Strings are copied. Names are optional (NULL) but appear in messages and results; they must be unique within a world.
 */
#ifndef TALUS_TYPES_H
#define TALUS_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "talus/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A simulation: owns everything, shares nothing; two worlds may run in two threads. */
typedef struct talus_world talus_world;

/* Handles are values; {0} is "none" (for a body: the ground). */
typedef struct talus_material_id {
    uint32_t index1;
} talus_material_id;
typedef struct talus_body_id {
    uint32_t index1;
} talus_body_id; /* a grain, a wall or a link */
typedef struct talus_mechanism_id {
    uint32_t index1;
} talus_mechanism_id;
typedef struct talus_joint_id {
    uint32_t index1;
} talus_joint_id;
typedef struct talus_loop_id {
    uint32_t index1;
} talus_loop_id;
typedef struct talus_coupling_id {
    uint32_t index1;
} talus_coupling_id;

/* A prescribed function of time. It writes its value at t [s] to out[0], and its first and second derivative to out[1]
 * and out[2]: what follows a path needs these, too, and cannot see that they are missing. */
typedef struct talus_motion {
    void (*value)(void *user, double t, double out[3]); /* NULL: no motion */
    void *user;
} talus_motion;

/* A force law: generalized force [N or N m] at time t, coordinate q, rate v. */
typedef struct talus_force_law {
    double (*value)(void *user, double t, double q, double v);
    void *user;
    double (*slope)(void *user, double t, double q, double v); /* its derivative in v; NULL: not known */
} talus_force_law;

/* A rate coordinate of a joint, 0 first (talus/mechanism.h). */
typedef struct talus_coordinate {
    talus_joint_id joint;
    int coordinate;
} talus_coordinate;

/* A function of several coordinates q and rates v of one mechanism, in the order of `reads`, and of all its states, in the order in which they were added.
 * The rotations of a ball have rates only: their q is NaN. */
typedef struct talus_coupled_law {
    double (*value)(void *user, double t, const double *q, const double *v, const double *state);
    void *user;
    /* Derivatives; NULL: not known. Of a force, in each v [count]; of the rate of a state, in each state. */
    void (*slopes)(void *user, double t, const double *q, const double *v, const double *state, double *out);
    const talus_coordinate *reads; /* [count], copied */
    int count;
} talus_coupled_law;

#ifdef __cplusplus
}
#endif
#endif
