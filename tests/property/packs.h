/* What tests of the kernels of packs share: random lanes, and rows for both ends. */
#ifndef TALUS_TEST_PACKS_H
#define TALUS_TEST_PACKS_H

#include "base/base.h"
#include "solve/lanes.h"
#include "test.h"

enum { PACKS = 400, ROWS = 64 };

static tl_random rnd;

static inline double uniform(double low, double high) { return tl_random_uniform(&rnd, low, high); }

static inline void fill(tl_lanes *v, double low, double high)
{
    for (int i = 0; i < TL_LANES; i++) (*v)[i] = uniform(low, high);
}

/* Rows of so many bytes: no two ends of a pack are the same, but a tenth of the contacts, with what does not move, have b = a. */
static inline void random_rows(uint32_t a[TL_LANES], uint32_t b[TL_LANES], size_t bytes)
{
    int row[ROWS];
    for (int i = 0; i < ROWS; i++) row[i] = i;
    for (int i = 0; i < 2 * TL_LANES; i++) {
        const int j = i + tl_random_int(&rnd, ROWS - i), at = row[j];
        row[j] = row[i], row[i] = at;
    }
    for (int i = 0; i < TL_LANES; i++) {
        a[i] = (uint32_t)row[2 * i] * (uint32_t)bytes;
        b[i] = (uint32_t)row[2 * i + 1] * (uint32_t)bytes;
        if (uniform(0, 1) < 0.1) b[i] = a[i];
    }
}

#endif
