/* One block or one disk on a boundary: sticking and sliding, tipping, rolling, bouncing, free flight, loads.
 *
 * Tolerances. TAU is the contact solver's tolerance [m/s], met in every step; a block on two contact points follows its law with
 * an error of a few TAU, so over a time t a place is known to CREEP(t). What the scheme adds is derived at each test. */
#include "physics/planar.h"

static const double TAU = 1e-10;

static double creep(double t) { return 100 * TAU * t; /* the two points of a flat block share the load with a condition number below 100 */ }

/* ---- friction on an incline --------------------------------------------------------------------------------------- */

/* A flat block on a plane that falls at `angle` towards +x; returns how far it went down the plane in a second. */
static double slide(double angle, double friction, double h, bool tilt_gravity, double *across)
{
    talus_world_def d = lab(h);
    const double c = cos(angle), s = sin(angle), plane = tilt_gravity ? 0 : -angle;
    if (tilt_gravity) d.gravity[0] = G * s, d.gravity[1] = -G * c;
    const double tx = cos(plane), ty = sin(plane);
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, "stone", 2000);
    law(w, friction, 0);
    wall(w, m, 0, 0, -ty, tx);
    const talus_body_id block = body(w, TALUS_BODY_FREE, -ty * 0.05, tx * 0.05, plane);
    add_box(w, block, m, 0.2, 0.05);
    run(w, (int)lround(1 / h));
    const double x = at(w, block, 0), y = at(w, block, 1);
    *across = -ty * x + tx * y - 0.05;
    CHECK_NEAR(at(w, block, 2), plane, creep(1) / 0.2);
    talus_world_destroy(w);
    return tx * x + ty * y;
}

/* Sticks for μ > tan a, slides for μ < tan a with ½ g (sin a − μ cos a) t². The scheme changes the velocity by the exact h g (sin
 * a − μ cos a) in every sliding step; if it were wrong for one step of the run the distance would be off by that t = 1 s. */
TEST(incline)
{
    const double h = 1e-3, angles[] = {5, 15, 30, 40};
    for (int i = 0; i < 4; i++)
        for (int tilt = 0; tilt < 2; tilt++) {
            const double a = angles[i] * PI / 180;
            double across;
            const double stuck = slide(a, 1.005 * tan(a), h, tilt, &across);
            CHECK_NEAR(stuck, 0, creep(1));
            CHECK_NEAR(across, 0, creep(1));
            const double slack[] = {0.995, 0.5, 0};
            for (int k = 0; k < 3; k++) {
                const double acceleration = G * (sin(a) - slack[k] * tan(a) * cos(a));
                const double gone = slide(a, slack[k] * tan(a), h, tilt, &across);
                CHECK_NEAR(gone, 0.5 * acceleration, acceleration * h + creep(1));
                CHECK_NEAR(across, 0, creep(1));
            }
        }
    /* the test sees a friction that is wrong by half a percent */
    double across;
    CHECK(fabs(slide(0.5, 0.5 * tan(0.5) * 1.005, h, false, &across) - 0.25 * G * sin(0.5)) > 0.5 * G * sin(0.5) * h + creep(1));
}

/* A tall block, sticking: J φ'' = m g d sin(φ + δ) about its lower corner once the centre of mass is past it. */
static double tip(double angle, double half_width, double half_height, double h, double time)
{
    const double d2 = half_width * half_width + half_height * half_height, k = 3 * G / (4 * sqrt(d2));
    const double past = angle - atan(half_width / half_height);
    talus_world_def d = lab(h);
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, "stone", 2000);
    law(w, 2, 0);
    const double c = cos(angle), s = sin(angle);
    wall(w, m, 0, 0, s, c);
    const talus_body_id block = body(w, TALUS_BODY_FREE, s * half_height, c * half_height, -angle);
    add_box(w, block, m, half_width, half_height);
    run(w, (int)lround(time / h));
    const double turned = -angle - at(w, block, 2);
    talus_world_destroy(w);
    if (past < 0) {
        CHECK_NEAR(turned, 0, creep(time) / half_width);
        return turned;
    }
    double phi = 0, rate = 0;
    const int n = 20000;
    const double dt = time / n;
    for (int i = 0; i < n; i++) { /* Runge–Kutta, error dt⁴ */
        const double a1 = k * sin(phi + past), r2 = rate + 0.5 * dt * a1, a2 = k * sin(phi + 0.5 * dt * rate + past);
        const double r3 = rate + 0.5 * dt * a2, a3 = k * sin(phi + 0.5 * dt * r2 + past), a4 = k * sin(phi + dt * r3 + past);
        phi += dt / 6 * (rate + 2 * r2 + 2 * r3 + rate + dt * a3);
        rate += dt / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    /* first order: as if it had started up to two steps early or late */
    CHECK_NEAR(turned, phi, 2 * h * rate);
    return turned;
}

