/* Stresses of four particles at once (particle_response.h, particle_renewal.h), where a solid asks for those of thousands several times a step. */
#ifndef TL_PARTICLE_FOUR_H
#define TL_PARTICLE_FOUR_H

#include "solid/columns.h"
#include "solid/material.h"

typedef struct tl_particle_four {
    const tl_columns *rate; /* [4] dF a second; NULL: nothing is damped */
    double damping;         /* β [s] */
    const double *memory;   /* of the first; that of the next is `stride` numbers farther */
    int stride;
    bool renewed; /* memory goes on with references (particle_renewal.h) */
} tl_particle_four;

/* P in place of G of those that are found, a bit each, that of the first is 1: what is torn, turned inside out or not quick to know is left. Numbers are those
 * that particles have one by one, to rounding, and never depend on who the others are. What they would remember is not told. */
int tl_particle_stress_of_four(const tl_material *, const tl_particle_four *, tl_columns G[4]);

#endif
