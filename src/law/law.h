/* Laws of contacts as a table (theory §2): a law says what holds at a contact, src/solve how it is solved. It knows neither bodies nor the dimension, only
 * numbers, and every law ends in the same problem,
 *
 *     0 ≤ V_n⁺ + shift  ⊥  J_n ≥ 0,      ‖I_t‖ ≤ μ J_n against the slip,      I_n = J_n − offset,
 *
 * whose set is the friction cone (law2.h, law3.h), or with moments against rolling and spinning the rolling cone (set.h). A law is one file and one line of the
 * table in law.c: docs/architecture.md says how to add one. */
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
    bool recalls;   /* V_n⁻ enters the law of every contact                                        */
    bool remembers; /* its pairs have a state; unless `check` says otherwise, where the law has fields */
    bool resists;   /* it has moments, against rolling or spinning: its set is the rolling cone (set.h)    */
    double reach;   /* gap up to which it acts [m]; 0: where bodies meet */
    double friction, restitution;
    double stiffness, damping, friction_velocity; /* of springs in contacts; damping NaN: that of the scheme                             */
    double value[TL_LAW_NUMBERS];                 /* of the law's keys, in their order; of a list its length, then room for `most` */
} tl_interaction;

/* How a scheme holds contacts: at velocities, as a law says it; with the overlap that is there taken back by SPOOK (theory §4.4); in an impact, which leaves
 * no time to forces. */
typedef enum tl_holding { TL_HOLD_VELOCITIES, TL_HOLD_GAPS, TL_HOLD_IMPACTS } tl_holding;

/* What a law sees of a contact. */
typedef struct tl_law_view {
    double gap, h;       /* at mid-step [m]; the step [s]                                                        */
    bool struck;         /* it bounces, and the impact happens in this step                                      */
    double before;       /* V_n⁻ [m/s], where it is struck, or the law or the scheme recalls it                 */
    double share;        /* of what the points of its pair of surfaces have together; all add up to 1           */
    double weight;       /* this point's part of the push of its pair in the last solve; only where it has a state */
    const double *state; /* [fields] of its pair of surfaces, as `update` left it; NULL: the interaction has none */
    tl_holding holding;
    double relaxation; /* GAPS: τ of contacts whose interaction has none [s] */
    double back;       /* share of V_n⁻ > 0 with which two that deform may come back within the step (theory §10.4) */
} tl_law_view;

/* What it makes of that. */
typedef struct tl_law_bound {
    double shift;    /* [m/s] */
    double friction; /* μ     */
    double offset; /* impulse by which J_n exceeds the normal impulse [N s]: −offset acts beforehand, on both bodies; of a law with a state it may push: < 0 */
    double rolling, spinning; /* lengths: moments about the tangents and the normal, at most, by J_n [m] */
} tl_law_bound;

/* Contacts are solved until no pair wants another state (FIND); once more, if some pair wants it, with all states as they are then (HOLD); then the step
 * ENDs. */
typedef enum tl_law_stage { TL_LAW_FIND, TL_LAW_HOLD, TL_LAW_END } tl_law_stage;

/* A pair of surfaces, each a shape or all that a solid meets others with, when its contacts have been solved. Gap and velocity are means over its points, which
 * their pushes weigh, or all alike where none does. */
typedef struct tl_law_pair {
    double h, gap, velocity; /* the step [s]; at mid-step [m]; V_n⁺ [m/s]                                              */
    double push;             /* I_n of all points that push [N s]                                                      */
    double mobility;         /* by which V_n grows for each unit of `push`, of the two bodies alone; if it `finds` [1/kg] */
    double size;             /* smaller radius of the balls about the two shapes; infinite: both have no end [m]       */
    double tolerance;        /* of velocities in this step [m/s]                                                       */
    double parting;          /* largest gap of the points that pull (offset > 0), as the step ends; −∞: none pulls [m] */
    double end;              /* time as the step ends [s]                                                              */
    tl_law_stage stage;
    int solves;           /* of this step, up to now                                                                */
    const double *before; /* [fields] state at the beginning of the step                                            */
} tl_law_pair;

/* A law whose pairs have a state has fields, `update` and what else it needs; others have none of these. A new state is zero, or what `meet` makes of that. It
 * lasts as long as the pair is in the problem, which it is when it is near, whatever the activation. */
typedef struct tl_law {
    talus_law info;
    tl_law_bound (*bind)(const tl_interaction *, const tl_law_view *);
    /* More than the ranges of the keys say; may be NULL. INPUT. */
    talus_status (*check)(tl_interaction *, tl_error *);
    /* From impulses to the state that they lead to. FIND: true, if contacts are to be bound with this state and solved again. HOLD: the same, for the last
     * time. END: it is the state at the end of the step. A step may find its contacts anew: then `state` is that at its beginning again. */
    bool (*update)(const tl_interaction *, const tl_law_pair *, double *state);
    bool finds; /* the state is an unknown of the step, and `update` called in all stages; else it follows from the last solve: END alone */
    /* The pair has come near at this time, or its interaction has just begun to remember: its state, from zeros. NULL: zeros. */
    void (*meet)(const tl_interaction *, double time, double *state);
    /* The pair touches in points of which nothing is remembered: how it shares its push among them is not known. NULL: nothing changes. */
    void (*regroup)(const tl_interaction *, double *state);
    /* The pair is no longer near: its state from now on; false: it is forgotten. NULL: always forgotten. */
    bool (*part)(const tl_interaction *, double *state);
    /* How deep the two may lie in one another [m]: what is taken back as drift, and counts as penetration, begins there. NULL: not at all. */
    double (*depth)(const tl_interaction *, const double *state);
} tl_law;

/* The laws, one line each; NULL at the end. */
extern const tl_law *const TL_LAWS[];
extern const tl_law TL_COULOMB, TL_IMPACT, TL_COHESION, TL_CAPILLARY, TL_PLASTIC, TL_ROLLING;

/* Of contacts that have no materials: ropes. Also what a contact without an interaction has. */
extern const tl_interaction TL_FRICTIONLESS;

/* What the law makes of the contact, as the scheme holds it. */
tl_law_bound tl_law_bind(const tl_interaction *, const tl_law_view *);

/* positions.c. A contact of this law in a problem of displacements, which are velocities times h: 0 ≤ V_n + (gap − way)/h ⊥ J_n ≥ 0, the gap of either sign,
 * `way` the displacement along n that led to it, with the friction that the law has there. A force that lasts makes half of its impulse of the displacement,
 * and so does the offset. */
tl_interaction tl_law_of_positions(const tl_interaction *, const tl_law_view *, double way);
double tl_law_gap_of_positions(const tl_interaction *, double gap, double h, double V); /* that V leads to, by this law */

/* The gap that is to be kept open: `state` may be NULL. */
static inline double tl_law_gap(const tl_interaction *i, const double *state, double gap)
{
    return state && i->law->depth ? gap + i->law->depth(i, state) : gap;
}

/* A row of state has a place for every field of every law: how many these are; where those of a law begin. */
int tl_law_columns(void);
int tl_law_column(const tl_law *);

/* The interaction of a definition; INPUT names the law and the key. */
TALUS_NODISCARD talus_status tl_interaction_make(const talus_interaction_def *, tl_interaction *out, tl_error *);

#endif
