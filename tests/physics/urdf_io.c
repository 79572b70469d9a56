/* Robots from URDF as scenes: motions in closed form, forward kinematics against matrices reckoned here, shapes where their origins put them. */
#include <stdbool.h>
#include <sys/stat.h>

#include "import/import.h"
#include "lab.h"

#define ROOT "<?xml version=\"1.0\"?>\n<robot name=\"robot\">\n"
#define G    9.81

/* A robot in a directory of its own, with what was said of it. */
typedef struct robot {
    char directory[32], urdf[64], scene[64], said[8192];
    tl_import options;
} robot;

static void put_file(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");
    if (!out || fputs(text, out) < 0 || fclose(out) != 0) TEST_STOP("cannot write %s", path);
}

static robot new_robot(void)
{
    robot r = {.directory = "urdf-XXXXXX"};
    if (!mkdtemp(r.directory)) TEST_STOP("no directory");
    snprintf(r.urdf, sizeof r.urdf, "%s/robot.urdf", r.directory);
    snprintf(r.scene, sizeof r.scene, "%s/robot.yaml", r.directory);
    return r;
}

static void drop_robot(const robot *r)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", r->directory);
    if (system(command) != 0) TEST_FAIL("%s", command);
}

/* The world of what URDF text says; `setting`: of the scene, or NULL. */
static lab open_robot(robot *r, const char *text, const char *setting)
{
    tl_error error = {0};
    lab l = {NULL, NULL};
    FILE *say = fmemopen(r->said, sizeof r->said, "w");
    put_file(r->urdf, text);
    r->options.path = r->urdf, r->options.output = r->scene;
    if (!say) TEST_STOP("no memory");
    MUST(tl_import_urdf(&r->options, say, &error), error);
    fclose(say);
    if (talus_scene_load(r->scene, &setting, setting != NULL, &l.scene) != TALUS_OK || talus_scene_build(l.scene, 1, &l.world) != TALUS_OK)
        TEST_STOP("%s", talus_scene_mistake(l.scene, 0));
    return l;
}

static bool said(const robot *r, const char *what)
{
    if (!strstr(r->said, what)) fprintf(stderr, "said: %s", r->said);
    return strstr(r->said, what) != NULL;
}

static talus_joint_id joint_of(const lab *l, const char *name) { return talus_joint_find(l->world, name); }

static double angle_of(const lab *l, const char *name) { return talus_joint_position(l->world, joint_of(l, name), 0); }

static double rate_of(const lab *l, const char *name) { return talus_joint_velocity(l->world, joint_of(l, name), 0); }

/* ---- rotations, reckoned anew ----------------------------------------------------------------------------------------- */

typedef struct placement {
    double R[3][3], p[3];
} placement;

/* The placement a, then b in its axes. */
static placement then(const placement *a, const placement *b)
{
    placement c = {.p = {a->p[0], a->p[1], a->p[2]}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            c.p[i] += a->R[i][j] * b->p[j];
            for (int k = 0; k < 3; k++) c.R[i][j] += a->R[i][k] * b->R[k][j];
        }
    return c;
}

/* Fixed-axis roll, pitch and yaw, written out (Craig, Introduction to Robotics, eq. 2.64). */
static placement origin(const double xyz[3], const double rpy[3])
{
    const double cg = cos(rpy[0]), sg = sin(rpy[0]), cb = cos(rpy[1]), sb = sin(rpy[1]), ca = cos(rpy[2]), sa = sin(rpy[2]);
    return (placement){
        {{ca * cb, ca * sb * sg - sa * cg, ca * sb * cg + sa * sg}, {sa * cb, sa * sb * sg + ca * cg, sa * sb * cg - ca * sg}, {-sb, cb * sg, cb * cg}},
        {xyz[0], xyz[1], xyz[2]}};
}

/* A turn by q about a unit axis, R = exp(q [a]×) by its series; or a way along it. */
static placement moved(const double axis[3], double q, bool slides)
{
    placement m = {.R = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]), term[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double a[3] = {axis[0] / length, axis[1] / length, axis[2] / length}, K[3][3] = {{0, -a[2], a[1]}, {a[2], 0, -a[0]}, {-a[1], a[0], 0}};
    for (int k = 0; k < 3 && slides; k++) m.p[k] = q * a[k];
    for (int n = 1; n < 60 && !slides; n++) {
        double next[3][3] = {{0}};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 3; k++) next[i][j] += term[i][k] * K[k][j] * q / n;
        memcpy(term, next, sizeof term);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) m.R[i][j] += term[i][j];
    }
    return m;
}

