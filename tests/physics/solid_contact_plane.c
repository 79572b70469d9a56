/* Contact of deformable solids in the plane, both ways (theory §10.4): statics, momentum, waves, friction, and the bits. */
#include "planar.h"

enum { SURFACE = 1, NODES = 2, BOTH = SURFACE | NODES };
enum { MOST_NODES = 4000 };
typedef enum element_kind { QUADRILATERALS, TRIANGLES, TRIANGLES_OF_SIX } element_kind;

/* A block of squares, or of triangles by two of a square, its lower corner at `at`. */
typedef struct block {
    const char *name;
    double at[2], size[2];
    int n[2];
    double young, poisson, density, damping_mass, damping_stiffness, velocity[2];
    element_kind kind;
} block;

/* Nodes of squares and, of triangles with six, between them: in rows from below. */
static int steps_of(const block *b) { return b->kind == TRIANGLES_OF_SIX ? 2 : 1; }
static int node_at(const block *b, int i, int j) { return i + (steps_of(b) * b->n[0] + 1) * j; }
static int nodes_of(const block *b) { return node_at(b, 0, steps_of(b) * b->n[1] + 1); }

static int add_element(const block *b, int i, int j, int half, int *node)
{
    static const int SQUARE[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}}, HALF[2][3] = {{0, 1, 2}, {0, 2, 3}};
    const int s = steps_of(b), corners = b->kind == QUADRILATERALS ? 4 : 3;
    int x[6][2], count = corners;
    for (int k = 0; k < corners; k++) {
        const int *c = SQUARE[b->kind == QUADRILATERALS ? k : HALF[half][k]];
        x[k][0] = s * (i + c[0]), x[k][1] = s * (j + c[1]);
    }
    for (int k = 0; k < 3 && b->kind == TRIANGLES_OF_SIX; k++, count++)
        for (int a = 0; a < 2; a++) x[count][a] = (x[k][a] + x[(k + 1) % 3][a]) / 2;
    for (int k = 0; k < count; k++) node[k] = node_at(b, x[k][0], x[k][1]);
    return count;
}

static talus_solid_id make_block(talus_world *w, const block *b)
{
    static const char *const NAME[] = {"quadrilateral4", "triangle3", "triangle6"};
    static double x[MOST_NODES][3];
    static uint8_t kind[2 * MOST_NODES];
    static int node[8 * MOST_NODES];
    const int s = steps_of(b), halves = b->kind == QUADRILATERALS ? 1 : 2;
    talus_solid_region region = {.material = talus_solid_material_find("elastic"), .parameter = {b->young, b->poisson}, .density = b->density};
    if (b->kind == QUADRILATERALS) region.strain = TALUS_STRAIN_ENHANCED;
    talus_solid_def d = talus_solid_def_default();
    talus_solid_id id = {0};
    int elements = 0, count = 0;
    for (int j = 0; j <= s * b->n[1]; j++)
        for (int i = 0; i <= s * b->n[0]; i++) {
            double *at = x[node_at(b, i, j)];
            at[0] = b->at[0] + b->size[0] * i / (s * b->n[0]), at[1] = b->at[1] + b->size[1] * j / (s * b->n[1]), at[2] = 0;
        }
    for (int j = 0; j < b->n[1]; j++)
        for (int i = 0; i < b->n[0]; i++)
            for (int half = 0; half < halves; half++) {
                kind[elements++] = (uint8_t)talus_element_find(NAME[b->kind]);
                count += add_element(b, i, j, half, node + count);
            }
    d.name = b->name;
    d.nodes = nodes_of(b), d.position = (const double(*)[3])x;
    d.elements = elements, d.kind = kind, d.node = node;
    d.regions = 1, d.region = &region;
    d.damping_mass = b->damping_mass, d.damping_stiffness = b->damping_stiffness;
    for (int a = 0; a < 2; a++) d.velocity[a] = b->velocity[a];
    CHECK_OK(talus_solid_create(w, &d, &id), talus_world_error(w));
    return id;
}

/* Holds the nodes of the lowest row in both directions, and all sideways if it is a column. */
static void hold(talus_world *w, talus_solid_id id, const block *b, bool bottom, bool sideways)
{
    for (int n = 0; n < nodes_of(b); n++)
        for (int a = 0; a < 2; a++)
            if ((bottom && n < node_at(b, 0, 1)) || (sideways && a == 0)) CHECK_OK(talus_solid_hold(w, id, n, a, NULL), talus_world_error(w));
}

