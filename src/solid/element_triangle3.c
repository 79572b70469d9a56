/* Triangle of three nodes: constant strain. It locks in bending and near ν = ½; six nodes do not. */
#include "solid/element.h"

static const double CORNER[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
static const tl_quadrature_point POINT[1] = {{{1 / 3.0, 1 / 3.0, 0}, 0.5}};
static const tl_quadrature_point MASS_POINT[3] = {{{1 / 6.0, 1 / 6.0, 0}, 1 / 6.0}, {{2 / 3.0, 1 / 6.0, 0}, 1 / 6.0}, {{1 / 6.0, 2 / 3.0, 0}, 1 / 6.0}};
static const tl_element_face FACE[3] = {{2, 2, {0, 1}}, {2, 2, {1, 2}}, {2, 2, {2, 0}}};

static void shape(const double xi[3], double *N)
{
    N[0] = 1 - xi[0] - xi[1];
    N[1] = xi[0];
    N[2] = xi[1];
}

static void slope(const double xi[3], double (*dN)[3])
{
    static const double SLOPE[3][3] = {{-1, -1, 0}, {1, 0, 0}, {0, 1, 0}};
    (void)xi;
    for (int a = 0; a < 3; a++)
        for (int k = 0; k < 3; k++) dN[a][k] = SLOPE[a][k];
}

const tl_element_kind TL_TRIANGLE3 = {
    .name = "triangle3",
    .text = "triangle of 3 nodes: constant strain, locks in bending",
    .dimension = 2,
    .nodes = 3,
    .gmsh = 2,
    .vtk = 5,
    .corner = CORNER,
    .shape = shape,
    .slope = slope,
    .points = 1,
    .point = POINT,
    .mass_points = 3,
    .mass_point = MASS_POINT,
    .faces = 3,
    .face = FACE,
};
