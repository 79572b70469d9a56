/* Regions in which probes look: where a point is, how much of a line lies within, how large they are. */
#include "scene/zone.h"

#include <math.h>

/* What a slab or a ball leaves of the interval [s0, s1] of a line; empty: s0 ≥ s1. */
typedef struct interval {
    double low, high;
} interval;

static void cut(interval *i, double low, double high)
{
    i->low = fmax(i->low, low);
    i->high = fmin(i->high, high);
}

static bool is_between(double x, double low, double high, bool next) { return x >= low && (next ? x < high : x <= high); }

static void cut_slab(interval *i, double from, double way, double low, double high, bool next)
{
    if (way == 0) {
        if (!is_between(from, low, high, next)) i->high = i->low;
    } else cut(i, fmin((low - from) / way, (high - from) / way), fmax((low - from) / way, (high - from) / way));
}

/* a + s d with Σ² ≤ r², over the first `axes` components. */
static void cut_ball(interval *i, const double a[3], const double d[3], int axes, double r)
{
    double aa = -r * r, ad = 0, dd = 0;
    for (int k = 0; k < axes && k < 3; k++) aa += a[k] * a[k], ad += a[k] * d[k], dd += d[k] * d[k];
    const double root = ad * ad - dd * aa;
    if (dd == 0 ? aa > 0 : root <= 0) i->high = i->low;
    else if (dd > 0) cut(i, (-ad - sqrt(root)) / dd, (-ad + sqrt(root)) / dd);
}

static tl_vec3 to_zone(const tl_zone *z, tl_vec3 x) { return tl_mat3_apply_t(&z->at.R, tl_sub(x, z->at.p)); }

bool tl_zone_holds(const tl_zone *z, tl_vec3 x)
{
    double u[3];
    tl_store3(u, to_zone(z, x));
    if (z->kind == TL_ZONE_BALL) return u[0] * u[0] + u[1] * u[1] + u[2] * u[2] <= z->radius * z->radius;
    if (z->kind == TL_ZONE_CYLINDER) return u[0] * u[0] + u[1] * u[1] <= z->radius * z->radius && u[2] >= z->box.low[2] && u[2] <= z->box.high[2];
    for (int k = 0; z->kind == TL_ZONE_BOX && k < z->dimension && k < 3; k++)
        if (!is_between(u[k], z->box.low[k], z->box.high[k], z->next[k])) return false;
    return true;
}

double tl_zone_share(const tl_zone *z, tl_vec3 from, tl_vec3 to)
{
    interval i = {0, 1};
    double a[3], d[3];
    tl_store3(a, to_zone(z, from));
    tl_store3(d, tl_mat3_apply_t(&z->at.R, tl_sub(to, from)));
    if (z->kind == TL_ZONE_BALL) cut_ball(&i, a, d, z->dimension, z->radius);
    if (z->kind == TL_ZONE_CYLINDER) {
        cut_ball(&i, a, d, 2, z->radius);
        cut_slab(&i, a[2], d[2], z->box.low[2], z->box.high[2], false);
    }
    for (int k = 0; z->kind == TL_ZONE_BOX && k < z->dimension && k < 3; k++) cut_slab(&i, a[k], d[k], z->box.low[k], z->box.high[k], z->next[k]);
    return fmax(0, i.high - i.low);
}

double tl_zone_size(const tl_zone *z)
{
    const double r = z->radius;
    double size = 1;
    if (z->kind == TL_ZONE_BALL) return z->dimension == 2 ? TL_PI * r * r : 4 * TL_PI / 3 * r * r * r;
    if (z->kind == TL_ZONE_CYLINDER) return TL_PI * r * r * (z->box.high[2] - z->box.low[2]);
    for (int k = 0; k < z->dimension && k < 3; k++) size *= z->box.high[k] - z->box.low[k];
    return z->kind == TL_ZONE_BOX ? size : (double)INFINITY;
}
