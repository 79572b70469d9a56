/* Andrews' squeezer mechanism: seven bodies, three loops, a driving torque and a spring, 0.03 s of violent motion; a standard test of
 * mechanism codes. Data and the state at the end: Hairer & Wanner, Solving Ordinary Differential Equations II, §VII.7, and the test
 * set for initial value problem solvers (problem ANDREWS). */
#include "physics/linkage.h"

static const double M[7] = {.04325, .00365, .02373, .00706, .07050, .00706, .05498};
static const double J[7] = {2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5};
static const double XA = -.06934, YA = -.00227, XB = -.03635, YB = .03273, XC = .014, YC = .072;
static const double D = 28e-3, DA = 115e-4, E = 2e-2, EA = 1421e-5, ZF = 2e-2, FA = 1421e-5, RR = 7e-3, RA = 92e-5, SS = 35e-3;
static const double SA = 1874e-5, SB = 1043e-5, SC = 18e-3, SD = 2e-2, TA = 2308e-5, TB = 916e-5, U = 4e-2, UA = 1228e-5, UB = 449e-5, ZT = 4e-2;
static const double SPRING = 4530, REST = .07785, TORQUE = .033;

enum { ANGLES = 7 };
static const double START[ANGLES] = {-0.0617138900142764496, 0, 0.455279819163070380, 0.222668390165885885, 0.487364979543842550,
                                     -0.222668390165885885, 1.23054744454982120};
static const double END[ANGLES] = {15.8107711941, -15.7563710527, 0.0408222401307, -0.534730116322695, 0.524409965880534, 0.534730116322695,
                                   1.04808074104226};
static const char *const NAMES[ANGLES] = {"beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"};

/* E, where three chains meet: from the crank O-F-E, from B over K3, and from A over K5-K4 and K7-K6. */
static talus_world *squeezer(double h, talus_joint_id joint[ANGLES])
{
    talus_world_def d = lab(h);
    d.gravity[1] = 0;
    talus_world *w = open_world(&d);
    const talus_mechanism_id m = mechanism(w, "squeezer");
    const double centre[7][2] = {{RA, 0}, {-DA, 0}, {SB, -SA}, {0, EA - E}, {TA, TB}, {ZF - FA, 0}, {-UB, -UA}};
    talus_body_id K[8];
    for (int i = 0; i < 7; i++) K[i + 1] = add_link(w, m, NULL, M[i], J[i], centre[i][0], centre[i][1]);
    const struct {
        talus_body_id parent, child;
        double x, y;
    } at[ANGLES] = {{GROUND, K[1], 0, 0}, {K[1], K[2], RR, 0}, {GROUND, K[3], XB, YB}, {K[5], K[4], ZT, 0}, {GROUND, K[5], XA, YA}, {K[7], K[6], 0, -U},
                    {GROUND, K[7], XA, YA}};
    /* a parent's joint first: talus does not mind, the test does not either */
    for (int i = 0; i < ANGLES; i++) joint[i] = hinge(w, NAMES[i], at[i].parent, at[i].child, at[i].x, at[i].y, START[i], 0);
    pin(w, m, "K3", K[3], 0, -SS, K[2], -D, 0);
    pin(w, m, "K4", K[4], 0, -E, K[2], -D, 0);
    pin(w, m, "K6", K[6], ZF, 0, K[2], -D, 0);
    talus_spring_def s = talus_spring_def_default();
    s.body_a = K[3];
    s.point_a[0] = SD, s.point_a[1] = -SC;
    s.point_b[0] = XC, s.point_b[1] = YC;
    s.stiffness = SPRING, s.length = REST;
    CHECK_OK(talus_spring_create(w, m, &s), talus_world_error(w));
    push(w, joint[0], TORQUE);
    CHECK_OK(talus_world_assemble(w), talus_world_error(w));
    return w;
}

static void angles_at_end(double h, double out[ANGLES])
{
    talus_joint_id joint[ANGLES];
    talus_world *w = squeezer(h, joint);
    for (int i = 0; i < ANGLES; i++) CHECK_NEAR(talus_joint_position(w, joint[i], 0), START[i], 1e-9); /* the published start is closed */
    double worst = 0;
    for (int i = (int)lround(0.03 / h); i > 0; i--) {
        talus_step_report report;
        CHECK_OK(talus_world_step(w, &report), talus_world_error(w));
        worst = fmax(worst, report.loop_error);
    }
    CHECK(worst <= 1e-10);
    for (int i = 0; i < ANGLES; i++) out[i] = talus_joint_position(w, joint[i], 0);
    talus_world_destroy(w);
}

/* Errors fall with h²; what is left after extrapolating that away is small against the errors themselves. */
TEST(published_state)
{
    double coarse[ANGLES], fine[ANGLES];
    angles_at_end(2e-6, coarse);
    angles_at_end(1e-6, fine);
    for (int i = 0; i < ANGLES; i++) {
        const double e = fabs(coarse[i] - END[i]), f = fabs(fine[i] - END[i]), limit = (4 * fine[i] - coarse[i]) / 3;
        if (!(e > 3.4 * f)) TEST_FAIL("%s: errors %.3g and %.3g", NAMES[i], e, f);
        CHECK_NEAR(limit, END[i], 0.1 * f);
        CHECK(f < 1e-4);
    }
}

int main(int argc, char **argv)
{
    RUN(published_state);
    return TEST_RESULT;
}
