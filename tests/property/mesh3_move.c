/* A surface whose vertices move is the one that would be made of them where they are now. */
#include "shape/mesh3.h"

#include "test.h"

enum { SIDE = 13 };

static tl_random rnd;

static void points_of(tl_vec3 *point, double wave)
{
    for (int i = 0; i < SIDE * SIDE; i++) {
        const int row = i / SIDE;
        const double x = i % SIDE, y = row;
        point[i] = tl_v3(x + 0.1 * wave * tl_random_uniform(&rnd, -1, 1), y + 0.1 * wave * tl_random_uniform(&rnd, -1, 1),
                         wave * (sin(0.7 * x) * cos(0.4 * y) + 0.1 * tl_random_uniform(&rnd, -1, 1)));
    }
}

static tl_mesh3 *make(const tl_vec3 *point)
{
    int32_t triangle[2 * SIDE * SIDE][3];
    int count = 0;
    for (int y = 0; y + 1 < SIDE; y++)
        for (int x = 0; x + 1 < SIDE; x++) {
            const int32_t a = x + SIDE * y, b = a + 1, c = a + SIDE + 1, d = a + SIDE;
            if (x == 5 && y == 6) continue; /* a hole: borders inside, too */
            const int32_t both[2][3] = {{a, b, c}, {a, c, d}};
            memcpy(triangle[count], both, sizeof both);
            count += 2;
        }
    tl_error error = {0};
    tl_mesh3 *m = tl_mesh3_create(tl_memory_default(), &(tl_triangles3){point, SIDE * SIDE, (const int32_t(*)[3])triangle, count}, &error);
    if (!m) TEST_FAIL("%s", error.text);
    return m;
}

/* Triangles that a walk through a box meets, as a set. */
static void met(const tl_mesh3 *m, tl_vec3 low, tl_vec3 high, bool *out)
{
    tl_box_walk walk = tl_box_walk_through(&m->tree, low, high);
    memset(out, 0, (size_t)m->triangles * sizeof *out);
    for (int t; (t = tl_box_next(&walk)) >= 0;) out[t] = true;
}

TEST(as_made_anew)
{
    tl_vec3 point[SIDE * SIDE];
    rnd = tl_random_seed(8);
    points_of(point, 0);
    tl_mesh3 *moved = make(point);
    for (int round = 0; round < 20; round++) {
        points_of(point, round % 5 * 0.2); /* flat again now and then */
        tl_mesh3 *fresh = make(point);
        CHECK(tl_mesh3_move(moved, point) == 0);
        CHECK(moved->edges == fresh->edges && moved->triangles == fresh->triangles && moved->vertices == fresh->vertices);
        for (int t = 0; t < fresh->triangles; t++) {
            CHECK(memcmp(&moved->normal[t], &fresh->normal[t], sizeof(tl_vec3)) == 0);
            CHECK(moved->offset[t] == fresh->offset[t]);
        }
        for (int e = 0; e < fresh->edges; e++)
            CHECK(moved->edge[e].sharp == fresh->edge[e].sharp && memcmp(moved->edge[e].n, fresh->edge[e].n, sizeof fresh->edge[e].n) == 0);
        CHECK(memcmp(moved->peak, fresh->peak, (size_t)fresh->vertices) == 0);
        for (int k = 0; k < 50; k++) {
            static bool a[2 * SIDE * SIDE], b[2 * SIDE * SIDE];
            const tl_vec3 low = tl_v3(tl_random_uniform(&rnd, -1, SIDE), tl_random_uniform(&rnd, -1, SIDE), tl_random_uniform(&rnd, -1, 0.5));
            const tl_vec3 high = tl_add(low, tl_v3(2, 1, 0.5));
            met(moved, low, high, a), met(fresh, low, high, b);
            CHECK(memcmp(a, b, (size_t)fresh->triangles * sizeof *a) == 0);
        }
        tl_mesh3_destroy(fresh, tl_memory_default());
    }
    for (int i = 0; i < SIDE * SIDE; i++) point[i].y = 0, point[i].z = 0; /* all on a line */
    const tl_vec3 was = moved->normal[3];
    CHECK(tl_mesh3_move(moved, point) == moved->triangles);
    CHECK(memcmp(&was, &moved->normal[3], sizeof was) == 0);
    tl_mesh3_destroy(moved, tl_memory_default());
}

int main(int argc, char **argv)
{
    RUN(as_made_anew);
    return TEST_RESULT;
}
