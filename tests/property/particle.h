/* What tests of particles of meshfree solids share: soil, and deformations by chance. */
#ifndef TEST_PARTICLE_H
#define TEST_PARTICLE_H

#include "base/base.h"
#include "solid/particle_response.h"
#include "test.h"

static tl_random rnd;

static inline tl_material soil(void) { return (tl_material){&TL_DRUCKER_PRAGER, {91e6, 0.3, 14e3, 22 * TL_PI / 180, 5e3, 500e3, 4, 0.1, 1e-6}}; }

static inline tl_mat3 less_one(tl_mat3 F)
{
    for (int k = 0; k < 3; k++) F.m[k][k] -= 1;
    return F;
}

static inline tl_mat3 random_deformation(double by)
{
    tl_mat3 F = tl_mat3_identity();
    for (int i = 0; i < 9; i++) F.m[i / 3][i % 3] += tl_random_uniform(&rnd, -by, by);
    return F;
}

static inline tl_mat3 random_rotation(void)
{
    const tl_vec3 axis = tl_normalize(tl_v3(tl_random_uniform(&rnd, -1, 1), tl_random_uniform(&rnd, -1, 1), tl_random_uniform(&rnd, -1, 1)));
    return tl_mat3_rotation(axis, tl_random_uniform(&rnd, -3, 3));
}

#endif
