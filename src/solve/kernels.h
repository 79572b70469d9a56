/* Vector arithmetic that the planar and the spatial kernels share: of all eight lanes of a pack at once where the instruction set can, else of its halves in
 * turn. Compiled once for each instruction set (packs2_….c, packs3_….c). */
#ifndef TL_KERNELS_H
#define TL_KERNELS_H

#include <float.h>
#include <math.h>
#include <string.h>

#if defined(__FMA__) || defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "base/base.h"
#include "solve/lanes.h"
#include "solve/sweeps.h"

#if defined(__AVX512F__)
enum { AT_ONCE = 8 };
#else
enum { AT_ONCE = 4 };
#endif

enum { PARTS = TL_LANES / AT_ONCE };

typedef double quad __attribute__((vector_size(32)));
typedef int64_t mask4 __attribute__((vector_size(32)));
typedef double lanes __attribute__((vector_size(8 * AT_ONCE), may_alias));
typedef int64_t mask __attribute__((vector_size(8 * AT_ONCE)));

#define INLINE static inline __attribute__((always_inline))

/* The parts of a pack that are treated at once begin at these bytes of its tl_lanes. */
#define EACH_PART(part) _Pragma("GCC unroll 2") for (size_t part = 0; part < sizeof(tl_lanes); part += sizeof(lanes))

#define NTH(part) ((part) / sizeof(lanes))

/* Reads and writes the present `part` of a tl_lanes. Macros, here and below: vectors of 64 bytes have no portable way through a call. */
#define AT(number) (*(const lanes *)((const char *)&(number) + part))
#define AT3(numbers)                                                                                                                                           \
    {                                                                                                                                                          \
        AT((numbers).x), AT((numbers).y), AT((numbers).z)                                                                                                      \
    }
#define PUT(number, value) (*(lanes *)((char *)&(number) + part) = (value))

/* A mask is the sign of its lane. LESS is a < b by the sign of the difference: where GCC does not see how a comparison is used it makes eight of it. Not for
 * what may be NaN. SELECT is where ? a : b, ONLY is a where, else 0. MIN and MAX are b where a or b is NaN. */
#if defined(__AVX512F__)
#define LESS(a, b)          ((mask)((a) - (b)) >> 63)
#define SELECT(where, a, b) ((lanes)(((where) & (mask)(a)) | (~(where) & (mask)(b))))
#define ONLY(where, a)      ((lanes)((where) & (mask)(a)))
#define MIN(a, b)           ((lanes)_mm512_min_pd((__m512d)(a), (__m512d)(b)))
#define MAX(a, b)           ((lanes)_mm512_max_pd((__m512d)(a), (__m512d)(b)))
#elif defined(__FMA__)
#define LESS(a, b)          ((mask)((a) - (b)))
#define SELECT(where, a, b) ((lanes)_mm256_blendv_pd((__m256d)(b), (__m256d)(a), (__m256d)(where)))
#define ONLY(where, a)      SELECT(where, a, (lanes){0})
#define MIN(a, b)           ((lanes)_mm256_min_pd((__m256d)(a), (__m256d)(b)))
#define MAX(a, b)           ((lanes)_mm256_max_pd((__m256d)(a), (__m256d)(b)))
#else
#define LESS(a, b)          ((mask)((a) - (b)) >> 63)
#define SELECT(where, a, b) ((lanes)(((where) & (mask)(a)) | (~(where) & (mask)(b))))
#define ONLY(where, a)      ((lanes)((where) & (mask)(a)))
#define MIN(a, b)           SELECT((mask)((a) < (b)), a, b)
#define MAX(a, b)           SELECT((mask)((a) > (b)), a, b)
#endif

/* Σ of a pack's contacts. */
INLINE const tl_lanes *give_of(const tl_lanes *give, int pack)
{
    static const tl_lanes NONE = {0};
    return give ? &give[pack] : &NONE;
}

#define MAGNITUDE(v) ((lanes)((mask)(v)&INT64_MAX))

/* √, lane by lane: compilers make one instruction of it, and IEEE 754 leaves no choice of its bits. */
#define ROOT(v)                                                                                                                                                \
    __extension__({                                                                                                                                            \
        lanes root_ = (v);                                                                                                                                     \
        for (int lane_ = 0; lane_ < AT_ONCE; lane_++) root_[lane_] = sqrt(root_[lane_]);                                                                       \
        root_;                                                                                                                                                 \
    })

