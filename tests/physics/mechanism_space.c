/* Joints in space: a top against Euler's equations, pendulums on universal joints and perpendicular pins, screw, cylindrical and free joints. */
#include "physics/joints.h"

/* ---- in space ---- */

static talus_world *space(double h, double gravity)
{
    talus_world_def d = talus_world_def_default();
    d.dimension = 3;
    d.gravity[2] = -gravity;
    d.step = h;
    return open_world(&d);
}

static talus_body_id solid(talus_world *w, talus_mechanism_id m, double mass, const double inertia[6], const double centre[3])
{
    talus_link_def d = talus_link_def_default();
    talus_body_id id = {0};
    d.mass = mass;
    memcpy(d.inertia, inertia, sizeof d.inertia);
    memcpy(d.centre_of_mass, centre, sizeof d.centre_of_mass);
    CHECK_OK(talus_link_create(w, m, &d, &id), talus_world_error(w));
    return id;
}

static talus_joint_def joint(talus_joint_kind kind, talus_body_id parent, talus_body_id child, char axis)
{
    talus_joint_def d = talus_joint_def_default();
    d.kind = kind;
    d.parent = parent, d.child = child;
    for (int i = 0; i < 3; i++) d.axis[i] = axis == "xyz"[i], d.axis2[i] = axis == "zxy"[i]; /* axis2: the next of x, y, z */
    return d;
}

static void rotate(const double q[4], const double v[3], double out[3])
{
    const double *u = q + 1;
    const double t[3] = {2 * (u[1] * v[2] - u[2] * v[1]), 2 * (u[2] * v[0] - u[0] * v[2]), 2 * (u[0] * v[1] - u[1] * v[0])};
    out[0] = v[0] + q[0] * t[0] + u[1] * t[2] - u[2] * t[1];
    out[1] = v[1] + q[0] * t[1] + u[2] * t[0] - u[0] * t[2];
    out[2] = v[2] + q[0] * t[2] + u[0] * t[1] - u[1] * t[0];
}

static const double TOP[6] = {0.10, 0.22, 0.27, 0.02, -0.015, 0.01}; /* tensor components, not principal axes */

static void spin_momentum(const double w[3], double out[3])
{
    out[0] = TOP[0] * w[0] + TOP[3] * w[1] + TOP[4] * w[2];
    out[1] = TOP[3] * w[0] + TOP[1] * w[1] + TOP[5] * w[2];
    out[2] = TOP[4] * w[0] + TOP[5] * w[1] + TOP[2] * w[2];
}

/* Euler: I ω' = I ω × ω; q' = ½ q ω. y = quaternion, ω. */
static void euler_top(const double *y, double *dy)
{
    const double *q = y, *v = y + 4;
    double l[3], n[3];
    spin_momentum(v, l);
    dy[0] = -0.5 * (q[1] * v[0] + q[2] * v[1] + q[3] * v[2]);
    dy[1] = 0.5 * (q[0] * v[0] + q[2] * v[2] - q[3] * v[1]);
    dy[2] = 0.5 * (q[0] * v[1] + q[3] * v[0] - q[1] * v[2]);
    dy[3] = 0.5 * (q[0] * v[2] + q[1] * v[1] - q[2] * v[0]);
    for (int i = 0; i < 3; i++) n[i] = l[(i + 1) % 3] * v[(i + 2) % 3] - l[(i + 2) % 3] * v[(i + 1) % 3];
    const double a = TOP[0], b = TOP[1], c = TOP[2], d = TOP[3], e = TOP[4], f = TOP[5]; /* I⁻¹ by cofactors */
    const double A = b * c - f * f, B = e * f - d * c, D = d * f - b * e, E = a * c - e * e, F = d * e - a * f, H = a * b - d * d;
    const double det = a * A + d * B + e * D;
    dy[4] = (A * n[0] + B * n[1] + D * n[2]) / det;
    dy[5] = (B * n[0] + E * n[1] + F * n[2]) / det;
    dy[6] = (D * n[0] + F * n[1] + H * n[2]) / det;
}

