/* Meshes act like the surfaces that they are: what rolls, slides or lies on triangles of one plane does what it does on a half-space, and in valleys and
 * over ridges statics and analytic planes say what happens. */
#include "base/base.h"
#include "spatial.h"

enum { CELLS = 12, POINTS = (CELLS + 1) * (CELLS + 1) };

static tl_random rnd;

static double shift(void) { return tl_random_uniform(&rnd, -0.3, 0.3); }

/* z = height(x) over a square of side `size`, in irregular triangles whose corners keep to the folds at x = 0. */
static talus_body_id surface(talus_world *w, talus_material_id m, double size, double (*height)(double x), const talus_body_def *at)
{
    static double corner[POINTS][3];
    static int32_t triangle[2 * CELLS * CELLS][3];
    int count = 0;
    for (int i = 0; i <= CELLS; i++)
        for (int j = 0; j <= CELLS; j++) {
            double *c = corner[i * (CELLS + 1) + j];
            const bool inner = i > 0 && i < CELLS && j > 0 && j < CELLS;
            c[0] = size * ((i + (inner && i != CELLS / 2 ? shift() : 0)) / CELLS - 0.5);
            c[1] = size * ((j + (inner ? shift() : 0)) / CELLS - 0.5);
            c[2] = height(c[0]);
        }
    for (int i = 0; i < CELLS; i++)
        for (int j = 0; j < CELLS; j++) {
            const int32_t a = i * (CELLS + 1) + j, b = a + CELLS + 1, c = b + 1, d = a + 1;
            const int32_t two[2][2][3] = {{{a, b, c}, {a, c, d}}, {{a, b, d}, {b, c, d}}};
            memcpy(triangle[count], two[tl_random_int(&rnd, 2)], sizeof two[0]);
            count += 2;
        }
    const talus_body_id id = add_body(w, at);
    talus_shape_def d = talus_shape_def_default();
    d.kind = TALUS_SHAPE_MESH;
    d.material = m;
    d.corners = (const double(*)[3])corner, d.count = POINTS;
    d.triangles = (const int32_t(*)[3])triangle, d.triangle_count = count;
    CHECK_OK(talus_body_add_shape(w, id, &d), talus_world_error(w));
    return id;
}

static talus_body_def fixed(void)
{
    talus_body_def d = talus_body_def_default();
    d.kind = TALUS_BODY_FIXED;
    return d;
}

static double flat(double x) { return 0 * x; }
static double valley(double x) { return fabs(x); }
static double roof(double x) { return -0.5 * fabs(x); }

static void start(talus_world *w, talus_body_id *body, talus_material_id m, bool round, double azimuth, double speed)
{
    const double centre[1][3] = {{0, 0, 0}}, away = -0.5;
    talus_body_def b = talus_body_def_default();
    b.velocity[0] = speed * cos(azimuth), b.velocity[1] = speed * sin(azimuth);
    b.position[0] = away * cos(azimuth), b.position[1] = away * sin(azimuth), b.position[2] = 0.05;
    if (!round) turn(b.quaternion, azimuth + 0.3, 0, 0, 1);
    *body = add_body(w, &b);
    if (round) add_corners(w, *body, m, TALUS_SHAPE_SPHERE, centre, 1, 0.05);
    else add_box(w, *body, m, 0.3, 0.2, 0.1);
}

/* A ball that begins to slide and rolls on, and a box that slides to rest, across edges in seven directions: side by side with a half-space. */
static void side_by_side(bool round, double tolerance)
{
    for (int k = 0; k < 7; k++) {
        talus_world *w[2];
        talus_body_id body[2];
        for (int on_mesh = 0; on_mesh < 2; on_mesh++) {
            talus_world_def d = lab(1e-3);
            d.solver.tolerance = 1e-12;
            w[on_mesh] = open_world(&d);
            const talus_material_id m = material(w[on_mesh], 1000);
            const talus_body_def at = fixed();
            law(w[on_mesh], 0.3, 0);
            rnd = tl_random_seed(5 + (unsigned)k);
            if (on_mesh) surface(w[1], m, 3, flat, &at);
            else ground(w[0], m, 0, 0, 1);
            start(w[on_mesh], &body[on_mesh], m, round, 0.9 * k, 1.5);
        }
        for (int step = 0; step < 300; step++) {
            double x[2][3], v[2][3], omega[2][3];
            for (int i = 0; i < 2; i++) {
                run(w[i], 1);
                place(w[i], body[i], x[i]);
                motion(w[i], body[i], v[i], omega[i]);
            }
            for (int i = 0; i < 3; i++) {
                CHECK_NEAR(x[1][i], x[0][i], tolerance);
                CHECK_NEAR(v[1][i], v[0][i], tolerance);
                CHECK_NEAR(omega[1][i], omega[0][i], tolerance / 0.05);
            }
            CHECK_NEAR(v[1][2], 0, tolerance);
        }
        talus_world_destroy(w[0]);
        talus_world_destroy(w[1]);
    }
}

