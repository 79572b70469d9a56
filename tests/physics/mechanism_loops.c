/* Closed loops: positions against trigonometry, energy against the order of the scheme, drives against the work they do, gears and rods
 * against closed forms, reactions against statics, and what assembly must notice. */
#include "physics/linkage.h"

/* ---- a four-bar: crank AB, coupler BC, rocker CD, ground AD --------------------------------------------------------- */

static const double AB = 0.3, BC = 0.9, CD = 0.7, AD = 1.0;

/* Angle of the coupler and of the rocker (from D to C) for a crank angle; the open branch. */
static void four_bar_angles(double crank, double *coupler, double *rocker)
{
    const double bx = AB * cos(crank), by = AB * sin(crank), dx = AD - bx, dy = -by, d = hypot(dx, dy);
    const double at_b = acos((BC * BC + d * d - CD * CD) / (2 * BC * d));
    *coupler = atan2(dy, dx) + at_b;
    *rocker = atan2(by + BC * sin(*coupler), bx + BC * cos(*coupler) - AD);
}

typedef struct four_bar {
    talus_world *w;
    talus_mechanism_id m;
    talus_body_id link[3];
    talus_joint_id joint[3];
    talus_loop_id loop;
} four_bar;

/* Links with their centres off the line; joints in the tree A, B, C; the rocker is pinned to D. */
static four_bar open_four_bar(double h, double crank, double spin)
{
    const talus_world_def d = lab(h);
    four_bar f = {.w = open_world(&d)};
    double coupler, rocker;
    four_bar_angles(crank, &coupler, &rocker);
    f.m = mechanism(f.w, "four-bar");
    f.link[0] = add_link(f.w, f.m, "crank", 1, 0.01, 0.15, 0.02);
    f.link[1] = add_link(f.w, f.m, "coupler", 2, 0.15, 0.45, -0.05);
    f.link[2] = add_link(f.w, f.m, "rocker", 1.5, 0.06, 0.35, 0.03);
    f.joint[0] = hinge(f.w, "A", GROUND, f.link[0], 0, 0, crank, spin);
    f.joint[1] = hinge(f.w, "B", f.link[0], f.link[1], AB, 0, coupler - crank, 0);
    f.joint[2] = hinge(f.w, "C", f.link[1], f.link[2], BC, 0, rocker + PI - coupler, 0); /* the rocker's axis runs from C to D */
    f.loop = pin(f.w, f.m, "D", f.link[2], CD, 0, GROUND, AD, 0);
    return f;
}

static const double SPEED = 3;

TEST(four_bar_positions)
{
    four_bar f = open_four_bar(1e-3, 0.4, 0);
    turn_at(f.w, f.joint[0], &SPEED);
    for (int i = 0; i < 4300; i++) { /* two turns */
        double coupler, rocker;
        step_once(f.w);
        const double crank = 0.4 + SPEED * talus_world_time(f.w);
        four_bar_angles(crank, &coupler, &rocker);
        CHECK(talus_loop_error(f.w, f.loop) <= 1e-10);
        CHECK_NEAR(remainder(talus_body_angle(f.w, f.link[1]) - coupler, 2 * PI), 0, 1e-9);
        CHECK_NEAR(remainder(talus_body_angle(f.w, f.link[2]) - rocker - PI, 2 * PI), 0, 1e-9);
    }
    talus_world_destroy(f.w);
}

/* Largest deviation of the energy over 2 s of free motion. */
static double energy_error(double h)
{
    four_bar f = open_four_bar(h, 1, 6);
    CHECK_OK(talus_world_assemble(f.w), talus_world_error(f.w));
    const double start = total_energy(f.w);
    double worst = 0;
    for (int i = (int)lround(2 / h); i > 0; i--) {
        step_once(f.w);
        worst = fmax(worst, fabs(total_energy(f.w) - start));
        CHECK(talus_loop_error(f.w, f.loop) <= 1e-10);
    }
    talus_world_destroy(f.w);
    return worst / start;
}

TEST(four_bar_energy)
{
    double error[4];
    for (int i = 0; i < 4; i++) error[i] = energy_error(2e-3 / (1 << i));
    for (int i = 0; i < 3; i++) CHECK_SECOND_ORDER(error[i], error[i + 1]);
    CHECK(error[3] < 1e-4);
}

/* The work of the drive is the energy that the mechanism gains. */
static double work_error(double h)
{
    four_bar f = open_four_bar(h, 1, 0);
    turn_at(f.w, f.joint[0], &SPEED);
    CHECK_OK(talus_world_assemble(f.w), talus_world_error(f.w));
    const double start = total_energy(f.w);
    double work = 0;
    for (int i = (int)lround(1 / h); i > 0; i--) {
        step_once(f.w);
        work += h * SPEED * talus_joint_force(f.w, f.joint[0], 0);
    }
    const double gained = total_energy(f.w) - start;
    CHECK(fabs(gained) > 1);
    talus_world_destroy(f.w);
    return fabs(work - gained);
}

TEST(work_of_the_drive)
{
    CHECK_SECOND_ORDER(work_error(2e-3), work_error(1e-3));
    CHECK(work_error(1e-3) < 1e-3);
}

