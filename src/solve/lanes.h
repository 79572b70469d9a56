/* Eight numbers side by side, one of each contact of a pack. */
#ifndef TL_LANES_H
#define TL_LANES_H

#include <stdint.h>

typedef double tl_lanes __attribute__((vector_size(64)));
typedef int64_t tl_lanes_mask __attribute__((vector_size(64))); /* of comparisons */
enum { TL_LANES = 8 };

/* The sets that kernels are compiled for (packs2_….c, packs3_….c), and the best one that this machine has. */
enum { TL_SET_ANY, TL_SET_FMA, TL_SET_AVX512 };

static inline int tl_instruction_set(void)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f")) return TL_SET_AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return TL_SET_FMA;
#endif
    return TL_SET_ANY;
}

#endif
