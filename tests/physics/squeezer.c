/* Andrews' squeezer: seven bodies, three loops at one point, a constant torque and one spring, without gravity, from rest.
 *
 * Data and initial values: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, §VII.7. State at 0.03 s: Test Set for IVP
 * Solvers (PSIDE at tolerance 1e-14). The motion is fast (β' ≈ 1100 rad/s at the end) and amplifies errors, so small steps are needed;
 * the orders and the extrapolation to h = 0 say whether the limit is the published one.
 *
 *     K1 crank about O, angle β                                    K2 on K1 at (RR, 0), angle Θ; its point P = (−D, 0)
 *     K3 about B, angle γ; P = (0, −SS), spring from (SD, −SC) to C
 *     K5 about A, angle δ                                          K4 on K5 at (ZT, 0), angle Φ; P = (0, −E)
 *     K7 about A, angle ε                                          K6 on K7 at (0, −U), angle Ω; P = (ZF, 0)
 *
 * Centres of mass follow from the mass matrix; of K1, K3, K5 and K7 only the distance from the fixed pivot counts. */
#include "physics/planar.h"

enum { BODIES = 7, LOOPS = 3, RUNS = 4 };
enum { BETA, THETA, GAMMA, PHI, DELTA, OMEGA, EPSILON };

static const double D = 28e-3, DA = 115e-4, E = 2e-2, EA = 1421e-5, ZF = 2e-2, FA = 1421e-5, RR = 7e-3, RA = 92e-5, SS = 35e-3, SA = 1874e-5, SB = 1043e-5,
                    SC = 18e-3, SD = 2e-2, TA = 2308e-5, TB = 916e-5, U = 4e-2, UA = 1228e-5, UB = 449e-5, ZT = 4e-2;
static const double A[2] = {-.06934, -.00227}, B[2] = {-.03635, .03273}, C[2] = {.014, .072};
static const double MASS[BODIES] = {.04325, .00365, .02373, .00706, .07050, .00706, .05498},
                    INERTIA[BODIES] = {2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5};
static const double TORQUE = 0.033, STIFFNESS = 4530, FREE_LENGTH = 0.07785, END = 0.03;

static const double START[BODIES] = {-0.0617138900142764496, 0, 0.455279819163070380, 0.222668390165885885, 0.487364979543842550, -0.222668390165885885,
                                     1.23054744454982120};
static const double ANGLES[BODIES] = {0.1581077119629904e+2, -0.1575637105984298e+2, 0.4082224013073101e-1, -0.5347301163226948,
                                      0.5244099658805304,    0.5347301163226948,     0.1048080741042263e+1};
static const double RATES[BODIES] = {0.1139920302151208e+4, -0.1424379294994111e+4, 0.1103291221937134e+2, 0.1929337464421385e+2,
                                     0.5735699284790808,    -0.1929337464421385e+2, 0.3231791658026955};
/* Accelerations of β and Θ at t = 0, and the forces of the loops with K3, K4 and K6 (those on K2 are opposite) at t = 0 and 0.03 s. */
static const double KICK[2] = {14222.4439199541138705911625887, -10666.8329399655854029433719415};
static const double FORCE_START[2 * LOOPS] = {98.5668703962410896, -6.12268834425566265, 0, 0, 0, 0};
static const double FORCE_END[2 * LOOPS] = {0.1991753333731910e+3, -0.2975531228015052e+2, 0.2306654119098399e+2,
                                            0.3145271365475927e+2, 0.2264249232082739e+2,  0.1161740700019673e+2};

typedef struct squeezer {
    talus_world *w;
    talus_mechanism_id m;
    talus_body_id body[BODIES];
    talus_joint_id joint[BODIES];
    talus_loop_id loop[LOOPS];
} squeezer;

