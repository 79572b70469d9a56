/* Sums of products by lanes (products.h). The wider registers of a machine hold the same lanes. */
#include "base/products.h"

#include <string.h>

enum { LANES = 8, ROWS = 4 };
typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));

static inline __attribute__((always_inline)) double total(lanes p) { return ((p[0] + p[1]) + (p[2] + p[3])) + ((p[4] + p[5]) + (p[6] + p[7])); }

static inline __attribute__((always_inline)) void add_products(const double *const a[ROWS], const double *x, int n, double sum[ROWS])
{
    lanes part[ROWS] = {{0}};
    int i = 0;
    for (; i + LANES <= n; i += LANES) {
        lanes own, row;
        memcpy(&own, x + i, sizeof own);
        for (int k = 0; k < ROWS; k++) {
            memcpy(&row, a[k] + i, sizeof row);
            part[k] += row * own;
        }
    }
    for (int k = 0; k < ROWS; k++) {
        sum[k] += total(part[k]);
        for (int rest = i; rest < n; rest++) sum[k] += a[k][rest] * x[rest];
    }
}

static inline __attribute__((always_inline)) void add_rows(const double *const a[ROWS], const double x[ROWS], int n, double *y)
{
    int i = 0;
    for (; i + LANES <= n; i += LANES) {
        lanes own, row;
        memcpy(&own, y + i, sizeof own);
        for (int k = 0; k < ROWS; k++) {
            memcpy(&row, a[k] + i, sizeof row);
            own += row * x[k];
        }
        memcpy(y + i, &own, sizeof own);
    }
    for (; i < n; i++)
        for (int k = 0; k < ROWS; k++) y[i] += a[k][i] * x[k];
}

typedef struct kernels {
    void (*products)(const double *const a[ROWS], const double *x, int n, double sum[ROWS]);
    void (*rows)(const double *const a[ROWS], const double x[ROWS], int n, double *y);
} kernels;

#define KERNELS(name, set)                                                                                                                                     \
    static set void products_##name(const double *const a[ROWS], const double *x, int n, double sum[ROWS]) { add_products(a, x, n, sum); }                     \
    static set void rows_##name(const double *const a[ROWS], const double x[ROWS], int n, double *y) { add_rows(a, x, n, y); }                                 \
    static const kernels name##_kernels = {products_##name, rows_##name};

KERNELS(any, )
#if defined(__x86_64__)
KERNELS(avx2, __attribute__((target("avx2"))))
KERNELS(avx512, __attribute__((target("avx512f"))))
#endif

static const kernels *best_kernels(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) return &avx512_kernels;
    if (__builtin_cpu_supports("avx2")) return &avx2_kernels;
#endif
    return &any_kernels;
}

void tl_add_products(const double *const a[ROWS], const double *x, int n, double sum[ROWS]) { best_kernels()->products(a, x, n, sum); }
void tl_add_rows(const double *const a[ROWS], const double x[ROWS], int n, double *y) { best_kernels()->rows(a, x, n, y); }
