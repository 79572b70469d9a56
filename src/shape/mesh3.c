/* Surfaces of triangles: welding, neighbours across edges, what is sharp, and a tree of boxes. */
#include "shape/mesh3.h"

#include <stdlib.h>
#include <string.h>

#include "base/integers.h"

static const double NO_AREA = 1e-12; /* height by length of a triangle that is none                   */
static const double SHARP = 1e-10;   /* sine between two triangles: below it there is nothing between */
static const double ONE_PLANE = 1e-6;

/* ---- vertices ------------------------------------------------------------------------------------------------------ */

static int compare_points(const void *a, const void *b, void *context)
{
    const tl_vec3 *points = context;
    const int i = *(const int32_t *)a, j = *(const int32_t *)b;
    const tl_vec3 *p = &points[i], *q = &points[j];
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    if (p->y != q->y) return p->y < q->y ? -1 : 1;
    if (p->z != q->z) return p->z < q->z ? -1 : 1;
    return i - j;
}

static bool same(tl_vec3 a, tl_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/* now[i]: the vertex that point i became. */
static talus_status weld(tl_mesh3 *m, tl_memory memory, const tl_vec3 *points, int count, int32_t *now)
{
    int32_t *order = tl_alloc(memory, (size_t)count, sizeof *order);
    if (!order) return TALUS_MEMORY;
    for (int i = 0; i < count; i++) order[i] = i;
    qsort_r(order, (size_t)count, sizeof *order, compare_points, (void *)(uintptr_t)points);
    for (int i = 0; i < count; i++) now[order[i]] = i > 0 && same(points[order[i]], points[order[i - 1]]) ? now[order[i - 1]] : order[i];
    for (int i = 0; i < count; i++) { /* now[i] ≤ i is the first of the equal points, and has its number already */
        if (now[i] == i) m->vertex[m->vertices] = points[i], now[i] = m->vertices++;
        else now[i] = now[now[i]];
    }
    tl_free(memory, order);
    return TALUS_OK;
}

/* ---- triangles ----------------------------------------------------------------------------------------------------- */

static double largest(tl_vec3 v) { return fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z))); }

/* The unit normal, about the corner between the two shorter sides; zero where there is no area. */
static tl_vec3 normal_of(const tl_vec3 p[3])
{
    double length[3], most = 0;
    int at = 0;
    for (int k = 0; k < 3; k++) {
        const tl_vec3 d = tl_sub(p[(k + 2) % 3], p[(k + 1) % 3]);
        length[k] = largest(d);
        if (length[k] > most) most = length[k], at = k;
    }
    if (!(most > 0)) return tl_v3(0, 0, 0);
    const tl_vec3 a = tl_scale(1 / most, tl_sub(p[(at + 1) % 3], p[at])), b = tl_scale(1 / most, tl_sub(p[(at + 2) % 3], p[at])), n = tl_cross(a, b);
    return largest(n) > NO_AREA ? tl_normalize(tl_scale(1 / largest(n), n)) : tl_v3(0, 0, 0);
}

static talus_status take_triangles(tl_mesh3 *m, const int32_t (*triangles)[3], int count, int points, const int32_t *now, tl_error *error)
{
    for (int t = 0; t < count; t++) {
        int32_t *c = m->corner[m->triangles];
        tl_vec3 p[3];
        for (int k = 0; k < 3; k++) {
            if (triangles[t][k] < 0 || triangles[t][k] >= points)
                return tl_fail(error, TALUS_INPUT, "triangle %d of a mesh has the corner %d; there are %d points", t + 1, (int)triangles[t][k] + 1, points);
            c[k] = now[triangles[t][k]];
            p[k] = m->vertex[c[k]];
        }
        const tl_vec3 n = normal_of(p);
        if (!(tl_dot(n, n) > 0)) continue;
        m->normal[m->triangles] = n;
        m->offset[m->triangles++] = tl_dot(n, p[0]);
    }
    return m->triangles > 0 ? TALUS_OK : tl_fail(error, TALUS_INPUT, "a mesh has no triangle that has an area");
}

/* ---- edges --------------------------------------------------------------------------------------------------------- */

