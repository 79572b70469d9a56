/* Meshfree solids (theory §7): particles at the nodes of a mesh of equal cubes, or squares, or of such whose nodes have been moved to a surface, which tell the
 * surface and what is drawn and have no stiffness of their own. Strain is that of particles, as large as it likes; everything else of a solid (what holds it,
 * loads, contacts, joints) is that of its nodes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "matter/solid_particles.h"
#include "solid/mean_gradients.h"
#include "solid/particle_four.h"

enum { AROUND = 27 };
static const double UNEVEN = 1e-6; /* of the spacing */
static const double ALONG = 1e-14; /* rounding of an axis */

/* ---- the lattice ---------------------------------------------------------------------------------------------------------------- */

/* Axes and spacing of the lattice, from the `edges` [m] at the first node of the first element; 0: they are not equal. */
static double find_axes(const tl_solid *s, tl_mat3 *axes, double edges[3])
{
    static const int END[3] = {1, 3, 4}; /* of the edges of a hexahedron, and of a quadrilateral */
    const int *node = s->mesh.node;
    const tl_vec3 origin = tl_load3(s->mesh.x[node[0]]);
    bool equal = true;
    *axes = tl_mat3_identity();
    for (int k = 0; k < tl_solid_axes(s); k++) {
        const tl_vec3 edge = tl_sub(tl_load3(s->mesh.x[node[END[k]]]), origin), e = tl_normalize(edge);
        edges[k] = tl_norm(edge);
        equal = equal && fabs(edges[k] - edges[0]) <= UNEVEN * edges[0];
        axes->m[0][k] = e.x, axes->m[1][k] = e.y, axes->m[2][k] = e.z;
    }
    return equal ? edges[0] : 0;
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

/* Do a lattice's axes run along those of the world? Rows of a box do. */
static bool is_along_world(const tl_mat3 *axes)
{
    for (int k = 0; k < 9; k++)
        if (fabs(axes->m[k / 3][k % 3] - (k % 4 == 0)) > ALONG) return false;
    return true;
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

/* Of a node with itself, in place of those of common elements: what nodes do to one another is known by particles. */
static void cut_pattern(tl_pattern *p)
{
    for (int i = 0; i <= p->nodes; i++) p->begin[i] = i;
    for (int i = 0; i < p->nodes; i++) p->neighbour[i] = i;
}

static talus_status make_room(tl_solid_particles *p, int nv, tl_memory memory, tl_error *error)
{
    const size_t n = (size_t)p->fit.particles + 1;
    double **const vector[] = {&p->pushed, &p->moved, &p->at, &p->held, &p->unit};
    bool room = true;
    p->G = tl_alloc(memory, n, sizeof *p->G);
    p->rate = tl_alloc(memory, n, sizeof *p->rate);
    p->face_share = tl_alloc(memory, n, sizeof *p->face_share);
    p->answers = p->fields.box.particles > 0 ? NULL : tl_alloc(memory, n, sizeof *p->answers);
    p->inverse_at = tl_alloc(memory, n, sizeof *p->inverse_at);
    p->stress = tl_alloc(memory, n, sizeof *p->stress);
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++) room = (*vector[i] = tl_alloc(memory, (size_t)nv + 1, sizeof(double))) && room;
    if (room && p->G && p->rate && p->face_share && (p->answers || p->fields.box.particles > 0) && p->inverse_at && p->stress) return TALUS_OK;
    return tl_fail(error, TALUS_MEMORY, "no memory for %d particles", p->fit.particles);
}

/* Volumes, neighbours and gradients. */
static talus_status make_fit(tl_solid *s, const tl_solid_def *def, const tl_least_squares_def *d, const tl_mat3 *axes, tl_error *error)
{
    tl_least_squares *fit = &s->particles->fit;
    s->particles->conforms = def->site != NULL;
    if (def->site) TL_TRY(tl_mean_gradients_create(s->matter.memory, &s->mesh, fit, error));
    else TL_TRY(tl_least_squares_create(s->matter.memory, d, fit, error));
    for (int k = 0; !def->site && k < fit->begin[fit->particles]; k++) tl_store3(fit->gradient[k], tl_mat3_apply(axes, tl_load3(fit->gradient[k])));
    if (!is_along_world(axes)) memset(fit->box, 0, sizeof fit->box);
    for (int i = 0; i < fit->particles; i++) fit->volume[i] *= s->dimension == 2 ? def->thickness : 1;
    for (int i = 0; i < fit->particles; i++)
        if (fit->begin[i + 1] - fit->begin[i] > AROUND)
            return tl_fail(error, TALUS_INPUT, "solid '%s' is meshfree: more than %d particles are around particle %d, which no lattice has", def->name, AROUND,
                           i + 1);
    return TALUS_OK;
}

static talus_status make(tl_solid *s, const tl_solid_def *def, const int (*site)[3], const tl_mat3 *axes, double spacing, tl_error *error)
{
    const tl_memory memory = s->matter.memory;
    const tl_material_kind *material = def->region[0].material.kind;
    if (def->renewal > 0 && !material->renew)
        return tl_fail(error, TALUS_INPUT, "solid '%s': a %s material keeps the reference that it has; renewal is for one that yields", def->name,
                       material->name);
    s->particles->axes = *axes;
    s->particles->renewal = def->renewal, s->particles->stretch = def->stretch, s->particles->lets_go = def->lets_go;
    s->particles->memory = material->states + (def->renewal > 0 || def->lets_go ? TL_RENEWAL_STATES + TL_ROW_REST : 0);
    const tl_least_squares_def d = {s->dimension, s->mesh.nodes, site, spacing, def->influence};
    TL_TRY(make_fit(s, def, &d, axes, error));
    TL_TRY(tl_particle_fields_create(memory, s->dimension, &s->particles->fit, &s->particles->fields, error));
    TL_TRY(tl_stabilisation_create(memory, &d, s->particles->fit.volume, &s->particles->rows, error));
    if (def->site) TL_TRY(tl_stabilisation_bend(&s->particles->rows, (const double(*)[3])s->mesh.x, &s->particles->fit, error));
    s->particles->holding = def->stabilisation * def->region[0].material.parameter[0];
    cut_pattern(&s->mesh.pattern);
    TL_TRY(tl_particles_make_room_to_solve(s, error));
    return make_room(s->particles, s->matter.nv, memory, error);
}

talus_status tl_solid_make_particles(tl_solid *s, const tl_solid_def *def, tl_error *error)
{
    tl_mat3 axes = tl_mat3_identity();
    TL_TRY(check(s, def, error));
    double edges[3] = {0};
    const double spacing = def->site ? def->spacing : find_axes(s, &axes, edges);
    if (!(spacing > 0) && s->dimension == 3)
        return tl_fail(error, TALUS_INPUT,
                       "solid '%s' is meshfree: its particles need a box of equal cubes, and its first element is one of %.6g m by %.6g m by %.6g m", def->name,
                       edges[0], edges[1], edges[2]);
    if (!(spacing > 0))
        return tl_fail(error, TALUS_INPUT,
                       "solid '%s' is meshfree: its particles need a box of equal squares, and its first element is one of %.6g m by %.6g m", def->name,
                       edges[0], edges[1]);
    s->particles = tl_alloc(s->matter.memory, 1, sizeof *s->particles);
    if (!s->particles) return tl_fail(error, TALUS_MEMORY, "no memory for %d particles", s->mesh.nodes);
    if (def->site) return make(s, def, def->site, &axes, spacing, error);
    int(*site)[3] = tl_alloc(s->matter.memory, (size_t)s->mesh.nodes + 1, sizeof *site);
    talus_status status = site ? find_sites(s, &axes, spacing, site, error) : tl_fail(error, TALUS_MEMORY, "no memory for %d particles", s->mesh.nodes);
    if (status == TALUS_OK) status = make(s, def, (const int(*)[3])site, &axes, spacing, error);
    tl_free(s->matter.memory, site);
    return status;
}

void tl_solid_free_particles(tl_solid *s)
{
    tl_solid_particles *p = s->particles;
    if (!p) return;
    void *const all[] = {p->G, p->rate, p->face_share, p->answers, p->stress, p->unit, p->pushed, p->moved, p->at, p->held, p->inverse_at};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) tl_free(s->matter.memory, all[i]);
    tl_particles_free_room_to_solve(s);
    tl_stabilisation_free(&p->rows);
    tl_particle_fields_free(&p->fields);
    tl_least_squares_free(&p->fit);
    tl_free(s->matter.memory, p);
}

