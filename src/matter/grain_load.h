/* A force and torque that are given on a grain. */
#ifndef TL_GRAIN_LOAD_H
#define TL_GRAIN_LOAD_H

#include "base/math.h"
#include "talus/body.h"

typedef struct tl_grain_load {
    int body;
    tl_vec3 point; /* from the user's origin, user's axes [m] */
    bool follows_body;
    talus_motion force[3], torque;
} tl_grain_load;

#endif
