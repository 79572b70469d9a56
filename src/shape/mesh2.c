/* Lines of edges in the plane: which edges follow one another, what is sharp, what is nearest. */
#include "shape/mesh2.h"

#include <stdlib.h>
#include <string.h>

static const double SHARP = 1e-10; /* sine between two edges: below it there is nothing between */

/* ---- corners ---------------------------------------------------------------------------------------------------------- */

static void bend_corner(const tl_mesh2 *m, tl_mesh_corner2 *c)
{
    const bool ends = c->in < 0 || c->out < 0;
    const tl_mesh_edge2 *in = &m->edge[c->in < 0 ? c->out : c->in], *out = &m->edge[c->out < 0 ? c->in : c->out];
    c->n[0] = c->in < 0 ? tl_scale2(-1, in->along) : in->n;
    c->n[1] = c->out < 0 ? out->along : out->n;
    c->sharp = ends || tl_cross2(c->n[0], c->n[1]) > SHARP || tl_dot2(c->n[0], c->n[1]) < -1 + SHARP; /* also a line folded back on itself */
}

/* How far the edge has turned against the way back along the edge that ends here, through the solid: from 0 to 4, rising with the angle. */
static double opening(tl_vec2 back, tl_vec2 along)
{
    const double turn = -tl_cross2(back, along), facing = tl_dot2(back, along);
    return turn >= 0 ? 1 - facing : 3 + facing;
}

/* By the vertex at its end. */
typedef struct ending {
    int vertex, edge;
} ending;

static int compare_endings(const void *a, const void *b)
{
    const ending *p = a, *q = b;
    return p->vertex != q->vertex ? (p->vertex > q->vertex) - (p->vertex < q->vertex) : p->edge - q->edge;
}

static void add_corner(tl_mesh2 *m, int vertex, int in, int out)
{
    if (in >= 0) m->edge[in].corner[1] = m->corners;
    if (out >= 0) m->edge[out].corner[0] = m->corners;
    m->corner[m->corners] = (tl_mesh_corner2){.vertex = vertex, .in = in, .out = out};
    bend_corner(m, &m->corner[m->corners++]);
}

/* Of the edges that begin at a vertex, the free one which with `in` bounds the narrowest piece of the solid; −1: none. */
static int follower(const tl_mesh2 *m, const ending *begin, int count, int in)
{
    const tl_vec2 back = tl_scale2(-1, m->edge[in].along);
    int best = -1;
    double least = (double)INFINITY;
    for (int i = 0; i < count; i++) {
        const tl_mesh_edge2 *e = &m->edge[begin[i].edge];
        const double open = opening(back, e->along);
        if (e->corner[0] < 0 && open < least) least = open, best = begin[i].edge;
    }
    return best;
}

static talus_status find_corners(tl_mesh2 *m, tl_memory memory)
{
    ending *begin = tl_alloc(memory, (size_t)m->edges, sizeof *begin), *end = tl_alloc(memory, (size_t)m->edges, sizeof *end);
    for (int i = 0; begin && end && i < m->edges; i++) begin[i] = (ending){m->edge[i].from, i}, end[i] = (ending){m->edge[i].to, i};
    if (begin && end) {
        qsort(begin, (size_t)m->edges, sizeof *begin, compare_endings);
        qsort(end, (size_t)m->edges, sizeof *end, compare_endings);
        for (int i = 0, at = 0; i < m->edges; i++) {
            int count = 0;
            while (at < m->edges && begin[at].vertex < end[i].vertex) at++;
            while (at + count < m->edges && begin[at + count].vertex == end[i].vertex) count++;
            add_corner(m, end[i].vertex, end[i].edge, follower(m, begin + at, count, end[i].edge));
        }
        for (int i = 0; i < m->edges; i++)
            if (m->edge[i].corner[0] < 0) add_corner(m, m->edge[i].from, -1, i);
    }
    tl_free(memory, begin);
    tl_free(memory, end);
    return begin && end ? TALUS_OK : TALUS_MEMORY;
}

/* ---- edges ------------------------------------------------------------------------------------------------------------ */

static tl_vec3 lifted(tl_vec2 x) { return tl_v3(x.x, x.y, 0); }

