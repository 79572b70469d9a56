/* Solids on a grid of samples with a depth buffer: polygons by rows, balls and rods by the roots of a quadratic at every sample. */
#include <math.h>

#include "record/picture_raster.h"

void tl_band_clear(tl_band *b)
{
    const size_t n = (size_t)b->rows * (size_t)b->width;
    for (size_t i = 0; i < n; i++) b->sample[i] = (tl_sample){-INFINITY, RASTER_NOTHING, 0, 0, 1};
}

/* The samples whose middles lie in [from, to), of those that there are. */
static void within(double from, double to, int begin, int count, int out[2])
{
    out[0] = (int)ceil(fmin(fmax(from - 0.5 - begin, 0), count));
    out[1] = (int)ceil(fmin(fmax(to - 0.5 - begin, 0), count));
}

static void rows_of(const tl_band *b, double from, double to, int out[2]) { within(from, to, b->first, b->rows, out); }
static void columns_of(const tl_band *b, double from, double to, int out[2]) { within(from, to, 0, b->width, out); }

/* n: to the right, down, towards the camera. */
static void put(tl_sample *s, double z, int solid, double nx, double ny, double nz)
{
    if ((float)z > s->z) *s = (tl_sample){(float)z, solid, (float)nx, (float)-ny, (float)nz};
}

/* ---- polygons ----------------------------------------------------------------------------------------------------- */

/* Where a row cuts the polygon. An edge is reckoned the same way from both of its sides, so that two faces leave no gap. */
static bool cut_row(const tl_face *f, double y, double out[2])
{
    out[0] = (double)INFINITY, out[1] = -(double)INFINITY;
    for (int k = 0; k < f->corners; k++) {
        const double *a = f->corner[k], *b = f->corner[k + 1 < f->corners ? k + 1 : 0];
        if ((a[1] <= y) == (b[1] <= y)) continue;
        const double *low = a[1] < b[1] ? a : b, *high = a[1] < b[1] ? b : a;
        const double x = low[0] + (high[0] - low[0]) * ((y - low[1]) / (high[1] - low[1]));
        out[0] = fmin(out[0], x), out[1] = fmax(out[1], x);
    }
    return out[0] < out[1];
}

/* The direction away from the axis, on the side that looks at the camera. */
static void put_round(tl_sample *s, const tl_face *f, double x, double y, double z, int solid)
{
    const tl_vec3 from = tl_sub(tl_v3(x, y, z), tl_load3(f->origin)), axis = tl_load3(f->axis);
    const tl_vec3 n = tl_normalize(tl_sub(from, tl_scale(tl_dot(from, axis), axis)));
    const double sign = tl_dot(n, tl_load3(f->normal)) < 0 ? -1 : 1;
    put(s, z, solid, sign * n.x, sign * n.y, fmax(sign * n.z, 0.02));
}

void tl_band_face(tl_band *b, const tl_face *f, int solid)
{
    double top = (double)INFINITY, bottom = -(double)INFINITY, low = (double)INFINITY, high = -(double)INFINITY, cut[2];
    const double *n = f->normal, *o = f->corner[0];
    int row[2], column[2];
    if (!(n[2] > 1e-7)) return; /* seen on its edge */
    for (int k = 0; k < f->corners; k++) {
        top = fmin(top, f->corner[k][1]), bottom = fmax(bottom, f->corner[k][1]);
        low = fmin(low, f->corner[k][2]), high = fmax(high, f->corner[k][2]);
    }
    rows_of(b, top, bottom, row);
    for (int i = row[0]; i < row[1]; i++) {
        const double y = b->first + i + 0.5;
        if (!cut_row(f, y, cut)) continue;
        columns_of(b, cut[0], cut[1], column);
        tl_sample *s = b->sample + (size_t)i * (size_t)b->width;
        for (int k = column[0]; k < column[1]; k++) {
            const double x = k + 0.5, z = fmin(fmax(o[2] - (n[0] * (x - o[0]) + n[1] * (y - o[1])) / n[2], low), high);
            if (f->axis) put_round(&s[k], f, x, y, z, solid);
            else put(&s[k], z, solid, n[0], n[1], n[2]);
        }
    }
}

/* ---- balls and rods ----------------------------------------------------------------------------------------------- */

void tl_band_ball(tl_band *b, const double c[3], double r, int solid)
{
    int row[2], column[2];
    rows_of(b, c[1] - r, c[1] + r, row);
    for (int i = row[0]; i < row[1]; i++) {
        const double y = b->first + i + 0.5 - c[1], half = sqrt(fmax(r * r - y * y, 0));
        columns_of(b, c[0] - half, c[0] + half, column);
        tl_sample *s = b->sample + (size_t)i * (size_t)b->width;
        for (int k = column[0]; k < column[1]; k++) {
            const double x = k + 0.5 - c[0], z = sqrt(fmax(r * r - x * x - y * y, 0));
            put(&s[k], c[2] + z, solid, x / r, y / r, z / r);
        }
    }
}

typedef struct rod {
    double height, length, r; /* of its beginning */
    tl_vec3 u;
    int solid;
} rod;

/* The side of a rod at (x, y) from its beginning, without its ends. Along the view a ray meets it where A s² − 2 B s + C = 0, s from the height of its
 * beginning. */
static void put_side(tl_sample *at, const rod *of, double x, double y)
{
    const tl_vec3 u = of->u;
    const double r = of->r, A = 1 - u.z * u.z, across = x * u.x + y * u.y, B = across * u.z, C = x * x + y * y - across * across - r * r, D = B * B - A * C;
    if (!(A > 1e-9) || !(D >= 0)) return;
    const double s = (B + sqrt(D)) / A, t = across + s * u.z;
    if (t < 0 || t > of->length) return;
    put(at, of->height + s, of->solid, (x - t * u.x) / r, (y - t * u.y) / r, fmax((s - t * u.z) / r, 0));
}

void tl_band_rod(tl_band *b, const double from[3], const double to[3], double r, int solid)
{
    const tl_vec3 way = tl_sub(tl_load3(to), tl_load3(from)), u = tl_normalize(way);
    const rod of = {.height = from[2], .length = tl_norm(way), .r = r, .u = u, .solid = solid};
    const double flat = hypot(u.x, u.y);
    int row[2], column[2];
    tl_band_ball(b, from, r, solid);
    tl_band_ball(b, to, r, solid);
    if (flat < 1e-6) return; /* end on */
    rows_of(b, fmin(from[1], to[1]) - r, fmax(from[1], to[1]) + r, row);
    for (int i = row[0]; i < row[1]; i++) {
        const double y = b->first + i + 0.5 - from[1];
        double left = fmin(from[0], to[0]) - r, right = fmax(from[0], to[0]) + r;
        if (fabs(u.y) > 1e-9 * flat) { /* the strip within r of the axis, on the page */
            const double middle = from[0] + y * u.x / u.y, half = r * flat / fabs(u.y);
            left = fmax(left, middle - half), right = fmin(right, middle + half);
        }
        columns_of(b, left, right, column);
        tl_sample *s = b->sample + (size_t)i * (size_t)b->width;
        for (int k = column[0]; k < column[1]; k++) put_side(&s[k], &of, k + 0.5 - from[0], y);
    }
}
