/* Liquid bridges (theory §2.9) in the plane: the force that they pull with, what energy they take from what leaves, and that they never give any. */
#include "physics/planar.h"

static const double FORCE = 2, LENGTH = 2e-3, RUPTURE = 5e-3, R = 0.05;

static void wet(talus_world *w, double friction, double restitution)
{
    const talus_material_id none = {0};
    const talus_law_value value[3] = {{.key = "bridge_force", .number = &FORCE, .numbers = 1},
                                      {.key = "bridge_length", .number = &LENGTH, .numbers = 1},
                                      {.key = "rupture", .number = &RUPTURE, .numbers = 1}};
    talus_interaction_def d = talus_interaction_def_default();
    d.law = "capillary", d.value = value, d.values = 3;
    d.friction = friction, d.restitution = restitution;
    CHECK_OK(talus_interaction_set(w, none, none, &d), talus_world_error(w));
}

static double pull(double gap)
{
    const double s = gap / LENGTH;
    return gap > RUPTURE ? 0 : FORCE / (1 + 1.05 * s + 2.5 * s * s);
}

/* What the pull takes from contact to a gap: the integral of 1 / (1 + b s + c s²) is 2/D atan((2 c s + b)/D), D² = 4 c − b². */
static double work(double gap)
{
    const double D = sqrt(4 * 2.5 - 1.05 * 1.05), s = fmin(gap, RUPTURE) / LENGTH;
    return FORCE * LENGTH * 2 / D * (atan((5 * s + 1.05) / D) - atan(1.05 / D));
}

/* A disk of 1 kg at rest under a ceiling, at a gap: the first step gives it h (F(gap) − g), and at the ceiling it stays while F(0) > g. */
TEST(force)
{
    const double gap[] = {0, 1e-4, 1e-3, 3e-3, 4.999e-3, 5.001e-3};
    for (int i = 0; i < 6; i++) {
        talus_world_def def = lab(1e-4);
        def.gravity[1] = i == 0 ? -1 : 0;
        talus_world *w = open_world(&def);
        const talus_material_id m = material(w, "m", 1 / (PI * R * R));
        wet(w, 0, 0);
        (void)wall(w, m, 0, 0, 0, -1);
        const talus_body_id disk = free_disk(w, m, 0, -R - gap[i], R);
        run(w, 1);
        CHECK_NEAR(speed(w, disk, 1), i == 0 ? 0 : 1e-4 * pull(gap[i]), 1e-14);
        talus_world_destroy(w);
    }
}

/* Apart with v, a disk keeps ½ m v² less the work, never more; what it loses besides falls with h. */
static double left(double h, double v)
{
    talus_world_def def = lab(h);
    def.gravity[1] = 0;
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, "m", 1 / (PI * R * R));
    wet(w, 0.3, 0);
    (void)wall(w, m, 0, 0, 0, -1);
    const talus_body_id disk = moving(w, 0, -R, 0, -v, 0);
    add_disk(w, disk, m, 0, 0, R);
    run(w, (int)lround(1 / h));
    const double now = speed(w, disk, 1);
    talus_world_destroy(w);
    return 0.5 * now * now;
}

TEST(escape)
{
    const double v = 1.2 * sqrt(2 * work(RUPTURE)), expected = 0.5 * v * v - work(RUPTURE);
    const double coarse = expected - left(2e-4, v), fine = expected - left(1e-4, v);
    printf("lost besides: %.3g J of %.3g J at 0.2 ms, %.3g J at 0.1 ms\n", coarse, work(RUPTURE), fine);
    CHECK(fine > 0 && coarse / fine > 1.7 && coarse / fine < 2.3);
    CHECK(fine < 0.02 * work(RUPTURE));
    CHECK_NEAR(left(1e-4, 0.98 * sqrt(2 * work(RUPTURE))), 0, 1e-12); /* comes back, and stays */
}

/* Two disks meet head-on at any phase of a step, with any restitution: kinetic energy and potential together never grow, in no step. Where they also turn,
 * rub and go round each other, so that paths are not straight, they are at least no faster when they are apart again. */
TEST(energy)
{
    int parted = 0;
    for (int k = 0; k < 200; k++) {
        const double h = k % 2 ? 1e-3 : 1e-4, v = 0.02 + 0.004 * (k % 97), e = k % 3 * 0.45, start = 2 * R + RUPTURE + 0.013 * (1 + k % 7) * v;
        talus_world_def def = lab(h);
        def.gravity[1] = 0;
        talus_world *w = open_world(&def);
        const talus_material_id m = material(w, "m", 1 / (PI * R * R));
        const bool straight = k % 4 < 2;
        wet(w, straight ? 0 : 0.3, e);
        const talus_body_id a = moving(w, 0, 0, 0, 0, straight ? 0 : 3), b = moving(w, start, straight ? 0 : 0.3 * R, -v, 0, straight ? 0 : -2);
        add_disk(w, a, m, 0, 0, R), add_disk(w, b, m, 0, 0, R);
        double kinetic = 0, potential, before = 1e30, first = 0;
        bool apart = false;
        for (int i = 0; i < (int)(0.5 / h); i++) {
            double p[3], q[3];
            run(w, 1);
            talus_world_energy(w, &kinetic, &potential);
            where(w, a, p), where(w, b, q);
            const double now = kinetic + work(fmax(hypot(p[0] - q[0], p[1] - q[1]) - 2 * R, 0));
            if (straight && !(now <= before + 1e-10 * v)) /* velocities are solved to 1e-10 m/s */
                TEST_FAIL("run %d, step %d: energy %.12g after %.12g J", k, i, now, before);
            before = now;
            if (i == 0) first = kinetic;
            apart = hypot(p[0] - q[0], p[1] - q[1]) > 2 * R + RUPTURE + 2 * h * v;
        }
        if (apart && !(kinetic <= first * (1 + 1e-12))) TEST_FAIL("run %d: apart with %.15g after %.15g J", k, kinetic, first);
        parted += apart;
        talus_world_destroy(w);
    }
    CHECK(parted > 20 && parted < 180);
}

int main(int argc, char **argv)
{
    RUN(force);
    RUN(escape);
    RUN(energy);
    return TEST_RESULT;
}
