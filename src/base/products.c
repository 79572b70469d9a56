/* Sums of products by lanes (products.h). The wider registers of a machine hold the same lanes. */
#include "base/products.h"

#include <string.h>

enum { LANES = 4, ROWS = 4 };
typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));

static inline __attribute__((always_inline)) void add(const double *const a[ROWS], const double *x, int n, double sum[ROWS])
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
        sum[k] += (part[k][0] + part[k][1]) + (part[k][2] + part[k][3]);
        for (int rest = i; rest < n; rest++) sum[k] += a[k][rest] * x[rest];
    }
}

#if defined(__x86_64__)
static __attribute__((target("avx2"))) void add_avx2(const double *const a[ROWS], const double *x, int n, double sum[ROWS]) { add(a, x, n, sum); }
#endif

void tl_add_products(const double *const a[ROWS], const double *x, int n, double sum[ROWS])
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        add_avx2(a, x, n, sum);
        return;
    }
#endif
    add(a, x, n, sum);
}
