/* Closed surfaces (closed.h), over a tree of boxes. */
#include "scene/closed.h"

#include <stdlib.h>
#include <string.h>

#include "base/integers.h"

enum { LEAF = 4, DEEP = 64 };

static int corners_of(const tl_closed *s) { return s->dimension == 3 ? 3 : 2; }

/* ---- the tree ------------------------------------------------------------------------------------------------------- */

typedef struct middle {
    double at[3];
    int piece;
} middle;

static int along(const void *a, const void *b, void *axis)
{
    const middle *p = a, *q = b;
    const int k = *(const int *)axis;
    return p->at[k] != q->at[k] ? (p->at[k] > q->at[k]) - (p->at[k] < q->at[k]) : (p->piece > q->piece) - (p->piece < q->piece);
}

static void box_around(const tl_closed *s, const middle *list, int count, tl_closed_node *out)
{
    for (int k = 0; k < 3; k++) out->low[k] = (double)INFINITY, out->high[k] = -(double)INFINITY;
    for (int i = 0; i < count; i++)
        for (int c = 0; c < corners_of(s); c++) {
            const double *x = s->point[s->corner[list[i].piece][c]];
            for (int k = 0; k < 3; k++) out->low[k] = tl_smaller(out->low[k], x[k]), out->high[k] = tl_larger(out->high[k], x[k]);
        }
}

/* The tree of list[0 … count − 1], whose first node is the next; halves by number, so that it is as deep as it must be. */
static void build(tl_closed *s, middle *list, int begin, int count) /* NOLINT(misc-no-recursion): as deep as log₂ of the pieces */
{
    tl_closed_node *own = &s->node[s->nodes++];
    box_around(s, list, count, own);
    if (count <= LEAF) {
        own->begin = begin, own->count = count;
        for (int i = 0; i < count; i++) s->order[begin + i] = list[i].piece;
        return;
    }
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (own->high[k] - own->low[k] > own->high[axis] - own->low[axis]) axis = k;
    qsort_r(list, (size_t)count, sizeof *list, along, &axis);
    build(s, list, begin, count / 2);
    own->second = s->nodes;
    build(s, list + count / 2, begin + count / 2, count - count / 2);
}

/* Volume by the divergence theorem. */
static double size_of(const tl_closed *s)
{
    const tl_vec3 origin = tl_load3(s->point[s->corner[0][0]]);
    double sum = 0;
    for (int i = 0; i < s->pieces; i++) {
        const tl_vec3 a = tl_sub(tl_load3(s->point[s->corner[i][0]]), origin), b = tl_sub(tl_load3(s->point[s->corner[i][1]]), origin);
        if (s->dimension == 2) sum += 0.5 * (a.x * b.y - a.y * b.x);
        else sum += tl_dot(a, tl_cross(b, tl_sub(tl_load3(s->point[s->corner[i][2]]), origin))) / 6;
    }
    return fabs(sum);
}

static bool is_same(const double a[3], const double b[3]) { return a[0] == b[0] && a[1] == b[1] && a[2] == b[2]; }

static int by_place(const void *a, const void *b, void *points)
{
    const double(*point)[3] = points;
    const int i = *(const int *)a, j = *(const int *)b;
    for (int k = 0; k < 3; k++)
        if (point[i][k] != point[j][k]) return point[i][k] < point[j][k] ? -1 : 1;
    return (i > j) - (i < j);
}

talus_status tl_closed_weld(const tl_closed *s, int *first)
{
    void *points = (void *)(uintptr_t)s->point;
    int *order = malloc(((size_t)s->points + 1) * sizeof *order);
    for (int i = 0; order && i < s->points; i++) order[i] = i;
    if (order) qsort_r(order, (size_t)s->points, sizeof *order, by_place, points);
    for (int i = 0, begin = 0; order && i < s->points; i++) {
        if (!is_same(s->point[order[begin]], s->point[order[i]])) begin = i;
        first[order[i]] = order[begin];
    }
    free(order);
    return order ? TALUS_OK : TALUS_MEMORY;
}

