/* Joints between bodies (talus/joint.h) in space: against the same machine in a mechanism's own coordinates, conservation laws, closed forms. */
#include "spatial.h"

static const char *const KIND[] = {"revolute", "prismatic", "cylindrical", "spherical", "universal", "planar", "fixed"};
static const talus_joint_kind TREE[] = {TALUS_JOINT_REVOLUTE,  TALUS_JOINT_PRISMATIC, TALUS_JOINT_CYLINDRICAL, TALUS_JOINT_SPHERICAL,
                                        TALUS_JOINT_UNIVERSAL, TALUS_JOINT_PLANAR,    TALUS_JOINT_FIXED};
enum { KINDS = sizeof KIND / sizeof *KIND };

static const double AXIS[3] = {0.6, 0, 0.8}, AXIS2[3] = {0, 1, 0}, INERTIA[6] = {0.02, 0.05, 0.04, 0.003, -0.004, 0.006};

static talus_body_joint_id join(talus_world *w, const char *kind, talus_body_id a, talus_body_id b, const double point[3])
{
    talus_body_joint_def d = talus_body_joint_def_default();
    talus_body_joint_id id = {0};
    d.kind = kind, d.body_a = a, d.body_b = b;
    memcpy(d.point, point, sizeof d.point);
    memcpy(d.axis, AXIS, sizeof d.axis);
    memcpy(d.axis2, AXIS2, sizeof d.axis2);
    CHECK_OK(talus_body_joint_create(w, &d, &id), talus_world_error(w));
    return id;
}

/* ---- the same machine in a mechanism's coordinates -------------------------------------------------------------------------- */

/* Forces that depend on velocities are taken anew where that changes more than the tolerance, a thousand times. */
static talus_world_def exact(double h)
{
    talus_world_def d = lab(h);
    d.solver.tolerance = 1e-14;
    return d;
}

/* Two bodies in a row, each on the one before by a joint of the kind. */
typedef struct machine {
    talus_world *w;
    talus_body_id body[2];
} machine;

static const double POINT[2][3] = {{0, 0, 0}, {0.6, 0.3, -0.8}}, PLACE[2][3] = {{0.3, 0.2, -0.4}, {0.8, 0.7, -1}};

static machine tree(double h, int kind)
{
    const talus_world_def d = exact(h);
    machine m = {.w = open_world(&d)};
    talus_mechanism_id id = {0};
    CHECK_OK(talus_mechanism_create(m.w, "tree", &id), talus_world_error(m.w));
    for (int k = 0; k < 2; k++) {
        talus_link_def l = talus_link_def_default();
        talus_joint_def j = talus_joint_def_default();
        talus_joint_id joint = {0};
        l.mass = 2 - k;
        memcpy(l.inertia, INERTIA, sizeof l.inertia);
        CHECK_OK(talus_link_create(m.w, id, &l, &m.body[k]), talus_world_error(m.w));
        j.kind = TREE[kind], j.child = m.body[k];
        if (k > 0) j.parent = m.body[0];
        for (int i = 0; i < 3; i++) {
            j.parent_point[i] = k > 0 ? POINT[1][i] - PLACE[0][i] : POINT[0][i];
            j.child_point[i] = POINT[k][i] - PLACE[k][i];
            j.axis[i] = AXIS[i], j.axis2[i] = AXIS2[i];
            j.velocity[i] = kind == 6 ? j.velocity[i] : 0.7 - 0.5 * i + 0.4 * k;
        }
        CHECK_OK(talus_joint_create(m.w, &j, &joint), talus_world_error(m.w));
    }
    CHECK_OK(talus_world_assemble(m.w), talus_world_error(m.w));
    return m;
}

/* With the velocities of the tree at the start. */
static machine free_bodies(double h, int kind, const machine *like, talus_scheme scheme)
{
    talus_world_def d = exact(h);
    d.scheme = scheme;
    machine m = {.w = open_world(&d)};
    for (int k = 0; k < 2; k++) {
        talus_body_def b = talus_body_def_default();
        b.mass = 2 - k;
        memcpy(b.position, PLACE[k], sizeof b.position);
        memcpy(b.inertia_space, INERTIA, sizeof b.inertia_space);
        motion(like->w, like->body[k], b.velocity, b.spin);
        m.body[k] = add_body(m.w, &b);
        join(m.w, KIND[kind], k > 0 ? m.body[0] : (talus_body_id){0}, m.body[k], POINT[k]);
    }
    return m;
}

