/* Nonsmooth generalized-α with joints between free bodies, in the plane: order 2 against closed forms and other equations, no drift, impacts and friction at
 * jointed bodies. */
#include "physics/bars.h"

static talus_world_def alpha_lab(double h)
{
    talus_world_def d = lab(h);
    d.scheme = TALUS_SCHEME_GENERALIZED_ALPHA;
    return d;
}

/* A body by its centre of mass and the angle about it. */
static talus_body_id rigid(talus_world *w, double mass, double inertia, const double q[3], const double v[3])
{
    talus_body_def d = talus_body_def_default();
    talus_body_id id = {0};
    d.mass = mass, d.inertia = inertia;
    d.position[0] = q[0], d.position[1] = q[1], d.angle = q[2];
    d.velocity[0] = v[0], d.velocity[1] = v[1], d.angular_velocity = v[2];
    CHECK_OK(talus_body_create(w, &d, &id), talus_world_error(w));
    return id;
}

static void hinge(talus_world *w, talus_body_id a, talus_body_id b, double x, double y)
{
    talus_body_joint_def d = talus_body_joint_def_default();
    talus_body_joint_id id = {0};
    d.kind = "revolute";
    d.body_a = a, d.body_b = b;
    d.point[0] = x, d.point[1] = y;
    CHECK_OK(talus_body_joint_create(w, &d, &id), talus_world_error(w));
}

static double joint_error(const talus_world *w)
{
    double worst = 0;
    for (int i = 0; i < talus_body_joint_count(w); i++) {
        talus_body_joint_state s;
        CHECK_OK(talus_body_joint_get(w, i, &s), "");
        worst = fmax(worst, s.error);
    }
    return worst;
}

/* ---- order ------------------------------------------------------------------------------------------------------------------ */

/* A physical pendulum of 2 kg, 0.3 kg m² and 0.6 m from rest at 2.5 rad is at the bottom after a quarter of its period. */
static talus_world *pendulum(double h, double radius, double angle, double spin, talus_body_id *bob)
{
    const double l = 0.6, q[3] = {l * sin(angle), -l * cos(angle), angle}, v[3] = {l * spin * cos(angle), l * spin * sin(angle), spin};
    talus_world_def d = alpha_lab(h);
    d.spectral_radius = radius;
    talus_world *w = open_world(&d);
    *bob = rigid(w, 2, 0.3, q, v);
    hinge(w, GROUND, *bob, 0, 0);
    return w;
}

static double quarter_of(double start, double *fastest)
{
    const double mass = 2, inertia = 0.3, l = 0.6, J = inertia + mass * l * l;
    double a = 1, b = cos(0.5 * start);
    for (int i = 0; i < 20; i++) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b), a = mean;
    }
    *fastest = sqrt(2 * mass * G * l * (1 - cos(start)) / J);
    return sqrt(J / (mass * G * l)) * PI / (2 * a);
}

TEST(pendulum_against_its_period)
{
    static const double RADIUS[] = {1, 0.8, 0.2};
    for (size_t k = 0; k < 3; k++) {
        double fastest, angle[RUNS], spin[RUNS];
        const double quarter = quarter_of(2.5, &fastest);
        for (int i = 0; i < RUNS; i++) {
            talus_body_id bob;
            talus_world *w = pendulum(quarter / (200 << i), RADIUS[k], 2.5, 0, &bob);
            run(w, 200 << i);
            angle[i] = fabs(at(w, bob, 2));
            spin[i] = fabs(speed(w, bob, 2) + fastest) / fastest;
            CHECK(joint_error(w) < 1e-9);
            talus_world_destroy(w);
        }
        check_order("angle after T/4", angle, 2, 0.15, 1e-4);
        check_order("spin after T/4", spin, 2, 0.15, 1e-4);
    }
}

/* Three free bodies and four hinges: the state after a second is that of the four-bar's own differential-algebraic equations. The force in the hinge between
 * coupler and rocker is that of these equations too, but for the first order: it is the mean of a step. */
