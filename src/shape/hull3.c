/* From points to a polyhedron: sort, weld, see that they span space, hull (raw3.c), make one face of what is nearly in one plane.
 *
 * Faces are kept as rings of half-edges. Joining two faces removes the edges between them; a corner that is then left with two faces
 * lies on the straight line between its neighbours, or in the plane of both faces, and goes; a face that is left with two corners
 * goes as well. So what comes out is closed whatever was joined, and it is checked against all points before it is handed on. */
#include "shape/hull3.h"

#include <stdlib.h>
#include <string.h>

typedef struct half {
    int next, prev, twin, origin, face;
    bool gone;
} half;

typedef struct hull {
    tl_memory memory;
    int points, halves, faces;
    tl_vec3 *point; /* sorted, welded, about the middle, of order 1 */
    tl_vec3 *given; /* the same points as they were given           */
    half *half;
    int *ring;    /* [faces] one half-edge of each, −1: joined to another            */
    int *order;   /* [halves] scratch for sorting                                    */
    int *degree;  /* [points] faces that meet in a point; later its number           */
    double grain; /* lengths below are zero, in units of `point`                     */
} hull;

/* ---- points -------------------------------------------------------------------------------------------------------- */

static int compare_points(const void *a, const void *b)
{
    const tl_vec3 *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    if (p->y != q->y) return p->y < q->y ? -1 : 1;
    return (p->z > q->z) - (p->z < q->z);
}

/* Sort, move to the middle of their box, scale by a power of two (exact), weld. INPUT when one is not finite. */
static talus_status prepare(hull *h, const tl_vec3 *points, int count, tl_error *error)
{
    tl_vec3 low = points[0], high = points[0];
    double far = 0;
    for (int i = 0; i < count; i++) {
        const tl_vec3 p = points[i];
        if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z)) return tl_fail(error, TALUS_INPUT, "corner %d of a shape is not a number", i + 1);
        h->given[i] = tl_v3(p.x + 0.0, p.y + 0.0, p.z + 0.0); /* −0 and 0 are one */
        low = tl_v3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = tl_v3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
        far = fmax(far, fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))));
    }
    const tl_vec3 extent = tl_scale(0.5, tl_sub(high, low)), middle = tl_add(low, extent);
    const double size = fmax(extent.x, fmax(extent.y, extent.z));
    const double rounding = 8 * 0x1p-53 * far; /* of the coordinates, with a margin for how they were made */
    if (!(far < 1e150)) return tl_fail(error, TALUS_INPUT, "the corners of a polyhedron are too far away");
    if (!(size > 1e-150)) return tl_fail(error, TALUS_INPUT, "the corners of a polyhedron coincide");
    if (rounding > 1e-3 * size && size > 0.5 * rounding)
        return tl_fail(error, TALUS_INPUT, "the corners of a polyhedron of size %g m are too far from its origin: their places are known to %g m", 2 * size,
                       rounding);
    int exponent;
    (void)frexp(size, &exponent);
    h->grain = fmax(2 * TL_HULL_GRAIN * ldexp(size, -exponent), ldexp(rounding, -exponent)); /* the size is 2 extents */
    qsort(h->given, (size_t)count, sizeof *h->given, compare_points);
    for (int i = 0; i < count; i++) {
        const tl_vec3 q = tl_sub(h->given[i], middle), p = tl_v3(ldexp(q.x, -exponent), ldexp(q.y, -exponent), ldexp(q.z, -exponent));
        bool seen = false;
        for (int k = h->points - 1; k >= 0 && !seen && p.x - h->point[k].x <= h->grain; k--) seen = tl_norm(tl_sub(p, h->point[k])) <= h->grain;
        if (seen) continue;
        h->given[h->points] = h->given[i];
        h->point[h->points++] = p;
    }
    return TALUS_OK;
}

