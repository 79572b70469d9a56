/* Tetrahedron of four nodes: constant strain. It is far too stiff in bending and near ν = ½; ten nodes are not. */
#include "solid/element.h"

#define A 0.13819660112501051518 /* (5 − √5)/20 */
#define B 0.58541019662496845446 /* (5 + 3√5)/20 */
static const double CORNER[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const tl_quadrature_point POINT[1] = {{{0.25, 0.25, 0.25}, 1 / 6.0}};
static const tl_quadrature_point MASS_POINT[4] = {{{A, A, A}, 1 / 24.0}, {{B, A, A}, 1 / 24.0}, {{A, B, A}, 1 / 24.0}, {{A, A, B}, 1 / 24.0}};
static const tl_element_face FACE[4] = {{3, 3, {0, 2, 1}}, {3, 3, {0, 1, 3}}, {3, 3, {1, 2, 3}}, {3, 3, {2, 0, 3}}};

static void shape(const double xi[3], double *N)
{
    N[0] = 1 - xi[0] - xi[1] - xi[2];
    for (int k = 0; k < 3; k++) N[1 + k] = xi[k];
}

static void slope(const double xi[3], double (*dN)[3])
{
    (void)xi;
    for (int k = 0; k < 3; k++) {
        dN[0][k] = -1;
        for (int a = 0; a < 3; a++) dN[1 + a][k] = a == k;
    }
}

const tl_element_kind TL_TETRAHEDRON4 = {
    .name = "tetrahedron4",
    .text = "tetrahedron of 4 nodes: constant strain, much too stiff in bending",
    .dimension = 3,
    .nodes = 4,
    .gmsh = 4,
    .vtk = 10,
    .corner = CORNER,
    .shape = shape,
    .slope = slope,
    .points = 1,
    .point = POINT,
    .mass_points = 4,
    .mass_point = MASS_POINT,
    .faces = 4,
    .face = FACE,
};
