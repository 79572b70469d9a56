/* What polyhedra, spheres and capsules fill of a region: closed forms, quadrature by other means, and sums over parts of a region. */
#include "random3.h"

#include "scene/fill.h"

static tl_region region(double x0, double y0, double z0, double x1, double y1, double z1) { return (tl_region){{x0, y0, z0}, {x1, y1, z1}}; }

/* A polyhedron at a placement. */
static double hull_in(const tl_shape3 *s, const tl_frame *at, const tl_region *in)
{
    double corner[TL_HULL_POINTS][3];
    int32_t size[2 * TL_HULL_POINTS], around[6 * TL_HULL_POINTS];
    for (int i = 0; i < s->points; i++) tl_store3(corner[i], in_world(at, s->point[i]));
    for (int f = 0; f < s->faces; f++) size[f] = s->face_begin[f + 1] - s->face_begin[f];
    for (int i = 0; i < s->face_begin[s->faces]; i++) around[i] = s->corner[i];
    return tl_fill_polyhedron((const double(*)[3])corner, s->points, size, around, s->faces, in);
}

static tl_frame at(double x, double y, double z) { return (tl_frame){{x, y, z}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}}; }

static double ball_in(double x, double y, double z, double radius, tl_region in)
{
    const double c[3] = {x, y, z};
    return tl_fill_capsule(c, c, radius, &in);
}

TEST(cube)
{
    tl_shape3 s = make_box(0.5, 0.5, 0.5);
    const tl_frame home = at(0.5, 0.5, 0.5);
    const struct {
        tl_region in;
        double volume;
    } CASE[] = {
        {region(0, 0, 0, 1, 1, 1), 1}, /* its own sides */
        {region(-1, -1, -1, 2, 2, 2), 1},
        {region(1, 0, 0, 2, 1, 1), 0}, /* side by side */
        {region(0, 0, 1, 1, 1, 2), 0},
        {region(0.25, -1, -1, 2, 2, 2), 0.75},
        {region(-1, 0.25, -1, 2, 2, 2), 0.75},
        {region(-1, -1, 0.25, 2, 2, 2), 0.75},
        {region(-1, -1, -1, 0.25, 0.5, 0.125), 0.25 * 0.5 * 0.125},
        {region(0.25, 0.25, 0.25, 0.5, 0.75, 0.5), 0.25 * 0.5 * 0.25}, /* wholly within the cube */
        {region(0.25, 0.25, -1, 0.5, 0.75, 2), 0.25 * 0.5},
        {region(0, 0, 0, 0.5, 0.5, 0.5), 0.125},
    };
    for (size_t i = 0; i < sizeof CASE / sizeof *CASE; i++) CHECK_NEAR(hull_in(&s, &home, &CASE[i].in), CASE[i].volume, 1e-15);
    free_shape(&s);
}

/* Turned by 45° about each axis in turn, what is beyond a plane near its edge is a prism of a right-angled triangle. */
TEST(turned_cube)
{
    tl_shape3 s = make_box(0.5, 0.5, 0.5);
    const double a = 0.3, expected = (sqrt(0.5) - a) * (sqrt(0.5) - a);
    for (int axis = 0; axis < 3; axis++)
        for (int side = 0; side < 6; side++) {
            if (side / 2 == axis) continue;
            const tl_frame turned = {{0, 0, 0}, tl_mat3_rotation(tl_v3(axis == 0, axis == 1, axis == 2), TL_PI / 4)};
            tl_region in = region(-2, -2, -2, 2, 2, 2);
            if (side % 2) in.high[side / 2] = -a;
            else in.low[side / 2] = a;
            CHECK_NEAR(hull_in(&s, &turned, &in), expected, 1e-15);
        }
    free_shape(&s);
}