/* The point farthest from points a, line a b or plane a b c: whatever of b and c is given (−1: not). */
static int farthest(const hull *h, int a, int b, int c, double *distance)
{
    int best = a;
    *distance = 0;
    const tl_vec3 o = h->point[a], u = b < 0 ? o : tl_normalize(tl_sub(h->point[b], o));
    const tl_vec3 n = c < 0 ? o : tl_normalize(tl_cross(u, tl_sub(h->point[c], o)));
    for (int i = 0; i < h->points; i++) {
        const tl_vec3 r = tl_sub(h->point[i], o);
        const double d = b < 0 ? tl_norm(r) : c < 0 ? tl_norm(tl_cross(u, r)) : fabs(tl_dot(n, r));
        if (d > *distance) *distance = d, best = i;
    }
    return best;
}

/* Do the points span space? Less than eight grains is flat: faces on both sides may be off by one or two. */
static talus_status spans(const hull *h, tl_error *error)
{
    double d;
    const int a = farthest(h, 0, -1, -1, &d), b = farthest(h, a, -1, -1, &d);
    if (d <= 8 * h->grain) return tl_fail(error, TALUS_INPUT, "the corners of a polyhedron coincide");
    const int c = farthest(h, a, b, -1, &d);
    if (d <= 8 * h->grain) return tl_fail(error, TALUS_INPUT, "the corners of a polyhedron lie on one line");
    farthest(h, a, b, c, &d);
    if (d <= 8 * h->grain) return tl_fail(error, TALUS_INPUT, "the corners of a polyhedron lie in one plane");
    return TALUS_OK;
}

/* ---- half-edges ---------------------------------------------------------------------------------------------------- */

static int compare_halves(const void *a, const void *b, void *context)
{
    const hull *h = context;
    const half *p = &h->half[*(const int *)a], *q = &h->half[*(const int *)b];
    const int pn = h->half[p->next].origin, qn = h->half[q->next].origin;
    const int p0 = p->origin < pn ? p->origin : pn, p1 = p->origin < pn ? pn : p->origin;
    const int q0 = q->origin < qn ? q->origin : qn, q1 = q->origin < qn ? qn : q->origin;
    if (p0 != q0) return p0 < q0 ? -1 : 1;
    return p1 != q1 ? (p1 < q1 ? -1 : 1) : (p->origin > q->origin) - (p->origin < q->origin);
}

/* Twice the area of a face times its normal (Newell), about its first corner. */
static tl_vec3 area_vector(const hull *h, int face)
{
    const int first = h->ring[face];
    const tl_vec3 o = h->point[h->half[first].origin];
    tl_vec3 sum = {0};
    for (int e = h->half[first].next; e != first; e = h->half[e].next) {
        const tl_vec3 p = tl_sub(h->point[h->half[e].origin], o), q = tl_sub(h->point[h->half[h->half[e].next].origin], o);
        sum = tl_add(sum, tl_cross(p, q));
    }
    return sum;
}

/* Rings of half-edges from lists of corners. False when an edge has not two faces of opposite sense. */
static bool connect(hull *h, const tl_raw3 *raw)
{
    double volume = 0;
    for (int f = 0; f < raw->faces; f++) {
        const int begin = raw->begin[f], n = raw->begin[f + 1] - begin;
        h->ring[f] = begin;
        for (int i = 0; i < n; i++) h->half[begin + i] = (half){begin + (i + 1) % n, begin + (i + n - 1) % n, -1, raw->corner[begin + i], f, false};
        volume += tl_dot(area_vector(h, f), h->point[raw->corner[begin]]);
    }
    for (int e = 0; volume < 0 && e < h->halves; e++) { /* all turned round: each starts where it ended */
        half *x = &h->half[e];
        const int next = x->next;
        x->origin = raw->corner[next];
        x->next = x->prev, x->prev = next;
    }
    for (int e = 0; e < h->halves; e++) h->order[e] = e;
    qsort_r(h->order, (size_t)h->halves, sizeof *h->order, compare_halves, h);
    for (int k = 0; k + 1 < h->halves; k += 2) {
        const int a = h->order[k], b = h->order[k + 1];
        const half *p = &h->half[a], *q = &h->half[b];
        if (p->origin != h->half[q->next].origin || q->origin != h->half[p->next].origin) return false;
        h->half[a].twin = b, h->half[b].twin = a;
    }
    return h->halves % 2 == 0;
}

