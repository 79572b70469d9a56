/* Closed surfaces (closed.h), over a tree of boxes. */
#include "scene/closed.h"

#include <stdlib.h>
#include <string.h>

#include "base/integers.h"

enum { DEEP = 64 };

static int corners_of(const tl_closed *s) { return s->dimension == 3 ? 3 : 2; }

/* ---- the tree ------------------------------------------------------------------------------------------------------- */

/* Makes it, with the box around all. */
static talus_status plant(tl_closed *s)
{
    const tl_memory memory = tl_memory_default();
    tl_vec3 *middle = tl_alloc(memory, (size_t)s->pieces, sizeof *middle);
    const talus_status status = middle ? tl_box_tree_reserve(&s->tree, memory, s->pieces) : TALUS_MEMORY;
    for (int i = 0; status == TALUS_OK && i < s->pieces; i++) {
        middle[i] = tl_load3(s->point[s->corner[i][0]]);
        s->tree.box[i] = (tl_box3){middle[i], middle[i]};
        for (int c = 1; c < corners_of(s); c++) {
            const tl_vec3 x = tl_load3(s->point[s->corner[i][c]]);
            s->tree.box[i] = tl_box3_join(&s->tree.box[i], &(tl_box3){x, x});
            middle[i] = tl_add(middle[i], x);
        }
    }
    if (status == TALUS_OK) {
        tl_box_tree_build(&s->tree, middle, s->pieces);
        tl_store3(s->low, s->tree.node[0].box.low), tl_store3(s->high, s->tree.node[0].box.high);
    }
    tl_free(memory, middle);
    return status;
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
    *out = (tl_closed){.dimension = dimension, .points = points, .pieces = pieces, .point = point, .corner = corner};
    TL_TRY(plant(out));
    out->size = size_of(out);
    return count_parts(out);
}

void tl_closed_free(tl_closed *s)
{
    tl_box_tree_free(&s->tree, tl_memory_default());
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
    const double far = (double)INFINITY;
    tl_box_walk walk = tl_box_walk_through(&s->tree, tl_v3(-far, y, s->dimension == 3 ? z : -far), tl_v3(far, y, s->dimension == 3 ? z : far));
    out->count = 0;
    for (int piece = tl_box_next(&walk); piece >= 0; piece = tl_box_next(&walk)) {
        double x;
        if (!meets(s, piece, y, z, &x)) continue;
        TL_TRY(tl_grow(tl_memory_default(), &out->x, &out->capacity, out->count + 1, sizeof *out->x));
        out->x[out->count++] = x;
    }
    if (out->count > 1) qsort(out->x, (size_t)out->count, sizeof *out->x, tl_rising);
    return TALUS_OK;
}

/* ---- the nearest point ---------------------------------------------------------------------------------------------- */

static tl_vec3 nearer(tl_vec3 x, tl_vec3 a, tl_vec3 b)
{
    const tl_vec3 to_a = tl_sub(a, x), to_b = tl_sub(b, x);
    return tl_dot(to_b, to_b) < tl_dot(to_a, to_a) ? b : a;
}

static tl_vec3 on_piece(const tl_closed *s, int piece, tl_vec3 x)
{
    const int32_t *corner = s->corner[piece];
    const tl_vec3 a = tl_load3(s->point[corner[0]]), b = tl_load3(s->point[corner[1]]);
    if (s->dimension == 2) return tl_on_side3(a, b, x);
    const tl_vec3 c = tl_load3(s->point[corner[2]]), n = tl_cross(tl_sub(b, a), tl_sub(c, a));
    const double size2 = tl_dot(n, n);
    const bool over = size2 > 0 && tl_dot(tl_cross(n, tl_sub(b, a)), tl_sub(x, a)) >= 0 && tl_dot(tl_cross(n, tl_sub(c, b)), tl_sub(x, b)) >= 0 &&
                      tl_dot(tl_cross(n, tl_sub(a, c)), tl_sub(x, c)) >= 0;
    if (over) return tl_sub(x, tl_scale(tl_dot(tl_sub(x, a), n) / size2, n));
    return nearer(x, nearer(x, tl_on_side3(a, b, x), tl_on_side3(b, c, x)), tl_on_side3(c, a, x));
}

tl_vec3 tl_closed_nearest(const tl_closed *s, tl_vec3 x)
{
    int stack[DEEP], depth = 0;
    double best = (double)INFINITY;
    tl_vec3 out = x;
    for (stack[depth++] = 0; depth > 0;) {
        const int number = stack[--depth];
        const tl_box_node *n = &s->tree.node[number];
        if (tl_box3_distance(&n->box, x) >= best) continue;
        for (int i = n->begin; i < n->begin + n->count; i++) {
            const tl_vec3 there = on_piece(s, s->tree.order[i], x);
            const double distance = tl_norm(tl_sub(there, x));
            if (distance < best) best = distance, out = there;
        }
        if (n->count > 0) continue;
        const bool first = tl_box3_distance(&s->tree.node[number + 1].box, x) <= tl_box3_distance(&s->tree.node[n->second].box, x);
        stack[depth++] = first ? n->second : number + 1;
        stack[depth++] = first ? number + 1 : n->second;
    }
    return out;
}
