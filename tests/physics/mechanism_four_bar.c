/* Four-bars, driven, free and held: positions, energy, torque, reactions, and the choice of dependent coordinates along the motion. */
#include "physics/bars.h"

/* ---- four-bars ---- */

/* Two turns at constant speed, from a rough guess: angles by trigonometry; the mean torque over a step is the gain in energy over the
 * angle, with E(angle) in closed form. */
TEST(driven_four_bar)
{
    const shape *s = &CRANK_ROCKER;
    double turn = 2 * PI, worst[RUNS];
    for (int i = 0; i < RUNS; i++) {
        const int n = 250 << i;
        const double h = 1.0 / n;
        machine b = place(s, h, G, 0.3, turn, 0.05);
        const talus_loop_def d = point_loop("closure", b.bar[1], s->length[1], b.bar[2], s->length[2]);
        b.loop = close_loop(b.w, b.m, &d);
        drive_speed(b.w, b.joint[0], &turn);
        CHECK_OK(talus_world_assemble(b.w), talus_world_error(b.w));
        CHECK(talus_degrees_of_freedom(b.w) == 0);
        double y[6], z[6], before = 0;
        worst[i] = 0;
        for (int k = 0; k <= 2 * n; k++) {
            start_state(s, 0.3 + turn * k * h, turn, y);
            read_state(&b, z);
            for (int j = 0; j < BARS; j++) CHECK_NEAR(remainder(z[j] - y[j], 2 * PI), 0, 1e-9);
            for (int j = 3; j < 2 * BARS; j++) CHECK_NEAR(z[j], y[j], 1e-8);
            CHECK(talus_loop_error(b.w, b.loop) <= 1e-10);
            const double now = total_energy(s, G, y, y + 3);
            CHECK_NEAR(energy(b.w), now, 1e-7);
            if (k > 0) worst[i] = fmax(worst[i], fabs(talus_joint_force(b.w, b.joint[0], 0) - (now - before) / (turn * h)));
            before = now;
            if (k < 2 * n) CHECK(step(b.w).loop_error <= 1e-10);
        }
        talus_world_destroy(b.w);
    }
    check_order("torque of the drive", worst, 2, 0.15, 1e-3);
}

/* Gravity and an initial speed: the state after a second, the energy, and the force in the loop (its mean over the last step is that of
 * the middle to O(h²)). */
TEST(free_four_bar)
{
    const shape *s = &CRANK_ROCKER;
    double state[RUNS], drift[RUNS], reaction[RUNS];
    for (int i = 0; i < RUNS; i++) {
        const int n = 500 << i;
        const double h = 1.0 / n;
        machine b = four_bar(s, h, G, 0.4, 9);
        CHECK_OK(talus_world_assemble(b.w), talus_world_error(b.w));
        CHECK(talus_degrees_of_freedom(b.w) == 1);
        double y[6], z[6], lambda[2], force[6];
        const double before = energy(b.w);
        for (int k = 0; k < n; k++) CHECK(step(b.w).loop_error <= 1e-10);
        start_state(s, 0.4, 9, y);
        CHECK_NEAR(total_energy(s, G, y, y + 3), before, 1e-12);
        reference(s, G, y, 1 - 0.5 * h, 10000, lambda);
        talus_loop_reaction(b.w, b.loop, force);
        reaction[i] = distance(force, lambda, 2);
        reference(s, G, y, 0.5 * h, 10, lambda);
        read_state(&b, z);
        state[i] = distance(y, z, 3) + 0.1 * distance(y + 3, z + 3, 3);
        drift[i] = fabs(energy(b.w) - before);
        talus_world_destroy(b.w);
    }
    check_order("state", state, 2, 0.15, 1e-3);
    check_order("energy", drift, 2, 0.15, 1e-3);
    check_order("loop reaction", reaction, 2, 0.2, 1e-2);
}

