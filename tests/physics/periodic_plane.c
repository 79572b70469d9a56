/* Periodic directions in the plane: the seam is nowhere. What crosses it does what the same scene does elsewhere, or without a cell. */
#include "physics/planar.h"

#include "base/base.h"

enum { COLUMN = 15, MOST = 64 };

static const double LENGTH = 1;
static tl_random rnd;

static double uniform(double low, double high) { return tl_random_uniform(&rnd, low, high); }

static talus_world_def cell(double x_low, double y_low)
{
    talus_world_def d = lab(1e-3);
    if (isfinite(x_low)) d.periodic[0][0] = x_low, d.periodic[0][1] = x_low + LENGTH;
    if (isfinite(y_low)) d.periodic[1][0] = y_low, d.periodic[1][1] = y_low + LENGTH;
    return d;
}

static const double NONE = (double)NAN;

typedef struct column {
    talus_world *w;
    talus_body_id body[COLUMN];
    double shift[COLUMN]; /* by whole cells, each its own */
} column;

/* Disks and boxes in three rows and five layers, which fall onto a floor and lean over: less than half a cell wide. */
static column build(const talus_world_def *def, double dx, double dy, bool scatter)
{
    column c = {.w = open_world(def)};
    const talus_material_id m = material(c.w, "stone", 2000);
    tl_random own = tl_random_seed(5);
    law(c.w, 0.4, 0);
    wall(c.w, m, 0, dy, 0, 1);
    for (int i = 0; i < COLUMN; i++) {
        const double x = 0.11 * (i % 3) + tl_random_uniform(&own, 0, 0.01), y = 0.06 + 0.11 * (i / 3), vx = tl_random_uniform(&own, 0, 0.3), spin = 1;
        c.shift[i] = scatter ? LENGTH * (tl_random_int(&rnd, 7) - 3) : 0;
        c.body[i] = moving(c.w, x + dx + c.shift[i], y + dy, vx, -0.5, spin);
        if (i % 2) add_box(c.w, c.body[i], m, 0.045, 0.035);
        else add_disk(c.w, c.body[i], m, 0, 0, 0.05);
    }
    return c;
}

/* The same column somewhere: where all are, less the shift; who presses whom. */
static void compare(const column *is, const column *of, double dx, double dy)
{
    for (int i = 0; i < COLUMN; i++) {
        CHECK_NEAR(at(is->w, is->body[i], 0) - dx - is->shift[i], at(of->w, of->body[i], 0), 1e-9);
        CHECK_NEAR(at(is->w, is->body[i], 1) - dy, at(of->w, of->body[i], 1), 1e-9);
        CHECK_NEAR(at(is->w, is->body[i], 2), at(of->w, of->body[i], 2), 1e-8);
        for (int axis = 0; axis < 3; axis++) CHECK_NEAR(speed(is->w, is->body[i], axis), speed(of->w, of->body[i], axis), 1e-6);
    }
    if (talus_contact_count(is->w) != talus_contact_count(of->w)) TEST_FAIL("%d contacts, not %d", talus_contact_count(is->w), talus_contact_count(of->w));
    for (int i = 0; i < talus_contact_count(is->w) && i < talus_contact_count(of->w); i++) {
        talus_contact a, b;
        talus_contact_get(is->w, i, &a), talus_contact_get(of->w, i, &b);
        CHECK(same(a.antagonist, b.antagonist) && same(a.candidate, b.candidate));
        CHECK_NEAR(a.gap, b.gap, 1e-9);
    }
}

/* Wherever the seam is, the column does what it does where nothing is periodic. */
TEST(column_across_the_seam)
{
    const talus_world_def plain = cell(NONE, NONE), periodic = cell(0, NONE);
    enum { STEPS = 150 };
    rnd = tl_random_seed(1);
    column reference = build(&plain, 0, 0, false);
    run(reference.w, STEPS);
    CHECK(talus_contact_count(reference.w) > COLUMN);
    for (int k = 0; k < 8; k++) { /* at first half in one cell, half in the next; then anywhere, in the end each body in a cell of its own */
        const double dx = k == 0 ? -0.15 : uniform(-3, 3), dy = uniform(-2, 2);
        column c = build(&periodic, dx, dy, k > 3);
        run(c.w, STEPS);
        compare(&c, &reference, dx, dy);
        talus_world_destroy(c.w);
    }
    talus_world_destroy(reference.w);
}

