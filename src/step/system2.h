/* Everything that a planar step works on: the matter, its contactors, the contacts. Owned by the world, advanced by moreau.c. */
#ifndef TL_SYSTEM2_H
#define TL_SYSTEM2_H

#include "detect/broad2.h"
#include "detect/narrow2.h"
#include "matter/grains2.h"
#include "solve/problem2.h"
#include "talus/material.h"

typedef struct tl_place {
    int matter, item;
} tl_place;

/* What outlives a step of its contacts, in order of their keys: the next warm start. Part of the state. */
typedef struct tl_memo2 {
    uint64_t *key;
    double (*impulse)[2];
    int count, key_capacity, impulse_capacity;
} tl_memo2;

/* What the step has to say; the public report is made from it. */
typedef struct tl_outcome {
    int contacts, touching, iterations;
    double residual, tolerance, penetration;
    bool converged;
} tl_outcome;

typedef struct tl_system2 {
    tl_memory memory;
    tl_step step;
    /* matter; [0] is the grains */
    tl_grains2 *grains;
    tl_matter **matter;
    int matters, matter_capacity;
    /* contactors and laws: fixed after assembly */
    tl_contactor2 *contactor;
    tl_place *contactor_place; /* [contactors] whose shape it is                         */
    int contactors, contactor_capacity, place_capacity;
    const talus_interaction_def *law; /* [materials × materials]                                */
    int materials;
    double mass; /* of everything that moves [kg]                          */
    /* settings */
    double tolerance, alert, slop, skin; /* tolerance 0: from the typical velocity              */
    double acceptable;                   /* error up to which max_iterations ends a solve [m/s]     */
    int max_iterations;
    bool correct_drift;
    /* contacts */
    tl_broad2 broad;
    tl_memo2 memo, memo_next;
    tl_contact2 *contact, *contact_next; /* of the last committed step; of this one              */
    int contact_count, contact_capacity, next_count, next_capacity;
    /* scratch of a step */
    tl_pose2 *pose;      /* [contactors] at q_m                                    */
    double *speed;       /* [contactors] bound on the speed of its points          */
    double common_speed; /* of what pushes the others                              */
    tl_problem2 problem;
    double **v; /* [matters]                                              */
    tl_outcome outcome;
} tl_system2;

typedef talus_status tl_stage_fn(tl_system2 *);

/* The step as a table: predict, detect, bind, color, solve, finish, remember, commit (MECHANICS §4.1, D20 Algorithm 1).
 * Only commit writes the state, and it cannot fail. */
typedef struct tl_stage {
    const char *name;
    tl_stage_fn *run;
} tl_stage;

enum { TL_STAGES = 8 };
extern const tl_stage TL_MOREAU2[TL_STAGES];

/* detect (contacts2.c): contact_next and next_count from the configuration q_m. */
talus_status tl_contacts2_detect(tl_system2 *);
/* After a solve: grains that came out of it faster than detect looked ahead may meet others that it did not see. `more`: they do, and
 * contact_next holds all of them, with the impulses of this solve to begin with; else nothing changed. */
talus_status tl_contacts2_overtake(tl_system2 *, bool *more);
/* remember (contacts2.c): memo_next from contact_next. */
talus_status tl_contacts2_remember(tl_system2 *);
/* Pose of a contactor's body: at q_m within a step. */
tl_pose2 tl_system2_pose(const tl_system2 *, tl_place place);

#endif
