/* Meshfree solids (theory §7): particles at the nodes of a mesh of equal cubes, or squares, which tell the surface and what is drawn and have no stiffness of
 * their own. Strain is that of particles, as large as it likes; everything else of a solid (what holds it, loads, contacts, joints) is that of its nodes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/integers.h"
#include "matter/solid_internal.h"
#include "solid/particle_response.h"

enum { AROUND = 27 };
static const double UNEVEN = 1e-6; /* of the spacing */

/* ---- the lattice ---------------------------------------------------------------------------------------------------------------- */

/* Axes and spacing of the lattice, from the edges at the first node of the first element; 0: they are not equal. */
static double find_axes(const tl_solid *s, tl_mat3 *axes)
{
    static const int END[3] = {1, 3, 4}; /* of the edges of a hexahedron, and of a quadrilateral */
    const int *node = s->mesh.node;
    const tl_vec3 origin = tl_load3(s->mesh.x[node[0]]);
    double spacing = 0;
    *axes = tl_mat3_identity();
    for (int k = 0; k < tl_solid_axes(s); k++) {
        const tl_vec3 edge = tl_sub(tl_load3(s->mesh.x[node[END[k]]]), origin), e = tl_normalize(edge);
        if (k == 0) spacing = tl_norm(edge);
        if (fabs(tl_norm(edge) - spacing) > UNEVEN * spacing) return 0;
        axes->m[0][k] = e.x, axes->m[1][k] = e.y, axes->m[2][k] = e.z;
    }
    return spacing;
}

/* Every node's site; INPUT: it is at none. */
static talus_status find_sites(const tl_solid *s, const tl_mat3 *axes, double spacing, int (*site)[3], tl_error *error)
{
    const tl_vec3 origin = tl_load3(s->mesh.x[s->mesh.node[0]]);
    for (int i = 0; i < s->mesh.nodes; i++) {
        const tl_vec3 away = tl_sub(tl_load3(s->mesh.x[i]), origin), at = tl_mat3_apply_t(axes, away);
        const double place[3] = {at.x / spacing, at.y / spacing, at.z / spacing};
        for (int k = 0; k < 3; k++) {
            site[i][k] = (int)lround(place[k]);
            if (fabs(place[k] - site[i][k]) > UNEVEN)
                return tl_fail(error, TALUS_INPUT, "solid '%s' is meshfree: its particles need a box of equal %s, and node %d is %.3g m from where it would be",
                               s->matter.name, s->dimension == 3 ? "cubes" : "squares", i + 1, fabs(place[k] - site[i][k]) * spacing);
        }
    }
    return TALUS_OK;
}

static talus_status check(const tl_solid *s, const tl_solid_def *def, tl_error *error)
{
    const char *kind = s->dimension == 3 ? "hexahedron8" : "quadrilateral4";
    for (int e = 0; e < s->mesh.elements; e++)
        if (strcmp(s->mesh.kind[e]->name, kind) != 0)
            return tl_fail(error, TALUS_INPUT, "solid '%s' is meshfree: its particles need a box of equal %s, and element %d is a %s", def->name,
                           s->dimension == 3 ? "cubes" : "squares", e + 1, s->mesh.kind[e]->name);
    if (def->regions > 1) return tl_fail(error, TALUS_INPUT, "solid '%s' is meshfree and has %d regions: it takes one", def->name, def->regions);
    if (def->large_rotations) return tl_fail(error, TALUS_INPUT, "solid '%s' is meshfree: its rotations are large without being told", def->name);
    if (def->plane_stress) return tl_fail(error, TALUS_INPUT, "solid '%s' is meshfree: it knows plane strain only", def->name);
    return TALUS_OK;
}

/* Nodes of common particles, in place of those of common elements. */
static talus_status find_pattern(tl_solid *s, tl_error *error)
{
    const tl_least_squares *fit = s->particles;
    tl_pattern *p = &s->mesh.pattern;
    const tl_memory memory = s->matter.memory;
    int *mark = tl_alloc(memory, (size_t)p->nodes + 1, sizeof *mark), *neighbour = NULL, capacity = 0, held = 0;
    talus_status status = mark ? TALUS_OK : TALUS_MEMORY;
    for (int i = 0; i < p->nodes && status == TALUS_OK; i++) {
        p->begin[i] = held;
        status = tl_grow(memory, &neighbour, &capacity, held + AROUND * AROUND, sizeof *neighbour);
        for (int k = fit->begin[i]; k < fit->begin[i + 1] && status == TALUS_OK; k++) {
            const int other = fit->neighbour[k];
            for (int j = fit->begin[other]; j < fit->begin[other + 1]; j++)
                if (mark[fit->neighbour[j]] != i + 1) mark[fit->neighbour[j]] = i + 1, neighbour[held++] = fit->neighbour[j];
        }
        if (status == TALUS_OK) qsort(neighbour + p->begin[i], (size_t)(held - p->begin[i]), sizeof *neighbour, tl_ascending);
    }
    tl_free(memory, mark);
    if (status != TALUS_OK) {
        tl_free(memory, neighbour);
        return tl_fail(error, status, "no memory for the pattern of %d particles", p->nodes);
    }
    p->begin[p->nodes] = held;
    tl_free(memory, p->neighbour);
    p->neighbour = neighbour;
    return TALUS_OK;
}

