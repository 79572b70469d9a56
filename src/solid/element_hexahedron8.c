/* Hexahedron of eight nodes; its nine enhanced modes let it bend and keep its volume (Simo and Rifai 1990, Andelfinger and
 * Ramm 1993). */
#include "solid/element.h"

#define G 0.57735026918962576451
static const double CORNER[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}};
static const tl_quadrature_point POINT[8] = {{{-G, -G, -G}, 1}, {{G, -G, -G}, 1}, {{G, G, -G}, 1}, {{-G, G, -G}, 1},
                                             {{-G, -G, G}, 1},  {{G, -G, G}, 1},  {{G, G, G}, 1},  {{-G, G, G}, 1}};
static const tl_element_face FACE[6] = {{4, 4, {0, 3, 2, 1}}, {4, 4, {4, 5, 6, 7}}, {4, 4, {0, 1, 5, 4}},
                                        {4, 4, {1, 2, 6, 5}}, {4, 4, {2, 3, 7, 6}}, {4, 4, {3, 0, 4, 7}}};
static const tl_enhanced_mode MODE[9] = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {0, 1, 0}, {0, 1, 1}, {1, 2, 1}, {1, 2, 2}, {0, 2, 0}, {0, 2, 2}};

static void shape(const double xi[3], double *N)
{
    for (int a = 0; a < 8; a++) N[a] = 0.125 * (1 + CORNER[a][0] * xi[0]) * (1 + CORNER[a][1] * xi[1]) * (1 + CORNER[a][2] * xi[2]);
}

static void slope(const double xi[3], double (*dN)[3])
{
    for (int a = 0; a < 8; a++) {
        const double *c = CORNER[a], f[3] = {1 + c[0] * xi[0], 1 + c[1] * xi[1], 1 + c[2] * xi[2]};
        dN[a][0] = 0.125 * c[0] * f[1] * f[2];
        dN[a][1] = 0.125 * c[1] * f[0] * f[2];
        dN[a][2] = 0.125 * c[2] * f[0] * f[1];
    }
}

const tl_element_kind TL_HEXAHEDRON8 = {
    .name = "hexahedron8",
    .text = "hexahedron of 8 nodes",
    .dimension = 3,
    .nodes = 8,
    .gmsh = 5,
    .vtk = 12,
    .corner = CORNER,
    .shape = shape,
    .slope = slope,
    .points = 8,
    .point = POINT,
    .mass_points = 8,
    .mass_point = POINT,
    .faces = 6,
    .face = FACE,
    .mean_volume = true,
    .modes = 9,
    .mode = MODE,
};
