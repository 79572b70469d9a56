/* Four numbers side by side, for kernels that are compiled once for each instruction set: wider registers hold the same lanes, and sums the same parts. */
#ifndef TL_LANES_H
#define TL_LANES_H

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
TL_INLINE tl_lanes tl_lanes_larger(tl_lanes a, tl_lanes b)
{
    const tl_lanes_bits is_first = a > b;
    return (tl_lanes)(((tl_lanes_bits)a & is_first) | ((tl_lanes_bits)b & ~is_first));
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