/* How far the two are apart after half a second: places and axes of both bodies. */
static double distance(double h, int kind, talus_scheme scheme)
{
    machine a = tree(h, kind), b = free_bodies(h, kind, &a, scheme);
    double worst = 0;
    run(a.w, (int)lround(0.5 / h));
    run(b.w, (int)lround(0.5 / h));
    for (int k = 0; k < 2; k++) {
        double x[2][3], q[2][4], dot = 0;
        talus_body_pose(a.w, a.body[k], x[0], q[0]);
        talus_body_pose(b.w, b.body[k], x[1], q[1]);
        for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(x[0][i] - x[1][i]));
        for (int i = 0; i < 4; i++) dot += q[0][i] * q[1][i];
        for (int i = 0; i < 4; i++) worst = fmax(worst, fabs(q[0][i] - (dot < 0 ? -1 : 1) * q[1][i]));
    }
    talus_world_destroy(a.w);
    talus_world_destroy(b.w);
    return worst;
}

/* Every kind, moving on the ground and on a moving body, comes to the tree's motion with the order of the scheme in h. The tree is stepped by Moreau–Jean. */
static void check_kinds(talus_scheme scheme, double close, double ratio)
{
    for (int kind = 0; kind < KINDS; kind++) {
        const double coarse = distance(2e-3, kind, scheme), fine = distance(5e-4, kind, scheme);
        printf("%s: %.3g at 2 ms, %.3g at 0.5 ms\n", KIND[kind], coarse, fine);
        CHECK(fine < close);
        CHECK(coarse / fine > ratio || coarse < 1e-10);
    }
}

TEST(kinds_move_as_in_a_tree) { check_kinds(TALUS_SCHEME_MOREAU, 1e-5, 12); }

TEST(kinds_move_as_in_a_tree_by_generalized_alpha) { check_kinds(TALUS_SCHEME_GENERALIZED_ALPHA, 1e-5, 12); }

TEST(kinds_move_as_in_a_tree_by_spook) { check_kinds(TALUS_SCHEME_SPOOK, 5e-3, 3.2); }

/* ---- conservation ----------------------------------------------------------------------------------------------------------- */

/* Momentum and moment of momentum about the origin of all bodies whose inertia is the common one. */
static void momentum(const talus_world *w, const talus_body_id *body, int n, double P[3], double L[3])
{
    const double I[3][3] = {{INERTIA[0], INERTIA[3], INERTIA[4]}, {INERTIA[3], INERTIA[1], INERTIA[5]}, {INERTIA[4], INERTIA[5], INERTIA[2]}};
    for (int k = 0; k < 3; k++) P[k] = L[k] = 0;
    for (int b = 0; b < n; b++) {
        double x[3], q[4], v[3], o[3], R[3][3], local[3] = {0}, spin[3] = {0}, world[3] = {0};
        const double m = talus_body_mass(w, body[b]);
        talus_body_pose(w, body[b], x, q);
        motion(w, body[b], v, o);
        const double r[4] = {q[0], q[1], q[2], q[3]};
        const double M[3][3] = {{1 - 2 * (r[2] * r[2] + r[3] * r[3]), 2 * (r[1] * r[2] - r[0] * r[3]), 2 * (r[1] * r[3] + r[0] * r[2])},
                                {2 * (r[1] * r[2] + r[0] * r[3]), 1 - 2 * (r[1] * r[1] + r[3] * r[3]), 2 * (r[2] * r[3] - r[0] * r[1])},
                                {2 * (r[1] * r[3] - r[0] * r[2]), 2 * (r[2] * r[3] + r[0] * r[1]), 1 - 2 * (r[1] * r[1] + r[2] * r[2])}};
        memcpy(R, M, sizeof R);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) local[i] += R[k][i] * o[k];
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) spin[i] += I[i][k] * local[k];
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) world[i] += R[i][k] * spin[k];
        for (int k = 0; k < 3; k++) {
            const int i = (k + 1) % 3, j = (k + 2) % 3;
            P[k] += m * v[k];
            L[k] += m * (x[i] * v[j] - x[j] * v[i]) + world[k];
        }
    }
}

/* Three free bodies in a row, with a spring and damper in the joints, and with friction and stops unless all is `smooth`: nothing holds them, so that
 * momentum is kept to rounding of a solve; moment of momentum, which positions enter, with the second order of h, with the first where there are impacts.
 * Energy only falls. */
