/* Tetrahedron of ten nodes, the last six between corners 01, 12, 20, 03, 13, 23 (as VTK has them; Gmsh has the last two
 * the other way round): linear strain. */
#include "solid/element.h"

#define A 0.13819660112501051518 /* (5 − √5)/20 */
#define B 0.58541019662496845446 /* (5 + 3√5)/20 */
static const double CORNER[10][3] = {{0, 0, 0},     {1, 0, 0},   {0, 1, 0},   {0, 0, 1},     {0.5, 0, 0},
                                     {0.5, 0.5, 0}, {0, 0.5, 0}, {0, 0, 0.5}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
static const int BETWEEN[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
static const tl_quadrature_point POINT[4] = {{{A, A, A}, 1 / 24.0}, {{B, A, A}, 1 / 24.0}, {{A, B, A}, 1 / 24.0}, {{A, A, B}, 1 / 24.0}};
/* Exact to degree 5 with positive weights (Walkington 2000). */
#define A1 0.31088591926330060980
#define W1 (0.11268792571801585080 / 6)
#define A2 0.09273525031089122640
#define W2 (0.07349304311636194934 / 6)
#define A3 0.04550370412564964949
#define B3 (0.5 - A3)
#define W3 (0.04254602077708146686 / 6)
static const tl_quadrature_point MASS_POINT[14] = {{{A1, A1, A1}, W1}, {{1 - 3 * A1, A1, A1}, W1}, {{A1, 1 - 3 * A1, A1}, W1}, {{A1, A1, 1 - 3 * A1}, W1},
                                                   {{A2, A2, A2}, W2}, {{1 - 3 * A2, A2, A2}, W2}, {{A2, 1 - 3 * A2, A2}, W2}, {{A2, A2, 1 - 3 * A2}, W2},
                                                   {{A3, A3, B3}, W3}, {{A3, B3, A3}, W3},         {{B3, A3, A3}, W3},         {{A3, B3, B3}, W3},
                                                   {{B3, A3, B3}, W3}, {{B3, B3, A3}, W3}};
static const tl_element_face FACE[4] = {{3, 6, {0, 2, 1, 6, 5, 4}}, {3, 6, {0, 1, 3, 4, 8, 7}}, {3, 6, {1, 2, 3, 5, 9, 8}}, {3, 6, {2, 0, 3, 6, 7, 9}}};

static void shape(const double xi[3], double *N)
{
    const double L[4] = {1 - xi[0] - xi[1] - xi[2], xi[0], xi[1], xi[2]};
    for (int a = 0; a < 4; a++) N[a] = L[a] * (2 * L[a] - 1);
    for (int e = 0; e < 6; e++) N[4 + e] = 4 * L[BETWEEN[e][0]] * L[BETWEEN[e][1]];
}

static void slope(const double xi[3], double (*dN)[3])
{
    static const double D[4][3] = {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double L[4] = {1 - xi[0] - xi[1] - xi[2], xi[0], xi[1], xi[2]};
    for (int k = 0; k < 3; k++) {
        for (int a = 0; a < 4; a++) dN[a][k] = (4 * L[a] - 1) * D[a][k];
        for (int e = 0; e < 6; e++) {
            const int a = BETWEEN[e][0], b = BETWEEN[e][1];
            dN[4 + e][k] = 4 * (D[a][k] * L[b] + L[a] * D[b][k]);
        }
    }
}

const tl_element_kind TL_TETRAHEDRON10 = {
    .name = "tetrahedron10",
    .text = "tetrahedron of 10 nodes: linear strain",
    .dimension = 3,
    .nodes = 10,
    .gmsh = 11,
    .vtk = 24,
    .corner = CORNER,
    .shape = shape,
    .slope = slope,
    .points = 4,
    .point = POINT,
    .mass_points = 14,
    .mass_point = MASS_POINT,
    .faces = 4,
    .face = FACE,
};
