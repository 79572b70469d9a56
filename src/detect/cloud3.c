/* Least and greatest of n·x over the corners of a core, four at a time. These are where the pair functions in space spend their time. */
#include "detect/pair3.h"

/* One copy of each loop per instruction set, chosen at load time; without contraction all give the same bits. */
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(TL_SANITIZED)
#define CLONES __attribute__((target_clones("avx2", "default")))
#else
#define CLONES
#endif

typedef double quad __attribute__((vector_size(32), aligned(8)));
typedef int64_t mask __attribute__((vector_size(32)));

#define SELECT(where, a, b) ((quad)(((where) & (mask)(a)) | (~(where) & (mask)(b))))
#define PRODUCT(k)          (n.x * *(const quad *)(c->x + (k)) + n.y * *(const quad *)(c->y + (k)) + n.z * *(const quad *)(c->z + (k)))

CLONES static double least(const tl_cloud3 *c, tl_vec3 n)
{
    quad low = PRODUCT(0);
    for (int k = 4; k < c->padded; k += 4) {
        const quad d = PRODUCT(k);
        low = SELECT(d < low, d, low);
    }
    const double p = low[0] < low[1] ? low[0] : low[1], q = low[2] < low[3] ? low[2] : low[3];
    return p < q ? p : q;
}

CLONES static int support(const tl_cloud3 *c, tl_vec3 n, double *greatest)
{
    quad high = PRODUCT(0);
    mask where = {0, 0, 0, 0};
    for (int k = 4; k < c->padded; k += 4) {
        const quad d = PRODUCT(k);
        const mask more = d > high, at = {k, k, k, k};
        high = SELECT(more, d, high);
        where = (more & at) | (~more & where);
    }
    int best = 0;
    for (int i = 1; i < 4; i++)
        if (high[i] > high[best] || (high[i] == high[best] && where[i] + i < where[best] + best)) best = i;
    *greatest = high[best];
    const int corner = (int)where[best] + best;
    return corner < c->count ? corner : c->count - 1; /* the filling is copies of the last */
}

/* clang 14 finds clones from within their own file only */
double tl_cloud3_least(const tl_cloud3 *c, tl_vec3 n) { return least(c, n); }

int tl_cloud3_support(const tl_cloud3 *c, tl_vec3 n, double *greatest) { return support(c, n, greatest); }

double tl_pair3_separation(const tl_pair3 *pair, tl_vec3 n) { return least(&pair->bt, n) + least(&pair->at, tl_scale(-1, n)); }
