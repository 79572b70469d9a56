/* The pair of planar shapes by their supports, against the functions that disks, polygons and half-planes have of their own
 * (tests/property/narrow2.c). */
#include "detect/convex2.h"
#include "test.h"

static tl_random rnd;
static double uniform(double low, double high) { return tl_random_uniform(&rnd, low, high); }

static tl_shape2 random_shape(bool round)
{
    tl_shape2 s;
    tl_error why;
    tl_vec2 corner[TL_CORNERS];
    const int count = 1 + tl_random_int(&rnd, 8);
    const double radius = count == 1 || round ? uniform(0.05, 0.5) : 0, x = uniform(-0.3, 0.3), y = uniform(-0.3, 0.3);
    for (int i = 0; i < count; i++) {
        const double angle = 2 * TL_PI * (i + uniform(0, 0.7)) / count, far = uniform(0.3, 1);
        corner[i] = tl_v2(x + far * cos(angle), y + far * sin(angle));
    }
    CHECK_OK(tl_shape2_round_hull(&s, tl_memory_default(), corner, count, radius, &why), why.text);
    return s;
}

static tl_pose2 random_pose(double far)
{
    const double x = uniform(-far, far), y = uniform(-far, far);
    return tl_pose2_at(x, y, uniform(-4, 4));
}

static double least(const tl_touch2 *t, int count)
{
    double gap = (double)INFINITY;
    for (int i = 0; i < count; i++) gap = fmin(gap, t[i].gap);
    return gap;
}

/* The ends of each gap lie on the two shapes, or in them. */
static void check_ends(const tl_shape2 *a, const tl_pose2 *pa, const tl_shape2 *b, const tl_pose2 *pb, const tl_touch2 *t, int count)
{
    for (int i = 0; i < count; i++) {
        const tl_vec2 half = tl_scale2(0.5 * t[i].gap, t[i].normal);
        CHECK(tl_shape2_distance(a, tl_to_local2(pa, tl_sub2(t[i].point, half))) < 1e-11);
        CHECK(tl_shape2_distance(b, tl_to_local2(pb, tl_add2(t[i].point, half))) < 1e-11);
        CHECK(t[i].feature >= 0 && t[i].feature < TL_FEATURES && (i == 0 || t[i].feature > t[i - 1].feature));
        CHECK_NEAR(tl_norm2(t[i].normal), 1, 1e-14);
    }
}

/* Not overlapping with their cores the distance is unique. */
TEST(apart)
{
    int apart = 0;
    rnd = tl_random_seed(3);
    for (int round = 0; round < 20000; round++) {
        tl_shape2 a = random_shape(round % 2), b = random_shape(round % 3);
        const tl_pose2 pa = random_pose(round % 5 ? 1 : 1000);
        tl_pose2 pb = random_pose(1);
        tl_touch2 t[TL_TOUCHES2], own[TL_TOUCHES2];
        const double angle = uniform(-4, 4), far = uniform(0.5, 3);
        pb.x = pa.x + far * cos(angle), pb.y = pa.y + far * sin(angle);
        const int n = tl_convex_touches2(&a, &pa, &b, &pb, 10, t), m = tl_touch2_find(&a, &pa, &b, &pb, 10, own);
        const double gap = least(own, m), noise = round % 5 ? 1e-12 : 1e-9;
        CHECK(n >= 1 && n <= 2);
        if (gap + a.radius + b.radius > 1e-6) {
            apart++;
            CHECK_NEAR(least(t, n), gap, noise);
            CHECK_NEAR(tl_norm2(tl_sub2(t[0].normal, own[0].normal)), 0, 1e-6);
            if (round % 5) check_ends(&a, &pa, &b, &pb, t, n);
            CHECK(tl_convex_touches2(&a, &pa, &b, &pb, gap - 1e-6, t) == 0);
        } else CHECK(least(t, n) <= 1e-6 - a.radius - b.radius);
        tl_shape2_free(&a, tl_memory_default()), tl_shape2_free(&b, tl_memory_default());
    }
    CHECK(apart > 8000);
}