/* The solver's tolerance of 1e-12 m/s, over 300 steps and up to four contacts; the box's are indeterminate. */
TEST(ball_as_on_a_half_space) { side_by_side(true, 1e-9); }
TEST(box_as_on_a_half_space) { side_by_side(false, 1e-9); }

/* A stone of twenty corners comes to rest: the floor carries its weight, and it does not sink. */
TEST(stone_rests)
{
    rnd = tl_random_seed(9);
    double corner[20][3];
    talus_world_def d = lab(1e-3);
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, 2500);
    const talus_body_def at = fixed();
    law(w, 0.6, 0);
    const talus_body_id floor = surface(w, m, 2, flat, &at);
    for (int i = 0; i < 20; i++) {
        double length = 0;
        while (length < 0.1) {
            for (int k = 0; k < 3; k++) corner[i][k] = tl_random_uniform(&rnd, -1, 1);
            length = size3(corner[i]);
        }
        for (int k = 0; k < 3; k++) corner[i][k] *= 0.1 / length;
    }
    talus_body_def b = talus_body_def_default();
    b.position[2] = 0.15;
    const talus_body_id stone = add_body(w, &b);
    add_corners(w, stone, m, TALUS_SHAPE_POLYHEDRON, (const double(*)[3])corner, 20, 0);
    run(w, 2500);
    double f[3], v[3], omega[3];
    const double weight = talus_body_mass(w, stone) * G;
    contact_force(w, floor, f);
    motion(w, stone, v, omega);
    CHECK_NEAR(f[2], -weight, 1e-5 * weight);
    CHECK_NEAR(f[0], 0, 1e-5 * weight);
    CHECK_NEAR(size3(v), 0, 1e-6);
    talus_world_destroy(w);
}

/* A ball in a V of 90° slides along it: two contacts, each weight/√2, and nothing slows it. */
TEST(ball_in_a_valley)
{
    rnd = tl_random_seed(10);
    talus_world_def d = lab(1e-3);
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, 1000);
    const talus_body_def at = fixed();
    law(w, 0, 0);
    const talus_body_id floor = surface(w, m, 3, valley, &at);
    talus_body_def b = talus_body_def_default();
    const double centre[1][3] = {{0, 0, 0}};
    b.position[1] = -0.5, b.position[2] = 0.1 * sqrt(2), b.velocity[1] = 1.5;
    const talus_body_id ball = add_body(w, &b);
    add_corners(w, ball, m, TALUS_SHAPE_SPHERE, centre, 1, 0.1);
    for (int step = 0; step < 500; step++) {
        double v[3], omega[3], f[3];
        run(w, 1);
        motion(w, ball, v, omega);
        contact_force(w, floor, f);
        const double weight = talus_body_mass(w, ball) * G;
        CHECK_NEAR(v[1], 1.5, 1e-9);
        CHECK_NEAR(v[0], 0, 1e-9);
        CHECK_NEAR(v[2], 0, 1e-9);
        CHECK_NEAR(f[2], -weight, 1e-6 * weight);
        int acting = 0;
        for (int i = 0; i < talus_contact_count(w); i++) {
            talus_contact c;
            talus_contact_get(w, i, &c);
            if (!(c.impulse[0] > 1e-12)) continue;
            acting++;
            CHECK_NEAR(c.impulse[0] / d.step, weight / sqrt(2), 1e-6 * weight);
        }
        CHECK(acting == 2);
    }
    talus_world_destroy(w);
}

/* On the ridge of a roof a ball that slides along it keeps its height; beside it, it leaves along the slope: a = g sin α. */
TEST(ball_on_a_ridge)
{
    for (int k = 0; k < 2; k++) {
        rnd = tl_random_seed(11);
        talus_world_def d = lab(1e-4);
        talus_world *w = open_world(&d);
        const talus_material_id m = material(w, 1000);
        const talus_body_def at = fixed();
        law(w, 0, 0);
        surface(w, m, 3, roof, &at);
        const double r = 0.1, alpha = atan(0.5), centre[1][3] = {{0, 0, 0}};
        talus_body_def b = talus_body_def_default();
        b.position[0] = k ? 0.1 : 0, b.position[1] = -0.5, b.position[2] = k ? roof(0.1) + r / cos(alpha) : r, b.velocity[1] = 1.5;
        const talus_body_id ball = add_body(w, &b);
        add_corners(w, ball, m, TALUS_SHAPE_SPHERE, centre, 1, r);
        run(w, 5000);
        double x[3];
        place(w, ball, x);
        const double way = k ? 0.5 * G * sin(alpha) * 0.25 : 0;
        CHECK_NEAR(x[0], b.position[0] + way * cos(alpha), 1e-6); /* on the ridge balance is lost at the rate √(g/r): e⁵ of rounding */
        CHECK_NEAR(x[1], 0.25, 1e-8);
        CHECK_NEAR(x[2], b.position[2] - way * sin(alpha), 1e-6);
        talus_world_destroy(w);
    }
}

