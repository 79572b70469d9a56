/* Packs for machines with AVX-512. */
#define TL_PACKS2 tl_packs2_avx512
#include "solve/packs2_kernels.h"
