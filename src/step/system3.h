/* The spatial system: grains, contactors and contacts in space behind the table of system.h. */
#ifndef TL_SYSTEM3_H
#define TL_SYSTEM3_H

#include "detect/past3.h"
#include "matter/grains3.h"
#include "solve/problem3.h"
#include "step/reach.h"

typedef struct tl_system3 {
    tl_system base; /* first */
    tl_grains3 *grains;
    tl_shape3 *shape; /* [contactors] in the principal axes of the body */
    int shape_capacity;
    tl_pasts3 past; /* of the pairs of base.broad */
    tl_frame *pose; /* [contactors] of its body, at q_m; scratch */
    tl_problem3 problem;
} tl_system3;

extern const tl_geometry TL_SPACE;

/* Axes of a body: at q_m within a step. */
tl_frame tl_system3_frame(const tl_system3 *, tl_place place);

#endif
