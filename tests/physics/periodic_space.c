/* Periodic directions in space, the sibling of periodic_plane.c: spheres, capsules and polyhedra, links of mechanisms, meshes. */
#include "base/base.h"
#include "physics/spatial.h"

enum { COLUMN = 18, MOST = 40 };

static const double LENGTH = 1;
static tl_random rnd;

static double uniform(double low, double high) { return tl_random_uniform(&rnd, low, high); }

static talus_world_def cell(bool x, bool y, bool z)
{
    talus_world_def d = lab(1e-3);
    const bool is[3] = {x, y, z};
    for (int i = 0; i < 3; i++)
        if (is[i]) d.periodic[i][0] = 0.1 * i, d.periodic[i][1] = 0.1 * i + LENGTH;
    return d;
}

typedef struct column {
    talus_world *w;
    talus_body_id body[COLUMN];
    double shift[COLUMN][3]; /* by whole cells, each its own */
} column;

static talus_body_id add_stone(talus_world *w, talus_material_id m, int kind, const talus_body_def *b)
{
    static const double ends[2][3] = {{-0.03, 0, 0}, {0.03, 0, 0}};
    const talus_body_id id = add_body(w, b);
    if (kind == 0) add_corners(w, id, m, TALUS_SHAPE_SPHERE, ends, 1, 0.05);
    if (kind == 1) add_corners(w, id, m, TALUS_SHAPE_CAPSULE, ends, 2, 0.03);
    if (kind == 2) add_box(w, id, m, 0.09, 0.07, 0.08);
    return id;
}

/* Stones of all kinds, 2 × 3 and three layers, which fall onto a floor; under a link that comes down on them. */
static column build(const talus_world_def *def, const double at[3], bool scatter)
{
    column c = {.w = open_world(def)};
    const talus_material_id m = material(c.w, 2000);
    tl_random own = tl_random_seed(5);
    talus_body_def floor = talus_body_def_default();
    const double plane[2][3] = {{0, 0, at[2]}, {0, 0, 1}};
    law(c.w, 0.4, 0);
    floor.kind = TALUS_BODY_FIXED;
    add_corners(c.w, add_body(c.w, &floor), m, TALUS_SHAPE_HALF_SPACE, plane, 2, 0);
    for (int i = 0; i < COLUMN; i++) {
        talus_body_def b = talus_body_def_default();
        const double x[3] = {0.12 * (i % 3) + tl_random_uniform(&own, 0, 0.01), 0.12 * (i / 3 % 2) + tl_random_uniform(&own, 0, 0.01), 0.07 + 0.12 * (i / 6)};
        for (int k = 0; k < 3; k++) {
            c.shift[i][k] = scatter && def->periodic[k][1] > 0 ? LENGTH * (tl_random_int(&rnd, 7) - 3) : 0;
            b.position[k] = x[k] + at[k] + c.shift[i][k];
            b.spin[k] = tl_random_uniform(&own, -1, 1);
        }
        turn(b.quaternion, tl_random_uniform(&own, 0, 3), 1, 0.3, 0.2 * i);
        b.velocity[0] = 0.3, b.velocity[2] = -0.5;
        c.body[i] = add_stone(c.w, m, i % 3, &b);
    }
    return c;
}

static bool is_same(talus_body_id a, talus_body_id b) { return a.index1 == b.index1; }

static void compare(const column *is, const column *of, const double shift[3])
{
    for (int i = 0; i < COLUMN; i++) {
        double x[3], y[3], v[3], u[3], spin[3], other[3];
        place(is->w, is->body[i], x), place(of->w, of->body[i], y);
        motion(is->w, is->body[i], v, spin), motion(of->w, of->body[i], u, other);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(x[k] - shift[k] - is->shift[i][k], y[k], 1e-9);
            CHECK_NEAR(v[k], u[k], 1e-6);
            CHECK_NEAR(spin[k], other[k], 1e-4);
        }
    }
    CHECK(talus_contact_count(is->w) == talus_contact_count(of->w));
    for (int i = 0; i < talus_contact_count(is->w) && i < talus_contact_count(of->w); i++) {
        talus_contact a, b;
        talus_contact_get(is->w, i, &a), talus_contact_get(of->w, i, &b);
        CHECK(is_same(a.antagonist, b.antagonist) && is_same(a.candidate, b.candidate));
        CHECK_NEAR(a.gap, b.gap, 1e-9);
    }
}