/* Fields that are smoothed along a face act on the nodes beside its edges otherwise than bilinear ones do: what carries a uniform stress is
 *
 *     A_j = −Σ_i V_i Λ_ij
 *
 * and so faces share their tractions among nodes. Means of elements carry what bilinear faces have. */
static void find_face_shares(tl_solid *s)
{
    tl_solid_particles *p = s->particles;
    const int n = p->fit.particles;
    double(*share)[3] = p->face_share;
    for (int i = 0; i < n; i++) {
        share[i][0] = share[i][1] = share[i][2] = 1;
        memset(p->rate[i], 0, sizeof p->rate[i]);
    }
    if (p->conforms) return;
    for (int f = 0; f < s->mesh.faces; f++) {
        int node[TL_FACE_NODES];
        tl_face_point point[TL_FACE_POINTS] = {0};
        const tl_outer_face *face = &s->mesh.face[f];
        const int points = tl_solid_face_points(s, face, node, point), nodes = s->mesh.kind[face->element]->face[face->face].nodes;
        for (int k = 0; k < points * nodes; k++) {
            const tl_vec3 own = tl_mat3_apply_t(&p->axes, tl_load3(point[k / nodes].area));
            const double N = point[k / nodes].N[k % nodes];
            double *faces = p->rate[node[k % nodes]][0];
            faces[0] += N * fabs(own.x), faces[1] += N * fabs(own.y), faces[2] += N * fabs(own.z);
        }
    }
    for (int i = 0; i < n; i++)
        for (int k = p->fit.begin[i]; k < p->fit.begin[i + 1]; k++)
            for (int a = 0; a < 3; a++) p->rate[p->fit.neighbour[k]][1][a] += p->fit.volume[i] * p->fit.gradient[k][a];
    for (int i = 0; i < n; i++) {
        const tl_vec3 A = tl_mat3_apply_t(&p->axes, tl_load3(p->rate[i][1]));
        const double carried[3] = {fabs(A.x), fabs(A.y), fabs(A.z)}, *faces = p->rate[i][0];
        for (int a = 0; a < 3; a++) share[i][a] = faces[a] > 0 ? carried[a] / faces[a] : 1;
    }
}

