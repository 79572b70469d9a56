/* What holds displacements that alternate from particle to particle (theory §7.3). Gradients do not see these, for they are differences across two spacings, so
 * that nothing but this resists them. Along each axis of the lattice
 *
 *     W = ½ c Σ V/(64 a²) |u_0 − 3 u_1 + 3 u_2 − u_3|²
 *
 * over all four particles in a row, c a modulus [Pa]: what alternates by ±A is resisted as a strain A/a by Young's modulus c, a smooth wave of length L less by
 * (2π a/L)⁶/64, fields that are no more than quadratic not at all. Rotations change nothing. Rows of three have V/(16 a²) |u_0 − 2 u_1 + u_2|². */
#ifndef TL_PARTICLE_STABILISATION_H
#define TL_PARTICLE_STABILISATION_H

#include "solid/least_squares.h"

typedef struct tl_stabilisation {
    tl_memory memory;
    int particles;
    int *begin, *neighbour; /* of particle i: neighbour[begin[i]] … with itself */
    double *weight;         /* of W's second derivative for c = 1 Pa [m] */
} tl_stabilisation;

/* Of a lattice, with volumes [particles]. MEMORY. */
TALUS_NODISCARD talus_status tl_stabilisation_create(tl_memory, const tl_least_squares_def *lattice, const double *volume, tl_stabilisation *out, tl_error *);
void tl_stabilisation_free(tl_stabilisation *);
/* y [particles × dimension] += c times W's second derivative times u. */
void tl_stabilisation_add(const tl_stabilisation *, int dimension, tl_threads *, double c, const double *u, double *y);
/* Of a particle with itself [m]. */
double tl_stabilisation_own(const tl_stabilisation *, int particle);

#endif
