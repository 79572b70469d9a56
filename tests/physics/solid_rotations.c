/* Solids of large rotations (theory §10.7) against what they were not made from: uniform strain turned as a whole, angular momentum and energy of a block that
 * spins, the elastica, a bar bent to an arc, the compound pendulum at a large amplitude, and soil that yields while it is turned. */
#include "matter/solid.h"

#include "solid_block.h"
#include "step/schemes.h"
#include "test.h"

static tl_arena *arena;
static tl_threads *threads;
static tl_error why;

typedef struct making {
    tl_material material;
    bool consistent, plane_stress, small;
    double density, damping;
} making;

static tl_matter *make_solid(const solid_block *b, const making *how)
{
    tl_matter *m = NULL;
    const tl_solid_region region = {how->material, TALUS_STRAIN_AUTO, how->density > 0 ? how->density : 1};
    const tl_element_kind **kind = calloc((size_t)b->elements, sizeof *kind);
    for (int e = 0; e < b->elements; e++) kind[e] = tl_element_kind_at(b->kind[e]);
    const tl_solid_def def = {.name = "block",
                              .mesh = {b->dimension, b->nodes, b->elements, (const double(*)[3])b->x, kind, b->node},
                              .regions = 1,
                              .region = &region,
                              .plane_stress = how->plane_stress,
                              .thickness = 1,
                              .damping_stiffness = how->damping,
                              .consistent_mass = how->consistent,
                              .large_rotations = !how->small};
    MUST(tl_solid_create(tl_memory_default(), &def, &m, &why), why);
    free(kind);
    return m;
}

static double *field(tl_matter *m, int which)
{
    tl_field out[4];
    m->ops->fields(m, out, 4);
    return out[which].data;
}

static void assemble(tl_matter *m)
{
    const char *warnings;
    MUST(m->ops->assemble(m, 0, &warnings, &why), why);
}

static tl_step step_of(double t, double h, double theta, const double *gravity)
{
    tl_arena_reset(arena);
    tl_step step = {.t = t, .h = h, .theta = theta, .force_passes = 2, .arena = arena, .memory = tl_memory_default(), .threads = threads, .error = &why};
    for (int i = 0; i < 3 && gravity; i++) step.gravity[i] = gravity[i];
    return step;
}

/* A step without contacts. */
static void advance(tl_matter *m, tl_step step)
{
    MUST(tl_moreau_predict(m, &step), why);
    double *v = tl_arena_zero(arena, (size_t)m->nv, sizeof *v);
    memcpy(v, m->v_free, (size_t)m->nv * sizeof *v);
    MUST(tl_moreau_finish(m, &step, v, NULL), why);
    m->ops->commit(m, &step);
}

static void settle(tl_matter *m)
{
    tl_step step = step_of(0, 1, 1, NULL);
    tl_solid_start_settled(m);
    MUST(tl_solid_settle(m, &step), why);
}

static void constant(void *user, double t, double out[3])
{
    (void)t;
    out[0] = *(const double *)user, out[1] = out[2] = 0;
}
static talus_motion always(const double *value) { return (talus_motion){constant, (void *)(uintptr_t)value}; }

static tl_vec3 part(const solid_block *b, const double *v, int node)
{
    return tl_v3(v[b->dimension * node], v[b->dimension * node + 1], b->dimension == 3 ? v[b->dimension * node + 2] : 0);
}

static tl_mat3 turn_by(int dimension, double angle) { return tl_mat3_rotation(tl_normalize(dimension == 2 ? tl_v3(0, 0, 1) : tl_v3(0.3, -0.8, 0.5)), angle); }

/* ---- a patch --------------------------------------------------------------------------------------------------------------------- */

static tl_vec3 stretched(tl_vec3 x) { return tl_v3(x.x + 1e-3 * x.x - 2e-3 * x.y + 4e-4 * x.z, x.y + 5e-4 * x.x + 1e-3 * x.y, x.z - 7e-4 * x.z + 3e-4 * x.x); }

