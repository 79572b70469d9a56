/* Is a surface closed, does it face one way, and which? Neighbours along an edge face the same side when they run along it in opposite directions. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/math.h"
#include "scene/triangles.h"

typedef struct side {
    int32_t low, high; /* its vertices                          */
    int32_t triangle;
    bool up; /* from low to high                      */
} side;

typedef struct weaving {
    tl_triangles *s;
    int32_t *vertex; /* [points] the first of those with these coordinates */
    side *sides;     /* [3 × triangles] by their vertices                   */
    int32_t *mate;   /* [3 × triangles] the triangle across, −1: none       */
    bool *same;      /* [3 × triangles] the mate faces the other side       */
    int8_t *sense;   /* [triangles] 0: not reached, 1: as it is, −1: turned */
    int32_t *queue;
} weaving;

static int by_coordinates(const void *a, const void *b, void *context)
{
    const double(*point)[3] = context;
    const int32_t i = *(const int32_t *)a, j = *(const int32_t *)b;
    for (int k = 0; k < 3; k++)
        if (point[i][k] != point[j][k]) return point[i][k] < point[j][k] ? -1 : 1;
    return i < j ? -1 : 1;
}

static void weld(weaving *w)
{
    const tl_triangles *s = w->s;
    int32_t *order = w->queue;
    for (int i = 0; i < s->points; i++) order[i] = i;
    qsort_r(order, (size_t)s->points, sizeof *order, by_coordinates, s->point);
    for (int i = 0; i < s->points; i++) {
        const double *here = s->point[order[i]], *before = s->point[order[i > 0 ? i - 1 : 0]];
        const bool twin = i > 0 && here[0] == before[0] && here[1] == before[1] && here[2] == before[2];
        w->vertex[order[i]] = twin ? w->vertex[order[i - 1]] : order[i];
    }
}

static int by_vertices(const void *a, const void *b)
{
    const side *p = a, *q = b;
    if (p->low != q->low) return p->low < q->low ? -1 : 1;
    if (p->high != q->high) return p->high < q->high ? -1 : 1;
    return p->triangle < q->triangle ? -1 : 1;
}

static tl_vec3 area_of(const tl_triangles *s, int t)
{
    const tl_vec3 a = tl_load3(s->point[s->triangle[t][0]]), b = tl_load3(s->point[s->triangle[t][1]]), c = tl_load3(s->point[s->triangle[t][2]]);
    return tl_scale(0.5, tl_cross(tl_sub(b, a), tl_sub(c, a)));
}

static int slot_of(const weaving *w, const side *e) /* which side of its triangle it is */
{
    const int32_t *c = w->s->triangle[e->triangle];
    for (int k = 0; k < 3; k++)
        if (w->vertex[c[k]] == (e->up ? e->low : e->high) && w->vertex[c[(k + 1) % 3]] == (e->up ? e->high : e->low)) return 3 * e->triangle + k;
    return 3 * e->triangle;
}

/* Sides that meet in twos become mates; others are counted. Triangles without an area have collapsed sides, which do not count. */
static void find_mates(weaving *w, tl_orientation *o)
{
    int count = 0;
    for (int t = 0; t < w->s->triangles; t++)
        for (int k = 0; k < 3; k++) {
            const int32_t a = w->vertex[w->s->triangle[t][k]], b = w->vertex[w->s->triangle[t][(k + 1) % 3]];
            w->mate[3 * t + k] = -1;
            if (a != b) w->sides[count++] = (side){a < b ? a : b, a < b ? b : a, t, a < b};
        }
    qsort(w->sides, (size_t)count, sizeof *w->sides, by_vertices);
    for (int i = 0, next; i < count; i = next) {
        const side *e = &w->sides[i];
        for (next = i + 1; next < count && w->sides[next].low == e->low && w->sides[next].high == e->high;) next++;
        if (next == i + 2) {
            const int a = slot_of(w, e), b = slot_of(w, e + 1);
            w->mate[a] = e[1].triangle, w->mate[b] = e->triangle;
            w->same[a] = w->same[b] = e->up == e[1].up;
            continue;
        }
        const bool crowd = next > i + 2;
        if ((crowd ? o->crowded++ : o->borders++) > 0) continue;
        memcpy(crowd ? o->crowd : o->border, w->s->point[e->low], sizeof o->border);
        *(crowd ? &o->crowd_line : &o->border_line) = w->s->line ? w->s->line[e->triangle] : e->triangle + 1;
    }
}

