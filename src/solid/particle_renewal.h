/* A particle's reference renewed (theory §7.8). Green's strain, measured from a particle's first place, is no measure for what has flowed far: sheared by γ,
 * soil has a trace γ²/2 of it and no change of volume, and the stress that its law bounds is not Cauchy's. What flows is therefore measured from where it is,
 * time and again. With F_r the deformation when that was last done,
 *
 *     F' = F F_r⁻¹        E' = ½ (F'ᵀF' − 1)        S' of E' by the material        P = J_r F' S' F_r⁻ᵀ
 *
 * and P acts on neighbours by the gradients and the volume without strain, as ever: gradients by the new places would be F_r⁻ᵀ Λ, the volume J_r V. A renewal
 * turns the stress, S'' = R S' Rᵀ with F' = R U, through a plastic strain −C⁻¹ S'', so that it stays where it is on the yield surface. Mass, momentum, linear
 * fields and hardening are kept; forces, and the elastic energy, change by a share as large as E'. */
#ifndef TL_PARTICLE_RENEWAL_H
#define TL_PARTICLE_RENEWAL_H

#include "solid/particle_response.h"

/* What a particle remembers after what its material does: F_r⁻¹ − 1, row by row; how far it has flowed, ∫ √(ε̇_p:ε̇_p) dt; is it torn? All are 0 at the start. */
enum { TL_RENEWAL_FLOW = 9, TL_RENEWAL_TORN = 10, TL_RENEWAL_STATES = 11 };

/* As tl_particle_stress, of a particle whose memory after the material's is that. A torn one has no stress. False: not found, or inside out, seen from the
 * reference. */
bool tl_particle_stress_renewed(const tl_material *, const tl_particle_motion *, const double *before, double *after, tl_mat3 *P, double (*tangent)[9]);

/* G' = F F_r⁻¹ − 1, and J_r. */
tl_mat3 tl_particle_seen(const tl_mat3 *G, const double *memory, double *volume);

/* Is a particle at G what its model is made for? Its neighbours, by its first place, tell of it while no length is more than `stretch` times what it was, or
 * less than one over that; and an elastic one's stress falls again where a length has come to 1/√3. */
bool tl_particle_holds(const tl_material *, const tl_mat3 *G, double stretch);

/* Does it flow between these? How far is added to what it remembers. */
bool tl_particle_flows(const tl_material *, const double *before, double *after);

/* Of a particle at G, whose strain E' is larger than `beyond` (√(E':E')): its reference is renewed, in its memory. False: it is not. */
bool tl_particle_renew(const tl_material *, const tl_mat3 *G, double beyond, double *memory);

#endif