/* The surface of a crooked mesh at a field that is linear and turned: what is inside, put a little wrong, finds its place, and all stresses are one. */
TEST(patches)
{
    static const double ANGLE[] = {90, 200};
    for (int kind = 0; kind < tl_element_kinds(); kind++)
        for (int k = 0; k < 2; k++) {
            solid_block b = block_make(kind, (const int[3]){3, 3, 3}, (const double[3]){1, 1, 1});
            const int d = b.dimension;
            const tl_mat3 Q = turn_by(d, ANGLE[k] * TL_PI / 180);
            tl_random random = tl_random_seed(4);
            double *value = calloc((size_t)(d * b.nodes), sizeof *value), off = 0;
            bool *inside = calloc((size_t)b.nodes, sizeof *inside);
            const bool between = tl_element_kind_at(kind)->nodes == 10 || tl_element_kind_at(kind) == &TL_TRIANGLE6;
            for (int i = 0; i < b.nodes; i++) {
                inside[i] = true;
                for (int a = 0; a < d; a++) inside[i] = inside[i] && b.x[i][a] > 1e-9 && b.x[i][a] < 1 - 1e-9;
            }
            for (int i = 0; i < b.nodes && !between; i++)
                for (int a = 0; a < d; a++) b.x[i][a] += 0.06 * tl_random_uniform(&random, -1, 1);
            tl_matter *m = make_solid(&b, &(making){.material = {&TL_ELASTIC, {1e5, 0.3}}});
            for (int i = 0; i < b.nodes; i++) {
                double at[3];
                tl_store3(at, tl_sub(tl_mat3_apply(&Q, stretched(tl_load3(b.x[i]))), tl_load3(b.x[i])));
                for (int a = 0; a < d; a++) {
                    value[d * i + a] = at[a];
                    const talus_motion motion = always(&value[d * i + a]);
                    if (!inside[i]) MUST(tl_solid_hold(m, i, a, &motion, &why), why);
                    field(m, 0)[d * i + a] = at[a] + (inside[i] ? 0.01 * tl_random_uniform(&random, -1, 1) : 0);
                }
            }
            assemble(m);
            for (int pass = 0; pass < 2; pass++) advance(m, step_of(0, 1e3, 1, NULL)); /* so long that inertia is nothing beside stiffness */
            for (int i = 0; i < d * b.nodes; i++) off = fmax(off, fabs(field(m, 0)[i] - value[i]));
            CHECK(off < 1e-13);
            /* one stress, that of the strain of U, turned */
            tl_mat3 F = tl_mat3_identity(), R;
            for (int c = 0; c < d; c++) {
                double column[3];
                tl_store3(column, stretched(tl_v3(c == 0, c == 1, c == 2)));
                for (int a = 0; a < d; a++) F.m[a][c] = column[a];
            }
            CHECK(tl_mat3_polar(&F, &R));
            const tl_mat3 back = tl_mat3_transpose(&R), U = tl_mat3_mul(&back, &F);
            static const int ROW[6] = {0, 1, 2, 0, 1, 0}, COLUMN[6] = {0, 1, 2, 1, 2, 2};
            double strain[6], stress[6];
            for (int c = 0; c < 6; c++) strain[c] = c < 3 ? U.m[c][c] - 1 : 2 * U.m[ROW[c]][COLUMN[c]];
            tl_hooke(tl_lame(1e5, 0.3), tl_shear_modulus(1e5, 0.3), strain, stress, NULL);
            tl_mat3 S;
            for (int c = 0; c < 6; c++) S.m[ROW[c]][COLUMN[c]] = S.m[COLUMN[c]][ROW[c]] = stress[c];
            const tl_mat3 whole = tl_mat3_mul(&Q, &R), t = tl_mat3_transpose(&whole), half = tl_mat3_mul(&S, &t), turned = tl_mat3_mul(&whole, &half);
            for (int e = 0; e < b.elements; e++) {
                tl_stress mean;
                double volume;
                CHECK(tl_solid_mean_stress(m, e, &mean, &volume));
                for (int c = 0; c < 6; c++) CHECK_NEAR(mean.stress[c], turned.m[ROW[c]][COLUMN[c]], 1e-7);
            }
            m->ops->destroy(m);
            free(value), free(inside);
            block_free(&b);
        }
}

