/* Contact of deformable solids in space, both ways (theory §10.4): statics, momentum, waves, friction, and the bits. */
#include "spatial.h"

enum { SURFACE = 1, NODES = 2 };

/* A block of bricks, its lower corner at `at`. */
typedef struct block {
    const char *name;
    double at[3], size[3];
    int n[3];
    double young, poisson, density, damping_mass, damping_stiffness, velocity[3];
} block;

static int node_at(const block *b, int i, int j, int k) { return i + (b->n[0] + 1) * (j + (b->n[1] + 1) * k); }
static int nodes_of(const block *b) { return (b->n[0] + 1) * (b->n[1] + 1) * (b->n[2] + 1); }

static talus_solid_id make_block(talus_world *w, const block *b)
{
    static const int CORNER[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    const int nodes = nodes_of(b), elements = b->n[0] * b->n[1] * b->n[2];
    double(*x)[3] = calloc((size_t)nodes, sizeof *x);
    uint8_t *kind = calloc((size_t)elements, sizeof *kind);
    int *node = calloc(8 * (size_t)elements, sizeof *node), e = 0;
    talus_solid_region region = {.material = talus_solid_material_find("elastic"), .parameter = {b->young, b->poisson}, .density = b->density};
    talus_solid_def d = talus_solid_def_default();
    talus_solid_id id = {0};
    for (int k = 0; k <= b->n[2]; k++)
        for (int j = 0; j <= b->n[1]; j++)
            for (int i = 0; i <= b->n[0]; i++) {
                const int at[3] = {i, j, k};
                for (int a = 0; a < 3; a++) x[node_at(b, i, j, k)][a] = b->at[a] + b->size[a] * at[a] / b->n[a];
            }
    for (int k = 0; k < b->n[2]; k++)
        for (int j = 0; j < b->n[1]; j++)
            for (int i = 0; i < b->n[0]; i++, e++)
                for (int c = 0; c < 8; c++) node[8 * e + c] = node_at(b, i + CORNER[c][0], j + CORNER[c][1], k + CORNER[c][2]);
    for (e = 0; e < elements; e++) kind[e] = (uint8_t)talus_element_find("hexahedron8");
    d.name = b->name;
    d.nodes = nodes, d.position = (const double(*)[3])x;
    d.elements = elements, d.kind = kind, d.node = node;
    d.regions = 1, d.region = &region;
    d.damping_mass = b->damping_mass, d.damping_stiffness = b->damping_stiffness;
    for (int a = 0; a < 3; a++) d.velocity[a] = b->velocity[a];
    CHECK_OK(talus_solid_create(w, &d, &id), talus_world_error(w));
    free(x), free(kind), free(node);
    return id;
}

/* Holds nodes: all of a layer along z in all directions, and all sideways if it is a column. */
static void hold(talus_world *w, talus_solid_id id, const block *b, bool bottom, bool sideways)
{
    for (int n = 0; n < nodes_of(b); n++)
        for (int a = 0; a < 3; a++)
            if ((bottom && n < node_at(b, 0, 0, 1)) || (sideways && a < 2)) CHECK_OK(talus_solid_hold(w, id, n, a, NULL), talus_world_error(w));
}

static void touch(talus_world *w, talus_solid_id id, talus_material_id m, int ways)
{
    talus_solid_contact c = talus_solid_contact_default();
    c.material = m;
    c.surface = ways & SURFACE, c.nodes = ways & NODES;
    CHECK_OK(talus_solid_add_contact(w, id, &c), talus_world_error(w));
}

static void go(talus_world *w, int steps)
{
    talus_step_report r;
    for (int i = 0; i < steps; i++) {
        CHECK_OK(talus_world_step(w, &r), talus_world_error(w));
        if (!r.converged) TEST_FAIL("step %d has not converged: %g m/s in %d sweeps", i, r.residual, r.iterations);
        if (test_failures) return;
    }
}

/* Mean force of the last step between two bodies along z. */
static double force_between(const talus_world *w, double h)
{
    double sum = 0;
    for (int i = 0; i < talus_contact_count(w); i++) {
        talus_contact c;
        talus_contact_get(w, i, &c);
        sum += c.impulse[0] * fabs(c.normal[2]);
    }
    return sum / h;
}

static double height_of(const talus_world *w, talus_body_id id)
{
    double p[3], q[4];
    talus_body_pose(w, id, p, q);
    return p[2];
}

/* A stone of 1000 kg on a confined column, whose constrained modulus is M: the top sinks by (p + ρ g L/2) L/M, and all its weight is carried. */
static void rest_on_column(int ways, talus_shape_kind kind)
{
    const double h = 2e-3, E = 5e6, nu = 0.25, M = E * (1 - nu) / ((1 + nu) * (1 - 2 * nu)), L = 2, mass = 1000;
    const block soil = {"soil", {-0.5, -0.5, -L}, {1, 1, L}, {1, 1, 4}, E, nu, 1500, 20, 2e-3, {0}};
    const talus_world_def def = lab(h);
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, mass / (kind == TALUS_SHAPE_SPHERE ? PI / 6 : ways == NODES ? 4 : 0.5));
    law(w, 0.3, 0);
    const talus_solid_id id = make_block(w, &soil);
    hold(w, id, &soil, true, true);
    touch(w, id, m, ways);
    const double side = ways == NODES ? 2 : 0.5, high = ways == NODES ? 1 : 2, half = kind == TALUS_SHAPE_SPHERE ? 0.5 : high / 2;
    const talus_body_id stone = kind == TALUS_SHAPE_SPHERE ? sphere(w, m, 0, 0, half, 0.5) : box(w, m, 0, 0, half, side, side, high);
    go(w, 1000);
    const double sinks = (mass * G / 1 + 1500 * G * L / 2) * L / M;
    CHECK_CLOSE(height_of(w, stone) - half, -sinks, 1e-6);
    CHECK_CLOSE(force_between(w, h), mass * G, 1e-6);
    talus_world_destroy(w);
}