/* The crank held: moments of the coupler about the crank pin and of the rocker about its pivot give the force in the loop, the crank's
 * the torque. Nothing moves, so the means are exact. */
TEST(held_four_bar)
{
    const shape *s = &CRANK_ROCKER;
    double zero = 0;
    for (int i = 0; i < 6; i++) {
        machine b = four_bar(s, 1e-3, G, i, 0);
        drive_speed(b.w, b.joint[0], &zero);
        run(b.w, 3);
        double q[BARS] = {i}, f[BARS], force[6];
        close_bars(s, q);
        weights(s, G, q, f);
        const double b1 = -s->length[1] * sin(q[1]), b2 = s->length[1] * cos(q[1]);
        const double c1 = s->length[2] * sin(q[2]), c2 = -s->length[2] * cos(q[2]), det = b1 * c2 - b2 * c1;
        const double lx = (-f[1] * c2 + f[2] * b2) / det, ly = (-f[2] * b1 + f[1] * c1) / det;
        talus_loop_reaction(b.w, b.loop, force);
        CHECK_NEAR(force[0], lx, 1e-8);
        CHECK_NEAR(force[1], ly, 1e-8);
        CHECK_NEAR(talus_joint_force(b.w, b.joint[0], 0), -f[0] - s->length[0] * (-sin(q[0]) * lx + cos(q[0]) * ly), 1e-8);
        talus_world_destroy(b.w);
    }
}

/* No angle of this linkage can stay independent: each stops and turns back. Many swings against the reference, by order. */
TEST(partition_follows_the_motion)
{
    const shape *s = &ALL_ROCK;
    double state[RUNS], drift[RUNS];
    for (int i = 0; i < RUNS; i++) {
        const int n = 4000 << i;
        machine b = four_bar(s, 4.0 / n, 0, 1, 3);
        CHECK_OK(talus_world_assemble(b.w), talus_world_error(b.w));
        const double before = energy(b.w);
        double y[6], z[6], lambda[2];
        int turned[BARS] = {0};
        for (int k = 0; k < n; k++) {
            read_state(&b, y);
            CHECK(step(b.w).loop_error <= 1e-10);
            read_state(&b, z);
            for (int j = 0; j < BARS; j++) turned[j] += y[3 + j] * z[3 + j] < 0;
        }
        for (int j = 0; j < BARS; j++) CHECK(turned[j] >= 2);
        drift[i] = fabs(energy(b.w) - before);
        start_state(s, 1, 3, y);
        reference(s, 0, y, 4, 40000, lambda);
        state[i] = distance(y, z, 3) + 0.1 * distance(y + 3, z + 3, 3);
        talus_world_destroy(b.w);
    }
    check_order("state", state, 2, 0.3, 1e-3);
    check_order("energy", drift, 2, 0.3, 1e-3);
}

/* The crank-rocker turning freely for many turns stays closed and keeps its energy to O(h²) without growth. */
TEST(many_turns)
{
    machine b = four_bar(&CRANK_ROCKER, 1e-3, 0, 0.4, 15);
    CHECK_OK(talus_world_assemble(b.w), talus_world_error(b.w));
    const double before = energy(b.w);
    double early = 0, late = 0;
    for (int k = 0; k < 20000; k++) {
        CHECK(step(b.w).loop_error <= 1e-10);
        double *const worst = k < 5000 ? &early : &late;
        *worst = fmax(*worst, fabs(energy(b.w) / before - 1));
    }
    CHECK(talus_joint_position(b.w, b.joint[0], 0) > 2 * PI * 20);
    CHECK(early > 0 && late <= 2 * early && late < 1e-2);
    talus_world_destroy(b.w);
}

int main(int argc, char **argv)
{
    RUN(driven_four_bar);
    RUN(free_four_bar);
    RUN(held_four_bar);
    RUN(partition_follows_the_motion);
    RUN(many_turns);
    return TEST_RESULT;
}