/* ---- a free block ---------------------------------------------------------------------------------------------------------------- */

typedef struct motion_of_block {
    double energy, off; /* at the start, and by how much it differs at most after */
    tl_vec3 spin, spin_off;
    double turned; /* of the last node about the middle, through whole turns [rad] */
} motion_of_block;

static tl_vec3 angular_momentum(tl_matter *m, const solid_block *b)
{
    tl_vec3 sum = {0, 0, 0};
    for (int i = 0; i < b->nodes; i++)
        sum = tl_add(sum, tl_scale(m->ops->body_mass(m, i).mass, tl_cross(tl_add(tl_load3(b->x[i]), part(b, field(m, 0), i)), part(b, field(m, 1), i))));
    return sum;
}

static double energy_of(tl_matter *m)
{
    static const double NONE[3] = {0, 0, 0};
    tl_solid_energies out;
    tl_solid_energy(m, NONE, &out);
    return out.kinetic + out.elastic;
}

/* Spins at 1 rad/s, about no principal axis in space, and breathes. */
static motion_of_block spin_block(int kind, double h, double end, double damping)
{
    solid_block b = block_make(kind, (const int[3]){2, 2, 2}, (const double[3]){1, 0.7, 0.5});
    for (int i = 0; i < b.nodes; i++) b.x[i][0] -= 0.5, b.x[i][1] -= 0.35, b.x[i][2] -= b.dimension == 3 ? 0.25 : 0;
    tl_matter *m = make_solid(&b, &(making){.material = {&TL_ELASTIC, {1e5, 0.3}}, .density = 1e3, .damping = damping});
    const tl_vec3 omega = b.dimension == 2 ? tl_v3(0, 0, 1) : tl_normalize(tl_v3(0.3, -0.5, 1));
    for (int i = 0; i < b.nodes; i++) {
        double v[3];
        tl_store3(v, tl_add(tl_cross(omega, tl_load3(b.x[i])), tl_scale(0.02, tl_load3(b.x[i]))));
        for (int a = 0; a < b.dimension; a++) field(m, 1)[b.dimension * i + a] = v[a];
    }
    assemble(m);
    motion_of_block out = {.energy = energy_of(m), .spin = angular_momentum(m, &b)};
    const int last = b.nodes - 1;
    tl_vec3 before = tl_load3(b.x[last]);
    for (double t = 0; t < end - 0.5 * h; t += h) {
        advance(m, step_of(t, h, 0.5, NULL));
        out.off = fmax(out.off, fabs(energy_of(m) - out.energy));
        const tl_vec3 now = tl_add(tl_load3(b.x[last]), part(&b, field(m, 0), last)), off = tl_sub(angular_momentum(m, &b), out.spin);
        out.turned += atan2(before.x * now.y - before.y * now.x, before.x * now.x + before.y * now.y);
        before = now;
        if (tl_norm(off) > tl_norm(out.spin_off)) out.spin_off = off;
    }
    m->ops->destroy(m);
    block_free(&b);
    return out;
}

/* The midpoint rule keeps angular momentum, since forces at mid-step have no moment there; energy to the second order of the step, without drift. What damps
 * strains takes of the breathing, and nothing of the spin. */