/* A round cylinder, or a frustum, falls across the ridge without friction, tips, and slides off: all that presses on it goes through its axis, about which it
 * does not begin to turn, and its energy does not rise. */
TEST(round_sides_over_a_ridge)
{
    for (int kind = 0; kind < 12; kind++) {
        rnd = tl_random_seed(13 + (uint64_t)kind);
        talus_world_def d = lab(1e-3);
        talus_world *w = open_world(&d);
        const talus_material_id m = material(w, 1000);
        const talus_body_def at = fixed();
        const bool frustum = kind % 2;
        const double azimuth = 0.25 * (kind / 2), other = frustum ? 0.06 : 0.1; /* of the axis from across the fold */
        const double end[4][3] = {{-0.2, 0, 0}, {0.2, 0, 0}, {-0.2, 0.1, 0}, {0.2, other, 0}};
        law(w, 0, 0);
        surface(w, m, 3, roof, &at);
        talus_body_def b = talus_body_def_default();
        b.position[0] = 0.03 * cos(azimuth), b.position[1] = 0.03 * sin(azimuth), b.position[2] = 0.105, b.velocity[2] = -0.5;
        turn(b.quaternion, azimuth, 0, 0, 1);
        const talus_body_id body = add_body(w, &b);
        talus_shape_def s = talus_shape_def_default();
        s.material = m, s.corners = end;
        if (frustum) s.kind = TALUS_SHAPE_FRUSTUM, s.count = 4;
        else s.kind = TALUS_SHAPE_CYLINDER, s.count = 2, s.radius = 0.1;
        CHECK_OK(talus_body_add_shape(w, body, &s), talus_world_error(w));
        double before = (double)INFINITY, most = 0;
        for (int i = 0; i < 60; i++) {
            double kinetic, potential, v[3], omega[3], p[3], q[4];
            run(w, 1);
            talus_world_energy(w, &kinetic, &potential);
            motion(w, body, v, omega);
            talus_body_pose(w, body, p, q);
            const double axis[3] = {1 - 2 * (q[2] * q[2] + q[3] * q[3]), 2 * (q[1] * q[2] + q[0] * q[3]), 2 * (q[1] * q[3] - q[0] * q[2])};
            most = fmax(most, fabs(omega[0] * axis[0] + omega[1] * axis[1] + omega[2] * axis[2]));
            if (kinetic + potential > before + 1e-6) TEST_FAIL("kind %d: energy rises from %.9g to %.9g J", kind, before, kinetic + potential);
            before = kinetic + potential;
        }
        CHECK(before < 1e30 && talus_contact_count(w) > 0);
        if (!(most < 1e-6)) TEST_FAIL("kind %d turns with %g rad/s about its axis", kind, most);
        talus_world_destroy(w);
    }
}

/* A cylinder, sharp or rounded, that lies along a ridge, on triangles that are all longer than it, or shorter: it stays there, level. */
TEST(along_a_ridge)
{
    for (int kind = 0; kind < 2; kind++)
        for (int k = 0; k < 6; k++) {
            static const double SLOPE[] = {1e-6, 0.01, 0.3};
            const double rise = SLOPE[k % 3], half = k < 3 ? 1 : 0.15, ends[2][3] = {{0, -0.2, 0}, {0, 0.2, 0}};
            talus_world_def d = lab(1e-3);
            talus_world *w = open_world(&d);
            const talus_material_id m = material(w, 1000);
            const talus_body_def at = fixed();
            law(w, 0, 0);
            double corner[9][3];
            int32_t triangle[8][3];
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    corner[3 * i + j][0] = i - 1, corner[3 * i + j][1] = j == 0 ? -1 : j == 2 ? 1 : 1 - half, corner[3 * i + j][2] = -rise * abs(i - 1);
            for (int i = 0, n = 0; i < 2; i++)
                for (int j = 0; j < 2; j++) {
                    const int32_t a = 3 * i + j;
                    memcpy(triangle[n++], (int32_t[3]){a, a + 3, a + 4}, sizeof *triangle),
                        memcpy(triangle[n++], (int32_t[3]){a, a + 4, a + 1}, sizeof *triangle);
                }
            const talus_body_id roof = add_body(w, &at);
            talus_shape_def s = talus_shape_def_default();
            s.kind = TALUS_SHAPE_MESH, s.material = m, s.corners = (const double(*)[3])corner, s.count = 9;
            s.triangles = (const int32_t(*)[3])triangle, s.triangle_count = 8;
            CHECK_OK(talus_body_add_shape(w, roof, &s), talus_world_error(w));
            talus_body_def b = talus_body_def_default();
            b.position[2] = 0.101;
            const talus_body_id body = add_body(w, &b);
            s = talus_shape_def_default();
            s.kind = TALUS_SHAPE_CYLINDER, s.material = m, s.corners = ends, s.count = 2, s.radius = 0.1, s.rounding = kind ? 0.03 : 0;
            CHECK_OK(talus_body_add_shape(w, body, &s), talus_world_error(w));
            double x[3], v[3], omega[3], most = 0;
            for (int i = 0; i < 200; i++) {
                run(w, 1);
                motion(w, body, v, omega);
                most = fmax(most, size3(omega));
            }
            place(w, body, x);
            if (!(most < 1e-5) || !(fabs(x[2] - 0.1) < 1e-6)) TEST_FAIL("kind %d, case %d: turns with %g rad/s, is at %.9g m", kind, k, most, x[2]);
            talus_world_destroy(w);
        }
}