/* Body k on the parent's point (x, y), its centre of mass at (cx, cy). */
static void add(squeezer *s, int k, const talus_body_id *parent, double x, double y, double cx, double cy)
{
    talus_link_def d = talus_link_def_default();
    d.mass = MASS[k];
    d.inertia[2] = INERTIA[k];
    d.centre_of_mass[0] = cx, d.centre_of_mass[1] = cy;
    CHECK_OK(talus_link_create(s->w, s->m, &d, &s->body[k]), talus_world_error(s->w));
    talus_joint_def j = talus_joint_def_default();
    if (parent) j.parent = *parent;
    j.child = s->body[k];
    j.parent_point[0] = x, j.parent_point[1] = y;
    j.position[0] = START[k];
    CHECK_OK(talus_joint_create(s->w, &j, &s->joint[k]), talus_world_error(s->w));
}

/* P of K2 is the point (x, y) of body k. */
static void meet(squeezer *s, int loop, int k, double x, double y)
{
    talus_loop_def d = talus_loop_def_default();
    d.body_a = s->body[THETA], d.body_b = s->body[k];
    d.point_a[0] = -D;
    d.point_b[0] = x, d.point_b[1] = y;
    CHECK_OK(talus_loop_create(s->w, s->m, &d, &s->loop[loop]), talus_world_error(s->w));
}

static squeezer build(double h)
{
    squeezer s = {0};
    talus_world_def d = lab(h);
    d.gravity[1] = 0;
    s.w = open_world(&d);
    CHECK_OK(talus_mechanism_create(s.w, "squeezer", &s.m), talus_world_error(s.w));
    add(&s, BETA, NULL, 0, 0, RA, 0);
    add(&s, THETA, &s.body[BETA], RR, 0, -DA, 0);
    add(&s, GAMMA, NULL, B[0], B[1], SA, SB);
    add(&s, DELTA, NULL, A[0], A[1], TA, TB);
    add(&s, PHI, &s.body[DELTA], ZT, 0, 0, EA - E);
    add(&s, EPSILON, NULL, A[0], A[1], UA, UB);
    add(&s, OMEGA, &s.body[EPSILON], 0, -U, ZF - FA, 0);
    meet(&s, 0, GAMMA, 0, -SS);
    meet(&s, 1, PHI, 0, -E);
    meet(&s, 2, OMEGA, ZF, 0);
    talus_joint_force_def f = talus_joint_force_def_default();
    f.constant = TORQUE;
    CHECK_OK(talus_joint_add_force(s.w, s.joint[BETA], &f), talus_world_error(s.w));
    talus_spring_def spring = talus_spring_def_default();
    spring.body_a = s.body[GAMMA];
    spring.point_a[0] = SD, spring.point_a[1] = -SC;
    spring.point_b[0] = C[0], spring.point_b[1] = C[1];
    spring.stiffness = STIFFNESS, spring.length = FREE_LENGTH;
    CHECK_OK(talus_spring_create(s.w, s.m, &spring), talus_world_error(s.w));
    CHECK_OK(talus_world_assemble(s.w), talus_world_error(s.w));
    return s;
}

/* Forces of the loops on K3, K4 and K6. */
static void loop_forces(const squeezer *s, double f[2 * LOOPS])
{
    for (int i = 0; i < LOOPS; i++) {
        double r[6];
        talus_loop_reaction(s->w, s->loop[i], r);
        f[2 * i] = -r[0], f[2 * i + 1] = -r[1];
    }
}

static double energy(const talus_world *w)
{
    double kinetic, potential;
    talus_world_energy(w, &kinetic, &potential);
    return kinetic + potential;
}

static void check_order(const char *what, const double error[RUNS], double slack, double last)
{
    for (int i = 1; i < RUNS; i++) {
        const double found = log2(error[i - 1] / error[i]);
        if (!(fabs(found - 2) <= slack)) TEST_FAIL("%s: order %.3f, expected 2 ± %g (errors %.3g, %.3g)", what, found, slack, error[i - 1], error[i]);
    }
    if (!(error[RUNS - 1] <= last)) TEST_FAIL("%s: error %.3g > %.3g at the smallest step", what, error[RUNS - 1], last);
}