TEST(spinning)
{
    static const char *const KIND[] = {"quadrilateral4", "triangle6", "hexahedron8", "wedge6", "tetrahedron4"};
    for (int k = 0; k < 5; k++) {
        const int kind = talus_element_find(KIND[k]);
        const motion_of_block coarse = spin_block(kind, 4e-3, 4, 0), fine = spin_block(kind, 2e-3, 4, 0);
        CHECK(tl_norm(coarse.spin_off) < 1e-8 * tl_norm(coarse.spin));
        CHECK(coarse.off < 1e-3 * coarse.energy);
        CHECK(coarse.off > 3.3 * fine.off && coarse.off < 4.8 * fine.off);
    }
    const motion_of_block turns = spin_block(talus_element_find("quadrilateral4"), 1e-2, 20 * TL_PI, 0);
    const motion_of_block damped = spin_block(talus_element_find("quadrilateral4"), 1e-2, 20 * TL_PI, 5e-3);
    CHECK(tl_norm(turns.spin_off) < 1e-8 * tl_norm(turns.spin));
    CHECK(turns.off < 2e-3 * turns.energy);
    CHECK(tl_norm(damped.spin_off) < 1e-8 * tl_norm(damped.spin));
    /* breathing had (0.02/1)² of the energy; centrifugal strain, about ρ ω² a²/E = 2e-3, is of the size of what else is lost, and slows the spin by twice that
     */
    CHECK(damped.off < 5e-3 * damped.energy);
    CHECK(fabs(damped.turned - 20 * TL_PI) < 1e-2 * 20 * TL_PI && damped.turned < 20 * TL_PI);
}

/* ---- beams ----------------------------------------------------------------------------------------------------------------------- */

static const double LENGTH = 10, HEIGHT = 0.1, YOUNG = 12e7;

/* A strip of n elements along x, one high; E I = YOUNG HEIGHT³/12 per width. Clamped at x = 0 with ν = 0, so that the clamp holds what a beam's does. */
static tl_matter *make_strip(int kind, int n, solid_block *b)
{
    *b = block_make(kind, (const int[3]){n, 1, 1}, (const double[3]){LENGTH, HEIGHT, 1});
    tl_matter *m = make_solid(b, &(making){.material = {&TL_ELASTIC, {YOUNG, 0}}, .plane_stress = true});
    for (int i = 0; i < b->nodes; i++)
        for (int a = 0; a < b->dimension && b->x[i][0] < 1e-9; a++) MUST(tl_solid_hold(m, i, a, NULL, &why), why);
    return m;
}

/* Mean displacement of the end, [x, y]. */
static void end_of(tl_matter *m, const solid_block *b, double out[2])
{
    double count = 0;
    out[0] = out[1] = 0;
    for (int i = 0; i < b->nodes; i++) {
        if (b->x[i][0] < LENGTH - 1e-9) continue;
        count++;
        for (int a = 0; a < 2; a++) out[a] += field(m, 0)[b->dimension * i + a];
    }
    for (int a = 0; a < 2; a++) out[a] /= count;
}

/* E I θ' = M with θ(0) = 0 and M' = −P cos θ, M(L) = 0, by shooting for M(0): P across at the end. Lengths over L, α = P L²/(E I). */
static double shoot(double alpha, double kappa, double end[2])
{
    enum { STEPS = 4000 };
    double y[4] = {0, kappa, 0, 0}; /* θ, θ', x, y */
    for (int step = 0; step < STEPS; step++) {
        double k[4][4], at[4];
        for (int s = 0; s < 4; s++) {
            for (int i = 0; i < 4; i++) at[i] = y[i] + (s == 0 ? 0 : (s == 3 ? 1.0 : 0.5) / STEPS * k[s - 1][i]);
            k[s][0] = at[1], k[s][1] = -alpha * cos(at[0]), k[s][2] = cos(at[0]), k[s][3] = sin(at[0]);
        }
        for (int i = 0; i < 4; i++) y[i] += (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]) / (6.0 * STEPS);
    }
    end[0] = y[2] - 1, end[1] = y[3];
    return y[1];
}

static void elastica(double alpha, double end[2])
{
    double low = 0, high = alpha;
    for (int pass = 0; pass < 60; pass++) {
        const double middle = 0.5 * (low + high);
        if (shoot(alpha, middle, end) > 0) high = middle;
        else low = middle;
    }
}

