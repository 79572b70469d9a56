/* Joints and chains in the plane, against closed forms, tight solutions of independently derived equations, and what they conserve. */
#include "physics/joints.h"

/* ---- one joint in the plane ---- */

/* A physical pendulum let go from rest at 2.5 rad passes the bottom after a quarter of T = 4 √(J/mgl) K(sin 1.25),
 * K(k) = π / (2 agm(1, √(1 − k²))), and stops at −2.5 rad after half of it. */
TEST(pendulum)
{
    const double mass = 2, inertia = 0.3, l = 0.6, start = 2.5, J = inertia + mass * l * l;
    double a = 1, b = cos(0.5 * start);
    for (int i = 0; i < 20; i++) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    const double quarter = sqrt(J / (mass * G * l)) * PI / (2 * a), fastest = sqrt(2 * mass * G * l * (1 - cos(start)) / J);
    double bottom[RUNS], top[RUNS], speeds[RUNS], swing[RUNS];
    for (int i = 0; i < RUNS; i++) {
        const int n = 100 << i;
        talus_world_def d = lab(quarter / n);
        talus_world *w = open_world(&d);
        const talus_mechanism_id m = mechanism(w);
        const talus_joint_id j = pin(w, GROUND, 0.3, -0.2, bar(w, m, mass, inertia, 0, -l), start, 0);
        CHECK_OK(talus_world_assemble(w), talus_world_error(w));
        CHECK(talus_degrees_of_freedom(w) == 1);
        const double before = energy(w);
        run(w, n);
        bottom[i] = fabs(position(w, j));
        speeds[i] = fabs(rate(w, j) + fastest) / fastest;
        swing[i] = fabs(energy(w) - before) / (mass * G * l);
        run(w, n);
        top[i] = fabs(rate(w, j)) / fastest; /* the angle is stationary there: its error is of fourth order */
        talus_world_destroy(w);
    }
    check_order("angle after T/4", bottom, 2, 0.1, 1e-4);
    check_order("speed after T/2", top, 2, 0.1, 1e-4);
    check_order("speed after T/4", speeds, 2, 0.1, 1e-4);
    check_order("energy after T/4", swing, 2, 0.1, 1e-4);
}

typedef struct oscillator {
    double mass, stiffness, damping, start, speed;
} oscillator;

/* x'' + (c/m) x' + (k/m) x = 0, underdamped. */
static double damped(const oscillator *o, double t)
{
    const double decay = 0.5 * o->damping / o->mass, w = sqrt(o->stiffness / o->mass - decay * decay);
    return exp(-decay * t) * (o->start * cos(w * t) + (o->speed + decay * o->start) / w * sin(w * t));
}

static double spring_law(void *user, double t, double q, double v)
{
    const oscillator *o = user;
    (void)t;
    return -o->stiffness * (q - 0.2) - o->damping * v;
}

typedef enum maker { BY_JOINT, BY_TWO_FORCES, BY_LAW, BY_SPRING } maker;

/* The same spring and damper at rest at x = 0.2, in each way the interface offers. Returns the error at t = 1. */
static double oscillate(maker by, double h, double theta, talus_forces forces)
{
    oscillator o = {.mass = 1.5, .stiffness = 60, .damping = 2, .start = 0.3, .speed = -1};
    talus_world_def d = lab(h);
    d.theta = theta;
    d.forces = forces;
    talus_world *w = open_world(&d);
    const talus_mechanism_id m = mechanism(w);
    const talus_body_id b = bar(w, m, o.mass, 0, 0.1, 0.05);
    const talus_joint_id j = slide(w, b, 0.2 + o.start, o.speed);
    talus_joint_force_def f = talus_joint_force_def_default();
    if (by == BY_JOINT || by == BY_TWO_FORCES) {
        const int parts = by == BY_JOINT ? 1 : 2;
        f.stiffness = o.stiffness / parts, f.damping = o.damping / parts, f.free_position = 0.2;
        for (int i = 0; i < parts; i++) force(w, j, &f);
    } else if (by == BY_LAW) {
        f.law = (talus_force_law){.value = spring_law, .user = &o};
        force(w, j, &f);
    } else { /* from (−2, 0.5) of the ground to (0.1, 0.5) of the slider: 2.3 long at x = 0.2 */
        talus_spring_def s = talus_spring_def_default();
        s.body_b = b;
        s.point_a[0] = -2, s.point_b[0] = 0.1, s.point_a[1] = s.point_b[1] = 0.5;
        s.stiffness = o.stiffness, s.damping = o.damping, s.length = 2.3;
        CHECK_OK(talus_spring_create(w, m, &s), talus_world_error(w));
    }
    run(w, (int)lround(1 / h));
    const double error = fabs(position(w, j) - 0.2 - damped(&o, 1));
    talus_world_destroy(w);
    return error;
}