static void check_pose(const lab *l, const char *name, const placement *wanted, double tolerance)
{
    double p[3], q[4];
    talus_body_pose(l->world, talus_body_find(l->world, name), p, q);
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double R[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(p[i], wanted->p[i], tolerance);
        for (int j = 0; j < 3; j++) CHECK_NEAR(R[i][j], wanted->R[i][j], tolerance);
    }
}

/* ---- an arm ----------------------------------------------------------------------------------------------------------- */

/* Six axes, an origin with roll, pitch and yaw in each joint, a tool that is fixed. At zero coordinates, and wherever it swings to, links are where the product
 * of these placements says. */
typedef struct arm_joint {
    const char *type;
    double xyz[3], rpy[3], axis[3];
} arm_joint;

static const arm_joint ARM[] = {{"revolute", {0.1, -0.2, 0.3}, {0.3, -0.2, 0.9}, {0, 0, 1}}, {"continuous", {0, 0.1, 0.4}, {1.1, 0.4, -0.7}, {0, 1, 0}},
                                {"prismatic", {0.2, 0.05, 0}, {-0.6, 1.2, 0.2}, {1, 0, 0}},  {"revolute", {0, 0, 0.35}, {2.5, -0.9, 1.4}, {0.6, 0, -0.8}},
                                {"continuous", {-0.1, 0.2, 0.1}, {0.2, 0.1, 3}, {1, 2, -2}}, {"revolute", {0.05, 0, 0.15}, {-1.5, 0.7, 0.3}, {-1, 0, 0}},
                                {"fixed", {0.02, -0.03, 0.08}, {0.4, 0.5, -0.6}, {1, 0, 0}}};
enum { ARM_JOINTS = sizeof ARM / sizeof *ARM };

static void arm_text(char *text, size_t size)
{
    size_t n = (size_t)snprintf(text, size, ROOT "<link name=\"link0\"/>\n");
    for (int i = 0; i < ARM_JOINTS; i++) {
        const arm_joint *j = &ARM[i];
        n += (size_t)snprintf(text + n, size - n,
                              "<link name=\"link%d\"><inertial><origin xyz=\"0.02 0.1 -0.05\" rpy=\"0.4 0.5 0.6\"/><mass value=\"%g\"/>"
                              "<inertia ixx=\"0.02\" iyy=\"0.03\" izz=\"0.04\" ixy=\"0.001\"/></inertial></link>\n"
                              "<joint name=\"joint%d\" type=\"%s\"><parent link=\"link%d\"/><child link=\"link%d\"/><origin xyz=\"%g %g %g\" rpy=\"%g %g %g\"/>"
                              "<axis xyz=\"%g %g %g\"/></joint>\n",
                              i + 1, 3 - 0.3 * i, i + 1, j->type, i, i + 1, j->xyz[0], j->xyz[1], j->xyz[2], j->rpy[0], j->rpy[1], j->rpy[2], j->axis[0],
                              j->axis[1], j->axis[2]);
    }
    snprintf(text + n, size - n, "</robot>\n");
}

static void check_arm(const lab *l, double tolerance)
{
    placement at = {.R = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, .p = {1, 2, 3}};
    for (int i = 0; i < ARM_JOINTS; i++) {
        char name[16];
        snprintf(name, sizeof name, "joint%d", i + 1);
        const double q = strcmp(ARM[i].type, "fixed") == 0 ? 0 : angle_of(l, name);
        const placement place = origin(ARM[i].xyz, ARM[i].rpy), move = moved(ARM[i].axis, q, ARM[i].type[0] == 'p');
        at = then(&at, &place);
        at = then(&at, &move);
        snprintf(name, sizeof name, "link%d", i + 1);
        check_pose(l, name, &at, tolerance);
    }
}

TEST(forward_kinematics)
{
    char text[8192];
    robot r = new_robot();
    arm_text(text, sizeof text);
    r.options.at[0] = 1, r.options.at[1] = 2, r.options.at[2] = 3;
    lab l = open_robot(&r, text, NULL);
    check_arm(&l, 1e-12);
    for (int i = 1; i <= 4; i++) {
        lab_run(&l, 0.2 * i);
        check_arm(&l, 1e-11);
    }
    CHECK(fabs(angle_of(&l, "joint1")) > 0.1 && fabs(angle_of(&l, "joint4")) > 0.1);
    close_lab(&l);
    drop_robot(&r);
}

