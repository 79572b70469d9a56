/* Corners and faces of cores, four at a time: least and greatest of n·x, heights above planes. These are where the pair functions in space spend their time. */
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
#define QUAD(row, k)        (*(const quad *)((row) + (k)))
#define PRODUCT(k)          (n.x * QUAD(c->x, k) + n.y * QUAD(c->y, k) + n.z * QUAD(c->z, k))

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

CLONES static void move_rows(const tl_cloud3 *c, const tl_frame *at, double *rows)
{
    for (int axis = 0; axis < 3; axis++) {
        const double *R = at->R.m[axis], p = axis == 0 ? at->p.x : (axis == 1 ? at->p.y : at->p.z);
        for (int k = 0; k < c->padded; k += 4) *(quad *)(rows + axis * c->padded + k) = R[0] * QUAD(c->x, k) + R[1] * QUAD(c->y, k) + R[2] * QUAD(c->z, k) + p;
    }
}

CLONES static void along_planes(const double *rows, int padded, tl_vec3 n, double *along)
{
    for (int k = 0; k < padded; k += 4) *(quad *)(along + k) = n.x * QUAD(rows, k) + n.y * QUAD(rows + padded, k) + n.z * QUAD(rows + 2 * padded, k);
}

CLONES static void above_planes(const double *rows, int padded, tl_vec3 x, double *height)
{
    for (int k = 0; k < padded; k += 4)
        *(quad *)(height + k) = x.x * QUAD(rows, k) + x.y * QUAD(rows + padded, k) + x.z * QUAD(rows + 2 * padded, k) - QUAD(rows + 3 * padded, k);
}

/* Least of the ways to the planes ahead, in units of `way`. */
CLONES static double exit_of_planes(const double *rows, int padded, tl_vec3 x, tl_vec3 way)
{
    quad least = {1, 1, 1, 1};
    const quad zero = {0, 0, 0, 0};
    for (int k = 0; k < padded; k += 4) {
        const quad nx = QUAD(rows, k), ny = QUAD(rows + padded, k), nz = QUAD(rows + 2 * padded, k);
        const quad depth = QUAD(rows + 3 * padded, k) - (x.x * nx + x.y * ny + x.z * nz), speed = way.x * nx + way.y * ny + way.z * nz;
        const mask sooner = (speed > zero) & (depth < least * speed);
        least = SELECT(sooner, depth / speed, least);
    }
    const double p = least[0] < least[1] ? least[0] : least[1], q = least[2] < least[3] ? least[2] : least[3];
    return p < q ? p : q;
}

/* clang 14 finds clones from within their own file only */
double tl_cloud3_least(const tl_cloud3 *c, tl_vec3 n) { return least(c, n); }

tl_cloud3 tl_cloud3_moved(const tl_cloud3 *c, const tl_frame *at, double *rows)
{
    move_rows(c, at, rows);
    return (tl_cloud3){c->count, c->padded, rows, rows + c->padded, rows + 2 * c->padded};
}

void tl_planes3_along(const tl_shape3 *s, tl_vec3 n, double along[TL_PLANES]) { along_planes(s->plane_rows, tl_fours(s->faces), n, along); }

double tl_planes3_exit(const tl_shape3 *s, tl_vec3 x, tl_vec3 way) { return exit_of_planes(s->plane_rows, tl_fours(s->faces), x, way); }

void tl_planes3_heights(const tl_shape3 *s, tl_vec3 x, double height[TL_PLANES]) { above_planes(s->plane_rows, tl_fours(s->faces), x, height); }

int tl_cloud3_support(const tl_cloud3 *c, tl_vec3 n, double *greatest) { return support(c, n, greatest); }

double tl_pair3_separation(const tl_pair3 *pair, tl_vec3 n) { return least(&pair->bt, n) + least(&pair->at, tl_scale(-1, n)); }
