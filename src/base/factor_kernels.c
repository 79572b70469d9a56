/* Dense kernels of a factor by fronts (factor_kernels.h). Written once, in registers of each set: a loop that the compiler lays out itself goes through memory
 * for every product. */
#include "base/factor_kernels.h"
#include "base/lanes.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* Plain C: two numbers side by side. Where a processor has no fused product, fma() makes one of many operations: the bits stay, the time does not. */
#define SET_ANY
typedef double pair __attribute__((vector_size(16)));
TL_INLINE pair spread_any(double x) { return (pair){x, x}; }
TL_INLINE pair madd_any(pair a, pair b, pair c) { return (pair){fma(a[0], b[0], c[0]), fma(a[1], b[1], c[1])}; }

#if defined(__x86_64__)
#define SET_AVX2   __attribute__((target("avx2,fma")))
#define SET_AVX512 __attribute__((target("avx512f,fma")))
static inline SET_AVX2 __attribute__((always_inline)) __m256d spread_avx2(double x) { return _mm256_set1_pd(x); }
static inline SET_AVX2 __attribute__((always_inline)) __m256d madd_avx2(__m256d a, __m256d b, __m256d c) { return _mm256_fmadd_pd(a, b, c); }
static inline SET_AVX512 __attribute__((always_inline)) __m512d spread_avx512(double x) { return _mm512_set1_pd(x); }
static inline SET_AVX512 __attribute__((always_inline)) __m512d madd_avx512(__m512d a, __m512d b, __m512d c) { return _mm512_fmadd_pd(a, b, c); }
#endif

/* `part` is a register of the set. Of a tile there are as many columns at once as registers hold with all of their rows; of a division as many rows,
 * then half as many, and so on: what is left takes as long as a whole strip otherwise. */
#define KERNELS(name, set, part)                                                                                                                               \
    static set void tile_##name(tl_tile *t)                                                                                                                    \
    {                                                                                                                                                          \
        enum { EACH = sizeof(part) / sizeof(double), PARTS = TL_TILE / EACH, AT_ONCE = PARTS > 1 ? TL_TILE / 2 : TL_TILE };                                    \
        for (int first = 0; first < TL_TILE; first += AT_ONCE) {                                                                                               \
            const double *a = t->a, *b = t->b + first;                                                                                                         \
            part sum[AT_ONCE][PARTS] = {{{0}}}, row;                                                                                                           \
            for (int i = 0; i < t->k; i++, a += TL_TILE, b += TL_TILE)                                                                                         \
                for (int p = 0; p < PARTS; p++) {                                                                                                              \
                    memcpy(&row, a + (size_t)p * EACH, sizeof row);                                                                                            \
                    for (int c = 0; c < AT_ONCE; c++) sum[c][p] = madd_##name(row, spread_##name(b[c]), sum[c][p]);                                            \
                }                                                                                                                                              \
            if (!t->out) memcpy(t->sum[first], sum, sizeof sum);                                                                                               \
            for (int c = 0; t->out && c < AT_ONCE; c++)                                                                                                        \
                for (int p = 0; p < PARTS; p++) {                                                                                                              \
                    double *out = t->out[first + c] + (size_t)p * EACH;                                                                                        \
                    memcpy(&row, out, sizeof row);                                                                                                             \
                    row -= sum[c][p];                                                                                                                          \
                    memcpy(out, &row, sizeof row);                                                                                                             \
                }                                                                                                                                              \
        }                                                                                                                                                      \
    }                                                                                                                                                          \
    static inline set __attribute__((always_inline)) void divide_parts_##name(const tl_division *j, int r, const int parts)                                    \
    {                                                                                                                                                          \
        enum { EACH = sizeof(part) / sizeof(double), MOST = 8 };                                                                                               \
        for (int c = 0; c < j->width; c++) {                                                                                                                   \
            double *x = j->x + (size_t)c * j->apart + r;                                                                                                       \
            part sum[MOST], by;                                                                                                                                \
            for (int p = 0; p < parts; p++) memcpy(&sum[p], x + (size_t)p * EACH, sizeof by);                                                                  \
            for (int k = 0; k < c; k++) {                                                                                                                      \
                const double *before = j->x + (size_t)k * j->apart + r;                                                                                        \
                const part t = spread_##name(-j->t[(size_t)k * j->apart + (size_t)c]);                                                                         \
                for (int p = 0; p < parts; p++) {                                                                                                              \
                    memcpy(&by, before + (size_t)p * EACH, sizeof by);                                                                                         \
                    sum[p] = madd_##name(t, by, sum[p]);                                                                                                       \
                }                                                                                                                                              \
            }                                                                                                                                                  \
            const part d = spread_##name(j->d ? j->d[c] : 1);                                                                                                  \
            for (int p = 0; p < parts; p++) {                                                                                                                  \
                sum[p] *= d;                                                                                                                                   \
                memcpy(x + (size_t)p * EACH, &sum[p], sizeof by);                                                                                              \
            }                                                                                                                                                  \
        }                                                                                                                                                      \
    }                                                                                                                                                          \
    static set void divide_##name(const tl_division *j)                                                                                                        \
    {                                                                                                                                                          \
        enum { EACH = sizeof(part) / sizeof(double) };                                                                                                         \
        int r = 0;                                                                                                                                             \
        for (; r + 8 * EACH <= j->rows; r += 8 * EACH) divide_parts_##name(j, r, 8);                                                                           \
        if (r + 4 * EACH <= j->rows) divide_parts_##name(j, r, 4), r += 4 * EACH;                                                                              \
        if (r + 2 * EACH <= j->rows) divide_parts_##name(j, r, 2), r += 2 * EACH;                                                                              \
        if (r + EACH <= j->rows) divide_parts_##name(j, r, 1), r += EACH;                                                                                      \
        for (; r < j->rows; r++)                                                                                                                               \
            for (int c = 0; c < j->width; c++) {                                                                                                               \
                double x = j->x[(size_t)c * j->apart + (size_t)r];                                                                                             \
                for (int k = 0; k < c; k++) x = fma(-j->t[(size_t)k * j->apart + (size_t)c], j->x[(size_t)k * j->apart + (size_t)r], x);                       \
                j->x[(size_t)c * j->apart + (size_t)r] = x * (j->d ? j->d[c] : 1);                                                                             \
            }                                                                                                                                                  \
    }                                                                                                                                                          \
    static set int square_##name(const tl_square *s) { return square(s); }                                                                                     \
    static const tl_factor_kernels name##_set = {tile_##name, divide_##name, square_##name};

