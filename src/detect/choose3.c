/* The numbers of what faces what, and which points of contact to keep when there are many. */
#include "detect/pair3.h"

#include <stdlib.h>
#include <string.h>

/* Two bits of kind, then up to twenty: a corner takes 8, a face 9, an edge 10. */
enum { CORNER_B_FACE, CORNER_A_FACE, EDGES, OTHERS, KIND = 20 };

uint32_t tl_feature3_corner_face(bool corner_of_b, int corner, int face)
{
    return (uint32_t)((corner_of_b ? CORNER_B_FACE : CORNER_A_FACE) << KIND | face << 8 | corner);
}

uint32_t tl_feature3_edges(int edge_a, int edge_b) { return (uint32_t)(EDGES << KIND | edge_a << 10 | edge_b); }

uint32_t tl_feature3_corner_edge(bool corner_of_b, int corner, int edge)
{
    return (uint32_t)(OTHERS << KIND | (corner_of_b ? 1 : 2) << 18 | edge << 8 | corner);
}

uint32_t tl_feature3_corners(int corner_a, int corner_b) { return (uint32_t)(OTHERS << KIND | corner_a << 8 | corner_b); }

/* ---- choosing ----------------------------------------------------------------------------------------------------- */

enum { MOST = 2 * TL_HULL_POINTS + 4 };

typedef struct spot {
    double x, y; /* at right angles to the normal */
    int index;
} spot;

static int by_place(const void *left, const void *right)
{
    const spot *p = left, *q = right;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    if (p->y != q->y) return p->y < q->y ? -1 : 1;
    return p->index - q->index;
}

static double twice_area(const spot *p, const spot *q, const spot *r) { return (q->x - p->x) * (r->y - p->y) - (q->y - p->y) * (r->x - p->x); }

/* Counter-clockwise outline of the spots; returns its corners. */
static int outline(spot *spots, int count, spot *out)
{
    qsort(spots, (size_t)count, sizeof *spots, by_place);
    int k = 0;
    for (int pass = 0; pass < 2; pass++) {
        const int begin = k;
        for (int i = 0; i < count; i++) {
            const spot *p = &spots[pass ? count - 1 - i : i];
            while (k >= begin + 2 && !(twice_area(&out[k - 2], &out[k - 1], p) > 0)) k--;
            out[k++] = *p;
        }
        k--;
    }
    return k > 0 ? k : 1;
}

/* Drops the corner that costs least area until `limit` are left; `stays` is never dropped. */
static int thin_out(spot *ring, int count, int limit, int stays)
{
    while (count > limit) {
        int least = -1;
        double cost = (double)INFINITY;
        for (int i = 0; i < count; i++) {
            const double area = twice_area(&ring[(i + count - 1) % count], &ring[i], &ring[(i + 1) % count]);
            if (ring[i].index != stays && (least < 0 || area < cost)) cost = area, least = i;
        }
        memmove(ring + least, ring + least + 1, (size_t)(count - least - 1) * sizeof *ring);
        count--;
    }
    return count;
}

static int reduce(tl_touch *touches, int count, tl_vec3 n, tl_touch *out)
{
    spot spots[MOST], ring[2 * MOST];
    tl_vec3 t, s;
    tl_tangents(n, &t, &s);
    int deepest = 0;
    for (int i = 0; i < count; i++) {
        spots[i] = (spot){tl_dot(t, touches[i].point), tl_dot(s, touches[i].point), i};
        if (touches[i].gap < touches[deepest].gap) deepest = i;
    }
    int kept = outline(spots, count, ring);
    bool on_ring = false;
    for (int i = 0; i < kept; i++) on_ring = on_ring || ring[i].index == deepest;
    kept = thin_out(ring, kept, on_ring ? TL_TOUCHES3 : TL_TOUCHES3 - 1, deepest);
    for (int i = 0; i < kept; i++) out[i] = touches[ring[i].index];
    if (!on_ring) out[kept++] = touches[deepest];
    return kept;
}

int tl_touches3_choose(tl_touch *touches, int count, tl_vec3 n, tl_touch out[TL_TOUCHES3])
{
    if (count > TL_TOUCHES3) count = reduce(touches, count, n, out);
    else memcpy(out, touches, (size_t)count * sizeof *out);
    for (int i = 1; i < count; i++) {
        const tl_touch moved = out[i];
        int at = i;
        for (; at > 0 && out[at - 1].feature > moved.feature; at--) out[at] = out[at - 1];
        out[at] = moved;
    }
    int kept = 0; /* one number, one point: what is twice there is so by rounding */
    for (int i = 0; i < count; i++)
        if (kept == 0 || out[kept - 1].feature != out[i].feature) out[kept++] = out[i];
        else if (out[i].gap < out[kept - 1].gap) out[kept - 1] = out[i];
    return kept;
}
