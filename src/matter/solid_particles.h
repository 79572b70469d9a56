/* What particles remember, for the files of meshfree solids. Internal to them. */
#ifndef TL_SOLID_PARTICLES_H
#define TL_SOLID_PARTICLES_H

#include "matter/solid_internal.h"
#include "solid/particle_renewal.h"

/* Where that which a particle remembers begins in s->before and s->after. */
static inline size_t tl_particle_memory_of(const tl_solid *s, int i) { return (size_t)i * (size_t)s->particles->memory; }

/* Do particles remember references? */
static inline bool tl_particles_are_renewed(const tl_solid *s) { return s->particles->memory > s->region[0].material.kind->states; }

/* Where a particle remembers whether it is torn; of a solid that renews. */
static inline double *tl_particle_torn_of(const tl_solid *s, double *memory) { return memory + s->region[0].material.kind->states + TL_RENEWAL_TORN; }
static inline bool tl_particle_is_torn(const tl_solid *s, const double *memory)
{
    return tl_particles_are_renewed(s) && *tl_particle_torn_of(s, (double *)(uintptr_t)memory) != 0;
}

/* What rows have given way by, in what particles remember. */
static inline tl_row_rests tl_particle_rests_of(const tl_solid *s, double *memory)
{
    if (!tl_particles_are_renewed(s)) return (tl_row_rests){NULL, NULL, 0};
    double *own = memory + s->region[0].material.kind->states;
    return (tl_row_rests){own + TL_RENEWAL_STATES, own + TL_RENEWAL_TORN, s->particles->memory};
}

/* Stress P at G = F − 1, where F changes by `rate` a second unless NULL. */
static inline bool tl_particle_stress_of(const tl_solid *s, const tl_particle_motion *at, const double *before, double *after, tl_mat3 *P, double (*tangent)[9])
{
    const tl_material *m = &s->region[0].material;
    return tl_particles_are_renewed(s) ? tl_particle_stress_renewed(m, at, before, after, P, tangent) : tl_particle_stress(m, at, before, after, P, tangent);
}

#endif
