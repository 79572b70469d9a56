/* Laws that read several coordinates, and the states that they read, against closed forms, conservation, and the same machine built of other parts. */
#include "physics/joints.h"

enum { MOST = 3 };

/* f = load + Σ (K_k q_k + C_k v_k + S_k x_k) */
typedef struct linear {
    double K[MOST], C[MOST], S[MOST], load;
    int count, states;
} linear;

static double linear_value(void *user, double t, const double *q, const double *v, const double *state)
{
    const linear *l = user;
    double sum = l->load;
    (void)t;
    for (int k = 0; k < l->count; k++) sum += l->K[k] * q[k] + l->C[k] * v[k];
    for (int k = 0; k < l->states; k++) sum += l->S[k] * state[k];
    return sum;
}

static void linear_slopes(void *user, double t, const double *q, const double *v, const double *state, double *out)
{
    const linear *l = user;
    (void)t, (void)q, (void)v, (void)state;
    for (int k = 0; k < l->count; k++) out[k] = l->C[k];
}

static void state_slopes(void *user, double t, const double *q, const double *v, const double *state, double *out)
{
    const linear *l = user;
    (void)t, (void)q, (void)v, (void)state;
    for (int k = 0; k < l->states; k++) out[k] = l->S[k];
}

static void couple(talus_world *w, talus_joint_id j, linear *l, const talus_coordinate *reads)
{
    talus_joint_force_def f = talus_joint_force_def_default();
    f.coupled = (talus_coupled_law){.value = linear_value, .user = l, .slopes = linear_slopes, .reads = reads, .count = l->count};
    force(w, j, &f);
}

static int add_state(talus_world *w, talus_mechanism_id m, const char *name, double start, linear *l, const talus_coordinate *reads)
{
    talus_state_def d = talus_state_def_default();
    int number = -1;
    d.name = name, d.start = start;
    d.rate = (talus_coupled_law){.value = linear_value, .user = l, .slopes = state_slopes, .reads = reads, .count = l->count};
    CHECK_OK(talus_mechanism_add_state(w, m, &d, &number), talus_world_error(w));
    return number;
}

/* Two sliders on one line. */
typedef struct pair {
    talus_world *w;
    talus_mechanism_id m;
    talus_body_id body[2];
    talus_joint_id joint[2];
    talus_coordinate reads[2];
    double mass[2];
} pair;

static pair two_sliders(double h, double theta, double v1, double v2)
{
    pair p = {.mass = {1.5, 0.7}};
    talus_world_def d = lab(h);
    d.theta = theta;
    p.w = open_world(&d);
    p.m = mechanism(p.w);
    for (int i = 0; i < 2; i++) {
        p.body[i] = bar(p.w, p.m, p.mass[i], 0, 0, 0);
        p.joint[i] = slide(p.w, p.body[i], i == 0 ? 0.1 : 1.3, i == 0 ? v1 : v2);
        p.reads[i] = (talus_coordinate){p.joint[i], 0};
    }
    return p;
}

static double kinetic(const pair *p)
{
    double sum = 0;
    for (int i = 0; i < 2; i++) sum += 0.5 * p->mass[i] * rate(p->w, p->joint[i]) * rate(p->w, p->joint[i]);
    return sum;
}

static double momentum(const pair *p) { return p->mass[0] * rate(p->w, p->joint[0]) + p->mass[1] * rate(p->w, p->joint[1]); }

