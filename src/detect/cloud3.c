/* Corners and faces of cores, four at a time: least and greatest of n·x, heights above planes. These are where the pair functions in space spend their time.
 */
#include "detect/pair3.h"

#define PRODUCT(k) (n.x * TL_QUAD(c->x, k) + n.y * TL_QUAD(c->y, k) + n.z * TL_QUAD(c->z, k))

static inline double least_of(const tl_quad *quad)
{
    const tl_quad v = *quad;
    const double p = v[0] < v[1] ? v[0] : v[1], q = v[2] < v[3] ? v[2] : v[3];
    return p < q ? p : q;
}

TL_QUAD_CLONES static double least(const tl_cloud3 *c, tl_vec3 n)
{
    tl_quad low = PRODUCT(0);
    for (int k = 4; k < c->padded; k += 4) {
        const tl_quad d = PRODUCT(k);
        low = TL_QUAD_SELECT(d < low, d, low);
    }
    return least_of(&low);
}

TL_QUAD_CLONES static int support(const tl_cloud3 *c, tl_vec3 n, double *greatest)
{
    tl_quad high = PRODUCT(0);
    tl_quad_mask where = {0, 0, 0, 0};
    for (int k = 4; k < c->padded; k += 4) {
        const tl_quad d = PRODUCT(k);
        const tl_quad_mask more = d > high, at = {k, k, k, k};
        high = TL_QUAD_SELECT(more, d, high);
        where = (more & at) | (~more & where);
    }
    int best = 0;
    for (int i = 1; i < 4; i++)
        if (high[i] > high[best] || (high[i] == high[best] && where[i] + i < where[best] + best)) best = i;
    *greatest = high[best];
    const int corner = (int)where[best] + best;
    return corner < c->count ? corner : c->count - 1; /* the filling is copies of the last */
}

TL_QUAD_CLONES static void move_rows(const tl_cloud3 *c, const tl_frame *at, double *rows)
{
    for (int axis = 0; axis < 3; axis++) {
        const double *R = at->R.m[axis], p = axis == 0 ? at->p.x : (axis == 1 ? at->p.y : at->p.z);
        for (int k = 0; k < c->padded; k += 4)
            *(tl_quad *)(rows + axis * c->padded + k) = R[0] * TL_QUAD(c->x, k) + R[1] * TL_QUAD(c->y, k) + R[2] * TL_QUAD(c->z, k) + p;
    }
}

TL_QUAD_CLONES static void above_planes(const double *rows, int padded, tl_vec3 x, double *height)
{
    for (int k = 0; k < padded; k += 4)
        *(tl_quad *)(height + k) =
            x.x * TL_QUAD(rows, k) + x.y * TL_QUAD(rows + padded, k) + x.z * TL_QUAD(rows + 2 * padded, k) - TL_QUAD(rows + 3 * padded, k);
}

/* Least of the ways to the planes ahead, in units of `way`. */
TL_QUAD_CLONES static double exit_of_planes(const double *rows, int padded, tl_vec3 x, tl_vec3 way)
{
    tl_quad least = {1, 1, 1, 1};
    const tl_quad zero = {0, 0, 0, 0};
    for (int k = 0; k < padded; k += 4) {
        const tl_quad nx = TL_QUAD(rows, k), ny = TL_QUAD(rows + padded, k), nz = TL_QUAD(rows + 2 * padded, k);
        const tl_quad depth = TL_QUAD(rows + 3 * padded, k) - (x.x * nx + x.y * ny + x.z * nz), speed = way.x * nx + way.y * ny + way.z * nz;
        const tl_quad_mask sooner = (speed > zero) & (depth < least * speed);
        least = TL_QUAD_SELECT(sooner, depth / speed, least);
    }
    return least_of(&least);
}

/* clang 14 finds clones from within their own file only */
double tl_cloud3_least(const tl_cloud3 *c, tl_vec3 n) { return least(c, n); }

tl_cloud3 tl_cloud3_moved(const tl_cloud3 *c, const tl_frame *at, double *rows)
{
    move_rows(c, at, rows);
    return (tl_cloud3){c->count, c->padded, rows, rows + c->padded, rows + 2 * c->padded};
}

double tl_planes3_exit(const tl_shape3 *s, tl_vec3 x, tl_vec3 way) { return exit_of_planes(s->plane_rows, tl_fours(s->faces), x, way); }

void tl_planes3_heights(const tl_shape3 *s, tl_vec3 x, double height[TL_PLANES]) { above_planes(s->plane_rows, tl_fours(s->faces), x, height); }

int tl_cloud3_support(const tl_cloud3 *c, tl_vec3 n, double *greatest) { return support(c, n, greatest); }

double tl_pair3_separation(const tl_pair3 *pair, tl_vec3 n) { return least(&pair->bt, n) + least(&pair->at, tl_scale(-1, n)); }
