/* What particles are asked for between steps: energy, stresses, how they have yielded. */
#include <math.h>

#include "matter/solid_particles.h"

/* Gradients of the state to p->G, which is room between steps, and in a step between a residual and the next, where energies are asked for, too. */
static void find_gradients(const tl_solid *s) { tl_particle_gradients(&s->particles->fields, s->threads, s->u, s->particles->G); }

enum { WORTH = 100 }; /* particles: what they tell takes some ten microseconds */

/* Energies of particles, [J], in place of their gradients. */
static void find_energies(void *context, int begin, int end, int worker)
{
    const tl_solid *s = context;
    const tl_material *m = &s->region[0].material;
    const tl_solid_particles *p = s->particles;
    (void)worker;
    for (int i = begin; i < end; i++) {
        const double *memory = s->before + tl_particle_memory_of(s, i);
        tl_mat3 G = tl_mat3_of_columns(p->G[i]);
        double strain[6], volume = 1;
        p->G[i][0][0] = 0;
        if (tl_particles_are_renewed(s)) {
            if (tl_particle_is_torn(s, memory)) continue;
            G = tl_particle_seen(&G, memory + m->kind->states, &volume);
        }
        tl_particle_strain(&G, strain);
        p->G[i][0][0] = volume * p->fit.volume[i] * m->kind->energy(m->parameter, strain, memory);
    }
}

double tl_particles_energy(const tl_solid *s)
{
    tl_solid_particles *p = s->particles;
    find_gradients(s);
    tl_stabilisation_carry(&p->rows, s->threads, &(tl_particle_field){s->dimension, s->u, (const tl_columns *)p->G}, p->fit.volume,
                           tl_particle_rests_of(s, s->before));
    double sum = p->holding * tl_stabilisation_energy(&p->rows, s->dimension, s->u);
    tl_parallel_for(s->threads, p->fit.particles, WORTH, find_energies, (void *)(uintptr_t)s);
    for (int i = 0; i < p->fit.particles; i++) sum += p->G[i][0][0];
    return sum;
}

/* ---- stresses ------------------------------------------------------------------------------------------------------------------- */

static bool find_stress(const tl_solid *s, int i, tl_stress *out)
{
    const tl_mat3 G = tl_mat3_of_columns(s->particles->G[i]), F = tl_particle_deformation(&G);
    double after[TL_MATERIAL_STATES + TL_RENEWAL_STATES + TL_ROW_REST];
    tl_mat3 P;
    tl_particle_strain(&G, out->strain);
    if (!tl_particle_stress_of(s, &(tl_particle_motion){.G = &G}, s->before + tl_particle_memory_of(s, i), after, &P, NULL)) return false;
    tl_particle_cauchy(&F, &P, out->stress);
    return true;
}

static void find_stresses(void *context, int begin, int end, int worker)
{
    const tl_solid *s = context;
    (void)worker;
    for (int i = begin; i < end; i++)
        if (!find_stress(s, i, &s->particles->stress[i])) s->particles->stress[i].stress[0] = (double)NAN;
}

/* Of all particles, once for a state: elements share them. */
static void know_stresses(const tl_solid *s)
{
    tl_solid_particles *p = s->particles;
    if (p->stresses_known) return;
    find_gradients(s);
    tl_parallel_for(s->threads, p->fit.particles, WORTH, find_stresses, (void *)(uintptr_t)s);
    p->stresses_known = true;
}

bool tl_particles_mean_stress(const tl_solid *s, int e, tl_stress *out)
{
    const int begin = s->mesh.begin[e], nodes = s->mesh.begin[e + 1] - begin;
    *out = (tl_stress){.strain = {0}};
    know_stresses(s);
    for (int k = begin; k < begin + nodes; k++) {
        const tl_stress *own = &s->particles->stress[s->mesh.node[k]];
        if (isnan(own->stress[0])) return false;
        for (int c = 0; c < 6; c++) out->strain[c] += own->strain[c] / nodes, out->stress[c] += own->stress[c] / nodes;
    }
    return true;
}

/* ---- yielding ------------------------------------------------------------------------------------------------------------------- */

void tl_particles_yielded(const tl_solid *s, int i, double *strain, double *cap)
{
    const tl_material *m = &s->region[0].material;
    const double *memory = s->before + tl_particle_memory_of(s, i);
    m->kind->yielded(m->parameter, memory, strain, cap);
    if (tl_particles_are_renewed(s)) *strain = memory[m->kind->states + TL_RENEWAL_FLOW];
}

int tl_particles_torn(const tl_solid *s, int *first, double *mass)
{
    int count = 0;
    for (int i = 0; s->particles->lets_go && i < s->particles->fit.particles; i++) {
        if (!tl_particle_is_torn(s, s->before + tl_particle_memory_of(s, i))) continue;
        if (count++ == 0) *first = i;
        *mass += s->node_mass[i];
    }
    return count;
}