/* A top on a ball joint at its centre of mass, its weight without effect: ω and orientation against Euler's equations. */
TEST(asymmetric_top)
{
    const double start[7] = {0.8, 0.36, -0.48, 0, 1, 4, -2}, centre[3] = {0.1, -0.2, 0.3};
    double y[7], orientation[RUNS], omega[RUNS], momentum_error[RUNS], drift[RUNS];
    memcpy(y, start, sizeof y);
    runge_kutta(euler_top, y, 7, 2, 20000);
    for (int i = 0; i < RUNS; i++) {
        const int n = 400 << i;
        talus_world *w = space(2.0 / n, G);
        const talus_mechanism_id m = mechanism(w);
        const talus_body_id top = solid(w, m, 3, TOP, centre);
        talus_joint_def d = joint(TALUS_JOINT_SPHERICAL, GROUND, top, 'z');
        memcpy(d.child_point, centre, sizeof centre);
        memcpy(d.position, start, 4 * sizeof *start);
        memcpy(d.velocity, start + 4, 3 * sizeof *start);
        const talus_joint_id j = join(w, &d);
        CHECK_OK(talus_world_assemble(w), talus_world_error(w));
        CHECK(talus_degrees_of_freedom(w) == 3);
        const double before = energy(w);
        run(w, n);
        double q[4], v[3], inside[3], now[3], then[3], turned[3], o2 = 0, w2 = 0, l2 = 0;
        for (int k = 0; k < 4; k++) q[k] = talus_joint_position(w, j, k), o2 += (q[k] - y[k]) * (q[k] - y[k]);
        for (int k = 0; k < 3; k++) v[k] = talus_joint_velocity(w, j, k), w2 += (v[k] - y[4 + k]) * (v[k] - y[4 + k]);
        CHECK_NEAR(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-13);
        spin_momentum(v, inside);
        rotate(q, inside, now);
        spin_momentum(start + 4, inside);
        rotate(start, inside, then);
        for (int k = 0; k < 3; k++) l2 += (now[k] - then[k]) * (now[k] - then[k]);
        orientation[i] = sqrt(o2), omega[i] = sqrt(w2), momentum_error[i] = sqrt(l2);
        drift[i] = fabs(energy(w) - before);
        double origin[3], attitude[4];
        talus_body_pose(w, top, origin, attitude); /* the centre of mass stays at the ball */
        rotate(attitude, centre, turned);
        for (int k = 0; k < 3; k++) CHECK_NEAR(origin[k] + turned[k], 0, 1e-13);
        talus_world_destroy(w);
    }
    check_order("orientation", orientation, 2, 0.15, 1e-3);
    check_order("angular velocity", omega, 2, 0.15, 1e-3);
    check_order("angular momentum", momentum_error, 2, 0.15, 1e-3);
    /* the midpoint rule keeps quadratic functions of ω; what is lost is due to the passes only */
    for (int i = 0; i < RUNS; i++) CHECK(drift[i] <= 1e-4 / (1 << (2 * i)));
}

/* A point mass at distance LONG from the origin: r'' = g − r (v² + g·r)/LONG². y = r, v. */
static const double LONG = 0.8;

static void spherical_pendulum(const double *y, double *dy)
{
    const double *v = y + 3, pull = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] - G * y[2]) / (LONG * LONG);
    for (int i = 0; i < 3; i++) dy[i] = v[i], dy[3 + i] = -pull * y[i] - (i == 2 ? G : 0);
}

