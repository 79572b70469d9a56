/* Packs for machines with AVX2 and FMA. */
#define TL_PACKS2 tl_packs2_fma
#include "solve/packs2_kernels.h"