/* ---- forces ---------------------------------------------------------------------------------------------------------------------- */

enum { WORTH = 20 }; /* fours of particles: what their materials take is some ten microseconds */

/* Stresses of all particles, in place of their gradients; FOUND of each says whether there is one. */
typedef struct stress_job {
    tl_solid *s;
    const double *memory;
    double damping; /* β of their rates */
    bool remembers; /* what particles remember then goes to s->after */
    bool last;      /* of a step, whose state is kept; then they do */
} stress_job;

enum { FOUND = 3 }; /* the number of the first column that is anyone's */

/* The strain √J₂/E that rows of a particle may have for its strength: where it flows that is what it bears; else there is no bound. */
static double bears(const tl_solid *s, const tl_mat3 *G, const tl_mat3 *P, const double *before, double *after)
{
    const tl_material *m = &s->region[0].material;
    const tl_mat3 F = tl_particle_deformation(G);
    double stress[6], squares = 0;
    if (tl_particle_is_torn(s, before)) return 0;
    if (!tl_particles_are_renewed(s) || !tl_particle_flows(m, before, after)) return (double)INFINITY;
    tl_particle_cauchy(&F, P, stress);
    const double mean = (stress[0] + stress[1] + stress[2]) / 3;
    for (int i = 0; i < 6; i++) squares += i < 3 ? 0.5 * (stress[i] - mean) * (stress[i] - mean) : stress[i] * stress[i];
    return sqrt(squares) / m->parameter[0];
}

/* Where a step ends: is a particle, at `memory`, still what its model is made for? If it flows its reference is renewed. */
static bool end_step(const tl_solid *s, const tl_mat3 *G, bool flows, double *memory)
{
    const tl_material *m = &s->region[0].material;
    if (tl_particle_is_torn(s, memory)) return true;
    if (!tl_particle_holds(m, G, s->particles->stretch)) return false;
    if (flows && s->particles->renewal > 0) (void)tl_particle_renew(m, G, s->particles->renewal, memory);
    return true;
}

/* Torn in a step that goes on yet: a step that is given up takes it back. */
enum { TORN = 1, TORN_NOW = 2 };

