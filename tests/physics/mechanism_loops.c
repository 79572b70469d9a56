/* Gears, rods, hinges, bodies, redundant and impossible loops, named coordinates, reactions against statics. */
#include "physics/bars.h"

/* ---- other loops ---- */

/* Pinion a turns `ratio` times as fast as b. A torque T on a: T + λ = J1 a', −ratio λ = J2 b', a' = ratio b'. All constant, so exact. */
TEST(gear)
{
    const double j1 = 0.02, j2 = 0.3, ratio = -3.5, torque = 0.8, t = 0.5;
    for (int kind = TALUS_LOOP_SCREW; kind <= TALUS_LOOP_GEAR; kind++) {
        talus_world_def world = lab(1e-3);
        talus_world *w = open_world(&world);
        talus_mechanism_id m = {0};
        CHECK_OK(talus_mechanism_create(w, "gears", &m), talus_world_error(w));
        const talus_joint_id a = pin(w, GROUND, 0, bar(w, m, 1, j1, 0, 0), 0.2 + ratio * 0.1, ratio * 2), b = pin(w, GROUND, 1, bar(w, m, 1, j2, 0, 0), 0.1, 2);
        talus_loop_def d = talus_loop_def_default();
        d.kind = (talus_loop_kind)kind;
        d.joint_a = a, d.joint_b = b;
        d.ratio = ratio, d.offset = 0.2;
        const talus_loop_id loop = close_loop(w, m, &d);
        talus_joint_force_def f = talus_joint_force_def_default();
        f.constant = torque;
        CHECK_OK(talus_joint_add_force(w, a, &f), talus_world_error(w));
        run(w, 500);
        const double bend = ratio * torque / (ratio * ratio * j1 + j2), angle = 0.1 + 2 * t + 0.5 * bend * t * t;
        double reaction[6];
        talus_loop_reaction(w, loop, reaction);
        CHECK(talus_degrees_of_freedom(w) == 1);
        CHECK_NEAR(talus_joint_position(w, b, 0), angle, 1e-11);
        CHECK_NEAR(talus_joint_position(w, a, 0), 0.2 + ratio * angle, 1e-11);
        CHECK_NEAR(talus_joint_velocity(w, b, 0), 2 + bend * t, 1e-11);
        CHECK_NEAR(reaction[0], j1 * ratio * bend - torque, 1e-9);
        talus_world_destroy(w);
    }
}

/* A rod in place of the coupler is a four-bar whose coupler weighs nothing. Driven: trigonometry. Free: state by order, and the scalar
 * reaction along the rod, which is positive when the rod pushes its ends apart. */
TEST(rod)
{
    shape s = CRANK_ROCKER;
    s.mass[1] = s.inertia[1] = 0;
    double turn = 2 * PI, state[RUNS], reaction[RUNS];
    for (int i = 0; i <= RUNS; i++) {
        const bool driven = i == RUNS;
        const int n = driven ? 1000 : 500 << i;
        const double h = 1.0 / n, rate = driven ? turn : 9;
        talus_world_def world = lab(h);
        talus_world *w = open_world(&world);
        talus_mechanism_id m = {0};
        CHECK_OK(talus_mechanism_create(w, "crank and rocker", &m), talus_world_error(w));
        double y[6], lambda[2], along[6];
        start_state(&s, 0.4, rate, y);
        const talus_body_id crank = bar(w, m, s.mass[0], s.inertia[0], s.centre[0][0], s.centre[0][1]),
                            rocker = bar(w, m, s.mass[2], s.inertia[2], s.centre[2][0], s.centre[2][1]);
        const talus_joint_id a = pin(w, GROUND, 0, crank, y[0], y[3]), c = pin(w, GROUND, s.ground, rocker, y[2], y[5]);
        talus_loop_def d = point_loop("rod", crank, s.length[0], rocker, s.length[2]);
        d.kind = TALUS_LOOP_ROD;
        d.length = s.length[1];
        const talus_loop_id loop = close_loop(w, m, &d);
        if (driven) drive_speed(w, a, &turn);
        for (int k = 1; k <= n; k++) {
            CHECK(step(w).loop_error <= 1e-10);
            if (!driven) continue;
            start_state(&s, 0.4 + turn * k * h, turn, y);
            CHECK_NEAR(remainder(talus_joint_position(w, c, 0) - y[2], 2 * PI), 0, 1e-9);
            CHECK_NEAR(talus_joint_velocity(w, c, 0), y[5], 1e-8);
        }
        if (!driven) {
            reference(&s, G, y, 1 - 0.5 * h, 10000, lambda);
            talus_loop_reaction(w, loop, along);
            reaction[i] = fabs(along[0] + lambda[0] * cos(y[1]) + lambda[1] * sin(y[1]));
            reference(&s, G, y, 0.5 * h, 10, lambda);
            state[i] = fabs(talus_joint_position(w, a, 0) - y[0]) + fabs(talus_joint_position(w, c, 0) - y[2]) +
                       0.1 * fabs(talus_joint_velocity(w, a, 0) - y[3]) + 0.1 * fabs(talus_joint_velocity(w, c, 0) - y[5]);
        }
        talus_world_destroy(w);
    }
    check_order("state", state, 2, 0.2, 1e-3);
    check_order("rod reaction", reaction, 2, 0.2, 1e-2);
}

