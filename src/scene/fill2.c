/* How much of a region of the plane disks and polygons fill. */
#include <math.h>
#include <string.h>

#include "scene/fill.h"
#include "talus/body.h"

/* ∫ from −∞ to x of the chord half-height above y of a circle of radius r about the origin, clipped below y: the area of the part of the
 * disk with abscissa ≤ x and ordinate ≤ y. Exact. */
static double disk_corner_area(double r, double x, double y)
{
    const double PI = acos(-1.0);
    x = fmax(-r, fmin(r, x));
    y = fmax(-r, fmin(r, y));
    /* F(u) = ∫ √(r² − u²) du */
#define HALF(u) (0.5 * ((u)*sqrt(fmax(0, r * r - (u) * (u))) + r * r * asin(fmax(-1, fmin(1, (u) / r)))))
    const double edge = sqrt(fmax(0, r * r - y * y)), left = -0.25 * PI * r * r;
    const double a = fmin(x, -edge), b = fmin(x, edge);
    double area;
    if (y >= 0) { /* whole chords outside ±edge, lower half and y inside */
        area = 2 * (HALF(a) - left);
        if (b > -edge) area += HALF(b) - HALF(-edge) + y * (b + edge);
        if (x > edge) area += 2 * (HALF(x) - HALF(edge));
    } else area = b > -edge ? HALF(b) - HALF(-edge) + y * (b + edge) : 0;
#undef HALF
    return area;
}

double tl_fill_disk(double r, double cx, double cy, const tl_region *in)
{
    const double x0 = in->low[0] - cx, y0 = in->low[1] - cy, x1 = in->high[0] - cx, y1 = in->high[1] - cy;
    if (x0 >= r || x1 <= -r || y1 <= -r) return 0;
    return disk_corner_area(r, x1, y1) - disk_corner_area(r, x0, y1) - disk_corner_area(r, x1, y0) + disk_corner_area(r, x0, y0);
}

/* Polygon cut by one side of the region at a time (Sutherland–Hodgman). */
double tl_fill_polygon(double (*p)[2], int n, const tl_region *in)
{
    double other[TL_FILL_POLYGON][2];
    for (int side = 0; side < 4; side++) {
        const int axis = side % 2;
        const double limit = (side < 2 ? in->low : in->high)[axis], sign = side < 2 ? 1 : -1;
        int m = 0;
        for (int i = 0; i < n; i++) {
            const double *a = p[i], *b = p[(i + 1) % n], da = sign * (a[axis] - limit), db = sign * (b[axis] - limit);
            if (da >= 0) memcpy(other[m++], a, sizeof other[0]);
            if ((da >= 0) != (db >= 0)) {
                const double f = da / (da - db);
                other[m][0] = a[0] + f * (b[0] - a[0]);
                other[m++][1] = a[1] + f * (b[1] - a[1]);
            }
        }
        n = m;
        memcpy(p, other, (size_t)n * sizeof *p);
    }
    double area = 0;
    for (int i = 0; i < n; i++) area += 0.5 * (p[i][0] * p[(i + 1) % n][1] - p[(i + 1) % n][0] * p[i][1]);
    return area;
}