/* The corner x, y, z ≥ 0, x + y + z ≤ 1 in [0, a]³: what is beyond a side is a smaller one, and two of these have a smaller one in common. */
TEST(tetrahedron)
{
    const tl_vec3 p[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    tl_shape3 s = make_hull(p, 4, 0);
    const tl_frame home = at(0, 0, 0);
    for (int i = 1; i <= 20; i++) {
        const double a = i / 20.0, b = fmax(0, 1 - 2 * a), c = fmax(0, 1 - 3 * a);
        const tl_region cube = region(0, 0, 0, a, a, a), above = region(-1, -1, 1 - a, 2, 2, 2);
        CHECK_NEAR(hull_in(&s, &home, &cube), (1 - 3 * pow(1 - a, 3) + 3 * pow(b, 3) - pow(c, 3)) / 6, 1e-15);
        CHECK_NEAR(hull_in(&s, &home, &above), a * a * a / 6, 1e-15);
    }
    free_shape(&s);
}

/* Slices of a ball by the area that a disk and a rectangle of the plane have in common, by the midpoint rule: its error is about step² / 24 times
 * the total change of the slope of the area, some radii: 1e-11 r³. */
static double sliced_ball(double x, double y, double z, double r, const tl_region *in)
{
    enum { SLICES = 400000 };
    const double low = fmax(in->low[2] - z, -r), high = fmin(in->high[2] - z, r), step = (high - low) / SLICES;
    double sum = 0;
    for (int i = 0; i < SLICES; i++) {
        const double h = low + (i + 0.5) * step;
        sum += step * tl_fill_disk(sqrt(r * r - h * h), x, y, in);
    }
    return sum;
}

TEST(ball)
{
    const double r = 0.7, whole = 4.0 / 3 * TL_PI * r * r * r;
    CHECK_NEAR(ball_in(0, 0, 0, r, region(-1, -1, -1, 1, 1, 1)), whole, 1e-15);
    CHECK_NEAR(ball_in(0, 0, 0, r, region(0.7, -1, -1, 2, 1, 1)), 0, 1e-15);
    CHECK_NEAR(ball_in(0, 0, 0, r, region(0, 0, 0, 1, 1, 1)), whole / 8, 1e-12 * whole);
    CHECK_NEAR(ball_in(0, 0, 0, r, region(-0.1, -0.1, -0.1, 0.1, 0.1, 0.1)), 0.008, 1e-12 * whole); /* all of the region */
    for (int i = 1; i < 20; i++) {                                                                  /* a cap, on each side */
        const double depth = 0.1 * i * r, cap = TL_PI * depth * depth * (r - depth / 3);
        for (int side = 0; side < 6; side++) {
            tl_region in = region(-1, -1, -1, 1, 1, 1);
            if (side % 2) in.high[side / 2] = depth - r;
            else in.low[side / 2] = r - depth;
            CHECK_NEAR(ball_in(0, 0, 0, r, in), cap, 1e-12 * whole);
        }
    }
    /* cut in quarters by an edge at its centre, at any height */
    CHECK_NEAR(ball_in(1, 2, 3, r, region(1, 2, 1, 3, 4, 5)), whole / 4, 1e-12 * whole);
    /* plates: its section through the middle, thin */
    CHECK_CLOSE(ball_in(0, 0, 0, r, region(-1, -1, -1e-6, 1, 1, 1e-6)), TL_PI * r * r * 2e-6, 1e-9);
    CHECK_CLOSE(ball_in(0, 0, 0, r, region(-1e-6, -1, -1, 1e-6, 1, 1)), TL_PI * r * r * 2e-6, 1e-9);
}

TEST(ball_against_slices)
{
    const tl_region in[] = {
        region(0.3, 0.2, -2, 2, 2, 2),                                          /* an edge within the ball  */
        region(-2, 0.3, 0.2, 2, 2, 2),                                          /* another                  */
        region(0.3, 0.2, 0.1, 2, 2, 2),                                         /* a corner within          */
        region(0.6, 0.6, -2, 2, 2, 2),                                          /* an edge that just enters */
        region(0.5, 0.5, 0.5, 2, 2, 2),                                         /* a corner that just does  */
        region(-0.3, -0.2, -0.1, 2, 2, 2),                                      /* most of the ball         */
        region(-0.4, -0.3, -2, 0.2, 0.5, 2),                                    /* a pillar                 */
        region(-0.4, -0.9, -0.5, 0.2, 0.5, 0.6), region(0.6, -2, 0.5, 2, 2, 2), /* two sides, and no edge near the middle */
    };
    for (size_t i = 0; i < sizeof in / sizeof *in; i++) CHECK_NEAR(ball_in(0, 0, 0, 0.9, in[i]), sliced_ball(0, 0, 0, 0.9, &in[i]), 1e-10);
    rnd = tl_random_seed(11);
    for (int i = 0; i < 20; i++) {
        tl_region any;
        for (int k = 0; k < 3; k++) any.low[k] = uniform(-1, 0.5), any.high[k] = any.low[k] + uniform(0.1, 1.5);
        CHECK_NEAR(ball_in(0, 0, 0, 0.9, any), sliced_ball(0, 0, 0, 0.9, &any), 1e-10);
    }
}

/* The part of the vertical line over (x, y) that is in a capsule and between z0 and z1: the capsule is the union of two balls and a cylinder, and convex. */
static double capsule_column(tl_vec3 a, tl_vec3 b, double r, double x, double y, double z0, double z1)
{
    const tl_vec3 d = tl_sub(b, a);
    const double length = tl_norm(d);
    const tl_vec3 u = tl_scale(1 / length, d);
    double low = 1e300, high = -1e300;
    for (int end = 0; end < 2; end++) {
        const tl_vec3 c = end ? b : a;
        const double rest = r * r - (x - c.x) * (x - c.x) - (y - c.y) * (y - c.y);
        if (rest > 0) low = fmin(low, c.z - sqrt(rest)), high = fmax(high, c.z + sqrt(rest));
    }
    /* |p|² − (p·u)² = r² with p = (x, y, z) − a */
    const tl_vec3 p = tl_v3(x - a.x, y - a.y, 0);
    const double along = tl_dot(p, u), A = 1 - u.z * u.z, B = -along * u.z, C = tl_dot(p, p) - along * along - r * r;
    for (int k = -1; B * B > A * C && k <= 1; k += 2) {
        const double h = (-B + k * sqrt(B * B - A * C)) / A, s = along + h * u.z;
        if (s >= 0 && s <= length) low = fmin(low, a.z + h), high = fmax(high, a.z + h);
    }
    return fmax(0, fmin(high, z1) - fmax(low, z0));
}

/* 1000 × 1000 columns: the rim of the shadow, where the height is like a root, costs step^1.5 times its length, about 1e-4. */
TEST(capsule_against_columns)
{
    enum { COLUMNS = 1000 };
    rnd = tl_random_seed(12);
    for (int i = 0; i < 6; i++) {
        const tl_vec3 a = {uniform(-0.5, 0.5), uniform(-0.5, 0.5), uniform(-0.5, 0.5)}, b = tl_add(a, tl_scale(uniform(0.3, 1.5), random_direction()));
        const double r = uniform(0.1, 0.4), from[3] = {a.x, a.y, a.z}, to[3] = {b.x, b.y, b.z};
        tl_region in;
        for (int k = 0; k < 3; k++) in.low[k] = uniform(-0.6, 0), in.high[k] = in.low[k] + uniform(0.3, 1);
        const double dx = (in.high[0] - in.low[0]) / COLUMNS, dy = (in.high[1] - in.low[1]) / COLUMNS;
        double sum = 0;
        for (int j = 0; j < COLUMNS; j++)
            for (int k = 0; k < COLUMNS; k++)
                sum += dx * dy * capsule_column(a, b, r, in.low[0] + (j + 0.5) * dx, in.low[1] + (k + 0.5) * dy, in.low[2], in.high[2]);
        CHECK_NEAR(tl_fill_capsule(from, to, r, &in), sum, 1e-4);
    }
}

/* Axes along z, and a region that holds the cylinder's middle: slices of a disk. */
TEST(upright_capsule)
{
    const double a[3] = {0, 0, -1}, b[3] = {0, 0, 1}, r = 0.3;
    const tl_region in = region(0.1, -0.2, -0.5, 2, 2, 0.25);
    CHECK_NEAR(tl_fill_capsule(a, b, r, &in), 0.75 * tl_fill_disk(r, 0, 0, &in), 1e-14);
    CHECK_NEAR(tl_fill_capsule(b, a, r, &in), 0.75 * tl_fill_disk(r, 0, 0, &in), 1e-14);
}

/* The share of random points of a region that are in the shape, which tells volumes to 1/√points. */
TEST(round_cylinder_against_points)
{
    enum { POINTS = 2000000 };
    rnd = tl_random_seed(14);
    for (int i = 0; i < 4; i++) {
        const tl_vec3 a = {uniform(-0.3, 0.3), uniform(-0.3, 0.3), uniform(-0.3, 0.3)}, axis = random_direction();
        const double rounding = uniform(0.05, 0.15), length = i % 2 ? 2 * rounding : uniform(0.4, 1), radius = rounding + uniform(0.2, 0.5);
        const tl_vec3 b = tl_add(a, tl_scale(length, axis)), middle = tl_scale(0.5, tl_add(a, b));
        const double from[3] = {a.x, a.y, a.z}, to[3] = {b.x, b.y, b.z}, half = 0.5 * length - rounding;
        const tl_region in = region(-0.3, -0.2, -0.25, 0.25, 0.3, 0.2);
        int inside = 0;
        for (int k = 0; k < POINTS; k++) {
            const double x = uniform(-0.3, 0.25), y = uniform(-0.2, 0.3), z = uniform(-0.25, 0.2);
            const tl_vec3 d = tl_sub(tl_v3(x, y, z), middle);
            const double along = fmax(0, fabs(tl_dot(d, axis)) - half), aside = fmax(0, tl_norm(tl_cross(d, axis)) - (radius - rounding));
            inside += along * along + aside * aside <= rounding * rounding;
        }
        const double all = 0.55 * 0.5 * 0.45, got = tl_fill_cylinder(from, to, radius, rounding, &in), share = got / all;
        CHECK(share > 0.01);
        CHECK_NEAR(inside / (double)POINTS, share, 4.5 * sqrt(share * (1 - share) / POINTS));
        double parts = 0;
        const tl_region left = region(-0.3, -0.2, -0.25, 0.01, 0.3, 0.2), right = region(0.01, -0.2, -0.25, 0.25, 0.3, 0.2);
        parts = tl_fill_cylinder(from, to, radius, rounding, &left) + tl_fill_cylinder(from, to, radius, rounding, &right);
        CHECK_NEAR(parts, got, 1e-7 * all);
    }
}

/* The parts of a region that random planes make of it, in order. */
static double over_parts(const tl_region *all, double (*fill)(const void *, const tl_region *), const void *thing, double *parts)
{
    double cut[3][4];
    for (int k = 0; k < 3; k++) {
        const double size = all->high[k] - all->low[k];
        cut[k][0] = all->low[k], cut[k][1] = all->low[k] + size * uniform(0.1, 0.5), cut[k][2] = all->low[k] + size * uniform(0.5, 0.9);
        cut[k][3] = all->high[k];
    }
    double sum = 0;
    for (int i = 0; i < 27; i++) {
        const int n[3] = {i % 3, i / 3 % 3, i / 9};
        tl_region part;
        for (int k = 0; k < 3; k++) part.low[k] = cut[k][n[k]], part.high[k] = cut[k][n[k] + 1];
        const double v = fill(thing, &part);
        if (v < -1e-15) TEST_FAIL("a part of %g", v);
        *parts += v > 0;
        sum += v;
    }
    return sum;
}

typedef struct placed {
    const tl_shape3 *shape;
    tl_frame frame;
} placed;

static double fill_placed(const void *thing, const tl_region *in)
{
    const placed *p = thing;
    return hull_in(p->shape, &p->frame, in);
}

typedef struct rod {
    double a[3], b[3], radius;
} rod;

static double fill_rod(const void *thing, const tl_region *in)
{
    const rod *r = thing;
    return tl_fill_capsule(r->a, r->b, r->radius, in);
}

TEST(parts)
{
    double parts = 0;
    rnd = tl_random_seed(13);
    for (int i = 0; i < 500; i++) { /* a region that holds it all, and one that does not */
        tl_shape3 s = random_polyhedron(i % POLYHEDRA, 0.5);
        const placed p = {&s, {{uniform(-0.2, 0.2), uniform(-0.2, 0.2), uniform(-0.2, 0.2)}, random_rotation()}};
        const tl_region big = region(-1, -1, -1, 1, 1, 1), small = region(-0.3, -0.2, -0.25, 0.25, 0.3, 0.2);
        CHECK_NEAR(over_parts(&big, fill_placed, &p, &parts), tl_shape3_volume(&s).volume, 1e-14);
        CHECK_NEAR(over_parts(&small, fill_placed, &p, &parts), fill_placed(&p, &small), 1e-14);
        CHECK_NEAR(fill_placed(&p, &big), tl_shape3_volume(&s).volume, 1e-14);
        free_shape(&s);
    }
    for (int i = 0; i < 200; i++) {
        rod r = {.radius = uniform(0.1, 0.5)};
        const tl_vec3 d = i % 2 ? tl_scale(uniform(0, 1), random_direction()) : tl_v3(0, 0, 0);
        const double whole = TL_PI * r.radius * r.radius * (4.0 / 3 * r.radius + tl_norm(d));
        for (int k = 0; k < 3; k++) r.a[k] = uniform(-0.2, 0.2);
        r.b[0] = r.a[0] + d.x, r.b[1] = r.a[1] + d.y, r.b[2] = r.a[2] + d.z;
        const tl_region big = region(-2, -2, -2, 2, 2, 2), small = region(-0.3, -0.2, -0.25, 0.25, 0.3, 0.2);
        CHECK_NEAR(over_parts(&big, fill_rod, &r, &parts), whole, 1e-12 * whole);
        CHECK_NEAR(over_parts(&small, fill_rod, &r, &parts), fill_rod(&r, &small), 1e-12 * whole);
    }
    CHECK(parts > 15000); /* else regions and shapes do not meet */
}

int main(int argc, char **argv)
{
    RUN(cube);
    RUN(turned_cube);
    RUN(tetrahedron);
    RUN(ball);
    RUN(ball_against_slices);
    RUN(capsule_against_columns);
    RUN(upright_capsule);
    RUN(round_cylinder_against_points);
    RUN(parts);
    return TEST_RESULT;
}
