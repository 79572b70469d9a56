/* Sums of products by lanes (products.h). The wider registers of a machine hold the same lanes. */
#include "base/products.h"

#include "base/lanes.h"

enum { PART = TL_LANES, PARTS = 2, LANES = PART * PARTS, ROWS = 4 };

TL_INLINE double total(const tl_lanes part[PARTS]) { return tl_lanes_sum(part[0]) + tl_lanes_sum(part[1]); }

/* Eight lanes as two registers of four: compilers keep a vector that is wider than a register in memory. */
TL_INLINE void add_products(const double *const a[ROWS], const double *x, int n, double sum[ROWS])
{
    tl_lanes part[ROWS][PARTS] = {{{0}}};
    int i = 0;
    for (; i + LANES <= n; i += LANES) {
        const tl_lanes own[PARTS] = {tl_load4(x + i), tl_load4(x + i + PART)};
        for (int k = 0; k < ROWS; k++)
            for (int p = 0; p < PARTS; p++) part[k][p] += tl_load4(a[k] + i + p * PART) * own[p];
    }
    for (int k = 0; k < ROWS; k++) {
        sum[k] += total(part[k]);
        for (int rest = i; rest < n; rest++) sum[k] += a[k][rest] * x[rest];
    }
}

TL_INLINE void add_rows(const double *const a[ROWS], const double x[ROWS], int n, double *y)
{
    int i = 0;
    for (; i + PART <= n; i += PART) {
        tl_lanes own = tl_load4(y + i);
        for (int k = 0; k < ROWS; k++) own += tl_load4(a[k] + i) * x[k];
        tl_store4(y + i, own);
    }
    for (; i < n; i++)
        for (int k = 0; k < ROWS; k++) y[i] += a[k][i] * x[k];
}

TL_INLINE void add_products_of_four(const double *const a[ROWS], double (*x)[ROWS], int n, double (*sum)[ROWS])
{
    tl_lanes part[ROWS] = {tl_load4(sum[0]), tl_load4(sum[1]), tl_load4(sum[2]), tl_load4(sum[3])};
    for (int i = 0; i < n; i++) {
        const tl_lanes own = tl_load4(x[i]);
        for (int k = 0; k < ROWS; k++) part[k] += a[k][i] * own;
    }
    for (int k = 0; k < ROWS; k++) tl_store4(sum[k], part[k]);
}

TL_INLINE void add_rows_of_four(const double *const a[ROWS], double (*x)[ROWS], int n, double (*y)[ROWS])
{
    const tl_lanes by[ROWS] = {tl_load4(x[0]), tl_load4(x[1]), tl_load4(x[2]), tl_load4(x[3])};
    for (int i = 0; i < n; i++) {
        tl_lanes own = tl_load4(y[i]);
        for (int k = 0; k < ROWS; k++) own += a[k][i] * by[k];
        tl_store4(y[i], own);
    }
}

typedef struct kernels {
    void (*products)(const double *const a[ROWS], const double *x, int n, double sum[ROWS]);
    void (*rows)(const double *const a[ROWS], const double x[ROWS], int n, double *y);
    void (*products_of_four)(const double *const a[ROWS], double (*x)[ROWS], int n, double (*sum)[ROWS]);
    void (*rows_of_four)(const double *const a[ROWS], double (*x)[ROWS], int n, double (*y)[ROWS]);
} kernels;

#define KERNELS(name, set)                                                                                                                                     \
    static set void products_##name(const double *const a[ROWS], const double *x, int n, double sum[ROWS]) { add_products(a, x, n, sum); }                     \
    static set void rows_##name(const double *const a[ROWS], const double x[ROWS], int n, double *y) { add_rows(a, x, n, y); }                                 \
    static set void products_of_four_##name(const double *const a[ROWS], double(*x)[ROWS], int n, double(*sum)[ROWS]) { add_products_of_four(a, x, n, sum); }  \
    static set void rows_of_four_##name(const double *const a[ROWS], double(*x)[ROWS], int n, double(*y)[ROWS]) { add_rows_of_four(a, x, n, y); }              \
    static const kernels name##_kernels = {products_##name, rows_##name, products_of_four_##name, rows_of_four_##name};

TL_FOR_EVERY_SET(KERNELS)

void tl_add_products(const double *const a[ROWS], const double *x, int n, double sum[ROWS]) { TL_BEST_KERNELS->products(a, x, n, sum); }
void tl_add_rows(const double *const a[ROWS], const double x[ROWS], int n, double *y) { TL_BEST_KERNELS->rows(a, x, n, y); }
void tl_add_products_of_four(const double *const a[ROWS], double (*x)[ROWS], int n, double (*sum)[ROWS]) { TL_BEST_KERNELS->products_of_four(a, x, n, sum); }
void tl_add_rows_of_four(const double *const a[ROWS], double (*x)[ROWS], int n, double (*y)[ROWS]) { TL_BEST_KERNELS->rows_of_four(a, x, n, y); }

double tl_sum(const double *x, int n)
{
    double lane[LANES] = {0};
    int i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int k = 0; k < LANES; k++) lane[k] += x[i + k];
    for (int k = 0; i + k < n; k++) lane[k] += x[i + k];
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}
