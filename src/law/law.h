/* Laws of contacts as a table (theory §2): a law says what holds at a contact, src/solve how it is solved. It knows neither bodies nor the dimension, only
 * numbers, and every law ends in the same problem,
 *
 *     0 ≤ V_n⁺ + shift  ⊥  J_n ≥ 0,      ‖I_t‖ ≤ μ J_n against the slip,      I_n = J_n − offset,
 *
 * whose set is the friction cone (law2.h, law3.h). A law is one file and one line of the table in law.c: docs/architecture.md says how to add one. */
#ifndef TL_LAW_H
#define TL_LAW_H

#include "base/base.h"
#include "talus/material.h"

enum { TL_LAW_NUMBERS = 40 };

struct tl_law;

/* What holds between two materials, made from its definition. */
typedef struct tl_interaction {
    const struct tl_law *law;
    bool enabled, bounces; /* bounces: V_n⁻ enters the law of what is struck */
    talus_activation activation;
    bool recalls; /* V_n⁻ enters the law of every contact              */
    double reach; /* gap up to which it acts [m]; 0: where bodies meet */
    double friction, restitution;
    double stiffness, damping, friction_velocity; /* penalty scheme                                                              */
    double value[TL_LAW_NUMBERS];                 /* of the law's keys, in their order; of a list its length, then room for `most` */
} tl_interaction;

/* What a law sees of a contact. */
typedef struct tl_law_view {
    double gap, h; /* at mid-step [m]; the step [s]                                                        */
    bool struck;   /* it bounces, and the impact happens in this step                                      */
    double before; /* V_n⁻ [m/s], where it is struck or the law recalls it                                */
    double share;  /* one over the number of points of its pair of shapes                                 */
} tl_law_view;

/* What it makes of that. */
typedef struct tl_law_bound {
    double shift;    /* [m/s] */
    double friction; /* μ     */
    double offset;   /* impulse by which J_n exceeds the normal impulse [N s]: −offset acts beforehand, on both bodies */
} tl_law_bound;

typedef struct tl_law {
    talus_law info;
    tl_law_bound (*bind)(const tl_interaction *, const tl_law_view *);
    /* More than the ranges of the keys say; may be NULL. INPUT. */
    talus_status (*check)(tl_interaction *, tl_error *);
} tl_law;

/* The laws, one line each; NULL at the end. */
extern const tl_law *const TL_LAWS[];
extern const tl_law TL_COULOMB, TL_IMPACT, TL_COHESION, TL_CAPILLARY;

/* Of contacts that have no materials: ropes. Also what a contact without an interaction has. */
extern const tl_interaction TL_FRICTIONLESS;

static inline tl_law_bound tl_law_bind(const tl_interaction *i, const tl_law_view *view) { return i->law->bind(i, view); }

/* positions.c. A contact of this law in a problem of displacements, which are velocities times h: 0 ≤ V_n + gap/h ⊥ J_n ≥ 0, the gap of either sign, with the
 * friction that the law has there. A force that lasts makes half of its impulse of the displacement, and so does the offset. */
tl_interaction tl_law_of_positions(const tl_interaction *, const tl_law_view *);

/* The interaction of a definition; INPUT names the law and the key. */
TALUS_NODISCARD talus_status tl_interaction_make(const talus_interaction_def *, tl_interaction *out, tl_error *);

#endif