TEST(tipping)
{
    const double a = 0.05, b = 0.2, critical = atan(a / b);
    tip(0.99 * critical, a, b, 1e-3, 1);
    const double slow = tip(1.01 * critical, a, b, 1e-4, 0.7);
    const double fast = tip(1.2 * critical, a, b, 1e-4, 0.3);
    CHECK(slow > 0.01 && fast > 0.1);
    /* a squat block on the same slope slides first when friction is below tan a: see incline */
}

/* v0 and no spin: slides until v0 / (3 μ g), then rolls at ⅔ v0 (J = ½ m r²; the moment of momentum about the line of contact
 * stays). */
TEST(slide_then_roll)
{
    const double h = 1e-3, mu = 0.2, v0 = 3, r = 0.1, end = v0 / (3 * mu * G);
    talus_world_def d = lab(h);
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, "stone", 2000);
    law(w, mu, 0);
    wall(w, m, 0, 0, 0, 1);
    const talus_body_id disk = moving(w, 0, r, v0, 0, 0);
    add_disk(w, disk, m, 0, 0, r);
    double rolls = 0;
    for (int i = 1; i <= 1000; i++) {
        run(w, 1);
        const double t = talus_world_time(w), v = speed(w, disk, 0), slip = v + r * speed(w, disk, 2);
        if (t < end) { /* exact in every sliding step */
            CHECK_NEAR(v, v0 - mu * G * t, 1e-9);
            CHECK_NEAR(speed(w, disk, 2), -2 * mu * G * t / r, 1e-9 / r);
        }
        if (rolls == 0 && fabs(slip) < 1e-8) rolls = t;
        if (t > end + h) CHECK_NEAR(v, 2 * v0 / 3, 1e-8);
    }
    CHECK_NEAR(rolls, end, h);
    /* the step in which sliding ends changes v by at most μ g h, for one step */
    CHECK_NEAR(at(w, disk, 0), v0 * end - 0.5 * mu * G * end * end + 2 * v0 / 3 * (1 - end), mu * G * h * h + creep(1));
    CHECK_NEAR(at(w, disk, 1), r, creep(1));
    talus_world_destroy(w);
}

/* ---- bouncing ----------------------------------------------------------------------------------------------------- */

enum { BOUNCES = 10 };

typedef struct bounce {
    double time[BOUNCES], apex[BOUNCES]; /* of impact k; after it */
    int count;
    double rest_high, rest_low, rest_speed; /* extremes after the given time */
} bounce;

static bounce drop(double height, double e, double h, double until, double rest_from, bool correct)
{
    const double r = 0.1;
    talus_world_def d = lab(h);
    d.correct_drift = correct;
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, "rubber", 1000);
    law(w, 0, e);
    wall(w, m, 0, 0, 0, 1);
    const talus_body_id ball = free_disk(w, m, 0, r + height, r);
    bounce b = {.rest_high = -1, .rest_low = 1};
    double before = 0;
    while (talus_world_time(w) < until) {
        step(w);
        const double t = talus_world_time(w), v = speed(w, ball, 1), y = at(w, ball, 1) - r;
        if (before < 0 && v > 10 * TAU && b.count < BOUNCES) { /* faster than what a solve may leave */
            b.time[b.count] = t;
            b.apex[b.count++] = y;
        }
        if (b.count > 0) b.apex[b.count - 1] = fmax(b.apex[b.count - 1], y);
        if (t >= rest_from) {
            b.rest_high = fmax(b.rest_high, y);
            b.rest_low = fmin(b.rest_low, y);
            b.rest_speed = fmax(b.rest_speed, fabs(v));
        }
        before = v;
    }
    talus_world_destroy(w);
    return b;
}

