/* Liquid bridges (theory §2.9) in space: the pull of balls and of boxes at a gap, what a ceiling holds, and what is left of the energy of what leaves it. */
#include "physics/spatial.h"

static const double FORCE = 2, LENGTH = 2e-3, RUPTURE = 5e-3, R = 0.05;

static double pull(double gap) { return gap > RUPTURE ? 0 : FORCE / (1 + 1.05 * gap / LENGTH + 2.5 * gap * gap / (LENGTH * LENGTH)); }

/* The integral of the pull from contact to rupture, by Simpson's rule. */
static double work(void)
{
    double sum = 0;
    for (int i = 0; i < 1000; i++) {
        const double a = RUPTURE * i / 1000, b = RUPTURE * (i + 1) / 1000 * (1 - 1e-15);
        sum += (b - a) / 6 * (pull(a) + 4 * pull(0.5 * (a + b)) + pull(b));
    }
    return sum;
}

/* A body of 1 kg under a ceiling at a gap, with a velocity along z; how fast it is after some steps. A box touches the ceiling at four points. */
static double after(double h, int steps, bool ball, double gap, double velocity, double gravity)
{
    const talus_material_id none = {0};
    const talus_law_value value[3] = {{.key = "bridge_force", .number = &FORCE, .numbers = 1},
                                      {.key = "bridge_length", .number = &LENGTH, .numbers = 1},
                                      {.key = "rupture", .number = &RUPTURE, .numbers = 1}};
    talus_world_def def = lab(h);
    def.gravity[2] = -gravity;
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, ball ? 3 / (4 * PI * R * R * R) : 1 / (8 * R * R * R));
    talus_interaction_def d = talus_interaction_def_default();
    d.law = "capillary", d.value = value, d.values = 3, d.friction = 0.4;
    CHECK_OK(talus_interaction_set(w, none, none, &d), talus_world_error(w));
    (void)ground(w, m, 0, 0, -1);
    talus_body_def b = talus_body_def_default();
    b.position[2] = -R - gap, b.velocity[2] = velocity;
    const talus_body_id id = add_body(w, &b);
    const double centre[1][3] = {{0, 0, 0}};
    if (ball) add_corners(w, id, m, TALUS_SHAPE_SPHERE, centre, 1, R);
    else add_box(w, id, m, 2 * R, 2 * R, 2 * R);
    run(w, steps);
    double v[3], omega[3];
    motion(w, id, v, omega);
    CHECK(fabs(v[0]) + fabs(v[1]) + size3(omega) < 1e-9);
    talus_world_destroy(w);
    return v[2];
}

TEST(force)
{
    const double gap[] = {1e-4, 1e-3, 3e-3, 4.999e-3, 5.001e-3};
    for (int i = 0; i < 5; i++)
        for (int ball = 0; ball < 2; ball++) CHECK_NEAR(after(1e-4, 1, ball, gap[i], 0, 0), 1e-4 * pull(gap[i]), 1e-13);
}

/* At the ceiling it stays while it weighs less than the force of contact, at any step. */
TEST(holds)
{
    for (int ball = 0; ball < 2; ball++)
        for (double h = 1e-2; h > 5e-5; h *= 0.1) {
            CHECK_NEAR(after(h, 10, ball, 0, 0, FORCE * (1 - 1e-6)), 0, 1e-10);
            CHECK(after(h, 10, ball, 0, 0, FORCE * (1 + 1e-6)) < -FORCE * 1e-6 * 5 * h);
        }
}

TEST(escape)
{
    const double v = 1.2 * sqrt(2 * work()), expected = 0.5 * v * v - work();
    const double coarse = after(2e-4, 500, true, 0, -v, 0), fine = after(1e-4, 1000, true, 0, -v, 0);
    const double lost = expected - 0.5 * fine * fine, ratio = (expected - 0.5 * coarse * coarse) / lost;
    CHECK(lost > 0 && lost < 0.02 * work());
    CHECK(ratio > 1.7 && ratio < 2.3);
}

int main(int argc, char **argv)
{
    RUN(force);
    RUN(holds);
    RUN(escape);
    return TEST_RESULT;
}