TEST(damped_oscillator)
{
    static const char *const NAMES[] = {"joint spring", "two joint springs", "force law", "point spring"};
    for (int by = BY_JOINT; by <= BY_SPRING; by++) {
        double error[RUNS];
        for (int i = 0; i < RUNS; i++) error[i] = oscillate((maker)by, 1e-2 / (1 << i), 0.5, TALUS_FORCES_MIDPOINT);
        check_order(NAMES[by], error, 2, 0.1, 1e-4);
    }
    /* explicit damping forces, and any θ above ½, are of first order */
    double lagging[RUNS], late[RUNS];
    for (int i = 0; i < RUNS; i++) {
        lagging[i] = oscillate(BY_JOINT, 1e-3 / (1 << i), 0.5, TALUS_FORCES_EXPLICIT);
        late[i] = oscillate(BY_JOINT, 1e-3 / (1 << i), 1, TALUS_FORCES_MIDPOINT);
    }
    check_order("explicit forces", lagging, 1, 0.1, 1e-3);
    check_order("θ = 1", late, 1, 0.1, 1e-3);
}

static void wave(void *user, double t, double out[3])
{
    const double *p = user; /* amplitude, ω */
    out[0] = p[0] * sin(p[1] * t);
    out[1] = p[0] * p[1] * cos(p[1] * t);
    out[2] = -p[0] * p[1] * p[1] * sin(p[1] * t);
}

/* A PD drive to A sin ωt: m x'' + c x' + k x = k A sin ωt. The particular solution is |H| A sin(ωt − φ); the rest decays freely. */
TEST(pd_drive)
{
    double path[2] = {0.4, 5};
    const oscillator o = {.mass = 1.5, .stiffness = 60, .damping = 2, .start = 0, .speed = 0};
    const double re = o.stiffness - o.mass * path[1] * path[1], im = o.damping * path[1];
    const double gain = o.stiffness * path[0] / hypot(re, im), phase = atan2(im, re);
    const oscillator rest = {o.mass, o.stiffness, o.damping, gain * sin(phase), -gain * path[1] * cos(phase)};
    const double expected = gain * sin(path[1] - phase) + damped(&rest, 1);
    double error[RUNS];
    for (int i = 0; i < RUNS; i++) {
        const int n = 100 << i;
        talus_world_def d = lab(1.0 / n);
        talus_world *w = open_world(&d);
        const talus_joint_id j = slide(w, bar(w, mechanism(w), o.mass, 0, 0, 0), 0, 0);
        talus_joint_force_def f = talus_joint_force_def_default();
        f.stiffness = o.stiffness, f.damping = o.damping, f.target = (talus_motion){wave, path};
        force(w, j, &f);
        run(w, n);
        error[i] = fabs(position(w, j) - expected);
        talus_world_destroy(w);
    }
    check_order("PD drive", error, 2, 0.1, 1e-4);
}

/* Constant forces: exact to rounding. A stiff PD drive held at its limit is one. Dry friction F stops a slider of speed v after
 * m v²/2F; smoothing changes the force below the friction velocity ε only, so the stop moves by O(m ε²/F) and then creeps < ε t. */
