/* What a particle of a meshfree solid resists with (theory §7.2; N18 eq. 12-15, 24-26): its strain is Green and Lagrange's, which no rotation changes, its
 * stress Piola and Kirchhoff's second, S of the material at E = ½ (FᵀF − 1), F = 1 + Σ_j u_j ⊗ Λ_j. Total Lagrangian: gradients and volume are those without
 * strain. */
#ifndef TL_PARTICLE_RESPONSE_H
#define TL_PARTICLE_RESPONSE_H

#include "base/math.h"
#include "solid/material.h"

/* G = F − 1 of a particle from the displacements of its neighbours [neighbours][3] and its gradients. All else starts from G, for small strains would drown in
 * the rounding of F. */
tl_mat3 tl_particle_gradient(int neighbours, const double (*gradient)[3], const double (*u)[3]);
static inline tl_mat3 tl_particle_deformation(const tl_mat3 *G)
{
    tl_mat3 F = *G;
    for (int k = 0; k < 3; k++) F.m[k][k] += 1;
    return F;
}
/* E = ½ (G + Gᵀ + GᵀG), six numbers (material.h). */
void tl_particle_strain(const tl_mat3 *G, double strain[6]);
/* Its rate, where F changes by dF a second. */
void tl_particle_strain_rate(const tl_mat3 *F, const tl_mat3 *dF, double rate[6]);
/* P = F S. */
void tl_particle_push(const tl_mat3 *F, const double S[6], tl_mat3 *P);
/* Where a particle is, and how it moves. Stress is that of E + β Ė: what is elastic is damped by β C Ė, which no rotation feels, and what yields carries no
 * more than its strength however fast it flows. */
typedef struct tl_particle_motion {
    const tl_mat3 *G, *rate; /* dF a second; NULL: nothing is damped */
    double damping;          /* β [s] */
} tl_particle_motion;
/* P = F S, with which it resists: force on neighbour j is −V P Λ_j. `tangent` unless NULL: dP_iJ/dF_kL as [3 i + J][3 k + L]. What is remembered as in
 * material.h. False: the material finds no answer, or det F ≤ 0, the particle is turned inside out. */
bool tl_particle_stress(const tl_material *, const tl_particle_motion *, const double *before, double *after, tl_mat3 *P, double (*tangent)[9]);
double tl_particle_volume(const tl_mat3 *F); /* det F */
/* Cauchy's stress P Fᵀ/det F of it, six numbers. */
void tl_particle_cauchy(const tl_mat3 *F, const tl_mat3 *P, double stress[6]);

#endif
