/* Packs for every machine. */
#define TL_PACKS2 tl_packs2_any
#include "solve/packs2_kernels.h"
