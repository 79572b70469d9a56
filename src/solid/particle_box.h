/* Particles that fill a box of a lattice: gradients, their transpose and the stiffness at rest as differences of rows (theory §7.2, §7.7).
 *
 * All of them have the same neighbours but for ghosts, so with ghosts in rows of their own around the box one stencil holds everywhere:
 *
 *     ∂u/∂x = A(x + a) − A(x − a),      A = α u + β Σ u beside + γ Σ u across corners
 *
 * and many particles of a row are taken at once, without lists. What acts on ghosts acts on those whom they stand for. A field is three components, each of
 * `slots` numbers, row by row, with zeros at the end of each row up to whole lanes. */
#ifndef TL_PARTICLE_BOX_H
#define TL_PARTICLE_BOX_H

#include "solid/columns.h"
#include "solid/least_squares.h"

enum { TL_BOX_REACH = 3 /* of a row of the stabilisation */, TL_BOX_WORKERS = 8 /* that a product is divided among, at most */ };
typedef double tl_box_band[2 * TL_BOX_REACH + 1];

typedef struct tl_particle_box {
    tl_memory memory;
    int particles;                /* 0: there is no box */
    int axis[3];                  /* of the lattice, along which rows run, lie beside one another, and above; components go in this order, too */
    int count[3];                 /* particles along each */
    int lanes, slots;             /* numbers of a row and of a component of a field */
    int stride;                   /* numbers of a row with ghosts */
    int *slot;                    /* [particles] */
    int *particle;                /* [count] row by row */
    double slope[3];              /* α, β, γ [1/m] */
    double *volume;               /* [slots] without strain */
    double *turned;               /* [10][slots] F⁻¹ and V J of particles whose stiffness is turned */
    double *field;                /* [3 slots] room */
    double *x;                    /* [3][rows with ghosts × stride] room */
    double *none;                 /* [stride] zeros */
    double *room[TL_BOX_WORKERS]; /* three layers of stresses, and what they exert */
    double *along;       /* [7][lanes] of the stabilisation: what particles of a row feel of those before and behind, over the halves of the others [m] */
    tl_box_band *row[3]; /* [count] the same for c = 1 Pa along each axis */
    double *half[3];     /* [count, up to whole lanes] 1, and ½ at both ends */
} tl_particle_box;

/* Of a fit whose particles fill a box in space; else out->particles is 0. MEMORY. */
TALUS_NODISCARD talus_status tl_particle_box_create(tl_memory, const tl_least_squares *, tl_particle_box *out, tl_error *);
void tl_particle_box_free(tl_particle_box *);

/* Three numbers of each particle, in the order of particles, to a field and back. */
void tl_box_field(const tl_particle_box *, const double *of_particles, double *field);
void tl_box_particles(const tl_particle_box *, const double *field, double *of_particles);

/* As tl_particle_gradients, tl_particle_pushes and tl_stabilisation_add. */
void tl_box_gradients(tl_particle_box *, tl_threads *, const double *u, tl_columns *G);
void tl_box_pushes(tl_particle_box *, tl_threads *, const tl_columns *P, double scale, double *f);
void tl_box_hold(tl_particle_box *, tl_threads *, double c, const double *u, double *f);

/* With which stiffness a box answers: Hooke's law, as it is or as it has been turned; rows are held by a modulus [Pa]. */
typedef struct tl_box_law {
    double lame, shear, holding; /* [Pa] */
    bool turned;
} tl_box_law;
/* dP = J C[dF B] Bᵀ from now on, with B [particles] = F⁻¹. */
void tl_box_turn(tl_particle_box *, const tl_columns *B);
/* y = scale K x, of fields. */
void tl_box_stiffness(tl_particle_box *, tl_threads *, const tl_box_law *, double scale, const double *x, double *y);

#endif