/* a b + c and c − a b, lane by lane, rounded once: IEEE 754 leaves no choice of their bits either. */
#if defined(__AVX512F__)
#define MADD(a, b, c)  ((lanes)_mm512_fmadd_pd((__m512d)(a), (__m512d)(b), (__m512d)(c)))
#define NMADD(a, b, c) ((lanes)_mm512_fnmadd_pd((__m512d)(a), (__m512d)(b), (__m512d)(c)))
#elif defined(__FMA__)
#define MADD(a, b, c)  ((lanes)_mm256_fmadd_pd((__m256d)(a), (__m256d)(b), (__m256d)(c)))
#define NMADD(a, b, c) ((lanes)_mm256_fnmadd_pd((__m256d)(a), (__m256d)(b), (__m256d)(c)))
#else
#define MADD(a, b, c)                                                                                                                                          \
    __extension__({                                                                                                                                            \
        const lanes a_ = (a), b_ = (b);                                                                                                                        \
        lanes c_ = (c);                                                                                                                                        \
        for (int lane_ = 0; lane_ < AT_ONCE; lane_++) c_[lane_] = fma(a_[lane_], b_[lane_], c_[lane_]);                                                        \
        c_;                                                                                                                                                    \
    })
#define NMADD(a, b, c) MADD(-(a), b, c)
#endif
#pragma GCC diagnostic ignored "-Wshadow" /* MADD in arguments of MADD */

