/* Blocks of any kind of element for tests through the public interface: n[0] × n[1] × n[2] cells between two corners, each one hexahedron or quadrilateral,
 * two wedges or triangles, or six tetrahedra; kinds with nodes between corners have them in the middle. */
#ifndef TALUS_SOLID_BLOCK_H
#define TALUS_SOLID_BLOCK_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "talus/talus.h"

typedef struct solid_block {
    int dimension, nodes, elements, held;
    double (*x)[3];
    uint8_t *kind;
    int *node;
} solid_block;

static inline int block_between(solid_block *b, int a, int c)
{
    double middle[3];
    for (int i = 0; i < 3; i++) middle[i] = 0.5 * (b->x[a][i] + b->x[c][i]);
    for (int k = 0; k < b->nodes; k++)
        if (fabs(b->x[k][0] - middle[0]) + fabs(b->x[k][1] - middle[1]) + fabs(b->x[k][2] - middle[2]) < 1e-12) return k;
    memcpy(b->x[b->nodes], middle, sizeof middle);
    return b->nodes++;
}

static inline void block_add(solid_block *b, int kind, int corners, const int *corner)
{
    static const int EDGE[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    talus_element e;
    (void)talus_element_get(kind, &e);
    b->kind[b->elements++] = (uint8_t)kind;
    for (int k = 0; k < corners; k++) b->node[b->held++] = corner[k];
    for (int k = 0; k + corners < e.nodes; k++) b->node[b->held++] = block_between(b, corner[EDGE[k][0]], corner[EDGE[k][1]]);
}

static inline void block_fill(solid_block *b, int kind, const int c[8])
{
    static const int TETRAHEDRON[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6}, {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};
    talus_element e;
    (void)talus_element_get(kind, &e);
    if (strcmp(e.name, "quadrilateral4") == 0) block_add(b, kind, 4, c);
    else if (strcmp(e.name, "hexahedron8") == 0) block_add(b, kind, 8, c);
    else if (e.dimension == 2) block_add(b, kind, 3, (const int[3]){c[0], c[1], c[2]}), block_add(b, kind, 3, (const int[3]){c[0], c[2], c[3]});
    else if (strcmp(e.name, "wedge6") == 0)
        block_add(b, kind, 6, (const int[6]){c[0], c[1], c[2], c[4], c[5], c[6]}), block_add(b, kind, 6, (const int[6]){c[0], c[2], c[3], c[4], c[6], c[7]});
    else
        for (int k = 0; k < 6; k++)
            block_add(b, kind, 4, (const int[4]){c[TETRAHEDRON[k][0]], c[TETRAHEDRON[k][1]], c[TETRAHEDRON[k][2]], c[TETRAHEDRON[k][3]]});
}

static inline solid_block block_make(int kind, const int n[3], const double size[3])
{
    static const int STEP[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    talus_element e;
    (void)talus_element_get(kind, &e);
    const int d = e.dimension, deep = d == 3 ? n[2] : 1;
    const size_t cells = (size_t)(n[0] * n[1] * deep), most = 30 * (cells + 8);
    solid_block b = {.dimension = d, .x = calloc(most, sizeof *b.x), .kind = calloc(most, 1), .node = calloc(10 * most, sizeof *b.node)};
    int at[3];
    for (at[2] = 0; at[2] <= (d == 3 ? n[2] : 0); at[2]++)
        for (at[1] = 0; at[1] <= n[1]; at[1]++)
            for (at[0] = 0; at[0] <= n[0]; at[0]++, b.nodes++)
                for (int i = 0; i < d; i++) b.x[b.nodes][i] = size[i] * at[i] / n[i];
    for (at[2] = 0; at[2] < deep; at[2]++)
        for (at[1] = 0; at[1] < n[1]; at[1]++)
            for (at[0] = 0; at[0] < n[0]; at[0]++) {
                int c[8] = {0};
                for (int k = 0; k < (d == 3 ? 8 : 4); k++)
                    c[k] = at[0] + STEP[k][0] + (n[0] + 1) * (at[1] + STEP[k][1] + (d == 3 ? (n[1] + 1) * (at[2] + STEP[k][2]) : 0));
                block_fill(&b, kind, c);
            }
    return b;
}

static inline void block_free(solid_block *b) { free(b->x), free(b->kind), free(b->node); }

/* Faces of the surface all nodes of which are at `x` along `axis`; returns how many. */
static inline int block_faces(const talus_world *w, talus_solid_id solid, int axis, double x, talus_solid_face *out)
{
    talus_solid_mesh m;
    int count = 0;
    if (!talus_solid_get_mesh(w, solid, &m)) return 0;
    for (int f = 0; f < m.faces; f++) {
        talus_element e;
        bool there = talus_element_get(m.kind[m.face[f].element], &e);
        for (int k = 0; there && k < e.face_nodes[m.face[f].face]; k++)
            there = fabs(m.position[m.node[m.begin[m.face[f].element] + e.face_node[m.face[f].face][k]]][axis] - x) < 1e-9;
        if (there) out[count++] = m.face[f];
    }
    return count;
}

#endif