/* Where the loop is cut, and who depends on whom, is bookkeeping: the motions agree to the order of the scheme. */
static double bookkeeping_error(double h)
{
    double q[2];
    for (int i = 0; i < 2; i++) {
        four_bar f = open_four_bar(h, 1, 6);
        if (i == 1)
            for (int k = 0; k < 2; k++) CHECK_OK(talus_joint_set_dependent(f.w, f.joint[k], 0), talus_world_error(f.w)); /* A and B follow C */
        run_for(f.w, 0.2);
        q[i] = talus_joint_position(f.w, f.joint[0], 0);
        talus_world_destroy(f.w);
    }
    return fabs(q[0] - q[1]);
}

TEST(any_dependent_coordinates)
{
    CHECK_SECOND_ORDER(bookkeeping_error(1e-3), bookkeeping_error(5e-4));
    CHECK(bookkeeping_error(1e-4) < 1e-4);
}

/* A drag-link turns all its bars round: any fixed choice of dependent coordinates meets a bad position. Ten turns, with its energy. */
TEST(chosen_anew)
{
    talus_world_def d = lab(5e-4);
    d.gravity[1] = 0;
    talus_world *w = open_world(&d);
    const talus_mechanism_id m = mechanism(w, "drag-link");
    const talus_body_id a = add_link(w, m, "a", 1, 0.01, 0.1, 0), b = add_link(w, m, "b", 1, 0.01, 0.1, 0), c = add_link(w, m, "c", 1, 0.01, 0.1, 0);
    const talus_joint_id A = hinge(w, "A", GROUND, a, 0, 0, 1.5, 5);
    hinge(w, "B", a, b, 0.2, 0, -1, 0);
    hinge(w, "C", b, c, 0.25, 0, -2, 0);
    const talus_loop_id D = pin(w, m, "D", c, 0.22, 0, GROUND, 0.12, 0);
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    const double energy = total_energy(w), begin = talus_joint_position(w, A, 0);
    double worst = 0;
    for (int i = 0; i < 40000 && fabs(talus_joint_position(w, A, 0) - begin) < 20 * PI; i++) {
        step_once(w);
        worst = fmax(worst, talus_loop_error(w, D));
    }
    CHECK(fabs(talus_joint_position(w, A, 0) - begin) >= 20 * PI);
    CHECK(worst <= 1e-10);
    CHECK_NEAR(total_energy(w), energy, 1e-3 * energy);
    talus_world_destroy(w);
}

/* ---- other loops -------------------------------------------------------------------------------------------------- */

/* Two wheels in mesh, a torque on the first: q_a = −2 q_b. Constant acceleration is exact. */
TEST(gear)
{
    const double Ja = 0.4, Jb = 0.3, T = 2;
    const talus_world_def d = lab(1e-2);
    talus_world *w = open_world(&d);
    const talus_mechanism_id m = mechanism(w, "gear");
    const talus_joint_id A = hinge(w, "A", GROUND, add_link(w, m, "a", 1, Ja, 0, 0), 0, 0, 0, 0);
    const talus_joint_id B = hinge(w, "B", GROUND, add_link(w, m, "b", 1, Jb, 0, 0), 1, 0, 0.1, 0);
    talus_loop_def g = talus_loop_def_default();
    talus_loop_id id;
    g.kind = TALUS_LOOP_GEAR;
    g.joint_a = A, g.joint_b = B;
    g.ratio = -2, g.offset = 0.2;
    CHECK_OK(talus_loop_create(w, m, &g, &id), talus_world_error(w));
    push(w, A, T);
    run_for(w, 1);
    const double a = T / (Ja + Jb / 4);
    CHECK_NEAR(talus_joint_velocity(w, A, 0), a, 1e-12);
    CHECK_NEAR(talus_joint_position(w, A, 0), 0.5 * a, 1e-12);
    CHECK_NEAR(talus_joint_velocity(w, B, 0), -0.5 * a, 1e-12);
    double reaction[6];
    talus_loop_reaction(w, id, reaction);
    CHECK_NEAR(fabs(reaction[0]), T - Ja * a, 1e-10);
    talus_world_destroy(w);
}

/* Crank and rocker joined by a rod without mass: the same trigonometry. */
TEST(rod)
{
    const talus_world_def d = lab(1e-3);
    talus_world *w = open_world(&d);
    const talus_mechanism_id m = mechanism(w, "rod");
    const talus_body_id crank = add_link(w, m, "crank", 1, 0.01, 0.15, 0), rocker = add_link(w, m, "rocker", 1, 0.05, 0.35, 0);
    double coupler, angle;
    four_bar_angles(0.4, &coupler, &angle);
    const talus_joint_id A = hinge(w, "A", GROUND, crank, 0, 0, 0.4, 0);
    hinge(w, "D", GROUND, rocker, AD, 0, angle + 0.05, 0);
    talus_loop_def r = talus_loop_def_default();
    talus_loop_id id;
    r.kind = TALUS_LOOP_ROD;
    r.body_a = crank, r.body_b = rocker;
    r.point_a[0] = AB, r.point_b[0] = CD;
    r.length = BC;
    CHECK_OK(talus_loop_create(w, m, &r, &id), talus_world_error(w));
    turn_at(w, A, &SPEED);
    for (int i = 0; i < 2200; i++) {
        step_once(w);
        four_bar_angles(0.4 + SPEED * talus_world_time(w), &coupler, &angle);
        CHECK_NEAR(remainder(talus_body_angle(w, rocker) - angle, 2 * PI), 0, 1e-9);
        CHECK(talus_loop_error(w, id) <= 1e-10);
    }
    talus_world_destroy(w);
}

