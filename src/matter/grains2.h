/* Planar rigid bodies in absolute coordinates: grains, and fixed or moving boundaries (D20 §2.1).
 * State per body: position of the centre of mass x, y [m], angle [rad]; their rates. M is diagonal and constant.
 * A boundary has no inverse mass: its motion is imposed. */
#ifndef TL_GRAINS2_H
#define TL_GRAINS2_H

#include "matter/grain_load.h"
#include "matter/matter.h"

typedef struct tl_grains2 {
    tl_matter matter; /* first: the table of operations                                          */
    int n;
    /* cold: never changes while running */
    talus_body_kind *kind;                  /* [n]; state where `changes`                                              */
    bool changes;                           /* bodies may change their kind while running                              */
    double *mass, *inertia;                 /* [n] as stated or computed [kg, kg m²]; boundaries keep theirs          */
    double *inverse_mass, *inverse_inertia; /* [n] zero for boundaries                                */
    tl_vec2 *origin;                        /* [n] the user's origin from the centre of mass, body axes [m]            */
    tl_twist2 *start;                       /* [n] boundaries: placement of the origin at zero motion; state where `changes` */
    talus_motion (*motion)[3];              /* [n] boundaries                                                      */
    tl_grain_load *loads;
    int load_count, load_capacity;
    /* state */
    tl_twist2 *q, *v; /* [n] q: x, y, angle of the centre of mass                                */
    /* scratch of a step */
    tl_twist2 *q_m, *q_next; /* [n]                                                                   */
    tl_twist2 *v_kept;       /* those of the state, while a step starts from others; else NULL                */
    tl_twist2 *v_free;       /* [n] v + M⁻¹ h f; boundaries: the imposed velocity at the end of the step */
    bool in_step;
    int *capacity; /* bookkeeping of tl_grow, one per array                                   */
} tl_grains2;

tl_grains2 *tl_grains2_create(tl_memory memory);
/* Adds a body at rest at the origin with mass 1; the caller sets the arrays. −1 when memory ran out. */
int tl_grains2_add(tl_grains2 *);
/* No more bodies will be added: room that is left over is given back. MEMORY. */
TALUS_NODISCARD talus_status tl_grains2_fit(tl_grains2 *);
/* What follows from a body's kind and its mass and inertia: their inverses. */
void tl_grains2_settle_kind(tl_grains2 *, int body);
/* From now on `more` resists changes of spin beside the inertia [kg m²]. */
void tl_grains2_resist(tl_grains2 *, int body, double more);
/* A boundary starts from where the body is at time t, with the velocity of its motion. */
void tl_grains2_start_here(tl_grains2 *, int body, double t);
/* Placement and velocity of boundaries at time t into q and v; after the definition, and after a restore. */
void tl_grains2_place_boundaries(tl_grains2 *, double t);
tl_pose2 tl_grains2_pose(const tl_grains2 *, int body); /* at q_m within a step */

#endif
