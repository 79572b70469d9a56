/* The table of elements (element.h). */
#include "solid/element.h"

#include <stddef.h>
#include <string.h>

static const tl_element_kind *const KINDS[] = {
    &TL_TRIANGLE3, &TL_TRIANGLE6, &TL_QUADRILATERAL4, &TL_TETRAHEDRON4, &TL_TETRAHEDRON10, &TL_WEDGE6, &TL_HEXAHEDRON8,
};
enum { COUNT = sizeof KINDS / sizeof *KINDS };

int tl_element_kinds(void) { return COUNT; }

const tl_element_kind *tl_element_kind_at(int index) { return index >= 0 && index < COUNT ? KINDS[index] : NULL; }

const tl_element_kind *tl_element_kind_named(const char *name)
{
    for (int i = 0; i < COUNT; i++)
        if (strcmp(KINDS[i]->name, name) == 0) return KINDS[i];
    return NULL;
}

const tl_element_kind *tl_element_kind_of_gmsh(int number)
{
    for (int i = 0; i < COUNT; i++)
        if (KINDS[i]->gmsh == number) return KINDS[i];
    return NULL;
}

double tl_element_jacobian(const tl_element_kind *kind, const double (*x)[3], const double (*dN)[3], double J[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            J[i][k] = 0;
            for (int a = 0; a < kind->nodes; a++) J[i][k] += x[a][i] * dN[a][k];
        }
    if (kind->dimension == 2) return J[0][0] * J[1][1] - J[0][1] * J[1][0];
    return J[0][0] * (J[1][1] * J[2][2] - J[1][2] * J[2][1]) - J[0][1] * (J[1][0] * J[2][2] - J[1][2] * J[2][0]) +
           J[0][2] * (J[1][0] * J[2][1] - J[1][1] * J[2][0]);
}

double tl_element_volume(const tl_element_kind *kind, const double (*x)[3])
{
    double dN[TL_ELEMENT_NODES][3], J[3][3], volume = 0;
    for (int p = 0; p < kind->points; p++) {
        kind->slope(kind->point[p].xi, dN);
        volume += kind->point[p].weight * tl_element_jacobian(kind, x, (const double(*)[3])dN, J);
    }
    return volume;
}
