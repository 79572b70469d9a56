/* Moving least squares on a lattice of particles (theory §7.1; N18 eq. 19-22): the gradient of a field at each particle from its values there and around,
 *
 *     ∇u (x_i) = Σ_j Λ_ij u_j,      Λ_ij = ∇Ψ_j (x_i),
 *
 * of a fit by 1, x, y, z, yz, xz, xy, x², y², z², weighted by (l² − r²)³ within the radius of influence l. Fields that are linear have their gradients exactly,
 * and quadratic ones where all neighbours are there.
 *
 * Where they are not, at the surface, the fit has no answer of its own: two layers cannot tell x from x². There a ghost stands beyond the surface, with the
 * value that goes on straight through it, u = 2 u_b − u_in of the two particles before it, at edges and corners along one axis after the other; it is no
 * unknown. With volumes that are halved at each face of the lattice Σ_i V_i Λ_ij = 0 for every j that is no more than inside: a constant stress then exerts no
 * force within a body, as it should. */
#ifndef TL_LEAST_SQUARES_H
#define TL_LEAST_SQUARES_H

#include "base/base.h"

typedef struct tl_least_squares_def {
    int dimension, particles;
    const int (*site)[3]; /* [particles] on the lattice, in the plane the third is 0 */
    double spacing;       /* a [m] */
    double influence;     /* l over a, above √dimension, so that a particle has all of its 26 (in the plane 8) neighbours, and at most 2: no more of them */
} tl_least_squares_def;

typedef struct tl_least_squares {
    tl_memory memory;
    int particles;
    double *volume;         /* [particles] a³, in the plane a², by as many halves as the lattice has faces there */
    int *begin, *neighbour; /* of particle i: neighbour[begin[i]] … neighbour[begin[i + 1] − 1], ascending, itself among them */
    double (*gradient)[3];  /* Λ_ij [1/m] */
    int ghosts;             /* that stand somewhere */
    int linear;             /* particles whose fit is linear, for neighbours are missing that no ghost stands for */
    double spacing;         /* a [m] */
    int *by_site;           /* [particles] in the order of their sites along the last axis, then the second, then the first */
    int box[3];             /* particles along each axis of a box in space that they fill, and that has its ghosts all around; else 0 */
    double slope[3];        /* ∂Ψ/∂x inside such a box of a neighbour ahead, of one ahead and aside along another axis, and aside along both [1/m] */
} tl_least_squares;

/* INPUT: an influence out of its range, two particles at one site, a particle (by number from 1) that has no neighbours along some direction. MEMORY. */
TALUS_NODISCARD talus_status tl_least_squares_create(tl_memory, const tl_least_squares_def *, tl_least_squares *out, tl_error *);
void tl_least_squares_free(tl_least_squares *);

#endif
