/* What fills closed surfaces (theory §7.9): volumes, gradients that are exact on any body, forces of constant stress, the box that it must be, and what is
 * held. */
#include "base/base.h"
#include "closed_shapes.h"
#include "scene/closed.h"
#include "scene/grid.h"
#include "solid/face.h"
#include "solid/mean_gradients.h"
#include "solid/particle_fields.h"
#include "solid/particle_stabilisation.h"
#include "test.h"

static shape body;
static tl_arena *arena;

typedef struct filled {
    tl_grid grid;
    tl_element_mesh mesh;
    tl_least_squares fit;
    double volume; /* of what the surface encloses */
} filled;

static filled fill(int dimension, double spacing)
{
    static const tl_element_kind *kind[100000];
    filled f;
    tl_closed surface;
    tl_error error = {0};
    MUST(tl_closed_create(dimension, (const double(*)[3])body.point, body.points, (const int32_t(*)[3])body.triangle, body.triangles, &surface), error);
    MUST(tl_grid_closed(&surface, spacing, arena, &f.grid, &error), error);
    f.volume = surface.size;
    for (int e = 0; e < f.grid.elements; e++) kind[e] = dimension == 3 ? &TL_HEXAHEDRON8 : &TL_QUADRILATERAL4;
    const tl_element_mesh_def d = {dimension, f.grid.nodes, f.grid.elements, (const double(*)[3])f.grid.x, kind, f.grid.node};
    MUST(tl_element_mesh_create(tl_memory_default(), &d, &f.mesh, &error), error);
    MUST(tl_mean_gradients_create(tl_memory_default(), &f.mesh, &f.fit, &error), error);
    tl_closed_free(&surface);
    return f;
}

static void discard(filled *f)
{
    tl_least_squares_free(&f->fit);
    tl_element_mesh_free(&f->mesh);
}

/* In the plane: an outline of points that follow one another. */
static void outline(const double (*x)[2], int n)
{
    body.points = body.triangles = n;
    for (int i = 0; i < n; i++) {
        tl_store3(body.point[i], tl_v3(x[i][0], x[i][1], 0));
        body.triangle[i][0] = i, body.triangle[i][1] = (i + 1) % n, body.triangle[i][2] = -1;
    }
}

static void disk(int n)
{
    double x[400][2];
    for (int i = 0; i < n; i++) x[i][0] = cos(2 * TL_PI * i / n), x[i][1] = sin(2 * TL_PI * i / n);
    outline((const double(*)[2])x, n);
}

enum { BALL, BOX, TILTED_BOX, ELL, TILTED_ELL, HEAP, DISK, TILTED_SQUARE, FLAT_ELL, BODIES };