static double turning_lost(const char *kind, double h, bool smooth)
{
    talus_world_def d = exact(h);
    double P0[3], L0[3], P[3], L[3], kinetic0, potential0, kinetic, potential, worst = 0;
    d.gravity[2] = 0;
    talus_world *w = open_world(&d);
    talus_body_id body[3];
    for (int k = 0; k < 3; k++) {
        talus_body_def b = talus_body_def_default();
        b.mass = 1;
        b.position[0] = 0.5 * k, b.position[1] = 0.1 * k * k;
        b.velocity[0] = 0.3, b.velocity[2] = -0.2;
        b.spin[0] = 0.4, b.spin[2] = 0.5;
        b.velocity[0] -= 0.5 * b.position[1], b.velocity[1] += 0.5 * b.position[0] - 0.4 * 0, b.velocity[2] += 0.4 * b.position[1];
        memcpy(b.inertia_space, INERTIA, sizeof b.inertia_space);
        body[k] = add_body(w, &b);
        if (k == 0) continue;
        const double point[3] = {0.5 * k - 0.25, 0.05, 0.1};
        const talus_body_joint_id joint = join(w, kind, body[k - 1], body[k], point);
        talus_freedom_def f = talus_freedom_def_default();
        f.stiffness = 3, f.rest = 0.2, f.damping = 0.1;
        if (!smooth) f.friction = 0.05, f.high = 0.15;
        CHECK_OK(talus_body_joint_set_freedom(w, joint, 0, &f), talus_world_error(w));
    }
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    momentum(w, body, 3, P0, L0);
    talus_world_energy(w, &kinetic0, &potential0);
    run(w, (int)lround(2 / h));
    momentum(w, body, 3, P, L);
    talus_world_energy(w, &kinetic, &potential);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(P[k], P0[k], 1e-10);
        worst = fmax(worst, fabs(L[k] - L0[k]));
    }
    /* the springs at first hold 2 × ½ 3 0.2² J */
    CHECK(kinetic < kinetic0 + 0.12);
    talus_world_destroy(w);
    return worst;
}

TEST(momentum_is_kept)
{
    static const char *const FREE[] = {"revolute", "prismatic", "cylindrical", "universal", "planar"};
    for (size_t i = 0; i < sizeof FREE / sizeof *FREE; i++) {
        const double coarse = turning_lost(FREE[i], 4e-3, true), fine = turning_lost(FREE[i], 1e-3, true);
        const double rough_coarse = turning_lost(FREE[i], 4e-3, false), rough = turning_lost(FREE[i], 1e-3, false);
        printf("%s: moment of momentum off by %.3g at 4 ms, %.3g at 1 ms; with impacts %.3g, %.3g\n", FREE[i], coarse, fine, rough_coarse, rough);
        CHECK(fine < 1e-5 && (coarse / fine > 12 || coarse < 1e-9));
        CHECK(rough < 1e-5 && (rough_coarse / rough > 3 || rough_coarse < 1e-9));
    }
}

/* ---- chains ----------------------------------------------------------------------------------------------------------------- */

/* A chain of so many links held at one end falls from the level. Its last links carry balls that come to a floor and stay there; most sweeps of a step. */
static int sweeps_of(int links, int balls)
{
    talus_world_def d = lab(1e-3);
    d.solver.tolerance = 1e-6;
    talus_world *w = open_world(&d);
    const talus_material_id m = material(w, 1);
    const double centre[1][3] = {{0, 0, 0}}, floor[2][3] = {{0, 0, -0.05}, {0, 0, 1}};
    talus_body_id last = {0};
    talus_body_def fixed = talus_body_def_default();
    int most = 0, touching = 0;
    law(w, 0.5, 0);
    fixed.kind = TALUS_BODY_FIXED;
    add_corners(w, add_body(w, &fixed), m, TALUS_SHAPE_HALF_SPACE, floor, 2, 0);
    for (int k = 0; k < links; k++) {
        const double at[3] = {0.1 * (k + 0.5), 0, 0}, point[3] = {0.1 * k, 0, 0};
        talus_body_def b = talus_body_def_default();
        b.mass = 1;
        memcpy(b.position, at, sizeof b.position);
        for (int i = 0; i < 3; i++) b.inertia_space[i] = i == 0 ? 1e-4 : 1e-3;
        const talus_body_id next = add_body(w, &b);
        if (k >= links - balls) add_corners(w, next, m, TALUS_SHAPE_SPHERE, centre, 1, 0.02);
        join(w, k % 2 ? "universal" : "spherical", last, next, point);
        last = next;
    }
    for (int i = 0; i < 150; i++) {
        talus_step_report r;
        CHECK_OK(talus_world_step(w, &r), talus_world_error(w));
        CHECK(r.converged);
        most = r.iterations > most ? r.iterations : most;
        touching = r.touching;
    }
    CHECK(balls == 0 || touching > 0);
    talus_body_joint_state s;
    CHECK_OK(talus_body_joint_get(w, links / 2, &s), "");
    CHECK(s.error < 1e-5);
    talus_world_destroy(w);
    return most;
}

