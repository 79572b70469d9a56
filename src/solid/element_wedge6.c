/* Wedge of six nodes: a triangle along a line. Its first triangle looks into the element, as Gmsh has it. */
#include "solid/element.h"

#define G 0.57735026918962576451
static const double CORNER[6][3] = {{0, 0, -1}, {1, 0, -1}, {0, 1, -1}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
static const tl_quadrature_point POINT[6] = {{{1 / 6.0, 1 / 6.0, -G}, 1 / 6.0}, {{2 / 3.0, 1 / 6.0, -G}, 1 / 6.0}, {{1 / 6.0, 2 / 3.0, -G}, 1 / 6.0},
                                             {{1 / 6.0, 1 / 6.0, G}, 1 / 6.0},  {{2 / 3.0, 1 / 6.0, G}, 1 / 6.0},  {{1 / 6.0, 2 / 3.0, G}, 1 / 6.0}};
static const tl_element_face FACE[5] = {{3, 3, {0, 2, 1}}, {3, 3, {3, 4, 5}}, {4, 4, {0, 1, 4, 3}}, {4, 4, {1, 2, 5, 4}}, {4, 4, {2, 0, 3, 5}}};

static void shape(const double xi[3], double *N)
{
    const double L[3] = {1 - xi[0] - xi[1], xi[0], xi[1]};
    for (int a = 0; a < 6; a++) N[a] = 0.5 * L[a % 3] * (1 + CORNER[a][2] * xi[2]);
}

static void slope(const double xi[3], double (*dN)[3])
{
    static const double D[3][2] = {{-1, -1}, {1, 0}, {0, 1}};
    const double L[3] = {1 - xi[0] - xi[1], xi[0], xi[1]};
    for (int a = 0; a < 6; a++) {
        for (int k = 0; k < 2; k++) dN[a][k] = 0.5 * D[a % 3][k] * (1 + CORNER[a][2] * xi[2]);
        dN[a][2] = 0.5 * L[a % 3] * CORNER[a][2];
    }
}

const tl_element_kind TL_WEDGE6 = {
    .name = "wedge6",
    .text = "wedge of 6 nodes: a triangle along a line",
    .dimension = 3,
    .nodes = 6,
    .gmsh = 6,
    .vtk = 13,
    .corner = CORNER,
    .shape = shape,
    .slope = slope,
    .points = 6,
    .point = POINT,
    .mass_points = 6,
    .mass_point = POINT,
    .faces = 5,
    .face = FACE,
    .mean_volume = true,
};
