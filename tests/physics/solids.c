/* Solids of finite elements, each by itself, against the theory of elasticity: a linear field in a crooked mesh, the beam of
 * Timoshenko, Cook's membrane, the frequencies of a rod, what a step keeps of the energy, and the strength of a loaded sample of soil. */
#include "matter/solid.h"

#include "step/schemes.h"
#include "test.h"

static tl_arena *arena;
static tl_threads *threads;
static tl_error why;

static void begin(void)
{
    if (arena) return;
    arena = tl_arena_create(tl_memory_default(), 1 << 16);
    threads = tl_threads_create(tl_memory_default(), 1);
}

/* ---- blocks of any kind of element -------------------------------------------------------------------------------------------- */

enum { MOST = 40000 };
typedef struct block {
    int nodes, elements, held;
    double (*x)[3];
    const tl_element_kind **kind;
    int *node;
} block;

/* n[0] × n[1] × n[2] cells of the unit block, each one hexahedron or quadrilateral, two wedges or triangles, or six tetrahedra; kinds with nodes between
 * corners have them in the middle. */
static int corner_of(const int n[3], int d, const int at[3]) { return at[0] + (n[0] + 1) * (at[1] + (d == 3 ? (n[1] + 1) * at[2] : 0)); }

static int between(block *b, int a, int c)
{
    double middle[3];
    for (int i = 0; i < 3; i++) middle[i] = 0.5 * (b->x[a][i] + b->x[c][i]);
    for (int k = 0; k < b->nodes; k++)
        if (fabs(b->x[k][0] - middle[0]) + fabs(b->x[k][1] - middle[1]) + fabs(b->x[k][2] - middle[2]) < 1e-12) return k;
    memcpy(b->x[b->nodes], middle, sizeof middle);
    return b->nodes++;
}