TEST(four_bar_of_free_bodies)
{
    const shape *s = &CRANK_ROCKER;
    double state[RUNS], force[RUNS];
    for (int k = 0; k < RUNS; k++) {
        const int n = 500 << k;
        double y[6], lambda[2], z[6];
        talus_world_def d = alpha_lab(1.0 / n);
        talus_world *w = open_world(&d);
        talus_body_id bar_of[BARS];
        start_state(s, 0.4, 9, y);
        double root[BARS][2] = {{0, 0}, {s->length[0] * cos(y[0]), s->length[0] * sin(y[0])}, {s->ground, 0}}, moving_at[2] = {0, 0};
        for (int i = 0; i < BARS; i++) {
            const double c = cos(y[i]), sn = sin(y[i]), rx = s->centre[i][0] * c - s->centre[i][1] * sn, ry = s->centre[i][0] * sn + s->centre[i][1] * c;
            moving_at[0] = i == 1 ? -root[1][1] * y[3] : 0, moving_at[1] = i == 1 ? root[1][0] * y[3] : 0;
            bar_of[i] = rigid(w, s->mass[i], s->inertia[i], (double[3]){root[i][0] + rx, root[i][1] + ry, y[i]},
                              (double[3]){moving_at[0] - ry * y[3 + i], moving_at[1] + rx * y[3 + i], y[3 + i]});
        }
        hinge(w, GROUND, bar_of[0], 0, 0);
        hinge(w, bar_of[0], bar_of[1], root[1][0], root[1][1]);
        hinge(w, GROUND, bar_of[2], s->ground, 0);
        hinge(w, bar_of[1], bar_of[2], s->ground + s->length[2] * cos(y[2]), s->length[2] * sin(y[2]));
        run(w, n);
        for (int i = 0; i < BARS; i++) z[i] = at(w, bar_of[i], 2), z[3 + i] = speed(w, bar_of[i], 2);
        reference(s, G, y, 1, 20000, lambda);
        state[k] = distance(z, y, 6);
        talus_body_joint_state last;
        CHECK_OK(talus_body_joint_get(w, 3, &last), "");
        force[k] = hypot(last.force[0] + lambda[0], last.force[1] + lambda[1]) / hypot(lambda[0], lambda[1]);
        CHECK(joint_error(w) < 1e-9);
        talus_world_destroy(w);
    }
    check_order("state after a second", state, 2, 0.2, 1e-3);
    printf("force in the hinge off by %.2g %.2g %.2g %.2g of it\n", force[0], force[1], force[2], force[3]);
    CHECK(force[RUNS - 1] < 0.02);
}

