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

TL_QUAD_CLONES static int support(const tl_cloud3 *c, tl_vec3 n)
{
    tl_quad high = PRODUCT(0);
    tl_quad_mask where = {0, 1, 2, 3}, at = where;
    for (int k = 4; k < c->padded; k += 4) {
        const tl_quad d = PRODUCT(k);
        const tl_quad_mask more = d > high;
        at += 4;
        high = TL_QUAD_SELECT(more, d, high);
        where = (more & at) | (~more & where);
    }
    /* of equal ones the first: lanes in pairs, without branches */
    const bool p = (high[1] > high[0]) | ((high[1] == high[0]) & (where[1] < where[0])),
               q = (high[3] > high[2]) | ((high[3] == high[2]) & (where[3] < where[2]));
    const double left = p ? high[1] : high[0], right = q ? high[3] : high[2];
    const int64_t i = p ? where[1] : where[0], j = q ? where[3] : where[2];
    const int64_t corner = (right > left) | ((right == left) & (j < i)) ? j : i;
    return corner < c->count ? (int)corner : c->count - 1; /* the filling is copies of the last */
}

/* One number of four planes that follow each other. */
#define OF_PLANES(p, what) ((tl_quad){(p)[0].what, (p)[1].what, (p)[2].what, (p)[3].what})

TL_QUAD_CLONES static void above_planes(const tl_plane3 *plane, int padded, tl_vec3 x, double *height)
{
    for (int k = 0; k < padded; k += 4) {
        const tl_plane3 *p = plane + k;
        *(tl_quad *)(height + k) = x.x * OF_PLANES(p, n.x) + x.y * OF_PLANES(p, n.y) + x.z * OF_PLANES(p, n.z) - OF_PLANES(p, offset);
    }
}

/* Least of the ways to the planes ahead, in units of `way`. */
TL_QUAD_CLONES static double exit_of_planes(const tl_plane3 *plane, int padded, tl_vec3 x, tl_vec3 way)
{
    tl_quad least = {1, 1, 1, 1};
    const tl_quad zero = {0, 0, 0, 0};
    for (int k = 0; k < padded; k += 4) {
        const tl_plane3 *p = plane + k;
        const tl_quad nx = OF_PLANES(p, n.x), ny = OF_PLANES(p, n.y), nz = OF_PLANES(p, n.z);
        const tl_quad depth = OF_PLANES(p, offset) - (x.x * nx + x.y * ny + x.z * nz), speed = way.x * nx + way.y * ny + way.z * nz;
        const tl_quad_mask sooner = (speed > zero) & (depth < least * speed);
        least = TL_QUAD_SELECT(sooner, depth / speed, least);
    }
    return least_of(&least);
}

/* clang 14 finds clones from within their own file only */
double tl_cloud3_least(const tl_cloud3 *c, tl_vec3 n) { return least(c, n); }

double tl_planes3_exit(const tl_shape3 *s, tl_vec3 x, tl_vec3 way) { return exit_of_planes(s->plane, tl_fours(s->faces), x, way); }

void tl_planes3_heights(const tl_shape3 *s, tl_vec3 x, double height[TL_PLANES]) { above_planes(s->plane, tl_fours(s->faces), x, height); }

int tl_cloud3_support(const tl_cloud3 *c, tl_vec3 n) { return support(c, n); }

double tl_pair3_least(const tl_pair3 *pair, bool of_b, tl_vec3 n)
{
    if (!of_b) return least(&pair->cloud[0], n);
    return least(&pair->cloud[1], tl_turn_back3(&pair->b_in_a.R, n)) + tl_dot(n, pair->b_in_a.p);
}

int tl_pair3_support(const tl_pair3 *pair, bool of_b, tl_vec3 n) { return support(&pair->cloud[of_b], of_b ? tl_turn_back3(&pair->b_in_a.R, n) : n); }

double tl_pair3_separation(const tl_pair3 *pair, tl_vec3 n) { return tl_pair3_least(pair, true, n) + tl_pair3_least(pair, false, tl_scale(-1, n)); }
