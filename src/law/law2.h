/* Interaction laws of one planar contact (theory §2). A law knows no bodies, only how the velocity of the contact
 * depends on its impulse,
 *     V = V_free + W I,      components n, t.
 *
 * The problem that a law solves is written on the shifted velocity u = V + (shift, 0), so that restitution, anticipated gaps
 * and imposed motions enter as numbers:  u_n = V_n⁺ + e V_n⁻ + max(0, g)/h.
 */
#ifndef TL_LAW2_H
#define TL_LAW2_H

#include "base/math.h"

typedef struct tl_delassus2 {
    double nn, nt, tt; /* symmetric, positive semidefinite [1/kg] */
} tl_delassus2;

/* Signorini–Coulomb, solved exactly: what one contact needs, derived once per step. */
typedef struct tl_coulomb2 {
    double inverse_nn; /* 1 / W_nn                                            */
    double inverse_s;  /* 1 / (W_tt − W_nt²/W_nn): tangential, at V_n held    */
    double k_plus;     /* I_t ≤ −k_plus u_n(I=0):  μ / (W_nn + μ W_nt), or ∞  */
    double k_minus;    /* I_t ≥ +k_minus u_n(I=0): μ / (W_nn − μ W_nt), or ∞  */
} tl_coulomb2;

tl_coulomb2 tl_coulomb2_prepare(tl_delassus2 W, double friction);

/* The exact solution I of  0 ≤ u_n ⊥ I_n ≥ 0, |I_t| ≤ μ I_n, u_t ≠ 0 ⇒ I_t = −μ I_n sign u_t,  u = u_free + W I
 * (D20 eq. 32). Where friction jams (μ |W_nt| ≥ W_nn) and two solutions exist, separation comes first, then stick.
 * With u_t held by friction, I_t is the unique zero of an increasing function clamped to the cone: no case is left out. */
static inline void tl_coulomb2_solve(const tl_coulomb2 *law, double W_nt, double u_n, double u_t, double I[2])
{
    if (u_n >= 0) {
        I[0] = I[1] = 0;
        return;
    }
    const double ratio = W_nt * law->inverse_nn;
    const double stick = -(u_t - ratio * u_n) * law->inverse_s;
    const double high = -law->k_plus * u_n, low = law->k_minus * u_n;
    const double t = stick > high ? high : (stick < low ? low : stick);
    I[1] = t;
    I[0] = -u_n * law->inverse_nn - ratio * t;
}

/* Error of (I, u) in m/s: the natural map of the De Saxcé form (theory §5),
 *     ‖ I − P_K(I − ρ û) ‖ / ρ,   û = u + μ |u_t| n,   ρ = 2 / (W_nn + W_tt). */
double tl_coulomb2_residual(tl_delassus2 W, double friction, const double u[2], const double I[2]);

#endif