/* Free flight is exact at the nodes. The step whose midpoint first lies below the ground takes the impact: its start is within
 * h/2 of the true instant (and its end, where we see it, 3h/2), there |v| differs from the true V by at most g h/2, and the ball
 * comes out at most h V off the ground. So the apex A is off by  e² ΔA + e² V h/2 + h V  and the time of the next impact by a
 * step, h V/(e V) for the place, and 2/g times the error of the velocity. */
static void check_bounces(double e, double h, int count)
{
    const double height = 1, v0 = sqrt(2 * G * height), t0 = sqrt(2 * height / G);
    double last = t0;
    for (int k = 0; k < count; k++) last += 2 * pow(e, k + 1) * v0 / G;
    const bounce b = drop(height, e, h, last, 1e9, true);
    CHECK(b.count >= count);
    double t = t0, v = v0, apex_error = 0, time_error = 1.6 * h;
    for (int k = 0; k < count && k < b.count; k++) {
        CHECK_NEAR(b.time[k], t, time_error);
        apex_error = e * e * apex_error + 1.1 * (e * e * v * h / 2 + h * v) + G * h * h;
        v *= e;
        CHECK_NEAR(b.apex[k], v * v / (2 * G), apex_error);
        t += 2 * v / G;
        time_error += 1.1 * (h + h / e) + 2 * apex_error / v;
    }
}

TEST(bouncing)
{
    const double steps[] = {1e-3, 1e-4}; /* the same bounds, ten times closer: first order */
    for (int i = 0; i < 2; i++) {
        check_bounces(0.3, steps[i], 3);
        check_bounces(0.7, steps[i], 6);
        check_bounces(0.9, steps[i], BOUNCES);
        check_bounces(1, steps[i], BOUNCES); /* energy kept to the order of the scheme */
    }
    CHECK(pow(0.9, 12) - pow(0.89, 12) > 6 * 1.6 * 1e-4 * sqrt(2 * G)); /* the finer run tells 0.90 from 0.89 at the sixth apex */
}

/* e = 0: stops at the ground within two steps of the impact and stays. */
TEST(inelastic)
{
    const double h = 1e-3, t0 = sqrt(2 / G);
    const bounce b = drop(1, 0, h, 2, t0 + 2 * h, true);
    CHECK(b.count == 0);
    CHECK_NEAR(b.rest_high, 0, creep(2) + 1e-14);
    CHECK_NEAR(b.rest_low, 0, creep(2) + 1e-14);
    CHECK(b.rest_speed <= 10 * TAU);
}

/* Infinitely many impacts end at t0 + 2 v0/g e/(1 − e). Those faster than g h are resolved, each late or early by less than the
 * bound of check_bounces; afterwards the ball moves by steps of g h in velocity: heights of order g h². */
TEST(comes_to_rest)
{
    const double h = 1e-4, e = 0.7, v0 = sqrt(2 * G), t0 = sqrt(2 / G), end = t0 + 2 * v0 / G * e / (1 - e);
    const double resolved = log(v0 / (G * h)) / -log(e), late = 4 * h * resolved;
    for (int correct = 0; correct < 2; correct++) {
        const bounce before = drop(1, e, h, end - late, end - 3 * late, correct);
        /* With T left, the next flight begins at v = g (1 − e) T/2; one begins in this window with T ≥ 2 e late. */
        const double v = G * (1 - e) * e * late;
        CHECK(before.rest_high > 0.5 * v * v / (2 * G));
        const bounce after = drop(1, e, h, end + late + 1, end + late, correct);
        CHECK(after.rest_high < 20 * G * h * h && after.rest_low > -20 * G * h * h);
        CHECK(after.rest_speed < 4 * G * h);
    }
    /* penetration does not grow with time: ten times longer, the same bound */
    const bounce longer = drop(1, e, h, end + late + 10, end + late + 9, false);
    CHECK(longer.rest_low > -20 * G * h * h);
}

/* ---- free flight, loads ------------------------------------------------------------------------------------------- */