/* The rotation of a joint in a scene, said in its three ways, and beside an orientation, which is a mistake. */
TEST(rotation_in_scenes)
{
    static const char *const WAYS[] = {"rpy_deg: [0, 0, 90]", "axis_angle_deg: [0, 0, 2, 90]", "quat_wxyz: [1, 0, 0, 1]"};
    const double zero[3] = {0, 0, 0}, quarter[3] = {0, 0, asin(1)};
    const placement wanted = origin(zero, quarter);
    for (int i = 0; i < 4; i++) {
        char text[700];
        snprintf(text, sizeof text,
                 "dimension: 3\ngravity: [0, 0, 0]\ntime: {end: 1 s}\nmechanisms: {m: {bodies: {b: {mass: 1, inertia: 1}}, joints: {j: {type: revolute, "
                 "parent: ground, "
                 "child: b, axis: [1, 0, 0], rotation: {%s}%s}}}}\n",
                 WAYS[i % 3], i == 3 ? ", orientation: 90 deg" : "");
        if (i < 3) {
            lab l = open_lab(text, 1);
            check_pose(&l, "b", &wanted, 1e-15);
            close_lab(&l);
            continue;
        }
        talus_scene *scene = load_lab(text);
        talus_world *world = NULL;
        CHECK(talus_scene_build(scene, 1, &world) == TALUS_INPUT && strstr(talus_scene_mistake(scene, 0), "or by 'rotation': one of them"));
        talus_scene_destroy(scene);
    }
}

/* ---- motions ---------------------------------------------------------------------------------------------------------- */

/* Arithmetic–geometric mean: a pendulum that is let go at θ0 swings with T = 2π √(J/(m g d)) / agm(1, cos(θ0/2)). */
static double agm(double a, double b)
{
    for (int i = 0; i < 30; i++) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b), a = mean;
    }
    return a;
}

/* A bar with its inertia in axes of its own, and a weight that a massless frame holds at its end: J = aᵀ R I Rᵀ a + m d² + J2 + m2 d2². */
static const char PENDULUM[] = ROOT
    "<link name=\"base\"/><link name=\"frame\"/>"
    "<link name=\"bar\"><inertial><origin xyz=\"0 0 -0.4\" rpy=\"0.3 0.4 0.5\"/><mass value=\"2\"/><inertia ixx=\"0.1\" iyy=\"0.2\" izz=\"0.15\" ixy=\"0.01\" "
    "ixz=\"-0.02\" iyz=\"0.03\"/></inertial></link>"
    "<link name=\"weight\"><inertial><mass value=\"0.5\"/><inertia ixx=\"0.03\" iyy=\"0.02\" izz=\"0.025\"/></inertial></link>"
    "<joint name=\"hinge\" type=\"continuous\"><parent link=\"base\"/><child link=\"bar\"/><origin xyz=\"0 0 2\" rpy=\"0 1.2 0\"/><axis xyz=\"0 1 0\"/></joint>"
    "<joint name=\"end\" type=\"fixed\"><parent link=\"bar\"/><child link=\"frame\"/><origin xyz=\"0 0 -1\" rpy=\"1 0 0\"/></joint>"
    "<joint name=\"tip\" type=\"fixed\"><parent link=\"frame\"/><child link=\"weight\"/><origin rpy=\"-1 0 0\"/></joint></robot>\n";

static double pendulum_period(const char *step)
{
    robot r = new_robot();
    lab l = open_robot(&r, PENDULUM, step);
    const double h = talus_world_step_size(l.world);
    double before = 0, rate = 0, time = 0;
    do {
        before = rate;
        lab_step(&l);
        rate = rate_of(&l, "hinge"), time += h;
    } while (!(time > 0.3 && before * rate <= 0));
    close_lab(&l);
    drop_robot(&r);
    return 2 * (time - h * rate / (rate - before)); /* the velocity is zero after half a swing */
}

