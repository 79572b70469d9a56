/* Ropes: links without mass that cannot grow longer, and that pull only (theory §2.3; Y19); struts, which cannot grow shorter, and push. */
#ifndef TALUS_ROPE_H
#define TALUS_ROPE_H

#include "talus/body.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum talus_rope_kind {
    TALUS_ROPE_PULLS, /* its ends come no farther apart than its length      default */
    TALUS_ROPE_PUSHES /* a strut: they come no nearer; with a rope of the same length beside it, a rod */
} talus_rope_kind;

typedef struct talus_rope_def {
    uint32_t struct_size;
    talus_rope_kind kind;
    talus_body_id body_a, body_b;  /* grains, boundaries or links; {0}: the ground                       */
    double point_a[3], point_b[3]; /* where it is tied, in each body's axes [m]             default 0 0 0 */
    double length;                 /* [m]; 0: the distance of the points at the start                    */
    double stiffness, damping;     /* penalty scheme only: of the taut rope [N/m], [N s/m]                */
} talus_rope_def;

TALUS_API talus_rope_def talus_rope_def_default(void);
/* INPUT: a body that does not exist, both ends at one body, numbers that are none, a negative length; at assembly: points that coincide and no length.
 * Ropes are numbered from 0 in order of creation. */
TALUS_API TALUS_NODISCARD talus_status talus_rope_create(talus_world *world, const talus_rope_def *def);
TALUS_API int talus_rope_count(const talus_world *world);

/* In every step a rope is a contact without friction, also while it is slack: the last talus_rope_count contacts are
 * the ropes, in order (talus_contact_get). Its gap is the length less the distance, its normal points from b to a, its
 * normal impulse is the pull; of a strut all three are the other way: its impulse is the push. A taut rope or a rod
 * that turns with ω loses in each step the share (ω h)² of the kinetic energy of that rotation, for the step leaves a
 * velocity across the rope as it is at mid-step, not at the step's end. The loop `rod` of a mechanism keeps energy to
 * second order. */

/* A rope over pulleys: it runs from the first point over those between to the last without friction, and its whole length does not exceed `length`. A pulley is
 * a point of its body, as small as an eye; what it weighs and how it turns is the body's. */
typedef struct talus_tackle_def {
    uint32_t struct_size;
    int count;                   /* of points, at least 3                                                       */
    const talus_body_id *bodies; /* [count] grains, boundaries or links; {0}: the ground; the same may come again */
    const double (*points)[3];   /* [count] in each body's axes [m]                                             */
    double length;               /* [m]; 0: that at the start                                                   */
} talus_tackle_def;

TALUS_API talus_tackle_def talus_tackle_def_default(void);
/* A constraint beside the contacts, and no contact: numbered by itself from 0. INPUT: fewer than three points, a body that does not exist, numbers that are
 * none; at assembly: neighbouring points that coincide. UNSUPPORTED at assembly: a scheme that knows no joints. */
TALUS_API TALUS_NODISCARD talus_status talus_tackle_create(talus_world *world, const talus_tackle_def *def);
TALUS_API int talus_tackle_count(const talus_world *world);
TALUS_API double talus_tackle_pull(const talus_world *world, int index); /* mean of the last step [N] */

#ifdef __cplusplus
}
#endif
#endif