/* By a universal joint, and by two pins at right angles with a link without mass between them. */
TEST(universal_joint)
{
    const double a = 0.4, b = 0.9, va = 2, vb = -1.5;
    const double start[6] = {-LONG * sin(b),
                             LONG * cos(b) * sin(a),
                             -LONG * cos(b) * cos(a),
                             -LONG * cos(b) * vb,
                             LONG * (-sin(b) * vb * sin(a) + cos(b) * cos(a) * va),
                             LONG * (sin(b) * vb * cos(a) + cos(b) * sin(a) * va)};
    double y[6], error[2][RUNS];
    memcpy(y, start, sizeof y);
    runge_kutta(spherical_pendulum, y, 6, 1, 10000);
    for (int pins = 0; pins < 2; pins++) {
        for (int i = 0; i < RUNS; i++) {
            const int n = 400 << i;
            talus_world *w = space(1.0 / n, G);
            const talus_mechanism_id m = mechanism(w);
            const talus_body_id bob = solid(w, m, 2, (double[6]){0}, (double[3]){0, 0, -LONG});
            talus_joint_def d = joint(TALUS_JOINT_UNIVERSAL, GROUND, bob, 'x');
            d.position[0] = a, d.position[1] = b;
            d.velocity[0] = va, d.velocity[1] = vb;
            if (pins) {
                const talus_body_id cross = solid(w, m, 0, (double[6]){0}, (double[3]){0});
                d = joint(TALUS_JOINT_REVOLUTE, GROUND, cross, 'x');
                d.position[0] = a, d.velocity[0] = va;
                join(w, &d);
                d = joint(TALUS_JOINT_REVOLUTE, cross, bob, 'y');
                d.position[0] = b, d.velocity[0] = vb;
            }
            join(w, &d);
            run(w, n);
            double origin[3], attitude[4], r[3], v[3], spin[3];
            const double centre[3] = {0, 0, -LONG};
            talus_body_pose(w, bob, origin, attitude);
            rotate(attitude, centre, r);
            talus_body_velocity(w, bob, centre, v, spin);
            error[pins][i] = 0;
            for (int k = 0; k < 3; k++) error[pins][i] += fabs(r[k] - y[k]) + 0.1 * fabs(v[k] - y[3 + k]);
            talus_world_destroy(w);
        }
    }
    check_order("universal joint", error[0], 2, 0.15, 1e-3);
    check_order("two pins", error[1], 2, 0.15, 1e-3);
    for (int i = 0; i < RUNS; i++) CHECK_CLOSE(error[0][i], error[1][i], 1e-4);
}

/* A rod (inertia ROD across, none along) on the end of an arm of length ARM that turns about the vertical:
 *     T = ½ (J + m ARM² + S sin² b) a'² + m ARM l cos b a' b' + ½ S b'²,  S = m l² + ROD,  V = −m g l cos b */
static const double ARM = 0.4, ARM_J = 0.05, BOB = 0.9, REACH = 0.3, ROD = 0.02;

static void furuta(const double *y, double *dy)
{
    const double b = y[1], va = y[2], vb = y[3], s = BOB * REACH * REACH + ROD, c = BOB * ARM * REACH;
    const double m11 = ARM_J + BOB * ARM * ARM + s * sin(b) * sin(b), m12 = c * cos(b), det = m11 * s - m12 * m12;
    const double f1 = -2 * s * sin(b) * cos(b) * va * vb + c * sin(b) * vb * vb, f2 = s * sin(b) * cos(b) * va * va - BOB * G * REACH * sin(b);
    dy[0] = va, dy[1] = vb;
    dy[2] = (s * f1 - m12 * f2) / det;
    dy[3] = (m11 * f2 - m12 * f1) / det;
}

