/* Eight numbers side by side, one of each contact of a pack. */
#ifndef TL_LANES_H
#define TL_LANES_H

#include <stdint.h>

typedef double tl_lanes __attribute__((vector_size(64)));
enum { TL_LANES = 8 };

#endif