/* The rocker hangs on the coupler instead, and its foot is closed to the ground: by a point, by a hinge, or by a base plate (a fourth
 * link) whose frame, turned by 0.3, coincides with one of the ground. The same motion as the reference. */
TEST(hinge_and_body_loops)
{
    const shape *s = &CRANK_ROCKER;
    for (int kind = TALUS_LOOP_POINT; kind <= TALUS_LOOP_BODY; kind++) {
        double state[RUNS];
        for (int i = 0; i < RUNS; i++) {
            const int n = 500 << i;
            talus_world_def world = lab(1.0 / n);
            talus_world *w = open_world(&world);
            talus_mechanism_id m = {0};
            CHECK_OK(talus_mechanism_create(w, "chain", &m), talus_world_error(w));
            double y[6], lambda[2];
            start_state(s, 0.4, 9, y);
            talus_body_id b[BARS];
            for (int k = 0; k < BARS; k++) /* the rocker from its top: its axis points at its foot */
                b[k] = k == 2 ? bar(w, m, s->mass[k], s->inertia[k], s->length[k] - s->centre[k][0], -s->centre[k][1])
                              : bar(w, m, s->mass[k], s->inertia[k], s->centre[k][0], s->centre[k][1]);
            const talus_joint_id crank = pin(w, GROUND, 0, b[0], y[0], y[3]), knee = pin(w, b[0], s->length[0], b[1], y[1] - y[0], y[4] - y[3]),
                                 top = pin(w, b[1], s->length[1], b[2], y[2] - PI - y[1], y[5] - y[4]);
            talus_loop_def d = point_loop("foot", b[2], s->length[2], GROUND, s->ground);
            d.kind = (talus_loop_kind)kind;
            if (kind == TALUS_LOOP_BODY) {
                const talus_body_id base = bar(w, m, 1, 0.1, 0.1, 0);
                pin(w, b[2], s->length[2], base, 0.3 - y[2] + PI, -y[5]);
                d.body_a = base;
                d.point_a[0] = 0;
                d.quat_b[0] = cos(0.15), d.quat_b[3] = sin(0.15);
            }
            close_loop(w, m, &d);
            for (int k = 0; k < n; k++) CHECK(step(w).loop_error <= 1e-10);
            CHECK(talus_degrees_of_freedom(w) == 1);
            reference(s, G, y, 1, 10000, lambda);
            const double a = talus_joint_position(w, crank, 0), c = a + talus_joint_position(w, knee, 0);
            state[i] = fabs(a - y[0]) + fabs(c - y[1]) + fabs(c + talus_joint_position(w, top, 0) + PI - y[2]);
            talus_world_destroy(w);
        }
        check_order("state", state, 2, 0.3, 1e-3);
    }
}

