/* Quadrilateral of four nodes; its four enhanced modes are those of linear strain along either direction, with which it
 * bends and does not lock (Simo and Rifai 1990). */
#include "solid/element.h"

#define G 0.57735026918962576451
static const double CORNER[4][3] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
static const tl_quadrature_point POINT[4] = {{{-G, -G, 0}, 1}, {{G, -G, 0}, 1}, {{G, G, 0}, 1}, {{-G, G, 0}, 1}};
static const tl_element_face FACE[4] = {{2, 2, {0, 1}}, {2, 2, {1, 2}}, {2, 2, {2, 3}}, {2, 2, {3, 0}}};
static const tl_enhanced_mode MODE[4] = {{0, 0, 0}, {1, 1, 1}, {0, 1, 0}, {0, 1, 1}};

static void shape(const double xi[3], double *N)
{
    for (int a = 0; a < 4; a++) N[a] = 0.25 * (1 + CORNER[a][0] * xi[0]) * (1 + CORNER[a][1] * xi[1]);
}

static void slope(const double xi[3], double (*dN)[3])
{
    for (int a = 0; a < 4; a++) {
        const double *c = CORNER[a];
        dN[a][0] = 0.25 * c[0] * (1 + c[1] * xi[1]);
        dN[a][1] = 0.25 * c[1] * (1 + c[0] * xi[0]);
        dN[a][2] = 0;
    }
}

const tl_element_kind TL_QUADRILATERAL4 = {
    .name = "quadrilateral4",
    .text = "quadrilateral of 4 nodes",
    .dimension = 2,
    .nodes = 4,
    .gmsh = 3,
    .vtk = 9,
    .corner = CORNER,
    .shape = shape,
    .slope = slope,
    .points = 4,
    .point = POINT,
    .mass_points = 4,
    .mass_point = POINT,
    .faces = 4,
    .face = FACE,
    .mean_volume = true,
    .modes = 4,
    .mode = MODE,
};