static void touch(talus_world *w, talus_solid_id id, talus_material_id m, int ways)
{
    talus_solid_contact c = talus_solid_contact_default();
    c.material = m;
    c.surface = ways & SURFACE, c.nodes = ways & NODES;
    CHECK_OK(talus_solid_add_contact(w, id, &c), talus_world_error(w));
    CHECK(talus_solid_add_contact(w, id, &c) == TALUS_INPUT && strstr(talus_world_error(w), "said twice"));
}

/* Mean force of the last step between bodies along y. */
static double force_between(const talus_world *w, double h)
{
    double sum = 0;
    for (int i = 0; i < talus_contact_count(w); i++) {
        talus_contact c;
        talus_contact_get(w, i, &c);
        sum += c.impulse[0] * fabs(c.normal[1]);
    }
    return sum / h;
}

static talus_body_id free_box(talus_world *w, talus_material_id m, double x, double y, double a, double c)
{
    const talus_body_id b = body(w, TALUS_BODY_FREE, x, y, 0);
    add_box(w, b, m, a, c);
    return b;
}

static talus_body_id free_ellipse(talus_world *w, talus_material_id m, double x, double y, double a, double c)
{
    const talus_body_id b = body(w, TALUS_BODY_FREE, x, y, 0);
    talus_shape_def d = talus_shape_def_default();
    d.kind = TALUS_SHAPE_ELLIPSE, d.material = m, d.count = 3;
    d.points[1][0] = a, d.points[2][1] = c;
    CHECK_OK(talus_body_add_shape(w, b, &d), talus_world_error(w));
    return b;
}

/* ---- at rest ---------------------------------------------------------------------------------------------------------- */

typedef enum stone_kind { DISK, BOX, ELLIPSE } stone_kind;

/* A stone of 1000 kg on a column that cannot go sideways, of modulus M: it sinks by m g L/M. The column weighs next to nothing, so its strain is even, which
 * every element has exactly; of triangles with six nodes the top is no plane under a stone that does not press evenly, and the mean of the top is asked. */
static void rest_on_column(int ways, element_kind kind, stone_kind stone)
{
    const double h = 2e-3, E = 5e6, nu = 0.25, M = E * (1 - nu) / ((1 + nu) * (1 - 2 * nu)), L = 2, mass = 1000, half = 0.25;
    const block soil = {"soil", {-0.5, -L}, {1, L}, {1, 4}, E, nu, 1e-3, 0, 0.02, {0}, kind};
    talus_world_def def = lab(h);
    def.solver.tolerance = 1e-7; /* where a stone lies in a bent top, two contacts all but share their place */
    talus_world *w = open_world(&def);
    const bool nodes_only = ways == NODES; /* which the stone reaches over then */
    const double side = nodes_only ? 1 : half;
    const talus_material_id m = material(w, "stone", mass / (stone == DISK ? PI * half * half : stone == BOX ? 4 * side * half : PI * 0.3 * half));
    law(w, 0.3, 0);
    const talus_solid_id id = make_block(w, &soil);
    hold(w, id, &soil, true, true);
    touch(w, id, m, ways);
    const talus_body_id on = stone == DISK  ? free_disk(w, m, 0, half, half)
                             : stone == BOX ? free_box(w, m, 0, half, side, half)
                                            : free_ellipse(w, m, 0, half, 0.3, half);
    run(w, 3000);
    CHECK_CLOSE(force_between(w, h), mass * G, 1e-4);
    const double sinks = (mass + soil.density * L / 2) * G * L / M;
    if (kind != TRIANGLES_OF_SIX) CHECK_CLOSE(at(w, on, 1) - half, -sinks, 1e-4);
    double(*u)[3] = calloc((size_t)nodes_of(&soil), sizeof *u), mean = 0;
    talus_solid_motion(w, id, u, NULL);
    const int top = steps_of(&soil) * soil.n[1], across = steps_of(&soil);
    for (int i = 0; i <= across; i++) mean += u[node_at(&soil, i, top)][1] * (across == 1 ? 0.5 : i == 1 ? 4.0 / 6 : 1.0 / 6);
    CHECK_CLOSE(mean, -sinks, 1e-4); /* by reciprocity exact: against an even pressure of the same sum */
    free(u);
    talus_world_destroy(w);
}

