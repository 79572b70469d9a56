/* Columns of M̃⁻¹ that find no room together (solid_response.c): what contacts see of a solid is what they see where all columns are kept whole, wherever they
 * have been before; and columns of wide layers, which begin with that of the middle, are what the solid itself answers. Solves of badly conditioned solids. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "matter/solid_internal.h"
#include "random3.h"
#include "solid/element.h"
#include "solid/material.h"
#include "step/schemes.h"
#include "test.h"

enum { PORTS = 12, ROUNDS = 12 };

/* A block of soil of so many nodes, the last along the vertical, 10 cm apart, held at the bottom; contacts are expected on top. */
typedef struct block {
    int dimension, count[3];
    bool meshfree;
    double bytes; /* columns may take; 0: as ever */
    double young; /* [Pa]; 0: 1 MPa */
} block;

static int nodes_of(const block *b) { return b->count[0] * b->count[1] * b->count[2]; }
static int layer_of(const block *b) { return nodes_of(b) / b->count[b->dimension - 1]; }

static int cut_into_cells(const block *b, int *node, const tl_element_kind **kind)
{
    const int *n = b->count, row = n[0], layer = n[0] * n[1], corners = b->dimension == 3 ? 8 : 4;
    int cells = 0;
    for (int i = 0; i < nodes_of(b); i++) {
        if (i % row == row - 1 || i / row % n[1] == n[1] - 1 || (b->dimension == 3 && i / layer == n[2] - 1)) continue;
        const int corner[4] = {i, i + 1, i + row + 1, i + row};
        for (int k = 0; k < corners; k++) node[corners * cells + k] = corner[k % 4] + layer * (k / 4);
        kind[cells++] = b->dimension == 3 ? &TL_HEXAHEDRON8 : &TL_QUADRILATERAL4;
    }
    return cells;
}

static tl_matter *make_solid(const block *b)
{
    const int nodes = nodes_of(b);
    double(*x)[3] = calloc((size_t)nodes, sizeof *x);
    const tl_element_kind **kind = calloc((size_t)nodes, sizeof *kind);
    int *node = calloc(8 * (size_t)nodes, sizeof *node), cells = cut_into_cells(b, node, kind);
    for (int i = 0; i < nodes; i++)
        x[i][0] = 0.1 * (i % b->count[0]), x[i][1] = 0.1 * (i / b->count[0] % b->count[1]), x[i][2] = 0.1 * (i / b->count[0] / b->count[1]);
    const tl_solid_region region = {.material = {&TL_ELASTIC, {b->young > 0 ? b->young : 1e6, 0.25}}, .density = 2000};
    const tl_solid_def def = {.name = "soil",
                              .mesh = {b->dimension, nodes, cells, (const double(*)[3])x, kind, node},
                              .regions = 1,
                              .region = &region,
                              .thickness = 1,
                              .influence = b->meshfree ? 1.9 : 0,
                              .stabilisation = 0.3,
                              .stretch = 5};
    tl_matter *m = NULL;
    tl_error error = {0};
    const char *warnings = NULL;
    MUST(tl_solid_create(tl_memory_default(), &def, &m, &error), error);
    for (int i = 0; i < layer_of(b); i++)
        for (int a = 0; a < b->dimension; a++) MUST(tl_solid_hold(m, i, a, NULL, &error), error);
    for (int i = nodes - layer_of(b); i < nodes; i++) tl_solid_expect(m, i);
    if (b->bytes > 0) tl_solid_limit_response(m, b->bytes);
    MUST(m->ops->assemble(m, 0, &warnings, &error), error);
    free(x), free(kind), free(node);
    return m;
}

/* ---- a step ---------------------------------------------------------------------------------------------------------------------- */

typedef struct seen {
    double reach, C[PORTS][PORTS][3][3], V[PORTS][3];
} seen;

/* Ports about a place along the top, by chance but the same for every solid. */
static void put_ports(const block *b, int round, tl_port *port)
{
    const int nodes = nodes_of(b), layer = layer_of(b), along = b->count[0], aside = layer / along;
    rnd = tl_random_seed((uint64_t)(round + 1));
    for (int i = 0; i < PORTS; i++) {
        const int x = round * (along - 6) / (ROUNDS - 1) + tl_random_int(&rnd, 6), y = tl_random_int(&rnd, aside);
        const tl_mat3 R = b->dimension == 3 ? random_rotation() : tl_mat3_rotation(tl_v3(0, 0, 1), uniform(-3, 3));
        port[i] = (tl_port){.item = nodes - layer + y * along + x};
        for (int a = 0; a < 9; a++) port[i].axes[a / 3][a % 3] = R.m[a / 3][a % 3];
    }
}