/* How many parts share no point. */
static talus_status count_parts(tl_closed *s)
{
    const size_t room = (size_t)s->points + 1;
    int *first = malloc(room * sizeof *first), *parent = malloc(room * sizeof *parent);
    bool *seen = calloc(room, sizeof *seen);
    const talus_status status = first && parent && seen ? tl_closed_weld(s, first) : TALUS_MEMORY;
    for (int i = 0; status == TALUS_OK && i < s->points; i++) parent[i] = i;
    for (int i = 0; status == TALUS_OK && i < s->pieces; i++)
        for (int c = 1; c < corners_of(s); c++) (void)tl_join(parent, first[s->corner[i][0]], first[s->corner[i][c]]);
    for (int i = 0; status == TALUS_OK && i < s->pieces; i++) {
        bool *own = &seen[tl_root_of(parent, first[s->corner[i][0]])];
        s->parts += !*own, *own = true;
    }
    free(first), free(parent), free(seen);
    return status;
}

talus_status tl_closed_create(int dimension, const double (*point)[3], int points, const int32_t (*corner)[3], int pieces, tl_closed *out)
{
    const size_t n = (size_t)pieces + 1;
    middle *list = malloc(n * sizeof *list);
    *out = (tl_closed){.dimension = dimension, .points = points, .pieces = pieces, .point = point, .corner = corner};
    out->order = malloc(n * sizeof *out->order);
    out->node = calloc(2 * n, sizeof *out->node);
    const bool room = list && out->order && out->node;
    for (int i = 0; room && i < pieces; i++) {
        list[i] = (middle){.piece = i};
        for (int c = 0; c < corners_of(out); c++)
            for (int k = 0; k < 3; k++) list[i].at[k] += point[corner[i][c]][k];
    }
    if (room) {
        build(out, list, 0, pieces);
        memcpy(out->low, out->node[0].low, sizeof out->low);
        memcpy(out->high, out->node[0].high, sizeof out->high);
        out->size = size_of(out);
    }
    free(list);
    return room ? count_parts(out) : TALUS_MEMORY;
}

void tl_closed_free(tl_closed *s)
{
    free(s->order), free(s->node);
    *s = (tl_closed){.dimension = s->dimension};
}

/* ---- lines ---------------------------------------------------------------------------------------------------------- */

/* Of the plane x = 0: does the side from a to b lie beyond (y, z) along y? Whichever way the side runs the answer is the same to the bit, so that triangles
 * which share it leave no gap and no overlap between them. */
static bool is_beyond(const double *a, const double *b, double y, double z)
{
    if ((a[2] > z) == (b[2] > z)) return false;
    const double *low = a[2] < b[2] ? a : b, *high = low == a ? b : a;
    return low[1] + (z - low[2]) * ((high[1] - low[1]) / (high[2] - low[2])) > y;
}

/* Does the line meet a piece, and at which x? */
static bool meets(const tl_closed *s, int piece, double y, double z, double *x)
{
    const double *a = s->point[s->corner[piece][0]], *b = s->point[s->corner[piece][1]];
    if (s->dimension == 2) {
        if ((a[1] > y) == (b[1] > y)) return false;
        *x = a[0] + (y - a[1]) * ((b[0] - a[0]) / (b[1] - a[1]));
        return true;
    }
    const double *c = s->point[s->corner[piece][2]];
    if ((is_beyond(a, b, y, z) + is_beyond(b, c, y, z) + is_beyond(c, a, y, z)) % 2 == 0) return false;
    const tl_vec3 n = tl_cross(tl_sub(tl_load3(b), tl_load3(a)), tl_sub(tl_load3(c), tl_load3(a)));
    const double least = tl_smaller(a[0], tl_smaller(b[0], c[0])), most = tl_larger(a[0], tl_larger(b[0], c[0]));
    *x = n.x != 0 ? a[0] - (n.y * (y - a[1]) + n.z * (z - a[2])) / n.x : least;
    *x = tl_larger(least, tl_smaller(most, *x));
    return true;
}