/* Two bars under 45° and a load on their common end: thrust and half the load at the cut support. Nothing can move. */
TEST(reactions_of_a_truss)
{
    const double m1 = 3, load = -50, L = sqrt(2.0);
    const talus_world_def d = lab(1e-3);
    talus_world *w = open_world(&d);
    const talus_mechanism_id m = mechanism(w, "truss");
    const talus_body_id left = add_link(w, m, "left", m1, 0.5, L / 2, 0), right = add_link(w, m, "right", m1, 0.5, L / 2, 0);
    hinge(w, "A", GROUND, left, 0, 0, PI / 4, 0);
    hinge(w, "B", left, right, L, 0, -PI / 2, 0);
    const talus_loop_id C = pin(w, m, "C", right, L, 0, GROUND, 2, 0);
    talus_load_def f = talus_load_def_default();
    f.point[0] = L;
    f.force[1] = steady(&load);
    CHECK_OK(talus_body_add_load(w, left, &f), talus_world_error(w));
    run_for(w, 0.01);
    double r[6];
    talus_loop_reaction(w, C, r);
    CHECK_NEAR(r[1], 25 + m1 * G, 1e-9);
    CHECK_NEAR(r[0], -(25 + m1 * G / 2), 1e-9);
    CHECK(talus_degrees_of_freedom(w) == 0);
    talus_world_destroy(w);
}

/* ---- assembly ----------------------------------------------------------------------------------------------------- */

TEST(redundant_loop)
{
    double q[2];
    for (int i = 0; i < 2; i++) {
        four_bar f = open_four_bar(1e-3, 1, 4);
        if (i) pin(f.w, f.m, "again", f.link[2], CD, 0, GROUND, AD, 0);
        run_for(f.w, 0.5);
        q[i] = talus_joint_position(f.w, f.joint[0], 0);
        const char *warnings = talus_world_warnings(f.w);
        CHECK(i ? (strstr(warnings, "'again'") || strstr(warnings, "'D'")) && strstr(warnings, "redundant") : warnings[0] == '\0');
        talus_world_destroy(f.w);
    }
    CHECK_NEAR(q[1], q[0], 1e-9);
}

TEST(loop_out_of_reach)
{
    four_bar f = open_four_bar(1e-3, 1, 0);
    pin(f.w, f.m, "far", f.link[1], BC, 0, GROUND, 3, 0);
    CHECK(talus_world_assemble(f.w) == TALUS_ASSEMBLY);
    CHECK(strstr(talus_world_error(f.w), "'far'") || strstr(talus_world_error(f.w), "'D'"));
    talus_world_destroy(f.w);
}

/* A rough first guess is assembled; the crank keeps the angle that was asked for when the others are named dependent. */
TEST(rough_guess)
{
    const talus_world_def d = lab(1e-3);
    talus_world *w = open_world(&d);
    const talus_mechanism_id m = mechanism(w, "four-bar");
    const talus_body_id a = add_link(w, m, NULL, 1, 0.01, 0, 0), b = add_link(w, m, NULL, 1, 0.1, 0, 0), c = add_link(w, m, NULL, 1, 0.1, 0, 0);
    const talus_joint_id A = hinge(w, "A", GROUND, a, 0, 0, 0.8, 2), B = hinge(w, "B", a, b, AB, 0, 0.1, 0), C = hinge(w, "C", b, c, BC, 0, -1, 0);
    const talus_loop_id D = pin(w, m, "D", c, CD, 0, GROUND, AD, 0);
    CHECK_OK(talus_joint_set_dependent(w, B, 0), talus_world_error(w));
    CHECK_OK(talus_joint_set_dependent(w, C, 0), talus_world_error(w));
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    double coupler, rocker;
    four_bar_angles(0.8, &coupler, &rocker);
    CHECK_NEAR(talus_joint_position(w, A, 0), 0.8, 1e-15);
    CHECK_NEAR(remainder(talus_body_angle(w, b) - coupler, 2 * PI), 0, 1e-9);
    CHECK(talus_loop_error(w, D) <= 1e-10);
    talus_world_destroy(w);
}

int main(int argc, char **argv)
{
    RUN(four_bar_positions);
    RUN(four_bar_energy);
    RUN(work_of_the_drive);
    RUN(any_dependent_coordinates);
    RUN(chosen_anew);
    RUN(gear);
    RUN(rod);
    RUN(reactions_of_a_truss);
    RUN(redundant_loop);
    RUN(loop_out_of_reach);
    RUN(rough_guess);
    return TEST_RESULT;
}
