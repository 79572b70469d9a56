/* Gradients at the nodes of a mesh of any form, as means of those of its elements (theory §7.9; Dohrmann, Heinstein, Jung, Key and Witkowski 2000):
 *
 *     V_i = ∫ N_i dV          Λ_ij = 1/V_i ∫ N_i ∇N_j dV
 *
 * with the shape functions N of elements whose nodes may be anywhere. Both of what is wanted of gradients follows from Σ_i N_i = 1 and Σ_j x_j N_j = x, point
 * by point of the quadrature, and so to rounding on every mesh:
 *
 *     Σ_j Λ_ij = 0,   Σ_j x_j ⊗ Λ_ij = 1          fields that are linear have their gradients exactly
 *     Σ_i V_i Λ_ij = ∫ ∇N_j dV = ∮ N_j n dA       a constant stress exerts no force on what is inside, and its traction on the surface by N_j
 *
 * On a lattice of cubes they are central differences along the axis, a sixth, four sixths and a sixth of them across it; those of least_squares.h differ in
 * what they take across, and in nothing else, at faces neither. */
#ifndef TL_MEAN_GRADIENTS_H
#define TL_MEAN_GRADIENTS_H

#include "solid/least_squares.h"
#include "solid/mesh.h"

/* Neighbours are the nodes of common elements; volumes in the plane are areas. To be freed with tl_least_squares_free. MEMORY. */
TALUS_NODISCARD talus_status tl_mean_gradients_create(tl_memory, const tl_element_mesh *, tl_least_squares *out, tl_error *);

#endif
