/* Faces of elements: their shape functions, and integrals over them.
 *
 * A face has the shape functions of a kind of its own, whose dimension is one less than the element's: those of the
 * element, restricted to it. Its ξ turn outwards by the right hand; of an edge in the plane the element is at the left. */
#ifndef TL_FACE_H
#define TL_FACE_H

#include "solid/element.h"

enum { TL_FACE_POINTS = 6 };

/* A point of a quadrature over a face: Σ f(point) dA over them is the integral of f. */
typedef struct tl_face_point {
    double N[TL_FACE_NODES];                          /* what the face's nodes weigh there */
    double area[3];                                   /* outward normal times dA; of an edge, times its length [m², m] */
    double dN[TL_FACE_NODES][2], along[2][3], weight; /* area = weight along₀ × along₁, along_k = Σ x_a dN_ak; of an edge along₁ is z */
} tl_face_point;

/* Of a face of an element of this dimension. */
const tl_element_kind *tl_face_kind(const tl_element_face *, int dimension);

/* Points with which N_a N_b dA is integrated exactly over flat parallelograms, flat triangles and straight edges, and N_a n dA over any
 * face. x: places of the face's nodes. Returns how many points. */
int tl_face_points(const tl_element_face *, int dimension, const double (*x)[3], tl_face_point *out);

#endif