/* Reaches all that hangs together with triangle t; the smaller area is turned. False: there is no way to face one side (a Möbius strip). */
static bool weave(weaving *w, int first, tl_orientation *o)
{
    double area[2] = {0, 0};
    int count = 0, turned[2] = {0, 0};
    bool oriented = true;
    w->queue[count++] = first;
    w->sense[first] = 1;
    for (int i = 0; i < count; i++) {
        const int t = w->queue[i], way = w->sense[t] < 0;
        area[way] += tl_norm(area_of(w->s, t));
        turned[way]++;
        for (int k = 0; k < 3; k++) {
            const int32_t u = w->mate[3 * t + k];
            if (u < 0) continue;
            const int8_t wanted = (int8_t)(w->same[3 * t + k] ? -w->sense[t] : w->sense[t]);
            if (w->sense[u] == 0) w->sense[u] = wanted, w->queue[count++] = u;
            else oriented = oriented && w->sense[u] == wanted;
        }
    }
    const int8_t minority = area[1] <= area[0] ? -1 : 1;
    for (int i = 0; oriented && i < count; i++) {
        int32_t *c = w->s->triangle[w->queue[i]];
        if (w->sense[w->queue[i]] != minority) continue;
        const int32_t swap = c[1];
        c[1] = c[2], c[2] = swap;
        o->turned++;
    }
    return oriented;
}

/* Volume by the divergence theorem; whether all of it can be seen from one side, as terrain can from above. */
static void measure(const tl_triangles *s, tl_orientation *o)
{
    tl_vec3 sum = {0, 0, 0};
    bool terrain = true;
    for (int t = 0; t < s->triangles; t++) {
        const tl_vec3 area = area_of(s, t);
        sum = tl_add(sum, area);
        o->volume += tl_dot(tl_sub(tl_load3(s->point[s->triangle[t][0]]), tl_load3(s->point[s->triangle[0][0]])), area) / 3;
    }
    for (int t = 0; t < s->triangles; t++) {
        const tl_vec3 area = area_of(s, t);
        terrain = terrain && tl_dot(area, sum) > 1e-9 * tl_norm(area) * tl_norm(sum);
    }
    o->terrain = terrain && tl_norm(sum) > 0;
}

talus_status tl_triangles_orient(tl_triangles *s, tl_orientation *o)
{
    const size_t sides = 3 * (size_t)s->triangles, room = sides > (size_t)s->points ? sides : (size_t)s->points;
    weaving w = {s,
                 calloc((size_t)s->points, sizeof *w.vertex),
                 calloc(sides, sizeof *w.sides),
                 calloc(sides, sizeof *w.mate),
                 calloc(sides, sizeof *w.same),
                 calloc((size_t)s->triangles, sizeof *w.sense),
                 calloc(room, sizeof *w.queue)};
    *o = (tl_orientation){.oriented = true};
    const bool enough = w.vertex && w.sides && w.mate && w.same && w.sense && w.queue;
    if (enough) {
        weld(&w);
        find_mates(&w, o);
        for (int t = 0; t < s->triangles; t++)
            if (w.sense[t] == 0 && !weave(&w, t, o)) o->oriented = false;
        measure(s, o);
    }
    void *const all[] = {w.vertex, w.sides, w.mate, w.same, w.sense, w.queue};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    return enough ? TALUS_OK : TALUS_MEMORY;
}

void tl_triangles_turn(tl_triangles *s)
{
    for (int t = 0; t < s->triangles; t++) {
        const int32_t swap = s->triangle[t][1];
        s->triangle[t][1] = s->triangle[t][2], s->triangle[t][2] = swap;
    }
}