/* What the ports of a round see of a solid; false: columns find no room. */
static bool look(const block *b, tl_matter *m, int round, seen *out)
{
    tl_error error = {0};
    tl_arena *arena = tl_arena_create(tl_memory_default(), 1 << 20);
    tl_step step = {.h = 4e-3, .theta = 0.5, .force_passes = 2, .arena = arena, .error = &error};
    tl_port port[PORTS];
    double I[PORTS][3] = {{0}};
    put_ports(b, round, port);
    for (int i = 0; i < PORTS * b->dimension; i++) I[i / b->dimension][i % b->dimension] = uniform(-1, 1);
    MUST(tl_moreau_predict(m, &step), error);
    MUST(m->ops->bind(m, &step, port, PORTS), error);
    const tl_ports ports = {port, PORTS, b->dimension};
    MUST(m->ops->reach(m, &step, &ports, 0.2, &out->reach), error);
    for (int i = 0; i < PORTS && out->reach >= 0; i++)
        for (int k = 0; k < PORTS; k++) m->ops->response(m, &port[i], &port[k], out->C[i][k]);
    if (out->reach >= 0) m->ops->exchange(m, &ports, (const double(*)[3])I, out->V);
    tl_arena_destroy(arena);
    return out->reach >= 0;
}

/* The same by solves for impulses on each port. */
static void ask_solid(const block *b, const tl_matter *m, int round, double C[PORTS][PORTS][3][3])
{
    tl_port port[PORTS];
    double *v = calloc((size_t)m->nv, sizeof *v);
    put_ports(b, round, port);
    for (int i = 0; i < PORTS; i++) port[i].slot = i;
    for (int i = 0; i < PORTS; i++)
        for (int axis = 0; axis < b->dimension; axis++) {
            const double I[3] = {axis == 0, axis == 1, axis == 2};
            memset(v, 0, (size_t)m->nv * sizeof *v);
            m->ops->impulse(m, &port[i], I, v);
            for (int k = 0; k < PORTS; k++) {
                double V[3];
                m->ops->velocity(m, &port[k], v, false, V);
                for (int a = 0; a < b->dimension; a++) C[i][k][a][axis] = V[a];
            }
        }
    free(v);
}

/* ---- the checks ------------------------------------------------------------------------------------------------------------------ */

/* Each column is solved to 1e-9, and as much may be cut off; ten times that, for numbers whose conditions are some tens. */
static const double CLOSE = 1e-8;

static void check_alike(const block *b, double (*C)[PORTS][3][3], double (*want)[PORTS][3][3])
{
    double largest = 0;
    for (int i = 0; i < PORTS; i++)
        for (int a = 0; a < b->dimension; a++) largest = fmax(largest, want[i][i][a][a]);
    CHECK(largest > 0);
    for (int i = 0; i < PORTS * PORTS; i++)
        for (int a = 0; a < b->dimension; a++)
            for (int c = 0; c < b->dimension; c++) CHECK_NEAR(C[i / PORTS][i % PORTS][a][c], want[i / PORTS][i % PORTS][a][c], CLOSE * largest);
}

/* V = Σ C I, of impulses up to 1, as many as there are. */
static void check_sums(const block *b, const seen *few, const seen *all)
{
    double largest = 0;
    for (int i = 0; i < PORTS; i++)
        for (int a = 0; a < b->dimension; a++) largest = fmax(largest, all->C[i][i][a][a]);
    for (int i = 0; i < PORTS; i++)
        for (int a = 0; a < b->dimension; a++) CHECK_NEAR(few->V[i][a], all->V[i][a], PORTS * 3 * CLOSE * largest);
}

/* How many nodes a solid keeps columns of, and of how many it has cut ends off. */
static int count_kept(const tl_matter *m, int *cut)
{
    const tl_solid *s = (const tl_solid *)m;
    int kept = 0;
    *cut = 0;
    for (int k = 0; k < s->expects; k++) {
        kept += s->column[k].b != NULL;
        *cut += s->column[k].b && s->column[k].end - s->column[k].begin < s->dimension * s->expects;
    }
    return kept;
}

/* A tool goes along the top from end to end and back, where columns of so many nodes find room. */
static void go_along(block b, int nodes)
{
    static seen all, few, first, again;
    const block whole = b;
    int cut;
    b.bytes = nodes * b.dimension * (b.dimension * layer_of(&b) + 4) * (double)sizeof(double);
    tl_matter *every = make_solid(&whole), *some = make_solid(&b);
    CHECK(((tl_solid *)every)->whole && !((tl_solid *)some)->whole);
    for (int round = 0; round < ROUNDS; round++) {
        CHECK(look(&whole, every, round, &all) && look(&b, some, round, &few));
        CHECK_NEAR(few.reach, all.reach, 1e-12);
        check_alike(&b, few.C, all.C);
        check_sums(&b, &few, &all);
        CHECK(((tl_solid *)some)->kept <= b.bytes);
        if (round == 0) first = few;
    }
    const int kept_all = count_kept(every, &cut);
    CHECK(cut == 0);
    const int kept = count_kept(some, &cut);
    CHECK(kept < kept_all && cut == kept);
    CHECK(look(&b, some, 0, &again));
    CHECK(memcmp(&again, &first, sizeof first) == 0); /* forgotten and made again */
    every->ops->destroy(every), some->ops->destroy(some);
}

