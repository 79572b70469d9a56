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

#if defined(__x86_64__)
#define WIDE(set) static __attribute__((target(set)))
WIDE("avx2") void products_avx2(const double *const a[ROWS], const double *x, int n, double sum[ROWS]) { add_products(a, x, n, sum); }
WIDE("avx512f") void products_avx512(const double *const a[ROWS], const double *x, int n, double sum[ROWS]) { add_products(a, x, n, sum); }
WIDE("avx2") void rows_avx2(const double *const a[ROWS], const double x[ROWS], int n, double *y) { add_rows(a, x, n, y); }
WIDE("avx512f") void rows_avx512(const double *const a[ROWS], const double x[ROWS], int n, double *y) { add_rows(a, x, n, y); }
#endif

void tl_add_products(const double *const a[ROWS], const double *x, int n, double sum[ROWS])
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) {
        products_avx512(a, x, n, sum);
        return;
    }
    if (__builtin_cpu_supports("avx2")) {
        products_avx2(a, x, n, sum);
        return;
    }
#endif
    add_products(a, x, n, sum);
}

void tl_add_rows(const double *const a[ROWS], const double x[ROWS], int n, double *y)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) {
        rows_avx512(a, x, n, y);
        return;
    }
    if (__builtin_cpu_supports("avx2")) {
        rows_avx2(a, x, n, y);
        return;
    }
#endif
    add_rows(a, x, n, y);
}
