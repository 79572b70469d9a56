/* Trees of links without contacts: pendulums against tight solutions of independently derived equations, oscillators and drives against
 * closed forms, free chains and tops against what they conserve. θ = ½ with forces at mid-step is of second order. */
#include "physics/linkage.h"

/* ---- a classical Runge–Kutta integrator, for references ------------------------------------------------------------- */

typedef void rates_fn(const double *y, double t, double *out);
enum { MOST = 8 };

static void runge_kutta(rates_fn *rates, double *y, int n, double end, int steps)
{
    const double h = end / steps;
    for (int i = 0; i < steps; i++) {
        double k[4][MOST], z[MOST];
        static const double WHERE[4] = {0, 0.5, 0.5, 1}, SHARE[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
        for (int s = 0; s < 4; s++) {
            for (int j = 0; j < n; j++) z[j] = y[j] + (s ? WHERE[s] * h * k[s - 1][j] : 0);
            rates(z, (i + WHERE[s]) * h, k[s]);
        }
        for (int j = 0; j < n; j++)
            for (int s = 0; s < 4; s++) y[j] += SHARE[s] * h * k[s][j];
    }
}

/* ---- pendulums ---------------------------------------------------------------------------------------------------- */

enum { BARS = 2 };
static const double MASS[BARS] = {1.3, 0.8}, INERTIA[BARS] = {0.05, 0.03}, CENTRE[BARS] = {0.35, 0.25}, LENGTH = 0.7;

static void pendulum_rates(const double *y, double t, double *out)
{
    (void)t;
    out[0] = y[1];
    out[1] = -MASS[0] * G * CENTRE[0] * cos(y[0]) / (INERTIA[0] + MASS[0] * CENTRE[0] * CENTRE[0]);
}

static double pendulum_error(double h)
{
    const talus_world_def d = lab(h);
    talus_world *w = open_world(&d);
    const talus_mechanism_id m = mechanism(w, "pendulum");
    const talus_body_id bar = add_link(w, m, "bar", MASS[0], INERTIA[0], CENTRE[0], 0);
    const talus_joint_id A = hinge(w, "A", GROUND, bar, 0, 0, 1.2, 0.5);
    double y[2] = {1.2, 0.5};
    run_for(w, 2);
    runge_kutta(pendulum_rates, y, 2, 2, 20000);
    const double error = fabs(talus_joint_position(w, A, 0) - y[0]) + fabs(talus_joint_velocity(w, A, 0) - y[1]);
    talus_world_destroy(w);
    return error;
}

TEST(pendulum)
{
    CHECK_SECOND_ORDER(pendulum_error(2e-3), pendulum_error(1e-3));
    CHECK(pendulum_error(2.5e-4) < 1e-5);
}

/* Lagrange's equations in the angles from the x axis; y = φ1, φ2, φ1', φ2'. */
static void double_pendulum_rates(const double *y, double t, double *out)
{
    const double c = cos(y[0] - y[1]), s = sin(y[0] - y[1]), k = MASS[1] * LENGTH * CENTRE[1];
    const double a = INERTIA[0] + MASS[0] * CENTRE[0] * CENTRE[0] + MASS[1] * LENGTH * LENGTH, b = k * c;
    const double d = INERTIA[1] + MASS[1] * CENTRE[1] * CENTRE[1];
    const double f = -k * s * y[3] * y[3] - (MASS[0] * CENTRE[0] + MASS[1] * LENGTH) * G * cos(y[0]);
    const double g = k * s * y[2] * y[2] - MASS[1] * CENTRE[1] * G * cos(y[1]);
    (void)t;
    out[0] = y[2], out[1] = y[3];
    out[2] = (f * d - b * g) / (a * d - b * b);
    out[3] = (a * g - b * f) / (a * d - b * b);
}

static double double_pendulum_error(double h, double theta)
{
    talus_world_def d = lab(h);
    d.theta = theta;
    talus_world *w = open_world(&d);
    const talus_mechanism_id m = mechanism(w, "double");
    const talus_body_id upper = add_link(w, m, "upper", MASS[0], INERTIA[0], CENTRE[0], 0);
    const talus_body_id lower = add_link(w, m, "lower", MASS[1], INERTIA[1], CENTRE[1], 0);
    const talus_joint_id A = hinge(w, "A", GROUND, upper, 0, 0, 0.3, 1), B = hinge(w, "B", upper, lower, LENGTH, 0, 0.9, -3);
    double y[4] = {0.3, 1.2, 1, -2};
    run_for(w, 1);
    runge_kutta(double_pendulum_rates, y, 4, 1, 20000);
    const double q = talus_joint_position(w, A, 0), v = talus_joint_velocity(w, A, 0);
    const double error = fabs(q - y[0]) + fabs(q + talus_joint_position(w, B, 0) - y[1]) + fabs(v - y[2]) +
                         fabs(v + talus_joint_velocity(w, B, 0) - y[3]);
    talus_world_destroy(w);
    return error;
}

TEST(double_pendulum)
{
    CHECK_SECOND_ORDER(double_pendulum_error(2e-3, 0.5), double_pendulum_error(1e-3, 0.5));
    CHECK(double_pendulum_error(1e-4, 0.5) < 1e-5);
    const double coarse = double_pendulum_error(1e-3, 1), fine = double_pendulum_error(5e-4, 1);
    CHECK(coarse > 1.7 * fine && coarse < 2.4 * fine); /* θ = 1: first order */
}

/* ---- joint forces ------------------------------------------------------------------------------------------------- */

static const double STIFFNESS = 90, DAMPING = 1.5, SLIDER = 0.7;

/* A slider on a spring, from x = 0.2 at rest about 0.05. */
static double oscillator_error(double h)
{
    talus_world_def d = lab(h);
    d.gravity[1] = 0;
    talus_world *w = open_world(&d);
    const talus_mechanism_id m = mechanism(w, "slider");
    const talus_joint_id P = add_joint(w, "P", TALUS_JOINT_PRISMATIC, GROUND, add_link(w, m, "block", SLIDER, 1, 0, 0), 0, 0, 0.2, 0);
    talus_joint_force_def f = talus_joint_force_def_default();
    f.stiffness = STIFFNESS, f.damping = DAMPING, f.free_position = 0.05;
    CHECK_OK(talus_joint_add_force(w, P, &f), talus_world_error(w));
    run_for(w, 1);
    const double decay = DAMPING / (2 * SLIDER), omega = sqrt(STIFFNESS / SLIDER - decay * decay);
    const double x = 0.05 + 0.15 * exp(-decay) * (cos(omega) + decay / omega * sin(omega));
    const double error = fabs(talus_joint_position(w, P, 0) - x);
    talus_world_destroy(w);
    return error;
}

TEST(damped_oscillator)
{
    CHECK_SECOND_ORDER(oscillator_error(2e-3), oscillator_error(1e-3));
    CHECK(oscillator_error(1e-4) < 1e-6);
}

static void path(void *user, double t, double out[3])
{
    (void)user;
    out[0] = 0.1 * sin(7 * t), out[1] = 0.7 * cos(7 * t), out[2] = -4.9 * sin(7 * t);
}

static void tracking_rates(const double *y, double t, double *out)
{
    out[0] = y[1];
    out[1] = (fmax(-3, fmin(3, -STIFFNESS * (y[0] - 0.1 * sin(7 * t)) - DAMPING * y[1]))) / SLIDER;
}

/* A PD drive that follows a path, with a force limit that it meets. */
TEST(pd_drive)
{
    double error[2];
    for (int i = 0; i < 2; i++) {
        talus_world_def d = lab(i ? 1e-3 : 2e-3);
        d.gravity[1] = 0;
        talus_world *w = open_world(&d);
        const talus_mechanism_id m = mechanism(w, "slider");
        const talus_joint_id P = add_joint(w, "P", TALUS_JOINT_PRISMATIC, GROUND, add_link(w, m, "block", SLIDER, 1, 0, 0), 0, 0, 0.2, 0);
        talus_joint_force_def f = talus_joint_force_def_default();
        f.stiffness = STIFFNESS, f.damping = DAMPING, f.target = (talus_motion){path, NULL}, f.limit = 3;
        CHECK_OK(talus_joint_add_force(w, P, &f), talus_world_error(w));
        double y[2] = {0.2, 0};
        run_for(w, 2);
        runge_kutta(tracking_rates, y, 2, 2, 40000);
        error[i] = fabs(talus_joint_position(w, P, 0) - y[0]);
        talus_world_destroy(w);
    }
    CHECK(error[0] > 2 * error[1] && error[1] < 1e-4); /* the limit has kinks: somewhere between first and second order */
}

static const double TURN = 1.7;

/* The torque that turns a heavy bar at constant speed, at mid-step: m g c cos φ. */
TEST(imposed_speed)
{
    const talus_world_def d = lab(1e-3);
    talus_world *w = open_world(&d);
    const talus_mechanism_id m = mechanism(w, "bar");
    const talus_joint_id A = hinge(w, "A", GROUND, add_link(w, m, "bar", MASS[0], INERTIA[0], CENTRE[0], 0), 0, 0, 0.4, 0);
    turn_at(w, A, &TURN);
    for (int i = 0; i < 3000; i++) {
        step_once(w);
        const double t = talus_world_time(w);
        CHECK_NEAR(talus_joint_position(w, A, 0), 0.4 + TURN * t, 1e-11);
        CHECK_NEAR(talus_joint_force(w, A, 0), MASS[0] * G * CENTRE[0] * cos(0.4 + TURN * (t - 5e-4)), 1e-9);
    }
    CHECK(talus_degrees_of_freedom(w) == 0);
    talus_world_destroy(w);
}

/* ---- what is conserved -------------------------------------------------------------------------------------------- */

static void momenta(const talus_world *w, const talus_body_id *links, int n, const double (*centre)[3], const double *mass, const double *inertia,
                    double out[3])
{
    out[0] = out[1] = out[2] = 0;
    for (int i = 0; i < n; i++) {
        double p[3], q[4], v[3], omega[3];
        talus_body_velocity(w, links[i], centre[i], v, omega);
        talus_body_pose(w, links[i], p, q);
        const double angle = talus_body_angle(w, links[i]), c = cos(angle), s = sin(angle);
        const double x = p[0] + c * centre[i][0] - s * centre[i][1], y = p[1] + s * centre[i][0] + c * centre[i][1];
        out[0] += mass[i] * v[0], out[1] += mass[i] * v[1];
        out[2] += mass[i] * (x * v[1] - y * v[0]) + inertia[i] * omega[2];
    }
}

/* Three links afloat: how far angular momentum, energy and momentum have drifted after 1 s. */
static void floating_chain(double h, double drift[3])
{
    static const double M[3] = {1, 0.5, 2}, J[3] = {0.02, 0.01, 0.04}, C[3][3] = {{0.1, 0.05, 0}, {0.2, 0, 0}, {0.3, -0.1, 0}};
    talus_world_def d = lab(h);
    d.gravity[1] = 0;
    talus_world *w = open_world(&d);
    const talus_mechanism_id m = mechanism(w, "chain");
    talus_body_id link[3];
    for (int i = 0; i < 3; i++) link[i] = add_link(w, m, NULL, M[i], J[i], C[i][0], C[i][1]);
    talus_joint_def f = talus_joint_def_default();
    talus_joint_id id;
    f.kind = TALUS_JOINT_PLANAR;
    f.child = link[0];
    f.velocity[0] = 0.4, f.velocity[1] = -0.3, f.velocity[2] = 2;
    CHECK_OK(talus_joint_create(w, &f, &id), talus_world_error(w));
    hinge(w, "B", link[0], link[1], 0.5, 0, 0.7, -5);
    hinge(w, "C", link[1], link[2], 0.4, 0.1, -0.5, 4);
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    double start[3], now[3];
    momenta(w, link, 3, C, M, J, start);
    const double energy = total_energy(w);
    for (int i = (int)lround(1 / h); i > 0; i--) {
        step_once(w);
        momenta(w, link, 3, C, M, J, now);
    }
    drift[0] = fabs(now[2] - start[2]);
    drift[1] = fabs(total_energy(w) - energy);
    CHECK(fabs(start[2]) > 0.1 && hypot(start[0], start[1]) > 0.1);
    drift[2] = hypot(now[0] - start[0], now[1] - start[1]); /* coordinates are relative: momentum is not one of them */
    talus_world_destroy(w);
}

TEST(floating)
{
    double coarse[3], fine[3];
    floating_chain(1e-3, coarse);
    floating_chain(5e-4, fine);
    CHECK_SECOND_ORDER(coarse[0], fine[0]);
    CHECK_SECOND_ORDER(coarse[1], fine[1]);
    CHECK_SECOND_ORDER(coarse[2], fine[2]);
    CHECK(fine[0] < 1e-4 && fine[1] < 1e-3 && fine[2] < 1e-4);
}

static const double TOP[3] = {0.03, 0.05, 0.02};

/* Euler's equations of the torque-free top, in its axes. */
static void top_rates(const double *w, double t, double *out)
{
    (void)t;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = (TOP[j] - TOP[k]) * w[j] * w[k] / TOP[i];
    }
}

