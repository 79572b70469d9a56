/* Packs for machines with AVX-512. */
#define TL_PACKS3 tl_packs3_avx512
#include "solve/packs3_kernels.h"
