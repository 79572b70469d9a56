/* Nothing passes through anything in space, with restitution as without; what may meet is what moves towards each other. The sibling of crossing_plane.c. */
#include <string.h>

#include "physics/spatial.h"

enum { TARGETS = 5 };

static const double THIN = 0.0005; /* half of what is to be hit */

static talus_world_def weightless(void)
{
    talus_world_def d = lab(1e-3);
    d.gravity[2] = 0;
    d.solver.tolerance = 1e-12;
    d.solver.method = "nlgs"; /* which pairs are looked at is under test: where sweeps stall, the nearest exact solution may be another one after rounding */
    d.correct_drift = false;
    return d;
}

static talus_body_id fixed_body(talus_world *w)
{
    talus_body_def d = talus_body_def_default();
    d.kind = TALUS_BODY_FIXED;
    return add_body(w, &d);
}

/* A plane of two triangles, front towards −x. */
static void add_mesh(talus_world *w, talus_body_id b, talus_material_id m)
{
    static const double corner[4][3] = {{0, -1, -1}, {0, 1, -1}, {0, 1, 1}, {0, -1, 1}};
    static const int32_t triangle[2][3] = {{0, 2, 1}, {0, 3, 2}};
    talus_shape_def d = talus_shape_def_default();
    d.kind = TALUS_SHAPE_MESH;
    d.material = m;
    d.corners = corner, d.count = 4;
    d.triangles = triangle, d.triangle_count = 2;
    CHECK_OK(talus_body_add_shape(w, b, &d), talus_world_error(w));
}

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
    add_box(w, link, m, 2 * THIN, 2, 2);
    return link;
}

/* Something thin at x = 0; returns its mass. */
static double add_target(talus_world *w, talus_material_id m, int kind, talus_body_id *target)
{
    if (kind == 0) *target = fixed_body(w), add_box(w, *target, m, 2 * THIN, 2, 2);
    if (kind == 1) *target = fixed_body(w), add_mesh(w, *target, m);
    if (kind == 2) *target = box(w, m, 0, 0, 0, 2 * THIN, 2, 2);
    if (kind == 3) *target = sphere(w, m, 0, 0, 0, THIN);
    if (kind == 4) *target = sliding_plate(w, m, 2);
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    return kind < 2 ? (double)INFINITY : kind == 4 ? 2 : talus_body_mass(w, *target);
}

static double x_of(const talus_world *w, talus_body_id b)
{
    double p[3], q[4];
    talus_body_pose(w, b, p, q);
    return p[0];
}

static double speed(const talus_world *w, talus_body_id b)
{
    double v[3], spin[3];
    motion(w, b, v, spin);
    return v[0];
}

/* v₁⁺ = v − (1 + e) v m₂ / (m₁ + m₂), v₂⁺ = (1 + e) v m₁ / (m₁ + m₂), of a ball or a cube. */
static void shoot(double v, double e, int kind, bool cube)
{
    const talus_world_def d = weightless();
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, 1000);
    talus_body_id target = {0};
    talus_body_def def = talus_body_def_default();
    const double centre[1][3] = {{0, 0, 0}};
    law(w, 0, e);
    def.position[0] = -0.87 * v * d.step - 0.1, def.velocity[0] = v;
    const talus_body_id ball = add_body(w, &def);
    if (cube) add_box(w, ball, m, 0.01, 0.01, 0.01);
    else add_corners(w, ball, m, TALUS_SHAPE_SPHERE, centre, 1, 0.005);
    const double other = add_target(w, m, kind, &target), mass = talus_body_mass(w, ball), share = isfinite(other) ? other / (mass + other) : 1;
    bool hit = false;
    for (int i = 0; i < 400; i++) {
        run(w, 1);
        if (hit) continue;
        hit = speed(w, ball) != v;
        CHECK(x_of(w, ball) < (isfinite(other) ? x_of(w, target) : 0));
    }
    CHECK(hit);
    CHECK_NEAR(speed(w, ball), v - (1 + e) * v * share, 1e-10 * v);
    CHECK_NEAR(speed(w, target), (1 + e) * v * (1 - share), 1e-9 * v);
    talus_world_destroy(w);
}

TEST(single_impact)
{
    for (int kind = 0; kind < TARGETS; kind++)
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < 4; i++) shoot(pow(10, k), i % 2 ? 1 : 0.3, kind, i / 2 && kind != 3);
}

/* The ball in front of the plate is pushed by the one behind it, which the solve alone knows. */
TEST(pushed)
{
    const double e[] = {0, 0.5, 1};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 10; k++) {
            const talus_world_def d = weightless();
            talus_world *w = open_world(&d);
            const talus_material_id m = material(w, 1000);
            law(w, 0, e[i]);
            add_box(w, fixed_body(w), m, 2 * THIN, 2, 2);
            const talus_body_id front = sphere(w, m, -0.0055 - 1e-3 * k, 0, 0, 0.005), behind = moving_sphere(w, m, -0.3 - 1e-2 * k, 0, 0, 0.005, 100);
            for (int n = 0; n < 50; n++) {
                run(w, 1);
                CHECK(x_of(w, front) < 0 && x_of(w, behind) < 0 && hypot(speed(w, front), speed(w, behind)) <= 100 * (1 + 1e-12));
            }
            talus_world_destroy(w);
        }
}

/* A thin plate that strikes another askew turns by a large angle within a step: the corners that come down are in the problem before they are through.
 * kind: of the plate below, as in add_target; what strikes is a box, a rod or an octahedron that is flat. */