static double end_load(int kind, int n, double alpha, const double expect[2])
{
    solid_block b;
    tl_matter *m = make_strip(kind, n, &b);
    const double P = alpha * YOUNG * pow(HEIGHT, 3) / 12 / (LENGTH * LENGTH);
    talus_solid_face face[64];
    int faces = 0;
    const tl_element_mesh *mesh = tl_solid_mesh(m);
    for (int f = 0; f < mesh->faces; f++) {
        int node[TL_FACE_NODES];
        bool there = true;
        const int nodes = tl_element_mesh_face_nodes(mesh, &mesh->face[f], node);
        for (int k = 0; k < nodes; k++) there = there && mesh->x[node[k]][0] > LENGTH - 1e-9;
        if (there) face[faces++] = (talus_solid_face){mesh->face[f].element, mesh->face[f].face};
    }
    const double traction = P / HEIGHT;
    talus_solid_load load = {.struct_size = sizeof load, .face = face, .faces = faces, .traction = {{0}, always(&traction), {0}}};
    MUST(tl_solid_add_load(m, &load, &why), why);
    assemble(m);
    settle(m);
    double end[2];
    end_of(m, &b, end);
    m->ops->destroy(m);
    block_free(&b);
    return hypot(end[0] / LENGTH - expect[0], end[1] / LENGTH - expect[1]);
}

TEST(cantilevers)
{
    double expect[2];
    elastica(3, expect);
    CHECK_NEAR(expect[1], 0.60325, 1e-5); /* Mattiasson 1981, α = 3: w/L and u/L */
    CHECK_NEAR(-expect[0], 0.25442, 1e-5);
    static const char *const KIND[] = {"quadrilateral4", "triangle6", "hexahedron8", "tetrahedron10"};
    for (int k = 0; k < 4; k++) {
        const int kind = talus_element_find(KIND[k]);
        const double coarse = end_load(kind, 10, 3, expect), fine = end_load(kind, 20, 3, expect), finest = end_load(kind, 40, 3, expect);
        CHECK(coarse < 0.05 && coarse > 4 * fine && fine > 4 * finest); /* second order at least */
        CHECK(finest < 4e-4);
    }
}

/* A couple of two forces that keep their directions, ±F along x on the top and the bottom of the end, turns with cos φ: the bar is an arc of φ = (F H L/(E I))
 * cos φ. */
TEST(arcs)
{
    const double a = 2, F = a * YOUNG * pow(HEIGHT, 3) / 12 / (LENGTH * HEIGHT);
    double phi = 1, off[4];
    for (int pass = 0; pass < 50; pass++) phi -= (phi - a * cos(phi)) / (1 + a * sin(phi));
    for (int k = 0; k < 4; k++) {
        solid_block b;
        double end[2];
        tl_matter *m = make_strip(talus_element_find("quadrilateral4"), 5 << k, &b);
        const double one = 1;
        const talus_motion always_one = always(&one);
        for (int i = 0; i < b.nodes; i++) {
            const double weight[1][3] = {{b.x[i][1] < 1e-9 ? F : -F, 0, 0}};
            if (b.x[i][0] > LENGTH - 1e-9) MUST(tl_solid_push(m, 1, &i, weight, &always_one, &why), why);
        }
        assemble(m);
        settle(m);
        end_of(m, &b, end);
        /* the middle of the section is at half the height, where the clamp is, too */
        off[k] = hypot(end[0] / LENGTH + 1 - sin(phi) / phi, end[1] / LENGTH - (1 - cos(phi)) / phi);
        m->ops->destroy(m);
        block_free(&b);
    }
    CHECK(off[0] > 4 * off[1] && off[1] > 4 * off[2]);
    CHECK(off[3] < 1e-3); /* the outer fibre strains by φ H/(2L) = 5e-3, and small strains are exact to that */
}