TEST(limited_space) { go_along((block){3, {60, 4, 4}, .meshfree = true}, 24); }
TEST(limited_plane) { go_along((block){2, {150, 5, 1}, .meshfree = true}, 8); }
TEST(limited_elements) { go_along((block){3, {60, 4, 3}, .meshfree = false}, 24); }

/* Where what a step asks for finds no room, matter says that it cannot tell. */
TEST(no_room)
{
    static seen out;
    for (int meshfree = 0; meshfree < 2; meshfree++) {
        const block b = {3, {20, 4, 3}, .meshfree = meshfree, .bytes = 3 * 3 * (3 * 80 + 4) * sizeof(double)};
        tl_matter *m = make_solid(&b);
        for (int round = 0; round < 3; round++) CHECK(!look(&b, m, round, &out));
        CHECK(((tl_solid *)m)->kept <= b.bytes);
        m->ops->destroy(m);
    }
}

/* A wide layer. The order in which nodes are asked for is in no bit. */
TEST(wide)
{
    static seen out, first, again;
    static double want[PORTS][PORTS][3][3];
    const block b = {3, {26, 24, 3}, .meshfree = true};
    tl_matter *m = make_solid(&b), *other = make_solid(&b);
    CHECK(((tl_solid *)m)->middle1 > 0);
    for (int round = 0; round < ROUNDS; round += 3) {
        CHECK(look(&b, m, round, &out));
        ask_solid(&b, m, round, want);
        check_alike(&b, out.C, want);
        if (round == 0) first = out;
    }
    for (int round = ROUNDS - 1; round >= 0; round--) CHECK(look(&b, other, round, &again));
    CHECK(memcmp(&again, &first, sizeof first) == 0);
    m->ops->destroy(m), other->ops->destroy(other);
}

/* Solves go in single precision, and are corrected: a tower that bends under its weight is so badly conditioned, some 10⁶, that what is rounded of an answer
 * leaves more than the load was. What is left is asked of products in double precision. */
TEST(slender)
{
    const block tower = {3, {3, 3, 90}, .meshfree = true, .young = 1e10}, flat = {2, {4, 120, 1}, .meshfree = true, .young = 1e10};
    const block *const blocks[] = {&tower, &flat};
    for (int k = 0; k < 2; k++) {
        tl_error error;
        tl_matter *m = make_solid(blocks[k]);
        tl_solid *s = (tl_solid *)m;
        tl_arena *arena = tl_arena_create(tl_memory_default(), 1 << 20);
        tl_step step = {.h = 4e-3, .theta = 0.5, .force_passes = 2, .arena = arena, .error = &error};
        double *load = calloc((size_t)m->nv, sizeof *load), *x = calloc((size_t)m->nv, sizeof *x), *left = calloc((size_t)m->nv, sizeof *left), size = 0,
               most = 0;
        if (!load || !x || !left) TEST_STOP("no memory");
        MUST(tl_moreau_predict(m, &step), error);
        MUST(tl_solid_factor(s, &(tl_solid_scales){0, 1, 0}, &step), error);
        for (int i = 0; i < m->nv; i++) load[i] = x[i] = s->is_held[i] ? 0 : i % blocks[k]->dimension == 0;
        tl_particles_solve(s, 1e-8, 0, x);
        tl_particles_add_product(s, x, left);
        for (int i = 0; i < m->nv; i++) size += load[i] * load[i], most += (left[i] - load[i]) * (left[i] - load[i]);
        CHECK(sqrt(most) < 1e-6 * sqrt(size)); /* by the nodes' own blocks 1e-8, which differ by a hundred between soft and stiff ways */
        double sideways = 0;
        for (int i = 0; i < m->nv; i += blocks[k]->dimension) sideways = fmax(sideways, x[i]);
        CHECK(sideways > 0);
        free(load), free(x), free(left);
        tl_arena_destroy(arena);
        m->ops->destroy(m);
    }
}

int main(int argc, char **argv)
{
    RUN(limited_space);
    RUN(limited_plane);
    RUN(limited_elements);
    RUN(no_room);
    RUN(wide);
    RUN(slender);
    return TEST_RESULT;
}
