/* Forces, stiffness and mass of one element (theory §10.1).
 *
 * Unknowns are displacements of its nodes [m], node by node, two numbers in the plane and three in space. Where the
 * strain is taken from them in other ways than by the shape functions alone:
 *
 *   mean volume   the change of volume is the element's mean (B-bar, Hughes 1980): nothing locks near ν = ½;
 *   enhanced      modes of strain of the element's own, found so that stress does no work on them (Simo and Rifai
 *                 1990): bending does not lock either. They are eliminated here, element by element.
 *
 * Strains are small. Those of an element that `turns` are measured in axes that turn with it (turning.h), whose displacements
 * may be large. Its strain and stress are said along the world's axes; its material remembers along its own. */
#ifndef TL_ELEMENT_RESPONSE_H
#define TL_ELEMENT_RESPONSE_H

#include "base/base.h"
#include "solid/element.h"
#include "solid/material.h"
#include "solid/turning.h"

/* All elements of one kind and one material. */
typedef struct tl_element {
    const tl_element_kind *kind;
    const tl_material *material;
    talus_strain strain; /* of those that the kind allows */
    bool plane_stress;   /* in the plane; false: plane strain */
    double thickness;    /* in the plane [m] */
    double density;      /* [kg/m³] */
    bool turns;
    /* Of one that turns, where they are known already (NULL: not): mean gradients [nodes], and, where it is elastic, the stiffness in its axes [unknowns²],
     * from which its forces are then had at once. With that it remembers nothing. */
    const double (*mean)[3], *stiffness;
} tl_element;

enum { TL_ELEMENT_UNKNOWNS = 3 * TL_ELEMENT_NODES };

/* How many numbers an element remembers: the material's of each point, then its enhanced modes; of one that turns and whose material remembers nothing none. */
int tl_element_states(const tl_element *);

/* What an element remembers, before the displacement and with it. Both [tl_element_states]; may be NULL where that is 0. */
typedef struct tl_element_history {
    const double *before;
    double *after;
} tl_element_history;

/* Nodal forces f [unknowns] with which the element resists displacements u of nodes at x, and the derivative K [unknowns²], row by row; f or K may be NULL.
 * False: the element is turned inside out, or the material or the modes find no answer. */
bool tl_element_response(const tl_element *, const double (*x)[3], const double *u, tl_element_history, double *f, double *K);

/* How far an element whose strains and rotations count as small is from that, in its middle, where ∇u = ε + ω×. */
typedef struct tl_element_size {
    double turned;   /* [rad]: |ω| */
    double strained; /* ‖ε‖ */
    double volume;   /* det(1 + ∇u): negative where it is inside out */
} tl_element_size;
tl_element_size tl_element_measure(const tl_element *, const double (*x)[3], const double *u);

/* Of each node, the mean of its shape function's gradient over the element [1/m]. False: inside out. */
bool tl_element_mean_gradients(const tl_element *, const double (*x)[3], double (*mean)[3]);

/* Where an element that turns stands. False: turned inside out. */
bool tl_element_turning(const tl_element *, const double (*x)[3], const double *u, double (*mean)[3], tl_turning *out);

/* Of one that turns and knows its stiffness: nodal forces of that against the rate of its strain, times `scale`, added to f; v: velocities of its nodes. */
bool tl_element_damp(const tl_element *, const double (*x)[3], const double *u, const double *v, double scale, double *f);

/* Mass [kg] of node i with node j, [nodes²], the same along every direction. `lumped`: a diagonal of the consistent one's, scaled so that the whole mass is
 * there (Hinton, Rock and Zienkiewicz 1976); positive for every kind. False: inside out. */
bool tl_element_mass(const tl_element *, const double (*x)[3], bool lumped, double *M);

typedef struct tl_stress {
    double strain[6], stress[6]; /* [1], [Pa] */
} tl_stress;

/* Strain and stress at point `point` of the stiffness' quadrature, from what the element remembers with u. */
bool tl_element_stress(const tl_element *, const double (*x)[3], const double *u, const double *state, int point, tl_stress *out);

/* Mean strain and stress over the element, and its volume [m³]. `state` NULL: of an element that remembers nothing and whose modes, the mean of which vanishes,
 * are not known. */
bool tl_element_mean_stress(const tl_element *, const double (*x)[3], const double *u, const double *state, tl_stress *out, double *volume);

/* Elastic energy [J] that is stored. */
double tl_element_energy(const tl_element *, const double (*x)[3], const double *u, const double *state);

#endif
