/* Few corners for many points: a scanned stone of thousands of points as a polyhedron that can be computed with. */
#include <string.h>

#include "shape/shape3.h"

/* Of points that are as far within this share of the size, the one farthest from the middle: a corner, not a point of its face. */
static const double TIE = 1e-9;

typedef struct search {
    tl_vec3 *point, middle;
    int count, chosen; /* the first `chosen` points are */
    double size;
} search;

static void choose(search *s, int i)
{
    const tl_vec3 p = s->point[i];
    s->point[i] = s->point[s->chosen];
    s->point[s->chosen++] = p;
}

/* Height of a point above what is there so far: a point, a line, a plane; then the faces of a hull. */
static double height(const search *s, const tl_shape3 *hull, tl_vec3 p)
{
    const tl_vec3 *c = s->point, r = tl_sub(p, s->chosen ? c[0] : s->middle);
    if (s->chosen <= 1) return tl_norm(r);
    const tl_vec3 e = tl_normalize(tl_sub(c[1], c[0]));
    if (s->chosen == 2) return tl_norm(tl_sub(r, tl_scale(tl_dot(r, e), e)));
    if (s->chosen == 3) return fabs(tl_dot(r, tl_normalize(tl_cross(e, tl_sub(c[2], c[0])))));
    double most = -(double)INFINITY;
    for (int f = 0; f < hull->faces; f++) most = fmax(most, tl_dot(hull->plane[f].n, p) - hull->plane[f].offset);
    return most;
}

/* The highest point, and how high. */
static int highest(const search *s, const tl_shape3 *hull, double *high)
{
    int best = -1;
    double far = 0;
    *high = -(double)INFINITY;
    for (int i = s->chosen; i < s->count; i++) {
        const double h = height(s, hull, s->point[i]), out = tl_norm(tl_sub(s->point[i], s->middle));
        if (h < *high - TIE * s->size || (h <= *high + TIE * s->size && out <= far)) continue;
        best = i, far = out;
        *high = fmax(*high, h);
    }
    return best;
}

talus_status tl_thin3(tl_memory memory, tl_vec3 *point, int *count, int most, tl_error *error)
{
    search s = {.point = point, .count = *count};
    if (*count <= most || most < 4) return TALUS_OK;
    for (int i = 0; i < s.count; i++) s.middle = tl_add(s.middle, tl_scale(1.0 / s.count, point[i]));
    for (int i = 0; i < s.count; i++) s.size = fmax(s.size, tl_norm(tl_sub(point[i], s.middle)));
    while (s.chosen < most) {
        tl_shape3 hull = {0};
        double high;
        if (s.chosen >= 4) TL_TRY(tl_shape3_hull(&hull, memory, point, s.chosen, 0, error));
        const int next = highest(&s, &hull, &high);
        tl_shape3_free(&hull, memory);
        if (!(high > TIE * s.size)) break; /* all is inside; or all points are in a plane, which the hull will say */
        choose(&s, next);
    }
    *count = s.chosen < 4 ? *count : s.chosen;
    return TALUS_OK;
}