TEST(column_across_the_seam)
{
    const talus_world_def plain = cell(false, false, false), periodic = cell(true, true, false);
    enum { STEPS = 85 }; /* a little later the rounding of a shift has grown beyond 1e-9, without any cell, too */
    rnd = tl_random_seed(1);
    column reference = build(&plain, (double[3]){0, 0, 0}, false);
    run(reference.w, STEPS);
    CHECK(talus_contact_count(reference.w) >= COLUMN);
    for (int k = 0; k < 8; k++) {
        const double shift[3] = {k == 0 ? -0.15 : uniform(-3, 3), k == 0 ? 0 : uniform(-3, 3), uniform(-2, 2)};
        column c = build(&periodic, shift, k > 3);
        run(c.w, STEPS);
        compare(&c, &reference, shift);
        talus_world_destroy(c.w);
    }
    talus_world_destroy(reference.w);
}

/* Three directions, no gravity: momentum is what it was, to rounding; energy does not grow. */
TEST(momentum)
{
    rnd = tl_random_seed(2);
    talus_world_def d = cell(true, true, true);
    d.gravity[2] = 0, d.step = 2e-3;
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, 1000);
    talus_body_id body[64];
    double before[3] = {0, 0, 0}, size = 0, energy, potential;
    int struck = 0;
    law(w, 0.5, 0.6);
    for (int i = 0; i < 64; i++) {
        talus_body_def b = talus_body_def_default();
        for (int k = 0; k < 3; k++) b.position[k] = 0.25 * (i >> 2 * k & 3) + 2, b.velocity[k] = uniform(-1, 1), b.spin[k] = uniform(-5, 5);
        body[i] = add_body(w, &b);
        if (i % 2) add_corners(w, body[i], m, TALUS_SHAPE_SPHERE, (const double[1][3]){{0, 0, 0}}, 1, uniform(0.06, 0.11));
        else add_box(w, body[i], m, uniform(0.08, 0.13), uniform(0.08, 0.13), uniform(0.08, 0.13));
    }
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    talus_world_energy(w, &energy, &potential);
    for (int k = 0; k < 300; k++) {
        double now[3] = {0, 0, 0}, v[3], spin[3], kinetic;
        talus_step_report r;
        CHECK_OK(talus_world_step(w, &r), talus_world_error(w));
        struck += r.touching;
        for (int i = 0; i < 64; i++) {
            motion(w, body[i], v, spin);
            for (int axis = 0; axis < 3; axis++) {
                now[axis] += talus_body_mass(w, body[i]) * v[axis];
                if (k == 0) size += talus_body_mass(w, body[i]) * fabs(v[axis]);
            }
        }
        for (int axis = 0; axis < 3; axis++) {
            if (k == 0) before[axis] = now[axis];
            CHECK_NEAR(now[axis], before[axis], 1e-13 * size);
        }
        talus_world_energy(w, &kinetic, &potential);
        CHECK(kinetic <= energy * (1 + 1e-9));
        energy = kinetic;
    }
    CHECK(struck > 100);
    talus_world_destroy(w);
}