/* The published start closes the loops by itself: assembly leaves it alone. From rest the motion is even in time, so the mean force and
 * the gain in speed of the first step are those of t = 0 to O(h²). */
TEST(start)
{
    double force_error[RUNS], kick_error[RUNS];
    for (int i = 0; i < RUNS; i++) {
        const double h = 1e-4 / (1 << i);
        squeezer s = build(h);
        CHECK(talus_degrees_of_freedom(s.w) == 1);
        CHECK(*talus_world_warnings(s.w) == 0);
        for (int k = 0; k < BODIES; k++) CHECK_NEAR(talus_joint_position(s.w, s.joint[k], 0), START[k], 1e-9);
        for (int k = 0; k < LOOPS; k++) CHECK(talus_loop_error(s.w, s.loop[k]) <= 1e-9);
        run(s.w, 1);
        double f[2 * LOOPS];
        loop_forces(&s, f);
        force_error[i] = 0;
        for (int k = 0; k < 2 * LOOPS; k++) force_error[i] = fmax(force_error[i], fabs(f[k] - FORCE_START[k]));
        kick_error[i] = 0;
        for (int k = 0; k < 2; k++) kick_error[i] = fmax(kick_error[i], fabs(talus_joint_velocity(s.w, s.joint[k], 0) / h / KICK[k] - 1));
        talus_world_destroy(s.w);
    }
    check_order("forces at the start", force_error, 0.15, 0.05);
    check_order("acceleration at the start", kick_error, 0.15, 1e-3);
}

/* State, energy and loop forces at 0.03 s. The energy gained is torque × angle. */
TEST(published_state)
{
    double angles[RUNS][BODIES], rates[RUNS][BODIES], angle_error[RUNS], rate_error[RUNS], force_error[RUNS], energy_error[RUNS];
    for (int i = 0; i < RUNS; i++) {
        const int n = 1000 << i;
        squeezer s = build(END / n);
        const double before = energy(s.w);
        double f[2][2 * LOOPS];
        for (int k = 0; k < n; k++) CHECK(step(s.w).loop_error <= 1e-10);
        loop_forces(&s, f[0]);
        angle_error[i] = rate_error[i] = force_error[i] = 0;
        for (int k = 0; k < BODIES; k++) {
            angles[i][k] = talus_joint_position(s.w, s.joint[k], 0);
            rates[i][k] = talus_joint_velocity(s.w, s.joint[k], 0);
            angle_error[i] = fmax(angle_error[i], fabs(angles[i][k] - ANGLES[k]));
            rate_error[i] = fmax(rate_error[i], fabs(rates[i][k] - RATES[k]));
        }
        energy_error[i] = fabs(energy(s.w) - before - TORQUE * (angles[i][BETA] - START[BETA]));
        run(s.w, 1); /* the mean over two steps about 0.03 s, not over the one before */
        loop_forces(&s, f[1]);
        for (int k = 0; k < 2 * LOOPS; k++) force_error[i] = fmax(force_error[i], fabs(0.5 * (f[0][k] + f[1][k]) - FORCE_END[k]));
        talus_world_destroy(s.w);
    }
    check_order("angles", angle_error, 0.2, 1e-5);
    check_order("rates", rate_error, 0.2, 1e-2);
    check_order("loop forces", force_error, 0.2, 1e-2);
    check_order("energy", energy_error, 0.2, 1e-4);
    /* Richardson from the two smallest steps: what is left is of fourth order, a small part of the error */
    for (int k = 0; k < BODIES; k++) {
        const double q = (4 * angles[RUNS - 1][k] - angles[RUNS - 2][k]) / 3, v = (4 * rates[RUNS - 1][k] - rates[RUNS - 2][k]) / 3;
        CHECK_NEAR(q, ANGLES[k], 0.02 * angle_error[RUNS - 1] + 1e-9);
        CHECK_NEAR(v, RATES[k], 0.02 * rate_error[RUNS - 1] + 1e-6);
    }
}

int main(int argc, char **argv)
{
    RUN(start);
    RUN(published_state);
    return TEST_RESULT;
}
