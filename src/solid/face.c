/* Faces of elements (face.h). */
#include "solid/face.h"

#include <stddef.h>

/* Edges of elements of the plane, along ξ from −1 to 1. */
#define G2 0.57735026918962576451
#define G3 0.77459666924148337704
static const double ENDS[3][3] = {{-1, 0, 0}, {1, 0, 0}, {0, 0, 0}};
static const tl_quadrature_point TWO[2] = {{{-G2, 0, 0}, 1}, {{G2, 0, 0}, 1}};
static const tl_quadrature_point THREE[3] = {{{-G3, 0, 0}, 5 / 9.0}, {{0, 0, 0}, 8 / 9.0}, {{G3, 0, 0}, 5 / 9.0}};

static void shape2(const double xi[3], double *N) { N[0] = 0.5 * (1 - xi[0]), N[1] = 0.5 * (1 + xi[0]); }

static void slope2(const double xi[3], double (*dN)[3])
{
    (void)xi;
    for (int a = 0; a < 2; a++) dN[a][0] = a == 0 ? -0.5 : 0.5, dN[a][1] = dN[a][2] = 0;
}

static void shape3(const double xi[3], double *N)
{
    N[0] = 0.5 * xi[0] * (xi[0] - 1);
    N[1] = 0.5 * xi[0] * (xi[0] + 1);
    N[2] = 1 - xi[0] * xi[0];
}

static void slope3(const double xi[3], double (*dN)[3])
{
    const double d[3] = {xi[0] - 0.5, xi[0] + 0.5, -2 * xi[0]};
    for (int a = 0; a < 3; a++) dN[a][0] = d[a], dN[a][1] = dN[a][2] = 0;
}

static const tl_element_kind LINE2 = {
    .name = "line2",
    .text = "edge of 2 nodes",
    .dimension = 1,
    .nodes = 2,
    .corner = ENDS,
    .shape = shape2,
    .slope = slope2,
    .mass_points = 2,
    .mass_point = TWO,
};

static const tl_element_kind LINE3 = {
    .name = "line3",
    .text = "edge of 3 nodes, the last between the others",
    .dimension = 1,
    .nodes = 3,
    .corner = ENDS,
    .shape = shape3,
    .slope = slope3,
    .mass_points = 3,
    .mass_point = THREE,
};

const tl_element_kind *tl_face_kind(const tl_element_face *f, int dimension)
{
    if (dimension == 2) return f->nodes == 2 ? &LINE2 : &LINE3;
    if (f->corners == 4) return &TL_QUADRILATERAL4;
    return f->nodes == 3 ? &TL_TRIANGLE3 : &TL_TRIANGLE6;
}

int tl_face_points(const tl_element_face *f, int dimension, const double (*x)[3], tl_face_point *out)
{
    const tl_element_kind *kind = tl_face_kind(f, dimension);
    for (int p = 0; p < kind->mass_points; p++) {
        const tl_quadrature_point *at = &kind->mass_point[p];
        double dN[TL_ELEMENT_NODES][3] = {{0}}, along[2][3] = {{0, 0, 0}, {0, 0, 1}}; /* in the plane t × e_z is to the right of t */
        kind->shape(at->xi, out[p].N);
        kind->slope(at->xi, dN);
        for (int k = 0; k < kind->dimension; k++)
            for (int i = 0; i < 3; i++) {
                along[k][i] = 0;
                for (int a = 0; a < kind->nodes; a++) along[k][i] += x[a][i] * dN[a][k];
            }
        out[p].weight = at->weight;
        for (int a = 0; a < kind->nodes; a++)
            for (int k = 0; k < 2; k++) out[p].dN[a][k] = k < kind->dimension ? dN[a][k] : 0;
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            out[p].along[0][i] = along[0][i], out[p].along[1][i] = along[1][i];
            out[p].area[i] = at->weight * (along[0][j] * along[1][k] - along[0][k] * along[1][j]);
        }
    }
    return kind->mass_points;
}
