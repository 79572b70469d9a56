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

/* ---- waves ----------------------------------------------------------------------------------------------------------- */

typedef struct impact {
    double lasts, loss, back, worst_gain; /* of contact [s], of energy [J], mean speed of rebound [m/s], largest gain of a step [J] */
} impact;

enum { PIECES = 50 };
static const double BAR_LENGTH = 1, BAR_SPEED = 2, BAR_DENSITY = 1000, BAR_WAVE = 1000; /* [m], [m/s], [kg/m³], c [m/s] */

/* A bar falls on a wall without gravity. The gap is such that the wall is reached at the middle of a step. */
static impact bar_on_wall(int ways, double h)
{
    const double first = 7.5 * h * BAR_SPEED;
    const block bar = {"bar", {-0.05, -0.05, first}, {0.1, 0.1, BAR_LENGTH}, {1, 1, PIECES}, BAR_WAVE * BAR_WAVE * BAR_DENSITY, 0, BAR_DENSITY, 0,
                       0,     {0, 0, -BAR_SPEED}};
    talus_world_def def = lab(h);
    def.gravity[2] = 0;
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, 1);
    law(w, 0, 0);
    const talus_solid_id id = make_block(w, &bar);
    touch(w, id, m, ways);
    if (ways == NODES) ground(w, m, 0, 0, 1);
    else {
        talus_body_def d = talus_body_def_default();
        d.kind = TALUS_BODY_FIXED;
        d.position[2] = -0.5;
        add_box(w, add_body(w, &d), m, 1, 1, 1);
    }
    impact out = {0};
    double before = 0, first_energy = 0;
    for (int step = 0; step < (int)(2.6 * BAR_LENGTH / BAR_WAVE / h) + 8 && !test_failures; step++) {
        double kinetic, potential;
        go(w, 1);
        talus_world_energy(w, &kinetic, &potential);
        if (step == 0) first_energy = kinetic + potential;
        else out.worst_gain = fmax(out.worst_gain, kinetic + potential - before);
        before = kinetic + potential;
        if (force_between(w, h) > 0) out.lasts += h;
    }
    double v[3], spin[3];
    static const double CENTRE[3];
    talus_body_velocity(w, talus_solid_body(w, id), CENTRE, v, spin);
    out.back = v[2];
    out.loss = first_energy - before;
    talus_world_destroy(w);
    return out;
}

/* The contact lasts as long as waves take to the end and back. What is lost is the energy of the mass that strikes first: of a half-infinite chain of masses
 * ρ A Δx and springs E A/Δx in M̃ that is the root of z = m/2 + κ (1 − κ/(z + m/2 + κ)), κ = (θh)² E A/Δx. */
static void check_bar(int ways, double courant)
{
    const double size = BAR_LENGTH / PIECES, h = courant * size / BAR_WAVE, area = 0.01;
    const double strikes = BAR_DENSITY * area * sqrt(size * size / 4 + 0.25 * h * h * BAR_WAVE * BAR_WAVE);
    const impact got = bar_on_wall(ways, h);
    CHECK_CLOSE(got.loss, 0.5 * strikes * BAR_SPEED * BAR_SPEED, 1e-5);
    CHECK(got.worst_gain < 1e-9);
    CHECK_NEAR(got.lasts, 2 * BAR_LENGTH / BAR_WAVE, 4 * size / BAR_WAVE + 2 * h);
    CHECK(got.back > 0.95 * BAR_SPEED && got.back < BAR_SPEED);
}

TEST(bar_by_nodes) { check_bar(NODES, 0.5), check_bar(NODES, 2); }
TEST(bar_by_faces) { check_bar(SURFACE, 0.5), check_bar(SURFACE, 2); }

/* ---- against what is rigid ------------------------------------------------------------------------------------------- */

/* Two spheres slide and roll, and a box falls, on soil that hardly gives or, with no stiffness, on a floor: where they are after a while. */
static void fall(double young, int ways, double out[3][3])
{
    const block soil = {"soil", {-1, -1, -1}, {2, 2, 1}, {4, 4, 2}, young, 0.3, 2000, 0, 0, {0}};
    talus_world_def def = lab(1e-3);
    def.solver.tolerance = 1e-6;
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, 2500);
    talus_body_id stone[3];
    law(w, 0.4, 0);
    if (young > 0) {
        const talus_solid_id id = make_block(w, &soil);
        hold(w, id, &soil, true, false);
        touch(w, id, m, ways);
    } else ground(w, m, 0, 0, 1);
    stone[0] = moving_sphere(w, m, -0.31, 0.1, 0.2, 0.2, 0.5);
    stone[1] = moving_sphere(w, m, 0.33, 0.15, 0.15, 0.15, -0.4);
    stone[2] = box(w, m, 0.1, -0.43, 0.2, 0.3, 0.35, 0.3);
    go(w, 600);
    for (int i = 0; i < 3; i++) {
        double q[4];
        talus_body_pose(w, stone[i], out[i], q);
    }
    talus_world_destroy(w);
}