TEST(constant_force_limit_friction)
{
    const double mass = 1.7, h = 1e-3;
    talus_world_def d = lab(h);
    talus_world *w = open_world(&d);
    const talus_mechanism_id m = mechanism(w);
    const talus_joint_id pushed = slide(w, bar(w, m, mass, 0.1, 0, 0), 0.1, 0.5), limited = slide(w, bar(w, m, mass, 0.1, 0, 0), 0, 0),
                         rubbing = slide(w, bar(w, m, mass, 0.1, 0, 0), 0, 2);
    talus_joint_force_def f = talus_joint_force_def_default();
    f.constant = 3;
    force(w, pushed, &f);
    f = talus_joint_force_def_default();
    f.stiffness = 1e3, f.free_position = 100, f.limit = 3;
    force(w, limited, &f);
    f = talus_joint_force_def_default();
    f.friction = 4, f.friction_velocity = 1e-2;
    force(w, rubbing, &f);
    run(w, 500);
    const double t = 0.5, a = 3 / mass;
    CHECK_NEAR(position(w, pushed), 0.1 + 0.5 * t + 0.5 * a * t * t, 1e-12);
    CHECK_NEAR(rate(w, pushed), 0.5 + a * t, 1e-12);
    CHECK_NEAR(talus_joint_force(w, pushed, 0), 3, 1e-12);
    CHECK_NEAR(position(w, limited), 0.5 * a * t * t, 1e-12);
    CHECK_NEAR(talus_joint_force(w, limited, 0), 3, 1e-12);
    CHECK_NEAR(position(w, rubbing), 2 * t - 0.5 * 4 / mass * t * t, 1e-12); /* still sliding: the stop is at 0.85 s */
    CHECK_NEAR(talus_joint_force(w, rubbing, 0), -4, 1e-12);
    run(w, 1000);
    CHECK_NEAR(position(w, rubbing), mass * 4 / (2 * 4), 1e-4);
    CHECK_NEAR(rate(w, rubbing), 0, 1e-6);
    talus_world_destroy(w);
}

/* A force at mid-step velocity, v⁺ = v − 2a ½(v + v⁺), a = h c / 2m, gives v⁺ = v (1 − a)/(1 + a): a passive damper, however stiff, takes
 * energy away. A step that cannot keep to this must fail, not blow up in silence. */
TEST(stiff_damping)
{
    const double mass = 1.7, h = 1e-3;
    for (int k = 0; k < 4; k++) {
        const double a = (double[]){0.9, 1.1, 3, 30}[k];
        talus_world_def d = lab(h);
        talus_world *w = open_world(&d);
        const talus_joint_id j = slide(w, bar(w, mechanism(w), mass, 0, 0, 0), 0, 2);
        talus_joint_force_def f = talus_joint_force_def_default();
        f.damping = 2 * a * mass / h;
        force(w, j, &f);
        talus_status status = TALUS_OK;
        for (int i = 0; i < 20 && status == TALUS_OK; i++) status = talus_world_step(w, NULL);
        if (status == TALUS_OK && !(fabs(rate(w, j)) <= 2)) TEST_FAIL("h c / 2m = %g: from 2 m/s to %g m/s in 20 steps", a, rate(w, j));
        talus_world_destroy(w);
    }
}

/* The same for friction: smoothed below ε it is a damper F/ε there. Once stopped the slider stays below ε. */
TEST(stiff_friction)
{
    for (int k = 0; k < 3; k++) {
        const double smooth = (double[]){1e-3, 1e-4, 1e-6}[k];
        talus_world_def d = lab(1e-3);
        talus_world *w = open_world(&d);
        const talus_joint_id j = slide(w, bar(w, mechanism(w), 1.7, 0, 0, 0), 0, 0.1);
        talus_joint_force_def f = talus_joint_force_def_default();
        f.friction = 4, f.friction_velocity = smooth;
        force(w, j, &f);
        run(w, 1000);
        CHECK_NEAR(rate(w, j), 0, smooth);
        talus_world_destroy(w);
    }
}

static void steady(void *user, double t, double out[3])
{
    (void)t;
    out[0] = *(const double *)user;
    out[1] = out[2] = 0;
}

/* A pendulum turned at constant speed needs m g l sin θ; swung along A sin ωt, J θ'' + m g l sin θ. Outputs are means over a step:
 * the mean of a smooth function differs from its mid-step value by at most h²/24 times its second derivative. */
