/* Nothing passes through anything, with restitution as without: what would be too deep a step later bounces now, with the velocities that Newton's law says
 * for the single impact. What may meet is what moves towards each other: a velocity that all have in common changes nothing. */
#include <string.h>

#include "physics/planar.h"

enum { TARGETS = 5 };

static const double THIN = 0.0005; /* half of what is to be hit */

static talus_world_def weightless(void)
{
    talus_world_def d = lab(1e-3);
    d.gravity[1] = 0;
    d.solver.tolerance = 1e-12;
    d.correct_drift = false;
    return d;
}

/* A plate on a slide along x. */
static talus_body_id sliding_plate(talus_world *w, talus_material_id m, double mass)
{
    talus_mechanism_id press = {0};
    talus_body_id link = {0};
    talus_joint_id joint = {0};
    talus_link_def def = talus_link_def_default();
    talus_joint_def slide = talus_joint_def_default();
    CHECK_OK(talus_mechanism_create(w, "slide", &press), talus_world_error(w));
    def.mass = mass;
    CHECK_OK(talus_link_create(w, press, &def, &link), talus_world_error(w));
    slide.kind = TALUS_JOINT_PRISMATIC;
    slide.child = link;
    slide.axis[0] = 1, slide.axis[1] = slide.axis[2] = 0;
    CHECK_OK(talus_joint_create(w, &slide, &joint), talus_world_error(w));
    add_box(w, link, m, THIN, 1);
    return link;
}

static void add_segment(talus_world *w, talus_body_id b, talus_material_id m)
{
    talus_shape_def d = talus_shape_def_default();
    d.kind = TALUS_SHAPE_SEGMENT;
    d.material = m;
    d.radius = THIN;
    d.count = 2;
    d.points[0][1] = -1, d.points[1][1] = 1;
    CHECK_OK(talus_body_add_shape(w, b, &d), talus_world_error(w));
}

/* Something thin at x = 0; returns its mass. */
static double add_target(talus_world *w, talus_material_id m, int kind, talus_body_id *target)
{
    if (kind == 0) *target = body(w, TALUS_BODY_FIXED, 0, 0, 0), add_box(w, *target, m, THIN, 1);
    if (kind == 1) *target = body(w, TALUS_BODY_FIXED, 0, 0, 0), add_segment(w, *target, m);
    if (kind == 2) *target = body(w, TALUS_BODY_FREE, 0, 0, 0), add_box(w, *target, m, THIN, 1);
    if (kind == 3) *target = free_disk(w, m, 0, 0, THIN);
    if (kind == 4) *target = sliding_plate(w, m, 2);
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    return kind < 2 ? (double)INFINITY : kind == 4 ? 2 : talus_body_mass(w, *target);
}

/* v₁⁺ = v − (1 + e) v m₂ / (m₁ + m₂), v₂⁺ = (1 + e) v m₁ / (m₁ + m₂) */
static void shoot(double v, double e, int kind, talus_activation activation)
{
    const talus_material_id none = {0};
    const talus_world_def d = weightless();
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, "steel", 1000);
    talus_body_id target = {0};
    law_between(w, none, none, 0, e, activation);
    const talus_body_id ball = moving(w, -0.87 * v * d.step - 0.1, 0, v, 0, 0);
    add_disk(w, ball, m, 0, 0, 0.005);
    const double other = add_target(w, m, kind, &target), mass = talus_body_mass(w, ball);
    const double share = isfinite(other) ? other / (mass + other) : 1;
    bool hit = false;
    for (int i = 0; i < 400; i++) {
        run(w, 1);
        if (hit) continue;
        hit = speed(w, ball, 0) != v;
        CHECK(at(w, ball, 0) < (isfinite(other) ? at(w, target, 0) : 0));
    }
    CHECK(hit);
    CHECK_NEAR(speed(w, ball, 0), v - (1 + e) * v * share, 1e-12 * v);
    CHECK_NEAR(speed(w, target, 0), (1 + e) * v * (1 - share), 1e-11 * v);
    talus_world_destroy(w);
}

