/* What solids are asked for: forces on nodes, energies, stresses (solid.h). */
#include <string.h>

#include "matter/solid_internal.h"
#include "solid/locate.h"

static const tl_solid *solid_in(const tl_matter *m) { return (const tl_solid *)m; }

/* ---- forces on nodes ------------------------------------------------------------------------------------------------------------ */

void tl_solid_keep_start(tl_solid *s, const tl_step *step)
{
    const size_t nv = (size_t)s->matter.nv;
    memcpy(s->u_start, s->u, nv * sizeof *s->u);
    memcpy(s->v_start, s->v, nv * sizeof *s->v);
    if (s->states > 0) memcpy(s->before_start, s->before, (size_t)s->states * sizeof *s->before);
    s->last = tl_solid_span_of(s, step);
    s->last.u = s->u_start, s->last.v = s->v_start, s->last.memory = s->before_start;
}

/* What the last step's momentum lacks, into s->work: under a θ step exactly its equation; else with the mean of the forces at its start and its end. */
static bool lacking(tl_solid *s)
{
    const tl_solid_span *last = &s->last;
    double *out = s->work, *change = s->v_next;
    if (s->by_theta) return tl_solid_residual(s, last, s->matter.theta, s->v, out);
    memset(out, 0, (size_t)s->matter.nv * sizeof *out);
    if (!tl_solid_add_forces(s, &(tl_solid_moment){last->t, last->gravity, last->u, last->v, last->memory}, out)) return false;
    if (!tl_solid_add_forces(s, &(tl_solid_moment){last->t + last->h, last->gravity, s->u, s->v, last->memory}, out)) return false;
    for (int i = 0; i < s->matter.nv; i++) out[i] *= 0.5 * last->h, change[i] = s->v[i] - last->v[i];
    tl_solid_add_mass(s, -1, change, out);
    return true;
}

/* What absorbing faces do is not the solid's: it acts on it from beyond. */
static void leave_outside(tl_solid *s)
{
    const int d = tl_solid_axes(s);
    const double h = s->last.h, theta = s->by_theta ? s->matter.theta : 0.5;
    double *rate = s->v_next;
    if (!s->damper) return;
    for (int i = 0; i < s->matter.nv; i++) rate[i] = theta * s->v[i] + (1 - theta) * s->last.v[i];
    tl_solid_rate_held(s, s->last.t + theta * h, rate);
    tl_solid_add_dampers(s, h, rate, s->work);
    const tl_push *carried = s->carried1 > 0 ? &s->push[s->carried1 - 1] : NULL;
    for (int k = 0; carried && k < carried->count; k++)
        for (int a = 0; a < d; a++) s->work[d * carried->node[k] + a] -= h * carried->weight[k][a];
}

void tl_solid_resultant(const tl_matter *matter, const int *node, int nodes, double force[3])
{
    tl_solid *s = (tl_solid *)(uintptr_t)matter; /* between steps its vectors are scratch */
    const int d = tl_solid_axes(s);
    for (int a = 0; a < 3; a++) force[a] = 0;
    if (!(s->last.h > 0) || !lacking(s)) return;
    leave_outside(s);
    for (int k = 0; k < nodes; k++)
        for (int a = 0; a < d; a++) force[a] -= s->work[d * node[k] + a] / s->last.h;
}

/* ---- energies ------------------------------------------------------------------------------------------------------------------- */

static double stored(const tl_solid *s)
{
    double sum = 0, *work = s->work;
    if (s->linear) {
        memset(work, 0, (size_t)s->matter.nv * sizeof *work);
        tl_solid_add_stiffness(s, 0.5, s->u, work);
        for (int i = 0; i < s->matter.nv; i++) sum += work[i] * s->u[i];
        return sum;
    }
    if (s->particles) return tl_particles_energy(s);
    for (int e = 0; e < s->mesh.elements; e++) {
        double x[TL_ELEMENT_NODES][3], u[TL_ELEMENT_UNKNOWNS];
        tl_solid_element_at(s, e, s->u, x, u);
        sum += tl_element_energy(&s->element[e], (const double(*)[3])x, u, tl_solid_memory_of(s, e, s->before));
    }
    return sum;
}

size_t tl_solid_factor_bytes(const tl_matter *matter)
{
    const tl_solid *s = solid_in(matter);
    size_t bytes = 0;
    for (int k = 0; k < s->factors; k++) bytes += tl_factor_bytes(s->kept_factor[k].factor);
    return bytes;
}

void tl_solid_energy(const tl_matter *matter, const double gravity[3], tl_solid_energies *out)
{
    const tl_solid *s = solid_in(matter);
    const int d = tl_solid_axes(s), nv = matter->nv;
    double *work = s->work;
    *out = (tl_solid_energies){0};
    memset(work, 0, (size_t)nv * sizeof *work);
    tl_solid_add_mass(s, 0.5, s->v, work);
    for (int i = 0; i < nv; i++) out->kinetic += work[i] * s->v[i];
    for (int i = 0; i < s->mesh.nodes; i++)
        for (int a = 0; a < d; a++) out->weight -= s->node_mass[i] * gravity[a] * (s->mesh.x[i][a] + s->u[d * i + a]);
    out->elastic = stored(s);
}