TEST(a_thousand_links_take_no_more_sweeps_than_ten)
{
    const int ten = sweeps_of(10, 0), thousand = sweeps_of(1000, 0);
    printf("sweeps: %d for ten links, %d for a thousand\n", ten, thousand);
    CHECK(thousand <= ten);
}

TEST(nor_with_an_end_on_the_ground)
{
    for (int balls = 1; balls <= 5; balls += 4) {
        const int ten = sweeps_of(10, balls), thousand = sweeps_of(1000, balls);
        printf("sweeps: %d for ten links of which %d touch the ground, %d for a thousand\n", ten, balls, thousand);
        CHECK(balls == 1 ? thousand <= ten : thousand <= 2 * ten);
    }
}

/* A loop of four bodies about parallel axes says the same three times over: it moves as if each were said once. */
static double four_bar(const char *third, double h)
{
    talus_world_def d = exact(h);
    talus_world *w = open_world(&d);
    static const double CORNER[4][3] = {{0, 0, 0}, {0, 0, 1}, {1.5, 0, 1.4}, {1.2, 0, 0}};
    talus_body_id body[4] = {{0}};
    double x[3];
    for (int k = 0; k < 3; k++) {
        talus_body_def b = talus_body_def_default();
        b.mass = 1 + k;
        for (int i = 0; i < 3; i++) b.position[i] = 0.5 * (CORNER[k][i] + CORNER[k + 1][i]), b.inertia_space[i] = 0.1;
        body[k + 1] = add_body(w, &b);
    }
    for (int k = 0; k < 4; k++) {
        talus_body_joint_def j = talus_body_joint_def_default();
        talus_body_joint_id id;
        j.kind = k == 2 ? third : "revolute";
        j.body_a = body[k], j.body_b = body[(k + 1) % 4];
        memcpy(j.point, CORNER[k], sizeof j.point);
        j.axis[0] = j.axis[2] = 0, j.axis[1] = 1;
        CHECK_OK(talus_body_joint_create(w, &j, &id), talus_world_error(w));
    }
    run(w, (int)lround(0.7 / h));
    place(w, body[2], x);
    for (int k = 0; k < 4; k++) {
        talus_body_joint_state s;
        CHECK_OK(talus_body_joint_get(w, k, &s), "");
        CHECK(s.error < 1e-5);
    }
    talus_world_destroy(w);
    return x[0];
}

TEST(redundant_joints_do_no_harm)
{
    const double all = four_bar("revolute", 1e-3), few = four_bar("spherical", 1e-3);
    CHECK_NEAR(all, few, 1e-7);
}

/* ---- what acts in coordinates ----------------------------------------------------------------------------------------------- */

/* A box of 2 kg on a slide along x, with a freedom; gravity along x. */
static talus_world *slide(double h, double g, double speed, const talus_freedom_def *f, talus_body_id *box_id)
{
    talus_world_def d = lab(h);
    d.gravity[0] = g, d.gravity[2] = 0;
    talus_world *w = open_world(&d);
    talus_body_joint_def j = talus_body_joint_def_default();
    talus_body_joint_id id = {0};
    talus_body_def b = talus_body_def_default();
    b.mass = 2, b.velocity[0] = speed;
    for (int i = 0; i < 3; i++) b.inertia_space[i] = 0.1;
    *box_id = add_body(w, &b);
    j.kind = "prismatic", j.body_b = *box_id;
    j.axis[0] = 1, j.axis[2] = 0;
    CHECK_OK(talus_body_joint_create(w, &j, &id), talus_world_error(w));
    CHECK_OK(talus_body_joint_set_freedom(w, id, 0, f), talus_world_error(w));
    return w;
}

static double slide_of(const talus_world *w, double *rate, double *drive)
{
    talus_body_joint_state s;
    CHECK_OK(talus_body_joint_get(w, 0, &s), "");
    *rate = s.rate[0], *drive = s.drive[0];
    return s.position[0];
}

