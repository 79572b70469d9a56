/* Where in its step an impact falls is chance (impact_phase_plane.c): in space. */
#include "physics/spatial.h"

enum { PER_DECADE = 60 };

static const double RADIUS = 0.05, LENGTH = 1, RESTITUTION[3] = {0, 0.5, 1}, FRICTION[3] = {0, 0.3, 1};

/* Steps from 1e-3 s down, at no simple ratio to one another. */
static double nth_step(int n) { return 1.00137e-3 * pow(10, -(double)n / PER_DECADE); }

/* A sphere strikes a floor obliquely, without gravity. It sticks or slides by Coulomb's law for the whole impulse, however many steps that takes. */
static void strike(double h, double friction, double e, const double spin[3])
{
    const double u[3] = {1, -0.4, -2}, away = 0.0613, end = 0.06, k = 0.4, before = -away / u[2];
    talus_world_def d = lab(h);
    d.gravity[2] = 0;
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, 1000);
    talus_body_def b = talus_body_def_default();
    const double centre[1][3] = {{0, 0, 0}};
    law(w, friction, e);
    (void)ground(w, m, 0, 0, 1);
    b.position[2] = RADIUS + away;
    for (int i = 0; i < 3; i++) b.velocity[i] = u[i], b.spin[i] = spin[i];
    const talus_body_id ball = add_body(w, &b);
    add_corners(w, ball, m, TALUS_SHAPE_SPHERE, centre, 1, RADIUS);
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    run(w, (int)ceil(end / h));
    const double slip[2] = {u[0] - spin[1] * RADIUS, u[1] + spin[0] * RADIUS}, size = hypot(slip[0], slip[1]);
    const double jump = fmin(friction * (1 + e) * -u[2] / size, k / (1 + k)), after = talus_world_time(w) - before;
    const double I[2] = {-jump * slip[0], -jump * slip[1]}, turn[3] = {I[1] / (k * RADIUS), -I[0] / (k * RADIUS), 0};
    double x[3], v[3], omega[3];
    place(w, ball, x);
    motion(w, ball, v, omega);
    for (int i = 0; i < 3; i++) CHECK_NEAR(omega[i], spin[i] + turn[i], 1e-7);
    for (int i = 0; i < 2; i++) {
        CHECK_NEAR(v[i], u[i] + I[i], 1e-9);
        CHECK_NEAR(x[i], u[i] * before + (u[i] + I[i]) * after, h * fabs(I[i]) + 1e-9);
    }
    CHECK_NEAR(v[2], -e * u[2], 1e-9);
    CHECK_NEAR(x[2], RADIUS - e * u[2] * after, (e > 0 ? -h * (1 + e) * u[2] : 0) + 1e-9);
    talus_world_destroy(w);
}

TEST(oblique_impact)
{
    const double spin[3][3] = {{0, 0, 0}, {20, -30, 7}, {-10, 50, -3}};
    for (int n = 0; n <= 2 * PER_DECADE; n += 5)
        for (int i = 0; i < 27; i++) strike(nth_step(n), FRICTION[i % 3], RESTITUTION[i / 3 % 3], spin[i / 9]);
}

static void tie(talus_world *w, talus_body_id b, double x)
{
    talus_rope_def d = talus_rope_def_default();
    d.body_b = b;
    d.point_a[0] = x;
    d.length = LENGTH;
    CHECK_OK(talus_rope_create(w, &d), talus_world_error(w));
}

/* Two balls on ropes, with the bounds of impact_phase_plane.c. */
static void collide(double h, double friction, double e)
{
    const double v2 = 2 * G * LENGTH * (1 - sqrt(0.5)), v = sqrt(v2), slop = 1e-3 * RADIUS, lower = 4e-3 * slop + h * h * v2 / (2 * LENGTH);
    const talus_world_def d = lab(h);
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, 1000);
    const talus_body_id left = sphere(w, m, -RADIUS - LENGTH * sqrt(0.5), 0, -LENGTH * sqrt(0.5), RADIUS), right = sphere(w, m, RADIUS, 0, -LENGTH, RADIUS);
    double stretch = 0, velocity[3], spin_left[3], spin_right[3];
    law(w, friction, e);
    tie(w, left, -RADIUS);
    tie(w, right, RADIUS);
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    while (talus_world_time(w) < 0.6) { /* before they turn and meet again */
        run(w, 1);
        for (int i = 1; i <= 2; i++) {
            talus_contact rope;
            talus_contact_get(w, talus_contact_count(w) - i, &rope);
            stretch = fmax(stretch, -rope.gap);
        }
    }
    const double most = v * lower / (2 * RADIUS) / (2 * RADIUS) + (e > 0 ? v * h * v / LENGTH / (2 * RADIUS) : 0);
    CHECK_NEAR(stretch, 0, lower);
    motion(w, left, velocity, spin_left);
    motion(w, right, velocity, spin_right);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(spin_left[i], 0, most);
        CHECK_NEAR(spin_right[i], 0, most);
    }
    talus_world_destroy(w);
}

TEST(balls_on_ropes)
{
    for (int n = 0; n <= PER_DECADE + PER_DECADE / 2; n += 2)
        for (int i = 0; i < 6; i++) collide(nth_step(n), FRICTION[1 + i % 2], RESTITUTION[i / 2]);
}

int main(int argc, char **argv)
{
    RUN(oblique_impact);
    RUN(balls_on_ropes);
    return TEST_RESULT;
}