/* ---- stresses ------------------------------------------------------------------------------------------------------------------- */

bool tl_solid_mean_stress(const tl_matter *matter, int e, tl_stress *out, double *volume)
{
    const tl_solid *s = solid_in(matter);
    double x[TL_ELEMENT_NODES][3], u[TL_ELEMENT_UNKNOWNS];
    tl_solid_element_at(s, e, s->u, x, u);
    if (s->particles) {
        *volume = tl_element_volume(s->mesh.kind[e], (const double(*)[3])x) * s->element[e].thickness;
        return tl_particles_mean_stress(s, e, out);
    }
    return tl_element_mean_stress(&s->element[e], (const double(*)[3])x, u, tl_solid_memory_of(s, e, s->before), out, volume);
}

void tl_solid_nodal_stress(const tl_matter *matter, double (*strain)[6], double (*stress)[6])
{
    const tl_solid *s = solid_in(matter);
    const int nodes = s->mesh.nodes;
    double *around = s->work; /* [nodes] volumes */
    memset(around, 0, (size_t)nodes * sizeof *around);
    if (strain) memset(strain, 0, (size_t)nodes * sizeof *strain);
    if (stress) memset(stress, 0, (size_t)nodes * sizeof *stress);
    for (int e = 0; e < s->mesh.elements; e++) {
        tl_stress mean = {0};
        double volume = 0;
        if (!tl_solid_mean_stress(matter, e, &mean, &volume)) continue;
        for (int k = s->mesh.begin[e]; k < s->mesh.begin[e + 1]; k++) {
            const int i = s->mesh.node[k];
            around[i] += volume;
            for (int c = 0; c < 6; c++) {
                if (strain) strain[i][c] += volume * mean.strain[c];
                if (stress) stress[i][c] += volume * mean.stress[c];
            }
        }
    }
    for (int i = 0; i < nodes; i++)
        for (int c = 0; c < 6 && around[i] > 0; c++) {
            if (strain) strain[i][c] /= around[i];
            if (stress) stress[i][c] /= around[i];
        }
}

/* ---- yielding ------------------------------------------------------------------------------------------------------------------- */

bool tl_solid_yielded(const tl_matter *matter, int e, double *strain, double *cap)
{
    const tl_solid *s = solid_in(matter);
    const tl_material *m = s->element[e].material;
    const int begin = s->mesh.begin[e], points = s->particles ? s->mesh.begin[e + 1] - begin : s->element[e].kind->points;
    *strain = *cap = 0;
    if (!m->kind->yielded) return false;
    for (int p = 0; p < points; p++) {
        double own_strain, own_cap;
        if (s->particles) tl_particles_yielded(s, s->mesh.node[begin + p], &own_strain, &own_cap);
        else m->kind->yielded(m->parameter, s->before + s->state_begin[e] + p * m->kind->states, &own_strain, &own_cap);
        *strain += own_strain / points, *cap += own_cap / points;
    }
    return true;
}

int tl_solid_torn(const tl_matter *matter, int *first, double *mass)
{
    const tl_solid *s = solid_in(matter);
    *first = 0, *mass = 0;
    return s->particles ? tl_particles_torn(s, first, mass) : 0;
}

/* ---- places --------------------------------------------------------------------------------------------------------------------- */

bool tl_solid_locate(const tl_matter *matter, const double x[3], talus_solid_point *out) { return tl_element_mesh_locate(tl_solid_mesh(matter), x, out); }

/* ---- how far from small ----------------------------------------------------------------------------------------------------------- */

tl_solid_extremes tl_solid_farthest(const tl_matter *matter)
{
    const tl_solid *s = solid_in(matter);
    tl_solid_extremes far = {0};
    for (int e = 0; !s->large && !s->particles && e < s->mesh.elements; e++) {
        double x[TL_ELEMENT_NODES][3], u[TL_ELEMENT_UNKNOWNS];
        tl_solid_element_at(s, e, s->u, x, u);
        const tl_element_size size = tl_element_measure(&s->element[e], (const double(*)[3])x, u);
        if (size.turned > far.turned) far.turned = size.turned, far.turned1 = e + 1;
        if (size.strained > far.strained) far.strained = size.strained, far.strained1 = e + 1;
        if (!(size.volume > 0) && far.inside_out1 == 0) far.inside_out1 = e + 1;
    }
    return far;
}

void tl_solid_middle(const tl_matter *matter, int index, double at[3]) { tl_store3(at, tl_solid_place_of(solid_in(matter), index)); }