static int compare_sides(const void *a, const void *b, void *context)
{
    const tl_mesh3 *m = context;
    int32_t end[2][2];
    const int32_t side[2] = {*(const int32_t *)a, *(const int32_t *)b};
    for (int i = 0; i < 2; i++) {
        const int32_t *c = m->corner[side[i] / 3], p = c[side[i] % 3], q = c[(side[i] % 3 + 1) % 3];
        end[i][0] = p < q ? p : q, end[i][1] = p < q ? q : p;
    }
    if (end[0][0] != end[1][0]) return end[0][0] < end[1][0] ? -1 : 1;
    if (end[0][1] != end[1][1]) return end[0][1] < end[1][1] ? -1 : 1;
    return side[0] - side[1];
}

/* Normals on both sides of an edge, and whether it is sharp; true: its triangles lie in one plane. */
static bool bend_edge(const tl_mesh3 *m, tl_mesh_edge3 *e)
{
    const tl_vec3 along = tl_normalize(tl_sub(m->vertex[e->to], m->vertex[e->from]));
    e->n[0] = m->normal[e->left];
    e->n[1] = e->right < 0 ? tl_normalize(tl_cross(along, m->normal[e->left])) : m->normal[e->right];
    const double rise = tl_dot(tl_cross(e->n[0], e->n[1]), along), facing = tl_dot(e->n[0], e->n[1]);
    e->sharp = rise > SHARP || facing < -1 + SHARP; /* also a sheet folded back on itself */
    return e->right >= 0 && fabs(rise) < ONE_PLANE && facing > 0;
}

/* A new edge along side `a`; with side `b` on its right, −1: a border. */
static void add_edge(tl_mesh3 *m, int32_t a, int32_t b)
{
    const int t = a / 3, k = a % 3, u = b < 0 ? -1 : b / 3;
    tl_mesh_edge3 *e = &m->edge[m->edges];
    *e = (tl_mesh_edge3){.from = m->corner[t][k], .to = m->corner[t][(k + 1) % 3], .left = t, .right = u};
    if (bend_edge(m, e)) (void)tl_join(m->region, t, u);
    m->side[t][k] = m->edges;
    if (u >= 0) m->side[u][b % 3] = m->edges;
    m->edges++;
}

/* Sides that meet in twos and run opposite ways are an edge; all others are borders (of several along one line, each covers the others). */
static talus_status find_edges(tl_mesh3 *m, tl_memory memory)
{
    const int sides = 3 * m->triangles;
    int32_t *order = tl_alloc(memory, (size_t)sides, sizeof *order);
    if (!order) return TALUS_MEMORY;
    for (int i = 0; i < sides; i++) order[i] = i;
    for (int t = 0; t < m->triangles; t++) m->region[t] = t;
    qsort_r(order, (size_t)sides, sizeof *order, compare_sides, m);
    for (int i = 0, next; i < sides; i = next) {
        const int32_t a = order[i], p = m->corner[a / 3][a % 3], q = m->corner[a / 3][(a % 3 + 1) % 3];
        int32_t b = -1;
        bool opposite = false;
        for (next = i + 1; next < sides; next++) {
            b = order[next];
            const int32_t r = m->corner[b / 3][b % 3], s = m->corner[b / 3][(b % 3 + 1) % 3];
            if (!(r == p && s == q) && !(r == q && s == p)) break;
            opposite = r == q;
        }
        if (next == i + 2 && opposite) add_edge(m, a, order[i + 1]);
        else
            for (int k = i; k < next; k++) add_edge(m, order[k], -1);
    }
    tl_find_roots(m->region, m->triangles);
    tl_free(memory, order);
    return TALUS_OK;
}

static void mark_peaks(tl_mesh3 *m)
{
    memset(m->peak, 0, (size_t)m->vertices * sizeof *m->peak);
    for (int e = 0; e < m->edges; e++) {
        const int ends[2] = {m->edge[e].from, m->edge[e].to};
        for (int k = 0; k < 2; k++) {
            if (m->edge[e].right < 0) m->peak[ends[k]] = 2;
            else if (m->edge[e].sharp && !m->peak[ends[k]]) m->peak[ends[k]] = 1;
        }
    }
}

