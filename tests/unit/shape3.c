/* Spatial shapes against closed forms, and random hulls against what must hold of any. */
#include "shape/shape3.h"
#include "test.h"

static tl_error error;

static tl_memory heap(void) { return tl_memory_default(); }

static double between(tl_random *r, double low, double high) { return tl_random_uniform(r, low, high); }

static double size_of(const tl_shape3 *s)
{
    double size = 0;
    for (int i = 0; i < s->points; i++) size = fmax(size, tl_norm(tl_sub(s->point[i], s->point[0])));
    return size;
}

/* Is it a closed convex polyhedron with `points` inside, to `tolerance` of its size? Rounding of coordinates counts on top. */
static void check_polyhedron(const tl_shape3 *s, const tl_vec3 *points, int count, double tolerance)
{
    const double size = size_of(s), slack = tolerance * size + 8 * 0x1p-53 * s->reach;
    static unsigned char seen[256][256];
    memset(seen, 0, sizeof seen);
    CHECK(s->points >= 4 && s->faces >= 4);
    CHECK(s->points - s->edges + s->faces == 2);
    CHECK(s->face_begin[0] == 0 && s->face_begin[s->faces] == 2 * s->edges);
    for (int f = 0; f < s->faces; f++) {
        const int begin = s->face_begin[f], n = s->face_begin[f + 1] - begin;
        CHECK(n >= 3);
        CHECK_NEAR(tl_norm(s->face_normal[f]), 1, 1e-15);
        for (int i = 0; i < n; i++) {
            const int a = s->corner[begin + i], b = s->corner[begin + (i + 1) % n];
            CHECK(a < s->points && b < s->points && a != b);
            CHECK(seen[a][b]++ == 0);
            CHECK_NEAR(tl_dot(s->face_normal[f], s->point[a]), s->face_offset[f], slack);
        }
        for (int i = 0; i < count; i++) CHECK(tl_dot(s->face_normal[f], points[i]) - s->face_offset[f] <= slack);
        if (f) CHECK(s->corner[s->face_begin[f - 1]] <= s->corner[begin]);
    }
    for (int e = 0; e < s->edges; e++) {
        const tl_edge3 x = s->edge[e];
        CHECK(x.from < x.to && seen[x.from][x.to] == 1 && seen[x.to][x.from] == 1);
        CHECK(x.left < s->faces && x.right < s->faces && x.left != x.right);
        bool left = false, right = false;
        for (int k = 0, n = s->face_begin[x.left + 1] - s->face_begin[x.left]; k < n; k++) {
            const uint8_t *c = s->corner + s->face_begin[x.left];
            left |= c[k] == x.from && c[(k + 1) % n] == x.to;
        }
        for (int k = 0, n = s->face_begin[x.right + 1] - s->face_begin[x.right]; k < n; k++) {
            const uint8_t *c = s->corner + s->face_begin[x.right];
            right |= c[k] == x.to && c[(k + 1) % n] == x.from;
        }
        CHECK(left && right);
        if (e) CHECK(s->edge[e - 1].from < x.from || (s->edge[e - 1].from == x.from && s->edge[e - 1].to < x.to));
    }
}

static tl_shape3 hull(const tl_vec3 *points, int count)
{
    tl_shape3 s;
    CHECK_OK(tl_shape3_hull(&s, heap(), points, count, 0, &error), error.text);
    return s;
}

static int box_points(tl_vec3 *p, double a, double b, double c)
{
    for (int i = 0; i < 8; i++) p[i] = tl_v3(i & 1 ? a : 0, i & 2 ? b : 0, i & 4 ? c : 0);
    return 8;
}

TEST(cube)
{
    tl_vec3 p[8];
    box_points(p, 1, 2, 3);
    tl_shape3 s = hull(p, 8);
    check_polyhedron(&s, p, 8, 1e-15);
    CHECK(s.points == 8 && s.faces == 6 && s.edges == 12);
    const tl_volume3 v = tl_shape3_volume(&s);
    CHECK_NEAR(v.volume, 6, 1e-14);
    CHECK_NEAR(tl_norm(tl_sub(v.centroid, tl_v3(0.5, 1, 1.5))), 0, 1e-15);
    CHECK_NEAR(v.inertia.m[0][0], 6 * (4 + 9) / 12.0, 1e-14);
    CHECK_NEAR(v.inertia.m[1][1], 6 * (1 + 9) / 12.0, 1e-14);
    CHECK_NEAR(v.inertia.m[2][2], 6 * (1 + 4) / 12.0, 1e-14);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++) CHECK_NEAR(v.inertia.m[i][j], 0, 1e-14);
    CHECK_NEAR(s.reach, sqrt(14), 1e-15);
    tl_shape3_free(&s, heap());
}

/* Random points in a ball, in a box with extents down to a thousandth, and on a sphere. */
static void random_points(tl_random *r, int kind, tl_vec3 *p, int n)
{
    const tl_vec3 extent = tl_v3(1, pow(10, -between(r, 0, 3)), pow(10, -between(r, 0, 3)));
    for (int i = 0; i < n; i++) {
        do p[i] = tl_v3(between(r, -1, 1), between(r, -1, 1), between(r, -1, 1));
        while (tl_norm(p[i]) > 1 || tl_norm(p[i]) < 0.1);
        if (kind == 1) p[i] = tl_v3(p[i].x * extent.x, p[i].y * extent.y, p[i].z * extent.z);
        if (kind == 2) p[i] = tl_normalize(p[i]);
    }
}

TEST(random_hulls)
{
    tl_random r = tl_random_seed(7);
    for (int k = 0; k < 600; k++) {
        tl_vec3 p[255];
        const int n = 4 + tl_random_int(&r, k % 10 ? 40 : 252);
        random_points(&r, k % 3, p, n);
        tl_shape3 s = hull(p, n);
        check_polyhedron(&s, p, n, 1e-12);
        if (k % 3 == 2) CHECK(s.points == n);
        tl_shape3_free(&s, heap());
    }
}

int main(int argc, char **argv)
{
    RUN(cube);
    RUN(random_hulls);
    return TEST_RESULT;
}
