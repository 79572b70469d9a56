/* The planar system: grains, contactors and contacts of the plane behind the table of system.h. */
#ifndef TL_SYSTEM2_H
#define TL_SYSTEM2_H

#include "detect/broad2.h"
#include "detect/narrow2.h"
#include "matter/grains2.h"
#include "solve/problem2.h"
#include "step/reach.h"

/* How a contactor moves in this step: velocity of its body's origin, spin, and a bound on what this adds to the normal speed of its points [m/s]. */
typedef struct tl_motion2 {
    tl_vec2 v;
    double w, rim;
} tl_motion2;

typedef struct tl_system2 {
    tl_system base; /* first */
    tl_grains2 *grains;
    tl_contactor2 *contactor; /* [contactors] */
    int contactor_capacity;
    tl_broad2 broad;
    /* scratch of a step */
    tl_pose2 *pose;     /* [contactors] at q_m                                    */
    tl_motion2 *motion; /* [contactors] as if there were no contacts              */
    double *extra;      /* [contactors] reach that overtake added             [m] */
    tl_vec2 common;     /* mean velocity of the free grains                       */
    tl_problem2 problem;
} tl_system2;

extern const tl_geometry TL_PLANE;

/* contacts2.c: the stages detect, overtake and remember. */
talus_status tl_contacts2_detect(tl_system *);
talus_status tl_contacts2_overtake(tl_system *, bool last, bool *more);
talus_status tl_contacts2_remember(tl_system *);
/* What holds between two shapes, by the key of a pair; NULL: one of them is not there. */
const tl_interaction *tl_contacts2_pair_law(const tl_system *, uint64_t key);
/* Pose of a contactor's body: at q_m within a step. */
tl_pose2 tl_system2_pose(const tl_system2 *, tl_place place);

#endif