/* A pressure q on the top of a bar goes with it. From the free end, where nothing acts, dM = V ds, dV = (N κ + q) ds, dN = −V κ ds with M = E I κ leads to the
 * clamp; there is nothing to guess. Lengths over L, forces over E I/L². */
static void pressed(double q, double end[2])
{
    enum { STEPS = 4000 };
    double y[6] = {0}; /* M, V, N, θ, x, y from the end */
    for (int step = 0; step < STEPS; step++) {
        double k[4][6], at[6];
        for (int s = 0; s < 4; s++) {
            for (int i = 0; i < 6; i++) at[i] = y[i] + (s == 0 ? 0 : (s == 3 ? 1.0 : 0.5) / STEPS * k[s - 1][i]);
            k[s][0] = at[1], k[s][1] = q + at[2] * at[0], k[s][2] = -at[1] * at[0], k[s][3] = at[0], k[s][4] = cos(at[3]), k[s][5] = sin(at[3]);
        }
        for (int i = 0; i < 6; i++) y[i] += (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]) / (6.0 * STEPS);
    }
    /* seen from the clamp, where the tangent is along x; way from there backwards */
    const double c = cos(y[3]), s = sin(y[3]);
    end[0] = c * y[4] + s * y[5] - 1, end[1] = c * y[5] - s * y[4];
}

TEST(pressures)
{
    double expect[2], off[2][2];
    pressed(20, expect);
    for (int space = 0; space < 2; space++)
        for (int k = 0; k < 2; k++) {
            solid_block b;
            double end[2];
            tl_matter *m = make_strip(talus_element_find(space ? "hexahedron8" : "quadrilateral4"), k ? 40 : 20, &b);
            const tl_element_mesh *mesh = tl_solid_mesh(m);
            talus_solid_face face[64];
            int faces = 0;
            for (int f = 0; f < mesh->faces; f++) {
                int node[TL_FACE_NODES];
                bool there = true;
                const int nodes = tl_element_mesh_face_nodes(mesh, &mesh->face[f], node);
                for (int i = 0; i < nodes; i++) there = there && mesh->x[node[i]][1] > HEIGHT - 1e-9;
                if (there) face[faces++] = (talus_solid_face){mesh->face[f].element, mesh->face[f].face};
            }
            const double q = 20 * YOUNG * pow(HEIGHT, 3) / 12 / pow(LENGTH, 3);
            const talus_solid_load load = {.struct_size = sizeof load, .face = face, .faces = faces, .pressure = always(&q)};
            MUST(tl_solid_add_load(m, &load, &why), why);
            assemble(m);
            settle(m);
            end_of(m, &b, end);
            off[space][k] = hypot(end[0] / LENGTH - expect[0], end[1] / LENGTH - expect[1]);
            m->ops->destroy(m);
            block_free(&b);
        }
    for (int space = 0; space < 2; space++) CHECK(off[space][0] < 5e-2 && off[space][1] < 0.3 * off[space][0]);
}

/* ---- a pendulum ------------------------------------------------------------------------------------------------------------------ */

/* K(k) by the arithmetic-geometric mean. */
static double complete_elliptic(double k)
{
    double a = 1, g = sqrt(1 - k * k);
    for (int pass = 0; pass < 30; pass++) {
        const double mean = 0.5 * (a + g);
        g = sqrt(a * g), a = mean;
    }
    return 0.5 * TL_PI / a;
}

/* A stiff bar of 1 m, hung at the node in the middle of its upper end (in space at those of an edge), let go at 150° from hanging. Twice the time between two
 * passages through the bottom is the period, here over T = 4 √(J/(m g d)) K(sin 75°), with J and d of its nodes' masses, which are exact for what is rigid. */