/* A slider-crank of free bodies on a slide without clearance against its energy: the crank's speed at an angle follows from it in closed form. */
TEST(slider_crank_of_free_bodies)
{
    const double L1 = 0.153, L2 = 0.306, M1 = 0.038, M2 = 0.038, M3 = 0.076, I1 = 7.5e-5, I2 = 5.9e-4, omega = 150, t = 0.02;
    double error[RUNS];
    for (int k = 0; k < RUNS; k++) {
        const int n = 500 << k;
        talus_world_def d = alpha_lab(t / n);
        d.gravity[1] = -10;
        talus_world *w = open_world(&d);
        const talus_body_id crank = rigid(w, M1, I1, (double[3]){0.5 * L1, 0, 0}, (double[3]){0, 0.5 * L1 * omega, omega});
        const talus_body_id rod = rigid(w, M2, I2, (double[3]){L1 + 0.5 * L2, 0, 0}, (double[3]){0, 0.5 * L1 * omega, -omega * L1 / L2});
        const talus_body_id slider = rigid(w, M3, 2.7e-6, (double[3]){L1 + L2, 0, 0}, (double[3]){0, 0, 0});
        talus_body_joint_def j = talus_body_joint_def_default();
        talus_body_joint_id id = {0};
        hinge(w, GROUND, crank, 0, 0);
        hinge(w, crank, rod, L1, 0);
        hinge(w, rod, slider, L1 + L2, 0);
        j.kind = "prismatic", j.body_b = slider;
        j.axis[0] = 1, j.axis[1] = j.axis[2] = 0;
        CHECK_OK(talus_body_joint_create(w, &j, &id), talus_world_error(w));
        run(w, n);
        const double a = at(w, crank, 2), b = -asin(L1 * sin(a) / L2), ratio = -L1 * cos(a) / (L2 * cos(b)); /* of the rod's rate to the crank's */
        const double vx = -0.5 * L2 * sin(b) * ratio - L1 * sin(a), vy = 0.5 * L2 * cos(b) * ratio + L1 * cos(a), vs = -L1 * sin(a) - L2 * sin(b) * ratio;
        const double J = I1 + 0.25 * M1 * L1 * L1 + I2 * ratio * ratio + M2 * (vx * vx + vy * vy) + M3 * vs * vs;
        const double J0 = I1 + 0.25 * M1 * L1 * L1 + I2 * L1 * L1 / (L2 * L2) + M2 * 0.25 * L1 * L1;
        const double height = M1 * 0.5 * L1 * sin(a) + M2 * 0.5 * L1 * sin(a), speed_there = sqrt((J0 * omega * omega - 2 * 10 * height) / J);
        error[k] = fabs(speed(w, crank, 2) - speed_there) / omega;
        CHECK(joint_error(w) < 1e-9);
        talus_world_destroy(w);
    }
    check_order("speed of the crank", error, 2, 0.3, 1e-4);
}

/* ---- no drift --------------------------------------------------------------------------------------------------------------- */

/* Ten thousand steps of 5 ms, near a hundred turns and swings: the pin stays where it is and its point at rest, to rounding. */
TEST(no_drift)
{
    talus_body_id bob;
    talus_world *w = pendulum(5e-3, 0.8, 0.3, 9, &bob);
    double worst = 0, slip = 0;
    for (int i = 0; i < 10000; i++) {
        double linear[3], angular[3];
        run(w, 1);
        const double arm[2] = {-at(w, bob, 0), -at(w, bob, 1)};
        talus_body_velocity(w, bob, (double[3]){0, 0, 0}, linear, angular);
        worst = fmax(worst, joint_error(w));
        slip = fmax(slip, hypot(linear[0] - angular[2] * arm[1], linear[1] + angular[2] * arm[0]));
    }
    printf("pin off by %.2g m and %.2g m/s at most\n", worst, slip);
    CHECK(worst < 1e-9 && slip < 1e-8);
    talus_world_destroy(w);
}

/* A state that is put into another world of the same making goes on there bit by bit. */
TEST(restart)
{
    enum { FIELDS = 32 };
    talus_world *w[2];
    talus_body_id bob;
    talus_field field[FIELDS];
    for (int k = 0; k < 2; k++) {
        w[k] = pendulum(5e-3, 0.8, 0.3, 9, &bob);
        CHECK_OK(talus_world_assemble(w[k]), talus_world_error(w[k]));
    }
    run(w[0], 37);
    const int count = talus_state_count(w[0]);
    CHECK(count <= FIELDS);
    for (int i = 0; i < count && i < FIELDS; i++) talus_state_field(w[0], i, &field[i]);
    CHECK_OK(talus_state_restore(w[1], field, count), talus_world_error(w[1]));
    for (int k = 0; k < 2; k++) run(w[k], 20);
    CHECK(talus_world_hash(w[0]) == talus_world_hash(w[1]));
    for (int k = 0; k < 2; k++) talus_world_destroy(w[k]);
}

/* ---- contacts --------------------------------------------------------------------------------------------------------------- */