TEST(rests_on_quadrilaterals)
{
    rest_on_column(SURFACE, QUADRILATERALS, DISK);
    rest_on_column(SURFACE, QUADRILATERALS, BOX);
    rest_on_column(SURFACE, QUADRILATERALS, ELLIPSE);
    rest_on_column(BOTH, QUADRILATERALS, BOX);
    rest_on_column(NODES, QUADRILATERALS, BOX);
}

TEST(rests_on_triangles)
{
    for (int stone = DISK; stone <= ELLIPSE; stone++)
        rest_on_column(SURFACE, TRIANGLES, (stone_kind)stone), rest_on_column(SURFACE, TRIANGLES_OF_SIX, (stone_kind)stone);
    rest_on_column(NODES, TRIANGLES, BOX);
}

/* It stands under its weight: what the wall carries, and by how much it is shorter, ρ g L²/(2 E). */
TEST(stands)
{
    const double h = 1e-3, wide = 0.02;
    const block bar = {"bar", {-wide / 2, 0}, {wide, 1}, {1, 50}, 1e6, 0, 1000, 30, 0, {0}, QUADRILATERALS};
    const talus_world_def def = lab(h);
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, "rubber", 1);
    law(w, 0, 0);
    const talus_solid_id id = make_block(w, &bar);
    touch(w, id, m, NODES);
    (void)wall(w, m, 0, 0, 0, 1);
    run(w, 2000);
    double(*u)[3] = calloc((size_t)nodes_of(&bar), sizeof *u);
    talus_solid_motion(w, id, u, NULL);
    CHECK_CLOSE(force_between(w, h), bar.density * wide * G, 1e-6);
    for (int i = 0; i < 2; i++) CHECK_CLOSE(u[node_at(&bar, i, bar.n[1])][1], -bar.density * G / (2 * bar.young), 1e-6);
    free(u);
    talus_world_destroy(w);
}

/* A plank thinner than what lies on it, held at its ends: the stone stays on top, and the plank carries it; w = F L³/(192 E I), clamped, and shear. */
TEST(lies_on_a_plank)
{
    const double h = 1e-3, E = 1e9, L = 1, high = 0.05;
    const block plank = {"plank", {-L / 2, -high}, {L, high}, {40, 2}, E, 0, 1000, 40, 1e-3, {0}, QUADRILATERALS};
    talus_world_def def = lab(h);
    def.solver.tolerance = 1e-6;
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, "stone", 2000);
    law(w, 0.5, 0);
    const talus_solid_id id = make_block(w, &plank);
    for (int j = 0; j <= plank.n[1]; j++)
        for (int a = 0; a < 2; a++) {
            CHECK_OK(talus_solid_hold(w, id, node_at(&plank, 0, j), a, NULL), talus_world_error(w));
            CHECK_OK(talus_solid_hold(w, id, node_at(&plank, plank.n[0], j), a, NULL), talus_world_error(w));
        }
    touch(w, id, m, BOTH);
    const talus_body_id stone = free_disk(w, m, 0, 0.2, 0.2);
    run(w, 3000);
    const double weight = 2000 * PI * 0.04 * G, own = 1000 * high * L * G, I = high * high * high / 12;
    const double bends = weight * L * L * L / (192 * E * I) + own * L * L * L / (384 * E * I),
                 shears = (weight + own / 2) * L / (4 * (5.0 / 6) * 0.5 * E * high);
    CHECK_NEAR(force_between(w, h), weight, weight / G * def.solver.tolerance / h); /* the velocity that the solver may miss */
    CHECK_CLOSE(0.2 - at(w, stone, 1), bends + shears, 0.02);                       /* of the beam's theory, and 40 elements */
    talus_world_destroy(w);
}

/* ---- momentum --------------------------------------------------------------------------------------------------------- */