/* False: it has no length, and keeps its direction. */
static bool place_edge(tl_mesh2 *m, int i)
{
    tl_mesh_edge2 *e = &m->edge[i];
    const tl_vec2 p = m->vertex[e->from], q = m->vertex[e->to], d = tl_sub2(q, p);
    const double length = tl_norm2(d);
    m->tree.box[i] = tl_box3_join(&(tl_box3){lifted(p), lifted(p)}, &(tl_box3){lifted(q), lifted(q)});
    if (length > 0) e->along = tl_scale2(1 / length, d);
    e->n = tl_v2(e->along.y, -e->along.x);
    e->length = length, e->offset = tl_dot2(e->n, p);
    return length > 0;
}

int tl_mesh2_move(tl_mesh2 *m, const tl_vec2 *vertex)
{
    int flat = 0;
    memcpy(m->vertex, vertex, (size_t)m->vertices * sizeof *m->vertex);
    for (int i = 0; i < m->edges; i++) flat += !place_edge(m, i);
    for (int i = 0; i < m->corners; i++) bend_corner(m, &m->corner[i]);
    tl_box_tree_fit(&m->tree);
    return flat;
}

/* ---- what is nearest -------------------------------------------------------------------------------------------------- */

typedef struct nearest {
    tl_vec2 x;
    tl_mesh_foot2 foot;
    double facing; /* of the edge that faces the point most, of those that are nearest */
} nearest;

static tl_vec2 on_edge(const tl_mesh2 *m, int edge, tl_vec2 x)
{
    const tl_mesh_edge2 *e = &m->edge[edge];
    const tl_vec2 p = m->vertex[e->from];
    return tl_add2(p, tl_scale2(fmin(e->length, fmax(0, tl_dot2(e->along, tl_sub2(x, p)))), e->along));
}

/* Over a corner both edges are equally near, and only what they are together tells the side: the one that faces the point more does. */
static void look_at(const tl_mesh2 *m, int edge, nearest *best)
{
    const tl_mesh_edge2 *e = &m->edge[edge];
    const tl_vec2 at = on_edge(m, edge, best->x), d = tl_sub2(best->x, at);
    const double distance = tl_norm2(d), height = tl_dot2(e->n, d), facing = distance > 0 ? fabs(height) / distance : 1;
    const double grain = 1e-9 * (distance + tl_norm2(best->x));
    if (distance > best->foot.distance + grain || (distance > best->foot.distance - grain && facing <= best->facing)) return;
    best->facing = facing;
    best->foot = (tl_mesh_foot2){edge, at, fmin(distance, best->foot.distance), height};
}

static void search(const tl_mesh2 *m, int at, nearest *best)
{
    const tl_box_node *node = m->tree.node, *n = &node[at];
    const tl_vec3 x = lifted(best->x);
    if (tl_box3_distance(&n->box, x) > best->foot.distance * (1 + 1e-9)) return;
    for (int i = 0; i < n->count; i++) look_at(m, m->tree.order[n->begin + i], best);
    if (n->count > 0) return;
    const bool first = tl_box3_distance(&node[at + 1].box, x) <= tl_box3_distance(&node[n->second].box, x);
    search(m, first ? at + 1 : n->second, best);
    search(m, first ? n->second : at + 1, best);
}

tl_mesh_foot2 tl_mesh2_nearest(const tl_mesh2 *m, tl_vec2 x)
{
    nearest best = {.x = x, .foot = {.edge = -1, .at = x, .distance = (double)INFINITY}, .facing = -1};
    search(m, 0, &best);
    return best.foot;
}

int tl_mesh2_facets(const tl_mesh2 *m, tl_vec2 x, double within, tl_facet *out)
{
    const tl_vec3 rim = tl_v3(within, within, 0), at = lifted(x);
    tl_box_walk walk = tl_box_walk_through(&m->tree, tl_sub(at, rim), tl_add(at, rim));
    int count = 0;
    for (int i; count < TL_FACETS && (i = tl_box_next(&walk)) >= 0;) {
        if (tl_norm2(tl_sub2(on_edge(m, i, x), x)) > within) continue;
        const tl_mesh_edge2 *e = &m->edge[i];
        const tl_vec3 from = lifted(m->vertex[e->from]), to = lifted(m->vertex[e->to]);
        out[count++] = (tl_facet){lifted(e->n), from, 2, {from, to}};
    }
    return count;
}

/* ---- the whole -------------------------------------------------------------------------------------------------------- */

