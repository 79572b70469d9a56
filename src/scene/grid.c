/* What meshes of boxes and of files have in common: their surface, their parts, their groups. */
#include "scene/grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"

tl_vec3 tl_grid_sides(const tl_grid *g)
{
    tl_vec3 low = tl_load3(g->x[0]), high = low;
    for (int i = 1; i < g->nodes; i++) {
        const double *x = g->x[i];
        low = tl_v3(fmin(low.x, x[0]), fmin(low.y, x[1]), fmin(low.z, x[2]));
        high = tl_v3(fmax(high.x, x[0]), fmax(high.y, x[1]), fmax(high.z, x[2]));
    }
    return tl_sub(high, low);
}

int tl_faces_in_order(const void *a, const void *b)
{
    const talus_solid_face *p = a, *q = b;
    return p->element != q->element ? (p->element < q->element ? -1 : 1) : p->face - q->face;
}

int tl_grid_face_nodes(const tl_grid *g, talus_solid_face f, int node[TALUS_FACE_MOST_NODES])
{
    talus_element kind;
    if (!talus_element_get(g->kind[f.element], &kind)) return 0;
    for (int i = 0; i < kind.face_nodes[f.face]; i++) node[i] = g->node[g->begin[f.element] + kind.face_node[f.face][i]];
    return kind.face_nodes[f.face];
}

/* A face by its corners, ascending: two elements that share it have it alike. */
typedef struct keyed {
    int corner[4]; /* −1 behind the last */
    talus_solid_face face;
} keyed;

static int by_corners(const void *a, const void *b)
{
    const keyed *p = a, *q = b;
    for (int i = 0; i < 4; i++)
        if (p->corner[i] != q->corner[i]) return p->corner[i] < q->corner[i] ? -1 : 1;
    return tl_faces_in_order(&p->face, &q->face);
}

static bool same_corners(const keyed *a, const keyed *b) { return memcmp(a->corner, b->corner, sizeof a->corner) == 0; }

static int list_faces(const tl_grid *g, keyed *list)
{
    int count = 0;
    talus_element kind;
    for (int e = 0; e < g->elements; e++)
        for (int f = 0; talus_element_get(g->kind[e], &kind) && f < kind.faces; f++) {
            keyed *k = &list[count++];
            *k = (keyed){{-1, -1, -1, -1}, {e, f}};
            for (int i = 0; i < kind.face_corners[f] && i < 4; i++) k->corner[i] = g->node[g->begin[e] + kind.face_node[f][i]];
            qsort(k->corner, (size_t)kind.face_corners[f], sizeof *k->corner, tl_ascending);
        }
    return count;
}

static int count_faces(const tl_grid *g)
{
    int count = 0;
    talus_element kind;
    for (int e = 0; e < g->elements; e++)
        if (talus_element_get(g->kind[e], &kind)) count += kind.faces;
    return count;
}

static talus_status find_surface(tl_grid *g, tl_arena *arena, tl_error *error)
{
    keyed *list = malloc(((size_t)count_faces(g) + 1) * sizeof *list);
    g->face = tl_arena_alloc(arena, (size_t)count_faces(g) + 1, sizeof *g->face);
    if (!list || !g->face) {
        free(list);
        return tl_fail(error, TALUS_MEMORY, "no memory for the surface of a mesh");
    }
    const int count = list_faces(g, list);
    qsort(list, (size_t)count, sizeof *list, by_corners);
    talus_status status = TALUS_OK;
    g->faces = 0;
    for (int i = 0, next = 0; i < count; i = next) {
        for (next = i + 1; next < count && same_corners(&list[i], &list[next]);) next++;
        if (next == i + 1) g->face[g->faces++] = list[i].face;
        if (next > i + 2 && status == TALUS_OK)
            status = tl_fail(error, TALUS_INPUT, "elements %lld, %lld and %lld share a face; a face has one or two", tl_grid_tag(g, list[i].face.element),
                             tl_grid_tag(g, list[i + 1].face.element), tl_grid_tag(g, list[i + 2].face.element));
    }
    qsort(g->face, (size_t)g->faces, sizeof *g->face, tl_faces_in_order);
    free(list);
    return status;
}