TEST(perpendicular_pins)
{
    double y[4] = {0, 1, 3, 2}, angles[RUNS], rates[RUNS], drift[RUNS];
    runge_kutta(furuta, y, 4, 1, 20000);
    for (int i = 0; i < RUNS; i++) {
        const int n = 200 << i;
        talus_world *w = space(1.0 / n, G);
        const talus_mechanism_id m = mechanism(w);
        const talus_body_id arm = solid(w, m, 0, (double[6]){0, ARM_J, ARM_J}, (double[3]){0}),
                            rod = solid(w, m, BOB, (double[6]){ROD, ROD, 0}, (double[3]){0, 0, -REACH});
        talus_joint_def d = joint(TALUS_JOINT_REVOLUTE, GROUND, arm, 'z');
        d.velocity[0] = 3;
        const talus_joint_id first = join(w, &d);
        d = joint(TALUS_JOINT_REVOLUTE, arm, rod, 'x');
        d.parent_point[0] = ARM;
        d.position[0] = 1, d.velocity[0] = 2;
        const talus_joint_id second = join(w, &d);
        CHECK_OK(talus_world_assemble(w), talus_world_error(w));
        const double before = energy(w);
        run(w, n);
        angles[i] = hypot(position(w, first) - y[0], position(w, second) - y[1]);
        rates[i] = hypot(rate(w, first) - y[2], rate(w, second) - y[3]);
        drift[i] = fabs(energy(w) - before);
        talus_world_destroy(w);
    }
    check_order("angles", angles, 2, 0.15, 1e-3);
    check_order("rates", rates, 2, 0.15, 1e-2);
    check_order("energy", drift, 2, 0.15, 1e-3);
}

/* Constant accelerations in space: a nut on a screw, z'' = −m g p² / (I + m p²); a piston that spins and falls; a body thrown. */
TEST(falling)
{
    const double pitch = 0.05, mass = 1.4, t = 0.5, inertia[6] = {0.01, 0.02, 0.024}, still[3] = {0};
    talus_world *w = space(1e-3, G);
    const talus_mechanism_id m = mechanism(w);
    talus_joint_def d = joint(TALUS_JOINT_SCREW, GROUND, solid(w, m, mass, inertia, still), 'z');
    d.pitch = pitch;
    d.velocity[0] = 2;
    const talus_joint_id nut = join(w, &d);
    const talus_body_id piston = solid(w, m, mass, inertia, still), thrown = solid(w, m, mass, inertia, still);
    d = joint(TALUS_JOINT_CYLINDRICAL, GROUND, piston, 'z');
    d.velocity[0] = -4, d.velocity[1] = 1;
    const talus_joint_id slider = join(w, &d);
    d = joint(TALUS_JOINT_FREE, GROUND, thrown, 'z');
    d.position[0] = 1, d.position[3] = 1;
    d.velocity[1] = 2, d.velocity[2] = 3, d.velocity[4] = 5;
    const talus_joint_id flight = join(w, &d);
    run(w, 500);
    CHECK(talus_degrees_of_freedom(w) == 9 && talus_joint_positions(w, flight) == 7 && talus_joint_rates(w, flight) == 6);
    CHECK_NEAR(talus_joint_position(w, nut, 0), 2 * t - 0.5 * mass * G * pitch / (inertia[2] + mass * pitch * pitch) * t * t, 1e-11);
    CHECK_NEAR(talus_joint_position(w, slider, 0), -4 * t, 1e-11);
    CHECK_NEAR(talus_joint_position(w, slider, 1), t - 0.5 * G * t * t, 1e-11);
    const double expected[7] = {1, 2 * t, 3 * t - 0.5 * G * t * t, cos(2.5 * t), 0, sin(2.5 * t), 0};
    for (int k = 0; k < 7; k++) CHECK_NEAR(talus_joint_position(w, flight, k), expected[k], 1e-11);
    double at_end[3], attitude[4];
    talus_body_pose(w, piston, at_end, attitude);
    CHECK_NEAR(at_end[2], t - 0.5 * G * t * t, 1e-11);
    CHECK_NEAR(fabs(attitude[0]), fabs(cos(2 * t)), 1e-11);
    talus_world_destroy(w);
}

int main(int argc, char **argv)
{
    RUN(asymmetric_top);
    RUN(universal_joint);
    RUN(perpendicular_pins);
    RUN(falling);
    return TEST_RESULT;
}
