/* The planar system: grains, contactors and contacts of the plane behind the table of system.h. */
#ifndef TL_SYSTEM2_H
#define TL_SYSTEM2_H

#include "detect/broad2.h"
#include "detect/narrow2.h"
#include "matter/grains2.h"
#include "solve/problem2.h"
#include "step/system.h"

typedef struct tl_system2 {
    tl_system base; /* first */
    tl_grains2 *grains;
    tl_contactor2 *contactor; /* [contactors] */
    int contactor_capacity;
    tl_broad2 broad;
    tl_contact2 *contact, *contact_next; /* of the last committed step; of this one              */
    int contact_capacity, next_count, next_capacity;
    /* scratch of a step */
    tl_pose2 *pose;      /* [contactors] at q_m                                    */
    double *speed;       /* [contactors] bound on the speed of its points          */
    double common_speed; /* of what pushes the others                              */
    tl_problem2 problem;
} tl_system2;

extern const tl_space TL_PLANE;

/* contacts2.c: the stages detect, overtake and remember. */
talus_status tl_contacts2_detect(tl_system *);
talus_status tl_contacts2_overtake(tl_system *, bool *more);
talus_status tl_contacts2_remember(tl_system *);
/* Pose of a contactor's body: at q_m within a step. */
tl_pose2 tl_system2_pose(const tl_system2 *, tl_place place);

#endif
