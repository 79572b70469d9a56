/* Sums, and sums of products, that are the same on every machine: by lanes, which are added at the end, and never contracted. */
#ifndef TL_PRODUCTS_H
#define TL_PRODUCTS_H

/* sum[k] += Σ a[k][i] x[i] over i < n, for the four rows a together, which read x once. */
void tl_add_products(const double *const a[4], const double *x, int n, double sum[4]);
/* y[i] += Σ a[k][i] x[k] over the four rows, one after another, for i < n. */
void tl_add_rows(const double *const a[4], const double x[4], int n, double *y);
/* The same of four columns x, or y, which lie side by side; each has the sums that it would have alone. */
void tl_add_products_of_four(const double *const a[4], double (*x)[4], int n, double (*sum)[4]);
void tl_add_rows_of_four(const double *const a[4], double (*x)[4], int n, double (*y)[4]);
/* Σ x[i] over i < n. */
double tl_sum(const double *x, int n);

#endif