TEST(dry_friction_sticks_and_slides)
{
    talus_freedom_def f = talus_freedom_def_default();
    talus_body_id b;
    double rate, drive;
    f.friction = 10;
    talus_world *w = slide(1e-3, 4.9, 0, &f, &b); /* 9.8 N of 10 */
    run(w, 2000);
    CHECK_NEAR(slide_of(w, &rate, &drive), 0, 1e-13);
    CHECK_NEAR(rate, 0, 1e-13);
    talus_world_destroy(w);
    w = slide(1e-3, 0, 3, &f, &b); /* stops after v²/2a = 0.9 m, for good */
    run(w, 1000);
    CHECK_NEAR(slide_of(w, &rate, &drive), 0.9, 3e-3);
    CHECK_NEAR(rate, 0, 1e-10); /* the solver's tolerance */
    talus_world_destroy(w);
}

TEST(stops_bounce_and_hold)
{
    talus_freedom_def f = talus_freedom_def_default();
    talus_body_id b;
    double rate, drive;
    f.high = 0.5;
    talus_world *w = slide(1e-3, 9.81, 0, &f, &b);
    run(w, 2000);
    CHECK_NEAR(slide_of(w, &rate, &drive), 0.5, 1e-5);
    talus_body_joint_state s;
    CHECK_OK(talus_body_joint_get(w, 0, &s), "");
    CHECK_NEAR(s.force[0], -2 * 9.81, 1e-6);
    talus_world_destroy(w);
    f.restitution = 0.5;
    w = slide(1e-4, 0, 1, &f, &b);
    run(w, 8000);
    CHECK_NEAR(slide_of(w, &rate, &drive), 0.5 - 0.5 * 0.3, 2e-4);
    CHECK_NEAR(rate, -0.5, 1e-9);
    talus_world_destroy(w);
}

static void two_per_second(void *user, double t, double out[3])
{
    (void)user, (void)t;
    out[0] = 2, out[1] = out[2] = 0;
}

static void sway(void *user, double t, double out[3])
{
    (void)user;
    out[0] = 0.1 * sin(5 * t), out[1] = 0.5 * cos(5 * t), out[2] = -2.5 * sin(5 * t);
}

TEST(drives_follow_and_give_way)
{
    talus_freedom_def f = talus_freedom_def_default();
    talus_body_id b;
    double rate, drive;
    f.speed.value = two_per_second, f.force = 4; /* 2 m/s² until 2 m/s: 1 m in a second, then 2 m/s */
    talus_world *w = slide(1e-3, 0, 0, &f, &b);
    run(w, 500);
    (void)slide_of(w, &rate, &drive);
    CHECK_NEAR(rate, 1, 1e-9);
    CHECK_NEAR(drive, 4, 1e-9);
    run(w, 1500);
    CHECK_NEAR(slide_of(w, &rate, &drive), 3, 2e-3);
    CHECK_NEAR(rate, 2, 1e-9);
    CHECK_NEAR(drive, 0, 1e-9);
    talus_world_destroy(w);
    f = talus_freedom_def_default();
    f.position.value = sway;
    w = slide(1e-3, 0, 0.5, &f, &b);
    run(w, 2000);
    CHECK_NEAR(slide_of(w, &rate, &drive), 0.1 * sin(10), 2e-6);
    CHECK_NEAR(drive, 2 * -2.5 * sin(5 * 1.9995), 2e-3);
    talus_world_destroy(w);
}

/* ω = 30 rad/s, of a spring that is implicit: phase of the second order, energy kept. */
TEST(springs_keep_energy)
{
    talus_freedom_def f = talus_freedom_def_default();
    talus_body_id b;
    double rate, drive;
    f.stiffness = 2 * 900;
    double error[2];
    for (int i = 0; i < 2; i++) {
        const double h = i ? 5e-4 : 2e-3;
        talus_world *w = slide(h, 0, 3, &f, &b);
        run(w, (int)lround(1 / h));
        const double x = slide_of(w, &rate, &drive);
        error[i] = fabs(x - 0.1 * sin(30));
        CHECK_NEAR(rate * rate + 900 * x * x, 9, 1e-9);
        talus_world_destroy(w);
    }
    CHECK(error[0] / error[1] > 14 && error[1] < 1e-3);
}