/* The same loop twice: a warning that names it, and the same motion, to the closure's tolerance. */
TEST(redundant_loop)
{
    double state[2][6];
    for (int twice = 0; twice < 2; twice++) {
        const shape *s = &CRANK_ROCKER;
        machine b = four_bar(s, 1e-3, G, 0.4, 9);
        if (twice) {
            const talus_loop_def d = point_loop("spare", b.bar[1], s->length[1], b.bar[2], s->length[2]);
            close_loop(b.w, b.m, &d);
        }
        CHECK_OK(talus_world_assemble(b.w), talus_world_error(b.w));
        const char *text = talus_world_warnings(b.w);
        if (twice && !strstr(text, "equations 1, 2 of loop 'spare' are redundant") && !strstr(text, "equations 1, 2 of loop 'closure' are redundant") &&
            !(strstr(text, "of loop 'spare' is") && strstr(text, "of loop 'closure' is")))
            TEST_FAIL("the warning is “%s”", text);
        if (!twice && *text) TEST_FAIL("a warning without reason: “%s”", text);
        CHECK(*talus_world_warnings(b.w) == 0);
        CHECK(talus_degrees_of_freedom(b.w) == 1);
        for (int k = 0; k < 1000; k++) CHECK(step(b.w).loop_error <= 1e-10);
        read_state(&b, state[twice]);
        talus_world_destroy(b.w);
    }
    CHECK(distance(state[0], state[1], 6) <= 1e-8);
}

/* Three equal legs under a table: two loops, four equations, of which geometry makes one redundant. The table only translates, so the
 * machine is a pendulum with J = Σ legs + M L², m g l = g (Σ m r + M L): after a quarter of its period (see mechanism.c) the legs hang. */
TEST(redundant_by_geometry)
{
    const double leg = 0.4, table = 2, m = 0.5, r = 0.2, start = -1, amplitude = 0.5 * PI + start;
    const double J = 3 * (0.02 + m * r * r) + table * leg * leg, weight = G * (3 * m * r + table * leg);
    double a = 1, b = cos(0.5 * amplitude);
    for (int i = 0; i < 20; i++) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    const double quarter = sqrt(J / weight) * PI / (2 * a), fastest = -sqrt(2 * weight * (1 - cos(amplitude)) / J);
    double state[RUNS];
    for (int i = 0; i < RUNS; i++) {
        const int n = 100 << i;
        talus_world_def d = lab(quarter / n);
        talus_world *w = open_world(&d);
        talus_mechanism_id id = {0};
        CHECK_OK(talus_mechanism_create(w, "table", &id), talus_world_error(w));
        const talus_body_id top = bar(w, id, table, 0.3, 0.5, 0.1);
        talus_joint_id joint[3];
        for (int k = 0; k < 3; k++) {
            const talus_body_id one = bar(w, id, m, 0.02, r, 0);
            joint[k] = pin(w, GROUND, 0.5 * k, one, start, 0);
            const talus_loop_def loop = point_loop(k == 1 ? "middle" : "end", top, 0.5 * k, one, leg);
            if (k == 0) pin(w, one, leg, top, -start, 0);
            else close_loop(w, id, &loop);
        }
        CHECK_OK(talus_world_assemble(w), talus_world_error(w));
        const char *text = talus_world_warnings(w);
        if (!strstr(text, "middle") && !strstr(text, "end")) TEST_FAIL("the warning is “%s”", text);
        CHECK(talus_degrees_of_freedom(w) == 1);
        for (int k = 0; k < n; k++) CHECK(step(w).loop_error <= 1e-10);
        state[i] = fabs(talus_joint_position(w, joint[0], 0) + 0.5 * PI) + 0.1 * fabs(talus_joint_velocity(w, joint[0], 0) - fastest);
        for (int k = 1; k < 3; k++) CHECK_NEAR(talus_joint_position(w, joint[k], 0), talus_joint_position(w, joint[0], 0), 1e-9);
        talus_world_destroy(w);
    }
    check_order("state", state, 2, 0.15, 1e-4);
}

/* Bars too short to meet (0.3 + 0.9 < 2), and two loops that ask for different places: not closed, named, and not stepped. */
TEST(impossible_loops)
{
    for (int kind = 0; kind < 2; kind++) {
        const shape *s = &CRANK_ROCKER;
        machine b = place(s, 1e-3, G, 0.4, 0, 0);
        talus_loop_def d = point_loop("too short", b.bar[1], s->length[1], b.bar[2], s->length[2]);
        if (kind == 0) d.body_b = GROUND, d.point_b[0] = 2;
        close_loop(b.w, b.m, &d);
        if (kind == 1) {
            d.name = "too short as well";
            d.point_a[0] += 0.1;
            close_loop(b.w, b.m, &d);
        }
        CHECK(talus_world_assemble(b.w) == TALUS_ASSEMBLY);
        if (!strstr(talus_world_error(b.w), "too short")) TEST_FAIL("the error is “%s”", talus_world_error(b.w));
        CHECK(talus_world_step(b.w, NULL) == TALUS_ASSEMBLY);
        CHECK(talus_world_time(b.w) == 0);
        talus_world_destroy(b.w);
    }
}

