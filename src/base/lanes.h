/* Four numbers side by side, or eight in single precision, for kernels that are compiled once for each instruction set: wider registers hold the same lanes,
 * and sums the same parts. */
#ifndef TL_LANES_H
#define TL_LANES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#define TL_INLINE static inline __attribute__((always_inline))

enum { TL_LANES = 4 };
typedef double tl_lanes __attribute__((vector_size(TL_LANES * sizeof(double))));
typedef int64_t tl_lanes_bits __attribute__((vector_size(TL_LANES * sizeof(double))));

TL_INLINE tl_lanes tl_load4(const double *x)
{
    tl_lanes out;
    memcpy(&out, x, sizeof out);
    return out;
}
TL_INLINE void tl_store4(double *x, tl_lanes value) { memcpy(x, &value, sizeof value); }
TL_INLINE double tl_lanes_sum(tl_lanes a) { return (a[0] + a[1]) + (a[2] + a[3]); }
TL_INLINE tl_lanes_bits tl_lanes_either(tl_lanes_bits where, tl_lanes_bits a, tl_lanes_bits b) { return (a & where) | (b & ~where); }
TL_INLINE tl_lanes tl_lanes_choose(tl_lanes_bits where, tl_lanes a, tl_lanes b) { return (tl_lanes)tl_lanes_either(where, (tl_lanes_bits)a, (tl_lanes_bits)b); }
TL_INLINE tl_lanes tl_lanes_larger(tl_lanes a, tl_lanes b)
{
    const tl_lanes_bits is_first = a > b;
    return tl_lanes_choose(is_first, a, b);
}

TL_INLINE tl_lanes tl_lanes_all(double a) { return (tl_lanes){a, a, a, a}; }
/* Compilers make one instruction of it. */
TL_INLINE tl_lanes tl_lanes_root(tl_lanes a) { return (tl_lanes){sqrt(a[0]), sqrt(a[1]), sqrt(a[2]), sqrt(a[3])}; }
/* Which lanes of a comparison hold: bit 0 of the first. */
TL_INLINE int tl_lanes_which(tl_lanes_bits where) { return (int)((where[0] & 1) | (where[1] & 2) | (where[2] & 4) | (where[3] & 8)); }

enum { TL_SINGLES = 8 };
typedef float tl_singles __attribute__((vector_size(TL_SINGLES * sizeof(float))));
typedef int32_t tl_singles_bits __attribute__((vector_size(TL_SINGLES * sizeof(float))));

TL_INLINE tl_singles tl_load8(const float *x)
{
    tl_singles out;
    memcpy(&out, x, sizeof out);
    return out;
}
TL_INLINE void tl_store8(float *x, tl_singles value) { memcpy(x, &value, sizeof value); }
/* In double precision. */
TL_INLINE double tl_singles_sum(tl_singles a)
{
    double half[2] = {0};
    for (int i = 0; i < TL_SINGLES; i++) half[i % 2] += (double)a[i];
    return half[0] + half[1];
}
TL_INLINE tl_singles tl_singles_larger(tl_singles a, tl_singles b)
{
    const tl_singles_bits is_first = a > b;
    return (tl_singles)(((tl_singles_bits)a & is_first) | ((tl_singles_bits)b & ~is_first));
}
/* 0 of what is smaller than `least`; what is no number stays none. */
TL_INLINE tl_singles tl_singles_but_small(tl_singles a, float least)
{
    const tl_singles_bits small = (a < least) & (a > -least);
    return (tl_singles)((tl_singles_bits)a & ~small);
}

/* KERNELS(name, attributes) for each set, which makes a table name##_kernels; and that of the best which this machine has. */
#if defined(__x86_64__)
#define TL_FOR_EVERY_SET(KERNELS) KERNELS(any, ) KERNELS(avx2, __attribute__((target("avx2"))))
#define TL_BEST_KERNELS           (__builtin_cpu_supports("avx2") ? &avx2_kernels : &any_kernels)
#else
#define TL_FOR_EVERY_SET(KERNELS) KERNELS(any, )
#define TL_BEST_KERNELS           (&any_kernels)
#endif

#endif
