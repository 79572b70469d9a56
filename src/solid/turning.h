/* Axes that turn with an element, in which its strains are small though it is turned far (corotational; theory §10.7).
 *
 *     F̄ = 1 + Σ u_a ⊗ ḡ_a = R U        ḡ_a: mean over the element of the shape function's gradient, where nothing is strained
 *     y_a = Rᵀ (x_a − x_0)              places in the turned axes, u_a = y_a − (X_a − X_0) the displacements there
 *
 * Virtual displacements along the turned axes, p_a = Rᵀ δx_a, turn these by ω = S⁻¹ Σ ḡ_a × p_a, S = tr U 1 − U, which leaves
 * δu_a = p_a − ω × y_a. So forces f_a on u_a are the forces R (f_a − n × ḡ_a) on the nodes, n = S⁻¹ Σ y_a × f_a: the derivative
 * of an energy of u by the places of nodes, that of R included. They have neither sum nor moment. */
#ifndef TL_TURNING_H
#define TL_TURNING_H

#include "base/math.h"
#include "solid/element.h"

typedef struct tl_turning {
    int nodes, dimension;
    const double (*mean)[3]; /* [nodes] ḡ [1/m] */
    tl_mat3 R, U, S;         /* S: its inverse */
    tl_vec3 y[TL_ELEMENT_NODES];
    double u[3 * TL_ELEMENT_NODES]; /* [unknowns] */
} tl_turning;

/* Of nodes at x without strain, displaced by u; `mean` is to outlive it. False: the element is turned inside out. */
bool tl_turning_find(const tl_element_kind *, const double (*x)[3], const double (*mean)[3], const double *u, tl_turning *out);

/* S⁻¹ = (tr U 1 − U)⁻¹; its eigenvalues are one over sums of two stretches. */
tl_mat3 tl_inverse_swing(const tl_mat3 *U);

/* Of velocities v of nodes, those of the displacements in turned axes [unknowns]. */
void tl_turning_rates(const tl_turning *, const double *v, double *out);
/* Forces on displacements in turned axes to those on nodes, in place. */
void tl_turning_forces(const tl_turning *, double *f);
/* Stiffness in turned axes to that of nodes, in place, [unknowns²] symmetric: positive where that is. With f, the forces in turned axes, the derivative of
 * tl_turning_forces; without (NULL), that for forces which vanish. */
void tl_turning_stiffness(const tl_turning *, const double *f, double *K);
/* A symmetric tensor as six numbers xx, yy, zz, xy, yz, xz to the world's axes, in place; strain: the last three are angles. */
void tl_turning_tensor(const tl_turning *, bool strain, double t[6]);

#endif
