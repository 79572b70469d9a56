/* The planar system: grains, contactors and contacts of the plane behind the table of system.h. */
#ifndef TL_SYSTEM2_H
#define TL_SYSTEM2_H

#include "detect/narrow2.h"
#include "matter/grains2.h"
#include "solve/problem2.h"
#include "step/reach.h"

typedef struct tl_system2 {
    tl_system base; /* first */
    tl_grains2 *grains;
    tl_shape2 *shape; /* [contactors] in the axes of the body, from its centre of mass */
    int shape_capacity;
    tl_pose2 *pose; /* [contactors] of its body, at q_m; scratch */
    tl_problem2 problem;
} tl_system2;

extern const tl_geometry TL_PLANE;

/* Pose of a contactor's body: at q_m within a step. */
tl_pose2 tl_system2_pose(const tl_system2 *, tl_place place);

#endif
