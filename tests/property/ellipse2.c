/* Ellipses of the plane against integrals, disks and brute force. */
#include "detect/narrow2.h"
#include "test.h"

static tl_random rnd;
static double uniform(double low, double high) { return tl_random_uniform(&rnd, low, high); }

static tl_shape2 make_ellipse(double a, double b)
{
    tl_shape2 s;
    tl_error why;
    const double x = uniform(-0.2, 0.2), y = uniform(-0.2, 0.2), angle = uniform(-4, 4), c = cos(angle), sine = sin(angle);
    const tl_shape2_def d = {.point = {{x, y}, {x + a * c, y + a * sine}, {x - b * sine, y + b * c}}, .count = 3};
    CHECK_OK(tl_shape2_make(&s, tl_memory_default(), TL_ELLIPSE, &d, &why), why.text);
    return s;
}

static tl_shape2 random_ellipse(void)
{
    const double a = uniform(0.1, 1);
    return make_ellipse(a, uniform(0.1, 1));
}

static tl_shape2 make_hull(int count, double radius)
{
    tl_shape2 s;
    tl_error why;
    tl_vec2 corner[TL_CORNERS];
    const double x = uniform(-0.2, 0.2), y = uniform(-0.2, 0.2);
    for (int i = 0; i < count; i++) {
        const double angle = 2 * TL_PI * (i + uniform(0, 0.7)) / count, far = uniform(0.3, 1);
        corner[i] = tl_v2(x + far * cos(angle), y + far * sin(angle));
    }
    CHECK_OK(tl_shape2_round_hull(&s, tl_memory_default(), corner, count, radius, &why), why.text);
    return s;
}

/* Disks, capsules, polygons, rounded or not, ellipses. */
static tl_shape2 random_partner(int round)
{
    const double radius = uniform(0.05, 0.4);
    switch (round % 5) {
    case 0: return make_hull(1, radius);
    case 1: return make_hull(2, radius);
    case 2: return make_hull(3 + tl_random_int(&rnd, 5), radius);
    case 3: return make_hull(3 + tl_random_int(&rnd, 5), 0);
    default: return random_ellipse();
    }
}

static void free_shape(tl_shape2 *s) { tl_shape2_free(s, tl_memory_default()); }

static tl_pose2 random_pose(double far)
{
    const double x = uniform(-far, far), y = uniform(-far, far);
    return tl_pose2_at(x, y, uniform(-4, 4));
}

static tl_vec2 on_rim(const tl_shape2 *s, double angle)
{
    const tl_vec2 u = tl_sub2(s->corner[1], s->corner[0]), v = tl_sub2(s->corner[2], s->corner[0]);
    return tl_add2(s->corner[0], tl_add2(tl_scale2(cos(angle), u), tl_scale2(sin(angle), v)));
}

/* Least of a function around the ellipse: all of it, then ever nearer to the best. */
static double least_around(double (*f)(const void *, double), const void *what)
{
    double best = (double)INFINITY, at = 0;
    for (double reach = TL_PI; reach > 1e-12; reach *= 0.05) {
        const double middle = at;
        const int n = reach > 3 ? 2000 : 50;
        for (int i = -n; i <= n; i++) {
            const double angle = middle + reach * i / n, value = f(what, angle);
            if (value < best) best = value, at = angle;
        }
    }
    return best;
}

typedef struct scene {
    const tl_shape2 *a, *b;
    tl_pose2 pa, pb;
    tl_vec2 x;
} scene;

static double to_point(const void *what, double angle)
{
    const scene *s = what;
    return tl_norm2(tl_sub2(on_rim(s->a, angle), s->x));
}

static double to_partner(const void *what, double angle)
{
    const scene *s = what;
    return tl_shape2_distance(s->b, tl_to_local2(&s->pb, tl_to_world2(&s->pa, on_rim(s->a, angle))));
}

static double minus_along(const void *what, double angle)
{
    const scene *s = what;
    return -tl_dot2(on_rim(s->a, angle), s->x);
}