/* A crank driven beyond the angle at which coupler and rocker are in line, |crank pin − (D, 0)| = L2 + L3: the step says so and leaves
 * the state at the last angle within reach. */
TEST(driven_into_a_dead_point)
{
    const shape *s = &ALL_ROCK;
    const double a = s->length[0], d = s->ground, e = s->length[1] + s->length[2], h = 1e-3;
    const double limit = acos((a * a + d * d - e * e) / (2 * a * d));
    double turn = 3;
    machine b = four_bar(s, h, 0, limit - 0.5, turn);
    drive_speed(b.w, b.joint[0], &turn);
    talus_status status = TALUS_OK;
    double t = 0;
    int steps = 0;
    while (status == TALUS_OK && steps < 1000) {
        t = talus_world_time(b.w);
        status = talus_world_step(b.w, NULL);
        steps++;
    }
    if (status != TALUS_ASSEMBLY) TEST_FAIL("%s after %d steps: %s", talus_status_name(status), steps, talus_world_error(b.w));
    if (!strstr(talus_world_error(b.w), "closure")) TEST_FAIL("the error is “%s”", talus_world_error(b.w));
    const double reached = talus_joint_position(b.w, b.joint[0], 0);
    CHECK(talus_world_time(b.w) == t);
    CHECK(reached <= limit && reached >= limit - 2 * turn * h);
    CHECK(talus_loop_error(b.w, b.loop) <= 1e-10);
    talus_world_destroy(b.w);
}

static void read_everything(const machine *b)
{
    double q[3], force[6], y[6];
    where(b->w, b->bar[1], q);
    read_state(b, y);
    (void)speed(b->w, b->bar[1], 2);
    (void)energy(b->w);
    (void)talus_loop_error(b->w, b->loop);
    talus_loop_reaction(b->w, b->loop, force);
    (void)talus_world_hash(b->w);
}

/* Reading before assembly, or after one that failed, gives whatever it gives, but does not crash. */
TEST(reading_unassembled)
{
    machine b = four_bar(&CRANK_ROCKER, 1e-3, G, 0.4, 9);
    read_everything(&b);
    talus_world_destroy(b.w);
}

TEST(reading_after_failed_assembly)
{
    machine b = place(&CRANK_ROCKER, 1e-3, G, 0.4, 0, 0);
    const talus_loop_def d = point_loop("too short", b.bar[1], CRANK_ROCKER.length[1], GROUND, 2);
    b.loop = close_loop(b.w, b.m, &d);
    CHECK(talus_world_assemble(b.w) == TALUS_ASSEMBLY);
    read_everything(&b);
    talus_world_destroy(b.w);
}

static void name_dependent(const machine *b, int joint) { CHECK_OK(talus_joint_set_dependent(b->w, b->joint[joint], 0), talus_world_error(b->w)); }

/* Named dependent coordinates, each pair of the three, move as the reference does while they can. */
TEST(named_dependents)
{
    const shape *s = &CRANK_ROCKER;
    for (int independent = 0; independent < BARS; independent++) {
        double state[RUNS];
        for (int i = 0; i < RUNS; i++) {
            const int n = 50 << i;
            machine b = four_bar(s, 0.1 / n, G, 1, 5); /* far from the rocker's dead points over half a radian */
            for (int k = 0; k < BARS; k++)
                if (k != independent) name_dependent(&b, k);
            run(b.w, n);
            double y[6], z[6], lambda[2];
            start_state(s, 1, 5, y);
            reference(s, G, y, 0.1, 1000, lambda);
            read_state(&b, z);
            state[i] = distance(y, z, 3) + 0.1 * distance(y + 3, z + 3, 3);
            talus_world_destroy(b.w);
        }
        check_order("state", state, 2, 0.2, 1e-4);
    }
    machine few = four_bar(s, 1e-3, G, 1, 5); /* two equations, one name */
    name_dependent(&few, 1);
    CHECK(talus_world_assemble(few.w) == TALUS_INPUT);
    talus_world_destroy(few.w);
    double q[BARS] = {1};
    close_bars(s, q);
    machine dead = place(s, 1e-3, G, 1, 0, 0);
    talus_loop_def d = talus_loop_def_default();
    d.name = "gear";
    d.kind = TALUS_LOOP_GEAR;
    d.joint_a = dead.joint[0], d.joint_b = dead.joint[2];
    d.ratio = 2, d.offset = 1 - 2 * q[2];
    close_loop(dead.w, dead.m, &d);
    name_dependent(&dead, 1); /* has no part in the equation: J_v = 0 */
    CHECK(talus_world_assemble(dead.w) == TALUS_INPUT);
    CHECK(*talus_world_error(dead.w) != 0);
    talus_world_destroy(dead.w);
}