/* A long box across the ridge rests on it while its middle is over it; and a table's edge carries a box that overhangs it by less than half. */
TEST(boxes_on_edges)
{
    for (int k = 0; k < 2; k++) {
        rnd = tl_random_seed(12);
        talus_world_def d = lab(1e-3);
        talus_world *w = open_world(&d);
        const talus_material_id m = material(w, 1000);
        const talus_body_def at = fixed();
        law(w, 0.8, 0);
        const talus_body_id table = surface(w, m, 1, flat, &at);
        const talus_body_id plank = box(w, m, k ? 0.55 : 0.4, 0.03, 0.05, 0.4, 0.2, 0.1);
        run(w, 600);
        double f[3], x[3], v[3], omega[3];
        contact_force(w, table, f);
        place(w, plank, x);
        motion(w, plank, v, omega);
        const double weight = talus_body_mass(w, plank) * G;
        if (k == 0) {
            CHECK_NEAR(f[2], -weight, 1e-5 * weight);
            CHECK_NEAR(x[2], 0.05, 1e-7);
            CHECK_NEAR(size3(omega), 0, 1e-7);
        } else if (!(x[2] < 0)) TEST_FAIL("a plank with its middle off the table is still at %g", x[2]);
        talus_world_destroy(w);
    }
}

TEST(refused)
{
    talus_world_def d = lab(1e-3);
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, 1000);
    double corner[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    int32_t triangle[1][3] = {{0, 1, 2}};
    talus_shape_def s = talus_shape_def_default();
    s.kind = TALUS_SHAPE_MESH, s.material = m, s.corners = (const double(*)[3])corner, s.count = 3;
    s.triangles = (const int32_t(*)[3])triangle, s.triangle_count = 1;
    talus_body_def b = talus_body_def_default();
    const talus_body_id loose = add_body(w, &b);
    b.kind = TALUS_BODY_IMPOSED;
    const talus_body_id held = add_body(w, &b);
    CHECK(talus_body_add_shape(w, loose, &s) == TALUS_INPUT && strstr(talus_world_error(w), "fixed or imposed"));
    triangle[0][2] = 3;
    CHECK(talus_body_add_shape(w, held, &s) == TALUS_INPUT && strstr(talus_world_error(w), "triangle 1 of a mesh has the corner 4"));
    triangle[0][2] = 1;
    CHECK(talus_body_add_shape(w, held, &s) == TALUS_INPUT && strstr(talus_world_error(w), "area"));
    triangle[0][2] = 2;
    corner[1][0] = (double)NAN;
    CHECK(talus_body_add_shape(w, held, &s) == TALUS_INPUT && strstr(talus_world_error(w), "point 2"));
    corner[1][0] = 1;
    CHECK_OK(talus_body_add_shape(w, held, &s), talus_world_error(w));
    double back[3][3];
    int32_t size, three[3];
    int corners;
    CHECK(talus_body_corners(w, held, 0, back, 3) == 3 && memcmp(back, corner, sizeof back) == 0);
    CHECK(talus_body_faces(w, held, 0, &size, three, &corners) == 1 && size == 3 && corners == 3 && three[2] == 2);
    talus_world_destroy(w);
}

int main(int argc, char **argv)
{
    RUN(ball_as_on_a_half_space);
    RUN(box_as_on_a_half_space);
    RUN(stone_rests);
    RUN(ball_in_a_valley);
    RUN(ball_on_a_ridge);
    RUN(round_sides_over_a_ridge);
    RUN(along_a_ridge);
    RUN(boxes_on_edges);
    RUN(refused);
    return TEST_RESULT;
}
