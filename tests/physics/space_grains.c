/* Closed forms of grains in space. */
#include "spatial.h"

/* A ball in free flight: θ = ½ is exact; on the floor it rests. */
TEST(flight_and_rest)
{
    talus_world_def d = lab(1e-3);
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, 2500);
    law(w, 0.5, 0);
    ground(w, m, 0, 0, 1);
    talus_body_def b = talus_body_def_default();
    const double centre[1][3] = {{0, 0, 0}};
    b.position[2] = 1;
    b.velocity[0] = 2, b.velocity[1] = -1, b.velocity[2] = 3;
    const talus_body_id ball = add_body(w, &b);
    add_corners(w, ball, m, TALUS_SHAPE_SPHERE, centre, 1, 0.05);
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    CHECK_CLOSE(talus_body_mass(w, ball), 2500 * 4 / 3.0 * PI * 0.05 * 0.05 * 0.05, 1e-14);
    run(w, 500);
    double x[3];
    place(w, ball, x);
    CHECK_NEAR(x[0], 1, 1e-13);
    CHECK_NEAR(x[1], -0.5, 1e-13);
    CHECK_NEAR(x[2], 1 + 1.5 - 0.5 * G * 0.25, 1e-12);
    run(w, 2500);
    place(w, ball, x);
    CHECK_NEAR(x[2], 0.05, 1e-6); /* the slop of the drift correction is 5e-5; anticipated contacts touch exactly */
    talus_world_destroy(w);
}

/* A ball that slides begins to roll at 5/7 of its speed, after t = 2 v / (7 μ g). */
TEST(rolling_ball)
{
    const double v0 = 2, mu = 0.3, h = 1e-4, radius = 0.1;
    for (int k = 0; k < 3; k++) {
        const double azimuth = 0.7 + 1.9 * k, c = cos(azimuth), s = sin(azimuth), end = 2 * v0 / (7 * mu * G);
        talus_world_def d = lab(h);
        talus_world *w = open_world(&d);
        const talus_material_id m = material(w, 1000);
        const double centre[1][3] = {{0, 0, 0}};
        law(w, mu, 0);
        ground(w, m, 0, 0, 1);
        talus_body_def b = talus_body_def_default();
        b.position[2] = radius;
        b.velocity[0] = v0 * c, b.velocity[1] = v0 * s;
        const talus_body_id ball = add_body(w, &b);
        add_corners(w, ball, m, TALUS_SHAPE_SPHERE, centre, 1, radius);
        double v[3], omega[3];
        run(w, (int)(0.5 * end / h));
        motion(w, ball, v, omega);
        const double t = talus_world_time(w);
        CHECK_NEAR(v[0] * c + v[1] * s, v0 - mu * G * t, 1e-8);
        CHECK_NEAR(-omega[0] * s + omega[1] * c, 2.5 * mu * G * t / radius, 1e-6);
        run(w, (int)(end / h));
        motion(w, ball, v, omega);
        CHECK_NEAR(v[0] * c + v[1] * s, 5 * v0 / 7, 1e-7);
        CHECK_NEAR(-v[0] * s + v[1] * c, 0, 1e-8);
        CHECK_NEAR(-omega[0] * s + omega[1] * c, 5 * v0 / 7 / radius, 1e-6);
        talus_world_destroy(w);
    }
}

/* A box on an incline in any direction: it sticks below μ = tan α, and slides g (sin α − μ cos α) t²/2 above. */
TEST(incline)
{
    const double alpha = 0.4, h = 1e-3;
    const double ratios[] = {1.01, 0.99, 0.5, 0};
    for (int azimuth = 0; azimuth < 5; azimuth++)
        for (int k = 0; k < 4; k++) {
            const double mu = ratios[k] * tan(alpha), a = 1.3 * azimuth, tilt[2] = {cos(a), sin(a)};
            talus_world_def d = lab(h);
            talus_world *w = open_world(&d);
            const talus_material_id m = material(w, 1000);
            law(w, mu, 0);
            const double n[3] = {sin(alpha) * tilt[0], sin(alpha) * tilt[1], cos(alpha)};
            ground(w, m, n[0], n[1], n[2]);
            talus_body_def b = talus_body_def_default();
            for (int i = 0; i < 3; i++) b.position[i] = 0.05 * n[i];
            turn(b.quaternion, alpha, -tilt[1], tilt[0], 0); /* z onto n */
            const talus_body_id block = add_body(w, &b);
            add_box(w, block, m, 0.3, 0.4, 0.1);
            run(w, 1000);
            double x[3], way[3];
            place(w, block, x);
            for (int i = 0; i < 3; i++) way[i] = x[i] - b.position[i];
            const double expected = ratios[k] > 1 ? 0 : 0.5 * G * (sin(alpha) - mu * cos(alpha));
            CHECK_NEAR(size3(way), expected, 1e-7 + G * h * h + 1e-3 * expected);
            CHECK_NEAR(way[0] * n[0] + way[1] * n[1] + way[2] * n[2], 0, 1e-7);
            talus_world_destroy(w);
        }
}

