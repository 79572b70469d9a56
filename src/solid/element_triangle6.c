/* Triangle of six nodes, the last three between corners 01, 12, 20: linear strain. */
#include "solid/element.h"

static const double CORNER[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.5, 0, 0}, {0.5, 0.5, 0}, {0, 0.5, 0}};
static const tl_quadrature_point POINT[3] = {{{1 / 6.0, 1 / 6.0, 0}, 1 / 6.0}, {{2 / 3.0, 1 / 6.0, 0}, 1 / 6.0}, {{1 / 6.0, 2 / 3.0, 0}, 1 / 6.0}};
/* Exact to degree 4 (Dunavant 1985). */
#define A1 0.44594849091596488632
#define W1 0.11169079483900573285
#define A2 0.09157621350977074346
#define W2 0.05497587182766093382
static const tl_quadrature_point MASS_POINT[6] = {{{A1, A1, 0}, W1}, {{1 - 2 * A1, A1, 0}, W1}, {{A1, 1 - 2 * A1, 0}, W1},
                                                  {{A2, A2, 0}, W2}, {{1 - 2 * A2, A2, 0}, W2}, {{A2, 1 - 2 * A2, 0}, W2}};
static const tl_element_face FACE[3] = {{2, 3, {0, 1, 3}}, {2, 3, {1, 2, 4}}, {2, 3, {2, 0, 5}}};

static void shape(const double xi[3], double *N)
{
    const double r = xi[0], s = xi[1], q = 1 - r - s;
    N[0] = q * (2 * q - 1);
    N[1] = r * (2 * r - 1);
    N[2] = s * (2 * s - 1);
    N[3] = 4 * q * r;
    N[4] = 4 * r * s;
    N[5] = 4 * s * q;
}

static void slope(const double xi[3], double (*dN)[3])
{
    const double r = xi[0], s = xi[1], q = 1 - r - s;
    const double d[6][2] = {{1 - 4 * q, 1 - 4 * q}, {4 * r - 1, 0}, {0, 4 * s - 1}, {4 * (q - r), -4 * r}, {4 * s, 4 * r}, {-4 * s, 4 * (q - s)}};
    for (int a = 0; a < 6; a++) dN[a][0] = d[a][0], dN[a][1] = d[a][1], dN[a][2] = 0;
}

const tl_element_kind TL_TRIANGLE6 = {
    .name = "triangle6",
    .text = "triangle of 6 nodes: linear strain",
    .dimension = 2,
    .nodes = 6,
    .gmsh = 9,
    .vtk = 22,
    .corner = CORNER,
    .shape = shape,
    .slope = slope,
    .points = 3,
    .point = POINT,
    .mass_points = 6,
    .mass_point = MASS_POINT,
    .faces = 3,
    .face = FACE,
};
