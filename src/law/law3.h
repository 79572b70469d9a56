/* Interaction laws of one spatial contact (MECHANICS §2), the sibling of law2.h. A law knows no bodies: only how its velocity answers to its
 * impulse,  V = V_free + W I,  components n, t, s.
 *
 * The problem that a law solves is written on the shifted velocity u = V + shift, so that restitution, anticipated gaps
 * and imposed motions enter as numbers:  u_n = V_n⁺ + e V_n⁻ + max(0, g)/h. */
#ifndef TL_LAW3_H
#define TL_LAW3_H

#include "base/math.h"

/* Symmetric, positive semidefinite [1/kg]. */
typedef struct tl_delassus3 {
    double nn, nt, ns, tt, ts, ss;
} tl_delassus3;

/* The exact solution I of  0 ≤ u_n ⊥ I_n ≥ 0, ‖I_t‖ ≤ μ I_n, u_t ≠ 0 ⇒ I_t = −μ I_n u_t/‖u_t‖,  u = u_free + W I (D20 eq. 32).
 * In every case: separation first, then stick, then slip; where friction jams and several solutions exist, the first of these. */
void tl_coulomb3_solve(const tl_delassus3 *W, double friction, const double u_free[3], double I[3]);

/* Error of (I, u) in m/s: the natural map of the De Saxcé form (MECHANICS §5),
 *     ‖ I − P_K(I − ρ û) ‖ / ρ,   û = u + μ ‖u_t‖ n,   ρ = 3 / (W_nn + W_tt + W_ss). */
double tl_coulomb3_residual(const tl_delassus3 *W, double friction, const double u[3], const double I[3]);

#endif