static void find_stress(const stress_job *j, int i)
{
    tl_solid *s = j->s;
    tl_solid_particles *p = s->particles;
    const tl_material *m = &s->region[0].material;
    const size_t at = tl_particle_memory_of(s, i);
    const tl_mat3 G = tl_mat3_of_columns(p->G[i]), rate = tl_mat3_of_columns(p->rate[i]);
    const tl_particle_motion motion = {&G, j->damping != 0 ? &rate : NULL, j->damping};
    tl_mat3 P;
    bool found = tl_particle_stress_of(s, &motion, j->memory + at, s->after + at, &P, NULL);
    if (found && j->last) {
        const size_t rests = at + (size_t)m->kind->states + TL_RENEWAL_STATES;
        if (tl_particles_are_renewed(s)) memcpy(s->after + rests, j->memory + rests, TL_ROW_REST * sizeof *s->after);
        p->G[i][1][FOUND] = bears(s, &G, &P, j->memory + at, s->after + at);
        found = end_step(s, &G, isfinite(p->G[i][1][FOUND]), s->after + at);
    }
    if (!found && j->last && p->lets_go) {
        memcpy(s->after + at, j->memory + at, (size_t)p->memory * sizeof *s->after);
        *tl_particle_torn_of(s, s->after + at) = TORN;
        P = (tl_mat3){{{0}}}, found = true;
        p->G[i][1][FOUND] = 0;
    }
    if (j->last && tl_particles_are_renewed(s) && *tl_particle_torn_of(s, s->after + at) == TORN_NOW) *tl_particle_torn_of(s, s->after + at) = TORN;
    if (found) tl_columns_of_mat3(&P, p->G[i]);
    p->G[i][0][FOUND] = found;
}

/* Four at once where nothing is to be remembered; those that are left, one by one. Ranges count fours, so that which are together does not hang on threads. */
static void find_stresses(void *context, int begin, int end, int worker)
{
    const stress_job *j = context;
    const tl_solid *s = j->s;
    tl_solid_particles *p = s->particles;
    (void)worker;
    for (int i = 4 * begin; i < 4 * end && i < p->fit.particles; i += 4) {
        const tl_particle_four at = {j->damping != 0 ? (const tl_columns *)p->rate + i : NULL, j->damping, j->memory + tl_particle_memory_of(s, i), p->memory,
                                     tl_particles_are_renewed(s)};
        const int count = p->fit.particles - i < 4 ? p->fit.particles - i : 4,
                  found = count == 4 && !j->remembers ? tl_particle_stress_of_four(&s->region[0].material, &at, p->G + i) : 0;
        for (int l = 0; l < count; l++)
            if (found >> l & 1) p->G[i + l][0][FOUND] = true;
            else find_stress(j, i + l);
    }
}

/* Of all particles; false: of some it is not found, the first of which is told. */
static bool find_all(stress_job *j, const double *u, const double *v)
{
    tl_solid *s = j->s;
    tl_solid_particles *p = s->particles;
    tl_particle_gradients(&p->fields, s->threads, u, p->G);
    if (j->damping != 0) tl_particle_gradients(&p->fields, s->threads, v, p->rate);
    if (!j->last)
        tl_stabilisation_carry(&p->rows, s->threads, &(tl_particle_field){s->dimension, u, (const tl_columns *)p->G}, p->fit.volume,
                               tl_particle_rests_of(s, (double *)(uintptr_t)j->memory));
    tl_parallel_for(s->threads, (p->fit.particles + 3) / 4, WORTH, find_stresses, j);
    for (int i = 0; i < p->fit.particles; i++)
        if (p->G[i][0][FOUND] == 0) {
            s->lost1 = i + 1;
            return false;
        }
    return true;
}

bool tl_particles_arrive(tl_solid *s, const double *u)
{
    tl_solid_particles *p = s->particles;
    if (!find_all(&(stress_job){.s = s, .memory = s->before, .remembers = true, .last = true}, u, NULL)) return false;
    if (!tl_particles_are_renewed(s)) return true;
    tl_particle_gradients(&p->fields, s->threads, u, p->rate); /* instead of those in G, where stresses are now */
    tl_stabilisation_yield(&p->rows, &(tl_particle_field){s->dimension, u, (const tl_columns *)p->rate},
                           &(tl_row_limits){&p->G[0][1][FOUND], sizeof *p->G / sizeof(double)}, tl_particle_rests_of(s, s->after));
    return true;
}

bool tl_particles_let_go(tl_solid *s)
{
    const tl_solid_particles *p = s->particles;
    bool any = false;
    for (int i = 0; p && p->lets_go && i < p->fit.particles; i++) {
        const tl_mat3 G = tl_mat3_of_columns(p->G[i]);
        if (p->G[i][0][FOUND] != 0 || !isfinite(tl_particle_volume(&G))) continue; /* what is no number is lost otherwise */
        *tl_particle_torn_of(s, s->before + tl_particle_memory_of(s, i)) = TORN_NOW;
        any = true;
    }
    return any;
}