TEST(driven_pendulum)
{
    const double mass = 2, inertia = 0.3, l = 0.6, J = inertia + mass * l * l, h = 1e-3;
    double turn = 3, path[2] = {1.2, 7};
    for (int kind = 0; kind < 2; kind++) {
        talus_world_def d = lab(h);
        talus_world *w = open_world(&d);
        const talus_joint_id j = pin(w, GROUND, 0, 0, bar(w, mechanism(w), mass, inertia, 0, -l), 0, 0);
        talus_drive_def drive = talus_drive_def_default();
        if (kind == 0) drive.speed = (talus_motion){steady, &turn};
        else drive.position = (talus_motion){wave, path};
        CHECK_OK(talus_joint_drive(w, j, &drive), talus_world_error(w));
        CHECK_OK(talus_world_assemble(w), talus_world_error(w));
        CHECK(talus_degrees_of_freedom(w) == 0);
        const double fast = kind == 0 ? turn : path[0] * path[1], bend = kind == 0 ? 0 : path[0] * pow(path[1], 4);
        const double tolerance = h * h * (J * bend + mass * G * l * (fast * fast + bend));
        for (int i = 0; i < 2000; i++) {
            run(w, 1);
            const double t = talus_world_time(w), middle = t - 0.5 * h;
            const double angle = kind == 0 ? turn * middle : path[0] * sin(path[1] * middle);
            const double bent = kind == 0 ? 0 : -path[1] * path[1] * angle;
            CHECK_NEAR(talus_joint_force(w, j, 0), J * bent + mass * G * l * sin(angle), tolerance + 1e-10);
            CHECK_NEAR(position(w, j), kind == 0 ? turn * t : path[0] * sin(path[1] * t), 1e-11);
            CHECK_NEAR(rate(w, j), kind == 0 ? turn : path[0] * path[1] * cos(path[1] * t), 1e-11);
        }
        talus_world_destroy(w);
    }
}

/* A crank turned at a constant speed with a free second link: the drive's work ∫ τ ω dt is the gain in energy. */
TEST(drive_does_the_work)
{
    double turn = 6, error[RUNS];
    for (int i = 0; i < RUNS; i++) {
        const int n = 200 << i;
        talus_world_def d = lab(1.0 / n);
        talus_world *w = open_world(&d);
        const talus_mechanism_id m = mechanism(w);
        const talus_body_id crank = bar(w, m, 1, 0.02, 0.2, 0.1), flail = bar(w, m, 0.7, 0.01, 0.25, 0);
        const talus_joint_id j = pin(w, GROUND, 0, 0, crank, 0, 0);
        pin(w, crank, 0.5, 0, flail, 0.3, -1);
        talus_drive_def drive = talus_drive_def_default();
        drive.speed = (talus_motion){steady, &turn};
        CHECK_OK(talus_joint_drive(w, j, &drive), talus_world_error(w));
        CHECK_OK(talus_world_assemble(w), talus_world_error(w));
        const double before = energy(w);
        double work = 0;
        for (int k = 0; k < n; k++) {
            run(w, 1);
            work += talus_joint_force(w, j, 0) * turn / n;
        }
        error[i] = fabs(energy(w) - before - work) / fabs(work);
        talus_world_destroy(w);
    }
    check_order("work of the drive", error, 2, 0.15, 1e-3);
}

/* ---- chains in the plane ---- */

/* Two links with centres of mass off their axes, polar (R, D) in each; an elbow at L with a spring-damper. In absolute angles a, b:
 *     T = ½ A a'² + ½ B b'² + C cos(a − b − D2) a' b',  V = m1 g R1 sin(a + D1) + m2 g (L sin a + R2 sin(b + D2)) + ½ k (b − a)² */
static const double M1 = 1.3, I1 = 0.04, R1 = 0.35, D1 = 0.2, M2 = 0.8, I2 = 0.015, R2 = 0.25, D2 = -0.5, L = 0.7, K = 2.5, C = 0.05;

static void double_pendulum(const double *y, double *dy)
{
    const double a = y[0], b = y[1], va = y[2], vb = y[3], phi = a - b - D2, c = M2 * L * R2;
    const double m11 = I1 + M1 * R1 * R1 + M2 * L * L, m22 = I2 + M2 * R2 * R2, m12 = c * cos(phi), det = m11 * m22 - m12 * m12;
    const double elbow = K * (b - a) + C * (vb - va);
    const double f1 = -c * sin(phi) * vb * vb - M1 * G * R1 * cos(a + D1) - M2 * G * L * cos(a) + elbow;
    const double f2 = c * sin(phi) * va * va - M2 * G * R2 * cos(b + D2) - elbow;
    dy[0] = va, dy[1] = vb;
    dy[2] = (m22 * f1 - m12 * f2) / det;
    dy[3] = (m11 * f2 - m12 * f1) / det;
}

