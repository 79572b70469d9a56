/* Packs for any machine. */
#define TL_PACKS3 tl_packs3_any
#include "solve/packs3_kernels.h"
