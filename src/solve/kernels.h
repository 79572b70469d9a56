/* Vector arithmetic that the planar and the spatial kernels share. */
#ifndef TL_KERNELS_H
#define TL_KERNELS_H

#include <math.h>
#include <string.h>

#if defined(__FMA__) || defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "solve/lanes.h"

/* One copy of each kernel per instruction set, chosen at load time. The sanitizers run before that choice. Names of kernels are unique in the library:
 * what clang makes of static ones is not static. */
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(TL_SANITIZED)
#define CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define CLONES
#endif

typedef double quad __attribute__((vector_size(32)));
typedef int64_t mask4 __attribute__((vector_size(32)));
typedef int64_t mask8 __attribute__((vector_size(64)));

#define INLINE static inline __attribute__((always_inline))

/* where ? a : b, lane by lane. A macro: vectors of 64 bytes have no portable way through a call. */
#define SELECT(where, a, b) ((tl_lanes)(((where) & (mask8)(a)) | (~(where) & (mask8)(b))))

/* a < b, lane by lane, by the sign of the difference: where GCC does not see how a comparison is used it makes eight of it. Not for what may be NaN. */
#define LESS(a, b) ((mask8)((a) - (b)) >> 63)

#define MAGNITUDE(v) ((tl_lanes)((mask8)(v)&INT64_MAX))

/* √, lane by lane: compilers make one instruction of it, and IEEE 754 leaves no choice of its bits. */
#define ROOT(v)                                                                                                                                                \
    __extension__({                                                                                                                                            \
        tl_lanes root_ = (v);                                                                                                                                  \
        for (int lane_ = 0; lane_ < TL_LANES; lane_++) root_[lane_] = sqrt(root_[lane_]);                                                                      \
        root_;                                                                                                                                                 \
    })

/* a b + c, lane by lane, rounded once: IEEE 754 leaves no choice of its bits either. */
#if defined(__AVX512F__)
#define MADD(a, b, c) ((tl_lanes)_mm512_fmadd_pd((__m512d)(a), (__m512d)(b), (__m512d)(c)))
#elif defined(__FMA__)
#define MADD(a, b, c)                                                                                                                                          \
    __extension__({                                                                                                                                            \
        const tl_lanes a_ = (a), b_ = (b), c_ = (c);                                                                                                           \
        const quad low_ = (quad)_mm256_fmadd_pd((__m256d)LOW(a_), (__m256d)LOW(b_), (__m256d)LOW(c_));                                                         \
        const quad high_ = (quad)_mm256_fmadd_pd((__m256d)HIGH(a_), (__m256d)HIGH(b_), (__m256d)HIGH(c_));                                                     \
        JOIN(low_, high_);                                                                                                                                     \
    })
#else
#define MADD(a, b, c)                                                                                                                                          \
    __extension__({                                                                                                                                            \
        const tl_lanes a_ = (a), b_ = (b);                                                                                                                     \
        tl_lanes c_ = (c);                                                                                                                                     \
        for (int lane_ = 0; lane_ < TL_LANES; lane_++) c_[lane_] = fma(a_[lane_], b_[lane_], c_[lane_]);                                                       \
        c_;                                                                                                                                                    \
    })
#endif
#pragma GCC diagnostic ignored "-Wshadow" /* MADD in arguments of MADD */

INLINE void transpose4(quad r[4])
{
    const quad a = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6), b = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7);
    const quad c = __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6), d = __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7);
    r[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    r[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    r[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    r[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

#if defined(__AVX512F__)
/* GCC makes a permutation of the general form, on the one port that all shuffles go through. */
#define JOIN(low, high) ((tl_lanes)_mm512_insertf64x4(_mm512_castpd256_pd512((__m256d)(low)), (__m256d)(high), 1))
#define LOW(v)          ((quad)_mm512_castpd512_pd256((__m512d)(v)))
#define HIGH(v)         ((quad)_mm512_extractf64x4_pd((__m512d)(v), 1))
#else
#define JOIN(low, high) __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7)
#define LOW(v)          __builtin_shufflevector(v, v, 0, 1, 2, 3)
#define HIGH(v)         __builtin_shufflevector(v, v, 4, 5, 6, 7)
#endif

#endif
