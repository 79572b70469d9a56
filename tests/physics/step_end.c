/* The end of a step (theory §4.1, §6.4), in the plane and in space, on a fixed body and on a driven link: impulses reach the reactions of
 * mechanisms, and penetration beyond the slop is taken back in positions only. Through the public interface. */
#include "talus/talus.h"
#include "test.h"

static const double G = 9.81, RADIUS = 0.1, STEP = 1e-3, SLOP = 1e-4, LINK = 3, TOLERANCE = 1e-10;

typedef struct model {
    talus_world *world;
    talus_body_id ball;
    talus_joint_id joint;
    int up; /* the axis that gravity is along */
} model;

static void stay(void *user, double t, double out[3])
{
    (void)user, (void)t;
    out[0] = out[1] = out[2] = 0;
}

/* A box whose upper face is at height 0. */
static void add_floor(const model *m, talus_body_id body, talus_material_id material)
{
    talus_shape_def s = talus_shape_def_default();
    double corner[8][3];
    for (int i = 0; i < 8; i++) {
        for (int k = 0; k < 3; k++) corner[i][k] = i >> k & 1 ? 1 : -1;
        corner[i][m->up] -= 1;
    }
    s.material = material;
    s.kind = m->up == 1 ? TALUS_SHAPE_POLYGON : TALUS_SHAPE_POLYHEDRON;
    s.count = m->up == 1 ? 4 : 8;
    for (int i = 0; m->up == 1 && i < 4; i++) s.points[i][0] = corner[i][0], s.points[i][1] = corner[i][1];
    if (m->up == 2) s.corners = (const double(*)[3])corner;
    CHECK_OK(talus_body_add_shape(m->world, body, &s), talus_world_error(m->world));
}

static talus_body_id fixed_body(const model *m)
{
    talus_body_def d = talus_body_def_default();
    talus_body_id id = {0};
    d.kind = TALUS_BODY_FIXED;
    CHECK_OK(talus_body_create(m->world, &d, &id), talus_world_error(m->world));
    return id;
}

/* On a slide along the axis that gravity is along, driven to stay. */
static talus_body_id driven_link(model *m)
{
    talus_mechanism_id mechanism;
    talus_body_id id = {0};
    talus_link_def l = talus_link_def_default();
    talus_joint_def j = talus_joint_def_default();
    talus_drive_def d = talus_drive_def_default();
    l.mass = LINK;
    l.inertia[0] = l.inertia[1] = l.inertia[2] = 1;
    CHECK_OK(talus_mechanism_create(m->world, "table", &mechanism), talus_world_error(m->world));
    CHECK_OK(talus_link_create(m->world, mechanism, &l, &id), talus_world_error(m->world));
    j.kind = TALUS_JOINT_PRISMATIC;
    j.child = id;
    for (int k = 0; k < 3; k++) j.axis[k] = k == m->up;
    CHECK_OK(talus_joint_create(m->world, &j, &m->joint), talus_world_error(m->world));
    d.position.value = stay;
    CHECK_OK(talus_joint_drive(m->world, m->joint, &d), talus_world_error(m->world));
    return id;
}

static void add_ball(model *m, talus_material_id material, double depth)
{
    talus_body_def d = talus_body_def_default();
    talus_shape_def s = talus_shape_def_default();
    const double centre[1][3] = {{0, 0, 0}};
    d.position[m->up] = RADIUS - depth;
    CHECK_OK(talus_body_create(m->world, &d, &m->ball), talus_world_error(m->world));
    s.material = material;
    s.radius = RADIUS;
    s.kind = m->up == 1 ? TALUS_SHAPE_DISK : TALUS_SHAPE_SPHERE;
    if (m->up == 2) s.corners = centre, s.count = 1;
    CHECK_OK(talus_body_add_shape(m->world, m->ball, &s), talus_world_error(m->world));
}

/* A disk or a ball on a floor that is a fixed body or a driven link, `depth` below its surface. */
static model floor_and_ball(int dimension, bool on_link, double depth, bool correct)
{
    model m = {.up = dimension - 1};
    talus_world_def w = talus_world_def_default();
    talus_material_def stone = talus_material_def_default();
    talus_material_id material;
    stone.density = 2000;
    w.dimension = dimension;
    w.gravity[m.up] = -G;
    w.step = STEP;
    w.solver.tolerance = TOLERANCE;
    w.penetration_slop = SLOP;
    w.correct_drift = correct;
    char text[512] = "";
    CHECK_OK(talus_world_create(&w, &m.world, text, sizeof text), text);
    if (!m.world) exit(1);
    CHECK_OK(talus_material_create(m.world, &stone, &material), talus_world_error(m.world));
    add_floor(&m, on_link ? driven_link(&m) : fixed_body(&m), material);
    add_ball(&m, material, depth);
    return m;
}

/* Returns the energy that the drift correction brought. */
static double step(const model *m)
{
    talus_step_report report;
    CHECK_OK(talus_world_step(m->world, &report), talus_world_error(m->world));
    return report.drift_energy;
}

static double depth_of(const model *m)
{
    double x[3], q[4];
    talus_body_pose(m->world, m->ball, x, q);
    return RADIUS - x[m->up];
}

/* The drive carries the link and what lies on it. */
TEST(reaction)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        const model m = floor_and_ball(dimension, true, 0, true);
        for (int k = 0; k < 5; k++) step(&m);
        const double mass = talus_body_mass(m.world, m.ball);
        CHECK(mass > 1);
        CHECK_NEAR(talus_joint_force(m.world, m.joint, 0), (LINK + mass) * G, mass * TOLERANCE / STEP);
        talus_world_destroy(m.world);
    }
}

/* Ten slops deep: what lies deeper than four is taken back at once, of the three beyond the slop a fifth a step. Nothing moves for it; the
 * energy that it brings is that of the lift. */
TEST(drift)
{
    const double tolerance = STEP * TOLERANCE + 1e-15; /* of the law's V_n, over a step; roundings of positions near the radius */
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int on_link = 0; on_link < 2; on_link++) {
            const model m = floor_and_ball(dimension, on_link, 10 * SLOP, true), as_it_is = floor_and_ball(dimension, on_link, 10 * SLOP, false);
            const double after[2] = {4 * SLOP - 0.2 * 3 * SLOP, 3.4 * SLOP - 0.2 * 2.4 * SLOP}, at[3] = {0, 0, 0};
            for (int k = 0; k < 2; k++) {
                double v[3], omega[3];
                const double gained = step(&m), weight = talus_body_mass(m.world, m.ball) * G;
                CHECK_NEAR(gained, weight * ((k == 0 ? 10 * SLOP : after[k - 1]) - after[k]), weight * (k + 1) * tolerance);
                CHECK(step(&as_it_is) == 0); /* NOLINT(clang-diagnostic-float-equal) */
                talus_body_velocity(m.world, m.ball, at, v, omega);
                CHECK_NEAR(depth_of(&m), after[k], (k + 1) * tolerance);
                CHECK_NEAR(v[m.up], 0, TOLERANCE);
                CHECK_NEAR(depth_of(&as_it_is), 10 * SLOP, (k + 1) * tolerance);
            }
            talus_world_destroy(m.world);
            talus_world_destroy(as_it_is.world);
        }
}

int main(int argc, char **argv)
{
    RUN(reaction);
    RUN(drift);
    return TEST_RESULT;
}
