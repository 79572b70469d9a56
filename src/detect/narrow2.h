/* Pair functions in the plane: where two shapes nearly touch (theory §6.2). */
#ifndef TL_NARROW2_H
#define TL_NARROW2_H

#include "detect/touch.h"
#include "shape/shape2.h"

/* One point of contact. The normal points from shape a (antagonist) to shape b (candidate); the point lies midway in the gap. */
typedef struct tl_touch2 {
    tl_vec2 point, normal;
    double gap;
    int feature; /* which corner of which shape: stable while the same features face each other; < TL_FEATURES, of a mesh < 256 */
} tl_touch2;

enum { TL_FEATURES = 64, TL_TOUCHES2 = TL_CORNERS }; /* no pair has more touches */

/* Touches with gap < alert, at most tl_touch2_limit(a, b), in order of their features. */
int tl_touch2_find(const tl_shape2 *a, const tl_pose2 *pose_a, const tl_shape2 *b, const tl_pose2 *pose_b, double alert, tl_touch2 *out);
/* As tl_touch3_passes (narrow3.h): sides in place of faces. */
void tl_touch2_passes(const tl_shape2 *a, const tl_pose2 *pose_a, const tl_shape2 *b, const tl_pose2 *pose_b, tl_passing *);
/* As tl_touch3_is_beyond. */
bool tl_touch2_is_beyond(const tl_shape2 *, const tl_pose2 *, tl_vec2 n, double least);
int tl_touch2_limit(const tl_shape2 *a, const tl_shape2 *b);

#endif