/* v₁⁺ = v₁ + (1 + e) (v₂ − v₁) m₂ / (m₁ + m₂), through the seam, from cells that are apart. */
TEST(collision)
{
    const double speeds[2] = {-1.3, 0.9};
    for (int k = 0; k < 5; k++) {
        const double e = 0.25 * k;
        talus_world_def d = cell(0, NONE);
        d.gravity[1] = 0;
        talus_world *w = open_world(&d);
        const talus_material_id m = material(w, "steel", 1000);
        const talus_body_id a = moving(w, 0.12 + 2 * k, 0.3, speeds[0], 0, 0), b = moving(w, 0.85, 0.3, speeds[1], 0, 0);
        law(w, 0, e);
        add_disk(w, a, m, 0, 0, 0.05), add_disk(w, b, m, 0, 0, 0.08);
        run(w, 100);
        const double ma = talus_body_mass(w, a), mb = talus_body_mass(w, b), V = (1 + e) * (speeds[1] - speeds[0]);
        CHECK_NEAR(speed(w, a, 0), speeds[0] + V * mb / (ma + mb), 1e-12);
        CHECK_NEAR(speed(w, b, 0), speeds[1] - V * ma / (ma + mb), 1e-12);
        CHECK_NEAR(speed(w, a, 1), 0, 1e-12);
        talus_world_destroy(w);
    }
}

/* Both directions, no gravity: momentum is what it was, to rounding; energy does not grow. */
TEST(momentum)
{
    rnd = tl_random_seed(2);
    talus_world_def d = cell(-0.3, 0.7);
    d.gravity[1] = 0;
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, "steel", 1000);
    talus_body_id body[MOST];
    int struck = 0;
    law(w, 0.5, 0.6);
    for (int i = 0; i < MOST; i++) {
        body[i] = moving(w, 0.125 * (i % 8), 0.125 * (i / 8), uniform(-1, 1), uniform(-1, 1), uniform(-5, 5));
        if (i % 2) add_disk(w, body[i], m, 0, 0, uniform(0.03, 0.055));
        else add_box(w, body[i], m, uniform(0.02, 0.04), uniform(0.02, 0.04));
    }
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    double before[2] = {0, 0}, size = 0, energy, potential;
    for (int i = 0; i < MOST; i++) {
        const double mass = talus_body_mass(w, body[i]);
        for (int axis = 0; axis < 2; axis++) before[axis] += mass * speed(w, body[i], axis), size += mass * fabs(speed(w, body[i], axis));
    }
    talus_world_energy(w, &energy, &potential);
    for (int k = 0; k < 500; k++) {
        double kinetic, now[2] = {0, 0};
        struck += step(w).touching;
        talus_world_energy(w, &kinetic, &potential);
        for (int i = 0; i < MOST; i++)
            for (int axis = 0; axis < 2; axis++) now[axis] += talus_body_mass(w, body[i]) * speed(w, body[i], axis);
        for (int axis = 0; axis < 2; axis++) CHECK_NEAR(now[axis], before[axis], 1e-13 * size);
        CHECK(kinetic <= energy * (1 + 1e-9));
        energy = kinetic;
    }
    CHECK(struck > 100);
    talus_world_destroy(w);
}

/* What is near is what geometry says: every pair in every image, by trying all. Cells from one grid cell wide to many. */
TEST(all_images_are_found)
{
    rnd = tl_random_seed(3);
    int images = 0, twice = 0;
    for (int k = 0; k < 200; k++) {
        talus_world_def d = cell(0, k % 2 ? 0.2 : NONE);
        d.gravity[1] = 0, d.step = 1e-9, d.alert_distance = k % 5 ? 1e-3 : 0.2;
        talus_world *w = open_world(&d);
        const talus_material_id m = material(w, "steel", 1000);
        const int n = 2 + tl_random_int(&rnd, 20), far = k % 3 ? 5 : 1;
        const double largest = k % 5 == 0 ? 0.25 : uniform(0.02, 0.25);
        talus_body_id body[MOST];
        double radius[MOST];
        law(w, 0, 0);
        for (int i = 0; i < n; i++) {
            radius[i] = (k % 5 == 0 ? 1 : uniform(0.2, 1)) * largest;
            body[i] = moving(w, uniform(-far, far), uniform(-far, far), 0, 0, 0);
            add_disk(w, body[i], m, 0, 0, radius[i]);
        }
        double x[MOST][2];
        for (int i = 0; i < n; i++) x[i][0] = at(w, body[i], 0), x[i][1] = at(w, body[i], 1);
        CHECK_OK(talus_world_step(w, NULL), talus_world_error(w));
        int expected = 0, left = talus_contact_count(w);
        for (int a = 0; a < n; a++)
            for (int b = a + 1; b < n; b++) {
                int of_pair = 0;
                for (int i = -12; i <= 12; i++)
                    for (int j = k % 2 ? -12 : 0; j <= (k % 2 ? 12 : 0); j++)
                        of_pair += hypot(x[b][0] + i * LENGTH - x[a][0], x[b][1] + j * LENGTH - x[a][1]) < radius[a] + radius[b] + d.alert_distance;
                expected += of_pair;
                twice += of_pair > 1;
            }
        CHECK(expected == left);
        for (int c = 0; c < left; c++) {
            talus_contact t;
            talus_contact_get(w, c, &t);
            const int a = (int)(t.antagonist.index1 - body[0].index1), b = (int)(t.candidate.index1 - body[0].index1);
            const double vx = x[b][0] + t.image[0] * LENGTH - x[a][0], vy = x[b][1] + t.image[1] * LENGTH - x[a][1];
            CHECK_NEAR(hypot(vx, vy) - radius[a] - radius[b], t.gap, 1e-12);
            CHECK_NEAR(t.normal[0] * hypot(vx, vy), vx, 1e-9);
            images += t.image[0] != 0 || t.image[1] != 0;
        }
        talus_world_destroy(w);
    }
    CHECK(images > 1000 && twice > 100); /* a pair of two half cells may meet on both sides */
}