/* ---- joining faces ------------------------------------------------------------------------------------------------- */

static bool near_plane(const hull *h, int face, tl_vec3 normal, double offset)
{
    int e = h->ring[face];
    do {
        if (fabs(tl_dot(normal, h->point[h->half[e].origin]) - offset) > h->grain) return false;
        e = h->half[e].next;
    } while (e != h->ring[face]);
    return true;
}

/* Would the faces f and g be one flat face? All points must be on or inside its plane too: two slivers along an edge are near to many planes. */
static bool flat_together(const hull *h, int f, int g)
{
    const tl_vec3 normal = tl_normalize(tl_add(area_vector(h, f), area_vector(h, g)));
    double sum = 0;
    int n = 0;
    for (int k = 0; k < 2; k++) {
        const int first = h->ring[k ? g : f];
        int e = first;
        do sum += tl_dot(normal, h->point[h->half[e].origin]), n++, e = h->half[e].next;
        while (e != first);
    }
    if (!(tl_dot(normal, normal) > 0) || !near_plane(h, f, normal, sum / n) || !near_plane(h, g, normal, sum / n)) return false;
    for (int i = 0; i < h->points; i++)
        if (tl_dot(normal, h->point[i]) - sum / n > h->grain) return false;
    return true;
}

/* Do f and g meet along one chain of edges and nowhere else, so that together they are a disk? */
static bool one_chain(const hull *h, int f, int g)
{
    int shared = 0, runs = 0, common = 0;
    int e = h->ring[f];
    do {
        const half *x = &h->half[e];
        const bool here = h->half[x->twin].face == g, before = h->half[h->half[x->prev].twin].face == g;
        shared += here, runs += here && !before;
        int k = h->ring[g];
        do common += h->half[k].origin == x->origin, k = h->half[k].next;
        while (k != h->ring[g]);
        e = x->next;
    } while (e != h->ring[f]);
    return runs == 1 && common == shared + 1;
}

static void cut(hull *h, int e) /* remove an edge: the rings on its sides become one, or a spike goes */
{
    const int t = h->half[e].twin;
    const half a = h->half[e], b = h->half[t];
    h->half[a.prev].next = b.next, h->half[b.next].prev = a.prev;
    h->half[b.prev].next = a.next, h->half[a.next].prev = b.prev;
    h->half[e].gone = h->half[t].gone = true;
}

/* Face g becomes part of f. */
static void join(hull *h, int f, int g)
{
    int keep = -1;
    int e = h->ring[f];
    do {
        if (h->half[h->half[e].twin].face != g) keep = e;
        e = h->half[e].next;
    } while (e != h->ring[f]);
    const int first = h->ring[g];
    for (e = h->half[first].next; e != first; e = h->half[e].next) h->half[e].face = f;
    h->half[first].face = f;
    h->ring[g] = -1;
    h->ring[f] = keep;
    for (e = 0; e < h->halves; e++)
        if (!h->half[e].gone && h->half[e].face == f && h->half[h->half[e].twin].face == f) cut(h, e);
}

static void join_flat(hull *h)
{
    bool again = true;
    while (again) {
        again = false;
        for (int k = 0; k < h->halves; k++) {
            const int e = h->order[k], t = h->half[e].twin;
            if (h->half[e].gone) continue;
            const int f = h->half[e].face, g = h->half[t].face;
            if (!flat_together(h, f, g) || !one_chain(h, f, g)) continue;
            join(h, f, g);
            again = true;
        }
    }
}

