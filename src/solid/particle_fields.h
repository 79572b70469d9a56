/* Gradients of fields at all particles of a lattice, and their transpose (theory §7.2):
 *
 *     G_i = Σ_j u_j ⊗ Λ_ij          f_j = Σ_i V_i P_i Λ_ij
 *
 * The second sums by the nodes that it acts on, so that threads share both, with the same bits for every number of them. */
#ifndef TL_PARTICLE_FIELDS_H
#define TL_PARTICLE_FIELDS_H

#include "base/math.h"
#include "solid/least_squares.h"

enum { TL_COLUMN = 4 };                  /* numbers of a column: three, and one that is anyone's */
typedef double tl_columns[3][TL_COLUMN]; /* of a tensor: column c, row a is [c][a] */

typedef struct tl_particle_fields {
    tl_memory memory;
    int dimension;
    const tl_least_squares *fit;
    int *begin, *particle; /* which particles have j as a neighbour: particle[begin[j]] … */
    double (*push)[3];     /* V_i Λ_ij of these */
    double *field;         /* [particles][TL_COLUMN] room */
} tl_particle_fields;

/* Of a fit that outlives it, with volumes [m³] and gradients as they are now. MEMORY. */
TALUS_NODISCARD talus_status tl_particle_fields_create(tl_memory, int dimension, const tl_least_squares *, tl_particle_fields *out, tl_error *);
void tl_particle_fields_free(tl_particle_fields *);
/* G [particles] of u [particles × dimension]; in the plane the third column and row vanish. */
void tl_particle_gradients(tl_particle_fields *, tl_threads *, const double *u, tl_columns *G);
/* f [particles × dimension] += scale times that of P [particles]. */
void tl_particle_pushes(const tl_particle_fields *, tl_threads *, const tl_columns *P, double scale, double *f);

static inline tl_mat3 tl_mat3_of_columns(tl_columns c)
{
    return (tl_mat3){{{c[0][0], c[1][0], c[2][0]}, {c[0][1], c[1][1], c[2][1]}, {c[0][2], c[1][2], c[2][2]}}};
}

static inline void tl_columns_of_mat3(const tl_mat3 *m, tl_columns c)
{
    for (int k = 0; k < 3; k++)
        for (int a = 0; a < 3; a++) c[k][a] = m->m[a][k];
}

#endif