void tl_mesh2_destroy(tl_mesh2 *m, tl_memory memory)
{
    if (!m) return;
    tl_free(memory, m->vertex);
    tl_free(memory, m->presses);
    tl_free(memory, m->edge);
    tl_free(memory, m->corner);
    tl_box_tree_free(&m->tree, memory);
    tl_free(memory, m);
}

/* A corner for every end of an edge at most. */
static talus_status reserve(tl_mesh2 *m, tl_memory memory, const tl_edges2 *of)
{
    m->vertex = tl_alloc(memory, (size_t)of->points, sizeof *m->vertex);
    m->presses = tl_alloc(memory, (size_t)of->points, sizeof *m->presses);
    m->edge = tl_alloc(memory, (size_t)of->edges, sizeof *m->edge);
    m->corner = tl_alloc(memory, 2 * (size_t)of->edges, sizeof *m->corner);
    TL_TRY(tl_box_tree_reserve(&m->tree, memory, of->edges));
    return m->vertex && m->presses && m->edge && m->corner ? TALUS_OK : TALUS_MEMORY;
}

static talus_status take_edges(tl_mesh2 *m, const tl_edges2 *of, tl_error *error)
{
    for (int i = 0; i < of->points; i++) {
        if (!isfinite(of->point[i].x) || !isfinite(of->point[i].y)) return tl_fail(error, TALUS_INPUT, "point %d of an outline is not a number", i + 1);
        m->vertex[m->vertices++] = of->point[i];
    }
    for (int i = 0; i < of->edges; i++) {
        for (int k = 0; k < 2; k++)
            if (of->edge[i][k] < 0 || of->edge[i][k] >= of->points)
                return tl_fail(error, TALUS_INPUT, "edge %d of an outline ends at point %d; there are %d", i + 1, (int)of->edge[i][k] + 1, of->points);
        m->edge[m->edges++] = (tl_mesh_edge2){.from = of->edge[i][0], .to = of->edge[i][1], .corner = {-1, -1}};
        if (!place_edge(m, i)) return tl_fail(error, TALUS_INPUT, "edge %d of an outline has no length", i + 1);
    }
    return TALUS_OK;
}

static talus_status build_tree(tl_mesh2 *m, tl_memory memory)
{
    tl_vec3 *middle = tl_alloc(memory, (size_t)m->edges, sizeof *middle); /* twice that */
    if (!middle) return TALUS_MEMORY;
    for (int i = 0; i < m->edges; i++) middle[i] = lifted(tl_add2(m->vertex[m->edge[i].from], m->vertex[m->edge[i].to]));
    tl_box_tree_build(&m->tree, middle, m->edges);
    tl_free(memory, middle);
    return TALUS_OK;
}

static talus_status build(tl_mesh2 *m, tl_memory memory, const tl_edges2 *of, tl_error *error)
{
    talus_status status = reserve(m, memory, of);
    if (status == TALUS_OK) TL_TRY(take_edges(m, of, error));
    if (status == TALUS_OK) status = find_corners(m, memory);
    if (status == TALUS_OK) status = build_tree(m, memory);
    return status == TALUS_OK ? status : tl_fail(error, status, "no memory for an outline of %d edges", of->edges);
}

tl_mesh2 *tl_mesh2_create(tl_memory memory, const tl_edges2 *of, tl_error *error)
{
    if (of->edges < 1 || of->points < 2 || of->edges > TL_MESH_EDGES2 || of->points > 2 * TL_MESH_EDGES2) {
        tl_fail(error, TALUS_INPUT, "an outline has 1 to %d edges, and 2 points or more; not %d, and %d points", TL_MESH_EDGES2, of->edges, of->points);
        return NULL;
    }
    tl_mesh2 *m = tl_alloc(memory, 1, sizeof *m);
    if (!m) {
        tl_fail(error, TALUS_MEMORY, "no memory for an outline");
        return NULL;
    }
    if (build(m, memory, of, error) == TALUS_OK) return m;
    tl_mesh2_destroy(m, memory);
    return NULL;
}

size_t tl_mesh2_bytes(const tl_mesh2 *m)
{
    return sizeof *m + (size_t)m->vertices * (sizeof *m->vertex + sizeof *m->presses) + (size_t)m->edges * (sizeof *m->edge + 2 * sizeof *m->corner) +
           tl_box_tree_bytes(&m->tree);
}
