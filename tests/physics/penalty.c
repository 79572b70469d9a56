/* Explicit Runge–Kutta with penalty contacts, in the plane: the scheme's order, a spring under a weight, what friction does to a disk, mistakes. */
#include "physics/planar.h"

static talus_world *penalty_world(double h, double stiffness, double damping, double friction, talus_material_id *m)
{
    talus_world_def d = lab(h);
    d.scheme = TALUS_SCHEME_PENALTY_RK4;
    talus_world *w = open_world(&d);
    talus_interaction_def i = talus_interaction_def_default();
    const talus_material_id all = {0};
    *m = material(w, "steel", 1000);
    i.stiffness = stiffness, i.damping = damping, i.friction = friction;
    CHECK_OK(talus_interaction_set(w, all, all, &i), talus_world_error(w));
    return w;
}

/* A ball on an elastic rope that stays taut, y = −L − m g/K − A cos ω t: the error falls with the fourth power of the step. */
static double oscillator_error(double h)
{
    talus_material_id m;
    talus_world *w = penalty_world(h, 1, 0, 0, &m);
    const double K = 2e4, L = 1, start = -1.005;
    const talus_body_id ball = free_disk(w, m, 0, start, 0.05);
    talus_rope_def r = talus_rope_def_default();
    r.body_b = ball, r.length = L, r.stiffness = K;
    CHECK_OK(talus_rope_create(w, &r), talus_world_error(w));
    const double t = 1;
    run(w, (int)lround(t / h));
    const double mass = talus_body_mass(w, ball), rest = -L - mass * 9.81 / K, omega = sqrt(K / mass), y = rest + (start - rest) * cos(omega * t);
    const double error = fabs(at(w, ball, 1) - y);
    talus_world_destroy(w);
    return error;
}

TEST(fourth_order)
{
    const double coarse = oscillator_error(1e-3), fine = oscillator_error(5e-4), finest = oscillator_error(2.5e-4);
    CHECK(finest > 1e-13); /* not rounding */
    CHECK_NEAR(log2(coarse / fine), 4, 0.3);
    CHECK_NEAR(log2(fine / finest), 4, 0.3);
}

/* A disk comes to rest on the floor, m g/K deep; thrown without spin it slides, then rolls at two thirds of its speed. */
TEST(floor_and_friction)
{
    talus_material_id m;
    const double K = 1e6;
    talus_world *w = penalty_world(1e-4, K, 1e3, 0.3, &m);
    wall(w, m, 0, 0, 0, 1);
    const talus_body_id disk = moving(w, 0, 0.1, 1, 0, 0);
    add_disk(w, disk, m, 0, 0, 0.1);
    run(w, 1);
    const double mass = talus_body_mass(w, disk);
    run(w, 9999);
    talus_problem *problem = NULL;
    char text[512] = "";
    CHECK(talus_world_problem(w, &problem, text, sizeof text) == TALUS_UNSUPPORTED && strstr(text, "no contact problem"));
    CHECK_NEAR(at(w, disk, 1), 0.1 - mass * 9.81 / K, 1e-9);
    CHECK_CLOSE(speed(w, disk, 0), 2.0 / 3, 2e-3);
    CHECK_CLOSE(-speed(w, disk, 2) * 0.1, 2.0 / 3, 5e-3);
    talus_world_destroy(w);
}

/* Without damper a ball bounces for ever, and its energy stays; the time on the floor is that of half a swing. */
TEST(bounce)
{
    talus_material_id m;
    const double K = 1e6, h = 1e-5, v0 = 3;
    talus_world *w = penalty_world(h, K, 0, 0, &m);
    wall(w, m, 0, 0, 0, 1);
    const talus_body_id disk = moving(w, 0, 0.1, 0, -v0, 0);
    add_disk(w, disk, m, 0, 0, 0.1);
    int steps = 0;
    do {
        run(w, 1);
        steps++;
    } while (at(w, disk, 1) < 0.1 && steps < 100000);
    const double omega = sqrt(K / talus_body_mass(w, disk)), sag = 9.81 / omega / omega, phase = atan2(sag * omega, v0);
    CHECK_NEAR(steps * h, (3.14159265358979 + 2 * phase) / omega, 2 * h); /* y = −sag + …: it pushes until back at the surface */
    CHECK_CLOSE(speed(w, disk, 1), v0, 1e-4);
    talus_world_destroy(w);
}

TEST(mistakes)
{
    talus_world_def d = lab(1e-3);
    talus_world *w = NULL;
    char text[512] = "";
    d.scheme = TALUS_SCHEME_PENALTY_RK4, d.dimension = 3;
    CHECK(talus_world_create(&d, &w, text, sizeof text) == TALUS_UNSUPPORTED && strstr(text, "for the plane"));
    d.dimension = 2;
    w = open_world(&d);
    const talus_material_id m = material(w, "steel", 1000);
    free_disk(w, m, 0, 0, 0.1);
    CHECK(talus_world_assemble(w) == TALUS_INPUT && strstr(talus_world_error(w), "needs a 'stiffness' for the interaction of 'steel' and 'steel'"));
    talus_world_destroy(w);
}

int main(int argc, char **argv)
{
    RUN(fourth_order);
    RUN(floor_and_friction);
    RUN(bounce);
    RUN(mistakes);
    return TEST_RESULT;
}
