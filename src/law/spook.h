/* How SPOOK holds a constraint (theory §4.4; N18 eq. 8-9): with a compliance ε [m/N] and a damping time τ [s] a row obeys
 *
 *     V⁺ + Σ λ = −(4/h) Υ g + Υ V⁻,     Σ = (4/h²) ε Υ,     Υ = 1/(1 + 4τ/h).
 *
 * With the impulse λ = h f that is a spring and a damper, −ε f = (g_{n+1} + 2 g_n + g_{n−1})/4 + τ V⁺: no step is too long for them. */
#ifndef TL_SPOOK_H
#define TL_SPOOK_H

#include "law/law.h"

#include <math.h>

typedef struct tl_spook {
    double give, keep; /* Σ [1/kg], Υ */
} tl_spook;

static inline tl_spook tl_spook_of(double compliance, double relaxation, double h)
{
    const double keep = h / (h + 4 * relaxation);
    return (tl_spook){4 / (h * h) * compliance * keep, keep};
}

/* Of a contact: ε = 1/stiffness, or 0 where it has none; τ = damping/stiffness where a damping is given beside it, else that of the scheme. */
static inline tl_spook tl_spook_of_contact(const tl_interaction *i, double relaxation, double h)
{
    if (!(i->stiffness > 0)) return tl_spook_of(0, relaxation, h);
    return tl_spook_of(1 / i->stiffness, isnan(i->damping) ? relaxation : i->damping / i->stiffness, h);
}

/* The least damping [N s/m] with which the spring of a contact, where an impulse along the normal gives V = W I, sends no body back faster than it came; 0:
 * none is needed. With σ = Σ/W, what meets with V at the end of a step is h V (Υ + σ)/(1 + σ) deep one step later, and has V (Υ + σ) (3Υ − σ)/(1 + σ)² after
 * the next: that is V at this damping, and more below it. (√3 − 1) h K/4 is enough for any W. While √(K W) h ≤ 2 an undamped spring acts for more steps; then
 * by where in a step two meet some come back with a quarter more than V, at the most, but the mean of their energies is less than before. */
static inline double tl_spook_least_damping(double stiffness, double W, double h)
{
    const double s = 4 / (h * h * stiffness * W); /* σ/Υ */
    return s < 1 ? 0.25 * h * stiffness * (sqrt((1 + s) * (3 - s)) - s - 1) : 0;
}

#endif