/* What is near is what geometry says, in every image, by trying all. */
TEST(all_images_are_found)
{
    rnd = tl_random_seed(3);
    int images = 0, twice = 0;
    for (int k = 0; k < 60; k++) {
        talus_world_def d = cell(true, k % 2, k % 4 > 1);
        d.gravity[2] = 0, d.step = 1e-9, d.alert_distance = k % 5 ? 1e-3 : 0.2;
        talus_world *w = open_world(&d);
        const talus_material_id m = material(w, 1000);
        const int n = 2 + tl_random_int(&rnd, 20), far = k % 3 ? 3 : 1;
        const double largest = k % 5 == 0 ? 0.25 : uniform(0.05, 0.25);
        talus_body_id body[MOST];
        double radius[MOST], x[MOST][3];
        law(w, 0, 0);
        for (int i = 0; i < n; i++) {
            radius[i] = (k % 5 == 0 ? 1 : uniform(0.2, 1)) * largest;
            for (int c = 0; c < 3; c++) x[i][c] = uniform(-far, far);
            body[i] = sphere(w, m, x[i][0], x[i][1], x[i][2], radius[i]);
        }
        CHECK_OK(talus_world_step(w, NULL), talus_world_error(w));
        int expected = 0;
        const int found = talus_contact_count(w), most[3] = {8, k % 2 ? 8 : 0, k % 4 > 1 ? 8 : 0};
        for (int a = 0; a < n; a++)
            for (int b = a + 1; b < n; b++) {
                int of_pair = 0;
                for (int i = -most[0]; i <= most[0]; i++)
                    for (int j = -most[1]; j <= most[1]; j++)
                        for (int l = -most[2]; l <= most[2]; l++) {
                            const double way[3] = {x[b][0] + i * LENGTH - x[a][0], x[b][1] + j * LENGTH - x[a][1], x[b][2] + l * LENGTH - x[a][2]};
                            of_pair += size3(way) < radius[a] + radius[b] + d.alert_distance;
                        }
                expected += of_pair;
                twice += of_pair > 1;
            }
        if (found != expected) TEST_FAIL("%d: %d contacts, not %d", k, found, expected);
        for (int c = 0; c < found; c++) {
            talus_contact t;
            talus_contact_get(w, c, &t);
            const int a = (int)(t.antagonist.index1 - body[0].index1), b = (int)(t.candidate.index1 - body[0].index1);
            double way[3];
            for (int i = 0; i < 3; i++) way[i] = x[b][i] + t.image[i] * LENGTH - x[a][i];
            CHECK_NEAR(size3(way) - radius[a] - radius[b], t.gap, 1e-12);
            images += t.image[0] != 0 || t.image[1] != 0 || t.image[2] != 0;
        }
        talus_world_destroy(w);
    }
    CHECK(images > 300 && twice > 50);
}

/* A link presses on stones and a mesh lies under them, wherever their copies are: the same impulses, the same force on the link. */
static double pressed(const double shift[3], double force[3], double x[3])
{
    static const double corner[4][3] = {{-0.3, -0.3, 0}, {0.3, -0.3, 0}, {0.3, 0.3, 0}, {-0.3, 0.3, 0}};
    static const int32_t triangle[2][3] = {{0, 1, 2}, {0, 2, 3}};
    const talus_world_def d = cell(true, true, false);
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, 2000);
    talus_body_def floor = talus_body_def_default(), stone = talus_body_def_default();
    talus_shape_def mesh = talus_shape_def_default();
    law(w, 0.4, 0);
    floor.kind = TALUS_BODY_FIXED;
    mesh.kind = TALUS_SHAPE_MESH, mesh.material = m, mesh.corners = corner, mesh.count = 4, mesh.triangles = triangle, mesh.triangle_count = 2;
    CHECK_OK(talus_body_add_shape(w, add_body(w, &floor), &mesh), talus_world_error(w));
    add_box(w, ram(w, 20, 0.2, -0.5), m, 0.3, 0.3, 0.1);
    stone.position[0] = 0.02, stone.position[2] = 0.06;
    turn(stone.quaternion, 0.3, 1, 2, 0);
    for (int k = 0; k < 3; k++) stone.position[k] += shift[k];
    const talus_body_id id = add_stone(w, m, 2, &stone);
    stone.position[0] -= 0.12;
    (void)add_stone(w, m, 0, &stone);
    run(w, 200);
    contact_force(w, id, force);
    place(w, id, x);
    double q[4], at[3];
    talus_body_pose(w, talus_body_at(w, 1), at, q);
    CHECK(at[2] < 0.16); /* it is on them */
    talus_world_destroy(w);
    return at[2];
}