static int open_body(int which)
{
    static const double ELL_OF[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
    static const double SQUARE[4][2] = {{0, 0}, {0.866025, 0.5}, {0.366025, 1.366025}, {-0.5, 0.866025}};
    if (which == BALL) shape_ball(&body, 1, 24);
    if (which == BOX || which == TILTED_BOX) shape_box(&body, 1, 1, 1);
    if (which == ELL || which == TILTED_ELL) shape_ell(&body);
    if (which == HEAP) shape_heap(&body, 1, 0.25, 0.45, 48);
    if (which == TILTED_BOX || which == TILTED_ELL) shape_turn(&body, tl_v3(1, 2, 3), 0.6);
    if (which == DISK) disk(100);
    if (which == TILTED_SQUARE) outline(SQUARE, 4);
    if (which == FLAT_ELL) outline(ELL_OF, 6);
    return which < DISK ? 3 : 2;
}

/* Σ_j Λ_ij = 0 and Σ_j x_j ⊗ Λ_ij = 1 at every particle; Σ_i V_i Λ_ij is what bilinear faces have of j's surface, and inside nothing. */
TEST(constant_gradients_and_stress)
{
    for (int which = 0; which < BODIES; which++) {
        const int dimension = open_body(which);
        filled f = fill(dimension, 0.15);
        const int n = f.grid.nodes;
        double(*force)[3] = calloc((size_t)n, sizeof *force);
        for (int i = 0; i < n; i++) {
            double unity[3] = {0}, place[3][3] = {{0}};
            CHECK(f.fit.volume[i] > 0);
            for (int k = f.fit.begin[i]; k < f.fit.begin[i + 1]; k++)
                for (int a = 0; a < 3; a++) {
                    unity[a] += f.fit.gradient[k][a];
                    force[f.fit.neighbour[k]][a] += f.fit.volume[i] * f.fit.gradient[k][a];
                    for (int b = 0; b < 3; b++) place[b][a] += (f.grid.x[f.fit.neighbour[k]][b] + 5) * f.fit.gradient[k][a];
                }
            for (int a = 0; a < 3; a++) {
                CHECK_NEAR(unity[a], 0, 1e-11);
                for (int b = 0; b < 3; b++) CHECK_NEAR(place[b][a], a == b && a < dimension, 1e-10);
            }
        }
        for (int k = 0; k < f.mesh.faces; k++) {
            int node[TL_FACE_NODES];
            double x[TL_FACE_NODES][3];
            tl_face_point point[TL_FACE_POINTS];
            const int nodes = tl_element_mesh_face_nodes(&f.mesh, &f.mesh.face[k], node);
            for (int a = 0; a < nodes; a++) memcpy(x[a], f.grid.x[node[a]], sizeof x[a]);
            const int points = tl_face_points(&f.mesh.kind[0]->face[f.mesh.face[k].face], dimension, (const double(*)[3])x, point);
            for (int p = 0; p < points; p++)
                for (int a = 0; a < nodes; a++)
                    for (int b = 0; b < 3; b++) force[node[a]][b] -= point[p].N[a] * point[p].area[b];
        }
        for (int i = 0; i < n; i++)
            for (int a = 0; a < dimension; a++) CHECK_NEAR(force[i][a], 0, 1e-14);
        free(force);
        discard(&f);
    }
}

/* Volume, centre and moment of a ball and a disk of radius 1: chords are inside by the square of the spacing. */
TEST(volumes_converge)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        double off[3], turned[3];
        for (int k = 0; k < 3; k++) {
            double volume = 0, centre[3] = {0}, square = 0;
            (void)open_body(dimension == 3 ? BALL : DISK);
            filled f = fill(dimension, 0.25 / (1 << k));
            for (int i = 0; i < f.grid.nodes; i++) {
                const tl_vec3 x = tl_load3(f.grid.x[i]);
                volume += f.fit.volume[i], square += f.fit.volume[i] * tl_dot(x, x);
                for (int a = 0; a < 3; a++) centre[a] += f.fit.volume[i] * f.grid.x[i][a];
            }
            for (int a = 0; a < 3; a++) CHECK_NEAR(centre[a] / volume, 0, 0.02 / (1 << k));
            off[k] = 1 - volume / f.volume;
            turned[k] = fabs(1 - square / volume / (dimension == 3 ? 0.6 : 0.5)); /* r² in the mean */
            CHECK(off[k] > 0 && off[k] < 0.05);
            discard(&f);
        }
        CHECK(off[0] / off[2] > 10 && turned[2] < 0.01);
    }
}

/* A box along the axes moves no node, has the volumes of the box's own lattice, the same gradients of fields that are quadratic, and at faces, and no bent row.
 * What differs is what is taken across: of x y² on a particle inside ∂/∂x is that of y² ± a²/3 here. */
TEST(a_box_stays_a_box)
{
    tl_error error;
    tl_least_squares box;
    tl_stabilisation rows;
    (void)open_body(BOX);
    filled f = fill(3, 0.25);
    const tl_least_squares_def d = {3, f.grid.nodes, (const int(*)[3])f.grid.site, 0.25, 1.95};
    CHECK(f.grid.nodes == 125);
    CHECK_NEAR(f.grid.spacing, 0.25, 1e-15);
    MUST(tl_least_squares_create(tl_memory_default(), &d, &box, &error), error);
    for (int i = 0; i < f.grid.nodes; i++) {
        bool inside = true;
        for (int a = 0; a < 3; a++) {
            CHECK_NEAR(f.grid.x[i][a], -0.75 + 0.25 * f.grid.site[i][a], 1e-15);
            inside = inside && fabs(f.grid.x[i][a]) < 0.49;
        }
        CHECK_NEAR(f.fit.volume[i], box.volume[i], 1e-16);
        CHECK(f.fit.begin[i] == box.begin[i]);
        double own[3] = {0}, other[3] = {0};
        for (int k = f.fit.begin[i]; k < f.fit.begin[i + 1]; k++) {
            const double *x = f.grid.x[f.fit.neighbour[k]], u = 1 + 2 * x[0] - x[1] + (inside ? x[0] * x[1] + x[2] * x[2] - 3 * x[0] * x[0] : 0);
            CHECK(f.fit.neighbour[k] == box.neighbour[k]);
            for (int a = 0; a < 3; a++) own[a] += f.fit.gradient[k][a] * u, other[a] += box.gradient[k][a] * u;
        }
        for (int a = 0; a < 3; a++) CHECK_NEAR(own[a], other[a], 1e-12);
    }
    MUST(tl_stabilisation_create(tl_memory_default(), &d, f.fit.volume, &rows, &error), error);
    MUST(tl_stabilisation_bend(&rows, (const double(*)[3])f.grid.x, &f.fit, &error), error);
    for (int k = 0; k < rows.rows; k++) CHECK(rows.row[k].begin == rows.row[k].end);
    tl_stabilisation_free(&rows);
    tl_least_squares_free(&box);
    discard(&f);
}

