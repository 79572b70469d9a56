/* What small lengths of a shape are shares of. */
#ifndef TL_SIZE_H
#define TL_SIZE_H

#include "base/math.h"

/* The reach of a shape from the origin of its body [m], but for a shape whose middle lies far from there, as on a map: then its own size, and at least so much
 * that a thousand-millionth of it is no less than rounding is. `square`: of the distance of its middle from the origin [m²]. */
static inline double tl_size_of(double reach, double square)
{
    static const double LEAST = 1e-6; /* of the reach */
    return square < 0.25 * reach * reach ? reach : tl_larger(LEAST * reach, 2 * (reach - sqrt(square)));
}

#endif