/* f_i = −k (q_i − q_j ∓ 1) − c (v_i − v_j) is a spring and damper between the two; the joint between the sliders is exactly one. */
TEST(pull_between_two_is_a_spring)
{
    const double k = 70;
    for (int damped = 0; damped < 2; damped++) {
        const double c = damped ? 3.0 : 0.0;
        linear law[2] = {{.K = {-k, k}, .C = {-c, c}, .load = -k, .count = 2}, {.K = {k, -k}, .C = {c, -c}, .load = k, .count = 2}};
        double drift[RUNS];
        for (int i = 0; i < RUNS; i++) {
            const double h = 2e-2 / (1 << i);
            pair laws = two_sliders(h, 0.5, 0, 2), spring = two_sliders(h, 0.5, 0, 2);
            for (int b = 0; b < 2; b++) couple(laws.w, laws.joint[b], &law[b], laws.reads);
            talus_spring_def s = talus_spring_def_default();
            s.body_a = spring.body[0], s.body_b = spring.body[1];
            s.stiffness = k, s.damping = c, s.length = 1;
            CHECK_OK(talus_spring_create(spring.w, spring.m, &s), talus_world_error(spring.w));
            double worst = 0;
            for (int n = 0; n < 100 << i; n++) {
                run(laws.w, 1);
                run(spring.w, 1);
                for (int b = 0; b < 2; b++) CHECK_NEAR(position(laws.w, laws.joint[b]), position(spring.w, spring.joint[b]), 1e-11);
                const double stretch = position(laws.w, laws.joint[1]) - position(laws.w, laws.joint[0]) - 1;
                worst = fmax(worst, fabs(kinetic(&laws) + 0.5 * k * stretch * stretch - (0.5 * 0.7 * 4 + 0.5 * k * 0.04)));
            }
            CHECK_NEAR(momentum(&laws), 0.7 * 2, 1e-11);
            drift[i] = worst;
            talus_world_destroy(laws.w);
            talus_world_destroy(spring.w);
        }
        if (!damped) check_order("energy", drift, 2, 0.1, 1e-3);
    }
}

/* c (v_1 − v_2) with h c/m = 1e5: by passes it would grow by such a factor in each. θ = 1 ends the relative motion, and momentum stays. */
TEST(stiff_viscous_coupling)
{
    const double c = 1e8, h = 1e-3;
    linear law[2] = {{.C = {-c, c}, .count = 2}, {.C = {c, -c}, .count = 2}};
    for (int half = 0; half < 2; half++) {
        pair p = two_sliders(h, half ? 0.5 : 1, 3, -1);
        const double before = 1.5 * 3 - 0.7, start = 0.5 * (1.5 * 9 + 0.7);
        for (int b = 0; b < 2; b++) couple(p.w, p.joint[b], &law[b], p.reads);
        run(p.w, 50);
        CHECK_NEAR(momentum(&p), before, 1e-9 * fabs(before));
        CHECK(kinetic(&p) <= start * (1 + 1e-9));
        if (!half) CHECK_NEAR(rate(p.w, p.joint[0]), before / 2.2, 1e-6);
        if (!half) CHECK_NEAR(rate(p.w, p.joint[1]), before / 2.2, 1e-6);
        talus_world_destroy(p.w);
    }
}

/* One follows the other, which does not feel it: f_1 = −k (q_1 − q_2) − c (v_1 − v_2), h c/m = 100. ẍ_2 = 0. */
TEST(stiff_follower)
{
    const double c = 1.5e5, h = 1e-3;
    linear law = {.C = {-c, c}, .count = 2};
    pair p = two_sliders(h, 1, 0, 2);
    couple(p.w, p.joint[0], &law, p.reads);
    run(p.w, 20);
    CHECK_NEAR(rate(p.w, p.joint[1]), 2, 1e-12);
    CHECK_NEAR(rate(p.w, p.joint[0]), 2, 1e-9); /* θ = 1: (1 + 100)^−20 is left */
    talus_world_destroy(p.w);
}

/* f_1 = g v_2, f_2 = −g v_1 does no work. The midpoint rule keeps the energy exactly, also where h g/m = 10; and turns by 2 atan(h g / 2 √(m_1 m_2)). */
TEST(skew_coupling)
{
    const double g = 1e4, h = 1e-3;
    linear law[2] = {{.C = {0, g}, .count = 2}, {.C = {-g, 0}, .count = 2}};
    pair p = two_sliders(h, 0.5, 3, -1);
    const double u0 = sqrt(p.mass[0]) * 3, w0 = -sqrt(p.mass[1]), start = 0.5 * (u0 * u0 + w0 * w0);
    for (int b = 0; b < 2; b++) couple(p.w, p.joint[b], &law[b], p.reads);
    const double turn = 100 * 2 * atan(0.5 * h * g / sqrt(p.mass[0] * p.mass[1]));
    run(p.w, 100);
    CHECK_CLOSE(kinetic(&p), start, 1e-11);
    CHECK_NEAR(sqrt(p.mass[0]) * rate(p.w, p.joint[0]), u0 * cos(turn) + w0 * sin(turn), 1e-9);
    talus_world_destroy(p.w);
}