void tl_particles_hold(const tl_solid *s, double c, const double *u, double *f)
{
    tl_solid_particles *p = s->particles;
    if (p->fields.box.particles > 0) tl_box_hold(&p->fields.box, s->threads, c, u, f);
    else tl_stabilisation_add(&p->rows, s->dimension, s->threads, c, u, f);
}

/* y −= what holds rows at u, damped at v, and stresses of particles with what rows that have given way do to them. */
static void hold_back(tl_solid *s, const double *u, double damping, const double *v, double *y)
{
    tl_solid_particles *p = s->particles;
    const double *all = u;
    if (damping != 0) {
        for (int i = 0; i < s->matter.nv; i++) p->unit[i] = u[i] + damping * v[i];
        all = p->unit;
    }
    tl_particles_hold(s, -p->holding, all, y);
    tl_stabilisation_give_way(&p->rows, s->dimension, &(tl_given_way){p->holding, damping, v}, y, p->G);
}

bool tl_particles_resist(tl_solid *s, const double *memory, const double *u, double damping, const double *v, double *y)
{
    tl_solid_particles *p = s->particles;
    if (!find_all(&(stress_job){.s = s, .memory = memory, .damping = damping, .remembers = !v}, u, v)) return false;
    hold_back(s, u, damping, v, y);
    tl_particle_pushes(&p->fields, s->threads, (const tl_columns *)p->G, -1, y);
    return true;
}

/* K_jj += V Λ_jᵀ (dP/dF) Λ_j, of the neighbours of a particle. */
static void add_blocks(const tl_solid *s, int i, const double (*tangent)[9], double *K)
{
    const tl_least_squares *fit = &s->particles->fit;
    const int d = tl_solid_axes(s);
    for (int k = fit->begin[i]; k < fit->begin[i + 1]; k++) {
        const double *g = fit->gradient[k];
        double *block = K + (size_t)fit->neighbour[k] * (size_t)(d * d);
        for (int a = 0; a < d; a++)
            for (int b = 0; b < d; b++)
                for (int c = 0; c < 3; c++)
                    block[a * d + b] += fit->volume[i] * g[c] *
                                        (tangent[3 * a + c][3 * b] * g[0] + tangent[3 * a + c][3 * b + 1] * g[1] + tangent[3 * a + c][3 * b + 2] * g[2]);
    }
}

/* The same of what holds rows. */
static void add_rows(const tl_solid *s, double *K)
{
    const int d = tl_solid_axes(s);
    for (int i = 0; i < s->mesh.nodes; i++)
        for (int a = 0; a < d; a++) K[(i * d + a) * d + a] += s->particles->holding * s->particles->rows.own[i];
}

/* ---- turning --------------------------------------------------------------------------------------------------------------------- */

/* dP = J C[dF B] Bᵀ, B = F⁻¹: Hooke's law where the particle is. Its 9 columns are those of dF = e_k ⊗ e_L. */
static void find_turned(const tl_material *m, const tl_mat3 *B, double (*answer)[9])
{
    const double lame = tl_lame(m->parameter[0], m->parameter[1]), shear = tl_shear_modulus(m->parameter[0], m->parameter[1]);
    const double volume = 1 / tl_particle_volume(B);
    for (int k = 0; k < 3; k++)
        for (int L = 0; L < 3; L++) {
            const double *b = B->m[L]; /* dF B = e_k ⊗ b */
            for (int i = 0; i < 3; i++)
                for (int J = 0; J < 3; J++) {
                    double sum = shear * b[i] * B->m[J][k] + lame * b[k] * B->m[J][i];
                    for (int n = 0; i == k && n < 3; n++) sum += shear * b[n] * B->m[J][n];
                    answer[3 * i + J][3 * k + L] = volume * sum;
                }
        }
}

/* K of the gradients in G. */
static void turn_stiffness(tl_solid *s, bool turned)
{
    tl_solid_particles *p = s->particles;
    const int d = tl_solid_axes(s);
    memset(s->K, 0, (size_t)s->mesh.nodes * (size_t)(d * d) * sizeof *s->K);
    for (int i = 0; i < p->fit.particles; i++) {
        const tl_mat3 G = tl_mat3_of_columns(p->G[i]), F = tl_particle_deformation(&G);
        const double volume = tl_particle_volume(&F);
        const bool held = volume > 0 && tl_particle_holds(&s->region[0].material, &G, p->stretch); /* else it counts as at rest */
        const tl_mat3 B = held ? tl_mat3_inverse(&F, volume) : tl_mat3_identity();
        tl_columns_of_mat3(&B, p->inverse_at[i]);
        double none[9][9], (*answer)[9] = p->fields.box.particles > 0 ? none : p->answers[i]; /* rows of a box need blocks alone */
        find_turned(&s->region[0].material, &B, answer);
        add_blocks(s, i, (const double(*)[9])answer, s->K);
    }
    add_rows(s, s->K);
    if (turned && p->fields.box.particles > 0) tl_box_turn(&p->fields.box, (const tl_columns *)p->inverse_at);
    p->turned = turned;
    tl_solid_forget_factors(s, true);
}