/* Bent rows do not feel fields that are linear, as rotations are; what they exert has no sum and no moment, and is the derivative of their energy. */
TEST(bent_rows)
{
    static double u[3 * 20000], y[3 * 20000], z[3 * 20000];
    for (int which = 0; which < BODIES; which++) {
        const int dimension = open_body(which);
        tl_error error;
        tl_stabilisation rows;
        tl_random rnd = tl_random_seed(5);
        filled f = fill(dimension, 0.15);
        const int n = f.grid.nodes;
        const tl_least_squares_def d = {dimension, n, (const int(*)[3])f.grid.site, f.grid.spacing, 1.8};
        MUST(tl_stabilisation_create(tl_memory_default(), &d, f.fit.volume, &rows, &error), error);
        MUST(tl_stabilisation_bend(&rows, (const double(*)[3])f.grid.x, &f.fit, &error), error);
        for (int i = 0; i < n; i++)
            for (int a = 0; a < dimension; a++) u[dimension * i + a] = 0.3 + f.grid.x[i][(a + 1) % dimension] * (a + 1) - 2 * f.grid.x[i][a];
        memset(y, 0, sizeof y);
        tl_stabilisation_add(&rows, dimension, NULL, 1, u, y);
        for (int i = 0; i < dimension * n; i++) CHECK_NEAR(y[i], 0, 1e-12);
        for (int i = 0; i < dimension * n; i++) u[i] = tl_random_uniform(&rnd, -1, 1);
        tl_stabilisation_add(&rows, dimension, NULL, 1, u, z);
        double sum = 0, moment = 0, work = 0;
        for (int i = 0; i < n; i++) {
            const double *F = z + dimension * i;
            sum += F[0], moment += f.grid.x[i][0] * F[1] - f.grid.x[i][1] * F[0];
            for (int a = 0; a < dimension; a++) work += 0.5 * u[dimension * i + a] * F[a];
        }
        const double energy = tl_stabilisation_energy(&rows, dimension, u);
        CHECK_NEAR(sum, 0, 1e-11);
        CHECK_NEAR(moment, 0, 1e-11);
        CHECK_NEAR(work, energy, 1e-10 * energy);
        memset(z, 0, sizeof z);
        tl_stabilisation_free(&rows);
        discard(&f);
    }
}

/* W at u of rows of which some have given way and others have a torn particle. */
static double given_energy(tl_particle_fields *fields, tl_stabilisation *rows, const tl_particle_field *at, tl_columns *G, tl_row_rests rests)
{
    tl_particle_gradients(fields, NULL, at->u, G);
    tl_stabilisation_carry(rows, NULL, at, fields->fit->volume, rests);
    return tl_stabilisation_energy(rows, at->dimension, at->u);
}