/* Twenty boxes: each interface carries the weight above it. */
TEST(tower)
{
    enum { N = 20 };
    talus_world_def d = lab(1e-3);
    d.solver.tolerance = 1e-9;
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, 1000);
    talus_body_id b[N];
    law(w, 0.5, 0);
    const talus_body_id floor = ground(w, m, 0, 0, 1);
    for (int i = 0; i < N; i++) b[i] = box(w, m, 0, 0, 0.1 + 0.2 * i, 0.3, 0.25, 0.2);
    run(w, 50);
    double f[3];
    const double weight = 1000 * 0.3 * 0.25 * 0.2 * G;
    contact_force(w, floor, f);
    CHECK_NEAR(f[2], -N * weight, N * 15 * 1e-9 / 1e-3 + 1e-6 * weight); /* n m τ / h: what the tolerance may leave in the velocities of all */
    for (int i = 0; i < N; i++) {
        contact_force(w, b[i], f);
        CHECK_NEAR(f[2], weight, 2 * 15 * 1e-9 / 1e-3 + 1e-6 * weight);
        double x[3];
        place(w, b[i], x);
        CHECK_NEAR(x[2], 0.1 + 0.2 * i, 1e-7);
    }
    talus_world_destroy(w);
}

/* A ball on four that stand in a square: each carries a quarter of it; the contact's inclination follows from the geometry. */
TEST(ball_on_four)
{
    const double r = 0.1, half = 0.11;
    talus_world_def d = lab(1e-3);
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, 1000);
    law(w, 0, 0);
    talus_body_id low[4];
    for (int i = 0; i < 4; i++) {
        talus_body_def b = talus_body_def_default();
        const double centre[1][3] = {{0, 0, 0}};
        b.kind = TALUS_BODY_FIXED;
        b.position[0] = i & 1 ? half : -half, b.position[1] = i & 2 ? half : -half;
        low[i] = add_body(w, &b);
        add_corners(w, low[i], m, TALUS_SHAPE_SPHERE, centre, 1, r);
    }
    const double height = sqrt(4 * r * r - 2 * half * half);
    const talus_body_id top = sphere(w, m, 0, 0, height, r);
    run(w, 20);
    const double weight = talus_body_mass(w, top) * G, normal = weight / 4 * (2 * r / height);
    for (int i = 0; i < 4; i++) {
        double f[3];
        contact_force(w, low[i], f);
        CHECK_NEAR(f[2], -weight / 4, 1e-5 * weight);
        CHECK_NEAR(size3(f), normal, 1e-5 * weight);
    }
    talus_world_destroy(w);
}

/* A prism of eight sides that spins on the floor: its rim's corners carry it evenly, so friction slows it by μ m g R / J. */
TEST(spinning_disk)
{
    const double R = 0.2, height = 0.05, mu = 0.3, spin = 20;
    double corner[16][3];
    talus_world_def d = lab(1e-4);
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, 1000);
    law(w, mu, 0);
    ground(w, m, 0, 0, 1);
    for (int i = 0; i < 16; i++) corner[i][0] = R * cos(i * PI / 4), corner[i][1] = R * sin(i * PI / 4), corner[i][2] = i < 8 ? 0 : height;
    talus_body_def b = talus_body_def_default();
    b.spin[2] = spin;
    const talus_body_id disk = add_body(w, &b);
    add_corners(w, disk, m, TALUS_SHAPE_POLYHEDRON, (const double(*)[3])corner, 16, 0);
    run(w, 1000);
    double v[3], omega[3];
    motion(w, disk, v, omega);
    /* ∫ r² dA of a regular polygon over its area: R² (2 + cos 2π/n)/6, about the axis */
    const double slowing = mu * G * R / (R * R * (2 + cos(PI / 4)) / 6);
    CHECK_NEAR(omega[2], spin - slowing * talus_world_time(w), 1e-3 * slowing * talus_world_time(w));
    CHECK_NEAR(omega[0], 0, 1e-6);
    talus_world_destroy(w);
}