TEST(pendulum)
{
    const double zero[3] = {0, 0, 0}, rpy[3] = {0.3, 0.4, 0.5}, I[3][3] = {{0.1, 0.01, -0.02}, {0.01, 0.2, 0.03}, {-0.02, 0.03, 0.15}};
    const placement R = origin(zero, rpy);
    double J = 2 * 0.4 * 0.4 + 0.02 + 0.5;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) J += R.R[1][i] * I[i][k] * R.R[1][k];
    const double T = 2 * TL_PI * sqrt(J / (G * (2 * 0.4 + 0.5))) / agm(1, cos(0.6));
    const double coarse = pendulum_period("time.step=4 ms") - T, fine = pendulum_period("time.step=2 ms") - T;
    CHECK(fabs(coarse) < 1e-3 * T && fabs(fine) < fabs(coarse) / 3.5); /* of order 2 */
}

/* Two rods, from a state away from rest, against Lagrange's equations by Runge and Kutta at a hundredth of the step. */
static void double_rates(const double x[4], double out[4])
{
    const double m = 1.5, L = 0.8, J = 0.1, c = 0.4; /* of each: mass, length, moment about its centre, where that is */
    const double s = sin(x[0] - x[1]), k = cos(x[0] - x[1]), A = J + m * c * c + m * L * L, B = m * L * c * k, D = J + m * c * c;
    const double f = -m * L * c * s * x[3] * x[3] - G * (m * c + m * L) * sin(x[0]), g = m * L * c * s * x[2] * x[2] - G * m * c * sin(x[1]);
    out[0] = x[2], out[1] = x[3];
    out[2] = (D * f - B * g) / (A * D - B * B), out[3] = (A * g - B * f) / (A * D - B * B);
}

