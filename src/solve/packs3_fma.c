/* Packs for machines with AVX2 and FMA. */
#define TL_PACKS3 tl_packs3_fma
#include "solve/packs3_kernels.h"