TEST(single_impact)
{
    for (int kind = 0; kind < TARGETS; kind++)
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < 2; i++) {
                shoot(pow(10, k), i ? 1 : 0.3, kind, TALUS_ACTIVATION_AUTO);
                shoot(pow(10, k), i ? 1 : 0.3, kind, TALUS_ACTIVATION_GAP);
            }
}

static double energy(const talus_world *w)
{
    double kinetic, potential;
    talus_world_energy(w, &kinetic, &potential);
    return kinetic + potential;
}

/* Disks of 3 mm rain on a shelf of 1 mm, strike each other there and come to rest on it. */
TEST(rain)
{
    talus_world_def d = lab(1e-3);
    d.solver.tolerance = 1e-8;
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, "stone", 2700);
    law(w, 0.5, 0.3);
    const talus_body_id shelf = body(w, TALUS_BODY_FIXED, 0, 0, 0);
    add_box(w, shelf, m, 1, THIN);
    talus_body_id drop[60];
    for (int i = 0; i < 60; i++) drop[i] = free_disk(w, m, -0.1 + 0.01 * (i % 20), 4 + 0.01 * (i / 20), 0.0015);
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    double before = energy(w), size = before;
    /* what parts with s and overlaps is stopped where gravity would make it come back: m (G h − s) s/2 at most */
    const double come_back = 60 * talus_body_mass(w, drop[0]) * G * d.step * G * d.step / 8;
    for (int i = 0; i < 1200; i++) {
        const talus_step_report r = step(w);
        const double now = energy(w);
        CHECK(now <= before + r.drift_energy + come_back + 1e-9 * size); /* taking overlap back lifts */
        before = now;
    }
    for (int i = 0; i < 60; i++) CHECK(at(w, drop[i], 1) > 0);
    /* they fall by six radii in a step, which alone is said */
    const char *said = talus_world_warnings(w), *once = strstr(said, "bounce off each other while they are 0.00");
    CHECK(once && strchr(said, '\n') > once && strchr(said, '\n')[1] == '\0');
    talus_world_destroy(w);
}

/* The disk in front of the plate is pushed by the one behind it, which the solve alone knows. */
TEST(pushed)
{
    const double e[] = {0, 0.5, 1};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 10; k++) {
            const talus_world_def d = weightless();
            talus_world *w = open_world(&d);
            const talus_material_id m = material(w, "steel", 1000);
            law(w, 0, e[i]);
            const talus_body_id plate = body(w, TALUS_BODY_FIXED, 0, 0, 0);
            add_box(w, plate, m, THIN, 1);
            const talus_body_id front = free_disk(w, m, -0.0055 - 1e-3 * k, 0, 0.005), behind = moving(w, -0.3 - 1e-2 * k, 0, 100, 0, 0);
            add_disk(w, behind, m, 0, 0, 0.005);
            CHECK_OK(talus_world_assemble(w), talus_world_error(w));
            const double before = energy(w);
            for (int n = 0; n < 50; n++) {
                run(w, 1);
                CHECK(at(w, front, 0) < 0 && at(w, behind, 0) < 0 && energy(w) <= before * (1 + 1e-12));
            }
            talus_world_destroy(w);
        }
}

enum { CLOUD = 200 };

/* Disks and a box in a heap's disorder, some of them fast. */
static int cloud(double restitution, double boost, double v[CLOUD][3])
{
    talus_world_def d = weightless();
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, "stone", 1000);
    law(w, 0.4, restitution);
    int near = 0;
    talus_body_id b[CLOUD];
    for (int i = 0; i < CLOUD; i++) {
        const double x = 0.021 * (i % 20), y = 0.021 * (i / 20), fast = i % 37 == 0 ? 8 : 0.2;
        b[i] = moving(w, x, y, fast * sin(17.0 * i) + boost, fast * cos(5.0 * i) - boost, 0);
        if (i % 3) add_disk(w, b[i], m, 0, 0, 0.01);
        else add_box(w, b[i], m, 0.008, 0.008);
    }
    for (int n = 0; n < 20; n++) near += step(w).contacts;
    for (int i = 0; i < CLOUD; i++)
        for (int k = 0; k < 3; k++) v[i][k] = speed(w, b[i], k) - (k == 0 ? boost : k == 1 ? -boost : 0);
    talus_world_destroy(w);
    return near;
}