/* With the rocker's angle named independent, the turning crank must pass the rocker's dead points, where that choice is singular. The step
 * may refuse, or warn, or get through; but not lose the energy of a frictionless machine and say nothing. */
TEST(named_choice_becomes_singular)
{
    machine b = four_bar(&CRANK_ROCKER, 5e-4, G, 0.4, 9);
    name_dependent(&b, 0);
    name_dependent(&b, 1);
    CHECK_OK(talus_world_assemble(b.w), talus_world_error(b.w));
    const double before = energy(b.w);
    talus_status status = TALUS_OK;
    for (int k = 0; k < 2000 && status == TALUS_OK; k++) status = talus_world_step(b.w, NULL);
    const double lost = fabs(energy(b.w) - before);
    if (status == TALUS_OK && !*talus_world_warnings(b.w) && !(lost <= 1e-2)) TEST_FAIL("%g J of %g J lost in silence", lost, before);
    talus_world_destroy(b.w);
}

/* Two bars without weight, pinned to the ground and to each other; a force F on the first one's tip. With u1, u2 from the feet to the
 * tip, the second bar pushes the first with n u2 such that F + n u2 is along u1. No degree of freedom is left. */
TEST(truss)
{
    double fx = 30, fy = -100;
    const double tip[2] = {0.4, 0.7}, foot = 1;
    const double l1 = hypot(tip[0], tip[1]), l2 = hypot(tip[0] - foot, tip[1]);
    const double u1[2] = {tip[0] / l1, tip[1] / l1}, u2[2] = {(tip[0] - foot) / l2, tip[1] / l2};
    const double n2 = (-fx * u1[1] + fy * u1[0]) / (u2[0] * u1[1] - u2[1] * u1[0]);
    talus_world_def d = lab(1e-3);
    talus_world *w = open_world(&d);
    talus_mechanism_id m = {0};
    CHECK_OK(talus_mechanism_create(w, "truss", &m), talus_world_error(w));
    const talus_body_id first = bar(w, m, 0, 0.1, 0, 0), second = bar(w, m, 0, 0.1, 0, 0);
    pin(w, GROUND, 0, first, atan2(tip[1], tip[0]) + 0.02, 0);
    pin(w, GROUND, foot, second, atan2(tip[1], tip[0] - foot) - 0.03, 0);
    const talus_loop_def loop = point_loop("tip", first, l1, second, l2);
    const talus_loop_id id = close_loop(w, m, &loop);
    talus_load_def load = talus_load_def_default();
    load.point[0] = l1;
    load.force[0] = (talus_motion){steady, &fx};
    load.force[1] = (talus_motion){steady, &fy};
    CHECK_OK(talus_body_add_load(w, first, &load), talus_world_error(w));
    run(w, 10);
    CHECK(talus_degrees_of_freedom(w) == 0);
    double reaction[6], q[3];
    talus_loop_reaction(w, id, reaction);
    CHECK_NEAR(reaction[0], n2 * u2[0], 1e-8);
    CHECK_NEAR(reaction[1], n2 * u2[1], 1e-8);
    where(w, first, q);
    CHECK_NEAR(q[2], atan2(tip[1], tip[0]), 1e-9);
    talus_world_destroy(w);
}

int main(int argc, char **argv)
{
    RUN(gear);
    RUN(rod);
    RUN(hinge_and_body_loops);
    RUN(redundant_loop);
    RUN(redundant_by_geometry);
    RUN(impossible_loops);
    RUN(driven_into_a_dead_point);
    RUN(reading_unassembled);
    RUN(reading_after_failed_assembly);
    RUN(named_dependents);
    RUN(named_choice_becomes_singular);
    RUN(truss);
    return TEST_RESULT;
}