/* What is thrown at a free solid: momentum stays. */
static void throw_at(int ways, element_kind kind)
{
    const block at_rest = {"body", {-0.4, -0.4}, {0.8, 0.8}, {4, 4}, 1e7, 0.3, 1000, 0, 0, {0.1, 0.2}, kind};
    talus_world_def def = lab(2e-4);
    def.gravity[1] = 0;
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, "stone", 2500);
    law(w, 0.5, 0);
    const talus_solid_id id = make_block(w, &at_rest);
    touch(w, id, m, ways);
    const talus_body_id stone = moving(w, 0.1, 0.62, 1, -3, 2);
    add_box(w, stone, m, 0.175, 0.15);
    const double mass[2] = {0.64 * 1000, 0.35 * 0.3 * 2500};
    double most = 0;
    for (int k = 0; k < 400 && !test_failures; k++) {
        run(w, 1);
        for (int a = 0; a < 2; a++) {
            const double sum = mass[0] * speed(w, talus_solid_body(w, id), a) + mass[1] * speed(w, stone, a);
            CHECK_NEAR(sum, mass[0] * at_rest.velocity[a] + mass[1] * (a ? -3 : 1), 1e-9 * mass[0]);
        }
        most = fmax(most, speed(w, stone, 1) + 3);
    }
    CHECK(most > 2); /* it was struck */
    talus_world_destroy(w);
}

TEST(momentum)
{
    for (int ways = SURFACE; ways <= BOTH; ways++) throw_at(ways, QUADRILATERALS);
    throw_at(SURFACE, TRIANGLES_OF_SIX);
}

/* ---- waves ------------------------------------------------------------------------------------------------------------ */

/* A bar strikes a wall without gravity, which is reached at the middle of a step. It keeps touching for 2L/c and loses the energy of what strikes first (as in
 * space). */
static void bar_on_wall(int ways)
{
    enum { PIECES = 50 };
    const double c = 1000, density = 1000, fall = 2, size = 1.0 / PIECES, h = 0.5 * size / c, wide = 0.1;
    const block bar = {"bar", {-wide / 2, 7.5 * h * fall}, {wide, 1}, {1, PIECES}, c * c * density, 0, density, 0, 0, {0, -fall}, QUADRILATERALS};
    talus_world_def def = lab(h);
    def.gravity[1] = 0;
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, "steel", 1);
    law(w, 0, 0);
    const talus_solid_id id = make_block(w, &bar);
    touch(w, id, m, ways);
    if (ways == NODES) (void)wall(w, m, 0, 0, 0, 1);
    else add_box(w, body(w, TALUS_BODY_FIXED, 0, -0.5, 0), m, 0.5, 0.5);
    double lasts = 0, first = 0, last = 0, gain = 0;
    for (int k = 0; k < 270 && !test_failures; k++) {
        double kinetic, potential;
        run(w, 1);
        talus_world_energy(w, &kinetic, &potential);
        if (k == 0) first = kinetic + potential;
        else gain = fmax(gain, kinetic + potential - last);
        last = kinetic + potential;
        if (force_between(w, h) > 0) lasts += h;
    }
    CHECK_CLOSE(first - last, 0.5 * density * wide * sqrt(size * size / 4 + 0.25 * h * h * c * c) * fall * fall, 1e-5);
    CHECK(gain < 1e-9);
    CHECK_NEAR(lasts, 2 / c, 4 * size / c + 2 * h);
    CHECK(speed(w, talus_solid_body(w, id), 1) > 0.95 * fall);
    talus_world_destroy(w);
}

TEST(bar_by_nodes) { bar_on_wall(NODES); }
TEST(bar_by_faces) { bar_on_wall(SURFACE); }
TEST(bar_both_ways) { bar_on_wall(BOTH); }

/* ---- against what is rigid -------------------------------------------------------------------------------------------- */

/* Two disks slide and roll, and a box falls, on soil that hardly gives or, with no stiffness, on a floor: where they are after a while. */
static void fall_on(double young, double out[3][3])
{
    const block soil = {"soil", {-1, -1}, {2, 1}, {4, 2}, young, 0.3, 2000, 0, 0, {0}, QUADRILATERALS};
    talus_world_def def = lab(1e-3);
    def.solver.tolerance = 1e-6;
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, "stone", 2500);
    law(w, 0.4, 0);
    if (young > 0) {
        const talus_solid_id id = make_block(w, &soil);
        hold(w, id, &soil, true, false);
        touch(w, id, m, SURFACE);
    } else (void)wall(w, m, 0, 0, 0, 1);
    const talus_body_id stone[3] = {moving(w, -0.81, 0.1, 0.5, 0, 0), moving(w, 0.73, 0.15, -0.4, 0, 0), body(w, TALUS_BODY_FREE, 0.06, 0.3, 0)};
    add_disk(w, stone[0], m, 0, 0, 0.1), add_disk(w, stone[1], m, 0, 0, 0.15), add_box(w, stone[2], m, 0.15, 0.2);
    run(w, 600);
    for (int i = 0; i < 3; i++) where(w, stone[i], out[i]);
    talus_world_destroy(w);
}

