/* A box cut into cells, and each of these into elements. Cells have the nodes of a lattice; where elements have nodes between their corners, it is twice as
 * fine. */
#include "scene/grid.h"

#include <math.h>
#include <string.h>

/* How a cell is cut: its elements' nodes, as places of the lattice inside it: 0 and 1 along each axis, of a fine lattice 0, 1 and 2. */
typedef struct cut {
    const char *element;
    int dimension, elements, nodes, fine;
    const unsigned char (*place)[3]; /* [elements × nodes] */
} cut;

static const unsigned char QUADRILATERAL4[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
static const unsigned char TRIANGLE3[6][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 0, 0}, {1, 1, 0}, {0, 1, 0}};
static const unsigned char TRIANGLE6[12][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {1, 0, 0}, {2, 1, 0}, {1, 1, 0},
                                               {0, 0, 0}, {2, 2, 0}, {0, 2, 0}, {1, 1, 0}, {1, 2, 0}, {0, 1, 0}};
static const unsigned char HEXAHEDRON8[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
static const unsigned char WEDGE6[12][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1},
                                            {0, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}, {0, 1, 1}};
/* Six tetrahedra about the diagonal (Kuhn 1960): neighbouring cells meet along the same diagonals of their common face. */
static const unsigned char TETRAHEDRON4[24][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {0, 0, 0}, {1, 1, 0}, {0, 1, 0}, {1, 1, 1},
                                                  {0, 0, 0}, {0, 1, 0}, {0, 1, 1}, {1, 1, 1}, {0, 0, 0}, {0, 1, 1}, {0, 0, 1}, {1, 1, 1},
                                                  {0, 0, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 0, 0}, {1, 0, 1}, {1, 0, 0}, {1, 1, 1}};
static const unsigned char EDGE10[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}}; /* nodes 4 to 9 are between these corners */

static const cut CUT[] = {
    {"quadrilateral4", 2, 1, 4, 1, QUADRILATERAL4}, {"triangle3", 2, 2, 3, 1, TRIANGLE3}, {"triangle6", 2, 2, 6, 2, TRIANGLE6},
    {"hexahedron8", 3, 1, 8, 1, HEXAHEDRON8},       {"wedge6", 3, 2, 6, 1, WEDGE6},       {"tetrahedron4", 3, 6, 4, 1, TETRAHEDRON4},
    {"tetrahedron10", 3, 6, 10, 2, NULL}, /* from those of four nodes */
};

static const cut *cut_of(const tl_grid_box_def *d)
{
    for (size_t i = 0; i < sizeof CUT / sizeof *CUT; i++)
        if (strcmp(CUT[i].element, d->element) == 0 && CUT[i].dimension == d->dimension) return &CUT[i];
    return NULL;
}

static void place_of(const cut *c, int element, int node, int out[3])
{
    if (c->place) {
        for (int k = 0; k < 3; k++) out[k] = c->place[element * c->nodes + node][k];
        return;
    }
    const int a = node < 4 ? node : EDGE10[node - 4][0], b = node < 4 ? node : EDGE10[node - 4][1];
    for (int k = 0; k < 3; k++) out[k] = TETRAHEDRON4[4 * element + a][k] + TETRAHEDRON4[4 * element + b][k];
}

static int axes_of(const tl_grid_box_def *d) { return d->dimension == 3 ? 3 : 2; }

/* Coordinates of the cells' ends from 0 to the size, and where the lattice is fine of their middles. */
static double *cuts_along(const tl_grid_box_def *d, int axis, int fine, tl_arena *arena)
{
    const int n = d->cells[axis];
    double *at = tl_arena_alloc(arena, (size_t)fine * (size_t)n + 1, sizeof *at), sum = 0, length = 1;
    const double growth = n > 1 ? pow(d->grading[axis], -1.0 / (n - 1)) : 1;
    if (!at) return NULL;
    at[0] = 0;
    for (int i = 1; i <= n; i++, length *= growth) at[fine * i] = sum += length;
    for (int i = 1; i <= n; i++) at[fine * i] *= d->size[axis] / sum;
    at[fine * n] = d->size[axis];
    for (int i = 0; fine == 2 && i < n; i++) at[2 * i + 1] = 0.5 * (at[2 * i] + at[2 * i + 2]);
    return at;
}

typedef struct lattice {
    int count[3]; /* of nodes along the axes */
    double *at[3];
} lattice;

static int node_at(const lattice *l, const int i[3]) { return i[0] + l->count[0] * (i[1] + l->count[1] * i[2]); }

