/* Ropes in space: hanging, slack and fall, a turn in a circle, what two bodies share when the rope between them tightens. */
#include "physics/spatial.h"

static void tie(talus_world *w, talus_body_id a, double ax, double ay, double az, talus_body_id b, double bz, double length)
{
    talus_rope_def d = talus_rope_def_default();
    d.body_a = a, d.body_b = b;
    d.point_a[0] = ax, d.point_a[1] = ay, d.point_a[2] = az, d.point_b[2] = bz;
    d.length = length;
    CHECK_OK(talus_rope_create(w, &d), talus_world_error(w));
}

static double pull(const talus_world *w, int rope)
{
    talus_contact c;
    talus_contact_get(w, talus_contact_count(w) - talus_rope_count(w) + rope, &c);
    return c.impulse[0] / talus_world_step_size(w);
}

/* A box hangs by a point off its middle: it turns until its centre is below, and the rope carries its weight; two ropes in a row carry the same. */
TEST(hangs)
{
    talus_world_def d = lab(1e-2);
    d.theta = 1;
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, 1000);
    const talus_body_id none = {0}, upper = sphere(w, m, 0, 0, -1, 0.1), lower = box(w, m, 0.02, 0, -2.1, 0.2, 0.2, 0.2);
    tie(w, none, 0, 0, 0, upper, 0, 1);
    tie(w, upper, 0, 0, -0.1, lower, 0.1, 1);
    double x[3], weight = talus_body_mass(w, lower) * G;
    run(w, 1);
    weight = talus_body_mass(w, lower) * G;
    CHECK_NEAR(weight, 8 * G, 1e-9);
    run(w, 60000); /* implicit: the swing dies down */
    place(w, lower, x);
    CHECK_NEAR(x[2], -2.2, 1e-3);
    CHECK_CLOSE(pull(w, 1), weight, 1e-3);
    CHECK_CLOSE(pull(w, 0), weight + talus_body_mass(w, upper) * G, 1e-3);
    talus_world_destroy(w);
}

/* Free fall while slack; taut, it keeps what is at right angles to the rope and no more. */
TEST(slack_then_taut)
{
    const double h = 1e-4, L = 0.5;
    talus_world_def d = lab(h);
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, 1000);
    talus_body_def b = talus_body_def_default();
    const double centre[1][3] = {{0, 0, 0}};
    b.position[0] = 0.3;
    const talus_body_id ball = add_body(w, &b), none = {0};
    add_corners(w, ball, m, TALUS_SHAPE_SPHERE, centre, 1, 0.05);
    tie(w, none, 0, 0, 0, ball, 0, L);
    const double depth = 0.4, t = sqrt(2 * depth / G), steps = t / h; /* 0.3² + 0.4² = L² */
    double x[3], v[3], omega[3];
    run(w, (int)steps - 5);
    CHECK(pull(w, 0) == 0);
    place(w, ball, x);
    CHECK_NEAR(x[2], -0.5 * G * (h * ((int)steps - 5)) * (h * ((int)steps - 5)), 1e-9);
    run(w, 10);
    motion(w, ball, v, omega);
    const double speed = G * t, along[3] = {-0.8, 0, -0.6}; /* at right angles to (0.3, −0.4) */
    for (int k = 0; k < 3; k++) CHECK_NEAR(v[k], 0.6 * speed * along[k], 20 * G * h);
    talus_world_destroy(w);
}

/* A ball round a point without gravity: the pull is m v²/L. */
TEST(circle)
{
    talus_world_def d = lab(1e-4);
    d.gravity[2] = 0;
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, 1000);
    talus_body_def b = talus_body_def_default();
    const double centre[1][3] = {{0, 0, 0}}, v0 = 2, L = 0.5;
    b.position[0] = L;
    b.velocity[1] = v0;
    const talus_body_id ball = add_body(w, &b), none = {0};
    add_corners(w, ball, m, TALUS_SHAPE_SPHERE, centre, 1, 0.05);
    tie(w, none, 0, 0, 0, ball, 0, L);
    run(w, 5000);
    double v[3], omega[3], x[3];
    motion(w, ball, v, omega);
    place(w, ball, x);
    CHECK_CLOSE(pull(w, 0), talus_body_mass(w, ball) * v0 * v0 / L, 1e-2);
    CHECK_CLOSE(size3(v), v0, 1e-3);
    CHECK_CLOSE(size3(x), L, 1e-3);
    talus_world_destroy(w);
}

/* A moving ball tightens a rope to a link on a slide: along the rope both have the velocity that keeps their momentum. */
TEST(pulls_a_link)
{
    talus_world_def d = lab(1e-3);
    d.gravity[2] = 0;
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, 1000);
    const double mass = 20, v0 = 3;
    talus_body_def b = talus_body_def_default();
    const double centre[1][3] = {{0, 0, 0}};
    b.position[2] = 0.4;
    b.velocity[2] = v0;
    const talus_body_id link = ram(w, mass, 0, 0), ball = add_body(w, &b);
    add_corners(w, ball, m, TALUS_SHAPE_SPHERE, centre, 1, 0.1);
    tie(w, link, 0, 0, 0.1, ball, 0, 0.5);
    double v[3], omega[3];
    run(w, 100);
    const double own = talus_body_mass(w, ball), common = own * v0 / (own + mass);
    motion(w, ball, v, omega);
    CHECK_NEAR(v[2], common, 1e-9);
    motion(w, link, v, omega);
    CHECK_NEAR(v[2], common, 1e-9);
    talus_world_destroy(w);
}

TEST(mistakes)
{
    talus_world_def d = lab(1e-3);
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, 1000);
    const talus_body_id ball = sphere(w, m, 0, 0, 0, 0.1);
    talus_rope_def r = talus_rope_def_default();
    r.body_b = ball, r.length = -1;
    CHECK(talus_rope_create(w, &r) == TALUS_INPUT && strstr(talus_world_error(w), "length is -1 m"));
    r.length = 1, r.body_a = ball;
    CHECK(talus_rope_create(w, &r) == TALUS_INPUT && strstr(talus_world_error(w), "one body at both ends"));
    r.body_a = (talus_body_id){9};
    CHECK(talus_rope_create(w, &r) == TALUS_INPUT && strstr(talus_world_error(w), "does not exist"));
    r.body_a = (talus_body_id){0}, r.length = 0;
    CHECK_OK(talus_rope_create(w, &r), talus_world_error(w));
    CHECK(talus_world_assemble(w) == TALUS_INPUT && strstr(talus_world_error(w), "rope 0 has no length"));
    talus_world_destroy(w);
}

int main(int argc, char **argv)
{
    RUN(hangs);
    RUN(slack_then_taut);
    RUN(circle);
    RUN(pulls_a_link);
    RUN(mistakes);
    return TEST_RESULT;
}
