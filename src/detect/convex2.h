/* Planar shapes by their operations (shape/kinds2.h): the pair for all kinds that have none of their own. Internal to this
 * room. */
#ifndef TL_CONVEX2_H
#define TL_CONVEX2_H

#include "detect/narrow2.h"

enum { TL_CONVEX_TOUCHES2 = 2 };

/* At most TL_CONVEX_TOUCHES2, in order of their features; one of the two may be a half-plane. */
int tl_convex_touches2(const tl_shape2 *a, const tl_pose2 *pa, const tl_shape2 *b, const tl_pose2 *pb, double alert, tl_touch2 *out);

#endif