/* A full ring of boxes, pressed together, on a floor that carries it through the seam: impulses are kept, so a step needs no more sweeps there than elsewhere.
 */
static void carry_to(void *user, double t, double out[3])
{
    const double speed = *(const double *)user;
    out[0] = speed * t, out[1] = speed, out[2] = 0;
}

TEST(slow_crossing)
{
    static const double SPEED = 0.2;
    talus_world_def d = cell(0, NONE);
    d.solver.tolerance = 1e-7;
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, "stone", 2000);
    talus_body_def belt = talus_body_def_default();
    talus_body_id floor, box[50];
    enum { AROUND = 10, LAYERS = 5 };
    belt.kind = TALUS_BODY_IMPOSED;
    belt.motion[0] = (talus_motion){carry_to, (void *)(uintptr_t)&SPEED};
    CHECK_OK(talus_body_create(w, &belt, &floor), talus_world_error(w));
    add_half_plane(w, floor, m, 0, 0, 0, 1);
    law(w, 0.5, 0);
    for (int i = 0; i < LAYERS * AROUND; i++) { /* each layer on the joints of the one below */
        box[i] = moving(w, 0.1 * (i % AROUND) + 0.05 * (i / AROUND % 2), 0.05 + 0.1 * (i / AROUND), SPEED, 0, 0);
        add_box(w, box[i], m, 0.05, 0.05);
    }
    const int first = step(w).iterations;
    run(w, 99);
    int most = 0;
    for (int k = 0; k < 1200; k++) { /* a quarter of the cell: two joints of each layer go by */
        const talus_step_report r = step(w);
        CHECK(r.converged);
        most = r.iterations > most ? r.iterations : most;
    }
    CHECK(first > 4 * most);
    CHECK_NEAR(at(w, box[0], 0), SPEED * 1.3, 1e-4);
    for (int i = 0; i < LAYERS * AROUND; i++) {
        CHECK_NEAR(speed(w, box[i], 0), SPEED, 1e-6);
        CHECK_NEAR(at(w, box[i], 1), 0.05 + 0.1 * (i / AROUND), 1e-4);
    }
    talus_world_destroy(w);
}

/* One state whatever the threads, and after a restart while bodies lie across the seam. */
TEST(bits)
{
    uint64_t hash[3];
    for (int threads = 1; threads <= 3; threads++) {
        talus_world_def d = cell(0.1, NONE);
        d.threads = threads;
        column c = build(&d, -0.05, 0, true);
        for (int i = 0; i < 200; i++) (void)step(c.w);
        hash[threads - 1] = talus_world_hash(c.w);
        talus_world_destroy(c.w);
        rnd = tl_random_seed(4);
    }
    CHECK(hash[1] == hash[2]);
    rnd = tl_random_seed(4);
    talus_world_def d = cell(0.1, NONE);
    column c = build(&d, -0.05, 0, true);
    for (int i = 0; i < 90; i++) (void)step(c.w);
    rnd = tl_random_seed(4);
    column again = build(&d, -0.05, 0, true);
    CHECK_OK(talus_world_assemble(again.w), talus_world_error(again.w));
    talus_field fields[64];
    const int count = talus_state_count(c.w);
    for (int i = 0; i < count && i < 64; i++) talus_state_field(c.w, i, &fields[i]);
    CHECK_OK(talus_state_restore(again.w, fields, count), talus_world_error(again.w));
    for (int i = 0; i < 110; i++) (void)step(c.w), (void)step(again.w);
    CHECK(talus_world_hash(c.w) == talus_world_hash(again.w));
    CHECK(talus_world_hash(c.w) == hash[1]);
    talus_world_destroy(c.w);
    talus_world_destroy(again.w);
}

/* ---- what may not be ---------------------------------------------------------------------------------------------- */

