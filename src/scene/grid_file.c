/* A mesh of Gmsh as one of finite elements: the elements of the scene's dimension with the nodes that they have, and what its names stand for in these. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "scene/gmsh.h"
#include "scene/grid.h"

typedef struct transfer {
    const tl_gmsh *from;
    tl_grid *to;
    tl_arena *arena;
    int *node_of, *element_of; /* [of the file] number in the grid, −1: it is not in it */
} transfer;

static int kind_of_gmsh(int type)
{
    talus_element kind;
    for (int i = 0; talus_element_get(i, &kind); i++)
        if (kind.gmsh == type) return i;
    return -1;
}

/* Which elements and nodes there will be; how many nodes all elements have together. */
static talus_status number(transfer *t, int *all, tl_error *error)
{
    const tl_gmsh *m = t->from;
    int nodes;
    const char *name = "";
    *all = 0;
    for (int i = 0; i < m->nodes; i++) t->node_of[i] = -1;
    for (int e = 0; e < m->elements; e++) {
        t->element_of[e] = -1;
        if (tl_gmsh_type(m->type[e], &nodes, &name) != t->to->dimension) continue;
        if (kind_of_gmsh(m->type[e]) < 0)
            return tl_fail(error, TALUS_INPUT,
                           "element %lld is a %s, of which solids cannot be made; make first-order elements, triangles or tetrahedra of second order",
                           m->tag[e], name);
        t->element_of[e] = t->to->elements++;
        for (int k = m->begin[e]; k < m->begin[e + 1]; k++) {
            t->node_of[m->node[k]] = 0;
            for (int i = m->begin[e]; i < k; i++)
                if (m->node[i] == m->node[k]) return tl_fail(error, TALUS_INPUT, "element %lld has one node twice", m->tag[e]);
        }
        *all += m->begin[e + 1] - m->begin[e];
    }
    for (int i = 0; i < m->nodes; i++)
        if (t->node_of[i] == 0) t->node_of[i] = t->to->nodes++;
    return TALUS_OK;
}

static talus_status put_elements(transfer *t, int all, tl_error *error)
{
    const tl_gmsh *m = t->from;
    tl_grid *g = t->to;
    const int tetrahedron10 = talus_element_find("tetrahedron10");
    g->x = tl_arena_alloc(t->arena, (size_t)g->nodes, sizeof *g->x);
    g->kind = tl_arena_alloc(t->arena, (size_t)g->elements, sizeof *g->kind);
    g->begin = tl_arena_alloc(t->arena, (size_t)g->elements + 1, sizeof *g->begin);
    g->tag = tl_arena_alloc(t->arena, (size_t)g->elements, sizeof *g->tag);
    g->node = tl_arena_alloc(t->arena, (size_t)all, sizeof *g->node);
    if (!g->x || !g->kind || !g->begin || !g->tag || !g->node) return tl_fail(error, TALUS_MEMORY, "no memory for a mesh");
    int at = 0;
    for (int e = 0; e < m->elements; e++) {
        const int to = t->element_of[e];
        if (to < 0) continue;
        g->begin[to] = at, g->tag[to] = m->tag[e];
        g->kind[to] = (uint8_t)kind_of_gmsh(m->type[e]);
        for (int k = m->begin[e]; k < m->begin[e + 1]; k++) g->node[at++] = t->node_of[m->node[k]];
        if (g->kind[to] != tetrahedron10) continue; /* Gmsh has its last two nodes the other way round */
        const int swap = g->node[at - 1];
        g->node[at - 1] = g->node[at - 2], g->node[at - 2] = swap;
    }
    g->begin[g->elements] = at;
    for (int i = 0; i < m->nodes; i++)
        if (t->node_of[i] >= 0) memcpy(g->x[t->node_of[i]], m->x[i], sizeof *g->x);
    return TALUS_OK;
}

static bool lies_in_plane(const tl_grid *g)
{
    double high = 0, wide = 0;
    for (int i = 0; i < g->nodes; i++) high = fmax(high, fabs(g->x[i][2])), wide = fmax(wide, fmax(fabs(g->x[i][0]), fabs(g->x[i][1])));
    return high <= 1e-9 * wide;
}

/* Of a face, ascending; −1 behind the last. */
typedef struct face_nodes {
    int node[TALUS_FACE_MOST_NODES];
} face_nodes;

static int by_nodes(const void *a, const void *b)
{
    const face_nodes *p = a, *q = b;
    for (int i = 0; i < TALUS_FACE_MOST_NODES; i++)
        if (p->node[i] != q->node[i]) return p->node[i] < q->node[i] ? -1 : 1;
    return 0;
}

static face_nodes in_order(const int *node, int count)
{
    face_nodes out;
    for (int i = 0; i < TALUS_FACE_MOST_NODES; i++) out.node[i] = i < count ? node[i] : -1;
    qsort(out.node, (size_t)count, sizeof *out.node, tl_ascending);
    return out;
}