/* Corners of two faces and faces of two corners go. False when nothing would be left. */
static bool tidy(hull *h)
{
    bool again = true;
    while (again) {
        again = false;
        for (int e = 0; e < h->halves; e++) {
            half *x = &h->half[e];
            if (x->gone) continue;
            if (x->next == x->prev) { /* a face of two corners: its neighbours meet */
                const int other = x->next, a = x->twin, b = h->half[other].twin;
                if (a == other) return false;
                h->half[a].twin = b, h->half[b].twin = a;
                h->ring[x->face] = -1;
                x->gone = h->half[other].gone = again = true;
                continue;
            }
            const int before = x->prev, t = x->twin, after = h->half[t].next;
            if (h->half[before].twin != after) continue;
            x->origin = h->half[before].origin; /* before + e → e; t + after → t */
            x->prev = h->half[before].prev, h->half[x->prev].next = e;
            h->half[t].next = h->half[after].next, h->half[h->half[t].next].prev = t;
            h->half[before].gone = h->half[after].gone = again = true;
            h->ring[x->face] = e, h->ring[h->half[t].face] = t;
        }
    }
    return true;
}

/* ---- the result ---------------------------------------------------------------------------------------------------- */

/* Number what is left: corners in the order of the points; each ring starts at its smallest corner, faces are sorted by their corners. */
static int compare_rings(const void *a, const void *b, void *context)
{
    const hull *h = context;
    int p = *(const int *)a, q = *(const int *)b;
    while (h->half[p].origin == h->half[q].origin) { /* two faces share two corners at most in a row, so this ends */
        p = h->half[p].next, q = h->half[q].next;
        if (p == *(const int *)a || q == *(const int *)b) return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
    }
    return h->half[p].origin < h->half[q].origin ? -1 : 1;
}

static void number_faces(hull *h, tl_shape3 *shape)
{
    int faces = 0;
    for (int f = 0; f < h->faces; f++) {
        if (h->ring[f] < 0) continue;
        int best = h->ring[f];
        for (int e = h->half[best].next; e != h->ring[f]; e = h->half[e].next)
            if (h->half[e].origin < h->half[best].origin) best = e;
        h->ring[faces++] = best;
    }
    qsort_r(h->ring, (size_t)faces, sizeof *h->ring, compare_rings, h);
    shape->faces = faces;
    for (int f = 0; f < faces; f++) {
        int e = h->ring[f];
        do h->half[e].face = f, e = h->half[e].next;
        while (e != h->ring[f]);
    }
}

static int count_corners(hull *h)
{
    int n = 0;
    memset(h->degree, 0, (size_t)h->points * sizeof *h->degree);
    for (int e = 0; e < h->halves; e++)
        if (!h->half[e].gone) h->degree[h->half[e].origin]++;
    for (int i = 0; i < h->points; i++) h->degree[i] = h->degree[i] ? n++ : -1;
    return n;
}

/* The next address that begins a line of the cache. */
static void *next_line(void *p) { return (char *)p + (TL_LINE - (uintptr_t)p % TL_LINE) % TL_LINE; }

/* One block for all arrays, the most aligned first. No plane lies across two lines of the cache. */
static talus_status reserve(tl_shape3 *s, tl_memory memory, int halves, tl_error *error)
{
    const size_t p = (size_t)s->points, f = (size_t)s->faces, e = (size_t)s->edges, rows = 3 * (size_t)tl_fours(s->points), planes = (size_t)tl_fours(s->faces);
    char *block =
        tl_alloc(memory, 1,
                 p * sizeof *s->point + TL_LINE + rows * sizeof(double) + planes * sizeof *s->plane + e * sizeof *s->edge + (f + 1) * sizeof *s->face_begin +
                     (p + 1) * sizeof *s->around + (size_t)halves * (sizeof *s->side + sizeof *s->face_at + sizeof *s->edge_at + sizeof *s->corner));
    if (!block) return tl_fail(error, TALUS_MEMORY, "no memory for a shape");
    s->point = (tl_vec3 *)(void *)block;
    s->corner_rows = next_line(s->point + p);
    s->plane = (tl_plane3 *)(void *)(s->corner_rows + 3 * tl_fours(s->points));
    s->edge = (tl_edge3 *)(void *)(s->plane + planes);
    s->face_begin = (uint16_t *)(void *)(s->edge + e);
    s->side = s->face_begin + f + 1;
    s->around = s->side + halves;
    s->face_at = s->around + p + 1;
    s->edge_at = s->face_at + halves;
    s->corner = (uint8_t *)(s->edge_at + halves);
    return TALUS_OK;
}