static double swing_error(int kind, double h)
{
    static const double G = 10, START = 150 * TL_PI / 180;
    solid_block b = block_make(kind, (const int[3]){10, 2, 1}, (const double[3]){1, 0.1, 0.1});
    tl_matter *m = make_solid(&b, &(making){.material = {&TL_ELASTIC, {2e9, 0.3}}, .density = 1e3});
    const tl_mat3 Q = tl_mat3_rotation(tl_v3(0, 0, 1), START);
    double J = 0, moment = 0, period = 0;
    for (int i = 0; i < b.nodes; i++) {
        const tl_vec3 r = tl_v3(b.x[i][0], b.x[i][1] - 0.05, b.x[i][2]), turned = tl_mat3_apply(&Q, r);
        const double mass = m->ops->body_mass(m, i).mass, u[3] = {turned.x - r.x, turned.y - r.y, 0};
        J += mass * (r.x * r.x + r.y * r.y), moment += mass * r.x;
        for (int a = 0; a < b.dimension; a++) field(m, 0)[b.dimension * i + a] = u[a];
        for (int a = 0; a < b.dimension && r.x * r.x + r.y * r.y < 1e-18; a++) MUST(tl_solid_hold(m, i, a, NULL, &why), why);
    }
    int tip = 0;
    for (int i = 0; i < b.nodes; i++)
        if (b.x[i][0] > 1 - 1e-9 && fabs(b.x[i][1] - 0.05) < 1e-9 && b.x[i][2] < 1e-9) tip = i;
    assemble(m);
    const double gravity[3] = {G, 0, 0}, own = 4 * sqrt(J / (moment * G)) * complete_elliptic(sin(0.5 * START)); /* down is x */
    double across = 1;
    int crossings = 0;
    for (double t = 0; t < 2 * own && crossings < 2; t += h) {
        advance(m, step_of(t, h, 0.5, gravity));
        const double y = b.x[tip][1] - 0.05 + field(m, 0)[b.dimension * tip + 1], x = b.x[tip][0] + field(m, 0)[b.dimension * tip];
        if (x > 0 && y * across < 0) { /* a quarter, three quarters of the period */
            const double when = t + h * across / (across - y);
            period += crossings ? 2 * when : -2 * when;
            crossings++;
        }
        across = y;
    }
    m->ops->destroy(m);
    block_free(&b);
    return period / own - 1;
}

TEST(pendulums)
{
    static const char *const KIND[] = {"quadrilateral4", "triangle6", "hexahedron8"};
    for (int k = 0; k < 3; k++) {
        const int kind = talus_element_find(KIND[k]);
        const double coarse = swing_error(kind, 8e-3), fine = swing_error(kind, 4e-3);
        /* weight bends and draws by ρ g L²/E (L/H) of its length, 5e-5 */
        CHECK(fabs(coarse) < 2e-3 && fabs(fine) < 0.3 * fabs(coarse) + 5e-5);
    }
}

/* ---- soil that is turned ----------------------------------------------------------------------------------------------------------- */

typedef struct drive {
    double x[3]; /* of the node without strain */
    int axis, dimension;
    double angle; /* by which it is turned in a second */
} drive;

/* Compressed along its own y by 1 % in a second, and turned meanwhile. */
static void press_and_turn(void *user, double t, double out[3])
{
    const drive *d = user;
    for (int k = 0; k < 2; k++) { /* value; rate by a quotient, which is velocity alone */
        const double s = t + (k ? 1e-6 : 0);
        const tl_mat3 Q = turn_by(d->dimension, d->angle * s);
        double at[3];
        tl_store3(at, tl_mat3_apply(&Q, tl_v3(d->x[0], d->x[1] * (1 - 0.01 * s), d->x[2])));
        out[k] = k ? (at[d->axis] - d->x[d->axis] - out[0]) / 1e-6 : at[d->axis] - d->x[d->axis];
    }
    out[2] = 0;
}

/* The block's two sides across y are driven; what is between and beside is free, and the sides may not spread: friction between plates. Yields; turned by 200°
 * on the way it holds the same memory and the same stress in its own axes. */