static void find_peaks(tl_mesh3 *m)
{
    for (int v = 0; v < m->vertices; v++) m->owner[v] = -1;
    for (int t = m->triangles - 1; t >= 0; t--)
        for (int k = 0; k < 3; k++) m->owner[m->corner[t][k]] = t;
    for (int e = 0; e < m->edges; e++) {
        const int ends[2] = {m->edge[e].from, m->edge[e].to};
        for (int k = 0; k < 2; k++) m->spoke_begin[ends[k] + 1]++;
    }
    mark_peaks(m);
    for (int v = 0; v < m->vertices; v++) m->spoke_begin[v + 1] += m->spoke_begin[v];
    for (int e = m->edges - 1; e >= 0; e--) { /* ends first; filling moves them to the starts */
        m->spoke[--m->spoke_begin[m->edge[e].from + 1]] = e;
        m->spoke[--m->spoke_begin[m->edge[e].to + 1]] = e;
    }
    /* spoke_begin[v + 1] is now where v begins */
    memmove(m->spoke_begin, m->spoke_begin + 1, (size_t)m->vertices * sizeof *m->spoke_begin);
    m->spoke_begin[m->vertices] = 2 * m->edges;
}

/* ---- tree ---------------------------------------------------------------------------------------------------------- */

static void set_boxes(tl_mesh3 *m)
{
    for (int t = 0; t < m->triangles; t++) {
        tl_box3 box = {m->vertex[m->corner[t][0]], m->vertex[m->corner[t][0]]};
        for (int k = 1; k < 3; k++) {
            const tl_vec3 p = m->vertex[m->corner[t][k]];
            box = tl_box3_join(&box, &(tl_box3){p, p});
        }
        m->tree.box[t] = box;
    }
}

static talus_status build_tree(tl_mesh3 *m, tl_memory memory)
{
    tl_vec3 *middle = tl_alloc(memory, (size_t)m->triangles, sizeof *middle); /* three times that */
    if (!middle) return TALUS_MEMORY;
    for (int t = 0; t < m->triangles; t++) {
        const int32_t *c = m->corner[t];
        middle[t] = tl_add(tl_add(m->vertex[c[0]], m->vertex[c[1]]), m->vertex[c[2]]);
    }
    set_boxes(m);
    tl_box_tree_build(&m->tree, middle, m->triangles);
    tl_free(memory, middle);
    return TALUS_OK;
}

/* ---- moving ---------------------------------------------------------------------------------------------------------- */

int tl_mesh3_move(tl_mesh3 *m, const tl_vec3 *vertex)
{
    int flat = 0;
    memcpy(m->vertex, vertex, (size_t)m->vertices * sizeof *m->vertex);
    for (int t = 0; t < m->triangles; t++) {
        const tl_vec3 p[3] = {m->vertex[m->corner[t][0]], m->vertex[m->corner[t][1]], m->vertex[m->corner[t][2]]}, n = normal_of(p);
        if (tl_dot(n, n) > 0) m->normal[t] = n;
        else flat++;
        m->offset[t] = tl_dot(m->normal[t], p[0]);
    }
    for (int e = 0; e < m->edges; e++) (void)bend_edge(m, &m->edge[e]);
    mark_peaks(m);
    set_boxes(m);
    tl_box_tree_fit(&m->tree);
    return flat;
}

/* ---- the whole ----------------------------------------------------------------------------------------------------- */

enum { ARRAYS = 12 };

static void list_arrays(tl_mesh3 *m, void *list[ARRAYS])
{
    void *const all[ARRAYS] = {m->vertex, m->corner, m->side, m->normal,      m->offset, m->region,
                               m->edge,   m->owner,  m->peak, m->spoke_begin, m->spoke,  m->presses};
    memcpy(list, all, sizeof all);
}

void tl_mesh3_destroy(tl_mesh3 *m, tl_memory memory)
{
    void *list[ARRAYS];
    if (!m) return;
    list_arrays(m, list);
    for (int i = 0; i < ARRAYS; i++) tl_free(memory, list[i]);
    tl_box_tree_free(&m->tree, memory);
    tl_free(memory, m);
}