static void slap(int kind, int striker, double angle, double v, double e)
{
    static const double corner[6][3] = {{-0.05, 0, 0}, {0.05, 0, 0}, {0, -0.05, 0}, {0, 0.05, 0}, {0, 0, -THIN}, {0, 0, THIN}},
                        end[2][3] = {{-0.05, 0, 0}, {0.05, 0, 0}};
    talus_world_def d = weightless();
    d.solver.tolerance = 1e-9;
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, 1000);
    talus_body_id target = {0};
    talus_body_def def = talus_body_def_default();
    law(w, 0.3, e);
    def.position[0] = -0.5, def.position[1] = 0.01, def.position[2] = 0.02;
    def.velocity[0] = v;
    def.quaternion[0] = cos(0.5 * angle), def.quaternion[1] = 0.1 * sin(0.5 * angle), def.quaternion[2] = sqrt(0.99) * sin(0.5 * angle);
    const talus_body_id plate = add_body(w, &def);
    if (striker == 0) add_box(w, plate, m, 2 * THIN, 0.1, 0.1);
    if (striker == 1) add_corners(w, plate, m, TALUS_SHAPE_CAPSULE, end, 2, THIN);
    if (striker == 2) add_corners(w, plate, m, TALUS_SHAPE_POLYHEDRON, corner, 6, 0);
    (void)add_target(w, m, kind, &target);
    double before, now, potential;
    talus_world_energy(w, &before, &potential);
    const double start = before;
    for (int i = 0; i < 60; i++) {
        run(w, 1);
        talus_world_energy(w, &now, &potential);
        if (!(x_of(w, plate) < 0)) {
            TEST_FAIL("kind %d, striker %d, %g rad, %g m/s, e = %g: at %g m after %d steps", kind, striker, angle, v, e, x_of(w, plate), i + 1);
            break;
        }
        if (kind == 0 && !(now <= before + 1e-9 * start))
            TEST_FAIL("kind %d, striker %d, %g rad, %g m/s, e = %g: %g J after %g J, step %d", kind, striker, angle, v, e, now, before, i + 1);
        before = now;
    }
    talus_world_destroy(w);
}

/* Up to sixty of its thicknesses a step; of a mesh, which has no inside to push back from, up to twenty. */
TEST(askew)
{
    static const double ANGLE[] = {0.02, 0.1, 0.4, 0.8, 1.2, 1.5}, SPEED[] = {5, 20, 60};
    for (int kind = 0; kind < 2; kind++)
        for (int striker = 0; striker < 3; striker++)
            for (int i = 0; i < 6; i++)
                for (int k = 0; k < 3 - kind; k++)
                    for (int e = 0; e < 2; e++) slap(kind, striker, ANGLE[i], SPEED[k], 0.5 * e);
}

enum { CLOUD = 216 };

/* Balls and stones in a heap's disorder, some of them fast. */
static int cloud(double restitution, double boost, double v[CLOUD][3])
{
    const talus_world_def d = weightless();
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, 1000);
    const double centre[1][3] = {{0, 0, 0}};
    law(w, 0.4, restitution);
    int near = 0;
    talus_body_id b[CLOUD];
    for (int i = 0; i < CLOUD; i++) {
        talus_body_def def = talus_body_def_default();
        const double fast = i % 37 == 0 ? 8 : 0.2;
        def.position[0] = 0.021 * (i % 6), def.position[1] = 0.021 * (i / 6 % 6), def.position[2] = 0.021 * (i / 36);
        def.velocity[0] = fast * sin(17.0 * i) + boost, def.velocity[1] = fast * cos(5.0 * i) - boost, def.velocity[2] = fast * sin(3.0 * i);
        b[i] = add_body(w, &def);
        if (i % 3) add_corners(w, b[i], m, TALUS_SHAPE_SPHERE, centre, 1, 0.01);
        else add_box(w, b[i], m, 0.016, 0.016, 0.016);
    }
    for (int n = 0; n < 20; n++) {
        talus_step_report r = {0};
        CHECK_OK(talus_world_step(w, &r), talus_world_error(w));
        near += r.contacts;
    }
    for (int i = 0; i < CLOUD; i++) {
        double spin[3];
        motion(w, b[i], v[i], spin);
        v[i][0] -= boost, v[i][1] += boost;
    }
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
        CHECK(near > 200 && near < 20 * 13 * CLOUD);
        CHECK(cloud(restitution, 64, fast) == near);
        for (int b = 0; b < CLOUD; b++)
            for (int k = 0; k < 3; k++) CHECK_NEAR(fast[b][k], still[b][k], 1e-6);
    }
}

/* What falls together never meets: there is nothing to look at, also at 30 m/s. */
TEST(fall)
{
    const talus_world_def d = lab(1e-3);
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, 1000);
    law(w, 0.4, 0);
    ground(w, m, 0, 0, 1);
    int near = 0;
    for (int i = 0; i < 125; i++) {
        talus_body_def def = talus_body_def_default();
        const double centre[1][3] = {{0, 0, 0}};
        def.position[0] = 0.008 * (i % 5), def.position[1] = 0.008 * (i / 5 % 5), def.position[2] = 100 + 0.008 * (i / 25), def.velocity[2] = -30;
        add_corners(w, add_body(w, &def), m, TALUS_SHAPE_SPHERE, centre, 1, 0.003);
    }
    for (int i = 0; i < 100; i++) {
        talus_step_report r = {0};
        CHECK_OK(talus_world_step(w, &r), talus_world_error(w));
        near += r.contacts;
    }
    CHECK(near == 0);
    talus_world_destroy(w);
}

int main(int argc, char **argv)
{
    RUN(single_impact);
    RUN(pushed);
    RUN(askew);
    RUN(common_velocity);
    RUN(fall);
    return TEST_RESULT;
}