static void refused(const talus_world_def *d, void (*define)(talus_world *, talus_material_id), const char *expected)
{
    talus_world *w = NULL;
    char text[512] = "";
    if (talus_world_create(d, &w, text, sizeof text) == TALUS_OK) {
        const talus_material_id m = material(w, "stone", 1000);
        if (define) define(w, m);
        CHECK(talus_world_assemble(w) == TALUS_INPUT);
        snprintf(text, sizeof text, "%s", talus_world_error(w));
    }
    if (!strstr(text, expected)) TEST_FAIL("'%s' is not in '%s'", expected, text);
    talus_world_destroy(w);
}

static void large_disk(talus_world *w, talus_material_id m) { free_disk(w, m, 0, 0, 0.26); }
static void half_disk(talus_world *w, talus_material_id m) { free_disk(w, m, 0, 0, 0.25); }
static void long_floor(talus_world *w, talus_material_id m) { add_box(w, body(w, TALUS_BODY_FIXED, 0, 0, 0), m, 0.51, 0.1); }
static void whole_floor(talus_world *w, talus_material_id m) { add_box(w, body(w, TALUS_BODY_FIXED, 0, 0, 0), m, 0.5, 2); }
static void upright(talus_world *w, talus_material_id m) { wall(w, m, 0, 0, 1, 0); }
static void level(talus_world *w, talus_material_id m) { wall(w, m, 0, 0, 0, 1); }

static void tilting(talus_world *w, talus_material_id m)
{
    static const double rate = 1;
    talus_body_def d = talus_body_def_default();
    talus_body_id id;
    d.kind = TALUS_BODY_IMPOSED;
    d.motion[2] = (talus_motion){carry_to, (void *)(uintptr_t)&rate};
    CHECK_OK(talus_body_create(w, &d, &id), talus_world_error(w));
    add_half_plane(w, id, m, 0, 0, 0, 1);
}

static void fits(void (*define)(talus_world *, talus_material_id))
{
    const talus_world_def d = cell(0, NONE);
    talus_world *w = open_world(&d);
    define(w, material(w, "stone", 1000));
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    talus_world_destroy(w);
}

TEST(what_does_not_fit)
{
    talus_world_def d = cell(0, NONE), both = cell(0, 0);
    refused(&d, large_disk, "0.52 m long along x");
    refused(&d, long_floor, "1.02 m long along x");
    refused(&d, upright, "normal is not at right angles to x");
    refused(&both, level, "normal is not at right angles to y");
    refused(&d, tilting, "its half-plane turns");
    fits(half_disk), fits(whole_floor), fits(level);
    d.periodic[0][1] = -1;
    refused(&d, NULL, "from 0 m to -1 m along x");
    d = cell(0, NONE);
    d.periodic[2][1] = 1;
    refused(&d, NULL, "z is no direction of the plane");
    d = cell(0, NONE);
    d.scheme = TALUS_SCHEME_PENALTY_RK4;
    refused(&d, NULL, "penalty");
}

/* A rope that is meant for a copy is not tied to the body far away in silence; to one that is placed in the next cell it is tied across the seam. */
TEST(ropes)
{
    for (int placed = 0; placed < 2; placed++) {
        talus_world_def d = cell(0, NONE);
        d.gravity[1] = 0;
        talus_world *w = open_world(&d);
        talus_rope_def rope = talus_rope_def_default();
        const talus_material_id m = material(w, "stone", 1000);
        const talus_body_id a = moving(w, 0.95, 0, -0.5, 0, 0), b = moving(w, 0.05 + placed, 0, 0.5, 0, 0);
        add_disk(w, a, m, 0, 0, 0.01), add_disk(w, b, m, 0, 0, 0.01);
        rope.body_a = a, rope.body_b = b, rope.length = 0.2;
        CHECK_OK(talus_rope_create(w, &rope), talus_world_error(w));
        if (placed) {
            run(w, 300); /* taut at 0.1 s, and then without a bounce: both at rest */
            CHECK_NEAR(speed(w, a, 0), 0, 1e-9);
            CHECK_NEAR(speed(w, b, 0), 0, 1e-9);
            CHECK_NEAR(at(w, b, 0) - at(w, a, 0), 0.2, 2e-3);
        } else {
            CHECK(talus_world_assemble(w) == TALUS_UNSUPPORTED);
            CHECK(strstr(talus_world_error(w), "rope 0 of 0.2 m") && strstr(talus_world_error(w), "0.9 m away") &&
                  strstr(talus_world_error(w), "do not reach to copies"));
        }
        talus_world_destroy(w);
    }
}

int main(int argc, char **argv)
{
    RUN(column_across_the_seam);
    RUN(collision);
    RUN(momentum);
    RUN(all_images_are_found);
    RUN(slow_crossing);
    RUN(bits);
    RUN(what_does_not_fit);
    RUN(ropes);
    return TEST_RESULT;
}