TEST(hard_soil_is_a_floor)
{
    double soil[3][3], floor_[3][3];
    fall_on(1e15, soil);
    fall_on(0, floor_);
    CHECK(fabs(floor_[0][0] + 0.81) > 0.1);
    for (int i = 0; i < 3; i++)
        for (int a = 0; a < 3; a++) CHECK_NEAR(soil[i][a], floor_[i][a], 1e-6);
}

/* A block slides over an elastic block, v²/(2 μ g) far; one that nodes carry reaches over all of them. */
static void slide(int ways)
{
    const double friction = 0.3;
    const block wide = {"bed", {-0.5, -0.5}, {1.5, 0.5}, {6, 2}, 1e9, 0.3, 2000, 0, 1e-4, {0}, QUADRILATERALS};
    const block narrow = {"pad", {-0.15, -0.3}, {0.3, 0.3}, {3, 3}, 1e9, 0.3, 2000, 0, 1e-4, {0}, QUADRILATERALS};
    const block *soil = ways == NODES ? &narrow : &wide;
    talus_world_def def = lab(1e-3);
    def.solver.tolerance = 1e-6;
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, "stone", 2000);
    law(w, friction, 0);
    const talus_solid_id id = make_block(w, soil);
    hold(w, id, soil, true, false);
    touch(w, id, m, ways);
    const talus_body_id stone = moving(w, -0.1, 0.05, 1, 0, 0);
    add_box(w, stone, m, ways == NODES ? 0.5 : 0.1, 0.05);
    run(w, 600);
    CHECK_CLOSE(at(w, stone, 0) + 0.1, 1 / (2 * friction * G), 0.01);
    CHECK_NEAR(speed(w, stone, 0), 0, 1e-3);
    talus_world_destroy(w);
}

TEST(slides_on_faces) { slide(SURFACE); }
TEST(slides_over_nodes) { slide(NODES); }

/* ---- solid on solid, and both ways ------------------------------------------------------------------------------------ */

TEST(solid_on_solid)
{
    const double h = 2e-3, E = 5e6, nu = 0.25, M = E * (1 - nu) / ((1 + nu) * (1 - 2 * nu)), L = 2;
    const block lower = {"lower", {-0.5, -L}, {1, L}, {1, 4}, E, nu, 1500, 20, 2e-3, {0}, QUADRILATERALS};
    const block upper = {"upper", {-0.3, 0}, {0.6, 0.8}, {2, 2}, 1e7, 0, 1000, 20, 2e-3, {0}, QUADRILATERALS};
    const talus_world_def def = lab(h);
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, "earth", 1);
    law(w, 0.3, 0);
    const talus_solid_id id = make_block(w, &lower), on = make_block(w, &upper);
    hold(w, id, &lower, true, true);
    touch(w, id, m, SURFACE);
    touch(w, on, m, NODES);
    run(w, 1500);
    const double weight = 1000 * 0.48 * G;
    CHECK_CLOSE(force_between(w, h), weight, 1e-6);
    double u[MOST_NODES][3];
    talus_solid_motion(w, id, u, NULL);
    for (int i = 0; i < 2; i++) CHECK_CLOSE(u[node_at(&lower, i, 4)][1], -(weight + 1500 * G * L / 2) * L / M, 1e-6);
    talus_world_destroy(w);
}

/* A box on soil twice as wide: how far it sinks by faces, by nodes, by both, in n elements across. */
static double sinks(int ways, int n)
{
    const block soil = {"soil", {-1, -1}, {2, 1}, {n, n / 2}, 5e6, 0.3, 1500, 20, 0.02, {0}, QUADRILATERALS};
    talus_world_def def = lab(2e-3);
    def.solver.tolerance = 1e-7;
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, "stone", 2000);
    law(w, 0, 0);
    const talus_solid_id id = make_block(w, &soil);
    hold(w, id, &soil, true, false);
    touch(w, id, m, ways);
    const talus_body_id on = free_box(w, m, 0, 0.25, 0.53, 0.25); /* its corners lie on no nodes */
    run(w, 1000);
    CHECK_CLOSE(force_between(w, 2e-3), 2000 * 1.06 * 0.5 * G, 1e-5);
    const double down = 0.25 - at(w, on, 1);
    talus_world_destroy(w);
    return down;
}