TEST(area_box_and_distance)
{
    rnd = tl_random_seed(3);
    for (int round = 0; round < 100; round++) {
        enum { SLICES = 4000 };
        tl_shape2 s = random_ellipse();
        const tl_area2 area = tl_shape2_area(&s);
        const tl_vec2 u = tl_sub2(s.corner[1], s.corner[0]), v = tl_sub2(s.corner[2], s.corner[0]);
        double sum = 0, moment = 0; /* strips of the unit disk, parallel to v */
        for (int i = 0; i < SLICES; i++) {
            const double p = cos(TL_PI * (i + 0.5) / SLICES), q = sin(TL_PI * (i + 0.5) / SLICES), width = TL_PI / SLICES * q, dA = 2 * q * width;
            const double jacobian = tl_norm2(u) * tl_norm2(v);
            const tl_vec2 middle = tl_add2(s.corner[0], tl_scale2(p, u));
            sum += jacobian * dA;
            moment += jacobian * dA * (tl_dot2(middle, middle) + tl_dot2(v, v) * q * q / 3);
        }
        CHECK_CLOSE(area.area, sum, 1e-6);
        CHECK_CLOSE(area.moment + area.area * tl_dot2(area.centroid, area.centroid), moment, 1e-6);
        CHECK(tl_norm2(tl_sub2(area.centroid, s.corner[0])) == 0);
        scene is = {.a = &s};
        for (int i = 0; i < 10; i++) {
            const double far = uniform(0, 2), angle = uniform(-4, 4);
            is.x = tl_v2(far * cos(angle), far * sin(angle));
            CHECK_NEAR(fabs(tl_shape2_distance(&s, is.x)), least_around(to_point, &is), 1e-9);
            CHECK((tl_shape2_distance(&s, is.x) < 0) ==
                  (pow(tl_dot2(tl_sub2(is.x, s.corner[0]), u) / tl_dot2(u, u), 2) + pow(tl_dot2(tl_sub2(is.x, s.corner[0]), v) / tl_dot2(v, v), 2) < 1));
        }
        const tl_pose2 pose = random_pose(1);
        const tl_box2 box = tl_shape2_box(&s, &pose);
        is.x = tl_unrotate2(&pose, tl_v2(1, 0));
        CHECK_NEAR(box.high.x - pose.x, -least_around(minus_along, &is), 1e-9);
        is.x = tl_unrotate2(&pose, tl_v2(0, -1));
        CHECK_NEAR(pose.y - box.low.y, -least_around(minus_along, &is), 1e-9);
        CHECK_CLOSE(tl_shape2_half_width(&s), fmin(tl_norm2(u), tl_norm2(v)), 1e-14);
        tl_vec2 outline[TL_OUTLINE2];
        const int n = tl_shape2_outline(&s, outline);
        double twice = 0;
        for (int i = 0; i < n; i++) twice += tl_cross2(outline[i], outline[(i + 1) % n]);
        CHECK_CLOSE(twice / 2, area.area, 1e-12); /* counter-clockwise, of the same area */
        free_shape(&s);
    }
}

static double least(const tl_touch2 *t, int count)
{
    double gap = (double)INFINITY;
    for (int i = 0; i < count; i++) gap = fmin(gap, t[i].gap);
    return gap;
}

/* With equal half axes it is a disk, which has functions of its own. */
TEST(as_a_disk)
{
    rnd = tl_random_seed(5);
    for (int round = 0; round < 5000; round++) {
        const double r = uniform(0.1, 1);
        tl_error why;
        tl_shape2 s = make_ellipse(r, r), disk, b = random_partner(round % 4);
        CHECK_OK(tl_shape2_round_hull(&disk, tl_memory_default(), s.corner, 1, r, &why), why.text);
        const tl_pose2 pa = random_pose(1), pb = random_pose(2);
        tl_touch2 t[TL_TOUCHES2], own[TL_TOUCHES2];
        const int n = tl_touch2_find(&s, &pa, &b, &pb, 10, t), m = tl_touch2_find(&disk, &pa, &b, &pb, 10, own);
        CHECK(n == 1 && m == 1);
        if (own[0].gap > -r) { /* the disk's middle is outside of the other */
            CHECK_NEAR(t[0].gap, own[0].gap, 1e-12);
            CHECK_NEAR(tl_norm2(tl_sub2(t[0].normal, own[0].normal)), 0, 1e-10);
            CHECK_NEAR(tl_norm2(tl_sub2(t[0].point, own[0].point)), 0, 1e-10);
        }
        free_shape(&s), free_shape(&disk), free_shape(&b);
    }
}

TEST(distances)
{
    double worst = 0;
    int apart = 0;
    rnd = tl_random_seed(7);
    for (int round = 0; round < 1000; round++) {
        tl_shape2 s = random_ellipse(), b = random_partner(round);
        tl_touch2 t[TL_TOUCHES2], back[TL_TOUCHES2];
        const double angle = uniform(-4, 4), far = uniform(0.3, 2.5);
        scene is = {.a = &s, .b = &b, .pa = random_pose(1)};
        is.pb = tl_pose2_at(is.pa.x + far * cos(angle), is.pa.y + far * sin(angle), uniform(-4, 4));
        const int n = tl_touch2_find(&s, &is.pa, &b, &is.pb, 10, t), m = tl_touch2_find(&b, &is.pb, &s, &is.pa, 10, back);
        const double gap = least_around(to_partner, &is);
        CHECK(n == 1 && m == 1 && n <= tl_touch2_limit(&s, &b));
        CHECK_NEAR(t[0].gap, back[0].gap, 1e-13);
        CHECK(tl_norm2(tl_add2(t[0].normal, back[0].normal)) < 1e-6 || t[0].gap < 0);
        const tl_vec2 in_b = tl_to_local2(&is.pa, tl_to_world2(&is.pb, tl_shape2_corner(&b, 0)));
        if (gap > 0 && tl_shape2_distance(&s, in_b) > 0) {
            apart++;
            worst = fmax(worst, fabs(gap - t[0].gap));
            const tl_vec2 half = tl_scale2(0.5 * t[0].gap, t[0].normal);
            CHECK_NEAR(tl_shape2_distance(&s, tl_to_local2(&is.pa, tl_sub2(t[0].point, half))), 0, 1e-9);
            CHECK_NEAR(tl_shape2_distance(&b, tl_to_local2(&is.pb, tl_add2(t[0].point, half))), 0, 1e-9);
            CHECK(tl_touch2_find(&s, &is.pa, &b, &is.pb, gap - 1e-6, t) == 0);
        }
        free_shape(&s), free_shape(&b);
    }
    CHECK(apart > 500);
    CHECK(worst < 1e-11);
}

