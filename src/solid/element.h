/* Finite elements: what a kind of element is (theory §10.1). A kind is one file and one line of the table in element.c.
 *
 * It knows its nodes, shape functions, quadratures and faces in coordinates ξ of its own; it knows no material, no
 * velocities and no mesh. Nodes are numbered as VTK does, but for the wedge, whose first triangle looks inwards as Gmsh
 * has it. Elements of the plane have dimension 2; their third coordinate is 0. */
#ifndef TL_ELEMENT_H
#define TL_ELEMENT_H

#include <stdbool.h>

enum {
    TL_ELEMENT_NODES = 10, /* at most */
    TL_ELEMENT_FACES = 6,
    TL_FACE_NODES = 6,
    TL_ELEMENT_POINTS = 14,
    TL_ENHANCED_MODES = 9
};

/* A point of a quadrature over the element: Σ w_i f(ξ_i) is the integral of f over the ξ of the kind. */
typedef struct tl_quadrature_point {
    double xi[3], weight;
} tl_quadrature_point;

/* A mode of enhanced strain: component `row`, `column` of a symmetric tensor is ξ_along, 0 elsewhere. Its integral over
 * the element vanishes, hence what a constant stress does on it, and the patch test is passed. */
typedef struct tl_enhanced_mode {
    int row, column, along;
} tl_enhanced_mode;

/* Nodes of a face of the element (of an edge, in the plane), around it as seen from outside: first its corners, then
 * the nodes between them, in the order of a kind of its own, `kind`, whose dimension is one less. */
typedef struct tl_element_face {
    int corners, nodes, node[TL_FACE_NODES];
} tl_element_face;

typedef struct tl_element_kind {
    const char *name; /* "hexahedron8" */
    const char *text; /* for the reference */
    int dimension, nodes;
    int gmsh, vtk;                                      /* numbers of the kind in these formats */
    const double (*corner)[3];                          /* [nodes] ξ of the nodes */
    void (*shape)(const double xi[3], double *N);       /* [nodes] */
    void (*slope)(const double xi[3], double (*dN)[3]); /* [nodes] dN/dξ */
    int points;                                         /* quadrature of the stiffness */
    const tl_quadrature_point *point;
    int mass_points; /* exact for N_i N_j where the element is a parallelepiped or has straight edges */
    const tl_quadrature_point *mass_point;
    int faces;
    const tl_element_face *face;
    bool mean_volume; /* its change of volume may be taken as the mean: it has points enough for the rest to be stiff */
    int modes;        /* 0: the kind has no enhanced strain */
    const tl_enhanced_mode *mode;
} tl_element_kind;

extern const tl_element_kind TL_TRIANGLE3, TL_TRIANGLE6, TL_QUADRILATERAL4, TL_TETRAHEDRON4, TL_TETRAHEDRON10, TL_WEDGE6, TL_HEXAHEDRON8;

int tl_element_kinds(void);
const tl_element_kind *tl_element_kind_at(int index);
const tl_element_kind *tl_element_kind_named(const char *name); /* NULL: none */
const tl_element_kind *tl_element_kind_of_gmsh(int number);     /* NULL: none */

/* J = dx/dξ at ξ (row: direction of x) of an element with nodes at x, and its determinant: of the plane's 2 × 2. */
double tl_element_jacobian(const tl_element_kind *, const double (*x)[3], const double (*dN)[3], double J[3][3]);

/* The volume of such an element; in the plane, its area. */
double tl_element_volume(const tl_element_kind *, const double (*x)[3]);

#endif