TEST(hard_soil_is_a_floor)
{
    double soil[3][3], floor_[3][3];
    fall(1e15, SURFACE, soil);
    fall(0, 0, floor_);
    CHECK(fabs(floor_[0][0] + 0.31) > 0.1);
    for (int i = 0; i < 3; i++)
        for (int a = 0; a < 3; a++) CHECK_NEAR(soil[i][a], floor_[i][a], 1e-6);
}

/* A block slides over an elastic block, v²/(2 μ g) far; one that nodes carry reaches over all of them. */
static void slide(int ways)
{
    const double speed = 1, friction = 0.3;
    const block wide = {"bed", {-0.5, -0.5, -0.5}, {1.5, 1, 0.5}, {6, 4, 2}, 1e9, 0.3, 2000, 0, 1e-4, {0}};
    const block narrow = {"pad", {-0.15, -0.15, -0.3}, {0.3, 0.3, 0.3}, {3, 3, 3}, 1e9, 0.3, 2000, 0, 1e-4, {0}};
    const block soil = ways == NODES ? narrow : wide;
    talus_world_def def = lab(1e-3);
    def.solver.tolerance = 1e-6;
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, 2000);
    law(w, friction, 0);
    const talus_solid_id id = make_block(w, &soil);
    hold(w, id, &soil, true, false);
    touch(w, id, m, ways);
    talus_body_def d = talus_body_def_default();
    const double side = ways == NODES ? 1 : 0.2;
    d.position[0] = -0.1, d.position[2] = 0.05, d.velocity[0] = speed;
    const talus_body_id stone = add_body(w, &d);
    add_box(w, stone, m, side, side, 0.1);
    go(w, 600);
    double p[3], q[4], v[3], spin[3];
    static const double CENTRE[3];
    talus_body_pose(w, stone, p, q);
    talus_body_velocity(w, stone, CENTRE, v, spin);
    CHECK_CLOSE(p[0] + 0.1, speed * speed / (2 * friction * G), 0.01);
    CHECK_NEAR(v[0], 0, 1e-3);
    talus_world_destroy(w);
}

TEST(slides_on_faces) { slide(SURFACE); }
TEST(slides_over_nodes) { slide(NODES); }

/* ---- solid on solid --------------------------------------------------------------------------------------------------- */

TEST(solid_on_solid)
{
    const double h = 2e-3, E = 5e6, nu = 0.25, M = E * (1 - nu) / ((1 + nu) * (1 - 2 * nu)), L = 2;
    const block lower = {"lower", {-0.5, -0.5, -L}, {1, 1, L}, {1, 1, 4}, E, nu, 1500, 20, 2e-3, {0}};
    const block upper = {"upper", {-0.3, -0.3, 0}, {0.6, 0.6, 0.8}, {2, 2, 2}, 1e7, 0, 1000, 20, 2e-3, {0}};
    const talus_world_def def = lab(h);
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, 1);
    law(w, 0.3, 0);
    const talus_solid_id id = make_block(w, &lower), on = make_block(w, &upper);
    hold(w, id, &lower, true, true);
    touch(w, id, m, SURFACE);
    touch(w, on, m, NODES);
    go(w, 1000);
    const double weight = 1000 * 0.288 * G;
    CHECK_CLOSE(force_between(w, h), weight, 1e-6);
    double(*u)[3] = calloc((size_t)nodes_of(&lower), sizeof *u);
    talus_solid_motion(w, id, u, NULL);
    for (int n = node_at(&lower, 0, 0, 4); n < nodes_of(&lower); n++) CHECK_CLOSE(u[n][2], -(weight + 1500 * G * L / 2) * L / M, 1e-6);
    free(u);
    talus_world_destroy(w);
}

/* ---- how well it is solved ----------------------------------------------------------------------------------------------- */

