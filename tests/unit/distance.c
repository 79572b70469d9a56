/* Distances from points to shapes against that of a cuboid, which is known in closed form: as a hull, as a surface of triangles, as a planar polygon. */
#include <math.h>

#include "talus/talus.h"
#include "test.h"

static const double HALF[3] = {0.3, 0.5, 0.2};

/* Of a cuboid along the axes about the origin: the length of what lies beyond it outside, the nearest side inside. */
static double cuboid(const double x[3], int dimension)
{
    double beyond = 0, deepest = -(double)INFINITY;
    for (int c = 0; c < dimension; c++) {
        const double d = fabs(x[c]) - HALF[c];
        beyond += d > 0 ? d * d : 0;
        deepest = fmax(deepest, d);
    }
    return deepest > 0 ? sqrt(beyond) : deepest;
}

static unsigned long long state = 88172645463325252ULL;
static double uniform(void)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (double)(state >> 11) / 9007199254740992.0;
}

static const int32_t TRIANGLES[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                         {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

static talus_world *world_of(int dimension, talus_body_kind kind, talus_shape_def *shape, const double position[3], const double q[4], double angle)
{
    talus_world_def d = talus_world_def_default();
    talus_material_def m = talus_material_def_default();
    talus_body_def body = talus_body_def_default();
    talus_material_id material;
    talus_body_id id;
    talus_world *w = NULL;
    d.dimension = dimension;
    CHECK_OK(talus_world_create(&d, &w, NULL, 0), "");
    m.density = 1;
    CHECK_OK(talus_material_create(w, &m, &material), talus_world_error(w));
    body.kind = kind;
    memcpy(body.position, position, sizeof body.position);
    memcpy(body.quaternion, q, sizeof body.quaternion);
    body.angle = angle;
    CHECK_OK(talus_body_create(w, &body, &id), talus_world_error(w));
    shape->material = material;
    CHECK_OK(talus_body_add_shape(w, id, shape), talus_world_error(w));
    return w;
}

/* Points given in the body's axes, x = R y + p in the world's; also after assembly, which moves the frame of a free body. */
static void compare(talus_world *w, const double p[3], const double R[3][3], int dimension, double rounding)
{
    for (int assembled = 0; assembled < 2; assembled++) {
        for (int i = 0; i < 2000; i++) {
            double y[3] = {0}, x[3] = {p[0], p[1], p[2]};
            for (int c = 0; c < dimension; c++) y[c] = 2.4 * uniform() - 1.2;
            if (i % 3 == 0) y[i % dimension] *= 1e-3; /* also over the middles of sides, where several triangles are near */
            for (int c = 0; c < 3; c++)
                for (int k = 0; k < 3; k++) x[c] += R[c][k] * y[k];
            const double expected = cuboid(y, dimension) - rounding;
            CHECK_NEAR(talus_body_distance(w, talus_body_at(w, 0), x, 10), expected, 1e-12);
            CHECK_NEAR(talus_body_distance(w, talus_body_at(w, 0), x, 0.1), fmin(expected, 0.1), 1e-12);
        }
        CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    }
    talus_world_destroy(w);
}

static void in_space(talus_shape_kind shape_kind, talus_body_kind kind)
{
    double corner[8][3];
    for (int i = 0; i < 8; i++)
        for (int c = 0; c < 3; c++) corner[i][c] = i >> c & 1 ? HALF[c] : -HALF[c];
    talus_shape_def d = talus_shape_def_default();
    d.kind = shape_kind;
    d.corners = (const double(*)[3])corner;
    d.count = 8;
    d.triangles = TRIANGLES;
    d.triangle_count = 12;
    const double p[3] = {1, -2, 3}, a = 0.7, q[4] = {cos(a / 2), 0, sin(a / 2), 0};
    const double R[3][3] = {{cos(a), 0, sin(a)}, {0, 1, 0}, {-sin(a), 0, cos(a)}};
    compare(world_of(3, kind, &d, p, q, 0), p, R, 3, 0);
}

TEST(hull) { in_space(TALUS_SHAPE_POLYHEDRON, TALUS_BODY_FREE); }
TEST(mesh) { in_space(TALUS_SHAPE_MESH, TALUS_BODY_FIXED); }

TEST(polygon)
{
    for (int round = 0; round < 2; round++) {
        talus_shape_def d = talus_shape_def_default();
        d.kind = TALUS_SHAPE_POLYGON;
        d.count = 4;
        d.radius = 0.05 * round;
        for (int i = 0; i < 4; i++) d.points[i][0] = i == 1 || i == 2 ? HALF[0] : -HALF[0], d.points[i][1] = i >= 2 ? HALF[1] : -HALF[1];
        const double p[3] = {1, -2, 0}, q[4] = {1, 0, 0, 0}, a = 0.4, R[3][3] = {{cos(a), -sin(a), 0}, {sin(a), cos(a), 0}, {0, 0, 1}};
        compare(world_of(2, TALUS_BODY_FREE, &d, p, q, a), p, R, 2, d.radius);
    }
}

/* The others: half-space, capsule, and a body without shapes. */
TEST(simple_shapes)
{
    const double q[4] = {1, 0, 0, 0}, p[3] = {0}, ends[2][3] = {{0, 0, 0}, {0, 0, 2}}, plane[2][3] = {{0, 0, 1}, {0, 3, 4}};
    talus_shape_def d = talus_shape_def_default();
    d.kind = TALUS_SHAPE_CAPSULE, d.corners = ends, d.count = 2, d.radius = 0.5;
    talus_world *w = world_of(3, TALUS_BODY_FIXED, &d, p, q, 0);
    CHECK_NEAR(talus_body_distance(w, talus_body_at(w, 0), (double[3]){3, 4, 1}, 10), 4.5, 1e-14);
    CHECK_NEAR(talus_body_distance(w, talus_body_at(w, 0), (double[3]){0, 0, 3}, 10), 0.5, 1e-14);
    CHECK_NEAR(talus_body_distance(w, talus_body_at(w, 0), (double[3]){0.1, 0, 1}, 10), -0.4, 1e-14);
    talus_world_destroy(w);
    d.kind = TALUS_SHAPE_HALF_SPACE, d.corners = plane, d.radius = 0;
    w = world_of(3, TALUS_BODY_FIXED, &d, p, q, 0);
    CHECK_NEAR(talus_body_distance(w, talus_body_at(w, 0), (double[3]){0, 1, 2}, 10), 1.4, 1e-14);
    CHECK_NEAR(talus_body_distance(w, talus_body_at(w, 0), (double[3]){7, 0, 0}, 10), -0.8, 1e-14);
    CHECK_NEAR(talus_body_distance(w, (talus_body_id){0}, (double[3]){7, 0, 0}, 10), 10, 0);
    talus_world_destroy(w);
}

int main(int argc, char **argv)
{
    RUN(hull);
    RUN(mesh);
    RUN(polygon);
    RUN(simple_shapes);
    return TEST_RESULT;
}
