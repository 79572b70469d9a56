/* Interaction laws of one spatial contact (theory §2), the sibling of law2.h. A law knows no bodies, only how the
 * velocity of the contact depends on its impulse, V = V_free + W I, components n, t, s.
 *
 * The problem that a law solves is written on the shifted velocity u = V + shift, so that restitution, anticipated gaps
 * and imposed motions enter as numbers:  u_n = V_n⁺ + e V_n⁻ + max(0, g)/h. */
#ifndef TL_LAW3_H
#define TL_LAW3_H

#include "base/math.h"

/* Symmetric, positive semidefinite [1/kg]; nn > 0. */
typedef struct tl_delassus3 {
    double nn, nt, ns, tt, ts, ss;
} tl_delassus3;

/* Signorini–Coulomb: what one contact needs, derived once per step. The tangents are turned to axes 1, 2 in which the tangential W at u_n held,
 * S = W_tt − W_tn W_nt / W_nn, is diagonal. */
typedef struct tl_coulomb3 {
    double nn, inverse_nn; /* W_nn, 1 / W_nn                                              */
    double w1, w2;         /* W_n1 / W_nn, W_n2 / W_nn                                    */
    double s1, s2;         /* S, at least 1e-12 of W_tt + W_ss                            */
    double friction;       /* finite                                                      */
    double cos, sin;       /* axis 1 = cos t + sin s, axis 2 = cos s − sin t              */
} tl_coulomb3;

tl_coulomb3 tl_coulomb3_prepare(const tl_delassus3 *W, double friction);

/* The impulse at u_n = 0 along 1 and 2 is x_i = −b_i / (s_i + λ), its normal part c − w1 x1 − w2 x2, where c > 0 and b are impulse and tangential
 * velocity without friction. λ = 0 is stick; the contact slips with u_t = −λ x. Returns λ ≥ 0 (see signorini_coulomb3.c); friction > 0. */
double tl_coulomb3_slip(const tl_coulomb3 *law, double c, double b1, double b2);

/* The solution I of  0 ≤ u_n ⊥ I_n ≥ 0, ‖I_t‖ ≤ μ I_n, u_t ≠ 0 ⇒ I_t = −μ I_n u_t/‖u_t‖,  u = u_free + W I (D20 eq. 32), components n, t, s.
 * In every case: separation first, then stick, then slip; where friction jams and several solutions exist, the first of these. Where W is
 * singular, with S raised to 1e-12 of W_tt + W_ss: then there always is a solution, if one with large impulses where friction jams. */
void tl_coulomb3_obey(const tl_coulomb3 *law, const double u_free[3], double I[3]);

/* The same for sweeps: λ of the last visit on entry (0: not known), of this one on return; any guess is allowed. Where it lay near, one step of Newton's is
 * taken that need not be the last: λ is then good to the square of that step, 1e-6 or so of itself, and as sweeps converge their steps shrink by themselves. */
void tl_coulomb3_follow(const tl_coulomb3 *law, const double u_free[3], double *lambda, double I[3]);

/* The same, prepared and solved at once. */
void tl_coulomb3_solve(const tl_delassus3 *W, double friction, const double u_free[3], double I[3]);

/* x ← P_K(x), K the cone ‖x_t‖ ≤ μ x_n: what is inside stays, what is in the polar cone goes to zero, the rest to the border. */
void tl_cone3_project(double friction, double x[3]);

/* F = I − P_K(I − û), û = u + opening n: the natural map, of impulses and velocities in the same unit. What û is does not come of a difference of impulses, the
 * rounding of which would hide it where they are large. */
void tl_coulomb3_natural_map(double friction, double opening, const double I[3], const double u[3], double F[3]);

/* Error of (I, u) in m/s: the natural map of the De Saxcé form (theory §5),
 *     ‖ I − P_K(I − ρ û) ‖ / ρ,   û = u + μ ‖u_t‖ n,   ρ = 3 / (W_nn + W_tt + W_ss). */
double tl_coulomb3_residual(const tl_delassus3 *W, double friction, const double u[3], const double I[3]);

#endif