/* Into each other the least way out, but for what polygons prefer of sides that are as good to a thousandth. */
TEST(into_each_other)
{
    rnd = tl_random_seed(5);
    int deep = 0;
    for (int round = 0; round < 20000; round++) {
        tl_shape2 a = random_shape(false), b = random_shape(false);
        const tl_pose2 pa = random_pose(1);
        tl_pose2 pb = random_pose(1);
        tl_touch2 t[TL_TOUCHES2], own[TL_TOUCHES2];
        pb.x = pa.x + uniform(-0.8, 0.8), pb.y = pa.y + uniform(-0.8, 0.8);
        const int n = tl_convex_touches2(&a, &pa, &b, &pb, 10, t), m = tl_touch2_find(&a, &pa, &b, &pb, 10, own);
        const double gap = least(own, m);
        if (gap + a.radius + b.radius < -1e-6 && a.count > 2 && b.count > 2) {
            deep++;
            CHECK_NEAR(least(t, n), gap, -2e-3 * gap);
        }
        tl_shape2_free(&a, tl_memory_default()), tl_shape2_free(&b, tl_memory_default());
    }
    CHECK(deep > 3000);
}

/* Sides that lie along each other share two points, those that polygons clip. */
TEST(sides_along_each_other)
{
    rnd = tl_random_seed(7);
    for (int round = 0; round < 3000; round++) {
        tl_shape2 a, b;
        tl_error why;
        const double w = uniform(0.3, 1), v = uniform(0.3, 1), r = round % 2 ? uniform(0, 0.2) : 0, shift = uniform(-0.9, 0.9) * (w + v),
                     gap = uniform(-0.01, 0.01);
        const tl_vec2 low[4] = {{-w, -0.5}, {w, -0.5}, {w, 0}, {-w, 0}}, high[4] = {{-v, 0}, {v, 0}, {v, 0.4}, {-v, 0.4}};
        CHECK_OK(tl_shape2_round_hull(&a, tl_memory_default(), low, 4, r, &why), why.text);
        CHECK_OK(tl_shape2_round_hull(&b, tl_memory_default(), high, 4, r, &why), why.text);
        const tl_pose2 pa = random_pose(1);
        const tl_vec2 at = tl_to_world2(&pa, tl_v2(shift, gap + 2 * r));
        const tl_pose2 pb = tl_pose2_at(at.x, at.y, pa.angle);
        tl_touch2 t[TL_TOUCHES2], own[TL_TOUCHES2];
        const int n = tl_convex_touches2(&a, &pa, &b, &pb, 1, t), m = tl_touch2_find(&a, &pa, &b, &pb, 1, own);
        CHECK(n == 2 && m == 2);
        for (int i = 0; i < 2; i++) {
            CHECK_NEAR(t[i].gap, gap, 1e-12);
            CHECK(fmin(tl_norm2(tl_sub2(t[i].point, own[0].point)), tl_norm2(tl_sub2(t[i].point, own[1].point))) < 1e-12);
        }
        CHECK(tl_norm2(tl_sub2(t[0].point, t[1].point)) > 1e-3);
        tl_shape2_free(&a, tl_memory_default()), tl_shape2_free(&b, tl_memory_default());
    }
}

TEST(half_planes)
{
    rnd = tl_random_seed(9);
    for (int round = 0; round < 3000; round++) {
        tl_shape2 a = random_shape(round % 2), plane;
        tl_error why;
        CHECK_OK(tl_shape2_half_plane(&plane, tl_v2(0.1, -0.2), tl_v2(1, uniform(-1, 1)), &why), why.text);
        const tl_pose2 pa = random_pose(1), pp = random_pose(1);
        tl_touch2 t[TL_TOUCHES2], own[TL_TOUCHES2], back[TL_TOUCHES2];
        const int n = tl_convex_touches2(&plane, &pp, &a, &pa, 10, t), m = tl_touch2_find(&plane, &pp, &a, &pa, 10, own);
        const int o = tl_convex_touches2(&a, &pa, &plane, &pp, 10, back);
        CHECK(n == o && n >= 1);
        CHECK_NEAR(least(t, n), least(own, m), 1e-12);
        CHECK_NEAR(least(back, o), least(own, m), 1e-12);
        check_ends(&plane, &pp, &a, &pa, t, n);
        check_ends(&a, &pa, &plane, &pp, back, o);
        tl_shape2_free(&a, tl_memory_default());
    }
}

int main(int argc, char **argv)
{
    RUN(apart);
    RUN(into_each_other);
    RUN(sides_along_each_other);
    RUN(half_planes);
    return TEST_RESULT;
}
