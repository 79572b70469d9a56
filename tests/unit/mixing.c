/* Passes mixed by those before (base/mixing.h), against what least squares promise of linear f: they end when there are as many differences as numbers. */
#include "base/mixing.h"

#include <math.h>
#include <string.h>

#include "test.h"

enum { MOST = 5 };

/* f = b − A v of a matrix whose plain passes v ← v + f fly apart. */
static const double A[MOST][MOST] = {{4, 1, 0, 0, -1}, {1, 3, 1, 0, 0}, {0, -1, 5, 1, 0}, {0, 0, 1, 2.5, 0.5}, {-1, 0, 0, -0.5, 6}};
static const double B[MOST] = {1, -2, 3, 0.5, 4};

static double look(const double *v, int n, double *f)
{
    double largest = 0;
    for (int i = 0; i < n; i++) {
        f[i] = B[i];
        for (int k = 0; k < n; k++) f[i] -= A[i][k] * v[k];
        largest = fmax(largest, fabs(f[i]));
    }
    return largest;
}

TEST(linear)
{
    static const double WEIGHT[MOST] = {1, -3, 0.2, 5, 2}; /* signs do not count */
    tl_arena *arena = tl_arena_create(tl_memory_default(), 1 << 16);
    for (int n = 1; n <= MOST; n++)
        for (int weighed = 0; weighed < 2; weighed++) {
            double v[MOST] = {0}, f[MOST], before[MOST];
            tl_mixing *m = tl_mixing_open(arena, n, weighed ? WEIGHT : NULL, 1);
            CHECK(m != NULL);
            for (int round = 0; round < 2; round++) {
                for (int pass = 0; pass < n + 1; pass++) {
                    CHECK(pass == 0 || look(v, n, f) > 1e-6);
                    (void)look(v, n, f);
                    memcpy(before, v, sizeof before);
                    tl_mixing_mix(m, f, v);
                    CHECK(memcmp(before, tl_mixing_before(m), (size_t)n * sizeof *v) == 0);
                }
                CHECK(look(v, n, f) < 1e-8); /* shares come from products, which square what rounding does */
                tl_mixing_forget(m);         /* and from elsewhere */
                for (int i = 0; i < n; i++) v[i] = 7 - i;
            }
        }
    tl_arena_destroy(arena);
}

int main(int argc, char **argv)
{
    RUN(linear);
    return TEST_RESULT;
}