/* Galilei: seen from a train, the same pairs are looked at and the same happens. */
TEST(common_velocity)
{
    static double still[CLOUD][3], fast[CLOUD][3];
    for (int i = 0; i < 2; i++) {
        const double restitution = 0.3 * i;
        const int near = cloud(restitution, 0, still);
        CHECK(near > 200 && near < 20 * 6 * CLOUD);
        CHECK(cloud(restitution, 64, fast) == near);
        for (int b = 0; b < CLOUD; b++)
            for (int k = 0; k < 2; k++) CHECK_NEAR(fast[b][k], still[b][k], 1e-6);
    }
}

/* What falls together never meets: there is nothing to look at, also at 30 m/s. */
TEST(fall)
{
    const talus_world_def d = lab(1e-3);
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, "stone", 1000);
    law(w, 0.4, 0);
    wall(w, m, 0, -100, 0, 1);
    for (int i = 0; i < 100; i++) {
        const talus_body_id b = moving(w, 0.008 * (i % 10), 0.008 * (i / 10), 0, -30, 0);
        add_disk(w, b, m, 0, 0, 0.003);
    }
    int near = 0;
    for (int i = 0; i < 100; i++) near += step(w).contacts;
    CHECK(near == 0);
    talus_world_destroy(w);
}

/* Bodies that touch exactly are closed, wherever rounding puts them: a column under `gap` rests from the first step on. */
TEST(touching)
{
    const talus_material_id none = {0};
    for (int k = 0; k < 20; k++) {
        const talus_world_def d = lab(1e-3);
        talus_world *w = open_world(&d);
        const talus_material_id m = material(w, "stone", 1000);
        const double r = 0.1 + 0.013 * k, x = k / 3.0;
        law_between(w, none, none, 0.5, 0.2, TALUS_ACTIVATION_GAP);
        wall(w, m, 0, 0.7 * k, 0, 1);
        talus_body_id b[5];
        for (int i = 0; i < 5; i++) b[i] = free_disk(w, m, x, 0.7 * k + (2 * i + 1) * r, r);
        CHECK(step(w).contacts == 5);
        for (int i = 0; i < 5; i++) CHECK_NEAR(speed(w, b[i], 1), 0, 1e-8);
        talus_world_destroy(w);
    }
}

/* A disk that slides throughout its impact: ω⁺ = μ (1 + e) |V_n| m R / J, whatever the gap or overlap that the step meets it with. */
TEST(arm_of_a_rim)
{
    const double R = 0.1, mass = 1, J = 0.005, e = 0.5, mu = 0.3, v = -3;
    for (int k = 0; k < 20; k++)
        for (int anticipated = 0; anticipated < 2; anticipated++) {
            talus_world_def d = weightless();
            const talus_material_id none = {0};
            talus_world *w = open_world(&d);
            const talus_material_id m = material(w, "steel", 1000);
            law_between(w, none, none, mu, e, anticipated ? TALUS_ACTIVATION_AUTO : TALUS_ACTIVATION_GAP);
            wall(w, m, 0, 0, 0, 1);
            talus_body_def def = talus_body_def_default();
            talus_body_id b = {0};
            def.mass = mass, def.inertia = J;
            def.position[1] = R + 0.01 + 0.00015 * k, def.velocity[0] = 60, def.velocity[1] = v;
            CHECK_OK(talus_body_create(w, &def, &b), talus_world_error(w));
            add_disk(w, b, m, 0, 0, R);
            run(w, 20);
            CHECK_NEAR(speed(w, b, 1), -e * v, 1e-12);
            CHECK_NEAR(speed(w, b, 2), mu * (1 + e) * v * mass * R / J, 1e-10);
            talus_world_destroy(w);
        }
}

int main(int argc, char **argv)
{
    RUN(single_impact);
    RUN(rain);
    RUN(pushed);
    RUN(common_velocity);
    RUN(fall);
    RUN(touching);
    RUN(arm_of_a_rim);
    return TEST_RESULT;
}
