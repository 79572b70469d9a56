/* How much memory grains take: what a box of spheres and one of stones ask of the allocator at most, while they fall together, by grain. */
#include <stddef.h>

#include "spatial.h"

enum { STEPS = 60 };

/* Reached were 4100 bytes a sphere and 9600 a stone (architecture §5), and 3600 a sphere where no step asks for a second list of near pairs; it was 9200 and
 * 21 200 while contacts, planes of hulls and links of what is no grain were kept more than was read of them, and rows of all contacts were made to take energy
 * back. The arena of a step and the arrays that change with it grow to a sixteenth more than a step took. So a box may have up to a sixteenth more than another
 * that is the same but for when it grew, and the difference of one and of one half as large up to an eighth. */
static const double SPHERE_LIMIT = 1.125 * 4200, STONE_LIMIT = 1.125 * 9600;

/* Requests for memory, counted by a word before each block. */
typedef struct counter {
    size_t live, most;
} counter;

typedef union header {
    size_t size;
    max_align_t align;
} header;

static void *count(void *user, void *pointer, size_t size)
{
    counter *c = user;
    header *old = pointer ? (header *)pointer - 1 : NULL;
    const size_t before = old ? old->size : 0;
    if (size == 0) {
        c->live -= before;
        free(old);
        return NULL;
    }
    header *block = realloc(old, sizeof *block + size);
    if (!block) return NULL;
    block->size = size;
    c->live = c->live - before + size;
    if (c->live > c->most) c->most = c->live;
    return block + 1;
}

/* Numbers from 0 to 1 that are the same everywhere. */
static double draw(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state / 4294967296.0;
}

static void add_grain(talus_world *w, talus_material_id m, bool stone, const double at[3], uint32_t *state)
{
    enum { CORNERS = 25 };
    double corner[CORNERS][3] = {{0}};
    talus_body_def d = talus_body_def_default();
    talus_shape_def s = talus_shape_def_default();
    const double radius = 0.0075 + 0.005 * draw(state);
    for (int k = 0; k < 3; k++) d.position[k] = at[k] + 0.002 * (draw(state) - 0.5);
    const talus_body_id b = add_body(w, &d);
    s.kind = TALUS_SHAPE_SPHERE, s.material = m, s.count = 1, s.radius = radius, s.corners = (const double(*)[3])corner;
    for (int i = 0; stone && i < CORNERS; i++) { /* about a ball, everywhere */
        const double z = 2 * (i + draw(state)) / CORNERS - 1, turn = 2 * PI * draw(state), across = sqrt(1 - z * z);
        corner[i][0] = radius * across * cos(turn), corner[i][1] = radius * across * sin(turn), corner[i][2] = radius * z;
    }
    if (stone) s.kind = TALUS_SHAPE_POLYHEDRON, s.count = CORNERS, s.radius = 0;
    CHECK_OK(talus_body_add_shape(w, b, &s), talus_world_error(w));
}

static void add_wall(talus_world *w, talus_material_id m, const double plane[2][3])
{
    talus_body_def d = talus_body_def_default();
    talus_shape_def s = talus_shape_def_default();
    d.kind = TALUS_BODY_FIXED;
    const talus_body_id b = add_body(w, &d);
    s.kind = TALUS_SHAPE_HALF_SPACE, s.material = m, s.count = 2, s.corners = plane;
    CHECK_OK(talus_body_add_shape(w, b, &s), talus_world_error(w));
}

/* The most bytes that a box of 6 × 6 × layers grains has asked for at one time; its contacts at the end. */
static double most_bytes(bool stone, int layers, int *contacts)
{
    enum { SIDE = 6 };
    const double pitch = stone ? 0.018 : 0.02, side = SIDE * pitch;
    const double wall[5][2][3] = {
        {{0, 0, 0}, {0, 0, 1}}, {{0, 0, 0}, {1, 0, 0}}, {{side, 0, 0}, {-1, 0, 0}}, {{0, 0, 0}, {0, 1, 0}}, {{0, side, 0}, {0, -1, 0}}};
    counter c = {0, 0};
    uint32_t state = 1;
    talus_step_report report = {0};
    talus_world_def def = talus_world_def_default();
    def.dimension = 3, def.gravity[2] = -G, def.step = 1e-3;
    def.solver.max_iterations = 50;
    def.allocator = (talus_allocator){count, &c};
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, 2700);
    law(w, 0.5, 0);
    for (int i = 0; i < 5; i++) add_wall(w, m, wall[i]);
    for (int i = 0; i < SIDE * SIDE * layers; i++)
        add_grain(w, m, stone, (double[3]){pitch * (i % SIDE + 0.5), pitch * (i / SIDE % SIDE + 0.5), pitch * (i / SIDE / SIDE + 0.5)}, &state);
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    for (int i = 0; i < STEPS; i++) CHECK_OK(talus_world_step(w, &report), talus_world_error(w));
    *contacts = report.contacts;
    talus_world_destroy(w);
    CHECK(c.live == 0);
    return (double)c.most;
}

/* Of boxes of 216 and 432 grains the difference, so that what a world takes without grains does not count. */
static void expect_at_most(bool stone, double limit)
{
    int few, many;
    const double less = most_bytes(stone, 6, &few), more = most_bytes(stone, 12, &many);
    const double each = (more - less) / 216;
    printf("  %s: %.0f bytes a grain, %.1f contacts\n", stone ? "stones" : "spheres", each, (many - few) / 216.0);
    CHECK(many - few > 216); /* they have come together */
    if (!(each <= limit)) TEST_FAIL("%s take %.0f bytes each, more than %.0f", stone ? "stones" : "spheres", each, limit);
}

TEST(spheres) { expect_at_most(false, SPHERE_LIMIT); }

TEST(stones) { expect_at_most(true, STONE_LIMIT); }

int main(int argc, char **argv)
{
    RUN(spheres);
    RUN(stones);
    return TEST_RESULT;
}
