/* Spatial rigid bodies in absolute coordinates: grains, and fixed or moving boundaries (D20 §2.1). Axes of a body are its principal ones, from the
 * centre of mass; its angular velocity and inertia are in these axes: M is diagonal and constant, the gyroscopic moment ω × Jω is a force.
 * A boundary has no inverse mass: its motion is imposed. */
#ifndef TL_GRAINS3_H
#define TL_GRAINS3_H

#include "matter/matter.h"
#include "talus/body.h"

typedef struct tl_twist3 {
    tl_vec3 v; /* of the centre of mass, world axes                          */
    tl_vec3 w; /* angular, principal axes of the body                        */
} tl_twist3;

typedef struct tl_pose3 {
    tl_vec3 p; /* centre of mass                                             */
    tl_quat q; /* principal axes                                             */
} tl_pose3;

#endif
