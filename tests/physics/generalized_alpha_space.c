/* Nonsmooth generalized-α in space: a body that turns about no principal axis, a ball on a plate, a mechanism that strikes. */
#include "physics/spatial.h"

enum { RUNS = 3 };

static const double J[3] = {0.02, 0.05, 0.06};

static void euler(const double *w, double *dw)
{
    for (int i = 0; i < 3; i++) dw[i] = (J[(i + 1) % 3] - J[(i + 2) % 3]) * w[(i + 1) % 3] * w[(i + 2) % 3] / J[i];
}

/* Euler's equations by the classical Runge–Kutta method. */
static void turn_freely(double *w, double t, int n)
{
    for (int step = 0; step < n; step++) {
        const double h = t / n;
        double k[4][3], s[3];
        euler(w, k[0]);
        for (int stage = 1; stage < 4; stage++) {
            for (int i = 0; i < 3; i++) s[i] = w[i] + h * (stage == 3 ? 1 : 0.5) * k[stage - 1][i];
            euler(s, k[stage]);
        }
        for (int i = 0; i < 3; i++) w[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
}

static void to_body(const double q[4], const double in[3], double out[3])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double R[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    for (int i = 0; i < 3; i++) out[i] = R[0][i] * in[0] + R[1][i] * in[1] + R[2][i] * in[2];
}

/* The spin in the body's axes is that of Euler's equations, and the momentum in the world's axes stays: J ω of the body's axes
 * turned back is what it was. Both but for h². */
TEST(spinning_body)
{
    const double start[3] = {3, 0.4, 5}, t = 1;
    double want[3] = {3, 0.4, 5}, spin_error[RUNS], momentum_error[RUNS];
    turn_freely(want, t, 4000);
    for (int run_number = 0; run_number < RUNS; run_number++) {
        const int n = 400 << run_number;
        talus_world_def d = lab(t / n);
        d.scheme = TALUS_SCHEME_GENERALIZED_ALPHA;
        d.gravity[2] = 0;
        talus_world *w = open_world(&d);
        talus_body_def b = talus_body_def_default();
        b.mass = 2;
        for (int i = 0; i < 3; i++) b.inertia_space[i] = J[i], b.spin[i] = start[i];
        const talus_body_id body = add_body(w, &b);
        run(w, n);
        static const double ORIGIN[3];
        double p[3], q[4], v[3], spin[3], own[3], held[3], L[3];
        talus_body_pose(w, body, p, q);
        talus_body_velocity(w, body, ORIGIN, v, spin);
        to_body(q, spin, own);
        for (int i = 0; i < 3; i++) L[i] = J[i] * start[i];
        to_body(q, L, held); /* the momentum, in the axes of the body at the end */
        spin_error[run_number] = momentum_error[run_number] = 0;
        for (int i = 0; i < 3; i++) {
            spin_error[run_number] = fmax(spin_error[run_number], fabs(own[i] - want[i]));
            momentum_error[run_number] = fmax(momentum_error[run_number], fabs(held[i] / J[i] - want[i]));
        }
        talus_world_destroy(w);
    }
    for (int i = 1; i < RUNS; i++) {
        CHECK_NEAR(log2(spin_error[i - 1] / spin_error[i]), 2, 0.2);
        CHECK_NEAR(log2(momentum_error[i - 1] / momentum_error[i]), 2, 0.2);
    }
    CHECK(spin_error[RUNS - 1] < 1e-3 && momentum_error[RUNS - 1] < 1e-3);
}

/* A ball that falls on a plate bounces with e of its speed, and one that lies there stays there. */
TEST(balls_on_a_plate)
{
    const double h = 1e-3, e = 0.6;
    talus_world_def d = lab(h);
    d.scheme = TALUS_SCHEME_GENERALIZED_ALPHA;
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, 2000);
    law(w, 0.3, e);
    ground(w, m, 0, 0, 1);
    const talus_body_id falls = sphere(w, m, 0, 0, 0.3, 0.1), lies = sphere(w, m, 1, 0, 0.1, 0.1);
    double before = 0;
    for (int i = 0; i < 400; i++) {
        double v[3], spin[3], p[3];
        run(w, 1);
        motion(w, falls, v, spin);
        if (before < -0.5 && v[2] > 0) CHECK_NEAR(v[2], -e * before, 1e-8);
        before = v[2];
        place(w, lies, p);
        CHECK_NEAR(p[2], 0.1, 1e-9);
        motion(w, lies, v, spin);
        CHECK_NEAR(v[2], 0, 1e-9);
    }
    talus_world_destroy(w);
}

/* A plate on a vertical slide strikes a ball in the middle: momentum along the slide is kept, and they part with e of what they
 * met with. */
TEST(mechanism_strikes_a_ball)
{
    const double e = 0.4, speed = 2;
    talus_world_def d = lab(1e-3);
    d.scheme = TALUS_SCHEME_GENERALIZED_ALPHA;
    d.gravity[2] = 0;
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, 2000);
    law(w, 0.3, e);
    const talus_body_id plate = ram(w, 3, 0.5, -speed), ball = sphere(w, m, 0, 0, 0, 0.1);
    add_box(w, plate, m, 0.4, 0.4, 0.1);
    run(w, 400);
    const double ours = 3, its = talus_body_mass(w, ball), both = -ours * speed / (ours + its);
    double v[3], spin[3], x[3], y[3];
    motion(w, ball, v, spin);
    CHECK_NEAR(v[2], both - e * speed * ours / (ours + its), 1e-8);
    motion(w, plate, v, spin);
    CHECK_NEAR(v[2], both + e * speed * its / (ours + its), 1e-8);
    place(w, plate, x);
    place(w, ball, y);
    CHECK(x[2] - 0.05 > y[2] + 0.1 - 1e-9);
    talus_world_destroy(w);
}

/* A stone on a slope of 0.4 rad under μ = 0.5 sticks; under μ = 0.3 it slides with g (sin α − μ cos α), across the axes. */
TEST(on_a_slope)
{
    for (int slides = 0; slides < 2; slides++) {
        talus_world_def d = lab(1e-3);
        d.scheme = TALUS_SCHEME_GENERALIZED_ALPHA;
        d.solver.tolerance = 1e-12;
        d.gravity[0] = 0.8 * G * sin(0.4), d.gravity[1] = 0.6 * G * sin(0.4), d.gravity[2] = -G * cos(0.4);
        talus_world *w = open_world(&d);
        const talus_material_id m = material(w, 2000);
        law(w, slides ? 0.3 : 0.5, 0);
        ground(w, m, 0, 0, 1);
        talus_body_def b = talus_body_def_default();
        b.position[2] = 0.1;
        const talus_body_id stone = add_body(w, &b);
        add_box(w, stone, m, 0.4, 0.3, 0.2);
        run(w, slides ? 500 : 3000);
        const double way = slides ? 0.5 * 0.25 * G * (sin(0.4) - 0.3 * cos(0.4)) : 0;
        double p[3];
        place(w, stone, p);
        CHECK_NEAR(p[0], 0.8 * way, slides ? 2e-6 : 1e-8);
        CHECK_NEAR(p[1], 0.6 * way, slides ? 2e-6 : 1e-8);
        CHECK_NEAR(p[2], 0.1, 1e-7);
        talus_world_destroy(w);
    }
}

int main(int argc, char **argv)
{
    RUN(spinning_body);
    RUN(balls_on_a_plate);
    RUN(mechanism_strikes_a_ball);
    RUN(on_a_slope);
    return TEST_RESULT;
}