/* Into each other: no direction of many parts the two sooner. */
TEST(into_each_other)
{
    double worst = 0;
    int deep = 0;
    rnd = tl_random_seed(11);
    for (int round = 0; round < 1000; round++) {
        tl_shape2 s = random_ellipse(), b = random_ellipse();
        const tl_pose2 pa = random_pose(0.5), pb = random_pose(0.5);
        tl_touch2 t[TL_TOUCHES2];
        const int n = tl_touch2_find(&s, &pa, &b, &pb, 10, t);
        double best = -(double)INFINITY;
        for (int i = 0; i < 20000; i++) {
            const double angle = 2 * TL_PI * i / 20000;
            const tl_vec2 d = {cos(angle), sin(angle)}, own = tl_unrotate2(&pa, d), other = tl_unrotate2(&pb, d);
            double reach[2];
            for (int k = 0; k < 2; k++) { /* of c + u cos + v sin along d: c·d ± √((u·d)² + (v·d)²) */
                const tl_shape2 *is = k ? &b : &s;
                const tl_vec2 along = k ? other : own, u = tl_sub2(is->corner[1], is->corner[0]), v = tl_sub2(is->corner[2], is->corner[0]);
                reach[k] = tl_dot2(along, is->corner[0]) + (k ? -1 : 1) * hypot(tl_dot2(u, along), tl_dot2(v, along));
            }
            best = fmax(best, tl_dot2(d, tl_v2(pb.x - pa.x, pb.y - pa.y)) + reach[1] - reach[0]);
        }
        CHECK(n == 1);
        if (best < 0) deep++, worst = fmax(worst, best - t[0].gap);
        free_shape(&s), free_shape(&b);
    }
    CHECK(deep > 300);
    CHECK(worst < 1e-7);
}

TEST(half_planes)
{
    rnd = tl_random_seed(9);
    for (int round = 0; round < 500; round++) {
        tl_shape2 s = random_ellipse(), plane;
        tl_error why;
        const tl_vec2 n = {1, uniform(-1, 1)}, on = {0.1, -0.2};
        CHECK_OK(tl_shape2_half_plane(&plane, on, n, &why), why.text);
        scene is = {.a = &s, .b = &plane, .pa = random_pose(1), .pb = random_pose(1)};
        tl_touch2 t[TL_TOUCHES2], back[TL_TOUCHES2];
        const int count = tl_touch2_find(&plane, &is.pb, &s, &is.pa, 10, t), others = tl_touch2_find(&s, &is.pa, &plane, &is.pb, 10, back);
        const double gap = least_around(to_partner, &is);
        CHECK(count == 1 && others == 1);
        CHECK_NEAR(least(t, count), gap, 1e-12);
        CHECK_NEAR(least(back, others), gap, 1e-12);
        CHECK_NEAR(tl_norm2(tl_sub2(t[0].normal, tl_rotate2(&is.pb, plane.normal))), 0, 1e-14);
        free_shape(&s);
    }
}

TEST(what_is_none)
{
    tl_shape2 s;
    tl_error why;
    const tl_shape2_def flat = {.point = {{0, 0}, {1, 0}, {0, 0}}, .count = 3}, skew = {.point = {{0, 0}, {1, 0}, {0.1, 1}}, .count = 3};
    CHECK(tl_shape2_make(&s, tl_memory_default(), TL_ELLIPSE, &flat, &why) == TALUS_INPUT);
    CHECK(strstr(why.text, "half axis 2"));
    CHECK(tl_shape2_make(&s, tl_memory_default(), TL_ELLIPSE, &skew, &why) == TALUS_INPUT);
    CHECK(strstr(why.text, "right angles"));
}

int main(int argc, char **argv)
{
    RUN(area_box_and_distance);
    RUN(as_a_disk);
    RUN(distances);
    RUN(into_each_other);
    RUN(half_planes);
    RUN(what_is_none);
    return TEST_RESULT;
}
