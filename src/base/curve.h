/* Morton's curve, which fills space: points whose keys are near are near one another (Morton 1966). */
#ifndef TL_CURVE_H
#define TL_CURVE_H

#include <stdint.h>

/* The key, of 3 × bits bits, of a point whose coordinates lie in [0, 1]; what lies beyond, or is no number, counts as at the rim. */
static inline uint64_t tl_curve_key(const double at[3], int bits)
{
    uint64_t key = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double inside = at[axis] > 0 ? at[axis] < 1 ? at[axis] : 1 : 0;
        const uint64_t cell = (uint64_t)(inside * (double)((1 << bits) - 1));
        for (int bit = 0; bit < bits; bit++) key |= (cell >> bit & 1) << (3 * bit + axis);
    }
    return key;
}

#endif