talus_status tl_solid_make_particles(tl_solid *s, const tl_solid_def *def, tl_error *error)
{
    tl_mat3 axes;
    TL_TRY(check(s, def, error));
    const double spacing = find_axes(s, &axes);
    if (!(spacing > 0))
        return tl_fail(error, TALUS_INPUT, "solid '%s' is meshfree: its particles need a box of equal %s", def->name, s->dimension == 3 ? "cubes" : "squares");
    int(*site)[3] = tl_alloc(s->matter.memory, (size_t)s->mesh.nodes + 1, sizeof *site);
    tl_least_squares *fit = tl_alloc(s->matter.memory, 1, sizeof *fit);
    if (!site || !fit) {
        tl_free(s->matter.memory, site), tl_free(s->matter.memory, fit);
        return tl_fail(error, TALUS_MEMORY, "no memory for %d particles", s->mesh.nodes);
    }
    const tl_least_squares_def d = {s->dimension, s->mesh.nodes, (const int(*)[3])site, spacing, def->influence};
    talus_status status = find_sites(s, &axes, spacing, site, error);
    if (status == TALUS_OK) status = tl_least_squares_create(s->matter.memory, &d, fit, error);
    tl_free(s->matter.memory, site);
    if (status != TALUS_OK) {
        tl_free(s->matter.memory, fit);
        return status;
    }
    s->particles = fit;
    for (int k = 0; k < fit->begin[fit->particles]; k++) tl_store3(fit->gradient[k], tl_mat3_apply(&axes, tl_load3(fit->gradient[k])));
    for (int i = 0; i < fit->particles; i++) fit->volume[i] *= s->dimension == 2 ? def->thickness : 1;
    return find_pattern(s, error);
}

void tl_solid_free_particles(tl_solid *s)
{
    if (!s->particles) return;
    tl_least_squares_free(s->particles);
    tl_free(s->matter.memory, s->particles);
}

/* ---- one particle --------------------------------------------------------------------------------------------------------------- */

static tl_mat3 deformation_at(const tl_solid *s, int i, const double *u)
{
    const tl_least_squares *fit = s->particles;
    const int d = tl_solid_axes(s), begin = fit->begin[i], count = fit->begin[i + 1] - begin;
    double near[AROUND][3];
    for (int j = 0; j < count; j++)
        for (int a = 0; a < 3; a++) near[j][a] = a < d ? u[d * fit->neighbour[begin + j] + a] : 0;
    return tl_particle_deformation(count, (const double(*)[3])(fit->gradient + begin), (const double(*)[3])near);
}

/* Numbers that a particle remembers: s->before and s->after have those of one after the other. */
static int states_of(const tl_solid *s) { return s->region[0].material.kind->states; }

static bool stress_at(const tl_solid *s, int i, const double *memory, const double *u, tl_mat3 *P, double (*tangent)[9])
{
    const size_t at = (size_t)i * (size_t)states_of(s);
    const tl_mat3 F = deformation_at(s, i, u);
    return tl_particle_stress(&s->region[0].material, &F, memory + at, s->after + at, P, tangent);
}

/* y += scale V P Λ_j at the neighbours of a particle. */
static void push(const tl_solid *s, int i, const tl_mat3 *P, double scale, double *y)
{
    const tl_least_squares *fit = s->particles;
    const int d = tl_solid_axes(s);
    const double share = scale * fit->volume[i];
    for (int k = fit->begin[i]; k < fit->begin[i + 1]; k++) {
        const tl_vec3 f = tl_mat3_apply(P, tl_load3(fit->gradient[k]));
        double *to = y + d * fit->neighbour[k];
        to[0] += share * f.x, to[1] += share * f.y;
        if (d == 3) to[2] += share * f.z;
    }
}

bool tl_particles_resist(tl_solid *s, const double *memory, const double *u, double *y)
{
    for (int i = 0; i < s->particles->particles; i++) {
        tl_mat3 P;
        if (!stress_at(s, i, memory, u, &P, NULL)) return false;
        push(s, i, &P, -1, y);
    }
    return true;
}