static talus_status find_parts(tl_grid *g, tl_arena *arena, tl_error *error)
{
    int *parent = tl_arena_alloc(arena, (size_t)g->nodes + 1, sizeof *parent);
    if (!parent) return tl_fail(error, TALUS_MEMORY, "no memory for the parts of a mesh");
    for (int i = 0; i < g->nodes; i++) parent[i] = i;
    for (int e = 0; e < g->elements; e++)
        for (int k = g->begin[e] + 1; k < g->begin[e + 1]; k++) (void)tl_join(parent, g->node[g->begin[e]], g->node[k]);
    g->part_of = parent;
    g->parts = 0;
    /* A root is the lowest of its set, so that it is numbered before the others ask for its number. */
    for (int i = 0; i < g->nodes; i++) {
        const int root = tl_root_of(parent, i);
        parent[i] = root;
    }
    for (int i = 0; i < g->nodes; i++) parent[i] = parent[i] == i ? g->parts++ : parent[parent[i]];
    return TALUS_OK;
}

talus_status tl_grid_finish(tl_grid *g, tl_arena *arena, tl_error *error)
{
    TL_TRY(find_surface(g, arena, error));
    return find_parts(g, arena, error);
}

talus_status tl_grid_faces_among(const tl_grid *g, const bool *in, tl_arena *arena, tl_grid_group *out)
{
    int node[TALUS_FACE_MOST_NODES] = {0};
    bool *has = calloc((size_t)g->nodes + 1, sizeof *has);
    out->face = tl_arena_alloc(arena, (size_t)g->faces + 1, sizeof *out->face);
    if (!has || !out->face) {
        free(has);
        return TALUS_MEMORY;
    }
    for (int f = 0; f < g->faces; f++) {
        const int count = tl_grid_face_nodes(g, g->face[f], node);
        bool all = count > 0;
        for (int i = 0; i < count; i++) all = all && in[node[i]];
        if (!all) continue;
        out->face[out->faces++] = g->face[f];
        for (int i = 0; i < count; i++) has[node[i]] = true;
    }
    int count = 0;
    for (int i = 0; i < g->nodes; i++) count += has[i];
    out->node = tl_arena_alloc(arena, (size_t)count + 1, sizeof *out->node);
    for (int i = 0; out->node && i < g->nodes; i++)
        if (has[i]) out->node[out->nodes++] = i;
    free(has);
    return out->node ? TALUS_OK : TALUS_MEMORY;
}

talus_status tl_grid_add_group(tl_grid *g, const char *name, const bool *in, tl_arena *arena)
{
    tl_grid_group *all = tl_arena_zero(arena, (size_t)g->groups + 1, sizeof *all);
    if (!all) return TALUS_MEMORY;
    if (g->groups > 0) memcpy(all, g->group, (size_t)g->groups * sizeof *all);
    tl_grid_group *out = &all[g->groups];
    *out = (tl_grid_group){.name = name, .dimension = g->dimension};
    TL_TRY(tl_grid_faces_among(g, in, arena, out));
    out->element = tl_arena_alloc(arena, (size_t)g->elements + 1, sizeof *out->element);
    out->node = tl_arena_alloc(arena, (size_t)g->nodes + 1, sizeof *out->node);
    if (!out->element || !out->node) return TALUS_MEMORY;
    out->nodes = 0;
    for (int i = 0; i < g->nodes; i++)
        if (in[i]) out->node[out->nodes++] = i;
    for (int e = 0; e < g->elements; e++) {
        bool whole = true;
        for (int k = g->begin[e]; k < g->begin[e + 1]; k++) whole = whole && in[g->node[k]];
        if (whole) out->element[out->elements++] = e;
    }
    g->group = all, g->groups++;
    return TALUS_OK;
}

long long tl_grid_tag(const tl_grid *g, int element) { return g->tag ? g->tag[element] : element + 1; }

const tl_grid_group *tl_grid_group_named(const tl_grid *g, const char *name)
{
    for (int i = 0; i < g->groups; i++)
        if (strcmp(g->group[i].name, name) == 0) return &g->group[i];
    return NULL;
}