/* Has a particle turned or strained by more than a half since? */
static bool is_far(tl_columns gradient, tl_columns inverse)
{
    static const double FAR = 0.5;
    double squares = 0;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) { /* F B − 1 = (G + 1) B − 1 */
            double sum = inverse[b][a] - (a == b);
            for (int c = 0; c < 3; c++) sum += gradient[c][a] * inverse[b][c];
            squares += sum * sum;
        }
    return squares > FAR * FAR;
}

void tl_particles_turn(tl_solid *s, const double *u)
{
    tl_solid_particles *p = s->particles;
    bool far = false;
    tl_particle_gradients(&p->fields, s->threads, u, p->G);
    for (int i = 0; i < p->fit.particles && !far; i++) {
        const tl_mat3 G = tl_mat3_of_columns(p->G[i]), F = tl_particle_deformation(&G);
        far = is_far(p->G[i], p->inverse_at[i]) && tl_particle_volume(&F) > 0 && tl_particle_holds(&s->region[0].material, &G, p->stretch);
    }
    if (!far) return;
    memcpy(p->at, u, (size_t)s->matter.nv * sizeof *u);
    turn_stiffness(s, true);
}

void tl_particles_turn_back(tl_solid *s)
{
    bool turned = false;
    for (int i = 0; tl_particles_are_renewed(s) && i < s->particles->fit.particles; i++)
        if (*tl_particle_torn_of(s, s->before + tl_particle_memory_of(s, i)) == TORN_NOW) *tl_particle_torn_of(s, s->before + tl_particle_memory_of(s, i)) = 0;
    memcpy(s->particles->at, s->particles->held, (size_t)s->matter.nv * sizeof(double));
    for (int i = 0; i < s->matter.nv && !turned; i++) turned = s->particles->at[i] != 0;
    tl_particle_gradients(&s->particles->fields, s->threads, s->particles->at, s->particles->G);
    turn_stiffness(s, turned);
}

void tl_particles_add_rest(tl_solid *s)
{
    tl_solid_particles *p = s->particles;
    memset(p->G, 0, (size_t)p->fit.particles * sizeof *p->G);
    turn_stiffness(s, false);
    for (int i = 0; i < p->fit.particles; i++) s->M[i] = s->node_mass[i] = s->region[0].density * p->fit.volume[i];
    find_face_shares(s);
}

talus_status tl_particles_open_tangents(tl_solid *s, tl_error *error)
{
    tl_solid_particles *p = s->particles;
    if (!p->answers) p->answers = tl_alloc(s->matter.memory, (size_t)p->fit.particles + 1, sizeof *p->answers);
    return p->answers ? TALUS_OK : tl_fail(error, TALUS_MEMORY, "no memory for the tangents of %d particles", p->fit.particles);
}

void tl_particles_close_tangents(tl_solid *s)
{
    tl_solid_particles *p = s->particles;
    if (p->fields.box.particles == 0) return; /* K goes by them as well */
    tl_free(s->matter.memory, p->answers);
    p->answers = NULL;
}

bool tl_particles_add_tangent(tl_solid *s, double *K)
{
    tl_solid_particles *p = s->particles;
    tl_particle_gradients(&p->fields, s->threads, s->u, p->G);
    for (int i = 0; i < p->fit.particles; i++) {
        const tl_mat3 G = tl_mat3_of_columns(p->G[i]);
        const size_t at = tl_particle_memory_of(s, i);
        double(*T)[9] = p->answers[i];
        tl_mat3 P;
        if (!tl_particle_stress_of(s, &(tl_particle_motion){.G = &G}, s->before + at, s->after + at, &P, T)) return false;
        for (int r = 0; r < 9; r++)
            for (int c = 0; c < r; c++) T[r][c] = T[c][r] = 0.5 * (T[r][c] + T[c][r]);
        add_blocks(s, i, (const double(*)[9])T, K);
    }
    add_rows(s, K);
    return true;
}
