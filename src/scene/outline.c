/* A polygon that need not be convex, split into convex parts: ears are cut off (Meisters 1975), then parts are joined across a diagonal while what they
 * become is convex (Hertel and Mehlhorn 1983): at most four times as many parts as the fewest. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/solids.h"

typedef struct polygon {
    const double (*point)[2];
    int count;
    double grain; /* area of a triangle that is none */
} polygon;

static double area_of(const polygon *p, int a, int b, int c)
{
    const double *A = p->point[a], *B = p->point[b], *C = p->point[c];
    return 0.5 * ((B[0] - A[0]) * (C[1] - A[1]) - (B[1] - A[1]) * (C[0] - A[0]));
}

static int side_of(const polygon *p, int a, int b, int c)
{
    const double area = area_of(p, a, b, c);
    return (area > p->grain) - (area < -p->grain);
}

/* Do the sides a–b and c–d have a point in common that is no common end? */
static bool cross(const polygon *p, int a, int b, int c, int d)
{
    return side_of(p, a, b, c) * side_of(p, a, b, d) < 0 && side_of(p, c, d, a) * side_of(p, c, d, b) < 0;
}

static talus_status check(const polygon *p, double *area, tl_error *error)
{
    *area = 0;
    for (int i = 1; i + 1 < p->count; i++) *area += area_of(p, 0, i, i + 1);
    if (!(fabs(*area) > p->grain)) return tl_fail(error, TALUS_INPUT, "the points of an outline enclose no area");
    for (int i = 0; i < p->count; i++)
        for (int j = i + 2; j < p->count; j++)
            if (cross(p, i, (i + 1) % p->count, j, (j + 1) % p->count))
                return tl_fail(error, TALUS_INPUT, "the sides of an outline cross: that from point %d to the next, and that from point %d", i + 1, j + 1);
    return TALUS_OK;
}

static bool is_same(const double a[2], const double b[2]) { return a[0] == b[0] && a[1] == b[1]; }

/* The corner `at` of the ring is an ear when no other corner lies in its triangle. */
static bool is_ear(const polygon *p, const int *ring, int n, int at)
{
    const int a = ring[(at + n - 1) % n], b = ring[at], c = ring[(at + 1) % n];
    if (side_of(p, a, b, c) <= 0) return false;
    for (int i = 0; i < n; i++) {
        const int q = ring[i];
        if (q == a || q == b || q == c || is_same(p->point[q], p->point[a]) || is_same(p->point[q], p->point[c])) continue;
        if (side_of(p, a, b, q) >= 0 && side_of(p, b, c, q) >= 0 && side_of(p, c, a, q) >= 0) return false;
    }
    return true;
}

/* Cuts ears off until nothing is left; flat corners, which are no ears, go without a triangle only when no ear is left. */
static int triangulate(const polygon *p, int *ring, int (*triangle)[3])
{
    int n = p->count, triangles = 0;
    while (n >= 3) {
        int at = 0;
        while (at < n && !is_ear(p, ring, n, at)) at++;
        if (at < n) {
            triangle[triangles][0] = ring[(at + n - 1) % n], triangle[triangles][1] = ring[at], triangle[triangles][2] = ring[(at + 1) % n];
            triangles++;
        } else {
            at = 0;
            while (at < n && side_of(p, ring[(at + n - 1) % n], ring[at], ring[(at + 1) % n]) != 0) at++;
            if (at == n) return -1;
        }
        memmove(&ring[at], &ring[at + 1], (size_t)(n - at - 1) * sizeof *ring);
        n--;
    }
    return triangles;
}

/* Joins part b to part a across a common side where the whole is convex. `part` has room for `most` corners each. */
static bool join(const polygon *p, int *a, int *a_count, const int *b, int b_count, int most)
{
    const int n = *a_count, m = b_count;
    if (n + m - 2 > most) return false;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (a[i] != b[(j + 1) % m] || a[(i + 1) % n] != b[j]) continue;
            const int before = a[(i + n - 1) % n], from = a[i], next = b[(j + 2) % m];
            const int last = b[(j + m - 1) % m], to = a[(i + 1) % n], after = a[(i + 2) % n];
            if (side_of(p, before, from, next) < 0 || side_of(p, last, to, after) < 0) return false;
            int whole[TL_OUTLINE_POINTS], count = 0;
            for (int k = 0; k < n; k++) whole[count++] = a[(i + 1 + k) % n]; /* from `to` around to `from` */
            for (int k = 2; k < m; k++) whole[count++] = b[(j + k) % m];
            memcpy(a, whole, (size_t)count * sizeof *a);
            *a_count = count;
            return true;
        }
    return false;
}

static int merge(const polygon *p, int *corner, int *size, int parts, int most)
{
    bool again = true;
    while (again) {
        again = false;
        for (int a = 0; a < parts; a++)
            for (int b = a + 1; b < parts; b++)
                if (join(p, corner + a * most, &size[a], corner + b * most, size[b], most)) {
                    parts--;
                    memcpy(corner + b * most, corner + parts * most, (size_t)size[parts] * sizeof *corner);
                    size[b] = size[parts];
                    again = true;
                    b--;
                }
    }
    return parts;
}

static talus_status split(const polygon *p, bool turned, int most, tl_outline_parts *out, tl_error *error)
{
    const size_t n = (size_t)p->count;
    int *ring = malloc(n * sizeof *ring), (*triangle)[3] = malloc(n * sizeof *triangle), *corner = malloc(n * (size_t)most * sizeof *corner);
    int *size = malloc(n * sizeof *size);
    const bool enough = ring && triangle && corner && size;
    talus_status status = enough ? TALUS_OK : tl_fail(error, TALUS_MEMORY, "no memory for an outline");
    if (enough) {
        for (int i = 0; i < p->count; i++) ring[i] = turned ? p->count - 1 - i : i;
        const int triangles = triangulate(p, ring, triangle);
        if (triangles < 1) status = tl_fail(error, TALUS_INPUT, "the sides of an outline cross or touch each other");
        for (int i = 0; i < triangles; i++) size[i] = 3, memcpy(corner + i * most, triangle[i], sizeof *triangle);
        out->parts = triangles < 1 ? 0 : merge(p, corner, size, triangles, most);
        out->begin = calloc((size_t)out->parts + 1, sizeof *out->begin);
        out->corner = malloc(3 * n * sizeof *out->corner);
        if (!out->begin || !out->corner) status = tl_fail(error, TALUS_MEMORY, "no memory for an outline");
        for (int i = 0; status == TALUS_OK && out->begin && out->corner && i < out->parts; i++) {
            memcpy(out->corner + out->begin[i], corner + i * most, (size_t)size[i] * sizeof *corner);
            out->begin[i + 1] = out->begin[i] + size[i];
        }
    }
    free(ring), free(triangle), free(corner), free(size);
    return status;
}

talus_status tl_outline_split(const double (*point)[2], int count, int most, tl_outline_parts *out, tl_error *error)
{
    double area, extent = 0;
    *out = (tl_outline_parts){0};
    if (count < 3 || count > TL_OUTLINE_POINTS) return tl_fail(error, TALUS_INPUT, "an outline has 3 to %d points, not %d", TL_OUTLINE_POINTS, count);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 2; k++) extent = fmax(extent, fabs(point[i][k] - point[0][k]));
    const polygon p = {point, count, 1e-12 * extent * extent};
    TL_TRY(check(&p, &area, error));
    return split(&p, area < 0, most, out, error);
}

void tl_outline_free(tl_outline_parts *parts)
{
    free(parts->begin);
    free(parts->corner);
    *parts = (tl_outline_parts){0};
}