TEST(double_pendulum)
{
    double y[4] = {0.4, 1.5, 1, -2}, error[RUNS], speeds[RUNS];
    runge_kutta(double_pendulum, y, 4, 1, 20000);
    for (int i = 0; i < RUNS; i++) {
        const int n = 250 << i;
        talus_world_def d = lab(1.0 / n);
        talus_world *w = open_world(&d);
        const talus_mechanism_id m = mechanism(w);
        const talus_body_id upper = bar(w, m, M1, I1, R1 * cos(D1), R1 * sin(D1)), lower = bar(w, m, M2, I2, R2 * cos(D2), R2 * sin(D2));
        const talus_joint_id shoulder = pin(w, GROUND, 0.1, 0.2, upper, 0.4, 1), elbow = pin(w, upper, L, 0, lower, 1.1, -3);
        talus_joint_force_def f = talus_joint_force_def_default();
        f.stiffness = K, f.damping = C;
        force(w, elbow, &f);
        run(w, n);
        error[i] = hypot(position(w, shoulder) - y[0], position(w, elbow) - (y[1] - y[0]));
        speeds[i] = hypot(rate(w, shoulder) - y[2], rate(w, elbow) - (y[3] - y[2]));
        /* the readings of a body agree with the chain of angles */
        double q[3];
        where(w, lower, q);
        const double a = position(w, shoulder), va = rate(w, shoulder);
        CHECK_NEAR(q[0], 0.1 + L * cos(a), 1e-13);
        CHECK_NEAR(q[1], 0.2 + L * sin(a), 1e-13);
        CHECK_NEAR(q[2], a + position(w, elbow), 1e-13);
        CHECK_NEAR(speed(w, lower, 0), -L * sin(a) * va, 1e-12);
        CHECK_NEAR(speed(w, lower, 1), L * cos(a) * va, 1e-12);
        CHECK_NEAR(speed(w, lower, 2), va + rate(w, elbow), 1e-12);
        talus_world_destroy(w);
    }
    check_order("angles", error, 2, 0.15, 1e-3);
    check_order("speeds", speeds, 2, 0.15, 1e-2);
}

enum { CHAIN = 3 };
static const double MASS[CHAIN] = {1.5, 0.6, 0.9}, INERTIA[CHAIN] = {0.03, 0.01, 0.02}, CENTRE[CHAIN][2] = {{0.1, 0.05}, {0.2, 0}, {0.15, -0.1}};

/* Linear momentum, angular momentum about the origin, and position of the centre of mass × mass. */
static void momentum(const talus_world *w, const talus_body_id *b, double p[5])
{
    memset(p, 0, 5 * sizeof *p);
    for (int i = 0; i < CHAIN; i++) {
        double q[3], v[3], spin[3];
        where(w, b[i], q);
        talus_body_velocity(w, b[i], (double[3]){CENTRE[i][0], CENTRE[i][1], 0}, v, spin);
        const double x = q[0] + cos(q[2]) * CENTRE[i][0] - sin(q[2]) * CENTRE[i][1], y = q[1] + sin(q[2]) * CENTRE[i][0] + cos(q[2]) * CENTRE[i][1];
        p[0] += MASS[i] * v[0];
        p[1] += MASS[i] * v[1];
        p[2] += MASS[i] * (x * v[1] - y * v[0]) + INERTIA[i] * spin[2];
        p[3] += MASS[i] * x;
        p[4] += MASS[i] * y;
    }
}

/* Three links on a planar joint, without gravity. M(q) v changes along the motion, so in joint coordinates a step keeps momentum to
 * O(h³), not exactly; the drift over a fixed time is of second order, as the energy's. */
