/* Cohesion (theory §2.6) in the plane: what it holds and what it lets fall, at any step; every solver; and that it never gives energy. */
#include "physics/planar.h"

static const double FORCE = 3, DISTANCE = 1e-3, R = 0.05;

static void cohere(talus_world *w, double friction, double restitution)
{
    const talus_material_id none = {0};
    const talus_law_value value[2] = {{.key = "force", .number = &FORCE, .numbers = 1}, {.key = "distance", .number = &DISTANCE, .numbers = 1}};
    talus_interaction_def d = talus_interaction_def_default();
    d.law = "cohesion", d.value = value, d.values = 2;
    d.friction = friction, d.restitution = restitution;
    CHECK_OK(talus_interaction_set(w, none, none, &d), talus_world_error(w));
}

/* Disks of 1 kg, the first under a ceiling, each under the one before; or a box of 1 kg, which touches the ceiling at two points. */
typedef struct hanging {
    double h;
    int disks; /* 0: the box */
    const char *solver;
} hanging;

static bool falls(const hanging *c, double gravity)
{
    talus_world_def def = lab(c->h);
    def.gravity[1] = -gravity;
    def.solver.method = c->solver;
    def.solver.tolerance = 1e-12;
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, "m", c->disks ? 1 / (PI * R * R) : 1 / (4 * R * R));
    cohere(w, 0.3, 0);
    (void)wall(w, m, 0, 0, 0, -1);
    talus_body_id last = {0};
    for (int i = 0; i < c->disks; i++) last = free_disk(w, m, 0, -(2 * i + 1) * R, R);
    if (c->disks == 0) {
        last = body(w, TALUS_BODY_FREE, 0, -R, 0);
        add_box(w, last, m, R, R);
    }
    for (int i = 0; i < 10; i++) (void)step(w);
    const double v = speed(w, last, 1);
    talus_world_destroy(w);
    return v < -1e-11;
}

/* The gravity from which on something falls, by bisection. */
static void check_load(hanging c)
{
    const double expected = FORCE / (c.disks > 0 ? c.disks : 1);
    double low = 0.5 * expected, high = 2 * expected;
    CHECK(!falls(&c, low) && falls(&c, high));
    for (int i = 0; i < 24; i++) {
        const double middle = 0.5 * (low + high);
        if (falls(&c, middle)) high = middle;
        else low = middle;
    }
    if (!(fabs(low - expected) < 1e-6 * expected))
        TEST_FAIL("h = %g, %d disks, %s: falls from %.9g m/s² on, expected %.9g", c.h, c.disks, c.solver ? c.solver : "default", low, expected);
}

TEST(holds)
{
    const double h[] = {1e-2, 1e-3, 1e-4};
    for (int i = 0; i < 3; i++) {
        check_load((hanging){.h = h[i], .disks = 1});
        check_load((hanging){.h = h[i], .disks = 0});
        check_load((hanging){.h = h[i], .disks = 4});
    }
}

TEST(every_solver)
{
    const char *const solver[] = {"nlgs", "auto", "newton", "interior_point", "proximal", "pivot", "split", "pgs", "bodies"};
    for (int i = 0; i < 9; i++) check_load((hanging){.h = 1e-3, .disks = 4, .solver = solver[i]});
}

/* What pulls is seen: by contacts, and by what it hangs from. Momentum: the impulse on the disk is that of gravity. */
TEST(impulse)
{
    talus_world_def def = lab(1e-3);
    def.gravity[1] = -1;
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, "m", 1 / (PI * R * R));
    cohere(w, 0.3, 0);
    const talus_body_id ceiling = wall(w, m, 0, 0, 0, -1), disk = free_disk(w, m, 0, -R, R);
    for (int i = 0; i < 5; i++) {
        double I[2];
        run(w, 1);
        CHECK(impulse_on(w, ceiling, disk, I) == 1);
        CHECK_NEAR(I[1], 1e-3, 1e-15);
        CHECK_NEAR(I[0], 0, 1e-15);
    }
    talus_world_destroy(w);
}