/* y_n − (y_0 + v_0 t − ½ g t²) = −(θ − ½) g h t, from q_{n+1} = q_n + h ((1−θ) v_n + θ v_{n+1}). */
TEST(projectile)
{
    const double thetas[] = {0.5, 0.7, 1}, h = 1e-2;
    for (int i = 0; i < 3; i++) {
        talus_world_def d = lab(h);
        d.theta = thetas[i];
        talus_world *w = open_world(&d);
        const talus_material_id m = material(w, "stone", 2000);
        const talus_body_id stone = moving(w, 1, 2, 3, 10, -4);
        add_disk(w, stone, m, 0, 0, 0.1);
        run(w, 100);
        CHECK_NEAR(at(w, stone, 0), 4, 1e-12);
        CHECK_NEAR(at(w, stone, 1), 12 - 0.5 * G - (thetas[i] - 0.5) * G * h, 1e-12);
        CHECK_NEAR(at(w, stone, 2), -4, 1e-12);
        CHECK_NEAR(speed(w, stone, 1), 10 - G, 1e-12);
        talus_world_destroy(w);
    }
}

/* An eccentric body turns about its centre of mass: the origin circles, and `velocity` is that of the centre of mass. */
TEST(eccentric_body)
{
    talus_world_def d = lab(1e-3);
    d.gravity[1] = 0;
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, "stone", 2000);
    talus_body_def def = talus_body_def_default();
    def.angular_velocity = 2;
    def.velocity[0] = 0.5;
    def.angle = 0.3;
    talus_body_id b = {0};
    CHECK_OK(talus_body_create(w, &def, &b), talus_world_error(w));
    double points[4][2] = {{0, 0}, {0.4, 0}, {0.4, 0.2}, {0, 0.2}};
    add_polygon(w, b, m, 4, points, 0);
    run(w, 1000);
    CHECK_CLOSE(talus_body_mass(w, b), 2000 * 0.08, 1e-14);
    CHECK_CLOSE(talus_body_inertia(w, b), 2000 * 0.08 * (0.16 + 0.04) / 12, 1e-13);
    const double c0[2] = {0.2 * cos(0.3) - 0.1 * sin(0.3), 0.2 * sin(0.3) + 0.1 * cos(0.3)}, a = 2.3;
    CHECK_NEAR(at(w, b, 0), c0[0] + 0.5 - (0.2 * cos(a) - 0.1 * sin(a)), 1e-11);
    CHECK_NEAR(at(w, b, 1), c0[1] - (0.2 * sin(a) + 0.1 * cos(a)), 1e-11);
    CHECK_NEAR(speed(w, b, 0), 0.5 + 2 * (0.2 * sin(a) + 0.1 * cos(a)), 1e-11);
    talus_world_destroy(w);
}

static void constant(void *user, double t, double out[3])
{
    (void)t;
    out[0] = *(const double *)user;
    out[1] = out[2] = 0;
}

static void proportional(void *user, double t, double out[3])
{
    out[0] = *(const double *)user * t;
    out[1] = *(const double *)user;
    out[2] = 0;
}

/* A box with its origin at a corner, so that a load's point and the centre of mass are not confused. */
static talus_body_id loaded_box(talus_world *w, const talus_load_def *load, double spin)
{
    talus_body_def def = talus_body_def_default();
    talus_body_id b = {0};
    def.mass = 3;
    def.angular_velocity = spin;
    CHECK_OK(talus_body_create(w, &def, &b), talus_world_error(w));
    double points[4][2] = {{0, 0}, {0.4, 0}, {0.4, 0.2}, {0, 0.2}};
    add_polygon(w, b, material(w, "stone", 1000), 4, points, 0);
    CHECK_OK(talus_body_add_load(w, b, load), talus_world_error(w));
    return b;
}

static void centre_of(const talus_world *w, talus_body_id b, double q[2])
{
    const double a = at(w, b, 2);
    q[0] = at(w, b, 0) + 0.2 * cos(a) - 0.1 * sin(a);
    q[1] = at(w, b, 1) + 0.2 * sin(a) + 0.1 * cos(a);
}

