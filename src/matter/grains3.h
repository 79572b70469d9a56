/* Spatial rigid bodies in absolute coordinates: grains, and fixed or moving boundaries (D20 §2.1). Axes of a body are its principal ones, from the
 * centre of mass; its angular velocity and inertia are in these axes: M is diagonal and constant, the gyroscopic moment −ω × Jω is a force.
 * A boundary has no inverse mass: its motion is imposed. */
#ifndef TL_GRAINS3_H
#define TL_GRAINS3_H

#include "matter/grain_load.h"
#include "matter/matter.h"

typedef struct tl_twist3 {
    tl_vec3 v; /* of the centre of mass, world axes                          */
    tl_vec3 w; /* angular, principal axes of the body                        */
} tl_twist3;

typedef struct tl_pose3 {
    tl_vec3 p; /* centre of mass                                             */
    tl_quat q; /* principal axes                                             */
} tl_pose3;

/* How a boundary moves: displacement of the user's origin, then a turn about an axis through it (world axes both). */
typedef struct tl_course3 {
    talus_motion displacement[3], turn;
    tl_vec3 axis; /* unit */
} tl_course3;

typedef struct tl_grains3 {
    tl_matter matter; /* first: the table of operations                                          */
    int n;
    /* cold: never changes while running */
    talus_body_kind *kind;    /* [n]; state where `changes`                                      */
    bool changes;             /* bodies may change their kind while running                      */
    double *mass;             /* [n] as stated or computed [kg]                                  */
    tl_vec3 *inertia;         /* [n] principal [kg m²]                                           */
    double *inverse_mass;     /* [n] zero for boundaries                                         */
    tl_vec3 *inverse_inertia; /* [n] zero for boundaries, and where there is no inertia          */
    tl_pose3 *user;           /* [n] the user's origin and axes, in the principal ones           */
    int *boundary;            /* [n] where a boundary is in the two arrays below, which leave out free bodies once all are defined and no kind changes */
    tl_course3 *course;       /* boundaries                                                      */
    tl_pose3 *start;          /* boundaries: the user's axes at zero motion; state where `changes` */
    tl_grain_load *loads;
    int load_count, load_capacity;
    /* state */
    tl_pose3 *q;
    tl_twist3 *v;
    /* scratch of a step */
    tl_pose3 *q_m, *q_next;
    tl_frame *frame_m; /* [n] q_m with its rotation as a matrix                                  */
    tl_twist3 *v_kept; /* those of the state, while a step starts from others; else NULL                */
    tl_twist3 *v_free; /* [n] v + M⁻¹ h f; boundaries: the imposed velocity at the end of the step */
    tl_vec3 *gyration; /* [n] of it what the gyroscopic moment has done                        */
    bool *foreseen;    /* [n] impulses that are expected, or were solved for, are in gyration  */
    bool in_step;
    int *capacity; /* bookkeeping of tl_grow, one per array                                  */
} tl_grains3;

static inline const tl_course3 *tl_grains3_course(const tl_grains3 *g, int boundary) { return &g->course[g->boundary[boundary]]; }

tl_grains3 *tl_grains3_create(tl_memory memory);
/* Adds a body at rest at the origin with mass 1; the caller sets the arrays. −1 when memory ran out. */
int tl_grains3_add(tl_grains3 *);
/* No more bodies will be added: room that is left over is given back. MEMORY. */
TALUS_NODISCARD talus_status tl_grains3_fit(tl_grains3 *);
/* What follows from a body's kind and its mass and inertia: their inverses. */
void tl_grains3_settle_kind(tl_grains3 *, int body);
/* A boundary starts from where the body is at time t, with the velocity of its motion. */
void tl_grains3_start_here(tl_grains3 *, int body, double t);
/* Placement and velocity of boundaries at time t into q and v; after the definition, and after a restore. */
void tl_grains3_place_boundaries(tl_grains3 *, double t);
/* Principal axes: at q_m within a step. */
tl_frame tl_grains3_frame(const tl_grains3 *, int body);
/* From now on `more` resists changes of spin beside the inertia, in principal axes [kg m²]. */
void tl_grains3_resist(tl_grains3 *, int body, tl_vec3 more);
/* Turning over h beside another change of w: w⁺ − w − change = −h inverse (w̄ × J w̄), w̄ = (w + w⁺)/2, whose moment does no work; `passes` 0: w̄ = w (D20's
 * explicit forces). Returns w⁺. */
tl_vec3 tl_grains3_spin(tl_vec3 inertia, tl_vec3 inverse, tl_vec3 w, tl_vec3 change, double h, int passes);

#endif