static void add(block *b, const tl_element_kind *kind, int corners, const int *corner)
{
    static const int EDGE[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    b->kind[b->elements++] = kind;
    for (int k = 0; k < corners; k++) b->node[b->held++] = corner[k];
    for (int k = 0; k + corners < kind->nodes; k++) b->node[b->held++] = between(b, corner[EDGE[k][0]], corner[EDGE[k][1]]);
}

static block make_block(const tl_element_kind *kind, const int n[3])
{
    block b = {0};
    const int d = kind->dimension;
    b.x = calloc(MOST, sizeof *b.x), b.kind = calloc(MOST, sizeof *b.kind), b.node = calloc(10 * MOST, sizeof *b.node);
    int at[3];
    for (at[2] = 0; at[2] <= (d == 3 ? n[2] : 0); at[2]++)
        for (at[1] = 0; at[1] <= n[1]; at[1]++)
            for (at[0] = 0; at[0] <= n[0]; at[0]++, b.nodes++)
                for (int i = 0; i < d; i++) b.x[b.nodes][i] = (double)at[i] / n[i];
    for (at[2] = 0; at[2] < (d == 3 ? n[2] : 1); at[2]++)
        for (at[1] = 0; at[1] < n[1]; at[1]++)
            for (at[0] = 0; at[0] < n[0]; at[0]++) {
                static const int STEP[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
                static const int TETRAHEDRON[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6}, {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};
                int c[8];
                for (int k = 0; k < (d == 3 ? 8 : 4); k++) c[k] = corner_of(n, d, (const int[3]){at[0] + STEP[k][0], at[1] + STEP[k][1], at[2] + STEP[k][2]});
                if (kind == &TL_QUADRILATERAL4 || kind == &TL_HEXAHEDRON8) add(&b, kind, d == 3 ? 8 : 4, c);
                else if (d == 2) add(&b, kind, 3, (const int[3]){c[0], c[1], c[2]}), add(&b, kind, 3, (const int[3]){c[0], c[2], c[3]});
                else if (kind == &TL_WEDGE6)
                    add(&b, kind, 6, (const int[6]){c[0], c[1], c[2], c[4], c[5], c[6]}), add(&b, kind, 6, (const int[6]){c[0], c[2], c[3], c[4], c[6], c[7]});
                else
                    for (int k = 0; k < 6; k++)
                        add(&b, kind, 4, (const int[4]){c[TETRAHEDRON[k][0]], c[TETRAHEDRON[k][1]], c[TETRAHEDRON[k][2]], c[TETRAHEDRON[k][3]]});
            }
    return b;
}

static void discard(block *b) { free(b->x), free(b->kind), free(b->node); }

typedef struct making {
    tl_material material;
    talus_strain strain;
    bool plane_stress, consistent;
    double density;
} making;

static tl_matter *make_solid(const block *b, const making *how)
{
    tl_matter *m = NULL;
    const tl_solid_region region = {how->material, how->strain, how->density > 0 ? how->density : 1};
    const tl_solid_def def = {.name = "block",
                              .mesh = {b->kind[0]->dimension, b->nodes, b->elements, (const double(*)[3])b->x, b->kind, b->node},
                              .regions = 1,
                              .region = &region,
                              .plane_stress = how->plane_stress,
                              .thickness = 1,
                              .consistent_mass = how->consistent};
    MUST(tl_solid_create(tl_memory_default(), &def, &m, &why), why);
    return m;
}

static void assemble(tl_matter *m)
{
    const char *warnings;
    MUST(m->ops->assemble(m, 0, &warnings, &why), why);
}

/* A step without contacts. */
static void step_once(tl_matter *m, double t, double h, double theta)
{
    tl_arena_reset(arena);
    tl_step step = {.t = t, .h = h, .theta = theta, .force_passes = 2, .arena = arena, .threads = threads, .error = &why};
    MUST(tl_moreau_predict(m, &step), why);
    double *v = tl_arena_zero(arena, (size_t)m->nv, sizeof *v);
    memcpy(v, m->v_free, (size_t)m->nv * sizeof *v);
    MUST(tl_moreau_finish(m, &step, v, NULL), why);
    m->ops->commit(m, &step);
}

/* A step so long that inertia is nothing beside stiffness ends in equilibrium: (M + h² K) v = h f. */
static void rest(tl_matter *m) { step_once(m, 0, 1e9, 1); }

static void constant(void *user, double t, double out[3])
{
    (void)t;
    out[0] = *(const double *)user, out[1] = out[2] = 0;
}
static const talus_motion ONE = {constant, (void *)(uintptr_t)(const double[1]){1}};

/* Of all faces at x = 1: their share of a traction of 1 N/m² along `axis`, by corners and, on quadratic sides, by middles. */
static void pull_end(tl_matter *m, double x, int axis)
{
    const tl_element_mesh *mesh = tl_solid_mesh(m);
    for (int f = 0; f < mesh->faces; f++) {
        int node[TL_FACE_NODES];
        const int count = tl_element_mesh_face_nodes(mesh, &mesh->face[f], node), corners = mesh->kind[mesh->face[f].element]->face[mesh->face[f].face].corners;
        double weight[TL_FACE_NODES][3] = {{0}}, area;
        bool at_end = true;
        for (int k = 0; k < corners; k++) at_end = at_end && fabs(mesh->x[node[k]][0] - x) < 1e-9;
        if (!at_end) continue;
        const tl_vec3 o = tl_load3(mesh->x[node[0]]), a = tl_load3(mesh->x[node[1]]), c = tl_load3(mesh->x[node[corners - 1]]);
        area = mesh->dimension == 2 ? tl_norm(tl_sub(a, o)) : tl_norm(tl_cross(tl_sub(a, o), tl_sub(c, o))) * (corners == 3 ? 0.5 : 1);
        for (int k = 0; k < count; k++) {
            const double share = count == corners ? 1.0 / corners : corners == 2 ? (k < 2 ? 1 / 6.0 : 2 / 3.0) : (k < 3 ? 0 : 1 / 3.0);
            weight[k][axis] = area * share;
        }
        MUST(tl_solid_push(m, count, node, (const double(*)[3])weight, &ONE, &why), why);
    }
}

/* ---- statics -------------------------------------------------------------------------------------------------------------------- */

static double linear(const double *x, int axis) { return (axis + 1) * 1e-3 * x[0] - 2e-3 * x[1] * (axis - 1) + 0.7e-3 * x[2] * (2 - axis) + 1e-4; }

static void follow(void *user, double t, double out[3])
{
    (void)t;
    out[0] = *(double *)user, out[1] = out[2] = 0;
}

/* The surface of a crooked mesh displaced linearly: the inside follows, with every kind and way to take strain. */
TEST(patches)
{
    begin();
    for (int kind = 0; kind < tl_element_kinds(); kind++)
        for (int strain = TALUS_STRAIN_PLAIN; strain <= TALUS_STRAIN_ENHANCED; strain++) {
            block b = make_block(tl_element_kind_at(kind), (const int[3]){3, 3, 3});
            const int d = b.kind[0]->dimension;
            tl_random random = tl_random_seed(4);
            double(*place)[3] = calloc((size_t)b.nodes, sizeof *place);
            memcpy(place, b.x, (size_t)b.nodes * sizeof *place);
            if (b.kind[0]->nodes < 9 && b.kind[0] != &TL_TRIANGLE6) /* middles of sides would leave them */
                for (int i = 0; i < b.nodes; i++)
                    for (int a = 0; a < d; a++) b.x[i][a] += 0.06 * tl_random_uniform(&random, -1, 1);
            tl_matter *m = make_solid(&b, &(making){.material = {&TL_ELASTIC, {1e5, 0.3}}, .strain = (talus_strain)strain});
            double *value = calloc((size_t)(d * b.nodes), sizeof *value), off = 0;
            int inner = 0;
            for (int i = 0; i < b.nodes; i++) {
                bool outside = false;
                for (int a = 0; a < d; a++) outside = outside || place[i][a] < 1e-9 || place[i][a] > 1 - 1e-9;
                for (int a = 0; a < d && outside; a++) {
                    value[d * i + a] = linear(b.x[i], a);
                    MUST(tl_solid_hold(m, i, a, &(talus_motion){follow, &value[d * i + a]}, &why), why);
                }
                inner += !outside;
            }
            assemble(m);
            rest(m);
            const double *u = tl_solid_displacement(m);
            for (int i = 0; i < b.nodes; i++)
                for (int a = 0; a < d; a++) off = fmax(off, fabs(u[d * i + a] - linear(b.x[i], a)));
            CHECK(inner >= 4 && off < 1e-14);
            m->ops->destroy(m);
            free(value), free(place);
            discard(&b);
        }
}

/* Deflection of a cantilever of length 10 and height 1 under a load across its end, over that of Timoshenko's beam (shear factor 10 (1+ν)/(12 + 11ν)): those
 * kinds that are for bending are within the share of what the beam's theory leaves out at a clamped end, (height/length)². */
static double cantilever(const tl_element_kind *kind, talus_strain strain, double nu, const int n[3])
{
    block b = make_block(kind, n);
    const int d = kind->dimension;
    const double Y = 1000;
    for (int i = 0; i < b.nodes; i++) b.x[i][0] *= 10;
    tl_matter *m = make_solid(&b, &(making){.material = {&TL_ELASTIC, {Y, nu}}, .strain = strain, .plane_stress = true});
    for (int i = 0; i < b.nodes; i++)
        for (int a = 0; a < d && b.x[i][0] < 1e-9; a++) MUST(tl_solid_hold(m, i, a, NULL, &why), why);
    pull_end(m, 10, 1);
    assemble(m);
    rest(m);
    double sum = 0, count = 0;
    for (int i = 0; i < b.nodes; i++)
        if (b.x[i][0] > 10 - 1e-9) sum += tl_solid_displacement(m)[d * i + 1], count++;
    m->ops->destroy(m);
    discard(&b);
    const double shear = 10 * (1 + nu) / (12 + 11 * nu), beam = 1000.0 / 3 / (Y / 12) + 10 / (shear * Y / (2 * (1 + nu)));
    return sum / count / beam;
}

TEST(beams)
{
    begin();
    CHECK_NEAR(cantilever(&TL_QUADRILATERAL4, TALUS_STRAIN_ENHANCED, 0.3, (const int[3]){40, 4, 0}), 1, 0.01);
    CHECK_NEAR(cantilever(&TL_TRIANGLE6, TALUS_STRAIN_PLAIN, 0.3, (const int[3]){20, 2, 0}), 1, 0.01);
    /* in space the clamp holds the width as well as the height */
    CHECK_NEAR(cantilever(&TL_HEXAHEDRON8, TALUS_STRAIN_ENHANCED, 0.3, (const int[3]){20, 2, 2}), 1, 0.02);
    CHECK_NEAR(cantilever(&TL_TETRAHEDRON10, TALUS_STRAIN_PLAIN, 0.3, (const int[3]){20, 2, 2}), 1, 0.02);
    /* what locks is too stiff, and says so here: one layer of plain elements, and four nodes */
    CHECK(cantilever(&TL_QUADRILATERAL4, TALUS_STRAIN_PLAIN, 0.3, (const int[3]){10, 1, 0}) < 0.75);
    CHECK(cantilever(&TL_TETRAHEDRON4, TALUS_STRAIN_PLAIN, 0.3, (const int[3]){10, 1, 1}) < 0.35);
    CHECK_NEAR(cantilever(&TL_QUADRILATERAL4, TALUS_STRAIN_ENHANCED, 0.3, (const int[3]){10, 1, 0}), 1, 0.02);
}

/* Cook's membrane: a tapered panel, clamped at the left, sheared at the right. Plane stress, E = 1, ν = 1/3: 23.96 at the middle of the tip (Simo and Rifai
 * 1990, and many after them). Nearly incompressible in plane strain: what locks stays behind what does not. */
static double cook(const tl_element_kind *kind, talus_strain strain, int n, double young, double nu, bool plane_stress)
{
    block b = make_block(kind, (const int[3]){n, n, 0});
    int middle = 0;
    for (int i = 0; i < b.nodes; i++) {
        const double s = b.x[i][0], t = b.x[i][1];
        if (s > 1 - 1e-9 && fabs(t - 0.5) < 1e-9) middle = i;
        b.x[i][0] = 48 * s;
        b.x[i][1] = 44 * s + t * (44 - 28 * s);
    }
    tl_matter *m = make_solid(&b, &(making){.material = {&TL_ELASTIC, {young, nu}}, .strain = strain, .plane_stress = plane_stress});
    for (int i = 0; i < b.nodes; i++)
        for (int a = 0; a < 2 && b.x[i][0] < 1e-9; a++) MUST(tl_solid_hold(m, i, a, NULL, &why), why);
    pull_end(m, 48, 1);
    assemble(m);
    rest(m);
    const double out = tl_solid_displacement(m)[2 * middle + 1] / 16; /* the traction is 1 over a side of 16 */
    m->ops->destroy(m);
    discard(&b);
    return out;
}

TEST(membrane)
{
    begin();
    const double coarse = cook(&TL_QUADRILATERAL4, TALUS_STRAIN_ENHANCED, 8, 1, 1 / 3.0, true),
                 fine = cook(&TL_QUADRILATERAL4, TALUS_STRAIN_ENHANCED, 32, 1, 1 / 3.0, true);
    CHECK_NEAR(fine, 23.96, 0.005 * 23.96);
    CHECK(fabs(fine - 23.96) < 0.35 * fabs(coarse - 23.96)); /* converges, a corner singularity and all */
    CHECK_NEAR(cook(&TL_TRIANGLE6, TALUS_STRAIN_PLAIN, 16, 1, 1 / 3.0, true), 23.96, 0.005 * 23.96);
    const double best = cook(&TL_QUADRILATERAL4, TALUS_STRAIN_ENHANCED, 48, 1, 0.4999, false);
    CHECK_NEAR(cook(&TL_QUADRILATERAL4, TALUS_STRAIN_ENHANCED, 8, 1, 0.4999, false), best, 0.05 * best);
    CHECK_NEAR(cook(&TL_QUADRILATERAL4, TALUS_STRAIN_MEAN_VOLUME, 16, 1, 0.4999, false), best, 0.05 * best);
    CHECK(cook(&TL_QUADRILATERAL4, TALUS_STRAIN_PLAIN, 8, 1, 0.4999, false) < 0.6 * best);
}

/* ---- dynamics ------------------------------------------------------------------------------------------------------------------- */

/* A rod held at one end, ν = 0, moves as sin(π x/2L) cos(ω t), ω = π/2L √(E/ρ). After a period it is back: the error is that of mesh and step together, second
 * order in both. */
static double rod_error(const tl_element_kind *kind, int n, bool consistent)
{
    const bool along_z = kind == &TL_WEDGE6; /* wedges lie along their third direction: that becomes x */
    block b = make_block(kind, along_z ? (const int[3]){1, 1, n} : (const int[3]){n, 1, 1});
    const int d = kind->dimension, steps = 10 * n;
    for (int i = 0; i < b.nodes && along_z; i++) {
        const double z = b.x[i][2];
        b.x[i][2] = b.x[i][1], b.x[i][1] = b.x[i][0], b.x[i][0] = z;
    }
    tl_matter *m =
        make_solid(&b, &(making){.material = {&TL_ELASTIC, {4, 0}}, .strain = TALUS_STRAIN_ENHANCED, .plane_stress = true, .consistent = consistent});
    tl_field field[2];
    for (int i = 0; i < b.nodes; i++)
        for (int a = 0; a < d && b.x[i][0] < 1e-9; a++) MUST(tl_solid_hold(m, i, a, NULL, &why), why);
    m->ops->fields(m, field, 2);
    for (int i = 0; i < b.nodes; i++) ((double *)field[0].data)[d * i] = 0.01 * sin(0.5 * TL_PI * b.x[i][0]);
    assemble(m);
    const double period = 4 / sqrt(4.0);
    double worst = 0;
    for (int k = 0; k < steps; k++) step_once(m, k * period / steps, period / steps, 0.5);
    /* a quarter more of the phase shows in the velocity, which crosses 0 there */
    const double *v = field[1].data;
    for (int i = 0; i < b.nodes; i++) worst = fmax(worst, fabs(v[d * i]));
    m->ops->destroy(m);
    discard(&b);
    return worst;
}

TEST(rods)
{
    begin();
    static const tl_element_kind *const KIND[3] = {&TL_QUADRILATERAL4, &TL_HEXAHEDRON8, &TL_WEDGE6};
    for (int k = 0; k < 3; k++)
        for (int consistent = 0; consistent < 2; consistent++) {
            const double coarse = rod_error(KIND[k], 4, consistent), fine = rod_error(KIND[k], 8, consistent);
            CHECK(coarse < 0.01 && coarse > 3.5 * fine && coarse < 4.5 * fine);
        }
}

/* θ = ½ and linear forces: the midpoint rule keeps T + V to rounding; θ above loses, as it must. */
TEST(energies)
{
    begin();
    block b = make_block(&TL_HEXAHEDRON8, (const int[3]){5, 2, 2});
    for (int damped = 0; damped < 2; damped++) {
        tl_matter *m = make_solid(&b, &(making){.material = {&TL_ELASTIC, {50, 0.3}}, .strain = TALUS_STRAIN_ENHANCED});
        tl_field field[2];
        double T, V, start = 0, last = 0;
        const double none[3] = {0, 0, 0};
        m->ops->fields(m, field, 2);
        for (int i = 0; i < m->nv; i++) ((double *)field[1].data)[i] = sin(3.0 * i);
        assemble(m);
        for (int k = 0; k <= 200; k++) {
            m->ops->energy(m, none, &T, &V);
            if (k == 0) start = last = T + V;
            if (!damped) CHECK_CLOSE(T + V, start, 1e-12);
            else CHECK(T + V <= last * (1 + 1e-13));
            last = T + V;
            step_once(m, k * 0.01, 0.01, damped ? 0.55 : 0.5);
        }
        if (damped) CHECK(last < 0.98 * start);
        m->ops->destroy(m);
    }
    discard(&b);
}

/* ---- soil ----------------------------------------------------------------------------------------------------------------------- */

static void press(void *user, double t, double out[3])
{
    (void)user;
    out[0] = -0.01 * t, out[1] = -0.01, out[2] = 0;
}

/* A sample without lateral support, pressed slowly between smooth plates, fails at 2 c √N, N = tan²(45° + φ/2) (Mohr and Coulomb; Drucker and Prager's cone
 * goes through that corner), at every point of it. */
TEST(soil_sample)
{
    begin();
    const double c = 14e3, phi = 22 * TL_PI / 180;
    block b = make_block(&TL_HEXAHEDRON8, (const int[3]){2, 2, 2});
    tl_matter *m = make_solid(&b, &(making){.material = {&TL_DRUCKER_PRAGER, {91e6, 0.3, c, phi, 5e3}}, .strain = TALUS_STRAIN_ENHANCED, .density = 1});
    for (int i = 0; i < b.nodes; i++) {
        for (int a = 0; a < 3; a++)
            if (b.x[i][a] < 1e-9) MUST(tl_solid_hold(m, i, a, NULL, &why), why); /* planes of symmetry */
        if (b.x[i][2] > 1 - 1e-9) MUST(tl_solid_hold(m, i, 2, &(talus_motion){press, NULL}, &why), why);
    }
    assemble(m);
    const double expect = 2 * c * tan(0.25 * TL_PI + 0.5 * phi);
    for (int k = 0; k < 40; k++) step_once(m, k * 5e-3, 5e-3, 1);
    for (int e = 0; e < 8; e++)
        for (int p = 0; p < 8; p++) {
            tl_stress at;
            CHECK(tl_solid_stress(m, e, p, &at));
            CHECK_NEAR(at.stress[2], -expect, 1e-3 * expect);
            CHECK_NEAR(at.stress[0], 0, 1e-3 * expect);
        }
    double kinetic, stored;
    const double none[3] = {0, 0, 0};
    m->ops->energy(m, none, &kinetic, &stored);
    CHECK_CLOSE(stored, 0.5 * expect * expect / 91e6, 2e-3); /* elastic, of the unit cube under this stress */
    m->ops->destroy(m);
    discard(&b);
}

int main(int argc, char **argv)
{
    RUN(patches);
    RUN(beams);
    RUN(membrane);
    RUN(rods);
    RUN(energies);
    RUN(soil_sample);
    return TEST_RESULT;
}