/* A pendulum with a disk at its end strikes a wall at the lowest point: it comes back with e of its spin, and the wall is not entered. */
TEST(a_jointed_body_strikes)
{
    for (double h = 2e-3; h > 1e-4; h *= 0.25) {
        talus_world_def d = alpha_lab(h);
        talus_world *w = open_world(&d);
        const talus_material_id m = material(w, "steel", 1000);
        const double l = 0.5, e = 0.6;
        law(w, 0, e);
        const talus_body_id bob = body(w, TALUS_BODY_FREE, l * sin(1), -l * cos(1), 1);
        add_disk(w, bob, m, 0, 0, 0.05);
        hinge(w, GROUND, bob, 0, 0);
        wall(w, m, -0.05, 0, 1, 0);
        double before = 0;
        bool struck = false;
        for (int i = 0; i < (int)lround(1.0 / h) && !struck; i++) {
            before = speed(w, bob, 2);
            run(w, 1);
            const double after = speed(w, bob, 2);
            struck = before < -1 && after > 0;
            if (struck) CHECK_NEAR(after, -e * before, e * fabs(before) * pow(before * h, 2)); /* the way of the last step is an arc */
            CHECK(at(w, bob, 0) > -1e-8);
        }
        CHECK(struck && joint_error(w) < 1e-9);
        talus_world_destroy(w);
    }
}

/* A box on a slope of 0.4 rad, with gravity turned. Under μ = 0.5 > tan it sticks, and does not creep (by ½ h g sin α it would: 19 mm in these ten seconds);
 * under μ = 0.3 it slides with g (sin α − μ cos α), to the second order: to rounding. */
static double slide_down(double friction, double h, double t)
{
    talus_world_def d = alpha_lab(h);
    d.gravity[0] = G * sin(0.4), d.gravity[1] = -G * cos(0.4);
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, "stone", 2000);
    law(w, friction, 0);
    wall(w, m, 0, 0, 0, 1);
    const talus_body_id b = body(w, TALUS_BODY_FREE, 0, 0.1, 0);
    add_box(w, b, m, 0.2, 0.1);
    run(w, (int)lround(t / h));
    const double x = at(w, b, 0);
    CHECK_NEAR(at(w, b, 1), 0.1, 1e-7);
    CHECK_NEAR(at(w, b, 2), 0, 1e-6);
    talus_world_destroy(w);
    return x;
}

TEST(what_sticks_does_not_creep)
{
    CHECK_NEAR(slide_down(0.5, 1e-3, 10), 0, 1e-8);
    for (double h = 4e-3; h > 5e-4; h *= 0.5) CHECK_NEAR(slide_down(0.3, h, 1), 0.5 * G * (sin(0.4) - 0.3 * cos(0.4)), 2e-6);
}

static void shake(void *user, double t, double out[3])
{
    (void)user;
    out[0] = 0.02 * sin(10 * t), out[1] = 0.2 * cos(10 * t), out[2] = -2 * sin(10 * t);
}

/* A table that is shaken with less than μ g carries a box along. */
TEST(a_shaken_table)
{
    talus_world_def d = alpha_lab(1e-3);
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, "stone", 2000);
    talus_body_def table = talus_body_def_default();
    talus_body_id floor;
    law(w, 0.5, 0);
    table.kind = TALUS_BODY_IMPOSED;
    table.motion[0].value = shake;
    CHECK_OK(talus_body_create(w, &table, &floor), talus_world_error(w));
    add_half_plane(w, floor, m, 0, 0, 0, 1);
    const talus_body_id b = moving(w, 0, 0.1, 0.2, 0, 0);
    add_box(w, b, m, 0.2, 0.1);
    double worst = 0;
    for (int i = 0; i < 5000; i++) {
        run(w, 1);
        worst = fmax(worst, fabs(at(w, b, 0) - 0.02 * sin(10 * talus_world_time(w))));
    }
    printf("on the shaken table off by %.2g m\n", worst);
    CHECK(worst < 1e-6);
    talus_world_destroy(w);
}

int main(int argc, char **argv)
{
    RUN(pendulum_against_its_period);
    RUN(four_bar_of_free_bodies);
    RUN(slider_crank_of_free_bodies);
    RUN(no_drift);
    RUN(restart);
    RUN(a_jointed_body_strikes);
    RUN(what_sticks_does_not_creep);
    RUN(a_shaken_table);
    return TEST_RESULT;
}