/* By strain rates: β C Ė is a second stress beside that of the material, so that no rotation is damped. */
void tl_particles_damp(const tl_solid *s, const double *u, const double *v, double scale, double *f)
{
    const double *p = s->region[0].material.parameter;
    for (int i = 0; i < s->particles->particles; i++) {
        const tl_mat3 F = deformation_at(s, i, u);
        tl_mat3 rate = deformation_at(s, i, v), P;
        double strain[6], S[6];
        for (int k = 0; k < 3; k++) rate.m[k][k] -= 1;
        tl_particle_strain_rate(&F, &rate, strain);
        tl_hooke(tl_lame(p[0], p[1]), tl_shear_modulus(p[0], p[1]), strain, S, NULL);
        tl_particle_push(&F, S, &P);
        push(s, i, &P, scale, f);
    }
}

/* K_jk += V Λ_jᵀ (dP/dF) Λ_k of a particle. */
static void add_blocks(const tl_solid *s, int i, double (*tangent)[9], double *K)
{
    const tl_least_squares *fit = s->particles;
    const int d = tl_solid_axes(s), begin = fit->begin[i], count = fit->begin[i + 1] - begin;
    for (int k = 0; k < count; k++) {
        const double *g = fit->gradient[begin + k];
        double half[9][3]; /* dP_iJ/dF_kL Λ_L */
        for (int r = 0; r < 9; r++)
            for (int c = 0; c < 3; c++) half[r][c] = fit->volume[i] * (tangent[r][3 * c] * g[0] + tangent[r][3 * c + 1] * g[1] + tangent[r][3 * c + 2] * g[2]);
        for (int j = 0; j < count; j++) {
            const double *own = fit->gradient[begin + j];
            double *block = K + (size_t)tl_solid_block_at(s, fit->neighbour[begin + j], fit->neighbour[begin + k]) * (size_t)(d * d);
            for (int a = 0; a < d; a++)
                for (int c = 0; c < d; c++) block[a * d + c] += own[0] * half[3 * a][c] + own[1] * half[3 * a + 1][c] + own[2] * half[3 * a + 2][c];
        }
    }
}

bool tl_particles_add_rest(tl_solid *s)
{
    const tl_least_squares *fit = s->particles;
    const tl_material *given = &s->region[0].material, elastic = {&TL_ELASTIC, {given->parameter[0], given->parameter[1]}};
    const tl_mat3 still = tl_mat3_identity();
    for (int i = 0; i < fit->particles; i++) {
        double tangent[9][9], after[TL_MATERIAL_STATES];
        tl_mat3 P;
        if (!tl_particle_stress(&elastic, &still, NULL, after, &P, tangent)) return false;
        add_blocks(s, i, tangent, s->K);
        s->node_mass[i] = s->region[0].density * fit->volume[i];
        s->M[tl_solid_block_at(s, i, i)] = s->node_mass[i];
    }
    return true;
}

bool tl_particles_add_tangent(tl_solid *s, double *K)
{
    for (int i = 0; i < s->particles->particles; i++) {
        double tangent[9][9];
        tl_mat3 P;
        if (!stress_at(s, i, s->before, s->u, &P, tangent)) return false;
        for (int r = 0; r < 9; r++)
            for (int c = 0; c < r; c++) tangent[r][c] = tangent[c][r] = 0.5 * (tangent[r][c] + tangent[c][r]);
        add_blocks(s, i, tangent, K);
    }
    return true;
}

/* ---- reading -------------------------------------------------------------------------------------------------------------------- */

double tl_particles_energy(const tl_solid *s)
{
    const tl_material *m = &s->region[0].material;
    double sum = 0;
    for (int i = 0; i < s->particles->particles; i++) {
        const tl_mat3 F = deformation_at(s, i, s->u);
        double strain[6];
        tl_particle_strain(&F, strain);
        sum += s->particles->volume[i] * m->kind->energy(m->parameter, strain, s->before + (size_t)i * (size_t)states_of(s));
    }
    return sum;
}

static bool strain_and_stress(const tl_solid *s, int i, tl_stress *out)
{
    const tl_mat3 F = deformation_at(s, i, s->u);
    const double *before = s->before + (size_t)i * (size_t)states_of(s);
    double after[TL_MATERIAL_STATES];
    tl_mat3 P;
    tl_particle_strain(&F, out->strain);
    if (!tl_particle_stress(&s->region[0].material, &F, before, after, &P, NULL)) return false;
    tl_particle_cauchy(&F, &P, out->stress);
    return true;
}

bool tl_particles_mean_stress(const tl_solid *s, int e, tl_stress *out)
{
    const int begin = s->mesh.begin[e], nodes = s->mesh.begin[e + 1] - begin;
    *out = (tl_stress){.strain = {0}};
    for (int k = begin; k < begin + nodes; k++) {
        tl_stress own;
        if (!strain_and_stress(s, s->mesh.node[k], &own)) return false;
        for (int c = 0; c < 6; c++) out->strain[c] += own.strain[c] / nodes, out->stress[c] += own.stress[c] / nodes;
    }
    return true;
}