TEST(loads)
{
    talus_world_def d = lab(1e-3);
    d.gravity[1] = 0;
    double six = 6, two = 2, q[2];
    const double mass = 3, inertia = 3 * (0.16 + 0.04) / 12;
    { /* through the centre of mass, growing with time: F t. v = F t²/2m exactly (force at mid-step), x = F t³/6m + O(h²) */
        talus_load_def load = talus_load_def_default();
        load.point[0] = 0.2, load.point[1] = 0.1;
        load.force[0] = (talus_motion){proportional, &six};
        talus_world *w = open_world(&d);
        const talus_body_id b = loaded_box(w, &load, 0);
        run(w, 1000);
        centre_of(w, b, q);
        CHECK_NEAR(at(w, b, 2), 0, 1e-12);
        CHECK_NEAR(speed(w, b, 0), six / (2 * mass), 1e-11);
        CHECK_NEAR(q[0] - 0.2, six / (6 * mass), six / mass * 1e-6);
        talus_world_destroy(w);
    }
    { /* a torque: α = T/J, no force */
        talus_load_def load = talus_load_def_default();
        load.torque = (talus_motion){constant, &two};
        talus_world *w = open_world(&d);
        const talus_body_id b = loaded_box(w, &load, 0);
        run(w, 1000);
        centre_of(w, b, q);
        CHECK_CLOSE(at(w, b, 2), 0.5 * two / inertia, 1e-11);
        CHECK_NEAR(q[0], 0.2, 1e-12);
        CHECK_NEAR(q[1], 0.1, 1e-12);
        talus_world_destroy(w);
    }
    { /* a force that turns with the body and does not pass through the centre: constant torque −0.05 × 6 about it */
        talus_load_def load = talus_load_def_default();
        load.point[0] = 0.2, load.point[1] = 0.15;
        load.follows_body = true;
        load.force[0] = (talus_motion){constant, &six};
        talus_world *w = open_world(&d);
        const talus_body_id b = loaded_box(w, &load, 0);
        run(w, 1000);
        CHECK_CLOSE(at(w, b, 2), -0.5 * 0.05 * six / inertia, 1e-11);
        talus_world_destroy(w);
    }
    { /* the same through the centre of a turning body: v = F/(m ω) (sin ωt, 1 − cos ωt), by the midpoint rule within (ωh)²/24 */
        talus_load_def load = talus_load_def_default();
        load.point[0] = 0.2, load.point[1] = 0.1;
        load.follows_body = true;
        load.force[0] = (talus_motion){constant, &six};
        talus_world *w = open_world(&d);
        const double spin = 10, scale = six / (mass * spin);
        const talus_body_id b = loaded_box(w, &load, spin);
        run(w, 1000);
        double linear[3], angular[3];
        talus_body_velocity(w, b, (double[3]){0.2, 0.1, 0}, linear, angular);
        CHECK_NEAR(linear[0], scale * sin(10), 1.1 * scale * spin * spin * 1e-6 / 24 * 2);
        CHECK_NEAR(linear[1], scale * (1 - cos(10)), 1.1 * scale * spin * spin * 1e-6 / 24 * 2);
        CHECK_NEAR(angular[2], spin, 1e-12);
        talus_world_destroy(w);
    }
    { /* a force in world axes at a corner: J φ'' = −F (arm · y), a pendulum; its energy is kept to O(h²) */
        talus_load_def load = talus_load_def_default();
        load.force[1] = (talus_motion){constant, &six}; /* at the origin, a corner, upwards */
        talus_world *w = open_world(&d);
        const talus_body_id b = loaded_box(w, &load, 0);
        run(w, 1000);
        double kinetic, potential;
        talus_world_energy(w, &kinetic, &potential);
        const double work = six * at(w, b, 1); /* of the point of attack, which rose from 0 */
        CHECK_CLOSE(kinetic, work, 1e-4);      /* φ'' ≲ 27 s⁻²: (27 s⁻²)² h² t² ~ 7e-4, of which the midpoint rule keeps a 24th */
        CHECK(at(w, b, 2) != 0);
        talus_world_destroy(w);
    }
}

int main(int argc, char **argv)
{
    RUN(incline);
    RUN(tipping);
    RUN(slide_then_roll);
    RUN(bouncing);
    RUN(inelastic);
    RUN(comes_to_rest);
    RUN(projectile);
    RUN(eccentric_body);
    RUN(loads);
    return TEST_RESULT;
}