static void double_pendulum(double time, double angle[2])
{
    const int steps = 100000;
    const double h = time / steps;
    double x[4] = {1, -0.5, 0, 0};
    for (int n = 0; n < steps; n++) {
        double k[4][4], y[4];
        for (int s = 0; s < 4; s++) {
            for (int i = 0; i < 4; i++) y[i] = x[i] + (s == 0 ? 0 : s == 3 ? h * k[2][i] : 0.5 * h * k[s - 1][i]);
            double_rates(y, k[s]);
        }
        for (int i = 0; i < 4; i++) x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
    angle[0] = x[0], angle[1] = x[1];
}

TEST(two_pendulums)
{
    static const char ROD[] = "<inertial><origin xyz=\"0 0 -0.4\"/><mass value=\"1.5\"/><inertia ixx=\"0.1\" iyy=\"0.1\" izz=\"0.01\"/></inertial>";
    double wanted[2], error[2];
    char text[1500];
    double_pendulum(1, wanted);
    snprintf(
        text, sizeof text,
        ROOT
        "<link name=\"a\">%s</link><link name=\"b\">%s</link><link name=\"top\"/>"
        "<joint name=\"lower\" type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/><origin xyz=\"0 0 -0.8\" rpy=\"-1.5 0 0\"/><axis xyz=\"1 0 "
        "0\"/></joint>"
        "<joint name=\"upper\" type=\"continuous\"><parent link=\"top\"/><child link=\"a\"/><origin rpy=\"1 0 0\"/><axis xyz=\"1 0 0\"/></joint></robot>\n",
        ROD, ROD);
    for (int k = 0; k < 2; k++) {
        robot r = new_robot();
        lab l = open_robot(&r, text, k == 0 ? "time.step=2 ms" : "time.step=1 ms");
        lab_run(&l, 1);
        const double first = 1 + angle_of(&l, "upper"), second = first - 1.5 + angle_of(&l, "lower");
        error[k] = fabs(first - wanted[0]) + fabs(second - wanted[1]);
        close_lab(&l);
        drop_robot(&r);
    }
    CHECK(error[0] < 1e-3 && error[1] < error[0] / 3.5);
}

/* A shaft of J, and a slide of m that follows it by k: under its weight q̈ = −m g k/(J + m k²), exactly by steps of constant acceleration. */
TEST(mimic)
{
    const double J = 0.7, m = 2, k = 0.3, q = -0.5 * m * G * k / (J + m * k * k) * 0.25;
    robot r = new_robot();
    lab l =
        open_robot(&r,
                   ROOT "<link name=\"base\"/><link name=\"shaft\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"0.7\"/></inertial></link>"
                        "<link name=\"slide\"><inertial><mass value=\"2\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link>"
                        "<link name=\"other\"><inertial><mass value=\"1e-9\"/><inertia ixx=\"1e-9\" iyy=\"1e-9\" izz=\"1e-9\"/></inertial></link>"
                        "<joint name=\"slide\" type=\"prismatic\"><parent link=\"base\"/><child link=\"slide\"/><axis xyz=\"0 0 1\"/>"
                        "<limit lower=\"-5\" upper=\"5\" effort=\"1\" velocity=\"1\"/><mimic joint=\"shaft\" multiplier=\"0.3\" offset=\"0.1\"/></joint>"
                        "<joint name=\"shaft\" type=\"continuous\"><parent link=\"base\"/><child link=\"shaft\"/><axis xyz=\"0 0 1\"/></joint>"
                        "<joint name=\"other\" type=\"continuous\"><parent link=\"base\"/><child link=\"other\"/><axis xyz=\"0 1 0\"/>"
                        "<mimic joint=\"slide\" multiplier=\"-2\"/></joint></robot>\n",
                   NULL);
    CHECK_NEAR(angle_of(&l, "slide"), 0.1, 1e-15);
    CHECK_NEAR(angle_of(&l, "other"), -0.2, 1e-15);
    lab_run(&l, 0.5);
    CHECK_CLOSE(angle_of(&l, "shaft"), q, 1e-7); /* `other` has a billionth of the inertia */
    CHECK_NEAR(angle_of(&l, "slide"), 0.1 + k * angle_of(&l, "shaft"), 1e-12);
    CHECK_NEAR(angle_of(&l, "other"), -2 * angle_of(&l, "slide"), 1e-12);
    close_lab(&l);
    drop_robot(&r);
}

/* What follows by mimic needs no inertia, and the joint that leads neither, where what follows it has some: a crank of nothing lowers a weight by a drum. */
TEST(mimic_without_inertia)
{
    robot r = new_robot();
    lab l = open_robot(
        &r,
        ROOT "<link name=\"base\"/><link name=\"crank\"/><link name=\"hand\"/>"
             "<link name=\"weight\"><inertial><mass value=\"2\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link>"
             "<joint name=\"crank\" type=\"continuous\"><parent link=\"base\"/><child link=\"crank\"/><axis xyz=\"0 1 0\"/></joint>"
             "<joint name=\"weight\" type=\"prismatic\"><parent link=\"base\"/><child link=\"weight\"/><axis xyz=\"0 0 1\"/>"
             "<limit lower=\"-9\" upper=\"9\"/><mimic joint=\"crank\" multiplier=\"0.25\"/></joint>"
             "<joint name=\"hand\" type=\"continuous\"><parent link=\"base\"/><child link=\"hand\"/><mimic joint=\"weight\" multiplier=\"8\"/></joint>"
             "</robot>\n",
        NULL);
    CHECK(!strstr(r.said, "inertia"));
    lab_run(&l, 0.5);
    CHECK_NEAR(angle_of(&l, "weight"), -0.5 * G * 0.25, 1e-10);
    CHECK_NEAR(angle_of(&l, "crank"), -2 * G * 0.25, 1e-9);
    CHECK_NEAR(angle_of(&l, "hand"), -4 * G * 0.25, 1e-9);
    close_lab(&l);
    drop_robot(&r);
}

/* Five weights on slides: stopped at its lower limit, damped, v = m g/c (1 − exp(−c t/m)), slowed by friction, a = g − F/m, held by friction, and one that
 * starts at the limit that leaves out 0. */
TEST(limits_and_dynamics)
{
    static const char *const WHAT[] = {"<limit lower=\"-0.3\" upper=\"2\"/>", "<limit lower=\"-90\" upper=\"90\"/><dynamics damping=\"4\"/>",
                                       "<limit lower=\"-90\" upper=\"90\"/><dynamics friction=\"6\"/>",
                                       "<limit lower=\"-90\" upper=\"90\"/><dynamics friction=\"30\" damping=\"1\"/>", "<limit lower=\"0.25\" upper=\"1\"/>"};
    char text[4096];
    size_t n = (size_t)snprintf(text, sizeof text, ROOT "<link name=\"base\"/>");
    for (int i = 0; i < 5; i++)
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "<link name=\"w%d\"><inertial><mass value=\"2\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link>"
                              "<joint name=\"j%d\" type=\"prismatic\"><parent link=\"base\"/><child link=\"w%d\"/><axis xyz=\"0 0 1\"/>%s</joint>\n",
                              i, i, i, WHAT[i]);
    snprintf(text + n, sizeof text - n, "</robot>\n");
    robot r = new_robot();
    lab l = open_robot(&r, text, NULL);
    CHECK(said(&r, "joint 'j4' starts at its stop 0.25"));
    lab_run(&l, 0.2);
    CHECK_NEAR(angle_of(&l, "j0"), -0.5 * G * 0.04, 1e-12);
    lab_run(&l, 1);
    CHECK_NEAR(angle_of(&l, "j0"), -0.3, 1e-9);
    CHECK_NEAR(rate_of(&l, "j1"), -2 * G / 4 * (1 - exp(-4 * 1 / 2.0)), 1e-5); /* (c h/m)²/12 of it */
    CHECK_NEAR(rate_of(&l, "j2"), -(G - 6 / 2.0), 1e-9);
    CHECK_NEAR(angle_of(&l, "j3"), 0, 1e-12);
    CHECK_NEAR(angle_of(&l, "j4"), 0.25, 1e-9);
    close_lab(&l);
    drop_robot(&r);
}

