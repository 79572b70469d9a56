/* Stresses, yielding, forces and energies of solids, and places in them, through the public interface (talus/solid.h). */
#include <string.h>

#include "matter/solid.h"
#include "world/world.h"

bool talus_solid_stress(const talus_world *w, talus_solid_id solid, int element, double strain[6], double stress[6])
{
    const tl_matter *m = tl_world_solid_matter(w, solid);
    tl_stress mean = {0};
    double volume;
    if (!m || element < 0 || element >= tl_solid_mesh(m)->elements || !tl_solid_mean_stress(m, element, &mean, &volume)) return false;
    if (strain) memcpy(strain, mean.strain, sizeof mean.strain);
    if (stress) memcpy(stress, mean.stress, sizeof mean.stress);
    return true;
}

bool talus_solid_yielded(const talus_world *w, talus_solid_id solid, int element, double *plastic_strain, double *cap)
{
    const tl_matter *m = tl_world_solid_matter(w, solid);
    *plastic_strain = *cap = 0;
    return m && element >= 0 && element < tl_solid_mesh(m)->elements && tl_solid_yielded(m, element, plastic_strain, cap);
}

int talus_solid_torn(const talus_world *w, talus_solid_id solid, double *mass)
{
    const tl_matter *m = tl_world_solid_matter(w, solid);
    int first;
    *mass = 0;
    return m ? tl_solid_torn(m, &first, mass) : 0;
}

void talus_solid_nodal_stress(const talus_world *w, talus_solid_id solid, double (*strain)[6], double (*stress)[6])
{
    const tl_matter *m = tl_world_solid_matter(w, solid);
    if (m) tl_solid_nodal_stress(m, strain, stress);
}

bool talus_solid_locate(const talus_world *w, talus_solid_id solid, const double x[3], talus_solid_point *out)
{
    const tl_matter *m = tl_world_solid_matter(w, solid);
    return m && x && out && tl_solid_locate(m, x, out);
}

void talus_solid_mean_motion(const talus_world *w, talus_solid_id solid, const int *node, const double *weight, int nodes, double motion[2][3])
{
    const tl_matter *m = tl_world_solid_matter(w, solid);
    memset(motion, 0, 2 * sizeof *motion);
    if (!m || !node || !weight) return;
    const tl_element_mesh *mesh = tl_solid_mesh(m);
    const double *u = tl_solid_displacement(m), *v = tl_solid_velocity(m);
    for (int i = 0; i < nodes; i++) {
        if (node[i] < 0 || node[i] >= mesh->nodes) continue;
        for (int a = 0; a < mesh->dimension; a++) {
            motion[0][a] += weight[i] * u[mesh->dimension * node[i] + a];
            motion[1][a] += weight[i] * v[mesh->dimension * node[i] + a];
        }
    }
}

void talus_solid_resultant(const talus_world *w, talus_solid_id solid, const int *node, int nodes, double force[3])
{
    const tl_matter *m = tl_world_solid_matter(w, solid);
    memset(force, 0, 3 * sizeof *force);
    if (!m) return;
    for (int k = 0; k < nodes; k++)
        if (node[k] < 0 || node[k] >= tl_solid_mesh(m)->nodes) return;
    tl_solid_resultant(m, node, nodes, force);
}

size_t talus_solid_factor_bytes(const talus_world *w, talus_solid_id solid)
{
    const tl_matter *m = tl_world_solid_matter(w, solid);
    return m ? tl_solid_factor_bytes(m) : 0;
}

void talus_solid_energy(const talus_world *w, talus_solid_id solid, double *kinetic, double *elastic, double *weight)
{
    const tl_matter *m = tl_world_solid_matter(w, solid);
    tl_solid_energies out = {0};
    if (m) tl_solid_energy(m, w->def.gravity, &out);
    if (kinetic) *kinetic = out.kinetic;
    if (elastic) *elastic = out.elastic;
    if (weight) *weight = out.weight;
}