TEST(floating_chain)
{
    double linear[RUNS], angular[RUNS], centre[RUNS], drift[RUNS];
    for (int i = 0; i < RUNS; i++) {
        const int n = 500 << i;
        talus_world_def d = lab(1.0 / n);
        d.gravity[1] = 0;
        talus_world *w = open_world(&d);
        const talus_mechanism_id m = mechanism(w);
        talus_body_id b[CHAIN];
        for (int k = 0; k < CHAIN; k++) b[k] = bar(w, m, MASS[k], INERTIA[k], CENTRE[k][0], CENTRE[k][1]);
        talus_joint_def j = talus_joint_def_default();
        j.kind = TALUS_JOINT_PLANAR;
        j.child = b[0];
        j.axis2[0] = 1, j.axis2[1] = j.axis2[2] = 0;
        const double start[3] = {0.2, -0.3, 0.4}, pace[3] = {0.5, 1.2, 2};
        memcpy(j.position, start, sizeof start);
        memcpy(j.velocity, pace, sizeof pace);
        const talus_joint_id root = join(w, &j);
        pin(w, b[0], 0.4, 0.1, b[1], 0.9, -6);
        pin(w, b[1], 0.5, 0, b[2], -0.6, 5);
        CHECK_OK(talus_world_assemble(w), talus_world_error(w));
        CHECK(talus_degrees_of_freedom(w) == 5 && talus_joint_rates(w, root) == 3);
        CHECK_NEAR(at(w, b[0], 0), 0.2, 1e-15);
        CHECK_NEAR(at(w, b[0], 1), -0.3, 1e-15);
        double p[5], then[5];
        momentum(w, b, then);
        const double before = energy(w);
        run(w, n);
        momentum(w, b, p);
        linear[i] = hypot(p[0] - then[0], p[1] - then[1]);
        angular[i] = fabs(p[2] - then[2]);
        centre[i] = hypot(p[3] - then[3] - then[0], p[4] - then[4] - then[1]);
        drift[i] = fabs(energy(w) - before);
        talus_world_destroy(w);
    }
    check_order("linear momentum", linear, 2, 0.15, 1e-3);
    check_order("angular momentum", angular, 2, 0.15, 1e-3);
    check_order("path of the centre of mass", centre, 2, 0.15, 1e-3);
    check_order("energy", drift, 2, 0.15, 1e-3);
}

/* A link fixed to another is one body with it: the parallel axes theorem. Alone, and swinging by a hand's width in the same time. */
TEST(fixed_joint)
{
    double reached[2];
    for (int whole = 0; whole < 2; whole++) {
        talus_world_def d = lab(1e-3);
        talus_world *w = open_world(&d);
        const talus_mechanism_id m = mechanism(w);
        const double m1 = 1, m2 = 2, x1 = 0.2, x2 = 0.5 + 0.1 * cos(0.7), y2 = 0.1 * sin(0.7), mass = m1 + m2;
        const double cx = (m1 * x1 + m2 * x2) / mass, cy = m2 * y2 / mass;
        const double inertia = 0.01 + m1 * x1 * x1 + 0.02 + m2 * (x2 * x2 + y2 * y2) - mass * (cx * cx + cy * cy);
        talus_body_id arm;
        if (whole) arm = bar(w, m, mass, inertia, cx, cy);
        else {
            arm = bar(w, m, m1, 0.01, x1, 0);
            talus_joint_def weld = talus_joint_def_default();
            weld.kind = TALUS_JOINT_FIXED;
            weld.parent = arm;
            weld.child = bar(w, m, m2, 0.02, 0.1, 0);
            weld.parent_point[0] = 0.5;
            weld.parent_quat[0] = cos(0.35), weld.parent_quat[3] = sin(0.35);
            join(w, &weld);
        }
        const talus_joint_id j = pin(w, GROUND, 0, 0, arm, 0.1, 0);
        run(w, 1000);
        reached[whole] = position(w, j);
        talus_world_destroy(w);
    }
    CHECK_NEAR(reached[0], reached[1], 1e-11);
    CHECK(fabs(reached[0] - 0.1) > 0.1);
}

int main(int argc, char **argv)
{
    RUN(pendulum);
    RUN(damped_oscillator);
    RUN(pd_drive);
    RUN(constant_force_limit_friction);
    RUN(stiff_damping);
    RUN(stiff_friction);
    RUN(driven_pendulum);
    RUN(drive_does_the_work);
    RUN(double_pendulum);
    RUN(floating_chain);
    RUN(fixed_joint);
    return TEST_RESULT;
}