/* Friction is bounded by μ J: a disk on a wall that pulls it, which cannot turn, slides from the weight μ F on. */
TEST(slides)
{
    for (int k = 0; k < 2; k++) {
        talus_world_def def = lab(1e-3);
        def.gravity[1] = -(k ? 1 + 1e-6 : 1 - 1e-6) * 0.5 * FORCE;
        talus_world *w = open_world(&def);
        const talus_material_id m = material(w, "m", 1);
        cohere(w, 0.5, 0);
        (void)wall(w, m, 0, 0, 1, 0);
        talus_body_def d = talus_body_def_default();
        talus_body_id disk;
        d.position[0] = R, d.mass = 1, d.inertia = 1e20;
        CHECK_OK(talus_body_create(w, &d, &disk), talus_world_error(w));
        add_disk(w, disk, m, 0, 0, R);
        run(w, 100);
        CHECK_NEAR(speed(w, disk, 1), k ? -1e-6 * 0.5 * FORCE * 0.1 : 0, 1e-10);
        talus_world_destroy(w);
    }
}

/* Two disks meet at any phase of a step, with any restitution: apart again they are no faster; together, the pull has given F times its distance at most. */
TEST(energy)
{
    int parted = 0, stuck = 0;
    for (int k = 0; k < 400; k++) {
        const double h = k % 2 ? 1e-3 : 1e-4, v = 0.02 + 0.004 * (k % 97), e = k % 3 * 0.45, start = 2 * R + DISTANCE + 0.013 * (1 + k % 7) * v;
        talus_world_def def = lab(h);
        def.gravity[1] = 0;
        talus_world *w = open_world(&def);
        const talus_material_id m = material(w, "m", 1 / (PI * R * R));
        cohere(w, 0.3, e);
        const talus_body_id a = moving(w, 0, 0, 0, 0, 3), b = moving(w, start, 0.3 * R * (k % 2), -v, 0, -2);
        add_disk(w, a, m, 0, 0, R), add_disk(w, b, m, 0, 0, R);
        double first = 0, now = 0, potential;
        for (int i = 0; i < (int)(0.5 / h); i++) {
            run(w, 1);
            talus_world_energy(w, &now, &potential);
            if (i == 0) first = now;
            if (!(now <= first + FORCE * DISTANCE)) TEST_FAIL("run %d: energy %.12g after %.12g J", k, now, first);
        }
        double p[3], q[3];
        where(w, a, p), where(w, b, q);
        const bool apart = hypot(p[0] - q[0], p[1] - q[1]) > 2 * R + DISTANCE + 2 * h * v;
        if (apart && !(now <= first * (1 + 1e-12))) TEST_FAIL("run %d: apart with %.15g after %.15g J", k, now, first);
        parted += apart, stuck += !apart;
        talus_world_destroy(w);
    }
    CHECK(parted > 40 && stuck > 40);
}

TEST(same_bits)
{
    uint64_t hash[3];
    for (int t = 0; t < 3; t++) {
        talus_world_def def = lab(1e-3);
        def.threads = t + 1;
        talus_world *w = open_world(&def);
        const talus_material_id m = material(w, "m", 1 / (PI * R * R));
        cohere(w, 0.4, 0);
        (void)wall(w, m, 0, 0, 0, 1), (void)wall(w, m, -0.5, 0, 1, 0), (void)wall(w, m, 0.5, 0, -1, 0);
        for (int i = 0; i < 60; i++) (void)free_disk(w, m, -0.4 + 0.16 * (i % 6) + 0.01 * (i / 6 % 3), R + 0.11 * (i / 6), R);
        for (int i = 0; i < 200; i++) (void)step(w);
        hash[t] = talus_world_hash(w);
        talus_world_destroy(w);
    }
    CHECK(hash[0] == hash[1] && hash[0] == hash[2]);
}

int main(int argc, char **argv)
{
    RUN(holds);
    RUN(every_solver);
    RUN(impulse);
    RUN(slides);
    RUN(energy);
    RUN(same_bits);
    return TEST_RESULT;
}