/* A top without torque: energy is kept to rounding, angular momentum in space to second order in h. */
TEST(free_top)
{
    double drift[3], energy_drift = 0;
    for (int k = 0; k < 3; k++) {
        const double h = 4e-3 / (1 << k);
        talus_world_def d = lab(h);
        d.gravity[2] = 0;
        talus_world *w = open_world(&d);
        const talus_material_id m = material(w, 1000);
        talus_body_def b = talus_body_def_default();
        b.spin[0] = 0.1, b.spin[1] = 8, b.spin[2] = 0.2; /* about the middle axis: it tumbles */
        const talus_body_id top = add_body(w, &b);
        add_box(w, top, m, 0.1, 0.2, 0.4);
        CHECK_OK(talus_world_assemble(w), talus_world_error(w));
        const double mass = talus_body_mass(w, top), J[3] = {mass / 12 * (0.04 + 0.16), mass / 12 * (0.01 + 0.16), mass / 12 * (0.01 + 0.04)};
        double kinetic, potential, start, L0[3] = {J[0] * 0.1, J[1] * 8, J[2] * 0.2};
        talus_world_energy(w, &start, &potential);
        CHECK_CLOSE(start, 0.5 * (J[0] * 0.01 + J[1] * 64 + J[2] * 0.04), 1e-13);
        run(w, (int)(2 / h + 0.5));
        talus_world_energy(w, &kinetic, &potential);
        energy_drift = fmax(energy_drift, fabs(kinetic / start - 1));
        double x[3], q[4], v[3], omega[3], local[3], L[3];
        talus_body_pose(w, top, x, q);
        motion(w, top, v, omega);
        const double R[3][3] = {{1 - 2 * (q[2] * q[2] + q[3] * q[3]), 2 * (q[1] * q[2] - q[0] * q[3]), 2 * (q[1] * q[3] + q[0] * q[2])},
                                {2 * (q[1] * q[2] + q[0] * q[3]), 1 - 2 * (q[1] * q[1] + q[3] * q[3]), 2 * (q[2] * q[3] - q[0] * q[1])},
                                {2 * (q[1] * q[3] - q[0] * q[2]), 2 * (q[2] * q[3] + q[0] * q[1]), 1 - 2 * (q[1] * q[1] + q[2] * q[2])}};
        for (int i = 0; i < 3; i++) local[i] = J[i] * (R[0][i] * omega[0] + R[1][i] * omega[1] + R[2][i] * omega[2]);
        for (int i = 0; i < 3; i++) L[i] = R[i][0] * local[0] + R[i][1] * local[1] + R[i][2] * local[2] - L0[i];
        drift[k] = size3(L) / size3(L0);
        talus_world_destroy(w);
    }
    CHECK_NEAR(energy_drift, 0, 1e-12);
    CHECK_NEAR(log2(drift[0] / drift[1]), 2, 0.25);
    CHECK_NEAR(log2(drift[1] / drift[2]), 2, 0.15);
    if (test_failures) fprintf(stderr, "drift of L %g %g %g\n", drift[0], drift[1], drift[2]);
}

/* A box on an incline with rough contact tips when the plane passes the line through its lower edge and its centre. */
TEST(tipping)
{
    for (int k = 0; k < 2; k++) {
        const double critical = atan(0.2 / 0.5), alpha = critical * (k ? 1.02 : 0.98), n[3] = {sin(alpha), 0, cos(alpha)};
        talus_world_def d = lab(1e-3);
        talus_world *w = open_world(&d);
        const talus_material_id m = material(w, 1000);
        law(w, 2, 0);
        ground(w, m, n[0], n[1], n[2]);
        talus_body_def b = talus_body_def_default();
        for (int i = 0; i < 3; i++) b.position[i] = 0.25 * n[i];
        turn(b.quaternion, alpha, 0, 1, 0);
        const talus_body_id block = add_body(w, &b);
        add_box(w, block, m, 0.2, 0.3, 0.5);
        run(w, 1500);
        double v[3], omega[3], x[3], q[4];
        motion(w, block, v, omega);
        talus_body_pose(w, block, x, q);
        const double turned = 2 * acos(fmin(1, fabs(q[0]))) - alpha;
        if (k == 0) CHECK_NEAR(turned, 0, 1e-6);
        else if (!(turned > 0.05)) TEST_FAIL("it has turned by %g rad only", turned);
        talus_world_destroy(w);
    }
}

int main(int argc, char **argv)
{
    RUN(flight_and_rest);
    RUN(rolling_ball);
    RUN(incline);
    RUN(tower);
    RUN(ball_on_four);
    RUN(spinning_disk);
    RUN(free_top);
    RUN(tipping);
    return TEST_RESULT;
}