/* Faces of the surface that are elements of the group: one between others that are has all of its nodes in the group, too, but is none. */
static talus_status put_faces(const transfer *t, const tl_gmsh_group *from, tl_grid_group *to)
{
    const tl_gmsh *m = t->from;
    int node[TALUS_FACE_MOST_NODES], listed = 0;
    face_nodes *list = malloc(((size_t)from->elements + 1) * sizeof *list);
    to->face = tl_arena_alloc(t->arena, (size_t)t->to->faces + 1, sizeof *to->face);
    if (!list || !to->face) {
        free(list);
        return TALUS_MEMORY;
    }
    for (int i = 0; i < from->elements; i++) {
        const int begin = m->begin[from->element[i]], count = m->begin[from->element[i] + 1] - begin;
        if (count > TALUS_FACE_MOST_NODES) continue;
        for (int k = 0; k < count; k++) node[k] = t->node_of[m->node[begin + k]];
        list[listed++] = in_order(node, count);
    }
    qsort(list, (size_t)listed, sizeof *list, by_nodes);
    for (int f = 0; f < t->to->faces; f++) {
        const face_nodes own = in_order(node, tl_grid_face_nodes(t->to, t->to->face[f], node));
        if (bsearch(&own, list, (size_t)listed, sizeof *list, by_nodes)) to->face[to->faces++] = t->to->face[f];
    }
    free(list);
    return TALUS_OK;
}

/* Nodes of the group's elements, and of faces those that are on the surface. */
static talus_status put_group(const transfer *t, const tl_gmsh_group *from, tl_grid_group *to)
{
    const tl_gmsh *m = t->from;
    const size_t length = strlen(from->name) + 1;
    char *name = tl_arena_alloc(t->arena, length, 1);
    bool *in = calloc((size_t)t->to->nodes + 1, sizeof *in);
    to->element = tl_arena_alloc(t->arena, (size_t)from->elements + 1, sizeof *to->element);
    to->dimension = from->dimension;
    talus_status status = name && in && to->element ? TALUS_OK : TALUS_MEMORY;
    int count = 0;
    if (status == TALUS_OK) memcpy(name, from->name, length);
    to->name = name;
    for (int i = 0; status == TALUS_OK && i < from->elements; i++) {
        const int e = from->element[i];
        if (t->element_of[e] >= 0) to->element[to->elements++] = t->element_of[e];
        for (int k = m->begin[e]; k < m->begin[e + 1]; k++)
            if (t->node_of[m->node[k]] >= 0) in[t->node_of[m->node[k]]] = true;
    }
    if (status == TALUS_OK && from->dimension == t->to->dimension - 1) status = put_faces(t, from, to);
    for (int i = 0; status == TALUS_OK && i < t->to->nodes; i++) count += in[i];
    to->node = status == TALUS_OK ? tl_arena_alloc(t->arena, (size_t)count + 1, sizeof *to->node) : NULL;
    for (int i = 0; to->node && i < t->to->nodes; i++)
        if (in[i]) to->node[to->nodes++] = i;
    free(in);
    return to->node ? TALUS_OK : TALUS_MEMORY;
}

static talus_status take(transfer *t, tl_error *error)
{
    int all = 0;
    TL_TRY(number(t, &all, error));
    if (t->to->elements == 0)
        return tl_fail(error, TALUS_INPUT, "it has no elements of dimension %d: in Gmsh, mesh with -%d, and put %s into a physical group", t->to->dimension,
                       t->to->dimension, t->to->dimension == 3 ? "the volumes, too," : "the surfaces, too,");
    TL_TRY(put_elements(t, all, error));
    if (t->to->dimension == 2 && !lies_in_plane(t->to)) return tl_fail(error, TALUS_INPUT, "its nodes do not lie in the plane z = 0 of the scene");
    for (int i = 0; t->to->dimension == 2 && i < t->to->nodes; i++) t->to->x[i][2] = 0;
    TL_TRY(tl_grid_finish(t->to, t->arena, error));
    t->to->group = tl_arena_zero(t->arena, (size_t)t->from->groups + 1, sizeof *t->to->group);
    for (int i = 0; t->to->group && i < t->from->groups; i++)
        if (put_group(t, &t->from->group[i], &t->to->group[t->to->groups++]) != TALUS_OK) return tl_fail(error, TALUS_MEMORY, "no memory for a mesh");
    return t->to->group ? TALUS_OK : tl_fail(error, TALUS_MEMORY, "no memory for a mesh");
}

talus_status tl_grid_file(const char *path, double scale, int dimension, tl_arena *arena, tl_grid *out, tl_error *error)
{
    tl_gmsh m;
    *out = (tl_grid){.dimension = dimension};
    TL_TRY(tl_gmsh_read(&m, path, scale, error));
    transfer t = {.from = &m,
                  .to = out,
                  .arena = arena,
                  .node_of = calloc((size_t)m.nodes + 1, sizeof *t.node_of),
                  .element_of = calloc((size_t)m.elements + 1, sizeof *t.element_of)};
    const talus_status status = t.node_of && t.element_of ? take(&t, error) : tl_fail(error, TALUS_MEMORY, "no memory for a mesh");
    free(t.node_of);
    free(t.element_of);
    tl_gmsh_free(&m);
    return status;
}