static void put_nodes(const tl_grid_box_def *d, const lattice *l, tl_grid *out)
{
    const int up = axes_of(d) - 1;
    int i[3];
    for (i[2] = 0; i[2] < l->count[2]; i[2]++)
        for (i[1] = 0; i[1] < l->count[1]; i[1]++)
            for (i[0] = 0; i[0] < l->count[0]; i[0]++) {
                double *x = out->x[node_at(l, i)];
                for (int k = 0; k < 3; k++) x[k] = k > up ? 0 : d->top[k] + (k == up ? l->at[k][i[k]] - d->size[k] : l->at[k][i[k]] - 0.5 * d->size[k]);
            }
}

static void put_elements(const tl_grid_box_def *d, const cut *c, const lattice *l, tl_grid *out)
{
    const int depth = d->dimension == 3 ? d->cells[2] : 1;
    int at = 0, count = 0, cell[3], i[3];
    for (cell[2] = 0; cell[2] < depth; cell[2]++)
        for (cell[1] = 0; cell[1] < d->cells[1]; cell[1]++)
            for (cell[0] = 0; cell[0] < d->cells[0]; cell[0]++)
                for (int e = 0; e < c->elements; e++) {
                    out->begin[count] = at;
                    out->kind[count++] = (uint8_t)talus_element_find(c->element);
                    for (int n = 0; n < c->nodes; n++) {
                        place_of(c, e, n, i);
                        for (int k = 0; k < 3; k++) i[k] += c->fine * cell[k];
                        out->node[at++] = node_at(l, i);
                    }
                }
    out->begin[count] = at;
}

static talus_status put_groups(const lattice *l, tl_arena *arena, tl_grid *out)
{
    static const char *const NAME[2][6] = {{"left", "right", "bottom", "top"}, {"left", "right", "front", "back", "bottom", "top"}};
    bool *in = tl_arena_alloc(arena, (size_t)out->nodes, sizeof *in);
    out->group = tl_arena_zero(arena, 6, sizeof *out->group);
    if (!in || !out->group) return TALUS_MEMORY;
    for (int g = 0; g < 2 * out->dimension; g++) {
        const int axis = g / 2, wanted = g % 2 ? l->count[axis] - 1 : 0;
        for (int n = 0; n < out->nodes; n++) {
            const int i[3] = {n % l->count[0], n / l->count[0] % l->count[1], n / (l->count[0] * l->count[1])};
            in[n] = i[axis] == wanted;
        }
        out->group[g] = (tl_grid_group){.name = NAME[out->dimension - 2][g], .dimension = out->dimension - 1};
        TL_TRY(tl_grid_faces_among(out, in, arena, &out->group[g]));
    }
    out->groups = 2 * out->dimension;
    return TALUS_OK;
}

talus_status tl_grid_box(const tl_grid_box_def *d, tl_arena *arena, tl_grid *out, tl_error *error)
{
    const cut *c = cut_of(d);
    lattice l = {{1, 1, 1}, {NULL, NULL, NULL}};
    double nodes = 1, cells = 1;
    *out = (tl_grid){.dimension = d->dimension};
    if (!c) return tl_fail(error, TALUS_INPUT, "no box is cut into elements '%.80s' here", d->element);
    for (int k = 0; k < axes_of(d); k++) nodes *= (double)c->fine * d->cells[k] + 1, cells *= d->cells[k];
    if (!(nodes * c->elements <= TL_GRID_NODES))
        return tl_fail(error, TALUS_INPUT, "the box would have %.4g nodes and %.4g elements; %d are the most", nodes, cells * c->elements, TL_GRID_NODES);
    for (int k = 0; k < axes_of(d); k++) {
        l.count[k] = c->fine * d->cells[k] + 1;
        if (!(l.at[k] = cuts_along(d, k, c->fine, arena))) return tl_fail(error, TALUS_MEMORY, "no memory for a mesh");
    }
    out->nodes = (int)nodes, out->elements = (int)cells * c->elements;
    out->x = tl_arena_alloc(arena, (size_t)out->nodes, sizeof *out->x);
    out->kind = tl_arena_alloc(arena, (size_t)out->elements, sizeof *out->kind);
    out->begin = tl_arena_alloc(arena, (size_t)out->elements + 1, sizeof *out->begin);
    out->node = tl_arena_alloc(arena, (size_t)out->elements * (size_t)c->nodes, sizeof *out->node);
    if (!out->x || !out->kind || !out->begin || !out->node) return tl_fail(error, TALUS_MEMORY, "no memory for a mesh");
    put_nodes(d, &l, out);
    put_elements(d, c, &l, out);
    TL_TRY(tl_grid_finish(out, arena, error));
    return put_groups(&l, arena, out) == TALUS_OK ? TALUS_OK : tl_fail(error, TALUS_MEMORY, "no memory for a mesh");
}