/* ---- the other joints, shapes, a floor --------------------------------------------------------------------------------- */

/* A body that floats in space, one in a slanted plane: both fall as the weight along what is free says. */
TEST(floating_and_planar)
{
    const double rpy[3] = {0.7, 0.2, -0.4}, xyz[3] = {0.3, 0.1, 0.2}, normal[3] = {0, 0.6, 0.8};
    const placement place = origin(xyz, rpy);
    double n[3] = {0}, p[3], q[4];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) n[i] += place.R[i][k] * normal[k];
    robot r = new_robot();
    lab l = open_robot(
        &r,
        ROOT "<link name=\"base\"/><link name=\"a\"><inertial><mass value=\"2\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link>"
             "<link name=\"b\"><inertial><mass value=\"2\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial></link>"
             "<joint name=\"j\" type=\"floating\"><parent link=\"base\"/><child link=\"a\"/><origin xyz=\"0.3 0.1 0.2\" rpy=\"0.7 0.2 -0.4\"/></joint>"
             "<joint name=\"k\" type=\"planar\"><parent link=\"base\"/><child link=\"b\"/><origin xyz=\"0.3 0.1 0.2\" rpy=\"0.7 0.2 -0.4\"/>"
             "<axis xyz=\"0 0.6 0.8\"/></joint></robot>\n",
        NULL);
    check_pose(&l, "a", &place, 1e-12);
    check_pose(&l, "b", &place, 1e-12);
    lab_run(&l, 0.5);
    placement fallen = place;
    fallen.p[2] -= 0.5 * G * 0.25;
    check_pose(&l, "a", &fallen, 1e-11);
    talus_body_pose(l.world, talus_body_find(l.world, "b"), p, q);
    for (int i = 0; i < 3; i++) CHECK_NEAR(p[i], xyz[i] - 0.5 * 0.25 * G * ((i == 2) - n[2] * n[i]), 1e-11);
    close_lab(&l);
    drop_robot(&r);
}