/* Rows of four numbers to columns and back: one row in each r[i], or rows i and i + 4 in its halves, which are transposed at once. */
INLINE void transpose(lanes r[4])
{
#if defined(__AVX512F__)
    const lanes a = __builtin_shufflevector(r[0], r[1], 0, 8, 2, 10, 4, 12, 6, 14), b = __builtin_shufflevector(r[0], r[1], 1, 9, 3, 11, 5, 13, 7, 15);
    const lanes c = __builtin_shufflevector(r[2], r[3], 0, 8, 2, 10, 4, 12, 6, 14), d = __builtin_shufflevector(r[2], r[3], 1, 9, 3, 11, 5, 13, 7, 15);
    r[0] = __builtin_shufflevector(a, c, 0, 1, 8, 9, 4, 5, 12, 13);
    r[1] = __builtin_shufflevector(b, d, 0, 1, 8, 9, 4, 5, 12, 13);
    r[2] = __builtin_shufflevector(a, c, 2, 3, 10, 11, 6, 7, 14, 15);
    r[3] = __builtin_shufflevector(b, d, 2, 3, 10, 11, 6, 7, 14, 15);
#else
    const lanes a = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6), b = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7);
    const lanes c = __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6), d = __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7);
    r[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    r[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    r[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    r[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
#endif
}

/* Four columns of the quads that begin at these bytes, and back. Written out: GCC keeps what a loop indexes in memory. */
typedef quad loose_quad __attribute__((aligned(8), may_alias));

#if defined(__AVX512F__)
/* GCC makes a permutation of the general form of a portable one, on the one port that all shuffles go through. */
#define LOAD_QUADS(base, at, i)                                                                                                                                \
    ((lanes)_mm512_insertf64x4(_mm512_castpd256_pd512((__m256d) * (const loose_quad *)((base) + (at)[i])),                                                     \
                               (__m256d) * (const loose_quad *)((base) + (at)[(i) + 4]), 1))
#define STORE_QUADS(base, at, i, v)                                                                                                                            \
    __extension__({                                                                                                                                            \
        const __m512d both_ = (__m512d)(v);                                                                                                                    \
        *(loose_quad *)((base) + (at)[i]) = (loose_quad)_mm512_castpd512_pd256(both_);                                                                         \
        *(loose_quad *)((base) + (at)[(i) + 4]) = (loose_quad)_mm512_extractf64x4_pd(both_, 1);                                                                \
    })
#else
#define LOAD_QUADS(base, at, i)     ((lanes) * (const loose_quad *)((base) + (at)[i]))
#define STORE_QUADS(base, at, i, v) (*(loose_quad *)((base) + (at)[i]) = (loose_quad)(v))
#endif

/* The last number of each of these quads, four times. */
#if defined(__AVX512F__)
#define LAST_OF_QUADS(base, at, i) ((lanes)_mm512_permutex_pd((__m512d)LOAD_QUADS(base, at, i), 0xff))
#elif defined(__FMA__)
#define LAST_OF_QUADS(base, at, i) ((lanes)_mm256_broadcast_sd((const double *)((base) + (at)[i]) + 3))
#else
#define LAST_OF_QUADS(base, at, i) (((const double *)((base) + (at)[i]))[3] - (lanes){0})
#endif

INLINE void gather_quads(const char *base, const uint32_t at[], lanes out[4])
{
    out[0] = LOAD_QUADS(base, at, 0);
    out[1] = LOAD_QUADS(base, at, 1);
    out[2] = LOAD_QUADS(base, at, 2);
    out[3] = LOAD_QUADS(base, at, 3);
    transpose(out);
}

INLINE void scatter_quads(char *base, const uint32_t at[], lanes c[4])
{
    transpose(c);
    STORE_QUADS(base, at, 0, c[0]);
    STORE_QUADS(base, at, 1, c[1]);
    STORE_QUADS(base, at, 2, c[2]);
    STORE_QUADS(base, at, 3, c[3]);
}

/* What a pack adds up or compares: over its parts in four columns, lanes i and i + 4 in the same; then the four. */
#if defined(__AVX512F__)
#define QUADS_OF(v, low, high)                                                                                                                                 \
    const quad low = (quad)_mm512_castpd512_pd256((__m512d)(v)), high = (quad)_mm512_extractf64x4_pd((__m512d)(v), 1) /* of the one part */
#define ADD_QUADS(sum, v)                                                                                                                                      \
    do {                                                                                                                                                       \
        QUADS_OF(v, low_, high_);                                                                                                                              \
        (sum) += low_ + high_;                                                                                                                                 \
    } while (0)
#else
#define ADD_QUADS(sum, v) ((sum) += (quad)(v))
#endif

INLINE double sum_of(const quad *four) { return ((*four)[0] + (*four)[2]) + ((*four)[1] + (*four)[3]); }

/* The larger of each; none is not a number. */
INLINE void larger(quad *a, const quad *b)
{
    const mask4 below = (mask4)(*a - *b) >> 63;
    *a = (quad)((below & (mask4)*b) | (~below & (mask4)*a));
}

INLINE void larger_quads(quad *most, const lanes *v)
{
#if defined(__AVX512F__)
    QUADS_OF(*v, low, high);
    larger(most, &low);
    larger(most, &high);
#else
    larger(most, (const quad *)v);
#endif
}

INLINE double largest_of(const quad *four)
{
    const double even = (*four)[0] < (*four)[2] ? (*four)[2] : (*four)[0], odd = (*four)[1] < (*four)[3] ? (*four)[3] : (*four)[1];
    return even < odd ? odd : even;
}

/* Errors of a pack, from those of its parts: `count` is 1 where the impulse I presses. */
typedef struct tally {
    quad largest, sum, impulse, pressing;
} tally;

#define NO_TALLY                                                                                                                                               \
    {                                                                                                                                                          \
        {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, { 0, 0, 0, 0 }                                                                                               \
    }

INLINE void add_to_tally(tally *all, const lanes *error, const lanes *I, const lanes *count)
{
    larger_quads(&all->largest, error);
    ADD_QUADS(all->sum, *error);
    ADD_QUADS(all->impulse, *I);
    ADD_QUADS(all->pressing, *count);
}

INLINE tl_errors errors_of(const tally *all)
{
    const double sum = sum_of(&all->sum);
    const int pressing = (int)sum_of(&all->pressing);
    return (tl_errors){sum == sum ? largest_of(&all->largest) : sum, sum, sum_of(&all->impulse), pressing, pressing};
}

/* Is any lane set? */
INLINE bool any(const mask *m)
{
#if defined(__AVX512F__)
    return _mm512_test_epi64_mask((__m512i)*m, (__m512i)*m) != 0;
#elif defined(__FMA__)
    return _mm256_movemask_pd((__m256d)*m) != 0;
#else
    return ((*m)[0] | (*m)[1] | (*m)[2] | (*m)[3]) != 0;
#endif
}

#endif