TEST(sphere_rests_on_faces) { rest_on_column(SURFACE, TALUS_SHAPE_SPHERE); }
TEST(box_rests_on_faces) { rest_on_column(SURFACE, TALUS_SHAPE_POLYHEDRON); }
TEST(nodes_carry_a_box) { rest_on_column(NODES, TALUS_SHAPE_POLYHEDRON); }

/* What is thrown at a free solid: momentum, and its moment about the origin, stay. */
static void throw_at(int ways)
{
    const double h = 2e-4;
    const block body = {"body", {-0.4, -0.4, -0.4}, {0.8, 0.8, 0.8}, {4, 4, 4}, 1e7, 0.3, 1000, 0, 0, {0.1, 0.2, 0.3}};
    talus_world_def def = lab(h);
    def.gravity[2] = 0;
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, 2500);
    law(w, 0.5, 0);
    touch(w, make_block(w, &body), m, ways);
    talus_body_def d = talus_body_def_default();
    d.position[0] = 0.1, d.position[1] = -0.05, d.position[2] = 0.62, d.velocity[0] = 1, d.velocity[2] = -3, d.spin[1] = 2;
    const talus_body_id stone = add_body(w, &d);
    add_box(w, stone, m, 0.35, 0.3, 0.3);
    const double mass[2] = {0.512 * 1000, 0.35 * 0.3 * 0.3 * 2500};
    const talus_body_id of[2] = {talus_solid_body(w, talus_solid_at(w, 0)), stone};
    double least = 0;
    for (int step = 0; step < 400 && !test_failures; step++) {
        go(w, 1);
        double sum[3] = {0, 0, 0};
        static const double CENTRE[3];
        for (int b = 0; b < 2; b++) {
            double v[3], spin[3];
            talus_body_velocity(w, of[b], CENTRE, v, spin);
            for (int a = 0; a < 3; a++) sum[a] += mass[b] * v[a];
            if (b == 1) least = fmax(least, v[2] + 3);
        }
        const double expected[3] = {mass[0] * 0.1 + mass[1], mass[0] * 0.2, mass[0] * 0.3 - 3 * mass[1]};
        for (int a = 0; a < 3; a++) CHECK_NEAR(sum[a], expected[a], 1e-9 * mass[0]);
    }
    CHECK(least > 2); /* it was struck */
    talus_world_destroy(w);
}

TEST(momentum_on_faces) { throw_at(SURFACE); }
TEST(momentum_of_nodes) { throw_at(NODES); }

int main(int argc, char **argv)
{
    RUN(sphere_rests_on_faces);
    RUN(box_rests_on_faces);
    RUN(nodes_carry_a_box);
    RUN(momentum_on_faces);
    RUN(momentum_of_nodes);
    return TEST_RESULT;
}