/* What drives on must not be taken implicitly: f_1 = g v_2, f_2 = g v_1 grows as e^(g t/√(m_1 m_2)). With h g/m = 2 the tangent's M̃ would have a negative
 * inertia, and the motion would turn round. */
TEST(coupling_that_drives_on)
{
    for (int stiff = 0; stiff < 2; stiff++) {
        const double h = 1e-3, g = stiff ? 4e3 : 1.0;
        linear law[2] = {{.C = {0, g}, .count = 2}, {.C = {g, 0}, .count = 2}};
        pair p = two_sliders(h, 0.5, 1, 1);
        for (int b = 0; b < 2; b++) couple(p.w, p.joint[b], &law[b], p.reads);
        if (stiff) run(p.w, 2);
        else run(p.w, 1000);
        CHECK(rate(p.w, p.joint[0]) > 1 && rate(p.w, p.joint[1]) > 1);
        const double s = g / sqrt(p.mass[0] * p.mass[1]), r = sqrt(p.mass[1] / p.mass[0]);
        if (!stiff) CHECK_CLOSE(rate(p.w, p.joint[0]), cosh(s) + r * sinh(s), 1e-6);
        talus_world_destroy(p.w);
    }
}

/* ---- with contacts --------------------------------------------------------------------------------------------------- */

/* A charge of 2 kg that slides on a smooth floor in a field: f_x = g v_y, f_y = −g v_x − w. It does not leave the floor, so v_x stays and the floor bears
 * w + g v_x. With h g/m = 10 the floor's impulse pushes it sideways ten times as far as along, and back. */
TEST(skew_coupling_on_a_floor)
{
    const double g = 2e4, load = 30, speed = 0.25;
    talus_world_def d = lab(1e-3);
    d.gravity[1] = 0;
    talus_world *w = open_world(&d);
    const talus_material_id steel = material(w, "steel", 7800);
    law(w, 0, 0);
    add_half_plane(w, body(w, TALUS_BODY_FIXED, 0, 0, 0), steel, 0, 0, 0, 1);
    const talus_mechanism_id m = mechanism(w);
    const talus_body_id b = bar(w, m, 2, 0.1, 0, 0);
    talus_joint_def j = talus_joint_def_default();
    j.kind = TALUS_JOINT_PLANAR;
    j.child = b;
    j.position[1] = 0.1;
    j.velocity[0] = speed, j.velocity[1] = j.velocity[2] = 0;
    const talus_joint_id joint = join(w, &j);
    add_disk(w, b, steel, 0, 0, 0.1);
    const talus_coordinate reads[2] = {{joint, 0}, {joint, 1}};
    linear field[2] = {{.C = {0, g}, .count = 2}, {.C = {-g, 0}, .load = -load, .count = 2}};
    for (int k = 0; k < 2; k++) {
        talus_joint_force_def f = talus_joint_force_def_default();
        f.coordinate = k;
        f.coupled = (talus_coupled_law){.value = linear_value, .user = &field[k], .slopes = linear_slopes, .reads = reads, .count = 2};
        force(w, joint, &f);
    }
    run(w, 200);
    talus_contact c = {.gap = 1};
    CHECK(talus_contact_count(w) == 1);
    talus_contact_get(w, 0, &c);
    CHECK_CLOSE(talus_joint_velocity(w, joint, 0), speed, 1e-4);
    CHECK_CLOSE(c.impulse[0] / 1e-3, load + g * speed, 1e-3);
    CHECK_NEAR(talus_joint_position(w, joint, 1), 0.1, 1e-4);
    talus_world_destroy(w);
}

/* ---- states ------------------------------------------------------------------------------------------------------------ */