/* Bent rows that have given way: forces, and what stresses of particles add to them, are the derivative of their energy. */
TEST(bent_rows_that_have_given_way)
{
    enum { MOST = 2000 };
    static double u[3 * MOST], z[3 * MOST], rest[TL_ROW_REST * MOST], torn[TL_ROW_REST * MOST];
    static tl_columns G[MOST], P[MOST];
    static const int WHICH[] = {TILTED_ELL, TILTED_SQUARE, DISK};
    for (int b = 0; b < 3; b++) {
        const int dimension = open_body(WHICH[b]);
        tl_error error;
        tl_stabilisation rows;
        tl_particle_fields fields;
        tl_random rnd = tl_random_seed(5);
        filled f = fill(dimension, dimension == 3 ? 0.3 : 0.2);
        const int n = f.grid.nodes;
        int bent = 0;
        const tl_least_squares_def d = {dimension, n, (const int(*)[3])f.grid.site, f.grid.spacing, 1.8};
        const tl_particle_field at = {dimension, u, (const tl_columns *)G};
        const tl_row_rests rests = {rest, torn, TL_ROW_REST};
        CHECK(n <= MOST);
        MUST(tl_stabilisation_create(tl_memory_default(), &d, f.fit.volume, &rows, &error), error);
        MUST(tl_stabilisation_bend(&rows, (const double(*)[3])f.grid.x, &f.fit, &error), error);
        MUST(tl_particle_fields_create(tl_memory_default(), dimension, &f.fit, &fields, &error), error);
        for (int k = 0; k < rows.rows; k++) bent += rows.row[k].end > rows.row[k].begin;
        CHECK(bent > 5);
        memset(rest, 0, sizeof rest), memset(torn, 0, sizeof torn), memset(z, 0, sizeof z), memset(P, 0, sizeof P);
        for (int k = 0; k < TL_ROW_REST * n; k++)
            if (k % 3 < dimension && k % 2) rest[k] = tl_random_uniform(&rnd, -0.1, 0.1);
        torn[TL_ROW_REST * (n / 2)] = 1;
        for (int i = 0; i < dimension * n; i++) u[i] = tl_random_uniform(&rnd, -0.02, 0.02);
        (void)given_energy(&fields, &rows, &at, G, rests);
        tl_stabilisation_add(&rows, dimension, NULL, -1, u, z);
        tl_stabilisation_give_way(&rows, dimension, &(tl_given_way){1, 0, NULL}, z, P);
        tl_particle_pushes(&fields, NULL, (const tl_columns *)P, -1, z);
        double size = 0;
        for (int k = 0; k < dimension * n; k++) size = fmax(size, fabs(z[k]));
        for (int k = 0; k < dimension * n; k += 5) {
            const double own = u[k], by = 1e-6;
            u[k] = own + by;
            const double after = given_energy(&fields, &rows, &at, G, rests);
            u[k] = own - by;
            const double slope = (after - given_energy(&fields, &rows, &at, G, rests)) / (2 * by);
            u[k] = own;
            CHECK_NEAR(z[k], -slope, 1e-6 * size);
        }
        tl_particle_fields_free(&fields);
        tl_stabilisation_free(&rows);
        discard(&f);
    }
}

/* A heap's rim, where its foot and its side meet at 41°: nowhere has the foot's outline a corner that is sharper than 60°. */
TEST(no_spikes)
{
    enum { SIDES = 20000 };
    static int side[SIDES][2], next[SIDES];
    static const double SPACING[3] = {0.08, 0.05, 0.035};
    for (int s = 0; s < 3; s++) {
        int sides = 0, round = 0;
        shape_heap(&body, 0.6, 0.25, 0.3, 48);
        filled f = fill(3, SPACING[s]);
        for (int k = 0; k < f.mesh.faces; k++) {
            int node[TL_FACE_NODES];
            double most = 0;
            const int nodes = tl_element_mesh_face_nodes(&f.mesh, &f.mesh.face[k], node);
            for (int a = 0; a < nodes; a++) most = fmax(most, f.grid.x[node[a]][2]);
            for (int a = 0; a < nodes && most < 1e-9; a++) side[sides][0] = node[a], side[sides++][1] = node[(a + 1) % nodes];
        }
        for (int i = 0; i < sides; i++) next[side[i][0]] = -1;
        for (int i = 0; i < sides; i++) { /* those that no other face of the foot has the other way */
            bool shared = false;
            for (int j = 0; j < sides; j++) shared = shared || (side[i][0] == side[j][1] && side[i][1] == side[j][0]);
            if (!shared) next[side[i][0]] = side[i][1], round++;
        }
        for (int i = 0; i < sides; i++) {
            const int a = side[i][0], b = next[a], c = b < 0 ? -1 : next[b];
            if (c < 0) continue;
            const tl_vec3 to = tl_sub(tl_load3(f.grid.x[b]), tl_load3(f.grid.x[a])), on = tl_sub(tl_load3(f.grid.x[c]), tl_load3(f.grid.x[b]));
            CHECK(tl_dot(to, on) > -0.5 * tl_norm(to) * tl_norm(on));
        }
        CHECK(round > 2 * TL_PI * 0.5 / SPACING[s]);
        discard(&f);
    }
}

int main(int argc, char **argv)
{
    arena = tl_arena_create(tl_memory_default(), 1 << 20);
    RUN(constant_gradients_and_stress);
    RUN(volumes_converge);
    RUN(a_box_stays_a_box);
    RUN(bent_rows);
    RUN(bent_rows_that_have_given_way);
    RUN(no_spikes);
    tl_arena_destroy(arena);
    return TEST_RESULT;
}
