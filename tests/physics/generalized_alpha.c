/* Nonsmooth generalized-α in the plane: order 2 between impacts against closed forms and tight solutions of other equations,
 * what its spectral radius says, impacts against the closed form, no overlap that grows. */
#include "physics/joints.h"

static talus_world_def alpha_lab(double h, double radius)
{
    talus_world_def d = lab(h);
    d.scheme = TALUS_SCHEME_GENERALIZED_ALPHA;
    d.spectral_radius = radius;
    return d;
}

/* A physical pendulum from rest at 2.5 rad passes the bottom after a quarter of its period (joints against closed forms:
 * physics.mechanism). The way there takes as long for any spectral radius, but for h². */
static void check_pendulum(double radius)
{
    const double mass = 2, inertia = 0.3, l = 0.6, start = 2.5, J = inertia + mass * l * l;
    double a = 1, b = cos(0.5 * start), angle[RUNS], speed[RUNS];
    for (int i = 0; i < 20; i++) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b), a = mean;
    }
    const double quarter = sqrt(J / (mass * G * l)) * PI / (2 * a), fastest = sqrt(2 * mass * G * l * (1 - cos(start)) / J);
    for (int i = 0; i < RUNS; i++) {
        const int n = 200 << i;
        talus_world_def d = alpha_lab(quarter / n, radius);
        talus_world *w = open_world(&d);
        const talus_joint_id j = pin(w, GROUND, 0.3, -0.2, bar(w, mechanism(w), mass, inertia, 0, -l), start, 0);
        run(w, n);
        angle[i] = fabs(position(w, j));
        speed[i] = fabs(rate(w, j) + fastest) / fastest;
        talus_world_destroy(w);
    }
    check_order("angle after T/4", angle, 2, 0.15, 1e-4);
    check_order("speed after T/4", speed, 2, 0.15, 1e-4);
}

TEST(pendulum)
{
    check_pendulum(1);
    check_pendulum(0.8);
    check_pendulum(0.2);
}

static const double M1 = 1.2, M2 = 0.7, L1 = 0.5, L2 = 0.8;

/* Lagrange's equations of two point masses, by the angles of the bars from below. */
static void two_bars(const double *y, double *dy)
{
    const double d = y[0] - y[1], under = 2 * M1 + M2 - M2 * cos(2 * d);
    dy[0] = y[2], dy[1] = y[3];
    dy[2] = (-G * (2 * M1 + M2) * sin(y[0]) - M2 * G * sin(y[0] - 2 * y[1]) - 2 * sin(d) * M2 * (y[3] * y[3] * L2 + y[2] * y[2] * L1 * cos(d))) / (L1 * under);
    dy[3] = 2 * sin(d) * (y[2] * y[2] * L1 * (M1 + M2) + G * (M1 + M2) * cos(y[0]) + y[3] * y[3] * L2 * M2 * cos(d)) / (L2 * under);
}

TEST(double_pendulum)
{
    const double t = 0.8;
    double want[4] = {1, 1.7, 0.3, -2}, first[RUNS], second[RUNS];
    runge_kutta(two_bars, want, 4, t, 4000);
    for (int i = 0; i < RUNS; i++) {
        const int n = 400 << i;
        talus_world_def d = alpha_lab(t / n, 0.8);
        talus_world *w = open_world(&d);
        const talus_mechanism_id m = mechanism(w);
        const talus_body_id upper = bar(w, m, M1, 0, 0, -L1);
        const talus_joint_id a = pin(w, GROUND, 0, 0, upper, 1, 0.3), b = pin(w, upper, 0, -L1, bar(w, m, M2, 0, 0, -L2), 0.7, -2.3);
        run(w, n);
        first[i] = fabs(position(w, a) - want[0]);
        second[i] = fabs(rate(w, a) + rate(w, b) - want[3]);
        talus_world_destroy(w);
    }
    check_order("upper angle", first, 2, 0.2, 1e-3);
    check_order("lower rate", second, 2, 0.2, 1e-2);
}

/* A damped oscillator of natural frequency omega, at rest at 1 m. */
static talus_world *oscillator(double h, double radius, double omega, double damping, talus_joint_id *j)
{
    talus_world_def d = alpha_lab(h, radius);
    talus_joint_force_def f = talus_joint_force_def_default();
    talus_world *w = open_world(&d);
    *j = slide(w, bar(w, mechanism(w), 2, 0.1, 0, 0), 1, 0);
    f.stiffness = 2 * omega * omega, f.damping = 2 * damping;
    force(w, *j, &f);
    return w;
}

TEST(spring_and_damper)
{
    const double omega = 5, damping = 1.5, t = 1.3, decay = 0.5 * damping, free = sqrt(omega * omega - decay * decay);
    double error[RUNS];
    for (int i = 0; i < RUNS; i++) {
        talus_joint_id j;
        talus_world *w = oscillator(t / (100 << i), 0.8, omega, damping, &j);
        run(w, 100 << i);
        error[i] = fabs(position(w, j) - exp(-decay * t) * (cos(free * t) + decay / free * sin(free * t)));
        talus_world_destroy(w);
    }
    check_order("way", error, 2, 0.15, 1e-4);
}

/* Energy of an oscillator after n steps. */
static double energy_after(double radius, double omega_h, int n)
{
    talus_joint_id j;
    talus_world *w = oscillator(1e-3, radius, omega_h / 1e-3, 0, &j);
    run(w, n);
    const double e = energy(w);
    talus_world_destroy(w);
    return e;
}

/* At infinite frequency the amplification has the spectral radius in one Jordan block of three: what is left after n steps falls as
 * n² radiusⁿ at the slowest and as radiusⁿ at the fastest. At low frequency nothing is lost; nor at any frequency with radius 1. */