talus_status tl_closed_cross(const tl_closed *s, double y, double z, tl_crossings *out)
{
    int stack[DEEP], depth = 0;
    out->count = 0;
    for (stack[depth++] = 0; depth > 0;) {
        const int at = stack[--depth];
        const tl_closed_node *n = &s->node[at];
        if (y < n->low[1] || y > n->high[1] || (s->dimension == 3 && (z < n->low[2] || z > n->high[2]))) continue;
        for (int i = n->begin; i < n->begin + n->count; i++) {
            double x;
            if (!meets(s, s->order[i], y, z, &x)) continue;
            TL_TRY(tl_grow(tl_memory_default(), &out->x, &out->capacity, out->count + 1, sizeof *out->x));
            out->x[out->count++] = x;
        }
        if (n->count == 0) stack[depth++] = n->second, stack[depth++] = at + 1;
    }
    if (out->count > 1) qsort(out->x, (size_t)out->count, sizeof *out->x, tl_rising);
    return TALUS_OK;
}

/* ---- the nearest point ---------------------------------------------------------------------------------------------- */

static tl_vec3 on_side(tl_vec3 a, tl_vec3 b, tl_vec3 x)
{
    const tl_vec3 d = tl_sub(b, a);
    const double length2 = tl_dot(d, d), t = length2 > 0 ? tl_dot(tl_sub(x, a), d) / length2 : 0;
    return t <= 0 ? a : t >= 1 ? b : tl_add(a, tl_scale(t, d));
}

static tl_vec3 nearer(tl_vec3 x, tl_vec3 a, tl_vec3 b)
{
    const tl_vec3 to_a = tl_sub(a, x), to_b = tl_sub(b, x);
    return tl_dot(to_b, to_b) < tl_dot(to_a, to_a) ? b : a;
}

static tl_vec3 on_piece(const tl_closed *s, int piece, tl_vec3 x)
{
    const int32_t *corner = s->corner[piece];
    const tl_vec3 a = tl_load3(s->point[corner[0]]), b = tl_load3(s->point[corner[1]]);
    if (s->dimension == 2) return on_side(a, b, x);
    const tl_vec3 c = tl_load3(s->point[corner[2]]), n = tl_cross(tl_sub(b, a), tl_sub(c, a));
    const double size2 = tl_dot(n, n);
    const bool over = size2 > 0 && tl_dot(tl_cross(n, tl_sub(b, a)), tl_sub(x, a)) >= 0 && tl_dot(tl_cross(n, tl_sub(c, b)), tl_sub(x, b)) >= 0 &&
                      tl_dot(tl_cross(n, tl_sub(a, c)), tl_sub(x, c)) >= 0;
    if (over) return tl_sub(x, tl_scale(tl_dot(tl_sub(x, a), n) / size2, n));
    return nearer(x, nearer(x, on_side(a, b, x), on_side(b, c, x)), on_side(c, a, x));
}

static double distance2_of_box(const tl_closed_node *n, const double x[3])
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        const double away = x[k] < n->low[k] ? n->low[k] - x[k] : x[k] > n->high[k] ? x[k] - n->high[k] : 0;
        sum += away * away;
    }
    return sum;
}

tl_vec3 tl_closed_nearest(const tl_closed *s, tl_vec3 x)
{
    int stack[DEEP], depth = 0;
    double at[3], best = (double)INFINITY;
    tl_vec3 out = x;
    tl_store3(at, x);
    for (stack[depth++] = 0; depth > 0;) {
        const int number = stack[--depth];
        const tl_closed_node *n = &s->node[number];
        if (distance2_of_box(n, at) >= best) continue;
        for (int i = n->begin; i < n->begin + n->count; i++) {
            const tl_vec3 there = on_piece(s, s->order[i], x), away = tl_sub(there, x);
            const double distance2 = tl_dot(away, away);
            if (distance2 < best) best = distance2, out = there;
        }
        if (n->count > 0) continue;
        const bool first = distance2_of_box(&s->node[number + 1], at) <= distance2_of_box(&s->node[n->second], at);
        stack[depth++] = first ? n->second : number + 1;
        stack[depth++] = first ? number + 1 : n->second;
    }
    return out;
}