/* Boxes of all directions lie down on soil, in three layers. No step may end above the tolerance, which is a hundredth of g h. */
TEST(friction_is_settled)
{
    enum { SIDE = 5, LAYERS = 3, FIRST = 250, STEPS = 50 };
    const block soil = {"soil", {-0.15, -0.15, -0.2}, {0.3, 0.3, 0.2}, {15, 15, 3}, 2e7, 0.3, 2000, 0.07, 7e-5, {0}};
    talus_world_def def = lab(5e-4);
    def.solver.tolerance = 0.01 * G * 5e-4;
    def.solver.max_iterations = 1000;
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, 2700);
    law(w, 0.7, 0);
    const talus_solid_id id = make_block(w, &soil);
    hold(w, id, &soil, true, false);
    touch(w, id, m, SURFACE);
    for (int i = 0; i < SIDE * SIDE * LAYERS; i++) {
        const double x = 0.052 * (i % SIDE - SIDE / 2), y = 0.052 * (i / SIDE % SIDE - SIDE / 2), z = 0.02 + 0.04 * (i / (SIDE * SIDE));
        talus_body_def d = talus_body_def_default();
        d.position[0] = x, d.position[1] = y, d.position[2] = z;
        turn(d.quaternion, 0.7 * i, sin(3.0 * i), cos(5.0 * i), sin(7.0 * i) + 1.5);
        add_box(w, add_body(w, &d), m, 0.03 + 0.001 * (i % 5), 0.034 - 0.001 * (i % 4), 0.028);
    }
    for (int step = 0; step < FIRST + STEPS; step++) {
        talus_step_report r;
        CHECK_OK(talus_world_step(w, &r), talus_world_error(w));
        if (step >= FIRST && !r.converged) TEST_FAIL("step %d has not converged: %g m/s in %d sweeps", step, r.residual, r.iterations);
    }
    talus_world_destroy(w);
}

/* ---- bits -------------------------------------------------------------------------------------------------------------- */

static talus_world *heap(int threads)
{
    const block soil = {"soil", {-0.5, -0.5, -0.4}, {1, 1, 0.4}, {8, 8, 3}, 2e6, 0.3, 1500, 0, 1e-3, {0}};
    const block pad = {"pad", {-0.2, -0.2, 0.45}, {0.4, 0.4, 0.2}, {4, 4, 2}, 1e7, 0.3, 1500, 0, 1e-3, {0}};
    talus_world_def def = lab(1e-3);
    def.threads = threads;
    def.solver.tolerance = 1e-6;
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, 2500);
    law(w, 0.5, 0);
    const talus_solid_id ground_ = make_block(w, &soil), top = make_block(w, &pad);
    hold(w, ground_, &soil, true, false);
    touch(w, ground_, m, SURFACE);
    touch(w, top, m, NODES | SURFACE);
    for (int i = 0; i < 25; i++) {
        const double x = 0.18 * (i % 5 - 2) + 0.003 * i, y = 0.18 * (i / 5 - 2);
        if (i % 2) (void)box(w, m, x, y, 0.12, 0.12, 0.1, 0.11);
        else (void)moving_sphere(w, m, x, y, 0.13, 0.08, 0.1 * (i % 7 - 3));
    }
    return w;
}

static uint64_t after(talus_world *w, int steps)
{
    for (int i = 0; i < steps; i++) CHECK_OK(talus_world_step(w, NULL), talus_world_error(w));
    return talus_world_hash(w);
}

TEST(threads_and_restart)
{
    talus_world *w = heap(1), *same = heap(4);
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    CHECK(after(w, 150) == after(same, 150));
    CHECK(talus_contact_count(w) > 20);
    const int count = talus_state_count(w);
    talus_field *field = calloc((size_t)count, sizeof *field);
    void **copy = calloc((size_t)count, sizeof *copy);
    for (int i = 0; i < count; i++) {
        talus_state_field(w, i, &field[i]);
        const size_t bytes = field[i].rows * field[i].columns * (field[i].type == TALUS_FIELD_INT32 ? 4 : 8);
        copy[i] = calloc(bytes + 1, 1);
        if (field[i].data) memcpy(copy[i], field[i].data, bytes);
        field[i].data = copy[i];
    }
    const uint64_t there = after(w, 50);
    talus_world *again = heap(2);
    CHECK_OK(talus_world_assemble(again), talus_world_error(again));
    CHECK_OK(talus_state_restore(again, field, count), talus_world_error(again));
    CHECK(talus_world_hash(again) != there);
    CHECK(after(again, 50) == there);
    for (int i = 0; i < count; i++) free(copy[i]);
    free(field), free(copy);
    talus_world_destroy(w), talus_world_destroy(same), talus_world_destroy(again);
}

int main(int argc, char **argv)
{
    RUN(sphere_rests_on_faces);
    RUN(box_rests_on_faces);
    RUN(nodes_carry_a_box);
    RUN(momentum_on_faces);
    RUN(momentum_of_nodes);
    RUN(bar_by_nodes);
    RUN(bar_by_faces);
    RUN(hard_soil_is_a_floor);
    RUN(slides_on_faces);
    RUN(slides_over_nodes);
    RUN(solid_on_solid);
    RUN(friction_is_settled);
    RUN(threads_and_restart);
    return TEST_RESULT;
}