TEST(spectral_radius)
{
    static const double RADIUS[] = {0.3, 0.6, 0.9};
    for (size_t k = 0; k < sizeof RADIUS / sizeof *RADIUS; k++) {
        const int n = 40;
        const double ratio = sqrt(energy_after(RADIUS[k], 1e4, 2 * n) / energy_after(RADIUS[k], 1e4, n)), once = pow(RADIUS[k], n);
        CHECK(ratio > 0.99 * once && ratio < 4 * 1.01 * once);
    }
    const double start = 0.5 * 2 * 0.02 * 0.02 * 1e6;
    CHECK_CLOSE(energy_after(0.8, 0.02, 1000), start, 2e-3);
    CHECK_CLOSE(energy_after(1, 0.5, 1000), 0.5 * 2 * 0.5 * 0.5 * 1e6, 0.07); /* of (ω h)²/4: the energy of a discrete oscillator swings */
}

/* Let fall from 1 m, e = 0.5: the k-th impact at t_k, then v_k = −eᵏ v_0. An impact comes less than a step late. */
static double bounce_error(double h, double *lost)
{
    const double e = 0.5, t = 1.1, t0 = sqrt(2 / G), v0 = G * t0;
    talus_world_def d = alpha_lab(h, 0.8);
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, "steel", 1000);
    law(w, 0, e);
    wall(w, m, 0, 0, 0, 1);
    const talus_body_id ball = free_disk(w, m, 0, 1.1, 0.1);
    double before = 0, worst = 0, since = t - t0, up = e * v0;
    for (int i = 0; i < (int)lround(t / h); i++) {
        before = speed(w, ball, 1);
        run(w, 1);
        const double after = speed(w, ball, 1);
        if (before < 0 && after > 0) worst = fmax(worst, fabs(after + e * before));
        CHECK(at(w, ball, 1) > 0.1 - 1e-9);
    }
    *lost = worst;
    for (; since > 2 * up / G; up *= e) since -= 2 * up / G;
    const double want = 0.1 + since * (up - 0.5 * G * since), is = at(w, ball, 1);
    talus_world_destroy(w);
    return fabs(is - want);
}

TEST(bouncing_ball)
{
    for (double h = 1e-3; h > 1e-5; h *= 0.25) {
        double lost;
        CHECK(bounce_error(h, &lost) < 3 * 4.5 * h); /* two impacts, each with a speed below 4.5 m/s less than a step late, and what is lost there */
        CHECK_NEAR(lost, 0, 1e-9);
    }
}

static void lift(void *user, double t, double out[3])
{
    (void)user;
    out[0] = 0.01 * sin(20 * t), out[1] = 0.2 * cos(20 * t), out[2] = -4 * sin(20 * t);
}

/* A floor that swings with less than g carries a ball that rolls over it: it stays closed to a billionth, for ever. */
TEST(moving_floor)
{
    talus_world_def d = alpha_lab(1e-3, 0.8);
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, "steel", 1000);
    law(w, 0.5, 0);
    talus_body_def b = talus_body_def_default();
    talus_body_id floor;
    b.kind = TALUS_BODY_IMPOSED;
    b.motion[1].value = lift;
    CHECK_OK(talus_body_create(w, &b, &floor), talus_world_error(w));
    add_half_plane(w, floor, m, 0, 0, 0, 1);
    const talus_body_id ball = moving(w, 0, 0.1, 1, 0.2, -10);
    add_disk(w, ball, m, 0, 0, 0.1);
    for (int i = 0; i < 5000; i++) {
        run(w, 1);
        const double t = talus_world_time(w);
        CHECK_NEAR(at(w, ball, 1) - 0.1, 0.01 * sin(20 * t), 2e-9);
        CHECK_NEAR(speed(w, ball, 1), 0.2 * cos(20 * t), 1e-9);
        CHECK_NEAR(speed(w, ball, 0), 1, 1e-6);
    }
    CHECK_NEAR(at(w, ball, 0), 5, 1e-5);
    talus_world_destroy(w);
}

/* A state that is taken and put into another world of the same making goes on there bit by bit: the accelerations that the scheme
 * remembers are part of it. */
TEST(restart)
{
    enum { FIELDS = 32 };
    talus_world *w[2];
    talus_field field[FIELDS];
    for (int k = 0; k < 2; k++) {
        talus_joint_id j;
        w[k] = oscillator(1e-2, 0.8, 9, 0.3, &j);
        CHECK_OK(talus_world_assemble(w[k]), talus_world_error(w[k]));
    }
    run(w[0], 37);
    const int count = talus_state_count(w[0]);
    CHECK(count <= FIELDS);
    for (int i = 0; i < count && i < FIELDS; i++) talus_state_field(w[0], i, &field[i]);
    CHECK_OK(talus_state_restore(w[1], field, count), talus_world_error(w[1]));
    run(w[0], 20);
    run(w[1], 20);
    CHECK(talus_world_hash(w[0]) == talus_world_hash(w[1]));
    for (int k = 0; k < 2; k++) talus_world_destroy(w[k]);
}

TEST(mistakes)
{
    talus_world_def d = alpha_lab(1e-3, 1.01);
    talus_world *w = NULL;
    char text[256] = "";
    CHECK(talus_world_create(&d, &w, text, sizeof text) == TALUS_INPUT && strstr(text, "spectral radius is 1.01"));
}

int main(int argc, char **argv)
{
    RUN(pendulum);
    RUN(double_pendulum);
    RUN(spring_and_damper);
    RUN(spectral_radius);
    RUN(bouncing_ball);
    RUN(moving_floor);
    RUN(restart);
    RUN(mistakes);
    return TEST_RESULT;
}
