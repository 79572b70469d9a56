/* The part of a line that lies in a region, against counting points on it; regions of every kind, turned at random, in the plane and in space. */
#include "random3.h"
#include "scene/zone.h"
#include "test.h"

enum { LINES = 200, POINTS = 20000 };

static tl_zone draw(tl_zone_kind kind, int dimension)
{
    tl_zone z = {.kind = kind, .dimension = dimension};
    tl_vec3 axis = {0, 0, 1};
    if (dimension == 3) axis.x = uniform(-1, 1), axis.y = uniform(-1, 1);
    z.at.R = tl_mat3_rotation(tl_normalize(axis), uniform(-3, 3));
    z.at.p.x = uniform(-1, 1), z.at.p.y = uniform(-1, 1);
    if (dimension == 3) z.at.p.z = uniform(-1, 1);
    z.radius = uniform(0.2, 1);
    for (int k = 0; k < dimension; k++) z.box.low[k] = uniform(-1, 0), z.box.high[k] = uniform(0.1, 1);
    return z;
}

static tl_vec3 point(int dimension)
{
    tl_vec3 x = {0, 0, 0};
    x.x = uniform(-2, 2), x.y = uniform(-2, 2);
    if (dimension == 3) x.z = uniform(-2, 2);
    return x;
}

static void compare(tl_zone_kind kind, int dimension)
{
    int hits = 0;
    for (int i = 0; i < LINES; i++) {
        const tl_zone z = draw(kind, dimension);
        const tl_vec3 a = point(dimension), b = point(dimension);
        int inside = 0;
        for (int k = 0; k < POINTS; k++) inside += tl_zone_holds(&z, tl_add(a, tl_scale((k + 0.5) / POINTS, tl_sub(b, a))));
        CHECK_NEAR(tl_zone_share(&z, a, b), (double)inside / POINTS, 1.01 / POINTS); /* a convex region has two ends on a line, half a point each */
        hits += inside > 0;
    }
    CHECK(hits > LINES / 10 && hits < LINES);
}

TEST(shares_of_lines)
{
    rnd = tl_random_seed(7);
    compare(TL_ZONE_BOX, 2), compare(TL_ZONE_BALL, 2);
    compare(TL_ZONE_BOX, 3), compare(TL_ZONE_BALL, 3), compare(TL_ZONE_CYLINDER, 3);
}

/* Sizes by throwing points: 2 million points in a cube of 64 m³ are right to 1 %: three standard deviations of the smallest. */
TEST(sizes)
{
    enum { THROWS = 2000000 };
    const tl_zone zones[] = {
        {TL_ZONE_BOX, 3, {{0.1, 0, 0}, tl_mat3_rotation(tl_v3(0, 0, 1), 0.5)}, {{-1, -0.5, -0.7}, {1, 0.5, 0.7}}, 0, {false}},
        {TL_ZONE_BALL, 3, {{0, 0.2, 0}, tl_mat3_identity()}, {{0}, {0}}, 1.2, {false}},
        {TL_ZONE_CYLINDER, 3, {{0, 0, 0.1}, tl_mat3_rotation(tl_v3(1, 0, 0), 1)}, {{0, 0, -1}, {0, 0, 1}}, 0.8, {false}},
    };
    for (int i = 0; i < 3; i++) {
        rnd = tl_random_seed(3);
        int inside = 0;
        for (int k = 0; k < THROWS; k++) inside += tl_zone_holds(&zones[i], point(3));
        CHECK_CLOSE(64.0 * inside / THROWS, tl_zone_size(&zones[i]), 0.01);
    }
}

int main(int argc, char **argv)
{
    RUN(shares_of_lines);
    RUN(sizes);
    return TEST_RESULT;
}