TL_INLINE int square(const tl_square *s)
{
    const bool general = s->U != s->L;
    for (int c = 0; c < s->width; c++) {
        double *restrict column = s->L + (size_t)c * s->apart, *restrict row = s->U + (size_t)c * s->apart;
        for (int k = 0; k < c; k++) {
            const double *L = s->L + (size_t)k * s->apart, *U = s->U + (size_t)k * s->apart, l = -L[c], u = -U[c];
            for (int r = c; r < s->width; r++) column[r] = fma(u, L[r], column[r]);
            for (int r = c + 1; general && r < s->width; r++) row[r] = fma(l, U[r], row[r]);
        }
        const double pivot = column[c];
        if (!isfinite(pivot) || (general ? pivot == 0 : !(pivot > 0))) return c;
        const double inverse = s->inverse[c] = 1 / (general ? pivot : sqrt(pivot));
        if (general) row[c] = 1;
        else column[c] = sqrt(pivot);
        for (int r = c + 1; r < s->width; r++) (general ? row : column)[r] *= inverse;
    }
    return -1;
}

KERNELS(any, SET_ANY, pair)
#if defined(__x86_64__)
KERNELS(avx2, SET_AVX2, __m256d)
KERNELS(avx512, SET_AVX512, __m512d)
#endif

const tl_factor_kernels *tl_factor_kernels_at(int index)
{
    const tl_factor_kernels *set[4] = {&any_set, NULL, NULL, NULL};
#if defined(__x86_64__)
    int sets = 1;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) set[sets++] = &avx2_set;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("fma")) set[sets++] = &avx512_set;
#endif
    return index >= 0 && index < 4 ? set[index] : NULL;
}

const tl_factor_kernels *tl_factor_kernels_of_this_machine(void)
{
    int last = 0;
    while (tl_factor_kernels_at(last + 1)) last++;
    return tl_factor_kernels_at(last);
}
