/* Ropes: links that cannot grow longer, and that pull only (MECHANICS §2.3; Y19). */
#ifndef TALUS_ROPE_H
#define TALUS_ROPE_H

#include "talus/body.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct talus_rope_def {
    uint32_t struct_size;
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

/* In every step a rope is a contact without friction, also while it is slack: the last talus_rope_count contacts are the ropes, in order (talus_contact_get).
 * Its gap is the length less the distance, its normal points from b to a, its normal impulse is the pull. */

#ifdef __cplusplus
}
#endif
#endif