/* Distances of points that lie off a face, an end or a tip of each shape by 5 cm, where its origin puts it. */
TEST(shapes)
{
    static const struct {
        const char *geometry;
        double tip[3]; /* 5 cm outside, in the axes of the shape */
    } SHAPE[] = {{"<box size=\"0.2 0.4 0.6\"/>", {0.15, 0, 0}},
                 {"<box size=\"0.2 0.4 0.6\"/>", {0, 0, -0.35}},
                 {"<cylinder radius=\"0.1\" length=\"0.5\"/>", {0, 0, 0.3}},
                 {"<cylinder radius=\"0.1\" length=\"0.5\"/>", {0, -0.15, 0.1}},
                 {"<sphere radius=\"0.3\"/>", {0, 0.35, 0}},
                 {"<capsule radius=\"0.1\" length=\"0.5\"/>", {0, 0, 0.4}},
                 {"<mesh filename=\"package://bag/meshes/box.stl\" scale=\"0.001 0.002 -0.001\"/>", {0.05, 0.45, -0.1}}, /* 0 to 100, 0 to 200, 0 to 150 */
                 {"<mesh filename=\"package://bag/meshes/box.stl\" scale=\"0.001 0.002 -0.001\"/>", {0.05, 0.1, 0.05}}};
    static const int FACE[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    const double xyz[3] = {0.3, -0.1, 0.2}, rpy[3] = {0.7, 0.2, -0.4};
    const placement place = origin(xyz, rpy);
    for (size_t i = 0; i < sizeof SHAPE / sizeof *SHAPE; i++)
        for (int use = TL_MESH_HULL; use <= TL_MESH_SURFACE; use++) {
            robot r = new_robot();
            char text[1000], path[100];
            double point[3] = {xyz[0], xyz[1], xyz[2]};
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++) point[a] += place.R[a][b] * SHAPE[i].tip[b];
            snprintf(path, sizeof path, "%s/bag", r.directory);
            if (mkdir(path, 0777) != 0) TEST_STOP("no directory");
            strcat(path, "/meshes");
            if (mkdir(path, 0777) != 0) TEST_STOP("no directory");
            strcat(path, "/box.stl");
            FILE *out = fopen(path, "w");
            if (!out) TEST_STOP("no mesh");
            fputs("solid box\n", out);
            for (int f = 0; f < 12; f++) {
                fputs("facet normal 0 0 0\nouter loop\n", out);
                for (int k = 0; k < 3; k++) fprintf(out, "vertex %d %d %d\n", FACE[f][k] & 1 ? 100 : 0, FACE[f][k] & 2 ? 200 : 0, FACE[f][k] & 4 ? 150 : 0);
                fputs("endloop\nendfacet\n", out);
            }
            fputs("endsolid box\n", out);
            fclose(out);
            snprintf(
                text, sizeof text,
                ROOT
                "<link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial><%s><origin xyz=\"0.3 -0.1 0.2\" rpy=\"0.7 "
                "0.2 -0.4\"/><geometry>%s</geometry></%s></link></robot>\n",
                i % 2 ? "visual" : "collision", SHAPE[i].geometry, i % 2 ? "visual" : "collision");
            r.options.meshes = (tl_mesh_use)use, r.options.visuals = true;
            lab l = open_robot(&r, text, NULL);
            CHECK_NEAR(talus_body_distance(l.world, talus_body_find(l.world, "a"), point, 1), 0.05, 1e-9);
            close_lab(&l);
            drop_robot(&r);
        }
}

/* Neighbours overlap, and nothing is pushed apart; a free robot falls onto the floor and lies there. Its lowest shape decides at what height. */
TEST(floor_and_neighbours)
{
    robot r = new_robot();
    r.options.free_root = r.options.has_floor = true;
    r.options.floor = -0.5, r.options.at[2] = 0.1;
    lab l = open_robot(
        &r,
        ROOT "<link name=\"floor\"><inertial><mass value=\"3\"/><inertia ixx=\"0.1\" iyy=\"0.1\" izz=\"0.1\"/></inertial><collision><geometry><box "
             "size=\"1 1 0.2\"/></geometry></collision></link>"
             "<link name=\"arm\"><inertial><mass value=\"1\"/><inertia ixx=\"0.1\" iyy=\"0.1\" izz=\"0.1\"/></inertial><collision><geometry><box "
             "size=\"0.2 0.2 0.2\"/></geometry></collision></link>"
             "<joint name=\"root\" type=\"revolute\"><parent link=\"floor\"/><child link=\"arm\"/><axis xyz=\"0 0 1\"/><limit lower=\"-1\" upper=\"1\"/>"
             "</joint></robot>\n",
        NULL);
    double p[3], q[4];
    lab_run(&l, 0.2);
    talus_body_pose(l.world, talus_body_find(l.world, "floor"), p, q);
    CHECK_NEAR(p[2], 0.1 - 0.5 * G * 0.04, 1e-11);
    lab_run(&l, 1.5);
    talus_body_pose(l.world, talus_body_find(l.world, "floor"), p, q);
    CHECK_NEAR(p[2], -0.4, 1e-3); /* the slop that is left alone, and less */
    CHECK_NEAR(p[0], 0, 1e-4);
    CHECK_NEAR(lab_probe(&l, "root"), 0, 1e-4); /* what the solver leaves of contacts under the corners */
    close_lab(&l);
    drop_robot(&r);
}

int main(int argc, char **argv)
{
    RUN(forward_kinematics);
    RUN(rotation_in_scenes);
    RUN(pendulum);
    RUN(two_pendulums);
    RUN(mimic);
    RUN(mimic_without_inertia);
    RUN(limits_and_dynamics);
    RUN(floating_and_planar);
    RUN(shapes);
    RUN(floor_and_neighbours);
    return TEST_RESULT;
}