TEST(soil)
{
    static const double ANGLE[2] = {0, 200 * TL_PI / 180};
    for (int k = 0; k < 2; k++) {
        const int kind = talus_element_find(k ? "hexahedron8" : "quadrilateral4");
        double off = 0, plastic = 0, most = 0, apart = 0;
        double *kept[2] = {NULL, NULL};
        tl_stress stress[2][64];
        for (int turned = 0; turned < 2; turned++) {
            solid_block b = block_make(kind, (const int[3]){1, 2, 1}, (const double[3]){1, 1, 0.5});
            const tl_material soil = {&TL_DRUCKER_PRAGER, {91e6, 0.3, 14e3, 22 * TL_PI / 180, 5e3, 750e3, 4, 0.1, 1e-6}};
            tl_matter *m = make_solid(&b, &(making){.material = soil, .density = 1e-3});
            drive *drives = calloc(3 * (size_t)b.nodes, sizeof *drives);
            for (int i = 0; i < b.nodes; i++)
                for (int a = 0; a < b.dimension; a++) {
                    drive *d = &drives[3 * i + a];
                    *d = (drive){{b.x[i][0], b.x[i][1], b.x[i][2]}, a, b.dimension, ANGLE[turned]};
                    const talus_motion motion = {press_and_turn, d};
                    if (b.x[i][1] < 1e-9 || b.x[i][1] > 1 - 1e-9) MUST(tl_solid_hold(m, i, a, &motion, &why), why);
                }
            for (int i = 0; i < b.nodes; i++) /* all begins with the motion of the sides */
                for (int a = 0; a < b.dimension; a++) {
                    double at[3];
                    drive d = {{b.x[i][0], b.x[i][1], b.x[i][2]}, a, b.dimension, ANGLE[turned]};
                    press_and_turn(&d, 0, at);
                    field(m, 1)[b.dimension * i + a] = at[1];
                }
            assemble(m);
            const int steps = 200;
            for (int n = 0; n < steps; n++) advance(m, step_of((double)n / steps, 1.0 / steps, 1, NULL));
            tl_field list[4];
            m->ops->fields(m, list, 4);
            const int states = list[2].rows * list[2].columns;
            kept[turned] = calloc((size_t)states, sizeof **kept);
            memcpy(kept[turned], list[2].data, (size_t)states * sizeof **kept);
            const tl_mat3 Q = turn_by(b.dimension, ANGLE[turned]);
            for (int e = 0; e < b.elements; e++) {
                double volume;
                CHECK(tl_solid_mean_stress(m, e, &stress[turned][e], &volume));
                const double *t = stress[turned][e].stress;
                const tl_mat3 S = {{{t[0], t[3], t[5]}, {t[3], t[1], t[4]}, {t[5], t[4], t[2]}}}, half = tl_mat3_mul(&S, &Q), back = tl_mat3_transpose(&Q),
                              own = tl_mat3_mul(&back, &half);
                if (turned) apart = fmax(apart, fabs(own.m[1][1] - stress[0][e].stress[1]));
                most = fmax(most, fabs(own.m[1][1]));
            }
            for (int i = 0; turned && i < states; i++) off = fmax(off, fabs(kept[1][i] - kept[0][i])), plastic = fmax(plastic, fabs(kept[0][i]));
            m->ops->destroy(m);
            free(drives);
            block_free(&b);
        }
        CHECK(plastic > 5e-3 && off < 1e-3 * plastic); /* differs by how the two ways are found */
        CHECK(most > 1e4 && apart < 1e-2 * most);
        free(kept[0]), free(kept[1]);
    }
}

int main(int argc, char **argv)
{
    arena = tl_arena_create(tl_memory_default(), 1 << 16);
    threads = tl_threads_create(tl_memory_default(), 1);
    RUN(patches);
    RUN(spinning);
    RUN(cantilevers);
    RUN(arcs);
    RUN(pressures);
    RUN(pendulums);
    RUN(soil);
    tl_threads_destroy(threads);
    tl_arena_destroy(arena);
    return TEST_RESULT;
}