TEST(links_and_meshes)
{
    double f[2][3], x[2][3];
    const double own[3] = {0, 0, 0}, other[3] = {-2, 3, 0}, height = pressed(own, f[0], x[0]);
    CHECK(fabs(f[0][2]) > 1);
    CHECK_NEAR(pressed(other, f[1], x[1]), height, 1e-9);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(x[1][k] - other[k], x[0][k], 1e-9);
        CHECK_NEAR(f[1][k], f[0][k], 1e-4 * fabs(f[0][2]));
    }
}

/* One state whatever the threads, and after a restart while bodies lie across the seam. */
TEST(bits)
{
    uint64_t hash[3];
    const double at[3] = {-0.05, 0.02, 0};
    for (int threads = 1; threads <= 3; threads++) {
        talus_world_def d = cell(true, true, false);
        d.threads = threads;
        rnd = tl_random_seed(4);
        column c = build(&d, at, true);
        run(c.w, 200);
        hash[threads - 1] = talus_world_hash(c.w);
        talus_world_destroy(c.w);
    }
    CHECK(hash[0] == hash[1] && hash[1] == hash[2]);
    const talus_world_def d = cell(true, true, false);
    rnd = tl_random_seed(4);
    column c = build(&d, at, true);
    rnd = tl_random_seed(4);
    column again = build(&d, at, true);
    run(c.w, 90);
    CHECK_OK(talus_world_assemble(again.w), talus_world_error(again.w));
    talus_field fields[64];
    const int count = talus_state_count(c.w);
    for (int i = 0; i < count && i < 64; i++) talus_state_field(c.w, i, &fields[i]);
    CHECK_OK(talus_state_restore(again.w, fields, count), talus_world_error(again.w));
    run(again.w, 110);
    CHECK(talus_world_hash(again.w) == hash[0]);
    talus_world_destroy(c.w);
    talus_world_destroy(again.w);
}

static void refused(const talus_world_def *d, void (*define)(talus_world *, talus_material_id), const char *expected)
{
    talus_world *w = open_world(d);
    define(w, material(w, 1000));
    CHECK(talus_world_assemble(w) == TALUS_INPUT);
    if (!strstr(talus_world_error(w), expected)) TEST_FAIL("'%s' is not in '%s'", expected, talus_world_error(w));
    talus_world_destroy(w);
}

static void large_ball(talus_world *w, talus_material_id m) { sphere(w, m, 0, 0, 0, 0.26); }
static void tilted(talus_world *w, talus_material_id m) { ground(w, m, 0, 1, 1); }
static void level(talus_world *w, talus_material_id m) { ground(w, m, 0, 0, 1); }
static void wide_link(talus_world *w, talus_material_id m) { add_box(w, ram(w, 1, 0, 0), m, 1.01, 0.1, 0.1); }
static void whole_link(talus_world *w, talus_material_id m) { add_box(w, ram(w, 1, 0, 0), m, 1, 1, 0.1); }

static void turn_by(void *user, double t, double out[3])
{
    (void)user;
    out[0] = t, out[1] = 1, out[2] = 0;
}

static void turntable(talus_world *w, talus_material_id m)
{
    talus_body_def d = talus_body_def_default();
    const double plane[2][3] = {{0, 0, 0}, {0, 0, 1}};
    d.kind = TALUS_BODY_IMPOSED;
    d.turn = (talus_motion){turn_by, NULL};
    add_corners(w, add_body(w, &d), m, TALUS_SHAPE_HALF_SPACE, plane, 2, 0);
}

TEST(what_does_not_fit)
{
    const talus_world_def flat = cell(true, true, false), all = cell(true, true, true);
    refused(&flat, large_ball, "0.52 m long along x");
    refused(&flat, tilted, "normal is not at right angles to y");
    refused(&all, level, "normal is not at right angles to z");
    refused(&flat, turntable, "its half-space turns");
    refused(&flat, wide_link, "body 0 is 1.01 m long along x");
    talus_world *w = open_world(&flat);
    const talus_material_id m = material(w, 1000);
    level(w, m), whole_link(w, m);
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    talus_world_destroy(w);
}

int main(int argc, char **argv)
{
    RUN(column_across_the_seam);
    RUN(momentum);
    RUN(all_images_are_found);
    RUN(links_and_meshes);
    RUN(bits);
    RUN(what_does_not_fit);
    return TEST_RESULT;
}
