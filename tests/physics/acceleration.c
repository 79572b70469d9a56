/* Accelerometers: the mean of a step, against closed forms. */
#include "physics/joints.h"

static int watch(talus_world *w, talus_body_id b, double x, double y)
{
    const double point[3] = {x, y, 0};
    int number = -1;
    CHECK_OK(talus_body_watch(w, b, point, &number), talus_world_error(w));
    return number;
}

static void measured(const talus_world *w, int number, double a[2])
{
    double all[3];
    talus_watch_acceleration(w, number, all);
    a[0] = all[0], a[1] = all[1];
    CHECK(all[2] == 0);
}

/* A spinning disk in free flight: its centre falls with g, a point at r turns ω h about it in a step, which the chord of its velocity's circle measures. */
TEST(flight)
{
    const double h = 1e-3, spin = 30, r = 0.2;
    talus_world_def d = lab(h);
    talus_world *w = open_world(&d);
    const talus_body_id b = moving(w, 0, 0, 3, 1, spin);
    add_disk(w, b, material(w, "steel", 7800), 0, 0, 0.1);
    const int centre = watch(w, b, 0, 0), rim = watch(w, b, r, 0);
    double a[2];
    measured(w, rim, a);
    CHECK(a[0] == 0 && a[1] == 0); /* no step yet */
    for (int k = 0; k < 100; k++) {
        (void)step(w);
        measured(w, centre, a);
        CHECK_NEAR(a[0], 0, 1e-12 * spin / h);
        CHECK_NEAR(a[1], -G, 1e-12 * spin / h);
        const double angle = spin * h * (k + 0.5), size = 2 * spin * r * sin(0.5 * spin * h) / h; /* towards the centre, half a step back */
        measured(w, rim, a);
        CHECK_CLOSE(a[0], -size * cos(angle), 1e-9);
        CHECK_NEAR(a[1], -size * sin(angle) - G, 1e-9 * size);
    }
    talus_world_destroy(w);
}

/* An impact is part of the mean: m (a + g) is the contact's impulse over the step, before, in and after the landing. */
TEST(landing)
{
    const double h = 1e-3, mass = 7800 * PI * 0.1 * 0.1;
    talus_world_def d = lab(h);
    talus_world *w = open_world(&d);
    const talus_material_id steel = material(w, "steel", 7800);
    law(w, 0.3, 0.5);
    const talus_body_id floor = wall(w, steel, 0, 0, 0, 1), b = free_disk(w, steel, 0, 0.101, 0.1);
    const int centre = watch(w, b, 0, 0), still = watch(w, floor, 1, 1);
    double most = 0;
    for (int k = 0; k < 100; k++) {
        (void)step(w);
        double a[2], impulse = 0;
        for (int i = 0; i < talus_contact_count(w); i++) {
            talus_contact c;
            talus_contact_get(w, i, &c);
            impulse += c.impulse[0];
        }
        measured(w, centre, a);
        CHECK_NEAR(mass * (a[1] + G) * h, impulse, 1e-9 * mass);
        most = fmax(most, a[1]);
        measured(w, still, a);
        CHECK(a[0] == 0 && a[1] == 0);
    }
    /* v (1 + e) within a step, which begins at most a step and a half before the disk would touch: half from q_n to q_m, one from there to the next */
    CHECK(most * h > 1.5 * (sqrt(2 * G * 1e-3) - 1.5 * G * h));
    talus_world_destroy(w);
}

/* A bar let go from the horizontal: its end begins to fall with l m g c / J, and the error of the first step falls with its size. */
TEST(link_end)
{
    const double mass = 2, inertia = 0.3, c = 0.6, l = 1.5, fall = l * mass * G * c / (inertia + mass * c * c);
    double error[2];
    for (int i = 0; i < 2; i++) {
        talus_world_def d = lab(i ? 1e-4 : 1e-3);
        talus_world *w = open_world(&d);
        const talus_mechanism_id m = mechanism(w);
        const talus_body_id b = bar(w, m, mass, inertia, c, 0);
        (void)pin(w, GROUND, 0, 0, b, 0, 0);
        const int end = watch(w, b, l, 0);
        double a[2];
        (void)step(w);
        measured(w, end, a);
        error[i] = fabs(a[1] + fall);
        CHECK(error[i] < fall * d.step && fabs(a[0]) < 2 * fall * fall * d.step / l); /* ω² l = (fall/l)² h² l, less */
        talus_world_destroy(w);
    }
    CHECK(error[1] < 0.2 * error[0] || error[0] < 1e-9 * fall);
}

/* What is not there reads zero; after a restore nothing is known of the step before. */
TEST(limits)
{
    talus_world_def d = lab(1e-3);
    talus_world *w = open_world(&d);
    const talus_body_id b = moving(w, 0, 0, 0, 0, 0), none = {0}, beyond = {99};
    const double point[3] = {0, 0, 0};
    double a[2];
    int number = 7;
    add_disk(w, b, material(w, "steel", 7800), 0, 0, 0.1);
    CHECK(talus_body_watch(w, none, point, &number) == TALUS_INPUT && number == -1);
    CHECK(talus_body_watch(w, beyond, point, &number) == TALUS_INPUT && strstr(talus_world_error(w), "no such body"));
    (void)step(w);
    const int late = watch(w, b, 0, 0);
    measured(w, late, a);
    CHECK(a[0] == 0 && a[1] == 0); /* watched since the step's end */
    measured(w, 5, a);
    CHECK(a[0] == 0 && a[1] == 0);
    (void)step(w);
    measured(w, late, a);
    CHECK_CLOSE(a[1], -G, 1e-9);
    talus_field field[64];
    const int count = talus_state_count(w);
    CHECK(count < 64);
    for (int i = 0; i < count; i++) talus_state_field(w, i, &field[i]);
    CHECK_OK(talus_state_restore(w, field, count), talus_world_error(w));
    measured(w, late, a);
    CHECK(a[0] == 0 && a[1] == 0);
    talus_world_destroy(w);
}

int main(int argc, char **argv)
{
    RUN(flight);
    RUN(landing);
    RUN(link_end);
    RUN(limits);
    return TEST_RESULT;
}