/* A state whose rate is v of a pendulum's slider is its position, in every bit but those of rounding, so that a spring may be made of it. */
TEST(state_of_a_rate_is_the_position)
{
    const double k = 200;
    linear rate_law = {.C = {1, 0}, .count = 1, .states = 1}, pull = {.S = {-k}, .states = 1};
    talus_world_def d = lab(1e-2);
    talus_world *w = open_world(&d);
    const talus_mechanism_id m = mechanism(w);
    const talus_joint_id j = slide(w, bar(w, m, 2, 0, 0, 0), 0.4, -1);
    const talus_coordinate reads[1] = {{j, 0}};
    CHECK(add_state(w, m, "x", 0.4, &rate_law, reads) == 0);
    talus_joint_force_def f = talus_joint_force_def_default();
    f.coupled = (talus_coupled_law){.value = linear_value, .user = &pull};
    force(w, j, &f);
    CHECK(isnan(talus_mechanism_state(w, m, 0)));
    for (int n = 0; n < 500; n++) {
        run(w, 1);
        CHECK_NEAR(talus_mechanism_state(w, m, 0), position(w, j), 1e-12);
    }
    CHECK(isnan(talus_mechanism_state(w, m, 1)));
    talus_world_destroy(w);
}

/* Two rams A_1, A_2 on one line of fluid: ṗ = β/V (A_1 v_1 − A_2 v_2), f_1 = −A_1 p, f_2 = A_2 p. The oil passes from one to the other,
 * V p/β = A_1 Δq_1 − A_2 Δq_2 in every step; ω² = β/V (A_1²/m_1 + A_2²/m_2); the energy of the motion and of the oil, V p²/2β, is kept to second order. */
TEST(two_rams_on_a_line)
{
    const double A[2] = {2e-3, 5e-3}, stiff = 1.2e7; /* β/V [Pa/m³] */
    const double omega = sqrt(stiff * (A[0] * A[0] / 1.5 + A[1] * A[1] / 0.7)), end = 10 / omega;
    linear line = {.C = {stiff * A[0], -stiff * A[1]}, .count = 2, .states = 1};
    linear push[2] = {{.S = {-A[0]}, .states = 1}, {.S = {A[1]}, .states = 1}};
    double phase[RUNS], drift[RUNS];
    for (int i = 0; i < RUNS; i++) {
        const int n = 200 << i;
        pair p = two_sliders(end / n, 0.5, 0.3, 0);
        (void)add_state(p.w, p.m, "p", 0, &line, p.reads);
        for (int b = 0; b < 2; b++) couple(p.w, p.joint[b], &push[b], NULL);
        double worst = 0;
        for (int k = 0; k < n; k++) {
            run(p.w, 1);
            const double x = talus_mechanism_state(p.w, p.m, 0);
            const double oil = A[0] * (position(p.w, p.joint[0]) - 0.1) - A[1] * (position(p.w, p.joint[1]) - 1.3);
            CHECK_NEAR(x, stiff * oil, 1e-9 * stiff * A[0] * 0.1);
            worst = fmax(worst, fabs(kinetic(&p) + 0.5 * x * x / stiff - 0.5 * 1.5 * 0.09) / (0.5 * 1.5 * 0.09));
        }
        drift[i] = worst;
        phase[i] = fabs(talus_mechanism_state(p.w, p.m, 0) - stiff * A[0] * 0.3 / omega * sin(10)) / (stiff * A[0] * 0.3 / omega);
        talus_world_destroy(p.w);
    }
    check_order("pressure at t = 10/ω", phase, 2, 0.1, 1e-4);
    check_order("energy", drift, 2, 0.1, 1e-4);
}

/* A filter ẋ = (1 − x)/τ: of second order; and for τ = h/1000 what a law sees of it, the mid-step, is 1 to τ/h and does not swing. */
TEST(filter)
{
    double error[RUNS];
    for (int i = 0; i < RUNS; i++) {
        linear law = {.S = {-1 / 0.05}, .load = 1 / 0.05, .states = 1};
        pair p = two_sliders(1e-2 / (1 << i), 0.5, 0, 0);
        (void)add_state(p.w, p.m, "x", 0, &law, NULL);
        run(p.w, 10 << i);
        error[i] = fabs(talus_mechanism_state(p.w, p.m, 0) - (1 - exp(-2)));
        talus_world_destroy(p.w);
    }
    check_order("filter", error, 2, 0.1, 1e-4);
    linear law = {.S = {-1e6}, .load = 1e6, .states = 1}, push = {.S = {1}, .states = 1};
    pair p = two_sliders(1e-3, 0.5, 0, 0);
    (void)add_state(p.w, p.m, "x", 0, &law, NULL);
    couple(p.w, p.joint[0], &push, NULL);
    for (int n = 0; n < 100; n++) {
        run(p.w, 1);
        CHECK_NEAR(talus_joint_force(p.w, p.joint[0], 0), 1, 3e-3);
    }
    talus_world_destroy(p.w);
}