static int compare_edges(const void *p, const void *q)
{
    const tl_edge3 *a = p, *b = q;
    return a->from != b->from ? a->from - b->from : a->to - b->to;
}

static void write_sides(tl_shape3 *s)
{
    for (int f = 0; f < s->faces; f++)
        for (int begin = s->face_begin[f], end = s->face_begin[f + 1], k = begin; k < end; k++) {
            const uint8_t p = s->corner[k], q = s->corner[k + 1 < end ? k + 1 : begin];
            const tl_edge3 wanted = {.from = p < q ? p : q, .to = p < q ? q : p};
            const tl_edge3 *edge = bsearch(&wanted, s->edge, (size_t)s->edges, sizeof *s->edge, compare_edges);
            s->side[k] = (uint16_t)(edge - s->edge);
        }
}

static void write_edges(hull *h, tl_shape3 *s)
{
    int n = 0;
    for (int e = 0; e < h->halves; e++) h->order[e] = e;
    qsort_r(h->order, (size_t)h->halves, sizeof *h->order, compare_halves, h);
    for (int k = 0; k < h->halves; k++) {
        const half *x = &h->half[h->order[k]];
        if (x->gone) continue;
        const half *t = &h->half[x->twin];
        const int from = h->degree[x->origin], to = h->degree[t->origin];
        if (from > to) continue;
        s->edge[n++] = (tl_edge3){(uint8_t)from, (uint8_t)to, (uint16_t)x->face, (uint16_t)t->face};
    }
}

/* What meets at each corner. Around a corner there are as many edges as faces. */
static void write_around(tl_shape3 *s)
{
    uint16_t *around = s->around;
    memset(around, 0, ((size_t)s->points + 1) * sizeof *around);
    for (int k = 0; k < s->face_begin[s->faces]; k++) around[s->corner[k]]++;
    for (int i = 0, sum = 0; i <= s->points; i++) sum += around[i], around[i] = (uint16_t)sum; /* ends; filling from behind moves them to the starts */
    for (int f = s->faces - 1; f >= 0; f--)
        for (int k = s->face_begin[f]; k < s->face_begin[f + 1]; k++) s->face_at[--around[s->corner[k]]] = (uint16_t)f;
    int filled[TL_HULL_POINTS] = {0};
    for (int e = 0; e < s->edges; e++) {
        const int p = s->edge[e].from, q = s->edge[e].to;
        s->edge_at[around[p] + filled[p]++] = s->edge_at[around[q] + filled[q]++] = (uint16_t)e;
    }
}

static talus_status emit(hull *h, tl_shape3 *s, tl_error *error)
{
    int halves = 0;
    for (int e = 0; e < h->halves; e++) halves += !h->half[e].gone;
    s->points = count_corners(h);
    if (s->points > TL_HULL_POINTS) return tl_fail(error, TALUS_INPUT, "a polyhedron has %d corners; the most is %d", s->points, TL_HULL_POINTS);
    number_faces(h, s);
    s->edges = halves / 2;
    TL_TRY(reserve(s, h->memory, halves, error));
    for (int i = 0; i < h->points; i++)
        if (h->degree[i] >= 0) s->point[h->degree[i]] = h->given[i];
    int n = 0;
    for (int f = 0; f < s->faces; f++) {
        int e = h->ring[f];
        s->face_begin[f] = (uint16_t)n;
        do s->corner[n++] = (uint8_t)h->degree[h->half[e].origin], e = h->half[e].next;
        while (e != h->ring[f]);
    }
    s->face_begin[s->faces] = (uint16_t)n;
    write_edges(h, s);
    write_sides(s);
    write_around(s);
    return TALUS_OK;
}