/* Error of the rates, and of the angular momentum in world axes, after 1 s. */
static void spin_top(double h, double error[2])
{
    talus_world_def d = lab(h);
    d.dimension = 3;
    d.gravity[1] = 0;
    talus_world *w = open_world(&d);
    const talus_mechanism_id m = mechanism(w, "top");
    talus_link_def l = talus_link_def_default();
    talus_body_id body_id = {0, 0};
    l.mass = 1;
    memcpy(l.inertia, TOP, sizeof TOP);
    CHECK_OK(talus_link_create(w, m, &l, &body_id), talus_world_error(w));
    talus_joint_def j = talus_joint_def_default();
    talus_joint_id S = {0, 0};
    j.kind = TALUS_JOINT_SPHERICAL;
    j.child = body_id;
    double omega[3] = {3, 0.5, 4};
    memcpy(j.velocity, omega, sizeof omega);
    CHECK_OK(talus_joint_create(w, &j, &S), talus_world_error(w));
    run_for(w, 1);
    const double L[3] = {TOP[0] * omega[0], TOP[1] * omega[1], TOP[2] * omega[2]};
    runge_kutta(top_rates, omega, 3, 1, 20000);
    double p[3], q[4], local[3], now[3];
    talus_body_pose(w, body_id, p, q);
    error[0] = error[1] = 0;
    for (int i = 0; i < 3; i++) {
        local[i] = TOP[i] * talus_joint_velocity(w, S, i);
        error[0] += fabs(talus_joint_velocity(w, S, i) - omega[i]);
    }
    const double t[3] = {2 * (q[2] * local[2] - q[3] * local[1]), 2 * (q[3] * local[0] - q[1] * local[2]), 2 * (q[1] * local[1] - q[2] * local[0])};
    for (int i = 0; i < 3; i++) {
        const int a = (i + 1) % 3, b = (i + 2) % 3;
        now[i] = local[i] + q[0] * t[i] + q[1 + a] * t[b] - q[1 + b] * t[a];
        error[1] += fabs(now[i] - L[i]);
    }
    talus_world_destroy(w);
}

TEST(spatial_top)
{
    double coarse[2], fine[2];
    spin_top(2e-3, coarse);
    spin_top(1e-3, fine);
    CHECK_SECOND_ORDER(coarse[0], fine[0]);
    CHECK_SECOND_ORDER(coarse[1], fine[1]);
    CHECK(fine[0] < 1e-4 && fine[1] < 1e-5);
}

int main(int argc, char **argv)
{
    RUN(pendulum);
    RUN(double_pendulum);
    RUN(damped_oscillator);
    RUN(pd_drive);
    RUN(imposed_speed);
    RUN(floating);
    RUN(spatial_top);
    return TEST_RESULT;
}
