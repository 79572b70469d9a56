/* The spatial system: grains, contactors and contacts in space behind the table of system.h. */
#ifndef TL_SYSTEM3_H
#define TL_SYSTEM3_H

#include "detect/broad3.h"
#include "detect/narrow3.h"
#include "matter/grains3.h"
#include "solve/problem3.h"
#include "step/reach.h"

/* How a contactor moves in this step: velocity of its body's origin, spin (world axes), and a bound on what this adds to the normal speed of its points
 * [m/s]. */
typedef struct tl_motion3 {
    tl_vec3 v, w;
    double rim;
} tl_motion3;

/* What is found of the near pairs in this step. */
typedef struct tl_found3 {
    uint64_t rebuild;  /* of the broad phase: of which list the pairs are         */
    tl_touch3 **touch; /* [pairs] where those of a pair begin                     */
    uint8_t *touches;  /* [pairs] how many                                        */
} tl_found3;

typedef struct tl_system3 {
    tl_system base; /* first */
    tl_grains3 *grains;
    tl_contactor3 *contactor; /* [contactors] */
    int contactor_capacity;
    tl_broad3 broad;
    /* scratch of a step */
    tl_frame *pose;     /* [contactors] of its body, at q_m                       */
    tl_motion3 *motion; /* [contactors] as if there were no contacts              */
    double *extra;      /* [contactors] reach that overtake added             [m] */
    tl_vec3 common;     /* mean velocity of the free grains                       */
    tl_found3 found;
    tl_problem3 problem;
} tl_system3;

extern const tl_geometry TL_SPACE;

/* A contact's key holds two contactors and a feature. */
enum { TL_KEY3_CONTACTOR_BITS = 20, TL_KEY3_FEATURE_BITS = 24 };

/* contacts3.c: the stages detect, overtake and remember. */
talus_status tl_contacts3_detect(tl_system *);
talus_status tl_contacts3_overtake(tl_system *, bool last, bool *more);
talus_status tl_contacts3_remember(tl_system *);
/* What holds between two shapes, by the key of a pair; NULL: one of them is not there. */
const tl_interaction *tl_contacts3_pair_law(const tl_system *, uint64_t key);
/* Axes of a body: at q_m within a step. */
tl_frame tl_system3_frame(const tl_system3 *, tl_place place);

#endif
