/* Gradients of fields at all particles of a lattice, and their transpose (theory §7.2):
 *
 *     G_i = Σ_j u_j ⊗ Λ_ij          f_j = Σ_i V_i P_i Λ_ij
 *
 * by lists of neighbours, or by rows where particles fill a box (particle_box.h). The second sums by the nodes that it acts on, so that threads share both,
 * with the same bits for every number of them. */
#ifndef TL_PARTICLE_FIELDS_H
#define TL_PARTICLE_FIELDS_H

#include "solid/particle_box.h"

typedef struct tl_particle_fields {
    tl_memory memory;
    int dimension;
    const tl_least_squares *fit;
    int *begin, *particle; /* which particles have j as a neighbour: particle[begin[j]] …; not of a box */
    double (*push)[3];     /* V_i Λ_ij of these */
    double *field;         /* [particles][TL_COLUMN] room */
    tl_particle_box box;   /* in which they are, if they fill one */
} tl_particle_fields;

/* Of a fit that outlives it, with volumes [m³] and gradients as they are now. MEMORY. */
TALUS_NODISCARD talus_status tl_particle_fields_create(tl_memory, int dimension, const tl_least_squares *, tl_particle_fields *out, tl_error *);
void tl_particle_fields_free(tl_particle_fields *);
/* G [particles] of u [particles × dimension]; in the plane the third column and row vanish. */
void tl_particle_gradients(tl_particle_fields *, tl_threads *, const double *u, tl_columns *G);
/* f [particles × dimension] += scale times that of P [particles]. */
void tl_particle_pushes(tl_particle_fields *, tl_threads *, const tl_columns *P, double scale, double *f);

#endif