static double relay(void *user, double t, const double *q, const double *v, const double *state)
{
    (void)user, (void)t, (void)q, (void)v;
    return state[0] > 0.5 ? -7.0 : 7.0;
}

/* A relay has no midpoint near its threshold: it stays within what one step can move it. */
TEST(state_that_jumps)
{
    pair p = two_sliders(1e-3, 0.5, 0, 0);
    talus_state_def d = talus_state_def_default();
    int number;
    d.rate.value = relay;
    CHECK_OK(talus_mechanism_add_state(p.w, p.m, &d, &number), talus_world_error(p.w));
    run(p.w, 71);
    for (int n = 0; n < 200; n++) {
        run(p.w, 1);
        CHECK_NEAR(talus_mechanism_state(p.w, p.m, 0), 0.5, 7.001e-3);
    }
    talus_world_destroy(p.w);
}

/* ---- what is refused ------------------------------------------------------------------------------------------------- */

static void refused(talus_world *w, talus_status status, const char *words)
{
    CHECK(status == TALUS_INPUT);
    if (!strstr(talus_world_error(w), words)) TEST_FAIL("'%s' does not say '%s'", talus_world_error(w), words);
}

TEST(refusals)
{
    pair p = two_sliders(1e-3, 0.5, 0, 0);
    const talus_mechanism_id other = mechanism_named(p.w, "other");
    const talus_joint_id away = slide(p.w, bar(p.w, other, 1, 0, 0, 0), 0, 0);
    linear law = {.count = 1};
    talus_coordinate reads[1] = {{away, 0}};
    talus_joint_force_def f = talus_joint_force_def_default();
    f.coupled = (talus_coupled_law){.value = linear_value, .user = &law, .reads = reads, .count = 1};
    refused(p.w, talus_joint_add_force(p.w, p.joint[0], &f), "another mechanism");
    reads[0] = (talus_coordinate){p.joint[1], 1};
    refused(p.w, talus_joint_add_force(p.w, p.joint[0], &f), "number 2 is asked for");
    reads[0] = (talus_coordinate){{99}, 0};
    refused(p.w, talus_joint_add_force(p.w, p.joint[0], &f), "does not exist");
    f.coupled.reads = NULL;
    refused(p.w, talus_joint_add_force(p.w, p.joint[0], &f), "not given");
    talus_state_def d = talus_state_def_default();
    int number;
    d.name = "e";
    refused(p.w, talus_mechanism_add_state(p.w, p.m, &d, &number), "has no rate");
    d.rate = (talus_coupled_law){.value = linear_value, .user = &law, .reads = (talus_coordinate[]){{p.joint[0], 0}}, .count = 1};
    d.start = (double)NAN;
    refused(p.w, talus_mechanism_add_state(p.w, p.m, &d, &number), "starts at");
    d.start = 0;
    CHECK_OK(talus_mechanism_add_state(p.w, p.m, &d, &number), talus_world_error(p.w));
    refused(p.w, talus_mechanism_add_state(p.w, p.m, &d, &number), "two states 'e'");
    refused(p.w, talus_mechanism_add_state(p.w, (talus_mechanism_id){9}, &d, &number), "state 'e' belongs to a mechanism that does not exist");
    CHECK(talus_mechanism_add_state(NULL, p.m, &d, &number) == TALUS_INPUT);
    talus_world_destroy(p.w);
}

int main(int argc, char **argv)
{
    RUN(pull_between_two_is_a_spring);
    RUN(stiff_viscous_coupling);
    RUN(stiff_follower);
    RUN(skew_coupling);
    RUN(coupling_that_drives_on);
    RUN(skew_coupling_on_a_floor);
    RUN(state_of_a_rate_is_the_position);
    RUN(two_rams_on_a_line);
    RUN(filter);
    RUN(state_that_jumps);
    RUN(refusals);
    return TEST_RESULT;
}