/* Is it a polyhedron, and is every point in it or as near to it as the joining allows? */
static bool sound(const hull *h)
{
    int faces = 0, halves = 0, corners = 0;
    for (int e = 0; e < h->halves; e++) halves += !h->half[e].gone;
    for (int i = 0; i < h->points; i++) corners += h->degree[i] >= 0;
    for (int f = 0; f < h->faces; f++) {
        if (h->ring[f] < 0) continue;
        faces++;
        const tl_vec3 normal = tl_normalize(area_vector(h, f));
        const tl_vec3 on = h->point[h->half[h->ring[f]].origin];
        if (!(tl_dot(normal, normal) > 0)) return false;
        for (int i = 0; i < h->points; i++)
            if (tl_dot(normal, tl_sub(h->point[i], on)) > 8 * h->grain) return false;
    }
    return corners >= 4 && corners - halves / 2 + faces == 2;
}

static talus_status polyhedron(hull *h, const tl_raw3 *raw, tl_shape3 *shape, tl_error *error)
{
    h->faces = raw->faces, h->halves = raw->corners;
    h->half = tl_alloc(h->memory, (size_t)h->halves, sizeof *h->half);
    h->ring = tl_alloc(h->memory, (size_t)h->faces, sizeof *h->ring);
    h->order = tl_alloc(h->memory, (size_t)h->halves, sizeof *h->order);
    h->degree = tl_alloc(h->memory, (size_t)h->points, sizeof *h->degree);
    if (!h->half || !h->ring || !h->order || !h->degree) return tl_fail(error, TALUS_MEMORY, "no memory for the convex hull of %d points", h->points);
    bool good = false;
    for (int attempt = 0; attempt < 3 && !good; attempt++) { /* where points are off a plane by just about a grain, slivers are left: eight grains take them */
        if (attempt) h->grain *= 8;
        good = connect(h, raw);
        if (good) join_flat(h), good = tidy(h);
        if (good) count_corners(h), good = sound(h);
    }
    if (!good) return tl_fail(error, TALUS_INPUT, "the corners of a polyhedron are too near to each other, to one line or to one plane to tell its faces");
    return emit(h, shape, error);
}

static talus_status build(hull *h, tl_raw3 *raw, tl_shape3 *shape, const tl_vec3 *points, int count, tl_error *error)
{
    h->point = tl_alloc(h->memory, (size_t)count, sizeof *h->point);
    h->given = tl_alloc(h->memory, (size_t)count, sizeof *h->given);
    if (!h->point || !h->given) return tl_fail(error, TALUS_MEMORY, "no memory for the convex hull of %d points", count);
    TL_TRY(prepare(h, points, count, error));
    TL_TRY(spans(h, error));
    TL_TRY(tl_raw3_hull(raw, h->memory, h->point, h->points, error));
    return polyhedron(h, raw, shape, error);
}

talus_status tl_hull3_build(tl_shape3 *shape, tl_memory memory, const tl_vec3 *points, int count, tl_error *error)
{
    hull h = {.memory = memory};
    tl_raw3 raw = {0};
    const talus_status status = build(&h, &raw, shape, points, count, error);
    tl_raw3_free(&raw, memory);
    tl_free(memory, h.point);
    tl_free(memory, h.given);
    tl_free(memory, h.half);
    tl_free(memory, h.ring);
    tl_free(memory, h.order);
    tl_free(memory, h.degree);
    return status;
}