/* Both ways press like nodes, and by the box's corners beyond the last of them as well: it sinks less, by no more than the share by which it is wider. */
TEST(both_ways)
{
    for (int n = 20; n <= 40; n += 20) {
        const double nodes = sinks(NODES, n), both = sinks(BOTH, n);
        CHECK(both < nodes && both > nodes * 0.5 / 0.53);
    }
}

/* ---- bits ------------------------------------------------------------------------------------------------------------- */

static talus_world *heap(int threads)
{
    const block soil = {"soil", {-0.5, -0.4}, {1, 0.4}, {16, 5}, 2e6, 0.3, 1500, 0, 1e-3, {0}, TRIANGLES};
    const block pad = {"pad", {-0.2, 0.45}, {0.4, 0.2}, {4, 2}, 1e7, 0.3, 1500, 0, 1e-3, {0}, QUADRILATERALS};
    talus_world_def def = lab(1e-3);
    def.threads = threads;
    def.solver.tolerance = 1e-6;
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, "stone", 2500);
    law(w, 0.5, 0);
    const talus_solid_id ground = make_block(w, &soil), top = make_block(w, &pad);
    hold(w, ground, &soil, true, false);
    touch(w, ground, m, SURFACE);
    touch(w, top, m, BOTH);
    for (int i = 0; i < 24; i++) {
        const double x = 0.12 * (i % 8 - 3.5) + 0.003 * i, y = 0.06 + 0.12 * (i / 8);
        if (i % 3 == 0) (void)free_box(w, m, x, y, 0.05, 0.04);
        else if (i % 3 == 1) (void)free_disk(w, m, x, y, 0.05);
        else (void)free_ellipse(w, m, x, y, 0.05, 0.04);
    }
    return w;
}

static uint64_t after(talus_world *w, int steps)
{
    for (int i = 0; i < steps; i++) (void)step(w);
    return talus_world_hash(w);
}

TEST(threads_and_restart)
{
    talus_world *w = heap(1), *twin = heap(4);
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    CHECK(after(w, 150) == after(twin, 150));
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
    talus_world_destroy(w), talus_world_destroy(twin), talus_world_destroy(again);
}

/* The outline is no shape that can be read; distances know it. */
TEST(what_is_read)
{
    const block soil = {"soil", {-0.5, -0.4}, {1, 0.4}, {4, 2}, 2e6, 0.3, 1500, 0, 1e-3, {0}, QUADRILATERALS};
    const talus_world_def def = lab(1e-3);
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, "earth", 1);
    const talus_solid_id id = make_block(w, &soil);
    touch(w, id, m, BOTH);
    talus_shape_def shape;
    int corners;
    talus_body_shape(w, talus_solid_body(w, id), 0, &shape);
    CHECK(talus_body_shape_count(w, talus_solid_body(w, id)) == 0 && shape.material.index1 == 0);
    CHECK(talus_body_corners(w, talus_solid_body(w, id), 0, NULL, 0) == 0 && talus_body_faces(w, talus_solid_body(w, id), 0, NULL, NULL, &corners) == 0);
    CHECK_NEAR(talus_body_distance(w, talus_solid_body(w, id), (double[3]){0.1, 0.3, 0}, 1), 0.3, 1e-15);
    CHECK_NEAR(talus_body_distance(w, talus_solid_body(w, id), (double[3]){0.1, -0.1, 0}, 1), -0.1, 1e-15);
    talus_world_destroy(w);
}

int main(int argc, char **argv)
{
    RUN(rests_on_quadrilaterals);
    RUN(rests_on_triangles);
    RUN(stands);
    RUN(lies_on_a_plank);
    RUN(momentum);
    RUN(bar_by_nodes);
    RUN(bar_by_faces);
    RUN(bar_both_ways);
    RUN(hard_soil_is_a_floor);
    RUN(slides_on_faces);
    RUN(slides_over_nodes);
    RUN(solid_on_solid);
    RUN(both_ways);
    RUN(threads_and_restart);
    RUN(what_is_read);
    return TEST_RESULT;
}