/* Room for `v` vertices and `t` triangles: 3 t edges at most. */
static bool reserve(tl_mesh3 *m, tl_memory memory, size_t v, size_t t)
{
    void *list[ARRAYS];
    m->vertex = tl_alloc(memory, v, sizeof *m->vertex);
    m->corner = tl_alloc(memory, t, sizeof *m->corner);
    m->side = tl_alloc(memory, t, sizeof *m->side);
    m->normal = tl_alloc(memory, t, sizeof *m->normal);
    m->offset = tl_alloc(memory, t, sizeof *m->offset);
    m->region = tl_alloc(memory, t, sizeof *m->region);
    m->edge = tl_alloc(memory, 3 * t, sizeof *m->edge);
    m->owner = tl_alloc(memory, v, sizeof *m->owner);
    m->peak = tl_alloc(memory, v, sizeof *m->peak);
    m->presses = tl_alloc(memory, v, sizeof *m->presses);
    m->spoke_begin = tl_alloc(memory, v + 1, sizeof *m->spoke_begin);
    m->spoke = tl_alloc(memory, 6 * t, sizeof *m->spoke);
    list_arrays(m, list);
    for (int i = 0; i < ARRAYS; i++)
        if (!list[i]) return false;
    return tl_box_tree_reserve(&m->tree, memory, (int)t) == TALUS_OK;
}

static talus_status build(tl_mesh3 *m, tl_memory memory, const tl_triangles3 *of, tl_error *error)
{
    const tl_vec3 *points = of->point;
    const int count = of->points, triangle_count = of->triangles;
    for (int i = 0; i < count; i++)
        if (!isfinite(points[i].x) || !isfinite(points[i].y) || !isfinite(points[i].z))
            return tl_fail(error, TALUS_INPUT, "point %d of a mesh is not a number", i + 1);
    int32_t *now = tl_alloc(memory, (size_t)count, sizeof *now);
    talus_status status = now && reserve(m, memory, (size_t)count, (size_t)triangle_count) ? weld(m, memory, points, count, now) : TALUS_MEMORY;
    if (status == TALUS_OK) status = take_triangles(m, of->triangle, triangle_count, count, now, error);
    if (status == TALUS_OK) status = find_edges(m, memory);
    tl_free(memory, now);
    if (status == TALUS_OK) status = build_tree(m, memory);
    if (status == TALUS_MEMORY) return tl_fail(error, status, "no memory for a mesh of %d triangles", triangle_count);
    if (status != TALUS_OK) return status;
    find_peaks(m);
    return TALUS_OK;
}

tl_mesh3 *tl_mesh3_create(tl_memory memory, const tl_triangles3 *of, tl_error *error)
{
    const int count = of->points, triangle_count = of->triangles;
    if (count < 3 || triangle_count < 1 || triangle_count > TL_MESH_TRIANGLES || count > 3 * TL_MESH_TRIANGLES) {
        tl_fail(error, TALUS_INPUT, "a mesh has 1 to %d triangles, and 3 points or more; not %d, and %d points", TL_MESH_TRIANGLES, triangle_count, count);
        return NULL;
    }
    tl_mesh3 *m = tl_alloc(memory, 1, sizeof *m);
    if (!m) {
        tl_fail(error, TALUS_MEMORY, "no memory for a mesh");
        return NULL;
    }
    if (build(m, memory, of, error) == TALUS_OK) return m;
    tl_mesh3_destroy(m, memory);
    return NULL;
}

size_t tl_mesh3_bytes(const tl_mesh3 *m)
{
    const size_t v = (size_t)m->vertices, t = (size_t)m->triangles;
    return sizeof *m + v * (sizeof *m->vertex + sizeof *m->owner + sizeof *m->peak + sizeof *m->presses + sizeof *m->spoke_begin) +
           t * (sizeof *m->corner + sizeof *m->side + sizeof *m->normal + sizeof *m->offset + sizeof *m->region + 3 * sizeof *m->edge + 6 * sizeof *m->spoke) +
           tl_box_tree_bytes(&m->tree);
}
