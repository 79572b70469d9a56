/* What the files that make a problem in velocities of bodies share (body_rows.h). Internal to them. */
#ifndef TL_BODY_MAKING_H
#define TL_BODY_MAKING_H

#include "solve/body_problem.h"
#include "solve/local_rows.h"
#include "solve/problem.h"

typedef struct tl_body_patch tl_body_patch;

typedef struct tl_body_making {
    const tl_problem *p;
    tl_step *step;
    tl_body_problem *out;
    int *number; /* [groups of the step] of the group here; −1: none */
    tl_vec3 *x;  /* [groups of the step] about where it is */
    const tl_local_rows *rows;
    tl_body_patch *patch;
    int patches;
    int (*patch_of)[2]; /* [coupleds] of its sides; −1: none */
    bool large;         /* patches are */
    int *island;        /* [bodies] where they are: one number for all that joints hold together */
    int room;           /* for ends */
    int *hold, *held;   /* [contacts of the rows], [blocks]: −1: it will not press, and is left out */
    bool all;           /* none is */
} tl_body_making;

/* A contact that opens faster will not press; if it does, the next solve has it [m/s]. */
static const double TL_BODY_NEAR = 0.3;

/* Does a contact with this normal impulse and velocity press, or open slowly? Others may be left out. */
static inline bool tl_body_is_slow(double I, double u) { return I > 0 || u < TL_BODY_NEAR; }

/* The next end of the hold that was added last. MEMORY. */
TALUS_NODISCARD talus_status tl_body_put_end(tl_body_making *, tl_body_hold *, tl_body_end);

/* body_patches.c. Groups that stand for large matter where contacts that may press are on it; then the end of a contact there. MEMORY. */
TALUS_NODISCARD talus_status tl_body_make_patches(tl_body_making *);
TALUS_NODISCARD talus_status tl_body_add_patch_end(tl_body_making *, tl_body_hold *, int coupled, int side);

#endif