/* Held by velocities only, a pendulum's pin drifts by h² of its motion a second; else it stays. */
TEST(what_drifts_and_what_does_not)
{
    double apart[2][2];
    for (int drifts = 0; drifts < 2; drifts++)
        for (int fine = 0; fine < 2; fine++) {
            talus_world_def d = exact(fine ? 1e-3 : 4e-3);
            talus_world *w = open_world(&d);
            talus_body_joint_def j = talus_body_joint_def_default();
            talus_body_joint_id id = {0};
            talus_body_def b = talus_body_def_default();
            talus_body_joint_state s;
            b.mass = 1, b.position[0] = 1;
            for (int i = 0; i < 3; i++) b.inertia_space[i] = 0.1;
            j.body_b = add_body(w, &b), j.drifts = drifts;
            j.axis[1] = 1, j.axis[2] = 0;
            CHECK_OK(talus_body_joint_create(w, &j, &id), talus_world_error(w));
            run(w, fine ? 8000 : 2000);
            CHECK_OK(talus_body_joint_get(w, 0, &s), "");
            apart[drifts][fine] = s.error;
            talus_world_destroy(w);
        }
    printf("apart: %.3g, %.3g held; %.3g, %.3g drifting\n", apart[0][0], apart[0][1], apart[1][0], apart[1][1]);
    CHECK(apart[0][0] < 1e-4 && apart[0][0] / apart[0][1] > 8);
    CHECK(apart[1][0] > 10 * apart[0][0]);
}

/* A minute of a double pendulum that swings far, in steps of 2 ms: what is taken back every step is as small in the last ten seconds as in the first; held by
 * velocities only, the joints go on to open, and energy goes with it. */
static void swing_long(bool drifts, double open[2], double *lost)
{
    talus_world_def d = exact(2e-3);
    talus_world *w = open_world(&d);
    talus_body_id last = {0};
    double kinetic, before, after;
    for (int k = 0; k < 2; k++) {
        talus_body_joint_def j = talus_body_joint_def_default();
        talus_body_joint_id id = {0};
        talus_body_def b = talus_body_def_default();
        b.mass = 1, b.position[0] = 0.5 + k;
        for (int i = 0; i < 3; i++) b.inertia_space[i] = 0.1;
        const talus_body_id next = add_body(w, &b);
        j.body_a = last, j.body_b = next, j.drifts = drifts;
        j.point[0] = k;
        j.axis[1] = 1, j.axis[2] = 0;
        CHECK_OK(talus_body_joint_create(w, &j, &id), talus_world_error(w));
        last = next;
    }
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    talus_world_energy(w, &kinetic, &before);
    open[0] = open[1] = *lost = 0;
    for (int i = 0; i < 30000; i++) {
        double error = 0;
        run(w, 1);
        for (int k = 0; k < 2; k++) {
            talus_body_joint_state s;
            CHECK_OK(talus_body_joint_get(w, k, &s), "");
            error = fmax(error, s.error);
        }
        if (i < 5000) open[0] = fmax(open[0], error);
        if (i >= 25000) open[1] = fmax(open[1], error);
        talus_world_energy(w, &kinetic, &after);
        *lost = fmax(*lost, fabs(kinetic + after - before));
    }
    talus_world_destroy(w);
}

TEST(held_for_good)
{
    double open[2], lost, drifting[2], drifted;
    swing_long(false, open, &lost);
    swing_long(true, drifting, &drifted);
    printf("open by %.2g m at first, %.2g m at last, energy off by %.2g J; drifting %.2g m, %.2g m, %.2g J\n", open[0], open[1], lost, drifting[0], drifting[1],
           drifted);
    CHECK(open[1] < 1.5 * open[0] && open[0] < 1e-3); /* of h² of the accelerations, some 100 m/s² when both whip round */
    CHECK(drifting[1] > 10 * open[1] && drifting[1] > 2 * drifting[0] && drifted > 10 * lost);
}

int main(int argc, char **argv)
{
    RUN(kinds_move_as_in_a_tree);
    RUN(kinds_move_as_in_a_tree_by_generalized_alpha);
    RUN(kinds_move_as_in_a_tree_by_spook);
    RUN(momentum_is_kept);
    RUN(a_thousand_links_take_no_more_sweeps_than_ten);
    RUN(nor_with_an_end_on_the_ground);
    RUN(redundant_joints_do_no_harm);
    RUN(dry_friction_sticks_and_slides);
    RUN(stops_bounce_and_hold);
    RUN(drives_follow_and_give_way);
    RUN(springs_keep_energy);
    RUN(what_drifts_and_what_does_not);
    RUN(held_for_good);
    return TEST_RESULT;
}
